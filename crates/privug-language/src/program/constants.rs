//! Literals: numbers, texts, f-strings.

use ruff_python_ast::{
    Arguments, ConversionFlag, Expr, ExprCall, ExprFString, ExprNumberLiteral, FStringPart, InterpolatedStringElement,
    InterpolatedStringFormatSpec, Number,
};
use ruff_text_size::{Ranged, TextRange};

use super::Literal;
use super::builtin::Builtin;
use super::format::{Field, FormatSpecification, Shown, brace_parts, percent_parts};
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use crate::diagnostic::Code;
use crate::source::Span;

impl Body<'_, '_> {
    /// The operand for a literal; equal literals are kept once.
    pub(super) fn literal(&mut self, literal: Literal) -> Operand {
        let literals = &mut self.checker.program.literals;
        let indices = &mut self.checker.literal_indices;
        let index = *indices.entry(literal.clone()).or_insert_with(|| {
            literals.push(literal);
            literals.len() as u32 - 1
        });
        Operand::literal(index)
    }

    pub(super) fn number(&mut self, number: &ExprNumberLiteral) -> Operand {
        let text = self.checker.sources.text(self.origin.span(number.range)).to_owned();
        match &number.value {
            Number::Int(value) => {
                let digits = match value.as_i64() {
                    Some(value) => value.to_string(),
                    None => text.replace('_', ""),
                };
                self.literal(Literal::Integer(digits))
            }
            Number::Float(value) => {
                if !value.is_finite() {
                    self.refuse(Code::NotFinite, number, "this number is too large for a double", "use other units");
                }
                self.literal(Literal::Float(text))
            }
            Number::Complex { .. } => {
                self.refuse_construct(Code::Literal, number, "write a real number");
                self.literal(Literal::None)
            }
        }
    }

    /// A number as a literal, with a minus before it.
    pub(super) fn negative_literal(&mut self, positive: Operand) -> Operand {
        let literal = match positive.place() {
            Err(index) => self.checker.program.literals[index as usize].clone(),
            Ok(_) => Literal::None,
        };
        match literal {
            Literal::Integer(digits) => self.literal(Literal::Integer(format!("-{digits}"))),
            Literal::Float(digits) => self.literal(Literal::Float(format!("-{digits}"))),
            other => self.literal(other),
        }
    }

    /// An f-string: its parts as texts, joined.
    pub(super) fn f_string(&mut self, string: &ExprFString, to: Option<Register>) -> Operand {
        let span = self.span(string.range);
        let result = to.unwrap_or_else(|| self.temporary());
        let sum = self.temporary();
        let empty = self.literal(Literal::Text(String::new()));
        self.emit(Instruction::Move { to: sum, from: empty }, span);
        for part in string.value.iter() {
            match part {
                FStringPart::Literal(text) => {
                    let text = self.literal(Literal::Text(text.value.to_string()));
                    self.join(sum, text, span);
                }
                FStringPart::FString(parts) => {
                    for element in parts.elements.iter() {
                        if let Some(written) = self.written_out(element) {
                            let text = self.literal(Literal::Text(written));
                            self.join(sum, text, span);
                        }
                        let text = self.f_string_element(element);
                        self.join(sum, text, span);
                    }
                }
            }
        }
        self.emit(Instruction::Move { to: result, from: Operand::register(sum) }, span);
        Operand::register(result)
    }

    /// `"%s: %.1f" % (name, mean)`; `None` if it is no text with places for values, one for each that is written down.
    pub(super) fn percent_format(&mut self, text: &Expr, values: &Expr, to: Option<Register>) -> Option<Operand> {
        let Expr::StringLiteral(text) = text else { return None };
        let (texts, specifications) = percent_parts(text.value.to_str())?;
        let values: Vec<&Expr> = match values {
            Expr::Tuple(tuple) => tuple.elts.iter().collect(),
            // A tuple or a dictionary would be taken apart; numbers are shown of neither.
            single if specifications.iter().all(|specification| specification.kind != Shown::Plain) => vec![single],
            _ => return None,
        };
        if values.len() != specifications.len() || values.iter().any(|value| value.is_starred_expr()) {
            return None;
        }
        let shown: Vec<(&Expr, FormatSpecification)> = values.into_iter().zip(specifications).collect();
        Some(self.texts_and_values(texts, &shown, text.range, to))
    }

