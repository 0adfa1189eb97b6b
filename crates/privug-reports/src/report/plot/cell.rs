//! The curves of a panel over their axes.

use super::arrange::{Arrangement, Cell, Relation, distributions};
use super::font::{Font, clean};
use super::model::{Curve, CurveStyle, Panel};
use super::palette::{Direction, FAINT, INK, PAPER, arrow, stroke};
use super::scene::{Anchor, Mark, Point, Rect, Stroke};
use super::ticks::{Ticks, minus, ticks_that_fit};
use crate::report::number_near;
use privug_engine::sorting::CompactSort;
use privug_measures::leakage::Normal;

/// Opacity of a shaded interval.
pub(super) const SHADE: f64 = 0.18;
const TICK_SIZE: f64 = 10.0;
/// Between the parts of a panel.
const GAP: f64 = 30.0;

/// Where the cells of a panel are drawn, and with what.
pub(super) struct CellRoom<'a> {
    pub plot: Rect,
    /// Whether every cell says what it shows.
    pub captions: bool,
    pub unit: Option<&'a str>,
    pub font: &'a Font,
}

/// All cells beside each other.
pub(super) fn draw_cells(panel: &Panel, arrangement: &Arrangement, room: &CellRoom) -> Vec<Mark> {
    let count = arrangement.cells.len() as f64;
    let width = (room.plot.width - GAP * (count - 1.0)) / count;
    let mut marks = Vec::new();
    for (index, cell) in arrangement.cells.iter().enumerate() {
        let plot = Rect { x: room.plot.x + index as f64 * (width + GAP), width, ..room.plot };
        let on_axis = OnAxis { cell, plot };
        if room.captions {
            let labels: Vec<String> =
                cell.members.iter().map(|&(member, _)| clean(&panel.curves[member].label)).collect();
            let caption = room.font.fit(&labels.join(", "), TICK_SIZE, width);
            marks.push(Mark::anchored(plot.x + width / 2.0, plot.y - 15.0, caption, TICK_SIZE, FAINT, Anchor::Middle));
        }
        marks.extend(curves(panel, &on_axis));
        marks.extend(axis(&on_axis, room));
        marks.extend(elsewhere(panel, arrangement, index, &on_axis));
        marks.extend(truth(panel, &on_axis));
        if arrangement.relation == Relation::Broken && index > 0 {
            marks.extend(break_marks(plot.x - GAP / 2.0, plot.bottom()));
        }
    }
    marks
}

/// A cell and the rectangle it is drawn in.
struct OnAxis<'a> {
    cell: &'a Cell,
    plot: Rect,
}

impl OnAxis<'_> {
    /// Pixels of a position relative to the origin.
    fn x(&self, position: f64) -> f64 {
        self.plot.x + (position - self.cell.low) / self.cell.length() * self.plot.width
    }

    /// Where the axis is in the picture and which values its ends have, for readers that follow a pointer.
    fn data(&self) -> Vec<(&'static str, String)> {
        let (plot, cell) = (self.plot, self.cell);
        [
            ("left", plot.x),
            ("right", plot.right()),
            ("top", plot.y),
            ("bottom", plot.bottom()),
            ("low", cell.origin + cell.low),
            ("high", cell.origin + cell.high),
        ]
        .map(|(name, value)| (name, format!("{value}")))
        .to_vec()
    }

    /// The pixel of a part of the full height.
    fn y(&self, height: f64) -> f64 {
        self.plot.bottom() - height * (self.plot.height - 6.0)
    }
}

