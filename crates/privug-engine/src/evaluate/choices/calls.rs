//! Functions and methods whose arguments depend on choices, and elements at random places.

use super::Chosen;
use crate::choices::Diagram;
use crate::evaluate::builtins::Arguments;
use crate::evaluate::fault::{Fault, NO_SUCH_ELEMENT, Outcome};
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, CallShape, Iteration, Method, NumpyFunction};

impl<S: Scalar> State<S> {
    /// `object[index]` where one of them depends on choices, or the list has holes.
    pub(in crate::evaluate) fn index_choices(&mut self, object: &Value<S>, index: &Value<S>) -> Outcome<Value<S>> {
        if self.has_holes(object)
            && let (Value::List(handle) | Value::Tuple(handle), Value::Int(position)) = (object, index)
        {
            let elements = self.heap.sequence(*handle).to_vec();
            return self.index_holes(&elements, *position);
        }
        if let Some(element) = self.picked(object, index)? {
            return Ok(element);
        }
        let values = [object.clone(), self.expanded(index, 1)?];
        // Which worlds it is looked up in matters where something is missing in some of them.
        let is_default = matches!(object, Value::Dict(handle) if self.heap.dict(*handle).default.is_some());
        let tells_apart = is_default || self.has_holes(object);
        let element = self.lift(&values, tells_apart, &mut |state, values| {
            if let (Value::List(handle) | Value::Tuple(handle), Value::Int(position)) = (&values[0], &values[1])
                && state.has_holes(&values[0])
            {
                let elements = state.heap.sequence(*handle).to_vec();
                return state.index_holes(&elements, *position);
            }
            state.index_value(&values[0], &values[1])
        })?;
        self.require_presence(&element)?;
        Ok(element)
    }

    /// Makes sure that a value is there in all worlds that are being looked at.
    pub(in crate::evaluate) fn require_presence(&mut self, value: &Value<S>) -> Outcome<()> {
        let hint = "it is added on one way through the program and looked up on all; check with `in` or `len` first";
        let fault = Fault::hinted(Code::MissingKey, NO_SUCH_ELEMENT, hint);
        self.require_presence_or(value, fault)
    }

    /// The same, with what to say otherwise.
    pub(in crate::evaluate) fn require_presence_or(&mut self, value: &Value<S>, fault: Box<Fault>) -> Outcome<()> {
        let running = self.running()?;
        let present = self.presence(value)?;
        let missing = self.worlds.diagrams.without(running, present);
        let missing = missing.map_err(|too_wide| self.too_wide(too_wide, &[running, present]))?;
        if missing == Diagram::FALSE {
            return Ok(());
        }
        let is_told =
            self.is_impossible(missing) || self.raise_there(&fault, missing)? || self.is_harmless(&fault, missing)?;
        if is_told { Ok(()) } else { Err(fault) }
    }

    /// Makes sure that there is no value in any world that is being looked at: where there is one, the fault is raised.
    pub(in crate::evaluate) fn require_absence_or(&mut self, value: &Value<S>, fault: Box<Fault>) -> Outcome<()> {
        let running = self.running()?;
        let present = self.presence(value)?;
        let present = self.conjunction(running, present)?;
        let is_told = present == Diagram::FALSE
            || self.is_impossible(present)
            || self.raise_there(&fault, present)?
            || self.is_harmless(&fault, present)?;
        if is_told { Ok(()) } else { Err(fault) }
    }

    /// `object[index] = value` where the place depends on choices.
    pub(in crate::evaluate) fn set_index_choices(
        &mut self,
        object: &Value<S>,
        index: &Value<S>,
        value: &Value<S>,
    ) -> Outcome<()> {
        let values = [object.clone(), self.expanded(index, 1)?];
        self.lift(&values, true, &mut |state, values| {
            let (object, index) = (values[0].clone(), values[1].clone());
            state.change(&object, |state| match (&object, &index) {
                (Value::List(handle), Value::Int(position)) if state.has_holes(&object) => {
                    state.set_holes(*handle, *position, value)
                }
                (Value::List(_), Value::Slice(_)) if state.has_holes(&object) => {
                    let message = "a slice is assigned to a list whose length is random";
                    Err(Fault::hinted(Code::RandomIndex, message, "make a new list"))
                }
                _ => state.set_index(&object, &index, value.clone()),
            })?;
            Ok(Value::None)
        })?;
        Ok(())
    }

