//! Spreading values over names, f-strings and assertions.

use std::rc::Rc;

use dashu_int::IBig;

use super::fault::{Fault, Outcome};
use super::running::{Machine, Stop};
use super::state::State;

use super::tables::{Accessed, Accessor, Roundings};
use super::value::Value;
use super::{arithmetic, choices, compare, containers, exceptions, marked, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Align, Binary, FormatSpecification, Shown};

impl<S: Scalar> Machine<'_, S> {
    pub(super) fn unpack(&mut self, value: &Value<S>, count: usize) -> Result<Vec<Value<S>>, Stop> {
        let poisoned = vec![Value::Poison; count];
        if matches!(value, Value::Poison) {
            return Ok(poisoned);
        }
        match self.spread(value) {
            Ok(mut parts) if parts.len() == count || self.may_be_as_long(&parts, count) => {
                // Where a list is shorter in some worlds, its last elements are missing there; where it is longer in some, there
                // are more of them.
                let more = parts.split_off(count);
                let mismatch = |length: &str| {
                    let message =
                        format!("{length} than {count} values are unpacked into {count} names in some worlds");
                    Fault::new(Code::UnpackMismatch, message)
                };
                for part in &parts {
                    if matches!(part, Value::Choice(_) | Value::Unbound)
                        && let Err(fault) =
                            choices::calls::require_presence_or(&mut self.state, part, mismatch("fewer"))
                    {
                        self.fail(fault)?;
                        return Ok(poisoned);
                    }
                }
                for part in &more {
                    if let Err(fault) = choices::calls::require_absence_or(&mut self.state, part, mismatch("more")) {
                        self.fail(fault)?;
                        return Ok(poisoned);
                    }
                }
                Ok(parts)
            }
            Ok(parts) => {
                let message = format!("{} values are unpacked into {count} names", parts.len());
                self.fail(Fault::new(Code::UnpackMismatch, message))?;
                Ok(poisoned)
            }
            Err(fault) => {
                self.fail(fault)?;
                Ok(poisoned)
            }
        }
    }

    /// Whether a list that is longer has so many elements in some worlds.
    fn may_be_as_long(&self, parts: &[Value<S>], count: usize) -> bool {
        parts.len() > count && choices::dictionaries::is_hole(&self.state, &parts[count])
    }

    /// The elements of what is spread: each world sees them one behind the other.
    fn spread(&mut self, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let parts = containers::elements(&mut self.state, value)?;
        match parts.iter().position(|part| choices::dictionaries::is_hole(&self.state, part)) {
            Some(first) => choices::lists::without_holes(&mut self.state, &parts, first),
            None => Ok(parts),
        }
    }

    /// `first, *rest = value`: so many values at the beginning, a list, and so many at the end.
    pub(super) fn unpack_rest(&mut self, value: &Value<S>, before: usize, after: usize) -> Result<Vec<Value<S>>, Stop> {
        let poisoned = vec![Value::Poison; before + 1 + after];
        if matches!(value, Value::Poison) {
            return Ok(poisoned);
        }
        match self.parts_and_rest(value, before, after) {
            Ok(parts) => Ok(parts),
            Err(fault) => {
                self.fail(fault)?;
                Ok(poisoned)
            }
        }
    }

    fn parts_and_rest(&mut self, value: &Value<S>, before: usize, after: usize) -> Outcome<Vec<Value<S>>> {
        let mut parts = self.spread(value)?;
        let too_few = |count: usize| {
            let message = match count {
                0 => "not enough values to unpack".to_owned(),
                _ => format!("{count} values are unpacked into at least {} names", before + after),
            };
            Fault::new(Code::UnpackMismatch, message)
        };
        if parts.len() < before + after {
            return Err(too_few(parts.len()));
        }
        // The last ones are counted from the end, which must be known.
        for part in &parts[..before] {
            choices::calls::require_presence_or(&mut self.state, part, too_few(0))?;
        }
        if after > 0 && parts.iter().any(|part| choices::dictionaries::is_hole(&self.state, part)) {
            let needed = parts[before + after - 1].clone();
            choices::calls::require_presence_or(&mut self.state, &needed, too_few(0))?;
            return self.parts_of_random_length(&parts, before, after);
        }
        let last = parts.split_off(parts.len() - after);
        let rest = parts.split_off(before);
        parts.push(self.state.list(rest)?);
        parts.extend(last);
        Ok(parts)
    }

    /// The same where how many there are in all is random: the last ones are found from the end in each world, and what is
    /// between has an element where that one's later neighbour is there.
    fn parts_of_random_length(&mut self, parts: &[Value<S>], before: usize, after: usize) -> Outcome<Vec<Value<S>>> {
        let state = &mut self.state;
        let mut found = parts[..before].to_vec();
        let mut rest = Vec::with_capacity(parts.len() - before - after);
        for (part, behind) in parts[before..].iter().zip(&parts[before + after..]) {
            let stays = choices::lift::presence(state, behind)?;
            rest.push(choices::lift::either(state, stays, part, &Value::Unbound)?);
        }
        found.push(state.list(rest)?);
        for from_end in (1..=after).rev() {
            found.push(choices::writes::index_holes(state, parts, -(from_end as i64))?);
        }
        Ok(found)
    }

    /// `callee(*list)`
    pub(super) fn spread_arguments(&mut self, list: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let values = containers::elements(&mut self.state, list)?;
        if values.iter().any(|value| choices::dictionaries::is_hole(&self.state, value)) {
            let message = "the number of arguments of a call is random";
            return Err(Fault::hinted(Code::RandomIndex, message, "list the arguments one by one"));
        }
        Ok(values)
    }

    pub(super) fn check_assertion(
        &mut self,
        condition: &Value<S>,
        message: &Value<S>,
        written: bool,
    ) -> Result<(), Stop> {
        if matches!(condition, Value::Poison) {
            return Err(Stop);
        }
        let words = |state: &State<S>| match message {
            Value::Unbound => "an assertion does not hold".to_owned(),
            // A written module asserts what it knows of its arguments.
            other if written => text::show(state, other),
            other => format!("an assertion does not hold: {}", text::show(state, other)),
        };
        if choices::calls::is_choice(condition) || choices::lift::has_holes(&self.state, condition) {
            let given = words(&self.state);
            let outcome = assert_in_worlds(&mut self.state, condition, &given);
            return outcome.or_else(|fault| self.fail(fault));
        }
        match compare::truth(&self.state, condition) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let words = words(&self.state);
                // What comes after it in the module relies on it.
                if written {
                    return self.give_up(Fault::new(Code::BadArgument, words));
                }
                self.fail(Fault::new(Code::AssertionFailed, words).raising("AssertionError".into()))
            }
            Err(fault) => self.fail(fault),
        }
    }
}

