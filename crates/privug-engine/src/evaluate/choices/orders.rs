//! The k-th smallest of many choices: never written out, because it is at most t where more than k of them are.

use crate::sorting::CompactSort;
use std::collections::HashMap;
use std::rc::Rc;

use super::{Chosen, UNBOUND_LEAF};
use super::{lift, sums};
use crate::choices::{Diagram, Law};
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{choices, compare, containers};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, Comparison};

/// The choices that an order statistic is one of.
#[derive(Debug, Clone)]
pub struct Ordered {
    /// The values, which ask no sums and no other order statistics.
    pub elements: Rc<[Diagram]>,
    /// The place of each leaf among all values that there can be, least first.
    pub ranks: Rc<HashMap<u32, u32>>,
    /// How many different values there can be.
    pub values: u32,
}

/// An order statistic: its choice's answers are places among the values that there can be.
#[derive(Debug, Clone)]
pub struct OrderStatistic {
    /// Of what it is one.
    pub of: Rc<Ordered>,
    /// How many are before it.
    pub position: usize,
}

/// Lists with fewer combinations are sorted in each of them.
const SMALL: f64 = 600.0;
/// Fewer elements than these are compared one after the other to find the largest.
const FEW: usize = 12;
/// Sums with more values are not written down as keys.
const MAX_SUM: i64 = 4096;
/// Places and values of order statistics that are written down.
const MAX_EDGES: usize = 4_000_000;

/// `sorted(list)` where elements depend on choices.
pub(super) fn sorted_choices<S: Scalar>(state: &mut State<S>, list: &Value<S>) -> Outcome<Vec<Value<S>>> {
    let elements = containers::elements(state, list)?;
    if let Some((ordered, leaves)) = to_order(state, &elements)? {
        if leaves.len().saturating_mul(elements.len()) > MAX_EDGES {
            return Err(choices::too_wide(state, crate::choices::TooWide, &ordered.elements));
        }
        let positions = 0..elements.len();
        return positions.map(|position| order_statistic(state, &ordered, &leaves, position)).collect();
    }
    exchanged(state, elements)
}

/// `sorted(tuples)` where their parts depend on choices; `None` if they are not found as order statistics.
pub(super) fn sorted_tuples<S: Scalar>(state: &mut State<S>, list: &Value<S>) -> Outcome<Option<Vec<Value<S>>>> {
    let mut elements = containers::elements(state, list)?;
    if !elements.iter().all(|element| matches!(element, Value::Tuple(_))) {
        return Ok(None);
    }
    for element in &mut elements {
        *element = lift::expanded(state, element, 0)?;
    }
    let Some((ordered, leaves)) = to_order(state, &elements)? else { return Ok(None) };
    if leaves.len().saturating_mul(elements.len()) > MAX_EDGES {
        return Ok(None);
    }
    let positions = 0..elements.len();
    positions.map(|position| order_statistic(state, &ordered, &leaves, position)).collect::<Outcome<_>>().map(Some)
}

