//! The fast path for very many observations: dense blocks of doubles instead of single pairs of them.
//!
//! It answers as `factor` does, or not at all; then `factor` has to. First it finds observations that follow from others
//! (`peel`, and what a factorisation with a little noise shows), proves that they do (`dependence`) and leaves them out; the
//! others are factored (`cholesky`), which says what is known of
//! every group of sources (`profiles`) and of any other target (`targets`). Nothing in it is decided by a tolerance.
//!
//! With E the error of the factorisation LLᵀ = G + E and λ the
//! smallest eigenvalue of G,
//!
//! ```text
//! |error of h| = |xᵀ·E·x| ≤ ‖E‖·‖x‖² ≤ ‖E‖·h/λ        x = G⁻¹·a        h = aᵀ·G⁻¹·a
//! ```
//!
//! where ‖E‖ is bounded by roundings times the norms of |L|·|L|ᵀ and |G|, or measured, and λ by the power method; and with
//! ρ = (values − means) − G·y for the computed y, evaluated in pairs of doubles from the columns themselves,
//!
//! ```text
//! |error of s| ≤ |xᵀ·ρ| ≤ √(h/λ)·‖ρ‖                  s = aᵀ·y
//! ```

mod cholesky;
mod columns;
mod dependence;
mod explained;
mod fraction;
mod gram;
mod peel;
mod profiles;
mod sums;
mod targets;

use std::collections::HashSet;
use std::f64::consts::TAU;
use std::sync::Arc;

use crate::number::{Constants, DoubleDouble, ROUNDOFF, Rational, Scalar, Wide};
use crate::threads;

use super::condition::refuse;
use super::learn::Learner;
use super::poll::{Interrupt, Poll};
use super::range::{exponent, power_of_two};
use super::{Refusal, Subject, Surprise};
use cholesky::Cholesky;
use columns::Columns;
use dependence::{Combination, Dependence, in_order};
use gram::Gram;

pub(super) use cholesky::Order;
pub(super) use sums::Sums;

/// With fewer observations, and less work than this many multiplications, pairs of doubles are fast enough.
const FEWEST_OBSERVATIONS: usize = 64;
const LEAST_WORK: usize = 1 << 22;
/// How much larger than its error bound a variance has to be: nine digits.
const CERTAIN: f64 = 1_073_741_824.0; // 2³⁰
/// Doubles multiplied in blocks cost a fraction of single pairs of them, in which the limit on work is counted.
const BLOCK_ADVANTAGE: f64 = 32.0;

/// What the others leave of an observation that follows from them is rounding: at most this, of a variance of 1 to 4.
const MAY_VANISH: f64 = 1e-8;
/// Variances of noise, beside variances of observations between 1 and 4. The first that rounding does not drown is used.
const LITTLE_NOISES: [f64; 3] = [1e-13, 1e-12, 1e-11];
/// 1 + ‖x‖² of combinations that are found: a total of so many people, of which a few are in one of the figures.
const LARGEST_COMBINATION: f64 = 1e6;
const MUCH_NOISE: f64 = (1u64 << 60) as f64;

/// What was learnt from very many observations.
pub(super) struct Blocks<'a, S: Scalar> {
    learner: &'a Learner<'a, S>,
    dependence: Dependence<'a, S>,
    pub independent: Arc<Independent>,
    cholesky: Cholesky,
    order: Order,
    bounds: Bounds,
    /// The y with G·y = values − means.
    y: Vec<f64>,
    pub log_evidence_nats: f64,
    /// How far the values are from what the prior predicts.
    pub surprise: Surprise,
}

/// Observations that do not follow from others, proven.
#[derive(Debug)]
pub(super) struct Independent {
    /// The positions of observations that follow from earlier ones, ascending.
    pub redundant: Vec<usize>,
    /// As many of all as are independent: their positions, and the power of two of their norms besides the units of their
    /// rows. The others follow from these, but need not be the `redundant` ones: cells are kept, though their margins were
    /// published first.
    kept: Vec<(usize, i32)>,
    /// By how much ln |det| of the rows that do not follow from earlier ones exceeds that of those that were kept, both in the
    /// units of their rows: the density of what was seen is told of the former.
    log_exchange: f64,
    /// The columns of all observations, if some are redundant, and of those that were kept.
    all: Option<Arc<Columns>>,
    columns: Columns,
    /// The covariances of those that were kept.
    gram: Gram,
}

