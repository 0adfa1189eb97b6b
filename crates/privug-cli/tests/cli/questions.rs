//! Questions, requirements, truths and tolerances.

use serde_json::{Value, json};

use crate::run::{Run, privug, privug_with_input};

const CASE_1: &str = "programs/public_statistics/case1.py";

/// x ~ N(0, 1), y ~ N(1, 4); their sum is seen as 3, so x | x + y = 3 ~ N(2/5, 4/5).
const PAIR: &str =
    "def f(limit=1):\n    x = Normal(0, 1)\n    y = Normal(1, 4)\n    condition(x + y, 3)\n    return x\n";

fn ask(question: &str) -> (f64, f64) {
    let run = privug_with_input(&["analyze", "-", "--json", "--query", question], PAIR.as_bytes());
    assert_eq!(run.code, Some(0), "{question}: {}", run.stderr);
    let answer = &run.json()["queries"][0];
    (answer["before"].as_f64().expect("a number"), answer["after"].as_f64().expect("a number"))
}

#[track_caller]
fn assert_answer(question: &str, before: f64, after: f64) {
    let (got_before, got_after) = ask(question);
    let close = |got: f64, want: f64| (got - want).abs() <= 1e-12 * want.abs().max(1e-300);
    assert!(close(got_before, before), "{question} before: {got_before} instead of {before}");
    assert!(close(got_after, after), "{question} after: {got_after} instead of {after}");
}

#[test]
fn moments_and_quantiles_are_those_of_the_two_normals() {
    assert_answer("E(x)", 0.0, 0.4);
    assert_answer("Var(x)", 1.0, 0.8);
    assert_answer("Std(2*y - 1)", 4.0, 2.0 * 0.8f64.sqrt());
    assert_answer("Cov(x, y)", 0.0, -0.8);
    assert_answer("Corr(x, y)", 0.0, -1.0);
    // Φ⁻¹(0.9) = 1.2815515655446004 (mpmath).
    assert_answer("quantile(x, 0.9)", 1.281_551_565_544_600_4, 0.4 + 0.8f64.sqrt() * 1.281_551_565_544_600_4);
}

#[test]
fn probabilities_are_right_also_far_out() {
    // Φ̄(1) = 0.15865525393145707, Φ̄(11) = 1.9106595744986611e-28 (mpmath, ncdf of the negative).
    let (before, _) = ask("P(x > 1)");
    assert!((before - 0.158_655_253_931_457_07).abs() < 1e-15);
    let (before, _) = ask("P(x > 11)");
    assert!((before / 1.910_659_574_498_661e-28 - 1.0).abs() < 1e-12, "{before:e}");
}

#[test]
fn tails_keep_their_digits_after_a_huge_shift() {
    // y = x + N(0, 2) is seen as 1e9: x ~ N(1e9/3, 2/3), and 1e9/3 is no double. The bound is 20/3 above the mean:
    // Φ̄(√(200/3)), and below it as much.
    let program = "def f():\n    x = Normal(0, 1)\n    condition(x + Normal(0, 2), 1_000_000_000)\n    return x\n";
    let tail = 1.6076313636935715e-16;
    for (question, expected) in [
        ("P(x > 333_333_340)", tail),
        ("P(3 * x > 1_000_000_020)", tail),
        ("P(abs(x - 333_333_300) > 40)", tail),
        ("P(x < 333_333_340)", 1.0 - tail),
    ] {
        for arithmetic in [&[][..], &["--exact"]] {
            let arguments = [&["analyze", "-", "--json", "--query", question], arithmetic].concat();
            let document = privug_with_input(&arguments, program.as_bytes()).json();
            let after = document["queries"][0]["after"].as_f64().expect("a number");
            assert!((after / expected - 1.0).abs() < 1e-12, "{question}: {after:e} instead of {expected:e}");
        }
    }
}

#[test]
fn events_can_be_put_in_other_words() {
    let inside = ask("P(-1 < x <= 2)");
    for same in ["P(x > -1 and x <= 2)", "P(not (x <= -1 or x > 2))", "P(-1 < x < 2)", "P(0 < x + 1 and 2*x < 4)"] {
        let other = ask(same);
        assert!((inside.0 - other.0).abs() < 1e-15 && (inside.1 - other.1).abs() < 1e-15, "{same}");
    }
    assert_eq!(ask("P(abs(x - 1) < 0.5)"), ask("P(0.5 < x < 1.5)"));
    assert_eq!(ask("P(x > limit)"), ask("P(x > 1)"));
    // x < y is 0 < y − x ~ N(1, 5) before.
    let (before, _) = ask("P(x < y)");
    let (shifted, _) = ask("P(y - x > 0)");
    assert_eq!(before, shifted);
    assert_eq!(ask("P(1 < 2)"), (1.0, 1.0));
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    for (question, code) in [
        ("x > 3", "P701"),
        ("Q(x)", "P701"),
        ("P(x)", "P701"),
        ("P(x == 3)", "P304"),
        ("Cov(x)", "P701"),
        ("P(x > 1 and y < 2)", "P702"),
        ("quantile(x, 2)", "P707"),
        ("P(zz > 3)", "P201"),
        ("P(x >", "P004"),
        ("P(x * y > 3)", "P301"),
    ] {
        let run = privug_with_input(&["analyze", "-", "--json", "--query", question], PAIR.as_bytes());
        assert_eq!(run.code, Some(1), "{question}");
        assert_eq!(run.json()["diagnostics"][0]["code"], code, "{question}: {}", run.stderr);
    }
}

