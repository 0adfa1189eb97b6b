//! Small unions whose sum follows from published sums, found without trying all of them.
//!
//! Let x be a random vector that all published sums vanish on (Σ a·x = 0 modulo a prime). A sum that is a combination of
//! published ones vanishes on every such x. One that is not vanishes on a random x with a chance of 1 in 2⁶¹. So whether
//! a union follows is whether its x add up to 0, and unions of two to four are found by looking up what is missing. What
//! is found is only proposed: [`super::implied::following`] decides.

use privug_engine::sorting::CompactSort;
use std::collections::{BTreeSet, HashMap};

use super::implied::Sum;

/// 2⁶¹ − 1
pub(super) const PRIME: u64 = (1 << 61) - 1;
/// Multiplications that an elimination may take.
const MOST_WORK: u64 = 30_000_000;
/// With more sums, they are not projected on: the work grows with the third power.
const MOST_SUMS: usize = 1_500;
/// Products of weights that projecting may take: some seconds of them.
const MOST_PRODUCTS: u64 = 300_000_000;
/// With more things, unions of three are not looked for.
const MOST_FOR_THREE: usize = 3_000;
/// Halves of unions of four and more that are kept, at most: those of four among 400 things, of six among 90, of eight among 40.
const MOST_HALVES: usize = 120_000;
/// No union of more things is looked for: with a limit of ten people nothing larger is small.
pub(super) const LARGEST_SET: usize = 9;
/// More unions are not told of.
const MOST_FOUND: usize = 2_000;

pub(super) fn times(a: u64, b: u64) -> u64 {
    reduced(folded(a, b))
}

/// A product as a number below 2⁶²: 2⁶¹ is 1.
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64 & PRIME) + (product >> 61) as u64
}

/// A number below 2⁶² as one below the prime.
fn reduced(number: u64) -> u64 {
    if number >= PRIME { number - PRIME } else { number }
}

pub(super) fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

pub(super) fn plus(a: u64, b: u64) -> u64 {
    reduced(a + b)
}

/// Σ weight·vector[number], reduced once: 2³² terms add up to less than 2⁹⁴.
fn applied(terms: &[(usize, u64)], vector: &[u64]) -> u64 {
    let add = |sum: u128, (number, weight): &(usize, u64)| sum + u128::from(folded(*weight, vector[*number]));
    let sum = terms.iter().fold(0, add);
    reduced((sum as u64 & PRIME) + (sum >> 61) as u64)
}

pub(super) fn residue(weight: i64) -> u64 {
    weight.rem_euclid(PRIME as i64) as u64
}

pub(super) fn inverse(value: u64) -> u64 {
    let (mut result, mut square, mut left) = (1, value, PRIME - 2);
    while left > 0 {
        if left % 2 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        left /= 2;
    }
    result
}

/// SplitMix64: the same numbers in every run.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (value ^ (value >> 31)) % PRIME
}

/// A random vector that all sums vanish on; `None` if that is too much to work out.
pub(super) fn vanishing(numbers: usize, sums: &[Sum]) -> Option<Vec<u64>> {
    vanishing_vectors(numbers, sums, 1)?.pop()
}

/// So many independent random vectors that all sums vanish on; `None` if that is too much to work out.
pub(super) fn vanishing_vectors(numbers: usize, sums: &[Sum], count: usize) -> Option<Vec<Vec<u64>>> {
    Kernel::new(numbers, sums, &|_| false).vectors(count)
}

/// A number, and the other terms of a sum in which its weight is 1.
pub(super) type Pivot = (usize, Vec<(usize, u64)>);

/// The vectors that some sums vanish on. A few numbers may be set apart: of these many vectors are had with little work.
pub(super) struct Kernel<'a> {
    numbers: usize,
    sums: &'a [Sum],
    /// What the sums are after elimination: none of them has a pivot of an earlier one. `None` if that is too much work.
    pivots: Option<Vec<Pivot>>,
    /// The numbers that are set apart, if they became pivots only where nothing else was left.
    apart: Option<Vec<bool>>,
}