/// What bounds the errors of the results; `docs/proofs/blocks.md` says why.
struct Bounds {
    /// λ
    smallest_eigenvalue: f64,
    /// ‖E‖ and the norm of the error of G.
    model: f64,
    /// γ·‖|L|‖, for γ roundings of a solution of L·z = a.
    solving: f64,
    /// ‖ρ‖
    residual: f64,
    /// Norm of the errors of values − means.
    values: f64,
    /// ‖Σ |x_l|·ν_l‖ for x of length 1.
    noise: f64,
    /// ‖Σ |y_l|·ν_l‖
    y_noise: f64,
    /// ‖Σ y_l·a_l‖
    surprise: f64,
}

/// The largest bound on the relative error of an h that is used.
pub(super) const MOST_RELATIVE: f64 = 1e-6;
/// The same before it is known how long an x is: of any h at all.
const MOST_OF_ANY: f64 = 1e-4;
/// How much longer than its computed one x = G⁻¹·a may be, besides 1: its relative error is below this.
const LONGER: f64 = 1e-3;

impl Bounds {
    /// A bound on the error of h = ‖z‖², with x no longer than `x` and z a sum of solutions that are `size` long together.
    fn of_height(&self, x: f64, size: f64, h: f64, terms: usize) -> f64 {
        let first = self.model * x * x + 2.0 * x * self.solving * size;
        first * (1.0 + LONGER) + ROUNDOFF * (terms + 8) as f64 * h
    }

    /// A bound on the length of x = G⁻¹·a with aᵀ·x = h.
    fn longest(&self, h: f64) -> f64 {
        (h / self.smallest_eigenvalue).sqrt()
    }
}

/// Whether so much is to be done that it is worth to try.
pub(super) fn is_worth_it<S: Scalar>(learner: &Learner<'_, S>) -> bool {
    let seen = learner.seen();
    let is_much = seen >= FEWEST_OBSERVATIONS || seen.saturating_mul(learner.projector.nonzeros()) >= LEAST_WORK;
    is_much && !S::EXACT && learner.all_seen()
}

/// Learns from all observations; `None` where doubles do not suffice.
pub(super) fn learn<'a, S: Scalar>(
    learner: &'a Learner<'a, S>,
    order: Order,
    poll: &mut Poll,
) -> Result<Option<Blocks<'a, S>>, Refusal<S>> {
    let at = |interrupt| refuse(interrupt, Subject::Observation(0));
    let projector = &learner.projector;
    // Observations of variance 1 or so make a matrix that is as well conditioned as scaling can make it.
    let units: Vec<i32> = (0..learner.seen()).map(|position| exponent(projector.row(position).norm)).collect();
    let mut dependence = Dependence::new(projector, &units);
    let found = match &learner.independent {
        Some(independent) if order == Order::AsPublished && !independent.is_as_published() => {
            let found = as_published(learner, &units, independent, poll)?;
            found.map(|(independent, cholesky)| (Arc::new(independent), cholesky))
        }
        Some(independent) => {
            let cholesky = certain(Cholesky::new(&independent.gram, |_| 0.0, order, poll).map_err(at)?);
            cholesky.map(|cholesky| (independent.clone(), cholesky))
        }
        None => {
            let found = independent(learner, &units, &mut dependence, order, poll)?;
            found.map(|(independent, cholesky)| (Arc::new(independent), cholesky))
        }
    };
    let Some((independent, cholesky)) = found else { return Ok(None) };
    let factored = Factored { independent: &independent, cholesky: &cholesky };
    let Some((bounds, y)) = factored.solve(learner, poll).map_err(at)? else { return Ok(None) };
    let kept = &independent.kept;
    let squares = bounds.surprise * bounds.surprise;
    let published: Vec<(usize, i32)> = units
        .iter()
        .copied()
        .enumerate()
        .filter(|(position, _)| independent.redundant.binary_search(position).is_err())
        .collect();
    let log_determinant = cholesky.log_determinant() + 2.0 * (independent.log_exchange + learner.log_units(&published));
    let log_evidence_nats = -(kept.len() as f64 * TAU.ln() + log_determinant + squares) / 2.0;
    let surprise = Surprise { squares, observations: kept.len() };
    Ok(Some(Blocks { learner, dependence, independent, cholesky, order, bounds, y, log_evidence_nats, surprise }))
}

