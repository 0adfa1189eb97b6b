use super::*;

fn found(sums: &[Sum], sizes: &[usize], limit: f64) -> AboutFew {
    let set_of: Vec<usize> = (0..sizes.len()).collect();
    about_few(sums, &Behind { set_of: &set_of, sizes, named: None }, limit)
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The rank of the columns of some rows, by elimination modulo the prime, written once more.
fn rank_of(sums: &[Sum], columns: &[usize]) -> usize {
    let entry = |sum: &Sum, column: usize| {
        sum.iter().filter(|(at, _)| *at == column).map(|(_, w)| w.rem_euclid(PRIME as i64) as u64).sum::<u64>()
    };
    let mut rows: Vec<Vec<u64>> =
        sums.iter().map(|sum| columns.iter().map(|column| entry(sum, *column)).collect()).collect();
    let mut rank = 0;
    for column in 0..columns.len() {
        let Some(pivot) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(rank, pivot);
        for row in rank + 1..rows.len() {
            let (a, b) = (rows[rank][column], rows[row][column]);
            let of_pivot = rows[rank].clone();
            rows[row].iter_mut().zip(of_pivot).for_each(|(x, y)| *x = minus(times(*x, a), times(y, b)));
        }
        rank += 1;
    }
    rank
}

#[test]
fn whatever_few_people_are_behind_is_found_and_nothing_else() {
    let mut random = Random(11);
    let (mut some, mut none) = (0, 0);
    for _ in 0..150 {
        let numbers = 6 + random.below(5) as usize;
        let sums: Vec<Sum> = (0..2 + random.below(4))
            .map(|_| (0..numbers).map(|n| (n, random.below(4) as i64 - 1)).filter(|(_, w)| *w != 0).collect())
            .collect();
        let sizes: Vec<usize> = (0..numbers).map(|_| 1 + random.below(4) as usize).collect();
        let limit = 3.0 + random.below(7) as f64;
        let told = found(&sums, &sizes, limit);
        assert!(told.are_all);
        let all: Vec<usize> = (0..numbers).collect();
        let whole = rank_of(&sums, &all);
        // Something is about a set alone if the sums have a smaller rank outside of it.
        let follows = |set: u32| {
            let outside: Vec<usize> = all.iter().copied().filter(|n| set >> n & 1 == 0).collect();
            rank_of(&sums, &outside) < whole
        };
        for set in 1u32..1 << numbers {
            let places: Vec<usize> = all.iter().copied().filter(|n| set >> n & 1 == 1).collect();
            let people: usize = places.iter().map(|n| sizes[*n]).sum();
            let is_least = || places.iter().all(|n| !follows(set & !(1 << n)));
            if (people as f64) < limit && follows(set) && is_least() {
                assert!(told.found.iter().any(|one| one.places == places), "{sums:?} {sizes:?} {limit} {places:?}");
                some += 1;
            }
        }
        for one in &told.found {
            let people: usize = one.places.iter().map(|n| sizes[*n]).sum();
            let set = one.places.iter().fold(0, |set, n| set | 1 << n);
            assert!((people as f64) < limit && follows(set), "{sums:?} {sizes:?} {one:?}");
        }
        none += usize::from(told.found.is_empty());
    }
    assert!(some > 100 && none > 20, "{some} {none}");
}

#[test]
fn a_rank_is_proven_or_not_told() {
    let mut random = Random(5);
    let mut dependent = 0;
    for _ in 0..200 {
        let numbers = 3 + random.below(6) as usize;
        let mut sums: Vec<Sum> = (0..1 + random.below(4))
            .map(|_| (0..numbers).map(|n| (n, random.below(7) as i64 - 3)).filter(|(_, w)| *w != 0).collect())
            .filter(|sum: &Sum| !sum.is_empty())
            .collect();
        if sums.len() > 1 {
            let twice_and_thrice = (0..numbers).map(|n| {
                let of = |sum: &Sum| sum.iter().find(|(at, _)| *at == n).map_or(0, |(_, weight)| *weight);
                (n, 2 * of(&sums[0]) - 3 * of(&sums[1]))
            });
            let more: Sum = twice_and_thrice.filter(|(_, weight)| *weight != 0).collect();
            sums.push(more);
        }
        sums.retain(|sum| !sum.is_empty());
        let rank = rank_of(&sums, &(0..numbers).collect::<Vec<_>>());
        dependent += usize::from(rank < sums.len());
        assert_eq!(proven_rank(numbers, &sums), Some(rank), "{sums:?}");
        // The same by the other way.
        let echelon = Echelon::new(SumsOf::new(numbers, sums.iter()).gram(&|_| true));
        let all: Vec<&Sum> = sums.iter().collect();
        assert_eq!(echelon.rank(), rank, "{sums:?}");
        let dependencies = echelon.dependencies();
        assert_eq!(dependencies.len(), sums.len() - rank);
        assert!(rank == 0 || dependencies.iter().all(|of| is_dependency(&all, of)), "{sums:?}");
    }
    assert!(dependent > 50, "{dependent}");
}

#[test]
fn what_is_the_same_modulo_the_prime_only_is_not_taken_for_the_same() {
    // The second is the first modulo the prime; their difference is about the last number alone.
    let sums: Vec<Sum> = vec![vec![(0, 1), (1, 1)], vec![(0, 1), (1, 1 + PRIME as i64)]];
    assert_eq!(proven_rank(2, &sums), None);
    assert!(!found(&sums, &[50, 1], 3.0).are_all);
    let sums: Vec<Sum> = vec![vec![(0, 1), (1, 1)], vec![(0, 2), (1, 2)]];
    assert_eq!(proven_rank(2, &sums), Some(1));
}

#[test]
fn people_who_are_behind_several_numbers_count_once() {
    // Four numbers about the same two people, and one about many; the sum of the four follows.
    let sums: Vec<Sum> = vec![(0..5).map(|n| (n, 1)).collect(), vec![(4, 1)]];
    let named = [vec![1, 2], vec![1, 2], vec![1, 2], vec![1, 2], Vec::new()];
    let set_of: Vec<usize> = (0..5).collect();
    let sizes = [2, 2, 2, 2, 50];
    let behind = |named| Behind { set_of: &set_of, sizes: &sizes, named };
    assert_eq!(about_few(&sums, &behind(Some(&named)), 3.0).found.len(), 1);
    assert_eq!(about_few(&sums, &behind(None), 3.0), AboutFew { found: Vec::new(), are_all: true });
}

#[test]
fn nothing_is_about_few_people_in_a_crossed_table_of_many() {
    // Rows and columns of a table of 60 by 60, with one person in every cell: whoever leaves anything out leaves out many.
    let cell = |row: usize, column: usize| 60 * row + column;
    let mut sums: Vec<Sum> = (0..60).map(|row| (0..60).map(|column| (cell(row, column), 1)).collect()).collect();
    sums.extend((0..60).map(|column| (0..60).map(|row| (cell(row, column), 1)).collect::<Sum>()));
    let sizes = vec![1; 3600];
    assert_eq!(found(&sums, &sizes, 10.0), AboutFew { found: Vec::new(), are_all: true });
    let set_of: Vec<usize> = (0..3600).collect();
    let behind = Behind { set_of: &set_of, sizes: &sizes, named: None };
    let rank = proven_rank(3600, &sums).expect("a proof");
    assert_eq!(rank, 119);
    assert!(are_spread(&sums, &behind, 10.0, rank));
    let lists: Vec<Vec<usize>> = (0..3600).map(|person| vec![person]).collect();
    assert!(are_spread(&sums, &Behind { named: Some(&lists), ..behind }, 4.0, rank));
    // Another count that is three rows but for four of their people.
    let three = (0..180).filter(|cell| ![5, 66, 127, 128].contains(cell)).map(|cell| (cell, 1)).collect();
    sums.push(three);
    assert!(!are_spread(&sums, &behind, 10.0, 120) && are_spread(&sums, &behind, 1.0, 120));
    let told = found(&sums, &sizes, 10.0);
    let four = Dependent { places: vec![5, 66, 127, 128], weights: Some(vec![1, 1, 1, 1]) };
    assert_eq!(told, AboutFew { found: vec![four], are_all: true });
}
