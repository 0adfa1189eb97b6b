//! How far one mixture of normal distributions, cut off or not, is from another: numbers between proven bounds.
//! `docs/proofs/mixtures.md` has the proofs.

use super::cells::{Part, ends_of, refine};
use crate::leakage::Normal;

/// A part of a mixture: a normal distribution, or what lies of it between two bounds; a number if its variance is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// How likely it is this one.
    pub weight: f64,
    /// Mean before it is cut off.
    pub mean: f64,
    /// Variance before it is cut off.
    pub variance: f64,
    /// It lies above this.
    pub low: f64,
    /// And not above this.
    pub high: f64,
}

/// A number that lies between two others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// It is at least this.
    pub low: f64,
    /// And at most this.
    pub high: f64,
}

/// Half a unit in the last place of 1.
const UNIT: f64 = f64::EPSILON / 2.0;
/// How far off the logarithm of a probability is: so many units, and so many more for each z².
const LOG_UNITS: (f64, f64) = (128.0, 16.0);

/// Bounds of ∫ p log₂ (p / q).
///
/// The line is cut into cells. With P and Q the probabilities of a cell, its part is at least P ln(P/Q) (the log-sum
/// inequality) and at most P (ln(P/Q) + c²/8), where c is the range of ln(p/q) over the cell: Hoeffding's lemma for the
/// divergence of the two distributions within it. Cells with the largest gaps are halved.
pub fn kl_bounds_bits(p: &[Piece], q: &[Piece]) -> Bounds {
    let atoms = match kl_of_atoms(p, q) {
        Some(atoms) => atoms,
        None => return Bounds { low: f64::INFINITY, high: f64::INFINITY },
    };
    let (p, q) = (Mixture::new(p), Mixture::new(q));
    let found = over_cells(&p, &q, &|cell| {
        // What is below the smallest double of p adds less than rounding does.
        if cell.p == 0.0 {
            return Part::NOTHING;
        }
        if cell.log_q == f64::NEG_INFINITY {
            return Part { low: f64::INFINITY, high: f64::INFINITY, off: 0.0 };
        }
        let ratio = cell.log_p - cell.log_q;
        let centre = cell.p * ratio;
        let off = cell.p * (cell.off * (2.0 + ratio.abs()) + 4.0 * UNIT * ratio.abs());
        Part { low: centre, high: centre + cell.p * (cell.range * cell.range / 8.0).min(cell.range), off }
    });
    if found.low == f64::INFINITY {
        return Bounds { low: f64::INFINITY, high: f64::INFINITY };
    }
    let slack = found.off + 4.0 * UNIT * (found.low.abs() + found.high.abs() + atoms.size);
    let bits = |nats: f64| (nats / std::f64::consts::LN_2).max(0.0);
    Bounds { low: bits(found.low + atoms.sum - slack), high: bits(found.high + atoms.sum + slack) }
}

/// Bounds of half of ∫ |p − q|: of a cell at least |P − Q|.
pub fn total_variation_bounds(p: &[Piece], q: &[Piece]) -> Bounds {
    let mut atoms = 0.0;
    for place in atom_places(p, q) {
        atoms += (atom(p, place) - atom(q, place)).abs();
    }
    let (p, q) = (Mixture::new(p), Mixture::new(q));
    let found = over_cells(&p, &q, &|cell| {
        let (least, most) = cell.log_ratio;
        let off = 4.0 * (cell.p + cell.q) * cell.off;
        let low = (cell.p - cell.q).abs();
        // Where one density is the larger one throughout, the difference of probabilities is all there is.
        let high = if least >= 0.0 || most <= 0.0 {
            low
        } else {
            // ∫|p − q| = P − Q + 2∫(q − p)⁺, where q − p = q·(1 − p/q); and the other way round.
            let by_q = cell.p - cell.q + 2.0 * cell.q * (1.0 - least.exp());
            let by_p = cell.q - cell.p + 2.0 * cell.p * (1.0 - (-most).exp());
            by_q.min(by_p)
        };
        Part { low, high: high.max(low).min(cell.p + cell.q), off }
    });
    let slack = found.off + 8.0 * UNIT;
    Bounds { low: ((found.low + atoms) / 2.0 - slack).max(0.0), high: ((found.high + atoms) / 2.0 + slack).min(1.0) }
}

