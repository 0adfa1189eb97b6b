//! From probabilities of leaves to distributions of values: of the secret, and of the secret with what will be published.

use crate::sorting::CompactSort;
use std::collections::HashMap;

use super::classes::Classes;
use super::{Cells, Component, Distribution, Joint, Query, Refusal, threshold};
use crate::choices::{Diagram, Mass, NodeMap};
use crate::evaluate::Answer;
use crate::number::Scalar;

/// Secrets times outputs of a channel, which is written out.
const MAX_CHANNEL_CELLS: usize = 10_000_000;

impl<S: Scalar> Query<'_, S> {
    pub(super) fn distribution(
        &self,
        found: HashMap<u32, Mass<S>>,
        components: Vec<(Mass<S>, S, S)>,
        total: &Mass<S>,
    ) -> Distribution<S> {
        let share = |mass: &Mass<S>| mass.div(total).scalar();
        if let Some(cells) = &self.cells {
            let mut parts: Vec<(u32, Mass<S>)> = found.into_iter().collect();
            parts.sort_compact_by_key(|(leaf, _)| *leaf);
            let parts = parts.iter().map(|(leaf, mass)| cells.component(*leaf, share(mass)));
            return Distribution::Mixture(threshold::joined(parts.collect()));
        }
        let mut values: Vec<(u32, Mass<S>)> = found.into_iter().collect();
        values.sort_compact_by_key(|(leaf, _)| *leaf);
        if components.is_empty() {
            return Distribution::Discrete(self.merged(values.iter().map(|(leaf, mass)| (*leaf, share(mass)))));
        }
        let mut all: Vec<Component<S>> = Vec::new();
        let mut add = |weight: S, mean: &S, variance: &S| {
            let known = all.iter_mut().find(|part| part.mean == *mean && part.variance == *variance);
            match known {
                Some(part) => part.weight = part.weight.add(&weight),
                None => all.push(Component {
                    weight,
                    mean: mean.clone(),
                    variance: variance.clone(),
                    low: f64::NEG_INFINITY,
                    high: f64::INFINITY,
                }),
            }
        };
        for (mass, mean, variance) in &components {
            add(share(mass), mean, variance);
        }
        for (leaf, mass) in &values {
            let number = match &self.model.answers[*leaf as usize] {
                Answer::Integer(value) => S::from_i64(*value),
                Answer::Bool(value) => S::from_i64(i64::from(*value)),
                Answer::Number(value) => value.clone(),
                Answer::Gaussian(_)
                | Answer::Range(..)
                | Answer::Other(_)
                | Answer::Text(_)
                | Answer::List(_)
                | Answer::Opaque(_) => continue,
            };
            add(share(mass), &number, &S::zero());
        }
        Distribution::Mixture(all)
    }

    /// Probabilities of leaves, those that stand for equal values together.
    fn merged(&self, leaves: impl Iterator<Item = (u32, S)>) -> Vec<(Answer<S>, S)> {
        let mut merged: Vec<(Answer<S>, S)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (leaf, probability) in leaves {
            let answer = &self.model.answers[leaf as usize];
            match places.entry(format!("{answer:?}")) {
                std::collections::hash_map::Entry::Occupied(place) => {
                    let (_, sum) = &mut merged[*place.get()];
                    *sum = sum.add(&probability);
                }
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(merged.len());
                    merged.push((answer.clone(), probability));
                }
            }
        }
        merged.sort_compact_by(|(a, _), (b, _)| order(a, b));
        merged
    }

    pub(super) fn joint(&self, found: Cells<S>, total: &Mass<S>, classes: &Classes<S>) -> Result<Joint<S>, Refusal<S>> {
        let answer = |leaf: u32| self.model.answers[leaf as usize].clone();
        let before: HashMap<u32, Mass<S>> = self.of_secret(Diagram::TRUE)?.into_iter().collect();
        let all = before.values().fold(Mass::zero(), |sum, mass| sum.add(mass));
        let mut secrets: Vec<u32> = found.keys().map(|(_, secret)| *secret).collect();
        secrets.extend(before.iter().filter(|(_, mass)| !mass.is_zero()).map(|(leaf, _)| *leaf));
        secrets.sort_unstable();
        secrets.dedup();
        if self.cells.is_none() {
            secrets.sort_compact_by(|a, b| order(&answer(*a), &answer(*b)));
        }
        let mut outputs: Vec<Box<[u32]>> = found.keys().map(|(output, _)| output.clone()).collect();
        outputs.sort_unstable();
        outputs.dedup();
        let answers = |tuple: &[u32]| -> Vec<Answer<S>> { tuple.iter().map(|leaf| answer(*leaf)).collect() };
        let ranks = self.ranks(&outputs);
        outputs.sort_compact_by(|a, b| a.iter().map(|leaf| ranks[leaf]).cmp(b.iter().map(|leaf| ranks[leaf])));
        let place: HashMap<u32, usize> = secrets.iter().enumerate().map(|(place, leaf)| (*leaf, place)).collect();
        let rows: NodeMap<&[u32], usize> = outputs.iter().enumerate().map(|(row, output)| (&**output, row)).collect();
        if secrets.len().saturating_mul(outputs.len()) > MAX_CHANNEL_CELLS {
            return Err(Refusal::TooWide);
        }
        let mut row_totals = vec![Mass::zero(); outputs.len()];
        for ((output, _), mass) in &found {
            let of_row = &mut row_totals[rows[&**output]];
            *of_row = of_row.add(mass);
        }
        let row_totals: Vec<Mass<S>> = row_totals.iter().map(|of_row| of_row.div(total)).collect();
        let mut probabilities = vec![vec![S::zero(); secrets.len()]; outputs.len()];
        for ((output, secret), mass) in &found {
            let row = rows[&**output];
            probabilities[row][place[secret]] = joint_probability(&mass.div(total), &row_totals[row]);
        }
        let prior = secrets.iter().map(|leaf| before.get(leaf).map_or_else(S::zero, |mass| mass.div(&all).scalar()));
        let prior: Vec<S> = prior.collect();
        let components =
            self.seen.is_empty().then(|| secrets.iter().map(|leaf| classes.gaussian(&[], *leaf).cloned()).collect());
        let secrets = match &self.cells {
            Some(cells) => secrets.iter().map(|leaf| cells.name(*leaf)).collect(),
            None => secrets.into_iter().map(answer).collect(),
        };
        let names =
            self.model.outputs.iter().filter(|output| !output.observed).map(|output| output.name.clone()).collect();
        Ok(Joint {
            secrets,
            outputs: outputs.iter().map(|output| answers(output)).collect(),
            names,
            probabilities,
            prior,
            components,
            of_sides: self.cells.is_some(),
        })
    }
}

