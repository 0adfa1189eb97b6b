//! Taking elements out of lists and putting them in between, where what happens depends on choices.
//!
//! A list whose length is random has holes: slots that are empty in some worlds, and each world sees the list without
//! them. Before a list is taken apart it is made compact: what a world sees at a position then stands in the slot of that
//! number, in every world, and the list changes slot by slot.

use crate::choices::Diagram;
use crate::evaluate::builtins::{insertion_of, nothing_there, position_of};
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Value};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison, Method};

impl<S: Scalar> State<S> {
    /// `xs.pop(i)`, `xs.insert(i, x)`, `xs.remove(x)`, `xs.index(x)`, `xs.reverse()` and `xs.clear()`; `None` if nothing
    /// about it is random, or it is not about a list.
    pub(super) fn list_in_worlds(
        &mut self,
        method: Method,
        object: &Value<S>,
        values: &[Value<S>],
    ) -> Outcome<Option<Value<S>>> {
        let (Value::List(handle) | Value::Tuple(handle)) = object else { return Ok(None) };
        let looks_for = matches!(method, Method::Remove | Method::Index);
        let takes = match method {
            Method::Pop => values.len() <= 1,
            Method::Insert => values.len() == 2,
            Method::Remove | Method::Index => values.len() == 1,
            Method::Reverse | Method::Clear => values.is_empty(),
            _ => return Ok(None),
        };
        let is_random = (self.worlds.are_split() && method != Method::Index)
            || self.has_holes(object)
            || (looks_for && (self.holds_choice(object, 0) || self.holds_choice(&values[0], 0)))
            || (!looks_for && values.first().is_some_and(Self::is_choice));
        if !takes || !is_random || (matches!(object, Value::Tuple(_)) && method != Method::Index) {
            return Ok(None);
        }
        let elements = self.compact(*handle)?;
        let length = self.guarded_length(object)?;
        let length = if Self::is_choice(&length) { length } else { Value::Int(self.whole(&length, "a length")?) };
        let result = match method {
            Method::Pop => {
                let index = values.first().cloned().unwrap_or(Value::Int(-1));
                let place = self.lift(&[index, length], false, &mut |state, values| {
                    let (index, length) = (state.whole(&values[0], "an index")?, state.whole(&values[1], "a length")?);
                    let place = position_of(index, length as usize);
                    place.map(|place| Value::Int(place as i64)).ok_or_else(|| nothing_there(index, length as usize))
                })?;
                let taken = self.element_at(&elements, &place)?;
                let left = self.without_element(&elements, &place)?;
                self.write_slots(*handle, elements, left)?;
                taken
            }
            Method::Insert => {
                let place = self.lift(&[values[0].clone(), length], false, &mut |state, values| {
                    let (index, length) = (state.whole(&values[0], "an index")?, state.whole(&values[1], "a length")?);
                    Ok(Value::Int(insertion_of(index, length as usize) as i64))
                })?;
                let more = self.with_element(&elements, &place, &values[1])?;
                self.write_slots(*handle, elements, more)?;
                Value::None
            }
            Method::Remove => {
                let place = self.place_of(&elements, &values[0])?;
                let left = self.without_element(&elements, &place)?;
                self.write_slots(*handle, elements, left)?;
                Value::None
            }
            Method::Index => self.place_of(&elements, &values[0])?,
            Method::Reverse => {
                let reversed = elements.iter().rev().cloned().collect();
                self.write_slots(*handle, elements, reversed)?;
                Value::None
            }
            _ => {
                let nothing = vec![Value::Unbound; elements.len()];
                self.write_slots(*handle, elements, nothing)?;
                Value::None
            }
        };
        Ok(Some(result))
    }

    /// Makes a list compact, in all worlds: what a world sees at a position stands in the slot of that number.
    pub(in crate::evaluate) fn compact(&mut self, handle: Handle) -> Outcome<Vec<Value<S>>> {
        let elements = self.heap.sequence(handle).to_vec();
        let Some(first) = elements.iter().position(|element| self.is_hole(element)) else { return Ok(elements) };
        let active = std::mem::replace(&mut self.worlds.active, Diagram::TRUE);
        let compacted = self.without_holes(&elements, first);
        self.worlds.active = active;
        let compacted = compacted?;
        self.heap.sequences[handle as usize].clone_from(&compacted);
        Ok(compacted)
    }

