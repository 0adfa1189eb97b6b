//! Modules that are written in the language itself: loading them when a program imports them.
//!
//! Their texts are in `written/`. They see neither the program's names nor each other's, unless they import them; what goes
//! wrong in them is told at the place where the program calls them.

use std::collections::HashSet;
use std::sync::LazyLock;

use ruff_python_ast::{Expr, ModModule, Stmt, StmtFunctionDef, UnaryOp};

use super::calls::is_bounded;
use super::check::{Checker, Names};
use super::functions::Body;
use super::instruction::Operand;
use super::modules::{Member, Module};
use super::{ClassId, DefaultValue, FunctionId, Literal};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Origin, parse_module};

macro_rules! written {
    ($($name:literal => $($file:literal)&+),* $(,)?) => {
        /// The modules, by the names under which they are imported; what modules of the language have besides stands here too.
        pub(super) const WRITTEN: &[(&str, &str)] =
            &[$(($name, concat!($(include_str!(concat!("written/", $file, ".py"))),+))),*];
    };
}

written! {
    "argparse" => "argparse",
    "bisect" => "bisect",
    "builtins" => "builtins",
    "collections" => "collections",
    "csv" => "csv",
    "dataclasses" => "dataclasses",
    "datetime" => "datetime",
    "enum" => "nothing",
    "fractions" => "fractions",
    "functools" => "functools",
    "heapq" => "heapq",
    "itertools" => "itertools",
    "json" => "json",
    "logging" => "logging",
    "matplotlib" => "matplotlib",
    "matplotlib.pyplot" => "pyplot",
    "matplotlib.pyplot.rcParams" => "pyplot_settings",
    "matplotlib.pyplot.style" => "pyplot_settings",
    "numpy" => "numpy",
    "numpy.lib" => "nothing",
    "numpy.lib.stride_tricks" => "stride_tricks",
    "numpy.linalg" => "numpy_linalg",
    "numpy.polynomial" => "nothing",
    "numpy.polynomial.polynomial" => "polynomial",
    "numpy.random" => "numpy_random",
    "numpy.typing" => "nothing",
    "operator" => "operator",
    "os" => "os",
    "os.path" => "os_path",
    "pandas" => "pandas" & "pandas_dates" & "pandas_shapes",
    "pandas.DataFrame" => "pandas_frames",
    "pandas.MultiIndex" => "pandas_indices",
    "pathlib" => "pathlib",
    "random" => "random",
    "scipy" => "nothing",
    "scipy.linalg" => "scipy_linalg",
    "scipy.signal" => "scipy_signal",
    "scipy.stats" => "scipy_stats",
    "secrets" => "secrets",
    "sklearn" => "nothing",
    "sklearn.linear_model" => "linear_model",
    "statistics" => "statistics",
    "statsmodels" => "nothing",
    "statsmodels.api" => "statsmodels",
    "statsmodels.formula" => "nothing",
    "statsmodels.formula.api" => "statsmodels_formula",
    "sys" => "sys",
    "warnings" => "warnings",
}

/// The modules whose objects are compared, added and gone through by their own functions, as those of programs are.
const ASKED: &[&str] = &["collections", "fractions", "numpy.random", "random"];

/// What the names of functions begin with that are methods of tables and columns.
const METHOD: &str = "_method_";

/// The texts as an analysis has them.
static SOURCES: LazyLock<Sources> = LazyLock::new(|| {
    let mut sources = Sources::default();
    for (name, text) in WRITTEN {
        sources.add(*name, *text);
    }
    sources
});

/// The name of a module that is written in the language, as long as the program lives.
pub(super) fn written_name(name: &str) -> Option<&'static str> {
    WRITTEN.iter().find(|(known, _)| *known == name).map(|(known, _)| *known)
}

/// What a module calls by a name.
#[derive(Clone, Copy)]
pub(super) enum Found {
    Constant(Operand),
    Member(Member),
    Function(FunctionId),
    Class(ClassId),
}

