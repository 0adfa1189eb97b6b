//! One probability of the sum of very many independent integers, and of all but one of them, with a proven bound.
//!
//! Multiplying each summand's P(x = a) by rᵃ multiplies the probability of every sum s by rˢ, up to one factor for all:
//! what is asked are ratios of such probabilities, so r is free, and is chosen such that the mean becomes the sum that
//! was seen. There the probability is large, and by the discrete Fourier transform over N values around it
//!
//!   P(k) + Σ_{m≠0} P(k + mN) = (1/N) Σ_j φ(θ_j) e^(−iθ_j k),   θ_j = 2πj/N,   φ = Π φ_d.
//!
//! Three errors, each with a bound:
//! - the other terms on the left: Bernstein's inequality bounds the tails of the sum beyond N;
//! - frequencies that are left out: |φ_d(θ)|² = 1 − 2·Σ_δ a_δ (1 − cos δθ) ≤ exp(−2·Σ_δ a_δ (1 − cos δθ)) with
//!   a_δ = Σ_a P(a) P(a + δ), and each of the terms may be dropped;
//! - rounding: logarithms of centred factors are small where they matter, and are added with compensation.
//!
//! `docs/proofs/counts.md` has the proofs.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use super::chances::Chances;
use super::lanes::LANES;
use super::pairs::{Pair, Pairs, Part, Points, SMALL_FREQUENCY, without};
use super::series::{angle, logarithm_of_one_and, turned};
pub(super) use crate::number::ROUNDOFF as U;
use crate::threads;

/// Tails and frequencies below e^(−this) are left out.
const NEGLIGIBLE: f64 = 52.0;
/// A thread takes so many kinds of summands at a time.
const TOGETHER: usize = 1024;
/// Differences δ that the bound of a frequency looks at.
const MAX_DIFFERENCES: usize = 128;
/// A factor may not be smaller than this where it is divided by.
const SMALLEST_FACTOR: f64 = 0.25;

/// What is found for everybody.
#[derive(Debug, Clone)]
pub struct Answer {
    /// For each kind of summands: the probabilities of one summand's values, given the sum, and how far off each of them
    /// can be.
    pub posteriors: Vec<(Chances, f64)>,
    /// The logarithm of P(sum = k).
    pub ln_probability: f64,
}

/// A tilted kind of summands.
pub(super) struct Tilted {
    pub(super) probabilities: Chances,
    pub(super) count: f64,
    /// Its mean, as a sum of two doubles.
    pub(super) mean: (f64, f64),
}

/// What is known about one summand of each kind, given that the sum is k, with 0 < k < the largest sum; `None` where the
/// bound cannot tell what is possible, or there is too much to do: that takes another way.
pub fn observed<L: AsRef<[f64]> + Sync>(summands: &[(L, u64)], k: u64, work_limit: u64) -> Option<Answer> {
    observed_of(summands, k, work_limit, &vec![true; summands.len()])
}

