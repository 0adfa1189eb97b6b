//! Weights of everybody's own, of which groups have the sums only, against audits of everybody alone.

use std::sync::Arc;

use super::tests::{Draws, Grouping, Shape, close, compare, grouped, input, people, settings};
use super::*;
use crate::audit::*;
use privug_tables::table::{Data, Table};

/// What the weights of a random table are like.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Nobody has another's.
    Continuous,
    /// Most are one of three, so that groups with one, two and three come up.
    Few,
    /// Below, above and at 0, or missing.
    Signed,
    /// One person has nearly all of it.
    Skewed,
}

pub(super) fn weighted(seed: u64, shape: Shape, kind: Kind) -> Table {
    let table = people(seed, shape);
    let mut draws = Draws(seed + 77);
    let mut unit = || draws.below(1 << 30) as f64 / (1u64 << 30) as f64;
    let weight = |_| match kind {
        Kind::Continuous => 0.5 + 3.0 * unit(),
        Kind::Few => [0.5, 1.25, 2.0][(unit() * 2.999) as usize],
        Kind::Signed => match (unit() * 5.0) as u32 {
            0 => 0.0,
            1 => f64::NAN,
            2 => -unit() - 0.125,
            _ => unit() + 0.125,
        },
        Kind::Skewed => {
            if unit() < 0.03 {
                1e4 * (1.0 + unit())
            } else {
                1.0 + 1e-3 * unit()
            }
        }
    };
    let weights: Vec<f64> = (0..shape.rows).map(weight).collect();
    let mut columns: Vec<(String, Data)> =
        table.columns().iter().map(|column| (column.name().to_owned(), column.data().clone())).collect();
    columns.push(("weight".to_owned(), Data::Numbers(Arc::new(weights))));
    Table::from_columns(columns, shape.rows).expect("a table")
}

const SCRIPTS: &[&str] = &[
    "def f(p):\n    return (p.income * p.weight).sum(), p.income.sum(), len(p)\n",
    "def f(p):\n    p['part'] = p.weight * p.income\n    return p.groupby('region')['part'].sum(), p.groupby('region')['weight'].sum()\n",
    "def f(p):\n    p['part'] = p.weight * p.income\n    t = p.groupby(['region', 'male'])[['part', 'weight']].sum()\n    return t['part'] / t['weight'], p.groupby('age')['income'].mean()\n",
    "import numpy as np\ndef f(p):\n    k = p[p.weight.notna()]\n    k = k[k.income.notna()]\n    return {r: np.average(k[k.age == r].income, weights=k[k.age == r].weight) for r in [20, 30, 40]}\n",
    "def f(p):\n    old = p[p.age > 25]\n    return (old.income * old.weight).sum() / 100, (p.income * 0.3 * p.weight).sum(), p.weight.mean()\n",
    "def f(p):\n    return ((p.income - 1000) * (p.weight / 2)).sum(), (p.income * p.weight * 3).sum(), (p.weight * p.age * p.income).sum()\n",
    "def f(p):\n    part = p.income * p.weight\n    return part[p.male].sum(), part[~p.male].sum(), part.sum()\n",
];

const PRIORS: &[&str] = &[
    "Normal(mean=40_000, std=12_000)",
    "Normal(base, variance=male * 3e7 + 6e7)",
    "Normal(expected, std=9_000)",
    "Normal(mean=Normal(40_000, std=5_000, per=age), variance=male * 3e7 + 6e7)",
];

