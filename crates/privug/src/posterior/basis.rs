//! Gram-Schmidt over groups of sources, with a bound on the error of every coordinate.
//!
//! Rows a₁, a₂, … become q_l = a_l − Σₘ c_lm·qₘ (m < l), orthogonal in ⟨a, b⟩ = Σ v_g·a_g·b_g. Rows are sparse, and
//! only those that overlap meet: a million people each observed once cost a million small steps.
//!
//! Let ν_l bound, coordinate by coordinate, the input error of a_l and the rounding while q_l was made. With
//! Σ c_l·q_l = Σ x_l·a_l, the residual r = t − Σ c_l·q_l then has, to first order, the error
//!
//! ```text
//! ν_t + Σ |x_l|·ν_l            (plus changes within the span of the q, which are orthogonal to r)
//! ```

use crate::number::Wide;

use super::columns::{GroupEntry, GroupRow, NOISE_FLOOR};
use super::ladder::Ladder;
use super::range::{Interrupt, Poll, exponent, power_of_two, scale};
use super::residue::Echelon;

/// How much larger than its error bound a norm has to be: variances are then right to 2⁻³², nine digits and more.
pub(super) const CERTAIN: f64 = 8_589_934_592.0; // 2³³
/// Below this share of the squared norm, a residual is orthogonalised again.
const REORTHOGONALISE_BELOW: f64 = 9.536_743_164_062_5e-7; // 2⁻²⁰
/// Rows longer than this are multiplied row by row, shorter ones column by column.
const LONG_ROW: usize = 16;
/// More than enough for what underflow takes from products of numbers near 1.
const UNDERFLOW: f64 = 1e-290;

/// An orthogonalised observation, times 2^−exponent so that its largest entry is about 1.
#[derive(Debug)]
pub(super) struct BasisRow<W> {
    /// The groups where q or ν is not zero, ascending.
    pub groups: Vec<u32>,
    pub values: Vec<W>,
    /// ν, in the units of the row that q was made from.
    pub noise: Vec<f64>,
    /// ⟨q, q⟩
    pub squared_norm: W,
    /// √⟨ν, ν⟩
    pub noise_norm: f64,
}

/// A row minus its projections.
#[derive(Debug)]
pub(super) struct Residual<W> {
    /// c_l for the rows that overlap.
    pub onto: Vec<(u32, W)>,
    /// x_l
    pub combination: Vec<(u32, f64)>,
    groups: Vec<u32>,
    pub values: Vec<W>,
    noise: Vec<f64>,
    pub squared_norm: W,
    /// Bound on the norm's error.
    pub noise_norm: f64,
}

/// The orthogonalised observations.
#[derive(Debug)]
pub(super) struct Basis<W> {
    /// v_g
    variances: Vec<W>,
    pub rows: Vec<BasisRow<W>>,
    /// For each group, the rows it occurs in and its place there.
    occurrences: Vec<Vec<(u32, u32)>>,
    pub ladder: Ladder,
    echelon: Echelon,
    /// Residues of rows that are not yet in the echelon; it is needed only if something may be zero.
    unreduced: Vec<(u32, Vec<(u32, u64)>)>,
    work: Workspace<W>,
}

/// Dense vectors over the groups, zero between calls.
#[derive(Debug)]
struct Workspace<W> {
    values: Vec<W>,
    /// |a_g| + Σ |c_l·q_lg|, as far as g was subtracted from.
    sizes: Vec<f64>,
    steps: Vec<u32>,
    noise: Vec<f64>,
    marked: Vec<bool>,
    touched: Vec<u32>,
    /// v_g·(current value of g), while products are being computed.
    weighted: Vec<W>,
    /// ⟨a, q_l⟩ of each row.
    products: Vec<Option<W>>,
}

impl<W: Wide> Workspace<W> {
    fn touch(&mut self, group: u32) {
        if !self.marked[group as usize] {
            self.marked[group as usize] = true;
            self.touched.push(group);
        }
    }
}

