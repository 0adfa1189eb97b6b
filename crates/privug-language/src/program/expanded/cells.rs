//! `nonlocal` and `global`: a variable that functions change from outside is the only element of a list, which they share.
//!
//! A function inside another is given the values of the variables that it sees. A list is the same one for both, so that
//! `x[0] = …` in one of them is seen by the other, in the worlds in which it happens. The list is made where the variable gets its
//! first value, which must be before anything mentions it: then no value is ever read that Python would not have.

use std::collections::HashSet;

use ruff_python_ast::visitor::transformer::{Transformer, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::names::{
    declared_elsewhere, functions_in, is_bound_otherwise, mentioned, mentioned_in, own_names, parameter_names,
};
use super::nodes::{assign, cell, list, load, name, none, pass};
use crate::program::bindings::target_names;

/// Puts the variables that `nonlocal` names into lists, wherever it can be done.
pub(super) fn share_nonlocals(definition: &mut StmtFunctionDef) {
    let own = own_names(definition);
    let inner = functions_in(&definition.body);
    let mut wanted: Vec<String> = inner.iter().flat_map(|inner| taken_from_outside(inner)).collect();
    wanted.retain(|name| own.contains(name));
    wanted.sort_unstable();
    wanted.dedup();
    for shared in wanted {
        let hidden = functions_in(&definition.body).iter().any(|inner| hides(inner, &shared));
        if hidden || is_bound_otherwise(&definition.body, &shared) {
            continue;
        }
        let is_parameter = parameter_names(&definition.parameters).contains(&shared);
        let range = definition.name.range();
        if is_parameter {
            let own = format!("cell of {shared}");
            replace(&mut definition.body, &shared, &own);
            let value = list(vec![load(&shared, range)], range);
            definition.body.insert(0, assign(name(&own, ExprContext::Store, range), value, range));
        } else if let Some(first) = first_value(&definition.body, &shared) {
            replace(&mut definition.body, &shared, &shared);
            let at = definition.body[first].range();
            definition.body.insert(first, empty_cell(&shared, at));
        }
    }
    // What is inside is looked at after what is around it has taken its own.
    for statement in &mut definition.body {
        Inside.visit_stmt(statement);
    }
}

struct Inside;

impl Transformer for Inside {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::FunctionDef(definition) => share_nonlocals(definition),
            other => walk_stmt(self, other),
        }
    }
}

/// Puts the variables of the file that `global` names into lists, wherever it can be done.
pub(super) fn share_globals(module: &mut ModModule) {
    let mut wanted: HashSet<String> = HashSet::new();
    let mut pending = functions_in(&module.body);
    while let Some(definition) = pending.pop() {
        wanted.extend(declared_elsewhere(&definition.body));
        pending.extend(functions_in(&definition.body));
    }
    let mut wanted: Vec<String> = wanted.into_iter().collect();
    wanted.sort_unstable();
    for shared in wanted {
        if !is_bound_otherwise(&module.body, &shared)
            && let Some(first) = first_value_in_file(&module.body, &shared)
        {
            replace(&mut module.body, &shared, &shared);
            let at = module.body[first].range();
            module.body.insert(first, empty_cell(&shared, at));
        }
    }
}

/// `shared = [None]`, in front of the statement that gives it a value.
fn empty_cell(shared: &str, at: TextRange) -> Stmt {
    assign(name(shared, ExprContext::Store, at), list(vec![none(at)], at), at)
}

/// The names that `nonlocal` takes from around a function, in it or further inside.
fn taken_from_outside(definition: &StmtFunctionDef) -> HashSet<String> {
    let own = own_names(definition);
    let mut taken = HashSet::new();
    for inner in functions_in(&definition.body) {
        taken.extend(taken_from_outside(inner).into_iter().filter(|name| !own.contains(name)));
    }
    taken.extend(nonlocals(&definition.body));
    taken
}

