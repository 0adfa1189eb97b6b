//! What all tests share: running a program, and comparing what comes out.

pub mod generator;
pub mod joint;
pub mod numbers;
pub mod spelling;
pub mod survival;
pub mod textbook;

use dashu_ratio::RBig;
use privug::analysis::{Analysis, Request, analyze};
use privug::diagnostic::{Refusal, Style, render};
use proptest::prelude::ProptestConfig;

/// How many random programs to try: so many times as many with `PRIVUG_TESTS_TIMES`, which `cargo xtask test --thorough`
/// sets, or exactly `PROPTEST_CASES`.
pub fn cases(usual: u32) -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u32>().ok());
    let cases = number("PROPTEST_CASES").unwrap_or(usual * number("PRIVUG_TESTS_TIMES").unwrap_or(1));
    ProptestConfig { cases, max_shrink_iters: 4000, ..ProptestConfig::default() }
}

/// Runs a program in doubles.
pub fn float(program: &str) -> Analysis {
    run(Request::new("program.py", program))
}

/// Runs a program in exact rationals.
pub fn exact(program: &str) -> Analysis {
    run(Request { exact: true, ..Request::new("program.py", program) })
}

/// Runs a request that must not be refused.
pub fn run(request: Request) -> Analysis {
    match analyze(&request) {
        Ok(analysis) => analysis,
        Err(refusal) => panic!("refused:\n{}\n{}", words(&refusal), request.program),
    }
}

/// A refusal as a person reads it.
pub fn words(refusal: &Refusal) -> String {
    render(&refusal.sources, &refusal.diagnostics, Style::Plain)
}

/// A number such as `13/3`.
pub fn ratio(text: &str) -> RBig {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a rational number"))
}

/// The double nearest to a rational number.
pub fn double(number: &RBig) -> f64 {
    number.to_f64().value()
}

/// |a − b| relative to the larger of the two; 0 if they are equal.
pub fn relative_error(a: f64, b: f64) -> f64 {
    if a == b { 0.0 } else { (a - b).abs() / a.abs().max(b.abs()) }
}

/// Asserts that two numbers agree to that many digits.
#[track_caller]
pub fn assert_close(actual: f64, expected: f64, digits: i32) {
    let error = relative_error(actual, expected);
    assert!(error <= 10f64.powi(-digits), "{actual} is not {expected} to {digits} digits: off by {error:e}");
}

/// Asserts what the returned variables are distributed as, exactly and in doubles. Numbers are separated by blanks,
/// rows by semicolons.
#[track_caller]
pub fn assert_gaussian(program: &str, means: &str, covariances: &str) {
    let means: Vec<RBig> = means.split_whitespace().map(ratio).collect();
    let rows = covariances.split(';').map(|row| row.split_whitespace().map(ratio).collect());
    let covariances: Vec<Vec<RBig>> = rows.collect();

    let analysis = exact(program);
    let numbers = analysis.exact.expect("exact numbers");
    assert_eq!(numbers.mean, texts(&means), "means of\n{program}");
    let expected: Vec<Vec<String>> = covariances.iter().map(|row| texts(row)).collect();
    assert_eq!(numbers.covariance, Some(expected), "covariances of\n{program}");

    let analysis = float(program);
    let rounded = &analysis.covariances.as_ref().expect("covariances").posterior;
    for (i, secret) in analysis.secrets.iter().enumerate() {
        let size = double(&means[i]).abs().max(secret.knowledge.prior_variance.sqrt());
        let off = (secret.posterior_mean - double(&means[i])).abs();
        assert!(off <= 1e-14 * size, "{} is not {}", secret.posterior_mean, means[i]);
        assert_eq!(secret.knowledge.posterior_variance, rounded[i][i]);
        for (j, expected) in covariances[i].iter().enumerate() {
            assert_close(rounded[i][j], double(expected), 14);
        }
    }
}

fn texts(numbers: &[RBig]) -> Vec<String> {
    numbers.iter().map(RBig::to_string).collect()
}
