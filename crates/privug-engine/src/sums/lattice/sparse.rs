//! Probabilities of sums of many people on a fine lattice: only the frequencies that matter.
//!
//! The transform of a sum of n people is a product of n factors |φ| ≤ 1, nearly all of which are nearly 0 for large n: what is
//! left is near 0, and near the frequencies of round numbers if values are rounded. With f(ω) = |φ(ω)|² = E cos ω(x − x′),
//! |f″| ≤ 2σ², so that between two frequencies at a distance h f is at most the larger of the two plus h²σ²/4. An interval in
//! which the product is negligible by that is left out, and what is left out adds to the error; others are halved, down to
//! single frequencies.

use super::super::fft::{Complex, rounding, transform};
use super::{Kind, Others, Tilted, Window};

/// The first intervals are at most so long, in one by the largest standard deviation of a person's value.
const FIRST_LENGTH: f64 = 0.5;
/// All that is left out adds up to at most this share of the largest probability of a sum.
const LEFT_OUT: f64 = 1e-13;
/// Probabilities are added up in blocks of this many, so that rounding errors do.
const BLOCK: usize = 64;
/// Where a geometric series converges slowly, it is added up term by term.
const SLOW: f64 = 1e-3;

/// e^(2πi·r/N) for every r, as a product of two from tables.
struct Turns {
    mask: u64,
    bits: u32,
    fine: Vec<Complex>,
    coarse: Vec<Complex>,
}

impl Turns {
    fn new(points: u64) -> Self {
        let bits = points.trailing_zeros() / 2;
        let turn = |r: u64| Complex::turn(std::f64::consts::TAU * (r as f64 / points as f64));
        let fine = (0..1 << bits).map(turn).collect();
        let coarse = (0..points >> bits).map(|r| turn(r << bits)).collect();
        Turns { mask: points - 1, bits, fine, coarse }
    }

    /// e^(2πi·jk/N); the product of whole numbers is reduced before anything is rounded.
    #[inline]
    fn at(&self, j: u64, k: u64) -> Complex {
        let r = j.wrapping_mul(k) & self.mask;
        self.coarse[(r >> self.bits) as usize] * self.fine[(r & ((1 << self.bits) - 1)) as usize]
    }
}

/// A frequency that matters: its number, and the transforms of one person of each kind.
struct Kept {
    j: u64,
    transforms: Vec<Complex>,
}

/// The transforms of all kinds of people, where their product is not negligible.
pub(super) struct Sparse<'a> {
    tilted: &'a Tilted<'a>,
    points: u64,
    turns: Turns,
    kept: Vec<Kept>,
    /// How far the transform of each kind may be off.
    errors: Vec<f64>,
    /// A bound on the sum over all frequencies that are left out, divided by the number of all.
    left_out: f64,
    /// How many additions finding them took.
    pub(super) additions: usize,
}

/// There are too many frequencies that matter; so many additions did it take to find that out.
pub(super) struct TooMany(pub(super) usize);

/// How many additions the search may take, and how many numbers may be kept.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub(super) additions: usize,
    pub(super) numbers: usize,
}

/// An interval of frequencies: the first, how many, and |φ|² of each kind at its ends.
struct Interval {
    from: u64,
    count: u64,
    first: Vec<f64>,
    last: Vec<f64>,
}

