//! numpy's functions on lists and arrays.

use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::ndarray::{Kind, Reduction, too_large};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::arguments::{Argument, Arguments, given};
use super::numbers::nonlinear;
use super::{mathematics, numbers};
use crate::evaluate::{arithmetic, builtins, compare, containers, ndarray, random, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, MathFunction, NumpyFunction};

/// `np.mean(xs, axis=…)`
pub(super) fn mean<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    if let Some(value) = arguments.values.first()
        && let Some(mean) = tables::aggregate::mean_of_column(state, value)?
    {
        arguments.one("mean")?;
        return Ok(mean);
    }
    array_reduction(state, Reduction::Mean, "mean", arguments)
}

pub(super) fn array_sum<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    if let Some(value) = arguments.values.first()
        && let Some(sum) = tables::aggregate::sum_of_column(state, value)?
    {
        arguments.one("sum")?;
        return Ok(sum);
    }
    array_reduction(state, Reduction::Sum, "sum", arguments)
}

/// The values where a mask of the same shape is true.
fn chosen_values<S: Scalar>(state: &mut State<S>, values: &Value<S>, mask: &Value<S>) -> Outcome<Value<S>> {
    let (values, mask) = (ndarray::create::as_array(state, values)?, ndarray::create::as_array(state, mask)?);
    if mask.kind != Kind::Bool || mask.shape != values.shape {
        let message = "`where` is an array of booleans as long as the values here";
        return Err(Fault::hinted(Code::LengthMismatch, message, "choose the values first: `x[mask]`"));
    }
    let mut chosen = Vec::new();
    for (value, is_chosen) in state.heap.array_values(&values).into_iter().zip(state.heap.array_values(&mask)) {
        if compare::truth(state, &is_chosen)? {
            chosen.push(value);
        }
    }
    let shape = vec![chosen.len()];
    ndarray::create::new_array(state, chosen, shape, values.kind)
}

/// `np.sum(xs, axis=…, keepdims=…)` and the like.
pub(super) fn array_reduction<S: Scalar>(
    state: &mut State<S>,
    reduction: Reduction,
    name: &str,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [values, axis, keep, mask] = arguments.bind(name, ["a", "axis", "keepdims", "where"], 1, 2)?;
    let values = given(values)?;
    refuse_iterator(name, values.value)?;
    if let Some(mask) = mask {
        if axis.is_some() || keep.is_some() || !matches!(reduction, Reduction::Sum | Reduction::Mean) {
            let message = format!("`where` of `{name}` is known for sums and means of all values");
            return Err(Fault::hinted(Code::WrongArguments, message, "choose the values first: `x[mask]`"));
        }
        let chosen = chosen_values(state, values.value, mask.value)?;
        return reduced(state, reduction, &chosen, None, None);
    }
    reduced(state, reduction, values.value, axis, keep)
}

pub(super) fn reduced<S: Scalar>(
    state: &mut State<S>,
    reduction: Reduction,
    values: &Value<S>,
    axis: Option<Argument<'_, S>>,
    keep: Option<Argument<'_, S>>,
) -> Outcome<Value<S>> {
    let keep = match keep {
        Some(keep) => compare::truth(state, keep.value)?,
        None => false,
    };
    ndarray::reduce::reduce(state, reduction, values, axis.map(|axis| axis.value), keep)
}

/// numpy does not go through iterators and dictionaries.
fn refuse_iterator<S: Scalar>(name: &str, value: &Value<S>) -> Outcome<()> {
    if matches!(value, Value::Iterator(_) | Value::View(_, _) | Value::Dict(_)) {
        let message = format!("`{name}` of numpy does not take {}", value.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "make it a list: `list(...)`"));
    }
    Ok(())
}

/// `np.array(xs, dtype=…)`: lists of lists become dimensions; always a copy.
pub(super) fn array_of<S: Scalar>(
    state: &mut State<S>,
    arguments: &Arguments<'_, S>,
    copies: bool,
) -> Outcome<Value<S>> {
    let [values, kind] = arguments.bind("array", ["object|a", "dtype"], 1, 2)?;
    let values = given(values)?.value;
    let kind = dtype(state, kind)?;
    refuse_iterator("array", values)?;
    if let Value::Array(handle) = values
        && !copies
        && kind.is_none_or(|kind| kind == state.heap.array(*handle).kind)
    {
        return Ok(values.clone());
    }
    let array = ndarray::create::copied_array(state, values, kind)?;
    if array.shape.is_empty() {
        let message = format!("`array` takes a list, not {}", values.kind());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    ndarray::create::view(state, array)
}

/// The type that an argument names.
pub(in super::super) fn dtype<S: Scalar>(
    state: &mut State<S>,
    argument: Option<Argument<'_, S>>,
) -> Outcome<Option<Kind>> {
    let Some(argument) = argument else { return Ok(None) };
    let kind = match argument.value {
        Value::None => return Ok(None),
        Value::Text(handle) => Kind::from_name(state.heap.text(*handle)),
        _ => None,
    };
    match kind {
        Some(kind) => Ok(Some(kind)),
        None => {
            let message = format!("{} is not a supported dtype", text::show(state, argument.value));
            let hint = "the dtype must be `float`, `int` or `bool`";
            Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(argument.index))
        }
    }
}

