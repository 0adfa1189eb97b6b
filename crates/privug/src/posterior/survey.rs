//! The marginals of very many targets, column by column.

use crate::network::{Affine, Network};
use crate::number::{Scalar, Wide};

use super::condition::{refuse, row_of};
use super::large::{self, FEWEST_OBSERVATIONS};
use super::learn::{Learner, affine};
use super::marginals::{Marginal, Marginals, Share};
use super::outcome::check_mean;
use super::profile::{Profile, Profiles};
use super::projector::Projector;
use super::range::{Interrupt, Poll, narrow_finite, narrow_variance, scale};
use super::sweep::Sweeper;
use super::{Observation, Options, Refusal, Status, Subject};

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
        marginals.set_outcome(index, learner.outcome(target, &row, &view).map_err(at)?);
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
    let groups = learner.projector.group_count() as u32;
    if groups as usize <= targets.len() / 4 {
        // Asking each target for its group would take longer than to know them all.
        let at = |interrupt| refuse(interrupt, Subject::Target(0));
        poll.spend(targets.len() as u64).map_err(at)?;
        return (0..groups).try_for_each(|group| profiles.find(learner, group, poll).map_err(at));
    }
    for (index, target) in targets.iter().enumerate() {
        let at = |interrupt| refuse(interrupt, Subject::Target(index));
        poll.spend(1).map_err(at)?;
        if is_source(network, target)
            && let Some(group) = learner.projector.group(target.node)
        {
            profiles.find(learner, group, poll).map_err(at)?;
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
    // A thread is not worth it for fewer.
    const SHARE: usize = 1 << 15;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(targets.len() / SHARE + 1);
    let share = targets.len().div_ceil(threads).max(1);
    let mut marginals = Marginals::zeros(targets.len(), learner.all_seen());
    let look_at = |(number, mut columns): (usize, Share<'_, S>)| {
        let mut spreads = Spreads::new(network, profiles, &learner.projector);
        let mut others = Vec::new();
        for (place, target) in targets.iter().skip(number * share).take(share).enumerate() {
            let index = number * share + place;
            match spreads.look(target).map_err(|interrupt| refuse(interrupt, Subject::Target(index)))? {
                Some(marginal) => columns.set(place, marginal),
                None => others.push(index),
            }
        }
        Ok(others)
    };
    let parts: Vec<Result<Vec<usize>, Refusal<S>>> = std::thread::scope(|scope| {
        let look_at = &look_at;
        let shares = marginals.shares(share).into_iter().enumerate();
        let handles: Vec<_> = shares.map(|share| scope.spawn(move || look_at(share))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(join).collect()
    });
    let others = parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
    Ok((marginals, others))
}

/// What is left of sources, of which very many have the same variance and profile: the last answers are kept.
struct Spreads<'a, S: Scalar> {
    network: &'a Network<S>,
    profiles: &'a Profiles<S::Wide>,
    projector: &'a Projector<'a, S>,
    kept: Vec<Option<Kept<S>>>,
}

/// How many answers are kept, a power of two.
const KEPT: usize = 64;

/// The answer for a group, a variance and a scale.
struct Kept<S: Scalar> {
    group: Option<u32>,
    variance: S,
    scale: S,
    /// `None` if that needs a closer look.
    spread: Option<Spread<S>>,
}

/// All about a target but its mean.
struct Spread<S: Scalar> {
    /// How far the mean moves, of the source itself.
    shift: S::Wide,
    mean_shift: S,
    prior_variance: S,
    posterior_variance: S,
    variance_reduction: S,
    if_all_published: Option<(S, S)>,
}

impl<'a, S: Scalar> Spreads<'a, S> {
    fn new(network: &'a Network<S>, profiles: &'a Profiles<S::Wide>, projector: &'a Projector<'a, S>) -> Self {
        Spreads { network, profiles, projector, kept: std::iter::repeat_with(|| None).take(KEPT).collect() }
    }

    /// A target; `None` if it is no source, or not certain.
    fn look(&mut self, target: &Affine<S>) -> Result<Option<Marginal<S>>, Interrupt> {
        if !is_source(self.network, target) {
            return Ok(None);
        }
        let node = self.network.node(target.node);
        let Some(spread) = self.spread(target, node.noise_variance)? else { return Ok(None) };
        let constant = S::Wide::widen(node.constant);
        Ok(Some(Marginal {
            prior_mean: narrow_finite(&affine(target, &constant), 0)?,
            posterior_mean: narrow_finite(&affine(target, &constant.add(&spread.shift)), 0)?,
            mean_shift: spread.mean_shift.clone(),
            prior_variance: spread.prior_variance.clone(),
            posterior_variance: spread.posterior_variance.clone(),
            variance_reduction: spread.variance_reduction.clone(),
            if_all_published: spread.if_all_published.clone(),
        }))
    }

    fn spread(&mut self, target: &Affine<S>, variance: &S) -> Result<Option<&Spread<S>>, Interrupt> {
        let group = self.projector.group(target.node);
        let mixed = variance.to_f64().to_bits().wrapping_add(u64::from(group.unwrap_or(u32::MAX)));
        // Round numbers differ in their upper bits only, and these end up in the upper bits of the product.
        let slot = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
        let is_kept = self.kept[slot]
            .as_ref()
            .is_some_and(|kept| kept.group == group && kept.variance == *variance && kept.scale == target.scale);
        if !is_kept {
            let spread = match self.profiles.get(group) {
                Some(profile) => spread(target, self.projector.unit_variance(target.node), profile)?,
                None => None,
            };
            self.kept[slot] = Some(Kept { group, variance: variance.clone(), scale: target.scale.clone(), spread });
        }
        Ok(self.kept[slot].as_ref().and_then(|kept| kept.spread.as_ref()))
    }
}

/// What is left of a source of variance m·4ᵉ; `None` if that is not certain.
fn spread<S: Scalar>(
    target: &Affine<S>,
    (m, e): (S::Wide, i32),
    profile: &Profile<S::Wide>,
) -> Result<Option<Spread<S>>, Interrupt> {
    let Some(left) = profile.left(&m) else { return Ok(None) };
    // Where something is left, what counts as off does not depend on the mean.
    if check_mean(&m, &left.variance, 0.0, left.shift_error).is_err() {
        return Ok(None);
    }
    let written =
        |variance: &S::Wide| narrow_variance(&variance.mul_narrow(&target.scale).mul_narrow(&target.scale), 2 * e);
    let shift = scale(&left.shift, e);
    Ok(Some(Spread {
        mean_shift: narrow_finite(&shift.mul_narrow(&target.scale), 0)?,
        shift,
        prior_variance: written(&m)?,
        posterior_variance: written(&left.variance)?,
        variance_reduction: written(&left.reduction)?,
        if_all_published: match &left.after_all {
            Some((variance, reduction)) => Some((written(variance)?, written(reduction)?)),
            None => None,
        },
    }))
}
