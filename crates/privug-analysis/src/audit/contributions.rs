//! Who contributes how much to a published figure.
//!
//! A figure is an affine expression of the people's secrets, Σ wᵢ·xᵢ. The weights are found by going back through the
//! network from the figure and stopping at the secrets: what stands behind a secret (a household's shared term) is the
//! attacker's model of it, and contributes nothing of its own.

use std::collections::BinaryHeap;

use super::Release;
use privug_engine::network::{Affine, Network, NodeId};
use privug_engine::number::Scalar;

/// The contributors of one figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contributions {
    /// How many people have a weight.
    pub contributors: usize,
    /// Σ|wᵢ·xᵢ| over the real values.
    pub total: f64,
    /// (person, |wᵢ·xᵢ|) of the largest, descending.
    pub largest: Vec<(usize, f64)>,
    /// max|wᵢ|: by how much the figure changes when one secret changes by 1.
    pub largest_weight: f64,
    /// Variance of the noise that the script itself adds.
    pub noise_variance: f64,
}

/// In how many figures each person is, and the fewest contributors of one of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Involvement {
    /// One for each person.
    pub figures: Vec<u32>,
    /// One for each person; `u32::MAX` for those in no figure.
    pub smallest_frequency: Vec<u32>,
}

/// Weights that cancel up to this part of what was added and subtracted are taken as 0.
const CANCELLED: f64 = 1e-13;
/// A node that is no person's secret.
const NOBODY: u32 = u32::MAX;

/// The contributors of every figure, of which the `kept` largest are kept; tells after each how many are done.
pub(super) fn contributions<S: Scalar>(
    release: &Release<S>,
    kept: usize,
    done: &dyn Fn(usize),
) -> (Vec<Contributions>, Involvement) {
    let people = release.secrets.len();
    let mut person_of = vec![NOBODY; release.network.len()];
    for (person, secret) in release.secrets.iter().enumerate() {
        person_of[secret.node.0 as usize] = person as u32;
    }
    let mut sweep = Sweep {
        network: &release.network,
        person_of,
        reached: vec![Reached::default(); release.network.len()],
        due: BinaryHeap::new(),
        people: Vec::new(),
    };
    let mut involvement = Involvement { figures: vec![0; people], smallest_frequency: vec![u32::MAX; people] };
    let found = release.outputs.iter().enumerate().map(|(index, output)| {
        let found = sweep.figure(&output.variable, &release.truths, kept, &mut involvement);
        done(index + 1);
        found
    });
    (found.collect(), involvement)
}

/// What was added to a node on the way back.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    weight: f64,
    /// The same with all signs positive; not 0 once the node was reached.
    size: f64,
}

struct Sweep<'a, S> {
    network: &'a Network<S>,
    person_of: Vec<u32>,
    reached: Vec<Reached>,
    /// Nodes that are no secrets, the latest first: all that leads to a node is done before the node is.
    due: BinaryHeap<NodeId>,
    /// The secrets that were reached.
    people: Vec<NodeId>,
}

