//! Decorators: `@wraps` changes names only, `@cache` keeps results in a dictionary, and those of the program are calls.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::transformer::{Transformer, walk_stmt};
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{CmpOp, Decorator, Expr, ExprContext, ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::names::{Imported, declared_elsewhere, mentioned_in, own_names};
use super::nodes::{assign, call, compare, empty_dict, identifier, load, name, pass, returned, subscript, tuple, when};
use crate::program::statements::is_distribution;

/// Members of `functools` that are only known as decorators.
const KNOWN: [&str; 4] = ["wraps", "cache", "lru_cache", "total_ordering"];

/// Writes out the decorators of functions.
pub(super) fn write_out(module: &mut ModModule) {
    let functools = Imported::of(&module.body, "functools");
    let own: HashSet<String> = module
        .body
        .iter()
        .filter_map(|statement| if let Stmt::FunctionDef(definition) = statement { Some(definition) } else { None })
        .map(|definition| definition.name.to_string())
        .collect();
    for statement in &mut module.body {
        Unwrapped(&functools).visit_stmt(statement);
    }
    let body: Vec<Stmt> = std::mem::take(&mut module.body).into_iter().collect();
    let mut all = Vec::with_capacity(body.len());
    for (place, statement) in body.iter().enumerate() {
        match statement {
            Stmt::FunctionDef(definition) if !definition.decorator_list.is_empty() => {
                match cached(definition, &functools, &body) {
                    Some(statements) => all.extend(statements),
                    None => all.extend(called(definition, &own)),
                }
            }
            _ => all.push(body[place].clone()),
        }
    }
    for statement in &mut all {
        Inside(&own).visit_stmt(statement);
        forget_imports(statement);
    }
    module.body = all.into();
}

/// Decorators are known by their names, and need no import.
fn forget_imports(statement: &mut Stmt) {
    if let Stmt::ImportFrom(import) = statement
        && import.module.as_ref().is_some_and(|name| name.as_str() == "functools")
    {
        import.names.retain(|alias| !KNOWN.contains(&alias.name.as_str()));
        if import.names.is_empty() {
            *statement = pass(statement.range());
        }
    }
}

/// Takes `@wraps(function)` away, wherever it stands.
struct Unwrapped<'i>(&'i Imported);

impl Transformer for Unwrapped<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        if let Stmt::FunctionDef(definition) = statement {
            let is_wraps = |decorator: &Decorator| match &decorator.expression {
                Expr::Call(call) => self.0.member(&call.func) == Some("wraps"),
                _ => false,
            };
            definition.decorator_list.retain(|decorator| !is_wraps(decorator));
        }
        walk_stmt(self, statement);
    }
}

/// Writes out the decorators of functions inside functions.
struct Inside<'o>(&'o HashSet<String>);

impl Transformer for Inside<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        if let Stmt::FunctionDef(definition) = statement {
            let hidden = own_names(definition);
            let own: HashSet<String> = self.0.iter().filter(|name| !hidden.contains(*name)).cloned().collect();
            let body: Vec<Stmt> = std::mem::take(&mut definition.body).into_iter().collect();
            let written = body.into_iter().flat_map(|statement| match statement {
                Stmt::FunctionDef(inner) if !inner.decorator_list.is_empty() => called(&inner, &own),
                other => vec![other],
            });
            definition.body = written.collect::<Vec<Stmt>>().into();
        }
        walk_stmt(self, statement);
    }
}

/// `@first @second def f(…): …` as `f = first(second(f))`, if both are functions of the file: else as it is.
fn called(definition: &StmtFunctionDef, own: &HashSet<String>) -> Vec<Stmt> {
    let is_own = |decorator: &Decorator| {
        let function = match &decorator.expression {
            Expr::Call(call) => &*call.func,
            other => other,
        };
        matches!(function, Expr::Name(name) if own.contains(name.id.as_str()))
    };
    if !definition.decorator_list.iter().all(is_own) || definition.is_async {
        return vec![Stmt::FunctionDef(definition.clone())];
    }
    let range = definition.name.range();
    let plain = format!("undecorated {}", definition.name);
    let mut function = definition.clone();
    function.decorator_list.clear();
    function.name = identifier(&plain, range);
    let decorated = definition.decorator_list.iter().rev().fold(load(&plain, range), |inner, decorator| {
        call(decorator.expression.clone(), vec![inner], decorator.expression.range())
    });
    vec![Stmt::FunctionDef(function), assign(name(&definition.name, ExprContext::Store, range), decorated, range)]
}

