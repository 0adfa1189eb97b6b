//! The verb of this stage: [`check`], and what it knows about the whole file.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::{Expr, ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::functions::Body;
use super::generators::Generators;
use super::modules::{Member, Module, builtin, builtin_names};
use super::spread::all_named_on_the_way;
use super::statements::is_main_guard;
use super::{
    ClassId, Computed, Expression, Function, FunctionId, Instruction, Parameter, Program, Register, ResultName,
};
use crate::diagnostic::{Code, Diagnostic, listed, nearest};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Origin, parse_expression};

/// What an expression given beside the program is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    /// The prior of a parameter.
    Prior(String),
    /// The value of a parameter.
    Set(String),
    /// Something the attacker wants to know.
    Secret,
    /// The value that an output was seen to have: the path of the output.
    ObservedValue,
    /// The standard deviation of the noise through which the preceding observation was made.
    ObservedStd,
    /// A quantity that is asked about.
    Query,
    /// The prior of a table's secret column; it may mention the table's columns, which are these.
    ColumnPrior(Vec<String>),
}

/// An expression given beside the program: a part of one of the sources, or a value that needs no reading.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionSource {
    /// What it is for.
    pub role: Role,
    /// Where its text is.
    pub span: Span,
    /// Its place among the values that are given for each run, if it is one of them.
    pub given: Option<usize>,
}

impl ExpressionSource {
    /// A text to be compiled.
    pub fn text(role: Role, span: Span) -> Self {
        ExpressionSource { role, span, given: None }
    }
}

/// What a call to a function of the file needs to know before that function is compiled.
pub(super) struct Signature {
    pub(super) parameters: Vec<Parameter>,
    pub(super) span: Span,
    /// Whether it has `*args` or `**kwargs`.
    pub(super) starred: bool,
}

/// What names stand for in a file.
#[derive(Default)]
pub(super) struct Names {
    pub(super) functions: HashMap<String, FunctionId>,
    pub(super) classes: HashMap<String, ClassId>,
    /// The module's variables.
    pub(super) globals: HashMap<String, Register>,
    /// Numbers of a written module.
    pub(super) constants: HashMap<String, super::Operand>,
    pub(super) modules: HashMap<String, Module>,
    pub(super) imported: HashMap<String, Member>,
    /// Names that refused imports would have brought.
    pub(super) refused: HashSet<String>,
    /// The classes of exceptions that the file declares, and what they belong to.
    pub(super) exceptions: HashMap<String, String>,
    /// The enumerations that the file declares.
    pub(super) enums: HashMap<String, Vec<super::enums::EnumMember>>,
}

/// What is known of the whole file while its functions are compiled.
pub(super) struct Checker<'a> {
    pub(super) sources: &'a Sources,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) signatures: HashMap<FunctionId, Signature>,
    /// The attributes and methods that objects may have.
    pub(super) members: HashSet<String>,
    /// Modules written in the language that were loaded, by their names.
    pub(super) written: HashMap<&'static str, Names>,
    /// The class whose functions are being compiled.
    pub(super) within: Option<ClassId>,
    /// Whether a module that is written in the language is being compiled.
    pub(super) in_written: bool,
    /// Whether its objects are asked like those of programs.
    pub(super) in_asked: bool,
    /// Names that `:=` gives values to.
    pub(super) named_on_the_way: HashSet<String>,
    /// The functions that yield, and where they are called.
    pub(super) generators: Generators,
    pub(super) literal_indices: HashMap<super::Literal, u32>,
    /// What handlers read of exceptions.
    pub(super) reading: super::expanded::Reading,
    /// Whether there are tables, so that the language has their methods and columns.
    pub(super) tables: bool,
    /// How many functions are declared at the top level; others are inside them.
    pub(super) declared: usize,
    /// Whether the file reads tables outside functions: then it is a script.
    pub(super) reads_tables: bool,
    /// Whether one of its functions does, which makes it a script if what stands outside functions calls them.
    pub(super) reads_in_functions: bool,
    /// Whether the prior of a column is being checked, which may have distributions that programs have not.
    pub(super) in_column_prior: bool,
    /// Whether what stands under `if __name__ == "__main__":` is a part of the script.
    pub(super) runs_guard: bool,
    /// What the file says about itself: `__doc__`.
    pub(super) docstring: Option<String>,
}

/// More errors than this are not independent any more, or nobody reads them.
const MAX_DIAGNOSTICS: usize = 100;

