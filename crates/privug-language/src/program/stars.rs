//! Compiling calls with stars, `f(*xs, **options)`, and `np.c_[a, b]` and `np.r_[a, b]`.

use ruff_python_ast::{Arguments, Expr, ExprCall};
use ruff_text_size::{Ranged, TextRange};

use super::builtin::Builtin;
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use super::methods::Method;
use super::modules::Module;
use super::{CallShape, Literal};
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
            if let Expr::Starred(starred) = argument {
                self.add_all(Method::Extend, first + 1, &starred.value);
                continue;
            }
            self.scratch(|body| {
                let value = body.expression(argument, None);
                let at = body.span(argument.range());
                body.emit(Instruction::Append { list: first + 1, value }, at);
            });
        }
        self.emit(Instruction::NewDict { to: first + 2 }, span);
        for keyword in &arguments.keywords {
            let Some(name) = &keyword.arg else {
                self.add_all(Method::Update, first + 2, &keyword.value);
                continue;
            };
            self.scratch(|body| {
                let value = body.expression(&keyword.value, None);
                let key = body.literal(Literal::Text(name.to_string()));
                let at = body.span(keyword.range());
                body.emit(Instruction::Insert { dict: first + 2, key, value }, at);
            });
        }
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::CallSpread { to, method, first }, span);
        Operand::register(to)
    }

    /// The shape of a call with positional arguments only, all told of at one place.
    pub(super) fn positional_shape(&mut self, count: u32, span: Span) -> u32 {
        let spans = vec![span; count as usize];
        let (keywords, subject, names) = (Vec::new(), String::new(), Vec::new());
        self.new_shape(CallShape { positional: count, keywords, spans, subject, names })
    }

    /// Keeps the shape of a call.
    pub(super) fn new_shape(&mut self, shape: CallShape) -> u32 {
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

    /// `np.r_[a, 0, 2:5]` as a call with the list of what stands in the brackets, slices as ranges of numbers.
    pub(super) fn rows_end_to_end(&self, object: &Expr, index: &Expr) -> Option<ExprCall> {
        let Expr::Attribute(attribute) = object else { return None };
        if attribute.attr.as_str() != "r_" || self.module_of(&attribute.value) != Some(Module::Numpy) {
            return None;
        }
        let parts = match index {
            Expr::Tuple(tuple) => tuple.elts.clone(),
            single => vec![single.clone()],
        };
        let call = |arguments: Vec<Expr>, name: &str, range: TextRange| {
            let mut function = attribute.clone();
            function.attr = ruff_python_ast::Identifier::new(name, attribute.attr.range);
            ExprCall {
                func: Box::new(Expr::Attribute(function)),
                arguments: Arguments {
                    args: arguments.into_boxed_slice(),
                    keywords: Default::default(),
                    range,
                    node_index: Default::default(),
                },
                range_start: range.start(),
                node_index: Default::default(),
            }
        };
        let mut elements = Vec::with_capacity(parts.len());
        for part in parts {
            elements.push(match part {
                // Texts say how it is done, and a step may be an imaginary number of points.
                Expr::StringLiteral(_) | Expr::Starred(_) => return None,
                Expr::Slice(slice) => {
                    let zero = Expr::NumberLiteral(ruff_python_ast::ExprNumberLiteral {
                        value: ruff_python_ast::Number::Int(ruff_python_ast::Int::ZERO),
                        range: slice.range,
                        node_index: Default::default(),
                    });
                    let first = slice.lower.as_deref().cloned().unwrap_or(zero);
                    let mut bounds = vec![first, slice.upper.as_deref()?.clone()];
                    bounds.extend(slice.step.as_deref().cloned());
                    Expr::Call(call(bounds, "arange", slice.range))
                }
                other => other,
            });
        }
        let list = Expr::List(ruff_python_ast::ExprList {
            elts: elements,
            ctx: ruff_python_ast::ExprContext::Load,
            range: index.range(),
            node_index: Default::default(),
        });
        Some(call(vec![list], "r_", index.range()))
    }

    /// A function of the language as something that is called with stars.
    pub(super) fn builtin_operand(&mut self, builtin: Builtin, at: TextRange) -> Operand {
        let (to, span) = (self.temporary(), self.span(at));
        self.emit(Instruction::MakeBuiltin { to, builtin }, span);
        Operand::register(to)
    }
}
