//! Merging sources that all observations treat alike: three averages over a million people have seven such groups.
//!
//! Sources j whose columns over the observations are αⱼ times one common column become a single coordinate, of
//! variance Σ αⱼ²·vⱼ. Every coordinate is rescaled by a power of two so that its variance lies in [1, 4).

use std::collections::HashMap;

use crate::network::{Network, NodeId};
use crate::number::{Scalar, Wide};

use super::range::{Interrupt, OutOfRange, exponent, power_of_two, scale};
use super::residue;
use super::sum_tree::SumTree;
use super::sweep::Row;

/// Numbers below 2⁻⁴⁴⁰ of their neighbours would vanish when squared.
pub(super) const RELATIVE_EXPONENT: i32 = 440;
/// Numbers beyond 2^±960 would lose digits when scaled.
pub(super) const ABSOLUTE_EXPONENT: i32 = 960;
/// Stands for errors so small that their squares vanish.
pub(super) const NOISE_FLOOR: f64 = 1e-140;

/// A source that some observation depends on.
#[derive(Debug, Clone)]
pub(super) struct Member<W> {
    pub group: u32,
    /// αⱼ, in units of group and source: ⟨source, group⟩ = αⱼ·variance.
    pub alpha: W,
    pub alpha_residue: u64,
    /// vⱼ·4⁻ᵉ, in [1, 4).
    pub variance: W,
    /// e
    pub exponent: i32,
}

/// One entry of an observation over groups.
#[derive(Debug, Clone)]
pub(super) struct GroupEntry<W> {
    pub group: u32,
    pub value: W,
    /// Bound on the value's error.
    pub noise: f64,
    pub residue: u64,
}

/// An observation over groups, times 2^−exponent so that its largest entry is about 1.
#[derive(Debug, Clone)]
pub(super) struct GroupRow<W> {
    pub entries: Vec<GroupEntry<W>>,
    pub exponent: i32,
    /// Whether no entry depends on a rounded weight.
    pub exact: bool,
}

/// All groups, and the observations in terms of them.
#[derive(Debug)]
pub(super) struct Groups<W> {
    /// For each node of the network, one more than its place in `members`.
    place: Vec<u32>,
    /// Sorted by group.
    pub members: Vec<Member<W>>,
    /// Where the members of each group start, and the end of the last.
    pub starts: Vec<u32>,
    /// Σ αⱼ²·vⱼ of each group.
    pub variances: Vec<W>,
    /// αⱼ²·vⱼ of each member.
    pub parts: SumTree<W>,
    /// For each group, the observations that depend on it, with their entry.
    pub columns: Vec<Vec<(u32, W)>>,
    pub rows: Vec<GroupRow<W>>,
}

/// v as (v·4⁻ᵉ, e) with v·4⁻ᵉ in [1, 4).
pub(super) fn unit_variance<S: Scalar>(variance: &S) -> (S::Wide, i32) {
    let e = exponent(variance.to_f64()).div_euclid(2);
    (scale(&S::Wide::widen(variance), -2 * e), e)
}

/// A column divided by its first entry if that is exact, so that columns with different weights still match.
struct Canonical<W> {
    entries: Vec<(u32, W, u64)>,
    alpha: W,
    alpha_residue: u64,
}

impl<W: Wide> Canonical<W> {
    fn new(column: Vec<(u32, W, u64)>) -> Self {
        let whole = |entries| Canonical { entries, alpha: W::one(), alpha_residue: 1 };
        let Some((_, first, first_residue)) = column.iter().find(|(_, value, _)| !value.is_zero()).cloned() else {
            return whole(column);
        };
        if first == W::one() || first_residue == 0 {
            return whole(column);
        }
        let unit = if column.len() == 1 { 0 } else { residue::inverse(first_residue) };
        let mut entries = Vec::with_capacity(column.len());
        for (row, value, value_residue) in &column {
            // Most entries equal the first one: no need to divide.
            let (ratio, ratio_residue) = if *value == first && *value_residue == first_residue {
                (W::one(), 1)
            } else {
                (value.div(&first), residue::mul(*value_residue, unit))
            };
            if ratio.mul(&first) != *value {
                return whole(column);
            }
            entries.push((*row, ratio, ratio_residue));
        }
        Canonical { entries, alpha: first, alpha_residue: first_residue }
    }

