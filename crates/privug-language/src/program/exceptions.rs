//! `try`, `raise` and the classes of exceptions: which handler takes which, and where the code of each stands.

use ruff_python_ast::{ExceptHandler, ExceptHandlerExceptHandler, Expr, Stmt, StmtClassDef, StmtRaise, StmtTry};
use ruff_text_size::{Ranged, TextRange};

use super::Literal;
use super::check::Checker;
use super::expanded::EXCEPTION;
use super::functions::Body;
use super::instruction::{Comparison, Instruction, Operand, Register};
use crate::diagnostic::Code;

/// A part of a function's code in which exceptions are caught; those inside others come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handler {
    /// The first instruction of the part.
    pub start: u32,
    /// The first one behind it.
    pub end: u32,
    /// Where it goes on after an exception.
    pub target: u32,
    /// The register that gets the name of the exception's class.
    pub exception: Register,
    /// The register that gets what the exception says, and the tuple of what it was made of, if that is known.
    pub said: Register,
}

/// The exceptions of Python that a program may name, each with the class that it belongs to.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("ArithmeticError", "Exception"),
    ("AssertionError", "Exception"),
    ("AttributeError", "Exception"),
    ("BufferError", "Exception"),
    ("EOFError", "Exception"),
    ("FileExistsError", "OSError"),
    ("FileNotFoundError", "OSError"),
    ("FloatingPointError", "ArithmeticError"),
    ("IOError", "OSError"),
    ("ImportError", "Exception"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("LookupError", "Exception"),
    ("MemoryError", "Exception"),
    ("NameError", "Exception"),
    ("NotImplementedError", "RuntimeError"),
    ("OSError", "Exception"),
    ("OverflowError", "ArithmeticError"),
    ("PermissionError", "OSError"),
    ("RecursionError", "RuntimeError"),
    ("RuntimeError", "Exception"),
    ("StopIteration", "Exception"),
    ("TimeoutError", "OSError"),
    ("TypeError", "Exception"),
    ("UnicodeError", "ValueError"),
    ("ValueError", "Exception"),
    ("ZeroDivisionError", "ArithmeticError"),
];

/// What every exception that a program raises is.
const ALL: [&str; 2] = ["Exception", "BaseException"];

impl Checker<'_> {
    /// Makes `class Denied(Exception): pass` known; whether it is such a class.
    pub(super) fn declare_exception(&mut self, definition: &StmtClassDef) -> bool {
        let is_empty = definition.body.iter().all(|statement| match statement {
            Stmt::Pass(_) => true,
            Stmt::Expr(text) => matches!(&*text.value, Expr::StringLiteral(_) | Expr::EllipsisLiteral(_)),
            _ => false,
        });
        let parent = definition.arguments.as_ref().and_then(|arguments| match &*arguments.args {
            [base] => exception_name(base),
            _ => None,
        });
        match parent.filter(|parent| is_empty && definition.decorator_list.is_empty() && self.is_exception(parent)) {
            Some(parent) => {
                self.names.exceptions.insert(definition.name.to_string(), parent.to_owned());
                true
            }
            None => false,
        }
    }

    pub(super) fn is_exception(&self, name: &str) -> bool {
        ALL.contains(&name)
            || EXCEPTIONS.iter().any(|(known, _)| *known == name)
            || self.names.exceptions.contains_key(name)
    }

    /// The class that an exception belongs to, if it is a known one.
    fn parent_of(&self, name: &str) -> Option<&str> {
        let own = self.names.exceptions.get(name).map(String::as_str);
        own.or_else(|| EXCEPTIONS.iter().find(|(known, _)| *known == name).map(|(_, parent)| *parent))
    }

    /// All exceptions that `except name` takes.
    fn taken_by(&self, name: &str) -> Vec<String> {
        let own = self.names.exceptions.keys().map(String::as_str);
        let known = EXCEPTIONS.iter().map(|(known, _)| *known).chain(own);
        let mut taken: Vec<String> = known
            .filter(|known| {
                let mut at = Some(*known);
                // Classes are declared after those that they belong to, so that this has an end.
                while let Some(class) = at {
                    if class == name {
                        return true;
                    }
                    at = self.parent_of(class);
                }
                false
            })
            .map(str::to_owned)
            .collect();
        taken.sort_unstable();
        taken
    }
}

