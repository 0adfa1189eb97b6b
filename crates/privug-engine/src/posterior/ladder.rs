//! From orthogonalised rows back to the rows they were made of, in plain doubles, for error bounds.

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
