//! Sums of choices that are not worked out: the number of people who answered yes is one sum of a million summands.

use crate::sorting::CompactSort;
use std::collections::HashMap;
use std::rc::Rc;

use dashu_int::IBig;

use super::Chosen;
use super::{operators, picks};
use crate::choices::{Diagram, Law, TooWide};
use crate::evaluate::choices;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

/// How a sum is put together. Parts are shared, and numbers refer to earlier sums only.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sum {
    Number(i64),
    /// A diagram whose leaves are integers and booleans.
    Of(Diagram),
    /// The answer of a choice, which is not spelled out.
    Answer(u32),
    Plus(u32, u32),
    Times(u32, i64),
    /// All diagrams of a list, by its number.
    All(u32),
}

/// A sum taken apart: a number, and diagrams or answers with their factors.
#[derive(Debug, Clone, Default)]
pub(in crate::evaluate) struct Terms {
    pub(in crate::evaluate) number: i64,
    pub(in crate::evaluate) diagrams: Vec<(Diagram, i64)>,
    pub(in crate::evaluate) answers: Vec<(u32, i64)>,
}

/// Sums whose diagram would have more nodes are choices of their own.
const MAX_EXPANDED: i64 = 100_000;
/// The same for its edges.
const MAX_EXPANDED_EDGES: i64 = 4_000_000;
/// Sums with more terms are not written out in order to be compared or published.
const SMALL: usize = 64;
/// A sum of fewer terms is never wide, and one with more partial sums than this is.
const FEW_TERMS: usize = 8;
const WIDE: i64 = 5000;
/// The same for sums whose value was seen when they were published.
const SMALL_IF_PUBLISHED: usize = 8;
/// More values of a sum are not written out.
const MAX_VALUES: i64 = 1 << 20;

pub(super) fn add_sum<S: Scalar>(state: &mut State<S>, sum: Sum) -> Outcome<u32> {
    state.budget.spend_elements(1)?;
    state.worlds.sums.push(sum);
    Ok(state.worlds.sums.len() as u32 - 1)
}

/// A value as a sum, if it is an integer in all worlds.
fn as_sum<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Option<u32>> {
    let sum = match value {
        Value::Choice(Chosen::Sum(sum)) => return Ok(Some(*sum)),
        Value::Choice(Chosen::Diagram(diagram)) if is_integral(state, *diagram) => Sum::Of(*diagram),
        Value::Choice(Chosen::Pick(pick)) => Sum::Of(picks::expand_pick(state, *pick)?),
        Value::Int(value) | Value::NumpyInt(value) => Sum::Number(*value),
        Value::Bool(value) | Value::NumpyBool(value) => Sum::Number(i64::from(*value)),
        Value::Counted(counted) => Sum::Number(counted.count),
        _ => return Ok(None),
    };
    add_sum(state, sum).map(Some)
}

pub(super) fn is_integral<S: Scalar>(state: &mut State<S>, diagram: Diagram) -> bool {
    if let Some(known) = state.worlds.integral.get(&diagram) {
        return *known;
    }
    let leaves = state.worlds.diagrams.leaves_of(diagram);
    let integral = leaves.iter().all(|leaf| {
        matches!(
            state.worlds.leaves[*leaf as usize],
            Value::Bool(_) | Value::Int(_) | Value::NumpyBool(_) | Value::NumpyInt(_)
        )
    });
    state.worlds.integral.insert(diagram, integral);
    integral
}

