//! Means, deviations, quantiles and probabilities of a belief, with how far off they can be where its probabilities are only
//! known within bounds. `docs/proofs/choices.md` has the proofs.

use super::belief::{Belief, Part};
use privug_engine::elimination::Accuracy;
use privug_engine::number::ROUNDOFF;
use privug_measures::channel::Method;

/// How far off the mean of a normal distribution that was cut off is, of its deviation before, and its variance, of itself.
const CUT_OFF: f64 = 1e-11;

/// What is asked of a belief.
#[derive(Debug, Clone, Copy)]
pub(super) enum Statistic {
    Mean,
    Variance,
    StdDev,
    Quantile(f64),
}

/// Part of a belief: its probability, how far off that is, mean and variance, and how far off these are.
struct Term {
    weight: f64,
    weight_error: f64,
    mean: f64,
    mean_error: f64,
    variance: f64,
    variance_error: f64,
}

/// How far off a probability is at most.
pub(super) fn probability_error(probability: f64, accuracy: Accuracy) -> f64 {
    match accuracy {
        Accuracy::Exact { .. } => 0.0,
        Accuracy::Certified { relative_error, absolute_error } => {
            // The bound is relative to the true probability, which is at most (p̂ + absolute) / (1 − relative).
            let error = (relative_error * probability + absolute_error) / (1.0 - relative_error);
            if relative_error < 1.0 { error.min(1.0) } else { 1.0 }
        }
    }
}

/// A probability that is off by at most so much.
pub(super) fn certified_probability(value: f64, error: f64) -> Method {
    certified(value, (value - error).max(0.0), (value + error).min(1.0))
}

fn certified(value: f64, low: f64, high: f64) -> Method {
    if low < value || high > value {
        Method::Certified { low: low.min(value), high: high.max(value) }
    } else {
        Method::Exact
    }
}

impl Belief {
    /// A statistic of numbers, and how it was obtained.
    pub(super) fn statistic(&self, statistic: Statistic, accuracy: Accuracy) -> Option<(f64, Method)> {
        let value = match statistic {
            Statistic::Mean => self.mean()?,
            Statistic::Variance => self.variance()?,
            Statistic::StdDev => self.variance()?.sqrt(),
            Statistic::Quantile(level) => self.quantile(level)?,
        };
        if matches!(accuracy, Accuracy::Exact { .. }) {
            return Some((value, Method::Exact));
        }
        let terms = self.terms(accuracy)?;
        let (low, high) = match statistic {
            Statistic::Mean => {
                let error = mean_error(&terms);
                (value - error, value + error)
            }
            Statistic::Variance => variance_bounds(&terms, self.mean()?, value),
            Statistic::StdDev => {
                let (low, high) = variance_bounds(&terms, self.mean()?, value * value);
                // The root is rounded, and so is its square.
                (low.sqrt() * (1.0 - 4.0 * ROUNDOFF), high.sqrt() * (1.0 + 4.0 * ROUNDOFF))
            }
            Statistic::Quantile(level) => {
                let error = self.distribution_error(&terms);
                (self.quantile((level - error).max(0.0))?, self.quantile((level + error).min(1.0))?)
            }
        };
        Some((value, certified(value, low, high)))
    }

    /// How far off the probability of values up to any number is.
    fn distribution_error(&self, terms: &[Term]) -> f64 {
        /// That of a normal distribution between two bounds, whole or cut off.
        const OF_NORMAL: f64 = 1e-12;
        let of_weights: f64 = terms.iter().map(|term| term.weight_error).sum();
        match self {
            Belief::Discrete(_) => of_weights,
            Belief::Mixture(_) => of_weights + OF_NORMAL,
        }
    }

    fn terms(&self, accuracy: Accuracy) -> Option<Vec<Term>> {
        let exact = |weight: f64, (mean, variance): (f64, f64)| Term {
            weight,
            weight_error: probability_error(weight, accuracy),
            mean,
            mean_error: 0.0,
            variance,
            variance_error: 0.0,
        };
        let of_part = |part: &Part| {
            let cut_off = if part.is_whole() || part.variance == 0.0 { 0.0 } else { CUT_OFF };
            let term = exact(part.weight, part.moments()?);
            let (mean_error, variance_error) = (cut_off * part.variance.sqrt(), cut_off * term.variance);
            Some(Term { mean_error, variance_error, ..term })
        };
        let mut terms: Vec<Term> = match self {
            Belief::Discrete(values) => values
                .iter()
                .map(|chance| Some(exact(chance.probability, chance.value.moments()?)))
                .collect::<Option<_>>()?,
            Belief::Mixture(parts) => parts.iter().map(of_part).collect::<Option<_>>()?,
        };
        if let [only] = terms.as_mut_slice() {
            only.weight_error = 0.0;
        }
        Some(terms)
    }
}