impl<'a> Kernel<'a> {
    pub(super) fn new(numbers: usize, sums: &'a [Sum], is_apart: &dyn Fn(usize) -> bool) -> Self {
        let apart: Vec<bool> = (0..numbers).map(is_apart).collect();
        let order: Vec<u8> = apart.iter().map(|is_apart| u8::from(*is_apart)).collect();
        let pivots = eliminated(numbers, sums, &order, &mut MOST_WORK.clone());
        // Where all are set apart or none, nothing is preferred.
        if pivots.is_some() || !apart.contains(&true) || !apart.contains(&false) {
            return Kernel { numbers, sums, pivots, apart: Some(apart) };
        }
        let pivots = eliminated(numbers, sums, &vec![0; numbers], &mut MOST_WORK.clone());
        Kernel { numbers, sums, pivots, apart: None }
    }

    /// So many independent random vectors that all sums vanish on; `None` if that is too much to work out.
    pub(super) fn vectors(&self, count: usize) -> Option<Vec<Vec<u64>>> {
        let Some(pivots) = &self.pivots else { return projected(self.numbers, self.sums, count) };
        let mut state = 2026;
        let vectors = (0..count).map(|_| {
            let mut vector: Vec<u64> = (0..self.numbers).map(|_| random(&mut state)).collect();
            solve(pivots.iter(), &mut vector);
            vector
        });
        Some(vectors.collect())
    }

    /// The entries of each number in [`LARGEST_SET`] such vectors, and of those that are set apart in `count`.
    ///
    /// A pivot that is set apart was the best of what was left, so that all of its sum is about those apart. Every sum about
    /// them that follows is made of such sums: in a combination of several, the first pivot stays. So whatever these vanish
    /// on is a part of a vector that all sums vanish on.
    pub(super) fn columns(&self, count: usize) -> Option<Vec<Vec<u64>>> {
        let known = self.pivots.as_ref().zip(self.apart.as_ref());
        let vectors = self.vectors(if known.is_some() { LARGEST_SET.min(count) } else { count })?;
        let mut columns: Vec<Vec<u64>> =
            (0..self.numbers).map(|number| vectors.iter().map(|vector| vector[number]).collect()).collect();
        let Some((pivots, apart)) = known else { return Some(columns) };
        let numbers: Vec<usize> = (0..self.numbers).filter(|number| apart[*number]).collect();
        let pivots: Vec<&Pivot> = pivots.iter().filter(|(pivot, _)| apart[*pivot]).collect();
        let (mut state, mut vector) = (2027, vec![0; self.numbers]);
        for _ in vectors.len()..count {
            numbers.iter().for_each(|number| vector[*number] = random(&mut state));
            solve(pivots.iter().copied(), &mut vector);
            numbers.iter().for_each(|number| columns[*number].push(vector[*number]));
        }
        Some(columns)
    }
}

impl Kernel<'_> {
    /// The numbers that follow by themselves: those for which a random vector has 0, as far as elimination confirms it. Of
    /// others it is not certain.
    pub(super) fn alone(&self, vector: &[u64]) -> Vec<bool> {
        let mut alone = vec![false; self.numbers];
        let Some(pivots) = &self.pivots else { return alone };
        let mut row_of: Vec<Option<usize>> = vec![None; self.numbers];
        pivots.iter().enumerate().for_each(|(row, (pivot, _))| row_of[*pivot] = Some(row));
        let mut work = MOST_WORK;
        for number in (0..self.numbers).filter(|number| vector[*number] == 0) {
            match follows(number, pivots, &row_of, &mut work) {
                Some(does) => alone[number] = does,
                None => break,
            }
        }
        alone
    }
}

/// Whether a number is a combination of rows; `None` if there is too little `work` left to tell.
fn follows(number: usize, pivots: &[Pivot], row_of: &[Option<usize>], work: &mut u64) -> Option<bool> {
    let mut left: HashMap<usize, u64> = HashMap::from([(number, 1)]);
    let mut due: BTreeSet<usize> = row_of[number].into_iter().collect();
    while let Some(first) = due.pop_first() {
        let (pivot, rest) = &pivots[first];
        let factor = left.remove(pivot).unwrap_or(0);
        if factor == 0 {
            continue;
        }
        *work = work.checked_sub(rest.len() as u64 + 1)?;
        for (number, weight) in rest {
            let entry = left.entry(*number).or_default();
            *entry = minus(*entry, times(factor, *weight));
            due.extend(row_of[*number]);
        }
    }
    Some(left.values().all(|weight| *weight == 0))
}