/// An assertion about a random value holds in all worlds that what was seen leaves over.
fn assert_in_worlds<S: Scalar>(state: &mut State<S>, condition: &Value<S>, words: &str) -> Outcome<()> {
    let holds = choices::truth_event(state, condition)?;
    let fails = choices::operators::negation(state, holds)?;
    let running = choices::running(state)?;
    let fails = choices::operators::conjunction(state, running, fails)?;
    let hint = "`condition(event)` excludes worlds in which something does not hold";
    let fault = Fault::hinted(Code::AssertionFailed, format!("{words} in some worlds"), hint);
    let fault = fault.raising("AssertionError".into());
    let is_told = fails == crate::choices::Diagram::FALSE
        || exceptions::raise_there(state, &fault, fails)?
        || choices::is_harmless(state, &fault, fails)?;
    if is_told { Ok(()) } else { Err(fault) }
}

/// Two pieces of a string. Figures that are not shown as texts, since they depend on the secret, stand for the whole.
pub(super) fn join_texts<S: Scalar>(state: &mut State<S>, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
    match joined_texts(state, &[left.clone(), right.clone()])? {
        Some(said) => Ok(said),
        None => arithmetic::binary(state, Binary::Add, left, right),
    }
}

/// Strings one after the other, with something public between them; `None` if no figure stands in any, or one is no string.
pub(super) fn joined_texts<S: Scalar>(state: &mut State<S>, parts: &[Value<S>]) -> Outcome<Option<Value<S>>> {
    let (mut said, mut is_public) = (Vec::new(), true);
    for part in parts {
        match (figures_in(state, part), part) {
            (Some(figures), _) => {
                is_public = false;
                said.extend(figures);
            }
            (None, Value::Text(_)) => said.extend(numbers_in(state, part)),
            (None, _) => return Ok(None),
        }
    }
    state.budget.spend_elements(said.len() as u64)?;
    if is_public {
        return Ok(None);
    }
    for part in parts {
        if numbers_in(state, part).is_empty() {
            tables::publish::say(state, part);
        }
    }
    several_figures(state, said).map(Some)
}

