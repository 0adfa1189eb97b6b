//! Commands that run many analyses: compare, sweep, calibrate; and the mechanism by itself.

use serde_json::json;

use crate::run::privug;

const MECHANISM: &str = "programs/mechanism.py";

#[test]
fn calibrate_finds_the_epsilon_that_just_meets_a_requirement() {
    let run = privug(&[
        "calibrate",
        MECHANISM,
        "epsilon=0.01..1000",
        "--require",
        "mutual_information_bits <= 1e-6",
        "--json",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let document = run.json();
    assert_eq!((&document["outcome"], &document["monotone"]), (&json!("found"), &json!(true)));
    let epsilon = document["value"].as_f64().expect("a number");
    let setting = format!("epsilon={epsilon:?}");
    let bits =
        privug(&["analyze", MECHANISM, "--set", &setting, "--json"]).json()["leakage"][0]["mutual_information_bits"]
            .as_f64()
            .expect("bits");
    assert!(bits <= 1e-6 && (bits / 1e-6 - 1.0).abs() < 1e-6, "{bits}");
    let fails = document["fails_at"].as_f64().expect("a number");
    assert!(fails > epsilon && fails / epsilon - 1.0 < 1e-6);
}

#[test]
fn calibrate_says_when_all_or_no_values_will_do() {
    let run = |requirement: &str, more: &[&str]| {
        let mut arguments = vec!["calibrate", MECHANISM, "epsilon=0.1..1", "--require", requirement, "--json"];
        arguments.extend(more);
        privug(&arguments)
    };
    let nowhere = run("mutual_information_bits <= 0", &[]);
    assert_eq!((nowhere.code, &nowhere.json()["outcome"]), (Some(3), &json!("holds_nowhere")));
    assert_eq!(nowhere.json()["value"], json!(null));
    let everywhere = run("mutual_information_bits <= 1", &[]);
    assert_eq!((everywhere.code, &everywhere.json()["value"]), (Some(0), &json!(1.0)));
    let smallest = run("mutual_information_bits <= 1", &["--smallest"]);
    assert_eq!(smallest.json()["value"], json!(0.1));
}

#[test]
fn sweep_prints_tables_values_and_json() {
    let measures = ["--measure", "mutual_information_bits", "--measure", "P(incomes[0] > 480_000)"];
    let run = |more: &[&str]| {
        let mut arguments = vec!["sweep", MECHANISM, "epsilon=0.5..2", "--log", "--steps", "3"];
        arguments.extend(measures);
        arguments.extend(more);
        let run = privug(&arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run
    };
    let document = run(&["--json"]).json();
    assert_eq!(document["schema"], "privug.sweep/1");
    assert_eq!(document["parameters"], json!(["epsilon"]));
    let points = document["points"].as_array().expect("a list");
    let epsilons: Vec<f64> = points.iter().map(|point| point["parameters"][0].as_f64().expect("a number")).collect();
    assert_eq!((epsilons.len(), epsilons[0], epsilons[2]), (3, 0.5, 2.0));
    let bits: Vec<f64> = points.iter().map(|point| point["values"][0].as_f64().expect("bits")).collect();
    assert!(bits.is_sorted(), "more ε leaks more: {bits:?}");
    // Each point is what an analysis with that value gives.
    let single = privug(&["analyze", MECHANISM, "--set", "epsilon=2", "--json"]).json();
    assert_eq!(points[2]["values"][0], single["leakage"][0]["mutual_information_bits"]);
    let csv = run(&["--csv"]).stdout;
    assert_eq!(csv.lines().next(), Some("epsilon,mutual_information_bits,P(incomes[0] > 480_000)"));
    assert_eq!(csv.lines().count(), 4);
    assert!(run(&[]).stdout.starts_with(" epsilon") || run(&[]).stdout.starts_with("epsilon"));
}

#[test]
fn sweeps_of_unknown_things_are_refused() {
    let refused = |arguments: &[&str]| {
        let mut all = vec!["sweep", MECHANISM];
        all.extend(arguments);
        all.push("--json");
        let run = privug(&all);
        (run.code, run.json()["diagnostics"][0]["code"].as_str().unwrap_or("").to_owned())
    };
    assert_eq!(refused(&["epsilon=1..2", "--measure", "mutual_info"]), (Some(1), "P703".to_owned()));
    assert_eq!(refused(&["eps=1..2"]), (Some(1), "P013".to_owned()));
    assert_eq!(refused(&["epsilon=1-2"]), (Some(1), "P708".to_owned()));
    assert_eq!(refused(&["epsilon=0..2", "--log"]), (Some(1), "P708".to_owned()));
}

#[test]
fn the_mechanism_is_calibrated_both_ways() {
    let arguments = ["mechanism", "--sensitivity", "11000", "--epsilon", "0.9", "--delta", "0.01", "--json"];
    let document = privug(&arguments).json();
    let classic = &document["calibrations"][1];
    assert_eq!(classic["calibration"], "classic");
    assert_eq!(classic["variance"].as_f64().map(f64::round), Some(1_442_533_240.0));
    let analytic = document["calibrations"][0]["variance"].as_f64().expect("a variance");
    assert!(analytic < 1_442_533_240.0 / 2.0);
    // The classic formula is no theorem for ε ≥ 1; the analytic one still is.
    let document = privug(&["mechanism", "--sensitivity", "1", "--epsilon", "2", "--delta", "0.01", "--json"]).json();
    assert!(document["calibrations"][1]["error"].is_string() && document["calibrations"][0]["std"].is_f64());
    assert_eq!(privug(&["mechanism", "--sensitivity", "0", "--epsilon", "2", "--delta", "0.01"]).code, Some(1));
}

#[test]
fn compare_puts_releases_side_by_side() {
    let cases = ["programs/public_statistics/case1.py", "programs/public_statistics/dp_case1.py"];
    let strict = "programs/mechanism.py --set epsilon=0.1 --label strict";
    let requirement = "mutual_information_bits <= 1e-6";
    let run = privug(&["compare", cases[0], cases[1], strict, "--require", requirement, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let document = run.json();
    assert_eq!(document["schema"], "privug.comparison/1");
    assert_eq!(document["releases"][2]["label"], "strict");
    assert_eq!(document["requirements"], json!([{"requirement": requirement, "holds": [false, true, true]}]));
    let first = &document["measures"][0];
    assert_eq!(first["measure"], "mutual_information_bits");
    let difference = first["differences"][1].as_f64().expect("a number");
    assert!((difference + 0.076_001_546_722_5).abs() < 1e-9);
    let nobody = privug(&["compare", cases[0], "--require", requirement]);
    assert_eq!(nobody.code, Some(3));
    assert_eq!(privug(&["compare", "programs/public_statistics/case1.py --bogus"]).code, Some(2));
    assert_eq!(privug(&["compare", cases[0], "programs/kalman.py", "programs/household.py"]).code, Some(1));
}
