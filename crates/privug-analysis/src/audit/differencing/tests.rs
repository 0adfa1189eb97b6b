//! Differences of releases made by hand, and of random ones against going through all people.

use super::*;
use crate::audit::People;
use crate::audit::contributions::{Weighing, contributions};
use crate::audit::testing::Table;

fn found(table: &mut Table, suppressed: &[usize], noise_std: &[f64]) -> Option<Vec<Subtracted>> {
    let policy = Policy::default();
    let persons = table.release.persons();
    let Weighing { contributions, weighed, .. } = contributions(&table.release, &persons, &policy, &|_| {});
    let count = table.release.outputs.len();
    let protection = Protection {
        suppressed: (0..count).map(|figure| suppressed.contains(&figure)).collect(),
        noise_std: (0..count).map(|figure| noise_std.get(figure).copied().unwrap_or(0.0)).collect(),
        rounded_to: vec![0.0; count],
        rounded_at_random: vec![false; count],
        notes: Vec::new(),
    };
    let (contributions, protection, persons) = (&contributions, &protection, &persons);
    let of = Figures { contributions, weighed: &weighed, protection, persons, policy: &policy, scale: 1.0 };
    let found = subtracted(&mut table.release, &of);
    (found.are_all || !found.broken.is_empty()).then_some(found.broken)
}

fn people(from: usize, to: usize) -> Vec<usize> {
    (from..to).collect()
}

#[test]
fn the_total_of_five_that_follows_from_two_totals_breaks_the_rules_of_a_published_one() {
    let mut table = Table::new(&[100.0; 50], 30.0);
    table.release.truths[49] = 3000.0;
    table.sum("all", &people(0, 50));
    table.sum("without five", &people(0, 45));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].difference.outer, all[0].difference.inner.as_slice(), all[0].people), (0, &[1][..], 5));
    let rules: Vec<Rule> = all[0].broken.iter().map(|(rule, _)| *rule).collect();
    assert!(rules.contains(&Rule::MinimumFrequency) && rules.contains(&Rule::Dominance), "{rules:?}");
    let said = reasons(&Differences { broken: all.clone(), are_all: true, are_hidden: false }, 2, &Policy::default());
    assert_eq!(said[0].verdict, Verdict::Fail);
    let expected = Finding::Difference {
        people: 5,
        whom: people(45, 50),
        against: 0,
        outer: 0,
        inner: vec![1],
        is_combined: false,
        broken: rules,
    };
    assert_eq!(said[0].finding, expected);
}

#[test]
fn means_are_subtracted_by_their_sizes_and_a_crossing_figure_hides_nothing() {
    let truths: Vec<f64> = (0..60).map(|person| 100.0 + f64::from(person % 7)).collect();
    let mut table = Table::new(&truths, 30.0);
    table.mean("all", &people(0, 60));
    table.mean("most", &people(0, 53));
    table.mean("crossing", &people(40, 56));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.iter().map(|one| one.people).collect::<Vec<_>>(), [7]);
}

#[test]
fn what_published_cells_leave_of_a_margin_is_judged_and_a_suppressed_cell_is_left_to_its_own_rule() {
    let mut table = Table::new(&[100.0; 60], 30.0);
    table.sum("all", &people(0, 60));
    for (from, to) in [(0, 25), (25, 53), (53, 57), (57, 60)] {
        table.sum("cell", &people(from, to));
    }
    // Both small cells are suppressed: together they follow.
    let both = found(&mut table, &[3, 4], &[]).expect("little work");
    assert_eq!(both.iter().map(|one| one.people).collect::<Vec<_>>(), [7]);
    assert_eq!(both[0].difference.inner.len(), 2);
    // With one of them published, the other follows, which is what `recoverable` is about.
    assert_eq!(found(&mut table, &[4], &[]).expect("little work"), []);
}

#[test]
fn two_firms_that_dominate_what_is_left_are_found_however_many_are_beside_them() {
    let mut truths = vec![100.0; 200];
    (truths[0], truths[1], truths[150], truths[151]) = (1e6, 1e6, 40_000.0, 50_000.0);
    let mut table = Table::new(&truths, 30.0);
    table.sum("all", &people(0, 200));
    table.sum("most", &people(0, 150));
    let all = found(&mut table, &[], &[]).expect("little work");
    let dominated = all.iter().find(|one| one.people == 50).expect("what is left");
    assert_eq!(dominated.broken[0], (Rule::Dominance, Verdict::Fail));
}

