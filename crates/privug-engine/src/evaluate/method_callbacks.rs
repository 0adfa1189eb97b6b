//! Methods that are given functions: `apply`, `map`, `agg`, `sort(key=…)` and others.

use super::builtins::Arguments;
use super::callbacks::{Trouble, alias, positional, settled};
use super::fault::{Fault, Outcome};
use super::running::{Machine, Stop};
use super::value::Value;
use super::{builtins, callbacks, choices, compare, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Method, TableMethod};

impl<S: Scalar> Machine<'_, S> {
    /// A method that is given functions.
    pub(super) fn method_with_functions(
        &mut self,
        method: Method,
        object: &Value<S>,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Outcome<Value<S>>, Stop> {
        settled(self.method_calling(method, object, shape, values))
    }

    fn method_calling(
        &mut self,
        method: Method,
        object: &Value<S>,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Value<S>, Trouble> {
        if matches!(object, Value::Poison) {
            return Ok(Value::Poison);
        }
        let named = tables::axes::axis_column(&mut self.state, object)?;
        let object = &named;
        tables::grouped::refuse_groups(&self.state, object, "a function of rows")?;
        if !matches!(method, Method::Table(TableMethod::Pipe)) {
            tables::shape::refuse_secret_shape(&self.state, object, "a function is applied to")?;
        }
        let mut here = values.to_vec();
        if self.state.worlds.are_split() {
            for value in &mut here {
                *value = self.seen_here(value.clone())?;
            }
        }
        let values = &here[..];
        let arguments = Arguments { shape, values };
        match (method, object) {
            (Method::Sort, Value::List(handle)) => {
                let [key, reverse] = arguments.bind("sort", ["key", "reverse"], 0, 0)?;
                let reverse = reverse.map_or(Ok(false), |reverse| compare::truth(&self.state, reverse.value))?;
                let elements = self.state.heap.sequence(*handle).to_vec();
                let sorted = self.by_key(Builtin::Sorted, elements, key.map(|key| key.value.clone()), reverse, None)?;
                if let Value::List(sorted) = sorted {
                    let sorted = self.state.heap.sequence(sorted).to_vec();
                    choices::writes::change(&mut self.state, object, |state| {
                        state.heap.sequences[*handle as usize] = sorted;
                        Ok(())
                    })?;
                }
                Ok(Value::None)
            }
            (Method::AsType, Value::Frame(_)) => {
                let mut named = Vec::with_capacity(values.len());
                for value in values {
                    named.push(self.types_named(value)?);
                }
                Ok(builtins::call_method(&mut self.state, method, object, shape, &named)?)
            }
            (Method::Table(TableMethod::PivotTable), Value::Frame(_)) => {
                let named = self.figures_named(values)?;
                Ok(builtins::call_method(&mut self.state, method, object, shape, &named)?)
            }
            (Method::Append, Value::List(_)) => {
                Ok(builtins::call_method(&mut self.state, method, object, shape, values)?)
            }
            (Method::Table(TableMethod::Pipe), _) if shape.positional >= 1 => {
                let (function, rest) = (values[0].clone(), &values[1..]);
                let mut shape = shape.clone();
                if !shape.spans.is_empty() {
                    shape.spans.remove(0);
                    shape.spans.insert(0, self.state.span);
                }
                let all = std::iter::once(object.clone()).chain(rest.iter().cloned()).collect();
                self.called(&function, &shape, all)
            }
            (Method::Table(TableMethod::Assign), Value::Frame(_)) if shape.positional == 0 => {
                let mut current = object.clone();
                for (name, value) in shape.keywords.iter().zip(values) {
                    let value = match value {
                        function @ Value::Function(_) => self.invoke(function, vec![current.clone()])?,
                        other => other.clone(),
                    };
                    if matches!(value, Value::Poison) {
                        return Ok(Value::Poison);
                    }
                    current = tables::applied::table_with(&mut self.state, &current, name, &value)?;
                }
                Ok(current)
            }
            (Method::Table(TableMethod::Rename), Value::Frame(handle)) => {
                let [function] = arguments.bind("rename", ["columns"], 1, 0)?;
                let function = builtins::given(function)?.value.clone();
                let names = tables::applied::names_of_columns(&mut self.state, *handle)?;
                let renamed = self.state.new_dict()?;
                for name in names {
                    let other = self.invoke(&function, vec![name.clone()])?;
                    if let Value::Dict(handle) = renamed {
                        self.state.insert(handle, name, other)?;
                    }
                }
                Ok(builtins::call_method(&mut self.state, method, object, shape, &[renamed])?)
            }
            (Method::Table(TableMethod::Map | TableMethod::Apply), Value::Series(series)) => {
                let [function] = arguments.bind(method.name(), ["func|arg"], 1, 1)?;
                let function = builtins::given(function)?.value.clone();
                let cells = tables::column::series_values(&mut self.state, series)?;
                let mut results = Vec::with_capacity(cells.len());
                for cell in cells {
                    results.push(self.invoke(&function, vec![cell])?);
                }
                Ok(tables::applied::series_like(&mut self.state, series, results)?)
            }
            (Method::Table(TableMethod::Apply), Value::Frame(handle)) => {
                let [function, axis] = arguments.bind("apply", ["func", "axis"], 1, 2)?;
                let function = builtins::given(function)?.value.clone();
                let by_row = axis.is_some_and(|axis| {
                    matches!(axis.value, Value::Int(1)) || text::show(&self.state, axis.value) == "columns"
                });
                let mut results = Vec::new();
                for part in tables::applied::frame_parts(&mut self.state, *handle, by_row)? {
                    results.push(self.invoke(&function, vec![part])?);
                }
                Ok(tables::applied::applied_frame(&mut self.state, *handle, by_row, results)?)
            }
            (Method::Table(TableMethod::Apply), Value::Groups(groups)) => {
                let further = shape.positional.saturating_sub(1) as usize;
                let is_ours = |name: &String| name == "func" || name == "include_groups";
                let mut names: Vec<String> = Vec::new();
                let mut more: Vec<Value<S>> = values.get(1..1 + further).unwrap_or_default().to_vec();
                for (name, value) in shape.keywords.iter().zip(&values[shape.positional as usize..]) {
                    if !is_ours(name) {
                        names.push(name.clone());
                        more.push(value.clone());
                    }
                }
                let function = match (shape.positional, shape.keywords.iter().position(|name| name == "func")) {
                    (0, Some(place)) => values[place].clone(),
                    (0, None) => {
                        return Err(Fault::new(Code::WrongArguments, "`apply` needs the argument `func`").into());
                    }
                    _ => values[0].clone(),
                };
                let inner = CallShape { keywords: names, ..positional(1 + further) };
                let mut results = Vec::new();
                for group in 0..groups.len() {
                    let part = tables::applied::applied_group(&mut self.state, groups, group)?;
                    let all = std::iter::once(part).chain(more.iter().cloned()).collect();
                    let before = self.state.span;
                    let result = self.called(&function, &inner, all);
                    self.state.span = before;
                    results.push(result?);
                }
                Ok(tables::applied::applied_groups(&mut self.state, groups, results)?)
            }
            (Method::Table(TableMethod::FilterGroups), Value::Groups(groups)) => {
                let [function] = arguments.bind("filter", ["func"], 1, 1)?;
                let function = builtins::given(function)?.value.clone();
                let mut kept = Vec::new();
                for group in 0..groups.len() {
                    let part = tables::applied::whole_group(&mut self.state, groups, group)?;
                    let answer = self.invoke(&function, vec![part])?;
                    if matches!(answer, Value::Poison) {
                        return Ok(Value::Poison);
                    }
                    kept.push(compare::truth(&self.state, &answer)?);
                }
                Ok(tables::applied::filtered_groups(&mut self.state, groups, &kept)?)
            }
            (Method::Table(TableMethod::Transform), Value::Groups(groups)) => {
                let [function] = arguments.bind("transform", ["func"], 1, 1)?;
                let function = builtins::given(function)?.value.clone();
                if let Some(name) = alias(&function) {
                    let name = self.state.text(name.to_owned())?;
                    let shape = positional(1);
                    return Ok(builtins::call_method(&mut self.state, method, object, &shape, &[name])?);
                }
                let mut columns = Vec::new();
                for position in groups.value_positions() {
                    let mut parts = Vec::new();
                    for group in 0..groups.len() {
                        let part = tables::applied::part_of_group(&mut self.state, groups, position, group)?;
                        parts.push(self.invoke(&function, vec![part])?);
                    }
                    columns.push((position, parts));
                }
                Ok(tables::applied::transformed_by(&mut self.state, groups, columns)?)
            }
            (Method::Table(TableMethod::Aggregate), Value::Groups(_) | Value::Series(_) | Value::Frame(_)) => {
                self.aggregate_calling(method, object, shape, values)
            }
            (Method::Table(TableMethod::Write), Value::Frame(_) | Value::Series(_)) => {
                self.write_formatted(method, object, shape, values)
            }
            _ => {
                let hint = "call the function, or write a loop";
                let message = format!("`.{}` of {} takes no function here", method.name(), object.kind());
                Err(Fault::hinted(Code::FunctionAsValue, message, hint).into())
            }
        }
    }

    /// `table.to_string(float_format=…)`: what the function makes of each number that is no whole one is published.
    fn write_formatted(
        &mut self,
        method: Method,
        object: &Value<S>,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Value<S>, Trouble> {
        let place = shape.keywords.iter().position(|name| name == "float_format");
        let functions = values.iter().filter(|value| callbacks::holds_function(&self.state, value)).count();
        let Some(place) = place.filter(|_| functions == 1) else {
            let hint = "format the columns themselves first, with `map`";
            let message = format!("`.{}` takes a function for `float_format` only", method.name());
            return Err(Fault::hinted(Code::FunctionAsValue, message, hint).into());
        };
        let (mut rest, mut others) = (shape.clone(), values.to_vec());
        let function = others.remove(shape.positional as usize + place);
        rest.keywords.remove(place);
        if rest.spans.len() > others.len() {
            rest.spans.remove(shape.positional as usize + place);
        }
        let columns = match object {
            Value::Frame(handle) => tables::applied::frame_parts(&mut self.state, *handle, false)?,
            other => vec![other.clone()],
        };
        let mut parts = Vec::with_capacity(columns.len());
        for column in &columns {
            let Value::Series(series) = column else { continue };
            let mut cells = Vec::with_capacity(series.len());
            for cell in tables::column::series_values(&mut self.state, series)? {
                // Whole numbers too: a sum of whole secrets is one in the run on real values.
                let is_number = matches!(cell, Value::Int(_) | Value::Float(_) | Value::Random { .. });
                cells.push(if is_number { self.invoke(&function, vec![cell])? } else { cell });
            }
            parts.push(tables::applied::series_like(&mut self.state, series, cells)?);
        }
        let formatted = match (object, parts.as_slice()) {
            (Value::Frame(handle), [_, ..]) => tables::applied::applied_frame(&mut self.state, *handle, false, parts)?,
            (_, [only]) => only.clone(),
            (other, _) => other.clone(),
        };
        Ok(builtins::call_method(&mut self.state, method, &formatted, &rest, &others)?)
    }
}
