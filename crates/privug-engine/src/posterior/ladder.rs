//! From orthogonalised rows back to the rows they were made of, in plain doubles, for error bounds: `docs/proofs/projection.md`
//! says why plain doubles are enough.

use std::collections::BinaryHeap;

/// The triangular relation rowₗ = q_l/shrinkₗ + Σₘ cₗₘ·qₘ (m < l) between rows and their orthogonalised residuals.
#[derive(Debug, Default)]
pub(super) struct Ladder {
    steps: Vec<Vec<(u32, f64)>>,
    shrink: Vec<f64>,
    /// Coefficients on the q of each row; zero between calls.
    weights: Vec<f64>,
    queued: Vec<bool>,
}

impl Ladder {
    /// Adds q = shrink·(row − Σ c·qₘ).
    pub(super) fn push(&mut self, onto: Vec<(u32, f64)>, shrink: f64) {
        self.steps.push(onto);
        self.shrink.push(shrink);
        self.weights.push(0.0);
        self.queued.push(false);
    }

    /// How many q a row was made orthogonal to.
    pub(super) fn steps(&self, row: u32) -> usize {
        self.steps[row as usize].len()
    }

    /// The x with Σ yₗ·qₗ = Σ xₗ·rowₗ, by back substitution.
    ///
    /// Bounds in terms of x stay tight where those in terms of y double with every row (running totals).
    pub(super) fn combination(&mut self, onto: impl IntoIterator<Item = (u32, f64)>) -> Vec<(u32, f64)> {
        let mut due = BinaryHeap::new();
        for (row, weight) in onto {
            put(&mut self.weights, &mut self.queued, &mut due, row, weight);
        }
        let mut combination = Vec::with_capacity(due.len());
        while let Some(row) = due.pop() {
            // Steps lead to earlier rows only, so this one will not come again.
            self.queued[row as usize] = false;
            let weight = std::mem::take(&mut self.weights[row as usize]) * self.shrink[row as usize];
            if weight != 0.0 {
                for &(earlier, c) in &self.steps[row as usize] {
                    put(&mut self.weights, &mut self.queued, &mut due, earlier, -weight * c);
                }
                combination.push((row, weight));
            }
        }
        combination
    }
}

/// Adds to a row's weight, and queues the row unless it is waiting already.
fn put(weights: &mut [f64], queued: &mut [bool], due: &mut BinaryHeap<u32>, row: u32, weight: f64) {
    weights[row as usize] += weight;
    if !std::mem::replace(&mut queued[row as usize], true) {
        due.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Constants, Rational, Scalar};
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        /// `docs/proofs/projection.md`: sizes of weights from plain doubles, also where steps nearly cancel.
        #[test]
        fn weights_are_as_large_as_in_rationals_but_for_the_rounding_of_each_step(
            steps in vec(vec(prop_oneof![Just(1.0), -4.0..4.0f64, -1e-6..1e-6f64], 12), 1..12), start in vec(-8.0..8.0f64, 12),
        ) {
            let count = steps.len();
            let mut ladder = Ladder::default();
            for (row, onto) in steps.iter().enumerate() {
                ladder.push(onto[..row].iter().copied().enumerate().map(|(at, c)| (at as u32, c)).collect(), 1.0);
            }
            let exact = |value: f64| <Rational as Scalar>::from_f64(value).expect("finite");
            // Σ |terms| of each weight, in doubles: what rounding is relative to.
            let mut weights: Vec<Rational> = start[..count].iter().copied().map(exact).collect();
            let mut sizes: Vec<f64> = start[..count].iter().map(|weight| weight.abs()).collect();
            for row in (0..count).rev() {
                for earlier in 0..row {
                    let (weight, c) = (weights[row].clone(), steps[row][earlier]);
                    weights[earlier] -= weight * exact(c);
                    sizes[earlier] += sizes[row] * c.abs();
                }
            }
            let found = ladder.combination(start[..count].iter().copied().enumerate().map(|(at, y)| (at as u32, y)));
            for (row, x) in found {
                let off = Constants::to_f64(&(exact(x) - &weights[row as usize])).abs();
                prop_assert!(off <= (count * count + 2) as f64 * f64::EPSILON * sizes[row as usize], "row {row} off by {off:e}");
            }
        }
    }

    #[test]
    fn running_totals_combine_into_their_last_difference() {
        // a₀ = x, a₁ = x + y, a₂ = x + y + z: the residuals are x, y and z, and each row contains all earlier ones.
        let mut ladder = Ladder::default();
        ladder.push(vec![], 1.0);
        ladder.push(vec![(0, 1.0)], 1.0);
        ladder.push(vec![(0, 1.0), (1, 1.0)], 0.5);
        assert_eq!(ladder.combination([(1, 1.0)]), [(1, 1.0), (0, -1.0)]);
        // What cancels on the way is not forgotten the next time.
        assert_eq!(ladder.combination([(0, 1.0), (1, 1.0)]), [(1, 1.0)]);
        assert_eq!(ladder.combination([(0, 1.0)]), [(0, 1.0)]);
        assert_eq!(ladder.combination([(2, 2.0)]), [(2, 1.0), (1, -1.0)]);
        assert_eq!(ladder.combination([]), []);
    }
}
