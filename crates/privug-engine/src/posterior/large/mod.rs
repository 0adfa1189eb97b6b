//! The fast path for very many observations: dense blocks of doubles instead of single pairs of them.
//!
//! It answers with the [`Profile`] of every group of sources, as [`Learner::profile`] does, or not at all; then
//! `factor` has to. Nothing in it is decided by a tolerance. With E the error of the factorisation LLᵀ = G + E and λ the
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
mod gram;

use std::f64::consts::TAU;
use std::thread::Builder;

use crate::number::{DoubleDouble, Scalar, Wide};

use super::Surprise;
use super::learn::Learner;
use super::poll::{Interrupt, Poll};
use super::profile::{Explained, Profile, Profiles};
use super::range::{exponent, power_of_two};
use cholesky::Cholesky;
use columns::Columns;

/// With fewer observations, and less work than this many multiplications, pairs of doubles are fast enough.
const FEWEST_OBSERVATIONS: usize = 64;
const LEAST_WORK: usize = 1 << 22;
/// How much larger than its error bound a variance has to be: nine digits.
const CERTAIN: f64 = 1_073_741_824.0; // 2³⁰
/// Half a unit in the last place.
const ROUNDOFF: f64 = f64::EPSILON / 2.0;
/// Doubles multiplied in blocks cost a fraction of single pairs of them, in which the limit on work is counted.
const BLOCK_ADVANTAGE: f64 = 32.0;

/// What was learnt from very many observations.
#[derive(Debug)]
pub(super) struct Large<W> {
    /// The profile of each group of sources.
    pub profiles: Profiles<W>,
    pub log_evidence_nats: f64,
    /// How far the values are from what the prior predicts.
    pub surprise: Surprise,
}

/// Whether so much is to be done that it is worth to try.
pub(super) fn is_worth_it<S: Scalar>(learner: &Learner<'_, S>) -> bool {
    let seen = learner.seen();
    let is_much = seen >= FEWEST_OBSERVATIONS || seen.saturating_mul(learner.projector.nonzeros()) >= LEAST_WORK;
    is_much && !S::EXACT
}

