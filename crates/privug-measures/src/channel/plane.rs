//! What an output with a density tells about a secret that has one too: an integral over the plane, between proven bounds.
//! `docs/proofs/information.md` has the proof.

use privug_engine::gaussian::{standard_survival, truncated_moments};
use privug_engine::number::{Constants, DoubleDouble, Wide};

use super::quadratic::{Bump, Curvature, LogSum};
use super::{Bounds, Piece};
use crate::leakage::Normal;

/// Where the plane of each normal distribution ends, in standard deviations.
const REACH: f64 = 9.0;
/// A gap below this is not worth another cell.
const ENOUGH: f64 = 1e-6;
/// Cells times normal distributions that are looked at at most.
const MAX_WORK: usize = 2_000_000;
/// Half a unit in the last place of 1.
const UNIT: f64 = f64::EPSILON / 2.0;

/// One normal distribution of a secret x and an output y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    /// How likely it is this one.
    pub(super) weight: f64,
    /// Mean of the secret.
    pub(super) x_mean: f64,
    /// Its variance.
    pub(super) x_variance: f64,
    /// Mean of the output.
    pub(super) y_mean: f64,
    /// Its variance.
    pub(super) y_variance: f64,
    /// Their covariance.
    pub(super) covariance: f64,
    /// The variance of the secret once the output is seen.
    pub(super) x_left: f64,
}

/// A spot in its own coordinates: x = mean + a·u and y = mean + b·u + c·v, where u and v are independent standard normals.
struct Frame {
    weight: f64,
    a: f64,
    b: f64,
    c: f64,
    x_mean: f64,
    y_mean: f64,
}

impl Frame {
    fn new(spot: &Spot) -> Self {
        let a = spot.x_variance.sqrt();
        let c = (spot.y_variance * (spot.x_left / spot.x_variance)).sqrt();
        let b = spot.covariance / a;
        Frame { weight: spot.weight, a, b, c, x_mean: spot.x_mean, y_mean: spot.y_mean }
    }
}

/// A rectangle of one frame.
struct Cell {
    frame: usize,
    u: (f64, f64),
    v: (f64, f64),
    low: f64,
    high: f64,
    /// Whether it is halved along u.
    along_u: bool,
}

/// Bounds of ∫∫ f ln(f / (g·h)) in nats: f the spots, g the density of the secret, h that of the output. Every spot is in both.
///
/// Over a rectangle of a spot's own coordinates ln(f/(g·h)) is its value at the centre of mass and half the second moments times
/// its curvature somewhere in the rectangle; the curvature of a logarithm of a sum is a mean and a variance over its terms, which
/// are bounded by how much the shares of the terms vary.
pub(super) fn spread_nats(spots: &[Spot], secret: &[Piece], output: &[Piece]) -> Bounds {
    let frames: Vec<Frame> = spots.iter().map(Frame::new).collect();
    let sums: Vec<[LogSum; 3]> = frames.iter().map(|frame| logarithms(frame, spots, secret, output)).collect();
    let work = 1 + spots.len() + secret.len() + output.len();
    let judge = |frame: usize, u: (f64, f64), v: (f64, f64)| judged(&frames[frame], &sums[frame], frame, u, v);
    let steps = [-REACH, -5.0, -3.5, -2.5, -1.75, -1.0, -0.5, 0.0, 0.5, 1.0, 1.75, 2.5, 3.5, 5.0, REACH];
    let mut cells: Vec<Cell> = Vec::new();
    for frame in 0..frames.len() {
        for u in steps.windows(2) {
            for v in steps.windows(2) {
                cells.push(judge(frame, (u[0], u[1]), (v[0], v[1])));
            }
        }
    }
    let gap_of = |cells: &[Cell]| cells.iter().map(|cell| cell.high - cell.low).sum::<f64>();
    let mut gap = gap_of(&cells);
    let mut done = cells.len() * work;
    while gap > ENOUGH && gap.is_finite() && done < MAX_WORK {
        let threshold = gap / (2.0 * cells.len() as f64);
        let mut halved = Vec::with_capacity(cells.len() * 2);
        for cell in cells {
            if cell.high - cell.low <= threshold {
                halved.push(cell);
                continue;
            }
            done += 2 * work;
            let middle = |of: (f64, f64)| of.0 + (of.1 - of.0) / 2.0;
            if cell.along_u {
                let at = middle(cell.u);
                halved.push(judge(cell.frame, (cell.u.0, at), cell.v));
                halved.push(judge(cell.frame, (at, cell.u.1), cell.v));
            } else {
                let at = middle(cell.v);
                halved.push(judge(cell.frame, cell.u, (cell.v.0, at)));
                halved.push(judge(cell.frame, cell.u, (at, cell.v.1)));
            }
        }
        cells = halved;
        gap = gap_of(&cells);
    }
    let sum = |of: &dyn Fn(&Cell) -> f64| {
        cells.iter().fold(DoubleDouble::zero(), |sum, cell| sum.add_narrow(&of(cell))).to_f64()
    };
    let beyond: f64 = frames.iter().zip(&sums).map(|(frame, sums)| frame.weight * tail(sums)).sum();
    let (low, high) = (sum(&|cell| cell.low), sum(&|cell| cell.high));
    Bounds { low: low - beyond, high: high + beyond }
}

