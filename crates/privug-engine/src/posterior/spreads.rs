//! What is left of sources, and of sources with noise of their own, of which very many have the same variance and profile.

use crate::network::{Network, NodeId, VariableRun};
use crate::number::{Constants, Field, Scalar, Wide};

use super::learn::affine;
use super::marginals::{Marginals, Spread};
use super::outcome::check_mean;
use super::poll::Interrupt;
use super::profile::{Profile, Profiles};
use super::projector::Projector;
use super::range::{narrow_finite, narrow_scaled_variance, scale};

/// Some targets' part of the columns.
pub(super) struct Share<'a, S> {
    /// The first target.
    pub(super) start: usize,
    prior_mean: &'a mut [S],
    posterior_mean: &'a mut [S],
    pub(super) spread_of: &'a mut [u32],
}

impl<'a, S> Share<'a, S> {
    /// The columns in parts of so many targets.
    pub(super) fn all(marginals: &'a mut Marginals<S>, length: usize) -> Vec<Self> {
        let means = marginals.prior_mean.chunks_mut(length).zip(marginals.posterior_mean.chunks_mut(length));
        let shares = means.zip(marginals.spread_of.chunks_mut(length)).enumerate();
        let share = |(number, ((prior_mean, posterior_mean), spread_of))| Share {
            start: number * length,
            prior_mean,
            posterior_mean,
            spread_of,
        };
        shares.map(share).collect()
    }
}

/// The spreads of some targets, and those that need a closer look. The last answers are kept.
pub(super) struct Spreads<'a, S: Scalar> {
    network: &'a Network<S>,
    profiles: &'a Profiles<S::Wide>,
    projector: &'a Projector<'a, S>,
    found: Vec<Spread<S>>,
    /// How far the mean moves with each of them, of the source itself.
    shifts: Vec<S::Wide>,
    others: Vec<usize>,
    kept: Vec<Option<Kept<S>>>,
}

/// How many answers are kept, a power of two: one or two for each group where many targets are in one, else a few.
fn kept(groups: usize, targets: usize) -> usize {
    const LEAST: usize = 64;
    const MOST: usize = 1 << 18;
    if groups > targets / 4 { LEAST } else { (2 * groups).next_power_of_two().clamp(LEAST, MOST) }
}

/// The answer for a group, two variances and a scale.
struct Kept<S: Scalar> {
    group: Option<u32>,
    variance: S,
    own: S,
    scale: S,
    /// `None` if that needs a closer look.
    spread: Option<u32>,
}

/// What a target is made of.
pub(super) struct Behind<S> {
    pub(super) source: NodeId,
    /// The variance of noise beside it that no observation depends on.
    own: S,
}

/// The source that a node is, or that it is with nothing but noise of its own added; `None` for all other nodes.
pub(super) fn behind<S: Scalar>(network: &Network<S>, projector: &Projector<'_, S>, node: usize) -> Option<Behind<S>> {
    let id = NodeId(node as u32);
    if network.is_source(node) {
        return Some(Behind { source: id, own: S::zero() });
    }
    let made_of = network.node(id);
    let [term] = made_of.terms else { return None };
    let is_parent = term.count == 1 && term.weight == S::one() && made_of.constant.is_zero();
    let is_own = !made_of.noise_variance.is_zero() && projector.group(id).is_none();
    let is_plain = made_of.divisor.is_none() && network.rests(node..node + 1).next().is_none();
    let is_meant = is_parent && is_own && is_plain && network.is_source(term.first.0 as usize);
    is_meant.then(|| Behind { source: term.first, own: made_of.noise_variance.clone() })
}

impl<'a, S: Scalar> Spreads<'a, S> {
    pub(super) fn new(
        network: &'a Network<S>,
        profiles: &'a Profiles<S::Wide>,
        projector: &'a Projector<'a, S>,
        targets: usize,
    ) -> Self {
        let kept = std::iter::repeat_with(|| None).take(kept(projector.group_count(), targets)).collect();
        Spreads { network, profiles, projector, found: Vec::new(), shifts: Vec::new(), others: Vec::new(), kept }
    }

    /// All spreads, and the targets that need a closer look.
    pub(super) fn finish(self) -> (Vec<Spread<S>>, Vec<usize>) {
        (self.found, self.others)
    }

