//! Compiling `match`: cases are comparisons, one after the other; names in them are given what is there.

use ruff_python_ast::{Expr, Pattern, PatternMatchMapping, Singleton, StmtMatch};
use ruff_text_size::{Ranged, TextRange};

use super::Literal;
use super::builtin::Builtin;
use super::functions::Body;
use super::instruction::{Comparison, Instruction, Operand};
use crate::diagnostic::Code;

impl Body<'_, '_> {
    /// `match subject:` with values, `None`, `a | b`, names, tuples and dictionaries of them and `_`.
    pub(super) fn match_cases(&mut self, statement: &StmtMatch) {
        let span = self.span(statement.subject.range());
        let subject = self.temporary();
        let value = self.expression(&statement.subject, None);
        self.emit(Instruction::Move { to: subject, from: value }, span);
        let mut ends = Vec::new();
        for case in &statement.cases {
            let mut misses = Vec::new();
            self.pattern(&case.pattern, Operand::register(subject), &mut misses);
            if let Some(guard) = &case.guard {
                let condition = self.scratch(|body| body.expression(guard, None));
                let at = self.span(guard.range());
                misses.push(self.emit(Instruction::Branch { condition, expected: false, target: 0 }, at));
            }
            self.statements(&case.body);
            ends.push(self.emit(Instruction::Jump { target: 0 }, span));
            misses.into_iter().for_each(|miss| self.land(miss));
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    /// Goes on where a pattern fits, and notes the branches that are taken where it does not.
    fn pattern(&mut self, pattern: &Pattern, subject: Operand, misses: &mut Vec<usize>) {
        match pattern {
            Pattern::MatchValue(pattern) if !matches!(&*pattern.value, Expr::Name(_)) => {
                let value = self.expression(&pattern.value, None);
                misses.push(self.unless_compared(Comparison::Equal, (subject, value), pattern.range));
            }
            Pattern::MatchSingleton(pattern) => {
                let value = match pattern.value {
                    Singleton::None => Literal::None,
                    Singleton::True => Literal::Bool(true),
                    Singleton::False => Literal::Bool(false),
                };
                let value = self.literal(value);
                misses.push(self.unless_compared(Comparison::Is, (subject, value), pattern.range));
            }
            Pattern::MatchOr(alternatives) => {
                let mut hits = Vec::new();
                let count = alternatives.patterns.len();
                for (place, alternative) in alternatives.patterns.iter().enumerate() {
                    let mut missed = Vec::new();
                    self.pattern(alternative, subject, &mut missed);
                    if place + 1 == count {
                        misses.append(&mut missed);
                    } else {
                        let at = self.span(alternative.range());
                        hits.push(self.emit(Instruction::Jump { target: 0 }, at));
                        missed.into_iter().for_each(|miss| self.land(miss));
                    }
                }
                hits.into_iter().for_each(|hit| self.land(hit));
            }
            Pattern::MatchAs(capture) => {
                if let Some(inner) = &capture.pattern {
                    self.pattern(inner, subject, misses);
                }
                if let Some(name) = &capture.name
                    && let Some(to) = self.variable(name)
                {
                    let at = self.span(name.range());
                    self.emit(Instruction::Move { to, from: subject }, at);
                }
            }
            Pattern::MatchSequence(parts) => {
                self.sequence_pattern(&parts.patterns, subject, parts.range, misses);
            }
            Pattern::MatchMapping(parts) if parts.rest.is_none() => {
                self.mapping_pattern(parts, subject, misses);
            }
            Pattern::MatchValue(_) | Pattern::MatchMapping(_) | Pattern::MatchClass(_) | Pattern::MatchStar(_) => {
                let hint = "compare with values, names, tuples and dictionaries of them, `|` and `_`, or write `if`/`elif`/`else`";
                self.refuse(Code::Match, pattern, "this pattern is not part of the language", hint);
            }
        }
    }

    /// A branch that is taken where a comparison does not hold.
    fn unless_compared(&mut self, operator: Comparison, (left, right): (Operand, Operand), at: TextRange) -> usize {
        let (to, span) = (self.temporary(), self.span(at));
        self.emit(Instruction::Compare { operator, to, left, right }, span);
        self.emit(Instruction::Branch { condition: Operand::register(to), expected: false, target: 0 }, span)
    }

    /// `{"kind": pattern}`: a dictionary that has these keys, whose values fit.
    fn mapping_pattern(&mut self, parts: &PatternMatchMapping, subject: Operand, misses: &mut Vec<usize>) {
        let span = self.span(parts.range);
        let first = self.temporaries(2);
        self.emit(Instruction::Move { to: first, from: subject }, span);
        self.emit(Instruction::NewList { to: first + 1 }, span);
        let value = self.literal(Literal::Text("dict".to_owned()));
        self.emit(Instruction::Append { list: first + 1, value }, span);
        let (to, shape) = (self.temporary(), self.positional_shape(2, span));
        self.emit(Instruction::CallBuiltin { to, builtin: Builtin::IsInstance, shape, first }, span);
        let condition = Operand::register(to);
        misses.push(self.emit(Instruction::Branch { condition, expected: false, target: 0 }, span));
        for (key, part) in parts.keys.iter().zip(&parts.patterns) {
            let (at, index) = (self.span(key.range()), self.expression(key, None));
            misses.push(self.unless_compared(Comparison::In, (index, subject), key.range()));
            let to = self.temporary();
            self.emit(Instruction::Index { to, object: subject, index }, at);
            self.pattern(part, Operand::register(to), misses);
        }
    }

    /// `(a, b)`: a list or tuple of so many parts, each of which fits; `(a, *rest)`: of so many at least.
    fn sequence_pattern(&mut self, parts: &[Pattern], subject: Operand, at: TextRange, misses: &mut Vec<usize>) {
        let span = self.span(at);
        let first = self.temporaries(2);
        self.emit(Instruction::Move { to: first, from: subject }, span);
        self.emit(Instruction::NewList { to: first + 1 }, span);
        for name in ["list", "tuple"] {
            let value = self.literal(Literal::Text(name.to_owned()));
            self.emit(Instruction::Append { list: first + 1, value }, span);
        }
        let (to, shape) = (self.temporary(), self.positional_shape(2, span));
        self.emit(Instruction::CallBuiltin { to, builtin: Builtin::IsInstance, shape, first }, span);
        let condition = Operand::register(to);
        misses.push(self.emit(Instruction::Branch { condition, expected: false, target: 0 }, span));
        let (length, shape) = (self.temporary(), self.positional_shape(1, span));
        self.emit(Instruction::CallBuiltin { to: length, builtin: Builtin::Len, shape, first }, span);
        let star = parts.iter().position(|part| matches!(part, Pattern::MatchStar(_)));
        let (least, operator) = match star {
            Some(_) => (parts.len() - 1, Comparison::GreaterEqual),
            None => (parts.len(), Comparison::Equal),
        };
        let count = self.literal(Literal::Integer(least.to_string()));
        misses.push(self.unless_compared(operator, (Operand::register(length), count), at));
        if let Some(before) = star {
            return self.parts_around(parts, before, subject, at, misses);
        }
        for (place, part) in parts.iter().enumerate() {
            let (to, span) = (self.temporary(), self.span(part.range()));
            let index = self.literal(Literal::Integer(place.to_string()));
            self.emit(Instruction::Index { to, object: subject, index }, span);
            self.pattern(part, Operand::register(to), misses);
        }
    }
}

impl Body<'_, '_> {
    /// The parts before and behind a star, and what is left for it.
    fn parts_around(
        &mut self,
        parts: &[Pattern],
        before: usize,
        subject: Operand,
        at: TextRange,
        misses: &mut Vec<usize>,
    ) {
        let first = self.temporaries(parts.len() as u32);
        let (before, after) = (before as u32, (parts.len() - before - 1) as u32);
        self.emit(Instruction::UnpackRest { from: subject, first, before, after }, self.span(at));
        for (part, register) in parts.iter().zip(first..) {
            match part {
                Pattern::MatchStar(rest) => {
                    if let Some(name) = &rest.name
                        && let Some(to) = self.variable(name)
                    {
                        let span = self.span(name.range());
                        self.emit(Instruction::Move { to, from: Operand::register(register) }, span);
                    }
                }
                part => self.pattern(part, Operand::register(register), misses),
            }
        }
    }
}

/// The names that a pattern gives values to.
pub(super) fn captured<'t>(pattern: &'t Pattern, add: &mut dyn FnMut(&'t str)) {
    match pattern {
        Pattern::MatchAs(capture) => {
            capture.pattern.iter().for_each(|inner| captured(inner, add));
            capture.name.iter().for_each(|name| add(name.as_str()));
        }
        Pattern::MatchSequence(parts) => parts.patterns.iter().for_each(|part| captured(part, add)),
        Pattern::MatchOr(parts) => parts.patterns.iter().for_each(|part| captured(part, add)),
        Pattern::MatchMapping(parts) => parts.patterns.iter().for_each(|part| captured(part, add)),
        Pattern::MatchStar(rest) => rest.name.iter().for_each(|name| add(name.as_str())),
        // The others are values, or are refused.
        Pattern::MatchValue(_) | Pattern::MatchSingleton(_) | Pattern::MatchClass(_) => {}
    }
}