impl Body<'_, '_> {
    /// `try: …`: the body, what follows it, and the handlers behind that. A handler with something in it that is not part of
    /// the language catches nothing: the error stops the analysis.
    pub(super) fn try_block(&mut self, statement: &StmtTry) {
        let (exception, said) = (self.temporary(), self.temporary());
        let start = self.here();
        self.open_attempt(statement);
        self.statements(&statement.body);
        let end = self.here();
        self.statements(&statement.orelse);
        let mut ends = vec![self.emit(Instruction::Jump { target: 0 }, self.span(statement.range))];
        let before = self.mark();
        if !caught(statement).is_empty() {
            self.catch(start, end, (exception, said));
            self.catching.push((exception, said));
            for ExceptHandler::ExceptHandler(handler) in caught(statement) {
                self.handler(handler, (exception, said), &mut ends);
            }
            self.catching.pop();
            self.raise_again((exception, said), statement.range);
            if self.undo_if_refused(before) {
                ends.truncate(1);
            }
        }
        let after = self.here();
        if !statement.finalbody.is_empty() {
            // What nobody has caught goes on behind the last part.
            let again = (self.temporary(), self.temporary());
            let before = self.mark();
            self.catch(start, after, again);
            let own = self.attempts.pop();
            self.statements(&statement.finalbody);
            self.raise_again(again, statement.range);
            self.undo_if_refused(before);
            self.attempts.extend(own);
        }
        self.attempts.pop();
        for jump in ends {
            self.land(jump);
        }
        self.statements(&statement.finalbody);
    }

    /// Exceptions between two places go on here.
    fn catch(&mut self, start: u32, end: u32, (exception, said): (Register, Register)) {
        let target = self.here();
        for (start, end) in self.guarded(start, end) {
            self.handlers.push(Handler { start, end, target, exception, said });
        }
    }

    fn handler(
        &mut self,
        handler: &ExceptHandlerExceptHandler,
        (exception, said): (Register, Register),
        ends: &mut Vec<usize>,
    ) {
        let span = self.span(handler.range);
        let mut skip = None;
        if let Some(names) = handler.type_.as_deref().and_then(|tree| self.caught_names(tree)) {
            let (list, found) = (self.temporary(), self.temporary());
            self.emit(Instruction::NewList { to: list }, span);
            for name in names {
                let value = self.literal(Literal::Text(name));
                self.emit(Instruction::Append { list, value }, span);
            }
            let (left, right) = (Operand::register(exception), Operand::register(list));
            self.emit(Instruction::Compare { operator: Comparison::In, to: found, left, right }, span);
            let condition = Operand::register(found);
            skip = Some(self.emit(Instruction::Branch { condition, expected: false, target: 0 }, span));
        }
        if let Some(register) = handler.name.as_ref().and_then(|name| self.variable(name)) {
            // What an exception says is known where the program reads nothing else of it.
            let is_read = handler.name.as_ref().is_some_and(|name| name.starts_with(EXCEPTION));
            let from = if is_read { Operand::register(said) } else { self.literal(Literal::Missing) };
            self.emit(Instruction::Move { to: register, from }, span);
        }
        if let Some(register) = handler.name.as_ref().and_then(|name| self.variable(&class_of(name))) {
            self.emit(Instruction::Move { to: register, from: Operand::register(exception) }, span);
        }
        self.statements(&handler.body);
        ends.push(self.emit(Instruction::Jump { target: 0 }, span));
        if let Some(skip) = skip {
            self.land(skip);
        }
    }

    /// The exceptions that a handler takes; `None` if it takes all.
    fn caught_names(&mut self, tree: &Expr) -> Option<Vec<String>> {
        let classes: Vec<&Expr> = match tree {
            Expr::Tuple(tuple) => tuple.elts.iter().collect(),
            one => vec![one],
        };
        let mut names = Vec::new();
        for class in classes {
            match exception_name(class).filter(|name| self.checker.is_exception(name)) {
                Some(name) if ALL.contains(&name) => return None,
                Some(name) => names.extend(self.checker.taken_by(name)),
                None => self.refuse(
                    Code::Try,
                    class,
                    "it is not known which exceptions this catches",
                    "name one of Python's exception classes",
                ),
            }
        }
        Some(names)
    }

