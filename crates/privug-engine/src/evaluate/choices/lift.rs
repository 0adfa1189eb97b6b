//! Carrying out an operation in all worlds: once for each combination of leaves.

use super::{Chosen, UNBOUND_LEAF};
use crate::choices::{DEAD, Diagram, sweep};
use crate::evaluate::fault::Outcome;
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::number::Scalar;

/// Combinations for which something can be changed: each is carried out in worlds that have to be told apart.
const MAX_WITH_EFFECTS: usize = 4096;

/// An operation on ordinary values.
pub(in crate::evaluate) type Operation<'o, S> = dyn FnMut(&mut State<S>, &[Value<S>]) -> Outcome<Value<S>> + 'o;

impl<S: Scalar> State<S> {
    /// Carries out an operation whose operands depend on choices. If it changes or makes anything, each time is in its
    /// own worlds.
    pub(in crate::evaluate) fn lift(
        &mut self,
        values: &[Value<S>],
        has_effects: bool,
        operation: &mut Operation<'_, S>,
    ) -> Outcome<Value<S>> {
        let mut places = Vec::new();
        let mut factors = Vec::new();
        for (place, value) in values.iter().enumerate() {
            if let Value::Choice(_) = value {
                places.push(place);
                factors.push(self.diagram_of(value)?);
            }
        }
        let running = self.running()?;
        if factors.is_empty() {
            return self.lift_nothing(values, running, operation);
        }
        let product = self.worlds.diagrams.product(running, &factors);
        let (product, tuples) = product.map_err(|too_wide| self.too_wide(too_wide, &factors))?;
        if has_effects && tuples.len() > MAX_WITH_EFFECTS {
            return Err(self.too_wide(crate::choices::TooWide, &factors));
        }
        let active = self.worlds.active;
        let mut operands = values.to_vec();
        let (mut results, mut impossible) = (Vec::with_capacity(tuples.len()), Vec::new());
        for (number, tuple) in tuples.iter().enumerate() {
            self.budget.spend_steps(1)?;
            for (place, leaf) in places.iter().zip(tuple.iter()) {
                operands[*place] = self.worlds.leaves[*leaf as usize].clone();
            }
            // What a list holds in other worlds than its own is nothing that was put there.
            let inside = places.iter().any(|place| self.holds_choice(&operands[*place], 0));
            if (has_effects || inside) && tuples.len() > 1 {
                self.worlds.active = self.leaf_event(product, number as u32)?;
            }
            let result = operation(self, &operands);
            self.worlds.active = active;
            let result = match result {
                Ok(result) => result,
                Err(fault) => {
                    let here = self.leaf_event(product, number as u32)?;
                    if self.is_impossible(here) {
                        impossible.push(number);
                    } else if !self.raise(&fault, here, &operands)? && !self.is_harmless(&fault, here)? {
                        return Err(fault);
                    }
                    Value::Unbound
                }
            };
            if matches!(result, Value::Poison) {
                return Ok(Value::Poison);
            }
            results.push(result);
        }
        // In worlds that cannot be, any value will do.
        let possible = (0..results.len()).find(|number| !impossible.contains(number));
        for number in impossible {
            results[number] = possible.map_or(Value::Unbound, |possible| results[possible].clone());
        }
        self.join(product, &results)
    }

    /// Whether worlds only seem to be possible: a value with a choice of its own does not show what it comes from.
    pub(super) fn is_impossible(&self, worlds: Diagram) -> bool {
        if self.worlds.derived.is_empty() {
            return false;
        }
        let swept = sweep(&self.worlds.diagrams, &self.worlds.laws, &[worlds], &[]);
        swept.is_ok_and(|swept| swept.tuples.iter().all(|(_, mass)| mass.is_zero()))
    }

    /// The same where no operand depends on choices itself.
    fn lift_nothing(
        &mut self,
        values: &[Value<S>],
        running: Diagram,
        operation: &mut Operation<'_, S>,
    ) -> Outcome<Value<S>> {
        self.budget.spend_steps(1)?;
        match operation(self, values) {
            Ok(Value::Choice(Chosen::Diagram(result))) => {
                let short = self.shortened(result)?;
                Ok(self.settle(short))
            }
            Ok(result) => Ok(result),
            Err(fault) if self.is_harmless(&fault, running)? => Ok(Value::Unbound),
            Err(fault) => Err(fault),
        }
    }

