//! What the rule about nearness to the truth says about the people of a group, who differ in nothing but their truth and,
//! where everybody has their own, their prior mean.
//!
//! after(t) is the attacker's probability of being within r(t) = p·max(|t|, scale) of the truth t, before(t) the same before
//! the release; the rule speaks up where after(t) is above a threshold and exceeds before(t) by at least a gain. No
//! probability changes by more than the total variation of the two distributions, which Pinsker's inequality bounds by
//! √(KL/2): where that is less than the gain, nobody of the group is concerned. Else intervals of t are looked at: for all t
//! in [a, b], after(t) is at most the probability of the union of their neighbourhoods, and before(t) at least that of
//! their intersection.

use super::members::NearTruth;
use super::statistics::ReleaseGroups;
use crate::audit::people::{PeopleColumns, near_verdict};
use crate::audit::policy::{Policy, Verdict};
use privug_measures::leakage::Knowledge;

/// How many members of a group the rule says what about: pass, review, fail.
pub(in crate::audit) type Near = [u64; 3];

/// Probabilities are computed to about 15 digits; a bound is this much wider.
const ROUNDING: f64 = 1e-12;
/// An interval is cut until it is this part of a neighbourhood.
const FINE: f64 = 1.0 / 64.0;
/// So many intervals are looked at before the worst is assumed.
const MAX_INTERVALS: usize = 20_000;

/// Somebody of a group about whom the rule says the worst.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::audit) struct Worst {
    pub(in crate::audit) truth: f64,
    /// Their prior mean; of a group in which the rule concerns nobody, the mean of these.
    pub(in crate::audit) prior_mean: f64,
}

/// What the rule says about each group's members, and the one about whom it says the worst.
///
/// `people` has one entry for each group, whatever truth it was measured with.
pub(in crate::audit) fn near_truth<S>(
    release: &ReleaseGroups<S>,
    people: &PeopleColumns,
    scale: f64,
    policy: &Policy,
) -> Result<(Vec<Near>, Vec<Worst>, NearTruth), String> {
    let count = people.len();
    let have_own_means = release.groups.prior_means.is_some();
    let mut near: Vec<Near> = vec![[0; 3]; count];
    let somebody = |entry: usize| Worst { truth: release.range(entry).0, prior_mean: people.prior_mean[entry] };
    let mut worst: Vec<Worst> = (0..count).map(somebody).collect();
    // What anybody in the group may be told at worst; `None` where that is known.
    let mut open: Vec<Option<Verdict>> = vec![None; count];
    for entry in 0..count {
        let (size, (least, most)) = (release.size(entry), release.range(entry));
        let knowledge = people.knowledge(entry);
        let of = |truth: f64| near_verdict(&knowledge, truth, scale, policy);
        let (low, high) = (of(least), of(most));
        if high.worse_than(&low) {
            worst[entry].truth = most;
        }
        if release.place_in_pair(entry).is_some() {
            // Everybody's weight counts here as well: see `judged`.
            if let Some(Worst { truth, prior_mean }) = at_end(release, entry) {
                worst[entry].truth = truth;
                worst[entry].prior_mean = if prior_mean.is_nan() { worst[entry].prior_mean } else { prior_mean };
            }
            continue;
        }
        let is_told = people.fully_disclosed[entry] && policy.full_disclosure != Verdict::Pass;
        if is_told {
            near[entry][Verdict::Pass as usize] = size;
        } else if have_own_means && size > 1 {
            // Nobody is nearer than certainly.
            match policy.near_truth.at_most(1.0) {
                Verdict::Pass => near[entry][Verdict::Pass as usize] = size,
                _ if changes_little(&knowledge, policy) => near[entry][Verdict::Pass as usize] = size,
                verdict => open[entry] = Some(verdict),
            }
        } else if least == most {
            near[entry][low.verdict as usize] = size;
        } else {
            near[entry][low.verdict as usize] += 1;
            near[entry][high.verdict as usize] += 1;
            if size > 2 {
                match at_worst(&knowledge, least, most, scale, policy) {
                    Verdict::Pass => near[entry][Verdict::Pass as usize] += size - 2,
                    verdict => open[entry] = Some(verdict),
                }
            }
        }
    }
    let mut told = NearTruth::default();
    if open.iter().all(Option::is_none) {
        return Ok((near, worst, told));
    }
    match &release.members {
        None => {
            for (entry, verdict) in open.iter().enumerate() {
                if let Some(verdict) = verdict {
                    let others = release.size(entry) - near[entry].iter().sum::<u64>();
                    near[entry][*verdict as usize] += others;
                    told.bounded += others;
                }
            }
        }
        Some(members) => {
            let mut entry_of = vec![u32::MAX; release.groups.len()];
            let mut worst_of: Vec<Option<Nearness>> = vec![None; count];
            for (entry, verdict) in open.iter().enumerate() {
                if verdict.is_some() {
                    entry_of[release.group(entry)] = entry as u32;
                    near[entry] = [0; 3];
                }
            }
            members.visit(&mut |rows| {
                for (place, (group, truth)) in rows.groups.iter().zip(&rows.secrets).enumerate() {
                    let entry = entry_of[*group as usize];
                    if entry == u32::MAX {
                        continue;
                    }
                    let entry = entry as usize;
                    let mut knowledge = people.knowledge(entry);
                    if let Some(means) = &rows.prior_means {
                        knowledge.prior_mean = means[place];
                    }
                    let found = near_verdict(&knowledge, *truth, scale, policy);
                    near[entry][found.verdict as usize] += 1;
                    if worst_of[entry].is_none_or(|worst| found.worse_than(&worst)) {
                        worst_of[entry] = Some(found);
                        worst[entry] = Worst { truth: *truth, prior_mean: knowledge.prior_mean };
                    }
                }
            })?;
            for (entry, verdict) in open.iter().enumerate() {
                if verdict.is_some() && near[entry].iter().sum::<u64>() != release.size(entry) {
                    return Err("the table changed while it was being read".to_owned());
                }
            }
        }
    }
    Ok((near, worst, told))
}

