//! Quantities over one parameter, each line labelled at its right end.

use super::axis::{Axis, Labels, Place};
use super::font::{Font, clean};
use super::frame::{draw_axes, heading};
use super::model::{CurveStyle, LinePlot, Series};
use super::palette::{Direction, FAINT, INK, arrow, marker, stroke};
use super::scene::{Colour, Mark, Point, Rect, Scene, Stroke};
use privug_engine::sorting::CompactSort;

const WIDTH: f64 = 760.0;
const PLOT_HEIGHT: f64 = 320.0;
const LABEL_SIZE: f64 = 11.0;
const LABEL_ROW: f64 = 15.0;
/// From the end of the plot area to the words of a label: a leader and a sample of the line.
const BEFORE_LABEL: f64 = 52.0;
/// More points than this are not marked one by one.
const MOST_MARKERS: usize = 30;
const LEADER: Colour = Colour(170, 170, 170);
const THRESHOLD: Stroke = Stroke { colour: INK, width: 1.2, dash: &[1.5, 2.5] };

/// The picture.
pub(super) fn draw(plot: &LinePlot) -> Scene {
    let font = Font::new();
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let xs: Vec<f64> = points().map(|point| point.0).collect();
    let threshold = plot.threshold.as_ref().filter(|(value, _)| value.is_finite() && (!plot.log_y || *value > 0.0));
    let ys: Vec<f64> = points().map(|point| point.1).chain(threshold.map(|(value, _)| *value)).collect();
    let title = clean(&plot.title);
    let (mut marks, top) = heading(&title, WIDTH, &font);

    let y_labels = Labels { most: 7, extent: &|_| LABEL_SIZE + 4.0 };
    let y_axis = Axis::new(&ys, plot.log_y, PLOT_HEIGHT, &y_labels);
    let names: Vec<String> =
        plot.series.iter().map(|series| font.fit(&clean(&series.label), LABEL_SIZE, 190.0)).collect();
    let threshold_name = threshold.map(|(_, label)| font.fit(&clean(label), LABEL_SIZE, 190.0));
    let widest = names.iter().chain(&threshold_name).map(|name| font.width(name, LABEL_SIZE)).fold(60.0, f64::max);
    let left = 46.0 + y_axis.ticks.iter().map(|(_, label)| font.width(label, 10.0)).fold(16.0, f64::max);
    let area = Rect { x: left, y: top + 18.0, width: WIDTH - left - BEFORE_LABEL - widest - 16.0, height: PLOT_HEIGHT };
    let x_labels = Labels { most: 8, extent: &|label| font.width(label, 10.0) };
    let x_axis = Axis::new(&xs, plot.log_x, area.width, &x_labels);

    marks.extend(draw_axes(&area, &x_axis, &y_axis, &plot.x_label, &plot.y_label, &font));
    let canvas = Canvas { area, x_axis, y_axis };
    let mut labels = Vec::new();
    if let (Some((value, _)), Some(name)) = (threshold, threshold_name)
        && let Place::On(pixel) = canvas.y_axis.place(*value)
    {
        let y = area.bottom() - pixel;
        marks.push(Mark::Line { points: vec![(area.x, y), (area.right(), y)], stroke: THRESHOLD });
        labels.push(Label { name, stroke: THRESHOLD, wanted: y, marker: None });
    }
    for (index, (series, name)) in plot.series.iter().zip(names).enumerate() {
        let (drawn, end) = canvas.series(index, series);
        let data = vec![("series", series.label.clone()), ("points", canvas.points(series))];
        marks.push(Mark::Group { data, marks: drawn });
        let marker = (series.points.len() <= MOST_MARKERS).then_some(index);
        labels.push(Label { name, stroke: stroke(CurveStyle::Series(index)), wanted: end, marker });
    }
    let (label_marks, left_out) = draw_labels(labels, &area);
    marks.extend(label_marks);
    let mut bottom = area.bottom() + 44.0;
    for note in notes(plot, left_out) {
        marks.push(Mark::text(20.0, bottom + 10.0, note, 10.0, FAINT));
        bottom += 14.0;
    }
    let description = describe(plot);
    Scene { width: WIDTH, height: (bottom + 12.0).ceil(), title, description, marks }
}

struct Canvas {
    area: Rect,
    x_axis: Axis,
    y_axis: Axis,
}

impl Canvas {
    /// `x,y,pixel` of every point with a place to the right, for readers that follow a pointer.
    fn points(&self, series: &Series) -> String {
        let points = series.points.iter().filter_map(|&(x, y)| match self.x_axis.place(x) {
            Place::On(pixel) => Some(format!("{x},{y},{:.1}", self.area.x + pixel)),
            Place::Below(_) | Place::Above(_) | Place::Nowhere => None,
        });
        points.collect::<Vec<_>>().join(" ")
    }

    /// The marks of a series, and the height at which it ends.
    fn series(&self, index: usize, series: &Series) -> (Vec<Mark>, f64) {
        let stroke = stroke(CurveStyle::Series(index));
        let marked = series.points.len() <= MOST_MARKERS;
        let (mut marks, mut run, mut end) = (Vec::new(), Vec::new(), self.area.bottom());
        let finish = |run: &mut Vec<Point>, marks: &mut Vec<Mark>| {
            let points = std::mem::take(run);
            if marked || points.len() == 1 {
                marks.extend(points.iter().map(|point| marker(index, *point, 3.2, stroke.colour)));
            }
            if points.len() > 1 {
                marks.insert(0, Mark::Line { points, stroke });
            }
        };
        for &(x, y) in &series.points {
            let (x_place, y_place) = (self.x_axis.place(x), self.y_axis.place(y));
            if let (Place::On(x), Place::On(y)) = (x_place, y_place) {
                let point = (self.area.x + x, self.area.bottom() - y);
                end = point.1;
                run.push(point);
                continue;
            }
            finish(&mut run, &mut marks);
            if let Some((mark, height)) = self.off_scale(index, x_place, y_place, stroke.colour) {
                marks.push(mark);
                end = height;
            }
        }
        finish(&mut run, &mut marks);
        (marks, end)
    }