/// Adds up what cells add, where there is anything of either.
fn over_cells(p: &Mixture, q: &Mixture, of: &dyn Fn(&Cell) -> Part) -> Part {
    refine(ends_of(&[p, q]), &|low, high| {
        let cell = Cell::new(p, q, low, high);
        if cell.p == 0.0 && cell.q == 0.0 { Part::NOTHING } else { of(&cell) }
    })
}

fn atom(pieces: &[Piece], place: f64) -> f64 {
    pieces.iter().filter(|piece| piece.variance == 0.0 && piece.mean == place).map(|piece| piece.weight).sum()
}

fn atom_places(p: &[Piece], q: &[Piece]) -> Vec<f64> {
    let numbers = p.iter().chain(q).filter(|piece| piece.variance == 0.0 && piece.weight > 0.0);
    let mut places: Vec<f64> = numbers.map(|piece| piece.mean).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

/// Σ P ln(P/Q) of numbers, and how far off it can be in units of rounding.
#[derive(Default)]
struct Atoms {
    sum: f64,
    size: f64,
}

/// The part of numbers, in nats; `None` if one of them was impossible.
fn kl_of_atoms(p: &[Piece], q: &[Piece]) -> Option<Atoms> {
    let mut atoms = Atoms::default();
    let terms = (p.len() + q.len()) as f64;
    for place in atom_places(p, q) {
        let (after, before) = (atom(p, place), atom(q, place));
        match (after > 0.0, before > 0.0) {
            (false, _) => {}
            (true, false) => return None,
            (true, true) => {
                let ratio = (after / before).ln();
                atoms.sum += after * ratio;
                atoms.size += terms * after * (1.0 + ratio.abs());
            }
        }
    }
    Some(atoms)
}

/// The continuous part of a mixture.
pub(super) struct Mixture {
    parts: Vec<Component>,
}

struct Component {
    normal: Normal,
    /// The logarithm of the weight over the probability between the bounds, and how far off it can be.
    log_weight: f64,
    off: f64,
    low: f64,
    high: f64,
}

impl Mixture {
    pub(super) fn new(pieces: &[Piece]) -> Self {
        let continuous = pieces.iter().filter(|piece| piece.variance > 0.0 && piece.weight > 0.0);
        let part = |piece: &Piece| {
            let normal = Normal::new(piece.mean, piece.variance)?;
            let log_inside = normal.log_probability_between(piece.low, piece.high);
            let log_weight = piece.weight.ln() - log_inside;
            let off = log_error(&normal, piece.low, piece.high) + 2.0 * UNIT * log_weight.abs();
            let part = Component { normal, log_weight, off, low: piece.low, high: piece.high };
            (log_inside > f64::NEG_INFINITY).then_some(part)
        };
        Mixture { parts: continuous.filter_map(part).collect() }
    }

    /// Its normal distributions, and the bounds that each lies between.
    pub(super) fn normals(&self) -> impl Iterator<Item = (&Normal, f64, f64)> {
        self.parts.iter().map(|part| (&part.normal, part.low, part.high))
    }

    /// The logarithm of the probability of a cell, and how far off it can be.
    fn log_probability(&self, low: f64, high: f64) -> (f64, f64) {
        let inside = self.parts.iter().filter(|part| part.low.max(low) < part.high.min(high));
        let logs: Vec<(f64, f64)> = inside
            .map(|part| {
                let (low, high) = (low.max(part.low), high.min(part.high));
                let log = part.log_weight + part.normal.log_probability_between(low, high);
                (log, part.off + log_error(&part.normal, low, high))
            })
            .collect();
        let sum = logs.iter().fold(f64::NEG_INFINITY, |sum, (log, _)| log_add(sum, *log));
        // What a part is off by counts as far as it is of the whole.
        let off: f64 = logs.iter().map(|(log, off)| (log - sum).exp() * off).sum();
        (sum, if sum == f64::NEG_INFINITY { 0.0 } else { off + 4.0 * UNIT * (logs.len() as f64 + sum.abs()) })
    }

    /// The probability of a cell, and how far off it can be.
    pub(super) fn probability(&self, low: f64, high: f64) -> (f64, f64) {
        let (log, off) = self.log_probability(low, high);
        let probability = log.exp();
        (probability, 2.0 * probability * (off + UNIT * (1.0 + log.abs().min(1e3))))
    }

    /// Bounds of the logarithm of the density over a cell that no cut lies within, and of its slope.
    fn log_density(&self, low: f64, high: f64) -> ((f64, f64), (f64, f64)) {
        let (mut least, mut most) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let (mut falling, mut rising) = (f64::INFINITY, f64::NEG_INFINITY);
        for part in self.parts.iter().filter(|part| part.low <= low && part.high >= high) {
            let (mean, variance) = (part.normal.mean(), part.normal.variance());
            let scale = part.log_weight - 0.5 * (std::f64::consts::TAU * variance).ln();
            let at = |x: f64| scale - (x - mean) * (x - mean) / (2.0 * variance);
            let inner = if low <= mean && mean <= high { scale } else { at(low).max(at(high)) };
            most = log_add(most, inner);
            least = log_add(least, at(low).min(at(high)));
            falling = falling.min((mean - high) / variance);
            rising = rising.max((mean - low) / variance);
        }
        ((least, most), (falling, rising))
    }
}

fn log_add(a: f64, b: f64) -> f64 {
    let (large, small) = (a.max(b), a.min(b));
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() }
}