/// The same for the kinds that are asked for; others get no probabilities.
pub fn observed_of<L: AsRef<[f64]> + Sync>(
    summands: &[(L, u64)],
    k: u64,
    work_limit: u64,
    asked: &[bool],
) -> Option<Answer> {
    let tilt = find_tilt(summands, k as f64)?;
    let tilted: Vec<Tilted> = threads::within(|| summands.par_iter().map(|summand| tilted(summand, tilt)).collect());
    let width = summands.iter().map(|(law, _)| law.as_ref().len() - 1).max()? as f64;
    let largest: f64 = summands.iter().map(|(law, count)| (law.as_ref().len() - 1) as f64 * *count as f64).sum();
    let variance: f64 = tilted.iter().map(|kind| kind.count * kind.variance()).sum();
    // The centres of the factors, less k, added up without loss: the difference is much smaller than either. What a mean is
    // more than the double that its factor is centred at is in the factor's own angle.
    let mut distance = Sum::default();
    distance.add(-(k as f64));
    for kind in &tilted {
        let (high, low) = exact_product(kind.count, kind.mean.0);
        distance.add(high);
        distance.add(low);
    }
    let distance = distance.total();
    // P(|sum − mean| ≥ t) ≤ 2·exp(−t²/2(σ² + Mt/3)), also without one of them, which moves mean and sum by at most M each.
    let reach = NEGLIGIBLE * width / 3.0 + ((NEGLIGIBLE * width / 3.0).powi(2) + 2.0 * NEGLIGIBLE * variance).sqrt();
    let span = (reach + distance.abs() + 2.0 * width).ceil() + 1.0;
    let (size, aliased) = if span > largest { (largest + 1.0, 0.0) } else { (span, 2.0 * (-NEGLIGIBLE).exp()) };
    let decay = Decay::new(&tilted, width as usize);
    // Without one of the summands, the product is smaller by no more than its own factor.
    let frequencies = (size / 2.0).floor() as u64;
    if frequencies.saturating_mul(decay.terms()) > work_limit {
        return None;
    }
    let mut kept = Vec::new();
    let mut left_out = 0.0;
    for j in 1..=frequencies {
        let theta = 2.0 * std::f64::consts::PI * j as f64 / size;
        let exponent = decay.at(theta);
        let weight = if 2 * j == size as u64 && size % 2.0 == 0.0 { 1.0 } else { 2.0 };
        if exponent > NEGLIGIBLE + size.ln() {
            left_out += weight * (-exponent * (1.0 - 1e-12)).exp();
        } else {
            kept.push((theta, weight));
        }
    }
    let cost: u64 = summands.iter().map(|(law, _)| law.as_ref().len() as u64).sum();
    if cost.saturating_mul(kept.len() as u64) > work_limit {
        return None;
    }
    let transform = Transform::new(&tilted, distance, &kept);
    let inputs = Inputs {
        size,
        // How far rounding of all tilted probabilities can move the ratio of two of the results.
        tilting: tilting_error(summands, tilt, width),
        is_gapless: summands.iter().all(|(law, _)| law.as_ref().iter().all(|p| *p > 0.0)),
        k: k as f64,
        largest,
    };
    // What was left out, seen without this summand.
    let missed = |kind: &Tilted| left_out * decay.without(kind) / size + aliased;
    let low = transform.low_points();
    let several = |kinds: &[Tilted], summands: &[(L, u64)], asked: &[bool]| {
        let is_pair = |place: &usize| asked[*place] && low.is_some() && kinds[*place].probabilities.len() == 2;
        let pairs: Vec<Pair> = (0..kinds.len()).filter(is_pair).map(|place| kinds[place].pair()).collect();
        let mut pairs = without(low.as_deref().unwrap_or_default(), &pairs).into_iter();
        let posterior = |place: usize| {
            let (kind, law) = (&kinds[place], summands[place].0.as_ref());
            if !asked[place] {
                return Some((Chances::default(), 0.0));
            }
            if !is_pair(&place) {
                return transform.posterior(kind, law, &inputs, missed(kind));
            }
            let found = pairs.next()?;
            transform.shared_out(kind, law, &inputs, found.error, missed(kind), |a| found.sums[a])
        };
        (0..kinds.len()).map(posterior).collect()
    };
    let posteriors: Option<Vec<Vec<(Chances, f64)>>> = threads::within(|| {
        let summands = summands.par_chunks(TOGETHER).zip(asked.par_chunks(TOGETHER));
        let all = tilted.par_chunks(TOGETHER).zip(summands);
        all.map(|(kinds, (summands, asked))| several(kinds, summands, asked)).collect()
    });
    let posteriors = posteriors?.into_iter().flatten().collect();
    let probability = transform.all(size);
    let ln_scale: f64 = summands.iter().map(|(law, count)| *count as f64 * ln_moment(law.as_ref(), tilt)).sum();
    Some(Answer { posteriors, ln_probability: probability.ln() + ln_scale - k as f64 * tilt.lambda })
}

/// How summands are tilted: by e^(λa).
#[derive(Debug, Clone, Copy)]
struct Tilt {
    lambda: f64,
    /// e^λ
    factor: f64,
}

impl Tilt {
    fn new(lambda: f64) -> Self {
        Tilt { lambda, factor: lambda.exp() }
    }

