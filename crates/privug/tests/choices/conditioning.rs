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
    assert_eq!(choices.secrets[0].measures.get("fully_disclosed").map(|(value, _)| value), Some(0.0));
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
