//! Discrete secrets and mixtures from outside: JSON, measures, gates, channels, comparisons, sweeps, files.

use serde_json::{Value, json};

use crate::report::matches_snapshot;
use crate::run::{privug, privug_with_input};

const RESPONSE: &str = "programs/choices/randomized_response.py";
const SMOKES: [&str; 4] = ["analyze", RESPONSE, "--secret", "smokes"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SMOKES.iter().copied().chain(more.iter().copied()).collect()
}

/// The only entry of `leakage` for a program given as text.
fn leakage(program: &str, more: &[&str]) -> Value {
    let arguments: Vec<&str> = ["analyze", "-", "--json"].iter().chain(more).copied().collect();
    let run = privug_with_input(&arguments, program.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.json()["leakage"][0].clone()
}

fn close(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() <= 1e-9 * expected.abs().max(1e-3))
}

#[test]
fn distributions_are_sorted_by_value_and_exact_on_demand() {
    let document = privug(&with(&["--observe", "True", "--exact", "--json"])).json();
    let expected = json!([{
        "secret": "smokes", "kind": "discrete", "method": "exact",
        "prior": [
            {"value": false, "probability": 0.7, "exact": "7/10"},
            {"value": true, "probability": 0.3, "exact": "3/10"},
        ],
        "posterior": [
            {"value": false, "probability": 0.4375, "exact": "7/16"},
            {"value": true, "probability": 0.5625, "exact": "9/16"},
        ],
    }]);
    assert_eq!(document["distributions"], expected);
    assert_eq!(
        document["posterior"],
        json!({"mean": [0.5625], "variance": [0.24609375], "covariance": [[0.24609375]]})
    );
    let float = privug(&with(&["--json"])).json();
    assert!(float["distributions"][0]["prior"][0].get("exact").is_none());
    assert_eq!(float["leakage"][0]["as_if_published"], json!(true));
    let names = [
        "mutual_information_bits",
        "prior_entropy_bits",
        "posterior_entropy_bits",
        "bayes_vulnerability_prior",
        "bayes_vulnerability_posterior",
        "min_entropy_leakage_bits",
        "guessing_entropy_prior",
        "guessing_entropy_posterior",
        "max_posterior",
        "max_kl_bits",
        "channel_capacity_bits",
        "maximal_leakage_bits",
        "total_variation",
    ];
    for name in names {
        assert!(float["leakage"][0][name].is_number(), "{name}");
    }
    assert_eq!(float["leakage"][0]["max_posterior_output"], json!([false]));
    assert_eq!(float["leakage"][0]["max_kl_output"], json!([true]));
}

#[test]
fn every_secret_has_a_distribution_whatever_its_kind() {
    let program = "def f():\n    x = Normal(50, 100)\n    condition(x + Normal(0, 300), 70)\n    return x\n";
    let document = privug_with_input(&["analyze", "-", "--json"], program.as_bytes()).json();
    let expected = json!([{
        "secret": "x", "kind": "normal", "method": "exact",
        "prior": [{"weight": 1.0, "mean": 50.0, "variance": 100.0}],
        "posterior": [{"weight": 1.0, "mean": 55.0, "variance": 75.0}],
    }]);
    assert_eq!(document["distributions"], expected);
    assert_eq!(document["leakage"][0]["method"], "exact");
}