    /// Yes and no that are tilted by a product.
    #[inline]
    fn simple(self, law: &[f64]) -> Option<[f64; 2]> {
        match law {
            [q, p] if (1e-140..1e140).contains(&self.factor) && *q > 1e-140 && *p > 1e-140 => {
                Some([*q, p * self.factor])
            }
            _ => None,
        }
    }
}

/// ln Σ_a P(a) e^(λa).
fn ln_moment(law: &[f64], tilt: Tilt) -> f64 {
    if let Some([q, p]) = tilt.simple(law) {
        return (q + p).ln();
    }
    let logarithms = law.iter().enumerate().filter(|(_, p)| **p > 0.0).map(|(a, p)| p.ln() + tilt.lambda * a as f64);
    let largest = logarithms.clone().fold(f64::NEG_INFINITY, f64::max);
    largest + logarithms.map(|value| (value - largest).exp()).sum::<f64>().ln()
}

/// Two numbers by their sum.
#[inline]
fn shares([q, p]: [f64; 2]) -> [f64; 2] {
    let sum = q + p;
    [q / sum, p / sum]
}

/// Probabilities in proportion to P(a)·e^(λa), each off by a few units in the last place.
fn tilted_law(law: &[f64], tilt: Tilt, into: &mut Vec<f64>) {
    into.clear();
    if let Some(simple) = tilt.simple(law) {
        into.extend(shares(simple));
        return;
    }
    let logarithm = |(a, p): (usize, &f64)| p.ln() + tilt.lambda * a as f64;
    let largest = law.iter().enumerate().map(logarithm).fold(f64::NEG_INFINITY, f64::max);
    into.extend(law.iter().enumerate().map(|entry| (logarithm(entry) - largest).exp()));
    let sum: f64 = into.iter().sum();
    into.iter_mut().for_each(|p| *p /= sum);
}

/// λ such that the tilted mean is near the sum that was seen: it need not be there exactly.
fn find_tilt<L: AsRef<[f64]> + Sync>(summands: &[(L, u64)], k: f64) -> Option<Tilt> {
    let part = |summands: &[(L, u64)], tilt: Tilt| {
        let mut buffer = Vec::new();
        let (mut mean, mut variance) = (0.0, 0.0);
        for (law, count) in summands {
            tilted_law(law.as_ref(), tilt, &mut buffer);
            let first: f64 = buffer.iter().enumerate().map(|(a, p)| a as f64 * p).sum();
            let second: f64 = buffer.iter().enumerate().map(|(a, p)| (a as f64 - first).powi(2) * p).sum();
            mean += *count as f64 * first;
            variance += *count as f64 * second;
        }
        (mean, variance)
    };
    // Parts are added up in their order, whoever computes them.
    let moments = |tilt: Tilt| {
        let parts: Vec<(f64, f64)> =
            threads::within(|| summands.par_chunks(TOGETHER).map(|summands| part(summands, tilt)).collect());
        let (mean, variance) = parts.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        (mean - k, variance)
    };
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut lambda = 0.0f64;
    for _ in 0..400 {
        let tilt = Tilt::new(lambda);
        let (distance, variance) = moments(tilt);
        if distance.abs() <= 1e-2 * variance.sqrt() {
            return Some(tilt);
        }
        if distance > 0.0 {
            high = high.min(lambda)
        } else {
            low = low.max(lambda)
        }
        let step = (distance / variance).clamp(-20.0, 20.0);
        let newton = lambda - if step.is_nan() { 20.0 * distance.signum() } else { step };
        let inside = newton > low && newton < high;
        lambda = if inside { newton } else { low + (high - low) / 2.0 };
        if !lambda.is_finite() || lambda.abs() > 1e6 {
            return None;
        }
    }
    None
}