fn require(requirements: &[&str]) -> Run {
    let mut arguments = vec!["analyze", CASE_1, "--json"];
    requirements.iter().for_each(|requirement| arguments.extend(["--require", requirement]));
    privug(&arguments)
}

#[test]
fn a_requirement_that_fails_gives_exit_code_3_and_its_value() {
    let run =
        require(&["mutual_information_bits <= 0.1", "0.1 >= mutual_information_bits", "fully_disclosed == False"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run =
        require(&["mutual_information_bits <= 0.1", "posterior_std >= 5000", "P(male_21_30[0] > 483_000) <= 0.2"]);
    assert_eq!(run.code, Some(3));
    let document = run.json();
    let requirements = document["requirements"].as_array().expect("a list");
    let verdicts: Vec<&Value> = requirements.iter().map(|requirement| &requirement["holds"]).collect();
    assert_eq!(verdicts, [&json!(true), &json!(false), &json!(false)]);
    assert_eq!(requirements[1]["value"], 90f64.sqrt());
    // The weight 1/10 is a double, so that the mean is 483000 to 16 digits, and the distance from it 0 to 1e-11.
    assert!((requirements[2]["value"].as_f64().expect("a number") - 0.5).abs() < 1e-11);
}

#[test]
fn requirements_that_make_no_sense_are_refused_with_the_nearest_name() {
    for (requirement, code, hint) in [
        ("mutual_information <= 0.1", "P703", "mutual_information_bits"),
        ("posterior_std", "P704", ""),
        ("1 < 2", "P704", ""),
        ("truth_error_posterior >= 3", "P705", "--truth"),
        ("posterior_std >= male_21_30[0]", "P704", ""),
    ] {
        let run = require(&[requirement]);
        let found = &run.json()["diagnostics"][0];
        assert_eq!((run.code, &found["code"]), (Some(1), &json!(code)), "{requirement}");
        assert!(found["hint"].as_str().unwrap_or("").contains(hint), "{requirement}: {found}");
    }
}

#[test]
fn a_truth_and_a_tolerance_are_measured_against() {
    let run = privug(&["analyze", CASE_1, "--json", "--truth", "500_000", "--tolerance", "1%", "--level", "0.5"]);
    let leakage = &run.json()["leakage"][0];
    assert_eq!(leakage["truth_error_prior"], 20_000.0);
    let after = leakage["truth_error_posterior"].as_f64().expect("a number");
    assert!((after / 17_000.0 - 1.0).abs() < 1e-12, "{after}");
    assert_eq!(leakage["guess_tolerance"], 5_000.0);
    assert_eq!(leakage["credible_interval"]["level"], 0.5);
    let named = privug(&["analyze", CASE_1, "--json", "--truth", "male_21_30[0]=500_000"]);
    assert_eq!(named.json()["leakage"][0]["truth_error_posterior"], after);
    for arguments in [["--truth", "someone=3"], ["--tolerance", "1%"], ["--tolerance", "-1"], ["--level", "1.5"]] {
        let run = privug(&["analyze", CASE_1, arguments[0], arguments[1]]);
        assert!(matches!(run.code, Some(1 | 2)), "{arguments:?}");
    }
}

#[test]
fn the_shares_of_the_outputs_add_up_to_the_mutual_information() {
    let document = privug(&["analyze", "programs/public_statistics/dp_case3.py", "--json"]).json();
    let leakage = &document["leakage"][0];
    let outputs = leakage["outputs"].as_array().expect("a list");
    let added: f64 = outputs.iter().map(|output| output["mutual_information_added_bits"].as_f64().expect("bits")).sum();
    let total = leakage["mutual_information_bits"].as_f64().expect("bits");
    assert!((added / total - 1.0).abs() < 1e-12, "{added} is not {total}");
    // expected/case_study.json: the last output alone.
    let last = outputs[2]["mutual_information_alone_bits"].as_f64().expect("bits");
    assert!((last / 3.125_350_508_430_781e-11 - 1.0).abs() < 1e-12, "{last}");
}

#[test]
fn the_output_that_completes_a_disclosure_is_the_one_that_is_blamed() {
    let program = "def f():\n    xs = [Normal(0, 3) for _ in range(3)]\n    condition(sum(xs) / 3, 1)\n    \
                   condition((xs[1] + xs[2]) / 2, 2)\n    condition(xs[1] * 0.1, 0.3)\n    return xs[0]\n";
    let document = privug_with_input(&["analyze", "-", "--json"], program.as_bytes()).json();
    let added: Vec<&Value> = document["leakage"][0]["outputs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|output| &output["mutual_information_added_bits"])
        .collect();
    assert!(added[0].is_f64() && added[1] == &json!("inf"), "{added:?}");
    assert!(added.len() == 2 || added[2] == &json!(0.0), "{added:?}");
}
