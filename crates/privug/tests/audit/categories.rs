//! Discrete secrets: everybody's posterior against an enumeration of all that could be, on random small tables with random
//! releases, suppressions and roundings.

use std::collections::HashMap;

use crate::support::{input, messages, table, try_table};
use privug::audit::{Audit, Certainty, DefenceTexts, Input, Rule, Settings, Verdict, audit};
use privug::table::Missing;

/// A small table of random numbers: the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// People with a ward, a sex, and a secret that is one of some values.
struct People {
    ward: Vec<usize>,
    sex: Vec<usize>,
    secret: Vec<usize>,
    /// The probabilities of the values, for each sex.
    laws: [Vec<f64>; 2],
}

const WARDS: [&str; 3] = ["A", "B", "C"];
const SEXES: [&str; 2] = ["f", "m"];

impl People {
    fn random(random: &mut Random, values: usize) -> People {
        let count = 1 + random.below(7);
        let law = |random: &mut Random| {
            let weights: Vec<usize> = (0..values).map(|_| 1 + random.below(9)).collect();
            let all: usize = weights.iter().sum();
            weights.iter().map(|weight| *weight as f64 / all as f64).collect::<Vec<f64>>()
        };
        let first = law(random);
        let second = if random.below(2) == 0 { first.clone() } else { law(random) };
        People {
            ward: (0..count).map(|_| random.below(3)).collect(),
            sex: (0..count).map(|_| random.below(2)).collect(),
            secret: (0..count).map(|_| random.below(values)).collect(),
            laws: [first, second],
        }
    }

    fn csv(&self, value: impl Fn(usize) -> String) -> String {
        let rows = (0..self.secret.len())
            .map(|row| format!("{},{},{}\n", WARDS[self.ward[row]], SEXES[self.sex[row]], value(self.secret[row])));
        format!("ward,sex,x\n{}", rows.collect::<String>())
    }

    fn law(&self, row: usize) -> &[f64] {
        &self.laws[self.sex[row]]
    }

    /// All values that people could have, with their probabilities.
    fn worlds(&self) -> Vec<(Vec<usize>, f64)> {
        let mut worlds = vec![(Vec::new(), 1.0)];
        for row in 0..self.secret.len() {
            let grown = worlds.into_iter().flat_map(|(world, p): (Vec<usize>, f64)| {
                let each = self.law(row).iter().enumerate().map(move |(value, of_value)| {
                    let mut next = world.clone();
                    next.push(value);
                    (next, p * of_value)
                });
                each.collect::<Vec<_>>()
            });
            worlds = grown.collect();
        }
        worlds
    }
}

/// A part of a release: the Python expression, and what its figures are, by name, for given secrets.
struct Part {
    code: &'static str,
    figures: fn(&People, &[usize], usize) -> Vec<(String, f64)>,
}

fn count(people: &People, x: &[usize], wanted: impl Fn(usize) -> bool, value: impl Fn(usize) -> bool) -> f64 {
    (0..people.ward.len()).filter(|row| wanted(*row) && value(x[*row])).count() as f64
}

