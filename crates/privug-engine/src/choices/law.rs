//! How likely the answers of a choice are.

use std::rc::Rc;

use super::diagram::Diagram;
use super::mass::Mass;
use crate::gaussian::Normal;
use crate::network::NodeId;
use crate::number::Scalar;

/// The distribution of a choice's answers. Choices are independent of each other.
#[derive(Debug, Clone)]
pub enum Law<S> {
    /// One probability for each of 0, 1, …; they add up to 1.
    Finite(Rc<[S]>),
    /// The same, where some probabilities are too small for a double.
    Scaled(Rc<[Mass<S>]>),
    /// So many answers from 0 on, all equally likely.
    Uniform(u64),
    /// On which side of published thresholds a Gaussian variable lies. Its answers are doubles by their [`rank`].
    Threshold {
        /// The variable.
        node: NodeId,
        /// Its distribution.
        normal: Normal,
    },
    /// The sum of other choices, by its number among the sums; answers count from the least possible sum on.
    Sum(u32),
    /// The place of an order statistic's value among all values that there can be, by its number among the order statistics.
    Order(u32),
    /// Which of these leaves a diagram over earlier choices has: nothing new is decided. A value that depends on a long
    /// chain of choices is asked for as one.
    Derived(Diagram, Rc<[u32]>),
}

/// Doubles in their order as integers.
pub fn rank(value: f64) -> i64 {
    // −0 and 0 are one number.
    let bits = (value + 0.0).to_bits() as i64;
    if bits < 0 { -(bits & i64::MAX) } else { bits }
}

/// The double with a rank.
pub fn unrank(rank: i64) -> f64 {
    if rank == i64::MAX {
        f64::INFINITY
    } else if rank == i64::MIN {
        f64::NEG_INFINITY
    } else if rank < 0 {
        -f64::from_bits((-rank) as u64)
    } else {
        f64::from_bits(rank as u64)
    }
}

impl<S: Scalar> Law<S> {
    /// The law of answers with these probabilities, which add up to 1.
    pub fn of_masses(masses: Vec<Mass<S>>) -> Self {
        let shares: Rc<[S]> = masses.iter().map(Mass::scalar).collect();
        let is_small = |share: &S| share.to_f64() < f64::MIN_POSITIVE;
        if !S::EXACT && shares.iter().any(is_small) { Law::Scaled(masses.into()) } else { Law::Finite(shares) }
    }

    /// How many answers there are, if each has a probability that is written out.
    pub fn listed(&self) -> Option<usize> {
        match self {
            Law::Finite(probabilities) => Some(probabilities.len()),
            Law::Scaled(probabilities) => Some(probabilities.len()),
            Law::Uniform(_) | Law::Threshold { .. } | Law::Sum(_) | Law::Order(_) | Law::Derived(..) => None,
        }
    }

    /// How many probabilities are added up for all answers together.
    pub fn spelled_out(&self) -> usize {
        match self {
            Law::Finite(probabilities) => probabilities.len(),
            Law::Scaled(probabilities) => probabilities.len(),
            Law::Uniform(_) | Law::Threshold { .. } | Law::Sum(_) | Law::Order(_) | Law::Derived(..) => 2,
        }
    }

