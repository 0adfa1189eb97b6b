//! The page of a sweep over parameters.

use std::collections::BTreeSet;

use super::Provenance;
use super::figure::figure as draw;
use super::frame::{begin, close, end, end_table, left_out, section, table};
use super::glossary::glossary;
use super::inputs::options;
use super::listing::lines;
use super::page::Page;
use super::words::{count, figure, label, measure_value, percent, short};
use crate::report::comparison::between;
use crate::report::sweep_plot;
use privug_analysis::analysis::Request;
use privug_analysis::sweep::{Point, Sweep};
use privug_measures::channel::channel_measure;
use privug_measures::leakage::Measure;

/// Rows of the table.
const ROWS: usize = 200;
/// Measures that are shown.
const COLUMNS: usize = 12;
/// Points of a drawn line; a drawn map has so many in each direction.
const DRAWN_POINTS: usize = 400;
const DRAWN_CELLS: usize = 40;
/// Plots.
const FIGURES: usize = 4;

/// A sweep as a page; `request` is what was run for each value, `log` tells how the values are spaced.
pub fn sweep_to_html(sweep: &Sweep, request: &Request, log: bool, provenance: &Provenance) -> String {
    let over = sweep.parameters.join(" and ");
    let mut page = begin(&format!("What a release reveals, over {over}"), &request.path, provenance, |page| {
        page.markup("What a release reveals, over ").name(&sweep.parameters.join(", "));
    });
    let columns = sweep.columns.len().min(COLUMNS);
    verdict(&mut page, sweep, columns);
    inputs(&mut page, request);
    section(&mut page, "measures", "All values");
    let drawn = drawn(sweep, columns);
    for group in groups(&drawn).iter().take(FIGURES) {
        draw(&mut page, &sweep_plot(group, log), "What is measured, over the values of the parameters.");
    }
    if drawn.points.len() < sweep.points.len() {
        page.markup("<p class=\"left-out\">").text(&figure(drawn.points.len() as f64)).markup(" of ");
        page.text(&count(sweep.points.len(), "point")).markup(" are drawn.</p>\n");
    }
    values(&mut page, sweep, columns);
    close(&mut page);
    let mut measures: Vec<&Measure> = sweep.columns.iter().filter_map(|column| measure_of(column)).collect();
    measures.dedup_by_key(|measure| measure.name);
    glossary(&mut page, measures.into_iter());
    end(page, provenance, None)
}

/// The measure of a column; questions have none.
fn measure_of(column: &str) -> Option<&'static Measure> {
    let name = column.split(" of ").next().unwrap_or(column);
    Measure::named(name).or_else(|| channel_measure(name))
}

/// What a column is called: a measure by its label, a question by itself.
fn column_name(page: &mut Page, column: &str) {
    match (measure_of(column), column.split_once(" of ")) {
        (Some(measure), None) => page.text(&label(measure)),
        (Some(measure), Some((_, secret))) => page.text(&label(measure)).markup(" of ").name(secret),
        (None, _) => page.name(column),
    };
}

fn value_text(column: &str, value: f64) -> String {
    match measure_of(column) {
        Some(measure) => measure_value(measure, value),
        None if column.trim_start().starts_with("P(") => percent(value),
        None => figure(value),
    }
}

