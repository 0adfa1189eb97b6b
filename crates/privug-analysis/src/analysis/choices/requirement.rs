//! Deciding on requirements about discrete secrets and mixtures. What is not known is not met.

use super::Choices;
use crate::analysis::options::Options;
use crate::analysis::requirement::holds_always;
use crate::analysis::result::RequirementResult;
use crate::query::{Answer, Bound, Requirement, Subject};
use privug_engine::evaluate::ChoiceModel;
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_measures::channel::{Method, channel_measure};
use privug_measures::leakage::Measure;

/// What a requirement is judged by, and how it was obtained.
type Judged = (f64, Option<Method>);

/// What nobody knows.
const UNKNOWN: Judged = (f64::NAN, None);

/// Decides on all requirements.
pub(in crate::analysis) fn decide<S: Scalar>(
    options: &Options,
    model: &ChoiceModel<S>,
    choices: &Choices,
    asked: &[Answer],
) -> Result<Vec<RequirementResult>, Vec<Diagnostic>> {
    let mut asked = asked.iter();
    let mut results = Vec::new();
    for requirement in &options.requirements {
        let refuse = |code: Code, message: String, hint: &str| {
            vec![Diagnostic::error(code, requirement.span, message).hint(hint)]
        };
        let Some(limit) = model.numbers[requirement.limit] else {
            let message = "a requirement compares with a number, not with a random variable".to_owned();
            return Err(refuse(Code::MalformedRequirement, message, "write a number"));
        };
        if requirement.bound == Bound::Unequal && !matches!(requirement.subject, Subject::Measure("fully_disclosed")) {
            let message = "`!=` holds for nearly every release".to_owned();
            return Err(refuse(Code::NothingToJudge, message, "use `<=` or `>=`"));
        }
        let upwards = requirement.bound.holds(f64::NEG_INFINITY, 0.0);
        let result = |(value, method): Judged, secret: Option<String>| RequirementResult {
            text: requirement.text.clone(),
            value,
            method,
            limit,
            secret,
            // What is not known meets nothing, also not `!=`.
            holds: !value.is_nan() && requirement.bound.holds(value, limit),
        };
        results.push(match &requirement.subject {
            Subject::Query(query) => match asked.next().and_then(|answer| Some((answer.after?, answer.after_method))) {
                Some((after, method)) => result((method.worse_end(after, upwards), Some(method)), None),
                None => {
                    let message = format!("`{}` depends on values that are not published yet", query.text);
                    return Err(refuse(Code::ValuesNeeded, message, "observe them, or bound a measure of the channel"));
                }
            },
            Subject::Measure(name) => {
                let measure = channel_measure(name).or_else(|| Measure::named(name));
                if measure.is_some_and(Measure::is_of_the_prior) {
                    let message = format!("no release can change `{name}`: it is known before anything is published");
                    let hint = "bound what is known afterwards, such as `max_posterior` or `mutual_information_bits`";
                    return Err(refuse(Code::NothingToJudge, message, hint));
                }
                if let Some((message, hint)) = measure.and_then(|measure| holds_always(requirement, measure, limit)) {
                    return Err(refuse(Code::NothingToJudge, message, &hint));
                }
                if name.starts_with("g_") && options.gain.is_none() {
                    let message = format!("`{name}` needs a gain function");
                    return Err(refuse(Code::MalformedRequirement, message, "give it with `--gain`"));
                }
                if name.starts_with("truth_") && choices.secrets.iter().any(|secret| secret.truth.is_none()) {
                    let message = format!("`{name}` needs the true value of every secret");
                    return Err(refuse(Code::TruthNeeded, message, "give it with `--truth`"));
                }
                if choices.secrets.iter().all(|secret| secret.prior.support() == Some(1)) {
                    let message = "what is asked about is known beforehand: the prior leaves one value".to_owned();
                    return Err(refuse(Code::NothingToJudge, message, "give the attacker's prior more than one value"));
                }
                let (judged, secret) = worst(requirement, name, limit, choices);
                result(judged, secret)
            }
        });
    }
    Ok(results)
}

/// The secret that is nearest to breaking a requirement, and its measure; one that is not known is not a number, and never
/// holds.
fn worst(requirement: &Requirement, name: &str, limit: f64, choices: &Choices) -> (Judged, Option<String>) {
    let upwards = requirement.bound.holds(f64::NEG_INFINITY, 0.0);
    let holds = |value: f64| !value.is_nan() && requirement.bound.holds(value, limit);
    let mut worst: Option<(Judged, &str)> = None;
    // What was known beforehand cannot be disclosed.
    for secret in choices.secrets.iter().filter(|secret| secret.prior.support() != Some(1)) {
        let (value, method) = match secret.measures().get(name) {
            Some((value, method)) => (method.worse_end(value, upwards), Some(method)),
            None => UNKNOWN,
        };
        let worse = match worst {
            None => true,
            Some(((earlier, _), _)) if holds(earlier) != holds(value) => holds(earlier),
            Some(((earlier, _), _)) => !earlier.is_nan() && if upwards { value > earlier } else { value < earlier },
        };
        if worse {
            worst = Some(((value, method), &secret.name));
        }
    }
    worst.map_or((UNKNOWN, None), |(judged, name)| (judged, Some(name.to_owned())))
}
