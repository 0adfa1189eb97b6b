//! The names that a body assigns to: Python's local variables.

use ruff_python_ast::{ExceptHandler, Expr, Stmt};

use super::exceptions::{caught, class_of};
use super::matches::captured;
use super::spread::named_on_the_way;

/// All names assigned anywhere in `statements`, each once, in order of appearance; `nested` if they are a function's body.
pub(super) fn assigned_names(statements: &[Stmt], nested: bool) -> Vec<String> {
    let mut names = Names { nested, ..Names::default() };
    names.statements(statements);
    // Python does not say in which order the names of a body are known.
    for name in named_on_the_way(statements) {
        names.add(name);
    }
    let owned = std::mem::take(&mut names.owned);
    names.list.into_iter().map(str::to_owned).chain(owned).collect()
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
    /// Names that are not in the text.
    owned: Vec<String>,
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
                Stmt::Match(match_) => {
                    for case in &match_.cases {
                        captured(&case.pattern, &mut |name| self.add(name));
                        self.statements(&case.body);
                    }
                }
                Stmt::With(with) => {
                    with.items
                        .iter()
                        .filter_map(|item| item.optional_vars.as_deref())
                        .for_each(|name| self.target(name));
                    self.statements(&with.body);
                }
                Stmt::Try(attempt) => {
                    self.statements(&attempt.body);
                    for ExceptHandler::ExceptHandler(handler) in caught(attempt) {
                        handler.name.iter().for_each(|name| self.add(name));
                        self.owned
                            .extend(handler.name.iter().filter(|name| name.contains(' ')).map(|name| class_of(name)));
                        self.statements(&handler.body);
                    }
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
