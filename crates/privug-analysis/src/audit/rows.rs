//! The published figures as rows over the secrets: each is c·Σ wᵢ·xᵢ + b, with weights that are known exactly.
//!
//! The weights are found by going back through the network from the figure and stopping at the secrets: what stands behind
//! a secret (a household's shared term) is the attacker's model of it, and is no part of the row. The factor c is kept
//! apart, so that a mean has the weights of its sum: these are whole numbers, and 1/n is no double.

use std::collections::BinaryHeap;

use super::Release;
use super::exact;
use super::weight::Weight;
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::{Rational, Scalar};

/// A node that is no person's secret.
pub(super) const NOBODY: u32 = u32::MAX;

/// One figure over the entries.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// c, where it is known exactly.
    pub(super) factor: Option<Rational>,
    /// The entries that the figure depends on, ascending, and the weight of each; none is 0.
    pub(super) weights: Weights,
    /// Variance of the noise that the script itself adds.
    pub(super) noise_variance: f64,
}

/// Weights, exactly.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Weights {
    /// All of them are doubles.
    Doubles(Vec<(u32, f64)>),
    /// Some are not.
    Rationals(Vec<(u32, Rational)>),
}

impl Weights {
    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Weights::Doubles(weights) => weights.len(),
            Weights::Rationals(weights) => weights.len(),
        }
    }
}

/// The rows of some figures; `None` for a figure with a coefficient that is no finite number.
pub(super) fn rows<S: Scalar>(release: &Release<S>, figures: &[usize]) -> Vec<Option<Row>> {
    let mut tracer = Tracer::new(release);
    figures.iter().map(|figure| tracer.row(&release.outputs[*figure].variable)).collect()
}

/// What was added to a node on the way back.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    weight: Weight,
    is_reached: bool,
}

/// Goes back from figures to secrets.
pub(super) struct Tracer<'a, S> {
    release: &'a Release<S>,
    entry_of: Vec<u32>,
    reached: Vec<Reached>,
    /// Nodes that are no secrets, the latest first: all that leads to a node is done before the node is.
    due: BinaryHeap<NodeId>,
    /// The secrets that were reached.
    secrets: Vec<NodeId>,
}

impl<'a, S: Scalar> Tracer<'a, S> {
    pub(super) fn new(release: &'a Release<S>) -> Self {
        let mut entry_of = vec![NOBODY; release.network.len()];
        for (entry, secret) in release.secrets.iter().enumerate() {
            // Figures depend on the mean of a group, and not on somebody of it.
            let node = release.groups.as_ref().map_or(secret.node, |groups| groups.means[entry].node);
            entry_of[node.0 as usize] = entry as u32;
        }
        let reached = vec![Reached::default(); release.network.len()];
        Tracer { release, entry_of, reached, due: BinaryHeap::new(), secrets: Vec::new() }
    }

    /// The entry of each node that is a secret.
    pub(super) fn entry_of(&self) -> &[u32] {
        &self.entry_of
    }

    /// The entries that a figure depends on, with their weights in doubles and bounds on the errors (`docs/proofs/weights.md`);
    /// whether a weight is 0 may be undecided. Adds up the variance of the script's noise.
    pub(super) fn weights(&mut self, figure: &Affine<S>, noise_variance: &mut f64) -> Vec<(usize, Weight)> {
        self.trace(figure.node, Weight::of(&figure.scale), None, noise_variance)
    }

    /// A figure as a row.
    fn row(&mut self, figure: &Affine<S>) -> Option<Row> {
        let mut noise_variance = 0.0;
        let mut factor = exact::rational(&figure.scale);
        let top = self.release.network.node(figure.node);
        let is_quotient = self.entry_of[figure.node.0 as usize] == NOBODY && top.divisor.is_some();
        if is_quotient && let (Some(known), Some(divisor)) = (&factor, top.divisor) {
            factor = exact::rational(divisor).map(|divisor| known / divisor);
        }
        let one = Weight { value: 1.0, error: 0.0 };
        let mut found = self.trace(figure.node, one, is_quotient.then_some(figure.node), &mut noise_variance);
        found.sort_unstable_by_key(|(entry, _)| *entry);
        if found.iter().all(|(_, weight)| weight.error == 0.0 && weight.value.is_finite()) {
            let weights = found.into_iter().filter(|(_, weight)| weight.value != 0.0);
            let weights = weights.map(|(entry, weight)| (entry as u32, weight.value)).collect();
            return Some(Row { factor, weights: Weights::Doubles(weights), noise_variance });
        }
        let whole = Affine { node: figure.node, scale: S::one(), offset: S::zero() };
        let known = exact::weights(self.release, &self.entry_of, &whole)?;
        let mut weights: Vec<(u32, Rational)> =
            known.into_iter().map(|(entry, weight)| (entry as u32, weight)).collect();
        weights.sort_unstable_by_key(|(entry, _)| *entry);
        Some(Row { factor: exact::rational(&figure.scale), weights: Weights::Rationals(weights), noise_variance })
    }

