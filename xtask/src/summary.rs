//! Running parts one after the other and adding up what they found.

use std::process::ExitCode;
use std::time::Instant;

use crate::beside::Beside;
use crate::context::Context;
use crate::environments::Environments;
use crate::parts::{BESIDE, Outcome, Part, Tally};

/// Runs the parts; a part that fails does not keep the others from running.
pub fn run(context: &Context, parts: &[&Part]) -> ExitCode {
    let mut lines = Vec::new();
    let mut total = Tally::default();
    let mut environments = Environments::begin(context, parts);
    let mut beside = None;
    for part in parts {
        environments.wait_for(part);
        if part.name == BESIDE && parts.last().is_some_and(|last| last.name != BESIDE) {
            println!("\n== {}: {}; what it prints is shown in the end", part.name, part.about);
            beside = Some(Beside::begin(context, part));
            continue;
        }
        println!("\n== {}: {}", part.name, part.about);
        let start = Instant::now();
        let outcome = (part.run)(context);
        let seconds = start.elapsed().as_secs_f64();
        let (tally, words) = judge(outcome, context.is_ci);
        println!("== {}: {words}", part.name);
        lines.push(format!("  {:<14} {seconds:>7.1} s   {words}", part.name));
        total = total + tally;
    }
    if let Some(beside) = beside {
        let (tally, line) = beside.finish();
        lines.push(line);
        total = total + tally;
    }
    println!("\nSummary");
    lines.iter().for_each(|line| println!("{line}"));
    println!();
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What an outcome counts for, and how it is called.
fn judge(outcome: Outcome, is_ci: bool) -> (Tally, String) {
    match outcome {
        Outcome::Passed => (Tally { passed: 1, ..Tally::default() }, "passed".to_owned()),
        Outcome::Counted(tally) if tally.failed == 0 => (tally, format!("passed ({tally})")),
        Outcome::Counted(tally) => (tally, format!("FAILED ({tally})")),
        Outcome::Failed(reason) => (Tally { failed: 1, ..Tally::default() }, format!("FAILED: {reason}")),
        Outcome::Skipped(reason) if is_ci => {
            let words = format!("FAILED: skipped, which CI does not allow: {reason}");
            (Tally { failed: 1, ..Tally::default() }, words)
        }
        Outcome::Skipped(reason) => (Tally { skipped: 1, ..Tally::default() }, format!("skipped: {reason}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_part_fails_where_nobody_watches() {
        let skipped = || Outcome::Skipped("no interpreter".to_owned());
        assert_eq!(judge(skipped(), false).0, Tally { skipped: 1, ..Tally::default() });
        assert_eq!(judge(skipped(), true).0, Tally { failed: 1, ..Tally::default() });
    }
}
