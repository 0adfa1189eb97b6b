//! Audits by groups against audits of everybody alone, on random tables.

use std::sync::Arc;

use super::*;
use crate::audit::*;
use privug_engine::evaluate::Limits;
use privug_tables::register::{Grouper, Groups, MAX_GROUPS, OwnColumns, Rows};
use privug_tables::table::{Data, Table, coded};

/// A small generator of numbers, the same each time.
pub(super) struct Draws(pub(super) u64);

impl Draws {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

/// What a random table is like.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) rows: usize,
    pub(super) regions: u64,
    /// One in so many secrets is missing; 0 for none.
    pub(super) gaps: u64,
    /// One in so many regions is missing.
    pub(super) no_region: u64,
    /// Secrets are multiples of this many cents.
    pub(super) step: u64,
}

pub(super) fn people(seed: u64, shape: Shape) -> Table {
    let mut draws = Draws(seed);
    let (mut regions, mut sexes, mut ages, mut bases, mut incomes, mut ids, mut expected) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for id in 0..shape.rows {
        let region = draws.below(shape.regions);
        regions.push((shape.no_region == 0 || draws.below(shape.no_region) > 0).then(|| format!("r{region}")));
        sexes.push(draws.below(2) == 0);
        ages.push(20 + 10 * draws.below(3) as i64);
        bases.push(25_000.0 + 5000.0 * region as f64);
        let income = (1_000_000 + draws.below(6_000_000)) / shape.step * shape.step;
        let is_missing = shape.gaps > 0 && draws.below(shape.gaps) == 0;
        incomes.push(if is_missing { f64::NAN } else { income as f64 / 100.0 });
        ids.push(id as i64);
        // Some are the same for many, some below 0, and most nobody else's.
        expected.push(match draws.below(5) {
            0 => 40_000.0,
            1 => -1e-3 * draws.below(1_000) as f64,
            _ => 20_000.0 + draws.below(1 << 30) as f64 / 27_000.0,
        });
    }
    let (codes, labels) = coded(regions.into_iter());
    let columns = vec![
        ("id", Data::Integers(Arc::new(ids))),
        ("region", Data::Texts { codes: Arc::new(codes), labels: Arc::new(labels) }),
        ("male", Data::Booleans(Arc::new(sexes))),
        ("age", Data::Integers(Arc::new(ages))),
        ("base", Data::Numbers(Arc::new(bases))),
        ("income", Data::Numbers(Arc::new(incomes))),
        ("expected", Data::Numbers(Arc::new(expected))),
    ];
    let columns = columns.into_iter().map(|(name, data)| (name.to_owned(), data)).collect();
    Table::from_columns(columns, shape.rows).expect("a table")
}

pub(super) fn input(program: &str, prior: &str, table: Table) -> Input {
    Input {
        attacker: Default::default(),
        path: "release.py".to_owned(),
        program: program.to_owned(),
        function: None,
        tables: vec![("p".to_owned(), table)],
        secrets: vec!["p.income".to_owned()],
        priors: vec![prior.to_owned()],
        person: None,
        limits: Limits::default(),
        cancelled: None,
    }
}

/// People in the memory.
#[derive(Debug)]
pub(super) struct InMemory(Rows);

impl Members for InMemory {
    fn visit(&self, each: &mut dyn FnMut(&Rows)) -> Result<(), String> {
        let Rows { groups, secrets, prior_means, weights } = &self.0;
        for (place, (groups, secrets)) in groups.chunks(7).zip(secrets.chunks(7)).enumerate() {
            let own =
                |all: &Option<Vec<f64>>| all.as_ref().map(|all| all[7 * place..7 * place + groups.len()].to_vec());
            let (prior_means, weights) = (own(prior_means), own(weights));
            each(&Rows { groups: groups.to_vec(), secrets: secrets.to_vec(), prior_means, weights });
        }
        Ok(())
    }
}

pub(super) struct Grouping {
    pub(super) groups: Arc<Groups>,
    pub(super) of_rows: Arc<InMemory>,
    pub(super) names: Vec<String>,
}

