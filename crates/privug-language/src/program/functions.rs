//! Compiling one body: its registers, its variables and the emission of instructions.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Comprehension, Expr, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::bindings::{assigned_names, target_names};
use super::check::Checker;
use super::exceptions::Handler;
use super::lambdas::changing_names;
use super::leaving::Attempt;
use super::loops::OpenLoop;
use super::{Function, Instruction, Operand, Parameter, Register, ResultName};
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::Origin;

/// What a body is the body of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Module,
    Function,
    Expression,
}

/// A body that is being compiled.
pub(super) struct Body<'c, 'a> {
    pub(super) checker: &'c mut Checker<'a>,
    pub(super) origin: Origin,
    pub(super) kind: Kind,
    /// The variables, by name.
    pub(super) variables: HashMap<String, Register>,
    variable_names: Vec<String>,
    /// Variables of comprehensions, innermost last; they hide the others.
    pub(super) scopes: Vec<HashMap<String, Register>>,
    /// Names that could have been meant besides the variables.
    pub(super) suggestions: Vec<String>,
    /// Whether it is an expression given beside the program.
    pub(super) is_beside: bool,
    next_register: Register,
    register_count: Register,
    /// Variables that may have several values while the body runs.
    pub(super) changing: HashSet<String>,
    /// Whether what is compiled next is gone through at once.
    pub(super) is_consumed: bool,
    /// Where a function that yields collects what it gives.
    pub(super) yielded: Option<Register>,
    pub(super) loops: Vec<OpenLoop>,
    pub(super) open_loops: u32,
    loop_count: u32,
    code: Vec<Instruction>,
    spans: Vec<Span>,
    pub(super) handlers: Vec<Handler>,
    /// The exceptions that are being handled, innermost last.
    pub(super) catching: Vec<(Register, Register)>,
    /// The `try` statements around, innermost last.
    pub(super) attempts: Vec<Attempt>,
    /// How many `finally` around are being compiled where they are left.
    pub(super) leaving: u32,
}

/// How far a body was compiled.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    code: usize,
    handlers: usize,
    diagnostics: usize,
}

impl<'c, 'a> Body<'c, 'a> {
    fn new(checker: &'c mut Checker<'a>, origin: Origin, kind: Kind, names: Vec<String>) -> Self {
        let count = names.len() as Register;
        let variables = names.iter().cloned().zip(0..).collect();
        Body {
            checker,
            origin,
            kind,
            variables,
            variable_names: names,
            scopes: Vec::new(),
            suggestions: Vec::new(),
            is_beside: false,
            next_register: count,
            register_count: count,
            changing: HashSet::new(),
            is_consumed: false,
            yielded: None,
            loops: Vec::new(),
            open_loops: 0,
            loop_count: 0,
            code: Vec::new(),
            spans: Vec::new(),
            handlers: Vec::new(),
            catching: Vec::new(),
            attempts: Vec::new(),
            leaving: 0,
        }
    }

    /// The body of the file; its variables are the globals of the functions.
    pub(super) fn module(checker: &'c mut Checker<'a>, origin: Origin, statements: &[Stmt]) -> Self {
        let mut names = assigned_names(statements, false);
        // `Point = namedtuple(…)` declares a class.
        names.retain(|name| !checker.names.classes.contains_key(name));
        checker.names.globals = names.iter().cloned().zip(0..).collect();
        Body::new(checker, origin, Kind::Module, names)
    }

