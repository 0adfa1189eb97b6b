//! Compiling classes: their functions, what their objects share, and records (`@dataclass`, `namedtuple`).

use std::collections::HashSet;

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Decorator, Expr, ExprAttribute, ExprCall, Stmt, StmtAssign, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::check::{Checker, Signature};
use super::functions::{Body, Mentioned};
use super::instruction::{Instruction, Operand, Register};
use super::special::is_special;
use super::written::Found;
use super::{Class, ClassId, DefaultValue, FOR_OBJECTS, FunctionId, Literal, MethodKind, Parameter, ResultName};
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::Origin;

impl Checker<'_> {
    /// Makes the classes of a file known, so that functions can make objects of them.
    pub(super) fn declare_classes(&mut self, origin: Origin, statements: &[Stmt]) {
        for statement in statements {
            match statement {
                Stmt::ClassDef(definition) if self.declare_exception(definition) || self.declare_enum(definition) => {}
                Stmt::ClassDef(definition) => self.declare_class(origin, definition),
                Stmt::Assign(assign) => {
                    if let Some((name, fields)) = named_tuple(assign) {
                        let span = origin.span(assign.range);
                        self.declare_record(name, fields, true, span);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_class(&mut self, origin: Origin, definition: &StmtClassDef) {
        let span = origin.span(definition.name.range());
        let parent = self.inherits_from(definition);
        let inherited = parent.map(|parent| self.program.classes[parent.0 as usize].clone());
        let is_tuple = bases(definition).any(|base| is_named(base, "NamedTuple"));
        let is_record = is_tuple || definition.decorator_list.iter().any(|decorator| names(decorator, "dataclass"));
        let mut class = Class {
            name: definition.name.to_string(),
            methods: Vec::new(),
            constants: Vec::new(),
            fields: is_record
                .then(|| inherited.iter().flat_map(|from| from.fields.iter().flatten()).cloned().collect()),
            is_tuple,
            is_compared: is_record && !is_tuple && !says(definition, "eq", false),
            is_ordered: is_record && !is_tuple && says(definition, "order", true),
            is_frozen: is_tuple || says(definition, "frozen", true),
            parent,
            is_written: self.in_written && !self.in_asked,
        };
        for statement in &definition.body {
            match statement {
                Stmt::FunctionDef(method) => {
                    let id = self.declare_method(origin, method);
                    let kind = match method.decorator_list.as_slice() {
                        [only] if names(only, "staticmethod") => MethodKind::Static,
                        [only] if names(only, "classmethod") => MethodKind::Class,
                        [only] if names(only, "property") => MethodKind::Property,
                        _ => MethodKind::Bound,
                    };
                    self.members.insert(method.name.to_string());
                    self.members.extend(attributes_set(method));
                    class.methods.push((method.name.to_string(), kind, id));
                }
                Stmt::AnnAssign(field) => {
                    if let (Expr::Name(name), Some(fields)) = (&*field.target, &mut class.fields) {
                        self.members.insert(name.id.to_string());
                        if !fields.iter().any(|known| *known == *name.id) {
                            fields.push(name.id.to_string());
                        }
                    } else if let Expr::Name(name) = &*field.target {
                        self.members.insert(name.id.to_string());
                    }
                }
                Stmt::Assign(constant) => {
                    if let Some((name, method)) = other_name(constant)
                        && let Some((kind, id)) = class.method(method)
                    {
                        class.methods.push((name.to_owned(), kind, id));
                    }
                    self.members.extend(constant.targets.iter().flat_map(super::bindings::target_names));
                }
                // Whatever else stands there is refused when the class is compiled.
                _ => {}
            }
        }
        if let Some(fields) = class.fields.clone()
            && class.method("__init__").is_none()
        {
            let after = class.method("__post_init__").map(|(_, id)| id);
            let init = self.record_init(&fields, after, span);
            class.methods.push(("__init__".to_owned(), MethodKind::Bound, init));
        }
        if let Some(from) = inherited {
            let (is_tuple, fields) = (from.is_tuple, from.fields);
            for (name, kind, id) in from.methods {
                if class.method(&name).is_none() {
                    class.methods.push((name, kind, id));
                }
            }
            class.is_tuple |= is_tuple;
            class.is_compared |= from.is_compared && !is_record;
            class.is_ordered |= from.is_ordered;
            class.is_frozen |= from.is_frozen;
            class.fields = class.fields.or(fields);
        }
        self.add_class(class, span);
    }

    /// The class of the file that a class inherits from, if it is one and stands before it.
    fn inherits_from(&self, definition: &StmtClassDef) -> Option<ClassId> {
        let known = |base: &Expr| match base {
            Expr::Name(name) => self.names.classes.get(name.id.as_str()).copied(),
            _ => None,
        };
        bases(definition).find_map(known)
    }

    fn add_class(&mut self, class: Class, span: Span) -> ClassId {
        let id = ClassId(self.program.classes.len() as u32);
        if self.names.classes.contains_key(&class.name) || self.names.functions.contains_key(&class.name) {
            let error = self.error(Code::DefinedTwice, span, format!("`{}` is defined twice", class.name));
            error.hint = Some("rename one of them".to_owned());
        }
        self.names.classes.insert(class.name.clone(), id);
        if class.fields.is_some() {
            self.members.extend(["_replace", "_asdict", "_fields"].map(str::to_owned));
        }
        self.program.classes.push(class);
        if !self.in_written || self.in_asked {
            self.note_functions_for_objects();
        }
        id
    }

    /// Makes the functions known that are called for objects in a list.
    fn note_functions_for_objects(&mut self) {
        for name in FOR_OBJECTS {
            if !self.program.written_methods.iter().any(|(known, _)| known == name)
                && let Some(Found::Function(function)) = self.found_written("builtins", name)
            {
                self.program.written_methods.push((name.to_owned(), function));
            }
        }
    }

    /// `Point = namedtuple("Point", ["x", "y"])`
    fn declare_record(&mut self, name: &str, fields: Vec<String>, is_tuple: bool, span: Span) {
        self.members.extend(fields.iter().cloned());
        let init = self.record_init(&fields, None, span);
        let methods = vec![("__init__".to_owned(), MethodKind::Bound, init)];
        let is_written = self.in_written && !self.in_asked;
        let class = Class {
            name: name.to_owned(),
            methods,
            constants: Vec::new(),
            fields: Some(fields),
            is_tuple,
            is_compared: !is_tuple,
            is_ordered: false,
            is_frozen: is_tuple,
            parent: None,
            is_written,
        };
        self.add_class(class, span);
    }

    /// The function that puts the parts of a record in their places, and then calls another of its functions.
    fn record_init(&mut self, fields: &[String], after: Option<FunctionId>, span: Span) -> FunctionId {
        let names: Vec<String> = std::iter::once("self".to_owned()).chain(fields.iter().cloned()).collect();
        let parameter = |name: &String| Parameter { name: name.clone(), span, default: None, keyword_only: false };
        let parameters: Vec<Parameter> = names.iter().map(parameter).collect();
        let mut body = Body::inner(self, Origin { source: span.source, offset: span.start }, names);
        for (field, register) in fields.iter().zip(1..) {
            let name = body.literal(Literal::Text(field.clone()));
            let (object, value) = (Operand::register(0), Operand::register(register));
            body.emit(Instruction::SetAttribute { object, name, value }, span);
        }
        if let Some(function) = after {
            let first = body.temporary();
            let to = body.temporary();
            body.emit(Instruction::Move { to: first, from: Operand::register(0) }, span);
            body.emit(Instruction::Call { to, function, first }, span);
        }
        let nothing = body.literal(Literal::None);
        body.return_value(nothing, ResultName::Text("return".to_owned()), span);
        let function = body.finish("__init__", span, parameters.clone());
        let id = self.add_inner(function);
        self.signatures.insert(id, Signature { parameters, span, starred: false });
        id
    }

    fn declare_method(&mut self, origin: Origin, definition: &StmtFunctionDef) -> FunctionId {
        let signature = self.signature(origin, definition);
        let placeholder = self.empty_function(&definition.name, signature.span);
        let id = self.add_inner(placeholder);
        self.signatures.insert(id, signature);
        id
    }

    /// Compiles the functions of classes, when the defaults of all functions are known.
    pub(super) fn compile_methods(&mut self, origin: Origin, statements: &[Stmt]) {
        for statement in statements {
            let Stmt::ClassDef(definition) = statement else { continue };
            let Some(class) = self.names.classes.get(definition.name.as_str()).copied() else { continue };
            let outer = self.within.replace(class);
            for statement in &definition.body {
                let Stmt::FunctionDef(method) = statement else { continue };
                if let Some((_, id)) = self.program.classes[class.0 as usize].method(&method.name) {
                    self.compile(origin, method, id);
                }
            }
            self.within = outer;
        }
    }
}

impl Body<'_, '_> {
    /// `class C: …`: what its objects share, and the defaults of its functions, are computed here.
    pub(super) fn class_definition(&mut self, definition: &StmtClassDef) {
        if !self.is_module() {
            self.refuse(Code::Class, &definition.name, "a class inside a function", "move it to the top level");
            return;
        }
        let Some(id) = self.checker.names.classes.get(definition.name.as_str()).copied() else { return };
        let known = ["object", "ABC", "NamedTuple", "Protocol"];
        let parent = self.checker.program.classes[id.0 as usize].parent;
        let mut others = bases(definition).filter(|base| !known.iter().any(|name| is_named(base, name)));
        match (others.next(), others.next(), parent) {
            (_, Some(second), _) => {
                let hint = "inherit from one class, and call functions of the other";
                self.refuse(Code::Class, second, "inheritance from several classes is not supported", hint);
            }
            (Some(base), None, None) => {
                let hint = "inherit from a class that stands before it in this file";
                self.refuse(Code::Class, base, "inheritance from this is not supported", hint);
            }
            (Some(_) | None, None, _) => {}
        }
        // What objects of the other class share, these share too, unless it is written anew.
        let own: HashSet<&str> = definition.body.iter().filter_map(bound_in_class).collect();
        let inherited =
            parent.map_or(Vec::new(), |parent| self.checker.program.classes[parent.0 as usize].constants.clone());
        for (name, register) in inherited.iter().filter(|(name, _)| !own.contains(name.as_str())) {
            self.shared(id, name, *register);
        }
        for decorator in &definition.decorator_list {
            if !names(decorator, "dataclass") {
                self.refuse_construct(Code::Decorator, decorator, "remove it");
            }
        }
        let mut own: HashSet<String> = HashSet::new();
        for statement in &definition.body {
            if let Some(name) = bound_in_class(statement)
                && !own.insert(name.to_owned())
            {
                let message = format!("`{name}` is defined twice in the class");
                self.refuse(Code::DefinedTwice, statement, message, "rename one of the two");
            }
            if let Stmt::Assign(assign) = statement
                && let Some((name, method)) = other_name(assign)
                && own.contains(method)
                && let class = &self.checker.program.classes[id.0 as usize]
                && class.method(method).is_some()
                && class.method(name) == class.method(method)
            {
                if name.starts_with("__") && !is_special(name) {
                    self.refuse_construct(Code::Class, statement, "write a function");
                }
                continue;
            }
            self.refuse_own_names(statement, &own);
            match statement {
                Stmt::FunctionDef(method) => self.method_definition(method, id),
                Stmt::AnnAssign(field) => {
                    let Expr::Name(name) = &*field.target else {
                        self.refuse_construct(Code::Class, &*field.target, "name the field");
                        continue;
                    };
                    let Some(value) = &field.value else { continue };
                    let register = self.temporary();
                    self.expression_into(value, register);
                    self.shared(id, name.id.as_str(), register);
                }
                Stmt::Assign(constant) => {
                    let [Expr::Name(name)] = constant.targets.as_slice() else {
                        self.refuse_construct(Code::Class, constant, "assign one name at a time in a class");
                        continue;
                    };
                    let register = self.temporary();
                    self.expression_into(&constant.value, register);
                    self.shared(id, name.id.as_str(), register);
                }
                Stmt::Pass(_) => {}
                Stmt::Expr(text) if matches!(&*text.value, Expr::StringLiteral(_) | Expr::EllipsisLiteral(_)) => {}
                other => {
                    let hint = "a class may contain methods, constants and the fields of a `@dataclass`";
                    self.refuse(Code::Class, other, "this statement is not supported in a class", hint);
                }
            }
        }
    }

    /// What a class computes from its own names is not followed: these are no variables of the file.
    fn refuse_own_names(&mut self, statement: &Stmt, own: &HashSet<String>) {
        let mut mentioned = Mentioned::default();
        match statement {
            Stmt::Assign(constant) => mentioned.visit_expr(&constant.value),
            Stmt::AnnAssign(field) => field.value.iter().for_each(|value| mentioned.visit_expr(value)),
            Stmt::FunctionDef(method) => {
                let defaults = method.parameters.iter_non_variadic_params().filter_map(|each| each.default.as_deref());
                defaults.for_each(|default| mentioned.visit_expr(default));
            }
            // Everything else is refused as a whole, or is a text.
            _ => {}
        }
        if let Some(name) = mentioned.0.iter().filter(|name| own.contains(*name)).min() {
            let message = format!("`{name}` of the class is used where the class is defined");
            self.refuse(Code::Class, statement, message, "write it as a variable of the file");
        }
    }

    /// A constant of a class, or the default of a record's field.
    fn shared(&mut self, id: ClassId, name: &str, register: Register) {
        let class = &mut self.checker.program.classes[id.0 as usize];
        let is_field = class.fields.as_ref().is_some_and(|fields| fields.iter().any(|field| field == name));
        class.constants.push((name.to_owned(), register));
        let init = class.method("__init__").filter(|_| is_field);
        if let Some((_, init)) = init
            && let Some(signature) = self.checker.signatures.get_mut(&init)
        {
            let default = Some(DefaultValue::Module(register));
            let own = signature.parameters.iter_mut().filter(|parameter| parameter.name == name);
            own.for_each(|parameter| parameter.default = default);
            let compiled = &mut self.checker.program.functions[init.0 as usize];
            let own = compiled.parameters.iter_mut().filter(|parameter| parameter.name == name);
            own.for_each(|parameter| parameter.default = default);
        }
    }

    fn method_definition(&mut self, method: &StmtFunctionDef, class: ClassId) {
        let called = ["__init__", "__post_init__"];
        let name = method.name.as_str();
        if name == "__exit__" || name == "__enter__" {
            let message = format!("this `{name}` is not supported");
            let hint = "write both `__enter__` and `__exit__`, and test at most whether there was an exception; or call \
                        functions in their place";
            self.refuse(Code::With, &method.name, message, hint);
        } else if name.starts_with("__") && name.ends_with("__") && !called.contains(&name) && !is_special(name) {
            let message = format!("`{name}` is called by Python implicitly, which is not supported");
            self.refuse(Code::Class, &method.name, message, "rename it, and call it explicitly");
        } else if is_special(name) && !method.decorator_list.is_empty() {
            self.refuse_construct(Code::Decorator, &method.decorator_list[0], "remove it");
        }
        let known = ["staticmethod", "classmethod", "property", "abstractmethod"];
        for decorator in &method.decorator_list {
            if method.decorator_list.len() > 1 || !known.iter().any(|name| names(decorator, name)) {
                self.refuse_construct(Code::Decorator, decorator, "remove it");
            }
        }
        if method.decorator_list.iter().any(|decorator| names(decorator, "classmethod"))
            && !attributes_set(method).is_empty()
        {
            let hint = "keep it in an object, or in a variable of the file";
            self.refuse(Code::Class, &method.name, "a class attribute is changed by one of its methods", hint);
        }
        if method.is_async {
            self.refuse_construct(Code::Async, &method.name, "remove `async`");
        }
        if let Some((_, id)) = self.checker.program.classes[class.0 as usize].method(&method.name) {
            self.defaults(method, id);
        }
    }

    /// `C(...)`: a new object, which `__init__` fills.
    pub(super) fn call_class(&mut self, id: ClassId, call: &ExprCall) -> Operand {
        let span = self.span(call.range());
        let object = self.temporary();
        self.emit(Instruction::NewObject { to: object, class: id }, span);
        let class = &self.checker.program.classes[id.0 as usize];
        match class.method("__init__") {
            Some((_, init)) => {
                self.call_function(init, call, None, Some(Operand::register(object)));
            }
            None if call.arguments.is_empty() => {}
            None => {
                let message = format!("`{}` takes no arguments", class.name);
                self.refuse(Code::WrongArguments, call, message, "remove them, or write `__init__`");
            }
        }
        Operand::register(object)
    }

    /// `super().function(...)`: that of the class which the one under way inherits from.
    pub(super) fn call_super(
        &mut self,
        attribute: &ExprAttribute,
        call: &ExprCall,
        to: Option<Register>,
    ) -> Option<Operand> {
        let Expr::Call(above) = &*attribute.value else { return None };
        let Expr::Name(name) = &*above.func else { return None };
        let within = self.checker.within.filter(|_| name.id.as_str() == "super" && above.arguments.is_empty())?;
        let parent = self.checker.program.classes[within.0 as usize].parent;
        let found = parent.and_then(|parent| self.checker.program.classes[parent.0 as usize].method(&attribute.attr));
        let object = self.variable("self").or_else(|| self.variable("cls")).map(Operand::register)?;
        match found {
            Some((MethodKind::Bound | MethodKind::Class, function)) => {
                Some(self.call_function(function, call, to, Some(object)))
            }
            Some((MethodKind::Static, function)) => Some(self.call_function(function, call, to, None)),
            // Every object can be made.
            None if attribute.attr.as_str() == "__init__" && call.arguments.is_empty() => {
                Some(self.literal(Literal::None))
            }
            Some((MethodKind::Property, _)) | None => {
                let message = format!("the class above has no `{}`", attribute.attr);
                self.refuse(Code::UnknownFunction, attribute, message, "define it there");
                Some(self.literal(Literal::None))
            }
        }
    }

    /// The class of the file that an expression names.
    fn class_of(&self, tree: &Expr) -> Option<ClassId> {
        let Expr::Name(name) = tree else { return None };
        let text = name.id.as_str();
        let is_variable = self.variable(text).is_some() || self.checker.names.globals.contains_key(text);
        self.checker.names.classes.get(text).copied().filter(|_| !is_variable)
    }

    /// `C.CONSTANT`: what the objects of a class share.
    pub(super) fn class_constant(&mut self, attribute: &ExprAttribute, to: Option<Register>) -> Option<Operand> {
        let class = self.class_of(&attribute.value)?;
        let constants = &self.checker.program.classes[class.0 as usize].constants;
        let global = constants.iter().find(|(name, _)| *name == attribute.attr.as_str()).map(|(_, global)| *global)?;
        let span = self.span(attribute.range);
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::LoadGlobal { to, global }, span);
        Some(Operand::register(to))
    }

    /// `C.function(...)`: a function of the class, which is given an object without values in the place of the class.
    pub(super) fn call_class_function(
        &mut self,
        attribute: &ExprAttribute,
        call: &ExprCall,
        to: Option<Register>,
    ) -> Option<Operand> {
        let class = self.class_of(&attribute.value)?;
        let (kind, function) = self.checker.program.classes[class.0 as usize].method(&attribute.attr)?;
        let object = match kind {
            MethodKind::Static => None,
            MethodKind::Class => {
                let object = self.temporary();
                let span = self.span(call.range());
                self.emit(Instruction::NewObject { to: object, class }, span);
                Some(Operand::register(object))
            }
            // The object is the first argument.
            MethodKind::Bound => None,
            MethodKind::Property => return None,
        };
        Some(self.call_function(function, call, to, object))
    }

    /// `Point = namedtuple(...)` declares a class, and is no assignment.
    pub(super) fn is_record_declaration(&self, statement: &Stmt) -> bool {
        matches!(statement, Stmt::Assign(assign)
            if named_tuple(assign).is_some_and(|(name, _)| self.checker.names.classes.contains_key(name)))
    }

    /// Whether the program has classes, so that something may be one of their objects.
    pub(super) fn has_own_classes(&self) -> bool {
        self.checker.program.classes.iter().any(|class| !class.is_written)
    }

    /// `obj.name`, where `name` is something that objects may have.
    pub(super) fn is_member(&self, name: &str) -> bool {
        self.checker.members.contains(name)
    }
}

/// The name that a statement of a class gives a value to.
fn bound_in_class(statement: &Stmt) -> Option<&str> {
    let target = match statement {
        Stmt::FunctionDef(method) => return Some(method.name.as_str()),
        Stmt::Assign(constant) => constant.targets.first()?,
        Stmt::AnnAssign(field) => &*field.target,
        // Everything else binds no name, or is refused.
        _ => return None,
    };
    if let Expr::Name(name) = target { Some(name.id.as_str()) } else { None }
}

/// `__radd__ = __add__`: another name for a function of the class.
fn other_name(assign: &StmtAssign) -> Option<(&str, &str)> {
    match (assign.targets.as_slice(), &*assign.value) {
        ([Expr::Name(name)], Expr::Name(method)) => Some((name.id.as_str(), method.id.as_str())),
        _ => None,
    }
}

/// The classes that a class says it inherits from.
fn bases(definition: &StmtClassDef) -> impl Iterator<Item = &Expr> {
    definition.arguments.iter().flat_map(|arguments| arguments.args.iter())
}

/// Whether an expression is a name, perhaps of a module's member.
fn is_named(tree: &Expr, name: &str) -> bool {
    match tree {
        Expr::Name(known) => known.id.as_str() == name,
        Expr::Attribute(attribute) => attribute.attr.as_str() == name,
        _ => false,
    }
}

/// Whether `@dataclass(option=value)` says so.
fn says(definition: &StmtClassDef, option: &str, value: bool) -> bool {
    let decorators = definition.decorator_list.iter().filter(|decorator| names(decorator, "dataclass"));
    let calls = decorators.filter_map(|decorator| decorator.expression.as_call_expr());
    let mut options = calls.flat_map(|call| &call.arguments.keywords);
    options.any(|keyword| {
        keyword.arg.as_ref().is_some_and(|arg| arg == option)
            && matches!(&keyword.value, Expr::BooleanLiteral(literal) if literal.value == value)
    })
}

/// Whether a decorator is one of this name, with arguments or without.
pub(super) fn names(decorator: &Decorator, name: &str) -> bool {
    match &decorator.expression {
        Expr::Call(call) => is_named(&call.func, name),
        other => is_named(other, name),
    }
}

/// `Name = namedtuple("Name", ["a", "b"])`, also with the fields in one text.
fn named_tuple(assign: &StmtAssign) -> Option<(&str, Vec<String>)> {
    let [Expr::Name(name)] = assign.targets.as_slice() else { return None };
    let Expr::Call(call) = &*assign.value else { return None };
    if !is_named(&call.func, "namedtuple") || !call.arguments.keywords.is_empty() {
        return None;
    }
    let [_, fields] = &*call.arguments.args else { return None };
    let text = |tree: &Expr| match tree {
        Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
        _ => None,
    };
    let fields = match fields {
        Expr::List(list) => list.elts.iter().map(text).collect::<Option<Vec<_>>>()?,
        Expr::Tuple(tuple) => tuple.elts.iter().map(text).collect::<Option<Vec<_>>>()?,
        one => text(one)?.replace(',', " ").split_whitespace().map(str::to_owned).collect(),
    };
    Some((name.id.as_str(), fields))
}

/// The attributes that a function of a class gives its object.
fn attributes_set(method: &StmtFunctionDef) -> HashSet<String> {
    let own = method.parameters.iter_non_variadic_params().next().map(|first| first.parameter.name.to_string());
    let mut found = AttributesSet { own: own.unwrap_or_default(), names: HashSet::new() };
    for statement in &method.body {
        found.visit_stmt(statement);
    }
    found.names
}

struct AttributesSet {
    own: String,
    names: HashSet<String>,
}

impl<'t> Visitor<'t> for AttributesSet {
    fn visit_expr(&mut self, tree: &'t Expr) {
        if let Expr::Attribute(attribute) = tree
            && attribute.ctx.is_store()
            && matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == self.own)
        {
            self.names.insert(attribute.attr.to_string());
        }
        ruff_python_ast::visitor::walk_expr(self, tree);
    }
}
