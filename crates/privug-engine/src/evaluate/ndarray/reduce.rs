//! Sums, means, products and extremes of arrays, over all elements or along axes.

use crate::sorting::CompactSort;
use std::cmp::Ordering;

use super::super::compare::compare_numbers;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::{Array, shape_text};
use super::kind::{Kind, too_large};
use super::subscript::distances;
use super::{create, kind, shape};
use crate::evaluate::{arithmetic, arrays, builtins, compare, containers};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// What becomes of the elements along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Reduction {
    Sum,
    Mean,
    Product,
    Min,
    Max,
    Any,
    All,
}

impl Reduction {
    fn name(self) -> &'static str {
        match self {
            Reduction::Sum => "sum",
            Reduction::Mean => "mean",
            Reduction::Product => "prod",
            Reduction::Min => "min",
            Reduction::Max => "max",
            Reduction::Any => "any",
            Reduction::All => "all",
        }
    }

    fn kind(self, kind: Kind) -> Kind {
        match self {
            Reduction::Sum | Reduction::Product => kind.max(Kind::Int),
            Reduction::Mean => Kind::Float,
            Reduction::Min | Reduction::Max => kind,
            Reduction::Any | Reduction::All => Kind::Bool,
        }
    }
}

/// Sums of up to so many doubles are made by eight accumulators, and longer ones of two halves: numpy's way, so that the
/// last digit is the same.
const PAIRWISE_BLOCK: usize = 128;

/// The axes that an argument names; all of them without one.
fn axes<S: Scalar>(state: &mut State<S>, axis: Option<&Value<S>>, dimensions: usize) -> Outcome<Vec<usize>> {
    let named = match axis {
        None | Some(Value::None) => return Ok((0..dimensions).collect()),
        Some(tuple @ Value::Tuple(_)) => containers::elements(state, tuple)?,
        Some(single) => vec![single.clone()],
    };
    let mut axes = Vec::new();
    for axis in &named {
        let axis = one_axis(axis, dimensions)?;
        if axes.contains(&axis) {
            return Err(Fault::new(Code::BadArgument, format!("axis {axis} is given twice")));
        }
        axes.push(axis);
    }
    axes.sort_unstable();
    Ok(axes)
}

pub(in super::super) fn one_axis<S: Scalar>(axis: &Value<S>, dimensions: usize) -> Outcome<usize> {
    let given = containers::whole(axis, "an axis")?;
    let axis = if given < 0 { given + dimensions as i64 } else { given };
    if (0..dimensions as i64).contains(&axis) {
        return Ok(axis as usize);
    }
    let message = format!("an array of {dimensions} dimensions has no axis {given}");
    Err(Fault::new(Code::BadArgument, message))
}

/// `np.sum(value, axis=…, keepdims=…)` and the like.
pub(in super::super) fn reduce<S: Scalar>(
    state: &mut State<S>,
    reduction: Reduction,
    value: &Value<S>,
    axis: Option<&Value<S>>,
    keep: bool,
) -> Outcome<Value<S>> {
    let array = create::as_array(state, value)?;
    let axes = axes(state, axis, array.shape.len())?;
    state.budget.spend_steps(array.size() as u64)?;
    if axes.len() == array.shape.len() && !keep && array.is_contiguous() && array.size() > 0 {
        // Adding single values looks at no list, so this one may be missing meanwhile.
        let elements = std::mem::take(&mut state.heap.sequences[array.buffer as usize]);
        let part = &elements[array.offset..array.offset + array.size()];
        let result = reduce_lane(state, reduction, part, part.len(), array.kind);
        state.heap.sequences[array.buffer as usize] = elements;
        return result;
    }
    let (rest, mut lane, chunk) = lanes(&array, &axes);
    // numpy goes through memory upwards, also where the array goes down.
    let down = array
        .shape
        .iter()
        .zip(&array.strides)
        .enumerate()
        .any(|(axis, (length, stride))| axes.contains(&axis) && *length > 1 && *stride < 0);
    if down {
        lane = upwards(&array, &axes);
    }
    let mut results = Vec::with_capacity(rest.size());
    for start in rest.positions() {
        let elements = state.heap.sequence(array.buffer);
        let values: Vec<Value<S>> =
            lane.iter().map(|distance| elements[(start as isize + distance) as usize].clone()).collect();
        results.push(reduce_lane(state, reduction, &values, chunk, array.kind)?);
    }
    let mut shape = rest.shape;
    if keep {
        axes.iter().for_each(|axis| shape.insert(*axis, 1));
    }
    create::new_array(state, results, shape, reduction.kind(array.kind))
}

