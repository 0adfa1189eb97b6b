//! Audits by groups from outside: files in pieces, folders, plans, groups that somebody else made, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{Run, privug};

/// A folder that one test alone uses.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("privug-registers-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

const HEAD: &str = "id,region,sex,age,income\n";

/// Rows of a table: regions of very different sizes, a missing one now and then, and missing incomes.
fn rows(from: usize, to: usize) -> String {
    let mut text = String::new();
    for row in from..to {
        let region = ["north", "north", "north", "süd", "\"a, b\"", ""][(row * 7 + row / 5) % 6];
        let income =
            if row % 11 == 4 { String::new() } else { format!("{}.{:02}", 20_000 + row * 37 % 9000, row % 100) };
        text += &format!("{row},{region},{},{},{income}\n", ["f", "m"][row % 2], 20 + 10 * (row % 3));
    }
    text
}

const RELEASE: &str = "def release(people):\n    return {\n        'mean': people.groupby('region')['income'].mean(),\n        \
                       'sum': people[people.age > 25].groupby(['region', 'sex'])['income'].sum(),\n        \
                       'people': people.groupby('sex').size(),\n    }\n";
const PRIOR: &str = "Normal(mean=24_000, std=3_000)";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

fn audit(script: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["audit", script, "--secret", "people.income", "--prior", PRIOR, "--json"];
    arguments.extend(more);
    privug(&arguments)
}

/// What must not depend on how people are gone through.
fn brief(run: &Run) -> (Value, Vec<(Value, Value, Value)>, Vec<[Value; 5]>, Vec<Value>) {
    let document = run.json();
    let list = |key: &str| document[key].as_array().unwrap_or_else(|| panic!("{document}")).clone();
    let reasons =
        list("reasons").into_iter().map(|one| (one["rule"].clone(), one["verdict"].clone(), one["count"].clone()));
    let mut figures = list("figures");
    for figure in &mut figures {
        // Groups add up decimals and people doubles, which may round the last digit differently.
        figure["value"] = figure["value"].as_f64().map_or(Value::Null, |value| format!("{value:.14e}").into());
    }
    let figures =
        figures.iter().map(|one| ["name", "value", "contributors", "verdict", "rules"].map(|key| one[key].clone()));
    let people = ["count", "rows", "fail", "review", "pass", "fully_disclosed", "uncertainty_removed"];
    let people = people.map(|key| document["summary"]["people"][key].clone());
    (document["verdict"].clone(), reasons.collect(), figures.collect(), people.to_vec())
}

#[test]
fn a_file_a_folder_and_several_files_give_the_audit_of_the_table() {
    let folder = scratch("files");
    let script = write(&folder, "release.py", RELEASE);
    let whole = write(&folder, "people.csv", &(HEAD.to_owned() + &rows(0, 300)));
    let parts = folder.join("parts");
    fs::create_dir_all(&parts).expect("a folder");
    let first = write(&parts, "1.csv", &(HEAD.to_owned() + &rows(0, 100)));
    let second = write(&parts, "2.csv", &(HEAD.to_owned() + &rows(100, 300)));
    write(&parts, "_SUCCESS", "");
    let table = |path: &str| format!("people={path}");
    let alone = audit(&script, &["--table", &table(&whole)]);
    let grouped = audit(&script, &["--table", &table(&whole), "--grouped"]);
    assert_eq!(brief(&alone), brief(&grouped), "{}", grouped.stderr);
    assert!(grouped.json()["summary"]["people"]["groups"].as_u64() > Some(10));
    let of_folder = audit(&script, &["--table", &table(&parts.to_string_lossy())]);
    assert_eq!(brief(&alone), brief(&of_folder), "{}", of_folder.stderr);
    let of_files = audit(&script, &["--table", &table(&first), "--table", &table(&second)]);
    assert_eq!(brief(&alone), brief(&of_files), "{}", of_files.stderr);
    // Everybody's own numbers, in a second pass.
    let (one, other) = (folder.join("one.csv"), folder.join("other.csv"));
    audit(&script, &["--table", &table(&whole), "--people", &one.to_string_lossy()]);
    audit(&script, &["--table", &table(&parts.to_string_lossy()), "--people", &other.to_string_lossy()]);
    let read = |path: &Path| fs::read_to_string(path).expect("the people");
    let (one, other) = (read(&one), read(&other));
    assert_eq!(one.lines().count(), other.lines().count());
    for (a, b) in one.lines().zip(other.lines()) {
        for (a, b) in a.split(',').zip(b.split(',')) {
            match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(x), Ok(y)) => assert!((x - y).abs() <= 1e-9 * x.abs().max(1.0), "{a} and {b}"),
                _ => assert_eq!(a, b),
            }
        }
    }
}

