//! Compiling `table.query("age > 30 and sex == 'male'")`: the text is a mask over the table's columns.

use ruff_python_ast::{BoolOp, CmpOp, Expr, ExprAttribute, ExprCall, Number, UnaryOp};
use ruff_text_size::Ranged;

use super::Literal;
use super::functions::Body;
use super::instruction::{Binary, Comparison, Instruction, Logic, Operand, Register};
use super::methods::Method;
use super::tables::TableMethod;
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::{Origin, parse_expression};

/// What a variable of the program is called in a query, for the parser.
const LOCAL: &str = "__local_";
/// What a name between backticks is called, with its number.
const QUOTED: &str = "__quoted_";

impl Body<'_, '_> {
    /// `table.query("…")`; `None` if it is something else.
    pub(super) fn query(
        &mut self,
        attribute: &ExprAttribute,
        call: &ExprCall,
        to: Option<Register>,
    ) -> Option<Operand> {
        if attribute.attr.as_str() != "query" || !self.checker.tables {
            return None;
        }
        let [text] = &*call.arguments.args else { return None };
        let span = self.span(call.range());
        let Expr::StringLiteral(literal) = text else {
            let hint = "write the condition out, or choose rows by a mask: `p[p.age > 30]`";
            self.refuse(Code::UnsupportedSyntax, text, "a query is computed by the program", hint);
            return Some(self.literal(Literal::None));
        };
        if let Some(keyword) = call.arguments.keywords.first() {
            let hint = "omit it: the result is a new table";
            self.refuse(Code::WrongArguments, keyword, "`query` takes only the query string here", hint);
            return Some(self.literal(Literal::None));
        }
        let object = self.temporary();
        self.expression_into(&attribute.value, object);
        let at = self.span(text.range());
        let (rewritten, quoted) = rewritten(literal.value.to_str());
        let tree = match parse_expression(&rewritten, Origin { source: at.source, offset: at.start }) {
            Ok(tree) => tree,
            Err(_) => {
                self.refuse_query(text, "this query is not supported");
                return Some(self.literal(Literal::None));
            }
        };
        let query = Query { object: Operand::register(object), span: at, text, quoted };
        let mask = self.query_part(&tree, &query);
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::Index { to, object: Operand::register(object), index: mask }, span);
        Some(Operand::register(to))
    }

    /// `table.eval("a + b")`, and `table.eval("c = a + b")`, which gives the table with another column; `None` if it is
    /// something else.
    pub(super) fn evaluated(
        &mut self,
        attribute: &ExprAttribute,
        call: &ExprCall,
        to: Option<Register>,
    ) -> Option<Operand> {
        if attribute.attr.as_str() != "eval" || !self.checker.tables {
            return None;
        }
        let [text] = &*call.arguments.args else { return None };
        let Expr::StringLiteral(literal) = text else {
            let hint = "write it as columns: `p[\"c\"] = p.a + p.b`";
            self.refuse(Code::UnsupportedSyntax, text, "what is evaluated is computed by the program", hint);
            return Some(self.literal(Literal::None));
        };
        let in_place = match &*call.arguments.keywords {
            [] => false,
            [only] if only.arg.as_ref().is_some_and(|name| name.as_str() == "inplace") => match &only.value {
                Expr::BooleanLiteral(literal) => literal.value,
                _ => return None,
            },
            _ => return None,
        };
        let span = self.span(call.range());
        let object = self.temporary();
        self.expression_into(&attribute.value, object);
        let at = self.span(text.range());
        // Several lines are several columns, each of which the next may use.
        let lines: Vec<&str> = literal.value.to_str().lines().filter(|line| !line.trim().is_empty()).collect();
        let named = lines.iter().map(|line| assigned_in(line).map_or((None, *line), |(name, rest)| (Some(name), rest)));
        let parts: Vec<(Option<&str>, &str)> = named.collect();
        let unknown = |body: &mut Self| {
            let hint = "write it as columns: `p[\"c\"] = p.a + p.b`";
            body.refuse(Code::UnsupportedSyntax, text, "this string is not supported", hint);
            Some(body.literal(Literal::None))
        };
        if parts.is_empty() || (parts.len() > 1 && parts.iter().any(|(name, _)| name.is_none())) {
            return unknown(self);
        }
        let mut target = None;
        for (name, written) in parts {
            let (rewritten, quoted) = rewritten(written);
            let Ok(tree) = parse_expression(rewritten.trim(), Origin { source: at.source, offset: at.start }) else {
                return unknown(self);
            };
            let query = Query { object: Operand::register(target.unwrap_or(object)), span: at, text, quoted };
            let value = self.query_part(&tree, &query);
            let Some(name) = name else { return Some(value) };
            let table = match target {
                Some(table) => table,
                None if in_place => object,
                None => {
                    let (table, copy) = (self.temporary(), self.temporary());
                    self.emit(Instruction::Move { to: copy, from: Operand::register(object) }, span);
                    let shape = self.positional_shape(0, span);
                    self.emit(Instruction::CallMethod { to: table, method: Method::Copy, shape, first: copy }, span);
                    table
                }
            };
            let index = self.literal(Literal::Text(name.to_owned()));
            self.emit(Instruction::SetIndex { object: Operand::register(table), index, value }, span);
            target = Some(table);
        }
        let from = match target {
            Some(table) if !in_place => Operand::register(table),
            _ => self.literal(Literal::None),
        };
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::Move { to, from }, span);
        Some(Operand::register(to))
    }

    fn refuse_query(&mut self, text: &Expr, message: &str) {
        let hint = "choose rows by a mask: `p[(p.age > 30) & (p.sex == \"male\")]`";
        self.refuse(Code::UnsupportedSyntax, text, message, hint);
    }

    fn query_part(&mut self, tree: &Expr, query: &Query<'_>) -> Operand {
        let span = query.span;
        match tree {
            Expr::Name(name) => match name.id.strip_prefix(LOCAL) {
                Some(local) => {
                    let mut variable = name.clone();
                    variable.id = local.into();
                    variable.range = query.text.range();
                    self.expression(&Expr::Name(variable), None)
                }
                None => {
                    let to = self.temporary();
                    let place = name.id.strip_prefix(QUOTED).and_then(|place| place.parse::<usize>().ok());
                    let quoted = place.and_then(|place| query.quoted.get(place));
                    let name = self.literal(Literal::Text(quoted.cloned().unwrap_or_else(|| name.id.to_string())));
                    // A column that is called like a method is found all the same.
                    self.emit(Instruction::Index { to, object: query.object, index: name }, span);
                    Operand::register(to)
                }
            },
            // Not by its place, as elsewhere: the text of a query is rewritten, and no part of the file.
            Expr::NumberLiteral(number) => match &number.value {
                Number::Int(value) => self.literal(Literal::Integer(value.to_string())),
                Number::Float(value) if value.is_finite() => self.literal(Literal::Float(format!("{value:?}"))),
                Number::Float(_) | Number::Complex { .. } => {
                    self.refuse_query(query.text, "this number is not supported in queries");
                    self.literal(Literal::None)
                }
            },
            Expr::StringLiteral(_) | Expr::BooleanLiteral(_) => self.expression(tree, None),
            Expr::List(list) => {
                let to = self.temporary();
                self.emit(Instruction::NewList { to }, span);
                for element in &list.elts {
                    let value = self.query_part(element, query);
                    self.emit(Instruction::Append { list: to, value }, span);
                }
                Operand::register(to)
            }
            Expr::Tuple(tuple) => {
                let list = Expr::List(ruff_python_ast::ExprList {
                    elts: tuple.elts.clone(),
                    ctx: ruff_python_ast::ExprContext::Load,
                    range: tuple.range,
                    node_index: Default::default(),
                });
                self.query_part(&list, query)
            }
            Expr::BoolOp(operation) => {
                let operator = if operation.op == BoolOp::And { Logic::And } else { Logic::Or };
                let mut mask: Option<Operand> = None;
                for value in &operation.values {
                    let next = self.query_part(value, query);
                    mask = Some(match mask {
                        Some(left) => self.query_logic(operator, left, next, span),
                        None => next,
                    });
                }
                mask.unwrap_or_else(|| self.literal(Literal::None))
            }
            Expr::UnaryOp(operation) => {
                let from = self.query_part(&operation.operand, query);
                let to = self.temporary();
                let instruction = match operation.op {
                    UnaryOp::Not | UnaryOp::Invert => Instruction::Invert { to, from },
                    UnaryOp::USub => Instruction::Negate { to, from },
                    UnaryOp::UAdd => Instruction::Plus { to, from },
                };
                self.emit(instruction, span);
                Operand::register(to)
            }
            Expr::BinOp(operation) => {
                let left = self.query_part(&operation.left, query);
                let right = self.query_part(&operation.right, query);
                let to = self.temporary();
                match self.operation(operation.op, false, (to, left, right), query.text.range()) {
                    Some(instruction @ Instruction::Binary { operator, .. }) if operator != Binary::MatrixMultiply => {
                        self.emit(instruction, span);
                    }
                    _ => self.refuse_query(query.text, "this operator is not supported in queries"),
                }
                Operand::register(to)
            }
            Expr::Compare(comparison) => {
                let mut left = self.query_part(&comparison.left, query);
                let mut mask: Option<Operand> = None;
                for (operator, right) in comparison.ops.iter().zip(&comparison.comparators) {
                    let right = self.query_part(right, query);
                    let next = self.query_comparison(*operator, left, right, query);
                    mask = Some(match mask {
                        Some(before) => self.query_logic(Logic::And, before, next, span),
                        None => next,
                    });
                    left = right;
                }
                mask.unwrap_or_else(|| self.literal(Literal::None))
            }
            _ => {
                self.refuse_query(query.text, "a query joins comparisons of columns, numbers and strings");
                self.literal(Literal::None)
            }
        }
    }

    fn query_logic(&mut self, operator: Logic, left: Operand, right: Operand, span: Span) -> Operand {
        let to = self.temporary();
        self.emit(Instruction::Logic { operator, in_place: false, to, left, right }, span);
        Operand::register(to)
    }

    fn query_comparison(&mut self, operator: CmpOp, left: Operand, right: Operand, query: &Query<'_>) -> Operand {
        let comparison = match operator {
            CmpOp::Eq => Comparison::Equal,
            CmpOp::NotEq => Comparison::NotEqual,
            CmpOp::Lt => Comparison::Less,
            CmpOp::LtE => Comparison::LessEqual,
            CmpOp::Gt => Comparison::Greater,
            CmpOp::GtE => Comparison::GreaterEqual,
            CmpOp::In | CmpOp::NotIn => {
                let found = self.query_membership(left, right, query.span);
                if operator == CmpOp::In {
                    return found;
                }
                let to = self.temporary();
                self.emit(Instruction::Invert { to, from: found }, query.span);
                return Operand::register(to);
            }
            CmpOp::Is | CmpOp::IsNot => {
                self.refuse_query(query.text, "`is` is not supported in queries");
                return left;
            }
        };
        let to = self.temporary();
        self.emit(Instruction::Compare { operator: comparison, to, left, right }, query.span);
        Operand::register(to)
    }

    /// `left.isin(right)`
    fn query_membership(&mut self, left: Operand, right: Operand, span: Span) -> Operand {
        let first = self.temporaries(2);
        self.emit(Instruction::Move { to: first, from: left }, span);
        self.emit(Instruction::Move { to: first + 1, from: right }, span);
        let shape = self.positional_shape(1, span);
        let to = self.temporary();
        let method = Method::Table(TableMethod::IsIn);
        self.emit(Instruction::CallMethod { to, method, shape, first }, span);
        Operand::register(to)
    }
}

