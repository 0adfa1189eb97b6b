//! Rounded figures as what they are, where that has a closed form: an interval in which the figure surely lies.
//!
//! If S = Σ wⱼ·xⱼ is the only figure that the people behind it are in, and they are independent, then given S the secret is
//! x = m + k·Z + e with Z = (S − E S)/σ_S, k² what S takes away of the variance of x, and e independent of S. What is published
//! is that S rounds to r: Z lies in an interval [a, b]. So
//!
//! ```text
//! E(x | r)   = m + k·E(Z | a ≤ Z ≤ b)
//! Var(x | r) = Var x − k² + k²·Var(Z | a ≤ Z ≤ b)
//! ```
//!
//! with the moments of a truncated normal distribution. This is the density p(x)·(Φ((u−μ_x)/σ_x) − Φ((l−μ_x)/σ_x)), whose moments
//! are these. Everything else that is rounded is judged as if it were not: that tells at least as much, on average.

use super::defence::Protection;
use super::people::PeopleColumns;
use super::policy::Policy;
use super::release::Release;
use super::rows::{Row, Weights, rows};
use privug_engine::gaussian::{Normal, integrate};
use privug_engine::number::{Rational, Scalar};
use privug_engine::posterior::Prediction;

/// Beyond this exponent a density is nothing beside its peak.
const NOTHING: f64 = 45.0;

/// Panels of the sums for the probability of being near the truth.
const PANELS: usize = 32;

/// What Z is known to be: where its density is largest in [a, b], and pieces of the interval from there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Truncated {
    /// E(Z | a ≤ Z ≤ b)
    pub(super) mean: f64,
    /// Var(Z | a ≤ Z ≤ b)
    pub(super) variance: f64,
    /// (from, to, probability) of pieces of the interval.
    pieces: Vec<(f64, f64, f64)>,
}

impl Truncated {
    /// The standard normal distribution on [a, b], a < b.
    pub(super) fn new(a: f64, b: f64) -> Self {
        let peak = 0.0_f64.clamp(a, b);
        // Relative to the peak the density falls as e^(−s·(|peak| + s/2)) to either side.
        let reach = (peak * peak + 2.0 * NOTHING).sqrt() - peak.abs();
        let mut pieces = Vec::with_capacity(2 * PANELS);
        let mut moments = [0.0; 3];
        for (end, sign) in [(b, 1.0), (a, -1.0)] {
            let width = ((end - peak) * sign).min(reach);
            if !(width > 0.0) {
                continue;
            }
            let step = width / PANELS as f64;
            for panel in 0..PANELS {
                let start = panel as f64 * step;
                let density = |s: f64| (-s * (peak.abs() + 0.5 * s)).exp();
                let mass = integrate(start, step, density);
                moments[0] += mass;
                moments[1] += sign * integrate(start, step, |s| s * density(s));
                moments[2] += integrate(start, step, |s| s * s * density(s));
                let ends = [peak + sign * start, peak + sign * (start + step)];
                pieces.push((ends[0].min(ends[1]), ends[0].max(ends[1]), mass));
            }
        }
        let off = moments[1] / moments[0];
        pieces.iter_mut().for_each(|(_, _, mass)| *mass /= moments[0]);
        Truncated { mean: peak + off, variance: (moments[2] / moments[0] - off * off).max(0.0), pieces }
    }

    /// A bound on P(low ≤ k·Z + e ≤ high), e ~ N(0, variance): on each piece the largest probability counts. It is largest
    /// where k·z is in the middle, and falls to both sides.
    fn at_most_between(&self, low: f64, high: f64, k: f64, variance: f64) -> f64 {
        let middle = 0.5 * (low + high) / k;
        let at = |z: f64| match Normal::new(k * z, variance) {
            Some(error) if variance > 0.0 => error.probability_between(low, high),
            _ => f64::from(u8::from((low..=high).contains(&(k * z)))),
        };
        let bound = |from: f64, to: f64| {
            if (from..=to).contains(&middle) { at(middle) } else { at(from).max(at(to)) }
        };
        self.pieces.iter().map(|(from, to, mass)| mass * bound(*from, *to)).sum::<f64>().min(1.0)
    }
}

/// A figure that is rounded, and known only to people who are in no other.
struct Alone {
    known: Truncated,
    /// More than the entropy of the rounded figure it cannot tell.
    most_bits: f64,
}

/// What is said of rounded figures, given for which of them there is a closed form.
pub(super) fn notes(protection: &Protection, published: &[usize], closed: &[usize]) -> Option<String> {
    let rounded = published.iter().filter(|figure| protection.rounded_to[**figure] > 0.0).count();
    match (closed.len(), rounded - closed.len()) {
        (0, 0) => None,
        (_, 0) => Some(
            "rounding is taken into account: a rounded figure lies within half a unit of the published value. The mutual information is an upper bound"
                .to_owned(),
        ),
        (_, others) => {
            let which = match (others == rounded, others) {
                (true, _) => "a rounded figure is".to_owned(),
                (false, 1) => "1 rounded figure, about people who are in others too, is".to_owned(),
                (false, _) => format!("{others} rounded figures, about people who are in others too, are"),
            };
            Some(format!(
                "{which} judged as if published unrounded: on average that reveals at least as much, but how much less the rounded figure reveals is unknown"
            ))
        }
    }
}

