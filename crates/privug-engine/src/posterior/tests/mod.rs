//! Conditioning against worked examples, a textbook implementation, and its own promises.
mod adversary;
mod agreement;
mod bounds;
mod crossing;
mod dense;
mod examples;
mod extremes;
mod many;
mod shapes;
mod textbook;

use crate::network::{Affine, Network, NodeId};
use crate::number::{Field, Rational, Scalar};
use privug_language::source::Span;

use super::{Observation, Options, Posterior, Refusal, Status, condition};

/// A network under construction, with the shorthand of the tests.
#[derive(Default)]
struct Build<S: Scalar> {
    network: Network<S>,
}

impl<S: Scalar> Build<S> {
    fn node(&mut self, constant: S, terms: &[(NodeId, S)], variance: S) -> NodeId {
        self.network.push(constant, terms.iter().cloned(), variance, Span::START)
    }

    /// An independent normal variable.
    fn normal(&mut self, mean: S, variance: S) -> NodeId {
        self.node(mean, &[], variance)
    }

    /// The sum of nodes as a chain of small ones, the way `total = total + x` builds it.
    fn total(&mut self, nodes: &[NodeId]) -> NodeId {
        let mut total = nodes[0];
        for &node in &nodes[1..] {
            total = self.node(S::zero(), &[(total, S::one()), (node, S::one())], S::zero());
        }
        total
    }

    fn condition(&self, observations: &[Observation<S>], targets: &[Affine<S>]) -> Result<Posterior<S>, Refusal<S>> {
        condition(&self.network, observations, targets, &Options::default())
    }
}

impl Build<f64> {
    /// The same numbers in exact rationals.
    fn in_rationals(
        &self,
        observations: &[Observation<f64>],
        targets: &[Affine<f64>],
    ) -> Result<Posterior<Rational>, Refusal<Rational>> {
        let network = exact_network(&self.network);
        let observations: Vec<Observation<Rational>> = observations
            .iter()
            .map(|seen| Observation { variable: exact_affine(&seen.variable), value: seen.value.map(exact) })
            .collect();
        let targets: Vec<Affine<Rational>> = targets.iter().map(exact_affine).collect();
        condition(&network, &observations, &targets, &Options::default())
    }
}

fn exact(value: f64) -> Rational {
    <Rational as Scalar>::from_f64(value).expect("finite")
}

fn exact_network(network: &Network<f64>) -> Network<Rational> {
    let mut copy = Network::default();
    for index in 0..network.len() {
        let node = network.node(NodeId(index as u32));
        let divisor = node.divisor.map_or(Rational::ONE, |divisor| exact(*divisor));
        let terms = node.parents().map(|(parent, weight)| (parent, exact(*weight) / &divisor));
        copy.push(exact(*node.constant), terms, exact(*node.noise_variance), Span::START);
    }
    copy
}

fn exact_affine(variable: &Affine<f64>) -> Affine<Rational> {
    Affine { node: variable.node, scale: exact(variable.scale), offset: exact(variable.offset) }
}

/// The node itself.
fn plain<S: Scalar>(node: NodeId) -> Affine<S> {
    scaled(node, S::one())
}

fn scaled<S: Scalar>(node: NodeId, scale: S) -> Affine<S> {
    Affine { node, scale, offset: S::zero() }
}

fn seen<S: Scalar>(variable: Affine<S>, value: S) -> Observation<S> {
    Observation { variable, value: Some(value) }
}

fn unseen<S: Scalar>(variable: Affine<S>) -> Observation<S> {
    Observation { variable, value: None }
}

/// A rational from text such as `10/13`.
fn rational(text: &str) -> Rational {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let part = |text: &str| match text.strip_prefix('-') {
        Some(text) => Rational::from_literal(text).expect("a literal").neg(),
        None => Rational::from_literal(text).expect("a literal"),
    };
    part(numerator) / part(denominator)
}

fn rationals(texts: &[&str]) -> Vec<Rational> {
    texts.iter().map(|text| rational(text)).collect()
}
