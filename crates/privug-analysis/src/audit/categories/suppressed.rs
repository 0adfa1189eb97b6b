//! Suppressed counts of discrete secrets that follow from the published ones all the same, and unions of them.
//!
//! What [`super::peel`] leaves open are numbers N(c, v): how many people of class c have value v. Published and suppressed
//! figures are sums over them. A suppressed one is as good as published
//!
//! - if it is a linear combination of published ones, however many of them that takes ([`super::super::implied`]), or
//! - if the least and the largest that it can be are the same, given that no N is negative and everybody has one value: a
//!   linear program in exact integers ([`super::super::feasibility::simplex`]), whose bounds are rounded to integers.
//!
//! So is the sum of several suppressed ones, and what is left of a published figure once all that is known was subtracted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::feasibility::simplex::{Bounds, Side, Simplex};
use super::super::implied::{Sum, following, unions};
use super::super::policy::{Policy, Rule, Verdict};
use super::classes::Classes;
use super::figures::Judged;
use super::peel::Evidence;
use super::solve::Solution;
use privug_engine::number::{Integer, Rational, Scalar};
use privug_engine::posterior::Options;

/// Numbers that a tableau may have, and changes of them.
const LARGEST_TABLEAU: usize = 2_000_000;
const MOST_WORK: u64 = 60_000_000;

/// What follows though it is suppressed.
#[derive(Debug, Default)]
pub(super) struct Recovered {
    /// The suppressed figures that can be computed, and from which.
    pub(super) figures: BTreeMap<usize, Vec<usize>>,
    pub(super) unions: Vec<Union>,
    /// Of how many suppressed figures it was too much to work out whether they can be.
    pub(super) unknown: usize,
}

/// Some people about whom something follows together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Union {
    pub(super) rule: Rule,
    pub(super) verdict: Verdict,
    /// How many people are counted, or in the group.
    pub(super) people: i64,
    /// The suppressed figures that are added up; none if it is what is left of a published one.
    pub(super) parts: Vec<usize>,
    pub(super) from: Vec<usize>,
}

/// What is looked at.
pub(super) struct Hidden<'a> {
    pub(super) classes: &'a Classes,
    pub(super) solution: &'a Solution<'a>,
    /// The figure of each tally.
    pub(super) followed: &'a [usize],
    pub(super) judged: &'a [Judged],
    pub(super) suppressed: &'a [bool],
    pub(super) policy: &'a Policy,
}

