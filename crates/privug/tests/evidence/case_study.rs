//! The paper's case study on 80 incomes, against numbers computed twice elsewhere in exact arithmetic.

use privug::analysis::{Analysis, Status};
use serde_json::Value;

use crate::support::{assert_close, exact, float};

const INCOMES: &str = include_str!("../data/incomes.csv");
const EXPECTED: &str = include_str!("../data/case_study.json");
/// 2Δ²·ln(1.25/δ)/ε² with Δ = 11 000, δ = 1/10², ε = 0.9, as the paper rounds it.
const NOISE_VARIANCE: u64 = 1_442_533_240;

struct Person<'a> {
    sex: &'a str,
    age_group: &'a str,
    mean: &'a str,
    variance: &'a str,
}

fn people() -> Vec<Person<'static>> {
    let read = |line: &'static str| {
        let fields: Vec<&str> = line.split(',').collect();
        Person { sex: fields[1], age_group: fields[2], mean: fields[4], variance: fields[5] }
    };
    INCOMES.lines().skip(1).map(read).collect()
}

/// The program of one case: averages over the men of 21 to 30, everyone of 21 to 30, and all men;
/// as many of them as the case has.
fn program(outputs: &[&str], private: bool) -> String {
    let people = people();
    let priors: Vec<String> = people.iter().map(|p| format!("Normal({}, {})", p.mean, p.variance)).collect();
    let positions = |member: &dyn Fn(&Person) -> bool| -> Vec<String> {
        let all = people.iter().enumerate().filter(|(_, person)| member(person));
        all.map(|(index, _)| format!("people[{index}]")).collect()
    };
    let groups = [
        positions(&|p| p.age_group == "21-30" && p.sex == "male"),
        positions(&|p| p.age_group == "21-30"),
        positions(&|p| p.sex == "male"),
    ];
    let mut text = format!("def agg():\n    people = [{}]\n", priors.join(", "));
    for (index, (value, group)) in outputs.iter().zip(&groups).enumerate() {
        text += &format!("    total_{index} = {}\n", group.join(" + "));
        let noise = if private { format!(" + Normal(0, {NOISE_VARIANCE})") } else { String::new() };
        text += &format!("    average_{index} = total_{index} / {}{noise}\n", group.len());
        text += &format!("    condition(\"average_{index}\", {value})\n");
    }
    text + "    return people[0]\n"
}

fn each_case(check: impl Fn(&str, &Value, &str)) {
    let expected: Value = serde_json::from_str(EXPECTED).expect("valid JSON");
    for (name, case) in expected.as_object().expect("an object") {
        let outputs: Vec<&str> =
            case["outputs"].as_array().expect("outputs").iter().filter_map(Value::as_str).collect();
        check(name, case, &program(&outputs, name.starts_with("gaussian_mechanism")));
    }
}

fn number(case: &Value, name: &str) -> f64 {
    case[name].as_str().expect("a number as text").parse().expect("a number")
}

fn mutual_information_of_last_output(analysis: &Analysis) -> f64 {
    let last = analysis.observations.last().expect("an observation");
    let secret = analysis.secrets.get(0);
    let leak = secret.by_output.last().expect("it tells something");
    assert_eq!(*leak.output, *last.name);
    leak.alone_bits
}

#[test]
fn the_data_is_that_of_table_1() {
    let people = people();
    assert_eq!(people.len(), 80);
    assert_eq!(people.iter().filter(|person| person.sex == "male" && person.age_group == "21-30").count(), 10);
}

#[test]
fn exact_posteriors_are_the_expected_fractions() {
    each_case(|name, case, program| {
        let numbers = exact(program).exact.expect("exact numbers");
        assert_eq!(Some(numbers.mean[0].as_str()), case["exact_mean"].as_str(), "{name}");
        assert_eq!(Some(numbers.variance[0].as_str()), case["exact_variance"].as_str(), "{name}");
    });
}

#[test]
fn posteriors_and_leakage_are_right_to_twelve_digits() {
    each_case(|_, case, program| {
        for analysis in [float(program), exact(program)] {
            let secret = &analysis.secrets.get(0);
            let knowledge = &secret.knowledge;
            for (actual, name) in [
                (secret.posterior_mean, "posterior_mean"),
                (knowledge.mean_shift, "posterior_mean_shift"),
                (knowledge.posterior_variance, "posterior_variance"),
                (knowledge.variance_reduction, "variance_reduction"),
                (knowledge.kl_posterior_prior_bits(), "kl_posterior_prior_bits"),
                (knowledge.kl_prior_posterior_bits(), "kl_prior_posterior_bits"),
                (knowledge.mutual_information_bits(), "mutual_information_all_outputs_bits"),
                (mutual_information_of_last_output(&analysis), "mutual_information_last_output_alone_bits"),
            ] {
                assert_close(actual, number(case, name), 12);
            }
        }
    });
}

#[test]
fn every_published_average_tells_something_about_someone() {
    each_case(|name, _, program| {
        let analysis = float(program);
        assert!(analysis.observations.iter().all(|observation| observation.status == Status::Used), "{name}");
        assert_eq!(analysis.secrets.get(0).knowledge.prior_variance, 100.0, "{name}");
    });
}
