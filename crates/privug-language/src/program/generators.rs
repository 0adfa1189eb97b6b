//! Functions that `yield`: they are run to their end when they are called, and what they gave is gone through after that.
//!
//! Python runs them while somebody goes through what they give. Nobody can tell the difference where they change nothing that
//! others see, and nobody changes what they see before they have come to their end. Both are looked for here, in the text.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, Expr, ExprCall, ExprContext, Identifier, Stmt, StmtFor, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::bindings::{assigned_names, target_names};
use super::functions::{Body, Mentioned};
use super::instruction::{Instruction, Register};
use super::methods::Method;
use super::{Literal, Operand, ResultName};
use crate::diagnostic::Code;

/// Methods that change their object.
const CHANGING: &[&str] = &[
    "add",
    "append",
    "appendleft",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];

/// Functions that go through what they are given later, if somebody goes through what they give.
const LATER: &[&str] = &["enumerate", "zip", "map", "filter", "islice", "chain", "takewhile", "dropwhile", "starmap"];

/// Functions that go through what they are given at once.
const AT_ONCE: &[&str] =
    &["list", "tuple", "set", "dict", "frozenset", "sum", "min", "max", "sorted", "any", "all", "next", "fsum", "mean"];

/// What is known of the generators of a file, by the names of their functions.
#[derive(Default)]
pub(super) struct Generators {
    /// What each mentions.
    functions: HashMap<String, HashSet<String>>,
    /// All functions and methods of the file.
    defined: HashSet<String>,
    /// The calls of them whose values are gone through at once.
    at_once: HashSet<TextRange>,
    /// Where they are used as values.
    as_values: HashSet<TextRange>,
}

impl Generators {
    pub(super) fn of(statements: &[Stmt]) -> Self {
        let mut found = Definitions::default();
        statements.iter().for_each(|statement| found.visit_stmt(statement));
        let (functions, defined) = (found.0, found.1);
        let mut uses = Uses { generators: Generators { functions, defined, ..Generators::default() } };
        if !uses.generators.functions.is_empty() {
            statements.iter().for_each(|statement| uses.visit_stmt(statement));
        }
        uses.generators
    }

    /// Whether the function of a name yields.
    pub(super) fn is_generator(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// The generator that a call calls.
    fn called<'t>(&self, call: &'t ExprCall) -> Option<&'t str> {
        called_name(call).filter(|name| self.functions.contains_key(*name))
    }
}

fn called_name(call: &ExprCall) -> Option<&str> {
    match &*call.func {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}

/// The functions that yield.
#[derive(Default)]
struct Definitions(HashMap<String, HashSet<String>>, HashSet<String>);

impl<'t> Visitor<'t> for Definitions {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        if let Stmt::FunctionDef(definition) = statement {
            self.1.insert(definition.name.to_string());
        }
        if let Stmt::FunctionDef(definition) = statement
            && yields(&definition.body)
        {
            let mut mentioned = Mentioned::default();
            definition.body.iter().for_each(|statement| mentioned.visit_stmt(statement));
            self.0.entry(definition.name.to_string()).or_default().extend(mentioned.0);
        }
        visitor::walk_stmt(self, statement);
    }
}

/// Whether a function yields; not one inside it.
pub(super) fn yields(body: &[Stmt]) -> bool {
    struct Found(bool);
    impl<'t> Visitor<'t> for Found {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            if !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                visitor::walk_stmt(self, statement);
            }
        }

        fn visit_expr(&mut self, tree: &'t Expr) {
            self.0 |= matches!(tree, Expr::Yield(_) | Expr::YieldFrom(_));
            if !matches!(tree, Expr::Lambda(_)) {
                visitor::walk_expr(self, tree);
            }
        }
    }
    let mut found = Found(false);
    body.iter().for_each(|statement| found.visit_stmt(statement));
    found.0
}

/// Where generators are used.
struct Uses {
    generators: Generators,
}

