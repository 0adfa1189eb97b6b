//! What the attacker would know about a person had their record not been in the data.
//!
//! Where people share something (the level of a town, of a household), a release tells about everybody in it, also about those
//! who are not in the data: that is learning about the group, not about a person. With y the figures, V their variance, P its
//! inverse, x the secret with variance v, a the weights of x in the figures and c = Cov(x, y), the figures without the person's
//! record are y − a·x, and
//!
//! ```text
//! Var(x | y − a·x) = v − q/(1 + q/v),   q = dᵀPd + (dᵀPc)²/(v − cᵀPc),   d = c − v·a
//! ```
//!
//! because Var(y − a·x | x) = Var(y | x) = V − ccᵀ/v =: W, Cov(x, y − a·x) = d, Var(y − a·x) = W + ddᵀ/v, and
//! W⁻¹ = P + PccᵀP/(v − cᵀPc) (Sherman and Morrison, 1950). With x = h + e, e what is x's own, a = Cov(e, y)/Var e: all products
//! with P are what the figures take away of the variances of x, h and e, which conditioning finds for everybody at once.
//! Without anything shared d = 0, and the attacker would know what they knew before.

use std::collections::BTreeMap;

use super::people::PeopleColumns;
use super::policy::Policy;
use super::release::Release;
use privug_engine::network::{Affine, NodeId, Variables};
use privug_engine::number::Scalar;
use privug_engine::posterior::{Observation, Options, Prepared, Refusal};
use privug_engine::stages::Stages;
use privug_language::source::Span;
use privug_measures::leakage::Knowledge;

/// What would be known without the record of a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Baseline {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// The baseline of each entry, where it differs from the prior; `None` where nothing is shared by anybody.
pub(super) fn baselines<S: Stages>(
    release: &mut Release<S>,
    people: &PeopleColumns,
    observations: &[Observation<S>],
    options: &Options,
    prepared: &mut Prepared<S>,
) -> Result<Option<Vec<Baseline>>, Refusal<S>> {
    // Usually nobody shares anything, and there is nothing to find out about anybody.
    let is_source = |secret: &Affine<S>| release.network.is_source(secret.node.0 as usize);
    let is_alone = release.secrets.iter().all(|secret| is_source(&secret));
    if is_alone && release.secrets.iter().map(|secret| secret.node).is_sorted_by(|a, b| a < b) {
        return Ok(None);
    }
    let parts = own_parts(release);
    let shared: Vec<usize> = (0..people.len()).filter(|entry| parts[*entry].is_shared).collect();
    if shared.is_empty() || observations.is_empty() {
        return Ok(None);
    }
    let (mut common, mut own) = (Variables::default(), Variables::default());
    let variable = |node: NodeId| Affine { node, scale: S::one(), offset: S::zero() };
    for entry in &shared {
        let secret = release.secrets.get(*entry).node;
        let terms = parts[*entry].own.iter().map(|(node, weight)| (*node, weight.clone()));
        let e = release.network.push(S::zero(), terms, S::zero(), Span::START);
        own.push(variable(e));
        let h = release.network.push(S::zero(), [(secret, S::one()), (e, S::one().neg())], S::zero(), Span::START);
        common.push(variable(h));
    }
    let common = S::survey(&release.network, observations, &common, options, prepared)?.targets.into_doubles();
    let own = S::survey(&release.network, observations, &own, options, prepared)?.targets.into_doubles();
    let prior = |entry: usize| Baseline { mean: people.prior_mean[entry], variance: people.prior_variance[entry] };
    let mut found: Vec<Baseline> = (0..people.len()).map(prior).collect();
    for ((entry, h), e) in shared.iter().zip(common.spreads()).zip(own.spreads()) {
        let known = Told {
            variance: people.prior_variance[*entry],
            own_variance: e.prior_variance,
            reductions: [people.variance_reduction[*entry], h.variance_reduction, e.variance_reduction],
            shifts: [people.mean_shift[*entry], e.mean_shift],
            off: release.truths[*entry] - people.prior_mean[*entry],
        };
        let (shift, reduction) = known.without_person();
        found[*entry].mean += shift;
        found[*entry].variance = (known.variance - reduction).max(0.0);
    }
    Ok(Some(found))
}

