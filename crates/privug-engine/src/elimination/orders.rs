//! Order statistics: the k-th smallest is at most t where more than k are, so that what was seen of it is seen of counts.

use crate::sorting::CompactSort;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::lattice::Allowed;
use super::sums;
use crate::choices::{Diagram, TooWide, choices_behind};
use crate::evaluate::{ChoiceModel, OrderStatistic, Ordered};
use crate::number::Scalar;

/// How many elements there are whose values lie in a range of places, and how many there may be.
pub(super) struct Counted {
    pub(super) terms: Vec<(Diagram, i64)>,
    pub(super) allowed: Allowed,
}

/// What was seen of order statistics of the same elements: for each position, the places that its value may have.
pub(super) struct SeenOrders {
    of: Rc<Ordered>,
    seen: BTreeMap<usize, Vec<(i64, i64)>>,
}

impl SeenOrders {
    pub(super) fn new(of: &Rc<Ordered>) -> Self {
        SeenOrders { of: Rc::clone(of), seen: BTreeMap::new() }
    }

    pub(super) fn is_of(&self, of: &Rc<Ordered>) -> bool {
        Rc::ptr_eq(&self.of, of)
    }

    /// One more of them was seen; false if it cannot be what it was seen to be before.
    pub(super) fn see(&mut self, order: &OrderStatistic, places: &[(i64, i64)]) -> bool {
        let last = i64::from(self.of.values) - 1;
        let inside = |(low, high): &(i64, i64)| ((*low).max(0), (*high).min(last));
        let places: Vec<(i64, i64)> = places.iter().map(inside).filter(|(low, high)| low <= high).collect();
        let known = self.seen.entry(order.position).or_insert_with(|| vec![(0, last)]);
        *known = super::seen::intersected(known, &places);
        !known.is_empty()
    }

    /// All of it as single ranges of places, if what was seen of several is put together in all ways.
    pub(super) fn apart(self, most: usize) -> Option<Vec<SeenOrders>> {
        let mut all: Vec<BTreeMap<usize, Vec<(i64, i64)>>> = vec![BTreeMap::new()];
        for (position, ranges) in &self.seen {
            if all.len().saturating_mul(ranges.len()) > most {
                return None;
            }
            let longer = all.iter().flat_map(|known| {
                ranges.iter().map(move |range| {
                    let mut known = known.clone();
                    known.insert(*position, vec![*range]);
                    known
                })
            });
            all = longer.collect();
        }
        Some(all.into_iter().map(|seen| SeenOrders { of: Rc::clone(&self.of), seen }).collect())
    }

    /// The same as counts of elements; `None` if it cannot be.
    ///
    /// With c(t) of n elements at places up to t, the value at position k has a place in [l, h] exactly if c(l − 1) ≤ k < c(h).
    /// c rises with t. Where it is known exactly, the counts between two such places say the same and are smaller.
    pub(super) fn counted<S: Scalar>(&self, model: &mut ChoiceModel<S>) -> Result<Option<Vec<Counted>>, TooWide> {
        let (count, last) = (self.of.elements.len() as i64, i64::from(self.of.values) - 1);
        // For each place, how many elements may be up to it.
        let mut bounds: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
        for (position, ranges) in &self.seen {
            let [(low, high)] = ranges[..] else { return Ok(None) };
            let position = *position as i64;
            if low > 0 {
                let bound = bounds.entry(low - 1).or_insert((0, count));
                bound.1 = bound.1.min(position);
            }
            if high < last {
                let bound = bounds.entry(high).or_insert((0, count));
                bound.0 = bound.0.max(position + 1);
            }
        }
        let places: Vec<i64> = bounds.keys().copied().collect();
        let own: Vec<(i64, i64)> = bounds.into_values().collect();
        let mut bounds = own.clone();
        for at in 1..bounds.len() {
            bounds[at].0 = bounds[at].0.max(bounds[at - 1].0);
        }
        for at in (1..bounds.len()).rev() {
            bounds[at - 1].1 = bounds[at - 1].1.min(bounds[at].1);
        }
        if bounds.iter().any(|(low, high)| low > high) {
            return Ok(None);
        }
        let mut counted = Vec::new();
        for at in 0..places.len() {
            let is_exact = bounds[at].0 == bounds[at].1;
            // What only follows from the others need not be counted.
            let (low, high) = if is_exact { bounds[at] } else { own[at] };
            let before = bounds[..at].iter().rposition(|(low, high)| low == high);
            let after = bounds[at + 1..].iter().position(|(low, high)| low == high).map(|more| at + 1 + more);
            // Counted from the nearest place before it at which the number is known, or up to the nearest behind it.
            let (from, to, allowed) = match (before, after) {
                (Some(before), _) if is_exact || after.is_none_or(|after| at - before <= after - at) => {
                    let known = bounds[before].0;
                    let most = if high == count { count } else { high - known };
                    (places[before], places[at], ((low - known).max(0), most))
                }
                (_, Some(after)) if !is_exact => {
                    let known = bounds[after].0;
                    let least = if high == count { 0 } else { known - high };
                    (places[at], places[after], (least, if low == 0 { count } else { known - low }))
                }
                _ => (-1, places[at], (low, high)),
            };
            counted.push(Counted { terms: self.within(model, from, to)?, allowed: vec![allowed] });
        }
        Ok(Some(counted))
    }