/// Groups a table by the columns that are read, as the register does it.
pub(super) fn grouped(input: &Input) -> Grouping {
    let table = &input.tables[0].1;
    let names: Vec<String> = table.columns().iter().map(|column| column.name().to_owned()).collect();
    let mut read = columns_read(&input.program, &input.priors, &names);
    if !read.contains(&"income".to_owned()) {
        read.push("income".to_owned());
    }
    let part = table.columns().iter().filter(|column| read.contains(&column.name().to_owned()));
    let part: Vec<(String, Data)> = part.map(|column| (column.name().to_owned(), column.data().clone())).collect();
    let part = Table::from_columns(part, table.row_count()).expect("a part");
    let kept: Vec<String> = part.columns().iter().map(|column| column.name().to_owned()).collect();
    let secret = kept.iter().position(|name| name == "income").expect("the secret");
    let own = own_prior_means(&input.program, &input.priors, &names, &[]);
    let prior_means = own.and_then(|own| kept.iter().position(|name| *name == own));
    // A column of that name is never grouped by here.
    let weights = kept.iter().position(|name| name == "weight");
    let mut grouper = Grouper::new(&kept, secret, OwnColumns { prior_means, weights }, MAX_GROUPS);
    grouper.add(&part).expect("grouped");
    let unread = names.iter().filter(|name| !kept.contains(name)).cloned().collect();
    let groups = Arc::new(grouper.finish(unread).expect("groups"));
    let of_rows = grouper.groups_of(&part).expect("the same groups");
    Grouping { groups, of_rows: Arc::new(InMemory(of_rows)), names }
}

pub(super) fn settings(policy: &Policy) -> Settings {
    Settings { policy: policy.clone(), top: 5, ..Settings::default() }
}

pub(super) fn close(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) + 1e-12
}

/// The reasons of an audit. People are told by their numbers, and of a group somebody is: that is left out.
fn told(audit: &Audit) -> Vec<(Rule, Verdict, usize, Finding)> {
    let finding = |reason: &Reason| match &reason.finding {
        Finding::People(_) => Finding::People(Vec::new()),
        Finding::GroupSize { people, from, .. } => {
            Finding::GroupSize { people: *people, whom: Vec::new(), from: from.clone() }
        }
        Finding::Difference { people, against, outer, inner, is_combined, broken, .. } => Finding::Difference {
            people: *people,
            whom: Vec::new(),
            against: *against,
            outer: *outer,
            inner: inner.clone(),
            is_combined: *is_combined,
            broken: broken.clone(),
        },
        other => other.clone(),
    };
    audit.reasons.iter().map(|reason| (reason.rule, reason.verdict, reason.count, finding(reason))).collect()
}

/// Audits both ways and compares everything.
pub(super) fn compare(program: &str, prior: &str, table: Table, policy: &Policy, exact: bool) -> (Audit, Audit) {
    compare_with(program, prior, table, &settings(policy), exact)
}

/// How many people are not outweighed is bounded where sums of weights do not tell who has which.
fn is_bound(is_weighed: bool, rule: Rule) -> bool {
    is_weighed && rule == Rule::MinimumFrequency
}

