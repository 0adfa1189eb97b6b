//! Tables put together: `pd.concat`, `rename`, `drop`.

use std::collections::HashSet;
use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Frame, FrameColumn, Index, Keys, Label, label_text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

impl<S: Scalar> State<S> {
    /// `pd.concat([a, b])`: the rows of one below those of the other.
    pub(in super::super) fn concat(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [parts, axis, _] = arguments.bind("concat", ["objs", "axis", "ignore_index|sort|copy"], 1, 2)?;
        if let Some(axis) = axis
            && !matches!(axis.value, Value::Int(0))
        {
            let hint = "add columns with `p[\"x\"] = ...`";
            return Err(
                Fault::hinted(Code::BadArgument, "`concat` joins rows here (axis 0)", hint).at_argument(axis.index)
            );
        }
        let parts = self.elements(given(parts)?.value)?;
        let frames = parts.iter().map(|part| match part {
            Value::Frame(handle) => Ok(self.frame(*handle).clone()),
            Value::Series(series) => {
                let label = vec![Label::text(series.name.as_deref().unwrap_or_default())];
                let columns = vec![FrameColumn { label, column: series.column.clone(), rows: None }];
                Ok(Frame { index: series.index.clone(), columns })
            }
            other => {
                Err(Fault::new(Code::TypeMismatch, format!("`concat` takes tables and columns, not {}", other.kind())))
            }
        });
        let frames = frames.collect::<Outcome<Vec<Frame<S>>>>()?;
        let Some(first) = frames.first() else {
            return Err(Fault::new(Code::BadArgument, "there is nothing to concatenate"));
        };
        let is_column = parts.iter().all(|part| matches!(part, Value::Series(_)));
        let index = self.joined_index(&frames)?;
        let mut columns = Vec::with_capacity(first.columns.len());
        for position in 0..first.columns.len() {
            let label = first.columns[position].label.clone();
            let mut values = Vec::with_capacity(index.len());
            for frame in &frames {
                if frame.columns.len() != first.columns.len() {
                    return Err(other_columns());
                }
                let at = if is_column { Some(0) } else { frame.position(&label) };
                let series = self.frame_column(frame, at.ok_or_else(other_columns)?)?;
                values.extend(self.cells(&series.column)?);
            }
            self.spend_rows(values.len())?;
            columns.push(FrameColumn { label, column: self.column_of(values)?, rows: None });
        }
        let joined = Frame { index, columns };
        if is_column { self.frame_column(&joined, 0).map(Value::Series) } else { self.new_frame(joined) }
    }

    /// What the rows of several tables are called together.
    fn joined_index(&mut self, frames: &[Frame<S>]) -> Outcome<Index> {
        let refuse = |message: &str, hint: &str| Err(Fault::hinted(Code::DifferentRows, message, hint));
        match &frames[0].index {
            Index::Rows { table, count, .. } => {
                let mut all: Vec<u32> = Vec::new();
                for frame in frames {
                    match &frame.index {
                        Index::Rows { table: other, rows, count, .. } if other == table => match rows {
                            Some(rows) => all.extend(rows.iter()),
                            None => all.extend(0..*count as u32),
                        },
                        _ => return refuse("rows of different tables are joined", "join parts of one table"),
                    }
                }
                self.spend_bytes(all.len() * 2 * size_of::<u32>())?;
                let mut seen = HashSet::with_capacity(all.len());
                if !all.iter().all(|row| seen.insert(*row)) {
                    let hint = "a row that counts twice is one person; join parts that have no rows in common";
                    return refuse("a row is in several of the joined tables", hint);
                }
                Ok(Index::Rows { table: *table, rows: Some(Rc::new(all)), count: *count, sizes: None })
            }
            Index::Keys(first) => {
                let mut labels = Vec::new();
                let mut same_levels = true;
                for frame in frames {
                    same_levels &= matches!(&frame.index, Index::Keys(keys) if keys.levels == first.levels);
                    match &frame.index {
                        Index::Keys(keys) if keys.scalar == first.scalar => labels.extend(keys.labels.iter().cloned()),
                        _ => {
                            return refuse(
                                "results with different kinds of keys are joined",
                                "publish them one by one",
                            );
                        }
                    }
                }
                let mut seen = HashSet::with_capacity(labels.len());
                if let Some(twice) = labels.iter().find(|label| !seen.insert((*label).clone())) {
                    let message = format!("the key `{}` is in several of the joined results", label_text(twice));
                    return refuse(&message, "publish them one by one");
                }
                let levels = if same_levels { first.levels.clone() } else { Vec::new() };
                Ok(Index::Keys(Keys::of_levels(labels, first.scalar, levels)))
            }
            Index::Positions(_) => Ok(Index::Positions(frames.iter().map(Frame::len).sum())),
        }
    }

    /// `frame.rename(columns={"old": "new"})`
    pub(super) fn renamed(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [names] = arguments.bind("rename", ["columns"], 1, 0)?;
        let names = given(names)?;
        let Value::Dict(handle) = names.value else {
            let message = format!("the new names are {}, not a dictionary", names.value.kind());
            return Err(Fault::new(Code::TypeMismatch, message).at_argument(names.index));
        };
        let mut renamed = frame.clone();
        for (old, new) in self.heap.dict(*handle).entries.clone() {
            let (Some(old), Some(new)) = (self.key_labels(&old), self.key_labels(&new)) else {
                return Err(Fault::new(Code::TypeMismatch, "columns are renamed by strings").at_argument(names.index));
            };
            // As in pandas, a name that no column has is passed over.
            for (column, before) in renamed.columns.iter_mut().zip(&frame.columns) {
                if before.label == old {
                    column.label = new.clone();
                }
            }
        }
        let mut seen = HashSet::new();
        if let Some(twice) = renamed.columns.iter().find(|column| !seen.insert(column.label.clone())) {
            let message = format!("two columns would be called `{}`", label_text(&twice.label));
            return Err(Fault::new(Code::BadArgument, message).at_argument(names.index));
        }
        self.new_frame(renamed)
    }

    /// `frame.drop(columns=[...])`
    pub(super) fn without_columns(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [names] = arguments.bind("drop", ["columns"], 1, 0)?;
        let names = given(names)?.value;
        let dropped = match names {
            Value::List(_) => self.some_columns(frame, names)?,
            name => match self.key_labels(name) {
                Some(label) => vec![self.column_position(frame, &label)?],
                None => return Err(super::frames::not_a_name(name)),
            },
        };
        let kept = (0..frame.columns.len()).filter(|position| !dropped.contains(position));
        let columns = kept.map(|position| frame.columns[position].clone()).collect();
        self.new_frame(Frame { index: frame.index.clone(), columns })
    }
}

fn other_columns() -> Box<Fault> {
    let hint = "choose the same columns of each: `p[[\"age\", \"income\"]]`";
    Fault::hinted(Code::DifferentRows, "tables with different columns are joined", hint)
}
