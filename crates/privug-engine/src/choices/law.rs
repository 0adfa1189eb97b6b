//! How likely the answers of a choice are.

use std::rc::Rc;

use super::mass::Mass;
use crate::gaussian::Normal;
use crate::network::NodeId;
use crate::number::Scalar;

/// The distribution of a choice's answers. Choices are independent of each other.
#[derive(Debug, Clone)]
pub enum Law<S> {
    /// One probability for each of 0, 1, …; they add up to 1.
    Finite(Rc<[S]>),
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
    /// How many probabilities are added up for all answers together.
    pub fn spelled_out(&self) -> usize {
        match self {
            Law::Finite(probabilities) => probabilities.len(),
            Law::Uniform(_) | Law::Threshold { .. } | Law::Sum(_) => 2,
        }
    }

    /// The probability of the answers above `low` and up to `high`.
    pub fn between(&self, low: Option<i64>, high: i64) -> Mass<S> {
        match self {
            Law::Finite(probabilities) => {
                let first = low.map_or(0, |low| low.saturating_add(1).max(0) as usize);
                let end = (high.min(probabilities.len() as i64 - 1) + 1).max(0) as usize;
                let chosen = probabilities.get(first..end).unwrap_or(&[]);
                chosen.iter().fold(Mass::zero(), |sum, p| sum.add(&Mass::of(p.clone())))
            }
            Law::Uniform(count) => {
                let last = i64::try_from(*count).unwrap_or(i64::MAX) - 1;
                let first = low.map_or(0, |low| low.saturating_add(1).max(0));
                let answers = (high.min(last) - first + 1).max(0);
                Mass::of(S::from_i64(answers).div(&S::from_i64(last + 1)))
            }
            Law::Threshold { normal, .. } => {
                let low = low.map_or(f64::NEG_INFINITY, unrank);
                let inside = normal.probability_between(low, unrank(high));
                Mass::of(S::from_f64(inside).unwrap_or_else(S::zero))
            }
            // Sums are replaced by choices of their own before anything is added up.
            Law::Sum(_) => Mass::zero(),
        }
    }
}

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
