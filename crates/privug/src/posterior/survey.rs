//! The marginals of very many targets, column by column.

use crate::network::{Affine, Network};
use crate::number::Scalar;

use super::{Observation, ObservationOutcome, Options, Refusal, condition};

/// What is known about many targets, before and after the observations.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey<S> {
    /// One for each observation, in the order given.
    pub observations: Vec<ObservationOutcome<S>>,
    /// The logarithm of the density of the observed values.
    pub log_evidence_nats: f64,
    /// One entry for each target in every column.
    pub targets: Marginals<S>,
}

/// Columns with one entry for each target; see [`TargetOutcome`](super::TargetOutcome) for what they mean.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields of `TargetOutcome`, as columns")]
pub struct Marginals<S> {
    pub prior_mean: Vec<S>,
    pub prior_variance: Vec<S>,
    pub posterior_mean: Vec<S>,
    pub mean_shift: Vec<S>,
    pub posterior_variance: Vec<S>,
    pub variance_reduction: Vec<S>,
    pub fully_disclosed: Vec<bool>,
}

/// Conditions a network on observations, and looks at each target on its own: as [`condition`] does, for millions.
pub fn survey<S: Scalar>(
    network: &Network<S>,
    observations: &[Observation<S>],
    targets: &[Affine<S>],
    options: &Options,
) -> Result<Survey<S>, Refusal<S>> {
    let posterior = condition(network, observations, targets, options)?;
    let mut columns = Marginals {
        prior_mean: Vec::with_capacity(targets.len()),
        prior_variance: Vec::with_capacity(targets.len()),
        posterior_mean: Vec::with_capacity(targets.len()),
        mean_shift: Vec::with_capacity(targets.len()),
        posterior_variance: Vec::with_capacity(targets.len()),
        variance_reduction: Vec::with_capacity(targets.len()),
        fully_disclosed: Vec::with_capacity(targets.len()),
    };
    for target in posterior.targets {
        columns.prior_mean.push(target.prior_mean);
        columns.prior_variance.push(target.prior_variance);
        columns.posterior_mean.push(target.posterior_mean);
        columns.mean_shift.push(target.mean_shift);
        columns.posterior_variance.push(target.posterior_variance);
        columns.variance_reduction.push(target.variance_reduction);
        columns.fully_disclosed.push(target.fully_disclosed);
    }
    let (observations, log_evidence_nats) = (posterior.observations, posterior.log_evidence_nats);
    Ok(Survey { observations, log_evidence_nats, targets: columns })
}
