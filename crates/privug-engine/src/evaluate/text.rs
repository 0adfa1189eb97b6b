//! Values as texts, as `str` and `repr` of Python write them.

use std::fmt::Write;

use dashu_base::BitTest;

use super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::{Part, Value};
use super::{choices, containers};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Builtin;

/// Python refuses to write out integers with more digits (`sys.set_int_max_str_digits`).
const MAX_INTEGER_DIGITS: usize = 4300;

/// A value for a message: never refused, and short.
pub(super) fn show<S: Scalar>(state: &State<S>, value: &Value<S>) -> String {
    match value {
        Value::None => "None".to_owned(),
        Value::Bool(value) | Value::NumpyBool(value) => python_bool(*value).to_owned(),
        Value::Int(value) | Value::NumpyInt(value) => value.to_string(),
        Value::BigInt(handle) if state.heap.integer(*handle).bit_len() < 4 * MAX_INTEGER_DIGITS => {
            state.heap.integer(*handle).to_string()
        }
        Value::Float(value) | Value::NumpyFloat(value) => float_text(value),
        Value::Text(handle) => state.heap.text(*handle).to_owned(),
        other => other.kind().to_owned(),
    }
}

/// `str(value)`
pub(super) fn python_text<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<String> {
    if let Value::Text(handle) = value {
        return Ok(state.heap.text(*handle).to_owned());
    }
    // Only inside containers do numpy's numbers say what they are.
    let mut text = String::new();
    write_representation(state, &value.plain(), 0, &mut text)?;
    Ok(text)
}

/// `repr(value)`, behind what is written already.
/// A value as an error of a dictionary shows the key that is missing.
pub(super) fn quoted<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> String {
    let mut text = String::new();
    match write_representation(state, value, 0, &mut text) {
        Ok(()) => text,
        Err(_) => show(state, value),
    }
}

pub(super) fn write_representation<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    depth: usize,
    text: &mut String,
) -> Outcome<()> {
    if depth > MAX_VALUE_DEPTH {
        return Err(too_deep());
    }
    let before = text.len();
    match value {
        Value::None => text.push_str("None"),
        Value::Missing => text.push_str("nan"),
        Value::Bool(value) => text.push_str(python_bool(*value)),
        Value::NumpyBool(value) => write_to(text, format_args!("np.{}_", python_bool(*value))),
        Value::Int(value) => write_to(text, format_args!("{value}")),
        Value::Counted(counted) => write_to(text, format_args!("{}", counted.count)),
        Value::NumpyInt(value) => write_to(text, format_args!("np.int64({value})")),
        Value::BigInt(handle) => {
            let integer = state.heap.integer(*handle).clone();
            let bits = integer.bit_len();
            if bits > 4 * MAX_INTEGER_DIGITS {
                let message = format!("an integer of {bits} bits is converted to a string");
                let hint = format!("Python does it up to {MAX_INTEGER_DIGITS} digits");
                return Err(Fault::hinted(Code::NumberLimit, message, hint));
            }
            let digits = integer.to_string();
            if digits.trim_start_matches('-').len() > MAX_INTEGER_DIGITS {
                let message = format!("an integer of {} digits is converted to a string", digits.len());
                let hint = format!("Python does it up to {MAX_INTEGER_DIGITS} digits");
                return Err(Fault::hinted(Code::NumberLimit, message, hint));
            }
            text.push_str(&digits);
        }
        Value::Float(value) => text.push_str(&float_text(value)),
        Value::NumpyFloat(value) => write_to(text, format_args!("np.float64({})", float_text(value))),
        Value::Text(handle) => write_quoted(state.heap.text(*handle), text),
        Value::List(_) => write_elements(state, value, ("[", "]"), depth, text)?,
        Value::Tuple(handle) => {
            let end = if state.heap.sequence(*handle).len() == 1 { ",)" } else { ")" };
            write_elements(state, value, ("(", end), depth, text)?;
        }
        Value::Dict(handle) if state.heap.dict(*handle).default == Some(Builtin::Counter) => {
            write_counter(state, *handle, depth, text)?;
        }
        Value::Dict(handle) if state.heap.dict(*handle).default.is_some() => {
            let message = "a `defaultdict` or an `OrderedDict` is converted to a string";
            return Err(Fault::hinted(Code::TypeMismatch, message, "make it a dictionary: `dict(counts)`"));
        }
        Value::Dict(handle) => {
            choices::arrivals::require_order(state, *handle)?;
            text.push('{');
            for (index, (key, value)) in state.heap.dict(*handle).entries.clone().iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write_representation(state, key, depth + 1, text)?;
                text.push_str(": ");
                write_representation(state, value, depth + 1, text)?;
            }
            text.push('}');
        }
        Value::View(_, part) => {
            let name = match part {
                Part::Keys => "dict_keys([",
                Part::Values => "dict_values([",
                Part::Items => "dict_items([",
            };
            write_elements(state, value, (name, "])"), depth, text)?;
        }
        Value::Range(handle) => {
            let range = state.heap.range(*handle);
            match range.step {
                1 => write_to(text, format_args!("range({}, {})", range.start, range.stop)),
                step => write_to(text, format_args!("range({}, {}, {step})", range.start, range.stop)),
            }
        }
        Value::Random { .. } | Value::Choice(_) => {
            return Err(Fault::hinted(
                Code::RandomConversion,
                "a random variable cannot be converted to a string",
                "show numbers that are known beforehand",
            ));
        }
        Value::Unbound
        | Value::Poison
        | Value::Array(_)
        | Value::Iterator(_)
        | Value::Slice(_)
        | Value::Frame(_)
        | Value::Series(_)
        | Value::Groups(_)
        | Value::Loc(_)
        | Value::Function(_)
        | Value::Set(_)
        | Value::Object(..) => {
            let message = format!("{} is converted to a string", value.kind());
            let hint = "write out its elements, or make it a list with `.tolist()`";
            return Err(Fault::hinted(Code::TypeMismatch, message, hint));
        }
    }
    state.budget.spend_steps((text.len() - before) as u64 / 8 + 1)?;
    state.budget.check_elements(text.len() as u64 / 8)
}

