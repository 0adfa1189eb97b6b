//! What the rules about people say about how many members of each group.
//!
//! People of one group differ in their truths only, so that all rules but the one about nearness to the truth say the same
//! about all of them; with weights of their own every rule may say something else about each. These are looked at one by
//! one where the two at the ends leave it open.

use super::curves::EntryMap;
use super::near::{Near, changes_little};
use super::statistics::ReleaseGroups;
use crate::audit::people::{NEAR_TRUTH, PeopleColumns, RULES};
use crate::audit::policy::{Policy, Verdict};

/// About how many people each rule says what, and what the worst is about how many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::audit) struct Judged {
    pub(in crate::audit) by_rule: [Near; RULES.len()],
    pub(in crate::audit) overall: Near,
}

impl Judged {
    fn add(&mut self, verdicts: [Verdict; RULES.len()], people: u64) {
        for (counts, verdict) in self.by_rule.iter_mut().zip(verdicts) {
            counts[verdict as usize] += people;
        }
        self.overall[verdicts.into_iter().max().unwrap_or_default() as usize] += people;
    }

    /// A group whose people differ in their truths only.
    fn alike(verdicts: [Verdict; RULES.len()], near: Near) -> Self {
        let mut judged = Judged::default();
        for (verdict, people) in [Verdict::Pass, Verdict::Review, Verdict::Fail].into_iter().zip(near) {
            let mut verdicts = verdicts;
            verdicts[NEAR_TRUTH] = verdict;
            judged.add(verdicts, people);
        }
        judged
    }

    /// The worst that each rule says about somebody.
    pub(in crate::audit) fn worst(&self) -> [Verdict; RULES.len()] {
        self.by_rule.map(|counts| {
            let said = [Verdict::Fail, Verdict::Review].into_iter().find(|verdict| counts[*verdict as usize] > 0);
            said.unwrap_or_default()
        })
    }
}

/// What is said about the members of each entry: of two for one group, all is said of the first. `near` is what the rule about nearness
/// says about groups without weights of their own. Tells also about how many people a bound was used.
pub(in crate::audit) fn judged<S>(
    of: &ReleaseGroups<S>,
    people: &PeopleColumns,
    near: &[Near],
    entries: &EntryMap,
    scale: f64,
    policy: &Policy,
) -> Result<(Vec<Judged>, u64), String> {
    let mut found: Vec<Judged> = Vec::with_capacity(people.len());
    let mut open = vec![false; of.groups.len()];
    let (mut bounded, mut is_open) = (0, false);
    for entry in 0..people.len() {
        found.push(match of.place_in_pair(entry) {
            None => Judged::alike(people.verdicts(entry, policy), near[entry]),
            Some(1) => Judged::default(),
            Some(_) => match clear(of, people, entry, policy) {
                Some(judged) => judged,
                None if of.members.is_some() => {
                    (open[of.group(entry)], is_open) = (true, true);
                    Judged::default()
                }
                None => {
                    let (judged, by_bound) = at_worst(of, people, entry, policy);
                    bounded += by_bound;
                    judged
                }
            },
        });
    }
    let Some(members) = of.members.as_ref().filter(|_| is_open) else { return Ok((found, bounded)) };
    members.visit(&mut |rows| {
        let (places, measured) = entries.measured(rows, people, scale, policy, &|group| open[group]);
        for (at, place) in places.into_iter().enumerate() {
            if let Some(entry) = entries.entry(rows.groups[place] as usize) {
                found[entry].add(measured.verdicts(at, policy), 1);
            }
        }
    })?;
    for (group, open) in open.into_iter().enumerate().filter(|(_, open)| *open) {
        let seen = entries.entry(group).map_or(0, |entry| found[entry].overall.iter().sum::<u64>());
        if open && seen != of.groups.sizes[group] {
            return Err("the table changed while it was being read".to_owned());
        }
    }
    Ok((found, bounded))
}

/// What is said of a group with weights of its own, if no rule minds: not about the two at the ends, who lose most, and the release
/// changes nobody's probabilities by as much as the rule about nearness wants.
fn clear<S>(of: &ReleaseGroups<S>, people: &PeopleColumns, first: usize, policy: &Policy) -> Option<Judged> {
    let size = of.groups.sizes[of.group(first)];
    let mut judged = Judged::default();
    let ends = [people.verdicts(first, policy), people.verdicts(first + 1, policy)];
    let minds = |verdicts: &[Verdict; RULES.len()]| {
        verdicts.iter().enumerate().any(|(rule, verdict)| rule != NEAR_TRUTH && *verdict != Verdict::Pass)
    };
    let is_clear = !ends.iter().any(minds)
        && !people.fully_disclosed[first]
        && !people.fully_disclosed[first + 1]
        && (policy.near_truth.at_most(1.0) == Verdict::Pass || changes_little(&largest_change(people, first), policy));
    judged.add([Verdict::Pass; RULES.len()], size);
    is_clear.then_some(judged)
}

/// Somebody whose mean moves as far, and whose variance shrinks as much, as anybody's in a group.
fn largest_change(people: &PeopleColumns, first: usize) -> privug_measures::leakage::Knowledge {
    let mut knowledge = people.knowledge(first);
    let other = people.knowledge(first + 1);
    if other.mean_shift.abs() > knowledge.mean_shift.abs() {
        knowledge.mean_shift = other.mean_shift;
    }
    knowledge.posterior_variance = knowledge.posterior_variance.min(other.posterior_variance);
    knowledge
}

/// The worst that can be said where nobody's own weight and value is there to look at, and about how many people that is a bound.
fn at_worst<S>(of: &ReleaseGroups<S>, people: &PeopleColumns, first: usize, policy: &Policy) -> (Judged, u64) {
    let group = of.group(first);
    let size = of.groups.sizes[group];
    let mut judged = Judged::default();
    let mut ends = [people.verdicts(first, policy), people.verdicts(first + 1, policy)];
    let is_told = |entry: usize| people.fully_disclosed[entry] && policy.full_disclosure != Verdict::Pass;
    if !changes_little(&largest_change(people, first), policy) {
        for (end, entry) in ends.iter_mut().zip([first, first + 1]).filter(|(_, entry)| !is_told(*entry)) {
            debug_assert!(entry >= first);
            end[NEAR_TRUTH] = policy.near_truth.at_most(1.0);
        }
    } else {
        ends.iter_mut().for_each(|end| end[NEAR_TRUTH] = Verdict::Pass);
    }
    let (least, most) = of.stand_ins.weights_of(group).map_or((0, 0), |known| (known.at_least, known.at_most));
    judged.add(ends[0], least);
    judged.add(ends[1], most);
    let mut between = [Verdict::Pass; RULES.len()];
    for (rule, verdict) in between.iter_mut().enumerate().skip(1) {
        *verdict = ends[0][rule].max(ends[1][rule]);
    }
    // Who is disclosed at an end is not judged by the other rules, and those in between are.
    if ends.iter().any(|end| end[0] != Verdict::Pass) {
        between[1] = between[1].max(policy.relative_std.at_least(0.0));
        between[2] = between[2].max(policy.mutual_information_bits.at_most(f64::INFINITY));
        between[NEAR_TRUTH] = between[NEAR_TRUTH].max(policy.near_truth.at_most(1.0));
    }
    judged.add(between, size - least - most);
    let by_bound = if ends[0][NEAR_TRUTH] != Verdict::Pass || ends[1][NEAR_TRUTH] != Verdict::Pass {
        size
    } else {
        size - least - most
    };
    (judged, by_bound)
}
