//! The attacker's prior: `Normal(...)` with columns in it makes a column of random variables, one for each row.

use std::rc::Rc;

use super::super::Note;
use super::super::builtins::{Argument, Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Column, Index, RandomColumn, Series};
use super::{column, grouping};
use crate::evaluate::{builtins, tables};
use crate::network::Affine;
use crate::number::{Constants, Scalar};
use privug_language::diagnostic::Code;

/// A parameter of a distribution: one number for all rows, or one for each, which may be missing.
pub(super) enum Parameter<S> {
    Single(S),
    Rows(Rc<Vec<S>>),
    Gaps(Vec<Option<S>>),
}

impl<S: Scalar> Parameter<S> {
    pub(super) fn get(&self, row: usize) -> Option<&S> {
        match self {
            Parameter::Single(value) => Some(value),
            Parameter::Rows(values) => Some(&values[row]),
            Parameter::Gaps(values) => values[row].as_ref(),
        }
    }

    /// With each value changed.
    fn map(self, mut change: impl FnMut(&S) -> Outcome<S>) -> Outcome<Self> {
        Ok(match self {
            Parameter::Single(value) => Parameter::Single(change(&value)?),
            Parameter::Rows(values) => Parameter::Rows(Rc::new(values.iter().map(change).collect::<Outcome<_>>()?)),
            Parameter::Gaps(values) => {
                let changed = values.iter().map(|value| value.as_ref().map(&mut change).transpose());
                Parameter::Gaps(changed.collect::<Outcome<_>>()?)
            }
        })
    }
}

/// The mean of a distribution.
enum Mean<S> {
    Known(Parameter<S>),
    Random(Rc<RandomColumn<S>>),
    /// Random variables, some of them missing.
    Gaps(Vec<Option<Affine<S>>>),
    /// The same random variable in every row.
    Shared(Affine<S>),
}

impl<S: Scalar> Mean<S> {
    fn is_missing(&self, row: usize) -> bool {
        match self {
            Mean::Known(mean) => mean.get(row).is_none(),
            Mean::Gaps(values) => values[row].is_none(),
            Mean::Random(_) | Mean::Shared(_) => false,
        }
    }

    /// Whether two rows have the same.
    fn agrees(&self, a: usize, b: usize) -> bool {
        match self {
            Mean::Known(mean) => mean.get(a) == mean.get(b),
            Mean::Random(column) => column.get(a) == column.get(b),
            Mean::Gaps(values) => values[a] == values[b],
            Mean::Shared(_) => true,
        }
    }
}

