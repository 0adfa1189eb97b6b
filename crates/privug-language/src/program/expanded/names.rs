//! Which names parts of a program mention and bind.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{Visitor, walk_except_handler, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{ExceptHandler, Expr, Parameters, Pattern, Stmt, StmtFunctionDef};

use crate::program::bindings::{assigned_names, target_names};
use crate::program::functions::Mentioned;

/// All names that a statement mentions.
pub(super) fn mentioned(statement: &Stmt) -> HashSet<String> {
    let mut found = Mentioned::default();
    found.visit_stmt(statement);
    found.0
}

pub(super) fn mentioned_in(tree: &Expr) -> HashSet<String> {
    let mut found = Mentioned::default();
    found.visit_expr(tree);
    found.0
}

/// The names of all parameters, those with stars too.
pub(super) fn parameter_names(parameters: &Parameters) -> Vec<String> {
    let stars = [&parameters.vararg, &parameters.kwarg].into_iter().flatten().map(|star| star.name.to_string());
    parameters.iter_non_variadic_params().map(|parameter| parameter.name().to_string()).chain(stars).collect()
}

/// The variables of a function: its parameters, and what it assigns to; not those that it takes from around it.
pub(super) fn own_names(definition: &StmtFunctionDef) -> HashSet<String> {
    let mut names: HashSet<String> = assigned_names(&definition.body, true).into_iter().collect();
    names.extend(parameter_names(&definition.parameters));
    for name in declared_elsewhere(&definition.body) {
        names.remove(&name);
    }
    names
}

/// The names of `global` and `nonlocal` in a body, without those of functions inside.
pub(super) fn declared_elsewhere(body: &[Stmt]) -> HashSet<String> {
    #[derive(Default)]
    struct Declared(HashSet<String>);
    impl<'t> Visitor<'t> for Declared {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            match statement {
                Stmt::Global(global) => self.0.extend(global.names.iter().map(ToString::to_string)),
                Stmt::Nonlocal(nonlocal) => self.0.extend(nonlocal.names.iter().map(ToString::to_string)),
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                other => walk_stmt(self, other),
            }
        }
    }
    let mut declared = Declared::default();
    declared.visit_body(body);
    declared.0
}

/// How else than by an assignment a name is bound somewhere in a body: by a comprehension, a handler, a pattern, `:=`, `del`, an
/// import, a class.
pub(super) fn is_bound_otherwise(body: &[Stmt], name: &str) -> bool {
    struct Otherwise<'n> {
        name: &'n str,
        found: bool,
    }
    impl<'t> Visitor<'t> for Otherwise<'_> {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            let is_it = |identifier: &str| identifier == self.name;
            self.found |= match statement {
                Stmt::Import(import) => {
                    import.names.iter().any(|alias| is_it(alias.asname.as_ref().unwrap_or(&alias.name)))
                }
                Stmt::ImportFrom(import) => {
                    import.names.iter().any(|alias| is_it(alias.asname.as_ref().unwrap_or(&alias.name)))
                }
                Stmt::ClassDef(class) => {
                    is_it(&class.name) || assigned_names(&class.body, true).iter().any(|n| is_it(n))
                }
                Stmt::FunctionDef(definition) => is_it(&definition.name),
                Stmt::Delete(delete) => delete.targets.iter().flat_map(target_names).any(|n| is_it(&n)),
                _ => false,
            };
            walk_stmt(self, statement);
        }

        fn visit_expr(&mut self, tree: &'t Expr) {
            let binds = |target: &Expr| target_names(target).iter().any(|n| n == self.name);
            self.found |= match tree {
                Expr::Named(named) => binds(&named.target),
                Expr::Lambda(lambda) => lambda
                    .parameters
                    .as_deref()
                    .is_some_and(|parameters| parameter_names(parameters).iter().any(|n| n == self.name)),
                Expr::ListComp(tree) => tree.generators.iter().any(|part| binds(&part.target)),
                Expr::SetComp(tree) => tree.generators.iter().any(|part| binds(&part.target)),
                Expr::DictComp(tree) => tree.generators.iter().any(|part| binds(&part.target)),
                Expr::Generator(tree) => tree.generators.iter().any(|part| binds(&part.target)),
                _ => false,
            };
            walk_expr(self, tree);
        }

        fn visit_except_handler(&mut self, handler: &'t ExceptHandler) {
            let ExceptHandler::ExceptHandler(inner) = handler;
            self.found |= inner.name.as_ref().is_some_and(|name| name.as_str() == self.name);
            walk_except_handler(self, handler);
        }

        fn visit_pattern(&mut self, pattern: &'t Pattern) {
            let bound = match pattern {
                Pattern::MatchAs(part) => part.name.as_ref(),
                Pattern::MatchStar(part) => part.name.as_ref(),
                Pattern::MatchMapping(part) => part.rest.as_ref(),
                Pattern::MatchValue(_)
                | Pattern::MatchSingleton(_)
                | Pattern::MatchSequence(_)
                | Pattern::MatchClass(_)
                | Pattern::MatchOr(_) => None,
            };
            self.found |= bound.is_some_and(|name| name.as_str() == self.name);
            walk_pattern(self, pattern);
        }
    }
    let mut otherwise = Otherwise { name, found: false };
    otherwise.visit_body(body);
    otherwise.found
}

/// The functions that stand in a body, not those inside them; also in its branches and loops.
pub(super) fn functions_in(body: &[Stmt]) -> Vec<&StmtFunctionDef> {
    #[derive(Default)]
    struct Functions<'t>(Vec<&'t StmtFunctionDef>);
    impl<'t> Visitor<'t> for Functions<'t> {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            match statement {
                Stmt::FunctionDef(definition) => self.0.push(definition),
                other => walk_stmt(self, other),
            }
        }
    }
    let mut functions = Functions::default();
    functions.visit_body(body);
    functions.0
}

/// What a file calls the members of a module that are known by their names only.
#[derive(Debug, Default)]
pub(super) struct Imported {
    modules: HashSet<String>,
    members: HashMap<String, String>,
}

impl Imported {
    /// The names under which a file has a module and its members.
    pub(super) fn of(body: &[Stmt], module: &str) -> Self {
        let mut imported = Imported::default();
        for statement in body {
            match statement {
                Stmt::Import(import) => {
                    let own = import.names.iter().filter(|alias| alias.name.as_str() == module);
                    imported.modules.extend(own.map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).to_string()));
                }
                Stmt::ImportFrom(import) if import.module.as_ref().is_some_and(|name| name.as_str() == module) => {
                    for alias in &import.names {
                        let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                        imported.members.insert(name, alias.name.to_string());
                    }
                }
                // Other statements import nothing; imports inside functions are not looked for.
                _ => {}
            }
        }
        imported
    }

    /// The member of the module that an expression names.
    pub(super) fn member<'t>(&'t self, tree: &'t Expr) -> Option<&'t str> {
        match tree {
            Expr::Name(name) => self.members.get(name.id.as_str()).map(String::as_str),
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::Name(name) if self.modules.contains(name.id.as_str()) => Some(attribute.attr.as_str()),
                _ => None,
            },
            _ => None,
        }
    }
}
