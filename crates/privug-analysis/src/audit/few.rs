//! Combinations of published sums that are about few people.
//!
//! Published sums span a space of combinations; which of them are about fewer people than a limit is the question for the words of
//! small weight in a linear code, which has no fast answer in general. Three facts answer it for nearly every release.
//!
//! *Packing.* Choose numbers on which all combinations are told apart, a basis; set the people behind them aside, choose another
//! basis among the numbers that others are behind, and so on. A combination that is not 0 on what is left is not 0 on the next
//! basis, so that every round adds one person to those that it is about. With m people allowed, a combination is therefore 0
//! outside of what m rounds set aside, or about more. Elimination with these numbers last leaves exactly such combinations,
//! mostly none.
//!
//! *Spreading.* Where elimination is too much work, everybody is put into one of m + 1 lots. If the numbers of each lot tell all combinations
//! apart, each is about somebody of every lot.
//!
//! *Search.* What is left falls into parts that have no number in common. In each, some number is 0 or it is not: the first takes
//! one from the dimension, the second adds the people behind it. Both end soon. `docs/proofs/few.md` has the proofs.

use privug_engine::sorting::CompactSort;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::dependent::{Dependent, small};
use super::implied::Sum;
use super::vanishing::{PRIME, Pivot, eliminated, inverse, minus, plus, residue, times};

/// Multiplications that all rounds may take together, of what must be decided and of what is looked for as far as it is easy; and
/// the same of the search.
const MOST_PACKING: u64 = 120_000_000;
const EASY_PACKING: u64 = 20_000_000;
const MOST_SEARCHING: u64 = 20_000_000;
const EASY_SEARCHING: u64 = 200_000;
/// Multiplications that proving the rank of all sums may take, where they depend on each other.
const MOST_PROVING: u64 = 60_000_000;
/// The third power of how many sums there are, times lots, at most: some seconds.
const MOST_SPREADING: u64 = 6_000_000_000;
/// Numbers of rows times rows times columns of what is left, at most.
const MOST_REDUCING: u64 = 100_000_000;
/// More combinations are not told of.
const MOST_FOUND: usize = 500;

/// Who is behind the numbers.
pub(super) struct Behind<'a> {
    /// The set of people that each number is about.
    pub(super) set_of: &'a [usize],
    /// How many people are in each set.
    pub(super) sizes: &'a [usize],
    /// Who they are, where somebody may be in several sets; those of a set that is not small may be left out.
    pub(super) named: Option<&'a [Vec<usize>]>,
}

/// What is about few people.
#[derive(Debug, Default, PartialEq)]
pub(super) struct AboutFew {
    /// Combinations of which no part is one.
    pub(super) found: Vec<Dependent>,
    /// Whether nothing else is about few people.
    pub(super) are_all: bool,
}

/// The combinations of sums that are about fewer than `limit` people.
pub(super) fn about_few(sums: &[Sum], behind: &Behind<'_>, limit: f64) -> AboutFew {
    let rank = proven_rank(behind.set_of.len(), sums);
    let Some(parts) = parts_about_few(sums, behind, limit, rank) else { return AboutFew::default() };
    let few = searched(parts, behind, limit, MOST_SEARCHING);
    AboutFew { are_all: few.are_all && rank.is_some(), ..few }
}

/// Some of the combinations that are about fewer than `limit` people, if these are easily found.
pub(super) fn easily_about_few(sums: &[Sum], behind: &Behind<'_>, limit: f64) -> Vec<Dependent> {
    let parts = parts_within(sums, behind, limit, &mut EASY_PACKING.clone());
    parts.map_or_else(Vec::new, |parts| searched(parts, behind, limit, EASY_SEARCHING).found)
}

fn searched(parts: Vec<Part>, behind: &Behind<'_>, limit: f64, steps: u64) -> AboutFew {
    let mut search = Search { behind, limit, steps, found: BTreeMap::new() };
    let are_all = parts.into_iter().all(|part| search.part(part).is_some());
    let found = search.found.into_iter().map(|(places, weights)| Dependent { places, weights: small(&weights) });
    AboutFew { found: found.collect(), are_all }
}

