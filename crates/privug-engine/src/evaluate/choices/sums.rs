//! Sums of choices that are not worked out: the number of people who answered yes is one sum of a million summands.

use crate::sorting::CompactSort;
use std::collections::HashMap;
use std::rc::Rc;

use dashu_int::IBig;

use super::Chosen;
use crate::choices::{Diagram, Law, TooWide};
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
/// The same for sums whose value was seen when they were published.
const SMALL_IF_PUBLISHED: usize = 8;
/// More values of a sum are not written out.
const MAX_VALUES: i64 = 1 << 20;

impl<S: Scalar> State<S> {
    pub(super) fn add_sum(&mut self, sum: Sum) -> Outcome<u32> {
        self.budget.spend_elements(1)?;
        self.worlds.sums.push(sum);
        Ok(self.worlds.sums.len() as u32 - 1)
    }

    /// A value as a sum, if it is an integer in all worlds.
    fn as_sum(&mut self, value: &Value<S>) -> Outcome<Option<u32>> {
        let sum = match value {
            Value::Choice(Chosen::Sum(sum)) => return Ok(Some(*sum)),
            Value::Choice(Chosen::Diagram(diagram)) if self.is_integral(*diagram) => Sum::Of(*diagram),
            Value::Choice(Chosen::Pick(pick)) => Sum::Of(self.expand_pick(*pick)?),
            Value::Int(value) | Value::NumpyInt(value) => Sum::Number(*value),
            Value::Bool(value) | Value::NumpyBool(value) => Sum::Number(i64::from(*value)),
            Value::Counted(counted) => Sum::Number(counted.count),
            _ => return Ok(None),
        };
        self.add_sum(sum).map(Some)
    }

    pub(super) fn is_integral(&mut self, diagram: Diagram) -> bool {
        if let Some(known) = self.worlds.integral.get(&diagram) {
            return *known;
        }
        let leaves = self.worlds.diagrams.leaves_of(diagram);
        let integral = leaves.iter().all(|leaf| {
            matches!(
                self.worlds.leaves[*leaf as usize],
                Value::Bool(_) | Value::Int(_) | Value::NumpyBool(_) | Value::NumpyInt(_)
            )
        });
        self.worlds.integral.insert(diagram, integral);
        integral
    }

    /// Sums, differences and multiples of integers, if this is one.
    pub(super) fn sum_of(&mut self, operator: Binary, left: &Value<S>, right: &Value<S>) -> Outcome<Option<Value<S>>> {
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
            && let Some(sum) = self.pick_plus(pick, more)?
        {
            return Ok(Some(sum));
        }
        let sum = match operator {
            Binary::Add | Binary::Subtract => {
                let (Some(a), Some(b)) = (self.as_sum(left)?, self.as_sum(right)?) else { return Ok(None) };
                let b = if operator == Binary::Subtract { self.add_sum(Sum::Times(b, -1))? } else { b };
                Sum::Plus(a, b)
            }
            Binary::Multiply => {
                let (sum, factor) = match (number(left), number(right)) {
                    (Some(factor), None) => (self.as_sum(right)?, factor),
                    (None, Some(factor)) => (self.as_sum(left)?, factor),
                    _ => return Ok(None),
                };
                let Some(sum) = sum else { return Ok(None) };
                Sum::Times(sum, factor)
            }
            Binary::Divide | Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => {
                return Ok(None);
            }
        };
        let sum = self.add_sum(sum)?;
        Ok(Some(Value::Choice(Chosen::Sum(sum))))
    }

