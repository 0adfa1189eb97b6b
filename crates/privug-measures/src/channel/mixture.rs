//! How far one mixture of normal distributions, cut off or not, is from another: numbers between proven bounds.

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

/// Cells at most; the bounds are reported as they are.
const MAX_CELLS: usize = 20_000;
/// A gap below this is not worth another cell.
const ENOUGH: f64 = 1e-8;
/// So many standard deviations hold all but 1e-300 of a normal distribution.
const REACH: f64 = 38.0;
/// What the probabilities of cells may be off by, relatively.
const ROUNDING: f64 = 1e-13;

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
    let found = refine(&p, &q, &|cell| {
        let (least, most) = cell.log_ratio;
        let range = cell.range;
        let (mut low, mut high) = (cell.p * least, cell.p * most);
        if cell.q > 0.0 {
            let centre = cell.p * (cell.p / cell.q).ln();
            low = low.max(centre);
            high = high.min(centre + cell.p * range * range / 8.0);
        } else if most == f64::INFINITY && least == f64::INFINITY {
            return (f64::INFINITY, f64::INFINITY);
        }
        (low.min(high), high)
    });
    let (low, high) = ((found.low + atoms) / std::f64::consts::LN_2, (found.high + atoms) / std::f64::consts::LN_2);
    Bounds { low: (low - ROUNDING).max(0.0), high: (high + ROUNDING).max(0.0) }
}

/// Bounds of half of ∫ |p − q|: of a cell at least |P − Q|.
pub fn total_variation_bounds(p: &[Piece], q: &[Piece]) -> Bounds {
    let mut atoms = 0.0;
    for place in atom_places(p, q) {
        atoms += (atom(p, place) - atom(q, place)).abs();
    }
    let (p, q) = (Mixture::new(p), Mixture::new(q));
    let found = refine(&p, &q, &|cell| {
        let (least, most) = cell.log_ratio;
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
        (low, high.max(low).min(cell.p + cell.q))
    });
    let slack = ROUNDING;
    Bounds { low: ((found.low + atoms) / 2.0 - slack).max(0.0), high: ((found.high + atoms) / 2.0 + slack).min(1.0) }
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

/// The part of numbers, in nats; `None` if one of them was impossible.
fn kl_of_atoms(p: &[Piece], q: &[Piece]) -> Option<f64> {
    let mut sum = 0.0;
    for place in atom_places(p, q) {
        let (after, before) = (atom(p, place), atom(q, place));
        match (after > 0.0, before > 0.0) {
            (false, _) => {}
            (true, false) => return None,
            (true, true) => sum += after * (after / before).ln(),
        }
    }
    Some(sum)
}

/// The continuous part of a mixture.
struct Mixture {
    parts: Vec<Part>,
}

struct Part {
    normal: Normal,
    /// The logarithm of the weight over the probability between the bounds.
    log_weight: f64,
    weight: f64,
    low: f64,
    high: f64,
    inside: f64,
}

impl Mixture {
    fn new(pieces: &[Piece]) -> Self {
        let continuous = pieces.iter().filter(|piece| piece.variance > 0.0 && piece.weight > 0.0);
        let part = |piece: &Piece| {
            let normal = Normal::new(piece.mean, piece.variance)?;
            let inside = normal.probability_between(piece.low, piece.high);
            (inside > 0.0).then(|| Part {
                normal,
                log_weight: piece.weight.ln() - inside.ln(),
                weight: piece.weight,
                low: piece.low,
                high: piece.high,
                inside,
            })
        };
        Mixture { parts: continuous.filter_map(part).collect() }
    }

    fn probability(&self, low: f64, high: f64) -> f64 {
        let of = |part: &Part| {
            let (low, high) = (low.max(part.low), high.min(part.high));
            if low < high { part.weight * part.normal.probability_between(low, high) / part.inside } else { 0.0 }
        };
        self.parts.iter().map(of).sum()
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

/// What is known about one cell.
struct Cell {
    low: f64,
    high: f64,
    p: f64,
    q: f64,
    /// Bounds of ln(p/q) over the cell.
    log_ratio: (f64, f64),
    /// By how much ln(p/q) varies over the cell at most.
    range: f64,
}

impl Cell {
    fn new(p: &Mixture, q: &Mixture, low: f64, high: f64) -> Self {
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
        let (p, q) = (p.probability(low, high), q.probability(low, high));
        // The ratio of the probabilities is one of the ratios of the densities.
        let log_ratio = if p > 0.0 && q > 0.0 && range.is_finite() {
            let middle = (p / q).ln();
            (log_ratio.0.max(middle - range), log_ratio.1.min(middle + range))
        } else {
            log_ratio
        };
        Cell { low, high, p, q, log_ratio, range }
    }
}

/// Adds up bounds over cells, halving those with the largest gaps.
fn refine(p: &Mixture, q: &Mixture, of: &dyn Fn(&Cell) -> (f64, f64)) -> Bounds {
    let mut ends: Vec<f64> = Vec::new();
    for part in p.parts.iter().chain(&q.parts) {
        let (mean, std) = (part.normal.mean(), part.normal.std_dev());
        for step in [-REACH, -8.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 8.0, REACH] {
            ends.push(mean + step * std);
        }
        ends.extend([part.low, part.high].into_iter().filter(|end| end.is_finite()));
    }
    ends.retain(|end| end.is_finite());
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let mut cells: Vec<(f64, f64, Cell)> = Vec::new();
    let judged = |low: f64, high: f64| {
        let cell = Cell::new(p, q, low, high);
        let (least, most) = if cell.p == 0.0 && cell.q == 0.0 { (0.0, 0.0) } else { of(&cell) };
        // A cell that p has nothing of tells nothing of a divergence; a difference of variation still counts q.
        let least = if least.is_nan() { 0.0 } else { least };
        let most = if most.is_nan() { 0.0 } else { most };
        (least, most, cell)
    };
    for pair in ends.windows(2) {
        cells.push(judged(pair[0], pair[1]));
    }
    let mut gap: f64 = cells.iter().map(|(low, high, _)| high - low).sum();
    while gap > ENOUGH && gap.is_finite() && cells.len() < MAX_CELLS {
        // All cells whose gaps matter are halved at once.
        let threshold = gap / (2.0 * cells.len() as f64);
        let mut halved = Vec::with_capacity(cells.len() * 2);
        let mut changed = false;
        for (low, high, cell) in cells {
            let middle = cell.low + (cell.high - cell.low) / 2.0;
            if high - low > threshold && middle > cell.low && middle < cell.high {
                changed = true;
                halved.push(judged(cell.low, middle));
                halved.push(judged(middle, cell.high));
            } else {
                halved.push((low, high, cell));
            }
        }
        cells = halved;
        gap = cells.iter().map(|(low, high, _)| high - low).sum();
        if !changed {
            break;
        }
    }
    Bounds { low: cells.iter().map(|(low, _, _)| low).sum(), high: cells.iter().map(|(_, high, _)| high).sum() }
}
