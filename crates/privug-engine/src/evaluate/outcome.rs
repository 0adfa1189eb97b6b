//! What a program gives back: random variables with names, found in lists, tuples and dictionaries at any depth.

use std::fmt::Write;

use super::Named;
use super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::fault::{Fault, Outcome};
use super::secrets::Secrets;
use super::state::State;
use super::tables::not_linear;
use super::value::{Handle, Value};
use super::{choices, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::ResultName;
use privug_language::source::Span;

/// One part of a result.
#[derive(Debug)]
pub(super) struct Part<S> {
    /// What it is called.
    pub(super) name: String,
    /// Where it is: `[1]['men']`.
    pub(super) path: String,
    pub(super) value: Value<S>,
}

/// Parts of a result that are not random.
#[derive(Debug, Default)]
pub(super) struct Plain {
    pub(super) first: Option<String>,
    pub(super) count: usize,
}

impl Plain {
    pub(super) fn add(&mut self, name: String) {
        self.first.get_or_insert(name);
        self.count += 1;
    }
}

/// All parts of a result that are not containers themselves, in order.
pub(super) fn parts<S: Scalar>(state: &mut State<S>, value: &Value<S>, name: &ResultName) -> Outcome<Vec<Part<S>>> {
    parts_at(state, value, name, String::new())
}

/// The same, for a value that is itself at a path.
pub(super) fn parts_at<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    name: &ResultName,
    path: String,
) -> Outcome<Vec<Part<S>>> {
    let mut parts = Vec::new();
    collect_parts(state, value, name, path, 0, &mut parts)?;
    Ok(parts)
}

/// The parts of a list whose elements depend on one choice each, and are neither containers nor missing anywhere: there may be
/// millions of them. They are looked for by name, and have no paths.
pub(super) fn elements_of_one_choice<S: Scalar>(
    state: &State<S>,
    value: &Value<S>,
    name: &ResultName,
) -> Option<Vec<Part<S>>> {
    let (Value::List(handle), ResultName::Text(text)) = (value, name) else { return None };
    let elements = state.heap.sequence(*handle);
    let mut parts = Vec::with_capacity(elements.len());
    for (index, element) in elements.iter().enumerate() {
        if !choices::is_plain_choice(state, element) {
            return None;
        }
        let mut name = String::with_capacity(text.len() + 9);
        let _ = write!(name, "{text}[{index}]");
        parts.push(Part { name, path: String::new(), value: element.clone() });
    }
    Some(parts)
}

/// The counts of random values of which something is seen, each as a part: they tell all that is seen.
fn tally_parts<S: Scalar>(
    state: &mut State<S>,
    handle: Handle,
    name: &ResultName,
    path: &str,
    parts: &mut Vec<Part<S>>,
) -> Outcome<()> {
    let text = match name {
        ResultName::Text(text) => text.clone(),
        ResultName::Elements(_) => format!("return{path}"),
    };
    for (key, count) in state.heap.dict(handle).entries.clone() {
        let step = key_step(state, &key);
        let (name, path) = (format!("{text}{step}"), format!("{path}{step}"));
        if !state.worlds.observed_paths.contains(&path) {
            state.worlds.unmentioned.push(path.clone());
        }
        parts.push(Part { name, path, value: count });
    }
    Ok(())
}

