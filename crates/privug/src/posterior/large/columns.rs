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

impl Columns {
    /// Of the first `seen` observations.
    pub(super) fn new<S: Scalar>(learner: &Learner<'_, S>, seen: usize) -> Self {
        let projector = &learner.projector;
        let groups = projector.group_count();
        let mut columns = Columns {
            observations: seen,
            starts: vec![0],
            rows: Vec::new(),
            values: Vec::new(),
            variances: Vec::with_capacity(groups),
        };
        for group in 0..groups as u32 {
            let cells = projector.column(group).iter().take_while(|(row, _)| (*row as usize) < seen);
            for (row, value) in cells {
                columns.rows.push(*row);
                columns.values.push(value.to_f64());
            }
            columns.starts.push(columns.rows.len());
            columns.variances.push(projector.variance(group).to_f64());
        }
        columns
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
