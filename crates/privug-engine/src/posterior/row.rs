//! A random variable as a sum over sources of randomness.

use std::ops::Range;

use super::residue::Residues;
use crate::number::{NUMBER_ERROR, Scalar, Wide};

/// What a row has of a source of randomness; very many sources may share one.
#[derive(Debug, Clone)]
pub(super) struct Part<W> {
    /// What the source's noise is multiplied by.
    pub coefficient: W,
    /// Bound on the coefficient's absolute error.
    pub error: f64,
    /// The coefficient modulo primes, exactly (see `residue`).
    pub residue: Residues,
    /// Whether it depends on a rounded weight.
    pub rounded: bool,
}

/// The mean of a row.
#[derive(Debug, Clone)]
pub(super) struct Mean<W> {
    /// Σ coefficient·constant.
    pub value: W,
    /// Bound on its absolute error.
    pub error: f64,
    /// Σ |coefficient·constant|.
    pub magnitude: f64,
}

/// Neighbouring sources of which a row has the same part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub first: u32,
    pub count: u32,
    pub part: u32,
}

impl Run {
    /// The sources' places in the network.
    pub(super) fn sources(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// A random variable as `mean + Σ coefficient·noise` over the network's independent noises.
#[derive(Debug, Clone)]
pub(super) struct Row<W> {
    /// The sources it depends on, each at most once, from the last to the first.
    pub runs: Vec<Run>,
    /// How many these are.
    pub len: usize,
    pub parts: Vec<Part<W>>,
    pub mean: Mean<W>,
    /// Whether no coefficient depends on a rounded weight.
    pub exact: bool,
}

impl<W: Wide> Row<W> {
    /// The row of a constant zero.
    pub(super) fn empty() -> Self {
        let mean = Mean { value: W::zero(), error: 0.0, magnitude: 0.0 };
        Row { runs: Vec::new(), len: 0, parts: Vec::new(), mean, exact: true }
    }

    /// The sources with what the row has of them.
    pub(super) fn sources(&self) -> impl Iterator<Item = (u32, &Part<W>)> + Clone {
        self.sources_within(0..u32::MAX)
    }

    /// Those of them that lie in a range.
    pub(super) fn sources_within(&self, range: Range<u32>) -> impl Iterator<Item = (u32, &Part<W>)> + Clone {
        let start = self.runs.partition_point(|run| run.first >= range.end);
        let runs = self.runs[start..].iter().take_while(move |run| run.first + run.count > range.start);
        runs.flat_map(move |run| {
            let here = run.first.max(range.start)..(run.first + run.count).min(range.end);
            here.rev().map(|source| (source, &self.parts[run.part as usize]))
        })
    }

    /// Adds sources in front of those that there are.
    pub(super) fn push(&mut self, sources: Range<usize>, part: u32) {
        let (first, count) = (sources.start as u32, sources.len() as u32);
        self.len += sources.len();
        match self.runs.last_mut() {
            Some(run) if run.part == part && first + count == run.first => {
                (run.first, run.count) = (first, run.count + count);
            }
            _ => self.runs.push(Run { first, count, part }),
        }
    }
}

/// Bound on the absolute error of a number of the program: a weight, a constant or a published value.
pub(super) fn number_error<S: Scalar>(number: &S) -> f64 {
    if number.is_rounded() { NUMBER_ERROR * number.to_f64().abs() } else { 0.0 }
}

impl<W: Wide> Part<W> {
    pub(super) fn new(coefficient: W) -> Self {
        Part { coefficient, error: 0.0, residue: [0, 0], rounded: false }
    }
}
