//! Which curves share an axis, and the range of each axis.

use super::model::Panel;
use privug_engine::sorting::CompactSort;
use privug_measures::leakage::Normal;

/// How many standard deviations of a curve are shown to each side.
const REACH: f64 = 3.6;
/// An axis is at most this many standard deviations of its narrowest curve long: the curve is then still a hill.
const LONGEST: f64 = 120.0;
/// Axes whose lengths differ less than this are drawn to the same scale.
const SAME_SCALE: f64 = 4.0;
/// Peaks that differ more than this are each drawn to their own height.
const COMPARABLE_HEIGHTS: f64 = 8.0;
/// More axes beside each other are not drawn.
const MOST_CELLS: usize = 3;

/// A part of a panel with its own axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    /// Positions are relative to this, so that a tiny curve at a huge value keeps its shape.
    pub origin: f64,
    pub low: f64,
    pub high: f64,
    /// The curves, by their index in the panel, and the height of each as a part of the room.
    pub members: Vec<(usize, f64)>,
    /// Whether every curve has its own height.
    pub own_heights: bool,
    /// Whether it shows only values that are known exactly, so that its length means nothing.
    pub only_values: bool,
}

/// How the cells of a panel relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// There is one (or none).
    OneAxis,
    /// An axis with a gap: the same scale on both sides.
    Broken,
    /// Each has its own scale.
    OwnScales,
}

/// All cells of a panel, from left to right.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arrangement {
    pub cells: Vec<Cell>,
    pub relation: Relation,
    /// Curves that are distributions but have no cell.
    pub left_out: Vec<usize>,
}

impl Cell {
    pub fn length(&self) -> f64 {
        self.high - self.low
    }

    /// A value relative to the origin, if it lies on the axis.
    pub fn place(&self, value: f64) -> Option<f64> {
        let position = value - self.origin;
        (position >= self.low && position <= self.high).then_some(position)
    }
}

/// The curves of a panel that are distributions.
pub(super) fn distributions(panel: &Panel) -> Vec<Option<Normal>> {
    panel.curves.iter().map(|curve| Normal::new(curve.mean, curve.variance)).collect()
}

