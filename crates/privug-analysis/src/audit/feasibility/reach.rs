//! How far the secret of each member of a class can reach, for outsiders and for contributors who know their own value.
//!
//! A member has most if the sum of the class is largest and all others have least:
//!
//! ```text
//! max zᵢ = min(upperᵢ, U − Σ_{j≠i} lowerⱼ)                 for outsiders, U the largest sum
//! max zᵢ = min(upperᵢ, U(q) − z_q − Σ_{j≠i,q} lowerⱼ)      for the contributor q, U(q) the largest sum given z_q
//! ```
//!
//! Both are U − g − Σ_{j≠i} lowerⱼ with g = 0 and g = z_q − lower_q: of all contributors the one with the smallest U(q) − g
//! counts, whoever i is, unless it is i. The smallest values are the largest of −z.

use std::collections::BTreeMap;

use super::classes::{Class, Kind};
use super::simplex::Side;
use crate::audit::exact::decimal;
use crate::audit::persons::Persons;
use privug_engine::number::Rational;

/// A number, or its negative where the smallest values are looked for.
pub(super) fn signed(side: Side, value: &Rational) -> Rational {
    match side {
        Side::Largest => value.clone(),
        Side::Smallest => -value.clone(),
    }
}

/// What a member has at least; `None` is no bound.
fn least(side: Side, kind: &Kind) -> Option<Rational> {
    match side {
        Side::Largest => kind.lower.clone(),
        Side::Smallest => kind.upper.as_ref().map(|upper| -upper.clone()),
    }
}

/// What a member has at most.
fn most(side: Side, kind: &Kind) -> Option<Rational> {
    match side {
        Side::Largest => kind.upper.clone(),
        Side::Smallest => kind.lower.as_ref().map(|lower| -lower.clone()),
    }
}

/// What some members of a class know and others do not.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Held {
    /// How many members have no bound.
    pub(super) unbounded: usize,
    /// Σ z − lower; for an unbounded member z.
    pub(super) gain: Rational,
}

/// The value of a member, as it is written.
pub(super) fn worth(class: &Class, member: usize, truths: &[f64]) -> Rational {
    let value = decimal(truths[class.members[member].0 as usize]).unwrap_or(Rational::ZERO);
    value * &class.kind(member).unit
}

/// What every person holds of a class.
pub(super) fn held(class: &Class, side: Side, truths: &[f64], persons: &Persons) -> BTreeMap<u32, Held> {
    let mut found: BTreeMap<u32, Held> = BTreeMap::new();
    for (member, (entry, _)) in class.members.iter().enumerate() {
        let held = found.entry(persons.of_entry(*entry as usize) as u32).or_default();
        let worth = signed(side, &worth(class, member, truths));
        match least(side, class.kind(member)) {
            Some(least) => held.gain += worth - least,
            None => {
                held.unbounded += 1;
                held.gain += worth;
            }
        }
    }
    found
}

/// The two persons that hold most, where everybody has one entry of the same kind: those with the most extreme values.
pub(super) fn holding_most(class: &Class, side: Side, truths: &[f64], persons: &Persons) -> BTreeMap<u32, Held> {
    let rises = (class.kinds[0].unit > Rational::ZERO) == (side == Side::Largest);
    let size = |member: usize| {
        let truth = truths[class.members[member].0 as usize];
        if rises { truth } else { -truth }
    };
    let mut top: Vec<usize> = Vec::with_capacity(3);
    for member in 0..class.members.len() {
        let place = top.partition_point(|other| size(*other) >= size(member));
        if place < 2 {
            top.insert(place, member);
            top.truncate(2);
        }
    }
    let of = |member: usize| {
        let worth = signed(side, &worth(class, member, truths));
        let held = match least(side, class.kind(member)) {
            Some(least) => Held { unbounded: 0, gain: worth - least },
            None => Held { unbounded: 1, gain: worth },
        };
        (persons.of_entry(class.members[member].0 as usize) as u32, held)
    };
    top.into_iter().map(of).collect()
}

/// What one contributor leaves of the largest sum.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limit {
    /// U(q) − g
    pub(super) left: Rational,
    /// q
    pub(super) person: u32,
}

/// One side of a class: how large the sum can be, and what contributors know.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reach {
    /// How many members have no lower bound, and the sum of the bounds of the others.
    unbounded: usize,
    least: Rational,
    /// U; `None` if there is no bound.
    pub(super) outsider: Option<Rational>,
    /// By how many unbounded members a contributor holds: the two with the smallest limits.
    insiders: BTreeMap<usize, Vec<Limit>>,
}

impl Reach {
    pub(super) fn new(class: &Class, side: Side, outsider: Option<Rational>) -> Self {
        let mut counts = vec![0_i64; class.kinds.len()];
        class.members.iter().for_each(|(_, kind)| counts[*kind as usize] += 1);
        let mut reach = Reach { outsider, ..Reach::default() };
        for (kind, count) in class.kinds.iter().zip(counts) {
            match least(side, kind) {
                Some(least) => reach.least += least * Rational::from(count),
                None => reach.unbounded += count as usize,
            }
        }
        reach
    }

    /// The smallest sum that is possible to somebody who holds a part of it; `None` if there is no bound.
    pub(super) fn least_sum(&self, held: &Held) -> Option<Rational> {
        (self.unbounded == held.unbounded).then(|| &self.least + &held.gain)
    }

    /// Takes a contributor into account for whom the largest sum is this.
    pub(super) fn know(&mut self, person: u32, held: &Held, largest: &Rational) {
        let limit = Limit { left: largest - &held.gain, person };
        let limits = self.insiders.entry(held.unbounded).or_default();
        let place = limits.partition_point(|other| other.left <= limit.left);
        limits.insert(place, limit);
        limits.truncate(2);
    }

    /// The most that a member of a kind can have, for outsiders; `None` if there is no bound.
    pub(super) fn for_outsider(&self, side: Side, kind: &Kind) -> Option<Rational> {
        let (unbounded, least) = self.others(side, kind);
        let left = self.outsider.as_ref().filter(|_| unbounded == 0).map(|largest| largest - least);
        capped(left, most(side, kind))
    }

    /// The same for the worst contributor who is not this person, and who that is.
    pub(super) fn for_insider(&self, side: Side, kind: &Kind, person: u32) -> (Option<Rational>, Option<u32>) {
        let (unbounded, least) = self.others(side, kind);
        let outsider = self.for_outsider(side, kind);
        let mut limits = self.insiders.get(&unbounded).into_iter().flatten();
        let Some(limit) = limits.find(|limit| limit.person != person) else { return (outsider, None) };
        let left = &limit.left - least;
        match outsider {
            Some(outsider) if outsider <= left => (Some(outsider), None),
            _ => (Some(left), Some(limit.person)),
        }
    }

    /// Whether somebody is one of the contributors that count.
    pub(super) fn is_known_to(&self, person: u32) -> bool {
        self.insiders.values().flatten().any(|limit| limit.person == person)
    }

    /// Of all members but one of a kind: how many have no lower bound, and the sum of the bounds of the others.
    fn others(&self, side: Side, kind: &Kind) -> (usize, Rational) {
        match least(side, kind) {
            Some(own) => (self.unbounded, &self.least - own),
            None => (self.unbounded - 1, self.least.clone()),
        }
    }
}

fn capped(left: Option<Rational>, most: Option<Rational>) -> Option<Rational> {
    super::system::smaller(left, most)
}
