//! Compiling what spreads values, names them on the way or takes them away: `*xs`, `:=`, `del`, `raise`, and methods that
//! are passed on.

use std::collections::HashSet;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprAttribute, ExprCall, ExprNamed, Stmt, StmtDelete};
use ruff_text_size::{Ranged, TextRange};

use super::builtin::Builtin;
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use super::lambdas::FunctionValue;
use super::methods::{METHODS, Method};
use super::{Literal, Parameter, ResultName};
use crate::diagnostic::Code;
use crate::source::Span;

impl Body<'_, '_> {
    /// A method of a value in a register, whose arguments stand behind it.
    fn emit_method(&mut self, method: Method, first: Register, count: u32, to: Register, at: TextRange) {
        let span = self.span(at);
        let shape = self.positional_shape(count, span);
        self.emit(Instruction::CallMethod { to, method, shape, first }, span);
    }

    /// Makes a list of what is in a register.
    pub(super) fn emit_list(&mut self, register: Register, span: Span) {
        let shape = self.positional_shape(1, span);
        self.emit(Instruction::CallBuiltin { to: register, builtin: Builtin::List, shape, first: register }, span);
    }

    /// Adds what `container.method(part)` adds to a list or dictionary that is being written out.
    pub(super) fn add_all(&mut self, method: Method, container: Register, part: &Expr) {
        self.scratch(|body| {
            let first = body.temporaries(2);
            let span = body.span(part.range());
            body.expression_into(part, first + 1);
            body.emit(Instruction::Move { to: first, from: Operand::register(container) }, span);
            let nothing = body.temporary();
            body.emit_method(method, first, 1, nothing, part.range());
        });
    }

    /// `first, *rest = value`
    pub(super) fn unpack_starred(&mut self, targets: &[Expr], value: Operand, whole: &Expr) {
        let is_starred = |target: &&Expr| matches!(target, Expr::Starred(_));
        let (count, stars) = (targets.len() as u32, targets.iter().filter(is_starred).count());
        let before = targets.iter().take_while(|target| !is_starred(target)).count() as u32;
        if stars != 1 {
            let hint = "only one of the names may collect the others";
            return self.refuse_construct(Code::StarArguments, whole, hint);
        }
        let first = self.temporaries(count);
        let span = self.span(whole.range());
        self.emit(Instruction::UnpackRest { from: value, first, before, after: count - before - 1 }, span);
        for (target, register) in targets.iter().zip(first..) {
            let target = if let Expr::Starred(starred) = target { &*starred.value } else { target };
            self.assign(target, Operand::register(register));
        }
    }

    /// `name := value`
    pub(super) fn named(&mut self, named: &ExprNamed) -> Operand {
        let register = match &*named.target {
            Expr::Name(name) => self.variables.get(name.id.as_str()).copied(),
            _ => None,
        };
        let Some(register) = register else {
            self.refuse_construct(Code::Walrus, named, "assign on a line of its own");
            return self.literal(Literal::None);
        };
        let span = self.span(named.range());
        // What it gives is the value as it is now; the variable may change before that is used.
        let value = self.temporary();
        self.expression_into(&named.value, value);
        self.emit(Instruction::Move { to: register, from: Operand::register(value) }, span);
        Operand::register(value)
    }

    /// `queue.popleft()` and `queue.appendleft(x)`: the first element of a `deque` is that of a list; `None` if it is another
    /// method.
    pub(super) fn at_the_left_end(
        &mut self,
        attribute: &ExprAttribute,
        call: &ExprCall,
        to: Option<Register>,
    ) -> Option<Operand> {
        let (method, count) = match (attribute.attr.as_str(), &*call.arguments.args) {
            ("popleft", []) => (Method::Pop, 1),
            ("appendleft", [_]) => (Method::Insert, 2),
            _ => return None,
        };
        // A class may have such a method too; then it is seen in the run what it is.
        if !call.arguments.keywords.is_empty() || self.is_member(&attribute.attr) {
            return None;
        }
        let span = self.span(call.range());
        let object = self.expression(&attribute.value, None);
        let first = self.temporaries(3);
        if let Some(value) = call.arguments.args.first() {
            self.expression_into(value, first + 2);
        }
        let start = self.literal(Literal::Integer("0".to_owned()));
        self.emit(Instruction::Move { to: first, from: object }, span);
        self.emit(Instruction::Move { to: first + 1, from: start }, span);
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit_method(method, first, count, to, call.range());
        Some(Operand::register(to))
    }

