//! `privug audit` with priors that are not Gaussian.

use std::path::PathBuf;

use serde_json::Value;

use crate::run::{Run, privug};

const TABLE: &str = "region,sex,income\n\
    north,f,120\nnorth,m,310\nnorth,f,250\nnorth,m,95\nsouth,f,400\nsouth,m,180\nsouth,m,220\nsouth,f,150\n\
    west,f,0\nwest,m,0\nwest,f,0\n";

const BY_REGION: &str = "def release(people):\n    return people.groupby(\"region\").income.sum()\n";

/// A file that one test alone uses.
fn scratch(name: &str, text: &str) -> String {
    let folder: PathBuf = std::env::temp_dir().join(format!("privug-skewed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

fn audit(test: &str, script: &str, prior: &str, more: &[&str]) -> Run {
    let script = scratch(&format!("{test}.py"), script);
    let table = format!("people={}", scratch(&format!("{test}.csv"), TABLE));
    let mut arguments = vec!["audit", &script, "--table", &table, "--secret", "people.income", "--prior", prior];
    arguments.extend(more);
    privug(&arguments)
}

fn pair(value: &Value) -> [f64; 2] {
    [0, 1].map(|end| value[end].as_f64().expect("a number"))
}

#[test]
fn everybody_with_the_same_prior_has_the_mean_of_the_group_within_bounds() {
    let prior = "Mixture([0.1, 0.9], [0, LogNormal(mean=220, std=120)])";
    let run = audit("mixture", BY_REGION, prior, &["--json", "--all-people"]);
    let document = run.json();
    let people = document["people"].as_array().expect("a list");
    for (place, mean) in [(0, 193.75), (4, 237.5)] {
        let known = &people[place]["distribution"];
        assert_eq!((&known["kind"], &known["method"]), (&"skewed".into(), &"certified".into()));
        let [low, high] = pair(&known["mean"]);
        assert!(low <= mean && mean <= high && high - low < 0.5, "{low} {high}");
        let [least, most] = pair(&known["interval_95"]);
        assert!(least < mean && mean < most);
    }
    // Three people whose sum is 0 have 0, and nothing but the zeros of others was known.
    for person in &people[8..] {
        assert_eq!((&person["fully_disclosed"], &person["posterior_variance"]), (&true.into(), &0.0.into()));
    }
    assert_eq!((run.code, &document["verdict"]), (Some(3), &"fail".into()));
}

#[test]
fn text_page_and_table_have_the_bounds() {
    let page = scratch("page.html", "");
    let everybody = scratch("everybody.csv", "");
    let run = audit("reports", BY_REGION, "Empirical(income)", &["--html", &page, "--people", &everybody]);
    assert!(run.stdout.contains("95 % from"), "{}", run.stdout);
    assert!(run.stdout.contains("counterfactual baseline is the prior"), "{}", run.stdout);
    let html = std::fs::read_to_string(&page).expect("a page");
    assert!(html.contains("95 % from") && html.contains("D(after ‖ before) in bits, at most"));
    let table = std::fs::read_to_string(&everybody).expect("a table");
    let header = table.lines().next().expect("a header");
    assert!(header.contains("posterior_std_lower,posterior_std_upper,interval_lower,interval_upper"), "{header}");
}

#[test]
fn margins_and_nested_sums_are_told_apart_and_overlaps_refused() {
    let margins = "import pandas as pd\n\ndef release(people):\n    \
        some = people[people.region != \"west\"]\n    \
        return pd.crosstab(some.region, some.sex, values=some.income, aggfunc=\"sum\", margins=True)\n";
    let run = audit("margins", margins, "Gamma(mean=220, std=120)", &["--json", "--all-people"]);
    let document = run.json();
    let [low, high] = pair(&document["people"][0]["distribution"]["mean"]);
    // Two women in the north have 370 together.
    assert!(low <= 185.0 && 185.0 <= high && high - low < 1.0, "{low} {high}");
    let overlap = "def release(people):\n    \
        return {\"not west\": people[people.region != \"west\"].income.sum(), \"women\": people[people.sex == \"f\"].income.sum()}\n";
    let run = audit("overlap", overlap, "LogNormal(mean=220, std=120)", &["--json"]);
    assert_eq!((run.code, run.codes()), (Some(1), vec!["P728".to_owned()]));
    assert!(run.stderr.contains("`not west` and `women` have people in common"), "{}", run.stderr);
    let inside = "def release(people):\n    \
        return {\"all\": people.income.sum(), \"women\": people[people.sex == \"f\"].income.sum()}\n";
    let run = audit("inside", inside, "LogNormal(mean=220, std=120)", &["--json", "--noise", "normal(std=10)"]);
    assert_eq!((run.code, run.codes()), (Some(1), vec!["P728".to_owned()]));
    assert!(run.stderr.contains("at least one has noise"), "{}", run.stderr);
}

#[test]
fn noise_and_rounding_leave_more_uncertainty_than_the_figure_itself() {
    let std_of = |test: &str, more: &[&str]| {
        let script = "def release(people):\n    \
            return people[people.region != \"west\"].groupby(\"region\").income.mean()\n";
        let mut arguments = vec!["--json", "--all-people"];
        arguments.extend(more);
        let document = audit(test, script, "LogNormal(mean=220, std=120)", &arguments).json();
        pair(&document["people"][0]["distribution"]["std"])
    };
    let plain = std_of("plain", &[]);
    let noisy = std_of("noisy", &["--noise", "normal(std=60)"]);
    let rounded = std_of("rounded", &["--round", "200"]);
    assert!(noisy[0] > plain[1] && rounded[0] > plain[1], "{plain:?} {noisy:?} {rounded:?}");
}

#[test]
fn a_program_may_not_have_such_a_distribution() {
    let program = scratch("program.py", "from privug import LogNormal\n\ndef f(x):\n    return x + LogNormal(0, 1)\n");
    let run = privug(&["check", &program]);
    assert_ne!(run.code, Some(0));
    assert!(run.stderr.contains("only the `--prior` of an audited column may be skewed"), "{}", run.stderr);
}
