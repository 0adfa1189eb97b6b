//! Errors of the program itself: said as what they are, with an exit code of their own, and nothing half-written.

use crate::run::{Run, command, privug};

const CASE_1: &str = "programs/public_statistics/case1.py";

fn provoked(point: &str, arguments: &[&str]) -> Run {
    command(arguments).env("PRIVUG_TEST_INTERNAL_ERROR", point).output().expect("privug starts").into()
}

#[test]
fn an_internal_error_says_so_asks_for_a_report_and_has_its_own_code() {
    for arguments in [&["analyze", CASE_1][..], &["analyze", CASE_1, "--json"], &["check", CASE_1], &["explain"]] {
        let run = provoked("begin", arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(70), ""), "{arguments:?}");
        assert!(run.stderr.starts_with("internal error: this is a bug in privug"), "{}", run.stderr);
        assert!(
            run.stderr.contains("provoked (internal.rs:") && run.stderr.contains("Please report"),
            "{}",
            run.stderr
        );
        for soup in ["panicked", "RUST_BACKTRACE", "thread", "by a test"] {
            assert!(!run.stderr.contains(soup), "{}", run.stderr);
        }
    }
}

#[test]
fn an_internal_error_leaves_no_partial_file() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("internal-error");
    // It need not exist yet.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let page = folder.join("page.html");
    let run = provoked("writing", &["analyze", CASE_1, "--html", page.to_str().expect("a name")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(70), ""));
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0);
}

#[test]
fn what_is_refused_is_no_internal_error() {
    assert_eq!(privug(&["analyze", "no_such_file.py"]).code, Some(1));
    assert_eq!(privug(&["analyze"]).code, Some(2));
}

/// Many disjoint groups were the first internal error that a user met.
#[test]
fn any_number_of_disjoint_groups_can_be_audited() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("disjoint-groups");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let script = folder.join("means.py");
    std::fs::write(&script, "def means(people):\n    return people.groupby(\"g\").x.mean()\n").expect("a script");
    for groups in [1, 63, 64, 65, 200] {
        let rows = (0..groups * 12).map(|row| format!("{},{}\n", row % groups, 40 + row * 7 % 23));
        let table = folder.join(format!("{groups}.csv"));
        std::fs::write(&table, format!("g,x\n{}", rows.collect::<String>())).expect("a table");
        let table = format!("people={}", table.display());
        let prior = "Normal(50, std=10)";
        let script = script.to_str().expect("a name");
        let run = privug(&["audit", script, "--table", &table, "--secret", "people.x", "--prior", prior, "--json"]);
        assert!(matches!(run.code, Some(0 | 3)), "{groups}: {}", run.stderr);
        // A mean over twelve leaves 11/12 of the variance.
        let left = run.json()["people"][0]["relative_std"].as_f64().expect("a number");
        assert!((left - (11.0f64 / 12.0).sqrt()).abs() < 1e-9, "{groups}: {left}");
    }
}
