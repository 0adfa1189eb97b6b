//! Figures that functions of the program compute, and the names that functions of numpy and Python have as figures.

use super::callbacks::{Callable, Trouble, alias, is_function};
use super::fault::Fault;
use super::running::Machine;
use super::value::Value;
use super::{builtins, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Method};

impl<S: Scalar> Machine<'_, S> {
    /// Functions that stand for figures, by the names of these.
    pub(super) fn figures_named(&mut self, values: &[Value<S>]) -> Result<Vec<Value<S>>, Trouble> {
        let mut named = Vec::with_capacity(values.len());
        for value in values {
            named.push(match value {
                Value::List(handle) => {
                    let parts = self.state.heap.sequence(*handle).to_vec();
                    let parts = self.figures_named(&parts)?;
                    self.state.list(parts)?
                }
                Value::Function(_) => match alias(value) {
                    Some(name) => self.state.text(name.to_owned())?,
                    None => {
                        let hint = "name it: \"mean\", \"sum\", \"count\"";
                        let message = "a crossed table supports only named aggregations";
                        return Err(Fault::hinted(Code::BadArgument, message, hint).into());
                    }
                },
                other => other.clone(),
            });
        }
        Ok(named)
    }

    /// `{"age": float}` as `{"age": "float"}`.
    pub(super) fn types_named(&mut self, value: &Value<S>) -> Result<Value<S>, Trouble> {
        let Value::Dict(handle) = value else { return Ok(value.clone()) };
        let dict = self.state.new_dict()?;
        for (column, kind) in self.state.heap.dict(*handle).entries.clone() {
            let name = match &kind {
                Value::Function(callable) => match &**callable {
                    Callable::OfLanguage(Builtin::Float) => "float",
                    Callable::OfLanguage(Builtin::Int) => "int",
                    Callable::OfLanguage(Builtin::Str) => "str",
                    Callable::OfLanguage(Builtin::Bool) => "bool",
                    Callable::OfLanguage(_) | Callable::OfFile { .. } | Callable::Record { .. } => "function",
                },
                _ => "",
            };
            let kind = if name.is_empty() { kind } else { self.state.text(name.to_owned())? };
            if let Value::Dict(handle) = dict {
                self.state.insert(handle, column, kind)?;
            }
        }
        Ok(dict)
    }

    /// `agg` with functions: each is replaced by its name, or by what it makes of the groups.
    pub(super) fn aggregate_calling(
        &mut self,
        method: Method,
        object: &Value<S>,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Value<S>, Trouble> {
        let mut replaced = Vec::with_capacity(values.len());
        for value in values {
            replaced.push(match (value, object) {
                (Value::Function(_), _) => self.figure(object, None, value)?,
                (Value::Tuple(handle), _) => match self.state.heap.sequence(*handle).to_vec().as_slice() {
                    [column, function @ Value::Function(_)] => {
                        let figure = self.figure(object, Some(column), function)?;
                        self.state.tuple(vec![column.clone(), figure])?
                    }
                    _ => value.clone(),
                },
                (Value::List(handle), _) => {
                    let parts = self.state.heap.sequence(*handle).to_vec();
                    let parts = self.figures(object, None, &parts)?;
                    self.state.list(parts)?
                }
                (Value::Dict(handle), _) => {
                    let entries = self.state.heap.dict(*handle).entries.clone();
                    let dict = self.state.new_dict()?;
                    for (column, figures) in entries {
                        let figures = match &figures {
                            Value::Function(_) => self.figure(object, Some(&column), &figures)?,
                            Value::List(handle) => {
                                let parts = self.state.heap.sequence(*handle).to_vec();
                                let parts = self.figures(object, Some(&column), &parts)?;
                                self.state.list(parts)?
                            }
                            _ => figures,
                        };
                        if let Value::Dict(handle) = dict {
                            self.state.insert(handle, column, figures)?;
                        }
                    }
                    dict
                }
                (other, _) => other.clone(),
            });
        }
        if replaced.iter().any(|value| matches!(value, Value::Poison)) {
            return Ok(Value::Poison);
        }
        Ok(builtins::call_method(&mut self.state, method, object, shape, &replaced)?)
    }

    fn figures(
        &mut self,
        object: &Value<S>,
        column: Option<&Value<S>>,
        parts: &[Value<S>],
    ) -> Result<Vec<Value<S>>, Trouble> {
        let mut figures = Vec::with_capacity(parts.len());
        let own = parts.iter().filter(|part| is_function(part) && alias(part).is_none());
        let names: Vec<String> = own.map(|part| self.function_name(part)).collect();
        let different: std::collections::HashSet<&String> = names.iter().collect();
        if different.len() < names.len() {
            let hint = "name each figure: `agg(low=(\"income\", f), high=(\"income\", g))`";
            let message = "a list contains several functions of the same name";
            return Err(Fault::hinted(Code::BadArgument, message, hint).into());
        }
        for part in parts {
            figures.push(match part {
                Value::Function(_) => self.figure(object, column, part)?,
                other => other.clone(),
            });
        }
        Ok(figures)
    }

    /// What stands for a function in `agg`.
    fn figure(
        &mut self,
        object: &Value<S>,
        column: Option<&Value<S>>,
        function: &Value<S>,
    ) -> Result<Value<S>, Trouble> {
        if let Some(name) = alias(function) {
            return Ok(self.state.text(name.to_owned())?);
        }
        let Value::Groups(groups) = object else {
            let hint = "call it on the column: `f(p.income)`";
            return Err(Fault::hinted(Code::BadArgument, "`agg` of a column takes names of figures", hint).into());
        };
        let position = tables::applied::figure_position(&self.state, groups, column)?;
        let mut results = Vec::new();
        for group in 0..groups.len() {
            let part = tables::applied::part_of_group(&mut self.state, groups, position, group)?;
            let result = self.invoke(function, vec![part])?;
            if matches!(result, Value::Poison) {
                return Ok(Value::Poison);
            }
            results.push(result);
        }
        let name = self.function_name(function);
        Ok(tables::applied::computed_figure(&mut self.state, groups, &name, results)?)
    }

    /// What the column of a function's figures is called.
    fn function_name(&self, function: &Value<S>) -> String {
        match function {
            Value::Function(callable) => match &**callable {
                Callable::OfFile { function, .. } => self.program.function(*function).name.clone(),
                Callable::OfLanguage(_) | Callable::Record { .. } => "function".to_owned(),
            },
            _ => "function".to_owned(),
        }
    }
}
