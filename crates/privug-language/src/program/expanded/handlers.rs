//! `except ValueError as e`: what a handler reads of the exception, `str(e)`, `f"{e}"`, `e.args` and `type(e).__name__`.
//!
//! The variable is renamed to one that nobody can write, which has the exception's text and its arguments; another has the name
//! of its class. A handler that does anything else with the exception is left as it is: there its variable has no value.

use ruff_python_ast::visitor::transformer::{Transformer, walk_except_handler, walk_expr, walk_stmt};
use ruff_python_ast::visitor::{Visitor, walk_expr as look_into};
use ruff_python_ast::{
    ExceptHandler, Expr, ExprCall, ExprContext, ExprNumberLiteral, Int, InterpolatedStringElement, ModModule, Number,
    Stmt,
};
use ruff_text_size::{Ranged, TextRange};

use super::names::is_bound_otherwise;
use super::nodes::{identifier, load, subscript};
use crate::program::bindings::assigned_names;
use crate::program::exceptions::class_of;

/// Writes out what handlers read of exceptions.
pub(super) fn write_out(module: &mut ModModule) {
    for statement in &mut module.body {
        Handlers.visit_stmt(statement);
    }
}

/// What the handlers of a file read of exceptions.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::program) struct Reading {
    /// Whether any of them reads something.
    pub(in crate::program) anything: bool,
    /// Whether any of them reads what an exception says.
    pub(in crate::program) texts: bool,
}

impl Reading {
    /// Looks through a file in which handlers are written out.
    pub(in crate::program) fn of(body: &[Stmt]) -> Self {
        let mut reading = Reading::default();
        reading.visit_body(body);
        reading
    }
}

impl<'t> Visitor<'t> for Reading {
    fn visit_except_handler(&mut self, handler: &'t ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.anything |= inner.name.as_ref().is_some_and(|name| name.contains(' '));
        ruff_python_ast::visitor::walk_except_handler(self, handler);
    }

    fn visit_expr(&mut self, tree: &'t Expr) {
        if let Expr::Subscript(part) = tree
            && matches!(&*part.value, Expr::Name(name) if name.id.starts_with(EXCEPTION))
        {
            self.texts |= matches!(&*part.slice, Expr::NumberLiteral(place) if place.value == Number::Int(Int::ZERO));
        }
        look_into(self, tree);
    }
}

/// What the names of exceptions begin with that are read.
pub(in crate::program) const EXCEPTION: &str = "exception ";

struct Handlers;

impl Transformer for Handlers {
    fn visit_except_handler(&self, handler: &mut ExceptHandler) {
        // Those inside come first, so that their variables are not those of this one any more.
        walk_except_handler(self, handler);
        let ExceptHandler::ExceptHandler(inner) = handler;
        let Some(name) = inner.name.clone() else { return };
        let mut uses = Uses { name: &name, all: 0, known: 0, said: 0, tries: 0, again: 0 };
        uses.visit_body(&inner.body);
        let is_bound =
            is_bound_otherwise(&inner.body, &name) || assigned_names(&inner.body, true).contains(&name.to_string());
        // Inside another `try`, `raise` alone may raise another one again.
        let is_unclear = uses.again > 0 && uses.tries > 0;
        if uses.all == 0 || uses.all != uses.known || is_bound || is_unclear {
            return;
        }
        // Where only its class is read, it need not be known what it says.
        let own = if uses.said > 0 { format!("{EXCEPTION}{name}") } else { format!("unread {name}") };
        let written = Written { name: &name, own: &own };
        for statement in &mut inner.body {
            written.visit_stmt(statement);
        }
        inner.name = Some(identifier(&own, name.range()));
    }
}

/// What an expression reads of an exception.
enum Read {
    Text,
    Arguments,
    Class,
}

fn is_name(tree: &Expr, name: &str) -> bool {
    matches!(tree, Expr::Name(found) if found.id.as_str() == name)
}

