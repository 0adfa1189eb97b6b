//! Rows in units in which squares and products of doubles neither overflow nor vanish: every source is divided by the
//! power of two of its standard deviation, every row by that of its largest entry. Rationals stay as they are.

use crate::network::{Network, NodeId};
use crate::number::{Scalar, Wide};

use super::factor::{Field, Vector};
use super::range::{OutOfRange, exponent, power_of_two, scale};
use super::residue::Residue;
use super::sweep::Row;

/// Numbers below 2⁻⁴⁴⁰ of their neighbours would vanish when squared.
const RELATIVE_EXPONENT: i32 = 440;
/// Numbers beyond 2^±960 would lose digits when scaled.
const ABSOLUTE_EXPONENT: i32 = 960;
/// Stands for errors so small that their squares vanish.
const NOISE_FLOOR: f64 = 1e-140;

/// The sources that observations depend on, numbered from 0.
#[derive(Debug)]
pub(super) struct Units<'a, S: Scalar> {
    network: &'a Network<S>,
    /// For each node, one more than its number.
    numbers: Vec<u32>,
    sources: Vec<u32>,
}

/// A row in units of 2^exponent.
#[derive(Debug)]
pub(super) struct ScaledRow<W> {
    pub exponent: i32,
    pub vector: Vector<W>,
    /// The residues of the entries, of a row without rounded weights.
    pub residues: Option<Vector<Residue>>,
    /// √⟨t, t⟩ as a double.
    pub norm: f64,
    /// Bound on the norm of what the rounding of the program's numbers may have done to the row.
    pub noise: f64,
    /// How many sources it depends on.
    pub terms: usize,
}

impl<'a, S: Scalar> Units<'a, S> {
    pub(super) fn new(network: &'a Network<S>, rows: &[Row<S::Wide>]) -> Self {
        let mut units = Units { network, numbers: vec![0; network.len()], sources: Vec::new() };
        for entry in rows.iter().flat_map(|row| &row.entries) {
            let number = &mut units.numbers[entry.source as usize];
            if *number == 0 {
                units.sources.push(entry.source);
                *number = units.sources.len() as u32;
            }
        }
        units
    }

    /// How many sources are numbered.
    pub(super) fn len(&self) -> usize {
        self.sources.len()
    }

    /// The variance of each numbered source, in its units.
    pub(super) fn variances(&self) -> Vec<S::Wide> {
        self.sources.iter().map(|&source| self.unit_variance(source).0).collect()
    }

    /// What stands for these variances among the residues.
    pub(super) fn residue_variances(&self) -> Vec<Residue> {
        self.sources.iter().map(|&source| Residue::variance_of(source)).collect()
    }

    /// The number of a source, if an observation depends on it.
    pub(super) fn number(&self, source: NodeId) -> Option<u32> {
        self.numbers[source.0 as usize].checked_sub(1)
    }

    /// v as (v·4⁻ᵉ, e) with v·4⁻ᵉ in [1, 4).
    pub(super) fn unit_variance(&self, source: u32) -> (S::Wide, i32) {
        let variance = self.network.node(NodeId(source)).noise_variance;
        let e = if S::EXACT { 0 } else { exponent(variance.to_f64()).div_euclid(2) };
        (scale(&S::Wide::widen(variance), -2 * e), e)
    }

    /// A row in its units.
    pub(super) fn scaled(&self, row: &Row<S::Wide>) -> Result<ScaledRow<S::Wide>, OutOfRange> {
        let units: Vec<(S::Wide, i32)> = row.entries.iter().map(|entry| self.unit_variance(entry.source)).collect();
        let largest = if S::EXACT { 0 } else { self.largest_exponent(row, &units)? };
        let mut squared_norm = S::Wide::zero();
        let mut squared_noise = 0.0;
        let mut entries = Vec::with_capacity(row.entries.len());
        for (entry, (variance, e)) in row.entries.iter().zip(&units) {
            let value = scale(&entry.coefficient, e - largest);
            squared_norm = squared_norm.add(&variance.mul(&value.mul(&value)));
            if entry.error > 0.0 {
                let error = entry.error * power_of_two(e - largest) + NOISE_FLOOR;
                squared_noise += variance.to_f64() * error * error;
            }
            if let Some(number) = self.numbers[entry.source as usize].checked_sub(1) {
                entries.push((number, value));
            }
        }
        Ok(ScaledRow {
            exponent: largest,
            residues: (!S::EXACT && row.exact).then(|| self.residues(row)),
            norm: squared_norm.to_f64().sqrt(),
            noise: f64::sqrt(squared_noise),
            terms: row.entries.len(),
            vector: Vector { squared_norm, entries },
        })
    }

    /// The power of two of the largest entry.
    fn largest_exponent(&self, row: &Row<S::Wide>, units: &[(S::Wide, i32)]) -> Result<i32, OutOfRange> {
        let sizes = || {
            let entries = row.entries.iter().zip(units).filter(|(entry, _)| !entry.coefficient.is_zero());
            entries.map(|(entry, (_, e))| exponent(entry.coefficient.to_f64()) + e)
        };
        let largest = sizes().max().unwrap_or(0);
        let in_range = largest.abs() <= ABSOLUTE_EXPONENT && sizes().all(|size| size >= largest - RELATIVE_EXPONENT);
        if in_range { Ok(largest) } else { Err(OutOfRange) }
    }

    /// The row modulo the prime; powers of two of rows and sources do not matter for dependence.
    fn residues(&self, row: &Row<S::Wide>) -> Vector<Residue> {
        let mut squared_norm = Residue::nought();
        let mut entries = Vec::with_capacity(row.entries.len());
        for entry in &row.entries {
            let residue = Residue(entry.residue);
            squared_norm = squared_norm.plus(&Residue::variance_of(entry.source).times(&residue.times(&residue)));
            if let Some(number) = self.numbers[entry.source as usize].checked_sub(1) {
                entries.push((number, residue));
            }
        }
        Vector { squared_norm, entries }
    }
}

/// ⟨t, u⟩ of two rows, in units of the given powers of two.
pub(super) fn inner_product<S: Scalar>(
    network: &Network<S>,
    (t, t_exponent): (&Row<S::Wide>, i32),
    (u, u_exponent): (&Row<S::Wide>, i32),
) -> S::Wide {
    let mut product = S::Wide::zero();
    let mut others = u.entries.iter().peekable();
    for a in &t.entries {
        // Sweeps go from the last source to the first.
        while others.next_if(|b| b.source > a.source).is_some() {}
        let Some(b) = others.next_if(|b| b.source == a.source) else { continue };
        let variance = network.node(NodeId(a.source)).noise_variance;
        let e = if S::EXACT { 0 } else { exponent(variance.to_f64()).div_euclid(2) };
        let variance = scale(&S::Wide::widen(variance), -2 * e);
        let (a, b) = (scale(&a.coefficient, e - t_exponent), scale(&b.coefficient, e - u_exponent));
        product = product.add(&variance.mul(&a.mul(&b)));
    }
    product
}
