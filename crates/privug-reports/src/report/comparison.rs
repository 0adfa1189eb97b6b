//! Releases side by side, as text and JSON.

use super::notes::sentences;
use serde::Serialize;
use serde_json::Value;

use super::json::{Real, document, to_json};
use super::plot::{BarPanel, BarPlot, BarSeries, Curve, CurveStyle, DensityPlot, Panel, Plot, after, beliefs};
use super::text::{Palette, grid, heading, known, line};
use privug_analysis::compare::{Comparison, is_shown};
use privug_language::words::number;

/// A table for people: a column for each release, with the difference from the first behind each value.
pub fn comparison_to_text(comparison: &Comparison, palette: Palette) -> String {
    let mut text = String::new();
    heading(&mut text, "Releases", palette.heading, palette);
    for (index, release) in comparison.releases.iter().enumerate() {
        let analysis = &release.analysis;
        let of_choices = analysis.choices.as_ref().map_or(0, |choices| choices.outputs.len() + choices.seen.len());
        let published = analysis.observations.len() + analysis.outputs.len() + of_choices;
        let plural = if published == 1 { "" } else { "s" };
        line(
            &mut text,
            format_args!(
                "  {}. {}: {} in {}, {published} output{plural}",
                index + 1,
                release.label,
                analysis.function,
                analysis.path
            ),
        );
    }
    let rows = comparison.rows();
    for (secret, name) in comparison.secrets().iter().enumerate() {
        heading(&mut text, &format!("What each release reveals about {name}"), palette.heading, palette);
        let mut cells = vec![std::iter::once(String::new()).chain(labels(comparison)).collect::<Vec<String>>()];
        for row in rows.iter().filter(|row| row.secret == secret && is_shown(row.measure)) {
            let mut cell_row = vec![row.measure.name.to_owned()];
            for index in 0..row.values.len() {
                let change = match (index, row.difference_ends(index)) {
                    (0, _) | (_, None) => String::new(),
                    (_, Some((low, high))) => format!(" ({})", between((low, high), |end| signed(end, number))),
                };
                let value = row.ends(index).map_or_else(|| known(None), |ends| between(ends, number));
                cell_row.push(format!("{value}{change}"));
            }
            cells.push(cell_row);
        }
        grid(&mut text, &cells);
    }
    let requirements = comparison.requirements();
    if !requirements.is_empty() {
        heading(&mut text, "Requirements", palette.heading, palette);
        let mut cells = vec![std::iter::once(String::new()).chain(labels(comparison)).collect::<Vec<String>>()];
        for (requirement, holds) in requirements {
            let verdicts = holds.iter().map(|holds| if *holds { "met" } else { "FAILED" }.to_owned());
            cells.push(std::iter::once(requirement).chain(verdicts).collect());
        }
        grid(&mut text, &cells);
    }
    let notes: Vec<String> = comparison
        .releases
        .iter()
        .flat_map(|release| {
            sentences(&release.analysis.notes).into_iter().map(move |note| format!("{}: {note}", release.label))
        })
        .collect();
    if !notes.is_empty() {
        heading(&mut text, "Caveats", palette.warning, palette);
        for note in notes {
            line(&mut text, format_args!("  - {note}"));
        }
    }
    text
}

/// A number that lies between two, as one where they do not differ in the digits that are shown.
pub(super) fn between((low, high): (f64, f64), shown: impl Fn(f64) -> String) -> String {
    let (low, high) = (shown(low), shown(high));
    if low == high { high } else { format!("{low} to {high}") }
}

/// A difference with its sign.
pub(super) fn signed(difference: f64, shown: impl Fn(f64) -> String) -> String {
    match difference {
        0.0 => "same".to_owned(),
        _ if difference > 0.0 => format!("+{}", shown(difference)),
        _ => shown(difference),
    }
}

fn labels(comparison: &Comparison) -> impl Iterator<Item = String> + '_ {
    comparison.releases.iter().map(|release| release.label.clone())
}

/// A style for each release that differs from that of what was known before (which looks like the second series).
fn release_style(number: usize) -> CurveStyle {
    CurveStyle::Series(if number == 0 { 0 } else { number + 1 })
}

