//! Where values are: among edges, in their order, at an extreme. The values are known.

use std::cmp::Ordering;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::kind::Kind;
use super::{create, elementwise, functions};
use crate::evaluate::{builtins, compare, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Comparison;

/// `np.digitize(x, bins)`: the number of edges up to each value.
pub(super) fn digitized<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, bins, right] = arguments.bind("digitize", ["x", "bins", "right"], 2, 3)?;
    let right = right.map_or(Ok(false), |right| compare::truth(state, right.value))?;
    places_among(state, "digitize", given(bins)?.value, given(values)?.value, !right)
}

/// `np.searchsorted(a, v, side="left")`
pub(super) fn search_sorted<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [sorted, values, side] = arguments.bind("searchsorted", ["a", "v", "side"], 2, 3)?;
    let behind = side.is_some_and(|side| text::show(state, side.value) == "right");
    places_among(state, "searchsorted", given(sorted)?.value, given(values)?.value, behind)
}

fn places_among<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    sorted: &Value<S>,
    values: &Value<S>,
    behind: bool,
) -> Outcome<Value<S>> {
    let mut edges = Vec::new();
    for edge in functions::public_values(state, name, sorted)? {
        edges.push(builtins::vectors::parameter(state, "an edge", &edge)?);
    }
    if !edges.windows(2).all(|pair| pair[0] <= pair[1]) {
        return Err(Fault::new(Code::BadArgument, "the edges must increase"));
    }
    let wanted = create::as_array(state, values)?;
    functions::public_array(state, name, &wanted)?;
    elementwise::map_array(state, &wanted, Kind::Int, |state, value| {
        let value = builtins::vectors::parameter(state, "a value", value)?;
        let is_before = |edge: &S| if behind { *edge <= value } else { *edge < value };
        Ok(Value::NumpyInt(edges.partition_point(is_before) as i64))
    })
}

/// The positions of values in increasing order; equal ones as they stand.
pub(super) fn order_of<S: Scalar>(state: &mut State<S>, values: &[Value<S>]) -> Outcome<Vec<usize>> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    state.budget.spend_steps(values.len() as u64 * u64::from(values.len().max(2).ilog2()))?;
    let mut failure = None;
    order.sort_by(|a, b| {
        if failure.is_some() {
            return Ordering::Equal;
        }
        compare::order(state, Comparison::Less, &values[*a].plain(), &values[*b].plain()).unwrap_or_else(|fault| {
            failure.get_or_insert(fault);
            Ordering::Equal
        })
    });
    failure.map_or(Ok(order), Err)
}

/// `np.argsort(a)`: of different values, or in a stable order.
pub(super) fn sorting_order<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, kind] = arguments.bind("argsort", ["a", "kind"], 1, 1)?;
    let is_stable = kind.is_some_and(|kind| matches!(text::show(state, kind.value).as_str(), "stable" | "mergesort"));
    let values = functions::public_values(state, "argsort", given(values)?.value)?;
    let order = order_of(state, &values)?;
    for pair in order.windows(2).filter(|_| !is_stable) {
        if compare::equal(state, &values[pair[0]].plain(), &values[pair[1]].plain(), 0)? {
            let hint = "write `kind=\"stable\"`";
            return Err(Fault::hinted(Code::BadArgument, "the order of equal values is not defined", hint));
        }
    }
    let shape = vec![order.len()];
    create::new_array(state, order.into_iter().map(|at| Value::NumpyInt(at as i64)).collect(), shape, Kind::Int)
}

pub(super) fn place_of_extreme<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    largest: bool,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let values = functions::public_values(state, name, arguments.one(name)?)?;
    let mut best: Option<usize> = None;
    for at in 0..values.len() {
        let better = match best {
            None => true,
            Some(best) => {
                let order = compare::order(state, Comparison::Less, &values[at].plain(), &values[best].plain())?;
                if largest { order.is_gt() } else { order.is_lt() }
            }
        };
        if better {
            best = Some(at);
        }
    }
    let best = best.ok_or_else(|| Fault::new(Code::BadArgument, format!("`{name}` of nothing")))?;
    Ok(Value::NumpyInt(best as i64))
}