/// Shades first, then solid lines, then dashed ones: two curves that cover each other are then both seen.
fn curves(panel: &Panel, on_axis: &OnAxis) -> Vec<Mark> {
    let normals = distributions(panel);
    let mut members: Vec<(usize, &Curve, Normal, f64)> = on_axis
        .cell
        .members
        .iter()
        .filter_map(|&(index, height)| Some((index, &panel.curves[index], normals[index]?, height)))
        .collect();
    members.sort_compact_by_key(|(_, curve, _, _)| !stroke(curve.style).dash.is_empty());
    let mut marks = Vec::new();
    for (_, curve, normal, height) in &members {
        if curve.style == CurveStyle::After && !normal.is_constant() {
            marks.extend(shade(normal, panel.interval_level, *height, on_axis, curve.style));
        }
    }
    for (index, curve, normal, height) in members {
        let stroke = stroke(curve.style);
        let drawn = if normal.is_constant() {
            spike(on_axis.x(normal.mean() - on_axis.cell.origin), on_axis, stroke)
        } else {
            vec![Mark::Line { points: hill(&normal, height, on_axis, on_axis.cell.low, on_axis.cell.high), stroke }]
        };
        let data = vec![
            ("curve", curve.label.clone()),
            ("mean", format!("{}", curve.mean)),
            ("variance", format!("{}", curve.variance)),
            ("place", format!("{index}")),
        ];
        marks.push(Mark::Group { data: [data, on_axis.data()].concat(), marks: drawn });
    }
    marks
}

/// Points of exp(−z²/2) between two positions.
fn hill(normal: &Normal, height: f64, on_axis: &OnAxis, low: f64, high: f64) -> Vec<Point> {
    let centre = normal.mean() - on_axis.cell.origin;
    let mut positions: Vec<f64> = (0..=90).map(|step| low + (high - low) * f64::from(step) / 90.0).collect();
    // Close together where a narrow curve bends.
    positions.extend(
        (-80..=80)
            .map(|step| centre + normal.std_dev() * f64::from(step) / 20.0)
            .filter(|&position| position > low && position < high),
    );
    positions.sort_by(f64::total_cmp);
    positions
        .into_iter()
        .map(|position| {
            let z = (position - centre) / normal.std_dev();
            (on_axis.x(position), on_axis.y(height * libm::exp(-0.5 * z * z)))
        })
        .collect()
}

fn shade(normal: &Normal, level: f64, height: f64, on_axis: &OnAxis, style: CurveStyle) -> Option<Mark> {
    // Relative to the mean, so that a huge mean does not swallow the radius.
    let (_, radius) = Normal::new(0.0, normal.variance())?.credible_interval(level)?;
    let centre = normal.mean() - on_axis.cell.origin;
    let (low, high) = ((centre - radius).max(on_axis.cell.low), (centre + radius).min(on_axis.cell.high));
    if low >= high {
        return None;
    }
    let mut points = hill(normal, height, on_axis, low, high);
    points.push((on_axis.x(high), on_axis.y(0.0)));
    points.push((on_axis.x(low), on_axis.y(0.0)));
    Some(Mark::Area { points, fill: stroke(style).colour, opacity: SHADE })
}

/// A value that is known exactly.
fn spike(x: f64, on_axis: &OnAxis, stroke: Stroke) -> Vec<Mark> {
    let thick = Stroke { width: stroke.width + 0.8, ..stroke };
    vec![
        Mark::Line { points: vec![(x, on_axis.y(0.0)), (x, on_axis.y(0.97))], stroke: thick },
        super::palette::disc((x, on_axis.y(0.97)), 4.0, stroke.colour),
    ]
}

