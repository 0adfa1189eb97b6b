//! `range`, `sum`, `sorted`, `zip` and the like.

use std::cmp::Ordering;

use super::super::fault::{Fault, Outcome};
use super::super::heap::Range;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::{Arguments, given};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Comparison;

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
        let distance =
            if step > 0 { i128::from(stop) - i128::from(start) } else { i128::from(start) - i128::from(stop) };
        let step_size = i128::from(step).abs();
        let length = if distance <= 0 { 0 } else { (distance + step_size - 1) / step_size };
        self.range(Range { start, step, length: length as u64 })
    }

    pub(super) fn len(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let length = self.length(arguments.one("len")?)?;
        match i64::try_from(length) {
            Ok(length) => Ok(Value::Int(length)),
            Err(_) => Err(Fault::new(Code::Overflow, "the length is too large for an integer")),
        }
    }

    pub(super) fn sum(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, start] = arguments.bind("sum", ["iterable", "start"], 1, 2)?;
        let values = given(values)?.value;
        let start = start.map_or(Value::Int(0), |start| start.value.clone());
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
        if let Some(keyword) = arguments.shape.keywords.first() {
            let message = format!("`{name}` has no parameter `{keyword}` here");
            return Err(Fault::new(Code::WrongArguments, message));
        }
        let values = match arguments.values {
            [only] => self.elements(only)?,
            several => several.to_vec(),
        };
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
        let mut values = self.elements(given(values)?.value)?;
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
        values.sort_by(|a, b| {
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
        let values = self.elements(given(values)?.value)?;
        let start = match start {
            Some(start) => self.whole(start.value, "the start")?,
            None => 0,
        };
        let mut pairs = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            pairs.push(self.tuple(vec![Value::Int(start.saturating_add(index as i64)), value])?);
        }
        self.list(pairs)
    }

    pub(super) fn zip(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let positional = arguments.shape.positional as usize;
        let columns: Vec<Vec<Value<S>>> =
            arguments.values[..positional].iter().map(|value| self.elements(value)).collect::<Outcome<_>>()?;
        let length = columns.iter().map(Vec::len).min().unwrap_or(0);
        let mut rows = Vec::with_capacity(length);
        for index in 0..length {
            rows.push(self.tuple(columns.iter().map(|column| column[index].clone()).collect())?);
        }
        self.list(rows)
    }

    pub(super) fn reversed(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let mut values = self.elements(arguments.one("reversed")?)?;
        values.reverse();
        self.list(values)
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
                for (key, value) in self.heap.dict(*other).entries.clone() {
                    self.insert(handle, key, value)?;
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
        for value in self.elements(arguments.one("any")?)? {
            if self.truth(&value)? {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }

    pub(super) fn all(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        for value in self.elements(arguments.one("all")?)? {
            if !self.truth(&value)? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    }
}
