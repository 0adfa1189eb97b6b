//! Amounts that follow from figures which overlap, though no figure lies inside of another.
//!
//! With the totals of a and b, of b and c, and of a and c, half of the first and the last less the second is the total of a. So
//! for every set of people whom no figure tells apart, and for several of these sets that are small together, it is
//! asked whether their total is a combination of published ones: a question of rank, as with counts (see `implied`). Figures
//! that weigh people in the same proportions are looked at together (see `families`); those with noise in a second round, in
//! which a total has the noise of the figures that it was made of.

use std::collections::HashSet;

use super::super::implied::{Sum, following};
use super::super::vanishing::{vanishing, vanishing_sets};
use super::families::{Family, families};
use super::{Difference, Figures, Subtracted, judge};
use crate::audit::Release;
use crate::audit::contributions::contributions_of;
use crate::audit::policy::Verdict;
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::Scalar;
use privug_engine::posterior::Options;
use privug_language::source::Span;

/// Combinations of people that are looked at closely, at most.
const MOST_SUSPECTS: usize = 20_000;

/// Weights of all figures together that are compared with each other, at most.
const MOST_WEIGHTS: usize = 40_000_000;

/// Of more atoms no union is looked for here.
pub(super) const LARGEST_UNION: usize = super::super::vanishing::LARGEST_SET;

/// The totals of sets of people that follow from several overlapping figures and break a rule; `None` if that is too much to
/// work out. Sets that `is_known` are judged elsewhere.
pub(super) fn combined<S: Scalar>(
    release: &mut Release<S>,
    of: &Figures<'_>,
    sets: &[Vec<u32>],
    published: &[usize],
    is_known: &dyn Fn(&[u32]) -> bool,
) -> Option<Vec<Subtracted>> {
    let members = of.weighed.members();
    let mut chosen: Vec<usize> = published.iter().copied().filter(|figure| !sets[*figure].is_empty()).collect();
    chosen.sort_unstable();
    let mut flat = Family::flat();
    flat.figures = chosen.iter().filter_map(|figure| Some((*figure, of.weighed.same(*figure)?))).collect();
    let mut all = vec![flat];
    if chosen.iter().any(|figure| of.weighed.same(*figure).is_none()) {
        // Those in which all happen to have the same weight may go with the others.
        let entries: usize = chosen.iter().map(|figure| of.contributions[*figure].contributors).sum();
        if entries > MOST_WEIGHTS {
            return None;
        }
        let weights = |figure: &usize| (*figure, of.weighed.weights(*figure, &sets[*figure], &members));
        all.extend(families(chosen.iter().map(weights).collect()));
    }
    let mut found = Vec::new();
    for family in &all {
        let within = Within { of, sets, members: &members, family };
        let (quiet, noisy): (Vec<_>, Vec<_>) =
            family.figures.iter().copied().partition(|(figure, _)| of.noise(*figure) == 0.0);
        let mut seen: HashSet<Vec<u32>> = HashSet::new();
        within.look(release, &quiet, is_known, &mut seen, &mut found)?;
        if !noisy.is_empty() {
            within.look(release, &family.figures, is_known, &mut seen, &mut found)?;
        }
    }
    Some(found)
}

/// The figures of a family.
struct Within<'a> {
    of: &'a Figures<'a>,
    sets: &'a [Vec<u32>],
    members: &'a [Vec<u32>],
    family: &'a Family,
}

