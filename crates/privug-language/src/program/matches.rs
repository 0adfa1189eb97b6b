//! Compiling `match`: cases with values are comparisons, one after the other.

use ruff_python_ast::{Expr, Pattern, Singleton, StmtMatch};
use ruff_text_size::{Ranged, TextRange};

use super::Literal;
use super::functions::Body;
use super::instruction::{Comparison, Instruction, Operand};
use crate::diagnostic::Code;

impl Body<'_, '_> {
    /// `match subject:` with values, `None`, `a | b` and `_`.
    pub(super) fn match_cases(&mut self, statement: &StmtMatch) {
        let span = self.span(statement.subject.range());
        let subject = self.temporary();
        let value = self.expression(&statement.subject, None);
        self.emit(Instruction::Move { to: subject, from: value }, span);
        let mut ends = Vec::new();
        for case in &statement.cases {
            let (mut hits, mut misses) = (Vec::new(), Vec::new());
            if self.pattern(&case.pattern, Operand::register(subject), &mut hits) {
                let at = self.span(case.pattern.range());
                misses.push(self.emit(Instruction::Jump { target: 0 }, at));
            }
            hits.into_iter().for_each(|hit| self.land(hit));
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

    /// Notes the branches that are taken where a pattern fits; false if it always does.
    fn pattern(&mut self, pattern: &Pattern, subject: Operand, hits: &mut Vec<usize>) -> bool {
        let mut test = |body: &mut Self, operator: Comparison, value: Operand, at: TextRange| {
            let (to, span) = (body.temporary(), body.span(at));
            body.emit(Instruction::Compare { operator, to, left: subject, right: value }, span);
            let condition = Operand::register(to);
            hits.push(body.emit(Instruction::Branch { condition, expected: true, target: 0 }, span));
        };
        match pattern {
            Pattern::MatchValue(pattern) if !matches!(&*pattern.value, Expr::Name(_)) => {
                let value = self.expression(&pattern.value, None);
                test(self, Comparison::Equal, value, pattern.range);
                true
            }
            Pattern::MatchSingleton(pattern) => {
                let value = match pattern.value {
                    Singleton::None => Literal::None,
                    Singleton::True => Literal::Bool(true),
                    Singleton::False => Literal::Bool(false),
                };
                let value = self.literal(value);
                test(self, Comparison::Is, value, pattern.range);
                true
            }
            Pattern::MatchOr(alternatives) => {
                alternatives.patterns.iter().all(|pattern| self.pattern(pattern, subject, hits))
            }
            Pattern::MatchAs(pattern) if pattern.pattern.is_none() && pattern.name.is_none() => false,
            Pattern::MatchValue(_)
            | Pattern::MatchAs(_)
            | Pattern::MatchSequence(_)
            | Pattern::MatchMapping(_)
            | Pattern::MatchClass(_)
            | Pattern::MatchStar(_) => {
                let hint = "compare with values, `|` and `_`, or write `if`/`elif`/`else`";
                self.refuse(Code::Match, pattern, "this pattern is not part of the language", hint);
                true
            }
        }
    }
}