/// Makes sums vanish by the numbers of their pivots; a pivot of a later sum may be in an earlier one.
fn solve<'a>(pivots: impl DoubleEndedIterator<Item = &'a Pivot>, vector: &mut [u64]) {
    for (pivot, rest) in pivots.rev() {
        vector[*pivot] = minus(0, applied(rest, vector));
    }
}

/// By elimination, sum by sum: little work where sums are nested. A number is a pivot only where none that is less `late` is
/// left. Takes from `work` what it multiplies; `None` if that is not enough.
pub(super) fn eliminated(numbers: usize, sums: &[Sum], late: &[u8], work: &mut u64) -> Option<Vec<Pivot>> {
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut row_of: Vec<Option<usize>> = vec![None; numbers];
    let mut occurs = vec![0u32; numbers];
    sums.iter().flatten().for_each(|(number, _)| occurs[*number] += 1);
    let mut order: Vec<usize> = (0..sums.len()).collect();
    order.sort_compact_by_key(|place| (sums[*place].len(), *place));
    // The row at hand, and which numbers it has had a weight of: looking these up in a tree took most of the time.
    let mut row = vec![0u64; numbers];
    let mut is_touched = vec![false; numbers];
    let mut touched: Vec<usize> = Vec::new();
    for place in order {
        let mut touch = |number: usize, touched: &mut Vec<usize>| {
            if !std::mem::replace(&mut is_touched[number], true) {
                touched.push(number);
            }
        };
        for (number, weight) in &sums[place] {
            touch(*number, &mut touched);
            row[*number] = plus(row[*number], residue(*weight));
        }
        // The pivots in it, earlier rows first: these bring in pivots of later ones only.
        let mut due: BTreeSet<usize> =
            touched.iter().filter(|number| row[**number] != 0).filter_map(|number| row_of[*number]).collect();
        *work = work.checked_sub(touched.len() as u64)?;
        while let Some(first) = due.pop_first() {
            let (pivot, pivot_row) = &pivots[first];
            let factor = std::mem::take(&mut row[*pivot]);
            if factor == 0 {
                continue;
            }
            *work = work.checked_sub(pivot_row.len() as u64 + 1)?;
            for (number, weight) in pivot_row {
                touch(*number, &mut touched);
                row[*number] = minus(row[*number], times(factor, *weight));
                if let (true, Some(later)) = (row[*number] != 0, row_of[*number]) {
                    due.insert(later);
                }
            }
        }
        // The number that the fewest other sums have.
        let left = || touched.iter().copied().filter(|number| row[*number] != 0);
        if let Some(pivot) = left().min_by_key(|number| (late[*number], occurs[*number], *number)) {
            let by = inverse(row[pivot]);
            let rest = left().filter(|number| *number != pivot).map(|number| (number, times(row[number], by)));
            row_of[pivot] = Some(pivots.len());
            pivots.push((pivot, rest.collect()));
        }
        for number in touched.drain(..) {
            (row[number], is_touched[number]) = (0, false);
        }
    }
    Some(pivots)
}