fn axis(on_axis: &OnAxis, room: &CellRoom) -> Vec<Mark> {
    let (plot, cell) = (on_axis.plot, on_axis.cell);
    let baseline = plot.bottom();
    let mut marks = vec![Mark::line((plot.x, baseline), (plot.right(), baseline), INK, 1.0)];
    let measure = |label: &str| room.font.width(label, TICK_SIZE);
    let ticks = if cell.only_values && cell.members.len() == 1 {
        let label = room.font.fit(&minus(&number_near(cell.origin, 0.0)), TICK_SIZE, plot.width);
        Ticks { offset: None, exponent: 0, marks: vec![(0.0, label)] }
    } else {
        let most = ((plot.width / 75.0) as usize).clamp(2, 8);
        ticks_that_fit((cell.origin, cell.low, cell.high), plot.width, most, measure)
    };
    for (position, label) in &ticks.marks {
        let x = on_axis.x(*position);
        marks.push(Mark::line((x, baseline), (x, baseline + 4.0), INK, 1.0));
        marks.push(Mark::anchored(x, baseline + 15.0, label.clone(), TICK_SIZE, INK, Anchor::Middle));
    }
    let title = match (ticks.words(), room.unit) {
        (None, unit) => unit.map(str::to_owned),
        (Some(words), None) => Some(words),
        (Some(words), Some(unit)) => Some(format!("{words}, in {unit}")),
    };
    if let Some(title) = title {
        let fitted = room.font.fit(&title, TICK_SIZE, plot.width + GAP - 8.0);
        let middle = plot.x + plot.width / 2.0;
        marks.push(Mark::anchored(middle, baseline + 29.0, fitted, TICK_SIZE, FAINT, Anchor::Middle));
    }
    marks
}

/// Shows where the curves of the other cells are: a small arrow on the axis, or at its end.
fn elsewhere(panel: &Panel, arrangement: &Arrangement, index: usize, on_axis: &OnAxis) -> Vec<Mark> {
    let mut marks = Vec::new();
    if arrangement.relation != Relation::OwnScales {
        return marks;
    }
    let others = arrangement.cells.iter().enumerate().filter(|(other, _)| *other != index);
    for (rank, (member, _)) in others.flat_map(|(_, cell)| &cell.members).enumerate() {
        let curve = &panel.curves[*member];
        // The wide curve is everywhere: only narrower ones have a place in it.
        if on_axis.cell.members.iter().any(|&(own, _)| panel.curves[own].variance < curve.variance) {
            continue;
        }
        let colour = stroke(curve.style).colour;
        let y = on_axis.y(0.0) - 8.0 - 12.0 * rank as f64;
        let position = curve.mean - on_axis.cell.origin;
        if on_axis.cell.place(curve.mean).is_some() {
            let x = on_axis.x(position);
            marks.push(Mark::line((x, on_axis.y(0.0)), (x, on_axis.y(1.0)), colour, 1.2));
        } else if position > 0.0 {
            marks.push(arrow((on_axis.plot.right() + 4.0, y), Direction::Right, 9.0, colour));
        } else {
            marks.push(arrow((on_axis.plot.x - 4.0, y), Direction::Left, 9.0, colour));
        }
    }
    marks
}

fn truth(panel: &Panel, on_axis: &OnAxis) -> Vec<Mark> {
    let Some(truth) = panel.truth.filter(|truth| truth.is_finite()) else { return Vec::new() };
    let Some(position) = on_axis.cell.place(truth) else { return Vec::new() };
    let x = on_axis.x(position);
    let dotted = Stroke { colour: INK, width: 1.2, dash: &[1.5, 2.5] };
    let line = Mark::Line { points: vec![(x, on_axis.plot.y - 1.0), (x, on_axis.y(0.0))], stroke: dotted };
    let marks = vec![line, arrow((x, on_axis.plot.y - 1.0), Direction::Down, 9.0, INK)];
    vec![Mark::Group { data: vec![("truth", format!("{truth}"))], marks }]
}

/// Two slanted strokes where an axis leaves something out.
fn break_marks(x: f64, y: f64) -> Vec<Mark> {
    let join = Mark::line((x - GAP / 2.0, y), (x + GAP / 2.0, y), INK, 1.0);
    let gap = Mark::line((x - 3.0, y), (x + 3.0, y), PAPER, 3.0);
    let slant = |x: f64| Mark::line((x - 3.0, y + 6.0), (x + 3.0, y - 6.0), INK, 1.0);
    vec![join, gap, slant(x - 3.0), slant(x + 3.0)]
}
