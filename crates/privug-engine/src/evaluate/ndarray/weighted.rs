//! Weighted sums of elements: `bincount`, `convolve`, `interp`, `diff` and the like. The weights are known, the elements
//! may be random.

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::{Array, shape_text};
use super::kind::Kind;
use super::reduce::Reduction;
use super::{create, elementwise, functions, kind, reduce};
use crate::evaluate::tables::Column;
use crate::evaluate::{arrays, builtins, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// An array of one dimension.
fn vector<S: Scalar>(state: &mut State<S>, what: &str, value: &Value<S>) -> Outcome<Array> {
    let array = create::as_array(state, value)?;
    if array.shape.len() != 1 {
        let message = format!("`{what}` takes arrays of one dimension, not of shape {}", shape_text(&array.shape));
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    Ok(array)
}

/// The sum of some elements, as a float of numpy's.
fn float_sum<S: Scalar>(state: &mut State<S>, values: &[Value<S>]) -> Outcome<Value<S>> {
    let total = arrays::sum_values(state, values, Value::Int(0))?;
    kind::cast(state, &total, Kind::Float)
}

/// `np.add.at(array, places, values)`: adds in place, also several times to the same element.
pub(super) fn add_at<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [array, places, values] = arguments.bind("at", ["a", "indices", "b"], 3, 3)?;
    let Value::Array(handle) = given(array)?.value else {
        return Err(Fault::new(Code::TypeMismatch, "`np.add.at` adds to an array"));
    };
    let target = state.heap.array(*handle).clone();
    if target.shape.len() != 1 {
        return Err(Fault::new(Code::TypeMismatch, "`np.add.at` adds to arrays of one dimension here"));
    }
    let places = functions::whole_values(state, "a position", given(places)?.value)?;
    let added = create::as_array(state, given(values)?.value)?;
    let added = state.heap.array_values(&added);
    if added.len() != places.len() && added.len() != 1 {
        let message = format!("{} values are added at {} places", added.len(), places.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let length = target.shape[0] as i64;
    for (at, place) in places.iter().enumerate() {
        let from_start = if *place < 0 { *place + length } else { *place };
        let Some(position) = target.element(from_start) else {
            return Err(Fault::new(Code::IndexOutOfRange, format!("there is no position {place}")));
        };
        let value = &added[if added.len() == 1 { 0 } else { at }];
        let current = state.heap.sequences[target.buffer as usize][position].clone();
        let sum = kind::numpy_binary(state, Binary::Add, &current, value)?;
        let sum = kind::cast(state, &sum, target.kind)?;
        state.heap.sequences[target.buffer as usize][position] = sum;
    }
    Ok(Value::None)
}

/// `np.add.reduceat(a, starts)`: the sums from each start to the next.
pub(super) fn add_reduce_at<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [array, starts] = arguments.bind("reduceat", ["array", "indices"], 2, 2)?;
    let array = vector(state, "reduceat", given(array)?.value)?;
    let starts = functions::whole_values(state, "a position", given(starts)?.value)?;
    let values = state.heap.array_values(&array);
    let length = values.len() as i64;
    if let Some(wrong) = starts.iter().find(|start| !(0..length).contains(*start)) {
        return Err(Fault::new(Code::IndexOutOfRange, format!("there is no position {wrong}")));
    }
    let mut sums = Vec::with_capacity(starts.len());
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(length).max(start + 1);
        let part = values[*start as usize..end as usize].to_vec();
        let part = create::array(state, part)?;
        sums.push(reduce::reduce(state, Reduction::Sum, &part, None, false)?);
    }
    create::array(state, sums)
}

/// `np.bincount(x, weights=…, minlength=0)`
pub(super) fn bincount<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [places, weights, least] = arguments.bind("bincount", ["x", "weights", "minlength"], 1, 3)?;
    let places = functions::whole_values(state, "a position", given(places)?.value)?;
    if places.iter().any(|place| *place < 0) {
        return Err(Fault::new(Code::BadArgument, "`bincount` takes numbers of at least 0"));
    }
    let least = least.map_or(Ok(0), |least| containers::whole(least.value, "`minlength`"))?.max(0);
    let count = places.iter().map(|place| place + 1).max().unwrap_or(0).max(least);
    state.budget.check_elements(count as u64)?;
    let Some(weights) = weights.filter(|weights| !matches!(weights.value, Value::None)) else {
        let mut counts = vec![0i64; count as usize];
        places.iter().for_each(|place| counts[*place as usize] += 1);
        let shape = vec![counts.len()];
        return create::new_array(state, counts.into_iter().map(Value::NumpyInt).collect(), shape, Kind::Int);
    };
    let weights = vector(state, "bincount", weights.value)?;
    let weights = state.heap.array_values(&weights);
    if weights.len() != places.len() {
        let message = format!("{} weights for {} numbers", weights.len(), places.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let mut parts: Vec<Vec<Value<S>>> = vec![Vec::new(); count as usize];
    for (place, weight) in places.iter().zip(weights) {
        parts[*place as usize].push(weight);
    }
    let sums = parts.iter().map(|part| float_sum(state, part)).collect::<Outcome<Vec<_>>>()?;
    let shape = vec![sums.len()];
    create::new_array(state, sums, shape, Kind::Float)
}

/// `np.convolve(a, v, mode)`: cₖ = Σ aᵢ·vₖ₋ᵢ
pub(super) fn convolved<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [a, v, mode] = arguments.bind("convolve", ["a", "v", "mode"], 2, 3)?;
    let mode = mode.map_or("full".to_owned(), |mode| text::show(state, mode.value));
    let (a, v) = (vector(state, "convolve", given(a)?.value)?, vector(state, "convolve", given(v)?.value)?);
    let kind = a.kind.max(v.kind);
    let (a, v) = (state.heap.array_values(&a), state.heap.array_values(&v));
    convolution(state, a, v, &mode, kind)
}

/// `np.correlate(a, v, mode)`: the same with the second one the other way round.
pub(super) fn correlated<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [a, v, mode] = arguments.bind("correlate", ["a", "v", "mode"], 2, 3)?;
    let mode = mode.map_or("valid".to_owned(), |mode| text::show(state, mode.value));
    let (a, v) = (vector(state, "correlate", given(a)?.value)?, vector(state, "correlate", given(v)?.value)?);
    let kind = a.kind.max(v.kind);
    let a = state.heap.array_values(&a);
    let v: Vec<Value<S>> = state.heap.array_values(&v).into_iter().rev().collect();
    if v.len() > a.len() {
        let hint = "put the longer one first";
        return Err(Fault::hinted(Code::BadArgument, "the second array is longer than the first", hint));
    }
    convolution(state, a, v, &mode, kind)
}

