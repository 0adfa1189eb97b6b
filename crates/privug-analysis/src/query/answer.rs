//! Answering questions from the distributions of what they are about.

use privug_engine::evaluate::Quantity;
use privug_engine::network::{Affine, NodeId};
use privug_engine::number::{Constants, Field, Scalar, Wide};
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::question::{Event, Query, QueryKind, Relation, Side};
use privug_language::source::Span;
use privug_measures::channel::Method;
use privug_measures::leakage::{Normal, Region};

/// The answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The question.
    pub text: String,
    /// Its answer before anything was seen.
    pub before: f64,
    /// How that was obtained.
    pub before_method: Method,
    /// Its answer after, as if all outputs were published; `None` if it depends on values that were not seen.
    pub after: Option<f64>,
    /// How that was obtained.
    pub after_method: Method,
}

/// What is believed about random variables at one time.
pub trait Belief<S: Scalar> {
    /// The distribution of an affine expression.
    fn normal(&self, variable: &Affine<S>) -> Option<Normal>;
    /// The mean of a variable, with all its digits, and its variance.
    fn centre(&self, node: NodeId) -> Option<(S::Wide, f64)>;
    /// Whether its mean depends on values that were not seen.
    fn is_open(&self, variable: &Affine<S>) -> bool;
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
    let after = at(joint.after)?;
    let known = !joint.is_open(query)?;
    Ok(Answer {
        text: query.text.clone(),
        before: at(joint.before)?,
        before_method: Method::Exact,
        after: known.then_some(after),
        after_method: Method::Exact,
    })
}

/// How far from its mean one random variable is when an event happens; or whether it happens anyway.
///
/// Far from the mean, a probability changes by the square of the distance times the relative error of that, so that the
/// distance must not be a difference of rounded numbers.
#[derive(Debug, Clone)]
enum Happens {
    Always(bool),
    When(NodeId, Region),
}

