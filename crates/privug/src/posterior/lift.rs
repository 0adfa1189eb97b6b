//! A target in terms of groups: the part that observations can see, and the part that they cannot.
//!
//! Within one group, a target t with entries tⱼ is t̄·α + t⊥, where t̄ = Σ vⱼ·αⱼ·tⱼ/V, V = Σ αⱼ²·vⱼ over all members.
//! Observations only see t̄. What they do not see has the variance
//!
//! ```text
//! ‖t⊥‖² = Σ vⱼ·(tⱼ − αⱼ·t̄)² + t̄²·R        R = Σ αⱼ²·vⱼ over the members that t does not depend on
//! ```
//!
//! and for a single member ‖t⊥‖² = vⱼ·tⱼ²·R/V. R is summed, never V minus something: one person may dominate a group.

use crate::network::{Network, NodeId};
use crate::number::{Scalar, Wide};

use super::basis::sum;
use super::columns::{ABSOLUTE_EXPONENT, GroupEntry, Groups, Member, NOISE_FLOOR, RELATIVE_EXPONENT, unit_variance};
use super::range::{OutOfRange, exponent, power_of_two, scale};
use super::residue;
use super::sweep::Row;

/// A target over groups, times 2^−exponent so that its largest entry is about 1.
#[derive(Debug)]
pub(super) struct Lifted<W> {
    pub exponent: i32,
    /// t̄ of each group that it depends on; `residue` only means something with `disclosable`.
    pub entries: Vec<GroupEntry<W>>,
    /// Variance that no observation sees: Σ ‖t⊥‖², and that of sources that no observation depends on.
    pub unseen_variance: W,
    /// Bound on the error of its root.
    pub unseen_noise: f64,
    pub prior_variance: W,
    /// Whether the target lies in the space of the groups, with exact coefficients.
    pub disclosable: bool,
}

/// One entry in scaled units.
struct Part<W> {
    place: u32,
    value: W,
    error: f64,
    residue: u64,
}

/// Scales a target's entries and gathers them by group.
pub(super) fn lift<S: Scalar>(
    network: &Network<S>,
    groups: &Groups<S::Wide>,
    row: &Row<S::Wide>,
) -> Result<Lifted<S::Wide>, OutOfRange> {
    let units: Vec<(S::Wide, i32)> =
        row.entries.iter().map(|entry| unit_variance(network.node(NodeId(entry.source)).noise_variance)).collect();
    let sizes = || {
        let entries = row.entries.iter().zip(&units).filter(|(entry, _)| !entry.coefficient.is_zero());
        entries.map(|(entry, (_, e))| exponent(entry.coefficient.to_f64()) + e)
    };
    let largest = sizes().max().unwrap_or(0);
    if largest.abs() > ABSOLUTE_EXPONENT || sizes().any(|size| size < largest - RELATIVE_EXPONENT) {
        return Err(OutOfRange);
    }
    let mut lifted = Lifted {
        exponent: largest,
        entries: Vec::new(),
        unseen_variance: S::Wide::zero(),
        unseen_noise: 0.0,
        prior_variance: S::Wide::zero(),
        disclosable: row.exact,
    };
    let mut parts: Vec<Part<S::Wide>> = Vec::with_capacity(row.entries.len());
    let mut own = Vec::with_capacity(row.entries.len());
    for (entry, (variance, e)) in row.entries.iter().zip(&units) {
        let value = scale(&entry.coefficient, e - largest);
        let error = if entry.error > 0.0 { entry.error * power_of_two(e - largest) + NOISE_FLOOR } else { 0.0 };
        let own_variance = variance.mul(&value.mul(&value));
        if let Some(place) = groups.place(entry.source) {
            parts.push(Part { place, value, error, residue: entry.residue });
        } else {
            lifted.disclosable = false;
            lifted.unseen_variance = lifted.unseen_variance.add(&own_variance);
            lifted.unseen_noise = lifted.unseen_noise.hypot(error * variance.to_f64().sqrt());
        }
        own.push(own_variance);
    }
    lifted.prior_variance = sum(own.into_iter());
    parts.sort_unstable_by_key(|part| part.place);
    let group_of = |part: &Part<S::Wide>| groups.members[part.place as usize].group;
    for parts in parts.chunk_by(|a, b| group_of(a) == group_of(b)) {
        gather(groups, parts, &mut lifted);
    }
    Ok(lifted)
}

