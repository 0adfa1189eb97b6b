//! The rules about figures and counts against a second implementation, over random tables: people with several rows, zeros,
//! negative values, ties at thresholds. The second one knows only whole numbers (values are tenths) and lists of rows.

use std::collections::{BTreeMap, BTreeSet};

use privug::audit::{Audit, Policy, Rule, Settings, Thresholds, Verdict, audit};

use crate::support::{input, messages, table};

/// A small generator, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
}

/// A row: person, group, tenths.
type Row = (u64, u64, i64);

fn rows(random: &mut Random) -> Vec<Row> {
    let count = 1 + random.below(40);
    let persons = 1 + random.below(count + 5);
    let groups = 1 + random.below(4);
    let values: &[i64] = random.one_of(&[
        &[0, 0, 0, 10][..],
        &[-30, -10, 0, 10, 30],
        &[1, 1, 1, 7, 80, 11],
        &[80, 8, 1, 100, 3, 5, 1],
        &[5, 5, 5],
    ]);
    (0..count).map(|_| (random.below(persons), random.below(groups), random.one_of(values))).collect()
}

fn policy(random: &mut Random) -> Policy {
    let mut limits = |values: &[f64]| Thresholds {
        review: (random.below(2) == 0).then(|| random.one_of(values)),
        fail: (random.below(3) > 0).then(|| random.one_of(values)),
    };
    let minimum_frequency = limits(&[1.0, 2.0, 3.0, 5.0, 10.0]);
    let dominance = limits(&[10.0, 25.0, 50.0, 60.0, 75.0, 80.0, 85.0, 90.0, 100.0]);
    let p_percent = limits(&[0.0, 10.0, 12.5, 20.0, 25.0, 50.0, 100.0, 110.0, 200.0]);
    let dominance_largest = 1 + random.below(3) as usize;
    Policy { minimum_frequency, dominance, p_percent, dominance_largest, ..Policy::default() }
}

/// `limit` as a fraction of whole numbers: all limits here are multiples of a half.
fn halves(limit: f64) -> i64 {
    (2.0 * limit) as i64
}

fn verdict(thresholds: Thresholds, crosses: impl Fn(i64) -> bool) -> Verdict {
    match thresholds {
        Thresholds { fail: Some(limit), .. } if crosses(halves(limit)) => Verdict::Fail,
        Thresholds { review: Some(limit), .. } if crosses(halves(limit)) => Verdict::Review,
        _ => Verdict::Pass,
    }
}

/// What the rules say about the total (or mean) of some rows, of which `all` are all.
fn expected(rows: &[Row], all: &[Row], policy: &Policy) -> Vec<(Rule, Verdict)> {
    let mut parts: BTreeMap<u64, i64> = BTreeMap::new();
    rows.iter().for_each(|(person, _, value)| *parts.entry(*person).or_default() += value);
    let mut sizes: Vec<i64> = parts.values().map(|part| part.abs()).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let (people, total) = (sizes.len() as i64, sizes.iter().sum::<i64>());
    let largest: i64 = sizes.iter().take(policy.dominance_largest).sum();
    let dominates = |k: i64| match total {
        0 => 200 * people.min(policy.dominance_largest as i64) > k * people,
        total => 200 * largest > k * total,
    };
    let in_effect = people - outweighed(rows, policy);
    let rest: i64 = sizes.iter().skip(2).sum();
    let estimates = |p: i64| if sizes[0] == 0 { 0 < p } else { 200 * rest < p * sizes[0] };
    let values: BTreeSet<i64> = rows.iter().map(|(_, _, value)| *value).collect();
    let same = people > 1 && values.len() == 1;
    assert!(all.len() >= rows.len());
    let mut broken = vec![
        (Rule::MinimumFrequency, verdict(policy.minimum_frequency, |n| 2 * in_effect < n)),
        (Rule::Dominance, verdict(policy.dominance, dominates)),
        (Rule::PPercent, verdict(policy.p_percent, estimates)),
        (Rule::SameValue, if same { Verdict::Fail } else { Verdict::Pass }),
    ];
    let near = if people > 2 && !same { near_bound(rows, all) } else { Verdict::Pass };
    if broken.iter().all(|(_, verdict)| *verdict < near) {
        broken.push((Rule::NearBound, near));
    }
    broken.retain(|(_, verdict)| *verdict != Verdict::Pass);
    broken
}

/// How many people have so few rows that together they hide next to nothing of what the one with the most rows adds.
fn outweighed(rows: &[Row], policy: &Policy) -> i64 {
    let mut weights: BTreeMap<u64, f64> = BTreeMap::new();
    rows.iter().for_each(|(person, ..)| *weights.entry(*person).or_default() += 1.0);
    let mut weights: Vec<f64> = weights.into_values().collect();
    weights.sort_unstable_by(f64::total_cmp);
    let percent = policy.p_percent.fail.or(policy.p_percent.review).unwrap_or(10.0).min(25.0);
    let most = percent / 100.0 * weights.last().expect("rows");
    let mut squares = 0.0;
    let is_hidden = |weight: &&f64| {
        squares += **weight * **weight;
        squares <= most * most
    };
    weights.iter().take_while(is_hidden).count() as i64
}

