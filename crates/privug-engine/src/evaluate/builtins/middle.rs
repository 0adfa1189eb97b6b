//! Medians and quantiles: of numbers, and of choices, which are sorted elsewhere.

use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::ndarray::Kind;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::Arguments;
use super::numbers::nonlinear;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, Median, Method, TableMethod};

impl<S: Scalar> State<S> {
    /// `statistics.median(xs)` and the like, of numbers.
    pub(super) fn median(&mut self, median: Median, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let (values, share) = if median.takes_share() {
            let [values, share] = arguments.bind(median.name(), ["a", "q"], 2, 2)?;
            (super::given(values)?.value, share.map(|share| share.value))
        } else {
            (arguments.one(median.name())?, None)
        };
        if let (Value::Series(_), None) = (values, share) {
            return self.call_method(Method::Table(TableMethod::Median), values, &positional(0), &[]);
        }
        let elements = self.elements(values)?;
        if elements.iter().any(|element| element.as_random().is_some()) {
            return Err(nonlinear(median.name()));
        }
        let sorted = self.call_builtin(Builtin::Sorted, &positional(1), std::slice::from_ref(values))?;
        let sorted = self.elements(&sorted)?;
        self.middle_of(median, &sorted, share)
    }

    /// What stands in the middle, or at a share, of values that are in their order.
    pub(in super::super) fn middle_of(
        &mut self,
        median: Median,
        sorted: &[Value<S>],
        share: Option<&Value<S>>,
    ) -> Outcome<Value<S>> {
        let count = sorted.len();
        if count == 0 {
            return Err(Fault::new(Code::BadArgument, format!("`{}` of nothing", median.name())));
        }
        if let Some(missing) = sorted.iter().find(|value| matches!(value, Value::Missing | Value::Text(_))) {
            let message = format!("`{}` of {}", median.name(), missing.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        let (low, high) = (&sorted[(count - 1) / 2], &sorted[count / 2]);
        match median {
            Median::Low => Ok(low.plain()),
            Median::High => Ok(high.plain()),
            Median::Middle if count % 2 == 1 => Ok(low.plain()),
            Median::Middle => {
                let sum = self.binary(Binary::Add, low, high)?;
                self.binary(Binary::Divide, &sum, &Value::Int(2))
            }
            Median::Array if count % 2 == 1 => self.as_float(low),
            Median::Array => {
                let sum = self.binary(Binary::Add, low, high)?;
                let half = self.binary(Binary::Divide, &sum, &Value::Int(2))?;
                self.as_float(&half)
            }
            Median::Quantile | Median::Percentile => match share {
                Some(shares @ (Value::List(_) | Value::Tuple(_) | Value::Array(_))) => {
                    let shares = self.elements(shares)?;
                    let mut all = Vec::with_capacity(shares.len());
                    for share in &shares {
                        all.push(self.at_share(median, sorted, Some(share))?);
                    }
                    let length = all.len();
                    self.new_array(all, vec![length], Kind::Float)
                }
                share => self.at_share(median, sorted, share),
            },
        }
    }

    /// numpy's `linear` way between two neighbours.
    fn at_share(&mut self, median: Median, sorted: &[Value<S>], share: Option<&Value<S>>) -> Outcome<Value<S>> {
        let share = share.and_then(|share| self.number(share)).and_then(|share| share.scalar());
        let outside = || {
            let message = format!("`{}` takes one number as its share", median.name());
            Fault::hinted(Code::BadArgument, message, "a number from 0 to 1, or from 0 to 100 for `percentile`")
        };
        let share = share.ok_or_else(outside)?;
        let share = if median == Median::Percentile { share.div(&S::from_i64(100)) } else { share };
        if share < S::zero() || share > S::one() {
            return Err(outside());
        }
        let place = share.mul(&S::from_i64(sorted.len() as i64 - 1));
        let below = usize::try_from(place.floor()).map_err(|_| outside())?.min(sorted.len() - 1);
        let part = place.sub(&S::from_i64(below as i64));
        let a = sorted[below].clone();
        if part.is_zero() {
            return self.as_float(&a);
        }
        let b = sorted[(below + 1).min(sorted.len() - 1)].clone();
        self.lift_pair(&a, &b, &mut |state, a, b| {
            let (a, b) = (state.required_scalar(median, a)?, state.required_scalar(median, b)?);
            let distance = b.sub(&a);
            let is_late = part.to_f64() >= 0.5;
            let value = if is_late { b.sub(&distance.mul(&S::one().sub(&part))) } else { a.add(&distance.mul(&part)) };
            Ok(Value::NumpyFloat(value))
        })
    }

    fn required_scalar(&mut self, median: Median, value: &Value<S>) -> Outcome<S> {
        let number = self.required_number(median.name(), value)?;
        self.scalar(&number)
    }

    /// A number as numpy's float.
    fn as_float(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        self.lift_pair(value, &Value::None, &mut |state, value, _| {
            let number = state.required_number("median", value)?;
            Ok(Value::NumpyFloat(state.scalar(&number)?))
        })
    }

    /// An operation on two values that may depend on choices.
    fn lift_pair(
        &mut self,
        a: &Value<S>,
        b: &Value<S>,
        operation: &mut dyn FnMut(&mut Self, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
    ) -> Outcome<Value<S>> {
        if Self::is_choice(a) || Self::is_choice(b) {
            return self.lift(&[a.clone(), b.clone()], false, &mut |state, pair| operation(state, &pair[0], &pair[1]));
        }
        operation(self, a, b)
    }
}