fn tilted<L: AsRef<[f64]>>((law, count): &(L, u64), tilt: Tilt) -> Tilted {
    let law = law.as_ref();
    let probabilities: Chances = match tilt.simple(law) {
        Some(simple) => shares(simple).into(),
        None => {
            let mut all = Vec::with_capacity(law.len());
            tilted_law(law, tilt, &mut all);
            all.into()
        }
    };
    let (mut first, mut total) = (Sum::default(), Sum::default());
    for (a, p) in probabilities.iter().enumerate() {
        let (high, low) = exact_product(a as f64, *p);
        first.add(high);
        first.add(low);
        total.add(*p);
    }
    let (first, total) = (first.parts(), total.parts());
    let mean = first.0 / total.0;
    let (high, low) = exact_product(mean, total.0);
    let rest = ((first.0 - high) - low) + (first.1 - mean * total.1);
    Tilted { probabilities, count: *count as f64, mean: (mean, rest / total.0) }
}

impl Tilted {
    /// A summand that has two values.
    fn pair(&self) -> Pair {
        Pair { probabilities: [self.probabilities[0], self.probabilities[1]], mean: self.mean }
    }

    fn variance(&self) -> f64 {
        self.probabilities.iter().enumerate().map(|(a, p)| (a as f64 - self.mean.0).powi(2) * p).sum()
    }

    /// The factor of a frequency, centred: its distance from 1 along the real axis, its imaginary part, and a bound on the
    /// errors of both.
    fn factor(&self, theta: f64) -> (f64, f64, f64) {
        let (mut down, mut imaginary, mut cubes) = (0.0, 0.0, 0.0);
        for (a, p) in self.probabilities.iter().enumerate() {
            let (versine, bent) = turned((a as f64 - self.mean.0) * theta);
            down += p * versine;
            imaginary += p * bent;
            cubes += p * bent.abs();
        }
        imaginary += theta * self.mean.1;
        let terms = self.probabilities.len() as f64;
        let error = (16.0 + terms) * U * down + (32.0 + terms) * U * cubes + 8.0 * U * (theta * self.mean.1).abs();
        (down, imaginary, error)
    }

    /// Multiplies the product at a frequency by its factors.
    pub(super) fn contribute(&self, theta: f64, part: &mut Part) {
        let (down, imaginary, off) = self.factor(theta);
        let real = 1.0 - down;
        // |φ|² = 1 − (2 − down)·down + imaginary²
        let less = imaginary * imaginary - (2.0 - down) * down;
        let log = 0.5 * logarithm_of_one_and(less);
        let turn = angle(imaginary, real);
        part.logarithm.add(self.count * log);
        part.angles.add(self.count * turn);
        let size = (less + 1.0).sqrt();
        part.error += self.count * (4.0 * off / size + 8.0 * U * (log.abs() + turn.abs()));
    }
}

/// How fast frequencies decay: the sum over all summands of a_δ, for the first differences δ.
struct Decay {
    sums: Vec<f64>,
}

impl Decay {
    fn new(tilted: &[Tilted], width: usize) -> Self {
        let mut sums = vec![0.0; width.min(MAX_DIFFERENCES)];
        for kind in tilted {
            for (sum, delta) in sums.iter_mut().zip(1..kind.probabilities.len()) {
                *sum += kind.count * kind.pairs(delta);
            }
        }
        Decay { sums }
    }

    fn terms(&self) -> u64 {
        self.sums.len() as u64
    }

    /// −ln of a bound on the product of all factors.
    fn at(&self, theta: f64) -> f64 {
        let one = |(place, sum): (usize, &f64)| sum * 2.0 * ((place + 1) as f64 * theta / 2.0).sin().powi(2);
        self.sums.iter().enumerate().map(one).sum()
    }

    /// How much larger the bound is without one of these, at any frequency.
    fn without(&self, kind: &Tilted) -> f64 {
        let pairs = (1..kind.probabilities.len()).take(self.sums.len()).map(|delta| kind.pairs(delta));
        (2.0 * pairs.sum::<f64>()).exp()
    }
}

impl Tilted {
    fn pairs(&self, delta: usize) -> f64 {
        self.probabilities.iter().zip(&self.probabilities[delta..]).map(|(a, b)| a * b).sum()
    }
}

/// The transform of the sum at the frequencies that matter, turned so that k is at 0.
struct Transform {
    points: Vec<Point>,
}

struct Point {
    theta: f64,
    /// 2 for a frequency that stands for itself and its mirror image.
    weight: f64,
    real: f64,
    imaginary: f64,
    size: f64,
    error: f64,
}

