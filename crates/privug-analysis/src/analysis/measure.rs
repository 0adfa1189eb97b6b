//! From what conditioning found to measures, answers and verdicts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::options::Options;
use super::request::Tolerance;
use super::requirement::decide;
use super::result::{JointMeasures, OutputLeak, RequirementResult, SecretResult};
use super::secrets::{Columns, Secrets};
use crate::query::{Answer, Belief, Joint, answer};
use privug_engine::evaluate::{Model, Quantity};
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::{Scalar, Wide};
use privug_engine::posterior::{Marginals, Posterior, Prediction, TargetOutcome};
use privug_language::diagnostic::{Code, Diagnostic, nearest};
use privug_language::program::Role;
use privug_language::source::Sources;
use privug_measures::leakage::{
    JointLeak, Knowledge, Measures, Normal, OutputAlone, Setting, chain_shares_bits, output_mutual_information_bits,
};

type Measured<T> = Result<T, Vec<Diagnostic>>;

/// A number among the questions' expressions.
pub(super) fn number<S: Scalar>(model: &Model<S>, place: usize) -> Option<f64> {
    match &model.quantities[place] {
        Quantity::Number(number) => Some(number.to_f64()),
        Quantity::Random(_) => None,
    }
}

/// A name that is not found is compared with no more than this many.
const MANY: usize = 10_000;

/// The true values of secrets, where they were given.
pub(super) fn truths<S: Scalar>(options: &Options, model: &Model<S>) -> Measured<BTreeMap<usize, f64>> {
    let mut truths = BTreeMap::new();
    let mut errors = Vec::new();
    let squeezed = |name: &str| name.split_whitespace().collect::<String>();
    for truth in &options.truths {
        let place = match &truth.secret {
            None if model.secrets.len() == 1 => Some(0),
            None => {
                let message =
                    format!("there are {} secrets; name the one this is the true value of", model.secrets.len());
                let hint = format!("write `--truth '{}=...'`", model.secrets.names().get(0));
                errors.push(Diagnostic::error(Code::UnknownSecret, truth.span, message).hint(hint));
                None
            }
            Some(name) => {
                let (names, wanted) = (model.secrets.names(), squeezed(name));
                let found = names.iter().position(|name| squeezed(&name) == wanted);
                if found.is_none() {
                    let names: Vec<String> = names.iter().take(MANY).collect();
                    let hint = match nearest(name, names.iter().map(String::as_str)) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the secrets are {}", names[..names.len().min(5)].join(", ")),
                    };
                    let message = format!("`{name}` is not a secret");
                    errors.push(Diagnostic::error(Code::UnknownSecret, truth.span, message).hint(hint));
                }
                found
            }
        };
        match (place, number(model, truth.value)) {
            (Some(place), Some(value)) => {
                if truths.insert(place, value).is_some() {
                    let name = model.secrets.names().get(place);
                    let message = format!("the true value of `{name}` is given twice");
                    errors.push(Diagnostic::error(Code::TruthTwice, truth.span, message).hint("give it once"));
                }
            }
            (Some(_), None) => {
                let message = "the true value must be a number, not a random variable";
                errors.push(Diagnostic::error(Code::UnknownSecret, truth.span, message));
            }
            (None, _) => {}
        }
    }
    if errors.is_empty() { Ok(truths) } else { Err(errors) }
}

/// Measures very many secrets.
pub(super) fn secrets_in_columns<S: Scalar>(
    model: &Model<S>,
    marginals: Marginals<S>,
    truths: &BTreeMap<usize, f64>,
    options: &Options,
) -> Measured<Secrets> {
    let setting = |truth: Option<f64>| -> Measured<Setting> {
        Ok(Setting { guess_tolerance: guess_tolerance(options, truth)?, truth, level: Some(options.level) })
    };
    let settings = truths.iter().map(|(place, truth)| Ok((*place, setting(Some(*truth))?)));
    let settings = settings.collect::<Measured<BTreeMap<usize, Setting>>>()?;
    let all_told = settings.len() == model.secrets.len();
    Ok(Secrets::from(Columns {
        names: model.secrets.names().clone(),
        marginals: marginals.into_doubles(),
        setting: if all_told { Setting::default() } else { setting(None)? },
        settings,
    }))
}