impl<'a> Sparse<'a> {
    pub(super) fn new(tilted: &'a Tilted<'a>, points: u64, most: Most) -> Result<Self, TooMany> {
        let kinds = tilted.kinds;
        let widest = tilted.variances.iter().copied().fold(0.0, f64::max).sqrt();
        let coarse = (std::f64::consts::TAU * widest / FIRST_LENGTH).max(64.0);
        if !(coarse * kinds.len() as f64 <= 0.5 * most.numbers as f64) || coarse as u64 > points / 4 {
            return Err(TooMany(0));
        }
        let coarse = (coarse.ceil() as usize).next_power_of_two();
        let errors = kinds.iter().map(|kind| {
            let blocks = kind.values.len().div_ceil(BLOCK);
            f64::EPSILON * (8 + BLOCK + blocks) as f64
        });
        let mut sparse = Sparse {
            tilted,
            points,
            turns: Turns::new(points),
            kept: Vec::new(),
            errors: errors.collect(),
            left_out: 0.0,
            additions: coarse * kinds.len(),
        };
        let squares: Vec<Vec<f64>> = (0..kinds.len()).map(|place| sparse.coarse_squares(place, coarse)).collect();
        let count = points / coarse as u64;
        let of = |j: usize| squares.iter().map(move |of_kind| of_kind[j]);
        // Each frequency has an equal part of what may be left out.
        let negligible = LEFT_OUT * tilted.largest_probability();
        // |φ| is even: half of the frequencies are enough.
        for j in 0..coarse / 2 {
            let bound = sparse.bound(count, of(j).zip(of(j + 1)));
            if bound <= negligible {
                sparse.leave_out(bound, count);
                continue;
            }
            let whole = Interval { from: j as u64 * count, count, first: of(j).collect(), last: of(j + 1).collect() };
            sparse.halve(whole, negligible, most)?;
        }
        // The frequency in the middle belongs to no interval that begins before it.
        sparse.keep(points / 2);
        Ok(sparse)
    }

    /// Goes through an interval that may matter.
    fn halve(&mut self, whole: Interval, negligible: f64, most: Most) -> Result<(), TooMany> {
        let values: usize = self.tilted.kinds.iter().map(|kind| kind.values.len()).sum();
        let mut due = vec![whole];
        while let Some(interval) = due.pop() {
            let ends = interval.first.iter().copied().zip(interval.last.iter().copied());
            let bound = self.bound(interval.count, ends);
            if bound <= negligible {
                self.leave_out(bound, interval.count);
                continue;
            }
            self.additions += values;
            if self.additions > most.additions || self.kept.len() * self.errors.len() > most.numbers {
                return Err(TooMany(self.additions));
            }
            if interval.count == 1 {
                self.keep(interval.from);
                continue;
            }
            let count = interval.count / 2;
            let middle = interval.from + count;
            let between: Vec<f64> = (0..self.errors.len()).map(|place| self.square(place, middle)).collect();
            due.push(Interval { from: middle, count, first: between.clone(), last: interval.last });
            due.push(Interval { from: interval.from, count, first: interval.first, last: between });
        }
        Ok(())
    }

    fn leave_out(&mut self, bound: f64, count: u64) {
        self.left_out += 2.0 * bound * count as f64 / self.points as f64;
    }

    /// How many additions `others` takes for one value.
    pub(super) fn frequencies(&self) -> usize {
        self.kept.len()
    }

    fn keep(&mut self, j: u64) {
        let transforms = (0..self.tilted.kinds.len()).map(|place| self.transform(place, j)).collect();
        self.kept.push(Kept { j, transforms });
    }

    /// |φ|² of a kind at the frequencies between which the search begins.
    fn coarse_squares(&self, place: usize, coarse: usize) -> Vec<f64> {
        let mut x = vec![Complex::ZERO; coarse];
        let mut squares = 0.0;
        for ((k, _), p) in self.tilted.kinds[place].values.iter().zip(&self.tilted.probabilities[place]) {
            squares += p * p;
            x[k.rem_euclid(coarse as i64) as usize].re += p;
        }
        transform(&mut x, true);
        let error = rounding(coarse) * (coarse as f64 * squares).sqrt() + self.errors[place];
        x.into_iter().map(|value| (value.size() + error).powi(2)).collect()
    }

    /// The most that |φ|² of a kind can be at a frequency.
    fn square(&self, place: usize, j: u64) -> f64 {
        (self.transform(place, j).size() + self.errors[place]).powi(2)
    }

    /// φ of a kind.
    fn transform(&self, place: usize, j: u64) -> Complex {
        let mut all = Complex::ZERO;
        let values = self.tilted.kinds[place].values.chunks(BLOCK);
        for (values, probabilities) in values.zip(self.tilted.probabilities[place].chunks(BLOCK)) {
            let mut block = Complex::ZERO;
            for ((k, _), p) in values.iter().zip(probabilities) {
                block = block + self.turns.at(j, *k as u64).scale(*p);
            }
            all = all + block;
        }
        all
    }

