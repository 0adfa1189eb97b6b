//! The linear Gaussian network that a program builds.
//!
//! Every random variable is one node
//!
//! ```text
//! xᵢ = bᵢ + Σⱼ wᵢⱼ·xⱼ + N(0, vᵢ)        (j earlier than i)
//! ```
//!
//! which covers `Normal(m, v)` (no parents), `Normal(2*y + z - 5, v)` (parents and noise) and `y + z` (parents, no
//! noise). Nodes are appended, so their order is topological and a node costs as much as it has terms: adding a
//! million variables one after the other is a million small nodes.

use crate::number::Scalar;
use crate::source::Span;

/// A random variable of a [`Network`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// `offset + scale · node`: shifting and scaling a random variable needs no node of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Affine<S> {
    /// The random variable.
    pub node: NodeId,
    /// What it is multiplied by.
    pub scale: S,
    /// What is added.
    pub offset: S,
}

/// One node, borrowed.
#[derive(Debug)]
pub struct Node<'a, S> {
    /// bᵢ
    pub constant: &'a S,
    /// The indices j of the terms, each at most once, ascending or not.
    pub parents: &'a [NodeId],
    /// wᵢⱼ, one for each parent.
    pub weights: &'a [S],
    /// vᵢ
    pub noise_variance: &'a S,
}

/// All nodes, stored flat.
#[derive(Debug, Clone)]
pub struct Network<S> {
    constants: Vec<S>,
    noise_variances: Vec<S>,
    /// Where the terms of each node end in `parents` and `weights`.
    term_ends: Vec<u32>,
    parents: Vec<NodeId>,
    weights: Vec<S>,
    /// Where nodes were made, each with the first of the nodes in a row that were made there: a list's million variables
    /// come from one place.
    spans: Vec<(NodeId, Span)>,
}

impl<S> Default for Network<S> {
    fn default() -> Self {
        Network {
            constants: Vec::new(),
            noise_variances: Vec::new(),
            term_ends: Vec::new(),
            parents: Vec::new(),
            weights: Vec::new(),
            spans: Vec::new(),
        }
    }
}

impl<S: Scalar> Network<S> {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.constants.is_empty()
    }

    /// How many nodes bring randomness of their own; the others are sums of these.
    pub fn source_count(&self) -> usize {
        self.noise_variances.iter().filter(|variance| !variance.is_zero()).count()
    }

    /// How many terms all nodes have together.
    pub fn term_count(&self) -> usize {
        self.parents.len()
    }

    /// Appends `constant + Σ weight·parent + N(0, noise_variance)`; the parents are distinct nodes of this network.
    pub fn push(
        &mut self,
        constant: S,
        terms: impl IntoIterator<Item = (NodeId, S)>,
        noise_variance: S,
        span: Span,
    ) -> NodeId {
        let id = NodeId(self.constants.len() as u32);
        let terms = terms.into_iter();
        self.parents.reserve(terms.size_hint().0);
        self.weights.reserve(terms.size_hint().0);
        for (parent, weight) in terms {
            debug_assert!(parent < id, "a parent comes before its child");
            self.parents.push(parent);
            self.weights.push(weight);
        }
        self.constants.push(constant);
        self.noise_variances.push(noise_variance);
        self.term_ends.push(self.parents.len() as u32);
        self.note_span(id, span);
        id
    }

    /// Appends `count` independent variables `constant + N(0, noise_variance)`; gives the first.
    pub fn push_sources(&mut self, count: usize, constant: &S, noise_variance: &S, span: Span) -> NodeId {
        let first = NodeId(self.constants.len() as u32);
        let end = self.constants.len() + count;
        self.constants.resize(end, constant.clone());
        self.noise_variances.resize(end, noise_variance.clone());
        self.term_ends.resize(end, self.parents.len() as u32);
        if count > 0 {
            self.note_span(first, span);
        }
        first
    }

    fn note_span(&mut self, id: NodeId, span: Span) {
        if self.spans.last().is_none_or(|(_, last)| *last != span) {
            self.spans.push((id, span));
        }
    }

    /// The node `id`.
    pub fn node(&self, id: NodeId) -> Node<'_, S> {
        let index = id.0 as usize;
        let start = if index == 0 { 0 } else { self.term_ends[index - 1] as usize };
        let terms = start..self.term_ends[index] as usize;
        Node {
            constant: &self.constants[index],
            parents: &self.parents[terms.clone()],
            weights: &self.weights[terms],
            noise_variance: &self.noise_variances[index],
        }
    }

    /// Where in the program the node was made.
    pub fn span(&self, id: NodeId) -> Span {
        let after = self.spans.partition_point(|(first, _)| *first <= id);
        self.spans[after - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn every_node_knows_where_it_was_made() {
        let at = |start| Span { source: SourceId(0), start, end: start + 1 };
        let mut network: Network<f64> = Network::default();
        assert_eq!(network.push_sources(0, &0.0, &1.0, at(9)), NodeId(0));
        network.push(1.0, [], 2.0, at(3));
        assert_eq!(network.push_sources(3, &5.0, &6.0, at(4)), NodeId(1));
        network.push(0.0, [(NodeId(1), 1.0), (NodeId(2), -1.0)], 0.0, at(3));
        let places: Vec<u32> = (0..5).map(|id| network.span(NodeId(id)).start).collect();
        assert_eq!(places, [3, 4, 4, 4, 3]);
        let made = network.node(NodeId(3));
        assert_eq!((*made.constant, made.parents.len(), *made.noise_variance), (5.0, 0, 6.0));
        assert_eq!(network.node(NodeId(4)).parents, [NodeId(1), NodeId(2)]);
    }
}