    /// `"{}: {:.1f}".format(name, mean)`; `None` if it is no text with places for values that are given.
    pub(super) fn brace_format(&mut self, text: &Expr, arguments: &Arguments, to: Option<Register>) -> Option<Operand> {
        let Expr::StringLiteral(text) = text else { return None };
        let (texts, fields) = brace_parts(text.value.to_str())?;
        let mut shown = Vec::with_capacity(fields.len());
        for (field, specification) in fields {
            let value = match field {
                Field::Position(position) => arguments.args.get(position).filter(|value| !value.is_starred_expr())?,
                Field::Keyword(name) => &arguments.find_keyword(&name)?.value,
            };
            shown.push((value, specification));
        }
        // Values are computed once each, in the order in which they are written.
        let is_each_once = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value)).count()
            == shown.len()
            && shown.is_sorted_by_key(|(value, _)| value.range().start());
        is_each_once.then(|| self.texts_and_values(texts, &shown, text.range, to))
    }

    /// `format(value, "08b")`; `None` if how it is shown is not known.
    pub(super) fn format_call(&mut self, call: &ExprCall, to: Option<Register>) -> Option<Operand> {
        let (value, specification) = match &*call.arguments.args {
            [value] => (value, ""),
            [value, Expr::StringLiteral(text)] => (value, text.value.to_str()),
            _ => return None,
        };
        if value.is_starred_expr() || !call.arguments.keywords.is_empty() {
            return None;
        }
        let specification = FormatSpecification::read(specification)?;
        Some(self.texts_and_values(vec![String::new(); 2], &[(value, specification)], call.range(), to))
    }

    /// Texts and, between them, values as they are shown.
    fn texts_and_values(
        &mut self,
        texts: Vec<String>,
        shown: &[(&Expr, FormatSpecification)],
        range: TextRange,
        to: Option<Register>,
    ) -> Operand {
        let span = self.span(range);
        let result = to.unwrap_or_else(|| self.temporary());
        let sum = self.temporary();
        let mut texts = texts.into_iter().map(Literal::Text);
        let first = self.literal(texts.next().unwrap_or(Literal::Text(String::new())));
        self.emit(Instruction::Move { to: sum, from: first }, span);
        for ((value, specification), after) in shown.iter().zip(texts) {
            let place = self.span(value.range());
            let from = self.expression(value, None);
            let (to, specification) = (self.temporary(), *specification);
            self.emit(Instruction::Format { to, from, specification }, place);
            self.join(sum, Operand::register(to), span);
            let after = self.literal(after);
            self.join(sum, after, span);
        }
        self.emit(Instruction::Move { to: result, from: Operand::register(sum) }, span);
        Operand::register(result)
    }

    fn join(&mut self, sum: Register, text: Operand, span: Span) {
        let left = Operand::register(sum);
        self.emit(Instruction::Join { to: sum, left, right: text }, span);
    }

    /// `{x + 1 = }`: the text before the value.
    fn written_out(&self, element: &InterpolatedStringElement) -> Option<String> {
        let InterpolatedStringElement::Interpolation(value) = element else { return None };
        let debug = value.debug_text.as_ref()?;
        let expression = self.checker.sources.text(self.origin.span(value.expression.range()));
        Some(format!("{}{expression}{}", debug.leading(), debug.trailing()))
    }

    /// `repr(value)`; `None` if it is called with something else.
    pub(super) fn repr_call(&mut self, call: &ExprCall, to: Option<Register>) -> Option<Operand> {
        let [value] = &*call.arguments.args else { return None };
        if value.is_starred_expr() || !call.arguments.keywords.is_empty() {
            return None;
        }
        let span = self.span(call.range());
        let from = self.expression(value, None);
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::Format { to, from, specification: FormatSpecification::REPRESENTATION }, span);
        Some(Operand::register(to))
    }

    fn f_string_element(&mut self, element: &InterpolatedStringElement) -> Operand {
        match element {
            InterpolatedStringElement::Literal(text) => self.literal(Literal::Text(text.value.to_string())),
            InterpolatedStringElement::Interpolation(value) => {
                // `{x:>{width}}`: how it is shown is itself a text with values in it.
                let is_computed = |spec: &InterpolatedStringFormatSpec| {
                    spec.elements.iter().any(|part| matches!(part, InterpolatedStringElement::Interpolation(_)))
                };
                let computed = value.format_spec.as_deref().filter(|spec| is_computed(spec));
                let specification = match &value.format_spec {
                    Some(spec) if computed.is_none() => {
                        FormatSpecification::read(self.checker.sources.text(self.origin.span(spec.range())))
                    }
                    Some(_) | None => Some(FormatSpecification::PLAIN),
                };
                // What is converted first, to a text.
                let conversion = match value.conversion {
                    ConversionFlag::None if value.debug_text.is_some() && value.format_spec.is_none() => {
                        Some(Some(FormatSpecification::REPRESENTATION))
                    }
                    ConversionFlag::None => Some(None),
                    ConversionFlag::Str => Some(Some(FormatSpecification::PLAIN)),
                    ConversionFlag::Repr => Some(Some(FormatSpecification::REPRESENTATION)),
                    ConversionFlag::Ascii => None,
                };
                let (Some(specification), Some(conversion)) = (specification, conversion) else {
                    let hint = "such as `{x}`, `{x!r}`, `{x=}`, `{x:03d}`, `{x:,.0f}`, `{x:>8.2f}` and `{x:.1%}` are supported";
                    self.refuse_construct(Code::FormatSpecification, value, hint);
                    return self.literal(Literal::None);
                };
                let span = self.span(value.range);
                let mut from = self.expression(&value.expression, None);
                let to = self.temporary();
                if let Some(conversion) = conversion {
                    self.emit(Instruction::Format { to, from, specification: conversion }, span);
                    from = Operand::register(to);
                }
                if let Some(computed) = computed {
                    return self.shown_as_computed(from, computed, span);
                }
                if conversion.is_none() || specification != FormatSpecification::PLAIN {
                    self.emit(Instruction::Format { to, from, specification }, span);
                }
                Operand::register(to)
            }
        }
    }

    /// `{x:>{width}}`: first how it is shown is put together, and then it is shown.
    fn shown_as_computed(&mut self, value: Operand, how: &InterpolatedStringFormatSpec, span: Span) -> Operand {
        let first = self.temporaries(2);
        let sum = Operand::register(first + 1);
        self.emit(Instruction::Move { to: first, from: value }, span);
        let empty = self.literal(Literal::Text(String::new()));
        self.emit(Instruction::Move { to: first + 1, from: empty }, span);
        for part in &how.elements {
            let right = self.f_string_element(part);
            self.emit(Instruction::Join { to: first + 1, left: sum, right }, span);
        }
        let shape = self.positional_shape(2, span);
        let to = self.temporary();
        self.emit(Instruction::CallBuiltin { to, builtin: Builtin::Format, shape, first }, span);
        Operand::register(to)
    }
}
