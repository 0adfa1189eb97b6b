//! The unit and integration tests of all packages, with nextest where it is installed.

use super::{Outcome, Part, Tally};
use crate::context::Context;

pub const PART: Part = Part { name: "tests", about: "unit and integration tests of all packages", run };

fn run(context: &Context) -> Outcome {
    let has_nextest = context.has_cargo_command("nextest");
    let arguments: &[&str] = if has_nextest {
        &["nextest", "run", "--locked", "--release", "--workspace", "--no-fail-fast", "--status-level", "slow"]
    } else {
        println!("cargo-nextest is not installed, so cargo test is used");
        &["test", "--locked", "--release", "--workspace", "--all-targets", "--no-fail-fast"]
    };
    match context.run_and_read(&mut context.cargo(arguments)) {
        Ok(finished) => {
            let tally = if has_nextest { read_nextest(&finished.text) } else { read_libtest(&finished.text) };
            tally.outcome(finished.succeeded, "the tests")
        }
        Err(reason) => Outcome::Failed(reason),
    }
}

/// `Summary [   1.090s] 36 tests run: 34 passed (1 slow), 2 failed, 1 timed out, 3 skipped`
fn read_nextest(text: &str) -> Tally {
    let summary = text.lines().rev().find(|line| line.trim_start().starts_with("Summary [")).unwrap_or("");
    let counts = summary.split_once("run:").map_or("", |(_, counts)| counts);
    let mut tally = Tally::default();
    for part in counts.split(',') {
        let mut words = part.split_whitespace();
        let Some(count) = words.next().and_then(|word| word.parse::<usize>().ok()) else { continue };
        match words.next() {
            Some("passed") => tally.passed += count,
            Some("skipped") => tally.skipped += count,
            // Failed, timed out, could not be started.
            _ => tally.failed += count,
        }
    }
    tally
}

/// Lines such as `test result: ok. 36 passed; 0 failed; 1 ignored; 0 measured; …`, one for each binary.
pub fn read_libtest(text: &str) -> Tally {
    let results = text.lines().filter_map(|line| line.trim_start().strip_prefix("test result: "));
    results.fold(Tally::default(), |total, result| {
        let count = |name: &str| {
            let part = result.split([';', '.']).map(str::trim).find(|part| part.ends_with(name));
            part.and_then(|part| part.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        total + Tally { passed: count(" passed"), failed: count(" failed"), skipped: count(" ignored") }
    })
}

#[cfg(test)]
mod reading {
    use super::*;

    #[test]
    fn summaries_are_counted() {
        let text = "     Summary [   1.090s] 36 tests run: 33 passed (1 slow), 2 failed, 1 timed out, 3 skipped\n";
        assert_eq!(read_nextest(text), Tally { passed: 33, failed: 3, skipped: 3 });
        let text = "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.0s\n\
                    test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(read_libtest(text), Tally { passed: 7, failed: 3, skipped: 1 });
    }
}
