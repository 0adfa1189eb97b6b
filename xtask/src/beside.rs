//! A part that runs beside the others, in a process of its own.

use std::process::Stdio;
use std::thread::{self, JoinHandle};

use crate::context::Context;
use crate::parts::{Part, Tally};

/// A part that was begun.
pub struct Beside {
    name: &'static str,
    printed: JoinHandle<Result<String, String>>,
}

impl Beside {
    /// Begins with a part, as `cargo xtask test PART` would.
    pub fn begin(context: &Context, part: &Part) -> Self {
        let begun = context.xtask(&["test"]).and_then(|mut command| {
            if context.thorough {
                command.arg("--thorough");
            }
            command.arg(part.name).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
            command.spawn().map_err(|error| error.to_string())
        });
        // What it prints is read while it runs: a pipe that is full would stop it.
        let printed = thread::spawn(|| {
            let output = begun?.wait_with_output().map_err(|error| error.to_string())?;
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        });
        Beside { name: part.name, printed }
    }

    /// Waits for it and shows what it printed: what it counts for, and its line of the summary.
    pub fn finish(self) -> (Tally, String) {
        let printed = self.printed.join().unwrap_or_else(|_| Err("the reading thread stopped".to_owned()));
        let found = printed.and_then(|text| {
            print!("{text}");
            read(&text, self.name).ok_or_else(|| "it stopped before its end".to_owned())
        });
        found.unwrap_or_else(|reason| {
            let tally = Tally { failed: 1, ..Tally::default() };
            (tally, format!("  {:<14} {:>7}     FAILED: {reason}", self.name, ""))
        })
    }
}

/// The summary that the part's own run ends with: its line, and the tally in the last one.
fn read(text: &str, name: &str) -> Option<(Tally, String)> {
    let (_, summary) = text.rsplit_once("\nSummary\n")?;
    let line = summary.lines().find(|line| line.trim_start().starts_with(name))?;
    let counts: Vec<usize> =
        summary.lines().last()?.split(", ").filter_map(|part| part.split_once(' ')?.0.parse().ok()).collect();
    let [passed, failed, skipped] = counts[..] else { return None };
    Some((Tally { passed, failed, skipped }, line.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_a_part_is_read_from_what_it_printed() {
        let text = "Summary\nof nothing\n\nSummary\n  python   12.0 s   FAILED (3 passed, 1 failed, 2 skipped)\n\n3 passed, 1 failed, 2 skipped\n";
        let line = "  python   12.0 s   FAILED (3 passed, 1 failed, 2 skipped)".to_owned();
        assert_eq!(read(text, "python"), Some((Tally { passed: 3, failed: 1, skipped: 2 }, line)));
        // It was ended before it could say how it went.
        assert_eq!(read("== python: the Python package\n....", "python"), None);
    }
}
