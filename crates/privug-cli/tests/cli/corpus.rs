//! The gate: releases that disclose somebody do not pass, and harmless ones do, through every front end.
//!
//! Each file of `tests/disclosing/` and `tests/harmless/` is a release. Its head says what is published, why that
//! discloses somebody (or nobody), and what every front end has to say to it:
//!
//! ```text
//! # release: the mean of a department, with and without its head
//! # why: 5 times the first less 4 times the second is the salary of the head.
//! # analyze: :means --prior 'x=Normal(50, std=10, size=5)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
//! # cli, source, live: fails
//! # audit: :tables --table staff=tables/staff.csv --secret staff.salary --prior 'Normal(mean=60, std=15)'
//! # verdict: fails full_disclosure
//! ```
//!
//! A line with the name of a command begins a run, with the options of that command; a word that starts with `:` names
//! the function. What is expected stands behind it: `fails` (exit code 3), `review` (only of audits), `refused` (exit code
//! 1), or `passes` (exit code 0), and words that have to be in what is printed. Lines that go on begin with `#   `.
//!
//! - `cli` is the command line, which reads the file without running it. `verdict` is the verdict of an audit, by the
//!   command line and by `privug.audit` in Python.
//! - `source` and `live` are the two ways of `privug.analyze` in Python, and `live` of audits is `privug.audit` of the function,
//!   or of the script with `live=True`; what Python says is tested in
//!   `crates/privug-python/tests/test_corpus.py`.
//!   `# python:` begins a run for these two alone, with the arguments of `privug.analyze` as Python writes them.
//!
//! Files are named in options relative to the folder of the release.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::header::words;
use crate::run::{Run, command, python_files, root};

/// The commands that are gates.
const COMMANDS: [&str; 4] = ["analyze", "audit", "calibrate", "compare"];

/// A release with all that its head says.
#[derive(Debug, Default)]
struct Release {
    what: String,
    why: String,
    runs: Vec<Attempt>,
}

/// One way to put a release to a front end.
#[derive(Debug)]
struct Attempt {
    command: String,
    options: String,
    /// Front ends, and what they have to say.
    expected: Vec<(String, String)>,
}

fn folder(name: &str) -> PathBuf {
    root().join("crates/privug-cli/tests").join(name)
}