fn collect_parts<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    name: &ResultName,
    path: String,
    depth: usize,
    parts: &mut Vec<Part<S>>,
) -> Outcome<()> {
    if depth > MAX_VALUE_DEPTH {
        return Err(too_deep());
    }
    let mut is_disordered = false;
    if let Value::Dict(handle) = value
        && state.worlds.exist()
    {
        let is_seen = state.worlds.observed_paths.iter().any(|seen| seen.starts_with(&format!("{path}[")));
        if is_seen && choices::tallies::is_tally(state, *handle) {
            return tally_parts(state, *handle, name, &path, parts);
        }
        // What is seen of a dictionary is what it has, and not in which order.
        is_disordered = !is_seen && choices::arrivals::is_disordered(state, *handle);
    }
    if is_disordered || choices::lift::has_holes(state, value) {
        if matches!(value, Value::View(_, _)) {
            let message = "a view of a dictionary that has other keys in some worlds is published";
            return Err(Fault::hinted(Code::TypeMismatch, message, "publish the dictionary, or a list of its items"));
        }
        if matches!(value, Value::Set(_)) {
            let message = "a set whose elements depend on random values is published";
            return Err(Fault::hinted(Code::UnknownResult, message, "publish them in order: `sorted(s)`"));
        }
        // How many elements there are is told as well.
        let whole = choices::lift::expanded(state, value, 0)?;
        let name = match name {
            ResultName::Text(text) => text.clone(),
            ResultName::Elements(_) => format!("return{path}"),
        };
        parts.push(Part { name, path, value: whole });
        return Ok(());
    }
    if choices::lift::decides_between_containers(state, value) {
        // As a part of something it is looked into, each container in its own worlds.
        let whole = choices::lift::expanded(state, value, 1)?;
        let name = match name {
            ResultName::Text(text) => text.clone(),
            ResultName::Elements(_) => format!("return{path}"),
        };
        parts.push(Part { name, path, value: whole });
        return Ok(());
    }
    match value {
        Value::List(_)
        | Value::Tuple(_)
        | Value::Array(_)
        | Value::Range(_)
        | Value::Iterator(_)
        | Value::View(_, _) => {
            for (index, element) in containers::elements(state, value)?.iter().enumerate() {
                let step = format!("[{index}]");
                let element_path = [&*path, &*step].concat();
                let by_place = || ResultName::Text(["return", &*element_path].concat());
                let element_name = match name {
                    // What has no name of its own is known by its place.
                    ResultName::Elements(names) if index < names.len() => match &names[index] {
                        ResultName::Text(text) if text == "return" => by_place(),
                        name => name.clone(),
                    },
                    ResultName::Elements(_) => by_place(),
                    ResultName::Text(text) => ResultName::Text([&**text, &*step].concat()),
                };
                collect_parts(state, element, &element_name, element_path, depth + 1, parts)?;
            }
        }
        Value::Dict(handle) => {
            let entries = state.heap.dict(*handle).entries.clone();
            state.budget.spend_steps(entries.len() as u64)?;
            for (key, element) in &entries {
                let step = key_step(state, key);
                let text = match name {
                    ResultName::Text(text) => text.clone(),
                    ResultName::Elements(_) => format!("return{path}"),
                };
                let element_name = ResultName::Text(format!("{text}{step}"));
                collect_parts(state, element, &element_name, format!("{path}{step}"), depth + 1, parts)?;
            }
        }
        Value::Series(_) | Value::Frame(_) => {
            let text = match name {
                ResultName::Text(text) => text.clone(),
                ResultName::Elements(_) => format!("return{path}"),
            };
            for (keys, element) in tables::results::table_parts(state, value)? {
                let steps: String = keys.iter().map(|key| key_step(state, key)).collect();
                parts.push(Part { name: format!("{text}{steps}"), path: format!("{path}{steps}"), value: element });
            }
        }
        Value::Loc(accessed) if accessed.is_description() => return Err(not_linear("describe")),
        Value::Loc(accessed) if accessed.said().is_some() => {
            collect_parts(state, &accessed.value, name, path, depth + 1, parts)?;
        }
        Value::Object(handle, _) if let Some(what) = own_words(state, *handle) => {
            let message = format!("{what} is returned: what it tells cannot be computed exactly");
            let hint = "compare it with numbers, or take Gaussian noise instead (`random.gauss`, `gaussian_mechanism`)";
            return Err(Fault::hinted(Code::UnknownResult, message, hint));
        }
        // Nothing may be taken for public only because nobody looked into it.
        Value::Groups(_) | Value::Loc(_) | Value::Function(_) | Value::Object(..) => {
            let message = format!("{} is returned, which cannot be inspected", value.kind());
            let hint = "return numbers, columns and tables, and lists and dictionaries of them";
            return Err(Fault::hinted(Code::UnknownResult, message, hint));
        }
        _ => {
            let name = match name {
                ResultName::Text(text) => text.clone(),
                ResultName::Elements(_) => format!("return{path}"),
            };
            parts.push(Part { name, path, value: value.clone() });
        }
    }
    Ok(())
}

