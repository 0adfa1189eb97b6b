//! Reading requirements: a measure or a question, compared with a number.

use ruff_python_ast::{CmpOp, Expr};
use ruff_text_size::Ranged;

use super::parse::{Operands, Reader};
use super::{Query, Relation};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Origin, parse_expression};

/// A requirement that a release must meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// As it was written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// What is bounded.
    pub subject: Subject,
    /// How.
    pub bound: Bound,
    /// Place of the number among the questions' expressions.
    pub limit: usize,
}

/// What a requirement bounds.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// A measure of every secret.
    Measure(&'static str),
    /// The answer to a question after the outputs were seen.
    Query(Query),
}

/// How a requirement bounds its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// By a size.
    Size(Relation),
    /// `==`, for measures that are yes or no.
    Equal,
    /// `!=`
    Unequal,
}

impl Bound {
    /// Whether a value meets the bound; what is not a number does not.
    pub fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Bound::Size(relation) => relation.holds(value, limit),
            Bound::Equal => value == limit,
            Bound::Unequal => !value.is_nan() && value != limit,
        }
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Bound::Size(Relation::Less) => "<",
            Bound::Size(Relation::LessEqual) => "<=",
            Bound::Size(Relation::Greater) => ">",
            Bound::Size(Relation::GreaterEqual) => ">=",
            Bound::Equal => "==",
            Bound::Unequal => "!=",
        }
    }

    /// The bound that is written so.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        let sizes = [Relation::Less, Relation::LessEqual, Relation::Greater, Relation::GreaterEqual].map(Bound::Size);
        sizes.into_iter().chain([Bound::Equal, Bound::Unequal]).find(|bound| bound.symbol() == symbol)
    }

    fn mirrored(self) -> Self {
        match self {
            Bound::Size(relation) => Bound::Size(relation.mirrored()),
            other => other,
        }
    }
}

/// Reads a requirement that is the whole of a source.
pub fn parse_requirement(
    sources: &Sources,
    id: SourceId,
    operands: &mut Operands,
    measures: &[&'static str],
) -> Result<Requirement, Vec<Diagnostic>> {
    let text = &sources.get(id).text;
    let origin = Origin::of(id);
    let tree = parse_expression(text, origin)?;
    let span = origin.span(tree.range());
    let malformed = |span: Span, message: &str| {
        let hint = "write `mutual_information_bits <= 0.1` or `P(x > 3) <= 0.2`";
        vec![Diagnostic::error(Code::MalformedRequirement, span, message).hint(hint)]
    };
    let Expr::Compare(comparison) = &tree else {
        return Err(malformed(span, "a requirement is a comparison"));
    };
    let ([operator], [right]) = (&*comparison.ops, &*comparison.comparators) else {
        return Err(malformed(span, "a requirement is one comparison; give several requirements instead"));
    };
    let mut reader = Reader { sources, origin, operands };
    let bound = match operator {
        CmpOp::Eq => Bound::Equal,
        CmpOp::NotEq => Bound::Unequal,
        other => Bound::Size(reader.relation(*other, span).map_err(|diagnostic| vec![*diagnostic])?),
    };
    let left = &*comparison.left;
    let (subject, bound, limit) = if is_subject(left) { (left, bound, right) } else { (right, bound.mirrored(), left) };
    let subject = match subject {
        Expr::Call(call) => Subject::Query(reader.query(call).map_err(|diagnostic| vec![*diagnostic])?),
        Expr::Name(name) => match measures.iter().find(|measure| **measure == name.id.as_str()) {
            Some(measure) => Subject::Measure(measure),
            None => return Err(vec![unknown_measure(name.id.as_str(), origin.span(name.range), measures)]),
        },
        other => return Err(malformed(origin.span(other.range()), "neither side is a measure or a query")),
    };
    let limit = reader.operand(limit);
    Ok(Requirement { text: sources.name_of(span), span, subject, bound, limit })
}

/// Says that there is no such measure.
pub fn unknown_measure(name: &str, span: Span, measures: &[&str]) -> Diagnostic {
    let hint = match nearest(name, measures.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "the measures page lists the names, such as `mutual_information_bits`".to_owned(),
    };
    Diagnostic::error(Code::UnknownMeasure, span, format!("there is no measure `{name}`")).hint(hint)
}

/// Whether a side is the one that is bounded.
fn is_subject(tree: &Expr) -> bool {
    matches!(tree, Expr::Name(_) | Expr::Call(_))
}