/// Sums, differences and multiples of integers, if this is one.
pub(super) fn sum_of<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let number = |value: &Value<S>| match value {
        Value::Int(value) | Value::NumpyInt(value) => Some(*value),
        Value::Bool(value) | Value::NumpyBool(value) => Some(i64::from(*value)),
        _ => None,
    };
    let picked = match (operator, left, right) {
        (Binary::Add, Value::Choice(Chosen::Pick(pick)), Value::Int(more))
        | (Binary::Add, Value::Int(more), Value::Choice(Chosen::Pick(pick))) => Some((*pick, *more)),
        (Binary::Subtract, Value::Choice(Chosen::Pick(pick)), Value::Int(less)) => {
            less.checked_neg().map(|more| (*pick, more))
        }
        _ => None,
    };
    if let Some((pick, more)) = picked
        && let Some(sum) = picks::pick_plus(state, pick, more)?
    {
        return Ok(Some(sum));
    }
    let sum = match operator {
        Binary::Add | Binary::Subtract => {
            let (Some(a), Some(b)) = (as_sum(state, left)?, as_sum(state, right)?) else { return Ok(None) };
            let b = if operator == Binary::Subtract { add_sum(state, Sum::Times(b, -1))? } else { b };
            Sum::Plus(a, b)
        }
        Binary::Multiply => {
            let (sum, factor) = match (number(left), number(right)) {
                (Some(factor), None) => (as_sum(state, right)?, factor),
                (None, Some(factor)) => (as_sum(state, left)?, factor),
                _ => return Ok(None),
            };
            let Some(sum) = sum else { return Ok(None) };
            Sum::Times(sum, factor)
        }
        Binary::Divide | Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => {
            return Ok(None);
        }
    };
    let sum = add_sum(state, sum)?;
    Ok(Some(Value::Choice(Chosen::Sum(sum))))
}

/// `otherwise` plus something in the worlds of an event, if `then` was made from `otherwise` by adding to it.
pub(super) fn grown_sum<S: Scalar>(
    state: &mut State<S>,
    event: Diagram,
    then: &Value<S>,
    otherwise: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let Value::Choice(Chosen::Sum(grown)) = then else { return Ok(None) };
    let Sum::Plus(before, more) = state.worlds.sums[*grown as usize] else { return Ok(None) };
    let is_before = match (otherwise, state.worlds.sums[before as usize]) {
        (Value::Choice(Chosen::Sum(otherwise)), _) => *otherwise == before,
        (Value::Choice(Chosen::Diagram(otherwise)), Sum::Of(diagram)) => *otherwise == diagram,
        _ => false,
    };
    if !is_before {
        return Ok(None);
    }
    let added = match state.worlds.sums[more as usize] {
        Sum::Number(number) => {
            let of = add_sum(state, Sum::Of(event))?;
            add_sum(state, Sum::Times(of, number))?
        }
        _ => {
            let more = expand_sum(state, more)?;
            let zero = Diagram::leaf(choices::leaf(state, &Value::Int(0)));
            let either = state.worlds.diagrams.either(event, more, zero);
            let either = either.map_err(|too_wide| choices::too_wide(state, too_wide, &[event, more]))?;
            add_sum(state, Sum::Of(either))?
        }
    };
    let sum = add_sum(state, Sum::Plus(before, added))?;
    Ok(Some(Value::Choice(Chosen::Sum(sum))))
}

/// The terms of a sum, equal ones together.
pub(in crate::evaluate) fn terms<S: Scalar>(state: &State<S>, sum: u32) -> Outcome<Rc<Terms>> {
    if let Some(known) = state.worlds.terms.borrow().get(&sum) {
        return Ok(Rc::clone(known));
    }
    let (terms, walked) = gather_terms(state, sum)?;
    let terms = Rc::new(terms);
    // A sum that grows step by step is not walked again from its beginning.
    if terms.diagrams.len().max(walked) > SMALL {
        state.worlds.terms.borrow_mut().insert(sum, Rc::clone(&terms));
    }
    Ok(terms)
}

/// The terms, and how many parts were looked at.
fn gather_terms<S: Scalar>(state: &State<S>, sum: u32) -> Outcome<(Terms, usize)> {
    let overflow = || Fault::new(Code::Overflow, "a sum of choices is too large for an integer");
    let mut number = 0i64;
    let (mut diagrams, mut answers): (Vec<(Diagram, i64)>, Vec<(u32, i64)>) = (Vec::new(), Vec::new());
    let mut open = vec![(sum, 1i64)];
    let mut walked = 0;
    while let Some((sum, factor)) = open.pop() {
        walked += 1;
        if let Some(known) = state.worlds.terms.borrow().get(&sum) {
            let more = known.number.checked_mul(factor).and_then(|more| number.checked_add(more));
            number = more.ok_or_else(overflow)?;
            for (diagram, by) in &known.diagrams {
                diagrams.push((*diagram, factor.checked_mul(*by).ok_or_else(overflow)?));
            }
            for (choice, by) in &known.answers {
                answers.push((*choice, factor.checked_mul(*by).ok_or_else(overflow)?));
            }
            continue;
        }
        match state.worlds.sums[sum as usize] {
            Sum::Number(value) => {
                number = value.checked_mul(factor).and_then(|v| number.checked_add(v)).ok_or_else(overflow)?;
            }
            Sum::Of(diagram) => diagrams.push((diagram, factor)),
            Sum::Answer(choice) => answers.push((choice, factor)),
            Sum::All(list) => {
                let list = &state.worlds.summed_lists[list as usize];
                diagrams.extend(list.iter().map(|diagram| (*diagram, factor)));
            }
            Sum::Plus(a, b) => open.extend([(a, factor), (b, factor)]),
            Sum::Times(inner, by) => open.push((inner, factor.checked_mul(by).ok_or_else(overflow)?)),
        }
    }
    let diagrams = together(diagrams).ok_or_else(overflow)?;
    let answers = together(answers).ok_or_else(overflow)?;
    Ok((Terms { number, diagrams, answers }, walked))
}

