//! Compiling `object.name`: members of modules and classes, columns, and what objects have.

use ruff_python_ast::{Arguments, Expr, ExprAttribute};

use super::Literal;
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use super::lambdas::FunctionValue;
use super::methods::{ATTRIBUTES, Method};
use super::modules::{Member, Module};
use super::tables::TABLE_ATTRIBUTES;
use super::written::Found;
use crate::diagnostic::Code;

impl Body<'_, '_> {
    pub(super) fn attribute(&mut self, attribute: &ExprAttribute, to: Option<Register>) -> Operand {
        self.refuse_generator_value(attribute.range);
        if let Some(member) = self.enum_attribute(attribute, to) {
            return member;
        }
        if let Some(constant) = self.class_constant(attribute, to) {
            return constant;
        }
        if let (Expr::StringLiteral(literal), "format") = (&*attribute.value, attribute.attr.as_str()) {
            return self.format_function(literal.value.to_str(), attribute, to);
        }
        if let Some(function) = self.text_function(attribute, to) {
            return function;
        }
        if self.is_unknown_module(&attribute.value) {
            return self.literal(Literal::None);
        }
        if let Some(module) = self.module_of(&attribute.value) {
            // What is typed behind the name of a script is not known: there is nothing.
            if module.name() == "sys" && attribute.attr.as_str() == "argv" {
                let span = self.span(attribute.range);
                let list = self.temporary();
                self.emit(Instruction::NewList { to: list }, span);
                let value = self.literal(Literal::Text("script.py".to_owned()));
                self.emit(Instruction::Append { list, value }, span);
                return Operand::register(list);
            }
            if module == Module::Pandas
                && attribute.attr.as_str() == "IndexSlice"
                && let Some(Found::Class(class)) = self.checker.found_written("pandas", "_IndexSlice")
            {
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::NewObject { to, class }, self.span(attribute.range));
                return Operand::register(to);
            }
            match self.checker.found_in(module, &attribute.attr) {
                Some(Found::Member(Member::Constant(constant))) => return self.constant(constant),
                Some(Found::Constant(value)) => return value,
                Some(Found::Member(Member::Function(builtin))) => {
                    return self.function_value(FunctionValue::OfLanguage(builtin), attribute, to);
                }
                Some(Found::Function(id)) => {
                    return self.function_value(FunctionValue::OfFile(id), attribute, to);
                }
                Some(Found::Class(_)) => {
                    let message = format!("the class `{}` is used as a value", attribute.attr);
                    self.refuse(Code::FunctionAsValue, attribute, message, "call it, or write a function that does");
                }
                None => self.unknown_member(module, &attribute.attr, attribute),
            }
            return self.literal(Literal::None);
        }
        let is_written = self.checker.note_written_attribute(&attribute.attr);
        match self.attribute_named(&attribute.attr) {
            method if is_written || self.is_member(&attribute.attr) => {
                let span = self.span(attribute.range);
                let object = self.expression(&attribute.value, None);
                let name = self.literal(Literal::Text(attribute.attr.to_string()));
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::Member { to, object, name, method }, span);
                Operand::register(to)
            }
            Some(method) => {
                let no_arguments = Arguments {
                    range: attribute.range,
                    node_index: Default::default(),
                    args: Box::default(),
                    keywords: Default::default(),
                };
                self.call_method(method, attribute, &no_arguments, attribute.range, to)
            }
            None if self.checker.tables => {
                let span = self.span(attribute.range);
                let object = self.expression(&attribute.value, None);
                let name = self.literal(Literal::Text(attribute.attr.to_string()));
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::Column { to, object, name }, span);
                Operand::register(to)
            }
            None => {
                let known: Vec<&str> = ATTRIBUTES.iter().map(|(name, _)| *name).collect();
                self.unknown_attribute(attribute, &known);
                self.literal(Literal::None)
            }
        }
    }

    /// An attribute that is not a column.
    fn attribute_named(&self, name: &str) -> Option<Method> {
        let ordinary = ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, method)| *method);
        let of_tables = || TABLE_ATTRIBUTES.iter().find(|(known, _)| *known == name).map(|(_, method)| *method);
        ordinary.or_else(|| of_tables().filter(|_| self.checker.tables).map(Method::Table))
    }
}
