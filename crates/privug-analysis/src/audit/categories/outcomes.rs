//! Counts rounded at random: which of two multiples will be published is not known beforehand, and the worst outcome counts.
//!
//! What somebody's figures may be published as depends on those figures alone that hang together with them through people in
//! common. Within such a part every combination of outcomes is gone through, in all parts at the same time.

use std::collections::BTreeMap;

use super::super::policy::{Policy, Verdict};
use super::classes::{Classes, Tally};
use super::distributions::{Certainty, Distribution, Distributions};
use super::peel::Evidence;
use super::solve::Posterior;

/// No part with more figures of two outcomes is gone through.
const MOST_BITS: usize = 10;
/// Terms of all figures that are gone through, of all outcomes together.
const MOST_TERMS: usize = 20_000_000;
/// The same of pairs of a state and a way where figures overlap: as much as one piece may take.
const MOST_WALKED: u64 = super::walk::MAX_WORK;

/// The outcomes of some figures.
pub(super) struct Outcomes {
    /// What a figure tells that is published as the less likely multiple, and its number within its part; `None` if there is none.
    others: Vec<Option<(Evidence, usize)>>,
    /// How many figures of the largest part that is gone through have two outcomes.
    bits: usize,
    /// Whether some outcome depends on what is rounded, for each class.
    pub(super) is_affected: Vec<bool>,
    /// Classes with the same number hang together through figures.
    pub(super) part_of: Vec<usize>,
    /// The classes of parts with too many outcomes.
    pub(super) too_many: Vec<Vec<u32>>,
}

impl Outcomes {
    /// `others` is what each figure tells that is published as the less likely multiple, and `walked` what one outcome takes where
    /// figures overlap.
    pub(super) fn new(tallies: &[Tally], others: Vec<Option<Evidence>>, classes: usize, walked: u64) -> Self {
        let mut found = Outcomes {
            others: vec![None; tallies.len()],
            bits: 0,
            is_affected: vec![false; classes],
            part_of: Vec::new(),
            too_many: vec![],
        };
        if others.iter().all(Option::is_none) {
            return found;
        }
        let part_of = parts(tallies, classes);
        let terms: usize = tallies.iter().map(|tally| tally.terms.len()).sum();
        let most = (1..=MOST_BITS)
            .rev()
            .find(|bits| terms << bits <= MOST_TERMS && walked << bits <= MOST_WALKED)
            .unwrap_or(0);
        let mut count = vec![0; classes];
        let part = |tally: &Tally| tally.terms.first().map(|(class, _)| part_of[*class as usize]);
        for ((tally, other), kept) in tallies.iter().zip(others).zip(&mut found.others) {
            if let (Some(part), Some(other)) = (part(tally), other) {
                *kept = Some((other, count[part]));
                count[part] += 1;
            }
        }
        found.bits = count.iter().copied().filter(|bits| *bits <= most).max().unwrap_or(0);
        for (class, part) in part_of.iter().enumerate() {
            found.is_affected[class] = count[*part] > 0 && count[*part] <= most;
        }
        let mut too_many: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (class, part) in part_of.iter().enumerate().filter(|(_, part)| count[**part] > most) {
            too_many.entry(*part).or_default().push(class as u32);
        }
        found.too_many = too_many.into_values().collect();
        found.part_of = part_of;
        found
    }

    /// What is said of figures that have two outcomes.
    pub(super) fn note(&self) -> Option<String> {
        let open = self.others.iter().flatten().count();
        let figures = match open {
            0 => return None,
            1 => "1 figure is".to_owned(),
            open => format!("{open} figures are"),
        };
        let mut words = format!(
            "{figures} randomly rounded to one of two multiples, and which one is not known beforehand: results about people are for the worst case, and the likelier multiple is shown"
        );
        if !self.too_many.is_empty() {
            words.push_str(
                "; where too many such figures are about the same people (more than ten, or fewer that overlap in many ways), what they reveal together is unknown",
            );
        }
        Some(words)
    }

    /// What the figures tell in every other case than the likeliest one, which is given.
    pub(super) fn less_likely(&self, likeliest: &[Evidence]) -> impl Iterator<Item = Vec<Evidence>> {
        (1usize..1 << self.bits).map(move |case| {
            let outcome = |(likely, other): (&Evidence, &Option<(Evidence, usize)>)| match other {
                Some((other, bit)) if case >> bit.min(&63) & 1 == 1 => other.clone(),
                Some(_) | None => likely.clone(),
            };
            likeliest.iter().zip(&self.others).map(outcome).collect()
        })
    }
}