pub(in crate::evaluate) fn leaf_integer<S: Scalar>(state: &State<S>, leaf: u32) -> i64 {
    match state.worlds.leaves[leaf as usize] {
        Value::Int(value) | Value::NumpyInt(value) => value,
        Value::Bool(value) | Value::NumpyBool(value) => i64::from(value),
        _ => 0,
    }
}

/// The sum of all elements of a list, if all of them are integers, in one piece.
pub(super) fn sum_of_integers<S: Scalar>(state: &mut State<S>, elements: &[Value<S>]) -> Outcome<Option<Value<S>>> {
    let mut diagrams = Vec::with_capacity(elements.len());
    let mut number = 0i64;
    for element in elements {
        let value = match element {
            Value::Choice(Chosen::Diagram(diagram)) if is_plain_integer(state, *diagram) => {
                diagrams.push(*diagram);
                continue;
            }
            Value::Int(value) | Value::NumpyInt(value) => *value,
            Value::Bool(value) | Value::NumpyBool(value) => i64::from(*value),
            _ => return Ok(None),
        };
        let Some(sum) = number.checked_add(value) else { return Ok(None) };
        number = sum;
    }
    state.budget.spend_elements(diagrams.len() as u64)?;
    state.worlds.summed_lists.push(diagrams.into());
    let given = Sum::All(state.worlds.summed_lists.len() as u32 - 1);
    let list = add_sum(state, given)?;
    let number = add_sum(state, Sum::Number(number))?;
    Ok(Some(Value::Choice(Chosen::Sum(add_sum(state, Sum::Plus(number, list))?))))
}

/// Whether a diagram asks one choice, and is an integer whatever the answer.
fn is_plain_integer<S: Scalar>(state: &State<S>, diagram: Diagram) -> bool {
    let is_integer = |leaf: u32| {
        matches!(
            state.worlds.leaves[leaf as usize],
            Value::Bool(_) | Value::Int(_) | Value::NumpyBool(_) | Value::NumpyInt(_)
        )
    };
    let edges = state.worlds.diagrams.edges(diagram);
    !edges.is_empty() && edges.iter().all(|(_, to)| to.as_leaf().is_some_and(is_integer))
}

/// The least and the largest value of a term.
fn term_range<S: Scalar>(state: &State<S>, diagram: Diagram, factor: i64) -> Option<(i64, i64)> {
    if is_plain_integer(state, diagram) {
        let edges = state.worlds.diagrams.edges(diagram).iter();
        let mut range: Option<(i64, i64)> = None;
        for leaf in edges.filter_map(|(_, to)| to.as_leaf()) {
            let value = leaf_integer(state, leaf).checked_mul(factor)?;
            range = Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
        }
        return range;
    }
    let leaves = state.worlds.diagrams.leaves_of(diagram);
    let values = leaves.iter().map(|leaf| leaf_integer(state, *leaf).checked_mul(factor));
    let values: Vec<i64> = values.collect::<Option<_>>()?;
    Some((*values.iter().min()?, *values.iter().max()?))
}

/// The least and the largest value of a sum.
pub(super) fn sum_range<S: Scalar>(state: &State<S>, sum: u32) -> Option<(i64, i64)> {
    if let Some(known) = state.worlds.ranges.borrow().get(&sum) {
        return Some(*known);
    }
    let range = find_range(state, sum)?;
    state.worlds.ranges.borrow_mut().insert(sum, range);
    Some(range)
}

