//! Compiling calls and attributes.

use ruff_python_ast::{Arguments, Expr, ExprAttribute, ExprCall};
use ruff_text_size::{Ranged, TextRange};

use super::arguments::Taken;
use super::builtin::{Builtin, PriorLaw};
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};
use super::lambdas::FunctionValue;
use super::library::PandasFunction;
use super::methods::{METHODS, Method};
use super::modules::{Member, Module};
use super::stars::has_stars;
use super::statements::is_distribution;
use super::tables::{TABLE_METHODS, TableMethod, TextMethod};
use super::written::Found;
use super::{DefaultValue, FunctionId, Literal};
use crate::diagnostic::{Code, listed, nearest};

fn is_called(keyword: &ruff_python_ast::Keyword, name: &str) -> bool {
    keyword.arg.as_ref().is_some_and(|known| known.as_str() == name)
}

/// More names than these are not listed in a hint.
const MAX_SHOWN_NAMES: usize = 12;

impl Body<'_, '_> {
    pub(super) fn call(&mut self, call: &ExprCall, to: Option<Register>) -> Operand {
        self.refuse_generator_call(call);
        match &*call.func {
            Expr::Name(name) => {
                let text = name.id.as_str();
                if let Some(member) = self.enum_call(call, to) {
                    return member;
                }
                if self.variable(text).is_none() && !self.checker.names.globals.contains_key(text) {
                    if let Some(id) = self.checker.names.functions.get(text).copied() {
                        return self.call_function(id, call, to, None);
                    }
                    if let Some(id) = self.checker.names.classes.get(text).copied() {
                        return self.call_class(id, call);
                    }
                    let has_default = call.arguments.keywords.iter().any(|keyword| is_called(keyword, "default"));
                    if let ("max" | "min", true, [_]) = (text, has_default, &*call.arguments.args)
                        && let Some(Found::Function(id)) = self.checker.found_written("builtins", &format!("_{text}"))
                    {
                        return self.call_function(id, call, to, None);
                    }
                    let is_strict = call.arguments.keywords.iter().any(|keyword| is_called(keyword, "strict"));
                    if text == "zip"
                        && is_strict
                        && let Some(Found::Function(id)) = self.checker.found_written("builtins", "_zip")
                    {
                        return self.call_function(id, call, to, None);
                    }
                    if let Some(id) = self.bounded_queue(call) {
                        return self.call_function(id, call, to, None);
                    }
                    if let Some(Member::Function(builtin)) = self.checker.builtin_named(text) {
                        if builtin == Builtin::Format
                            && let Some(shown) = self.format_call(call, to)
                        {
                            return shown;
                        }
                        if builtin == Builtin::Next
                            && let Some(first) = self.first_of_new_iterator(call)
                        {
                            return self.call_builtin(builtin, &first, to);
                        }
                        return self.call_builtin(builtin, call, to);
                    }
                    if let ("isinstance", [value, types], true) =
                        (text, &*call.arguments.args, call.arguments.keywords.is_empty())
                    {
                        return self.is_instance(value, types, call, to);
                    }
                    if text == "slice"
                        && let Some(bounds) = self.slice_call(call)
                    {
                        return bounds;
                    }
                    if text == "repr"
                        && let Some(shown) = self.repr_call(call, to)
                    {
                        return shown;
                    }
                    if self.checker.names.refused.contains(text) {
                        return self.literal(Literal::None);
                    }
                    if let Some(law) = PriorLaw::named(text).filter(|_| self.checker.in_column_prior) {
                        return self.call_builtin(Builtin::PriorLaw(law), call, to);
                    }
                    if is_distribution(text) {
                        self.unknown_distribution(text, name);
                        return self.literal(Literal::None);
                    }
                    match self.checker.found_written("builtins", text) {
                        Some(Found::Function(id)) => return self.call_function(id, call, to, None),
                        Some(Found::Class(id)) => return self.call_class(id, call),
                        Some(Found::Member(_) | Found::Constant(_)) | None => {}
                    }
                    let message = format!("there is no function `{text}`");
                    let hint = match text {
                        "getattr" => "write the attribute itself, or its name as a string in the call".to_owned(),
                        _ => self.which_function(text),
                    };
                    self.refuse(Code::UnknownFunction, name, message, hint);
                } else {
                    return self.call_value(call, to);
                }
            }
            Expr::Attribute(attribute) => {
                if attribute.attr.as_str() == "format"
                    && let Some(shown) = self.brace_format(&attribute.value, &call.arguments, to)
                {
                    return shown;
                }
                if let Some(value) = self.call_super(attribute, call, to) {
                    return value;
                }
                if let Some(value) = self.call_class_function(attribute, call, to) {
                    return value;
                }
                if let Some(value) = self.call_of_type(attribute, call, to) {
                    return value;
                }
                if self.is_unknown_module(&attribute.value) {
                    return self.literal(Literal::None);
                }
                if let Some(id) = self.bounded_queue(call) {
                    return self.call_function(id, call, to, None);
                }
                if let Some(module) = self.module_of(&attribute.value) {
                    match self.checker.found_in(module, &attribute.attr) {
                        Some(Found::Member(Member::Function(builtin))) => return self.call_builtin(builtin, call, to),
                        Some(Found::Function(id)) => return self.call_function(id, call, to, None),
                        Some(Found::Class(id)) => return self.call_class(id, call),
                        Some(Found::Member(Member::Constant(_)) | Found::Constant(_)) => {
                            let message = format!("`{}` is a number", attribute.attr);
                            self.refuse(Code::UnknownFunction, attribute, message, "remove the parentheses");
                        }
                        None => self.unknown_member(module, &attribute.attr, attribute),
                    }
                } else if let Some(operand) = self.at_the_left_end(attribute, call, to) {
                    return operand;
                } else if let Some(rows) = self.query(attribute, call, to) {
                    return rows;
                } else if let Some(value) = self.evaluated(attribute, call, to) {
                    return value;
                } else {
                    match self.method_named(&attribute.attr) {
                        method if self.is_member(&attribute.attr) => {
                            match method {
                                Some(_) => _ = self.checker.note_table_method(&attribute.attr),
                                None => self.checker.note_written_method(&attribute.attr),
                            }
                            return self.call_member(method, attribute, call, to);
                        }
                        // Where the method of a thing is not known, or not with these arguments, that which is written in
                        // the language is called. What is written there calls the others itself.
                        method @ Some(_)
                            if !self.checker.in_written
                                && !has_stars(&call.arguments)
                                && self.checker.note_table_method(&attribute.attr) =>
                        {
                            return self.call_member(method, attribute, call, to);
                        }
                        Some(method) => {
                            return self.call_method(method, attribute, &call.arguments, call.range(), to);
                        }
                        None if let Some(id) = self.checker.written_method(&attribute.attr) => {
                            let object = self.expression(&attribute.value, None);
                            return self.call_function(id, call, to, Some(object));
                        }
                        None => self.unknown_attribute(attribute, &self.method_names()),
                    }
                }
            }
            _ => return self.call_value(call, to),
        }
        self.literal(Literal::None)
    }