/// The same with all settings.
pub(super) fn compare_with(
    program: &str,
    prior: &str,
    table: Table,
    settings: &Settings,
    exact: bool,
) -> (Audit, Audit) {
    let input = input(program, prior, table);
    // How many values are near a bound is not in the groups: that is compared by itself.
    let policy = Policy { near_bound: Thresholds::default(), ..settings.policy.clone() };
    let settings = &Settings { policy, ..settings.clone() };
    let alone = audit(&input, settings, exact, &|_| {}).unwrap_or_else(|refusal| {
        panic!("{program}: {:?}", refusal.diagnostics.iter().map(|one| &one.message).collect::<Vec<_>>())
    });
    let Grouping { groups, of_rows, names } = grouped(&input);
    let members: Arc<dyn Members> = of_rows.clone();
    let together = GroupedInput::new(input.clone(), 0, groups.clone(), &names, Some(members)).expect("a table");
    let together = audit(&together, settings, exact, &|_| {}).unwrap_or_else(|refusal| {
        panic!("{program}: {:?}", refusal.diagnostics.iter().map(|one| &one.message).collect::<Vec<_>>())
    });
    let is_open = |reason: &&Reason| {
        reason.rule == Rule::Differencing && matches!(reason.finding, Finding::TooMuchWork | Finding::HiddenWeights)
    };
    if together.reasons.iter().any(|reason| is_open(&reason)) {
        // Sums of weights do not tell who has which: what different weights leave of few people is open, which does not pass. Where
        // there are too many differences to look at, both ways find some of them.
        let is_weighed = names.iter().any(|name| name == "weight");
        assert!(is_weighed || alone.reasons.iter().any(|reason| is_open(&reason)), "{program}");
        assert_ne!(together.verdict, Verdict::Pass, "{program}");
        let others = |audit: &Audit| {
            let is_compared = |rule: Rule| rule != Rule::Differencing && !is_bound(is_weighed, rule);
            told(audit).into_iter().filter(|(rule, ..)| is_compared(*rule)).collect::<Vec<_>>()
        };
        assert_eq!(others(&alone), others(&together), "{program} {prior}");
    } else {
        // People alone are also compared in units of their weights, which finds the same again in other ways.
        let is_weighed = names.iter().any(|name| name == "weight");
        let uncounted = |audit: &Audit| {
            let mut reasons = told(audit);
            reasons.retain(|(rule, ..)| !is_bound(is_weighed, *rule));
            let counts = reasons.iter_mut().filter(|(rule, ..)| is_weighed && *rule == Rule::Differencing);
            counts.for_each(|(_, _, count, _)| *count = 0);
            reasons
        };
        assert_eq!(uncounted(&alone), uncounted(&together), "{program} {prior}");
        assert!(alone.verdict == together.verdict || (is_weighed && alone.verdict < together.verdict), "{program}");
    }
    let is_weighed = names.iter().any(|name| name == "weight");
    for verdict in [Verdict::Pass, Verdict::Review, Verdict::Fail] {
        assert_eq!(alone.count(verdict), together.count(verdict), "{program}");
    }
    assert_eq!(
        (alone.disclosed(), alone.persons.with_secret()),
        (together.disclosed(), together.persons.with_secret())
    );
    assert_eq!(alone.persons.table_rows(), together.persons.table_rows());
    assert!(close(alone.log_evidence_nats, together.log_evidence_nats), "{program}");
    assert_eq!(alone.figures.len(), together.figures.len(), "{program}");
    for (one, other) in alone.figures.iter().zip(&together.figures) {
        assert_eq!((&one.name, &one.status), (&other.name, &other.status), "{program}");
        let compared = |broken: &[(Rule, Verdict)]| -> Vec<(Rule, Verdict)> {
            broken.iter().copied().filter(|(rule, _)| !is_bound(is_weighed, *rule)).collect()
        };
        assert_eq!(compared(&one.broken), compared(&other.broken), "{program}");
        let few = |broken: &[(Rule, Verdict)]| broken.iter().find(|(rule, _)| *rule == Rule::MinimumFrequency).copied();
        assert!(few(&one.broken) <= few(&other.broken), "{program}: {}", one.name);
        assert_eq!(one.contributions.contributors, other.contributions.contributors, "{program}: {}", one.name);
        assert_eq!(one.contributions.homogeneous, other.contributions.homogeneous, "{program}: {}", one.name);
        // Of people against others little may be left: values are rounded as what they are added up from.
        let size = one.contributions.total;
        for (name, a, b) in [("value", one.value, other.value), ("published", one.published, other.published)] {
            assert!(close(a, b) || (a - b).abs() <= 1e-14 * size, "{program}: {}: {name} {a} and {b}", one.name);
        }
        for (name, a, b) in [
            ("z", one.z, other.z),
            ("noise", one.noise_std, other.noise_std),
            ("total", one.contributions.total, other.contributions.total),
            ("weight", one.contributions.largest_weight, other.contributions.largest_weight),
        ] {
            assert!(close(a, b), "{program}: {}: {name} {a} and {b}", one.name);
        }
        assert_eq!(one.contributions.largest.len(), other.contributions.largest.len());
        for ((_, a), (_, b)) in one.contributions.largest.iter().zip(&other.contributions.largest) {
            assert!(close(*a, *b), "{program}: {}", one.name);
        }
    }
    // Everybody's own numbers, in the second pass.
    let (places, people) = GroupedPeople::new(&together).expect("by groups").of(&of_rows.0);
    assert_eq!(places.len(), alone.people.len(), "{program}");
    for (entry, place) in places.iter().enumerate() {
        assert_eq!(alone.persons.row(entry), *place);
        let (a, b) = (&alone.people, &people);
        assert_eq!((a.verdict[entry], a.fully_disclosed[entry]), (b.verdict[entry], b.fully_disclosed[entry]));
        assert_eq!((a.figures[entry], a.smallest_frequency[entry]), (b.figures[entry], b.smallest_frequency[entry]));
        for (name, one, other) in [
            ("truth", &a.truth, &b.truth),
            ("mean before", &a.prior_mean, &b.prior_mean),
            ("variance before", &a.prior_variance, &b.prior_variance),
            ("variance", &a.posterior_variance, &b.posterior_variance),
            ("reduction", &a.variance_reduction, &b.variance_reduction),
            ("bits", &a.mutual_information_bits, &b.mutual_information_bits),
            ("relative std", &a.relative_std, &b.relative_std),
            ("near before", &a.near_truth_prior, &b.near_truth_prior),
        ] {
            let (one, other) = (one[entry], other[entry]);
            assert!(close(one, other), "{program}: row {place}: {name} {one} and {other}");
        }
        // What is published is rounded, and with exact numbers means move by some 1e-9 of a standard deviation; by 2⁻²⁰ they may. A
        // probability moves with the mean by the density, at most 0.4 at each end of the interval for every standard deviation.
        let moved = (a.posterior_mean[entry] - b.posterior_mean[entry]).abs() / a.posterior_variance[entry].sqrt();
        let (one, other) = (a.posterior_mean[entry], b.posterior_mean[entry]);
        assert!(close(one, other) || moved <= 1e-7, "{program}: row {place}: mean {one} and {other}, moved by {moved}");
        let (one, other) = (a.near_truth_posterior[entry], b.near_truth_posterior[entry]);
        let is_near = close(one, other) || (one - other).abs() <= 0.8 * moved + 1e-12;
        assert!(is_near, "{program}: row {place}: near {one} and {other}, moved by {moved}");
    }
    // Without anybody's own value nothing gets better.
    let bounded = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
    let bounded = audit(&bounded, settings, exact, &|_| {}).expect("an audit");
    assert!(bounded.verdict >= alone.verdict, "{program}");
    assert!(bounded.count(Verdict::Fail) >= alone.count(Verdict::Fail), "{program}");
    assert!(bounded.count(Verdict::Pass) <= alone.count(Verdict::Pass), "{program}");
    (alone, together)
}

