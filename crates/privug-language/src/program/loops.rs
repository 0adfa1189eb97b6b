//! Compiling loops and comprehensions.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Comprehension, ExceptHandler, Expr, Stmt, StmtFor, StmtWhile};
use ruff_text_size::{Ranged, TextRange};

use super::exceptions::caught;
use super::functions::{Body, Mentioned};
use super::instruction::{Instruction, Operand, Register};
use crate::diagnostic::Code;

/// A loop whose body is being compiled.
pub(super) struct OpenLoop {
    /// Jumps to the end of a round.
    continues: Vec<usize>,
    /// Jumps that leave it.
    exits: Vec<usize>,
}

impl OpenLoop {
    /// Forgets jumps that are no part of the code any more.
    pub(super) fn forget_jumps_behind(&mut self, end: usize) {
        self.continues.retain(|jump| *jump < end);
        self.exits.retain(|jump| *jump < end);
    }
}

/// Whether a lambda's value is made of names, numbers, elements and operators.
fn only_looks(tree: &Expr) -> bool {
    match tree {
        Expr::Name(_) | Expr::NumberLiteral(_) | Expr::StringLiteral(_) => true,
        Expr::Attribute(attribute) => only_looks(&attribute.value),
        Expr::Subscript(subscript) => only_looks(&subscript.value) && only_looks(&subscript.slice),
        Expr::Tuple(tuple) => tuple.elts.iter().all(only_looks),
        Expr::BinOp(operation) => only_looks(&operation.left) && only_looks(&operation.right),
        _ => false,
    }
}

impl Body<'_, '_> {
    pub(super) fn for_loop(&mut self, loop_: &StmtFor) {
        if loop_.is_async {
            self.refuse_construct(Code::Async, &*loop_.target, "remove `async`");
        }
        self.is_consumed = self.may_go_through_at_once(loop_);
        let slot = self.start_loop(&loop_.iter);
        let start = self.here();
        let end = self.next_item(slot, &loop_.target, false);
        self.loops.push(OpenLoop { continues: Vec::new(), exits: Vec::new() });
        self.statements(&loop_.body);
        let OpenLoop { continues, exits } =
            self.loops.pop().unwrap_or(OpenLoop { continues: Vec::new(), exits: Vec::new() });
        // A round is left forwards, so that worlds which leave it early can wait for the others at its end.
        for jump in continues {
            self.land(jump);
        }
        self.repeat(start, &loop_.target);
        self.open_loops -= 1;
        self.land(end);
        // `else` runs when the loop came to its end, not after `break`.
        self.statements(&loop_.orelse);
        for exit in exits {
            self.land(exit);
        }
    }

    /// `while test: …`: the test stands behind the body, so that only one branch goes back, at the end of a round.
    pub(super) fn while_loop(&mut self, loop_: &StmtWhile) {
        if is_true(&loop_.test) && !leaves(&loop_.body, true) {
            let hint = "write `for i in range(n):`, or exit with `break` or `return`";
            self.refuse_construct(Code::While, first_line(loop_), hint);
            return;
        }
        let span = self.span(loop_.test.range());
        let enter = self.emit(Instruction::Jump { target: 0 }, span);
        let start = self.here();
        self.loops.push(OpenLoop { continues: Vec::new(), exits: Vec::new() });
        self.statements(&loop_.body);
        let OpenLoop { continues, exits } =
            self.loops.pop().unwrap_or(OpenLoop { continues: Vec::new(), exits: Vec::new() });
        for jump in continues.into_iter().chain([enter]) {
            self.land(jump);
        }
        let condition = self.scratch(|body| body.expression(&loop_.test, None));
        self.emit(Instruction::Branch { condition, expected: true, target: start }, span);
        self.statements(&loop_.orelse);
        for exit in exits {
            self.land(exit);
        }
    }

