//! The covariances of all observations, G = Σ variance·a·aᵀ over the columns.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, Mat, Par};

use crate::number::{Constants, DoubleDouble, Wide};
use crate::threads;

use super::super::poll::{Interrupt, Poll, in_parallel};
use super::columns::Columns;
use super::{BLOCK_ADVANTAGE, ROUNDOFF};

/// Columns that are multiplied at once.
const BLOCK: usize = 256;
/// Where columns fill this share of G, blocks are faster than single entries.
const DENSE_SHARE: f64 = 0.02;

/// Roundings of a term and of a finished sum: two coefficients, a variance or its root twice, three products, the end.
const AROUND_A_SUM: usize = 8;
/// Columns of a sparse G that are added up as one piece of work.
const OBSERVATIONS_TOGETHER: usize = 32;

/// The lower triangle of G by columns, each from the diagonal down.
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
    fn empty(observations: usize) -> Self {
        let (rows, values, row_sums) = (Vec::new(), Vec::new(), Vec::new());
        Gram { observations, starts: vec![0], rows, values, rounding: 0.0, row_sums }
    }

    /// A whole column of G.
    pub(super) fn column(&self, observation: usize) -> Vec<f64> {
        let mut column = vec![0.0; self.observations];
        let below = self.starts[observation]..self.starts[observation + 1];
        below.for_each(|place| column[self.rows[place]] = self.values[place]);
        for (other, entry) in column.iter_mut().enumerate().take(observation) {
            let rows = &self.rows[self.starts[other]..self.starts[other + 1]];
            if let Ok(place) = rows.binary_search(&observation) {
                *entry = self.values[self.starts[other] + place];
            }
        }
        column
    }

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
        (dense_gram(columns, poll)?, BLOCK + columns.len().div_ceil(BLOCK) + AROUND_A_SUM)
    } else {
        // The sums themselves are in pairs of doubles.
        (sparse_gram(columns, poll)?, AROUND_A_SUM)
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
        threads::within(|| {
            matmul(sum.as_mut(), lower, Accum::Add, block, whole, block.transpose(), whole, 1.0, Par::rayon(0));
        });
    }
    let mut gram = Gram::empty(k);
    gram.rows.reserve(k * (k + 1) / 2);
    gram.values.reserve(k * (k + 1) / 2);
    for column in 0..k {
        gram.rows.extend(column..k);
        gram.values.extend((column..k).map(|row| sum[(row, column)]));
        gram.starts.push(gram.rows.len());
    }
    Ok(gram)
}

/// Entry by entry, some of G's columns at once on each processor.
fn sparse_gram(columns: &Columns, poll: &mut Poll) -> Result<Gram, Interrupt> {
    let k = columns.observations;
    let by_observation = columns.by_observation();
    let some_columns = |accumulator: &mut Accumulator, piece: usize, poll: &mut Poll<'_>| -> Result<Gram, Interrupt> {
        let start = piece * OBSERVATIONS_TOGETHER;
        let mut part = Gram::empty(k);
        for observation in start..k.min(start + OBSERVATIONS_TOGETHER) {
            poll.spend(accumulator.add_up(columns, by_observation.groups(observation), observation))?;
            poll.store(accumulator.touched.len())?;
            accumulator.give(&mut part);
        }
        Ok(part)
    };
    let parts = in_parallel(k.div_ceil(OBSERVATIONS_TOGETHER), poll, || Accumulator::new(k), some_columns)?;
    let mut gram = Gram::empty(k);
    for part in parts {
        let before = gram.rows.len();
        gram.starts.extend(part.starts[1..].iter().map(|end| before + end));
        gram.rows.extend(part.rows);
        gram.values.extend(part.values);
    }
    Ok(gram)
}

/// A column of G while it is added up.
struct Accumulator {
    sums: Vec<DoubleDouble>,
    is_touched: Vec<bool>,
    touched: Vec<usize>,
}

impl Accumulator {
    fn new(observations: usize) -> Self {
        let (sums, is_touched) = (vec![DoubleDouble::zero(); observations], vec![false; observations]);
        Accumulator { sums, is_touched, touched: Vec::new() }
    }

    /// The column of an observation on and below the diagonal, from the groups that it depends on; returns the work done.
    fn add_up(&mut self, columns: &Columns, groups: &[u32], observation: usize) -> u64 {
        let mut work = 0;
        // Also of an observation that depends on nothing there is a variance.
        self.is_touched[observation] = true;
        self.touched.push(observation);
        for group in groups {
            let (rows, values) = columns.entries(*group as usize);
            let above = rows.iter().take_while(|row| (**row as usize) < observation).count();
            let (rows, values) = (&rows[above..], &values[above..]);
            let Some(a) = values.first() else { continue };
            let weighted = columns.variances[*group as usize] * a;
            for (row, b) in rows.iter().zip(values) {
                let row = *row as usize;
                if !self.is_touched[row] {
                    self.is_touched[row] = true;
                    self.touched.push(row);
                }
                self.sums[row] = self.sums[row].add_narrow(&(weighted * b));
                work += 1;
            }
        }
        work
    }

    /// Gives the column away, and begins anew.
    fn give(&mut self, gram: &mut Gram) {
        self.touched.sort_unstable();
        for row in self.touched.drain(..) {
            self.is_touched[row] = false;
            gram.rows.push(row);
            gram.values.push(std::mem::replace(&mut self.sums[row], DoubleDouble::zero()).to_f64());
        }
        gram.starts.push(gram.rows.len());
    }
}
