//! Classes of worlds in which the same Gaussian values were seen: each has one density and one posterior.

use std::collections::{HashMap, HashSet};

use super::{Query, Refusal};
use crate::choices::Mass;
use crate::evaluate::Answer;
use crate::network::Affine;
use crate::number::Scalar;
use crate::posterior::{self, Observation, Status};
use privug_language::source::Span;

/// What each class of worlds says.
pub(super) struct Classes<S> {
    found: HashMap<Box<[u32]>, Class<S>>,
    /// Whether the classes differ in how many continuous values were seen.
    pub(super) certain_won: bool,
    /// Whether densities entered.
    pub(super) has_densities: bool,
    /// A bound on the relative error of each of them.
    pub(super) density_error: f64,
}

struct Class<S> {
    /// The density of what was seen; `None` if it cannot have been seen in these worlds.
    weight: Option<Mass<S>>,
    /// A bound on the density's relative error.
    error: f64,
    /// The posterior mean and variance of each Gaussian value that the secret can be here, by its leaf.
    secrets: HashMap<u32, (S, S)>,
}

impl<S: Scalar> Classes<S> {
    /// Conditions each class once. The tuples are what was seen, and the secret's leaf.
    pub(super) fn new<'t>(
        query: &Query<'_, S>,
        tuples: impl Iterator<Item = (&'t [u32], u32)>,
    ) -> Result<Self, Refusal<S>> {
        let mut wanted: HashMap<Box<[u32]>, HashSet<u32>> = HashMap::new();
        for (seen, secret) in tuples {
            wanted.entry(seen.into()).or_default().insert(secret);
        }
        let mut found = HashMap::with_capacity(wanted.len());
        let mut fewest: Option<usize> = None;
        let mut dimensions = HashMap::new();
        for (seen, secrets) in wanted {
            let (class, continuous) = condition_class(query, &seen, &secrets)?;
            if class.weight.is_some() {
                fewest = Some(fewest.map_or(continuous, |fewest| fewest.min(continuous)));
            }
            dimensions.insert(seen.clone(), continuous);
            found.insert(seen, class);
        }
        // A value that is certain in some worlds is infinitely more likely than one of a continuum.
        let mut certain_won = false;
        for (seen, class) in &mut found {
            if class.weight.is_some() && Some(dimensions[seen]) != fewest {
                class.weight = None;
                certain_won = true;
            }
        }
        let left = found.iter().filter(|(seen, class)| class.weight.is_some() && dimensions[*seen] > 0);
        let errors: Vec<f64> = left.map(|(_, class)| class.error).collect();
        let density_error = errors.iter().copied().fold(0.0, f64::max);
        Ok(Classes { found, certain_won, has_densities: !errors.is_empty(), density_error })
    }

    /// How likely what was seen is in these worlds.
    pub(super) fn weight(&self, seen: &[u32]) -> Option<&Mass<S>> {
        self.found.get(seen)?.weight.as_ref()
    }

    /// The mean and variance that a Gaussian leaf of the secret has in these worlds.
    pub(super) fn gaussian(&self, seen: &[u32], leaf: u32) -> Option<&(S, S)> {
        self.found.get(seen)?.secrets.get(&leaf)
    }
}

/// The Gaussian values that were seen in one class and where the last of them was; `None` if a number there is another one.
pub(super) fn observations<S: Scalar>(query: &Query<'_, S>, seen: &[u32]) -> Option<(Vec<Observation<S>>, Span)> {
    let mut observations = Vec::new();
    let mut span = query.span;
    for (pair, described) in seen.chunks_exact(2).zip(&query.model.seen) {
        // The first of a pair says whether anything was seen in these worlds.
        if pair[0] != 1 {
            continue;
        }
        let Some(observed) = &described.observed else { continue };
        let number = match &query.model.answers[pair[1] as usize] {
            Answer::Gaussian(affine) => {
                span = described.span;
                observations.push(Observation { variable: affine.clone(), value: Some(observed.clone()) });
                continue;
            }
            Answer::Number(value) => value.clone(),
            Answer::Integer(value) => S::from_i64(*value),
            Answer::Bool(value) => S::from_i64(i64::from(*value)),
            Answer::Other(_) | Answer::Range(..) | Answer::Text(_) | Answer::List(_) | Answer::Opaque(_) => {
                return None;
            }
        };
        if number != *observed {
            return None;
        }
    }
    Some((observations, span))
}

/// The density of what was seen in one class, what it says about the secret, and how many values of a continuum it was.
fn condition_class<S: Scalar>(
    query: &Query<'_, S>,
    seen: &[u32],
    secrets: &HashSet<u32>,
) -> Result<(Class<S>, usize), Refusal<S>> {
    let impossible = Class { weight: None, error: 0.0, secrets: HashMap::new() };
    let Some((observations, span)) = observations(query, seen) else { return Ok((impossible, 0)) };
    let gaussian: Vec<(u32, Affine<S>)> = if query.cells.is_some() {
        Vec::new()
    } else {
        let mut leaves: Vec<u32> = secrets.iter().copied().collect();
        leaves.sort_unstable();
        let affine = |leaf: u32| match &query.model.answers[leaf as usize] {
            Answer::Gaussian(affine) => Some((leaf, affine.clone())),
            Answer::Other(_)
            | Answer::Range(..)
            | Answer::Bool(_)
            | Answer::Integer(_)
            | Answer::Number(_)
            | Answer::Text(_)
            | Answer::List(_)
            | Answer::Opaque(_) => None,
        };
        leaves.into_iter().filter_map(affine).collect()
    };
    if observations.is_empty() && gaussian.is_empty() {
        return Ok((Class { weight: Some(Mass::one()), error: 0.0, secrets: HashMap::new() }, 0));
    }
    let targets: Vec<Affine<S>> = gaussian.iter().map(|(_, affine)| affine.clone()).collect();
    let known = match posterior::condition(query.network, &observations, &targets, query.options) {
        Ok(known) => known,
        Err(posterior::Refusal::Contradiction { .. }) => return Ok((impossible, 0)),
        Err(refusal) => return Err(Refusal::Conditioning(refusal, span)),
    };
    let continuous = known.observations.iter().filter(|outcome| matches!(outcome.status, Status::Used { .. })).count();
    let values = known.targets.iter().map(|target| (target.posterior_mean.clone(), target.posterior_variance.clone()));
    let secrets = gaussian.iter().map(|(leaf, _)| *leaf).zip(values).collect();
    let weight = if observations.is_empty() { Mass::one() } else { Mass::exp(known.log_evidence_nats) };
    // e to a power that is off by δ is off by e^δ − 1 of itself, and rounded once more.
    let error = known.log_evidence_error.exp_m1() + f64::EPSILON * (4.0 + known.log_evidence_nats.abs());
    Ok((Class { weight: Some(weight), error, secrets }, continuous))
}
