//! Sets whose elements are there in some worlds only, and what is asked of two of them.
//!
//! A set knows every element that it can have and the worlds in which it has it. Nothing here depends on the order of the
//! elements, which Python does not promise.

use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::{Handle, Value};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Comparison, Method, SetMethod};

impl<S: Scalar> State<S> {
    /// `{a, b}`, where the elements may depend on choices.
    pub(in crate::evaluate) fn set_in_worlds(&mut self, list: &Value<S>) -> Outcome<Value<S>> {
        if !self.holds_choice(list, 0) {
            return self.set_of(list);
        }
        if Self::is_choice(list) {
            let list = list.clone();
            return self.lift(&[list], true, &mut |state, list| state.set_in_worlds(&list[0]));
        }
        if let Value::Set(handle) = list {
            return self.copied_set(*handle);
        }
        let elements = self.elements(list)?;
        let Value::Dict(set) = self.new_dict()? else { return Ok(Value::Poison) };
        for element in elements {
            let element = self.expanded(&element, 0)?;
            self.add_element(set, &element, Diagram::TRUE)?;
        }
        Ok(Value::Set(set))
    }

    /// Puts an element that may be random into a set, in some worlds.
    fn add_element(&mut self, set: Handle, element: &Value<S>, worlds: Diagram) -> Outcome<()> {
        if !Self::is_choice(element) {
            return match element {
                Value::Unbound => Ok(()),
                element => self.add_in_worlds(set, element, worlds),
            };
        }
        let diagram = self.diagram_of(element)?;
        for leaf in self.worlds.diagrams.leaves_of(diagram) {
            let value = self.worlds.leaves[leaf as usize].clone();
            if !matches!(value, Value::Unbound) {
                let event = self.leaf_event(diagram, leaf)?;
                let here = self.conjunction(event, worlds)?;
                if here != Diagram::FALSE {
                    self.add_in_worlds(set, &value, here)?;
                }
            }
        }
        Ok(())
    }

    /// Puts one element into a set, in the worlds of an event.
    fn add_in_worlds(&mut self, set: Handle, element: &Value<S>, event: Diagram) -> Outcome<()> {
        self.budget.spend_steps(1)?;
        let before = self.membership(set, element)?;
        let after = self.disjunction(before, event)?;
        let entry = self.either(after, &Value::None, &Value::Unbound)?;
        self.insert(set, element.clone(), entry)
    }

    /// The worlds in which a set has an element.
    pub(in crate::evaluate) fn membership(&mut self, set: Handle, element: &Value<S>) -> Outcome<Diagram> {
        let key = self.key(element)?;
        let dict = self.heap.dict(set);
        match dict.positions.get(&key) {
            Some(place) => {
                let entry = dict.entries[*place].1.clone();
                self.presence(&entry)
            }
            None => Ok(Diagram::FALSE),
        }
    }

    /// The elements of a set, each missing where the set does not have it, in no order.
    pub(in crate::evaluate) fn set_elements(&mut self, set: Handle) -> Outcome<Vec<Value<S>>> {
        let entries = self.heap.dict(set).entries.clone();
        self.budget.spend_steps(entries.len() as u64)?;
        let mut elements = Vec::with_capacity(entries.len());
        for (key, entry) in entries {
            let present = self.presence(&entry)?;
            elements.push(self.either(present, &key, &Value::Unbound)?);
        }
        Ok(elements)
    }

    /// `sorted(s)`: the elements that a set can have are in order, whichever of them it has.
    pub(super) fn sorted_set(&mut self, set: Handle, shape: &CallShape, values: &[Value<S>]) -> Outcome<Vec<Value<S>>> {
        let keys: Vec<Value<S>> = self.heap.dict(set).entries.iter().map(|(key, _)| key.clone()).collect();
        let mut given = values.to_vec();
        given[0] = self.list(keys)?;
        let sorted = self.call_builtin(Builtin::Sorted, shape, &given)?;
        let mut elements = Vec::new();
        for key in self.elements(&sorted)? {
            let present = self.membership(set, &key)?;
            elements.push(self.either(present, &key, &Value::Unbound)?);
        }
        Ok(elements)
    }

