//! Reverse sweeps: what one node of the network is made of.

use std::ops::Range;

use crate::network::{Network, Node, NodeId, Term};
use crate::number::{Constants, Field, Scalar, Wide};

use super::descending::DescendingSet;
use super::parts::{COEFFICIENT_EXPONENT, NOTHING, Parts};
use super::poll::{Interrupt, Poll};
use super::range::{OutOfRange, exponent, sum_scaled};
use super::residue::Primes;
use super::row::{Part, Row, number_error};

/// Sweeps backwards through a network, reusing its workspace: each sweep costs as much as it touches.
#[derive(Debug)]
pub(super) struct Sweeper<'a, S: Scalar> {
    network: &'a Network<S>,
    /// The part of each node; [`NOTHING`] between sweeps.
    part_of: Vec<u32>,
    pending: DescendingSet,
    parts: Parts<S>,
    /// Σ of the constants of the nodes with each part.
    constants: Vec<S::Wide>,
    /// How many nodes the row is made of.
    visited: usize,
}

impl<'a, S: Scalar> Sweeper<'a, S> {
    pub(super) fn new(network: &'a Network<S>) -> Self {
        Self::with_primes(network, Primes::of(network))
    }

    /// With the primes of another sweeper of this network.
    pub(super) fn with_primes(network: &'a Network<S>, primes: Primes) -> Self {
        let nodes = network.len();
        let (part_of, pending) = (vec![NOTHING; nodes], DescendingSet::new(nodes));
        let parts = Parts::new(primes);
        Sweeper { network, part_of, pending, parts, constants: Vec::new(), visited: 0 }
    }

    /// The primes that residues are taken modulo of.
    pub(super) fn primes(&self) -> &Primes {
        &self.parts.primes
    }

    /// The row of a node: with xᵢ = bᵢ + Σ wᵢⱼ·xⱼ + noiseᵢ, from the node down to the first,
    ///
    /// ```text
    /// coefficientⱼ += coefficientᵢ·wᵢⱼ        error: |wᵢⱼ|·errorᵢ + |coefficientᵢ|·error of wᵢⱼ
    /// ```
    ///
    /// `docs/proofs/rows.md` has the proof of the bounds.
    pub(super) fn sweep(&mut self, node: NodeId, poll: &mut Poll) -> Result<Row<S::Wide>, Interrupt> {
        let mut row = Row::empty();
        self.visited = 0;
        let swept = self.follow(node, &mut row, poll).and_then(|(node, part)| {
            if self.is_sum_of_sources(node) {
                self.add_sum(node, part, &mut row).and_then(|work| poll.spend(work))
            } else {
                self.sweep_from(node, part, &mut row, poll)
            }
        });
        if let Err(interrupt) = swept {
            self.clear();
            return Err(interrupt);
        }
        Ok(self.finish(row))
    }

    /// A row with its parts and its mean.
    fn finish(&mut self, mut row: Row<S::Wide>) -> Row<S::Wide> {
        row.parts = std::mem::take(&mut self.parts.all);
        let additions = self.visited + self.constants.len();
        let means = row.parts.iter().zip(self.constants.drain(..)).map(|(part, sum)| part.coefficient.mul(&sum));
        row.mean.value = means.fold(S::Wide::zero(), |sum, mean| sum.add(&mean));
        row.mean.error += S::Wide::UNIT_ROUNDOFF * additions as f64 * row.mean.magnitude;
        row
    }

    /// From a node to the first that has not just one parent, such as from a mean to the sum; and the part of that.
    fn follow(&mut self, node: NodeId, row: &mut Row<S::Wide>, poll: &mut Poll) -> Result<(NodeId, u32), Interrupt> {
        let (mut node, mut part) = (node, self.parts.begin());
        while let Node { terms: [Term { first, count: 1, weight }], divisor, .. } = self.network.node(node)
            && !weight.is_zero()
        {
            poll.spend(1)?;
            if !self.add(node.0 as usize..node.0 as usize + 1, part, row)? {
                break;
            }
            part = self.parts.divided(part, divisor)?;
            part = self.parts.passed_on(part, weight, NOTHING)?;
            node = *first;
        }
        Ok((node, part))
    }

    /// Whether a node's parents have none themselves, and come in their order: then there is nothing to sweep.
    fn is_sum_of_sources(&self, node: NodeId) -> bool {
        let terms = self.network.node(node).terms;
        terms.iter().all(|term| self.network.are_without_parents(term.parents()))
            && terms.is_sorted_by(|a, b| a.parents().end <= b.parents().start)
    }