impl<S: Scalar> Sweep<'_, S> {
    fn figure(
        &mut self,
        figure: &Affine<S>,
        truths: &[f64],
        kept: usize,
        involvement: &mut Involvement,
    ) -> Contributions {
        let mut found = Contributions::default();
        let scale = figure.scale.to_f64();
        if scale == 0.0 {
            return found;
        }
        self.reach(figure.node, scale, scale.abs());
        while let Some(node) = self.due.pop() {
            let Reached { weight, size } = std::mem::take(&mut self.reached[node.0 as usize]);
            let network = self.network;
            let terms = network.node(node);
            found.noise_variance += weight * weight * terms.noise_variance.to_f64();
            let divisor = terms.divisor.map_or(1.0, Scalar::to_f64);
            for (parent, factor) in terms.parents() {
                let factor = factor.to_f64() / divisor;
                self.reach(parent, weight * factor, size * factor.abs());
            }
        }
        let mut people = std::mem::take(&mut self.people);
        people.retain(|node| {
            let Reached { weight, size } = std::mem::take(&mut self.reached[node.0 as usize]);
            if weight.abs() <= CANCELLED * size {
                return false;
            }
            let person = self.person_of[node.0 as usize] as usize;
            let contribution = (weight * truths[person]).abs();
            found.total += contribution;
            found.largest_weight = found.largest_weight.max(weight.abs());
            keep(&mut found.largest, (person, contribution), kept);
            true
        });
        found.contributors = people.len();
        for node in &people {
            let person = self.person_of[node.0 as usize] as usize;
            involvement.figures[person] += 1;
            let smallest = &mut involvement.smallest_frequency[person];
            *smallest = (*smallest).min(found.contributors as u32);
        }
        people.clear();
        self.people = people;
        found
    }

    fn reach(&mut self, node: NodeId, weight: f64, size: f64) {
        let reached = &mut self.reached[node.0 as usize];
        let is_new = reached.size == 0.0;
        reached.weight += weight;
        reached.size += size;
        if is_new && reached.size != 0.0 {
            if self.person_of[node.0 as usize] == NOBODY {
                self.due.push(node);
            } else {
                self.people.push(node);
            }
        }
    }
}

/// Keeps the largest, descending; of equals the first person.
fn keep(largest: &mut Vec<(usize, f64)>, next: (usize, f64), kept: usize) {
    let before = |one: &(usize, f64)| one.1 > next.1 || (one.1 == next.1 && one.0 < next.0);
    if largest.len() == kept && largest.last().is_some_and(before) {
        return;
    }
    let place = largest.partition_point(before);
    largest.insert(place, next);
    largest.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::super::testing::Table;
    use super::*;

    #[test]
    fn a_mean_weighs_all_alike_and_a_difference_cancels_those_in_both() {
        // Incomes 10, 20, 30, 40: the mean of all, the sum of the last two, and all without the last.
        let mut table = Table::new(&[10.0, 20.0, 30.0, 40.0], 1.0);
        let all = table.mean("all", &[0, 1, 2, 3]);
        let last = table.sum("last two", &[2, 3]);
        table.combine("first two", &[(all, 1.0), (last, -1.0)]);
        let (found, involvement) = contributions(&table.release, 3, &|_| {});
        assert_eq!((found[0].contributors, found[0].total, found[0].largest_weight), (4, 25.0, 0.25));
        assert_eq!(found[0].largest, [(3, 10.0), (2, 7.5), (1, 5.0)]);
        assert_eq!((found[1].contributors, found[1].total), (2, 70.0));
        assert_eq!((found[2].contributors, found[2].largest[0]), (2, (1, 20.0)));
        assert_eq!(involvement.figures, [2, 2, 2, 2]);
        assert_eq!(involvement.smallest_frequency, [2, 2, 2, 2]);
    }

    #[test]
    fn what_stands_behind_a_secret_is_no_contributor() {
        let mut table: Table = Table::with_household(&[10.0, 20.0], 4.0, 1.0);
        table.sum("both", &[0, 1]);
        let (found, _) = contributions(&table.release, 2, &|_| {});
        assert_eq!((found[0].contributors, found[0].noise_variance), (2, 0.0));
    }

    #[test]
    fn a_long_chain_of_sums_is_followed_to_its_end() {
        let mut table = Table::new(&vec![1.0; 1000], 1.0);
        let mut total = table.sum("0", &[0]);
        for person in 1..1000 {
            let next = table.sum("one", &[person]);
            total = table.combine("chain", &[(total, 1.0), (next, 1.0)]);
        }
        let (found, _) = contributions(&table.release, 2, &|_| {});
        assert_eq!(found.last().map(|last| last.contributors), Some(1000));
    }

    #[test]
    fn the_largest_are_kept_in_order() {
        let mut largest = Vec::new();
        for (person, size) in [3.0, 1.0, 4.0, 1.0, 5.0, 4.0].into_iter().enumerate() {
            keep(&mut largest, (person, size), 3);
        }
        assert_eq!(largest, [(4, 5.0), (2, 4.0), (5, 4.0)]);
    }
}
