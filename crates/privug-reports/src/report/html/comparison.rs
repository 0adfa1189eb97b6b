//! The page of several releases side by side.

use super::Provenance;
use super::analysis::{arithmetic, holds};
use super::figure::figure as draw;
use super::frame::{begin, close, end, end_table, left_out, section, table};
use super::glossary::{glossary, notes};
use super::inputs::inputs;
use super::page::Page;
use super::verdict::{absurd, in_one_line};
use super::words::{bits, count, figure, known_value, label, measure_value};
use crate::report::comparison::{between, signed};
use crate::report::comparison_plot;
use crate::report::plot::{BarPlot, DensityPlot, Plot};
use privug_analysis::analysis::Analysis;
use privug_analysis::compare::{Comparison, Release, is_shown};
use privug_measures::leakage::{Measure, Unit};

/// Secrets that are compared on the page.
const SECRETS: usize = 6;
/// Releases whose inputs are shown, and that have a column.
const RELEASES: usize = 12;

/// Releases that are named in a sentence.
const NAMED: usize = 5;

/// Several releases as a page.
pub fn comparison_to_html(comparison: &Comparison, provenance: &Provenance) -> String {
    let secrets = comparison.secrets();
    let releases = &comparison.releases[..comparison.releases.len().min(RELEASES)];
    let whom = if let [only] = secrets.as_slice() { only.to_string() } else { count(secrets.len(), "secret") };
    let how_many = count(comparison.releases.len(), "release");
    let title = format!("What {how_many} reveal about {whom}");
    let mut page = begin(&title, &how_many, provenance, |page| {
        page.markup("What ").text(&how_many);
        page.markup(if comparison.releases.len() == 1 { " reveals about " } else { " reveal about " });
        if secrets.len() == 1 {
            page.name(&whom)
        } else {
            page.text(&whom)
        };
    });
    verdict(&mut page, comparison, releases);
    section(&mut page, "inputs", "What this rests on");
    for release in releases {
        page.markup("<details><summary>").name(&release.label).markup(": ").name(&release.analysis.function);
        page.markup(" in ")
            .name(&release.analysis.path)
            .markup("</summary>\n<h3>")
            .name(&release.label)
            .markup("</h3>\n");
        match &release.analysis.choices {
            Some(choices) => super::choices::inputs(&mut page, &release.analysis, choices),
            None => inputs(&mut page, &release.analysis, true),
        }
        page.markup("</details>\n");
    }
    left_out(&mut page, comparison.releases.len(), RELEASES, "release");
    close(&mut page);
    measures(&mut page, comparison, releases);
    requirements(&mut page, comparison, releases);
    let labelled = releases
        .iter()
        .flat_map(|release| release.analysis.notes.iter().map(move |note| (Some(release.label.as_str()), note)));
    notes(&mut page, labelled);
    let rows = comparison.rows();
    glossary(&mut page, rows.iter().filter(|row| row.secret == 0).map(|row| row.measure).filter(|used| is_shown(used)));
    end(page, provenance, Some(arithmetic(comparison.releases[0].analysis.arithmetic)))
}

/// What a release tells about the secret that it tells most about, and between which numbers that lies.
fn most_told(release: &Release) -> (f64, f64) {
    let name = "mutual_information_bits";
    let told = (0..release.analysis.secret_count()).map(|secret| {
        let value = release.analysis.reading(secret, name).value().unwrap_or(f64::INFINITY);
        release.analysis.bounds(secret, name).unwrap_or((value, value))
    });
    told.fold((0.0, 0.0), |most: (f64, f64), (low, high)| (most.0.max(low), most.1.max(high)))
}