impl Hidden<'_> {
    pub(super) fn recovered(&self, options: &Options) -> Recovered {
        let mut found = Recovered { unions: self.remainders(), ..Recovered::default() };
        let mut numbers = Numbers { of: self, place_of: HashMap::new(), real: Vec::new() };
        let mut asked: Vec<(usize, Sum)> = Vec::new();
        for figure in (0..self.judged.len()).filter(|figure| self.suppressed[*figure]) {
            match self.terms(figure).map(|terms| numbers.sum(&terms)) {
                None => {}
                Some(sum) if sum.is_empty() => {
                    let from = self.told(figure);
                    // What is known beforehand is not recovered.
                    if !from.is_empty() {
                        found.figures.insert(figure, from);
                    }
                }
                Some(sum) => asked.push((figure, sum)),
            }
        }
        if asked.is_empty() {
            return found;
        }
        let parts: BTreeSet<u32> =
            numbers.place_of.keys().filter_map(|(class, _)| self.solution.part_of[*class as usize]).collect();
        let rows: Vec<usize> = parts.iter().flat_map(|part| self.solution.parts[*part as usize].clone()).collect();
        let sums: Vec<(usize, Sum)> =
            rows.into_iter().map(|tally| (tally, numbers.sum(&self.solution.peeled.tallies[tally].terms))).collect();
        let (exact, published): (Vec<usize>, Vec<Sum>) =
            sums.iter().filter(|(tally, _)| self.is_exact(*tally)).cloned().unzip();
        let unions = self.unions(&asked);
        let together = unions.iter().map(|union| added(union.iter().map(|place| &asked[*place].1)));
        let wanted: Vec<Sum> = asked.iter().map(|(_, sum)| sum.clone()).chain(together).collect();
        let Some(following) = following(&numbers.real, &published, &wanted, options) else {
            found.unknown = asked.len();
            return found;
        };
        for followed in following {
            let from = followed.from.iter().map(|place| self.followed[exact[*place]]);
            match asked.get(followed.place) {
                Some((figure, _)) => {
                    let from: BTreeSet<usize> = from.chain(self.told(*figure)).collect();
                    found.figures.insert(*figure, from.into_iter().collect());
                }
                None => {
                    let union: Vec<usize> =
                        unions[followed.place - asked.len()].iter().map(|place| asked[*place].0).collect();
                    if union.iter().any(|figure| found.figures.contains_key(figure)) {
                        continue;
                    }
                    let from: BTreeSet<usize> =
                        from.chain(union.iter().flat_map(|figure| self.told(*figure))).collect();
                    let people = self.counted(&union);
                    let verdict = self.policy.small_count.at_least(people as f64);
                    let from = from.into_iter().collect();
                    found.unions.push(Union { rule: Rule::SmallCount, verdict, people, parts: union, from });
                }
            }
        }
        asked.retain(|(figure, _)| !found.figures.contains_key(figure));
        let mut work = MOST_WORK;
        let mut program = Program { numbers: &numbers, sums: &sums, known: HashMap::new(), work: &mut work };
        for (place, (figure, sum)) in asked.iter().enumerate() {
            if let Some(from) = program.is_certain(place, sum, &asked) {
                let from: BTreeSet<usize> =
                    from.into_iter().map(|tally| self.followed[tally]).chain(self.told(*figure)).collect();
                found.figures.insert(*figure, from.into_iter().collect());
            }
        }
        found
    }

    fn is_exact(&self, tally: usize) -> bool {
        matches!(self.solution.peeled.evidence[tally], Evidence::Exact(_))
    }

    /// The published figures that tell what is known of the classes of a figure.
    fn told(&self, figure: usize) -> Vec<usize> {
        let classes = self.judged[figure].classes.iter().map(|(class, _)| *class as usize);
        let told = classes.flat_map(|class| self.solution.peeled.classes[class].told_by.iter().flatten());
        let told: BTreeSet<usize> = told.map(|tally| self.followed[*tally as usize]).collect();
        told.into_iter().collect()
    }

    /// A suppressed figure over classes, without those of which everybody's value is known; `None` if it tells people of a
    /// class apart, whom no published figure does.
    fn terms(&self, figure: usize) -> Option<Vec<(u32, Vec<i64>)>> {
        let mut terms = Vec::new();
        for (class, weights) in &self.judged[figure].classes {
            let possible = &self.solution.posteriors[*class as usize].possible;
            if possible.iter().filter(|possible| **possible).count() <= 1 {
                continue;
            }
            terms.push((*class, weights.clone()?));
        }
        Some(terms)
    }

    /// Sets of suppressed counts that count few people together, by their places.
    fn unions(&self, asked: &[(usize, Sum)]) -> Vec<Vec<usize>> {
        if self.policy.recoverable == Verdict::Pass || self.policy.small_count.is_off() {
            return Vec::new();
        }
        let limits = self.policy.small_count;
        let limit = limits.fail.into_iter().chain(limits.review).fold(0.0, f64::max);
        let counts: Vec<usize> = (0..asked.len()).filter(|place| self.judged[asked[*place].0].is_count()).collect();
        let sizes: Vec<usize> = counts.iter().map(|place| self.judged[asked[*place].0].people.1).collect();
        let of = |union: Vec<usize>| union.into_iter().map(|place| counts[place]).collect::<Vec<usize>>();
        let found = unions(&sizes, limit).0.into_iter().filter(|union| union.iter().any(|place| sizes[*place] > 0));
        found.map(of).collect()
    }

    /// At least so many people are counted by some figures.
    fn counted(&self, figures: &[usize]) -> i64 {
        let each = figures.iter().map(|figure| self.judged[*figure].people.1 as i64);
        // With several rows for a person, the same may be in several of them.
        if self.judged.iter().all(|judged| judged.is_plain) { each.sum() } else { each.max().unwrap_or(0) }
    }

    /// What is left of published counts once everything that is known was subtracted.
    fn remainders(&self) -> Vec<Union> {
        let peeled = &self.solution.peeled;
        let mut found = Vec::new();
        for tally in peeled.open_figures().filter(|tally| self.is_exact(*tally)) {
            let figure = self.followed[tally];
            if !self.judged[figure].is_count() || !self.judged[figure].is_plain {
                continue;
            }
            let (mut counted, mut group, mut weight) = (0i64, 0i64, None);
            let mut is_count = true;
            for (class, weights) in &peeled.tallies[tally].terms {
                let state = &peeled.classes[*class as usize];
                if !peeled.is_open(*class as usize, weights) {
                    continue;
                }
                group += state.rest();
                let least = state.open().map(|code| weights[code]).min().unwrap_or(0);
                for code in state.open().filter(|code| weights[*code] != least) {
                    let above = weights[code] - least;
                    is_count &= *weight.get_or_insert(above) == above;
                    counted += i64::from(self.classes.all[*class as usize].histogram[code]);
                }
            }
            let (all, with_value) = self.judged[figure].people;
            let told = self.told_of(tally);
            if !is_count || told.is_empty() {
                continue;
            }
            let from: Vec<usize> = [figure].into_iter().chain(told).collect();
            let mut say = |rule: Rule, verdict: Verdict, people: i64| {
                if verdict != Verdict::Pass {
                    found.push(Union { rule, verdict, people, parts: Vec::new(), from: from.clone() });
                }
            };
            if counted > 0 && counted < with_value as i64 {
                say(Rule::SmallCount, self.policy.small_count.at_least(counted as f64), counted);
            }
            if group < all as i64 && self.policy.minimum_frequency.at_least(group as f64) != Verdict::Pass {
                say(Rule::Differencing, self.policy.differencing, group);
            }
        }
        found
    }

    /// The figures that told what is known of the classes of a published one.
    fn told_of(&self, tally: usize) -> Vec<usize> {
        let peeled = &self.solution.peeled;
        let classes = peeled.tallies[tally].terms.iter().map(|(class, _)| *class as usize);
        let told = classes.flat_map(|class| peeled.classes[class].told_by.iter().flatten());
        let told: BTreeSet<usize> = told.map(|other| *other as usize).filter(|other| *other != tally).collect();
        told.into_iter().map(|other| self.followed[other]).collect()
    }
}