/// The places of the published figures that are rounded, and about people who are in no other, with their weights.
pub(super) fn alone<S: Scalar>(
    release: &Release<S>,
    protection: &Protection,
    published: &[usize],
) -> Vec<(usize, Row)> {
    if published.iter().all(|figure| protection.rounded_to[*figure] == 0.0) {
        return Vec::new();
    }
    // A figure that could not be traced may be about anybody.
    let Some(traced) = rows(release, published).into_iter().collect::<Option<Vec<Row>>>() else { return Vec::new() };
    let mut in_figures = vec![0_u32; release.secrets.len()];
    for row in &traced {
        entries(row).for_each(|entry| in_figures[entry] += 1);
    }
    let is_alone = |(place, row): &(usize, Row)| {
        protection.rounded_to[published[*place]] > 0.0
            && row.noise_variance == 0.0
            && protection.noise_std[published[*place]] == 0.0
            && entries(row).all(|entry| in_figures[entry] == 1)
    };
    traced.into_iter().enumerate().filter(is_alone).collect()
}

/// What rounding hides of figures at both ends: how much larger and how much smaller each may be for what is published.
pub(super) fn hidden<S: Scalar>(
    release: &Release<S>,
    protection: &Protection,
    published: &[usize],
    alone: &[(usize, Row)],
) -> Vec<(usize, [f64; 2])> {
    let of = |(place, _): &(usize, Row)| {
        let figure = published[*place];
        let (value, unit) = (&release.outputs[figure].value, protection.rounded_to[figure]);
        let up = super::observe::published(value, unit) - value.to_f64();
        (figure, [(0.5 * unit + up).max(0.0), (0.5 * unit - up).max(0.0)])
    };
    alone.iter().map(of).collect()
}

/// Takes the rounding of figures into account where there is a closed form, and says for which of the published figures.
/// `predictions` are those of the `published` figures, of which these are `alone`; `radius` is how near is near to the truth
/// of an entry.
pub(super) fn round_people<S: Scalar>(
    people: &mut PeopleColumns,
    release: &Release<S>,
    protection: &Protection,
    (published, alone): (&[usize], &[(usize, Row)]),
    predictions: &[Prediction<S>],
    radius: &dyn Fn(usize) -> f64,
    policy: &Policy,
) -> Vec<usize> {
    let is_source = |entry: usize| {
        let node = release.network.node(release.secrets.get(entry).node);
        node.terms.is_empty()
    };
    let mut done = Vec::new();
    for (place, row) in alone {
        let (figure, prediction) = (published[*place], &predictions[*place]);
        if entries(row).all(is_source)
            && let Some(alone) = known_of(release, row, figure, protection.rounded_to[figure], prediction)
        {
            for (entry, sign) in signs(row) {
                people.round(entry, sign, &alone.known, alone.most_bits, radius(entry), policy);
            }
            done.push(figure);
        }
    }
    done
}

fn known_of<S: Scalar>(
    release: &Release<S>,
    row: &Row,
    figure: usize,
    unit: f64,
    prediction: &Prediction<S>,
) -> Option<Alone> {
    let std_dev = prediction.variance.to_f64().sqrt();
    let published = super::observe::published(&release.outputs[figure].value, unit);
    let middle = (published - prediction.mean.to_f64()) / std_dev;
    let half = 0.5 * unit / std_dev;
    if !(std_dev > 0.0) || !middle.is_finite() || !half.is_finite() || row.factor.is_none() {
        return None;
    }
    // A discrete variable has at most ½·log₂(2πe(variance + 1/12)) bits, and rounding to whole units adds at most half a unit
    // to the standard deviation.
    let spread = std_dev / unit + 0.5;
    let most_bits = 0.5 * (2.0 * std::f64::consts::PI * std::f64::consts::E * (spread * spread + 1.0 / 12.0)).log2();
    Some(Alone { known: Truncated::new(middle - half, middle + half), most_bits })
}

fn entries(row: &Row) -> Box<dyn Iterator<Item = usize> + '_> {
    match &row.weights {
        Weights::Doubles(weights) => Box::new(weights.iter().map(|(entry, _)| *entry as usize)),
        Weights::Rationals(weights) => Box::new(weights.iter().map(|(entry, _)| *entry as usize)),
    }
}

