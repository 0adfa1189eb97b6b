//! Covariances between targets, before and after.

use crate::network::{Affine, Network};
use crate::number::{Constants, Field, Scalar, Wide};

use super::condition::refuse;
use super::learn::Learner;
use super::poll::{Interrupt, Poll};
use super::projector::View;
use super::range::{OutOfRange, narrow_finite};
use super::row::Row;
use super::units::inner_product;
use super::{Covariances, Refusal, Subject};

/// A target that has been looked at.
pub(super) struct TargetView<'a, S: Scalar> {
    pub variable: &'a Affine<S>,
    pub row: Row<S::Wide>,
    pub view: View<S::Wide>,
}

/// The covariances of all pairs of targets.
///
/// After the observations they are the prior's minus what is explained: a target whose variance is certain to nine
/// digits has covariances that are, relative to the two standard deviations, because
/// γ·size_t·size_u ≤ √(γ·size_t²)·√(γ·size_u²) (see `projector`).
pub(super) fn covariances<S: Scalar>(
    network: &Network<S>,
    learner: &Learner<'_, S>,
    targets: &[TargetView<'_, S>],
    poll: &mut Poll,
) -> Result<Covariances<S>, Refusal<S>> {
    let zeros = vec![vec![S::zero(); targets.len()]; targets.len()];
    let if_all_published = (!learner.all_seen()).then(|| zeros.clone());
    let mut covariances =
        Covariances { prior: zeros.clone(), posterior: zeros.clone(), reduction: zeros, if_all_published };
    for (i, t) in targets.iter().enumerate() {
        for (j, u) in targets.iter().enumerate().take(i + 1) {
            let at = |interrupt| refuse(interrupt, Subject::Target(i));
            let length = t.row.len + u.row.len + t.view.onto.len() + u.view.onto.len();
            poll.spend(length as u64).map_err(at)?;
            let prior = inner_product(network, (&t.row, t.view.exponent), (&u.row, u.view.exponent));
            let left = |t_left: &S::Wide, u_left: &S::Wide, reduction: &S::Wide| {
                if i == j {
                    t_left.clone()
                } else if t_left.is_zero() || u_left.is_zero() {
                    S::Wide::zero()
                } else {
                    prior.sub(reduction)
                }
            };
            let seen = |basis: u32| learner.used[basis as usize].evidence.innovation.is_some();
            let reduction_by_seen = reduction(learner, &t.view, &u.view, seen);
            let posterior = left(&t.view.variance_after_seen, &u.view.variance_after_seen, &reduction_by_seen);
            let if_all_published = covariances.if_all_published.as_mut().map(|matrix| {
                let reduction = reduction(learner, &t.view, &u.view, |_| true);
                (matrix, left(&t.view.variance_after_all, &u.view.variance_after_all, &reduction))
            });
            let matrices = [
                (&mut covariances.prior, prior),
                (&mut covariances.posterior, posterior),
                (&mut covariances.reduction, reduction_by_seen),
            ];
            for (matrix, value) in matrices.into_iter().chain(if_all_published) {
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

/// Σ c_tl·c_ul·⟨q_l, q_l⟩ over the basis vectors that count.
fn reduction<S: Scalar>(
    learner: &Learner<'_, S>,
    t: &View<S::Wide>,
    u: &View<S::Wide>,
    counts: impl Fn(u32) -> bool,
) -> S::Wide {
    let mut u_onto = u.onto.iter().peekable();
    t.onto.iter().fold(S::Wide::zero(), |sum, (basis, c)| {
        while u_onto.next_if(|(other, _)| other < basis).is_some() {}
        let Some((_, other)) = u_onto.next_if(|(other, _)| other == basis) else { return sum };
        if counts(*basis) { sum.add(&c.mul(other).mul(learner.projector.pivot(*basis))) } else { sum }
    })
}