/// By projection: with A the sums, D a random diagonal and r a random vector, x = r − D·Aᵀ·y where (A·D·Aᵀ)·y = A·r. There is
/// such a y unless D is one of a few, and then nothing is said.
fn projected(numbers: usize, sums: &[Sum], vectors: usize) -> Option<Vec<Vec<u64>>> {
    let count = sums.len();
    if count > MOST_SUMS {
        return None;
    }
    let mut occurs = vec![0u64; numbers];
    sums.iter().flatten().for_each(|(number, _)| occurs[*number] += 1);
    if occurs.iter().map(|times| times * times).sum::<u64>() > MOST_PRODUCTS {
        return None;
    }
    let mut state = 61;
    let starts: Vec<Vec<u64>> = (0..vectors).map(|_| (0..numbers).map(|_| random(&mut state)).collect()).collect();
    let diagonal: Vec<u64> = (0..numbers).map(|_| random(&mut state)).collect();
    let mut sums_of: Vec<Vec<(usize, u64)>> = vec![Vec::new(); numbers];
    for (place, sum) in sums.iter().enumerate() {
        sum.iter().for_each(|(number, weight)| sums_of[*number].push((place, residue(*weight))));
    }
    // The last columns are A·r.
    let mut matrix = vec![vec![0u64; count + vectors]; count];
    for (number, of) in sums_of.iter().enumerate() {
        for (one, weight) in of {
            let scaled = times(*weight, diagonal[number]);
            of.iter().for_each(|(other, by)| matrix[*one][*other] = plus(matrix[*one][*other], times(scaled, *by)));
            for (at, start) in starts.iter().enumerate() {
                matrix[*one][count + at] = plus(matrix[*one][count + at], times(*weight, start[number]));
            }
        }
    }
    let mut pivot_of = vec![None; count];
    let mut rank = 0;
    for (column, pivot) in pivot_of.iter_mut().enumerate() {
        let Some(found) = (rank..count).find(|row| matrix[*row][column] != 0) else { continue };
        matrix.swap(rank, found);
        let by = inverse(matrix[rank][column]);
        matrix[rank][column..].iter_mut().for_each(|entry| *entry = times(*entry, by));
        let pivot_row = matrix[rank].clone();
        for row in matrix.iter_mut().skip(rank + 1).filter(|row| row[column] != 0) {
            let factor = row[column];
            for (entry, of_pivot) in row[column..].iter_mut().zip(&pivot_row[column..]) {
                *entry = minus(*entry, times(factor, *of_pivot));
            }
        }
        *pivot = Some(rank);
        rank += 1;
    }
    if matrix[rank..].iter().any(|row| row[count..].iter().any(|entry| *entry != 0)) {
        return None;
    }
    let moved = |(at, start): (usize, &Vec<u64>)| -> Vec<u64> {
        let mut solution = vec![0u64; count];
        for column in (0..count).rev() {
            let Some(row) = pivot_of[column] else { continue };
            let rest = (column + 1..count).fold(0, |sum, at| plus(sum, times(matrix[row][at], solution[at])));
            solution[column] = minus(matrix[row][count + at], rest);
        }
        let moved = |number: usize| minus(start[number], times(diagonal[number], applied(&sums_of[number], &solution)));
        (0..numbers).map(moved).collect()
    };
    Some(starts.iter().enumerate().map(moved).collect())
}

/// Sets of things whose hashes add up to 0, with sizes of less than `limit` together, as far as these can be looked for, and
/// whether there are no others.
pub(super) fn vanishing_sets(things: &[(u64, usize)], limit: f64) -> (Vec<Vec<usize>>, bool) {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (place, (hash, _)) in things.iter().enumerate().filter(|(_, (_, size))| (*size as f64) < limit) {
        if *hash == 0 { found.push(vec![place]) } else { open.push(place) }
    }
    let mut with: HashMap<u64, Vec<usize>> = HashMap::new();
    open.iter().for_each(|place| with.entry(things[*place].0).or_default().push(*place));
    let is_small = |set: &[usize]| (set.iter().map(|place| things[*place].1).sum::<usize>() as f64) < limit;
    for (at, one) in open.iter().enumerate() {
        let missing = minus(0, things[*one].0);
        for other in with.get(&missing).into_iter().flatten().filter(|other| **other > *one) {
            if is_small(&[*one, *other]) && found.len() < MOST_FOUND {
                found.push(vec![*one, *other]);
            }
        }
        if open.len() > MOST_FOR_THREE {
            continue;
        }
        for two in &open[at + 1..] {
            let missing = minus(missing, things[*two].0);
            for third in with.get(&missing).into_iter().flatten().filter(|third| **third > *two) {
                if is_small(&[*one, *two, *third]) && found.len() < MOST_FOUND {
                    found.push(vec![*one, *two, *third]);
                }
            }
        }
    }
    let mut sizes: Vec<usize> = open.iter().map(|place| things[*place].1).collect();
    sizes.sort_unstable();
    let may_be_three = sizes.len() > 2 && (sizes[..3].iter().sum::<usize>() as f64) < limit;
    let is_short = open.len() > MOST_FOR_THREE && may_be_three;
    let (more, are_all) = larger(things, &open, limit, MOST_FOUND.saturating_sub(found.len()));
    found.extend(more);
    let are_all = are_all && !is_short && found.len() < MOST_FOUND;
    (found, are_all)
}