impl Uses {
    /// Notes that a value is gone through at once, and what it goes through for that.
    fn goes_through(&mut self, tree: &Expr) {
        let Expr::Call(call) = tree else { return };
        if self.generators.called(call).is_some() {
            self.generators.at_once.insert(call.range());
        } else if called_name(call).is_some_and(|name| LATER.contains(&name)) {
            call.arguments.args.iter().for_each(|argument| self.goes_through(argument));
        }
    }

    /// All names that a loop's iterable depends on, if it goes through a generator.
    fn sources(&self, tree: &Expr) -> HashSet<String> {
        struct Sources<'g>(&'g Generators, HashSet<String>, bool);
        impl<'t> Visitor<'t> for Sources<'_> {
            fn visit_expr(&mut self, tree: &'t Expr) {
                match tree {
                    Expr::Call(call) => {
                        if let Some(name) = self.0.called(call) {
                            self.2 = true;
                            self.1.extend(self.0.functions[name].iter().cloned());
                        }
                    }
                    Expr::Name(name) => {
                        self.1.insert(name.id.to_string());
                    }
                    _ => {}
                }
                visitor::walk_expr(self, tree);
            }
        }
        let mut sources = Sources(&self.generators, HashSet::new(), false);
        sources.visit_expr(tree);
        if sources.2 { sources.1 } else { HashSet::new() }
    }

    fn loop_over(&mut self, loop_: &StmtFor) {
        let sources = self.sources(&loop_.iter);
        let mut changed = Changed::default();
        loop_.body.iter().for_each(|statement| changed.visit_stmt(statement));
        if sources.is_disjoint(&changed.0) {
            self.goes_through(&loop_.iter);
        }
    }
}

impl<'t> Visitor<'t> for Uses {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        if let Stmt::For(loop_) = statement {
            self.loop_over(loop_);
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_comprehension(&mut self, comprehension: &'t Comprehension) {
        self.goes_through(&comprehension.iter);
        visitor::walk_comprehension(self, comprehension);
    }

    fn visit_expr(&mut self, tree: &'t Expr) {
        match tree {
            Expr::YieldFrom(inner) => self.goes_through(&inner.value),
            Expr::Starred(starred) => self.goes_through(&starred.value),
            Expr::Call(call) => {
                // Methods and functions of modules keep nothing for later, but for those that are listed.
                let is_method = matches!(&*call.func, Expr::Attribute(_));
                let at_once = |name: &str| is_method && !LATER.contains(&name) || AT_ONCE.contains(&name);
                if called_name(call).is_some_and(|name| at_once(name) && !self.generators.defined.contains(name)) {
                    call.arguments.args.iter().for_each(|argument| self.goes_through(argument));
                }
                call.arguments.args.iter().for_each(|argument| self.visit_expr(argument));
                call.arguments.keywords.iter().for_each(|keyword| self.visit_expr(&keyword.value));
                match &*call.func {
                    Expr::Name(_) => {}
                    Expr::Attribute(attribute) => self.visit_expr(&attribute.value),
                    other => self.visit_expr(other),
                }
                return;
            }
            Expr::Name(name) if name.ctx == ExprContext::Load && self.generators.is_generator(&name.id) => {
                self.generators.as_values.insert(name.range);
            }
            Expr::Attribute(attribute) if self.generators.is_generator(&attribute.attr) => {
                self.generators.as_values.insert(attribute.range);
            }
            _ => {}
        }
        visitor::walk_expr(self, tree);
    }
}

/// The names whose values may be other ones, or may have changed, after some statements.
#[derive(Default)]
struct Changed(HashSet<String>);

impl Changed {
    fn root(&mut self, tree: &Expr) {
        match tree {
            Expr::Name(name) => {
                self.0.insert(name.id.to_string());
            }
            Expr::Attribute(attribute) => self.root(&attribute.value),
            Expr::Subscript(subscript) => self.root(&subscript.value),
            Expr::Starred(starred) => self.root(&starred.value),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|part| self.root(part)),
            Expr::List(list) => list.elts.iter().for_each(|part| self.root(part)),
            Expr::Call(call) => self.root(&call.func),
            _ => {}
        }
    }
}

