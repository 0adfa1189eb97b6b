//! The model while it is being built: the network of random variables, and what was seen of them.

use std::collections::HashMap;

use super::budget::Budget;
use super::fault::Outcome;
use super::{Evidence, MechanismUse};
use crate::network::{Affine, Network, NodeId};
use crate::number::Scalar;
use crate::sums::Law;
use privug_language::source::Span;

/// What the run has made of random variables so far.
pub(super) struct NetworkBuilder<S: Scalar> {
    pub(super) network: Network<S>,
    pub(super) evidence: Vec<Evidence<S>>,
    pub(super) mechanisms: Vec<MechanismUse>,
    /// The laws of the variables that are not Gaussian: where each node's is, and the laws.
    pub(super) law_of_node: HashMap<NodeId, u32>,
    pub(super) laws: Vec<Law>,
    /// The variables of which each person of a group has one of their own, ascending.
    pub(super) member_nodes: Vec<NodeId>,
}

impl<S: Scalar> NetworkBuilder<S> {
    pub(super) fn new() -> Self {
        NetworkBuilder {
            network: Network::default(),
            evidence: Vec::new(),
            mechanisms: Vec::new(),
            law_of_node: HashMap::new(),
            laws: Vec::new(),
            member_nodes: Vec::new(),
        }
    }

    /// A new random variable.
    #[inline]
    pub(super) fn push_node(
        &mut self,
        constant: S,
        terms: impl IntoIterator<Item = (NodeId, S)>,
        noise_variance: S,
        (budget, span): (&Budget, Span),
    ) -> Outcome<Affine<S>> {
        self.check_room(budget, 1)?;
        debug_assert!(!S::EXACT || (constant.double().is_none() && noise_variance.double().is_none()));
        let node = self.network.push(constant, terms, noise_variance, span);
        Ok(Affine { node, scale: S::one(), offset: S::zero() })
    }

    /// A new random variable: another divided by a number.
    pub(super) fn push_quotient(
        &mut self,
        parent: NodeId,
        divisor: S,
        (budget, span): (&Budget, Span),
    ) -> Outcome<NodeId> {
        self.check_room(budget, 1)?;
        Ok(self.network.push_quotient(parent, divisor, span))
    }

    /// `count` new random variables that depend on nothing; gives the first.
    pub(super) fn push_sources(
        &mut self,
        count: usize,
        (constant, noise_variance): (&S, &S),
        (budget, span): (&Budget, Span),
    ) -> Outcome<NodeId> {
        self.check_room(budget, count as u64)?;
        Ok(self.network.push_sources(count, constant, noise_variance, span))
    }

    #[inline]
    fn check_room(&self, budget: &Budget, more: u64) -> Outcome<()> {
        budget.check_variables((self.network.len() as u64).saturating_add(more))
    }
}
