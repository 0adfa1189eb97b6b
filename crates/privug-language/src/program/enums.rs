//! Enumerations: `class Colour(Enum)` with literals as the values of its members.
//!
//! A member of an `Enum` is the text that Python prints for it, `Colour.RED`; one of an `IntEnum` or a `StrEnum` is its value,
//! which is what Python compares and prints.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall, Number, Stmt, StmtClassDef, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

use super::Literal;
use super::check::Checker;
use super::functions::Body;
use super::instruction::{Instruction, Operand, Register};

/// A member of an enumeration.
#[derive(Clone)]
pub(super) struct EnumMember {
    name: String,
    /// What it is in a run.
    literal: Literal,
    /// What `.value` gives.
    value: Literal,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `Enum`
    Named,
    /// `IntEnum`
    Integers,
    /// `StrEnum`
    Texts,
}

impl Checker<'_> {
    /// Makes an enumeration known; whether the class is one that is part of the language.
    pub(super) fn declare_enum(&mut self, definition: &StmtClassDef) -> bool {
        let Some(kind) = kind_of(definition) else { return false };
        let Some(members) = members_of(definition, kind) else { return false };
        self.names.enums.insert(definition.name.to_string(), members);
        true
    }
}

impl Body<'_, '_> {
    /// The members of the enumeration that an expression names.
    fn enumeration(&self, tree: &Expr) -> Option<&[EnumMember]> {
        let Expr::Name(name) = tree else { return None };
        let is_hidden = self.variable(&name.id).is_some();
        self.checker.names.enums.get(name.id.as_str()).filter(|_| !is_hidden).map(Vec::as_slice)
    }

    /// Whether an expression is a member of an enumeration, as it is written.
    pub(super) fn is_enum_member(&self, tree: &Expr) -> bool {
        let Expr::Attribute(attribute) = tree else { return false };
        let members = self.enumeration(&attribute.value);
        members.is_some_and(|members| members.iter().any(|member| member.name == attribute.attr.as_str()))
    }

    /// `Colour`, as something to go through: its members in order, aliases left out.
    pub(super) fn enum_as_value(&mut self, tree: &Expr) -> Option<Operand> {
        let mut seen: Vec<Literal> = Vec::new();
        for member in self.enumeration(tree)? {
            if !seen.contains(&member.literal) {
                seen.push(member.literal.clone());
            }
        }
        let (list, span) = (self.temporary(), self.span(tree.range()));
        self.emit(Instruction::NewList { to: list }, span);
        for literal in seen {
            let value = self.literal(literal);
            self.emit(Instruction::Append { list, value }, span);
        }
        self.emit(Instruction::Freeze { list }, span);
        Some(Operand::register(list))
    }

    /// `Colour.RED`, and `.name` and `.value` of a member.
    pub(super) fn enum_attribute(&mut self, attribute: &ExprAttribute, to: Option<Register>) -> Option<Operand> {
        let name = attribute.attr.as_str();
        if let Some(members) = self.enumeration(&attribute.value) {
            let literal = members.iter().find(|member| member.name == name)?.literal.clone();
            return Some(self.literal(literal));
        }
        let is_name = match name {
            "name" => true,
            "value" => false,
            _ => return None,
        };
        if self.checker.names.enums.is_empty() || self.is_member(name) {
            return None;
        }
        let mut entries: Vec<(Literal, Literal)> = Vec::new();
        let mut enums: Vec<&Vec<EnumMember>> = self.checker.names.enums.values().collect();
        enums.sort_by(|a, b| a.first().map(|first| &first.name).cmp(&b.first().map(|first| &first.name)));
        for member in enums.into_iter().flatten() {
            let shown = if is_name { Literal::Text(member.name.clone()) } else { member.value.clone() };
            match entries.iter().position(|(known, _)| *known == member.literal) {
                // An alias has the name of the first one; two enumerations of integers are not told apart.
                Some(at) if is_name && is_number(&member.literal) && entries[at].1 != shown => {
                    entries[at].1 = Literal::Missing;
                }
                Some(_) => {}
                None => entries.push((member.literal.clone(), shown)),
            }
        }
        entries.retain(|(_, shown)| *shown != Literal::Missing);
        let object = self.expression(&attribute.value, None);
        Some(self.looked_up(entries, object, attribute.range(), to))
    }

    /// `Colour(2)`: the member with a value.
    pub(super) fn enum_call(&mut self, call: &ExprCall, to: Option<Register>) -> Option<Operand> {
        let members = self.enumeration(&call.func)?;
        let entries = members.iter().map(|member| (member.value.clone(), member.literal.clone())).collect();
        let [value] = &*call.arguments.args else { return None };
        if !call.arguments.keywords.is_empty() || value.is_starred_expr() {
            return None;
        }
        let value = self.expression(value, None);
        Some(self.looked_up(entries, value, call.range(), to))
    }

