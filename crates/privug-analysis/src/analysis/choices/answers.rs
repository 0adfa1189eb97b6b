//! Answers to questions about discrete values and mixtures.

use super::belief::{Belief, Part};
use super::bounds::{Statistic, certified_probability, probability_error};
use super::value::PlainValue;
use crate::query::{Answer, Query, QueryKind};
use privug_engine::elimination::{Accuracy, Distribution, Eliminated};
use privug_engine::evaluate::ChoiceModel;
use privug_engine::gaussian::Normal;
use privug_engine::number::{ROUNDOFF, Scalar};
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::question::{Event, Relation};
use privug_measures::channel::Method;

/// The answers to the questions.
pub(in crate::analysis) fn answers<S: Scalar>(
    queries: &[&Query],
    model: &ChoiceModel<S>,
    found: &Eliminated<S>,
) -> Result<Vec<Answer>, Vec<Diagnostic>> {
    let mut answers = Vec::new();
    for (query, asked) in queries.iter().zip(&found.questions) {
        let undefined = || vec![Diagnostic::error(Code::MalformedQuery, query.span, "this has no answer")];
        let value = |distribution: &Distribution<S>| -> Option<(f64, Method)> {
            let belief = Belief::of(distribution, false);
            let statistic = |statistic: Statistic| belief.statistic(statistic, asked.accuracy);
            match &query.kind {
                QueryKind::Probability(event) => match &belief {
                    Belief::Discrete(values) => {
                        let yes = values.iter().find(|chance| chance.value == PlainValue::Bool(true));
                        let probability = yes.map_or(0.0, |chance| chance.probability);
                        // What is certain or impossible is so whatever the probabilities are.
                        let error = match yes {
                            Some(_) if values.len() > 1 => probability_error(probability, asked.accuracy),
                            _ => 0.0,
                        };
                        Some((probability, certified_probability(probability, error)))
                    }
                    Belief::Mixture(parts) => Interval::of(event, &model.numbers)?.probability(parts, asked.accuracy),
                },
                QueryKind::Mean(_) => statistic(Statistic::Mean),
                QueryKind::Variance(_) => statistic(Statistic::Variance),
                QueryKind::StdDev(_) => statistic(Statistic::StdDev),
                QueryKind::Quantile(_, level) => {
                    let level = model.numbers[*level].filter(|p| *p > 0.0 && *p < 1.0)?;
                    statistic(Statistic::Quantile(level))
                }
                QueryKind::Covariance(_, _) | QueryKind::Correlation(_, _) => None,
            }
        };
        let (before, before_method) = value(&asked.before).ok_or_else(undefined)?;
        let after = asked.after.as_ref().map(|after| value(after).ok_or_else(undefined)).transpose()?;
        answers.push(Answer {
            text: query.text.clone(),
            before,
            before_method,
            after: after.map(|(value, _)| value),
            after_method: after.map_or(Method::Exact, |(_, method)| method),
        });
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
    fn probability(&self, parts: &[Part], accuracy: Accuracy) -> Option<(f64, Method)> {
        let (mut probability, mut error) = (0.0, 0.0);
        for part in parts {
            let (share, share_error) = self.share(part)?;
            // The only part has the weight 1.
            let weight_error = if parts.len() > 1 { probability_error(part.weight, accuracy) } else { 0.0 };
            probability += part.weight * share;
            error += weight_error * (share + share_error) + part.weight * share_error;
        }
        let method = match accuracy {
            Accuracy::Exact { .. } => Method::Exact,
            Accuracy::Certified { .. } => certified_probability(probability, error),
        };
        Some((probability, method))
    }

    /// Which share of a part lies in it, and how far off that is.
    fn share(&self, part: &Part) -> Option<(f64, f64)> {
        let has = |value: f64| {
            (value > self.low || (self.low_belongs && value == self.low))
                && (value < self.high || (self.high_belongs && value == self.high))
        };
        if part.variance == 0.0 {
            return Some((f64::from(u8::from(has(part.mean))), 0.0));
        }
        let normal = Normal::new(part.mean, part.variance)?;
        let (low, high) = (self.low.max(part.low), self.high.min(part.high));
        if low >= high {
            return Some((0.0, 0.0));
        }
        if (low, high) == (part.low, part.high) {
            return Some((1.0, 0.0));
        }
        let share = normal.share_between((low, high), (part.low, part.high));
        Some((share, share * share_error(&normal, [low, high, part.low, part.high])))
    }
}

/// How far off a share of a normal distribution is of itself: each of two probabilities by 4u·(4 + z²), and as much again where
/// the bounds or the mean were rounded.
fn share_error(normal: &Normal, bounds: [f64; 4]) -> f64 {
    let moved = normal.mean().abs() / normal.std_dev();
    let z = bounds.into_iter().filter(|bound| bound.is_finite()).map(|bound| normal.z_score(bound).abs());
    let z = z.fold(0.0, f64::max);
    16.0 * ROUNDOFF * (8.0 + z * z + moved * (1.0 + z))
}
