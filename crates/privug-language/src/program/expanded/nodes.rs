//! Pieces of syntax trees that stand for a place of the program's text.

use ruff_python_ast::name::Name;
use ruff_python_ast::{
    Arguments, BoolOp, CmpOp, ExceptHandler, ExceptHandlerExceptHandler, Expr, ExprAttribute, ExprBoolOp,
    ExprBooleanLiteral, ExprCall, ExprCompare, ExprContext, ExprDict, ExprLambda, ExprList, ExprName, ExprNoneLiteral,
    ExprNumberLiteral, ExprStringLiteral, ExprSubscript, ExprTuple, ExprUnaryOp, Identifier, Int, Number, Parameter,
    ParameterWithDefault, Parameters, Stmt, StmtAssign, StmtExpr, StmtFunctionDef, StmtIf, StmtPass, StmtReturn,
    StmtTry, StringLiteral, StringLiteralFlags, StringLiteralValue, UnaryOp,
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

/// `not operand`
pub(super) fn negated(operand: Expr, range: TextRange) -> Expr {
    let (op, operand) = (UnaryOp::Not, Box::new(operand));
    Expr::UnaryOp(ExprUnaryOp { node_index: Default::default(), range, op, operand })
}

/// `a and b`, or `a or b`
pub(super) fn joined(op: BoolOp, values: Vec<Expr>, range: TextRange) -> Expr {
    Expr::BoolOp(ExprBoolOp { node_index: Default::default(), range, op, values })
}

pub(super) fn truth(value: bool, range: TextRange) -> Expr {
    Expr::BooleanLiteral(ExprBooleanLiteral { node_index: Default::default(), range, value })
}

/// An expression on a line of its own.
pub(super) fn expression(value: Expr, range: TextRange) -> Stmt {
    Stmt::Expr(StmtExpr { node_index: Default::default(), range, value: Box::new(value) })
}

/// `try: … except class: … finally: …`
pub(super) fn attempt(body: Vec<Stmt>, class: &str, caught: Vec<Stmt>, last: Vec<Stmt>, range: TextRange) -> Stmt {
    let handler = ExceptHandlerExceptHandler {
        node_index: Default::default(),
        range,
        type_: Some(Box::new(load(class, range))),
        name: None,
        body: caught.into(),
    };
    let handlers = if handler.body.is_empty() { Vec::new() } else { vec![ExceptHandler::ExceptHandler(handler)] };
    Stmt::Try(StmtTry {
        node_index: Default::default(),
        range,
        body: body.into(),
        handlers,
        orelse: Default::default(),
        finalbody: last.into(),
        is_star: false,
    })
}

/// `def name(parameters): …`
pub(super) fn function(id: &str, parameters: &[&str], body: Vec<Stmt>, range: TextRange) -> StmtFunctionDef {
    let args: Vec<ParameterWithDefault> = parameters.iter().map(|name| parameter(name, range)).collect();
    let parameters = Parameters { range, args: args.into(), ..Parameters::default() };
    StmtFunctionDef {
        node_index: Default::default(),
        range,
        is_async: false,
        decorator_list: Default::default(),
        name: identifier(id, range),
        type_params: None,
        parameters: Box::new(parameters),
        returns: None,
        body: body.into(),
    }
}

/// `lambda name: body`
pub(super) fn lambda(id: &str, body: Expr, range: TextRange) -> Expr {
    let args = vec![parameter(id, range)];
    let parameters = Some(Box::new(Parameters { range, args: args.into(), ..Parameters::default() }));
    Expr::Lambda(ExprLambda { node_index: Default::default(), range, parameters, body: Box::new(body) })
}

pub(super) fn parameter(name: &str, range: TextRange) -> ParameterWithDefault {
    ParameterWithDefault {
        range,
        node_index: Default::default(),
        parameter: Parameter { range, node_index: Default::default(), name: identifier(name, range), annotation: None },
        default: None,
    }
}
