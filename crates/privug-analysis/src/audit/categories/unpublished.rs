//! What is said of groups and unions that nothing is published about by themselves.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::super::dependent::{dependencies, dependent_sets, shared, vectors_needed};
use super::super::implied::{Sum, following};
use super::super::persons::Persons;
use super::super::policy::{Policy, Rule, Verdict};
use super::super::reasons::{Finding, Reason};
use super::super::vanishing::{vanishing, vanishing_sets, vanishing_vectors};
use super::classes::{Classes, Tally};
use super::peel::Evidence;
use super::solve::Solution;
use super::suppressed::{Recovered, Union};
use privug_engine::posterior::Options;

/// What was found about groups that nothing is published about by themselves.
pub(super) struct Differencing<'a> {
    pub(super) solution: &'a Solution<'a>,
    pub(super) tallies: &'a [Tally],
    pub(super) classes: &'a Classes,
    pub(super) persons: &'a Persons,
    pub(super) policy: &'a Policy,
}

impl Differencing<'_> {
    /// Small groups of which it follows how many have a value, though it is not published.
    pub(super) fn reasons(&self, options: &Options, figure_of: &[usize]) -> Vec<Reason> {
        let verdict = self.policy.differencing;
        if verdict == Verdict::Pass {
            return Vec::new();
        }
        let limits = self.policy.minimum_frequency;
        let limit = limits.fail.or(limits.review).unwrap_or(0.0);
        let people = self.people();
        let mut found: Vec<(usize, BTreeSet<u32>)> = self.peeled(&people, limit);
        let Some(more) = self.combined(&people, limit, options) else {
            let (rule, verdict) = (Rule::Differencing, Verdict::Review);
            return vec![Reason { rule, verdict, count: 1, finding: Finding::TooMuchWork }];
        };
        found.extend(more);
        let Some((least, told)) = found.iter().min_by_key(|(people, _)| *people) else { return Vec::new() };
        let from = told.iter().map(|tally| figure_of[*tally as usize]).collect();
        let finding = Finding::GroupValues { people: *least, from };
        vec![Reason { rule: Rule::Differencing, verdict, count: found.len(), finding }]
    }

    /// How many people there are in each set of classes that figures see alike.
    fn people(&self) -> Vec<usize> {
        let sets = self.classes.alike.iter().max().map_or(0, |last| *last as usize + 1);
        let mut people = vec![0usize; sets];
        if self.persons.is_plain() {
            for (class, set) in self.classes.all.iter().zip(&self.classes.alike) {
                people[*set as usize] += class.size() as usize;
            }
            return people;
        }
        let mut met: HashSet<(u32, usize)> = HashSet::new();
        for (entry, class) in self.classes.of_entry.iter().enumerate() {
            let set = self.classes.alike[*class as usize];
            if met.insert((set, self.persons.of_entry(entry))) {
                people[set as usize] += 1;
            }
        }
        people
    }

    /// Who is in each small set, ascending, where people have several rows.
    fn behind(&self, people: &[usize], limit: f64) -> Vec<Vec<usize>> {
        let mut behind = vec![Vec::new(); people.len()];
        if !self.persons.is_plain() {
            for (entry, class) in self.classes.of_entry.iter().enumerate() {
                let set = self.classes.alike[*class as usize] as usize;
                if (people[set] as f64) < limit {
                    behind[set].push(self.persons.of_entry(entry));
                }
            }
            behind.iter_mut().for_each(|people| {
                people.sort_unstable();
                people.dedup();
            });
        }
        behind
    }

    /// The sets of classes that a figure is about.
    fn sets_of(&self, tally: &Tally) -> BTreeSet<u32> {
        tally.terms.iter().map(|(class, _)| self.classes.alike[*class as usize]).collect()
    }

    /// Those that follow figure by figure: how many people, and by which figures.
    fn peeled(&self, people: &[usize], limit: f64) -> Vec<(usize, BTreeSet<u32>)> {
        let mut is_published = vec![false; people.len()];
        for tally in self.tallies {
            let mut sets = tally.terms.iter().map(|(class, _)| self.classes.alike[*class as usize]);
            if let Some(first) = sets.next()
                && sets.all(|set| set == first)
            {
                is_published[first as usize] = true;
            }
        }
        let mut told: Vec<Option<BTreeSet<u32>>> = vec![Some(BTreeSet::new()); people.len()];
        for (state, set) in self.solution.peeled.classes.iter().zip(&self.classes.alike) {
            let of_set = &mut told[*set as usize];
            if !state.is_solved() {
                *of_set = None;
            } else if let Some(of_set) = of_set {
                of_set.extend(state.told_by.iter().flatten());
            }
        }
        let is_found = |(set, told): (usize, Option<BTreeSet<u32>>)| {
            let told = told.filter(|told| !told.is_empty())?;
            (!is_published[set] && (people[set] as f64) < limit).then_some((people[set], told))
        };
        told.into_iter().enumerate().filter_map(is_found).collect()
    }

    /// Those that only follow from several figures together, and small unions and contrasts of them; `None` if that is too much.
    fn combined(&self, people: &[usize], limit: f64, options: &Options) -> Option<Vec<(usize, BTreeSet<u32>)>> {
        let peeled = &self.solution.peeled;
        // How many of a set have a value that is open for some of them.
        let mut place_of: BTreeMap<(u32, usize), usize> = BTreeMap::new();
        let mut real: Vec<i64> = Vec::new();
        for (class, state) in peeled.classes.iter().enumerate() {
            for code in state.open() {
                let place = *place_of.entry((self.classes.alike[class], code)).or_insert_with(|| {
                    real.push(0);
                    real.len() - 1
                });
                real[place] += i64::from(self.classes.all[class].histogram[code]);
            }
        }
        let is_small = |set: u32| (people[set as usize] as f64) < limit;
        if !place_of.keys().any(|(set, _)| is_small(*set)) {
            return Some(Vec::new());
        }
        let mut from: Vec<Option<u32>> = Vec::new();
        let mut sums: Vec<Sum> = Vec::new();
        let mut published: HashSet<BTreeSet<u32>> = HashSet::new();
        for tally in peeled.open_figures().filter(|tally| matches!(peeled.evidence[*tally], Evidence::Exact(_))) {
            let mut terms: BTreeMap<usize, i64> = BTreeMap::new();
            for (class, weights) in &peeled.tallies[tally].terms {
                let set = self.classes.alike[*class as usize];
                for code in peeled.classes[*class as usize].open().filter(|code| weights[*code] != 0) {
                    terms.insert(place_of[&(set, code)], weights[code]);
                }
            }
            published.insert(self.sets_of(&peeled.tallies[tally]));
            sums.push(terms.into_iter().collect());
            from.push(Some(tally as u32));
        }
        // Everybody has one value.
        let mut of_set: BTreeMap<u32, Sum> = BTreeMap::new();
        place_of.iter().for_each(|((set, _), place)| of_set.entry(*set).or_default().push((*place, 1)));
        for sum in of_set.into_values() {
            sums.push(sum);
            from.push(None);
        }
        let vector = vanishing(real.len(), &sums)?;
        let behind = self.behind(people, limit);
        let mut groups: BTreeMap<BTreeSet<u32>, Sum> = BTreeMap::new();
        let codes: BTreeSet<usize> = place_of.keys().map(|(_, code)| *code).collect();
        for code in codes {
            let of_code: Vec<(u32, usize)> = place_of
                .iter()
                .filter(|((set, of), _)| *of == code && is_small(*set))
                .map(|((set, _), place)| (*set, *place))
                .collect();
            let things: Vec<(u64, usize)> =
                of_code.iter().map(|(set, place)| (vector[*place], people[*set as usize])).collect();
            let totals = vanishing_sets(&things, limit).into_iter();
            let totals = totals.map(|found| found.into_iter().map(|at| (at, 1)).collect::<Sum>());
            // How many more of some have a value than of others tells as much about few people as how many have it.
            let (first, sizes): (Vec<u64>, Vec<usize>) = things.iter().copied().unzip();
            let who: Vec<Vec<usize>> = of_code.iter().map(|(set, _)| behind[*set as usize].clone()).collect();
            let blocks = shared(&who, limit);
            let largest = blocks.iter().map(Vec::len).max().unwrap_or(0);
            let needed = vectors_needed(&first, &sizes, limit).max(largest + 1);
            let vectors = vanishing_vectors(real.len(), &sums, needed)?;
            let column = |(_, place): &(u32, usize)| vectors.iter().map(|vector| vector[*place]).collect();
            let columns: Vec<Vec<u64>> = of_code.iter().map(column).collect();
            let is_small = |places: &[usize]| (places.iter().map(|at| sizes[*at]).sum::<usize>() as f64) < limit;
            let contrasts = dependent_sets(&columns, &sizes, limit).into_iter().filter(|one| is_small(&one.places));
            let of_few = blocks.iter().flat_map(|block| dependencies(block, &columns));
            let weighed = contrasts
                .chain(of_few)
                .filter_map(|found| Some(found.places.into_iter().zip(found.weights?).collect::<Sum>()));
            for found in totals.chain(weighed) {
                let sets: BTreeSet<u32> = found.iter().map(|(at, _)| of_code[*at].0).collect();
                let sum = found.iter().map(|(at, weight)| (of_code[*at].1, *weight)).collect();
                if !published.contains(&sets) {
                    groups.entry(sets).or_insert(sum);
                }
            }
        }
        let (sets, asked): (Vec<BTreeSet<u32>>, Vec<Sum>) = groups.into_iter().unzip();
        let followed = following(&real, &sums, &asked, options)?.into_iter().map(|followed| {
            let told = followed.from.iter().filter_map(|place| from[*place]).collect();
            let all = &sets[followed.place];
            let named: BTreeSet<usize> = all.iter().flat_map(|set| &behind[*set as usize]).copied().collect();
            let count = all.iter().map(|set| people[*set as usize]).sum();
            (if named.is_empty() { count } else { named.len() }, told)
        });
        Some(followed.collect())
    }
}

