//! What is possible, against enumeration of everything that is possible and against the proof that a bound brings along.

use super::classes::classes;
use super::simplex::{Bounds, Side, Simplex};
use super::solve::{Known, Solver};
use super::support::{read_supports, supports};
use super::system::{Seen, System};
use super::*;
use crate::audit::contributions::contributions;
use crate::audit::defence::{DefenceTexts, protect, read_defences};
use crate::audit::policy::Policy;
use crate::audit::testing::Table;
use privug_engine::number::{Constants, Integer};

/// A linear congruence is random enough.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

pub(super) fn look(table: &mut Table, texts: &[&str], suppress: &[&str], round: &[&str]) -> Feasibility {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
    let statements = read_supports(&owned(texts), &mut table.release.sources).expect("statements");
    let persons = Persons::new(&table.release.people, &table.release.rows);
    let found = supports(&table.release, &persons, &statements).expect("supports");
    let policy = Policy::default();
    let contributors = contributions(&table.release, &persons, &policy, &|_| {}).contributions;
    let texts = DefenceTexts { suppress: owned(suppress), round: owned(round), ..DefenceTexts::default() };
    let defences = read_defences(&texts).expect("defences");
    let protection = protect(&table.release, &defences, &contributors).expect("protection");
    let settings = Settings { policy, work: crate::analysis::WorkLimits::default(), ..Settings::default() };
    let spreads = super::super::columns::spreads(&table.release, &persons);
    let around = Circumstances {
        persons: &persons,
        supports: &found,
        protection: &protection,
        spreads: &spreads,
        settings: &settings,
    };
    feasibility(&table.release, &around, &|_| {}).expect("a support is known")
}

#[test]
fn a_ward_that_is_all_ill_and_a_total_of_nothing_leave_one_value() {
    let mut table = Table::new(&[vec![1.0; 20], vec![0.0; 5]].concat(), 1.0);
    table.mean("ward", &(0..20).collect::<Vec<_>>());
    let found = look(&mut table, &[], &[], &[]);
    assert_eq!((found.lower[3], found.upper[3], found.verdict[3]), (1.0, 1.0, Verdict::Fail));
    assert_eq!((found.outsider_percent[3], found.contributor_percent[3]), (0.0, 0.0));
    // Who is in no figure can be anything.
    assert_eq!((found.lower[22], found.upper[22], found.verdict[22]), (0.0, 1.0, Verdict::Pass));
    let derivation = &found.derivations[0];
    assert_eq!((derivation.entry, derivation.side, derivation.bound), (0, BoundSide::Exactly, 1.0));
    assert_eq!((derivation.figures.as_slice(), derivation.times.as_slice()), (&[0][..], &[20.0][..]));
    assert_eq!((derivation.is_sum, derivation.value, derivation.secrets), (true, Some(20.0), 20));
    assert_eq!(derivation.support.as_deref(), Some("income in {0, 1}"));

    let mut table = Table::new(&[vec![0.0; 56], vec![300.0, 200.0, 500.0]].concat(), 1.0);
    table.sum("poor", &(0..56).collect::<Vec<_>>());
    table.sum("others", &[56, 57, 58]);
    let found = look(&mut table, &["income >= 0"], &[], &[]);
    assert!((0..56).all(|person| found.upper[person] == 0.0 && found.verdict[person] == Verdict::Fail));
    assert_eq!((found.lower[56], found.upper[56]), (0.0, 1000.0));
    // The one with 300 can have at most 500 for the one with 500: 66.7 % more.
    assert!((found.contributor_percent[56] - 100.0 * 200.0 / 300.0).abs() < 1e-9);
    assert!((found.outsider_percent[56] - 100.0 * 700.0 / 300.0).abs() < 1e-9);
}

#[test]
fn a_union_of_suppressed_cells_that_two_firms_dominate_fails() {
    // Rows a, b and columns x, y; a-x and a-y are suppressed, so are b-x and b-y, and the margins are published. The firms 0
    // and 1 are in a-x, and 2 is a small one in a-y: row a is dominated by the two.
    let mut table = Table::new(&[600.0, 380.0, 20.0, 300.0, 300.0, 400.0], 1.0);
    for (name, firms) in [("ax", &[0, 1][..]), ("ay", &[2]), ("bx", &[3, 4]), ("by", &[5])] {
        table.sum(&format!("cells[{name}]"), firms);
    }
    for (name, firms) in [("a", &[0, 1, 2][..]), ("b", &[3, 4, 5]), ("x", &[0, 1, 3, 4]), ("y", &[2, 5])] {
        table.sum(&format!("margins[{name}]"), firms);
    }
    let found = look(&mut table, &["income >= 0"], &["cells"], &[]);
    // Firm 1 knows its 380 of 1000: firm 0 has at most 620, 3.3 % more than it has.
    assert!((found.contributor_percent[0] - 100.0 * 20.0 / 600.0).abs() < 1e-9, "{found:?}");
    assert_eq!(found.verdict[0], Verdict::Fail);
    let derivation = found.derivations.iter().find(|one| one.entry == 0).expect("said");
    assert_eq!((derivation.side, derivation.bound, derivation.truth), (BoundSide::AtMost, 620.0, 600.0));
    assert_eq!((derivation.insider, derivation.insider_contributes), (Some(1), true));
    // ax + ay = 1000, ax + bx = 1580: ax lies between 580 and 1000.
    let ax = &found.suppressed[0];
    assert_eq!((ax.lower, ax.upper, ax.is_certain), (580.0, 1000.0, true));
    assert!((ax.percent - 100.0 * 20.0 / 980.0).abs() < 1e-9);
}

