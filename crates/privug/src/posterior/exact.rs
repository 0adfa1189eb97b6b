//! Projections by exact factorisation of the matrix of covariances.
//!
//! Without rounding nothing cancels badly, so the rows themselves need not be orthogonalised: with gᵢₗ = ⟨aᵢ, aₗ⟩,
//!
//! ```text
//! ⟨aᵢ, q_l⟩ = gᵢₗ − Σₘ c_lm·⟨aᵢ, qₘ⟩        cᵢₗ = ⟨aᵢ, q_l⟩/⟨q_l, q_l⟩
//! ```
//!
//! is an LDLᵀ factorisation, whose numbers are as small as exact numbers can be. It is sparse: observations that share
//! no source never meet.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::network::{Network, NodeId};
use crate::number::{Scalar, Wide};

use super::geometry::{BasisVector, Evidence, Geometry, Placement, View, zip_sources};
use super::ladder::Ladder;
use super::range::{Interrupt, Poll};
use super::sweep::Row;

/// Rows over sources, and the factorisation so far.
#[derive(Debug)]
pub(super) struct Exact<'a, S: Scalar> {
    network: &'a Network<S>,
    rows: Vec<Vec<(u32, S::Wide)>>,
    /// For each node, one more than its place in `columns`.
    place: Vec<u32>,
    /// For each source, the observations that depend on it.
    columns: Vec<Vec<(u32, S::Wide)>>,
    /// How many observations have been placed.
    placed: usize,
    /// The basis vector of each placed observation, unless it is redundant.
    basis_of: Vec<Option<u32>>,
    /// For each basis vector l, the later ones m with their c_ml.
    below: Vec<Vec<(u32, S::Wide)>>,
    squared_norms: Vec<S::Wide>,
    ladder: Ladder,
    /// How many basis vectors were seen.
    seen: u32,
}

/// A row projected on the basis.
struct Projection<W> {
    variance: W,
    alone: Vec<(u32, W)>,
    onto: Vec<(u32, W)>,
    /// c_l·⟨a, q_l⟩
    explained: Vec<(u32, W)>,
}

impl<'a, S: Scalar> Exact<'a, S> {
    pub(super) fn new(network: &'a Network<S>, rows: &[Row<S::Wide>]) -> Self {
        let mut place = vec![0u32; network.len()];
        let mut columns: Vec<Vec<(u32, S::Wide)>> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            for entry in &row.entries {
                let place = &mut place[entry.source as usize];
                if *place == 0 {
                    columns.push(Vec::new());
                    *place = columns.len() as u32;
                }
                columns[*place as usize - 1].push((index as u32, entry.coefficient.clone()));
            }
        }
        Exact {
            network,
            rows: rows.iter().map(sources_of).collect(),
            place,
            columns,
            placed: 0,
            basis_of: Vec::new(),
            below: Vec::new(),
            squared_norms: Vec::new(),
            ladder: Ladder::default(),
            seen: 0,
        }
    }

    fn project(&self, row: &[(u32, S::Wide)], poll: &mut Poll) -> Result<Projection<S::Wide>, Interrupt> {
        let mut variance = S::Wide::zero();
        let mut covariances: HashMap<u32, S::Wide> = HashMap::new();
        for (source, value) in row {
            let weighted = value.mul_narrow(self.network.node(NodeId(*source)).noise_variance);
            variance = variance.add(&weighted.mul(value));
            let Some(place) = self.place[*source as usize].checked_sub(1) else { continue };
            let column = &self.columns[place as usize];
            poll.spend(1 + column.len() as u64)?;
            for (observation, coefficient) in column.iter().take_while(|(index, _)| (*index as usize) < self.placed) {
                let term = weighted.mul(coefficient);
                let sum = covariances.entry(*observation).or_insert_with(S::Wide::zero);
                *sum = sum.add(&term);
            }
        }
        let mut alone: Vec<(u32, S::Wide)> = covariances.into_iter().collect();
        alone.sort_unstable_by_key(|(observation, _)| *observation);

        let mut due: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut products: HashMap<u32, S::Wide> = HashMap::new();
        for (observation, covariance) in &alone {
            if let Some(basis) = self.basis_of[*observation as usize] {
                products.insert(basis, covariance.clone());
                due.push(Reverse(basis));
            }
        }
        let (mut onto, mut explained) = (Vec::new(), Vec::new());
        while let Some(Reverse(basis)) = due.pop() {
            let Some(product) = products.remove(&basis).filter(|product| !product.is_zero()) else { continue };
            // Long rationals take longer to multiply and reduce.
            poll.spend(product.operation_cost() * (1 + self.below[basis as usize].len() as u64))?;
            for (later, c) in &self.below[basis as usize] {
                let change = c.mul(&product);
                let entry = products.entry(*later).or_insert_with(|| {
                    due.push(Reverse(*later));
                    S::Wide::zero()
                });
                *entry = entry.sub(&change);
            }
            let c = product.div(&self.squared_norms[basis as usize]);
            explained.push((basis, c.mul(&product)));
            onto.push((basis, c));
        }
        Ok(Projection { variance, alone, onto, explained })
    }
}