    /// Looks at neighbouring targets; an error names one.
    pub(super) fn look(&mut self, run: &VariableRun<S>, share: &mut Share<'_, S>) -> Result<(), (Interrupt, usize)> {
        let is_plain = run.first.scale == S::one() && run.first.offset.is_zero();
        for (target, node) in run.places.clone().zip(run.nodes()) {
            let at = |interrupt: Interrupt| (interrupt, target);
            let behind = behind(self.network, self.projector, node).filter(|_| !run.first.scale.is_zero());
            let spread = match &behind {
                Some(behind) => self.spread(behind, &run.first.scale).map_err(at)?,
                None => None,
            };
            let Some((behind, spread)) = behind.zip(spread) else {
                self.others.push(target);
                continue;
            };
            let source = behind.source.0 as usize;
            let prior = &self.network.constants(source..source + 1)[0];
            let posterior = self.shifts[spread as usize].add_narrow(prior);
            let (prior, posterior) = if is_plain {
                (prior.clone(), narrow_finite(&posterior, 0))
            } else {
                let seen = |mean: &S::Wide| narrow_finite(&affine(&run.first, mean), 0);
                (seen(&S::Wide::widen(prior)).map_err(|error| at(error.into()))?, seen(&posterior))
            };
            let place = target - share.start;
            share.prior_mean[place] = prior;
            share.posterior_mean[place] = posterior.map_err(|error| at(error.into()))?;
            share.spread_of[place] = spread;
        }
        Ok(())
    }

    /// The number of a target's spread; `None` if it is not certain.
    fn spread(&mut self, behind: &Behind<S>, scale: &S) -> Result<Option<u32>, Interrupt> {
        let group = self.projector.group(behind.source);
        let variance = self.network.node(behind.source).noise_variance;
        let mixed = variance.to_f64().to_bits().wrapping_add(u64::from(group.unwrap_or(u32::MAX)));
        // Round numbers differ in their upper bits only, and these end up in the upper bits of the product.
        let slot = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.kept.len().trailing_zeros())) as usize;
        if let Some(kept) = &self.kept[slot]
            && kept.group == group
            && kept.variance == *variance
            && kept.own == behind.own
            && kept.scale == *scale
        {
            return Ok(kept.spread);
        }
        let found = match self.profiles.get(group) {
            Some(profile) => spread(scale, self.projector, behind, profile)?,
            None => None,
        };
        let number = found.map(|(spread, shift)| {
            self.found.push(spread);
            self.shifts.push(shift);
            self.found.len() as u32 - 1
        });
        let (variance, own, scale) = (variance.clone(), behind.own.clone(), scale.clone());
        self.kept[slot] = Some(Kept { group, variance, own, scale, spread: number });
        Ok(number)
    }
}

/// What is left of a target that is seen scaled, and how far the mean of its source moves; `None` if that is not certain.
fn spread<S: Scalar>(
    of_target: &S,
    projector: &Projector<'_, S>,
    behind: &Behind<S>,
    profile: &Profile<S::Wide>,
) -> Result<Option<(Spread<S>, S::Wide)>, Interrupt> {
    let (m, e) = projector.unit_variance(behind.source);
    let own = scale(&S::Wide::widen(&behind.own), -2 * e);
    // In units that are far from its size it has no digits.
    if !behind.own.is_zero() && !(f64::MIN_POSITIVE..f64::MAX).contains(&own.to_f64()) {
        return Ok(None);
    }
    let Some(left) = profile.left(&m, &own) else { return Ok(None) };
    // Without the mean: that a large one has fewer digits is looked at where it counts.
    if check_mean(&m, &left.variance, 0.0, left.shift_error, projector.mean_tolerance).is_err() {
        return Ok(None);
    }
    let is_plain = *of_target == S::one();
    let seen = |number: &S::Wide| if is_plain { number.clone() } else { number.mul_narrow(of_target) };
    let written = |variance: &S::Wide| narrow_scaled_variance(variance, of_target, e);
    let shift = scale(&left.shift, e);
    let (posterior_variance, variance_reduction) = (written(&left.variance)?, written(&left.reduction)?);
    let (variance_if_all_published, reduction_if_all_published) = match &left.after_all {
        Some((variance, reduction)) => (written(variance)?, written(reduction)?),
        None => (posterior_variance.clone(), variance_reduction.clone()),
    };
    let spread = Spread {
        mean_shift: narrow_finite(&seen(&shift), 0)?,
        prior_variance: written(&m.add(&own))?,
        posterior_variance,
        variance_reduction,
        variance_if_all_published,
        reduction_if_all_published,
        fully_disclosed: false,
    };
    Ok(Some((spread, shift)))
}