#[test]
fn sums_of_weights_give_the_audit_of_everybody_alone() {
    let shapes = [
        Shape { rows: 240, regions: 3, gaps: 0, no_region: 0, step: 1 },
        Shape { rows: 60, regions: 6, gaps: 9, no_region: 0, step: 1 },
        Shape { rows: 30, regions: 8, gaps: 0, no_region: 10, step: 100 },
    ];
    let mut verdicts = std::collections::BTreeSet::new();
    let mut seed = 40;
    for (place, program) in SCRIPTS.iter().enumerate() {
        for shape in shapes {
            for (at, kind) in [Kind::Continuous, Kind::Few, Kind::Signed, Kind::Skewed].into_iter().enumerate() {
                seed += 1;
                let prior = PRIORS[(place + at + seed as usize) % PRIORS.len()];
                // Weights of both signs may add up to nearly nothing, which is no mean.
                let is_mean = program.contains("/ t[") || program.contains("average");
                if matches!(kind, Kind::Signed) && is_mean {
                    continue;
                }
                let (alone, _) = compare(program, prior, weighted(seed, shape, kind), &Policy::default(), false);
                verdicts.insert(alone.verdict);
            }
        }
    }
    assert_eq!(verdicts.len(), 3, "{verdicts:?}");
}

#[test]
fn rules_with_other_thresholds_give_the_same_audit_of_weights() {
    let bits = Thresholds { review: Some(0.01), fail: Some(0.2) };
    let policy = Policy {
        mutual_information_bits: bits,
        relative_std: Thresholds { review: Some(0.99), fail: Some(0.9) },
        near_truth_gain: 0.01,
        near_truth_percent: 5.0,
        ..Policy::default()
    };
    let shape = Shape { rows: 150, regions: 8, gaps: 7, no_region: 0, step: 1 };
    for (place, program) in SCRIPTS.iter().enumerate() {
        for (at, kind) in [Kind::Continuous, Kind::Few, Kind::Skewed].into_iter().enumerate() {
            let table = weighted(700 + 10 * place as u64 + at as u64, shape, kind);
            compare(program, PRIORS[(place + at) % PRIORS.len()], table, &policy, false);
        }
    }
}

/// In two people's sums with and without weights, both follow; so does the one of many whose weight is another than that of all others.
#[test]
fn whoever_is_told_by_two_sums_is_told_by_the_sums_of_groups() {
    for weights in [vec![1.0, 2.0], vec![1.0, 1.0, 1.0, 5.5], vec![1.0, 2.0, 3.0]] {
        let rows = weights.len();
        let columns = vec![
            (
                "income".to_owned(),
                Data::Numbers(Arc::new((0..rows).map(|row| 30_000.0 + 1234.0 * row as f64).collect())),
            ),
            ("weight".to_owned(), Data::Numbers(Arc::new(weights))),
        ];
        let table = Table::from_columns(columns, rows).expect("a table");
        let program = "def f(p):\n    return (p.income * p.weight).sum(), p.income.sum()\n";
        let policy = Policy { interval_percent: Thresholds::default(), ..Policy::default() };
        let (alone, together) = compare(program, PRIORS[0], table, &policy, false);
        // All of two, the last of four, and nobody of three.
        assert_eq!(
            [alone.disclosed(), together.disclosed()],
            [match rows {
                2 => 2,
                4 => 1,
                _ => 0,
            }; 2]
        );
    }
}

