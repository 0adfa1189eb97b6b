//! Answers to questions about discrete values and mixtures.

use super::belief::{Belief, Part};
use super::value::PlainValue;
use crate::query::{Answer, Query, QueryKind};
use privug_engine::elimination::{Distribution, Eliminated};
use privug_engine::evaluate::ChoiceModel;
use privug_engine::gaussian::Normal;
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::question::{Event, Relation};

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
            let belief = Belief::of(distribution, false);
            match &query.kind {
                QueryKind::Probability(event) => match belief {
                    Belief::Discrete(values) => {
                        let yes = values.iter().find(|chance| chance.value == PlainValue::Bool(true));
                        Some(yes.map_or(0.0, |chance| chance.probability))
                    }
                    Belief::Mixture(parts) => Interval::of(event, &model.numbers)?.probability(&parts),
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

/// The numbers that comparisons of one value with numbers leave, and whether the ends are among them.
struct Interval {
    low: f64,
    low_belongs: bool,
    high: f64,
    high_belongs: bool,
}

impl Interval {
    fn of(event: &Event, numbers: &[Option<f64>]) -> Option<Self> {
        let mut interval =
            Interval { low: f64::NEG_INFINITY, low_belongs: false, high: f64::INFINITY, high_belongs: false };
        for (left, relation, right) in event.comparisons()? {
            let (bound, is_above, belongs) = match (numbers[left.operand()], numbers[right.operand()]) {
                (None, Some(bound)) => match relation {
                    Relation::Less => (bound, false, false),
                    Relation::LessEqual => (bound, false, true),
                    Relation::Greater => (bound, true, false),
                    Relation::GreaterEqual => (bound, true, true),
                },
                (Some(bound), None) => match relation {
                    Relation::Less => (bound, true, false),
                    Relation::LessEqual => (bound, true, true),
                    Relation::Greater => (bound, false, false),
                    Relation::GreaterEqual => (bound, false, true),
                },
                _ => return None,
            };
            if is_above && (bound > interval.low || (bound == interval.low && !belongs)) {
                (interval.low, interval.low_belongs) = (bound, belongs);
            }
            if !is_above && (bound < interval.high || (bound == interval.high && !belongs)) {
                (interval.high, interval.high_belongs) = (bound, belongs);
            }
        }
        Some(interval)
    }

    /// The probability of a mixture's values in it.
    fn probability(&self, parts: &[Part]) -> Option<f64> {
        let has = |value: f64| {
            (value > self.low || (self.low_belongs && value == self.low))
                && (value < self.high || (self.high_belongs && value == self.high))
        };
        let inside = |part: &Part| {
            if part.variance == 0.0 {
                return Some(f64::from(u8::from(has(part.mean))));
            }
            let normal = Normal::new(part.mean, part.variance)?;
            let (low, high) = (self.low.max(part.low), self.high.min(part.high));
            if low >= high {
                return Some(0.0);
            }
            Some(normal.share_between((low, high), (part.low, part.high)))
        };
        parts.iter().map(|part| Some(part.weight * inside(part)?)).sum()
    }
}
