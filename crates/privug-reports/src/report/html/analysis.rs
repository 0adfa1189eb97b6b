//! The page of one analysis.

use super::Provenance;
use super::choices::choices_to_html;
use super::frame::{begin, close, end, end_table, left_out, section, table};
use super::glossary::{glossary, notes};
use super::inputs::inputs;
use super::knowledge::{MAIN, knowledge};
use super::page::Page;
use super::verdict::verdict;
use super::words::{count, figure, percent};
use privug_analysis::analysis::{Analysis, Arithmetic};
use privug_measures::leakage::{Measure, Reading};

/// Questions and requirements that are shown.
const ROWS: usize = 100;

/// One analysis as a page.
pub fn analysis_to_html(analysis: &Analysis, provenance: &Provenance) -> String {
    if let Some(choices) = &analysis.choices {
        return choices_to_html(analysis, choices, provenance);
    }
    let only = analysis.secrets.only();
    let whom = match &only {
        Some(only) => only.name.clone(),
        None => count(analysis.secrets.len(), "secret"),
    };
    let title = format!("What {} reveals about {whom}", analysis.function);
    let mut page = begin(&title, &analysis.path, provenance, |page| {
        page.markup("What ").name(&analysis.function).markup(" reveals about ");
        match &only {
            Some(only) => page.name(&only.name),
            None => page.text(&whom),
        };
    });
    verdict(&mut page, analysis);
    section(&mut page, "inputs", "What this rests on");
    inputs(&mut page, analysis, false);
    close(&mut page);
    knowledge(&mut page, analysis);
    questions(&mut page, analysis);
    requirements(&mut page, analysis);
    notes(&mut page, analysis.notes.iter().map(|note| (None, note)));
    let has_value =
        |measure: &&Measure| analysis.secrets.measures().any(|measures| measure.read(&measures) != Reading::NeedsTruth);
    glossary(&mut page, MAIN.iter().filter_map(|name| Measure::named(name)).filter(has_value));
    end(page, provenance, Some(arithmetic(analysis.arithmetic)))
}

pub(super) fn arithmetic(arithmetic: Arithmetic) -> &'static str {
    match arithmetic {
        Arithmetic::Float => "double precision, exact where it was inconclusive",
        Arithmetic::Exact => "exact rational arithmetic",
    }
}

pub(super) fn questions(page: &mut Page, analysis: &Analysis) {
    if analysis.answers.is_empty() {
        return;
    }
    section(page, "questions", "Questions");
    table(page, "Questions", &[("question", false), ("before", true), ("after", true)]);
    for answer in analysis.answers.iter().take(ROWS) {
        // A probability is a percentage; other questions have numbers as answers.
        let is_probability = answer.text.trim_start().starts_with("P(");
        let shown = |value: f64| if is_probability { percent(value) } else { figure(value) };
        page.markup("<tr><th scope=\"row\">").name(&answer.text).markup("</th>");
        let after = answer.after.map_or_else(|| "unknown".to_owned(), shown);
        page.number_cell(&shown(answer.before)).number_cell(&after).markup("</tr>\n");
    }
    end_table(page);
    left_out(page, analysis.answers.len(), ROWS, "question");
    close(page);
}

pub(super) fn requirements(page: &mut Page, analysis: &Analysis) {
    if analysis.requirements.is_empty() {
        return;
    }
    section(page, "requirements", "Requirements");
    if analysis.is_open() {
        page.markup("<p>Decided as if everything were published, whatever the values turn out to be.</p>\n");
    }
    let headings = [("requirement", false), ("value", true), ("limit", true), ("for", false), ("verdict", false)];
    table(page, "Requirements", &headings);
    for requirement in analysis.requirements.iter().take(ROWS) {
        page.markup("<tr><th scope=\"row\">").name(&requirement.text).markup("</th>");
        let value = if requirement.value.is_nan() { "unknown".to_owned() } else { figure(requirement.value) };
        page.number_cell(&value).number_cell(&figure(requirement.limit)).markup("<td>");
        if let Some(secret) = &requirement.secret {
            page.name(secret);
        }
        page.markup("</td>");
        holds(page, requirement.holds);
        page.markup("</tr>\n");
    }
    end_table(page);
    left_out(page, analysis.requirements.len(), ROWS, "requirement");
    close(page);
}

/// A cell that says whether a requirement is met.
pub(super) fn holds(page: &mut Page, holds: bool) {
    page.markup(if holds { "<td class=\"good\">✓ met</td>" } else { "<td class=\"danger\">✕ not met</td>" });
}
