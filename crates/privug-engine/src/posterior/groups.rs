//! Sources that all observations see in the same way, merged: three averages of a million people see at most seven groups.
//!
//! If every observation has the same coefficient on some sources, only the sum of their noises matters, and that is one
//! source with the sum of their variances. The groups are found by partition refinement: each row splits the groups
//! that it has different parts of.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use crate::network::{Network, NodeId};
use crate::number::{Constants, Field as _, Scalar, Wide};

use super::factor::Field;
use super::range::{exponent, scale, sum_scaled};
use super::residue::{Primes, Residues};
use super::row::Row;

/// Variances in one group differ by less than a factor of 4 to the power of this: their sum has the digits of each.
const EXPONENTS_TOGETHER: i32 = 32;

/// The groups of the sources that observations depend on, numbered from 0.
#[derive(Debug)]
pub(super) struct Groups<'a, S: Scalar> {
    pub(super) network: &'a Network<S>,
    found: Found<S::Wide>,
}

/// What was found of the groups, whatever is added to the network afterwards.
#[derive(Debug)]
pub(super) struct Found<W> {
    /// For each node, one more than its group.
    of_node: Vec<u32>,
    /// The first source of each group, ascending.
    first: Vec<u32>,
    /// Σ of their variances in units of 4ᵉ, in [1, 4), and the e.
    units: Vec<(W, i32)>,
    /// How many sources are in each.
    sizes: Vec<usize>,
}

impl<'a, S: Scalar> Groups<'a, S> {
    pub(super) fn new(network: &'a Network<S>, rows: &[Row<S::Wide>]) -> Self {
        let mut partition = Partition::new(network.len());
        // The blocks do not depend on the order. Long runs first, while few blocks are in them.
        let mut order: Vec<&Row<S::Wide>> = rows.iter().collect();
        order.sort_by_key(|row| Reverse(row.len / row.runs.len().max(1)));
        for row in order {
            partition.refine(row, |source| {
                let variance = &network.noise_variances(source..source + 1)[0];
                if S::EXACT { 0 } else { exponent(variance.to_f64()).div_euclid(2 * EXPONENTS_TOGETHER) }
            });
        }
        let (first, units, sizes) = (Vec::new(), Vec::new(), Vec::new());
        let found = Found { of_node: partition.of_node, first, units, sizes };
        let mut groups = Groups { network, found };
        groups.number(partition.blocks.len());
        groups
    }

    /// The groups that were found before: nothing depends on nodes that came since.
    pub(super) fn again(network: &'a Network<S>, mut found: Found<S::Wide>) -> Self {
        found.of_node.resize(network.len(), 0);
        Groups { network, found }
    }

    /// What does not depend on nodes that are yet to come.
    pub(super) fn found(self) -> Found<S::Wide> {
        self.found
    }