const PARTS: [Part; 7] = [
    Part {
        code: "pd.crosstab(people.ward, people.x, margins=True)",
        figures: |people, x, values| {
            let mut figures = Vec::new();
            for value in 0..values {
                for ward in 0..3 {
                    let of = count(people, x, |row| people.ward[row] == ward, |one| one == value);
                    if people.ward.contains(&ward) {
                        figures.push((format!("t0[{}, {value}]", WARDS[ward]), of));
                    }
                }
                figures.push((format!("t0[All, {value}]"), count(people, x, |_| true, |one| one == value)));
            }
            figures
        },
    },
    Part {
        code: "(people.x == 1).groupby(people.sex).mean()",
        figures: |people, x, _| {
            let of = |sex: usize| {
                let all = people.sex.iter().filter(|one| **one == sex).count() as f64;
                count(people, x, |row| people.sex[row] == sex, |one| one == 1) / all
            };
            let present = (0..2).filter(|sex| people.sex.contains(sex));
            present.map(|sex| (format!("t1[{}]", SEXES[sex]), of(sex))).collect()
        },
    },
    Part {
        code: "people.x.value_counts().sort_index()",
        figures: |people, x, values| {
            (0..values).map(|value| (format!("t2[{value}]"), count(people, x, |_| true, |one| one == value))).collect()
        },
    },
    Part {
        code: "people.groupby(['sex', 'x']).size()",
        figures: |people, x, values| {
            let mut figures = Vec::new();
            for sex in (0..2).filter(|sex| people.sex.contains(sex)) {
                for value in 0..values {
                    let of = count(people, x, |row| people.sex[row] == sex, |one| one == value);
                    figures.push((format!("t3[{}, {value}]", SEXES[sex]), of));
                }
            }
            figures
        },
    },
    Part {
        code: "people.x.isin([0, 2]).sum()",
        figures: |people, x, _| vec![("t4".to_owned(), count(people, x, |_| true, |one| one == 0 || one == 2))],
    },
    Part {
        code: "people.groupby('ward').x.sum()",
        figures: |people, x, _| {
            let of =
                |ward: usize| (0..x.len()).filter(|row| people.ward[*row] == ward).map(|row| x[row]).sum::<usize>();
            let present = (0..3).filter(|ward| people.ward.contains(ward));
            present.map(|ward| (format!("t5[{}]", WARDS[ward]), of(ward) as f64)).collect()
        },
    },
    Part {
        code: "(people.x * 3 + 1 - people.sex.isin(['f']) * people.x).sum() / 10",
        figures: |people, x, _| {
            let of = |row: usize| 3 * x[row] + 1 - if people.sex[row] == 0 { x[row] } else { 0 };
            vec![("t6".to_owned(), (0..x.len()).map(of).sum::<usize>() as f64 / 10.0)]
        },
    },
];

fn round_half_even(value: f64, unit: f64) -> f64 {
    let steps = value / unit;
    let below = steps.floor();
    let rest = steps - below;
    let up = rest > 0.5 || (rest == 0.5 && below % 2.0 != 0.0);
    (if up { below + 1.0 } else { below }) * unit
}

fn run(people: &People, program: &str, values: usize, defences: DefenceTexts) -> Audit {
    run_in(people, program, values, defences, false)
}

fn run_in(people: &People, program: &str, values: usize, defences: DefenceTexts, exact: bool) -> Audit {
    let law = |sex: usize| {
        let entries = (0..values).map(|value| format!("{value}: {:?}", people.laws[sex][value]));
        entries.collect::<Vec<_>>().join(", ")
    };
    let entries = (0..values).map(|value| {
        format!("{value}: np.where(sex == 'f', {:?}, {:?})", people.laws[0][value], people.laws[1][value])
    });
    let prior = match people.laws[0] == people.laws[1] {
        true => format!("Categorical({{{}}})", law(0)),
        false => format!("Categorical({{{}}})", entries.collect::<Vec<_>>().join(", ")),
    };
    let of_table = Input {
        tables: vec![("people".to_owned(), table(&people.csv(|value| value.to_string())))],
        secrets: vec!["people.x".to_owned()],
        priors: vec![prior],
        ..input(program)
    };
    let settings = Settings { defences, ..Settings::default() };
    audit(&of_table, &settings, exact, &|_| {})
        .unwrap_or_else(|refusal| panic!("{program}\n{}", messages(&refusal).join("\n")))
}

