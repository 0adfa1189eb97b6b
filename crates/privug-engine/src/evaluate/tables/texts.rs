//! Strings: the methods behind `.str`, those of single strings, and other values for values.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::patterns::Pattern;
use super::{Column, Index, Label, Series, Words, secret_decides};
use super::{categories, column, derived, frames, patterns};
use crate::evaluate::{callbacks, containers, statements, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::TextMethod;

/// `column.str.method(…)`: of every label once.
pub(super) fn text_method<S: Scalar>(
    state: &mut State<S>,
    method: TextMethod,
    value: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let Value::Series(series) = value else { return Err(no_strings(value.kind())) };
    let (codes, labels) = strings(state, series)?;
    if method == TextMethod::Extract {
        return patterns::extracted(state, series, (&codes, &labels), arguments);
    }
    let operation = text_operation(state, method, arguments, Some(&labels))?;
    let results = labels.iter().map(|label| operation(label)).collect();
    of_labels(state, series, &codes, results)
}

/// The codes and labels of a column of strings.
fn strings<S: Scalar>(state: &mut State<S>, series: &Series<S>) -> Outcome<(Arc<Vec<u32>>, Arc<Vec<Arc<str>>>)> {
    tables::spend_rows(state, series.len())?;
    match &series.column {
        Column::Texts { codes, labels, words: Words::Plain | Words::Categories } => {
            let bytes: usize = labels.iter().map(|label| label.len()).sum();
            state.budget.spend_bytes_of_text(4 * bytes)?;
            Ok((codes.clone(), labels.clone()))
        }
        other => Err(no_strings(&format!("a column of {}", other.kind()))),
    }
}

/// A column of what became of each label.
fn of_labels<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    codes: &[u32],
    results: Vec<Made>,
) -> Outcome<Value<S>> {
    let is_mask = results.iter().all(|made| matches!(made, Made::Truth(_)));
    let values: Vec<Value<S>> = {
        let mut made = Vec::with_capacity(results.len());
        for result in &results {
            made.push(match result {
                Made::Text(text) => state.text(text.clone())?,
                Made::Truth(truth) => Value::Bool(*truth),
                Made::Count(count) => Value::Int(*count),
            });
        }
        let missing = if is_mask { Value::Bool(false) } else { Value::Missing };
        codes.iter().map(|code| made.get(*code as usize).cloned().unwrap_or_else(|| missing.clone())).collect()
    };
    let column = column::column_of(state, values)?;
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// What a method does with one string.
fn text_operation<S: Scalar>(
    state: &mut State<S>,
    method: TextMethod,
    arguments: &Arguments<'_, S>,
    labels: Option<&[Arc<str>]>,
) -> Outcome<Box<dyn Fn(&str) -> Made>> {
    let of_columns = labels.is_some();
    Ok(match method {
        TextMethod::StartsWith | TextMethod::EndsWith => {
            let [pattern, missing] = arguments.bind("startswith", ["pat", "na"], 1, 1)?;
            derived::required_option(state, "na", missing, false)?;
            let parts = beginnings(state, given(pattern)?.value)?;
            match method {
                TextMethod::StartsWith => {
                    Box::new(move |text| Made::Truth(parts.iter().any(|part| text.starts_with(part.as_str()))))
                }
                _ => Box::new(move |text| Made::Truth(parts.iter().any(|part| text.ends_with(part.as_str())))),
            }
        }
        TextMethod::Contains if of_columns => {
            let [pattern, case, missing, regex] = arguments.bind("contains", ["pat", "case", "na", "regex"], 1, 2)?;
            derived::required_option(state, "na", missing, false)?;
            let pattern = text::show(state, given(pattern)?.value);
            let matches_case = derived::flag(state, case, true)?;
            if derived::flag(state, regex, true)? && pattern.chars().any(|c| r".^$*+?{}[]\|()".contains(c)) {
                let pattern = Pattern::read(&pattern, !matches_case)?;
                pattern.check_all(labels.unwrap_or_default())?;
                Box::new(move |text| Made::Truth(pattern.is_in(text)))
            } else if matches_case {
                Box::new(move |text| Made::Truth(text.contains(&pattern)))
            } else {
                let pattern = pattern.to_lowercase();
                Box::new(move |text| Made::Truth(text.to_lowercase().contains(&pattern)))
            }
        }
        TextMethod::Upper => {
            arguments.none("upper")?;
            Box::new(|text| Made::Text(text.to_uppercase()))
        }
        TextMethod::Lower => {
            arguments.none("lower")?;
            Box::new(|text| Made::Text(text.to_lowercase()))
        }
        TextMethod::Strip if !of_columns => {
            let [characters] = arguments.bind("strip", ["chars"], 0, 1)?;
            match characters.map(|characters| characters.value) {
                None | Some(Value::None) => Box::new(|text| Made::Text(text.trim_matches(is_space).to_owned())),
                Some(Value::Text(handle)) => {
                    let characters: Vec<char> = state.heap.text(*handle).chars().collect();
                    Box::new(move |text| Made::Text(text.trim_matches(&characters[..]).to_owned()))
                }
                Some(other) => {
                    let message = format!("`strip` takes the characters as a string, not {}", other.kind());
                    return Err(Fault::new(Code::TypeMismatch, message));
                }
            }
        }
        TextMethod::Strip => {
            arguments.none("strip")?;
            Box::new(|text| Made::Text(text.trim_matches(is_space).to_owned()))
        }
        TextMethod::Length if of_columns => {
            arguments.none("len")?;
            Box::new(|text| Made::Count(text.chars().count() as i64))
        }
        TextMethod::Slice if of_columns => {
            let [start, stop] = arguments.bind("slice", ["start", "stop"], 0, 2)?;
            let bound = |value: Option<super::super::builtins::Argument<'_, S>>| {
                value.map_or(Value::None, |value| value.value.clone())
            };
            slice_operation(&[bound(start), bound(stop), Value::None])?
        }
        TextMethod::Replace if !of_columns => {
            let [old, new, count] = arguments.bind("replace", ["old", "new", "count"], 2, 3)?;
            let mut texts = Vec::with_capacity(2);
            for part in [old, new] {
                let part = given(part)?.value;
                let Value::Text(handle) = part else {
                    let message = format!("`replace` takes strings, not {}", part.kind());
                    return Err(Fault::new(Code::TypeMismatch, message));
                };
                texts.push(state.heap.text(*handle).to_owned());
            }
            let count = count.map(|count| containers::whole(count.value, "the count")).transpose()?;
            let most = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
            Box::new(move |text| Made::Text(text.replacen(&texts[0], &texts[1], most)))
        }
        TextMethod::Title if labels.is_none_or(|labels| labels.iter().all(|label| label.is_ascii())) => {
            arguments.none("title")?;
            Box::new(|text| {
                let mut follows = false;
                let title = text.chars().map(|one| {
                    let capital = one.to_uppercase().next().filter(|_| !follows);
                    let shown = capital.or_else(|| one.to_lowercase().next());
                    follows = one.is_alphabetic();
                    shown.unwrap_or(one)
                });
                Made::Text(title.collect())
            })
        }
        TextMethod::Replace => {
            let [old, new, regex] = arguments.bind("replace", ["pat|old", "repl|new", "regex"], 2, 2)?;
            let (old, new) = (text::show(state, given(old)?.value), text::show(state, given(new)?.value));
            if derived::flag(state, regex, false)? {
                let pattern = Pattern::read(&old, false)?;
                pattern.check_all(labels.unwrap_or_default())?;
                if new.contains('\\') || pattern.is_in("") {
                    let hint = "replace one part after the other by strings";
                    return Err(Fault::hinted(
                        Code::BadArgument,
                        "what is put in is no plain string, or replaces nothing",
                        hint,
                    ));
                }
                Box::new(move |text| Made::Text(pattern.replaced(text, &new)))
            } else {
                Box::new(move |text| Made::Text(text.replace(&old, &new)))
            }
        }
        TextMethod::FillWithZeros => {
            let [width] = arguments.bind("zfill", ["width"], 1, 1)?;
            let width = usize::try_from(containers::whole(given(width)?.value, "the width")?).unwrap_or(0);
            state.budget.check_elements((width as u64 / 8 + 1).saturating_mul(labels.map_or(1, <[_]>::len) as u64))?;
            Box::new(move |text| {
                let (sign, digits) = match text.chars().next() {
                    Some(first @ ('+' | '-')) => (first.to_string(), &text[1..]),
                    _ => (String::new(), text),
                };
                let missing = width.saturating_sub(text.chars().count());
                Made::Text(format!("{sign}{}{digits}", "0".repeat(missing)))
            })
        }
        TextMethod::Find if !of_columns => {
            let part = arguments.one("find")?;
            let Value::Text(_) = part else {
                return Err(Fault::new(Code::TypeMismatch, "`in <string>` requires a string on the left"));
            };
            let part = text::show(state, part);
            Box::new(move |text| Made::Count(text.find(&part).map_or(-1, |at| text[..at].chars().count() as i64)))
        }
        TextMethod::IsDigits if !of_columns => {
            arguments.none("isdigit")?;
            Box::new(|text| Made::Truth(!text.is_empty() && text.chars().all(|one| one.is_ascii_digit())))
        }
        TextMethod::Find
        | TextMethod::IsDigits
        | TextMethod::Title
        | TextMethod::Split
        | TextMethod::Join
        | TextMethod::Contains
        | TextMethod::Length
        | TextMethod::Slice
        | TextMethod::Extract => {
            return Err(Fault::new(Code::Attribute, "this string method is not supported"));
        }
    })
}