/// A factorisation of observations of which none may follow from others.
fn certain(cholesky: Option<Cholesky>) -> Option<Cholesky> {
    cholesky.filter(|cholesky| cholesky.vanishing(MAY_VANISH).is_empty())
}

/// The observations that do not follow from others, and their factorisation; `None` where doubles do not suffice.
fn independent<S: Scalar>(
    learner: &Learner<'_, S>,
    units: &[i32],
    dependence: &mut Dependence<'_, S>,
    order: Order,
    poll: &mut Poll,
) -> Result<Option<(Independent, Cholesky)>, Refusal<S>> {
    let at = |interrupt| refuse(interrupt, Subject::Observation(0));
    let projector = &learner.projector;
    let mut combinations = Vec::new();
    let mut kept: Vec<(usize, i32)> = units.iter().copied().enumerate().collect();
    let mut columns = Columns::new(projector, &kept, poll);
    for (position, weights) in peel::peel(projector, units, &columns) {
        // What is not for sure stays, and is found in another way or not at all.
        let combination = dependence.of_observation(position, weights.into_iter(), poll).map_err(at)?;
        combinations.extend(combination.map(|combination| (position, combination)));
    }
    let mut all = None;
    if !combinations.is_empty() {
        leave_out(&mut kept, &combinations);
        all = Some(Arc::new(std::mem::replace(&mut columns, Columns::new(projector, &kept, poll))));
    }
    let mut gram = gram::gram(&columns, poll).map_err(at)?;
    let mut cholesky = certain(Cholesky::new(&gram, |_| 0.0, order, poll).map_err(at)?);
    if cholesky.is_none() {
        let Some(found) = followers(dependence, &gram, &kept, order, poll).map_err(at)? else { return Ok(None) };
        leave_out(&mut kept, &found);
        combinations.extend(found);
        let before = std::mem::replace(&mut columns, Columns::new(projector, &kept, poll));
        all.get_or_insert_with(|| Arc::new(before));
        gram = gram::gram(&columns, poll).map_err(at)?;
        cholesky = certain(Cholesky::new(&gram, |_| 0.0, order, poll).map_err(at)?);
    }
    let Some(cholesky) = cholesky else { return Ok(None) };
    let mut redundant = Vec::with_capacity(combinations.len());
    let dropped: Vec<usize> = combinations.iter().map(|(position, _)| *position).collect();
    let (followers, log_last_weights) = in_order(combinations, poll).map_err(at)?;
    for (position, others) in followers {
        if !check_follower(learner, dependence, position, &others)? {
            return Ok(None);
        }
        redundant.push(position);
    }
    let log_exchange =
        log_last_weights + dependence.log_leads(dropped.into_iter()) - dependence.log_leads(redundant.iter().copied());
    let found = Independent { redundant, kept, log_exchange, all, columns, gram };
    if order == Order::AsPublished && !found.is_as_published() {
        return as_published(learner, units, &found, poll);
    }
    Ok(Some((found, cholesky)))
}

fn leave_out(kept: &mut Vec<(usize, i32)>, combinations: &[(usize, Combination)]) {
    let dropped: HashSet<usize> = combinations.iter().map(|(position, _)| *position).collect();
    kept.retain(|(position, _)| !dropped.contains(position));
}