#[test]
fn everybodys_posterior_is_that_of_an_enumeration() {
    let mut random = Random(7);
    let (mut certified, mut disclosed, mut recovered) = (0, 0, 0);
    for case in 0..250 {
        let values = 2 + random.below(2);
        let people = People::random(&mut random, values);
        let chosen: Vec<usize> = (0..PARTS.len()).filter(|_| random.below(3) == 0).collect();
        let Some(first) = chosen.first() else { continue };
        let entries = chosen.iter().map(|part| format!("'t{part}': {}", PARTS[*part].code));
        let program = format!(
            "import pandas as pd\n\ndef release(people):\n    return {{{}}}\n",
            entries.collect::<Vec<_>>().join(", ")
        );
        // Suppress some figures, and round one table.
        let figures_of = |x: &[usize]| -> Vec<(String, f64)> {
            chosen.iter().flat_map(|part| (PARTS[*part].figures)(&people, x, values)).collect()
        };
        let real = figures_of(&people.secret);
        let suppressed: Vec<String> =
            real.iter().filter(|_| random.below(6) == 0).map(|(name, _)| name.clone()).collect();
        let rounded = (random.below(3) == 0).then(|| (format!("t{first}"), [3.0, 5.0][random.below(2)]));
        let defences = DefenceTexts {
            suppress: suppressed.clone(),
            round: rounded.iter().map(|(table, base)| format!("{table}={base}")).collect(),
            ..DefenceTexts::default()
        };
        let seen = |figures: Vec<(String, f64)>| -> Vec<(String, i64)> {
            let shown = figures.into_iter().filter(|(name, _)| !suppressed.contains(name)).map(|(name, value)| {
                let value = match &rounded {
                    Some((table, base)) if name.starts_with(table) => round_half_even(value, *base),
                    _ => value,
                };
                // Shares of at most seven people are told apart by nine decimals.
                (name, (value * 1e9).round() as i64)
            });
            shown.collect()
        };
        let wanted = seen(real.clone());
        let mut posterior = vec![vec![0.0; values]; people.secret.len()];
        let mut evidence = 0.0;
        // What the suppressed figures are in some world, and in those that fit what is published.
        let mut anywhere: HashMap<String, Vec<i64>> = HashMap::new();
        let mut still: HashMap<String, Vec<i64>> = HashMap::new();
        for (world, p) in people.worlds() {
            let fits = seen(figures_of(&world)) == wanted;
            for (name, value) in figures_of(&world).into_iter().filter(|(name, _)| suppressed.contains(name)) {
                let value = (value * 1e9).round() as i64;
                anywhere.entry(name.clone()).or_default().push(value);
                if fits {
                    still.entry(name).or_default().push(value);
                }
            }
            if fits {
                evidence += p;
                world.iter().enumerate().for_each(|(row, value)| posterior[row][*value] += p);
            }
        }
        let again = defences.clone();
        let found = run(&people, &program, values, defences);
        // All figures are there, with the values that they should have.
        let named: HashMap<&str, f64> =
            found.figures.iter().map(|figure| (figure.name.as_str(), figure.value)).collect();
        for (name, value) in &real {
            let of = named.get(name.as_str()).unwrap_or_else(|| panic!("case {case}: no {name} in {named:?}"));
            assert!((of - value).abs() < 1e-12, "case {case}: {name} is {of}, not {value}");
        }
        let only_one = |values: &[i64]| values.iter().all(|value| *value == values[0]);
        for figure in found.figures.iter().filter(|figure| suppressed.contains(&figure.name)) {
            let is_told = only_one(&still[&figure.name]) && !only_one(&anywhere[&figure.name]);
            let is_found = figure.broken.iter().any(|(rule, _)| *rule == Rule::Recoverable);
            let shown = format!("case {case}: {} {suppressed:?} {rounded:?}\n{program}", figure.name);
            assert!(is_told || !is_found, "{shown}");
            // What only follows because people are whole, in sums of several values and between rounded figures, is not asked.
            let of_counts = rounded.is_none() && chosen.iter().all(|part| *part < 5);
            assert!(is_found || !is_told || !of_counts, "{shown}");
            recovered += usize::from(is_told);
            if is_told {
                assert!(found.verdict >= Verdict::Review, "case {case}");
            }
        }
        let discrete = found.people.discrete.as_ref().expect("a discrete secret");
        // The same in fractions.
        if case % 5 == 0 {
            let exactly = run_in(&people, &program, values, again, true);
            let discrete = exactly.people.discrete.as_ref().expect("a discrete secret");
            for (row, wanted) in posterior.iter().enumerate() {
                for (value, p) in wanted.iter().enumerate() {
                    let text = discrete.of(row).exact_text(false, value);
                    let text = text.unwrap_or_else(|| panic!("case {case}: no fraction\n{program}"));
                    let fraction = fraction(&text);
                    assert!((fraction - p / evidence).abs() < 1e-12, "case {case}: {text} for {}", p / evidence);
                    assert_eq!(text == "0", *p == 0.0, "case {case}: {text}");
                }
            }
        }
        for (row, wanted) in posterior.iter().enumerate() {
            let known = discrete.of(row);
            certified += usize::from(matches!(known.certainty, Certainty::Certified(_)));
            assert_ne!(known.certainty, Certainty::Unknown, "case {case}");
            for (value, p) in wanted.iter().enumerate() {
                let (found, wanted) = (known.posterior[value], p / evidence);
                let shown = format!("case {case}, row {row}, value {value}: {found} for {wanted}\n{program}");
                assert!(
                    (found - wanted).abs() < 1e-9,
                    "{shown}{suppressed:?} {rounded:?}\n{}",
                    people.csv(|x| x.to_string())
                );
                // What is impossible is known for certain.
                assert_eq!(known.possible[value], *p > 0.0, "{shown}");
            }
            let is_certain = wanted.iter().filter(|p| **p > 0.0).count() == 1;
            assert_eq!(found.people.fully_disclosed[row], is_certain, "case {case}, row {row}");
            disclosed += usize::from(is_certain);
            if is_certain {
                assert_eq!(found.verdict, Verdict::Fail, "case {case}");
            }
        }
    }
    assert!(certified > 100 && disclosed > 100 && recovered > 50, "{certified} {disclosed} {recovered}");
}

