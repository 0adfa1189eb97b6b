//! Projections in rounded arithmetic, each of them certain or refused as doubtful.

use crate::network::{Network, NodeId};
use crate::number::{Scalar, Wide};

use super::basis::{Basis, CERTAIN, sum};
use super::columns::{Groups, unit_variance};
use super::geometry::{BasisVector, Evidence, Geometry, Placement, View, zip_sources};
use super::lift::{Lifted, lift};
use super::range::{Interrupt, Poll, scale};
use super::sweep::Row;

/// A residual variance above this share of what it was subtracted from has lost at most 20 of 102 bits.
const SUBTRACTABLE: f64 = 9.536_743_164_062_5e-7; // 2⁻²⁰

/// Groups of sources, the orthogonalised observations, and what they taught.
#[derive(Debug)]
pub(super) struct Rounded<'a, S: Scalar> {
    network: &'a Network<S>,
    groups: Groups<S::Wide>,
    basis: Basis<S::Wide>,
    /// How many observations have been placed.
    placed: usize,
    lesson: Lesson,
}

/// The published values as one vector of most likely noises z = Σ (innovation_l/⟨q_l, q_l⟩)·q_l, so that a target
/// moves by ⟨t, z⟩; and how far errors of the rows could bend that.
#[derive(Debug, Default)]
struct Lesson {
    /// How many basis vectors were seen.
    seen: u32,
    /// Bound on the error of (value − mean) for each basis vector.
    value_errors: Vec<f64>,
    /// |z_g|
    sizes: Vec<f64>,
    /// Bound on the error of z_g.
    noise: Vec<f64>,
    /// √⟨noise, noise⟩
    noise_norm: f64,
    /// Σ v_g·ν_lg·|z_g| for each basis vector.
    row_noise: Vec<f64>,
    /// Σ v_g·|q_lg|·noise_g for each basis vector.
    row_bend: Vec<f64>,
}

impl<'a, S: Scalar> Rounded<'a, S> {
    /// Groups the sources of the observations; refuses with the row at fault.
    pub(super) fn new(network: &'a Network<S>, rows: &[Row<S::Wide>]) -> Result<Self, (usize, Interrupt)> {
        let groups = Groups::new(network, rows)?;
        let basis = Basis::new(groups.variances.clone());
        Ok(Rounded { network, groups, basis, placed: 0, lesson: Lesson::default() })
    }

    /// Variance that the first `limit` basis vectors leave to a target, with the coefficients if they had to be
    /// computed more carefully.
    fn variance_after(
        &mut self,
        limit: u32,
        target: &Lifted<S::Wide>,
        onto: &mut [(u32, S::Wide)],
        poll: &mut Poll,
    ) -> Result<S::Wide, Interrupt> {
        let seen = onto.iter().take_while(|(row, _)| *row < limit);
        let combination = self.basis.ladder.combination(seen.clone().map(|(row, c)| (*row, c.to_f64())));
        let explained = sum(seen.map(|(row, c)| c.mul(c).mul(&self.basis.rows[*row as usize].squared_norm)));
        let visible = self.basis.squared_norm(&target.entries);
        let left = visible.sub(&explained);
        let left = if left < S::Wide::zero() { S::Wide::zero() } else { left };
        let variance = left.add(&target.unseen_variance);

        let own_noise = target.entries.iter().fold(0.0f64, |noise, entry| {
            noise.hypot(entry.noise * self.groups.variances[entry.group as usize].to_f64().sqrt())
        });
        let row_noise = combination.iter().map(|(row, x)| x.abs() * self.basis.rows[*row as usize].noise_norm);
        let noise = own_noise + row_noise.sum::<f64>() + target.unseen_noise;
        let size = variance.to_f64();
        if size > SUBTRACTABLE * visible.to_f64() && size.sqrt() >= CERTAIN * noise {
            return Ok(variance);
        }

        let residual = self.basis.residual(&target.entries, limit, poll)?;
        let variance = residual.squared_norm.add(&target.unseen_variance);
        let noise = residual.noise_norm + target.unseen_noise;
        let mut refined = residual.onto.into_iter().peekable();
        for (row, c) in onto.iter_mut() {
            if let Some((_, better)) = refined.next_if(|(refined, _)| refined == row) {
                *c = better;
            }
        }
        let residues: Option<Vec<(u32, u64)>> =
            target.disclosable.then(|| target.entries.iter().map(|entry| (entry.group, entry.residue)).collect());
        let nonzero = self.basis.is_nonzero(variance.to_f64().sqrt(), noise, residues.as_deref(), limit)?;
        Ok(if nonzero { variance } else { S::Wide::zero() })
    }

