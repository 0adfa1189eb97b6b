//! An analysis as text for a terminal: what was assumed, what is known, how much leaked, what to be careful about.

use std::fmt::Write;

use super::numbers::{number, number_near};
use crate::analysis::{Analysis, Arithmetic, ObservationResult, SecretResult, Status};

/// How parts of the text are set off.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    heading: &'static str,
    warning: &'static str,
    faint: &'static str,
    end: &'static str,
}

impl Palette {
    /// No colours.
    pub const PLAIN: Palette = Palette { heading: "", warning: "", faint: "", end: "" };
    /// ANSI colours.
    pub const COLOURED: Palette =
        Palette { heading: "\u{1b}[1m", warning: "\u{1b}[1;33m", faint: "\u{1b}[2m", end: "\u{1b}[0m" };
}

/// More secrets and observations than this are left to the JSON.
const SHOWN: usize = 10;
/// The level of the intervals that are shown.
const LEVEL: f64 = 0.95;

/// The whole report, ending in a line break.
pub fn to_text(analysis: &Analysis, palette: Palette) -> String {
    let mut text = String::new();
    assumed(&mut text, analysis, palette);
    for secret in analysis.secrets.iter().take(SHOWN) {
        knowledge(&mut text, secret, palette);
    }
    more(&mut text, analysis.secrets.len(), "secrets");
    leaked(&mut text, analysis, palette);
    exact(&mut text, analysis, palette);
    if !analysis.notes.is_empty() {
        heading(&mut text, "Be careful", palette.warning, palette);
        for note in &analysis.notes {
            line(&mut text, format_args!("  - {note}"));
        }
    }
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

fn heading(text: &mut String, words: &str, colour: &str, palette: Palette) {
    if !text.is_empty() {
        text.push('\n');
    }
    line(text, format_args!("{colour}{words}{}", palette.end));
}

fn more(text: &mut String, count: usize, what: &str) {
    if count > SHOWN {
        line(text, format_args!("  … and {} more {what} (`--json` has them all)", count - SHOWN));
    }
}

fn assumed(text: &mut String, analysis: &Analysis, palette: Palette) {
    heading(text, "What was assumed", palette.heading, palette);
    let arithmetic = match analysis.arithmetic {
        Arithmetic::Float => "",
        Arithmetic::Exact => ", in exact rational arithmetic",
    };
    line(
        text,
        format_args!(
            "  program    {} in {}, {} random variables{arithmetic}",
            analysis.function, analysis.path, analysis.variable_count
        ),
    );
    for secret in analysis.secrets.iter().take(SHOWN) {
        let prior = &secret.knowledge;
        let (mean, variance, std_dev) = (prior.prior_mean, prior.prior_variance, prior.prior_std());
        line(
            text,
            format_args!(
                "  prior      {} ~ Normal(mean {}, variance {}), standard deviation {}",
                secret.name,
                number_near(mean, std_dev),
                number(variance),
                number(std_dev)
            ),
        );
    }
    more(text, analysis.secrets.len(), "secrets");
    for observation in analysis.observations.iter().take(SHOWN) {
        observed(text, observation);
    }
    more(text, analysis.observations.len(), "observations");
    for output in analysis.outputs.iter().take(SHOWN) {
        line(
            text,
            format_args!(
                "  published  {} ~ Normal(mean {}, variance {}), standard deviation {} (line {})",
                output.name,
                number_near(output.mean, output.variance.sqrt()),
                number(output.variance),
                number(output.variance.sqrt()),
                output.line
            ),
        );
    }
    more(text, analysis.outputs.len(), "outputs");
    for applied in analysis.mechanisms.iter().take(SHOWN) {
        let calibration = &applied.calibration;
        line(
            text,
            format_args!(
                "  mechanism  {}: Gaussian noise of standard deviation {} ({} calibration, sensitivity {}, ε {}, δ {})",
                applied.name,
                number(calibration.std_dev),
                calibration.method.name(),
                number(calibration.sensitivity),
                number(calibration.epsilon),
                number(calibration.delta)
            ),
        );
    }
}

fn observed(text: &mut String, observation: &ObservationResult) {
    let noise = if observation.noise_variance > 0.0 {
        format!(" ± {}", number(observation.noise_variance.sqrt()))
    } else {
        String::new()
    };
    let std_dev = observation.predicted_variance.sqrt();
    let redundant = match observation.status {
        Status::Used => "",
        Status::Redundant => "; redundant",
    };
    line(
        text,
        format_args!(
            "  observed   {} = {}{noise} (line {}; the prior predicts {} ± {}{redundant})",
            observation.name,
            number_near(observation.value, std_dev),
            observation.line,
            number_near(observation.predicted_mean, std_dev),
            number(std_dev),
        ),
    );
}

fn knowledge(text: &mut String, secret: &SecretResult, palette: Palette) {
    heading(text, &format!("What the attacker knows about {}", secret.name), palette.heading, palette);
    let known = &secret.knowledge;
    let mut rows = vec![["", "mean", "std dev", "variance", "95 % interval"].map(str::to_owned)];
    let states = [
        ("before", known.prior_mean, known.prior_variance, known.prior()),
        ("after", secret.posterior_mean, known.posterior_variance, known.posterior()),
    ];
    // Where both are nearly the same, the digits that differ must be visible.
    let resolution = known.prior_std().min(known.mean_shift.abs().max(known.prior_std() * 1e-6));
    for (when, mean, variance, normal) in states {
        let std_dev = variance.sqrt();
        let interval =
            normal.and_then(|normal| normal.credible_interval(LEVEL)).map_or(String::new(), |(low, high)| {
                format!("{} … {}", number_near(low, std_dev), number_near(high, std_dev))
            });
        rows.push([
            when.to_owned(),
            number_near(mean, if std_dev > 0.0 { resolution } else { 0.0 }),
            number(std_dev),
            number(variance),
            interval,
        ]);
    }
    table(text, &rows);
    if known.fully_disclosed() {
        line(
            text,
            format_args!("  {}fully disclosed: the attacker knows the value exactly{}", palette.warning, palette.end),
        );
    }
}

/// Columns under each other: the first to the left, the others to the right.
fn table<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    for row in rows {
        let mut cells = format!("  {:<width$}", row[0], width = width(0));
        for (column, cell) in row.iter().enumerate().skip(1) {
            let _ = write!(cells, "   {cell:>width$}", width = width(column));
        }
        line(text, format_args!("{}", cells.trim_end()));
    }
}

