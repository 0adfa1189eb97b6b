//! The channel P(output | secret) of each secret, as a table, as comma-separated values and as JSON.

use serde_json::{Value, json};

use super::json::value;
use super::text::{output_names, output_text};
use crate::report::json::json_number;
use crate::report::text::{Palette, grid, heading, line};
use privug_analysis::analysis::{Analysis, Channel, ChoiceSecret};
use privug_language::words::number;

/// Outputs and secrets that are shown on a terminal.
const SHOWN_OUTPUTS: usize = 12;
const SHOWN_SECRETS: usize = 40;

fn channels(analysis: &Analysis) -> impl Iterator<Item = (&ChoiceSecret, &Channel)> {
    let secrets = analysis.choices.iter().flat_map(|choices| &choices.secrets);
    secrets.filter_map(|secret| secret.channel.as_ref().map(|channel| (secret, channel)))
}

/// The JSON document `privug.channel/1`.
pub fn channel_to_json(analysis: &Analysis) -> Value {
    let matrices = channels(analysis).map(|(secret, channel)| {
        let rows = channel.rows();
        let mut document = json!({
            "secret": secret.name,
            "secrets": rows.iter().map(|(place, _)| value(&channel.secrets[*place])).collect::<Value>(),
            "prior": rows.iter().map(|(place, _)| json_number(channel.prior[*place])).collect::<Value>(),
            "output_names": channel.names,
            "outputs": channel.outputs.iter().map(|output| output.iter().map(value).collect::<Value>()).collect::<Value>(),
            "matrix": rows
                .iter()
                .map(|(_, row)| row.iter().map(|p| json_number(*p)).collect::<Value>())
                .collect::<Value>(),
        });
        if let Some(exact) = &channel.exact {
            document["exact"] = rows.iter().map(|(place, _)| json!(exact[*place])).collect();
        }
        document
    });
    json!({
        "schema": "privug.channel/1",
        "program": {"path": analysis.path, "function": analysis.function},
        "arithmetic": analysis.arithmetic.name(),
        "channels": matrices.collect::<Value>(),
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
