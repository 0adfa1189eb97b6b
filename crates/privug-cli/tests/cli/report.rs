//! The text report, and where it goes.

use crate::run::{command, privug, privug_with_input, root};

const CASE_1: &str = "programs/public_statistics/case1.py";
const AGES: [&str; 6] =
    ["analyze", "programs/ages.py", "--prior", "ages=[Normal(35, 4) for _ in range(100)]", "--secret", "ages[0]"];

/// Compares with `tests/snapshots/NAME.txt`; with `PRIVUG_SNAPSHOTS=write` it writes that file instead.
pub fn matches_snapshot(name: &str, text: &str) {
    let path = root().join(format!("crates/privug-cli/tests/snapshots/{name}.txt"));
    if std::env::var_os("PRIVUG_SNAPSHOTS").is_some_and(|mode| mode == "write") {
        std::fs::write(&path, text).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} has changed.\n--- before\n{expected}\n--- now\n{text}");
}

#[test]
fn the_report_on_case_1_reads_as_it_did() {
    let run = privug(&["analyze", CASE_1]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    matches_snapshot("case1", &run.stdout);
}

#[test]
fn the_report_on_case_1_in_exact_arithmetic_reads_as_it_did() {
    matches_snapshot("case1_exact", &privug(&["analyze", CASE_1, "--exact"]).stdout);
}

#[test]
fn the_reports_on_ages_read_as_they_did() {
    matches_snapshot("ages", &privug(&AGES).stdout);
    let observed: Vec<&str> = AGES.iter().copied().chain(["--observe", "44"]).collect();
    matches_snapshot("ages_observed", &privug(&observed).stdout);
}

#[test]
fn diagnostics_read_as_they_did() {
    let text = b"def main():\n    x = Normal(0, 1)\n    y = Normal(0, 1)\n    return x * y + z\n";
    let run = privug_with_input(&["analyze", "-"], text);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    matches_snapshot("diagnostics", &run.stderr);
}

#[test]
fn quiet_prints_nothing_but_diagnostics() {
    let run = privug(&["analyze", CASE_1, "--quiet"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let run = privug(&["check", CASE_1, "-q"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let run = privug_with_input(&["analyze", "-", "--quiet"], b"def main():\n    return 3\n");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("P016"));
}

#[test]
fn check_says_that_nothing_was_found() {
    let run = privug(&["check", CASE_1]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout, format!("{CASE_1}: no errors found\n"));
    // Without priors the function is checked, not run.
    assert_eq!(privug(&["check", "programs/ages.py"]).code, Some(0));
}

#[test]
fn pipes_and_no_color_get_no_escape_codes() {
    let refused = "crates/privug-cli/tests/refused/P301_product.py";
    for arguments in [&["analyze", CASE_1][..], &["analyze", refused], &["explain", "P301"], &["--help"]] {
        let plain = privug(arguments);
        assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr.contains('\u{1b}'), "{arguments:?}");
        let output = command(arguments).env("NO_COLOR", "1").output().expect("privug starts");
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{arguments:?}");
    }
}
