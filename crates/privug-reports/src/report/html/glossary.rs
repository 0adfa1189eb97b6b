//! What the words of a page mean, and what to be careful about.

use super::frame::{close, section};
use super::page::Page;
use super::words::{count, label};
use crate::report::notes::sentence;
use privug_analysis::analysis::Note;
use privug_measures::leakage::Measure;

/// More notes than this are left out.
const NOTES: usize = 25;

/// Words that every page uses.
const TERMS: &[(&str, &str)] = &[
    ("attacker", "Anyone who sees what is published, knows the priors, and draws every valid conclusion."),
    ("secret", "A quantity about a person that the attacker would like to know."),
    ("prior, before", "What the attacker knows about the secret before anything is published, as a distribution."),
    ("posterior, after", "What the attacker knows once the release has been seen."),
    (
        "standard deviation",
        "How far off the best guess typically is: the value lies within one standard deviation of it in two out of three cases, and within two in 19 out of 20.",
    ),
    ("range", "The interval around the best guess that contains the secret with the probability shown next to it."),
    (
        "bit",
        "The unit of information: the answer to a yes-or-no question with equally likely answers is 1 bit; 1 bit about a normally distributed secret halves its range.",
    ),
];

/// The notes of an analysis.
pub(super) fn notes<'a>(page: &mut Page, notes: impl Iterator<Item = (Option<&'a str>, &'a Note)>) {
    let notes: Vec<_> = notes.collect();
    if notes.is_empty() {
        return;
    }
    section(page, "notes", "Caveats");
    page.markup("<ul class=\"notes\">\n");
    for (label, note) in notes.iter().take(NOTES) {
        page.markup(if label.is_some() { "<li>" } else { "<li class=\"plain\">" });
        if let Some(label) = label {
            page.name(label).markup(": ");
        }
        page.sentence(&sentence(note)).markup("</li>\n");
    }
    page.markup("</ul>\n");
    if notes.len() > NOTES {
        page.markup("<p class=\"left-out\">").text(&count(notes.len() - NOTES, "more note")).markup(" left out.</p>\n");
    }
    close(page);
}

/// The glossary of these measures and of the words that every page uses.
pub(super) fn glossary<'a>(page: &mut Page, measures: impl Iterator<Item = &'a Measure>) {
    section(page, "glossary", "Glossary");
    page.markup("<dl class=\"glossary\">\n");
    for (term, meaning) in TERMS {
        page.markup("<div><dt>").text(term).markup("</dt><dd>").text(meaning).markup("</dd></div>\n");
    }
    for measure in measures {
        page.markup("<div><dt>").text(&label(measure)).markup(" <code>").text(measure.name).markup("</code></dt><dd>");
        page.text(measure.meaning).markup("</dd></div>\n");
    }
    page.markup("</dl>\n");
    close(page);
}
