//! What is said of groups and unions that nothing is published about by themselves.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::super::dependent::{dependencies, dependent_sets, gcd, shared, vectors_needed};
use super::super::few::{AboutFew, Behind, about_few};
use super::super::implied::{Sum, following};
use super::super::persons::Persons;
use super::super::policy::{Policy, Rule, Verdict};
use super::super::reasons::{Finding, LISTED, Reason};
use super::super::vanishing::{plus, residue, times, vanishing, vanishing_sets, vanishing_vectors};
use super::classes::{Classes, Tally};
use super::peel::Evidence;
use super::solve::Solution;
use super::suppressed::{Recovered, Union};
use privug_engine::posterior::Options;

/// More kinds of sums over the values of people are not looked for in small groups.
const MOST_MEASURES: usize = 30;

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
        let mut found: Vec<Told> = self.peeled(&people, limit);
        let more = self.combined(&people, limit, options);
        let is_complete = more.as_ref().is_some_and(|(_, are_all)| *are_all);
        found.extend(more.into_iter().flat_map(|(more, _)| more));
        let rule = Rule::Differencing;
        let mut reasons = Vec::new();
        if let Some(least) = found.iter().min_by_key(|told| told.people) {
            let from = least.figures.iter().map(|tally| figure_of[*tally as usize]).collect();
            let finding = Finding::GroupValues { people: least.people, whom: self.whom(&least.sets), from };
            reasons.push(Reason { rule, verdict, count: found.len(), finding });
        }
        if !is_complete {
            reasons.push(Reason { rule, verdict: Verdict::Review, count: 1, finding: Finding::TooMuchWork });
        }
        reasons
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

    /// The first people of some sets.
    fn whom(&self, sets: &BTreeSet<u32>) -> Vec<usize> {
        let classes = self.classes.of_entry.iter().enumerate();
        let entries = classes.filter(|(_, class)| sets.contains(&self.classes.alike[**class as usize]));
        let people: BTreeSet<usize> = entries.map(|(entry, _)| self.persons.of_entry(entry)).collect();
        people.into_iter().take(LISTED).collect()
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

    /// Those that follow figure by figure.
    fn peeled(&self, people: &[usize], limit: f64) -> Vec<Told> {
        let mut is_published = vec![false; people.len()];
        for tally in self.tallies {
            let mut sets = tally.terms.iter().map(|(class, _)| self.classes.alike[*class as usize]);
            if let Some(first) = sets.next()
                && sets.all(|set| set == first)
            {
                is_published[first as usize] = true;
            }
        }
        // By which figures it follows how many of a set have a value; `None` if it is open for some of them.
        let mut told: Vec<BTreeMap<usize, Option<BTreeSet<u32>>>> = vec![BTreeMap::new(); people.len()];
        let mut left: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); people.len()];
        for (state, set) in self.solution.peeled.classes.iter().zip(&self.classes.alike) {
            if (people[*set as usize] as f64) >= limit {
                continue;
            }
            for (code, known) in state.known.iter().enumerate() {
                let of_code = told[*set as usize].entry(code).or_insert_with(|| Some(BTreeSet::new()));
                match of_code {
                    Some(figures) if known.is_some() => figures.extend(state.told_by[code]),
                    _ => *of_code = None,
                }
                if state.is_left[code] {
                    left[*set as usize].insert(code);
                }
            }
        }
        // A value that nobody of a larger group has is no difference, unless all are known of the small one.
        let is_found = |(set, told): (usize, BTreeMap<usize, Option<BTreeSet<u32>>>)| {
            let is_solved = told.values().all(Option::is_some);
            let meant = told.into_iter().filter(|(code, _)| is_solved || left[set].contains(code));
            let last: BTreeSet<u32> = meant.filter_map(|(_, figures)| figures).flatten().collect();
            let figures: BTreeSet<u32> = last.iter().flat_map(|figure| self.subtracted_from(*figure)).collect();
            let is_told = !is_published[set] && !figures.is_empty();
            is_told.then(|| Told { people: people[set], sets: BTreeSet::from([set as u32]), figures })
        };
        told.into_iter().enumerate().filter_map(is_found).collect()
    }

    /// A figure, and those that told what else is in it.
    fn subtracted_from(&self, figure: u32) -> BTreeSet<u32> {
        let told_by = |(class, weights): &(u32, Vec<i64>)| {
            let told = self.solution.peeled.classes[*class as usize].told_by.iter().zip(weights.clone());
            told.filter(|(_, weight)| *weight != 0).filter_map(|(told, _)| *told).collect::<Vec<u32>>()
        };
        self.tallies[figure as usize].terms.iter().flat_map(told_by).chain([figure]).collect()
    }

    /// What may be measured of a set: how many have one value, and whatever figures add up of the values of their people, such as
    /// the values themselves where these are numbers. `None` if that is too much.
    fn measures(&self, place_of: &BTreeMap<(u32, usize), usize>) -> Option<BTreeSet<Vec<i64>>> {
        let codes: BTreeSet<usize> = place_of.keys().map(|(_, code)| *code).collect();
        let one = |code: &usize| (0..=*code).map(|of| i64::from(of == *code)).collect();
        let mut measures: BTreeSet<Vec<i64>> = codes.iter().map(one).collect();
        for (_, weights) in self.tallies.iter().flat_map(|tally| &tally.terms) {
            let divisor = weights.iter().fold(0, |divisor, weight| gcd(divisor, weight.abs())).max(1);
            let sign = weights.iter().find(|weight| **weight != 0).map_or(1, |weight| weight.signum());
            let mut measure: Vec<i64> = weights.iter().map(|weight| sign * weight / divisor).collect();
            measure.truncate(measure.iter().rposition(|weight| *weight != 0).map_or(0, |last| last + 1));
            if measure.iter().filter(|weight| **weight != 0).count() > 1 {
                measures.insert(measure);
            }
        }
        (measures.len() <= codes.len() + MOST_MEASURES).then_some(measures)
    }

    /// Those that only follow from several figures together, and small unions and contrasts of them, and whether these are all;
    /// `None` if that is too much.
    fn combined(&self, people: &[usize], limit: f64, options: &Options) -> Option<(Vec<Told>, bool)> {
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
            return Some((Vec::new(), true));
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
        let behind = self.behind(people, limit);
        let figures = from.iter().flatten().count();
        let few = self.few(&place_of, &sums[..figures], people, &behind, limit);
        let set_of: BTreeMap<usize, u32> = place_of.iter().map(|((set, _), place)| (*place, *set)).collect();
        let mut groups: BTreeMap<BTreeSet<u32>, Sum> = BTreeMap::new();
        for one in few.found {
            let sets: BTreeSet<u32> = one.places.iter().map(|place| set_of[place]).collect();
            if !published.contains(&sets) {
                // That something follows is known then, if not what.
                groups.insert(sets, one.places.into_iter().zip(one.weights?).collect());
            }
        }
        if !few.are_all {
            let open = Open { place_of: &place_of, sums: &sums, numbers: real.len(), published: &published };
            self.searched(&open, people, &behind, limit, &mut groups)?;
        }
        let (sets, asked): (Vec<BTreeSet<u32>>, Vec<Sum>) = groups.into_iter().unzip();
        let followed = following(&real, &sums, &asked, options)?.into_iter().map(|followed| {
            let figures = followed.from.iter().filter_map(|place| from[*place]).collect();
            let all = &sets[followed.place];
            let named: BTreeSet<usize> = all.iter().flat_map(|set| &behind[*set as usize]).copied().collect();
            let count = all.iter().map(|set| people[*set as usize]).sum();
            let people = if named.is_empty() { count } else { named.len() };
            Told { people, sets: all.clone(), figures }
        });
        Some((followed.collect(), few.are_all))
    }

    /// What follows about few people. Everybody has one value, so that the weights of values count by how they differ from that
    /// of one of them.
    fn few(
        &self,
        place_of: &BTreeMap<(u32, usize), usize>,
        figures: &[Sum],
        people: &[usize],
        behind: &[Vec<usize>],
        limit: f64,
    ) -> AboutFew {
        let mut places_of: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut set_of = vec![0; place_of.len()];
        for ((set, _), place) in place_of {
            places_of.entry(*set).or_default().push(*place);
            set_of[*place] = *set as usize;
        }
        let differing = |sum: &Sum| -> Sum {
            let mut weights: BTreeMap<usize, i64> = sum.iter().copied().collect();
            let sets: BTreeSet<u32> = sum.iter().map(|(place, _)| set_of[*place] as u32).collect();
            for places in sets.iter().map(|set| &places_of[set]) {
                let Some(first) = weights.get(&places[0]).copied() else { continue };
                places.iter().for_each(|place| *weights.entry(*place).or_default() -= first);
            }
            weights.into_iter().filter(|(_, weight)| *weight != 0).collect()
        };
        let sums: Vec<Sum> = figures.iter().map(differing).collect();
        let named = (!self.persons.is_plain()).then_some(behind);
        about_few(&sums, &Behind { set_of: &set_of, sizes: people, named }, limit)
    }

    /// As far as it can be looked for, what follows of measures of small sets; `None` if that is too much, or something follows
    /// but not what.
    fn searched(
        &self,
        open: &Open<'_>,
        people: &[usize],
        behind: &[Vec<usize>],
        limit: f64,
        groups: &mut BTreeMap<BTreeSet<u32>, Sum>,
    ) -> Option<()> {
        let is_small = |set: u32| (people[set as usize] as f64) < limit;
        let Open { place_of, sums, numbers, published } = *open;
        let vector = vanishing(numbers, sums)?;
        let measures: Vec<Vec<Measured>> =
            self.measures(place_of)?.into_iter().map(|measure| measured(&measure, place_of, is_small)).collect();
        let sizes_of =
            |things: &[Measured]| -> Vec<usize> { things.iter().map(|thing| people[thing.set as usize]).collect() };
        let blocks_of = |things: &[Measured]| {
            let who: Vec<Vec<usize>> = things.iter().map(|thing| behind[thing.set as usize].clone()).collect();
            shared(&who, limit)
        };
        let needed = measures.iter().map(|things| {
            let first: Vec<u64> = things.iter().map(|thing| thing.on(&vector)).collect();
            let largest = blocks_of(things).iter().map(Vec::len).max().unwrap_or(0);
            vectors_needed(&first, &sizes_of(things), limit).max(largest + 1)
        });
        let vectors = vanishing_vectors(numbers, sums, needed.max().unwrap_or(1))?;
        for things in &measures {
            let sizes = sizes_of(things);
            let hashed: Vec<(u64, usize)> =
                things.iter().zip(&sizes).map(|(thing, size)| (thing.on(&vector), *size)).collect();
            let totals = vanishing_sets(&hashed, limit).0.into_iter();
            let totals = totals.map(|found| found.into_iter().map(|at| (at, 1)).collect::<Sum>());
            // How many more of some have a value than of others tells as much about few people as how many have it.
            let columns: Vec<Vec<u64>> =
                things.iter().map(|thing| vectors.iter().map(|vector| thing.on(vector)).collect()).collect();
            let is_small = |places: &[usize]| (places.iter().map(|at| sizes[*at]).sum::<usize>() as f64) < limit;
            let contrasts = dependent_sets(&columns, &sizes, limit).into_iter().filter(|one| is_small(&one.places));
            let blocks = blocks_of(things);
            let of_few = blocks.iter().flat_map(|block| dependencies(block, &columns));
            let weighed = contrasts
                .chain(of_few)
                .map(|found| Some(found.places.into_iter().zip(found.weights?).collect::<Sum>()));
            for found in totals.map(Some).chain(weighed) {
                // That something follows is known then, but not what.
                let found = found?;
                let sets: BTreeSet<u32> = found.iter().map(|(at, _)| things[*at].set).collect();
                if !published.contains(&sets) && !groups.contains_key(&sets) {
                    let terms = found.iter().flat_map(|(at, weight)| {
                        things[*at]
                            .terms
                            .iter()
                            .map(move |(place, of_value)| Some((*place, weight.checked_mul(*of_value)?)))
                    });
                    groups.insert(sets, terms.collect::<Option<Sum>>()?);
                }
            }
        }
        Some(())
    }
}