#[test]
fn questions_say_how_they_were_answered_and_gates_use_the_worse_end() {
    let program = "def f():\n    boss = Bernoulli(0.1)\n    x = Normal(90, 100) if boss else Normal(50, 25)\n    \
                   condition(x, 61)\n    return boss\n";
    let asked = |more: &[&str]| {
        let arguments: Vec<&str> = ["analyze", "-", "--json"].iter().chain(more).copied().collect();
        let run = privug_with_input(&arguments, program.as_bytes());
        (run.code, run.json())
    };
    for (query, is_probability) in [("P(boss)", true), ("E(boss)", false), ("Var(boss)", false), ("Std(boss)", false)] {
        let answer = asked(&["--query", query]).1["queries"][0].clone();
        assert_eq!(answer["method"], "certified", "{query}");
        let bound = |end: usize| answer["after_bounds"][end].as_f64().expect("a bound");
        let after = answer["after"].as_f64().expect("an answer");
        assert!(bound(0) < after && after < bound(1) && bound(1) - bound(0) < 1e-9 * after, "{answer}");
        // Exactly at the limit a certified number is not known to meet it.
        for (relation, end) in [("<=", 1), (">=", 0)] {
            let (code, document) = asked(&["--require", &format!("{query} {relation} {after:?}")]);
            let judged = &document["requirements"][0];
            assert_eq!((code, &judged["holds"], &judged["method"]), (Some(3), &json!(false), &json!("certified")));
            assert_eq!(judged["value"].as_f64(), Some(bound(end)), "{judged}");
        }
        if is_probability {
            // Beyond the bound it holds.
            assert_eq!(asked(&["--require", &format!("{query} <= {:?}", after * (1.0 + 1e-9))]).0, Some(0));
        }
    }
    // What is possible in no world, or in all, needs no bound.
    let certain = "def f():\n    x = Normal(0, 1)\n    b = Bernoulli(0.5)\n    condition(x + b, 1)\n    return b\n";
    let arguments = ["analyze", "-", "--json", "--require", "P(b or not b) >= 1", "--require", "P(b and not b) <= 0"];
    let run = privug_with_input(&arguments, certain.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert_eq!(run.json()["requirements"][0]["method"], "exact");
}

#[test]
fn mixtures_say_where_they_are_cut_off() {
    let program = "def f():\n    x = Normal(50, 100)\n    condition(x > 60)\n    return x\n";
    let run = privug_with_input(&["analyze", "-", "--json"], program.as_bytes());
    let found = &run.json()["distributions"][0];
    assert_eq!(found["kind"], "mixture");
    let part = json!([{"weight": 1.0, "mean": 50.0, "variance": 100.0, "above": 60.0, "up_to": "inf"}]);
    assert_eq!(found["posterior"], part);
    // -log2 of the probability that is left.
    assert!(close(&run.json()["leakage"][0]["kl_posterior_prior_bits"], 2.656032797424106));
}

#[test]
fn the_divergence_of_a_mixture_is_certified() {
    let program = "def f():\n    boss = Bernoulli(0.5)\n    low = Normal(0, 1)\n    high = Normal(3, 4)\n    \
                   x = high if boss else low\n    condition(boss)\n    return x\n";
    let leak = leakage(program, &[]);
    // The integral of N(3, 4) log2(N(3, 4) / mixture), by a sum of 4 million terms: 0.70305.
    let method = &leak["methods"]["kl_posterior_prior_bits"];
    let (low, high) = (method["low"].as_f64().expect("a bound"), method["high"].as_f64().expect("a bound"));
    assert_eq!(method["method"], "certified");
    let density = |x: f64, mean: f64, variance: f64| {
        (-(x - mean) * (x - mean) / (2.0 * variance)).exp() / (std::f64::consts::TAU * variance).sqrt()
    };
    let step = 1e-3;
    let sum: f64 = (-30_000..30_000)
        .map(|place| {
            let x = f64::from(place) * step;
            let (after, before) = (density(x, 3.0, 4.0), 0.5 * density(x, 3.0, 4.0) + 0.5 * density(x, 0.0, 1.0));
            if after > 0.0 { after * (after / before).log2() * step } else { 0.0 }
        })
        .sum();
    assert!(low <= sum + 1e-9 && sum <= high + 1e-9, "{low} {sum} {high}");
    assert!(high - low < 1e-3);
}

#[test]
fn a_gate_on_beliefs_decides_before_a_release() {
    assert_eq!(privug(&with(&["--require", "max_posterior <= 0.9", "-q"])).code, Some(0));
    assert_eq!(privug(&with(&["--require", "max_posterior <= 0.87", "-q"])).code, Some(3));
    // After a yes, the surest belief is 9/16.
    assert_eq!(privug(&with(&["--observe", "True", "--require", "max_posterior <= 0.6", "-q"])).code, Some(0));
    // What no release changes, what is missing, and what was known beforehand are refused.
    for requirement in ["prior_entropy_bits <= 9", "g_leakage <= 1", "truth_probability_posterior <= 1"] {
        assert_eq!(privug(&with(&["--require", requirement, "-q"])).code, Some(1), "{requirement}");
    }
    let known = b"def f():\n    x = Categorical([1.0])\n    y = Bernoulli(0.5)\n    return [y]\n";
    let run = privug_with_input(&["analyze", "-", "--secret", "x", "--require", "max_posterior <= 0.5", "-q"], known);
    assert_ne!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn evidence_before_an_open_output_counts() {
    // The program itself discloses the secret; the open output adds nothing, but the gate must not pass.
    let program = "def f():\n    x = Bernoulli(0.1)\n    y = Bernoulli(0.5)\n    condition(x)\n    return y\n";
    let arguments = ["analyze", "-", "--secret", "x", "--require", "mutual_information_bits <= 0.5", "-q"];
    assert_eq!(privug_with_input(&arguments, program.as_bytes()).code, Some(3));
    // Of a capacity nothing is known then.
    let arguments = ["analyze", "-", "--secret", "x", "--require", "channel_capacity_bits <= 5", "-q"];
    assert_eq!(privug_with_input(&arguments, program.as_bytes()).code, Some(3));
}

#[test]
fn a_rare_value_that_became_likely_does_not_pass_as_nothing() {
    let program = "def f():\n    ill = Bernoulli(0.001)\n    seen = Bernoulli(0.999 if ill else 0.001)\n    \
                   condition(seen)\n    return ill\n";
    let arguments = ["analyze", "-", "--require", "mutual_information_bits <= 0.5", "-q"];
    assert_eq!(privug_with_input(&arguments, program.as_bytes()).code, Some(3));
}

#[test]
fn gains_are_expressions_or_tables() {
    let gained = |gain: &str| {
        let run =
            privug(&["analyze", "programs/choices/genome.py:family", "--secret", "carried", "--json", "--gain", gain]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.json()["leakage"][0].clone()
    };
    // The identity is what Bayes vulnerability is about.
    let same = gained("guess == secret");
    assert_eq!(same["g_vulnerability_posterior"], same["bayes_vulnerability_posterior"]);
    // Nothing but 0 is worth guessing before: 0.81 + 0.18 / 2.
    let near = gained("1 - abs(guess - secret) / 2");
    assert!(close(&near["g_vulnerability_prior"], 0.9));
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gains");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in [
        ("gain.csv", "guess,0,1,2\na,1,0,0\nb,0,1,0\nc,0,0,1\n"),
        ("gain.json", r#"{"secrets": [0, 1, 2], "gains": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}"#),
    ] {
        let path = folder.join(file);
        std::fs::write(&path, text).expect("a table");
        assert_eq!(gained(path.to_str().expect("UTF-8"))["g_leakage"], same["g_leakage"]);
    }
    for bad in ["guess +", "nothing", "Bernoulli(0.5)", "guess - secret - 1", "'a'", "no_such_table.csv"] {
        let run = privug(&with(&["--gain", bad]));
        assert_eq!(run.code, Some(1), "{bad}: {}", run.stdout);
        assert!(run.stderr.contains("--gain") || run.stderr.contains("no_such_table"), "{}", run.stderr);
    }
}

#[test]
fn questions_about_discrete_values_are_answered_before_and_after() {
    let queries = [
        ("P(smokes)", 0.3, 0.5625),
        ("P(smokes and told)", 0.15, 0.375),
        ("P(not smokes or coin)", 0.85, 0.8125),
        ("E(smokes)", 0.3, 0.5625),
        ("Var(smokes)", 0.21, 0.24609375),
    ];
    for (query, before, after) in queries {
        let answer = privug(&with(&["--observe", "True", "--json", "--query", query])).json()["queries"][0].clone();
        assert!(close(&answer["before"], before) && close(&answer["after"], after), "{query}: {answer}");
    }
    let votes = ["analyze", "programs/choices/voting.py", "--secret", "votes[0]", "--json", "--query"];
    let asked: Vec<&str> = votes.iter().copied().chain(["P(votes[0] == 'bob')"]).collect();
    assert!(close(&privug(&asked).json()["queries"][0]["before"], 0.3));
}

#[test]
fn truths_are_probabilities_of_values() {
    let leak = privug(&with(&["--observe", "True", "--truth", "True", "--json"])).json()["leakage"][0].clone();
    assert_eq!((&leak["truth_probability_prior"], &leak["truth_probability_posterior"]), (&json!(0.3), &json!(0.5625)));
    let votes = ["analyze", "programs/choices/voting.py", "--secret", "votes[0]", "--json", "--truth"];
    let told: Vec<&str> = votes.iter().copied().chain(["votes[0]='bob'"]).collect();
    assert_eq!(privug(&told).json()["leakage"][0]["truth"], "bob");
    let wrong: Vec<&str> = votes.iter().copied().chain(["'eve'"]).collect();
    assert_eq!(privug(&wrong).code, Some(1));
}

#[test]
fn channels_read_as_they_did() {
    let channel = |more: &[&str]| {
        let arguments: Vec<&str> =
            ["channel", RESPONSE, "--secret", "smokes"].iter().copied().chain(more.iter().copied()).collect();
        let run = privug(&arguments);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run
    };
    matches_snapshot("channel", &channel(&["--exact"]).stdout);
    matches_snapshot("channel_csv", &channel(&["--csv"]).stdout);
    let document = channel(&["--json", "--exact"]).json();
    assert_eq!(document["schema"], "privug.channel/1");
    let expected = json!([{
        "secret": "smokes", "secrets": [false, true], "prior": [0.7, 0.3], "output_names": ["answer"],
        "outputs": [[false], [true]], "matrix": [[0.75, 0.25], [0.25, 0.75]], "exact": [["3/4", "1/4"], ["1/4", "3/4"]],
    }]);
    assert_eq!(document["channels"], expected);
    let run = privug(&["channel", "programs/public_statistics/case1.py"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no channel"));
}

#[test]
fn reports_on_choices_read_as_they_did() {
    matches_snapshot("randomized_response", &privug(&SMOKES).stdout);
    matches_snapshot("randomized_response_observed", &privug(&with(&["--observe", "True", "--exact"])).stdout);
    matches_snapshot(
        "income_bands",
        &privug(&["analyze", "programs/choices/income_bands.py", "--secret", "income"]).stdout,
    );
}

#[test]
fn releases_with_choices_are_compared_swept_and_calibrated() {
    let survey = "programs/choices/survey.py";
    let compared = privug(&[
        "compare",
        "programs/choices/survey.py --set people=1",
        "programs/choices/survey.py --set people=3",
        "--secret",
        "smokes[0]",
        "--json",
    ]);
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    let measures = compared.json()["measures"].clone();
    let told = measures.as_array().expect("a list").iter().find(|row| row["measure"] == "mutual_information_bits");
    let values = told.expect("a row")["values"].clone();
    assert!(close(&values[0], 0.159_672_469_995_535_8));
    assert!(values[1].as_f64() < values[0].as_f64());
    let swept = privug(&[
        "sweep",
        survey,
        "people=1..3",
        "--steps",
        "3",
        "--secret",
        "smokes[0]",
        "--measure",
        "max_posterior",
        "--json",
    ]);
    assert_eq!(swept.code, Some(0), "{}", swept.stderr);
    assert!(close(&swept.json()["points"][0]["values"][0], 0.875));
    let program = b"def f(p=0.5):\n    x = Bernoulli(0.5)\n    noise = Bernoulli(p)\n    return x != noise\n";
    let arguments = [
        "calibrate",
        "-",
        "p=0.01..0.5",
        "--smallest",
        "--secret",
        "x",
        "--require",
        "max_posterior <= 0.75",
        "--json",
    ];
    let found = privug_with_input(&arguments, program);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(close(&found.json()["value"], 0.25));
}

#[test]
fn pages_and_plots_show_bars() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bars");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (program, secret) in [(RESPONSE, "smokes"), ("programs/choices/income_bands.py", "income")] {
        let (page, plot) = (folder.join("page.html"), folder.join("plot.svg"));
        let (page_text, plot_text) = (page.to_str().expect("UTF-8"), plot.to_str().expect("UTF-8"));
        let run = privug(&["analyze", program, "--secret", secret, "--html", page_text, "--plot", plot_text, "-q"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let svg = std::fs::read_to_string(&plot).expect("a plot");
        assert!(svg.contains("data-bar=") && svg.contains("before"));
        let html = std::fs::read_to_string(&page).expect("a page");
        assert!(html.contains("mutual information") && html.contains(secret) && html.contains("data-bar="));
    }
}

#[test]
fn both_arithmetics_agree_on_choices() {
    let run = privug(&with(&["--observe", "True", "--verify", "--json"]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.json()["verification"].is_object());
}
