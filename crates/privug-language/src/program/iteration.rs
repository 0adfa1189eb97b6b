//! The functions of `itertools`, `functools` and `operator`, and the methods of sets.

use super::builtin::Builtin;
use super::modules::Member;

/// A function of `itertools`. What it gives is gone through once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Iteration {
    /// `product(*iterables, repeat=1)`
    Product,
    /// `combinations(iterable, r)`
    Combinations,
    /// `combinations_with_replacement(iterable, r)`
    CombinationsWithReplacement,
    /// `permutations(iterable, r=None)`
    Permutations,
    /// `chain(*iterables)`
    Chain,
    /// `chain.from_iterable(iterables)`
    ChainOf,
    /// `accumulate(iterable, function=add, initial=None)`
    Accumulate,
    /// `groupby(iterable, key=None)`, of keys that are known beforehand
    GroupBy,
    /// `pairwise(iterable)`
    Pairwise,
    /// `islice(iterable, stop)` and `islice(iterable, start, stop, step)`
    Slice,
    /// `repeat(value, times)`
    Repeat,
    /// `count(start=0, step=1)`, which has no end.
    Count,
}

impl Iteration {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Iteration::Product => "product",
            Iteration::Combinations => "combinations",
            Iteration::CombinationsWithReplacement => "combinations_with_replacement",
            Iteration::Permutations => "permutations",
            Iteration::Chain => "chain",
            Iteration::ChainOf => "chain.from_iterable",
            Iteration::Accumulate => "accumulate",
            Iteration::GroupBy => "groupby",
            Iteration::Pairwise => "pairwise",
            Iteration::Slice => "islice",
            Iteration::Repeat => "repeat",
            Iteration::Count => "count",
        }
    }
}

/// A function of `operator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorFunction {
    /// `add`
    Add,
    /// `sub`
    Subtract,
    /// `mul`
    Multiply,
    /// `and_`
    And,
    /// `or_`
    Or,
    /// `xor`
    Xor,
}

impl OperatorFunction {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            OperatorFunction::Add => "add",
            OperatorFunction::Subtract => "sub",
            OperatorFunction::Multiply => "mul",
            OperatorFunction::And => "and_",
            OperatorFunction::Or => "or_",
            OperatorFunction::Xor => "xor",
        }
    }
}

/// A method of sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods are Python's")]
pub enum SetMethod {
    Add,
    Discard,
    Union,
    Intersection,
    Difference,
    SymmetricDifference,
    IsSubset,
    IsSuperset,
    IsDisjoint,
}

const fn iteration(function: Iteration) -> Member {
    Member::Function(Builtin::Iteration(function))
}

const fn operator(function: OperatorFunction) -> Member {
    Member::Function(Builtin::Operator(function))
}

pub(super) const ITERTOOLS: &[(&str, Member)] = &[
    ("product", iteration(Iteration::Product)),
    ("combinations", iteration(Iteration::Combinations)),
    ("combinations_with_replacement", iteration(Iteration::CombinationsWithReplacement)),
    ("permutations", iteration(Iteration::Permutations)),
    ("chain", iteration(Iteration::Chain)),
    ("accumulate", iteration(Iteration::Accumulate)),
    ("groupby", iteration(Iteration::GroupBy)),
    ("pairwise", iteration(Iteration::Pairwise)),
    ("islice", iteration(Iteration::Slice)),
    ("repeat", iteration(Iteration::Repeat)),
    ("count", iteration(Iteration::Count)),
];

pub(super) const FUNCTOOLS: &[(&str, Member)] = &[("reduce", Member::Function(Builtin::Reduce))];

pub(super) const OPERATORS: &[(&str, Member)] = &[
    ("add", operator(OperatorFunction::Add)),
    ("sub", operator(OperatorFunction::Subtract)),
    ("mul", operator(OperatorFunction::Multiply)),
    ("and_", operator(OperatorFunction::And)),
    ("or_", operator(OperatorFunction::Or)),
    ("xor", operator(OperatorFunction::Xor)),
];