/// A query that is being compiled.
struct Query<'t> {
    object: Operand,
    span: Span,
    text: &'t Expr,
    /// The names between backticks.
    quoted: Vec<String>,
}

/// The text as Python: `&` and `|` bind like `and` and `or` there, and `@x` is a variable of the program.
fn rewritten(text: &str) -> (String, Vec<String>) {
    let mut result = String::with_capacity(text.len());
    let mut quoted: Vec<String> = Vec::new();
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match (quote, c) {
            (Some('`'), '`') => {
                quote = None;
                result.push_str(&format!("{QUOTED}{}", quoted.len() - 1));
            }
            (Some('`'), c) => {
                if let Some(name) = quoted.last_mut() {
                    name.push(c);
                }
            }
            (None, '`') => {
                quote = Some(c);
                quoted.push(String::new());
            }
            (Some(open), c) => {
                if c == open {
                    quote = None;
                }
                result.push(c);
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                result.push(c);
            }
            (None, '&') => result.push_str(" and "),
            (None, '|') => result.push_str(" or "),
            (None, '@') => result.push_str(LOCAL),
            (None, '\n') => result.push(' '),
            (None, c) => result.push(c),
        }
    }
    if quote == Some('`') {
        // One that is not closed is no query.
        result.push('`');
    }
    (result.trim().to_owned(), quoted)
}

/// `name = …`: the name, and what is assigned to it.
fn assigned_in(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    (is_name && !rest.starts_with('=') && !rest.contains('\n')).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_of_queries_are_those_of_python() {
        let (text, quoted) = rewritten("a > 1 & b == 'x & y' | c in @known and `d e` < 2");
        assert_eq!(text, "a > 1  and  b == 'x & y'  or  c in __local_known and __quoted_0 < 2");
        assert_eq!(quoted, ["d e"]);
        assert_eq!(rewritten("a > 1 or `b").0, "a > 1 or `");
    }
}
