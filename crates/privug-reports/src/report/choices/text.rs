//! The report of a program with choices for a terminal: beliefs before and after with bars, and measures in words.

use crate::report::comparison::between;
use crate::report::text::{Palette, SketchStyle, grid, heading, line};
use privug_analysis::analysis::{Analysis, Arithmetic, Belief, Chance, ChoiceSecret, Choices, Part, PlainValue};
use privug_language::words::number;
use privug_measures::channel::{Bounds, Method, channel_measure};
use privug_measures::leakage::Unit;

/// More values, secrets or outputs than these are left to the JSON.
const SHOWN: usize = 20;
/// The longest fraction that is shown instead of a decimal number.
const LONGEST_FRACTION: usize = 24;
/// Characters of the column of measures, at least: where none is an interval, secrets stay under each other.
const NARROWEST: usize = 24;
/// Characters of the longest bar.
const BAR: usize = 16;

/// What is published, as one text.
pub(in crate::report) fn output_text(output: &[PlainValue]) -> String {
    output.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The names of outputs, as one text.
pub(super) fn output_names(names: &[String]) -> String {
    if names.len() > 4 { format!("{} outputs", names.len()) } else { names.join(", ") }
}

/// The report up to the questions.
pub(in crate::report) fn to_text(
    text: &mut String,
    analysis: &Analysis,
    choices: &Choices,
    palette: Palette,
    sketch: Option<SketchStyle>,
) {
    assumed(text, analysis, choices, palette);
    for secret in choices.secrets.iter().take(SHOWN) {
        heading(text, &format!("What the attacker knows about {}", secret.name), palette.heading, palette);
        known_about(text, secret, analysis.level, sketch);
        if secret.measures().get("fully_disclosed").is_some_and(|(value, _)| value != 0.0) {
            let words = if secret.is_open {
                "fully disclosed by some outputs: the attacker would know the value"
            } else {
                "fully disclosed: the attacker knows the value"
            };
            line(text, format_args!("  {}{words}{}", palette.warning, palette.end));
        }
    }
    more(text, choices.secrets.len(), "secrets");
    let title = if analysis.is_open() { "How much publishing would leak" } else { "How much was leaked" };
    heading(text, title, palette.heading, palette);
    for secret in choices.secrets.iter().take(SHOWN) {
        if choices.secrets.len() > 1 {
            line(text, format_args!("  {}", secret.name));
        }
        measured(text, secret, palette);
    }
    for secret in choices.secrets.iter().take(SHOWN).filter(|secret| secret.by_output.len() > 1) {
        heading(text, &format!("What each output reveals about {}", secret.name), palette.heading, palette);
        let mut rows = vec![["output", "alone, bits", "added, bits"].map(str::to_owned).to_vec()];
        for output in secret.by_output.iter().take(SHOWN) {
            let bits = |bits: Bounds| between((bits.low, bits.high), number);
            rows.push(vec![output.name.clone(), bits(output.alone_bits), bits(output.added_bits)]);
        }
        grid(text, &rows);
        more(text, secret.by_output.len(), "outputs");
    }
    for secret in choices.secrets.iter().take(SHOWN) {
        if let Some(why) = no_outputs(choices, secret) {
            heading(text, &format!("What each output reveals about {}", secret.name), palette.heading, palette);
            line(text, format_args!("  {why}"));
        }
    }
}

/// Why it is not told what each output reveals, where there are several.
pub(in crate::report) fn no_outputs(choices: &Choices, secret: &ChoiceSecret) -> Option<&'static str> {
    let open = choices.outputs.iter().filter(|output| !output.observed).count()
        + choices.seen.iter().filter(|seen| seen.value.is_none()).count();
    if open < 2 || !secret.is_open || !secret.by_output.is_empty() {
        return None;
    }
    Some(match secret.channel {
        Some(_) => "not known: what this secret can be depends on what was seen",
        None => {
            "not computed: too many outputs have a density; name fewer of them, or give those that are known a value"
        }
    })
}

fn more(text: &mut String, count: usize, what: &str) {
    if count > SHOWN {
        line(text, format_args!("  … and {} more {what} (`--json` has them all)", count - SHOWN));
    }
}