    /// A function of the language on choices; `None` if it takes them like any value.
    pub(in crate::evaluate) fn call_on_choices(
        &mut self,
        builtin: Builtin,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Outcome<Option<Value<S>>> {
        // What a view shows is a list to whoever goes through it.
        let is_shown = |state: &Self, value: &Value<S>| {
            matches!(value, Value::View(handle, _) if builtin != Builtin::Len
                && !state.is_tally(*handle) && state.holds_choice(&Value::Dict(*handle), 0) && !state.has_holes(value))
        };
        if values.iter().any(|value| is_shown(self, value)) {
            let mut shown = values.to_vec();
            for value in shown.iter_mut().filter(|value| matches!(value, Value::View(..))) {
                if is_shown(self, value) {
                    let elements = self.elements(value)?;
                    *value = self.list(elements)?;
                }
            }
            return self.call_builtin(builtin, shape, &shown).map(Some);
        }
        let direct = values.iter().any(|value| matches!(value, Value::Choice(_)));
        let holes = values.iter().any(|value| self.has_holes(value));
        if let (true, Builtin::Len, [view @ Value::View(_, _)]) = (holes, builtin, values) {
            return self.guarded_length(view).map(Some);
        }
        let inside = direct || values.iter().any(|value| self.holds_choice(value, 0));
        if !inside {
            return Ok(None);
        }
        if values.iter().any(|value| self.is_matrix(value))
            && let Some(result) = self.matrix_function(builtin, shape, values)?
        {
            return Ok(Some(result));
        }
        Ok(Some(match (builtin, values) {
            (Builtin::Len, [only]) if !direct => {
                if !holes {
                    return Ok(None);
                }
                self.guarded_length(only)?
            }
            (
                Builtin::Enumerate
                | Builtin::Zip
                | Builtin::Reversed
                | Builtin::List
                | Builtin::Tuple
                | Builtin::Dict
                | Builtin::Condition
                | Builtin::Observe
                | Builtin::Iteration(_),
                _,
            ) if !direct && !holes => return Ok(None),
            // Where elements are missing does not matter to these.
            (Builtin::Iteration(Iteration::Chain | Iteration::ChainOf) | Builtin::Next, _) if !direct => {
                return Ok(None);
            }
            (Builtin::Divmod | Builtin::Operator(_), _) => return Ok(None),
            (Builtin::Set, [_]) => self.set_in_worlds(&values[0])?,
            (Builtin::Sorted, [Value::Set(set), ..]) => {
                let sorted = self.sorted_set(*set, shape, values)?;
                self.list(sorted)?
            }
            (Builtin::Condition | Builtin::Observe, _) => return Ok(None),
            (Builtin::Array | Builtin::AsArray, [Value::List(_) | Value::Tuple(_) | Value::Array(_)]) if !holes => {
                let (elements, lengths) = self.nested_elements(&values[0], 0)?;
                let kind = self.kind_of_elements(&elements)?;
                self.new_array(elements, lengths, kind)?
            }
            (Builtin::Counter, [list])
                if !direct
                    && !holes
                    && !matches!(list, Value::Dict(_))
                    && self.is_flat(list)
                    && let Some(tally) = self.tallied(list)? =>
            {
                tally
            }
            (Builtin::Numpy(NumpyFunction::Bincount), _)
                if !direct
                    && !holes
                    && let Some(counts) = self.counted_bins(shape, values)? =>
            {
                counts
            }
            (Builtin::Sorted, [list]) if !direct && !holes && shape.keywords.is_empty() && self.is_flat(list) => {
                let sorted = self.sorted_choices(list)?;
                self.list(sorted)?
            }
            (Builtin::Sorted, [list, Value::Bool(reverse)])
                if !direct && !holes && shape.keywords == ["reverse"] && self.is_flat(list) =>
            {
                let mut sorted = self.sorted_choices(list)?;
                if *reverse {
                    sorted.reverse();
                }
                self.list(sorted)?
            }
            (Builtin::Median(median), [list, rest @ ..]) if !direct && !holes && shape.keywords.is_empty() => {
                let sorted = self.sorted_choices(list)?;
                self.middle_of(median, &sorted, rest.first())?
            }
            (Builtin::Numpy(NumpyFunction::Sort), [list]) if !direct && !holes && self.is_flat(list) => {
                let sorted = self.sorted_choices(list)?;
                let (length, kind) = (sorted.len(), self.kind_of_elements(&sorted)?);
                self.new_array(sorted, vec![length], kind)?
            }
            (Builtin::Numpy(NumpyFunction::CountNonzero), [list]) if !direct && !holes && self.is_flat(list) => {
                let mut events = Vec::new();
                for element in self.elements(list)? {
                    let event = self.truth_event(&element)?;
                    events.push(self.settle(event));
                }
                let events = self.list(events)?;
                self.sum_elements(&events, &Value::Int(0))?
            }
            (builtin, [list, rest @ ..])
                if !direct
                    && !holes
                    && is_elementwise(builtin)
                    && self.is_flat(list)
                    && rest.iter().all(|value| !self.holds_choice(value, 0) && self.number(value).is_some())
                    && let Some(array) = self.element_by_element(builtin, shape, list, rest)? =>
            {
                array
            }
            (Builtin::ArrayMin | Builtin::ArrayMax, [list]) if !direct && !holes && self.is_flat(list) => {
                let builtin = if builtin == Builtin::ArrayMin { Builtin::Min } else { Builtin::Max };
                let elements = self.elements(list)?;
                self.extreme_of(builtin, &elements)?
            }
            (Builtin::Sum, [list]) if !matches!(list, Value::Choice(_)) => self.sum_elements(list, &Value::Int(0))?,
            (Builtin::Sum, [list, start]) if !matches!(list, Value::Choice(_)) => self.sum_elements(list, start)?,
            (Builtin::ArraySum | Builtin::ExactSum, [list]) if !matches!(list, Value::Choice(_)) => {
                self.sum_elements(list, &Value::Int(0))?
            }
            (Builtin::Mean | Builtin::StatisticsMean | Builtin::FloatMean | Builtin::Average, [list])
                if !matches!(list, Value::Choice(_)) =>
            {
                self.mean_elements(list)?
            }
            (Builtin::Any | Builtin::ArrayAny, [list]) if !matches!(list, Value::Choice(_)) => {
                self.any_of(list, false)?
            }
            (Builtin::All | Builtin::ArrayAll, [list]) if !matches!(list, Value::Choice(_)) => {
                self.any_of(list, true)?
            }
            (Builtin::Min | Builtin::Max, values)
                if !holes && shape.keywords.is_empty() && !matches!(values, [Value::Choice(_)]) =>
            {
                let elements = match values {
                    [only] => self.elements(only)?,
                    several => several.to_vec(),
                };
                self.extreme_of(builtin, &elements)?
            }
            (Builtin::Where, [mask, then, otherwise]) => self.choose_elements(mask, then, otherwise)?,
            (builtin, _) if Self::is_discrete(builtin) => return Ok(None),
            (Builtin::Print, _) => return Ok(None),
            _ => {
                let values = values.iter().map(|value| self.expanded(value, 0)).collect::<Outcome<Vec<_>>>()?;
                let has_effects = builtin == Builtin::GaussianMechanism || self.may_be_used_up(&values);
                self.lift(&values, has_effects, &mut |state, values| state.call_builtin(builtin, shape, values))?
            }
        }))
    }

    /// A function of numpy on each element of its own; `None` if it does not take single values.
    fn element_by_element(
        &mut self,
        builtin: Builtin,
        shape: &CallShape,
        list: &Value<S>,
        rest: &[Value<S>],
    ) -> Outcome<Option<Value<S>>> {
        let mut elements = Vec::new();
        for element in self.elements(list)? {
            let result = self.lift(&[element], false, &mut |state, element| {
                let mut values = element.to_vec();
                values.extend_from_slice(rest);
                state.call_builtin(builtin, shape, &values)
            });
            match result {
                Ok(value) if !matches!(value, Value::Array(_) | Value::List(_)) => elements.push(value),
                Ok(_) | Err(_) => return Ok(None),
            }
        }
        let (length, kind) = (elements.len(), self.kind_of_elements(&elements)?);
        self.new_array(elements, vec![length], kind).map(Some)
    }

    /// Whether a list or array has one dimension.
    pub(super) fn is_flat(&self, list: &Value<S>) -> bool {
        let is_single = |value: &Value<S>| !matches!(value, Value::List(_) | Value::Tuple(_) | Value::Array(_));
        match list {
            Value::Array(handle) => self.heap.array(*handle).shape.len() == 1,
            Value::List(handle) | Value::Tuple(handle) => self.heap.sequence(*handle).iter().all(is_single),
            _ => false,
        }
    }

    fn sum_elements(&mut self, list: &Value<S>, start: &Value<S>) -> Outcome<Value<S>> {
        let elements = self.elements(list)?;
        if elements.len() > 1
            && let Some(sum) = self.sum_of_integers(&elements)?
        {
            return match start {
                Value::Int(0) => Ok(sum),
                start => self.binary(Binary::Add, start, &sum),
            };
        }
        let mut total = start.clone();
        for element in elements {
            let present = self.presence(&element)?;
            let element = if present == Diagram::TRUE {
                element.plain()
            } else {
                self.either(present, &element, &Value::Int(0))?
            };
            total = self.binary(Binary::Add, &total, &element)?;
        }
        Ok(total)
    }

    fn mean_elements(&mut self, list: &Value<S>) -> Outcome<Value<S>> {
        let sum = self.sum_elements(list, &Value::Int(0))?;
        let length = self.guarded_length(list)?;
        self.binary(Binary::Divide, &sum, &length)
    }

    fn any_of(&mut self, list: &Value<S>, all: bool) -> Outcome<Value<S>> {
        let mut found = if all { Diagram::TRUE } else { Diagram::FALSE };
        for element in self.elements(list)? {
            let present = self.presence(&element)?;
            let happens = if present == Diagram::TRUE {
                self.truth_event(&element)?
            } else {
                let neutral = Value::Bool(all);
                let element = self.either(present, &element, &neutral)?;
                self.truth_event(&element)?
            };
            found = if all { self.conjunction(found, happens)? } else { self.disjunction(found, happens)? };
        }
        Ok(self.settle(found))
    }

    /// `np.where(mask, a, b)`, element by element
    fn choose_elements(&mut self, mask: &Value<S>, then: &Value<S>, otherwise: &Value<S>) -> Outcome<Value<S>> {
        let is_list = |value: &Value<S>| matches!(value, Value::Array(_) | Value::List(_) | Value::Tuple(_));
        if ![mask, then, otherwise].into_iter().any(is_list) {
            let event = self.truth_event(mask)?;
            return self.either(event, then, otherwise);
        }
        let pairs = self
            .array_choices(then, otherwise, Kind::Float, &mut |state, a, b| state.tuple(vec![a.clone(), b.clone()]));
        let pairs = match (is_list(then), is_list(otherwise)) {
            (false, false) => {
                let pair = self.tuple(vec![then.clone(), otherwise.clone()])?;
                let length = self.length(mask)?;
                self.list(vec![pair; length])?
            }
            _ => pairs?,
        };
        let kind = Kind::Float;
        self.array_choices(mask, &pairs, kind, &mut |state, mask, pair| {
            let event = state.truth_event(mask)?;
            let pair = state.elements(pair)?;
            state.either(event, &pair[0], &pair[1])
        })
    }

    /// A method on choices; `None` if it takes them like any value.
    pub(in crate::evaluate) fn method_on_choices(
        &mut self,
        method: Method,
        object: &Value<S>,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Outcome<Option<Value<S>>> {
        if let Some(result) = self.list_in_worlds(method, object, values)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.entry_in_worlds(method, object, shape, values)? {
            return Ok(Some(result));
        }
        let direct = matches!(object, Value::Choice(_)) || values.iter().any(|value| matches!(value, Value::Choice(_)));
        let holes = self.has_holes(object);
        let inside =
            direct || holes || self.holds_choice(object, 0) || values.iter().any(|value| self.holds_choice(value, 0));
        if !inside {
            return Ok(None);
        }
        if self.is_matrix(object)
            && let Some(result) = self.matrix_method(method, object, shape, values)?
        {
            return Ok(Some(result));
        }
        let on_object = matches!(object, Value::Choice(_));
        Ok(Some(match method {
            Method::Append | Method::Extend if !on_object => return Ok(None),
            // What of these is random was looked into above.
            Method::Pop | Method::Insert | Method::Remove | Method::Reverse | Method::Clear | Method::OfSet(_)
                if !on_object =>
            {
                return Ok(None);
            }
            Method::Update | Method::Copy if matches!(object, Value::Set(_)) => return Ok(None),
            Method::Copy if !on_object && !matches!(object, Value::Dict(_)) => return Ok(None),
            Method::Copy if let Value::Dict(handle) = object => self.copied(*handle)?,
            Method::Items
            | Method::Keys
            | Method::Values
            | Method::ToList
            | Method::Size
            | Method::Shape
            | Method::Dimensions
            | Method::Transposed
            | Method::Reshape
            | Method::Ravel
            | Method::Flatten
                if !direct && !holes =>
            {
                return Ok(None);
            }
            Method::Sum if !on_object && values.is_empty() => self.sum_elements(object, &Value::Int(0))?,
            Method::Mean if !on_object && values.is_empty() => self.mean_elements(object)?,
            Method::Any if !on_object && values.is_empty() => self.any_of(object, false)?,
            Method::All if !on_object && values.is_empty() => self.any_of(object, true)?,
            Method::Min | Method::Max if !on_object && values.is_empty() && !holes => {
                let builtin = if method == Method::Min { Builtin::Min } else { Builtin::Max };
                let elements = self.elements(object)?;
                self.extreme_of(builtin, &elements)?
            }
            Method::Sort
                if !on_object
                    && values.is_empty()
                    && !holes
                    && matches!(object, Value::List(_))
                    && self.is_flat(object) =>
            {
                let sorted = self.sorted_choices(object)?;
                let Value::List(handle) = object else { return Ok(None) };
                self.change(object, |state| {
                    state.heap.sequences[*handle as usize] = sorted;
                    Ok(Value::None)
                })?
            }
            Method::Count if !on_object && values.len() == 1 && !holes => {
                let elements = self.elements(object)?;
                self.count_equal(&elements, &values[0])?
            }
            Method::Count if !on_object && values.len() == 1 => {
                let mut total = Value::Int(0);
                for element in self.elements(object)? {
                    let equal = self.equal_element(&values[0], &element)?;
                    let equal = self.settle(equal);
                    total = self.binary(Binary::Add, &total, &equal)?;
                }
                total
            }
            Method::Get
                if let (Value::Dict(handle), [key, Value::Int(0)]) = (object, values)
                    && self.is_tally(*handle)
                    && !self.holds_choice(key, 0) =>
            {
                self.tally_entry(*handle, key)?
            }
            Method::Update | Method::SetDefault | Method::Sort if !on_object => {
                self.change_in_worlds(method, object, shape, values)?
            }
            Method::Get if !on_object && !holes => {
                // Only the key is looked at.
                let mut arguments = values.to_vec();
                if let Some(key) = arguments.first_mut() {
                    *key = self.expanded(key, 0)?;
                }
                let object = object.clone();
                self.lift(&arguments[..1], false, &mut |state, key| {
                    let mut values = arguments.clone();
                    values[0] = key[0].clone();
                    state.method(method, &object, &Arguments { shape, values: &values })
                })?
            }
            _ => {
                let mut all = vec![self.expanded(object, 0)?];
                for value in values {
                    all.push(self.expanded(value, 0)?);
                }
                self.lift(&all, true, &mut |state, all| state.call_method(method, &all[0], shape, &all[1..]))?
            }
        }))
    }

    /// Whether a value is an iterator in some world: going through it changes it.
    fn may_be_used_up(&self, values: &[Value<S>]) -> bool {
        let is_iterator = |value: &Value<S>| matches!(value, Value::Iterator(_));
        values.iter().any(|value| match value {
            Value::Choice(Chosen::Diagram(diagram)) => {
                let leaves = self.worlds.diagrams.leaves_of(*diagram);
                leaves.iter().any(|leaf| is_iterator(&self.worlds.leaves[*leaf as usize]))
            }
            other => is_iterator(other),
        })
    }

    /// Whether a value depends on choices itself.
    pub(in crate::evaluate) fn is_choice(value: &Value<S>) -> bool {
        matches!(value, Value::Choice(Chosen::Diagram(_) | Chosen::Sum(_) | Chosen::Pick(_)))
    }
}

/// Functions of numpy that look at one element at a time.
fn is_elementwise(builtin: Builtin) -> bool {
    match builtin {
        Builtin::ArrayAbs | Builtin::ArrayMath(_) => true,
        Builtin::Numpy(function) => matches!(
            function,
            NumpyFunction::Clip
                | NumpyFunction::Maximum
                | NumpyFunction::Minimum
                | NumpyFunction::Round
                | NumpyFunction::Floor
                | NumpyFunction::Ceil
                | NumpyFunction::Square
                | NumpyFunction::Negative
        ),
        _ => false,
    }
}