/// What a secret consists of.
struct Parts<S> {
    /// Σ weight·node is e, up to a constant: the noise of the nodes that no other secret depends on.
    own: Vec<(NodeId, S)>,
    /// Whether there is anything else in it.
    is_shared: bool,
}

/// The noise that a secret is made of, and what of it no other secret depends on.
fn own_parts<S: Scalar>(release: &Release<S>) -> Vec<Parts<S>> {
    const NOBODY: u32 = u32::MAX;
    const SEVERAL: u32 = u32::MAX - 1;
    let mut owner = vec![NOBODY; release.network.len()];
    let traced: Vec<Vec<(NodeId, S)>> = release
        .secrets
        .iter()
        .enumerate()
        .map(|(entry, secret)| {
            let found = noise_of(release, secret.node);
            for (node, _) in &found {
                let owner = &mut owner[node.0 as usize];
                *owner = if *owner == NOBODY { entry as u32 } else { SEVERAL };
            }
            found
        })
        .collect();
    let parts = traced.into_iter().enumerate().map(|(entry, noise)| {
        let is_own = |(node, _): &&(NodeId, S)| owner[node.0 as usize] == entry as u32;
        let is_shared = noise.iter().any(|one| !is_own(&one));
        let mut own: Vec<(NodeId, S)> = Vec::new();
        for (node, weight) in noise.iter().filter(is_own) {
            // The noise of a node is what it adds to its parents.
            let made_of = release.network.node(*node);
            own.push((*node, weight.clone()));
            for (parent, factor) in made_of.parents() {
                let factor = made_of.divisor.map_or_else(|| factor.clone(), |divisor| factor.div(divisor));
                own.push((parent, weight.mul(&factor).neg()));
            }
        }
        Parts { own, is_shared }
    });
    parts.collect()
}

/// The nodes whose noise a node depends on, with their weights.
fn noise_of<S: Scalar>(release: &Release<S>, node: NodeId) -> Vec<(NodeId, S)> {
    let mut reached: BTreeMap<NodeId, S> = BTreeMap::from([(node, S::one())]);
    let mut found = Vec::new();
    while let Some((node, weight)) = reached.pop_last() {
        let made_of = release.network.node(node);
        for (parent, factor) in made_of.parents() {
            let factor = made_of.divisor.map_or_else(|| factor.clone(), |divisor| factor.div(divisor));
            let more = weight.mul(&factor);
            let sum = reached.get(&parent).map_or_else(|| more.clone(), |before| before.add(&more));
            reached.insert(parent, sum);
        }
        if !made_of.noise_variance.is_zero() {
            found.push((node, weight));
        }
    }
    found
}

/// What the figures tell about a secret x = h + e.
struct Told {
    /// v
    variance: f64,
    /// Var e
    own_variance: f64,
    /// What the figures take away of the variances of x, h and e.
    reductions: [f64; 3],
    /// By how much they shift the means of x and e.
    shifts: [f64; 2],
    /// The truth minus the prior mean.
    off: f64,
}

impl Told {
    /// By how much the figures without the person's record shift the mean, and reduce the variance.
    fn without_person(&self) -> (f64, f64) {
        let (v, own) = (self.variance, self.own_variance);
        let [u, of_common, of_own] = self.reductions;
        if !(own > 0.0) {
            // With nothing of their own it cannot be told what their record adds; the prior is the stricter baseline.
            return (0.0, 0.0);
        }
        // s = aᵀPa, t = aᵀPc, u = cᵀPc; α = aᵀP(y − μ), β = cᵀP(y − μ).
        let s = of_own / (own * own);
        let t = (u + of_own - of_common) / (2.0 * own);
        let (beta, alpha) = (self.shifts[0], self.shifts[1] / own);
        let (d_d, d_c, d_a) = ((u - 2.0 * v * t + v * v * s).max(0.0), u - v * t, t - v * s);
        let left = v - u;
        let through_c = if left > 0.0 { d_c / left } else { 0.0 };
        let q = d_d + d_c * through_c;
        let d_r = beta - v * alpha - self.off * d_a;
        let shift = (d_r + through_c * (beta - self.off * t)) / (1.0 + q / v);
        (shift, q / (1.0 + q / v))
    }
}

