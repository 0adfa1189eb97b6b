//! Functions as values: calling them, and the functions that are given some.
//!
//! The state computes, and the machine calls: whatever takes a function is written here, in steps of both.

use super::builtins::Arguments;
use super::fault::{Fault, Outcome};
use super::iterators::Walk;
use super::running::{Machine, Stop};
use super::state::State;
use super::value::{Handle, Part, Value};
use super::{builtins, choices, compare, containers, iterators, tables};
use crate::choices::Diagram;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Comparison, DefaultValue, FunctionId, Iteration};

/// A function that is called later.
#[derive(Debug)]
pub(super) enum Callable<S> {
    /// One of the file, with the variables that it sees.
    OfFile { function: FunctionId, seen: Vec<Value<S>> },
    /// One of the language.
    OfLanguage(Builtin),
    /// `_replace` of a record, or `_asdict`.
    Record { object: Value<S>, replaces: bool },
}

impl<S> Callable<S> {
    pub(super) fn is_of_file(&self) -> bool {
        matches!(self, Callable::OfFile { .. })
    }
}

/// Why a step with calls in it could not be carried out.
pub(super) enum Trouble {
    Fault(Box<Fault>),
    Stop,
}

impl From<Box<Fault>> for Trouble {
    fn from(fault: Box<Fault>) -> Self {
        Trouble::Fault(fault)
    }
}

impl From<Stop> for Trouble {
    fn from(_: Stop) -> Self {
        Trouble::Stop
    }
}

/// A step that calls functions, as the machine takes it.
pub(super) fn settled<T>(result: Result<T, Trouble>) -> Result<Outcome<T>, Stop> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Trouble::Fault(fault)) => Ok(Err(fault)),
        Err(Trouble::Stop) => Err(Stop),
    }
}

pub(super) fn is_function<S>(value: &Value<S>) -> bool {
    matches!(value, Value::Function(_))
}

/// A call of so many values by position.
pub(super) fn positional(count: usize) -> CallShape {
    CallShape {
        positional: count as u32,
        keywords: Vec::new(),
        spans: Vec::new(),
        subject: String::new(),
        names: Vec::new(),
    }
}

/// Whether a value is a function, or a list, tuple or dictionary with one in it.
pub(super) fn holds_function<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    match value {
        Value::Function(_) => true,
        Value::List(handle) | Value::Tuple(handle) => {
            let parts = state.heap.sequence(*handle);
            parts.len() < 100 && parts.iter().any(|part| holds_function_below(state, part))
        }
        Value::Dict(handle) => {
            let entries = &state.heap.dict(*handle).entries;
            entries.len() < 100 && entries.iter().any(|(_, value)| holds_function_below(state, value))
        }
        _ => false,
    }
}

fn holds_function_below<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    match value {
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).iter().any(is_function),
        other => is_function(other),
    }
}

