//! Answering questions from the distributions of what they are about.

use privug_engine::evaluate::Quantity;
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::question::{Event, Query, QueryKind, Relation, Side};
use privug_language::source::Span;
use privug_measures::leakage::{Normal, Region};

/// The answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The question.
    pub text: String,
    /// Its answer before anything was seen.
    pub before: f64,
    /// Its answer after.
    pub after: f64,
}

/// What is believed about random variables at one time.
pub trait Belief<S: Scalar> {
    /// The distribution of an affine expression.
    fn normal(&self, variable: &Affine<S>) -> Option<Normal>;
    /// The covariance of two of them.
    fn covariance(&self, a: &Affine<S>, b: &Affine<S>) -> Option<f64>;
}

/// All that questions are about, and what is believed about it before and after.
pub struct Joint<'a, S: Scalar> {
    /// The questions' expressions.
    pub quantities: &'a [Quantity<S>],
    /// Differences between them.
    pub differences: &'a [Option<Affine<S>>],
    /// Before.
    pub before: &'a dyn Belief<S>,
    /// After.
    pub after: &'a dyn Belief<S>,
}

/// Why a question has no answer.
pub type Unanswerable = Box<Diagnostic>;

/// Answers a question.
pub fn answer<S: Scalar>(query: &Query, joint: &Joint<'_, S>) -> Result<Answer, Unanswerable> {
    let at = |belief: &dyn Belief<S>| joint.value(query, belief);
    Ok(Answer { text: query.text.clone(), before: at(joint.before)?, after: at(joint.after)? })
}

/// The values of one random variable for which an event happens; or whether it happens anyway.
#[derive(Debug, Clone)]
enum Happens {
    Always(bool),
    When(NodeId, Region),
}

impl<S: Scalar> Joint<'_, S> {
    fn value(&self, query: &Query, belief: &dyn Belief<S>) -> Result<f64, Unanswerable> {
        let undefined = || Box::new(Diagnostic::error(Code::MalformedQuery, query.span, "this has no answer"));
        let normal = |operand: usize| self.normal(operand, belief).ok_or_else(undefined);
        match &query.kind {
            QueryKind::Probability(event) => match self.happens(event, query.span)? {
                Happens::Always(happens) => Ok(f64::from(u8::from(happens))),
                Happens::When(node, region) => {
                    let variable = Affine { node, scale: S::one(), offset: S::zero() };
                    belief.normal(&variable).map(|normal| region.probability(&normal)).ok_or_else(undefined)
                }
            },
            QueryKind::Mean(x) => normal(*x).map(|normal| normal.mean()),
            QueryKind::Variance(x) => normal(*x).map(|normal| normal.variance()),
            QueryKind::StdDev(x) => normal(*x).map(|normal| normal.std_dev()),
            QueryKind::Quantile(x, level) => {
                let level = self.normal(*level, belief).filter(Normal::is_constant).map(|level| level.mean());
                match level.filter(|level| *level > 0.0 && *level < 1.0) {
                    Some(level) => normal(*x).map(|normal| normal.quantile(level)),
                    None => {
                        let message = "the level of a quantile is a number between 0 and 1";
                        Err(Box::new(Diagnostic::error(Code::BadLevel, query.span, message)))
                    }
                }
            }
            QueryKind::Covariance(x, y) => self.covariance(*x, *y, belief).ok_or_else(undefined),
            QueryKind::Correlation(x, y) => {
                let covariance = self.covariance(*x, *y, belief).ok_or_else(undefined)?;
                let spread = normal(*x)?.std_dev() * normal(*y)?.std_dev();
                if spread == 0.0 {
                    let message = "a correlation with something that is known exactly is not defined";
                    return Err(Box::new(Diagnostic::error(Code::MalformedQuery, query.span, message)));
                }
                Ok((covariance / spread).clamp(-1.0, 1.0))
            }
        }
    }

    fn normal(&self, operand: usize, belief: &dyn Belief<S>) -> Option<Normal> {
        match &self.quantities[operand] {
            Quantity::Number(number) => Normal::new(number.to_f64(), 0.0),
            Quantity::Random(variable) => belief.normal(variable),
        }
    }

    fn covariance(&self, x: usize, y: usize, belief: &dyn Belief<S>) -> Option<f64> {
        match (&self.quantities[x], &self.quantities[y]) {
            (Quantity::Random(x), Quantity::Random(y)) => belief.covariance(x, y),
            _ => Some(0.0),
        }
    }

    fn happens(&self, event: &Event, span: Span) -> Result<Happens, Unanswerable> {
        match event {
            Event::Comparison { left, relation, right, difference, span } => {
                self.comparison(*left, *relation, *right, *difference, *span)
            }
            Event::Not(event) => Ok(match self.happens(event, span)? {
                Happens::Always(happens) => Happens::Always(!happens),
                Happens::When(node, region) => Happens::When(node, region.complement()),
            }),
            Event::All(events) => self.join(events, span, false),
            Event::Any(events) => self.join(events, span, true),
        }
    }

    /// `and` (neutral: always) or `or` (neutral: never).
    fn join(&self, events: &[Event], span: Span, any: bool) -> Result<Happens, Unanswerable> {
        let mut joined = Happens::Always(!any);
        for event in events {
            let next = self.happens(event, span)?;
            joined = match (joined, next) {
                (Happens::Always(a), Happens::Always(b)) => Happens::Always(if any { a || b } else { a && b }),
                (Happens::Always(happens), Happens::When(node, region))
                | (Happens::When(node, region), Happens::Always(happens)) => {
                    if happens == any {
                        Happens::Always(any)
                    } else {
                        Happens::When(node, region)
                    }
                }
                (Happens::When(a, first), Happens::When(b, second)) => {
                    if a != b {
                        let message = "this event is about several random variables at once";
                        let hint = "join intervals of one variable, or compare one expression: `P(x < y)`";
                        return Err(Box::new(Diagnostic::error(Code::SeveralVariables, span, message).hint(hint)));
                    }
                    Happens::When(a, if any { first.union(&second) } else { first.intersection(&second) })
                }
            };
        }
        Ok(joined)
    }

    fn comparison(
        &self,
        left: Side,
        relation: Relation,
        right: Side,
        difference: usize,
        span: Span,
    ) -> Result<Happens, Unanswerable> {
        let (a, b) = (&self.quantities[left.operand()], &self.quantities[right.operand()]);
        match (left, a, right, b) {
            (_, Quantity::Number(a), _, Quantity::Number(b)) => {
                let size = |side: Side, number: &S| match side {
                    Side::Plain(_) => number.to_f64(),
                    Side::Absolute(_) => number.to_f64().abs(),
                };
                Ok(Happens::Always(relation.holds(size(left, a), size(right, b))))
            }
            (Side::Plain(_), Quantity::Random(x), _, Quantity::Number(number)) => {
                let bound = if matches!(right, Side::Absolute(_)) { absolute(number) } else { number.clone() };
                when(x, relation, &bound, span)
            }
            (_, Quantity::Number(number), Side::Plain(_), Quantity::Random(x)) => {
                let bound = if matches!(left, Side::Absolute(_)) { absolute(number) } else { number.clone() };
                when(x, relation.mirrored(), &bound, span)
            }
            (Side::Absolute(_), Quantity::Random(x), Side::Plain(_), Quantity::Number(number)) => {
                when_absolute(x, relation, number, span)
            }
            (Side::Plain(_), Quantity::Number(number), Side::Absolute(_), Quantity::Random(x)) => {
                when_absolute(x, relation.mirrored(), number, span)
            }
            (Side::Plain(_), Quantity::Random(_), Side::Plain(_), Quantity::Random(_)) => {
                match &self.differences[difference] {
                    Some(difference) => when(difference, relation, &S::zero(), span),
                    None => Err(Box::new(Diagnostic::error(Code::MalformedQuery, span, "this cannot be compared"))),
                }
            }
            _ => {
                let message = "an absolute value can only be compared with a number";
                Err(Box::new(Diagnostic::error(Code::MalformedQuery, span, message)))
            }
        }
    }
}

