//! Small sets of things on which a combination of published sums lives, with whatever weights.
//!
//! Let N be a matrix whose rows are random vectors that all published sums vanish on (see `vanishing`), with a column for each
//! thing. A combination Σ c·thing follows from the published sums if and only if Σ c·column = 0. So something follows about
//! a set alone if its columns depend on each other. The sets of k of which no part does are found without trying all of
//! them: once the columns of k − 2 things are eliminated, the last two have to be parallel, which a ratio tells.

use privug_engine::sorting::CompactSort;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::vanishing::{LARGEST_SET, PRIME, inverse, minus, times};

/// Multiplications that looking for sets may take: less than a second of them.
const MOST_STEPS: u64 = 15_000_000;
/// Of so many small things it is found out first which are in any set at all.
const MOST_SIFTED: usize = 300;
/// More sets are not told of.
const MOST_FOUND: usize = 2_000;
/// Weights are fractions with numerators and denominators up to this.
const LARGEST_FRACTION: u64 = 1 << 30;
const LARGEST_WEIGHT: i64 = 1 << 40;

/// Things, and the weights of the combination of them that follows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dependent {
    /// Ascending.
    pub(super) places: Vec<usize>,
    /// Whole numbers without a common divisor, the first of them positive; `None` if these are too large.
    pub(super) weights: Option<Vec<i64>>,
}

/// The sets of two and more things that depend on each other, without any that are known alone or in a smaller set: pairs of any
/// size, and larger sets with sizes of less than `limit` together, as far as these can be looked for. Where the larger ones are
/// known, the limit is 0.
pub(super) fn dependent_sets(columns: &[Vec<u64>], sizes: &[usize], limit: f64) -> Vec<Dependent> {
    let mut open: Vec<usize> = (0..columns.len()).filter(|place| columns[*place][0] != 0).collect();
    // Small ones first, so that they are found before there are too many.
    open.sort_compact_by_key(|place| (sizes[*place], *place));
    let mut search = Search { sizes, limit: f64::INFINITY, steps: MOST_STEPS, found: Vec::new() };
    let start = |open: &[usize], length: usize| -> Vec<Thing> {
        let column = |place: &usize| {
            let mut entries = [0; LARGEST_SET];
            entries[..length].copy_from_slice(&columns[*place][..length]);
            (*place, entries)
        };
        open.iter().map(column).collect()
    };
    search.extend(&mut Vec::new(), &start(&open, 2), 2);
    search.limit = limit;
    open.retain(|place| (sizes[*place] as f64) < limit);
    if entries(&open, columns) >= open.len() {
        open = sifted(&open, columns);
    }
    for length in 3..=LARGEST_SET {
        if open.len() < length || search.extend(&mut Vec::new(), &start(&open, length), length).is_none() {
            break;
        }
    }
    let mut told: HashSet<Vec<usize>> = HashSet::new();
    let mut all = Vec::new();
    for mut places in search.found {
        places.sort_unstable();
        if told.insert(places.clone())
            && let Some(weights) = combination(&places, columns)
        {
            all.push(Dependent { places, weights: small(&weights) });
        }
    }
    all
}

/// How many random vectors [`dependent_sets`] needs, given one of them.
pub(super) fn vectors_needed(first: &[u64], sizes: &[usize], limit: f64) -> usize {
    let small = first.iter().zip(sizes).filter(|(entry, size)| **entry != 0 && (**size as f64) < limit).count();
    if small <= MOST_SIFTED { small.max(LARGEST_SET) } else { LARGEST_SET }
}

/// How many entries all columns of some things have.
fn entries(open: &[usize], columns: &[Vec<u64>]) -> usize {
    open.iter().map(|place| columns[*place].len()).min().unwrap_or(0)
}

