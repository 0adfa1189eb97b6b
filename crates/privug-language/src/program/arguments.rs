//! Compiling the arguments of calls.

use ruff_python_ast::{Arguments, Expr, StringLiteralValue};
use ruff_text_size::Ranged;

use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use super::lambdas::Called;
use super::modules::Module;
use super::{CallShape, Literal};
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::{Origin, parse_expression};

/// What a call can be given besides values.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    /// Its first argument may be a text that names a variable.
    pub(super) names_a_variable: bool,
    /// Its first argument may be a generator.
    pub(super) generators: bool,
    /// It is an iterator that is gone through at once, with the iterators that it goes through.
    pub(super) waits: bool,
    /// Its arguments name types.
    pub(super) types: bool,
    /// It calls the functions that it is given before it ends.
    pub(super) calls: bool,
}

impl Body<'_, '_> {
    /// Puts the arguments into a row of registers behind `reserved` free ones, and describes the call's shape.
    pub(super) fn arguments(&mut self, arguments: &Arguments, reserved: u32, taken: Taken) -> Option<(Register, u32)> {
        let names_a_variable = taken.names_a_variable;
        let count = arguments.args.len() + arguments.keywords.len();
        let first = self.temporaries(reserved + count as u32);
        let mut spans = Vec::with_capacity(count);
        let mut subject = String::new();
        let values = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
        for (index, argument) in values.enumerate() {
            let register = first + reserved + index as u32;
            spans.push(self.span(argument.range()));
            if let Expr::Starred(_) = argument {
                self.refuse_construct(Code::StarArguments, argument, "list the arguments one by one");
                return None;
            }
            let keyword =
                index.checked_sub(arguments.args.len()).and_then(|place| arguments.keywords[place].arg.as_ref());
            let names_a_type = taken.types || keyword.is_some_and(|name| name.as_str() == "dtype");
            if let Some(name) = self.type_name(argument).filter(|_| names_a_type) {
                let from = self.literal(Literal::Text(name));
                let span = self.span(argument.range());
                self.emit(Instruction::Move { to: register, from }, span);
                continue;
            }
            match argument {
                Expr::Attribute(_)
                    if taken.calls
                        && (index == 0 || keyword.is_some_and(|name| name.as_str() == "key"))
                        && let Some(from) = self.bound_method(argument) =>
                {
                    self.move_into(register, from, argument);
                }
                Expr::Lambda(lambda) if taken.calls => {
                    self.scratch(|body| {
                        let from = body.lambda(lambda, Called::AtOnce, None);
                        body.move_into(register, from, argument);
                    });
                }
                Expr::Call(inner) if (taken.waits || (index == 0 && taken.generators)) && self.is_lazy_call(inner) => {
                    self.is_consumed = true;
                    self.scratch(|body| body.expression_into(argument, register));
                    // Nobody else sees the iterator.
                    let span = self.span(argument.range());
                    self.emit_list(register, span);
                }
                Expr::Generator(generator) if index == 0 && taken.generators => {
                    self.scratch(|body| {
                        let list = body.list_comprehension(&generator.elt, &generator.generators, argument.range());
                        let span = body.span(argument.range());
                        body.emit(Instruction::Move { to: register, from: Operand::register(list) }, span);
                    });
                }
                Expr::StringLiteral(text) if index == 0 && names_a_variable => {
                    subject = text.value.to_str().trim().to_owned();
                    self.named_variable(&text.value, argument, register);
                }
                Expr::FString(_) if index == 0 && names_a_variable => {
                    let hint = "pass the variable itself, such as `averages[i]`";
                    self.refuse_construct(Code::DynamicVariableName, argument, hint);
                }
                _ => {
                    if index == 0 {
                        subject = self.text_name(argument, "observation");
                    }
                    self.scratch(|body| body.expression_into(argument, register));
                }
            }
        }
        let keywords =
            arguments.keywords.iter().filter_map(|keyword| keyword.arg.as_ref()).map(|name| name.to_string());
        let (positional, names) = (arguments.args.len() as u32, Vec::new());
        let shape = CallShape { positional, keywords: keywords.collect(), spans, subject, names };
        Some((first, self.new_shape(shape)))
    }

    /// Arguments that are values only, behind a register for what is called.
    pub(super) fn plain_arguments(&mut self, arguments: &Arguments) -> Option<(Register, u32)> {
        let taken = Taken { names_a_variable: false, generators: false, waits: false, types: false, calls: false };
        self.arguments(arguments, 1, taken)
    }

    pub(super) fn move_into(&mut self, register: Register, from: Operand, at: &Expr) {
        let span = self.span(at.range());
        self.emit(Instruction::Move { to: register, from }, span);
    }

    /// `float`, `np.int64` and the like, where they name the type of an array.
    fn type_name(&self, tree: &Expr) -> Option<String> {
        match tree {
            Expr::Name(name)
                if self.variable(&name.id).is_none() && !self.checker.names.globals.contains_key(name.id.as_str()) =>
            {
                matches!(name.id.as_str(), "float" | "int" | "bool" | "str").then(|| name.id.to_string())
            }
            Expr::Attribute(attribute) if self.module_of(&attribute.value) == Some(Module::Numpy) => {
                Some(attribute.attr.to_string())
            }
            _ => None,
        }
    }

    /// `condition("people[3]", …)`: the text is an expression of the language.
    fn named_variable(&mut self, text: &StringLiteralValue, literal: &Expr, register: Register) {
        let whole = self.span(literal.range());
        let inner = text.to_str();
        // The quotes are one character each, unless the literal is an unusual one: then the whole of it is meant.
        let quoted = self.checker.sources.text(whole);
        let plain = quoted.len() == inner.len() + 2 && quoted.get(1..quoted.len() - 1) == Some(inner);
        let offset = if plain { whole.start + 1 } else { whole.start };
        match parse_expression(inner, Origin { source: whole.source, offset }) {
            Ok(tree) => {
                let outer = std::mem::replace(&mut self.origin, Origin { source: whole.source, offset });
                if plain {
                    self.expression_into(&tree, register);
                } else {
                    self.expression_at(&tree, register, whole);
                }
                self.origin = outer;
            }
            Err(_) => {
                let message = format!("`{inner}` does not name a variable");
                self.refuse(Code::UnknownName, literal, message, "give the name of a variable, or the variable itself");
            }
        }
    }

    /// Compiles a tree whose places cannot be told apart inside `span`.
    fn expression_at(&mut self, tree: &Expr, register: Register, span: Span) {
        let before = self.checker.diagnostics.len();
        self.expression_into(tree, register);
        for diagnostic in &mut self.checker.diagnostics[before..] {
            diagnostic.span = span;
        }
    }
}