    /// The most that the product of the transforms of all but one person can be in an interval, by |φ|² of each kind at its
    /// ends.
    fn bound(&self, count: u64, ends: impl Iterator<Item = (f64, f64)>) -> f64 {
        let length = std::f64::consts::TAU * count as f64 / self.points as f64;
        let mut ln = 0.0;
        let mut most_spared = 0.0_f64;
        for ((first, last), (kind, variance)) in ends.zip(self.tilted.kinds.iter().zip(&self.tilted.variances)) {
            let largest = first.max(last) + 0.25 * length * length * variance;
            let of_one = 0.5 * largest.min(1.0).ln();
            ln += kind.count as f64 * of_one;
            most_spared = most_spared.max(-of_one);
        }
        (ln + most_spared).exp()
    }

    /// What the others' sum tells about each value of a person of a kind.
    pub(super) fn others(&self, place: usize, kind: &Kind, window: Window, largest: i64) -> Others {
        let kinds = self.tilted.kinds;
        let people: f64 = kinds.iter().map(|kind| kind.count as f64).sum();
        let scale = 1.0 / self.points as f64;
        let mut error = self.left_out;
        let mut terms: Vec<(u64, Complex)> = Vec::with_capacity(self.kept.len());
        let steps = (16 + BLOCK + self.kept.len().div_ceil(BLOCK)) as f64;
        for kept in &self.kept {
            let (mut ln, mut ln_most) = (Complex::ZERO, 0.0);
            for (other, transform) in kept.transforms.iter().enumerate() {
                let count = (kinds[other].count - usize::from(other == place)) as f64;
                let log = if transform.size() > 1e-280 { transform.ln() } else { Complex { re: -644.0, im: 0.0 } };
                ln = ln + log.scale(count);
                ln_most += count * (log.re.exp() + self.errors[other]).ln();
            }
            let size = ln.re.exp();
            // All but the first and the one in the middle stand for two.
            let weight = if kept.j == 0 || kept.j == self.points / 2 { scale } else { 2.0 * scale };
            let (seen, off) = self.window(kept.j, window);
            let rounding = f64::EPSILON * (4.0 * people + steps + off) * size;
            error += weight * ((ln_most.exp() - size).max(0.0) + rounding);
            terms.push((kept.j, (ln.exp() * seen).scale(weight)));
        }
        let weights = self.tilted.weight(window);
        let of_value = |(k, _): &(i64, f64)| {
            if window.from == window.to && !(0..=largest).contains(&(window.from - k)) {
                return (0.0, 0.0);
            }
            let mut sum = 0.0;
            for block in terms.chunks(BLOCK) {
                sum += block.iter().map(|(j, term)| (*term * self.turns.at(*j, *k as u64)).re).sum::<f64>();
            }
            (sum, weights)
        };
        Others { sums: kind.values.iter().map(of_value).collect(), error }
    }

    /// Σ e^(−ts − iωs) over the sums s of the window, with t from its first one on; and how far it may be off, in units of the
    /// last place of Σ e^(−ts).
    fn window(&self, j: u64, window: Window) -> (Complex, f64) {
        let turn = |sum: i64| {
            let turned = self.turns.at(j, sum as u64);
            Complex { re: turned.re, im: -turned.im }
        };
        let count = window.to - window.from + 1;
        let rest = Complex::ONE - turn(1).scale(self.tilted.back(1));
        let (sum, off) = if count == 1 {
            (Complex::ONE, 0.0)
        } else if rest.size() > SLOW {
            let last = turn(count).scale(self.tilted.back(count));
            ((Complex::ONE - last) * rest.inverse(), 16.0 / squared(rest))
        } else {
            let terms = (0..count).map(|k| turn(k).scale(self.tilted.back(k)));
            (terms.fold(Complex::ZERO, |sum, one| sum + one), count as f64)
        };
        (turn(window.from) * sum, off)
    }
}

fn squared(value: Complex) -> f64 {
    value.re * value.re + value.im * value.im
}
