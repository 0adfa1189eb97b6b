//! An analysis as the JSON document `privug.analysis/1`.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::choices::choices_document;
use super::notes::sentences;
use super::verification::verification_to_json;
use privug_analysis::analysis::{Analysis, ExactNumbers, Known, SecretResult, Verification};
use privug_engine::mechanism::NEIGHBOURS;
use privug_measures::channel::Method;
use privug_measures::leakage::{MEASURES, Normal, Reading, Unit};

/// A number that reads back to the same double; what JSON has no number for is a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Real(pub(crate) f64);

impl Real {
    /// A number, or nothing where it is none.
    pub(crate) fn known(value: f64) -> Option<Self> {
        Some(value).filter(|value| !value.is_nan()).map(Real)
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_finite() => serializer.serialize_f64(value),
            value if value.is_nan() => serializer.serialize_str("nan"),
            value if value > 0.0 => serializer.serialize_str("inf"),
            _ => serializer.serialize_str("-inf"),
        }
    }
}

/// Numbers, in their order.
pub(super) fn reals(values: impl IntoIterator<Item = f64>) -> Vec<Real> {
    values.into_iter().map(Real).collect()
}

/// What an iterator gives, one after the other: a million secrets are never all laid out.
pub(super) struct Each<F>(pub(super) F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

/// An analysis as a document that can be written piece by piece, with what checking it in exact arithmetic has found.
pub struct AnalysisJson<'a> {
    /// What was found.
    pub analysis: &'a Analysis,
    /// How far it is from exact arithmetic, if that was asked for.
    pub verification: Option<&'a Verification>,
}

impl Serialize for AnalysisJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let verification = self.verification.map(verification_to_json);
        match &self.analysis.choices {
            Some(choices) => choices_document(self.analysis, choices, verification).serialize(serializer),
            None => analysis_document(self.analysis, verification).serialize(serializer),
        }
    }
}

/// The document as a value, to go on with.
pub fn to_json(analysis: &Analysis) -> Value {
    document(&AnalysisJson { analysis, verification: None })
}

/// The document as a text without line breaks.
pub fn to_json_text(analysis: &Analysis) -> String {
    serde_json::to_string(&AnalysisJson { analysis, verification: None }).unwrap_or_default()
}

/// A document as a value, which front ends print or go on with.
pub(super) fn document(document: &impl Serialize) -> Value {
    // Only maps with keys that are no texts, and serialisers that refuse something, can fail.
    serde_json::to_value(document).unwrap_or(Value::Null)
}

/// What was analysed.
#[derive(Serialize)]
pub(super) struct Program<'a> {
    pub(super) path: &'a str,
    pub(super) function: Option<&'a str>,
}

#[derive(Serialize)]
struct AnalysisDocument<'a, D, L> {
    schema: &'static str,
    program: Program<'a>,
    arithmetic: &'static str,
    secrets: Vec<Cow<'a, str>>,
    prior: Moments,
    posterior: Moments,
    distributions: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    posterior_if_published: Option<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<Exact<'a>>,
    observations: Vec<Observation<'a>>,
    outputs: Vec<Output<'a>>,
    log_evidence_nats: Real,
    leakage: L,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint_leakage: Option<JointLeakage>,
    mechanisms: Vec<Mechanism<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mechanism_composition: Option<Composition>,
    queries: Vec<Query<'a>>,
    requirements: Vec<Requirement<'a>>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<Value>,
}

#[derive(Serialize)]
struct Moments {
    mean: Vec<Real>,
    variance: Vec<Real>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covariance: Option<Vec<Vec<Real>>>,
}

/// A Gaussian secret in the form that secrets of every kind have.
#[derive(Serialize)]
struct Distribution<'a> {
    secret: Cow<'a, str>,
    kind: &'static str,
    method: &'static str,
    prior: [WeightedNormal; 1],
    posterior: [WeightedNormal; 1],
}

/// The only part of a mixture.
#[derive(Serialize)]
struct WeightedNormal {
    weight: Real,
    mean: Real,
    variance: Real,
}

/// What will be known once all outputs are published, whatever their values: no means, but variances.
#[derive(Serialize)]
struct Spread {
    variance: Vec<Real>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covariance: Option<Vec<Vec<Real>>>,
}

/// Fractions as texts.
#[derive(Serialize)]
pub(super) struct Exact<'a> {
    prior_mean: &'a [String],
    prior_variance: &'a [String],
    mean: &'a [String],
    variance: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    covariance: Option<&'a [Vec<String>]>,
    variance_if_published: &'a [String],
}

#[derive(Serialize)]
struct Observation<'a> {
    name: &'a str,
    line: usize,
    value: Real,
    variance: Real,
    predicted_mean: Real,
    predicted_std: Real,
    z: Real,
    status: &'static str,
}

#[derive(Serialize)]
struct Output<'a> {
    name: &'a str,
    line: usize,
    mean: Real,
    variance: Real,
    std: Real,
    status: &'static str,
}

/// The measures have the names of their table.
#[derive(Serialize)]
struct Leakage {
    secret: String,
    method: &'static str,
    #[serde(flatten)]
    measures: Map<String, Value>,
    as_if_published: bool,
    #[serde(flatten)]
    details: Option<Details>,
}

