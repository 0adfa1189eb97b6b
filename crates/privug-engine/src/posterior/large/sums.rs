//! What is known of very many targets that are sums of few sources: somebody's own part, and what is shared with others.
//!
//! With b = Σ p_g·a_g over the groups of a target's sources and x_g = G⁻¹·a_g,
//!
//! ```text
//! h = bᵀ·G⁻¹·b = Σ p_g²·h_g + 2·Σ_{f<g} p_f·p_g·a_fᵀ·x_g
//! ```
//!
//! The h_g are known of all groups. What many share has a column with many entries: the x_g of these few are solved for once and
//! kept, and the column with the fewest entries, the target's own, is seldom solved for. As what many share is known well, h is
//! needed to more digits there than the factorisation has: with r = a − G·x̂ in pairs of doubles,
//!
//! ```text
//! a_fᵀ·x_g = a_fᵀ·x̂_g + x̂_fᵀ·r_g + r_fᵀ·G⁻¹·r_g
//! ```
//!
//! where the last term is at most ‖r_f‖·‖r_g‖/λ. `docs/proofs/blocks.md` has the bounds.

use std::collections::HashMap;

use crate::network::Variables;
use crate::number::{Constants, DoubleDouble, Field, Scalar, Wide};

use super::super::condition::{refuse, row_of};
use super::super::marginals::Marginals;
use super::super::poll::{Interrupt, Poll};
use super::super::row::Row;
use super::super::sweep::Sweeper;
use super::super::units::ScaledRow;
use super::super::{Refusal, Subject};
use super::profiles::Heights;
use super::targets::View;
use super::{BLOCK_ADVANTAGE, Blocks, CERTAIN, LONGER, MOST_RELATIVE, ROUNDOFF, widened};

/// A target of more groups is looked at by itself.
const MOST_GROUPS: usize = 8;
/// Solutions are kept as long as they have no more entries than this together: a quarter of a gigabyte.
const MOST_KEPT: usize = 1 << 25;
/// Entries of columns that are gone through to find what is left of solutions, at most: some seconds.
const MOST_CHECKED: usize = 1 << 29;
/// A column with more entries is not gone through again for each target.
const MANY: usize = 16;

/// What is known of a group's column.
#[derive(Debug, Clone, Copy, Default)]
struct Column {
    entries: usize,
    /// ‖a‖
    norm: f64,
    /// s = aᵀ·y, and the sum of the sizes of its terms.
    shift: f64,
    shift_size: f64,
}

/// x̂ of a column.
struct Solution {
    x: Vec<f64>,
    /// ‖x‖, at most.
    weight: f64,
    /// r = a − G·x̂, and its norm with what it is rounded by.
    rest: Vec<f64>,
    rest_norm: f64,
    /// What the entries of r are rounded by, together.
    rounding: f64,
}

/// A part of a target.
struct Part<W> {
    group: u32,
    column: Column,
    /// p
    product: W,
}

/// A number, the sum of the sizes of its terms, and a bound on its error besides what these are rounded by.
struct Bounded {
    value: DoubleDouble,
    size: f64,
    error: f64,
}

/// The solutions that were found so far.
pub(in super::super) struct Sums<'a> {
    heights: &'a Heights,
    columns: HashMap<u32, Column>,
    solutions: HashMap<u32, Solution>,
}

impl<'a> Sums<'a> {
    pub(in super::super) fn new(heights: &'a Heights) -> Self {
        Sums { heights, columns: HashMap::new(), solutions: HashMap::new() }
    }

    /// Looks at the targets at some places, and gives back those that need a closer look.
    pub(in super::super) fn look<S: Scalar>(
        &mut self,
        blocks: &Blocks<'_, S>,
        sweeper: &mut Sweeper<'_, S>,
        targets: &Variables<S>,
        places: Vec<usize>,
        marginals: &mut Marginals<S>,
        poll: &mut Poll,
    ) -> Result<Vec<usize>, Refusal<S>> {
        let mut others = Vec::new();
        for place in places {
            let at = |interrupt| refuse(interrupt, Subject::Target(place));
            let target = targets.get(place);
            let row = row_of(sweeper, &target, poll).map_err(at)?;
            let found = self.view(blocks, &row, poll).and_then(|view| match view {
                Some(view) => blocks.written(&target, &row, &view).map(Some),
                None => Ok(None),
            });
            match found {
                Ok(Some(outcome)) => marginals.set_outcome(place, outcome),
                Ok(None) | Err(Interrupt::Doubtful | Interrupt::OutOfRange) => others.push(place),
                Err(interrupt) => return Err(at(interrupt)),
            }
        }
        Ok(others)
    }

