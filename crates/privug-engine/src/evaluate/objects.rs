//! Objects of classes: their attributes and functions, and calls whose arguments are only known when they are carried out.

use std::rc::Rc;

use super::builtins::{Arguments, given};
use super::callbacks::{Callable, is_function};
use super::compare::MAX_VALUE_DEPTH;
use super::fault::{Fault, Outcome};
use super::frame::Frame;
use super::running::{Machine, Stop};
use super::state::State;
use super::tables::Index;
use super::value::{Key, Value};
use super::{builtins, callbacks, choices, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::{Code, nearest};
use privug_language::program::{
    CallShape, ClassId, ENTER, EXIT, FunctionId, Method, MethodKind, Program, Register, TableMethod,
};
use privug_language::source::Span;

/// What `object.name` is.
enum Found<S> {
    Value(Value<S>),
    /// `@property`: what this function gives.
    Property(Value<S>),
}

/// A new object of a class, without attributes.
pub(super) fn new_object<S: Scalar>(state: &mut State<S>, class: ClassId) -> Outcome<Value<S>> {
    match state.new_dict()? {
        Value::Dict(handle) => Ok(Value::Object(handle, class)),
        other => Ok(other),
    }
}

/// `object.name = value`
pub(super) fn set_member<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    name: &Value<S>,
    value: &Value<S>,
) -> Outcome<()> {
    match object {
        Value::Object(handle, _) => choices::writes::change(state, object, |state| {
            state.insert_in_any_order(*handle, name.clone(), value.clone())
        }),
        Value::Choice(_) => Err(depends_on_choices()),
        other => choices::writes::change(state, other, |state| tables::more::set_attribute(state, other, name, value)),
    }
}

