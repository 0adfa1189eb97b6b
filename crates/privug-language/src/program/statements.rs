//! Compiling statements.

use ruff_python_ast::{Alias, Expr, Stmt, StmtFunctionDef, StmtIf, StmtImport, StmtImportFrom, StmtWith};
use ruff_text_size::Ranged;

use super::builtin::PriorLaw;
use super::functions::{Body, Kind};
use super::instruction::{Instruction, Operand, Register};
use super::modules::Module;
use super::written::Found;
use super::{DefaultValue, FunctionId, Literal};
use crate::diagnostic::{Code, nearest};

impl Body<'_, '_> {
    /// The file's body: imports and definitions first mean something here.
    pub(super) fn module_body(&mut self, statements: &[Stmt]) {
        self.imports(statements);
        for statement in statements {
            match statement {
                Stmt::Import(_) | Stmt::ImportFrom(_) => {}
                Stmt::ClassDef(definition) => self.class_definition(definition),
                record if self.is_record_declaration(record) => {}
                Stmt::FunctionDef(definition) => self.definition(definition),
                // What runs the file as a script is no part of the analysis.
                Stmt::If(branch) if is_main_guard(branch) && !self.checker.runs_guard => {}
                Stmt::If(branch) if is_main_guard(branch) => self.statements(&branch.body),
                other => self.statement(other),
            }
        }
        let nothing = self.literal(Literal::None);
        let end = self.span(ruff_text_size::TextRange::default());
        self.return_value(nothing, super::ResultName::Text(String::new()), end);
    }