/// Checks a program and the expressions given beside it, and compiles both.
///
/// `entry` names the function to analyse, with the span that says so; without it, it is the only function or `main`.
pub fn check(
    sources: &Sources,
    id: SourceId,
    module: &ModModule,
    entry: Option<(&str, Span)>,
    expressions: &[ExpressionSource],
) -> Result<Program, Vec<Diagnostic>> {
    let mut checker = Checker::new(sources);
    checker.tables = imports_pandas(module);
    check_language(checker, id, module, entry, expressions)
}

/// The same for a function that is given tables.
pub fn check_with_tables(
    sources: &Sources,
    id: SourceId,
    module: &ModModule,
    entry: Option<(&str, Span)>,
    expressions: &[ExpressionSource],
) -> Result<Program, Vec<Diagnostic>> {
    let mut checker = Checker::new(sources);
    checker.tables = true;
    checker.runs_guard = runs_guard(module) || (entry.is_none() && gives_arguments(module));
    check_language(checker, id, module, entry, expressions)
}

/// Whether the guarded part of a file is run: it reads its tables outside the guard, or has nothing but the guard to run.
fn runs_guard(module: &ModModule) -> bool {
    let is_guard = |statement: &Stmt| matches!(statement, Stmt::If(branch) if is_main_guard(branch));
    let has_functions = module.body.iter().any(|statement| matches!(statement, Stmt::FunctionDef(_)));
    let outside =
        module.body.iter().filter(|statement| !is_guard(statement) && !matches!(statement, Stmt::FunctionDef(_)));
    let mut readers = Readers(false);
    outside.for_each(|statement| ruff_python_ast::visitor::Visitor::visit_stmt(&mut readers, statement));
    readers.0 || !has_functions
}

/// Whether the guarded part gives something to a function of the file, `main(Config())`: then that is what it is called with.
fn gives_arguments(module: &ModModule) -> bool {
    let functions = module.body.iter().filter_map(|statement| match statement {
        Stmt::FunctionDef(function) => Some(function.name.as_str()),
        _ => None,
    });
    let mut given = Given { functions: functions.collect(), found: false };
    let mut readers = Readers(false);
    for statement in &module.body {
        match statement {
            Stmt::If(branch) if is_main_guard(branch) => {
                ruff_python_ast::visitor::Visitor::visit_stmt(&mut given, statement);
            }
            _ => ruff_python_ast::visitor::Visitor::visit_stmt(&mut readers, statement),
        }
    }
    given.found && readers.0
}

/// Looks for calls of a file's functions with arguments.
struct Given<'t> {
    functions: HashSet<&'t str>,
    found: bool,
}

impl<'t> ruff_python_ast::visitor::Visitor<'t> for Given<'t> {
    fn visit_expr(&mut self, tree: &'t Expr) {
        if let Expr::Call(call) = tree
            && let Expr::Name(name) = &*call.func
        {
            self.found |= self.functions.contains(name.id.as_str()) && !call.arguments.is_empty();
        }
        ruff_python_ast::visitor::walk_expr(self, tree);
    }
}

/// Looks for calls of `read_csv` and the like.
struct Readers(bool);

impl<'t> ruff_python_ast::visitor::Visitor<'t> for Readers {
    fn visit_expr(&mut self, tree: &'t Expr) {
        if let Expr::Call(call) = tree
            && let Expr::Attribute(attribute) = &*call.func
        {
            self.0 |= attribute.attr.starts_with("read_");
        }
        ruff_python_ast::visitor::walk_expr(self, tree);
    }
}

/// Whether a file imports pandas: then it has tables of its own.
fn imports_pandas(module: &ModModule) -> bool {
    module.body.iter().any(|statement| match statement {
        Stmt::Import(import) => import.names.iter().any(|alias| alias.name.as_str() == "pandas"),
        Stmt::ImportFrom(import) => import.module.as_ref().is_some_and(|name| name.as_str() == "pandas"),
        _ => false,
    })
}

fn check_language(
    mut checker: Checker<'_>,
    id: SourceId,
    module: &ModModule,
    entry: Option<(&str, Span)>,
    expressions: &[ExpressionSource],
) -> Result<Program, Vec<Diagnostic>> {
    checker.docstring = docstring(&module.body);
    let module = super::expanded::expanded(module, checker.tables);
    checker.reading = super::expanded::Reading::of(&module.body);
    checker.module(Origin::of(id), &module);
    match checker.entry(id, entry) {
        Ok(entry) => {
            checker.program.entry = entry;
            let function = checker.program.function(entry);
            if checker.generators.is_generator(&function.name) {
                let (span, hint) = (function.span, "collect the values in a list and return it");
                checker.refuse(Code::Yield, span, "the analysed function is a generator", hint);
            }
            checker.expressions(expressions);
        }
        Err(diagnostic) => checker.diagnostics.push(*diagnostic),
    }
    if checker.diagnostics.is_empty() {
        return Ok(checker.program);
    }
    checker.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    checker.diagnostics.truncate(MAX_DIAGNOSTICS);
    Err(checker.diagnostics)
}