impl Independent {
    /// Whether those were kept that do not follow from earlier ones.
    fn is_as_published(&self) -> bool {
        self.kept.iter().all(|(position, _)| self.redundant.binary_search(position).is_err())
    }
}

/// The observations that do not follow from earlier ones, in their order: as many as others that are independent, so they are.
fn as_published<S: Scalar>(
    learner: &Learner<'_, S>,
    units: &[i32],
    found: &Independent,
    poll: &mut Poll,
) -> Result<Option<(Independent, Cholesky)>, Refusal<S>> {
    let at = |interrupt| refuse(interrupt, Subject::Observation(0));
    let mut kept: Vec<(usize, i32)> = units.iter().copied().enumerate().collect();
    kept.retain(|(position, _)| found.redundant.binary_search(position).is_err());
    let columns = Columns::new(&learner.projector, &kept, poll);
    let gram = gram::gram(&columns, poll).map_err(at)?;
    let cholesky = certain(Cholesky::new(&gram, |_| 0.0, Order::AsPublished, poll).map_err(at)?);
    let (redundant, all) = (found.redundant.clone(), found.all.clone());
    Ok(cholesky.map(|cholesky| (Independent { redundant, kept, log_exchange: 0.0, all, columns, gram }, cholesky)))
}

/// Those of some observations, with these covariances, that follow from others of them, each with the weights of these;
/// `None` if there are none, or they cannot be proven to.
fn followers<S: Scalar>(
    dependence: &mut Dependence<'_, S>,
    gram: &Gram,
    of: &[(usize, i32)],
    order: Order,
    poll: &mut Poll,
) -> Result<Option<Vec<(usize, Combination)>>, Interrupt> {
    // With a little noise on all of them, what is left of one that follows from others is little: (1 + ‖x‖²) times that.
    let mut dropped = Vec::new();
    for noise in LITTLE_NOISES {
        if let Some(damped) = Cholesky::new(gram, |_| noise, order, poll)? {
            dropped = damped.vanishing(LARGEST_COMBINATION * noise);
            break;
        }
    }
    // With much noise on these, nothing is made of them.
    let is_dropped = |place: usize| dropped.binary_search(&place).is_ok();
    let noise = |place: usize| if is_dropped(place) { MUCH_NOISE } else { 0.0 };
    let Some(cholesky) = Cholesky::new(gram, noise, order, poll)?.filter(|_| !dropped.is_empty()) else {
        return Ok(None);
    };
    let mut combinations = Vec::with_capacity(dropped.len());
    for place in &dropped {
        poll.spend(1 + (2.0 * cholesky.entries() as f64 / BLOCK_ADVANTAGE) as u64)?;
        let mut weights = gram.column(*place);
        cholesky.solve(&mut weights);
        let used = weights.iter().enumerate().filter(|(other, _)| !is_dropped(*other));
        let used = used.map(|(other, weight)| (of[other].0, *weight));
        let position = of[*place].0;
        match dependence.of_observation(position, used, poll)? {
            Some(combination) => combinations.push((position, combination)),
            None => return Ok(None),
        }
    }
    Ok(Some(combinations))
}

/// Whether an observation that follows from others is certain and has the value that they imply; an error if it has
/// another one.
fn check_follower<S: Scalar>(
    learner: &Learner<'_, S>,
    dependence: &Dependence<'_, S>,
    position: usize,
    others: &[(usize, Rational)],
) -> Result<bool, Refusal<S>> {
    if learner.projector.row(position).check().is_err() {
        return Ok(false);
    }
    let Some(weights) = dependence.at_nodes(dependence.lead(position), others) else { return Ok(false) };
    match learner.check_implied(position, &weights) {
        Ok(()) => Ok(true),
        Err(Refusal::Doubtful { .. } | Refusal::OutOfRange { .. }) => Ok(false),
        Err(refusal) => Err(refusal),
    }
}

/// Independent observations, factored.
struct Factored<'a> {
    independent: &'a Independent,
    cholesky: &'a Cholesky,
}