impl Transform {
    fn new(tilted: &[Tilted], distance: f64, kept: &[(f64, f64)]) -> Self {
        // Of low frequencies, summands with two values are computed together.
        let low: Vec<f64> =
            kept.iter().map(|(theta, _)| *theta).take_while(|theta| *theta <= SMALL_FREQUENCY).collect();
        let parts = Pairs::new(tilted).at(&low);
        let others: Vec<&Tilted> = tilted.iter().filter(|kind| kind.probabilities.len() != 2).collect();
        let all: Vec<&Tilted> = if low.len() < kept.len() { tilted.iter().collect() } else { Vec::new() };
        let point = |(place, (theta, weight)): (usize, &(f64, f64))| {
            let (mut part, rest) = match parts.get(place) {
                Some(part) => (*part, &others),
                None => (Part::default(), &all),
            };
            rest.iter().for_each(|kind| kind.contribute(*theta, &mut part));
            let Part { logarithm, angles, mut error } = part;
            let turned = angles.total() + theta * distance;
            error += 8.0 * U * (turned.abs() + (theta * distance).abs() + logarithm.total().abs() + 1.0);
            let size = logarithm.total().exp();
            Point {
                theta: *theta,
                weight: *weight,
                real: size * turned.cos(),
                imaginary: size * turned.sin(),
                size,
                error: error * 1.01,
            }
        };
        Transform { points: threads::within(|| kept.par_iter().enumerate().map(point).collect()) }
    }

    /// All frequencies one beside the other, where all of them are low.
    fn low_points(&self) -> Option<Vec<Points>> {
        if self.points.iter().any(|point| point.theta > SMALL_FREQUENCY) {
            return None;
        }
        let group = |points: &[Point]| {
            let mut group = Points::default();
            for (lane, point) in points.iter().enumerate() {
                group.theta[lane] = point.theta;
                group.weight[lane] = point.weight;
                group.real[lane] = point.real;
                group.imaginary[lane] = point.imaginary;
                group.size[lane] = point.size;
                group.error[lane] = point.error;
            }
            group
        };
        Some(self.points.chunks(LANES).map(group).collect())
    }

    fn all(&self, size: f64) -> f64 {
        (1.0 + self.points.iter().map(|point| point.weight * point.real).sum::<f64>()) / size
    }

    /// The probabilities of a summand's values a, each in proportion to P(a)·P(all others are k − a), and a bound on their
    /// errors.
    fn posterior(&self, kind: &Tilted, law: &[f64], inputs: &Inputs, missed: f64) -> Option<(Chances, f64)> {
        let factors: Vec<(f64, f64)> =
            self.points.iter().map(|point| kind.factor(point.theta)).map(|(down, i, _)| (1.0 - down, i)).collect();
        let points = self.points.len() as f64;
        let farthest = kind.mean.0.max((kind.probabilities.len() - 1) as f64 - kind.mean.0);
        let mut error = 0.0;
        for (point, (real, imaginary)) in self.points.iter().zip(&factors) {
            let smaller = real.hypot(*imaginary);
            if smaller < SMALLEST_FACTOR {
                return None;
            }
            // The angle of a value is rounded too, and grows with its distance from the mean.
            let own = point.error + (64.0 + 8.0 * farthest * point.theta) * U / smaller;
            error += point.weight * point.size / smaller * (own.exp_m1() + U * points);
        }
        let sum_of = |a: usize| {
            let mut sum = 0.0;
            for (point, (real, imaginary)) in self.points.iter().zip(&factors) {
                let (sine, cosine) = ((a as f64 - kind.mean.0) * point.theta).sin_cos();
                // (point / factor)·e^(i·turn)
                let square = real * real + imaginary * imaginary;
                let quotient_real = (point.real * real + point.imaginary * imaginary) / square;
                let quotient_imaginary = (point.imaginary * real - point.real * imaginary) / square;
                sum += point.weight * (quotient_real * cosine - quotient_imaginary * sine);
            }
            sum
        };
        self.shared_out(kind, law, inputs, error, missed, sum_of)
    }