fn convolution<S: Scalar>(
    state: &mut State<S>,
    a: Vec<Value<S>>,
    v: Vec<Value<S>>,
    mode: &str,
    kind: Kind,
) -> Outcome<Value<S>> {
    if a.is_empty() || v.is_empty() {
        return Err(Fault::new(Code::BadArgument, "an array without elements is convolved"));
    }
    let (long, short) = (a.len().max(v.len()), a.len().min(v.len()));
    let (first, count) = match mode {
        "full" => (0, a.len() + v.len() - 1),
        "same" => ((short - 1) / 2, long),
        "valid" => (short - 1, long - short + 1),
        other => return Err(Fault::new(Code::BadArgument, format!("`mode` cannot be \"{other}\""))),
    };
    state.budget.spend_steps((a.len() as u64).saturating_mul(v.len() as u64))?;
    state.budget.check_elements(count as u64)?;
    let mut results = Vec::with_capacity(count);
    for k in first..first + count {
        let places = k.saturating_sub(v.len() - 1)..(k + 1).min(a.len());
        let left: Vec<Value<S>> = a[places.clone()].to_vec();
        let right: Vec<Value<S>> = places.map(|i| v[k - i].clone()).collect();
        let sum = arrays::inner_product(state, &left, &right)?;
        results.push(kind::cast(state, &sum, kind.max(Kind::Int))?);
    }
    create::new_array(state, results, vec![count], kind.max(Kind::Int))
}

/// `np.diff(a, n=1, axis=-1, prepend=…, append=…)`
pub(super) fn differences<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, times, axis, before, behind] =
        arguments.bind("diff", ["a", "n", "axis", "prepend", "append"], 1, 3)?;
    let mut array = create::as_array(state, given(values)?.value)?;
    if before.is_some() || behind.is_some() {
        array = lengthened(state, &array, before.map(|value| value.value), behind.map(|value| value.value))?;
    }
    let times = times.map_or(Ok(1), |times| containers::whole(times.value, "`n`"))?;
    let axis = axis.map_or(Value::Int(-1), |axis| axis.value.clone());
    let axis = reduce::one_axis(&axis, array.shape.len())?;
    if array.kind == Kind::Bool {
        return Err(Fault::new(Code::TypeMismatch, "differences of booleans are not supported"));
    }
    let mut current = create::view(state, array)?;
    for _ in 0..times.max(0) {
        let array = create::as_array(state, &current)?;
        let length = array.shape[axis];
        let part = |start: usize| {
            let mut part = array.clone();
            part.shape[axis] = length.saturating_sub(1);
            if length > 0 {
                part.offset = (array.offset as isize + start as isize * array.strides[axis]) as usize;
            }
            part
        };
        let (later, earlier) = (create::view(state, part(1))?, create::view(state, part(0))?);
        current = elementwise::binary_arrays(state, Binary::Subtract, &later, &earlier)?;
    }
    Ok(current)
}

