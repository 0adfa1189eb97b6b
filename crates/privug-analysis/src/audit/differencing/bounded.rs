//! Contrasts of two figures that overlap, and of a figure and all of another table that it meets: which of them few people may
//! dominate, told by bounds.
//!
//! With X(A) the sum of |value| of the people behind a figure A that weighs all of them alike, the contributions to A − B add
//! up to X(A) + X(B) − 2·X(A ∩ B), and nobody's is larger than the largest of either. X(A ∩ B) of all pairs together takes one
//! pass over the cells. So millions of pairs are cleared, and only those that bounds leave open are looked at closely.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::implied::Sum;
use super::Figures;
use super::cells::Cells;
use crate::audit::Release;
use crate::audit::grouped::has_own_weights;
use crate::audit::policy::Verdict;
use privug_engine::number::Scalar;

/// Pairs of figures that have a cell in common, each as often as they have, at most.
const MOST_MET: usize = 20_000_000;
/// Sums of doubles that are meant to be the same number differ by less than this part of their terms.
const SAME: f64 = 1e-9;

/// What some people have together.
#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    people: usize,
    /// Σ|value|
    size: f64,
    /// Σ value
    sum: f64,
}

impl Amount {
    fn add(&mut self, other: Amount) {
        self.people += other.people;
        self.size += other.size;
        self.sum += other.sum;
    }
}

/// The amounts of people, and the two largest sizes with whose they are: an entry, and the place in its group.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    amount: Amount,
    largest: [((u32, u8), f64); 2],
}

impl Side {
    fn see(&mut self, (person, size): ((u32, u8), f64)) {
        let [first, second] = self.largest;
        if person == first.0 && first.1 > 0.0 {
            self.largest[0].1 = first.1.max(size);
        } else if size > first.1 {
            self.largest = [(person, size), first];
        } else if size > second.1 {
            self.largest[1] = (person, size);
        }
    }

    fn join(&mut self, other: &Side) {
        self.amount.add(other.amount);
        other.largest.into_iter().filter(|(_, size)| *size > 0.0).for_each(|one| self.see(one));
    }
}

/// What people have, where everybody is in one row: of their own, or of a group of them.
pub(super) struct Values<'a> {
    of_entry: Box<dyn Fn(u32) -> Side + 'a>,
    /// The least and the largest value of anybody.
    range: (f64, f64),
}

impl<'a> Values<'a> {
    /// `None` if somebody has several rows, or two rows stand for a group.
    pub(super) fn of<S: Scalar>(release: &'a Release<S>, of: &Figures<'_>) -> Option<Self> {
        if !of.persons.have_one_entry() {
            return None;
        }
        let Some(groups) = &release.groups else {
            let range = release
                .truths
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), truth| (least.min(*truth), most.max(*truth)));
            let of_entry = |entry: u32| {
                let value = release.truths[entry as usize];
                let amount = Amount { people: 1, size: value.abs(), sum: value };
                Side { amount, largest: [((entry, 0), value.abs()), Default::default()] }
            };
            return Some(Values { of_entry: Box::new(of_entry), range });
        };
        if has_own_weights(groups, 0..release.secrets.len()) {
            return None;
        }
        let of_entry = |entry: u32| {
            let (sum, size) = groups.sums(entry as usize);
            let people = groups.size(entry as usize) as usize;
            let mut side = Side { amount: Amount { people, size, sum }, ..Side::default() };
            (0..).zip(groups.largest(entry as usize)).for_each(|(place, size)| side.see(((entry, place), size)));
            side
        };
        Some(Values { of_entry: Box::new(of_entry), range: groups.whole_range() })
    }

    fn of_cell(&self, members: &[u32]) -> Side {
        let mut side = Side::default();
        members.iter().for_each(|entry| side.join(&(self.of_entry)(*entry)));
        side
    }
}

/// The contrasts that bounds do not clear, as sums over cells; `None` if that is too much to work out. All figures of `cells` weigh
/// everybody alike; `tables` has the table of each figure.
pub(super) fn contrasts(of: &Figures<'_>, cells: &Cells, values: &Values<'_>, tables: &[&str]) -> Option<Vec<Sum>> {
    let of_cell: Vec<Side> = cells.members.iter().map(|members| values.of_cell(members)).collect();
    let mut figures_of: Vec<Vec<u32>> = vec![Vec::new(); cells.members.len()];
    let mut sides: Vec<Side> = vec![Side::default(); cells.sums.len()];
    for (place, sum) in cells.sums.iter().enumerate() {
        for (cell, _) in sum {
            figures_of[*cell].push(place as u32);
            sides[place].join(&of_cell[*cell]);
        }
    }
    if figures_of.iter().map(|figures| figures.len() * figures.len()).sum::<usize>() > MOST_MET {
        return None;
    }
    let mut common: HashMap<(u32, u32), Amount> = HashMap::new();
    for (cell, figures) in figures_of.iter().enumerate() {
        for (at, one) in figures.iter().enumerate() {
            for other in &figures[at + 1..] {
                common.entry((*one, *other)).or_default().add(of_cell[cell].amount);
            }
        }
    }
    let bounds = Bounds { of, range: values.range };
    let mut open: Vec<Sum> = Vec::new();
    // What a figure meets of each other table, all together.
    let mut met: BTreeMap<(u32, &str), (Side, Amount, Vec<u32>)> = BTreeMap::new();
    let covered = covered(&figures_of, tables, &of_cell);
    let mut pairs: Vec<((u32, u32), Amount)> = common.into_iter().collect();
    pairs.sort_unstable_by_key(|(pair, _)| *pair);
    for ((one, other), shared) in pairs {
        let (first, second) = (&sides[one as usize], &sides[other as usize]);
        if !bounds.clear(first, second, &Shared { amount: shared, covered: shared.people, times: 1 }) {
            open.push(difference(cells, &[one], other));
        }
        for (figure, of_table) in [(one, other), (other, one)] {
            let table = tables[of_table as usize];
            if table != tables[figure as usize] {
                let (side, all, figures) = met.entry((figure, table)).or_default();
                side.join(&sides[of_table as usize]);
                all.add(shared);
                figures.push(of_table);
            }
        }
    }
    let times = times_in(&figures_of, tables);
    for ((figure, table), (side, shared, figures)) in met {
        let times = times.get(table).copied().unwrap_or(1);
        let covered = covered.get(&(figure, table)).copied().unwrap_or(0);
        let shared = Shared { amount: shared, covered, times };
        if figures.len() > 1 && !bounds.clear(&side, &sides[figure as usize], &shared) {
            open.push(difference(cells, &figures, figure));
        }
    }
    open.retain(|sum| !sum.is_empty());
    Some(open)
}

