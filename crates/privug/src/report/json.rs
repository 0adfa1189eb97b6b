//! An analysis as the JSON document `privug.analysis/1`.

use serde_json::{Map, Value, json};

use crate::analysis::{Analysis, ExactNumbers, SecretResult};

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
    let secrets = &analysis.secrets;
    let mut prior = Map::new();
    prior.insert("mean".into(), numbers(secrets.iter().map(|secret| secret.knowledge.prior_mean)));
    prior.insert("variance".into(), numbers(secrets.iter().map(|secret| secret.knowledge.prior_variance)));
    let mut posterior = Map::new();
    posterior.insert("mean".into(), numbers(secrets.iter().map(|secret| secret.posterior_mean)));
    posterior.insert("variance".into(), numbers(secrets.iter().map(|secret| secret.knowledge.posterior_variance)));
    if let Some(covariances) = &analysis.covariances {
        prior.insert("covariance".into(), matrix(&covariances.prior));
        posterior.insert("covariance".into(), matrix(&covariances.posterior));
    }
    let mut document = Map::new();
    document.insert("schema".into(), json!("privug.analysis/1"));
    document.insert("program".into(), json!({"path": analysis.path, "function": analysis.function}));
    document.insert("arithmetic".into(), json!(analysis.arithmetic.name()));
    document.insert("secrets".into(), secrets.iter().map(|secret| json!(secret.name)).collect());
    document.insert("prior".into(), Value::Object(prior));
    document.insert("posterior".into(), Value::Object(posterior));
    if let Some(exact) = &analysis.exact {
        document.insert("exact".into(), exact_numbers(exact));
    }
    document.insert("observations".into(), observations(analysis));
    document.insert("outputs".into(), outputs(analysis));
    document.insert("log_evidence_nats".into(), json_number(analysis.log_evidence_nats));
    document.insert("leakage".into(), secrets.iter().map(leakage).collect());
    document.insert("mechanisms".into(), mechanisms(analysis));
    document.insert("queries".into(), json!([]));
    document.insert("requirements".into(), json!([]));
    document.insert("notes".into(), json!(analysis.notes));
    Value::Object(document)
}

fn exact_numbers(exact: &ExactNumbers) -> Value {
    let mut numbers = Map::new();
    numbers.insert("prior_mean".into(), json!(exact.prior_mean));
    numbers.insert("prior_variance".into(), json!(exact.prior_variance));
    numbers.insert("mean".into(), json!(exact.mean));
    numbers.insert("variance".into(), json!(exact.variance));
    if let Some(covariance) = &exact.covariance {
        numbers.insert("covariance".into(), json!(covariance));
    }
    Value::Object(numbers)
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

fn leakage(secret: &SecretResult) -> Value {
    let knowledge = &secret.knowledge;
    json!({
        "secret": secret.name,
        "mutual_information_bits": json_number(knowledge.mutual_information_bits()),
        "kl_posterior_prior_bits": json_number(knowledge.kl_posterior_prior_bits()),
        "kl_prior_posterior_bits": json_number(knowledge.kl_prior_posterior_bits()),
        "fully_disclosed": knowledge.fully_disclosed(),
    })
}

fn mechanisms(analysis: &Analysis) -> Value {
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
        })
    });
    all.collect()
}