    /// Numbers the blocks by their first sources, and sums up variances.
    fn number(&mut self, blocks: usize) {
        let mut number_of_block = vec![0u32; blocks + 1];
        let mut source = 0;
        let Found { of_node, first, units, sizes } = &mut self.found;
        for alike in of_node.chunk_by_mut(|a, b| a == b) {
            let sources = source..source + alike.len();
            source = sources.end;
            if alike[0] == 0 {
                continue;
            }
            let variances = self.network.noise_variances(sources.clone());
            let number = &mut number_of_block[alike[0] as usize];
            if *number == 0 {
                first.push(sources.start as u32);
                let (_, e) = unit_variance(&variances[0]);
                units.push((S::Wide::zero(), e));
                sizes.push(0);
                *number = first.len() as u32;
            }
            let (sum, e) = &mut units[*number as usize - 1];
            *sum = sum.add(&sum_scaled(variances, -2 * *e));
            sizes[*number as usize - 1] += variances.len();
            alike.fill(*number);
        }
        for (sum, e) in units.iter_mut().filter(|_| !S::EXACT) {
            let change = exponent(sum.to_f64()).div_euclid(2);
            (*sum, *e) = (scale(sum, -2 * change), *e + change);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.found.first.len()
    }

    /// The group of a source, if an observation depends on it.
    pub(super) fn of(&self, source: NodeId) -> Option<u32> {
        self.found.of_node[source.0 as usize].checked_sub(1)
    }

    /// How many sources a group has.
    pub(super) fn size(&self, group: u32) -> usize {
        self.found.sizes[group as usize]
    }

    /// The group of a source that an observation depends on.
    pub(super) fn of_observed(&self, source: u32) -> u32 {
        self.found.of_node[source as usize] - 1
    }

    /// Where the first sources of some groups lie; those of others do not.
    pub(super) fn first_sources(&self, groups: Range<usize>) -> Range<u32> {
        let first = |group: usize| self.found.first.get(group).copied().unwrap_or(u32::MAX);
        first(groups.start)..first(groups.end)
    }

    /// A group's variance v as v·4⁻ᵉ in [1, 4), and e.
    pub(super) fn unit(&self, group: u32) -> &(S::Wide, i32) {
        &self.found.units[group as usize]
    }

    /// A source's variance in the units of its group, if it has one, and the e of these units.
    pub(super) fn unit_variance(&self, source: NodeId) -> (S::Wide, i32) {
        let variance = self.network.node(source).noise_variance;
        match self.of(source) {
            Some(group) => {
                let e = self.unit(group).1;
                (scale(&S::Wide::widen(variance), -2 * e), e)
            }
            None => unit_variance(variance),
        }
    }

    /// A row with one source of each group only: all of them have the same part.
    pub(super) fn merged(&self, whole: &Row<S::Wide>) -> Row<S::Wide> {
        let mut row = Row { parts: whole.parts.clone(), mean: whole.mean.clone(), exact: whole.exact, ..Row::empty() };
        for run in &whole.runs {
            let mut end = run.sources().end;
            for alike in self.found.of_node[run.sources()].chunk_by(|a, b| a == b).rev() {
                end -= alike.len();
                // A group's first source is the first of its neighbours in the group too.
                if self.found.first[alike[0] as usize - 1] as usize == end {
                    row.push(end..end + 1, run.part);
                }
            }
        }
        row.runs.shrink_to_fit();
        row
    }

    /// What stands for the variances of groups among the residues.
    pub(super) fn residue_variances(&self, primes: &Primes) -> Vec<Residues> {
        let mut variances = vec![primes.nought(); self.len()];
        for (source, group) in self.found.of_node.iter().enumerate().filter(|(_, group)| **group > 0) {
            let sum = &mut variances[*group as usize - 1];
            *sum = primes.plus(sum, &primes.variance_of(source as u32));
        }
        variances
    }
}

/// v as (v·4⁻ᵉ, e) with v·4⁻ᵉ in [1, 4).
pub(super) fn unit_variance<S: Scalar>(variance: &S) -> (S::Wide, i32) {
    let e = if S::EXACT { 0 } else { exponent(variance.to_f64()).div_euclid(2) };
    (scale(&S::Wide::widen(variance), -2 * e), e)
}

/// Sources in blocks, which rows split.
#[derive(Debug)]
struct Partition {
    /// For each node, one more than its block.
    of_node: Vec<u32>,
    blocks: Vec<Block>,
    /// Blocks of sources that no row has been seen to depend on, by the size of their variances.
    fresh: HashMap<i32, u32>,
    last_fresh: Option<(i32, u32)>,
    /// The row that is being looked at, from 1.
    row: u32,
}

#[derive(Debug, Clone, Default)]
struct Block {
    size: u32,
    is_fresh: bool,
    /// The last row that split it, one of its parts, and the block of the sources with that part.
    split_by: u32,
    part: u32,
    child: u32,
}

impl Partition {
    fn new(nodes: usize) -> Self {
        Partition { of_node: vec![0; nodes], blocks: Vec::new(), fresh: HashMap::new(), last_fresh: None, row: 0 }
    }

    fn refine<W>(&mut self, row: &Row<W>, size_of: impl Fn(usize) -> i32) {
        self.row += 1;
        // The children of blocks of which the row has several parts, but for the first.
        let mut others: HashMap<(u32, u32), u32> = HashMap::new();
        for run in &row.runs {
            let sources = run.sources();
            let mut end = sources.end;
            while end > sources.start {
                let (block, count) = self.alike(sources.start..end, &size_of);
                if let Some(child) = self.child(block, run.part, &mut others) {
                    self.blocks[block as usize].size -= count as u32;
                    self.blocks[child as usize].size += count as u32;
                    self.of_node[end - count..end].fill(child + 1);
                }
                end -= count;
            }
        }
    }

    /// The block of the last of some neighbouring sources, and how many of those before it are in it too.
    fn alike(&mut self, sources: Range<usize>, size_of: impl Fn(usize) -> i32) -> (u32, usize) {
        let last = self.of_node[sources.end - 1];
        let is_alike = |source: &usize| self.of_node[*source] == last;
        let before = sources.rev().take_while(is_alike);
        match last.checked_sub(1) {
            Some(block) => (block, before.count()),
            None => {
                let mut sizes = before.map(&size_of);
                let size = sizes.next().unwrap_or(0);
                let count = 1 + sizes.take_while(|other| *other == size).count();
                let block = self.fresh(size);
                self.blocks[block as usize].size += count as u32;
                (block, count)
            }
        }
    }