/// Parts of the space of combinations, without common numbers, that have all that are about fewer than `limit` people if the rank
/// of the sums is proven; `None` if that is too much to work out.
pub(super) fn parts_about_few(sums: &[Sum], behind: &Behind<'_>, limit: f64, rank: Option<usize>) -> Option<Vec<Part>> {
    match parts_within(sums, behind, limit, &mut MOST_PACKING.clone()) {
        None if rank.is_some_and(|rank| are_spread(sums, behind, limit, rank)) => Some(Vec::new()),
        parts => parts,
    }
}

/// The rank of sums, if it is proven that it is the same modulo the prime: only then is every combination of them one modulo the prime.
///
/// It is not smaller than modulo the prime. It is not larger if every sum that depends on others modulo the prime does so
/// with whole weights, which are tried in whole numbers.
pub(super) fn proven_rank(numbers: usize, sums: &[Sum]) -> Option<usize> {
    let sums: Vec<&Sum> = sums.iter().filter(|sum| !sum.is_empty()).collect();
    // Behind the numbers of each sum there is one of its own, which says what the rows that are left are made of.
    let tracked: Vec<Sum> = sums
        .iter()
        .enumerate()
        .map(|(place, sum)| sum.iter().copied().chain([(numbers + place, 1)]).collect())
        .collect();
    let late: Vec<u8> = (0..numbers + sums.len()).map(|number| u8::from(number >= numbers)).collect();
    let dependencies: Vec<Vec<(usize, u64)>> = match eliminated(late.len(), &tracked, &late, &mut MOST_PROVING.clone())
    {
        Some(pivots) => {
            let made_of = |(pivot, rest): &Pivot| {
                let all = std::iter::once((*pivot, 1)).chain(rest.iter().copied());
                (*pivot >= numbers).then(|| all.map(|(number, weight)| (number - numbers, weight)).collect())
            };
            pivots.iter().filter_map(made_of).collect()
        }
        None => {
            let sums_of = SumsOf::new(numbers, sums.iter().copied());
            if sums_of.cost(1) > MOST_SPREADING {
                return None;
            }
            Echelon::new(sums_of.gram(&|_| true)).dependencies()
        }
    };
    dependencies.iter().all(|of| is_dependency(&sums, of)).then(|| sums.len() - dependencies.len())
}

/// Whether sums with these weights, or whole weights in the same proportions, add up to nothing.
fn is_dependency(sums: &[&Sum], of: &[(usize, u64)]) -> bool {
    let weights: Vec<u64> = of.iter().map(|(_, weight)| *weight).collect();
    let Some(weights) = small(&weights) else { return false };
    let mut left: HashMap<usize, i128> = HashMap::new();
    for ((place, _), times) in of.iter().zip(weights) {
        for (number, weight) in sums[*place] {
            // Below 2¹⁰⁴ each, and fewer than 2²³ of them.
            *left.entry(*number).or_default() += i128::from(times) * i128::from(*weight);
        }
    }
    left.values().all(|left| *left == 0)
}

/// The same by packing.
fn parts_within(sums: &[Sum], behind: &Behind<'_>, limit: f64, work: &mut u64) -> Option<Vec<Part>> {
    let mut left: Vec<Sum> = sums.iter().filter(|sum| !sum.is_empty()).cloned().collect();
    loop {
        let before = left.len();
        left = confined(&left, behind, limit, work)?;
        if left.is_empty() || left.len() >= before {
            return Part::all(&left);
        }
    }
}