/// The string that a file begins with.
fn docstring(body: &[Stmt]) -> Option<String> {
    let Some(Stmt::Expr(first)) = body.first() else { return None };
    match &*first.value {
        Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
        _ => None,
    }
}

impl<'a> Checker<'a> {
    pub(super) fn new(sources: &'a Sources) -> Self {
        Checker {
            sources,
            diagnostics: Vec::new(),
            program: Program {
                functions: Vec::new(),
                literals: Vec::new(),
                call_shapes: Vec::new(),
                result_names: Vec::new(),
                classes: Vec::new(),
                written_methods: Vec::new(),
                entry: FunctionId(0),
                expressions: Vec::new(),
            },
            names: Names::default(),
            signatures: HashMap::new(),
            members: HashSet::new(),
            written: HashMap::new(),
            within: None,
            in_written: false,
            in_asked: false,
            named_on_the_way: HashSet::new(),
            generators: Generators::default(),
            literal_indices: HashMap::new(),
            reading: super::expanded::Reading::default(),
            tables: false,
            declared: 0,
            reads_tables: false,
            reads_in_functions: false,
            in_column_prior: false,
            runs_guard: false,
            docstring: None,
        }
    }

    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    /// An error with a hint.
    pub(super) fn refuse(&mut self, code: Code, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.error(code, span, message).hint = Some(hint.into());
    }

    /// Compiles the module's body as function 0 and its functions behind it.
    fn module(&mut self, origin: Origin, module: &ModModule) {
        let span = Span { source: origin.source, start: origin.offset, end: origin.offset };
        self.generators = Generators::of(&module.body);
        self.named_on_the_way = all_named_on_the_way(&module.body);
        let definitions: Vec<&StmtFunctionDef> = module
            .body
            .iter()
            .filter_map(|statement| if let Stmt::FunctionDef(definition) = statement { Some(definition) } else { None })
            .collect();
        // Functions inside others, and those of classes, are put behind all of these.
        self.declared = definitions.len();
        for _ in 0..=definitions.len() {
            let placeholder = self.empty_function("<module>", span);
            self.program.functions.push(placeholder);
        }
        for (index, definition) in definitions.iter().enumerate() {
            self.declare(origin, definition, FunctionId(index as u32 + 1));
        }
        self.load_imported(module);
        self.declare_classes(origin, &module.body);
        let mut body = Body::module(self, origin, &module.body);
        body.module_body(&module.body);
        self.program.functions[0] = body.finish("<module>", span, Vec::new());
        for (index, definition) in definitions.iter().enumerate() {
            self.compile(origin, definition, FunctionId(index as u32 + 1));
        }
        self.compile_methods(origin, &module.body);
    }

    /// Compiles a function that was declared.
    pub(super) fn compile(&mut self, origin: Origin, definition: &StmtFunctionDef, id: FunctionId) {
        let parameters = self.signatures.get(&id).map_or(Vec::new(), |signature| signature.parameters.clone());
        let function = Body::function(self, origin, definition, parameters);
        self.program.functions[id.0 as usize] = function;
    }