impl<S: Scalar> Query<'_, S> {
    /// The places of leaves in the order of what they stand for; values that are equal have the same.
    fn ranks(&self, tuples: &[Box<[u32]>]) -> NodeMap<u32, u32> {
        let mut leaves: Vec<u32> = tuples.iter().flat_map(|tuple| tuple.iter().copied()).collect();
        leaves.sort_unstable();
        leaves.dedup();
        let answer = |leaf: &u32| &self.model.answers[*leaf as usize];
        leaves.sort_compact_by(|a, b| order(answer(a), answer(b)));
        let mut rank = 0;
        let mut ranks = NodeMap::default();
        for (place, leaf) in leaves.iter().enumerate() {
            let is_larger = place > 0 && order(answer(&leaves[place - 1]), answer(leaf)).is_ne();
            rank += u32::from(is_larger);
            ranks.insert(*leaf, rank);
        }
        ranks
    }
}

/// The least probability of an output that doubles can share out among secrets.
pub const LEAST_OUTPUT: f64 = 1e-290;

/// The probability of an output and a secret, of a row with that total. An output that is too unlikely for a double still
/// reveals what it reveals: it is given the least probability that doubles can share out.
pub(super) fn joint_probability<S: Scalar>(mass: &Mass<S>, row_total: &Mass<S>) -> S {
    let floor = S::from_f64(LEAST_OUTPUT).unwrap_or_else(S::zero);
    if S::EXACT || mass.is_zero() || row_total.scalar() >= floor {
        return mass.scalar();
    }
    mass.div(row_total).scalar().mul(&floor)
}

/// Numbers by size, texts by the alphabet, everything else as it is shown.
pub fn order<S: Scalar>(a: &Answer<S>, b: &Answer<S>) -> std::cmp::Ordering {
    let number = |answer: &Answer<S>| match answer {
        Answer::Bool(value) => Some(f64::from(u8::from(*value))),
        Answer::Integer(value) | Answer::Range(value, _) => Some(*value as f64),
        Answer::Number(value) => Some(value.to_f64()),
        Answer::Other(_) | Answer::Text(_) | Answer::List(_) | Answer::Gaussian(_) | Answer::Opaque(_) => None,
    };
    match (a, b) {
        (Answer::Integer(a), Answer::Integer(b)) => a.cmp(b),
        (Answer::Text(a), Answer::Text(b)) => a.cmp(b),
        (Answer::List(a), Answer::List(b)) => {
            let pairs = a.iter().zip(b).map(|(a, b)| order(a, b));
            pairs.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then).then(a.len().cmp(&b.len()))
        }
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => format!("{a:?}").cmp(&format!("{b:?}")),
        },
    }
}