/// `isinstance(value, types)`; the types are named by texts.
pub(super) fn is_instance<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [value, types] = arguments.bind("isinstance", ["obj", "class_or_tuple"], 2, 2)?;
    let (value, types) = (given(value)?.value, given(types)?.value);
    let names = containers::elements(state, types)?;
    // What a column gives may be numpy's, which is no `int` and no `bool`.
    let certain = ["float", "str", "list", "tuple", "dict", "set", "Series", "DataFrame", "ndarray", "Callable"];
    let is_whole = matches!(value, Value::Int(_) | Value::Bool(_)) && state.tables.publishes_rows;
    if (is_whole || matches!(value, Value::Counted(_)))
        && names
            .iter()
            .any(|name| !matches!(name, Value::Int(_)) && !certain.contains(&text::show(state, name).as_str()))
    {
        let message = "it is not known whether a number from a table is Python's or numpy's integer";
        let hint = "test for `float`, or remove the test";
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    }
    let own: &[&str] = match value {
        Value::Poison => return Ok(Value::Poison),
        Value::Choice(_) | Value::Unbound | Value::Missing | Value::Slice(_) | Value::Loc(_) => {
            let message = format!("what {} is an instance of is not known", value.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        Value::None => &["NoneType"],
        Value::Bool(_) => &["bool", "int"],
        Value::Int(_) | Value::Counted(_) | Value::BigInt(_) => &["int"],
        Value::Float(_) | Value::Random { .. } => &["float"],
        Value::NumpyBool(_) => &["bool_", "generic"],
        Value::NumpyInt(_) => &["int64", "integer", "number", "generic"],
        Value::NumpyFloat(_) => &["float", "float64", "floating", "number", "generic"],
        Value::Text(_) => &["str"],
        Value::List(_) => &["list", "Iterable", "Sequence"],
        Value::Tuple(_) => &["tuple", "Iterable", "Sequence"],
        Value::Array(_) => &["ndarray", "Iterable"],
        // numpy's result of a computation with columns is kept as one without names.
        Value::Series(series) if matches!(series.index, Index::Positions(_)) => &["ndarray", "Iterable"],
        Value::Series(_) => &["Series", "Iterable"],
        Value::Frame(_) => &["DataFrame", "Iterable"],
        Value::Dict(_) => &["dict", "Mapping", "Iterable"],
        Value::Set(_) => &["set", "Iterable"],
        Value::Range(_) => &["range", "Iterable", "Sequence"],
        Value::Iterator(_) | Value::View(_, _) => &["Iterable"],
        Value::Function(_) => &["Callable"],
        // Of pandas' own kinds, which nobody asks for.
        Value::Object(..) | Value::Groups(_) => &[],
    };
    let mut found = false;
    for name in &names {
        if let Value::Int(number) = name {
            found |= matches!(value, Value::Object(_, class) if i64::from(class.0) == *number);
            continue;
        }
        let name = text::show(state, name);
        found |= own.contains(&name.as_str());
        let is_other = ["str", "int", "float", "bool", "list", "dict", "set", "ndarray", "Series", "DataFrame"];
        if matches!(value, Value::Object(..)) && !is_other.contains(&name.as_str()) {
            let hint = "ask for one of its attributes instead";
            return Err(Fault::hinted(Code::TypeMismatch, format!("whether an object is a `{name}` is asked"), hint));
        }
    }
    Ok(Value::Bool(found))
}

/// A value that an object of a written module keeps under a name that the program gave, such as an option.
pub(super) fn named_value<S: Scalar>(state: &State<S>, object: &Value<S>, name: &str) -> Option<Value<S>> {
    if let Some(value) = attribute_of(state, object, name) {
        return Some(value);
    }
    let Some(Value::Dict(values)) = attribute_of(state, object, "_values") else { return None };
    let dict = state.heap.dict(values);
    let place = dict.positions.get(&Key::Text(name.to_owned()))?;
    Some(dict.entries[*place].1.clone())
}

/// The text of a path, which may be an object of `pathlib`.
pub(super) fn path_text<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<String> {
    match value {
        Value::Text(_) => Some(text::show(state, value)),
        Value::Object(..) => match attribute_of(state, value, "_path") {
            Some(text @ Value::Text(_)) => Some(text::show(state, &text)),
            _ => None,
        },
        _ => None,
    }
}

/// What `name` of an object is, if it has it; looking at it calls nothing.
fn attribute_of<S: Scalar>(state: &State<S>, object: &Value<S>, name: &str) -> Option<Value<S>> {
    let Value::Object(handle, _) = object else { return None };
    let dict = state.heap.dict(*handle);
    let place = dict.positions.get(&Key::Text(name.to_owned()))?;
    Some(dict.entries[*place].1.clone())
}

impl<'p, S: Scalar> Machine<'p, S> {
    /// What `name` of an object of a class is.
    fn found(&mut self, object: &Value<S>, id: ClassId, name: &str) -> Outcome<Found<S>> {
        if let Some(value) = named_value(&self.state, object, name) {
            return Ok(Found::Value(value));
        }
        let program = self.program;
        let class = &program.classes[id.0 as usize];
        if let Some((kind, function)) = class.method(name) {
            let seen = match kind {
                MethodKind::Bound | MethodKind::Property => vec![object.clone()],
                MethodKind::Class => vec![new_object(&mut self.state, id)?],
                MethodKind::Static => Vec::new(),
            };
            let callable = Value::Function(Rc::new(Callable::OfFile { function, seen }));
            return Ok(match kind {
                MethodKind::Property => Found::Property(callable),
                MethodKind::Bound | MethodKind::Class | MethodKind::Static => Found::Value(callable),
            });
        }
        if let Some((_, register)) = class.constants.iter().find(|(known, _)| known == name) {
            return Ok(Found::Value(self.global(*register)));
        }
        // Names that begin so are a tuple's own; of other records they are reached by functions of `dataclasses`.
        if let (Some(fields), "_replace" | "_asdict") = (&class.fields, name)
            && (!fields.is_empty() || class.is_tuple)
        {
            let callable = Callable::Record { object: object.clone(), replaces: name == "_replace" };
            return Ok(Found::Value(Value::Function(Rc::new(callable))));
        }
        if let (Some(fields), true, "_fields") = (&class.fields, class.is_tuple, name) {
            let names = fields.iter().map(|field| self.state.text(field.clone())).collect::<Outcome<Vec<_>>>()?;
            return self.state.tuple(names).map(Found::Value);
        }
        Err(unknown_attribute(self.program, class.name.as_str(), name, &self.attribute_names(object)))
    }

    fn attribute_names(&self, object: &Value<S>) -> Vec<String> {
        let Value::Object(handle, class) = object else { return Vec::new() };
        let entries = self.state.heap.dict(*handle).entries.iter();
        let own = entries.filter_map(|(key, _)| match key {
            Value::Text(text) => Some(self.state.heap.text(*text).to_owned()),
            _ => None,
        });
        let class = &self.program.classes[class.0 as usize];
        own.chain(class.methods.iter().map(|(name, _, _)| name.clone())).collect()
    }

    /// `object.name`, of an object or of anything else.
    pub(super) fn member(
        &mut self,
        object: &Value<S>,
        name: &Value<S>,
        method: Option<Method>,
    ) -> Result<Outcome<Value<S>>, Stop> {
        match (object, method) {
            (Value::Object(_, class), _) => match self.found(object, *class, &self.name_of(name).to_owned()) {
                Ok(Found::Value(value)) => Ok(Ok(value)),
                Ok(Found::Property(function)) => {
                    self.call_value(&function, &shape_of(0, Vec::new(), Span::START), Vec::new())
                }
                Err(fault) => Ok(Err(fault)),
            },
            (Value::Choice(_), _) if let here @ Value::Object(..) = self.seen_here(object.clone())? => {
                self.member(&here, name, method)
            }
            (Value::Choice(choices::Chosen::Diagram(diagram)), _) if self.has_objects(*diagram) => {
                self.in_worlds_of(*diagram, &mut |machine, here| machine.member(here, name, method))
            }
            (Value::Choice(_), None) => {
                let text = self.name_of(name);
                Ok(choices::lift::lift(&mut self.state, std::slice::from_ref(object), false, &mut |state, values| {
                    attribute_of(state, &values[0], &text).ok_or_else(depends_on_choices)
                }))
            }
            (other, Some(method)) => {
                let shape_of = shape_of(0, Vec::new(), self.state.span);
                Ok(builtins::call_method(&mut self.state, method, other, &shape_of, &[]))
            }
            (other, None) => match self.written_method(&format!("_attribute_{}", self.name_of(name))) {
                // A table has no categories of its own: `p.cat` is its column `cat`.
                Some(function)
                    if matches!(other, Value::Series(_))
                        || (matches!(other, Value::Frame(_)) && self.name_of(name) != "cat") =>
                {
                    let callee = Value::Function(Rc::new(Callable::OfFile { function, seen: Vec::new() }));
                    self.call_value(&callee, &shape_of(1, Vec::new(), self.state.span), vec![other.clone()])
                }
                _ => Ok(tables::lookup::attribute_column(&mut self.state, other, name)),
            },
        }
    }

    /// A result with the parts of its records (`@dataclass`, `NamedTuple`) in their place: all that they hold is published.
    pub(super) fn without_records(&mut self, value: Value<S>, depth: usize) -> Outcome<Value<S>> {
        if depth > MAX_VALUE_DEPTH {
            return Ok(value);
        }
        match &value {
            Value::Object(handle, class) => {
                let class = &self.program.classes[class.0 as usize];
                if class.fields.is_none() || class.is_written {
                    return Ok(value);
                }
                self.without_records(Value::Dict(*handle), depth)
            }
            Value::List(handle) | Value::Tuple(handle) => {
                // Mostly there are none, possibly among millions of numbers.
                let parts = self.state.heap.sequence(*handle);
                if !parts.iter().any(may_hold_records) {
                    return Ok(value);
                }
                let parts = parts.to_vec();
                let mut made = Vec::with_capacity(parts.len());
                for part in parts {
                    made.push(self.without_records(part, depth + 1)?);
                }
                if matches!(value, Value::List(_)) { self.state.list(made) } else { self.state.tuple(made) }
            }
            Value::Dict(handle) => {
                let entries = &self.state.heap.dict(*handle).entries;
                if !entries.iter().any(|(_, part)| may_hold_records(part)) {
                    return Ok(value);
                }
                let entries = entries.clone();
                let made = self.state.new_dict()?;
                let Value::Dict(target) = made else { return Ok(made) };
                for (key, part) in entries {
                    let part = self.without_records(part, depth + 1)?;
                    self.state.insert(target, key, part)?;
                }
                choices::arrivals::copy_order(&mut self.state, *handle, target);
                Ok(made)
            }
            _ => Ok(value),
        }
    }

    fn written_method(&self, name: &str) -> Option<FunctionId> {
        self.program.written_methods.iter().find(|(known, _)| known == name).map(|(_, function)| *function)
    }

    /// `object.name(...)`, of an object or of anything else.
    pub(super) fn call_member(
        &mut self,
        object: &Value<S>,
        name: &Value<S>,
        method: Option<Method>,
        (shape, values): (&CallShape, Vec<Value<S>>),
    ) -> Result<Outcome<Value<S>>, Stop> {
        let text = self.name_of(name);
        // Which of several it is, is found out first.
        let is_chosen = matches!(object, Value::Choice(_));
        match (object, method) {
            (Value::Object(..), _) => match self.member(object, name, None)? {
                Ok(callee) => self.call_value(&callee, shape, values),
                // `with` of an object that says nothing about it.
                Err(_) if text == "__enter__" || text == ENTER => Ok(Ok(object.clone())),
                Err(_) if text == EXIT => Ok(Ok(Value::None)),
                Err(fault) => Ok(Err(fault)),
            },
            // Nothing here has to be closed.
            (other, None) if !is_chosen && (text == "__enter__" || text == ENTER) => Ok(Ok(other.clone())),
            (_, None) if !is_chosen && text == EXIT => Ok(Ok(Value::None)),
            (Value::Choice(_), _) if let here @ Value::Object(..) = self.seen_here(object.clone())? => {
                self.call_member(&here, name, method, (shape, values))
            }
            (Value::Choice(choices::Chosen::Diagram(diagram)), _) if self.has_objects(*diagram) => self
                .in_worlds_of(*diagram, &mut |machine, here| {
                    machine.call_member(here, name, method, (shape, values.clone()))
                }),
            (Value::Choice(_), None) => Ok(Err(depends_on_choices())),
            (other, Some(method)) if is_grouped_by_object(&self.state, method, &values) => {
                self.grouped_by(other, shape, values)
            }
            (other, Some(method)) => {
                let found = self.call_method_of(other, method, shape, &values)?;
                match (&found, self.written_method(&text)) {
                    // What is known of other things only, or with fewer arguments, may be written in the language.
                    (Err(fault), Some(function))
                        if (is_table(other) || matches!(other, Value::Array(_))) && fault.is_unknown_method() =>
                    {
                        let callee = Value::Function(Rc::new(Callable::OfFile { function, seen: vec![other.clone()] }));
                        self.call_value(&callee, shape, values)
                    }
                    _ => Ok(found),
                }
            }
            (Value::Poison, None) => Ok(Ok(Value::Poison)),
            (other, None) if let Some(function) = self.written_method(&text) => {
                let callee = Value::Function(Rc::new(Callable::OfFile { function, seen: vec![other.clone()] }));
                self.call_value(&callee, shape, values)
            }
            (other, None) => {
                let message = format!("{} has no function `{text}`", other.kind());
                let hint = "the language page lists the supported methods";
                Ok(Err(Fault::hinted(Code::UnknownFunction, message, hint)))
            }
        }
    }

    /// `object[index]` and `object / other`, which objects of written modules say themselves; `None` for everything else.
    pub(super) fn operated(
        &mut self,
        (frame, callers): (&Frame<'p>, usize),
        name: &str,
        (object, other): (&Value<S>, &Value<S>),
    ) -> Result<Option<Outcome<Value<S>>>, Stop> {
        let Value::Object(_, class) = object else { return Ok(None) };
        if self.program.classes[class.0 as usize].method(name).is_none() {
            return Ok(None);
        }
        let (shape, values) = (shape_of(1, Vec::new(), self.state.span), vec![other.clone()]);
        let name = match self.state.text(name.to_owned()) {
            Ok(name) => name,
            Err(fault) => return Ok(Some(Err(fault))),
        };
        let result =
            self.above(frame, callers, |machine| machine.call_member(object, &name, None, (&shape, values)))?;
        Ok(Some(result))
    }

    /// `object[index]` where looking it up calls a function.
    pub(super) fn looked_up_by_call(
        &mut self,
        place: (&Frame<'p>, usize),
        object: &Value<S>,
        index: &Value<S>,
    ) -> Result<Outcome<Value<S>>, Stop> {
        if let Some(found) = self.operated(place, "__getitem__", (object, index))? {
            return Ok(found);
        }
        if let Some(found) = self.chosen_by_function(place, object, index)? {
            return Ok(found);
        }
        Ok(containers::index(&mut self.state, object, index))
    }

    /// Rows that a function chooses: `p.loc[lambda d: d.age > 30]` and `p[lambda d: …]`.
    pub(super) fn chosen_by_function(
        &mut self,
        (frame, callers): (&Frame<'p>, usize),
        object: &Value<S>,
        index: &Value<S>,
    ) -> Result<Option<Outcome<Value<S>>>, Stop> {
        let table = match object {
            Value::Loc(accessed) => accessed.value.clone(),
            Value::Frame(_) | Value::Series(_) => object.clone(),
            _ => return Ok(None),
        };
        let parts = match index {
            Value::Function(_) => vec![index.clone()],
            Value::Tuple(handle) => self.state.heap.sequence(*handle).to_vec(),
            _ => return Ok(None),
        };
        if !parts.iter().any(is_function) {
            return Ok(None);
        }
        let shape = shape_of(1, Vec::new(), self.state.span);
        let mut found = Vec::with_capacity(parts.len());
        for part in parts {
            if !is_function(&part) {
                found.push(part);
                continue;
            }
            let given = vec![table.clone()];
            match self.above(frame, callers, |machine| machine.call_value(&part, &shape, given))? {
                Ok(value) => found.push(value),
                Err(fault) => return Ok(Some(Err(fault))),
            }
        }
        let index = match (index, found.pop()) {
            (Value::Function(_), Some(only)) => Ok(only),
            (_, last) => {
                found.extend(last);
                self.state.tuple(found)
            }
        };
        Ok(Some(index.and_then(|index| containers::index(&mut self.state, object, &index))))
    }

    fn call_method_of(
        &mut self,
        object: &Value<S>,
        method: Method,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Result<Outcome<Value<S>>, Stop> {
        if values.iter().any(|value| callbacks::holds_function(&self.state, value)) {
            return self.method_with_functions(method, object, shape, values);
        }
        Ok(builtins::call_method(&mut self.state, method, object, shape, values))
    }

    /// The step of a call of a member.
    pub(super) fn member_called(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        (to, name, method, shape, first): (Register, &Value<S>, Option<Method>, u32, Register),
    ) -> Result<(), Stop> {
        let shape = &self.program.call_shapes[shape as usize];
        let first = frame.base + first as usize;
        self.find_functions(first + 1, shape.spans.len())?;
        let object = self.registers[first].clone();
        let values = self.registers[first + 1..first + 1 + shape.spans.len()].to_vec();
        self.passes_on = matches!(object, Value::Object(..) | Value::Choice(_));
        let result =
            self.above(frame, callers, |machine| machine.call_member(&object, name, method, (shape, values)))?;
        self.store_call(frame.base, to, &shape.spans, result)
    }

    /// The step of a call with stars.
    pub(super) fn spread_called(
        &mut self,
        frame: &Frame<'p>,
        callers: usize,
        (to, method, first): (Register, Option<Method>, Register),
    ) -> Result<(), Stop> {
        let first = frame.base + first as usize;
        let (callee, list, dict) = (self.here(first)?, self.here(first + 1)?, self.here(first + 2)?);
        let result = self.above(frame, callers, |machine| match (&callee, method) {
            // Whichever function it is, each in its worlds.
            (Value::Choice(choices::Chosen::Diagram(diagram)), None) => {
                machine.in_worlds_of(*diagram, &mut |machine, here| machine.call_spread(here, None, &list, &dict))
            }
            _ => machine.call_spread(&callee, method, &list, &dict),
        })?;
        self.store(frame.base, to, result)
    }

    /// `table.groupby(pd.Grouper(…))`: the object groups the table.
    pub(super) fn grouped_by(
        &mut self,
        table: &Value<S>,
        shape: &CallShape,
        mut values: Vec<Value<S>>,
    ) -> Result<Outcome<Value<S>>, Stop> {
        let Value::List(handle) = values[0] else {
            let grouper = std::mem::replace(&mut values[0], table.clone());
            return match self.state.text("_grouped".to_owned()) {
                Ok(name) => self.call_member(&grouper, &name, None, (shape, values)),
                Err(fault) => Ok(Err(fault)),
            };
        };
        // Among other keys, each object says by which column it groups.
        let mut keys = self.state.heap.sequence(handle).to_vec();
        for key in keys.iter_mut().filter(|key| matches!(key, Value::Object(..))) {
            let name = match self.state.text("_keys".to_owned()) {
                Ok(name) => name,
                Err(fault) => return Ok(Err(fault)),
            };
            let one = shape_of(1, Vec::new(), self.state.span);
            match self.call_member(key, &name, None, (&one, vec![table.clone()]))? {
                Ok(column) => *key = column,
                Err(fault) => return Ok(Err(fault)),
            }
        }
        values[0] = match self.state.list(keys) {
            Ok(list) => list,
            Err(fault) => return Ok(Err(fault)),
        };
        self.call_method_of(table, Method::Table(TableMethod::GroupBy), shape, &values)
    }

    /// `callee(*list, **dict)`; with a method, that of the object.
    pub(super) fn call_spread(
        &mut self,
        callee: &Value<S>,
        method: Option<Method>,
        list: &Value<S>,
        dict: &Value<S>,
    ) -> Result<Outcome<Value<S>>, Stop> {
        let Value::Dict(dict) = dict else { return Ok(Ok(Value::Poison)) };
        let mut values = match self.spread_arguments(list) {
            Ok(values) => values,
            Err(fault) => return Ok(Err(fault)),
        };
        let positional = values.len();
        let mut keywords = Vec::new();
        for (key, value) in &self.state.heap.dict(*dict).entries {
            let Value::Text(name) = key else {
                return Ok(Err(Fault::new(Code::BadArgument, "the names of arguments are strings")));
            };
            keywords.push(self.state.heap.text(*name).to_owned());
            values.push(value.clone());
        }
        let shape = shape_of(positional, keywords, self.state.span);
        match method {
            Some(method) => self.call_method_of(callee, method, &shape, &values),
            None => self.call_value(callee, &shape, values),
        }
    }

    fn name_of(&self, name: &Value<S>) -> String {
        match name {
            Value::Text(text) => self.state.heap.text(*text).to_owned(),
            _ => String::new(),
        }
    }
}

/// Whether a table is grouped by an object, such as `pd.Grouper(…)`.
pub(super) fn is_grouped_by_object<S: Scalar>(state: &State<S>, method: Method, values: &[Value<S>]) -> bool {
    if method != Method::Table(TableMethod::GroupBy) {
        return false;
    }
    match values {
        [Value::Object(..), ..] => true,
        [Value::List(handle), ..] => {
            state.heap.sequence(*handle).iter().any(|value| matches!(value, Value::Object(..)))
        }
        _ => false,
    }
}

/// The shape of a call whose arguments stand nowhere by themselves.
fn shape_of(positional: usize, keywords: Vec<String>, span: Span) -> CallShape {
    let spans = vec![span; positional + keywords.len()];
    CallShape { positional: positional as u32, keywords, spans, subject: String::new(), names: Vec::new() }
}

fn depends_on_choices() -> Box<Fault> {
    let hint = "choose between the numbers that are in it";
    Fault::hinted(Code::RandomIndex, "which object this is depends on a random value", hint)
}

fn unknown_attribute(program: &Program, class: &str, name: &str, known: &[String]) -> Box<Fault> {
    if class == "_SameLabels" {
        let message = format!("`{name}` of a table with possibly duplicate labels is not supported");
        return Fault::hinted(Code::UnknownFunction, message, "group by the column instead: `p.groupby(\"x\")`");
    }
    let known_names = known.iter().map(String::as_str).filter(|known| !known.starts_with('_'));
    let is_written = program.classes.iter().any(|known| known.name == class && known.is_written);
    let message = match is_written {
        true => format!("`{name}` of this `{class}` is not linear in the secret, or not known"),
        false => format!("objects of `{class}` have no `{name}`"),
    };
    let hint = match (nearest(name, known_names.clone()), is_written) {
        (Some(near), false) => format!("did you mean `{near}`?"),
        _ => format!("known are {}", known_names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    };
    Fault::hinted(if is_written { Code::NonlinearFunction } else { Code::UnknownFunction }, message, hint)
}

fn may_hold_records<S>(value: &Value<S>) -> bool {
    matches!(value, Value::Object(..) | Value::List(_) | Value::Tuple(_) | Value::Dict(_))
}

fn is_table<S>(value: &Value<S>) -> bool {
    matches!(value, Value::Series(_) | Value::Frame(_) | Value::Groups(_) | Value::Loc(_))
}
