//! One-dimensional distributions that are skewed, bounded or have atoms.

use super::base::Base;

/// Where lognormal laws are cut unless said otherwise.
const CUT: f64 = 8.0;

/// What is believed about one number.
#[derive(Debug, Clone, PartialEq)]
pub enum Law {
    /// e^(mu + sigma·Z) with a standard normal Z.
    LogNormal {
        /// Mean of the logarithm.
        mu: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
    /// Density ∝ x^(shape − 1)·e^(−rate·x) for x > 0.
    Gamma {
        /// k
        shape: f64,
        /// One by the scale.
        rate: f64,
    },
    /// The same density everywhere between two bounds.
    Uniform {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Density ∝ e^(−|x − mean|/scale).
    Laplace {
        /// The middle.
        mean: f64,
        /// b; the variance is 2b².
        scale: f64,
    },
    /// The normal distribution, as a part of a mixture.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        std_dev: f64,
    },
    /// Values, ascending, with their probabilities.
    Empirical(Vec<(f64, f64)>),
    /// Weights, and what is drawn with each of them.
    Mixture(Vec<(f64, Law)>),
}

/// A law taken apart: values with a probability of their own, and weighted densities.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Parts {
    pub(super) atoms: Vec<(f64, f64)>,
    pub(super) bases: Vec<(f64, Base)>,
}

/// The values that a law believes in.
#[derive(Debug, Clone, PartialEq)]
pub struct Possible {
    /// Single ones, ascending.
    values: Vec<f64>,
    /// All between two bounds.
    ranges: Vec<(f64, f64)>,
}

impl Possible {
    /// Whether a value is possible, or one that differs from it by this part at most.
    pub fn admits(&self, value: f64, tolerance: f64) -> bool {
        let room = |bound: f64| tolerance * bound.abs().max(value.abs());
        let above = self.values.partition_point(|one| *one < value);
        // The nearest ones are on either side.
        let mut nearest = self.values[above.saturating_sub(1)..].iter().take(2);
        nearest.any(|one| (one - value).abs() <= room(*one))
            || self.ranges.iter().any(|(low, high)| low - room(*low) <= value && value <= high + room(*high))
    }
}

impl Law {
    /// Whether single values have a probability of their own.
    pub fn has_values(&self) -> bool {
        match self {
            Law::Empirical(_) => true,
            Law::Mixture(parts) => parts.iter().any(|(_, law)| law.has_values()),
            Law::LogNormal { .. }
            | Law::Gamma { .. }
            | Law::Uniform { .. }
            | Law::Laplace { .. }
            | Law::Normal { .. } => false,
        }
    }

    /// E x
    pub fn mean(&self) -> f64 {
        match self {
            Law::Empirical(values) => values.iter().map(|(value, p)| value * p).sum(),
            Law::Mixture(parts) => parts.iter().map(|(weight, law)| weight * law.mean()).sum(),
            other => other.base().map_or(f64::NAN, |base| base.mean()),
        }
    }

