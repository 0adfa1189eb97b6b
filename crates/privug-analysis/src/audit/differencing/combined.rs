//! Amounts that follow from figures which overlap, though no figure lies inside of another.
//!
//! With the totals of a and b, of b and c, and of a and c, half of the first and the last less the second is the total of a. So
//! for every set of people whom no figure tells apart, and for every two to four of these sets that are small together, it is
//! asked whether their total is a combination of published ones: a question of rank, as with counts (see `implied`).
//! Figures with noise, and those that weigh people differently, are left out.

use super::super::implied::{Sum, following};
use super::super::vanishing::{vanishing, vanishing_sets};
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

/// The totals of sets of people that follow from several overlapping figures and break a rule; `None` if that is too much to
/// work out. Sets that `is_known` are judged elsewhere.
pub(super) fn combined<S: Scalar>(
    release: &mut Release<S>,
    of: &Figures<'_>,
    sets: &[Vec<u32>],
    published: &[usize],
    is_known: &dyn Fn(&[u32]) -> bool,
) -> Option<Vec<Subtracted>> {
    let is_plain =
        |figure: &usize| of.noise(*figure) == 0.0 && of.weighed.is_flat(*figure) && !sets[*figure].is_empty();
    let mut used: Vec<usize> = published.iter().copied().filter(is_plain).collect();
    used.sort_unstable();
    if are_nested(sets, &used) {
        // What follows from such figures follows by subtracting some of them from one.
        return Some(Vec::new());
    }
    let members = of.weighed.members();
    let sums: Vec<Sum> = used.iter().map(|figure| sum_of(&sets[*figure])).collect();
    let behind = |atoms: &[u32]| {
        let mut people: Vec<usize> = atoms
            .iter()
            .flat_map(|atom| &members[*atom as usize])
            .map(|entry| of.persons.of_entry(*entry as usize))
            .collect();
        people.sort_unstable();
        people.dedup();
        people.into_iter().map(|person| of.persons.size(person)).sum::<u64>() as usize
    };
    let vector = vanishing(members.len(), &sums)?;
    let limits = of.policy.minimum_frequency;
    let limit = limits.fail.into_iter().chain(limits.review).fold(0.0, f64::max);
    let things: Vec<(u64, usize)> = (0..members.len()).map(|atom| (vector[atom], behind(&[atom as u32]))).collect();
    // Large ones may be dominated by one or two of their people.
    let alone = (0..members.len()).filter(|atom| vector[*atom] == 0).map(|atom| vec![atom as u32]);
    let small = vanishing_sets(&things, limit).into_iter();
    let small = small.filter(|set| set.len() > 1).map(|set| set.into_iter().map(|atom| atom as u32).collect());
    let mut suspects: Vec<Vec<u32>> = alone.chain(small).collect();
    suspects.iter_mut().for_each(|set: &mut Vec<u32>| set.sort_unstable());
    suspects.retain(|set| !is_known(set));
    if suspects.len() > MOST_SUSPECTS {
        return None;
    }
    let variables: Vec<Affine<S>> = suspects.iter().map(|set| total_of(release, set, &members)).collect();
    let found = contributions_of(release, of.persons, of.policy, &variables);
    let mut broken = Vec::new();
    for (set, found) in suspects.into_iter().zip(found) {
        let rules = judge(&found, 0.0, of.scale, of.policy);
        if rules.iter().any(|(_, verdict)| *verdict != Verdict::Pass) {
            broken.push((set, found.contributors, rules));
        }
    }
    // A random vector proposes; rank decides.
    let asked: Vec<Sum> = broken.iter().map(|(set, ..)| sum_of(set)).collect();
    let sizes: Vec<i64> = members.iter().map(|members| members.len() as i64).collect();
    let mut all = Vec::new();
    for followed in following(&sizes, &sums, &asked, &Options::default())? {
        let (_, people, rules) = &broken[followed.place];
        let mut from = followed.from.iter().map(|place| used[*place]);
        let outer = from.next().unwrap_or(used[0]);
        let difference = Difference { outer, inner: from.collect() };
        all.push(Subtracted { difference, is_combined: true, people: *people, broken: rules.clone() });
    }
    Some(all)
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

/// The total of some atoms as a variable of the network.
fn total_of<S: Scalar>(release: &mut Release<S>, set: &[u32], members: &[Vec<u32>]) -> Affine<S> {
    let entries = set.iter().flat_map(|atom| &members[*atom as usize]);
    let terms: Vec<(NodeId, S)> = entries
        .map(|entry| match &release.groups {
            None => {
                let secret = release.secrets.get(*entry as usize);
                (secret.node, secret.scale)
            }
            // Figures depend on the mean of a group, and its total is so many times that.
            Some(groups) => {
                let mean = &groups.means[*entry as usize];
                (mean.node, mean.scale.mul(&S::from_i64(groups.size(*entry as usize) as i64)))
            }
        })
        .collect();
    let node = release.network.push(S::zero(), terms, S::zero(), Span::START);
    Affine { node, scale: S::one(), offset: S::zero() }
}
