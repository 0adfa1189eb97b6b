//! The document `privug.analysis/1` of a program with choices.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::report::json::{
    CredibleInterval, Each, Mechanism, Program, Query, Real, Requirement, document, mechanisms, queries, requirements,
};
use crate::report::notes::sentences;
use privug_analysis::analysis::{Analysis, Belief, ChoiceSecret, Choices, Part, PlainValue};
use privug_engine::elimination::Accuracy;
use privug_measures::channel::{Bounds, CHANNEL_MEASURES, Method};
use privug_measures::leakage::Unit;

#[derive(Serialize)]
struct ChoicesDocument<'a, D, L> {
    schema: &'static str,
    program: Program<'a>,
    arithmetic: &'static str,
    secrets: Vec<&'a str>,
    prior: Moments,
    posterior: Moments,
    distributions: D,
    observations: Vec<Observation<'a>>,
    outputs: Vec<Output<'a>>,
    log_evidence_nats: Real,
    leakage: L,
    mechanisms: Vec<Mechanism<'a>>,
    queries: Vec<Query<'a>>,
    requirements: Vec<Requirement<'a>>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<Value>,
}

/// Means and variances, null where a secret is not a number; of one secret, also as a covariance.
#[derive(Serialize)]
struct Moments {
    mean: Vec<Option<Real>>,
    variance: Vec<Option<Real>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covariance: Option<[[Real; 1]; 1]>,
}

#[derive(Serialize)]
struct Distribution<'a> {
    secret: &'a str,
    kind: &'static str,
    method: &'static str,
    prior: Vec<Entry<'a>>,
    posterior: Vec<Entry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorBound>,
}

/// A value and how likely it is, or a part of a mixture; `above` and `up_to` say where that is cut off, and mean and variance
/// are those before.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Value {
        value: Value,
        probability: Real,
        #[serde(skip_serializing_if = "Option::is_none")]
        exact: Option<&'a str>,
    },
    Part {
        weight: Real,
        mean: Real,
        variance: Real,
        #[serde(skip_serializing_if = "Option::is_none")]
        above: Option<Real>,
        #[serde(skip_serializing_if = "Option::is_none")]
        up_to: Option<Real>,
    },
}

#[derive(Serialize)]
struct ErrorBound {
    relative: Real,
    absolute: Real,
}

#[derive(Serialize)]
struct Observation<'a> {
    name: &'a str,
    line: usize,
    value: Option<Real>,
    variance: Real,
    status: &'static str,
}

#[derive(Serialize)]
struct Output<'a> {
    name: &'a str,
    line: usize,
    status: &'static str,
}

/// The measures have the names of their table.
#[derive(Serialize)]
struct Leakage<'a> {
    secret: &'a str,
    method: &'static str,
    #[serde(flatten)]
    measures: Map<String, Value>,
    methods: Map<String, Value>,
    as_if_published: bool,
    max_posterior_output: Option<Vec<Value>>,
    max_kl_output: Option<Vec<Value>>,
    credible_interval: CredibleInterval,
    truth: Option<Value>,
    outputs: Vec<OutputLeak<'a>>,
}

/// How a measure was obtained, where it is not exact.
#[derive(Serialize)]
struct Bracket {
    method: &'static str,
    low: Real,
    high: Real,
}

#[derive(Serialize)]
struct OutputLeak<'a> {
    output: &'a str,
    mutual_information_alone_bits: Real,
    mutual_information_added_bits: Real,
    #[serde(skip_serializing_if = "Option::is_none")]
    mutual_information_alone_bounds: Option<[Real; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mutual_information_added_bounds: Option<[Real; 2]>,
}

/// The whole document.
pub(in crate::report) fn choices_document<'a>(
    analysis: &'a Analysis,
    choices: &'a Choices,
    verification: Option<Value>,
) -> impl Serialize + use<'a> {
    let seen = choices.seen.iter().filter(|seen| seen.value.is_some()).map(|seen| Observation {
        name: &seen.name,
        line: seen.line,
        value: seen.value.map(Real),
        variance: Real(seen.noise_variance),
        status: "used",
    });
    let gaussian = choices.seen.iter().filter(|seen| seen.value.is_none());
    let gaussian = gaussian.map(|seen| (&seen.name, seen.line, false));
    let outputs = choices.outputs.iter().map(|output| (&output.name, output.line, output.observed)).chain(gaussian);
    let outputs = outputs.map(|(name, line, observed)| Output {
        name,
        line,
        status: if observed { "observed" } else { "published" },
    });
    ChoicesDocument {
        schema: "privug.analysis/1",
        program: Program { path: &analysis.path, function: Some(&analysis.function) },
        arithmetic: analysis.arithmetic.name(),
        secrets: choices.secrets.iter().map(|secret| secret.name.as_str()).collect(),
        prior: moments(choices, |secret| &secret.prior),
        posterior: moments(choices, |secret| &secret.posterior),
        distributions: Each(move || choices.secrets.iter().map(distribution)),
        observations: seen.collect(),
        outputs: outputs.collect(),
        log_evidence_nats: Real(analysis.log_evidence_nats),
        leakage: Each(move || choices.secrets.iter().map(|secret| leakage(secret, analysis.level))),
        mechanisms: mechanisms(analysis),
        queries: queries(analysis),
        requirements: requirements(analysis),
        notes: sentences(&analysis.notes),
        verification,
    }
}

