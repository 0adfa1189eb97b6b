//! The modules that the language knows, and what is called how in them.

use super::builtin::{Builtin, Constant, MathFunction, Median};
use super::iteration::{FUNCTOOLS, ITERTOOLS, Iteration, OPERATORS};
use super::library::{LINEAR_ALGEBRA, NUMPY_ADD, NUMPY_FUNCTIONS, NumpyFunction, PANDAS_FUNCTIONS, PandasFunction};

/// A module that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Module {
    Privug,
    Math,
    Statistics,
    Numpy,
    /// `numpy.linalg`
    LinearAlgebra,
    /// `numpy.add`, which is a function as well.
    NumpyAdd,
    Pandas,
    Collections,
    Itertools,
    /// `itertools.chain`, which is a function as well.
    Chain,
    Functools,
    Operator,
    /// `string`
    Letters,
    Typing,
    /// One that is written in the language.
    Written(&'static str),
}

impl Module {
    pub(super) fn from_name(name: &str) -> Option<Module> {
        Some(match name {
            "privug" => Module::Privug,
            "math" => Module::Math,
            "statistics" => Module::Statistics,
            "numpy" => Module::Numpy,
            "numpy.linalg" => Module::LinearAlgebra,
            "collections" => Module::Collections,
            "itertools" => Module::Itertools,
            "functools" => Module::Functools,
            "operator" => Module::Operator,
            "string" => Module::Letters,
            "pandas" => Module::Pandas,
            "typing" | "__future__" | "collections.abc" | "types" | "abc" => Module::Typing,
            other => return super::written::written_name(other).map(Module::Written),
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Module::Privug => "privug",
            Module::Math => "math",
            Module::Statistics => "statistics",
            Module::Numpy => "numpy",
            Module::LinearAlgebra => "numpy.linalg",
            Module::NumpyAdd => "numpy.add",
            Module::Collections => "collections",
            Module::Itertools => "itertools",
            Module::Chain => "itertools.chain",
            Module::Functools => "functools",
            Module::Operator => "operator",
            Module::Letters => "string",
            Module::Pandas => "pandas",
            Module::Typing => "typing",
            Module::Written(name) => name,
        }
    }

    fn members(self) -> &'static [(&'static str, Member)] {
        match self {
            Module::Privug => PRIVUG,
            Module::Math => MATH,
            Module::Statistics => STATISTICS,
            Module::Numpy => NUMPY,
            Module::Pandas => PANDAS,
            Module::Collections => COLLECTIONS,
            Module::Itertools => ITERTOOLS,
            Module::Chain => CHAIN,
            Module::Functools => FUNCTOOLS,
            Module::Operator => OPERATORS,
            Module::Letters => LETTERS,
            Module::LinearAlgebra | Module::NumpyAdd | Module::Typing | Module::Written(_) => &[],
        }
    }

    fn numpy_functions(self) -> &'static [(&'static str, NumpyFunction)] {
        match self {
            Module::Numpy => NUMPY_FUNCTIONS,
            Module::LinearAlgebra => LINEAR_ALGEBRA,
            Module::NumpyAdd => NUMPY_ADD,
            _ => &[],
        }
    }

    fn pandas_functions(self) -> &'static [(&'static str, PandasFunction)] {
        if self == Module::Pandas { PANDAS_FUNCTIONS } else { &[] }
    }

    /// What the module calls `name`.
    pub(super) fn member(self, name: &str) -> Option<Member> {
        let known = self.members().iter().find(|(known, _)| *known == name).map(|(_, member)| *member);
        let numpy = || self.numpy_functions().iter().find(|(known, _)| *known == name).map(|(_, function)| *function);
        let pandas = || self.pandas_functions().iter().find(|(known, _)| *known == name).map(|(_, function)| *function);
        known
            .or_else(|| numpy().map(|function| Member::Function(Builtin::Numpy(function))))
            .or_else(|| pandas().map(|function| Member::Function(Builtin::Pandas(function))))
    }

    /// A module inside the module.
    pub(super) fn submodule(self, name: &str) -> Option<Module> {
        match (self, name) {
            (Module::Numpy, "linalg") => Some(Module::LinearAlgebra),
            (Module::Numpy, "add") => Some(Module::NumpyAdd),
            (Module::Itertools, "chain") => Some(Module::Chain),
            (own, name) => super::written::written_name(&format!("{}.{name}", own.name())).map(Module::Written),
        }
    }

    pub(super) fn member_names(self) -> impl Iterator<Item = &'static str> {
        let numpy = self.numpy_functions().iter().map(|(name, _)| *name);
        let pandas = self.pandas_functions().iter().map(|(name, _)| *name);
        self.members().iter().map(|(name, _)| *name).chain(numpy).chain(pandas)
    }
}

/// Something that a name can stand for before the program says anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Member {
    Function(Builtin),
    Constant(Constant),
}