#[test]
fn a_column_that_tells_everybody_apart_is_to_blame() {
    let folder = scratch("many");
    let script = write(&folder, "release.py", "def f(people):\n    return people[people.id > 5].income.mean()\n");
    // More groups than are allowed would take a large file; the limit is what the message is about.
    let table = write(&folder, "people.csv", &(HEAD.to_owned() + &rows(0, 50)));
    let few = audit(&script, &["--table", &format!("people={table}"), "--grouped"]);
    assert_eq!(few.json()["summary"]["people"]["groups"], 50);
    let mut text = String::from("id,income\n");
    (0..1_000_100).for_each(|row| text += &format!("{row},1\n"));
    let table = write(&folder, "many.csv", &text);
    let many = audit(&script, &["--table", &format!("people={table}"), "--grouped"]);
    assert_eq!(many.codes(), ["P831"]);
    assert!(many.stderr.contains("`id` alone has") && many.stderr.contains("bin it in the table"), "{}", many.stderr);
}

#[test]
fn files_may_have_their_columns_in_any_order_and_no_rows() {
    let folder = scratch("parts");
    let script = write(&folder, "release.py", RELEASE);
    let whole = write(&folder, "whole.csv", &(HEAD.to_owned() + &rows(0, 60)));
    let parts = folder.join("parts");
    fs::create_dir_all(&parts).expect("a folder");
    write(&parts, "a.csv", &(HEAD.to_owned() + &rows(0, 30)));
    write(&parts, "b.csv", HEAD);
    let turned = rows(30, 60).lines().fold("\u{feff}income,\"age\",sex,region,id\r\n".to_owned(), |text, line| {
        let line = line.replace("\"a, b\"", "@");
        let cells: Vec<&str> = line.split(',').rev().collect();
        text + &cells.join(",").replace('@', "\"a, b\"") + "\r\n"
    });
    write(&parts, "c.csv", &turned);
    write(&parts, "notes.txt", "none of the table");
    let parts_table = format!("people={}", parts.display());
    let together = audit(&script, &["--table", &format!("people={whole}"), "--grouped"]).json();
    let in_parts = audit(&script, &["--table", &parts_table]).json();
    for part in ["figures", "reasons", "summary", "verdict"] {
        assert_eq!(in_parts[part], together[part], "{part}");
    }
    for (name, text, words) in [
        ("d.csv", "id,region,sex,age\n1,north,f,3\n", "there is no column `income`"),
        ("d.csv", "id,region,sex,age,income,note\n1,north,f,3,4.0,x\n", "there is a column `note`"),
    ] {
        write(&parts, name, text);
        let refused = audit(&script, &["--table", &parts_table]);
        assert_eq!(refused.codes(), ["P724"]);
        assert!(refused.stderr.contains(words) && refused.stderr.contains("d.csv"), "{}", refused.stderr);
    }
    let nothing = folder.join("nothing");
    fs::create_dir_all(&nothing).expect("a folder");
    write(&nothing, "a.csv", HEAD);
    let refused = audit(&script, &["--table", &format!("people={}", nothing.display())]);
    assert!(refused.stderr.contains("a.csv: the table has no rows"), "{}", refused.stderr);
}