/// Columns as rows that are reduced to a one at each pivot, and the pivots.
fn reduced(open: &[usize], columns: &[Vec<u64>]) -> (Vec<Vec<u64>>, Vec<usize>) {
    let mut rows: Vec<Vec<u64>> =
        (0..entries(open, columns)).map(|entry| open.iter().map(|place| columns[*place][entry]).collect()).collect();
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..open.len() {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(rank, found);
        let by = inverse(rows[rank][column]);
        rows[rank].iter_mut().for_each(|entry| *entry = times(*entry, by));
        let of_pivot = rows[rank].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, row)| *at != rank && row[column] != 0) {
            let factor = row[column];
            row.iter_mut().zip(&of_pivot).for_each(|(entry, p)| *entry = minus(*entry, times(factor, *p)));
        }
        pivots.push(column);
    }
    (rows, pivots)
}

/// The things that some combination needs: in no combination is a thing whose column no other ones make up.
fn sifted(open: &[usize], columns: &[Vec<u64>]) -> Vec<usize> {
    let (rows, pivots) = reduced(open, columns);
    let is_free = |column: &usize| pivots.binary_search(column).is_err();
    let is_needed = |column: &usize| match pivots.binary_search(column) {
        Err(_) => true,
        Ok(row) => (0..open.len()).any(|other| is_free(&other) && rows[row][other] != 0),
    };
    (0..open.len()).filter(is_needed).map(|column| open[column]).collect()
}

/// Things with the same few people behind them: for every set of fewer than `limit` people that is behind one thing or several,
/// all things that have nobody else, where these are two or more. A person with several rows may be behind many things,
/// and counts once. `people` has those of each thing, ascending; those of a large one may be left out.
pub(super) fn shared(people: &[Vec<usize>], limit: f64) -> Vec<Vec<usize>> {
    let is_small = |set: &[usize]| !set.is_empty() && (set.len() as f64) < limit;
    let mut things_of: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, set) in people.iter().enumerate().filter(|(_, set)| is_small(set)) {
        set.iter().for_each(|person| things_of.entry(*person).or_default().push(place));
    }
    let single: BTreeSet<&[usize]> = people.iter().map(Vec::as_slice).filter(|set| is_small(set)).collect();
    let mut met: HashSet<Vec<usize>> = single.iter().map(|set| set.to_vec()).collect();
    let mut due: VecDeque<Vec<usize>> = single.iter().map(|set| set.to_vec()).collect();
    let mut found: BTreeSet<Vec<usize>> = BTreeSet::new();
    while let Some(set) = due.pop_front() {
        let near = set.iter().flat_map(|person| &things_of[person]);
        let inside = near.filter(|place| people[**place].iter().all(|person| set.binary_search(person).is_ok()));
        let block: BTreeSet<usize> = inside.copied().collect();
        if (2..=MOST_SIFTED).contains(&block.len()) {
            found.insert(block.into_iter().collect());
        }
        for other in &single {
            let mut union: Vec<usize> = set.iter().chain(other.iter()).copied().collect();
            union.sort_unstable();
            union.dedup();
            if met.len() < MOST_FOUND && is_small(&union) && met.insert(union.clone()) {
                due.push_back(union);
            }
        }
    }
    found.into_iter().collect()
}

/// Combinations of some things that follow, all others being combinations of these; columns have more entries than there are
/// things.
pub(super) fn dependencies(things: &[usize], columns: &[Vec<u64>]) -> Vec<Dependent> {
    let (rows, pivots) = reduced(things, columns);
    let free = (0..things.len()).filter(|column| pivots.binary_search(column).is_err());
    let combination = |free: usize| {
        let pivots = pivots.iter().enumerate().map(|(row, pivot)| (things[*pivot], minus(0, rows[row][free])));
        let mut terms: Vec<(usize, u64)> = pivots.chain([(things[free], 1)]).filter(|(_, w)| *w != 0).collect();
        terms.sort_unstable();
        let (places, weights): (Vec<usize>, Vec<u64>) = terms.into_iter().unzip();
        Dependent { places, weights: small(&weights) }
    };
    free.map(combination).collect()
}

/// A thing, and the first entries of its column: as many as there are things in the sets that are looked for.
type Thing = (usize, [u64; LARGEST_SET]);

