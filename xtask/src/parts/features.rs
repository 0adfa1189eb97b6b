//! Whichever packages are built, the library's dependencies have the same features, and so are built once: see
//! `crates/workspace-hack`.

use std::collections::BTreeSet;

use super::{Outcome, Part};
use crate::context::Context;

pub const PART: Part =
    Part { name: "features", about: "all packages share one build of the library's dependencies", run };

/// The sets of packages that tests, programs and the Python package are built with.
const SELECTIONS: &[&[&str]] =
    &[&["--package", "privug-cli"], &["--package", "privug-python"], &["--package", "xtask"]];

/// What is built for the programs, and everything, with what is built for macros and build scripts. In the latter a package
/// may stand twice, so that it does not show what the programs lack. Tests bring libraries of their own to the workspace.
const EDGES: &[(&str, &str)] =
    &[("normal,no-proc-macro", "normal,no-proc-macro,dev"), ("normal,build", "normal,build")];

fn run(context: &Context) -> Outcome {
    match differences(context) {
        Ok(found) if found.is_empty() => without_arrow(context).into(),
        Ok(found) => Outcome::Failed(format!("crates/workspace-hack/Cargo.toml lacks features:\n{}", found.join("\n"))),
        Err(reason) => Outcome::Failed(reason),
    }
}

fn differences(context: &Context) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (edges, with_tests) in EDGES {
        let library = tree(context, edges, &["--package", "privug-cli"])?;
        let names: BTreeSet<&str> = library.iter().map(|line| package(line)).collect();
        let whole = tree(context, with_tests, &["--workspace"])?;
        for selection in SELECTIONS {
            let other = tree(context, edges, selection)?;
            let missing = other.difference(&whole).filter(|line| names.contains(package(line)));
            found.extend(missing.map(|line| format!("  with {}: {line}", selection.join(" "))));
        }
    }
    Ok(found)
}

/// Tables can be had without Parquet and Arrow; nothing else knows whether they are there.
fn without_arrow(context: &Context) -> Result<(), String> {
    let arguments = ["check", "--locked", "--release", "--quiet", "--package", "privug-tables"];
    context.run(&mut context.cargo(&arguments))
}

/// The packages that are built, as `name version [features]`.
fn tree(context: &Context, edges: &str, selection: &[&str]) -> Result<BTreeSet<String>, String> {
    let mut command = context.cargo(&["tree", "--locked", "--edges", edges, "--prefix", "none"]);
    command.args(["--format", "{p} [{f}]"]).args(selection);
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).replace(" (*)", "").replace(" (proc-macro)", "");
    Ok(text.lines().map(str::to_owned).collect())
}

/// `name version`
fn package(line: &str) -> &str {
    line.split_once(" [").map_or(line, |(package, _)| package)
}