const SCRIPTS: &[&str] = &[
    "def f(p):\n    return p.groupby('region')['income'].mean()\n",
    "def f(p):\n    return p.income.sum(), len(p), p.groupby(['region', 'male'])['income'].sum(), p.groupby('age').size()\n",
    "def f(p):\n    old = p[p.age > 25]\n    return {'old': old.income.mean(), 'all': p.income.mean(), 'n': old.shape[0]}\n",
    "def f(p):\n    p['taxed'] = p.income * 0.3 - 100\n    return p.groupby('region').taxed.mean(), p.income.mean()\n",
    "def f(p):\n    return p.pivot_table(values='income', index='region', columns='male', aggfunc='mean', margins=True)\n",
    "def f(p):\n    return p.region.value_counts(), p.income.count(), p.age.mean()\n",
    "import numpy as np\ndef f(p):\n    w = np.where(p.male, 2, 1)\n    return np.average(p.income, weights=w), (p.income * w).sum()\n",
    "def f(p):\n    gap = p.income - p.groupby('region')['income'].transform('mean')\n    return gap[p.male].sum()\n",
    "def f(p):\n    out = {}\n    for r in p.region.dropna().unique():\n        out[r] = p[(p.region == r) & (p.age == 20)].income.sum()\n    return out\n",
    "def f(p):\n    return p.groupby('region').agg(n=('income', 'size'), mean=('income', 'mean'), known=('income', 'count'))\n",
    "def f(p):\n    known = p[p.income.notna()]\n    return known.income.mean(), known[known.male].income.sum(), known.age.min()\n",
    "import pandas as pd\ndef f(p):\n    return pd.crosstab(p.region, p.age), pd.crosstab(p.age, p.male, values=p.income, aggfunc='sum')\n",
    "def f(p):\n    return [g.income.mean() for _, g in p.groupby('age')], p.income.fillna(30000).mean()\n",
    // Three totals of which each two overlap tell that of each part.
    "def f(p):\n    t = p.age.isin([20, 30])\n    return p[t].income.sum(), p[p.age >= 30].income.sum(), p[p.age.isin([20, 40])].income.sum()\n",
    "def f(p):\n    return p[p.male | (p.age == 20)].income.sum(), p[~p.male | (p.age == 30)].income.sum(), p[p.male | (p.age == 30)].income.sum(), p[p.age > 20].income.sum()\n",
];

