//! Answers to questions about discrete values and mixtures.

use super::belief::Belief;
use super::value::PlainValue;
use crate::query::{Answer, Query, QueryKind};
use privug_engine::elimination::{Distribution, Eliminated};
use privug_engine::evaluate::ChoiceModel;
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};

/// The answers to the questions.
pub(in crate::analysis) fn answers<S: Scalar>(
    queries: &[&Query],
    model: &ChoiceModel<S>,
    found: &Eliminated<S>,
) -> Result<Vec<Answer>, Vec<Diagnostic>> {
    let mut answers = Vec::new();
    for (query, (before, after)) in queries.iter().zip(&found.questions) {
        let undefined = || vec![Diagnostic::error(Code::MalformedQuery, query.span, "this has no answer")];
        let value = |distribution: &Distribution<S>| -> Option<f64> {
            let belief = Belief::of(distribution);
            match &query.kind {
                QueryKind::Probability(_) => match belief {
                    Belief::Discrete(values) => {
                        let yes = values.iter().find(|chance| chance.value == PlainValue::Bool(true));
                        Some(yes.map_or(0.0, |chance| chance.probability))
                    }
                    Belief::Mixture(_) => None,
                },
                QueryKind::Mean(_) => belief.mean(),
                QueryKind::Variance(_) => belief.variance(),
                QueryKind::StdDev(_) => belief.variance().map(f64::sqrt),
                QueryKind::Quantile(_, level) => {
                    belief.quantile(model.numbers[*level].filter(|p| *p > 0.0 && *p < 1.0)?)
                }
                QueryKind::Covariance(_, _) | QueryKind::Correlation(_, _) => None,
            }
        };
        let before = value(before).ok_or_else(undefined)?;
        let after = after.as_ref().map(|after| value(after).ok_or_else(undefined)).transpose()?;
        answers.push(Answer { text: query.text.clone(), before, after });
    }
    Ok(answers)
}
