//! `range`, `sum`, `sorted`, `zip` and the like.

use std::cmp::Ordering;

use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::heap::Range;
use super::super::iterators::Walk;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::{Arguments, given};
use super::numbers;
use crate::evaluate::{arithmetic, arrays, choices, compare, containers, iterators, tables};
use crate::number::{Constants, Rational, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

pub(super) fn range_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [first, second, third] = arguments.bind("range", ["start", "stop", "step"], 1, 3)?;
    let first = containers::whole(given(first)?.value, "a range's bound")?;
    let (start, stop) = match second {
        Some(second) => (first, containers::whole(second.value, "a range's bound")?),
        None => (0, first),
    };
    let step = match third {
        Some(step) => containers::whole(step.value, "a range's step")?,
        None => 1,
    };
    if step == 0 {
        return Err(Fault::new(Code::BadArgument, "the step of a range is zero"));
    }
    let range = whole_range(start, stop, step);
    state.range(range)
}

/// The range between two integers; the step is not zero.
pub(in super::super) fn whole_range(start: i64, stop: i64, step: i64) -> Range {
    let distance = if step > 0 { i128::from(stop) - i128::from(start) } else { i128::from(start) - i128::from(stop) };
    let step_size = i128::from(step).abs();
    let length = if distance <= 0 { 0 } else { (distance + step_size - 1) / step_size };
    Range { start, stop, step, length: length as u64 }
}

/// Nothing is printed: stdout carries the result. Where the program is run for real, what it prints is published too.
pub(super) fn print<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    if tables::publish::has_desk(state) && !state.worlds.are_split() {
        if arguments.values.is_empty() {
            tables::publish::print_empty_line(state);
        }
        for (value, name) in arguments.values.iter().zip(&arguments.shape.names) {
            tables::publish::show_to_all(state, name.clone(), value.clone())?;
        }
        return Ok(Value::None);
    }
    if state.publishes {
        if state.worlds.are_split() {
            let message = "whether something is printed depends on a secret, and thereby publishes it";
            let hint = "return it if it should be published, or remove the line";
            return Err(Fault::hinted(Code::RandomConversion, message, hint));
        }
        for value in arguments.values {
            if tables::results::holds_random(state, value)? {
                let message = "something that depends on a secret is printed, and thereby published";
                let hint = "return it if it should be published, or remove the line";
                return Err(Fault::hinted(Code::RandomConversion, message, hint));
            }
        }
    }
    Ok(Value::None)
}

pub(super) fn len<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let value = arguments.one("len")?;
    if let Some(count) = tables::counted::count_of_table(state, value)? {
        return Ok(count);
    }
    if let Value::Text(handle) = value {
        state.budget.spend_bytes_of_text(state.heap.text(*handle).len())?;
    }
    let length = containers::length(state, value)?;
    match i64::try_from(length) {
        Ok(length) => Ok(Value::Int(length)),
        Err(_) => Err(Fault::new(Code::Overflow, "the length is too large for an integer")),
    }
}

pub(super) fn sum<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, start] = arguments.bind("sum", ["iterable", "start"], 1, 2)?;
    let values = given(values)?.value;
    let start = start.map_or(Value::Int(0), |start| start.value.clone());
    if let Value::Text(_) = start {
        return Err(Fault::new(Code::TypeMismatch, "`sum` does not join strings"));
    }
    if let (Some(sum), Value::Int(0)) = (tables::aggregate::sum_of_iterated_column(state, values)?, &start) {
        return Ok(sum);
    }
    match arrays::sum_plain(state, values, start.clone())? {
        Some((total, _)) => Ok(total),
        None => {
            let values = containers::elements(state, values)?;
            arrays::sum_values(state, &values, start)
        }
    }
}