    /// The probability of the answers above `low` and up to `high`.
    pub fn between(&self, low: Option<i64>, high: i64) -> Mass<S> {
        match self {
            Law::Finite(probabilities) => {
                let chosen = probabilities.get(places(low, high, probabilities.len())).unwrap_or(&[]);
                chosen.iter().fold(Mass::zero(), |sum, p| sum.add(&Mass::of(p.clone())))
            }
            Law::Scaled(probabilities) => {
                let chosen = probabilities.get(places(low, high, probabilities.len())).unwrap_or(&[]);
                chosen.iter().fold(Mass::zero(), |sum, p| sum.add(p))
            }
            Law::Uniform(count) => {
                let last = i64::try_from(*count).unwrap_or(i64::MAX) - 1;
                let first = low.map_or(0, |low| low.saturating_add(1).max(0));
                let answers = (high.min(last) - first + 1).max(0);
                Mass::of(S::from_i64(answers).div(&S::from_i64(last + 1)))
            }
            Law::Threshold { normal, .. } => {
                let low = low.map_or(f64::NEG_INFINITY, unrank);
                let high = unrank(high);
                let inside = normal.probability_between(low, high);
                if inside < FAR_OUT && low < high && !normal.is_constant() {
                    return Mass::exp(normal.log_probability_between(low, high));
                }
                Mass::of(S::from_f64(inside).unwrap_or_else(S::zero))
            }
            // Sums and order statistics are replaced by what they depend on before anything is added up.
            Law::Sum(_) | Law::Order(_) => Mass::zero(),
            // A sweep follows what it is derived from.
            Law::Derived(..) => Mass::zero(),
        }
    }
}

/// The answers above `low` and up to `high`, of so many from 0 on.
fn places(low: Option<i64>, high: i64, count: usize) -> std::ops::Range<usize> {
    let first = low.map_or(0, |low| low.saturating_add(1).max(0) as usize);
    first..(high.min(count as i64 - 1) + 1).max(0) as usize
}

/// Below this, probabilities of a normal distribution are computed by their logarithms.
const FAR_OUT: f64 = 1e-280;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_keep_the_order_of_doubles() {
        let values = [f64::NEG_INFINITY, -1e300, -2.0, -1.0, -5e-324, 0.0, 5e-324, 1.0, 1.5, 1e300, f64::INFINITY];
        for pair in values.windows(2) {
            assert!(rank(pair[0]) < rank(pair[1]), "{pair:?}");
        }
        assert_eq!(rank(-0.0), rank(0.0));
        for value in &values[1..10] {
            assert_eq!(unrank(rank(*value)), *value);
        }
    }

    #[test]
    fn tails_do_not_underflow() {
        let normal = Normal::new(0.0, 1.0).expect("a normal distribution");
        let law: Law<f64> = Law::Threshold { node: NodeId(0), normal };
        // ln(1 − Φ(40)) = −804.608442013754…
        assert!((law.between(Some(rank(40.0)), i64::MAX).ln() + 804.608_442_013_754).abs() < 1e-9);
        assert!((law.between(None, rank(-40.0)).ln() + 804.608_442_013_754).abs() < 1e-9);
        let part = law.between(Some(rank(40.0)), rank(41.0)).add(&law.between(Some(rank(41.0)), i64::MAX));
        assert!((part.ln() + 804.608_442_013_754).abs() < 1e-9);
    }

    #[test]
    fn a_narrow_piece_far_out_keeps_its_digits() {
        let normal = Normal::new(0.0, 1.0).expect("a normal distribution");
        let law: Law<f64> = Law::Threshold { node: NodeId(0), normal };
        let (low, high) = (40.0, 40.0 + 1e-10);
        let width: f64 = high - low;
        // φ(40)·width·(1 − 20·width), of which the second term is 2·10⁻⁹ and the third 3·10⁻¹⁸.
        let expected = -800.0 - 0.5 * std::f64::consts::TAU.ln() + width.ln() + (-20.0 * width).ln_1p();
        let found = law.between(Some(rank(low)), rank(high)).ln();
        assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
    }

    #[test]
    fn intervals_have_the_probability_of_their_answers() {
        let law = Law::Finite(Rc::from([0.1, 0.2, 0.3, 0.4]));
        assert_eq!(law.between(None, 0).scalar(), 0.1);
        assert!((law.between(Some(0), 2).scalar() - 0.5_f64).abs() < 1e-15);
        assert_eq!(law.between(Some(2), i64::MAX).scalar(), 0.4);
        let uniform: Law<f64> = Law::Uniform(10);
        assert_eq!(uniform.between(Some(3), i64::MAX).scalar(), 0.6);
        assert_eq!(uniform.between(None, -1).scalar(), 0.0);
    }
}
