//! Deciding on requirements. A gate that looked at nothing must not pass, so what no release can change is refused.

use super::measure::number;
use super::result::RequirementResult;
use super::secrets::Secrets;
use crate::query::{Bound, Joint, Requirement, Subject, answer};
use privug_engine::evaluate::Model;
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_measures::channel::Method;
use privug_measures::leakage::{Measure, Reading, Unit};

type Decided<T> = Result<T, Box<Diagnostic>>;

/// Whether a requirement holds, for the secret that is nearest to breaking it or breaks it most.
pub(super) fn decide<S: Scalar>(
    requirement: &Requirement,
    model: &Model<S>,
    joint: &Joint<'_, S>,
    secrets: &Secrets,
) -> Decided<RequirementResult> {
    let Some(limit) = number(model, requirement.limit) else {
        let message = "a requirement compares with a number, not with a random variable";
        return Err(Box::new(Diagnostic::error(Code::MalformedRequirement, requirement.span, message)));
    };
    let is_yes_or_no = |name: &str| Measure::named(name).is_some_and(|measure| measure.unit == Unit::YesNo);
    let compares_numbers = !matches!(&requirement.subject, Subject::Measure(name) if is_yes_or_no(name));
    if requirement.bound == Bound::Unequal && compares_numbers {
        let message = "`!=` holds for nearly every release";
        return Err(nothing_to_judge(requirement, message.to_owned(), "use `<=` or `>=`".to_owned()));
    }
    let result = |value: f64, secret: Option<String>| RequirementResult {
        text: requirement.text.clone(),
        value,
        method: Some(Method::Exact),
        limit,
        secret,
        holds: requirement.bound.holds(value, limit),
    };
    match &requirement.subject {
        Subject::Query(query) => match answer(query, joint)?.after {
            Some(after) => Ok(result(after, None)),
            None => {
                let instead = "`Std(x)`, `Var(x)`, `Cov(x, y)` or a measure such as `mutual_information_bits`";
                Err(values_needed(&query.text, model, requirement, instead))
            }
        },
        Subject::Measure(name) => {
            let (place, value) = worst(requirement, limit, name, model, secrets)?;
            Ok(result(value, Some(secrets.name(place).into_owned())))
        }
    }
}

/// Why a requirement holds whatever is published, and what may have been meant: `mutual_information_bits >= 0`.
pub(super) fn holds_always(requirement: &Requirement, measure: &Measure, limit: f64) -> Option<(String, String)> {
    let (least, largest) = measure.bounds();
    if !requirement.bound.holds(least, limit) || !requirement.bound.holds(largest, limit) {
        return None;
    }
    let never = if largest.is_finite() { "always lies between 0 and 1" } else { "is never negative" };
    let hint = "bound it by a number that a release can exceed, with `<=` where more of it means more disclosure";
    Some((format!("every release meets this: `{}` {never}", measure.name), hint.to_owned()))
}

/// The secret for which a measure is nearest to breaking a requirement, or breaks it most, and the measure's value.
fn worst<S: Scalar>(
    requirement: &Requirement,
    limit: f64,
    name: &str,
    model: &Model<S>,
    secrets: &Secrets,
) -> Decided<(usize, f64)> {
    let Some(measure) = Measure::named(name) else {
        let message = format!("Gaussian secrets have no measure `{name}`");
        let error = Diagnostic::error(Code::UnknownMeasure, requirement.span, message);
        return Err(Box::new(error.hint("it is a measure of discrete secrets; bound `mutual_information_bits`")));
    };
    if measure.is_of_the_prior() {
        let message = format!("no release can change `{name}`: it is known before anything is published");
        let hint = "bound what is known afterwards, such as `posterior_std` or `mutual_information_bits`";
        return Err(nothing_to_judge(requirement, message, hint.to_owned()));
    }
    if let Some((message, hint)) = holds_always(requirement, measure, limit) {
        return Err(nothing_to_judge(requirement, message, hint));
    }
    let upwards = requirement.bound.holds(f64::NEG_INFINITY, 0.0);
    let mut worst: Option<(usize, f64)> = None;
    for (place, measures) in secrets.measures().enumerate() {
        // What was known beforehand cannot be disclosed.
        if measures.is_known_beforehand() {
            continue;
        }
        let value = match measure.read(&measures) {
            // A guess that moved down has moved as far as one that moved up.
            Reading::Value(value) if measure.is_signed() => value.abs(),
            Reading::Value(value) => value,
            Reading::NeedsTruth => {
                let message = format!("`{name}` needs the true value of `{}`", secrets.name(place));
                let error = Diagnostic::error(Code::TruthNeeded, requirement.span, message);
                return Err(Box::new(error.hint("give it with `--truth`")));
            }
            Reading::Unknown => {
                let message = format!("`{name}` is not defined for Gaussian secrets");
                let error = Diagnostic::error(Code::UnknownMeasure, requirement.span, message);
                return Err(Box::new(error.hint("it is a measure of discrete secrets")));
            }
            Reading::NeedsValues { instead } => {
                return Err(values_needed(name, model, requirement, &format!("`{instead}`")));
            }
        };
        let holds = requirement.bound.holds(value, limit);
        let worse = match worst.map(|(_, worst)| (worst, requirement.bound.holds(worst, limit))) {
            None => true,
            Some((_, worst_holds)) if worst_holds != holds => worst_holds,
            // Of two that agree, the one that is nearer to failing, or further beyond it.
            Some((worst, _)) if upwards => value > worst,
            Some((worst, _)) => value < worst,
        };
        if worse {
            worst = Some((place, value));
        }
    }
    worst.ok_or_else(|| {
        let (what, is) = if secrets.len() == 1 { ("the secret", "is") } else { ("all secrets", "are") };
        let message = format!("{what} {is} known beforehand: the prior has no variance, or one too small for a double");
        let hint = "give the attacker's prior a variance, or choose other units";
        nothing_to_judge(requirement, message, hint.to_owned())
    })
}

/// The refusal of a requirement that would pass whatever is published.
fn nothing_to_judge(requirement: &Requirement, message: String, hint: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::NothingToJudge, requirement.span, message).hint(hint))
}

/// The refusal of a requirement that nobody can decide on before the values are published.
fn values_needed<S: Scalar>(
    subject: &str,
    model: &Model<S>,
    requirement: &Requirement,
    instead: &str,
) -> Box<Diagnostic> {
    let mut unseen = model.evidence.iter().filter(|evidence| evidence.value.is_none());
    let first = unseen.next().map_or("an output", |evidence| evidence.seen.name.as_str());
    let others = unseen.count();
    let and = if others == 0 { String::new() } else { format!(" and {others} more") };
    let message = format!("`{subject}` depends on the published values, and `{first}`{and} has none");
    let hint = format!("observe the values (`--observe`), or bound {instead}, the same whatever the values are");
    Box::new(Diagnostic::error(Code::ValuesNeeded, requirement.span, message).hint(hint))
}