    /// `otherwise` plus something in the worlds of an event, if `then` was made from `otherwise` by adding to it.
    pub(super) fn grown_sum(
        &mut self,
        event: Diagram,
        then: &Value<S>,
        otherwise: &Value<S>,
    ) -> Outcome<Option<Value<S>>> {
        let Value::Choice(Chosen::Sum(grown)) = then else { return Ok(None) };
        let Sum::Plus(before, more) = self.worlds.sums[*grown as usize] else { return Ok(None) };
        let is_before = match (otherwise, self.worlds.sums[before as usize]) {
            (Value::Choice(Chosen::Sum(otherwise)), _) => *otherwise == before,
            (Value::Choice(Chosen::Diagram(otherwise)), Sum::Of(diagram)) => *otherwise == diagram,
            _ => false,
        };
        if !is_before {
            return Ok(None);
        }
        let added = match self.worlds.sums[more as usize] {
            Sum::Number(number) => {
                let of = self.add_sum(Sum::Of(event))?;
                self.add_sum(Sum::Times(of, number))?
            }
            _ => {
                let more = self.expand_sum(more)?;
                let zero = Diagram::leaf(self.leaf(&Value::Int(0)));
                let either = self.worlds.diagrams.either(event, more, zero);
                let either = either.map_err(|too_wide| self.too_wide(too_wide, &[event, more]))?;
                self.add_sum(Sum::Of(either))?
            }
        };
        let sum = self.add_sum(Sum::Plus(before, added))?;
        Ok(Some(Value::Choice(Chosen::Sum(sum))))
    }

    /// The terms of a sum, equal ones together.
    pub(in crate::evaluate) fn terms(&self, sum: u32) -> Outcome<Rc<Terms>> {
        if let Some(known) = self.worlds.terms.borrow().get(&sum) {
            return Ok(Rc::clone(known));
        }
        let terms = Rc::new(self.gather_terms(sum)?);
        if terms.diagrams.len() > SMALL {
            self.worlds.terms.borrow_mut().insert(sum, Rc::clone(&terms));
        }
        Ok(terms)
    }

    fn gather_terms(&self, sum: u32) -> Outcome<Terms> {
        let overflow = || Fault::new(Code::Overflow, "a sum of choices is too large for an integer");
        let mut number = 0i64;
        let (mut diagrams, mut answers): (Vec<(Diagram, i64)>, Vec<(u32, i64)>) = (Vec::new(), Vec::new());
        let mut open = vec![(sum, 1i64)];
        while let Some((sum, factor)) = open.pop() {
            match self.worlds.sums[sum as usize] {
                Sum::Number(value) => {
                    number = value.checked_mul(factor).and_then(|v| number.checked_add(v)).ok_or_else(overflow)?;
                }
                Sum::Of(diagram) => diagrams.push((diagram, factor)),
                Sum::Answer(choice) => answers.push((choice, factor)),
                Sum::All(list) => {
                    let list = &self.worlds.summed_lists[list as usize];
                    diagrams.extend(list.iter().map(|diagram| (*diagram, factor)));
                }
                Sum::Plus(a, b) => open.extend([(a, factor), (b, factor)]),
                Sum::Times(inner, by) => open.push((inner, factor.checked_mul(by).ok_or_else(overflow)?)),
            }
        }
        let diagrams = together(diagrams).ok_or_else(overflow)?;
        let answers = together(answers).ok_or_else(overflow)?;
        Ok(Terms { number, diagrams, answers })
    }

    pub(in crate::evaluate) fn leaf_integer(&self, leaf: u32) -> i64 {
        match self.worlds.leaves[leaf as usize] {
            Value::Int(value) | Value::NumpyInt(value) => value,
            Value::Bool(value) | Value::NumpyBool(value) => i64::from(value),
            _ => 0,
        }
    }

