//! Probabilities of values: a row for each value, with a bar for each distribution.

use super::font::{Font, clean};
use super::frame::heading;
use super::model::{BarPanel, BarPlot};
use super::palette::{FAINT, INK, RULE, stroke};
use super::scene::{Anchor, Mark, Rect, Scene};
use crate::report::number;
use privug_engine::sorting::CompactSort;

const WIDTH: f64 = 760.0;
const TEXT: f64 = 10.5;
const BAR: f64 = 10.0;
const GAP: f64 = 8.0;
/// Secrets that are drawn.
const PANELS: usize = 12;
/// Values of a secret that are drawn.
const VALUES: usize = 40;

/// The picture.
pub(super) fn draw(plot: &BarPlot) -> Scene {
    let font = Font::new();
    let title = clean(&plot.title);
    let (mut marks, mut y) = heading(&title, WIDTH, &font);
    let mut told = Vec::new();
    for panel in plot.panels.iter().take(PANELS) {
        y = draw_panel(panel, y + 14.0, &font, &mut marks, &mut told);
    }
    let mut notes = Vec::new();
    if plot.panels.len() > PANELS {
        notes.push(format!("{} more secrets are not drawn.", plot.panels.len() - PANELS));
    }
    if plot.panels.is_empty() {
        notes.push("There is nothing to draw.".to_owned());
    }
    for note in notes {
        marks.push(Mark::text(20.0, y + 14.0, note, TEXT, FAINT));
        y += 16.0;
    }
    let description = format!("Probabilities. {}.", told.join("; "));
    Scene { width: WIDTH, height: (y + 16.0).ceil(), title, description, marks }
}

/// Draws a panel from a height on, and tells where it ends.
fn draw_panel(panel: &BarPanel, top: f64, font: &Font, marks: &mut Vec<Mark>, told: &mut Vec<String>) -> f64 {
    let mut y = top + 14.0;
    marks.push(Mark::text(20.0, y, font.fit(&clean(&panel.name), 13.0, WIDTH - 40.0), 13.0, INK));
    y += 16.0;
    let mut x = 20.0;
    for series in &panel.series {
        let label = font.fit(&clean(&series.label), TEXT, 300.0);
        let swatch = Rect { x, y: y - 8.0, width: 10.0, height: 8.0 };
        marks.push(Mark::Area { points: swatch.corners(), fill: stroke(series.style).colour, opacity: 1.0 });
        marks.push(Mark::text(x + 14.0, y, label.clone(), TEXT, INK));
        x += 34.0 + font.width(&label, TEXT);
        if x > WIDTH - 160.0 {
            (x, y) = (20.0, y + 15.0);
        }
    }
    y += 12.0;
    let places = drawn(panel);
    let labels: Vec<String> = places.iter().map(|place| font.fit(&clean(&panel.labels[*place]), TEXT, 220.0)).collect();
    let widest = labels.iter().map(|label| font.width(label, TEXT)).fold(20.0, f64::max) + 32.0;
    let (left, right) = (30.0 + widest + 12.0, WIDTH - 90.0);
    let row = BAR * panel.series.len() as f64 + GAP;
    let bottom = y + row * places.len() as f64;
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = left + (right - left) * share;
        marks.push(Mark::line((x, y), (x, bottom), if share == 0.0 { INK } else { RULE }, 0.8));
        marks.push(Mark::anchored(x, bottom + 13.0, number(share), 9.5, FAINT, Anchor::Middle));
    }
    for (place, label) in places.iter().zip(labels) {
        let middle = y + GAP / 2.0 + BAR * panel.series.len() as f64 / 2.0;
        let is_truth = panel.truth == Some(*place);
        let name = if is_truth { format!("truth: {label}") } else { label };
        marks.push(Mark::anchored(left - 8.0, middle + 3.5, name, TEXT, INK, Anchor::End));
        for (number_of, series) in panel.series.iter().enumerate() {
            let height = series.heights.get(*place).copied().unwrap_or(0.0);
            let width = (right - left) * height.clamp(0.0, 1.0);
            let at = y + GAP / 2.0 + BAR * number_of as f64;
            let shown = three_decimals(height);
            let body =
                Rect { x: left, y: at, width: width.max(if height > 0.0 { 0.8 } else { 0.0 }), height: BAR - 1.0 };
            let fill = stroke(series.style).colour;
            let drawn = vec![
                Mark::Area { points: body.corners(), fill, opacity: 1.0 },
                Mark::anchored(body.right() + 4.0, at + BAR - 2.0, shown.clone(), 9.0, INK, Anchor::Start),
            ];
            let words = format!("{} = {}, {}", clean(&panel.name), clean(&panel.labels[*place]), clean(&series.label));
            told.push(format!("{words}: {shown}"));
            marks.push(Mark::Group { data: vec![("bar", words), ("count", shown)], marks: drawn });
        }
        y += row;
    }
    y = bottom + 22.0;
    if panel.labels.len() > places.len() {
        let note = format!("{} less likely values are not drawn.", panel.labels.len() - places.len());
        marks.push(Mark::text(20.0, y + 4.0, note, TEXT, FAINT));
        y += 14.0;
    }
    y
}

/// A probability with three digits after the decimal point.
fn three_decimals(probability: f64) -> String {
    match probability {
        p if p > 0.0 && p < 0.001 => "< 0.001".to_owned(),
        p if p > 0.999 && p < 1.0 => "> 0.999".to_owned(),
        p => number(libm::round(p * 1000.0) / 1000.0),
    }
}

/// The values that are drawn: the most likely ones, in their own order.
fn drawn(panel: &BarPanel) -> Vec<usize> {
    let likely =
        |place: usize| panel.series.iter().filter_map(|series| series.heights.get(place).copied()).fold(0.0, f64::max);
    let mut places: Vec<usize> = (0..panel.labels.len()).collect();
    if places.len() > VALUES {
        places.sort_compact_by(|a, b| likely(*b).total_cmp(&likely(*a)));
        places.truncate(VALUES);
        places.sort_unstable();
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::{BarSeries, CurveStyle, Plot, to_png, to_svg};
    use super::*;

    #[test]
    fn every_bar_of_the_most_likely_values_is_drawn() {
        for count in [0, 1, 3, 100] {
            let heights: Vec<f64> = (0..count).map(|place| place as f64 / 1e4).collect();
            let panel = BarPanel {
                name: "vote <&>".to_owned(),
                labels: (0..count).map(|place| format!("value {place}")).collect(),
                series: vec![
                    BarSeries { label: "before".to_owned(), heights: heights.clone(), style: CurveStyle::Before },
                    BarSeries { label: "after".to_owned(), heights, style: CurveStyle::After },
                ],
                truth: Some(0),
            };
            let plot = Plot::Bars(BarPlot { title: "Votes".to_owned(), panels: vec![panel] });
            let svg = to_svg(&plot);
            roxmltree::Document::parse(&svg).expect("well-formed");
            assert_eq!(svg.matches("data-bar=").count(), 2 * count.min(VALUES), "{count}");
            assert_eq!(svg.contains("value 99"), count == 100);
            assert!(to_png(&plot, 1.0).is_ok());
        }
    }
}
