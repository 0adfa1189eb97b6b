//! Outputs without a value that are Gaussian, in all worlds or in some: where each class of worlds puts them and the secret.

use super::classes::observations;
use super::{Query, Refusal};
use crate::choices::{Mass, NodeMap};
use crate::evaluate::Answer;
use crate::network::Affine;
use crate::number::Scalar;
use crate::posterior::{self, Observation};
use crate::sorting::CompactSort;

/// More classes of worlds than this are not looked at one by one.
const MAX_CLOUDS: usize = 20_000;

/// The joint distribution of a secret and of outputs some of which are Gaussian, given what was seen.
#[derive(Debug, Clone)]
pub struct Clouds<S> {
    /// What the secret can be, in order; a Gaussian variable has a place for each variable that it can be.
    pub secrets: Vec<Answer<S>>,
    /// The probability of each before anything was seen.
    pub prior: Vec<S>,
    /// What can be published: the value of each output, `None` for one that is Gaussian there.
    pub outputs: Vec<Vec<Option<Answer<S>>>>,
    /// The names of the outputs.
    pub names: Vec<String>,
    /// One for each class of worlds.
    pub worlds: Vec<Cloud<S>>,
    /// Whether secrets are sides of thresholds.
    pub of_sides: bool,
}

/// What is known in one class of worlds.
#[derive(Debug, Clone)]
pub struct Cloud<S> {
    /// How likely it is.
    pub weight: S,
    /// The place of the secret.
    pub secret: usize,
    /// The place of what is published.
    pub output: usize,
    /// The mean and the variance of a secret that is Gaussian here.
    pub centre: Option<(S, S)>,
    /// The variance of such a secret that is left once all outputs are seen.
    pub left: S,
    /// The Gaussian outputs: mean, variance, and covariance with the secret.
    pub seen: Vec<(S, S, S)>,
}

