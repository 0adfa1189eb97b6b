//! The linear Gaussian network that a program builds.
//!
//! Every random variable is one node
//!
//! ```text
//! xᵢ = bᵢ + (Σⱼ wᵢⱼ·xⱼ)/dᵢ + N(0, vᵢ)        (j earlier than i; mostly dᵢ = 1)
//! ```
//!
//! which covers `Normal(m, v)` (no parents), `Normal(2*y + z - 5, v)` (parents and noise) and `y + z` (parents, no
//! noise). The dᵢ are there because a third is no double: what is divided stays what it is. For the same reason a j may
//! come twice, with weights whose sum is no double, and a bᵢ may have more digits than one double. Nodes are appended, so their order is topological and a node costs as much as it has terms: adding a
//! million variables one after the other is a million small nodes.

mod variables;

use std::hash::{Hash, Hasher};
use std::ops::Range;

pub use variables::{VariableRun, Variables};

use crate::number::Scalar;
use privug_language::source::Span;

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
    /// The wᵢⱼ, in any order.
    pub terms: &'a [Term<S>],
    /// dᵢ, if it is not 1.
    pub divisor: Option<&'a S>,
    /// vᵢ
    pub noise_variance: &'a S,
}

/// Terms of a node, with neighbouring nodes and the same weight: a sum of a list's million variables is one of these.
#[derive(Debug, Clone, PartialEq)]
pub struct Term<S> {
    /// The first parent.
    pub first: NodeId,
    /// How many parents there are.
    pub count: u32,
    /// What each of them is multiplied by.
    pub weight: S,
}

impl<S> Term<S> {
    /// The parents' places in the network.
    #[inline]
    pub fn parents(&self) -> Range<usize> {
        self.first.0 as usize..self.first.0 as usize + self.count as usize
    }
}

impl<'a, S> Node<'a, S> {
    /// All parents with their weights, not yet divided.
    #[inline]
    pub fn parents(&self) -> impl Iterator<Item = (NodeId, &'a S)> + use<'a, S> {
        self.terms.iter().flat_map(|term| term.parents().map(|parent| (NodeId(parent as u32), &term.weight)))
    }
}

/// All nodes, stored flat.
#[derive(Debug, Clone)]
pub struct Network<S> {
    constants: Vec<S>,
    noise_variances: Vec<S>,
    /// Where the terms of each node end.
    term_ends: Vec<u32>,
    terms: Vec<Term<S>>,
    /// Where nodes were made, each with the first of the nodes in a row that were made there: a list's million variables
    /// come from one place.
    spans: Vec<(NodeId, Span)>,
    /// The divisors other than 1, ascending.
    divisors: Vec<(NodeId, S)>,
    /// What constants are besides a number, ascending.
    rests: Vec<(NodeId, Rest<S>)>,
}

/// What the constant of a node is besides its number: the sum of very many numbers is seldom one.
#[derive(Debug, Clone, PartialEq)]
pub struct Rest<S> {
    /// What has to be added to it.
    pub low: S,
    /// Bound on the error of both together, from the rounding of the numbers that were added up.
    pub error: f64,
}

impl<S> Default for Network<S> {
    fn default() -> Self {
        Network {
            constants: Vec::new(),
            noise_variances: Vec::new(),
            term_ends: Vec::new(),
            terms: Vec::new(),
            spans: Vec::new(),
            divisors: Vec::new(),
            rests: Vec::new(),
        }
    }
}

impl<S: Scalar> Network<S> {
    /// How many nodes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.constants.is_empty()
    }

    /// How many nodes bring randomness of their own; the others are sums of these.
    pub fn source_count(&self) -> usize {
        self.noise_variances.iter().filter(|variance| !variance.is_zero()).count()
    }

    /// Appends `constant + Σ weight·parent + N(0, noise_variance)`.
    #[inline]
    pub fn push(
        &mut self,
        constant: S,
        terms: impl IntoIterator<Item = (NodeId, S)>,
        noise_variance: S,
        span: Span,
    ) -> NodeId {
        let id = NodeId(self.constants.len() as u32);
        let start = self.terms.len();
        for (parent, weight) in terms {
            debug_assert!(parent < id, "a parent comes before its child");
            match self.terms[start..].last_mut() {
                Some(term) if term.first.0 + term.count == parent.0 && term.weight == weight => term.count += 1,
                _ => self.terms.push(Term { first: parent, count: 1, weight }),
            }
        }
        self.constants.push(constant);
        self.noise_variances.push(noise_variance);
        self.term_ends.push(self.terms.len() as u32);
        self.note_span(id, span);
        id
    }

    /// Appends `parent / divisor`; the divisor is not zero.
    pub fn push_quotient(&mut self, parent: NodeId, divisor: S, span: Span) -> NodeId {
        let id = self.push(S::zero(), [(parent, S::one())], S::zero(), span);
        self.divisors.push((id, divisor));
        id
    }

    /// Says what the constant of the last node is besides its number.
    pub fn add_rest(&mut self, rest: Rest<S>) {
        self.rests.push((NodeId(self.constants.len() as u32 - 1), rest));
    }

