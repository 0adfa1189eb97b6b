//! From what conditioning found to the [`Analysis`] that front ends show.

use super::measure::{self, Outputs, Together};
use super::notes::{self, Note};
use super::options::Options;
use super::prior::PriorCheck;
use super::result::{Analysis, Arithmetic, CovarianceMatrices, ExactNumbers, ObservationResult, OutputResult, Status};
use super::secrets::Secrets;
use privug_engine::evaluate::Model;
use privug_engine::network::NodeId;
use privug_engine::number::{Constants, Scalar};
use privug_engine::posterior::{self, Covariances, Marginals, Posterior, Prediction, Surprise, Survey, TargetOutcome};
use privug_language::diagnostic::Diagnostic;
use privug_language::source::Sources;

/// What conditioning found out about the secrets.
pub(super) struct Learnt<S> {
    predictions: Vec<Prediction<S>>,
    log_evidence_nats: f64,
    pub(super) surprise: Surprise,
    targets: Targets<S>,
    covariances: Option<Covariances<S>>,
}

/// The secrets one by one or, if there are very many, in columns.
enum Targets<S> {
    Each(Vec<TargetOutcome<S>>),
    Columns(Marginals<S>),
}

impl<S: Scalar> From<Posterior<S>> for Learnt<S> {
    fn from(posterior: Posterior<S>) -> Self {
        let surprise = Surprise::of(&posterior.observations);
        let predictions = posterior.observations.into_iter().map(|outcome| Prediction {
            mean: outcome.predicted_mean,
            variance: outcome.predicted_variance,
            redundant: matches!(outcome.status, posterior::Status::Redundant),
        });
        Learnt {
            predictions: predictions.collect(),
            log_evidence_nats: posterior.log_evidence_nats,
            surprise,
            targets: Targets::Each(posterior.targets),
            covariances: posterior.covariances,
        }
    }
}

impl<S> From<Survey<S>> for Learnt<S> {
    fn from(survey: Survey<S>) -> Self {
        Learnt {
            predictions: survey.observations,
            log_evidence_nats: survey.log_evidence_nats,
            surprise: survey.surprise,
            targets: Targets::Columns(survey.targets),
            covariances: None,
        }
    }
}

/// What was found about the secrets, and about what questions ask for.
pub(super) struct Findings<'a, S> {
    pub(super) model: &'a Model<S>,
    pub(super) learnt: Learnt<S>,
    pub(super) together: Together,
    pub(super) prior_check: PriorCheck,
    pub(super) asked_nodes: &'a [NodeId],
    pub(super) asked: &'a Posterior<S>,
}

/// Puts names and places back onto the numbers, and measures them.
pub(super) fn assemble<S: Scalar>(
    sources: &Sources,
    path: &str,
    function: &str,
    options: &Options,
    findings: Findings<'_, S>,
) -> Result<Analysis, Vec<Diagnostic>> {
    let Findings { model, learnt, together, prior_check, asked_nodes, asked } = findings;
    let truths = measure::truths(options, model)?;
    let exact = exact_numbers(&learnt);
    let secrets = match learnt.targets {
        Targets::Each(targets) => {
            let outputs = Outputs::of(sources, model, &learnt.predictions);
            let measured = targets.iter().enumerate().map(|(place, target)| {
                let name = model.secrets.names().get(place);
                measure::secret(name, target, truths.get(&place).copied(), options, &outputs)
            });
            Secrets::from(measured.collect::<Result<Vec<_>, _>>()?)
        }
        Targets::Columns(marginals) => measure::secrets_in_columns(model, marginals, &truths, options)?,
    };
    let (answers, requirements) = measure::verdicts(options, model, asked_nodes, asked, &secrets)?;
    let (observations, outputs) = evidence(sources, model, &learnt.predictions);
    let mut analysis = Analysis {
        sources: sources.clone(),
        path: path.to_owned(),
        function: function.to_owned(),
        arithmetic: if S::EXACT { Arithmetic::Exact } else { Arithmetic::Float },
        variable_count: model.network.source_count(),
        joint: measure::joint(&together, &secrets),
        choices: None,
        secrets,
        covariances: learnt.covariances.as_ref().map(|all| CovarianceMatrices {
            prior: doubles(&all.prior),
            posterior: doubles(&all.posterior),
            reduction: doubles(&all.reduction),
            if_published: all.if_all_published.as_deref().map(doubles),
        }),
        exact,
        observations,
        outputs,
        log_evidence_nats: learnt.log_evidence_nats,
        prior_check,
        level: options.level,
        answers,
        requirements,
        mechanisms: model.mechanisms.clone(),
        notes: Vec::new(),
    };
    analysis.notes = notes::write(&analysis, &model.notes, model.rounded);
    analysis.notes.extend(match together {
        Together::NotAsked | Together::Leak(_) => None,
        Together::TooMuchWork => Some(Note::TogetherTooMuchWork),
        Together::Undecidable => Some(Note::TogetherUndecidable),
    });
    Ok(analysis)
}