/// Whether every lot of people tells all combinations apart, so that each is about somebody of every lot; false also where that is
/// too much to work out. `rank` is that of all sums.
fn are_spread(sums: &[Sum], behind: &Behind<'_>, limit: f64, rank: usize) -> bool {
    let lots = limit.ceil() as usize;
    let sums_of = SumsOf::new(behind.set_of.len(), sums.iter());
    if sums_of.cost(lots as u64 + 1) > MOST_SPREADING {
        return false;
    }
    let first_lot = first_lots(sums, behind, lots);
    (0..lots).all(|lot| {
        let is_in = |number: usize| {
            let set = behind.set_of[number];
            match behind.named {
                // A combination that is not 0 there is about many people.
                _ if behind.sizes[set] as f64 >= limit => true,
                Some(named) => named[set].iter().any(|person| lot_of(*person, lots) == lot),
                // The people of a set are put into lots one after another.
                None => (lot + lots - first_lot[set]) % lots < behind.sizes[set],
            }
        };
        Echelon::new(sums_of.gram(&is_in)).rank() == rank
    })
}

/// Which sums each number is in.
struct SumsOf {
    of: Vec<Vec<(usize, u64)>>,
    sums: usize,
}

impl SumsOf {
    fn new<'a>(numbers: usize, sums: impl Iterator<Item = &'a Sum>) -> Self {
        let mut of: Vec<Vec<(usize, u64)>> = vec![Vec::new(); numbers];
        let mut count = 0;
        for (place, sum) in sums.enumerate() {
            sum.iter().for_each(|(number, weight)| of[*number].push((place, residue(*weight))));
            count = place + 1;
        }
        SumsOf { of, sums: count }
    }

    /// Multiplications for the ranks of so many matrices.
    fn cost(&self, matrices: u64) -> u64 {
        let filling = self.of.iter().map(|of| (of.len() as u64).pow(2)).sum::<u64>();
        (self.sums as u64).pow(3).saturating_add(filling).saturating_mul(matrices)
    }

    /// A·D·Aᵀ for the columns A of some numbers and a random diagonal D: it never has a larger rank than A, and the same but for a
    /// chance of 1 in 2⁵⁰.
    fn gram(&self, is_in: &dyn Fn(usize) -> bool) -> Vec<Vec<u64>> {
        let mut gram = vec![vec![0u64; self.sums]; self.sums];
        for (number, of) in self.of.iter().enumerate().filter(|(number, _)| is_in(*number)) {
            let by = mixed(number as u64 ^ 0x5EED) % PRIME;
            for (one, weight) in of {
                let scaled = times(*weight, by);
                of.iter().for_each(|(other, by)| gram[*one][*other] = plus(gram[*one][*other], times(scaled, *by)));
            }
        }
        gram
    }
}

fn lot_of(somebody: usize, lots: usize) -> usize {
    mixed(somebody as u64) as usize % lots
}

/// The lot of the first person of each set: at random, but so that the smallest sums have somebody in every lot, if they can.
fn first_lots(sums: &[Sum], behind: &Behind<'_>, lots: usize) -> Vec<usize> {
    let mut first: Vec<Option<usize>> = vec![None; behind.sizes.len()];
    let mut by_length: Vec<&Sum> = sums.iter().collect();
    by_length.sort_compact_by_key(|sum| sum.len());
    for sum in by_length {
        let mut sets: Vec<usize> = sum.iter().map(|(number, _)| behind.set_of[*number]).collect();
        sets.sort_compact_by_key(|set| mixed(*set as u64));
        let mut has = vec![false; lots];
        let fill = |has: &mut [bool], lot: usize, set: usize| {
            (0..behind.sizes[set].min(lots)).for_each(|next| has[(lot + next) % lots] = true);
        };
        sets.iter().filter_map(|set| Some((*set, first[*set]?))).for_each(|(set, lot)| fill(&mut has, lot, set));
        for set in sets {
            let Some(missing) = has.iter().position(|has| !has) else { break };
            if first[set].is_none() {
                first[set] = Some(missing);
                fill(&mut has, missing, set);
            }
        }
    }
    first.into_iter().enumerate().map(|(set, lot)| lot.unwrap_or_else(|| lot_of(set, lots))).collect()
}

/// SplitMix64's finaliser.
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// Rows after elimination: each has its first entry, which is not 0, in a column of its own.
struct Echelon {
    rows: Vec<Vec<u64>>,
    columns: Vec<usize>,
}