fn sources_of<W: Wide>(row: &Row<W>) -> Vec<(u32, W)> {
    row.entries.iter().map(|entry| (entry.source, entry.coefficient.clone())).collect()
}

impl<S: Scalar> Geometry<S::Wide> for Exact<'_, S> {
    fn observe(&mut self, poll: &mut Poll) -> Result<Placement<S::Wide>, Interrupt> {
        let row = std::mem::take(&mut self.rows[self.placed]);
        let Projection { variance, onto, explained, .. } = self.project(&row, poll)?;
        let squared_norm = explained.iter().fold(variance.clone(), |rest, (_, part)| rest.sub(part));
        let steps: Vec<(u32, f64)> = onto.iter().map(|(row, c)| (*row, c.to_f64())).collect();
        let combination = self.ladder.combination(steps.iter().copied());
        let basis = if squared_norm.is_zero() {
            self.basis_of.push(None);
            None
        } else {
            let number = self.squared_norms.len() as u32;
            poll.store(1 + onto.len())?;
            for (row, c) in &onto {
                self.below[*row as usize].push((number, c.clone()));
            }
            self.below.push(Vec::new());
            self.squared_norms.push(squared_norm.clone());
            self.basis_of.push(Some(number));
            self.ladder.push(steps, 1.0);
            Some(BasisVector { shift: 0, squared_norm })
        };
        self.placed += 1;
        Ok(Placement { exponent: 0, variance, onto, combination, basis })
    }

    fn learn(&mut self, evidence: &[Evidence<S::Wide>]) {
        self.seen = evidence.iter().filter(|evidence| evidence.innovation.is_some()).count() as u32;
    }

    fn view(&mut self, row: &Row<S::Wide>, poll: &mut Poll) -> Result<View<S::Wide>, Interrupt> {
        let sources = sources_of(row);
        let Projection { variance, alone, onto, explained } = self.project(&sources, poll)?;
        let seen = explained.iter().take_while(|(basis, _)| *basis < self.seen);
        let after_seen = seen.fold(variance.clone(), |rest, (_, part)| rest.sub(part));
        let unseen = explained.iter().skip_while(|(basis, _)| *basis < self.seen);
        let after_all = unseen.fold(after_seen.clone(), |rest, (_, part)| rest.sub(part));
        Ok(View {
            exponent: 0,
            prior_variance: variance,
            onto,
            alone,
            variance_after_seen: after_seen,
            variance_after_all: after_all,
            shift_error: 0.0,
        })
    }

    fn combination(&mut self, onto: &[(u32, f64)]) -> Vec<(u32, f64)> {
        self.ladder.combination(onto.iter().copied())
    }

    fn inner_product(&self, t: (&Row<S::Wide>, i32), u: (&Row<S::Wide>, i32)) -> S::Wide {
        let mut product = S::Wide::zero();
        zip_sources(t.0, u.0, |source, a, b| {
            if let (Some(a), Some(b)) = (a, b) {
                let variance = self.network.node(NodeId(source)).noise_variance;
                product = product.add(&a.coefficient.mul(&b.coefficient).mul_narrow(variance));
            }
        });
        product
    }

    fn squared_norm(&self, row: u32) -> &S::Wide {
        &self.squared_norms[row as usize]
    }
}
