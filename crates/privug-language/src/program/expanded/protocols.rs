//! What Python calls by itself around statements: `@total_ordering`, `__enter__` and `__exit__` of `with`, and `cls(…)` in a
//! function of the class.

use std::collections::HashSet;

use ruff_python_ast::visitor::transformer::{Transformer, walk_expr, walk_stmt};
use ruff_python_ast::visitor::{Visitor, walk_expr as look_into};
use ruff_python_ast::{
    BoolOp, CmpOp, Expr, ExprContext, ModModule, Parameters, Stmt, StmtClassDef, StmtFunctionDef, StmtRaise, StmtWith,
};
use ruff_text_size::{Ranged, TextRange};

use super::names::{Imported, functions_in, own_names, parameter_names};
use super::nodes::{
    assign, attempt, attribute, call, compare, expression, function, identifier, joined, load, name, negated, none,
    returned, text, truth, when,
};
use crate::program::classes::names;
use crate::program::{ENTER, EXIT};

/// The functions that `@total_ordering` writes, from each one that a class may have: the opposite of it, with `and not equal`
/// or `or equal` where that is needed.
const ORDERS: [(&str, [(&str, Written); 3]); 4] = [
    ("__lt__", [("__gt__", Written::NotAndDiffers), ("__le__", Written::OrEqual), ("__ge__", Written::Not)]),
    ("__le__", [("__ge__", Written::NotOrEqual), ("__lt__", Written::AndDiffers), ("__gt__", Written::Not)]),
    ("__gt__", [("__lt__", Written::NotAndDiffers), ("__ge__", Written::OrEqual), ("__le__", Written::Not)]),
    ("__ge__", [("__le__", Written::NotOrEqual), ("__gt__", Written::AndDiffers), ("__lt__", Written::Not)]),
];

/// What becomes of the answer of the function that is there.
#[derive(Clone, Copy)]
enum Written {
    Not,
    AndDiffers,
    OrEqual,
    NotAndDiffers,
    NotOrEqual,
}

/// Writes out the comparisons that `@total_ordering` adds to a class.
pub(super) fn order_totally(module: &mut ModModule) {
    let functools = Imported::of(&module.body, "functools");
    for statement in &mut module.body {
        let Stmt::ClassDef(class) = statement else { continue };
        let is_it = |tree: &Expr| functools.member(tree) == Some("total_ordering");
        if !class.decorator_list.iter().any(|decorator| is_it(&decorator.expression)) {
            continue;
        }
        let own: HashSet<String> =
            functions_in(&class.body).iter().map(|method| method.name.as_str().to_owned()).collect();
        let Some((root, others)) = ORDERS.iter().find(|(root, _)| own.contains(*root)) else { continue };
        let range = class.name.range();
        for (name, how) in others.iter().filter(|(name, _)| !own.contains(*name)) {
            class.body.push(Stmt::FunctionDef(comparison(name, root, *how, range)));
        }
        class.decorator_list.retain(|decorator| !is_it(&decorator.expression));
    }
}

/// `found = self.__lt__(other)`, which may be `NotImplemented`, and what is said instead.
fn comparison(id: &str, root: &str, how: Written, range: TextRange) -> StmtFunctionDef {
    let (found, other) = ("answer of the comparison", || load("other", range));
    let asked = call(attribute("self", root, ExprContext::Load, range), vec![other()], range);
    let answer = || load(found, range);
    let opposite = || negated(answer(), range);
    let against = |operator| compare(load("self", range), operator, other(), range);
    let result = match how {
        Written::Not => opposite(),
        Written::AndDiffers => joined(BoolOp::And, vec![answer(), against(CmpOp::NotEq)], range),
        Written::OrEqual => joined(BoolOp::Or, vec![answer(), against(CmpOp::Eq)], range),
        Written::NotAndDiffers => joined(BoolOp::And, vec![opposite(), against(CmpOp::NotEq)], range),
        Written::NotOrEqual => joined(BoolOp::Or, vec![opposite(), against(CmpOp::Eq)], range),
    };
    let is_unknown = compare(answer(), CmpOp::Is, load("NotImplemented", range), range);
    let body = vec![
        assign(name(found, ExprContext::Store, range), asked, range),
        when(is_unknown, vec![returned(answer(), range)], range),
        returned(result, range),
    ];
    function(id, &["self", "other"], body, range)
}

/// `cls(…)` in a `classmethod` makes an object of the class, where no other class inherits from it.
pub(super) fn name_own_class(module: &mut ModModule) {
    let classes = |statement: &Stmt| match statement {
        Stmt::ClassDef(class) => class.arguments.iter().flat_map(|given| given.args.iter().cloned()).collect(),
        _ => Vec::new(),
    };
    let above: Vec<Expr> = module.body.iter().flat_map(classes).collect();
    let is_above = |own: &str| above.iter().any(|base| matches!(base, Expr::Name(name) if name.id.as_str() == own));
    for statement in &mut module.body {
        let Stmt::ClassDef(class) = statement else { continue };
        let own = class.name.to_string();
        if is_above(&own) {
            continue;
        }
        for statement in &mut class.body {
            let Stmt::FunctionDef(method) = statement else { continue };
            let [decorator] = &*method.decorator_list else { continue };
            let names_of_method = own_names(method);
            let Some(first) = parameter_names(&method.parameters).into_iter().next() else { continue };
            let is_assigned = crate::program::bindings::assigned_names(&method.body, true).contains(&first);
            if names(decorator, "classmethod") && !names_of_method.contains(&own) && !is_assigned {
                for statement in &mut method.body {
                    OwnClass { first: &first, own: &own }.visit_stmt(statement);
                }
            }
        }
    }
}

