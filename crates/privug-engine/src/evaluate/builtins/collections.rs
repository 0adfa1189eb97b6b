//! `set`, `Counter` and `defaultdict`.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::arguments::Arguments;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Builtin;

impl<S: Scalar> State<S> {
    /// A set of the elements of a list.
    pub(in super::super) fn set_of(&mut self, values: &Value<S>) -> Outcome<Value<S>> {
        if matches!(values, Value::Poison) {
            return Ok(Value::Poison);
        }
        if let Value::Set(handle) = values {
            return self.copied_set(*handle);
        }
        let elements = self.elements(values)?;
        let dict = self.new_dict()?;
        let Value::Dict(handle) = dict else { return Ok(dict) };
        for element in elements {
            // Numbers out of arrays are equal to Python's own.
            self.insert(handle, element, Value::None)?;
        }
        Ok(Value::Set(handle))
    }

    /// `set(xs)`
    pub(super) fn set_from(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values] = arguments.bind("set", ["iterable"], 0, 1)?;
        match values {
            Some(values) => self.set_of(values.value),
            None => {
                let empty = self.list(Vec::new())?;
                self.set_of(&empty)
            }
        }
    }

    /// `Counter(xs)`: how often each element occurs, in the order in which they appear.
    pub(in super::super) fn counter(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let given = arguments.shape.positional as usize;
        if given > 1 {
            arguments.one("Counter")?;
        }
        let dict = self.new_dict()?;
        let Value::Dict(handle) = dict else { return Ok(dict) };
        // What does not occur is counted 0 times.
        self.heap.dicts[handle as usize].default = Some(Builtin::Counter);
        // `Counter(yes=1)` and `Counter({"yes": 1})` begin with counts.
        let mut counts: Vec<(Value<S>, Value<S>)> = Vec::new();
        let elements = match &arguments.values[..given] {
            [Value::Dict(other)] => {
                counts = self.heap.dict(*other).entries.clone();
                Vec::new()
            }
            [list] => self.elements(list)?,
            _ => Vec::new(),
        };
        let has_others = !counts.is_empty() || !elements.is_empty();
        if has_others && !arguments.shape.keywords.is_empty() {
            let message = "`Counter` is given elements and counts at the same time";
            return Err(Fault::hinted(Code::WrongArguments, message, "add two counters: `Counter(xs) + Counter(a=1)`"));
        }
        for (name, count) in arguments.shape.keywords.iter().zip(&arguments.values[given..]) {
            counts.push((self.text(name.clone())?, count.clone()));
        }
        self.budget.spend_steps(counts.len() as u64)?;
        for (key, count) in counts {
            self.insert(handle, key, count)?;
        }
        for element in elements {
            let key = self.key(&element)?;
            let count = match self.heap.dict(handle).positions.get(&key) {
                Some(position) => match self.heap.dict(handle).entries[*position].1 {
                    Value::Int(count) => count + 1,
                    _ => 1,
                },
                None => 1,
            };
            self.insert(handle, element, Value::Int(count))?;
        }
        Ok(dict)
    }

    /// The entry that `defaultdict` makes for a missing key.
    pub(in super::super) fn default_entry(&mut self, handle: u32, key: &Value<S>) -> Outcome<Value<S>> {
        let made = match self.heap.dict(handle).default {
            Some(Builtin::List) => self.list(Vec::new())?,
            Some(Builtin::Counter) => return Ok(Value::Int(0)),
            Some(Builtin::Int) => Value::Int(0),
            Some(Builtin::Float) => Value::Float(S::zero()),
            Some(Builtin::Dict) => self.new_dict()?,
            Some(Builtin::Set) => {
                let empty = self.list(Vec::new())?;
                self.set_of(&empty)?
            }
            _ => return Err(Fault::new(Code::MissingKey, format!("the dictionary has no key {}", self.show(key)))),
        };
        let dict = Value::Dict(handle);
        self.change(&dict, |state| state.insert(handle, key.clone(), made.clone()))?;
        Ok(made)
    }
}