/// What was seen, and what will be published.
fn evidence<S: Scalar>(
    sources: &Sources,
    model: &Model<S>,
    predictions: &[Prediction<S>],
) -> (Vec<ObservationResult>, Vec<OutputResult>) {
    let mut observations = Vec::new();
    let mut outputs = Vec::new();
    for (evidence, prediction) in model.evidence.iter().zip(predictions) {
        let name = evidence.seen.name.clone();
        let line = sources.location(evidence.seen.span).line;
        let (mean, variance) = (prediction.mean.to_f64(), prediction.variance.to_f64());
        let status = if prediction.redundant { Status::Redundant } else { Status::Used };
        match &evidence.value {
            Some(value) => observations.push(ObservationResult {
                name,
                span: evidence.seen.span,
                line,
                value: value.to_f64(),
                noise_variance: evidence.noise_variance.to_f64(),
                predicted_mean: mean,
                predicted_variance: variance,
                z: z_score(value, prediction),
                status,
            }),
            None => outputs.push(OutputResult { name, line, mean, variance, status }),
        }
    }
    (observations, outputs)
}

/// (value − predicted mean) / predicted standard deviation; a constant that was seen as it is, is where it should be.
fn z_score<S: Scalar>(value: &S, prediction: &Prediction<S>) -> f64 {
    let std_dev = prediction.variance.to_f64().sqrt();
    if std_dev == 0.0 { 0.0 } else { value.sub(&prediction.mean).to_f64() / std_dev }
}

fn doubles<S: Scalar>(rows: &[Vec<S>]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.iter().map(Constants::to_f64).collect()).collect()
}

fn exact_numbers<S: Scalar>(learnt: &Learnt<S>) -> Option<ExactNumbers> {
    if !S::EXACT {
        return None;
    }
    let text = |number: &S| number.to_exact_string().unwrap_or_default();
    let column =
        |of_each: fn(&TargetOutcome<S>) -> &S, of_columns: fn(&Marginals<S>, usize) -> &S| match &learnt.targets {
            Targets::Each(targets) => targets.iter().map(|target| text(of_each(target))).collect(),
            Targets::Columns(all) => (0..all.len()).map(|target| text(of_columns(all, target))).collect(),
        };
    Some(ExactNumbers {
        prior_mean: column(|target| &target.prior_mean, |all, target| &all.prior_mean[target]),
        mean: column(|target| &target.posterior_mean, |all, target| &all.posterior_mean[target]),
        prior_variance: column(|target| &target.prior_variance, |all, target| &all.spread(target).prior_variance),
        variance: column(|target| &target.posterior_variance, |all, target| &all.spread(target).posterior_variance),
        variance_if_published: column(
            |target| &target.variance_if_all_published,
            |all, target| &all.spread(target).variance_if_all_published,
        ),
        covariance: learnt
            .covariances
            .as_ref()
            .map(|all| all.posterior.iter().map(|row| row.iter().map(text).collect()).collect()),
    })
}