/// A function that remembers its results; `None` if it is not one, or may not be written so.
///
/// Python keeps a result for the arguments as they are written, `f(1)` apart from `f(n=1)`, and forgets old ones where the
/// number of them is bounded. So it must be called by position only, and a bound may only be given where computing a result
/// again gives the same one.
fn cached(definition: &StmtFunctionDef, functools: &Imported, file: &[Stmt]) -> Option<Vec<Stmt>> {
    let [decorator] = &*definition.decorator_list else { return None };
    let is_bounded = bound(decorator, functools)?;
    let parameters = &definition.parameters;
    let is_plain = parameters.posonlyargs.is_empty()
        && parameters.kwonlyargs.is_empty()
        && parameters.vararg.is_none()
        && parameters.kwarg.is_none()
        && parameters.args.iter().all(|parameter| parameter.default.is_none());
    if !is_plain || definition.is_async || !is_only_called(&definition.name, file) || yields(definition) {
        return None;
    }
    if is_bounded && !is_settled(definition, file) {
        return None;
    }
    let range = definition.name.range();
    let (plain, kept) = (format!("uncached {}", definition.name), format!("cache of {}", definition.name));
    let arguments = || -> Vec<Expr> { parameters.args.iter().map(|parameter| load(parameter.name(), range)).collect() };
    let mut inner = definition.clone();
    inner.decorator_list.clear();
    inner.name = identifier(&plain, range);
    let mut outer = definition.clone();
    outer.decorator_list.clear();
    outer.body = remembering(&plain, &kept, &arguments, range).into();
    Some(vec![
        assign(name(&kept, ExprContext::Store, range), empty_dict(range), range),
        Stmt::FunctionDef(inner),
        Stmt::FunctionDef(outer),
    ])
}

/// `if key in kept: return kept[key]`, else it is computed and kept.
fn remembering(plain: &str, kept: &str, arguments: &dyn Fn() -> Vec<Expr>, range: TextRange) -> Vec<Stmt> {
    let (key, result) = ("arguments of the call", "result of the call");
    let at = |ctx| subscript(load(kept, range), load(key, range), ctx, range);
    vec![
        assign(name(key, ExprContext::Store, range), tuple(arguments(), range), range),
        when(
            compare(load(key, range), CmpOp::In, load(kept, range), range),
            vec![returned(at(ExprContext::Load), range)],
            range,
        ),
        assign(name(result, ExprContext::Store, range), call(load(plain, range), arguments(), range), range),
        assign(at(ExprContext::Store), load(result, range), range),
        returned(load(result, range), range),
    ]
}

