//! What records can do besides: they are tuples, are made anew with other parts, and some stay as they were made.

use std::rc::Rc;

use super::Step;
use crate::evaluate::callbacks::{Callable, positional};
use crate::evaluate::choices::Chosen;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::running::{Machine, Stop};
use crate::evaluate::value::{Key, Value};
use crate::evaluate::{objects, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{CallShape, MethodKind, SETTER};

impl<'p, S: Scalar> Machine<'p, S> {
    /// A `namedtuple` as the tuple that it is; anything else as it is.
    pub(super) fn as_tuple(&mut self, value: &Value<S>) -> Result<Value<S>, Stop> {
        match value {
            Value::Object(_, class) if self.class(*class).is_tuple => {
                let fields = self.fields_of(value);
                self.checked(|state| state.tuple(fields))
            }
            other => Ok(other.clone()),
        }
    }

    /// `object.name = value` of an object, which may have a function for it.
    pub(in crate::evaluate) fn set_member_here(
        &mut self,
        object: &Value<S>,
        name: &Value<S>,
        value: &Value<S>,
    ) -> Result<Outcome<()>, Stop> {
        let Value::Object(_, class) = object else {
            return Ok(objects::set_member(&mut self.state, object, name, value));
        };
        let class = self.class(*class);
        let text = text::show(&self.state, name);
        if let Some((MethodKind::Property, _)) = class.method(&text) {
            return match self.asked(object, &format!("{SETTER}{text}"), std::slice::from_ref(value))? {
                Some(set) => Ok(set.map(|_| ())),
                None => {
                    let message = format!("property `{text}` of `{}` has no setter", class.name);
                    let hint = "write one: `@name.setter`, or set the attribute that it looks at";
                    Ok(Err(Fault::hinted(Code::Class, message, hint)))
                }
            };
        }
        Ok(objects::set_member(&mut self.state, object, name, value))
    }

    /// Whether objects of a class stay as they were made.
    pub(in crate::evaluate) fn is_frozen(&self, object: &Value<S>) -> bool {
        match object {
            Value::Object(_, class) => self.class(*class).is_frozen,
            Value::Choice(Chosen::Diagram(diagram)) => {
                let worlds = &self.state.worlds;
                let leaves = worlds.diagrams.leaves_of(*diagram);
                leaves.iter().any(|leaf| match worlds.leaves[*leaf as usize] {
                    Value::Object(_, class) => self.class(class).is_frozen,
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// What every record can do: `_replace` and `_asdict`.
    pub(in crate::evaluate) fn record_called(
        &mut self,
        object: &Value<S>,
        replaces: bool,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Step<S> {
        let Value::Object(_, id) = object else { return Ok(Ok(Value::Poison)) };
        let class = self.class(*id);
        let names = class.fields.clone().unwrap_or_default();
        let fields = self.fields_of(object);
        if !replaces {
            return Ok(self.state.new_dict().and_then(|dict| {
                if let Value::Dict(handle) = dict {
                    for (name, value) in names.into_iter().zip(fields) {
                        let name = self.state.text(name)?;
                        self.state.insert(handle, name, value)?;
                    }
                }
                Ok(dict)
            }));
        }
        let unknown = shape.keywords.iter().find(|name| !names.contains(name));
        if unknown.is_some() || shape.positional > 0 {
            let message = match unknown {
                Some(name) => format!("`{}` has no field `{name}`", class.name),
                None => "the fields to replace are given by their names".to_owned(),
            };
            return Ok(Err(Fault::new(Code::WrongArguments, message)));
        }
        let given = |name: &String| shape.keywords.iter().position(|known| known == name).map(|at| values[at].clone());
        let values = names.iter().zip(fields).map(|(name, old)| given(name).unwrap_or(old)).collect();
        let made = match objects::new_object(&mut self.state, *id) {
            Ok(made) => made,
            Err(fault) => return Ok(Err(fault)),
        };
        let Some((_, function)) = class.method("__init__") else { return Ok(Ok(made)) };
        let callee = Value::Function(Rc::new(Callable::OfFile { function, seen: vec![made.clone()] }));
        let shape = CallShape { keywords: names, ..positional(0) };
        Ok(self.call_value(&callee, &shape, values)?.map(|_| made))
    }

    /// The function `__call__` of an object, with the object.
    pub(in crate::evaluate) fn callable_of(&self, object: &Value<S>) -> Option<Rc<Callable<S>>> {
        let Value::Object(_, class) = object else { return None };
        let (_, function) = self.class(*class).method("__call__")?;
        Some(Rc::new(Callable::OfFile { function, seen: vec![object.clone()] }))
    }

    /// The parts of a record, in order.
    pub(super) fn fields_of(&self, object: &Value<S>) -> Vec<Value<S>> {
        let Value::Object(handle, class) = object else { return Vec::new() };
        let dict = self.state.heap.dict(*handle);
        let fields = self.class(*class).fields.iter().flatten();
        let value = |field: &String| match dict.positions.get(&Key::Text(field.clone())) {
            Some(place) => dict.entries[*place].1.clone(),
            None => Value::Unbound,
        };
        fields.map(value).collect()
    }
}
