//! Literals: numbers, texts, f-strings.

use ruff_python_ast::{ExprFString, ExprNumberLiteral, FStringPart, InterpolatedStringElement, Number};
use ruff_text_size::Ranged;

use super::Literal;
use super::functions::Body;
use super::instruction::{FormatSpecification, Instruction, Operand, Register};
use crate::diagnostic::Code;

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
                        let text = self.f_string_element(element);
                        self.join(sum, text, span);
                    }
                }
            }
        }
        self.emit(Instruction::Move { to: result, from: Operand::register(sum) }, span);
        Operand::register(result)
    }

    fn join(&mut self, sum: Register, text: Operand, span: crate::source::Span) {
        let left = Operand::register(sum);
        self.emit(Instruction::Join { to: sum, left, right: text }, span);
    }

    fn f_string_element(&mut self, element: &InterpolatedStringElement) -> Operand {
        match element {
            InterpolatedStringElement::Literal(text) => self.literal(Literal::Text(text.value.to_string())),
            InterpolatedStringElement::Interpolation(value) => {
                let specification = value.format_spec.as_ref().map_or(Some(FormatSpecification::Plain), |spec| {
                    format_specification(self.checker.sources.text(self.origin.span(spec.range())))
                });
                let plain = value.conversion == ruff_python_ast::ConversionFlag::None && value.debug_text.is_none();
                let Some(specification) = specification.filter(|_| plain) else {
                    let hint = "plain values, `{x:d}`, `{x:03d}` and `{x:.2f}` are known";
                    self.refuse_construct(Code::FormatSpecification, value, hint);
                    return self.literal(Literal::None);
                };
                let span = self.span(value.range);
                let from = self.expression(&value.expression, None);
                let to = self.temporary();
                self.emit(Instruction::Format { to, from, specification }, span);
                Operand::register(to)
            }
        }
    }
}

/// `d`, `3d`, `03d`, `.2f`
fn format_specification(text: &str) -> Option<FormatSpecification> {
    if text.is_empty() {
        return Some(FormatSpecification::Plain);
    }
    if let Some(digits) = text.strip_prefix('.').and_then(|rest| rest.strip_suffix('f')) {
        return digits.parse().ok().filter(|digits| *digits <= 30).map(|digits| FormatSpecification::Fixed { digits });
    }
    let width = text.strip_suffix('d')?;
    let zeros = width.starts_with('0');
    let width = if width.is_empty() { 0 } else { width.parse().ok()? };
    Some(FormatSpecification::Integer { width, zeros })
}
