//! What was seen: events, values, evidence beyond the range of doubles, and worlds in which it is certain.

use super::support::{analysis, posterior, refused};
use privug::analysis::{Belief, Note};
use privug::diagnostic::Code;

fn main(body: &str) -> String {
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    format!("def main():\n{body}")
}

#[test]
fn events_and_values() {
    let two = "a, b = DiscreteUniform(0, 2), DiscreteUniform(0, 2)\n";
    for (seen, expected) in [
        ("condition(a + b == 1)", "0: 1/2; 1: 1/2"),
        ("condition(a + b, 3)", "1: 1/2; 2: 1/2"),
        ("condition(a, b)\ncondition(a > 0)", "1: 1/2; 2: 1/2"),
        ("condition(b, a - 1)", "1: 1/2; 2: 1/2"),
        ("condition(a in [0, 2] and b != a)", "0: 1/2; 2: 1/2"),
        ("condition([a, b], [1, 2])", "1: 1"),
        ("if a == 0:\n    condition(b, 0)", "0: 1/7; 1: 3/7; 2: 3/7"),
        ("condition(a - a, 0)", "0: 1/3; 1: 1/3; 2: 1/3"),
        ("condition(True)", "0: 1/3; 1: 1/3; 2: 1/3"),
    ] {
        assert_eq!(posterior(&main(&format!("{two}{seen}\nreturn a"))), expected, "{seen}");
    }
}

#[test]
fn integer_statistics_of_people() {
    // Three men of 18 to 100 whose mean age is 44 and of whom the oldest is 65: (r, s) with r + s = 67.
    let census = "ages = [DiscreteUniform(18, 100) for i in range(3)]\ncondition(sum(ages), 132)\ncondition(max(ages), 65)\n\
                  return min(ages)";
    // r from 18 to 33 once each way, times six orders; none is equal to another but r = s, which is no integer.
    let expected: Vec<String> = (18..=33).map(|age| format!("{age}: 1/16")).collect();
    assert_eq!(posterior(&main(census)), expected.join("; "));
    // A sum of twenty ages leaves the others' distribution; symmetric about its middle.
    let sum = "ages = [DiscreteUniform(0, 10) for i in range(20)]\ncondition(sum(ages), 100)\nreturn ages[0] <= 4";
    let mirrored = "ages = [DiscreteUniform(0, 10) for i in range(20)]\ncondition(sum(ages), 100)\nreturn ages[3] >= 6";
    assert_eq!(posterior(&main(sum)), posterior(&main(mirrored)));
}

#[test]
fn evidence_may_be_too_unlikely_for_a_double() {
    // 400 people say yes although each does so with probability 1e-3: 1e-1200.
    let body = "guilty = Bernoulli(0.5)\nfor i in range(400):\n    condition(Bernoulli(0.001 if guilty else 0.002))\n\
                return guilty";
    let analysed = analysis(&main(body), false);
    let Belief::Discrete(values) = &analysed.choices.as_ref().expect("choices").secrets[0].posterior else { panic!() };
    // 1 / (1 + 2^400)
    let expected = 2f64.powi(-400) / (1.0 + 2f64.powi(-400));
    assert!((values[1].probability - expected).abs() <= 1e-12 * expected, "{values:?}");
    let log = 0.5f64.ln() + 400.0 * 0.002f64.ln() + (2f64.powi(-400)).ln_1p();
    assert!((analysed.log_evidence_nats - log).abs() < 1e-9 * log.abs());
}

#[test]
fn nearly_certain_is_not_certain() {
    let body = "rare = Bernoulli(1e-20)\nother = Bernoulli(0.5)\ncondition(rare or other)\nreturn other";
    let choices = analysis(&main(body), false).choices.expect("choices");
    let Belief::Discrete(values) = &choices.secrets[0].posterior else { panic!() };
    assert_eq!(values.len(), 2, "both are possible, although one has probability 1 - 5e-21");
    assert_eq!(choices.secrets[0].measures().get("fully_disclosed").map(|(value, _)| value), Some(0.0));
}

#[test]
fn contradictions_are_told_where_they_are() {
    let code = |body: &str| refused(&main(body)).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert_eq!(code("a = Bernoulli(0.5)\ncondition(a)\ncondition(not a)\nreturn a"), [Code::Contradiction]);
    assert_eq!(code("a = DiscreteUniform(0, 2)\ncondition(a, 7)\nreturn a"), [Code::Contradiction]);
    assert_eq!(
        code("a = Bernoulli(0.5)\nif a:\n    condition(a, False)\nelse:\n    condition(False)\nreturn a"),
        [Code::Contradiction]
    );
    // A contradiction in some worlds only excludes these.
    assert_eq!(
        posterior(&main("a = DiscreteUniform(0, 2)\nif a > 0:\n    condition(a, 2)\nreturn a")),
        "0: 1/2; 2: 1/2"
    );
}

