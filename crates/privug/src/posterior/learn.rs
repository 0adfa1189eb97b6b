//! The steps of conditioning in order: rows, observations with their values, then targets.

use std::f64::consts::TAU;

use crate::network::{Affine, Network};
use crate::number::{Scalar, Wide};

use super::covariance::{TargetView, covariances};
use super::exact::Exact;
use super::geometry::{Evidence, Geometry, Placement, View};
use super::range::{
    Interrupt, OutOfRange, Poll, exponent, narrow_finite, narrow_variance, natural_logarithm, power_of_two, scale,
};
use super::rounded::Rounded;
use super::sweep::{Row, Sweeper, value_error, weight_error};
use super::{
    MAX_COVARIANCE_TARGETS, Observation, ObservationOutcome, Options, Posterior, Refusal, Status, Subject,
    TargetOutcome,
};

/// Units in the last place that a redundant value may be off by, in doubles.
const DEFAULT_TOLERANCE_ULPS: f64 = 64.0;
/// A redundant value that is off by less, relative to the numbers involved, is left to exact arithmetic.
const NEARLY_IMPLIED: f64 = 9.313_225_746_154_785e-10; // 2⁻³⁰
/// How far a mean may be off, in posterior standard deviations.
pub(super) const MEAN_TOLERANCE: f64 = 9.313_225_746_154_785e-10; // 2⁻³⁰
/// How far the mean of a disclosed target may be off, relative to it or to the prior standard deviation.
const DISCLOSED_MEAN_TOLERANCE: f64 = 1.164_153_218_269_348e-10; // 2⁻³³
/// How far the logarithm of an observation's density may be off, relative to 1 or to itself.
const EVIDENCE_TOLERANCE: f64 = 1e-6;
/// Squares of larger numbers of standard deviations would overflow.
const MAX_SURPRISE_EXPONENT: i32 = 480;

/// Conditions a network on observations, and looks at targets before and after.
///
/// ```text
/// posterior mean = prior mean + Σ c_l·innovation_l        posterior variance = ‖t − Σ c_l·q_l‖²
/// ```
///
/// with q_l the part of observation l that is orthogonal to the earlier ones, and c_l = ⟨t, q_l⟩/⟨q_l, q_l⟩.
pub fn condition<S: Scalar>(
    network: &Network<S>,
    observations: &[Observation<S>],
    targets: &[Affine<S>],
    options: &Options,
) -> Result<Posterior<S>, Refusal<S>> {
    let mut poll = Poll::new(options);
    let mut sweeper = Sweeper::new(network);
    let mut order: Vec<usize> = (0..observations.len()).collect();
    order.sort_by_key(|&index| observations[index].value.is_none());

    let mut rows = Vec::with_capacity(order.len());
    for &index in &order {
        let at = |interrupt| refuse(interrupt, Subject::Observation(index));
        let row = row_of(&mut sweeper, &observations[index].variable, &mut poll).map_err(at)?;
        poll.store(row.entries.len()).map_err(at)?;
        rows.push(row);
    }
    let mut geometry: Box<dyn Geometry<S::Wide> + '_> = if S::EXACT {
        Box::new(Exact::new(network, &rows))
    } else {
        let rounded = Rounded::new(network, &rows);
        Box::new(rounded.map_err(|(row, interrupt)| refuse(interrupt, Subject::Observation(order[row])))?)
    };
    let mut learner = Learner {
        geometry: geometry.as_mut(),
        tolerance_ulps: options.value_tolerance_ulps.unwrap_or(if S::EXACT { 0.0 } else { DEFAULT_TOLERANCE_ULPS }),
        exponents: Vec::new(),
        variances: Vec::new(),
        used: Vec::new(),
        log_evidence_nats: 0.0,
    };
    let mut outcomes: Vec<Option<ObservationOutcome<S>>> = vec![None; observations.len()];
    for (&index, row) in order.iter().zip(&rows) {
        outcomes[index] = Some(learner.observe(index, &observations[index], row, &mut poll)?);
    }
    drop(rows);
    let evidence: Vec<Evidence<S::Wide>> = learner.used.iter().map(|used| used.evidence.clone()).collect();
    learner.geometry.learn(&evidence);

    let with_covariances = targets.len() <= MAX_COVARIANCE_TARGETS;
    let mut views = Vec::new();
    let mut target_outcomes = Vec::with_capacity(targets.len());
    for (index, target) in targets.iter().enumerate() {
        let at = |interrupt| refuse(interrupt, Subject::Target(index));
        let row = row_of(&mut sweeper, target, &mut poll).map_err(at)?;
        let view = learner.geometry.view(&row, &mut poll).map_err(at)?;
        target_outcomes.push(learner.outcome(observations, &order, target, &row, &view).map_err(at)?);
        if with_covariances {
            poll.store(row.entries.len()).map_err(at)?;
            views.push(TargetView { variable: target, row, view });
        }
    }
    let covariances = if with_covariances { Some(covariances(&mut learner, &views, &mut poll)?) } else { None };
    Ok(Posterior {
        observations: outcomes.into_iter().flatten().collect(),
        log_evidence_nats: learner.log_evidence_nats,
        targets: target_outcomes,
        covariances,
    })
}

