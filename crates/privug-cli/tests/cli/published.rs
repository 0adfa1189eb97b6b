//! Before a release: what publishing would reveal, whatever the values turn out to be.

use serde_json::{Value, json};

use crate::run::{Run, privug, privug_with_input};

const ITSELF: &str = "def pub(x):\n    return x[0]\n";
/// x[0] + x[1] without noise, x[1] through noise of variance 1.
const TWO: &str = "def two(x):\n    return {'a': x[0] + x[1], 'b': x[1] + Normal(0, std=1)}\n";
const NOISY: &str = "def noisy(x, s=1):\n    return x[0] + Normal(0, std=s)\n";

fn analyze(program: &str, more: &[&str]) -> Run {
    let prior = ["analyze", "-", "--prior", "x=Normal(50, std=10, size=3)", "--secret", "x[0]"];
    privug_with_input(&[&prior, more].concat(), program.as_bytes())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn assert_near(value: &Value, expected: f64) {
    assert!((number(value) / expected - 1.0).abs() < 1e-12, "{value} instead of {expected}");
}

#[test]
fn a_release_of_the_secret_itself_meets_no_requirement() {
    for requirement in [
        "posterior_std >= 9",
        "posterior_variance >= 81",
        "squared_error_posterior >= 1",
        "squared_error_ratio <= 100",
        "interval_width_posterior >= 1",
        "fully_disclosed <= 0",
        "fully_disclosed == False",
        "bayes_vulnerability_posterior <= 0.9",
        "additive_leakage <= 0.5",
        "multiplicative_leakage <= 2",
        "min_entropy_leakage_bits <= 1",
        "density_leakage_limit_bits <= 100",
        "posterior_entropy_bits >= 0",
        "mutual_information_bits <= 100",
        "variance_reduction <= 99",
        "Std(x[0]) >= 1",
        "Var(x[0]) >= 1",
        "Cov(x[0], x[0]) >= 1",
    ] {
        let run = analyze(ITSELF, &["--quiet", "--require", requirement]);
        assert_eq!(run.code, Some(3), "{requirement}: {}", run.stderr);
    }
}

#[test]
fn a_release_of_nothing_is_not_decided_on() {
    // Without `--secret`, what the function returns is the secret, and nothing is published.
    for requirement in ["posterior_std >= 5", "mutual_information_bits <= 0.1", "P(x[0] > 60) <= 0.9"] {
        let arguments = ["analyze", "-", "--json", "--prior", "x=Normal(50, std=10, size=4)", "--require", requirement];
        let run = privug_with_input(&arguments, ITSELF.as_bytes());
        assert_eq!((run.code, run.codes()), (Some(1), vec!["P019".to_owned()]), "{requirement}");
    }
}

#[test]
fn a_requirement_that_needs_values_is_refused_and_another_one_named() {
    for (requirement, instead) in [
        ("posterior_mean <= 60", "`posterior_std`"),
        ("mean_shift <= 1", "`variance_reduction`"),
        ("effect_size <= 1", "`squared_error_ratio`"),
        ("kl_posterior_prior_bits <= 1", "`mutual_information_bits`"),
        ("kl_prior_posterior_bits <= 1", "`mutual_information_bits`"),
        ("total_variation <= 0.1", "`mutual_information_bits`"),
        ("hellinger <= 0.1", "`mutual_information_bits`"),
        ("wasserstein2 <= 1", "`posterior_std`"),
        ("truth_error_posterior >= 1", "`posterior_std`"),
        ("truth_within_5_percent_posterior <= 0.1", "`bayes_vulnerability_posterior`"),
        ("P(x[0] > 60) <= 0.2", "`Std(x)`"),
        ("E(x[0]) <= 60", "`Std(x)`"),
        ("quantile(x[0], 0.9) <= 60", "`Std(x)`"),
    ] {
        let run = analyze(NOISY, &["--json", "--truth", "55", "--require", requirement]);
        assert_eq!((run.code, run.codes()), (Some(1), vec!["P711".to_owned()]), "{requirement}");
        let document = run.json();
        let hint = document["diagnostics"][0]["hint"].as_str().expect("a hint");
        assert!(hint.contains(instead), "{requirement}: {hint}");
        // With the value they are decided.
        let run = analyze(NOISY, &["--quiet", "--truth", "55", "--observe", "52", "--require", requirement]);
        assert!(matches!(run.code, Some(0 | 3)), "{requirement}: {}", run.stderr);
    }
}

#[test]
fn measures_are_as_if_published_and_the_posterior_is_what_was_seen() {
    let document = analyze(NOISY, &["--json", "--query", "P(x[0] > 60)", "--query", "Std(x[0])"]).json();
    // 1/(1/100 + 1/1) is left.
    let left = 100.0 / 101.0;
    assert_near(&document["posterior"]["variance"][0], 100.0);
    assert_near(&document["posterior_if_published"]["variance"][0], left);
    assert_near(&document["posterior_if_published"]["covariance"][0][0], left);
    let leak = &document["leakage"][0];
    assert_near(&leak["posterior_variance"], left);
    assert_near(&leak["posterior_std"], f64::sqrt(left));
    assert_near(&leak["squared_error_posterior"], left);
    assert_near(&leak["squared_error_ratio"], 101.0);
    assert_near(&leak["mutual_information_bits"], 0.5 * 101f64.log2());
    // 2·Φ⁻¹(0.975) standard deviations.
    assert_near(&leak["interval_width_posterior"], 3.919_927_969_080_108 * f64::sqrt(left));
    assert_eq!(leak["as_if_published"], true);
    assert_eq!(leak["fully_disclosed"], false);
    for unknown in ["posterior_mean", "mean_shift", "kl_posterior_prior_bits", "total_variation", "wasserstein2"] {
        assert_eq!(leak[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(leak["credible_interval"]["posterior"], Value::Null);
    assert_eq!(document["queries"][0]["after"], Value::Null);
    assert_near(&document["queries"][1]["after"], f64::sqrt(left));
    // The same numbers once the value is seen, whatever it is.
    for value in ["20", "50", "90"] {
        let seen = analyze(NOISY, &["--json", "--observe", value]).json();
        assert_eq!(seen["leakage"][0]["as_if_published"], false);
        assert_eq!(seen["leakage"][0]["posterior_variance"], leak["posterior_variance"]);
        assert_eq!(seen["leakage"][0]["bayes_vulnerability_posterior"], leak["bayes_vulnerability_posterior"]);
        assert!(seen["leakage"][0]["kl_posterior_prior_bits"].is_f64());
        assert!(seen.get("posterior_if_published").is_none());
    }
}

#[test]
fn outputs_partly_observed_count_as_if_the_rest_were_published_too() {
    let seen = analyze(TWO, &["--json", "--secret", "x[1]", "--observe", "return['a']=110"]).json();
    let all = analyze(TWO, &["--json", "--secret", "x[1]"]).json();
    // x[0] = a − x[1], and x[1] has 100/101 left.
    for place in [0, 1] {
        assert_near(&seen["posterior"]["variance"][place], 50.0);
        assert_near(&seen["posterior"]["mean"][place], 55.0);
        // 1/(2/100 + 1): x[1] given a has 50, then noise 1: 50/51.
        assert_near(&seen["leakage"][place]["posterior_variance"], 50.0 / 51.0);
        assert_eq!(seen["leakage"][place]["posterior_variance"], all["leakage"][place]["posterior_variance"]);
    }
    assert_near(&seen["posterior_if_published"]["covariance"][0][1], -50.0 / 51.0);
    let notes = seen["notes"].as_array().expect("notes");
    assert!(notes.iter().any(|note| note.as_str().expect("a text").contains("as if it were published")), "{notes:?}");
    let run = analyze(TWO, &["--quiet", "--observe", "return['a']=110", "--require", "posterior_std >= 7"]);
    assert_eq!(run.code, Some(3));
}

#[test]
fn outputs_that_tell_nothing_leave_everything_known() {
    let program = "def f(x):\n    return x[1]\n";
    let document = analyze(program, &["--json", "--query", "P(x[0] > 60)"]).json();
    let leak = &document["leakage"][0];
    assert_eq!(leak["as_if_published"], false);
    assert_eq!((&leak["kl_posterior_prior_bits"], &leak["posterior_mean"]), (&json!(0.0), &json!(50.0)));
    assert!(document["queries"][0]["after"].is_f64());
    let output = json!({
        "output": "x[1]",
        "line": 2,
        "mutual_information_alone_bits": 0.0,
        "mutual_information_added_bits": 0.0
    });
    assert_eq!(leak["outputs"], json!([output]));
    let run = analyze(program, &["--quiet", "--require", "kl_posterior_prior_bits <= 0"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn calibration_and_sweeps_are_as_if_published() {
    let prior = ["--prior", "x=Normal(50, std=10, size=3)", "--secret", "x[0]"];
    let calibrate = |requirement: &str| {
        let arguments = ["calibrate", "-", "s=1e-6..1000", "--smallest", "--json", "--require", requirement];
        privug_with_input(&[&arguments, prior.as_slice()].concat(), NOISY.as_bytes())
    };
    // The chance of a right guess within ± 1 is 0.0797 before.
    let value = |run: &Run| number(&run.json()["value"]);
    let vulnerability = value(&calibrate("bayes_vulnerability_posterior <= 0.1"));
    assert!(vulnerability > 10.0, "{vulnerability}");
    // 100·s²/(100 + s²) = 81 at s² = 8100/19.
    assert!((value(&calibrate("posterior_std >= 9")) / f64::sqrt(8100.0 / 19.0) - 1.0).abs() < 1e-9);
    assert_eq!(calibrate("posterior_mean <= 60").codes(), ["P711"]);
    let sweep = |measure: &str| {
        let arguments = ["sweep", "-", "s=1..3", "--steps", "3", "--json", "--measure", measure];
        privug_with_input(&[&arguments, prior.as_slice()].concat(), NOISY.as_bytes())
    };
    let swept = sweep("posterior_variance").json();
    for (point, noise) in swept["points"].as_array().expect("points").iter().zip([1.0, 4.0, 9.0]) {
        assert_near(&point["values"][0], 100.0 * noise / (100.0 + noise));
    }
    for measure in ["posterior_mean", "P(x[0] > 60)"] {
        assert_eq!(sweep(measure).codes(), ["P711"], "{measure}");
    }
    assert_eq!(sweep("truth_error_prior").codes(), ["P705"]);
}

#[test]
fn a_comparison_shows_what_is_not_known_as_such() {
    let program = "def a(x):\n    return x[0] + Normal(0, std=1)\n\ndef b(x):\n    return x[0]\n";
    let file = format!("{}/compared_before_a_release.py", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, program).expect("a file");
    let (a, b) = (format!("{file}:a"), format!("{file}:b"));
    let arguments = ["compare", &a, &b, "--json", "--prior", "x=Normal(50, std=10, size=3)", "--secret", "x[0]"];
    let document = privug(&arguments).json();
    let row = |name: &str| {
        let rows = document["measures"].as_array().expect("rows");
        rows.iter().find(|row| row["measure"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
    };
    assert_near(&row("posterior_variance")["values"][0], 100.0 / 101.0);
    assert_eq!(row("posterior_variance")["values"][1], 0.0);
    assert_eq!(row("kl_posterior_prior_bits")["values"], json!([null, null]));
    assert_eq!(row("fully_disclosed")["values"], json!([0.0, 1.0]));
}

#[test]
fn the_report_says_what_is_as_if_published() {
    let run = analyze(NOISY, &["--no-sketch", "--require", "posterior_std >= 0.9"]);
    for words in [
        "  as if published   unknown   0.995037   0.990099      mean ± 1.95024",
        "How much publishing would leak",
        "  not known yet        KL divergence, total variation, depending on the published values",
        "  met     posterior_std >= 0.9: 0.995037, as if published",
    ] {
        assert!(run.stdout.contains(words), "{words}:\n{}", run.stdout);
    }
}

#[test]
fn a_requirement_that_every_release_meets_is_refused() {
    let refused =
        |run: Run, what: &str| assert_eq!((run.code, run.codes()), (Some(1), vec!["P712".to_owned()]), "{what}");
    for requirement in ["prior_std >= 9", "bayes_vulnerability_prior <= 1", "mutual_information_bits != 0.1"] {
        refused(analyze(ITSELF, &["--json", "--require", requirement]), requirement);
    }
    // Nothing is at stake: the prior knows the secret.
    let arguments = ["analyze", "-", "--json", "--prior", "x=Normal(50, 0, size=3)", "--secret", "x[0]"];
    let require = ["--require", "mutual_information_bits <= 0.1"];
    refused(privug_with_input(&[&arguments[..], &require].concat(), ITSELF.as_bytes()), "no variance");
}

#[test]
fn a_guess_that_moved_down_has_moved() {
    for (value, requirement) in
        [("40", "mean_shift <= 0.1"), ("40", "effect_size <= 0.1"), ("50", "effect_size <= 0.1")]
    {
        let run = analyze(ITSELF, &["--quiet", "--observe", value, "--require", requirement]);
        assert_eq!(run.code, Some(3), "{requirement}: {}", run.stderr);
    }
}
