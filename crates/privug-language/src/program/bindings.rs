//! The names that a body assigns to: Python's local variables.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};

/// All names assigned anywhere in `statements`, each once, in order of appearance; `nested` if they are a function's body.
pub(super) fn assigned_names(statements: &[Stmt], nested: bool) -> Vec<String> {
    let mut names = Names { nested, ..Names::default() };
    names.statements(statements);
    names.list.into_iter().map(str::to_owned).collect()
}

/// All names that a target such as `a, (b, c)` assigns to.
pub(super) fn target_names(target: &Expr) -> Vec<String> {
    let mut names = Names::default();
    names.target(target);
    names.list.into_iter().map(str::to_owned).collect()
}

#[derive(Default)]
struct Names<'t> {
    nested: bool,
    list: Vec<&'t str>,
    seen: std::collections::HashSet<&'t str>,
}

impl<'t> Names<'t> {
    fn add(&mut self, name: &'t str) {
        if self.seen.insert(name) {
            self.list.push(name);
        }
    }

    fn target(&mut self, target: &'t Expr) {
        match target {
            Expr::Name(name) => self.add(&name.id),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|target| self.target(target)),
            Expr::List(list) => list.elts.iter().for_each(|target| self.target(target)),
            Expr::Starred(starred) => self.target(&starred.value),
            // Elements (`xs[0] = …`) make no name; whatever else stands here is refused when it is compiled.
            _ => {}
        }
    }

    fn statements(&mut self, statements: &'t [Stmt]) {
        for statement in statements {
            let mut inner = Walruses::default();
            inner.visit_stmt(statement);
            inner.0.into_iter().for_each(|name| self.add(name));
            match statement {
                Stmt::Assign(assign) => assign.targets.iter().for_each(|target| self.target(target)),
                Stmt::AugAssign(assign) => self.target(&assign.target),
                Stmt::AnnAssign(assign) if assign.value.is_some() => self.target(&assign.target),
                Stmt::For(loop_) => {
                    self.target(&loop_.target);
                    self.statements(&loop_.body);
                    self.statements(&loop_.orelse);
                }
                Stmt::If(branch) => {
                    self.statements(&branch.body);
                    branch.elif_else_clauses.iter().for_each(|clause| self.statements(&clause.body));
                }
                Stmt::While(loop_) => {
                    self.statements(&loop_.body);
                    self.statements(&loop_.orelse);
                }
                Stmt::Match(match_) => match_.cases.iter().for_each(|case| self.statements(&case.body)),
                Stmt::With(with) => {
                    with.items
                        .iter()
                        .filter_map(|item| item.optional_vars.as_deref())
                        .for_each(|name| self.target(name));
                    self.statements(&with.body);
                }
                Stmt::Try(attempt) => {
                    self.statements(&attempt.body);
                    self.statements(&attempt.orelse);
                    self.statements(&attempt.finalbody);
                }
                Stmt::FunctionDef(definition) if self.nested => self.add(&definition.name),
                // These bind nothing, or nothing that is used.
                Stmt::AnnAssign(_)
                | Stmt::FunctionDef(_)
                | Stmt::ClassDef(_)
                | Stmt::Return(_)
                | Stmt::Delete(_)
                | Stmt::TypeAlias(_)
                | Stmt::Raise(_)
                | Stmt::Assert(_)
                | Stmt::Import(_)
                | Stmt::ImportFrom(_)
                | Stmt::Global(_)
                | Stmt::Nonlocal(_)
                | Stmt::Expr(_)
                | Stmt::Pass(_)
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::IpyEscapeCommand(_) => {}
            }
        }
    }
}

/// The names that `name := value` gives a value to, in the expressions of a statement.
#[derive(Default)]
struct Walruses<'t>(Vec<&'t str>);

impl<'t> Visitor<'t> for Walruses<'t> {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        // Statements inside of others are looked at on their own, and functions have their own names.
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            other => walk_stmt(self, other),
        }
    }

    fn visit_expr(&mut self, tree: &'t Expr) {
        match tree {
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.0.push(&name.id);
                }
            }
            Expr::Lambda(_) => return,
            _ => {}
        }
        walk_expr(self, tree);
    }
}
