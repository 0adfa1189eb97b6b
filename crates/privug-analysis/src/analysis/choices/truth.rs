//! The true value of a discrete secret or a mixture: how likely the attacker holds it to be.

use super::ChoiceSecret;
use super::belief::Belief;
use super::value::PlainValue;
use crate::analysis::options::Options;
use privug_engine::evaluate::ChoiceModel;
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};

/// Gives secrets their true values.
pub(super) fn tell<S: Scalar>(
    secrets: &mut [ChoiceSecret],
    options: &Options,
    model: &ChoiceModel<S>,
) -> Result<(), Vec<Diagnostic>> {
    for truth in &options.truths {
        let refuse = |message: String, hint: String| {
            vec![Diagnostic::error(Code::MalformedOption, truth.span, message).hint(hint)]
        };
        let place = match &truth.secret {
            Some(name) => secrets.iter().position(|secret| secret.name == *name),
            None if secrets.len() == 1 => Some(0),
            None => None,
        };
        let Some(place) = place else {
            let names: Vec<&str> = secrets.iter().map(|secret| secret.name.as_str()).take(10).collect();
            let message = match &truth.secret {
                Some(name) => format!("`{name}` is not a secret of this analysis"),
                None => "there are several secrets: name the one this is the true value of".to_owned(),
            };
            return Err(refuse(message, format!("the secrets are `{}`", names.join("`, `"))));
        };
        let secret = &mut secrets[place];
        let value = match (&secret.prior, model.numbers[truth.value]) {
            (Belief::Mixture(_), Some(number)) => PlainValue::Number(number),
            (Belief::Mixture(_), None) => {
                return Err(refuse(
                    "the true value of this secret must be a number".to_owned(),
                    "write a number".to_owned(),
                ));
            }
            (Belief::Discrete(values), number) => {
                let written = truth.text.trim().trim_matches(['"', '\'']);
                let same = |value: &PlainValue| match number {
                    Some(number) => value.number() == Some(number),
                    None => value.number().is_none() && value.to_string() == written,
                };
                let within = |number: f64| {
                    let holds = |chance: &super::Chance| match chance.value {
                        PlainValue::Range(low, high) => (low as f64..=high as f64).contains(&number),
                        _ => false,
                    };
                    (number.fract() == 0.0 && values.iter().any(holds)).then_some(PlainValue::Integer(number as i64))
                };
                let found = values.iter().find(|chance| same(&chance.value)).map(|chance| chance.value.clone());
                match found.or_else(|| number.and_then(within)) {
                    Some(value) => value,
                    None => {
                        let message = format!("`{}` cannot be {}: its prior probability is 0", secret.name, truth.text);
                        let shown: Vec<String> =
                            values.iter().take(10).map(|chance| chance.value.to_string()).collect();
                        return Err(refuse(message, format!("it can be {}", shown.join(", "))));
                    }
                }
            }
        };
        if let Belief::Discrete(_) = &secret.prior {
            let known = secret.known_mut();
            known.add_measure("truth_probability_prior", known.prior.probability_of(&value));
            if !known.is_open {
                known.add_measure("truth_probability_posterior", known.posterior.probability_of(&value));
            }
        }
        secret.truth = Some(Box::new(value));
    }
    Ok(())
}
