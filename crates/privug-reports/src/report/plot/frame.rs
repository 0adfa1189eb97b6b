//! What line plots and heatmaps have around their data: the heading and the two axes.

use super::axis::Axis;
use super::font::{Font, clean};
use super::palette::{FAINT, INK, RULE};
use super::scene::{Anchor, Mark, Rect};

const TICK_SIZE: f64 = 10.0;
const LABEL_SIZE: f64 = 11.0;

/// The heading, and where it ends.
pub(super) fn heading(title: &str, width: f64, font: &Font) -> (Vec<Mark>, f64) {
    let mut y = 20.0;
    let mut marks = Vec::new();
    for line in font.wrap(title, 16.0, width - 40.0, 2) {
        marks.push(Mark::text(20.0, y + 14.0, line, 16.0, INK));
        y += 22.0;
    }
    (marks, y)
}

/// Lines, ticks and names of both axes.
pub(super) fn draw_axes(area: &Rect, x: &Axis, y: &Axis, x_label: &str, y_label: &str, font: &Font) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (pixel, label) in &y.ticks {
        let height = area.bottom() - pixel;
        marks.push(Mark::line((area.x, height), (area.right(), height), RULE, 0.8));
        marks.push(Mark::anchored(area.x - 7.0, height + 3.5, label.clone(), TICK_SIZE, INK, Anchor::End));
    }
    for (label, pixel) in [(y.below, y.below_pixel()), (y.above, y.above_pixel())] {
        if let Some(label) = label {
            let height = area.bottom() - pixel;
            marks.push(Mark::anchored(area.x - 7.0, height + 3.5, label, TICK_SIZE, INK, Anchor::End));
        }
    }
    let base = area.bottom();
    marks.push(Mark::line((area.x, base), (area.right(), base), INK, 1.0));
    marks.push(Mark::line((area.x, area.y), (area.x, base), INK, 1.0));
    for pixel in &x.minor {
        marks.push(Mark::line((area.x + pixel, base), (area.x + pixel, base + 2.5), FAINT, 0.8));
    }
    for pixel in &y.minor {
        marks.push(Mark::line((area.x - 2.5, base - pixel), (area.x, base - pixel), FAINT, 0.8));
    }
    let x_ends = [(x.below, x.below_pixel()), (x.above, x.above_pixel())];
    let ends = x_ends.into_iter().filter_map(|(label, pixel)| Some((pixel, label?.to_owned())));
    for (pixel, label) in x.ticks.iter().cloned().chain(ends) {
        marks.push(Mark::line((area.x + pixel, base), (area.x + pixel, base + 4.0), INK, 1.0));
        marks.push(Mark::anchored(area.x + pixel, base + 15.0, label, TICK_SIZE, INK, Anchor::Middle));
    }
    let x_name = font.fit(&named(x_label, x), LABEL_SIZE, area.width);
    marks.push(Mark::anchored(area.x + area.width / 2.0, base + 34.0, x_name, LABEL_SIZE, INK, Anchor::Middle));
    let y_name = font.fit(&named(y_label, y), LABEL_SIZE, area.height);
    marks.push(Mark::upwards(24.0, area.y + area.height / 2.0, y_name, LABEL_SIZE, INK));
    marks
}

/// The name of an axis with what its labels are to be read with.
fn named(label: &str, axis: &Axis) -> String {
    match &axis.words {
        None => clean(label),
        Some(words) => format!("{} ({words})", clean(label)),
    }
}
