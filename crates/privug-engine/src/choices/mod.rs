//! Random values with finitely many answers, exactly: diagrams of choices, and the probabilities of their leaves.

mod diagram;
mod law;
mod mass;
mod product;
mod sweep;

pub use diagram::{Diagram, Diagrams, Edge, NodeMap, NodeSet, Shape, TooWide};
pub use law::{Law, rank, unrank};
pub use mass::{Mass, to_probability};
pub use product::{DEAD, Tuples};
pub use sweep::{Swept, choices_behind, sweep};

use std::collections::HashMap;

use crate::number::Scalar;

/// The probability of each leaf of a diagram, in the order of the leaves' numbers.
pub fn masses<S: Scalar>(diagrams: &Diagrams, laws: &[Law<S>], diagram: Diagram) -> Vec<(u32, Mass<S>)> {
    let mut arriving: HashMap<Diagram, Mass<S>> = HashMap::from([(diagram, Mass::one())]);
    for node in diagrams.nodes_of(diagram) {
        let Some(mass) = arriving.remove(&node) else { continue };
        let Some(choice) = diagrams.choice(node) else { continue };
        let mut low = None;
        for (bound, to) in diagrams.edges(node) {
            let share = laws[choice as usize].between(low, *bound);
            low = Some(*bound);
            if share.is_zero() {
                continue;
            }
            let share = share.mul(&mass);
            arriving.entry(*to).and_modify(|sum| *sum = sum.add(&share)).or_insert(share);
        }
    }
    let mut leaves: Vec<(u32, Mass<S>)> =
        arriving.into_iter().filter_map(|(to, mass)| to.as_leaf().map(|leaf| (leaf, mass))).collect();
    leaves.sort_by_key(|(leaf, _)| *leaf);
    leaves
}
