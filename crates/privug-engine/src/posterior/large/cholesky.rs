//! G = L·Lᵀ in supernodes, dense blocks of columns with the same pattern; a dense G is a single one.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Accum, Conj, Mat, MatMut, Par, Side, Spec};

use super::super::poll::{Interrupt, Poll};
use super::gram::Gram;
use super::{BLOCK_ADVANTAGE, ROUNDOFF};
use crate::threads;

/// Columns that are multiplied at once where L·Lᵀ is compared with G.
const PRODUCT_BLOCK: usize = 64;
/// Supernodes are used where operations per entry of L exceed this. A diagonal G takes none at all, so that even 0, which
/// the library calls forcing them, does not.
const ALWAYS_SUPERNODES: SupernodalThreshold = SupernodalThreshold(-1.0);

/// Which observations are eliminated first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Order {
    /// Those that leave L sparse.
    Sparse,
    /// The first: then L says what each adds to those before it.
    AsPublished,
}

/// The factorisation.
#[derive(Debug)]
pub(super) struct Cholesky {
    pub(super) symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    /// Where each observation went.
    pub(super) place: Vec<usize>,
}

impl Cholesky {
    /// Factors G with noise of these variances added to the observations; `None` if that is not positive definite in
    /// doubles.
    pub(super) fn new(
        gram: &Gram,
        added: impl Fn(usize) -> f64,
        order: Order,
        poll: &mut Poll,
    ) -> Result<Option<Self>, Interrupt> {
        let k = gram.observations;
        let pattern = SymbolicSparseColMatRef::new_checked(k, k, &gram.starts, None, &gram.rows);
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: ALWAYS_SUPERNODES,
            ..CholeskySymbolicParams::default()
        };
        let same: Vec<usize> = (0..k).collect();
        let ordering = match order {
            Order::Sparse => SymmetricOrdering::Amd,
            // `Identity` takes the upper triangle.
            Order::AsPublished => SymmetricOrdering::Custom(PermRef::new_checked(&same, &same, k)),
        };
        let Ok(symbolic) = factorize_symbolic_cholesky(pattern, Side::Lower, ordering, params) else {
            return Ok(None);
        };
        if matches!(symbolic.raw(), SymbolicCholeskyRaw::Simplicial(_)) {
            return Ok(None);
        }
        poll.store(symbolic.len_val())?;
        let flops: f64 = supernodes(&symbolic).map(|(width, below)| (width * (width + below).pow(2)) as f64).sum();
        poll.spend((flops / BLOCK_ADVANTAGE) as u64)?;
        let mut values = vec![0.0; symbolic.len_val()];
        let par = threads::within(|| Par::rayon(0));
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(par, Spec::default());
        let Ok(mut memory) = MemBuffer::try_new(scratch) else { return Ok(None) };
        let mut covariances = gram.values.clone();
        (0..k).for_each(|observation| covariances[gram.starts[observation]] += added(observation));
        let matrix = SparseColMatRef::new(pattern, &covariances);
        let stack = MemStack::new(&mut memory);
        let factored = threads::within(|| {
            let regularization = Default::default();
            symbolic.factorize_numeric_llt(
                &mut values,
                matrix,
                Side::Lower,
                regularization,
                par,
                stack,
                Spec::default(),
            )
        });
        if factored.is_err() {
            return Ok(None);
        }
        let place = match symbolic.perm() {
            Some(permutation) => permutation.arrays().1.to_vec(),
            None => (0..k).collect(),
        };
        Ok(Some(Cholesky { symbolic, values, place }))
    }

    pub(super) fn structure(&self) -> &SymbolicSupernodalCholesky<usize> {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(structure) => structure,
            SymbolicCholeskyRaw::Simplicial(_) => unreachable!("`new` gives no factorisation without supernodes"),
        }
    }

    pub(super) fn factor(&self) -> SupernodalLltRef<'_, usize, f64> {
        SupernodalLltRef::new(self.structure(), &self.values)
    }

    /// The observations of which those before them leave at most this variance, ascending.
    pub(super) fn vanishing(&self, most: f64) -> Vec<usize> {
        let mut at = vec![false; self.symbolic.nrows()];
        self.visit_diagonal(|place, value| at[place] = value * value <= most);
        (0..at.len()).filter(|observation| at[self.place[*observation]]).collect()
    }

    /// How many entries L has.
    pub(super) fn entries(&self) -> usize {
        self.values.len()
    }

    /// The diagonal entries of L.
    fn visit_diagonal(&self, mut entry: impl FnMut(usize, f64)) {
        for s in 0..self.structure().n_supernodes() {
            let supernode = self.factor().supernode(s);
            let block = supernode.val();
            (0..block.ncols()).for_each(|place| entry(supernode.start() + place, block[(place, place)]));
        }
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
        self.visit_diagonal(|_, value| sum += 2.0 * value.ln());
        sum
    }

    /// How many entries each row of L has.
    fn row_lengths(&self) -> Vec<usize> {
        let mut lengths = vec![0; self.symbolic.nrows()];
        for s in 0..self.structure().n_supernodes() {
            let supernode = self.factor().supernode(s);
            let width = supernode.val().ncols();
            (0..width).for_each(|place| lengths[supernode.start() + place] += place + 1);
            supernode.pattern().iter().for_each(|row| lengths[*row] += width);
        }
        lengths
    }

    /// The most entries that a row of L has.
    pub(super) fn longest_row(&self) -> usize {
        self.row_lengths().into_iter().max().unwrap_or(0)
    }

    /// A bound on the norm of D·|L|·|L|ᵀ·D, with these weights on the diagonal of D.
    ///
    /// The norm of a symmetric matrix B without negative entries is at most the largest (B·z)ᵢ/zᵢ, for any z > 0 (Collatz
    /// and Wielandt); z = 1 gives row sums, and powers of B come closer.
    fn norm_of_sizes(&self, weights: &[f64]) -> f64 {
        const ROUNDS: usize = 6;
        // More rounds are not worth their time.
        const LITTLE_BETTER: f64 = 0.8;
        let k = self.symbolic.nrows();
        let (mut z, mut bound) = (vec![1.0; k], f64::INFINITY);
        for _ in 0..ROUNDS {
            let mut columns = vec![0.0; k];
            self.visit(|row, column, value| columns[column] += value.abs() * weights[row] * z[row]);
            let mut product = vec![0.0; k];
            self.visit(|row, column, value| product[row] += value.abs() * columns[column]);
            product.iter_mut().zip(weights).for_each(|(product, weight)| *product *= weight);
            let largest = product.iter().copied().fold(0.0, f64::max);
            let found = product.iter().zip(&z).map(|(product, z)| product / z).fold(0.0, f64::max);
            let is_over = found > LITTLE_BETTER * bound;
            bound = bound.min(found);
            if is_over {
                break;
            }
            // No entry vanishes, so that the next round gives a bound too.
            z = product.into_iter().map(|product| (product / largest).max(1e-6)).collect();
        }
        // What the sums themselves were rounded by.
        bound * (1.0 + 1e-9)
    }

    /// A bound on the norm of |L|·|L|ᵀ.
    pub(super) fn norm_of_product(&self) -> f64 {
        self.norm_of_sizes(&vec![1.0; self.symbolic.nrows()])
    }

    /// All entries of L: row, column and value.
    fn visit(&self, mut entry: impl FnMut(usize, usize, f64)) {
        for s in 0..self.structure().n_supernodes() {
            let supernode = self.factor().supernode(s);
            let (block, start, below) = (supernode.val(), supernode.start(), supernode.pattern());
            let width = block.ncols();
            for column in 0..width {
                let cells = block.col(column).try_as_col_major().expect("contiguous").as_slice();
                cells[column..width].iter().enumerate().for_each(|(row, value)| {
                    entry(start + column + row, start + column, *value);
                });
                cells[width..].iter().zip(below).for_each(|(value, row)| entry(*row, start + column, *value));
            }
        }
    }

    /// A bound on ‖G − L·Lᵀ‖.
    ///
    /// An entry of it is at most ε·(terms + 4)·(|L|·|L|ᵀ) of it, whatever the order in which its terms were added up
    /// (Higham, "Accuracy and Stability of Numerical Algorithms", theorem 10.3), and an inner product of two rows has no
    /// more terms than √(length·length) of them. A dense G is compared with L·Lᵀ, in blocks, so that only the roundings
    /// within and between blocks remain.
    pub(super) fn error(&self, gram: &Gram, poll: &mut Poll) -> Result<f64, Interrupt> {
        let k = self.symbolic.nrows();
        if self.structure().n_supernodes() > 1 || gram.values.len() < k * (k + 1) / 2 {
            let roots: Vec<f64> = self.row_lengths().iter().map(|length| ((length + 4) as f64).sqrt()).collect();
            return Ok(ROUNDOFF * self.norm_of_sizes(&roots));
        }
        poll.store(k * k)?;
        poll.spend((k as f64 * k as f64 * k as f64 / BLOCK_ADVANTAGE) as u64)?;
        let mut rest = Mat::<f64>::zeros(k, k);
        for column in 0..k {
            for (row, value) in (column..k).zip(&gram.values[gram.starts[column]..gram.starts[column + 1]]) {
                let (a, b) = (self.place[row], self.place[column]);
                rest[(a.max(b), a.min(b))] = *value;
            }
        }
        // Above the diagonal a block may hold anything.
        let factor = self.factor().supernode(0);
        let block = factor.val();
        let lower = Mat::from_fn(k, k, |row, column| if row < column { 0.0 } else { block[(row, column)] });
        for start in (0..k).step_by(PRODUCT_BLOCK) {
            let width = PRODUCT_BLOCK.min(k - start);
            let part = lower.as_ref().submatrix(start, start, k - start, width);
            let rest = rest.as_mut().submatrix_mut(start, start, k - start, k - start);
            let (triangle, whole) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
            threads::within(|| {
                triangular_matmul(
                    rest,
                    triangle,
                    Accum::Add,
                    part,
                    whole,
                    part.transpose(),
                    whole,
                    -1.0,
                    Par::rayon(0),
                );
            });
        }
        let mut sums = vec![0.0; k];
        for column in 0..k {
            for row in column..k {
                let size = rest[(row, column)].abs();
                sums[row] += size;
                sums[column] += if row == column { 0.0 } else { size };
            }
        }
        let measured = sums.into_iter().fold(0.0, f64::max);
        let roundings = (PRODUCT_BLOCK + k.div_ceil(PRODUCT_BLOCK) + 4) as f64;
        Ok(measured * (1.0 + ROUNDOFF * k as f64)
            + ROUNDOFF * roundings * (self.norm_of_product() + gram.absolute_row_sum()))
    }

    /// A lower bound on the smallest eigenvalue of G, which is known to be at least `certain`: the larger of that and of what
    /// the power method on G⁻¹ finds from a random start.
    ///
    /// After q steps from a uniformly random direction in k dimensions, the estimate is below a quarter of the largest
    /// eigenvalue of G⁻¹ with a probability of at most 0.824·√k·4^(½−q) (Kuczyński and Woźniakowski, "Estimating the
    /// largest eigenvalue by the power and Lanczos algorithms with a random start", 1992): 10⁻¹⁵ for a million rows; see
    /// `docs/proofs/eigenvalue.md`.
    pub(super) fn smallest_eigenvalue(&self, certain: f64) -> f64 {
        const STEPS: usize = 32;
        const SAFETY: f64 = 4.0;
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut vector: Vec<f64> = (0..self.symbolic.nrows()).map(|_| standard_normal(&mut state)).collect();
        let mut estimate = 0.0;
        for _ in 0..STEPS {
            let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            vector.iter_mut().for_each(|x| *x /= norm);
            self.solve(&mut vector);
            estimate = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            // The estimate does not fall: more steps would not find a larger bound.
            if certain * SAFETY * estimate >= 1.0 {
                return certain;
            }
        }
        1.0 / (SAFETY * estimate)
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
