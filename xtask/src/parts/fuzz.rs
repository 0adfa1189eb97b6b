//! A short run of each fuzz target, where cargo-fuzz is at hand; a long one is started by hand (see `fuzz/README.md`).

use super::{Outcome, Part};
use crate::context::Context;

pub const PART: Part = Part { name: "fuzz", about: "a short run of each fuzz target, if cargo-fuzz is installed", run };

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
        // Nothing that the project promises depends on it, so this is no skipped part.
        println!("cargo-fuzz is not installed, so nothing is fuzzed");
        return Outcome::Passed;
    }
    for (target, seeds, longest) in TARGETS {
        let corpus = format!("target/fuzz-corpus/{target}");
        if let Err(error) = std::fs::create_dir_all(context.root.join(&corpus)) {
            return Outcome::Failed(format!("{corpus} cannot be made: {error}"));
        }
        let mut command = context.cargo(&["fuzz", "run", "--target-dir", "target/fuzz", target, &corpus]);
        command.args(*seeds).arg("--");
        command.args(["-rss_limit_mb=4096", "-timeout=60"]);
        command.args([format!("-max_total_time={SECONDS}"), format!("-max_len={longest}")]);
        // Stable Rust has the instrumentation, behind this variable.
        command.env("RUSTC_BOOTSTRAP", "1");
        if let Err(reason) = context.run(&mut command) {
            return Outcome::Failed(reason);
        }
    }
    Outcome::Passed
}
