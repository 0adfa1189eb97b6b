//! `privug audit` from outside: the case study, differencing, defences, rules, files.

use std::path::PathBuf;

use serde_json::Value;

use crate::report::matches_snapshot;
use crate::run::{DEPARTMENT, Run, privug};

const PRIOR: &str = "Normal(prior_mean, prior_variance)";
const INCOMES: [&str; 6] =
    ["--table", "people=programs/audit/incomes.csv", "--secret", "people.income", "--person", "id"];

fn incomes(script: &str, prior: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["audit", script, "--prior", prior];
    arguments.extend(INCOMES);
    arguments.extend(more);
    privug(&arguments)
}

fn department(more: &[&str]) -> Run {
    let mut arguments = DEPARTMENT.to_vec();
    arguments.extend(more);
    privug(&arguments)
}

/// A file that this test alone uses.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("privug-audit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn names<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().expect("a list").iter().map(|one| text(&one[key])).collect()
}

#[test]
fn the_averages_of_the_case_study_leave_person_1_with_483_000_and_a_variance_of_90() {
    let run = incomes("programs/audit/release.py", PRIOR, &["--json", "--all-people"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), ""));
    let document = run.json();
    assert_eq!(document["schema"], "privug.audit/1");
    let first = &document["people"][0];
    assert_eq!((text(&first["person"]), &first["truth"]), ("1", &Value::from(500_000.0)));
    assert_eq!((&first["posterior_mean"], &first["posterior_variance"]), (&483_000.0.into(), &90.0.into()));
    let people = document["people"].as_array().expect("a list");
    assert_eq!(people.len(), 80);
    for person in people {
        assert!((person["posterior_variance"].as_f64().expect("a number") - 90.0).abs() < 1e-9, "{person}");
    }
}

#[test]
fn the_margins_of_a_crossed_table_are_redundant_and_traced_to_their_cells() {
    let run = incomes("programs/audit/margins.py", PRIOR, &["--json"]);
    let document = run.json();
    let figures = document["figures"].as_array().expect("a list");
    let redundant: Vec<&Value> = figures.iter().filter(|figure| figure["status"] == "redundant").collect();
    // Fifteen means, and how many people there are.
    assert_eq!((figures.len(), redundant.len()), (16, 7));
    for figure in redundant {
        let cells = figure["follows_from"].as_array().expect("a list").len();
        let expected = match text(&figure["name"]) {
            "mean income[All, All]" => 8,
            "mean income[All, male]" | "mean income[All, female]" => 4,
            _ => 2,
        };
        assert_eq!(cells, expected, "{figure}");
    }
}

#[test]
fn the_head_of_a_department_is_disclosed_and_the_pair_is_named() {
    let run = department(&["--json"]);
    assert_eq!(run.code, Some(3));
    let document = run.json();
    assert_eq!(document["verdict"], "fail");
    let [pair] = document["combinations"].as_array().expect("a list").as_slice() else { panic!("{document}") };
    assert_eq!(pair["people"], serde_json::json!(["Ane"]));
    assert_eq!(pair["figures"], serde_json::json!(["by department[sales]", "sales without its head"]));
    let head = &document["people"][0];
    assert_eq!((text(&head["person"]), &head["fully_disclosed"]), ("Ane", &Value::Bool(true)));
    assert_eq!((&head["posterior_variance"], text(&head["mutual_information_bits"])), (&0.0.into(), "inf"));
    // 5·by department[sales] − 4·sales without its head.
    let weights: Vec<f64> = head["disclosed_by"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["weight"].as_f64().expect("a number"))
        .collect();
    assert!((weights[0] - 5.0).abs() < 1e-9 && (weights[1] + 4.0).abs() < 1e-9, "{weights:?}");
}

#[test]
fn the_reports_read_as_they_did() {
    matches_snapshot("audit_department", &department(&[]).stdout);
    matches_snapshot("audit_incomes", &incomes("programs/audit/release.py", PRIOR, &["--top", "3"]).stdout);
    let defended = department(&["--suppress", "sales without its head", "--round", "1000", "--rule", "dominance=off"]);
    matches_snapshot("audit_defended", &defended.stdout);
    matches_snapshot("audit_department_json", &department(&["--json", "--top", "2"]).stdout);
}

