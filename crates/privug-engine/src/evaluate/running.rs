//! A program that is being run: the parts of the machine, and how they begin.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Limits;
use super::choices::Split;
use super::fault::Outcome;
use super::iterators::Walk;
use super::literals::literal_value;
use super::state::State;
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Diagnostic;
use privug_language::program::{Class, FunctionId, Instruction, Operand, Program, Register, Role, SETTER};

/// The run is over: what the machine has noted down says why.
#[derive(Debug)]
pub(super) struct Stop;

/// What a call gave.
pub(super) struct Returned<S> {
    pub(super) value: Value<S>,
    /// Which result name goes with it.
    pub(super) name: u32,
    /// The call's variables as they were at its end.
    pub(super) variables: Vec<Value<S>>,
}

/// The machine.
pub(super) struct Machine<'p, S: Scalar> {
    pub(super) program: &'p Program,
    pub(super) state: State<S>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) literals: Vec<Value<S>>,
    /// All frames, one behind the other; the module's variables come first and stay.
    pub(super) registers: Vec<Value<S>>,
    pub(super) loops: Vec<Walk<S>>,
    /// Calls whose worlds have parted, innermost last.
    pub(super) splits: Vec<Split<S>>,
    /// Whether what is written must keep the old value in other worlds.
    pub(super) keeps: bool,
    /// Where a call from outside puts its frame.
    pub(super) floor: usize,
    /// Where a call from outside puts its loops.
    pub(super) loop_floor: usize,
    /// How many calls from outside are inside each other.
    pub(super) nested: usize,
    /// How many calls wait for the innermost call from outside.
    pub(super) waiting: usize,
    /// Rounds of loops that went on in some worlds only.
    pub(super) rounds_in_worlds: usize,
    /// After so many steps, budgets and cancellation are looked at.
    pub(super) pause_at: u64,
    /// Whether the program catches exceptions anywhere.
    pub(super) has_handlers: bool,
    /// Whether the innermost call from outside is inside a `try`.
    pub(super) catches: bool,
    /// Whether the next call from outside is a call of the program itself, which exceptions can leave.
    pub(super) passes_on: bool,
    /// The instruction under way, and the first register of its call, where exceptions are caught.
    pub(super) under_way: Option<(usize, &'p Instruction)>,
    /// Whether the program has classes, whose objects may have to be asked what an operator gives.
    pub(super) has_classes: bool,
    /// Whether some of them have properties that can be set.
    pub(super) has_setters: bool,
}

#[inline(always)]
pub(super) fn read<'v, S>(
    registers: &'v [Value<S>],
    literals: &'v [Value<S>],
    base: usize,
    operand: Operand,
) -> &'v Value<S> {
    match operand.place() {
        Ok(register) => &registers[base + register as usize],
        Err(literal) => &literals[literal as usize],
    }
}

impl<'p, S: Scalar> Machine<'p, S> {
    pub(super) fn new(
        program: &'p Program,
        limits: Limits,
        cancelled: Option<Arc<AtomicBool>>,
        follows_doubles: bool,
    ) -> Result<Self, Diagnostic> {
        let mut state = State::new(limits, cancelled, follows_doubles);
        let is_secret = |role: &Role| matches!(role, Role::Secret | Role::ColumnPrior(_));
        state.publishes = program.expressions.iter().any(|expression| is_secret(&expression.role));
        let has_own = |class: &Class| class.is_tuple || class.is_compared || class.method("__eq__").is_some();
        state.own_equality = program.classes.iter().map(has_own).collect();
        let span = program.functions[0].span;
        let literals = program.literals.iter().map(|literal| literal_value(&mut state, literal));
        let literals = literals.collect::<Outcome<Vec<_>>>().map_err(|fault| fault.at(span))?;
        Ok(Machine {
            program,
            state,
            diagnostics: Vec::new(),
            literals,
            registers: Vec::new(),
            loops: Vec::new(),
            splits: Vec::new(),
            keeps: false,
            floor: 0,
            loop_floor: 0,
            nested: 0,
            waiting: 0,
            rounds_in_worlds: 0,
            pause_at: 0,
            has_handlers: program.functions.iter().any(|function| !function.handlers.is_empty()),
            catches: false,
            passes_on: false,
            under_way: None,
            has_classes: program.classes.iter().any(|class| !class.is_written),
            has_setters: program
                .classes
                .iter()
                .any(|class| class.methods.iter().any(|(name, ..)| name.starts_with(SETTER))),
        })
    }

    /// Runs the module's body; its variables stay.
    pub(super) fn run_module(&mut self) -> Result<(), Stop> {
        self.call(FunctionId(0), Vec::new())?;
        self.floor = self.program.functions[0].register_count as usize;
        Ok(())
    }

    /// A variable of the module.
    pub(super) fn global(&self, register: Register) -> Value<S> {
        self.registers[register as usize].clone()
    }
}
