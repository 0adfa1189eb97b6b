//! What is believed about a secret: values and their probabilities, or a mixture of normal distributions.

use super::value::PlainValue;
use privug_engine::choices::to_probability;
use privug_engine::elimination::{Component, Distribution};
use privug_engine::gaussian::{Normal, truncated_moments};
use privug_engine::number::Scalar;
use privug_measures::channel::Piece;

/// A value and its probability.
#[derive(Debug, Clone, PartialEq)]
pub struct Chance {
    /// The value.
    pub value: PlainValue,
    /// Its probability.
    pub probability: f64,
    /// The same as a ratio, in exact arithmetic.
    pub exact: Option<String>,
}

/// One part of a mixture.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// How likely it is this one.
    pub weight: f64,
    /// Its mean before it is cut off.
    pub mean: f64,
    /// Its variance before it is cut off.
    pub variance: f64,
    /// It lies above this.
    pub low: f64,
    /// And not above this.
    pub high: f64,
}

/// What is believed about a secret.
#[derive(Debug, Clone, PartialEq)]
pub enum Belief {
    /// Values and their probabilities, in the order of the values.
    Discrete(Vec<Chance>),
    /// Gaussian variables, one of which it is.
    Mixture(Vec<Part>),
}

impl Belief {
    /// Ratios are told only where they are the numbers that were looked for.
    pub(super) fn of<S: Scalar>(distribution: &Distribution<S>, is_exact: bool) -> Self {
        match distribution {
            Distribution::Discrete(values) => Belief::Discrete(
                values
                    .iter()
                    .map(|(value, probability)| Chance {
                        value: PlainValue::of(value),
                        probability: to_probability(probability),
                        exact: if is_exact { probability.to_exact_string() } else { None },
                    })
                    .collect(),
            ),
            Distribution::Mixture(parts) => Belief::Mixture(parts.iter().map(part).collect()),
        }
    }

    /// As in the JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Belief::Discrete(_) => "discrete",
            Belief::Mixture(parts) if parts.len() == 1 && parts[0].is_whole() => "normal",
            Belief::Mixture(_) => "mixture",
        }
    }

    /// The mean, of numbers.
    pub fn mean(&self) -> Option<f64> {
        match self {
            Belief::Discrete(values) => {
                values.iter().map(|chance| Some(chance.value.moments()?.0 * chance.probability)).sum()
            }
            Belief::Mixture(parts) => parts.iter().map(|part| Some(part.weight * part.moments()?.0)).sum(),
        }
    }

    /// The variance, of numbers.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        match self {
            Belief::Discrete(values) => values
                .iter()
                .map(|chance| {
                    let (centre, variance) = chance.value.moments()?;
                    Some(((centre - mean).powi(2) + variance) * chance.probability)
                })
                .sum::<Option<f64>>(),
            Belief::Mixture(parts) => parts
                .iter()
                .map(|part| {
                    let (part_mean, variance) = part.moments()?;
                    Some(part.weight * (variance + (part_mean - mean).powi(2)))
                })
                .sum(),
        }
    }

    /// The probability of values up to a number.
    pub fn up_to(&self, bound: f64) -> Option<f64> {
        match self {
            Belief::Discrete(values) => {
                values.iter().map(|chance| Some(chance.value.share_up_to(bound)? * chance.probability)).sum()
            }
            Belief::Mixture(parts) => Some(parts.iter().map(|part| part.weight * part.up_to(bound)).sum()),
        }
    }

    /// The smallest value below which a share of the probability lies.
    pub fn quantile(&self, level: f64) -> Option<f64> {
        match self {
            Belief::Discrete(values) => {
                let mut sum = 0.0;
                for chance in values {
                    let before = sum;
                    sum += chance.probability;
                    if sum >= level * (1.0 - 1e-14) {
                        return chance.value.number_at_share((level - before) / chance.probability);
                    }
                }
                values.last().and_then(|last| last.value.number_at_share(1.0))
            }
            Belief::Mixture(parts) => {
                let spread = parts.iter().map(|part| part.variance.sqrt()).fold(0.0, f64::max);
                // What was cut off may lie far from its mean.
                let nearest = |part: &Part| part.mean.clamp(part.low, part.high);
                let mut low = parts.iter().map(nearest).fold(f64::INFINITY, f64::min) - 40.0 * spread - 1.0;
                let mut high = parts.iter().map(nearest).fold(f64::NEG_INFINITY, f64::max) + 40.0 * spread + 1.0;
                for _ in 0..200 {
                    let middle = low + (high - low) / 2.0;
                    if self.up_to(middle)? < level { low = middle } else { high = middle }
                }
                Some(high)
            }
        }
    }

    /// How many values are possible; `None` of a continuum.
    pub fn support(&self) -> Option<usize> {
        match self {
            Belief::Discrete(values) => {
                let possible = values.iter().filter(|chance| chance.probability > 0.0);
                Some(possible.map(|chance| chance.value.size() as usize).sum())
            }
            Belief::Mixture(parts) if parts.len() == 1 && parts[0].variance == 0.0 => Some(1),
            Belief::Mixture(_) => None,
        }
    }

    /// The probability of one value.
    pub fn probability_of(&self, value: &PlainValue) -> f64 {
        match self {
            Belief::Discrete(values) => {
                let share = |chance: &Chance| match (&chance.value, value) {
                    (PlainValue::Range(low, high), PlainValue::Integer(value)) if (low..=high).contains(&value) => {
                        chance.probability / chance.value.size()
                    }
                    (own, value) if own == value => chance.probability,
                    _ => 0.0,
                };
                values.iter().map(share).sum()
            }
            Belief::Mixture(parts) => {
                let atoms = parts.iter().filter(|part| part.variance == 0.0 && Some(part.mean) == value.number());
                atoms.map(|part| part.weight).sum()
            }
        }
    }

    /// The shortest interval between quantiles: as much is left out below as above.
    pub fn interval(&self, level: f64) -> Option<(f64, f64)> {
        Some((self.quantile((1.0 - level) / 2.0)?, self.quantile((1.0 + level) / 2.0)?))
    }
}

