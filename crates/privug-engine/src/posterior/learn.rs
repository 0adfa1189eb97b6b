//! Observations and their values, one after the other.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::network::{Affine, Network};
use crate::number::{Constants, DoubleDouble, Field, Scalar, VALUE_TOLERANCE_ULPS, Wide};

use super::condition::{refuse, row_of};
use super::large::Independent;
use super::outcome::check_own_mean;
use super::poll::{Interrupt, Poll, WORTH_A_THREAD, in_parallel};
use super::projector::{Evidence, Placement, Projector, Unplaced};
use super::range::{
    OutOfRange, exponent, narrow_finite, narrow_scaled_variance, natural_logarithm, power_of_two, scale,
};
use super::row::{Mean, Row, number_error};
use super::sweep::Sweeper;
use super::{Observation, ObservationOutcome, Prediction, Refusal, Status, Subject};

/// A redundant value that is off by less, relative to the numbers involved, is left to exact arithmetic.
const NEARLY_IMPLIED: f64 = 9.313_225_746_154_785e-10; // 2⁻³⁰
/// How far the logarithm of an observation's density may be off, relative to 1 or to itself.
const EVIDENCE_TOLERANCE: f64 = 1e-6;
/// Squares of larger numbers of standard deviations would overflow.
const MAX_SURPRISE_EXPONENT: i32 = 480;

/// An observation that became a basis vector.
pub(super) struct Used<W> {
    pub observation: usize,
    /// Its place in the order of processing.
    pub position: usize,
    pub evidence: Evidence<W>,
    /// Size of the numbers that (value − mean) was made of, in units of the row.
    magnitude: f64,
}

/// The conditioning so far.
pub(super) struct Learner<'a, S: Scalar> {
    pub projector: Projector<'a, S>,
    pub observations: &'a [Observation<S>],
    /// Observations with a value come first.
    pub order: Vec<usize>,
    /// The mean of each observation's row and how many sources it depends on, in that order.
    means: Vec<(Mean<S::Wide>, usize)>,
    /// Those of very many that do not follow from others, if that was found out before.
    pub independent: Option<Arc<Independent>>,
    tolerance_ulps: f64,
    /// The power of two of each observation's row, in the order of processing.
    pub exponents: Vec<i32>,
    /// The variance of each observation's row, in the same order and in units of that power.
    pub variances: Vec<S::Wide>,
    pub used: Vec<Used<S::Wide>>,
    pub log_evidence_nats: f64,
    /// A bound on its error.
    pub log_evidence_error: f64,
    /// Σ |innovation_l|/⟨q_l, q_l⟩·(‖a_l‖ + Σ |x_l|·‖a‖): what an error of the factorisation does to the next innovation, for
    /// each unit of its row's size.
    pull: f64,
}

/// What is found of observations once, for several questions about them: their rows, what these have in common and, of very
/// many, which follow from others. The network may grow between two questions; the observations stay the same.
#[derive(Debug)]
pub struct Prepared<S: Scalar> {
    kept: Option<Kept<S::Wide>>,
}

#[derive(Debug)]
struct Kept<W> {
    means: Vec<(Mean<W>, usize)>,
    unplaced: Unplaced<W>,
    independent: Option<Arc<Independent>>,
}

impl<S: Scalar> Default for Prepared<S> {
    fn default() -> Self {
        Prepared { kept: None }
    }
}

impl<S: Scalar> Prepared<S> {
    /// A sweeper with the primes of the observations, if these are known.
    pub(super) fn sweeper<'a>(&self, network: &'a Network<S>) -> Sweeper<'a, S> {
        match &self.kept {
            Some(kept) => Sweeper::with_primes(network, kept.unplaced.primes.clone()),
            None => Sweeper::new(network),
        }
    }

    /// The observations, ready to be learnt from.
    pub(super) fn learner<'a>(
        &mut self,
        network: &'a Network<S>,
        observations: &'a [Observation<S>],
        sweeper: &mut Sweeper<'_, S>,
        poll: &mut Poll,
    ) -> Result<Learner<'a, S>, Refusal<S>> {
        match self.kept.take() {
            None => Learner::new(network, observations, sweeper, poll),
            Some(Kept { means, unplaced, independent }) => {
                let projector = Projector::again(network, unplaced, poll);
                Ok(Learner { independent, ..Learner::begin(projector, means, observations, poll) })
            }
        }
    }

    /// Keeps what the next question can use.
    pub(super) fn keep(&mut self, learner: Learner<'_, S>, independent: Option<Arc<Independent>>) {
        let (means, unplaced) = (learner.means, learner.projector.unplaced());
        self.kept = Some(Kept { means, unplaced, independent: independent.or(learner.independent) });
    }
}