    /// The sum of all elements of a list, if all of them are integers, in one piece.
    pub(super) fn sum_of_integers(&mut self, elements: &[Value<S>]) -> Outcome<Option<Value<S>>> {
        let mut diagrams = Vec::with_capacity(elements.len());
        let mut number = 0i64;
        for element in elements {
            let value = match element {
                Value::Choice(Chosen::Diagram(diagram)) if self.is_plain_integer(*diagram) => {
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
        self.budget.spend_elements(diagrams.len() as u64)?;
        self.worlds.summed_lists.push(diagrams.into());
        let list = self.add_sum(Sum::All(self.worlds.summed_lists.len() as u32 - 1))?;
        let number = self.add_sum(Sum::Number(number))?;
        Ok(Some(Value::Choice(Chosen::Sum(self.add_sum(Sum::Plus(number, list))?))))
    }

    /// Whether a diagram asks one choice, and is an integer whatever the answer.
    fn is_plain_integer(&self, diagram: Diagram) -> bool {
        let is_integer = |leaf: u32| {
            matches!(
                self.worlds.leaves[leaf as usize],
                Value::Bool(_) | Value::Int(_) | Value::NumpyBool(_) | Value::NumpyInt(_)
            )
        };
        let edges = self.worlds.diagrams.edges(diagram);
        !edges.is_empty() && edges.iter().all(|(_, to)| to.as_leaf().is_some_and(is_integer))
    }

    /// The least and the largest value of a term.
    fn term_range(&self, diagram: Diagram, factor: i64) -> Option<(i64, i64)> {
        if self.is_plain_integer(diagram) {
            let edges = self.worlds.diagrams.edges(diagram).iter();
            let mut range: Option<(i64, i64)> = None;
            for leaf in edges.filter_map(|(_, to)| to.as_leaf()) {
                let value = self.leaf_integer(leaf).checked_mul(factor)?;
                range = Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
            }
            return range;
        }
        let leaves = self.worlds.diagrams.leaves_of(diagram);
        let values = leaves.iter().map(|leaf| self.leaf_integer(*leaf).checked_mul(factor));
        let values: Vec<i64> = values.collect::<Option<_>>()?;
        Some((*values.iter().min()?, *values.iter().max()?))
    }

    /// The least and the largest value of a sum.
    pub(super) fn sum_range(&self, sum: u32) -> Option<(i64, i64)> {
        if let Some(known) = self.worlds.ranges.borrow().get(&sum) {
            return Some(*known);
        }
        let range = self.find_range(sum)?;
        self.worlds.ranges.borrow_mut().insert(sum, range);
        Some(range)
    }

    fn find_range(&self, sum: u32) -> Option<(i64, i64)> {
        let terms = self.terms(sum).ok()?;
        let (mut low, mut high) = (terms.number, terms.number);
        for (diagram, factor) in &terms.diagrams {
            let (least, largest) = self.term_range(*diagram, *factor)?;
            (low, high) = (low.checked_add(least)?, high.checked_add(largest)?);
        }
        for (choice, factor) in &terms.answers {
            let last = self.last_answer(*choice)?.checked_mul(*factor)?;
            (low, high) = (low.checked_add(last.min(0))?, high.checked_add(last.max(0))?);
        }
        Some((low, high))
    }

    fn last_answer(&self, choice: u32) -> Option<i64> {
        match &self.worlds.laws[choice as usize] {
            Law::Finite(probabilities) => i64::try_from(probabilities.len()).ok().map(|count| count - 1),
            Law::Uniform(count) => i64::try_from(*count).ok().map(|count| count - 1),
            Law::Sum(sum) => self.sum_range(*sum).map(|(low, high)| high - low),
            Law::Order(number) => Some(i64::from(self.worlds.orders[*number as usize].of.values) - 1),
            Law::Threshold { .. } | Law::Derived(..) => None,
        }
    }

    /// The diagram of a sum: written out if that is small, else that of a choice of its own.
    pub(super) fn expand_sum(&mut self, sum: u32) -> Outcome<Diagram> {
        if let Some(known) = self.worlds.expanded.get(&sum) {
            return Ok(*known);
        }
        let overflow = || Fault::new(Code::Overflow, "a sum of choices is too large for an integer");
        let terms = self.terms(sum)?;
        let (mut size, mut work) = (0i64, 0i64);
        let mut width = 1i64;
        for (diagram, factor) in &terms.diagrams {
            let (low, high) = self.term_range(*diagram, *factor).ok_or_else(overflow)?;
            let nodes = self.worlds.diagrams.nodes_of(*diagram);
            let edges: usize = nodes.iter().map(|node| self.worlds.diagrams.edges(*node).len()).sum();
            size = size.saturating_add(width.saturating_mul(nodes.len() as i64));
            work = work.saturating_add(width.saturating_mul(edges as i64));
            width = width.saturating_add(high.saturating_sub(low));
        }
        let diagram = if terms.answers.is_empty() && size <= MAX_EXPANDED && work <= MAX_EXPANDED_EDGES {
            self.written_out(&terms)?
        } else {
            self.sum_choice(sum)?
        };
        self.worlds.expanded.insert(sum, diagram);
        Ok(diagram)
    }

    fn written_out(&mut self, terms: &Terms) -> Outcome<Diagram> {
        let mut ordered: Vec<(Diagram, i64, Vec<u32>)> = Vec::new();
        for (diagram, factor) in &terms.diagrams {
            ordered.push((*diagram, *factor, self.worlds.diagrams.choices_of(&[*diagram])));
        }
        ordered.sort_compact_by(|a, b| a.2.cmp(&b.2));
        let apart = ordered.windows(2).all(|pair| pair[0].2.last() < pair[1].2.first());
        if apart {
            let terms_in_order: Vec<(Diagram, i64)> = ordered.iter().map(|(d, f, _)| (*d, *f)).collect();
            let mut known = HashMap::new();
            return self.sum_from(&terms_in_order, 0, terms.number, &mut known);
        }
        let mut total = Diagram::leaf(self.leaf(&Value::Int(terms.number)));
        for (diagram, factor, _) in ordered {
            let product = self.worlds.diagrams.product(Diagram::TRUE, &[total, diagram]);
            let (product, tuples) = product.map_err(|too_wide| self.too_wide(too_wide, &[total, diagram]))?;
            let mut leaves = Vec::with_capacity(tuples.len());
            for tuple in &tuples {
                let sum = self.leaf_integer(tuple[0]) + factor * self.leaf_integer(tuple[1]);
                leaves.push(Diagram::leaf(self.leaf(&Value::Int(sum))));
            }
            let relabelled = self.worlds.diagrams.relabel(product, &mut |leaf| Ok(leaves[leaf as usize]));
            total = relabelled.map_err(|too_wide| self.too_wide(too_wide, &[product]))?;
        }
        Ok(total)
    }

    /// The sum of the terms from one on, if so much is there already. The terms ask one after the other.
    fn sum_from(
        &mut self,
        terms: &[(Diagram, i64)],
        next: usize,
        so_far: i64,
        known: &mut HashMap<(usize, i64), Diagram>,
    ) -> Outcome<Diagram> {
        let Some((diagram, factor)) = terms.get(next).copied() else {
            return Ok(Diagram::leaf(self.leaf(&Value::Int(so_far))));
        };
        if let Some(known) = known.get(&(next, so_far)) {
            return Ok(*known);
        }
        let mut rest = HashMap::new();
        for leaf in self.worlds.diagrams.leaves_of(diagram) {
            let sum = so_far + factor * self.leaf_integer(leaf);
            rest.insert(leaf, self.sum_from(terms, next + 1, sum, known)?);
        }
        let sum = self.worlds.diagrams.relabel(diagram, &mut |leaf| Ok(rest[&leaf]));
        let sum = sum.map_err(|too_wide: TooWide| self.too_wide(too_wide, &[diagram]))?;
        known.insert((next, so_far), sum);
        Ok(sum)
    }

    /// A sum as a choice of its own: what it depends on is looked at when everything is known.
    pub(super) fn sum_choice(&mut self, sum: u32) -> Outcome<Diagram> {
        let too_large = || {
            let message = "a sum of choices has too many possible values to write them out";
            Fault::hinted(Code::TooManyWorlds, message, "compare it with numbers only")
        };
        let (low, high) = self.sum_range(sum).ok_or_else(too_large)?;
        if high - low >= MAX_VALUES {
            return Err(too_large());
        }
        let choice = self.choice_of_sum(sum)?;
        let mut edges = Vec::with_capacity((high - low + 1) as usize);
        for value in low..=high {
            edges.push((value - low, Diagram::leaf(self.leaf(&Value::Int(value)))));
        }
        let diagram = self.worlds.diagrams.decide(choice, edges);
        diagram.map_err(|too_wide| self.too_wide(too_wide, &[]))
    }

    /// The choice whose answers are those of a sum, counted from its least value on; the answer itself where the sum is
    /// one.
    fn choice_of_sum(&mut self, sum: u32) -> Outcome<u32> {
        if let Some(known) = self.worlds.summed.get(&sum) {
            return Ok(*known);
        }
        let terms = self.terms(sum)?;
        let choice = match (terms.diagrams.as_slice(), terms.answers.as_slice()) {
            ([], [(choice, 1)]) => *choice,
            _ => self.new_choice(Law::Sum(sum))?,
        };
        self.worlds.summed.insert(sum, choice);
        Ok(choice)
    }

    /// Whether a sum is small enough to be written out.
    pub(super) fn is_small(&self, sum: u32) -> bool {
        // What is published last is not asked for again: a sum stays one.
        let most = if self.worlds.is_publishing { SMALL_IF_PUBLISHED } else { SMALL };
        let Ok(terms) = self.terms(sum) else { return false };
        terms.answers.is_empty() && terms.diagrams.len() <= most
    }

    /// Compares a large sum with a number: an event of the sum alone.
    pub(super) fn compare_sum(
        &mut self,
        operator: Comparison,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Option<Value<S>>> {
        let (sum, number, operator) = match (left, right) {
            (Value::Choice(Chosen::Sum(sum)), other) => (*sum, other, operator),
            (other, Value::Choice(Chosen::Sum(sum))) => (*sum, other, mirrored(operator)),
            _ => return Ok(None),
        };
        if self.is_small(sum) {
            return Ok(None);
        }
        let Some(number) = self.number(number) else { return Ok(None) };
        let scalar = self.scalar(&number)?;
        let floor = i128::try_from(scalar.floor()).unwrap_or(if scalar < S::zero() { i128::MIN } else { i128::MAX });
        let is_whole = scalar.cmp_integer(&IBig::from(floor)) == Some(std::cmp::Ordering::Equal);
        // What is less than the number is at most `below`, what is at most the number at most `floor`.
        let below = if is_whole { floor.saturating_sub(1) } else { floor };
        let event = match operator {
            Comparison::Less => self.at_most(sum, below)?,
            Comparison::LessEqual => self.at_most(sum, floor)?,
            Comparison::Greater => {
                let event = self.at_most(sum, floor)?;
                self.negation(event)?
            }
            Comparison::GreaterEqual => {
                let event = self.at_most(sum, below)?;
                self.negation(event)?
            }
            Comparison::Equal | Comparison::NotEqual => {
                let (less, not_more) = (self.at_most(sum, below)?, self.at_most(sum, floor)?);
                let not_less = self.negation(less)?;
                let equal = self.conjunction(not_more, not_less)?;
                if operator == Comparison::Equal { equal } else { self.negation(equal)? }
            }
            Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => return Ok(None),
        };
        Ok(Some(self.settle(event)))
    }

    /// The worlds in which a sum is at most an integer: an event of one choice alone.
    fn at_most(&mut self, sum: u32, bound: i128) -> Outcome<Diagram> {
        let overflow = || Fault::new(Code::Overflow, "a sum of choices is too large for an integer");
        let answer = |bound: i128| bound.clamp(i128::from(i64::MIN) + 1, i128::from(i64::MAX) - 1) as i64;
        let terms = self.terms(sum)?;
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
                let (low, _) = self.sum_range(sum).ok_or_else(overflow)?;
                (self.choice_of_sum(sum)?, bound.saturating_sub(i128::from(low)), true)
            }
        };
        let (first, second) = if up_to { (Diagram::TRUE, Diagram::FALSE) } else { (Diagram::FALSE, Diagram::TRUE) };
        // Answers count from 0.
        if last < 0 {
            return Ok(second);
        }
        if self.last_answer(choice).is_some_and(|largest| last >= i128::from(largest)) {
            return Ok(first);
        }
        let event = self.worlds.diagrams.decide(choice, [(answer(last), first), (i64::MAX, second)]);
        event.map_err(|too_wide| self.too_wide(too_wide, &[]))
    }
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
