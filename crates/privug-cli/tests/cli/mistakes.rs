//! What people get wrong at a terminal: the true reason, what to do, an exit code that is not 0, and nothing written.

use std::path::PathBuf;

use crate::run::{privug, privug_with_input};

const MEAN: &str = "def mean(xs):\n    return sum(xs) / len(xs)\n";
const PRIOR: &str = "xs=[Normal(35, 4) for _ in range(10)]";
const TABLE: &str = "id,region,income\n1,north,100\n2,south,120\n3,north,150\n";
const BY_REGION: &str = "def release(people):\n    return people.groupby(\"region\").income.mean()\n";

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mistakes").join(name);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn audit(name: &str, table: &str, script: &str, more: &[&str]) -> (Option<i32>, String) {
    let file = folder(name).join("people.csv");
    std::fs::write(&file, table).expect("a table");
    let table = format!("people={}", file.display());
    let first = ["audit", "-", "--table", &table, "--secret", "people.income"];
    let run = privug_with_input(&[&first, more].concat(), script.as_bytes());
    (run.code, run.stderr)
}

#[test]
fn options_of_an_analysis_are_told_with_what_to_write() {
    for (given, said) in [
        (&["--prior", PRIOR, "--observe", "44,5", "--secret", "xs[0]"][..], "with a decimal point, such as `44.5`"),
        (&["--prior", PRIOR, "--observe", "44,5,6,7,8", "--secret", "xs[0]"], "there is no output `return[0]`"),
        (&["--prior", PRIOR, "--observe", "nan", "--secret", "xs[0]"], "write a number or an expression"),
        (&["--prior", PRIOR, "--secret", "ages[0]"], "the only name known here is xs"),
        (&["--prior", PRIOR, "--query", "P(xs[0] > 3"], "is a bracket or a quotation mark not closed?"),
        (&["--prior", PRIOR, "--query", "P(xs[0] = 3)"], "to compare, write `==`"),
        (&["--prior", PRIOR, "--level", "95"], "write 95 % as `0.95`"),
        (&["--prior", "ys=Normal(1, 1)"], "its only parameter is xs"),
        (&["--prior", "xs=[Normal(‘35’, 4)]"], "straight quotation marks"),
        (&["--set", "xs"], "such as `epsilon=0.5`"),
    ] {
        let run = privug_with_input(&[&["analyze", "-"], given].concat(), MEAN.as_bytes());
        assert_eq!(run.code, Some(1), "{given:?}");
        assert!(run.stderr.contains(said), "{given:?}\n{}", run.stderr);
    }
}

#[test]
fn a_range_for_what_is_no_parameter_is_pointed_at() {
    let run =
        privug_with_input(&["sweep", "-", "epsilon=0..5", "--prior", PRIOR, "--secret", "xs[0]"], MEAN.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no parameter `epsilon`") && run.stderr.contains("--> PARAMETER:1:"), "{}", run.stderr);
}

#[test]
fn combinations_that_are_too_many_are_counted() {
    let program = "def f(x):\n    return x + DiscreteUniform(0, 10**6)\n";
    let run = privug_with_input(&["analyze", "-", "--prior", "x=Bernoulli(0.3)", "--secret", "x"], program.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("2 choices at once, with 2000002 combinations"), "{}", run.stderr);
}

#[test]
fn a_table_is_not_a_program() {
    let file = folder("table").join("people.csv");
    std::fs::write(&file, TABLE).expect("a table");
    for command in ["analyze", "check"] {
        let run = privug(&[command, &file.to_string_lossy()]);
        assert_eq!(run.code, Some(1), "{command}");
        assert!(run.stderr.contains("is a table, not a program") && run.stderr.contains("--table NAME=FILE"));
    }
}

#[test]
fn options_of_an_audit_are_told_with_what_to_write() {
    let prior = ["--prior", "Normal(mean=130, std=30)"];
    for (given, said) in [
        (&["--person", "people.id"][..], "did you mean `id`?"),
        (&["--prior", "people=Normal(mean=130, std=30)"], "as in `income=Normal(mean=130, std=30)`"),
        (&["--prior", "N(130, 30)"], "`Normal(mean=..., std=...)`"),
        (&["--prior", "Normal(wage, 30)"], "the names known here are id, region, income"),
    ] {
        let given = if given[0] == "--prior" { given.to_vec() } else { [&prior[..], given].concat() };
        let (code, stderr) = audit("options", TABLE, BY_REGION, &given);
        assert_eq!(code, Some(1), "{given:?}");
        assert!(stderr.contains(said), "{given:?}\n{stderr}");
    }
    let script = "def release(people, epsilon):\n    return people.income.sum() / epsilon\n";
    let (code, stderr) = audit("parameter", TABLE, script, &prior);
    assert!(code == Some(1) && stderr.contains("or a default if it is not a table: `epsilon=...`"), "{stderr}");
}

#[test]
fn tables_are_told_with_what_is_wrong_in_them() {
    let prior = ["--prior", "Normal(income.mean(), std=income.std())"];
    for (table, said) in [
        ("region,income\nn,\"1,5\"\ns,\"2,5\"\n", "row 1, column `income`: `1,5` is not a number"),
        ("region,income\nn,18e307\ns,2\ne,abc\nw,def\n", "`18e307` is too large for a number"),
        ("region,income\nn,2024-01-31\ns,2024-02-01\n", "holds strings, such as `2024-01-31` in row 1"),
        ("region,income\nn,1\ns,12345678901234567890\n", "`12345678901234567890` has too many digits for an integer"),
        ("region,income\nn,1\n\"s,2\nn,3\n", "close every quotation mark"),
        ("region,income\nn,1\n", "one with a single value has no standard deviation"),
    ] {
        let (code, stderr) = audit("tables", table, BY_REGION, &prior);
        assert_eq!(code, Some(1), "{table}");
        assert!(stderr.contains(said), "{table}\n{stderr}");
    }
}

#[test]
fn results_with_a_wrong_ending_are_refused_before_anything_is_written() {
    let folder = folder("endings");
    for (option, name, endings) in [
        ("--html", "report.pdf", ".html or .htm"),
        ("--plot", "plot.jpg", ".svg or .png"),
        ("--people", "people.xlsx", ".csv or .parquet"),
    ] {
        let file = folder.join(name);
        let good = folder.join("good.html");
        let mut given = vec!["--prior", "Normal(mean=130, std=30)", option, file.to_str().expect("UTF-8")];
        if option != "--html" {
            given.extend(["--html", good.to_str().expect("UTF-8")]);
        }
        let (code, stderr) = audit("endings", TABLE, BY_REGION, &given);
        assert!(code == Some(2) && stderr.contains(endings), "{stderr}");
        assert!(!file.exists() && !good.exists());
    }
}

#[test]
fn syntax_errors_come_in_the_order_of_the_text_and_parameters_are_refused_once() {
    let run = privug_with_input(&["analyze", "-", "--json"], b"def f(x:\n    return x\n");
    let lines: Vec<u64> = run.json()["diagnostics"]
        .as_array()
        .expect("diagnostics")
        .iter()
        .map(|found| found["start"]["line"].as_u64().expect("a line"))
        .collect();
    assert!(lines.len() > 1 && lines.is_sorted(), "{lines:?}");
    let run = privug(&["mechanism", "--sensitivity", "1", "--epsilon", "0", "--delta", "1e-5"]);
    assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1), "{}", run.stderr);
}