/// Chooses the axes of a panel.
pub(super) fn arrange(panel: &Panel) -> Arrangement {
    let normals = distributions(panel);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let valid = |constant: bool| {
        let normals = &normals;
        (0..normals.len()).filter(move |&index| normals[index].is_some_and(|normal| normal.is_constant() == constant))
    };
    // Values come last: they fit beside any curve that they are near to.
    for index in valid(false).chain(valid(true)) {
        let joined = groups.iter_mut().find(|group| {
            let extended: Vec<usize> = group.iter().copied().chain([index]).collect();
            range(&extended, &normals).is_some_and(|range| range.is_readable())
        });
        match joined {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups.sort_compact_by_key(|group| group.iter().min().copied());
    let left_out = groups.iter().skip(MOST_CELLS).flatten().copied().collect();
    groups.truncate(MOST_CELLS);
    let mut cells: Vec<Cell> = groups.iter().filter_map(|group| cell(group, &normals)).collect();
    let relation = relate(&mut cells);
    set_heights(&mut cells, relation, &normals);
    if let Some(truth) = panel.truth.filter(|truth| truth.is_finite()) {
        include_truth(&mut cells, relation, truth);
    }
    Arrangement { cells, relation, left_out }
}

/// The part of the axis that some curves need.
struct Range {
    origin: f64,
    low: f64,
    high: f64,
    /// Of the narrowest curve; 0 if there are only values.
    narrowest: f64,
}

impl Range {
    fn is_readable(&self) -> bool {
        let length = self.high - self.low;
        length.is_finite() && (self.narrowest == 0.0 || length <= LONGEST * self.narrowest)
    }
}

fn range(group: &[usize], normals: &[Option<Normal>]) -> Option<Range> {
    let mut range: Option<Range> = None;
    for normal in group.iter().filter_map(|&index| normals.get(index).copied().flatten()) {
        let std_dev = normal.std_dev();
        let range = range.get_or_insert(Range { origin: normal.mean(), low: 0.0, high: 0.0, narrowest: std_dev });
        let position = normal.mean() - range.origin;
        range.low = range.low.min(position - REACH * std_dev);
        range.high = range.high.max(position + REACH * std_dev);
        if std_dev > 0.0 && (range.narrowest == 0.0 || std_dev < range.narrowest) {
            range.narrowest = std_dev;
        }
    }
    range
}

fn cell(group: &[usize], normals: &[Option<Normal>]) -> Option<Cell> {
    let Range { origin, mut low, mut high, narrowest } = range(group, normals)?;
    let only_values = narrowest == 0.0;
    // A value at the very end of the axis would look cut off.
    let at_end = |&index: &usize| {
        normals[index].is_some_and(|normal| {
            normal.is_constant() && (normal.mean() - origin <= low || normal.mean() - origin >= high)
        })
    };
    if group.iter().any(at_end) {
        let margin = if high > low { 0.08 * (high - low) } else { (origin.abs() * 0.1).clamp(1.0, 1e300) };
        (low, high) = (low - margin, high + margin);
    }
    let members = group.iter().map(|&index| (index, 1.0)).collect();
    Some(Cell { origin, low, high, members, own_heights: false, only_values })
}

/// Gives cells of about the same length the same scale, and orders those by their place.
fn relate(cells: &mut [Cell]) -> Relation {
    if cells.len() < 2 {
        return Relation::OneAxis;
    }
    // A single value has no length of its own.
    let single = |cell: &Cell| cell.only_values && cell.members.len() == 1;
    let measured = || cells.iter().filter(|cell| !single(cell)).map(Cell::length);
    let longest = measured().fold(0.0, f64::max);
    let shortest = measured().fold(f64::INFINITY, f64::min);
    if longest > 0.0 && longest > SAME_SCALE * shortest {
        cells.iter_mut().filter(|cell| single(cell)).for_each(|cell| stretch(cell, longest));
        return Relation::OwnScales;
    }
    let longest = if longest > 0.0 { longest } else { cells.iter().map(Cell::length).fold(0.0, f64::max) };
    cells.iter_mut().for_each(|cell| stretch(cell, longest));
    cells.sort_compact_by(|one, other| (one.origin + one.low).total_cmp(&(other.origin + other.low)));
    Relation::Broken
}

fn stretch(cell: &mut Cell, length: f64) {
    let centre = 0.5 * (cell.low + cell.high);
    (cell.low, cell.high) = (centre - 0.5 * length, centre + 0.5 * length);
}

/// Peaks are as high as the densities say where that is readable.
fn set_heights(cells: &mut [Cell], relation: Relation, normals: &[Option<Normal>]) {
    let spread = |members: &[(usize, f64)]| -> Vec<f64> {
        members
            .iter()
            .filter_map(|&(index, _)| normals[index].map(|normal| normal.std_dev()))
            .filter(|&std| std > 0.0)
            .collect()
    };
    let all: Vec<f64> = cells.iter().flat_map(|cell| spread(&cell.members)).collect();
    for cell in cells.iter_mut() {
        let compared = if relation == Relation::OwnScales { spread(&cell.members) } else { all.clone() };
        let narrowest = compared.iter().copied().fold(f64::INFINITY, f64::min);
        let widest = compared.iter().copied().fold(0.0, f64::max);
        cell.own_heights = widest > COMPARABLE_HEIGHTS * narrowest;
        for (index, height) in &mut cell.members {
            let std_dev = normals[*index].map_or(0.0, |normal| normal.std_dev());
            *height = if cell.own_heights || std_dev == 0.0 { 1.0 } else { narrowest / std_dev };
        }
    }
}

/// Makes room for the true value where that does not shrink the curves much.
fn include_truth(cells: &mut [Cell], relation: Relation, truth: f64) {
    if relation != Relation::OneAxis || cells.iter().any(|cell| cell.place(truth).is_some()) {
        return;
    }
    for cell in cells {
        let (position, length) = (truth - cell.origin, cell.length());
        let margin = 0.06 * length;
        if position < cell.low && position > cell.low - 1.5 * length {
            cell.low = position - margin;
        } else if position > cell.high && position < cell.high + 1.5 * length {
            cell.high = position + margin;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{Curve, CurveStyle};
    use super::*;

    fn arranged(curves: &[(f64, f64)], truth: Option<f64>) -> Arrangement {
        let curve = |&(mean, std_dev): &(f64, f64)| Curve {
            label: "c".to_owned(),
            mean,
            variance: std_dev * std_dev,
            style: CurveStyle::After,
            placed: true,
        };
        let curves = curves.iter().map(curve).collect();
        arrange(&Panel { name: "x".to_owned(), curves, truth, interval_level: 0.95 })
    }

    #[test]
    fn similar_curves_share_an_axis_and_their_areas_stay_comparable() {
        let found = arranged(&[(0.0, 2.0), (1.0, 1.0)], None);
        assert_eq!(found.relation, Relation::OneAxis);
        // Reach 3.6: from 0 − 3.6·2 to 0 + 3.6·2; the wider curve is half as high.
        assert_eq!((found.cells[0].low, found.cells[0].high), (-7.2, 7.2));
        assert_eq!(found.cells[0].members, [(0, 0.5), (1, 1.0)]);
    }

    #[test]
    fn a_shift_of_300_standard_deviations_breaks_the_axis_at_the_same_scale() {
        let found = arranged(&[(483_000.0, 9.486_8), (480_000.0, 10.0)], None);
        assert_eq!(found.relation, Relation::Broken);
        assert_eq!(found.cells[0].length(), found.cells[1].length());
        assert!(found.cells[0].origin < found.cells[1].origin);
    }

    #[test]
    fn a_posterior_a_million_times_narrower_has_its_own_scale() {
        let found = arranged(&[(0.0, 1e6), (3.0, 1.0)], None);
        assert_eq!(found.relation, Relation::OwnScales);
        assert!(found.cells.iter().all(|cell| cell.members[0].1 == 1.0));
    }

    #[test]
    fn a_value_known_exactly_stands_beside_the_curve_it_is_near_to() {
        let near = arranged(&[(480_000.0, 10.0), (480_020.0, 0.0)], None);
        assert_eq!((near.relation, near.cells[0].members.len()), (Relation::OneAxis, 2));
        let far = arranged(&[(480_000.0, 10.0), (483_000.0, 0.0)], None);
        assert_eq!(far.relation, Relation::Broken);
        assert!((far.cells[0].length() - far.cells[1].length()).abs() < 1e-9);
    }

    #[test]
    fn the_true_value_is_shown_where_it_does_not_squeeze_the_curves() {
        assert!(arranged(&[(0.0, 1.0)], Some(9.0)).cells[0].place(9.0).is_some());
        assert!(arranged(&[(0.0, 1.0)], Some(900.0)).cells[0].place(900.0).is_none());
    }

    #[test]
    fn what_is_no_distribution_has_no_axis() {
        let found = arranged(&[(f64::NAN, 1.0), (0.0, f64::INFINITY)], Some(1.0));
        assert!(found.cells.is_empty() && found.left_out.is_empty());
        assert_eq!(arranged(&[(-1.7e308, 1.0), (1.7e308, 1.0)], None).cells.len(), 2);
    }
}