    /// What the imports of a file bring.
    pub(super) fn imports(&mut self, statements: &[Stmt]) {
        for statement in statements {
            match statement {
                Stmt::Import(import) => self.import(import),
                Stmt::ImportFrom(import) => self.import_from(import),
                _ => {}
            }
        }
    }

    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.scratch(|body| body.statement_in_scratch(statement));
    }

    fn statement_in_scratch(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Assign(assign) => {
                if let [Expr::Name(name)] = assign.targets.as_slice()
                    && let Some(register) = self.variable(&name.id)
                {
                    self.expression_into(&assign.value, register);
                } else {
                    let unpacks = |target: &Expr| matches!(target, Expr::Tuple(_) | Expr::List(_));
                    let value = match &*assign.value {
                        // All elements are taken out at once.
                        Expr::Generator(generator) if assign.targets.iter().all(unpacks) => {
                            let at = assign.value.range();
                            Operand::register(self.list_comprehension(&generator.elt, &generator.generators, at))
                        }
                        value => self.expression(value, None),
                    };
                    for target in &assign.targets {
                        self.assign(target, value);
                    }
                }
            }
            Stmt::AugAssign(assign) => {
                let span = self.span(assign.range);
                // The object and the index of `xs[f()] += 1` are computed once.
                let place = match &*assign.target {
                    Expr::Subscript(subscript) => {
                        let object = self.expression(&subscript.value, None);
                        Some((object, self.subscript_index(&subscript.slice)))
                    }
                    _ => None,
                };
                let current = match place {
                    Some((object, index)) => {
                        let to = self.temporary();
                        let target = self.span(assign.target.range());
                        self.emit(Instruction::Index { to, object, index }, target);
                        Operand::register(to)
                    }
                    None => self.expression(&assign.target, None),
                };
                let value = self.expression(&assign.value, None);
                let to = self.target_register(&assign.target).unwrap_or_else(|| self.temporary());
                let is_said = assign.op == ruff_python_ast::Operator::Add && assign.value.is_f_string_expr();
                let instruction = match is_said {
                    true => Some(Instruction::Join { to, left: current, right: value }),
                    false => self.operation(assign.op, true, (to, current, value), assign.range),
                };
                let Some(instruction) = instruction else { return };
                self.emit(instruction, span);
                match place {
                    Some((object, index)) => {
                        let target = self.span(assign.target.range());
                        self.emit(Instruction::SetIndex { object, index, value: Operand::register(to) }, target);
                    }
                    None if self.target_register(&assign.target).is_none() => {
                        self.assign(&assign.target, Operand::register(to));
                    }
                    None => {}
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    let value = self.expression(value, self.target_register(&assign.target));
                    if self.target_register(&assign.target).map(Operand::register) != Some(value) {
                        self.assign(&assign.target, value);
                    }
                }
            }
            Stmt::For(loop_) => self.for_loop(loop_),
            Stmt::If(branch) => self.branch(branch),
            Stmt::Return(return_) => {
                if self.kind != Kind::Function {
                    self.refuse_construct(Code::OutsideOfFunction, return_, "put it into a function");
                    return;
                }
                let span = self.span(return_.range);
                match &return_.value {
                    Some(value) if self.yielded.is_some() => {
                        let hint = "yield it, or collect the values in a list and return that";
                        self.refuse(Code::Yield, &**value, "a generator function returns a value", hint);
                    }
                    None if let Some(list) = self.yielded => {
                        self.leave_attempts(0, return_.range);
                        self.leave_generator(list, span);
                    }
                    Some(value) => {
                        let operand = self.expression(value, None);
                        let name = self.result_name(value);
                        let operand = self.leave_with(operand, &**value);
                        self.return_value(operand, name, self.span(value.range()));
                    }
                    None => {
                        let nothing = self.literal(Literal::None);
                        self.leave_attempts(0, return_.range);
                        self.return_value(nothing, super::ResultName::Text("return".to_owned()), span);
                    }
                }
            }
            Stmt::Assert(assert) => {
                let condition = self.expression(&assert.test, None);
                let message = match &assert.msg {
                    Some(message) => self.expression(message, None),
                    None => self.literal(Literal::Missing),
                };
                let span = self.span(assert.test.range());
                self.emit(Instruction::Assert { condition, message }, span);
            }
            Stmt::Expr(expression) => {
                // A text on its own is a docstring, and `...` stands for nothing.
                if !matches!(&*expression.value, Expr::StringLiteral(_) | Expr::EllipsisLiteral(_))
                    && !self.yield_statement(&expression.value)
                {
                    self.expression(&expression.value, None);
                }
            }
            Stmt::Pass(_) => {}
            Stmt::Break(statement) => self.break_loop(statement.range),
            Stmt::Continue(statement) => self.continue_loop(statement.range),
            Stmt::While(statement) => self.while_loop(statement),
            Stmt::FunctionDef(statement) => self.nested_definition(statement),
            Stmt::ClassDef(statement) => {
                self.refuse(Code::Class, &statement.name, "a class inside a function", "move it to the top level");
            }
            Stmt::Delete(statement) => self.delete(statement),
            Stmt::TypeAlias(statement) => {
                self.refuse_construct(Code::UnsupportedSyntax, statement, "remove it: types are not checked");
            }
            Stmt::With(statement) => self.with_block(statement),
            Stmt::Match(statement) => self.match_cases(statement),
            Stmt::Raise(statement) => self.raise(statement),
            Stmt::Try(statement) => self.try_block(statement),
            // Modules do nothing when they are imported, so it does not matter where.
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Global(statement) => {
                let message = "it is not clear where this variable is first assigned";
                let hint = "assign it at the top of the file, or pass it as an argument and return the result";
                self.refuse(Code::Global, statement, message, hint);
            }
            Stmt::Nonlocal(statement) => {
                let message = "it is not clear where this variable is first assigned";
                let hint = "assign it at the beginning of the enclosing function, or pass it as an argument and return the result";
                self.refuse(Code::Global, statement, message, hint);
            }
            Stmt::IpyEscapeCommand(statement) => {
                self.refuse_construct(Code::UnsupportedSyntax, statement, "remove it: it is not valid Python");
            }
        }
    }

    /// The register that an assignment to a plain name writes.
    fn target_register(&self, target: &Expr) -> Option<Register> {
        if let Expr::Name(name) = target { self.variable(&name.id) } else { None }
    }

    /// How something is shown: a function may show more than the number that it is given.
    fn set_option(&mut self, value: Operand, span: crate::source::Span) {
        if let Some(Found::Function(function)) = self.checker.found_written("pandas", "_shown_by") {
            let (first, to) = (self.temporary(), self.temporary());
            self.emit(Instruction::Move { to: first, from: value }, span);
            self.emit(Instruction::Call { to, function, first }, span);
        }
    }

    /// Whether something is `pd.options`, or a part of it, or `plt.rcParams`.
    fn is_setting(&self, tree: &Expr) -> bool {
        let Expr::Attribute(attribute) = tree else { return false };
        let of = self.module_of(&attribute.value).map(|module| module.name());
        match (of, attribute.attr.as_str()) {
            (Some("pandas"), "options") | (Some("matplotlib" | "matplotlib.pyplot"), "rcParams") => true,
            _ => self.is_setting(&attribute.value),
        }
    }

    /// Assigns a value to a name, an element, or a tuple of these.
    pub(super) fn assign(&mut self, target: &Expr, value: Operand) {
        let span = self.span(target.range());
        match target {
            Expr::Name(name) => match self.variable(&name.id) {
                Some(register) => {
                    self.emit(Instruction::Move { to: register, from: value }, span);
                }
                None => self.refuse_construct(Code::AssignmentTarget, target, "assign to a variable"),
            },
            // How tables and pictures look on a screen.
            Expr::Attribute(attribute) if self.is_setting(&attribute.value) => self.set_option(value, span),
            Expr::Subscript(subscript) if self.is_setting(&subscript.value) => self.set_option(value, span),
            Expr::Attribute(attribute)
                if let Some(inner) = named_index(attribute)
                    && self.checker.tables
                    && !self.is_member("index")
                    && !self.is_member("name") =>
            {
                let object = self.expression(&inner.value, None);
                let name = self.literal(Literal::Text("index.name".to_owned()));
                self.emit(Instruction::SetAttribute { object, name, value }, span);
            }
            Expr::Subscript(subscript) => {
                let object = self.expression(&subscript.value, None);
                let index = self.subscript_index(&subscript.slice);
                self.emit(Instruction::SetIndex { object, index, value }, span);
            }
            Expr::Attribute(attribute) if self.checker.tables || self.is_member(&attribute.attr) => {
                let object = self.expression(&attribute.value, None);
                let name = self.literal(Literal::Text(attribute.attr.to_string()));
                self.emit(Instruction::SetAttribute { object, name, value }, span);
            }
            Expr::Tuple(tuple) => self.unpack(&tuple.elts, value, target),
            Expr::List(list) => self.unpack(&list.elts, value, target),
            Expr::Starred(_) => self.refuse_construct(Code::StarArguments, target, "write `*rest,` or a name"),
            _ => self.refuse_construct(Code::AssignmentTarget, target, "assign to a name or to an element of a list"),
        }
    }

    fn unpack(&mut self, targets: &[Expr], value: Operand, whole: &Expr) {
        if targets.iter().any(|target| matches!(target, Expr::Starred(_))) {
            return self.unpack_starred(targets, value, whole);
        }
        let count = targets.len() as u32;
        let first = self.temporaries(count);
        let span = self.span(whole.range());
        self.emit(Instruction::Unpack { from: value, first, count }, span);
        for (target, register) in targets.iter().zip(first..) {
            self.assign(target, Operand::register(register));
        }
    }

    fn branch(&mut self, branch: &StmtIf) {
        let mut ends = Vec::new();
        let mut next = self.guarded_block(&branch.test, &branch.body, !branch.elif_else_clauses.is_empty(), &mut ends);
        for (index, clause) in branch.elif_else_clauses.iter().enumerate() {
            if let Some(skip) = next.take() {
                self.land(skip);
            }
            match &clause.test {
                Some(test) => {
                    let more = index + 1 < branch.elif_else_clauses.len();
                    next = self.guarded_block(test, &clause.body, more, &mut ends);
                }
                None => self.statements(&clause.body),
            }
        }
        if let Some(skip) = next {
            self.land(skip);
        }
        for end in ends {
            self.land(end);
        }
    }

    /// `if test: body`; gives the jump that skips the body, and notes the jump to the end behind it.
    fn guarded_block(&mut self, test: &Expr, body: &[Stmt], more: bool, ends: &mut Vec<usize>) -> Option<usize> {
        let condition = self.scratch(|inner| inner.expression(test, None));
        let span = self.span(test.range());
        let skip = self.emit(Instruction::Branch { condition, expected: false, target: 0 }, span);
        self.statements(body);
        if more {
            ends.push(self.emit(Instruction::Jump { target: 0 }, span));
        }
        Some(skip)
    }

    /// A function's defaults are computed where it is defined; its body is compiled later.
    fn definition(&mut self, definition: &StmtFunctionDef) {
        if definition.is_async {
            self.refuse_construct(Code::Async, &definition.name, "remove `async`");
        }
        for decorator in &definition.decorator_list {
            // Also one that only remembers: what is drawn at random in the function would be drawn once.
            self.refuse_construct(Code::Decorator, decorator, "remove it");
        }
        if let Some(id) = self.checker.names.functions.get(definition.name.as_str()).copied() {
            self.defaults(definition, id);
        }
    }

    /// Computes the defaults of a function's parameters.
    pub(super) fn defaults(&mut self, definition: &StmtFunctionDef, id: FunctionId) {
        for (position, parameter) in definition.parameters.iter_non_variadic_params().enumerate() {
            let Some(default) = &parameter.default else { continue };
            let register = self.temporary();
            self.expression_into(default, register);
            if let Some(signature) = self.checker.signatures.get_mut(&id)
                && let Some(known) = signature.parameters.get_mut(position)
            {
                known.default = Some(DefaultValue::Module(register));
            }
        }
    }

    /// `with opened as name: …`: what is opened here has nothing to close.
    fn with_block(&mut self, statement: &StmtWith) {
        if statement.is_async {
            self.refuse_construct(Code::Async, first_line(statement.range, &statement.body), "remove `async`");
        }
        for item in &statement.items {
            let span = self.span(item.context_expr.range());
            let first = self.temporary();
            self.expression_into(&item.context_expr, first);
            let name = self.literal(Literal::Text("__enter__".to_owned()));
            let shape = self.positional_shape(0, span);
            let to = self.temporary();
            self.emit(Instruction::CallMember { to, name, method: None, shape, first }, span);
            if let Some(target) = &item.optional_vars {
                self.assign(target, Operand::register(to));
            }
        }
        self.statements(&statement.body);
    }

    fn import(&mut self, import: &StmtImport) {
        for alias in &import.names {
            let mut name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
            let root = alias.name.split('.').next().unwrap_or_default();
            if alias.asname.is_none()
                && root != alias.name.as_str()
                && self.module_named(&alias.name).is_some()
                && let Some(module) = self.module_named(root)
            {
                // `import os.path` brings `os`.
                name = root.to_owned();
                self.checker.names.modules.insert(name, module);
                continue;
            }
            let Some(module) = self.module_named(&alias.name) else {
                self.unknown_module(&alias.name, alias);
                self.checker.names.refused.insert(name.split('.').next().unwrap_or(&name).to_owned());
                continue;
            };
            self.checker.names.modules.insert(name, module);
        }
    }

    fn import_from(&mut self, import: &StmtImportFrom) {
        let name = import.module.as_ref().map_or("", |module| module.as_str());
        let Some(module) = self.module_named(name).filter(|_| import.level == 0) else {
            self.unknown_module(name, import);
            let names = import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).to_string());
            self.checker.names.refused.extend(names);
            return;
        };
        if module == Module::Typing {
            return;
        }
        if let Module::Written("dataclasses" | "enum") = module {
            // Decorators, and what enumerations are made of, are known by their names.
            let known = ["dataclass", "field", "Enum", "IntEnum", "StrEnum", "auto", "unique"];
            for alias in import.names.iter().filter(|alias| !known.contains(&alias.name.as_str())) {
                self.import_member(module, alias);
            }
            return;
        }
        for alias in &import.names {
            self.import_member(module, alias);
        }
    }

    /// Whether a name stands for something else already.
    fn is_taken(&self, name: &str, found: Found) -> bool {
        let names = &self.checker.names;
        let function =
            names.functions.get(name).is_some_and(|id| !matches!(found, Found::Function(other) if other == *id));
        let class = names.classes.get(name).is_some_and(|id| !matches!(found, Found::Class(other) if other == *id));
        function || class || names.globals.contains_key(name)
    }

    fn import_member(&mut self, module: Module, alias: &Alias) {
        if alias.name.as_str() == "*" {
            for name in module.member_names() {
                if let Some(member) = module.member(name) {
                    self.checker.names.imported.insert(name.to_owned(), member);
                }
            }
            return;
        }
        let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
        if let Some(inner) = module.submodule(&alias.name) {
            self.checker.names.modules.insert(name.clone(), inner);
            // `chain` is a function, and has one.
            if module.member(&alias.name).is_none() {
                return;
            }
        }
        if module == Module::Collections && alias.name.as_str() == "namedtuple" {
            // Records are declared where they are assigned.
            return;
        }
        match self.checker.found_in(module, &alias.name) {
            Some(Found::Member(member)) => {
                self.checker.names.imported.insert(name, member);
            }
            Some(found @ (Found::Function(_) | Found::Class(_))) if self.is_taken(&name, found) => {
                let message = format!("`{name}` is both imported and defined in the file");
                self.refuse(Code::DefinedTwice, alias, message, "rename one of the two");
            }
            Some(Found::Function(id)) => {
                self.checker.names.functions.insert(name, id);
            }
            Some(Found::Class(id)) => {
                self.checker.names.classes.insert(name, id);
            }
            Some(Found::Constant(_)) => {
                let hint = "import the module, and write `module.constant`";
                self.refuse(Code::UnsupportedImport, alias, "a constant is imported with `from`", hint);
                self.checker.names.refused.insert(name);
            }
            None => {
                self.unknown_member(module, &alias.name, alias);
                self.checker.names.refused.insert(name);
            }
        }
    }

    /// A module that can be imported here: `pandas` only where there are tables.
    fn module_named(&self, name: &str) -> Option<Module> {
        Module::from_name(name).filter(|module| self.checker.tables || *module != Module::Pandas)
    }

    fn unknown_module(&mut self, name: &str, at: impl Ranged) {
        let message = format!("the module `{name}` cannot be imported");
        let hint = match (name, self.checker.tables) {
            ("pandas", false) => "add `import pandas as pd` at the top of the file",
            _ => "nothing is executed; the language page lists the supported modules",
        };
        self.refuse(Code::UnsupportedImport, at, message, hint);
    }

    pub(super) fn unknown_member(&mut self, module: Module, name: &str, at: impl Ranged) {
        if module == Module::Privug && is_distribution(name) {
            // Its uses are reported by this.
            self.checker.names.refused.insert(name.to_owned());
            return self.unknown_distribution(name, at);
        }
        let message = format!("`{}.{name}` is not supported here", module.name());
        const NOT_LINEAR: &[&str] = &["median", "std", "stdev", "var", "variance", "percentile", "quantile", "mode"];
        let known = self.checker.names_in(module);
        let hint = match nearest(name, known.iter().map(String::as_str)) {
            _ if NOT_LINEAR.contains(&name) => {
                "it is not linear, so its result is not Gaussian; sums and means are".to_owned()
            }
            _ if name == "IndexSlice" => {
                "choose the rows of a level by its name: `.xs(\"north\", level=\"region\")`".to_owned()
            }
            _ if name == "inf" => "write a number that is larger than all others, such as 1000".to_owned(),
            Some(near) => format!("did you mean `{near}`?"),
            None => "the language page lists the supported functions".to_owned(),
        };
        self.refuse(Code::UnknownMember, at, message, hint);
    }
}