/// `str(e)`
fn is_call_of(call: &ExprCall, function: &str, name: &str) -> bool {
    is_name(&call.func, function)
        && call.arguments.keywords.is_empty()
        && matches!(&*call.arguments.args, [only] if is_name(only, name))
}

fn read(tree: &Expr, name: &str) -> Option<Read> {
    match tree {
        Expr::Call(call) if is_call_of(call, "str", name) => Some(Read::Text),
        Expr::Attribute(attribute) if attribute.attr.as_str() == "args" && is_name(&attribute.value, name) => {
            Some(Read::Arguments)
        }
        Expr::Attribute(attribute) if attribute.attr.as_str() == "__name__" => match &*attribute.value {
            Expr::Call(call) if is_call_of(call, "type", name) => Some(Read::Class),
            _ => None,
        },
        _ => None,
    }
}

/// Counts how often an exception is mentioned, and how often in a way that is known.
struct Uses<'n> {
    name: &'n str,
    all: usize,
    known: usize,
    /// How often its text or its arguments are read.
    said: usize,
    tries: usize,
    /// How often it is raised again.
    again: usize,
}

impl<'t> Visitor<'t> for Uses<'_> {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        if let Stmt::Raise(raise) = statement {
            let is_cause = raise.cause.as_deref().is_some_and(|cause| is_name(cause, self.name));
            let is_again = raise.exc.as_deref().is_some_and(|again| is_name(again, self.name));
            self.known += usize::from(is_cause) + usize::from(is_again);
            self.again += usize::from(is_again);
        }
        self.tries += usize::from(matches!(statement, Stmt::Try(_)));
        ruff_python_ast::visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, tree: &'t Expr) {
        self.all += usize::from(is_name(tree, self.name));
        let read = read(tree, self.name);
        self.known += usize::from(read.is_some());
        self.said += usize::from(matches!(read, Some(Read::Text | Read::Arguments)));
        look_into(self, tree);
    }

    fn visit_interpolated_string_element(&mut self, element: &'t InterpolatedStringElement) {
        self.known += usize::from(is_shown(element, self.name));
        self.said += usize::from(is_shown(element, self.name));
        ruff_python_ast::visitor::walk_interpolated_string_element(self, element);
    }
}

/// `{e}` in an f-string.
fn is_shown(element: &InterpolatedStringElement, name: &str) -> bool {
    match element {
        InterpolatedStringElement::Interpolation(part) => {
            is_name(&part.expression, name)
                && part.conversion.is_none()
                && part.debug_text.is_none()
                && part.format_spec.is_none()
        }
        InterpolatedStringElement::Literal(_) => false,
    }
}

struct Written<'n> {
    name: &'n str,
    own: &'n str,
}

impl Written<'_> {
    fn part(&self, place: u32, range: TextRange) -> Expr {
        let value = Number::Int(Int::from(place));
        let place = ExprNumberLiteral { node_index: Default::default(), range, value };
        subscript(load(self.own, range), Expr::NumberLiteral(place), ExprContext::Load, range)
    }
}

impl Transformer for Written<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        if let Stmt::Raise(raise) = statement {
            if raise.cause.as_deref().is_some_and(|cause| is_name(cause, self.name)) {
                raise.cause = None;
            }
            // The one that is being handled is raised again.
            if raise.exc.as_deref().is_some_and(|again| is_name(again, self.name)) {
                raise.exc = None;
            }
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&self, tree: &mut Expr) {
        let range = tree.range();
        match read(tree, self.name) {
            Some(Read::Text) => *tree = self.part(0, range),
            Some(Read::Arguments) => *tree = self.part(1, range),
            Some(Read::Class) => *tree = load(&class_of(self.own), range),
            // `{e}` in an f-string is all that is left.
            None if is_name(tree, self.name) => *tree = self.part(0, range),
            None => walk_expr(self, tree),
        }
    }
}
