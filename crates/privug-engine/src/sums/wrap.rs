//! How large the density of a sum can be far away: what the Fourier transform on an interval folds back into it.
//!
//! For any λ, G(t)·e^(λt) is the convolution of the densities p(x)·e^((θ+λ)x), so that
//! G(t) ≤ e^(−λt)·sup p(x)e^((θ+λ)x)·Π E e^((θ+λ)x) over one variable and the others. With atoms any of the n variables may be the
//! one that has the density. A lognormal variable is cut: what is above its cut is
//! counted by itself.

use super::base::Base;
use super::fourier::cut_of;
use super::law::Parts;

/// Cells of the bound on a lognormal variable's transform.
const CELLS: usize = 600;

/// A kind of variables.
pub(super) struct Shape<'l> {
    pub(super) parts: &'l Parts,
    pub(super) count: usize,
    pub(super) ln_size: f64,
}

/// One way to bound: with e^(λt).
struct Way {
    lambda: f64,
    /// ln E e^((θ+λ)x) − ln_size of each kind.
    ln_moments: Vec<f64>,
    /// The largest ln sup p(x)e^((θ+λ)x) − ln E e^((θ+λ)x) of a kind.
    ln_peak: f64,
}

/// Bounds on the density of sums far away.
pub(super) struct Wraps {
    ways: Vec<Way>,
    counts: Vec<usize>,
    supports: Vec<(f64, f64)>,
    atoms: Vec<f64>,
    theta: f64,
    ln_sizes: Vec<f64>,
    /// The probability that a variable of a kind is above its cut, the same tilted and scaled, and the lowest of its cuts.
    above: Vec<[f64; 3]>,
    /// The largest density of a variable, and the same tilted and scaled.
    peaks: [f64; 2],
}

impl Wraps {
    pub(super) fn new(kinds: Vec<Shape<'_>>, theta: f64, step: f64) -> Self {
        let variance: f64 = kinds.iter().map(|kind| kind.count as f64 * spread(kind.parts).powi(2)).sum();
        let scale = variance.sqrt().max(f64::MIN_POSITIVE);
        let strengths = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        let ways = [1.0, -1.0].iter().flat_map(|sign| strengths.map(|strength| sign * strength / scale));
        let above = |kind: &Shape<'_>| {
            let lognormal = kind.parts.bases.iter().filter(|(_, base)| matches!(base, Base::LogNormal { .. }));
            lognormal.fold([0.0, 0.0, f64::INFINITY], |sum, (weight, base)| {
                let end = cut_of(base, step);
                let tilted = base.tail_moments(theta.min(0.0), end, true)[0] * (-kind.ln_size).exp();
                [sum[0] + weight * base.above(end), sum[1] + weight * tilted, sum[2].min(end)]
            })
        };
        let peak = |tilt: f64, scaled: bool| {
            let of = |kind: &Shape<'_>| {
                let sum = kind
                    .parts
                    .bases
                    .iter()
                    .map(|(weight, base)| weight * base.ln_peak(tilt).map_or(f64::INFINITY, f64::exp));
                sum.sum::<f64>() * if scaled { (-kind.ln_size).exp() } else { 1.0 }
            };
            kinds.iter().map(of).fold(0.0, f64::max)
        };
        Wraps {
            ways: ways.filter_map(|lambda| Way::new(&kinds, theta, lambda, step)).collect(),
            counts: kinds.iter().map(|kind| kind.count).collect(),
            supports: kinds.iter().map(|kind| kind.parts.support()).collect(),
            atoms: kinds.iter().map(|kind| kind.parts.atom().map_or(0.0, |(at, _)| at)).collect(),
            theta,
            ln_sizes: kinds.iter().map(|kind| kind.ln_size).collect(),
            above: kinds.iter().map(above).collect(),
            peaks: [peak(0.0, false), peak(theta.min(0.0), true)],
        }
    }

    /// A bound on the density of all but one variable of a kind, tilted and scaled, at values up to `high`, where one of them is above
    /// its cut: its probability, times the largest density of another, or of itself behind the cut.
    pub(super) fn above_cuts(&self, kind: usize, high: f64) -> f64 {
        let tilted = usize::from(self.theta <= 0.0);
        // With a value above its cut, the sum is above `high` if the others cannot make up for that.
        let least: f64 = self
            .counts(kind)
            .filter(|(_, count)| *count > 0.0)
            .map(|(place, count)| count * self.supports[place].0)
            .sum();
        let can_be = |place: usize| self.above[place][2] - self.supports[place].0 + least <= high;
        let counts = self.counts(kind).filter(|(place, _)| self.above[*place][2].is_finite() && can_be(*place));
        let part: f64 = counts.map(|(place, count)| count * self.above[place][tilted]).sum();
        if part == 0.0 {
            return 0.0;
        }
        let scale = if tilted == 1 { 1.01 } else { self.untilted(kind, high).exp() };
        // Only where all others are at their atoms is the density that of the one above the cut: it is below its peak too.
        let others: f64 = self.counts(kind).map(|(_, count)| count).sum();
        part * others * self.peaks[tilted] * scale
    }

    /// ln of e^(θt)/Π e^ln_size: what a density of the sum itself is multiplied with.
    fn untilted(&self, kind: usize, high: f64) -> f64 {
        let sizes: f64 = self.counts(kind).map(|(place, count)| count * self.ln_sizes[place]).sum();
        self.theta * high - sizes
    }

    /// A bound on the density of all but one variable of a kind, tilted and scaled, times e^(θx) at the value `sum` − x.
    pub(super) fn most(&self, kind: usize, sum: f64) -> f64 {
        self.untilted(kind, sum).exp() * self.peaks[0]
    }

    fn counts(&self, kind: usize) -> impl Iterator<Item = (usize, f64)> {
        let count = move |(place, count): (usize, &usize)| (place, (*count - usize::from(place == kind)) as f64);
        self.counts.iter().enumerate().map(count)
    }

    /// The sum of everybody's atom but one's.
    pub(super) fn sum_of_atoms(&self, kind: usize) -> f64 {
        self.counts(kind).map(|(place, count)| count * self.atoms[place]).sum()
    }

    /// A bound on Σ_{k≠0} G(t + kL) for the density G of all but one variable of a kind, and t from `low` to `high`.
    pub(super) fn density_beyond(&self, kind: usize, low: f64, high: f64, length: f64) -> f64 {
        let ends = |end: fn(&(f64, f64)) -> f64| {
            self.counts(kind)
                .filter(|(_, count)| *count > 0.0)
                .map(|(place, count)| count * end(&self.supports[place]))
                .sum::<f64>()
        };
        let (least, most) = (ends(|support| support.0), ends(|support| support.1));
        let upper = if low + length > most { 0.0 } else { self.beyond(kind, low + length, length, true) };
        let lower = if high - length < least { 0.0 } else { self.beyond(kind, high - length, length, false) };
        upper + lower
    }

    fn beyond(&self, kind: usize, end: f64, length: f64, upper: bool) -> f64 {
        let number: f64 = self.counts(kind).map(|(_, count)| count).sum();
        let mut best = f64::INFINITY;
        for way in self.ways.iter().filter(|way| (way.lambda > 0.0) == upper) {
            let moments: f64 = self.counts(kind).map(|(place, count)| count * way.ln_moments[place]).sum();
            // The terms fall at least by e^(−|λ|L) from one to the next.
            let repeated = -(-way.lambda.abs() * length).exp_m1();
            let near = (moments + way.ln_peak - way.lambda * end).exp() * number / repeated;
            best = best.min(near);
        }
        best
    }
}