/// The public numbers that a script has put into a text.
pub(super) fn numbers_in<S: Scalar>(state: &State<S>, text: &Value<S>) -> Vec<Value<S>> {
    match text {
        Value::Text(handle) => state.tables.told.get(handle).cloned().unwrap_or_default(),
        _ => Vec::new(),
    }
}

impl<S: Scalar> State<S> {
    /// The counts that the program has put into texts, as they are shown.
    pub(super) fn counts_in_texts(&self) -> std::collections::BTreeSet<String> {
        let counts = self.tables.told.values().flatten();
        let shown = |value: &Value<S>| match value {
            Value::Counted(counted) => Some(counted.count.to_string()),
            _ => None,
        };
        counts.filter_map(shown).collect()
    }
}

/// A text with the numbers of those that it is made of: where tables are published, they are published with it.
pub(super) fn telling<S: Scalar>(state: &mut State<S>, made: Value<S>, of: &[&Value<S>]) -> Outcome<Value<S>> {
    if let Value::Text(handle) = made
        && state.tables.publishes_rows
    {
        let is_number = |value: &Value<S>| !matches!(value, Value::Bool(_)) && state.number(value).is_some();
        let numbers = of.iter().flat_map(|value| match value {
            Value::Counted(_) => vec![(*value).clone()],
            value if is_number(value) => vec![value.plain()],
            value => numbers_in(state, value),
        });
        let numbers: Vec<Value<S>> = numbers.collect();
        if !numbers.is_empty() {
            state.tables.tells_rows.set(true);
            state.budget.spend_elements(numbers.len() as u64)?;
            state.tables.told.insert(handle, numbers);
        }
    }
    Ok(made)
}

fn several_figures<S: Scalar>(state: &mut State<S>, figures: Vec<Value<S>>) -> Outcome<Value<S>> {
    if let [only] = &figures[..] {
        return Ok(only.clone());
    }
    let value = state.tuple(figures)?;
    Ok(Value::Loc(Rc::new(Accessed { accessor: Accessor::Said, value })))
}

/// The figures that stand in a string; `None` if there are none, or it is no string. On the real values they are numbers.
fn figures_in<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<Vec<Value<S>>> {
    let is_figure = match value {
        Value::Random { node, .. } => {
            let marks = &state.tables.marks;
            marks.binary_search_by_key(node, |mark| mark.node).is_ok_and(|place| marks[place].is_text)
        }
        Value::Float(_) | Value::NumpyFloat(_) => matches!(state.tables.roundings, Roundings::Followed(_)),
        Value::Loc(accessed) => match accessed.said()? {
            Value::Tuple(handle) => return Some(state.heap.sequence(*handle).to_vec()),
            only => return Some(vec![only.clone()]),
        },
        _ => false,
    };
    is_figure.then(|| vec![value.clone()])
}