/// An array of one dimension with values before and behind it.
fn lengthened<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    before: Option<&Value<S>>,
    behind: Option<&Value<S>>,
) -> Outcome<Array> {
    let mut kind = array.kind;
    let mut parts = Vec::new();
    for end in [before, behind] {
        let Some(end) = end else {
            parts.push(Vec::new());
            continue;
        };
        let end = create::as_array(state, end)?;
        if array.shape.len() != 1 || end.shape.len() > 1 {
            let message = "values are put before or behind an array of one dimension here";
            let hint = "put the parts together with `np.concatenate` first";
            return Err(Fault::hinted(Code::LengthMismatch, message, hint));
        }
        kind = kind.max(end.kind);
        parts.push(state.heap.array_values(&end));
    }
    parts.insert(1, state.heap.array_values(array));
    let values = parts.concat().iter().map(|value| kind::cast(state, value, kind)).collect::<Outcome<Vec<_>>>()?;
    let shape = vec![values.len()];
    let made = create::new_array(state, values, shape, kind)?;
    create::as_array(state, &made)
}

/// `np.gradient(y)`, `np.gradient(y, distance)`
pub(super) fn gradient<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, distance] = arguments.bind("gradient", ["f", "distance"], 1, 2)?;
    let array = vector(state, "gradient", given(values)?.value)?;
    let distance = distance.map_or(Value::Float(S::one()), |distance| distance.value.clone());
    let distance = builtins::vectors::parameter(state, "the distance", &distance)?;
    let values = state.heap.array_values(&array);
    if values.len() < 2 {
        return Err(Fault::new(Code::LengthMismatch, "`gradient` needs two values"));
    }
    let last = values.len() - 1;
    let mut slopes = Vec::with_capacity(values.len());
    for at in 0..values.len() {
        let (before, behind) = (at.saturating_sub(1), (at + 1).min(last));
        let rise = kind::numpy_binary(state, Binary::Subtract, &values[behind], &values[before])?;
        let run = S::from_i64((behind - before) as i64).mul(&distance);
        let slope = kind::numpy_binary(state, Binary::Divide, &rise, &Value::NumpyFloat(run))?;
        slopes.push(kind::cast(state, &slope, Kind::Float)?);
    }
    let shape = vec![slopes.len()];
    create::new_array(state, slopes, shape, Kind::Float)
}

/// `np.trapezoid(y, x=None, dx=1)`: Σ (xᵢ₊₁ − xᵢ)·(yᵢ₊₁ + yᵢ)/2
pub(super) fn trapezoid<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [y, x, dx] = arguments.bind("trapezoid", ["y", "x", "dx"], 1, 3)?;
    let y = vector(state, "trapezoid", given(y)?.value)?;
    let y = state.heap.array_values(&y);
    let widths: Vec<Value<S>> = match x.filter(|x| !matches!(x.value, Value::None)) {
        Some(x) => {
            let x = functions::public_values(state, "trapezoid", x.value)?;
            if x.len() != y.len() {
                return Err(Fault::new(Code::LengthMismatch, "there are as many places as values"));
            }
            let pairs = x.windows(2);
            pairs.map(|pair| kind::numpy_binary(state, Binary::Subtract, &pair[1], &pair[0])).collect::<Outcome<_>>()?
        }
        None => {
            let width = dx.map_or(Value::NumpyFloat(S::one()), |dx| dx.value.clone());
            vec![width; y.len().saturating_sub(1)]
        }
    };
    let two = Value::NumpyFloat(S::from_i64(2));
    let mut parts = Vec::with_capacity(widths.len());
    for (pair, width) in y.windows(2).zip(&widths) {
        let sum = kind::numpy_binary(state, Binary::Add, &pair[0], &pair[1])?;
        let area = kind::numpy_binary(state, Binary::Multiply, &sum, width)?;
        parts.push(kind::numpy_binary(state, Binary::Divide, &area, &two)?);
    }
    float_sum(state, &parts)
}

