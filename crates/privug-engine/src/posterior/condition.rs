//! The verb of this stage: [`condition`].

use crate::network::{Affine, Network};
use crate::number::Scalar;

use super::covariance::{TargetView, covariances};
use super::learn::Learner;
use super::poll::{Interrupt, Poll};
use super::row::Row;
use super::sweep::Sweeper;
use super::{MAX_COVARIANCE_TARGETS, Observation, Options, Posterior, Refusal, Subject};

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
    let mut learner = Learner::new(network, observations, &mut sweeper, &mut poll)?;
    let observation_outcomes = learner.learn(&mut poll)?;

    let with_covariances = targets.len() <= MAX_COVARIANCE_TARGETS;
    let mut views = Vec::new();
    let mut seen_itself = None;
    let mut target_outcomes = Vec::with_capacity(targets.len());
    for (index, target) in targets.iter().enumerate() {
        let at = |interrupt| refuse(interrupt, Subject::Target(index));
        let row = row_of(&mut sweeper, target, &mut poll).map_err(at)?;
        let looked_at = learner.projector.view(&row, &mut poll);
        let looked_at = looked_at.and_then(|view| Ok((learner.outcome(target, &row, &view)?, view)));
        let view = match looked_at {
            // What was seen itself is known, however its variance was rounded; the rest is left to rationals.
            Err(Interrupt::Doubtful) if was_seen(observations, target) => {
                seen_itself.get_or_insert(index);
                continue;
            }
            looked_at => {
                let (outcome, view) = looked_at.map_err(at)?;
                target_outcomes.push(outcome);
                view
            }
        };
        if with_covariances {
            poll.store(row.len).map_err(at)?;
            views.push(TargetView { variable: target, row, view });
        }
    }
    if let Some(index) = seen_itself {
        return Err(Refusal::OutOfRange { subject: Subject::Target(index) });
    }
    let covariances = if with_covariances { Some(covariances(network, &learner, &views, &mut poll)?) } else { None };
    Ok(Posterior {
        observations: observation_outcomes,
        log_evidence_nats: learner.log_evidence_nats,
        log_evidence_error: learner.log_evidence_error,
        targets: target_outcomes,
        covariances,
    })
}

/// Whether a target is the very variable that was observed, up to its scale and offset.
fn was_seen<S: Scalar>(observations: &[Observation<S>], target: &Affine<S>) -> bool {
    observations.iter().any(|seen| seen.variable.node == target.node && !seen.variable.scale.is_zero())
}

/// The row of an affine expression's node; that of a constant if the node does not matter.
pub(super) fn row_of<S: Scalar>(
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