fn verdict(page: &mut Page, comparison: &Comparison, releases: &[Release]) {
    page.markup("<section class=\"verdict\" aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">In short</h2>\n");
    badges(page, comparison);
    let all = &comparison.releases;
    let told: Vec<(f64, f64)> = all.iter().map(most_told).collect();
    let least = told.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((0.0, 0.0));
    let most = told.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((0.0, 0.0));
    page.markup("<p class=\"lead\">");
    if is_same(least.1, most.1) {
        page.markup(if all.len() == 1 { "The release reveals " } else { "All releases reveal the same: " });
        page.strong(&between(least, bits)).markup(".");
    } else {
        for (extreme, words) in [(least, " the <strong>least</strong>: "), (most, " the <strong>most</strong>: ")] {
            let names: Vec<&str> = all
                .iter()
                .zip(&told)
                .filter(|(_, told)| is_same(told.1, extreme.1))
                .map(|(release, _)| release.label.as_str())
                .collect();
            list(page, &names);
            page.markup(if names.len() == 1 { " reveals" } else { " reveal" }).markup(words);
            page.text(&between(extreme, bits)).markup(". ");
        }
    }
    if comparison.secrets().len() > 1 {
        page.markup(" (Of several secrets, the most exposed one counts.)");
    }
    page.markup("</p>\n<p>What an attacker knows afterwards:</p>\n<ul>");
    for release in releases {
        let worst = super::verdict::most_exposed(&release.analysis).map(|place| release.analysis.secrets.get(place));
        page.markup("<li>").name(&release.label).markup(": ");
        for secret in release.analysis.choices.iter().flat_map(|choices| &choices.secrets).take(1) {
            super::choices::in_one_line(page, secret);
        }
        if let Some(secret) = worst {
            if comparison.secrets().len() > 1 {
                page.name(&secret.name).markup(" ");
            }
            in_one_line(page, &secret, &release.analysis);
        }
        page.markup(".</li>\n");
    }
    page.markup("</ul>\n");
    left_out(page, all.len(), RELEASES, "release");
    let analyses = all.iter().map(|release| &release.analysis);
    let ratio = |analysis: &&Analysis| analysis.prior_check.surprise.ratio();
    if let Some(worst) = analyses.max_by(|one, other| ratio(one).total_cmp(&ratio(other))) {
        absurd(page, &worst.observations, &worst.prior_check);
    }
    page.markup("</section>\n");
}

/// Equal but for rounding.
fn is_same(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

/// `a`, `b` and `c`.
fn list(page: &mut Page, names: &[&str]) {
    for (index, name) in names.iter().take(NAMED).enumerate() {
        let is_last = index + 1 == names.len();
        page.markup(if index == 0 {
            ""
        } else if is_last {
            " and "
        } else {
            ", "
        })
        .name(name);
    }
    if names.len() > NAMED {
        page.markup(" and ").text(&count(names.len() - NAMED, "more release"));
    }
}

fn badges(page: &mut Page, comparison: &Comparison) {
    let all = &comparison.releases;
    page.markup("<ul class=\"badges\">");
    let disclosing = all
        .iter()
        .filter(|release| {
            release.analysis.secrets.known().any(|known| known.knowledge.as_if_published().fully_disclosed())
        })
        .count();
    if disclosing > 0 {
        page.markup("<li class=\"danger\">✕ Full disclosure by ").text(&count(disclosing, "release")).markup("</li>");
    }
    if all[0].analysis.requirements.is_empty() {
        page.markup("<li>No requirement was set</li>");
    } else {
        let meeting = all.iter().filter(|release| release.analysis.meets_requirements()).count();
        match meeting {
            0 => page.markup("<li class=\"danger\">✕ No release meets all requirements</li>"),
            some => page
                .markup("<li class=\"good\">✓ ")
                .text(&format!("{} of {} meet all requirements", figure(some as f64), count(all.len(), "release")))
                .markup("</li>"),
        };
    }
    page.markup("</ul>\n");
}

fn measures(page: &mut Page, comparison: &Comparison, releases: &[Release]) {
    section(page, "measures", "Side by side");
    let plot = comparison_plot(comparison);
    let rows = comparison.rows();
    let names = comparison.secrets();
    for (index, name) in names.iter().enumerate().take(SECRETS) {
        page.markup("<h3>").name(name).markup("</h3>\n");
        let (one, caption) = one_secret(&plot, index);
        draw(page, &one, caption);
        let headings: Vec<(&str, bool)> =
            std::iter::once(("measure", false)).chain(releases.iter().map(|release| (&*release.label, true))).collect();
        table(page, "Measures of all releases", &headings);
        for row in rows.iter().filter(|row| row.secret == index && is_shown(row.measure)) {
            page.markup("<tr><th scope=\"row\">").text(&label(row.measure)).markup("</th>");
            for (place, value) in row.values.iter().enumerate().take(releases.len()) {
                let shown = match row.ends(place) {
                    Some(ends) => between(ends, |end| measure_value(row.measure, end)),
                    None => known_value(row.measure, None),
                };
                page.markup("<td class=\"n\">").text(&shown);
                let difference = row.difference_ends(place).filter(|_| value.is_some_and(f64::is_finite) && place > 0);
                if let Some(difference) = difference.filter(|_| row.measure.unit != Unit::YesNo) {
                    page.markup("<br><small>").text(&change(row.measure, difference)).markup("</small>");
                }
                page.markup("</td>");
            }
            page.markup("</tr>\n");
        }
        end_table(page);
        page.markup("<p class=\"left-out\">Small print in a cell: the difference from ").name(&releases[0].label);
        page.markup(".</p>\n");
    }
    left_out(page, names.len(), SECRETS, "secret");
    close(page);
}

/// The part of a plot that is about one secret, and what to call it.
fn one_secret(plot: &Plot, index: usize) -> (Plot, &'static str) {
    let title = "What each release reveals".to_owned();
    match plot {
        Plot::Bars(all) => {
            let mut panels: Vec<_> = all.panels.get(index).cloned().into_iter().collect();
            panels.iter_mut().for_each(|panel| panel.series.truncate(RELEASES + 1));
            (BarPlot { title, panels }.into(), "Probabilities before, and after each release.")
        }
        Plot::Density(all) => {
            let mut panels: Vec<_> = all.panels.get(index).cloned().into_iter().collect();
            panels.iter_mut().for_each(|panel| panel.curves.truncate(RELEASES + 1));
            let one = DensityPlot { title, unit: None, panels };
            (one.into(), "Probability densities before, and after each release.")
        }
        Plot::Line(_) | Plot::Heatmap(_) | Plot::Histogram(_) => (plot.clone(), "What each release reveals."),
    }
}

/// How far a value is from the first, in words; percentages differ by points.
fn change(measure: &Measure, (low, high): (f64, f64)) -> String {
    let (factor, points) = if measure.unit == Unit::Probability { (100.0, " points") } else { (1.0, "") };
    between((low * factor, high * factor), |end| match end {
        0.0 => signed(end, figure),
        _ => format!("{}{points}", signed(end, figure)),
    })
}

fn requirements(page: &mut Page, comparison: &Comparison, releases: &[Release]) {
    let requirements = comparison.requirements();
    if requirements.is_empty() {
        return;
    }
    section(page, "requirements", "Requirements");
    let headings: Vec<(&str, bool)> = std::iter::once(("requirement", false))
        .chain(releases.iter().map(|release| (&*release.label, false)))
        .collect();
    table(page, "Requirements of all releases", &headings);
    for (text, verdicts) in requirements {
        page.markup("<tr><th scope=\"row\">").name(&text).markup("</th>");
        for met in verdicts.iter().take(releases.len()) {
            holds(page, *met);
        }
        page.markup("</tr>\n");
    }
    end_table(page);
    close(page);
}
