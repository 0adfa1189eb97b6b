//! Sweeps and calibrations as tables, comma-separated values and JSON.

use serde::Serialize;
use serde_json::Value;

use super::comparison::between;
use super::json::{Real, Requirement, document, reals, requirements};
use super::plot::{Heatmap, LinePlot, Plot, Series};
use privug_analysis::sweep::{Axis, Calibrated, Outcome, Sweep};
use privug_language::diagnostic::visible;
use privug_language::words::{number, number_near};

/// A table for people.
pub fn sweep_to_text(sweep: &Sweep) -> String {
    let headings = sweep.parameters.iter().chain(&sweep.columns);
    let headings: Vec<String> = headings.map(|name| visible(name).into_owned()).collect();
    let rows: Vec<Vec<String>> = sweep
        .points
        .iter()
        .map(|point| {
            let parameters = point.parameters.iter().map(|value| number(*value));
            let values = point.lows.iter().zip(&point.values).map(|(low, high)| between((*low, *high), number));
            parameters.chain(values).collect()
        })
        .collect();
    let widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(column, heading)| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([heading.chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        format!("{}\n", padded.join("   "))
    };
    std::iter::once(&headings).chain(&rows).map(|row| line(row)).collect()
}

/// Comma-separated values, numbers in full.
pub fn sweep_to_csv(sweep: &Sweep) -> String {
    let quoted = |name: &String| {
        let name = visible(name);
        if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.into_owned() }
    };
    let headings: Vec<String> = sweep.parameters.iter().chain(&sweep.columns).map(quoted).collect();
    let mut csv = headings.join(",") + "\n";
    for point in &sweep.points {
        let cells: Vec<String> =
            point.parameters.iter().chain(&point.values).map(|value| format!("{value:?}")).collect();
        csv.push_str(&cells.join(","));
        csv.push('\n');
    }
    csv
}

#[derive(Serialize)]
struct SweepDocument<'a> {
    schema: &'static str,
    parameters: &'a [String],
    measures: &'a [String],
    points: Vec<SweepPoint>,
}

#[derive(Serialize)]
struct SweepPoint {
    parameters: Vec<Real>,
    values: Vec<Real>,
    bounds: Vec<Option<[Real; 2]>>,
}

/// Both ends, where they differ.
fn bounds(low: f64, high: f64) -> Option<[Real; 2]> {
    (low < high).then_some([Real(low), Real(high)])
}

/// The JSON document `privug.sweep/1`.
pub fn sweep_to_json(sweep: &Sweep) -> Value {
    let points = sweep.points.iter().map(|point| SweepPoint {
        parameters: reals(point.parameters.iter().copied()),
        values: reals(point.values.iter().copied()),
        bounds: point.lows.iter().zip(&point.values).map(|(low, high)| bounds(*low, *high)).collect(),
    });
    document(&SweepDocument {
        schema: "privug.sweep/1",
        parameters: &sweep.parameters,
        measures: &sweep.columns,
        points: points.collect(),
    })
}

/// The measures over the parameter: a curve for each, or a map if there are two parameters.
pub fn sweep_plot(sweep: &Sweep, log: bool) -> Plot {
    if let [first, second] = sweep.parameters.as_slice() {
        return heatmap(sweep, first, second).into();
    }
    let series = sweep.columns.iter().enumerate().map(|(column, label)| Series {
        label: label.clone(),
        points: sweep.points.iter().map(|point| (point.parameters[0], point.values[column])).collect(),
    });
    let series: Vec<Series> = series.collect();
    let values = series.iter().flat_map(|series| series.points.iter().map(|(_, value)| *value));
    LinePlot {
        title: format!("{} over {}", sweep.columns.join(", "), sweep.parameters[0]),
        x_label: sweep.parameters[0].clone(),
        y_label: if let [only] = sweep.columns.as_slice() { only.clone() } else { "value".to_owned() },
        log_x: log,
        log_y: spans_magnitudes(values),
        series,
        threshold: None,
    }
    .into()
}

/// Whether positive values differ so much that only a logarithmic axis shows them all.
fn spans_magnitudes(values: impl Iterator<Item = f64>) -> bool {
    const MAGNITUDES: f64 = 100.0;
    let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let least = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let most = finite.iter().copied().fold(0.0, f64::max);
    least > 0.0 && most / least > MAGNITUDES
}

