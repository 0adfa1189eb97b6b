//! Changing lists and dictionaries in some worlds only.

use super::UNBOUND_LEAF;
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Value};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

impl<S: Scalar> State<S> {
    /// Notes that a container was made in the worlds that are being looked at.
    pub(in crate::evaluate) fn note_birth(&mut self, is_dict: bool, handle: Handle) {
        if self.worlds.are_split() {
            self.worlds.births.insert((is_dict, handle), self.worlds.active);
        }
    }

    /// Carries out a change of a container; worlds that are not being looked at keep what it was.
    pub(in crate::evaluate) fn change<T>(
        &mut self,
        object: &Value<S>,
        change: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let place = match object {
            Value::List(handle) => (false, *handle),
            Value::Array(handle) => (false, self.heap.array(*handle).buffer),
            Value::Dict(handle) | Value::Set(handle) | Value::Object(handle, _) => (true, *handle),
            Value::Iterator(_) | Value::Frame(_) | Value::Loc(_) if self.worlds.are_split() => {
                let message = format!("{} is changed in a branch that depends on a random value", object.kind());
                return Err(Fault::hinted(Code::BranchOnRandom, message, "change it outside the branch"));
            }
            _ => return change(self),
        };
        let active = self.worlds.active;
        let birth = self.worlds.births.get(&place).copied().unwrap_or(Diagram::TRUE);
        if active == birth || !self.worlds.are_split() {
            return change(self);
        }
        match place {
            (false, handle) => {
                let before = self.heap.sequences[handle as usize].clone();
                let result = change(self)?;
                let after = std::mem::take(&mut self.heap.sequences[handle as usize]);
                let joined = self.join_sequences(handle, active, before, after)?;
                self.heap.sequences[handle as usize] = joined;
                Ok(result)
            }
            (true, handle) => {
                let before = self.heap.dict(handle).entries.clone();
                let result = change(self)?;
                let entries = std::mem::take(&mut self.heap.dicts[handle as usize].entries);
                let absent = self.worlds.leaves[UNBOUND_LEAF as usize].clone();
                let mut joined = Vec::with_capacity(entries.len());
                for (place, (key, value)) in entries.into_iter().enumerate() {
                    let old = before.get(place).map_or(&absent, |(_, value)| value);
                    // Most entries stay what they are.
                    let value = if self.is_same(&value, old) { value } else { self.either(active, &value, old)? };
                    joined.push((key, value));
                }
                self.heap.dicts[handle as usize].entries = joined;
                Ok(result)
            }
        }
    }

    /// A list that is `after` in the worlds of an event and `before` elsewhere: what they do not share is there in some
    /// worlds only.
    fn join_sequences(
        &mut self,
        handle: Handle,
        event: Diagram,
        before: Vec<Value<S>>,
        after: Vec<Value<S>>,
    ) -> Outcome<Vec<Value<S>>> {
        self.budget.spend_steps((before.len() + after.len()) as u64)?;
        let absent = Value::Unbound;
        if before.len() == after.len() {
            let pairs = before.iter().zip(&after);
            let join = |(old, new): (&Value<S>, &Value<S>)| match self.is_same(old, new) {
                true => Ok(old.clone()),
                false => self.either(event, new, old),
            };
            return pairs.map(join).collect();
        }
        let shared = before.iter().zip(&after).take_while(|(old, new)| self.is_same(old, new)).count();
        if shared < before.len() {
            *self.worlds.reshaped.entry(handle).or_insert(0) += 1;
        }
        let mut joined = before[..shared].to_vec();
        for old in &before[shared..] {
            joined.push(self.either(event, &absent, old)?);
        }
        for new in &after[shared..] {
            joined.push(self.either(event, new, &absent)?);
        }
        self.budget.spend_elements((joined.len() - after.len()) as u64)?;
        Ok(joined)
    }

    /// Whether two values are certainly the same.
    pub(super) fn is_same(&self, a: &Value<S>, b: &Value<S>) -> bool {
        match (a, b) {
            (Value::Choice(a), Value::Choice(b)) => a == b,
            (Value::Choice(_), _) | (_, Value::Choice(_)) => false,
            (a, b) => {
                let key = self.leaf_key(a, 0);
                key.is_comparable() && key == self.leaf_key(b, 0)
            }
        }
    }

    /// For each element of a list with holes: the worlds in which it stands at a position. Each world sees the list without
    /// its holes.
    fn standing_at(&mut self, elements: &[Value<S>], index: i64) -> Outcome<Vec<Diagram>> {
        let mut presences = Vec::with_capacity(elements.len());
        let mut length = Value::Int(0);
        for element in elements {
            let present = self.presence(element)?;
            presences.push(present);
            let present = self.settle(present);
            length = self.binary(Binary::Add, &length, &present)?;
        }
        let wanted =
            if index >= 0 { Value::Int(index) } else { self.binary(Binary::Add, &length, &Value::Int(index))? };
        let mut before = Value::Int(0);
        let mut standing = Vec::with_capacity(elements.len());
        for present in presences {
            let is_wanted = self.compare(Comparison::Equal, &before, &wanted)?;
            let is_wanted = self.truth_event(&is_wanted)?;
            standing.push(self.conjunction(present, is_wanted)?);
            let present = self.settle(present);
            before = self.binary(Binary::Add, &before, &present)?;
        }
        Ok(standing)
    }

    /// The element at a position of a list with holes, in all worlds.
    pub(super) fn index_holes(&mut self, elements: &[Value<S>], index: i64) -> Outcome<Value<S>> {
        let mut found = Value::Unbound;
        for (element, here) in elements.iter().zip(self.standing_at(elements, index)?) {
            found = self.either(here, element, &found)?;
        }
        self.require_presence(&found)?;
        Ok(found)
    }

    /// `list[index] = value` of a list with holes.
    pub(super) fn set_holes(&mut self, list: Handle, index: i64, value: &Value<S>) -> Outcome<()> {
        let elements = self.heap.sequence(list).to_vec();
        let mut changed = Vec::with_capacity(elements.len());
        let mut anywhere = Diagram::FALSE;
        for (element, here) in elements.iter().zip(self.standing_at(&elements, index)?) {
            changed.push(self.either(here, value, element)?);
            anywhere = self.disjunction(anywhere, here)?;
        }
        let (found, missing) = (self.settle(anywhere), Value::Unbound);
        let found = self.either(anywhere, &found, &missing)?;
        self.require_presence(&found)?;
        self.heap.sequences[list as usize] = changed;
        Ok(())
    }
}