    /// Gives a set the elements of another, in the worlds that are being looked at.
    pub(in crate::evaluate) fn replace_set(&mut self, set: Handle, by: &Value<S>) -> Outcome<Value<S>> {
        let Value::Set(by) = by else { return Ok(Value::None) };
        let entries = self.heap.dict(*by).entries.clone();
        let old: Vec<Value<S>> = self.heap.dict(set).entries.iter().map(|(key, _)| key.clone()).collect();
        for key in old {
            if self.membership(*by, &key)? == Diagram::FALSE {
                self.take_entry(set, &key)?;
            }
        }
        for (key, entry) in entries {
            self.insert(set, key, entry)?;
        }
        Ok(Value::None)
    }

    pub(in crate::evaluate) fn copied_set(&mut self, set: Handle) -> Outcome<Value<S>> {
        let entries = self.heap.dict(set).entries.clone();
        let Value::Dict(copy) = self.new_dict()? else { return Ok(Value::Poison) };
        for (key, entry) in entries {
            self.insert(copy, key, entry)?;
        }
        Ok(Value::Set(copy))
    }

    /// What a method of sets is given: a set, or something to make one of.
    pub(in crate::evaluate) fn set_of_argument(&mut self, value: &Value<S>) -> Outcome<Handle> {
        match self.set_in_worlds(value)? {
            Value::Set(handle) => Ok(handle),
            other => Err(Fault::new(Code::TypeMismatch, format!("{} is joined with a set", other.kind()))),
        }
    }

    /// The union, intersection, … of two sets, or what one is to the other.
    pub(in crate::evaluate) fn joined_sets(&mut self, operation: SetMethod, a: Handle, b: Handle) -> Outcome<Value<S>> {
        let mut keys: Vec<Value<S>> = self.heap.dict(a).entries.iter().map(|(key, _)| key.clone()).collect();
        for (key, _) in self.heap.dict(b).entries.clone() {
            let hashed = self.key(&key)?;
            if !self.heap.dict(a).positions.contains_key(&hashed) {
                keys.push(key);
            }
        }
        self.budget.spend_steps(keys.len() as u64)?;
        let compared = match operation {
            SetMethod::IsSubset | SetMethod::IsSuperset | SetMethod::IsDisjoint => true,
            SetMethod::Add
            | SetMethod::Discard
            | SetMethod::Union
            | SetMethod::Intersection
            | SetMethod::Difference
            | SetMethod::SymmetricDifference => false,
        };
        let mut holds = Diagram::TRUE;
        let Value::Dict(joined) = self.new_dict()? else { return Ok(Value::Poison) };
        for key in keys {
            let (in_a, in_b) = (self.membership(a, &key)?, self.membership(b, &key)?);
            let (out_of_a, out_of_b) = (self.negation(in_a)?, self.negation(in_b)?);
            let event = match operation {
                SetMethod::Union | SetMethod::Add => self.disjunction(in_a, in_b)?,
                SetMethod::Intersection => self.conjunction(in_a, in_b)?,
                SetMethod::Difference | SetMethod::Discard => self.conjunction(in_a, out_of_b)?,
                SetMethod::SymmetricDifference => {
                    let only_a = self.conjunction(in_a, out_of_b)?;
                    let only_b = self.conjunction(in_b, out_of_a)?;
                    self.disjunction(only_a, only_b)?
                }
                SetMethod::IsSubset => self.disjunction(out_of_a, in_b)?,
                SetMethod::IsSuperset => self.disjunction(out_of_b, in_a)?,
                SetMethod::IsDisjoint => self.disjunction(out_of_a, out_of_b)?,
            };
            if compared {
                holds = self.conjunction(holds, event)?;
            } else if event != Diagram::FALSE {
                self.add_in_worlds(joined, &key, event)?;
            }
        }
        Ok(if compared { self.settle(holds) } else { Value::Set(joined) })
    }