    /// `None` if that is not certain, or not the way to find out.
    fn view<S: Scalar>(
        &mut self,
        blocks: &Blocks<'_, S>,
        row: &Row<S::Wide>,
        poll: &mut Poll,
    ) -> Result<Option<View<S::Wide>>, Interrupt> {
        if row.len > 4 * MOST_GROUPS {
            return Ok(None);
        }
        let (scaled, vector) = blocks.learner.projector.groups().scaled_target(row)?;
        if vector.products.len() > MOST_GROUPS {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(vector.products.len());
        for (group, product) in vector.products {
            parts.push(Part { group, column: self.column(blocks, group), product });
        }
        parts.sort_by_key(|part| (part.column.entries, part.group));
        for part in parts.iter().skip(1) {
            if !self.solve(blocks, part, poll)? {
                return Ok(None);
            }
        }
        let entries: usize = parts.iter().map(|part| part.column.entries).sum();
        poll.spend(1 + entries as u64 / BLOCK_ADVANTAGE as u64)?;
        if let Some(view) = self.seen(blocks, &scaled, &parts) {
            return Ok(Some(view));
        }
        let is_solved = |part: &Part<S::Wide>| self.solutions.contains_key(&part.group);
        match parts.first() {
            Some(first) if !is_solved(first) && self.solve(blocks, first, poll)? => {
                Ok(self.seen(blocks, &scaled, &parts))
            }
            _ => Ok(None),
        }
    }

    fn column<S: Scalar>(&mut self, blocks: &Blocks<'_, S>, group: u32) -> Column {
        if let Some(column) = self.columns.get(&group) {
            return *column;
        }
        let column = blocks.column(group);
        if column.entries > MANY {
            self.columns.insert(group, column);
        }
        column
    }

    /// Makes sure that a solution is there; false if there are too many.
    fn solve<S: Scalar>(
        &mut self,
        blocks: &Blocks<'_, S>,
        part: &Part<S::Wide>,
        poll: &mut Poll,
    ) -> Result<bool, Interrupt> {
        if self.solutions.contains_key(&part.group) {
            return Ok(true);
        }
        let (observations, columns) = (blocks.independent.kept.len(), &blocks.independent.columns);
        let count = self.solutions.len() + 1;
        let is_too_much =
            count.saturating_mul(2 * observations) > MOST_KEPT || count.saturating_mul(columns.cells()) > MOST_CHECKED;
        if is_too_much {
            return Ok(false);
        }
        poll.store(2 * observations)?;
        poll.spend(1 + columns.cells() as u64 + (2.0 * blocks.cholesky.entries() as f64 / BLOCK_ADVANTAGE) as u64)?;
        let mut a = vec![DoubleDouble::zero(); observations];
        for (row, value) in columns.column(part.group as usize) {
            a[row] = DoubleDouble::from(value);
        }
        let mut x: Vec<f64> = a.iter().map(Constants::to_f64).collect();
        blocks.cholesky.solve(&mut x);
        let rest = columns.residual(&a, &x, poll);
        let size = norm(&x) * blocks.independent.gram.absolute_row_sum() + part.column.norm;
        let rounding = ROUNDOFF * norm(&rest) + ROUNDOFF * ROUNDOFF * (columns.cells() + 16) as f64 * size;
        let (weight, rest_norm) = (norm(&x) * (1.0 + LONGER), norm(&rest) + rounding);
        self.solutions.insert(part.group, Solution { x, weight, rest, rest_norm, rounding });
        Ok(true)
    }

    /// A bound on ‖x‖ of a group.
    fn weight(&self, group: u32) -> f64 {
        match self.solutions.get(&group) {
            Some(solution) => solution.weight.min(self.heights.weight(group)),
            None => self.heights.weight(group),
        }
    }

    /// a_fᵀ·x_g, for a g that is solved for.
    fn product<S: Scalar>(&self, blocks: &Blocks<'_, S>, f: u32, g: u32) -> Bounded {
        let solution = &self.solutions[&g];
        let (mut value, mut size) = (DoubleDouble::zero(), 0.0);
        let mut add = |one: f64, other: f64| {
            value = value.add(&DoubleDouble::from(one).mul_narrow(&other));
            size += (one * other).abs();
        };
        blocks.independent.columns.column(f as usize).for_each(|(row, entry)| add(entry, solution.x[row]));
        let error = match self.solutions.get(&f) {
            None => self.weight(f) * solution.rest_norm,
            Some(of_f) => {
                of_f.x.iter().zip(&solution.rest).for_each(|(x, r)| add(*x, *r));
                of_f.weight * solution.rounding
                    + of_f.rest_norm * solution.rest_norm / blocks.bounds.smallest_eigenvalue
            }
        };
        Bounded { value, size, error }
    }

    /// h of a group.
    fn height<S: Scalar>(&self, blocks: &Blocks<'_, S>, group: u32) -> Bounded {
        if self.solutions.contains_key(&group) {
            return self.product(blocks, group, group);
        }
        let value = self.heights.of_group[group as usize].value;
        Bounded { value: DoubleDouble::from(value), size: value, error: self.heights.error(group) }
    }

    /// What is left of a target, if that is certainly something. All parts but the first have a solution.
    fn seen<S: Scalar>(
        &self,
        blocks: &Blocks<'_, S>,
        scaled: &ScaledRow<S::Wide>,
        parts: &[Part<S::Wide>],
    ) -> Option<View<S::Wide>> {
        let bounds = &blocks.bounds;
        let mut h = Bounded { value: DoubleDouble::zero(), size: 0.0, error: 0.0 };
        let mut add = |factor: f64, term: Bounded| {
            h.value = h.value.add(&term.value.mul_narrow(&factor));
            h.size += factor.abs() * term.size;
            h.error += factor.abs() * term.error;
        };
        // Σ |p|·‖x‖ and Σ |p|·‖a‖
        let (mut weight, mut norm) = (0.0, 0.0);
        let (mut shift, mut shift_size) = (S::Wide::zero(), 0.0);
        for (place, part) in parts.iter().enumerate() {
            let p = part.product.to_f64();
            add(p * p, self.height(blocks, part.group));
            for other in &parts[place + 1..] {
                add(2.0 * p * other.product.to_f64(), self.product(blocks, part.group, other.group));
            }
            weight += p.abs() * self.weight(part.group);
            norm += p.abs() * part.column.norm;
            shift = shift.add(&part.product.mul(&widened::<S>(part.column.shift)));
            shift_size += p.abs() * part.column.shift_size;
        }
        let reduction = h.value.to_f64();
        // The p, their products and the terms of h are rounded a few times each, and so are the entries of columns.
        let error = h.error * (1.0 + LONGER)
            + 8.0 * ROUNDOFF * h.size
            + 2.0 * weight * ROUNDOFF * norm
            + 8.0 * ROUNDOFF * scaled.squared_norm.to_f64();
        let noise = scaled.noise + weight * bounds.noise;
        let variance = scaled.squared_norm.sub(&widened::<S>(reduction));
        let rest = variance.to_f64();
        let is_close = h.error * (1.0 + LONGER) <= MOST_RELATIVE * reduction;
        let is_certain = is_close && rest > 0.0 && rest >= CERTAIN * error && rest.sqrt() >= CERTAIN * noise;
        if !is_certain {
            return None;
        }
        let shift_error = weight * (bounds.residual + bounds.values)
            + noise * bounds.surprise
            + rest.sqrt() * bounds.y_noise
            + 4.0 * ROUNDOFF * shift_size;
        let (scaled, reduction) = (scaled.clone(), widened::<S>(reduction));
        let (alone, z, weights) = (Vec::new(), Vec::new(), Vec::new());
        Some(View { scaled, alone, z, reduction, variance, shift, shift_error, weights })
    }
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|number| number * number).sum::<f64>().sqrt()
}

impl<S: Scalar> Blocks<'_, S> {
    fn column(&self, group: u32) -> Column {
        let mut found = Column::default();
        let (mut squares, mut shift) = (0.0, DoubleDouble::zero());
        for (row, value) in self.independent.columns.column(group as usize) {
            found.entries += 1;
            squares += value * value;
            shift = shift.add(&DoubleDouble::from(value).mul_narrow(&self.y[row]));
            found.shift_size += (value * self.y[row]).abs();
        }
        Column { norm: squares.sqrt(), shift: shift.to_f64(), ..found }
    }
}
