//! The page of a program with discrete choices: what is believed before and after, and how much that tells.

use super::Provenance;
use super::analysis::{arithmetic, questions, requirements};
use super::figure::figure as draw;
use super::frame::{begin, close, end, end_measure_table, end_table, left_out, measure_table, section, table};
use super::glossary::{glossary, notes};
use super::knowledge::unit;
use super::listing::lines;
use super::page::Page;
use super::words::{bits, count, figure, known_value, label, measure_value, percent};
use crate::report::choices::{no_outputs, output_text};
use crate::report::comparison::between;
use crate::report::plot::{BarPlot, beliefs};
use privug_analysis::analysis::{Analysis, Belief, ChoiceSecret, Choices, PlainValue};
use privug_measures::channel::{Bounds, CHANNEL_MEASURES, Method};
use privug_measures::leakage::Measure;

/// Secrets with a plot and tables of their own.
const DETAILED: usize = 6;
/// Rows of a table.
const ROWS: usize = 60;

/// One analysis as a page.
pub(super) fn choices_to_html(analysis: &Analysis, choices: &Choices, provenance: &Provenance) -> String {
    let only = if let [only] = choices.secrets.as_slice() { Some(only) } else { None };
    let whom = only.map_or_else(|| count(choices.secrets.len(), "secret"), |only| only.name.clone());
    let title = format!("What {} reveals about {whom}", analysis.function);
    let mut page = begin(&title, &analysis.path, provenance, |page| {
        page.markup("What ").name(&analysis.function).markup(" reveals about ");
        match only {
            Some(only) => page.name(&only.name),
            None => page.text(&whom),
        };
    });
    verdict(&mut page, analysis, choices);
    section(&mut page, "inputs", "What this rests on");
    inputs(&mut page, analysis, choices);
    close(&mut page);
    section(&mut page, "knowledge", "What the attacker knows, before and after");
    for secret in choices.secrets.iter().take(DETAILED) {
        knowledge(&mut page, choices, secret);
    }
    left_out(&mut page, choices.secrets.len(), DETAILED, "secret");
    close(&mut page);
    questions(&mut page, analysis);
    requirements(&mut page, analysis);
    notes(&mut page, analysis.notes.iter().map(|note| (None, note)));
    let known = |measure: &&Measure| choices.secrets.iter().any(|secret| secret.measures().get(measure.name).is_some());
    glossary(&mut page, CHANNEL_MEASURES.iter().filter(known));
    end(page, provenance, Some(arithmetic(analysis.arithmetic)))
}

/// The secret about which most is told; what is not known comes first.
fn most_exposed(choices: &Choices) -> Option<&ChoiceSecret> {
    let told = |secret: &ChoiceSecret| {
        secret.measures().get("mutual_information_bits").map_or(f64::INFINITY, |(bits, _)| bits)
    };
    choices.secrets.iter().reduce(|worst, next| if told(next) > told(worst) { next } else { worst })
}

