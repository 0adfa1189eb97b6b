//! `range`, `sum`, `sorted`, `zip` and the like.

use std::cmp::Ordering;

use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::heap::Range;
use super::super::iterators::Walk;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::{Arguments, given};
use crate::number::{Constants, Rational, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

impl<S: Scalar> State<S> {
    pub(super) fn range_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [first, second, third] = arguments.bind("range", ["start", "stop", "step"], 1, 3)?;
        let first = self.whole(given(first)?.value, "a range's bound")?;
        let (start, stop) = match second {
            Some(second) => (first, self.whole(second.value, "a range's bound")?),
            None => (0, first),
        };
        let step = match third {
            Some(step) => self.whole(step.value, "a range's step")?,
            None => 1,
        };
        if step == 0 {
            return Err(Fault::new(Code::BadArgument, "a range's step is zero"));
        }
        let range = self.whole_range(start, stop, step);
        self.range(range)
    }

    /// The range between two integers; the step is not zero.
    pub(in super::super) fn whole_range(&self, start: i64, stop: i64, step: i64) -> Range {
        let distance =
            if step > 0 { i128::from(stop) - i128::from(start) } else { i128::from(start) - i128::from(stop) };
        let step_size = i128::from(step).abs();
        let length = if distance <= 0 { 0 } else { (distance + step_size - 1) / step_size };
        Range { start, stop, step, length: length as u64 }
    }

    /// Nothing is printed: stdout carries the result. Where the program is run for real, what it prints is published too.
    pub(super) fn print(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        if self.has_desk() {
            for (value, name) in arguments.values.iter().zip(&arguments.shape.names) {
                self.show_to_all(name.clone(), value.clone())?;
            }
            return Ok(Value::None);
        }
        if self.publishes {
            if self.worlds.are_split() {
                let message = "whether something is printed depends on a secret, and so publishes it";
                let hint = "return it if it is to be published, or remove the line";
                return Err(Fault::hinted(Code::RandomConversion, message, hint));
            }
            for value in arguments.values {
                if self.holds_random(value)? {
                    let message = "something that depends on a secret is printed, and so published";
                    let hint = "return it if it is to be published, or remove the line";
                    return Err(Fault::hinted(Code::RandomConversion, message, hint));
                }
            }
        }
        Ok(Value::None)
    }

    pub(super) fn len(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let value = arguments.one("len")?;
        if let Some(count) = self.count_of_table(value)? {
            return Ok(count);
        }
        if let Value::Text(handle) = value {
            self.budget.spend_bytes_of_text(self.heap.text(*handle).len())?;
        }
        let length = self.length(value)?;
        match i64::try_from(length) {
            Ok(length) => Ok(Value::Int(length)),
            Err(_) => Err(Fault::new(Code::Overflow, "the length is too large for an integer")),
        }
    }

    pub(super) fn sum(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, start] = arguments.bind("sum", ["iterable", "start"], 1, 2)?;
        let values = given(values)?.value;
        let start = start.map_or(Value::Int(0), |start| start.value.clone());
        if let Value::Text(_) = start {
            return Err(Fault::new(Code::TypeMismatch, "`sum` does not join strings"));
        }
        if let (Some(sum), Value::Int(0)) = (self.sum_of_iterated_column(values)?, &start) {
            return Ok(sum);
        }
        match self.sum_plain(values, start.clone())? {
            Some((total, _)) => Ok(total),
            None => {
                let values = self.elements(values)?;
                self.sum_values(&values, start)
            }
        }
    }

    /// `min` and `max`: of the arguments, or of the elements of the only one.
    pub(super) fn extreme(&mut self, arguments: &Arguments<'_, S>, wanted: Ordering, name: &str) -> Outcome<Value<S>> {
        let is_two_dimensional =
            |value: &Value<S>| matches!(value, Value::Array(handle) if self.heap.array(*handle).shape.len() > 1);
        if arguments.values.iter().any(is_two_dimensional) {
            let message = format!("`{name}` of an array with several dimensions");
            return Err(Fault::hinted(Code::TypeMismatch, message, format!("use `np.{name}`")));
        }
        if let Some(keyword) = arguments.shape.keywords.first() {
            let message = format!("`{name}` has no parameter `{keyword}` here");
            return Err(Fault::new(Code::WrongArguments, message));
        }
        let values = match arguments.values {
            [only] => self.elements(only)?,
            several => several.to_vec(),
        };
        if arguments.values.is_empty() {
            return Err(Fault::new(Code::WrongArguments, format!("`{name}` needs an argument")));
        }
        let mut best: Option<Value<S>> = None;
        for value in values {
            if value.as_random().is_some() {
                let message = format!("the `{name}` of random variables is not Gaussian");
                let hint = "only sums, differences and multiples of random variables are";
                return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
            }
            let better = match &best {
                Some(best) => self.order(Comparison::Less, &value, best)? == wanted,
                None => true,
            };
            if better {
                best = Some(value);
            }
        }
        best.ok_or_else(|| Fault::new(Code::BadArgument, format!("`{name}` of nothing")))
    }

    pub(super) fn sorted(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, reverse] = arguments.bind("sorted", ["iterable", "reverse"], 1, 1)?;
        let mut values = match given(values)?.value {
            // All of them are different, so that their order is certain.
            Value::Set(handle) => self.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect(),
            other => self.elements(other)?,
        };
        if values.iter().any(|value| value.as_random().is_some()) {
            let hint = "their order is not known beforehand";
            return Err(Fault::hinted(Code::NonlinearFunction, "random variables cannot be sorted", hint));
        }
        let reverse = match reverse {
            Some(reverse) => self.truth(reverse.value)?,
            None => false,
        };
        // Comparisons can fail; the first failure is what counts.
        let mut failure = None;
        let comparisons = values.len() as u64 * u64::from(values.len().max(2).ilog2());
        self.budget.spend_steps(comparisons)?;
        values.sort_by(|a, b| {
            // Once it has failed, nothing more is spent on it.
            if failure.is_some() {
                return Ordering::Equal;
            }
            let order = self.order(Comparison::Less, a, b).unwrap_or_else(|fault| {
                failure.get_or_insert(fault);
                Ordering::Equal
            });
            if reverse { order.reverse() } else { order }
        });
        match failure {
            Some(fault) => Err(fault),
            None => self.list(values),
        }
    }

    pub(super) fn enumerate(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, start] = arguments.bind("enumerate", ["iterable", "start"], 1, 2)?;
        let next = match start.map(|start| (start.value, self.number(start.value).and_then(|number| number.integer())))
        {
            None => IBig::ZERO,
            Some((Value::NumpyBool(_), _)) | Some((_, None)) => {
                return Err(Fault::new(Code::TypeMismatch, "the start must be an integer"));
            }
            Some((_, Some(start))) => start,
        };
        let inner = self.iterator_of(given(values)?.value)?;
        self.iterator(Walk::Enumerate { inner, next }, &[inner])
    }

    pub(super) fn zip(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        if let Some(keyword) = arguments.shape.keywords.first() {
            return Err(Fault::new(Code::WrongArguments, format!("`zip` has no parameter `{keyword}` here")));
        }
        let parts = arguments.values.iter().map(|value| self.iterator_of(value)).collect::<Outcome<Vec<_>>>()?;
        self.iterator(Walk::Zip { parts: parts.clone() }, &parts)
    }

    pub(super) fn reversed(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let value = arguments.one("reversed")?;
        let walk = match value {
            Value::List(handle) | Value::Tuple(handle) => {
                let (left, reshaped) = (self.heap.sequence(*handle).len(), self.times_reshaped(*handle));
                Walk::Backwards { handle: *handle, left, reshaped }
            }
            Value::Range(handle) => {
                let range = self.heap.range(*handle);
                match range.length.checked_sub(1) {
                    // A step that has no opposite belongs to a range of at most two numbers.
                    Some(last) if range.step != i64::MIN => {
                        Walk::Range { next: range.get(last), step: -range.step, rounds_left: range.length }
                    }
                    Some(_) => return Err(Fault::new(Code::BadArgument, "a range's step is too large")),
                    None => Walk::Items { items: Vec::new().into_iter() },
                }
            }
            Value::Array(_) | Value::Text(_) | Value::Dict(_) | Value::View(_, _) => {
                let mut values = self.elements(value)?;
                values.reverse();
                Walk::Items { items: values.into_iter() }
            }
            other => {
                let message = format!("{} cannot be gone through backwards", other.kind());
                return Err(Fault::hinted(Code::TypeMismatch, message, "make it a list: `list(...)`"));
            }
        };
        self.iterator(walk, &[])
    }

    pub(super) fn list_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let values = if arguments.values.is_empty() { Vec::new() } else { self.elements(arguments.one("list")?)? };
        self.list(values)
    }

    pub(super) fn tuple_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let values = if arguments.values.is_empty() { Vec::new() } else { self.elements(arguments.one("tuple")?)? };
        self.tuple(values)
    }

    pub(super) fn dict_of(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let dict = self.new_dict()?;
        let Value::Dict(handle) = dict else { return Ok(dict) };
        let positional = arguments.shape.positional as usize;
        match arguments.values[..positional].first() {
            Some(Value::Dict(other)) => {
                self.budget.spend_steps(self.heap.dict(*other).entries.len() as u64)?;
                for (key, value) in self.heap.dict(*other).entries.clone() {
                    self.insert(handle, key, value)?;
                }
            }
            Some(column @ Value::Series(_)) => {
                for (mut keys, value) in self.table_parts(column)? {
                    if let Some(key) = keys.pop() {
                        self.insert(handle, key, value)?;
                    }
                }
            }
            Some(pairs) => {
                for pair in self.elements(pairs)? {
                    let [key, value] = <[Value<S>; 2]>::try_from(self.elements(&pair)?)
                        .map_err(|_| Fault::new(Code::UnpackMismatch, "`dict` takes pairs of a key and a value"))?;
                    self.insert(handle, key, value)?;
                }
            }
            None => {}
        }
        for (name, value) in arguments.shape.keywords.iter().zip(&arguments.values[positional..]) {
            let key = self.text(name.clone())?;
            self.insert(handle, key, value.clone())?;
        }
        Ok(dict)
    }

    pub(super) fn any(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        self.first_truth(arguments.one("any")?, true)
    }

    pub(super) fn all(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        self.first_truth(arguments.one("all")?, false)
    }

    /// Goes through elements up to the first of this truth; what is left of an iterator stays there.
    fn first_truth(&mut self, values: &Value<S>, wanted: bool) -> Outcome<Value<S>> {
        let handle = self.iterator_of(values)?;
        while let Some(value) = self.advance(handle)? {
            self.budget.spend_steps(1)?;
            if self.truth(&value)? == wanted {
                return Ok(Value::Bool(wanted));
            }
        }
        Ok(Value::Bool(!wanted))
    }

    /// `math.fsum(xs)`: rounded once, at the end.
    pub(super) fn exact_sum(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let values = self.elements(arguments.one("fsum")?)?;
        if values.iter().any(|value| value.as_random().is_some()) {
            return self.sum_values(&values, Value::Int(0));
        }
        let total = self.exact_total("fsum", &values)?;
        self.rounded_ratio(&total).map(Value::Float)
    }

    /// The exact sum of doubles.
    fn exact_total(&mut self, name: &str, values: &[Value<S>]) -> Outcome<Rational> {
        // Doubles may lie 2000 bits apart.
        self.budget.spend_steps(8 * values.len() as u64)?;
        let mut total = Rational::ZERO;
        for value in values {
            let number = self.required_number(name, value)?;
            let scalar = self.scalar(&number)?;
            total += exact_ratio(&scalar).ok_or_else(|| Fault::new(Code::NotFinite, "a number is not finite"))?;
        }
        Ok(total)
    }

    fn rounded_ratio(&self, ratio: &Rational) -> Outcome<S> {
        let overflow = || Fault::new(Code::Overflow, "the result is too large for a double");
        if S::EXACT {
            let numerator = S::from_integer(ratio.numerator()).ok_or_else(overflow)?;
            let denominator = S::from_integer(&ratio.denominator().clone().into()).ok_or_else(overflow)?;
            return self.finite(numerator.div(&denominator));
        }
        S::from_f64(Constants::to_f64(ratio)).ok_or_else(overflow)
    }

    /// `fmean(data, weights)` of secrets: Σ wᵢ·xᵢ / Σ wᵢ.
    fn weighted_mean(&mut self, data: &Value<S>, weights: &Value<S>) -> Outcome<Value<S>> {
        let (values, weights) = (self.elements(data)?, self.elements(weights)?);
        if values.len() != weights.len() {
            let message = format!("there are {} values and {} weights", values.len(), weights.len());
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        if !values.iter().any(|value| value.as_random().is_some()) {
            let hint = "write it out: `sum(w * x for w, x in zip(ws, xs)) / sum(ws)`";
            return Err(Fault::hinted(Code::BadArgument, "a weighted `fmean` of numbers that are known", hint));
        }
        let mut products = Vec::with_capacity(values.len());
        for (value, weight) in values.iter().zip(&weights) {
            products.push(self.binary(Binary::Multiply, value, weight)?);
        }
        let total = self.exact_total("fmean", &weights)?;
        let total = self.rounded_ratio(&total)?;
        let (sum, total) = (self.sum_values(&products, Value::Int(0))?, self.float(total)?);
        self.binary(Binary::Divide, &sum, &total)
    }

    /// `statistics.mean(xs)`, which is exact before it is rounded, and `statistics.fmean(xs)`.
    pub(super) fn statistics_mean(&mut self, arguments: &Arguments<'_, S>, in_floats: bool) -> Outcome<Value<S>> {
        let [value, weights] = match in_floats {
            true => arguments.bind("fmean", ["data", "weights"], 1, 2)?,
            false => [arguments.bind("mean", ["data"], 1, 1)?[0], None],
        };
        let value = given(value)?.value;
        if let Some(weights) = weights.filter(|weights| !matches!(weights.value, Value::None)) {
            return self.weighted_mean(value, weights.value);
        }
        if let Some(mean) = self.mean_of_column(value)? {
            return Ok(mean);
        }
        if let Some((total, count)) = self.random_total(value)? {
            return self.binary(Binary::Divide, &total, &Value::Int(count as i64));
        }
        let values = self.elements(value)?;
        if values.is_empty() {
            return Err(Fault::hinted(Code::DivisionByZero, "the mean of nothing", "is a list empty?"));
        }
        if values.iter().any(|value| value.as_random().is_some()) {
            let total = self.sum_values(&values, Value::Int(0))?;
            return self.binary(Binary::Divide, &total, &Value::Int(values.len() as i64));
        }
        let count = values.len() as i64;
        if in_floats {
            let total = self.exact_total("fmean", &values)?;
            let total = self.rounded_ratio(&total)?;
            return self.float(total.div(&S::from_i64(count)));
        }
        let integers: Option<Vec<IBig>> = values
            .iter()
            .map(|value| match value {
                Value::Int(_) | Value::BigInt(_) => self.number(value).and_then(|number| number.integer()),
                _ => None,
            })
            .collect();
        if let Some(integers) = integers {
            self.budget.spend_steps(integers.len() as u64)?;
            let total: IBig = integers.into_iter().sum();
            let mean = Rational::from_parts_signed(total, IBig::from(count));
            if *mean.denominator() == dashu_int::UBig::ONE {
                return self.integer(mean.numerator().clone());
            }
            return self.rounded_ratio(&mean).map(Value::Float);
        }
        if values.iter().any(|value| matches!(value, Value::Bool(_) | Value::NumpyBool(_) | Value::NumpyInt(_))) {
            let hint = "use `statistics.fmean`, or `np.mean`";
            return Err(Fault::hinted(Code::TypeMismatch, "`statistics.mean` of these numbers", hint));
        }
        let is_numpy = values.iter().any(Value::is_numpy_scalar);
        let total = self.exact_total("mean", &values)?;
        let mean = self.rounded_ratio(&(total / Rational::from(count)))?;
        Ok(if is_numpy { Value::NumpyFloat(mean) } else { Value::Float(mean) })
    }

    /// The sum of a list or array of random variables only, without copying it.
    fn random_total(&mut self, value: &Value<S>) -> Outcome<Option<(Value<S>, usize)>> {
        let is_random = match value {
            Value::List(handle) | Value::Tuple(handle) => {
                let elements = self.heap.sequence(*handle);
                !elements.is_empty() && elements.iter().all(|element| element.as_random().is_some())
            }
            Value::Array(handle) => {
                let array = self.heap.array(*handle);
                array.size() > 0
                    && self
                        .heap
                        .contiguous(array)
                        .is_some_and(|elements| elements.iter().all(|element| matches!(element, Value::Random { .. })))
            }
            _ => false,
        };
        if is_random { self.sum_plain(value, Value::Int(0)) } else { Ok(None) }
    }
}

/// The exact value of a number.
fn exact_ratio<S: Scalar>(value: &S) -> Option<Rational> {
    match value.to_exact_string() {
        Some(text) => text.parse().ok(),
        None => Rational::try_from(value.to_f64()).ok(),
    }
}
