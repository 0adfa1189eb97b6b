//! Reading questions.

use std::collections::HashMap;

use ruff_python_ast::{BoolOp, CmpOp, Expr, ExprCall, ExprCompare, UnaryOp};
use ruff_text_size::Ranged;

use super::{Event, Query, QueryKind, Relation, Side};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::program::{ExpressionSource, Role};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Origin, parse_expression};

/// The expressions that questions are about, each text once, and the differences between them that are needed.
#[derive(Debug, Default)]
pub struct Operands {
    /// The expressions, to be computed with the program.
    pub expressions: Vec<ExpressionSource>,
    /// Pairs of expressions.
    pub differences: Vec<(usize, usize)>,
    places: HashMap<String, usize>,
}

const FUNCTIONS: &[&str] = &["P", "E", "Var", "Std", "quantile", "Cov", "Corr"];

/// Whether an operator asks which of two is larger.
fn orders(operator: &CmpOp) -> bool {
    matches!(operator, CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE)
}

/// Reads a question that is the whole of a source.
pub fn parse_query(sources: &Sources, id: SourceId, operands: &mut Operands) -> Result<Query, Vec<Diagnostic>> {
    let text = &sources.get(id).text;
    let origin = Origin::of(id);
    let tree = parse_expression(text, origin)?;
    let Expr::Call(call) = &tree else {
        return Err(vec![malformed(origin.span(tree.range()), "this is not a query")]);
    };
    Reader { sources, origin, operands }.query(call).map_err(|diagnostic| vec![*diagnostic])
}

fn malformed(span: Span, message: impl Into<String>) -> Diagnostic {
    let hint = "ask `P(x > 3)`, `E(x)`, `Var(x)`, `Std(x)`, `quantile(x, 0.9)`, `Cov(x, y)` or `Corr(x, y)`";
    Diagnostic::error(Code::MalformedQuery, span, message).hint(hint)
}

type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads the parts of one text.
pub(super) struct Reader<'a> {
    pub(super) sources: &'a Sources,
    pub(super) origin: Origin,
    pub(super) operands: &'a mut Operands,
}

impl Reader<'_> {
    pub(super) fn span(&self, tree: &impl Ranged) -> Span {
        self.origin.span(tree.range())
    }

    /// `P(...)` and the like.
    pub(super) fn query(&mut self, call: &ExprCall) -> Read<Query> {
        let span = self.span(call);
        let name = match &*call.func {
            Expr::Name(name) => name.id.as_str(),
            _ => "",
        };
        if let Some(keyword) = call.arguments.keywords.first() {
            return Err(Box::new(malformed(self.span(keyword), "queries take no keyword arguments")));
        }
        let arguments = &*call.arguments.args;
        let kind = match (name, arguments) {
            ("P", [event]) => QueryKind::Probability(self.event(event)?),
            ("E", [x]) => QueryKind::Mean(self.operand(x)),
            ("Var", [x]) => QueryKind::Variance(self.operand(x)),
            ("Std", [x]) => QueryKind::StdDev(self.operand(x)),
            ("quantile", [x, level]) => QueryKind::Quantile(self.operand(x), self.operand(level)),
            ("Cov", [x, y]) => QueryKind::Covariance(self.operand(x), self.operand(y)),
            ("Corr", [x, y]) => QueryKind::Correlation(self.operand(x), self.operand(y)),
            (known, _) if FUNCTIONS.contains(&known) => {
                let expected =
                    if matches!(known, "quantile" | "Cov" | "Corr") { "two arguments" } else { "one argument" };
                return Err(Box::new(malformed(span, format!("`{known}` takes {expected}"))));
            }
            (unknown, _) => {
                let diagnostic = malformed(self.span(&*call.func), format!("`{unknown}` is not a query"));
                return Err(Box::new(match nearest(unknown, FUNCTIONS.iter().copied()) {
                    Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
                    None => diagnostic,
                }));
            }
        };
        Ok(Query { text: self.sources.name_of(span), span, kind })
    }

    /// The place of an expression of the program's language.
    pub(super) fn operand(&mut self, tree: &Expr) -> usize {
        let span = self.span(tree);
        let text = self.sources.name_of(span);
        let expressions = &mut self.operands.expressions;
        *self.operands.places.entry(text).or_insert_with(|| {
            expressions.push(ExpressionSource::text(Role::Query, span));
            expressions.len() - 1
        })
    }

    fn event(&mut self, tree: &Expr) -> Read<Event> {
        match tree {
            Expr::Compare(comparison) if comparison.ops.iter().all(orders) => self.comparison(comparison),
            Expr::BoolOp(operation) => {
                let parts = operation.values.iter().map(|part| self.event(part)).collect::<Read<Vec<Event>>>()?;
                Ok(match operation.op {
                    BoolOp::And => Event::All(parts),
                    BoolOp::Or => Event::Any(parts),
                })
            }
            Expr::UnaryOp(operation) if operation.op == UnaryOp::Not => {
                self.event(&operation.operand).map(|event| Event::Not(Box::new(event)))
            }
            // `vote == "yes"`, `age in ages`, `ill`
            other => Ok(Event::Holds(self.operand(other), self.span(other))),
        }
    }

    /// `a < x <= b`
    fn comparison(&mut self, comparison: &ExprCompare) -> Read<Event> {
        let span = self.span(comparison);
        let mut left = self.side(&comparison.left)?;
        let mut parts = Vec::new();
        for (operator, right) in comparison.ops.iter().zip(&comparison.comparators) {
            let relation = self.relation(*operator, span)?;
            let right = self.side(right)?;
            let difference = self.operands.differences.len();
            self.operands.differences.push((left.operand(), right.operand()));
            parts.push(Event::Comparison { left, relation, right, difference, span });
            left = right;
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Event::All(parts) })
    }

    pub(super) fn relation(&self, operator: CmpOp, span: Span) -> Read<Relation> {
        match operator {
            CmpOp::Lt => Ok(Relation::Less),
            CmpOp::LtE => Ok(Relation::LessEqual),
            CmpOp::Gt => Ok(Relation::Greater),
            CmpOp::GtE => Ok(Relation::GreaterEqual),
            CmpOp::Eq | CmpOp::NotEq | CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => {
                let message = format!("`{}` is not a comparison of sizes", operator.as_str());
                let hint = "use `<`, `<=`, `>` or `>=`; the probability of one exact value is 0";
                Err(Box::new(Diagnostic::error(Code::MalformedQuery, span, message).hint(hint)))
            }
        }
    }

    /// An expression, or its absolute value.
    fn side(&mut self, tree: &Expr) -> Read<Side> {
        if let Expr::Call(call) = tree
            && matches!(&*call.func, Expr::Name(name) if name.id.as_str() == "abs")
            && let ([inner], true) = (&*call.arguments.args, call.arguments.keywords.is_empty())
        {
            return Ok(Side::Absolute(self.operand(inner)));
        }
        Ok(Side::Plain(self.operand(tree)))
    }
}