fn absolute<S: Scalar>(number: &S) -> S {
    if *number < S::zero() { number.neg() } else { number.clone() }
}

/// When `offset + scale·node` stands in the relation to the bound.
fn when<S: Scalar>(x: &Affine<S>, relation: Relation, bound: &S, span: Span) -> Result<Happens, Unanswerable> {
    if x.scale.is_zero() {
        return Ok(Happens::Always(relation.holds(x.offset.to_f64(), bound.to_f64())));
    }
    let threshold = bound.sub(&x.offset).div(&x.scale).to_f64();
    let relation = if x.scale < S::zero() { relation.mirrored() } else { relation };
    let region = match relation {
        Relation::Less => Region::below(threshold, false),
        Relation::LessEqual => Region::below(threshold, true),
        Relation::Greater => Region::above(threshold, false),
        Relation::GreaterEqual => Region::above(threshold, true),
    };
    match region {
        Some(region) => Ok(Happens::When(x.node, region)),
        None => Err(Box::new(Diagnostic::error(Code::NotFinite, span, "a bound is not a number"))),
    }
}

/// When |x| stands in the relation to the bound.
fn when_absolute<S: Scalar>(x: &Affine<S>, relation: Relation, bound: &S, span: Span) -> Result<Happens, Unanswerable> {
    let outside = matches!(relation, Relation::Greater | Relation::GreaterEqual);
    if *bound < S::zero() {
        return Ok(Happens::Always(outside));
    }
    // |x| < c is -c < x < c; |x| > c is what is left.
    let inner = match relation {
        Relation::Less | Relation::GreaterEqual => Relation::Less,
        Relation::LessEqual | Relation::Greater => Relation::LessEqual,
    };
    let below = when(x, inner, bound, span)?;
    let above = when(x, inner.mirrored(), &bound.neg(), span)?;
    Ok(match (below, above) {
        (Happens::When(node, below), Happens::When(_, above)) => {
            let inside = below.intersection(&above);
            Happens::When(node, if outside { inside.complement() } else { inside })
        }
        (Happens::Always(below), Happens::Always(above)) => Happens::Always((below && above) != outside),
        (mixed, _) => mixed,
    })
}