#[test]
fn noise_on_either_figure_is_noise_on_the_difference() {
    let mut table = Table::new(&[100.0; 50], 30.0);
    table.mean("all", &people(0, 50));
    table.mean("most", &people(0, 45));
    let verdict = |noise: &[f64], table: &mut Table| {
        let found = found(table, &[], noise).expect("little work");
        found.iter().map(|one| one.verdict(&Policy::default())).max().unwrap_or_default()
    };
    assert_eq!(verdict(&[], &mut table), Verdict::Fail);
    // 45 · 10 is more than any contribution to the difference: for a person to weigh.
    assert_eq!(verdict(&[0.0, 10.0], &mut table), Verdict::Review);
    assert_eq!(verdict(&[0.0, 0.01], &mut table), Verdict::Fail);
}

#[test]
fn weighted_sums_are_subtracted_where_their_weights_agree() {
    let weight = |person: usize| 0.5 + person as f64 / 7.0;
    let truths: Vec<f64> = (0..50).map(|person| 100.0 + f64::from(person % 7)).collect();
    let mut table = Table::new(&truths, 30.0);
    let weighted = |to: usize| (0..to).map(|person| (person, weight(person))).collect::<Vec<_>>();
    table.weighted("all", &weighted(50));
    table.weighted("most", &weighted(45));
    // Other weights: nothing cancels.
    table.sum("others", &people(0, 44));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.iter().map(|one| (one.difference.inner[0], one.people)).collect::<Vec<_>>(), [(1, 5)]);
}

#[test]
fn a_weighted_sum_over_the_same_people_hides_no_difference_of_totals() {
    let weight = |person: usize| (person, 1.0 + (person % 3) as f64);
    // Over all, over most, and over what lies between: whichever figure comes first.
    for (from, to) in [(0, 50), (0, 45), (0, 47)] {
        let mut table = Table::new(&[100.0; 50], 30.0);
        table.weighted("weighted", &(from..to).map(weight).collect::<Vec<_>>());
        table.sum("all", &people(0, 50));
        table.sum("first", &people(0, 20));
        table.sum("second", &people(20, 45));
        let all = found(&mut table, &[], &[]).expect("little work");
        let five = all.iter().filter(|one| one.people == 5);
        assert_eq!(five.map(|one| one.difference.inner.len()).collect::<Vec<_>>(), [2], "{from} {to}");
    }
}

#[test]
fn a_total_is_subtracted_from_a_weighted_sum_that_weighs_its_people_alike() {
    let mut table = Table::new(&[100.0; 50], 30.0);
    table.weighted(
        "five twice",
        &(0..50).map(|person| (person, if person < 45 { 1.0 } else { 2.0 })).collect::<Vec<_>>(),
    );
    table.mean("most", &people(0, 45));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.iter().map(|one| (one.difference.outer, one.people)).collect::<Vec<_>>(), [(0, 5)]);
}

#[test]
fn a_figure_with_noise_does_not_stand_for_what_follows_without() {
    let mut table = Table::new(&[100.0; 50], 30.0);
    table.sum("all", &people(0, 50));
    table.sum("most", &people(0, 45));
    table.sum("rest", &people(45, 50));
    let worst = |suppressed: &[usize], noise: &[f64], table: &mut Table| {
        let found = found(table, suppressed, noise).expect("little work");
        found.iter().map(|one| one.verdict(&Policy::default())).max().unwrap_or_default()
    };
    // The rest is judged by itself.
    assert_eq!(worst(&[], &[], &mut table), Verdict::Pass);
    // With so much noise that a person should look, but it follows without.
    assert_eq!(worst(&[], &[0.0, 0.0, 1e4], &mut table), Verdict::Fail);
    // Nobody asks what a suppressed figure is up to a little noise.
    assert_eq!(worst(&[2], &[0.01, 0.01], &mut table), Verdict::Fail);
    assert_eq!(worst(&[2], &[1e4, 1e4], &mut table), Verdict::Review);
    // A noisy union is larger than its parts, which are known exactly.
    let mut table = Table::new(&[100.0; 50], 30.0);
    for (from, to) in [(0, 50), (0, 20), (20, 45), (0, 45)] {
        table.sum("figure", &people(from, to));
    }
    assert_eq!(worst(&[], &[0.0, 0.0, 0.0, 1e4], &mut table), Verdict::Fail);
}

