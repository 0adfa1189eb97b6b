//! Compiling expressions.

use ruff_python_ast::{BoolOp, CmpOp, Expr, ExprBinOp, ExprCompare, ExprName, Operator, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

use super::builtin::Builtin;
use super::functions::Body;
use super::instruction::{Binary, Comparison, Instruction, Logic, Operand, Register};
use super::lambdas::{Called, FunctionValue};
use super::methods::Method;
use super::modules::{Member, Module};
use super::written::Found;
use super::{Literal, ResultName};
use crate::diagnostic::{Code, listed, nearest};

/// A result named by a longer text is called `return` instead.
const MAX_NAME: usize = 60;

impl Body<'_, '_> {
    /// Compiles an expression into a register.
    pub(super) fn expression_into(&mut self, tree: &Expr, to: Register) {
        let operand = self.expression(tree, Some(to));
        if operand != Operand::register(to) {
            let span = self.span(tree.range());
            self.emit(Instruction::Move { to, from: operand }, span);
        }
    }

    /// Compiles an expression; `to` is where an instruction may put its result if it writes only at its end, so that
    /// `x = f(x)` needs no detour.
    pub(super) fn expression(&mut self, tree: &Expr, to: Option<Register>) -> Operand {
        let span = self.span(tree.range());
        match tree {
            Expr::Name(name) => self.name(name, to),
            Expr::NumberLiteral(number) => self.number(number),
            Expr::StringLiteral(text) => self.literal(Literal::Text(text.value.to_str().to_owned())),
            Expr::BooleanLiteral(literal) => self.literal(Literal::Bool(literal.value)),
            Expr::NoneLiteral(_) => self.literal(Literal::None),
            Expr::BinOp(operation) => self.binary(operation, to),
            Expr::UnaryOp(operation) => {
                let from = self.expression(&operation.operand, None);
                let to = to.unwrap_or_else(|| self.temporary());
                let instruction = match operation.op {
                    UnaryOp::USub => Instruction::Negate { to, from },
                    UnaryOp::UAdd => Instruction::Plus { to, from },
                    UnaryOp::Not => Instruction::Not { to, from },
                    UnaryOp::Invert => Instruction::Invert { to, from },
                };
                self.emit(instruction, span);
                Operand::register(to)
            }
            Expr::BoolOp(operation) => {
                // The result is one of the operands; writing it early would clobber `to` while it is still read.
                let result = self.temporary();
                let mut jumps = Vec::new();
                for (index, value) in operation.values.iter().enumerate() {
                    self.scratch(|body| body.expression_into(value, result));
                    if index + 1 < operation.values.len() {
                        let expected = operation.op == BoolOp::Or;
                        let condition = Operand::register(result);
                        let span = self.span(value.range());
                        jumps.push(self.emit(Instruction::Branch { condition, expected, target: 0 }, span));
                    }
                }
                jumps.into_iter().for_each(|jump| self.land(jump));
                Operand::register(result)
            }
            Expr::Compare(comparison) => self.comparison(comparison),
            Expr::If(choice) => {
                let result = self.temporary();
                let condition = self.scratch(|body| body.expression(&choice.test, None));
                let test = self.span(choice.test.range());
                let otherwise = self.emit(Instruction::Branch { condition, expected: false, target: 0 }, test);
                self.scratch(|body| body.expression_into(&choice.body, result));
                let end = self.emit(Instruction::Jump { target: 0 }, span);
                self.land(otherwise);
                self.scratch(|body| body.expression_into(&choice.orelse, result));
                self.land(end);
                Operand::register(result)
            }
            Expr::List(list) => Operand::register(self.display(&list.elts, tree.range())),
            Expr::Tuple(tuple) => {
                let list = self.display(&tuple.elts, tree.range());
                self.emit(Instruction::Freeze { list }, span);
                Operand::register(list)
            }
            Expr::Dict(dict) => {
                let register = self.temporary();
                self.emit(Instruction::NewDict { to: register }, span);
                for item in &dict.items {
                    let Some(key) = &item.key else {
                        self.add_all(Method::Update, register, &item.value);
                        continue;
                    };
                    self.scratch(|body| {
                        let key_operand = body.expression(key, None);
                        let value = body.expression(&item.value, None);
                        let span = body.span(key.range());
                        body.emit(Instruction::Insert { dict: register, key: key_operand, value }, span);
                    });
                }
                Operand::register(register)
            }
            Expr::ListComp(comprehension) => {
                let list = self.list_comprehension(&comprehension.elt, &comprehension.generators, tree.range());
                Operand::register(list)
            }
            Expr::Generator(_) => {
                let hint =
                    "write a list: `[x for x in xs]`; a generator expression must be the only argument of a call";
                self.refused(Code::UnsupportedSyntax, tree, hint)
            }
            Expr::DictComp(comprehension) => {
                let Some(key) = &comprehension.key else {
                    self.refuse_construct(Code::StarArguments, tree, "list the entries one by one");
                    return self.literal(Literal::None);
                };
                let (value, generators) = (&comprehension.value, &comprehension.generators);
                Operand::register(self.dict_comprehension(key, value, generators, tree.range()))
            }
            Expr::Call(call) => self.call(call, to),
            Expr::Attribute(attribute) => self.attribute(attribute, to),
            Expr::Subscript(subscript) => {
                if let Some(member) = self.enum_subscript(&subscript.value, &subscript.slice, to) {
                    return member;
                }
                if let Some(columns) = self.columns_side_by_side(&subscript.value, &subscript.slice) {
                    let first = self.temporary();
                    self.expression_into(&columns, first);
                    let shape = self.positional_shape(1, span);
                    let to = to.unwrap_or_else(|| self.temporary());
                    let builtin = Builtin::Numpy(super::NumpyFunction::ColumnStack);
                    self.emit(Instruction::CallBuiltin { to, builtin, shape, first }, span);
                    return Operand::register(to);
                }
                if let Some(call) = self.rows_end_to_end(&subscript.value, &subscript.slice)
                    && let Some(Found::Function(id)) = self.checker.found_written("numpy", "_end_to_end")
                {
                    return self.call_function(id, &call, to, None);
                }
                if self.is_index_slice(&subscript.value) {
                    return self.subscript_index(&subscript.slice);
                }
                let object = self.expression(&subscript.value, None);
                if let Expr::Slice(slice) = &*subscript.slice {
                    let bounds = self.slice_bounds(slice, span);
                    let to = to.unwrap_or_else(|| self.temporary());
                    self.emit(Instruction::Slice { to, object, bounds }, span);
                    return Operand::register(to);
                }
                let index = self.subscript_index(&subscript.slice);
                let to = to.unwrap_or_else(|| self.temporary());
                self.emit(Instruction::Index { to, object, index }, span);
                Operand::register(to)
            }
            Expr::FString(string) => self.f_string(string, to),
            Expr::Lambda(lambda) => self.lambda(lambda, Called::Later, to),
            Expr::Named(named) => self.named(named),
            Expr::Set(set) => {
                let list = self.display(&set.elts, tree.range());
                self.emit(Instruction::MakeSet { list }, span);
                Operand::register(list)
            }
            Expr::SetComp(comprehension) => {
                let list = self.list_comprehension(&comprehension.elt, &comprehension.generators, tree.range());
                self.emit(Instruction::MakeSet { list }, span);
                Operand::register(list)
            }
            Expr::Await(_) => self.refused(Code::Async, tree, "remove `await`"),
            Expr::Yield(_) | Expr::YieldFrom(_) => {
                self.refused(Code::Yield, tree, "write `yield` as a separate statement, inside a function")
            }
            Expr::BytesLiteral(_) | Expr::EllipsisLiteral(_) => {
                self.refused(Code::Literal, tree, "use numbers, strings, lists, tuples and dictionaries")
            }
            Expr::TString(_) => self.refused(Code::Literal, tree, "use an f-string"),
            Expr::Starred(_) => self.refused(Code::StarArguments, tree, "list the elements one by one, or use `+`"),
            Expr::Slice(_) => {
                self.refused(Code::UnsupportedSyntax, tree, "write a slice in square brackets: `rows[a:b]`")
            }
            Expr::IpyEscapeCommand(_) => {
                self.refused(Code::UnsupportedSyntax, tree, "remove it: it is not valid Python")
            }
        }
    }

    /// The bounds of a slice, in three registers.
    fn slice_bounds(&mut self, slice: &ruff_python_ast::ExprSlice, span: crate::source::Span) -> Register {
        let bounds = self.temporaries(3);
        for (part, register) in [&slice.lower, &slice.upper, &slice.step].into_iter().zip(bounds..) {
            match part {
                Some(part) => self.expression_into(part, register),
                None => {
                    let from = self.literal(Literal::None);
                    self.emit(Instruction::Move { to: register, from }, span);
                }
            }
        }
        bounds
    }

    /// `slice(None)`, `slice(a, b)`: what stands in brackets as `:` and `a:b`.
    pub(super) fn slice_call(&mut self, call: &ruff_python_ast::ExprCall) -> Option<Operand> {
        let (lower, upper, step) = match &*call.arguments.args {
            _ if !call.arguments.keywords.is_empty() => return None,
            [stop] => (None, Some(stop), None),
            [start, stop] => (Some(start), Some(stop), None),
            [start, stop, step] => (Some(start), Some(stop), Some(step)),
            _ => return None,
        };
        let part = |part: Option<&Expr>| part.map(|part| Box::new(part.clone()));
        Some(self.subscript_index(&Expr::Slice(ruff_python_ast::ExprSlice {
            lower: part(lower),
            upper: part(upper),
            step: part(step),
            range: call.range(),
            node_index: Default::default(),
        })))
    }

    /// Whether an expression is `pd.IndexSlice`, whose brackets give what stands in them.
    fn is_index_slice(&self, tree: &Expr) -> bool {
        match tree {
            Expr::Attribute(attribute) if attribute.attr.as_str() == "IndexSlice" => {
                self.module_of(&attribute.value) == Some(Module::Pandas)
            }
            _ => false,
        }
    }

    /// What stands in brackets behind a value: an index, a slice, or several of them.
    pub(super) fn subscript_index(&mut self, tree: &Expr) -> Operand {
        let span = self.span(tree.range());
        match tree {
            Expr::Slice(slice) => {
                let bounds = self.slice_bounds(slice, span);
                let to = self.temporary();
                self.emit(Instruction::MakeSlice { to, bounds }, span);
                Operand::register(to)
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(|part| matches!(part, Expr::Slice(_))) => {
                let list = self.temporary();
                self.emit(Instruction::NewList { to: list }, span);
                for part in &tuple.elts {
                    self.scratch(|body| {
                        let value = body.subscript_index(part);
                        let span = body.span(part.range());
                        body.emit(Instruction::Append { list, value }, span);
                    });
                }
                self.emit(Instruction::Freeze { list }, span);
                Operand::register(list)
            }
            other => self.expression(other, None),
        }
    }

    pub(super) fn refused(&mut self, code: Code, tree: &Expr, hint: &str) -> Operand {
        self.refuse_construct(code, tree, hint);
        self.literal(Literal::None)
    }

    /// A list written out.
    pub(super) fn display(&mut self, elements: &[Expr], at: TextRange) -> Register {
        let list = self.temporary();
        let span = self.span(at);
        self.emit(Instruction::NewList { to: list }, span);
        for element in elements {
            if let Expr::Starred(starred) = element {
                self.add_all(Method::Extend, list, &starred.value);
                continue;
            }
            self.scratch(|body| {
                let value = match body.infinity(element) {
                    // Among the edges of intervals it is known; nothing is computed with it.
                    Some(text) => body.literal(Literal::Text(text.to_owned())),
                    None => body.expression(element, None),
                };
                let span = body.span(element.range());
                body.emit(Instruction::Append { list, value }, span);
            });
        }
        list
    }

    /// How Python writes the infinite number that an expression names: `np.inf`, `-math.inf`, `float("inf")`.
    fn infinity(&self, tree: &Expr) -> Option<&'static str> {
        match tree {
            Expr::UnaryOp(operation) if operation.op == UnaryOp::USub => match self.infinity(&operation.operand)? {
                "inf" => Some("-inf"),
                _ => Some("inf"),
            },
            Expr::Attribute(attribute) if matches!(attribute.attr.as_str(), "inf" | "Inf" | "infty") => {
                let module = self.module_of(&attribute.value)?;
                matches!(module, Module::Numpy | Module::Math).then_some("inf")
            }
            Expr::Call(call) => match (&*call.func, &*call.arguments.args) {
                (Expr::Name(name), [Expr::StringLiteral(text)])
                    if name.id.as_str() == "float" && self.variable("float").is_none() =>
                {
                    match text.value.to_str() {
                        "inf" => Some("inf"),
                        "-inf" => Some("-inf"),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn name(&mut self, name: &ExprName, to: Option<Register>) -> Operand {
        let text = name.id.as_str();
        let span = self.span(name.range);
        self.refuse_generator_value(name.range);
        if let Some(register) = self.variable(text) {
            if self.checker.named_on_the_way.contains(text) {
                // It may be given another value before this one is used.
                let copy = self.temporary();
                self.emit(Instruction::Move { to: copy, from: Operand::register(register) }, span);
                return Operand::register(copy);
            }
            return Operand::register(register);
        }
        if let Some(global) = self.checker.names.globals.get(text).copied() {
            let to = to.unwrap_or_else(|| self.temporary());
            self.emit(Instruction::LoadGlobal { to, global }, span);
            return Operand::register(to);
        }
        if let Some(Member::Constant(constant)) = self.checker.builtin_named(text) {
            return self.constant(constant);
        }
        if self.checker.names.refused.contains(text) {
            // The import that should have brought it is reported already.
            return self.literal(Literal::None);
        }
        if let Some(id) = self.checker.names.functions.get(text).copied() {
            return self.function_value(FunctionValue::OfFile(id), name, to);
        }
        if let Some(Member::Function(builtin)) = self.checker.builtin_named(text) {
            return self.function_value(FunctionValue::OfLanguage(builtin), name, to);
        }
        if let Some(Found::Function(id)) = self.checker.found_written("builtins", text) {
            return self.function_value(FunctionValue::OfFile(id), name, to);
        }
        // A script that is audited is the one that is run; where it lies says nothing about its tables.
        if let Some(value) =
            [("__name__", "__main__"), ("__file__", "script.py")].iter().find(|(name, _)| *name == text)
        {
            return self.literal(Literal::Text(value.1.to_owned()));
        }
        if text == "__doc__" {
            let docstring = self.checker.docstring.clone();
            return self.literal(docstring.map_or(Literal::None, Literal::Text));
        }
        if let Some(members) = self.enum_as_value(&Expr::Name(name.clone())) {
            return members;
        }
        if self.checker.names.classes.contains_key(text) {
            if let Some(function) = self.class_function(name, to) {
                return function;
            }
            let message = format!("the class `{text}` is used as a value");
            self.refuse(Code::FunctionAsValue, name, message, "call it, or write a function that does");
        } else if self.checker.names.modules.contains_key(text) {
            let message = format!("the module `{text}` is used as a value");
            self.refuse(Code::FunctionAsValue, name, message, "name one of its functions");
        } else {
            let message = format!("`{text}` is not defined");
            let hint = self.did_you_mean(text);
            self.refuse(Code::UnknownName, name, message, hint);
        }
        self.literal(Literal::None)
    }

    /// A constant of a module.
    pub(super) fn constant(&mut self, constant: super::BuiltinConstant) -> Operand {
        match constant {
            super::BuiltinConstant::NotANumber => self.literal(Literal::NotANumber),
            super::BuiltinConstant::None => self.literal(Literal::None),
            super::BuiltinConstant::Text(text) => self.literal(Literal::Text(text.to_owned())),
            number => self.literal(Literal::Float(number.literal().to_owned())),
        }
    }

    fn nearest_name(&self, name: &str) -> Option<&str> {
        let scoped = self.scopes.iter().flat_map(|scope| scope.keys());
        let own = self.variables.keys().chain(scoped).chain(&self.suggestions).map(String::as_str);
        nearest(name, own.chain(self.checker.known_names()))
    }

    /// What to do about a function that there is not.
    pub(super) fn which_function(&self, name: &str) -> String {
        match self.nearest_name(name) {
            None if self.is_beside => "a distribution is written as `Normal(mean=..., std=...)`".to_owned(),
            _ => self.did_you_mean(name),
        }
    }

    pub(super) fn did_you_mean(&self, name: &str) -> String {
        match self.nearest_name(name) {
            Some(near) => format!("did you mean `{near}`?"),
            None => match name {
                "np" | "numpy" => "add `import numpy as np`".to_owned(),
                "pd" | "pandas" if self.checker.tables => "add `import pandas as pd`".to_owned(),
                "math" | "statistics" | "privug" => format!("add `import {name}`"),
                // An option has nothing but the variables of the program, or the columns of the table.
                _ if self.is_beside => match self.suggestions.as_slice() {
                    [] => "write a number or an expression of the language".to_owned(),
                    names => listed("the only name known here is", "the names known here are", names),
                },
                _ => "assign it, make it a parameter, or import it".to_owned(),
            },
        }
    }

    /// The instruction of an operator with two operands.
    pub(super) fn operation(
        &mut self,
        operator: Operator,
        in_place: bool,
        (to, left, right): (Register, Operand, Operand),
        at: TextRange,
    ) -> Option<Instruction> {
        let logic = match operator {
            Operator::BitAnd => Some(Logic::And),
            Operator::BitOr => Some(Logic::Or),
            Operator::BitXor => Some(Logic::Xor),
            _ => None,
        };
        if let Some(operator) = logic {
            return Some(Instruction::Logic { operator, in_place, to, left, right });
        }
        if matches!(operator, Operator::LShift | Operator::RShift) {
            let builtin = if operator == Operator::LShift { Builtin::ShiftLeft } else { Builtin::ShiftRight };
            return Some(self.shift(builtin, (to, left, right), at));
        }
        let operator = self.binary_operator(operator, at)?;
        Some(Instruction::Binary { operator, in_place, to, left, right })
    }

    /// `left << right` and `left >> right` are functions of two integers.
    fn shift(
        &mut self,
        builtin: Builtin,
        (to, left, right): (Register, Operand, Operand),
        at: TextRange,
    ) -> Instruction {
        let span = self.span(at);
        let first = self.temporaries(2);
        self.emit(Instruction::Move { to: first, from: left }, span);
        self.emit(Instruction::Move { to: first + 1, from: right }, span);
        let shape = self.positional_shape(2, span);
        Instruction::CallBuiltin { to, builtin, shape, first }
    }

    fn binary_operator(&mut self, operator: Operator, at: TextRange) -> Option<Binary> {
        Some(match operator {
            Operator::Add => Binary::Add,
            Operator::Sub => Binary::Subtract,
            Operator::Mult => Binary::Multiply,
            Operator::Div => Binary::Divide,
            Operator::FloorDiv => Binary::FloorDivide,
            Operator::Mod => Binary::Remainder,
            Operator::Pow => Binary::Power,
            Operator::MatMult => Binary::MatrixMultiply,
            Operator::LShift | Operator::RShift | Operator::BitOr | Operator::BitXor | Operator::BitAnd => {
                let hint = "use `and`, `or` on booleans, `*` and `//` on integers";
                self.refuse_construct(Code::BitOperator, at, hint);
                return None;
            }
        })
    }

    /// `a + b + c + …` leans to the left; its spine is walked in a loop, because it may be thousands of terms long.
    fn binary(&mut self, operation: &ExprBinOp, to: Option<Register>) -> Operand {
        let mut spine = vec![operation];
        while let Some(last) = spine.last()
            && let Expr::BinOp(left) = &*last.left
        {
            spine.push(left);
        }
        let Some(innermost) = spine.last() else { return self.literal(Literal::None) };
        let shown = match innermost.op {
            Operator::Mod => {
                let to = to.filter(|_| spine.len() == 1);
                self.percent_format(&innermost.left, &innermost.right, to)
            }
            _ => None,
        };
        let mut value = match shown {
            Some(shown) => {
                spine.pop();
                shown
            }
            None => self.expression(&innermost.left, None),
        };
        let sum = self.temporary();
        for (remaining, step) in spine.iter().enumerate().rev() {
            let target = if remaining == 0 { to.unwrap_or(sum) } else { sum };
            let span = self.span(step.range);
            let compiled = self.scratch(|body| {
                let right = body.expression(&step.right, None);
                let is_said =
                    step.op == Operator::Add && [&step.left, &step.right].iter().any(|side| side.is_f_string_expr());
                let instruction = match is_said {
                    // Figures that depend on the secret are no texts here, but may stand in one.
                    true => Instruction::Join { to: target, left: value, right },
                    false => body.operation(step.op, false, (target, value, right), step.range)?,
                };
                Some(body.emit(instruction, span))
            });
            if compiled.is_some() {
                value = Operand::register(target);
            }
        }
        value
    }

    /// `a < b <= c`: every operand is computed once, and none behind the first comparison that fails.
    fn comparison(&mut self, comparison: &ExprCompare) -> Operand {
        let result = self.temporary();
        let mut left = self.expression(&comparison.left, None);
        let mut jumps = Vec::new();
        for (index, (operator, right)) in comparison.ops.iter().zip(&comparison.comparators).enumerate() {
            let right_operand = self.expression(right, None);
            let operator = match operator {
                CmpOp::Eq => Comparison::Equal,
                CmpOp::NotEq => Comparison::NotEqual,
                CmpOp::Lt => Comparison::Less,
                CmpOp::LtE => Comparison::LessEqual,
                CmpOp::Gt => Comparison::Greater,
                CmpOp::GtE => Comparison::GreaterEqual,
                CmpOp::In => Comparison::In,
                CmpOp::NotIn => Comparison::NotIn,
                // A member of an enumeration is there once.
                CmpOp::Is if self.is_enum_member(right) => Comparison::Equal,
                CmpOp::IsNot if self.is_enum_member(right) => Comparison::NotEqual,
                CmpOp::Is => Comparison::Is,
                CmpOp::IsNot => Comparison::IsNot,
            };
            if matches!(operator, Comparison::Is | Comparison::IsNot)
                && !matches!(right, Expr::NoneLiteral(_) | Expr::BooleanLiteral(_))
                && !self.is_enum_member(right)
                && !self.has_own_classes()
            {
                self.refuse_construct(Code::IdentityTest, comparison.range, "write `==`");
            }
            let span = self.span(comparison.range);
            self.emit(Instruction::Compare { operator, to: result, left, right: right_operand }, span);
            if index + 1 < comparison.ops.len() {
                let condition = Operand::register(result);
                jumps.push(self.emit(Instruction::Branch { condition, expected: false, target: 0 }, span));
            }
            left = right_operand;
        }
        jumps.into_iter().for_each(|jump| self.land(jump));
        Operand::register(result)
    }

    /// How a returned value is called: by its source text, element by element where it is written out.
    pub(super) fn result_name(&self, tree: &Expr) -> ResultName {
        match tree {
            Expr::List(list) => ResultName::Elements(list.elts.iter().map(|tree| self.result_name(tree)).collect()),
            Expr::Tuple(tuple) => ResultName::Elements(tuple.elts.iter().map(|tree| self.result_name(tree)).collect()),
            // Entries of a dictionary are known by their keys.
            Expr::Dict(_) | Expr::DictComp(_) => ResultName::Text("return".to_owned()),
            _ => ResultName::Text(self.text_name(tree, "return")),
        }
    }

    /// The source text of an expression, unless it is too long for a name.
    pub(super) fn text_name(&self, tree: &Expr, otherwise: &str) -> String {
        let text = self.checker.sources.name_of(self.span(tree.range()));
        if text.chars().count() <= MAX_NAME { text } else { otherwise.to_owned() }
    }
}
