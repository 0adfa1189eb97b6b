//! An analysis as the JSON document `privug.analysis/1`.

use super::notes::sentences;
use serde_json::{Map, Value, json};

use privug_analysis::analysis::{Analysis, Composition, ExactNumbers, JointMeasures, SecretResult};
use privug_engine::mechanism::NEIGHBOURS;
use privug_measures::leakage::{MEASURES, Normal, Reading, Unit};

/// A JSON number that reads back to the same double; what JSON has no number for is a text.
pub(crate) fn json_number(value: f64) -> Value {
    if value.is_finite() {
        json!(value)
    } else if value.is_nan() {
        json!("nan")
    } else if value > 0.0 {
        json!("inf")
    } else {
        json!("-inf")
    }
}

fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    Value::Array(values.into_iter().map(json_number).collect())
}

fn matrix(rows: &[Vec<f64>]) -> Value {
    Value::Array(rows.iter().map(|row| numbers(row.iter().copied())).collect())
}

/// The whole document.
pub fn to_json(analysis: &Analysis) -> Value {
    if let Some(choices) = &analysis.choices {
        return super::choices::to_json(analysis, choices);
    }
    let secrets = &analysis.secrets;
    let mut prior = Map::new();
    prior.insert("mean".into(), numbers(secrets.known().map(|known| known.knowledge.prior_mean)));
    prior.insert("variance".into(), numbers(secrets.known().map(|known| known.knowledge.prior_variance)));
    let mut posterior = Map::new();
    posterior.insert("mean".into(), numbers(secrets.known().map(|known| known.posterior_mean)));
    posterior.insert("variance".into(), numbers(secrets.known().map(|known| known.knowledge.posterior_variance)));
    if let Some(covariances) = &analysis.covariances {
        prior.insert("covariance".into(), matrix(&covariances.prior));
        posterior.insert("covariance".into(), matrix(&covariances.posterior));
    }
    let mut document = Map::new();
    document.insert("schema".into(), json!("privug.analysis/1"));
    document.insert("program".into(), json!({"path": analysis.path, "function": analysis.function}));
    document.insert("arithmetic".into(), json!(analysis.arithmetic.name()));
    document.insert("secrets".into(), secrets.names().map(|name| json!(name)).collect());
    document.insert("prior".into(), Value::Object(prior));
    document.insert("posterior".into(), Value::Object(posterior));
    if analysis.is_open() {
        document.insert("posterior_if_published".into(), if_published(analysis));
    }
    if let Some(exact) = &analysis.exact {
        document.insert("exact".into(), exact_numbers(exact));
    }
    document.insert("observations".into(), observations(analysis));
    document.insert("outputs".into(), outputs(analysis));
    document.insert("log_evidence_nats".into(), json_number(analysis.log_evidence_nats));
    let detailed = secrets.len() <= MAX_DETAILED_SECRETS;
    let leaks = secrets.iter().map(|secret| leakage(&secret, analysis.level, detailed));
    document.insert("leakage".into(), leaks.collect());
    if let Some(measures) = &analysis.joint {
        document.insert("joint_leakage".into(), joint(measures));
    }
    document.insert("mechanisms".into(), mechanisms(analysis));
    if let Some(composed) = analysis.composition() {
        document.insert("mechanism_composition".into(), composition(&composed));
    }
    document.insert("queries".into(), queries(analysis));
    document.insert("requirements".into(), requirements(analysis));
    document.insert("notes".into(), json!(sentences(&analysis.notes)));
    Value::Object(document)
}

/// What will be known once all outputs are published, whatever their values: no means, but variances.
fn if_published(analysis: &Analysis) -> Value {
    let variances = analysis.secrets.known().map(|known| known.knowledge.variance_if_all_published);
    let mut published = Map::new();
    published.insert("variance".into(), numbers(variances));
    if let Some(covariance) = analysis.covariances.as_ref().and_then(|all| all.if_published.as_ref()) {
        published.insert("covariance".into(), matrix(covariance));
    }
    Value::Object(published)
}

pub(super) fn exact_numbers(exact: &ExactNumbers) -> Value {
    let mut numbers = Map::new();
    numbers.insert("prior_mean".into(), json!(exact.prior_mean));
    numbers.insert("prior_variance".into(), json!(exact.prior_variance));
    numbers.insert("mean".into(), json!(exact.mean));
    numbers.insert("variance".into(), json!(exact.variance));
    if let Some(covariance) = &exact.covariance {
        numbers.insert("covariance".into(), json!(covariance));
    }
    numbers.insert("variance_if_published".into(), json!(exact.variance_if_published));
    Value::Object(numbers)
}

/// A number, or null if it depends on values that were not seen.
pub(super) fn known(value: Option<f64>) -> Value {
    value.map_or(Value::Null, json_number)
}

