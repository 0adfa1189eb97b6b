//! Shares of contributors in exact decimals, for figures that lie at a threshold.
//!
//! Exactly 10 % is allowed where more than 10 % is asked for, and 9.999999999999975 % because of a rounded sum would not
//! be. Doubles decide where they can; within their error of a threshold the contributions are computed again, from the
//! values as the table writes them and the weights as they are.

use std::collections::{BTreeMap, BTreeSet};

use super::Release;
use super::contributions::{Contributions, is_among};
use super::figures::doubles;
use super::grouped::{ReleaseGroups, has_own_weights};
use super::persons::Persons;
use super::policy::{Policy, Thresholds, Verdict};
use super::rows::NOBODY;
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::{Constants, Rational, Scalar};

/// The shares of a figure's contributors, exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactShares {
    /// 100·(x₁ + … + xₙ)/X
    pub(super) dominance_percent: Rational,
    /// 100·(X − x₁ − x₂)/x₁
    pub(super) estimate_percent: Rational,
}

/// Percentages are computed from sums in pairs of doubles, of contributions that were rounded once or twice: this part of
/// a threshold is far more than they can be off.
const NEAR: f64 = 1e-9;

/// Whether doubles cannot tell on which side of a threshold a share lies.
pub(super) fn is_needed(found: &Contributions, policy: &Policy) -> bool {
    let shares = doubles(found, policy);
    let near = |share: Option<f64>, thresholds: &Thresholds| {
        let limits = [thresholds.review, thresholds.fail].into_iter().flatten();
        share.is_some_and(|share| limits.into_iter().any(|limit| (share - limit).abs() <= NEAR * limit.max(1.0)))
    };
    found.total > 0.0
        && (near(shares.dominance_percent, &policy.dominance) || near(shares.estimate_percent, &policy.p_percent))
}

/// The shares of a figure, exactly; `None` if nothing contributes. `entry_of` has the entry of each node that is a secret;
/// only those `among` count.
pub(super) fn shares<S: Scalar>(
    release: &Release<S>,
    persons: &Persons,
    entry_of: &[u32],
    figure: &Affine<S>,
    among: Option<&[u32]>,
    policy: &Policy,
) -> Option<ExactShares> {
    let mut weights = weights(release, entry_of, figure)?;
    if let Some(among) = among {
        weights.retain(|(entry, _)| is_among(among, *entry));
    }
    if let Some(groups) = &release.groups {
        // Sums of products with weights of their own are rounded.
        if has_own_weights(groups, weights.iter().map(|(entry, _)| *entry)) {
            return None;
        }
        return shares_of_groups(groups, weights, policy);
    }
    let mut by_person: BTreeMap<usize, Rational> = BTreeMap::new();
    for (entry, weight) in weights {
        let part = weight * decimal(release.truths[entry])?;
        *by_person.entry(persons.of_entry(entry)).or_insert(Rational::ZERO) += part;
    }
    let mut parts: Vec<Rational> =
        by_person.into_values().map(|part| if part < Rational::ZERO { -part } else { part }).collect();
    parts.sort_unstable_by(|one, other| other.cmp(one));
    let sum = |parts: &[Rational]| parts.iter().fold(Rational::ZERO, |sum, part| sum + part);
    let largest = parts.first().filter(|largest| **largest > Rational::ZERO)?;
    let hundred = Rational::from(100);
    let dominant = sum(&parts[..parts.len().min(policy.dominance_largest)]);
    Some(ExactShares {
        dominance_percent: &hundred * dominant / sum(&parts),
        estimate_percent: hundred * sum(&parts[parts.len().min(2)..]) / largest,
    })
}

/// The same of groups: everybody's weight is that of the group's mean, divided by how many they are.
fn shares_of_groups<S>(
    groups: &ReleaseGroups<S>,
    weights: Vec<(usize, Rational)>,
    policy: &Policy,
) -> Option<ExactShares> {
    let mut total = Rational::ZERO;
    let mut parts: Vec<Rational> = Vec::new();
    for (entry, weight) in weights {
        let weight = if weight < Rational::ZERO { -weight } else { weight } / Rational::from(groups.size(entry));
        total += &weight * groups.absolute_sum(entry);
        for value in groups.largest(entry) {
            parts.push(&weight * decimal(value)?);
        }
    }
    parts.sort_unstable_by(|one, other| other.cmp(one));
    let sum = |parts: &[Rational]| parts.iter().fold(Rational::ZERO, |sum, part| sum + part);
    let largest = parts.first().filter(|largest| **largest > Rational::ZERO)?;
    let hundred = Rational::from(100);
    let rest = &total - sum(&parts[..parts.len().min(2)]);
    Some(ExactShares {
        dominance_percent: &hundred * sum(&parts[..parts.len().min(policy.dominance_largest)]) / &total,
        estimate_percent: hundred * rest / largest,
    })
}

/// Every secret that a figure depends on, with its weight.
pub(super) fn weights<S: Scalar>(
    release: &Release<S>,
    entry_of: &[u32],
    figure: &Affine<S>,
) -> Option<Vec<(usize, Rational)>> {
    let mut reached: BTreeMap<u32, Rational> = BTreeMap::from([(figure.node.0, rational(&figure.scale)?)]);
    let mut due: BTreeSet<u32> = BTreeSet::from([figure.node.0]);
    let mut found = Vec::new();
    while let Some(node) = due.pop_last() {
        let weight = reached.remove(&node).unwrap_or(Rational::ZERO);
        let entry = entry_of[node as usize];
        if entry != NOBODY {
            if !Constants::is_zero(&weight) {
                found.push((entry as usize, weight));
            }
            continue;
        }
        let made_of = release.network.node(NodeId(node));
        let weight = match made_of.divisor {
            Some(divisor) => weight / rational(divisor)?,
            None => weight,
        };
        for (parent, factor) in made_of.parents() {
            *reached.entry(parent.0).or_insert(Rational::ZERO) += &weight * rational(factor)?;
            due.insert(parent.0);
        }
    }
    Some(found)
}

/// A coefficient as it is.
pub(super) fn rational<S: Scalar>(value: &S) -> Option<Rational> {
    match value.to_exact_string() {
        Some(text) => text.parse().ok(),
        None => <Rational as Scalar>::from_f64(value.to_f64()),
    }
}

/// A number as it is written: 0.1 is one tenth.
pub(super) fn decimal(value: f64) -> Option<Rational> {
    <Rational as Scalar>::from_literal(&format!("{value:?}")).or_else(|| <Rational as Scalar>::from_f64(value))
}

/// The verdict of thresholds on an exact percentage, which should lie above (or below) them.
pub(super) fn verdict(thresholds: &Thresholds, percent: &Rational, should_be_above: bool) -> Verdict {
    thresholds.crossed(|limit| {
        let Some(limit) = decimal(limit) else { return false };
        if should_be_above { *percent < limit } else { *percent > limit }
    })
}