/// `min` and `max`: of the arguments, or of the elements of the only one.
pub(super) fn extreme<S: Scalar>(
    state: &mut State<S>,
    arguments: &Arguments<'_, S>,
    wanted: Ordering,
    name: &str,
) -> Outcome<Value<S>> {
    let is_two_dimensional =
        |value: &Value<S>| matches!(value, Value::Array(handle) if state.heap.array(*handle).shape.len() > 1);
    if arguments.values.iter().any(is_two_dimensional) {
        let message = format!("`{name}` of an array with several dimensions");
        return Err(Fault::hinted(Code::TypeMismatch, message, format!("use `np.{name}`")));
    }
    if let Some(keyword) = arguments.shape.keywords.first() {
        let message = format!("`{name}` has no parameter `{keyword}` here");
        return Err(Fault::new(Code::WrongArguments, message));
    }
    let values = match arguments.values {
        [only] => containers::elements(state, only)?,
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
            Some(best) => compare::order(state, Comparison::Less, &value, best)? == wanted,
            None => true,
        };
        if better {
            best = Some(value);
        }
    }
    best.ok_or_else(|| Fault::new(Code::BadArgument, format!("`{name}` of nothing")))
}

pub(super) fn sorted<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, reverse] = arguments.bind("sorted", ["iterable", "reverse"], 1, 1)?;
    let mut values = match given(values)?.value {
        // All of them are different, so that their order is certain.
        Value::Set(handle) => state.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect(),
        other => containers::elements(state, other)?,
    };
    if values.iter().any(|value| value.as_random().is_some()) {
        let hint = "their order is not known beforehand";
        return Err(Fault::hinted(Code::NonlinearFunction, "random variables cannot be sorted", hint));
    }
    let reverse = match reverse {
        Some(reverse) => compare::truth(state, reverse.value)?,
        None => false,
    };
    // Comparisons can fail; the first failure is what counts.
    let mut failure = None;
    let comparisons = values.len() as u64 * u64::from(values.len().max(2).ilog2());
    state.budget.spend_steps(comparisons)?;
    values.sort_by(|a, b| {
        // Once it has failed, nothing more is spent on it.
        if failure.is_some() {
            return Ordering::Equal;
        }
        let order = compare::order(state, Comparison::Less, a, b).unwrap_or_else(|fault| {
            failure.get_or_insert(fault);
            Ordering::Equal
        });
        if reverse { order.reverse() } else { order }
    });
    match failure {
        Some(fault) => Err(fault),
        None => state.list(values),
    }
}

pub(super) fn enumerate<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, start] = arguments.bind("enumerate", ["iterable", "start"], 1, 2)?;
    let next = match start.map(|start| (start.value, state.number(start.value).and_then(|number| number.integer()))) {
        None => IBig::ZERO,
        Some((Value::NumpyBool(_), _)) | Some((_, None)) => {
            return Err(Fault::new(Code::TypeMismatch, "the start must be an integer"));
        }
        Some((_, Some(start))) => start,
    };
    let inner = iterators::iterator_of(state, given(values)?.value)?;
    iterators::iterator(state, Walk::Enumerate { inner, next }, &[inner])
}

pub(super) fn zip<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    if let Some(keyword) = arguments.shape.keywords.first() {
        return Err(Fault::new(Code::WrongArguments, format!("`zip` has no parameter `{keyword}` here")));
    }
    let parts =
        arguments.values.iter().map(|value| iterators::iterator_of(state, value)).collect::<Outcome<Vec<_>>>()?;
    iterators::iterator(state, Walk::Zip { parts: parts.clone() }, &parts)
}

pub(super) fn reversed<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let value = arguments.one("reversed")?;
    let walk = match value {
        Value::List(handle) | Value::Tuple(handle) => {
            let (left, reshaped) = (state.heap.sequence(*handle).len(), iterators::times_reshaped(state, *handle));
            Walk::Backwards { handle: *handle, left, reshaped }
        }
        Value::Range(handle) => {
            let range = state.heap.range(*handle);
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
            let mut values = containers::elements(state, value)?;
            values.reverse();
            Walk::Items { items: values.into_iter() }
        }
        other => {
            let message = format!("{} cannot be reversed", other.kind());
            return Err(Fault::hinted(Code::TypeMismatch, message, "make it a list: `list(...)`"));
        }
    };
    iterators::iterator(state, walk, &[])
}

pub(super) fn list_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let values =
        if arguments.values.is_empty() { Vec::new() } else { containers::elements(state, arguments.one("list")?)? };
    state.list(values)
}