/// The row of an affine expression's node; that of a constant if the node does not matter.
fn row_of<S: Scalar>(
    sweeper: &mut Sweeper<'_, S>,
    variable: &Affine<S>,
    poll: &mut Poll,
) -> Result<Row<S::Wide>, Interrupt> {
    if variable.scale.is_zero() { Ok(Row::empty()) } else { sweeper.sweep(variable.node, poll) }
}

pub(super) fn refuse<S>(interrupt: Interrupt, subject: Subject) -> Refusal<S> {
    match interrupt {
        Interrupt::OutOfRange => Refusal::OutOfRange { subject },
        Interrupt::Doubtful => Refusal::Doubtful { subject },
        Interrupt::TooLarge { resource, needed, limit } => Refusal::TooLarge { resource, needed, limit },
        Interrupt::Cancelled => Refusal::Cancelled,
    }
}

/// An observation that became a basis vector.
pub(super) struct Used<W> {
    observation: usize,
    /// Its place in the order of processing.
    position: usize,
    pub evidence: Evidence<W>,
    /// Size of the numbers that (value − mean) was made of, in units of the row.
    magnitude: f64,
}

/// The conditioning so far.
pub(super) struct Learner<'a, W> {
    pub geometry: &'a mut dyn Geometry<W>,
    tolerance_ulps: f64,
    /// The power of two of each observation's row, in the order of processing.
    exponents: Vec<i32>,
    /// The variance of each observation's row, in the same order and in units of that power.
    variances: Vec<W>,
    pub used: Vec<Used<W>>,
    log_evidence_nats: f64,
}

/// (value − offset)/scale − mean, how far it could be off, and the size of the numbers it was made of.
struct Deviation<W> {
    deviation: W,
    error: f64,
    magnitude: f64,
}

impl<W: Wide> Deviation<W> {
    fn new(variable: &Affine<W::Narrow>, value: &W::Narrow, row: &Row<W>) -> Result<Self, OutOfRange> {
        let scale = W::widen(&variable.scale);
        let value_at_node = W::widen(value).sub(&W::widen(&variable.offset)).div(&scale);
        let scale = variable.scale.to_f64().abs();
        let magnitude = (value.to_f64().abs() + variable.offset.to_f64().abs()) / scale + row.mean_magnitude;
        let error = (value_error(value) + value_error(&variable.offset)) / scale
            + weight_error(&variable.scale) / scale * value_at_node.to_f64().abs()
            + row.mean_error
            + 8.0 * W::UNIT_ROUNDOFF * magnitude;
        let deviation = value_at_node.sub(&row.mean);
        let finite = W::Narrow::EXACT || (deviation.to_f64().is_finite() && magnitude.is_finite());
        if finite { Ok(Deviation { deviation, error, magnitude }) } else { Err(OutOfRange) }
    }
}