/// Whether a character is one of ASCII, or a letter that has one capital and one small form, in all versions of Python.
fn has_one_capital(one: char) -> bool {
    const OTHERS: [char; 8] = ['×', '÷', 'ß', 'İ', 'ı', 'ĸ', 'ŉ', 'ſ'];
    one.is_ascii() || ('\u{c0}'..'\u{180}').contains(&one) && !OTHERS.contains(&one)
}

fn beginnings<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Vec<String>> {
    match value {
        Value::Text(_) => Ok(vec![text::show(state, value)]),
        Value::Tuple(_) => Ok(containers::elements(state, value)?.iter().map(|part| text::show(state, part)).collect()),
        other => Err(Fault::new(Code::TypeMismatch, format!("a string cannot begin with {}", other.kind()))),
    }
}

/// `text[start:stop]` of every string.
fn slice_operation<S: Scalar>(bounds: &[Value<S>]) -> Outcome<Box<dyn Fn(&str) -> Made>> {
    let part = |value: &Value<S>| match value {
        Value::None => Ok(None),
        other => containers::whole(other, "a slice's bound").map(Some),
    };
    let (start, stop) = (part(&bounds[0])?, part(&bounds[1])?);
    if !matches!(bounds[2], Value::None) {
        return Err(Fault::new(Code::BadArgument, "slices of strings have no step here"));
    }
    Ok(Box::new(move |text| {
        let length = text.chars().count() as i64;
        let place = |at: i64| (if at < 0 { at + length } else { at }).clamp(0, length) as usize;
        let (start, stop) = (start.map_or(0, place), stop.map_or(length as usize, place));
        Made::Text(text.chars().skip(start).take(stop.saturating_sub(start)).collect())
    }))
}