pub(super) fn tuple_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let values =
        if arguments.values.is_empty() { Vec::new() } else { containers::elements(state, arguments.one("tuple")?)? };
    state.tuple(values)
}

pub(super) fn dict_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let dict = state.new_dict()?;
    let Value::Dict(handle) = dict else { return Ok(dict) };
    let positional = arguments.shape.positional as usize;
    match arguments.values[..positional].first() {
        Some(Value::Dict(other)) => {
            state.budget.spend_steps(state.heap.dict(*other).entries.len() as u64)?;
            for (key, value) in state.heap.dict(*other).entries.clone() {
                state.insert(handle, key, value)?;
            }
            choices::arrivals::copy_order(state, *other, handle);
        }
        Some(column @ Value::Series(_)) => {
            for (mut keys, value) in tables::results::table_parts(state, column)? {
                if let Some(key) = keys.pop() {
                    state.insert(handle, key, value)?;
                }
            }
        }
        Some(pairs) if state.worlds.exist() => choices::dictionaries::write_pairs(state, &dict, pairs)?,
        Some(pairs) => {
            for pair in containers::elements(state, pairs)? {
                let [key, value] = <[Value<S>; 2]>::try_from(containers::elements(state, &pair)?)
                    .map_err(|_| Fault::new(Code::UnpackMismatch, "`dict` takes pairs of a key and a value"))?;
                state.insert(handle, key, value)?;
            }
        }
        None => {}
    }
    for (name, value) in arguments.shape.keywords.iter().zip(&arguments.values[positional..]) {
        let key = state.text(name.clone())?;
        state.insert(handle, key, value.clone())?;
    }
    Ok(dict)
}

pub(super) fn any<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    first_truth(state, arguments.one("any")?, true)
}

pub(super) fn all<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    first_truth(state, arguments.one("all")?, false)
}

/// Goes through elements up to the first of this truth; what is left of an iterator stays there.
fn first_truth<S: Scalar>(state: &mut State<S>, values: &Value<S>, wanted: bool) -> Outcome<Value<S>> {
    let handle = iterators::iterator_of(state, values)?;
    while let Some(value) = iterators::advance(state, handle)? {
        state.budget.spend_steps(1)?;
        if compare::truth(state, &value)? == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

/// `math.fsum(xs)`: rounded once, at the end.
pub(super) fn exact_sum<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let values = containers::elements(state, arguments.one("fsum")?)?;
    if values.iter().any(|value| value.as_random().is_some()) {
        return arrays::sum_values(state, &values, Value::Int(0));
    }
    let total = exact_total(state, "fsum", &values)?;
    rounded_ratio(state, &total).map(Value::Float)
}

/// The exact sum of doubles.
fn exact_total<S: Scalar>(state: &mut State<S>, name: &str, values: &[Value<S>]) -> Outcome<Rational> {
    // Doubles may lie 2000 bits apart.
    state.budget.spend_steps(8 * values.len() as u64)?;
    let mut total = Rational::ZERO;
    for value in values {
        let number = numbers::required_number(state, name, value)?;
        let scalar = state.scalar(&number)?;
        total += exact_ratio(&scalar).ok_or_else(|| Fault::new(Code::NotFinite, "a number is not finite"))?;
    }
    Ok(total)
}

fn rounded_ratio<S: Scalar>(state: &State<S>, ratio: &Rational) -> Outcome<S> {
    let overflow = || Fault::new(Code::Overflow, "the result is too large for a double");
    if S::EXACT {
        let numerator = S::from_integer(ratio.numerator()).ok_or_else(overflow)?;
        let denominator = S::from_integer(&ratio.denominator().clone().into()).ok_or_else(overflow)?;
        return state.finite(numerator.div(&denominator));
    }
    S::from_f64(Constants::to_f64(ratio)).ok_or_else(overflow)
}

/// `fmean(data, weights)` of secrets: Σ wᵢ·xᵢ / Σ wᵢ.
fn weighted_mean<S: Scalar>(state: &mut State<S>, data: &Value<S>, weights: &Value<S>) -> Outcome<Value<S>> {
    let (values, weights) = (containers::elements(state, data)?, containers::elements(state, weights)?);
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
        products.push(arithmetic::binary(state, Binary::Multiply, value, weight)?);
    }
    let total = exact_total(state, "fmean", &weights)?;
    let total = rounded_ratio(state, &total)?;
    let (sum, total) = (arrays::sum_values(state, &products, Value::Int(0))?, state.float(total)?);
    arithmetic::binary(state, Binary::Divide, &sum, &total)
}