#[test]
fn a_rounded_figure_leaves_what_rounds_to_it() {
    let mut table = Table::new(&[40.0, 70.0], 1.0);
    table.sum("both", &[0, 1]);
    let found = look(&mut table, &["0 <= income <= 100"], &[], &["100"]);
    // 110 is published as 100: the sum is between 50 and 150.
    assert_eq!((found.lower[0], found.upper[0]), (0.0, 100.0));
    let found = look(&mut table, &["0 <= income <= 100"], &[], &["20"]);
    // Published as 120 (110 is in the middle, and goes to the even multiple): between 110 and 130.
    assert_eq!((found.lower[0], found.upper[0]), (10.0, 100.0));
    // Person 1 knows their 70: between 40 and 60 are left.
    assert_eq!(found.contributor_percent[0], 0.0);
}

/// Every table of small numbers that gives the same figures; the smallest and the largest value of everybody, for outsiders and
/// for every contributor.
fn enumerated(truths: &[i64], most: i64, rows: &[Vec<(usize, i64)>], unit: i64) -> Vec<(i64, i64, i64, i64)> {
    let count = truths.len();
    // From the middle to the even multiple.
    let rounded = |sum: i64| match (sum / unit, 2 * (sum % unit) - unit) {
        (multiple, off) if off > 0 || (off == 0 && multiple % 2 == 1) => multiple + 1,
        (multiple, _) => multiple,
    };
    let of = |values: &[i64], row: &[(usize, i64)]| {
        rounded(row.iter().map(|(place, weight)| values[*place] * weight).sum::<i64>())
    };
    let mut values = vec![0; count];
    let mut out = vec![(i64::MAX, i64::MIN); count];
    let mut inside = vec![vec![(i64::MAX, i64::MIN); count]; count];
    loop {
        if rows.iter().all(|row| of(&values, row) == of(truths, row)) {
            for person in 0..count {
                let widen =
                    |range: &mut (i64, i64)| *range = (range.0.min(values[person]), range.1.max(values[person]));
                widen(&mut out[person]);
                for other in (0..count).filter(|other| *other != person && values[*other] == truths[*other]) {
                    widen(&mut inside[person][other]);
                }
            }
        }
        let Some(place) = (0..count).find(|place| values[*place] < most) else { break };
        values[place] += 1;
        values[..place].fill(0);
    }
    (0..count)
        .map(|person| {
            let others = || (0..count).filter(|other| *other != person).map(|other| inside[person][other]);
            let low = others().map(|range| range.0).max().unwrap_or(out[person].0);
            let high = others().map(|range| range.1).min().unwrap_or(out[person].1);
            (out[person].0, out[person].1, low, high)
        })
        .collect()
}

