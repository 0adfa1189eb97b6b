//! Branches on random values: both ways are taken, each in its own worlds.
//!
//! Worlds that stand at different instructions of a call wait for each other: the one that is furthest behind goes on, and
//! those that come to the same instruction go on together. Since a function's instructions only go back at the end of a
//! loop's round, the two ways of a branch meet where the text joins them.

use super::{lift, operators};
use crate::choices::Diagram;
use crate::evaluate::choices;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::frame::Frame;
use crate::evaluate::running::{Machine, Stop};
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Instruction;

/// Rounds of `while` loops that go on in some worlds only.
pub(in crate::evaluate) const MAX_ROUNDS_IN_WORLDS: usize = 200;

/// Why a loop that goes on in some worlds only is left.
#[cold]
pub(in crate::evaluate) fn endless_loop() -> Box<Fault> {
    let message = format!("a loop runs for more than {MAX_ROUNDS_IN_WORLDS} iterations in some worlds");
    let hint = "a loop that ends only by chance is unbounded; write `for i in range(n):` with `break`";
    Fault::hinted(Code::While, message, hint)
}

/// A call whose worlds have parted.
pub(in crate::evaluate) struct Split<S> {
    /// How many calls wait for it.
    depth: usize,
    /// The worlds that it was called in.
    entered: Diagram,
    /// Worlds that wait, and at which instruction.
    waiting: Vec<(usize, Diagram)>,
    /// What it gives in the worlds that have left it.
    returned: Option<(Diagram, Value<S>, u32)>,
}

impl<'p, S: Scalar> Machine<'p, S> {
    /// Whether values written by the call under way must be kept in other worlds.
    pub(in crate::evaluate) fn keeps_others(&self, depth: usize) -> bool {
        match self.splits.last() {
            // The variables of the analysed function may be asked for after its end.
            Some(split) if split.depth == depth => {
                !split.waiting.is_empty() || (depth == 0 && split.returned.is_some())
            }
            _ => false,
        }
    }

    /// Writes a register in the worlds of the call under way.
    #[inline]
    pub(in crate::evaluate) fn put(&mut self, register: usize, value: Value<S>) -> Result<(), Stop> {
        let is_raised = self.state.exceptions.are_on_their_way();
        if !self.keeps && !is_raised {
            self.registers[register] = value;
            return Ok(());
        }
        // Where an exception is raised, the variable stays as it was.
        let active = if is_raised { self.checked(|state| choices::running(state))? } else { self.state.worlds.active };
        let old = match std::mem::replace(&mut self.registers[register], Value::Unbound) {
            Value::Poison if is_raised => Value::Unbound,
            old => old,
        };
        match lift::either(&mut self.state, active, &value, &old) {
            Ok(joined) => self.registers[register] = joined,
            Err(fault) => {
                self.registers[register] = Value::Poison;
                self.fail(fault)?;
            }
        }
        Ok(())
    }

    /// Lets the worlds of an event go on at an instruction, and the others at the next.
    pub(in crate::evaluate) fn part(
        &mut self,
        frame: &mut Frame<'p>,
        depth: usize,
        event: Diagram,
        target: usize,
    ) -> Result<(), Stop> {
        let running = self.checked(|state| choices::running(state))?;
        let there = self.checked(|state| operators::conjunction(state, running, event))?;
        if there == Diagram::FALSE {
            return Ok(());
        }
        let here = self.checked(|state| {
            let rest = state.worlds.diagrams.without(running, event);
            rest.map_err(|too_wide| choices::too_wide(state, too_wide, &[running, event]))
        })?;
        if here == Diagram::FALSE {
            frame.next = target;
            return Ok(());
        }
        if target < frame.next {
            self.rounds_in_worlds += 1;
            if self.rounds_in_worlds > MAX_ROUNDS_IN_WORLDS {
                let span = self.state.span;
                self.report(endless_loop(), span)?;
                return Err(Stop);
            }
        }
        if self.splits.last().is_none_or(|split| split.depth != depth) {
            let entered = self.state.worlds.active;
            self.splits.push(Split { depth, entered, waiting: Vec::new(), returned: None });
        }
        if let Some(split) = self.splits.last_mut() {
            split.waiting.push((target, there));
        }
        self.state.worlds.active = here;
        Ok(())
    }

