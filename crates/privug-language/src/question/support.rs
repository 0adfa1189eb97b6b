//! Reading what values of a column are possible at all: `income >= 0`, `0 <= score <= 100`, `ill in {0, 1}`.

use ruff_python_ast::{BoolOp, CmpOp, Expr, Number, UnaryOp};
use ruff_text_size::Ranged;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Origin, parse_expression};

/// What everybody knows to be possible.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportStatement {
    /// The column, as `income` or `people.income`.
    pub column: String,
    /// Where the statement stands.
    pub span: Span,
    /// What it says; all of it holds.
    pub possible: Vec<Possible>,
}

/// One thing that a statement says. Numbers are decimals as they are written, without underscores.
#[derive(Debug, Clone, PartialEq)]
pub enum Possible {
    /// Not less than this.
    AtLeast(String),
    /// Not more than this.
    AtMost(String),
    /// One of these.
    OneOf(Vec<String>),
    /// A whole number from the first to the last.
    Whole {
        /// The smallest.
        first: i64,
        /// The largest.
        last: i64,
    },
}

const HINT: &str = "write `income >= 0`, `0 <= score <= 100`, `ill in {0, 1}` or `children in range(0, 21)`";

type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads a statement that is the whole of a source.
pub fn parse_support(sources: &Sources, id: SourceId) -> Result<SupportStatement, Vec<Diagnostic>> {
    let origin = Origin::of(id);
    let tree = parse_expression(&sources.get(id).text, origin)?;
    let mut reader = Reader { sources, origin, column: None, possible: Vec::new() };
    reader.statement(&tree).map_err(|diagnostic| vec![*diagnostic])?;
    let span = origin.span(tree.range());
    match reader.column {
        Some(column) => Ok(SupportStatement { column, span, possible: reader.possible }),
        None => Err(vec![malformed(span, "this names no column")]),
    }
}

fn malformed(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::BadSupport, span, message).hint(HINT)
}

/// One side of a comparison.
enum Side {
    Column,
    Number(String),
}

struct Reader<'a> {
    sources: &'a Sources,
    origin: Origin,
    column: Option<String>,
    possible: Vec<Possible>,
}