fn observations(analysis: &Analysis) -> Value {
    let all = analysis.observations.iter().map(|observation| {
        json!({
            "name": observation.name,
            "line": observation.line,
            "value": json_number(observation.value),
            "variance": json_number(observation.noise_variance),
            "predicted_mean": json_number(observation.predicted_mean),
            "predicted_std": json_number(observation.predicted_variance.sqrt()),
            "z": json_number(observation.z),
            "status": observation.status.name(),
        })
    });
    all.collect()
}

fn outputs(analysis: &Analysis) -> Value {
    let all = analysis.outputs.iter().map(|output| {
        json!({
            "name": output.name,
            "line": output.line,
            "mean": json_number(output.mean),
            "variance": json_number(output.variance),
            "std": json_number(output.variance.sqrt()),
            "status": output.status.name(),
        })
    });
    all.collect()
}

/// With more secrets than this, only the main measures of each are written.
const MAX_DETAILED_SECRETS: usize = 1000;
/// The measures that are always written.
const MAIN_MEASURES: &[&str] =
    &["mutual_information_bits", "kl_posterior_prior_bits", "kl_prior_posterior_bits", "fully_disclosed"];

fn leakage(secret: &SecretResult, level: f64, detailed: bool) -> Value {
    let mut leak = Map::new();
    leak.insert("secret".into(), json!(secret.name));
    for measure in MEASURES.iter().filter(|measure| detailed || MAIN_MEASURES.contains(&measure.name)) {
        let value = match measure.read(&secret.measures) {
            Reading::Value(value) if measure.unit == Unit::YesNo => json!(value != 0.0),
            Reading::Value(value) => json_number(value),
            Reading::NeedsValues { .. } | Reading::Unknown => Value::Null,
            Reading::NeedsTruth => continue,
        };
        leak.insert(measure.name.into(), value);
    }
    leak.insert("as_if_published".into(), json!(secret.knowledge.is_open()));
    if detailed {
        let interval = |normal: Option<Normal>| {
            let bounds = normal.and_then(|normal| normal.credible_interval(level));
            bounds.map_or(Value::Null, |(low, high)| numbers([low, high]))
        };
        let (prior, posterior) = (secret.knowledge.prior(), secret.knowledge.posterior());
        // Where the mean is not known yet, only the width of the interval is: `interval_width_posterior`.
        let posterior = posterior.filter(|_| !secret.knowledge.is_open());
        leak.insert(
            "credible_interval".into(),
            json!({"level": level, "prior": interval(prior), "posterior": interval(posterior)}),
        );
        leak.insert("truth".into(), secret.truth.map_or(Value::Null, json_number));
        let outputs = secret.by_output.iter().map(|leak| {
            json!({
                "output": &*leak.output,
                "line": leak.line,
                "mutual_information_alone_bits": json_number(leak.alone_bits),
                "mutual_information_added_bits": json_number(leak.added_bits),
            })
        });
        leak.insert("outputs".into(), outputs.collect());
    }
    Value::Object(leak)
}

fn joint(joint: &JointMeasures) -> Value {
    json!({
        "mutual_information_bits": known(joint.mutual_information_bits),
        "kl_posterior_prior_bits": known(joint.kl_posterior_prior_bits),
        "kl_prior_posterior_bits": known(joint.kl_prior_posterior_bits),
    })
}

pub(super) fn queries(analysis: &Analysis) -> Value {
    let all = analysis.answers.iter().map(
        |answer| json!({"query": answer.text, "before": json_number(answer.before), "after": known(answer.after)}),
    );
    all.collect()
}

pub(super) fn requirements(analysis: &Analysis) -> Value {
    let all = analysis.requirements.iter().map(|requirement| {
        json!({
            "requirement": requirement.text,
            "value": json_number(requirement.value),
            "limit": json_number(requirement.limit),
            "secret": requirement.secret,
            "holds": requirement.holds,
        })
    });
    all.collect()
}

pub(super) fn mechanisms(analysis: &Analysis) -> Value {
    let all = analysis.mechanisms.iter().map(|applied| {
        let calibration = &applied.calibration;
        json!({
            "name": applied.name,
            "line": analysis.sources.location(applied.span).line,
            "calibration": calibration.method.name(),
            "sensitivity": json_number(calibration.sensitivity),
            "epsilon": json_number(calibration.epsilon),
            "delta": json_number(calibration.delta),
            "variance": json_number(calibration.variance),
            "std": json_number(calibration.std_dev),
            "rho_zcdp": json_number(calibration.rho_zcdp),
            "mu_gdp": json_number(calibration.mu_gdp),
            "neighbours": NEIGHBOURS,
        })
    });
    all.collect()
}

fn composition(composed: &Composition) -> Value {
    json!({
        "mu_gdp": json_number(composed.mu_gdp),
        "rho_zcdp": json_number(composed.rho_zcdp),
        "delta": json_number(composed.delta),
        "epsilon": json_number(composed.epsilon),
    })
}
