//! The marginals of very many targets, column by column.

use std::sync::{Arc, Mutex, PoisonError};

use crate::network::{Affine, Network, Variables};
use crate::number::Scalar;

use super::condition::{condition, refuse, row_of};
use super::large::{self, Independent};
use super::learn::{Learner, Prepared};
use super::marginals::Marginals;
use super::poll::{Poll, in_parallel};
use super::profile::Profiles;
use super::spreads::{Share, Spreads, behind};
use super::sweep::Sweeper;
use super::{Observation, Options, Refusal, Status, Subject, Surprise, TargetOutcome};
use crate::threads;

/// What is known about many targets, before and after the observations.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey<S> {
    /// One for each observation, in the order given.
    pub observations: Vec<Prediction<S>>,
    /// The logarithm of the density of the observed values.
    pub log_evidence_nats: f64,
    /// How far these are from what the prior predicts.
    pub surprise: Surprise,
    /// One entry for each target in every column.
    pub targets: Marginals<S>,
}

/// An observation as the prior saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction<S> {
    /// Mean before anything was observed.
    pub mean: S,
    /// Variance before anything was observed.
    pub variance: S,
    /// Whether the earlier ones already determine it.
    pub redundant: bool,
}

/// Conditions a network on observations, and looks at each target on its own: as [`condition`](super::condition) does,
/// for millions of them.
pub fn survey<S: Scalar>(
    network: &Network<S>,
    observations: &[Observation<S>],
    targets: &Variables<S>,
    options: &Options,
) -> Result<Survey<S>, Refusal<S>> {
    survey_prepared(network, observations, targets, options, &mut Prepared::default())
}

/// The same where several questions are asked about the same observations.
pub fn survey_prepared<S: Scalar>(
    network: &Network<S>,
    observations: &[Observation<S>],
    targets: &Variables<S>,
    options: &Options,
    prepared: &mut Prepared<S>,
) -> Result<Survey<S>, Refusal<S>> {
    let mut poll = Poll::new(options);
    let mut sweeper = prepared.sweeper(network);
    let mut learner = prepared.learner(network, observations, &mut sweeper, &mut poll)?;
    if large::is_worth_it(&learner)
        && let Some((survey, independent)) = survey_in_blocks(network, &learner, &mut sweeper, targets, &mut poll)?
    {
        prepared.keep(learner, Some(independent));
        return Ok(survey);
    }
    let outcomes = learner.learn(&mut poll)?;
    let mut predictions = learner.predictions()?;
    for (prediction, outcome) in predictions.iter_mut().zip(&outcomes) {
        prediction.redundant = outcome.status == Status::Redundant;
    }
    let mut profiles = Profiles::new(learner.projector.group_count());
    find_profiles(network, targets, &mut profiles, &mut learner, &mut poll)?;
    let (mut marginals, others) = look(network, targets, &profiles, &learner, &poll)?;
    for index in others {
        let (at, target) = (|interrupt| refuse(interrupt, Subject::Target(index)), targets.get(index));
        let row = row_of(&mut sweeper, &target, &mut poll).map_err(at)?;
        let view = learner.projector.view(&row, &mut poll).map_err(at)?;
        marginals.set_outcome(index, learner.outcome(&target, &row, &view).map_err(at)?);
    }
    let (log_evidence_nats, surprise) = (learner.log_evidence_nats, Surprise::of(&outcomes));
    prepared.keep(learner, None);
    Ok(Survey { observations: predictions, log_evidence_nats, surprise, targets: marginals })
}

/// A closer look in blocks takes all observations; with more targets times observations than this it is better to follow
/// those few that each target has to do with.
const MOST_LOOKED_AT: usize = 1 << 28;

/// The same with very many observations; `None` where that is not certain.
pub(super) fn survey_in_blocks<S: Scalar>(
    network: &Network<S>,
    learner: &Learner<'_, S>,
    sweeper: &mut Sweeper<'_, S>,
    targets: &Variables<S>,
    poll: &mut Poll,
) -> Result<Option<(Survey<S>, Arc<Independent>)>, Refusal<S>> {
    let Some(mut blocks) = large::learn(learner, large::Order::Sparse, poll)? else { return Ok(None) };
    let heights = blocks.heights(poll).map_err(|interrupt| refuse(interrupt, Subject::Observation(0)))?;
    let (mut marginals, others) = look(network, targets, &blocks.profiles(&heights, poll), learner, poll)?;
    let others = large::Sums::new(&heights).look(&blocks, sweeper, targets, others, &mut marginals, poll)?;
    let mut left = Vec::new();
    for index in others {
        let (at, target) = (|interrupt| refuse(interrupt, Subject::Target(index)), targets.get(index));
        let row = row_of(sweeper, &target, poll).map_err(at)?;
        match blocks.published_alone(&target, &row, poll).map_err(at)? {
            Some(outcome) => marginals.set_outcome(index, outcome),
            None => left.push(index),
        }
    }
    if left.len().saturating_mul(learner.seen()) > MOST_LOOKED_AT {
        return Ok(None);
    }
    for index in left {
        let (at, target) = (|interrupt| refuse(interrupt, Subject::Target(index)), targets.get(index));
        let row = row_of(sweeper, &target, poll).map_err(at)?;
        let Some(outcome) = blocks.outcome(&target, &row, poll).map_err(at)? else { return Ok(None) };
        marginals.set_outcome(index, outcome);
    }
    let mut predictions = learner.predictions()?;
    let redundant = blocks.independent.redundant.iter();
    redundant.for_each(|position| predictions[learner.order[*position]].redundant = true);
    let (log_evidence_nats, surprise) = (blocks.log_evidence_nats, blocks.surprise);
    let survey = Survey { observations: predictions, log_evidence_nats, surprise, targets: marginals };
    Ok(Some((survey, blocks.independent)))
}