const PRIORS: &[&str] = &[
    "Normal(mean=40_000, std=12_000)",
    "Normal(base, std=9_000)",
    "Normal(base + 0, std=9_000)",
    "Normal(expected, std=9_000)",
    "Normal(mean=expected, variance=male * 3e7 + 6e7)",
    "Normal(mean=Normal(40_000, std=5_000, per=age), variance=male * 3e7 + 6e7)",
    "0.5 * Normal(80_000, std=20_000) + 100",
    "Normal(income.mean(), std=income.std())",
];

#[test]
fn groups_and_people_alone_give_the_same_audit() {
    let shapes = [
        Shape { rows: 300, regions: 4, gaps: 0, no_region: 0, step: 1 },
        Shape { rows: 80, regions: 12, gaps: 9, no_region: 0, step: 1 },
        Shape { rows: 40, regions: 25, gaps: 0, no_region: 10, step: 100 },
        Shape { rows: 200, regions: 3, gaps: 5, no_region: 7, step: 1_000_000 },
    ];
    let mut seed = 1;
    let mut verdicts = std::collections::BTreeSet::new();
    for program in SCRIPTS {
        for shape in shapes {
            for prior in PRIORS {
                seed += 1;
                let (alone, _) = compare(program, prior, people(seed, shape), &Policy::default(), false);
                verdicts.insert(alone.verdict);
            }
        }
    }
    // The tables are such that every verdict comes up.
    assert_eq!(verdicts.len(), 3);
}

#[test]
fn exact_arithmetic_gives_the_same_audit() {
    let shape = Shape { rows: 30, regions: 4, gaps: 6, no_region: 0, step: 1 };
    for (seed, program) in SCRIPTS.iter().enumerate() {
        compare(program, PRIORS[seed % 6], people(seed as u64 + 500, shape), &Policy::default(), true);
    }
}

#[test]
fn rules_with_other_thresholds_give_the_same_audit() {
    let sharp = |gain: f64, percent: f64| Policy {
        near_truth_gain: gain,
        near_truth_percent: percent,
        dominance_largest: 3,
        ..Policy::default()
    };
    let shape = Shape { rows: 150, regions: 8, gaps: 0, no_region: 0, step: 1 };
    for (place, policy) in [sharp(0.0, 10.0), sharp(0.01, 3.0), sharp(0.3, 30.0)].iter().enumerate() {
        for (seed, program) in SCRIPTS.iter().enumerate().take(5) {
            let prior = PRIORS[(seed + place) % 7];
            compare(program, prior, people(900 + 10 * seed as u64 + place as u64, shape), policy, false);
        }
    }
}

#[test]
fn what_groups_cannot_tell_is_refused_and_not_guessed() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    for (body, code) in [
        ("return list(p.income)", "P830"),
        ("return p.income", "P830"),
        ("return p[['region', 'income']]", "P830"),
        ("return p.mean(numeric_only=True)", "P830"),
        ("return p.dropna().income.mean()", "P830"),
        ("return p.groupby('region').mean()", "P830"),
        ("return p.income.cumsum()", "P830"),
        ("return p.age.median(), p.income.mean()", "P830"),
        ("return p.income[0]", "P830"),
        ("return (p.income * [1, 2, 3, 4, 5, 6]).sum()", "P803"),
        ("return sum(x for x in p.income)", "P830"),
        ("return p['in' + 'come'].mean(), p['i' + 'd'].max()", "P830"),
        ("return p.size, p.income.mean()", "P830"),
    ] {
        let program = format!("def f(p):\n    {body}\n");
        let input = input(&program, PRIORS[0], people(3, shape));
        let Grouping { groups, names, .. } = grouped(&input);
        let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
        let refusal = audit(&together, &settings(&Policy::default()), false, &|_| {}).expect_err(body);
        assert_eq!(refusal.diagnostics[0].code.id(), code, "{body}: {}", refusal.diagnostics[0].message);
    }
}