/// |Σ p̂ᵢm̂ᵢ − Σ pᵢmᵢ| ≤ Σ eᵢ|mᵢ| + Σ pᵢδᵢ, and the roundings of the sum.
fn mean_error(terms: &[Term]) -> f64 {
    let roundings = (terms.len() as f64 + 2.0) * ROUNDOFF;
    let of_term = |term: &Term| {
        term.weight_error * term.mean.abs() + term.weight * (2.0 * term.mean_error + roundings * term.mean.abs())
    };
    terms.iter().map(of_term).sum()
}

/// With c = Σ p̂ᵢm̂ᵢ the variance is Σ pᵢ(sᵢ + (mᵢ − c)²) − (m − c)².
fn variance_bounds(terms: &[Term], mean: f64, variance: f64) -> (f64, f64) {
    let of_mean = mean_error(terms);
    let roundings = (terms.len() as f64 + 8.0) * ROUNDOFF;
    let of_term = |term: &Term| {
        let distance = (term.mean - mean).abs();
        let square = term.variance + distance * distance;
        // The distance is a difference of rounded numbers.
        let moved = 2.0 * term.mean_error + 4.0 * ROUNDOFF * (term.mean.abs() + mean.abs());
        let of_square = 2.0 * term.variance_error + moved * (2.0 * distance + moved);
        term.weight_error * (square + of_square) + 2.0 * term.weight * (of_square + roundings * square)
    };
    let error: f64 = terms.iter().map(of_term).sum();
    ((variance - error - of_mean * of_mean).max(0.0), variance + error)
}

#[cfg(test)]
mod tests {
    use super::super::belief::Chance;
    use super::super::value::PlainValue;
    use super::*;

    fn discrete(weights: &[f64], values: &[i64]) -> Belief {
        let chance = |(weight, value): (&f64, &i64)| Chance {
            value: PlainValue::Integer(*value),
            probability: *weight,
            exact: None,
        };
        Belief::Discrete(weights.iter().zip(values).map(chance).collect())
    }

    fn bounds(method: Method, value: f64) -> (f64, f64) {
        match method {
            Method::Exact => (value, value),
            Method::Certified { low, high } => (low, high),
        }
    }

    #[test]
    fn statistics_of_probabilities_that_are_off_lie_within_their_bounds() {
        let values = [-3, 0, 4, 9, 1000];
        let accuracy = Accuracy::Certified { relative_error: 1e-3, absolute_error: 1e-4 };
        let told = [0.1, 0.25, 0.3, 0.2, 0.15];
        for pattern in 0..32_u32 {
            // Up or down, so little that all of them fit when the sum is 1 again.
            let sign = |place: usize| if pattern >> place & 1 == 1 { 1.0 } else { -1.0 };
            let moved = |(place, p): (usize, &f64)| p + 0.3 * sign(place) * (1e-3 * p + 1e-4);
            let mut actual: Vec<f64> = told.iter().enumerate().map(moved).collect();
            let excess: f64 = actual.iter().sum::<f64>() - 1.0;
            actual.iter_mut().for_each(|p| *p -= excess / 5.0);
            assert!(told.iter().zip(&actual).all(|(p, q)| (p - q).abs() <= 1e-3 * q + 1e-4), "{actual:?}");
            let (told, actual) = (discrete(&told, &values), discrete(&actual, &values));
            for statistic in [Statistic::Mean, Statistic::Variance, Statistic::StdDev, Statistic::Quantile(0.35)] {
                let truth = actual.statistic(statistic, Accuracy::Exact { relative_error: 0.0 }).expect("a number").0;
                let (value, method) = told.statistic(statistic, accuracy).expect("a number");
                let (low, high) = bounds(method, value);
                assert!(low <= truth && truth <= high, "{statistic:?}: {truth} not in {low}..{high}");
                // Of values with gaps between them, a quantile may be either side of one.
                let is_narrow = high - low < 0.1 * truth.abs().max(10.0);
                assert!(is_narrow || matches!(statistic, Statistic::Quantile(_)), "{statistic:?}: {low}..{high}");
            }
        }
    }

    #[test]
    fn what_is_certain_has_no_error() {
        let accuracy = Accuracy::Certified { relative_error: 1e-3, absolute_error: 1e-4 };
        let certain = discrete(&[1.0], &[7]);
        assert_eq!(certain.statistic(Statistic::Quantile(0.5), accuracy), Some((7.0, Method::Exact)));
        let (mean, method) = certain.statistic(Statistic::Mean, accuracy).expect("a number");
        let (low, high) = bounds(method, mean);
        assert!(mean == 7.0 && high - low < 1e-14, "{low}..{high}");
    }
}