/// All elements of one lane; `chunk` of them lie one behind the other in memory.
fn reduce_lane<S: Scalar>(
    state: &mut State<S>,
    reduction: Reduction,
    values: &[Value<S>],
    chunk: usize,
    kind: Kind,
) -> Outcome<Value<S>> {
    if kind == Kind::Text {
        let message = format!("`{}` of an array of strings", reduction.name());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    let is_random = values.iter().any(|value| value.as_random().is_some());
    let nothing = || {
        let message = format!("the `{}` of nothing", reduction.name());
        Fault::hinted(Code::DivisionByZero, message, "is a list empty?")
    };
    match reduction {
        Reduction::Sum if is_random => arrays::sum_values(state, values, Value::Int(0)),
        Reduction::Sum => sum_lane(state, values, chunk, kind),
        Reduction::Mean if values.is_empty() => Err(nothing()),
        Reduction::Mean => {
            let total = if is_random {
                arrays::sum_values(state, values, Value::Int(0))?
            } else {
                sum_lane(state, values, chunk, Kind::Float)?
            };
            let count = Value::NumpyFloat(S::from_i64(values.len() as i64));
            arithmetic::binary(state, Binary::Divide, &total, &count)
        }
        Reduction::Product => {
            let one = if kind == Kind::Float { Value::NumpyFloat(S::one()) } else { Value::NumpyInt(1) };
            values.iter().try_fold(one, |product, value| kind::numpy_binary(state, Binary::Multiply, &product, value))
        }
        Reduction::Min | Reduction::Max => {
            if is_random {
                let message = format!("the `{}` of random variables is not Gaussian", reduction.name());
                let hint = "only sums, differences and multiples of random variables are";
                return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
            }
            let wanted = if reduction == Reduction::Min { Ordering::Less } else { Ordering::Greater };
            let mut best: Option<&Value<S>> = None;
            for value in values {
                let order = best.and_then(|best| {
                    let (a, b) = state.number(value).zip(state.number(best))?;
                    compare_numbers(&a, &b)
                });
                if best.is_none() || order == Some(wanted) {
                    best = Some(value);
                }
            }
            best.cloned().ok_or_else(nothing)
        }
        Reduction::Any | Reduction::All => {
            let mut result = reduction == Reduction::All;
            for value in values {
                let truth = compare::truth(state, value)?;
                result = if reduction == Reduction::All { result && truth } else { result || truth };
            }
            Ok(Value::NumpyBool(result))
        }
    }
}

/// The sum of plain numbers.
fn sum_lane<S: Scalar>(state: &mut State<S>, values: &[Value<S>], chunk: usize, kind: Kind) -> Outcome<Value<S>> {
    if kind != Kind::Float {
        let mut total = 0i64;
        for value in values {
            let value = match value {
                Value::NumpyInt(value) => *value,
                Value::NumpyBool(value) => i64::from(*value),
                _ => return Err(too_large()),
            };
            total = total.checked_add(value).ok_or_else(too_large)?;
        }
        return Ok(Value::NumpyInt(total));
    }
    let scalars: Vec<S> =
        values.iter().map(|value| builtins::vectors::parameter(state, "an element", value)).collect::<Outcome<_>>()?;
    let mut total = S::zero();
    for part in scalars.chunks(chunk.max(1)) {
        total = total.add(&pairwise(part));
    }
    state.finite(total).map(Value::NumpyFloat)
}

/// `np.cumsum(value, axis=…)`
pub(in super::super) fn cumulative<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    axis: Option<&Value<S>>,
) -> Outcome<Value<S>> {
    let array = create::as_array(state, value)?;
    if array.kind == Kind::Text {
        return Err(Fault::new(Code::TypeMismatch, "`cumsum` of an array of strings"));
    }
    let kind = array.kind.max(Kind::Int);
    state.budget.spend_steps(array.size() as u64)?;
    let (array, axis) = match axis {
        None | Some(Value::None) => (shape::flat_array(state, &array)?, 0),
        Some(axis) => {
            let axis = one_axis(axis, array.shape.len())?;
            (array, axis)
        }
    };
    let (rest, lane, _) = lanes_along(&array, axis);
    let mut results = vec![Value::None; array.size()];
    // Where the lane's elements are in the result, which lies row by row.
    let plain = Array::rows(0, array.shape.clone(), kind);
    let (plain_rest, plain_lane, _) = lanes_along(&plain, axis);
    for (start, plain_start) in rest.positions().zip(plain_rest.positions()) {
        let mut total: Option<Value<S>> = None;
        for (distance, plain_distance) in lane.iter().zip(&plain_lane) {
            let place = (start as isize + distance) as usize;
            let value = state.heap.sequence(array.buffer)[place].clone();
            let next = match total {
                Some(total) => kind::numpy_binary(state, Binary::Add, &total, &value)?,
                None => kind::cast(state, &value, kind)?,
            };
            results[(plain_start as isize + plain_distance) as usize] = next.clone();
            total = Some(next);
        }
    }
    create::new_array(state, results, array.shape, kind)
}