    /// The block that those of a block's sources go to of which the row has this part; `None` if they stay.
    fn child(&mut self, block: u32, part: u32, others: &mut HashMap<(u32, u32), u32>) -> Option<u32> {
        let before = &self.blocks[block as usize];
        if before.split_by != self.row {
            if before.size == 1 && !before.is_fresh {
                // Nothing can be split off a single source.
                return None;
            }
            let child = another(&mut self.blocks);
            let before = &mut self.blocks[block as usize];
            (before.split_by, before.part, before.child) = (self.row, part, child);
            Some(child)
        } else if before.part == part {
            Some(before.child)
        } else {
            Some(*others.entry((block, part)).or_insert_with(|| another(&mut self.blocks)))
        }
    }

    /// The block of sources that come for the first time.
    fn fresh(&mut self, size: i32) -> u32 {
        let block = match self.last_fresh {
            Some((last, block)) if last == size => block,
            _ => *self.fresh.entry(size).or_insert_with(|| {
                let block = another(&mut self.blocks);
                self.blocks[block as usize].is_fresh = true;
                block
            }),
        };
        self.last_fresh = Some((size, block));
        block
    }
}

/// Adds a block and gives its number.
fn another(blocks: &mut Vec<Block>) -> u32 {
    blocks.push(Block::default());
    blocks.len() as u32 - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::DoubleDouble;
    use crate::posterior::Options;
    use crate::posterior::poll::Poll;
    use crate::posterior::sweep::Sweeper;
    use privug_language::source::Span;

    /// The groups that sums of these sources see, each with its variance.
    fn groups(variances: &[f64], sums: &[&[(u32, f64)]]) -> (Vec<Option<u32>>, Vec<f64>) {
        let mut network: Network<f64> = Network::default();
        for variance in variances {
            network.push(0.0, [], *variance, Span::START);
        }
        let mut rows: Vec<Row<DoubleDouble>> = Vec::new();
        for terms in sums {
            let node = network.push(0.0, terms.iter().map(|(id, weight)| (NodeId(*id), *weight)), 0.0, Span::START);
            let mut sweeper = Sweeper::new(&network);
            rows.push(sweeper.sweep(node, &mut Poll::new(&Options::default())).expect("in range"));
        }
        let groups = Groups::new(&network, &rows);
        let of = (0..variances.len()).map(|source| groups.of(NodeId(source as u32))).collect();
        (of, groups.found.units.iter().map(|(sum, e)| scale(sum, 2 * e).to_f64()).collect())
    }

    #[test]
    fn sources_with_the_same_coefficients_everywhere_are_one() {
        let (of, variances) = groups(
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            &[&[(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)], &[(2, 0.5), (3, 0.5), (4, 0.5)]],
        );
        assert_eq!(of, [Some(0), Some(0), Some(1), Some(1), Some(2), None]);
        assert_eq!(variances, [3.0, 7.0, 5.0]);
    }

    #[test]
    fn different_coefficients_keep_sources_apart() {
        let (of, _) = groups(&[1.0; 4], &[&[(0, 1.0), (1, 2.0), (2, 1.0), (3, 2.0)], &[(0, 1.0), (1, 1.0)]]);
        assert_eq!(of, [Some(0), Some(1), Some(2), Some(3)]);
        let (of, _) = groups(&[1.0; 4], &[&[(0, 1.0), (1, 2.0), (2, 1.0), (3, 2.0)]]);
        assert_eq!(of, [Some(0), Some(1), Some(0), Some(1)]);
    }

    #[test]
    fn single_sources_stay_what_they_are() {
        let all: Vec<(u32, f64)> = (0..3).map(|source| (source, 1.0)).collect();
        let (of, variances) = groups(&[1.0; 3], &[&all[..1], &all[..2], &all, &all[..1], &all[1..]]);
        assert_eq!(of, [Some(0), Some(1), Some(2)]);
        assert_eq!(variances, [1.0; 3]);
    }

    #[test]
    fn variances_too_far_apart_to_be_added_are_not() {
        let (of, variances) = groups(&[1.0, 1e-40, 1.0, 1e-40], &[&[(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)]]);
        assert_eq!(of, [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(variances, [2.0, 2e-40]);
    }
}
