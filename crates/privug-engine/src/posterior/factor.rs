//! The one algorithm: an LDLᵀ factorisation of the observations' covariances, over any field.
//!
//! Let aᵢ be the rows of the observations, gᵢₗ = ⟨aᵢ, a_l⟩ their covariances, and q_l the part of a_l that is orthogonal
//! to the earlier ones. Then
//!
//! ```text
//! ⟨t, q_l⟩ = ⟨t, a_l⟩ − Σₘ c_lm·⟨t, qₘ⟩   (m < l)        c_tl = ⟨t, q_l⟩/⟨q_l, q_l⟩
//! ```
//!
//! gives the coefficients of any row t without ever forming a q. It is sparse: observations that share no source never
//! meet. The fields are exact rationals, pairs of doubles, and residues modulo a prime.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::number::Wide;

use super::poll::{Interrupt, Poll};

/// What the factorisation computes with.
pub(super) trait Field: Clone + std::fmt::Debug {
    /// 0.
    fn nought() -> Self;
    /// Sum.
    fn plus(&self, other: &Self) -> Self;
    /// Difference.
    fn minus(&self, other: &Self) -> Self;
    /// Product.
    fn times(&self, other: &Self) -> Self;
    /// Quotient; the divisor is not zero.
    fn over(&self, other: &Self) -> Self;
    /// Whether it is 0.
    fn vanishes(&self) -> bool;
    /// What an operation on numbers of this size costs, in operations on short ones.
    fn cost(&self) -> u64;
}

impl<W: Wide> Field for W {
    fn nought() -> Self {
        W::zero()
    }

    fn plus(&self, other: &Self) -> Self {
        self.add(other)
    }

    fn minus(&self, other: &Self) -> Self {
        self.sub(other)
    }

    fn times(&self, other: &Self) -> Self {
        self.mul(other)
    }

    fn over(&self, other: &Self) -> Self {
        self.div(other)
    }

    fn vanishes(&self) -> bool {
        self.is_zero()
    }

    fn cost(&self) -> u64 {
        self.operation_cost()
    }
}

/// A row: its covariances with the sources that observations depend on, and its whole variance.
#[derive(Debug, Clone)]
pub(super) struct Vector<F> {
    /// ⟨t, t⟩, over all sources.
    pub squared_norm: F,
    /// (source, coefficient·variance), each source at most once.
    pub products: Vec<(u32, F)>,
}

/// A row projected on the observations placed so far.
#[derive(Debug)]
pub(super) struct Projection<F> {
    squared_norm: F,
    /// ⟨t, a⟩ for each observation that overlaps, ascending in its place.
    pub alone: Vec<(u32, F)>,
    /// c_l, ascending in l.
    pub onto: Vec<(u32, F)>,
    /// c_l·⟨t, q_l⟩, in the same order.
    explained: Vec<F>,
}

impl<F: Field> Projection<F> {
    /// What the first `limit` basis vectors leave of the variance.
    pub(super) fn rest(&self, limit: u32) -> F {
        let parts = self.onto.iter().zip(&self.explained).take_while(|((basis, _), _)| *basis < limit);
        parts.fold(self.squared_norm.clone(), |rest, (_, part)| rest.minus(part))
    }
}

/// The observations, column by column, and the factorisation of those placed so far.
#[derive(Debug)]
pub(super) struct Factor<F> {
    /// Where the observations of each source start in `cells`, and the end of the last.
    starts: Vec<u32>,
    /// (observation, its coefficient on the source)
    cells: Vec<(u32, F)>,
    /// The basis vector of each placed observation, unless it is redundant.
    basis_of: Vec<Option<u32>>,
    /// For each basis vector l, the later ones m with their c_ml.
    below: Vec<Vec<(u32, F)>>,
    /// ⟨q_l, q_l⟩
    pivots: Vec<F>,
    work: Workspace<F>,
}

/// Dense vectors, empty between calls.
#[derive(Debug)]
struct Workspace<F> {
    /// ⟨t, a⟩ for each observation.
    covariances: Vec<Option<F>>,
    /// ⟨t, q_l⟩ for each basis vector.
    products: Vec<Option<F>>,
}

