//! numpy's functions on lists and arrays, and the mean.

use super::super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::arguments::{Arguments, given};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

impl<S: Scalar> State<S> {
    /// `statistics.mean(xs)`, `np.mean(xs)`
    pub(super) fn mean(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let value = arguments.one("mean")?;
        self.mean_of(value)
    }

    pub(super) fn mean_of(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        if let Some(mean) = self.mean_of_column(value)? {
            return Ok(mean);
        }
        let (total, count) = self.flat_sum(value)?;
        if count == 0 {
            return Err(Fault::hinted(Code::DivisionByZero, "the mean of nothing", "is a list empty?"));
        }
        self.binary(Binary::Divide, &total, &Value::Int(count as i64))
    }

    /// The sum of all elements of a list, an array or a matrix, and how many there are.
    fn flat_sum(&mut self, value: &Value<S>) -> Outcome<(Value<S>, usize)> {
        if let Some(sum) = self.sum_plain(value, Value::Int(0))? {
            return Ok(sum);
        }
        let values = self.flat(value)?;
        Ok((self.sum_values(&values, Value::Int(0))?, values.len()))
    }

    /// All elements of a list, an array or a matrix.
    pub(super) fn flat(&mut self, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let mut flat = Vec::new();
        self.flatten_into(value, 0, &mut flat)?;
        Ok(flat)
    }

    fn flatten_into(&mut self, value: &Value<S>, depth: usize, flat: &mut Vec<Value<S>>) -> Outcome<()> {
        if depth > MAX_VALUE_DEPTH {
            return Err(too_deep());
        }
        for element in self.elements(value)? {
            match element {
                Value::List(_) | Value::Tuple(_) | Value::Array(_) => self.flatten_into(&element, depth + 1, flat)?,
                other => flat.push(other),
            }
        }
        Ok(())
    }