/// The densities under all releases, over each other: a panel for each secret.
pub fn comparison_plot(comparison: &Comparison) -> Plot {
    let first = &comparison.releases[0].analysis;
    if first.choices.is_some() {
        return choices_plot(comparison).into();
    }
    let panels = first.secrets.iter().enumerate().map(|(index, secret)| {
        let known = &secret.knowledge;
        let mut curves = vec![Curve {
            label: "before".to_owned(),
            mean: known.prior_mean,
            variance: known.prior_variance,
            style: CurveStyle::Before,
            placed: true,
        }];
        curves.extend(comparison.releases.iter().enumerate().map(|(number, release)| {
            let secret = release.analysis.secrets.get(index);
            after(&secret, &release.label, release_style(number))
        }));
        Panel { name: secret.name.clone(), curves, truth: secret.truth, interval_level: first.level }
    });
    DensityPlot { title: "What each release reveals".to_owned(), unit: None, panels: panels.collect() }.into()
}

/// The probabilities under all releases, beside each other.
fn choices_plot(comparison: &Comparison) -> BarPlot {
    let secret_of = |release: usize, secret: usize| {
        comparison.releases[release].analysis.choices.as_ref().and_then(|choices| choices.secrets.get(secret))
    };
    let panels = comparison.secrets().into_iter().enumerate().filter_map(|(place, name)| {
        let first = secret_of(0, place)?;
        let bins = beliefs::bins(&[&first.prior]);
        let mut series = vec![BarSeries {
            label: "before".to_owned(),
            heights: beliefs::heights(&first.prior, &bins),
            style: CurveStyle::Before,
        }];
        for (number, release) in comparison.releases.iter().enumerate() {
            let Some(secret) = secret_of(number, place) else { continue };
            let (label, heights) = beliefs::later(secret, &bins)?;
            let label = if label == "after" { release.label.clone() } else { format!("{}: {label}", release.label) };
            series.push(BarSeries { label, heights, style: release_style(number) });
        }
        Some(BarPanel { name, labels: bins.labels(), series, truth: None })
    });
    BarPlot { title: "What each release reveals".to_owned(), panels: panels.collect() }
}

#[derive(Serialize)]
struct ComparisonDocument<'a> {
    schema: &'static str,
    secrets: &'a [String],
    measures: Vec<ComparedMeasure<'a>>,
    requirements: Vec<ComparedRequirement>,
    releases: Vec<ComparedRelease<'a>>,
}

#[derive(Serialize)]
struct ComparedMeasure<'a> {
    secret: &'a str,
    measure: &'static str,
    values: Vec<Option<Real>>,
    differences: Vec<Option<Real>>,
    bounds: Vec<Option<[Real; 2]>>,
    difference_bounds: Vec<Option<[Real; 2]>>,
}

#[derive(Serialize)]
struct ComparedRequirement {
    requirement: String,
    holds: Vec<bool>,
}

#[derive(Serialize)]
struct ComparedRelease<'a> {
    label: &'a str,
    analysis: Value,
}

/// The JSON document `privug.comparison/1`.
pub fn comparison_to_json(comparison: &Comparison) -> Value {
    let secrets = comparison.secrets();
    let pair = |(low, high): (f64, f64)| [Real(low), Real(high)];
    let known = |values: &[Option<f64>]| values.iter().map(|value| value.map(Real)).collect();
    let measures = comparison.rows().into_iter().map(|row| ComparedMeasure {
        secret: &secrets[row.secret],
        measure: row.measure.name,
        values: known(&row.values),
        differences: known(&row.differences()),
        bounds: row.bounds.iter().map(|bounds| bounds.map(pair)).collect(),
        difference_bounds: (0..row.values.len())
            .map(|release| {
                let is_proven = row.bounds[release].is_some() || row.bounds[0].is_some();
                row.difference_ends(release).filter(|_| is_proven && release > 0).map(pair)
            })
            .collect(),
    });
    let requirements = comparison.requirements().into_iter();
    let requirements = requirements.map(|(requirement, holds)| ComparedRequirement { requirement, holds });
    let releases = comparison
        .releases
        .iter()
        .map(|release| ComparedRelease { label: &release.label, analysis: to_json(&release.analysis) });
    document(&ComparisonDocument {
        schema: "privug.comparison/1",
        secrets: &secrets,
        measures: measures.collect(),
        requirements: requirements.collect(),
        releases: releases.collect(),
    })
}