    /// A function inside another.
    pub(super) fn add_inner(&mut self, function: Function) -> FunctionId {
        self.program.functions.push(function);
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    pub(super) fn empty_function(&self, name: &str, span: Span) -> Function {
        Function {
            name: name.to_owned(),
            span,
            parameters: Vec::new(),
            takes_more: false,
            takes_more_named: false,
            written: false,
            variables: Vec::new(),
            register_count: 0,
            loop_count: 0,
            code: Vec::new(),
            spans: Vec::new(),
            handlers: Vec::new(),
        }
    }

    /// Makes a function known, so that the others can call it.
    pub(super) fn declare(&mut self, origin: Origin, definition: &StmtFunctionDef, id: FunctionId) {
        let name = definition.name.to_string();
        let span = origin.span(definition.name.range());
        let signature = self.signature(origin, definition);
        self.signatures.insert(id, signature);
        if let Some(earlier) = self.names.functions.insert(name.clone(), id) {
            let first = self.signatures.get(&earlier).map_or(span, |signature| signature.span);
            let error = self.error(Code::DefinedTwice, span, format!("`{name}` is defined twice"));
            error.hint = Some("rename one of the functions".to_owned());
            error.related.push((first, "first defined here".to_owned()));
        }
    }

    /// The parameters of a function, whose defaults are not known yet.
    pub(super) fn signature(&self, origin: Origin, definition: &StmtFunctionDef) -> Signature {
        let parameters = definition
            .parameters
            .iter_non_variadic_params()
            .map(|parameter| Parameter {
                name: parameter.name().to_string(),
                span: origin.span(parameter.name().range()),
                default: None,
                keyword_only: definition.parameters.kwonlyargs.iter().any(|other| std::ptr::eq(other, parameter)),
            })
            .collect();
        let starred = definition.parameters.vararg.is_some() || definition.parameters.kwarg.is_some();
        Signature { parameters, span: origin.span(definition.name.range()), starred }
    }

    /// The function to analyse.
    fn entry(&self, id: SourceId, wanted: Option<(&str, Span)>) -> Result<FunctionId, Box<Diagnostic>> {
        let start = Span { source: id, start: 0, end: 0 };
        let functions = &self.program.functions[1..=self.declared];
        // What decorators were written out to has names that nobody can write.
        let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        let position = |name: &str| names.iter().position(|known| *known == name);
        let own = |name: &&str| !name.contains(' ');
        let own_names: Vec<&str> = names.iter().copied().filter(own).collect();
        let found = match wanted {
            Some((name, span)) => position(name).ok_or_else(|| {
                let error = Diagnostic::error(Code::UnknownEntryPoint, span, format!("there is no function `{name}`"));
                match nearest(name, own_names.iter().copied()) {
                    _ if position(&format!("undecorated {name}")).is_some() => {
                        error.hint("it is a variable, because it has a decorator: write a function that calls it")
                    }
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!("the functions are {}", own_names.join(", "))),
                }
            }),
            None if self.reads_tables => return Ok(FunctionId(0)),
            None if self.reads_in_functions && position("main").is_none() && self.calls_its_functions() => {
                return Ok(FunctionId(0));
            }
            // `main(Config())`: what the guarded part does is the script.
            None if self.reads_in_functions && self.runs_guard && self.calls_its_functions() => {
                return Ok(FunctionId(0));
            }
            // `main()` without a guard around it: the script is run as it stands.
            None if self.reads_in_functions
                && !self.runs_guard
                && position("main").is_some_and(|at| self.calls(at)) =>
            {
                return Ok(FunctionId(0));
            }
            None if names.is_empty() => Err(Diagnostic::error(Code::NoFunction, start, "the program has no function")
                .hint("write the analysis as a function: `def main(): ...`")),
            None if let [only] = &own_names[..] => Ok(position(only).unwrap_or(0)),
            None => position("main").or_else(|| self.only_uncalled()).ok_or_else(|| {
                Diagnostic::error(
                    Code::AmbiguousEntryPoint,
                    functions[0].span,
                    "it is not clear which function to analyse",
                )
                .hint(format!("name one with `FILE.py:function`; there are {}", own_names.join(", ")))
            }),
        };
        found.map(|index| FunctionId(index as u32 + 1)).map_err(Box::new)
    }

    /// Whether what stands outside functions calls a certain one of the file's.
    fn calls(&self, place: usize) -> bool {
        self.program.functions[0].code.iter().any(|instruction| match instruction {
            Instruction::Call { function, .. } => function.0 as usize == place + 1,
            _ => false,
        })
    }

    /// Whether what stands outside functions calls one of the file's.
    fn calls_its_functions(&self) -> bool {
        let is_own = |callee: &FunctionId| (1..=self.declared).contains(&(callee.0 as usize));
        self.program.functions[0].code.iter().any(|instruction| match instruction {
            Instruction::Call { function, .. } => is_own(function),
            _ => false,
        })
    }

    /// The place of the function that no other function calls, if there is exactly one.
    fn only_uncalled(&self) -> Option<usize> {
        let mut called = vec![false; self.program.functions.len()];
        for (caller, function) in self.program.functions.iter().enumerate() {
            for instruction in &function.code {
                if let Instruction::Call { function: callee, .. } | Instruction::MakeFunction { function: callee, .. } =
                    instruction
                    && callee.0 as usize != caller
                {
                    called[callee.0 as usize] = true;
                }
            }
        }
        let is_own = |function: &usize| !self.program.functions[*function].name.contains(' ');
        let mut uncalled =
            (1..=self.declared).filter(is_own).filter(|function| !called[*function]).map(|function| function - 1);
        uncalled.next().filter(|_| uncalled.next().is_none())
    }

