//! Medians and other order statistics of many people, against sums over binomial distributions.

use privug::analysis::{Analysis, Belief, PlainValue};

use super::support::{analysis, posterior, refused};

/// P(Binomial(n, p) ≤ k), by adding up from the likeliest on.
fn binomial_at_most(n: i64, p: f64, k: i64) -> f64 {
    if k < 0 {
        return 0.0;
    }
    let ln_factorial = |n: i64| -> f64 { (1..=n).map(|i| (i as f64).ln()).sum() };
    let ln_choose = |j: i64| ln_factorial(n) - ln_factorial(j) - ln_factorial(n - j);
    let term = |j: i64| match p {
        0.0 => f64::from(u8::from(j == 0)),
        1.0 => f64::from(u8::from(j == n)),
        _ => (ln_choose(j) + j as f64 * p.ln() + (n - j) as f64 * (1.0 - p).ln()).exp(),
    };
    (0..=k.min(n)).map(term).sum()
}

/// P(at most `k` of n are below and more than k are not above), all alike.
fn between(n: i64, below: f64, up_to: f64, k: i64) -> f64 {
    binomial_at_most(n, below, k) - binomial_at_most(n, up_to, k)
}

fn chances(analysis: &Analysis) -> Vec<(f64, f64)> {
    let choices = analysis.choices.as_ref().expect("choices");
    let Belief::Discrete(values) = &choices.secrets[0].posterior else { panic!("a mixture") };
    let number = |value: &PlainValue| match value {
        PlainValue::Integer(value) => *value as f64,
        PlainValue::Number(value) => *value,
        other => panic!("{other:?}"),
    };
    values.iter().map(|chance| (number(&chance.value), chance.probability)).collect()
}

#[test]
fn an_odd_median_of_many_is_known_by_counts() {
    let (n, k) = (301, 150);
    let source = "import statistics
def main():
    ages = [DiscreteUniform(0, 9) for _ in range(301)]
    condition(statistics.median(ages), 4)
    return ages[0]
";
    let found = chances(&analysis(source, false));
    let evidence = between(n, 0.4, 0.5, k);
    for (value, probability) in found {
        // One person is known; of the others, so many are below, and so many not above.
        let joint = if value < 4.0 {
            between(n - 1, 0.4, 0.5, k - 1)
        } else if value > 4.0 {
            between(n - 1, 0.4, 0.5, k)
        } else {
            binomial_at_most(n - 1, 0.4, k) - binomial_at_most(n - 1, 0.5, k - 1)
        };
        let expected = 0.1 * joint / evidence;
        assert!((probability - expected).abs() < 1e-9, "{value}: {probability}, not {expected}");
    }
}

#[test]
fn the_largest_and_the_least_of_many_are_known_by_counts() {
    let source = "def main():
    xs = [DiscreteUniform(1, 6) for _ in range(200)]
    condition(max(xs), 5)
    condition(min(xs), 2)
    return xs[0]
";
    // P(all in 2..5) less those without a 5, those without a 2, and those without both; of the others, one is known.
    let all = |n: i32| 4f64.powi(n) - 2.0 * 3f64.powi(n) + 2f64.powi(n);
    let at_end = 4f64.powi(199) - 3f64.powi(199);
    let inside = all(199);
    for (value, probability) in chances(&analysis(source, false)) {
        let expected = if value == 2.0 || value == 5.0 { at_end } else { inside } / all(200);
        assert!((probability - expected).abs() < 1e-12, "{value}: {probability}, not {expected}");
    }
}

#[test]
fn medians_are_exact_fractions_where_they_are_asked_for() {
    // Of 3^7 equally likely worlds: counted by hand as sums of multinomial coefficients. The median of seven is 1 where at most 3
    // are 0 and at most 3 are 2.
    let source = "import statistics
def main():
    xs = [DiscreteUniform(0, 2) for _ in range(7)]
    condition(statistics.median(xs), 1)
    return xs[0]
";
    let choose = |n: u64, k: u64| (0..k).fold(1u64, |all, i| all * (n - i) / (i + 1));
    let worlds = |n: u64, low: u64, high: u64| -> u64 {
        let pairs = (0..=low).flat_map(|a| (0..=high).map(move |b| (a, b)));
        pairs.filter(|(a, b)| a + b <= n).map(|(a, b)| choose(n, a) * choose(n - a, b)).sum()
    };
    let total = worlds(7, 3, 3);
    let (end, middle) = (worlds(6, 2, 3), worlds(6, 3, 3));
    assert_eq!(2 * end + middle, total);
    let shared = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let ratio = |part: u64| format!("{}/{}", part / shared(part, total), total / shared(part, total));
    assert_eq!(posterior(source), format!("0: {}; 1: {}; 2: {}", ratio(end), ratio(middle), ratio(end)));
}

#[test]
fn loops_that_end_by_chance_only_are_refused() {
    let found = refused("def main():\n    n = 0\n    while Bernoulli(0.5):\n        n += 1\n    return n\n");
    assert_eq!(found[0].0.id(), "P101");
}

#[test]
fn everybody_with_another_prior_is_certified_where_fractions_are_too_long() {
    let source = "def main():
    yes = [Bernoulli((1 + i) / 3002) for i in range(3000)]
    condition(sum(yes), 1500)
    return [yes[0], yes[2999]]
";
    let (exact, doubles) = (analysis(source, true), analysis(source, false));
    for (a, b) in exact.choices.expect("choices").secrets.iter().zip(&doubles.choices.expect("choices").secrets) {
        let (Belief::Discrete(a), Belief::Discrete(b)) = (&a.posterior, &b.posterior) else { panic!("a mixture") };
        for (a, b) in a.iter().zip(b) {
            assert!((a.probability - b.probability).abs() <= 1e-10 * b.probability, "{a:?} and {b:?}");
        }
    }
}