    /// The same elements, those from the first hole on moved to the front in each world.
    pub(in crate::evaluate) fn without_holes(&mut self, elements: &[Value<S>], first: usize) -> Outcome<Vec<Value<S>>> {
        let mut compacted = elements[..first].to_vec();
        let mut before = Value::Int(first as i64);
        for element in &elements[first..] {
            let present = self.presence(element)?;
            if present == Diagram::FALSE {
                continue;
            }
            compacted.push(Value::Unbound);
            for slot in first..compacted.len() {
                self.budget.spend_steps(1)?;
                let stands = self.compare(Comparison::Equal, &before, &Value::Int(slot as i64))?;
                let stands = self.truth_event(&stands)?;
                let here = self.conjunction(stands, present)?;
                if here != Diagram::FALSE {
                    compacted[slot] = self.either(here, element, &compacted[slot].clone())?;
                }
            }
            let present = self.settle(present);
            before = self.binary(Binary::Add, &before, &present)?;
        }
        while matches!(compacted.last(), Some(Value::Unbound)) {
            compacted.pop();
        }
        Ok(compacted)
    }

    /// The element at a place that may be random, of a compact list.
    fn element_at(&mut self, elements: &[Value<S>], place: &Value<S>) -> Outcome<Value<S>> {
        if let Value::Int(place) = place {
            return Ok(elements.get(*place as usize).cloned().unwrap_or(Value::Unbound));
        }
        let mut found = Value::Unbound;
        for (slot, element) in elements.iter().enumerate() {
            let here = self.compare(Comparison::Equal, place, &Value::Int(slot as i64))?;
            let here = self.truth_event(&here)?;
            found = self.either(here, element, &found)?;
        }
        Ok(found)
    }

    /// A compact list without the element at a place.
    fn without_element(&mut self, elements: &[Value<S>], place: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let mut left = Vec::with_capacity(elements.len());
        for (slot, element) in elements.iter().enumerate() {
            self.budget.spend_steps(1)?;
            let stays = self.compare(Comparison::Greater, place, &Value::Int(slot as i64))?;
            let stays = self.truth_event(&stays)?;
            let next = elements.get(slot + 1).cloned().unwrap_or(Value::Unbound);
            left.push(self.either(stays, element, &next)?);
        }
        Ok(left)
    }

    /// A compact list with one element more.
    fn with_element(&mut self, elements: &[Value<S>], place: &Value<S>, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let mut more = Vec::with_capacity(elements.len() + 1);
        for slot in 0..=elements.len() {
            self.budget.spend_steps(1)?;
            let number = Value::Int(slot as i64);
            let before = self.compare(Comparison::Greater, place, &number)?;
            let before = self.truth_event(&before)?;
            let here = self.compare(Comparison::Equal, place, &number)?;
            let here = self.truth_event(&here)?;
            let (old, moved) = (elements.get(slot), slot.checked_sub(1).and_then(|slot| elements.get(slot)));
            let later = self.either(here, value, moved.unwrap_or(&Value::Unbound))?;
            more.push(self.either(before, old.unwrap_or(&Value::Unbound), &later)?);
        }
        Ok(more)
    }

    /// The first place of a compact list with a value, in all worlds that are being looked at.
    fn place_of(&mut self, elements: &[Value<S>], wanted: &Value<S>) -> Outcome<Value<S>> {
        let mut place = Value::Unbound;
        for (slot, element) in elements.iter().enumerate().rev() {
            let equal = self.equal_element(wanted, element)?;
            place = self.either(equal, &Value::Int(slot as i64), &place)?;
        }
        let fault = self.not_in_list(wanted);
        self.require_presence_or(&place, fault)?;
        Ok(place)
    }

