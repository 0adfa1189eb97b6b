//! Methods and attributes of lists, dictionaries and arrays.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::arguments::{Arguments, given};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Method;

impl<S: Scalar> State<S> {
    pub(super) fn method(
        &mut self,
        method: Method,
        object: &Value<S>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        if matches!(object, Value::Frame(_) | Value::Series(_) | Value::Groups(_)) {
            return self.table_method(method, object, arguments);
        }
        match (method, object) {
            (Method::Append, Value::List(handle)) => {
                let value = arguments.one("append")?.clone();
                self.spend_elements(1)?;
                self.heap.sequences[*handle as usize].push(value);
                Ok(Value::None)
            }
            (Method::Extend, Value::List(handle)) => {
                let values = self.elements(arguments.one("extend")?)?;
                self.spend_elements(values.len() as u64)?;
                self.heap.sequences[*handle as usize].extend(values);
                Ok(Value::None)
            }
            (Method::Copy, Value::List(_)) => {
                let values = self.elements(object)?;
                self.list(values)
            }
            (Method::Copy, Value::Array(_)) => {
                let values = self.elements(object)?;
                self.array(values)
            }
            (Method::Copy, Value::Dict(handle)) => {
                let entries = self.heap.dict(*handle).entries.clone();
                let copy = self.new_dict()?;
                if let Value::Dict(copy) = copy {
                    for (key, value) in entries {
                        self.insert(copy, key, value)?;
                    }
                }
                Ok(copy)
            }
            (Method::Index, Value::List(_) | Value::Tuple(_)) => {
                let wanted = arguments.one("index")?;
                for (index, element) in self.elements(object)?.iter().enumerate() {
                    if self.equal(element, wanted, 0)? {
                        return Ok(Value::Int(index as i64));
                    }
                }
                Err(Fault::new(Code::BadArgument, format!("{} is not in the list", self.show(wanted))))
            }
            (Method::Count, Value::List(_) | Value::Tuple(_)) => {
                let wanted = arguments.one("count")?;
                let mut count = 0;
                for element in self.elements(object)? {
                    count += i64::from(self.equal(&element, wanted, 0)?);
                }
                Ok(Value::Int(count))
            }
            (Method::Items, Value::Dict(handle)) => {
                let entries = self.heap.dict(*handle).entries.clone();
                let pairs: Vec<Value<S>> =
                    entries.into_iter().map(|(key, value)| self.tuple(vec![key, value])).collect::<Outcome<_>>()?;
                self.list(pairs)
            }
            (Method::Keys, Value::Dict(_)) => {
                let keys = self.elements(object)?;
                self.list(keys)
            }
            (Method::Values, Value::Dict(handle)) => {
                let values = self.heap.dict(*handle).entries.iter().map(|(_, value)| value.clone()).collect();
                self.list(values)
            }
            (Method::Get, Value::Dict(handle)) => {
                let [key, default] = arguments.bind("get", ["key", "default"], 1, 2)?;
                let key = self.key(given(key)?.value)?;
                let dict = self.heap.dict(*handle);
                Ok(match dict.positions.get(&key) {
                    Some(position) => dict.entries[*position].1.clone(),
                    None => default.map_or(Value::None, |default| default.value.clone()),
                })
            }
            (Method::Sum, Value::Array(_)) => {
                let values = self.flat(object)?;
                self.sum_values(&values, Value::Int(0))
            }
            (Method::Mean, Value::Array(_)) => self.mean_of(object),
            (Method::Dot, Value::Array(_)) => {
                let other = arguments.one("dot")?;
                self.dot(object, other)
            }
            (Method::ToList, Value::Array(_)) => {
                let values = self.elements(object)?;
                self.list(values)
            }
            (Method::Size, Value::Array(_)) => {
                let size = self.flat(object)?.len();
                Ok(Value::Int(size as i64))
            }
            (Method::Shape, Value::Array(_)) => {
                let mut sizes = Vec::new();
                let mut part = object.clone();
                while let Value::Array(handle) = part {
                    let elements = self.heap.sequence(handle);
                    sizes.push(Value::Int(elements.len() as i64));
                    part = elements.first().cloned().unwrap_or(Value::None);
                }
                self.tuple(sizes)
            }
            _ => {
                let name = method.name();
                let hint = match object {
                    Value::List(_) | Value::Tuple(_) if matches!(method, Method::Sum | Method::Mean | Method::Dot) => {
                        "make it an array with `np.array(...)`, or use `sum(...)`"
                    }
                    Value::Random { .. } => "a random variable is one number; methods are for lists of them",
                    _ => "see the language page for the methods that are known",
                };
                Err(Fault::hinted(Code::Attribute, format!("{} has no `.{name}`", object.kind()), hint))
            }
        }
    }
}
