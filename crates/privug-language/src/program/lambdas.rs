//! Compiling functions that are values: `lambda`, and functions that are passed on by their names.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::{ExceptHandler, Expr, ExprAttribute, ExprCall, ExprLambda, ExprName, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::bindings::{assigned_names, target_names};
use super::builtin::Builtin;
use super::exceptions::caught;
use super::functions::{Body, Mentioned};
use super::instruction::{Instruction, Operand, Register};
use super::spread::named_on_the_way;
use super::stars::has_stars;
use super::{DefaultValue, FunctionId, Literal, Parameter, ResultName};
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::{Origin, parse_expression};

/// When a `lambda` is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Called {
    /// Before the call that it is an argument of ends, so that it sees its variables as they are now.
    AtOnce,
    /// At any time: what it sees must not change.
    Later,
}

impl Body<'_, '_> {
    /// `lambda x: …`: a function whose first parameters are the variables that it sees.
    pub(super) fn lambda(&mut self, lambda: &ExprLambda, called: Called, to: Option<Register>) -> Operand {
        let span = self.span(lambda.range);
        let (mut own, mut defaults): (Vec<String>, Vec<(usize, &Expr)>) = (Vec::new(), Vec::new());
        if let Some(parameters) = &lambda.parameters {
            if parameters.vararg.is_some() || parameters.kwarg.is_some() {
                let hint = "write a function with `def` at the top level";
                self.refuse(Code::Lambda, lambda, "a `lambda` with starred parameters is not supported", hint);
                return self.literal(Literal::None);
            }
            for (place, parameter) in parameters.iter_non_variadic_params().enumerate() {
                own.push(parameter.parameter.name.to_string());
                defaults.extend(parameter.default.as_deref().map(|default| (place, default)));
            }
        }
        let mut mentioned = Mentioned::default();
        ruff_python_ast::visitor::Visitor::visit_expr(&mut mentioned, &lambda.body);
        let mut seen: Vec<String> = mentioned.0.into_iter().collect();
        seen.retain(|name| !own.contains(name) && self.is_seen_by_lambdas(name));
        seen.sort_unstable();
        if called == Called::Later
            && let Some(changing) = seen.iter().find(|name| self.is_changing(name))
        {
            let message = format!("a `lambda` uses `{changing}`, which changes");
            let hint = "write a function with `def` at the top level and pass the value as an argument";
            self.refuse(Code::Lambda, lambda, message, hint);
            return self.literal(Literal::None);
        }
        let (first, count) = self.seen_values(&seen, &defaults, span);
        let all = inner_parameters(seen, own, &defaults, span);
        let function = self.inner_function(lambda, all);
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::MakeFunction { to, function, first, count }, span);
        Operand::register(to)
    }

    /// `"{:.1f}".format` as a value: a function of one argument.
    pub(super) fn format_function(&mut self, text: &str, at: &ExprAttribute, to: Option<Register>) -> Operand {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let written = format!("lambda value: \"{escaped}\".format(value)");
        let span = self.span(at.range);
        let origin = Origin { source: span.source, offset: span.start };
        match parse_expression(&written, origin) {
            Ok(Expr::Lambda(lambda)) => {
                let outer = std::mem::replace(&mut self.origin, origin);
                let function = self.lambda(&lambda, Called::Later, to);
                self.origin = outer;
                function
            }
            _ => {
                self.refused(Code::FormatSpecification, &Expr::Attribute(at.clone()), "write an f-string in a `lambda`")
            }
        }
    }

    /// `str.upper` as a value: a function that calls it.
    pub(super) fn text_function(&mut self, at: &ExprAttribute, to: Option<Register>) -> Option<Operand> {
        const METHODS: &[&str] = &["upper", "lower", "strip", "lstrip", "rstrip", "title", "capitalize"];
        let Expr::Name(name) = &*at.value else { return None };
        let is_own = self.checker.names.globals.contains_key("str") || self.variable("str").is_some();
        if name.id.as_str() != "str" || is_own || !METHODS.contains(&at.attr.as_str()) {
            return None;
        }
        let span = self.span(at.range);
        let origin = Origin { source: span.source, offset: span.start };
        let Ok(Expr::Lambda(lambda)) = parse_expression(&format!("lambda text: text.{}()", at.attr), origin) else {
            return None;
        };
        let outer = std::mem::replace(&mut self.origin, origin);
        let function = self.lambda(&lambda, Called::Later, to);
        self.origin = outer;
        Some(function)
    }

    /// A class as a value, such as `type=Path`: a function that makes an object of one argument.
    pub(super) fn class_function(&mut self, name: &ExprName, to: Option<Register>) -> Option<Operand> {
        let class = self.checker.names.classes.get(name.id.as_str())?;
        let (_, init) = self.checker.program.classes[class.0 as usize].method("__init__")?;
        let parameters = &self.checker.signatures.get(&init)?;
        let needed = parameters.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        // `self`, and one more or any number of them.
        if needed != 2 && !(needed == 1 && parameters.starred) {
            return None;
        }
        let span = self.span(name.range);
        let origin = Origin { source: span.source, offset: span.start };
        let Ok(Expr::Lambda(lambda)) = parse_expression(&format!("lambda value: {}(value)", name.id), origin) else {
            return None;
        };
        let outer = std::mem::replace(&mut self.origin, origin);
        let function = self.lambda(&lambda, Called::Later, to);
        self.origin = outer;
        Some(function)
    }

    /// Puts the variables that a function sees, and the defaults of its parameters, into a row of registers.
    fn seen_values(&mut self, seen: &[String], defaults: &[(usize, &Expr)], span: Span) -> (Register, u32) {
        let count = (seen.len() + defaults.len()) as u32;
        let first = self.temporaries(count);
        for (name, register) in seen.iter().zip(first..) {
            if let Some(from) = self.variable(name) {
                self.emit(Instruction::Move { to: register, from: Operand::register(from) }, span);
            }
        }
        for ((_, default), register) in defaults.iter().zip(first + seen.len() as u32..) {
            self.scratch(|body| body.expression_into(default, register));
        }
        (first, count)
    }

    /// `def` inside a function: like a `lambda`, it is given the variables that it sees, which must not change.
    pub(super) fn nested_definition(&mut self, definition: &StmtFunctionDef) {
        let parameters = &definition.parameters;
        let is_plain = !definition.is_async && definition.decorator_list.is_empty();
        if self.is_module() || !is_plain {
            let message = "a function inside a function or branch has decorators, or is at module level";
            let hint = "move it to the top level and pass what it needs as arguments";
            self.refuse(Code::NestedFunction, &definition.name, message, hint);
            return;
        }
        let name = definition.name.to_string();
        let (mut own, mut defaults): (Vec<String>, Vec<(usize, &Expr)>) = (Vec::new(), Vec::new());
        for (place, parameter) in parameters.iter_non_variadic_params().enumerate() {
            own.push(parameter.parameter.name.to_string());
            defaults.extend(parameter.default.as_deref().map(|default| (place, default)));
        }
        let stars: Vec<String> =
            [&parameters.vararg, &parameters.kwarg].into_iter().flatten().map(|star| star.name.to_string()).collect();
        let assigned = assigned_names(&definition.body, true);
        let mut mentioned = Mentioned::default();
        for statement in &definition.body {
            ruff_python_ast::visitor::Visitor::visit_stmt(&mut mentioned, statement);
        }
        let is_own = |name: &String| own.contains(name) || stars.contains(name) || assigned.contains(name);
        let mut seen: Vec<String> = mentioned.0.into_iter().collect();
        seen.retain(|name| !is_own(name) && self.is_seen_by_lambdas(name));
        seen.sort_unstable();
        let changing = seen.iter().find(|seen| **seen == name || self.is_changing(seen));
        if let Some(changing) = changing {
            let message = if *changing == name {
                format!("`{name}` calls itself inside a function")
            } else {
                format!("`{name}` uses `{changing}`, which changes")
            };
            let hint = "move it to the top level and pass what it needs as arguments";
            self.refuse(Code::NestedFunction, &definition.name, message, hint);
            return;
        }
        let span = self.span(definition.name.range());
        let (first, count) = self.seen_values(&seen, &defaults, span);
        let mut all = inner_parameters(seen, own, &defaults, span);
        let keyword_only = parameters.kwonlyargs.len();
        all.iter_mut().rev().take(keyword_only).for_each(|parameter| parameter.keyword_only = true);
        let function = Body::function(self.checker, self.origin, definition, all);
        let function = self.checker.add_inner(function);
        if let Some(to) = self.variable(&name) {
            self.emit(Instruction::MakeFunction { to, function, first, count }, span);
        }
    }

    /// Whether a name is a variable that a `lambda` here must be given; those of the module it finds for itself.
    fn is_seen_by_lambdas(&self, name: &str) -> bool {
        let in_scope = self.scopes.iter().any(|scope| scope.contains_key(name));
        in_scope || (self.variable(name).is_some() && !self.is_module())
    }

    fn is_changing(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.contains_key(name)) || self.changing.contains(name)
    }

    fn inner_function(&mut self, lambda: &ExprLambda, parameters: Vec<Parameter>) -> FunctionId {
        let (origin, span) = (self.origin, self.span(lambda.range));
        let names = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let mut body = Body::inner(self.checker, origin, names);
        let value = body.expression(&lambda.body, None);
        body.return_value(value, ResultName::Text("return".to_owned()), span);
        let function = body.finish("<lambda>", span, parameters);
        self.checker.add_inner(function)
    }

    /// A function of the file or of the language as a value.
    pub(super) fn function_value(&mut self, function: FunctionValue, at: impl Ranged, to: Option<Register>) -> Operand {
        let span = self.span(at.range());
        let to = to.unwrap_or_else(|| self.temporary());
        let instruction = match function {
            FunctionValue::OfFile(function) => Instruction::MakeFunction { to, function, first: 0, count: 0 },
            FunctionValue::OfLanguage(builtin) => Instruction::MakeBuiltin { to, builtin },
        };
        self.emit(instruction, span);
        Operand::register(to)
    }

    /// A call of something that is not a name of a function: a variable that holds one.
    pub(super) fn call_value(&mut self, call: &ExprCall, to: Option<Register>) -> Operand {
        let span = self.span(call.range());
        let callee = match &*call.func {
            Expr::Lambda(lambda) => self.lambda(lambda, Called::AtOnce, None),
            other => self.expression(other, None),
        };
        if has_stars(&call.arguments) {
            return self.call_spread(callee, None, (None, &call.arguments), call.range(), to);
        }
        match self.plain_arguments(&call.arguments) {
            Some((first, shape)) => {
                self.emit(Instruction::Move { to: first, from: callee }, span);
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::CallValue { to, shape, first }, span);
                Operand::register(to)
            }
            None => self.literal(Literal::None),
        }
    }

    /// `map(f, xs)` and `filter(f, xs)` are gone through at once here; Python waits until somebody asks.
    pub(super) fn refuse_lazy(&mut self, builtin: Builtin, call: &ExprCall) -> bool {
        if !builtin.waits() || std::mem::take(&mut self.is_consumed) {
            return false;
        }
        let message = "an iterator is stored, and would be evaluated later";
        let hint = "write a list: `[f(x) for x in xs]`, `list(map(f, xs))`";
        self.refuse(Code::FunctionAsValue, call, message, hint);
        true
    }
}

