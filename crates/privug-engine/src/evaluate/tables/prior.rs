//! The attacker's prior: `Normal(...)` with columns in it makes a column of random variables, one for each row.

use std::rc::Rc;

use super::super::Note;
use super::super::builtins::{Argument, Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Column, Index, RandomColumn, Series};
use crate::network::Affine;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A parameter of a distribution: one number for all rows, or one for each.
enum Parameter<S> {
    Single(S),
    Rows(Rc<Vec<S>>),
}

impl<S: Scalar> Parameter<S> {
    fn get(&self, row: usize) -> &S {
        match self {
            Parameter::Single(value) => value,
            Parameter::Rows(values) => &values[row],
        }
    }

    /// Whether two rows have the same.
    fn agrees(&self, a: usize, b: usize) -> bool {
        match self {
            Parameter::Single(_) => true,
            Parameter::Rows(values) => values[a] == values[b],
        }
    }
}

/// The mean of a distribution.
enum Mean<S> {
    Known(Parameter<S>),
    Random(Rc<RandomColumn<S>>),
    /// The same random variable in every row.
    Shared(Affine<S>),
}

impl<S: Scalar> State<S> {
    /// `Normal(mean, variance)` for each row of a table; with `per=column` for each value of the column.
    pub(in super::super) fn normal_column(&mut self, arguments: &Arguments<'_, S>, index: Index) -> Outcome<Value<S>> {
        let parameters = ["mean|mu|loc", "variance|var", "size", "std|sigma|sd|scale", "per"];
        let [mean, variance, size, std_dev, per] = arguments.bind("Normal", parameters, 1, 2)?;
        if let Some(size) = size {
            let hint = "every row gets a variable of its own; with `per=column` every value of a column does";
            return Err(Fault::hinted(Code::WrongArguments, "a prior has no `size`", hint).at_argument(size.index));
        }
        let count = index.len();
        self.spend_rows(count)?;
        let mean = given(mean)?;
        let mean = self.mean_parameter(mean.value, &index).map_err(|fault| fault.at_argument(mean.index))?;
        let variance = self.variance_parameter(variance, std_dev, &index)?;
        let nodes = match per {
            None => {
                let mut nodes = Vec::with_capacity(count);
                for row in 0..count {
                    nodes.push(self.prior_variable(&mean, &variance, row)?.node);
                }
                nodes
            }
            Some(per) => self.shared_variables(per, &mean, &variance, &index)?,
        };
        self.spend_bytes(count * size_of::<u32>())?;
        let column = Column::Random(Rc::new(RandomColumn { nodes, scales: None, offsets: None }));
        Ok(Value::Series(Rc::new(Series { name: None, column, index })))
    }

    fn prior_variable(&mut self, mean: &Mean<S>, variance: &Parameter<S>, row: usize) -> Outcome<Affine<S>> {
        let variance = variance.get(row).clone();
        if variance.is_zero() {
            let message = "a variance of 0 makes this a constant".to_owned();
            self.note(Note { message, span: self.span });
        }
        let affine = match mean {
            Mean::Known(mean) => return self.push_node(mean.get(row).clone(), [], variance),
            Mean::Random(column) => column.get(row),
            Mean::Shared(affine) => affine.clone(),
        };
        let terms = (!affine.scale.is_zero()).then_some((affine.node, affine.scale));
        self.push_node(affine.offset, terms, variance)
    }

