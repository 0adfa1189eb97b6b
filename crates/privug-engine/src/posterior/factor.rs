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
//! meet. The fields are exact rationals, pairs of doubles, and residues modulo primes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::marker::PhantomData;

use crate::number::Wide;

use super::poll::{Interrupt, Poll};

/// What the factorisation computes with.
pub(super) trait Field: Clone + std::fmt::Debug {
    /// A number.
    type Element: Clone + std::fmt::Debug;
    /// 0.
    fn nought(&self) -> Self::Element;
    /// Sum.
    fn plus(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// Difference.
    fn minus(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// Product.
    fn times(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// Quotient; the divisor is a unit.
    fn over(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// Whether it is 0.
    fn vanishes(&self, a: &Self::Element) -> bool;
    /// Whether one can divide by it.
    fn is_unit(&self, a: &Self::Element) -> bool;
    /// What an operation on numbers of this size costs, in operations on short ones.
    fn cost(&self, a: &Self::Element) -> u64;
}

/// The numbers that conditioning computes with.
#[derive(Debug)]
pub(super) struct Numbers<W>(PhantomData<W>);

impl<W> Numbers<W> {
    pub(super) fn new() -> Self {
        Numbers(PhantomData)
    }
}

impl<W> Clone for Numbers<W> {
    fn clone(&self) -> Self {
        Numbers(PhantomData)
    }
}

impl<W: Wide> Field for Numbers<W> {
    type Element = W;

    fn nought(&self) -> W {
        W::zero()
    }

    fn plus(&self, a: &W, b: &W) -> W {
        a.add(b)
    }

    fn minus(&self, a: &W, b: &W) -> W {
        a.sub(b)
    }

    fn times(&self, a: &W, b: &W) -> W {
        a.mul(b)
    }

    fn over(&self, a: &W, b: &W) -> W {
        a.div(b)
    }

    fn vanishes(&self, a: &W) -> bool {
        a.is_zero()
    }

    fn is_unit(&self, a: &W) -> bool {
        !a.is_zero()
    }

    fn cost(&self, a: &W) -> u64 {
        a.operation_cost()
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

/// The observations, column by column, and the factorisation of those placed so far.
#[derive(Debug)]
pub(super) struct Factor<F: Field> {
    field: F,
    /// Where the observations of each source start in `cells`, and the end of the last.
    starts: Vec<u32>,
    /// (observation, its coefficient on the source)
    cells: Vec<(u32, F::Element)>,
    /// The basis vector of each placed observation, unless it is redundant.
    basis_of: Vec<Option<u32>>,
    /// For each basis vector l, the later ones m with their c_ml.
    below: Vec<Vec<(u32, F::Element)>>,
    /// ⟨q_l, q_l⟩
    pivots: Vec<F::Element>,
    work: Workspace<F::Element>,
}

/// Dense vectors, empty between calls.
#[derive(Debug)]
struct Workspace<E> {
    /// ⟨t, a⟩ for each observation.
    covariances: Vec<Option<E>>,
    /// ⟨t, q_l⟩ for each basis vector.
    products: Vec<Option<E>>,
}

impl<F: Field> Factor<F> {
    /// Of so many observations that will be placed one by one, with the coefficients of each on so many sources.
    pub(super) fn new<I: Iterator<Item = (u32, F::Element)>>(
        field: F,
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
        let mut cells: Vec<(u32, F::Element)> = vec![(0, field.nought()); starts[sources] as usize];
        for observation in 0..observations {
            for (source, coefficient) in coefficients(observation) {
                let cell = &mut next[source as usize];
                cells[*cell as usize] = (observation as u32, coefficient);
                *cell += 1;
            }
        }
        let work = Workspace { covariances: vec![None; observations], products: Vec::new() };
        Factor { field, starts, cells, basis_of: Vec::new(), below: Vec::new(), pivots: Vec::new(), work }
    }

    /// How many basis vectors there are.
    pub(super) fn len(&self) -> u32 {
        self.pivots.len() as u32
    }

    /// ⟨q_l, q_l⟩
    pub(super) fn pivot(&self, basis: u32) -> &F::Element {
        &self.pivots[basis as usize]
    }

    /// What the first `limit` basis vectors leave of a row's variance.
    pub(super) fn rest(&self, projection: &Projection<F::Element>, limit: u32) -> F::Element {
        let Projection { squared_norm, onto, explained, .. } = projection;
        let parts = onto.iter().zip(explained).take_while(|((basis, _), _)| *basis < limit);
        parts.fold(squared_norm.clone(), |rest, (_, part)| self.field.minus(&rest, part))
    }

    /// Projects a row on the observations placed so far.
    pub(super) fn project(
        &mut self,
        row: &Vector<F::Element>,
        poll: &mut Poll,
    ) -> Result<Projection<F::Element>, Interrupt> {
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
            let product = self.work.products[basis as usize].take();
            let product = product.filter(|product| !self.field.vanishes(product));
            let Some(product) = product else { continue };
            let below = &self.below[basis as usize];
            if let Err(interrupt) = poll.spend(self.field.cost(&product) * (1 + below.len() as u64)) {
                due.into_iter().for_each(|Reverse(basis)| self.work.products[basis as usize] = None);
                return Err(interrupt);
            }
            for (later, c) in below {
                let change = self.field.times(c, &product);
                let entry = &mut self.work.products[*later as usize];
                *entry = Some(match entry.take() {
                    Some(entry) => self.field.minus(&entry, &change),
                    None => {
                        due.push(Reverse(*later));
                        self.field.minus(&self.field.nought(), &change)
                    }
                });
            }
            let c = self.field.over(&product, &self.pivots[basis as usize]);
            explained.push(self.field.times(&c, &product));
            onto.push((basis, c));
        }
        Ok(Projection { squared_norm: row.squared_norm.clone(), alone, onto, explained })
    }

    /// ⟨t, a⟩ with each placed observation that shares a source.
    fn covariances(
        &mut self,
        products: &[(u32, F::Element)],
        poll: &mut Poll,
    ) -> Result<Vec<(u32, F::Element)>, Interrupt> {
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
                let term = self.field.times(product, coefficient);
                let sum = &mut covariances[*observation as usize];
                *sum = Some(match sum.take() {
                    Some(sum) => self.field.plus(&sum, &term),
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
    pub(super) fn place(&mut self, onto: &[(u32, F::Element)], pivot: Option<F::Element>) {
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
