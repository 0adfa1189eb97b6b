//! Covariance matrices whose entries are rounded irrational numbers: positive semidefinite up to that rounding.

use super::distributions::not_semidefinite;
use crate::evaluate::fault::Outcome;

/// Σ = P·L·D·Lᵀ·Pᵀ: the order of the variables, the strictly lower part of L row by row, and D.
pub(super) struct Factors {
    pub(super) order: Vec<usize>,
    pub(super) lower: Vec<Vec<f64>>,
    pub(super) pivots: Vec<f64>,
    /// How many variables follow from the others.
    pub(super) dependent: usize,
}

/// Units in the last place by which entries may be off, each.
const ENTRY_ULPS: f64 = 8.0;

/// Takes the variable with the largest variance that the earlier ones leave over, again and again, until what is left over
/// is no more than the rounding of the entries.
///
/// Every |L| is at most 1 this way, so that L·D·Lᵀ is off by about n units in the last place of the largest variance (Higham,
/// Accuracy and Stability of Numerical Algorithms, chapter 10): as much as the entries themselves. `docs/proofs/semidefinite.md`
/// proves that, and says what is assumed.
pub(super) fn factorise(matrix: &[Vec<f64>]) -> Outcome<Factors> {
    let size = matrix.len();
    let largest = (0..size).map(|row| matrix[row][row]).fold(0.0, f64::max);
    let tolerance = ENTRY_ULPS * size as f64 * f64::EPSILON * largest;
    let mut rest: Vec<Vec<f64>> = matrix.to_vec();
    let mut order: Vec<usize> = (0..size).collect();
    let mut lower: Vec<Vec<f64>> = vec![Vec::new(); size];
    let mut pivots = Vec::with_capacity(size);
    let mut rank = size;
    for step in 0..size {
        let best = (step..size).max_by(|a, b| rest[order[*a]][order[*a]].total_cmp(&rest[order[*b]][order[*b]]));
        let best = best.unwrap_or(step);
        order.swap(step, best);
        lower.swap(step, best);
        let chosen = order[step];
        let pivot = rest[chosen][chosen];
        if pivot <= tolerance {
            rank = step;
            break;
        }
        pivots.push(pivot);
        let column: Vec<f64> = (0..size).map(|row| rest[row][chosen] / pivot).collect();
        for place in step + 1..size {
            let row = order[place];
            lower[place].push(column[row]);
            for other in &order[step + 1..] {
                rest[row][*other] -= column[row] * pivot * column[*other];
            }
        }
    }
    for row in &order[rank..] {
        if order[rank..].iter().any(|column| rest[*row][*column].abs() > tolerance) {
            return Err(not_semidefinite());
        }
    }
    pivots.resize(size, 0.0);
    for row in &mut lower[rank..] {
        row.truncate(rank);
    }
    Ok(Factors { order, lower, pivots, dependent: size - rank })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(size: usize, jitter: f64) -> Vec<Vec<f64>> {
        let point = |place: usize| place as f64 / 10.0;
        let entry = |a: usize, b: usize| {
            let covariance = (-(point(a) - point(b)).powi(2) / 2.0).exp();
            if a == b { covariance + jitter } else { covariance }
        };
        (0..size).map(|a| (0..size).map(|b| entry(a, b)).collect()).collect()
    }

    /// The largest entry of Σ − P·L·D·Lᵀ·Pᵀ.
    fn distance(matrix: &[Vec<f64>], factors: &Factors) -> f64 {
        let size = matrix.len();
        let entry = |row: usize, column: usize| match column.cmp(&row) {
            std::cmp::Ordering::Less => factors.lower[row].get(column).copied().unwrap_or(0.0),
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => 0.0,
        };
        let mut largest: f64 = 0.0;
        for a in 0..size {
            for b in 0..size {
                let product: f64 = (0..size).map(|k| entry(a, k) * factors.pivots[k] * entry(b, k)).sum();
                largest = largest.max((matrix[factors.order[a]][factors.order[b]] - product).abs());
            }
        }
        largest
    }

    #[test]
    fn a_smooth_kernel_is_semidefinite_up_to_its_rounding() {
        for size in [1, 2, 20, 50, 100] {
            let matrix = kernel(size, 0.0);
            let factors = factorise(&matrix).expect("semidefinite");
            assert!(distance(&matrix, &factors) <= 2.0 * ENTRY_ULPS * size as f64 * f64::EPSILON, "{size}");
            assert_eq!(factors.dependent > 0, size >= 20, "{size}");
            let matrix = kernel(size, 1e-9);
            let factors = factorise(&matrix).expect("positive definite");
            assert!(distance(&matrix, &factors) <= 2.0 * ENTRY_ULPS * size as f64 * f64::EPSILON, "{size}");
            assert_eq!(factors.dependent, 0);
        }
    }

    proptest::proptest! {
        /// Matrices of any rank, with variances over many scales and rows that nearly follow from others.
        #[test]
        fn the_factors_are_the_matrix_up_to_the_tolerance(
            rank in 1..7usize, size in 1..9usize, entries in proptest::collection::vec(-1.0..1.0f64, 64),
            scales in proptest::collection::vec(-30..1i32, 9), close in 0..40i32,
        ) {
            use crate::number::{Rational, Scalar};
            let exact = |value: f64| <Rational as Scalar>::from_f64(value).expect("finite");
            let row = |at: usize| -> Vec<f64> {
                // Every other row is the one before it but for a little.
                let (from, noise) = if at % 2 == 1 { (at - 1, 2f64.powi(-close)) } else { (at, 0.0) };
                (0..rank).map(|k| (entries[(from * 7 + k) % 64] + noise * entries[(at * 5 + k) % 64]) * 2f64.powi(scales[at])).collect()
            };
            let rows: Vec<Vec<f64>> = (0..size).map(row).collect();
            let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let matrix: Vec<Vec<f64>> = rows.iter().map(|a| rows.iter().map(|b| product(a, b)).collect()).collect();
            let largest = (0..size).map(|at| matrix[at][at]).fold(0.0, f64::max);
            let refused = |_| proptest::test_runner::TestCaseError::fail("a matrix of products was refused");
            let factors = factorise(&matrix).map_err(refused)?;
            let entry = |row: usize, column: usize| match column.cmp(&row) {
                std::cmp::Ordering::Less => exact(factors.lower[row].get(column).copied().unwrap_or(0.0)),
                std::cmp::Ordering::Equal => Rational::ONE,
                std::cmp::Ordering::Greater => Rational::ZERO,
            };
            let allowed = exact(2.0 * ENTRY_ULPS * size as f64 * f64::EPSILON * largest);
            for a in 0..size {
                for b in 0..size {
                    let sum = (0..size).fold(Rational::ZERO, |sum, k| sum + entry(a, k) * exact(factors.pivots[k]) * entry(b, k));
                    let off = exact(matrix[factors.order[a]][factors.order[b]]) - sum;
                    proptest::prop_assert!(-allowed.clone() <= off && off <= allowed, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn a_negative_variance_beyond_rounding_is_refused() {
        assert!(factorise(&[vec![1.0, 1.0 + 1e-12], vec![1.0 + 1e-12, 1.0]]).is_err());
        assert!(factorise(&[vec![0.0, 1e-3], vec![1e-3, 0.0]]).is_err());
        assert!(factorise(&[vec![-1e-3]]).is_err());
        assert!(factorise(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_ok());
    }
}