    /// Adds a sum of sources to the row; returns the work done.
    fn add_sum(&mut self, node: NodeId, part: u32, row: &mut Row<S::Wide>) -> Result<u64, Interrupt> {
        let mut work = 1;
        if !self.add(node.0 as usize..node.0 as usize + 1, part, row)? {
            return Ok(work);
        }
        let node = self.network.node(node);
        let part = self.parts.divided(part, node.divisor)?;
        // Very many sources in a row have the same part.
        let (mut last, mut size) = (NOTHING, None);
        let mut gathered = Gathered::new();
        let is_plain = self.network.rests(0..self.network.len()).next().is_none();
        for term in node.terms.iter().rev().filter(|term| !term.weight.is_zero()) {
            let number = self.parts.passed_on(part, &term.weight, NOTHING)?;
            if number != last {
                if let Some(size) = &size {
                    self.take_in(size, last, std::mem::replace(&mut gathered, Gathered::new()), row);
                }
                (last, size) = (number, self.size_of(number)?);
            }
            work += u64::from(term.count);
            let Some(size) = &size else { continue };
            if is_plain && term.count == 1 {
                let source = term.first.0 as usize..term.first.0 as usize + 1;
                gathered.add(&self.network.constants(source.clone())[0]);
                self.visited += 1;
                if !self.network.noise_variances(source.clone())[0].is_zero() {
                    row.exact &= !size.rounded;
                    row.push(source, number);
                }
            } else {
                self.add_with(size, term.parents(), number, row);
            }
        }
        if let Some(size) = &size {
            self.take_in(size, last, gathered, row);
        }
        Ok(work)
    }

    /// Adds the constants of nodes with the same part to the row's mean.
    fn take_in(&mut self, size: &Size, number: u32, gathered: Gathered<S>, row: &mut Row<S::Wide>) {
        let sum = &mut self.constants[number as usize];
        *sum = gathered.sums.iter().fold(sum.clone(), |sum, other| sum.add(other));
        row.mean.error += size.error * gathered.magnitude + size.value * gathered.rounding;
        row.mean.magnitude += size.value * gathered.magnitude;
    }

    fn sweep_from(
        &mut self,
        node: NodeId,
        part: u32,
        row: &mut Row<S::Wide>,
        poll: &mut Poll,
    ) -> Result<(), Interrupt> {
        self.part_of[node.0 as usize] = part;
        self.pending.insert(node.0 as usize..node.0 as usize + 1);
        while let Some(due) = self.pending.largest_word() {
            self.visit_some(due, row).and_then(|work| poll.spend(work))?;
        }
        Ok(())
    }

    /// Visits the last of these nodes, or all of them if they have no parents: such nodes pass nothing on. Returns the
    /// work done.
    fn visit_some(&mut self, due: Range<usize>, row: &mut Row<S::Wide>) -> Result<u64, Interrupt> {
        if !self.network.are_without_parents(due.clone()) {
            return self.visit_last(row);
        }
        let mut work = 0;
        for run in self.pending.take_word() {
            let mut end = run.end;
            while end > run.start {
                let number = self.part_of[end - 1];
                let alike = self.part_of[run.start..end].iter().rev().take_while(|other| **other == number).count();
                let nodes = end - alike..end;
                end = nodes.start;
                work += alike as u64;
                self.part_of[nodes.clone()].fill(NOTHING);
                if let Err(error) = self.add(nodes, number, row) {
                    self.part_of[due].fill(NOTHING);
                    return Err(error.into());
                }
            }
        }
        Ok(work)
    }

    /// Visits the last node that is due, and passes its part on to its parents; returns the work done.
    fn visit_last(&mut self, row: &mut Row<S::Wide>) -> Result<u64, Interrupt> {
        let index = self.pending.take_largest();
        let number = std::mem::replace(&mut self.part_of[index], NOTHING);
        let mut work = 1;
        if self.add(index..index + 1, number, row)? {
            let node = self.network.node(NodeId(index as u32));
            let number = self.parts.divided(number, node.divisor)?;
            for term in node.terms.iter().filter(|term| !term.weight.is_zero()) {
                // First, so that an interrupted sweep finds all that it has to forget.
                self.pending.insert(term.parents());
                for part in &mut self.part_of[term.parents()] {
                    *part = self.parts.passed_on(number, &term.weight, *part)?;
                }
                work += u64::from(term.count);
            }
        }
        Ok(work)
    }

    /// Adds neighbouring nodes with the same part to the row; says whether that part is other than zero.
    fn add(&mut self, nodes: Range<usize>, number: u32, row: &mut Row<S::Wide>) -> Result<bool, OutOfRange> {
        let size = self.size_of(number)?;
        if let Some(size) = &size {
            self.add_with(size, nodes, number, row);
        }
        Ok(size.is_some())
    }

