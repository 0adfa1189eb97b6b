//! What was seen where it is about sums over people, and about single choices.

use super::lattice::Allowed;
use crate::choices::{Diagram, Law};
use crate::evaluate::ChoiceModel;
use crate::number::Scalar;

/// What was seen, if it is about sums and about single choices only.
pub(super) struct Seen {
    /// The choices that stand for sums, and the values that each may have.
    pub(super) sums: Vec<(u32, Allowed)>,
    /// Choices of which something was seen directly, and what.
    pub(super) facts: Vec<(u32, Diagram)>,
    /// The output without a value.
    pub(super) open: Option<Diagram>,
}

impl Seen {
    pub(super) fn read<S: Scalar>(model: &mut ChoiceModel<S>) -> Option<Seen> {
        let is_derived = |law: &Law<S>| matches!(law, Law::Derived(..));
        let has_range = model.secrets.iter().any(|secret| secret.range.is_some());
        if has_range || !model.seen.is_empty() || model.sums.is_empty() || model.laws.iter().any(is_derived) {
            return None;
        }
        let mut outputs = model.outputs.iter().filter(|output| !output.observed).map(|output| output.value);
        let open = outputs.next();
        if outputs.next().is_some() {
            return None;
        }
        let mut seen = Seen { sums: Vec::new(), facts: Vec::new(), open };
        for event in model.events.clone() {
            seen.read_event(model, event)?;
        }
        if let Some(open) = open {
            let choice = model.diagrams.choice(open)?;
            let is_plain = model.diagrams.edges(open).iter().all(|(_, to)| to.as_leaf().is_some());
            if !is_plain || !seen.sums.is_empty() || !model.sums.contains_key(&choice) {
                return None;
            }
            let sum = &model.sums[&choice];
            seen.sums.push((choice, vec![(sum.low, sum.high)]));
        }
        (!seen.sums.is_empty()).then_some(seen)
    }

    /// An event that asks one choice after the other, each with values that go on and values that cannot be.
    fn read_event<S: Scalar>(&mut self, model: &mut ChoiceModel<S>, event: Diagram) -> Option<()> {
        let mut node = event;
        while node != Diagram::TRUE {
            let choice = model.diagrams.choice(node)?;
            let edges = model.diagrams.edges(node).to_vec();
            let mut targets = edges.iter().map(|(_, to)| *to).filter(|to| *to != Diagram::FALSE);
            let next = targets.next()?;
            if targets.any(|to| to != next) {
                return None;
            }
            if let Some(sum) = model.sums.get(&choice) {
                let mut allowed = Vec::new();
                let mut low = sum.low;
                for (bound, to) in edges {
                    let high = if bound == i64::MAX { sum.high } else { bound.checked_add(sum.low)?.min(sum.high) };
                    if to != Diagram::FALSE && low <= high {
                        allowed.push((low, high));
                    }
                    low = high.checked_add(1)?;
                }
                match self.sums.iter_mut().find(|(known, _)| *known == choice) {
                    Some((_, known)) => *known = intersected(known, &allowed),
                    None => self.sums.push((choice, allowed)),
                }
            } else {
                let is_next = |(bound, to): &(i64, Diagram)| (*bound, Diagram::leaf(u32::from(*to != Diagram::FALSE)));
                let edges: Vec<(i64, Diagram)> = edges.iter().map(is_next).collect();
                self.facts.push((choice, model.diagrams.decide(choice, edges).ok()?));
            }
            node = next;
        }
        Some(())
    }
}

/// The values that are in both lists of intervals.
fn intersected(one: &Allowed, other: &Allowed) -> Allowed {
    let pairs = one.iter().flat_map(|(a, b)| other.iter().map(move |(c, d)| (*a.max(c), *b.min(d))));
    pairs.filter(|(low, high)| low <= high).collect()
}