#[derive(Serialize)]
struct Details {
    credible_interval: CredibleInterval,
    truth: Option<Real>,
    outputs: Vec<OutputLeak>,
}

/// An interval that holds the secret with a probability of `level`.
#[derive(Serialize)]
pub(super) struct CredibleInterval {
    pub(super) level: f64,
    pub(super) prior: Option<[Real; 2]>,
    pub(super) posterior: Option<[Real; 2]>,
}

#[derive(Serialize)]
struct OutputLeak {
    output: String,
    line: usize,
    mutual_information_alone_bits: Real,
    mutual_information_added_bits: Real,
}

#[derive(Serialize)]
struct JointLeakage {
    mutual_information_bits: Option<Real>,
    kl_posterior_prior_bits: Option<Real>,
    kl_prior_posterior_bits: Option<Real>,
}

#[derive(Serialize)]
pub(super) struct Mechanism<'a> {
    name: &'a str,
    line: usize,
    calibration: &'static str,
    sensitivity: Real,
    epsilon: Real,
    delta: Real,
    variance: Real,
    std: Real,
    rho_zcdp: Real,
    mu_gdp: Real,
    neighbours: &'static str,
}

#[derive(Serialize)]
struct Composition {
    mu_gdp: Real,
    rho_zcdp: Real,
    delta: Real,
    epsilon: Real,
}

#[derive(Serialize)]
pub(super) struct Query<'a> {
    query: &'a str,
    before: Real,
    after: Option<Real>,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before_bounds: Option<[Real; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after_bounds: Option<[Real; 2]>,
}

#[derive(Serialize)]
pub(super) struct Requirement<'a> {
    requirement: &'a str,
    value: Real,
    method: &'static str,
    limit: Real,
    secret: Option<&'a str>,
    holds: bool,
}

/// The whole document.
fn analysis_document(analysis: &Analysis, verification: Option<Value>) -> impl Serialize {
    let secrets = &analysis.secrets;
    let covariances = analysis.covariances.as_ref();
    let detailed = secrets.len() <= MAX_DETAILED_SECRETS;
    AnalysisDocument {
        schema: "privug.analysis/1",
        program: Program { path: &analysis.path, function: Some(&analysis.function) },
        arithmetic: analysis.arithmetic.name(),
        secrets: secrets.names().collect(),
        prior: Moments {
            mean: reals(secrets.known().map(|known| known.knowledge.prior_mean)),
            variance: reals(secrets.known().map(|known| known.knowledge.prior_variance)),
            covariance: covariances.map(|all| matrix(&all.prior)),
        },
        posterior: Moments {
            mean: reals(secrets.known().map(|known| known.posterior_mean)),
            variance: reals(secrets.known().map(|known| known.knowledge.posterior_variance)),
            covariance: covariances.map(|all| matrix(&all.posterior)),
        },
        distributions: Each(move || secrets.names().zip(secrets.known()).map(distribution)),
        posterior_if_published: analysis.is_open().then(|| Spread {
            variance: reals(secrets.known().map(|known| known.knowledge.variance_if_all_published)),
            covariance: covariances.and_then(|all| all.if_published.as_deref()).map(matrix),
        }),
        exact: analysis.exact.as_ref().map(exact_numbers),
        observations: observations(analysis),
        outputs: outputs(analysis),
        log_evidence_nats: Real(analysis.log_evidence_nats),
        leakage: Each(move || secrets.iter().map(move |secret| leakage(&secret, analysis.level, detailed))),
        joint_leakage: analysis.joint.as_ref().map(|joint| JointLeakage {
            mutual_information_bits: joint.mutual_information_bits.map(Real),
            kl_posterior_prior_bits: joint.kl_posterior_prior_bits.map(Real),
            kl_prior_posterior_bits: joint.kl_prior_posterior_bits.map(Real),
        }),
        mechanisms: mechanisms(analysis),
        mechanism_composition: analysis.composition().map(|composed| Composition {
            mu_gdp: Real(composed.mu_gdp),
            rho_zcdp: Real(composed.rho_zcdp),
            delta: Real(composed.delta),
            epsilon: Real(composed.epsilon),
        }),
        queries: queries(analysis),
        requirements: requirements(analysis),
        notes: sentences(&analysis.notes),
        verification,
    }
}

/// Means and variances have a closed form.
fn distribution<'a>((secret, known): (Cow<'a, str>, Known)) -> Distribution<'a> {
    let normal = |mean, variance| [WeightedNormal { weight: Real(1.0), mean: Real(mean), variance: Real(variance) }];
    Distribution {
        secret,
        kind: "normal",
        method: Method::Exact.name(),
        prior: normal(known.knowledge.prior_mean, known.knowledge.prior_variance),
        posterior: normal(known.posterior_mean, known.knowledge.posterior_variance),
    }
}

fn matrix(rows: &[Vec<f64>]) -> Vec<Vec<Real>> {
    rows.iter().map(|row| reals(row.iter().copied())).collect()
}