impl<W: Wide> Basis<W> {
    pub(super) fn new(variances: Vec<W>) -> Self {
        let groups = variances.len();
        let work = Workspace {
            values: vec![W::zero(); groups],
            weighted: vec![W::zero(); groups],
            sizes: vec![0.0; groups],
            steps: vec![0; groups],
            noise: vec![0.0; groups],
            marked: vec![false; groups],
            touched: Vec::new(),
            products: Vec::new(),
        };
        Basis {
            variances,
            rows: Vec::new(),
            occurrences: vec![Vec::new(); groups],
            ladder: Ladder::default(),
            echelon: Echelon::new(groups),
            unreduced: Vec::new(),
            work,
        }
    }

    /// Σ v_g·a_g² of a row.
    pub(super) fn squared_norm(&self, entries: &[GroupEntry<W>]) -> W {
        sum(entries.iter().map(|entry| self.weighted(entry.group, &entry.value, &entry.value)))
    }

    fn weighted(&self, group: u32, a: &W, b: &W) -> W {
        self.variances[group as usize].mul(&a.mul(b))
    }

    /// The coefficients c_l = ⟨a, q_l⟩/⟨q_l, q_l⟩ of a short row, ascending.
    pub(super) fn coefficients(
        &mut self,
        entries: &[GroupEntry<W>],
        poll: &mut Poll,
    ) -> Result<Vec<(u32, W)>, Interrupt> {
        let mut overlapping: Vec<u32> = Vec::new();
        for entry in entries {
            let occurrences = &self.occurrences[entry.group as usize];
            poll.spend(occurrences.len() as u64)?;
            let weight = self.variances[entry.group as usize].mul(&entry.value);
            for &(row, place) in occurrences {
                let term = weight.mul(&self.rows[row as usize].values[place as usize]);
                let product = &mut self.work.products[row as usize];
                *product = Some(match product.take() {
                    Some(product) => product.add(&term),
                    None => {
                        overlapping.push(row);
                        term
                    }
                });
            }
        }
        overlapping.sort_unstable();
        let products = &mut self.work.products;
        let coefficient = |row: u32| {
            let product = products[row as usize].take().unwrap_or_else(W::zero);
            (row, product.div(&self.rows[row as usize].squared_norm))
        };
        Ok(overlapping.into_iter().map(coefficient).filter(|(_, c)| !c.is_zero()).collect())
    }

    /// The rows below `limit` that share a group with `entries`, ascending.
    fn overlapping(&mut self, entries: &[GroupEntry<W>], limit: u32) -> Vec<u32> {
        let mut seen: Vec<u32> = Vec::new();
        for entry in entries {
            for &(row, _) in &self.occurrences[entry.group as usize] {
                let product = &mut self.work.products[row as usize];
                if row < limit && product.is_none() {
                    *product = Some(W::zero());
                    seen.push(row);
                }
            }
        }
        seen.iter().for_each(|&row| self.work.products[row as usize] = None);
        seen.sort_unstable();
        seen
    }

    /// Subtracts from a row its projections on the first `limit` rows: classical Gram-Schmidt, and once more if the
    /// residual is small ("twice is enough").
    pub(super) fn residual(
        &mut self,
        entries: &[GroupEntry<W>],
        limit: u32,
        poll: &mut Poll,
    ) -> Result<Residual<W>, Interrupt> {
        for entry in entries {
            self.work.touch(entry.group);
            self.work.values[entry.group as usize] = entry.value.clone();
            self.work.noise[entry.group as usize] = entry.noise;
        }
        let residual = self.residual_of_work(entries, limit, poll);
        for group in std::mem::take(&mut self.work.touched) {
            let group = group as usize;
            self.work.values[group] = W::zero();
            (self.work.sizes[group], self.work.steps[group]) = (0.0, 0);
            (self.work.noise[group], self.work.marked[group]) = (0.0, false);
        }
        residual
    }