    /// `str.strip(text)` is `text.strip()`; `dict.fromkeys(keys)` is a function.
    fn call_of_type(&mut self, attribute: &ExprAttribute, call: &ExprCall, to: Option<Register>) -> Option<Operand> {
        const TYPES: &[&str] = &["bool", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"];
        let Expr::Name(name) = &*attribute.value else { return None };
        let names = &self.checker.names;
        let text = name.id.as_str();
        let is_own = names.globals.contains_key(text) || names.modules.contains_key(text);
        let is_own = is_own || names.functions.contains_key(text) || names.classes.contains_key(text);
        if !TYPES.contains(&text) || is_own || self.variable(text).is_some() {
            return None;
        }
        if let ("dict", "fromkeys") = (text, attribute.attr.as_str())
            && let Some(Found::Function(id)) = self.checker.found_written("builtins", "_fromkeys")
        {
            return Some(self.call_function(id, call, to, None));
        }
        let object = call.arguments.args.first().filter(|first| !matches!(first, Expr::Starred(_)));
        let method = attribute.attr.as_str();
        let is_method = self.method_named(method).is_some() || self.checker.written_method(method).is_some();
        let Some(object) = object.filter(|_| is_method) else {
            self.unknown_attribute(attribute, &self.method_names());
            return Some(self.literal(Literal::None));
        };
        let mut method = call.clone();
        let mut arguments = method.arguments.args.to_vec();
        arguments.remove(0);
        method.arguments.args = arguments.into_boxed_slice();
        *method.func = Expr::Attribute(ExprAttribute { value: Box::new(object.clone()), ..attribute.clone() });
        Some(self.call(&method, to))
    }

    /// `deque(values, maxlen=n)`: the function that makes a queue of at most so many elements.
    fn bounded_queue(&mut self, call: &ExprCall) -> Option<FunctionId> {
        let member = match &*call.func {
            Expr::Name(name) if name.id.as_str() != "list" => self.checker.builtin_named(&name.id),
            Expr::Attribute(attribute) => self.module_of(&attribute.value).and_then(|of| of.member(&attribute.attr)),
            _ => None,
        };
        if !is_bounded(&call.arguments) || member != Some(Member::Function(Builtin::List)) {
            return None;
        }
        match self.checker.found_written("collections", "_queue") {
            Some(Found::Function(id)) => Some(id),
            Some(Found::Class(_) | Found::Member(_) | Found::Constant(_)) | None => None,
        }
    }

    /// Whether an expression is the name of a module.
    pub(super) fn is_module_name(&self, tree: &Expr) -> bool {
        self.module_of(tree).is_some()
    }

    /// Whether Python computes what a call gives only when somebody asks for it.
    pub(super) fn is_lazy_call(&self, call: &ExprCall) -> bool {
        let builtin = match &*call.func {
            Expr::Name(name) if self.variable(&name.id).is_none() => self.checker.builtin_named(&name.id),
            Expr::Attribute(attribute) => self.module_of(&attribute.value).and_then(|of| of.member(&attribute.attr)),
            _ => None,
        };
        let is_lazy = |tree: &Expr| matches!(tree, Expr::Call(inner) if self.is_lazy_call(inner));
        match builtin {
            Some(Member::Function(builtin)) if builtin.waits() => true,
            Some(Member::Function(Builtin::Enumerate | Builtin::Zip)) => call.arguments.args.iter().any(is_lazy),
            _ => false,
        }
    }

    /// The module that an expression names, such as the `np` of `np.mean`.
    pub(super) fn module_of(&self, tree: &Expr) -> Option<Module> {
        let name = match tree {
            Expr::Name(name) => name,
            Expr::Attribute(attribute) => return self.module_of(&attribute.value)?.submodule(&attribute.attr),
            _ => return None,
        };
        if self.variable(&name.id).is_some() {
            return None;
        }
        self.checker.names.modules.get(name.id.as_str()).copied()
    }

    /// Whether the root of `np.random.normal` stands for nothing, or for a part of a module that is not known; says so.
    pub(super) fn is_unknown_module(&mut self, tree: &Expr) -> bool {
        match tree {
            Expr::Attribute(inner) => match self.module_of(&inner.value) {
                Some(module) if module.submodule(&inner.attr).is_some() => false,
                // A constant has methods.
                Some(module) if matches!(module.member(&inner.attr), Some(Member::Constant(_))) => false,
                Some(module) => {
                    self.unknown_member(module, &inner.attr, inner);
                    true
                }
                None => self.is_unknown_module(&inner.value),
            },
            Expr::Name(name) => {
                let text = name.id.as_str();
                let known = self.variable(text).is_some()
                    || self.checker.names.globals.contains_key(text)
                    || self.checker.names.modules.contains_key(text)
                    || matches!(self.checker.names.imported.get(text), Some(Member::Constant(_)));
                if !known {
                    self.expression(tree, None);
                }
                !known
            }
            _ => false,
        }
    }

    /// `next(iter(xs))` as `next(list(xs))`: nobody else has that iterator, and what is first is asked of a list in each
    /// world.
    fn first_of_new_iterator(&self, call: &ExprCall) -> Option<ExprCall> {
        let [Expr::Call(inner), ..] = &*call.arguments.args else { return None };
        let Expr::Name(function) = &*inner.func else { return None };
        let is_python = |name: &str| {
            self.variable(name).is_none()
                && !self.checker.names.functions.contains_key(name)
                && !self.checker.names.imported.contains_key(name)
        };
        let is_plain = inner.arguments.args.len() == 1 && inner.arguments.keywords.is_empty();
        if function.id.as_str() != "iter" || !is_plain || !is_python("iter") || !is_python("list") {
            return None;
        }
        let mut first = call.clone();
        if let Some(Expr::Call(inner)) = first.arguments.args.first_mut()
            && let Expr::Name(function) = &mut *inner.func
        {
            function.id = "list".into();
        }
        Some(first)
    }

    /// A method that can be called here.
    fn method_named(&self, name: &str) -> Option<Method> {
        let ordinary = METHODS.iter().find(|(known, _)| *known == name).map(|(_, method)| *method);
        let of_tables = || TABLE_METHODS.iter().find(|(known, _)| *known == name).map(|(_, method)| *method);
        ordinary.or_else(|| of_tables().filter(|_| self.checker.tables).map(Method::Table))
    }

    fn method_names(&self) -> Vec<&'static str> {
        let of_tables = TABLE_METHODS.iter().filter(|_| self.checker.tables).map(|(name, _)| *name);
        METHODS.iter().map(|(name, _)| *name).chain(of_tables).collect()
    }

