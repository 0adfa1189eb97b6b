//! Compiling stars: `f(*xs, **options)`, `[*a, *b]`, `{**a}` and `first, *rest = xs`.

use ruff_python_ast::{Arguments, Expr};
use ruff_text_size::{Ranged, TextRange};

use super::builtin::{Builtin, Method, Module};
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use super::{CallShape, Literal};
use crate::diagnostic::Code;
use crate::source::Span;

/// Whether some of a call's arguments are only known when it is carried out.
pub(super) fn has_stars(arguments: &Arguments) -> bool {
    arguments.args.iter().any(|argument| matches!(argument, Expr::Starred(_)))
        || arguments.keywords.iter().any(|keyword| keyword.arg.is_none())
}

impl Body<'_, '_> {
    /// `callee(*xs, **options)`: the arguments are put into a list and a dictionary.
    pub(super) fn call_spread(
        &mut self,
        callee: Operand,
        method: Option<Method>,
        (before, arguments): (Option<Operand>, &Arguments),
        at: TextRange,
        to: Option<Register>,
    ) -> Operand {
        let span = self.span(at);
        let first = self.temporaries(3);
        self.emit(Instruction::Move { to: first, from: callee }, span);
        self.emit(Instruction::NewList { to: first + 1 }, span);
        if let Some(value) = before {
            self.emit(Instruction::Append { list: first + 1, value }, span);
        }
        for argument in &arguments.args {
            self.scratch(|body| body.append(first + 1, argument));
        }
        self.emit(Instruction::NewDict { to: first + 2 }, span);
        for keyword in &arguments.keywords {
            self.scratch(|body| {
                let value = body.expression(&keyword.value, None);
                let at = body.span(keyword.range());
                match &keyword.arg {
                    Some(name) => {
                        let key = body.literal(Literal::Text(name.to_string()));
                        body.emit(Instruction::Insert { dict: first + 2, key, value }, at);
                    }
                    None => body.change(first + 2, Method::Update, value, at),
                }
            });
        }
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::CallSpread { to, method, first }, span);
        Operand::register(to)
    }

    /// Puts an element of a display, or all elements of one with a star, at the end of a list.
    pub(super) fn append(&mut self, list: Register, element: &Expr) {
        let span = self.span(element.range());
        match element {
            Expr::Starred(starred) => {
                let value = self.expression(&starred.value, None);
                self.change(list, Method::Extend, value, span);
            }
            other => {
                let value = self.expression(other, None);
                self.emit(Instruction::Append { list, value }, span);
            }
        }
    }

    /// `object.extend(value)` and the like, of an object in a register.
    pub(super) fn change(&mut self, object: Register, method: Method, value: Operand, span: Span) {
        let first = self.temporaries(2);
        self.emit(Instruction::Move { to: first, from: Operand::register(object) }, span);
        self.emit(Instruction::Move { to: first + 1, from: value }, span);
        let shape = self.shape_of_one(span);
        let to = self.temporary();
        self.emit(Instruction::CallMethod { to, method, shape, first }, span);
    }

    /// The shape of a call with one argument.
    pub(super) fn shape_of_one(&mut self, span: Span) -> u32 {
        let (keywords, subject, names) = (Vec::new(), String::new(), Vec::new());
        let shape = CallShape { positional: 1, keywords, spans: vec![span], subject, names };
        self.checker.program.call_shapes.push(shape);
        self.checker.program.call_shapes.len() as u32 - 1
    }

    /// `np.c_[a, b]`: the list of what stands in the brackets.
    pub(super) fn columns_side_by_side(&self, object: &Expr, index: &Expr) -> Option<Expr> {
        let Expr::Attribute(attribute) = object else { return None };
        if attribute.attr.as_str() != "c_" || self.module_of(&attribute.value) != Some(Module::Numpy) {
            return None;
        }
        let Expr::Tuple(tuple) = index else { return None };
        if tuple.elts.iter().any(|part| matches!(part, Expr::Slice(_) | Expr::StringLiteral(_) | Expr::Starred(_))) {
            return None;
        }
        Some(Expr::List(ruff_python_ast::ExprList {
            elts: tuple.elts.clone(),
            ctx: ruff_python_ast::ExprContext::Load,
            range: tuple.range,
            node_index: Default::default(),
        }))
    }

    /// `a, *rest, b = value`
    pub(super) fn unpack_rest(&mut self, targets: &[Expr], value: Operand, whole: &Expr) {
        let is_starred = |target: &Expr| matches!(target, Expr::Starred(_));
        let before = targets.iter().position(is_starred).unwrap_or(0);
        if let Some(second) = targets[before + 1..].iter().find(|target| is_starred(target)) {
            self.refuse_construct(Code::StarArguments, second, "one target takes what is left over");
            return;
        }
        let count = targets.len() as u32;
        let (first, span) = (self.temporaries(count), self.span(whole.range()));
        self.emit(Instruction::UnpackRest { from: value, first, before: before as u32, count }, span);
        for (target, register) in targets.iter().zip(first..) {
            let target = if let Expr::Starred(starred) = target { &*starred.value } else { target };
            self.assign(target, Operand::register(register));
        }
    }

    /// A function of the language as something that is called with stars.
    pub(super) fn builtin_operand(&mut self, builtin: Builtin, at: TextRange) -> Operand {
        let (to, span) = (self.temporary(), self.span(at));
        self.emit(Instruction::MakeBuiltin { to, builtin }, span);
        Operand::register(to)
    }
}
