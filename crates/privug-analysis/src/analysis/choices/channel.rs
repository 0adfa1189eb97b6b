//! The channel from a secret to what is published: their joint distribution, and what each output tells.

use std::collections::HashMap;
use std::hash::Hash;

use super::value::PlainValue;
use privug_engine::choices::to_probability;
use privug_engine::elimination::{Joint, LEAST_OUTPUT};
use privug_engine::evaluate::Answer;
use privug_engine::number::Scalar;
use privug_measures::channel::{Bounds, Piece, SpreadOutput, SpreadWorld, kl_bits, spread_information_bits};

/// The probabilities of outputs and secrets, given what was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// What the secret can be.
    pub secrets: Vec<PlainValue>,
    /// The probability of each before anything was seen.
    pub prior: Vec<f64>,
    /// What can be published, one value for each output.
    pub outputs: Vec<Vec<PlainValue>>,
    /// The outputs' names.
    pub names: Vec<String>,
    /// Joint probabilities: for each output, of each secret.
    pub joint: Vec<Vec<f64>>,
    /// P(output | secret): for each secret, of each output; empty where the secret is impossible.
    matrix: Vec<Vec<f64>>,
    /// The same as ratios, in exact arithmetic.
    pub exact: Option<Vec<Vec<String>>>,
    /// Of a secret that is one of several normal distributions: which, where that does not depend on what was seen.
    pub(super) pieces: Option<Vec<Piece>>,
    /// Whether the secret's values here are sides of thresholds that a Gaussian variable was compared with.
    pub of_sides: bool,
}

/// What one output tells.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelOutput {
    /// By its source text.
    pub name: String,
    /// Mutual information of the secret and this output alone.
    pub alone_bits: Bounds,
    /// What it adds to the earlier ones.
    pub added_bits: Bounds,
}

impl ChannelOutput {
    /// From what an output tells alone, and what is told with it and without it.
    pub(super) fn of(name: &str, alone_bits: Bounds, together: Bounds, so_far: Bounds) -> Self {
        let high = (together.high - so_far.low).max(0.0);
        let low = if so_far.high == f64::INFINITY { 0.0 } else { (together.low - so_far.high).max(0.0).min(high) };
        // Nothing is added to what is known already.
        let high = if so_far.low == f64::INFINITY { 0.0 } else { high };
        ChannelOutput { name: name.to_owned(), alone_bits, added_bits: Bounds { low: low.min(high), high } }
    }
}

/// The joint probabilities of one output. One that is too unlikely for doubles still reveals what it reveals.
fn in_doubles<S: Scalar>(row: &[S]) -> Vec<f64> {
    let total = row.iter().fold(S::zero(), |sum, p| sum.add(p));
    if total.is_zero() || total.to_f64() >= LEAST_OUTPUT {
        return row.iter().map(to_probability).collect();
    }
    row.iter()
        .map(|p| if p.is_zero() { 0.0 } else { (to_probability(&p.div(&total)) * LEAST_OUTPUT).max(f64::from_bits(1)) })
        .collect()
}