fn verdict(page: &mut Page, analysis: &Analysis, choices: &Choices) {
    page.markup("<section class=\"verdict\" aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">In short</h2>\n");
    page.markup("<ul class=\"badges\">");
    let disclosed =
        |secret: &ChoiceSecret| secret.measures().get("fully_disclosed").is_some_and(|(value, _)| value != 0.0);
    if choices.secrets.iter().any(disclosed) {
        page.markup(if analysis.is_open() {
            "<li class=\"danger\">✕ Some outputs would fully disclose</li>"
        } else {
            "<li class=\"danger\">✕ Full disclosure</li>"
        });
    }
    match (analysis.requirements.is_empty(), analysis.meets_requirements()) {
        (true, _) => page.markup("<li>No requirement was set</li>"),
        (false, true) => page.markup("<li class=\"good\">✓ All requirements are met</li>"),
        (false, false) => page.markup("<li class=\"danger\">✕ Requirements are not met</li>"),
    };
    if analysis.is_open() {
        page.markup("<li>Nothing observed yet</li>");
    }
    page.markup("</ul>\n");
    if let Some(secret) = most_exposed(choices) {
        if choices.secrets.len() > 1 {
            page.markup("<p class=\"lead\">Of ").text(&count(choices.secrets.len(), "secret"));
            page.markup(", the most exposed one is ").name(&secret.name).markup(".</p>\n");
        }
        page.markup("<p class=\"lead\">");
        in_one_line(page, secret);
        page.markup("</p>\n");
    }
    page.markup("</section>\n");
}

/// What is learned about a secret, in a sentence or two.
pub(super) fn in_one_line(page: &mut Page, secret: &ChoiceSecret) {
    let of = |name: &str| secret.measures().get(name).map(|(value, _)| value);
    match of("mutual_information_bits") {
        Some(told) => {
            page.markup(if secret.is_open { "Publishing would reveal " } else { "The outputs revealed " })
                .strong(&bits(told));
            page.markup(" about ").name(&secret.name).markup(if secret.is_open { " on average. " } else { ". " });
        }
        None => {
            page.markup("How much is revealed about ").name(&secret.name).markup(" is unknown. ");
        }
    }
    if let (Some(before), Some(after)) = (of("bayes_vulnerability_prior"), of("bayes_vulnerability_posterior")) {
        page.markup("The best guess is right with probability ").strong(&percent(after)).markup(", instead of ");
        page.text(&percent(before)).markup(" before. ");
    }
    if let (Some(most), Some(output)) = (of("max_posterior"), secret.surest_output()) {
        page.markup("At worst, if ").name(&output_text(output)).markup(" is published, one value has probability ");
        page.strong(&percent(most)).markup(".");
    }
}

/// What the attacker knew, what is published, the program.
pub(super) fn inputs(page: &mut Page, analysis: &Analysis, choices: &Choices) {
    page.markup("<h3>What is published</h3>\n");
    if choices.outputs.is_empty() && choices.seen.is_empty() {
        page.markup("<p>Nothing besides the events that the program conditions on.</p>\n");
    } else {
        table(page, "Outputs", &[("output", false), ("line", true), ("", false)]);
        for output in choices.outputs.iter().take(ROWS) {
            page.markup("<tr><th scope=\"row\">").name(&output.name).markup("</th>");
            page.number_cell(&output.line.to_string());
            page.cell(if output.observed { "observed" } else { "no value was seen" }).markup("</tr>\n");
        }
        for seen in choices.seen.iter().take(ROWS) {
            page.markup("<tr><th scope=\"row\">").name(&seen.name).markup("</th>").number_cell(&seen.line.to_string());
            let value = seen.value.map_or_else(|| "no value was seen".to_owned(), figure);
            page.cell(&value).markup("</tr>\n");
        }
        end_table(page);
        left_out(page, choices.outputs.len(), ROWS, "output");
    }
    page.markup("<h3>The program</h3>\n<p>Function ").name(&analysis.function).markup(" in ").name(&analysis.path);
    page.markup(", with ").text(&count(analysis.variable_count, "random variable")).markup(".</p>\n");
    super::inputs::beside(page, analysis);
    if let Some(source) = analysis.sources.iter().next() {
        let marked = choices.outputs.iter().map(|output| output.line).collect();
        lines(page, &source.text, &marked, |_, _| {});
    }
}

fn knowledge(page: &mut Page, choices: &Choices, secret: &ChoiceSecret) {
    page.markup("<h3>").name(&secret.name).markup("</h3>\n");
    let caption = if secret.is_open {
        "Probabilities before, and after the output under which the attacker would be surest."
    } else {
        "Probabilities before and after."
    };
    let plot = BarPlot { title: "What is known before and after".to_owned(), panels: vec![beliefs::panel(secret)] };
    draw(page, &plot.into(), caption);
    believed(page, secret);
    page.markup(if secret.is_open {
        "<h4>How much publishing would leak</h4>\n"
    } else {
        "<h4>How much was leaked</h4>\n"
    });
    measures(page, secret);
    if secret.by_output.len() > 1 {
        page.markup("<h4>What each output reveals</h4>\n");
        table(page, "Outputs", &[("output", false), ("alone, bits", true), ("added, bits", true)]);
        for output in secret.by_output.iter().take(ROWS) {
            page.markup("<tr><th scope=\"row\">").name(&output.name).markup("</th>");
            let bits = |bits: Bounds| between((bits.low, bits.high), figure);
            page.number_cell(&bits(output.alone_bits)).number_cell(&bits(output.added_bits)).markup("</tr>\n");
        }
        end_table(page);
        left_out(page, secret.by_output.len(), ROWS, "output");
    }
    if let Some(why) = no_outputs(choices, secret) {
        page.markup("<h4>What each output reveals</h4>\n<p>").text(why).markup("</p>\n");
    }
}

fn believed(page: &mut Page, secret: &ChoiceSecret) {
    let after = |value: &PlainValue| match secret.is_open {
        true => "unknown".to_owned(),
        false => percent(secret.posterior.probability_of(value)),
    };
    match &secret.prior {
        Belief::Discrete(values) => {
            table(page, "Probabilities", &[("value", false), ("before", true), ("after", true)]);
            for chance in values.iter().take(ROWS) {
                page.markup("<tr><th scope=\"row\">").name(&chance.value.to_string()).markup("</th>");
                page.number_cell(&percent(chance.probability)).number_cell(&after(&chance.value)).markup("</tr>\n");
            }
            end_table(page);
            left_out(page, values.len(), ROWS, "value");
        }
        Belief::Mixture(_) => {
            table(page, "Moments", &[("", false), ("mean", true), ("standard deviation", true)]);
            let states = [("before", &secret.prior), ("after", &secret.posterior)];
            for (when, belief) in states.into_iter().take(if secret.is_open { 1 } else { 2 }) {
                let shown = |value: Option<f64>| value.map_or_else(|| "unknown".to_owned(), figure);
                page.markup("<tr><th scope=\"row\">").text(when).markup("</th>").number_cell(&shown(belief.mean()));
                page.number_cell(&shown(belief.variance().map(f64::sqrt))).markup("</tr>\n");
            }
            end_table(page);
        }
    }
}

fn measures(page: &mut Page, secret: &ChoiceSecret) {
    measure_table(page, "Measures");
    for measure in CHANNEL_MEASURES {
        let read = secret.measures().get(measure.name);
        if read.is_none() && (measure.name.starts_with("g_") || measure.name.starts_with("truth_")) {
            continue;
        }
        page.markup("<tr><th scope=\"row\">").text(&label(measure)).markup("</th>");
        let value = match read {
            Some((_, Method::Certified { low, high })) if figure(low) != figure(high) => {
                format!("{} to {}", measure_value(measure, low), measure_value(measure, high))
            }
            Some((value, _)) => known_value(measure, Some(value)),
            None => known_value(measure, None),
        };
        page.number_cell(&value).cell(unit(measure.unit)).markup("<td>").text(measure.meaning).markup("</td></tr>\n");
    }
    end_measure_table(page);
}