/// Whether a cache forgets; `None` if a decorator is no cache, or another kind.
fn bound(decorator: &Decorator, functools: &Imported) -> Option<bool> {
    let (function, arguments) = match &decorator.expression {
        Expr::Call(call) => (&*call.func, Some(&call.arguments)),
        other => (other, None),
    };
    match (functools.member(function)?, arguments) {
        ("cache", None) => Some(false),
        ("lru_cache", None) => Some(true),
        ("lru_cache", Some(arguments)) => match (&*arguments.args, &*arguments.keywords) {
            ([], []) => Some(true),
            ([size], []) => Some(!matches!(size, Expr::NoneLiteral(_))),
            ([], [size]) if size.arg.as_ref().is_some_and(|name| name.as_str() == "maxsize") => {
                Some(!matches!(size.value, Expr::NoneLiteral(_)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a name is only ever called, with arguments by position.
fn is_only_called(name: &str, file: &[Stmt]) -> bool {
    struct Uses<'n> {
        name: &'n str,
        mentions: usize,
        calls: usize,
    }
    impl<'t> Visitor<'t> for Uses<'_> {
        fn visit_expr(&mut self, tree: &'t Expr) {
            let is_it = |tree: &Expr| matches!(tree, Expr::Name(name) if name.id.as_str() == self.name);
            match tree {
                Expr::Name(_) => self.mentions += usize::from(is_it(tree)),
                Expr::Call(call) => {
                    let starred = call.arguments.args.iter().any(|argument| matches!(argument, Expr::Starred(_)));
                    let by_position = call.arguments.keywords.is_empty() && !starred;
                    self.calls += usize::from(is_it(&call.func) && by_position);
                }
                _ => {}
            }
            walk_expr(self, tree);
        }
    }
    let mut uses = Uses { name, mentions: 0, calls: 0 };
    uses.visit_body(file);
    uses.mentions == uses.calls
}

fn yields(definition: &StmtFunctionDef) -> bool {
    struct Yields(bool);
    impl<'t> Visitor<'t> for Yields {
        fn visit_expr(&mut self, tree: &'t Expr) {
            self.0 |= matches!(tree, Expr::Yield(_) | Expr::YieldFrom(_));
            walk_expr(self, tree);
        }
    }
    let mut found = Yields(false);
    found.visit_body(&definition.body);
    found.0
}

/// Whether computing a result again gives the same one and does nothing else: the function, and those that it calls, draw
/// nothing, change nothing, read no variables of the file and make nothing that could be changed.
fn is_settled(definition: &StmtFunctionDef, file: &[Stmt]) -> bool {
    let of_file = file.iter().filter_map(|statement| match statement {
        Stmt::FunctionDef(function) => Some((function.name.as_str(), function)),
        _ => None,
    });
    let known: HashMap<&str, &StmtFunctionDef> = of_file.collect();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut pending = vec![definition];
    while let Some(function) = pending.pop() {
        let mut settled = Settled { own: own_names(function), is_settled: true, mentioned: HashSet::new() };
        settled.visit_body(&function.body);
        if !settled.is_settled || !declared_elsewhere(&function.body).is_empty() {
            return false;
        }
        for name in settled.mentioned {
            match known.get(name.as_str()) {
                Some(inner) if seen.insert(inner.name.as_str()) => pending.push(inner),
                Some(_) => {}
                None if HARMLESS.contains(&name.as_str()) => {}
                None => return false,
            }
        }
    }
    true
}

/// Functions and modules that give the same for the same, and change nothing.
const HARMLESS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "divmod",
    "enumerate",
    "float",
    "int",
    "len",
    "math",
    "max",
    "min",
    "pow",
    "range",
    "reversed",
    "round",
    "str",
    "sum",
    "tuple",
    "zip",
];

struct Settled {
    own: HashSet<String>,
    is_settled: bool,
    mentioned: HashSet<String>,
}

impl<'t> Visitor<'t> for Settled {
    fn visit_expr(&mut self, tree: &'t Expr) {
        match tree {
            Expr::Name(name) if !self.own.contains(name.id.as_str()) => {
                self.is_settled &= !is_distribution(&name.id);
                self.mentioned.insert(name.id.to_string());
            }
            Expr::List(_) | Expr::ListComp(_) | Expr::Dict(_) | Expr::DictComp(_) | Expr::Set(_) | Expr::SetComp(_) => {
                self.is_settled = false;
            }
            Expr::Lambda(_) | Expr::Generator(_) => self.is_settled = false,
            Expr::Attribute(attribute) => {
                self.is_settled &= mentioned_in(&attribute.value).iter().all(|name| name == "math");
            }
            Expr::Subscript(subscript) => self.is_settled &= subscript.ctx == ExprContext::Load,
            _ => {}
        }
        walk_expr(self, tree);
    }
}