    /// Compiles the expressions given beside the program. Priors may mention parameters bound before them, the others
    /// every variable of the analysed function.
    fn expressions(&mut self, expressions: &[ExpressionSource]) {
        let entry = self.program.function(self.program.entry);
        let entry_variables = entry.variables.clone();
        let entry_parameters: Vec<String> = entry.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let entry_name = entry.name.clone();
        let mut bound: Vec<String> = Vec::new();
        // They stand outside the file, where nobody can import anything.
        for (name, module) in [("np", Module::Numpy), ("pd", Module::Pandas), ("math", Module::Math)] {
            if !self.names.globals.contains_key(name) && !self.names.functions.contains_key(name) {
                self.names.modules.entry(name.to_owned()).or_insert(module);
            }
        }
        for ExpressionSource { role, span, given } in expressions {
            let scope = match role {
                Role::Prior(name) | Role::Set(name) => {
                    self.bind(name, &entry_name, &entry_parameters, &mut bound, *span);
                    bound[..bound.len().saturating_sub(1)].to_vec()
                }
                Role::ObservedValue | Role::ObservedStd => Vec::new(),
                Role::Secret | Role::Query => entry_variables.clone(),
                Role::ColumnPrior(columns) => columns.clone(),
            };
            if let Some(place) = given {
                let name = ResultName::Text(self.sources.name_of(*span));
                let computed = Computed::Given(*place);
                self.program.expressions.push(Expression { role: role.clone(), computed, name, span: *span });
                continue;
            }
            let origin = Origin { source: span.source, offset: span.start };
            match parse_expression(self.sources.text(*span), origin) {
                Ok(tree) => {
                    let tree = if matches!(role, Role::Set(_)) { self.bare_word(tree) } else { tree };
                    self.in_column_prior = matches!(role, Role::ColumnPrior(_));
                    self.expression(role.clone(), *span, origin, &tree, &scope);
                    self.in_column_prior = false;
                }
                Err(errors) => self.diagnostics.extend(errors),
            }
        }
    }

    fn bind(&mut self, name: &str, function: &str, parameters: &[String], bound: &mut Vec<String>, span: Span) {
        if !parameters.iter().any(|parameter| parameter == name) {
            let message = format!("`{function}` has no parameter `{name}`");
            let hint = match nearest(name, parameters.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if parameters.is_empty() => "it has none".to_owned(),
                None => listed("its only parameter is", "its parameters are", parameters),
            };
            self.refuse(Code::UnknownParameter, span, message, hint);
        } else if bound.iter().any(|earlier| earlier == name) {
            self.refuse(Code::BoundTwice, span, format!("`{name}` is bound twice"), "keep one of the bindings");
        }
        bound.push(name.to_owned());
    }

    /// `--set calibration=classic` needs no quotes: a word that means nothing is a text.
    fn bare_word(&self, tree: Expr) -> Expr {
        let Expr::Name(name) = &tree else { return tree };
        if self.names.globals.contains_key(name.id.as_str()) || self.names.imported.contains_key(name.id.as_str()) {
            return tree;
        }
        let literal = ruff_python_ast::StringLiteral {
            range: name.range,
            node_index: Default::default(),
            value: name.id.as_str().into(),
            flags: ruff_python_ast::StringLiteralFlags::empty(),
        };
        Expr::StringLiteral(ruff_python_ast::ExprStringLiteral {
            node_index: Default::default(),
            range: name.range,
            value: ruff_python_ast::StringLiteralValue::single(literal),
        })
    }

    fn expression(&mut self, role: Role, span: Span, origin: Origin, tree: &Expr, scope: &[String]) {
        let mut body = Body::beside(self, origin, tree, scope);
        let value = body.expression(tree, None);
        let name = body.result_name(tree);
        body.return_value(value, ResultName::Text(String::new()), span);
        let parameters = body.captured_parameters();
        let function = body.finish("<expression>", span, parameters);
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        self.program.expressions.push(Expression { role, computed: Computed::By(id), name, span });
    }

    /// Names that could have been meant, other than variables.
    pub(super) fn known_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = builtin_names().collect();
        names.extend(self.names.functions.keys().map(String::as_str));
        names.extend(self.names.classes.keys().map(String::as_str));
        names.extend(self.names.globals.keys().map(String::as_str));
        names.extend(self.names.imported.keys().map(String::as_str));
        names.extend(self.names.modules.keys().map(String::as_str));
        names
    }

    /// A function of the language that `name` stands for.
    pub(super) fn builtin_named(&self, name: &str) -> Option<Member> {
        self.names.imported.get(name).copied().or_else(|| builtin(name).map(Member::Function))
    }
}
