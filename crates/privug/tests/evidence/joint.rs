//! Several secrets together, also those that nearly coincide: against exact rationals, closed forms, and identities.

use privug::analysis::{Analysis, Request};
use proptest::prelude::*;

use crate::support::{assert_close, cases, relative_error, run};

/// What all outputs tell about all secrets, in bits.
fn told(program: &str, secrets: &[&str], exact: bool) -> f64 {
    let secrets = secrets.iter().map(|secret| (*secret).to_owned()).collect();
    let analysis = run(Request { secrets, exact, ..Request::new("program.py", program) });
    bits(&analysis)
}

fn bits(analysis: &Analysis) -> f64 {
    let joint = analysis.joint.as_ref().expect("several secrets");
    let told = joint.mutual_information_bits.expect("known");
    // Nothing was seen, so that divergences are known only if there is nothing to see.
    let divergences = [joint.kl_posterior_prior_bits, joint.kl_prior_posterior_bits];
    assert_eq!(divergences, if told == 0.0 { [Some(0.0); 2] } else { [None; 2] });
    told
}

#[track_caller]
fn assert_told(program: &str, secrets: &[&str], expected: f64) {
    for exact in [false, true] {
        let told = told(program, secrets, exact);
        assert!(relative_error(told, expected) <= 1e-12, "{told} instead of {expected}, exact: {exact}");
    }
}

#[test]
fn a_difference_of_secrets_that_are_a_sum_apart_is_disclosed() {
    let program = "def f():\n    turnover = Normal(1e9, std=1e8)\n    bonus = Normal(100, std=10)\n    \
                   total = turnover + bonus\n    return total - turnover\n";
    assert_told(program, &["turnover", "total"], f64::INFINITY);
}

#[test]
fn secrets_that_nearly_coincide_keep_their_difference() {
    // ½ log₂(1 + (1e-7/1e-9)²) = ½ log₂ 10001.
    let program = "def f():\n    a = Normal(0, 1)\n    b = a + Normal(0, std=1e-7)\n    \
                   return Normal(b - a, std=1e-9)\n";
    assert_told(program, &["a", "b"], 0.5 * 10_001f64.log2());
    // The sum tells as much as it does of one of variance 4.
    let program = "def f():\n    a = Normal(0, 1)\n    b = a + Normal(0, std=1e-12)\n    \
                   return Normal(a + b, std=1)\n";
    assert_told(program, &["a", "b"], 0.5 * 5f64.log2());
}

#[test]
fn secrets_that_say_the_same_count_once() {
    let program = "def f():\n    a = Normal(0, 1)\n    b = 3 * a - 2\n    return Normal(a, std=1)\n";
    assert_told(program, &["a", "b"], 0.5);
    let program = "def f():\n    a = Normal(0, 1)\n    b = Normal(0, 1)\n    return 7 + 0 * a\n";
    assert_told(program, &["a", "b"], 0.0);
}

#[test]
fn the_published_sum_of_all_is_disclosed_though_nobody_is() {
    let program = "def f(n=40):\n    x = Normal(50, std=10, size=n)\n    return sum(x) / n\n";
    let secrets: Vec<String> = (0..40).map(|place| format!("x[{place}]")).collect();
    let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
    assert_told(program, &secrets, f64::INFINITY);
    // Without one of them, the rest is seen through that one: ½ log₂(1 + 39).
    assert_told(program, &secrets[1..], 0.5 * 40f64.log2());
}

#[test]
fn values_that_are_seen_move_all_secrets_at_once() {
    // x + y ~ N(0, 2) seen as 3 through noise of variance 2: a sufficient statistic, 2 → 1, shift 3/2.
    let program = "def f():\n    x = Normal(0, 1)\n    y = Normal(0, 1)\n    condition(x + y + Normal(0, 2), 3)\n    \
                   return [x, y]\n";
    for exact in [false, true] {
        let joint = run(Request { exact, ..Request::new("program.py", program) }).joint.expect("two secrets");
        let nats = |bits: Option<f64>| bits.expect("all was seen") * std::f64::consts::LN_2;
        assert_close(nats(joint.mutual_information_bits), 0.5 * 2f64.ln(), 12);
        assert_close(nats(joint.kl_posterior_prior_bits), 0.5 * (-0.5 + 2f64.ln() + 2.25 / 2.0), 12);
        assert_close(nats(joint.kl_prior_posterior_bits), 0.5 * (1.0 - 2f64.ln() + 2.25), 12);
    }
}

