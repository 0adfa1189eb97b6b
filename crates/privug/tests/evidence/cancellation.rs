//! Chains of operations in which digits cancel: doubles, as delivered, against exact rationals.

use std::fmt::Write;
use std::sync::Mutex;

use privug::analysis::{Analysis, Request, analyze};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::support::{assert_close, cases, float, relative_error, words};

/// Digits that variances and, on the scale of the posterior standard deviation, means are right to.
const TOLERANCE: f64 = 1e-9;

/// Short and long, exact and rounded, huge and tiny; some are no doubles at all.
const NUMBERS: &[&str] = &[
    "2",
    "3",
    "7",
    "-1",
    "0.1",
    "0.3",
    "-0.7",
    "2.5",
    "1.1",
    "1e17",
    "1e-17",
    "1e20",
    "1e-20",
    "1e16",
    "10**17",
    "10**18",
    "2**53",
    "(2**53+1)",
    "(2**60-1)",
    "(2**60+1)",
    "123456789012345678",
    "9007199254740993.0",
    "1e5",
    "99999.9",
    "1e-5",
];
const SMALL_NUMBERS: &[&str] = &["1", "2", "3", "0.1", "0.7", "0.25", "1.5"];

/// One line of a program, or a few. Operands are picked from what there is.
#[derive(Debug, Clone)]
enum Link {
    /// `a * c`, `c * a`, `a / c`, `a + c`, `c - a`, `a - c`
    Number(u8, Index, &'static str),
    /// `a + b`, `a - b`
    Pair(bool, Index, Index),
    /// `(a*c + b) - c*a` and the like: what is added first is taken away again.
    Undone(u8, Index, Index, &'static str),
    /// `for i in range(n): v += c*b`, then most of it is taken away at once
    Loop(Index, &'static str, u8),
    /// `sum([...])`, `sum([...]) / len`, `np.mean([...])`
    Sum(u8, Vec<Index>),
    /// `np.array([...]) @ np.array([...])`
    Product(Vec<(Index, &'static str)>),
    /// `condition(a, c)` or `observe(a, c, std=d)`
    Seen(Index, &'static str, Option<&'static str>),
}

fn links() -> impl Strategy<Value = Link> {
    let index = any::<Index>;
    let number = || select(NUMBERS);
    let small = || select(SMALL_NUMBERS);
    prop_oneof![
        3 => (0..6u8, index(), number()).prop_map(|(form, a, c)| Link::Number(form, a, c)),
        3 => (any::<bool>(), index(), index()).prop_map(|(minus, a, b)| Link::Pair(minus, a, b)),
        4 => (0..4u8, index(), index(), number()).prop_map(|(form, a, b, c)| Link::Undone(form, a, b, c)),
        1 => (index(), number(), 2..30u8).prop_map(|(a, c, n)| Link::Loop(a, c, n)),
        2 => (0..3u8, vec(index(), 1..6)).prop_map(|(form, all)| Link::Sum(form, all)),
        1 => vec((index(), number()), 1..4).prop_map(Link::Product),
        1 => (index(), small(), proptest::option::of(small())).prop_map(|(a, c, d)| Link::Seen(a, c, d)),
    ]
}

/// A program that goes through the links and returns the last variables. Numbers are not computed with before they meet a
/// variable: that Python's own rounding stays is another matter (see `following.rs`).
fn program(sources: &[(&str, &str)], links: &[Link]) -> String {
    let mut text = String::from("import numpy as np\ndef f():\n");
    let mut count = 0;
    for (mean, variance) in sources {
        let _ = writeln!(text, "    v{count} = Normal({mean}, {variance})");
        count += 1;
    }
    for link in links {
        let pick = |index: &Index| format!("v{}", index.index(count));
        let made = match link {
            Link::Number(form, a, c) => {
                let a = pick(a);
                match form {
                    0 => format!("{a} * {c}"),
                    1 => format!("{c} * {a}"),
                    2 => format!("{a} / {c}"),
                    3 => format!("{a} + {c}"),
                    4 => format!("{c} - {a}"),
                    _ => format!("{a} - {c}"),
                }
            }
            Link::Pair(minus, a, b) => format!("{} {} {}", pick(a), if *minus { '-' } else { '+' }, pick(b)),
            Link::Undone(form, a, b, c) => {
                let (a, b) = (pick(a), pick(b));
                match form {
                    0 => format!("({a} * {c} + {b}) - {c} * {a}"),
                    1 => format!("({a} + {c} + {b}) - {a} - {c}"),
                    2 => format!("({a} / {c} + {b} - {a} / {c})"),
                    _ => format!("sum([{c} * {a}, {b}, {c}, -{c} * {a}, {c}]) - {c} - {c}"),
                }
            }
            Link::Loop(a, c, n) => {
                let a = pick(a);
                let _ = writeln!(text, "    t = {a}\n    for i in range({n}):\n        t += {c} * {a}");
                format!("t - {c} * {a} * {}", n - 1)
            }
            Link::Sum(form, all) => {
                let list = all.iter().map(pick).collect::<Vec<_>>().join(", ");
                match form {
                    0 => format!("sum([{list}])"),
                    1 => format!("sum([{list}]) / {}", all.len()),
                    _ => format!("np.mean([{list}])"),
                }
            }
            Link::Product(terms) => {
                let weights = terms.iter().map(|(_, c)| c.to_string()).collect::<Vec<_>>().join(", ");
                let list = terms.iter().map(|(a, _)| pick(a)).collect::<Vec<_>>().join(", ");
                format!("np.array([{weights}]) @ np.array([{list}])")
            }
            Link::Seen(a, c, None) => {
                let _ = writeln!(text, "    condition({}, {c})", pick(a));
                continue;
            }
            Link::Seen(a, c, Some(d)) => {
                let _ = writeln!(text, "    observe({}, {c}, std={d})", pick(a));
                continue;
            }
        };
        let _ = writeln!(text, "    v{count} = {made}");
        count += 1;
    }
    let _ = writeln!(text, "    return [v{}, v{}, v0]", count - 1, count.saturating_sub(2));
    text
}

fn sources() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let means = select(&["0", "1", "0.1", "5", "1e17", "-0.3"][..]);
    vec((means, select(&["1", "4", "0.1", "1e-20", "1e10"][..])), 1..4)
}

/// The worst errors so far, of variances, means and the log evidence.
static WORST: Mutex<[f64; 3]> = Mutex::new([0.0; 3]);

fn note(place: usize, error: f64) {
    let mut worst = WORST.lock().expect("no test has panicked");
    worst[place] = worst[place].max(error);
}

fn compare(text: &str, got: &Analysis, truth: &Analysis) -> Result<(), TestCaseError> {
    for (got, truth) in got.secrets.iter().zip(truth.secrets.iter()) {
        let (a, b) = (&got.knowledge, &truth.knowledge);
        for (what, a, b) in [
            ("prior variance", a.prior_variance, b.prior_variance),
            ("posterior variance", a.posterior_variance, b.posterior_variance),
        ] {
            let error = relative_error(a, b);
            note(0, error);
            prop_assert!(error <= TOLERANCE && (a == 0.0) == (b == 0.0), "{what}: {a} is not {b}\n{text}");
        }
        for (what, a, b, variance) in [
            ("prior mean", a.prior_mean, b.prior_mean, b.prior_variance),
            ("posterior mean", got.posterior_mean, truth.posterior_mean, b.posterior_variance),
        ] {
            // Of what is disclosed, relative to what it was before; and no better than a double can be.
            let size =
                if variance == 0.0 { b.abs().max(truth.knowledge.prior_variance.sqrt()) } else { variance.sqrt() };
            let error = ((a - b).abs() - 8.0 * f64::EPSILON * b.abs()).max(0.0) / size;
            let error = if a == b { 0.0 } else { error };
            note(1, error);
            prop_assert!(error <= TOLERANCE, "{what}: {a} is not {b} ({error:e})\n{text}");
        }
    }
    let (a, b) = (got.log_evidence_nats, truth.log_evidence_nats);
    let error = (a - b).abs() / (1.0 + b.abs());
    note(2, error);
    prop_assert!(error <= 1e-6, "log evidence: {a} is not {b}\n{text}");
    Ok(())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let exact = analyze(&Request { exact: true, ..Request::new("chain.py", text) });
    let rounded = analyze(&Request::new("chain.py", text));
    match (rounded, exact) {
        (Ok(got), Ok(truth)) => compare(text, &got, &truth)?,
        // Values that agree up to the last digits do not contradict each other in doubles.
        (Ok(_), Err(refusal)) => {
            prop_assert_eq!(refusal.diagnostics[0].code.id(), "P501", "{}\n{}", words(&refusal), text)
        }
        (Err(got), Err(truth)) => {
            prop_assert_eq!(got.diagnostics[0].code, truth.diagnostics[0].code, "{}\n{}", words(&got), text);
        }
        // Doubles may be out of range where rationals are not.
        (Err(got), Ok(_)) => {
            prop_assert!(matches!(got.diagnostics[0].code.id(), "P405" | "P505"), "{}\n{}", words(&got), text);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn chains_of_cancellations_keep_their_digits(sources in sources(), links in vec(links(), 1..9)) {
        check(&program(&sources, &links))?;
    }
}

/// Prints the worst errors of many chains; `PROPTEST_CASES` says of how many.
#[test]
#[ignore = "measures, and takes minutes"]
fn the_worst_errors_of_many_chains() {
    let config = ProptestConfig { failure_persistence: None, ..cases(5_000) };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let checked = runner.run(&(sources(), vec(links(), 1..12)), |(sources, links)| check(&program(&sources, &links)));
    checked.expect("nine digits");
    let [variance, mean, evidence] = *WORST.lock().expect("no test has panicked");
    println!("variance {variance:.1e}, mean {mean:.1e}, log evidence {evidence:.1e}");
}

/// Mean and variance of what a function in doubles returns.
fn returned(body: &str) -> (f64, f64) {
    let lines = body.lines().map(|line| format!("    {line}\n")).collect::<String>();
    let analysis = float(&format!("def f():\n{lines}"));
    let secret = analysis.secrets.get(0);
    (secret.posterior_mean, secret.knowledge.posterior_variance)
}

#[test]
fn what_is_left_of_huge_weights_is_there() {
    assert_eq!(returned("x = Normal(0, 1)\nreturn (x*1e17 + x) - 1e17*x"), (0.0, 1.0));
    assert_eq!(returned("x = Normal(0, 1)\nreturn x*(2**53+1) - x*2**53"), (0.0, 1.0));
    assert_eq!(returned("x = Normal(0, 1)\nreturn (x + 2**53 + 1) - 2**53"), (1.0, 1.0));
    assert_eq!(returned("x = Normal(0, 1)\nreturn 3*(x/3) - x + 1"), (1.0, 0.0));
    assert_eq!(returned("x = Normal(0, 1)\nreturn x*0.1*3 - 0.3*x"), (0.0, 0.0));
}

#[test]
fn a_hundred_thousand_tenths_are_ten_thousand() {
    let sum = "x = Normal(0, 1)\ntotal = 0\nfor i in range(100_000):\n    total += 0.1*x\nreturn total - 9_999*x";
    assert_close(returned(sum).1, 1.0, 9);
}

#[test]
fn what_huge_weights_hide_is_learnt() {
    let program = "def f():\n    x = Normal(0, 1)\n    z = Normal(0, 1)\n    y = (x*1e17+x)-1e17*x+z\n    condition(y, 3)\n    \
                   return x";
    let analysis = float(program);
    let secret = analysis.secrets.get(0);
    assert_eq!((secret.posterior_mean, secret.knowledge.posterior_variance), (1.5, 0.5));
    assert_close(secret.knowledge.mutual_information_bits(), 0.5, 12);
}

#[test]
fn observed_values_that_are_no_doubles_are_what_they_are() {
    // 2⁵³ + 1, of which a double knows only 2⁵³: half a nat less likely.
    let density = |value: &str, mean: &str| {
        let program = format!("def f():\n    x = Normal({mean}, 1)\n    condition(x, {value})\n    return x");
        float(&program).log_evidence_nats
    };
    let expected = -0.5 * std::f64::consts::TAU.ln() - 0.5;
    for value in ["9007199254740993", "2**53 + 1", "9007199254740993.0"] {
        assert_close(density(value, "2**53"), expected, 9);
        assert_close(density("2**53", value), expected, 9);
    }
    assert_close(density("123456789012345678.9", "123456789012345678"), expected + 0.5 - 0.405, 9);
}