/// In how many figures of each table somebody is, at most: more than one where it has margins.
fn times_in<'t>(figures_of: &[Vec<u32>], tables: &[&'t str]) -> HashMap<&'t str, usize> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for figures in figures_of {
        let mut here: BTreeMap<&str, usize> = BTreeMap::new();
        figures.iter().for_each(|figure| *here.entry(tables[*figure as usize]).or_default() += 1);
        for (table, count) in here {
            let most = times.entry(table).or_default();
            *most = count.max(*most);
        }
    }
    times
}

/// How many people of each figure some figure of each other table has.
fn covered<'t>(figures_of: &[Vec<u32>], tables: &[&'t str], of_cell: &[Side]) -> HashMap<(u32, &'t str), usize> {
    let mut covered: HashMap<(u32, &str), usize> = HashMap::new();
    for (figures, side) in figures_of.iter().zip(of_cell) {
        let here: BTreeSet<&str> = figures.iter().map(|figure| tables[*figure as usize]).collect();
        for figure in figures {
            for table in here.iter().filter(|table| **table != tables[*figure as usize]) {
                *covered.entry((*figure, *table)).or_default() += side.amount.people;
            }
        }
    }
    covered
}

/// Some figures together less another one.
fn difference(cells: &Cells, together: &[u32], less: u32) -> Sum {
    let mut terms: BTreeMap<usize, i64> = BTreeMap::new();
    for figure in together {
        cells.sums[*figure as usize].iter().for_each(|(cell, weight)| *terms.entry(*cell).or_default() += weight);
    }
    cells.sums[less as usize].iter().for_each(|(cell, weight)| *terms.entry(*cell).or_default() -= weight);
    terms.into_iter().filter(|(_, weight)| *weight != 0).collect()
}

struct Bounds<'a, 'f> {
    of: &'a Figures<'f>,
    /// The least and the largest value of anybody.
    range: (f64, f64),
}

/// What figures of one table have in common with a figure.
struct Shared {
    /// As often as somebody is in figures of the table.
    amount: Amount,
    /// How many people these are.
    covered: usize,
    /// In how many figures of the table somebody is, at most.
    times: usize,
}

impl Bounds<'_, '_> {
    /// Whether figures of one table, `one`, without another figure break no rule for sure. With t the figures of the table that
    /// somebody is in, whoever is outside the other figure counts t times in what is left, whoever is inside t − 1 times, and
    /// whoever is in no figure of the table is subtracted.
    fn clear(&self, one: &Side, other: &Side, shared: &Shared) -> bool {
        let (policy, doubt) = (self.of.policy, SAME * (one.amount.size + other.amount.size));
        let outside = one.amount.people - shared.amount.people;
        let again = shared.amount.people - shared.covered;
        let less = other.amount.people - shared.covered;
        let people = outside.div_ceil(shared.times) + again.div_ceil((shared.times - 1).max(1)) + less;
        if people == 0 {
            return true;
        }
        // Whoever counts several times makes this smaller than it is, never larger.
        let size = one.amount.size + other.amount.size - 2.0 * shared.amount.size - doubt;
        let mut both = *one;
        both.join(other);
        let [first, second] = both.largest.map(|(_, size)| size * shared.times as f64);
        let dominant =
            if policy.dominance_largest <= 2 { first + second } else { first * policy.dominance_largest as f64 };
        // A contrast at the bound of the data tells everybody's value.
        let contrast = one.amount.sum - other.amount.sum;
        let (least, most) = self.range;
        let (more, less) = ((outside + again) as f64, less as f64);
        let is_inside = contrast < more * most - less * least - doubt && contrast > more * least - less * most + doubt;
        size > 0.0
            && is_inside
            && policy.minimum_frequency.at_least(people as f64) == Verdict::Pass
            && policy.dominance.at_most(100.0 * dominant / size) == Verdict::Pass
            && policy.p_percent.at_least(100.0 * (size - first - second) / first) == Verdict::Pass
    }
}