fn verdict(page: &mut Page, sweep: &Sweep, columns: usize) {
    page.markup("<section class=\"verdict\" aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">In short</h2>\n");
    let (Some(first), Some(last)) = (sweep.points.first(), sweep.points.last()) else {
        page.markup("<p class=\"lead\">There is nothing to report: no value was tried.</p>\n</section>\n");
        return;
    };
    page.markup("<p class=\"lead\">");
    for (axis, name) in sweep.parameters.iter().enumerate() {
        page.markup(if axis == 0 { "When " } else { " and " }).name(name).markup(" goes from ");
        page.strong(&short(first.parameters[axis])).markup(" to ").strong(&short(last.parameters[axis]));
    }
    page.markup(":</p>\n<ul>");
    for (index, column) in sweep.columns.iter().enumerate().take(columns) {
        page.markup("<li>");
        column_name(page, column);
        trend(page, sweep, index);
        page.markup(".</li>\n");
    }
    page.markup("</ul>\n");
    left_out(page, sweep.columns.len(), columns, "measure");
    page.markup("<p>").text(&count(sweep.points.len(), "analysis").replace("analysiss", "analyses"));
    page.markup(" were run.</p>\n</section>\n");
}

/// How a column goes over the points.
fn trend(page: &mut Page, sweep: &Sweep, column: usize) {
    let name = &sweep.columns[column];
    let values: Vec<(&Point, f64)> =
        sweep.points.iter().map(|point| (point, point.values[column])).filter(|(_, value)| !value.is_nan()).collect();
    let (Some((_, first)), Some((_, last))) = (values.first(), values.last()) else {
        page.markup(" is undefined");
        return;
    };
    let along = |better: fn(f64, f64) -> bool| values.windows(2).all(|pair| better(pair[0].1, pair[1].1));
    let shown = |value: f64| match measure_of(name) {
        Some(measure) if measure.unit == privug_measures::leakage::Unit::Bits => format!("{} bits", short(value)),
        _ => value_text(name, value),
    };
    if values.iter().all(|(_, value)| value == first) {
        page.markup(" stays at ").strong(&shown(*first));
    } else if sweep.parameters.len() == 1 && along(|one, next| one <= next) {
        page.markup(" rises from ").strong(&shown(*first)).markup(" to ").strong(&shown(*last));
    } else if sweep.parameters.len() == 1 && along(|one, next| one >= next) {
        page.markup(" falls from ").strong(&shown(*first)).markup(" to ").strong(&shown(*last));
    } else {
        let extreme = |better: fn(f64, f64) -> bool| {
            values.iter().reduce(|best, next| if better(next.1, best.1) { next } else { best })
        };
        for (words, found) in
            [(" is lowest, ", extreme(|one, best| one < best)), (", and highest, ", extreme(|one, best| one > best))]
        {
            let Some((point, value)) = found else { continue };
            page.markup(words).strong(&shown(*value)).markup(", at ");
            for (axis, (name, at)) in sweep.parameters.iter().zip(&point.parameters).enumerate() {
                page.markup(if axis > 0 { " and " } else { "" }).name(name).markup(" = ").text(&short(*at));
            }
        }
    }
}

fn inputs(page: &mut Page, request: &Request) {
    section(page, "inputs", "What this rests on");
    page.markup("<p>");
    match &request.function {
        Some(function) => page.markup("Function ").name(function).markup(" in ").name(&request.path),
        None => page.markup("The program ").name(&request.path),
    };
    page.markup(", run once for each value.</p>\n");
    let mut given: Vec<(&str, String)> = Vec::new();
    given.extend(request.bindings.iter().map(|binding| (binding.kind.option(), binding.to_string())));
    given.extend(request.secrets.iter().map(|text| ("--secret", text.clone())));
    given.extend(request.observations.iter().map(|observed| ("--observe", observed.to_string())));
    given.extend(request.truths.iter().map(|truth| ("--truth", truth.to_string())));
    let given: Vec<(&str, &str)> = given.iter().map(|(option, text)| (*option, text.as_str())).collect();
    options(page, &given);
    lines(page, &request.program, &BTreeSet::new(), |_, _| {});
    close(page);
}

/// The points that are drawn: not more than can be told apart.
fn drawn(sweep: &Sweep, columns: usize) -> Sweep {
    let kept: Vec<Point> = if let [_, _] = sweep.parameters.as_slice() {
        let distinct = |axis: usize| {
            let mut values: Vec<f64> = sweep.points.iter().map(|point| point.parameters[axis]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            let every = values.len().div_ceil(DRAWN_CELLS).max(1);
            values.into_iter().step_by(every).collect::<Vec<f64>>()
        };
        let (first, second) = (distinct(0), distinct(1));
        let is_kept = |values: &[f64], value: f64| values.binary_search_by(|other| other.total_cmp(&value)).is_ok();
        let both = |point: &&Point| is_kept(&first, point.parameters[0]) && is_kept(&second, point.parameters[1]);
        sweep.points.iter().filter(both).cloned().collect()
    } else {
        let every = sweep.points.len().div_ceil(DRAWN_POINTS).max(1);
        sweep.points.iter().step_by(every).cloned().collect()
    };
    let points = kept
        .into_iter()
        .map(|mut point| {
            point.values.truncate(columns);
            point.lows.truncate(columns);
            point
        })
        .collect();
    Sweep { parameters: sweep.parameters.clone(), columns: sweep.columns[..columns].to_vec(), points }
}

/// A sweep for each plot: measures of one unit together; on a map, one alone.
fn groups(sweep: &Sweep) -> Vec<Sweep> {
    let unit = |column: &String| measure_of(column).map(|measure| measure.unit);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, column) in sweep.columns.iter().enumerate() {
        let same = groups.iter_mut().find(|group| unit(&sweep.columns[group[0]]) == unit(column));
        match same.filter(|_| sweep.parameters.len() == 1) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    let part = |group: &Vec<usize>| Sweep {
        parameters: sweep.parameters.clone(),
        columns: group.iter().map(|index| sweep.columns[*index].clone()).collect(),
        points: sweep
            .points
            .iter()
            .map(|point| Point {
                parameters: point.parameters.clone(),
                values: group.iter().map(|index| point.values[*index]).collect(),
                lows: group.iter().map(|index| point.lows[*index]).collect(),
            })
            .collect(),
    };
    groups.iter().map(part).collect()
}

fn values(page: &mut Page, sweep: &Sweep, columns: usize) {
    let headings: Vec<(&str, bool)> =
        sweep.parameters.iter().chain(&sweep.columns[..columns]).map(|name| (name.as_str(), true)).collect();
    table(page, "All values", &headings);
    for point in sweep.points.iter().take(ROWS) {
        page.markup("<tr>");
        for value in &point.parameters {
            page.markup("<th scope=\"row\" class=\"n\">").text(&figure(*value)).markup("</th>");
        }
        for (place, column) in sweep.columns.iter().enumerate().take(columns) {
            let ends = (point.lows[place], point.values[place]);
            page.number_cell(&between(ends, |end| value_text(column, end)));
        }
        page.markup("</tr>\n");
    }
    end_table(page);
    left_out(page, sweep.points.len(), ROWS, "row");
}
