//! Python's shorter ways of writing, written out before a file is compiled: classes inside functions, decorators, fields with
//! a `default_factory`, `nonlocal` and `global`, `getattr` with a written name.
//!
//! Each of these is the same as something longer that is compiled as it stands. What cannot be written out is left as it is,
//! and is refused where it stands. All that is written stands for the place in the text that it was written for.

mod attributes;
mod cells;
mod classes;
mod decorated;
mod handlers;
mod iterators;
mod names;
mod nodes;
mod protocols;
mod recursion;

use std::borrow::Cow;

pub(super) use handlers::{EXCEPTION, Reading};

use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{ExceptHandler, ModModule, Stmt};

/// The file with all of it written out. With tables, variables of the file are left alone: some of them are tables.
pub(super) fn expanded(module: &ModModule, tables: bool) -> Cow<'_, ModModule> {
    let mut found = Short::default();
    found.visit_body(&module.body);
    let mut named = attributes::Named::default();
    named.visit_body(&module.body);
    if !found.is_there && !named.is_there {
        return Cow::Borrowed(module);
    }
    let mut module = module.clone();
    attributes::write_out(&mut module);
    classes::move_up(&mut module);
    classes::make_defaults(&mut module);
    classes::name_setters(&mut module);
    protocols::name_own_class(&mut module);
    protocols::order_totally(&mut module);
    protocols::leave_contexts(&mut module);
    iterators::write_out(&mut module);
    decorated::write_out(&mut module);
    handlers::write_out(&mut module);
    for statement in &mut module.body {
        match statement {
            Stmt::FunctionDef(definition) => cells::share_nonlocals(definition),
            Stmt::ClassDef(class) => {
                for statement in &mut class.body {
                    if let Stmt::FunctionDef(method) = statement {
                        cells::share_nonlocals(method);
                    }
                }
            }
            // Functions elsewhere are refused.
            _ => {}
        }
    }
    recursion::move_up(&mut module);
    if !tables {
        cells::share_globals(&mut module);
    }
    Cow::Owned(module)
}

/// Looks for something to write out.
#[derive(Default)]
struct Short {
    is_there: bool,
    depth: usize,
}

impl<'t> Visitor<'t> for Short {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        match statement {
            Stmt::FunctionDef(definition) => {
                self.is_there |= self.depth > 0 || !definition.decorator_list.is_empty();
                self.depth += 1;
                walk_stmt(self, statement);
                self.depth -= 1;
            }
            Stmt::ClassDef(class) => {
                let is_context = |statement: &Stmt| matches!(statement, Stmt::FunctionDef(method) if ["__exit__", "__next__"].contains(&method.name.as_str()));
                self.is_there |=
                    self.depth > 0 || !class.decorator_list.is_empty() || class.body.iter().any(is_context);
                walk_stmt(self, statement);
            }
            Stmt::Global(_) | Stmt::Nonlocal(_) => self.is_there = true,
            Stmt::Try(attempt) => {
                let named = |handler: &ExceptHandler| {
                    let ExceptHandler::ExceptHandler(handler) = handler;
                    handler.name.is_some()
                };
                self.is_there |= attempt.handlers.iter().any(named);
                walk_stmt(self, statement);
            }
            other => walk_stmt(self, other),
        }
    }
}