/// Some things, and what they have together.
struct Half {
    places: Vec<usize>,
    hash: u64,
    size: usize,
}

/// Sets of four and more, as far as their halves are not too many, and whether these are all: the second half is what the first
/// misses.
fn larger(things: &[(u64, usize)], open: &[usize], limit: f64, most: usize) -> (Vec<Vec<usize>>, bool) {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let single = |place: &usize| Half { places: vec![*place], hash: things[*place].0, size: things[*place].1 };
    let mut shorter: Vec<Half> = open.iter().map(single).collect();
    let mut length = 1;
    loop {
        length += 1;
        // Halves of one more than the last, the places ascending.
        let mut halves = Vec::new();
        for half in &shorter {
            let after = half.places.last().map_or(0, |last| open.partition_point(|place| place <= last));
            for place in &open[after..] {
                let (hash, size) = (plus(half.hash, things[*place].0), half.size + things[*place].1);
                if hash == 0 || size as f64 >= limit {
                    continue;
                }
                if halves.len() == MOST_HALVES {
                    return (found, false);
                }
                halves.push(Half { places: half.places.iter().copied().chain([*place]).collect(), hash, size });
            }
        }
        if halves.is_empty() {
            return (found, true);
        }
        let mut with: HashMap<u64, Vec<usize>> = HashMap::new();
        halves.iter().enumerate().for_each(|(at, half)| with.entry(half.hash).or_default().push(at));
        // Of an even length, and of the odd one before it; shorter ones were found before.
        for firsts in [&shorter, &halves] {
            for first in firsts.iter().filter(|first| first.places.len() + length >= 4) {
                for second in with.get(&minus(0, first.hash)).into_iter().flatten().map(|at| &halves[*at]) {
                    let is_ascending = first.places.last() < second.places.first();
                    if !is_ascending || (first.size + second.size) as f64 >= limit {
                        continue;
                    }
                    if found.len() == most {
                        return (found, false);
                    }
                    found.push(first.places.iter().chain(&second.places).copied().collect());
                }
            }
        }
        shorter = halves;
    }
}

#[cfg(test)]
mod tests {
    use super::super::dependent::dependencies;
    use super::*;

    /// What some weights make of a vector.
    fn sum_of(sum: &[(usize, i64)], vector: &[u64]) -> u64 {
        sum.iter().fold(0, |total, (number, weight)| {
            plus(total, times(weight.rem_euclid(PRIME as i64) as u64, vector[*number]))
        })
    }

    #[test]
    fn many_terms_are_reduced_as_one_by_one() {
        let mut state = 8;
        let vector: Vec<u64> = (0..5000).map(|n| if n % 7 == 0 { PRIME - 1 } else { random(&mut state) }).collect();
        let terms: Vec<(usize, u64)> =
            (0..5000).map(|n| (n, if n % 5 == 0 { PRIME - 1 } else { random(&mut state) })).collect();
        for length in [0, 1, 2, 64, 5000] {
            let one_by_one = terms[..length].iter().fold(0, |sum, (n, w)| plus(sum, times(*w, vector[*n])));
            assert_eq!(applied(&terms[..length], &vector), one_by_one);
        }
    }

    #[test]
    fn sums_that_follow_vanish_and_others_do_not() {
        // A table of three by three with its margins, and a count that crosses it.
        let row = |numbers: &[usize]| -> Sum { numbers.iter().map(|number| (*number, 1)).collect() };
        let mut sums: Vec<Sum> = (0..3).map(|r| row(&[3 * r, 3 * r + 1, 3 * r + 2])).collect();
        sums.extend((0..3).map(|c| row(&[c, c + 3, c + 6])));
        sums.push(row(&[0, 4]));
        for vectors in [vanishing_vectors(9, &sums, 3), projected(9, &sums, 3)] {
            let vectors = vectors.expect("little work");
            assert!(vectors.len() == 3 && vectors[0] != vectors[1]);
            vectors.iter().for_each(|vector| check(&sums, vector, row));
        }
    }