/// What is known about a few targets, as [`condition`] finds it, and which observations tell it: with very many
/// observations faster, but without the covariances of the targets. Where it is too much work to tell what each adds to those
/// before it, the `reductions` are empty, and the weights those of any observations that the others follow from.
pub fn explain<S: Scalar>(
    network: &Network<S>,
    observations: &[Observation<S>],
    targets: &[Affine<S>],
    options: &Options,
    prepared: &mut Prepared<S>,
) -> Result<Vec<TargetOutcome<S>>, Refusal<S>> {
    let mut poll = Poll::new(options);
    let mut sweeper = prepared.sweeper(network);
    let learner = prepared.learner(network, observations, &mut sweeper, &mut poll)?;
    if large::is_worth_it(&learner) {
        let outcomes = match explain_in_blocks(&learner, &mut sweeper, targets, large::Order::AsPublished, &mut poll) {
            Err(Refusal::TooLarge { .. }) => {
                let mut poll = Poll::new(options);
                explain_in_blocks(&learner, &mut sweeper, targets, large::Order::Sparse, &mut poll)
            }
            found => found,
        };
        if let Some(outcomes) = outcomes? {
            prepared.keep(learner, None);
            return Ok(outcomes);
        }
    }
    Ok(condition(network, observations, targets, options)?.targets)
}

/// The same in blocks; `None` where that is not certain.
pub(super) fn explain_in_blocks<S: Scalar>(
    learner: &Learner<'_, S>,
    sweeper: &mut Sweeper<'_, S>,
    targets: &[Affine<S>],
    order: large::Order,
    poll: &mut Poll,
) -> Result<Option<Vec<TargetOutcome<S>>>, Refusal<S>> {
    let Some(mut blocks) = large::learn(learner, order, poll)? else { return Ok(None) };
    let mut outcomes = Vec::with_capacity(targets.len());
    for (index, target) in targets.iter().enumerate() {
        let at = |interrupt| refuse(interrupt, Subject::Target(index));
        let row = row_of(sweeper, target, poll).map_err(at)?;
        let Some(outcome) = blocks.outcome(target, &row, poll).map_err(at)? else { return Ok(None) };
        outcomes.push(outcome);
    }
    Ok(Some(outcomes))
}

/// Finds the profiles of all targets that are sources, or sources with noise of their own.
fn find_profiles<S: Scalar>(
    network: &Network<S>,
    targets: &Variables<S>,
    profiles: &mut Profiles<S::Wide>,
    learner: &mut Learner<'_, S>,
    poll: &mut Poll,
) -> Result<(), Refusal<S>> {
    let groups = learner.projector.group_count() as u32;
    if groups as usize <= targets.len() / 4 {
        // Asking each target for its group would take longer than to know them all.
        let at = |interrupt| refuse(interrupt, Subject::Target(0));
        poll.spend(targets.len() as u64).map_err(at)?;
        return (0..groups).try_for_each(|group| profiles.find(learner, group, poll).map_err(at));
    }
    for run in targets.runs(0..targets.len()) {
        for (index, node) in run.places.clone().zip(run.nodes()) {
            let at = |interrupt| refuse(interrupt, Subject::Target(index));
            poll.spend(1).map_err(at)?;
            if let Some(behind) = behind(network, &learner.projector, node)
                && let Some(group) = learner.projector.group(behind.source)
            {
                profiles.find(learner, group, poll).map_err(at)?;
            }
        }
    }
    Ok(())
}

/// Looks at all targets that are sources, or sources with noise of their own, on all processors; and lists those that need a
/// closer look: they are neither, may be disclosed, or their mean may be off.
fn look<S: Scalar>(
    network: &Network<S>,
    targets: &Variables<S>,
    profiles: &Profiles<S::Wide>,
    learner: &Learner<'_, S>,
    poll: &Poll<'_>,
) -> Result<(Marginals<S>, Vec<usize>), Refusal<S>> {
    // Fewer are not worth a thread.
    const TOGETHER: usize = 1 << 15;
    let length = targets.len().div_ceil((targets.len() / TOGETHER).clamp(1, threads::count())).max(1);
    let mut marginals = Marginals {
        prior_mean: vec![S::zero(); targets.len()],
        posterior_mean: vec![S::zero(); targets.len()],
        spread_of: vec![0; targets.len()],
        spreads: Vec::new(),
    };
    let shares: Vec<Mutex<Share<'_, S>>> = Share::all(&mut marginals, length).into_iter().map(Mutex::new).collect();
    let look_at = |_: &mut (), number: usize, _: &mut Poll<'_>| -> Result<_, Refusal<S>> {
        // Nobody else asks for this share.
        let mut share = shares[number].lock().unwrap_or_else(PoisonError::into_inner);
        let mut spreads = Spreads::new(network, profiles, &learner.projector, share.spread_of.len());
        let places = share.start..share.start + share.spread_of.len();
        for run in targets.runs(places) {
            spreads.look(&run, &mut share).map_err(|(interrupt, index)| refuse(interrupt, Subject::Target(index)))?;
        }
        Ok(spreads.finish())
    };
    let parts = in_parallel(shares.len(), poll, || (), look_at)?;
    drop(shares);
    let mut others = Vec::new();
    for ((spreads, more), spread_of) in parts.into_iter().zip(marginals.spread_of.chunks_mut(length)) {
        others.extend(more);
        let before = marginals.spreads.len() as u32;
        if before == 0 {
            marginals.spreads = spreads;
        } else {
            spread_of.iter_mut().for_each(|spread| *spread += before);
            marginals.spreads.extend(spreads);
        }
    }
    Ok((marginals, others))
}