impl Echelon {
    fn new(mut rows: Vec<Vec<u64>>) -> Self {
        let mut columns = Vec::new();
        for column in 0..rows.first().map_or(0, Vec::len) {
            let rank = columns.len();
            let Some(found) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
            rows.swap(rank, found);
            let (above, below) = rows.split_at_mut(rank + 1);
            let pivot_row = &above[rank][column..];
            let by = inverse(pivot_row[0]);
            for row in below.iter_mut().filter(|row| row[column] != 0) {
                let factor = times(row[column], by);
                let entries = row[column..].iter_mut().zip(pivot_row);
                entries.for_each(|(entry, of)| *entry = minus(*entry, times(factor, *of)));
            }
            columns.push(column);
        }
        rows.truncate(columns.len());
        Echelon { rows, columns }
    }

    fn rank(&self) -> usize {
        self.columns.len()
    }

    /// Independent vectors that all rows vanish on, as many as there are: one for each column without a first entry.
    fn dependencies(&self) -> Vec<Vec<(usize, u64)>> {
        let width = self.rows.first().map_or(0, Vec::len);
        let is_free = |column: &usize| self.columns.binary_search(column).is_err();
        let vector = |free: usize| {
            let mut vector = vec![0u64; width];
            vector[free] = 1;
            for (row, column) in self.rows.iter().zip(&self.columns).rev().filter(|(_, column)| **column < free) {
                let entries = row[column + 1..=free].iter().zip(&vector[column + 1..=free]);
                let rest = entries.fold(0, |sum, (entry, of)| plus(sum, times(*entry, *of)));
                vector[*column] = times(minus(0, rest), inverse(row[*column]));
            }
            vector.into_iter().enumerate().filter(|(_, weight)| *weight != 0).collect()
        };
        (0..width).filter(is_free).map(vector).collect()
    }
}

/// The combinations that are 0 outside of what packing sets aside, as sums modulo the prime.
fn confined(sums: &[Sum], behind: &Behind<'_>, limit: f64, work: &mut u64) -> Option<Vec<Sum>> {
    let numbers = behind.set_of.len();
    let is_small: Vec<bool> = behind.sizes.iter().map(|size| (*size as f64) < limit).collect();
    let mut aside = Aside { taken: vec![0; behind.sizes.len()], people: HashSet::new() };
    let last = |aside: &Aside, number: usize| -> u8 {
        let set = behind.set_of[number];
        if !is_small[set] { 0 } else { 1 + u8::from(aside.is_spent(behind, set)) }
    };
    let mut rounds = (limit.ceil() as usize).saturating_sub(1);
    loop {
        let order: Vec<u8> = (0..numbers).map(|number| last(&aside, number)).collect();
        let pivots = eliminated(numbers, sums, &order, work)?;
        let sets: BTreeSet<usize> =
            pivots.iter().filter(|(pivot, _)| order[*pivot] == 1).map(|(pivot, _)| behind.set_of[*pivot]).collect();
        if rounds == 0 || sets.is_empty() {
            let is_inside = |(pivot, _): &&Pivot| order[*pivot] == 2;
            return Some(pivots.iter().filter(is_inside).map(whole_row).collect());
        }
        aside.take(behind, &sets);
        rounds -= 1;
    }
}

fn whole_row((pivot, rest): &Pivot) -> Sum {
    std::iter::once((*pivot, 1)).chain(rest.iter().map(|(number, weight)| (*number, *weight as i64))).collect()
}

/// The people who are set aside: how many of each set or, where they are named, who.
struct Aside {
    taken: Vec<usize>,
    people: HashSet<usize>,
}

impl Aside {
    fn is_spent(&self, behind: &Behind<'_>, set: usize) -> bool {
        match behind.named {
            Some(named) => named[set].iter().all(|person| self.people.contains(person)),
            None => self.taken[set] >= behind.sizes[set],
        }
    }

