//! An analysis as text for a terminal: what was assumed, what is known, how much leaked, what to be careful about.

use super::notes::sentences;
use std::borrow::Cow;
use std::fmt::Write;

use super::plot::{before_and_after, terminal_sketch};
use privug_analysis::analysis::{Analysis, Arithmetic, ObservationResult, OutputLeak, SecretResult, Status};
use privug_engine::mechanism::NEIGHBOURS;
use privug_language::diagnostic::{is_unseen, push_visible, visible};
use privug_language::words::{number, number_near};
use privug_measures::leakage::{Knowledge, Measure, Normal, Reading};

/// How parts of the text are set off.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    pub(super) heading: &'static str,
    pub(super) warning: &'static str,
    pub(super) faint: &'static str,
    pub(super) end: &'static str,
}

impl Palette {
    /// No colours.
    pub const PLAIN: Palette = Palette { heading: "", warning: "", faint: "", end: "" };
    /// ANSI colours.
    pub const COLOURED: Palette =
        Palette { heading: "\u{1b}[1m", warning: "\u{1b}[1;33m", faint: "\u{1b}[2m", end: "\u{1b}[0m" };
}

/// More secrets than this get no sketch.
const SKETCHED: usize = 3;
/// More secrets and observations than this are left to the JSON.
const SHOWN: usize = 10;

/// How a sketch of the densities is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SketchStyle {
    /// In characters.
    pub width: usize,
    /// Whether it may use more than ASCII.
    pub unicode: bool,
}

/// The whole report, ending in a line break; with a sketch of the densities if a style for it is given.
pub fn to_text(analysis: &Analysis, palette: Palette, sketch: Option<SketchStyle>) -> String {
    let mut text = String::new();
    if let Some(choices) = &analysis.choices {
        super::choices::to_text(&mut text, analysis, choices, palette, sketch);
        verdicts(&mut text, analysis, palette);
        caveats(&mut text, analysis, palette);
        return text;
    }
    assumed(&mut text, analysis, palette);
    for secret in analysis.secrets.iter().take(SHOWN) {
        knowledge(&mut text, &secret, analysis.level, palette);
        let changes = has_changed(&secret) || secret.knowledge.is_open();
        if let Some(style) = sketch.filter(|_| analysis.secrets.len() <= SKETCHED && changes) {
            draw(&mut text, &secret, style);
        }
    }
    more(&mut text, analysis.secrets.len(), "secrets");
    leaked(&mut text, analysis, palette);
    exact(&mut text, analysis, palette);
    verdicts(&mut text, analysis, palette);
    caveats(&mut text, analysis, palette);
    text
}

fn caveats(text: &mut String, analysis: &Analysis, palette: Palette) {
    if !analysis.notes.is_empty() {
        heading(text, "Caveats", palette.warning, palette);
        for note in sentences(&analysis.notes) {
            line(text, format_args!("  - {note}"));
        }
    }
}

pub(super) fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    match arguments.as_str() {
        Some(literal) => text.push_str(literal),
        None => push_clean(text, &arguments.to_string()),
    }
    text.push('\n');
}

/// Adds a line in which names of users may stand: no escape sequence goes through but those of the palette.
fn push_clean(text: &mut String, line: &str) {
    let Palette { heading, warning, faint, end } = Palette::COLOURED;
    let mut rest = line;
    while let Some(at) = rest.find(is_unseen) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        match [heading, warning, faint, end].into_iter().find(|colour| rest.starts_with(colour)) {
            Some(colour) => {
                text.push_str(colour);
                rest = &rest[colour.len()..];
            }
            None => {
                let mut letters = rest.chars();
                letters.next().into_iter().for_each(|letter| push_visible(text, letter));
                rest = letters.as_str();
            }
        }
    }
    text.push_str(rest);
}