impl Way {
    fn new(kinds: &[Shape<'_>], theta: f64, lambda: f64, step: f64) -> Option<Self> {
        let zeta = theta + lambda;
        let mut ln_moments = Vec::with_capacity(kinds.len());
        let mut ln_peak = f64::NEG_INFINITY;
        for kind in kinds {
            let (mut moment, mut highest) = (0.0, 0.0);
            for (weight, base) in &kind.parts.bases {
                let ln_weight = weight.ln() - kind.ln_size;
                let (ln_moment, ln_highest) = match base {
                    Base::LogNormal { .. } => truncated(base, zeta, cut_of(base, step)),
                    Base::Gamma { .. } | Base::Uniform { .. } | Base::Laplace { .. } | Base::Normal { .. } => {
                        let (low, high) = base.tilts();
                        if !(zeta > low && zeta < high) {
                            return None;
                        }
                        (base.ln_transform(zeta), base.ln_peak(zeta)?)
                    }
                };
                moment += (ln_weight + ln_moment).exp();
                highest += (ln_weight + ln_highest).exp();
            }
            moment += kind.parts.atom().map_or(0.0, |(at, weight)| weight * (zeta * at - kind.ln_size).exp());
            ln_moments.push(moment.ln());
            ln_peak = ln_peak.max(highest.ln() - moment.ln());
        }
        let is_finite = ln_peak.is_finite() && ln_moments.iter().all(|moment| moment.is_finite());
        is_finite.then_some(Way { lambda, ln_moments, ln_peak })
    }
}

/// Bounds on ln ∫ e^(ζx)·p(x) dx and ln sup e^(ζx)·p(x) for x up to `end`, by cells: an exponential lies below its chord.
fn truncated(base: &Base, zeta: f64, end: f64) -> (f64, f64) {
    let edge = |place: usize| end * (place as f64 / CELLS as f64).powi(3);
    let (mut sum, mut highest) = (0.0, f64::NEG_INFINITY);
    // Relative to the end, so that nothing overflows.
    let most = (zeta * end).max(0.0);
    for place in 0..CELLS {
        let (a, b) = (edge(place), edge(place + 1));
        let mass = base.mass(a, b);
        let ends = [a, b].map(|x| (zeta * x - most).exp());
        let part = if mass > 0.0 { ((base.first_moment(a, b) / mass - a) / (b - a)).clamp(0.0, 1.0) } else { 0.5 };
        sum += mass * (ends[0] + (ends[1] - ends[0]) * part);
        let mode = base.mode();
        let inside = if (a..=b).contains(&mode) { base.ln_density(mode) } else { f64::NEG_INFINITY };
        let density = base.ln_density(a).max(base.ln_density(b)).max(inside);
        highest = highest.max(density + (zeta * a).max(zeta * b));
    }
    (sum.ln() + most, highest)
}

/// About the standard deviation of a law: a scale.
fn spread(parts: &Parts) -> f64 {
    let bases = parts.bases.iter().map(|(weight, base)| weight * (base.variance() + base.mean().powi(2)));
    let mean: f64 = parts.bases.iter().map(|(weight, base)| weight * base.mean()).sum::<f64>()
        + parts.atoms.iter().map(|(at, weight)| weight * at).sum::<f64>();
    let square = bases.sum::<f64>() + parts.atoms.iter().map(|(at, weight)| weight * at * at).sum::<f64>();
    (square - mean * mean).max(0.0).sqrt()
}
