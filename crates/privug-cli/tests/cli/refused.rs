//! Every diagnostic: a program that is refused with it, at the right place.
//!
//! Each file of `tests/refused/` begins with a line for each diagnostic in order, `# refused: CODE at LINE:COLUMN`, with
//! `in --prior` behind it if the place is in an option.

use std::collections::BTreeSet;

use crate::header;
use crate::run::{Run, command, privug, privug_with_input, python_files, root};

/// Codes that no file can show, and what shows them instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("P001", "a file that is not there; see files.rs"),
    ("P005", "a text of many brackets, made below"),
    ("P006", "a text of many terms, made below"),
    ("P007", "takes a text of more than 256 MiB"),
    ("P506", "takes a result that doubles get wrong; none is known"),
    ("P608", "takes a front end that cancels; the command line does not"),
    ("P708", "comes from other commands, run below"),
    ("P709", "comes from other commands, run below"),
    ("P721", "comes from `audit`; see audit.rs"),
    ("P722", "comes from `audit`; see audit.rs"),
    ("P723", "comes from `audit`; see audit.rs"),
    ("P724", "comes from `audit`; see audit.rs"),
    ("P727", "comes from `audit`; see audit.rs"),
    ("P728", "comes from `audit`; see skewed.rs"),
    ("P801", "takes a table; see crates/privug/tests/audit/refused.rs"),
    ("P802", "takes a table; see crates/privug/tests/audit/refused.rs"),
    ("P803", "takes a table; see crates/privug/tests/audit/refused.rs"),
    ("P804", "takes a table; see crates/privug/tests/audit/refused.rs"),
    ("P805", "takes a table; see crates/privug/tests/audit/refused.rs"),
    ("P806", "takes a table; see crates/privug/tests/audit/refused.rs"),
    ("P807", "takes a table; see crates/privug/tests/audit/refused.rs"),
    ("P808", "takes two runs that differ; see crates/privug/src/evaluate/tables/pairing.rs"),
    ("P820", "takes a table; see crates/privug-python/tests/test_source_corpus.py"),
    ("P830", "takes a table of groups; see registers.rs"),
    ("P831", "takes a table of groups; see registers.rs"),
    ("P832", "takes a table of groups; see registers.rs"),
    ("P902", "comes from Python; see crates/privug-python/tests/test_randomness.py"),
    ("P903", "comes from Python; see crates/privug-python/tests/test_publish_refused.py"),
];

fn folder() -> std::path::PathBuf {
    root().join("crates/privug-cli/tests/refused")
}

#[test]
fn every_fixture_is_refused_with_its_code_at_its_place() {
    let mut failures = Vec::new();
    for file in python_files(&folder()) {
        let bytes = std::fs::read(&file).expect("a fixture");
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let cases = header::read(&String::from_utf8_lossy(&bytes));
        let [case] = cases.as_slice() else { panic!("{name} needs one case") };
        let program = format!("{name}{}", case.function.as_deref().unwrap_or(""));
        let mut arguments = vec!["analyze", &program, "--json"];
        arguments.extend(case.options.iter().map(String::as_str));
        let run: Run = command(&arguments).current_dir(folder()).output().expect("privug starts").into();
        if run.code != Some(1) {
            failures.push(format!("{name}: exit code {:?}", run.code));
            continue;
        }
        let got: Vec<String> = run.json()["diagnostics"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|found| {
                let (code, start) = (found["code"].as_str().expect("a code"), &found["start"]);
                let place = found["path"].as_str().expect("a path");
                let behind = if place == name { String::new() } else { format!(" in {place}") };
                format!("{code} at {}:{}{behind}", start["line"], start["column"])
            })
            .collect();
        if got != case.refused {
            failures.push(format!("{name}: {got:?} instead of {:?}", case.refused));
        }
        if !name.starts_with(case.refused[0].split(' ').next().expect("a code")) {
            failures.push(format!("{name} is not named after its code"));
        }
        if !run.stderr.contains("error[P") {
            failures.push(format!("{name}: nothing for people on stderr"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_code_has_a_fixture_or_a_reason() {
    let listed = privug(&["explain"]).stdout;
    let codes: BTreeSet<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let fixtures = python_files(&folder());
    let shown: BTreeSet<String> =
        fixtures.iter().map(|file| file.file_name().expect("a name").to_string_lossy()[..4].to_owned()).collect();
    for code in &codes {
        let excused = ELSEWHERE.iter().any(|(known, _)| known == code);
        assert!(shown.contains(*code) != excused, "{code} needs a fixture in tests/refused/ or a reason, not both");
    }
    for code in &shown {
        assert!(codes.contains(code.as_str()), "{code} is no code");
    }
}

#[test]
fn deep_and_long_texts_are_refused_and_do_not_exhaust_the_stack() {
    let many = 100_000;
    let texts = [
        ("P005", format!("def main():\n    return {}Normal(0, 1){}\n", "(".repeat(many), ")".repeat(many))),
        ("P006", format!("def main():\n    x = 1{}\n    return Normal(x, 1)\n", " + 1".repeat(many))),
    ];
    for (code, text) in texts {
        assert_eq!(privug_with_input(&["analyze", "-", "--json"], text.as_bytes()).codes(), [code]);
    }
}

#[test]
fn other_commands_refuse_what_they_cannot_use() {
    assert_eq!(privug(&["sweep", "programs/noisy_average.py", "epsilon=1", "--json"]).codes(), ["P708"]);
    let releases = ["programs/differencing.py", "programs/kalman.py"];
    assert_eq!(privug(&["compare", releases[0], releases[1], "--json"]).codes(), ["P709"]);
}

#[test]
fn independent_errors_are_reported_together() {
    let syntax = b"def main():\n    x = = 3\n    return x\n\ndef other(:\n    pass\n";
    assert!(privug_with_input(&["check", "-", "--json"], syntax).codes().len() >= 2);
    let constructs = b"def main():\n    while True:\n        pass\n    f = lambda *x: x\n    return nromal(0, 1)\n";
    assert_eq!(privug_with_input(&["check", "-", "--json"], constructs).codes(), ["P101", "P105", "P202"]);
    let values = b"def main():\n    x = Normal(0, -1)\n    y = Normal(0, 1)\n    z = y * y\n    xs = [1]\n    \
                   a = xs[5] + 1\n    return z + a\n";
    assert_eq!(privug_with_input(&["analyze", "-", "--json"], values).codes(), ["P401", "P301", "P403"]);
}