    /// Writes the slots of a list in the worlds that are being looked at; the others keep what they had.
    fn write_slots(&mut self, handle: Handle, old: Vec<Value<S>>, mut new: Vec<Value<S>>) -> Outcome<()> {
        let birth = self.worlds.births.get(&(false, handle)).copied().unwrap_or(Diagram::TRUE);
        let active = self.worlds.active;
        if active != birth && self.worlds.are_split() {
            let length = old.len().max(new.len());
            self.budget.spend_elements((length - old.len()) as u64)?;
            new.resize(length, Value::Unbound);
            for (slot, value) in new.iter_mut().enumerate() {
                *value = self.either(active, value, old.get(slot).unwrap_or(&Value::Unbound))?;
            }
        }
        while matches!(new.last(), Some(Value::Unbound)) {
            new.pop();
        }
        self.heap.sequences[handle as usize] = new;
        *self.worlds.reshaped.entry(handle).or_insert(0) += 1;
        Ok(())
    }

    /// `sorted(xs, key=f)` where the keys are random, or elements are missing in some worlds: how many others come before an
    /// element says where it stands.
    pub(in crate::evaluate) fn sorted_by_key(
        &mut self,
        keyed: &[(Value<S>, Value<S>)],
        reverse: bool,
    ) -> Outcome<Vec<Value<S>>> {
        let count = keyed.len();
        self.budget.spend_steps((count * count) as u64)?;
        let mut presences = Vec::with_capacity(count);
        for (_, element) in keyed {
            presences.push(self.presence(element)?);
        }
        let mut ranks = vec![Value::Int(0); count];
        let operator = if reverse { Comparison::Greater } else { Comparison::Less };
        for later in 0..count {
            for earlier in 0..later {
                let both = self.conjunction(presences[earlier], presences[later])?;
                // Equal ones stay in their order.
                let overtakes = self.event_within(both, |state| {
                    let overtakes = state.compare(operator, &keyed[later].0, &keyed[earlier].0)?;
                    state.truth_event(&overtakes)
                })?;
                let overtakes = self.conjunction(overtakes, both)?;
                let stays = self.worlds.diagrams.without(both, overtakes);
                let stays = stays.map_err(|too_wide| self.too_wide(too_wide, &[both, overtakes]))?;
                for (place, event) in [(earlier, overtakes), (later, stays)] {
                    let event = self.settle(event);
                    ranks[place] = self.binary(Binary::Add, &ranks[place], &event)?;
                }
            }
        }
        let mut sorted = vec![Value::Unbound; count];
        for (place, (_, element)) in keyed.iter().enumerate() {
            for (rank, slot) in sorted.iter_mut().enumerate() {
                let stands = self.compare(Comparison::Equal, &ranks[place], &Value::Int(rank as i64))?;
                let stands = self.truth_event(&stands)?;
                let here = self.conjunction(stands, presences[place])?;
                *slot = self.either(here, element, slot)?;
            }
        }
        while matches!(sorted.last(), Some(Value::Unbound)) {
            sorted.pop();
        }
        Ok(sorted)
    }

    /// An event that is worked out in some worlds only; in the others it does not happen.
    fn event_within(&mut self, worlds: Diagram, work: impl FnOnce(&mut Self) -> Outcome<Diagram>) -> Outcome<Diagram> {
        let active = self.worlds.active;
        let running = self.running()?;
        let here = self.conjunction(running, worlds)?;
        if here == Diagram::FALSE {
            return Ok(Diagram::FALSE);
        }
        self.worlds.active = here;
        let event = work(self);
        self.worlds.active = active;
        event
    }

    /// The first of some elements, or what there is instead where there are none.
    pub(in crate::evaluate) fn first_of(
        &mut self,
        elements: &[Value<S>],
        default: Option<&Value<S>>,
    ) -> Outcome<Value<S>> {
        let mut found = default.cloned().unwrap_or(Value::Unbound);
        for element in elements.iter().rev() {
            let present = self.presence(element)?;
            found = self.either(present, element, &found)?;
        }
        let nothing = Fault::hinted(Code::MissingKey, "there is no next element", "give a default: `next(xs, None)`");
        if elements.is_empty() && default.is_none() {
            return Err(nothing);
        }
        self.require_presence_or(&found, nothing)?;
        Ok(found)
    }
}