#[test]
fn the_rows_of_a_person_are_one_contributor_of_a_difference() {
    let mut table = Table::new(&[100.0; 60], 30.0);
    // The last twenty rows are those of five people.
    let names = (0..60).map(|row| if row < 40 { format!("p{row}") } else { format!("q{}", row % 5) });
    table.release.people = People::Named { column: "nr".to_owned(), names: names.collect() };
    table.sum("all", &people(0, 60));
    table.sum("first", &people(0, 40));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.iter().map(|one| one.people).collect::<Vec<_>>(), [5]);
}

#[test]
fn no_difference_that_breaks_a_rule_is_cleared_by_bounds() {
    let mut state = 3u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut seen = 0;
    for _ in 0..200 {
        let count = 12 + below(30) as usize;
        let truths: Vec<f64> = (0..count).map(|_| (below(1000) as f64 / 250.0).exp().floor() * 10.0).collect();
        let mut table = Table::new(&truths, 30.0);
        let border = 1 + below(count as u64 - 1) as usize;
        let is_mean = below(2) == 0;
        for to in [count, border] {
            if is_mean {
                table.mean("figure", &people(0, to))
            } else {
                table.sum("figure", &people(0, to))
            };
        }
        let judged = found(&mut table, &[], &[]).expect("little work");
        // The same people by themselves.
        let mut alone = Table::new(&truths, 30.0);
        alone.sum("rest", &people(border, count));
        let persons = alone.release.persons();
        let rest = &contributions(&alone.release, &persons, &Policy::default(), &|_| {}).contributions[0];
        let expected = judge(rest, 0.0, 1.0, &Policy::default());
        let broken = judged.first().map_or(Vec::new(), |one| one.broken.clone());
        assert_eq!(broken, expected, "{truths:?} {border}");
        seen += usize::from(expected.iter().any(|(rule, _)| *rule != Rule::MinimumFrequency));
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn the_rule_can_be_softened_and_what_is_not_worked_out_does_not_pass() {
    let mut table = Table::new(&[100.0; 50], 30.0);
    table.sum("all", &people(0, 50));
    table.sum("most", &people(0, 45));
    let all = found(&mut table, &[], &[]).expect("little work");
    let softer = Policy { differencing: Verdict::Review, ..Policy::default() };
    assert_eq!(
        reasons(&Differences { broken: all.clone(), are_all: true, are_hidden: false }, 2, &softer)[0].verdict,
        Verdict::Review
    );
    assert_eq!(reasons(&Differences::default(), 2, &softer)[0].verdict, Verdict::Review);
}

#[test]
fn three_totals_of_which_each_two_overlap_tell_the_part_that_two_have_in_common() {
    // a has 5 people, b and c have 40 each; of a and b, b and c, a and c totals are published.
    let truths: Vec<f64> = (0..85).map(|person| 100.0 + f64::from(person % 7)).collect();
    let mut table = Table::new(&truths, 30.0);
    let (a, b, c) = (people(0, 5), people(5, 45), people(45, 85));
    let both = |one: &[usize], other: &[usize]| [one, other].concat();
    table.sum("a and b", &both(&a, &b));
    table.sum("b and c", &both(&b, &c));
    assert_eq!(found(&mut table, &[], &[]).expect("little work"), []);
    table.mean("a and c", &both(&a, &c));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.iter().map(|one| (one.people, one.is_combined)).collect::<Vec<_>>(), [(5, true)]);
    let said = reasons(&Differences { broken: all.clone(), are_all: true, are_hidden: false }, 3, &Policy::default());
    let broken = all[0].broken.iter().map(|(rule, _)| *rule).collect();
    let expected = Finding::Difference {
        people: 5,
        whom: people(0, 5),
        against: 0,
        outer: 0,
        inner: vec![1, 2],
        is_combined: true,
        broken,
    };
    assert_eq!(said[0].finding, expected);
    // With noise on one of them nothing follows exactly.
    assert_eq!(found(&mut table, &[], &[5000.0]).expect("little work"), []);
    assert_eq!(found(&mut table, &[2], &[]).expect("little work"), []);
}

#[test]
fn a_dominated_part_is_found_however_many_people_it_has() {
    let mut truths = vec![100.0; 120];
    (truths[3], truths[4]) = (90_000.0, 80_000.0);
    truths[40..].iter_mut().enumerate().for_each(|(place, truth)| *truth = 20_000.0 + place as f64);
    let mut table = Table::new(&truths, 30.0);
    let (a, b, c) = (people(0, 40), people(40, 80), people(80, 120));
    for (one, other) in [(&a, &b), (&b, &c), (&a, &c)] {
        table.sum("pair", &[one.as_slice(), other.as_slice()].concat());
    }
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!((all[0].people, all[0].broken[0].0), (40, Rule::Dominance));
}

#[test]
fn what_some_have_less_what_others_have_is_judged_like_a_published_figure() {
    let truths: Vec<f64> = (0..60).map(|person| 100.0 + f64::from(person % 7)).collect();
    let mut table = Table::new(&truths, 30.0);
    table.sum("first", &people(0, 30));
    table.mean("second", &people(3, 33));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert_eq!(all.iter().map(|one| (one.people, one.against)).collect::<Vec<_>>(), [(6, 3)]);
    assert!(all[0].is_combined && all[0].broken.contains(&(Rule::MinimumFrequency, Verdict::Fail)));
    // With noise on one of them, or ten people at each end, nothing is wrong.
    assert_eq!(found(&mut table, &[], &[5000.0]).expect("little work"), []);
    let mut table = Table::new(&truths, 30.0);
    table.sum("first", &people(0, 30));
    table.sum("second", &people(10, 40));
    assert_eq!(found(&mut table, &[], &[]).expect("little work"), []);
    // One of these who dominates the difference does not make up much of either figure.
    let mut truths = vec![100.0; 60];
    truths.iter_mut().enumerate().for_each(|(person, truth)| *truth += (person % 7) as f64);
    truths[2] = 50_000.0;
    let mut table = Table::new(&truths, 30.0);
    table.sum("first", &people(0, 30));
    table.sum("second", &people(10, 40));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert!(all.iter().any(|one| one.broken.contains(&(Rule::Dominance, Verdict::Fail))), "{all:?}");
}

#[test]
fn weights_of_hours_leave_those_who_work_other_hours() {
    let truths: Vec<f64> = (0..60).map(|person| 100.0 + f64::from(person % 7)).collect();
    let mut table = Table::new(&truths, 30.0);
    // Four people work 20 hours and three 30.
    let hours = |person: usize| {
        if person < 4 {
            20.0
        } else if person < 7 {
            30.0
        } else {
            37.0
        }
    };
    let total: f64 = (0..60).map(hours).sum();
    table.weighted("mean by hours", &(0..60).map(|person| (person, hours(person) / total)).collect::<Vec<_>>());
    table.sum("all", &people(0, 60));
    let all = found(&mut table, &[], &[]).expect("little work");
    assert!(all.iter().any(|one| (one.people, one.against) == (7, 0)), "{all:?}");
}

#[test]
fn what_is_left_of_a_whole_table_may_be_dominated() {
    // Two rows, of which one column of three is published; a further figure crosses what is left.
    let mut truths: Vec<f64> = (0..60).map(|person| 100.0 + f64::from(person % 7)).collect();
    for person in (15..30).chain(45..60) {
        truths[person] /= 100.0;
    }
    (truths[20], truths[50]) = (800.0, 900.0);
    let mut table = Table::new(&truths, 30.0);
    table.sum("rows[1]", &people(0, 30));
    table.sum("rows[2]", &people(30, 60));
    table.sum("first", &[people(0, 15), people(30, 45)].concat());
    table.sum("crossing", &[people(5, 25), people(40, 55)].concat());
    let all = found(&mut table, &[], &[]).expect("little work");
    let dominated = all.iter().find(|one| one.people == 30 && one.against == 0).expect("what is left");
    assert!(dominated.broken.contains(&(Rule::Dominance, Verdict::Fail)), "{dominated:?}");
}