/// Secrets in a chain, each the one before times a weight and a little more; outputs are sums of them through noise.
#[derive(Debug, Clone)]
struct Chain {
    secrets: Vec<(i32, i32)>,
    outputs: Vec<(Vec<i32>, i32)>,
}

fn chains() -> impl Strategy<Value = Chain> {
    (2usize..5).prop_flat_map(|count| {
        let secret = (-3..4i32, -15..4i32);
        let output = (prop::collection::vec(-3..4i32, count), -15..16i32);
        (prop::collection::vec(secret, count), prop::collection::vec(output, 1..4))
            .prop_map(|(secrets, outputs)| Chain { secrets, outputs })
    })
}

impl Chain {
    fn program(&self, outputs: std::ops::Range<usize>) -> String {
        let mut program = String::from("def f():\n    s0 = Normal(3, 1)\n");
        for (place, (weight, digits)) in self.secrets.iter().enumerate().skip(1) {
            program += &format!("    s{place} = {weight} * s{} + Normal(0, std=1e{digits})\n", place - 1);
        }
        let published = self.outputs[outputs].iter().map(|(weights, digits)| {
            let terms = weights.iter().enumerate().map(|(place, weight)| format!("{weight} * s{place}"));
            format!("{} + Normal(0, std=1e{digits})", terms.collect::<Vec<_>>().join(" + "))
        });
        program + &format!("    return [{}]\n", published.collect::<Vec<_>>().join(", "))
    }

    fn told(&self, secrets: std::ops::Range<usize>, outputs: std::ops::Range<usize>, exact: bool) -> f64 {
        let names: Vec<String> = secrets.map(|place| format!("s{place}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        told(&self.program(outputs), &names, exact)
    }
}

proptest! {
    #![proptest_config(cases(48))]

    /// Variances from 1 to 1e-30 of each other, and noise from 1e-30 to 1e30: 12 digits, in doubles as in rationals of
    /// the same program. (Its literals are powers of ten, whose doubles are other numbers by 1e-16.)
    #[test]
    fn doubles_agree_with_rationals(chain in chains()) {
        let all = 0..chain.secrets.len();
        let (float, exact) =
            (chain.told(all.clone(), 0..chain.outputs.len(), false), chain.told(all, 0..chain.outputs.len(), true));
        prop_assert!(relative_error(float, exact) <= 1e-12, "{float:e} {exact:e}");
    }

    /// More outputs tell more, fewer secrets are told less about: data processing, both ways.
    #[test]
    fn less_is_told_about_less_and_by_less(chain in chains()) {
        let (secrets, outputs) = (chain.secrets.len(), chain.outputs.len());
        let all = chain.told(0..secrets, 0..outputs, false);
        let slack = 1.0 + 1e-11;
        if outputs > 1 {
            prop_assert!(chain.told(0..secrets, 0..outputs - 1, false) <= all * slack);
        }
        if secrets > 2 {
            prop_assert!(chain.told(0..secrets - 1, 0..outputs, false) <= all * slack);
        }
    }

    /// The order in which secrets are named does not matter.
    #[test]
    fn the_order_of_secrets_does_not_matter(chain in chains()) {
        let program = chain.program(0..chain.outputs.len());
        let names: Vec<String> = (0..chain.secrets.len()).map(|place| format!("s{place}")).collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        let forwards = told(&program, &names, false);
        names.reverse();
        let backwards = told(&program, &names, false);
        prop_assert!(relative_error(forwards, backwards) <= 1e-12, "{forwards:e} {backwards:e}");
    }
}