/// Values minus means in pairs of doubles, and bounds on their errors.
pub(super) struct Deviations {
    pub values: Vec<DoubleDouble>,
    pub errors: Vec<f64>,
}

/// (value − offset)/scale − mean, how far it could be off, and the size of the numbers it was made of.
struct Deviation<W> {
    deviation: W,
    error: f64,
    magnitude: f64,
}

/// What observations imply of the node of another, in its units.
pub(super) struct Implied<W> {
    /// How far from its mean.
    pub shift: W,
    /// The size of the numbers that this was made of.
    magnitude: f64,
    /// Bound on its error from rounded numbers and rounding.
    pub rounding: f64,
}

impl<W: Wide> Deviation<W> {
    fn new(variable: &Affine<W::Narrow>, value: &W::Narrow, mean: &Mean<W>) -> Result<Self, OutOfRange> {
        let scale = W::widen(&variable.scale);
        let value_at_node = W::widen(value).sub(&W::widen(&variable.offset)).div(&scale);
        let scale = variable.scale.to_f64().abs();
        let magnitude = (value.to_f64().abs() + variable.offset.to_f64().abs()) / scale + mean.magnitude;
        let error = (number_error(value) + number_error(&variable.offset)) / scale
            + number_error(&variable.scale) / scale * value_at_node.to_f64().abs()
            + mean.error
            + 8.0 * W::UNIT_ROUNDOFF * magnitude;
        let deviation = value_at_node.sub(&mean.value);
        let finite = W::Narrow::EXACT || (deviation.to_f64().is_finite() && magnitude.is_finite());
        if finite { Ok(Deviation { deviation, error, magnitude }) } else { Err(OutOfRange) }
    }
}

impl<'a, S: Scalar> Learner<'a, S> {
    /// Of observations that are yet to be learnt from.
    pub(super) fn new(
        network: &'a Network<S>,
        observations: &'a [Observation<S>],
        sweeper: &mut Sweeper<'_, S>,
        poll: &mut Poll,
    ) -> Result<Self, Refusal<S>> {
        let order = processing_order(observations);
        let sweep = |sweeper: &mut Sweeper<'_, S>, position: usize, poll: &mut Poll<'_>| {
            let index = order[position];
            let at = |interrupt| refuse(interrupt, Subject::Observation(index));
            let row = row_of(sweeper, &observations[index].variable, poll).map_err(at)?;
            poll.store(row.len).map_err(at)?;
            Ok(row)
        };
        let primes = sweeper.primes().clone();
        let rows: Vec<Row<S::Wide>> = if order.len() > 1 && order.len() * network.len() >= WORTH_A_THREAD {
            in_parallel(order.len(), poll, || Sweeper::with_primes(network, primes.clone()), sweep)?
        } else {
            (0..order.len()).map(|position| sweep(sweeper, position, poll)).collect::<Result<_, _>>()?
        };
        let means = rows.iter().map(|row| (row.mean.clone(), row.len)).collect();
        let projector = Projector::new(network, rows, primes, poll)
            .map_err(|(row, error)| refuse(error.into(), Subject::Observation(order[row])))?;
        Ok(Self::begin(projector, means, observations, poll))
    }

