//! `object[...]`, `object.loc[...]` and `object.column` on tables.

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::frames::{not_a_name, unknown_column};
use super::grouping::{Chosen, GroupBy};
use super::{Accessed, Accessor, Column, Frame, Index, Keys, Label, Series, Words, label_text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

impl<S: Scalar> State<S> {
    /// `object[index]`
    pub(in super::super) fn index_table(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        if index.as_random().is_some() {
            let hint = "use a name, a key or a mask that is known beforehand";
            return Err(Fault::hinted(Code::RandomIndex, "an index is random", hint));
        }
        self.check_lookup(object, index)?;
        let found = self.found_in_table(object, index)?;
        Ok(self.looked_up(object, found))
    }

    fn found_in_table(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        match object {
            Value::Frame(handle) => {
                let frame = self.frame(*handle).clone();
                self.index_frame(&frame, index)
            }
            Value::Series(series) => self.index_series(series, index),
            Value::Groups(groups) => self.index_groups(groups, index),
            Value::Loc(accessed) if accessed.accessor == Accessor::Iloc => self.at_positions(&accessed.value, index),
            Value::Loc(accessed) if accessed.accessor == Accessor::Text => {
                let next = match index {
                    Value::Int(-1) => Value::None,
                    other => Value::Int(self.whole(other, "a position")?.saturating_add(1)),
                };
                self.text_slice(&accessed.value, &[index.clone(), next, Value::None])
            }
            Value::Loc(accessed) if accessed.accessor == Accessor::Described => {
                self.part_of_description(&accessed.value, index)
            }
            Value::Loc(accessed) => match &accessed.value {
                Value::Frame(handle) => {
                    let frame = self.frame(*handle).clone();
                    self.locate_in_frame(&frame, index)
                }
                Value::Series(series) => self.index_series(series, index),
                other => Err(Fault::new(Code::TypeMismatch, format!("{} has no `.loc`", other.kind()))),
            },
            other => Err(Fault::new(Code::TypeMismatch, format!("{} cannot be indexed", other.kind()))),
        }
    }

    fn index_frame(&mut self, frame: &Frame<S>, index: &Value<S>) -> Outcome<Value<S>> {
        match index {
            Value::Series(mask) => {
                let rows = self.masked(mask, &frame.index)?;
                let chosen = self.some_rows(frame, rows)?;
                self.new_frame(chosen)
            }
            Value::List(_) => {
                let positions = self.some_columns(frame, index)?;
                self.frame_of(frame, &positions)
            }
            other => match self.key_labels(other) {
                Some(label) => {
                    let position = self.column_position(frame, &label)?;
                    self.frame_column(frame, position).map(Value::Series)
                }
                None => Err(not_a_name(other)),
            },
        }
    }

    fn frame_of(&mut self, frame: &Frame<S>, positions: &[usize]) -> Outcome<Value<S>> {
        let columns = positions.iter().map(|position| frame.columns[*position].clone()).collect();
        self.new_frame(Frame { index: frame.index.clone(), columns })
    }

    fn index_series(&mut self, series: &Rc<Series<S>>, index: &Value<S>) -> Outcome<Value<S>> {
        if let Value::Series(mask) = index {
            return self.masked_series(series, mask);
        }
        if let (Value::List(_), Index::Keys(keys)) = (index, &series.index) {
            let mut positions = Vec::new();
            for key in self.elements(index)? {
                let labels = self.key_labels(&key).unwrap_or_default();
                let position = keys.position(&labels).ok_or_else(|| missing_key(keys, &labels))?;
                positions.push(position as u32);
            }
            return self.values_at(series, positions);
        }
        let Some(key) = self.key_labels(index) else {
            return Err(Fault::new(Code::TypeMismatch, format!("a column is not indexed by {}", index.kind())));
        };
        match &series.index {
            Index::Keys(keys) => match keys.position(&key) {
                Some(position) => self.cell(&series.column, position),
                None => match self.rows_of_period(&series.index, &key) {
                    Some(rows) => self.values_at(series, rows),
                    None => self.part_of_series(series, keys, &key),
                },
            },
            Index::Positions(count) => {
                let position = self.whole(index, "an index")?;
                let position = if position < 0 { position + *count as i64 } else { position };
                match usize::try_from(position).ok().filter(|position| position < count) {
                    Some(position) => self.cell(&series.column, position),
                    None => Err(Fault::new(Code::IndexOutOfRange, format!("there is no position {position}"))),
                }
            }
            Index::Rows { sizes: Some(_), .. } => Err(super::not_of_groups("a single row")),
            Index::Rows { rows, count, .. } => {
                if rows.is_none() {
                    self.refuse_unstable_rows(&series.index)?;
                }
                let label = self.whole(index, "the label of a row")?;
                let row = u32::try_from(label).ok().filter(|row| (*row as usize) < *count);
                let position = match (row, rows) {
                    (Some(row), Some(rows)) => rows.iter().position(|known| *known == row),
                    (row, _) => row.map(|row| row as usize),
                };
                match position {
                    Some(position) => self.cell(&series.column, position),
                    None => {
                        let message = format!("there is no row {label} here");
                        Err(Fault::hinted(
                            Code::IndexOutOfRange,
                            message,
                            "rows keep the numbers that they had in the table",
                        ))
                    }
                }
            }
        }
    }

    /// The groups whose keys begin with `key`.
    fn part_of_series(&mut self, series: &Series<S>, keys: &Keys, key: &[Label]) -> Outcome<Value<S>> {
        let begins = |labels: &Vec<Label>| key.len() < labels.len() && labels[..key.len()] == *key;
        let positions: Vec<u32> =
            (0..keys.labels.len() as u32).filter(|at| begins(&keys.labels[*at as usize])).collect();
        if positions.is_empty() {
            return Err(missing_key(keys, key));
        }
        let labels: Vec<Vec<Label>> =
            positions.iter().map(|at| keys.labels[*at as usize][key.len()..].to_vec()).collect();
        let scalar = labels.iter().all(|label| label.len() == 1);
        let column = self.gathered(&series.column, Some(&Rc::new(positions)))?;
        let levels = keys.levels.iter().skip(key.len()).cloned().collect();
        let index = Index::Keys(Keys::of_levels(labels, scalar, levels));
        Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
    }

    fn index_groups(&mut self, groups: &Rc<GroupBy<S>>, index: &Value<S>) -> Outcome<Value<S>> {
        let chosen = match index {
            Value::List(_) => Chosen::Some(self.some_columns(&groups.frame, index)?),
            other => match self.key_labels(other) {
                Some(label) => Chosen::One(self.column_position(&groups.frame, &label)?),
                None => return Err(not_a_name(other)),
            },
        };
        let (frame, by, grouped) = (groups.frame.clone(), groups.by.clone(), groups.grouped.clone());
        let (by_secret, keyless) = (groups.by_secret.clone(), groups.keyless);
        Ok(Value::Groups(Rc::new(GroupBy { frame, by, chosen, grouped, by_secret, keyless })))
    }

    /// `frame.loc[rows]`, `frame.loc[rows, columns]`
    fn locate_in_frame(&mut self, frame: &Frame<S>, index: &Value<S>) -> Outcome<Value<S>> {
        // A whole key of several labels comes before a row and a column.
        if let Index::Keys(keys) = &frame.index
            && let Some(key) = self.key_labels(index)
            && let Some(position) = keys.position(&key)
        {
            return self.frame_row(frame, position);
        }
        if let Value::Tuple(handle) = index
            && let [rows, columns] = self.heap.sequence(*handle)
        {
            let (rows, columns) = (rows.clone(), columns.clone());
            return match self.locate_in_frame(frame, &rows)? {
                Value::Frame(handle) => {
                    let chosen = self.frame(handle).clone();
                    if let Value::Slice(bounds) = columns {
                        let bounds = self.heap.sequence(bounds).to_vec();
                        return self.columns_between(&chosen, &bounds);
                    }
                    self.index_frame(&chosen, &columns)
                }
                row => self.index_table(&row, &columns),
            };
        }
        match (index, &frame.index) {
            (Value::Series(_), _) => self.index_frame(frame, index),
            (Value::Slice(handle), _)
                if self.heap.sequence(*handle).iter().all(|bound| matches!(bound, Value::None)) =>
            {
                self.new_frame(frame.clone())
            }
            (Value::Slice(handle), _) => {
                let bounds = self.heap.sequence(*handle).to_vec();
                let object = self.new_frame(frame.clone())?;
                self.located_slice(&object, &bounds)
            }
            (Value::List(_), Index::Keys(keys)) => {
                let mut positions = Vec::new();
                for key in self.elements(index)? {
                    let labels = self.key_labels(&key).unwrap_or_default();
                    let position = keys.position(&labels).ok_or_else(|| missing_key(keys, &labels))?;
                    positions.push(position as u32);
                }
                self.rows_at(frame, positions)
            }
            (_, Index::Keys(keys)) => {
                let key = self.key_labels(index).unwrap_or_default();
                match self.rows_of_period(&frame.index, &key) {
                    Some(rows) => self.rows_at(frame, rows),
                    None => Err(missing_key(keys, &key)),
                }
            }
            _ => {
                let hint = "choose rows by a mask: `p.loc[p.age > 30]`, `p.loc[p.age > 30, \"income\"]`";
                Err(Fault::hinted(Code::TypeMismatch, format!("`.loc` does not take {} here", index.kind()), hint))
            }
        }
    }

    /// `frame.loc[mask, "column"] = value`
    pub(in super::super) fn set_located(
        &mut self,
        accessed: &Accessed<S>,
        index: &Value<S>,
        value: &Value<S>,
    ) -> Outcome<()> {
        let parts = match index {
            Value::Tuple(handle) => self.heap.sequence(*handle).to_vec(),
            _ => Vec::new(),
        };
        if let (Accessor::Loc, Value::Frame(handle), Some(key)) =
            (accessed.accessor, &accessed.value, self.key_labels(index))
        {
            return self.append_row(*handle, key, value);
        }
        let (Accessor::Loc, Value::Frame(handle), [Value::Series(mask), name]) =
            (accessed.accessor, &accessed.value, parts.as_slice())
        else {
            let hint = "assign a column where a mask holds: `p.loc[p.age > 30, \"x\"] = ...`";
            return Err(Fault::hinted(Code::AssignmentTarget, "this cannot be assigned to", hint));
        };
        if matches!(value, Value::Poison) {
            return Ok(());
        }
        let frame = self.frame(*handle).clone();
        let label = self.key_labels(name).ok_or_else(|| not_a_name(name))?;
        let before = match frame.position(&label) {
            Some(position) => self.frame_column(&frame, position)?,
            None => {
                let column = Column::Cells(Rc::new(vec![Value::Missing; frame.len()]));
                Rc::new(Series { name: None, column, index: frame.index.clone() })
            }
        };
        if let Column::Texts { words: Words::Categories | Words::Intervals | Words::Dates, .. } = &before.column {
            let message =
                format!("{} holds {}, which are not assigned here", before.shown_name(), before.column.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        let changed = self.kept_or(&before, mask, false, value)?;
        self.set_column(*handle, name, &changed)
    }

    /// `column.xs(key, level=…)`: the rows whose keys have a label at a level, without it.
    pub(super) fn cross_section(
        &mut self,
        series: &Rc<Series<S>>,
        key: &Value<S>,
        level: &Value<S>,
    ) -> Outcome<Value<S>> {
        let Index::Keys(keys) = &series.index else {
            return Err(Fault::new(Code::TypeMismatch, "`xs` with a level is of results with several keys"));
        };
        let name = self.show(level);
        let named = keys.levels.iter().position(|known| known.name.as_deref() == Some(name.as_str()));
        let numbered = if let Value::Int(place) = level { usize::try_from(*place).ok() } else { None };
        let count = keys.labels.first().map_or(0, Vec::len);
        let (Some(place), Some(label)) =
            (named.or(numbered).filter(|place| *place < count && count > 1), self.label_of(key))
        else {
            return Err(Fault::new(Code::BadArgument, format!("there is no level `{name}` among several")));
        };
        let rows: Vec<u32> =
            (0..keys.labels.len() as u32).filter(|row| keys.labels[*row as usize][place] == label).collect();
        if rows.is_empty() {
            return Err(missing_key(keys, &[label]));
        }
        let without = |labels: &Vec<Label>| {
            labels.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, label)| label.clone()).collect()
        };
        let labels = rows.iter().map(|row| without(&keys.labels[*row as usize])).collect();
        let levels = keys.levels.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, level)| level.clone());
        let index = Index::Keys(Keys::of_levels(labels, count == 2, levels.collect()));
        let column = self.gathered(&series.column, Some(&Rc::new(rows)))?;
        Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
    }

    /// One row of a frame, called by the frame's columns.
    pub(super) fn frame_row(&mut self, frame: &Frame<S>, position: usize) -> Outcome<Value<S>> {
        let mut values = Vec::with_capacity(frame.columns.len());
        for column in &frame.columns {
            let row = column.rows.as_ref().map_or(position, |rows| rows[position] as usize);
            values.push(self.cell(&column.column, row)?);
        }
        let labels: Vec<Vec<Label>> = frame.columns.iter().map(|column| column.label.clone()).collect();
        let scalar = labels.iter().all(|label| label.len() == 1);
        let (column, index) = (self.column_of(values)?, Index::Keys(Keys::new(labels, scalar)));
        Ok(Value::Series(Rc::new(Series { name: None, column, index })))
    }

    /// `object.name`
    pub(in super::super) fn attribute_column(&mut self, object: &Value<S>, name: &Value<S>) -> Outcome<Value<S>> {
        let text = self.show(name);
        match object {
            Value::Poison => Ok(Value::Poison),
            Value::Frame(_) | Value::Groups(_) => self.index_table(object, name),
            Value::Loc(accessed) if accessed.accessor == Accessor::Text => {
                Err(unknown_attribute(&accessed.value, &format!("str.{text}")))
            }
            Value::Series(series) => match &series.index {
                Index::Keys(keys) if keys.position(&[Label::text(&text)]).is_some() => self.index_table(object, name),
                _ => Err(unknown_attribute(object, &text)),
            },
            other => Err(unknown_attribute(other, &text)),
        }
    }
}

fn missing_key(keys: &Keys, key: &[Label]) -> Box<Fault> {
    let shown: Vec<String> = keys.labels.iter().map(|labels| label_text(labels)).collect();
    let mut fault = unknown_column(&label_text(key), shown.iter().map(String::as_str));
    fault.code = Code::MissingKey;
    fault.message = format!("there is no group `{}`", label_text(key));
    fault.hint = fault.hint.map(|hint| hint.replace("the columns are", "the groups are"));
    fault
}

fn unknown_attribute<S: Scalar>(object: &Value<S>, name: &str) -> Box<Fault> {
    const CALLED: &[&str] = &["sum", "mean", "count", "unique", "items", "keys", "min", "max", "std", "var", "median"];
    let message = format!("{} has no `.{name}`", object.kind());
    let hint = match name {
        _ if CALLED.contains(&name) => format!("call it: `.{name}()`"),
        _ => "see the language page for what tables, columns and groups have".to_owned(),
    };
    Fault::hinted(Code::Attribute, message, hint)
}