#[test]
fn what_groups_cannot_tell_and_tables_that_are_no_groups_are_refused() {
    let folder = scratch("refused");
    let table = write(&folder, "people.csv", &(HEAD.to_owned() + &rows(0, 50)));
    let table = format!("people={table}");
    let script = write(&folder, "median.py", "def f(people):\n    return people.age.median(), people.income.mean()\n");
    assert_eq!(audit(&script, &["--table", &table, "--grouped"]).codes(), ["P830"]);
    assert_eq!(audit(&script, &["--table", &table, "--grouped", "--person", "id"]).codes(), ["P830"]);
    let script = write(&folder, "release.py", RELEASE);
    let path = folder.join("people.csv").to_string_lossy().into_owned();
    assert_eq!(audit(&script, &["--groups", &path]).codes(), ["P832"]);
}

#[test]
fn a_plan_names_the_columns_that_are_read_and_nothing_else() {
    let folder = scratch("plan");
    let script = write(&folder, "release.py", RELEASE);
    let table = write(&folder, "people.csv", &(HEAD.to_owned() + &rows(0, 5)));
    let table = format!("people={table}");
    let arguments = ["plan", &script, "--secret", "people.income", "--prior", PRIOR, "--json"];
    for dialect in ["spark", "duckdb", "postgres", "bigquery", "snowflake", "trino"] {
        let run = privug(&[&arguments[..], &["--table", &table, "--dialect", dialect]].concat());
        let document = run.json();
        assert_eq!(document["schema"], "privug.plan/1");
        assert_eq!(document["columns"], serde_json::json!(["region", "sex", "age"]), "{dialect}");
        let given =
            privug(&[&arguments[..], &["--columns", "id,region,sex,age,income", "--dialect", dialect]].concat());
        assert_eq!(document["group"], given.json()["group"], "{dialect}");
    }
    let run = privug(&[&arguments[..], &["--table", &table, "--dialect", "mysql"]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("duckdb"), "{}", run.stderr);
}

#[test]
fn earlier_releases_by_groups_count_as_if_everything_was_published_at_once() {
    let folder = scratch("ledger");
    // One person of 99, whom the difference of two sums gives away.
    let table = HEAD.to_owned() + &rows(0, 300) + "300,north,f,99,25000.00\n";
    let people = format!("people={}", write(&folder, "people.csv", &table));
    let (may, june) = (
        "people.groupby(['region', 'sex'])['income'].sum(), people.groupby('sex').size()",
        "people[people.age < 90].income.sum(), people[people.age < 90].income.mean()",
    );
    let script = |name: &str, body: &str| write(&folder, name, &format!("def f(people):\n    return {body}\n"));
    let (first, second) = (script("may.py", may), script("june.py", june));
    let both = script("both.py", &format!("[{may}], [{june}], people.region.nunique() * 0 + 1"));
    let ledger = folder.join("ledger.json").to_string_lossy().into_owned();
    let recorded = audit(&first, &["--table", &people, "--grouped", "--record", &format!("may={ledger}")]);
    assert!(recorded.json()["verdict"].is_string(), "{}", recorded.stderr);
    let text = fs::read_to_string(&ledger).expect("a ledger");
    assert!(!text.contains("25000"), "no secret is in it: {text}");
    let after = audit(&second, &["--table", &people, "--grouped", "--published-before", &ledger]);
    let at_once = audit(&both, &["--table", &people, "--grouped", "--rule", "unexamined=off"]);
    let (after, at_once) = (after.json(), at_once.json());
    for key in ["count", "rows", "fail", "review", "pass", "fully_disclosed"] {
        assert_eq!(after["summary"]["people"][key], at_once["summary"]["people"][key], "{key}");
    }
    assert_eq!(after["summary"]["people"]["fully_disclosed"], 1);
    let alone = audit(&second, &["--table", &people, "--grouped"]).json();
    assert_eq!(alone["summary"]["people"]["fully_disclosed"], 0);
    let about_people = |document: &Value| -> Vec<(Value, Value, Value)> {
        let reasons = document["reasons"].as_array().expect("reasons").clone();
        let kept = reasons.into_iter().filter(|one| one["rule"] == "full_disclosure" || one["rule"] == "relative_std");
        kept.map(|one| (one["rule"].clone(), one["verdict"].clone(), one["count"].clone())).collect()
    };
    assert_eq!(about_people(&after), about_people(&at_once));
    // The same ledger goes on, and is never overwritten unseen.
    let unseen = audit(&second, &["--table", &people, "--grouped", "--record", &format!("june={ledger}")]);
    assert_eq!(unseen.code, Some(2));
    assert!(unseen.stderr.contains("--published-before"), "{}", unseen.stderr);
    let on = ["--grouped", "--published-before", &ledger, "--record", &format!("june={ledger}"), "--table", &people];
    audit(&second, &on);
    let document: Value = serde_json::from_str(&fs::read_to_string(&ledger).expect("a ledger")).expect("JSON");
    let names: Vec<&Value> =
        document["releases"].as_array().expect("releases").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["may", "june"]);
    assert_eq!(document["releases"][1]["figures"].as_array().map(Vec::len), Some(2));
    // What has changed since is noticed, and what was recorded by groups is audited by groups.
    let refused = |table: &str, more: &[&str], words: &str| {
        let people = format!("people={}", write(&folder, "changed.csv", table));
        let run = audit(&second, &[&["--table", &people, "--published-before", &ledger], more].concat());
        assert_eq!(run.codes(), ["P830"], "{}", run.stderr);
        assert!(run.stderr.contains(words) || run.stdout.contains(words), "{}{}", run.stdout, run.stderr);
    };
    refused(&table.replace(",25000.00", ",25000.01"), &["--grouped"], "values have changed");
    refused(&(table.clone() + "301,north,f,40,1.00\n"), &["--grouped"], "and now there are");
    refused(&table, &[], "recorded by groups");
    let arguments = ["plan", &second, "--secret", "people.income", "--prior", PRIOR, "--json", "--table", &people];
    let planned = privug(&[&arguments[..], &["--dialect", "duckdb", "--published-before", &ledger]].concat());
    assert_eq!(planned.json()["columns"], serde_json::json!(["region", "sex", "age"]));
}