    /// The same from the sums over all frequencies but 0 without the summand, for each of its values, and how far off these are.
    fn shared_out(
        &self,
        kind: &Tilted,
        law: &[f64],
        inputs: &Inputs,
        error: f64,
        missed: f64,
        sum_of: impl Fn(usize) -> f64,
    ) -> Option<(Chances, f64)> {
        let error = (error + 2.0 * U * (self.points.len() as f64 + 4.0)) * 1.01 / inputs.size + missed;
        let mut weights = kind.probabilities.clone();
        for (a, p) in kind.probabilities.iter().enumerate() {
            let left = inputs.k - a as f64;
            let possible = left >= 0.0 && left <= inputs.largest - (kind.probabilities.len() - 1) as f64;
            // A tilted probability may be too small for a double, and is possible nevertheless.
            if law[a] == 0.0 || !possible {
                weights[a] = 0.0;
                continue;
            }
            let share = (1.0 + sum_of(a)) / inputs.size;
            // Whether a value is possible at all is not decided by a number that may be off by more than itself.
            if !inputs.is_gapless && share <= 2.0 * error {
                return None;
            }
            weights[a] = (p * share).max(f64::MIN_POSITIVE);
        }
        let total: f64 = weights.iter().sum();
        if total <= 8.0 * error {
            return None;
        }
        // Each weight is off by P(a)·error; so are they together, as the probabilities add up to 1.
        let off = error / total;
        let bound = |weight: &f64, p: &f64| {
            let share = weight / total;
            (p * off + share * off) / (1.0 - off) + share * (2.0 * inputs.tilting + 8.0 * U)
        };
        let bound = weights.iter().zip(&kind.probabilities).map(|(weight, p)| bound(weight, p)).fold(0.0, f64::max);
        weights.iter_mut().for_each(|weight| *weight /= total);
        Some((weights, bound * 1.01))
    }
}

/// What is the same for all kinds of summands.
struct Inputs {
    size: f64,
    tilting: f64,
    is_gapless: bool,
    k: f64,
    largest: f64,
}

/// How far the rounding of tilted probabilities, each by a relative ε, can move the ratio of P(others are k − a) for two
/// values a. It moves P(others are s) by Σ_d Σ_b ε_db·P(x_d = b | s). For distributions without gaps whose logarithm is
/// concave, what a summand is given s rises with s (Efron 1965), and all of them together rise as s does: then the
/// difference is at most 2ε for each step of s. Else it is at most 2ε for each summand.
fn tilting_error<L: AsRef<[f64]>>(summands: &[(L, u64)], tilt: Tilt, width: f64) -> f64 {
    let is_concave = |law: &[f64]| law.windows(3).all(|part| (part[0] / part[1]) * (part[2] / part[1]) <= 1.0);
    let concave =
        summands.iter().map(|(law, _)| law.as_ref()).all(|law| law.iter().all(|p| *p > 0.0) && is_concave(law));
    let steps = if concave { width } else { summands.iter().map(|(_, count)| *count as f64).sum() };
    let error = |law: &[f64]| {
        let logarithm = |(a, p): (usize, &f64)| if *p > 0.0 { (p.ln() + tilt.lambda * a as f64).abs() } else { 0.0 };
        if tilt.simple(law).is_some() {
            return 4.0 * U;
        }
        let largest = law.iter().enumerate().map(logarithm).fold(0.0, f64::max);
        U * (8.0 + 4.0 * largest + 4.0 * tilt.lambda.abs() * width)
    };
    let error = summands.iter().map(|(law, _)| error(law.as_ref())).fold(0.0, f64::max);
    error * (1.0 + 2.0 * steps)
}

/// A sum of doubles and what rounding took from it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Sum {
    #[inline(always)]
    pub(super) fn add(&mut self, value: f64) {
        let sum = self.high + value;
        let part = sum - self.high;
        self.low += (self.high - (sum - part)) + (value - part);
        self.high = sum;
    }

    pub(super) fn total(self) -> f64 {
        self.high + self.low
    }

    /// The sum as two doubles that do not overlap.
    fn parts(self) -> (f64, f64) {
        let high = self.high + self.low;
        (high, self.low - (high - self.high))
    }
}

/// a·b as a sum of two doubles.
fn exact_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}