fn assumed(text: &mut String, analysis: &Analysis, choices: &Choices, palette: Palette) {
    heading(text, "What was assumed", palette.heading, palette);
    let arithmetic = match analysis.arithmetic {
        Arithmetic::Float => "",
        Arithmetic::Exact => ", in exact rational arithmetic",
    };
    let count = analysis.variable_count;
    let plural = if count == 1 { "" } else { "s" };
    let (path, function) = (&analysis.path, &analysis.function);
    line(text, format_args!("  program    {function} in {path}, {count} random variable{plural}{arithmetic}"));
    for output in choices.outputs.iter().take(SHOWN) {
        let how = if output.observed { "observed" } else { "published" };
        line(text, format_args!("  {how:<9}  {} (line {})", output.name, output.line));
    }
    more(text, choices.outputs.len(), "outputs");
    for seen in choices.seen.iter().take(SHOWN) {
        let noise = if seen.noise_variance > 0.0 {
            format!(" ± {}", number(seen.noise_variance.sqrt()))
        } else {
            String::new()
        };
        match seen.value {
            Some(value) => {
                line(text, format_args!("  observed   {} = {}{noise} (line {})", seen.name, number(value), seen.line));
            }
            None => line(text, format_args!("  published  {} (line {})", seen.name, seen.line)),
        }
    }
    more(text, choices.seen.len(), "observations");
}

fn known_about(text: &mut String, secret: &ChoiceSecret, level: f64, sketch: Option<SketchStyle>) {
    match (&secret.prior, &secret.posterior) {
        (Belief::Discrete(before), Belief::Discrete(after)) => values(text, secret, before, after, sketch),
        (before, after) => {
            mixture(text, "before", before, level);
            if !secret.is_open {
                mixture(text, "after", after, level);
            }
        }
    }
    if let Some(truth) = &secret.truth {
        line(text, format_args!("  the truth is {truth}"));
    }
}

/// A row for each value: its probability before and after, with bars.
fn values(text: &mut String, secret: &ChoiceSecret, before: &[Chance], after: &[Chance], sketch: Option<SketchStyle>) {
    // Where nothing was seen yet: what the surest output would leave.
    let surest = secret.after_surest_output();
    let later = |value: &PlainValue| -> Option<(f64, Option<&String>)> {
        if !secret.is_open {
            let same = after.iter().find(|chance| chance.value == *value);
            return Some(same.map_or((0.0, None), |chance| (chance.probability, chance.exact.as_ref())));
        }
        let found = surest.as_ref()?.iter().find(|(other, _)| other == value);
        Some((found.map_or(0.0, |(_, p)| *p), None))
    };
    let title = match secret.surest_output() {
        Some(output) if secret.is_open => format!("if {} is seen", output_text(output)),
        _ => "after".to_owned(),
    };
    let has_later = !secret.is_open || surest.is_some();
    // Headings stand over the numbers, not over the bars.
    let over = |title: &str| if sketch.is_some() { format!("{title} {}", " ".repeat(BAR)) } else { title.to_owned() };
    let mut rows = vec![vec![String::new(), over("before")]];
    if has_later {
        rows[0].push(over(&title));
    }
    let bar = |p: f64| sketch.map_or_else(String::new, |style| format!(" {}", bar(p, style)));
    let shown = |p: f64, exact: Option<&String>| match exact {
        Some(exact) if exact.len() <= LONGEST_FRACTION => exact.clone(),
        _ => number(p),
    };
    for chance in before.iter().take(SHOWN) {
        let cell = |p: f64, exact: Option<&String>| format!("{}{}", shown(p, exact), bar(p));
        let mut row = vec![chance.value.to_string(), cell(chance.probability, chance.exact.as_ref())];
        if let Some((p, exact)) = later(&chance.value).filter(|_| has_later) {
            row.push(cell(p, exact));
        }
        rows.push(row);
    }
    grid(text, &rows);
    more(text, before.len(), "values");
}

/// A bar of fixed room, so that columns stay under each other.
fn bar(probability: f64, style: SketchStyle) -> String {
    let length = probability.clamp(0.0, 1.0) * BAR as f64;
    if !style.unicode {
        let full = length.round() as usize;
        return format!("{}{}", "#".repeat(full), " ".repeat(BAR - full));
    }
    let eighths = (length * 8.0).round() as usize;
    let (full, rest) = (eighths / 8, eighths % 8);
    let mut bar = "█".repeat(full);
    if rest > 0 {
        bar.push(['▏', '▎', '▍', '▌', '▋', '▊', '▉'][rest - 1]);
    }
    let width = full + usize::from(rest > 0);
    bar + &" ".repeat(BAR.saturating_sub(width))
}