    /// Var x
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        match self {
            Law::Empirical(values) => values.iter().map(|(value, p)| p * (value - mean) * (value - mean)).sum(),
            Law::Mixture(parts) => {
                parts.iter().map(|(weight, law)| weight * (law.variance() + (law.mean() - mean).powi(2))).sum()
            }
            other => other.base().map_or(f64::NAN, |base| base.variance()),
        }
    }

    /// P(low ≤ x ≤ high)
    pub fn probability_between(&self, low: f64, high: f64) -> f64 {
        match self {
            Law::Empirical(values) => {
                values.iter().filter(|(value, _)| (low..=high).contains(value)).map(|(_, p)| p).sum()
            }
            Law::Mixture(parts) => parts.iter().map(|(weight, law)| weight * law.probability_between(low, high)).sum(),
            other => other.base().map_or(f64::NAN, |base| base.mass(low, high)),
        }
    }

    /// Whether it has values with a probability of their own, and nothing else.
    pub fn is_discrete(&self) -> bool {
        self.parts().bases.is_empty()
    }

    /// Whether it is what can be worked with: a density and at most one atom, or atoms only.
    pub fn is_supported(&self) -> bool {
        let parts = self.parts();
        parts.bases.is_empty() || parts.atoms.len() <= 1
    }

    /// The only value that is possible, if there is only one.
    pub fn constant(&self) -> Option<f64> {
        let parts = self.parts();
        match (parts.bases.as_slice(), parts.atoms.as_slice()) {
            ([], [(value, _)]) => Some(*value),
            _ => None,
        }
    }

    /// What is possible.
    pub fn possible(&self) -> Possible {
        let parts = self.parts();
        Possible {
            values: parts.atoms.iter().map(|(value, _)| *value).collect(),
            ranges: parts.bases.iter().map(|(_, base)| base.support()).collect(),
        }
    }

    /// The law of `factor`·x, for a positive factor.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Law {
        if factor == 1.0 {
            return self.clone();
        }
        match self {
            Law::LogNormal { mu, sigma } => Law::LogNormal { mu: mu + factor.ln(), sigma: *sigma },
            Law::Gamma { shape, rate } => Law::Gamma { shape: *shape, rate: rate / factor },
            Law::Uniform { low, high } => Law::Uniform { low: low * factor, high: high * factor },
            Law::Laplace { mean, scale } => Law::Laplace { mean: mean * factor, scale: scale * factor },
            Law::Normal { mean, std_dev } => Law::Normal { mean: mean * factor, std_dev: std_dev * factor },
            Law::Empirical(values) => Law::Empirical(values.iter().map(|(value, p)| (value * factor, *p)).collect()),
            Law::Mixture(parts) => {
                Law::Mixture(parts.iter().map(|(weight, law)| (*weight, law.scaled(factor))).collect())
            }
        }
    }

    /// As it is written, such as `LogNormal(mu=12.9, sigma=0.5)`.
    pub fn words(&self) -> String {
        match self {
            Law::LogNormal { mu, sigma } => format!("LogNormal(mu={mu}, sigma={sigma})"),
            Law::Gamma { shape, rate } => format!("Gamma(shape={shape}, rate={rate})"),
            Law::Uniform { low, high } => format!("Uniform({low}, {high})"),
            Law::Laplace { mean, scale } => format!("Laplace(mean={mean}, scale={scale})"),
            Law::Normal { mean, std_dev } => format!("Normal(mean={mean}, std={std_dev})"),
            Law::Empirical(values) if values.len() == 1 => values[0].0.to_string(),
            Law::Empirical(values) => format!("Empirical of {} values", values.len()),
            Law::Mixture(parts) => {
                let weights: Vec<String> = parts.iter().map(|(weight, _)| weight.to_string()).collect();
                let laws: Vec<String> = parts.iter().map(|(_, law)| law.words()).collect();
                format!("Mixture([{}], [{}])", weights.join(", "), laws.join(", "))
            }
        }
    }

    fn base(&self) -> Option<Base> {
        match *self {
            Law::LogNormal { mu, sigma } => Some(Base::LogNormal { mu, sigma, cut: CUT }),
            Law::Gamma { shape, rate } => Some(Base::Gamma { shape, rate }),
            Law::Uniform { low, high } => Some(Base::Uniform { low, high }),
            Law::Laplace { mean, scale } => Some(Base::Laplace { mean, scale }),
            Law::Normal { mean, std_dev } => Some(Base::Normal { mean, std_dev }),
            Law::Empirical(_) | Law::Mixture(_) => None,
        }
    }

    /// The law taken apart; equal atoms are one.
    pub(super) fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        self.collect(1.0, &mut parts);
        parts.atoms.sort_by(|a, b| a.0.total_cmp(&b.0));
        parts.atoms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        parts
    }

    fn collect(&self, weight: f64, parts: &mut Parts) {
        if weight <= 0.0 {
            return;
        }
        match self {
            Law::Empirical(values) => {
                let possible = values.iter().filter(|(_, p)| *p > 0.0);
                parts.atoms.extend(possible.map(|(value, p)| (value + 0.0, weight * p)));
            }
            Law::Mixture(inner) => inner.iter().for_each(|(part, law)| law.collect(weight * part, parts)),
            other => parts.bases.extend(other.base().map(|base| (weight, base))),
        }
    }
}