/// The sum of some sums.
fn added<'s>(sums: impl Iterator<Item = &'s Sum>) -> Sum {
    let mut all: BTreeMap<usize, i64> = BTreeMap::new();
    for (number, weight) in sums.flatten() {
        *all.entry(*number).or_default() += weight;
    }
    all.into_iter().filter(|(_, weight)| *weight != 0).collect()
}

/// The open numbers N(c, v). The first open value of a class has what the others leave.
struct Numbers<'a> {
    of: &'a Hidden<'a>,
    place_of: HashMap<(u32, u32), usize>,
    /// What they really are.
    real: Vec<i64>,
}

impl Numbers<'_> {
    /// A figure over classes as a sum of open numbers, less what is known.
    fn sum(&mut self, terms: &[(u32, Vec<i64>)]) -> Sum {
        let mut sum = Sum::new();
        for (class, weights) in terms {
            let state = &self.of.solution.peeled.classes[*class as usize];
            let mut open = state.open();
            let Some(first) = open.next() else { continue };
            for code in open.filter(|code| weights[*code] != weights[first]) {
                let place = *self.place_of.entry((*class, code as u32)).or_insert_with(|| {
                    self.real.push(i64::from(self.of.classes.all[*class as usize].histogram[code]));
                    self.real.len() - 1
                });
                sum.push((place, weights[code] - weights[first]));
            }
        }
        sum
    }
}

/// What suppressed figures can be, part by part.
struct Program<'a> {
    numbers: &'a Numbers<'a>,
    /// The published figures about these numbers.
    sums: &'a [(usize, Sum)],
    /// The tableau of each part, with the places of its numbers; `None` if that is too large.
    known: HashMap<u32, Option<Tableau>>,
    work: &'a mut u64,
}

struct Tableau {
    simplex: Simplex,
    values: Vec<Rational>,
    bounds: Vec<Bounds>,
    /// How many numbers there are, and the tally of each row behind them.
    numbers: usize,
    rows: Vec<Option<usize>>,
    /// The row of each suppressed figure, by its place.
    row_of: HashMap<usize, usize>,
}