struct Search<'a> {
    sizes: &'a [usize],
    limit: f64,
    steps: u64,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn is_small(&self, places: &[usize]) -> bool {
        (places.iter().map(|place| self.sizes[*place]).sum::<usize>() as f64) < self.limit
    }

    /// Goes on from some independent things, whose columns are eliminated from those of the others; `None` if it takes too
    /// many steps.
    fn extend(&mut self, chosen: &mut Vec<usize>, rest: &[Thing], length: usize) -> Option<()> {
        let depth = chosen.len();
        self.steps = self.steps.checked_sub((rest.len() * length) as u64)?;
        if depth + 2 == length {
            self.parallel(chosen, rest);
            return (self.found.len() < MOST_FOUND).then_some(());
        }
        for (at, (place, column)) in rest.iter().enumerate() {
            chosen.push(*place);
            // Those that come are no smaller.
            let least = self.sizes[*place] * (length - depth - 1);
            let is_possible = self.is_small(chosen)
                && ((chosen.iter().map(|place| self.sizes[*place]).sum::<usize>() + least) as f64) < self.limit;
            if !is_possible {
                chosen.pop();
                break;
            }
            if column[depth] != 0 {
                let by = inverse(column[depth]);
                let reduced = rest[at + 1..].iter().map(|(other, entries)| {
                    let factor = times(entries[depth], by);
                    let mut entries = *entries;
                    for (entry, pivot) in entries[..length].iter_mut().zip(column).skip(depth) {
                        *entry = minus(*entry, times(factor, *pivot));
                    }
                    (*other, entries)
                });
                // Whatever depends on those that were chosen makes up a smaller set with them.
                let reduced: Vec<Thing> = reduced.filter(|(_, entries)| entries[depth + 1] != 0).collect();
                self.extend(chosen, &reduced, length)?;
            }
            chosen.pop();
        }
        Some(())
    }

    /// Every two of the rest that are parallel, with those that were chosen.
    fn parallel(&mut self, chosen: &[usize], rest: &[Thing]) {
        let depth = chosen.len();
        let firsts: Vec<u64> = rest.iter().map(|(_, column)| column[depth]).collect();
        let ratios = rest.iter().zip(inverses(&firsts)).map(|((_, column), by)| times(column[depth + 1], by));
        let mut by_ratio: Vec<(u64, usize)> = ratios.zip(0..).collect();
        by_ratio.sort_unstable();
        // Those with the same ratio are next to each other, small ones first.
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let size = |at: usize| self.sizes[rest[at].0];
        let before: usize = chosen.iter().map(|place| self.sizes[*place]).sum();
        for alike in by_ratio.chunk_by(|one, other| one.0 == other.0) {
            let most = pairs.len() + MOST_FOUND;
            for (place, (_, later)) in alike.iter().enumerate() {
                let is_small = |at: usize| ((before + size(at) + size(*later)) as f64) < self.limit;
                let earlier = alike[..place].iter().map(|(_, earlier)| *earlier).take_while(|at| is_small(*at));
                pairs.extend(earlier.map(|earlier| (*later, earlier)));
                if pairs.len() >= most {
                    break;
                }
            }
        }
        pairs.sort_unstable();
        for (later, earlier) in pairs.into_iter().take(MOST_FOUND - self.found.len()) {
            let mut set = chosen.to_vec();
            set.extend([rest[earlier].0, rest[later].0]);
            self.found.push(set);
        }
    }
}

/// 1/x of numbers that are not 0, with one division: those of all products are found from the last one backwards.
fn inverses(numbers: &[u64]) -> Vec<u64> {
    let mut before = Vec::with_capacity(numbers.len());
    let mut product = 1;
    for number in numbers {
        before.push(product);
        product = times(product, *number);
    }
    let mut by = inverse(product);
    let mut found = vec![0; numbers.len()];
    for (at, number) in numbers.iter().enumerate().rev() {
        found[at] = times(by, before[at]);
        by = times(by, *number);
    }
    found
}

