//! Small changes to what the fuzzer starts from: whatever comes of them is answered or refused.
//!
//! libFuzzer finds more, in hours; this notices what breaks at once, in every run of the tests.

#[path = "../../../../fuzz/targets/mod.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// A change of some bytes, at places that fit whatever there is.
#[derive(Debug, Clone)]
enum Change {
    Remove(Index, usize),
    Repeat(Index, usize),
    Swap(Index, Index, usize),
    Insert(Index, Vec<u8>),
    Replace(Index, u8),
}

/// Texts that mean something to one of the readers.
const TOKENS: &[&str] = &[
    "-",
    "0",
    "1e308",
    "1e-320",
    "10**9",
    "nan",
    "'",
    "\"",
    "\n",
    "\t",
    "    ",
    "(",
    "]",
    "{}",
    ":",
    "=",
    "**",
    "//",
    "\0",
    "é",
    "if ",
    "for x in y:",
    "return ",
    "[0]",
    ".sum()",
    ".groupby('g')",
    "Normal(0, 1)",
    "Bernoulli(0.5)",
    "condition(x, 1)",
    "None",
    "True",
    ",",
    ",,",
    "\r\n",
    "===\n",
];

fn change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    prop_oneof![
        (place(), 1..20usize).prop_map(|(at, count)| Change::Remove(at, count)),
        (place(), 1..40usize).prop_map(|(at, count)| Change::Repeat(at, count)),
        (place(), place(), 1..20usize).prop_map(|(one, other, count)| Change::Swap(one, other, count)),
        (place(), proptest::sample::select(TOKENS)).prop_map(|(at, token)| Change::Insert(at, token.into())),
        (place(), any::<u8>()).prop_map(|(at, byte)| Change::Replace(at, byte)),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let size = bytes.len() + 1;
        let run = |at: &Index, count: usize| at.index(size)..(at.index(size) + count).min(bytes.len());
        match change {
            Change::Remove(at, count) => drop(bytes.drain(run(at, *count))),
            Change::Repeat(at, count) => {
                let piece = bytes[run(at, *count)].to_vec();
                bytes.splice(at.index(size)..at.index(size), piece);
            }
            Change::Swap(one, other, count) => {
                let piece: Vec<u8> = bytes.drain(run(one, *count)).collect();
                let to = other.index(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            Change::Insert(at, token) => drop(bytes.splice(at.index(size)..at.index(size), token.iter().copied())),
            Change::Replace(at, byte) => {
                let run = run(at, 1);
                bytes[run].fill(*byte);
            }
        }
    }
    bytes
}

/// The contents of all files in these folders of the repository, and in those below.
fn seeds(folders: &[&str]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a seed")).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of seeds") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}

/// Runs a target on its seeds as they are, and on many that were changed.
fn try_out(folders: &[&str], longest: usize, run: fn(&[u8])) {
    let seeds: Vec<Vec<u8>> = seeds(folders).into_iter().filter(|seed| seed.len() <= longest).collect();
    assert!(seeds.len() > 1, "{folders:?}");
    seeds.iter().for_each(|seed| run(seed));
    let input =
        (0..seeds.len(), vec(change(), 1..6)).prop_map(|(seed, changes)| changed(seeds[seed].clone(), &changes));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let outcome = runner.run(&input, |bytes| {
        run(&bytes);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn changed_programs_are_answered_or_refused() {
    try_out(&["fuzz/seeds/program", "programs"], 4096, targets::program::run);
}

#[test]
fn changed_options_are_answered_or_refused() {
    try_out(&["fuzz/seeds/options"], 512, targets::options::run);
}

#[test]
fn changed_tables_are_read_or_refused() {
    try_out(&["fuzz/seeds/table"], 8192, targets::table::run);
}

#[test]
fn changed_audits_are_answered_or_refused() {
    try_out(&["fuzz/seeds/audit"], 4096, targets::audit::run);
}
