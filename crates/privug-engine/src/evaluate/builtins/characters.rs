//! Characters and their codes, and integers written in any base.

use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::arguments::Arguments;
use super::numbers::MAX_INTEGER_DIGITS;
use crate::evaluate::{containers, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `ord(character)`
pub(super) fn code_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let value = arguments.one("ord")?;
    let Value::Text(text) = value else {
        return Err(Fault::new(Code::TypeMismatch, format!("`ord` takes a character, not {}", value.kind())));
    };
    let mut characters = state.heap.text(*text).chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Ok(Value::Int(i64::from(u32::from(character)))),
        _ => {
            let length = state.heap.text(*text).chars().count();
            Err(Fault::new(Code::TypeMismatch, format!("`ord` takes one character, not {length}")))
        }
    }
}

/// `chr(code)`
pub(super) fn character<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let code = containers::whole(arguments.one("chr")?, "the code")?;
    let character = u32::try_from(code).ok().and_then(char::from_u32);
    match character {
        Some(character) => state.text(character.to_string()),
        None => Err(Fault::new(Code::BadArgument, format!("there is no character with the code {code}"))),
    }
}

/// `int(text, base)`: with a base, it is a text.
pub(super) fn integer_in_base<S: Scalar>(state: &mut State<S>, value: &Value<S>, base: &Value<S>) -> Outcome<Value<S>> {
    let base = containers::whole(base, "the base")?;
    let Some(base) = u32::try_from(base).ok().filter(|base| *base == 0 || (2..=36).contains(base)) else {
        return Err(Fault::new(Code::BadArgument, format!("the base {base} is not 0, or from 2 to 36")));
    };
    let Value::Text(handle) = value else {
        let message = format!("`int` with a base takes a string, not {}", value.kind());
        return Err(Fault::new(Code::TypeMismatch, message));
    };
    let text = state.heap.text(*handle).trim().to_owned();
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text.as_str()),
    };
    if digits.len() > MAX_INTEGER_DIGITS {
        let message = format!("a string of {} digits is converted to an integer", digits.len());
        let hint = format!("Python does it up to {MAX_INTEGER_DIGITS} digits");
        return Err(Fault::hinted(Code::NumberLimit, message, hint));
    }
    state.budget.spend_steps(text.len() as u64)?;
    match parsed(digits, base) {
        Some(value) => state.integer(if sign { -value } else { value }),
        None => {
            let fault = Fault::new(Code::BadArgument, not_an_integer(&text, base));
            let quoted = text::quoted(state, value);
            Err(fault.saying(format!("invalid literal for int() with base {base}: {quoted}")))
        }
    }
}

/// What is said of a text that Python makes no integer of.
fn not_an_integer(text: &str, base: u32) -> String {
    match base {
        10 => format!("`{text}` is not an integer"),
        0 => format!("`{text}` is not an integer as Python writes it"),
        _ => format!("`{text}` is not an integer in base {base}"),
    }
}

/// Digits in a base, perhaps with the prefix of that base; base 0 is what the prefix says, or 10.
fn parsed(digits: &str, base: u32) -> Option<IBig> {
    let lower = digits.to_ascii_lowercase();
    let prefixed = [("0b", 2), ("0o", 8), ("0x", 16)]
        .into_iter()
        .find(|(prefix, own)| lower.starts_with(prefix) && (base == *own || base == 0));
    let (digits, own_base) = match prefixed {
        // Behind a prefix an underscore may stand first.
        Some((prefix, own)) => {
            let digits = &lower[prefix.len()..];
            (digits.strip_prefix('_').unwrap_or(digits), own)
        }
        None => (lower.as_str(), if base == 0 { 10 } else { base }),
    };
    let plain = digits.replace('_', "");
    let is_separated = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    // `int("010", 0)` could be meant in base 8.
    let is_old = base == 0 && prefixed.is_none() && plain.starts_with('0') && !plain.trim_matches('0').is_empty();
    let are_digits = plain.chars().all(|digit| digit.is_ascii() && digit.is_digit(own_base));
    if !is_separated || is_old || !are_digits || plain.is_empty() {
        return None;
    }
    IBig::from_str_radix(&plain, own_base).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_in_the_bases_of_python() {
        let read = |text: &str, base: u32| parsed(text, base).and_then(|value| i64::try_from(&value).ok());
        assert_eq!(read("101", 2), Some(5));
        assert_eq!(read("0b101", 2), Some(5));
        assert_eq!(read("0b_1_01", 2), Some(5));
        assert_eq!(read("0b101", 0), Some(5));
        assert_eq!(read("ff", 16), Some(255));
        assert_eq!(read("0XfF", 16), Some(255));
        assert_eq!(read("0b1", 16), Some(0xb1));
        assert_eq!(read("zz", 36), Some(35 * 36 + 35));
        assert_eq!(read("012", 10), Some(12));
        for (text, base) in
            [("102", 2), ("", 2), ("0b", 2), ("1__0", 2), ("_1", 2), ("1_", 2), ("0x1", 10), ("010", 0), ("é", 16)]
        {
            assert_eq!(read(text, base), None, "{text} in base {base}");
        }
    }
}