/// `column.str[a:b]`
pub(super) fn text_slice<S: Scalar>(state: &mut State<S>, value: &Value<S>, bounds: &[Value<S>]) -> Outcome<Value<S>> {
    let Value::Series(series) = value else { return Err(no_strings(value.kind())) };
    let (codes, labels) = strings(state, series)?;
    let operation = slice_operation(bounds)?;
    let results = labels.iter().map(|label| operation(label)).collect();
    of_labels(state, series, &codes, results)
}

/// The part of a text that is searched from one place to another, and how much stands before it; `None` where nothing is found,
/// not even an empty text.
pub(in super::super) fn part_between<S: Scalar>(
    state: &mut State<S>,
    handle: u32,
    bounds: &[Value<S>],
) -> Outcome<Option<(String, i64)>> {
    let characters: Vec<char> = state.heap.text(handle).chars().collect();
    let length = characters.len() as i64;
    let mut places = [0, length];
    if bounds.len() > places.len() {
        return Err(Fault::new(Code::WrongArguments, "a string is searched between two places at most"));
    }
    for (place, bound) in places.iter_mut().zip(bounds) {
        if !matches!(bound, Value::None) {
            let bound = containers::whole(bound, "where a search begins or ends")?;
            *place = if bound < 0 { bound.saturating_add(length).max(0) } else { bound };
        }
    }
    let [start, end] = [places[0], places[1].min(length)];
    let found = (start <= end).then(|| (characters[start as usize..end as usize].iter().collect(), start));
    Ok(found)
}

