//! The two JSON documents, field by field, as docs/json.md describes them.

use serde_json::{Value, json};

use crate::run::{Run, privug, privug_with_input};

const CASE_1: &str = "programs/public_statistics/case1.py";

fn analysis(arguments: &[&str]) -> Value {
    let run = privug(arguments);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json()
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap_or_else(|| panic!("{object} is no object")).keys().map(String::as_str).collect()
}

fn assert_numbers(object: &Value, fields: &[&str]) {
    for field in fields {
        assert!(object[field].is_f64(), "{field} is {}", object[field]);
    }
}

#[test]
fn an_analysis_has_the_documented_fields() {
    let document = analysis(&["analyze", CASE_1, "--json"]);
    assert_eq!(document["schema"], "privug.analysis/1");
    assert_eq!(document["program"], json!({"path": CASE_1, "function": "agg"}));
    assert_eq!(document["arithmetic"], "float");
    assert_eq!(document["secrets"], json!(["male_21_30[0]"]));
    for state in ["prior", "posterior"] {
        let state = &document[state];
        assert!(state["mean"][0].is_f64() && state["variance"][0].is_f64() && state["covariance"][0][0].is_f64());
    }
    assert_eq!(document["prior"]["mean"], json!([480_000.0]));
    assert_eq!(document["posterior"]["covariance"], json!([[90.0]]));
    assert!(document.get("exact").is_none());
    assert_numbers(&document, &["log_evidence_nats"]);
    let observation = &document["observations"][0];
    assert_eq!(observation["name"], "male_21_30_average");
    assert!(observation["line"].is_u64());
    assert_numbers(observation, &["value", "variance", "predicted_mean", "predicted_std", "z"]);
    assert_eq!(observation["status"], "used");
    let leakage = &document["leakage"][0];
    assert_eq!(leakage["secret"], "male_21_30[0]");
    assert_numbers(leakage, &["mutual_information_bits", "kl_posterior_prior_bits", "kl_prior_posterior_bits"]);
    assert_eq!(leakage["fully_disclosed"], false);
    for list in ["outputs", "mechanisms", "queries", "requirements", "notes"] {
        assert!(document[list].is_array(), "{list}");
    }
    assert!(document["notes"].as_array().expect("a list").iter().all(Value::is_string));
}

#[test]
fn the_fields_of_the_design_come_first_and_none_is_missing() {
    let document = analysis(&["analyze", CASE_1, "--json", "--exact"]);
    let wanted = [
        "schema",
        "program",
        "arithmetic",
        "secrets",
        "prior",
        "posterior",
        "exact",
        "observations",
        "log_evidence_nats",
        "leakage",
        "queries",
        "requirements",
        "notes",
    ];
    let found: Vec<&str> = keys(&document).into_iter().filter(|key| wanted.contains(key)).collect();
    assert_eq!(found, wanted);
    let wanted = ["name", "line", "value", "variance", "predicted_mean", "predicted_std", "z", "status"];
    assert_eq!(keys(&document["observations"][0]), wanted);
}

#[test]
fn exact_arithmetic_adds_fractions_as_texts() {
    let document = analysis(&["analyze", "programs/paper/conditioning.py", "--json", "--exact"]);
    assert_eq!(document["arithmetic"], "exact");
    assert_eq!(document["exact"]["mean"], json!(["13/3", "-10/3"]));
    assert_eq!(document["exact"]["variance"], json!(["2/3", "2/3"]));
    assert_eq!(document["exact"]["covariance"], json!([["2/3", "-2/3"], ["-2/3", "2/3"]]));
    assert_eq!(document["exact"]["prior_mean"], json!(["15", "2"]));
    assert_eq!(document["exact"]["prior_variance"], json!(["2", "1"]));
}

