//! How many there are of each size: bars beside each other.

use super::axis::{Axis, Labels, Place};
use super::font::{Font, clean};
use super::frame::{draw_axes, heading};
use super::model::Histogram;
use super::palette::{FAINT, INK, stroke};
use super::scene::{Anchor, Colour, Mark, Rect, Scene};
use crate::report::number;
use crate::report::plot::model::CurveStyle;

const WIDTH: f64 = 760.0;
const PLOT_HEIGHT: f64 = 280.0;
const COUNT_SIZE: f64 = 9.5;

/// The picture.
pub(super) fn draw(plot: &Histogram) -> Scene {
    let font = Font::new();
    let title = clean(&plot.title);
    let (mut marks, top) = heading(&title, WIDTH, &font);
    let counted = || plot.bars.iter().filter(|bar| bar.count > 0);
    let mut heights: Vec<f64> = counted().map(|bar| bar.count as f64).collect();
    if !plot.log_y || heights.is_empty() {
        heights.push(if plot.log_y { 1.0 } else { 0.0 });
    }
    let y_labels = Labels { most: 6, extent: &|_| COUNT_SIZE + 5.0 };
    let y_axis = Axis::new(&heights, plot.log_y, PLOT_HEIGHT, &y_labels);
    let left = 46.0 + y_axis.ticks.iter().map(|(_, label)| font.width(label, 10.0)).fold(16.0, f64::max);
    let area = Rect { x: left, y: top + 24.0, width: WIDTH - left - 30.0, height: PLOT_HEIGHT };
    let x_labels = Labels { most: 11, extent: &|label| font.width(label, 10.0) };
    let x_axis = Axis::new(&[plot.range.0, plot.range.1], false, area.width, &x_labels);
    let y_label = if plot.log_y { format!("{}, logarithmic", plot.y_label) } else { plot.y_label.clone() };
    marks.extend(draw_axes(&area, &x_axis, &y_axis, &plot.x_label, &y_label, &font));

    let (plain, outstanding) = (stroke(CurveStyle::After).colour, stroke(CurveStyle::Before).colour);
    for bar in counted() {
        let (Place::On(left), Place::On(right)) = (x_axis.place(bar.low), x_axis.place(bar.high)) else { continue };
        let height = match y_axis.place(bar.count as f64) {
            Place::On(height) => height.max(1.0),
            Place::Below(_) | Place::Above(_) | Place::Nowhere => continue,
        };
        let fill: Colour = if bar.stands_out { outstanding } else { plain };
        let body = Rect { x: area.x + left + 1.0, y: area.bottom() - height, width: right - left - 2.0, height };
        let middle = body.x + body.width / 2.0;
        let count = number(bar.count as f64);
        let mut drawn = vec![Mark::Area { points: body.corners(), fill, opacity: 1.0 }];
        if font.width(&count, COUNT_SIZE) <= body.width + 10.0 {
            drawn.push(Mark::anchored(middle, body.y - 4.0, count, COUNT_SIZE, INK, Anchor::Middle));
        }
        let data = vec![("bar", bar.words.clone()), ("count", bar.count.to_string())];
        marks.push(Mark::Group { data, marks: drawn });
    }
    let mut bottom = area.bottom() + 44.0;
    let outstanding: Vec<&str> = counted().filter(|bar| bar.stands_out).map(|bar| bar.words.as_str()).collect();
    let mut notes: Vec<String> = outstanding.iter().map(|words| format!("Bar at the right end: {words}.")).collect();
    if counted().next().is_none() {
        notes.push("There is nothing to draw.".to_owned());
    }
    for note in &notes {
        marks.push(Mark::text(20.0, bottom + 10.0, clean(note), 10.0, FAINT));
        bottom += 14.0;
    }
    let shown = counted().map(|bar| format!("{}: {}", bar.words, bar.count)).collect::<Vec<_>>().join("; ");
    let description = format!("{} over {}. {shown}.", clean(&plot.y_label), clean(&plot.x_label));
    Scene { width: WIDTH, height: (bottom + 12.0).ceil(), title, description, marks }
}

#[cfg(test)]
mod tests {
    use super::super::{Bar, Plot, to_png, to_svg};
    use super::*;

    fn histogram(counts: &[usize], log_y: bool) -> Plot {
        let bars = counts.iter().enumerate().map(|(index, count)| {
            let low = 10.0 * index as f64;
            Bar { low, high: low + 10.0, count: *count, words: format!("bin {index} <&>"), stands_out: index == 9 }
        });
        let [title, x_label, y_label] = ["Risk", "removed", "people"].map(str::to_owned);
        Plot::Histogram(Histogram { title, x_label, y_label, range: (0.0, 100.0), log_y, bars: bars.collect() })
    }

    #[test]
    fn every_bar_that_counts_something_is_drawn_and_carries_its_words() {
        for (counts, log_y) in [(&[3, 0, 1, 0, 0, 0, 0, 0, 0, 2][..], false), (&[1_000_000, 0, 1], true), (&[], false)]
        {
            let plot = histogram(counts, log_y);
            let svg = to_svg(&plot);
            roxmltree::Document::parse(&svg).expect("well-formed");
            let nonzero = counts.iter().filter(|count| **count > 0).count();
            assert_eq!(svg.matches("data-bar=").count(), nonzero, "{svg}");
            assert!(to_png(&plot, 1.0).is_ok());
        }
        assert!(to_svg(&histogram(&[0; 3], true)).contains("nothing to draw"));
    }
}
