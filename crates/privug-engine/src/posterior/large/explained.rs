//! How much of each source the observations explain: h = aᵀ·G⁻¹·a = ‖L⁻¹·a‖² of every column a.
//!
//! Columns with many entries are solved for. Where there are very many with few entries (a person is in one cell of each
//! table), L⁻¹ and G⁻¹ are computed once; then L⁻¹·a and x = G⁻¹·a are sums of few of their columns.

use std::collections::BTreeMap;
use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::sparse::linalg::cholesky::supernodal::SupernodeRef;
use faer::{Accum, Mat, MatMut, Par};

use super::super::poll::{Interrupt, Poll, in_parallel};
use super::BLOCK_ADVANTAGE;
use super::cholesky::Cholesky;
use super::columns::Columns;

/// Columns that are solved for at once.
const BLOCK: usize = 256;
/// Solving for several columns together takes a workspace of no more entries than this, but for at least a few.
const WORKSPACE: usize = 1 << 21;
const FEWEST_TOGETHER: usize = 64;
/// Supernodes with so few columns are gone through entry by entry.
const NARROW: usize = 4;
/// Columns that are added up as one piece of work.
const TOGETHER: usize = 1 << 11;
/// L⁻¹ is dense: with more observations it takes too much memory.
const MOST_IN_INVERSE: usize = 1 << 12;

/// h of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Height {
    /// h
    pub value: f64,
    /// Σ |a_l|·‖z_l‖ of the solutions of L·z = a that it was made of.
    pub size: f64,
    /// ‖x‖, if that was computed.
    pub weight: Option<f64>,
}

impl Cholesky {
    /// h of every column.
    pub(super) fn heights(&self, columns: &Columns, poll: &mut Poll) -> Result<Vec<Height>, Interrupt> {
        let k = self.symbolic.nrows();
        let (rows, cells) = (k as f64, columns.cells() as f64);
        let by_inverse = rows * rows * rows + 8.0 * rows * cells;
        if k <= MOST_IN_INVERSE && by_inverse < self.work_of_solving(columns) {
            return self.summed(columns, poll);
        }
        let heights = self.solved_for(columns, poll)?.into_iter();
        Ok(heights.map(|value| Height { value, size: value.sqrt(), weight: None }).collect())
    }

    /// Multiplications that solving L·z = a takes for all columns a.
    ///
    /// What is in one column is correlated with each other, and stays so while others are eliminated: a column's rows are on
    /// one way to the root, which begins at the first of them.
    fn work_of_solving(&self, columns: &Columns) -> f64 {
        let structure = self.structure();
        let supernode_of = self.supernode_of();
        let mut from = vec![0.0; structure.n_supernodes()];
        for s in (0..structure.n_supernodes()).rev() {
            let width = structure.supernode_end()[s] - structure.supernode_begin()[s];
            let below = structure.supernode(s).pattern();
            let rest = below.first().map_or(0.0, |row| from[supernode_of[*row]]);
            from[s] = rest + (width * (width + 2 * below.len())) as f64 / 2.0;
        }
        let first = |index: usize| columns.column(index).map(|(row, _)| self.place[row]).min();
        (0..columns.len()).filter_map(first).map(|place| from[supernode_of[place]]).sum()
    }

    /// The supernode of every place.
    fn supernode_of(&self) -> Vec<usize> {
        let structure = self.structure();
        let mut supernode_of = vec![0; self.symbolic.nrows()];
        for s in 0..structure.n_supernodes() {
            supernode_of[structure.supernode_begin()[s]..structure.supernode_end()[s]].fill(s);
        }
        supernode_of
    }

