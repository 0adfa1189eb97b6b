//! Dictionaries whose entries are there in some worlds only, and methods that change containers in place.

use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Part, Value};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{CallShape, Method};

impl<S: Scalar> State<S> {
    /// Notes whether a key comes to stand behind others in some worlds although it is written before them: that it is given a
    /// value at a position where it had none, while later ones have.
    pub(in crate::evaluate) fn note_order(&mut self, handle: Handle, position: usize) -> Outcome<()> {
        let entries = &self.heap.dict(handle).entries;
        if !self.is_hole(&entries[position].1) || self.worlds.disordered.contains(&handle) {
            return Ok(());
        }
        let old = entries[position].1.clone();
        let later: Vec<Value<S>> = entries[position + 1..].iter().map(|(_, value)| value.clone()).collect();
        let present = self.presence(&old)?;
        let absent = self.negation(present)?;
        let running = self.running()?;
        let new = self.conjunction(absent, running)?;
        for value in &later {
            let present = self.presence(value)?;
            if self.conjunction(present, new)? != Diagram::FALSE {
                self.worlds.disordered.insert(handle);
                break;
            }
        }
        Ok(())
    }

    /// Makes sure that the keys of a dictionary come in the same order in all worlds, or that nobody asks for it.
    pub(in crate::evaluate) fn require_order(&self, handle: Handle) -> Outcome<()> {
        if !self.worlds.disordered.contains(&handle) || self.worlds.is_order_free {
            return Ok(());
        }
        let message = "the keys of this dictionary come in another order in some worlds";
        let hint = "make them before: `{key: 0 for key in keys}`, or go through `sorted(d)`";
        Err(Fault::hinted(Code::RandomIndex, message, hint))
    }

    /// Whether a value is not there in some worlds.
    pub(in crate::evaluate) fn is_hole(&self, value: &Value<S>) -> bool {
        match value {
            Value::Choice(super::Chosen::Diagram(diagram)) => self.is_partial(*diagram),
            Value::Unbound => true,
            _ => false,
        }
    }

    /// An entry of a `defaultdict` or a `Counter` that is there in some worlds: in the others it is made now.
    pub(in crate::evaluate) fn entry_or_default(
        &mut self,
        handle: Handle,
        key: &Value<S>,
        entry: &Value<S>,
    ) -> Outcome<Value<S>> {
        let present = self.presence(entry)?;
        let absent = self.negation(present)?;
        let mut made = Value::Unbound;
        self.within(absent, |state| {
            made = state.default_entry(handle, key)?;
            Ok(())
        })?;
        self.either(present, entry, &made)
    }

    /// An item of a dictionary that is there in some worlds only.
    pub(in crate::evaluate) fn item_in_worlds(
        &mut self,
        part: Part,
        key: Value<S>,
        value: Value<S>,
    ) -> Outcome<Value<S>> {
        let item = match part {
            Part::Values => return Ok(value),
            Part::Keys => key,
            Part::Items => {
                let pair = self.tuple(vec![key, value.clone()])?;
                self.expanded(&pair, 0)?
            }
        };
        let present = self.presence(&value)?;
        self.either(present, &item, &Value::Unbound)
    }

    /// `d.copy()`
    pub(super) fn copied(&mut self, handle: Handle) -> Outcome<Value<S>> {
        if self.is_tally(handle) {
            return self.expanded_tally(handle);
        }
        let entries = self.heap.dict(handle).entries.clone();
        self.budget.spend_steps(entries.len() as u64)?;
        let copy = self.new_dict()?;
        if let Value::Dict(copy) = copy {
            for (key, value) in entries {
                self.insert(copy, key, value)?;
            }
            self.heap.dicts[copy as usize].default = self.heap.dict(handle).default;
            if self.worlds.disordered.contains(&handle) {
                self.worlds.disordered.insert(copy);
            }
            self.note_birth(true, copy);
        }
        Ok(copy)
    }

    /// `d.update(other)`, `d.setdefault(key, value)` and `xs.sort(...)`, where what is inside depends on choices: it is the
    /// container itself that changes.
    pub(super) fn change_in_worlds(
        &mut self,
        method: Method,
        object: &Value<S>,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Outcome<Value<S>> {
        match (method, object, values) {
            (Method::Update, Value::Dict(_), [Value::Dict(other)]) if !self.is_tally(*other) => {
                for (key, value) in self.heap.dict(*other).entries.clone() {
                    let present = self.presence(&value)?;
                    self.within(present, |state| {
                        state.change(object, |state| state.set_index(object, &key, value.clone()))
                    })?;
                }
                Ok(Value::None)
            }
            (Method::Update | Method::SetDefault, Value::Dict(_), [first, rest @ ..])
                if self.holds_choice(first, 0) =>
            {
                let first = self.expanded(first, 0)?;
                let object = object.clone();
                self.lift(&[first], true, &mut |state, first| {
                    let mut values = first.to_vec();
                    values.extend_from_slice(rest);
                    state.call_method(method, &object, shape, &values)
                })
            }
            (Method::SetDefault, Value::Dict(handle), [key, rest @ ..])
                if rest.len() < 2 && shape.keywords.is_empty() =>
            {
                let default = rest.first().cloned().unwrap_or(Value::None);
                let hashed = self.key(key)?;
                let dict = self.heap.dict(*handle);
                let old = dict.positions.get(&hashed).map_or(Value::Unbound, |place| dict.entries[*place].1.clone());
                let present = self.presence(&old)?;
                let absent = self.negation(present)?;
                self.within(absent, |state| {
                    state.change(object, |state| state.set_index(object, key, default.clone()))
                })?;
                self.either(absent, &default, &old)
            }
            (Method::Sort, Value::List(handle), [Value::Bool(reverse)])
                if shape.keywords == ["reverse"] && !self.has_holes(object) =>
            {
                let mut sorted = self.sorted_choices(object)?;
                if *reverse {
                    sorted.reverse();
                }
                self.change(object, |state| {
                    state.heap.sequences[*handle as usize] = sorted;
                    Ok(Value::None)
                })
            }
            _ => {
                let message =
                    format!("{} that depends on choices is changed in a way that is not followed", object.kind());
                Err(Fault::hinted(Code::RandomIndex, message, "make a new one"))
            }
        }
    }

    /// Does something in the worlds of an event only.
    pub(super) fn within(&mut self, event: Diagram, work: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        let active = self.worlds.active;
        let here = self.conjunction(active, event)?;
        if here == Diagram::FALSE {
            return Ok(());
        }
        self.worlds.active = here;
        let result = work(self);
        self.worlds.active = active;
        result
    }
}