fn find_range<S: Scalar>(state: &State<S>, sum: u32) -> Option<(i64, i64)> {
    let terms = terms(state, sum).ok()?;
    let (mut low, mut high) = (terms.number, terms.number);
    for (diagram, factor) in &terms.diagrams {
        let (least, largest) = term_range(state, *diagram, *factor)?;
        (low, high) = (low.checked_add(least)?, high.checked_add(largest)?);
    }
    for (choice, factor) in &terms.answers {
        let last = last_answer(state, *choice)?.checked_mul(*factor)?;
        (low, high) = (low.checked_add(last.min(0))?, high.checked_add(last.max(0))?);
    }
    Some((low, high))
}

fn last_answer<S: Scalar>(state: &State<S>, choice: u32) -> Option<i64> {
    match &state.worlds.laws[choice as usize] {
        Law::Finite(probabilities) => i64::try_from(probabilities.len()).ok().map(|count| count - 1),
        Law::Scaled(probabilities) => i64::try_from(probabilities.len()).ok().map(|count| count - 1),
        Law::Uniform(count) => i64::try_from(*count).ok().map(|count| count - 1),
        Law::Sum(sum) => sum_range(state, *sum).map(|(low, high)| high - low),
        Law::Order(number) => Some(i64::from(state.worlds.orders[*number as usize].of.values) - 1),
        Law::Threshold { .. } | Law::Derived(..) => None,
    }
}

/// The diagram of a sum: written out if that is small, else that of a choice of its own.
pub(super) fn expand_sum<S: Scalar>(state: &mut State<S>, sum: u32) -> Outcome<Diagram> {
    if let Some(known) = state.worlds.expanded.get(&sum) {
        return Ok(*known);
    }
    let overflow = || Fault::new(Code::Overflow, "a sum of choices is too large for an integer");
    let terms = terms(state, sum)?;
    let (mut size, mut work) = (0i64, 0i64);
    let mut width = 1i64;
    for (diagram, factor) in &terms.diagrams {
        let (low, high) = term_range(state, *diagram, *factor).ok_or_else(overflow)?;
        let nodes = state.worlds.diagrams.nodes_of(*diagram);
        let edges: usize = nodes.iter().map(|node| state.worlds.diagrams.edges(*node).len()).sum();
        size = size.saturating_add(width.saturating_mul(nodes.len() as i64));
        work = work.saturating_add(width.saturating_mul(edges as i64));
        width = width.saturating_add(high.saturating_sub(low));
    }
    let diagram = if terms.answers.is_empty() && size <= MAX_EXPANDED && work <= MAX_EXPANDED_EDGES {
        written_out(state, &terms)?
    } else {
        sum_choice(state, sum)?
    };
    state.worlds.expanded.insert(sum, diagram);
    Ok(diagram)
}

fn written_out<S: Scalar>(state: &mut State<S>, terms: &Terms) -> Outcome<Diagram> {
    let mut ordered: Vec<(Diagram, i64, Vec<u32>)> = Vec::new();
    for (diagram, factor) in &terms.diagrams {
        ordered.push((*diagram, *factor, state.worlds.diagrams.choices_of(&[*diagram])));
    }
    ordered.sort_compact_by(|a, b| a.2.cmp(&b.2));
    let apart = ordered.windows(2).all(|pair| pair[0].2.last() < pair[1].2.first());
    if apart {
        let terms_in_order: Vec<(Diagram, i64)> = ordered.iter().map(|(d, f, _)| (*d, *f)).collect();
        let mut known = HashMap::new();
        return sum_from(state, &terms_in_order, 0, terms.number, &mut known);
    }
    let mut total = Diagram::leaf(choices::leaf(state, &Value::Int(terms.number)));
    for (diagram, factor, _) in ordered {
        let product = state.worlds.diagrams.product(Diagram::TRUE, &[total, diagram]);
        let (product, tuples) = product.map_err(|too_wide| choices::too_wide(state, too_wide, &[total, diagram]))?;
        let mut leaves = Vec::with_capacity(tuples.len());
        for tuple in &tuples {
            let sum = leaf_integer(state, tuple[0]) + factor * leaf_integer(state, tuple[1]);
            leaves.push(Diagram::leaf(choices::leaf(state, &Value::Int(sum))));
        }
        let relabelled = state.worlds.diagrams.relabel(product, &mut |leaf| Ok(leaves[leaf as usize]));
        total = relabelled.map_err(|too_wide| choices::too_wide(state, too_wide, &[product]))?;
    }
    Ok(total)
}