/// `"text".upper()` and the like.
pub(in super::super) fn single_text_method<S: Scalar>(
    state: &mut State<S>,
    method: TextMethod,
    handle: u32,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    state.budget.spend_bytes_of_text(4 * state.heap.text(handle).len())?;
    let searches = matches!(method, TextMethod::StartsWith | TextMethod::EndsWith | TextMethod::Find);
    if searches && arguments.values.len() > 1 && arguments.shape.keywords.is_empty() {
        let Some((part, before)) = part_between(state, handle, &arguments.values[1..])? else {
            return Ok(if method == TextMethod::Find { Value::Int(-1) } else { Value::Bool(false) });
        };
        let part = state.text(part)?;
        let Value::Text(part) = part else { return Ok(part) };
        let shape = callbacks::positional(1);
        let arguments = Arguments { shape: &shape, values: &arguments.values[..1] };
        return Ok(match single_text_method(state, method, part, &arguments)? {
            Value::Int(place) if place >= 0 => Value::Int(place + before),
            other => other,
        });
    }
    match method {
        TextMethod::Split => {
            let [separator, most] = arguments.bind("split", ["sep", "maxsplit"], 0, 2)?;
            let most = most.map(|most| containers::whole(most.value, "the number of splits")).transpose()?;
            let most = most.and_then(|most| usize::try_from(most).ok());
            let text = state.heap.text(handle).to_owned();
            let parts: Vec<String> = match separator.map(|separator| separator.value) {
                None | Some(Value::None) => words(&text, most),
                Some(separator) => match text::show(state, separator) {
                    separator if separator.is_empty() => {
                        return Err(Fault::new(Code::BadArgument, "the separator is empty"));
                    }
                    separator => {
                        let parts = most.map_or(usize::MAX, |most| most.saturating_add(1));
                        text.splitn(parts, separator.as_str()).map(str::to_owned).collect()
                    }
                },
            };
            let parts = parts.into_iter().map(|part| state.text(part)).collect::<Outcome<_>>()?;
            state.list(parts)
        }
        TextMethod::Join => {
            let parts = containers::elements(state, arguments.one("join")?)?;
            if let Some(said) = statements::joined_texts(state, &parts)? {
                return Ok(said);
            }
            if let Some(other) = parts.iter().find(|part| !matches!(part, Value::Text(_))) {
                return Err(Fault::new(Code::TypeMismatch, format!("strings are joined, not {}", other.kind())));
            }
            let texts: Vec<String> = parts.iter().map(|part| text::show(state, part)).collect();
            let joined = texts.join(state.heap.text(handle));
            let made = state.text(joined)?;
            let parts: Vec<&Value<S>> = parts.iter().collect();
            statements::telling(state, made, &parts)
        }
        method => {
            if method == TextMethod::Title && !state.heap.text(handle).chars().all(has_one_capital) {
                let message = "`title` of letters beyond those of Western and Central Europe is not supported";
                return Err(Fault::new(Code::BadArgument, message));
            }
            let operation = text_operation(state, method, arguments, None)?;
            match operation(state.heap.text(handle)) {
                Made::Text(text) => {
                    let made = state.text(text)?;
                    statements::telling(state, made, &[&Value::Text(handle)])
                }
                Made::Truth(truth) => Ok(Value::Bool(truth)),
                Made::Count(count) => Ok(Value::Int(count)),
            }
        }
    }
}

