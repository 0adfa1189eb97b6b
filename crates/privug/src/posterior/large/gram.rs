//! The covariances of all observations, G = Σ variance·a·aᵀ over the columns.

use std::collections::BTreeMap;

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, Mat, Par};

use crate::number::{DoubleDouble, Wide};

use super::super::range::{Interrupt, Poll};
use super::columns::Columns;
use super::{BLOCK_ADVANTAGE, ROUNDOFF};

/// Columns that are multiplied at once.
const BLOCK: usize = 256;
/// Where columns fill this share of G, blocks are faster than single entries.
const DENSE_SHARE: f64 = 0.02;

/// The lower triangle of G by columns.
#[derive(Debug)]
pub(super) struct Gram {
    pub observations: usize,
    pub starts: Vec<usize>,
    pub rows: Vec<usize>,
    pub values: Vec<f64>,
    /// Bound on the error of an entry, relative to the sum of the sizes of its terms.
    pub rounding: f64,
    /// Σ of sizes in each row.
    row_sums: Vec<f64>,
}

impl Gram {
    /// The largest Σ of sizes in a row: a bound on the norm of the matrix of sizes.
    pub(super) fn absolute_row_sum(&self) -> f64 {
        self.row_sums.iter().fold(0.0, |largest, sum| largest.max(*sum))
    }
}

/// Adds up the columns.
pub(super) fn gram(columns: &Columns, poll: &mut Poll) -> Result<Gram, Interrupt> {
    let k = columns.observations as f64;
    let dense = columns.products() > DENSE_SHARE * k * k * columns.len() as f64 && columns.observations <= 1 << 14;
    let (mut gram, rounding) = if dense {
        (dense_gram(columns, poll)?, BLOCK + columns.len().div_ceil(BLOCK) + 4)
    } else {
        (sparse_gram(columns, poll)?, 4)
    };
    gram.rounding = ROUNDOFF * rounding as f64;
    gram.row_sums = row_sums(columns);
    Ok(gram)
}

/// Row sums of Σ variance·|a|·|a|ᵀ.
fn row_sums(columns: &Columns) -> Vec<f64> {
    let mut sums = vec![0.0; columns.observations];
    for (index, variance) in columns.variances.iter().enumerate() {
        let size: f64 = columns.column(index).map(|(_, value)| value.abs()).sum();
        columns.column(index).for_each(|(row, value)| sums[row] += variance * value.abs() * size);
    }
    sums
}

fn dense_gram(columns: &Columns, poll: &mut Poll) -> Result<Gram, Interrupt> {
    let k = columns.observations;
    poll.store(2 * k * (k + BLOCK))?;
    let mut sum = Mat::<f64>::zeros(k, k);
    let mut block = Mat::<f64>::zeros(k, BLOCK);
    for start in (0..columns.len()).step_by(BLOCK) {
        poll.spend(((k * k * BLOCK) as f64 / BLOCK_ADVANTAGE) as u64)?;
        let width = BLOCK.min(columns.len() - start);
        block.fill(0.0);
        for place in 0..width {
            let spread = columns.variances[start + place].sqrt();
            let cells = block.as_mut().col_mut(place).try_as_col_major_mut().expect("contiguous").as_slice_mut();
            columns.column(start + place).for_each(|(row, value)| cells[row] = spread * value);
        }
        let block = block.as_ref().subcols(0, width);
        let lower = BlockStructure::TriangularLower;
        let whole = BlockStructure::Rectangular;
        matmul(sum.as_mut(), lower, Accum::Add, block, whole, block.transpose(), whole, 1.0, Par::rayon(0));
    }
    let mut gram = Gram {
        observations: k,
        starts: (0..=k).map(|column| column * k - column * column.saturating_sub(1) / 2).collect(),
        rows: Vec::with_capacity(k * (k + 1) / 2),
        values: Vec::with_capacity(k * (k + 1) / 2),
        rounding: 0.0,
        row_sums: Vec::new(),
    };
    for column in 0..k {
        gram.rows.extend(column..k);
        gram.values.extend((column..k).map(|row| sum[(row, column)]));
    }
    Ok(gram)
}

fn sparse_gram(columns: &Columns, poll: &mut Poll) -> Result<Gram, Interrupt> {
    let mut by_column: Vec<BTreeMap<u32, DoubleDouble>> = vec![BTreeMap::new(); columns.observations];
    for (index, variance) in columns.variances.iter().enumerate() {
        let cells: Vec<(usize, f64)> = columns.column(index).collect();
        poll.spend((cells.len() * cells.len()) as u64)?;
        for (place, (column, a)) in cells.iter().enumerate() {
            let weighted = DoubleDouble::from(*variance).mul_narrow(a);
            for (row, b) in &cells[place..] {
                let entry = by_column[*column].entry(*row as u32).or_insert_with(DoubleDouble::zero);
                *entry = entry.add(&weighted.mul_narrow(b));
            }
        }
    }
    let mut gram = Gram {
        observations: columns.observations,
        starts: vec![0],
        rows: Vec::new(),
        values: Vec::new(),
        rounding: 0.0,
        row_sums: Vec::new(),
    };
    for column in by_column {
        poll.store(column.len())?;
        gram.rows.extend(column.keys().map(|row| *row as usize));
        gram.values.extend(column.values().map(Wide::to_f64));
        gram.starts.push(gram.rows.len());
    }
    Ok(gram)
}
