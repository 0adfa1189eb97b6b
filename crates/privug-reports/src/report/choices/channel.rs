//! The channel P(output | secret) of each secret, as a table, as comma-separated values and as JSON.

use serde::Serialize;
use serde_json::Value;

use super::json::value;
use super::text::{output_names, output_text};
use crate::report::json::{Program, Real, document, reals};
use crate::report::text::{Palette, grid, heading, line};
use privug_analysis::analysis::{Analysis, Channel, ChoiceSecret};
use privug_language::words::number;

/// Outputs and secrets that are shown on a terminal.
const SHOWN_OUTPUTS: usize = 12;
const SHOWN_SECRETS: usize = 40;

fn channels(analysis: &Analysis) -> impl Iterator<Item = (&ChoiceSecret, &Channel)> {
    let secrets = analysis.choices.iter().flat_map(|choices| &choices.secrets);
    secrets.filter_map(|secret| secret.channel.as_deref().map(|channel| (secret, channel)))
}

#[derive(Serialize)]
struct ChannelDocument<'a> {
    schema: &'static str,
    program: Program<'a>,
    arithmetic: &'static str,
    channels: Vec<Matrix<'a>>,
}

/// P(output | secret): a row for each value of the secret.
#[derive(Serialize)]
struct Matrix<'a> {
    secret: &'a str,
    secrets: Vec<Value>,
    prior: Vec<Real>,
    output_names: &'a [String],
    outputs: Vec<Vec<Value>>,
    matrix: Vec<Vec<Real>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<Vec<&'a [String]>>,
}

/// The JSON document `privug.channel/1`.
pub fn channel_to_json(analysis: &Analysis) -> Value {
    let matrices = channels(analysis).map(|(secret, channel)| {
        let rows = channel.rows();
        let exact = channel.exact.as_ref();
        Matrix {
            secret: &secret.name,
            secrets: rows.iter().map(|(place, _)| value(&channel.secrets[*place])).collect(),
            prior: rows.iter().map(|(place, _)| Real(channel.prior[*place])).collect(),
            output_names: &channel.names,
            outputs: channel.outputs.iter().map(|output| output.iter().map(value).collect()).collect(),
            matrix: rows.iter().map(|(_, row)| reals(row.iter().copied())).collect(),
            exact: exact.map(|exact| rows.iter().map(|(place, _)| exact[*place].as_slice()).collect()),
        }
    });
    document(&ChannelDocument {
        schema: "privug.channel/1",
        program: Program { path: &analysis.path, function: Some(&analysis.function) },
        arithmetic: analysis.arithmetic.name(),
        channels: matrices.collect(),
    })
}

/// A table for people: one row for each value of the secret.
pub fn channel_to_text(analysis: &Analysis, palette: Palette) -> String {
    let mut text = String::new();
    for (secret, channel) in channels(analysis) {
        let names = output_names(&channel.names);
        heading(&mut text, &format!("P({names} | {})", secret.name), palette.heading, palette);
        let mut first = vec![secret.name.clone()];
        first.extend(channel.outputs.iter().take(SHOWN_OUTPUTS).map(|output| output_text(output)));
        let mut cells = vec![first];
        let rows = channel.rows();
        for (place, row) in rows.iter().take(SHOWN_SECRETS) {
            let mut line = vec![channel.secrets[*place].to_string()];
            let exact = channel.exact.as_ref().map(|exact| &exact[*place]);
            line.extend(row.iter().enumerate().take(SHOWN_OUTPUTS).map(|(output, p)| match exact {
                Some(exact) if exact[output].len() <= 24 => exact[output].clone(),
                _ => number(*p),
            }));
            cells.push(line);
        }
        grid(&mut text, &cells);
        for (all, shown, what) in
            [(channel.outputs.len(), SHOWN_OUTPUTS, "outputs"), (rows.len(), SHOWN_SECRETS, "values of the secret")]
        {
            if all > shown {
                line(
                    &mut text,
                    format_args!("  … and {} more {what} (`--json` and `--csv` have them all)", all - shown),
                );
            }
        }
    }
    text
}

/// Comma-separated values, one line for each pair: the secret's name and value, the output, its probability.
pub fn channel_to_csv(analysis: &Analysis) -> String {
    let quoted = |text: &str| {
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let mut csv = "secret,value,output,probability\n".to_owned();
    for (secret, channel) in channels(analysis) {
        for (place, row) in channel.rows() {
            for (output, probability) in channel.outputs.iter().zip(row) {
                let (value, output) = (channel.secrets[place].to_string(), output_text(output));
                let cells = [quoted(&secret.name), quoted(&value), quoted(&output), format!("{probability:?}")];
                csv.push_str(&cells.join(","));
                csv.push('\n');
            }
        }
    }
    csv
}
