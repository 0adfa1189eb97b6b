//! Amounts that follow by subtracting published figures, held against the rules of published ones.
//!
//! The total of all and the total of all but five publish the total of the five. Nobody's value follows from that, so that
//! no rule about people need be broken; but an office would not publish the total of five by itself. What follows from one
//! figure and others inside it (see `sets`) is therefore judged as if it were published.
//!
//! Most differences are large, and bounds tell that they break no rule: of the people behind a figure B and one A inside
//! it, at least n(B) − n(A) are behind the difference, their contributions add up to at least X(B) − X(A), and nobody
//! contributes more than to B (with several rows for a person: than to A and B together). Those that bounds cannot clear are
//! made figures of the network, and looked at like any other.
//!
//! What follows from overlapping figures in other ways (of three of which each two have people in common, or of two, some people
//! against others) is found by `combined`.

mod bounded;
mod cells;
mod combined;
mod sets;
mod weighed;

use privug_engine::sorting::CompactSort;
use std::collections::{HashMap, HashSet};

use super::Release;
use super::contributions::{Contributions, Derived, contributions_of};
use super::defence::Protection;
use super::figures::{DEFAULT_PROTECTION_PERCENT, judge};
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};
use super::reasons::{Finding, Reason};
use super::vanishing::LARGEST_SET;
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::Scalar;
use privug_language::source::Span;
pub(super) use sets::{Difference, differences};
pub(super) use weighed::Weighed;

/// So many differences, and people behind all of them, are looked at closely: some seconds of work.
const MOST_SUSPECTS: usize = 20_000;
const MOST_PEOPLE: usize = 100_000_000;

/// Doubles that differ by less are meant to be the same number.
const SAME: f64 = 1e-9;

/// A difference that breaks a rule, or another combination.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subtracted {
    pub(super) difference: Difference,
    /// Whether it takes more than to subtract figures inside another: then no figure is the outer one.
    pub(super) is_combined: bool,
    pub(super) people: usize,
    /// The first of them.
    pub(super) whom: Vec<usize>,
    /// How many of these people are subtracted from the others.
    pub(super) against: usize,
    pub(super) broken: Vec<(Rule, Verdict)>,
}

impl Subtracted {
    /// The worst that its rules say, as far as the policy minds what is not published itself.
    fn verdict(&self, policy: &Policy) -> Verdict {
        let worst = self.broken.iter().map(|(_, verdict)| *verdict).max().unwrap_or_default();
        worst.min(policy.differencing)
    }
}

/// What there is to subtract.
pub(super) struct Figures<'a> {
    pub(super) contributions: &'a [Contributions],
    pub(super) weighed: &'a Weighed,
    pub(super) protection: &'a Protection,
    pub(super) persons: &'a Persons,
    pub(super) policy: &'a Policy,
    /// How large a contribution is where all are 0.
    pub(super) scale: f64,
}

/// A difference Σ mⱼ·figureⱼ that bounds do not clear.
struct Suspect {
    difference: Difference,
    /// Those of the outer figure and of each inner one.
    multiples: Vec<f64>,
}

/// Differences that break a rule.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) broken: Vec<Subtracted>,
    /// Whether all that is looked for was looked at.
    pub(super) are_all: bool,
    /// Whether the rest cannot be told by groups, whose people have weights of their own.
    pub(super) are_hidden: bool,
}

/// The differences between published figures that break a rule, as far as these could be worked out.
pub(super) fn subtracted<S: Scalar>(release: &mut Release<S>, of: &Figures<'_>) -> Differences {
    if of.policy.differencing == Verdict::Pass {
        return Differences { are_all: true, ..Differences::default() };
    }
    looked_for(release, of).unwrap_or_default()
}