/// Reads the head of a release; what is not understood is an error.
fn read(text: &str) -> Result<Release, String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for line in text.lines().take_while(|line| line.starts_with('#')) {
        if let Some(more) = line.strip_prefix("#   ") {
            let (_, last) = lines.last_mut().ok_or("goes on with nothing before it")?;
            last.push(' ');
            last.push_str(more.trim());
        } else {
            let (key, value) = line[1..].split_once(':').ok_or_else(|| format!("`{line}` has no `:`"))?;
            lines.push((key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    let mut release = Release::default();
    for (key, value) in lines {
        match key.as_str() {
            "release" => release.what = value,
            "why" => release.why = value,
            "python" => release.runs.push(Attempt { command: key, options: value, expected: Vec::new() }),
            command if COMMANDS.contains(&command) => {
                release.runs.push(Attempt { command: key, options: value, expected: Vec::new() });
            }
            ends => {
                let run = release.runs.last_mut().ok_or_else(|| format!("`{ends}` before any command"))?;
                for end in ends.split(',').map(str::trim) {
                    let known: &[&str] = match run.command.as_str() {
                        "analyze" => &["cli", "source", "live"],
                        "python" => &["source", "live"],
                        "audit" => &["verdict", "live"],
                        _ => &["cli"],
                    };
                    if !known.contains(&end) {
                        return Err(format!("`{end}` is not a front end of `{}`: {known:?}", run.command));
                    }
                    run.expected.push((end.to_owned(), value.clone()));
                }
            }
        }
    }
    if release.what.is_empty() || release.why.is_empty() {
        return Err("has to say what is published and why it does or does not disclose (`# release:`, `# why:`)".into());
    }
    match release.runs.iter().find(|run| run.expected.is_empty()) {
        Some(run) => Err(format!("nothing is expected of `{}`", run.command)),
        None if release.runs.is_empty() => Err("is put to no front end".into()),
        None => Ok(release),
    }
}

/// What a release says that is not so.
fn failures(path: &Path, may: &[&str]) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a release");
    let release = match read(&text) {
        Ok(release) => release,
        Err(reason) => return vec![reason],
    };
    let mut failures = Vec::new();
    for attempt in &release.runs {
        for (end, expected) in &attempt.expected {
            let (outcome, needed) = expected.split_once(' ').unwrap_or((expected, ""));
            if !may.contains(&outcome) {
                failures.push(format!("{end} must be one of {may:?}, not `{outcome}`"));
            } else if end == "cli" || end == "verdict" {
                let run = run(path, attempt);
                let got = outcome_of(&run, end == "verdict");
                let printed = format!("{}{}", run.stdout, run.stderr);
                if got != outcome {
                    failures.push(format!("{} {got} instead of {outcome}\n{}", attempt.command, printed.trim_end()));
                } else if let Some(word) = words(needed).iter().find(|word| !printed.contains(word.as_str())) {
                    failures.push(format!("{} {got} without a word of `{word}`\n{printed}", attempt.command));
                }
            }
        }
    }
    failures
}

fn run(path: &Path, attempt: &Attempt) -> Run {
    let name = path.file_name().expect("a name").to_string_lossy();
    let (functions, options): (Vec<String>, Vec<String>) =
        words(&attempt.options).into_iter().partition(|word| word.starts_with(':'));
    let program = format!("{name}{}", functions.concat());
    let mut arguments = vec![attempt.command.as_str(), &program, "--json"];
    arguments.extend(options.iter().map(String::as_str));
    command(&arguments).current_dir(path.parent().expect("a folder")).output().expect("privug starts").into()
}

/// What a run says to a release, by its exit code; of an audit that is not refused, the verdict as well.
fn outcome_of(run: &Run, is_audit: bool) -> String {
    let verdict = |run: &Run| match &run.json()["verdict"] {
        Value::String(verdict) => verdict.clone(),
        other => panic!("{other} is not a verdict"),
    };
    match run.code {
        Some(1) => "refused".to_owned(),
        Some(3) => "fails".to_owned(),
        Some(4) if is_audit && verdict(run) == "review" => "review".to_owned(),
        Some(0) if !is_audit || verdict(run) == "pass" => "passes".to_owned(),
        code => format!("ends with {code:?}"),
    }
}

/// Everything wrong with the releases of a folder, of which there are at least so many.
fn check(name: &str, least: usize, may: &[&str]) {
    let files = python_files(&folder(name));
    let mut wrong = Vec::new();
    for path in &files {
        let shown = path.strip_prefix(root()).expect("a path in the repository").display().to_string();
        wrong.extend(failures(path, may).into_iter().map(|failure| format!("{shown}: {failure}")));
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), files.len(), wrong.join("\n\n"));
    assert!(files.len() >= least, "only {} releases", files.len());
}

#[test]
fn no_release_that_discloses_somebody_passes() {
    check("disclosing", 60, &["fails", "review", "refused"]);
}

#[test]
fn harmless_releases_pass() {
    check("harmless", 30, &["passes"]);
}

#[test]
fn the_same_audit_prints_the_same_every_time() {
    // Several ways lead to each state of these counts, and their probabilities are added up; people are alike but for rounding.
    for name in ["running_counts_rounded_to_fives.py", "children_of_three_against_three.py"] {
        let path = folder("disclosing").join(name);
        let release = read(&std::fs::read_to_string(&path).expect("a release")).expect("a head");
        let attempt = release.runs.iter().find(|attempt| attempt.command == "audit").expect("an audit");
        let first = run(&path, attempt);
        assert!(first.stdout.contains("privug.audit/1"), "{name}: {}{}", first.stdout, first.stderr);
        for _ in 0..3 {
            assert!(run(&path, attempt).stdout == first.stdout, "{name} is not the same every time");
        }
    }
}

#[test]
fn a_head_that_leaves_something_out_is_noticed() {
    let head = "# release: a\n# why: b\n";
    let complete =
        format!("{head}# analyze: --secret x\n#   --exact\n# cli, live: fails\n# audit: -q\n# verdict: review\n");
    let release = read(&format!("{complete}\ncode\n")).expect("a release");
    assert_eq!((release.runs.len(), release.runs[0].options.as_str()), (2, "--secret x --exact"));
    assert_eq!(release.runs[0].expected.len(), 2);
    for broken in [
        "# release: a\n# analyze: -q\n# cli: fails\n",
        head,
        &format!("{head}# analyze: -q\n"),
        &format!("{head}# cli: fails\n"),
        &format!("{head}# audit: -q\n# cli: fails\n"),
        &format!("{head}# analyse: -q\n# cli: fails\n"),
    ] {
        assert!(read(broken).is_err(), "{broken}");
    }
}
