//! The columns of the observations, one for each group of sources, with its variance.

use std::convert::Infallible;
use std::ops::Range;

use crate::number::{Constants, DoubleDouble, Field, Scalar, Wide};

use super::super::poll::{Poll, in_parallel};
use super::super::projector::Projector;
use super::ROUNDOFF;

/// Columns that are put together as one piece of work, at least: their ends fit into a processor's cache.
const TOGETHER: usize = 1 << 11;
/// Pieces in which sums over all columns are computed.
const PIECES: usize = 8;

/// The columns in doubles.
#[derive(Debug)]
pub(super) struct Columns {
    pub observations: usize,
    blocks: Vec<Block>,
    /// All blocks but the last have 2 to the power of this columns.
    in_block: u32,
    /// The variance of each column's group.
    pub variances: Vec<f64>,
}

/// Neighbouring columns, one after the other.
#[derive(Debug)]
struct Block {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Block {
    /// The columns of some groups, over observations each in its units.
    fn new<S: Scalar>(projector: &Projector<'_, S>, groups: Range<usize>, observations: &[(usize, i32)]) -> Self {
        let (first, count) = (groups.start as u32, groups.len());
        let mut starts = vec![0; count + 1];
        // Row by row first: rows are gone through once.
        let mut entries: Vec<(u32, f64)> = Vec::new();
        let mut row_ends = Vec::with_capacity(observations.len());
        for (position, unit) in observations {
            for (group, coefficient) in projector.coefficients_within(*position, groups.clone(), *unit) {
                starts[(group - first) as usize + 1] += 1;
                entries.push((group - first, coefficient));
            }
            row_ends.push(entries.len());
        }
        (0..count).for_each(|column| starts[column + 1] += starts[column]);
        let (mut rows, mut values) = (vec![0; starts[count]], vec![0.0; starts[count]]);
        let mut next = starts.clone();
        let mut start = 0;
        for (row, end) in row_ends.into_iter().enumerate() {
            for (column, coefficient) in &entries[start..end] {
                let cell = &mut next[*column as usize];
                (rows[*cell], values[*cell]) = (row as u32, *coefficient);
                *cell += 1;
            }
            start = end;
        }
        Block { starts, rows, values }
    }
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
    /// Of the observations at some positions, each in its units.
    pub(super) fn new<S: Scalar>(projector: &Projector<'_, S>, observations: &[(usize, i32)], poll: &Poll<'_>) -> Self {
        let groups = projector.group_count();
        // Every block looks at all rows, so there are not too many of them.
        let most_blocks = (projector.nonzeros() / (8 * observations.len().max(1))).max(1);
        let length = TOGETHER.max(groups.div_ceil(most_blocks)).next_power_of_two();
        let in_block = length.trailing_zeros();
        let blocks = all(groups.div_ceil(length), poll, |number| {
            let start = number * length;
            Block::new(projector, start..groups.min(start + length), observations)
        });
        let variances = (0..groups as u32).map(|group| projector.variance(group).to_f64()).collect();
        Columns { observations: observations.len(), blocks, in_block, variances }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.variances.len()
    }

    /// How many entries they have together.
    pub(super) fn cells(&self) -> usize {
        self.blocks.iter().map(|block| block.rows.len()).sum()
    }

    /// Σ entries², what multiplying columns with each other entry by entry takes.
    pub(super) fn products(&self) -> f64 {
        let bounds = self.blocks.iter().flat_map(|block| block.starts.windows(2));
        bounds.map(|bounds| ((bounds[1] - bounds[0]) as f64).powi(2)).sum()
    }

    /// (observation, coefficient) of a column, ascending.
    pub(super) fn column(&self, index: usize) -> impl Iterator<Item = (usize, f64)> {
        let (rows, values) = self.entries(index);
        rows.iter().zip(values).map(|(row, value)| (*row as usize, *value))
    }

    /// How many entries a column has.
    pub(super) fn length(&self, index: usize) -> usize {
        self.entries(index).0.len()
    }

