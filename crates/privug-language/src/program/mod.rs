//! Syntax tree to [`Program`]: names resolved to registers, and everything outside the language refused.

mod arguments;
mod attributes;
mod bindings;
mod builtin;
mod calls;
mod check;
mod classes;
mod constants;
mod enums;
mod exceptions;
mod expanded;
mod expressions;
mod format;
mod functions;
mod generators;
mod given;
mod instruction;
mod iteration;
mod lambdas;
mod leaving;
mod library;
mod loops;
mod matches;
mod methods;
mod modules;
mod printing;
mod queries;
mod special;
mod spread;
mod stars;
mod statements;
mod tables;
mod written;

pub use builtin::{Builtin, Constant as BuiltinConstant, MathFunction, Median, PriorLaw};
pub use check::{ExpressionSource, Role, check, check_with_tables};
pub use exceptions::Handler;
pub use format::{Align, FormatSpecification, Shown};
pub use given::Given;
pub use instruction::{Binary, Comparison, Instruction, Logic, Operand, Register};
pub use iteration::{Iteration, OperatorFunction, SetMethod};
pub use library::{NumpyFunction, PandasFunction};
pub use methods::Method;
pub use modules::is_of_privug;
pub use special::OperatorNames;
pub use tables::{DatePart, TableMethod, TextMethod};

use crate::source::Span;

/// Names a function of a [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

/// A literal of the program; what kind of number it becomes is decided when the program runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An integer, in decimal digits.
    Integer(String),
    /// A float as it was written, so that exact arithmetic can read `0.1` as 1/10.
    Float(String),
    /// A text.
    Text(String),
    /// NaN
    NotANumber,
    /// The default of a parameter that has none, and of an argument that is not given.
    Missing,
}

/// The shape of a call that is bound when the program runs.
#[derive(Debug, Clone, PartialEq)]
pub struct CallShape {
    /// How many arguments are positional; they come first.
    pub positional: u32,
    /// The names of the others.
    pub keywords: Vec<String>,
    /// Where each argument stands.
    pub spans: Vec<Span>,
    /// The first argument's source text, by which an observed variable is named.
    pub subject: String,
    /// The source texts of all arguments, where these are published under them.
    pub names: Vec<String>,
}

/// How the parts of a returned value are named.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultName {
    /// By this text, with `[i]` behind it for elements.
    Text(String),
    /// A list or tuple written out: each element by its own name.
    Elements(Vec<ResultName>),
}

/// Where the default of a parameter is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// In a register of the module: it was computed where the function is defined.
    Module(Register),
    /// It is a literal.
    Literal(Operand),
    /// Among the values that a function inside another was given, at this place.
    Seen(u32),
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Where its default is, if it has one.
    pub default: Option<DefaultValue>,
    /// Whether it must be given by its name.
    pub keyword_only: bool,
}

/// One function, compiled. Its parameters are its first registers, its other variables follow.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name; the module's body is `<module>`.
    pub name: String,
    /// Where its name is declared.
    pub span: Span,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether further arguments go into a tuple (`*args`), in the register behind the parameters.
    pub takes_more: bool,
    /// Whether further named arguments go into a dictionary (`**kwargs`), in the register behind all of these.
    pub takes_more_named: bool,
    /// Whether it belongs to a module that is written in the language: what goes wrong in it is told where it is called.
    pub written: bool,
    /// The names of its variables, by register.
    pub variables: Vec<String>,
    /// How many registers a call needs.
    pub register_count: u32,
    /// How many loops can be open at once.
    pub loop_count: u32,
    /// What it does.
    pub code: Vec<Instruction>,
    /// Where each instruction comes from.
    pub spans: Vec<Span>,
    /// Where exceptions are caught.
    pub handlers: Vec<Handler>,
}

/// Names a class of a [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassId(pub u32);

/// How a function of a class is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodKind {
    /// With the object in front.
    Bound,
    /// `@classmethod`: with the class in front.
    Class,
    /// `@staticmethod`: without it.
    Static,
    /// `@property`: by looking at it.
    Property,
}

/// A class: what its objects can do.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its functions.
    pub methods: Vec<(String, MethodKind, FunctionId)>,
    /// What all its objects share, in registers of the module.
    pub constants: Vec<(String, Register)>,
    /// The parts of its objects, in order, where the class lists them (`@dataclass`, `namedtuple`).
    pub fields: Option<Vec<String>>,
    /// Whether its objects are tuples too (`namedtuple`).
    pub is_tuple: bool,
    /// Whether two of its objects are equal if their parts are (`@dataclass`).
    pub is_compared: bool,
    /// Whether its objects are in the order of their parts (`@dataclass(order=True)`).
    pub is_ordered: bool,
    /// Whether its objects stay as they were made (`@dataclass(frozen=True)`, `namedtuple`).
    pub is_frozen: bool,
    /// The class of the program that it inherits from; what it inherits is among its own functions and constants.
    pub parent: Option<ClassId>,
    /// Whether it belongs to a module that is written in the language.
    pub is_written: bool,
}

/// What the name of the function begins with that sets a property: no function of a program has a space in its name.
pub const SETTER: &str = "setter of ";

/// The names of `__enter__` and `__exit__` of the program's classes, where `with` is followed.
pub const ENTER: &str = "entered by with";
/// See [`ENTER`].
pub const EXIT: &str = "left by with";

/// What the text begins with that stands in the place of a field that was not given: a text that no program has.
pub const MISSING_FIELD: &str = "made by the default_factory of ";

/// The functions of the written module `builtins` that are called for objects of the program.
pub const FOR_OBJECTS: [&str; 6] = ["_added", "_arranged", "_smallest", "_largest", "_precedes", "_gathered"];

impl Class {
    /// The function of the class with a name.
    pub fn method(&self, name: &str) -> Option<(MethodKind, FunctionId)> {
        self.methods.iter().find(|(known, _, _)| known == name).map(|(_, kind, function)| (*kind, *function))
    }
}

/// Where the value of an expression comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Computed {
    /// From a function of the variables that it mentions, which are variables of the analysed function.
    By(FunctionId),
    /// It is given for each run, at this place among all values that are.
    Given(usize),
}

/// An expression or a value given beside the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// What it is for.
    pub role: Role,
    /// Where its value comes from.
    pub computed: Computed,
    /// How what it gives is named.
    pub name: ResultName,
    /// Where it stands.
    pub span: Span,
}

/// A checked program, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// All functions; the first is the module's body.
    pub functions: Vec<Function>,
    /// All literals.
    pub literals: Vec<Literal>,
    /// The shapes of calls to built-in functions and methods.
    pub call_shapes: Vec<CallShape>,
    /// How returned values are named.
    pub result_names: Vec<ResultName>,
    /// All classes.
    pub classes: Vec<Class>,
    /// Methods of tables that are written in the language, and have the name of something that objects have too; attributes
    /// with `_attribute_` in front.
    pub written_methods: Vec<(String, FunctionId)>,
    /// The function to analyse.
    pub entry: FunctionId,
    /// The expressions given beside the program, in their order.
    pub expressions: Vec<Expression>,
}

impl Program {
    /// Whether it reads tables for itself.
    pub fn reads_tables(&self) -> bool {
        let mut code = self.functions.iter().flat_map(|function| &function.code);
        code.any(|instruction| {
            let read = Builtin::Pandas(PandasFunction::Read);
            matches!(instruction, Instruction::CallBuiltin { builtin, .. } if *builtin == read)
        })
    }

    /// The function `id`.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }
}
