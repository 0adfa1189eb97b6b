//! Sums over cells of the line: each adds something between two bounds, and those with the largest gaps are halved.
//! `docs/proofs/mixtures.md` has the proofs.

use privug_engine::number::{Constants, DoubleDouble, Wide};

use super::mixture::Mixture;

/// Cells at most; the bounds are reported as they are.
const MAX_CELLS: usize = 20_000;
/// A gap below this is not worth another cell.
const ENOUGH: f64 = 1e-8;
/// So many standard deviations hold all but 1e-300 of a normal distribution.
const REACH: f64 = 38.0;

/// What a cell adds: it lies between two bounds, each of them off by at most so much.
pub(super) struct Part {
    /// At least.
    pub(super) low: f64,
    /// At most.
    pub(super) high: f64,
    /// How far off both are.
    pub(super) off: f64,
}

impl Part {
    pub(super) const NOTHING: Part = Part { low: 0.0, high: 0.0, off: 0.0 };
}

/// Where to cut the line first.
pub(super) fn ends_of(mixtures: &[&Mixture]) -> Vec<f64> {
    let mut ends: Vec<f64> = Vec::new();
    for (normal, low, high) in mixtures.iter().flat_map(|mixture| mixture.normals()) {
        let (mean, std) = (normal.mean(), normal.std_dev());
        for step in [-REACH, -8.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 8.0, REACH] {
            ends.push(mean + step * std);
        }
        // Of what is cut off far out, most lies within a few steps of 1/z behind the cut.
        for (cut, away) in [(low, 1.0), (high, -1.0)] {
            let z = normal.z_score(cut).abs();
            if cut.is_finite() && z > 1.0 {
                ends.extend([1.0, 4.0, 16.0, 64.0, 740.0].map(|step| cut + away * step * std / z));
            }
            ends.push(cut);
        }
    }
    ends.retain(|end| end.is_finite());
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    ends
}

/// Adds up bounds over cells, halving those with the largest gaps.
pub(super) fn refine(ends: Vec<f64>, of: &dyn Fn(f64, f64) -> Part) -> Part {
    let judged = |low: f64, high: f64| (of(low, high), low, high);
    let mut cells: Vec<(Part, f64, f64)> = ends.windows(2).map(|pair| judged(pair[0], pair[1])).collect();
    let gap_of = |cells: &[(Part, f64, f64)]| cells.iter().map(|(part, _, _)| part.high - part.low).sum::<f64>();
    let mut gap = gap_of(&cells);
    while gap > ENOUGH && gap.is_finite() && cells.len() < MAX_CELLS {
        // All cells whose gaps matter are halved at once.
        let threshold = gap / (2.0 * cells.len() as f64);
        let mut halved = Vec::with_capacity(cells.len() * 2);
        let mut changed = false;
        for (part, low, high) in cells {
            let middle = low + (high - low) / 2.0;
            if part.high - part.low > threshold && middle > low && middle < high {
                changed = true;
                halved.push(judged(low, middle));
                halved.push(judged(middle, high));
            } else {
                halved.push((part, low, high));
            }
        }
        cells = halved;
        gap = gap_of(&cells);
        if !changed {
            break;
        }
    }
    if cells.iter().any(|(part, _, _)| part.low == f64::INFINITY) {
        return Part { low: f64::INFINITY, high: f64::INFINITY, off: 0.0 };
    }
    // In pairs of doubles, so that very many cells bring no rounding of their own.
    let sum = |of: &dyn Fn(&Part) -> f64| {
        let sum = cells.iter().fold(DoubleDouble::zero(), |sum, (part, _, _)| sum.add_narrow(&of(part)));
        sum.to_f64()
    };
    Part { low: sum(&|part| part.low), high: sum(&|part| part.high), off: sum(&|part| part.off) }
}
