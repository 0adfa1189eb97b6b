//! Pieces of syntax trees that stand for a place of the program's text.

use ruff_python_ast::name::Name;
use ruff_python_ast::{
    Arguments, CmpOp, Expr, ExprAttribute, ExprCall, ExprCompare, ExprContext, ExprDict, ExprList, ExprName,
    ExprNoneLiteral, ExprNumberLiteral, ExprStringLiteral, ExprSubscript, ExprTuple, Identifier, Int, Number, Stmt,
    StmtAssign, StmtIf, StmtPass, StmtReturn, StringLiteral, StringLiteralFlags, StringLiteralValue,
};
use ruff_text_size::TextRange;

pub(super) fn identifier(name: &str, range: TextRange) -> Identifier {
    Identifier { id: Name::new(name), range, node_index: Default::default() }
}

pub(super) fn name(id: &str, ctx: ExprContext, range: TextRange) -> Expr {
    Expr::Name(ExprName { node_index: Default::default(), range, id: Name::new(id), ctx })
}

pub(super) fn load(id: &str, range: TextRange) -> Expr {
    name(id, ExprContext::Load, range)
}

/// `id[0]`
pub(super) fn cell(id: &str, ctx: ExprContext, range: TextRange) -> Expr {
    let zero = ExprNumberLiteral { node_index: Default::default(), range, value: Number::Int(Int::ZERO) };
    subscript(load(id, range), Expr::NumberLiteral(zero), ctx, range)
}

pub(super) fn subscript(value: Expr, slice: Expr, ctx: ExprContext, range: TextRange) -> Expr {
    let (value, slice) = (Box::new(value), Box::new(slice));
    Expr::Subscript(ExprSubscript { node_index: Default::default(), range, value, slice, ctx })
}

pub(super) fn list(elts: Vec<Expr>, range: TextRange) -> Expr {
    Expr::List(ExprList { node_index: Default::default(), range, elts, ctx: ExprContext::Load })
}

pub(super) fn tuple(elts: Vec<Expr>, range: TextRange) -> Expr {
    let ctx = ExprContext::Load;
    Expr::Tuple(ExprTuple { node_index: Default::default(), range, elts, ctx, parenthesized: true })
}

pub(super) fn empty_dict(range: TextRange) -> Expr {
    Expr::Dict(ExprDict { node_index: Default::default(), range, items: Vec::new() })
}

pub(super) fn none(range: TextRange) -> Expr {
    Expr::NoneLiteral(ExprNoneLiteral { node_index: Default::default(), range })
}

pub(super) fn text(value: &str, range: TextRange) -> Expr {
    let flags = StringLiteralFlags::empty();
    let literal = StringLiteral { range, node_index: Default::default(), value: value.into(), flags };
    let value = StringLiteralValue::single(literal);
    Expr::StringLiteral(ExprStringLiteral { node_index: Default::default(), range, value })
}

pub(super) fn attribute(object: &str, attr: &str, ctx: ExprContext, range: TextRange) -> Expr {
    let (value, attr) = (Box::new(load(object, range)), identifier(attr, range));
    Expr::Attribute(ExprAttribute { node_index: Default::default(), range, value, attr, ctx })
}

pub(super) fn call(function: Expr, arguments: Vec<Expr>, range: TextRange) -> Expr {
    let arguments =
        Arguments { range, node_index: Default::default(), args: arguments.into(), keywords: Default::default() };
    Expr::Call(ExprCall {
        node_index: Default::default(),
        range_start: range.start(),
        func: Box::new(function),
        arguments,
    })
}

pub(super) fn compare(left: Expr, operator: CmpOp, right: Expr, range: TextRange) -> Expr {
    let (ops, comparators) = (Box::new([operator]), Box::new([right]));
    Expr::Compare(ExprCompare { node_index: Default::default(), range, left: Box::new(left), ops, comparators })
}

pub(super) fn assign(target: Expr, value: Expr, range: TextRange) -> Stmt {
    Stmt::Assign(StmtAssign { node_index: Default::default(), range, targets: vec![target], value: Box::new(value) })
}

pub(super) fn when(test: Expr, body: Vec<Stmt>, range: TextRange) -> Stmt {
    let (test, body) = (Box::new(test), body.into());
    Stmt::If(StmtIf { node_index: Default::default(), range, test, body, elif_else_clauses: Vec::new() })
}

pub(super) fn returned(value: Expr, range: TextRange) -> Stmt {
    Stmt::Return(StmtReturn { node_index: Default::default(), range, value: Some(Box::new(value)) })
}

pub(super) fn pass(range: TextRange) -> Stmt {
    Stmt::Pass(StmtPass { node_index: Default::default(), range })
}
