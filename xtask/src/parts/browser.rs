//! The pages of reports in a real browser: they load, show their numbers, answer to pointer and keys, and print.

use std::path::PathBuf;

use super::{Outcome, Part, Tally};
use crate::context::Context;

pub const PART: Part = Part { name: "browser", about: "the HTML reports in a headless Chromium", run };

/// What drives the browser; it brings none of its own. Later versions need a newer node than Debian 12 has.
const DRIVER: &str = "playwright-core@1.54.1";
const SCRIPT: &str = "xtask/browser/check.mjs";

fn run(context: &Context) -> Outcome {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path) else {
        return Outcome::Skipped("no Chromium is installed".to_owned());
    };
    if on_path("node").is_none() || on_path("npm").is_none() {
        return Outcome::Skipped("node and npm are not installed".to_owned());
    }
    match check(context, &browser) {
        Ok(outcome) => outcome,
        Err(reason) => Outcome::Failed(reason),
    }
}

fn check(context: &Context, browser: &PathBuf) -> Result<Outcome, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(context.root.join("target"), PathBuf::from);
    let folder = context.root.join(target).join("browser");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let install = ["install", "--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--prefix"];
    context.run(context.command("npm").args(install).arg(&folder).arg(DRIVER))?;
    context.run(&mut context.cargo(&["build", "--locked", "--release", "--package", "privug-cli"]))?;
    let program = folder.with_file_name("release").join("privug");
    let finished = context.run_and_read(context.command("node").arg(SCRIPT).arg(program).arg(browser).arg(&folder))?;
    Ok(read(&finished.text).outcome(finished.succeeded, "the browser"))
}

fn on_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// A line for each check: `ok …` or `FAILED …`.
fn read(text: &str) -> Tally {
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    Tally { passed: count("ok "), failed: count("FAILED "), skipped: 0 }
}

#[cfg(test)]
mod reading {
    use super::*;

    #[test]
    fn checks_are_counted() {
        let tally = read("ok a page: loads\nFAILED a page: prints: why\nok another\nnot one\n");
        assert_eq!(tally, Tally { passed: 2, failed: 1, skipped: 0 });
    }
}