fn part<S: Scalar>(component: &Component<S>) -> Part {
    Part {
        weight: to_probability(&component.weight),
        mean: component.mean.to_f64(),
        variance: component.variance.to_f64(),
        low: component.low,
        high: component.high,
    }
}

impl Part {
    /// Whether nothing is cut off.
    pub fn is_whole(&self) -> bool {
        self.low == f64::NEG_INFINITY && self.high == f64::INFINITY
    }

    /// Its mean and variance as it is, cut off; `None` if nothing is left of it.
    pub fn moments(&self) -> Option<(f64, f64)> {
        if self.is_whole() || self.variance == 0.0 {
            return Some((self.mean, self.variance));
        }
        let std = self.variance.sqrt();
        let z = |bound: f64| (bound - self.mean) / std;
        let (mean, variance) = truncated_moments(z(self.low), z(self.high), (self.high - self.low) / std)?;
        Some((self.mean + std * mean, self.variance * variance))
    }

    /// The same for measures.
    pub(super) fn piece(&self) -> Piece {
        let Part { weight, mean, variance, low, high } = *self;
        Piece { weight, mean, variance, low, high }
    }

    fn up_to(&self, bound: f64) -> f64 {
        if self.variance == 0.0 {
            return f64::from(u8::from(self.mean <= bound));
        }
        let Some(normal) = Normal::new(self.mean, self.variance) else { return 0.0 };
        if bound >= self.high {
            return 1.0;
        }
        if bound <= self.low {
            return 0.0;
        }
        normal.share_between((self.low, bound), (self.low, self.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_what_was_cut_off_far_out_lie_where_it_is() {
        for (sign, cut) in [(1.0, 3.0), (1.0, 45.0), (-1.0, 45.0), (1.0, 300.0)] {
            let (low, high) = if sign > 0.0 { (cut, f64::INFINITY) } else { (f64::NEG_INFINITY, -cut) };
            let belief = Belief::Mixture(vec![Part { weight: 1.0, mean: 0.0, variance: 1.0, low, high }]);
            let median = sign * belief.quantile(0.5).expect("a number");
            // P(X > x) = ½·P(X > cut), by the logarithms of both tails.
            let normal = Normal::new(0.0, 1.0).expect("a normal");
            let halved = normal.log_cdf(-cut) - normal.log_cdf(-median);
            assert!((halved - std::f64::consts::LN_2).abs() < 1e-9, "{median} beyond {cut}");
        }
    }
}