/// `sorted(xs, key=f)` where the key tells which element it is, such as `-x`: the keys are sorted, and each stands for its
/// element. `None` if several elements have the same key, or if there are few combinations.
pub(super) fn sorted_by_telling_key<S: Scalar>(
    state: &mut State<S>,
    keyed: &[(Value<S>, Value<S>)],
    reverse: bool,
) -> Outcome<Option<Vec<Value<S>>>> {
    if state.worlds.are_split() {
        return Ok(None);
    }
    // Each element is a number here: the place of its key among all keys.
    let mut keys: HashMap<u32, u32> = HashMap::new();
    let mut products = Vec::with_capacity(keyed.len());
    let mut worlds = 1.0f64;
    for (key, element) in keyed {
        let is_long = |value: &Value<S>| match value {
            Value::Choice(Chosen::Sum(sum)) => {
                sums::sum_range(state, *sum).is_none_or(|(low, high)| high.saturating_sub(low) > MAX_SUM)
            }
            _ => false,
        };
        if is_long(key) || is_long(element) {
            return Ok(None);
        }
        let (key, element) = (lift::expanded(state, key, 0)?, lift::expanded(state, element, 0)?);
        let pair = [choices::diagram_of(state, &element)?, choices::diagram_of(state, &key)?];
        let product = state.worlds.diagrams.product(Diagram::TRUE, &pair);
        let (product, tuples) = product.map_err(|too_wide| choices::too_wide(state, too_wide, &pair))?;
        for tuple in &tuples {
            if *keys.entry(tuple[0]).or_insert(tuple[1]) != tuple[1] || tuple.contains(&UNBOUND_LEAF) {
                return Ok(None);
            }
        }
        worlds *= tuples.len() as f64;
        products.push((product, tuples));
    }
    if worlds <= SMALL {
        return Ok(None);
    }
    let mut told: Vec<(u32, u32)> = keys.into_iter().map(|(element, key)| (key, element)).collect();
    told.sort_unstable();
    let mut failure = None;
    let values: Vec<Value<S>> = state.worlds.leaves.clone();
    told.sort_compact_by(|(a, _), (b, _)| {
        let order = compare::order(state, Comparison::Less, &values[*a as usize], &values[*b as usize]);
        order.unwrap_or_else(|fault| {
            failure.get_or_insert(fault);
            std::cmp::Ordering::Equal
        })
    });
    if let Some(fault) = failure {
        return Err(fault);
    }
    for pair in told.windows(2) {
        let [a, b] = [pair[0].0, pair[1].0].map(|leaf| values[leaf as usize].clone());
        if compare::equal(state, &a, &b, 0)? {
            return Ok(None);
        }
    }
    if reverse {
        told.reverse();
    }
    let places: HashMap<u32, i64> = told.iter().zip(0..).map(|((_, element), place)| (*element, place)).collect();
    let mut numbers = Vec::with_capacity(products.len());
    for (product, tuples) in products {
        let places: Vec<Diagram> = tuples
            .iter()
            .map(|tuple| Diagram::leaf(choices::leaf(state, &Value::Int(places.get(&tuple[0]).copied().unwrap_or(0)))))
            .collect();
        let number = state.worlds.diagrams.relabel(product, &mut |leaf| Ok(places[leaf as usize]));
        let number = number.map_err(|too_wide| choices::too_wide(state, too_wide, &[product]))?;
        numbers.push(choices::settle(state, number));
    }
    let Some((ordered, leaves)) = to_order(state, &numbers)? else { return Ok(None) };
    if leaves.len().saturating_mul(numbers.len()) > MAX_EDGES {
        return Ok(None);
    }
    let mut sorted = Vec::with_capacity(numbers.len());
    for position in 0..numbers.len() {
        let place = order_statistic(state, &ordered, &leaves, position)?;
        sorted.push(lift::lift(state, &[place], false, &mut |_, place| {
            let place = containers::whole(&place[0], "a place")? as usize;
            Ok(values[told[place].1 as usize].clone())
        })?);
    }
    Ok(Some(sorted))
}

/// Neighbours are exchanged until all are in order, so that no more than two are looked at at once.
fn exchanged<S: Scalar>(state: &mut State<S>, mut elements: Vec<Value<S>>) -> Outcome<Vec<Value<S>>> {
    for end in (1..elements.len()).rev() {
        for place in 0..end {
            let pair = [elements[place].clone(), elements[place + 1].clone()];
            elements[place] = folded_extreme(state, Builtin::Min, &pair)?;
            // Of two that are equal, the second stays behind the first.
            let pair = [pair[1].clone(), pair[0].clone()];
            elements[place + 1] = folded_extreme(state, Builtin::Max, &pair)?;
        }
    }
    Ok(elements)
}

/// `min` and `max` of values that may depend on choices.
pub(super) fn extreme_of<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    elements: &[Value<S>],
) -> Outcome<Value<S>> {
    if elements.len() >= FEW
        && let Some((ordered, leaves)) = to_order(state, elements)?
    {
        let position = if builtin == Builtin::Min { 0 } else { elements.len() - 1 };
        return order_statistic(state, &ordered, &leaves, position);
    }
    folded_extreme(state, builtin, elements)
}

fn folded_extreme<S: Scalar>(state: &mut State<S>, builtin: Builtin, elements: &[Value<S>]) -> Outcome<Value<S>> {
    let Some((first, rest)) = elements.split_first() else {
        return Err(Fault::new(Code::BadArgument, "there is no smallest or largest element of nothing"));
    };
    let operator = if builtin == Builtin::Min { Comparison::Less } else { Comparison::Greater };
    let mut best = first.clone();
    for element in rest {
        let pair = [best, element.clone()];
        best = lift::lift(state, &pair, false, &mut |state, pair| {
            let better = compare::compare(state, operator, &pair[1], &pair[0])?;
            Ok(if compare::truth(state, &better)? { pair[1].clone() } else { pair[0].clone() })
        })?;
    }
    Ok(best)
}