    pub(super) fn unknown_attribute(&mut self, attribute: &ExprAttribute, known: &[&'static str]) {
        let name = attribute.attr.as_str();
        let message = format!("`.{name}` is not supported here");
        let hint = match nearest(name, known.iter().copied()) {
            _ if name == "explode" => "a column of lists is not known here: run the script with `--live`".to_owned(),
            Some(near) => format!("did you mean `.{near}`?"),
            None if known.len() > MAX_SHOWN_NAMES => "the language page lists the supported methods".to_owned(),
            None => {
                let names: Vec<String> = known.iter().map(|name| format!("`.{name}`")).collect();
                format!("known are {}", names.join(", "))
            }
        };
        self.refuse(Code::Attribute, &attribute.attr, message, hint);
    }

    /// A call to a function of the file: the arguments are put in the order of its parameters here and now.
    pub(super) fn call_function(
        &mut self,
        id: FunctionId,
        call: &ExprCall,
        to: Option<Register>,
        object: Option<Operand>,
    ) -> Operand {
        let span = self.span(call.range());
        let Some(signature) = self.checker.signatures.get(&id) else { return self.literal(Literal::None) };
        if signature.starred || has_stars(&call.arguments) {
            let callee = self.function_value(FunctionValue::OfFile(id), call, None);
            return self.call_spread(callee, None, (object, &call.arguments), call.range(), to);
        }
        let parameters = signature.parameters.clone();
        let first = self.temporaries(parameters.len() as u32);
        let mut given = vec![false; parameters.len()];
        let mut misnamed = false;
        let positional = parameters.iter().filter(|parameter| !parameter.keyword_only).count();
        let before = usize::from(object.is_some());
        if let (Some(object), false) = (object, given.is_empty()) {
            given[0] = true;
            self.emit(Instruction::Move { to: first, from: object }, span);
        }
        for (index, argument) in call.arguments.args.iter().enumerate() {
            let index = index + before;
            if index >= positional {
                let positional = positional.saturating_sub(before);
                let message = format!("the function takes {positional} positional arguments");
                self.refuse(Code::WrongArguments, argument, message, "remove the argument");
                return self.literal(Literal::None);
            }
            given[index] = true;
            self.argument_into(argument, first + index as u32);
        }
        for keyword in &call.arguments.keywords {
            let name = keyword.arg.as_ref().map_or("", |name| name.as_str());
            match parameters.iter().position(|parameter| parameter.name == name) {
                Some(index) if !given[index] => {
                    given[index] = true;
                    self.expression_into(&keyword.value, first + index as u32);
                }
                Some(_) => {
                    let message = format!("`{name}` is given twice");
                    self.refuse(Code::WrongArguments, keyword, message, "remove one of the two");
                }
                None => {
                    misnamed = true;
                    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
                    let hint = match nearest(name, names.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None if names.is_empty() => "it has none".to_owned(),
                        None => listed("its only parameter is", "its parameters are", &names),
                    };
                    self.refuse(Code::WrongArguments, keyword, format!("there is no parameter `{name}`"), hint);
                }
            }
        }
        for (index, parameter) in parameters.iter().enumerate().filter(|(index, _)| !given[*index]) {
            match parameter.default {
                Some(DefaultValue::Module(global)) => {
                    self.emit(Instruction::LoadGlobal { to: first + index as u32, global }, span);
                }
                Some(DefaultValue::Literal(from)) => {
                    self.emit(Instruction::Move { to: first + index as u32, from }, span);
                }
                // Only functions inside others have them, which are called as values.
                Some(DefaultValue::Seen(_)) => {}
                // The misspelt one was probably meant.
                None if misnamed => {}
                None => {
                    let message = format!("the argument `{}` is missing", parameter.name);
                    self.refuse(Code::WrongArguments, call, message, "give it a value");
                }
            }
        }
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::Call { to, function: id, first }, span);
        Operand::register(to)
    }