    fn residual_of_work(
        &mut self,
        entries: &[GroupEntry<W>],
        limit: u32,
        poll: &mut Poll,
    ) -> Result<Residual<W>, Interrupt> {
        let rows = self.overlapping(entries, limit);
        let length: usize = rows.iter().map(|&row| self.rows[row as usize].groups.len()).sum();
        poll.spend(2 * length as u64)?;
        let short = entries.len() <= LONG_ROW && limit as usize >= self.rows.len();
        let first = if short { self.coefficients(entries, poll)? } else { self.products(&rows) };
        self.subtract(&first);
        let mut onto = first;
        let before = self.squared_norm(entries).to_f64();
        if self.norm_of_work().to_f64() < REORTHOGONALISE_BELOW * before && !onto.is_empty() {
            poll.spend(2 * length as u64)?;
            let rows: Vec<u32> = onto.iter().map(|(row, _)| *row).collect();
            let second = self.products(&rows);
            self.subtract(&second);
            let mut corrections = second.into_iter().peekable();
            for (row, c) in &mut onto {
                if let Some((_, correction)) = corrections.next_if(|(corrected, _)| corrected == row) {
                    *c = c.add(&correction);
                }
            }
        }
        let squared_norm = self.norm_of_work();

        let mut groups = self.work.touched.clone();
        groups.sort_unstable();
        for &group in &groups {
            let group = group as usize;
            if self.work.steps[group] > 0 {
                let steps = f64::from(2 * self.work.steps[group] + 4);
                self.work.noise[group] += W::UNIT_ROUNDOFF * steps * self.work.sizes[group] + UNDERFLOW;
            }
        }
        let values: Vec<W> = groups.iter().map(|&group| self.work.values[group as usize].clone()).collect();
        let noise: Vec<f64> = groups.iter().map(|&group| self.work.noise[group as usize]).collect();

        let combination = self.ladder.combination(onto.iter().map(|(row, c)| (*row, c.to_f64())));
        for &(row, x) in &combination {
            let row = &self.rows[row as usize];
            poll.spend(row.groups.len() as u64)?;
            for (&group, noise) in row.groups.iter().zip(&row.noise) {
                if *noise > 0.0 {
                    self.work.touch(group);
                    self.work.noise[group as usize] += x.abs() * noise;
                }
            }
        }
        let noise_norm = self.noise_norm(self.work.touched.iter().map(|&g| (g, self.work.noise[g as usize])));
        Ok(Residual { onto, combination, groups, values, noise, squared_norm, noise_norm })
    }

    /// √Σ v_g·ν_g²
    fn noise_norm(&self, noise: impl Iterator<Item = (u32, f64)>) -> f64 {
        let noise = noise.filter(|(_, noise)| *noise > 0.0);
        let squares = noise.map(|(group, noise)| {
            let noise = noise.max(NOISE_FLOOR);
            self.variances[group as usize].to_f64() * noise * noise
        });
        squares.sum::<f64>().sqrt()
    }

    /// ⟨work, q_l⟩/⟨q_l, q_l⟩ for the given rows.
    fn products(&mut self, rows: &[u32]) -> Vec<(u32, W)> {
        for &group in &self.work.touched {
            let group = group as usize;
            self.work.weighted[group] = self.variances[group].mul(&self.work.values[group]);
        }
        let weighted = &self.work.weighted;
        let coefficient = |&row: &u32| {
            let q = &self.rows[row as usize];
            let terms = q.groups.iter().zip(&q.values).map(|(&group, value)| weighted[group as usize].mul(value));
            (row, sum(terms).div(&q.squared_norm))
        };
        let products = rows.iter().map(coefficient).filter(|(_, c)| !c.is_zero()).collect();
        for &group in &self.work.touched {
            self.work.weighted[group as usize] = W::zero();
        }
        products
    }

