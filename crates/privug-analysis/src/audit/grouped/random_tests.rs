//! Random scripts on random tables, person by person and by groups: the same figures, verdicts and reasons.

use super::tests::{Draws, Shape, compare_with, people, settings};
use super::weighted_tests::{Kind, weighted};
use crate::audit::*;

/// Writes scripts of figures about people who are chosen in ways that overlap.
struct Writer {
    draws: Draws,
    with_weights: bool,
}

impl Writer {
    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.draws.below(all.len() as u64) as usize]
    }

    fn condition(&mut self) -> String {
        match self.draws.below(5) {
            0 => format!("(p.region == 'r{}')", self.draws.below(4)),
            1 => format!("(p.region != 'r{}')", self.draws.below(4)),
            2 => format!("(p.age < {})", 20 + 10 * self.draws.below(4)),
            3 => "p.male".to_owned(),
            _ => format!("p.age.isin([{}, {}])", 20 + 10 * self.draws.below(3), 20 + 10 * self.draws.below(3)),
        }
    }

    fn chosen(&mut self) -> String {
        let one = self.condition();
        match self.draws.below(4) {
            0 => one,
            1 => format!("({one} | {})", self.condition()),
            2 => format!("({one} & {})", self.condition()),
            _ => format!("(~{one})"),
        }
    }

    fn figure(&mut self) -> String {
        let total = self.one_of(&["sum", "mean"]);
        if self.with_weights && self.draws.below(2) == 0 {
            let chosen = self.chosen();
            return match self.draws.below(3) {
                0 => format!("(p.income * p.weight)[{chosen}].sum()"),
                1 => format!("p.groupby('{}')['part'].sum()", self.one_of(&["region", "age", "male"])),
                _ => "(p.income * p.weight).sum()".to_owned(),
            };
        }
        match self.draws.below(9) {
            0 => format!("p.groupby('{}')['income'].{total}()", self.one_of(&["region", "age", "male"])),
            1 => format!("p.groupby(['region', 'male'])['income'].{total}()"),
            2 => format!("p.income.{total}()"),
            3 => format!("p.groupby(['age', '{}'])['income'].{total}()", self.one_of(&["region", "male"])),
            // Some people against others.
            4 => format!("(p.income * np.where({}, 1, -1)).{total}()", self.chosen()),
            5 => {
                let (one, other) = (self.chosen(), self.chosen());
                format!("p[{one}]['income'].{total}() - p[{other}]['income'].{total}()")
            }
            _ => format!("p[{}]['income'].{total}()", self.chosen()),
        }
    }

    fn script(&mut self) -> String {
        let figures: Vec<String> = (0..2 + self.draws.below(4)).map(|_| self.figure()).collect();
        let part = if self.with_weights { "    p['part'] = p.income * p.weight\n" } else { "" };
        format!("import numpy as np\n\ndef f(p):\n{part}    return {}\n", figures.join(", "))
    }
}

const PRIORS: &[&str] = &[
    "Normal(mean=40_000, std=12_000)",
    "Normal(expected, std=9_000)",
    "Normal(mean=Normal(40_000, std=5_000, per=age), variance=male * 3e7 + 6e7)",
];

fn try_scripts(first_seed: u64, count: u64, with_weights: bool) -> std::collections::BTreeSet<Verdict> {
    let mut verdicts = std::collections::BTreeSet::new();
    for seed in first_seed..first_seed + count {
        let mut writer = Writer { draws: Draws(seed), with_weights };
        let gaps = if writer.draws.below(3) == 0 { 9 } else { 0 };
        let shape = Shape {
            rows: [12, 40, 120, 300][writer.draws.below(4) as usize],
            regions: [1, 2, 3, 4, 9][writer.draws.below(5) as usize],
            gaps,
            no_region: 0,
            step: [1, 1, 1_000_000][writer.draws.below(3) as usize],
        };
        let table = match with_weights {
            false => people(seed, shape),
            true => {
                let kinds = [Kind::Continuous, Kind::Few, Kind::Signed, Kind::Skewed];
                weighted(seed, shape, kinds[writer.draws.below(4) as usize])
            }
        };
        let mut settings = settings(&Policy::default());
        if !with_weights && writer.draws.below(4) == 0 {
            let std_dev = [1, 1_000, 30_000][writer.draws.below(3) as usize];
            settings.defences.noise = vec![format!("normal(std={std_dev})")];
        }
        let prior = PRIORS[writer.draws.below(3) as usize];
        let (alone, _) = compare_with(&writer.script(), prior, table, &settings, false);
        verdicts.insert(alone.verdict);
    }
    verdicts
}

#[test]
fn tables_that_cross_are_looked_at_as_closely_by_groups() {
    let shape = Shape { rows: 6_000, regions: 90, gaps: 0, no_region: 0, step: 1 };
    let script = |total: &str| {
        let table = |keys: &str| format!("p.groupby([{keys}])['income'].{total}()");
        format!("def f(p):\n    return {}, {}\n", table("'region', 'male'"), table("'age', 'male'"))
    };
    // More figures than every two of which could be compared one by one.
    for (seed, total) in [(1, "mean"), (2, "sum")] {
        let (alone, together) =
            compare_with(&script(total), PRIORS[0], people(seed, shape), &settings(&Policy::default()), false);
        let is_open = |reason: &Reason| matches!(reason.finding, Finding::TooMuchWork | Finding::HiddenWeights);
        assert!(alone.figures.len() > 150 && !alone.reasons.iter().any(is_open));
        assert!(!together.reasons.iter().any(is_open));
    }
}

/// How many times as many scripts are tried: `PRIVUG_TESTS_TIMES` of them, 1 unless told.
fn times() -> u64 {
    std::env::var("PRIVUG_TESTS_TIMES").ok().and_then(|value| value.parse().ok()).unwrap_or(1)
}

#[test]
fn random_scripts_are_judged_alike_by_groups() {
    assert_eq!(try_scripts(1, 150 * times(), false).len(), 3);
}

#[test]
fn random_scripts_with_weights_of_their_own_are_judged_alike_by_groups() {
    assert_eq!(try_scripts(10_000, 120 * times(), true).len(), 3);
}
