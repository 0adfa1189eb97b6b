//! What a guess is worth, from a table or from an expression of `guess` and `secret`.

use super::belief::Belief;
use super::value::PlainValue;
use crate::analysis::options::Options;
use crate::analysis::request::{GainRequest, Request};
use crate::analysis::run::analyze;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_measures::channel::{Gain, GainError};

/// Secrets with more values than this are not guessed by an expression: every pair is computed.
const MAX_VALUES: usize = 300;

/// The gain of each guess for each value of the secret; `None` if nothing was asked for, or the secret is a mixture.
pub(super) fn of_secret(options: &Options, prior: &Belief) -> Result<Option<Gain>, Vec<Diagnostic>> {
    let (Some((gain, span)), Belief::Discrete(values)) = (&options.gain, prior) else { return Ok(None) };
    let refuse =
        |message: String, hint: &str| vec![Diagnostic::error(Code::MalformedOption, *span, message).hint(hint)];
    let secrets: Vec<&PlainValue> = values.iter().map(|chance| &chance.value).collect();
    let rows = match gain {
        GainRequest::Table(table) => {
            let mut columns = Vec::with_capacity(secrets.len());
            for secret in &secrets {
                let text = secret.to_string();
                let Some(column) = table.secrets.iter().position(|name| *name == text) else {
                    let hint = "the columns after the first must be the values of the secret, as shown in reports";
                    return Err(refuse(format!("the table has no column for `{text}`"), hint));
                };
                columns.push(column);
            }
            let mut rows = Vec::with_capacity(table.gains.len());
            for row in &table.gains {
                let gains: Option<Vec<f64>> = columns.iter().map(|column| row.get(*column).copied()).collect();
                let Some(gains) = gains else {
                    return Err(refuse(
                        "a guess of the table has fewer gains than there are columns".to_owned(),
                        "fill it",
                    ));
                };
                rows.push(gains);
            }
            rows
        }
        GainRequest::Expression(expression) => by_expression(expression, &secrets).map_err(|found| match found {
            Unusable::Refused(diagnostics) => diagnostics
                .into_iter()
                .map(|inner| Diagnostic { span: *span, related: Vec::new(), ..inner })
                .collect::<Vec<Diagnostic>>(),
            Unusable::Because(message) => {
                refuse(message, "write an expression in `guess` and `secret`, such as 'abs(guess - secret) <= 1'")
            }
        })?,
    };
    Gain::new(rows, secrets.len()).map(Some).map_err(|error| {
        let message = match error {
            GainError::NoGuess => "the table has no guess".to_owned(),
            GainError::NotAGain(gain) => format!("{gain} is not a gain: gains must be nonnegative numbers"),
            GainError::Shape { found, expected } => format!("a guess has {found} gains for {expected} values"),
        };
        refuse(message, "give each guess a number for each value of the secret")
    })
}

/// Why an expression is no gain.
enum Unusable {
    Refused(Vec<Diagnostic>),
    Because(String),
}

/// Computes the expression for all pairs: a small program that makes a Gaussian variable of each gain, which is its mean.
fn by_expression(expression: &str, secrets: &[&PlainValue]) -> Result<Vec<Vec<f64>>, Unusable> {
    let count = secrets.len();
    if count > MAX_VALUES {
        return Err(Unusable::Because(format!(
            "the secret has {count} values; at most {MAX_VALUES} are supported with a gain expression"
        )));
    }
    let literals: Option<Vec<String>> = secrets.iter().map(|secret| secret.literal()).collect();
    let Some(literals) = literals else {
        return Err(Unusable::Because("the secret has values without a Python literal".to_owned()));
    };
    let values = literals.join(", ");
    let program = format!(
        "def gain():\n    values = [{values}]\n    gains = []\n    for guess in values:\n        for secret in values:\n            \
         gains.append(Normal((\n{expression}\n) * 1, 1))\n    return gains\n"
    );
    let analysis =
        analyze(&Request::new("--gain", program)).map_err(|refusal| Unusable::Refused(refusal.diagnostics))?;
    let gains: Vec<f64> = analysis.secrets.known().map(|known| known.knowledge.prior_mean).collect();
    if analysis.choices.is_some() || gains.len() != count * count {
        return Err(Unusable::Because("the gain of a guess is random".to_owned()));
    }
    Ok(gains.chunks_exact(count).map(<[f64]>::to_vec).collect())
}