/// The parameters of a function inside another: what it sees, the defaults of its own parameters, and these.
fn inner_parameters(seen: Vec<String>, own: Vec<String>, defaults: &[(usize, &Expr)], span: Span) -> Vec<Parameter> {
    let parameter = |name: String| Parameter { name, span, default: None, keyword_only: false };
    let count = seen.len();
    // No name of a program begins like this.
    let hidden = (0..defaults.len()).map(|place| format!("\0{place}"));
    let mut all: Vec<Parameter> = seen.into_iter().chain(hidden).chain(own).map(parameter).collect();
    for (at, (place, _)) in defaults.iter().enumerate() {
        all[count + defaults.len() + place].default = Some(DefaultValue::Seen((count + at) as u32));
    }
    all
}

/// A function that is not called where it stands.
#[derive(Clone, Copy)]
pub(super) enum FunctionValue {
    OfFile(FunctionId),
    OfLanguage(Builtin),
}

/// The variables of a body that may have several values while it runs.
pub(super) fn changing_names(statements: &[Stmt], parameters: &[Parameter]) -> HashSet<String> {
    let mut counts: HashMap<String, usize> = parameters.iter().map(|parameter| (parameter.name.clone(), 1)).collect();
    count_bindings(statements, 1, &mut counts);
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect()
}

