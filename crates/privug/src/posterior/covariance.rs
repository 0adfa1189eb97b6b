//! Covariances between targets, before and after.

use crate::network::Affine;
use crate::number::{Scalar, Wide};

use super::geometry::{View, zip_sources};
use super::learn::{Learner, MEAN_TOLERANCE, refuse};
use super::range::{Interrupt, OutOfRange, Poll, exponent, narrow_finite, power_of_two, scale};
use super::sweep::{Entry, Row};
use super::{Covariances, Refusal, Subject, residue};

/// Of what a covariance is subtracted from, this much may be lost to rounding.
const SUBTRACTION_ERROR: f64 = 8.271_806_125_530_277e-25; // 2⁻⁸⁰

/// A target that has been looked at.
pub(super) struct TargetView<'a, W: Wide> {
    pub variable: &'a Affine<W::Narrow>,
    pub row: Row<W>,
    pub view: View<W>,
}

/// The covariances of all pairs of targets.
pub(super) fn covariances<W: Wide>(
    learner: &mut Learner<'_, W>,
    targets: &[TargetView<'_, W>],
    poll: &mut Poll,
) -> Result<Covariances<W::Narrow>, Refusal<W::Narrow>> {
    let zeros = vec![vec![W::Narrow::zero(); targets.len()]; targets.len()];
    let mut covariances = Covariances { prior: zeros.clone(), posterior: zeros.clone(), reduction: zeros };
    for (i, t) in targets.iter().enumerate() {
        for (j, u) in targets.iter().enumerate().take(i + 1) {
            let at = |interrupt| refuse(interrupt, Subject::Target(i));
            let length = t.row.entries.len() + u.row.entries.len() + t.view.onto.len() + u.view.onto.len();
            poll.spend(length as u64).map_err(at)?;
            let prior = learner.geometry.inner_product((&t.row, t.view.exponent), (&u.row, u.view.exponent));
            let reduction = reduction(learner, &t.view, &u.view);
            let posterior = if i == j {
                t.view.variance_after_seen.clone()
            } else {
                posterior(learner, t, u, &prior, &reduction, poll).map_err(at)?
            };
            for (matrix, value) in [
                (&mut covariances.prior, prior),
                (&mut covariances.posterior, posterior),
                (&mut covariances.reduction, reduction),
            ] {
                let value = value.mul_narrow(&t.variable.scale).mul_narrow(&u.variable.scale);
                let value = narrow_finite(&value, t.view.exponent + u.view.exponent);
                let value = value.map_err(|OutOfRange| at(Interrupt::OutOfRange))?;
                matrix[i][j] = value.clone();
                matrix[j][i] = value;
            }
        }
    }
    Ok(covariances)
}

/// Σ c_tl·c_ul·⟨q_l, q_l⟩ over the basis vectors that were seen.
fn reduction<W: Wide>(learner: &Learner<'_, W>, t: &View<W>, u: &View<W>) -> W {
    let mut u_onto = u.onto.iter().peekable();
    t.onto.iter().fold(W::zero(), |sum, (basis, c)| {
        while u_onto.next_if(|(other, _)| other < basis).is_some() {}
        let Some((_, other)) = u_onto.next_if(|(other, _)| other == basis) else { return sum };
        let seen = learner.used[*basis as usize].evidence.innovation.is_some();
        if seen { sum.add(&c.mul(other).mul(learner.geometry.squared_norm(*basis))) } else { sum }
    })
}

/// Prior covariance minus reduction; where too many digits would cancel, from the variances of sum and difference:
///
/// ```text
/// cov(t, u) = (var(t + λ·u) − var(t − λ·u))/(4·λ)        λ ≈ std(t)/std(u), a power of two
/// ```
///
/// which is as accurate, relative to the two standard deviations, as variances are.
fn posterior<W: Wide>(
    learner: &mut Learner<'_, W>,
    t: &TargetView<'_, W>,
    u: &TargetView<'_, W>,
    prior: &W,
    reduction: &W,
    poll: &mut Poll,
) -> Result<W, Interrupt> {
    let (t_variance, u_variance) = (&t.view.variance_after_seen, &u.view.variance_after_seen);
    if t_variance.is_zero() || u_variance.is_zero() {
        return Ok(W::zero());
    }
    let before = (t.view.prior_variance.to_f64() * u.view.prior_variance.to_f64()).sqrt();
    let after = (t_variance.to_f64() * u_variance.to_f64()).sqrt();
    if W::Narrow::EXACT || SUBTRACTION_ERROR * before <= MEAN_TOLERANCE * after {
        return Ok(prior.sub(reduction));
    }
    let balance = (exponent(t_variance.to_f64()) - exponent(u_variance.to_f64())).div_euclid(2);
    let shift = balance + t.view.exponent - u.view.exponent;
    let mut variance_with = |sign: f64| -> Result<W, Interrupt> {
        let row = combine(&t.row, &u.row, shift, sign);
        let view = learner.geometry.view(&row, poll)?;
        Ok(scale(&view.variance_after_seen, 2 * (view.exponent - t.view.exponent)))
    };
    let difference = variance_with(1.0)?.sub(&variance_with(-1.0)?);
    Ok(scale(&difference, -2 - balance))
}

/// t + sign·2^shift·u, without a mean.
fn combine<W: Wide>(t: &Row<W>, u: &Row<W>, shift: i32, sign: f64) -> Row<W> {
    let size = power_of_two(shift);
    let factor = residue::mul(residue::of(sign), residue::power_of_two(shift));
    let mut row = Row { exact: t.exact && u.exact, ..Row::empty() };
    zip_sources(t, u, |source, a, b| {
        let of_u = |entry: &Entry<W>| {
            let scaled = scale(&entry.coefficient, shift);
            let coefficient = if sign < 0.0 { scaled.neg() } else { scaled };
            let residue = residue::mul(factor, entry.residue);
            Entry { source, coefficient, error: entry.error * size, residue }
        };
        let entry = match (a, b.map(of_u)) {
            (Some(a), Some(b)) => {
                let coefficient = a.coefficient.add(&b.coefficient);
                let sizes = a.coefficient.to_f64().abs() + b.coefficient.to_f64().abs();
                let residue = residue::add(a.residue, b.residue);
                // Equal entries cancel exactly; the residue tells them from nearly equal ones.
                let cancelled = row.exact && residue == 0 && coefficient.is_zero();
                let rounding = if cancelled { 0.0 } else { W::UNIT_ROUNDOFF * sizes };
                let error = a.error + b.error + rounding;
                (!cancelled).then_some(Entry { source, coefficient, error, residue })
            }
            (a, b) => a.cloned().or(b),
        };
        row.entries.extend(entry);
    });
    row
}