impl<S: Scalar> Query<'_, S> {
    /// Whether an output without a value is Gaussian in one of these worlds: there are the secret's leaf and those of the
    /// outputs in each tuple.
    pub(super) fn has_gaussian_outputs<'t>(&self, mut tuples: impl Iterator<Item = &'t [u32]>) -> bool {
        let is_gaussian = |leaf: &u32| matches!(self.model.answers[*leaf as usize], Answer::Gaussian(_));
        self.model.seen.iter().any(|seen| seen.observed.is_none())
            || tuples.any(|tuple| tuple[1..].iter().any(is_gaussian))
    }

    /// The classes of worlds one by one: what was seen, the secret's leaf and those of the outputs, with their weights. `None`
    /// if there are very many, or if a Gaussian variable is known already in some of them.
    pub(super) fn clouds(
        &self,
        tuples: &[(&[u32], Mass<S>)],
        secret_at: usize,
        total: &Mass<S>,
    ) -> Result<Option<Clouds<S>>, Refusal<S>> {
        if tuples.len() > MAX_CLOUDS {
            return Ok(None);
        }
        let answer = |leaf: u32| &self.model.answers[leaf as usize];
        let before = self.of_secret(crate::choices::Diagram::TRUE)?;
        let all = before.iter().fold(Mass::zero(), |sum, (_, mass)| sum.add(mass));
        let mut secrets: Vec<u32> = tuples.iter().map(|(tuple, _)| tuple[secret_at]).collect();
        secrets.extend(before.iter().map(|(leaf, _)| *leaf));
        secrets.sort_unstable();
        secrets.dedup();
        if self.cells.is_none() {
            secrets.sort_compact_by(|a, b| super::order(answer(*a), answer(*b)));
        }
        let places: NodeMap<u32, usize> = secrets.iter().enumerate().map(|(place, leaf)| (*leaf, place)).collect();
        let mut prior = vec![S::zero(); secrets.len()];
        for (leaf, mass) in &before {
            prior[places[leaf]] = mass.div(&all).scalar();
        }
        let mut outputs: Vec<Vec<Option<Answer<S>>>> = Vec::new();
        let mut output_places: NodeMap<Box<[u32]>, usize> = NodeMap::default();
        let mut worlds = Vec::with_capacity(tuples.len());
        for (tuple, mass) in tuples {
            let leaf = tuple[secret_at];
            let Some(cloud) = self.cloud(tuple, secret_at)? else { return Ok(None) };
            // Outputs that are Gaussian here are told apart by their values, not by which variable they are.
            const GAUSSIAN: u32 = u32::MAX;
            let open = self.open_leaves(tuple, secret_at);
            let is_gaussian = |leaf: &u32| matches!(answer(*leaf), Answer::Gaussian(_));
            let key = open.iter().map(|leaf| if is_gaussian(leaf) { GAUSSIAN } else { *leaf });
            let output = *output_places.entry(key.collect()).or_insert_with(|| {
                let value = |leaf: &u32| (!is_gaussian(leaf)).then(|| answer(*leaf).clone());
                outputs.push(open.iter().map(value).collect());
                outputs.len() - 1
            });
            worlds.push(Cloud { weight: mass.div(total).scalar(), secret: places[&leaf], output, ..cloud });
        }
        let unseen = self.model.seen.iter().filter(|seen| seen.observed.is_none()).map(|seen| &seen.name);
        let published = self.model.outputs.iter().filter(|output| !output.observed).map(|output| &output.name);
        Ok(Some(Clouds {
            secrets: match &self.cells {
                Some(cells) => secrets.iter().map(|leaf| cells.name(*leaf)).collect(),
                None => secrets.iter().map(|leaf| answer(*leaf).clone()).collect(),
            },
            prior,
            outputs,
            names: published.chain(unseen).cloned().collect(),
            worlds,
            of_sides: self.cells.is_some(),
        }))
    }

    /// The leaves of what has no value yet: outputs that are discrete in some worlds, then those that are Gaussian in all.
    fn open_leaves(&self, tuple: &[u32], secret_at: usize) -> Vec<u32> {
        let unseen = self.model.seen.iter().zip(tuple[..secret_at].chunks_exact(2));
        let unseen = unseen.filter(|(seen, _)| seen.observed.is_none()).map(|(_, pair)| pair[1]);
        tuple[secret_at + 1..].iter().copied().chain(unseen).collect()
    }

    /// What is known in one class of worlds; its weight and places are filled in later.
    fn cloud(&self, tuple: &[u32], secret_at: usize) -> Result<Option<Cloud<S>>, Refusal<S>> {
        let gaussian = |leaf: u32| match &self.model.answers[leaf as usize] {
            Answer::Gaussian(affine) => Some(affine.clone()),
            _ => None,
        };
        let secret = if self.cells.is_some() { None } else { gaussian(tuple[secret_at]) };
        let outputs: Vec<Affine<S>> = self.open_leaves(tuple, secret_at).into_iter().filter_map(gaussian).collect();
        let Some((mut observations, _)) = observations(self, &tuple[..secret_at]) else { return Ok(None) };
        observations.extend(outputs.iter().map(|output| Observation { variable: output.clone(), value: None }));
        let targets: Vec<Affine<S>> = secret.iter().chain(&outputs).cloned().collect();
        let known = posterior::condition(self.network, &observations, &targets, self.options)
            .map_err(|refusal| Refusal::Conditioning(refusal, self.span))?;
        let Some(covariances) = &known.covariances else { return Ok(None) };
        // A Gaussian variable that is known already is a number, with no certain way to tell which others it is equal to.
        if known.targets.iter().any(|target| target.posterior_variance.is_zero()) {
            return Ok(None);
        }
        let own = usize::from(secret.is_some());
        let seen = known.targets.iter().enumerate().skip(own).map(|(place, target)| {
            let shared = if own == 1 { covariances.posterior[0][place].clone() } else { S::zero() };
            (target.posterior_mean.clone(), target.posterior_variance.clone(), shared)
        });
        let centre = secret.map(|_| {
            let target = &known.targets[0];
            (
                (target.posterior_mean.clone(), target.posterior_variance.clone()),
                target.variance_if_all_published.clone(),
            )
        });
        let left = centre.as_ref().map_or_else(S::zero, |(_, left)| left.clone());
        let centre = centre.map(|(centre, _)| centre);
        Ok(Some(Cloud { weight: S::zero(), secret: 0, output: 0, centre, left, seen: seen.collect() }))
    }
}