#[test]
fn what_is_not_linear_in_the_weights_is_refused() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    let mut accepted = Vec::new();
    for body in [
        "return (p.income * p.weight ** 2).sum()",
        "return (p.income * p.weight * p.weight).sum()",
        "return (p.income / p.weight).sum()",
        "return p[p.weight > 1].income.sum()",
        "return (p.income * (p.weight > 1)).sum()",
        "return p.groupby('weight').income.sum()",
        "return p.weight.max(), p.income.sum()",
        "return p.weight.median(), p.income.sum()",
        "return p.weight.std(), p.income.sum()",
        "return p.weight.nunique(), p.income.sum()",
        "return list(p.weight), p.income.sum()",
        "return (p.income * p.weight.round()).sum()",
        "return (p.income * p.weight.rank()).sum()",
        "return (p.income * p.weight.clip(0, 1)).sum()",
        "return (p.income * p.weight.map({1: 2})).sum()",
        "return p.sort_values('weight').income.sum()",
        "import numpy as np\n    return (p.income * np.sqrt(p.weight)).sum()",
        "import numpy as np\n    return (p.income * np.where(p.male, p.weight, 1)).sum()",
        "import pandas as pd\n    return p.groupby(pd.cut(p.weight, [0, 1, 9])).income.sum()",
        "return ((p.income - p.groupby('region').income.transform('mean')) * p.weight).sum()",
        "return p.pivot_table(values='income', index='weight')",
        "return p.drop_duplicates('weight').income.sum()",
        "return p.weight.value_counts(), p.income.sum()",
        "return p.weight, p.income.sum()",
        "return (p.income * p.weight.astype(int)).sum()",
        "return p[p.weight.between(0, 1)].income.sum()",
        "return p[p.weight.isin([1.0])].income.sum()",
        "return (p.weight * p.weight).sum(), p.income.sum()",
        "return p.weight.cumsum().sum(), p.income.sum()",
        "return (p.income * p.weight // 2).sum()",
        "return (p.income * p.weight.abs()).sum()",
    ] {
        let program = format!("def f(p):\n    {body}\n");
        let input = input(&program, PRIORS[0], weighted(3, shape, Kind::Continuous));
        let Grouping { groups, names, .. } = grouped(&input);
        assert!(groups.weights.is_some(), "{body}");
        let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
        let refused = audit(&together, &settings(&Policy::default()), false, &|_| {});
        if refused.is_ok() {
            accepted.push(body);
        }
    }
    assert_eq!(accepted, [""; 0]);
}

#[test]
fn a_prior_that_looks_at_the_weights_is_refused_and_so_are_exact_numbers() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    for (prior, exact) in [("Normal(40_000, variance=weight * 1e7)", false), ("Normal(40_000, variance=1e7)", true)] {
        let input = input(SCRIPTS[0], prior, weighted(3, shape, Kind::Continuous));
        let Grouping { groups, names, .. } = grouped(&input);
        let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
        let refusal = audit(&together, &settings(&Policy::default()), exact, &|_| {}).expect_err(prior);
        assert_eq!(refusal.diagnostics[0].code.id(), "P830", "{prior}");
    }
}

/// Everybody's weight in a difference of a weighted and a plain sum is neither the same nor a multiple of w: what is not known
/// is bounded, and never on the side that passes.
#[test]
fn mixed_weights_are_bounded_on_the_safe_side() {
    let program = "def f(p):\n    return (p.income * (p.weight + 2)).sum(), p.groupby('region').apply(lambda g: (g.income * g.weight).sum() - g.income.sum())\n";
    let program = &program[..program.find(", p.groupby").expect("a part")];
    let program = format!("{program}, (p.income * p.weight).sum() - p.income.sum()\n");
    for seed in 0..40 {
        let shape = Shape { rows: 4 + seed as usize, regions: 2, gaps: 0, no_region: 0, step: 1 };
        let input = input(&program, PRIORS[0], weighted(seed, shape, Kind::Continuous));
        let alone = audit(&input, &settings(&Policy::default()), false, &|_| {}).expect("alone");
        let Grouping { groups, names, of_rows } = grouped(&input);
        let members: Arc<dyn Members> = of_rows;
        let together = GroupedInput::new(input, 0, groups, &names, Some(members)).expect("a table");
        let together = audit(&together, &settings(&Policy::default()), false, &|_| {}).expect("together");
        // Whether differences are about few people is open, where sums of weights do not tell who has which: that does not pass.
        let is_open = together.reasons.iter().any(|reason| matches!(reason.finding, Finding::HiddenWeights));
        assert!(together.verdict >= alone.verdict || (is_open && together.verdict != Verdict::Pass));
        for (one, other) in alone.figures.iter().zip(&together.figures) {
            assert!(other.verdict >= one.verdict && close(one.value, other.value), "{}", one.name);
            assert!(other.contributions.total <= one.contributions.total * (1.0 + 1e-9));
            assert!(other.contributions.contributors <= one.contributions.contributors);
        }
    }
}
