//! What a result rests on: the priors, what was published, the mechanisms, the program.

use super::frame::{end_table, left_out, table};
use super::listing::listing;
use super::page::Page;
use super::words::{count, figure, near, short};
use crate::report::shortened;
use privug_analysis::analysis::{Analysis, Status};
use privug_engine::mechanism::NEIGHBOURS;

/// More rows of a table than this are left out.
const ROWS: usize = 40;
/// The longest expression that is shown whole.
const LONGEST_EXPRESSION: usize = 400;

/// All of it; headings of `level` 3, or 4 inside another part.
pub(super) fn inputs(page: &mut Page, analysis: &Analysis, deeper: bool) {
    let heading = |page: &mut Page, words: &'static str| {
        page.markup(if deeper { "<h4>" } else { "<h3>" }).markup(words);
        page.markup(if deeper { "</h4>\n" } else { "</h3>\n" });
    };
    heading(page, "What the attacker knows beforehand");
    priors(page, analysis);
    heading(page, "What is published");
    published(page, analysis);
    if !analysis.mechanisms.is_empty() {
        heading(page, "Protective noise");
        mechanisms(page, analysis);
    }
    heading(page, "The program");
    page.markup("<p>Function ").name(&analysis.function).markup(" in ").name(&analysis.path).markup(", with ");
    page.text(&count(analysis.variable_count, "random variable")).markup(".</p>\n");
    beside(page, analysis);
    listing(page, analysis);
}

fn priors(page: &mut Page, analysis: &Analysis) {
    page.markup("<p>The attacker’s knowledge is modelled as normal distributions.</p>\n");
    let headings = [("secret", false), ("expected value", true), ("standard deviation", true), ("variance", true)];
    table(page, "Priors", &headings);
    for secret in analysis.secrets.iter().take(ROWS) {
        let known = &secret.knowledge;
        page.markup("<tr><th scope=\"row\">").name(&secret.name).markup("</th>");
        page.number_cell(&near(known.prior_mean, known.prior_std())).number_cell(&figure(known.prior_std()));
        page.number_cell(&figure(known.prior_variance)).markup("</tr>\n");
    }
    end_table(page);
    left_out(page, analysis.secrets.len(), ROWS, "secret");
}

fn published(page: &mut Page, analysis: &Analysis) {
    if analysis.observations.is_empty() && analysis.outputs.is_empty() {
        page.markup("<p>Nothing.</p>\n");
        return;
    }
    let status = |status| match status {
        Status::Used => "something new",
        Status::Redundant => "nothing new: it follows from the others",
    };
    if !analysis.observations.is_empty() {
        let headings = [
            ("output", false),
            ("line", true),
            ("value seen", true),
            ("the prior expects", true),
            ("distance in std. dev.", true),
            ("what it reveals", false),
        ];
        table(page, "Observed outputs", &headings);
        for seen in analysis.observations.iter().take(ROWS) {
            let std_dev = seen.predicted_variance.sqrt();
            let mut value = near(seen.value, std_dev);
            if seen.noise_variance > 0.0 {
                value.push_str(&format!(" ± {}", short(seen.noise_variance.sqrt())));
            }
            page.markup("<tr><th scope=\"row\">").name(&seen.name).markup("</th>");
            page.number_cell(&figure(seen.line as f64)).number_cell(&value);
            page.number_cell(&format!("{} ± {}", near(seen.predicted_mean, std_dev), short(std_dev)));
            page.number_cell(&short(seen.z)).cell(status(seen.status)).markup("</tr>\n");
        }
        end_table(page);
        left_out(page, analysis.observations.len(), ROWS, "observation");
    }
    if !analysis.outputs.is_empty() {
        page.markup("<p>Published, but no value was seen:</p>\n");
        let headings = [("output", false), ("line", true), ("the prior expects", true), ("what it reveals", false)];
        table(page, "Outputs that were not seen", &headings);
        for output in analysis.outputs.iter().take(ROWS) {
            let std_dev = output.variance.sqrt();
            page.markup("<tr><th scope=\"row\">").name(&output.name).markup("</th>");
            page.number_cell(&figure(output.line as f64));
            page.number_cell(&format!("{} ± {}", near(output.mean, std_dev), short(std_dev)));
            page.cell(status(output.status)).markup("</tr>\n");
        }
        end_table(page);
        left_out(page, analysis.outputs.len(), ROWS, "output");
    }
}

fn mechanisms(page: &mut Page, analysis: &Analysis) {
    let headings = [
        ("applied to", false),
        ("std. dev. of the noise", true),
        ("ε", true),
        ("δ", true),
        ("sensitivity", true),
        ("zCDP ρ", true),
        ("Gaussian DP μ", true),
        ("calibration", false),
    ];
    table(page, "Privacy mechanisms", &headings);
    for applied in analysis.mechanisms.iter().take(ROWS) {
        let by = &applied.calibration;
        page.markup("<tr><th scope=\"row\">").name(&applied.name).markup("</th>");
        for value in [by.std_dev, by.epsilon, by.delta, by.sensitivity, by.rho_zcdp, by.mu_gdp] {
            page.number_cell(&figure(value));
        }
        page.cell(by.method.name()).markup("</tr>\n");
    }
    end_table(page);
    left_out(page, analysis.mechanisms.len(), ROWS, "mechanism");
    page.markup("<p>Neighbours are ").text(NEIGHBOURS).markup(".");
    if let Some(all) = analysis.composition() {
        page.markup(" Together the mechanisms give (").text(&figure(all.epsilon)).markup(", ").text(&figure(all.delta));
        page.markup(")-differential privacy; zCDP ρ ").text(&figure(all.rho_zcdp));
        page.markup(", Gaussian DP μ ").text(&figure(all.mu_gdp)).markup(".");
    }
    page.markup("</p>\n");
}

/// What was given beside the program.
pub(super) fn beside(page: &mut Page, analysis: &Analysis) {
    let given: Vec<(&str, &str)> = analysis
        .sources
        .iter()
        .skip(1)
        .map(|source| (source.name.as_str(), &*source.text))
        .filter(|(flag, _)| matches!(*flag, "--prior" | "--set" | "--secret" | "--observe" | "--truth" | "--gain"))
        .collect();
    options(page, &given);
}

/// Options with their values.
pub(super) fn options(page: &mut Page, given: &[(&str, &str)]) {
    if given.is_empty() {
        return;
    }
    page.markup("<p>Given alongside the program:</p>\n<ul class=\"options\">");
    for (flag, text) in given.iter().take(ROWS) {
        page.markup("<li>").name(flag).markup(" <code><bdi>").text(&shortened(text, LONGEST_EXPRESSION));
        page.markup("</bdi></code></li>\n");
    }
    page.markup("</ul>\n");
    if given.len() > ROWS {
        let more = count(given.len() - ROWS, "more option");
        page.markup("<p class=\"left-out\">").text(&more).markup(" left out here; the command below has them.</p>\n");
    }
}
