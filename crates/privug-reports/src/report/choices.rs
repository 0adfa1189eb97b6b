//! An analysis of a program with discrete choices, as text and as JSON.

use serde_json::{Map, Value, json};

use super::json::{json_number, known, mechanisms, queries, requirements};
use super::text::{Palette, heading, line, table};
use privug_analysis::analysis::{Analysis, Arithmetic, Belief, Channel, ChoiceSecret, Choices, PlainValue};
use privug_language::words::number;
use privug_measures::channel::{CHANNEL_MEASURES, Method};

/// More values, secrets or outputs than these are left to the JSON.
const SHOWN: usize = 20;

fn value(value: &PlainValue) -> Value {
    match value {
        PlainValue::Bool(value) => json!(value),
        PlainValue::Integer(value) => json!(value),
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
        Belief::Mixture(parts) => parts
            .iter()
            .map(|part| {
                let mut entry = Map::new();
                entry.insert("weight".into(), json_number(part.weight));
                entry.insert("mean".into(), json_number(part.mean));
                entry.insert("variance".into(), json_number(part.variance));
                if !part.is_whole() {
                    entry.insert("above".into(), json_number(part.low));
                    entry.insert("up_to".into(), json_number(part.high));
                }
                Value::Object(entry)
            })
            .collect(),
    }
}

fn distribution(secret: &ChoiceSecret) -> Value {
    let kind = match (secret.prior.kind(), secret.posterior.kind()) {
        ("normal", after) => after,
        (before, _) => before,
    };
    json!({
        "secret": secret.name,
        "kind": kind,
        "method": "exact",
        "prior": belief(&secret.prior),
        "posterior": belief(&secret.posterior),
    })
}

fn leakage(secret: &ChoiceSecret) -> Value {
    let mut leak = Map::new();
    leak.insert("secret".into(), json!(secret.name));
    let mut methods = Map::new();
    for measure in CHANNEL_MEASURES {
        let read = match secret.measures.get(measure.name) {
            Some((value, _)) if measure.name == "fully_disclosed" => json!(value != 0.0),
            Some((value, method)) => {
                if let Method::Certified { low, high } = method {
                    methods.insert(
                        measure.name.into(),
                        json!({"method": method.name(), "low": json_number(low), "high": json_number(high)}),
                    );
                }
                json_number(value)
            }
            None => Value::Null,
        };
        leak.insert(measure.name.into(), read);
    }
    leak.insert("methods".into(), Value::Object(methods));
    leak.insert("as_if_published".into(), json!(secret.is_open));
    if let Some(channel) = &secret.channel {
        let most =
            secret.measures.most_telling.map(|place| channel.outputs[place].iter().map(value).collect::<Value>());
        leak.insert("most_telling_output".into(), most.unwrap_or(Value::Null));
    }
    let outputs = secret.by_output.iter().map(|(name, alone, added)| {
        json!({
            "output": name,
            "mutual_information_alone_bits": json_number(*alone),
            "mutual_information_added_bits": json_number(*added),
        })
    });
    leak.insert("outputs".into(), outputs.collect());
    Value::Object(leak)
}

/// The document `privug.analysis/1`.
pub(super) fn to_json(analysis: &Analysis, choices: &Choices) -> Value {
    let column = |of: &dyn Fn(&ChoiceSecret) -> Option<f64>| -> Value {
        choices.secrets.iter().map(|secret| known(of(secret))).collect()
    };
    let mut document = Map::new();
    document.insert("schema".into(), json!("privug.analysis/1"));
    document.insert("program".into(), json!({"path": analysis.path, "function": analysis.function}));
    document.insert("arithmetic".into(), json!(analysis.arithmetic.name()));
    document.insert("secrets".into(), choices.secrets.iter().map(|secret| json!(secret.name)).collect());
    document.insert(
        "prior".into(),
        json!({"mean": column(&|secret| secret.prior.mean()), "variance": column(&|secret| secret.prior.variance())}),
    );
    document.insert(
        "posterior".into(),
        json!({
            "mean": column(&|secret| secret.posterior.mean()),
            "variance": column(&|secret| secret.posterior.variance()),
        }),
    );
    document.insert("distributions".into(), choices.secrets.iter().map(distribution).collect());
    document.insert("observations".into(), json!([]));
    let outputs = choices.outputs.iter().map(|(name, line, observed)| {
        json!({"name": name, "line": line, "status": if *observed { "observed" } else { "published" }})
    });
    document.insert("outputs".into(), outputs.collect());
    document.insert("log_evidence_nats".into(), json_number(analysis.log_evidence_nats));
    document.insert("leakage".into(), choices.secrets.iter().map(leakage).collect());
    document.insert("mechanisms".into(), mechanisms(analysis));
    document.insert("queries".into(), queries(analysis));
    document.insert("requirements".into(), requirements(analysis));
    document.insert("notes".into(), json!(analysis.notes));
    Value::Object(document)
}