    fn raise_again(&mut self, (exception, said): (Register, Register), range: TextRange) {
        let span = self.span(range);
        let message = self.literal(Literal::Missing);
        let (exception, said) = (Operand::register(exception), Operand::register(said));
        self.emit(Instruction::Raise { exception, message, said }, span);
    }

    /// `raise ValueError("…")`, or `raise` in a handler.
    pub(super) fn raise(&mut self, statement: &StmtRaise) {
        let span = self.span(statement.range());
        let (class, message) = match statement.exc.as_deref() {
            None if let Some(exception) = self.catching.last().copied() => {
                return self.raise_again(exception, statement.range());
            }
            Some(Expr::Call(call)) => {
                let message = match call.arguments.args.first() {
                    Some(text @ (Expr::StringLiteral(_) | Expr::FString(_))) => self.expression(text, None),
                    _ => self.literal(Literal::Missing),
                };
                (exception_name(&call.func), message)
            }
            Some(class) => (exception_name(class), self.literal(Literal::Missing)),
            None => (None, self.literal(Literal::Missing)),
        };
        let Some(class) = class.filter(|class| self.variable(class).is_none()) else {
            return self.refuse_construct(Code::Raise, statement, "write `raise ValueError(\"message\")`");
        };
        let said = self.said(class, statement.exc.as_deref(), message);
        let exception = self.literal(Literal::Text(class.to_owned()));
        self.emit(Instruction::Raise { exception, message, said }, span);
    }

    /// What a handler can read of an exception: its text, and the tuple of what it was made of. Only where some handler does.
    fn said(&mut self, class: &str, exception: Option<&Expr>, message: Operand) -> Operand {
        let unknown = self.literal(Literal::Missing);
        let arguments: &[Expr] = match exception {
            Some(Expr::Call(call)) if call.arguments.keywords.is_empty() => &call.arguments.args,
            Some(Expr::Call(_)) => return unknown,
            _ => &[],
        };
        // `str(KeyError(key))` is not the key but how it is written; several arguments are written as a tuple.
        let is_plain = arguments.len() <= 1 && class != "KeyError";
        let reading = self.checker.reading;
        let is_starred = arguments.iter().any(|tree| matches!(tree, Expr::Starred(_)));
        if !reading.anything || is_starred || (reading.texts && !is_plain) {
            return unknown;
        }
        let span = self.span(exception.map_or(TextRange::default(), Ranged::range));
        let (pair, tuple) = (self.temporary(), self.temporary());
        self.emit(Instruction::NewList { to: tuple }, span);
        let mut text = self.literal(Literal::Text(String::new()));
        for argument in arguments {
            let is_message = matches!(argument, Expr::StringLiteral(_) | Expr::FString(_)) && arguments.len() == 1;
            let value = if is_message { message } else { self.expression(argument, None) };
            self.emit(Instruction::Append { list: tuple, value }, span);
            if reading.texts {
                let to = self.temporary();
                let specification = super::FormatSpecification::PLAIN;
                self.emit(Instruction::Format { to, from: value, specification }, span);
                text = Operand::register(to);
            }
        }
        self.emit(Instruction::Freeze { list: tuple }, span);
        self.emit(Instruction::NewList { to: pair }, span);
        for value in [text, Operand::register(tuple)] {
            self.emit(Instruction::Append { list: pair, value }, span);
        }
        self.emit(Instruction::Freeze { list: pair }, span);
        Operand::register(pair)
    }
}

/// The variable that has the name of an exception's class, where a handler reads it.
pub(super) fn class_of(name: &str) -> String {
    format!("class of {name}")
}

/// The handlers of a `try`; what stands behind imports never runs, because modules are known or refused.
pub(super) fn caught(statement: &StmtTry) -> &[ExceptHandler] {
    let imports = statement.body.iter().any(|inner| matches!(inner, Stmt::Import(_) | Stmt::ImportFrom(_)));
    if imports { &[] } else { &statement.handlers }
}

/// The name of a class, perhaps behind that of a module.
fn exception_name(tree: &Expr) -> Option<&str> {
    match tree {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}
