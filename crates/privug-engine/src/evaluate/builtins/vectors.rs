//! numpy's functions on lists and arrays.

use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::ndarray::{Kind, Reduction, too_large};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::arguments::{Argument, Arguments, given};
use super::numbers::nonlinear;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, MathFunction, NumpyFunction};

impl<S: Scalar> State<S> {
    /// `np.mean(xs, axis=…)`
    pub(super) fn mean(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        if let Some(value) = arguments.values.first()
            && let Some(mean) = self.mean_of_column(value)?
        {
            arguments.one("mean")?;
            return Ok(mean);
        }
        self.array_reduction(Reduction::Mean, "mean", arguments)
    }

    pub(super) fn array_sum(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        if let Some(value) = arguments.values.first()
            && let Some(sum) = self.sum_of_column(value)?
        {
            arguments.one("sum")?;
            return Ok(sum);
        }
        self.array_reduction(Reduction::Sum, "sum", arguments)
    }

    /// `np.sum(xs, axis=…, keepdims=…)` and the like.
    pub(super) fn array_reduction(
        &mut self,
        reduction: Reduction,
        name: &str,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let [values, axis, keep] = arguments.bind(name, ["a", "axis", "keepdims"], 1, 2)?;
        let values = given(values)?;
        self.refuse_iterator(name, values.value)?;
        self.reduced(reduction, values.value, axis, keep)
    }

    pub(super) fn reduced(
        &mut self,
        reduction: Reduction,
        values: &Value<S>,
        axis: Option<Argument<'_, S>>,
        keep: Option<Argument<'_, S>>,
    ) -> Outcome<Value<S>> {
        let keep = match keep {
            Some(keep) => self.truth(keep.value)?,
            None => false,
        };
        self.reduce(reduction, values, axis.map(|axis| axis.value), keep)
    }

    /// numpy does not go through iterators and dictionaries.
    fn refuse_iterator(&self, name: &str, value: &Value<S>) -> Outcome<()> {
        if matches!(value, Value::Iterator(_) | Value::View(_, _) | Value::Dict(_)) {
            let message = format!("`{name}` of numpy does not take {}", value.kind());
            return Err(Fault::hinted(Code::TypeMismatch, message, "make it a list: `list(...)`"));
        }
        Ok(())
    }

    /// `np.array(xs, dtype=…)`: lists of lists become dimensions; always a copy.
    pub(super) fn array_of(&mut self, arguments: &Arguments<'_, S>, copies: bool) -> Outcome<Value<S>> {
        let [values, kind] = arguments.bind("array", ["object|a", "dtype"], 1, 2)?;
        let values = given(values)?.value;
        let kind = self.dtype(kind)?;
        self.refuse_iterator("array", values)?;
        if let Value::Array(handle) = values
            && !copies
            && kind.is_none_or(|kind| kind == self.heap.array(*handle).kind)
        {
            return Ok(values.clone());
        }
        let array = self.copied_array(values, kind)?;
        if array.shape.is_empty() {
            let message = format!("`array` takes a list, not {}", values.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        self.view(array)
    }

    /// The type that an argument names.
    pub(in super::super) fn dtype(&mut self, argument: Option<Argument<'_, S>>) -> Outcome<Option<Kind>> {
        let Some(argument) = argument else { return Ok(None) };
        let kind = match argument.value {
            Value::None => return Ok(None),
            Value::Text(handle) => Kind::from_name(self.heap.text(*handle)),
            _ => None,
        };
        match kind {
            Some(kind) => Ok(Some(kind)),
            None => {
                let message = format!("{} is not a type of arrays here", self.show(argument.value));
                let hint = "the types are `float`, `int` and `bool`";
                Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(argument.index))
            }
        }
    }

    /// `np.average(xs, axis=…, weights=ws)` = Σ wᵢxᵢ / Σ wᵢ
    pub(super) fn average(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, axis, weights] = arguments.bind("average", ["a", "axis", "weights"], 1, 3)?;
        let values = given(values)?.value;
        self.refuse_iterator("average", values)?;
        match weights.map(|weights| weights.value) {
            None | Some(Value::None) => match self.mean_of_column(values)? {
                Some(mean) => Ok(mean),
                None => self.reduced(Reduction::Mean, values, axis, None),
            },
            Some(weights) if matches!(values, Value::Series(_)) || matches!(weights, Value::Series(_)) => {
                self.average_columns(values, weights)
            }
            Some(weights) => self.weighted_average(values, axis.map(|axis| axis.value), weights),
        }
    }