/// `np.interp(x, xp, fp)`: straight lines between known places.
pub(super) fn interpolated<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [x, places, values] = arguments.bind("interp", ["x", "xp", "fp"], 3, 3)?;
    let wanted = create::as_array(state, given(x)?.value)?;
    functions::public_array(state, "interp", &wanted)?;
    let mut known = Vec::new();
    for place in functions::public_values(state, "interp", given(places)?.value)? {
        known.push(builtins::vectors::parameter(state, "a place", &place)?);
    }
    let values = vector(state, "interp", given(values)?.value)?;
    let values = state.heap.array_values(&values);
    if known.len() != values.len() || known.is_empty() || !known.windows(2).all(|pair| pair[0] < pair[1]) {
        let message = "the known places must increase, and there are as many values";
        return Err(Fault::new(Code::BadArgument, message));
    }
    elementwise::map_array(state, &wanted, Kind::Float, |state, at| {
        let at = builtins::vectors::parameter(state, "a place", at)?;
        let behind = known.partition_point(|place| *place <= at);
        if behind == 0 {
            return kind::cast(state, &values[0], Kind::Float);
        }
        if behind == known.len() {
            return kind::cast(state, &values[known.len() - 1], Kind::Float);
        }
        let (low, high) = (&known[behind - 1], &known[behind]);
        let share = at.sub(low).div(&high.sub(low));
        let weights = [Value::NumpyFloat(S::one().sub(&share)), Value::NumpyFloat(share)];
        let sum = arrays::inner_product(state, &values[behind - 1..=behind], &weights)?;
        kind::cast(state, &sum, Kind::Float)
    })
}

/// `np.histogram(x, bins=[…], weights=…)`: of numbers that are known, and the weights may be random; or of a discrete secret.
pub(super) fn histogram<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, bins, weights] = arguments.bind("histogram", ["a", "bins", "weights"], 2, 2)?;
    let (values, bins) = (given(values)?.value, given(bins)?);
    if !matches!(bins.value, Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_)) {
        let hint = "write the edges out: `bins=[0, 18, 65, 120]`";
        return Err(Fault::hinted(Code::BadArgument, "the edges of the bins are not given", hint));
    }
    let edges = functions::public_values(state, "histogram", bins.value)?;
    let mut known = Vec::new();
    for edge in &edges {
        known.push(builtins::vectors::parameter(state, "an edge", edge)?);
    }
    if known.len() < 2 || !known.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(Fault::new(Code::BadArgument, "the edges of the bins must increase"));
    }
    let weights = weights.filter(|weights| !matches!(weights.value, Value::None));
    if let (Value::Series(series), None) = (values, weights)
        && let Column::Choices(column) = &series.column
    {
        let counts = tables::categories::sums::choice_histogram(state, column, &known)?;
        let (counts, edges) = (create::array(state, counts)?, create::array(state, edges)?);
        return state.tuple(vec![counts, edges]);
    }
    let values = functions::public_values(state, "histogram", values)?;
    let weights = match weights {
        Some(weights) => {
            let weights = create::as_array(state, weights.value)?;
            Some(state.heap.array_values(&weights))
        }
        None => None,
    };
    if weights.as_ref().is_some_and(|weights| weights.len() != values.len()) {
        return Err(Fault::new(Code::LengthMismatch, "there is one weight for each value"));
    }
    let mut parts: Vec<Vec<Value<S>>> = vec![Vec::new(); known.len() - 1];
    for (at, value) in values.iter().enumerate() {
        let value = builtins::vectors::parameter(state, "a value", value)?;
        if let Some(part) = bin_of(&known, &value).and_then(|bin| parts.get_mut(bin)) {
            part.push(weights.as_ref().map_or(Value::NumpyInt(1), |weights| weights[at].clone()));
        }
    }
    let count = parts.len();
    let counts = match weights {
        None => {
            let counts = parts.iter().map(|part| Value::NumpyInt(part.len() as i64)).collect();
            create::new_array(state, counts, vec![count], Kind::Int)?
        }
        Some(_) => {
            let sums = parts.iter().map(|part| float_sum(state, part)).collect::<Outcome<Vec<_>>>()?;
            create::new_array(state, sums, vec![count], Kind::Float)?
        }
    };
    let edges = create::array(state, edges)?;
    state.tuple(vec![counts, edges])
}

/// The bin of a histogram that a value is in. The last one holds its upper edge too.
pub(in crate::evaluate) fn bin_of<S: Scalar>(edges: &[S], value: &S) -> Option<usize> {
    let last = edges.len() - 1;
    let behind = edges.partition_point(|edge| edge <= value);
    if *value == edges[last] { Some(last - 1) } else { behind.checked_sub(1).filter(|bin| *bin < last) }
}