/// An ordinary value; numbers and booleans are those of JSON.
pub(super) fn value(value: &PlainValue) -> Value {
    match value {
        PlainValue::Bool(value) => json!(value),
        PlainValue::Integer(value) => json!(value),
        PlainValue::Range(low, high) => json!({"from": low, "to": high}),
        PlainValue::Number(value) => document(&Real(*value)),
        PlainValue::Text(text) | PlainValue::Other(text) => json!(text),
        PlainValue::List(values) => values.iter().map(self::value).collect(),
    }
}

fn belief(belief: &Belief) -> Vec<Entry<'_>> {
    match belief {
        Belief::Discrete(values) => values
            .iter()
            .map(|chance| Entry::Value {
                value: value(&chance.value),
                probability: Real(chance.probability),
                exact: chance.exact.as_deref(),
            })
            .collect(),
        Belief::Mixture(parts) => parts.iter().map(part).collect(),
    }
}

fn part(part: &Part) -> Entry<'_> {
    Entry::Part {
        weight: Real(part.weight),
        mean: Real(part.mean),
        variance: Real(part.variance),
        above: (!part.is_whole()).then_some(Real(part.low)),
        up_to: (!part.is_whole()).then_some(Real(part.high)),
    }
}

fn distribution(secret: &ChoiceSecret) -> Distribution<'_> {
    Distribution {
        secret: &secret.name,
        kind: secret.kind(),
        method: secret.method(),
        prior: belief(&secret.prior),
        posterior: belief(&secret.posterior),
        error: match secret.accuracy {
            Accuracy::Certified { relative_error, absolute_error } => {
                Some(ErrorBound { relative: Real(relative_error), absolute: Real(absolute_error) })
            }
            Accuracy::Exact { .. } => None,
        },
    }
}

fn leakage(secret: &ChoiceSecret, level: f64) -> Leakage<'_> {
    let mut measures = Map::new();
    for measure in CHANNEL_MEASURES {
        let needs_more = (measure.name.starts_with("g_") || measure.name.starts_with("truth_"))
            && secret.measures().get(measure.name).is_none();
        if needs_more {
            continue;
        }
        let read = match secret.measures().get(measure.name) {
            Some((value, _)) if measure.unit == Unit::YesNo => Value::Bool(value != 0.0),
            Some((value, _)) => document(&Real(value)),
            None => Value::Null,
        };
        measures.insert(measure.name.into(), read);
    }
    // Means and deviations, where the secret is a number.
    for (name, value, _) in secret.measures().iter() {
        if !measures.contains_key(name) {
            measures.insert(name.into(), document(&Real(value)));
        }
    }
    let methods = secret.measures().iter().filter_map(|(name, _, method)| match method {
        Method::Exact => None,
        Method::Certified { low, high } => {
            let bracket = Bracket { method: method.name(), low: Real(low), high: Real(high) };
            Some((name.to_owned(), document(&bracket)))
        }
    });
    let output = |values: Option<&[PlainValue]>| values.map(|values| values.iter().map(value).collect());
    let interval = |belief: &Belief| belief.interval(level).map(|(low, high)| [Real(low), Real(high)]);
    let bounds = |bits: Bounds| (bits.low != bits.high).then_some([Real(bits.low), Real(bits.high)]);
    let outputs = secret.by_output.iter().map(|output| OutputLeak {
        output: &output.name,
        mutual_information_alone_bits: Real(output.alone_bits.high),
        mutual_information_added_bits: Real(output.added_bits.high),
        mutual_information_alone_bounds: bounds(output.alone_bits),
        mutual_information_added_bounds: bounds(output.added_bits),
    });
    Leakage {
        secret: &secret.name,
        // Of the measures that `methods` does not list.
        method: Method::Exact.name(),
        measures,
        methods: methods.collect(),
        as_if_published: secret.is_open,
        max_posterior_output: output(secret.surest_output()),
        max_kl_output: output(secret.most_moving_output()),
        credible_interval: CredibleInterval {
            level,
            prior: interval(&secret.prior),
            posterior: if secret.is_open { None } else { interval(&secret.posterior) },
        },
        truth: secret.truth.as_deref().map(value),
        outputs: outputs.collect(),
    }
}

fn moments(choices: &Choices, belief: impl Fn(&ChoiceSecret) -> &Belief) -> Moments {
    let column = |of: &dyn Fn(&Belief) -> Option<f64>| -> Vec<Option<Real>> {
        choices.secrets.iter().map(|secret| of(belief(secret)).map(Real)).collect()
    };
    let only = match choices.secrets.as_slice() {
        [only] => belief(only).variance(),
        _ => None,
    };
    Moments {
        mean: column(&Belief::mean),
        variance: column(&Belief::variance),
        covariance: only.map(|variance| [[Real(variance)]]),
    }
}