    /// `a <= b` and the like of two sets; `None` of anything else.
    pub(in crate::evaluate) fn compare_sets(
        &mut self,
        operator: Comparison,
        left: &Value<S>,
        right: &Value<S>,
    ) -> Outcome<Option<Value<S>>> {
        let (Value::Set(a), Value::Set(b)) = (left, right) else { return Ok(None) };
        let (a, b) = (*a, *b);
        let event = |state: &mut Self, operation, x, y| {
            let value = state.joined_sets(operation, x, y)?;
            state.truth_event(&value)
        };
        let (under, over) = (event(self, SetMethod::IsSubset, a, b)?, event(self, SetMethod::IsSuperset, a, b)?);
        let equal = self.conjunction(under, over)?;
        let other = self.negation(equal)?;
        let holds = match operator {
            Comparison::Equal => equal,
            Comparison::NotEqual => other,
            Comparison::LessEqual => under,
            Comparison::GreaterEqual => over,
            Comparison::Less => self.conjunction(under, other)?,
            Comparison::Greater => self.conjunction(over, other)?,
            Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => return Ok(None),
        };
        Ok(Some(self.settle(holds)))
    }

    /// `x in set`, where the element or the set depends on choices.
    pub(super) fn in_set(&mut self, element: &Value<S>, set: Handle) -> Outcome<Value<S>> {
        let element = self.expanded(element, 0)?;
        self.lift(&[element], false, &mut |state, element| {
            let event = state.membership(set, &element[0])?;
            Ok(state.settle(event))
        })
    }

    /// `s.add(x)`, `s.remove(x)`, `d.pop(key)`, `d.clear()` and so on in some worlds, or of random elements; `None` if nothing
    /// about it is random, or it is not about a set or dictionary.
    pub(super) fn entry_in_worlds(
        &mut self,
        method: Method,
        object: &Value<S>,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Outcome<Option<Value<S>>> {
        let takes = match method {
            Method::OfSet(SetMethod::Add | SetMethod::Discard) | Method::Remove => {
                matches!(object, Value::Set(_)) && values.len() == 1
            }
            Method::Pop => matches!(object, Value::Dict(_)) && (1..=2).contains(&values.len()),
            Method::Clear => matches!(object, Value::Dict(_) | Value::Set(_)) && values.is_empty(),
            _ => false,
        };
        let (Value::Dict(handle) | Value::Set(handle)) = object else { return Ok(None) };
        if !takes || !shape.keywords.is_empty() {
            return Ok(None);
        }
        if self.is_tally(*handle) {
            return Err(Self::refuse_to_change_tally());
        }
        let Some(key) = values.first() else {
            return self.change(object, |state| state.dict_cleared(*handle)).map(Some);
        };
        let is_random = self.holds_choice(key, 0) || self.worlds.are_split() || self.has_holes(object);
        if !is_random {
            return Ok(None);
        }
        let key = self.expanded(key, 0)?;
        let (handle, default) = (*handle, values.get(1).cloned());
        if method == Method::OfSet(SetMethod::Add) {
            let running = self.running()?;
            self.add_element(handle, &key, running)?;
            return Ok(Some(Value::None));
        }
        let changed = self.lift(&[key], true, &mut |state, key| {
            let hashed = state.key(&key[0])?;
            let dict = state.heap.dict(handle);
            let entry = dict.positions.get(&hashed).map_or(Value::Unbound, |place| dict.entries[*place].1.clone());
            if default.is_none() && method != Method::OfSet(SetMethod::Discard) {
                let message = format!("{} is not in {}", state.show(&key[0]), object.kind());
                state.require_presence_or(&entry, Fault::new(Code::MissingKey, message))?;
            }
            let present = state.presence(&entry)?;
            state
                .within(present, |state| state.change(object, |state| state.take_entry(handle, &key[0])).map(|_| ()))?;
            match (&default, method) {
                (Some(default), Method::Pop) => state.either(present, &entry, default),
                (None, Method::Pop) => Ok(entry),
                _ => Ok(Value::None),
            }
        })?;
        Ok(Some(changed))
    }

    fn dict_cleared(&mut self, handle: Handle) -> Outcome<Value<S>> {
        let keys: Vec<Value<S>> = self.heap.dict(handle).entries.iter().map(|(key, _)| key.clone()).collect();
        for key in keys {
            self.take_entry(handle, &key)?;
        }
        Ok(Value::None)
    }
}