    /// Whether each element has a place above `from` and up to `to`.
    fn within<S: Scalar>(
        &self,
        model: &mut ChoiceModel<S>,
        from: i64,
        to: i64,
    ) -> Result<Vec<(Diagram, i64)>, TooWide> {
        let mut terms = Vec::with_capacity(self.of.elements.len());
        for element in self.of.elements.iter() {
            terms.push((indicator(model, &self.of, *element, from, to)?, 1));
        }
        Ok(terms)
    }
}

fn indicator<S: Scalar>(
    model: &mut ChoiceModel<S>,
    of: &Ordered,
    element: Diagram,
    from: i64,
    to: i64,
) -> Result<Diagram, TooWide> {
    let is_within =
        |leaf: u32| of.ranks.get(&leaf).is_some_and(|rank| from < i64::from(*rank) && i64::from(*rank) <= to);
    model.diagrams.relabel(element, &mut |leaf| Ok(if is_within(leaf) { Diagram::TRUE } else { Diagram::FALSE }))
}

/// Replaces choices that stand for order statistics by what they depend on.
pub(super) fn written_out<S: Scalar>(
    model: &mut ChoiceModel<S>,
    diagrams: &[Diagram],
) -> Result<Vec<Diagram>, TooWide> {
    if model.orders.is_empty() {
        return Ok(diagrams.to_vec());
    }
    let mut replaced = diagrams.to_vec();
    for choice in choices_behind(&model.diagrams, &model.laws, diagrams) {
        let Some(order) = model.orders.get(&choice).cloned() else { continue };
        let mut cuts: Vec<i64> = Vec::new();
        for diagram in &replaced {
            for node in model.diagrams.nodes_of(*diagram) {
                if model.diagrams.choice(node) == Some(choice) {
                    cuts.extend(model.diagrams.edges(node).iter().map(|(bound, _)| *bound));
                }
            }
        }
        cuts.retain(|cut| *cut != i64::MAX);
        cuts.sort_unstable();
        cuts.dedup();
        // Which of the places between the cuts it has, from the last on.
        let mut which = Diagram::leaf(cuts.len() as u32);
        for (number, cut) in cuts.iter().enumerate().rev() {
            let reached = more_than(model, &order, *cut)?;
            which = model.diagrams.either(reached, Diagram::leaf(number as u32), which)?;
        }
        cuts.push(i64::from(order.of.values) - 1);
        let places: sums::Integers = (which, 0, cuts);
        for diagram in &mut replaced {
            *diagram = sums::substituted(model, *diagram, choice, &places)?;
        }
    }
    Ok(replaced)
}

/// The worlds in which an order statistic is at most at a place.
fn more_than<S: Scalar>(model: &mut ChoiceModel<S>, order: &OrderStatistic, place: i64) -> Result<Diagram, TooWide> {
    let enough = order.position as u32 + 1;
    let mut elements: Vec<Diagram> = order.of.elements.to_vec();
    elements.sort_compact_by_key(|element| model.diagrams.choice(*element));
    let mut count = Diagram::leaf(0);
    for element in elements {
        let more = indicator(model, &order.of, element, -1, place)?;
        let (product, tuples) = model.diagrams.product(Diagram::TRUE, &[count, more])?;
        let sums: Vec<u32> = tuples.iter().map(|tuple| (tuple[0] + tuple[1]).min(enough)).collect();
        count = model.diagrams.relabel(product, &mut |leaf| Ok(Diagram::leaf(sums[leaf as usize])))?;
    }
    model.diagrams.relabel(count, &mut |leaf| Ok(if leaf == enough { Diagram::TRUE } else { Diagram::FALSE }))
}
