//! What `cargo xtask test` consists of: one file for each part.
//!
//! A part that needs more than cargo (a Python environment, packages for a browser) keeps it under `target/`, and is
//! skipped with a reason where it cannot be had.

pub mod architecture;
mod browser;
mod doctests;
mod documentation;
mod features;
mod format;
mod fuzz;
mod lints;
mod pages;
mod proofs;
pub mod python;
mod readme;
pub mod registers;
mod tests;
mod wheel;

use std::fmt;
use std::ops::Add;

use crate::context::Context;

/// What runs when no part is named, in this order: what is cheap comes first.
const USUAL: &[Part] = &[
    format::PART,
    architecture::PART,
    features::PART,
    pages::PART,
    lints::PART,
    tests::PART,
    python::PART,
    doctests::PART,
    documentation::PART,
    readme::PART,
    registers::PART,
    wheel::PART,
    browser::PART,
];

/// What a thorough run does besides: builds of their own make these long.
const THOROUGH: &[Part] = &[fuzz::PART];

/// All parts that there are.
pub fn all() -> impl Iterator<Item = &'static Part> {
    USUAL.iter().chain(THOROUGH)
}

/// Something to be tested.
pub struct Part {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    pub run: fn(&Context) -> Outcome,
}

/// The part that takes longest: it is begun when its turn comes, and the others go on beside it.
pub const BESIDE: &str = python::PART.name;

/// How a part ended.
pub enum Outcome {
    Passed,
    /// It has tests of its own to count.
    Counted(Tally),
    Failed(String),
    /// It could not be run here.
    Skipped(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Self {
        match result {
            Ok(()) => Outcome::Passed,
            Err(reason) => Outcome::Failed(reason),
        }
    }
}

/// How many tests ended in which way.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

impl Tally {
    /// The outcome of a run that printed this tally. A run that fails without a failed test, or succeeds without a
    /// test, has not done what it should.
    fn outcome(self, succeeded: bool, what: &str) -> Outcome {
        match (succeeded, self) {
            (true, Tally { passed: 0, .. }) => Outcome::Failed(format!("{what}: no test was run")),
            (false, Tally { failed: 0, .. }) => Outcome::Failed(format!("{what}: stopped before its end")),
            _ => Outcome::Counted(self),
        }
    }
}

/// The parts with these names; if none is named, those that a run consists of.
pub fn named(names: &[&str], thorough: bool) -> Result<Vec<&'static Part>, String> {
    if names.is_empty() {
        return Ok(if thorough { all().collect() } else { USUAL.iter().collect() });
    }
    names.iter().map(|name| all().find(|part| part.name == *name).ok_or((*name).to_owned())).collect()
}
