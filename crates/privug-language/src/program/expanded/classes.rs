//! Classes inside functions, moved to the top of the file, and fields of records that have a `default_factory`.

use std::collections::HashSet;

use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{CmpOp, Expr, ExprCall, ExprContext, ModModule, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::names::{Imported, functions_in, mentioned, mentioned_in, own_names};
use super::nodes::{assign, attribute, call, compare, function, identifier, pass, text, when};
use crate::program::bindings::assigned_names;
use crate::program::classes::names;
use crate::program::statements::is_main_guard;
use crate::program::{MISSING_FIELD, SETTER};

/// Moves the classes of functions to the top of the file, if they see nothing of the function around them.
///
/// Each call of the function would make another class; so nothing else may call it.
pub(super) fn move_up(module: &mut ModModule) {
    let mut body: Vec<Stmt> = std::mem::take(&mut module.body).into_iter().collect();
    let mut place = 0;
    while place < body.len() {
        let found = match &body[place] {
            Stmt::FunctionDef(function) => (0..function.body.len()).find(|at| may_move(function, *at, place, &body)),
            _ => None,
        };
        let moved = found.and_then(|at| match &mut body[place] {
            Stmt::FunctionDef(function) => {
                let gap = pass(function.body[at].range());
                Some(std::mem::replace(&mut function.body[at], gap))
            }
            _ => None,
        });
        match moved {
            Some(class) => {
                body.insert(place, class);
                place += 1;
            }
            None => place += 1,
        }
    }
    module.body = body.into();
}

fn may_move(function: &StmtFunctionDef, at: usize, place: usize, file: &[Stmt]) -> bool {
    let Stmt::ClassDef(class) = &function.body[at] else { return false };
    let name = class.name.as_str();
    let is_other = |(other, statement): &(usize, &Stmt)| {
        *other != place && !matches!(statement, Stmt::If(branch) if is_main_guard(branch))
    };
    let others: HashSet<String> =
        file.iter().enumerate().filter(is_other).flat_map(|(_, statement)| mentioned(statement)).collect();
    let is_called = others.contains(function.name.as_str())
        || function.body.iter().any(|statement| mentioned(statement).contains(function.name.as_str()));
    let is_taken = others.contains(name)
        || defined_names(file).contains(name)
        || own_names(function).contains(name)
        || classes_in(&function.body).iter().filter(|other| **other == name).count() > 1;
    let is_early = function.body[..at].iter().any(|statement| mentioned(statement).contains(name));
    let seen = seen_by(class);
    let own = own_names(function);
    let locals = classes_in(&function.body).into_iter().filter(|other| *other != name);
    let is_alone = seen.is_disjoint(&own) && locals.into_iter().all(|local| !seen.contains(local));
    !is_called && !is_taken && !is_early && is_alone && has_plain_values(class) && !declares(class)
}

/// What the file defines: functions, classes, variables, imports.
fn defined_names(file: &[Stmt]) -> HashSet<String> {
    let mut names: HashSet<String> = assigned_names(file, true).into_iter().collect();
    for statement in file {
        match statement {
            Stmt::ClassDef(class) => {
                names.insert(class.name.to_string());
            }
            Stmt::Import(import) => {
                names.extend(import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).to_string()));
            }
            Stmt::ImportFrom(import) => {
                names.extend(import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).to_string()));
            }
            // Others define nothing but what they assign to.
            _ => {}
        }
    }
    names
}

/// The names of the classes in a body, wherever they stand.
fn classes_in(body: &[Stmt]) -> Vec<&str> {
    #[derive(Default)]
    struct Classes<'t>(Vec<&'t str>);
    impl<'t> Visitor<'t> for Classes<'t> {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            if let Stmt::ClassDef(class) = statement {
                self.0.push(&class.name);
            }
            walk_stmt(self, statement);
        }
    }
    let mut classes = Classes::default();
    classes.visit_body(body);
    classes.0
}

/// The names that a class and its functions find around them.
fn seen_by(class: &StmtClassDef) -> HashSet<String> {
    let mut seen = HashSet::new();
    for statement in &class.body {
        match statement {
            Stmt::FunctionDef(method) => {
                let own = own_names(method);
                let names = method.body.iter().flat_map(mentioned);
                seen.extend(names.filter(|name| !own.contains(name)));
                let defaults = method.parameters.iter_non_variadic_params().filter_map(|each| each.default.as_deref());
                seen.extend(defaults.flat_map(mentioned_in));
                seen.extend(method.decorator_list.iter().flat_map(|each| mentioned_in(&each.expression)));
            }
            other => seen.extend(mentioned(other)),
        }
    }
    for base in class.arguments.iter().flat_map(|arguments| &arguments.args) {
        seen.extend(mentioned_in(base));
    }
    seen.extend(class.decorator_list.iter().flat_map(|each| mentioned_in(&each.expression)));
    seen
}

/// Whether the values that a class has are the same whenever it is made.
fn has_plain_values(class: &StmtClassDef) -> bool {
    class.body.iter().all(|statement| match statement {
        Stmt::FunctionDef(method) => {
            let mut defaults = method.parameters.iter_non_variadic_params().filter_map(|each| each.default.as_deref());
            defaults.all(is_plain)
        }
        Stmt::Assign(constant) => is_plain(&constant.value),
        Stmt::AnnAssign(field) => field.value.as_deref().is_none_or(|value| is_plain(value) || is_call(value, "field")),
        Stmt::Pass(_) | Stmt::Expr(_) => true,
        _ => false,
    })
}

fn is_plain(tree: &Expr) -> bool {
    match tree {
        Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => true,
        Expr::UnaryOp(operation) => is_plain(&operation.operand),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_plain),
        _ => false,
    }
}