    /// Whether it does not matter that an iterator is gone through before the loop begins: the loop's body mentions nothing
    /// that the iterator depends on, and the iterator calls nothing.
    fn may_go_through_at_once(&self, loop_: &StmtFor) -> bool {
        let Expr::Call(call) = &*loop_.iter else { return false };
        // These give something new that nobody else changes; a lambda without calls only looks.
        const FRESH: &[&str] = &["sorted", "list", "tuple", "range", "zip", "enumerate", "itemgetter", "attrgetter"];
        let is_fresh = |tree: &Expr| match tree {
            Expr::Name(name) => FRESH.contains(&name.id.as_str()),
            Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "itemgetter" | "attrgetter"),
            _ => false,
        };
        let calls = |tree: &Expr| match tree {
            Expr::Lambda(lambda) => !only_looks(&lambda.body),
            Expr::Attribute(_) => true,
            Expr::Call(call) => !is_fresh(&call.func),
            _ => false,
        };
        let arguments = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
        let only_keys = call.arguments.keywords.iter().all(|keyword| keyword.arg.as_deref() == Some("key"));
        if !self.is_lazy_call(call) || !only_keys || arguments.clone().any(calls) {
            return false;
        }
        let (mut sources, mut body) = (Mentioned::default(), Mentioned::default());
        for argument in arguments {
            sources.visit_expr(argument);
        }
        sources.0.retain(|name| !FRESH.contains(&name.as_str()));
        loop_.body.iter().for_each(|statement| body.visit_stmt(statement));
        let is_function = |name: &String| self.checker.names.functions.contains_key(name);
        sources.0.is_disjoint(&body.0) && !sources.0.iter().any(is_function)
    }

    fn start_loop(&mut self, over: &Expr) -> u32 {
        let operand = self.expression(over, None);
        let slot = self.open_loop_slot();
        let span = self.span(over.range());
        self.emit(Instruction::StartLoop { slot, over: operand }, span);
        slot
    }

    /// Fetches the next item into the target; gives the instruction that leaves the loop.
    fn next_item(&mut self, slot: u32, target: &Expr, scoped: bool) -> usize {
        let span = self.span(target.range());
        if scoped {
            self.open_scope(target);
        }
        if let Expr::Name(name) = target
            && let Some(to) = self.variable(&name.id)
        {
            return self.emit(Instruction::NextItem { slot, to, exit: 0 }, span);
        }
        let to = self.temporary();
        let next = self.emit(Instruction::NextItem { slot, to, exit: 0 }, span);
        self.assign(target, Operand::register(to));
        next
    }

    /// The end of a round: the next item is fetched here, so that a round takes no jump back to the start.
    fn repeat(&mut self, start: u32, target: &Expr) {
        let span = self.span(target.range());
        if let Instruction::NextItem { slot, to, .. } = self.instruction(start) {
            self.emit(Instruction::Repeat { slot, to, body: start + 1 }, span);
        }
    }

    pub(super) fn break_loop(&mut self, at: TextRange) {
        self.leave_attempts(self.first_attempt_of_loop(), at);
        let span = self.span(at);
        let jump = self.emit(Instruction::Jump { target: 0 }, span);
        match self.loops.last_mut() {
            Some(open) => open.exits.push(jump),
            None => self.refuse_construct(Code::OutsideOfLoop, at, "remove it"),
        }
    }

    pub(super) fn continue_loop(&mut self, at: TextRange) {
        self.leave_attempts(self.first_attempt_of_loop(), at);
        let span = self.span(at);
        let jump = self.emit(Instruction::Jump { target: 0 }, span);
        match self.loops.last_mut() {
            Some(open) => open.continues.push(jump),
            None => self.refuse_construct(Code::OutsideOfLoop, at, "remove it"),
        }
    }

    /// `[element for …]`; generators are lists here, because nothing can tell the difference.
    pub(super) fn list_comprehension(
        &mut self,
        element: &Expr,
        generators: &[Comprehension],
        at: TextRange,
    ) -> Register {
        let list = self.temporary();
        let span = self.span(at);
        self.emit(Instruction::NewList { to: list }, span);
        self.comprehension(generators, &mut |body| {
            let value = body.expression(element, None);
            let span = body.span(element.range());
            body.emit(Instruction::Append { list, value }, span);
        });
        list
    }

    /// `{key: value for …}`
    pub(super) fn dict_comprehension(
        &mut self,
        key: &Expr,
        value: &Expr,
        generators: &[Comprehension],
        at: TextRange,
    ) -> Register {
        let dict = self.temporary();
        let span = self.span(at);
        self.emit(Instruction::NewDict { to: dict }, span);
        self.comprehension(generators, &mut |body| {
            let key_operand = body.expression(key, None);
            let value = body.expression(value, None);
            let span = body.span(key.range());
            body.emit(Instruction::Insert { dict, key: key_operand, value }, span);
        });
        dict
    }

    fn comprehension(&mut self, generators: &[Comprehension], innermost: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = generators.split_first() else {
            self.scratch(|body| innermost(body));
            return;
        };
        if first.is_async {
            self.refuse_construct(Code::Async, &first.target, "remove `async`");
        }
        self.scratch(|body| {
            body.is_consumed = matches!(&first.iter, Expr::Call(call) if body.is_lazy_call(call));
            let slot = body.start_loop(&first.iter);
            let start = body.here();
            let end = body.next_item(slot, &first.target, true);
            let mut skips = Vec::new();
            for test in &first.ifs {
                let condition = body.expression(test, None);
                let span = body.span(test.range());
                skips.push(body.emit(Instruction::Branch { condition, expected: false, target: 0 }, span));
            }
            body.comprehension(rest, innermost);
            for skip in skips {
                body.land(skip);
            }
            body.repeat(start, &first.target);
            body.scopes.pop();
            body.open_loops -= 1;
            body.land(end);
        });
    }
}

/// Whether a test is always true, as it is written.
fn is_true(test: &Expr) -> bool {
    match test {
        Expr::BooleanLiteral(literal) => literal.value,
        Expr::NumberLiteral(literal) => matches!(&literal.value, ruff_python_ast::Number::Int(value) if *value != 0),
        _ => false,
    }
}

/// Whether statements of a loop leave it; `own` if a `break` among them is the loop's.
fn leaves(statements: &[Stmt], own: bool) -> bool {
    statements.iter().any(|statement| match statement {
        Stmt::Return(_) => true,
        Stmt::Break(_) => own,
        Stmt::If(branch) => {
            leaves(&branch.body, own) || branch.elif_else_clauses.iter().any(|clause| leaves(&clause.body, own))
        }
        Stmt::For(loop_) => leaves(&loop_.body, false) || leaves(&loop_.orelse, own),
        Stmt::While(loop_) => leaves(&loop_.body, false) || leaves(&loop_.orelse, own),
        Stmt::Match(match_) => match_.cases.iter().any(|case| leaves(&case.body, own)),
        Stmt::With(with) => leaves(&with.body, own),
        Stmt::Try(attempt) => {
            let handlers = caught(attempt).iter().map(|ExceptHandler::ExceptHandler(handler)| &handler.body);
            handlers.chain([&attempt.body, &attempt.orelse, &attempt.finalbody]).any(|body| leaves(body, own))
        }
        _ => false,
    })
}

/// The loop's line, without its body.
fn first_line(loop_: &StmtWhile) -> TextRange {
    TextRange::new(loop_.start(), loop_.test.end())
}