    /// `np.array(xs)`: lists become arrays, at every depth.
    pub(super) fn array_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, _] = arguments.bind("array", ["object", "dtype"], 1, 2)?;
        self.to_array(given(values)?.value, 0)
    }

    fn to_array(&mut self, value: &Value<S>, depth: usize) -> Outcome<Value<S>> {
        if depth > MAX_VALUE_DEPTH {
            return Err(too_deep());
        }
        let elements = self.elements(value)?;
        let elements: Vec<Value<S>> = elements
            .into_iter()
            .map(|element| match element {
                Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_) => {
                    self.to_array(&element, depth + 1)
                }
                other => Ok(other),
            })
            .collect::<Outcome<_>>()?;
        self.array(elements)
    }

    pub(super) fn array_sum(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let value = arguments.one("sum")?;
        if let Some(sum) = self.sum_of_column(value)? {
            return Ok(sum);
        }
        self.flat_sum(value).map(|(total, _)| total)
    }

    /// `np.average(xs, weights=ws)` = Σ wᵢxᵢ / Σ wᵢ
    pub(super) fn average(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, weights] = arguments.bind("average", ["a", "weights"], 1, 1)?;
        let values = given(values)?.value;
        match weights.map(|weights| weights.value) {
            None | Some(Value::None) => self.mean_of(values),
            Some(weights) if matches!(values, Value::Series(_)) || matches!(weights, Value::Series(_)) => {
                self.average_columns(values, weights)
            }
            Some(weights) => {
                let total = self.dot(weights, values)?;
                let weights = self.flat(weights)?;
                let weight = self.sum_values(&weights, Value::Int(0))?;
                self.binary(Binary::Divide, &total, &weight)
            }
        }
    }

    pub(super) fn dot_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [left, right] = arguments.bind("dot", ["a", "b"], 2, 2)?;
        self.dot(given(left)?.value, given(right)?.value)
    }

    /// `np.where(condition, a, b)`
    pub(super) fn choose(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [condition, yes, no] = arguments.bind("where", ["condition", "x", "y"], 3, 3)?;
        let (condition, yes, no) = (given(condition)?.value, given(yes)?.value, given(no)?.value);
        match condition {
            Value::Series(mask) => self.where_columns(mask, yes, no),
            single => Ok(if self.truth(single)? { yes.clone() } else { no.clone() }),
        }
    }

    /// `np.zeros(n)`, `np.ones((rows, columns))`
    pub(super) fn filled(&mut self, arguments: &Arguments<'_, S>, name: &str, value: Value<S>) -> Outcome<Value<S>> {
        let [shape, _] = arguments.bind(name, ["shape", "dtype"], 1, 2)?;
        self.fill(given(shape)?.value, value)
    }

    pub(super) fn full(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [shape, value] = arguments.bind("full", ["shape", "fill_value"], 2, 2)?;
        self.fill(given(shape)?.value, given(value)?.value.clone())
    }

    fn fill(&mut self, shape: &Value<S>, value: Value<S>) -> Outcome<Value<S>> {
        let sizes: Vec<i64> = match shape {
            Value::Tuple(_) | Value::List(_) => {
                let sizes = self.elements(shape)?;
                sizes.iter().map(|size| self.whole(size, "a size")).collect::<Outcome<_>>()?
            }
            size => vec![self.whole(size, "a size")?],
        };
        if let Some(negative) = sizes.iter().find(|size| **size < 0) {
            return Err(Fault::new(Code::BadArgument, format!("the size {negative} is negative")));
        }
        if sizes.len() > MAX_VALUE_DEPTH {
            return Err(too_deep());
        }
        self.fill_sizes(&sizes, value)
    }

    fn fill_sizes(&mut self, sizes: &[i64], value: Value<S>) -> Outcome<Value<S>> {
        let Some((first, rest)) = sizes.split_first() else { return Ok(value) };
        // Counted before they are made.
        self.spend_elements(*first as u64)?;
        self.spend_steps(*first as u64)?;
        let elements: Vec<Value<S>> = if rest.is_empty() {
            vec![value; *first as usize]
        } else {
            (0..*first).map(|_| self.fill_sizes(rest, value.clone())).collect::<Outcome<_>>()?
        };
        self.array(elements)
    }

    pub(super) fn arange(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let whole = arguments.values.iter().all(|value| matches!(value, Value::Int(_) | Value::Counted(_)));
        if !whole {
            let hint = "`np.linspace(start, stop, n)` takes other numbers";
            return Err(Fault::hinted(Code::BadArgument, "`arange` takes integers here", hint));
        }
        let range = self.range_of(arguments)?;
        let elements = self.elements(&range)?;
        self.array(elements)
    }

    pub(super) fn linspace(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [start, stop, count] = arguments.bind("linspace", ["start", "stop", "num"], 2, 3)?;
        let start = self.required_number("linspace", given(start)?.value)?;
        let stop = self.required_number("linspace", given(stop)?.value)?;
        let (start, stop) = (self.scalar(&start)?, self.scalar(&stop)?);
        let count = match count {
            Some(count) => self.whole(count.value, "the number of points")?,
            None => 50,
        };
        if count < 0 {
            return Err(Fault::new(Code::BadArgument, "the number of points is negative"));
        }
        self.spend_elements(count as u64)?;
        self.spend_steps(count as u64)?;
        let last = S::from_i64((count - 1).max(1));
        let distance = stop.sub(&start);
        let mut points = Vec::with_capacity(count as usize);
        for index in 0..count {
            let point = start.add(&distance.mul(&S::from_i64(index)).div(&last));
            points.push(self.float(point)?);
        }
        self.array(points)
    }

    pub(super) fn concatenate(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let mut all = Vec::new();
        for part in self.elements(arguments.one("concatenate")?)? {
            all.extend(self.elements(&part)?);
        }
        self.array(all)
    }

    pub(super) fn cumulative_sum(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let values = self.elements(arguments.one("cumsum")?)?;
        let mut total = Value::Int(0);
        let mut sums = Vec::with_capacity(values.len());
        for value in &values {
            total = self.binary(Binary::Add, &total, value)?;
            sums.push(total.clone());
        }
        self.array(sums)
    }

    pub(super) fn product(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let values = self.elements(arguments.one("prod")?)?;
        values.iter().try_fold(Value::Int(1), |product, value| self.binary(Binary::Multiply, &product, value))
    }

    /// A number as a scalar, for the parameters of distributions.
    pub(in super::super) fn parameter(&self, what: &str, value: &Value<S>) -> Outcome<S> {
        let number: Option<Number<S>> = self.number(value);
        match number {
            Some(number) => self.scalar(&number),
            None => Err(Fault::new(Code::TypeMismatch, format!("{what} must be a number, not {}", value.kind()))),
        }
    }
}