    pub(super) fn dot_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [left, right] = arguments.bind("dot", ["a", "b"], 2, 2)?;
        self.refuse_other_order(given(left)?.value, given(right)?.value)?;
        self.dot(given(left)?.value, given(right)?.value)
    }

    pub(super) fn matmul_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [left, right] = arguments.bind("matmul", ["x1", "x2"], 2, 2)?;
        self.refuse_other_order(given(left)?.value, given(right)?.value)?;
        self.matmul(given(left)?.value, given(right)?.value)
    }

    /// `np.where(condition, a, b)`
    pub(super) fn choose(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [condition, yes, no] = arguments.bind("where", ["condition", "x", "y"], 1, 3)?;
        if let (Some(condition), None, None) = (condition, yes, no) {
            if let Value::Array(handle) = condition.value
                && self.heap.array(*handle).shape.len() > 1
            {
                let hint = "choose with it: `x[mask]`";
                return Err(Fault::hinted(Code::BadArgument, "`where` of several dimensions", hint));
            }
            let function = Builtin::Numpy(NumpyFunction::FlatNonzero);
            let found = self.call_builtin(function, &positional(1), std::slice::from_ref(condition.value))?;
            return self.tuple(vec![found]);
        }
        let (condition, yes, no) = (given(condition)?.value, given(yes)?.value, given(no)?.value);
        if let Value::Series(mask) = condition {
            return self.where_columns(mask, yes, no);
        }
        if matches!(yes, Value::Series(_)) || matches!(no, Value::Series(_)) {
            return Ok(if self.truth(condition)? { yes.clone() } else { no.clone() });
        }
        self.where_arrays(condition, yes, no)
    }

    /// `np.zeros(n)`, `np.ones((rows, columns), dtype=…)`
    pub(super) fn filled(&mut self, arguments: &Arguments<'_, S>, name: &str, value: i64) -> Outcome<Value<S>> {
        let [shape, kind] = arguments.bind(name, ["shape", "dtype"], 1, 2)?;
        let kind = self.dtype(kind)?.unwrap_or(Kind::Float);
        let shape = self.shape_of(given(shape)?.value)?;
        self.filled_array(shape, Value::Int(value), kind)
    }

    pub(super) fn full(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [shape, value, kind] = arguments.bind("full", ["shape", "fill_value", "dtype"], 2, 3)?;
        let value = given(value)?.value.clone();
        if matches!(value, Value::Array(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_)) {
            let message = format!("`full` takes one value, not {}", value.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        let kind = match self.dtype(kind)? {
            Some(kind) => kind,
            None => self.kind_of(&value)?,
        };
        let shape = self.shape_of(given(shape)?.value)?;
        self.filled_array(shape, value, kind)
    }

    pub(super) fn arange(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [first, second, third] = arguments.bind("arange", ["start", "stop", "step"], 1, 3)?;
        let first = given(first)?.value.clone();
        let (start, stop) = match second {
            Some(stop) if !matches!(stop.value, Value::None) => (first, stop.value.clone()),
            _ => (Value::Int(0), first),
        };
        let step = third.map_or(Value::Int(1), |step| step.value.clone());
        self.arange_of(&[start, stop, step])
    }

    /// `np.linspace(start, stop, num)`
    pub(super) fn linspace(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [start, stop, count] = arguments.bind("linspace", ["start", "stop", "num"], 2, 3)?;
        let start = self.required_number("linspace", given(start)?.value)?;
        let stop = self.required_number("linspace", given(stop)?.value)?;
        if [&start, &stop].iter().any(|number| matches!(number, Number::BigInt(_))) {
            return Err(too_large());
        }
        let (start, stop) = (self.scalar(&start)?, self.scalar(&stop)?);
        let count = match count {
            Some(count) => self.whole(count.value, "the number of points")?,
            None => 50,
        };
        if count < 0 {
            return Err(Fault::new(Code::BadArgument, "the number of points is negative"));
        }
        self.budget.check_elements(count as u64)?;
        self.budget.spend_steps(count as u64)?;
        // As numpy computes it: with a step that is rounded once, and the last point as it was given.
        let last = S::from_i64((count - 1).max(1));
        let distance = stop.sub(&start);
        let step = distance.div(&last);
        let mut points = Vec::with_capacity(count as usize);
        for index in 0..count {
            let number = S::from_i64(index);
            let point = match () {
                () if index > 0 && index == count - 1 => stop.clone(),
                () if S::EXACT || step.is_zero() => start.add(&number.div(&last).mul(&distance)),
                () => number.mul(&step).add(&start),
            };
            points.push(Value::NumpyFloat(self.finite(point)?));
        }
        self.new_array(points, vec![count as usize], Kind::Float)
    }

    pub(super) fn concatenate(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [arrays, axis] = arguments.bind("concatenate", ["arrays", "axis"], 1, 2)?;
        let arrays = given(arrays)?.value;
        self.refuse_iterator("concatenate", arrays)?;
        self.concatenated(arrays, axis.map(|axis| axis.value))
    }

    pub(super) fn cumulative_sum(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, axis] = arguments.bind("cumsum", ["a", "axis"], 1, 2)?;
        let values = given(values)?.value;
        self.refuse_iterator("cumsum", values)?;
        let array = match values {
            Value::Array(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_) => values.clone(),
            Value::Series(_) => {
                let values = self.elements(values)?;
                self.array(values)?
            }
            single => self.array(vec![single.clone()])?,
        };
        self.cumulative(&array, axis.map(|axis| axis.value))
    }

    /// `np.sqrt(xs)` and the like: of arrays, lists and numbers.
    pub(super) fn array_mathematics(
        &mut self,
        function: MathFunction,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let name = format!("{function:?}").to_lowercase();
        let value = arguments.one(&name)?;
        self.refuse_iterator(&name, value)?;
        let array = match value {
            Value::Series(_) => {
                // The root of a number of rows is a number like others.
                let plain = |value: Value<S>| value.uncounted().unwrap_or(value);
                let values = self.elements(value)?.into_iter().map(plain).collect();
                let array = self.array(values)?;
                self.as_array(&array)?
            }
            other => self.as_array(other.uncounted().as_ref().unwrap_or(other))?,
        };
        if array.kind == Kind::Bool {
            let message = format!("`{name}` of booleans has only half of a double's digits in numpy");
            return Err(Fault::hinted(Code::TypeMismatch, message, "multiply by 1 first"));
        }
        self.map_array(&array, Kind::Float, |state, value| {
            let number = state.required_number(&name, value)?;
            match state.mathematical(function, &name, &[number])? {
                Value::Float(value) => Ok(Value::NumpyFloat(value)),
                other => Ok(other),
            }
        })
    }

    /// `np.abs(xs)`, `abs(array)`
    pub(super) fn array_absolute(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let value = arguments.one("abs")?;
        self.refuse_iterator("abs", value)?;
        let array = self.as_array(value)?;
        self.map_array(&array, array.kind, |state, value| {
            if value.as_random().is_some() {
                return Err(nonlinear("abs"));
            }
            state.required_number("abs", value)?;
            if matches!(value, Value::NumpyFloat(number) if number.is_zero()) {
                return Ok(Value::NumpyFloat(S::zero()));
            }
            if state.is_negative(value) { state.numpy_negative(value) } else { Ok(value.clone()) }
        })
    }

    /// `math.prod(xs, start=1)`
    pub(super) fn product(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, start] = arguments.bind("prod", ["iterable", "start"], 1, 1)?;
        let values = self.elements(given(values)?.value)?;
        let start = start.map_or(Value::Int(1), |start| start.value.clone());
        values.iter().try_fold(start, |product, value| self.binary(Binary::Multiply, &product, value))
    }

    /// A number as a scalar, for the parameters of distributions.
    pub(in super::super) fn parameter(&mut self, what: &str, value: &Value<S>) -> Outcome<S> {
        let number: Option<Number<S>> = self.number(value);
        match number {
            Some(number) => self.met_number(&number),
            None => Err(Fault::new(Code::TypeMismatch, format!("{what} must be a number, not {}", value.kind()))),
        }
    }
}