    /// One of each set, who may be the same of several.
    fn take(&mut self, behind: &Behind<'_>, sets: &BTreeSet<usize>) {
        let Some(named) = behind.named else {
            sets.iter().for_each(|set| self.taken[*set] += 1);
            return;
        };
        let mut now: HashSet<usize> = HashSet::new();
        for set in sets {
            let is_new = |person: &&usize| !self.people.contains(person);
            if !named[*set].iter().any(|person| now.contains(person)) {
                now.extend(named[*set].iter().find(is_new));
            }
        }
        self.people.extend(now);
    }
}

/// Combinations of some numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// Ascending.
    pub(super) numbers: Vec<usize>,
    /// Weights of these, with a one in a column that all others have 0 in.
    rows: Vec<Vec<u64>>,
}

impl Part {
    /// The parts that sums fall into; `None` if that is too much to work out.
    fn all(sums: &[Sum]) -> Option<Vec<Part>> {
        let numbers: Vec<usize> =
            sums.iter().flatten().map(|(number, _)| *number).collect::<BTreeSet<_>>().into_iter().collect();
        let (height, width) = (sums.len() as u64, numbers.len() as u64);
        if height * height * width > MOST_REDUCING {
            return None;
        }
        let column_of: HashMap<usize, usize> =
            numbers.iter().enumerate().map(|(column, number)| (*number, column)).collect();
        let mut rows = vec![vec![0; numbers.len()]; sums.len()];
        for (row, sum) in rows.iter_mut().zip(sums) {
            sum.iter().for_each(|(number, weight)| row[column_of[number]] = *weight as u64);
        }
        reduce(&mut rows);
        // Rows that have a number in common belong together.
        let mut part_of: Vec<usize> = (0..rows.len()).collect();
        let root = |part_of: &[usize], mut row: usize| {
            while part_of[row] != row {
                row = part_of[row];
            }
            row
        };
        for column in 0..numbers.len() {
            let mut meet = (0..rows.len()).filter(|row| rows[*row][column] != 0);
            let Some(first) = meet.next() else { continue };
            for other in meet {
                let (one, other) = (root(&part_of, first), root(&part_of, other));
                part_of[one.max(other)] = one.min(other);
            }
        }
        let mut parts: BTreeMap<usize, Vec<Vec<u64>>> = BTreeMap::new();
        for (place, row) in rows.into_iter().enumerate() {
            parts.entry(root(&part_of, place)).or_default().push(row);
        }
        let narrow = |rows: Vec<Vec<u64>>| {
            let columns: Vec<usize> =
                (0..numbers.len()).filter(|column| rows.iter().any(|row| row[*column] != 0)).collect();
            let rows = rows.iter().map(|row| columns.iter().map(|column| row[*column]).collect()).collect();
            Part { numbers: columns.into_iter().map(|column| numbers[column]).collect(), rows }
        };
        Some(parts.into_values().map(narrow).collect())
    }

    /// Those that are 0 in a column, without it and what is 0 then.
    fn without(&self, column: usize) -> Part {
        let mut rows = self.rows.clone();
        let Some(first) = rows.iter().position(|row| row[column] != 0) else { return self.clone() };
        let pivot_row = rows.swap_remove(first);
        let by = inverse(pivot_row[column]);
        for row in rows.iter_mut().filter(|row| row[column] != 0) {
            let factor = times(row[column], by);
            row.iter_mut().zip(&pivot_row).for_each(|(entry, of)| *entry = minus(*entry, times(factor, *of)));
        }
        let columns: Vec<usize> =
            (0..self.numbers.len()).filter(|column| rows.iter().any(|row| row[*column] != 0)).collect();
        let rows = rows.iter().map(|row| columns.iter().map(|column| row[*column]).collect()).collect();
        Part { numbers: columns.into_iter().map(|column| self.numbers[column]).collect(), rows }
    }

    /// Columns that are multiples of each other: their numbers are 0 in the same combinations.
    fn alike(&self) -> Vec<Vec<usize>> {
        let mut alike: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
        for column in 0..self.numbers.len() {
            let first = self.rows.iter().map(|row| row[column]).find(|entry| *entry != 0);
            let by = inverse(first.unwrap_or(1));
            let key = self.rows.iter().map(|row| times(row[column], by)).collect();
            alike.entry(key).or_default().push(column);
        }
        alike.into_values().collect()
    }
}