#[test]
fn suppressing_one_of_the_pair_protects_the_head_and_the_exit_code_tells() {
    let lenient = ["--rule", "minimum_frequency.fail=4", "-q"];
    let with = |more: &[&str]| department(&[more, &lenient[..]].concat()).code;
    assert_eq!(with(&[]), Some(3));
    assert_eq!(with(&["--suppress", "sales without its head"]), Some(4));
    assert_eq!(with(&["--noise", "sales without its head=normal(std=20_000)"]), Some(4));
    assert_eq!(with(&["--round", "sales without its head=1"]), Some(3));
}

#[test]
fn a_suppressed_cell_that_the_margins_give_away_is_found() {
    let cell = "mean income[21-30, male]";
    let run = incomes("programs/audit/margins.py", PRIOR, &["--suppress", cell, "--json"]);
    let document = run.json();
    let figure = document["figures"].as_array().expect("a list").iter().find(|one| one["name"] == cell).expect("it");
    assert_eq!((text(&figure["status"]), &figure["published"]), ("suppressed", &Value::Null));
    let from = figure["follows_from"].as_array().expect("a list");
    assert!(from.contains(&Value::from("mean income[21-30, female]")), "{figure}");
    assert!(from.contains(&Value::from("mean income[21-30, All]")), "{figure}");
    assert!(names(&figure["rules"], "rule").contains(&"recoverable"));
}

#[test]
fn a_mechanism_says_where_its_sensitivity_comes_from() {
    let noise = "men 21-30=gaussian(epsilon=0.5, delta=1e-5)";
    let run = incomes("programs/audit/release.py", PRIOR, &["--noise", noise, "--json"]);
    let notes = run.json()["notes"].to_string();
    assert!(notes.contains("range of the real values") && notes.contains("noise is random"), "{notes}");
    let given = "men 21-30=gaussian(epsilon=0.5, delta=1e-5, sensitivity=11_000)";
    let run = incomes("programs/audit/release.py", PRIOR, &["--noise", given, "--json"]);
    assert!(!run.json()["notes"].to_string().contains("range of the real values"));
}