    /// The texts that a value is in some worlds, and in which.
    pub(in crate::evaluate) fn worlds_of_texts(
        &mut self,
        value: &Value<S>,
        worlds: Diagram,
    ) -> Outcome<Vec<(std::rc::Rc<str>, Diagram)>> {
        let diagram = self.diagram_of(value)?;
        let product = self.worlds.diagrams.product(worlds, &[diagram]);
        let (product, tuples) = product.map_err(|too_wide| self.too_wide(too_wide, &[worlds, diagram]))?;
        let mut found = Vec::with_capacity(tuples.len());
        for (number, tuple) in tuples.iter().enumerate() {
            let text = self.show(&self.worlds.leaves[tuple[0] as usize]);
            found.push((text.into(), self.leaf_event(product, number as u32)?));
        }
        Ok(found)
    }

    /// The worlds in which a diagram has a leaf.
    pub(super) fn leaf_event(&mut self, diagram: Diagram, wanted: u32) -> Outcome<Diagram> {
        let event = self
            .worlds
            .diagrams
            .relabel(diagram, &mut |leaf| Ok(if leaf == wanted { Diagram::TRUE } else { Diagram::FALSE }));
        event.map_err(|too_wide| self.too_wide(too_wide, &[diagram]))
    }

    /// The value that is one of `results` in the worlds of each leaf of a product.
    fn join(&mut self, product: Diagram, results: &[Value<S>]) -> Outcome<Value<S>> {
        let mut leaves = Vec::with_capacity(results.len());
        let mut plain = true;
        for result in results {
            let diagram = self.diagram_of(result)?;
            plain &= diagram.as_leaf().is_some();
            leaves.push(diagram);
        }
        let relabelled = if plain {
            // Dead worlds get what makes the diagram small.
            let dead = leaves.first().copied().unwrap_or(Diagram::leaf(UNBOUND_LEAF));
            let mut choose = |leaf: u32| Ok(if leaf == DEAD { dead } else { leaves[leaf as usize] });
            self.worlds.diagrams.relabel(product, &mut choose)
        } else {
            let mut joined = leaves[0];
            for (number, leaf) in leaves.iter().enumerate().skip(1) {
                let event = self.leaf_event(product, number as u32)?;
                let either = self.worlds.diagrams.either(event, *leaf, joined);
                joined = either.map_err(|too_wide| self.too_wide(too_wide, &[product, *leaf, joined]))?;
            }
            Ok(joined)
        };
        let relabelled = relabelled.map_err(|too_wide| self.too_wide(too_wide, &[product]))?;
        let short = self.shortened(relabelled)?;
        Ok(self.settle(short))
    }

    /// `then` in the worlds of an event, `otherwise` elsewhere.
    pub(in crate::evaluate) fn either(
        &mut self,
        event: Diagram,
        then: &Value<S>,
        otherwise: &Value<S>,
    ) -> Outcome<Value<S>> {
        match event {
            Diagram::TRUE => return Ok(then.clone()),
            Diagram::FALSE => return Ok(otherwise.clone()),
            _ => {}
        }
        if matches!(then, Value::Poison) || matches!(otherwise, Value::Poison) {
            return Ok(Value::Poison);
        }
        if let Value::Choice(Chosen::Pick(pick)) = then
            && let Some(element) = self.pick_within(*pick, event)?
        {
            return self.either(event, &element, otherwise);
        }
        if let Some(sum) = self.grown_sum(event, then, otherwise)? {
            return Ok(sum);
        }
        let (a, b) = (self.diagram_of(then)?, self.diagram_of(otherwise)?);
        let either = self.worlds.diagrams.either(event, a, b);
        let either = either.map_err(|too_wide| self.too_wide(too_wide, &[event, a, b]))?;
        let short = self.shortened(either)?;
        Ok(self.settle(short))
    }

    /// The same value, and where it is a container that holds choices, the containers that it can be.
    pub(in crate::evaluate) fn expanded(&mut self, value: &Value<S>, depth: usize) -> Outcome<Value<S>> {
        if depth > crate::evaluate::compare::MAX_VALUE_DEPTH {
            return Err(crate::evaluate::compare::too_deep());
        }
        if !self.holds_choice(value, 0) {
            return Ok(value.clone());
        }
        if let Value::Dict(handle) = value
            && self.is_tally(*handle)
        {
            return self.expanded_tally(*handle);
        }
        let parts: Vec<Value<S>> = match value {
            Value::List(handle) | Value::Tuple(handle) => self.heap.sequence(*handle).to_vec(),
            Value::Array(handle) => self.heap.array_values(&self.heap.array(*handle).clone()),
            Value::Dict(handle) | Value::Set(handle) => {
                self.heap.dict(*handle).entries.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect()
            }
            // Each is looked into in its own worlds, and in no others. Where that gave a value a choice of its own, it is not
            // known any more which worlds these are: then the value stays closed, and asking for it is refused.
            chosen if depth > 0 && self.decides_between_containers(chosen) => {
                let one = std::slice::from_ref(chosen);
                let opened = self.lift(one, false, &mut |state, values| state.expanded(&values[0], depth + 1))?;
                return Ok(if self.worlds.derived.is_empty() { opened } else { chosen.clone() });
            }
            other => return Ok(other.clone()),
        };
        let parts = parts.iter().map(|part| self.expanded(part, depth + 1)).collect::<Outcome<Vec<_>>>()?;
        let like = value.clone();
        self.lift(&parts, false, &mut |state, parts| state.container_like(&like, parts))
    }

