//! A person of an audit: one secret of theirs, before and after.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::{Broken, broken};
use crate::report::json::{Real, document};
use privug_analysis::audit::{Audit, Brackets, Certainty, Distributions, PersonDetail, SecretValue};

#[derive(Serialize)]
pub(super) struct Person<'a> {
    person: Cow<'a, str>,
    /// How many people the group has of which this is the one who is worst off.
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<&'a str>,
    verdict: &'static str,
    person_verdict: &'static str,
    rules: Vec<Broken>,
    fully_disclosed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Known>,
    truth: Option<Real>,
    prior_mean: Option<Real>,
    prior_variance: Option<Real>,
    posterior_mean: Option<Real>,
    posterior_variance: Option<Real>,
    mean_shift: Option<Real>,
    relative_std: Option<Real>,
    mutual_information_bits: Option<Real>,
    near_truth_prior: Option<Real>,
    near_truth_posterior: Option<Real>,
    baseline_mean: Real,
    baseline_variance: Real,
    #[serde(flatten)]
    possible: Option<Possible>,
    figures: u32,
    smallest_frequency: Option<u32>,
    #[serde(flatten)]
    detail: Option<Detail<'a>>,
}

/// What is known of a secret that is not Gaussian.
#[derive(Serialize)]
#[serde(untagged)]
enum Known {
    Discrete(Discrete),
    Skewed(Skewed),
}

#[derive(Serialize)]
struct Discrete {
    kind: &'static str,
    method: &'static str,
    bound: Option<Real>,
    truth: Value,
    prior: Vec<Chance>,
    posterior: Option<Vec<Chance>>,
    possible: Vec<Value>,
    people: usize,
}

#[derive(Serialize)]
struct Chance {
    value: Value,
    probability: Real,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

/// Under a skewed prior, with bounds.
#[derive(Serialize)]
struct Skewed {
    kind: &'static str,
    method: &'static str,
    prior: String,
    mean: Option<[Real; 2]>,
    std: Option<[Real; 2]>,
    interval_95: Option<[Real; 2]>,
    information_bits: Option<[Real; 2]>,
    near_truth: Option<[Real; 2]>,
}

/// What remains possible, given a support.
#[derive(Serialize)]
struct Possible {
    possible_lower: Real,
    possible_upper: Real,
    interval_percent: Real,
    interval_percent_contributor: Real,
    interval_method: &'static str,
}

#[derive(Serialize)]
struct Detail<'a> {
    leaks: Vec<Leak<'a>>,
    disclosed_by: Vec<Weight<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<Exact<'a>>,
}

#[derive(Serialize)]
struct Leak<'a> {
    figure: &'a str,
    mutual_information_alone_bits: Real,
    mutual_information_added_bits: Real,
}

/// What a figure is multiplied by in the combination that gives the secret.
#[derive(Serialize)]
struct Weight<'a> {
    figure: &'a str,
    weight: Real,
}

#[derive(Serialize)]
struct Exact<'a> {
    posterior_mean: &'a str,
    posterior_variance: &'a str,
}