    /// How far the mean of a target could be off: with x and z as above and r the target's residual,
    ///
    /// ```text
    /// Σ |x_l|·value error_l + ⟨ν_t + Σ |x_l|·ν_l, |z|⟩ + ⟨|r|, noise of z⟩
    /// ```
    fn shift_error(&mut self, target: &Lifted<S::Wide>, onto: &[(u32, S::Wide)], variance_after: f64) -> f64 {
        let seen = onto.iter().take_while(|(row, _)| *row < self.lesson.seen);
        let seen: Vec<(u32, f64)> = seen.map(|(row, c)| (*row, c.to_f64())).collect();
        let combination = self.basis.ladder.combination(seen.iter().copied());
        let lesson = &self.lesson;
        let through_rows = combination.iter().map(|&(row, x)| {
            let row = row as usize;
            x.abs() * (lesson.value_errors[row] + lesson.row_noise[row])
        });
        let (mut own, mut bend) = (0.0, 0.0);
        for entry in &target.entries {
            let group = entry.group as usize;
            let variance = self.groups.variances[group].to_f64();
            own += variance * entry.noise * lesson.sizes[group];
            bend += variance * entry.value.to_f64().abs() * lesson.noise[group];
        }
        bend += seen.iter().map(|(row, c)| c.abs() * lesson.row_bend[*row as usize]).sum::<f64>();
        through_rows.sum::<f64>() + own + bend.min(variance_after.sqrt() * lesson.noise_norm)
    }
}