    /// Compiles a function.
    pub(super) fn function(
        checker: &'c mut Checker<'a>,
        origin: Origin,
        definition: &StmtFunctionDef,
        parameters: Vec<Parameter>,
    ) -> Function {
        let mut names: Vec<String> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let (more, more_named) = (&definition.parameters.vararg, &definition.parameters.kwarg);
        names.extend([more, more_named].into_iter().flatten().map(|parameter| parameter.name.to_string()));
        let known: HashSet<String> = names.iter().cloned().collect();
        names.extend(assigned_names(&definition.body, true).into_iter().filter(|name| !known.contains(name)));
        let mut body = Body::new(checker, origin, Kind::Function, names);
        body.changing = changing_names(&definition.body, &parameters);
        body.begin_generator(definition);
        body.statements(&definition.body);
        let end = body.span(definition.name.range());
        match body.yielded {
            Some(list) => body.end_generator(list, end),
            None => {
                let nothing = body.literal(super::Literal::None);
                body.return_value(nothing, ResultName::Text("return".to_owned()), end);
            }
        }
        let function = body.finish(&definition.name, end, parameters);
        Function { takes_more: more.is_some(), takes_more_named: more_named.is_some(), ..function }
    }

    /// An expression given beside the program: the variables of `scope` that it mentions become its parameters.
    pub(super) fn beside(checker: &'c mut Checker<'a>, origin: Origin, tree: &Expr, scope: &[String]) -> Self {
        let mut mentioned = Mentioned::default();
        mentioned.visit_expr(tree);
        let names = scope.iter().filter(|name| mentioned.0.contains(*name)).cloned().collect();
        let mut body = Body::new(checker, origin, Kind::Expression, names);
        body.suggestions = scope.to_vec();
        body.is_beside = true;
        body
    }

    /// The body of a function inside another.
    pub(super) fn inner(checker: &'c mut Checker<'a>, origin: Origin, names: Vec<String>) -> Self {
        Body::new(checker, origin, Kind::Expression, names)
    }

    pub(super) fn is_module(&self) -> bool {
        self.kind == Kind::Module
    }

    /// The parameters of an expression's body: all its variables.
    pub(super) fn captured_parameters(&self) -> Vec<Parameter> {
        let span = Span { source: self.origin.source, start: self.origin.offset, end: self.origin.offset };
        let parameter = |name: &String| Parameter { name: name.clone(), span, default: None, keyword_only: false };
        self.variable_names.iter().map(parameter).collect()
    }

    pub(super) fn finish(self, name: &str, span: Span, parameters: Vec<Parameter>) -> Function {
        let written = self.checker.in_written;
        Function {
            name: name.to_owned(),
            span: if written { Span::START } else { span },
            parameters,
            takes_more: false,
            takes_more_named: false,
            written,
            variables: self.variable_names,
            register_count: self.register_count,
            loop_count: self.loop_count,
            code: self.code,
            spans: self.spans,
            handlers: self.handlers,
        }
    }

    pub(super) fn span(&self, range: TextRange) -> Span {
        // What stands in a written module is told where the program calls it.
        if self.checker.in_written { Span::START } else { self.origin.span(range) }
    }

    /// Refuses a part of the text.
    pub(super) fn refuse(&mut self, code: Code, at: impl Ranged, message: impl Into<String>, hint: impl Into<String>) {
        let span = self.span(at.range());
        self.checker.refuse(code, span, message, hint);
    }

    /// Refuses a construct with the words of its code.
    pub(super) fn refuse_construct(&mut self, code: Code, at: impl Ranged, hint: &str) {
        self.refuse(code, at, code.title(), hint);
    }

    pub(super) fn temporary(&mut self) -> Register {
        self.temporaries(1)
    }

    /// `count` registers in a row.
    pub(super) fn temporaries(&mut self, count: u32) -> Register {
        let first = self.next_register;
        self.next_register += count;
        self.register_count = self.register_count.max(self.next_register);
        first
    }