    /// `del xs[i]`, which is `xs.pop(i)`.
    pub(super) fn delete(&mut self, statement: &StmtDelete) {
        for target in &statement.targets {
            match target {
                Expr::Subscript(subscript) if !matches!(&*subscript.slice, Expr::Slice(_) | Expr::Tuple(_)) => {
                    let first = self.temporaries(2);
                    let span = self.span(target.range());
                    let object = self.expression(&subscript.value, None);
                    self.expression_into(&subscript.slice, first + 1);
                    self.emit(Instruction::Move { to: first, from: object }, span);
                    let nothing = self.temporary();
                    self.emit_method(Method::Pop, first, 1, nothing, target.range());
                }
                Expr::Subscript(_) => {
                    let hint = "write what remains: `xs = xs[:a] + xs[b:]`";
                    self.refuse_construct(Code::Delete, target, hint);
                }
                _ => self.refuse_construct(
                    Code::Delete,
                    target,
                    "remove it: only elements of lists and dictionaries are deleted",
                ),
            }
        }
    }

    /// The method that `counts.get` names where it is not called.
    fn method_of(&self, attribute: &ExprAttribute) -> Option<Method> {
        if self.is_module_name(&attribute.value) {
            return None;
        }
        METHODS.iter().find(|(known, _)| *known == attribute.attr.as_str()).map(|(_, method)| *method)
    }

    /// `key=counts.get`: a function of one value that calls a method of the object as it is now; `None` if it is none.
    pub(super) fn bound_method(&mut self, tree: &Expr) -> Option<Operand> {
        let Expr::Attribute(attribute) = tree else { return None };
        let method = self.method_of(attribute)?;
        let span = self.span(tree.range());
        // `str.lower` is a method of the value itself.
        let of_type = match &*attribute.value {
            Expr::Name(name) => {
                let is_free =
                    self.variable(&name.id).is_none() && !self.checker.names.globals.contains_key(name.id.as_str());
                is_free && matches!(name.id.as_str(), "str" | "list" | "dict" | "set")
            }
            _ => false,
        };
        let names: Vec<String> =
            if of_type { vec!["object"] } else { vec!["object", "value"] }.into_iter().map(str::to_owned).collect();
        let parameter = |name: &String| Parameter { name: name.clone(), span, default: None, keyword_only: false };
        let parameters: Vec<Parameter> = names.iter().map(parameter).collect();
        let origin = self.origin;
        let count = names.len() as u32 - 1;
        let mut body = Body::inner(self.checker, origin, names);
        let to = body.temporary();
        body.emit_method(method, 0, count, to, tree.range());
        body.return_value(Operand::register(to), ResultName::Text("return".to_owned()), span);
        let function = body.finish("<method>", span, parameters);
        let function = self.checker.add_inner(function);
        let to = self.temporary();
        if of_type {
            return Some(self.function_value(FunctionValue::OfFile(function), attribute, Some(to)));
        }
        let first = self.temporary();
        self.expression_into(&attribute.value, first);
        self.emit(Instruction::MakeFunction { to, function, first, count: 1 }, span);
        Some(Operand::register(to))
    }
}

/// The names that `:=` gives values to; those in a `lambda` are its own.
#[derive(Default)]
pub(super) struct NamedOnTheWay<'t> {
    pub(super) names: Vec<&'t str>,
}

impl<'t> Visitor<'t> for NamedOnTheWay<'t> {
    fn visit_expr(&mut self, tree: &'t Expr) {
        match tree {
            Expr::Lambda(_) => return,
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.names.push(&name.id);
                }
            }
            _ => {}
        }
        walk_expr(self, tree);
    }

    fn visit_stmt(&mut self, statement: &'t Stmt) {
        // A function inside another has its own.
        if !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            walk_stmt(self, statement);
        }
    }
}

/// The names that `:=` gives values to, in statements.
pub(super) fn named_on_the_way(statements: &[Stmt]) -> Vec<&str> {
    let mut found = NamedOnTheWay::default();
    for statement in statements {
        found.visit_stmt(statement);
    }
    found.names
}

/// All names that `:=` gives values to anywhere in a file.
pub(super) fn all_named_on_the_way(statements: &[Stmt]) -> HashSet<String> {
    struct All(HashSet<String>);
    impl<'t> Visitor<'t> for All {
        fn visit_expr(&mut self, tree: &'t Expr) {
            if let Expr::Named(named) = tree
                && let Expr::Name(name) = &*named.target
            {
                self.0.insert(name.id.to_string());
            }
            walk_expr(self, tree);
        }
    }
    let mut found = All(HashSet::new());
    for statement in statements {
        found.visit_stmt(statement);
    }
    found.0
}
