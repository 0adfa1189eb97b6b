//! `replace`: other values in the place of some, in a column or in a table.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Handle, Value};
use super::{Frame, Series, frames, gaps, texts};
use crate::evaluate::containers;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `column.replace({old: new})`, `column.replace(old, new)`, and lists of either.
pub(super) fn replaced<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [old, new] = arguments.bind("replace", ["to_replace", "value"], 1, 2)?;
    let (old, new) = (given(old)?.value, new.map(|new| new.value.clone()));
    match (old, new) {
        (Value::Dict(_), None) => texts::mapped(state, series, old, true),
        (old, Some(new)) => values_replaced(state, series, old, &new),
        _ => Err(unknown()),
    }
}

fn unknown() -> Box<Fault> {
    let hint = "give a dictionary of old and new values";
    Fault::hinted(Code::BadArgument, "these arguments of `replace` are not supported", hint)
}

/// One value, or several of them, by one other, or by as many.
fn values_replaced<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    old: &Value<S>,
    new: &Value<S>,
) -> Outcome<Value<S>> {
    let one_by_one = matches!(old, Value::List(_));
    let olds = if one_by_one { containers::elements(state, old)? } else { vec![old.clone()] };
    let news = match new {
        Value::List(_) if one_by_one => containers::elements(state, new)?,
        single => vec![single.clone(); olds.len()],
    };
    if let ([Value::Missing], [new]) = (olds.as_slice(), news.as_slice()) {
        return gaps::gaps_filled(state, series, new).map(|filled| Value::Series(Rc::new(filled)));
    }
    if news.len() != olds.len() {
        let message = format!("{} values are replaced by {}", olds.len(), news.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    if olds.iter().any(|old| frames::label_of(state, old).is_none()) {
        return Err(unknown());
    }
    let dict = state.new_dict()?;
    let Value::Dict(handle) = dict else { return Ok(dict) };
    for (old, new) in olds.into_iter().zip(news) {
        state.insert(handle, old, new)?;
    }
    texts::mapped(state, series, &dict, true)
}

/// The same in each column of a table; `{"a": {old: new}}` and `replace({"a": old}, new)` name the columns that are meant.
pub(super) fn replaced_in_frame<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [old, new] = arguments.bind("replace", ["to_replace", "value"], 1, 2)?;
    let (old, new) = (given(old)?.value, new.map(|new| new.value.clone()));
    let Value::Dict(handle) = old else {
        return gaps::each_column(state, frame, |state, series| {
            let made = replaced(state, series, arguments)?;
            Ok(column_of(made, series))
        });
    };
    let entries = state.heap.dict(*handle).entries.clone();
    let nested = entries.iter().filter(|(_, value)| matches!(value, Value::Dict(_))).count();
    if new.is_none() && nested == 0 {
        return gaps::each_column(state, frame, |state, series| {
            let made = texts::mapped(state, series, old, true)?;
            Ok(column_of(made, series))
        });
    }
    if matches!(new, Some(Value::Dict(_) | Value::List(_))) || nested != if new.is_none() { entries.len() } else { 0 } {
        return Err(unknown());
    }
    by_column(state, frame, *handle, new.as_ref())
}

fn by_column<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    columns: Handle,
    new: Option<&Value<S>>,
) -> Outcome<Value<S>> {
    let entries = state.heap.dict(columns).entries.clone();
    let own = |label: &[super::Label]| {
        let called = |(key, _): &&(Value<S>, Value<S>)| frames::key_labels(state, key).as_deref() == Some(label);
        entries.iter().find(called).map(|(_, value)| value.clone())
    };
    let olds: Vec<Option<Value<S>>> = frame.columns.iter().map(|column| own(&column.label)).collect();
    let mut olds = olds.into_iter();
    gaps::each_column(state, frame, |state, series| {
        let made = match (olds.next().flatten(), new) {
            (None, _) => return Ok((**series).clone()),
            (Some(old), None) => texts::mapped(state, series, &old, true)?,
            (Some(old), Some(new)) => values_replaced(state, series, &old, new)?,
        };
        Ok(column_of(made, series))
    })
}

fn column_of<S: Scalar>(made: Value<S>, otherwise: &Rc<Series<S>>) -> Series<S> {
    match made {
        Value::Series(series) => (*series).clone(),
        _ => (**otherwise).clone(),
    }
}