    fn trace(
        &mut self,
        node: NodeId,
        weight: Weight,
        undivided: Option<NodeId>,
        noise_variance: &mut f64,
    ) -> Vec<(usize, Weight)> {
        self.reach(node, weight);
        while let Some(node) = self.due.pop() {
            let Reached { weight, .. } = std::mem::take(&mut self.reached[node.0 as usize]);
            let release = self.release;
            let terms = release.network.node(node);
            *noise_variance += weight.value * weight.value * terms.noise_variance.to_f64();
            let divisor = terms.divisor.filter(|_| undivided != Some(node));
            let weight = divisor.map_or(weight, |divisor| weight.over(Weight::of(divisor)));
            for (parent, factor) in terms.parents() {
                self.reach(parent, weight.times(Weight::of(factor)));
            }
        }
        let mut weights = Vec::with_capacity(self.secrets.len());
        for node in self.secrets.drain(..) {
            let Reached { weight, .. } = std::mem::take(&mut self.reached[node.0 as usize]);
            weights.push((self.entry_of[node.0 as usize] as usize, weight));
        }
        weights
    }

    fn reach(&mut self, node: NodeId, weight: Weight) {
        let reached = &mut self.reached[node.0 as usize];
        let is_new = !reached.is_reached;
        *reached = Reached { weight: reached.weight.plus(weight), is_reached: true };
        if is_new {
            if self.entry_of[node.0 as usize] == NOBODY {
                self.due.push(node);
            } else {
                self.secrets.push(node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Table;
    use super::*;

    #[test]
    fn a_mean_has_the_weights_of_its_sum_and_a_factor() {
        let mut table: Table = Table::new(&[1.0, 2.0, 3.0], 1.0);
        table.mean("all", &[0, 1, 2]);
        table.weighted("weighted", &[(2, 0.1), (0, -3.0)]);
        let found = rows(&table.release, &[0, 1]);
        let mean = found[0].as_ref().expect("a row");
        assert_eq!(mean.weights, Weights::Doubles(vec![(0, 1.0), (1, 1.0), (2, 1.0)]));
        // A third as a double is what the table published; it is kept as it is.
        assert_eq!(mean.factor, <Rational as Scalar>::from_f64(1.0 / 3.0));
        assert_eq!(found[1].as_ref().expect("a row").weights, Weights::Doubles(vec![(0, -3.0), (2, 0.1)]));
    }

    #[test]
    fn a_quotient_is_kept_as_a_factor_and_nothing_is_rounded() {
        let mut table: Table<Rational> = Table::with_priors(&[1.0, 2.0, 4.0], &[0.0; 3], 1.0);
        table.mean("all", &[0, 1, 2]);
        let third = Rational::ONE / Rational::from(3);
        let found = rows(&table.release, &[0]).remove(0).expect("a row");
        assert_eq!((found.factor, found.weights.len()), (Some(third), 3));
    }

    #[test]
    fn weights_that_are_no_doubles_are_rationals() {
        let mut table: Table = Table::new(&[1.0, 2.0], 1.0);
        let part = table.weighted("part", &[(0, 0.1), (1, 1.0)]);
        table.combine("product", &[(part, 0.1)]);
        let found = rows(&table.release, &[1]).remove(0).expect("a row");
        let Weights::Rationals(weights) = found.weights else { panic!("0.1 · 0.1 is no double") };
        let tenth = <Rational as Scalar>::from_f64(0.1).expect("finite");
        assert_eq!(weights, [(0, &tenth * &tenth), (1, tenth)]);
    }
}