/// The entries of a row, and whether the figure rises (1) or falls (−1) with each.
fn signs(row: &Row) -> Vec<(usize, f64)> {
    let rises = row.factor.as_ref().is_none_or(|factor| *factor > Rational::ZERO);
    let sign = |is_positive: bool| if is_positive == rises { 1.0 } else { -1.0 };
    match &row.weights {
        Weights::Doubles(weights) => weights.iter().map(|(entry, w)| (*entry as usize, sign(*w > 0.0))).collect(),
        Weights::Rationals(weights) => {
            weights.iter().map(|(entry, w)| (*entry as usize, sign(*w > Rational::ZERO))).collect()
        }
    }
}

impl PeopleColumns {
    /// What is left once only an interval of the figure is known.
    fn round(&mut self, entry: usize, sign: f64, known: &Truncated, most_bits: f64, radius: f64, policy: &Policy) {
        let (variance, reduction) = (self.prior_variance[entry], self.variance_reduction[entry]);
        if !(variance > 0.0 && reduction > 0.0) {
            return;
        }
        let k = sign * reduction.sqrt();
        let rest = self.posterior_variance[entry];
        self.variance_reduction[entry] = (reduction * (1.0 - known.variance)).max(0.0);
        self.posterior_variance[entry] = (rest + reduction * known.variance).min(variance);
        self.mean_shift[entry] = k * known.mean;
        self.posterior_mean[entry] = self.prior_mean[entry] + self.mean_shift[entry];
        self.relative_std[entry] = (self.posterior_variance[entry] / variance).sqrt();
        self.mutual_information_bits[entry] = self.mutual_information_bits[entry].min(most_bits);
        // A standard deviation that is rounded to 0 is no disclosure: the figure stays in an interval.
        self.fully_disclosed[entry] = false;
        let off = self.truth[entry] - self.prior_mean[entry];
        self.near_truth_posterior[entry] = known.at_most_between(off - radius, off + radius, k, rest);
        self.verdict[entry] = self.verdicts(entry, policy).into_iter().max().unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_that_rounds_to_4_in_units_of_4_is_known_to_a_third() {
        // N(0, 1) between 2 and 6, against a sum over a million points.
        let known = Truncated::new(2.0, 6.0);
        let count = 1_000_000;
        let mut moments = [0.0; 3];
        for point in 0..count {
            let z = 2.0 + 4.0 * (point as f64 + 0.5) / count as f64;
            let density = (-0.5 * z * z).exp();
            (0..3).for_each(|power| moments[power] += density * z.powi(power as i32));
        }
        let mean = moments[1] / moments[0];
        let variance = moments[2] / moments[0] - mean * mean;
        assert!((known.mean - mean).abs() < 1e-9 && (known.variance - variance).abs() < 1e-9);
        assert!((known.variance.sqrt() - 0.338).abs() < 5e-4);
    }

    #[test]
    fn narrow_wide_and_far_intervals_have_the_moments_of_their_limits() {
        // A narrow one is uniform, all of it is the whole distribution, and far out it is exponential.
        let narrow = Truncated::new(0.5, 0.5 + 1e-6);
        assert!((narrow.variance / (1e-12 / 12.0) - 1.0).abs() < 1e-6);
        let whole = Truncated::new(-40.0, 40.0);
        assert!(whole.mean.abs() < 1e-12 && (whole.variance - 1.0).abs() < 1e-12);
        let far = Truncated::new(1e4, 2e4);
        assert!((far.variance * 1e8 - 1.0).abs() < 1e-6 && (far.mean - 1e4 - 1e-4).abs() < 1e-9);
        let mirrored = Truncated::new(-3.0, -1.0);
        let plain = Truncated::new(1.0, 3.0);
        assert!((mirrored.mean + plain.mean).abs() < 1e-14 && (mirrored.variance - plain.variance).abs() < 1e-14);
    }

    #[test]
    fn the_probability_of_being_near_is_bounded_closely() {
        // k·Z + e with Z in [1, 3]: against a sum over pairs of points of Z and the distribution of e.
        let known = Truncated::new(1.0, 3.0);
        for (low, high, k, variance) in
            [(0.5, 1.5, 0.8, 0.36), (-1.0, 0.0, 0.5, 0.75), (1.0, 1.2, 1.0, 0.0), (-2.0, -1.0, -0.9, 0.19)]
        {
            let bound = known.at_most_between(low, high, k, variance);
            let count = 20_000;
            let (mut inside, mut all) = (0.0, 0.0);
            for point in 0..count {
                let z = 1.0 + 2.0 * (point as f64 + 0.5) / count as f64;
                let density = (-0.5 * z * z).exp();
                all += density;
                inside += density
                    * match Normal::new(k * z, variance) {
                        Some(error) if variance > 0.0 => error.probability_between(low, high),
                        _ => f64::from(u8::from((low..=high).contains(&(k * z)))),
                    };
            }
            let wanted = inside / all;
            assert!(bound >= wanted - 1e-9 && bound <= wanted + 0.1, "{low} {high}: {bound} against {wanted}");
        }
    }
}