/// Which classes hang together through figures: each has the number of one of them.
fn parts(tallies: &[Tally], classes: usize) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..classes).collect();
    fn root(parent: &mut [usize], mut class: usize) -> usize {
        while parent[class] != class {
            parent[class] = parent[parent[class]];
            class = parent[class];
        }
        class
    }
    for tally in tallies {
        let Some((first, _)) = tally.terms.first() else { continue };
        for (class, _) in &tally.terms {
            let (one, other) = (root(&mut parent, *first as usize), root(&mut parent, *class as usize));
            parent[other] = one;
        }
    }
    (0..classes).map(|class| root(&mut parent, class)).collect()
}

/// Of what is known about a class in two cases, that which the rules say more about.
pub(super) fn keep_worse(
    kept: &mut Posterior,
    other: Posterior,
    class: usize,
    classes: &Classes,
    law: &[f64],
    sensitive: &[Vec<bool>],
    policy: &Policy,
) {
    let known = |posterior: &Posterior| Distribution {
        column: classes.all[class].column,
        prior: law.to_vec(),
        posterior: posterior.probabilities.clone(),
        possible: posterior.possible.clone(),
        certainty: Certainty::from(posterior.method),
        people: 1,
        exact: None,
    };
    if says_more(&known(&other), &known(kept), sensitive, policy) {
        *kept = other;
    }
}

/// Whether the rules say more about somebody of whom one thing is known than about somebody of whom another is.
pub(super) fn says_more(one: &Distribution, other: &Distribution, sensitive: &[Vec<bool>], policy: &Policy) -> bool {
    let risk = |known: &Distribution| {
        let bits = known.information_bits();
        let alone = Distributions {
            values: Vec::new(),
            sensitive: sensitive.to_vec(),
            known: vec![known.clone()],
            of_entry: vec![0],
            truths: Vec::new(),
        };
        let verdict = alone.verdicts(0, policy).into_iter().max().unwrap_or(Verdict::Pass);
        let raised = alone.raised(0, policy.attribute_gain).unwrap_or(0.0);
        (verdict, alone.is_disclosed(0), [raised, bits])
    };
    let (after, before) = (risk(one), risk(other));
    // What is not known stays unknown, and counts as more than any number.
    let by_rules = (after.0, after.1).cmp(&(before.0, before.1));
    let by_numbers = || after.2[0].total_cmp(&before.2[0]).then(after.2[1].total_cmp(&before.2[1]));
    by_rules.then_with(by_numbers).is_gt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(classes: &[u32]) -> Tally {
        Tally { terms: classes.iter().map(|class| (*class, vec![0, 1])).collect(), total: 4 }
    }

    #[test]
    fn every_combination_of_outcomes_within_a_part_is_gone_through() {
        // The first two share a class; the third has one of its own, and one outcome.
        let tallies = [tally(&[0, 1]), tally(&[1]), tally(&[2]), tally(&[3])];
        let others = [Some(3), Some(6), None, Some(9)].map(|total| total.map(Evidence::Exact));
        let outcomes = Outcomes::new(&tallies, others.to_vec(), 4, 0);
        assert_eq!(outcomes.is_affected, [true, true, false, true]);
        assert!(outcomes.note().is_some_and(|words| words.starts_with("3 figures are")));
        let likely = [0, 0, 0, 0].map(Evidence::Exact);
        let totals = |case: Vec<Evidence>| -> Vec<i64> {
            case.iter().map(|one| if let Evidence::Exact(total) = one { *total } else { -1 }).collect()
        };
        let cases: Vec<Vec<i64>> = outcomes.less_likely(&likely).map(totals).collect();
        assert_eq!(cases, [vec![3, 0, 0, 9], vec![0, 6, 0, 0], vec![3, 6, 0, 9]]);
        assert!(outcomes.too_many.is_empty());
    }

    #[test]
    fn a_part_with_too_many_outcomes_is_not_known() {
        let tallies: Vec<Tally> = (0..12).map(|_| tally(&[0])).chain([tally(&[1])]).collect();
        let outcomes = Outcomes::new(&tallies, vec![Some(Evidence::Exact(3)); 13], 2, 0);
        assert_eq!((outcomes.bits, outcomes.too_many.as_slice()), (1, &[vec![0]][..]));
        assert_eq!(outcomes.is_affected, [false, true]);
    }
}