impl<'t> Visitor<'t> for Changed {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        match statement {
            Stmt::Assign(assign) => assign.targets.iter().for_each(|target| self.root(target)),
            Stmt::AugAssign(assign) => self.root(&assign.target),
            Stmt::AnnAssign(assign) => self.root(&assign.target),
            Stmt::Delete(delete) => delete.targets.iter().for_each(|target| self.root(target)),
            Stmt::For(loop_) => self.root(&loop_.target),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, tree: &'t Expr) {
        if let Expr::Call(call) = tree {
            match &*call.func {
                Expr::Attribute(attribute) => {
                    let is_in_place = |name: &Identifier| name.as_str() == "inplace";
                    let in_place =
                        call.arguments.keywords.iter().any(|keyword| keyword.arg.as_ref().is_some_and(is_in_place));
                    if CHANGING.contains(&attribute.attr.as_str()) || in_place {
                        self.root(&attribute.value);
                    }
                }
                // A function of the program may change what it is given.
                _ => call.arguments.args.iter().for_each(|argument| self.root(argument)),
            }
        }
        visitor::walk_expr(self, tree);
    }
}

impl Body<'_, '_> {
    /// Makes room for what a function yields, if it does.
    pub(super) fn begin_generator(&mut self, definition: &StmtFunctionDef) {
        if !yields(&definition.body) {
            return;
        }
        let span = self.span(definition.name.range());
        let list = self.temporary();
        self.emit(Instruction::NewList { to: list }, span);
        self.yielded = Some(list);
        let own: HashSet<String> = assigned_names(&definition.body, true).into_iter().collect();
        let mut changed = Kept::default();
        definition.body.iter().for_each(|statement| changed.visit_stmt(statement));
        if let Some((name, at)) = changed.0.iter().find(|(name, _)| !own.contains(name.as_str())) {
            let message = format!("`{name}`, which is visible elsewhere, is changed by a generator function");
            self.refuse(Code::Yield, *at, message, "collect the values in a list and return it");
        }
        let changed: HashSet<String> = changed.0.into_iter().map(|(name, _)| name).collect();
        self.refuse_changed_later(&definition.body, &changed, true);
    }

    /// What was yielded and is changed after that is seen changed by some and not by others.
    fn refuse_changed_later(&mut self, block: &[Stmt], changed: &HashSet<String>, is_last: bool) {
        for (place, statement) in block.iter().enumerate() {
            let last = is_last && place + 1 == block.len();
            let inner: Vec<&[Stmt]> = match statement {
                Stmt::Expr(expression) => {
                    if let Expr::Yield(given) = &*expression.value
                        && let Some(name) = given.value.as_deref().and_then(|value| shown_as_it_is(value, changed))
                    {
                        let next = block.get(place + 1);
                        let is_new = matches!(next, Some(Stmt::Assign(assign))
                            if assign.targets.iter().flat_map(target_names).any(|target| target == name));
                        if !is_new && !last {
                            let message = format!("`{name}` is yielded, and may be changed afterwards");
                            self.refuse(Code::Yield, &*expression.value, message, "yield a copy: `list(...)`");
                        }
                    }
                    continue;
                }
                Stmt::For(loop_) => vec![&loop_.body, &loop_.orelse],
                Stmt::While(loop_) => vec![&loop_.body, &loop_.orelse],
                Stmt::If(branch) => {
                    let blocks = std::iter::once(&branch.body);
                    let blocks = blocks.chain(branch.elif_else_clauses.iter().map(|clause| &clause.body));
                    for block in blocks {
                        self.refuse_changed_later(block, changed, last);
                    }
                    continue;
                }
                Stmt::With(with) => vec![&with.body],
                Stmt::Try(attempt) => vec![&attempt.body, &attempt.orelse, &attempt.finalbody],
                Stmt::Match(match_) => match_.cases.iter().map(|case| case.body.as_slice()).collect(),
                _ => continue,
            };
            inner.into_iter().for_each(|block| self.refuse_changed_later(block, changed, false));
        }
    }

