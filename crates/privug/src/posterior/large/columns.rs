//! The columns of the observations, one for each group of sources, with its variance.

use crate::number::{DoubleDouble, Scalar, Wide};

use super::super::learn::Learner;

/// The columns in doubles, one after the other.
#[derive(Debug)]
pub(super) struct Columns {
    pub observations: usize,
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// The variance of each column's group.
    pub variances: Vec<f64>,
}

/// Which columns have an entry for each observation.
pub(super) struct ByObservation {
    starts: Vec<usize>,
    groups: Vec<u32>,
}

impl ByObservation {
    /// The columns of one, ascending.
    pub(super) fn groups(&self, observation: usize) -> &[u32] {
        &self.groups[self.starts[observation]..self.starts[observation + 1]]
    }
}

impl Columns {
    /// Of the observations that were seen, each in its units.
    pub(super) fn new<S: Scalar>(learner: &Learner<'_, S>, units: &[i32]) -> Self {
        let seen = units.len();
        let projector = &learner.projector;
        let groups = projector.group_count();
        let mut starts = vec![0; groups + 1];
        for group in (0..seen).flat_map(|position| projector.groups_of(position)) {
            starts[group as usize + 1] += 1;
        }
        (0..groups).for_each(|group| starts[group + 1] += starts[group]);
        let (mut rows, mut values) = (vec![0; starts[groups]], vec![0.0; starts[groups]]);
        let mut next = starts.clone();
        for (position, unit) in units.iter().enumerate() {
            for (group, coefficient) in projector.coefficients_in_doubles(position, *unit) {
                let cell = &mut next[group as usize];
                (rows[*cell], values[*cell]) = (position as u32, coefficient);
                *cell += 1;
            }
        }
        let variances = (0..groups as u32).map(|group| projector.variance(group).to_f64()).collect();
        Columns { observations: seen, starts, rows, values, variances }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.variances.len()
    }

    /// How many entries they have together.
    pub(super) fn cells(&self) -> usize {
        self.rows.len()
    }

    /// Σ entries², what multiplying columns with each other entry by entry takes.
    pub(super) fn products(&self) -> f64 {
        self.starts.windows(2).map(|bounds| ((bounds[1] - bounds[0]) as f64).powi(2)).sum()
    }

    /// (observation, coefficient) of a column, ascending.
    pub(super) fn column(&self, index: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[index]..self.starts[index + 1];
        self.rows[range.clone()].iter().zip(&self.values[range]).map(|(row, value)| (*row as usize, *value))
    }

    /// The groups that each observation depends on.
    pub(super) fn by_observation(&self) -> ByObservation {
        let mut starts = vec![0; self.observations + 1];
        self.rows.iter().for_each(|row| starts[*row as usize + 1] += 1);
        (0..self.observations).for_each(|row| starts[row + 1] += starts[row]);
        let (mut groups, mut next) = (vec![0; self.rows.len()], starts.clone());
        for index in 0..self.len() {
            for row in &self.rows[self.starts[index]..self.starts[index + 1]] {
                groups[next[*row as usize]] = index as u32;
                next[*row as usize] += 1;
            }
        }
        ByObservation { starts, groups }
    }

    /// ‖Σ weight·|a|‖ over the observations.
    pub(super) fn norm_of_sum(&self, weights: &[f64]) -> f64 {
        let squares = self.variances.iter().enumerate().map(|(index, variance)| {
            let sum: f64 = self.column(index).map(|(row, value)| weights[row] * value.abs()).sum();
            variance * sum * sum
        });
        squares.sum::<f64>().sqrt()
    }

    /// values − G·y, in pairs of doubles and without G: Σ over columns of variance·a·(aᵀ·y).
    pub(super) fn residual(&self, values: &[DoubleDouble], y: &[f64]) -> Vec<f64> {
        let mut rest = values.to_vec();
        for (index, variance) in self.variances.iter().enumerate() {
            let product = self.column(index).fold(DoubleDouble::zero(), |sum, (row, value)| {
                sum.add(&DoubleDouble::from(value).mul_narrow(&y[row]))
            });
            let product = product.mul_narrow(variance);
            for (row, value) in self.column(index) {
                rest[row] = rest[row].sub(&product.mul_narrow(&value));
            }
        }
        rest.iter().map(Wide::to_f64).collect()
    }
}
