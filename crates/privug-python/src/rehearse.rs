//! Plays a tape with numbers: what each step would have been, had every distribution given its mean plus a known number.
//!
//! The same function is also run on those numbers by Python itself; the two must agree.

use privug::evaluate::{Recorded, Step, Tape};
use privug::program::{Binary, Builtin, Comparison};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// What a step would have been.
#[derive(Debug, Clone)]
pub enum Played {
    /// Nothing that is computed with.
    Nothing,
    Number(f64),
    Vector(Vec<f64>),
    /// Rows.
    Matrix(Vec<Vec<f64>>),
}

/// The results of all steps.
pub struct Values(Vec<Played>);

impl Values {
    /// The largest size of anything that was computed, on the scale of which rounding shows.
    pub fn largest(&self, tape: &Tape) -> f64 {
        let mut largest: f64 = 0.0;
        for (step, value) in tape.steps().iter().zip(&self.0) {
            let numbers = match (step, value) {
                (Step::Integer(_) | Step::Float(_) | Step::Ratio(..) | Step::Numbers(_), _) => continue,
                (_, Played::Number(number)) => std::slice::from_ref(number),
                (_, Played::Vector(numbers)) => numbers,
                (_, Played::Nothing | Played::Matrix(_)) => continue,
            };
            largest = numbers.iter().fold(largest, |largest, number| largest.max(number.abs()));
        }
        largest
    }
}

fn unfit(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("P903: the recording cannot be compared with a run on numbers: {what}"))
}

impl Played {
    /// The number, or the numbers of a vector.
    pub fn numbers(self) -> PyResult<Vec<f64>> {
        match self {
            Played::Number(number) => Ok(vec![number]),
            Played::Vector(numbers) => Ok(numbers),
            Played::Nothing | Played::Matrix(_) => Err(unfit("a part of the result is no vector")),
        }
    }

    fn vector(&self) -> PyResult<&[f64]> {
        match self {
            Played::Vector(numbers) => Ok(numbers),
            Played::Number(_) | Played::Nothing | Played::Matrix(_) => Err(unfit("a vector is expected")),
        }
    }

    fn each(&self, function: impl Fn(f64) -> f64) -> PyResult<Played> {
        match self {
            Played::Number(number) => Ok(Played::Number(function(*number))),
            Played::Vector(numbers) => Ok(Played::Vector(numbers.iter().map(|number| function(*number)).collect())),
            Played::Nothing | Played::Matrix(_) => Err(unfit("a number or vector is expected")),
        }
    }
}

impl Values {
    /// The result of a step, or an element of it.
    pub fn read(&self, place: Recorded) -> PyResult<Played> {
        match place {
            Recorded::Value(step) => self.0.get(step as usize).cloned().ok_or_else(|| unfit("a step is missing")),
            Recorded::Element(step, position) => {
                let vector = self.0.get(step as usize).ok_or_else(|| unfit("a step is missing"))?.vector()?;
                let element = vector.get(position as usize).ok_or_else(|| unfit("an element is missing"))?;
                Ok(Played::Number(*element))
            }
        }
    }
}

/// Plays a tape; `noise` is what distributions add to their means, one number for each variable in order. Gives nothing if
/// a comparison comes out other than the program was told.
pub fn rehearse(tape: &Tape, noise: &[f64]) -> PyResult<Option<Values>> {
    let mut values = Values(Vec::with_capacity(tape.len()));
    let mut noise = noise.iter().copied();
    for step in tape.steps() {
        if let Step::Assume(choice, told) = step
            && let (Played::Number(found), Played::Number(told)) = (values.read(*choice)?, values.read(*told)?)
            && found != told
        {
            return Ok(None);
        }
        let value = play(step, &values, &mut noise)?;
        values.0.push(value);
    }
    if noise.next().is_some() {
        return Err(unfit("a distribution is missing"));
    }
    Ok(Some(values))
}

fn play(step: &Step, values: &Values, noise: &mut impl Iterator<Item = f64>) -> PyResult<Played> {
    Ok(match step {
        Step::Integer(value) => Played::Number(value.to_f64().value()),
        Step::Float(value) => Played::Number(*value),
        Step::Ratio(numerator, denominator) => {
            Played::Number(numerator.to_f64().value() / denominator.to_f64().value())
        }
        Step::Boolean(truth) => Played::Number(f64::from(u8::from(*truth))),
        Step::Text(_) | Step::Nothing | Step::Dictionary(_) | Step::Assume(..) => Played::Nothing,
        Step::Compare(operator, left, right) => compare(*operator, &values.read(*left)?, &values.read(*right)?)?,
        Step::Numbers(numbers) => Played::Vector(numbers.clone()),
        Step::Matrix { columns, numbers } => {
            Played::Matrix(numbers.chunks((*columns).max(1)).map(<[f64]>::to_vec).collect())
        }
        Step::Binary(operator, left, right) => binary(*operator, &values.read(*left)?, &values.read(*right)?)?,
        Step::Negative(place) => values.read(*place)?.each(|number| -number)?,
        Step::Call(builtin, shape, arguments) => {
            let arguments = arguments.iter().map(|place| values.read(*place)).collect::<PyResult<Vec<_>>>()?;
            let has_size = shape.keywords.iter().any(|keyword| keyword == "size");
            call(*builtin, has_size, &arguments, noise)?
        }
        Step::Normals { mean, count, .. } => spread(&values.read(*mean)?, Some(*count as usize), noise)?,
        Step::Pick(vector, positions) => {
            let elements =
                positions.iter().map(|position| match values.read(Recorded::Element(*vector, *position))? {
                    Played::Number(number) => Ok(number),
                    Played::Nothing | Played::Vector(_) | Played::Matrix(_) => Err(unfit("an element is not a number")),
                });
            Played::Vector(elements.collect::<PyResult<_>>()?)
        }
        Step::Sequence(places) => sequence(places, values)?,
    })
}