    /// An argument of a function of the file: a generator is an iterator there.
    fn argument_into(&mut self, argument: &Expr, register: Register) {
        let Expr::Generator(generator) = argument else { return self.expression_into(argument, register) };
        let list = self.list_comprehension(&generator.elt, &generator.generators, argument.range());
        let span = self.span(argument.range());
        self.emit(Instruction::MakeIterator { list }, span);
        self.emit(Instruction::Move { to: register, from: Operand::register(list) }, span);
    }

    fn call_builtin(&mut self, builtin: Builtin, call: &ExprCall, to: Option<Register>) -> Operand {
        if self.refuse_lazy(builtin, call) {
            return self.literal(Literal::None);
        }
        if builtin == Builtin::Print {
            return self.call_print(call, to);
        }
        if has_stars(&call.arguments) {
            let callee = self.builtin_operand(builtin, call.range());
            return self.call_spread(callee, None, (None, &call.arguments), call.range(), to);
        }
        let is_script = self.is_module() || self.checker.declared == 0;
        if matches!(builtin, Builtin::Pandas(PandasFunction::Read)) {
            self.checker.reads_tables |= is_script;
            self.checker.reads_in_functions = true;
        }
        let names_a_variable = matches!(builtin, Builtin::Condition | Builtin::Observe);
        let span = self.span(call.range());
        let taken = Taken {
            names_a_variable,
            generators: builtin.consumes(),
            // What numbers or pairs the elements of an iterator asks for them when it is asked.
            waits: builtin.waits()
                || (matches!(builtin, Builtin::Enumerate | Builtin::Zip) && std::mem::take(&mut self.is_consumed)),
            types: false,
            calls: builtin.calls(),
        };
        match self.arguments(&call.arguments, 0, taken) {
            Some((first, shape)) => {
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::CallBuiltin { to, builtin, shape, first }, span);
                if builtin.only_reads() && call.arguments.args.first().is_some_and(makes_a_list) {
                    self.emit(Instruction::Forget { list: first }, span);
                }
                Operand::register(to)
            }
            None => self.literal(Literal::None),
        }
    }

    pub(super) fn call_method(
        &mut self,
        method: Method,
        attribute: &ExprAttribute,
        arguments: &Arguments,
        at: TextRange,
        to: Option<Register>,
    ) -> Operand {
        let span = self.span(at);
        let object = self.expression(&attribute.value, None);
        if has_stars(arguments) {
            return self.call_spread(object, Some(method), (None, arguments), at, to);
        }
        let taken = Taken {
            names_a_variable: false,
            generators: matches!(method, Method::Extend | Method::Update | Method::Text(TextMethod::Join)),
            waits: false,
            types: takes_type(method),
            calls: method.calls(),
        };
        match self.arguments(arguments, 1, taken) {
            Some((first, shape)) => {
                self.emit(Instruction::Move { to: first, from: object }, span);
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::CallMethod { to, method, shape, first }, span);
                Operand::register(to)
            }
            None => self.literal(Literal::None),
        }
    }

    /// `object.name(...)`, where objects may have something of that name.
    fn call_member(
        &mut self,
        method: Option<Method>,
        attribute: &ExprAttribute,
        call: &ExprCall,
        to: Option<Register>,
    ) -> Operand {
        let span = self.span(call.range());
        let object = self.expression(&attribute.value, None);
        let name = self.literal(Literal::Text(attribute.attr.to_string()));
        if has_stars(&call.arguments) {
            let callee = self.temporary();
            self.emit(Instruction::Member { to: callee, object, name, method: None }, span);
            return self.call_spread(Operand::register(callee), None, (None, &call.arguments), call.range(), to);
        }
        let types = method.is_some_and(takes_type);
        let calls = method.is_some_and(Method::calls);
        let taken = Taken { names_a_variable: false, generators: false, waits: false, types, calls };
        match self.arguments(&call.arguments, 1, taken) {
            Some((first, shape)) => {
                self.emit(Instruction::Move { to: first, from: object }, span);
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::CallMember { to, name, method, shape, first }, span);
                Operand::register(to)
            }
            None => self.literal(Literal::None),
        }
    }
}

/// Whether the value of an expression is a list of its own, or nothing that could be freed.
fn makes_a_list(tree: &Expr) -> bool {
    match tree {
        Expr::ListComp(_) | Expr::Generator(_) => true,
        Expr::Subscript(subscript) => matches!(&*subscript.slice, Expr::Slice(_)),
        _ => false,
    }
}

/// Whether a method is told of which type its result is: `astype(float)`, `to_numpy(float)`.
fn takes_type(method: Method) -> bool {
    matches!(method, Method::AsType | Method::Table(TableMethod::WithoutIndex))
}

/// Whether arguments say how many elements a queue keeps.
pub(super) fn is_bounded(arguments: &Arguments) -> bool {
    arguments.args.len() == 2 || arguments.keywords.iter().any(|keyword| is_called(keyword, "maxlen"))
}