impl Channel {
    /// From what elimination found; rows and columns that stand for equal values become one.
    pub(super) fn of<S: Scalar>(joint: &Joint<S>) -> Self {
        let is_gaussian = joint.secrets.iter().any(|secret| matches!(secret, Answer::Gaussian(_)));
        // Gaussian variables differ though they have no value to tell them apart by.
        let secret_places = if is_gaussian {
            (0..joint.secrets.len()).collect()
        } else {
            numbered(joint.secrets.iter().map(|secret| PlainValue::of(secret).key()))
        };
        let output_places = numbered(
            joint.outputs.iter().map(|output| output.iter().map(|of| PlainValue::of(of).key()).collect::<Vec<_>>()),
        );
        let count = |places: &[usize]| places.iter().max().map_or(0, |last| last + 1);
        let (secret_count, output_count) = (count(&secret_places), count(&output_places));
        let mut sums = vec![vec![S::zero(); secret_count]; output_count];
        for (row, probabilities) in output_places.iter().zip(&joint.probabilities) {
            for (column, probability) in secret_places.iter().zip(probabilities) {
                sums[*row][*column] = sums[*row][*column].add(probability);
            }
        }
        let mut prior = vec![S::zero(); secret_count];
        for (column, probability) in secret_places.iter().zip(&joint.prior) {
            prior[*column] = prior[*column].add(probability);
        }
        let firsts = |places: &[usize]| -> Vec<usize> {
            let mut found = 0;
            let is_new = |(_, place): &(usize, &usize)| {
                let is_new = **place == found;
                found += usize::from(is_new);
                is_new
            };
            places.iter().enumerate().filter(is_new).map(|(row, _)| row).collect()
        };
        let secrets = firsts(&secret_places).into_iter().map(|row| PlainValue::of(&joint.secrets[row]));
        let outputs =
            firsts(&output_places).into_iter().map(|row| joint.outputs[row].iter().map(PlainValue::of).collect());
        let piece = |(mean, variance): &(S, S)| Piece {
            weight: 1.0,
            mean: mean.to_f64(),
            variance: variance.to_f64(),
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
        let conditional = conditional(&sums, secret_count);
        let pieces = joint.components.as_ref().filter(|_| is_gaussian);
        Channel {
            secrets: secrets.collect(),
            prior: prior.iter().map(to_probability).collect(),
            outputs: outputs.collect(),
            names: joint.names.clone(),
            joint: sums.iter().map(|row| in_doubles(row)).collect(),
            matrix: conditional.iter().map(|row| row.iter().map(to_probability).collect()).collect(),
            exact: exact(&conditional),
            pieces: pieces.and_then(|pieces| pieces.iter().map(|known| known.as_ref().map(piece)).collect()),
            of_sides: joint.of_sides,
        }
    }

    /// The probability of each secret, given what was seen.
    pub fn marginal(&self) -> Vec<f64> {
        (0..self.secrets.len()).map(|secret| self.joint.iter().map(|row| row[secret]).sum()).collect()
    }

    /// P(output | secret): a row for each value of the secret that is possible.
    pub fn rows(&self) -> Vec<(usize, Vec<f64>)> {
        let possible = self.matrix.iter().enumerate().filter(|(_, row)| !row.is_empty());
        possible.map(|(secret, row)| (secret, row.clone())).collect()
    }

    /// What each output tells by itself, and beyond the earlier ones.
    pub(super) fn by_output(&self) -> Vec<ChannelOutput> {
        if self.pieces.is_none()
            && self.secrets.iter().any(|secret| matches!(secret, PlainValue::Other(_)))
            && !self.of_sides
        {
            return Vec::new();
        }
        let marginal = self.marginal();
        // What rows tell that have the same number.
        let information = |groups: &[usize]| {
            let mut rows = vec![vec![0.0; self.secrets.len()]; groups.iter().max().map_or(0, |last| last + 1)];
            for (place, row) in groups.iter().zip(&self.joint) {
                for (sum, p) in rows[*place].iter_mut().zip(row) {
                    *sum += p;
                }
            }
            let told = |row: &Vec<f64>| {
                let weight: f64 = row.iter().sum();
                let posterior: Vec<f64> = row.iter().map(|p| p / weight).collect();
                if weight > 0.0 { weight * kl_bits(&posterior, &marginal) } else { 0.0 }
            };
            match &self.pieces {
                Some(pieces) => {
                    spread_information_bits(&rows.iter().map(|row| of_pieces(row, pieces)).collect::<Vec<_>>())
                }
                None => exactly(rows.iter().map(told).sum::<f64>()),
            }
        };
        let mut so_far = exactly(0.0);
        let mut leaks = Vec::new();
        // Rows that the outputs so far do not tell apart.
        let mut earlier = vec![0; self.outputs.len()];
        for (place, name) in self.names.iter().enumerate() {
            let alone = numbered(self.outputs.iter().map(|output| output[place].key()));
            earlier = numbered(earlier.iter().zip(&alone).map(|(before, value)| (*before, *value)));
            let together = information(&earlier);
            leaks.push(ChannelOutput::of(name, information(&alone), together, so_far));
            so_far = together;
        }
        leaks
    }
}

fn exactly(bits: f64) -> Bounds {
    Bounds { low: bits, high: bits }
}

/// An output that has a value, and how likely the secret is each of several normal distributions with it.
fn of_pieces(weights: &[f64], pieces: &[Piece]) -> SpreadOutput {
    let world = |(weight, piece): (&f64, &Piece)| SpreadWorld {
        weight: *weight,
        secret: (piece.mean, piece.variance),
        outputs: Vec::new(),
        left: piece.variance,
    };
    SpreadOutput { worlds: weights.iter().zip(pieces).map(world).collect() }
}

/// For each of several keys, its number among the different ones, in the order in which they come first.
fn numbered<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut known: HashMap<K, usize> = HashMap::new();
    keys.map(|key| {
        let next = known.len();
        *known.entry(key).or_insert(next)
    })
    .collect()
}

/// P(output | secret), for each secret.
fn conditional<S: Scalar>(joint: &[Vec<S>], secrets: usize) -> Vec<Vec<S>> {
    let row = |secret: usize| {
        let total = joint.iter().fold(S::zero(), |sum, row| sum.add(&row[secret]));
        let share = |row: &Vec<S>| row[secret].div(&total);
        if total.is_zero() { Vec::new() } else { joint.iter().map(share).collect() }
    };
    (0..secrets).map(row).collect()
}

/// The same as ratios.
fn exact<S: Scalar>(rows: &[Vec<S>]) -> Option<Vec<Vec<String>>> {
    rows.iter().map(|row| row.iter().map(Scalar::to_exact_string).collect()).collect()
}
