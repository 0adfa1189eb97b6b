//! `getattr(object, "name")` with the name written there: the attribute itself. `xs.__getitem__`, given to a function: a function
//! of the place.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr};
use ruff_python_ast::{Expr, ExprAttribute, ExprContext, ModModule};

use super::names::functions_in;
use super::nodes::{identifier, lambda, load, subscript};

/// Writes all of them out, unless the file has a `getattr` of its own.
pub(super) fn write_out(module: &mut ModModule) {
    if functions_in(&module.body).iter().any(|definition| definition.name.as_str() == "getattr") {
        return;
    }
    for statement in &mut module.body {
        Written.visit_stmt(statement);
    }
}

/// The object and the name; `None` if it is something else.
pub(super) fn named_attribute(tree: &Expr) -> Option<(&Expr, &str)> {
    let Expr::Call(call) = tree else { return None };
    let is_getattr = matches!(&*call.func, Expr::Name(name) if name.id.as_str() == "getattr");
    match (&*call.arguments.args, call.arguments.keywords.is_empty()) {
        ([object, Expr::StringLiteral(name)], true) if is_getattr && is_name(name.value.to_str()) => {
            Some((object, name.value.to_str()))
        }
        _ => None,
    }
}

/// What the parameter of a function is called that stands for `xs.__getitem__`.
const PLACE: &str = "place of an element";

/// The variable of `xs.__getitem__`.
fn element_of(tree: &Expr) -> Option<&str> {
    match tree {
        Expr::Attribute(attribute) if attribute.attr.as_str() == "__getitem__" => match &*attribute.value {
            Expr::Name(name) => Some(name.id.as_str()),
            _ => None,
        },
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

struct Written;

impl Transformer for Written {
    fn visit_expr(&self, tree: &mut Expr) {
        if let Expr::Call(call) = tree
            && let (Some(object), [index], []) =
                (element_of(&call.func), &*call.arguments.args, &*call.arguments.keywords)
        {
            let range = ruff_text_size::Ranged::range(&*call);
            let element = subscript(load(object, range), index.clone(), ExprContext::Load, range);
            *tree = element;
        }
        walk_expr(self, tree);
        if let Some(object) = element_of(tree) {
            let range = ruff_text_size::Ranged::range(tree);
            let body = subscript(load(object, range), load(PLACE, range), ExprContext::Load, range);
            *tree = lambda(PLACE, body, range);
        }
        let Some((object, name)) = named_attribute(tree) else { return };
        let range = ruff_text_size::Ranged::range(tree);
        let (value, attr) = (Box::new(object.clone()), identifier(name, range));
        let ctx = ExprContext::Load;
        *tree = Expr::Attribute(ExprAttribute { node_index: Default::default(), range, value, attr, ctx });
    }
}

/// Looks for one.
#[derive(Default)]
pub(super) struct Named {
    pub(super) is_there: bool,
}

impl<'t> Visitor<'t> for Named {
    fn visit_expr(&mut self, tree: &'t Expr) {
        self.is_there |= named_attribute(tree).is_some() || element_of(tree).is_some();
        ruff_python_ast::visitor::walk_expr(self, tree);
    }
}
