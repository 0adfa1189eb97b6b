//! Releases made by hand: people with independent priors (or a shared household term), and figures about them.

use super::{Belief, Output, People, Release};
use privug_engine::network::{Affine, Network, NodeId, Variables};
use privug_engine::number::Scalar;
use privug_language::source::{Sources, Span};

/// A release under construction, and the real values of its figures.
pub(super) struct Table<S = f64> {
    pub(super) release: Release<S>,
}

fn of<S: Scalar>(value: f64) -> S {
    S::from_f64(value).expect("finite")
}

impl Table<f64> {
    pub(super) fn new(truths: &[f64], prior_std: f64) -> Self {
        Table::with_priors(truths, truths, prior_std * prior_std)
    }
}

impl<S: Scalar> Table<S> {
    /// Person i has the prior N(meansᵢ, variance).
    pub(super) fn with_priors(truths: &[f64], means: &[f64], variance: f64) -> Self {
        let mut network = Network::default();
        let secrets = means.iter().map(|mean| {
            let node = network.push(of(*mean), [], of(variance), Span::START);
            Affine { node, scale: S::one(), offset: S::zero() }
        });
        let secrets = secrets.collect();
        Table::start(network, secrets, truths)
    }

    /// Everyone has the prior N(h, variance) with a shared h ~ N(0, shared).
    pub(super) fn with_household(truths: &[f64], shared: f64, variance: f64) -> Self {
        let mut network = Network::default();
        let household = network.push(S::zero(), [], of(shared), Span::START);
        let secrets = truths.iter().map(|_| {
            let node = network.push(S::zero(), [(household, S::one())], of(variance), Span::START);
            Affine { node, scale: S::one(), offset: S::zero() }
        });
        let secrets = secrets.collect();
        Table::start(network, secrets, truths)
    }

    fn start(network: Network<S>, secrets: Variables<S>, truths: &[f64]) -> Self {
        let mut sources = Sources::default();
        sources.add("release.py", "def release(people):\n    return {}\n");
        Table {
            release: Release {
                groups: None,
                network,
                columns: vec!["people.income".to_owned()],
                rows: vec![(0..truths.len() as u32).collect()],
                secrets,
                beliefs: vec![Belief::Gaussian],
                sensitive: Vec::new(),
                medians: Vec::new(),
                known_groups: None,
                earlier: (0, 0),
                releases_rows: false,
                truths: truths.to_vec(),
                people: People::Rows(truths.len()),
                outputs: Vec::new(),
                counts: Vec::new(),
                unexamined: Vec::new(),
                notes: Vec::new(),
                doubt: None,
                rounded: None,
                known_rounded: None,
                sources,
            },
        }
    }

    /// A figure Σ weight·person.
    pub(super) fn weighted(&mut self, name: &str, weights: &[(usize, f64)]) -> NodeId {
        let secrets = &self.release.secrets;
        let terms: Vec<(NodeId, S)> = weights.iter().map(|(person, w)| (secrets.get(*person).node, of(*w))).collect();
        let truths = &self.release.truths;
        let value = weights.iter().map(|(person, weight)| of::<S>(*weight).mul(&of(truths[*person])));
        let value = value.fold(S::zero(), |sum, term| sum.add(&term));
        self.publish(name, terms, value)
    }

    pub(super) fn sum(&mut self, name: &str, people: &[usize]) -> NodeId {
        let weights: Vec<(usize, f64)> = people.iter().map(|person| (*person, 1.0)).collect();
        self.weighted(name, &weights)
    }

    pub(super) fn mean(&mut self, name: &str, people: &[usize]) -> NodeId {
        let node = self.sum(name, people);
        let output = self.release.outputs.last_mut().expect("just published");
        let part = S::one().div(&S::from_i64(people.len() as i64));
        output.variable.scale = part.clone();
        output.value = output.value.mul(&part);
        node
    }

    /// A figure Σ weight·node of earlier figures' nodes (sums).
    pub(super) fn combine(&mut self, name: &str, parts: &[(NodeId, f64)]) -> NodeId {
        let value = parts.iter().map(|(node, weight)| {
            let part = self.release.outputs.iter().find(|output| output.variable.node == *node).expect("a figure");
            part.value.div(&part.variable.scale).mul(&of(*weight))
        });
        let value = value.fold(S::zero(), |sum, term| sum.add(&term));
        self.publish(name, parts.iter().map(|(node, weight)| (*node, of(*weight))).collect(), value)
    }

    fn publish(&mut self, name: &str, terms: Vec<(NodeId, S)>, value: S) -> NodeId {
        let node = self.release.network.push(S::zero(), terms, S::zero(), Span::START);
        let variable = Affine { node, scale: S::one(), offset: S::zero() };
        self.release.outputs.push(Output { name: name.to_owned(), variable, value, span: Span::START });
        node
    }
}
