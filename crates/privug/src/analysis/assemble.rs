//! From what conditioning found to the [`Analysis`] that front ends show.

use super::measure::{self, Outputs};
use super::notes;
use super::options::Options;
use super::result::{Analysis, Arithmetic, CovarianceMatrices, ExactNumbers, ObservationResult, OutputResult, Status};
use crate::diagnostic::Diagnostic;
use crate::evaluate::Model;
use crate::network::NodeId;
use crate::number::Scalar;
use crate::posterior::{self, ObservationOutcome, Posterior, TargetOutcome};
use crate::source::Sources;

/// What was found about the secrets, and about what questions ask for.
pub(super) struct Findings<'a, S> {
    pub(super) model: &'a Model<S>,
    pub(super) posterior: &'a Posterior<S>,
    pub(super) asked_nodes: &'a [NodeId],
    pub(super) asked: &'a Posterior<S>,
}

/// Puts names and places back onto the numbers, and measures them.
pub(super) fn assemble<S: Scalar>(
    sources: &Sources,
    path: &str,
    function: &str,
    options: &Options,
    findings: &Findings<'_, S>,
) -> Result<Analysis, Vec<Diagnostic>> {
    let Findings { model, posterior, asked_nodes, asked } = findings;
    let outputs_known = Outputs::of(sources, model, posterior);
    let truths = measure::truths(options, model)?;
    let secrets = model
        .secrets
        .iter()
        .zip(&posterior.targets)
        .zip(truths)
        .map(|((secret, target), truth)| measure::secret(&secret.name, target, truth, options, &outputs_known))
        .collect::<Result<Vec<_>, _>>()?;
    let (answers, requirements) = measure::verdicts(options, model, asked_nodes, asked, &secrets)?;
    let (observations, outputs) = evidence(sources, model, posterior);
    let mut analysis = Analysis {
        sources: sources.clone(),
        path: path.to_owned(),
        function: function.to_owned(),
        arithmetic: if S::EXACT { Arithmetic::Exact } else { Arithmetic::Float },
        variable_count: model.network.source_count(),
        joint: measure::joint(posterior, &secrets, outputs.is_empty()),
        secrets,
        covariances: posterior.covariances.as_ref().map(|all| CovarianceMatrices {
            prior: doubles(&all.prior),
            posterior: doubles(&all.posterior),
            reduction: doubles(&all.reduction),
        }),
        exact: exact_numbers(posterior),
        observations,
        outputs,
        log_evidence_nats: posterior.log_evidence_nats,
        level: options.level,
        answers,
        requirements,
        mechanisms: model.mechanisms.clone(),
        notes: Vec::new(),
    };
    analysis.notes = notes::write(&analysis, &model.notes, model.rounded);
    Ok(analysis)
}

/// What was seen, and what will be published.
fn evidence<S: Scalar>(
    sources: &Sources,
    model: &Model<S>,
    posterior: &Posterior<S>,
) -> (Vec<ObservationResult>, Vec<OutputResult>) {
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
    (observations, outputs)
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

fn exact_numbers<S: Scalar>(posterior: &Posterior<S>) -> Option<ExactNumbers> {
    if !S::EXACT {
        return None;
    }
    let targets = &posterior.targets;
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
