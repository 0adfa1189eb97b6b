//! What stands around the contents of every page: head, style, script, heading, and how to reproduce it.

use super::Provenance;
use super::page::Page;
use super::words::count;
use crate::report::shortened;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// More characters of a command than this are left out.
const LONGEST_COMMAND: usize = 20_000;

/// Nothing is loaded from anywhere, and no script runs but the one whose hash stands here. Chromium says the new hash
/// on its console when the script is changed.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'sha256-PzXjlQiJw5E3oGAIo+4HGNGmpbkM2Dn4DKA8joCwt5U='; base-uri 'none'; \
    form-action 'none'\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"color-scheme\" content=\"light dark\">\n\
    <meta name=\"referrer\" content=\"no-referrer\">\n<title>";

/// The page up to its contents; `heading` writes what stands in the first heading.
pub(super) fn begin(title: &str, origin: &str, provenance: &Provenance, heading: impl FnOnce(&mut Page)) -> Page {
    let mut page = Page::new();
    page.markup(HEAD).text(&shortened(title, 120)).markup("</title>\n<style>\n").markup(STYLE);
    page.markup("</style>\n</head>\n<body>\n<main>\n<header>\n<p class=\"kind\">Privacy risk report</p>\n<h1>");
    heading(&mut page);
    page.markup("</h1>\n<p class=\"origin\">").text(&shortened(origin, 300)).markup(" · ");
    page.text(&provenance.date).markup("</p>\n</header>\n");
    page
}

/// The last section and the end of the page.
pub(super) fn end(mut page: Page, provenance: &Provenance, arithmetic: Option<&str>) -> String {
    section(&mut page, "reproduce", "How to reproduce this");
    page.markup("<p>This command creates this page:</p>\n<pre class=\"command\"><code>");
    let most: String = provenance.command.chars().take(LONGEST_COMMAND).collect();
    page.text(&most);
    let left_out = provenance.command.chars().count().saturating_sub(LONGEST_COMMAND);
    if left_out > 0 {
        page.text(" …");
    }
    page.markup("</code></pre>\n");
    if left_out > 0 {
        page.markup("<p>").text(&count(left_out, "character")).markup(" of it are left out here.</p>\n");
    }
    page.markup("<dl class=\"facts\"><div><dt>Version</dt><dd>privug ").text(&provenance.version);
    page.markup("</dd></div><div><dt>Date</dt><dd>").text(&provenance.date).markup("</dd></div>");
    if let Some(arithmetic) = arithmetic {
        page.markup("<div><dt>Arithmetic</dt><dd>").text(arithmetic).markup("</dd></div>");
    }
    page.markup("</dl>\n");
    close(&mut page);
    page.markup("</main>\n<script>").markup(SCRIPT).markup("</script>\n</body>\n</html>\n");
    page.finish()
}

/// Opens a section; the next must be closed before with [`close`].
pub(super) fn section(page: &mut Page, id: &'static str, heading: &'static str) {
    page.markup("<section aria-labelledby=").markup("\"").markup(id).markup("\">\n<h2 id=\"").markup(id).markup("\">");
    page.markup(heading).markup("</h2>\n");
}

/// Closes a section.
pub(super) fn close(page: &mut Page) {
    page.markup("</section>\n");
}

/// Opens a table, which scrolls by itself where it is wider than the page.
pub(super) fn table(page: &mut Page, label: &str, headings: &[(&str, bool)]) {
    page.open("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=", label, "><table>\n");
    head(page, headings);
}

/// Opens a table that a reader can sort and filter; the cells of a row say what they sort by in `data-value`.
pub(super) fn sortable_table(page: &mut Page, label: &str, headings: &[(&str, bool)]) {
    page.open("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=", label, "><table data-sortable>\n");
    head(page, headings);
}

/// Opens a table of measures and their meanings, which a narrow page folds.
pub(super) fn measure_table(page: &mut Page, label: &str) {
    page.open("<table class=\"measures\" aria-label=", label, ">\n");
    head(page, &[("measure", false), ("value", true), ("unit", false), ("meaning", false)]);
}

fn head(page: &mut Page, headings: &[(&str, bool)]) {
    page.markup("<thead><tr>");
    for (heading, is_number) in headings {
        page.markup(if *is_number { "<th scope=\"col\" class=\"n\">" } else { "<th scope=\"col\">" });
        page.text(heading).markup("</th>");
    }
    page.markup("</tr></thead>\n<tbody>\n");
}

/// Closes a table.
pub(super) fn end_table(page: &mut Page) {
    page.markup("</tbody></table></div>\n");
}

/// Closes a table of measures.
pub(super) fn end_measure_table(page: &mut Page) {
    page.markup("</tbody></table>\n");
}

/// Says how many are not shown.
pub(super) fn left_out(page: &mut Page, all: usize, shown: usize, what: &str) {
    if all > shown {
        let more = all - shown;
        page.markup("<p class=\"left-out\">").text(&count(more, &format!("more {what}")));
        page.markup(if more == 1 { " is" } else { " are" }).markup(" left out here; ");
        page.markup("<code>--json</code> has them all.</p>\n");
    }
}