/// `None` if there are too many to look at.
fn looked_for<S: Scalar>(release: &mut Release<S>, of: &Figures<'_>) -> Option<Differences> {
    let sets = of.weighed.sets(release.outputs.len())?;
    let members = of.weighed.members();
    let cancels = |outer: usize, inner: usize| {
        let difference = Difference { outer, inner: vec![inner] };
        of.weighed.multiples(&difference, &sets, &members).is_some()
    };
    let (mut published, suppressed): (Vec<usize>, Vec<usize>) =
        (0..release.outputs.len()).partition(|figure| !of.protection.suppressed[*figure]);
    // Of figures about the same people, the one with the least noise tells most.
    published.sort_compact_by(|a, b| of.noise(*a).total_cmp(&of.noise(*b)));
    let judged = Judged::new(of, &sets, &published, &suppressed);
    let without_noise: Vec<usize> = published.iter().copied().filter(|figure| of.noise(*figure) == 0.0).collect();
    let mut all = differences(&sets, &without_noise, &cancels)?;
    if without_noise.len() < published.len() {
        // A noisy figure does not stand in the way of what follows without it.
        let found: HashSet<Difference> = all.iter().cloned().collect();
        let with_noise = differences(&sets, &published, &cancels)?;
        all.extend(with_noise.into_iter().filter(|difference| !found.contains(difference)));
    }
    let mut suspects = Vec::new();
    let mut people = 0;
    let (mut looked_at, mut differences_of): (HashSet<Vec<u32>>, HashSet<Vec<u32>>) = Default::default();
    for difference in all {
        let Some(multiples) = of.weighed.multiples(&difference, &sets, &members) else { continue };
        let is_open = of.is_open(&difference, &multiples);
        let is_union = difference.size(&sets) <= LARGEST_SET;
        // With millions of differences of large figures, most are never put together.
        if !is_open && !is_union {
            continue;
        }
        let atoms = difference.atoms(&sets);
        let is_judged = judged.are(&atoms, of, &difference, &multiples);
        if is_union && of.is_plain(&difference) {
            looked_at.insert(atoms.clone());
        }
        if !is_open || is_judged {
            continue;
        }
        people += of.contributions[difference.outer].contributors;
        if suspects.len() >= MOST_SUSPECTS || people > MOST_PEOPLE {
            return None;
        }
        if of.is_without_noise(&difference) {
            differences_of.insert(atoms);
        }
        suspects.push(Suspect { difference, multiples });
    }
    let is_known = |atoms: &[u32]| judged.is_plain(atoms) || looked_at.contains(atoms);
    // What follows by itself is told, also where it is too much to combine all of it.
    let Differences { broken: combined, are_all, are_hidden } =
        combined::combined(release, of, (&sets, &members), &published, &is_known, &differences_of);
    let mut broken = of.look_closely(release, suspects, &sets, &members);
    for found in combined {
        let is_told = |other: &Subtracted| other.difference == found.difference && other.people == found.people;
        if !broken.iter().any(is_told) {
            broken.push(found);
        }
    }
    Some(Differences { broken, are_all, are_hidden })
}

/// The totals of sets of people that other rules judge: published ones by themselves, with the noise that they have, and
/// suppressed ones by `recoverable`, which asks what follows without noise.
struct Judged<'a> {
    published: HashMap<&'a [u32], f64>,
    suppressed: HashSet<&'a [u32]>,
}

impl<'a> Judged<'a> {
    fn new(of: &Figures<'_>, sets: &'a [Vec<u32>], published: &[usize], suppressed: &[usize]) -> Self {
        let total = |figure: &usize| of.weighed.times_to_total(*figure).map(|times| (*figure, times));
        let mut noise_of: HashMap<&[u32], f64> = HashMap::new();
        for (figure, times) in published.iter().filter_map(total) {
            let noise = of.noise(figure) * times.abs();
            let least = noise_of.entry(&sets[figure]).or_insert(noise);
            *least = least.min(noise);
        }
        let suppressed = suppressed.iter().filter_map(total).map(|(figure, _)| sets[figure].as_slice()).collect();
        Judged { published: noise_of, suppressed }
    }

    /// Whether the total of some atoms is judged as it is without noise.
    fn is_plain(&self, atoms: &[u32]) -> bool {
        self.published.get(atoms) == Some(&0.0) || self.suppressed.contains(atoms)
    }