fn leaked(text: &mut String, analysis: &Analysis, palette: Palette) {
    heading(text, "How much was leaked", palette.heading, palette);
    for secret in analysis.secrets.iter().take(SHOWN) {
        if analysis.secrets.len() > 1 {
            line(text, format_args!("  {}", secret.name));
        }
        let known = &secret.knowledge;
        let measures = [
            (
                "mutual information",
                known.mutual_information_bits(),
                "what the outputs say about the secret on average, whatever values they take",
            ),
            (
                "KL divergence",
                known.kl_posterior_prior_bits(),
                "how far these values moved the attacker from the prior (information gain)",
            ),
        ];
        for (name, bits, sentence) in measures {
            line(
                text,
                format_args!("  {name:<20} {:>12} bits   {}{sentence}{}", number(bits), palette.faint, palette.end),
            );
        }
    }
}

fn exact(text: &mut String, analysis: &Analysis, palette: Palette) {
    let Some(exact) = &analysis.exact else { return };
    heading(text, "Exactly", palette.heading, palette);
    for (index, secret) in analysis.secrets.iter().enumerate().take(SHOWN) {
        let (mean, variance) = (&exact.mean[index], &exact.variance[index]);
        line(text, format_args!("  {} after: mean {mean}, variance {variance}", secret.name));
    }
}