/// How far off the logarithm of the probability between two bounds can be.
fn log_error(normal: &Normal, low: f64, high: f64) -> f64 {
    let (low, high) = (normal.z_score(low), normal.z_score(high));
    let near = if low < 0.0 && high > 0.0 { 0.0 } else { low.abs().min(high.abs()) };
    UNIT * (LOG_UNITS.0 + LOG_UNITS.1 * near * near)
}

/// What is known about one cell.
pub(super) struct Cell {
    pub(super) p: f64,
    pub(super) q: f64,
    log_p: f64,
    log_q: f64,
    /// How far off both logarithms are together.
    pub(super) off: f64,
    /// Bounds of ln(p/q) over the cell.
    pub(super) log_ratio: (f64, f64),
    /// By how much ln(p/q) varies over the cell at most.
    range: f64,
}

impl Cell {
    pub(super) fn new(p: &Mixture, q: &Mixture, low: f64, high: f64) -> Self {
        let ((p_least, p_most), (p_falling, p_rising)) = p.log_density(low, high);
        let ((q_least, q_most), (q_falling, q_rising)) = q.log_density(low, high);
        let steepest = (p_rising - q_falling).max(q_rising - p_falling);
        let by_slope = if steepest.is_finite() { steepest.max(0.0) * (high - low) } else { f64::INFINITY };
        let log_ratio = match (p_most == f64::NEG_INFINITY, q_most == f64::NEG_INFINITY) {
            (true, _) => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            (false, true) => (f64::INFINITY, f64::INFINITY),
            (false, false) => (p_least - q_most, p_most - q_least),
        };
        let by_ends = log_ratio.1 - log_ratio.0;
        let range = if by_ends.is_finite() { by_ends.min(by_slope) } else { by_slope };
        let ((log_p, p_off), (log_q, q_off)) = (p.log_probability(low, high), q.log_probability(low, high));
        // The ratio of the probabilities is one of the ratios of the densities.
        let middle = log_p - log_q;
        let log_ratio = if middle.is_finite() && range.is_finite() {
            (log_ratio.0.max(middle - range), log_ratio.1.min(middle + range))
        } else {
            log_ratio
        };
        Cell { p: log_p.exp(), q: log_q.exp(), log_p, log_q, off: p_off + q_off, log_ratio, range }
    }
}