/// The logarithms of the three densities in the coordinates of a frame, that of the spots first.
fn logarithms(frame: &Frame, spots: &[Spot], secret: &[Piece], output: &[Piece]) -> [LogSum; 3] {
    let of_spot = |spot: &Spot| {
        let other = Frame::new(spot);
        // The other's own coordinates, as affine functions of u and v.
        let u = [frame.a / other.a, 0.0, (frame.x_mean - other.x_mean) / other.a];
        let y = [frame.b, frame.c, frame.y_mean - other.y_mean];
        let v = [0, 1, 2].map(|place| (y[place] - other.b * u[place]) / other.c);
        Bump::new(spot.weight.ln() - (other.a * other.c).ln(), &[u, v])
    };
    let of_secret = |piece: &Piece| {
        let std = piece.variance.sqrt();
        Bump::new(piece.weight.ln() - std.ln(), &[[frame.a / std, 0.0, (frame.x_mean - piece.mean) / std]])
    };
    let of_output = |piece: &Piece| {
        let std = piece.variance.sqrt();
        let z = [frame.b / std, frame.c / std, (frame.y_mean - piece.mean) / std];
        Bump::new(piece.weight.ln() - std.ln(), &[z])
    };
    // The factors 1/√2π are the same in the first and in the product of the other two.
    [
        LogSum::new(spots.iter().map(of_spot).collect()),
        LogSum::new(secret.iter().map(of_secret).collect()),
        LogSum::new(output.iter().map(of_output).collect()),
    ]
}

/// Bounds of what a rectangle adds.
fn judged(frame: &Frame, sums: &[LogSum; 3], number: usize, u: (f64, f64), v: (f64, f64)) -> Cell {
    let (Some(along_u), Some(along_v)) = (Side::new(u), Side::new(v)) else {
        return Cell { frame: number, u, v, low: 0.0, high: 0.0, along_u: true };
    };
    let centre = [along_u.mean, along_v.mean];
    let half = [along_u.half_width, along_v.half_width];
    let (mut value, mut size) = (0.0, 0.0);
    let mut curvature = Curvature::default();
    for (sum, sign) in sums.iter().zip([1.0, -1.0, -1.0]) {
        let (at, found) = sum.around(centre, half);
        value += sign * at;
        size += at.abs();
        curvature.add(sign, &found);
    }
    let [uu, vv] = [along_u.variance, along_v.variance];
    let cross = curvature.uv_radius() * (uu * vv).sqrt();
    let low = value + 0.5 * (curvature.uu.0 * uu + curvature.vv.0 * vv) - cross;
    let high = value + 0.5 * (curvature.uu.1 * uu + curvature.vv.1 * vv) + cross;
    // Logarithms are off by a few units of their size and of the squares they are made of, moments by their last digits.
    let steep = curvature.slope * (1.0 + REACH);
    let off = 64.0 * UNIT * (4.0 + size + steep) + 1e-11 * curvature.size() * (uu + vv);
    let weight = frame.weight * along_u.probability * along_v.probability;
    let by_u = (curvature.uu.1 - curvature.uu.0) * uu + curvature.uv_radius() * uu;
    let by_v = (curvature.vv.1 - curvature.vv.0) * vv + curvature.uv_radius() * vv;
    Cell { frame: number, u, v, low: weight * (low - off), high: weight * (high + off), along_u: by_u >= by_v }
}

/// One side of a rectangle: a standard normal between two bounds.
struct Side {
    probability: f64,
    mean: f64,
    variance: f64,
    /// How far the mean is from the farther end.
    half_width: f64,
}

impl Side {
    fn new((low, high): (f64, f64)) -> Option<Self> {
        let probability = Normal::new(0.0, 1.0)?.probability_between(low, high);
        let (mean, variance) = truncated_moments(low, high, high - low)?;
        (probability > 0.0).then(|| Side { probability, mean, variance, half_width: (high - mean).max(mean - low) })
    }
}

/// A bound of E |ln(f/(g·h))| beyond the reach: every logarithm is at most that of the sum of its tops, and at least that of its
/// own term, which falls with (u² + v²)/2; so it is at most α + u² + v² there.
fn tail(sums: &[LogSum; 3]) -> f64 {
    let alpha: f64 = sums.iter().map(LogSum::extent).sum();
    let beyond = 2.0 * standard_survival(REACH);
    let density = (-0.5 * REACH * REACH).exp() / std::f64::consts::TAU.sqrt();
    let squares = 2.0 * REACH * density + beyond;
    2.0 * ((alpha + 2.0) * beyond + 2.0 * squares)
}