/// What is said of unions of suppressed counts, and of what was too much to work out.
pub(super) fn of_unions(recovered: &Recovered, policy: &Policy) -> Vec<Reason> {
    if policy.recoverable == Verdict::Pass {
        return Vec::new();
    }
    let mut found = Vec::new();
    for rule in [Rule::SmallCount, Rule::Differencing] {
        for verdict in [Verdict::Fail, Verdict::Review] {
            let meant = || recovered.unions.iter().filter(|union| (union.rule, union.verdict) == (rule, verdict));
            let Some(least) = meant().min_by_key(|union| (union.people, union.parts.len())) else { continue };
            found.push(Reason { rule, verdict, count: meant().count(), finding: finding(least) });
        }
    }
    if recovered.unknown > 0 {
        let verdict = policy.recoverable.max(Verdict::Review);
        let (rule, count) = (Rule::Recoverable, recovered.unknown);
        found.push(Reason { rule, verdict, count, finding: Finding::TooMuchWork });
    }
    found
}

fn finding(union: &Union) -> Finding {
    let Union { people, parts, from, .. } = union.clone();
    match union.rule {
        Rule::SmallCount if parts.is_empty() => Finding::ValueLeft { people, from },
        Rule::SmallCount => Finding::SuppressedTogether { people, parts, from },
        _ => Finding::GroupTogether { people, from },
    }
}