/// The tolerance of a guess for a secret.
fn guess_tolerance(options: &Options, truth: Option<f64>) -> Measured<Option<f64>> {
    match (&options.tolerance, truth) {
        (None, _) => Ok(None),
        (Some((Tolerance::Absolute(tolerance), _)), _) => Ok(Some(*tolerance)),
        (Some((Tolerance::Percent(percent), _)), Some(truth)) => Ok(Some(percent / 100.0 * truth.abs())),
        (Some((Tolerance::Percent(_), span)), None) => {
            let message = "a tolerance in percent refers to the true value, which is not given";
            Err(vec![Diagnostic::error(Code::TruthNeeded, *span, message).hint("give it with `--truth`")])
        }
    }
}

/// What was and is known about a target, in doubles.
pub(crate) fn knowledge<S: Scalar>(target: &TargetOutcome<S>) -> Knowledge {
    Knowledge {
        prior_mean: target.prior_mean.to_f64(),
        prior_variance: target.prior_variance.to_f64(),
        mean_shift: target.mean_shift.to_f64(),
        posterior_variance: target.posterior_variance.to_f64(),
        variance_reduction: target.variance_reduction.to_f64(),
        variance_if_all_published: target.variance_if_all_published.to_f64(),
        reduction_if_all_published: target.reduction_if_all_published.to_f64(),
    }
}

/// Measures one secret.
pub(super) fn secret<S: Scalar>(
    name: String,
    target: &TargetOutcome<S>,
    truth: Option<f64>,
    options: &Options,
    outputs: &Outputs,
) -> Measured<SecretResult> {
    let knowledge = knowledge(target);
    let setting = Setting { guess_tolerance: guess_tolerance(options, truth)?, truth, level: Some(options.level) };
    Ok(SecretResult {
        name,
        knowledge,
        posterior_mean: target.posterior_mean.to_f64(),
        measures: Measures::of(&knowledge, &setting),
        truth,
        by_output: by_output(target, &knowledge, outputs),
    })
}

/// With more pairs of a secret and an output than this, only outputs that tell something are listed.
const MAX_LISTED_PAIRS: usize = 1_000_000;

/// The names and variances of all outputs, seen or not.
pub(super) struct Outputs {
    names: Vec<Arc<str>>,
    lines: Vec<usize>,
    variances: Vec<f64>,
    /// Whether those that tell nothing about a secret are listed too.
    all_listed: bool,
}

impl Outputs {
    pub(super) fn of<S: Scalar>(sources: &Sources, model: &Model<S>, predictions: &[Prediction<S>]) -> Self {
        Outputs {
            all_listed: model.evidence.len().saturating_mul(model.secrets.len()) <= MAX_LISTED_PAIRS,
            names: model.evidence.iter().map(|evidence| evidence.seen.name.as_str().into()).collect(),
            lines: model.evidence.iter().map(|evidence| sources.location(evidence.seen.span).line).collect(),
            variances: predictions.iter().map(|prediction| prediction.variance.to_f64()).collect(),
        }
    }
}

/// A part of the prior variance below this is rounding.
const NEGLIGIBLE: f64 = 1e-58;

/// What each output reveals.
fn by_output<S: Scalar>(target: &TargetOutcome<S>, knowledge: &Knowledge, outputs: &Outputs) -> Vec<OutputLeak> {
    let mut telling = leaks_by_output(target, knowledge, &outputs.variances).into_iter().peekable();
    let mut named = Vec::new();
    for (output, (name, line)) in outputs.names.iter().zip(&outputs.lines).enumerate() {
        let leak = telling.next_if(|leak| leak.output == output);
        if leak.is_none() && !outputs.all_listed {
            continue;
        }
        let (alone_bits, added_bits) = leak.map_or((0.0, 0.0), |leak| (leak.alone_bits, leak.added_bits));
        named.push(OutputLeak { output: Arc::clone(name), line: *line, alone_bits, added_bits });
    }
    named
}