fn mixture(text: &mut String, when: &str, belief: &Belief, level: f64) {
    match belief {
        Belief::Discrete(values) => {
            for chance in values.iter().take(SHOWN) {
                line(
                    text,
                    format_args!("  {when:<7} {} with probability {}", chance.value, number(chance.probability)),
                );
            }
        }
        Belief::Mixture(parts) => {
            for part in parts.iter().take(SHOWN) {
                line(text, format_args!("  {when:<7} {}", part_text(part)));
            }
            more(text, parts.len(), "parts");
        }
    }
    if let (Some(mean), Some(variance)) = (belief.mean(), belief.variance()) {
        let interval = belief.interval(level).map_or(String::new(), |(low, high)| {
            format!(", {} % interval {} … {}", number(level * 100.0), number(low), number(high))
        });
        let (mean, std) = (number(mean), number(variance.sqrt()));
        line(text, format_args!("  {when:<7} mean {mean}, standard deviation {std}{interval}"));
    }
}

fn part_text(part: &Part) -> String {
    let weight = number(part.weight);
    if part.variance == 0.0 {
        return format!("{weight} × exactly {}", number(part.mean));
    }
    let cut = match (part.low.is_finite(), part.high.is_finite()) {
        (false, false) => String::new(),
        (true, false) => format!(", above {}", number(part.low)),
        (false, true) => format!(", up to {}", number(part.high)),
        (true, true) => format!(", between {} and {}", number(part.low), number(part.high)),
    };
    let (mean, std) = (number(part.mean), number(part.variance.sqrt()));
    format!("{weight} × Normal(mean {mean}, standard deviation {std}){cut}")
}

/// A line on leakage: label, measures (before and after, or one), and what they mean in a few words.
const MEASURED: &[(&str, &[&str], &str)] = &[
    ("mutual information", &["mutual_information_bits"], "information gained from the outputs"),
    ("uncertainty", &["prior_entropy_bits", "posterior_entropy_bits"], "entropy of the attacker's belief"),
    (
        "right guess",
        &["bayes_vulnerability_prior", "bayes_vulnerability_posterior"],
        "chance that the best guess is right",
    ),
    ("min-entropy leakage", &["min_entropy_leakage_bits"], "log₂ of the factor by which that chance grows"),
    (
        "guesses needed",
        &["guessing_entropy_prior", "guessing_entropy_posterior"],
        "expected number of guesses, most likely values first",
    ),
    ("surest belief", &["max_posterior"], "largest probability of a value under any output"),
    ("moved at most", &["max_kl_bits"], "KL divergence from the prior under any output"),
    ("total variation", &["total_variation"], "the largest change in the probability of any event"),
    ("channel capacity", &["channel_capacity_bits"], "the largest mutual information under any prior"),
    ("maximal leakage", &["maximal_leakage_bits"], "the largest min-entropy leakage under any prior"),
    ("gain", &["g_vulnerability_prior", "g_vulnerability_posterior"], "gain of the best guess, by the gain function"),
    ("g-leakage", &["g_leakage"], "log₂ of the factor by which that gain grows"),
    ("truth", &["truth_probability_prior", "truth_probability_posterior"], "the attacker's probability of it"),
];

fn measured(text: &mut String, secret: &ChoiceSecret, palette: Palette) {
    let (mut unknown, mut rows) = (Vec::new(), Vec::new());
    for (label, names, meaning) in MEASURED {
        let values: Option<Vec<(f64, Method)>> = names.iter().map(|name| secret.measures().get(name)).collect();
        let Some(values) = values else {
            let optional = names[0].starts_with("g_") || names[0].starts_with("truth_");
            if !optional {
                unknown.push(*label);
            }
            continue;
        };
        let shown = values.iter().map(|(value, method)| match method {
            Method::Certified { low, high } if number(*low) != number(*high) => {
                format!("{} to {}", number(*low), number(*high))
            }
            Method::Certified { .. } | Method::Exact => number(*value),
        });
        let shown = shown.collect::<Vec<String>>().join(" → ");
        let bits = channel_measure(names[0]).is_some_and(|measure| measure.unit == Unit::Bits);
        let unit = match (bits, shown.as_str()) {
            (true, "1") => " bit",
            (true, _) => " bits",
            (false, _) => "",
        };
        let value = format!("{shown}{unit}");
        let which = match names[0] {
            "max_posterior" => secret.surest_output(),
            "max_kl_bits" => secret.most_moving_output(),
            _ => None,
        };
        let which = which.map_or_else(String::new, |output| format!(" ({})", output_text(output)));
        rows.push((*label, value, format!("{meaning}{which}")));
    }
    let width = rows.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or(0).max(NARROWEST);
    for (label, value, meaning) in rows {
        line(text, format_args!("  {label:<20} {value:<width$} {}{meaning}{}", palette.faint, palette.end));
    }
    if !unknown.is_empty() {
        line(text, format_args!("  {:<20} {}", "not known", unknown.join(", ")));
    }
}