pub(super) fn heading(text: &mut String, words: &str, colour: &str, palette: Palette) {
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
            "  program    {} in {}, {} random variable{}{arithmetic}",
            analysis.function,
            analysis.path,
            analysis.variable_count,
            if analysis.variable_count == 1 { "" } else { "s" }
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
                "  mechanism  {}: Gaussian noise of standard deviation {} ({} calibration: sensitivity {}, ε {}, δ {}; \
                 zCDP ρ {}, Gaussian DP μ {})",
                applied.name,
                number(calibration.std_dev),
                calibration.method.name(),
                number(calibration.sensitivity),
                number(calibration.epsilon),
                number(calibration.delta),
                number(calibration.rho_zcdp),
                number(calibration.mu_gdp)
            ),
        );
    }
    if !analysis.mechanisms.is_empty() {
        line(text, format_args!("             neighbours: {NEIGHBOURS}"));
    }
    if let Some(composed) = analysis.composition() {
        line(
            text,
            format_args!(
                "  together   ({}, {})-differential privacy; zCDP ρ {}, Gaussian DP μ {}",
                number(composed.epsilon),
                number(composed.delta),
                number(composed.rho_zcdp),
                number(composed.mu_gdp)
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

fn knowledge(text: &mut String, secret: &SecretResult, level: f64, palette: Palette) {
    heading(text, &format!("What the attacker knows about {}", secret.name), palette.heading, palette);
    let known = &secret.knowledge;
    let interval_heading = format!("{} % interval", number(level * 100.0));
    let mut rows = vec![["", "mean", "std dev", "variance", &interval_heading].map(str::to_owned)];
    let mut states = vec![("before", known.prior_mean, known.prior_variance, known.prior())];
    if !known.is_open() || has_changed(secret) {
        let when = if known.is_open() { "after what was seen" } else { "after" };
        states.push((when, secret.posterior_mean, known.posterior_variance, known.posterior()));
    }
    // Where both are nearly the same, the digits that differ must be visible.
    let resolution = known.prior_std().min(known.mean_shift.abs().max(known.prior_std() * 1e-6));
    for (when, mean, variance, normal) in states {
        let std_dev = variance.sqrt();
        let interval =
            normal.and_then(|normal| normal.credible_interval(level)).map_or(String::new(), |(low, high)| {
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
    if known.is_open() {
        rows.push(if_published(known, level));
    }
    table(text, &rows);
    if known.fully_disclosed() {
        line(
            text,
            format_args!("  {}fully disclosed: the attacker knows the value exactly{}", palette.warning, palette.end),
        );
    } else if known.as_if_published().fully_disclosed() {
        let words = "fully disclosed once published: the attacker will know the value exactly";
        line(text, format_args!("  {}{words}{}", palette.warning, palette.end));
    }
}

/// The row of what will be known once everything is published: how sure the attacker will be, but not of what.
fn if_published(known: &Knowledge, level: f64) -> [String; 5] {
    let published = known.as_if_published();
    let interval = Normal::new(0.0, published.posterior_variance).and_then(|normal| normal.credible_interval(level));
    let width = match interval {
        Some((_, half)) if half > 0.0 => format!("mean ± {}", number(half)),
        _ => "exactly the mean".to_owned(),
    };
    [
        "as if published".to_owned(),
        "unknown".to_owned(),
        number(published.posterior_std()),
        number(published.posterior_variance),
        width,
    ]
}

/// Whether there is anything to see in a sketch.
fn has_changed(secret: &SecretResult) -> bool {
    secret.knowledge.mean_shift != 0.0 || secret.knowledge.variance_reduction != 0.0
}

/// A sketch of what was and is known.
fn draw(text: &mut String, secret: &SecretResult, style: SketchStyle) {
    let curves = before_and_after(secret);
    text.push('\n');
    for row in terminal_sketch(&curves, style.width, style.unicode).lines() {
        line(text, format_args!("  {row}"));
    }
}

pub(super) fn table<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.to_vec()).collect();
    grid(text, &rows);
}

/// Columns under each other: the first to the left, the others to the right.
pub(super) fn grid(text: &mut String, rows: &[Vec<String>]) {
    let rows: Vec<Vec<Cow<'_, str>>> = rows.iter().map(|row| row.iter().map(|cell| visible(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let mut cells = String::from("  ");
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(cells, "{cell:<width$}"),
                _ => write!(cells, "   {cell:>width$}"),
            };
        }
        line(text, format_args!("{}", cells.trim_end()));
    }
}

/// A line of the section on leakage: label, measures (before and after, or one), and what they mean in a few words.
struct Shown {
    label: &'static str,
    measures: &'static [&'static str],
    meaning: &'static str,
}

