//! The factors of many summands with two values each, at low frequencies: the same formulas as for any summand, without a branch, so
//! that the processor computes several at once.
//!
//! For θ ≤ 1/16 every angle (a − mean)·θ is at most 1/16; a variance is at most ¼, so that a factor's distance from 1 is at most
//! θ²/8·1.01 < 2⁻¹⁰ along the real axis, and its imaginary part at most θ³/24 + u·θ: all series are within their range.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use super::fourier::{Sum, Tilted, U};
use super::lanes::{LANES, Lanes, fast};
use super::series::{logarithm_near_one, small_angle, turned_little};
use crate::threads;

/// Up to here frequencies are low.
pub(super) const SMALL_FREQUENCY: f64 = 1.0 / 16.0;
/// So many summands are computed before they are added up.
const BLOCK: usize = 256;
/// A thread takes so many blocks at a time, for all frequencies: they stay in near memory.
const BLOCKS: usize = 32;

/// Frequencies one beside the other, with the transform of the sum at each; those that fill the last group up weigh nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Points {
    pub(super) theta: Lanes,
    pub(super) weight: Lanes,
    pub(super) real: Lanes,
    pub(super) imaginary: Lanes,
    pub(super) size: Lanes,
    pub(super) error: Lanes,
}

/// A summand with two values that is left out of the sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) probabilities: [f64; 2],
    pub(super) mean: (f64, f64),
}

/// What a Fourier sum over all frequencies but 0 is without that summand, for each of its values, and a bound on how far off it is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WithoutOne {
    pub(super) sums: [f64; 2],
    pub(super) error: f64,
}

/// Summands one beside the other; those that fill the last block up count as none.
struct Block {
    no: [f64; BLOCK],
    yes: [f64; BLOCK],
    mean: [f64; BLOCK],
    /// What the mean is more than that.
    rest: [f64; BLOCK],
    count: [f64; BLOCK],
}

/// All summands that have two values.
pub(super) struct Pairs {
    blocks: Vec<Block>,
}

/// What some summands contribute at a frequency: to the logarithm and the angle of the product, and to its error.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    pub(super) logarithm: Sum,
    pub(super) angles: Sum,
    pub(super) error: f64,
}

impl Pairs {
    pub(super) fn new(tilted: &[Tilted]) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        for (place, kind) in tilted.iter().filter(|kind| kind.probabilities.len() == 2).enumerate() {
            let place = place % BLOCK;
            if place == 0 {
                let none = [0.0; BLOCK];
                blocks.push(Block { no: [1.0; BLOCK], yes: none, mean: none, rest: none, count: none });
            }
            if let Some(block) = blocks.last_mut() {
                block.no[place] = kind.probabilities[0];
                block.yes[place] = kind.probabilities[1];
                (block.mean[place], block.rest[place]) = kind.mean;
                block.count[place] = kind.count;
            }
        }
        Pairs { blocks }
    }

    /// What all of them contribute at each of these low frequencies, added up in the same order whoever computes it.
    pub(super) fn at(&self, frequencies: &[f64]) -> Vec<Part> {
        let parts: Vec<Vec<Part>> = threads::within(|| {
            let several = |blocks: &[Block]| frequencies.iter().map(|theta| contribution(blocks, *theta)).collect();
            self.blocks.par_chunks(BLOCKS).map(several).collect()
        });
        let mut sums = vec![Part::default(); frequencies.len()];
        for part in parts {
            for (sum, part) in sums.iter_mut().zip(&part) {
                sum.add(part);
            }
        }
        sums
    }
}

impl Part {
    fn add(&mut self, other: &Part) {
        for (sum, part) in [(&mut self.logarithm, other.logarithm), (&mut self.angles, other.angles)] {
            sum.add(part.high);
            sum.add(part.low);
        }
        self.error += other.error;
    }
}

fast! {
fn contribution<'k>(blocks: &'k [Block], theta: f64) -> Part {
    let none = [0.0; LANES];
    let (mut high, mut low, mut error) = ([none; 2], [none; 2], none);
    for block in blocks {
        let (mut logarithms, mut turns, mut errors) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
        for place in 0..BLOCK {
            // As in `Tilted::factor`.
            let (no, yes, mean) = (block.no[place], block.yes[place], block.mean[place]);
            let (count, shift) = (block.count[place], theta * block.rest[place]);
            let (no_versine, no_bent) = turned_little(-mean * theta);
            let (yes_versine, yes_bent) = turned_little((1.0 - mean) * theta);
            let down = no * no_versine + yes * yes_versine;
            let imaginary = no * no_bent + yes * yes_bent + shift;
            let cubes = no * no_bent.abs() + yes * yes_bent.abs();
            let off = 18.0 * U * down + 34.0 * U * cubes + 8.0 * U * shift.abs();
            // As in `Tilted::contribute`, where a factor's size is its square at least.
            let less = imaginary * imaginary - (2.0 - down) * down;
            let logarithm = 0.5 * logarithm_near_one(less);
            let turn = small_angle(imaginary, 1.0 - down);
            logarithms[place] = count * logarithm;
            turns[place] = count * turn;
            errors[place] = count * (4.0 * off / (1.0 + less) + 8.0 * U * (logarithm.abs() + turn.abs()));
        }
        for group in 0..BLOCK / LANES {
            for lane in 0..LANES {
                let place = group * LANES + lane;
                add(&mut high[0], &mut low[0], lane, logarithms[place]);
                add(&mut high[1], &mut low[1], lane, turns[place]);
                error[lane] += errors[place];
            }
        }
    }
    let mut part = Part::default();
    for lane in 0..LANES {
        let sum = |which: usize| Sum { high: high[which][lane], low: low[which][lane] };
        part.add(&Part { logarithm: sum(0), angles: sum(1), error: error[lane] });
    }
    part
}
}