impl<S: Scalar> Machine<'_, S> {
    /// `callee(...)`
    pub(super) fn call_value(
        &mut self,
        callee: &Value<S>,
        shape: &CallShape,
        values: Vec<Value<S>>,
    ) -> Result<Outcome<Value<S>>, Stop> {
        settled(self.called(callee, shape, values))
    }

    pub(super) fn called(
        &mut self,
        callee: &Value<S>,
        shape: &CallShape,
        values: Vec<Value<S>>,
    ) -> Result<Value<S>, Trouble> {
        let callable = match callee {
            Value::Function(callable) => callable.clone(),
            Value::Poison => return Ok(Value::Poison),
            other if let Some(callable) = self.callable_of(other) => callable,
            other => {
                let message = format!("{} is called", other.kind());
                let hint = "only functions are called";
                return Err(Fault::hinted(Code::UnknownFunction, message, hint).into());
            }
        };
        if values.iter().any(|value| matches!(value, Value::Poison)) {
            return Ok(Value::Poison);
        }
        let (function, seen) = match &*callable {
            Callable::OfLanguage(builtin) => {
                if values.iter().any(is_function) {
                    return self.with_functions(*builtin, shape, &values);
                }
                return Ok(builtins::call_builtin(&mut self.state, *builtin, shape, &values)?);
            }
            Callable::Record { object, replaces } => {
                return match self.record_called(object, *replaces, shape, &values)? {
                    Ok(value) => Ok(value),
                    Err(fault) => Err(fault.into()),
                };
            }
            Callable::OfFile { function, seen } => (*function, seen),
        };
        let called = self.program.function(function);
        let parameters = &called.parameters[seen.len()..];
        let mut arguments: Vec<Option<Value<S>>> = vec![None; parameters.len()];
        let given = shape.positional as usize;
        let by_place = parameters.iter().filter(|parameter| !parameter.keyword_only).count();
        if given > by_place && !called.takes_more {
            let message = format!("the function takes {by_place} arguments by position, not {given}");
            return Err(Fault::new(Code::WrongArguments, message).into());
        }
        let (placed, more) = values[..given].split_at(given.min(by_place));
        let mut named: Vec<(Value<S>, Value<S>)> = Vec::new();
        for (place, value) in placed.iter().enumerate() {
            arguments[place] = Some(value.clone());
        }
        for (name, value) in shape.keywords.iter().zip(&values[given..]) {
            match parameters.iter().position(|parameter| parameter.name == *name) {
                Some(place) if arguments[place].is_none() => arguments[place] = Some(value.clone()),
                None if called.takes_more_named => {
                    named.push((self.state.text(name.clone())?, value.clone()));
                }
                _ => {
                    let message = format!("the function has no parameter `{name}` left");
                    return Err(Fault::new(Code::WrongArguments, message).into());
                }
            }
        }
        let mut all = seen.clone();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            all.push(match (argument, parameter.default) {
                (Some(argument), _) => argument,
                (None, Some(default)) => self.default_value(default, seen),
                (None, None) => {
                    let message = format!("the argument `{}` is missing", parameter.name);
                    return Err(Fault::new(Code::WrongArguments, message).into());
                }
            });
        }
        self.push_further(function, (more.to_vec(), named), &mut all)?;
        Ok(self.call(function, all)?.value)
    }

    /// The default of a parameter.
    pub(super) fn default_value(&self, default: DefaultValue, seen: &[Value<S>]) -> Value<S> {
        match default {
            DefaultValue::Module(register) => self.global(register),
            DefaultValue::Literal(operand) => match operand.place() {
                Ok(register) => self.global(register),
                Err(literal) => self.literals[literal as usize].clone(),
            },
            DefaultValue::Seen(place) => seen.get(place as usize).cloned().unwrap_or(Value::Unbound),
        }
    }

    /// What `*args` and `**kwargs` of a function are, behind its parameters.
    pub(super) fn push_further(
        &mut self,
        function: FunctionId,
        (more, named): (Vec<Value<S>>, Vec<(Value<S>, Value<S>)>),
        all: &mut Vec<Value<S>>,
    ) -> Outcome<()> {
        let called = self.program.function(function);
        if called.takes_more {
            let rest = self.state.new_sequence(more).map(Value::Tuple)?;
            all.push(rest);
        }
        if called.takes_more_named {
            let dict = self.state.new_dict()?;
            if let Value::Dict(handle) = dict {
                for (key, value) in named {
                    self.state.insert(handle, key, value)?;
                }
            }
            all.push(dict);
        }
        Ok(())
    }

    /// Calls a function with some values.
    pub(super) fn invoke(&mut self, callee: &Value<S>, values: Vec<Value<S>>) -> Result<Value<S>, Trouble> {
        let before = self.state.span;
        let result = self.called(callee, &positional(values.len()), values);
        self.state.span = before;
        result
    }

    /// A function of the language that is given functions.
    pub(super) fn builtin_with_functions(
        &mut self,
        builtin: Builtin,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Outcome<Value<S>>, Stop> {
        let is_of_groups =
            |value: &Value<S>| tables::grouped::refuse_groups(&self.state, value, "a function of rows").err();
        if let Some(fault) = values.iter().find_map(is_of_groups) {
            return Ok(Err(fault));
        }
        settled(self.with_functions(builtin, shape, values))
    }

    fn with_functions(
        &mut self,
        builtin: Builtin,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Value<S>, Trouble> {
        if values.iter().any(|value| matches!(value, Value::Poison)) {
            return Ok(Value::Poison);
        }
        let mut here = values.to_vec();
        if self.state.worlds.are_split() {
            for value in &mut here {
                *value = self.seen_here(value.clone())?;
            }
        }
        let values = &here[..];
        match (builtin, values) {
            (Builtin::Map, [function, sequences @ ..]) if !sequences.is_empty() => {
                let mut all = Vec::with_capacity(sequences.len());
                for sequence in sequences {
                    all.push(containers::elements(&mut self.state, sequence)?);
                }
                let count = all.iter().map(Vec::len).min().unwrap_or(0);
                let mut items = Vec::with_capacity(count);
                let has_holes =
                    all.iter().flatten().any(|element| choices::dictionaries::is_hole(&self.state, element));
                if has_holes && all.len() > 1 {
                    let message = "`map` takes several lists whose lengths are random";
                    return Err(Fault::hinted(Code::RandomIndex, message, "write a loop over `zip`").into());
                }
                for place in 0..count {
                    let values: Vec<Value<S>> = all.iter().map(|values| values[place].clone()).collect();
                    items.push(match &values[..] {
                        [element] if has_holes => self.invoke_where_present(function, element)?,
                        _ => self.invoke(function, values)?,
                    });
                }
                self.items(items)
            }
            (Builtin::IsInstance, _) => Ok(builtins::call_builtin(&mut self.state, builtin, shape, values)?),
            (Builtin::Filter, [function, sequence]) => {
                let mut items = Vec::new();
                for value in containers::elements(&mut self.state, sequence)? {
                    let kept = self.invoke_where_present(function, &value)?;
                    if matches!(kept, Value::Unbound) {
                        continue;
                    }
                    if choices::calls::is_choice(&kept) {
                        let present = choices::lift::presence(&mut self.state, &kept)?;
                        let kept = choices::lift::either(&mut self.state, present, &kept, &Value::Bool(false))?;
                        let event = choices::truth_event(&mut self.state, &kept)?;
                        items.push(choices::lift::either(&mut self.state, event, &value, &Value::Unbound)?);
                    } else if compare::truth(&self.state, &kept)? {
                        items.push(value);
                    }
                }
                self.items(items)
            }
            (Builtin::Reduce, [function, list, initial @ ..])
                if shape.keywords.is_empty() && initial.len() < 2 && is_function(function) =>
            {
                let steps = self.folded(function, list, initial.first())?;
                if steps.is_empty() {
                    return Err(Fault::new(Code::BadArgument, "`reduce` of nothing").into());
                }
                // The last value that is there.
                let steps: Vec<Value<S>> = steps.into_iter().rev().collect();
                Ok(choices::lists::first_of(&mut self.state, &steps, None)?)
            }
            (Builtin::Iteration(Iteration::Accumulate), [list, ..])
                if shape.positional >= 1 && shape.keywords.iter().all(|name| name == "func" || name == "initial") =>
            {
                let arguments = Arguments { shape, values };
                let [_, function, initial] = arguments.bind("accumulate", ["iterable", "func", "initial"], 1, 2)?;
                let function = builtins::given(function)?.value.clone();
                let steps = self.folded(&function, list, initial.map(|initial| initial.value))?;
                self.items(steps)
            }
            (Builtin::Iteration(Iteration::GroupBy), _) => {
                let arguments = Arguments { shape, values };
                let [list, key] = arguments.bind("groupby", ["iterable", "key"], 2, 2)?;
                let key = builtins::given(key)?.value.clone();
                let mut keyed = Vec::new();
                for element in containers::elements(&mut self.state, builtins::given(list)?.value)? {
                    keyed.push((self.invoke_where_present(&key, &element)?, element));
                }
                if keyed.iter().any(|(key, _)| matches!(key, Value::Poison)) {
                    return Ok(Value::Poison);
                }
                Ok(builtins::iteration::grouped_by(&mut self.state, keyed)?)
            }
            (Builtin::Sorted | Builtin::Min | Builtin::Max, [sequence, ..])
                if shape.positional == 1 && shape.keywords.iter().all(|name| name == "key" || name == "reverse") =>
            {
                let mut of_dict = None;
                let elements = match sequence {
                    Value::Dict(handle) | Value::View(handle, _)
                        if choices::arrivals::depends_on_worlds(&self.state, *handle) =>
                    {
                        of_dict = Some(*handle);
                        let part = if let Value::View(_, part) = sequence { *part } else { Part::Keys };
                        choices::arrivals::items_in_no_order(&mut self.state, *handle, part)?
                    }
                    Value::Set(handle) => {
                        let hint = "put its elements in a list first: `sorted(sorted(s), key=f)`";
                        if self.state.heap.dict(*handle).entries.len() > 1 {
                            return Err(Fault::hinted(Code::Set, "a set has no order for equal keys", hint).into());
                        }
                        self.state.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect()
                    }
                    other => containers::elements(&mut self.state, other)?,
                };
                let option = |name: &str| shape.keywords.iter().position(|known| known == name);
                let reverse = match option("reverse") {
                    Some(place) if builtin == Builtin::Sorted => compare::truth(&self.state, &values[1 + place])?,
                    _ => false,
                };
                let key = option("key").map(|place| values[1 + place].clone());
                self.by_key(builtin, elements, key, reverse, of_dict)
            }
            (Builtin::DefaultDict, [Value::Function(callable)]) if shape.positional == 1 => match &**callable {
                Callable::OfLanguage(
                    factory @ (Builtin::List | Builtin::Int | Builtin::Float | Builtin::Dict | Builtin::Set),
                ) => {
                    let dict = self.state.new_dict()?;
                    if let Value::Dict(handle) = dict {
                        self.state.heap.dicts[handle as usize].default = Some(*factory);
                    }
                    Ok(dict)
                }
                _ => {
                    let hint = "`list`, `int`, `float`, `dict` and `set` are supported";
                    Err(Fault::hinted(Code::BadArgument, "this default factory is not supported", hint).into())
                }
            },
            (Builtin::Crosstab | Builtin::PivotTable, _) => {
                let named = self.figures_named(values)?;
                Ok(builtins::call_builtin(&mut self.state, builtin, shape, &named)?)
            }
            _ => {
                let hint = "call the function, or write a loop";
                Err(Fault::hinted(Code::FunctionAsValue, "a function is passed to a function that takes none", hint)
                    .into())
            }
        }
    }

    /// A function of an element, in the worlds in which the element is there.
    pub(super) fn invoke_where_present(
        &mut self,
        function: &Value<S>,
        element: &Value<S>,
    ) -> Result<Value<S>, Trouble> {
        if !choices::dictionaries::is_hole(&self.state, element) {
            return self.invoke(function, vec![element.clone()]);
        }
        let present = choices::lift::presence(&mut self.state, element)?;
        self.invoke_within(present, function, vec![element.clone()])
    }

    /// A function that is called in some worlds only; in the others its result is missing.
    pub(super) fn invoke_within(
        &mut self,
        worlds: Diagram,
        function: &Value<S>,
        values: Vec<Value<S>>,
    ) -> Result<Value<S>, Trouble> {
        let active = self.state.worlds.active;
        let running = choices::running(&mut self.state)?;
        let here = choices::operators::conjunction(&mut self.state, running, worlds)?;
        if here == Diagram::FALSE {
            return Ok(Value::Unbound);
        }
        self.state.worlds.active = here;
        let result = self.invoke(function, values);
        self.state.worlds.active = active;
        Ok(choices::lift::either(&mut self.state, here, &result?, &Value::Unbound)?)
    }

    /// `functools.reduce(f, xs)` and `itertools.accumulate(xs, f)`: all values on the way.
    pub(super) fn folded(
        &mut self,
        function: &Value<S>,
        list: &Value<S>,
        initial: Option<&Value<S>>,
    ) -> Result<Vec<Value<S>>, Trouble> {
        let mut elements = containers::elements(&mut self.state, list)?;
        if let Some(first) = elements.iter().position(|element| choices::dictionaries::is_hole(&self.state, element)) {
            elements = choices::lists::without_holes(&mut self.state, &elements, first)?;
        }
        let mut steps: Vec<Value<S>> = initial.into_iter().cloned().collect();
        for element in elements {
            let Some(total) = steps.last().cloned() else {
                steps.push(element);
                continue;
            };
            steps.push(if choices::dictionaries::is_hole(&self.state, &element) {
                let present = choices::lift::presence(&mut self.state, &element)?;
                self.invoke_within(present, function, vec![total, element])?
            } else {
                self.invoke(function, vec![total, element])?
            });
        }
        Ok(steps)
    }

    pub(super) fn items(&mut self, items: Vec<Value<S>>) -> Result<Value<S>, Trouble> {
        if items.iter().any(|item| matches!(item, Value::Poison)) {
            return Ok(Value::Poison);
        }
        self.state.budget.spend_elements(items.len() as u64)?;
        Ok(iterators::iterator(&mut self.state, Walk::Items { items: items.into_iter() }, &[])?)
    }

    /// `sorted(xs, key=f)`, `min(xs, key=f)` and `max(xs, key=f)`; elements of a dictionary are in the order of its keys.
    pub(super) fn by_key(
        &mut self,
        builtin: Builtin,
        elements: Vec<Value<S>>,
        key: Option<Value<S>>,
        reverse: bool,
        of_dict: Option<Handle>,
    ) -> Result<Value<S>, Trouble> {
        let mut keyed: Vec<(Value<S>, Value<S>)> = Vec::with_capacity(elements.len());
        for element in elements {
            let key = match &key {
                Some(function @ Value::Function(_)) => self.invoke_where_present(function, &element)?,
                _ => element.clone(),
            };
            if key.as_random().is_some() {
                let hint = "their order is not known beforehand";
                return Err(Fault::hinted(Code::NonlinearFunction, "random variables cannot be sorted", hint).into());
            }
            keyed.push((key, element));
        }
        let has_holes = keyed.iter().any(|(_, element)| choices::dictionaries::is_hole(&self.state, element));
        // Those with equal keys are in the order of the dictionary, which may differ between worlds.
        if has_holes
            || of_dict.is_some()
            || keyed.iter().any(|(key, _)| choices::lift::holds_choice(&self.state, key, 0))
        {
            let state = &mut self.state;
            if builtin == Builtin::Sorted {
                let sorted = choices::lists::sorted_by_key(state, &keyed, reverse, of_dict)?;
                return Ok(self.state.list(sorted)?);
            }
            if !has_holes && of_dict.is_none() {
                return Ok(choices::orders::extreme_by_key(state, builtin, keyed)?);
            }
            return Ok(choices::lists::first_by_key(state, &keyed, builtin == Builtin::Max, of_dict)?);
        }
        let mut failure = None;
        self.state.budget.spend_steps(keyed.len() as u64 * u64::from(keyed.len().max(2).ilog2()))?;
        let descending = reverse || builtin == Builtin::Max;
        keyed.sort_by(|(a, _), (b, _)| {
            if failure.is_some() {
                return std::cmp::Ordering::Equal;
            }
            let order = compare::order(&mut self.state, Comparison::Less, a, b).unwrap_or_else(|fault| {
                failure.get_or_insert(fault);
                std::cmp::Ordering::Equal
            });
            if descending { order.reverse() } else { order }
        });
        if let Some(fault) = failure {
            return Err(fault.into());
        }
        let mut elements: Vec<Value<S>> = keyed.into_iter().map(|(_, element)| element).collect();
        match builtin {
            Builtin::Sorted => Ok(self.state.list(elements)?),
            _ if elements.is_empty() => Err(Fault::new(Code::BadArgument, "an extreme of nothing").into()),
            _ => Ok(elements.swap_remove(0)),
        }
    }
}

/// The name of the figure that a function of numpy or Python is to pandas.
pub(super) fn alias<S>(value: &Value<S>) -> Option<&'static str> {
    let Value::Function(callable) = value else { return None };
    match &**callable {
        Callable::OfLanguage(Builtin::Mean) => Some("mean"),
        Callable::OfLanguage(Builtin::ArraySum) => Some("sum"),
        Callable::OfLanguage(Builtin::ArrayMin) => Some("min"),
        Callable::OfLanguage(Builtin::ArrayMax) => Some("max"),
        Callable::OfLanguage(Builtin::Len) => Some("size"),
        Callable::OfLanguage(_) | Callable::OfFile { .. } | Callable::Record { .. } => None,
    }
}