/// The weights with which some columns add up to 0, the first being 1; `None` if fewer of them do, or more than one combination.
fn combination(places: &[usize], columns: &[Vec<u64>]) -> Option<Vec<u64>> {
    let (first, others) = places.split_first()?;
    // Rows are entries of the columns; the last number of each is that of the first column, on the other side.
    let mut rows: Vec<Vec<u64>> = (0..LARGEST_SET)
        .map(|entry| {
            let of_others = others.iter().map(|place| columns[*place][entry]);
            of_others.chain([minus(0, columns[*first][entry])]).collect()
        })
        .collect();
    for pivot in 0..others.len() {
        let found = (pivot..rows.len()).find(|row| rows[*row][pivot] != 0)?;
        rows.swap(pivot, found);
        let by = inverse(rows[pivot][pivot]);
        rows[pivot].iter_mut().for_each(|entry| *entry = times(*entry, by));
        let of_pivot = rows[pivot].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, row)| *at != pivot && row[pivot] != 0) {
            let factor = row[pivot];
            row.iter_mut().zip(&of_pivot).for_each(|(entry, p)| *entry = minus(*entry, times(factor, *p)));
        }
    }
    let (solved, left) = rows.split_at(others.len());
    let weights: Vec<u64> = [1].into_iter().chain(solved.iter().map(|row| row[others.len()])).collect();
    let is_whole = left.iter().all(|row| row[others.len()] == 0) && weights.iter().all(|weight| *weight != 0);
    is_whole.then_some(weights)
}

/// Numbers modulo the prime as whole numbers in the same proportions.
pub(super) fn small(weights: &[u64]) -> Option<Vec<i64>> {
    let fractions: Vec<(i64, i64)> = weights.iter().map(|weight| fraction(*weight)).collect::<Option<_>>()?;
    let mut common = 1i64;
    for (_, denominator) in &fractions {
        common = (common / gcd(common, *denominator)).checked_mul(*denominator)?;
        if common > LARGEST_WEIGHT {
            return None;
        }
    }
    let whole = fractions.iter().map(|(numerator, denominator)| {
        numerator.checked_mul(common / denominator).filter(|weight| weight.abs() <= LARGEST_WEIGHT)
    });
    let whole: Vec<i64> = whole.collect::<Option<_>>()?;
    let divisor = whole.iter().fold(0, |divisor, weight| gcd(divisor, weight.abs()));
    Some(whole.into_iter().map(|weight| weight / divisor.max(1)).collect())
}