/// `text + text` with figures in one of them; `None` if there are none, or the other is no text.
pub(super) fn added_texts<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let is_text = |value: &Value<S>| matches!(value, Value::Text(_) | Value::Loc(_));
    if !is_text(left) && !is_text(right) {
        return Ok(None);
    }
    // With one figure it is still a string, to which others may be added: numbers would be added up.
    let as_text = |value: Value<S>| match value {
        Value::Loc(_) => value,
        value => Value::Loc(Rc::new(Accessed { accessor: Accessor::Said, value })),
    };
    Ok(joined_texts(state, &[left.clone(), right.clone()])?.map(as_text))
}

/// A value as an f-string shows it.
pub(super) fn format<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    specification: FormatSpecification,
) -> Outcome<Value<S>> {
    let (given, uncounted) = (value, value.uncounted());
    let value = uncounted.as_ref().unwrap_or(value);
    let text = match (specification.kind, value) {
        (_, Value::Poison) => return Ok(Value::Poison),
        (Shown::Integer, Value::Random { .. }) if matches!(state.tables.roundings, Roundings::None) => {
            return Err(without_decimals());
        }
        (_, value)
            if is_number(value)
                && tables::rounding::stays_unrounded(state, value.as_random().is_some(), "a figure in a text")? =>
        {
            if specification.kind == Shown::Integer && matches!(value, Value::Float(_) | Value::NumpyFloat(_)) {
                return Err(without_decimals());
            }
            return figure_in_a_text(state, value);
        }
        (Shown::Plain | Shown::Text, Value::Loc(accessed))
            if accessed.said().is_some() && specification.precision.is_none() =>
        {
            return Ok(value.clone());
        }
        (Shown::Plain, value) if specification == FormatSpecification::PLAIN => text::python_text(state, value)?,
        (Shown::Representation, value) => {
            let mut text = String::new();
            text::write_representation(state, value, 0, &mut text)?;
            text
        }
        (Shown::Plain | Shown::Text, Value::Text(text)) if specification.thousands.is_none() => {
            let most = specification.precision.map_or(usize::MAX, usize::from);
            let shown: String = state.heap.text(*text).chars().take(most).collect();
            padded("", &shown, specification, Align::Left)
        }
        (Shown::Plain | Shown::Integer, Value::Int(number) | Value::NumpyInt(number)) => {
            shown_number(*number < 0, &number.unsigned_abs().to_string(), specification)
        }
        // `{x:d}` of a boolean is the integer that it is.
        (Shown::Integer, Value::Bool(value)) => shown_number(false, if *value { "1" } else { "0" }, specification),
        (Shown::InBase(base, capitals), Value::Int(_) | Value::NumpyInt(_) | Value::Bool(_) | Value::BigInt(_)) => {
            let Some(number) = state.number(value).and_then(|number| number.integer()) else {
                return Err(not_shown(specification, value));
            };
            let is_negative = number < IBig::ZERO;
            let digits = if is_negative { -number } else { number }.in_radix(base).to_string();
            let digits = if capitals { digits.to_ascii_uppercase() } else { digits };
            shown_number(is_negative, &digits, specification)
        }
        (Shown::Plain, Value::Float(_) | Value::NumpyFloat(_)) => {
            let text = text::python_text(state, value)?;
            shown_number(text.starts_with('-'), text.trim_start_matches('-'), specification)
        }
        (Shown::Percent, Value::Missing) => shown_number(false, "nan%", specification),
        (Shown::Fixed | Shown::Scientific, Value::Missing) => shown_number(false, "nan", specification),
        (Shown::Fixed | Shown::Percent | Shown::Scientific, value) => match state.number(value) {
            Some(number) => {
                let number = state.scalar(&number)?.to_f64();
                let text = digits_of(number.abs(), specification);
                shown_number(number.is_sign_negative(), &text, specification)
            }
            None => return Err(not_shown(specification, value)),
        },
        (Shown::Plain | Shown::Text | Shown::Integer | Shown::InBase(..), value) => {
            return Err(not_shown(specification, value));
        }
    };
    let made = state.text(text)?;
    telling(state, made, &[given])
}

