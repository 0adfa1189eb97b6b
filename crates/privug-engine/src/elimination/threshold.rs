//! Gaussian variables that were compared with numbers: what is known of one is a normal distribution cut into pieces.

use std::collections::HashSet;

use super::{Component, Refusal};
use crate::choices::{Diagram, Law, unrank};
use crate::evaluate::{Answer, ChoiceModel, NamedChoice};
use crate::gaussian::Normal;
use crate::network::{Network, NodeId};
use crate::number::Scalar;

/// The pieces that thresholds cut a secret into.
pub(super) struct Cells<S> {
    /// Which piece it is, by its number.
    pub(super) diagram: Diagram,
    /// The secret's own distribution.
    mean: S,
    variance: S,
    /// The bounds of the pieces, from the lowest on.
    bounds: Vec<(f64, f64)>,
}

impl<S: Scalar> Cells<S> {
    /// The secret before anything is known of it.
    pub(super) fn whole(&self) -> Component<S> {
        Component {
            weight: S::one(),
            mean: self.mean.clone(),
            variance: self.variance.clone(),
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }

    pub(super) fn component(&self, leaf: u32, weight: S) -> Component<S> {
        let (low, high) = self.bounds[leaf as usize];
        Component { weight, mean: self.mean.clone(), variance: self.variance.clone(), low, high }
    }

    /// What a piece is called.
    pub(super) fn name(&self, leaf: u32) -> Answer<S> {
        let (low, high) = self.bounds[leaf as usize];
        Answer::Other(match (low.is_finite(), high.is_finite()) {
            (true, true) => format!("{low} to {high}"),
            (true, false) => format!("above {low}"),
            (false, true) => format!("up to {high}"),
            (false, false) => "anything".to_owned(),
        })
    }
}

/// Neighbouring pieces that are as likely as they were, together.
pub(super) fn joined<S: Scalar>(parts: Vec<Component<S>>) -> Vec<Component<S>> {
    let normal = parts.first().and_then(|part| Normal::new(part.mean.to_f64(), part.variance.to_f64()));
    let Some(normal) = normal else { return parts };
    let ratio = |part: &Component<S>| part.weight.to_f64() / normal.probability_between(part.low, part.high);
    let mut joined: Vec<Component<S>> = Vec::new();
    for part in parts.into_iter().filter(|part| !part.weight.is_zero()) {
        match joined.last_mut() {
            Some(last) if last.high == part.low && (ratio(last) - ratio(&part)).abs() <= 1e-13 * ratio(&part) => {
                last.high = part.high;
                last.weight = last.weight.add(&part.weight);
            }
            _ => joined.push(part),
        }
    }
    joined
}

/// The sources that a variable is made of.
fn sources<S: Scalar>(network: &Network<S>, node: NodeId, found: &mut HashSet<NodeId>) {
    let mut open = vec![node];
    let mut seen = HashSet::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        let described = network.node(next);
        if !described.noise_variance.is_zero() {
            found.insert(next);
        }
        open.extend(described.parents().map(|(parent, _)| parent));
    }
}

/// Makes sure that variables which were compared enter nothing else: neither each other nor what was seen.
pub(super) fn check<S: Scalar>(network: &Network<S>, model: &ChoiceModel<S>) -> Result<(), Refusal<S>> {
    let thresholds: Vec<NodeId> = model
        .laws
        .iter()
        .filter_map(|law| match law {
            Law::Threshold { node, .. } => Some(*node),
            Law::Finite(_) | Law::Scaled(_) | Law::Uniform(_) | Law::Sum(_) | Law::Order(_) | Law::Derived(..) => None,
        })
        .collect();
    let mut taken = HashSet::new();
    if thresholds.is_empty() {
        return Ok(());
    }
    let start = model.secrets.first().map_or(privug_language::source::Span::START, |secret| secret.span);
    for node in &thresholds {
        let mut own = HashSet::new();
        sources(network, *node, &mut own);
        if own.iter().any(|source| !taken.insert(*source)) {
            return Err(Refusal::Entangled(start));
        }
    }
    let mut leaves: Vec<(u32, privug_language::source::Span)> = Vec::new();
    for seen in &model.seen {
        leaves.extend(model.diagrams.leaves_of(seen.value).into_iter().map(|leaf| (leaf, seen.span)));
    }
    for output in &model.outputs {
        leaves.extend(model.diagrams.leaves_of(output.value).into_iter().map(|leaf| (leaf, output.span)));
    }
    for (leaf, span) in leaves {
        if let Answer::Gaussian(affine) = &model.answers[leaf as usize] {
            let mut own = HashSet::new();
            sources(network, affine.node, &mut own);
            if own.iter().any(|source| taken.contains(source)) {
                return Err(Refusal::Entangled(span));
            }
        }
    }
    Ok(())
}

/// The pieces of a secret that is itself a variable that was compared.
pub(super) fn cells<S: Scalar>(
    network: &Network<S>,
    model: &mut ChoiceModel<S>,
    secret: &NamedChoice,
) -> Result<Option<Cells<S>>, Refusal<S>> {
    let gaussian: Vec<u32> = model
        .diagrams
        .leaves_of(secret.value)
        .into_iter()
        .filter(|leaf| matches!(model.answers[*leaf as usize], Answer::Gaussian(_)))
        .collect();
    let mut taken = HashSet::new();
    for law in &model.laws {
        if let Law::Threshold { node, .. } = law {
            sources(network, *node, &mut taken);
        }
    }
    let touches = |leaf: &u32| {
        let Answer::Gaussian(affine) = &model.answers[*leaf as usize] else { return false };
        let mut own = HashSet::new();
        sources(network, affine.node, &mut own);
        own.iter().any(|source| taken.contains(source))
    };
    if !gaussian.iter().any(touches) {
        return Ok(None);
    }
    let Some(only) = secret.value.as_leaf() else { return Err(Refusal::Entangled(secret.span)) };
    let Answer::Gaussian(affine) = model.answers[only as usize].clone() else { return Ok(None) };
    let choice = model
        .laws
        .iter()
        .position(|law| matches!(law, Law::Threshold { node, .. } if *node == affine.node))
        .ok_or(Refusal::Entangled(secret.span))?;
    let Law::Threshold { normal, .. } = model.laws[choice].clone() else { return Ok(None) };
    let mut cuts: Vec<i64> = Vec::new();
    for root in model.roots() {
        for node in model.diagrams.nodes_of(root) {
            if model.diagrams.choice(node) == Some(choice as u32) {
                cuts.extend(model.diagrams.edges(node).iter().map(|(bound, _)| *bound));
            }
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    if cuts.last() != Some(&i64::MAX) {
        cuts.push(i64::MAX);
    }
    let edges: Vec<(i64, Diagram)> =
        cuts.iter().enumerate().map(|(cell, cut)| (*cut, Diagram::leaf(cell as u32))).collect();
    let diagram = model.diagrams.decide(choice as u32, edges)?;
    // The secret may be shifted and scaled.
    let (scale, offset) = (affine.scale.to_f64(), affine.offset.to_f64());
    let moved = |bound: f64| offset + scale * bound;
    let mut bounds = Vec::new();
    let mut low = f64::NEG_INFINITY;
    for cut in &cuts {
        let high = unrank(*cut);
        let (a, b) = (moved(low), moved(high));
        bounds.push((a.min(b), a.max(b)));
        low = high;
    }
    let scalar = |value: f64| S::from_f64(value).unwrap_or_else(S::zero);
    Ok(Some(Cells {
        diagram,
        mean: scalar(moved(normal.mean())),
        variance: scalar(scale * scale * normal.variance()),
        bounds,
    }))
}