    /// A container of the same kind with other elements; those without a value are left out.
    fn container_like(&mut self, like: &Value<S>, parts: &[Value<S>]) -> Outcome<Value<S>> {
        let present = |parts: &[Value<S>]| -> Vec<Value<S>> {
            parts.iter().filter(|part| !matches!(part, Value::Unbound)).cloned().collect()
        };
        match like {
            Value::Tuple(_) => self.tuple(present(parts)),
            Value::Array(handle) => {
                let (shape, kind) = {
                    let array = self.heap.array(*handle);
                    (array.shape.clone(), array.kind)
                };
                let parts = parts.iter().map(|part| as_element(part, kind)).collect();
                self.new_array(parts, shape, kind)
            }
            Value::Dict(like) => {
                let dict = self.new_dict()?;
                if let Value::Dict(handle) = dict {
                    self.heap.dicts[handle as usize].default = self.heap.dict(*like).default;
                    if self.worlds.disordered.contains(like) {
                        self.worlds.disordered.insert(handle);
                    }
                    for entry in parts.chunks_exact(2).filter(|entry| !matches!(entry[1], Value::Unbound)) {
                        self.insert(handle, entry[0].clone(), entry[1].clone())?;
                    }
                }
                Ok(dict)
            }
            Value::Set(_) => {
                let keys = parts.chunks_exact(2).filter(|entry| !matches!(entry[1], Value::Unbound));
                let keys = keys.map(|entry| entry[0].clone()).collect();
                let keys = self.list(keys)?;
                self.set_of(&keys)
            }
            _ => self.list(present(parts)),
        }
    }

    /// Whether a value is, or holds, something that depends on choices.
    pub(in crate::evaluate) fn holds_choice(&self, value: &Value<S>, depth: usize) -> bool {
        if !self.worlds.exist() || depth > crate::evaluate::compare::MAX_VALUE_DEPTH {
            return false;
        }
        match value {
            Value::Choice(_) => true,
            Value::List(handle) | Value::Tuple(handle) => {
                let elements = self.heap.sequence(*handle);
                let holds = |element| matches!(element, &Value::Unbound) || self.holds_choice(element, depth + 1);
                elements.iter().any(holds)
            }
            Value::Array(handle) => {
                let array = self.heap.array(*handle);
                match self.heap.contiguous(array) {
                    Some(elements) => elements.iter().any(|element| matches!(element, Value::Choice(_))),
                    None => self.heap.array_values(array).iter().any(|element| matches!(element, Value::Choice(_))),
                }
            }
            Value::Dict(handle) | Value::Object(handle, _) => {
                let dict = self.heap.dict(*handle);
                dict.entries.iter().any(|(_, element)| self.holds_choice(element, depth + 1))
            }
            Value::Set(_) => self.has_holes(value),
            _ => false,
        }
    }

    /// Whether a value is one of several containers, of which one holds something that depends on choices. Where values
    /// have choices of their own, worlds that cannot be look possible, and what a container lacks there would be taken for
    /// a part that it lacks: then it is not looked into.
    pub(in crate::evaluate) fn decides_between_containers(&self, value: &Value<S>) -> bool {
        if !self.worlds.derived.is_empty() {
            return false;
        }
        let Value::Choice(Chosen::Diagram(diagram)) = value else { return false };
        let leaves = self.worlds.diagrams.leaves_of(*diagram);
        leaves.iter().any(|leaf| {
            let leaf = &self.worlds.leaves[*leaf as usize];
            matches!(leaf, Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Dict(_))
                && self.holds_choice(leaf, 0)
        })
    }

    /// Whether a diagram has no value in some worlds.
    pub(in crate::evaluate) fn is_partial(&self, diagram: Diagram) -> bool {
        diagram.as_leaf().is_none() && self.worlds.diagrams.is_partial(diagram)
    }