#[test]
fn a_policy_file_sets_rules_and_flags_win() {
    let path = scratch("policy.toml");
    std::fs::write(&path, "[minimum_frequency]\nfail = 3\n").expect("a file");
    let path = path.to_str().expect("UTF-8");
    assert_eq!(department(&["--policy", path, "--json"]).json()["policy"]["minimum_frequency"]["fail"], 3.0);
    let run = department(&["--policy", path, "--rule", "minimum_frequency.fail=4", "--json"]);
    assert_eq!(run.json()["policy"]["minimum_frequency"]["fail"], 4.0);
    std::fs::write(path, "[minimum_frequncy]\nfail = 3\n").expect("a file");
    let run = department(&["--policy", path]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("P721") && run.stderr.contains("did you mean `minimum_frequency`?"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_is_refused_with_a_hint() {
    for (more, code, said) in [
        (&["--suppress", "by departmnt"][..], "P723", "did you mean `by department`?"),
        (&["--noise", "by department=gaussian(epsilon=1)"], "P722", "needs `epsilon` and `delta`"),
        (&["--round", "much"], "P722", "`much` is not a valid base"),
        (&["--support", "salary >= "], "P004", "invalid Python"),
        (&["--support", "salary >= bonus"], "P727", "give one statement for each"),
        (&["--support", "salry >= 0"], "P727", "did you mean `salary`?"),
        (&["--support", "salary <= 100"], "P727", "which is impossible by"),
        (&["--support", "40_000 <= salary <= 100_000", "--strict"], "P727", "of the prior for"),
        (&["--rule", "dominance.fail=200"], "P721", "it must be between 0 and 100"),
    ] {
        let run = department(&[more, &["--json"]].concat());
        assert_eq!((run.code, run.codes()), (Some(1), vec![code.to_owned()]), "{more:?}");
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let run = privug(&[
        "audit",
        "programs/audit/department.py",
        "--table",
        "staff=none.csv",
        "--secret",
        "a.b",
        "--prior",
        "1",
        "--json",
    ]);
    assert_eq!(run.codes(), ["P724"]);
    for wrong in [&["--table", "staff"][..], &["--people", "everybody.txt"], &["--all-people"], &["--top", "x"]] {
        assert_eq!(department(wrong).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn everybody_is_in_the_table_and_nothing_half_written_is_left() {
    let path = scratch("everybody.csv");
    let run = incomes("programs/audit/release.py", PRIOR, &["--people", path.to_str().expect("UTF-8"), "-q"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""));
    let table = std::fs::read_to_string(&path).expect("a table");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 81);
    assert!(lines[0].starts_with("person,verdict,fully_disclosed,truth,prior_mean,prior_std,posterior_mean"));
    assert!(lines[1].starts_with("1,pass,false,500000,480000,10,483000,9.48683298"), "{}", lines[1]);
    let missing = scratch("no such folder").join("everybody.csv");
    assert_eq!(department(&["--people", missing.to_str().expect("UTF-8"), "-q"]).code, Some(1));
    let left = std::fs::read_dir(path.parent().expect("a folder")).expect("a folder");
    assert!(left.flatten().all(|entry| !entry.file_name().to_string_lossy().ends_with(".part")));
}

#[test]
fn the_table_of_people_can_be_audited_again_as_parquet() {
    let path = scratch("everybody.parquet");
    let file = path.to_str().expect("UTF-8");
    assert_eq!(incomes("programs/audit/release.py", PRIOR, &["--people", file, "-q"]).code, Some(3));
    let script = scratch("again.py");
    std::fs::write(&script, "def release(everybody):\n    return everybody.truth.mean()\n").expect("a file");
    let table = format!("everybody={file}");
    let script = script.to_str().expect("UTF-8");
    let arguments = ["audit", script, "--table", &table, "--secret", "everybody.truth", "--missing", "drop"];
    let prior = ["--prior", "Normal(posterior_mean, std=posterior_std)", "--json"];
    let run = privug(&[&arguments[..], &prior].concat());
    assert_eq!(run.json()["summary"]["people"]["count"], 80, "{}", run.stderr);
}

#[test]
fn the_page_and_the_plot_are_written() {
    let (page, plot) = (scratch("audit.html"), scratch("audit.svg"));
    let [page_path, plot_path] = [&page, &plot].map(|path| path.to_str().expect("UTF-8").to_owned());
    department(&["--html", &page_path, "--plot", &plot_path, "-q"]);
    let html = std::fs::read_to_string(&page).expect("a page");
    for said in ["This should not be published as it is.", "Content-Security-Policy", "data-sortable", "data-bar="] {
        assert!(html.contains(said), "{said}");
    }
    assert!(std::fs::read_to_string(&plot).expect("a plot").contains("fully disclosed"));
}

#[test]
fn exact_arithmetic_gives_fractions() {
    let document = department(&["--exact", "--json"]).json();
    assert_eq!(document["arithmetic"], "exact");
    assert_eq!(
        document["people"][0]["exact"],
        serde_json::json!({"posterior_mean": "98500", "posterior_variance": "0"})
    );
}

#[test]
fn a_figure_that_was_published_before_gives_the_head_away_too() {
    let table = std::fs::read_to_string(crate::run::root().join("programs/audit/department.csv")).expect("a table");
    let rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let sales: Vec<_> = rows.filter(|row| row[1] == "sales" && row[2] != "head").collect();
    let total: f64 = sales.iter().map(|row| row[3].parse::<f64>().expect("a salary")).sum();
    let count = sales.len() as f64;
    let ledger = |value: f64| {
        let weights: Vec<Value> = sales.iter().map(|row| serde_json::json!([row[0], "salary", 1.0])).collect();
        let figure = serde_json::json!({"name": "sales", "weights": weights, "divisor": count, "offset": 0.0, "unit": 0.0,
            "value": value});
        let release = serde_json::json!({"name": "may", "figures": [figure], "counts": [], "unexamined": []});
        serde_json::json!({"schema": "privug.ledger/1", "releases": [release]}).to_string()
    };
    let path = scratch("ledger.json");
    let path_text = path.to_str().expect("a path");
    let lenient = ["--rule", "minimum_frequency.fail=4", "-q", "--suppress", "sales without its head"];
    let before = ["--published-before", path_text];
    assert_eq!(department(&lenient).code, Some(4));
    std::fs::write(&path, ledger(total / count)).expect("a ledger");
    assert_eq!(department(&[&before, &lenient[..]].concat()).code, Some(3));
    std::fs::write(&path, ledger(total / count + 1.0)).expect("a ledger");
    let changed = department(&[&before, &lenient[..]].concat());
    assert_eq!(changed.code, Some(1));
    assert!(changed.stderr.contains("values have changed"), "{}", changed.stderr);
}

#[test]
fn running_a_script_needs_the_command_that_has_a_python() {
    let run = department(&["--live"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("pip install"), "{}", run.stderr);
}
