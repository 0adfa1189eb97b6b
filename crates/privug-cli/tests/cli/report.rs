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

#[test]
fn no_escape_sequence_of_a_user_reaches_the_terminal() {
    // A key, a secret and a truth that would turn everything red, and hide what follows.
    let program = "def f(x):\n    return {'\\x1b[31mred\\x9b8m': x[0] + x[1], 'b': x[1] + Normal(0, 1)}\n";
    let prior = ["analyze", "-", "--prior", "x=Normal(50, std=10, size=2)", "--secret", "x[0]"];
    let page = format!("{}/escapes.html", env!("CARGO_TARGET_TMPDIR"));
    let run = privug_with_input(&[&prior[..], &["--html", &page]].concat(), program.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stdout.contains(['\u{1b}', '\u{9b}']), "{:?}", run.stdout);
    assert!(run.stdout.contains("⟨U+001B⟩[31mred⟨U+009B⟩8m"), "{}", run.stdout);
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(!page.contains(['\u{1b}', '\u{9b}']));
    let refused = privug_with_input(&[&prior[..], &["--truth", "\u{1b}[31m=3"]].concat(), program.as_bytes());
    assert!(refused.code == Some(1) && !refused.stderr.contains('\u{1b}'), "{:?}", refused.stderr);
    let arguments = ["--measure", "P(x[0] > \u{9b}3)", "--csv"];
    let swept =
        privug_with_input(&[&["sweep", "-", "s=1..2"][..], &prior[2..], &arguments].concat(), program.as_bytes());
    assert!(!swept.stdout.contains('\u{9b}') && !swept.stderr.contains('\u{9b}'), "{:?}", swept.stderr);
}