    fn check(sums: &[Sum], vector: &[u64], row: impl Fn(&[usize]) -> Sum) {
        assert!(sums.iter().all(|sum| sum_of(sum, vector) == 0));
        // The first row and the last together: the second is what is left of the columns.
        assert_eq!(sum_of(&row(&[0, 1, 2, 6, 7, 8]), vector), 0);
        assert_ne!(sum_of(&row(&[1]), vector), 0);
        assert_ne!(sum_of(&row(&[1, 3]), vector), 0);
        let things: Vec<(u64, usize)> = (0..9).map(|cell| (vector[cell], 2)).collect();
        let (found, _) = vanishing_sets(&things, 5.0);
        assert_eq!(found, [vec![0, 4]]);
        let (found, _) = vanishing_sets(&things, 7.0);
        assert!(found.contains(&vec![0, 1, 2]) && found.contains(&vec![2, 5, 8]), "{found:?}");
    }

    #[test]
    fn numbers_set_apart_depend_on_each_other_as_among_all() {
        let mut state = 20;
        let mut below = |most: u64| random(&mut state) % most;
        let mut dependent = 0;
        for case in 0..300 {
            let numbers = 6 + case % 12;
            let sums: Vec<Sum> = (0..2 + case % 9)
                .map(|_| {
                    let terms = (0..numbers).filter_map(|number| {
                        let weight = below(7) as i64 - 3;
                        (below(3) == 0 && weight != 0).then_some((number, weight))
                    });
                    terms.collect()
                })
                .collect();
            let apart: Vec<bool> = (0..numbers).map(|_| below(2) == 0).collect();
            let places: Vec<usize> = (0..numbers).filter(|number| apart[*number]).collect();
            let count = LARGEST_SET.max(numbers + 1);
            let kernel = Kernel::new(numbers, &sums, &|number| apart[number]);
            let columns = kernel.columns(count).expect("little work");
            let all = vanishing_vectors(numbers, &sums, count).expect("little work");
            let whole: Vec<Vec<u64>> =
                (0..numbers).map(|number| all.iter().map(|vector| vector[number]).collect()).collect();
            let found = dependencies(&places, &columns);
            assert_eq!(found, dependencies(&places, &whole), "{sums:?} {places:?}");
            dependent += found.len();
            // The entries that those apart have alone say the same.
            if places.iter().all(|place| columns[*place].len() == count) && count >= LARGEST_SET + places.len() {
                let alone: Vec<Vec<u64>> =
                    columns.iter().map(|column| column.get(LARGEST_SET..).unwrap_or_default().to_vec()).collect();
                assert_eq!(found, dependencies(&places, &alone), "{sums:?} {places:?}");
            }
        }
        assert!(dependent > 100, "{dependent}");
    }

    #[test]
    fn unions_of_four_are_found_as_two_pairs() {
        let mut state = 4;
        let mut things: Vec<(u64, usize)> = (0..40).map(|_| (random(&mut state), 2)).collect();
        let rest = [3, 11, 20].iter().fold(0, |sum, place| plus(sum, things[*place].0));
        things[31].0 = minus(0, rest);
        assert_eq!(vanishing_sets(&things, 9.0).0, [vec![3, 11, 20, 31]]);
        assert_eq!(vanishing_sets(&things, 8.0).0, Vec::<Vec<usize>>::new());
        // A pair that vanishes by itself is one, and no part of four.
        things[5].0 = minus(0, things[6].0);
        assert_eq!(vanishing_sets(&things, 9.0).0, [vec![5, 6], vec![3, 11, 20, 31]]);
    }

    #[test]
    fn what_takes_too_much_is_not_done() {
        let sums: Vec<Sum> = (0..50).map(|one| (0..100).map(|n| (n, (one * n % 7) as i64 + 1)).collect()).collect();
        assert_eq!(eliminated(100, &sums, &[0; 100], &mut 1000), None);
        // Projection takes them all the same.
        let vector = vanishing(100, &sums).expect("few sums");
        assert!(sums.iter().all(|sum| sum_of(sum, &vector) == 0) && vector.iter().any(|x| *x != 0));
    }
}
