//! Very many random variables in a row.

use std::ops::Range;

use super::{Affine, NodeId};
use crate::number::Scalar;

/// Affine expressions in their order. Those of neighbouring nodes, shifted and scaled alike, take the room of one: a list
/// of a million new variables is one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Variables<S> {
    /// Each with the place of its first variable.
    runs: Vec<(usize, Affine<S>)>,
    len: usize,
}

/// Neighbouring nodes, shifted and scaled alike.
#[derive(Debug)]
pub struct VariableRun<S> {
    /// Their places among the variables.
    pub places: Range<usize>,
    /// The first of them.
    pub first: Affine<S>,
}

impl<S> Default for Variables<S> {
    fn default() -> Self {
        Variables { runs: Vec::new(), len: 0 }
    }
}

impl<S: Scalar> Variables<S> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends one.
    #[inline]
    pub fn push(&mut self, variable: Affine<S>) {
        let follows = self.runs.last().is_some_and(|(start, first)| {
            first.node.0 as usize + (self.len - start) == variable.node.0 as usize
                && first.scale == variable.scale
                && first.offset == variable.offset
        });
        if !follows {
            self.runs.push((self.len, variable));
        }
        self.len += 1;
    }

    /// Appends others.
    pub fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        self.runs.extend(other.runs.into_iter().map(|(start, first)| (start + self.len, first)));
        self.len += other.len;
    }

    /// The variable in this place.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn get(&self, place: usize) -> Affine<S> {
        assert!(place < self.len, "there are {} variables, and no number {place}", self.len);
        let (start, first) = &self.runs[self.run_of(place)];
        nth(first, place - start)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Affine<S>> {
        (0..self.len).map(|place| self.get(place))
    }

    /// Those in some places, run by run.
    pub fn runs(&self, places: Range<usize>) -> impl Iterator<Item = VariableRun<S>> {
        let first_run = if places.is_empty() { self.runs.len() } else { self.run_of(places.start) };
        let ends = self.runs.iter().skip(first_run + 1).map(|(start, _)| *start).chain([self.len]);
        let runs = self.runs.iter().skip(first_run).zip(ends);
        runs.take_while(move |((start, _), _)| *start < places.end).map(move |((start, first), end)| {
            let here = places.start.max(*start)..places.end.min(end);
            VariableRun { first: nth(first, here.start - start), places: here }
        })
    }

    fn run_of(&self, place: usize) -> usize {
        self.runs.partition_point(|(start, _)| *start <= place) - 1
    }
}

impl<S: Scalar> VariableRun<S> {
    /// The nodes' places in the network.
    pub fn nodes(&self) -> Range<usize> {
        let first = self.first.node.0 as usize;
        first..first + self.places.len()
    }

    /// The variable in this place.
    pub fn get(&self, place: usize) -> Affine<S> {
        nth(&self.first, place - self.places.start)
    }
}

/// The variable so many places behind the first of its run.
fn nth<S: Scalar>(first: &Affine<S>, places: usize) -> Affine<S> {
    Affine { node: NodeId(first.node.0 + places as u32), ..first.clone() }
}

impl<S: Scalar> FromIterator<Affine<S>> for Variables<S> {
    fn from_iter<I: IntoIterator<Item = Affine<S>>>(variables: I) -> Self {
        let mut all = Variables::default();
        variables.into_iter().for_each(|variable| all.push(variable));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn variables_are_those_that_were_given(
            given in vec((0..5u32, 1..3u8, 0..2u8), 0..20),
            more in vec((0..5u32, 1..3u8, 0..2u8), 0..20),
            cut in 0..41usize,
        ) {
            let variable = |(node, scale, offset): &(u32, u8, u8)| {
                Affine { node: NodeId(*node), scale: f64::from(*scale), offset: f64::from(*offset) }
            };
            let mut all: Variables<f64> = given.iter().map(variable).collect();
            all.append(more.iter().map(variable).collect());
            let expected: Vec<Affine<f64>> = given.iter().chain(&more).map(variable).collect();
            prop_assert_eq!(all.iter().collect::<Vec<_>>(), expected.as_slice());
            let cut = cut.min(expected.len());
            for places in [0..cut, cut..expected.len()] {
                let runs = all.runs(places.clone());
                let found: Vec<_> = runs.flat_map(|run| run.places.clone().map(move |place| run.get(place))).collect();
                prop_assert_eq!(found, &expected[places]);
            }
        }
    }

    #[test]
    fn a_list_of_new_variables_is_one_run() {
        let nodes = (7..1007).map(|node| Affine { node: NodeId(node), scale: 1.0, offset: 0.0 });
        let all: Variables<f64> = nodes.collect();
        let mut runs = all.runs(0..1000).map(|run| run.nodes());
        assert_eq!((runs.next(), runs.next()), (Some(7..1007), None));
    }
}