/// The fraction of small numbers that is this modulo the prime (Wang's algorithm); `None` if there is none.
fn fraction(value: u64) -> Option<(i64, i64)> {
    let (mut r, mut next_r) = (PRIME as i128, i128::from(value));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r > i128::from(LARGEST_FRACTION) {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    if next_t == 0 || next_t.unsigned_abs() > u128::from(LARGEST_FRACTION) {
        return None;
    }
    let sign = if next_t < 0 { -1 } else { 1 };
    Some(((sign * next_r) as i64, (sign * next_t) as i64))
}

pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::vanishing::vanishing_vectors;
    use super::*;

    fn sets(sums: &[&[(usize, i64)]], sizes: &[usize], limit: f64) -> Vec<Dependent> {
        let sums: Vec<Vec<(usize, i64)>> = sums.iter().map(|sum| sum.to_vec()).collect();
        let first = vanishing_vectors(sizes.len(), &sums, 1).expect("little work");
        let needed = vectors_needed(&first[0], sizes, limit);
        let vectors = vanishing_vectors(sizes.len(), &sums, needed).expect("little work");
        let columns: Vec<Vec<u64>> =
            (0..sizes.len()).map(|place| vectors.iter().map(|vector| vector[place]).collect()).collect();
        dependent_sets(&columns, sizes, limit)
    }

    fn of(places: &[usize], weights: &[i64]) -> Dependent {
        Dependent { places: places.to_vec(), weights: Some(weights.to_vec()) }
    }

    #[test]
    fn two_overlapping_sums_tell_one_end_against_the_other() {
        // a + b and b + c: a − c.
        let found = sets(&[&[(0, 1), (1, 1)], &[(1, 1), (2, 1)]], &[3, 27, 3], 10.0);
        assert!(found.contains(&of(&[0, 2], &[1, -1])), "{found:?}");
        // Pairs may be of any size, as one of their people may dominate; there are a + b and b + c besides.
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn weights_are_found_whatever_they_are() {
        // 2a + b + c, where a + b + x, a + c + y and x + y are published.
        let published: [&[(usize, i64)]; 3] = [&[(0, 1), (1, 1), (3, 1)], &[(0, 1), (2, 1), (4, 1)], &[(3, 1), (4, 1)]];
        let found = sets(&published, &[3, 3, 3, 50, 50], 10.0);
        assert!(found.contains(&of(&[0, 1, 2], &[2, 1, 1])), "{found:?}");
        // Hours of 35 and 37 beside the sum of both.
        let found = sets(&[&[(0, 35), (1, 37), (2, 40)], &[(0, 1), (1, 1), (2, 1)]], &[2, 2, 90], 10.0);
        assert!(found.contains(&of(&[0, 1], &[5, 3])), "{found:?}");
    }

    #[test]
    fn exactly_the_small_sets_that_depend_on_each_other_are_found() {
        let mut state = 3u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        let mut told = 0;
        for _ in 0..60 {
            let count = 5 + below(4) as usize;
            let rows: Vec<Vec<i64>> =
                (0..2 + below(4)).map(|_| (0..count).map(|_| below(4) as i64 - 1).collect()).collect();
            let sums: Vec<Vec<(usize, i64)>> =
                rows.iter().map(|row| row.iter().copied().enumerate().filter(|(_, w)| *w != 0).collect()).collect();
            let borrowed: Vec<&[(usize, i64)]> = sums.iter().map(Vec::as_slice).collect();
            let found = sets(&borrowed, &vec![1; count], 100.0);
            // Something follows about a set alone if the rows, restricted to all others, have a smaller rank.
            let rank_outside = |set: u32| {
                let outside = |row: &Vec<i64>| -> Vec<i64> {
                    (0..count).filter(|place| set >> place & 1 == 0).map(|place| row[place]).collect()
                };
                rank(rows.iter().map(outside).collect())
            };
            let whole = rank_outside(0);
            let follows = |set: u32| rank_outside(set) < whole;
            for set in (1u32..1 << count).filter(|set| set.count_ones() > 1) {
                let is_least = (0..count).all(|place| set >> place & 1 == 0 || !follows(set & !(1 << place)));
                let places: Vec<usize> = (0..count).filter(|place| set >> place & 1 == 1).collect();
                let is_found = found.iter().any(|one| one.places == places);
                assert_eq!(is_found, follows(set) && is_least, "{rows:?} {places:?}");
                told += usize::from(is_found);
            }
        }
        assert!(told > 100, "{told}");
    }

    #[test]
    fn people_behind_several_things_count_once() {
        // The first two things are about the same two people, the third about one of them and another, the last about many.
        let people = [vec![1, 2], vec![1, 2], vec![2, 3], vec![]];
        assert_eq!(shared(&people, 3.0), [vec![0, 1]]);
        assert_eq!(shared(&people, 4.0), [vec![0, 1], vec![0, 1, 2]]);
        // Their sum follows from the sum of all and that of the last.
        let sums = [vec![(0, 1), (1, 1), (2, 1), (3, 1)], vec![(2, 1), (3, 1)]];
        let vectors = vanishing_vectors(4, &sums, 5).expect("little work");
        let columns: Vec<Vec<u64>> = (0..4).map(|at| vectors.iter().map(|vector| vector[at]).collect()).collect();
        assert_eq!(dependencies(&[0, 1], &columns), [of(&[0, 1], &[1, 1])]);
        assert_eq!(dependencies(&[0, 2], &columns), []);
    }

    /// By elimination with fractions of whole numbers.
    fn rank(mut rows: Vec<Vec<i64>>) -> usize {
        let width = rows.first().map_or(0, Vec::len);
        let mut rank = 0;
        for column in 0..width {
            let Some(pivot) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
            rows.swap(rank, pivot);
            for row in rank + 1..rows.len() {
                let (a, b) = (rows[rank][column], rows[row][column]);
                let of_pivot = rows[rank].clone();
                rows[row].iter_mut().zip(of_pivot).for_each(|(x, y)| *x = *x * a - y * b);
                let divisor = rows[row].iter().fold(0, |divisor, x| gcd(divisor, x.abs())).max(1);
                rows[row].iter_mut().for_each(|x| *x /= divisor);
            }
            rank += 1;
        }
        rank
    }
}