/// The sum of the terms from one on, if so much is there already. The terms ask one after the other.
fn sum_from<S: Scalar>(
    state: &mut State<S>,
    terms: &[(Diagram, i64)],
    next: usize,
    so_far: i64,
    known: &mut HashMap<(usize, i64), Diagram>,
) -> Outcome<Diagram> {
    let Some((diagram, factor)) = terms.get(next).copied() else {
        return Ok(Diagram::leaf(choices::leaf(state, &Value::Int(so_far))));
    };
    if let Some(known) = known.get(&(next, so_far)) {
        return Ok(*known);
    }
    let mut rest = HashMap::new();
    for leaf in state.worlds.diagrams.leaves_of(diagram) {
        let sum = so_far + factor * leaf_integer(state, leaf);
        rest.insert(leaf, sum_from(state, terms, next + 1, sum, known)?);
    }
    let sum = state.worlds.diagrams.relabel(diagram, &mut |leaf| Ok(rest[&leaf]));
    let sum = sum.map_err(|too_wide: TooWide| choices::too_wide(state, too_wide, &[diagram]))?;
    known.insert((next, so_far), sum);
    Ok(sum)
}

/// A sum as a choice of its own: what it depends on is looked at when everything is known.
pub(super) fn sum_choice<S: Scalar>(state: &mut State<S>, sum: u32) -> Outcome<Diagram> {
    let too_large = || {
        let message = "a sum of choices has too many possible values to write them out";
        Fault::hinted(Code::TooManyWorlds, message, "compare it with numbers only")
    };
    let (low, high) = sum_range(state, sum).ok_or_else(too_large)?;
    if high - low >= MAX_VALUES {
        return Err(too_large());
    }
    let choice = choice_of_sum(state, sum)?;
    let mut edges = Vec::with_capacity((high - low + 1) as usize);
    for value in low..=high {
        edges.push((value - low, Diagram::leaf(choices::leaf(state, &Value::Int(value)))));
    }
    let diagram = state.worlds.diagrams.decide(choice, edges);
    diagram.map_err(|too_wide| choices::too_wide(state, too_wide, &[]))
}

/// The choice whose answers are those of a sum, counted from its least value on; the answer itself where the sum is
/// one.
fn choice_of_sum<S: Scalar>(state: &mut State<S>, sum: u32) -> Outcome<u32> {
    if let Some(known) = state.worlds.summed.get(&sum) {
        return Ok(*known);
    }
    let terms = terms(state, sum)?;
    let choice = match (terms.diagrams.as_slice(), terms.answers.as_slice()) {
        ([], [(choice, 1)]) => *choice,
        _ => choices::new_choice(state, Law::Sum(sum))?,
    };
    state.worlds.summed.insert(sum, choice);
    Ok(choice)
}

/// Whether a sum is small enough to be written out.
pub(super) fn is_small<S: Scalar>(state: &State<S>, sum: u32) -> bool {
    // What is published last is not asked for again: a sum stays one.
    let most = if state.worlds.is_publishing { SMALL_IF_PUBLISHED } else { SMALL };
    let Ok(terms) = terms(state, sum) else { return false };
    terms.answers.is_empty() && terms.diagrams.len() <= most
}

/// Whether a sum of few terms has so many values on the way that several such sums are better known by their people: two
/// sums of a dozen ages would be one diagram of all combinations of both.
fn is_wide<S: Scalar>(state: &State<S>, sum: u32) -> bool {
    let Ok(terms) = terms(state, sum) else { return false };
    if terms.diagrams.len() < FEW_TERMS {
        return false;
    }
    let (mut nodes, mut width) = (0i64, 1i64);
    for (diagram, factor) in &terms.diagrams {
        let Some((low, high)) = term_range(state, *diagram, *factor) else { return false };
        nodes = nodes.saturating_add(width);
        width = width.saturating_add(high.saturating_sub(low));
    }
    nodes > WIDE
}