/// `column.map({…})` (what is not in it is missing) and `column.replace({…})` (what is not in it stays).
pub(super) fn mapped<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    to: &Value<S>,
    keeps: bool,
) -> Outcome<Value<S>> {
    let mut table: HashMap<Label, Value<S>> = HashMap::new();
    // For pandas `True` is no 1 here, though it is one everywhere else.
    let is_odd = |label: &Label| match &series.column {
        Column::Booleans(_) => matches!(label, Label::Int(_) | Label::Number(_)),
        Column::Integers(_) | Column::Numbers(_) => matches!(label, Label::Bool(_)),
        _ => false,
    };
    match to {
        Value::Dict(handle) => {
            let dict = state.heap.dict(*handle);
            if dict.default.is_some() {
                return Err(Fault::new(Code::TypeMismatch, "a dictionary with defaults is looked up"));
            }
            for (key, value) in dict.entries.clone() {
                let Some(label) = frames::label_of(state, &key) else {
                    return Err(Fault::new(Code::TypeMismatch, format!("a column cannot hold {}", key.kind())));
                };
                table.insert(label, value);
            }
        }
        Value::Series(other) => {
            let Index::Keys(keys) = &other.index else {
                return Err(Fault::new(Code::TypeMismatch, "a column is looked up by the labels of its keys"));
            };
            for (labels, value) in keys.labels.clone().into_iter().zip(column::cells(state, &other.column)?) {
                match labels.as_slice() {
                    [label] => table.insert(label.clone(), value),
                    _ => return Err(Fault::new(Code::TypeMismatch, "keys of several parts are looked up")),
                };
            }
        }
        other => {
            let hint = "give a dictionary, a function, or figures of groups";
            let message = format!("a column is not looked up in {}", other.kind());
            return Err(Fault::hinted(Code::TypeMismatch, message, hint));
        }
    }
    if keeps && matches!(series.column, Column::Booleans(_)) {
        table.retain(|label, _| !is_odd(label));
    }
    if table.keys().any(is_odd) {
        let message = format!("numbers and booleans are mixed up when {} is looked up", series.shown_name());
        return Err(Fault::hinted(Code::TypeMismatch, message, "convert the column to numbers first: `.astype(int)`"));
    }
    if series.column.is_secret() {
        let is_text = |label: &Label| matches!(label, Label::Text(_));
        let of_texts = match &series.column {
            Column::Choices(choices) => {
                choices.all_values().all(|value| matches!(value, Value::Text(_) | Value::Missing))
            }
            _ => false,
        };
        if let Column::Choices(choices) = &series.column
            && of_texts
            && table.iter().all(|(label, value)| is_text(label) && matches!(value, Value::Text(_)))
        {
            return categories::combine::map_choices(state, series, choices, |state, value| {
                let found = frames::label_of(state, value).and_then(|label| table.get(&label).cloned());
                Ok(found.unwrap_or_else(|| if keeps { value.clone() } else { Value::Missing }))
            });
        }
        // No number is equal to a string, whatever it is.
        if keeps && table.keys().all(|label| is_text(label) != of_texts) {
            return Ok(Value::Series(Rc::new(series.clone())));
        }
        return Err(secret_decides("values are looked up", &series.shown_name()));
    }
    tables::spend_rows(state, series.len())?;
    let mut values = Vec::with_capacity(series.len());
    for (row, cell) in column::cells(state, &series.column)?.into_iter().enumerate() {
        let found = column::row_label(state, series, row)?.and_then(|label| table.get(&label).cloned());
        values.push(match found {
            Some(value) => value.uncounted().unwrap_or(value),
            None if keeps => cell,
            None => Value::Missing,
        });
    }
    let column = column::column_of(state, values)?;
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// What a string becomes.
enum Made {
    Text(String),
    Truth(bool),
    Count(i64),
}

/// What stands between white space, split so many times at most; what is left keeps the white space at its end.
fn words(text: &str, most: Option<usize>) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start_matches(is_space));
    while !rest.is_empty() {
        let end = rest.find(is_space).filter(|_| most.is_none_or(|most| found.len() < most)).unwrap_or(rest.len());
        found.push(rest[..end].to_owned());
        rest = rest[end..].trim_start_matches(is_space);
    }
    found
}

/// Python's white space.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn no_strings(kind: &str) -> Box<Fault> {
    Fault::hinted(Code::TypeMismatch, format!("`.str` is of strings, not of {kind}"), "use it on a column of strings")
}