fn is_call(tree: &Expr, name: &str) -> bool {
    match tree {
        Expr::Call(call) => match &*call.func {
            Expr::Name(function) => function.id.as_str() == name,
            Expr::Attribute(attribute) => attribute.attr.as_str() == name,
            _ => false,
        },
        _ => false,
    }
}

/// Whether a class has `global` or `nonlocal` anywhere.
fn declares(class: &StmtClassDef) -> bool {
    struct Declares(bool);
    impl<'t> Visitor<'t> for Declares {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            self.0 |= matches!(statement, Stmt::Global(_) | Stmt::Nonlocal(_));
            walk_stmt(self, statement);
        }
    }
    let mut found = Declares(false);
    found.visit_body(&class.body);
    found.0
}

/// `@x.setter def x(self, value): …` behind the property `x`: a function with a name of its own.
pub(super) fn name_setters(module: &mut ModModule) {
    for statement in &mut module.body {
        let Stmt::ClassDef(class) = statement else { continue };
        let mut properties: HashSet<String> = HashSet::new();
        for statement in &mut class.body {
            let Stmt::FunctionDef(method) = statement else { continue };
            let [decorator] = &*method.decorator_list else { continue };
            let is_setter = match &decorator.expression {
                Expr::Attribute(attribute) => {
                    attribute.attr.as_str() == "setter"
                        && matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == method.name.as_str())
                }
                _ => false,
            };
            if names(decorator, "property") {
                properties.insert(method.name.to_string());
            } else if is_setter && properties.contains(method.name.as_str()) && parameter_count(method) == 2 {
                method.name = identifier(&format!("{SETTER}{}", method.name), method.name.range());
                method.decorator_list.clear();
            }
        }
    }
}

/// `items: list = field(default_factory=list)`: a field that was not given is made when the record is there.
pub(super) fn make_defaults(module: &mut ModModule) {
    let dataclasses = Imported::of(&module.body, "dataclasses");
    for statement in &mut module.body {
        let Stmt::ClassDef(class) = statement else { continue };
        let is_record = class.decorator_list.iter().any(|decorator| names(decorator, "dataclass"));
        let has_init = functions_in(&class.body).iter().any(|method| method.name.as_str() == "__init__");
        if is_record && !has_init && after(class).is_none_or(|method| parameter_count(method) == 1) {
            make_fields(class, &dataclasses);
        }
    }
}

fn make_fields(class: &mut StmtClassDef, dataclasses: &Imported) {
    let own = after(class).and_then(|method| method.parameters.args.first().map(|first| first.name().to_string()));
    let own = own.unwrap_or_else(|| "self".to_owned());
    let mut makers = Vec::new();
    for statement in &mut class.body {
        let Stmt::AnnAssign(field) = statement else { continue };
        let (Expr::Name(name), Some(value)) = (&*field.target, &mut field.value) else { continue };
        let Expr::Call(call) = &**value else { continue };
        if dataclasses.member(&call.func) != Some("field") {
            continue;
        }
        match how_made(call) {
            Some(Made::Value(default)) => **value = default,
            Some(Made::Anew(maker)) => {
                let range = value.range();
                let missing = format!("{MISSING_FIELD}{}.{}", class.name, name.id);
                makers.push(made_if_missing(&own, &name.id, &missing, maker, range));
                **value = text(&missing, range);
            }
            None => {}
        }
    }
    if makers.is_empty() {
        return;
    }
    let existing = class.body.iter_mut().find_map(|statement| match statement {
        Stmt::FunctionDef(method) if method.name.as_str() == "__post_init__" => Some(method),
        _ => None,
    });
    match existing {
        Some(method) => {
            let rest = std::mem::take(&mut method.body);
            method.body = makers.into_iter().chain(rest).collect::<Vec<Stmt>>().into();
        }
        None => {
            let after = function("__post_init__", &["self"], makers, class.name.range());
            class.body.push(Stmt::FunctionDef(after));
        }
    }
}

fn after(class: &StmtClassDef) -> Option<&StmtFunctionDef> {
    functions_in(&class.body).into_iter().find(|method| method.name.as_str() == "__post_init__")
}

fn parameter_count(method: &StmtFunctionDef) -> usize {
    super::names::parameter_names(&method.parameters).len()
}

enum Made {
    Value(Expr),
    Anew(Expr),
}

fn how_made(call: &ExprCall) -> Option<Made> {
    let keyword = |name: &str| {
        let own = call.arguments.keywords.iter().find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == name));
        own.map(|keyword| &keyword.value)
    };
    // How a record is shown is nowhere used; all else that a field may be told is not followed.
    let known = ["default", "default_factory", "repr"];
    let is_known = call.arguments.args.is_empty()
        && call
            .arguments
            .keywords
            .iter()
            .all(|keyword| keyword.arg.as_ref().is_some_and(|arg| known.contains(&&**arg)));
    match (keyword("default"), keyword("default_factory")) {
        (Some(value), None) if is_known && is_plain(value) => Some(Made::Value(value.clone())),
        (None, Some(factory)) if is_known => Some(Made::Anew(factory.clone())),
        _ => None,
    }
}

/// `if self.items == missing: self.items = list()`
fn made_if_missing(own: &str, field: &str, missing: &str, factory: Expr, range: TextRange) -> Stmt {
    let value = match factory {
        Expr::Lambda(lambda) if lambda.parameters.is_none() => *lambda.body,
        other => call(other, Vec::new(), range),
    };
    let is_missing = compare(attribute(own, field, ExprContext::Load, range), CmpOp::Eq, text(missing, range), range);
    when(is_missing, vec![assign(attribute(own, field, ExprContext::Store, range), value, range)], range)
}