/// `27/52` as a number.
fn fraction(text: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().expect("digits");
    text.split_once('/').map_or_else(|| number(text), |(above, below)| number(above) / number(below))
}

#[test]
fn medians_of_integers_tell_what_an_enumeration_says() {
    const RELEASES: [&str; 4] = [
        "people.groupby('ward').x.median()",
        "people.x.median()",
        "people.groupby('ward').x.agg('median') * 10 - 3",
        "(people.x * 2 + people.sex.isin(['f']) * 1).groupby(people.ward).median()",
    ];
    fn median(mut values: Vec<f64>) -> f64 {
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
    }
    let mut random = Random(23);
    let mut compared = 0;
    for case in 0..120 {
        let values = 2 + random.below(3);
        let people = People::random(&mut random, values);
        let release = case % RELEASES.len();
        let program = format!("def release(people):\n    return {{'m': {}}}\n", RELEASES[release]);
        let base = [0.0, 1.0, 2.0][random.below(3)];
        let figures = |x: &[usize]| -> Vec<f64> {
            let value = |row: usize| match release {
                3 => 2.0 * x[row] as f64 + f64::from(u8::from(people.sex[row] == 0)),
                _ => x[row] as f64,
            };
            let groups = (0..if release == 1 { 1 } else { 3 })
                .map(|ward| (0..x.len()).filter(|row| release == 1 || people.ward[*row] == ward).map(value).collect())
                .filter(|group: &Vec<f64>| !group.is_empty());
            let figures = groups.map(median).map(|median| if release == 2 { median * 10.0 - 3.0 } else { median });
            figures.map(|figure| if base > 0.0 { round_half_even(figure, base) } else { figure }).collect()
        };
        let wanted = figures(&people.secret);
        let mut posterior = vec![vec![0.0; values]; people.secret.len()];
        let mut evidence = 0.0;
        for (world, p) in people.worlds() {
            if figures(&world) == wanted {
                evidence += p;
                world.iter().enumerate().for_each(|(row, value)| posterior[row][*value] += p);
            }
        }
        let round = if base > 0.0 { vec![format!("{base}")] } else { Vec::new() };
        let found = run(&people, &program, values, DefenceTexts { round, ..DefenceTexts::default() });
        let published: Vec<f64> = found.figures.iter().map(|figure| figure.published).collect();
        assert_eq!(published, wanted, "case {case}");
        let discrete = found.people.discrete.as_ref().expect("a discrete secret");
        for (row, wanted) in posterior.iter().enumerate() {
            let known = discrete.of(row);
            assert!(matches!(known.certainty, Certainty::Certified(_)), "case {case}");
            for (value, p) in wanted.iter().enumerate() {
                let (found, wanted) = (known.posterior[value], p / evidence);
                assert!((found - wanted).abs() < 1e-10, "case {case}, row {row}: {found} for {wanted}\n{program}");
                assert_eq!(known.possible[value], *p > 0.0, "case {case}, row {row}");
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

fn ill(rows: &[(&str, &str, u8)]) -> String {
    let rows = rows.iter().map(|(ward, sex, ill)| format!("{ward},{sex},{ill}\n"));
    format!("ward,sex,ill\n{}", rows.collect::<String>())
}

pub fn of_table(csv: &str, secret: &str, prior: &str, returned: &str) -> Audit {
    let program = format!("import pandas as pd\n\ndef release(people):\n    return {returned}\n");
    let of_table = Input {
        tables: vec![("people".to_owned(), try_table(csv, Missing::AsPandas).expect("a table"))],
        secrets: vec![format!("people.{secret}")],
        priors: vec![prior.to_owned()],
        ..input(&program)
    };
    audit(&of_table, &Settings::default(), false, &|_| {})
        .unwrap_or_else(|refusal| panic!("{}", messages(&refusal).join("\n")))
}

pub fn rules(found: &Audit) -> Vec<(Rule, Verdict)> {
    found.reasons.iter().map(|reason| (reason.rule, reason.verdict)).collect()
}

#[test]
fn a_ward_where_everybody_is_ill_discloses_everybody() {
    let rows: Vec<(&str, &str, u8)> =
        (0..40).map(|row| (if row < 20 { "A" } else { "B" }, "f", u8::from(row < 20 || row % 2 == 0))).collect();
    let found = of_table(&ill(&rows), "ill", "Bernoulli(0.02)", "people.groupby('ward').ill.mean()");
    assert_eq!((found.verdict, found.disclosed()), (Verdict::Fail, 20));
    assert!(rules(&found).contains(&(Rule::FullDisclosure, Verdict::Fail)));
    assert!(rules(&found).contains(&(Rule::ClassDisclosure, Verdict::Fail)));
    // In the other ward half are: 10 of 20, whatever the prior.
    let discrete = found.people.discrete.as_ref().expect("discrete");
    assert_eq!(discrete.of(30).posterior, [0.5, 0.5]);
}

#[test]
fn the_difference_of_two_counts_discloses_the_one_who_is_only_in_the_larger() {
    let rows: Vec<(&str, &str, u8)> =
        (0..31).map(|row| ("A", if row == 0 { "m" } else { "f" }, u8::from(row % 3 == 0))).collect();
    let found = of_table(
        &ill(&rows),
        "ill",
        "Bernoulli(0.1)",
        "{'all': people.ill.sum(), 'women': people.ill[people.sex == 'f'].sum()}",
    );
    assert!(rules(&found).contains(&(Rule::Differencing, Verdict::Fail)));
    assert_eq!(found.disclosed(), 1);
    assert!(found.people.fully_disclosed[0]);
}

#[test]
fn a_table_that_is_too_wide_is_unknown_and_does_not_pass() {
    // Eighteen tables over random halves of 400 people: too many sums at once.
    let mut random = Random(3);
    let mut csv = String::from("x");
    (0..18).for_each(|table| csv.push_str(&format!(",g{table}")));
    csv.push('\n');
    for _ in 0..400 {
        csv.push_str(&random.below(2).to_string());
        (0..18).for_each(|_| csv.push_str(&format!(",{}", random.below(2))));
        csv.push('\n');
    }
    let tables: Vec<String> = (0..18).map(|table| format!("people.groupby('g{table}').x.sum()")).collect();
    let found = of_table(&csv, "x", "Bernoulli(0.5)", &format!("[{}]", tables.join(", ")));
    assert!(rules(&found).contains(&(Rule::Unknown, Verdict::Review)), "{:?}", rules(&found));
    assert!(found.verdict >= Verdict::Review);
}

#[test]
fn texts_and_booleans_are_secrets_too() {
    let csv = "ward,d,b\nA,flu,True\nA,none,False\nB,none,True\nB,HIV,True\n";
    let prior = "Categorical(people.d.value_counts(normalize=True))";
    let found = of_table(csv, "d", prior, "people.groupby('ward').d.value_counts().sort_index()");
    let discrete = found.people.discrete.as_ref().expect("discrete");
    assert_eq!(discrete.of(0).prior, [0.25, 0.25, 0.5]);
    assert_eq!(discrete.of(0).posterior, [0.0, 0.5, 0.5]);
    let found = of_table(csv, "b", "Bernoulli(0.5)", "(~people.b).sum()");
    assert_eq!(found.people.discrete.as_ref().expect("discrete").of(3).posterior, [0.25, 0.75]);
}
