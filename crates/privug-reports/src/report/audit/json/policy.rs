//! The rules and their thresholds.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::report::json::{Real, document};
use privug_analysis::audit::{Policy, Rule, Thresholds, Verdict};

/// Each rule under its name, as in a policy file.
#[derive(Serialize)]
pub(super) struct Rules {
    baseline: &'static str,
    #[serde(flatten)]
    rules: Map<String, Value>,
}

/// A rule with numbers.
#[derive(Serialize, Default)]
struct Numbers {
    review: Option<Real>,
    fail: Option<Real>,
    #[serde(skip_serializing_if = "Option::is_none")]
    largest: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<Real>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<Real>,
}

/// What a rule is set to.
#[derive(Serialize)]
#[serde(untagged)]
enum Setting {
    Level(&'static str),
    Numbers(Numbers),
}

pub(super) fn rules(policy: &Policy) -> Rules {
    let rules = Rule::ALL.iter().map(|rule| (rule.name().to_owned(), document(&setting(*rule, policy))));
    Rules { baseline: policy.baseline(), rules: rules.collect() }
}

fn numbers(thresholds: &Thresholds) -> Numbers {
    Numbers { review: thresholds.review.map(Real), fail: thresholds.fail.map(Real), ..Numbers::default() }
}

fn level(verdict: Verdict) -> Setting {
    Setting::Level(if verdict == Verdict::Pass { "off" } else { verdict.name() })
}

fn setting(rule: Rule, policy: &Policy) -> Setting {
    match rule {
        Rule::MinimumFrequency => Setting::Numbers(numbers(&policy.minimum_frequency)),
        Rule::Dominance => {
            Setting::Numbers(Numbers { largest: Some(policy.dominance_largest), ..numbers(&policy.dominance) })
        }
        Rule::PPercent => Setting::Numbers(numbers(&policy.p_percent)),
        Rule::SameValue => level(policy.same_value),
        Rule::NearBound => {
            Setting::Numbers(Numbers { percent: Some(Real(policy.near_bound_percent)), ..numbers(&policy.near_bound) })
        }
        Rule::Recoverable => level(policy.recoverable),
        Rule::Unexamined => level(policy.unexamined),
        Rule::DiscreteSecret => level(policy.discrete_secret),
        Rule::FullDisclosure => level(policy.full_disclosure),
        Rule::RelativeStd => Setting::Numbers(numbers(&policy.relative_std)),
        Rule::MutualInformation => Setting::Numbers(numbers(&policy.mutual_information_bits)),
        Rule::IntervalPercent => Setting::Numbers(numbers(&policy.interval_percent)),
        Rule::NearTruth => Setting::Numbers(Numbers {
            percent: Some(Real(policy.near_truth_percent)),
            gain: Some(Real(policy.near_truth_gain)),
            ..numbers(&policy.near_truth)
        }),
        Rule::SmallCount => Setting::Numbers(numbers(&policy.small_count)),
        Rule::ClassDisclosure => level(policy.class_disclosure),
        Rule::RevealingZero => level(policy.revealing_zero),
        Rule::Differencing => level(policy.differencing),
        Rule::LDiversity => Setting::Numbers(numbers(&policy.l_diversity)),
        Rule::TCloseness => Setting::Numbers(numbers(&policy.t_closeness)),
        Rule::KAnonymity => Setting::Numbers(numbers(&policy.k_anonymity)),
        Rule::AttributeDisclosure => Setting::Numbers(Numbers {
            gain: Some(Real(policy.attribute_gain)),
            ..numbers(&policy.attribute_disclosure)
        }),
        Rule::Unknown => level(policy.unknown),
    }
}