/// What an object of a module that is written in the language says that it is.
pub(super) fn own_words<S: Scalar>(state: &State<S>, object: Handle) -> Option<&str> {
    state.heap.dict(object).entries.iter().find_map(|(name, value)| match (name, value) {
        (Value::Text(name), Value::Text(words)) if state.heap.text(*name) == "_is" => Some(state.heap.text(*words)),
        _ => None,
    })
}

/// Adds all random variables in a value that is to be known; what is not random is counted by its first name.
pub(super) fn collect_secrets<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    name: &ResultName,
    span: Span,
    found: &mut Secrets<S>,
    plain: &mut Plain,
) -> Outcome<()> {
    // A list of variables may have millions of them, and needs no names for its parts.
    let elements = match value {
        Value::List(handle) | Value::Tuple(handle) => Some(state.heap.sequence(*handle)),
        Value::Array(handle) => {
            let array = state.heap.array(*handle);
            state.heap.contiguous(array).filter(|_| array.shape.len() == 1)
        }
        _ => None,
    };
    if let (Some(elements), ResultName::Text(text)) = (elements, name)
        && elements.iter().all(|element| matches!(element, Value::Random { .. }))
    {
        found.push_elements(text, span, elements.iter().filter_map(Value::as_random));
        return Ok(());
    }
    for part in parts(state, value, name)? {
        match part.named(span) {
            Some(secret) => found.push(secret),
            None => plain.add(part.name),
        }
    }
    Ok(())
}

/// The lengths of a list and of the lists in it, each with its path; nesting has been checked.
pub(super) fn list_lengths<S: Scalar>(state: &State<S>, value: &Value<S>, path: &str) -> Vec<(String, usize)> {
    let elements = match value {
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).to_vec(),
        Value::Array(handle) => state.heap.array_values(state.heap.array(*handle)),
        _ => return Vec::new(),
    };
    let mut lengths = vec![(path.to_owned(), elements.len())];
    for (index, element) in elements.iter().enumerate() {
        if matches!(element, Value::List(_) | Value::Tuple(_) | Value::Array(_)) {
            lengths.extend(list_lengths(state, element, &format!("{path}[{index}]")));
        }
    }
    lengths
}

/// `['men']`, `[3]` or `[('men', 3)]`
pub(super) fn key_step<S: Scalar>(state: &State<S>, key: &Value<S>) -> String {
    format!("[{}]", key_text(state, key))
}

/// A key as Python shows it; keys cannot contain themselves.
fn key_text<S: Scalar>(state: &State<S>, key: &Value<S>) -> String {
    match key {
        Value::Text(_) => format!("'{}'", text::show(state, key)),
        Value::Tuple(handle) => match state.heap.sequence(*handle) {
            [only] => format!("({},)", key_text(state, only)),
            parts => {
                let parts: Vec<String> = parts.iter().map(|part| key_text(state, part)).collect();
                format!("({})", parts.join(", "))
            }
        },
        other => text::show(state, other),
    }
}

impl<S: Scalar> Part<S> {
    /// The part as a random variable, if it is one.
    pub(super) fn named(&self, span: Span) -> Option<Named<S>> {
        let variable = self.value.as_random()?;
        Some(Named { name: self.name.clone(), span, variable })
    }
}
