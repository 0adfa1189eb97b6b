//! The Python package: built into a virtual environment under `target/`, and tested there with pytest.

use super::{Outcome, Part, Tally};
use crate::context::Context;

pub const PART: Part = Part { name: "python", about: "the Python package and its tutorial, with pytest", run };

pub const SCRIPT: &str = "crates/privug-python/test.sh";

fn run(context: &Context) -> Outcome {
    if !context.has_python() {
        return Outcome::Skipped("python3 with its venv module is not installed".to_owned());
    }
    let mut command = context.command("sh");
    command.arg(SCRIPT);
    match context.run_and_read(&mut command) {
        Ok(finished) => read_pytest(&finished.text).outcome(finished.succeeded, "the Python tests"),
        Err(reason) => Outcome::Failed(reason),
    }
}

/// `===== 3 failed, 42 passed, 1 skipped in 4.32s =====`
pub(super) fn read_pytest(text: &str) -> Tally {
    let summary = text.lines().rev().find(|line| line.contains(" in ") && line.contains("passed")).unwrap_or("");
    let mut tally = Tally::default();
    let words: Vec<&str> = summary.trim_matches(['=', ' ']).split([' ', ',']).filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        let Ok(count) = pair[0].parse::<usize>() else { continue };
        match pair[1] {
            "passed" => tally.passed += count,
            "failed" | "error" | "errors" => tally.failed += count,
            "skipped" => tally.skipped += count,
            _ => {}
        }
    }
    tally
}

#[cfg(test)]
mod reading {
    use super::*;

    #[test]
    fn summaries_are_counted() {
        let text = "tests/a.py ....\n==== 1 failed, 42 passed, 2 skipped, 3 warnings in 4.32s ====\n";
        assert_eq!(read_pytest(text), Tally { passed: 42, failed: 1, skipped: 2 });
    }
}
