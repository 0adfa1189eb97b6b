//! Syntax tree to [`Program`]: names resolved to registers, and everything outside of the language refused.

mod bindings;
mod builtin;
mod calls;
mod check;
mod constants;
mod expressions;
mod functions;
mod given;
mod instruction;
mod iteration;
mod lambdas;
mod library;
mod loops;
mod matches;
mod queries;
mod spread;
mod statements;
mod tables;

pub use builtin::{Builtin, Constant as BuiltinConstant, MathFunction, Median, Method, PriorLaw, is_of_privug};
pub use check::{ExpressionSource, Role, check, check_with_tables};
pub use given::Given;
pub use instruction::{Binary, Comparison, FormatSpecification, Instruction, Logic, Operand, Register};
pub use iteration::{Iteration, OperatorFunction, SetMethod};
pub use library::{NumpyFunction, PandasFunction};
pub use tables::{DatePart, TableMethod, TextMethod};

use crate::source::Span;

/// Names a function of a [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Register of the module that holds its default.
    pub default: Option<Register>,
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