/// What one output tells about a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Leak {
    /// The output, by its place among the observations.
    pub(crate) output: usize,
    /// Mutual information with this output alone.
    pub(crate) alone_bits: f64,
    /// What it adds to the earlier ones.
    pub(crate) added_bits: f64,
}

/// What each output tells, alone and after the earlier ones; `variances` are those of the outputs.
pub(crate) fn leaks_by_output<S: Scalar>(
    target: &TargetOutcome<S>,
    knowledge: &Knowledge,
    variances: &[f64],
) -> Vec<Leak> {
    // What later outputs seem to add to a disclosure is the square of a rounding error of pairs of doubles.
    let negligible =
        if knowledge.variance_if_all_published == 0.0 { NEGLIGIBLE * knowledge.prior_variance } else { 0.0 };
    let reduction = |(_, reduction): &(usize, S)| Some(reduction.to_f64()).filter(|r| *r > negligible).unwrap_or(0.0);
    let reductions: Vec<f64> = target.reductions.iter().map(reduction).collect();
    let shares = chain_shares_bits(&reductions, knowledge.variance_if_all_published);
    // An output that is independent of the secret can still complete a disclosure together with others.
    let mut leaks: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for ((index, _), added) in target.reductions.iter().zip(shares) {
        leaks.entry(*index).or_default().1 = added;
    }
    for ((index, covariance), (_, left)) in target.covariances_alone.iter().zip(&target.variances_left_alone) {
        let alone = OutputAlone {
            covariance: covariance.to_f64(),
            variance: variances[*index],
            variance_left: Some(left.to_f64()),
        };
        leaks.entry(*index).or_default().0 = output_mutual_information_bits(knowledge.prior_variance, &alone);
    }
    let leaks = leaks.into_iter();
    leaks.map(|(output, (alone_bits, added_bits))| Leak { output, alone_bits, added_bits }).collect()
}

/// What is told about all secrets together, in one arithmetic.
pub(super) enum Together {
    /// There is one secret, or there are too many.
    NotAsked,
    /// The measures.
    Leak(JointLeak),
    /// They take too much work.
    TooMuchWork,
    /// They depend on how an irrational number is rounded.
    Undecidable,
}

/// Measures all secrets together; those that depend on values are known if no output without a value matters.
pub(super) fn joint(together: &Together, secrets: &Secrets) -> Option<JointMeasures> {
    let leak = match together {
        Together::NotAsked => return None,
        Together::Leak(leak) => Some(leak),
        Together::TooMuchWork | Together::Undecidable => None,
    };
    let realised = leak.filter(|_| !secrets.known().any(|known| known.knowledge.is_open()));
    Some(JointMeasures {
        mutual_information_bits: leak.map(|leak| leak.mutual_information_bits),
        kl_posterior_prior_bits: realised.map(|leak| leak.kl_posterior_prior_bits),
        kl_prior_posterior_bits: realised.map(|leak| leak.kl_prior_posterior_bits),
    })
}

/// The nodes that questions are about, each once.
pub(super) fn asked_nodes<S: Scalar>(model: &Model<S>) -> Vec<NodeId> {
    let random = model.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Random(variable) => Some(variable.node),
        Quantity::Number(_) => None,
    });
    let mut nodes: Vec<NodeId> = random.chain(model.differences.iter().flatten().map(|x| x.node)).collect();
    nodes.sort();
    nodes.dedup();
    nodes
}

/// What is believed about some nodes at one time.
struct NodeBelief<'a, S> {
    nodes: &'a [NodeId],
    means: Vec<S>,
    /// What rounding took from these.
    mean_rests: Vec<f64>,
    variances: Vec<S>,
    covariances: Option<&'a [Vec<S>]>,
    /// Whether outputs that were not seen will still move each mean.
    open: Vec<bool>,
}