impl Parts {
    /// The smallest and the largest value that is possible.
    pub(super) fn support(&self) -> (f64, f64) {
        let atoms = self.atoms.iter().map(|(value, _)| (*value, *value));
        let bases = self.bases.iter().map(|(_, base)| base.support());
        atoms.chain(bases).fold((f64::INFINITY, f64::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)))
    }

    /// The same, with lognormal laws cut somewhere else.
    pub(super) fn cut(&self, at: f64) -> Parts {
        let base = |base: &Base| match *base {
            Base::LogNormal { mu, sigma, .. } => Base::LogNormal { mu, sigma, cut: at },
            other => other,
        };
        Parts {
            atoms: self.atoms.clone(),
            bases: self.bases.iter().map(|(weight, one)| (*weight, base(one))).collect(),
        }
    }

    /// The only atom and its probability.
    pub(super) fn atom(&self) -> Option<(f64, f64)> {
        self.atoms.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture_has_the_moments_of_its_parts() {
        let zero = Law::Empirical(vec![(0.0, 1.0)]);
        let law = Law::Mixture(vec![(0.25, zero), (0.75, Law::Uniform { low: 1.0, high: 3.0 })]);
        assert_eq!(law.mean(), 1.5);
        // E x² = 0.75·(4 + 1/3)
        assert!((law.variance() - (0.75 * (4.0 + 1.0 / 3.0) - 2.25)).abs() < 1e-15);
        assert!((law.probability_between(0.0, 2.0) - 0.625).abs() < 1e-15);
        assert!(law.is_supported() && !law.is_discrete());
    }

    #[test]
    fn what_is_possible_has_a_probability_or_a_density() {
        let law = Law::Mixture(vec![
            (0.5, Law::Empirical(vec![(-3.0, 0.5), (0.1 + 0.2, 0.5), (9.0, 0.0)])),
            (0.5, Law::Uniform { low: 1.0, high: 3.0 }),
        ]);
        let possible = law.possible();
        assert!([-3.0, 0.3, 1.0, 2.5, 3.0].iter().all(|value| possible.admits(*value, 1e-12)));
        assert!([-3.1, 0.0, 0.31, 0.9, 3.1, 9.0].iter().all(|value| !possible.admits(*value, 1e-12)));
        let positive = Law::LogNormal { mu: 0.0, sigma: 1.0 }.possible();
        assert!(positive.admits(1e300, 1e-12) && positive.admits(0.0, 1e-12) && !positive.admits(-1e-3, 1e-12));
        assert!(Law::Laplace { mean: 0.0, scale: 1.0 }.possible().admits(-1e9, 1e-12));
    }

    #[test]
    fn scaling_scales_mean_and_standard_deviation() {
        let laws = [
            Law::LogNormal { mu: 0.3, sigma: 0.7 },
            Law::Gamma { shape: 2.5, rate: 0.5 },
            Law::Laplace { mean: 1.0, scale: 2.0 },
            Law::Empirical(vec![(1.0, 0.5), (4.0, 0.5)]),
        ];
        for law in laws {
            let scaled = law.scaled(3.0);
            assert!((scaled.mean() / law.mean() - 3.0).abs() < 1e-12);
            assert!((scaled.variance() / law.variance() - 9.0).abs() < 1e-12);
        }
    }
}