    /// A point with an infinite coordinate, or 0 on a logarithmic axis.
    fn off_scale(&self, index: usize, x: Place, y: Place, colour: Colour) -> Option<(Mark, f64)> {
        // Arrows of several series at the same place stand beside each other.
        let aside = 7.0 * [0.0, 1.0, -1.0, 2.0, -2.0][index % 5];
        let x = match x {
            Place::On(x) | Place::Below(x) | Place::Above(x) => self.area.x + x,
            Place::Nowhere => return None,
        };
        match y {
            Place::On(y) => {
                let y = self.area.bottom() - y;
                Some((marker(index, (x, y), 3.2, colour), y))
            }
            Place::Above(y) => {
                let y = self.area.bottom() - y;
                Some((arrow((x + aside, y - 5.0), Direction::Up, 10.0, colour), y))
            }
            Place::Below(y) => {
                let y = self.area.bottom() - y;
                Some((arrow((x + aside, y + 5.0), Direction::Down, 10.0, colour), y))
            }
            Place::Nowhere => None,
        }
    }
}

/// A name beside the plot area.
struct Label {
    name: String,
    stroke: Stroke,
    /// The height at which its line ends.
    wanted: f64,
    marker: Option<usize>,
}

/// Names to the right of the plot area, none over another; says how many found no place.
fn draw_labels(mut labels: Vec<Label>, area: &Rect) -> (Vec<Mark>, usize) {
    let most = ((area.height + LABEL_ROW) / LABEL_ROW) as usize;
    let left_out = labels.len().saturating_sub(most);
    labels.truncate(most);
    labels.sort_compact_by(|one, other| one.wanted.total_cmp(&other.wanted));
    let wanted: Vec<f64> = labels.iter().map(|label| label.wanted).collect();
    let places = spread(&wanted, LABEL_ROW, area.y, area.bottom());
    let mut marks = Vec::new();
    for (label, y) in labels.into_iter().zip(places) {
        let start = area.right();
        marks.push(Mark::line((start + 3.0, label.wanted), (start + 18.0, y), LEADER, 0.8));
        marks.push(Mark::Line { points: vec![(start + 20.0, y), (start + 46.0, y)], stroke: label.stroke });
        if let Some(index) = label.marker {
            marks.push(marker(index, (start + 33.0, y), 3.2, label.stroke.colour));
        }
        marks.push(Mark::text(start + BEFORE_LABEL, y + 4.0, label.name, LABEL_SIZE, INK));
    }
    (marks, left_out)
}

/// Moves ascending heights apart to at least `row`, between `top` and `bottom` as long as they fit.
fn spread(wanted: &[f64], row: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut places = Vec::with_capacity(wanted.len());
    let mut next = top;
    for &height in wanted {
        let place = height.max(next);
        places.push(place);
        next = place + row;
    }
    let mut limit = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - row;
    }
    places
}

fn notes(plot: &LinePlot, left_out: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if plot.series.iter().all(|series| series.points.iter().all(|(x, y)| x.is_nan() || y.is_nan())) {
        notes.push("There is nothing to draw.".to_owned());
    }
    let undefined =
        plot.series.iter().flat_map(|series| &series.points).filter(|(x, y)| x.is_nan() || y.is_nan()).count();
    match undefined {
        0 => {}
        1 => notes.push("1 point is undefined and omitted.".to_owned()),
        count => notes.push(format!("{count} points are undefined and omitted.")),
    }
    if let Some((value, label)) = &plot.threshold
        && !(value.is_finite() && (!plot.log_y || *value > 0.0))
    {
        let value = super::words::quantity(*value, 0.0, None);
        notes.push(format!("{} ({value}) cannot be shown on this axis.", clean(label)));
    }
    if left_out > 0 {
        notes.push(format!("{left_out} more lines have no label."));
    }
    notes
}

fn describe(plot: &LinePlot) -> String {
    let mut sentences = vec![format!("{} over {}.", clean(&plot.y_label), clean(&plot.x_label))];
    let number = |value: f64| super::words::quantity(value, 0.0, None);
    for series in plot.series.iter().take(20) {
        let ends = match (series.points.first(), series.points.last()) {
            (Some(first), Some(last)) if series.points.len() > 1 => {
                format!("from {} at {} to {} at {}", number(first.1), number(first.0), number(last.1), number(last.0))
            }
            (Some(only), _) => format!("{} at {}", number(only.1), number(only.0)),
            _ => "no points".to_owned(),
        };
        sentences.push(format!("{}: {ends}.", clean(&series.label)));
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn labels_never_overlap_and_stay_beside_the_plot(mut wanted in prop::collection::vec(0.0..320.0f64, 0..22)) {
            wanted.sort_by(f64::total_cmp);
            let places = spread(&wanted, LABEL_ROW, 0.0, 320.0);
            for pair in places.windows(2) {
                prop_assert!(pair[1] - pair[0] >= LABEL_ROW - 1e-9);
            }
            prop_assert!(places.iter().all(|place| (-1e-9..=320.0 + 1e-9).contains(place)), "{:?}", places);
        }
    }

    #[test]
    fn labels_that_are_apart_stay_where_their_lines_end() {
        assert_eq!(spread(&[10.0, 100.0, 300.0], 15.0, 0.0, 320.0), [10.0, 100.0, 300.0]);
    }
}