/// The first measure over two parameters.
fn heatmap(sweep: &Sweep, first: &str, second: &str) -> Heatmap {
    let distinct = |axis: usize| {
        let mut values: Vec<f64> = Vec::new();
        for point in &sweep.points {
            if !values.contains(&point.parameters[axis]) {
                values.push(point.parameters[axis]);
            }
        }
        values
    };
    let (xs, ys) = (distinct(0), distinct(1));
    // The last parameter changes fastest; a row of the map has one value of it.
    let value = |x: usize, y: usize| sweep.points[x * ys.len() + y].values.first().copied().unwrap_or(f64::NAN);
    let values: Vec<Vec<f64>> = (0..ys.len()).map(|y| (0..xs.len()).map(|x| value(x, y)).collect()).collect();
    let measure = sweep.columns.first().cloned().unwrap_or_default();
    Heatmap {
        title: format!("{measure} over {first} and {second}"),
        x_label: first.to_owned(),
        y_label: second.to_owned(),
        value_label: measure,
        log_values: spans_magnitudes(values.iter().flatten().copied()),
        xs,
        ys,
        values,
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Found => "found",
        Outcome::HoldsAtEnd => "holds_at_end",
        Outcome::HoldsNowhere => "holds_nowhere",
    }
}

#[derive(Serialize)]
struct CalibrationDocument<'a> {
    schema: &'static str,
    parameter: &'a str,
    range: [f64; 2],
    wanted: &'static str,
    outcome: &'static str,
    value: Option<Real>,
    fails_at: Option<Real>,
    monotone: bool,
    runs: usize,
    requirements: Vec<Requirement<'a>>,
}

/// The JSON document `privug.calibration/1`.
pub fn calibration_to_json(axis: &Axis, result: &Calibrated, smallest: bool) -> Value {
    document(&CalibrationDocument {
        schema: "privug.calibration/1",
        parameter: &axis.name,
        range: [axis.from, axis.to],
        wanted: if smallest { "smallest" } else { "largest" },
        outcome: outcome_name(result.outcome),
        value: (result.outcome != Outcome::HoldsNowhere).then_some(Real(result.value)),
        fails_at: result.fails_at.map(Real),
        monotone: !result.switches_repeatedly,
        runs: result.runs,
        requirements: requirements(&result.analysis),
    })
}

/// What was found, in words.
pub fn calibration_to_text(axis: &Axis, result: &Calibrated, smallest: bool) -> String {
    let (name, value) = (&axis.name, result.value);
    let wanted = if smallest { "smallest" } else { "largest" };
    let range = format!("{}..{}", number(axis.from), number(axis.to));
    let mut text = match (result.outcome, result.fails_at) {
        (Outcome::Found, _) => {
            format!("{name} = {value:?} is the {wanted} value in {range} that meets the requirements\n")
        }
        (Outcome::HoldsAtEnd, None) => {
            format!(
                "every value of {name} that was tried in {range} meets the requirements, including {}\n",
                number(value)
            )
        }
        (Outcome::HoldsAtEnd, Some(fails)) => format!(
            "{name} = {} meets the requirements; it is the {wanted} value of the range {range} (they fail at {})\n",
            number(value),
            number(fails)
        ),
        (Outcome::HoldsNowhere, _) => format!("no value of {name} that was tried in {range} meets the requirements\n"),
    };
    let at =
        if result.outcome == Outcome::HoldsNowhere { format!(" at {name} = {}", number(value)) } else { String::new() };
    for requirement in &result.analysis.requirements {
        let verdict = if requirement.holds { "met   " } else { "FAILED" };
        let value = number_near(requirement.value, requirement.limit.abs() * 1e-6);
        text.push_str(&format!("  {verdict}  {}: {value}{at}\n", requirement.text));
    }
    if let (Outcome::Found, Some(fails)) = (result.outcome, result.fails_at) {
        text.push_str(&format!("  they fail at {name} = {fails:?}\n"));
    }
    if result.switches_repeatedly {
        text.push_str(
            "  caveat: the requirements hold, fail and hold again within the range; other values may meet them too\n",
        );
    }
    text.push_str(&format!("  {} runs\n", result.runs));
    text
}