#[test]
fn worlds_in_which_a_value_is_certain_win() {
    let body = "a = Bernoulli(0.5)\nx = Normal(0, 1) if a else 3.0\ncondition(x, 3)\nreturn a";
    assert_eq!(posterior(&main(body)), "False: 1");
    let notes = analysis(&main(body), true).notes;
    assert!(notes.contains(&Note::CertainWorldsWon), "{notes:?}");
    // Elsewhere, where the certain value is another one, the density decides alone.
    let body = "a = Bernoulli(0.5)\nx = Normal(0, 1) if a else 3.0\ncondition(x, 2)\nreturn a";
    assert_eq!(posterior(&main(body)), "True: 1");
}

#[test]
fn long_chains_of_choices_are_followed() {
    // p ↦ 0.9·p + 0.2·(1 − p) has the fixed point 2/3, and the distance to it shrinks by 0.7 each time.
    let chain = "x = Bernoulli(1 / 3)\nfor i in range(N):\n    x = Bernoulli(0.9 if x else 0.2)\nreturn x";
    let exact = posterior(&main(&chain.replace('N', "2")));
    assert_eq!(exact, "False: 149/300; True: 151/300");
    let far = analysis(&main(&chain.replace('N', "1000")), false);
    let Belief::Discrete(values) = &far.choices.as_ref().expect("choices").secrets[0].posterior else { panic!() };
    assert!((values[1].probability - 2.0 / 3.0).abs() < 1e-13, "{values:?}");
    // Values that are computed from one another, without a draw for each.
    let walk = "x = Categorical([0.2, 0.3, 0.5])\nfor i in range(300):\n    x = (x + 2 * Bernoulli(0.5)) % 3\nreturn x";
    let Belief::Discrete(values) = &analysis(&main(walk), false).choices.expect("choices").secrets[0].posterior.clone()
    else {
        panic!()
    };
    assert!(values.iter().all(|value| (value.probability - 1.0 / 3.0).abs() < 1e-13), "{values:?}");
}

#[test]
fn a_hidden_chain_is_filtered_as_by_the_backward_recursion() {
    let steps = 200;
    let body = format!(
        "first = Bernoulli(0.5)\nx = first\nfor i in range({steps}):\n    x = Bernoulli(0.9 if x else 0.2)\n    \
         condition(Bernoulli(0.7 if x else 0.4), i % 3 == 0)\nreturn first"
    );
    let mut later = [1.0_f64; 2];
    for i in (0..steps).rev() {
        let seen = |x: usize| if i % 3 == 0 { [0.4, 0.7][x] } else { [0.6, 0.3][x] };
        let step = |stays: f64| stays * seen(1) * later[1] + (1.0 - stays) * seen(0) * later[0];
        let (unlikely, likely) = (step(0.2), step(0.9));
        later = [unlikely / (unlikely + likely), likely / (unlikely + likely)];
    }
    let Belief::Discrete(values) =
        &analysis(&main(&body), false).choices.expect("choices").secrets[0].posterior.clone()
    else {
        panic!()
    };
    assert!((values[1].probability - later[1]).abs() < 1e-12, "{values:?} {later:?}");
}

#[test]
fn two_gaussian_values_that_are_equal_are_evidence() {
    // x ~ N(0, 1) and y ~ N(2, 3) are equal: x has the product of both densities, N(1/2, 3/4).
    let analysed = analysis(&main("x, y = Normal(0, 1), Normal(2, 3)\ncondition(x, y)\nreturn x"), true);
    let known = analysed.secrets.get(0).into_owned();
    assert_eq!((known.posterior_mean, known.knowledge.posterior_variance), (0.5, 0.75));
    let apart = refused(&main("x = Normal(0, 1)\ncondition(x, x + 1)\nreturn x"));
    assert_eq!(apart[0].0, Code::Contradiction);
    let always = analysis(&main("x = Normal(0, 1)\ncondition(x, 2 * x - x)\nreturn x"), false);
    assert_eq!(always.secrets.get(0).knowledge.posterior_variance, 1.0);
}

#[test]
fn bits_of_integers_are_joined_as_in_python() {
    let pad = "m, k = DiscreteUniform(0, 7), DiscreteUniform(0, 7)\nc = m ^ k\ncondition(c, 5)\nreturn m & 3";
    assert_eq!(posterior(&main(pad)), "0: 1/4; 1: 1/4; 2: 1/4; 3: 1/4");
    assert_eq!(posterior(&main("b = Bernoulli(0.25)\nreturn (-2 | b) ^ 1")), "-2: 1/4; -1: 3/4");
}

#[test]
fn secrets_with_many_values_are_known_by_intervals() {
    let place = "lat = DiscreteUniform(0, 9_999_999)\ncondition(1_000_000 <= lat < 1_500_000 or lat == 7)\nreturn lat";
    assert_eq!(posterior(&main(place)), "7: 1/500001; 1000000 to 1499999: 500000/500001");
    let seen = analysis(&main(place), false).choices.expect("choices");
    let (uniform, bits) =
        (seen.secrets[0].measures(), |name: &str| seen.secrets[0].measures().get(name).map(|(v, _)| v));
    let close = |name: &str, expected: f64| {
        let found = uniform.get(name).map_or(f64::NAN, |(value, _)| value);
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{name}: {found}, not {expected}");
    };
    close("prior_entropy_bits", 1e7_f64.log2());
    close("posterior_entropy_bits", 500_001_f64.log2());
    close("bayes_vulnerability_prior", 1e-7);
    close("max_posterior", 1.0 / 500_001.0);
    close("min_entropy_leakage_bits", (1e7_f64 / 500_001.0).log2());
    close("guessing_entropy_prior", (1e7 + 1.0) / 2.0);
    close("guessing_entropy_posterior", 250_001.0);
    close("kl_posterior_prior_bits", (1e7_f64 / 500_001.0).log2());
    assert_eq!(bits("fully_disclosed"), Some(0.0));
}