/// What each row can be off a bound of all values, for the person besides its own who is farthest from it: less than half
/// of the standard deviation, and less than a half (or three quarters) of all values are as near.
fn near_bound(rows: &[Row], all: &[Row]) -> Verdict {
    let values: Vec<i64> = all.iter().map(|(_, _, value)| *value).collect();
    let (least, most) = (values.iter().min().expect("rows"), values.iter().max().expect("rows"));
    let count = values.len() as i64;
    let (sum, squares) = (values.iter().sum::<i64>(), values.iter().map(|value| value * value).sum::<i64>());
    let mut worst = Verdict::Pass;
    for is_least in [true, false] {
        let distance = |value: i64| if is_least { value - least } else { most - value };
        let mut parts: BTreeMap<u64, i64> = BTreeMap::new();
        rows.iter().for_each(|(person, _, value)| *parts.entry(*person).or_default() += distance(*value));
        for (own, _, _) in rows {
            let others = parts.iter().filter(|(person, _)| *person != own).map(|(_, part)| *part);
            let width = parts.values().sum::<i64>() - others.max().unwrap_or(0);
            let is_narrow = 4 * width * width * count * count < count * squares - sum * sum;
            let as_near = values.iter().filter(|value| distance(**value) <= width).count() as i64;
            worst = worst.max(match is_narrow {
                true if 2 * as_near < count => Verdict::Fail,
                true if 4 * as_near < 3 * count => Verdict::Review,
                _ => Verdict::Pass,
            });
        }
    }
    worst
}

fn audited(rows: &[Row], policy: &Policy, exact: bool) -> Audit {
    let mut text = "nr,g,income\n".to_owned();
    for (person, group, value) in rows {
        text.push_str(&format!("p{person},g{group},{}\n", *value as f64 / 10.0));
    }
    let program = "def release(people):\n    groups = people.groupby('g')\n    \
                   return {'s': groups.income.sum(), 'm': groups.income.mean(), 'n': groups.size(), \
                   'all': people.income.sum(), 'count': len(people)}\n";
    let mut input = input(program);
    input.tables = vec![("people".to_owned(), table(&text))];
    input.priors = vec!["Normal(0, 1)".to_owned()];
    input.person = Some("nr".to_owned());
    let settings = Settings { policy: policy.clone(), top: 3, ..Settings::default() };
    let found = audit(&input, &settings, exact, &|_| {});
    found.unwrap_or_else(|refusal| panic!("{text}\n{}", messages(&refusal).join("\n")))
}

#[test]
fn the_rules_say_what_a_naive_implementation_says() {
    let mut random = Random(20_261_116);
    for round in 0..300 {
        let (all, policy) = (rows(&mut random), policy(&mut random));
        let found = audited(&all, &policy, round % 10 == 0);
        let broken = |name: &str| {
            let figure = found.figures.iter().find(|figure| figure.name == name);
            figure.unwrap_or_else(|| panic!("no {name}")).broken.clone()
        };
        let groups: BTreeSet<u64> = all.iter().map(|(_, group, _)| *group).collect();
        for group in groups {
            let members: Vec<Row> = all.iter().copied().filter(|(_, of, _)| *of == group).collect();
            let wanted = expected(&members, &all, &policy);
            assert_eq!(broken(&format!("s[g{group}]")), wanted, "round {round}: {members:?} of {all:?}, {policy:?}");
            assert_eq!(broken(&format!("m[g{group}]")), wanted, "round {round}: {members:?} of {all:?}, {policy:?}");
            let people: BTreeSet<u64> = members.iter().map(|(person, _, _)| *person).collect();
            let count = found.figures.iter().find(|figure| figure.name == format!("n[g{group}]")).expect("a count");
            assert_eq!((count.value, count.contributions.contributors), (members.len() as f64, people.len()));
            let few = verdict(policy.minimum_frequency, |n| 2 * (people.len() as i64) < n);
            assert_eq!(count.verdict, few);
        }
        assert_eq!(broken("all"), expected(&all, &all, &policy), "round {round}: {all:?}, {policy:?}");
        let persons: BTreeSet<u64> = all.iter().map(|(person, _, _)| *person).collect();
        assert_eq!((found.persons.count(), found.persons.rows()), (persons.len(), all.len()));
        let verdicts = [Verdict::Fail, Verdict::Review, Verdict::Pass].map(|verdict| found.count(verdict));
        assert_eq!(verdicts.iter().sum::<usize>(), persons.len());
        // A person's verdict is at least as bad as that of each of their rows.
        for entry in 0..found.people.len() {
            assert!(found.people.verdict[entry] <= found.verdicts.verdict(found.persons.of_entry(entry)));
        }
    }
}