impl<S: Scalar> Geometry<S::Wide> for Rounded<'_, S> {
    fn observe(&mut self, poll: &mut Poll) -> Result<Placement<S::Wide>, Interrupt> {
        let row = &self.groups.rows[self.placed];
        self.placed += 1;
        let exponent = row.exponent;
        let variance = self.basis.squared_norm(&row.entries);
        let limit = self.basis.rows.len() as u32;
        let residual = self.basis.residual(&row.entries, limit, poll)?;
        let (onto, combination) = (residual.onto.clone(), residual.combination.clone());
        let residues = row.exact.then(|| row.residues());
        let norm = residual.squared_norm.to_f64().sqrt();
        let nonzero = self.basis.is_nonzero(norm, residual.noise_norm, residues.as_deref(), limit)?;
        let basis = if nonzero {
            let shift = self.basis.push(residual, row, poll)?;
            let squared_norm = self.basis.rows[limit as usize].squared_norm.clone();
            Some(BasisVector { shift, squared_norm })
        } else {
            None
        };
        Ok(Placement { exponent, variance, onto, combination, basis })
    }

    fn learn(&mut self, evidence: &[Evidence<S::Wide>]) {
        let variance = |group: u32| self.groups.variances[group as usize].to_f64();
        let mut z = vec![0.0; self.groups.len()];
        let mut noise = vec![0.0; self.groups.len()];
        let mut weights = Vec::new();
        for (index, (row, evidence)) in self.basis.rows.iter().zip(evidence).enumerate() {
            let Some(innovation) = &evidence.innovation else { continue };
            let weight = innovation.to_f64() / row.squared_norm.to_f64();
            weights.push((index as u32, weight));
            for (&group, value) in row.groups.iter().zip(&row.values) {
                z[group as usize] += weight * value.to_f64();
            }
        }
        let seen = weights.len() as u32;
        for (row, weight) in self.basis.ladder.combination(weights) {
            let row = &self.basis.rows[row as usize];
            for (&group, row_noise) in row.groups.iter().zip(&row.noise) {
                noise[group as usize] += weight.abs() * row_noise;
            }
        }
        let squares = noise.iter().enumerate().map(|(group, noise)| variance(group as u32) * noise * noise);
        let noise_norm = squares.sum::<f64>().sqrt();
        let (mut row_noise, mut row_bend) = (Vec::new(), Vec::new());
        for row in &self.basis.rows {
            let (mut along, mut bend) = (0.0, 0.0);
            for ((&group, value), own_noise) in row.groups.iter().zip(&row.values).zip(&row.noise) {
                along += variance(group) * own_noise * z[group as usize].abs();
                bend += variance(group) * value.to_f64().abs() * noise[group as usize];
            }
            row_noise.push(along);
            row_bend.push(bend);
        }
        z.iter_mut().for_each(|z| *z = z.abs());
        let value_errors = evidence.iter().map(|evidence| evidence.error).collect();
        self.lesson = Lesson { seen, value_errors, sizes: z, noise, noise_norm, row_noise, row_bend };
    }

    fn view(&mut self, row: &Row<S::Wide>, poll: &mut Poll) -> Result<View<S::Wide>, Interrupt> {
        let target = lift(self.network, &self.groups, row)?;
        poll.spend(target.entries.len() as u64 + 1)?;
        let mut alone: Vec<(u32, S::Wide)> = Vec::new();
        for entry in &target.entries {
            let weighted = self.groups.variances[entry.group as usize].mul(&entry.value);
            for (observation, value) in &self.groups.columns[entry.group as usize] {
                alone.push((*observation, weighted.mul(value)));
            }
        }
        alone.sort_by_key(|(observation, _)| *observation);
        alone.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.add(&next.1);
            }
            same
        });
        let mut onto = self.basis.coefficients(&target.entries, poll)?;
        let (seen, all) = (self.lesson.seen, self.basis.rows.len() as u32);
        if row.entries.is_empty() {
            let zero = S::Wide::zero;
            return Ok(View {
                exponent: 0,
                prior_variance: zero(),
                onto,
                alone,
                variance_after_seen: zero(),
                variance_after_all: zero(),
                shift_error: 0.0,
            });
        }
        let variance_after_all = self.variance_after(all, &target, &mut onto, poll)?;
        let variance_after_seen = match seen {
            _ if seen == all => variance_after_all.clone(),
            _ => self.variance_after(seen, &target, &mut onto, poll)?,
        };
        let shift_error = self.shift_error(&target, &onto, variance_after_seen.to_f64());
        let Lifted { exponent, prior_variance, .. } = target;
        Ok(View { exponent, prior_variance, onto, alone, variance_after_seen, variance_after_all, shift_error })
    }

    fn combination(&mut self, onto: &[(u32, f64)]) -> Vec<(u32, f64)> {
        self.basis.ladder.combination(onto.iter().copied())
    }

    fn inner_product(&self, t: (&Row<S::Wide>, i32), u: (&Row<S::Wide>, i32)) -> S::Wide {
        let mut terms = Vec::new();
        zip_sources(t.0, u.0, |source, a, b| {
            if let (Some(a), Some(b)) = (a, b) {
                let (variance, e) = unit_variance(self.network.node(NodeId(source)).noise_variance);
                let (a, b) = (scale(&a.coefficient, e - t.1), scale(&b.coefficient, e - u.1));
                terms.push(variance.mul(&a.mul(&b)));
            }
        });
        sum(terms.into_iter())
    }

    fn squared_norm(&self, row: u32) -> &S::Wide {
        &self.basis.rows[row as usize].squared_norm
    }
}
