//! What an attacker knows before and after, secret by secret: plots and tables.

use super::figure::figure as draw;
use super::frame::{self, close, end_table, left_out, section, table};
use super::page::Page;
use super::words::{bits, figure, interval, known_value, label, level_percent, near, short};
use crate::report::plot::{DensityPlot, Panel, Plot, before_and_after as curves};
use crate::report::shortened;
use privug_analysis::analysis::{Analysis, OutputLeak, SecretResult};
use privug_measures::leakage::{Knowledge, MEASURES, Measure, Normal, Reading, Unit};

/// Secrets with a plot and tables of their own.
const DETAILED: usize = 6;
/// Secrets in the table of all.
const LISTED: usize = 100;
/// Outputs of a table.
const OUTPUTS: usize = 40;
/// The longest fraction that is shown whole.
const LONGEST_FRACTION: usize = 120;

/// The measures that a person reads first.
pub(super) const MAIN: &[&str] = &[
    "mutual_information_bits",
    "kl_posterior_prior_bits",
    "fully_disclosed",
    "squared_error_ratio",
    "total_variation",
    "bayes_vulnerability_prior",
    "bayes_vulnerability_posterior",
    "truth_error_prior",
    "truth_error_posterior",
    "truth_within_5_percent_prior",
    "truth_within_5_percent_posterior",
];

/// The whole section.
pub(super) fn knowledge(page: &mut Page, analysis: &Analysis) {
    section(page, "knowledge", "What the attacker knows, before and after");
    if analysis.secrets.len() > 1 {
        all_secrets(page, analysis);
    }
    for secret in analysis.secrets.iter().take(DETAILED) {
        page.markup("<h3>").name(&secret.name).markup("</h3>\n");
        let open = secret.knowledge.is_open();
        let caption = if open {
            "Probability densities before (dashed) and as if everything were published (solid). Where the solid curve will be depends on the values; its width does not."
        } else {
            "Probability densities before (dashed) and after (solid)."
        };
        draw(page, &plot(&secret, analysis.level), caption);
        before_and_after(page, &secret, analysis.level);
        page.markup(if open { "<h4>How much publishing would leak</h4>\n" } else { "<h4>How much was leaked</h4>\n" });
        measures(page, &secret);
        by_output(page, &secret);
    }
    if analysis.secrets.len() > DETAILED {
        page.markup("<p class=\"left-out\">Plots and measures of ")
            .text(&figure((analysis.secrets.len() - DETAILED) as f64));
        page.markup(" more secrets are left out here; <code>--json</code> has all measures.</p>\n");
    }
    exact(page, analysis);
    close(page);
}

fn plot(secret: &SecretResult, level: f64) -> Plot {
    let curves = curves(secret).into();
    let panel = Panel { name: secret.name.clone(), curves, truth: secret.truth, interval_level: level };
    DensityPlot { title: "What is known before and after".to_owned(), unit: None, panels: vec![panel] }.into()
}

/// How wide the range will be around a best guess that is not known yet.
fn width_if_published(known: &Knowledge, level: f64) -> String {
    let published = Normal::new(0.0, known.variance_if_all_published);
    match published.and_then(|normal| normal.credible_interval(level)) {
        Some((_, half)) if half > 0.0 => format!("best guess ± {}", short(half)),
        _ => "exactly known".to_owned(),
    }
}

fn all_secrets(page: &mut Page, analysis: &Analysis) {
    let open = analysis.is_open();
    let range = format!("{} range", level_percent(analysis.level));
    let headings = [
        ("secret", false),
        (&*format!("before: {range}"), true),
        (&*format!("{}: {range}", if open { "as if published" } else { "after" }), true),
        ("std. dev. before", true),
        (if open { "as if published" } else { "after" }, true),
        ("the release reveals", true),
    ];
    table(page, "All secrets", &headings);
    for secret in analysis.secrets.iter().take(LISTED) {
        let known = &secret.knowledge;
        let published = known.as_if_published();
        page.markup("<tr><th scope=\"row\">").name(&secret.name).markup("</th>");
        page.number_cell(&interval(known.prior(), analysis.level).unwrap_or_default());
        let after = if known.is_open() {
            width_if_published(known, analysis.level)
        } else {
            interval(known.posterior(), analysis.level).unwrap_or_default()
        };
        page.number_cell(&if known.fully_disclosed() { format!("exactly {after}") } else { after });
        page.number_cell(&short(known.prior_std())).number_cell(&short(published.posterior_std()));
        page.number_cell(&bits(known.mutual_information_bits())).markup("</tr>\n");
    }
    end_table(page);
    left_out(page, analysis.secrets.len(), LISTED, "secret");
}

