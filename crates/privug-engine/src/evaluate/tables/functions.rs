//! The functions of pandas.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::elementwise::Side;
use super::{Column, Index, Series, Words};
use super::{bins, dates, elementwise, gaps, made, merge, publish, reshape};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::PandasFunction;
use privug_tables::table::NO_LABEL;

/// `pd.Categorical(values, categories=[...], ordered=True)`: strings in an order of their own.
fn in_categories<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, categories, _] = arguments.bind("Categorical", ["values", "categories", "ordered"], 1, 2)?;
    let Side::Column(series) = elementwise::side(state, given(values)?.value)? else {
        return Err(Fault::new(Code::TypeMismatch, "categories are made of a column or a list"));
    };
    let Column::Texts { codes, labels, words: Words::Plain } = &series.column else {
        let message = format!("categories are made of a column of {}", series.column.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "only strings are made categories here"));
    };
    let order: Vec<Arc<str>> = match categories.map(|categories| categories.value) {
        None | Some(Value::None) => {
            let used: HashSet<u32> = codes.iter().copied().collect();
            let used = (0u32..).zip(labels.iter()).filter(|(code, _)| used.contains(code));
            let mut order: Vec<Arc<str>> = used.map(|(_, label)| label.clone()).collect();
            order.sort_unstable();
            order
        }
        Some(categories) => {
            let names = containers::elements(state, categories)?;
            if !names.iter().all(|name| matches!(name, Value::Text(_))) {
                return Err(Fault::new(Code::TypeMismatch, "the categories of strings are strings"));
            }
            names.iter().map(|name| Arc::from(text::show(state, name))).collect()
        }
    };
    let places: HashMap<&str, u32> = order.iter().map(|label| &**label).zip(0..).collect();
    if places.len() != order.len() {
        return Err(Fault::new(Code::BadArgument, "a category is given twice"));
    }
    let place = |label: &Arc<str>| places.get(&**label).copied().unwrap_or(NO_LABEL);
    let new: Vec<u32> = labels.iter().map(place).collect();
    let code = |code: &u32| new.get(*code as usize).copied().unwrap_or(NO_LABEL);
    let codes: Vec<u32> = codes.iter().map(code).collect();
    let index = Index::Positions(codes.len());
    let column = Column::Texts { codes: Arc::new(codes), labels: Arc::new(order), words: Words::Categories };
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// Calls a function of pandas.
pub(in super::super) fn pandas_function<S: Scalar>(
    state: &mut State<S>,
    function: PandasFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    match function {
        PandasFunction::Read => publish::read_table(state, arguments),
        PandasFunction::DataFrame => made::new_table(state, arguments),
        PandasFunction::Series => made::new_series(state, arguments),
        PandasFunction::Merge => match arguments.values {
            [left, right, ..] if arguments.shape.positional >= 2 => {
                let (left, right) = (left.clone(), right.clone());
                merge::merge(state, &left, &right, arguments, 0)
            }
            _ => {
                let hint = "such as `pd.merge(people, regions, on=\"region\")`";
                Err(Fault::hinted(Code::WrongArguments, "`merge` takes two tables", hint))
            }
        },
        PandasFunction::Melt => match arguments.values.first() {
            Some(Value::Frame(handle)) if arguments.shape.positional >= 1 => {
                let frame = tables::frame(state, *handle).clone();
                let mut shape = arguments.shape.clone();
                shape.positional -= 1;
                reshape::melted(state, &frame, &Arguments { shape: &shape, values: &arguments.values[1..] })
            }
            _ => Err(Fault::new(Code::WrongArguments, "`melt` takes a table")),
        },
        PandasFunction::Cut => bins::cut(state, arguments),
        PandasFunction::ToDatetime => dates::to_datetime(state, arguments),
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
            Value::Series(series) => Ok(Value::Series(Rc::new(gaps::missing_mask(state, series, wanted)?))),
            Value::Frame(handle) => {
                let frame = tables::frame(state, *handle).clone();
                gaps::each_column(state, &frame, |state, series| gaps::missing_mask(state, series, wanted))
            }
            single => Ok(Value::Bool(matches!(single, Value::Missing | Value::None) == wanted)),
        },
        PandasFunction::NamedAggregate => {
            let [column, figure] = arguments.bind("NamedAgg", ["column", "aggfunc"], 2, 2)?;
            state.tuple(vec![given(column)?.value.clone(), given(figure)?.value.clone()])
        }
        PandasFunction::Categorical => in_categories(state, arguments),
    }
}
