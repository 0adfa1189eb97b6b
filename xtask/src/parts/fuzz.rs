//! A short run of each fuzz target with cargo-fuzz; a long one is started by hand (see `fuzz/README.md`).

use super::{Outcome, Part, Tally};
use crate::context::Context;

pub const PART: Part = Part { name: "fuzz", about: "a short run of each fuzz target", run };

/// A target, the folders that it starts from, and the longest input it tries.
const TARGETS: &[(&str, &[&str], u32)] = &[
    ("program", &["fuzz/seeds/program", "programs"], 4096),
    ("options", &["fuzz/seeds/options"], 512),
    ("table", &["fuzz/seeds/table"], 8192),
    ("audit", &["fuzz/seeds/audit"], 4096),
];

/// Enough to notice what breaks at once.
const SECONDS: u32 = 15;

fn run(context: &Context) -> Outcome {
    if !context.has_cargo_command("fuzz") {
        return Outcome::Skipped("cargo-fuzz is not installed (`cargo install cargo-fuzz --locked`)".to_owned());
    }
    let mut tally = Tally::default();
    for (target, seeds, longest) in TARGETS {
        match fuzz(context, target, seeds, *longest) {
            Ok(runs) => {
                println!("{target}: {runs} inputs");
                tally.passed += 1;
            }
            Err(reason) => {
                println!("{target}: FAILED: {reason}");
                tally.failed += 1;
            }
        }
    }
    tally.outcome(tally.failed == 0, "the fuzz targets")
}

/// Runs a target; says how many inputs it tried.
fn fuzz(context: &Context, target: &str, seeds: &[&str], longest: u32) -> Result<u64, String> {
    let corpus = format!("target/fuzz-corpus/{target}");
    std::fs::create_dir_all(context.root.join(&corpus)).map_err(|error| format!("{corpus} cannot be made: {error}"))?;
    let mut command = context.cargo(&["fuzz", "run", "--target-dir", "target/fuzz", target, &corpus]);
    command.args(seeds).arg("--");
    command.args(["-rss_limit_mb=4096", "-timeout=60"]);
    command.args([format!("-max_total_time={SECONDS}"), format!("-max_len={longest}")]);
    // Stable Rust has the instrumentation, behind this variable.
    command.env("RUSTC_BOOTSTRAP", "1");
    let finished = context.run_and_read(&mut command)?;
    match inputs(&finished.text) {
        _ if !finished.succeeded => Err("stopped before its end".to_owned()),
        None | Some(0) => Err("no input was tried".to_owned()),
        Some(runs) => Ok(runs),
    }
}

/// `Done 4711 runs in 16 second(s)`, the last line of libFuzzer.
fn inputs(text: &str) -> Option<u64> {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("Done "))?;
    line.split_once(" runs ")?.0.parse().ok()
}

#[cfg(test)]
mod reading {
    use super::*;

    #[test]
    fn inputs_are_counted() {
        assert_eq!(inputs("#2 INITED\nDone 4711 runs in 16 second(s)\n"), Some(4711));
        assert_eq!(inputs("error: no such target\n"), None);
    }

    #[test]
    fn every_target_is_run() {
        let manifest = include_str!("../../../fuzz/Cargo.toml");
        let bins = manifest.split("[[bin]]").skip(1).filter_map(|bin| bin.split('"').nth(1));
        assert!(bins.eq(TARGETS.iter().map(|(target, _, _)| *target)));
    }
}