/// The names of `nonlocal` in a body: those that are declared, and not `global`.
fn nonlocals(body: &[Stmt]) -> Vec<String> {
    use ruff_python_ast::visitor::{Visitor, walk_stmt};
    #[derive(Default)]
    struct Found(Vec<String>);
    impl<'t> Visitor<'t> for Found {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            match statement {
                Stmt::Nonlocal(nonlocal) => self.0.extend(nonlocal.names.iter().map(ToString::to_string)),
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                other => walk_stmt(self, other),
            }
        }
    }
    let mut found = Found::default();
    found.visit_body(body);
    found.0
}

/// Whether a function, or one inside it, has a variable of its own with this name.
fn hides(definition: &StmtFunctionDef, name: &str) -> bool {
    own_names(definition).contains(name) || functions_in(&definition.body).iter().any(|inner| hides(inner, name))
}

/// The statement that gives a variable its first value, if nothing before it mentions the variable.
fn first_value(body: &[Stmt], name: &str) -> Option<usize> {
    let first = body.iter().position(|statement| mentioned(statement).contains(name))?;
    let gives = match &body[first] {
        Stmt::Assign(assign) => {
            let targets: Vec<String> = assign.targets.iter().flat_map(target_names).collect();
            targets.iter().filter(|target| *target == name).count() == 1 && !mentioned_in(&assign.value).contains(name)
        }
        Stmt::AnnAssign(assign) => {
            let value = assign.value.as_deref();
            target_names(&assign.target).iter().any(|target| target == name)
                && value.is_some_and(|value| !mentioned_in(value).contains(name))
        }
        // Whatever else mentions it may read it, or may not happen.
        _ => false,
    };
    gives.then_some(first)
}

/// The same for a file, whose functions mention variables before these have values: they are called later, or find none.
fn first_value_in_file(body: &[Stmt], name: &str) -> Option<usize> {
    let is_later = |statement: &Stmt| match statement {
        Stmt::FunctionDef(definition) => {
            let defaults = definition.parameters.iter_non_variadic_params().filter_map(|each| each.default.as_deref());
            let decorators = definition.decorator_list.iter().map(|each| &each.expression);
            !defaults.chain(decorators).any(|tree| mentioned_in(tree).contains(name))
        }
        other => !mentioned(other).contains(name),
    };
    let before = body.iter().take_while(|statement| is_later(statement)).count();
    first_value(&body[before..], name).map(|place| before + place)
}

/// Writes `own[0]` wherever a body means the variable `name`.
fn replace(body: &mut [Stmt], name: &str, own: &str) {
    let replaced = Replaced { name, own };
    for statement in body {
        replaced.visit_stmt(statement);
    }
}

struct Replaced<'n> {
    name: &'n str,
    own: &'n str,
}

impl Transformer for Replaced<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::Nonlocal(nonlocal) => {
                nonlocal.names.retain(|name| name.as_str() != self.name);
                if nonlocal.names.is_empty() {
                    *statement = pass(statement.range());
                }
            }
            Stmt::Global(global) => {
                global.names.retain(|name| name.as_str() != self.name);
                if global.names.is_empty() {
                    *statement = pass(statement.range());
                }
            }
            // A variable of the function's own is another one; its defaults are computed outside.
            Stmt::FunctionDef(definition) if own_names(definition).contains(self.name) => {
                definition.decorator_list.iter_mut().for_each(|decorator| self.visit_decorator(decorator));
                self.visit_parameters(&mut definition.parameters);
            }
            other => walk_stmt(self, other),
        }
    }

    // Annotations are not looked at.
    fn visit_annotation(&self, _: &mut Expr) {}

    fn visit_expr(&self, tree: &mut Expr) {
        match tree {
            Expr::Name(name) if name.id.as_str() == self.name => *tree = cell(self.own, name.ctx, name.range),
            other => walk_expr(self, other),
        }
    }
}