    /// Some worlds of a call go on; the others have left it without a result.
    pub(in crate::evaluate) fn stay_without(&mut self, depth: usize, worlds: Diagram) -> Result<(), Stop> {
        let active = self.state.worlds.active;
        if self.splits.last().is_none_or(|split| split.depth != depth) {
            self.splits.push(Split { depth, entered: active, waiting: Vec::new(), returned: None });
        }
        if let Some(split) = self.splits.last_mut() {
            // Those that have left do not come back when the others meet.
            split.returned.get_or_insert((worlds, Value::Unbound, u32::MAX));
        }
        self.state.worlds.active = self.checked(|state| {
            let rest = state.worlds.diagrams.without(active, worlds);
            rest.map_err(|too_wide| choices::too_wide(state, too_wide, &[active, worlds]))
        })?;
        Ok(())
    }

    pub(in crate::evaluate) fn checked<T>(
        &mut self,
        work: impl FnOnce(&mut crate::evaluate::state::State<S>) -> Outcome<T>,
    ) -> Result<T, Stop> {
        match work(&mut self.state) {
            Ok(value) => Ok(value),
            Err(fault) => {
                let span = self.state.span;
                self.report(fault, span)?;
                Err(Stop)
            }
        }
    }

    /// Goes on with the worlds that are furthest behind.
    pub(in crate::evaluate) fn reschedule(&mut self, frame: &mut Frame<'p>, depth: usize) -> Result<(), Stop> {
        loop {
            let Some(split) = self.splits.last_mut() else { return Ok(()) };
            if split.depth != depth {
                return Ok(());
            }
            let Some(first) = split.waiting.iter().enumerate().min_by_key(|(_, (at, _))| *at).map(|(place, _)| place)
            else {
                if split.returned.is_none() {
                    // All worlds are together again.
                    self.state.worlds.active = split.entered;
                    self.splits.pop();
                }
                return Ok(());
            };
            let (at, worlds) = split.waiting[first];
            if at > frame.next {
                return Ok(());
            }
            split.waiting.swap_remove(first);
            if at < frame.next {
                split.waiting.push((frame.next, self.state.worlds.active));
                frame.next = at;
                frame.uncounted = at;
                self.state.worlds.active = worlds;
            } else {
                let active = self.state.worlds.active;
                self.state.worlds.active = self.checked(|state| {
                    let both = state.worlds.diagrams.or(active, worlds);
                    both.map_err(|too_wide| choices::too_wide(state, too_wide, &[active, worlds]))
                })?;
            }
        }
    }

    /// Whether the program has failed in all worlds that are being looked at, which what was seen excludes.
    pub(in crate::evaluate) fn is_over(&mut self) -> Result<bool, Stop> {
        Ok(self.checked(|state| choices::running(state))? == Diagram::FALSE)
    }

    /// Whether a fault happens in worlds only that what was seen excludes.
    pub(in crate::evaluate) fn is_harmless(&mut self, fault: &Fault) -> Result<bool, Stop> {
        if self.is_caught(fault)? {
            return Ok(true);
        }
        if !self.state.worlds.has_seen {
            return Ok(false);
        }
        let running = self.checked(|state| choices::running(state))?;
        self.checked(|state| choices::is_harmless(state, fault, running))
    }

    /// The value that a register has in the worlds that are being looked at, if it is one.
    pub(in crate::evaluate) fn here(&mut self, register: usize) -> Result<Value<S>, Stop> {
        self.seen_here(self.registers[register].clone())
    }

    /// What a value is in the worlds that are being looked at, if it is one.
    pub(in crate::evaluate) fn seen_here(&mut self, value: Value<S>) -> Result<Value<S>, Stop> {
        let Value::Choice(super::Chosen::Diagram(diagram)) = value else { return Ok(value) };
        self.checked(|state| {
            let running = choices::running(state)?;
            let product = state.worlds.diagrams.product(running, &[diagram]);
            let (_, tuples) = product.map_err(|too_wide| choices::too_wide(state, too_wide, &[running, diagram]))?;
            Ok(match &tuples[..] {
                [only] => state.worlds.leaves[only[0] as usize].clone(),
                _ => value,
            })
        })
    }