    /// Appends `count` independent variables `constant + N(0, noise_variance)`; gives the first.
    pub fn push_sources(&mut self, count: usize, constant: &S, noise_variance: &S, span: Span) -> NodeId {
        let first = NodeId(self.constants.len() as u32);
        let end = self.constants.len() + count;
        self.constants.resize(end, constant.clone());
        self.noise_variances.resize(end, noise_variance.clone());
        self.term_ends.resize(end, self.terms.len() as u32);
        if count > 0 {
            self.note_span(first, span);
        }
        first
    }

    #[inline]
    fn note_span(&mut self, id: NodeId, span: Span) {
        if self.spans.last().is_none_or(|(_, last)| *last != span) {
            self.spans.push((id, span));
        }
    }

    /// The node `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> Node<'_, S> {
        let index = id.0 as usize;
        Node {
            constant: &self.constants[index],
            terms: &self.terms[self.terms_before(index)..self.terms_before(index + 1)],
            divisor: self.divisor(id),
            noise_variance: &self.noise_variances[index],
        }
    }

    #[inline]
    fn divisor(&self, id: NodeId) -> Option<&S> {
        let at = self.divisors.partition_point(|(node, _)| *node < id);
        self.divisors.get(at).filter(|(node, _)| *node == id).map(|(_, divisor)| divisor)
    }

    /// What the constants of neighbouring nodes are besides their numbers.
    pub fn rests(&self, nodes: Range<usize>) -> impl Iterator<Item = (usize, &Rest<S>)> {
        let start = self.rests.partition_point(|(node, _)| (node.0 as usize) < nodes.start);
        let rests = self.rests[start..].iter().map(|(node, rest)| (node.0 as usize, rest));
        rests.take_while(move |(node, _)| *node < nodes.end)
    }

    /// The constants of neighbouring nodes.
    #[inline]
    pub fn constants(&self, nodes: Range<usize>) -> &[S] {
        &self.constants[nodes]
    }

    /// The noise variances of neighbouring nodes.
    #[inline]
    pub fn noise_variances(&self, nodes: Range<usize>) -> &[S] {
        &self.noise_variances[nodes]
    }

    /// Whether a node is nothing but noise and a constant.
    #[inline]
    pub fn is_source(&self, node: usize) -> bool {
        !self.noise_variances[node].is_zero() && self.are_without_parents(node..node + 1)
    }

    /// Whether none of some neighbouring nodes has parents.
    #[inline]
    pub fn are_without_parents(&self, nodes: Range<usize>) -> bool {
        self.terms_before(nodes.start) == self.terms_before(nodes.end)
    }

    #[inline]
    fn terms_before(&self, node: usize) -> usize {
        if node == 0 { 0 } else { self.term_ends[node - 1] as usize }
    }

    /// All that decides which nodes depend on which others, and how.
    pub fn hash_coefficients(&self, hasher: &mut impl Hasher) {
        self.term_ends.hash(hasher);
        for term in &self.terms {
            // At once: most of the time would go into passing parts on.
            let mut bytes = [0; 16];
            bytes[..4].copy_from_slice(&term.first.0.to_le_bytes());
            bytes[4..8].copy_from_slice(&term.count.to_le_bytes());
            bytes[8..].copy_from_slice(&term.weight.to_f64().to_bits().to_le_bytes());
            hasher.write(&bytes);
        }
        for (node, divisor) in &self.divisors {
            (node.0, divisor.to_f64().to_bits()).hash(hasher);
        }
    }

    /// Where in the program the node was made.
    #[inline]
    pub fn span(&self, id: NodeId) -> Span {
        let after = self.spans.partition_point(|(first, _)| *first <= id);
        self.spans[after - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_language::source::SourceId;

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
        assert_eq!((*made.constant, made.terms.len(), *made.noise_variance), (5.0, 0, 6.0));
        let parents: Vec<_> = network.node(NodeId(4)).parents().collect();
        assert_eq!(parents, [(NodeId(1), &1.0), (NodeId(2), &-1.0)]);
        assert!(network.are_without_parents(0..4) && !network.are_without_parents(3..5));
    }

    #[test]
    fn neighbours_with_the_same_weight_are_one_term() {
        let mut network: Network<f64> = Network::default();
        network.push_sources(9, &0.0, &1.0, Span::START);
        let terms = [(1, 2.0), (2, 2.0), (3, 2.0), (4, 1.0), (6, 1.0), (7, 1.0), (0, 1.0)];
        let sum = network.push(0.0, terms.map(|(parent, weight)| (NodeId(parent), weight)), 0.0, Span::START);
        // A node's terms are its own, whatever those before it were.
        let next = network.push(0.0, [(NodeId(1), 1.0)], 0.0, Span::START);
        let counts: Vec<u32> = network.node(sum).terms.iter().map(|term| term.count).collect();
        assert_eq!(counts, [3, 1, 2, 1]);
        let parents: Vec<(u32, f64)> =
            network.node(sum).parents().map(|(parent, weight)| (parent.0, *weight)).collect();
        assert_eq!(parents, terms);
        assert_eq!(network.node(next).terms.len(), 1);
    }
}
