//! Compiling calls whose arguments are not values alone: `print(...)` and `isinstance(...)`.

use ruff_python_ast::{Expr, ExprCall, InterpolatedStringElement};
use ruff_text_size::Ranged;

use super::builtin::Builtin;
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use super::{CallShape, ClassId, Literal};
use crate::diagnostic::Code;

/// The expressions in a part of a formatted string, and those that say how wide it is.
fn interpolated<'e>(element: &'e InterpolatedStringElement, parts: &mut Vec<&'e Expr>) {
    if let InterpolatedStringElement::Interpolation(part) = element {
        parts.push(&part.expression);
        let specification = part.format_spec.iter().flat_map(|specification| &specification.elements);
        specification.for_each(|element| interpolated(element, parts));
    }
}

impl Body<'_, '_> {
    /// `print(...)`: what is printed may be published, each part under its source text. A text with values in it publishes
    /// the values.
    pub(super) fn call_print(&mut self, call: &ExprCall, to: Option<Register>) -> Operand {
        let span = self.span(call.range());
        let mut parts: Vec<&Expr> = Vec::new();
        for argument in &call.arguments.args {
            match argument {
                Expr::FString(string) => string.value.elements().for_each(|element| interpolated(element, &mut parts)),
                Expr::Starred(starred) => parts.push(&starred.value),
                other => parts.push(other),
            }
        }
        // What stands between the parts and behind them is printed too; the others say where.
        for keyword in &call.arguments.keywords {
            let is_printed = keyword.arg.as_ref().is_some_and(|name| matches!(name.as_str(), "sep" | "end"));
            match &keyword.value {
                Expr::FString(string) if is_printed => {
                    string.value.elements().for_each(|element| interpolated(element, &mut parts));
                }
                Expr::StringLiteral(_) | Expr::NoneLiteral(_) => {}
                other if is_printed => parts.push(other),
                _ => {}
            }
        }
        let first = self.temporaries(parts.len() as u32);
        let (mut spans, mut names) = (Vec::new(), Vec::new());
        for (part, register) in parts.iter().zip(first..) {
            spans.push(self.span(part.range()));
            names.push(self.text_name(part, "printed"));
            self.scratch(|body| body.expression_into(part, register));
        }
        let positional = parts.len() as u32;
        let shape = CallShape { positional, keywords: Vec::new(), spans, subject: String::new(), names };
        let shape = self.new_shape(shape);
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::CallBuiltin { to, builtin: Builtin::Print, shape, first }, span);
        Operand::register(to)
    }

    /// A class of the program and all that inherit from it.
    fn descendants(&self, class: ClassId) -> Vec<ClassId> {
        let classes = &self.checker.program.classes;
        let is_below = |place: &u32| {
            let mut at = Some(ClassId(*place));
            while let Some(next) = at.filter(|next| *next != class) {
                at = classes[next.0 as usize].parent;
            }
            at.is_some()
        };
        (0..classes.len() as u32).filter(is_below).map(ClassId).collect()
    }

    /// `isinstance(value, types)`: the types are no values, and are known by their names.
    pub(super) fn is_instance(&mut self, value: &Expr, types: &Expr, call: &ExprCall, to: Option<Register>) -> Operand {
        let span = self.span(call.range());
        let parts: Vec<&Expr> = match types {
            Expr::Tuple(tuple) => tuple.elts.iter().collect(),
            single => vec![single],
        };
        let first = self.temporaries(2);
        self.expression_into(value, first);
        self.emit(Instruction::NewList { to: first + 1 }, span);
        for part in parts {
            let name = match part {
                Expr::Name(name) => name.id.to_string(),
                Expr::Attribute(attribute) => attribute.attr.to_string(),
                _ => {
                    let hint = "name the type: `isinstance(x, float)`";
                    self.refuse(Code::FunctionAsValue, part, "the type is computed by the program", hint);
                    return self.literal(Literal::None);
                }
            };
            // A class of the program is known by its number, and so are those that inherit from it.
            let classes = self.checker.names.classes.get(&name).map_or(Vec::new(), |class| self.descendants(*class));
            if classes.is_empty() {
                let value = self.literal(Literal::Text(name));
                self.emit(Instruction::Append { list: first + 1, value }, span);
            }
            for class in classes {
                let value = self.literal(Literal::Integer(class.0.to_string()));
                self.emit(Instruction::Append { list: first + 1, value }, span);
            }
        }
        let shape = self.positional_shape(2, span);
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::CallBuiltin { to, builtin: Builtin::IsInstance, shape, first }, span);
        Operand::register(to)
    }
}
