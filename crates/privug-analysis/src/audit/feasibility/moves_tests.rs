//! What moves show to be possible, against what is possible.

use super::classes::classes;
use super::moves::Moves;
use super::solve::{Method, SIDES, Solver};
use super::support::{read_supports, supports};
use super::system::{Seen, System};
use super::tests::{Random, look};
use super::*;
use crate::audit::testing::Table;

/// A figure for each of these, over the people of a grid with `shape` cells that have somebody.
fn margins(
    table: &mut Table,
    cells: &[[usize; 3]],
    shape: [usize; 3],
    is_three_way: bool,
    scale: &dyn Fn(usize) -> f64,
) {
    let pairs = [[0, 1], [0, 2], [1, 2]];
    let keys: Vec<Vec<usize>> = match is_three_way {
        true => pairs.iter().map(|pair| pair.to_vec()).collect(),
        false => vec![vec![0], vec![1]],
    };
    for key in keys {
        let mut groups: std::collections::BTreeMap<Vec<usize>, Vec<usize>> = std::collections::BTreeMap::new();
        for (person, cell) in cells.iter().enumerate() {
            groups.entry(key.iter().map(|axis| cell[*axis]).collect()).or_default().push(person);
        }
        for (name, people) in groups {
            let weight = scale(people.len());
            let row: Vec<(usize, f64)> = people.iter().map(|person| (*person, weight)).collect();
            table.weighted(&format!("{key:?} {name:?} of {shape:?}"), &row);
        }
    }
}