#[test]
fn whole_numbers_agree_with_enumeration_of_all_tables() {
    let mut random = Random(7);
    let mut certain = 0;
    for case in 0..700 {
        let unit = if case < 400 { 1 } else { 2 + random.below(5) as i64 };
        let count = 2 + random.below(5) as usize;
        let most = 1 + random.below(3) as i64;
        let truths: Vec<i64> = (0..count).map(|_| random.below(most as u64 + 1) as i64).collect();
        let figures = 1 + random.below(4) as usize;
        let heavy = random.below(4) == 0;
        let rows: Vec<Vec<(usize, i64)>> = (0..figures)
            .map(|_| {
                let people = (0..count).filter(|_| random.below(2) == 0).collect::<Vec<_>>();
                let people = if people.is_empty() { vec![0] } else { people };
                people.into_iter().map(|person| (person, if heavy { 1 + random.below(3) as i64 } else { 1 })).collect()
            })
            .collect();
        let mut table = Table::new(&truths.iter().map(|truth| *truth as f64).collect::<Vec<_>>(), 1.0);
        for (place, row) in rows.iter().enumerate() {
            let row: Vec<(usize, f64)> = row.iter().map(|(person, weight)| (*person, *weight as f64)).collect();
            table.weighted(&format!("figure {place}"), &row);
        }
        let round = unit.to_string();
        let round = if unit == 1 { vec![] } else { vec![round.as_str()] };
        let found = look(&mut table, &[&format!("income in range({})", most + 1)], &[], &round);
        let wanted = enumerated(&truths, most, &rows, unit);
        for person in 0..count {
            let (low, high, inner_low, inner_high) = wanted[person];
            let case =
                format!("{truths:?} up to {most}, rounded to {unit}, {rows:?}, person {person}: {wanted:?}\n{found:?}");
            let is_in = rows.iter().any(|row| row.iter().any(|(other, _)| *other == person));
            if found.method[person] == Method::Exact {
                certain += 1;
                assert_eq!((found.lower[person], found.upper[person]), (low as f64, high as f64), "{case}");
                let truth = truths[person];
                let told = |low: i64, high: i64| {
                    let below = (low != 0).then(|| truth - low);
                    let above = (high != most).then(|| high - truth);
                    [below, above].into_iter().flatten().min()
                };
                let expected = told(inner_low, inner_high).filter(|_| is_in);
                match expected {
                    None => assert_eq!(found.contributor_percent[person], f64::INFINITY, "{case}"),
                    Some(0) => assert_eq!(found.contributor_percent[person], 0.0, "{case}"),
                    Some(distance) if truth != 0 => {
                        let percent = 100.0 * distance as f64 / truth as f64;
                        assert!((found.contributor_percent[person] - percent).abs() < 1e-9, "{case}");
                    }
                    Some(_) => assert!(found.contributor_percent[person] > 0.0, "{case}"),
                }
            } else {
                // What is not certain is never narrower than what is possible, and does not pass.
                assert!(found.lower[person] <= low as f64 && found.upper[person] >= high as f64, "{case}");
                assert_ne!(found.verdict[person], Verdict::Pass, "{case}");
            }
        }
    }
    assert!(certain > 800, "{certain}");
}

#[test]
fn an_extreme_is_possible_and_proves_that_nothing_beyond_it_is() {
    let mut random = Random(11);
    for _ in 0..500 {
        let variables = 2 + random.below(5) as usize;
        let sums: Vec<Vec<(usize, Integer)>> = (0..1 + random.below(4))
            .map(|_| {
                let weight = |random: &mut Random| Integer::from(random.below(7) as i64 - 3);
                (0..variables)
                    .map(|variable| (variable, weight(&mut random)))
                    .filter(|(_, weight)| !weight.is_zero())
                    .collect()
            })
            .collect();
        let values: Vec<Rational> = (0..variables).map(|_| Rational::from(random.below(9) as i64)).collect();
        let bound = |random: &mut Random, value: &Rational| Bounds {
            lower: (random.below(3) > 0).then(|| value - Rational::from(random.below(5) as i64)),
            upper: (random.below(3) > 0).then(|| value + Rational::from(random.below(5) as i64)),
        };
        let mut all: Vec<Rational> = values.clone();
        for sum in &sums {
            let total = sum
                .iter()
                .fold(Rational::ZERO, |total, (at, weight)| total + &values[*at] * Rational::from(weight.clone()));
            all.push(total);
        }
        let bounds: Vec<Bounds> = all.iter().map(|value| bound(&mut random, value)).collect();
        let mut simplex = Simplex::new(variables, &sums, bounds.clone(), all.clone());
        for variable in 0..all.len() {
            for side in [Side::Largest, Side::Smallest] {
                let Ok(found) = simplex.extreme(variable, side, &mut 100_000) else { panic!("too much work") };
                let at = simplex.values();
                for (place, sum) in sums.iter().enumerate() {
                    let total =
                        sum.iter().fold(Rational::ZERO, |total, (v, w)| total + &at[*v] * Rational::from(w.clone()));
                    assert_eq!(total, at[variables + place]);
                }
                for (value, Bounds { lower, upper }) in at.iter().zip(&bounds) {
                    assert!(lower.as_ref().is_none_or(|lower| lower <= value));
                    assert!(upper.as_ref().is_none_or(|upper| upper >= value));
                }
                let Some(found) = found else { continue };
                assert_eq!(found, at[variable]);
                // The variable is Σ g·x as an identity of the original rows, and each x is at the bound that g wants.
                let made_of = simplex.made_of(variable);
                let mut identity = vec![Rational::ZERO; variables];
                let mut expand = |variable: usize, factor: &Rational| match variable.checked_sub(variables) {
                    None => identity[variable] += factor,
                    Some(sum) => sums[sum].iter().for_each(|(v, w)| identity[*v] += factor * Rational::from(w.clone())),
                };
                expand(variable, &-Rational::ONE);
                for (other, factor) in &made_of {
                    expand(*other, factor);
                    let is_up = (*factor > Rational::ZERO) == (side == Side::Largest);
                    let bound = if is_up { &bounds[*other].upper } else { &bounds[*other].lower };
                    assert_eq!(bound.as_ref(), Some(&at[*other]));
                }
                assert!(identity.iter().all(Constants::is_zero), "{identity:?}");
            }
        }
    }
}