impl Checker<'_> {
    /// What a module calls `name`.
    pub(super) fn found_in(&mut self, module: Module, name: &str) -> Option<Found> {
        if let Some(member) = module.member(name) {
            return Some(Found::Member(member));
        }
        if name.starts_with('_') && !self.in_written {
            return None;
        }
        self.found_written(module.name(), name)
    }

    /// What a module that is written in the language calls `name`.
    pub(super) fn found_written(&mut self, module: &str, name: &str) -> Option<Found> {
        let module = written_name(module)?;
        // While it is loaded, its names are those in scope.
        self.load(module);
        let names = self.written.get(module)?;
        let function = names.functions.get(name).copied().map(Found::Function);
        let constant = names.constants.get(name).copied().map(Found::Constant);
        function.or_else(|| names.classes.get(name).copied().map(Found::Class)).or(constant)
    }

    /// A method of tables and columns, or of arrays, that is written in the language.
    pub(super) fn written_method(&mut self, name: &str) -> Option<FunctionId> {
        let name = format!("{METHOD}{name}");
        let of_tables = self.tables.then(|| self.found_written("pandas", &name)).flatten();
        let others = ["numpy", "builtins"];
        match of_tables.or_else(|| others.iter().find_map(|module| self.found_written(module, &name))) {
            Some(Found::Function(id)) => Some(id),
            Some(Found::Class(_) | Found::Member(_) | Found::Constant(_)) | None => None,
        }
    }

    /// A method of tables and columns that is written in the language, beside one that they have already.
    pub(super) fn written_table_method(&mut self, name: &str) -> Option<FunctionId> {
        let name = format!("{METHOD}{name}");
        match self.tables.then(|| self.found_written("pandas", &name)).flatten() {
            Some(Found::Function(id)) => Some(id),
            Some(Found::Class(_) | Found::Member(_) | Found::Constant(_)) | None => None,
        }
    }

    /// Notes it: which of the two is meant is seen when it is called. False if there is none.
    pub(super) fn note_table_method(&mut self, name: &str) -> bool {
        let Some(function) = self.written_table_method(name) else { return false };
        if !self.program.written_methods.iter().any(|(known, _)| known == name) {
            self.program.written_methods.push((name.to_owned(), function));
        }
        true
    }

    /// Notes a method that is written in the language, where objects of the program may have one of the same name: which of
    /// the two is meant is seen when it is called.
    pub(super) fn note_written_method(&mut self, name: &str) {
        if let Some(function) = self.written_method(name)
            && !self.program.written_methods.iter().any(|(known, _)| known == name)
        {
            self.program.written_methods.push((name.to_owned(), function));
        }
    }

    /// The same for an attribute of tables; false if there is none.
    pub(super) fn note_written_attribute(&mut self, name: &str) -> bool {
        if !self.tables || !matches!(name, "plot" | "style" | "cat") {
            return false;
        }
        let written = format!("_attribute_{name}");
        let Some(Found::Function(function)) = self.found_written("pandas", &written) else { return false };
        if !self.program.written_methods.iter().any(|(known, _)| *known == written) {
            self.program.written_methods.push((written, function));
        }
        true
    }

    /// The names that a module has.
    pub(super) fn names_in(&mut self, module: Module) -> Vec<String> {
        let mut names: Vec<String> = module.member_names().map(str::to_owned).collect();
        if let Some(written) = written_name(module.name()) {
            self.load(written);
            let loaded = self.written.get(written);
            names.extend(
                loaded.into_iter().flat_map(|names| names.functions.keys().chain(names.classes.keys())).cloned(),
            );
        }
        names.retain(|name| !name.starts_with('_'));
        names.sort_unstable();
        names
    }

    /// Loads the modules that a file imports anywhere, so that the attributes of their objects are known everywhere.
    pub(super) fn load_imported(&mut self, module: &ModModule) {
        let mut imports = Imports::default();
        module.body.iter().for_each(|statement| ruff_python_ast::visitor::Visitor::visit_stmt(&mut imports, statement));
        // Methods that are written give objects, whose attributes have to be known before they are used.
        if self.tables && imports.1.iter().any(|name| self.written_method(name).is_some()) {
            self.load("pandas");
        }
        if imports.2 {
            self.load("collections");
        }
        for name in imports.0 {
            // What others have besides is loaded when it is used.
            if let Some(Module::Written(name)) = Module::from_name(&name) {
                self.load(name);
            }
        }
    }

    fn load(&mut self, name: &'static str) {
        if self.written.contains_key(name) {
            return;
        }
        let Some(index) = WRITTEN.iter().position(|(known, _)| *known == name) else { return };
        // Known from now on, so that modules may import each other.
        self.written.insert(name, Names::default());
        let id = SourceId(index as u32);
        let Ok(module) = parse_module(&SOURCES, id) else { return };
        let sources = std::mem::replace(&mut self.sources, &*SOURCES);
        let outer = std::mem::take(&mut self.names);
        let tables = std::mem::replace(&mut self.tables, true);
        let in_written = std::mem::replace(&mut self.in_written, true);
        let in_asked = std::mem::replace(&mut self.in_asked, ASKED.contains(&name));
        self.compile_written(Origin::of(id), &module);
        self.in_asked = in_asked;
        self.in_written = in_written;
        self.tables = tables;
        self.sources = sources;
        let own = std::mem::replace(&mut self.names, outer);
        self.written.insert(name, own);
    }

    fn compile_written(&mut self, origin: Origin, module: &ModModule) {
        let mut functions: Vec<(&StmtFunctionDef, FunctionId)> = Vec::new();
        for statement in &module.body {
            if let Stmt::FunctionDef(definition) = statement {
                let placeholder = self.empty_function(&definition.name, Span::START);
                let id = self.add_inner(placeholder);
                self.declare(origin, definition, id);
                functions.push((definition, id));
            }
        }
        self.declare_classes(origin, &module.body);
        let mut body = Body::module(self, origin, &[]);
        body.imports(&module.body);
        for (definition, id) in &functions {
            body.literal_defaults(definition, *id);
        }
        for statement in &module.body {
            if let Stmt::Assign(assign) = statement
                && let ([Expr::Name(name)], Expr::NumberLiteral(number)) = (assign.targets.as_slice(), &*assign.value)
            {
                let value = body.number(number);
                body.checker.names.constants.insert(name.id.to_string(), value);
            }
        }
        for statement in &module.body {
            let Stmt::ClassDef(class) = statement else { continue };
            let Some(id) = body.checker.names.classes.get(class.name.as_str()).copied() else { continue };
            for statement in &class.body {
                let Stmt::FunctionDef(method) = statement else { continue };
                if let Some((_, method_id)) = body.checker.program.classes[id.0 as usize].method(&method.name) {
                    body.literal_defaults(method, method_id);
                }
            }
        }
        for (definition, id) in functions {
            self.compile(origin, definition, id);
        }
        self.compile_methods(origin, &module.body);
    }
}