impl<W: Wide> Learner<'_, W> {
    /// Places the next observation and takes in its value.
    fn observe(
        &mut self,
        index: usize,
        observation: &Observation<W::Narrow>,
        row: &Row<W>,
        poll: &mut Poll,
    ) -> Result<ObservationOutcome<W::Narrow>, Refusal<W::Narrow>> {
        let at = |interrupt| refuse(interrupt, Subject::Observation(index));
        let out_of_range = |_| at(Interrupt::OutOfRange);
        let variable = &observation.variable;
        let placement = self.geometry.observe(poll).map_err(at)?;
        self.exponents.push(placement.exponent);
        self.variances.push(placement.variance.clone());
        let predicted_mean = affine(variable, &row.mean);
        let written_variance = |variance: &W, exponent: i32| {
            narrow_variance(&variance.mul_narrow(&variable.scale).mul_narrow(&variable.scale), 2 * exponent)
        };
        let predicted_variance = written_variance(&placement.variance, placement.exponent).map_err(out_of_range)?;
        let status = match &placement.basis {
            Some(basis) => {
                let exponent = placement.exponent + basis.shift;
                let innovation_variance = written_variance(&basis.squared_norm, exponent).map_err(out_of_range)?;
                let innovation = self.take_in(index, observation, row, &placement).map_err(at)?;
                let written = innovation.map(|innovation| {
                    narrow_finite(&innovation.mul_narrow(&variable.scale), exponent).map_err(out_of_range)
                });
                Status::Used { innovation: written.transpose()?, innovation_variance }
            }
            None => {
                if let Some(given) = &observation.value {
                    let implied = self.implied(observation, given, row, &placement).map_err(at)?;
                    if let Some(implied) = implied {
                        let implied = narrow_finite(&implied, 0).map_err(out_of_range)?;
                        return Err(Refusal::Contradiction { observation: index, implied, given: given.clone() });
                    }
                }
                Status::Redundant
            }
        };
        let predicted_mean = narrow_finite(&predicted_mean, 0).map_err(out_of_range)?;
        Ok(ObservationOutcome { predicted_mean, predicted_variance, status })
    }

    /// Adds a basis vector's innovation (its value minus what the earlier ones let expect) and its evidence.
    fn take_in(
        &mut self,
        index: usize,
        observation: &Observation<W::Narrow>,
        row: &Row<W>,
        placement: &Placement<W>,
    ) -> Result<Option<W>, Interrupt> {
        let Some(basis) = &placement.basis else { return Ok(None) };
        let position = self.exponents.len() - 1;
        let Some(value) = &observation.value else {
            let evidence = Evidence { innovation: None, error: 0.0 };
            self.used.push(Used { observation: index, position, evidence, magnitude: 0.0 });
            return Ok(None);
        };
        let Deviation { deviation, error, magnitude } = Deviation::new(&observation.variable, value, row)?;
        let unit = power_of_two(-placement.exponent);
        // What is lost here comes back wherever this observation is subtracted from another.
        let error = error * unit + self.rounding(&placement.onto, &placement.variance);
        let magnitude = magnitude * unit;
        let innovation = scale(&self.without_expected(&deviation, placement), -basis.shift);
        let surprise = exponent(innovation.to_f64());
        if !W::Narrow::EXACT && surprise > MAX_SURPRISE_EXPONENT {
            return Err(OutOfRange.into());
        }
        let squared = innovation.mul(&innovation).div(&basis.squared_norm).to_f64();
        let earlier = placement.combination.iter().map(|(row, x)| x.abs() * self.used[*row as usize].evidence.error);
        let innovation_error = (error + earlier.sum::<f64>()) * power_of_two(-basis.shift);
        let density_error = innovation_error * innovation.to_f64().abs() / basis.squared_norm.to_f64();
        let certain = W::Narrow::EXACT || density_error <= EVIDENCE_TOLERANCE * (1.0 + squared / 2.0);
        if !certain {
            return Err(Interrupt::Doubtful);
        }
        let log_scale = natural_logarithm(&absolute(&W::widen(&observation.variable.scale)));
        let log_unit = f64::from(placement.exponent + basis.shift) * std::f64::consts::LN_2;
        let log_variance = natural_logarithm(&basis.squared_norm) + 2.0 * (log_unit + log_scale);
        self.log_evidence_nats -= (TAU.ln() + log_variance + squared) / 2.0;
        let evidence = Evidence { innovation: Some(innovation.clone()), error };
        self.used.push(Used { observation: index, position, evidence, magnitude });
        Ok(Some(innovation))
    }

    /// deviation·2^−exponent − Σ c_l·innovation_l
    fn without_expected(&self, deviation: &W, placement: &Placement<W>) -> W {
        let deviation = scale(deviation, -placement.exponent);
        placement.onto.iter().fold(deviation, |rest, (row, c)| match &self.used[*row as usize].evidence.innovation {
            Some(innovation) => rest.sub(&c.mul(innovation)),
            None => rest,
        })
    }

    /// Bound on what rounding takes from Σ c_l·innovation_l for a row a of the given variance. A c_l is off by as much
    /// as ‖a‖/‖q_l‖ allows, also where it should be zero.
    fn rounding(&self, onto: &[(u32, W)], variance: &W) -> f64 {
        if W::Narrow::EXACT {
            return 0.0;
        }
        let terms = onto.iter().filter_map(|(row, _)| {
            let innovation = self.used[*row as usize].evidence.innovation.as_ref()?;
            Some(innovation.to_f64().abs() / self.geometry.squared_norm(*row).to_f64().sqrt())
        });
        W::UNIT_ROUNDOFF * (onto.len() + 8) as f64 * variance.to_f64().sqrt() * terms.sum::<f64>()
    }

    /// The value that a redundant observation should have had, if that is not the one given.
    fn implied(
        &self,
        observation: &Observation<W::Narrow>,
        given: &W::Narrow,
        row: &Row<W>,
        placement: &Placement<W>,
    ) -> Result<Option<W>, Interrupt> {
        let variable = &observation.variable;
        let shift = self.without_expected(&W::zero(), placement).neg();
        let implied = affine(variable, &row.mean.add(&scale(&shift, placement.exponent)));
        let difference = W::widen(given).sub(&implied);
        if difference.is_zero() {
            return Ok(None);
        }
        let earlier = placement.combination.iter().map(|(row, x)| x.abs() * self.used[*row as usize].magnitude);
        let unit = power_of_two(placement.exponent) * variable.scale.to_f64().abs();
        let magnitude = given.to_f64().abs()
            + variable.offset.to_f64().abs()
            + variable.scale.to_f64().abs() * row.mean_magnitude
            + unit * earlier.sum::<f64>();
        // Published sums of n numbers are themselves off by about √n roundings.
        let ulps = self.tolerance_ulps.max((row.entries.len() as f64).sqrt());
        let rounding = if W::Narrow::EXACT {
            0.0
        } else {
            let earlier =
                placement.combination.iter().map(|(row, x)| x.abs() * self.used[*row as usize].evidence.error);
            unit * (self.rounding(&placement.onto, &placement.variance) + earlier.sum::<f64>())
        };
        let tolerance = ulps * f64::EPSILON * magnitude + rounding;
        let agrees = self.tolerance_ulps > 0.0 && tolerance.is_finite() && difference.to_f64().abs() <= tolerance;
        if agrees {
            return Ok(None);
        }
        // So close, rounded weights may be to blame that cancelled on their way here.
        let size = magnitude + unit * placement.variance.to_f64().sqrt();
        let close = difference.to_f64().abs() <= NEARLY_IMPLIED * size;
        if close && !W::Narrow::EXACT { Err(Interrupt::Doubtful) } else { Ok(Some(implied)) }
    }

    /// The weight of an observation in a target's mean, in the user's units.
    fn weight(
        &self,
        observations: &[Observation<W::Narrow>],
        target: &Affine<W::Narrow>,
        view: &View<W>,
        basis: u32,
        x: f64,
    ) -> (usize, f64) {
        let used = &self.used[basis as usize];
        let of_observation = &observations[used.observation].variable.scale;
        let unit = power_of_two(view.exponent - self.exponents[used.position]);
        (used.observation, x * unit * (target.scale.to_f64() / of_observation.to_f64()))
    }

    /// Puts a target's view into the user's units.
    fn outcome(
        &mut self,
        observations: &[Observation<W::Narrow>],
        order: &[usize],
        target: &Affine<W::Narrow>,
        row: &Row<W>,
        view: &View<W>,
    ) -> Result<TargetOutcome<W::Narrow>, Interrupt> {
        let written = |variance: &W| {
            narrow_variance(&variance.mul_narrow(&target.scale).mul_narrow(&target.scale), 2 * view.exponent)
        };
        let mut shift = W::zero();
        let (mut seen_reduction, mut reduction) = (W::zero(), W::zero());
        let mut reductions = Vec::with_capacity(view.onto.len());
        for (basis, c) in &view.onto {
            let used = &self.used[*basis as usize];
            let part = c.mul(c).mul(self.geometry.squared_norm(*basis));
            reduction = reduction.add(&part);
            if let Some(innovation) = &used.evidence.innovation {
                shift = shift.add(&c.mul(innovation));
                seen_reduction = reduction.clone();
            }
            let part = part.mul_narrow(&target.scale).mul_narrow(&target.scale);
            reductions.push((used.observation, narrow_finite(&part, 2 * view.exponent)?));
        }
        let node_shift = scale(&shift, view.exponent);
        let node_mean = row.mean.add(&node_shift);
        let shift_error = view.shift_error + self.rounding(&view.onto, &view.prior_variance);
        check_mean(view, &scale(&node_mean, -view.exponent), shift_error)?;

        let mut covariances_alone = Vec::with_capacity(view.alone.len());
        let mut variances_left_alone = Vec::with_capacity(view.alone.len());
        for (position, covariance) in &view.alone {
            let observation = order[*position as usize];
            let left = left_alone(&view.prior_variance, covariance, &self.variances[*position as usize]);
            variances_left_alone.push((observation, written(&left)?));
            let exponent = view.exponent + self.exponents[*position as usize];
            let covariance = covariance.mul_narrow(&target.scale).mul_narrow(&observations[observation].variable.scale);
            covariances_alone.push((observation, narrow_finite(&covariance, exponent)?));
        }
        let seen = view.onto.iter().filter(|(basis, _)| self.used[*basis as usize].evidence.innovation.is_some());
        let seen: Vec<(u32, f64)> = seen.map(|(basis, c)| (*basis, c.to_f64())).collect();
        let combination = self.geometry.combination(&seen);
        let mut weights: Vec<(usize, f64)> =
            combination.iter().map(|(basis, x)| self.weight(observations, target, view, *basis, *x)).collect();
        weights.sort_unstable_by_key(|(observation, _)| *observation);
        covariances_alone.sort_unstable_by_key(|(observation, _)| *observation);
        variances_left_alone.sort_unstable_by_key(|(observation, _)| *observation);
        let random = !view.prior_variance.is_zero();
        Ok(TargetOutcome {
            prior_mean: narrow_finite(&affine(target, &row.mean), 0)?,
            prior_variance: written(&view.prior_variance)?,
            posterior_mean: narrow_finite(&affine(target, &node_mean), 0)?,
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
/// What rounding alone could have left is taken as nothing: that errs on the side of caution.
fn left_alone<W: Wide>(variance: &W, covariance: &W, of_observation: &W) -> W {
    if of_observation.is_zero() {
        return variance.clone();
    }
    let left = variance.sub(&covariance.mul(covariance).div(of_observation));
    let rounding = 64.0 * W::UNIT_ROUNDOFF * variance.to_f64();
    if left.to_f64() <= rounding { W::zero() } else { left }
}

/// Refuses a mean that the rounding of the inputs could move visibly.
fn check_mean<W: Wide>(view: &View<W>, mean: &W, shift_error: f64) -> Result<(), Interrupt> {
    let tolerance = if view.variance_after_seen.is_zero() {
        DISCLOSED_MEAN_TOLERANCE * view.prior_variance.to_f64().sqrt().max(mean.to_f64().abs())
    } else {
        MEAN_TOLERANCE * view.variance_after_seen.to_f64().sqrt()
    };
    if W::Narrow::EXACT || shift_error <= tolerance { Ok(()) } else { Err(Interrupt::Doubtful) }
}

/// offset + scale·node
fn affine<W: Wide>(variable: &Affine<W::Narrow>, node: &W) -> W {
    W::widen(&variable.offset).add(&node.mul_narrow(&variable.scale))
}

fn absolute<W: Wide>(number: &W) -> W {
    if *number < W::zero() { number.neg() } else { number.clone() }
}
