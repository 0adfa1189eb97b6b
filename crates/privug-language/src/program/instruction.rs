//! The instructions of a checked program: a register machine, so that a loop's round costs a few of them.

use super::format::FormatSpecification;
use super::{Builtin, ClassId, FunctionId, Method};

/// A place in a call's frame.
pub type Register = u32;

/// What an instruction reads: a register, or a literal of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand(i32);

impl Operand {
    /// The value in a register.
    #[inline]
    pub fn register(register: Register) -> Self {
        Operand(register as i32)
    }

    /// The literal with an index.
    #[inline]
    pub fn literal(index: u32) -> Self {
        Operand(!(index as i32))
    }

    /// The register, or else the literal's index.
    #[inline]
    pub fn place(self) -> Result<Register, u32> {
        if self.0 >= 0 { Ok(self.0 as u32) } else { Err(!self.0 as u32) }
    }
}

/// Arithmetic with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `//`
    FloorDivide,
    /// `%`
    Remainder,
    /// `**`
    Power,
    /// `@`
    MatrixMultiply,
}

impl Binary {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::FloorDivide => "//",
            Binary::Remainder => "%",
            Binary::Power => "**",
            Binary::MatrixMultiply => "@",
        }
    }
}

/// Operators on masks of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logic {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl Logic {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Logic::And => "&",
            Logic::Or => "|",
            Logic::Xor => "^",
        }
    }
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `is None`
    Is,
    /// `is not None`
    IsNot,
}

impl Comparison {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::In => "in",
            Comparison::NotIn => "not in",
            Comparison::Is => "is",
            Comparison::IsNot => "is not",
        }
    }
}

/// One step of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the fields are what the variants' sentences name, in that order")]
pub enum Instruction {
    /// `to = from`
    Move { to: Register, from: Operand },
    /// `to` = the module's variable in `global`
    LoadGlobal { to: Register, global: Register },
    /// `to = left operator right`; `in_place` if it was written `left operator= right`.
    Binary { operator: Binary, in_place: bool, to: Register, left: Operand, right: Operand },
    /// `to = -from`
    Negate { to: Register, from: Operand },
    /// `to = +from`
    Plus { to: Register, from: Operand },
    /// `to = not from`
    Not { to: Register, from: Operand },
    /// `to = left operator right`, on masks and integers
    Logic { operator: Logic, in_place: bool, to: Register, left: Operand, right: Operand },
    /// `to = ~from`, on masks
    Invert { to: Register, from: Operand },
    /// `to = left operator right`
    Compare { operator: Comparison, to: Register, left: Operand, right: Operand },
    /// Goes on at `target`.
    Jump { target: u32 },
    /// Goes on at `target` if the truth of `condition` is `expected`.
    Branch { condition: Operand, expected: bool, target: u32 },
    /// `to = []`
    NewList { to: Register },
    /// Appends `value` to the list in `list`, which no variable refers to yet.
    Append { list: Register, value: Operand },
    /// Frees the list in `list`, which nothing refers to any more.
    Forget { list: Register },
    /// Makes the list in `list` a tuple.
    Freeze { list: Register },
    /// Makes the list in `list` a set.
    MakeSet { list: Register },
    /// `to = {}`
    NewDict { to: Register },
    /// `dict[key] = value` for a dictionary that no variable refers to yet.
    Insert { dict: Register, key: Operand, value: Operand },
    /// `to = object[index]`
    Index { to: Register, object: Operand, index: Operand },
    /// `to = object.name`, a column of a table; the name is a literal.
    Column { to: Register, object: Operand, name: Operand },
    /// `to = object[start:stop:step]`, the three in the registers from `bounds` on.
    Slice { to: Register, object: Operand, bounds: Register },
    /// `to` = the slice whose bounds are in the registers from `bounds` on.
    MakeSlice { to: Register, bounds: Register },
    /// Makes the list in `list`, which no variable refers to yet, an iterator.
    MakeIterator { list: Register },
    /// `object[index] = value`
    SetIndex { object: Operand, index: Operand, value: Operand },
    /// `object.name = value`; the name is a literal.
    SetAttribute { object: Operand, name: Operand, value: Operand },
    /// Spreads `from` over `count` registers from `first` on.
    Unpack { from: Operand, first: Register, count: u32 },
    /// Spreads `from` over `before` registers, a list of what is between, and `after` registers, from `first` on.
    UnpackRest { from: Operand, first: Register, before: u32, after: u32 },
    /// `to` = a new object of a class, without attributes.
    NewObject { to: Register, class: ClassId },
    /// `to = object.name`, an attribute of an object; of other values what the method gives, or else a column. The name is a
    /// literal.
    Member { to: Register, object: Operand, name: Operand, method: Option<Method> },
    /// `to = object.name(...)`, the object in `first`, the arguments behind it; of other values than objects the method.
    CallMember { to: Register, name: Operand, method: Option<Method>, shape: u32, first: Register },
    /// `to = callee(*list, **dict)`, the callee in `first`, the list and the dictionary behind it; with a method, that of the
    /// object in `first`.
    CallSpread { to: Register, method: Option<Method>, first: Register },
    /// Opens loop number `slot` over `over`.
    StartLoop { slot: u32, over: Operand },
    /// `to` = the loop's next item, or goes on at `exit`.
    NextItem { slot: u32, to: Register, exit: u32 },
    /// `to` = the loop's next item, and goes on at `body`; without one, the loop has come to its end.
    Repeat { slot: u32, to: Register, body: u32 },
    /// `to = function(...)`, one argument for each parameter from `first` on.
    Call { to: Register, function: FunctionId, first: Register },
    /// `to` = a function that is called later, with the values of the variables that it sees, from `first` on.
    MakeFunction { to: Register, function: FunctionId, first: Register, count: u32 },
    /// `to` = a function of the language.
    MakeBuiltin { to: Register, builtin: Builtin },
    /// `to = callee(...)`, the callee in `first`, the arguments behind it.
    CallValue { to: Register, shape: u32, first: Register },
    /// `to = builtin(...)`, the arguments from `first` on as the call shape says.
    CallBuiltin { to: Register, builtin: Builtin, shape: u32, first: Register },
    /// `to = object.method(...)`, the object in `first`, the arguments behind it.
    CallMethod { to: Register, method: Method, shape: u32, first: Register },
    /// `to` = `from` as text
    Format { to: Register, from: Operand, specification: FormatSpecification },
    /// `to` = two pieces of an f-string together
    Join { to: Register, left: Operand, right: Operand },
    /// Stops with `message` if `condition` does not hold.
    Assert { condition: Operand, message: Operand },
    /// Raises the exception whose class is named `exception`, with a message, and what a handler may read of it: a text and a
    /// tuple, if anything.
    Raise { exception: Operand, message: Operand, said: Operand },
    /// Ends the call with `value`, named as the result name says.
    Return { value: Operand, name: u32 },
}