/// A small group that something follows about.
struct Told {
    /// How many people it has.
    people: usize,
    /// What it is made of.
    sets: BTreeSet<u32>,
    /// The figures that tell.
    figures: BTreeSet<u32>,
}

/// Numbers that are open, and what is published about them.
struct Open<'a> {
    place_of: &'a BTreeMap<(u32, usize), usize>,
    sums: &'a [Sum],
    numbers: usize,
    published: &'a HashSet<BTreeSet<u32>>,
}

/// What is measured of the people of one small set: Σ weight·(how many have a value), over values that are open.
struct Measured {
    set: u32,
    /// The places of these numbers, and the weights.
    terms: Sum,
}

impl Measured {
    /// What it is on a random vector.
    fn on(&self, vector: &[u64]) -> u64 {
        let term = |(place, weight): &(usize, i64)| times(vector[*place], residue(*weight));
        self.terms.iter().map(term).fold(0, plus)
    }
}

/// What a measure is of each small set. Of a set that has the same weight for all open values it is nothing but their number.
fn measured(
    measure: &[i64],
    place_of: &BTreeMap<(u32, usize), usize>,
    is_small: impl Fn(u32) -> bool,
) -> Vec<Measured> {
    let mut of_set: BTreeMap<u32, Vec<(usize, i64)>> = BTreeMap::new();
    for ((set, code), place) in place_of.iter().filter(|((set, _), _)| is_small(*set)) {
        of_set.entry(*set).or_default().push((*place, measure.get(*code).copied().unwrap_or(0)));
    }
    let tells = |terms: &[(usize, i64)]| terms.iter().any(|(_, weight)| *weight != terms[0].1);
    let things = of_set.into_iter().filter(|(_, terms)| tells(terms)).map(|(set, mut terms)| {
        terms.retain(|(_, weight)| *weight != 0);
        Measured { set, terms }
    });
    things.collect()
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
