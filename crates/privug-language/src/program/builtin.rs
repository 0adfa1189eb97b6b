//! The functions, methods and modules that the language knows.

use super::iteration::{FUNCTOOLS, ITERTOOLS, Iteration, OPERATORS, OperatorFunction, SetMethod};
use super::library::{LINEAR_ALGEBRA, NUMPY_ADD, NUMPY_FUNCTIONS, NumpyFunction, PANDAS_FUNCTIONS, PandasFunction};
use super::tables::{TableMethod, TextMethod};

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

    /// A module inside of the module.
    pub(super) fn submodule(self, name: &str) -> Option<Module> {
        match (self, name) {
            (Module::Numpy, "linalg") => Some(Module::LinearAlgebra),
            (Module::Numpy, "add") => Some(Module::NumpyAdd),
            (Module::Itertools, "chain") => Some(Module::Chain),
            (Module::Written(own), name) => super::written::written_name(&format!("{own}.{name}")).map(Module::Written),
            _ => None,
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

/// A constant of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// π
    Pi,
    /// e
    E,
    /// 2π
    Tau,
    /// NaN
    NotANumber,
    /// `np.newaxis`
    None,
}

impl Constant {
    /// The digits of the double nearest to it.
    pub fn literal(self) -> &'static str {
        match self {
            Constant::Pi => "3.141592653589793",
            Constant::E => "2.718281828459045",
            Constant::Tau => "6.283185307179586",
            Constant::NotANumber => "nan",
            Constant::None => "None",
        }
    }
}

/// A function of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the functions are Python's, numpy's and the language page's")]
pub enum Builtin {
    Range,
    Len,
    Sum,
    Min,
    Max,
    Abs,
    Round,
    Sorted,
    Enumerate,
    Zip,
    Reversed,
    List,
    Tuple,
    Dict,
    Float,
    Int,
    Bool,
    Str,
    Any,
    All,
    Print,
    Pow,
    Math(MathFunction),
    /// `statistics.mean`
    StatisticsMean,
    /// `statistics.fmean`
    FloatMean,
    /// `math.fsum`
    ExactSum,
    /// A function of numpy, element by element.
    ArrayMath(MathFunction),
    ArrayAbs,
    ArrayMin,
    ArrayMax,
    ArrayProduct,
    ArrayAny,
    ArrayAll,
    MatrixMultiply,
    /// `np.mean`
    Mean,
    Array,
    AsArray,
    ArraySum,
    Average,
    Dot,
    Zeros,
    Ones,
    Full,
    Arange,
    Linspace,
    Concatenate,
    CumulativeSum,
    Product,
    Normal,
    MultivariateNormal,
    Bernoulli,
    Categorical,
    DiscreteUniform,
    Binomial,
    Poisson,
    Geometric,
    /// A distribution that only the prior of a whole column may have.
    PriorLaw(PriorLaw),
    Condition,
    Observe,
    GaussianMechanism,
    Where,
    /// `isinstance`, with the names of the types
    IsInstance,
    Crosstab,
    PivotTable,
    Concat,
    Map,
    Filter,
    Set,
    Counter,
    DefaultDict,
    ShiftLeft,
    ShiftRight,
    Median(Median),
    Divmod,
    /// `next(generator, default)`
    Next,
    /// `functools.reduce`
    Reduce,
    /// `statistics.mode`
    Mode,
    /// A function of `itertools`.
    Iteration(Iteration),
    /// A function of `operator`.
    Operator(OperatorFunction),
    Numpy(NumpyFunction),
    Pandas(PandasFunction),
}

impl Builtin {
    /// Whether its result never contains the list that it is given.
    pub(super) fn only_reads(self) -> bool {
        matches!(self, Builtin::Len | Builtin::Sum | Builtin::ArraySum | Builtin::Any | Builtin::All)
    }

    /// Whether a generator given to it is gone through at once and to its end, so that it may be a list.
    pub(super) fn consumes(self) -> bool {
        matches!(
            self,
            Builtin::Sum
                | Builtin::ExactSum
                | Builtin::Product
                | Builtin::StatisticsMean
                | Builtin::FloatMean
                | Builtin::Any
                | Builtin::All
                | Builtin::Min
                | Builtin::Max
                | Builtin::Sorted
                | Builtin::List
                | Builtin::Tuple
                | Builtin::Dict
                | Builtin::Set
                | Builtin::Next
                | Builtin::Mode
                | Builtin::Counter
                | Builtin::Iteration(_)
        )
    }