    /// Whether the total of some atoms is judged elsewhere, with at most the noise of a difference that tells it.
    fn are(&self, atoms: &[u32], of: &Figures<'_>, difference: &Difference, multiples: &[f64]) -> bool {
        if !difference.figures().all(|figure| of.weighed.is_flat(figure)) {
            return false;
        }
        // Noise of the program may cancel; noise of defences is independent.
        let noise = difference.figures().zip(multiples).map(|(figure, times)| of.protection.noise_std[figure] * times);
        let least = noise.fold(0.0, f64::hypot);
        self.published.get(atoms).is_some_and(|own| *own <= least)
            || (of.is_plain(difference) && self.suppressed.contains(atoms))
    }
}

impl Figures<'_> {
    fn noise(&self, figure: usize) -> f64 {
        self.protection.noise_std[figure].hypot(self.contributions[figure].noise_variance.sqrt())
    }

    /// Whether a figure's noise is so large that it hides the people behind whatever follows with it, also where a fourth of it or
    /// the mean of sixteen of its kind is left.
    fn is_blurred(&self, figure: usize) -> bool {
        let found = &self.contributions[figure];
        let largest = match found.largest.first() {
            Some((_, largest)) if *largest > 0.0 => *largest,
            _ => found.largest_weight * self.scale,
        };
        let percent = self.policy.p_percent.fail.or(self.policy.p_percent.review).unwrap_or(DEFAULT_PROTECTION_PERCENT);
        self.noise(figure) > 0.0 && self.noise(figure) >= 4.0 * percent / 100.0 * largest
    }

    /// Whether a difference is the total of some people, without noise.
    fn is_plain(&self, difference: &Difference) -> bool {
        self.is_without_noise(difference) && difference.figures().all(|figure| self.weighed.is_flat(figure))
    }

    fn is_without_noise(&self, difference: &Difference) -> bool {
        difference.figures().all(|figure| self.noise(figure) == 0.0)
    }

    /// The figures of a difference and their multiples; the outer one comes first.
    fn parts<'a>(
        &'a self,
        difference: &'a Difference,
        multiples: &'a [f64],
    ) -> impl Iterator<Item = (&'a Contributions, f64)> {
        difference.figures().zip(multiples).map(|(figure, multiple)| (&self.contributions[figure], multiple.abs()))
    }

    /// Fewer people than these are not behind a difference, whose inner figures have nobody in common.
    fn people(&self, difference: &Difference) -> usize {
        let inner = difference.inner.iter().map(|figure| self.contributions[*figure].contributors);
        self.contributions[difference.outer].contributors.saturating_sub(inner.sum())
    }

    /// Whether bounds leave it open that a difference breaks a rule.
    fn is_open(&self, difference: &Difference, multiples: &[f64]) -> bool {
        if self.policy.minimum_frequency.at_least(self.people(difference) as f64) != Verdict::Pass {
            return true;
        }
        let mut parts = self.parts(difference, multiples);
        let Some((outer, times)) = parts.next() else { return false };
        let inner: Vec<(&Contributions, f64)> = parts.collect();
        let largest = |(found, times): (&Contributions, f64), place: usize| {
            found.largest.get(place).map_or(0.0, |(_, size)| size * times)
        };
        let inner_total: f64 = inner.iter().map(|(found, times)| found.total * times).sum();
        let total = outer.total * times * (1.0 - SAME) - inner_total;
        // The rows of somebody may have different signs, and cancel in the outer figure.
        let of_inner: f64 =
            if self.persons.have_one_entry() { 0.0 } else { inner.iter().map(|part| largest(*part, 0)).sum() };
        let most = |place: usize| largest((outer, times), place) + of_inner;
        let dominant: f64 = (0..self.policy.dominance_largest).map(most).sum();
        let left = 100.0 * (total - most(0) - most(1)) / most(0);
        let is_clear = total > 0.0
            && self.policy.dominance.at_most(100.0 * dominant / total) == Verdict::Pass
            && self.policy.p_percent.at_least(left) == Verdict::Pass
            && self.is_far_from_bounds(difference, multiples);
        !is_clear
    }

    /// Whether what is left of the distances from the bounds of the data is enough.
    fn is_far_from_bounds(&self, difference: &Difference, multiples: &[f64]) -> bool {
        let of = |figure: usize| self.contributions[figure].distances;
        let Some((first, others)) = multiples.split_first() else { return true };
        let inner = difference.inner.iter().zip(others);
        // What is subtracted has the same ends, unless the figure itself is negative.
        let inner = inner.map(|(figure, times)| (of(*figure), times.abs(), times.signum() != first.signum()));
        of(difference.outer).is_clear(first.abs(), inner)
    }

    /// Makes figures of differences, and judges them.
    fn look_closely<S: Scalar>(
        &self,
        release: &mut Release<S>,
        suspects: Vec<Suspect>,
        sets: &[Vec<u32>],
        members: &[Vec<u32>],
    ) -> Vec<Subtracted> {
        let (variables, suspects): (Vec<Affine<S>>, Vec<Suspect>) = suspects
            .into_iter()
            .filter_map(|suspect| variable_of(release, &suspect).map(|variable| (variable, suspect)))
            .unzip();
        let derived = variables.into_iter().zip(&suspects).map(|(variable, suspect)| {
            let atoms = suspect.difference.atoms(sets);
            let mut among: Vec<u32> = atoms.iter().flat_map(|atom| &members[*atom as usize]).copied().collect();
            among.sort_unstable();
            Derived { variable, among: Some(among) }
        });
        let found = contributions_of(release, self.persons, self.policy, derived);
        let mut broken = Vec::new();
        for (Suspect { difference, multiples }, found) in suspects.into_iter().zip(found) {
            let noise =
                difference.figures().zip(&multiples).map(|(figure, times)| self.protection.noise_std[figure] * times);
            let noise = noise.fold(found.noise_variance.sqrt(), f64::hypot);
            let rules = judge(&found, noise, self.scale, self.policy);
            if !rules.is_empty() {
                let (people, whom) = (found.contributors, found.first);
                broken.push(Subtracted { difference, is_combined: false, people, whom, against: 0, broken: rules });
            }
        }
        broken
    }
}

