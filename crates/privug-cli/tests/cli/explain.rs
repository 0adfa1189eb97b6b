//! `privug explain`, and the exit code of wrong usage.

use crate::run::privug;

#[test]
fn every_code_is_explained() {
    let listed = privug(&["explain"]);
    assert_eq!(listed.code, Some(0));
    assert!(listed.stdout.lines().count() > 80, "{}", listed.stdout);
    for line in listed.stdout.lines() {
        let (code, title) = line.split_once("  ").expect("a code and a title");
        let explained = privug(&["explain", code]);
        assert_eq!(explained.code, Some(0), "{code}");
        let body = explained.stdout.strip_prefix(&format!("{code}: {title}\n\n")).expect("the title again").to_owned();
        assert!(body.trim().len() > 20, "{code}: {body}");
    }
    assert_eq!(privug(&["explain", "p301"]).stdout, privug(&["explain", "P301"]).stdout);
}

#[test]
fn an_unknown_code_is_wrong_usage() {
    let run = privug(&["explain", "P999"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("P999"), "{}", run.stderr);
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [
        &["analyze"][..],
        &[],
        &["analyze", "programs/ages.py", "--no-such-option"],
        &["no-such-command"],
        &["analyze", "programs/ages.py", "--max-steps", "many"],
    ] {
        let run = privug(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!run.stderr.is_empty());
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in [&["--help"][..], &["--version"], &["analyze", "--help"], &["help", "check"]] {
        let run = privug(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(!run.stdout.is_empty());
    }
}
