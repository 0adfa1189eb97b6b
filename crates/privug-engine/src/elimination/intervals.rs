//! Secrets with very many values: what matters are the intervals that they were compared with.

use super::Refusal;
use crate::choices::{Diagram, Law};
use crate::evaluate::{Answer, ChoiceModel};
use crate::number::Scalar;

/// The intervals that the answers of a choice were compared with, each a value of its own: within one, nothing tells the
/// answers apart.
pub(super) fn intervals<S: Scalar>(model: &mut ChoiceModel<S>, choice: u32, low: i64) -> Result<Diagram, Refusal<S>> {
    let Law::Uniform(count) = model.laws[choice as usize] else { return Err(Refusal::TooWide) };
    let last = i64::try_from(count).map_err(|_| Refusal::TooWide)? - 1;
    let mut cuts: Vec<i64> = vec![last];
    for root in model.roots() {
        for node in model.diagrams.nodes_of(root) {
            if model.diagrams.choice(node) == Some(choice) {
                cuts.extend(model.diagrams.edges(node).iter().map(|(bound, _)| *bound).filter(|bound| *bound < last));
            }
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    let mut edges = Vec::with_capacity(cuts.len());
    let mut first = 0;
    for cut in cuts.into_iter().filter(|cut| *cut >= 0) {
        let leaf = Diagram::leaf(model.answers.len() as u32);
        let (from, to) = (low + first, low + cut);
        model.answers.push(if from == to { Answer::Integer(from) } else { Answer::Range(from, to) });
        edges.push((cut, leaf));
        first = cut + 1;
    }
    Ok(model.diagrams.decide(choice, edges)?)
}