    /// One variable for each value of a column.
    fn shared_variables(
        &mut self,
        per: Argument<'_, S>,
        mean: &Mean<S>,
        variance: &Parameter<S>,
        index: &Index,
    ) -> Outcome<Vec<crate::network::NodeId>> {
        let Value::Series(series) = per.value else {
            let message = format!("`per` takes a column, not {}", per.value.kind());
            return Err(Fault::new(Code::TypeMismatch, message).at_argument(per.index));
        };
        if !series.index.same(index) {
            let hint = "take it from the secret's table";
            let fault = Fault::hinted(Code::DifferentRows, "`per` has other rows", hint);
            return Err(fault.at_argument(per.index));
        }
        let grouped = self.group(std::slice::from_ref(series), true)?;
        let members = grouped.members();
        let mut shared = Vec::with_capacity(members.count());
        for group in 0..members.count() {
            let rows = members.rows(group);
            let first = rows[0] as usize;
            let agrees = |row: usize| {
                variance.agrees(first, row)
                    && match mean {
                        Mean::Known(mean) => mean.agrees(first, row),
                        Mean::Random(column) => column.get(first) == column.get(row),
                        Mean::Shared(_) => true,
                    }
            };
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
            shared.push(self.prior_variable(mean, variance, first)?.node);
        }
        Ok(grouped.codes.iter().map(|code| shared[*code as usize]).collect())
    }

    fn mean_parameter(&mut self, value: &Value<S>, index: &Index) -> Outcome<Mean<S>> {
        if let Some(x) = value.as_random() {
            return Ok(Mean::Shared(x));
        }
        if let Value::Series(series) = value
            && let Column::Random(column) = &series.column
        {
            return if series.index.same(index) { Ok(Mean::Random(column.clone())) } else { Err(other_rows()) };
        }
        self.number_parameter("the mean", value, index).map(Mean::Known)
    }

    fn number_parameter(&mut self, what: &str, value: &Value<S>, index: &Index) -> Outcome<Parameter<S>> {
        let Value::Series(series) = value else { return self.parameter(what, value).map(Parameter::Single) };
        if !series.index.same(index) {
            return Err(other_rows());
        }
        match &series.column {
            Column::Numbers(values) if !S::EXACT => Ok(Parameter::Rows(values.clone())),
            Column::Numbers(values) => Ok(Parameter::Rows(Rc::new(values.iter().map(S::settled).collect()))),
            Column::Integers(values) => {
                self.spend_bytes(values.len() * size_of::<S>())?;
                Ok(Parameter::Rows(Rc::new(values.iter().map(|value| S::from_i64(*value)).collect())))
            }
            other => {
                let message = format!("{what} is {}, which holds {}", series.shown_name(), other.kind());
                Err(Fault::hinted(Code::TypeMismatch, message, "use a column of numbers"))
            }
        }
    }

    fn variance_parameter(
        &mut self,
        variance: Option<Argument<'_, S>>,
        std_dev: Option<Argument<'_, S>>,
        index: &Index,
    ) -> Outcome<Parameter<S>> {
        let argument = match (variance, std_dev) {
            (Some(only), None) | (None, Some(only)) if matches!(only.value, Value::Series(_)) => only,
            // One number for all rows, or none at all: as in any other program.
            (variance, std_dev) => return self.variance("Normal", variance, std_dev).map(Parameter::Single),
        };
        let squared = std_dev.is_some();
        let what = if squared { "the standard deviation" } else { "the variance" };
        let parameter = self.number_parameter(what, argument.value, index);
        let Parameter::Rows(values) = parameter.map_err(|fault| fault.at_argument(argument.index))? else {
            return Err(Fault::new(Code::TypeMismatch, format!("{what} is not a column")));
        };
        if let Some(row) = values.iter().position(|value| *value < S::zero()) {
            let message = format!("{what} is negative in row {}: {}", row + 1, values[row].to_f64());
            return Err(Fault::new(Code::NegativeVariance, message).at_argument(argument.index));
        }
        if !squared {
            return Ok(Parameter::Rows(values));
        }
        let squares: Outcome<Vec<S>> = values.iter().map(|value| self.squared(value)).collect();
        Ok(Parameter::Rows(Rc::new(squares.map_err(|fault| fault.at_argument(argument.index))?)))
    }
}

fn other_rows() -> Box<Fault> {
    Fault::hinted(
        Code::DifferentRows,
        "a parameter has other rows than the secret",
        "use columns of the secret's table",
    )
}