/// Adds the entries of one group.
fn gather<W: Wide>(groups: &Groups<W>, parts: &[Part<W>], lifted: &mut Lifted<W>) {
    let member = |part: &Part<W>| -> &Member<W> { &groups.members[part.place as usize] };
    let group = member(&parts[0]).group;
    let (start, end) = (groups.starts[group as usize], groups.starts[group as usize + 1]);
    let variance = &groups.variances[group as usize];

    let input_noise =
        parts.iter().fold(0.0f64, |noise, part| noise.hypot(part.error * member(part).variance.to_f64().sqrt()));
    lifted.unseen_noise = lifted.unseen_noise.hypot(input_noise);
    let input_noise = input_noise / variance.to_f64().sqrt();

    if parts.len() == (end - start) as usize && is_proportional(parts, member) {
        let (value, member) = (&parts[0].value, member(&parts[0]));
        let value = value.div(&member.alpha);
        let noise = input_noise + W::UNIT_ROUNDOFF * value.to_f64().abs();
        let residue = if member.alpha_residue == 1 {
            parts[0].residue
        } else {
            residue::mul(parts[0].residue, residue::inverse(member.alpha_residue))
        };
        lifted.entries.push(GroupEntry { group, value, noise, residue });
        return;
    }
    lifted.disclosable = false;
    let terms = || parts.iter().map(|part| member(part).variance.mul(&member(part).alpha.mul(&part.value)));
    let value = sum(terms()).div(variance);
    let magnitude: f64 = terms().map(|term| term.to_f64().abs()).sum::<f64>() / variance.to_f64();
    let rounding = W::UNIT_ROUNDOFF * (parts.len() + 4) as f64 * magnitude;

    let mut rest = W::zero();
    let mut next = start as usize;
    for part in parts {
        rest = rest.add(&groups.parts.sum(next, part.place as usize));
        next = part.place as usize + 1;
    }
    rest = rest.add(&groups.parts.sum(next, end as usize));

    let unseen = if let [part] = parts {
        let own = member(part).variance.mul(&part.value.mul(&part.value));
        own.mul(&rest).div(variance)
    } else {
        let mut noise = rounding * variance.to_f64().sqrt();
        let within = sum(parts.iter().map(|part| {
            let explained = member(part).alpha.mul(&value);
            let size = part.value.to_f64().abs() + explained.to_f64().abs();
            let member_variance = &member(part).variance;
            noise = noise.hypot(4.0 * W::UNIT_ROUNDOFF * size * member_variance.to_f64().sqrt());
            let left = part.value.sub(&explained);
            member_variance.mul(&left.mul(&left))
        }));
        lifted.unseen_noise = lifted.unseen_noise.hypot(noise);
        within.add(&rest.mul(&value.mul(&value)))
    };
    lifted.unseen_variance = lifted.unseen_variance.add(&unseen);
    lifted.entries.push(GroupEntry { group, value, noise: input_noise + rounding, residue: 0 });
}

/// Whether tⱼ = t̄·αⱼ for all members, exactly.
fn is_proportional<'a, W: Wide>(parts: &[Part<W>], member: impl Fn(&Part<W>) -> &'a Member<W>) -> bool {
    let first = &parts[0];
    parts.iter().skip(1).all(|part| {
        part.value.mul(&member(first).alpha) == first.value.mul(&member(part).alpha)
            && residue::mul(part.residue, member(first).alpha_residue)
                == residue::mul(first.residue, member(part).alpha_residue)
    })
}
