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
    spans: Vec<Span>,
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
        for (parent, weight) in terms {
            debug_assert!(parent < id, "a parent comes before its child");
            self.parents.push(parent);
            self.weights.push(weight);
        }
        self.constants.push(constant);
        self.noise_variances.push(noise_variance);
        self.term_ends.push(self.parents.len() as u32);
        self.spans.push(span);
        id
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
        self.spans[id.0 as usize]
    }
}