impl PeopleColumns {
    /// Keeps the baselines, and measures against them where the policy says so.
    pub(super) fn compare(&mut self, baselines: &[Baseline], radius: &dyn Fn(usize) -> f64, policy: &Policy) {
        self.baseline_mean = baselines.iter().map(|baseline| baseline.mean).collect();
        self.baseline_variance = baselines.iter().map(|baseline| baseline.variance).collect();
        if !policy.without_person {
            return;
        }
        for (entry, Baseline { mean, variance }) in baselines.iter().enumerate() {
            let after = self.posterior_variance[entry];
            if *variance > 0.0 {
                self.relative_std[entry] = (after / variance).sqrt();
                self.mutual_information_bits[entry] = (0.5 * (variance / after).log2()).max(0.0);
            }
            let before = Knowledge::after_all_outputs(*mean, *variance, 0.0, *variance, 0.0);
            let near = before.within_of_truth(self.truth[entry], radius(entry)).unwrap_or([f64::NAN; 2]);
            self.near_truth_prior[entry] = near[0];
            self.verdict[entry] = self.verdicts(entry, policy).into_iter().max().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::contributions::Involvement;
    use super::super::testing::Table;
    use super::*;

    /// Solves a·z = b by elimination; a is positive definite.
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for pivot in 0..n {
            for row in pivot + 1..n {
                let factor = a[row][pivot] / a[pivot][pivot];
                for column in pivot..n {
                    a[row][column] -= factor * a[pivot][column];
                }
                b[row] -= factor * b[pivot];
            }
        }
        for pivot in (0..n).rev() {
            for column in pivot + 1..n {
                b[pivot] -= a[pivot][column] * b[column];
            }
            b[pivot] /= a[pivot][pivot];
        }
        b
    }

    /// Mean and variance of x₀…: conditioned densely on figures from which the person's own value is taken out.
    fn directly(truths: &[f64], shared: f64, own: f64, figures: &[Vec<f64>], person: usize) -> Baseline {
        let covariance = |i: usize, j: usize| shared + if i == j { own } else { 0.0 };
        let without: Vec<Vec<f64>> = figures
            .iter()
            .map(|row| row.iter().enumerate().map(|(i, w)| if i == person { 0.0 } else { *w }).collect())
            .collect();
        let cov_y = |row: &[f64], i: usize| row.iter().enumerate().map(|(j, w)| w * covariance(i, j)).sum::<f64>();
        let between =
            |one: &[f64], other: &[f64]| other.iter().enumerate().map(|(i, w)| w * cov_y(one, i)).sum::<f64>();
        let v: Vec<Vec<f64>> =
            without.iter().map(|one| without.iter().map(|other| between(one, other)).collect()).collect();
        let d: Vec<f64> = without.iter().map(|row| cov_y(row, person)).collect();
        let y: Vec<f64> = without.iter().map(|row| row.iter().zip(truths).map(|(w, x)| w * x).sum()).collect();
        let weights = solve(v, d.clone());
        let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
        Baseline { mean: dot(&weights, &y), variance: shared + own - dot(&weights, &d) }
    }

    fn people(table: &mut Table, observations: &[Observation<f64>]) -> PeopleColumns {
        let found = privug_engine::posterior::survey(
            &table.release.network,
            observations,
            &table.release.secrets,
            &Options::default(),
        )
        .expect("a survey");
        let count = table.release.truths.len();
        let involvement = Involvement { figures: vec![1; count], smallest_frequency: vec![3; count] };
        PeopleColumns::measure(found.targets, &table.release.truths, |_| 0.0, involvement, &Policy::default())
    }

    fn observations(table: &Table) -> Vec<Observation<f64>> {
        let of = |output: &super::super::Output<f64>| Observation {
            variable: output.variable.clone(),
            value: Some(output.value),
        };
        table.release.outputs.iter().map(of).collect()
    }

    #[test]
    fn what_others_tell_is_what_conditioning_without_the_person_tells() {
        let truths = [3.0, -1.0, 4.0, 1.5, 2.0];
        for (shared, own) in [(4.0, 1.0), (0.5, 9.0), (100.0, 0.25)] {
            let mut table: Table = Table::with_household(&truths, shared, own);
            let rows: [&[(usize, f64)]; 3] = [
                &[(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)],
                &[(1, 1.0), (2, 2.0), (4, -1.0)],
                &[(3, 1.0), (4, 1.0)],
            ];
            for (place, row) in rows.iter().enumerate() {
                table.weighted(&format!("figure {place}"), row);
            }
            let dense: Vec<Vec<f64>> = rows
                .iter()
                .map(|row| {
                    (0..5).map(|i| row.iter().find(|(person, _)| *person == i).map_or(0.0, |(_, w)| *w)).collect()
                })
                .collect();
            let seen = observations(&table);
            let known = people(&mut table, &seen);
            let found = baselines(&mut table.release, &known, &seen, &Options::default(), &mut Prepared::default())
                .expect("a survey")
                .expect("shared");
            for person in 0..5 {
                let wanted = directly(&truths, shared, own, &dense, person);
                assert!(
                    (found[person].variance - wanted.variance).abs() < 1e-9 * wanted.variance,
                    "{person}: {found:?} {wanted:?}"
                );
                assert!((found[person].mean - wanted.mean).abs() < 1e-9, "{person}: {found:?} {wanted:?}");
            }
        }
    }

    #[test]
    fn what_is_added_up_of_shared_and_own_parts_is_taken_apart_again() {
        // Three secrets that are sums of a shared node and one of their own, without noise themselves.
        let truths = [3.0, -1.0, 4.0];
        let mut table: Table = Table::with_priors(&truths, &[0.0; 3], 1.0);
        let network = &mut table.release.network;
        let level = network.push(0.0, [], 4.0, Span::START);
        let mut secrets = Variables::default();
        for _ in 0..3 {
            let own = network.push(0.0, [], 1.0, Span::START);
            let node = network.push(0.0, [(level, 1.0), (own, 1.0)], 0.0, Span::START);
            secrets.push(Affine { node, scale: 1.0, offset: 0.0 });
        }
        table.release.secrets = secrets;
        table.sum("all", &[0, 1, 2]);
        let seen = observations(&table);
        let known = people(&mut table, &seen);
        let found = baselines(&mut table.release, &known, &seen, &Options::default(), &mut Prepared::default())
            .expect("a survey")
            .expect("shared");
        let wanted = directly(&truths, 4.0, 1.0, &[vec![1.0; 3]], 1);
        assert!((found[1].variance - wanted.variance).abs() < 1e-12 && (found[1].mean - wanted.mean).abs() < 1e-12);
    }

    #[test]
    fn independent_people_would_be_as_unknown_as_before() {
        let mut table: Table = Table::new(&[1.0, 2.0, 3.0], 1.0);
        table.mean("all", &[0, 1, 2]);
        let seen = observations(&table);
        let known = people(&mut table, &seen);
        assert_eq!(
            baselines(&mut table.release, &known, &seen, &Options::default(), &mut Prepared::default())
                .expect("a survey"),
            None
        );
    }

    #[test]
    fn a_policy_may_compare_with_what_others_tell() {
        // A hundred people of a town: their mean tells the level of the town, and next to nothing about each.
        let truths: Vec<f64> = (0..100).map(|person| f64::from(person % 7)).collect();
        let mut table: Table = Table::with_household(&truths, 100.0, 1.0);
        table.mean("town", &(0..100).collect::<Vec<_>>());
        let seen = observations(&table);
        let mut known = people(&mut table, &seen);
        let found = baselines(&mut table.release, &known, &seen, &Options::default(), &mut Prepared::default())
            .expect("a survey")
            .expect("shared");
        assert!(known.relative_std[0] < 0.11);
        known.compare(&found, &|_| 0.1, &Policy::default());
        assert!(known.relative_std[0] < 0.11 && known.baseline_variance[0] < 1.03);
        known.compare(&found, &|_| 0.1, &Policy { without_person: true, ..Policy::default() });
        assert!(known.relative_std[0] > 0.98, "{}", known.relative_std[0]);
    }
}
