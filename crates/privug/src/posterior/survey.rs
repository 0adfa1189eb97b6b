//! The marginals of very many targets, column by column.

use crate::network::{Affine, Network};
use crate::number::{Scalar, Wide};

use super::condition::{refuse, row_of};
use super::large::{self, FEWEST_OBSERVATIONS};
use super::learn::{Learner, affine};
use super::outcome::check_mean;
use super::profile::{Profile, Profiles};
use super::projector::Projector;
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
    /// What all observations leave of the variance and take away from it; `None` if all of them were seen.
    pub if_all_published: Option<IfAllPublished<S>>,
}

/// Columns about observations that were not seen.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields of `TargetOutcome`, as columns")]
pub struct IfAllPublished<S> {
    pub variance: Vec<S>,
    pub reduction: Vec<S>,
}

impl<S> Marginals<S> {
    fn with_capacity(targets: usize, all_seen: bool) -> Self {
        let unseen =
            || IfAllPublished { variance: Vec::with_capacity(targets), reduction: Vec::with_capacity(targets) };
        Marginals {
            if_all_published: (!all_seen).then(unseen),
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
    if let Some(survey) = survey_in_blocks(network, &mut learner, targets, &mut poll)? {
        return Ok(survey);
    }
    let outcomes = learner.learn(&mut poll)?;
    let mut predictions = learner.predictions()?;
    for (prediction, outcome) in predictions.iter_mut().zip(&outcomes) {
        prediction.redundant = outcome.status == Status::Redundant;
    }
    let mut profiles = Profiles::new(learner.projector.group_count());
    find_profiles(network, targets, &mut profiles, &mut learner, &mut poll)?;
    let (mut marginals, others) = look(network, targets, &profiles, &learner)?;
    for index in others {
        let (at, target) = (|interrupt| refuse(interrupt, Subject::Target(index)), &targets[index]);
        let row = row_of(&mut sweeper, target, &mut poll).map_err(at)?;
        let view = learner.projector.view(&row, &mut poll).map_err(at)?;
        marginals.set(index, learner.outcome(target, &row, &view).map_err(at)?);
    }
    let log_evidence_nats = learner.log_evidence_nats;
    Ok(Survey { observations: predictions, log_evidence_nats, targets: marginals })
}

/// The same with very many observations, if all targets are sources and certain.
fn survey_in_blocks<S: Scalar>(
    network: &Network<S>,
    learner: &mut Learner<'_, S>,
    targets: &[Affine<S>],
    poll: &mut Poll,
) -> Result<Option<Survey<S>>, Refusal<S>> {
    if S::EXACT || learner.seen() < FEWEST_OBSERVATIONS || !learner.all_seen() {
        return Ok(None);
    }
    let large = large::learn(learner, poll).map_err(|interrupt| refuse(interrupt, Subject::Observation(0)))?;
    let Some(large) = large else { return Ok(None) };
    let log_evidence_nats = large.log_evidence_nats;
    let profiles = Profiles::from(large);
    let (marginals, others) = look(network, targets, &profiles, learner)?;
    if !others.is_empty() {
        return Ok(None);
    }
    Ok(Some(Survey { observations: learner.predictions()?, log_evidence_nats, targets: marginals }))
}

/// Whether a target is a source of the network, seen through a scale that matters.
fn is_source<S: Scalar>(network: &Network<S>, target: &Affine<S>) -> bool {
    let node = network.node(target.node);
    node.parents.is_empty() && !node.noise_variance.is_zero() && !target.scale.is_zero()
}

/// Finds the profiles of all targets that are sources.
fn find_profiles<S: Scalar>(
    network: &Network<S>,
    targets: &[Affine<S>],
    profiles: &mut Profiles<S::Wide>,
    learner: &mut Learner<'_, S>,
    poll: &mut Poll,
) -> Result<(), Refusal<S>> {
    for (index, target) in targets.iter().enumerate() {
        let at = |interrupt| refuse(interrupt, Subject::Target(index));
        poll.spend(1).map_err(at)?;
        if is_source(network, target) {
            profiles.find(learner, target.node, poll).map_err(at)?;
        }
    }
    Ok(())
}

/// Looks at all targets that are sources, on all processors; and lists those that need a closer look: they are none, may
/// be disclosed, or their mean may be off.
fn look<S: Scalar>(
    network: &Network<S>,
    targets: &[Affine<S>],
    profiles: &Profiles<S::Wide>,
    learner: &Learner<'_, S>,
) -> Result<(Marginals<S>, Vec<usize>), Refusal<S>> {
    let (projector, all_seen) = (&learner.projector, learner.all_seen());
    // A thread is not worth it for fewer.
    const SHARE: usize = 1 << 15;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(targets.len() / SHARE + 1);
    let share = targets.len().div_ceil(threads).max(1);
    let look_at = |start: usize| {
        let end = targets.len().min(start + share);
        let mut marginals = Marginals::with_capacity(end - start, all_seen);
        let mut others = Vec::new();
        for index in start..end {
            let target = &targets[index];
            let profile = profiles.get(projector.group(target.node)).filter(|_| is_source(network, target));
            let seen = match profile {
                Some(profile) => at_source(network, target, profile, projector),
                None => Ok(None),
            };
            match seen.map_err(|interrupt| refuse(interrupt, Subject::Target(index)))? {
                Some(marginal) => marginals.push(marginal),
                None => {
                    others.push(index);
                    marginals.push(Marginal::unknown());
                }
            }
        }
        Ok((marginals, others))
    };
    let parts: Vec<Result<(Marginals<S>, Vec<usize>), Refusal<S>>> = std::thread::scope(|scope| {
        let look_at = &look_at;
        let starts = (0..targets.len()).step_by(share);
        let handles: Vec<_> = starts.map(|start| scope.spawn(move || look_at(start))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(join).collect()
    });
    let (mut all, mut others) = (Marginals::with_capacity(targets.len(), all_seen), Vec::new());
    for part in parts {
        let (marginals, more) = part?;
        all.append(marginals);
        others.extend(more);
    }
    Ok((all, others))
}

/// A target that is a source with this profile; `None` if that is not certain.
fn at_source<S: Scalar>(
    network: &Network<S>,
    target: &Affine<S>,
    profile: &Profile<S::Wide>,
    projector: &Projector<'_, S>,
) -> Result<Option<Marginal<S>>, Interrupt> {
    let (m, e) = projector.unit_variance(target.node);
    let Some(left) = profile.left(&m) else { return Ok(None) };
    let constant = S::Wide::widen(network.node(target.node).constant);
    let shift = scale(&left.shift, e);
    let mean = constant.add(&shift);
    if check_mean(&m, &left.variance, scale(&mean, -e).to_f64(), left.shift_error).is_err() {
        return Ok(None);
    }
    let written =
        |variance: &S::Wide| narrow_variance(&variance.mul_narrow(&target.scale).mul_narrow(&target.scale), 2 * e);
    Ok(Some(Marginal {
        prior_mean: narrow_finite(&affine(target, &constant), 0)?,
        prior_variance: written(&m)?,
        posterior_mean: narrow_finite(&affine(target, &mean), 0)?,
        mean_shift: narrow_finite(&shift.mul_narrow(&target.scale), 0)?,
        posterior_variance: written(&left.variance)?,
        variance_reduction: written(&left.reduction)?,
        if_all_published: match &left.after_all {
            Some((variance, reduction)) => Some((written(variance)?, written(reduction)?)),
            None => None,
        },
        fully_disclosed: false,
    }))
}

/// One entry of all columns.
struct Marginal<S> {
    prior_mean: S,
    prior_variance: S,
    posterior_mean: S,
    mean_shift: S,
    posterior_variance: S,
    variance_reduction: S,
    /// Variance and reduction, where they are others.
    if_all_published: Option<(S, S)>,
    fully_disclosed: bool,
}

impl<S: Scalar> Marginal<S> {
    /// Stands in until the target has been looked at.
    fn unknown() -> Self {
        let zero = S::zero;
        Marginal {
            prior_mean: zero(),
            prior_variance: zero(),
            posterior_mean: zero(),
            mean_shift: zero(),
            posterior_variance: zero(),
            variance_reduction: zero(),
            if_all_published: None,
            fully_disclosed: false,
        }
    }
}

impl<S: Scalar> Marginals<S> {
    /// The same in doubles.
    pub fn into_doubles(self) -> Marginals<f64> {
        // Of doubles this keeps the memory.
        let doubles = |column: Vec<S>| -> Vec<f64> { column.into_iter().map(|number| number.to_f64()).collect() };
        Marginals {
            prior_mean: doubles(self.prior_mean),
            prior_variance: doubles(self.prior_variance),
            posterior_mean: doubles(self.posterior_mean),
            mean_shift: doubles(self.mean_shift),
            posterior_variance: doubles(self.posterior_variance),
            variance_reduction: doubles(self.variance_reduction),
            fully_disclosed: self.fully_disclosed,
            if_all_published: self.if_all_published.map(|columns| IfAllPublished {
                variance: doubles(columns.variance),
                reduction: doubles(columns.reduction),
            }),
        }
    }

    fn push(&mut self, target: Marginal<S>) {
        if let Some(columns) = &mut self.if_all_published {
            let same = || (target.posterior_variance.clone(), target.variance_reduction.clone());
            let (variance, reduction) = target.if_all_published.unwrap_or_else(same);
            columns.variance.push(variance);
            columns.reduction.push(reduction);
        }
        self.prior_mean.push(target.prior_mean);
        self.prior_variance.push(target.prior_variance);
        self.posterior_mean.push(target.posterior_mean);
        self.mean_shift.push(target.mean_shift);
        self.posterior_variance.push(target.posterior_variance);
        self.variance_reduction.push(target.variance_reduction);
        self.fully_disclosed.push(target.fully_disclosed);
    }

    fn append(&mut self, mut other: Self) {
        self.prior_mean.append(&mut other.prior_mean);
        self.prior_variance.append(&mut other.prior_variance);
        self.posterior_mean.append(&mut other.posterior_mean);
        self.mean_shift.append(&mut other.mean_shift);
        self.posterior_variance.append(&mut other.posterior_variance);
        self.variance_reduction.append(&mut other.variance_reduction);
        self.fully_disclosed.append(&mut other.fully_disclosed);
        if let (Some(columns), Some(mut others)) = (&mut self.if_all_published, other.if_all_published) {
            columns.variance.append(&mut others.variance);
            columns.reduction.append(&mut others.reduction);
        }
    }

    fn set(&mut self, index: usize, target: TargetOutcome<S>) {
        self.prior_mean[index] = target.prior_mean;
        self.prior_variance[index] = target.prior_variance;
        self.posterior_mean[index] = target.posterior_mean;
        self.mean_shift[index] = target.mean_shift;
        self.posterior_variance[index] = target.posterior_variance;
        self.variance_reduction[index] = target.variance_reduction;
        self.fully_disclosed[index] = target.fully_disclosed;
        if let Some(columns) = &mut self.if_all_published {
            columns.variance[index] = target.variance_if_all_published;
            columns.reduction[index] = target.reduction_if_all_published;
        }
    }
}