/// `weight` is 2 inside loops, where one assignment is many.
fn count_bindings(statements: &[Stmt], weight: usize, counts: &mut HashMap<String, usize>) {
    let mut bind = |names: Vec<String>, weight: usize| {
        for name in names {
            *counts.entry(name).or_insert(0) += weight;
        }
    };
    for name in named_on_the_way(statements) {
        bind(vec![name.to_owned()], 2);
    }
    for statement in statements {
        match statement {
            Stmt::Assign(assign) => assign.targets.iter().for_each(|target| bind(target_names(target), weight)),
            Stmt::AugAssign(assign) => bind(target_names(&assign.target), 2),
            Stmt::AnnAssign(assign) => bind(target_names(&assign.target), weight),
            Stmt::For(loop_) => bind(target_names(&loop_.target), 2),
            Stmt::FunctionDef(definition) => bind(vec![definition.name.to_string()], weight),
            _ => {}
        }
    }
    for statement in statements {
        match statement {
            Stmt::For(loop_) => {
                count_bindings(&loop_.body, 2, counts);
                count_bindings(&loop_.orelse, weight, counts);
            }
            Stmt::If(branch) => {
                count_bindings(&branch.body, weight, counts);
                branch.elif_else_clauses.iter().for_each(|clause| count_bindings(&clause.body, weight, counts));
            }
            Stmt::While(loop_) => {
                count_bindings(&loop_.body, 2, counts);
                count_bindings(&loop_.orelse, weight, counts);
            }
            Stmt::Match(match_) => match_.cases.iter().for_each(|case| count_bindings(&case.body, weight, counts)),
            Stmt::With(with) => count_bindings(&with.body, weight, counts),
            Stmt::Try(attempt) => {
                let handlers = caught(attempt).iter();
                let handlers = handlers.map(|ExceptHandler::ExceptHandler(handler)| &handler.body);
                for body in handlers.chain([&attempt.body, &attempt.orelse, &attempt.finalbody]) {
                    count_bindings(body, weight, counts);
                }
            }
            // Everything else with a body is refused as a whole, or has no variables of this one.
            _ => {}
        }
    }
}