    /// Whether Python computes what it gives only when somebody asks for it.
    pub(super) fn waits(self) -> bool {
        let of_itertools = |function| match function {
            Iteration::Chain
            | Iteration::ChainOf
            | Iteration::Accumulate
            | Iteration::GroupBy
            | Iteration::Pairwise
            | Iteration::Slice => true,
            // These look at everything they are given before they begin.
            Iteration::Product
            | Iteration::Combinations
            | Iteration::CombinationsWithReplacement
            | Iteration::Permutations
            | Iteration::Repeat => false,
        };
        match self {
            Builtin::Map | Builtin::Filter => true,
            Builtin::Iteration(function) => of_itertools(function),
            _ => false,
        }
    }

    /// Whether it calls the functions that it is given, and no later than it ends.
    pub(super) fn calls(self) -> bool {
        matches!(
            self,
            Builtin::Map
                | Builtin::Filter
                | Builtin::Sorted
                | Builtin::Min
                | Builtin::Max
                | Builtin::Reduce
                | Builtin::Iteration(_)
        )
    }
}

/// A distribution that only the prior of a whole column may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the distributions are those of the language page")]
pub enum PriorLaw {
    LogNormal,
    Gamma,
    Uniform,
    Laplace,
    Empirical,
    Mixture,
}

impl PriorLaw {
    /// All of them.
    pub const ALL: [PriorLaw; 6] = [
        PriorLaw::LogNormal,
        PriorLaw::Gamma,
        PriorLaw::Uniform,
        PriorLaw::Laplace,
        PriorLaw::Empirical,
        PriorLaw::Mixture,
    ];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            PriorLaw::LogNormal => "LogNormal",
            PriorLaw::Gamma => "Gamma",
            PriorLaw::Uniform => "Uniform",
            PriorLaw::Laplace => "Laplace",
            PriorLaw::Empirical => "Empirical",
            PriorLaw::Mixture => "Mixture",
        }
    }

    /// The one with a name.
    pub(super) fn named(name: &str) -> Option<PriorLaw> {
        PriorLaw::ALL.into_iter().find(|law| law.name() == name)
    }
}

/// What stands in the middle of values, or elsewhere among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Median {
    /// `statistics.median`
    Middle,
    /// `statistics.median_low`
    Low,
    /// `statistics.median_high`
    High,
    /// `np.median`
    Array,
    /// `np.quantile`
    Quantile,
    /// `np.percentile`
    Percentile,
}

impl Median {
    /// As Python and numpy call it.
    pub fn name(self) -> &'static str {
        match self {
            Median::Middle | Median::Array => "median",
            Median::Low => "median_low",
            Median::High => "median_high",
            Median::Quantile => "quantile",
            Median::Percentile => "percentile",
        }
    }

    /// Whether it is given how many lie below.
    pub fn takes_share(self) -> bool {
        matches!(self, Median::Quantile | Median::Percentile)
    }
}

/// A function of `math`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the functions are those of Python's math module")]
pub enum MathFunction {
    Sqrt,
    Cbrt,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Gamma,
    LogGamma,
    Degrees,
    Radians,
    Floor,
    Ceil,
    Trunc,
    Fabs,
    Pow,
    Hypot,
    Fmod,
    CopySign,
    IntegerSqrt,
    Gcd,
    Factorial,
    Comb,
}

/// A method or attribute of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods are Python's and numpy's")]
pub enum Method {
    Append,
    Extend,
    Copy,
    Index,
    Count,
    Items,
    Keys,
    Values,
    Get,
    Sum,
    Mean,
    Dot,
    ToList,
    Size,
    Shape,
    Dimensions,
    Transposed,
    Min,
    Max,
    Product,
    CumulativeSum,
    Any,
    All,
    Reshape,
    /// `ravel`, a view where that is possible.
    Ravel,
    /// `flatten`, always a copy.
    Flatten,
    /// `astype`
    AsType,
    SetDefault,
    Update,
    /// `sort`, in place.
    Sort,
    /// `squeeze`
    Squeeze,
    /// `repeat`
    Repeat,
    Pop,
    Insert,
    Remove,
    Reverse,
    Clear,
    /// `most_common`, of a `Counter`.
    MostCommon,
    /// A method of sets.
    OfSet(SetMethod),
    /// A method of strings.
    Text(TextMethod),
    /// One of tables only.
    Table(TableMethod),
}

impl Method {
    /// Whether it calls the functions that it is given, and no later than it ends.
    pub(super) fn calls(self) -> bool {
        matches!(
            self,
            Method::Sort
                | Method::Table(
                    TableMethod::Apply
                        | TableMethod::Assign
                        | TableMethod::Aggregate
                        | TableMethod::Transform
                        | TableMethod::FilterGroups
                        | TableMethod::Map
                        | TableMethod::Pipe
                )
        )
    }