/// The elements as what order statistics are found in, and the values in their order; `None` if they are few, or not
/// numbers of one kind, or depend on sums.
fn to_order<S: Scalar>(state: &mut State<S>, elements: &[Value<S>]) -> Outcome<Option<(Rc<Ordered>, Vec<u32>)>> {
    if state.worlds.are_split() {
        return Ok(None);
    }
    let mut diagrams = Vec::with_capacity(elements.len());
    let mut worlds = 1.0f64;
    let mut all: Vec<u32> = Vec::new();
    for element in elements {
        if let Value::Choice(Chosen::Sum(_)) = element {
            return Ok(None);
        }
        let diagram = choices::diagram_of(state, element)?;
        let leaves = state.worlds.diagrams.leaves_of(diagram);
        worlds *= leaves.len() as f64;
        all.extend(leaves);
        diagrams.push(diagram);
    }
    all.sort_unstable();
    all.dedup();
    if worlds <= SMALL || all.contains(&UNBOUND_LEAF) {
        return Ok(None);
    }
    let kind = |leaf: &u32| kind_of(state, &state.worlds.leaves[*leaf as usize]);
    // Equal values of several kinds would be told apart by where they come from.
    let first = all.first().and_then(kind);
    if first.is_none() || all.iter().any(|leaf| kind(leaf) != first) {
        return Ok(None);
    }
    let is_open = |law: &Law<S>| matches!(law, Law::Sum(_) | Law::Order(_) | Law::Derived(..));
    let choices = state.worlds.diagrams.choices_of(&diagrams);
    if choices.iter().any(|choice| is_open(&state.worlds.laws[*choice as usize])) {
        return Ok(None);
    }
    let mut failure = None;
    let values: Vec<Value<S>> = state.worlds.leaves.clone();
    all.sort_compact_by(|a, b| {
        compare::order(state, Comparison::Less, &values[*a as usize], &values[*b as usize]).unwrap_or_else(|fault| {
            failure.get_or_insert(fault);
            std::cmp::Ordering::Equal
        })
    });
    if let Some(fault) = failure {
        return Err(fault);
    }
    // The same list again is the same people.
    let known = state.worlds.orders.last().map(|order| &order.of).filter(|of| *of.elements == diagrams[..]);
    if let Some(known) = known {
        return Ok(Some((Rc::clone(known), all)));
    }
    state.budget.spend_elements(diagrams.len() as u64)?;
    let ranks = all.iter().enumerate().map(|(rank, leaf)| (*leaf, rank as u32)).collect();
    let ordered = Ordered { elements: diagrams.into(), ranks: Rc::new(ranks), values: all.len() as u32 };
    Ok(Some((Rc::new(ordered), all)))
}

/// What an element is, so that two of a kind are equal only if they are the same; `None` if that is not known.
fn kind_of<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<Vec<u8>> {
    Some(match value {
        Value::Bool(_) => vec![0],
        Value::Int(_) => vec![1],
        Value::Float(_) => vec![2],
        Value::NumpyBool(_) => vec![3],
        Value::NumpyInt(_) => vec![4],
        Value::NumpyFloat(_) => vec![5],
        Value::Text(_) => vec![6],
        Value::Tuple(handle) => {
            let mut kinds = vec![7];
            for part in state.heap.sequence(*handle) {
                if matches!(part, Value::Tuple(_)) {
                    return None;
                }
                kinds.extend(kind_of(state, part)?);
            }
            kinds
        }
        _ => return None,
    })
}

fn order_statistic<S: Scalar>(
    state: &mut State<S>,
    ordered: &Rc<Ordered>,
    leaves: &[u32],
    position: usize,
) -> Outcome<Value<S>> {
    let is_known = |order: &OrderStatistic| order.position == position && Rc::ptr_eq(&order.of, ordered);
    if let Some(number) = state.worlds.orders.iter().position(is_known)
        && let Some(diagram) = state.worlds.order_values.get(number)
    {
        return Ok(choices::settle(state, *diagram));
    }
    let statistic = OrderStatistic { of: Rc::clone(ordered), position };
    state.worlds.orders.push(statistic);
    let given = Law::Order(state.worlds.orders.len() as u32 - 1);
    let choice = choices::new_choice(state, given)?;
    let edges = leaves.iter().enumerate().map(|(rank, leaf)| (rank as i64, Diagram::leaf(*leaf)));
    let diagram = state.worlds.diagrams.decide(choice, edges);
    let diagram = diagram.map_err(|too_wide| choices::too_wide(state, too_wide, &[]))?;
    state.worlds.order_values.push(diagram);
    Ok(choices::settle(state, diagram))
}

/// `min` or `max` by keys that may depend on choices; the first of several is taken.
pub(in crate::evaluate) fn extreme_by_key<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    keyed: Vec<(Value<S>, Value<S>)>,
) -> Outcome<Value<S>> {
    let operator = if builtin == Builtin::Min { Comparison::Less } else { Comparison::Greater };
    let mut all = keyed.into_iter();
    let Some((mut best_key, mut best)) = all.next() else {
        return Err(Fault::new(Code::BadArgument, "an extreme of nothing"));
    };
    for (key, element) in all {
        let better = compare::compare(state, operator, &key, &best_key)?;
        let event = choices::truth_event(state, &better)?;
        best_key = lift::either(state, event, &key, &best_key)?;
        best = lift::either(state, event, &element, &best)?;
    }
    Ok(best)
}