fn without_decimals() -> Box<Fault> {
    Fault::hinted(
        Code::RandomConversion,
        "a random variable is shown as an integer, without its decimals",
        "round it: `{x:.0f}`",
    )
}

/// Whether a value is a number, or random, which is a number on the real values.
pub(super) fn is_number<S>(value: &Value<S>) -> bool {
    matches!(
        value,
        Value::Random { .. }
            | Value::Float(_)
            | Value::NumpyFloat(_)
            | Value::Int(_)
            | Value::NumpyInt(_)
            | Value::BigInt(_)
    )
}

/// A figure that stands in a text: in the attacker's run a variable that nothing is computed with, on the real values a float,
/// which no text is otherwise (see [`figures_in`]).
fn figure_in_a_text<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    match state.number(value) {
        Some(number) => state.scalar(&number).map(Value::Float),
        None => marked::marked(state, value, true),
    }
}

fn not_shown<S: Scalar>(specification: FormatSpecification, value: &Value<S>) -> Box<Fault> {
    let letter = match specification.kind {
        Shown::Plain | Shown::Representation => {
            return Fault::new(Code::TypeMismatch, format!("a width is not given to {}", value.kind()));
        }
        Shown::Text => "s",
        Shown::Integer => "d",
        Shown::Fixed => "f",
        Shown::Percent => "%",
        Shown::Scientific => "e",
        Shown::InBase(2, _) => "b",
        Shown::InBase(8, _) => "o",
        Shown::InBase(..) => "x",
    };
    Fault::new(Code::TypeMismatch, format!("`{letter}` does not take {}", value.kind()))
}

/// The digits of a number that is not negative.
fn digits_of(number: f64, specification: FormatSpecification) -> String {
    let digits = specification.precision.map_or(6, usize::from);
    match specification.kind {
        Shown::Percent => format!("{:.digits$}%", number * 100.0),
        Shown::Scientific => {
            let text = format!("{number:.digits$e}");
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ('-', exponent),
                None => ('+', exponent),
            };
            format!("{mantissa}e{sign}{exponent:0>2}")
        }
        Shown::Plain | Shown::Representation | Shown::Text | Shown::Integer | Shown::InBase(..) | Shown::Fixed => {
            format!("{number:.digits$}")
        }
    }
}

/// A number with its sign, its thousands apart, in its width.
fn shown_number(is_negative: bool, digits: &str, specification: FormatSpecification) -> String {
    let sign = if is_negative { "-".to_owned() } else { specification.sign.map(String::from).unwrap_or_default() };
    let digits = match specification.thousands {
        Some(between) => with_thousands(digits, between),
        None => digits.to_owned(),
    };
    padded(&sign, &digits, specification, Align::Right)
}

/// `1234567.8` as `1,234,567.8`
fn with_thousands(digits: &str, between: char) -> String {
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    let (whole, rest) = digits.split_at(end);
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            text.push(between);
        }
        text.push(digit);
    }
    text + rest
}

/// A sign and what stands behind it, in a width.
fn padded(sign: &str, text: &str, specification: FormatSpecification, usual: Align) -> String {
    let missing = usize::from(specification.width).saturating_sub(sign.chars().count() + text.chars().count());
    let fill = |count: usize| specification.fill.to_string().repeat(count);
    match specification.align.unwrap_or(usual) {
        Align::Left => format!("{sign}{text}{}", fill(missing)),
        Align::Right => format!("{}{sign}{text}", fill(missing)),
        Align::Centre => format!("{}{sign}{text}{}", fill(missing / 2), fill(missing - missing / 2)),
        Align::AfterSign => format!("{sign}{}{text}", fill(missing)),
    }
}