/// Learns from all observations that were seen; `None` where doubles do not suffice.
pub(super) fn learn<S: Scalar>(learner: &Learner<'_, S>, poll: &mut Poll) -> Result<Option<Large<S::Wide>>, Interrupt> {
    let seen = learner.seen();
    // Observations of variance 1 or so make a matrix that is as well conditioned as scaling can make it.
    let units: Vec<i32> = (0..seen).map(|position| exponent(learner.projector.row(position).norm)).collect();
    let columns = Columns::new(learner, &units, poll);
    let gram = gram::gram(&columns, poll)?;
    let Some(cholesky) = Cholesky::new(&gram, poll)? else { return Ok(None) };
    let Some(deviations) = learner.deviations(&units) else { return Ok(None) };

    // Of these only the smallest eigenvalue cannot use more than one processor.
    let (smallest_eigenvalue, (y, residual), explained, factor_error) = std::thread::scope(|scope| {
        let eigenvalue = Builder::new().spawn_scoped(scope, || cholesky.smallest_eigenvalue());
        let refined = refine(&columns, &cholesky, &deviations.values, poll);
        let (explained, factor_error) = (cholesky.explained(&columns, poll), cholesky.error(&gram, poll));
        let eigenvalue = match eigenvalue {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => cholesky.smallest_eigenvalue(),
        };
        (eigenvalue, refined, explained, factor_error)
    });
    let (explained, factor_error) = (explained?, factor_error?);
    let gram_error = gram.rounding * gram.absolute_row_sum();
    let factor_rounding = ROUNDOFF * (cholesky.longest_row() + 4) as f64;
    let condition = cholesky.norm_of_product() / smallest_eigenvalue;
    // The factorisation, its use to solve for one column, and the entries of G.
    let relative = (factor_error + gram_error) / smallest_eigenvalue + 2.0 * factor_rounding * condition.sqrt();
    if !relative.is_finite() || relative > 1e-6 {
        return Ok(None);
    }
    let value_error = deviations.errors.iter().map(|error| error * error).sum::<f64>().sqrt();
    // ‖Σ |x_l|·ν_l‖ for x of length 1, and ‖Σ |y_l|·ν_l‖; each by the rows' norms, or entry by entry.
    let scaled_noise = |(position, unit): (usize, &i32)| learner.projector.row(position).noise * power_of_two(-unit);
    let row_noise: Vec<f64> = units.iter().enumerate().map(scaled_noise).collect();
    let relative_noise: Vec<f64> = (0..seen).map(|position| learner.projector.relative_noise(position)).collect();
    let largest_noise = relative_noise.iter().copied().fold(0.0, f64::max);
    let noise = row_noise.iter().map(|noise| noise * noise).sum::<f64>().sqrt();
    let noise = noise.min(largest_noise * gram.absolute_row_sum().sqrt());
    let y_noise: f64 = y.iter().zip(&row_noise).map(|(y, noise)| y.abs() * noise).sum();
    let weights: Vec<f64> = y.iter().zip(&relative_noise).map(|(y, noise)| y.abs() * noise).collect();
    let y_noise = y_noise.min(columns.norm_of_sum(&weights));
    let surprise = y.iter().zip(&deviations.values).map(|(y, d)| y * d.to_f64()).sum::<f64>();

    let profile = |index: usize| {
        let h = explained[index];
        let weight = (h / smallest_eigenvalue).sqrt();
        let (mut shift, mut size) = (DoubleDouble::zero(), 0.0);
        for (row, value) in columns.column(index) {
            shift = shift.add(&DoubleDouble::from(value).mul_narrow(&y[row]));
            size += (value * y[row]).abs();
        }
        Profile {
            explained: Explained {
                value: widened::<S>(h),
                noise: weight * noise,
                size: 0.0,
                rounding: 8.0 * ROUNDOFF,
                error: h * (relative + ROUNDOFF * (seen + 8) as f64),
                certain: CERTAIN,
            },
            explained_by_all: None,
            shift: widened::<S>(shift.to_f64()),
            shift_error: weight * (residual + value_error + noise * surprise.max(0.0).sqrt()) + 4.0 * ROUNDOFF * size,
            bend: (y_noise, 0.0),
        }
    };
    let profiles = Profiles::all((0..columns.len()).map(profile));
    let log_unit = learner.log_units(&units);
    let log_evidence_nats = -(seen as f64 * TAU.ln() + cholesky.log_determinant() + 2.0 * log_unit + surprise) / 2.0;
    let surprise = Surprise { squares: surprise.max(0.0), observations: seen };
    Ok(Some(Large { profiles, log_evidence_nats, surprise }))
}

fn widened<S: Scalar>(value: f64) -> S::Wide {
    S::Wide::widen(&S::from_f64(value).unwrap_or_else(S::zero))
}

/// The y with G·y = values, and a bound on the norm of what is left of them; both to twice the digits of a solution.
fn refine(columns: &Columns, cholesky: &Cholesky, values: &[DoubleDouble], poll: &Poll<'_>) -> (Vec<f64>, f64) {
    const ROUNDS: usize = 2;
    let mut y = vec![0.0; values.len()];
    let mut rest: Vec<f64> = values.iter().map(Wide::to_f64).collect();
    for _ in 0..ROUNDS {
        cholesky.solve(&mut rest);
        y.iter_mut().zip(&rest).for_each(|(y, change)| *y += change);
        rest = columns.residual(values, &y, poll);
    }
    let sizes: f64 = values.iter().map(|value| value.to_f64() * value.to_f64()).sum::<f64>().sqrt();
    let norm = rest.iter().map(|rest| rest * rest).sum::<f64>().sqrt();
    (y, norm + ROUNDOFF * ROUNDOFF * (columns.cells() + 16) as f64 * sizes)
}