    /// How large a part is; `None` if it is zero.
    fn size_of(&mut self, number: u32) -> Result<Option<Size>, OutOfRange> {
        self.constants.resize(self.parts.all.len(), S::Wide::zero());
        let Part { coefficient, error, residue, rounded } = &self.parts.all[number as usize];
        // Terms that cancel may leave rounding behind; the residue knows.
        let cancelled = if S::EXACT {
            coefficient.is_zero()
        } else {
            !rounded && *residue == [0, 0] && coefficient.to_f64().abs() <= *error
        };
        if cancelled {
            return Ok(None);
        }
        let value = coefficient.to_f64().abs();
        if !S::EXACT && exponent(value).abs() > COEFFICIENT_EXPONENT {
            return Err(OutOfRange);
        }
        Ok(Some(Size { value, error: *error, rounded: *rounded }))
    }

    /// Adds neighbouring nodes with the same part, which is not zero.
    fn add_with(&mut self, size: &Size, nodes: Range<usize>, number: u32, row: &mut Row<S::Wide>) {
        let constants = self.network.constants(nodes.clone());
        let mut rests = self.network.rests(nodes.clone()).peekable();
        if rests.peek().is_some() || constants.iter().any(|constant| !constant.is_zero()) {
            let (magnitude, mut rounding) = sizes(constants);
            let sum = &mut self.constants[number as usize];
            *sum = match constants {
                [constant] => sum.add_narrow(constant),
                constants => sum.add(&sum_scaled(constants, 0)),
            };
            for (node, rest) in rests {
                *sum = sum.add_narrow(&rest.low);
                // Of these the error of the whole is known.
                rounding += rest.error - number_error(&constants[node - nodes.start]);
            }
            let rounding = rounding.max(0.0);
            row.mean.error += size.error * magnitude + size.value * rounding;
            row.mean.magnitude += size.value * magnitude;
        }
        self.visited += nodes.len();
        let mut end = nodes.end;
        let variances = self.network.noise_variances(nodes.clone());
        if variances.iter().all(|variance| !variance.is_zero()) {
            row.exact &= !size.rounded;
            row.push(nodes, number);
            return;
        }
        for alike in variances.chunk_by(|a, b| a.is_zero() == b.is_zero()).rev() {
            let sources = end - alike.len()..end;
            end = sources.start;
            if !alike[0].is_zero() {
                row.exact &= !size.rounded;
                row.push(sources, number);
            }
        }
    }

    /// Forgets an interrupted sweep.
    fn clear(&mut self) {
        self.constants.clear();
        while let Some(due) = self.pending.largest_word() {
            self.pending.take_word().for_each(drop);
            self.part_of[due].fill(NOTHING);
        }
    }
}

/// Σ |constant| and Σ of their errors, of many several at a time: each addition waits for the one before it.
fn sizes<S: Scalar>(constants: &[S]) -> (f64, f64) {
    const SUMS: usize = 8;
    let add =
        |(size, error): (f64, f64), constant: &S| (size + constant.to_f64().abs(), error + number_error(constant));
    let (rows, rest) = constants.as_chunks::<SUMS>();
    let total = rest.iter().fold((0.0, 0.0), add);
    let Some((first, rows)) = rows.split_first() else { return total };
    let mut sums = first.each_ref().map(|constant| add((0.0, 0.0), constant));
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, constant)| *sum = add(*sum, constant));
    }
    sums.iter().fold(total, |total, sum| (total.0 + sum.0, total.1 + sum.1))
}

/// Constants of single nodes with the same part, in several sums: each addition waits for the one before it.
struct Gathered<S: Scalar> {
    sums: [S::Wide; 4],
    count: usize,
    /// Σ of their sizes, and of their errors.
    magnitude: f64,
    rounding: f64,
}

impl<S: Scalar> Gathered<S> {
    fn new() -> Self {
        Gathered { sums: std::array::from_fn(|_| S::Wide::zero()), count: 0, magnitude: 0.0, rounding: 0.0 }
    }

    fn add(&mut self, constant: &S) {
        if constant.is_zero() {
            return;
        }
        let sum = &mut self.sums[self.count % 4];
        *sum = sum.add_narrow(constant);
        self.count += 1;
        self.magnitude += constant.to_f64().abs();
        self.rounding += number_error(constant);
    }
}

