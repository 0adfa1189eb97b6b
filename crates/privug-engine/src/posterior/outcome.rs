//! Targets in the user's units.

use crate::network::Affine;
use crate::number::{Constants, Field, Scalar, Wide};

use super::TargetOutcome;
use super::learn::{Learner, affine};
use super::poll::{Interrupt, Poll};
use super::profile::Profile;
use super::projector::View;
use super::range::{narrow_finite, narrow_scaled_variance, power_of_two, scale};
use super::row::{Mean, Row, number_error};

/// How far a mean may be off, in standard deviations.
pub(super) const MEAN_TOLERANCE: f64 = 9.313_225_746_154_785e-10; // 2⁻³⁰
/// How far the mean of a disclosed target may be off, relative to it or to the prior standard deviation.
const DISCLOSED_MEAN_TOLERANCE: f64 = 1.164_153_218_269_348e-10; // 2⁻³³

/// Digits at the end of a double that a mean may be off by: no better one can be printed. This and the tolerances above are no
/// bounds, but what is asked of them.
const LAST_DIGITS: f64 = 8.0 * f64::EPSILON;
/// The rounding of pairs of doubles leaves a smaller relative error than this, that of the program's numbers a larger one.
const ROUNDING_ALONE: f64 = 8.271_806_125_530_277e-25; // 2⁻⁸⁰

impl<S: Scalar> Learner<'_, S> {
    /// The weight of an observation in a target's mean, in the user's units.
    fn weight(&self, target: &Affine<S>, view: &View<S::Wide>, basis: u32, x: f64) -> (usize, f64) {
        let used = &self.used[basis as usize];
        let of_observation = &self.observations[used.observation].variable.scale;
        let unit = power_of_two(view.exponent - self.exponents[used.position]);
        (used.observation, x * unit * (target.scale.to_f64() / of_observation.to_f64()))
    }

    /// What the observations that were seen say about sources with the column of this one.
    pub(super) fn profile(&mut self, number: u32, poll: &mut Poll) -> Result<Profile<S::Wide>, Interrupt> {
        let source = self.projector.profile(number, poll)?;
        let innovation = |basis: u32| self.used[basis as usize].evidence.innovation.as_ref();
        let shifts = source.onto.iter().filter_map(|(basis, c)| Some(c.mul(innovation(*basis)?)));
        Ok(Profile {
            shift: shifts.fold(S::Wide::zero(), |sum, shift| sum.add(&shift)),
            shift_error: source.shift_error + self.rounding(&source.onto, &S::Wide::one()),
            explained: source.explained,
            explained_by_all: source.explained_by_all,
            bend: source.bend,
        })
    }

    /// Puts a target's view into the user's units.
    pub(super) fn outcome(
        &self,
        target: &Affine<S>,
        row: &Row<S::Wide>,
        view: &View<S::Wide>,
    ) -> Result<TargetOutcome<S>, Interrupt> {
        let written = |variance: &S::Wide| narrow_scaled_variance(variance, &target.scale, view.exponent);
        let mut shift = S::Wide::zero();
        let (mut seen_reduction, mut reduction) = (S::Wide::zero(), S::Wide::zero());
        let mut reductions = Vec::with_capacity(view.onto.len());
        for (basis, c) in &view.onto {
            let used = &self.used[*basis as usize];
            let part = c.mul(c).mul(self.projector.pivot(*basis));
            reduction = reduction.add(&part);
            if let Some(innovation) = &used.evidence.innovation {
                shift = shift.add(&c.mul(innovation));
                seen_reduction = reduction.clone();
            }
            let part = part.mul_narrow(&target.scale).mul_narrow(&target.scale);
            reductions.push((used.observation, narrow_finite(&part, 2 * view.exponent)?));
        }
        let node_shift = scale(&shift, view.exponent);
        let node_mean = row.mean.value.add(&node_shift);
        let shift_error = view.shift_error + self.rounding(&view.onto, &view.prior_variance);
        let mean_in_units = scale(&node_mean, -view.exponent).to_f64();
        let (before, after) = (&view.prior_variance, &view.variance_after_seen);
        check_mean(before, after, mean_in_units, shift_error, self.projector.mean_tolerance)?;

        for (mean, variance) in [(&row.mean.value, &view.prior_variance), (&node_mean, &view.variance_after_seen)] {
            let std_dev = target.scale.to_f64().abs() * power_of_two(view.exponent) * variance.to_f64().sqrt();
            check_own_mean(target, &row.mean, affine(target, mean).to_f64(), std_dev)?;
        }

        let mut covariances_alone = Vec::with_capacity(view.alone.len());
        let mut variances_left_alone = Vec::with_capacity(view.alone.len());
        for (position, covariance) in &view.alone {
            let observation = self.order[*position as usize];
            let terms = row.len.max(self.projector.row(*position as usize).terms);
            let left = left_alone(&view.prior_variance, covariance, &self.variances[*position as usize], terms);
            variances_left_alone.push((observation, written(&left)?));
            let exponent = view.exponent + self.exponents[*position as usize];
            let covariance =
                covariance.mul_narrow(&target.scale).mul_narrow(&self.observations[observation].variable.scale);
            covariances_alone.push((observation, narrow_finite(&covariance, exponent)?));
        }
        let mut weights: Vec<(usize, f64)> =
            view.combination.iter().map(|(basis, x)| self.weight(target, view, *basis, *x)).collect();
        weights.sort_unstable_by_key(|(observation, _)| *observation);
        covariances_alone.sort_unstable_by_key(|(observation, _)| *observation);
        variances_left_alone.sort_unstable_by_key(|(observation, _)| *observation);
        let random = !view.prior_variance.is_zero();
        let means = [affine(target, &row.mean.value), affine(target, &node_mean)];
        let rest = |mean: &S::Wide| mean.sub(&S::Wide::widen(&mean.narrow())).to_f64();
        Ok(TargetOutcome {
            prior_mean: narrow_finite(&means[0], 0)?,
            prior_variance: written(&view.prior_variance)?,
            posterior_mean: narrow_finite(&means[1], 0)?,
            mean_rests: means.each_ref().map(rest),
            mean_shift: narrow_finite(&node_shift.mul_narrow(&target.scale), 0)?,
            posterior_variance: written(&view.variance_after_seen)?,
            variance_reduction: written(&seen_reduction)?,
            variance_if_all_published: written(&view.variance_after_all)?,
            reduction_if_all_published: written(&reduction)?,
            fully_disclosed: random && view.variance_after_seen.is_zero(),
            fully_disclosed_if_all_published: random && view.variance_after_all.is_zero(),
            reductions,
            weights,
            covariances_alone,
            variances_left_alone,
        })
    }
}