    /// The method of tables that is written in the same way.
    pub fn on_tables(self) -> Method {
        match self {
            Method::Min => Method::Table(TableMethod::Minimum),
            Method::Max => Method::Table(TableMethod::Maximum),
            Method::Product => Method::Table(TableMethod::NotLinear("prod")),
            Method::Text(TextMethod::Replace) => Method::Table(TableMethod::Replace),
            Method::Text(TextMethod::Join) => Method::Table(TableMethod::Join),
            Method::Squeeze => Method::Table(TableMethod::Squeeze),
            Method::OfSet(SetMethod::Add) => Method::Table(TableMethod::Operator(super::Binary::Add)),
            other => other,
        }
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        let ordinary = METHODS.iter().chain(ATTRIBUTES).find(|(_, method)| *method == self).map(|(name, _)| *name);
        match (ordinary, self) {
            (Some(name), _) => name,
            (None, Method::Table(method)) => method.name(),
            (None, _) => "it",
        }
    }
}

/// Methods, which are called.
pub(super) const METHODS: &[(&str, Method)] = &[
    ("append", Method::Append),
    ("extend", Method::Extend),
    ("copy", Method::Copy),
    ("index", Method::Index),
    ("count", Method::Count),
    ("items", Method::Items),
    ("keys", Method::Keys),
    ("values", Method::Values),
    ("get", Method::Get),
    ("sum", Method::Sum),
    ("mean", Method::Mean),
    ("dot", Method::Dot),
    ("tolist", Method::ToList),
    ("min", Method::Min),
    ("max", Method::Max),
    ("prod", Method::Product),
    ("cumsum", Method::CumulativeSum),
    ("any", Method::Any),
    ("all", Method::All),
    ("reshape", Method::Reshape),
    ("ravel", Method::Ravel),
    ("flatten", Method::Flatten),
    ("transpose", Method::Transposed),
    ("astype", Method::AsType),
    ("setdefault", Method::SetDefault),
    ("update", Method::Update),
    ("sort", Method::Sort),
    ("squeeze", Method::Squeeze),
    ("repeat", Method::Repeat),
    ("pop", Method::Pop),
    ("insert", Method::Insert),
    ("remove", Method::Remove),
    ("reverse", Method::Reverse),
    ("clear", Method::Clear),
    ("most_common", Method::MostCommon),
    ("add", Method::OfSet(SetMethod::Add)),
    ("discard", Method::OfSet(SetMethod::Discard)),
    ("union", Method::OfSet(SetMethod::Union)),
    ("intersection", Method::OfSet(SetMethod::Intersection)),
    ("difference", Method::OfSet(SetMethod::Difference)),
    ("symmetric_difference", Method::OfSet(SetMethod::SymmetricDifference)),
    ("issubset", Method::OfSet(SetMethod::IsSubset)),
    ("issuperset", Method::OfSet(SetMethod::IsSuperset)),
    ("isdisjoint", Method::OfSet(SetMethod::IsDisjoint)),
    ("startswith", Method::Text(TextMethod::StartsWith)),
    ("endswith", Method::Text(TextMethod::EndsWith)),
    ("contains", Method::Text(TextMethod::Contains)),
    ("upper", Method::Text(TextMethod::Upper)),
    ("lower", Method::Text(TextMethod::Lower)),
    ("strip", Method::Text(TextMethod::Strip)),
    ("title", Method::Text(TextMethod::Title)),
    ("len", Method::Text(TextMethod::Length)),
    ("slice", Method::Text(TextMethod::Slice)),
    ("replace", Method::Text(TextMethod::Replace)),
    ("split", Method::Text(TextMethod::Split)),
    ("join", Method::Text(TextMethod::Join)),
    ("zfill", Method::Text(TextMethod::FillWithZeros)),
    ("find", Method::Text(TextMethod::Find)),
    ("isdigit", Method::Text(TextMethod::IsDigits)),
];

/// Attributes, which are not.
pub(super) const ATTRIBUTES: &[(&str, Method)] =
    &[("size", Method::Size), ("shape", Method::Shape), ("ndim", Method::Dimensions), ("T", Method::Transposed)];

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
    ("any", function(Builtin::Any)),
    ("all", function(Builtin::All)),
    ("print", function(Builtin::Print)),
    ("pow", function(Builtin::Pow)),
    ("map", function(Builtin::Map)),
    ("filter", function(Builtin::Filter)),
    ("set", function(Builtin::Set)),
    ("divmod", function(Builtin::Divmod)),
    ("next", function(Builtin::Next)),
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

const COLLECTIONS: &[(&str, Member)] = &[
    ("Counter", function(Builtin::Counter)),
    ("defaultdict", function(Builtin::DefaultDict)),
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