/// To rows with a one in a column that all others have 0 in; rows of zeros are left out.
fn reduce(rows: &mut Vec<Vec<u64>>) {
    let width = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..width {
        let Some(found) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(rank, found);
        let by = inverse(rows[rank][column]);
        rows[rank].iter_mut().for_each(|entry| *entry = times(*entry, by));
        let pivot_row = rows[rank].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, row)| *at != rank && row[column] != 0) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(entry, of)| *entry = minus(*entry, times(factor, *of)));
        }
        rank += 1;
    }
    rows.truncate(rank);
}

struct Search<'a> {
    behind: &'a Behind<'a>,
    limit: f64,
    steps: u64,
    /// By numbers.
    found: BTreeMap<Vec<usize>, Vec<u64>>,
}

/// Somebody of a set: by name, or by the set and a number.
type Person = (usize, usize);

impl Search<'_> {
    fn people(&self, numbers: impl Iterator<Item = usize>) -> BTreeSet<Person> {
        let sets: BTreeSet<usize> = numbers.map(|number| self.behind.set_of[number]).collect();
        let of_set = |set: usize| -> Vec<Person> {
            match self.behind.named {
                Some(named) => named[set].iter().map(|person| (0, *person)).collect(),
                None => (0..self.behind.sizes[set]).map(|person| (set, person)).collect(),
            }
        };
        sets.into_iter().flat_map(of_set).collect()
    }

    fn is_few(&self, people: usize) -> bool {
        (people as f64) < self.limit
    }

    fn part(&mut self, part: Part) -> Option<()> {
        self.extend(part, &BTreeSet::new(), &BTreeSet::new())
    }

    /// All of a part that is not 0 in some numbers, behind which there are some people; `None` if that takes too many steps.
    fn extend(&mut self, mut part: Part, fixed: &BTreeSet<usize>, people: &BTreeSet<Person>) -> Option<()> {
        loop {
            if !fixed.iter().all(|number| part.numbers.binary_search(number).is_ok()) || part.rows.is_empty() {
                return Some(());
            }
            self.steps = self.steps.checked_sub((part.rows.len() * part.numbers.len()) as u64 + 1)?;
            let mut widest: Option<(usize, Vec<usize>, BTreeSet<Person>)> = None;
            let mut too_many = None;
            for columns in part.alike() {
                let numbers: Vec<usize> = columns.iter().map(|column| part.numbers[*column]).collect();
                let mut with = self.people(numbers.iter().copied());
                with.extend(people);
                let is_fixed = fixed.contains(&numbers[0]);
                if !self.is_few(with.len()) {
                    if is_fixed {
                        return Some(());
                    }
                    too_many = Some(columns[0]);
                    break;
                }
                let more = with.len() - people.len();
                if !is_fixed && widest.as_ref().is_none_or(|(_, _, of)| of.len() < people.len() + more) {
                    widest = Some((columns[0], numbers, with));
                }
            }
            if let Some(column) = too_many {
                part = part.without(column);
                continue;
            }
            let Some((column, numbers, with)) = widest else { return self.tell(&part) };
            if part.rows.len() == 1 {
                // All of its numbers are alike, and few people are behind them.
                return self.tell(&part);
            }
            let mut now_fixed = fixed.clone();
            now_fixed.extend(numbers);
            self.extend(part.clone(), &now_fixed, &with)?;
            part = part.without(column);
        }
    }

    /// Few people are behind all of a part.
    fn tell(&mut self, part: &Part) -> Option<()> {
        for row in &part.rows {
            let terms = part.numbers.iter().zip(row).filter(|(_, weight)| **weight != 0);
            let (places, weights): (Vec<usize>, Vec<u64>) = terms.map(|(number, weight)| (*number, *weight)).unzip();
            self.found.insert(places, weights);
        }
        (self.found.len() < MOST_FOUND).then_some(())
    }
}

#[cfg(test)]
mod tests;
