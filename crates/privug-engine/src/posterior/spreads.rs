//! What is left of sources, of which very many have the same variance and profile.

use crate::network::{Network, NodeId, VariableRun};
use crate::number::{Scalar, Wide};

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

/// How many answers are kept, a power of two.
const KEPT: usize = 64;

/// The answer for a group, a variance and a scale.
struct Kept<S: Scalar> {
    group: Option<u32>,
    variance: S,
    scale: S,
    /// `None` if that needs a closer look.
    spread: Option<u32>,
}

impl<'a, S: Scalar> Spreads<'a, S> {
    pub(super) fn new(
        network: &'a Network<S>,
        profiles: &'a Profiles<S::Wide>,
        projector: &'a Projector<'a, S>,
    ) -> Self {
        let kept = std::iter::repeat_with(|| None).take(KEPT).collect();
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
            let spread = match self.network.is_source(node) && !run.first.scale.is_zero() {
                true => self.spread(NodeId(node as u32), &run.first.scale).map_err(at)?,
                false => None,
            };
            let Some(spread) = spread else {
                self.others.push(target);
                continue;
            };
            let prior = &self.network.constants(node..node + 1)[0];
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

    /// The number of a source's spread; `None` if it is not certain.
    fn spread(&mut self, source: NodeId, scale: &S) -> Result<Option<u32>, Interrupt> {
        let group = self.projector.group(source);
        let variance = self.network.node(source).noise_variance;
        let mixed = variance.to_f64().to_bits().wrapping_add(u64::from(group.unwrap_or(u32::MAX)));
        // Round numbers differ in their upper bits only, and these end up in the upper bits of the product.
        let slot = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
        if let Some(kept) = &self.kept[slot]
            && kept.group == group
            && kept.variance == *variance
            && kept.scale == *scale
        {
            return Ok(kept.spread);
        }
        let found = match self.profiles.get(group) {
            Some(profile) => spread(scale, self.projector, source, profile)?,
            None => None,
        };
        let number = found.map(|(spread, shift)| {
            self.found.push(spread);
            self.shifts.push(shift);
            self.found.len() as u32 - 1
        });
        self.kept[slot] = Some(Kept { group, variance: variance.clone(), scale: scale.clone(), spread: number });
        Ok(number)
    }
}

/// What is left of a source that is seen scaled, and how far its own mean moves; `None` if that is not
/// certain.
fn spread<S: Scalar>(
    of_target: &S,
    projector: &Projector<'_, S>,
    source: NodeId,
    profile: &Profile<S::Wide>,
) -> Result<Option<(Spread<S>, S::Wide)>, Interrupt> {
    let (m, e) = projector.unit_variance(source);
    let Some(left) = profile.left(&m) else { return Ok(None) };
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
        prior_variance: written(&m)?,
        posterior_variance,
        variance_reduction,
        variance_if_all_published,
        reduction_if_all_published,
        fully_disclosed: false,
    };
    Ok(Some((spread, shift)))
}