/// `if __name__ == "__main__":`
pub(super) fn is_main_guard(branch: &StmtIf) -> bool {
    let Expr::Compare(compare) = &*branch.test else { return false };
    matches!(&*compare.left, Expr::Name(name) if name.id.as_str() == "__name__")
}

/// The head of a compound statement, without its body.
fn first_line(range: ruff_text_size::TextRange, body: &[Stmt]) -> ruff_text_size::TextRange {
    match body.first() {
        Some(first) => ruff_text_size::TextRange::new(range.start(), first.start().max(range.start())),
        None => range,
    }
}

/// Distributions that other tools have.
const OTHER_DISTRIBUTIONS: &[&str] = &[
    "Beta",
    "BetaBinomial",
    "Cauchy",
    "ChiSquared",
    "Dirichlet",
    "Empirical",
    "Exponential",
    "Gamma",
    "Gumbel",
    "HalfNormal",
    "Hypergeometric",
    "InverseGamma",
    "Laplace",
    "Logistic",
    "LogNormal",
    "Mixture",
    "Multinomial",
    "NegativeBinomial",
    "Pareto",
    "Rayleigh",
    "StudentT",
    "Triangular",
    "TruncatedNormal",
    "Uniform",
    "VonMises",
    "Weibull",
    "Wishart",
];