impl Program<'_> {
    /// The published figures that leave only one possibility; `None` if there are several, or it is not known.
    fn is_certain(&mut self, place: usize, sum: &Sum, asked: &[(usize, Sum)]) -> Option<Vec<usize>> {
        let part_of = self.parts();
        let mut parts: BTreeSet<u32> = BTreeSet::new();
        for (number, _) in sum {
            parts.insert(part_of[*number]?);
        }
        let mut from = Vec::new();
        for part in parts {
            if !self.known.contains_key(&part) {
                let made = self.tableau(part, &part_of, asked);
                self.known.insert(part, made);
            }
            let tableau = self.known.get_mut(&part)?.as_mut()?;
            let row = tableau.numbers + tableau.row_of.get(&place)?;
            let mut ends = Vec::with_capacity(2);
            for side in [Side::Smallest, Side::Largest] {
                tableau.simplex.restart(&tableau.values, &tableau.bounds);
                ends.push(tableau.simplex.extreme(row, side, self.work).ok()??);
                let made_of = tableau.simplex.made_of(row).into_iter();
                from.extend(made_of.filter_map(|(one, _)| tableau.rows[one.checked_sub(tableau.numbers)?]));
            }
            let least = -Scalar::floor(&-ends[0].clone());
            if least != Scalar::floor(&ends[1]) {
                return None;
            }
        }
        Some(from)
    }

    /// The part of each number.
    fn parts(&self) -> Vec<Option<u32>> {
        let mut parts = vec![None; self.numbers.real.len()];
        for ((class, _), place) in &self.numbers.place_of {
            parts[*place] = self.numbers.of.solution.part_of[*class as usize];
        }
        parts
    }

    fn tableau(&self, part: u32, part_of: &[Option<u32>], asked: &[(usize, Sum)]) -> Option<Tableau> {
        let is_here = |(number, _): &&(usize, i64)| part_of[*number] == Some(part);
        let peeled = &self.numbers.of.solution.peeled;
        let mut place_of: HashMap<usize, usize> = HashMap::new();
        let (mut values, mut bounds) = (Vec::new(), Vec::new());
        let mut of_class: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let whole = |value: i64| Rational::from(Integer::from(value));
        let within = |least: i64, most: i64| Bounds { lower: Some(whole(least)), upper: Some(whole(most)) };
        let mut ordered: Vec<(&(u32, u32), &usize)> = self.numbers.place_of.iter().collect();
        ordered.sort_unstable();
        for ((class, _), number) in ordered.into_iter().filter(|(_, number)| part_of[**number] == Some(part)) {
            place_of.insert(*number, values.len());
            of_class.entry(*class).or_default().push(values.len());
            values.push(whole(self.numbers.real[*number]));
            bounds.push(within(0, peeled.classes[*class as usize].rest()));
        }
        let numbers = values.len();
        let mut rows: Vec<Option<usize>> = Vec::new();
        let mut tableau: Vec<Vec<(usize, Integer)>> = Vec::new();
        let real = |sum: &[(usize, i64)]| -> i64 { sum.iter().map(|(n, w)| self.numbers.real[*n] * w).sum() };
        let placed = |sum: &[(usize, i64)]| -> Vec<(usize, Integer)> {
            sum.iter().map(|(number, weight)| (place_of[number], Integer::from(*weight))).collect()
        };
        for (tally, sum) in self.sums {
            let here: Sum = sum.iter().filter(is_here).copied().collect();
            if here.is_empty() {
                continue;
            }
            let ((from, to), total) = (peeled.evidence[*tally].range(), peeled.tallies[*tally].total);
            let value = real(&here);
            values.push(whole(value));
            bounds.push(within(value + from - total, value + to - total));
            tableau.push(placed(&here));
            rows.push(Some(*tally));
        }
        for (class, places) in of_class.iter().filter(|(_, places)| places.len() > 1) {
            values.push(places.iter().fold(Rational::ZERO, |sum, place| sum + &values[*place]));
            bounds.push(within(0, peeled.classes[*class as usize].rest()));
            tableau.push(places.iter().map(|place| (*place, Integer::ONE)).collect());
            rows.push(None);
        }
        let mut row_of = HashMap::new();
        for (place, (_, sum)) in asked.iter().enumerate() {
            let here: Sum = sum.iter().filter(is_here).copied().collect();
            if !here.is_empty() {
                row_of.insert(place, rows.len());
                values.push(whole(real(&here)));
                bounds.push(Bounds::default());
                tableau.push(placed(&here));
                rows.push(None);
            }
        }
        if tableau.len() * numbers > LARGEST_TABLEAU {
            return None;
        }
        let simplex = Simplex::new(numbers, &tableau, bounds.clone(), values.clone());
        Some(Tableau { simplex, values, bounds, numbers, rows, row_of })
    }
}