#[test]
fn outputs_and_mechanisms_have_the_documented_fields() {
    let document = analysis(&[
        "analyze",
        "programs/noisy_average.py",
        "--prior",
        "incomes=[Normal(500, 2500) for _ in range(10)]",
        "--set",
        "epsilon=0.9",
        "--secret",
        "incomes[0]",
        "--json",
    ]);
    let output = &document["outputs"][0];
    assert!(output["name"].is_string() && output["line"].is_u64());
    assert_numbers(output, &["mean", "variance", "std"]);
    assert_eq!(output["status"], "used");
    let mechanism = &document["mechanisms"][0];
    assert!(mechanism["name"].is_string() && mechanism["line"].is_u64());
    assert_eq!(mechanism["calibration"], "classic");
    let numbers = ["sensitivity", "epsilon", "delta", "variance", "std", "rho_zcdp", "mu_gdp"];
    assert_numbers(mechanism, &numbers);
}

#[test]
fn a_published_output_has_the_line_of_its_return() {
    let text = b"def main():\n    x = Normal(0, 1)\n    y = x + Normal(0, 1)\n    return y\n";
    let run = privug_with_input(&["analyze", "-", "--secret", "x", "--json"], text);
    assert_eq!(run.json()["outputs"][0]["line"], 4);
}

#[test]
fn what_json_has_no_number_for_is_a_text() {
    let document = analysis(&["analyze", "programs/differencing.py", "--json"]);
    assert_eq!(document["leakage"][0]["mutual_information_bits"], "inf");
    assert_eq!(document["leakage"][0]["fully_disclosed"], true);
    assert_eq!(document["posterior"]["variance"], json!([0.0]));
}

#[test]
fn many_secrets_have_variances_and_no_covariances() {
    let many = |count: usize| {
        let text = format!("def main():\n    return Normal(0, 1, size={count})\n");
        privug_with_input(&["analyze", "-", "--json"], text.as_bytes()).json()
    };
    let (few, more) = (many(1_000), many(1_001));
    for state in ["prior", "posterior"] {
        assert_eq!(few[state]["covariance"].as_array().map(Vec::len), Some(1_000));
        assert!(more[state].get("covariance").is_none());
        assert_eq!(more[state]["variance"].as_array().map(Vec::len), Some(1_001));
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let run = || privug(&["analyze", "programs/public_statistics/dp_case3.py", "--json"]).stdout;
    assert_eq!(run(), run());
}

fn assert_is_diagnostic(diagnostic: &Value) {
    assert_eq!(keys(diagnostic), ["code", "severity", "message", "hint", "path", "start", "end"]);
    for field in ["code", "severity", "message", "path"] {
        assert!(diagnostic[field].is_string(), "{field}");
    }
    assert!(diagnostic["hint"].is_string() || diagnostic["hint"].is_null());
    for place in ["start", "end"] {
        assert_eq!(keys(&diagnostic[place]), ["line", "column"]);
        assert!(diagnostic[place]["line"].is_u64() && diagnostic[place]["column"].is_u64());
    }
}

#[test]
fn diagnostics_have_the_documented_fields() {
    let text = b"def main():\n    x = Normal(0, -1)\n    return x * x\n";
    let assert_refused = |run: Run| {
        assert_eq!(run.code, Some(1));
        let document = run.json();
        assert_eq!(keys(&document), ["schema", "diagnostics"]);
        assert_eq!(document["schema"], "privug.diagnostics/1");
        let diagnostics = document["diagnostics"].as_array().expect("a list");
        diagnostics.iter().for_each(assert_is_diagnostic);
        assert_eq!(diagnostics[0]["code"], "P401");
        assert_eq!(diagnostics[0]["severity"], "error");
        assert_eq!(diagnostics[0]["path"], "-");
        assert_eq!(diagnostics[0]["start"], json!({"line": 2, "column": 19}));
        assert_eq!(diagnostics[0]["end"], json!({"line": 2, "column": 21}));
    };
    assert_refused(privug_with_input(&["analyze", "-", "--json"], text));
    assert_refused(privug_with_input(&["check", "-", "--json"], text));
}

#[test]
fn nothing_found_is_an_empty_list_of_diagnostics() {
    let run = privug(&["check", CASE_1, "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.json(), json!({"schema": "privug.diagnostics/1", "diagnostics": []}));
}