impl<S: Scalar> Joint<'_, S> {
    /// Whether the answer after depends on values that were not seen. Variances and covariances do not.
    fn is_open(&self, query: &Query) -> Result<bool, Unanswerable> {
        let open = |operand: usize| match &self.quantities[operand] {
            Quantity::Number(_) => false,
            Quantity::Random(variable) => self.after.is_open(variable),
        };
        Ok(match &query.kind {
            QueryKind::Probability(event) => match self.happens(event, query.span, self.after)? {
                Happens::Always(_) => false,
                Happens::When(node, _) => self.after.is_open(&Affine { node, scale: S::one(), offset: S::zero() }),
            },
            QueryKind::Mean(x) | QueryKind::Quantile(x, _) => open(*x),
            QueryKind::Variance(_)
            | QueryKind::StdDev(_)
            | QueryKind::Covariance(_, _)
            | QueryKind::Correlation(_, _) => false,
        })
    }

    fn value(&self, query: &Query, belief: &dyn Belief<S>) -> Result<f64, Unanswerable> {
        let undefined = || Box::new(Diagnostic::error(Code::MalformedQuery, query.span, "this has no answer"));
        let normal = |operand: usize| self.normal(operand, belief).ok_or_else(undefined);
        match &query.kind {
            QueryKind::Probability(event) => match self.happens(event, query.span, belief)? {
                Happens::Always(happens) => Ok(f64::from(u8::from(happens))),
                Happens::When(node, region) => {
                    let around = belief.centre(node).and_then(|(_, variance)| Normal::new(0.0, variance));
                    around.map(|normal| region.probability(&normal)).ok_or_else(undefined)
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

    fn happens(&self, event: &Event, span: Span, belief: &dyn Belief<S>) -> Result<Happens, Unanswerable> {
        match event {
            Event::Comparison { left, relation, right, difference, span } => {
                let comparison = Comparison { relation: *relation, span: *span, belief };
                self.comparison(*left, *right, *difference, &comparison)
            }
            Event::Holds(place, span) => match &self.quantities[*place] {
                Quantity::Number(value) => Ok(Happens::Always(!value.is_zero())),
                Quantity::Random(_) => {
                    let message = "an event is a comparison, or several joined by `and`, `or`, `not`";
                    let hint = "use `<`, `<=`, `>` or `>=`; the probability of one exact value is 0";
                    Err(Box::new(Diagnostic::error(Code::MalformedQuery, *span, message).hint(hint)))
                }
            },
            Event::Not(event) => Ok(match self.happens(event, span, belief)? {
                Happens::Always(happens) => Happens::Always(!happens),
                Happens::When(node, region) => Happens::When(node, region.complement()),
            }),
            Event::All(events) => self.join(events, span, belief, false),
            Event::Any(events) => self.join(events, span, belief, true),
        }
    }

    /// `and` (neutral: always) or `or` (neutral: never).
    fn join(&self, events: &[Event], span: Span, belief: &dyn Belief<S>, any: bool) -> Result<Happens, Unanswerable> {
        let mut joined = Happens::Always(!any);
        for event in events {
            let next = self.happens(event, span, belief)?;
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
        right: Side,
        difference: usize,
        comparison: &Comparison<'_, S>,
    ) -> Result<Happens, Unanswerable> {
        let Comparison { relation, span, .. } = *comparison;
        let mirrored = &Comparison { relation: relation.mirrored(), ..*comparison };
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
                comparison.when(x, &bound)
            }
            (_, Quantity::Number(number), Side::Plain(_), Quantity::Random(x)) => {
                let bound = if matches!(left, Side::Absolute(_)) { absolute(number) } else { number.clone() };
                mirrored.when(x, &bound)
            }
            (Side::Absolute(_), Quantity::Random(x), Side::Plain(_), Quantity::Number(number)) => {
                comparison.when_absolute(x, number)
            }
            (Side::Plain(_), Quantity::Number(number), Side::Absolute(_), Quantity::Random(x)) => {
                mirrored.when_absolute(x, number)
            }
            (Side::Plain(_), Quantity::Random(_), Side::Plain(_), Quantity::Random(_)) => {
                match &self.differences[difference] {
                    Some(difference) => comparison.when(difference, &S::zero()),
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

/// A relation to a bound, at one time.
struct Comparison<'a, S: Scalar> {
    relation: Relation,
    span: Span,
    belief: &'a dyn Belief<S>,
}

impl<S: Scalar> Clone for Comparison<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Scalar> Copy for Comparison<'_, S> {}

impl<S: Scalar> Comparison<'_, S> {
    /// When `offset + scale·node` stands in the relation to the bound.
    fn when(&self, x: &Affine<S>, bound: &S) -> Result<Happens, Unanswerable> {
        if x.scale.is_zero() {
            return Ok(Happens::Always(self.relation.holds(x.offset.to_f64(), bound.to_f64())));
        }
        let not_finite = || Box::new(Diagnostic::error(Code::NotFinite, self.span, "a bound is not a number"));
        let (mean, _) = self.belief.centre(x.node).ok_or_else(not_finite)?;
        let threshold = S::Wide::widen(bound).sub(&S::Wide::widen(&x.offset)).div(&S::Wide::widen(&x.scale));
        let distance = threshold.sub(&mean).to_f64();
        let relation = if x.scale < S::zero() { self.relation.mirrored() } else { self.relation };
        let region = match relation {
            Relation::Less => Region::below(distance, false),
            Relation::LessEqual => Region::below(distance, true),
            Relation::Greater => Region::above(distance, false),
            Relation::GreaterEqual => Region::above(distance, true),
        };
        region.map(|region| Happens::When(x.node, region)).ok_or_else(not_finite)
    }

    /// When |x| stands in the relation to the bound.
    fn when_absolute(&self, x: &Affine<S>, bound: &S) -> Result<Happens, Unanswerable> {
        let outside = matches!(self.relation, Relation::Greater | Relation::GreaterEqual);
        if *bound < S::zero() {
            return Ok(Happens::Always(outside));
        }
        // |x| < c is -c < x < c; |x| > c is what is left.
        let inner = match self.relation {
            Relation::Less | Relation::GreaterEqual => Relation::Less,
            Relation::LessEqual | Relation::Greater => Relation::LessEqual,
        };
        let below = Comparison { relation: inner, ..*self }.when(x, bound)?;
        let above = Comparison { relation: inner.mirrored(), ..*self }.when(x, &bound.neg())?;
        Ok(match (below, above) {
            (Happens::When(node, below), Happens::When(_, above)) => {
                let inside = below.intersection(&above);
                Happens::When(node, if outside { inside.complement() } else { inside })
            }
            (Happens::Always(below), Happens::Always(above)) => Happens::Always((below && above) != outside),
            (mixed, _) => mixed,
        })
    }
}
