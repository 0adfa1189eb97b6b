//! `cargo xtask bench build`: what building costs, from nothing and after a change, beside what was promised.
//!
//! It builds in a folder of its own under `target/`, so that nothing built before is found and nothing else is rebuilt.
//! Wall time is worth something on a quiet machine only; processor time is printed beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use wait4::Wait4;

use crate::context::Context;

/// A change to a file, and how long building the program may then take.
struct Change {
    what: &'static str,
    file: &'static str,
    seconds: f64,
}

/// What is added at the end of a file that is changed. A file that only looks newer costs nothing: builds are
/// incremental, and find it unchanged.
const ADDED: &str =
    "\n/// Changed.\npub fn changed_to_time_a_build(number: f64) -> f64 {\n    number.mul_add(2.0, 1.0)\n}\n";

const CLEAN_SECONDS: f64 = 240.0;
const CHANGES: &[Change] = &[
    Change { what: "after a change to the reports", file: "crates/privug-reports/src/report/text.rs", seconds: 15.0 },
    Change {
        what: "after a change to the posterior",
        file: "crates/privug-engine/src/posterior/learn.rs",
        seconds: 45.0,
    },
];
const DIST_MEGABYTES: f64 = 16.0;
const TEST_SECONDS: f64 = 900.0;
/// The exit code of an error of the program itself.
const INTERNAL_ERROR: i32 = 70;

/// Builds everything that was promised to be quick; also runs all tests from an empty folder if asked to.
pub fn run(context: &Context, with_tests: bool) -> Result<String, String> {
    let folder = context.root.join("target/bench-build");
    // It may be there from a measurement that was stopped.
    let _ = fs::remove_dir_all(&folder);
    let mut report = Report::default();
    let release = ["build", "--locked", "--release", "--package", "privug-cli"];
    report.timed("clean release build", CLEAN_SECONDS, &mut cargo(context, &release, &folder))?;
    for change in CHANGES {
        let _changed = Changed::new(context.root.join(change.file))?;
        report.timed(change.what, change.seconds, &mut cargo(context, &release, &folder))?;
    }
    let dist = ["build", "--locked", "--profile", "dist", "--package", "privug-cli"];
    timed(&mut cargo(context, &dist, &folder))?;
    let binary = folder.join("dist/privug");
    let bytes = fs::metadata(&binary).map_err(|error| format!("{}: {error}", binary.display()))?.len();
    report.sized("shipped program (dist, stripped)", bytes as f64 / 1e6, DIST_MEGABYTES);
    says_internal_errors(context, &binary)?;
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    if with_tests {
        let test = ["xtask", "test"];
        report.timed("cargo xtask test from an empty folder", TEST_SECONDS, &mut cargo(context, &test, &folder))?;
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    Ok(report.lines.join("\n"))
}

/// The shipped program cannot catch a panic, and still has to end with a message and an exit code of its own.
fn says_internal_errors(context: &Context, binary: &Path) -> Result<(), String> {
    let mut command = context.command(&binary.to_string_lossy());
    let output = command.arg("explain").env("PRIVUG_TEST_INTERNAL_ERROR", "begin").output();
    let output = output.map_err(|error| format!("{}: {error}", binary.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(INTERNAL_ERROR) && said.starts_with("internal error: this is a bug in privug") {
        return Ok(());
    }
    Err(format!("the shipped program does not say internal errors ({}): {said}", output.status))
}

fn cargo(context: &Context, arguments: &[&str], folder: &Path) -> Command {
    let mut command = context.cargo(arguments);
    command.env("CARGO_TARGET_DIR", folder);
    command
}

/// A file with a blank line before everything, so that all its lines move, and a function more. When this is dropped the
/// file is as it was.
struct Changed {
    path: PathBuf,
    before: String,
}

impl Changed {
    fn new(path: PathBuf) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let before = fs::read_to_string(&path).map_err(failed)?;
        fs::write(&path, format!("\n{before}{ADDED}")).map_err(failed)?;
        Ok(Changed { path, before })
    }
}

impl Drop for Changed {
    fn drop(&mut self) {
        fs::write(&self.path, &self.before).expect("a file that could be written can be written again");
    }
}

/// Wall time and processor time of a command.
fn timed(command: &mut Command) -> Result<(f64, f64), String> {
    let start = Instant::now();
    let child = command.spawn().map_err(|error| error.to_string())?;
    let used = child.wait4().map_err(|error| error.to_string())?;
    if !used.status.success() {
        return Err(format!("{command:?} failed ({})", used.status));
    }
    Ok((start.elapsed().as_secs_f64(), (used.rusage.utime + used.rusage.stime).as_secs_f64()))
}

/// What was measured, a line each.
#[derive(Default)]
struct Report {
    lines: Vec<String>,
}

impl Report {
    fn timed(&mut self, what: &str, promised: f64, command: &mut Command) -> Result<(), String> {
        let (seconds, cpu_seconds) = timed(command)?;
        let kept = if seconds <= promised { "kept" } else { "not kept" };
        let line =
            format!("{what}: {seconds:.0} s ({cpu_seconds:.0} s of processor time); at most {promised:.0} s: {kept}");
        println!("{line}");
        self.lines.push(line);
        Ok(())
    }

    fn sized(&mut self, what: &str, megabytes: f64, promised: f64) {
        let kept = if megabytes <= promised { "kept" } else { "not kept" };
        self.lines.push(format!("{what}: {megabytes:.1} MB; at most {promised:.0} MB: {kept}"));
    }
}
