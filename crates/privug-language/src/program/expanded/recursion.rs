//! A function inside another that calls itself: it is moved to the top of the file, and is given the variables that it sees.
//!
//! Where it is only ever called, the variables around it can be arguments of the calls: at each of them they have the values
//! that the function would see.

use std::collections::HashSet;

use ruff_python_ast::visitor::transformer::{Transformer, walk_expr};
use ruff_python_ast::visitor::{Visitor, walk_expr as look_into};
use ruff_python_ast::{Expr, Keyword, ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::names::{declared_elsewhere, functions_in, is_bound_otherwise, mentioned, own_names, parameter_names};
use super::nodes::{identifier, load, parameter, pass};
use crate::program::bindings::assigned_names;

/// Moves all of them that can be moved.
pub(super) fn move_up(module: &mut ModModule) {
    let body: Vec<Stmt> = std::mem::take(&mut module.body).into_iter().collect();
    let mut all = Vec::with_capacity(body.len());
    for statement in body {
        match statement {
            Stmt::FunctionDef(mut outer) => {
                let owner = outer.name.to_string();
                all.extend(moved_out_of(&mut outer, &owner).into_iter().map(Stmt::FunctionDef));
                all.push(Stmt::FunctionDef(outer));
            }
            Stmt::ClassDef(mut class) => {
                for inside in &mut class.body {
                    if let Stmt::FunctionDef(method) = inside {
                        let owner = format!("{}.{}", class.name, method.name);
                        all.extend(moved_out_of(method, &owner).into_iter().map(Stmt::FunctionDef));
                    }
                }
                all.push(Stmt::ClassDef(class));
            }
            other => all.push(other),
        }
    }
    module.body = all.into();
}

fn moved_out_of(outer: &mut StmtFunctionDef, owner: &str) -> Vec<StmtFunctionDef> {
    let mut moved = Vec::new();
    for place in 0..outer.body.len() {
        let Stmt::FunctionDef(inner) = &outer.body[place] else { continue };
        let Some(seen) = may_move(outer, inner) else { continue };
        let (inner, range) = (inner.clone(), inner.range());
        let name = format!("{} of {owner}", inner.name);
        let called = Called { old: inner.name.as_str(), new: &name, seen: &seen };
        let mut function = inner.clone();
        function.name = identifier(&name, inner.name.range());
        for seen in &seen {
            function.parameters.kwonlyargs.push(parameter(seen, inner.name.range()));
        }
        function.body.iter_mut().for_each(|statement| called.visit_stmt(statement));
        outer.body[place] = pass(range);
        outer.body.iter_mut().for_each(|statement| called.visit_stmt(statement));
        moved.push(function);
    }
    moved
}

/// The variables around a function that it sees, in order; `None` if it does not call itself, or may not be moved.
fn may_move(outer: &StmtFunctionDef, inner: &StmtFunctionDef) -> Option<Vec<String>> {
    let name = inner.name.as_str();
    let inside: HashSet<String> = inner.body.iter().flat_map(mentioned).collect();
    let (around, own) = (own_names(outer), own_names(inner));
    let functions: HashSet<&str> = functions_in(&outer.body)
        .into_iter()
        .map(|function| function.name.as_str())
        .filter(|other| *other != name)
        .collect();
    let is_plain = inner.decorator_list.is_empty()
        && !inner.is_async
        && inner.parameters.kwarg.is_none()
        && inner
            .parameters
            .iter_non_variadic_params()
            .all(|parameter| parameter.default.as_deref().is_none_or(is_constant))
        && declared_elsewhere(&inner.body).is_empty();
    let is_changed = own.contains(name)
        || assigned_names(&outer.body, true).iter().filter(|assigned| *assigned == name).count() > 1
        || functions_in(&outer.body).iter().filter(|other| other.name.as_str() == name).count() > 1
        || parameter_names(&outer.parameters).iter().any(|parameter| parameter == name);
    let uses = [Uses::of(name, &outer.body), Uses::of(name, &inner.body)];
    if !inside.contains(name) || !is_plain || is_changed || uses.iter().any(|uses| uses.mentions != uses.calls) {
        return None;
    }
    let mut seen: Vec<String> =
        inside.into_iter().filter(|seen| seen != name && around.contains(seen) && !own.contains(seen)).collect();
    seen.sort_unstable();
    // A comprehension, or what is inside it, may hide a variable, and another function may see what this one does not.
    let is_hidden = |seen: &String| {
        is_bound_otherwise(&outer.body, seen) || functions_in(&inner.body).iter().any(|f| own_names(f).contains(seen))
    };
    let sees_function = seen.iter().any(|seen| functions.contains(seen.as_str()));
    // Where another function calls it, the variables would have to be seen there.
    let is_called_inside = functions_in(&outer.body)
        .iter()
        .any(|f| f.name.as_str() != name && f.body.iter().any(|s| mentioned(s).contains(name)));
    (!seen.iter().any(is_hidden) && !sees_function && !is_called_inside).then_some(seen)
}

/// Whether an expression is the same wherever and whenever it is evaluated.
fn is_constant(tree: &Expr) -> bool {
    match tree {
        Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => true,
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_constant),
        _ => false,
    }
}

/// How often a name is mentioned, and how often it is called with arguments that are known one by one.
struct Uses<'n> {
    name: &'n str,
    mentions: usize,
    calls: usize,
}

impl<'n> Uses<'n> {
    fn of(name: &'n str, body: &[Stmt]) -> Self {
        let mut uses = Uses { name, mentions: 0, calls: 0 };
        uses.visit_body(body);
        uses
    }
}

impl<'t> Visitor<'t> for Uses<'_> {
    fn visit_expr(&mut self, tree: &'t Expr) {
        let is_it = |tree: &Expr| matches!(tree, Expr::Name(name) if name.id.as_str() == self.name);
        match tree {
            Expr::Name(_) => self.mentions += usize::from(is_it(tree)),
            Expr::Call(call) => {
                let is_spread = call.arguments.keywords.iter().any(|keyword| keyword.arg.is_none());
                self.calls += usize::from(is_it(&call.func) && !is_spread);
            }
            // Its variables may be others there.
            Expr::Lambda(_) => self.mentions += usize::from(super::names::mentioned_in(tree).contains(self.name)),
            _ => {}
        }
        look_into(self, tree);
    }
}

struct Called<'n> {
    old: &'n str,
    new: &'n str,
    seen: &'n [String],
}

impl Transformer for Called<'_> {
    fn visit_expr(&self, tree: &mut Expr) {
        walk_expr(self, tree);
        let Expr::Call(call) = tree else { return };
        let Expr::Name(called) = &mut *call.func else { return };
        if called.id.as_str() != self.old {
            return;
        }
        let range = called.range;
        called.id = self.new.into();
        let more = self.seen.iter().map(|seen| Keyword {
            node_index: Default::default(),
            range,
            arg: Some(identifier(seen, range)),
            value: load(seen, range),
        });
        call.arguments.keywords = call.arguments.keywords.iter().cloned().chain(more).collect();
    }
}
