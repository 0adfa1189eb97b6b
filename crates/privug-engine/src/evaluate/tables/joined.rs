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
        let parts = given(parts)?.value;
        if !matches!(parts, Value::List(_) | Value::Tuple(_)) {
            let hint = "put them into a list";
            return Err(Fault::hinted(Code::TypeMismatch, format!("`concat` does not take {}", parts.kind()), hint));
        }
        let parts = self.elements(parts)?;
        match axis.map(|axis| axis.value) {
            None | Some(Value::Int(0)) => {}
            Some(Value::Int(1)) => return self.side_by_side(&parts),
            Some(axis) if self.show(axis) == "columns" => return self.side_by_side(&parts),
            Some(axis) => return Err(Fault::new(Code::BadArgument, format!("there is no axis {}", self.show(axis)))),
        }
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

    /// `pd.concat([a, b], axis=1)`: columns of the same rows.
    fn side_by_side(&mut self, parts: &[Value<S>]) -> Outcome<Value<S>> {
        let mut made: Option<Frame<S>> = None;
        let mut unnamed = 0;
        for part in parts {
            let frame = match part {
                Value::Frame(handle) => self.frame(*handle).clone(),
                Value::Series(series) => {
                    let number = Value::Int(unnamed);
                    unnamed += i64::from(series.name.is_none());
                    self.frame_of_series(series, series.name.is_none().then_some(&number))?
                }
                other => {
                    let message = format!("`concat` takes tables and columns, not {}", other.kind());
                    return Err(Fault::new(Code::TypeMismatch, message));
                }
            };
            match &mut made {
                None => made = Some(frame),
                Some(made) if made.index.same(&frame.index) => made.columns.extend(frame.columns),
                Some(_) => {
                    let hint = "pandas would match them by their index and leave gaps";
                    return Err(Fault::hinted(Code::DifferentRows, "columns of different rows are joined", hint));
                }
            }
        }
        let Some(made) = made else { return Err(Fault::new(Code::BadArgument, "there is nothing to concatenate")) };
        let mut seen = HashSet::new();
        if let Some(twice) = made.columns.iter().find(|column| !seen.insert(column.label.clone())) {
            let message = format!("two columns would be called `{}`", label_text(&twice.label));
            return Err(Fault::hinted(Code::BadArgument, message, "rename one of them: `.rename(\"x\")`"));
        }
        self.new_frame(made)
    }

    /// What the rows of several tables are called together.
    fn joined_index(&mut self, frames: &[Frame<S>]) -> Outcome<Index> {
        let refuse = |message: &str, hint: &str| Err(Fault::hinted(Code::DifferentRows, message, hint));
        match &frames[0].index {
            Index::Rows { table, count, sizes, .. } => {
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
                Ok(Index::Rows { table: *table, rows: Some(Rc::new(all)), count: *count, sizes: sizes.clone() })
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

    /// `frame.drop(other.index)`: without the rows that are called like this.
    fn without_rows(&mut self, frame: &Frame<S>, labels: &Value<S>) -> Outcome<Value<S>> {
        let labels = match labels {
            Value::List(_) | Value::Tuple(_) | Value::Array(_) => self.elements(labels)?,
            single => vec![single.clone()],
        };
        let mut gone = HashSet::with_capacity(labels.len());
        for label in &labels {
            let Some(label) = self.key_labels(label) else {
                return Err(Fault::new(Code::TypeMismatch, format!("no row is called {}", label.kind())));
            };
            gone.insert(label);
        }
        let own = self.index_values(&frame.index)?;
        let own: Vec<Option<Vec<Label>>> = own.iter().map(|label| self.key_labels(label)).collect();
        let is_kept = |row: &u32| own[*row as usize].as_ref().is_none_or(|label| !gone.contains(label));
        let kept: Vec<u32> = (0..frame.len() as u32).filter(is_kept).collect();
        if kept.len() + gone.len() != frame.len() {
            return Err(Fault::new(Code::MissingKey, "some of the rows that are dropped are not there"));
        }
        self.rows_at(frame, kept)
    }

    /// `frame.drop(columns=[...])`
    pub(super) fn without_columns(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [labels, columns, index, axis] = arguments.bind("drop", ["labels", "columns", "index", "axis"], 0, 1)?;
        let by_column =
            axis.is_some_and(|axis| matches!(axis.value, Value::Int(1)) || self.show(axis.value) == "columns");
        let names = match (columns, index, labels) {
            (Some(columns), None, None) => columns.value,
            (None, None, Some(labels)) if by_column => labels.value,
            (None, Some(rows), None) | (None, None, Some(rows)) => return self.without_rows(frame, rows.value),
            _ => return Err(Fault::new(Code::WrongArguments, "`drop` takes columns or rows")),
        };
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
