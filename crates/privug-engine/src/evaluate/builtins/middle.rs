//! Medians and quantiles: of numbers, and of choices, which are sorted elsewhere.

use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::ndarray::Kind;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::Arguments;
use super::numbers;
use super::numbers::nonlinear;
use crate::evaluate::{arithmetic, builtins, choices, containers, ndarray};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, Median, Method, TableMethod};

/// `statistics.median(xs)` and the like, of numbers.
pub(super) fn median<S: Scalar>(
    state: &mut State<S>,
    median: Median,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let (values, share) = if median.takes_share() {
        let [values, share] = arguments.bind(median.name(), ["a", "q"], 2, 2)?;
        (super::given(values)?.value, share.map(|share| share.value))
    } else {
        (arguments.one(median.name())?, None)
    };
    if let (Value::Series(_), None) = (values, share) {
        return builtins::call_method(state, Method::Table(TableMethod::Median), values, &positional(0), &[]);
    }
    let elements = containers::elements(state, values)?;
    if elements.iter().any(|element| element.as_random().is_some()) {
        return Err(nonlinear(median.name()));
    }
    let sorted = builtins::call_builtin(state, Builtin::Sorted, &positional(1), std::slice::from_ref(values))?;
    let sorted = containers::elements(state, &sorted)?;
    middle_of(state, median, &sorted, share)
}

/// What stands in the middle, or at a share, of values that are in their order.
pub(in super::super) fn middle_of<S: Scalar>(
    state: &mut State<S>,
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
            let sum = arithmetic::binary(state, Binary::Add, low, high)?;
            arithmetic::binary(state, Binary::Divide, &sum, &Value::Int(2))
        }
        Median::Array if count % 2 == 1 => as_float(state, low),
        Median::Array => {
            let sum = arithmetic::binary(state, Binary::Add, low, high)?;
            let half = arithmetic::binary(state, Binary::Divide, &sum, &Value::Int(2))?;
            as_float(state, &half)
        }
        Median::Quantile | Median::Percentile => match share {
            Some(shares @ (Value::List(_) | Value::Tuple(_) | Value::Array(_))) => {
                let shares = containers::elements(state, shares)?;
                let mut all = Vec::with_capacity(shares.len());
                for share in &shares {
                    all.push(at_share(state, median, sorted, Some(share))?);
                }
                let length = all.len();
                ndarray::create::new_array(state, all, vec![length], Kind::Float)
            }
            share => at_share(state, median, sorted, share),
        },
    }
}

/// numpy's `linear` way between two neighbours.
fn at_share<S: Scalar>(
    state: &mut State<S>,
    median: Median,
    sorted: &[Value<S>],
    share: Option<&Value<S>>,
) -> Outcome<Value<S>> {
    let share = share.and_then(|share| state.number(share)).and_then(|share| share.scalar());
    let outside = || {
        let message = format!("`{}` takes a single number", median.name());
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
        return as_float(state, &a);
    }
    let b = sorted[(below + 1).min(sorted.len() - 1)].clone();
    lift_pair(state, &a, &b, &mut |state, a, b| {
        let (a, b) = (required_scalar(state, median, a)?, required_scalar(state, median, b)?);
        let distance = b.sub(&a);
        let is_late = part.to_f64() >= 0.5;
        let value = if is_late { b.sub(&distance.mul(&S::one().sub(&part))) } else { a.add(&distance.mul(&part)) };
        Ok(Value::NumpyFloat(value))
    })
}

fn required_scalar<S: Scalar>(state: &mut State<S>, median: Median, value: &Value<S>) -> Outcome<S> {
    let number = numbers::required_number(state, median.name(), value)?;
    state.scalar(&number)
}

/// A number as numpy's float.
fn as_float<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    lift_pair(state, value, &Value::None, &mut |state, value, _| {
        let number = numbers::required_number(state, "median", value)?;
        Ok(Value::NumpyFloat(state.scalar(&number)?))
    })
}

/// An operation on two values that may depend on choices.
fn lift_pair<S: Scalar>(
    state: &mut State<S>,
    a: &Value<S>,
    b: &Value<S>,
    operation: &mut dyn FnMut(&mut State<S>, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    if choices::calls::is_choice(a) || choices::calls::is_choice(b) {
        return choices::lift::lift(state, &[a.clone(), b.clone()], false, &mut |state, pair| {
            operation(state, &pair[0], &pair[1])
        });
    }
    operation(state, a, b)
}