    /// Gives back the registers that `compile` takes for itself.
    pub(super) fn scratch<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.next_register;
        let result = compile(self);
        self.next_register = mark;
        result
    }

    pub(super) fn emit(&mut self, instruction: Instruction, span: Span) -> usize {
        self.code.push(instruction);
        self.spans.push(span);
        self.code.len() - 1
    }

    /// How far the body is compiled.
    pub(super) fn mark(&self) -> Mark {
        Mark { code: self.code.len(), handlers: self.handlers.len(), diagnostics: self.checker.diagnostics.len() }
    }

    /// Takes back what was compiled since a mark if something in it was refused; whether it was.
    pub(super) fn undo_if_refused(&mut self, mark: Mark) -> bool {
        if self.checker.diagnostics.len() == mark.diagnostics {
            return false;
        }
        self.checker.diagnostics.truncate(mark.diagnostics);
        self.code.truncate(mark.code);
        self.spans.truncate(mark.code);
        self.handlers.truncate(mark.handlers);
        self.loops.iter_mut().for_each(|open| open.forget_jumps_behind(mark.code));
        true
    }

    /// Where the next instruction will be.
    pub(super) fn here(&self) -> u32 {
        self.code.len() as u32
    }

    pub(super) fn instruction(&self, at: u32) -> Instruction {
        self.code[at as usize]
    }

    /// Lets the jump at `at` go to the next instruction.
    pub(super) fn land(&mut self, at: usize) {
        let here = self.here();
        self.aim(at, here);
    }

    pub(super) fn aim(&mut self, at: usize, place: u32) {
        match &mut self.code[at] {
            Instruction::Jump { target } | Instruction::Branch { target, .. } => *target = place,
            Instruction::NextItem { exit, .. } => *exit = place,
            _ => unreachable!("only jumps are aimed"),
        }
    }

    pub(super) fn open_loop_slot(&mut self) -> u32 {
        let slot = self.open_loops;
        self.open_loops += 1;
        self.loop_count = self.loop_count.max(self.open_loops);
        slot
    }

    pub(super) fn return_value(&mut self, value: Operand, name: ResultName, span: Span) {
        let index = self.checker.program.result_names.len() as u32;
        self.checker.program.result_names.push(name);
        self.emit(Instruction::Return { value, name: index }, span);
    }

    /// Opens a scope for the names that a comprehension's target binds.
    pub(super) fn open_scope(&mut self, target: &Expr) {
        let names = target_names(target);
        let first = self.temporaries(names.len() as u32);
        self.scopes.push(names.into_iter().zip(first..).collect());
    }

    /// The register of a variable of this body.
    pub(super) fn variable(&self, name: &str) -> Option<Register> {
        let in_scope = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        in_scope.or_else(|| self.variables.get(name)).copied()
    }
}

/// Collects the names that an expression mentions, whatever they stand for.
#[derive(Default)]
pub(super) struct Mentioned(pub(super) HashSet<String>);

impl Mentioned {
    /// What comprehensions and lambdas mention besides their own variables.
    fn inside(&mut self, own: &HashSet<String>, look: impl FnOnce(&mut Mentioned)) {
        let mut inner = Mentioned::default();
        look(&mut inner);
        self.0.extend(inner.0.into_iter().filter(|name| !own.contains(name)));
    }

    fn comprehension<'t>(&mut self, elements: &[&'t Expr], generators: &'t [Comprehension]) {
        let Some((first, rest)) = generators.split_first() else { return };
        // The first is gone through outside.
        self.visit_expr(&first.iter);
        let own = generators.iter().flat_map(|generator| target_names(&generator.target)).collect();
        self.inside(&own, |inner| {
            first.ifs.iter().for_each(|test| inner.visit_expr(test));
            rest.iter().for_each(|generator| inner.visit_comprehension(generator));
            elements.iter().for_each(|element| inner.visit_expr(element));
        });
    }
}

impl<'t> Visitor<'t> for Mentioned {
    fn visit_expr(&mut self, tree: &'t Expr) {
        match tree {
            Expr::Name(name) => _ = self.0.insert(name.id.to_string()),
            Expr::ListComp(all) => self.comprehension(&[&all.elt], &all.generators),
            Expr::SetComp(all) => self.comprehension(&[&all.elt], &all.generators),
            Expr::Generator(all) => self.comprehension(&[&all.elt], &all.generators),
            Expr::DictComp(all) => {
                let elements: Vec<&Expr> = all.key.iter().map(|key| &**key).chain([&*all.value]).collect();
                self.comprehension(&elements, &all.generators);
            }
            _ => walk_expr(self, tree),
        }
    }
}