    /// The observations of a column, ascending, and their coefficients.
    pub(super) fn entries(&self, index: usize) -> (&[u32], &[f64]) {
        let (block, place) = (&self.blocks[index >> self.in_block], index & ((1 << self.in_block) - 1));
        let range = block.starts[place]..block.starts[place + 1];
        (&block.rows[range.clone()], &block.values[range])
    }

    /// aᵀ·y of a column, in several sums: each addition of pairs waits for the one before it.
    fn product(&self, index: usize, y: &[f64]) -> DoubleDouble {
        const SUMS: usize = 4;
        let (rows, values) = self.entries(index);
        let term = |row: u32, value: f64| DoubleDouble::from(value).mul_narrow(&y[row as usize]);
        let ((rows, last_rows), (values, last_values)) = (rows.as_chunks::<SUMS>(), values.as_chunks::<SUMS>());
        let last = last_rows.iter().zip(last_values).map(|(row, value)| term(*row, *value));
        let last = last.fold(DoubleDouble::zero(), |total, term| total.add(&term));
        if rows.is_empty() {
            return last;
        }
        let mut sums = [DoubleDouble::zero(); SUMS];
        for (rows, values) in rows.iter().zip(values) {
            let terms: [DoubleDouble; SUMS] = std::array::from_fn(|at| term(rows[at], values[at]));
            sums.iter_mut().zip(&terms).for_each(|(sum, term)| *sum = sum.add(term));
        }
        sums.iter().fold(last, |total, sum| total.add(sum))
    }

    /// The groups that each observation depends on.
    pub(super) fn by_observation(&self) -> ByObservation {
        let mut starts = vec![0; self.observations + 1];
        let rows = self.blocks.iter().flat_map(|block| &block.rows);
        rows.for_each(|row| starts[*row as usize + 1] += 1);
        (0..self.observations).for_each(|row| starts[row + 1] += starts[row]);
        let (mut groups, mut next) = (vec![0; self.cells()], starts.clone());
        for index in 0..self.len() {
            for (row, _) in self.column(index) {
                groups[next[row]] = index as u32;
                next[row] += 1;
            }
        }
        ByObservation { starts, groups }
    }

    /// A lower bound on the smallest eigenvalue of G, from what each observation has to itself, such as noise: G is the sum of
    /// these variances on its diagonal and of what is left of it, which is a matrix of covariances too.
    pub(super) fn least_own_variance(&self) -> f64 {
        let mut own = vec![0.0; self.observations];
        for (index, variance) in self.variances.iter().enumerate() {
            if let (&[row], &[value]) = self.entries(index) {
                own[row as usize] += variance * value * value;
            }
        }
        let least = own.into_iter().fold(f64::INFINITY, f64::min);
        // The numbers it is made of, two products and the sum are rounded.
        least * (1.0 - ROUNDOFF * (self.len() + 16) as f64)
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
    pub(super) fn residual(&self, values: &[DoubleDouble], y: &[f64], poll: &Poll<'_>) -> Vec<f64> {
        let in_piece = self.len().div_ceil(PIECES).max(1);
        let parts = all(self.len().div_ceil(in_piece), poll, |piece| {
            let start = piece * in_piece;
            let mut part = vec![DoubleDouble::zero(); values.len()];
            for index in start..self.len().min(start + in_piece) {
                let product = self.product(index, y).mul_narrow(&self.variances[index]);
                for (row, value) in self.column(index) {
                    part[row] = part[row].add(&product.mul_narrow(&value));
                }
            }
            part
        });
        let rest = |row: usize| parts.iter().fold(values[row], |rest, part| rest.sub(&part[row]));
        (0..values.len()).map(|row| rest(row).to_f64()).collect()
    }
}

/// Pieces of work that nothing interrupts.
fn all<T: Send>(pieces: usize, poll: &Poll<'_>, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let done = in_parallel(pieces, poll, || (), |(), piece, _| Ok::<T, Infallible>(work(piece)));
    done.unwrap_or_else(|never| match never {})
}