/// A vector of numbers; of vectors, the rows of a matrix.
fn sequence(places: &[Recorded], values: &Values) -> PyResult<Played> {
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    for place in places {
        match values.read(*place)? {
            Played::Number(number) => numbers.push(number),
            Played::Vector(row) => rows.push(row),
            // Parts that are not computed with.
            Played::Nothing | Played::Matrix(_) => return Ok(Played::Nothing),
        }
    }
    Ok(match (numbers.is_empty(), rows.is_empty()) {
        (_, true) => Played::Vector(numbers),
        (true, false) => Played::Matrix(rows),
        (false, false) => Played::Nothing,
    })
}

fn binary(operator: Binary, left: &Played, right: &Played) -> PyResult<Played> {
    let compute: fn(f64, f64) -> f64 = match operator {
        Binary::Add => |a, b| a + b,
        Binary::Subtract => |a, b| a - b,
        Binary::Multiply => |a, b| a * b,
        Binary::Divide => |a, b| a / b,
        Binary::MatrixMultiply => return dot(left, right),
        Binary::Power | Binary::FloorDivide | Binary::Remainder => return Err(unfit("a step is not linear")),
    };
    match (left, right) {
        (Played::Number(a), b) => b.each(|b| compute(*a, b)),
        (a, Played::Number(b)) => a.each(|a| compute(a, *b)),
        (Played::Vector(a), Played::Vector(b)) => {
            Ok(Played::Vector(a.iter().zip(b).map(|(a, b)| compute(*a, *b)).collect()))
        }
        _ => Err(unfit("numbers and vectors are combined")),
    }
}

fn compare(operator: Comparison, left: &Played, right: &Played) -> PyResult<Played> {
    let (Played::Number(a), Played::Number(b)) = (left, right) else { return Err(unfit("vectors are compared")) };
    let truth = match operator {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
        Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => {
            return Err(unfit("a list is looked into"));
        }
    };
    Ok(Played::Number(f64::from(u8::from(truth))))
}

fn dot(left: &Played, right: &Played) -> PyResult<Played> {
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    match (left, right) {
        (Played::Vector(a), Played::Vector(b)) => Ok(Played::Number(inner(a, b))),
        (Played::Matrix(rows), Played::Vector(b)) => Ok(Played::Vector(rows.iter().map(|row| inner(row, b)).collect())),
        (Played::Vector(a), Played::Matrix(rows)) => {
            let mut sums = vec![0.0; rows.first().map_or(0, Vec::len)];
            for (factor, row) in a.iter().zip(rows) {
                sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
            }
            Ok(Played::Vector(sums))
        }
        _ => Err(unfit("vectors and matrices are multiplied")),
    }
}

/// The mean plus noise: of one variable, or of as many as the size says.
fn spread(mean: &Played, size: Option<usize>, noise: &mut impl Iterator<Item = f64>) -> PyResult<Played> {
    let mut next = || noise.next().ok_or_else(|| unfit("a distribution is missing"));
    match (mean, size) {
        (Played::Number(mean), None) => Ok(Played::Number(mean + next()?)),
        (Played::Number(mean), Some(size)) => {
            Ok(Played::Vector((0..size).map(|_| Ok(mean + next()?)).collect::<PyResult<_>>()?))
        }
        (Played::Vector(means), _) => {
            Ok(Played::Vector(means.iter().map(|mean| Ok(mean + next()?)).collect::<PyResult<_>>()?))
        }
        (Played::Nothing | Played::Matrix(_), _) => Err(unfit("a mean is not a number")),
    }
}

fn call(
    builtin: Builtin,
    has_size: bool,
    arguments: &[Played],
    noise: &mut impl Iterator<Item = f64>,
) -> PyResult<Played> {
    match (builtin, arguments) {
        (Builtin::Normal, [mean, _, Played::Number(size)]) if has_size => spread(mean, Some(*size as usize), noise),
        (Builtin::Normal | Builtin::MultivariateNormal | Builtin::GaussianMechanism, [mean, ..]) => {
            spread(mean, None, noise)
        }
        (Builtin::ArraySum, [vector]) => Ok(Played::Number(vector.vector()?.iter().sum())),
        (Builtin::Mean, [vector]) => {
            let numbers = vector.vector()?;
            Ok(Played::Number(numbers.iter().sum::<f64>() / numbers.len() as f64))
        }
        (Builtin::CumulativeSum, [vector]) => {
            let mut sum = 0.0;
            let sums = vector.vector()?.iter().map(|number| {
                sum += number;
                sum
            });
            Ok(Played::Vector(sums.collect()))
        }
        (Builtin::Dot, [left, right]) => dot(left, right),
        (Builtin::Concatenate, [Played::Matrix(rows)]) => Ok(Played::Vector(rows.concat())),
        (Builtin::Concatenate, [Played::Vector(empty)]) if empty.is_empty() => Ok(Played::Vector(Vec::new())),
        (Builtin::Condition | Builtin::Observe, _) => Ok(Played::Nothing),
        // Which value a choice has is what the program was told, and what was told is no step.
        (
            Builtin::Bernoulli
            | Builtin::Categorical
            | Builtin::DiscreteUniform
            | Builtin::Binomial
            | Builtin::Poisson
            | Builtin::Geometric,
            _,
        ) => Ok(Played::Nothing),
        // The recorder makes no other calls; a new one must be taught here before it can pass.
        (other, _) => Err(unfit(&format!("{other:?} is not known here"))),
    }
}
