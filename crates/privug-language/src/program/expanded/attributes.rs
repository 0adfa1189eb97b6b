//! What is written out as something else: `getattr(object, "name")` with the name written there is the attribute itself,
//! `xs.__getitem__`, given to a function, is a function of the place, `pd.read_csv(path, index_col="id")` is
//! `pd.read_csv(path).set_index("id")`, and `pd.pivot_table(table)` a method of the table.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr};
use ruff_python_ast::{Expr, ExprAttribute, ExprCall, ExprContext, Keyword, ModModule};

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

/// `pd.read_csv(path, index_col="id")`: the call without it, and the keys; `None` if it is something else. By a number the
/// columns are found when the file is read.
fn read_with_index(tree: &Expr) -> Option<(ExprCall, Expr)> {
    let Expr::Call(call) = tree else { return None };
    let Expr::Attribute(attribute) = &*call.func else { return None };
    let is_index = |keyword: &&Keyword| keyword.arg.as_ref().is_some_and(|name| name.as_str() == "index_col");
    let keys = call.arguments.keywords.iter().find(is_index)?;
    if !attribute.attr.starts_with("read_") || !matches!(keys.value, Expr::StringLiteral(_)) {
        return None;
    }
    let mut read = call.clone();
    read.arguments.keywords = call.arguments.keywords.iter().filter(|keyword| !is_index(keyword)).cloned().collect();
    Some((read, keys.value.clone()))
}

/// `pd.pivot_table(table, …)` as `table.pivot_table(…)`.
fn pivoted_function(tree: &Expr) -> Option<ExprCall> {
    let Expr::Call(call) = tree else { return None };
    let Expr::Attribute(attribute) = &*call.func else { return None };
    let Expr::Name(module) = &*attribute.value else { return None };
    let is_pandas = matches!(module.id.as_str(), "pd" | "pandas") && attribute.attr.as_str() == "pivot_table";
    let [table, others @ ..] = &*call.arguments.args else { return None };
    if !is_pandas || matches!(table, Expr::Starred(_)) {
        return None;
    }
    let mut method = call.clone();
    method.arguments.args = others.into();
    *method.func = Expr::Attribute(ExprAttribute { value: Box::new(table.clone()), ..attribute.clone() });
    Some(method)
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
        let range = ruff_text_size::Ranged::range(tree);
        if let Some(object) = element_of(tree) {
            let body = subscript(load(object, range), load(PLACE, range), ExprContext::Load, range);
            *tree = lambda(PLACE, body, range);
            return;
        }
        if let Some((read, keys)) = read_with_index(tree) {
            let mut call = read.clone();
            let (attr, ctx, value) = (identifier("set_index", range), ExprContext::Load, Box::new(Expr::Call(read)));
            *call.func = Expr::Attribute(ExprAttribute { node_index: Default::default(), range, value, attr, ctx });
            call.arguments.args = Box::new([keys]);
            call.arguments.keywords = Default::default();
            *tree = Expr::Call(call);
            return;
        }
        if let Some(call) = pivoted_function(tree) {
            *tree = Expr::Call(call);
            return;
        }
        let Some((object, name)) = named_attribute(tree) else { return };
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
        let is_attribute = named_attribute(tree).is_some() || element_of(tree).is_some();
        self.is_there |= is_attribute || read_with_index(tree).is_some() || pivoted_function(tree).is_some();
        ruff_python_ast::visitor::walk_expr(self, tree);
    }
}