const fn shown(label: &'static str, measures: &'static [&'static str], meaning: &'static str) -> Shown {
    Shown { label, measures, meaning }
}

/// The measures that a person reads first; `--json` has the others.
const SHOWN_MEASURES: &[Shown] = &[
    shown(
        "mutual information",
        &["mutual_information_bits"],
        "information gained from the outputs, averaged over their values",
    ),
    shown("KL divergence", &["kl_posterior_prior_bits"], "how far these values moved the attacker's belief"),
    shown("total variation", &["total_variation"], "the largest change in the probability of any event"),
    shown("squared error", &["squared_error_prior", "squared_error_posterior"], "of the attacker's best guess"),
    shown(
        "right guess",
        &["bayes_vulnerability_prior", "bayes_vulnerability_posterior"],
        "chance that the best guess is right",
    ),
    shown("distance to truth", &["truth_error_prior", "truth_error_posterior"], "of the attacker's best guess"),
    shown(
        "within 5 % of truth",
        &["truth_within_5_percent_prior", "truth_within_5_percent_posterior"],
        "the attacker's probability of that",
    ),
];

fn leaked(text: &mut String, analysis: &Analysis, palette: Palette) {
    let open = analysis.is_open();
    let title = if open { "How much publishing would leak" } else { "How much was leaked" };
    heading(text, title, palette.heading, palette);
    for secret in analysis.secrets.iter().take(SHOWN) {
        if analysis.secrets.len() > 1 {
            line(text, format_args!("  {}", secret.name));
        }
        let mut unknown: Vec<&str> = Vec::new();
        for shown in SHOWN_MEASURES {
            let measures = shown.measures.iter().filter_map(|name| Measure::named(name));
            let readings: Vec<Reading> = measures.map(|measure| measure.read(&secret.measures)).collect();
            if readings.iter().any(|reading| matches!(reading, Reading::NeedsValues { .. })) {
                unknown.push(shown.label);
                continue;
            }
            let values: Option<Vec<f64>> = readings.into_iter().map(Reading::value).collect();
            let Some(values) = values else { continue };
            let values: Vec<String> = values.iter().map(|value| number(*value)).collect();
            let unit = if shown.measures[0].ends_with("_bits") { " bits" } else { "" };
            let tolerance = if shown.label == "right guess" {
                format!(" within ± {}", number(secret.measures.guess_tolerance()))
            } else {
                String::new()
            };
            let value = format!("{}{unit}", values.join(" → "));
            let Shown { label, meaning, .. } = shown;
            line(text, format_args!("  {label:<20} {value:<24} {}{meaning}{tolerance}{}", palette.faint, palette.end));
        }
        if !unknown.is_empty() {
            let (names, why) = (unknown.join(", "), "depending on the published values");
            line(text, format_args!("  {:<20} {names}, {}{why}{}", "not known yet", palette.faint, palette.end));
        }
    }
    if let Some(bits) = analysis.joint.as_ref().and_then(|joint| joint.mutual_information_bits) {
        let words = "information gained about all secrets together";
        line(
            text,
            format_args!(
                "  {:<20} {:>12} bits   {}{words}{}",
                "all together",
                number(bits),
                palette.faint,
                palette.end
            ),
        );
    }
    by_output(text, analysis, palette);
}

/// Which statistic leaks what.
fn by_output(text: &mut String, analysis: &Analysis, palette: Palette) {
    for secret in analysis.secrets.iter().take(SHOWN) {
        let telling: Vec<&OutputLeak> = secret.by_output.iter().filter(|leak| leak.tells()).collect();
        if telling.len() < 2 {
            continue;
        }
        heading(text, &format!("What each output reveals about {}", secret.name), palette.heading, palette);
        let mut rows = vec![["output", "alone, bits", "added, bits"].map(str::to_owned)];
        for leak in telling.iter().take(SHOWN) {
            let name = format!("{} (line {})", leak.output, leak.line);
            rows.push([name, number(leak.alone_bits), number(leak.added_bits)]);
        }
        table(text, &rows);
        more(text, telling.len(), "outputs");
    }
}

/// A number that may not be known before values are published.
pub(super) fn known(value: Option<f64>) -> String {
    value.map_or_else(|| "unknown".to_owned(), number)
}

/// Questions and requirements.
fn verdicts(text: &mut String, analysis: &Analysis, palette: Palette) {
    if !analysis.answers.is_empty() {
        heading(text, "Questions", palette.heading, palette);
        let mut rows = vec![["", "before", "after"].map(str::to_owned)];
        rows.extend(
            analysis.answers.iter().map(|answer| [answer.text.clone(), number(answer.before), known(answer.after)]),
        );
        table(text, &rows);
    }
    if !analysis.requirements.is_empty() {
        let failed = !analysis.meets_requirements();
        let colour = if failed { palette.warning } else { palette.heading };
        heading(text, "Requirements", colour, palette);
        let as_if = if analysis.is_open() { ", as if published" } else { "" };
        for requirement in &analysis.requirements {
            let verdict = if requirement.holds { "met   " } else { "FAILED" };
            let whose = match &requirement.secret {
                Some(secret) if analysis.secret_count() > 1 => format!(" for {secret}"),
                _ => String::new(),
            };
            let value = if requirement.value.is_nan() { "unknown".to_owned() } else { number(requirement.value) };
            line(text, format_args!("  {verdict}  {}: {value}{whose}{as_if}", requirement.text));
        }
    }
}

fn exact(text: &mut String, analysis: &Analysis, palette: Palette) {
    let Some(exact) = &analysis.exact else { return };
    heading(text, "Exactly", palette.heading, palette);
    for (index, secret) in analysis.secrets.iter().enumerate().take(SHOWN) {
        if secret.knowledge.is_open() {
            let variance = &exact.variance_if_published[index];
            line(text, format_args!("  {} as if published: variance {variance}", secret.name));
        } else {
            let (mean, variance) = (&exact.mean[index], &exact.variance[index]);
            line(text, format_args!("  {} after: mean {mean}, variance {variance}", secret.name));
        }
    }
}