/// Compares a large sum with a number: an event of the sum alone.
pub(super) fn compare_sum<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let (sum, number, operator) = match (left, right) {
        (Value::Choice(Chosen::Sum(sum)), other) => (*sum, other, operator),
        (other, Value::Choice(Chosen::Sum(sum))) => (*sum, other, mirrored(operator)),
        _ => return Ok(None),
    };
    if is_small(state, sum) && !is_wide(state, sum) {
        return Ok(None);
    }
    let Some(number) = state.number(number) else { return Ok(None) };
    let scalar = state.scalar(&number)?;
    let floor = i128::try_from(scalar.floor()).unwrap_or(if scalar < S::zero() { i128::MIN } else { i128::MAX });
    let is_whole = scalar.cmp_integer(&IBig::from(floor)) == Some(std::cmp::Ordering::Equal);
    // What is less than the number is at most `below`, what is at most the number at most `floor`.
    let below = if is_whole { floor.saturating_sub(1) } else { floor };
    let event = match operator {
        Comparison::Less => at_most(state, sum, below)?,
        Comparison::LessEqual => at_most(state, sum, floor)?,
        Comparison::Greater => {
            let event = at_most(state, sum, floor)?;
            operators::negation(state, event)?
        }
        Comparison::GreaterEqual => {
            let event = at_most(state, sum, below)?;
            operators::negation(state, event)?
        }
        Comparison::Equal | Comparison::NotEqual => {
            let (less, not_more) = (at_most(state, sum, below)?, at_most(state, sum, floor)?);
            let not_less = operators::negation(state, less)?;
            let equal = operators::conjunction(state, not_more, not_less)?;
            if operator == Comparison::Equal { equal } else { operators::negation(state, equal)? }
        }
        Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => return Ok(None),
    };
    Ok(Some(choices::settle(state, event)))
}

/// The worlds in which a sum is at most an integer: an event of one choice alone.
fn at_most<S: Scalar>(state: &mut State<S>, sum: u32, bound: i128) -> Outcome<Diagram> {
    let overflow = || Fault::new(Code::Overflow, "a sum of choices is too large for an integer");
    let answer = |bound: i128| bound.clamp(i128::from(i64::MIN) + 1, i128::from(i64::MAX) - 1) as i64;
    let terms = terms(state, sum)?;
    // The answers up to one of them are those in which the sum is at most the bound, or more than it.
    let (choice, last, up_to) = match (terms.diagrams.as_slice(), terms.answers.as_slice()) {
        ([], [(choice, factor)]) => {
            let factor = i128::from(*factor);
            let left = bound.saturating_sub(i128::from(terms.number));
            if factor > 0 {
                (*choice, left.div_euclid(factor), true)
            } else {
                // number − |f|·a ≤ bound where a ≥ −left/|f|
                (*choice, left.saturating_neg().saturating_sub(1).div_euclid(-factor), false)
            }
        }
        _ => {
            let (low, _) = sum_range(state, sum).ok_or_else(overflow)?;
            (choice_of_sum(state, sum)?, bound.saturating_sub(i128::from(low)), true)
        }
    };
    let (first, second) = if up_to { (Diagram::TRUE, Diagram::FALSE) } else { (Diagram::FALSE, Diagram::TRUE) };
    // Answers count from 0.
    if last < 0 {
        return Ok(second);
    }
    if last_answer(state, choice).is_some_and(|largest| last >= i128::from(largest)) {
        return Ok(first);
    }
    let event = state.worlds.diagrams.decide(choice, [(answer(last), first), (i64::MAX, second)]);
    event.map_err(|too_wide| choices::too_wide(state, too_wide, &[]))
}

/// Equal terms as one, with the sum of their factors; `None` if that is too large.
fn together<T: Ord + Copy>(mut terms: Vec<(T, i64)>) -> Option<Vec<(T, i64)>> {
    terms.sort_unstable_by_key(|(term, _)| *term);
    let mut merged: Vec<(T, i64)> = Vec::with_capacity(terms.len());
    for (term, factor) in terms {
        match merged.last_mut() {
            Some((last, sum)) if *last == term => *sum = sum.checked_add(factor)?,
            _ => merged.push((term, factor)),
        }
    }
    merged.retain(|(_, factor)| *factor != 0);
    Some(merged)
}

/// The comparison with its sides exchanged.
pub(super) fn mirrored(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        Comparison::Equal
        | Comparison::NotEqual
        | Comparison::In
        | Comparison::NotIn
        | Comparison::Is
        | Comparison::IsNot => operator,
    }
}