pub(super) fn exact_numbers(exact: &ExactNumbers) -> Exact<'_> {
    Exact {
        prior_mean: &exact.prior_mean,
        prior_variance: &exact.prior_variance,
        mean: &exact.mean,
        variance: &exact.variance,
        covariance: exact.covariance.as_deref(),
        variance_if_published: &exact.variance_if_published,
    }
}

fn observations(analysis: &Analysis) -> Vec<Observation<'_>> {
    let all = analysis.observations.iter().map(|observation| Observation {
        name: &observation.name,
        line: observation.line,
        value: Real(observation.value),
        variance: Real(observation.noise_variance),
        predicted_mean: Real(observation.predicted_mean),
        predicted_std: Real(observation.predicted_variance.sqrt()),
        z: Real(observation.z),
        status: observation.status.name(),
    });
    all.collect()
}

fn outputs(analysis: &Analysis) -> Vec<Output<'_>> {
    let all = analysis.outputs.iter().map(|output| Output {
        name: &output.name,
        line: output.line,
        mean: Real(output.mean),
        variance: Real(output.variance),
        std: Real(output.variance.sqrt()),
        status: output.status.name(),
    });
    all.collect()
}

/// With more secrets than this, only the main measures of each are written.
const MAX_DETAILED_SECRETS: usize = 1000;
/// The measures that are always written.
const MAIN_MEASURES: &[&str] =
    &["mutual_information_bits", "kl_posterior_prior_bits", "kl_prior_posterior_bits", "fully_disclosed"];

fn leakage(secret: &SecretResult, level: f64, detailed: bool) -> Leakage {
    let mut measures = Map::new();
    for measure in MEASURES.iter().filter(|measure| detailed || MAIN_MEASURES.contains(&measure.name)) {
        let value = match measure.read(&secret.measures) {
            Reading::Value(value) if measure.unit == Unit::YesNo => Value::Bool(value != 0.0),
            Reading::Value(value) => document(&Real(value)),
            Reading::NeedsValues { .. } | Reading::Unknown => Value::Null,
            Reading::NeedsTruth => continue,
        };
        measures.insert(measure.name.into(), value);
    }
    let details = detailed.then(|| {
        let interval = |normal: Option<Normal>| {
            normal.and_then(|normal| normal.credible_interval(level)).map(|(low, high)| [Real(low), Real(high)])
        };
        // Where the mean is not known yet, only the width of the interval is: `interval_width_posterior`.
        let posterior = secret.knowledge.posterior().filter(|_| !secret.knowledge.is_open());
        let outputs = secret.by_output.iter().map(|leak| OutputLeak {
            output: leak.output.to_string(),
            line: leak.line,
            mutual_information_alone_bits: Real(leak.alone_bits),
            mutual_information_added_bits: Real(leak.added_bits),
        });
        Details {
            credible_interval: CredibleInterval {
                level,
                prior: interval(secret.knowledge.prior()),
                posterior: interval(posterior),
            },
            truth: secret.truth.map(Real),
            outputs: outputs.collect(),
        }
    });
    Leakage {
        secret: secret.name.clone(),
        method: Method::Exact.name(),
        measures,
        as_if_published: secret.knowledge.is_open(),
        details,
    }
}

pub(super) fn queries(analysis: &Analysis) -> Vec<Query<'_>> {
    let all = analysis.answers.iter().map(|answer| Query {
        query: &answer.text,
        before: Real(answer.before),
        after: answer.after.map(Real),
        method: match answer.before_method {
            Method::Exact => answer.after_method.name(),
            Method::Certified { .. } => answer.before_method.name(),
        },
        before_bounds: bounds(answer.before_method),
        after_bounds: bounds(answer.after_method),
    });
    all.collect()
}

/// Of a certified number, its bounds.
fn bounds(method: Method) -> Option<[Real; 2]> {
    match method {
        Method::Exact => None,
        Method::Certified { low, high } => Some([Real(low), Real(high)]),
    }
}

pub(super) fn requirements(analysis: &Analysis) -> Vec<Requirement<'_>> {
    let all = analysis.requirements.iter().map(|requirement| Requirement {
        requirement: &requirement.text,
        value: Real(requirement.value),
        method: requirement.method.map_or("unknown", Method::name),
        limit: Real(requirement.limit),
        secret: requirement.secret.as_deref(),
        holds: requirement.holds,
    });
    all.collect()
}

pub(super) fn mechanisms(analysis: &Analysis) -> Vec<Mechanism<'_>> {
    let all = analysis.mechanisms.iter().map(|applied| {
        let calibration = &applied.calibration;
        Mechanism {
            name: &applied.name,
            line: analysis.sources.location(applied.span).line,
            calibration: calibration.method.name(),
            sensitivity: Real(calibration.sensitivity),
            epsilon: Real(calibration.epsilon),
            delta: Real(calibration.delta),
            variance: Real(calibration.variance),
            std: Real(calibration.std_dev),
            rho_zcdp: Real(calibration.rho_zcdp),
            mu_gdp: Real(calibration.mu_gdp),
            neighbours: NEIGHBOURS,
        }
    });
    all.collect()
}