impl<S: Scalar> Belief<S> for NodeBelief<'_, S> {
    fn normal(&self, variable: &Affine<S>) -> Option<Normal> {
        let place = self.nodes.binary_search(&variable.node).ok()?;
        let mean = variable.offset.add(&variable.scale.mul(&self.means[place]));
        let variance = variable.scale.mul(&variable.scale).mul(&self.variances[place]);
        Normal::new(mean.to_f64(), variance.to_f64())
    }

    fn centre(&self, node: NodeId) -> Option<(S::Wide, f64)> {
        let place = self.nodes.binary_search(&node).ok()?;
        let (mean, variance) = (S::Wide::widen(&self.means[place]), self.variances[place].to_f64());
        // What is known exactly is compared as it is shown.
        let rest = S::from_f64(self.mean_rests[place]).filter(|_| variance > 0.0);
        Some((rest.map_or(mean.clone(), |rest| mean.add_narrow(&rest)), variance))
    }

    fn is_open(&self, variable: &Affine<S>) -> bool {
        let place = self.nodes.binary_search(&variable.node);
        !variable.scale.is_zero() && place.is_ok_and(|place| self.open[place])
    }

    fn covariance(&self, a: &Affine<S>, b: &Affine<S>) -> Option<f64> {
        let (i, j) = (self.nodes.binary_search(&a.node).ok()?, self.nodes.binary_search(&b.node).ok()?);
        let covariance = &self.covariances?[i][j];
        Some(a.scale.mul(&b.scale).mul(covariance).to_f64())
    }
}

/// Answers the questions and decides on the requirements.
pub(super) fn verdicts<S: Scalar>(
    options: &Options,
    model: &Model<S>,
    nodes: &[NodeId],
    asked: &Posterior<S>,
    secrets: &Secrets,
) -> Measured<(Vec<Answer>, Vec<RequirementResult>)> {
    let column = |pick: fn(&TargetOutcome<S>) -> &S| asked.targets.iter().map(|target| pick(target).clone()).collect();
    let before = NodeBelief {
        nodes,
        means: column(|target| &target.prior_mean),
        mean_rests: asked.targets.iter().map(|target| target.mean_rests[0]).collect(),
        variances: column(|target| &target.prior_variance),
        covariances: asked.covariances.as_ref().map(|all| all.prior.as_slice()),
        open: vec![false; nodes.len()],
    };
    let after = NodeBelief {
        nodes,
        means: column(|target| &target.posterior_mean),
        mean_rests: asked.targets.iter().map(|target| target.mean_rests[1]).collect(),
        // As if the outputs that were not seen were published too: whatever their values are, they leave these.
        variances: column(|target| &target.variance_if_all_published),
        covariances: asked
            .covariances
            .as_ref()
            .map(|all| all.if_all_published.as_ref().unwrap_or(&all.posterior).as_slice()),
        open: asked.targets.iter().map(|target| knowledge(target).is_open()).collect(),
    };
    let joint =
        Joint { quantities: &model.quantities, differences: &model.differences, before: &before, after: &after };
    let mut errors = Vec::new();
    let mut answers = Vec::new();
    for query in &options.queries {
        match answer(query, &joint) {
            Ok(answer) => answers.push(answer),
            Err(error) => errors.push(*error),
        }
    }
    let mut requirements = Vec::new();
    let secret_named = options.expressions.iter().any(|expression| matches!(expression.role, Role::Secret));
    let nothing_published = model.evidence.is_empty() && !secret_named;
    if let Some(first) = options.requirements.first().filter(|_| nothing_published) {
        // What the function returns is the secret then, and not a release. One that is not there meets everything.
        let message = "nothing is published or observed, so there is nothing to decide";
        let hint = "name the secret with `--secret`; what the function returns is then the published output";
        errors.push(Diagnostic::error(Code::SecretExpected, first.span, message).hint(hint));
    }
    for requirement in &options.requirements {
        match decide(requirement, model, &joint, secrets) {
            Ok(result) => requirements.push(result),
            Err(error) => errors.push(*error),
        }
    }
    if errors.is_empty() { Ok((answers, requirements)) } else { Err(errors) }
}