/// `np.average(values, axis=…, weights=…)` = Σ wᵢxᵢ / Σ wᵢ
pub(in super::super) fn weighted_average<S: Scalar>(
    state: &mut State<S>,
    values: &Value<S>,
    axis: Option<&Value<S>>,
    weights: &Value<S>,
) -> Outcome<Value<S>> {
    let (array, mut factors) = (create::as_array(state, values)?, create::as_array(state, weights)?);
    if factors.shape != array.shape {
        let axis = match axis {
            Some(axis) if !matches!(axis, Value::None) => one_axis(axis, array.shape.len())?,
            _ => {
                let message = format!(
                    "values of shape {} have weights of shape {}",
                    shape_text(&array.shape),
                    shape_text(&factors.shape)
                );
                return Err(Fault::hinted(Code::LengthMismatch, message, "say which `axis` the weights are for"));
            }
        };
        if factors.shape != [array.shape[axis]] {
            let message =
                format!("{} weights for {} values along axis {axis}", shape_text(&factors.shape), array.shape[axis]);
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        // One weight for each place of the axis.
        let mut strides = vec![0; array.shape.len()];
        strides[axis] = factors.strides[0];
        factors = Array { shape: array.shape.clone(), strides, ..factors };
    }
    let (array, factors) = (create::view(state, array)?, create::view(state, factors)?);
    let zero = Value::NumpyFloat(S::zero());
    let factors = arithmetic::binary(state, Binary::Add, &factors, &zero)?;
    let products = arithmetic::binary(state, Binary::Multiply, &array, &factors)?;
    let total = reduce(state, Reduction::Sum, &products, axis, false)?;
    let weight = reduce(state, Reduction::Sum, &factors, axis, false)?;
    arithmetic::binary(state, Binary::Divide, &total, &weight)
}

/// Σ values, in the order of numpy.
fn pairwise<S: Scalar>(values: &[S]) -> S {
    let count = values.len();
    let sum = |part: &[S]| part.iter().skip(1).fold(part[0].clone(), |total, value| total.add(value));
    if count == 0 {
        return S::zero();
    }
    if count < 8 {
        return sum(values);
    }
    if count > PAIRWISE_BLOCK {
        let half = count / 2;
        let half = half - half % 8;
        return pairwise(&values[..half]).add(&pairwise(&values[half..]));
    }
    let mut sums = values[..8].to_vec();
    let blocks = count - count % 8;
    for block in values[8..blocks].chunks(8) {
        for (total, value) in sums.iter_mut().zip(block) {
            *total = total.add(value);
        }
    }
    let pair = |a: usize| sums[a].add(&sums[a + 1]);
    let total = pair(0).add(&pair(2)).add(&pair(4).add(&pair(6)));
    values[blocks..].iter().fold(total, |total, value| total.add(value))
}

/// How far a lane's elements are from its start, in the order of memory.
fn upwards(array: &Array, axes: &[usize]) -> Vec<isize> {
    let mut start = 0;
    let mut dimensions: Vec<(usize, isize)> = Vec::new();
    for axis in axes {
        let (length, stride) = (array.shape[*axis], array.strides[*axis]);
        if stride < 0 && length > 0 {
            start += (length as isize - 1) * stride;
        }
        dimensions.push((length, stride.abs()));
    }
    dimensions.sort_compact_by_key(|(_, stride)| std::cmp::Reverse(*stride));
    distances(&dimensions).into_iter().map(|distance| start + distance).collect()
}

fn lanes_along(array: &Array, axis: usize) -> (Array, Vec<isize>, usize) {
    lanes(array, &[axis])
}

/// The places that lanes along the axes start at, as an array of the other dimensions, how far a lane's elements are from
/// its start, and how many of them are added up as one piece by numpy. It goes through memory in its order.
fn lanes(array: &Array, axes: &[usize]) -> (Array, Vec<isize>, usize) {
    let dimensions = |is_reduced: bool| {
        (0..array.shape.len()).filter(move |axis| axes.contains(axis) == is_reduced).collect::<Vec<_>>()
    };
    let rest = array.permuted(&dimensions(false));
    let mut reduced: Vec<(usize, isize)> =
        dimensions(true).iter().map(|axis| (array.shape[*axis], array.strides[*axis])).collect();
    if axes.len() > 1 {
        reduced.sort_compact_by_key(|(_, stride)| std::cmp::Reverse(stride.unsigned_abs()));
    }
    let smallest = |dimensions: &[(usize, isize)]| {
        let long = dimensions.iter().filter(|(length, _)| *length > 1);
        long.map(|(_, stride)| stride.unsigned_abs()).min()
    };
    let others: Vec<(usize, isize)> = rest.shape.iter().copied().zip(rest.strides.iter().copied()).collect();
    let is_inner = match (smallest(&reduced), smallest(&others)) {
        (Some(own), Some(other)) => own < other,
        _ => true,
    };
    let mut chunk = 1;
    if is_inner {
        let mut expected = None;
        for (length, stride) in reduced.iter().rev().filter(|(length, _)| *length > 1) {
            if expected.is_some_and(|expected| expected != stride.abs()) {
                break;
            }
            chunk *= length;
            expected = Some(stride.abs() * *length as isize);
        }
    }
    let lane = distances(&reduced);
    (rest, lane, chunk)
}
