//! G = L·Lᵀ in supernodes, dense blocks of columns with the same pattern; a dense G is a single one.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Accum, Conj, Mat, MatMut, Par, Side, Spec};

use super::super::range::{Interrupt, Poll};
use super::BLOCK_ADVANTAGE;
use super::columns::Columns;
use super::gram::Gram;

/// Columns that are solved for at once.
const BLOCK: usize = 256;

/// The factorisation.
#[derive(Debug)]
pub(super) struct Cholesky {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    /// Where each observation went.
    place: Vec<usize>,
}

impl Cholesky {
    /// Factors G; `None` if it is not positive definite in doubles.
    pub(super) fn new(gram: &Gram, poll: &mut Poll) -> Result<Option<Self>, Interrupt> {
        let k = gram.observations;
        let pattern = SymbolicSparseColMatRef::new_checked(k, k, &gram.starts, None, &gram.rows);
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..CholeskySymbolicParams::default()
        };
        let Ok(symbolic) = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params) else {
            return Ok(None);
        };
        poll.store(symbolic.len_val())?;
        let flops: f64 = supernodes(&symbolic).map(|(width, below)| (width * (width + below).pow(2)) as f64).sum();
        poll.spend((flops / BLOCK_ADVANTAGE) as u64)?;
        let mut values = vec![0.0; symbolic.len_val()];
        let par = Par::rayon(0);
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(par, Spec::default());
        let Ok(mut memory) = MemBuffer::try_new(scratch) else { return Ok(None) };
        let matrix = SparseColMatRef::new(pattern, &gram.values);
        let stack = MemStack::new(&mut memory);
        let factored = symbolic.factorize_numeric_llt(
            &mut values,
            matrix,
            Side::Lower,
            Default::default(),
            par,
            stack,
            Spec::default(),
        );
        if factored.is_err() {
            return Ok(None);
        }
        let place = match symbolic.perm() {
            Some(permutation) => permutation.arrays().1.to_vec(),
            None => (0..k).collect(),
        };
        Ok(Some(Cholesky { symbolic, values, place }))
    }

    fn structure(&self) -> &SymbolicSupernodalCholesky<usize> {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(structure) => structure,
            SymbolicCholeskyRaw::Simplicial(_) => unreachable!("supernodes were asked for"),
        }
    }

    fn factor(&self) -> SupernodalLltRef<'_, usize, f64> {
        SupernodalLltRef::new(self.structure(), &self.values)
    }

    /// G·x = rhs, in place.
    pub(super) fn solve(&self, rhs: &mut [f64]) {
        let mut memory = MemBuffer::new(self.symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let rows = rhs.len();
        let rhs = MatMut::from_column_major_slice_mut(rhs, rows, 1);
        let factor = LltRef::new(&self.symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, rhs, Par::Seq, MemStack::new(&mut memory));
    }

    /// ln det G
    pub(super) fn log_determinant(&self) -> f64 {
        let mut sum = 0.0;
        for s in 0..self.structure().n_supernodes() {
            let block = self.factor().supernode(s).val();
            sum += (0..block.ncols()).map(|place| 2.0 * block[(place, place)].ln()).sum::<f64>();
        }
        sum
    }

    /// The most entries that a row of L has.
    pub(super) fn longest_row(&self) -> usize {
        let mut lengths = vec![0; self.symbolic.nrows()];
        for s in 0..self.structure().n_supernodes() {
            let supernode = self.factor().supernode(s);
            let width = supernode.val().ncols();
            (0..width).for_each(|place| lengths[supernode.start() + place] += place + 1);
            supernode.pattern().iter().for_each(|row| lengths[*row] += width);
        }
        lengths.into_iter().max().unwrap_or(0)
    }

    /// The largest row sum of |L|·|L|ᵀ.
    pub(super) fn absolute_row_sum(&self) -> f64 {
        let mut sums = vec![0.0; self.symbolic.nrows()];
        let entries = |visit: &mut dyn FnMut(usize, usize, f64)| {
            for s in 0..self.structure().n_supernodes() {
                let supernode = self.factor().supernode(s);
                let block = supernode.val();
                for column in 0..block.ncols() {
                    for row in column..block.nrows() {
                        let number = match row.checked_sub(block.ncols()) {
                            Some(below) => supernode.pattern()[below],
                            None => supernode.start() + row,
                        };
                        visit(number, supernode.start() + column, block[(row, column)].abs());
                    }
                }
            }
        };
        let mut column_sums = vec![0.0; self.symbolic.nrows()];
        entries(&mut |_, column, size| column_sums[column] += size);
        entries(&mut |row, column, size| sums[row] += size * column_sums[column]);
        sums.into_iter().fold(0.0, f64::max)
    }

    /// A lower bound on the smallest eigenvalue of G, by the power method on G⁻¹ from a random start.
    ///
    /// After q steps from a uniformly random direction in k dimensions, the estimate is below a quarter of the largest
    /// eigenvalue of G⁻¹ with a probability of at most 0.824·√k·4^(½−q) (Kuczyński and Woźniakowski, "Estimating the
    /// largest eigenvalue by the power and Lanczos algorithms with a random start", 1992): 10⁻¹⁵ for a million rows.
    pub(super) fn smallest_eigenvalue(&self) -> f64 {
        const STEPS: usize = 32;
        const SAFETY: f64 = 4.0;
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut vector: Vec<f64> = (0..self.symbolic.nrows()).map(|_| standard_normal(&mut state)).collect();
        let mut estimate = f64::INFINITY;
        for _ in 0..STEPS {
            let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            vector.iter_mut().for_each(|x| *x /= norm);
            self.solve(&mut vector);
            estimate = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        }
        1.0 / (SAFETY * estimate)
    }

    /// h = aᵀ·G⁻¹·a = ‖L⁻¹·a‖² of every column.
    ///
    /// A column only meets the supernodes between its first row and the root, so columns that start in the same
    /// supernode are solved for together.
    pub(super) fn explained(&self, columns: &Columns, poll: &mut Poll) -> Result<Vec<f64>, Interrupt> {
        let structure = self.structure();
        let mut supernode_of = vec![0; self.symbolic.nrows()];
        for s in 0..structure.n_supernodes() {
            supernode_of[structure.supernode_begin()[s]..structure.supernode_end()[s]].fill(s);
        }
        let first = |index: usize| columns.column(index).map(|(row, _)| supernode_of[self.place[row]]).min();
        let mut order: Vec<(usize, usize)> =
            (0..columns.len()).filter_map(|index| Some((first(index)?, index))).collect();
        order.sort_unstable();

        let mut explained = vec![0.0; columns.len()];
        let mut work = Mat::<f64>::zeros(self.symbolic.nrows(), BLOCK);
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            // The supernodes that any column from here on may meet: those of its rows, and from each on to the root.
            for batch in same.chunks(BLOCK) {
                self.explain(batch, columns, &supernode_of, &mut work, &mut explained, poll)?;
            }
        }
        Ok(explained)
    }

    fn explain(
        &self,
        batch: &[(usize, usize)],
        columns: &Columns,
        supernode_of: &[usize],
        work: &mut Mat<f64>,
        explained: &mut [f64],
        poll: &mut Poll,
    ) -> Result<(), Interrupt> {
        let mut due = std::collections::BTreeSet::new();
        for (place, (_, index)) in batch.iter().enumerate() {
            for (row, value) in columns.column(*index) {
                work[(self.place[row], place)] = value;
                due.insert(supernode_of[self.place[row]]);
            }
        }
        while let Some(s) = due.pop_first() {
            let supernode = self.factor().supernode(s);
            let block = supernode.val();
            let (width, below) = (block.ncols(), supernode.pattern().len());
            let flops = width * (width + 2 * below) * batch.len();
            poll.spend(1 + (flops as f64 / BLOCK_ADVANTAGE) as u64)?;
            let (top, bottom) = block.split_at_row(width);
            let mut solved = work.as_mut().subrows_mut(supernode.start(), width).subcols_mut(0, batch.len());
            solve_lower_triangular_in_place(top, solved.as_mut(), Par::rayon(0));
            if below > 0 {
                let mut change = Mat::<f64>::zeros(below, batch.len());
                matmul(change.as_mut(), Accum::Replace, bottom, solved.as_ref(), 1.0, Par::rayon(0));
                for place in 0..batch.len() {
                    supernode
                        .pattern()
                        .iter()
                        .enumerate()
                        .for_each(|(i, row)| work[(*row, place)] -= change[(i, place)]);
                }
                due.extend(supernode.pattern().iter().map(|row| supernode_of[*row]));
            }
            let mut solved = work.as_mut().subrows_mut(supernode.start(), width).subcols_mut(0, batch.len());
            for (place, (_, index)) in batch.iter().enumerate() {
                explained[*index] += solved.as_ref().col(place).squared_norm_l2();
            }
            solved.fill(0.0);
        }
        Ok(())
    }
}

/// (columns, rows below them) of each supernode.
fn supernodes(symbolic: &SymbolicCholesky<usize>) -> impl Iterator<Item = (usize, usize)> {
    let structure = match symbolic.raw() {
        SymbolicCholeskyRaw::Supernodal(structure) => Some(structure),
        SymbolicCholeskyRaw::Simplicial(_) => None,
    };
    structure.into_iter().flat_map(|structure| {
        (0..structure.n_supernodes()).map(|s| {
            let width = structure.supernode_end()[s] - structure.supernode_begin()[s];
            (width, structure.supernode(s).pattern().len())
        })
    })
}

/// A normally distributed number by Marsaglia's polar method, from xorshift64*.
fn standard_normal(state: &mut u64) -> f64 {
    let mut uniform = || {
        *state ^= *state >> 12;
        *state ^= *state << 25;
        *state ^= *state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    loop {
        let (u, v) = (uniform(), uniform());
        let square = u * u + v * v;
        if square > 0.0 && square < 1.0 {
            return u * (-2.0 * square.ln() / square).sqrt();
        }
    }
}