/// The channel matrix of each secret, as JSON.
pub fn channel_to_json(analysis: &Analysis) -> Value {
    let secrets = analysis.choices.iter().flat_map(|choices| &choices.secrets);
    let channels = secrets.filter_map(|secret| secret.channel.as_ref().map(|channel| (secret, channel)));
    let matrices = channels.map(|(secret, channel)| {
        let rows = channel.rows();
        json!({
            "secret": secret.name,
            "secrets": channel.secrets.iter().map(value).collect::<Value>(),
            "prior": channel.prior().into_iter().map(json_number).collect::<Value>(),
            "output_names": channel.names,
            "outputs": channel.outputs.iter().map(|output| output.iter().map(value).collect::<Value>()).collect::<Value>(),
            "matrix": rows.iter().map(|row| row.iter().map(|p| json_number(*p)).collect::<Value>()).collect::<Value>(),
        })
    });
    json!({"schema": "privug.channel/1", "channels": matrices.collect::<Value>()})
}

/// The channel matrix of each secret, as text: one row for each value of the secret.
pub fn channel_to_text(analysis: &Analysis, palette: Palette) -> String {
    let mut text = String::new();
    for secret in analysis.choices.iter().flat_map(|choices| &choices.secrets) {
        let Some(channel) = &secret.channel else { continue };
        heading(&mut text, &format!("P(output | {})", secret.name), palette.heading, palette);
        let mut rows = Vec::new();
        let mut first = vec![String::new()];
        first.extend(channel.outputs.iter().map(|output| output_text(output)));
        rows.push(first);
        for (value, row) in channel.secrets.iter().zip(channel.rows()) {
            let mut cells = vec![value.to_string()];
            cells.extend(row.iter().map(|p| number(*p)));
            rows.push(cells);
        }
        wide_table(&mut text, &rows);
    }
    text
}