#[test]
fn a_prior_that_knows_everybodys_own_value_is_refused() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    for prior in ["Normal(income, 100)", "Normal(income.round(-3), 100)", "Normal((income / 2).mean(), 100)"] {
        let input = input(SCRIPTS[0], prior, people(3, shape));
        let Grouping { groups, names, .. } = grouped(&input);
        let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
        let refusal = audit(&together, &settings(&Policy::default()), false, &|_| {}).expect_err(prior);
        assert_eq!(refusal.diagnostics[0].code.id(), "P830", "{prior}");
    }
}

#[test]
fn more_of_the_largest_than_are_kept_are_refused() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    let input = input(SCRIPTS[0], PRIORS[0], people(3, shape));
    let Grouping { groups, names, .. } = grouped(&input);
    let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
    let policy = Policy { dominance_largest: 4, ..Policy::default() };
    let refusal = audit(&together, &settings(&policy), false, &|_| {}).expect_err("too many");
    assert_eq!(refusal.diagnostics[0].code.id(), "P830");
}

#[test]
fn own_prior_means_are_added_up_and_not_grouped_by() {
    let shape = Shape { rows: 400, regions: 3, gaps: 0, no_region: 0, step: 1 };
    let prior = "Normal(expected, std=9_000)";
    let by = |program: &str| grouped(&input(program, prior, people(5, shape))).groups;
    let groups = by(SCRIPTS[0]);
    assert_eq!((groups.len(), groups.prior_means.as_ref().map(|(name, _)| name.as_str())), (3, Some("expected")));
    let table = people(5, shape);
    let expected = table.columns().iter().find(|column| column.name() == "expected").expect("a column");
    let total: f64 = (0..400).filter_map(|row| expected.data().number(row)).sum();
    let sums = groups.prior_means.as_ref().expect("sums").1.iter().flatten();
    assert!((sums.map(|sum| sum.high + sum.low).sum::<f64>() - total).abs() < 1e-6);
    // A script that looks at the column needs everybody's own.
    assert!(by("def f(p):\n    return p[p.expected > 0].income.mean()\n").len() > 200);
}

#[test]
fn a_script_that_finds_the_prior_means_under_a_made_up_name_is_refused() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    for body in ["p['expec' + 'ted'].mean()", "p[p['expec' + 'ted'] > 0].income.mean()"] {
        let program = format!("def f(p):\n    return p.income.sum(), {body}\n");
        let input = input(&program, "Normal(expected, std=9_000)", people(3, shape));
        let Grouping { groups, names, .. } = grouped(&input);
        let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
        let refusal = audit(&together, &settings(&Policy::default()), false, &|_| {}).expect_err(body);
        assert_eq!(refusal.diagnostics[0].code.id(), "P830", "{body}");
    }
}

/// Groups may come from a plan that was made for another prior or script.
#[test]
fn sums_of_prior_means_serve_no_other_prior_and_no_other_script() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    let Grouping { groups, names, .. } = grouped(&input(SCRIPTS[0], "Normal(expected, std=9_000)", people(3, shape)));
    let looks = "def f(p):\n    return p[p.expected > 0].income.mean()\n";
    for (script, prior) in [
        (SCRIPTS[0], "Normal(1.02 * expected, std=9_000)"),
        (SCRIPTS[0], "Normal(expected, std=0.1 * expected)"),
        (looks, "Normal(expected, std=9_000)"),
    ] {
        let other = input(script, prior, people(3, shape));
        let together = GroupedInput::new(other, 0, groups.clone(), &names, None).expect("a table");
        let refusal = audit(&together, &settings(&Policy::default()), false, &|_| {}).expect_err(prior);
        assert_eq!(refusal.diagnostics[0].code.id(), "P830", "{script} {prior}");
    }
}