/// Names that need no import.
pub(super) fn builtin(name: &str) -> Option<Builtin> {
    let member = BUILTINS.iter().chain(PRIVUG).find(|(known, _)| *known == name)?.1;
    match member {
        Member::Function(builtin) => Some(builtin),
        Member::Constant(_) => None,
    }
}

pub(super) fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().chain(PRIVUG).map(|(name, _)| *name)
}

const fn function(builtin: Builtin) -> Member {
    Member::Function(builtin)
}

const fn math(function: MathFunction) -> Member {
    Member::Function(Builtin::Math(function))
}

const fn array_math(function: MathFunction) -> Member {
    Member::Function(Builtin::ArrayMath(function))
}

const BUILTINS: &[(&str, Member)] = &[
    ("range", function(Builtin::Range)),
    ("len", function(Builtin::Len)),
    ("sum", function(Builtin::Sum)),
    ("min", function(Builtin::Min)),
    ("max", function(Builtin::Max)),
    ("abs", function(Builtin::Abs)),
    ("round", function(Builtin::Round)),
    ("sorted", function(Builtin::Sorted)),
    ("enumerate", function(Builtin::Enumerate)),
    ("zip", function(Builtin::Zip)),
    ("reversed", function(Builtin::Reversed)),
    ("list", function(Builtin::List)),
    ("tuple", function(Builtin::Tuple)),
    ("dict", function(Builtin::Dict)),
    ("float", function(Builtin::Float)),
    ("int", function(Builtin::Int)),
    ("bool", function(Builtin::Bool)),
    ("str", function(Builtin::Str)),
    ("format", function(Builtin::Format)),
    ("any", function(Builtin::Any)),
    ("all", function(Builtin::All)),
    ("print", function(Builtin::Print)),
    ("pow", function(Builtin::Pow)),
    ("map", function(Builtin::Map)),
    ("filter", function(Builtin::Filter)),
    ("set", function(Builtin::Set)),
    // A set in all that can be done with it here.
    ("frozenset", function(Builtin::FrozenSet)),
    ("divmod", function(Builtin::Divmod)),
    ("ord", function(Builtin::Ord)),
    ("chr", function(Builtin::Chr)),
    ("next", function(Builtin::Next)),
    ("NotImplemented", function(Builtin::NotImplemented)),
];

/// Whether privug has a function of this name.
pub fn is_of_privug(name: &str) -> bool {
    PRIVUG.iter().any(|(known, _)| *known == name)
}

const PRIVUG: &[(&str, Member)] = &[
    ("Normal", function(Builtin::Normal)),
    ("MultivariateNormal", function(Builtin::MultivariateNormal)),
    ("Bernoulli", function(Builtin::Bernoulli)),
    ("Categorical", function(Builtin::Categorical)),
    ("DiscreteUniform", function(Builtin::DiscreteUniform)),
    ("Binomial", function(Builtin::Binomial)),
    ("Poisson", function(Builtin::Poisson)),
    ("Geometric", function(Builtin::Geometric)),
    ("condition", function(Builtin::Condition)),
    ("observe", function(Builtin::Observe)),
    ("gaussian_mechanism", function(Builtin::GaussianMechanism)),
];

const STATISTICS: &[(&str, Member)] = &[
    ("mean", function(Builtin::StatisticsMean)),
    ("fmean", function(Builtin::FloatMean)),
    ("mode", function(Builtin::Mode)),
    ("median", function(Builtin::Median(Median::Middle))),
    ("median_low", function(Builtin::Median(Median::Low))),
    ("median_high", function(Builtin::Median(Median::High))),
];

