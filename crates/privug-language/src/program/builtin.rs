//! The functions and constants that the language knows.

use super::iteration::{Iteration, OperatorFunction};
use super::library::{NumpyFunction, PandasFunction};

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
    /// A text, such as `string.digits`.
    Text(&'static str),
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
            Constant::Text(text) => text,
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
    /// `format(value, specification)`, where how a value is shown is only known when the program runs.
    Format,
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
    FrozenSet,
    Counter,
    DefaultDict,
    /// `collections.OrderedDict`
    OrderedDict,
    ShiftLeft,
    ShiftRight,
    Median(Median),
    Divmod,
    Ord,
    Chr,
    /// `next(generator, default)`
    Next,
    /// `NotImplemented`, which is a value, and is not called.
    NotImplemented,
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
                | Builtin::FrozenSet
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
            | Iteration::Repeat
            | Iteration::Count => false,
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