#[test]
fn what_is_judged_by_everybodys_own_value_is_not_guessed_from_groups() {
    let folder = scratch("later");
    let people = format!("people={}", write(&folder, "people.csv", &(HEAD.to_owned() + &rows(0, 60))));
    let script = write(&folder, "release.py", "def f(people):\n    return people.groupby('sex').income.mean()\n");
    for more in [
        &["--support", "income >= 0"][..],
        &["--round", "all=10"],
        &["--rule", "baseline=without_person"],
        &["--missing", "refuse"],
        &["--known", "sex"],
        &["--prior", "Bernoulli(0.5)"],
        &["--prior", "Normal(people.income, 1)"],
    ] {
        let mut arguments =
            vec!["audit", &script, "--secret", "people.income", "--table", &people, "--json", "--grouped"];
        if more[0] != "--prior" {
            arguments.extend(["--prior", PRIOR]);
        }
        arguments.extend(more);
        let run = privug(&arguments);
        assert_eq!(run.codes(), ["P830"], "{more:?}: {}{}", run.stdout, run.stderr);
    }
    // A secret of two values is judged by what is possible, person by person.
    let two = HEAD.to_owned() + &(0..40).map(|row| format!("{row},north,f,30,{}\n", row % 2)).collect::<String>();
    let people = format!("people={}", write(&folder, "two.csv", &two));
    assert_eq!(audit(&script, &["--table", &people, "--grouped"]).codes(), ["P830"]);
}