fn before_and_after(page: &mut Page, secret: &SecretResult, level: f64) {
    let known = &secret.knowledge;
    let range = format!("{} range", level_percent(level));
    let headings =
        [("", false), ("best guess", true), ("standard deviation", true), ("variance", true), (range.as_str(), true)];
    table(page, "Before and after", &headings);
    // Where both are nearly the same, the digits that differ must be visible.
    let resolution = known.prior_std().min(known.mean_shift.abs().max(known.prior_std() * 1e-6));
    let mut states = vec![("before", known.prior_mean, known.prior_variance, known.prior())];
    let seen = known.mean_shift != 0.0 || known.variance_reduction != 0.0;
    if !known.is_open() || seen {
        let when = if known.is_open() { "after what was seen" } else { "after" };
        states.push((when, secret.posterior_mean, known.posterior_variance, known.posterior()));
    }
    for (when, mean, variance, normal) in states {
        page.markup("<tr><th scope=\"row\">").text(when).markup("</th>");
        page.number_cell(&near(mean, if variance > 0.0 { resolution } else { 0.0 }));
        page.number_cell(&figure(variance.sqrt())).number_cell(&figure(variance));
        let exactly = if variance == 0.0 { "exactly " } else { "" };
        page.number_cell(&format!("{exactly}{}", interval(normal, level).unwrap_or_default())).markup("</tr>\n");
    }
    if known.is_open() {
        let published = known.as_if_published();
        page.markup("<tr><th scope=\"row\">as if published</th>").number_cell("unknown");
        page.number_cell(&figure(published.posterior_std())).number_cell(&figure(published.posterior_variance));
        page.number_cell(&width_if_published(known, level)).markup("</tr>\n");
    }
    if let Some(truth) = secret.truth {
        page.markup("<tr><th scope=\"row\">in truth</th>").number_cell(&near(truth, resolution));
        page.markup("<td></td><td></td><td></td></tr>\n");
    }
    end_table(page);
}

fn measures(page: &mut Page, secret: &SecretResult) {
    let main = MAIN.iter().filter_map(|name| Measure::named(name));
    measure_table(page, "Main measures", main, secret);
    page.markup("<details><summary>All measures</summary>\n");
    let others = MEASURES.iter().filter(|measure| !MAIN.contains(&measure.name));
    measure_table(page, "All other measures", others, secret);
    page.markup("</details>\n");
}

fn measure_table(page: &mut Page, name: &str, measures: impl Iterator<Item = &'static Measure>, secret: &SecretResult) {
    frame::measure_table(page, name);
    for measure in measures {
        let reading = measure.read(&secret.measures);
        if reading == Reading::NeedsTruth {
            continue;
        }
        page.markup("<tr><th scope=\"row\">").text(&label(measure)).markup("</th>");
        page.number_cell(&known_value(measure, reading.value())).cell(unit(measure.unit)).markup("<td>");
        page.text(measure.meaning);
        if measure.name.starts_with("bayes_vulnerability") {
            page.text(&format!(" The tolerance is ± {}.", short(secret.measures.guess_tolerance())));
        }
        page.markup("</td></tr>\n");
    }
    frame::end_measure_table(page);
}

/// The unit in few words.
pub(super) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Bits => "bits",
        Unit::Secret => "unit of the secret",
        Unit::SecretSquared => "its square",
        Unit::Probability => "probability",
        Unit::Ratio => "ratio",
        Unit::YesNo => "yes or no",
    }
}

fn by_output(page: &mut Page, secret: &SecretResult) {
    let telling: Vec<&OutputLeak> = secret.by_output.iter().filter(|leak| leak.tells()).collect();
    if telling.len() < 2 {
        return;
    }
    page.markup("<h4>What each output reveals</h4>\n");
    let headings = [("output", false), ("line", true), ("alone, bits", true), ("added to those above, bits", true)];
    table(page, "What each output reveals", &headings);
    for leak in telling.iter().take(OUTPUTS) {
        page.markup("<tr><th scope=\"row\">").name(&leak.output).markup("</th>");
        page.number_cell(&figure(leak.line as f64)).number_cell(&figure(leak.alone_bits));
        page.number_cell(&figure(leak.added_bits)).markup("</tr>\n");
    }
    end_table(page);
    left_out(page, telling.len(), OUTPUTS, "output");
}

fn exact(page: &mut Page, analysis: &Analysis) {
    let Some(exact) = &analysis.exact else { return };
    page.markup("<h3>Exactly</h3>\n");
    let heading = if analysis.is_open() { "variance as if published" } else { "variance after" };
    table(page, "Exact numbers", &[("secret", false), ("mean after", true), (heading, true)]);
    let numbers = exact.mean.iter().zip(&exact.variance_if_published);
    for (secret, (mean, variance)) in analysis.secrets.iter().zip(numbers).take(LISTED) {
        let mean = if secret.knowledge.is_open() { "unknown".to_owned() } else { shortened(mean, LONGEST_FRACTION) };
        page.markup("<tr><th scope=\"row\">").name(&secret.name).markup("</th>");
        page.number_cell(&mean).number_cell(&shortened(variance, LONGEST_FRACTION));
        page.markup("</tr>\n");
    }
    end_table(page);
    left_out(page, analysis.secrets.len(), LISTED, "secret");
}