/// What of a part the sums over its nodes need.
struct Size {
    /// |coefficient|
    value: f64,
    error: f64,
    rounded: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posterior::Options;
    use privug_language::source::Span;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn push(network: &mut Network<f64>, terms: &[(NodeId, f64)], variance: f64) -> NodeId {
        network.push(1.0, terms.iter().copied(), variance, Span::START)
    }

    fn row_of(network: &Network<f64>, node: NodeId) -> Row<crate::number::DoubleDouble> {
        Sweeper::new(network).sweep(node, &mut Poll::new(&Options::default())).expect("in range")
    }

    #[test]
    fn short_weights_give_exact_coefficients_and_means() {
        let mut network = Network::default();
        let x = push(&mut network, &[], 2.0);
        let y = push(&mut network, &[(x, 3.0)], 0.0);
        let z = push(&mut network, &[(x, 0.5), (y, -2.0)], 1.0);
        let row = row_of(&network, z);
        let entries: Vec<_> =
            row.sources().map(|(source, part)| (source, part.coefficient.to_f64(), part.error)).collect();
        assert_eq!(entries, [(2, 1.0, 0.0), (0, -5.5, 0.0)]);
        assert_eq!((row.mean.value.to_f64(), row.exact), (1.0 - 2.0 - 5.5, true));
        assert!(row.mean.error < 1e-28);
    }

    proptest! {
        /// Sums of sources take a short cut to the same row.
        #[test]
        fn sums_of_sources_are_what_a_sweep_makes_of_them(
            sources in vec((-3..4i8, 0..3u8), 1..200),
            weights in vec(prop_oneof![Just(0.0), Just(1.0), Just(0.1), Just(-2.0)], 200),
            skipped in vec(0..4u8, 200),
        ) {
            let mut network = Network::default();
            for (constant, variance) in &sources {
                network.push(f64::from(*constant) / 10.0, [], f64::from(*variance), Span::START);
            }
            let terms: Vec<(NodeId, f64)> =
                (0..sources.len()).filter(|at| skipped[*at] > 0).map(|at| (NodeId(at as u32), weights[at])).collect();
            let sum = push(&mut network, &terms, 1.0);
            let options = Options::default();
            let (mut sweeper, mut poll) = (Sweeper::new(&network), Poll::new(&options));
            prop_assert!(sweeper.is_sum_of_sources(sum));
            let direct = sweeper.sweep(sum, &mut poll).expect("in range");
            let mut swept = Row::empty();
            sweeper.visited = 0;
            let one = sweeper.parts.begin();
            sweeper.sweep_from(sum, one, &mut swept, &mut poll).expect("in range");
            let swept = sweeper.finish(swept);
            let entries = |row: &Row<crate::number::DoubleDouble>| -> Vec<_> {
                row.sources().map(|(source, part)| (source, part.coefficient, part.error, part.residue)).collect()
            };
            prop_assert_eq!(entries(&direct), entries(&swept));
            prop_assert_eq!((direct.len, direct.exact), (swept.len, swept.exact));
            let difference = direct.mean.value.sub(&swept.mean.value).to_f64().abs();
            prop_assert!(difference <= direct.mean.error + swept.mean.error);
            prop_assert!((direct.mean.error - swept.mean.error).abs() <= 1e-9 * swept.mean.error);
        }
    }

    #[test]
    fn terms_that_cancel_leave_nothing_if_they_were_exact() {
        let mut network = Network::default();
        let x = push(&mut network, &[], 2.0);
        let y = push(&mut network, &[(x, 3.0)], 0.0);
        let z = push(&mut network, &[(x, 6.0), (y, -2.0)], 0.0);
        assert!(row_of(&network, z).runs.is_empty());
    }

    #[test]
    fn a_cancellation_of_rounded_weights_keeps_its_error() {
        let mut network = Network::default();
        let x = push(&mut network, &[], 2.0);
        let tenth = push(&mut network, &[(x, 0.1)], 0.0);
        let z = push(&mut network, &[(tenth, 3.0), (x, -0.3)], 0.0);
        let row = row_of(&network, z);
        let (_, part) = row.sources().next().expect("a source");
        assert!(!row.exact && part.error > 1e-16);
        assert!(part.coefficient.to_f64().abs() < part.error);
    }

    #[test]
    fn coefficients_that_leave_the_range_of_doubles_are_refused() {
        for weight in [1e-200, 1e200] {
            let mut network = Network::default();
            let mut node = push(&mut network, &[], 1.0);
            for _ in 0..2 {
                node = push(&mut network, &[(node, weight)], 0.0);
            }
            let swept = Sweeper::new(&network).sweep(node, &mut Poll::new(&Options::default()));
            assert!(matches!(swept, Err(Interrupt::OutOfRange)));
        }
    }
}