#[test]
fn what_moves_show_is_possible_to_outsiders_and_contributors() {
    let mut random = Random(23);
    let mut found = 0;
    for case in 0..150 {
        let is_three_way = case % 3 == 0;
        let shape = [2 + random.below(2) as usize, 2 + random.below(3) as usize, if is_three_way { 2 } else { 1 }];
        let mut cells = Vec::new();
        for place in 0..shape.iter().product::<usize>() {
            let cell = [place % shape[0], place / shape[0] % shape[1], place / shape[0] / shape[1]];
            // Somebody, nobody or two.
            let people = [1, 1, 1, 0, 2][random.below(5) as usize];
            cells.extend(std::iter::repeat_n(cell, people));
        }
        let support = ["income >= 0", "0 <= income <= 9", "income in range(10)", "income <= 9"][case % 4];
        let truths: Vec<f64> = cells.iter().map(|_| random.below(10) as f64).collect();
        if truths.is_empty() {
            continue;
        }
        let mut table = Table::new(&truths, 1.0);
        let weight = if case % 2 == 0 { 1.0 } else { 2.0 };
        margins(&mut table, &cells, shape, is_three_way, &|_| weight);
        let statements = read_supports(&[support.to_owned()], &mut table.release.sources).expect("statements");
        let persons = Persons::new(&table.release.people, &table.release.rows);
        let supported = supports(&table.release, &persons, &statements).expect("supports");
        let all = rows(&table.release, &(0..table.release.outputs.len()).collect::<Vec<_>>());
        let kept: Vec<&Row> = all.iter().flatten().collect();
        let figures: Vec<(usize, Seen)> = (0..all.len()).map(|figure| (figure, Seen::Published)).collect();
        let mut system = System::new(classes(&kept, &truths, &persons, &supported), &figures);
        let wanted = Rational::from(1 + random.below(3) as i64);
        let mut solver = Solver {
            truths: &truths,
            persons: &persons,
            work: 100_000_000,
            done: &|_, _| {},
            is_cancelled: &|| false,
            passes: &|_, _| false,
            wanted: &|_| Rational::ZERO,
        };
        let exact = solver.classes(&mut system);
        for part in 0..system.parts.len() {
            let moves = Moves::new(&system, part, &truths, &persons).expect("weights of one size");
            for (place, class) in system.parts[part].classes.iter().enumerate() {
                let made = &system.classes[*class];
                let moved = [true, false].map(|is_up| moves.of(place, is_up, &wanted, &mut 1_000_000));
                found += moved.iter().flatten().filter(|moved| moved.by > Rational::ZERO).count();
                let shown = solver.sharing(made, &moved);
                if exact[*class].method != Method::Exact {
                    continue;
                }
                for (member, (entry, _)) in made.members.iter().enumerate() {
                    let kind = made.kind(member);
                    for (side, (shown, exact)) in SIDES.into_iter().zip(shown.reach.iter().zip(&exact[*class].reach)) {
                        // `None` is no bound at all.
                        let is_within = |inner: Option<Rational>, outer: Option<Rational>| {
                            outer.is_none_or(|outer| inner.is_some_and(|inner| inner <= outer))
                        };
                        let told =
                            format!("{support}, {cells:?}, {truths:?}, {entry}: {shown:?} in {exact:?}, {moved:?}");
                        assert!(is_within(shown.for_outsider(side, kind), exact.for_outsider(side, kind)), "{told}");
                        let person = *entry;
                        let (inner, outer) =
                            (shown.for_insider(side, kind, person).0, exact.for_insider(side, kind, person).0);
                        assert!(is_within(inner, outer), "{told}");
                    }
                }
            }
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn crossed_tables_of_single_people_are_judged_and_pass() {
    let mut random = Random(5);
    for (shape, is_three_way) in [([30, 30, 1], false), ([6, 6, 6], true)] {
        let all = shape[0] * shape[1] * shape[2];
        let cells: Vec<[usize; 3]> =
            (0..all).map(|at| [at % shape[0], at / shape[0] % shape[1], at / shape[0] / shape[1]]).collect();
        let truths: Vec<f64> = (0..all).map(|_| 200.0 + random.below(600) as f64).collect();
        let mut table = Table::new(&truths, 100.0);
        margins(&mut table, &cells, shape, is_three_way, &|_| 1.0);
        let found = look(&mut table, &["income >= 0"], &[], &[]);
        assert!(found.method.iter().all(|method| *method == Method::Certified), "{shape:?}");
        assert!(found.verdict.iter().all(|verdict| *verdict == Verdict::Pass), "{shape:?}");
        assert!(found.contributor_percent.iter().all(|percent| *percent >= 10.0));
    }
}

#[test]
fn one_large_cell_among_small_ones_in_a_crossed_table_does_not_pass() {
    // The rest of its row and of its column is 29: whoever sees both margins knows 100 000 to within 29.
    let cells: Vec<[usize; 3]> = (0..900).map(|at| [at % 30, at / 30, 0]).collect();
    let truths: Vec<f64> = (0..900).map(|at| if at == 0 { 100_000.0 } else { 1.0 }).collect();
    let mut table = Table::new(&truths, 100.0);
    margins(&mut table, &cells, [30, 30, 1], false, &|_| 1.0);
    let found = look(&mut table, &["income >= 0"], &[], &[]);
    assert_ne!(found.verdict[0], Verdict::Pass);
    // Nobody with 1 can be off by much less than the rest of their row: they may have all of it.
    assert_eq!(found.verdict[500], Verdict::Pass);
}

#[test]
fn means_of_groups_of_different_sizes_are_moved_about_as_well() {
    let mut random = Random(9);
    let mut cells: Vec<[usize; 3]> = (0..900).map(|at| [at % 30, at / 30, 0]).collect();
    cells.retain(|[row, column, _]| (row * 7 + column * 3) % 11 != 0);
    let truths: Vec<f64> = cells.iter().map(|_| 200.0 + random.below(600) as f64).collect();
    let mut table = Table::new(&truths, 100.0);
    for axis in [0, 1] {
        for group in 0..30 {
            let people: Vec<usize> = (0..cells.len()).filter(|person| cells[*person][axis] == group).collect();
            table.mean(&format!("{axis} {group}"), &people);
        }
    }
    let found = look(&mut table, &["income >= 0"], &[], &[]);
    assert!(found.verdict.iter().all(|verdict| *verdict == Verdict::Pass));
}