/// `np.average(xs, axis=…, weights=ws)` = Σ wᵢxᵢ / Σ wᵢ
pub(super) fn average<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, axis, weights, returned] = arguments.bind("average", ["a", "axis", "weights", "returned"], 1, 3)?;
    let values = given(values)?.value;
    refuse_iterator("average", values)?;
    let weights = weights.map(|weights| weights.value).filter(|weights| !matches!(weights, Value::None));
    let mean = match weights {
        None => match tables::aggregate::mean_of_column(state, values)? {
            Some(mean) => mean,
            None => reduced(state, Reduction::Mean, values, axis, None)?,
        },
        Some(weights) if matches!(values, Value::Series(_)) || matches!(weights, Value::Series(_)) => {
            tables::aggregate::average_columns(state, values, weights)?
        }
        Some(weights) => ndarray::reduce::weighted_average(state, values, axis.map(|axis| axis.value), weights)?,
    };
    if !tables::derived::flag(state, returned, false)? {
        return Ok(mean);
    }
    let Some(weights) = weights.filter(|_| axis.is_none_or(|axis| matches!(axis.value, Value::None))) else {
        let hint = "add the weights up beside it";
        return Err(Fault::hinted(
            Code::BadArgument,
            "`returned` is known together with `weights`, and without `axis`",
            hint,
        ));
    };
    let total = reduced(state, Reduction::Sum, weights, None, None)?;
    let total = if let Value::Int(total) = total { Value::Float(S::from_i64(total)) } else { total };
    state.tuple(vec![mean, total])
}

pub(super) fn dot_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [left, right] = arguments.bind("dot", ["a", "b"], 2, 2)?;
    tables::aggregate::refuse_other_order(given(left)?.value, given(right)?.value)?;
    ndarray::product::dot(state, given(left)?.value, given(right)?.value)
}

pub(super) fn matmul_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [left, right] = arguments.bind("matmul", ["x1", "x2"], 2, 2)?;
    tables::aggregate::refuse_other_order(given(left)?.value, given(right)?.value)?;
    ndarray::product::matmul(state, given(left)?.value, given(right)?.value)
}

/// `np.where(condition, a, b)`
pub(super) fn choose<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [condition, yes, no] = arguments.bind("where", ["condition", "x", "y"], 1, 3)?;
    if let (Some(condition), None, None) = (condition, yes, no) {
        if let Value::Array(handle) = condition.value
            && state.heap.array(*handle).shape.len() > 1
        {
            let hint = "select with it: `x[mask]`";
            return Err(Fault::hinted(Code::BadArgument, "`where` of several dimensions", hint));
        }
        let function = Builtin::Numpy(NumpyFunction::FlatNonzero);
        let found = builtins::call_builtin(state, function, &positional(1), std::slice::from_ref(condition.value))?;
        return state.tuple(vec![found]);
    }
    let (condition, yes, no) = (given(condition)?.value, given(yes)?.value, given(no)?.value);
    if let Value::Series(mask) = condition {
        return tables::masks::where_columns(state, mask, yes, no);
    }
    if matches!(yes, Value::Series(_)) || matches!(no, Value::Series(_)) {
        return Ok(if compare::truth(state, condition)? { yes.clone() } else { no.clone() });
    }
    ndarray::elementwise::where_arrays(state, condition, yes, no)
}

/// `np.zeros(n)`, `np.ones((rows, columns), dtype=…)`
pub(super) fn filled<S: Scalar>(
    state: &mut State<S>,
    arguments: &Arguments<'_, S>,
    name: &str,
    value: i64,
) -> Outcome<Value<S>> {
    let [shape, kind] = arguments.bind(name, ["shape", "dtype"], 1, 2)?;
    let kind = dtype(state, kind)?.unwrap_or(Kind::Float);
    let shape = ndarray::create::shape_of(state, given(shape)?.value)?;
    ndarray::create::filled_array(state, shape, Value::Int(value), kind)
}

pub(super) fn full<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [shape, value, kind] = arguments.bind("full", ["shape", "fill_value", "dtype"], 2, 3)?;
    let value = given(value)?.value.clone();
    if matches!(value, Value::Array(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_)) {
        let message = format!("`full` takes one value, not {}", value.kind());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    let kind = match dtype(state, kind)? {
        Some(kind) => kind,
        None => ndarray::kind::kind_of(&value)?,
    };
    let shape = ndarray::create::shape_of(state, given(shape)?.value)?;
    ndarray::create::filled_array(state, shape, value, kind)
}

pub(super) fn arange<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [first, second, third] = arguments.bind("arange", ["start", "stop", "step"], 1, 3)?;
    let first = given(first)?.value.clone();
    let (start, stop) = match second {
        Some(stop) if !matches!(stop.value, Value::None) => (first, stop.value.clone()),
        _ => (Value::Int(0), first),
    };
    let step = third.map_or(Value::Int(1), |step| step.value.clone());
    ndarray::create::arange_of(state, &[start, stop, step])
}