    /// `yield value` and `yield from values` as statements; false for everything else.
    pub(super) fn yield_statement(&mut self, tree: &Expr) -> bool {
        let Some(list) = self.yielded else { return false };
        let span = self.span(tree.range());
        match tree {
            Expr::Yield(given) => {
                let value = match &given.value {
                    Some(value) => self.expression(value, None),
                    None => self.literal(Literal::None),
                };
                self.emit(Instruction::Append { list, value }, span);
                true
            }
            Expr::YieldFrom(inner) => {
                self.add_all(Method::Extend, list, &inner.value);
                true
            }
            _ => false,
        }
    }

    /// The end of a generator: what it yielded, to be gone through once.
    pub(super) fn end_generator(&mut self, list: Register, span: crate::source::Span) {
        self.emit(Instruction::MakeIterator { list }, span);
        self.return_value(Operand::register(list), ResultName::Text("return".to_owned()), span);
    }

    /// `return` before the end: what was yielded so far is copied, because the function may go on in other worlds.
    pub(super) fn leave_generator(&mut self, list: Register, span: crate::source::Span) {
        let copy = self.temporary();
        self.emit(Instruction::Move { to: copy, from: Operand::register(list) }, span);
        self.emit_list(copy, span);
        self.end_generator(copy, span);
    }

    /// Refuses a call of a generator where it is not known that it is gone through at once.
    pub(super) fn refuse_generator_call(&mut self, call: &ExprCall) {
        let generators = &self.checker.generators;
        if self.checker.in_written || generators.called(call).is_none() || generators.at_once.contains(&call.range()) {
            return;
        }
        let hint = "consume it immediately: `list(...)`, or a loop that changes nothing that it depends on";
        let message = "a generator is stored, and would run later";
        self.refuse(Code::Yield, call, message, hint);
    }

    /// Refuses a function that yields as a value.
    pub(super) fn refuse_generator_value(&mut self, at: TextRange) {
        if !self.checker.in_written && self.checker.generators.as_values.contains(&at) {
            let hint = "call it, and consume its values immediately: `list(...)`";
            self.refuse(Code::Yield, at, "a generator function is used as a value", hint);
        }
    }
}

/// The name of a changed variable that is given away as it is.
fn shown_as_it_is(tree: &Expr, changed: &HashSet<String>) -> Option<String> {
    match tree {
        Expr::Name(name) => changed.contains(name.id.as_str()).then(|| name.id.to_string()),
        Expr::Tuple(tuple) => tuple.elts.iter().find_map(|part| shown_as_it_is(part, changed)),
        Expr::List(list) => list.elts.iter().find_map(|part| shown_as_it_is(part, changed)),
        Expr::Dict(dict) => dict.items.iter().find_map(|item| shown_as_it_is(&item.value, changed)),
        Expr::Attribute(attribute) => shown_as_it_is(&attribute.value, changed),
        Expr::Subscript(subscript) => shown_as_it_is(&subscript.value, changed),
        _ => None,
    }
}

/// The variables whose values are changed where they are, and the places.
#[derive(Default)]
struct Kept(Vec<(String, TextRange)>);

impl Kept {
    fn note(&mut self, tree: &Expr) {
        let mut root = Changed::default();
        root.root(tree);
        self.0.extend(root.0.into_iter().map(|name| (name, tree.range())));
    }
}

impl<'t> Visitor<'t> for Kept {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        let is_place = |target: &&Expr| matches!(target, Expr::Subscript(_) | Expr::Attribute(_));
        match statement {
            Stmt::Assign(assign) => assign.targets.iter().filter(is_place).for_each(|target| self.note(target)),
            Stmt::AugAssign(assign) => {
                // Numbers are added to numbers; a list is made longer.
                let adds_a_list = matches!(&*assign.value, Expr::List(_) | Expr::ListComp(_));
                if is_place(&&*assign.target) || adds_a_list {
                    self.note(&assign.target);
                }
            }
            Stmt::Delete(delete) => delete.targets.iter().for_each(|target| self.note(target)),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, tree: &'t Expr) {
        if let Expr::Call(call) = tree
            && let Expr::Attribute(attribute) = &*call.func
            && CHANGING.contains(&attribute.attr.as_str())
        {
            self.note(&attribute.value);
        }
        visitor::walk_expr(self, tree);
    }
}