    /// Whether a value is an object in some worlds.
    pub(in crate::evaluate) fn has_objects(&self, diagram: Diagram) -> bool {
        let worlds = &self.state.worlds;
        worlds.diagrams.leaves_of(diagram).iter().any(|leaf| matches!(worlds.leaves[*leaf as usize], Value::Object(..)))
    }

    /// Carries something out once for each value that a value is here, in its worlds, and puts together what that gives.
    pub(in crate::evaluate) fn in_worlds_of(
        &mut self,
        diagram: Diagram,
        run: &mut dyn FnMut(&mut Self, &Value<S>) -> Result<Outcome<Value<S>>, Stop>,
    ) -> Result<Outcome<Value<S>>, Stop> {
        let active = self.state.worlds.active;
        let leaves = self.checked(|state| {
            let running = choices::running(state)?;
            let product = state.worlds.diagrams.product(running, &[diagram]);
            let (_, tuples) = product.map_err(|too_wide| choices::too_wide(state, too_wide, &[running, diagram]))?;
            Ok(tuples.iter().map(|tuple| tuple[0]).collect::<Vec<u32>>())
        })?;
        let mut joined = Value::Unbound;
        for leaf in leaves {
            let value = self.state.worlds.leaves[leaf as usize].clone();
            let here = self.checked(|state| {
                let event = lift::leaf_event(state, diagram, leaf)?;
                operators::conjunction(state, active, event)
            })?;
            self.state.worlds.active = here;
            let passes_on = self.passes_on;
            let result = run(self, &value)?;
            self.passes_on = passes_on;
            let found = match result {
                Ok(found) => found,
                Err(fault) if self.is_harmless(&fault)? => Value::Unbound,
                Err(fault) => {
                    self.state.worlds.active = active;
                    return Ok(Err(fault));
                }
            };
            self.state.worlds.active = active;
            joined = self.checked(|state| lift::either(state, here, &found, &joined))?;
        }
        self.state.worlds.active = active;
        Ok(Ok(joined))
    }

    /// `object.name = value`, where the object may be another one in other worlds.
    pub(in crate::evaluate) fn set_member_in_worlds(
        &mut self,
        object: &Value<S>,
        name: &Value<S>,
        value: &Value<S>,
    ) -> Result<Outcome<()>, Stop> {
        match object {
            Value::Choice(super::Chosen::Diagram(diagram)) if self.has_objects(*diagram) => {
                let set = self.in_worlds_of(*diagram, &mut |machine, here| {
                    Ok(machine.set_member_here(here, name, value)?.map(|()| Value::None))
                })?;
                Ok(set.map(|_| ()))
            }
            _ => self.set_member_here(object, name, value),
        }
    }

    /// Calls whichever function it is, each in its worlds.
    pub(in crate::evaluate) fn call_value_in_worlds(
        &mut self,
        callee: &Value<S>,
        shape: &privug_language::program::CallShape,
        values: &[Value<S>],
    ) -> Result<Outcome<Value<S>>, Stop> {
        match callee {
            Value::Choice(super::Chosen::Diagram(diagram)) => {
                self.in_worlds_of(*diagram, &mut |machine, here| machine.call_value(here, shape, values.to_vec()))
            }
            _ => self.call_value(callee, shape, values.to_vec()),
        }
    }