/// `np.linspace(start, stop, num)`
pub(super) fn linspace<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [start, stop, count] = arguments.bind("linspace", ["start", "stop", "num"], 2, 3)?;
    let start = numbers::required_number(state, "linspace", given(start)?.value)?;
    let stop = numbers::required_number(state, "linspace", given(stop)?.value)?;
    if [&start, &stop].iter().any(|number| matches!(number, Number::BigInt(_))) {
        return Err(too_large());
    }
    let (start, stop) = (state.scalar(&start)?, state.scalar(&stop)?);
    let count = match count {
        Some(count) => containers::whole(count.value, "the number of points")?,
        None => 50,
    };
    if count < 0 {
        return Err(Fault::new(Code::BadArgument, "the number of points is negative"));
    }
    state.budget.check_elements(count as u64)?;
    state.budget.spend_steps(count as u64)?;
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
        points.push(Value::NumpyFloat(state.finite(point)?));
    }
    ndarray::create::new_array(state, points, vec![count as usize], Kind::Float)
}

pub(super) fn concatenate<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [arrays, axis] = arguments.bind("concatenate", ["arrays", "axis"], 1, 2)?;
    let arrays = given(arrays)?.value;
    refuse_iterator("concatenate", arrays)?;
    ndarray::shape::concatenated(state, arrays, axis.map(|axis| axis.value))
}

pub(super) fn cumulative_sum<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, axis] = arguments.bind("cumsum", ["a", "axis"], 1, 2)?;
    let values = given(values)?.value;
    refuse_iterator("cumsum", values)?;
    let array = match values {
        Value::Array(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_) => values.clone(),
        Value::Series(_) => {
            let values = containers::elements(state, values)?;
            ndarray::create::array(state, values)?
        }
        single => ndarray::create::array(state, vec![single.clone()])?,
    };
    ndarray::reduce::cumulative(state, &array, axis.map(|axis| axis.value))
}

/// `np.sqrt(xs)` and the like: of arrays, lists and numbers.
pub(super) fn array_mathematics<S: Scalar>(
    state: &mut State<S>,
    function: MathFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let name = format!("{function:?}").to_lowercase();
    let value = arguments.one(&name)?;
    refuse_iterator(&name, value)?;
    let array = match value {
        Value::Series(_) => {
            // The root of a number of rows is a number like others.
            let plain = |value: Value<S>| value.uncounted().unwrap_or(value);
            let values = containers::elements(state, value)?.into_iter().map(plain).collect();
            let array = ndarray::create::array(state, values)?;
            ndarray::create::as_array(state, &array)?
        }
        other => ndarray::create::as_array(state, other.uncounted().as_ref().unwrap_or(other))?,
    };
    if array.kind == Kind::Bool {
        let message = format!("`{name}` of booleans has only half of a double's digits in numpy");
        return Err(Fault::hinted(Code::TypeMismatch, message, "multiply by 1 first"));
    }
    ndarray::elementwise::map_array(state, &array, Kind::Float, |state, value| {
        let number = numbers::required_number(state, &name, value)?;
        match mathematics::mathematical(state, function, &name, &[number])? {
            Value::Float(value) => Ok(Value::NumpyFloat(value)),
            other => Ok(other),
        }
    })
}

/// `np.abs(xs)`, `abs(array)`
pub(super) fn array_absolute<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let value = arguments.one("abs")?;
    refuse_iterator("abs", value)?;
    let array = ndarray::create::as_array(state, value)?;
    ndarray::elementwise::map_array(state, &array, array.kind, |state, value| {
        if value.as_random().is_some() {
            return Err(nonlinear("abs"));
        }
        numbers::required_number(state, "abs", value)?;
        if matches!(value, Value::NumpyFloat(number) if number.is_zero()) {
            return Ok(Value::NumpyFloat(S::zero()));
        }
        if ndarray::elementwise::is_negative(state, value) {
            ndarray::kind::numpy_negative(state, value)
        } else {
            Ok(value.clone())
        }
    })
}

/// `math.prod(xs, start=1)`
pub(super) fn product<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, start] = arguments.bind("prod", ["iterable", "start"], 1, 1)?;
    let values = containers::elements(state, given(values)?.value)?;
    let start = start.map_or(Value::Int(1), |start| start.value.clone());
    values.iter().try_fold(start, |product, value| arithmetic::binary(state, Binary::Multiply, &product, value))
}

/// A number as a scalar, for the parameters of distributions.
pub(in super::super) fn parameter<S: Scalar>(state: &mut State<S>, what: &str, value: &Value<S>) -> Outcome<S> {
    let number: Option<Number<S>> = state.number(value);
    match number {
        Some(number) => random::met_number(state, &number),
        None => {
            let message = format!("{what} must be a number, not {}", value.kind());
            Err(match value {
                Value::Missing => Fault::hinted(
                    Code::TypeMismatch,
                    message,
                    "a column without values has no mean, and one with a single value has no standard deviation: give the number",
                ),
                _ => Fault::new(Code::TypeMismatch, message),
            })
        }
    }
}