#[test]
fn too_much_work_is_unknown_and_does_not_pass() {
    let mut table = Table::new(&[600.0, 380.0, 20.0, 300.0], 1.0);
    table.sum("a", &[0, 1]);
    table.sum("b", &[1, 2]);
    table.sum("c", &[2, 3]);
    table.sum("d", &[0, 3]);
    table.sum("b alone", &[1]);
    let statements = read_supports(&["income >= 0".to_owned()], &mut table.release.sources).expect("statements");
    let persons = Persons::new(&table.release.people, &table.release.rows);
    let found = supports(&table.release, &persons, &statements).expect("supports");
    let all = rows(&table.release, &[0, 1, 2, 3, 4]);
    let kept: Vec<&Row> = all.iter().flatten().collect();
    let seen = |figure: usize| if figure < 4 { Seen::Published } else { Seen::Suppressed };
    let figures: Vec<(usize, Seen)> = (0..5).map(|figure| (figure, seen(figure))).collect();
    // If nothing speaks against sharing the real sums in another way, that is enough.
    let cases = [(0, false, Method::Unknown), (0, true, Method::Certified), (1_000_000, false, Method::Exact)];
    for (work, passes, method) in cases {
        let made = classes(&kept, &table.release.truths, &persons, &found);
        let mut system = System::new(made, &figures);
        let mut solver = Solver {
            truths: &table.release.truths,
            persons: &persons,
            work,
            done: &|_, _| {},
            is_cancelled: &|| false,
            passes: &|_, _| passes,
            wanted: &|_| Rational::ZERO,
        };
        let known = solver.classes(&mut system);
        assert!(known.iter().all(|known| known.method == method), "{known:?}");
        // A suppressed figure is never judged by an inner interval: "b alone" is between 80 and 400, or not known.
        let range = solver.suppressed(&mut system, 4, &known);
        match work {
            0 => assert_eq!(range, None),
            _ => assert_eq!(range, Some(([Some(Rational::from(80)), Some(Rational::from(400))], true))),
        }
    }
}

#[test]
fn what_was_found_before_the_work_was_used_up_is_kept_and_holds() {
    let mut table = Table::new(&[600.0, 380.0, 20.0, 300.0], 1.0);
    for (name, among) in [("a", [0, 1]), ("b", [1, 2]), ("c", [2, 3]), ("d", [0, 3])] {
        table.sum(name, &among);
    }
    let statements = read_supports(&["income >= 0".to_owned()], &mut table.release.sources).expect("statements");
    let persons = Persons::new(&table.release.people, &table.release.rows);
    let found = supports(&table.release, &persons, &statements).expect("supports");
    let all = rows(&table.release, &[0, 1, 2, 3]);
    let kept: Vec<&Row> = all.iter().flatten().collect();
    let figures: Vec<(usize, Seen)> = (0..4).map(|figure| (figure, Seen::Published)).collect();
    let known = |work: u64| {
        let mut system = System::new(classes(&kept, &table.release.truths, &persons, &found), &figures);
        let (truths, persons) = (&table.release.truths, &persons);
        let mut solver = Solver {
            truths,
            persons,
            work,
            done: &|_, _| {},
            is_cancelled: &|| false,
            passes: &|_, _| false,
            wanted: &|_| Rational::ZERO,
        };
        solver.classes(&mut system)
    };
    let exact = known(1_000_000);
    let outsiders = |known: &[Known]| -> Vec<Option<Rational>> {
        known.iter().flat_map(|known| known.reach.iter().map(|reach| reach.outsider.clone())).collect()
    };
    let mut unfinished_but_known = 0;
    for work in 0..400 {
        let found = known(work);
        for (one, other) in outsiders(&found).into_iter().zip(outsiders(&exact)) {
            // Both are the largest value, of the negatives on the other side; none is no bound.
            assert!(one.is_none() || other.is_some_and(|other| one >= Some(other)), "{work}: {found:?}");
        }
        let is_unknown = found.iter().all(|known| known.method == Method::Unknown);
        unfinished_but_known += usize::from(is_unknown && outsiders(&found) == outsiders(&exact));
    }
    assert!(unfinished_but_known > 0);
}