#[test]
fn values_that_are_there_in_some_worlds_only_keep_their_chains() {
    let body = "n = 0\nfor attempt in range(40):\n    if Bernoulli(0.1):\n        y = Bernoulli(0.5)\n        if y:\n            \
                n += 1\n            z = y if Bernoulli(0.3) else False\n            if z:\n                break\nreturn n == 0";
    // Nothing is counted if none of 40 attempts succeeds and is counted: 0.95^40.
    let Belief::Discrete(values) = &analysis(&main(body), false).choices.expect("choices").secrets[0].posterior.clone()
    else {
        panic!()
    };
    assert!((values[1].probability - 0.95_f64.powi(40)).abs() < 1e-13, "{values:?}");
}

#[test]
fn how_values_are_followed_changes_no_answer() {
    // With so few levels nearly every value gets a choice of its own, and every event is one of its own.
    let folders = ["crates/privug-cli/tests/peers", "programs/choices"];
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Every other program, unless a run is thorough.
    let is_thorough = std::env::var("PRIVUG_TESTS_TIMES").is_ok_and(|times| times != "1");
    let (mut compared, mut met) = (0, 0);
    for file in folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder")) {
        let path = file.expect("a file").path();
        let source = std::fs::read_to_string(&path).expect("a text");
        for name in source.lines().filter_map(|line| line.strip_prefix("# run: :")).filter(|name| !name.contains(' ')) {
            met += 1;
            if !is_thorough && met % 2 == 0 {
                continue;
            }
            let ask = |levels: u32| {
                let mut request = super::support::request(&source, true);
                request.program = source.clone();
                request.function = Some(name.to_owned());
                request.limits.levels = levels;
                privug::analysis::analyze(&request).map(|found| found.choices.map(|choices| choices.secrets))
            };
            let (usual, short) = (ask(24), ask(2));
            match (usual, short) {
                (Ok(usual), Ok(short)) => {
                    let told = |secrets: &Option<Vec<privug::analysis::ChoiceSecret>>| {
                        let secrets = secrets.iter().flatten();
                        secrets.map(|secret| (secret.prior.clone(), secret.posterior.clone())).collect::<Vec<_>>()
                    };
                    assert_eq!(told(&usual), told(&short), "{name} in {}", path.display());
                    compared += 1;
                }
                // What cannot be told apart any more is refused, and nothing else is answered for it.
                (Ok(_), Err(_)) => {}
                (Err(_), short) => assert!(short.is_err(), "{name} in {}", path.display()),
            }
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn what_is_possible_but_below_the_doubles_is_not_excluded() {
    // The odds are (1/2 / 3/4) to the power of the trials: 1e-352 and 1e-528.
    for (trials, exact) in [(2000, false), (2000, true), (3000, false), (3000, true)] {
        let body = format!(
            "y = Bernoulli(0.5)\nx = Binomial({trials}, 0.25 if y else 0.5)\ncondition(x == 0)\nreturn Bernoulli(0.5)"
        );
        let mut request = super::support::request(&main(&body), exact);
        request.secrets = vec!["y".to_owned()];
        let found = privug::analysis::analyze(&request).expect("an answer").choices.expect("choices");
        let secret = &found.secrets[0];
        let Belief::Discrete(values) = &secret.posterior else { panic!("a mixture") };
        assert!(values[0].probability > 0.0 && values[0].probability < 1e-300, "{:?}", values[0]);
        assert_eq!(secret.measures().get("fully_disclosed").map(|(value, _)| value), Some(0.0), "{trials} {exact}");
    }
}

#[test]
fn a_divergence_from_a_prior_below_the_doubles_is_not_known() {
    // It is 3000 bits, which the double of the prior does not tell.
    let mut request =
        super::support::request(&main("x = Binomial(3000, 0.5)\ncondition(x == 0)\nreturn Bernoulli(0.5)"), false);
    request.secrets = vec!["x".to_owned()];
    let found = privug::analysis::analyze(&request).expect("an answer").choices.expect("choices");
    let measures = found.secrets[0].measures();
    assert_eq!(measures.get("max_kl_bits"), None);
    assert_eq!(measures.get("fully_disclosed").map(|(value, _)| value), Some(1.0));
}

#[test]
fn evidence_that_ignored_values_may_explain_is_not_called_impossible() {
    for body in ["x = Poisson(1)\ncondition(x == 400)\nreturn x", "x = Geometric(0.5)\ncondition(x > 2000)\nreturn x"] {
        assert_eq!(refused(&main(body))[0].0, Code::TooUnlikely, "{body}");
    }
}