/// `Normal(mean, variance)` for each row of a table; with `per=column` for each value of the column.
pub(in super::super) fn normal_column<S: Scalar>(
    state: &mut State<S>,
    arguments: &Arguments<'_, S>,
    index: Index,
) -> Outcome<Value<S>> {
    let parameters = ["mean|mu|loc", "variance|var", "size", "std|sigma|sd|scale", "per"];
    let [mean, variance, size, std_dev, per] = arguments.bind("Normal", parameters, 1, 2)?;
    if let Some(size) = size {
        let hint = "every row has its own variable; with `per=column` every value of a column does";
        return Err(Fault::hinted(Code::WrongArguments, "a prior has no `size`", hint).at_argument(size.index));
    }
    let count = index.len();
    tables::spend_rows(state, count)?;
    let mean = given(mean)?;
    let mean = mean_parameter(state, mean.value, &index).map_err(|fault| fault.at_argument(mean.index))?;
    let variance = variance_parameter(state, variance, std_dev, &index)?;
    let variables = match per {
        None => {
            let mut variables = Vec::with_capacity(count);
            for row in 0..count {
                let size = index.sizes().map(|sizes| sizes.at(row));
                variables.push(prior_variable(state, &mean, &variance, row, size)?);
            }
            variables
        }
        Some(per) => shared_variables(state, per, &mean, &variance, &index)?,
    };
    tables::spend_bytes(state, count * size_of::<u32>())?;
    let column = match variables.iter().map(|x| x.as_ref().map(|x| x.node)).collect::<Option<Vec<_>>>() {
        Some(nodes) => Column::Random(Rc::new(RandomColumn { nodes, scales: None, offsets: None })),
        // A row that something is missing for has no distribution.
        None => {
            let cell = |x: Option<Affine<S>>| x.map_or(Value::Missing, Value::random);
            column::column_of(state, variables.into_iter().map(cell).collect())?
        }
    };
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// The variable of a row; `None` if a parameter of it is missing. Of a row that stands for `size` people, each with a
/// variable of their own, it is the mean of these.
fn prior_variable<S: Scalar>(
    state: &mut State<S>,
    mean: &Mean<S>,
    variance: &Parameter<S>,
    row: usize,
    size: Option<u64>,
) -> Outcome<Option<Affine<S>>> {
    let Some(variance) = variance.get(row).filter(|_| !mean.is_missing(row)).cloned() else { return Ok(None) };
    let Some(size) = size else { return prior_node(state, mean, variance, row) };
    let found = prior_node(state, mean, variance.div(&S::from_i64(size as i64)), row)?;
    state.builder.member_nodes.extend(found.as_ref().map(|x| x.node));
    Ok(found)
}

fn prior_node<S: Scalar>(state: &mut State<S>, mean: &Mean<S>, variance: S, row: usize) -> Outcome<Option<Affine<S>>> {
    if variance.is_zero() {
        let message = "a variance of 0 makes this a constant".to_owned();
        state.note(Note { message, span: state.span });
    }
    let affine = match mean {
        Mean::Known(mean) => {
            let mean = mean.get(row).cloned().unwrap_or_else(S::zero);
            return state.push_node(mean, [], variance).map(Some);
        }
        Mean::Random(column) => column.get(row),
        Mean::Gaps(values) => match &values[row] {
            Some(affine) => affine.clone(),
            None => return Ok(None),
        },
        Mean::Shared(affine) => affine.clone(),
    };
    let terms = (!affine.scale.is_zero()).then_some((affine.node, affine.scale));
    state.push_node(affine.offset, terms, variance).map(Some)
}

/// One variable for each value of a column.
fn shared_variables<S: Scalar>(
    state: &mut State<S>,
    per: Argument<'_, S>,
    mean: &Mean<S>,
    variance: &Parameter<S>,
    index: &Index,
) -> Outcome<Vec<Option<Affine<S>>>> {
    let Value::Series(series) = per.value else {
        let message = format!("`per` takes a column, not {}", per.value.kind());
        return Err(Fault::new(Code::TypeMismatch, message).at_argument(per.index));
    };
    if !series.index.same(index) {
        let hint = "take it from the secret's table";
        let fault = Fault::hinted(Code::DifferentRows, "`per` has different rows", hint);
        return Err(fault.at_argument(per.index));
    }
    let grouped = grouping::group(state, std::slice::from_ref(series), true)?;
    let members = grouped.members();
    let mut shared = Vec::with_capacity(members.count());
    for group in 0..members.count() {
        let rows = members.rows(group);
        let first = rows[0] as usize;
        let agrees = |row: usize| variance.get(first) == variance.get(row) && mean.agrees(first, row);
        if let Some(other) = rows.iter().find(|row| !agrees(**row as usize)) {
            let label = super::label_text(&grouped.keys.labels[group]);
            let message = format!(
                "rows {} and {} of `{label}` share a variable, but not its mean and variance",
                first + 1,
                other + 1
            );
            let hint = "a shared variable has one mean and one variance for each value of its column";
            return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(per.index));
        }
        shared.push(prior_variable(state, mean, variance, first, None)?);
    }
    Ok(grouped.codes.iter().map(|code| shared.get(*code as usize).cloned().flatten()).collect())
}