/// A `Counter`, the largest counts first.
fn write_counter<S: Scalar>(state: &mut State<S>, handle: u32, depth: usize, text: &mut String) -> Outcome<()> {
    let mut entries: Vec<(i64, Value<S>)> = Vec::new();
    for (key, count) in state.heap.dict(handle).entries.clone() {
        let Value::Int(count) = count else {
            let message = "a `Counter` whose counts are not all integers is converted to a string";
            return Err(Fault::hinted(Code::TypeMismatch, message, "make it a dictionary: `dict(counts)`"));
        };
        entries.push((count, key));
    }
    if entries.is_empty() {
        text.push_str("Counter()");
        return Ok(());
    }
    entries.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    text.push_str("Counter({");
    for (index, (count, key)) in entries.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        write_representation(state, key, depth + 1, text)?;
        write_to(text, format_args!(": {count}"));
    }
    text.push_str("})");
    Ok(())
}

fn write_elements<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    (start, end): (&str, &str),
    depth: usize,
    text: &mut String,
) -> Outcome<()> {
    text.push_str(start);
    for (index, element) in containers::elements(state, value)?.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        write_representation(state, element, depth + 1, text)?;
    }
    text.push_str(end);
    Ok(())
}

fn write_to(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = text.write_fmt(arguments);
}

fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

fn float_text<S: Scalar>(value: &S) -> String {
    value.to_exact_string().unwrap_or_else(|| python_float(value.to_f64()))
}

/// `repr` of a double: the shortest digits that give it back, with an exponent below 1e-4 and from 1e16 on.
pub(super) fn python_float(value: f64) -> String {
    let shortest = format!("{value:e}");
    let digits = shortest.split('e').next().unwrap_or("").bytes().filter(u8::is_ascii_digit).count();
    // Of several shortest ones Python takes the nearest.
    let nearest = format!("{value:.*e}", digits.saturating_sub(1));
    let scientific = if nearest.parse() == Ok(value) { nearest } else { shortest };
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let sign = if digits.starts_with('-') { "-" } else { "" };
        let figures: String = digits.chars().filter(char::is_ascii_digit).collect();
        let figures = figures.trim_end_matches('0');
        if exponent < 0 {
            let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
            return format!("{sign}0.{zeros}{figures}");
        }
        let whole = exponent as usize + 1;
        let padded = format!("{figures:0<whole$}");
        let (whole, fraction) = padded.split_at(whole);
        return format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction });
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// `repr` of a text.
fn write_quoted(content: &str, text: &mut String) {
    let quote = if content.contains('\'') && !content.contains('"') { '"' } else { '\'' };
    text.push(quote);
    for character in content.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            character if character == quote => {
                text.push('\\');
                text.push(character);
            }
            ' '..='~' => text.push(character),
            character => {
                // Rust escapes what cannot be shown, and combining characters, which Python shows.
                let is_shown = character.escape_debug().count() == 1 || character.is_alphanumeric();
                match character as u32 {
                    _ if is_shown => text.push(character),
                    code @ 0..=0xff => write_to(text, format_args!("\\x{code:02x}")),
                    code @ 0x100..=0xffff => write_to(text, format_args!("\\u{code:04x}")),
                    code => write_to(text, format_args!("\\U{code:08x}")),
                }
            }
        }
    }
    text.push(quote);
}