impl Factored<'_> {
    /// Solves for the values, and finds the bounds; `None` if they are too wide.
    fn solve<S: Scalar>(
        &self,
        learner: &Learner<'_, S>,
        poll: &mut Poll,
    ) -> Result<Option<(Bounds, Vec<f64>)>, Interrupt> {
        let Factored { independent: Independent { kept, columns, gram, .. }, cholesky } = self;
        let Some(deviations) = learner.deviations(kept) else { return Ok(None) };
        // Of these the smallest eigenvalue and the norm cannot use more than one processor.
        let ((smallest_eigenvalue, norm_of_product), ((y, residual), factor_error)) = threads::within(|| {
            rayon::join(
                || (cholesky.smallest_eigenvalue(columns.least_own_variance()), cholesky.norm_of_product()),
                || (refine(columns, cholesky, &deviations.values, poll), cholesky.error(gram, poll)),
            )
        });
        let roundings = ROUNDOFF * (cholesky.longest_row() + 4) as f64;
        let solving = roundings * norm_of_product.sqrt();
        // The factorisation, and the entries of G.
        let model = factor_error? + gram.rounding * gram.absolute_row_sum();
        let relative = model / smallest_eigenvalue + 2.0 * solving / smallest_eigenvalue.sqrt();
        let of_solution = (model + 2.0 * roundings * norm_of_product) / smallest_eigenvalue;
        // How far each h is off depends on how long its own x is, and is looked at where it is used.
        let is_narrow = relative <= MOST_OF_ANY && of_solution <= LONGER / 2.0;
        if !is_narrow {
            return Ok(None);
        }
        let values = deviations.errors.iter().map(|error| error * error).sum::<f64>().sqrt();
        // Each by the rows' norms, or entry by entry.
        let projector = &learner.projector;
        let row_noise: Vec<f64> =
            kept.iter().map(|(position, unit)| projector.row(*position).noise * power_of_two(-unit)).collect();
        let relative_noise: Vec<f64> = kept.iter().map(|(position, _)| projector.relative_noise(*position)).collect();
        let largest_noise = relative_noise.iter().copied().fold(0.0, f64::max);
        let noise = row_noise.iter().map(|noise| noise * noise).sum::<f64>().sqrt();
        let noise = noise.min(largest_noise * gram.absolute_row_sum().sqrt());
        let y_noise: f64 = y.iter().zip(&row_noise).map(|(y, noise)| y.abs() * noise).sum();
        let weights: Vec<f64> = y.iter().zip(&relative_noise).map(|(y, noise)| y.abs() * noise).collect();
        let y_noise = y_noise.min(columns.norm_of_sum(&weights));
        let surprise = y.iter().zip(&deviations.values).map(|(y, d)| y * d.to_f64()).sum::<f64>();
        let surprise = surprise.max(0.0).sqrt();
        Ok(Some((Bounds { smallest_eigenvalue, model, solving, residual, values, noise, y_noise, surprise }, y)))
    }
}

fn widened<S: Scalar>(value: f64) -> S::Wide {
    S::Wide::widen(&S::from_f64(value).unwrap_or_else(S::zero))
}

/// The y with G·y = values, and a bound on the norm of what is left of them; both to twice the digits of a solution.
fn refine(columns: &Columns, cholesky: &Cholesky, values: &[DoubleDouble], poll: &Poll<'_>) -> (Vec<f64>, f64) {
    const ROUNDS: usize = 2;
    let mut y = vec![0.0; values.len()];
    let mut rest: Vec<f64> = values.iter().map(Constants::to_f64).collect();
    for _ in 0..ROUNDS {
        cholesky.solve(&mut rest);
        y.iter_mut().zip(&rest).for_each(|(y, change)| *y += change);
        rest = columns.residual(values, &y, poll);
    }
    let sizes: f64 = values.iter().map(|value| value.to_f64() * value.to_f64()).sum::<f64>().sqrt();
    let norm = rest.iter().map(|rest| rest * rest).sum::<f64>().sqrt();
    (y, norm + ROUNDOFF * ROUNDOFF * (columns.cells() + 16) as f64 * sizes)
}