/// Whether a name is that of a distribution that is not known here.
pub(super) fn is_distribution(name: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace('_', "");
    name.chars().next().is_some_and(char::is_uppercase)
        && OTHER_DISTRIBUTIONS.iter().any(|known| plain(known) == plain(name))
}

impl Body<'_, '_> {
    pub(super) fn unknown_distribution(&mut self, name: &str, at: impl Ranged) {
        let message = format!("the distribution `{name}` is not known");
        let hint = match name {
            "Uniform" => {
                "`DiscreteUniform(lower, upper)` has integers; a continuous one may only be the `--prior` of an audited column"
            }
            _ if PriorLaw::named(name).is_some() => {
                "only the `--prior` of an audited column may be skewed; in a program use `Normal`, or `Categorical` on a grid"
            }
            _ => {
                "supported are `Normal`, `MultivariateNormal`, `Bernoulli`, `Categorical`, `DiscreteUniform`, `Binomial`, \
                 `Poisson` and `Geometric`"
            }
        };
        self.refuse(Code::UnknownDistribution, at, message, hint);
    }
}

/// The `t.index` of `t.index.name` and `t.index.names`.
fn named_index(attribute: &ruff_python_ast::ExprAttribute) -> Option<&ruff_python_ast::ExprAttribute> {
    match &*attribute.value {
        Expr::Attribute(inner)
            if inner.attr.as_str() == "index" && matches!(attribute.attr.as_str(), "name" | "names") =>
        {
            Some(inner)
        }
        _ => None,
    }
}