    /// L·z = b of one b, both in the order of the observations.
    pub(super) fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut work = Mat::<f64>::zeros(b.len(), 1);
        self.place.iter().zip(b).for_each(|(place, b)| work[(*place, 0)] = *b);
        self.substitute(work.as_mut(), 0);
        self.place.iter().map(|place| work[(*place, 0)]).collect()
    }

    /// L·z = b of many b, in place; these vanish before row `first`.
    fn substitute(&self, mut work: MatMut<'_, f64>, first: usize) {
        let structure = self.structure();
        for s in (0..structure.n_supernodes()).filter(|s| structure.supernode_end()[*s] > first) {
            let supernode = self.factor().supernode(s);
            let width = supernode.val().ncols();
            // Above `first` there is nothing to solve for.
            let skipped = first.saturating_sub(supernode.start());
            let block = supernode.val().submatrix(skipped, skipped, supernode.val().nrows() - skipped, width - skipped);
            let (top, bottom) = block.split_at_row(width - skipped);
            let mut solved = work.as_mut().subrows_mut(supernode.start() + skipped, width - skipped);
            solve_lower_triangular_in_place(top, solved.as_mut(), Par::Seq);
            if bottom.nrows() == 0 {
                continue;
            }
            let mut change = Mat::<f64>::zeros(bottom.nrows(), work.ncols());
            let solved = work.as_ref().subrows(supernode.start() + skipped, width - skipped);
            matmul(change.as_mut(), Accum::Replace, bottom, solved, 1.0, Par::Seq);
            for column in 0..work.ncols() {
                let rows = supernode.pattern().iter().enumerate();
                rows.for_each(|(place, row)| work[(*row, column)] -= change[(place, column)]);
            }
        }
    }

    /// h of every column as a sum of columns of L⁻¹, and the length of the sum of those of G⁻¹.
    fn summed(&self, columns: &Columns, poll: &mut Poll) -> Result<Vec<Height>, Interrupt> {
        let k = self.symbolic.nrows();
        poll.store(3 * k * k)?;
        poll.spend(((k * k) as f64 * k as f64 / BLOCK_ADVANTAGE) as u64)?;
        let some_of_inverse = |_: &mut (), piece: usize, _: &mut Poll<'_>| -> Result<Mat<f64>, Interrupt> {
            let start = piece * BLOCK;
            let mut work = Mat::<f64>::zeros(k, BLOCK.min(k - start));
            (0..work.ncols()).for_each(|column| work[(start + column, column)] = 1.0);
            self.substitute(work.as_mut(), start);
            Ok(work)
        };
        let parts = in_parallel(k.div_ceil(BLOCK), poll, || (), some_of_inverse)?;
        let root = Mat::from_fn(k, k, |row, column| parts[column / BLOCK][(row, column % BLOCK)]);
        let mut inverse = Mat::<f64>::zeros(k, k);
        let (lower, upper) = (BlockStructure::TriangularLower, BlockStructure::TriangularUpper);
        let (left, right) = (root.transpose(), root.as_ref());
        triangular_matmul(inverse.as_mut(), lower, Accum::Replace, left, upper, right, lower, 1.0, Par::Seq);
        for column in 0..k {
            (0..column).for_each(|row| inverse[(row, column)] = inverse[(column, row)]);
        }
        let norms: Vec<f64> = (0..k).map(|place| square(&column_of(&root, place)[place..]).sqrt()).collect();
        let height = |(z, x): &mut (Vec<f64>, Vec<f64>), index: usize| -> Height {
            let mut size = 0.0;
            for (row, value) in columns.column(index) {
                let place = self.place[row];
                add_times(&mut z[place..], value, &column_of(&root, place)[place..]);
                add_times(x, value, column_of(&inverse, place));
                size += value.abs() * norms[place];
            }
            let found = Height { value: square(z), size, weight: Some(square(x).sqrt()) };
            z.fill(0.0);
            x.fill(0.0);
            found
        };
        let parts = in_parallel(
            columns.len().div_ceil(TOGETHER),
            poll,
            || (vec![0.0; k], vec![0.0; k]),
            |work, piece, poll| -> Result<Vec<Height>, Interrupt> {
                let start = piece * TOGETHER;
                poll.spend(((TOGETHER * k) as f64 / BLOCK_ADVANTAGE) as u64)?;
                Ok((start..columns.len().min(start + TOGETHER)).map(|index| height(work, index)).collect())
            },
        )?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// h = ‖L⁻¹·a‖² of every column, each solved for.
    ///
    /// A column only meets the supernodes between its first row and the root. Columns that begin in the same part of the
    /// tree meet nearly the same ones, and are solved for together.
    fn solved_for(&self, columns: &Columns, poll: &mut Poll) -> Result<Vec<f64>, Interrupt> {
        let supernode_of = self.supernode_of();
        let first = |index: usize| columns.column(index).map(|(row, _)| supernode_of[self.place[row]]).min();
        let mut order: Vec<(usize, usize)> =
            (0..columns.len()).filter_map(|index| Some((first(index)?, index))).collect();
        order.sort_unstable();
        let k = self.symbolic.nrows();
        let together = (WORKSPACE / k.max(1)).clamp(FEWEST_TOGETHER, BLOCK);
        let batches: Vec<&[(usize, usize)]> = order.chunks(together).collect();
        let parts = in_parallel(
            batches.len(),
            poll,
            || Batch::new(self, together),
            |work, piece, poll| work.explain(batches[piece], columns, &supernode_of, poll),
        )?;
        let mut explained = vec![0.0; columns.len()];
        for (batch, part) in batches.into_iter().zip(parts) {
            batch.iter().zip(part).for_each(|((_, index), h)| explained[*index] = h);
        }
        Ok(explained)
    }
}