fn output_text(output: &[PlainValue]) -> String {
    output.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn wide_table(text: &mut String, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(column, (cell, width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        line(text, format_args!("  {}", cells.join("  ").trim_end()));
    }
}

/// The report for a terminal, up to the questions.
pub(super) fn to_text(text: &mut String, analysis: &Analysis, choices: &Choices, palette: Palette) {
    heading(text, "What was assumed", palette.heading, palette);
    let arithmetic = match analysis.arithmetic {
        Arithmetic::Float => "",
        Arithmetic::Exact => ", in exact rational arithmetic",
    };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (count, path, function) = (choices.choice_count, &analysis.path, &analysis.function);
    line(text, format_args!("  program    {function} in {path}, {count} random choice{}{arithmetic}", plural(count)));
    for (name, at, observed) in choices.outputs.iter().take(SHOWN) {
        let how = if *observed { "observed" } else { "published" };
        line(text, format_args!("  {how:<9}  {name} (line {at})"));
    }
    for secret in choices.secrets.iter().take(SHOWN) {
        heading(text, &format!("What is known about {}", secret.name), palette.heading, palette);
        known_about(text, secret, analysis.level);
    }
    if choices.secrets.len() > SHOWN {
        line(text, format_args!("  … and {} more secrets (`--json` has them all)", choices.secrets.len() - SHOWN));
    }
    let open = choices.secrets.iter().any(|secret| secret.is_open);
    let title = if open { "How much will leak, as if published" } else { "How much leaked" };
    heading(text, title, palette.heading, palette);
    for secret in choices.secrets.iter().take(SHOWN) {
        measured(text, secret, choices.secrets.len() > 1);
    }
}

fn known_about(text: &mut String, secret: &ChoiceSecret, level: f64) {
    match (&secret.prior, &secret.posterior) {
        (Belief::Discrete(before), Belief::Discrete(after)) => {
            let header = if secret.is_open { ["", "before", ""] } else { ["", "before", "after"] };
            let mut rows = vec![header.map(str::to_owned)];
            for chance in before.iter().take(SHOWN) {
                let same = after.iter().find(|other| other.value == chance.value);
                let shown = |p: Option<f64>, exact: Option<&String>| match (p, exact) {
                    (Some(_), Some(exact)) if exact.len() <= 24 => exact.clone(),
                    (Some(p), _) => number(p),
                    (None, _) => "0".to_owned(),
                };
                let then = if secret.is_open {
                    String::new()
                } else {
                    shown(same.map(|other| other.probability), same.and_then(|other| other.exact.as_ref()))
                };
                rows.push([chance.value.to_string(), shown(Some(chance.probability), chance.exact.as_ref()), then]);
            }
            table(text, &rows);
            if before.len() > SHOWN {
                line(text, format_args!("  … and {} more values (`--json` has them all)", before.len() - SHOWN));
            }
        }
        (before, after) => {
            let both = [("before", before), ("after", after)];
            for (when, belief) in both.iter().take(if secret.is_open { 1 } else { 2 }) {
                if let Belief::Mixture(parts) = belief {
                    for part in parts.iter().take(SHOWN) {
                        let (mean, std) = (number(part.mean), number(part.variance.sqrt()));
                        let cut = match (part.low.is_finite(), part.high.is_finite()) {
                            (false, false) => String::new(),
                            (true, false) => format!(", above {}", number(part.low)),
                            (false, true) => format!(", up to {}", number(part.high)),
                            (true, true) => format!(", between {} and {}", number(part.low), number(part.high)),
                        };
                        let weight = number(part.weight);
                        line(text, format_args!("  {when:<7} {weight} × Normal(mean {mean}, std {std}){cut}"));
                    }
                }
                if let (Some(mean), Some(variance)) = (belief.mean(), belief.variance()) {
                    let interval = belief.interval(level).map_or(String::new(), |(low, high)| {
                        format!(", {}% interval {} to {}", number(level * 100.0), number(low), number(high))
                    });
                    let (mean, std) = (number(mean), number(variance.sqrt()));
                    line(text, format_args!("  {when:<7} mean {mean}, standard deviation {std}{interval}"));
                }
            }
        }
    }
}

fn measured(text: &mut String, secret: &ChoiceSecret, several: bool) {
    if several {
        line(text, format_args!("  {}", secret.name));
    }
    for measure in CHANNEL_MEASURES {
        if let Some((value, method)) = secret.measures.get(measure.name) {
            let shown = match (measure.name, method) {
                ("fully_disclosed", _) => {
                    if value != 0.0 {
                        "yes".to_owned()
                    } else {
                        "no".to_owned()
                    }
                }
                (_, Method::Certified { low, high }) if number(low) != number(high) => {
                    format!("{} to {}", number(low), number(high))
                }
                _ => number(value),
            };
            line(text, format_args!("  {:<30} {shown}", measure.name));
        }
    }
    if let (Some(channel), Some(place)) = (&secret.channel, secret.measures.most_telling) {
        line(text, format_args!("  {:<30} {}", "most telling output", output_text(&channel.outputs[place])));
    }
    if secret.by_output.len() > 1 {
        for (name, alone, added) in secret.by_output.iter().take(SHOWN) {
            let (alone, added) = (number(*alone), number(*added));
            line(text, format_args!("  {name}: {alone} bits alone, {added} bits beyond the earlier ones"));
        }
    }
}

/// The rows of a channel: the probabilities of outputs given each secret.
trait Rows {
    fn prior(&self) -> Vec<f64>;
    fn rows(&self) -> Vec<Vec<f64>>;
}

impl Rows for Channel {
    fn prior(&self) -> Vec<f64> {
        (0..self.secrets.len()).map(|secret| self.joint.iter().map(|row| row[secret]).sum()).collect()
    }

    fn rows(&self) -> Vec<Vec<f64>> {
        let prior = self.prior();
        (0..self.secrets.len())
            .map(|secret| self.joint.iter().map(|row| row[secret] / prior[secret]).collect())
            .collect()
    }
}