/// v − c²/w: what an observation of variance w and covariance c leaves of a variance v.
///
/// What rounding alone could have left is taken as nothing: that errs on the side of caution. All three are sums over at most
/// so many sources, each off by as many roundings and a few (`docs/proofs/projection.md`).
pub(super) fn left_alone<W: Wide>(variance: &W, covariance: &W, of_observation: &W, terms: usize) -> W {
    if of_observation.is_zero() {
        return variance.clone();
    }
    let left = variance.sub(&covariance.mul(covariance).div(of_observation));
    let rounding = (4 * terms + 64) as f64 * W::UNIT_ROUNDOFF * variance.to_f64();
    if left.to_f64() <= rounding { W::zero() } else { left }
}

/// Bound on the error of offset + scale·mean that the numbers it was made of bring.
fn affine_error<W: Wide>(variable: &Affine<W::Narrow>, mean: &Mean<W>) -> f64 {
    let scale = variable.scale.to_f64().abs();
    scale * mean.error + number_error(&variable.offset) + number_error(&variable.scale) * mean.value.to_f64().abs()
}

/// Refuses a mean that its own numbers could have moved visibly: by more than a fraction of the standard deviation, and
/// by more than the last digits of a double.
pub(super) fn check_own_mean<W: Wide>(
    variable: &Affine<W::Narrow>,
    own: &Mean<W>,
    mean: f64,
    std_dev: f64,
) -> Result<(), Interrupt> {
    let error = affine_error(variable, own);
    if W::Narrow::EXACT || error <= MEAN_TOLERANCE * std_dev || error <= LAST_DIGITS * mean.abs() {
        return Ok(());
    }
    // Without rounded numbers nothing but more digits is missing.
    let size = variable.offset.to_f64().abs() + variable.scale.to_f64().abs() * own.magnitude;
    Err(if error <= ROUNDING_ALONE * size { Interrupt::OutOfRange } else { Interrupt::Doubtful })
}

/// Refuses a mean that the rounding of the inputs could move visibly.
pub(super) fn check_mean<W: Wide>(
    before: &W,
    after: &W,
    mean: f64,
    shift_error: f64,
    mean_tolerance: f64,
) -> Result<(), Interrupt> {
    let tolerance = if after.is_zero() {
        DISCLOSED_MEAN_TOLERANCE * before.to_f64().sqrt().max(mean.abs())
    } else {
        (mean_tolerance * after.to_f64().sqrt()).max(LAST_DIGITS * mean.abs())
    };
    if W::Narrow::EXACT || shift_error <= tolerance { Ok(()) } else { Err(Interrupt::Doubtful) }
}