impl<F: Field> Factor<F> {
    /// Of so many observations that will be placed one by one, with the coefficients of each on so many sources.
    pub(super) fn new<I: Iterator<Item = (u32, F)>>(
        sources: usize,
        observations: usize,
        coefficients: impl Fn(usize) -> I,
    ) -> Self {
        let mut starts = vec![0u32; sources + 1];
        for (source, _) in (0..observations).flat_map(&coefficients) {
            starts[source as usize + 1] += 1;
        }
        for source in 0..sources {
            starts[source + 1] += starts[source];
        }
        let mut next = starts.clone();
        let mut cells: Vec<(u32, F)> = vec![(0, F::nought()); starts[sources] as usize];
        for observation in 0..observations {
            for (source, coefficient) in coefficients(observation) {
                let cell = &mut next[source as usize];
                cells[*cell as usize] = (observation as u32, coefficient);
                *cell += 1;
            }
        }
        let work = Workspace { covariances: vec![None; observations], products: Vec::new() };
        Factor { starts, cells, basis_of: Vec::new(), below: Vec::new(), pivots: Vec::new(), work }
    }

    /// How many basis vectors there are.
    pub(super) fn len(&self) -> u32 {
        self.pivots.len() as u32
    }

    /// ⟨q_l, q_l⟩
    pub(super) fn pivot(&self, basis: u32) -> &F {
        &self.pivots[basis as usize]
    }

    /// Projects a row on the observations placed so far.
    pub(super) fn project(&mut self, row: &Vector<F>, poll: &mut Poll) -> Result<Projection<F>, Interrupt> {
        let alone = self.covariances(&row.products, poll)?;
        let mut due: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        for (observation, covariance) in &alone {
            if let Some(basis) = self.basis_of[*observation as usize] {
                self.work.products[basis as usize] = Some(covariance.clone());
                due.push(Reverse(basis));
            }
        }
        let (mut onto, mut explained) = (Vec::new(), Vec::new());
        while let Some(Reverse(basis)) = due.pop() {
            let product = self.work.products[basis as usize].take().filter(|product| !product.vanishes());
            let Some(product) = product else { continue };
            let below = &self.below[basis as usize];
            if let Err(interrupt) = poll.spend(product.cost() * (1 + below.len() as u64)) {
                due.into_iter().for_each(|Reverse(basis)| self.work.products[basis as usize] = None);
                return Err(interrupt);
            }
            for (later, c) in below {
                let change = c.times(&product);
                let entry = &mut self.work.products[*later as usize];
                *entry = Some(match entry.take() {
                    Some(entry) => entry.minus(&change),
                    None => {
                        due.push(Reverse(*later));
                        F::nought().minus(&change)
                    }
                });
            }
            let c = product.over(&self.pivots[basis as usize]);
            explained.push(c.times(&product));
            onto.push((basis, c));
        }
        Ok(Projection { squared_norm: row.squared_norm.clone(), alone, onto, explained })
    }

    /// ⟨t, a⟩ with each placed observation that shares a source.
    fn covariances(&mut self, products: &[(u32, F)], poll: &mut Poll) -> Result<Vec<(u32, F)>, Interrupt> {
        let placed = self.basis_of.len() as u32;
        let covariances = &mut self.work.covariances;
        let mut touched: Vec<u32> = Vec::new();
        for (source, product) in products {
            let column = self.starts[*source as usize] as usize..self.starts[*source as usize + 1] as usize;
            if let Err(interrupt) = poll.spend(1 + column.len() as u64) {
                touched.iter().for_each(|observation| covariances[*observation as usize] = None);
                return Err(interrupt);
            }
            let cells = self.cells[column].iter().take_while(|(observation, _)| *observation < placed);
            for (observation, coefficient) in cells {
                let term = product.times(coefficient);
                let sum = &mut covariances[*observation as usize];
                *sum = Some(match sum.take() {
                    Some(sum) => sum.plus(&term),
                    None => {
                        touched.push(*observation);
                        term
                    }
                });
            }
        }
        touched.sort_unstable();
        let taken = |observation: u32| Some((observation, covariances[observation as usize].take()?));
        Ok(touched.into_iter().filter_map(taken).collect())
    }

    /// Adds the next observation: with ⟨q, q⟩ as a new basis vector, or without as a redundant one.
    pub(super) fn place(&mut self, onto: &[(u32, F)], pivot: Option<F>) {
        let Some(pivot) = pivot else {
            self.basis_of.push(None);
            return;
        };
        let number = self.len();
        for (basis, c) in onto {
            self.below[*basis as usize].push((number, c.clone()));
        }
        self.below.push(Vec::new());
        self.pivots.push(pivot);
        self.work.products.push(None);
        self.basis_of.push(Some(number));
    }
}