pub(super) fn person<'a>(audit: &'a Audit, entry: usize, detail: Option<&'a PersonDetail>) -> Person<'a> {
    let (people, persons) = (&audit.people, &audit.persons);
    let is_grouped = persons.is_grouped();
    let without = |column: &[f64], prior: &[f64]| Real(*column.get(entry).unwrap_or(&prior[entry]));
    let discrete = people.discrete.as_ref().map(|discrete| Known::Discrete(distribution(discrete, entry)));
    let skewed = people.brackets.as_ref().map(|brackets| Known::Skewed(bracket(brackets, entry)));
    Person {
        person: audit.name(entry),
        people: is_grouped.then(|| persons.size(persons.of_entry(entry))),
        row: (!is_grouped).then(|| persons.row(entry) + 1),
        secret: audit.column_of(entry),
        verdict: people.verdict[entry].name(),
        person_verdict: audit.verdicts.verdict(persons.of_entry(entry)).name(),
        rules: broken(&people.broken_rules(entry, &audit.policy)),
        fully_disclosed: people.fully_disclosed[entry],
        distribution: skewed.or(discrete),
        truth: Real::known(people.truth[entry]),
        prior_mean: Real::known(people.prior_mean[entry]),
        prior_variance: Real::known(people.prior_variance[entry]),
        posterior_mean: Real::known(people.posterior_mean[entry]),
        posterior_variance: Real::known(people.posterior_variance[entry]),
        mean_shift: Real::known(people.mean_shift[entry]),
        relative_std: Real::known(people.relative_std[entry]),
        mutual_information_bits: Real::known(people.mutual_information_bits[entry]),
        near_truth_prior: Real::known(people.near_truth_prior[entry]),
        near_truth_posterior: Real::known(people.near_truth_posterior[entry]),
        baseline_mean: without(&people.baseline_mean, &people.prior_mean),
        baseline_variance: without(&people.baseline_variance, &people.prior_variance),
        possible: audit.possible.as_ref().map(|possible| Possible {
            possible_lower: Real(possible.lower[entry]),
            possible_upper: Real(possible.upper[entry]),
            interval_percent: Real(possible.outsider_percent[entry]),
            interval_percent_contributor: Real(possible.contributor_percent[entry]),
            interval_method: possible.method[entry].name(),
        }),
        figures: people.figures[entry],
        smallest_frequency: Some(people.smallest_frequency[entry]).filter(|_| people.figures[entry] > 0),
        detail: detail.map(|detail| self::detail(audit, detail)),
    }
}

fn detail<'a>(audit: &'a Audit, detail: &'a PersonDetail) -> Detail<'a> {
    let leaks = detail.leaks.iter().map(|leak| Leak {
        figure: &audit.figures[leak.figure].name,
        mutual_information_alone_bits: Real(leak.alone_bits),
        mutual_information_added_bits: Real(leak.added_bits),
    });
    let weights = detail
        .combination
        .iter()
        .map(|(figure, weight)| Weight { figure: &audit.figures[*figure].name, weight: Real(*weight) });
    let exact = detail.exact.as_ref();
    Detail {
        leaks: leaks.collect(),
        disclosed_by: weights.collect(),
        exact: exact.map(|[mean, variance]| Exact { posterior_mean: mean, posterior_variance: variance }),
    }
}

fn bracket(brackets: &Brackets, entry: usize) -> Skewed {
    let known = brackets.of(entry);
    let bounds = |bounds: Option<[f64; 2]>| {
        bounds.filter(|bounds| bounds.iter().all(|bound| !bound.is_nan())).map(|bounds| bounds.map(Real))
    };
    Skewed {
        kind: "skewed",
        method: known.method(),
        prior: known.prior.words(),
        mean: bounds(known.mean),
        std: bounds(known.std_dev),
        interval_95: bounds(known.interval),
        information_bits: bounds(known.bits),
        near_truth: bounds(Some(brackets.near_truth[entry])),
    }
}

fn distribution(discrete: &Distributions, entry: usize) -> Discrete {
    let known = discrete.of(entry);
    let values = &discrete.values[known.column];
    let law = |law: &[f64], is_prior: bool| {
        let chances = values.iter().zip(law).enumerate().map(|(code, (value, probability))| Chance {
            value: shown(value),
            probability: Real(*probability),
            exact: known.exact_text(is_prior, code),
        });
        chances.collect()
    };
    let possible = values.iter().zip(&known.possible).filter(|(_, possible)| **possible).map(|(value, _)| shown(value));
    Discrete {
        kind: "discrete",
        method: known.certainty.name(),
        bound: match known.certainty {
            Certainty::Certified(bound) => Some(Real(bound)),
            Certainty::Exact | Certainty::Unknown => None,
        },
        truth: shown(&values[discrete.truths[entry] as usize]),
        prior: law(&known.prior, true),
        posterior: (known.certainty != Certainty::Unknown).then(|| law(&known.posterior, false)),
        possible: possible.collect(),
        people: known.people,
    }
}

fn shown(value: &SecretValue) -> Value {
    match value {
        SecretValue::Bool(value) => Value::from(*value),
        SecretValue::Int(value) => Value::from(*value),
        SecretValue::Number(value) => document(&Real(*value)),
        SecretValue::Text(text) => Value::from(text.as_ref()),
    }
}
