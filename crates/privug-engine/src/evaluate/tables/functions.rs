//! The functions of pandas.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::Column;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::PandasFunction;

impl<S: Scalar> State<S> {
    /// Calls a function of pandas.
    pub(in super::super) fn pandas_function(
        &mut self,
        function: PandasFunction,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        match function {
            PandasFunction::Read => self.read_table(arguments),
            PandasFunction::DataFrame => self.new_table(arguments),
            PandasFunction::Series => self.new_series(arguments),
            PandasFunction::Merge => match arguments.values {
                [left, right, ..] if arguments.shape.positional >= 2 => {
                    let (left, right) = (left.clone(), right.clone());
                    self.merge(&left, &right, arguments, 0)
                }
                _ => {
                    let hint = "such as `pd.merge(people, regions, on=\"region\")`";
                    Err(Fault::hinted(Code::WrongArguments, "`merge` takes two tables", hint))
                }
            },
            PandasFunction::Melt => match arguments.values.first() {
                Some(Value::Frame(handle)) if arguments.shape.positional >= 1 => {
                    let frame = self.frame(*handle).clone();
                    let mut shape = arguments.shape.clone();
                    shape.positional -= 1;
                    self.melted(&frame, &Arguments { shape: &shape, values: &arguments.values[1..] })
                }
                _ => Err(Fault::new(Code::WrongArguments, "`melt` takes a table")),
            },
            PandasFunction::Cut => self.cut(arguments),
            PandasFunction::ToDatetime => self.to_datetime(arguments),
            PandasFunction::ToNumeric => match arguments.one("to_numeric")? {
                Value::Series(series) if !matches!(series.column, Column::Texts { .. }) => {
                    Ok(Value::Series(series.clone()))
                }
                other => {
                    let message = format!("`to_numeric` takes a column of numbers here, not {}", other.kind());
                    Err(Fault::hinted(Code::TypeMismatch, message, "read the column as numbers"))
                }
            },
            PandasFunction::IsMissing(wanted) => match arguments.one("isna")? {
                Value::Series(series) => Ok(Value::Series(Rc::new(self.missing_mask(series, wanted)?))),
                Value::Frame(handle) => {
                    let frame = self.frame(*handle).clone();
                    self.each_column(&frame, |state, series| state.missing_mask(series, wanted))
                }
                single => Ok(Value::Bool(matches!(single, Value::Missing | Value::None) == wanted)),
            },
            PandasFunction::NamedAggregate => {
                let [column, figure] = arguments.bind("NamedAgg", ["column", "aggfunc"], 2, 2)?;
                self.tuple(vec![given(column)?.value.clone(), given(figure)?.value.clone()])
            }
        }
    }
}