impl Body<'_, '_> {
    /// The defaults of a function of a written module, which are literals.
    fn literal_defaults(&mut self, definition: &StmtFunctionDef, id: FunctionId) {
        for (position, parameter) in definition.parameters.iter_non_variadic_params().enumerate() {
            let Some(default) = &parameter.default else { continue };
            let operand = match &**default {
                Expr::NumberLiteral(number) => self.number(number),
                Expr::UnaryOp(negated) => match &*negated.operand {
                    Expr::NumberLiteral(number) if negated.op == UnaryOp::USub => {
                        let positive = self.number(number);
                        self.negative_literal(positive)
                    }
                    _ => self.literal(Literal::None),
                },
                Expr::StringLiteral(text) => self.literal(Literal::Text(text.value.to_str().to_owned())),
                Expr::BooleanLiteral(literal) => self.literal(Literal::Bool(literal.value)),
                _ => self.literal(Literal::None),
            };
            if let Some(signature) = self.checker.signatures.get_mut(&id)
                && let Some(known) = signature.parameters.get_mut(position)
            {
                known.default = Some(DefaultValue::Literal(operand));
            }
        }
    }
}

/// The modules that a file imports, the attributes that it mentions, and whether it makes a bounded queue.
#[derive(Default)]
struct Imports(Vec<String>, HashSet<String>, bool);

impl<'t> ruff_python_ast::visitor::Visitor<'t> for Imports {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        match statement {
            Stmt::Import(import) => self.0.extend(import.names.iter().map(|alias| alias.name.to_string())),
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map_or(String::new(), |module| module.to_string());
                self.0.extend(import.names.iter().map(|alias| format!("{module}.{}", alias.name)));
                self.0.push(module);
            }
            _ => ruff_python_ast::visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, tree: &'t Expr) {
        if let Expr::Attribute(attribute) = tree {
            self.1.insert(attribute.attr.to_string());
        }
        if let Expr::Call(call) = tree {
            let name = match &*call.func {
                Expr::Name(name) => name.id.as_str(),
                Expr::Attribute(attribute) => attribute.attr.as_str(),
                _ => "",
            };
            self.2 |= name == "deque" && is_bounded(&call.arguments);
        }
        ruff_python_ast::visitor::walk_expr(self, tree);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_them_are_programs_of_the_language() {
        for (name, _) in WRITTEN {
            let sources = Sources::default();
            let mut checker = Checker::new(&sources);
            let span = Span::START;
            let placeholder = checker.empty_function("<module>", span);
            checker.program.functions.push(placeholder);
            checker.load(name);
            let errors: Vec<String> = checker.diagnostics.iter().map(|error| error.message.clone()).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}");
            let index = WRITTEN.iter().position(|(known, _)| known == name).unwrap_or(0);
            assert!(parse_module(&SOURCES, SourceId(index as u32)).is_ok(), "{name} is no Python");
        }
    }
}