#[test]
fn somebody_without_a_prior_mean_is_refused_in_both_ways() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    let table = people(3, shape);
    let columns = table.columns().iter().map(|column| {
        let data = match column.data() {
            Data::Numbers(values) if column.name() == "expected" => {
                let mut values = values.to_vec();
                values[7] = f64::NAN;
                Data::Numbers(Arc::new(values))
            }
            other => other.clone(),
        };
        (column.name().to_owned(), data)
    });
    let table = Table::from_columns(columns.collect(), 60).expect("a table");
    let input = input(SCRIPTS[0], "Normal(expected, std=9_000)", table);
    let code = |refusal: privug_language::diagnostic::Refusal| refusal.diagnostics[0].code.id();
    let alone = audit(&input, &settings(&Policy::default()), false, &|_| {}).map_err(code).expect_err("no mean");
    let Grouping { groups, names, .. } = grouped(&input);
    let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
    let together = audit(&together, &settings(&Policy::default()), false, &|_| {}).map_err(code).expect_err("no mean");
    assert_eq!(alone, together);
}

#[test]
fn a_prior_that_knows_another_value_for_certain_is_refused_in_both_ways() {
    let shape = Shape { rows: 60, regions: 3, gaps: 0, no_region: 0, step: 1 };
    // The table alone has no figure that contradicts it.
    let program = "def f(p):\n    return p.groupby('region').size()\n";
    let code = |refusal: privug_language::diagnostic::Refusal| refusal.diagnostics[0].code.id();
    for (prior, by_groups) in [("Normal(40_000, std=0)", "P501"), ("Normal(expected, std=0)", "P830")] {
        let input = input(program, prior, people(3, shape));
        let alone = audit(&input, &settings(&Policy::default()), false, &|_| {}).map_err(code);
        let Grouping { groups, names, .. } = grouped(&input);
        let together = GroupedInput::new(input, 0, groups, &names, None).expect("a table");
        let together = audit(&together, &settings(&Policy::default()), false, &|_| {}).map_err(code);
        assert_eq!([alone.expect_err(prior), together.expect_err(prior)], ["P501", by_groups], "{prior}");
    }
}

#[test]
fn a_total_near_a_bound_of_the_data_fails_by_groups_as_alone() {
    let (codes, labels) = coded((0..60).map(|row| Some(if row < 12 { "poor" } else { "rich" }.to_owned())));
    let columns = |step: f64, rich: &dyn Fn(u32) -> f64| {
        let income = |row: u32| if row < 12 { 1.0 + step * f64::from(row % 2) } else { rich(row) };
        let region = Data::Texts { codes: Arc::new(codes.clone()), labels: Arc::new(labels.clone()) };
        let numbers = Data::Numbers(Arc::new((0..60).map(income).collect()));
        vec![("region".to_owned(), region), ("income".to_owned(), numbers)]
    };
    let settings = settings(&Policy::default());
    // The six with most know that the other five have five steps more than the smallest value together. Where one of the
    // others has nearly all that these have, most people are as near, which is not known by groups.
    let all_are: &dyn Fn(u32) -> f64 = &|row| 1000.0 + 50.0 * f64::from(row);
    let one_is: &dyn Fn(u32) -> f64 = &|row| if row == 59 { 10_000.0 } else { 30.0 + f64::from(row) };
    let cases = [(1.0, all_are, [Verdict::Fail; 2]), (50.0, all_are, [Verdict::Fail; 2])];
    for (step, rich, wanted) in cases.into_iter().chain([(50.0, one_is, [Verdict::Pass, Verdict::Review])]) {
        let table = Table::from_columns(columns(step, rich), 60).expect("a table");
        let input = input(SCRIPTS[0], "Normal(mean=2000, std=1500)", table);
        let alone = audit(&input, &settings, false, &|_| {}).expect("an audit");
        let Grouping { groups, names, .. } = grouped(&input);
        let together = GroupedInput::new(input.clone(), 0, groups, &names, None).expect("a table");
        let together = audit(&together, &settings, false, &|_| {}).expect("an audit");
        for (audit, wanted) in [&alone, &together].into_iter().zip(wanted) {
            let near = audit.figures[0].broken.clone();
            let width = audit.figures[0].contributions.near_bound.map(|near| near.width.round());
            if wanted == Verdict::Pass {
                assert_eq!((near, width), (vec![], None));
            } else {
                assert_eq!((near, width), (vec![(Rule::NearBound, wanted)], Some(5.0 * step)));
            }
        }
        assert_eq!([&alone.figures[1].broken, &together.figures[1].broken], [&vec![], &vec![]]);
    }
}