const MATH: &[(&str, Member)] = &[
    ("pi", Member::Constant(Constant::Pi)),
    ("e", Member::Constant(Constant::E)),
    ("tau", Member::Constant(Constant::Tau)),
    ("nan", Member::Constant(Constant::NotANumber)),
    ("fsum", function(Builtin::ExactSum)),
    ("prod", function(Builtin::Product)),
    ("sqrt", math(MathFunction::Sqrt)),
    ("cbrt", math(MathFunction::Cbrt)),
    ("exp", math(MathFunction::Exp)),
    ("exp2", math(MathFunction::Exp2)),
    ("expm1", math(MathFunction::Expm1)),
    ("log", math(MathFunction::Log)),
    ("log2", math(MathFunction::Log2)),
    ("log10", math(MathFunction::Log10)),
    ("log1p", math(MathFunction::Log1p)),
    ("sin", math(MathFunction::Sin)),
    ("cos", math(MathFunction::Cos)),
    ("tan", math(MathFunction::Tan)),
    ("asin", math(MathFunction::Asin)),
    ("acos", math(MathFunction::Acos)),
    ("atan", math(MathFunction::Atan)),
    ("atan2", math(MathFunction::Atan2)),
    ("sinh", math(MathFunction::Sinh)),
    ("cosh", math(MathFunction::Cosh)),
    ("tanh", math(MathFunction::Tanh)),
    ("asinh", math(MathFunction::Asinh)),
    ("acosh", math(MathFunction::Acosh)),
    ("atanh", math(MathFunction::Atanh)),
    ("erf", math(MathFunction::Erf)),
    ("erfc", math(MathFunction::Erfc)),
    ("gamma", math(MathFunction::Gamma)),
    ("lgamma", math(MathFunction::LogGamma)),
    ("degrees", math(MathFunction::Degrees)),
    ("radians", math(MathFunction::Radians)),
    ("floor", math(MathFunction::Floor)),
    ("ceil", math(MathFunction::Ceil)),
    ("trunc", math(MathFunction::Trunc)),
    ("fabs", math(MathFunction::Fabs)),
    ("pow", math(MathFunction::Pow)),
    ("hypot", math(MathFunction::Hypot)),
    ("fmod", math(MathFunction::Fmod)),
    ("copysign", math(MathFunction::CopySign)),
    ("isqrt", math(MathFunction::IntegerSqrt)),
    ("gcd", math(MathFunction::Gcd)),
    ("factorial", math(MathFunction::Factorial)),
    ("comb", math(MathFunction::Comb)),
];

const fn letters(text: &'static str) -> Member {
    Member::Constant(Constant::Text(text))
}

/// The constants of `string`.
const LETTERS: &[(&str, Member)] = &[
    ("ascii_lowercase", letters("abcdefghijklmnopqrstuvwxyz")),
    ("ascii_uppercase", letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
    ("ascii_letters", letters("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")),
    ("digits", letters("0123456789")),
    ("hexdigits", letters("0123456789abcdefABCDEF")),
    ("octdigits", letters("01234567")),
    ("punctuation", letters("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")),
    ("whitespace", letters(" \t\n\r\x0b\x0c")),
];

const COLLECTIONS: &[(&str, Member)] = &[
    ("Counter", function(Builtin::Counter)),
    ("defaultdict", function(Builtin::DefaultDict)),
    ("OrderedDict", function(Builtin::OrderedDict)),
    // A list in all that can be done with it here, but for its left end.
    ("deque", function(Builtin::List)),
];

/// What `itertools.chain` has besides being a function.
const CHAIN: &[(&str, Member)] = &[("from_iterable", function(Builtin::Iteration(Iteration::ChainOf)))];

const NUMPY: &[(&str, Member)] = &[
    ("nan", Member::Constant(Constant::NotANumber)),
    ("newaxis", Member::Constant(Constant::None)),
    ("pi", Member::Constant(Constant::Pi)),
    ("e", Member::Constant(Constant::E)),
    ("array", function(Builtin::Array)),
    ("asarray", function(Builtin::AsArray)),
    ("sum", function(Builtin::ArraySum)),
    ("mean", function(Builtin::Mean)),
    ("median", function(Builtin::Median(Median::Array))),
    ("quantile", function(Builtin::Median(Median::Quantile))),
    ("percentile", function(Builtin::Median(Median::Percentile))),
    ("average", function(Builtin::Average)),
    ("dot", function(Builtin::Dot)),
    ("matmul", function(Builtin::MatrixMultiply)),
    ("zeros", function(Builtin::Zeros)),
    ("ones", function(Builtin::Ones)),
    ("full", function(Builtin::Full)),
    ("arange", function(Builtin::Arange)),
    ("linspace", function(Builtin::Linspace)),
    ("concatenate", function(Builtin::Concatenate)),
    ("cumsum", function(Builtin::CumulativeSum)),
    ("prod", function(Builtin::ArrayProduct)),
    ("where", function(Builtin::Where)),
    ("sqrt", array_math(MathFunction::Sqrt)),
    ("exp", array_math(MathFunction::Exp)),
    ("log", array_math(MathFunction::Log)),
    ("log2", array_math(MathFunction::Log2)),
    ("log10", array_math(MathFunction::Log10)),
    ("log1p", array_math(MathFunction::Log1p)),
    ("expm1", array_math(MathFunction::Expm1)),
    ("sin", array_math(MathFunction::Sin)),
    ("cos", array_math(MathFunction::Cos)),
    ("tan", array_math(MathFunction::Tan)),
    ("abs", function(Builtin::ArrayAbs)),
    ("min", function(Builtin::ArrayMin)),
    ("max", function(Builtin::ArrayMax)),
    ("any", function(Builtin::ArrayAny)),
    ("all", function(Builtin::ArrayAll)),
];

const PANDAS: &[(&str, Member)] = &[
    ("crosstab", function(Builtin::Crosstab)),
    ("pivot_table", function(Builtin::PivotTable)),
    ("concat", function(Builtin::Concat)),
];