impl Within<'_> {
    /// Finds what follows from some of the figures, besides what was seen.
    fn look<S: Scalar>(
        &self,
        release: &mut Release<S>,
        used: &[(usize, f64)],
        is_known: &dyn Fn(&[u32]) -> bool,
        seen: &mut HashSet<Vec<u32>>,
        found: &mut Vec<Subtracted>,
    ) -> Option<()> {
        let (of, members) = (self.of, self.members);
        let figures: Vec<usize> = used.iter().map(|(figure, _)| *figure).collect();
        if used.len() < 2 || (self.family.is_flat() && are_nested(self.sets, &figures)) {
            // What follows from such figures follows by subtracting some of them from one.
            return Some(());
        }
        let sums: Vec<Sum> = figures.iter().map(|figure| sum_of(&self.sets[*figure])).collect();
        let vector = vanishing(members.len(), &sums)?;
        let limits = of.policy.minimum_frequency;
        let limit = limits.fail.into_iter().chain(limits.review).fold(0.0, f64::max);
        let touched: HashSet<u32> = figures.iter().flat_map(|figure| self.sets[*figure].iter().copied()).collect();
        let atoms: Vec<usize> = (0..members.len()).filter(|atom| touched.contains(&(*atom as u32))).collect();
        let things: Vec<(u64, usize)> =
            atoms.iter().map(|atom| (vector[*atom], self.behind(&[*atom as u32]))).collect();
        // Large ones may be dominated by one or two of their people.
        let alone = atoms.iter().filter(|atom| vector[**atom] == 0).map(|atom| vec![*atom as u32]);
        let small = vanishing_sets(&things, limit).into_iter().filter(|set| set.len() > 1);
        let small = small.map(|set| set.into_iter().map(|place| atoms[place] as u32).collect());
        let mut suspects: Vec<Vec<u32>> = alone.chain(small).collect();
        suspects.iter_mut().for_each(|set: &mut Vec<u32>| set.sort_unstable());
        // What is judged elsewhere is judged with everybody's weight alike.
        suspects.retain(|set| !seen.contains(set) && !(self.family.is_flat() && is_known(set)));
        let own: HashSet<&[u32]> = figures.iter().map(|figure| self.sets[*figure].as_slice()).collect();
        suspects.retain(|set| !own.contains(set.as_slice()));
        if suspects.len() > MOST_SUSPECTS {
            return None;
        }
        let variables: Vec<Affine<S>> = suspects.iter().map(|set| self.total_of(release, set)).collect();
        let contributions = contributions_of(release, of.persons, of.policy, &variables);
        let mut open = Vec::new();
        for (set, contributions) in suspects.into_iter().zip(contributions) {
            let rules = judge(&contributions, 0.0, of.scale, of.policy);
            if rules.iter().any(|(_, verdict)| *verdict != Verdict::Pass) {
                open.push((set, contributions));
            }
        }
        // A random vector proposes; rank decides.
        let asked: Vec<Sum> = open.iter().map(|(set, _)| sum_of(set)).collect();
        let sizes: Vec<i64> = members.iter().map(|members| members.len() as i64).collect();
        for followed in following(&sizes, &sums, &asked, &Options::default())? {
            let (set, contributions) = &open[followed.place];
            let noise = |(place, weight): (&usize, &f64)| {
                let (figure, t) = used[*place];
                of.noise(figure) * weight / t
            };
            let noise = followed.from.iter().zip(&followed.weights).map(noise).fold(0.0, f64::hypot);
            let broken = judge(contributions, noise, of.scale, of.policy);
            if broken.is_empty() {
                continue;
            }
            let mut from = followed.from.iter().map(|place| figures[*place]);
            let outer = from.next().unwrap_or(figures[0]);
            let difference = Difference { outer, inner: from.collect() };
            let people = contributions.contributors;
            found.push(Subtracted { difference, is_combined: true, people, broken });
            seen.insert(set.clone());
        }
        Some(())
    }

    /// How many people are in some atoms.
    fn behind(&self, atoms: &[u32]) -> usize {
        let persons = self.of.persons;
        let entries = atoms.iter().flat_map(|atom| &self.members[*atom as usize]);
        let mut people: Vec<usize> = entries.map(|entry| persons.of_entry(*entry as usize)).collect();
        people.sort_unstable();
        people.dedup();
        people.iter().map(|person| persons.size(*person) as usize).sum()
    }

    /// The total of some atoms as a variable of the network.
    fn total_of<S: Scalar>(&self, release: &mut Release<S>, set: &[u32]) -> Affine<S> {
        let entries = set.iter().flat_map(|atom| &self.members[*atom as usize]);
        let terms: Vec<(NodeId, S)> = entries
            .map(|entry| {
                let secret = release.secrets.get(*entry as usize);
                // An entry that stands for many is their mean.
                let size = release.groups.as_ref().map_or(1, |groups| groups.size(*entry as usize));
                let weight = self.family.base(*entry) * size as f64;
                (secret.node, secret.scale.mul(&S::from_f64(weight).unwrap_or_else(S::one)))
            })
            .collect();
        let node = release.network.push(S::zero(), terms, S::zero(), Span::START);
        Affine { node, scale: S::one(), offset: S::zero() }
    }
}

fn sum_of(atoms: &[u32]) -> Sum {
    atoms.iter().map(|atom| (*atom as usize, 1)).collect()
}

/// Whether every two figures have nobody in common, or one lies inside of the other.
fn are_nested(sets: &[Vec<u32>], figures: &[usize]) -> bool {
    let mut by_size: Vec<usize> = figures.to_vec();
    by_size.sort_by_key(|figure| std::cmp::Reverse(sets[*figure].len()));
    // The smallest figure so far that an atom is in: of a smaller one, all atoms must have the same.
    let mut inside_of: std::collections::HashMap<u32, usize> = std::collections::HashMap::new();
    for figure in by_size {
        let mut around = sets[figure].iter().map(|atom| inside_of.get(atom).copied());
        let first = around.next().flatten();
        if around.any(|other| other != first) {
            return false;
        }
        sets[figure].iter().for_each(|atom| {
            inside_of.insert(*atom, figure);
        });
    }
    true
}