/// Columns that are solved for together.
struct Batch<'c> {
    cholesky: &'c Cholesky,
    /// How many there may be.
    room: usize,
    /// Their entries, row by row; empty before and after.
    work: Vec<f64>,
    change: Vec<f64>,
    /// The supernodes that are still to be met, each by the columns within a range.
    due: BTreeMap<usize, Range<usize>>,
}

impl<'c> Batch<'c> {
    fn new(cholesky: &'c Cholesky, room: usize) -> Self {
        let work = vec![0.0; cholesky.symbolic.nrows() * room];
        Batch { cholesky, room, work, change: Vec::new(), due: BTreeMap::new() }
    }

    /// h of some columns.
    fn explain(
        &mut self,
        batch: &[(usize, usize)],
        columns: &Columns,
        supernode_of: &[usize],
        poll: &mut Poll,
    ) -> Result<Vec<f64>, Interrupt> {
        let cholesky = self.cholesky;
        let mut explained = vec![0.0; batch.len()];
        for (place, (_, index)) in batch.iter().enumerate() {
            for (row, value) in columns.column(*index) {
                let row = cholesky.place[row];
                self.work[row * self.room + place] = value;
                self.meet(supernode_of[row], &(place..place + 1));
            }
        }
        while let Some((s, met)) = self.due.pop_first() {
            let supernode = cholesky.factor().supernode(s);
            let (width, below) = (supernode.val().ncols(), supernode.pattern());
            let flops = width * (width + 2 * below.len()) * met.len();
            poll.spend(1 + (flops as f64 / BLOCK_ADVANTAGE) as u64)?;
            self.solve(&supernode, &met);
            // Those below are of few supernodes, one after the other.
            for same in below.chunk_by(|a, b| supernode_of[*a] == supernode_of[*b]) {
                self.meet(supernode_of[same[0]], &met);
            }
            for row in supernode.start()..supernode.start() + width {
                let solved = &mut self.work[row * self.room..][met.clone()];
                explained[met.clone()].iter_mut().zip(&*solved).for_each(|(h, z)| *h += z * z);
                solved.fill(0.0);
            }
        }
        Ok(explained)
    }

    /// Notes that these columns meet a supernode.
    fn meet(&mut self, supernode: usize, columns: &Range<usize>) {
        let met = self.due.entry(supernode).or_insert_with(|| columns.clone());
        *met = met.start.min(columns.start)..met.end.max(columns.end);
    }

    /// Solves for a supernode's rows of some columns, and takes them out of the rows below.
    fn solve(&mut self, supernode: &SupernodeRef<'_, usize, f64>, met: &Range<usize>) {
        let (block, start, below) = (supernode.val(), supernode.start(), supernode.pattern());
        let (room, width) = (self.room, block.ncols());
        if width <= NARROW {
            for column in 0..width {
                let entries = block.col(column).try_as_col_major().expect("contiguous").as_slice();
                let (above, rest) = self.work.split_at_mut((start + column + 1) * room);
                let solved = &mut above[(start + column) * room..][met.clone()];
                solved.iter_mut().for_each(|z| *z /= entries[column]);
                let rows = (start + column + 1..start + width).chain(below.iter().copied());
                for (row, entry) in rows.zip(&entries[column + 1..]) {
                    let changed = &mut rest[(row - start - column - 1) * room..][met.clone()];
                    changed.iter_mut().zip(&*solved).for_each(|(rest, z)| *rest -= entry * z);
                }
            }
            return;
        }
        let (top, bottom) = block.split_at_row(width);
        let rows = MatMut::from_row_major_slice_mut(&mut self.work[start * room..(start + width) * room], width, room);
        let mut solved = rows.subcols_mut(met.start, met.len());
        solve_lower_triangular_in_place(top, solved.as_mut(), Par::Seq);
        self.change.clear();
        self.change.resize(below.len() * met.len(), 0.0);
        let mut change = MatMut::from_row_major_slice_mut(&mut self.change, below.len(), met.len());
        matmul(change.as_mut(), Accum::Replace, bottom, solved.as_ref(), 1.0, Par::Seq);
        for (row, change) in below.iter().zip(self.change.chunks_exact(met.len())) {
            let changed = &mut self.work[row * room..][met.clone()];
            changed.iter_mut().zip(change).for_each(|(rest, change)| *rest -= change);
        }
    }
}

fn column_of(matrix: &Mat<f64>, column: usize) -> &[f64] {
    matrix.as_ref().col(column).try_as_col_major().expect("contiguous").as_slice()
}

/// sum += factor·numbers
fn add_times(sum: &mut [f64], factor: f64, numbers: &[f64]) {
    sum.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += factor * number);
}

/// Σ number², in several sums that do not wait for each other.
fn square(numbers: &[f64]) -> f64 {
    let (rows, rest) = numbers.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number * number);
    }
    sums.iter().sum::<f64>() + rest.iter().map(|number| number * number).sum::<f64>()
}