    /// Whether a list or dictionary has elements that are there in some worlds only.
    pub(in crate::evaluate) fn has_holes(&self, value: &Value<S>) -> bool {
        if !self.worlds.exist() {
            return false;
        }
        let is_hole = |element: &Value<S>| match element {
            Value::Choice(Chosen::Diagram(diagram)) => self.is_partial(*diagram),
            Value::Unbound => true,
            _ => false,
        };
        match value {
            Value::List(handle) | Value::Tuple(handle) => self.heap.sequence(*handle).iter().any(is_hole),
            Value::Dict(handle) => {
                self.is_tally(*handle) || self.heap.dict(*handle).entries.iter().any(|(_, element)| is_hole(element))
            }
            Value::Set(handle) => self.heap.dict(*handle).entries.iter().any(|(_, entry)| is_hole(entry)),
            // A view has what the dictionary has when it is looked at.
            Value::View(handle, _) => self.has_holes(&Value::Dict(*handle)),
            _ => false,
        }
    }

    /// The worlds in which a value is there.
    pub(in crate::evaluate) fn presence(&mut self, value: &Value<S>) -> Outcome<Diagram> {
        let diagram = match value {
            Value::Choice(Chosen::Diagram(diagram)) => diagram,
            Value::Unbound => return Ok(Diagram::FALSE),
            _ => return Ok(Diagram::TRUE),
        };
        let absent = self.leaf_event(*diagram, UNBOUND_LEAF)?;
        let present = self.worlds.diagrams.not(absent);
        present.map_err(|too_wide| self.too_wide(too_wide, &[absent]))
    }

    /// `len` of a container with holes.
    pub(super) fn guarded_length(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        if let Value::View(handle, _) = value {
            return self.guarded_length(&Value::Dict(*handle));
        }
        if let Value::Dict(handle) = value
            && self.is_tally(*handle)
        {
            let counts: Vec<Value<S>> =
                self.heap.dict(*handle).entries.iter().map(|(_, count)| count.clone()).collect();
            let mut length = Value::Int(0);
            for count in &counts {
                let occurs = self.compare(privug_language::program::Comparison::Greater, count, &Value::Int(0))?;
                length = self.binary(privug_language::program::Binary::Add, &length, &occurs)?;
            }
            return Ok(length);
        }
        let elements: Vec<Value<S>> = match value {
            Value::Dict(handle) | Value::Set(handle) => {
                self.heap.dict(*handle).entries.iter().map(|(_, value)| value.clone()).collect()
            }
            Value::List(handle) | Value::Tuple(handle) => self.heap.sequence(*handle).to_vec(),
            other => self.elements(other)?,
        };
        let mut length = Value::Int(0);
        for element in &elements {
            let present = self.presence(element)?;
            let present = self.settle(present);
            length = self.binary(privug_language::program::Binary::Add, &length, &present)?;
        }
        Ok(length)
    }

    /// The elements of containers that a value can be, each in its own worlds.
    pub(in crate::evaluate) fn elements_of_choice(&mut self, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let lists = self.lift(std::slice::from_ref(value), true, &mut |state, list| {
            let elements = state.elements(&list[0])?;
            state.list(elements)
        })?;
        let diagram = self.diagram_of(&lists)?;
        let mut joined: Vec<Value<S>> = Vec::new();
        for leaf in self.worlds.diagrams.leaves_of(diagram) {
            let Value::List(handle) = self.worlds.leaves[leaf as usize] else { continue };
            let event = self.leaf_event(diagram, leaf)?;
            let elements = self.heap.sequence(handle).to_vec();
            self.budget.spend_steps(elements.len() as u64)?;
            joined.resize(joined.len().max(elements.len()), Value::Unbound);
            for (place, element) in elements.iter().enumerate() {
                joined[place] = self.either(event, element, &joined[place].clone())?;
            }
        }
        Ok(joined)
    }
}

/// A value as an array holds it.
pub(super) fn as_element<S: Scalar>(value: &Value<S>, kind: Kind) -> Value<S> {
    match (kind, value) {
        (Kind::Bool, Value::Bool(value)) => Value::NumpyBool(*value),
        (Kind::Int, Value::Bool(value) | Value::NumpyBool(value)) => Value::NumpyInt(i64::from(*value)),
        (Kind::Int, Value::Int(value)) => Value::NumpyInt(*value),
        (Kind::Float, Value::Bool(value) | Value::NumpyBool(value)) => {
            Value::NumpyFloat(S::from_i64(i64::from(*value)))
        }
        (Kind::Float, Value::Int(value) | Value::NumpyInt(value)) => Value::NumpyFloat(S::from_i64(*value)),
        (Kind::Float, Value::Float(value)) => Value::NumpyFloat(value.clone()),
        (Kind::Bool | Kind::Int | Kind::Float | Kind::Text, other) => other.clone(),
    }
}
