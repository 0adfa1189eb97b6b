//! The different columns of the observations, each with the variance of all sources that have it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::number::{DoubleDouble, Scalar, Wide};

use super::super::learn::Learner;

/// Different columns in doubles, one after the other.
#[derive(Debug)]
pub(super) struct Columns {
    pub observations: usize,
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// Σ variance of the sources with each column.
    pub variances: Vec<f64>,
    /// The column of each numbered source.
    pub column_of: Vec<u32>,
}

impl Columns {
    /// Of the first `seen` observations.
    pub(super) fn new<S: Scalar>(learner: &Learner<'_, S>, seen: usize) -> Self {
        let projector = &learner.projector;
        let mut columns = Columns {
            observations: seen,
            starts: vec![0],
            rows: Vec::new(),
            values: Vec::new(),
            variances: Vec::new(),
            column_of: Vec::new(),
        };
        let mut sums: Vec<DoubleDouble> = Vec::new();
        let mut by_hash: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut column: Vec<(u32, f64)> = Vec::new();
        for number in 0..projector.source_count() as u32 {
            column.clear();
            let cells = projector.column(number).iter().take_while(|(row, _)| (*row as usize) < seen);
            column.extend(cells.map(|(row, value)| (*row, value.to_f64())));
            let mut hasher = DefaultHasher::new();
            column.iter().for_each(|(row, value)| (*row, value.to_bits()).hash(&mut hasher));
            let alike = by_hash.entry(hasher.finish()).or_default();
            let known = alike.iter().find(|&&known| columns.column(known as usize).eq(column.iter().map(widened_row)));
            let index = known.copied().unwrap_or_else(|| {
                alike.push(sums.len() as u32);
                sums.push(DoubleDouble::zero());
                columns.rows.extend(column.iter().map(|(row, _)| *row));
                columns.values.extend(column.iter().map(|(_, value)| *value));
                columns.starts.push(columns.rows.len());
                sums.len() as u32 - 1
            });
            let variance = DoubleDouble::from(projector.variance(number).to_f64());
            sums[index as usize] = sums[index as usize].add(&variance);
            columns.column_of.push(index);
        }
        columns.variances = sums.iter().map(Wide::to_f64).collect();
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

fn widened_row(cell: &(u32, f64)) -> (usize, f64) {
    (cell.0 as usize, cell.1)
}