/// The person with the smallest, or the largest, weight of a group with weights of their own, where they are known.
fn at_end<S>(release: &ReleaseGroups<S>, entry: usize) -> Option<Worst> {
    let place = release.place_in_pair(entry)?;
    let weights = release.stand_ins.weights_of(release.group(entry))?;
    let truth = Some(weights.secrets[place]).filter(|truth| !truth.is_nan())?;
    Some(Worst { truth, prior_mean: weights.prior_means[place] })
}

/// What the rule says about one truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::audit) struct Nearness {
    pub(in crate::audit) before: f64,
    pub(in crate::audit) after: f64,
    pub(in crate::audit) verdict: Verdict,
}

impl Nearness {
    fn worse_than(&self, other: &Nearness) -> bool {
        (self.verdict, self.after) > (other.verdict, other.after)
    }
}

/// Whether the release changes probabilities by less than the rule's gain, whatever the truth and the prior mean are.
pub(super) fn changes_little(knowledge: &Knowledge, policy: &Policy) -> bool {
    let (prior, posterior) = (knowledge.prior_variance, knowledge.posterior_variance);
    if prior <= 0.0 {
        return true;
    }
    let ratio = posterior / prior;
    let kl_nats = 0.5 * (ratio - 1.0 - ratio.ln() + knowledge.mean_shift * knowledge.mean_shift / prior);
    policy.near_truth_gain > 0.0 && (0.5 * kl_nats).sqrt() + ROUNDING < policy.near_truth_gain
}

/// The worst that the rule can say about a truth between two others.
fn at_worst(knowledge: &Knowledge, least: f64, most: f64, scale: f64, policy: &Policy) -> Verdict {
    let (prior, posterior) = (knowledge.prior_variance, knowledge.posterior_variance);
    if changes_little(knowledge, policy) {
        return Verdict::Pass;
    }
    let percent = policy.near_truth_percent / 100.0;
    let radius = |truth: f64| percent * truth.abs().max(scale);
    let (prior_std, posterior_std) = (prior.sqrt(), posterior.sqrt());
    let posterior_mean = knowledge.prior_mean + knowledge.mean_shift;
    let mass = |mean: f64, std_dev: f64, low: f64, high: f64| {
        if low > high {
            return 0.0;
        }
        let centre = 0.5 * (low + high);
        let around = Knowledge::after_all_outputs(mean, std_dev * std_dev, 0.0, std_dev * std_dev, 0.0);
        around.within_of_truth(centre, 0.5 * (high - low)).map_or(1.0, |found| found[0])
    };
    let mut due = vec![(least, most)];
    let (mut looked_at, mut worst) = (0, Verdict::Pass);
    while let Some((a, b)) = due.pop() {
        looked_at += 1;
        // The neighbourhoods of all truths in [a, b]: the largest radius is at an end, the smallest at an end or at 0.
        let widest = radius(a).max(radius(b));
        let narrowest = if a <= 0.0 && b >= 0.0 { percent * scale } else { radius(a).min(radius(b)) };
        let after = mass(posterior_mean, posterior_std, a - widest, b + widest) + ROUNDING;
        let before = mass(knowledge.prior_mean, prior_std, b - narrowest, a + narrowest) - ROUNDING;
        let gained = after - before >= policy.near_truth_gain;
        let verdict = if gained { policy.near_truth.at_most(after) } else { Verdict::Pass };
        if verdict <= worst {
            continue;
        }
        let middle = 0.5 * (a + b);
        if b - a <= FINE * narrowest || looked_at > MAX_INTERVALS || middle <= a || middle >= b {
            worst = verdict;
            if worst == Verdict::Fail {
                break;
            }
            continue;
        }
        due.push((a, middle));
        due.push((middle, b));
    }
    worst
}