struct OwnClass<'n> {
    first: &'n str,
    own: &'n str,
}

impl Transformer for OwnClass<'_> {
    fn visit_expr(&self, tree: &mut Expr) {
        if let Expr::Call(call) = tree
            && let Expr::Name(called) = &mut *call.func
            && called.id.as_str() == self.first
        {
            called.id = self.own.into();
        }
        walk_expr(self, tree);
    }
}

/// Writes out `with` where classes of the file have an `__exit__` that asks no more of an exception than whether there is one.
pub(super) fn leave_contexts(module: &mut ModModule) {
    let mut is_there = false;
    for statement in &mut module.body {
        let Stmt::ClassDef(class) = statement else { continue };
        is_there |= name_context(class);
    }
    if is_there {
        for statement in &mut module.body {
            Contexts.visit_stmt(statement);
        }
    }
}

/// Gives `__enter__` and `__exit__` names of their own; false if they are left as they are, which is refused.
fn name_context(class: &mut StmtClassDef) -> bool {
    let known = functions_in(&class.body);
    let method = |name: &str| known.iter().find(|method| method.name.as_str() == name);
    let (Some(enter), Some(exit)) = (method("__enter__"), method("__exit__")) else { return false };
    let is_plain = |method: &StmtFunctionDef| method.decorator_list.is_empty() && !method.is_async;
    if !is_plain(enter) || !is_plain(exit) || !only_asks_whether(exit) {
        return false;
    }
    for statement in &mut class.body {
        let Stmt::FunctionDef(method) = statement else { continue };
        let range = method.name.range();
        match method.name.as_str() {
            "__enter__" => method.name = identifier(ENTER, range),
            "__exit__" => method.name = identifier(EXIT, range),
            _ => {}
        }
    }
    true
}

/// Whether a function compares what it is given about an exception with `None`, and does nothing else with it.
fn only_asks_whether(exit: &StmtFunctionDef) -> bool {
    let Parameters { args, vararg, kwarg, kwonlyargs, posonlyargs, .. } = &*exit.parameters;
    let count = posonlyargs.len() + args.len();
    let fits = kwarg.is_none() && kwonlyargs.is_empty() && (count == 4 || (count == 1 && vararg.is_some()));
    let given: HashSet<String> = parameter_names(&exit.parameters).into_iter().skip(1).collect();
    struct Asks<'n>(&'n HashSet<String>, bool);
    impl<'t> Visitor<'t> for Asks<'_> {
        fn visit_expr(&mut self, tree: &'t Expr) {
            if let Expr::Compare(compare) = tree
                && let ([CmpOp::Is | CmpOp::IsNot], [Expr::NoneLiteral(_)]) = (&*compare.ops, &*compare.comparators)
                && matches!(&*compare.left, Expr::Name(_))
            {
                return;
            }
            self.1 &= !matches!(tree, Expr::Name(name) if self.0.contains(name.id.as_str()));
            look_into(self, tree);
        }
    }
    let mut asks = Asks(&given, true);
    asks.visit_body(&exit.body);
    // All that is known of an exception is one tuple where there is one name for it.
    fits && asks.1 && (vararg.is_none() || !mentions(exit, vararg.as_deref().map_or("", |star| star.name.as_str())))
}

fn mentions(method: &StmtFunctionDef, name: &str) -> bool {
    method.body.iter().any(|statement| super::names::mentioned(statement).contains(name))
}

struct Contexts;

impl Transformer for Contexts {
    fn visit_stmt(&self, statement: &mut Stmt) {
        walk_stmt(self, statement);
        if let Stmt::With(with) = statement
            && !with.is_async
        {
            let range = with.range();
            *statement = when(truth(true, range), entered(with, 0), range);
        }
    }
}

/// `with opened as name: …`, from one of its parts on.
fn entered(with: &StmtWith, from: usize) -> Vec<Stmt> {
    let Some(item) = with.items.get(from) else { return with.body.to_vec() };
    let range = item.context_expr.range();
    let number = u32::from(range.start());
    let (manager, failed) = (format!("manager at {number}"), format!("failed at {number}"));
    let set = |value: bool| assign(name(&failed, ExprContext::Store, range), truth(value, range), range);
    let method = |id: &str| attribute(&manager, id, ExprContext::Load, range);
    let enter = call(method(ENTER), Vec::new(), range);
    let something = || text("an exception", range);
    let left = |given: Vec<Expr>| call(method(EXIT), given, range);
    let again = Stmt::Raise(StmtRaise { node_index: Default::default(), range, exc: None, cause: None });
    let is_raised = negated(left(vec![something(), something(), something()]), range);
    let caught = vec![set(true), when(is_raised, vec![again], range)];
    let inside = attempt(entered(with, from + 1), "Exception", caught, Vec::new(), range);
    let nothing = || none(range);
    let quietly = expression(left(vec![nothing(), nothing(), nothing()]), range);
    let last = vec![when(negated(load(&failed, range), range), vec![quietly], range)];
    vec![
        assign(name(&manager, ExprContext::Store, range), item.context_expr.clone(), range),
        match &item.optional_vars {
            Some(target) => assign((**target).clone(), enter, range),
            None => expression(enter, range),
        },
        set(false),
        attempt(vec![inside], "", Vec::new(), last, range),
    ]
}