    /// `Colour["RED"]`: the member with a name.
    pub(super) fn enum_subscript(&mut self, object: &Expr, index: &Expr, to: Option<Register>) -> Option<Operand> {
        let members = self.enumeration(object)?;
        let entries =
            members.iter().map(|member| (Literal::Text(member.name.clone()), member.literal.clone())).collect();
        let index_value = self.expression(index, None);
        Some(self.looked_up(entries, index_value, index.range(), to))
    }

    fn looked_up(
        &mut self,
        entries: Vec<(Literal, Literal)>,
        index: Operand,
        at: TextRange,
        to: Option<Register>,
    ) -> Operand {
        let (dict, span) = (self.temporary(), self.span(at));
        self.emit(Instruction::NewDict { to: dict }, span);
        let mut known: Vec<Literal> = Vec::new();
        for (key, value) in entries {
            if known.contains(&key) {
                continue;
            }
            known.push(key.clone());
            let (key, value) = (self.literal(key), self.literal(value));
            self.emit(Instruction::Insert { dict, key, value }, span);
        }
        let to = to.unwrap_or_else(|| self.temporary());
        self.emit(Instruction::Index { to, object: Operand::register(dict), index }, span);
        Operand::register(to)
    }
}

fn is_number(literal: &Literal) -> bool {
    matches!(literal, Literal::Integer(_))
}

/// Which enumeration a class says it is.
fn kind_of(definition: &StmtClassDef) -> Option<Kind> {
    let arguments = definition.arguments.as_ref()?;
    let [base] = &*arguments.args else { return None };
    let name = match base {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return None,
    };
    let is_unique = |decorator: &ruff_python_ast::Decorator| super::classes::names(decorator, "unique");
    if !arguments.keywords.is_empty() || !definition.decorator_list.iter().all(is_unique) {
        return None;
    }
    match name {
        "Enum" => Some(Kind::Named),
        "IntEnum" => Some(Kind::Integers),
        "StrEnum" => Some(Kind::Texts),
        _ => None,
    }
}

/// The members of an enumeration; `None` if there is more in it than literals.
fn members_of(definition: &StmtClassDef, kind: Kind) -> Option<Vec<EnumMember>> {
    let mut members: Vec<EnumMember> = Vec::new();
    let mut last = 0_i64;
    for statement in &definition.body {
        let assign = match statement {
            Stmt::Assign(assign) => assign,
            Stmt::Pass(_) => continue,
            Stmt::Expr(text) if matches!(&*text.value, Expr::StringLiteral(_)) => continue,
            _ => return None,
        };
        let [Expr::Name(name)] = assign.targets.as_slice() else { return None };
        let name = name.id.to_string();
        if name.starts_with('_') || members.iter().any(|member| member.name == name) {
            return None;
        }
        let value = match literal_of(&assign.value)? {
            // `auto()`: one more than the last, or the name in small letters.
            Literal::Missing if kind == Kind::Texts => Literal::Text(name.to_lowercase()),
            Literal::Missing => Literal::Integer((last + 1).to_string()),
            value => value,
        };
        if let Literal::Integer(digits) = &value {
            last = digits.parse::<i64>().ok()?.max(last);
        }
        let first = members.iter().find(|member| member.value == value);
        let literal = match (kind, &value) {
            (Kind::Named, _) => match first {
                Some(first) => first.literal.clone(),
                None => Literal::Text(format!("{}.{name}", definition.name)),
            },
            (Kind::Integers, Literal::Integer(_)) | (Kind::Texts, Literal::Text(_)) => value.clone(),
            (Kind::Integers | Kind::Texts, _) => return None,
        };
        // An alias calls itself by the name of the first one, which numbers and texts do not tell.
        if first.is_some() && kind != Kind::Named {
            return None;
        }
        members.push(EnumMember { name, literal, value });
    }
    (!members.is_empty()).then_some(members)
}

/// A literal as it is written; `auto()` is [`Literal::Missing`].
fn literal_of(tree: &Expr) -> Option<Literal> {
    match tree {
        Expr::StringLiteral(text) => Some(Literal::Text(text.value.to_str().to_owned())),
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(value) => value.as_i64().map(|value| Literal::Integer(value.to_string())),
            Number::Float(_) | Number::Complex { .. } => None,
        },
        Expr::UnaryOp(minus) if minus.op == UnaryOp::USub => match literal_of(&minus.operand)? {
            Literal::Integer(digits) => Some(Literal::Integer(format!("-{digits}"))),
            _ => None,
        },
        Expr::Call(call) if call.arguments.is_empty() => match &*call.func {
            Expr::Name(name) if name.id.as_str() == "auto" => Some(Literal::Missing),
            Expr::Attribute(attribute) if attribute.attr.as_str() == "auto" => Some(Literal::Missing),
            _ => None,
        },
        _ => None,
    }
}