fast! {
/// As `Transform::posterior` does for any summand, at low frequencies only: there a factor is near 1.
fn without_each<'k>(points: &'k [Points], pairs: &'k [Pair]) -> Vec<WithoutOne> {
    let count = (points.len() * LANES) as f64;
    let mut found = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let ([no, yes], (mean, rest)) = (pair.probabilities, pair.mean);
        let farthest = mean.max(1.0 - mean);
        let (mut sums, mut errors) = ([[0.0; LANES]; 2], [0.0; LANES]);
        for group in points {
            for lane in 0..LANES {
                let (theta, weight) = (group.theta[lane], group.weight[lane]);
                let turns = [-mean * theta, (1.0 - mean) * theta];
                let (no_versine, no_bent) = turned_little(turns[0]);
                let (yes_versine, yes_bent) = turned_little(turns[1]);
                let real = 1.0 - (no * no_versine + yes * yes_versine);
                let imaginary = no * no_bent + yes * yes_bent + theta * rest;
                let square = real * real + imaginary * imaginary;
                let smaller = square.sqrt();
                let own = group.error[lane] + (64.0 + 8.0 * farthest * theta) * U / smaller;
                // e^x − 1 ≤ x + x² up to 1.
                let grown = if own <= 1.0 { own + own * own } else { f64::INFINITY };
                errors[lane] += weight * group.size[lane] / smaller * (grown + U * count);
                let across = (group.real[lane] * real + group.imaginary[lane] * imaginary) / square;
                let upwards = (group.imaginary[lane] * real - group.real[lane] * imaginary) / square;
                sums[0][lane] += weight * (across * (1.0 - no_versine) - upwards * (turns[0] + no_bent));
                sums[1][lane] += weight * (across * (1.0 - yes_versine) - upwards * (turns[1] + yes_bent));
            }
        }
        found.push(WithoutOne { sums: sums.map(|lanes| lanes.iter().sum()), error: errors.iter().sum() });
    }
    found
}
}

/// What Fourier sums over low frequencies are without each of these summands.
pub(super) fn without(points: &[Points], pairs: &[Pair]) -> Vec<WithoutOne> {
    without_each(points, pairs)
}

/// Adds to one of several sums with compensation.
#[inline(always)]
fn add(high: &mut Lanes, low: &mut Lanes, lane: usize, value: f64) {
    let mut sum = Sum { high: high[lane], low: low[lane] };
    sum.add(value);
    (high[lane], low[lane]) = (sum.high, sum.low);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `docs/proofs/counts.md`: eight at a time, the last block partly empty, and other summands between them.
    #[test]
    fn pairs_contribute_what_each_of_them_does() {
        let summand = |j: u32| {
            let p = (0.5 + f64::from(j)) / 20_000.0;
            let laws = if j % 7 == 3 { vec![1.0 - p, 0.0, p] } else { vec![1.0 - p, p] };
            Tilted {
                mean: ((laws.len() - 1) as f64 * p, 1e-17),
                probabilities: laws.into(),
                count: f64::from(1 + j % 3),
            }
        };
        let tilted: Vec<Tilted> = (0..20_000).map(summand).collect();
        let frequencies = [1e-6, 1e-3, 0.02, SMALL_FREQUENCY];
        for (theta, found) in frequencies.iter().zip(Pairs::new(&tilted).at(&frequencies)) {
            let mut expected = Part::default();
            let pairs = tilted.iter().filter(|kind| kind.probabilities.len() == 2);
            pairs.for_each(|kind| kind.contribute(*theta, &mut expected));
            let off = |one: Sum, other: Sum| (one.total() - other.total()).abs();
            assert!(off(found.logarithm, expected.logarithm) <= expected.error, "{theta}");
            assert!(off(found.angles, expected.angles) <= expected.error, "{theta}");
            assert!(found.error >= expected.error * 0.999 && found.error <= expected.error * 1.01, "{theta}");
        }
    }
}
