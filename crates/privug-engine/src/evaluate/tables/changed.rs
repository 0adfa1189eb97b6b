//! Elements of a column that are assigned: `s["Total"] = x`, `s.loc[mask] = x`, `s.index = [...]`.
//!
//! A column is a value that others share, so a changed one is another value. It takes the place of the old one in the
//! variable that holds it; where more than one name or container holds it, Python would change it for all of them, and
//! that is refused.

use std::rc::Rc;

use super::super::callbacks::Callable;
use super::super::fault::{Fault, Outcome};
use super::super::running::Machine;
use super::super::state::State;
use super::super::value::Value;
use super::{Accessor, Column, Index, Keys, Label, Level, Series, Words, label_text};
use super::{axes, column, frames, grouped, made, more};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// The column that an assignment is about: itself, or what `.loc` and `.iloc` look at.
pub(in super::super) fn assigned_column<S>(object: &Value<S>) -> Option<(Rc<Series<S>>, Option<Accessor>)> {
    match object {
        Value::Series(series) => Some((series.clone(), None)),
        Value::Loc(accessed) => match (&accessed.value, accessed.accessor) {
            (Value::Series(series), accessor @ (Accessor::Loc | Accessor::Iloc)) => {
                Some((series.clone(), Some(accessor)))
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_same<S>(value: &Value<S>, series: &Rc<Series<S>>) -> bool {
    assigned_column(value).is_some_and(|(other, _)| Rc::ptr_eq(&other, series))
}

/// Whether a function sees the column.
fn is_seen<S>(value: &Value<S>, series: &Rc<Series<S>>) -> bool {
    match value {
        Value::Function(callable) => match &**callable {
            Callable::OfFile { seen, .. } => seen.iter().any(|value| is_same(value, series)),
            Callable::Record { object, .. } => is_same(object, series),
            Callable::OfLanguage(_) => false,
        },
        _ => false,
    }
}

impl<S: Scalar> Machine<'_, S> {
    /// Puts a changed column in the place of the old one. `frames` are the first registers and the numbers of variables of
    /// the calls under way; of the registers before the first of them nothing is known.
    pub(in super::super) fn put_changed(
        &mut self,
        old: &Rc<Series<S>>,
        changed: Value<S>,
        frames: &[(usize, usize)],
    ) -> Outcome<()> {
        if matches!(changed, Value::Poison) {
            return Ok(());
        }
        let unknown = frames.iter().map(|(base, _)| *base).min().unwrap_or(0);
        let named = frames.iter().flat_map(|(base, count)| *base..base + count);
        let mut places: Vec<usize> = named
            .chain(0..unknown)
            .filter(|place| self.registers.get(*place).is_some_and(|value| is_same(value, old)))
            .collect();
        places.sort_unstable();
        places.dedup();
        let heap = &self.state.heap;
        let kept = heap.sequences.iter().flatten().any(|value| is_same(value, old) || is_seen(value, old))
            || self.registers.iter().any(|value| is_seen(value, old))
            || heap.dicts.iter().flat_map(|dict| &dict.entries).any(|(_, value)| is_same(value, old));
        match places.as_slice() {
            [place] if !kept && !self.state.worlds.are_split() => {
                self.registers[*place] = changed;
                Ok(())
            }
            _ => {
                let hint = "change a copy that only one variable refers to: `s = s.copy()`";
                let message = "a column is changed that no variable, or more than one, refers to";
                Err(Fault::hinted(Code::AssignmentTarget, message, hint))
            }
        }
    }
}

/// The column with some elements assigned.
pub(in super::super) fn column_with<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    accessor: Option<Accessor>,
    index: &Value<S>,
    value: &Value<S>,
) -> Outcome<Value<S>> {
    if matches!(value, Value::Poison) {
        return Ok(Value::Poison);
    }
    grouped::refuse_groups(state, &Value::Series(series.clone()), "assigning single rows")?;
    if let Column::Texts { words: Words::Categories | Words::Intervals | Words::Dates, .. } | Column::Choices(_) =
        &series.column
    {
        let message = format!("{} holds {}, which are not assigned here", series.shown_name(), series.column.kind());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    if let (Value::Series(mask), None | Some(Accessor::Loc)) = (index, accessor) {
        return more::kept_or(state, series, mask, false, value);
    }
    let single =
        value.as_random().is_some() || matches!(value, Value::Missing) || frames::label_of(state, value).is_some();
    if !single {
        return Err(Fault::new(Code::TypeMismatch, format!("{} is assigned to one row", value.kind())));
    }
    let is_text = matches!(value, Value::Text(_));
    let fits = match &series.column {
        Column::Texts { .. } => is_text || matches!(value, Value::Missing),
        Column::Booleans(_) => matches!(value, Value::Bool(_) | Value::NumpyBool(_)),
        _ => !is_text && !matches!(value, Value::Bool(_) | Value::NumpyBool(_)),
    };
    if !fits {
        let message = format!("{} is assigned to a column of {}", value.kind(), series.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "make a column of its own"));
    }
    let place = match accessor {
        Some(Accessor::Iloc) => Some(containers::position(index, series.len())?),
        _ => labelled_place(state, series, index)?,
    };
    let mut cells = column::cells(state, &series.column)?;
    tables::spend_rows(state, cells.len())?;
    let value = value.uncounted().unwrap_or_else(|| value.plain());
    let index = match (place, &series.index) {
        (Some(place), own) => {
            cells[place] = value;
            own.clone()
        }
        (None, Index::Keys(keys)) => {
            cells.push(value);
            let mut labels = keys.labels.clone();
            labels.push(frames::key_labels(state, index).unwrap_or_default());
            // A new label is not among those whose order is known.
            let plain = |level: &Level| Level { name: level.name.clone(), ..Level::default() };
            Index::Keys(Keys::of_levels(labels, keys.scalar, keys.levels.iter().map(plain).collect()))
        }
        (None, Index::Rows { .. } | Index::Positions(_)) => {
            let hint = "put columns together with `pd.concat`";
            return Err(Fault::hinted(Code::AssignmentTarget, "a row is added to a column without keys", hint));
        }
    };
    let column = column::column_of(state, cells)?;
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
}

/// Where a column has the row that is called like this; `None` for a new one.
fn labelled_place<S: Scalar>(state: &State<S>, series: &Series<S>, index: &Value<S>) -> Outcome<Option<usize>> {
    let refuse = |message: String| {
        let hint = "assign one label, or where a mask holds: `s[s.index == \"x\"] = ...`";
        Err(Fault::hinted(Code::AssignmentTarget, message, hint))
    };
    let Some(key) = frames::key_labels(state, index) else {
        return refuse(format!("rows are assigned by {}", index.kind()));
    };
    match &series.index {
        Index::Keys(keys) => {
            let is_text = |label: &Label| matches!(label, Label::Text(_));
            let kinds_differ = keys.labels.iter().any(|own| {
                own.len() != key.len() || own.iter().zip(&key).any(|(own, new)| is_text(own) != is_text(new))
            });
            match keys.position(&key) {
                Some(place) => Ok(Some(place)),
                None if kinds_differ => {
                    refuse(format!("the label `{}` has a different type from the others", label_text(&key)))
                }
                None => Ok(None),
            }
        }
        Index::Rows { rows, count, .. } => {
            let [Label::Int(label)] = key.as_slice() else {
                return refuse("rows have numeric labels here".to_owned());
            };
            let row = u32::try_from(*label).ok();
            let place = match rows {
                Some(rows) => rows.iter().position(|own| Some(*own) == row),
                None => row.map(|row| row as usize).filter(|row| row < count),
            };
            match place {
                Some(place) => Ok(Some(place)),
                None => refuse(format!("there is no row {label} here")),
            }
        }
        Index::Positions(count) => containers::position(index, *count).map(Some),
    }
}

/// The column with other names: `s.index = [...]`, `s.name = "x"`.
pub(in super::super) fn column_renamed<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    attribute: &str,
    value: &Value<S>,
) -> Outcome<Value<S>> {
    let mut changed = (**series).clone();
    match attribute {
        "index" => changed.index = renamed_rows(state, value, series.len())?,
        "name" => {
            made::refuse_secret_name(state, value)?;
            changed.name = match value {
                Value::None => None,
                name => Some(Rc::from(text::show(state, name))),
            };
        }
        "index.name" => changed.index = axes::named_rows(state, &series.index, value)?,
        _ => {
            let message = format!("`.{attribute}` of a column cannot be assigned");
            return Err(Fault::new(Code::AssignmentTarget, message));
        }
    }
    Ok(Value::Series(Rc::new(changed)))
}

/// Rows that are called by a list of labels.
pub(super) fn renamed_rows<S: Scalar>(state: &mut State<S>, labels: &Value<S>, count: usize) -> Outcome<Index> {
    made::refuse_secret_name(state, labels)?;
    let labels = containers::elements(state, labels)?;
    made::labelled(state, &labels, count)
}