    fn hash(&self) -> u64 {
        let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let entries = self.entries.iter();
        entries.fold(0, |hash, (row, value, residue)| {
            mix(mix(mix(hash, u64::from(*row)), value.to_f64().to_bits()), *residue)
        })
    }
}

impl<W: Wide> Groups<W> {
    /// Groups the sources of `rows` (in the order in which they will be processed); refuses with the row at fault.
    pub(super) fn new<S: Scalar<Wide = W>>(network: &Network<S>, rows: &[Row<W>]) -> Result<Self, (usize, Interrupt)> {
        let mut sources: Vec<u32> = Vec::new();
        let mut local = vec![0u32; network.len()];
        let mut counts: Vec<u32> = Vec::new();
        for entry in rows.iter().flat_map(|row| &row.entries) {
            let local = &mut local[entry.source as usize];
            if *local == 0 {
                sources.push(entry.source);
                counts.push(0);
                *local = sources.len() as u32;
            }
            counts[*local as usize - 1] += 1;
        }
        let mut ends: Vec<usize> = Vec::with_capacity(counts.len());
        let mut total = 0;
        for count in &counts {
            ends.push(total);
            total += *count as usize;
        }
        // (row, entry) of each column, one column after the other; `ends` grows from each start to each end.
        let mut cells = vec![(0u32, 0u32); total];
        for (row_index, row) in rows.iter().enumerate() {
            for (entry_index, entry) in row.entries.iter().enumerate() {
                let end = &mut ends[local[entry.source as usize] as usize - 1];
                cells[*end] = (row_index as u32, entry_index as u32);
                *end += 1;
            }
        }
        let column = |index: usize| &cells[ends[index] - counts[index] as usize..ends[index]];
        let entry_at = |&(row, entry): &(u32, u32)| &rows[row as usize].entries[entry as usize];

        let mut groups: Vec<Vec<(u32, W, u64)>> = Vec::new();
        let mut by_hash: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut members: Vec<(u32, u32, W, u64)> = Vec::with_capacity(sources.len());
        for index in 0..sources.len() {
            let cells = column(index).iter();
            let cells = cells.map(|cell| (cell.0, entry_at(cell).coefficient.clone(), entry_at(cell).residue));
            let canonical = Canonical::new(cells.collect());
            let candidates = by_hash.entry(canonical.hash()).or_default();
            let known = candidates.iter().find(|&&group| groups[group as usize] == canonical.entries).copied();
            let group = known.unwrap_or_else(|| {
                groups.push(canonical.entries);
                candidates.push(groups.len() as u32 - 1);
                groups.len() as u32 - 1
            });
            members.push((group, index as u32, canonical.alpha, canonical.alpha_residue));
        }
        drop(by_hash);
        members.sort_by_key(|member| (member.0, member.1));

        let first_row = |group: u32| groups[group as usize].first().map_or(0, |entry| entry.0 as usize);
        let mut place = local;
        let mut starts: Vec<u32> = Vec::with_capacity(groups.len() + 1);
        let mut merged: Vec<Member<W>> = Vec::with_capacity(members.len());
        let mut exponents: Vec<i32> = Vec::with_capacity(groups.len());
        for (position, (group, index, alpha, alpha_residue)) in members.iter().enumerate() {
            let source = sources[*index as usize];
            let (variance, source_exponent) = unit_variance(network.node(NodeId(source)).noise_variance);
            let size = exponent(alpha.to_f64()) + source_exponent;
            if starts.len() == *group as usize {
                starts.push(position as u32);
                exponents.push(size);
            }
            exponents[*group as usize] = exponents[*group as usize].max(size);
            place[source as usize] = position as u32 + 1;
            let (alpha, alpha_residue) = (alpha.clone(), *alpha_residue);
            merged.push(Member { group: *group, alpha, alpha_residue, variance, exponent: source_exponent });
        }
        starts.push(merged.len() as u32);
        for member in &mut merged {
            let shift = member.exponent - exponents[member.group as usize];
            if shift + exponent(member.alpha.to_f64()) < -RELATIVE_EXPONENT {
                return Err((first_row(member.group), OutOfRange.into()));
            }
            member.alpha = scale(&member.alpha, shift);
        }
        // With many members the variance exceeds 4, which is harmless: the units only have to keep clear of underflow.
        let parts = SumTree::new(merged.iter().map(|member| member.variance.mul(&member.alpha.mul(&member.alpha))));
        let variances: Vec<W> =
            starts.windows(2).map(|bounds| parts.sum(bounds[0] as usize, bounds[1] as usize)).collect();

        let mut errors: Vec<Vec<f64>> = groups.iter().map(|group| vec![0.0; group.len()]).collect();
        for (member, (group, index, ..)) in merged.iter().zip(&members) {
            for (sum, cell) in errors[*group as usize].iter_mut().zip(column(*index as usize)) {
                let error = entry_at(cell).error;
                if error > 0.0 {
                    let error = error * power_of_two(member.exponent);
                    *sum = sum.hypot(error * member.variance.to_f64().sqrt());
                }
            }
        }
        let mut group_rows: Vec<GroupRow<W>> =
            rows.iter().map(|row| GroupRow { entries: Vec::new(), exponent: 0, exact: row.exact }).collect();
        for (group, entries) in groups.into_iter().enumerate() {
            let spread = variances[group].to_f64().sqrt();
            for ((row, value, residue), error) in entries.into_iter().zip(&errors[group]) {
                let size = exponent(value.to_f64()) + exponents[group];
                if !value.is_zero() && size.abs() > ABSOLUTE_EXPONENT {
                    return Err((row as usize, OutOfRange.into()));
                }
                let value = scale(&value, exponents[group]);
                let entry = GroupEntry { group: group as u32, value, noise: error / spread, residue };
                group_rows[row as usize].entries.push(entry);
            }
        }
        let mut columns: Vec<Vec<(u32, W)>> = vec![Vec::new(); variances.len()];
        for (index, row) in group_rows.iter_mut().enumerate() {
            row.normalise().map_err(|refusal| (index, refusal.into()))?;
            for entry in &row.entries {
                columns[entry.group as usize].push((index as u32, entry.value.clone()));
            }
        }
        Ok(Groups { place, members: merged, starts, variances, parts, columns, rows: group_rows })
    }

    /// The member that a source became, if an observation depends on it.
    pub(super) fn place(&self, source: u32) -> Option<u32> {
        self.place[source as usize].checked_sub(1)
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.variances.len()
    }
}

impl<W: Wide> GroupRow<W> {
    /// Divides the row by the power of two of its largest entry.
    fn normalise(&mut self) -> Result<(), OutOfRange> {
        let sizes =
            || self.entries.iter().map(|entry| entry.value.to_f64()).filter(|value| *value != 0.0).map(exponent);
        let Some(largest) = sizes().max() else { return Ok(()) };
        if sizes().any(|size| size < largest - RELATIVE_EXPONENT) {
            return Err(OutOfRange);
        }
        self.exponent = largest;
        for entry in &mut self.entries {
            entry.value = scale(&entry.value, -largest);
            if entry.noise > 0.0 {
                entry.noise = entry.noise * power_of_two(-largest) + NOISE_FLOOR;
            }
        }
        Ok(())
    }
}