    /// work ← work − Σ c_l·q_l
    fn subtract(&mut self, onto: &[(u32, W)]) {
        let work = &mut self.work;
        for (row, c) in onto {
            let q = &self.rows[*row as usize];
            for (&group, value) in q.groups.iter().zip(&q.values) {
                if value.is_zero() {
                    continue;
                }
                work.touch(group);
                let group = group as usize;
                let product = c.mul(value);
                if work.steps[group] == 0 {
                    work.sizes[group] = work.values[group].to_f64().abs();
                }
                work.sizes[group] += product.to_f64().abs();
                work.steps[group] += 1;
                work.values[group] = work.values[group].sub(&product);
            }
        }
    }

    fn norm_of_work(&self) -> W {
        sum(self.work.touched.iter().map(|&group| {
            let value = &self.work.values[group as usize];
            if value.is_zero() { W::zero() } else { self.weighted(group, value, value) }
        }))
    }

    /// Whether a residual is certainly not zero (true), certainly zero (false), or neither.
    ///
    /// `residues` is the row that the residual came from, if its entries are exact.
    pub(super) fn is_nonzero(
        &mut self,
        residual_norm: f64,
        noise_norm: f64,
        residues: Option<&[(u32, u64)]>,
        limit: u32,
    ) -> Result<bool, Interrupt> {
        if residual_norm > 0.0 && residual_norm >= CERTAIN * noise_norm {
            return Ok(true);
        }
        for (number, row) in std::mem::take(&mut self.unreduced) {
            // A row that is dependent only modulo the prime is left out: then less is certain.
            self.echelon.insert(number, &row);
        }
        match residues {
            Some(row) if self.echelon.spans(row, limit) => Ok(false),
            _ => Err(Interrupt::Doubtful),
        }
    }

    /// Adds a residual that is not zero to the basis; returns the power of two that it was divided by.
    pub(super) fn push(&mut self, residual: Residual<W>, row: &GroupRow<W>, poll: &mut Poll) -> Result<i32, Interrupt> {
        let Residual { onto, groups, values, noise, squared_norm, .. } = residual;
        let number = self.rows.len() as u32;
        let shift = exponent(squared_norm.to_f64()).div_euclid(2);
        let noise_norm = self.noise_norm(groups.iter().copied().zip(noise.iter().copied()));
        let kept = || values.iter().zip(&noise).map(|(value, noise)| !value.is_zero() || *noise > 0.0);
        poll.store(kept().filter(|kept| *kept).count())?;
        let q = BasisRow {
            groups: groups.iter().zip(kept()).filter(|(_, kept)| *kept).map(|(group, _)| *group).collect(),
            noise: noise.iter().zip(kept()).filter(|(_, kept)| *kept).map(|(noise, _)| *noise).collect(),
            values: values
                .iter()
                .zip(kept())
                .filter(|(_, kept)| *kept)
                .map(|(value, _)| scale(value, -shift))
                .collect(),
            squared_norm: scale(&squared_norm, -2 * shift),
            noise_norm,
        };
        for (place, &group) in q.groups.iter().enumerate() {
            self.occurrences[group as usize].push((number, place as u32));
        }
        self.rows.push(q);
        self.work.products.push(None);
        self.ladder.push(onto.iter().map(|(row, c)| (*row, c.to_f64())).collect(), power_of_two(-shift));
        if row.exact {
            self.unreduced.push((number, row.residues()));
        }
        Ok(shift)
    }
}

impl<W: Wide> GroupRow<W> {
    /// The row modulo the prime, up to the powers of two of its columns and itself.
    pub(super) fn residues(&self) -> Vec<(u32, u64)> {
        self.entries.iter().map(|entry| (entry.group, entry.residue)).collect()
    }
}

/// Σ of the terms, in four interleaved sums so that they need not wait for each other.
pub(super) fn sum<W: Wide>(terms: impl Iterator<Item = W>) -> W {
    let mut sums = [W::zero(), W::zero(), W::zero(), W::zero()];
    for (index, term) in terms.enumerate() {
        sums[index % 4] = sums[index % 4].add(&term);
    }
    let [a, b, c, d] = sums;
    a.add(&b).add(&c.add(&d))
}
