//! The document `privug.analysis/1` of a program with choices.

use crate::report::notes::sentences;
use serde_json::{Map, Value, json};

use crate::report::json::{json_number, known, mechanisms, queries, requirements};
use privug_analysis::analysis::{Analysis, Belief, ChoiceSecret, Choices, Part, PlainValue};
use privug_engine::elimination::Accuracy;
use privug_measures::channel::{CHANNEL_MEASURES, Method};
use privug_measures::leakage::Unit;

/// An ordinary value; numbers and booleans are those of JSON.
pub(super) fn value(value: &PlainValue) -> Value {
    match value {
        PlainValue::Bool(value) => json!(value),
        PlainValue::Integer(value) => json!(value),
        PlainValue::Range(low, high) => json!({"from": low, "to": high}),
        PlainValue::Number(value) => json_number(*value),
        PlainValue::Text(text) | PlainValue::Other(text) => json!(text),
        PlainValue::List(values) => values.iter().map(self::value).collect(),
    }
}

fn belief(belief: &Belief) -> Value {
    match belief {
        Belief::Discrete(values) => values
            .iter()
            .map(|chance| {
                let mut entry = Map::new();
                entry.insert("value".into(), value(&chance.value));
                entry.insert("probability".into(), json_number(chance.probability));
                if let Some(exact) = &chance.exact {
                    entry.insert("exact".into(), json!(exact));
                }
                Value::Object(entry)
            })
            .collect(),
        Belief::Mixture(parts) => parts.iter().map(part).collect(),
    }
}

/// A part of a mixture; `above` and `up_to` say where it is cut off, and mean and variance are those before.
fn part(part: &Part) -> Value {
    let mut entry = Map::new();
    entry.insert("weight".into(), json_number(part.weight));
    entry.insert("mean".into(), json_number(part.mean));
    entry.insert("variance".into(), json_number(part.variance));
    if !part.is_whole() {
        entry.insert("above".into(), json_number(part.low));
        entry.insert("up_to".into(), json_number(part.high));
    }
    Value::Object(entry)
}

fn distribution(secret: &ChoiceSecret) -> Value {
    let mut distribution = json!({
        "secret": secret.name,
        "kind": secret.kind(),
        "method": secret.method(),
        "prior": belief(&secret.prior),
        "posterior": belief(&secret.posterior),
    });
    if let Accuracy::Certified { relative_error, absolute_error } = secret.accuracy {
        distribution["error"] =
            json!({"relative": json_number(relative_error), "absolute": json_number(absolute_error)});
    }
    distribution
}

fn leakage(secret: &ChoiceSecret, level: f64) -> Value {
    let mut leak = Map::new();
    leak.insert("secret".into(), json!(secret.name));
    for measure in CHANNEL_MEASURES {
        let needs_more = (measure.name.starts_with("g_") || measure.name.starts_with("truth_"))
            && secret.measures.get(measure.name).is_none();
        if needs_more {
            continue;
        }
        let read = match secret.measures.get(measure.name) {
            Some((value, _)) if measure.unit == Unit::YesNo => json!(value != 0.0),
            Some((value, _)) => json_number(value),
            None => Value::Null,
        };
        leak.insert(measure.name.into(), read);
    }
    // Means and deviations, where the secret is a number.
    for (name, value, _) in secret.measures.iter() {
        if !leak.contains_key(name) {
            leak.insert(name.into(), json_number(value));
        }
    }
    let methods = secret.measures.iter().filter_map(|(name, _, method)| match method {
        Method::Exact => None,
        Method::Certified { low, high } => Some((
            name.to_owned(),
            json!({"method": method.name(), "low": json_number(low), "high": json_number(high)}),
        )),
    });
    leak.insert("methods".into(), Value::Object(methods.collect()));
    leak.insert("as_if_published".into(), json!(secret.is_open));
    let output = |values: Option<&[PlainValue]>| -> Value {
        values.map_or(Value::Null, |values| values.iter().map(value).collect())
    };
    leak.insert("max_posterior_output".into(), output(secret.surest_output()));
    leak.insert("max_kl_output".into(), output(secret.most_moving_output()));
    let interval = |belief: &Belief| {
        belief.interval(level).map_or(Value::Null, |(low, high)| json!([json_number(low), json_number(high)]))
    };
    let after = if secret.is_open { Value::Null } else { interval(&secret.posterior) };
    leak.insert(
        "credible_interval".into(),
        json!({"level": level, "prior": interval(&secret.prior), "posterior": after}),
    );
    leak.insert("truth".into(), secret.truth.as_ref().map_or(Value::Null, value));
    let outputs = secret.by_output.iter().map(|output| {
        json!({
            "output": output.name,
            "mutual_information_alone_bits": json_number(output.alone_bits),
            "mutual_information_added_bits": json_number(output.added_bits),
        })
    });
    leak.insert("outputs".into(), outputs.collect());
    Value::Object(leak)
}

/// Means and variances, null where a secret is not a number; of one secret, also as a covariance.
fn moments(choices: &Choices, belief: impl Fn(&ChoiceSecret) -> &Belief) -> Value {
    let column = |of: &dyn Fn(&Belief) -> Option<f64>| -> Value {
        choices.secrets.iter().map(|secret| known(of(belief(secret)))).collect()
    };
    let mut moments = Map::new();
    moments.insert("mean".into(), column(&Belief::mean));
    moments.insert("variance".into(), column(&Belief::variance));
    if let [only] = choices.secrets.as_slice()
        && let Some(variance) = belief(only).variance()
    {
        moments.insert("covariance".into(), json!([[json_number(variance)]]));
    }
    Value::Object(moments)
}

/// The whole document.
pub(in crate::report) fn to_json(analysis: &Analysis, choices: &Choices) -> Value {
    let mut document = Map::new();
    document.insert("schema".into(), json!("privug.analysis/1"));
    document.insert("program".into(), json!({"path": analysis.path, "function": analysis.function}));
    document.insert("arithmetic".into(), json!(analysis.arithmetic.name()));
    document.insert("secrets".into(), choices.secrets.iter().map(|secret| json!(secret.name)).collect());
    document.insert("prior".into(), moments(choices, |secret| &secret.prior));
    document.insert("posterior".into(), moments(choices, |secret| &secret.posterior));
    document.insert("distributions".into(), choices.secrets.iter().map(distribution).collect());
    let seen = choices.seen.iter().filter(|seen| seen.value.is_some()).map(|seen| {
        json!({
            "name": seen.name,
            "line": seen.line,
            "value": known(seen.value),
            "variance": json_number(seen.noise_variance),
            "status": "used",
        })
    });
    document.insert("observations".into(), seen.collect());
    let gaussian = choices.seen.iter().filter(|seen| seen.value.is_none());
    let gaussian = gaussian.map(|seen| (&seen.name, seen.line, false));
    let outputs = choices.outputs.iter().map(|output| (&output.name, output.line, output.observed)).chain(gaussian);
    let outputs = outputs.map(|(name, line, observed)| {
        json!({"name": name, "line": line, "status": if observed { "observed" } else { "published" }})
    });
    document.insert("outputs".into(), outputs.collect());
    document.insert("log_evidence_nats".into(), json_number(analysis.log_evidence_nats));
    document.insert("leakage".into(), choices.secrets.iter().map(|secret| leakage(secret, analysis.level)).collect());
    document.insert("mechanisms".into(), mechanisms(analysis));
    document.insert("queries".into(), queries(analysis));
    document.insert("requirements".into(), requirements(analysis));
    document.insert("notes".into(), json!(sentences(&analysis.notes)));
    Value::Object(document)
}