    /// Functions among the arguments of a call, which may be others in other worlds: the ones that they are here.
    pub(in crate::evaluate) fn find_functions(&mut self, first: usize, count: usize) -> Result<(), Stop> {
        if !self.state.worlds.exist() {
            return Ok(());
        }
        for register in first..first + count {
            let Value::Choice(super::Chosen::Diagram(diagram)) = self.registers[register] else { continue };
            let leaves = self.state.worlds.diagrams.leaves_of(diagram);
            let is_function =
                |machine: &Self, leaf: u32| matches!(machine.state.worlds.leaves[leaf as usize], Value::Function(_));
            if leaves.iter().any(|leaf| is_function(self, *leaf)) {
                let here = self.checked(|state| {
                    let running = choices::running(state)?;
                    let product = state.worlds.diagrams.product(running, &[diagram]);
                    let (_, tuples) =
                        product.map_err(|too_wide| choices::too_wide(state, too_wide, &[running, diagram]))?;
                    Ok(tuples)
                })?;
                // What is left there of another call is no function here.
                if !here.iter().any(|tuple| is_function(self, tuple[0])) {
                    continue;
                }
                if here.len() > 1 {
                    let message = "which function is called depends on a random value";
                    let hint = "branch with `if`, and call the functions by their names";
                    let span = self.state.span;
                    self.report(Fault::hinted(Code::FunctionAsValue, message, hint), span)?;
                    return Err(Stop);
                }
                self.registers[register] = self.state.worlds.leaves[here[0][0] as usize].clone();
            }
        }
        Ok(())
    }

    /// Some worlds leave a call. Gives what the call gives, once all of them have.
    pub(in crate::evaluate) fn leave_worlds(
        &mut self,
        frame: &mut Frame<'p>,
        depth: usize,
        value: Value<S>,
        name: u32,
    ) -> Result<Option<(Value<S>, u32)>, Stop> {
        let active = self.state.worlds.active;
        let Some(split) = self.splits.last_mut().filter(|split| split.depth == depth) else {
            return Ok(Some((value, name)));
        };
        let (so_far, next) = (split.returned.take(), split.waiting.iter().map(|(at, _)| *at).min());
        let together = match so_far {
            // Worlds that are excluded give nothing.
            Some(earlier) if matches!(value, Value::Unbound) => earlier,
            None | Some((_, Value::Unbound, _)) => (active, value, name),
            Some((worlds, earlier, earlier_name)) => self.checked(|state| {
                let joined = lift::either(state, active, &value, &earlier)?;
                let both = state.worlds.diagrams.or(worlds, active);
                let both = both.map_err(|too_wide| choices::too_wide(state, too_wide, &[worlds, active]))?;
                // Several statements return it.
                Ok((both, joined, if earlier_name == name { name } else { u32::MAX }))
            })?,
        };
        let Some(split) = self.splits.last_mut() else { return Err(Stop) };
        match next.and_then(|at| split.waiting.iter().position(|(waiting, _)| *waiting == at)) {
            Some(place) => {
                let (at, worlds) = split.waiting.swap_remove(place);
                split.returned = Some(together);
                self.state.worlds.active = worlds;
                frame.next = at;
                frame.uncounted = at;
                Ok(None)
            }
            None => {
                self.state.worlds.active = split.entered;
                self.splits.pop();
                Ok(Some((together.1, together.2)))
            }
        }
    }

    /// The next item of a loop: worlds in which it is not there go on with the round after it.
    pub(in crate::evaluate) fn begin_round(
        &mut self,
        frame: &mut Frame<'p>,
        depth: usize,
        slot: u32,
        register: usize,
        value: Value<S>,
    ) -> Result<(), Stop> {
        let is_hole = match &value {
            Value::Choice(super::Chosen::Diagram(diagram)) => lift::is_partial(&self.state, *diagram),
            Value::Unbound => true,
            _ => false,
        };
        let present = if is_hole { Some(self.checked(|state| lift::presence(state, &value))?) } else { None };
        self.put(register, value)?;
        if let Some(present) = present {
            let code = &frame.function.code;
            let start = frame.next;
            let repeat = (start..code.len())
                .find(|at| matches!(code[*at], Instruction::Repeat { slot: other, .. } if other == slot))
                .unwrap_or(start);
            let absent = self.checked(|state| {
                let absent = state.worlds.diagrams.not(present);
                absent.map_err(|too_wide| choices::too_wide(state, too_wide, &[present]))
            })?;
            self.part(frame, depth, absent, repeat)?;
        }
        Ok(())
    }
}
