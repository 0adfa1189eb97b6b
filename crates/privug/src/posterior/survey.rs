//! The marginals of very many targets, column by column.

use crate::network::{Affine, Network};
use crate::number::{Scalar, Wide};

use super::condition::{refuse, row_of};
use super::large::{self, FEWEST_OBSERVATIONS};
use super::learn::{Learner, affine};
use super::outcome::check_mean;
use super::profile::Profiles;
use super::range::{Interrupt, Poll, narrow_finite, narrow_variance, scale};
use super::sweep::Sweeper;
use super::{Observation, Options, Refusal, Status, Subject, TargetOutcome};

/// What is known about many targets, before and after the observations.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey<S> {
    /// One for each observation, in the order given.
    pub observations: Vec<Prediction<S>>,
    /// The logarithm of the density of the observed values.
    pub log_evidence_nats: f64,
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

/// Columns with one entry for each target; see [`TargetOutcome`](super::TargetOutcome) for what they mean.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields of `TargetOutcome`, as columns")]
pub struct Marginals<S> {
    pub prior_mean: Vec<S>,
    pub prior_variance: Vec<S>,
    pub posterior_mean: Vec<S>,
    pub mean_shift: Vec<S>,
    pub posterior_variance: Vec<S>,
    pub variance_reduction: Vec<S>,
    pub fully_disclosed: Vec<bool>,
}

impl<S> Marginals<S> {
    fn with_capacity(targets: usize) -> Self {
        Marginals {
            prior_mean: Vec::with_capacity(targets),
            prior_variance: Vec::with_capacity(targets),
            posterior_mean: Vec::with_capacity(targets),
            mean_shift: Vec::with_capacity(targets),
            posterior_variance: Vec::with_capacity(targets),
            variance_reduction: Vec::with_capacity(targets),
            fully_disclosed: Vec::with_capacity(targets),
        }
    }
}

/// Conditions a network on observations, and looks at each target on its own: as [`condition`](super::condition) does,
/// for millions of them.
pub fn survey<S: Scalar>(
    network: &Network<S>,
    observations: &[Observation<S>],
    targets: &[Affine<S>],
    options: &Options,
) -> Result<Survey<S>, Refusal<S>> {
    let mut poll = Poll::new(options);
    let mut sweeper = Sweeper::new(network);
    let mut learner = Learner::new(network, observations, &mut sweeper, &mut poll)?;
    if !S::EXACT && learner.seen() >= FEWEST_OBSERVATIONS {
        let large =
            large::learn(&learner, &mut poll).map_err(|interrupt| refuse(interrupt, Subject::Observation(0)))?;
        if let Some(large) = large {
            let log_evidence_nats = large.log_evidence_nats;
            let mut profiles = Profiles::from(large);
            let mut marginals = Marginals::with_capacity(targets.len());
            let mut all = true;
            for (index, target) in targets.iter().enumerate() {
                let at = |interrupt| refuse(interrupt, Subject::Target(index));
                all = all
                    && marginals.push_source(network, target, &mut profiles, &mut learner, &mut poll).map_err(at)?;
            }
            if all {
                return Ok(Survey { observations: learner.predictions()?, log_evidence_nats, targets: marginals });
            }
        }
    }
    let outcomes = learner.learn(&mut poll)?;
    let mut predictions = learner.predictions()?;
    for (prediction, outcome) in predictions.iter_mut().zip(&outcomes) {
        prediction.redundant = outcome.status == Status::Redundant;
    }
    let mut profiles = Profiles::default();
    let mut marginals = Marginals::with_capacity(targets.len());
    for (index, target) in targets.iter().enumerate() {
        let at = |interrupt| refuse(interrupt, Subject::Target(index));
        if marginals.push_source(network, target, &mut profiles, &mut learner, &mut poll).map_err(at)? {
            continue;
        }
        let row = row_of(&mut sweeper, target, &mut poll).map_err(at)?;
        let view = learner.projector.view(&row, &mut poll).map_err(at)?;
        marginals.push(learner.outcome(target, &row, &view).map_err(at)?);
    }
    let log_evidence_nats = learner.log_evidence_nats;
    Ok(Survey { observations: predictions, log_evidence_nats, targets: marginals })
}

impl<S: Scalar> Marginals<S> {
    fn push(&mut self, target: TargetOutcome<S>) {
        self.prior_mean.push(target.prior_mean);
        self.prior_variance.push(target.prior_variance);
        self.posterior_mean.push(target.posterior_mean);
        self.mean_shift.push(target.mean_shift);
        self.posterior_variance.push(target.posterior_variance);
        self.variance_reduction.push(target.variance_reduction);
        self.fully_disclosed.push(target.fully_disclosed);
    }

    /// Adds a target that is a source of the network; false if it is none, may be disclosed, or its mean be off.
    fn push_source(
        &mut self,
        network: &Network<S>,
        target: &Affine<S>,
        profiles: &mut Profiles<S::Wide>,
        learner: &mut Learner<'_, S>,
        poll: &mut Poll,
    ) -> Result<bool, Interrupt> {
        poll.spend(1)?;
        let node = network.node(target.node);
        if !node.parents.is_empty() || node.noise_variance.is_zero() || target.scale.is_zero() {
            return Ok(false);
        }
        let (m, e) = learner.projector.unit_variance(target.node);
        let Some(left) = profiles.of(learner, target.node, poll)?.left(&m) else { return Ok(false) };
        let constant = S::Wide::widen(node.constant);
        let shift = scale(&left.shift, e);
        let mean = constant.add(&shift);
        if check_mean(&m, &left.variance, scale(&mean, -e).to_f64(), left.shift_error).is_err() {
            return Ok(false);
        }
        let written =
            |variance: &S::Wide| narrow_variance(&variance.mul_narrow(&target.scale).mul_narrow(&target.scale), 2 * e);
        self.prior_mean.push(narrow_finite(&affine(target, &constant), 0)?);
        self.prior_variance.push(written(&m)?);
        self.posterior_mean.push(narrow_finite(&affine(target, &mean), 0)?);
        self.mean_shift.push(narrow_finite(&shift.mul_narrow(&target.scale), 0)?);
        self.posterior_variance.push(written(&left.variance)?);
        self.variance_reduction.push(written(&left.reduction)?);
        self.fully_disclosed.push(false);
        Ok(true)
    }
}