/// A difference as a variable of the network; `None` if a multiple is no number.
fn variable_of<S: Scalar>(release: &mut Release<S>, suspect: &Suspect) -> Option<Affine<S>> {
    let Suspect { difference, multiples } = suspect;
    let terms: Option<Vec<(NodeId, S)>> = difference
        .figures()
        .zip(multiples)
        .map(|(figure, times)| {
            let variable = &release.outputs[figure].variable;
            Some((variable.node, variable.scale.mul(&S::from_f64(*times)?)))
        })
        .collect();
    let node = release.network.push(S::zero(), terms?, S::zero(), Span::START);
    Some(Affine { node, scale: S::one(), offset: S::zero() })
}

/// What is said of differences: one reason for each verdict. What was too much to work out does not pass.
pub(super) fn reasons(found: &Differences, figures: usize, policy: &Policy) -> Vec<Reason> {
    let rule = Rule::Differencing;
    let mut reasons = Vec::new();
    for verdict in [Verdict::Fail, Verdict::Review] {
        let meant = || found.broken.iter().filter(|one| one.verdict(policy) == verdict);
        let Some(least) = meant().min_by_key(|one| (one.people, one.difference.inner.len())) else { continue };
        let finding = Finding::Difference {
            people: least.people,
            whom: least.whom.clone(),
            against: least.against,
            outer: least.difference.outer,
            inner: least.difference.inner.clone(),
            is_combined: least.is_combined,
            broken: least.broken.iter().map(|(rule, _)| *rule).collect(),
        };
        reasons.push(Reason { rule, verdict, count: meant().count(), finding });
    }
    if !found.are_all {
        let finding = if found.are_hidden { Finding::HiddenWeights } else { Finding::TooMuchWork };
        reasons.push(Reason { rule, verdict: Verdict::Review, count: figures, finding });
    }
    reasons
}

#[cfg(test)]
mod tests;