/// `statistics.mean(xs)`, which is exact before it is rounded, and `statistics.fmean(xs)`.
pub(super) fn statistics_mean<S: Scalar>(
    state: &mut State<S>,
    arguments: &Arguments<'_, S>,
    in_floats: bool,
) -> Outcome<Value<S>> {
    let [value, weights] = match in_floats {
        true => arguments.bind("fmean", ["data", "weights"], 1, 2)?,
        false => [arguments.bind("mean", ["data"], 1, 1)?[0], None],
    };
    let value = given(value)?.value;
    if let Some(weights) = weights.filter(|weights| !matches!(weights.value, Value::None)) {
        return weighted_mean(state, value, weights.value);
    }
    if let Some(mean) = tables::aggregate::mean_of_column(state, value)? {
        return Ok(mean);
    }
    if let Some((total, count)) = random_total(state, value)? {
        return arithmetic::binary(state, Binary::Divide, &total, &Value::Int(count as i64));
    }
    let values = containers::elements(state, value)?;
    if values.is_empty() {
        return Err(Fault::hinted(Code::DivisionByZero, "the mean of nothing", "is a list empty?"));
    }
    if values.iter().any(|value| value.as_random().is_some()) {
        let total = arrays::sum_values(state, &values, Value::Int(0))?;
        return arithmetic::binary(state, Binary::Divide, &total, &Value::Int(values.len() as i64));
    }
    let count = values.len() as i64;
    if in_floats {
        let total = exact_total(state, "fmean", &values)?;
        let total = rounded_ratio(state, &total)?;
        return state.float(total.div(&S::from_i64(count)));
    }
    let integers: Option<Vec<IBig>> = values
        .iter()
        .map(|value| match value {
            Value::Int(_) | Value::BigInt(_) => state.number(value).and_then(|number| number.integer()),
            _ => None,
        })
        .collect();
    if let Some(integers) = integers {
        state.budget.spend_steps(integers.len() as u64)?;
        let total: IBig = integers.into_iter().sum();
        let mean = Rational::from_parts_signed(total, IBig::from(count));
        if *mean.denominator() == dashu_int::UBig::ONE {
            return state.integer(mean.numerator().clone());
        }
        return rounded_ratio(state, &mean).map(Value::Float);
    }
    if values.iter().any(|value| matches!(value, Value::Bool(_) | Value::NumpyBool(_) | Value::NumpyInt(_))) {
        let hint = "use `statistics.fmean`, or `np.mean`";
        return Err(Fault::hinted(Code::TypeMismatch, "`statistics.mean` of these numbers", hint));
    }
    let is_numpy = values.iter().any(Value::is_numpy_scalar);
    let total = exact_total(state, "mean", &values)?;
    let mean = rounded_ratio(state, &(total / Rational::from(count)))?;
    Ok(if is_numpy { Value::NumpyFloat(mean) } else { Value::Float(mean) })
}

/// The sum of a list or array of random variables only, without copying it.
fn random_total<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Option<(Value<S>, usize)>> {
    let is_random = match value {
        Value::List(handle) | Value::Tuple(handle) => {
            let elements = state.heap.sequence(*handle);
            !elements.is_empty() && elements.iter().all(|element| element.as_random().is_some())
        }
        Value::Array(handle) => {
            let array = state.heap.array(*handle);
            array.size() > 0
                && state
                    .heap
                    .contiguous(array)
                    .is_some_and(|elements| elements.iter().all(|element| matches!(element, Value::Random { .. })))
        }
        _ => false,
    };
    if is_random { arrays::sum_plain(state, value, Value::Int(0)) } else { Ok(None) }
}

/// The exact value of a number.
fn exact_ratio<S: Scalar>(value: &S) -> Option<Rational> {
    match value.to_exact_string() {
        Some(text) => text.parse().ok(),
        None => Rational::try_from(value.to_f64()).ok(),
    }
}