impl Reader<'_> {
    fn refuse<T>(&self, tree: &impl Ranged, message: impl Into<String>) -> Read<T> {
        Err(Box::new(malformed(self.origin.span(tree.range()), message)))
    }

    fn statement(&mut self, tree: &Expr) -> Read<()> {
        match tree {
            Expr::BoolOp(both) if both.op == BoolOp::And => {
                both.values.iter().try_for_each(|part| self.statement(part))
            }
            Expr::Compare(comparison) => {
                let mut left = &*comparison.left;
                for (operator, right) in comparison.ops.iter().zip(&comparison.comparators) {
                    self.comparison(left, *operator, right)?;
                    left = right;
                }
                Ok(())
            }
            other => self.refuse(other, "a support compares a column with numbers"),
        }
    }

    fn comparison(&mut self, left: &Expr, operator: CmpOp, right: &Expr) -> Read<()> {
        if operator == CmpOp::In {
            let Side::Column = self.side(left)? else { return self.refuse(left, "this is not a column") };
            let found = self.values(right)?;
            self.possible.push(found);
            return Ok(());
        }
        let is_lower_left = match operator {
            CmpOp::Lt | CmpOp::LtE => true,
            CmpOp::Gt | CmpOp::GtE => false,
            CmpOp::Eq | CmpOp::NotEq | CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => {
                return self.refuse(right, format!("`{}` does not bound a column", operator.as_str()));
            }
        };
        let found = match (self.side(left)?, self.side(right)?) {
            (Side::Column, Side::Number(limit)) if is_lower_left => Possible::AtMost(limit),
            (Side::Column, Side::Number(limit)) => Possible::AtLeast(limit),
            (Side::Number(limit), Side::Column) if is_lower_left => Possible::AtLeast(limit),
            (Side::Number(limit), Side::Column) => Possible::AtMost(limit),
            (Side::Column, Side::Column) => return self.refuse(right, "one side of a comparison is a number"),
            (Side::Number(_), Side::Number(_)) => return self.refuse(right, "one side of a comparison is a column"),
        };
        self.possible.push(found);
        Ok(())
    }

    fn side(&mut self, tree: &Expr) -> Read<Side> {
        let name = match tree {
            Expr::Name(name) => name.id.as_str().to_owned(),
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::Name(table) => format!("{}.{}", table.id.as_str(), attribute.attr.as_str()),
                other => return self.refuse(other, "a column is named as `income` or `people.income`"),
            },
            Expr::Subscript(subscript) => match (&*subscript.value, &*subscript.slice) {
                (Expr::Name(table), Expr::StringLiteral(column)) => {
                    format!("{}.{}", table.id.as_str(), column.value.to_str())
                }
                (other, _) => return self.refuse(other, "a column is named as `income` or `people[\"income\"]`"),
            },
            other => return self.number(other).map(Side::Number),
        };
        match &self.column {
            Some(column) if *column != name => {
                let message = format!("this involves both `{column}` and `{name}`; give one statement for each");
                self.refuse(tree, message)
            }
            Some(_) => Ok(Side::Column),
            None => {
                self.column = Some(name);
                Ok(Side::Column)
            }
        }
    }

    /// A literal, with its sign.
    fn number(&self, tree: &Expr) -> Read<String> {
        match tree {
            Expr::UnaryOp(unary) if unary.op == UnaryOp::USub => {
                let text = self.number(&unary.operand)?;
                Ok(text.strip_prefix('-').map_or_else(|| format!("-{text}"), str::to_owned))
            }
            Expr::UnaryOp(unary) if unary.op == UnaryOp::UAdd => self.number(&unary.operand),
            Expr::BooleanLiteral(literal) => Ok(i32::from(literal.value).to_string()),
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(value) => Ok(value.to_string()),
                Number::Float(value) if value.is_finite() => {
                    Ok(self.sources.text(self.origin.span(literal.range())).replace('_', ""))
                }
                Number::Float(_) => self.refuse(tree, "this number is too large for a double"),
                Number::Complex { .. } => self.refuse(tree, "this is not a real number"),
            },
            other => self.refuse(other, "a bound must be a numeric literal"),
        }
    }

    /// `{0, 1}`, `[0, 1]`, `(0, 1)` or `range(0, 21)`.
    fn values(&self, tree: &Expr) -> Read<Possible> {
        let elements = match tree {
            Expr::Set(set) => &set.elts[..],
            Expr::List(list) => &list.elts[..],
            Expr::Tuple(tuple) => &tuple.elts[..],
            Expr::Call(call) => match &*call.func {
                Expr::Name(name) if name.id.as_str() == "range" && call.arguments.keywords.is_empty() => {
                    return self.range(tree, &call.arguments.args);
                }
                other => return self.refuse(other, "values must be listed, as in `{0, 1}`, or be a `range`"),
            },
            other => return self.refuse(other, "values must be listed, as in `{0, 1}`, or be a `range`"),
        };
        if elements.is_empty() {
            return self.refuse(tree, "no value would be possible");
        }
        Ok(Possible::OneOf(elements.iter().map(|element| self.number(element)).collect::<Read<_>>()?))
    }

    fn range(&self, tree: &Expr, arguments: &[Expr]) -> Read<Possible> {
        let whole = |argument: &Expr| match self.number(argument)?.parse::<i64>() {
            Ok(number) => Ok(number),
            Err(_) => self.refuse(argument, "the arguments of `range` must be integers"),
        };
        let (first, end) = match arguments {
            [end] => (0, whole(end)?),
            [first, end] => (whole(first)?, whole(end)?),
            _ => return self.refuse(tree, "this `range` takes a start and a stop"),
        };
        match end.checked_sub(1) {
            Some(last) if last >= first => Ok(Possible::Whole { first, last }),
            _ => self.refuse(tree, "no value would be possible"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SupportStatement, String> {
        let mut sources = Sources::default();
        let id = sources.add("--support", text);
        parse_support(&sources, id).map_err(|errors| {
            let Span { start, end, .. } = errors[0].span;
            format!("{} at {start}..{end}", errors[0].message)
        })
    }

    #[test]
    fn bounds_stand_on_either_side_and_in_chains() {
        let at_least = |text: &str| Possible::AtLeast(text.to_owned());
        let at_most = |text: &str| Possible::AtMost(text.to_owned());
        let of = |text: &str| read(text).map(|found| (found.column, found.possible));
        assert_eq!(of("income >= 0"), Ok(("income".to_owned(), vec![at_least("0")])));
        assert_eq!(of("1_000 > people.income"), Ok(("people.income".to_owned(), vec![at_most("1000")])));
        assert_eq!(of("-0.5 <= score < +1e2"), Ok(("score".to_owned(), vec![at_least("-0.5"), at_most("1e2")])));
        assert_eq!(
            of("p['a b'] >= 0 and p['a b'] <= 0x10"),
            Ok(("p.a b".to_owned(), vec![at_least("0"), at_most("16")]))
        );
    }

    #[test]
    fn values_are_listed_or_a_range() {
        let of = |text: &str| read(text).map(|found| found.possible);
        let zero_one = vec![Possible::OneOf(vec!["0".to_owned(), "1".to_owned()])];
        assert_eq!(of("ill in {0, 1}"), Ok(zero_one.clone()));
        assert_eq!(of("ill in (False, True)"), Ok(zero_one));
        assert_eq!(of("children in range(21)"), Ok(vec![Possible::Whole { first: 0, last: 20 }]));
    }

    #[test]
    fn what_is_no_statement_is_refused_at_its_place() {
        for (text, said) in [
            ("income", "a support compares a column with numbers"),
            ("0 <= 1", "one side of a comparison is a column at 5..6"),
            ("income >= wage", "this involves both `income` and `wage`"),
            ("income == 3", "`==` does not bound a column"),
            ("income >= 2 * 3", "a bound must be a numeric literal at 10..15"),
            ("ill in {}", "values must be listed"),
            ("ill in range(0)", "no value would be possible"),
            ("ill in range(0.5)", "the arguments of `range` must be integers"),
            ("income >= 1e999", "too large for a double"),
            ("income >=", "invalid Python"),
            ("", "invalid Python"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