    fn begin(
        projector: Projector<'a, S>,
        means: Vec<(Mean<S::Wide>, usize)>,
        observations: &'a [Observation<S>],
        poll: &Poll<'_>,
    ) -> Self {
        let default_ulps = if S::EXACT { 0.0 } else { VALUE_TOLERANCE_ULPS };
        Learner {
            projector,
            observations,
            order: processing_order(observations),
            means,
            independent: None,
            tolerance_ulps: poll.options().value_tolerance_ulps.unwrap_or(default_ulps),
            exponents: Vec::new(),
            variances: Vec::new(),
            used: Vec::new(),
            log_evidence_nats: 0.0,
            log_evidence_error: 0.0,
            pull: 0.0,
        }
    }

    /// Takes in all observations, and says what each told.
    pub(super) fn learn(&mut self, poll: &mut Poll) -> Result<Vec<ObservationOutcome<S>>, Refusal<S>> {
        self.projector.begin();
        let mut outcomes: Vec<Option<ObservationOutcome<S>>> = vec![None; self.observations.len()];
        for position in 0..self.order.len() {
            outcomes[self.order[position]] = Some(self.observe(position, poll)?);
        }
        let evidence: Vec<Evidence<S::Wide>> = self.used.iter().map(|used| used.evidence.clone()).collect();
        self.projector.learn(&evidence);
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// How many observations were seen; they come first in `order`.
    pub(super) fn seen(&self) -> usize {
        self.order.partition_point(|&index| self.observations[index].value.is_some())
    }

    /// Whether all of them were.
    pub(super) fn all_seen(&self) -> bool {
        self.seen() == self.order.len()
    }

    /// Values minus means of observations, by position and in these units of their rows; `None` if they leave the range.
    pub(super) fn deviations(&self, observations: &[(usize, i32)]) -> Option<Deviations> {
        let count = observations.len();
        let mut deviations = Deviations { values: Vec::with_capacity(count), errors: Vec::with_capacity(count) };
        for (position, unit) in observations {
            let observation = &self.observations[self.order[*position]];
            let value = observation.value.as_ref()?;
            let deviation = Deviation::new(&observation.variable, value, &self.means[*position].0).ok()?;
            let exponent = self.projector.row(*position).exponent + unit;
            let (high, low) = scale(&deviation.deviation, -exponent).to_parts();
            deviations.values.push(DoubleDouble::new(high, low));
            deviations.errors.push(deviation.error * power_of_two(-exponent));
        }
        Some(deviations)
    }

    /// Value minus mean of the observation in this place at its node, and a bound on its error; 0 without a value.
    pub(super) fn deviation(&self, position: usize) -> Result<(S::Wide, f64), OutOfRange> {
        let observation = &self.observations[self.order[position]];
        let Some(value) = &observation.value else { return Ok((S::Wide::zero(), 0.0)) };
        if observation.variable.scale.is_zero() {
            return Ok((S::Wide::zero(), 0.0));
        }
        let found = Deviation::new(&observation.variable, value, &self.means[position].0)?;
        Ok((found.deviation, if S::EXACT { 0.0 } else { found.error }))
    }

    /// What every observation is before anything is observed.
    pub(super) fn predictions(&self) -> Result<Vec<Prediction<S>>, Refusal<S>> {
        let mut predictions: Vec<Option<Prediction<S>>> = vec![None; self.order.len()];
        for (position, &index) in self.order.iter().enumerate() {
            let out_of_range = |_| refuse(Interrupt::OutOfRange, Subject::Observation(index));
            let variable = &self.observations[index].variable;
            let row = self.projector.row(position);
            let variance = narrow_scaled_variance(&row.squared_norm, &variable.scale, row.exponent);
            let variance = variance.map_err(out_of_range)?;
            let (mean, std_dev) = (&self.means[position].0, variance.to_f64().sqrt());
            check_own_mean(variable, mean, affine(variable, &mean.value).to_f64(), std_dev)
                .map_err(|interrupt| refuse(interrupt, Subject::Observation(index)))?;
            predictions[index] = Some(Prediction {
                mean: narrow_finite(&affine(variable, &self.means[position].0.value), 0).map_err(out_of_range)?,
                variance,
                redundant: false,
            });
        }
        Ok(predictions.into_iter().flatten().collect())
    }

    /// Σ ln of these units of observations by position, as they are written.
    pub(super) fn log_units(&self, observations: &[(usize, i32)]) -> f64 {
        let units = observations.iter().map(|(position, unit)| {
            let scale = S::Wide::widen(&self.observations[self.order[*position]].variable.scale);
            let exponent = f64::from(self.projector.row(*position).exponent + unit);
            natural_logarithm(&absolute(&scale)) + exponent * std::f64::consts::LN_2
        });
        units.sum()
    }

    /// Places the next observation and takes in its value.
    fn observe(&mut self, position: usize, poll: &mut Poll) -> Result<ObservationOutcome<S>, Refusal<S>> {
        let index = self.order[position];
        let observation = &self.observations[index];
        let at = |interrupt| refuse(interrupt, Subject::Observation(index));
        let out_of_range = |_| at(Interrupt::OutOfRange);
        let variable = &observation.variable;
        let placement = self.projector.observe(poll).map_err(at)?;
        self.exponents.push(placement.exponent);
        self.variances.push(placement.variance.clone());
        let predicted_mean = affine(variable, &self.means[position].0.value);
        let written_variance =
            |variance: &S::Wide, exponent: i32| narrow_scaled_variance(variance, &variable.scale, exponent);
        let predicted_variance = written_variance(&placement.variance, placement.exponent).map_err(out_of_range)?;
        let status = match &placement.pivot {
            Some(pivot) => {
                let exponent = placement.exponent;
                let innovation_variance = written_variance(pivot, exponent).map_err(out_of_range)?;
                let innovation = self.take_in(position, &placement, pivot).map_err(at)?;
                let written = innovation.map(|innovation| {
                    narrow_finite(&innovation.mul_narrow(&variable.scale), exponent).map_err(out_of_range)
                });
                Status::Used { innovation: written.transpose()?, innovation_variance }
            }
            None => {
                if let Some(given) = &observation.value {
                    let implied = self.implied(position, given, &placement).map_err(at)?;
                    if let Some(implied) = implied {
                        let implied = narrow_finite(&implied, 0).map_err(out_of_range)?;
                        return Err(Refusal::Contradiction { observation: index, implied, given: given.clone() });
                    }
                }
                Status::Redundant
            }
        };
        let (own, std_dev) = (&self.means[position].0, predicted_variance.to_f64().sqrt());
        check_own_mean(variable, own, predicted_mean.to_f64(), std_dev).map_err(at)?;
        let predicted_mean = narrow_finite(&predicted_mean, 0).map_err(out_of_range)?;
        Ok(ObservationOutcome { predicted_mean, predicted_variance, status })
    }

    /// Adds a basis vector's innovation (its value minus what the earlier ones let expect) and its evidence, with the bounds
    /// of `docs/proofs/projection.md`.
    fn take_in(
        &mut self,
        position: usize,
        placement: &Placement<S::Wide>,
        pivot: &S::Wide,
    ) -> Result<Option<S::Wide>, Interrupt> {
        let index = self.order[position];
        let observation = &self.observations[index];
        let Some(value) = &observation.value else {
            let evidence = Evidence { innovation: None, error: 0.0 };
            self.used.push(Used { observation: index, position, evidence, magnitude: 0.0 });
            return Ok(None);
        };
        let Deviation { deviation, error, magnitude } =
            Deviation::new(&observation.variable, value, &self.means[position].0)?;
        let unit = power_of_two(-placement.exponent);
        // What is lost here comes back wherever this observation is subtracted from another.
        let error = error * unit + self.rounding(&placement.onto, &placement.variance);
        let magnitude = magnitude * unit;
        let innovation = self.without_expected(&deviation, placement);
        let surprise = exponent(innovation.to_f64());
        if !S::EXACT && surprise > MAX_SURPRISE_EXPONENT {
            return Err(OutOfRange.into());
        }
        let squared = innovation.mul(&innovation).div(pivot).to_f64();
        let earlier = placement.combination.iter().map(|(row, x)| x.abs() * self.used[*row as usize].evidence.error);
        let innovation_error = error + earlier.sum::<f64>() + self.slip(placement);
        let density_error = innovation_error * (innovation.to_f64().abs() + innovation_error / 2.0) / pivot.to_f64();
        let certain = S::EXACT || density_error <= EVIDENCE_TOLERANCE * (1.0 + squared / 2.0);
        if !certain {
            return Err(Interrupt::Doubtful);
        }
        let log_scale = natural_logarithm(&absolute(&S::Wide::widen(&observation.variable.scale)));
        let log_unit = f64::from(placement.exponent) * std::f64::consts::LN_2;
        let log_pivot = natural_logarithm(pivot);
        let log_variance = log_pivot + 2.0 * (log_unit + log_scale);
        self.log_evidence_nats -= (TAU.ln() + log_variance + squared) / 2.0;
        // Half the relative error of a pivot enters by its logarithm, and half of it by the square over it.
        let pivot_error = placement.error * (1.0 + squared);
        // Logarithms and squares are rounded once, and then added up; those of units may cancel each other.
        let logarithms = log_pivot.abs() + 2.0 * (log_unit.abs() + log_scale.abs());
        let rounding = 4.0 * f64::EPSILON * (logarithms + squared + self.log_evidence_nats.abs() + 2.0);
        self.log_evidence_error += if S::EXACT { 0.0 } else { density_error } + pivot_error + rounding;
        self.pull += innovation.to_f64().abs() / pivot.to_f64() * placement.size;
        let evidence = Evidence { innovation: Some(innovation.clone()), error };
        self.used.push(Used { observation: index, position, evidence, magnitude });
        Ok(Some(innovation))
    }

    /// Bound on what the rounding of the factorisation does to value − Σ x_l·values of a row.
    fn slip(&self, placement: &Placement<S::Wide>) -> f64 {
        if S::EXACT { 0.0 } else { placement.rounding * placement.size * self.pull }
    }

    /// deviation·2^−exponent − Σ c_l·innovation_l
    fn without_expected(&self, deviation: &S::Wide, placement: &Placement<S::Wide>) -> S::Wide {
        let deviation = scale(deviation, -placement.exponent);
        placement.onto.iter().fold(deviation, |rest, (row, c)| match &self.used[*row as usize].evidence.innovation {
            Some(innovation) => rest.sub(&c.mul(innovation)),
            None => rest,
        })
    }

    /// Bound on what rounding takes from Σ c_l·innovation_l for a row a of the given variance (`docs/proofs/projection.md`). A c_l is off by as much
    /// as ‖a‖/‖q_l‖ allows, also where it should be zero.
    pub(super) fn rounding(&self, onto: &[(u32, S::Wide)], variance: &S::Wide) -> f64 {
        if S::EXACT {
            return 0.0;
        }
        let terms = onto.iter().filter_map(|(row, _)| {
            let innovation = self.used[*row as usize].evidence.innovation.as_ref()?;
            Some(innovation.to_f64().abs() / self.projector.pivot(*row).to_f64().sqrt())
        });
        S::Wide::UNIT_ROUNDOFF * (onto.len() + 8) as f64 * variance.to_f64().sqrt() * terms.sum::<f64>()
    }

    /// The value that a redundant observation should have had, if that is not the one given.
    fn implied(
        &self,
        position: usize,
        given: &S,
        placement: &Placement<S::Wide>,
    ) -> Result<Option<S::Wide>, Interrupt> {
        let unit = power_of_two(placement.exponent);
        let earlier = |size: fn(&Used<S::Wide>) -> f64| -> f64 {
            placement.combination.iter().map(|(row, x)| x.abs() * size(&self.used[*row as usize])).sum()
        };
        let rounding = self.rounding(&placement.onto, &placement.variance)
            + earlier(|used| used.evidence.error)
            + self.slip(placement);
        let implied = Implied {
            shift: scale(&self.without_expected(&S::Wide::zero(), placement).neg(), placement.exponent),
            magnitude: unit * earlier(|used| used.magnitude),
            rounding: unit * rounding,
        };
        self.other_than(position, given, &implied, unit * placement.variance.to_f64().sqrt())
    }

    /// Refuses a value of a redundant observation that is not the one which others, each times its weight, imply.
    pub(super) fn check_implied(&self, position: usize, others: &[(usize, S::Wide)]) -> Result<(), Refusal<S>> {
        let index = self.order[position];
        let at = |interrupt| refuse(interrupt, Subject::Observation(index));
        let Some(given) = &self.observations[index].value else { return Ok(()) };
        let implied = self.combined(others).map_err(|error| at(error.into()))?;
        let row = self.projector.row(position);
        let std_dev = power_of_two(row.exponent) * row.norm;
        let Some(implied) = self.other_than(position, given, &implied, std_dev).map_err(at)? else { return Ok(()) };
        let implied = narrow_finite(&implied, 0).map_err(|error| at(error.into()))?;
        Err(Refusal::Contradiction { observation: index, implied, given: given.clone() })
    }

    /// Σ weight·(value − mean) of the nodes of observations that were seen, by position.
    pub(super) fn combined(&self, weights: &[(usize, S::Wide)]) -> Result<Implied<S::Wide>, OutOfRange> {
        let mut implied = Implied { shift: S::Wide::zero(), magnitude: 0.0, rounding: 0.0 };
        let mut size = 0.0;
        for (position, weight) in weights {
            let observation = &self.observations[self.order[*position]];
            let Some(value) = &observation.value else { continue };
            let found = Deviation::new(&observation.variable, value, &self.means[*position].0)?;
            let term = found.deviation.mul(weight);
            let weight = weight.to_f64().abs();
            implied.magnitude += weight * found.magnitude;
            implied.rounding += weight * found.error;
            size += term.to_f64().abs();
            implied.shift = implied.shift.add(&term);
        }
        implied.rounding += S::Wide::UNIT_ROUNDOFF * (weights.len() + 8) as f64 * size;
        Ok(implied)
    }

    /// The value that others imply of an observation whose node has this standard deviation, if that is not the one given.
    fn other_than(
        &self,
        position: usize,
        given: &S,
        by_others: &Implied<S::Wide>,
        std_dev: f64,
    ) -> Result<Option<S::Wide>, Interrupt> {
        let variable = &self.observations[self.order[position]].variable;
        let (mean, terms) = &self.means[position];
        let implied = affine(variable, &mean.value.add(&by_others.shift));
        let difference = S::Wide::widen(given).sub(&implied);
        if difference.is_zero() {
            return Ok(None);
        }
        let scale = variable.scale.to_f64().abs();
        let magnitude =
            given.to_f64().abs() + variable.offset.to_f64().abs() + scale * (mean.magnitude + by_others.magnitude);
        // Published sums of n numbers are themselves off by about √n roundings.
        let ulps = self.tolerance_ulps.max((*terms as f64).sqrt());
        let rounding = if S::EXACT { 0.0 } else { scale * by_others.rounding };
        let tolerance = ulps * f64::EPSILON * magnitude + rounding;
        let agrees = self.tolerance_ulps > 0.0 && tolerance.is_finite() && difference.to_f64().abs() <= tolerance;
        if agrees {
            return Ok(None);
        }
        // So close, rounded weights may be to blame that cancelled on their way here.
        let size = magnitude + scale * std_dev;
        let close = difference.to_f64().abs() <= NEARLY_IMPLIED * size;
        if close && !S::EXACT { Err(Interrupt::Doubtful) } else { Ok(Some(implied)) }
    }
}

/// Observations with a value come first.
fn processing_order<S>(observations: &[Observation<S>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..observations.len()).collect();
    order.sort_by_key(|&index| observations[index].value.is_none());
    order
}

/// offset + scale·node
pub(super) fn affine<W: Wide>(variable: &Affine<W::Narrow>, node: &W) -> W {
    W::widen(&variable.offset).add(&node.mul_narrow(&variable.scale))
}

fn absolute<W: Wide>(number: &W) -> W {
    if *number < W::zero() { number.neg() } else { number.clone() }
}
