//! From what conditioning found to the [`Analysis`] that front ends show.

use super::notes;
use super::result::{
    Analysis, Arithmetic, CovarianceMatrices, ExactNumbers, ObservationResult, OutputResult, SecretResult, Status,
};
use crate::evaluate::Model;
use crate::leakage::Knowledge;
use crate::number::Scalar;
use crate::posterior::{self, ObservationOutcome, Posterior, TargetOutcome};
use crate::source::Sources;

/// Puts names and places back onto the numbers.
pub(super) fn assemble<S: Scalar>(
    sources: &Sources,
    path: &str,
    function: &str,
    model: &Model<S>,
    posterior: &Posterior<S>,
) -> Analysis {
    let secret_targets = &posterior.targets[..model.secrets.len()];
    let secrets: Vec<SecretResult> = model
        .secrets
        .iter()
        .zip(secret_targets)
        .map(|(secret, target)| secret_result(secret.name.clone(), target))
        .collect();
    let mut observations = Vec::new();
    let mut outputs = Vec::new();
    for (evidence, outcome) in model.evidence.iter().zip(&posterior.observations) {
        let name = evidence.seen.name.clone();
        let line = sources.location(evidence.seen.span).line;
        let (mean, variance) = (outcome.predicted_mean.to_f64(), outcome.predicted_variance.to_f64());
        match &evidence.value {
            Some(value) => observations.push(ObservationResult {
                name,
                span: evidence.seen.span,
                line,
                value: value.to_f64(),
                noise_variance: evidence.noise_variance.to_f64(),
                predicted_mean: mean,
                predicted_variance: variance,
                z: z_score(value, outcome),
                status: status(outcome),
            }),
            None => outputs.push(OutputResult { name, line, mean, variance, status: status(outcome) }),
        }
    }
    let mut analysis = Analysis {
        sources: sources.clone(),
        path: path.to_owned(),
        function: function.to_owned(),
        arithmetic: if S::EXACT { Arithmetic::Exact } else { Arithmetic::Float },
        variable_count: model.network.len(),
        secrets,
        covariances: posterior.covariances.as_ref().map(|all| CovarianceMatrices {
            prior: doubles(&all.prior),
            posterior: doubles(&all.posterior),
            reduction: doubles(&all.reduction),
        }),
        exact: exact_numbers(secret_targets, posterior),
        observations,
        outputs,
        log_evidence_nats: posterior.log_evidence_nats,
        mechanisms: model.mechanisms.clone(),
        notes: Vec::new(),
    };
    analysis.notes = notes::write(&analysis, &model.notes, model.rounded);
    analysis
}

fn secret_result<S: Scalar>(name: String, target: &TargetOutcome<S>) -> SecretResult {
    let doubles = |pairs: &[(usize, S)]| pairs.iter().map(|(index, value)| (*index, value.to_f64())).collect();
    SecretResult {
        name,
        knowledge: Knowledge {
            prior_mean: target.prior_mean.to_f64(),
            prior_variance: target.prior_variance.to_f64(),
            mean_shift: target.mean_shift.to_f64(),
            posterior_variance: target.posterior_variance.to_f64(),
            variance_reduction: target.variance_reduction.to_f64(),
            variance_if_all_published: target.variance_if_all_published.to_f64(),
            reduction_if_all_published: target.reduction_if_all_published.to_f64(),
        },
        posterior_mean: target.posterior_mean.to_f64(),
        reductions: doubles(&target.reductions),
        covariances: doubles(&target.covariances_alone),
    }
}

fn status<S>(outcome: &ObservationOutcome<S>) -> Status {
    match outcome.status {
        posterior::Status::Used { .. } => Status::Used,
        posterior::Status::Redundant => Status::Redundant,
    }
}

/// (value − predicted mean) / predicted standard deviation; a constant that was seen as it is, is where it should be.
fn z_score<S: Scalar>(value: &S, outcome: &ObservationOutcome<S>) -> f64 {
    let std_dev = outcome.predicted_variance.to_f64().sqrt();
    if std_dev == 0.0 { 0.0 } else { value.sub(&outcome.predicted_mean).to_f64() / std_dev }
}

fn doubles<S: Scalar>(rows: &[Vec<S>]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.iter().map(Scalar::to_f64).collect()).collect()
}

fn exact_numbers<S: Scalar>(targets: &[TargetOutcome<S>], posterior: &Posterior<S>) -> Option<ExactNumbers> {
    if !S::EXACT {
        return None;
    }
    let text = |number: &S| number.to_exact_string().unwrap_or_default();
    let column = |pick: fn(&TargetOutcome<S>) -> &S| targets.iter().map(|target| text(pick(target))).collect();
    Some(ExactNumbers {
        prior_mean: column(|target| &target.prior_mean),
        mean: column(|target| &target.posterior_mean),
        prior_variance: column(|target| &target.prior_variance),
        variance: column(|target| &target.posterior_variance),
        covariance: posterior
            .covariances
            .as_ref()
            .map(|all| all.posterior.iter().map(|row| row.iter().map(text).collect()).collect()),
    })
}