fn mean_parameter<S: Scalar>(state: &mut State<S>, value: &Value<S>, index: &Index) -> Outcome<Mean<S>> {
    if let Some(x) = value.as_random() {
        return Ok(Mean::Shared(x));
    }
    if let Value::Series(series) = value
        && let Column::Random(column) = &series.column
    {
        return if series.index.same(index) { Ok(Mean::Random(column.clone())) } else { Err(other_rows()) };
    }
    if let Value::Series(series) = value
        && let Column::Cells(values) = &series.column
        && series.column.is_secret()
        && values.iter().all(|value| value.as_random().is_some() || matches!(value, Value::Missing))
    {
        let means = values.iter().map(Value::as_random).collect();
        return if series.index.same(index) { Ok(Mean::Gaps(means)) } else { Err(other_rows()) };
    }
    number_parameter(state, "the mean", value, index).map(Mean::Known)
}

pub(super) fn number_parameter<S: Scalar>(
    state: &mut State<S>,
    what: &str,
    value: &Value<S>,
    index: &Index,
) -> Outcome<Parameter<S>> {
    let Value::Series(series) = value else {
        return builtins::vectors::parameter(state, what, value).map(Parameter::Single);
    };
    if !series.index.same(index) {
        return Err(other_rows());
    }
    match &series.column {
        Column::Numbers(values) if !S::EXACT => Ok(Parameter::Rows(values.clone())),
        Column::Numbers(values) => Ok(Parameter::Rows(Rc::new(values.iter().map(S::settled).collect()))),
        Column::Integers(values) => {
            tables::spend_bytes(state, values.len() * size_of::<S>())?;
            Ok(Parameter::Rows(Rc::new(values.iter().map(|value| S::from_i64(*value)).collect())))
        }
        Column::Cells(values) if values.iter().all(is_number_or_gap) => {
            tables::spend_bytes(state, values.len() * size_of::<Option<S>>())?;
            let number = |value: &Value<S>| state.number(value).and_then(|number| number.scalar());
            Ok(Parameter::Gaps(values.iter().map(number).collect()))
        }
        other => {
            let message = format!("{what} is {}, which holds {}", series.shown_name(), other.kind());
            Err(Fault::hinted(Code::TypeMismatch, message, "use a column of numbers"))
        }
    }
}

fn variance_parameter<S: Scalar>(
    state: &mut State<S>,
    variance: Option<Argument<'_, S>>,
    std_dev: Option<Argument<'_, S>>,
    index: &Index,
) -> Outcome<Parameter<S>> {
    let argument = match (variance, std_dev) {
        (Some(only), None) | (None, Some(only)) if matches!(only.value, Value::Series(_)) => only,
        // One number for all rows, or none at all: as in any other program.
        (variance, std_dev) => {
            return builtins::distributions::variance(state, "Normal", variance, std_dev).map(Parameter::Single);
        }
    };
    let squared = std_dev.is_some();
    let what = if squared { "the standard deviation" } else { "the variance" };
    let parameter = number_parameter(state, what, argument.value, index);
    let parameter = parameter.map_err(|fault| fault.at_argument(argument.index))?;
    let negative = |row: &usize| parameter.get(*row).is_some_and(|value| *value < S::zero());
    if let Some(row) = (0..index.len()).find(negative) {
        let value = parameter.get(row).map_or(f64::NAN, Constants::to_f64);
        let message = format!("{what} is negative in row {}: {value}", row + 1);
        return Err(Fault::new(Code::NegativeVariance, message).at_argument(argument.index));
    }
    if !squared {
        return Ok(parameter);
    }
    parameter
        .map(|value| builtins::distributions::squared(state, value))
        .map_err(|fault| fault.at_argument(argument.index))
}

fn is_number_or_gap<S: Scalar>(value: &Value<S>) -> bool {
    matches!(value, Value::Missing | Value::Int(_) | Value::Float(_))
}

fn other_rows() -> Box<Fault> {
    Fault::hinted(
        Code::DifferentRows,
        "a parameter has other rows than the secret",
        "use columns of the secret's table",
    )
}
