//! The values that a program computes with.

use std::rc::Rc;

use dashu_int::IBig;

use super::callbacks::Callable;
use super::choices::Chosen;
use super::tables::{Accessed, Counted, GroupBy, Series};
use crate::network::{Affine, NodeId};
use crate::number::Scalar;
use privug_language::program::ClassId;

/// A place in the [`Heap`](super::heap::Heap).
pub(super) type Handle = u32;

/// A value. Everything of variable size lives in the heap, so that values are small and cheap to copy.
#[derive(Debug, Clone)]
pub(super) enum Value<S> {
    /// A variable without a value.
    Unbound,
    /// The result of something refused: whatever is computed from it is not worth another error.
    Poison,
    None,
    /// NaN: what a table does not know, and what is computed from it.
    Missing,
    Bool(bool),
    Int(i64),
    /// A number of rows, or of something in them, that knows which rows these are; else an integer like any other.
    Counted(Rc<Counted>),
    /// An integer that does not fit into 64 bits.
    BigInt(Handle),
    Float(S),
    Text(Handle),
    /// `offset + scale·node`
    Random {
        node: NodeId,
        scale: S,
        offset: S,
    },
    /// What depends on random choices.
    Choice(Chosen),
    List(Handle),
    Tuple(Handle),
    /// A number taken out of a numpy array, which keeps numpy's rules.
    NumpyBool(bool),
    NumpyInt(i64),
    NumpyFloat(S),
    /// A numpy array of any number of dimensions.
    Array(Handle),
    Dict(Handle),
    Range(Handle),
    /// What `zip`, `enumerate`, `reversed` and generators give: it can be gone through once.
    Iterator(Handle),
    /// `dict.keys()`, `dict.values()`, `dict.items()`, which show the dictionary as it is.
    View(Handle, Part),
    /// `start:stop:step` in brackets: three values.
    Slice(Handle),
    /// A table.
    Frame(Handle),
    /// A column of a table, or the figures of groups.
    Series(Rc<Series<S>>),
    /// A table whose rows are grouped.
    Groups(Rc<GroupBy<S>>),
    /// `table.loc`, `column.str` and the like: a way of looking at something.
    Loc(Rc<Accessed<S>>),
    /// A function that is called later.
    Function(Rc<Callable<S>>),
    /// A set: the keys of a dictionary, in no order.
    Set(Handle),
    /// An object of a class; its attributes are those of a dictionary.
    Object(Handle, ClassId),
}

/// What a view of a dictionary shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Keys,
    Values,
    Items,
}

impl<S: Scalar> Value<S> {
    /// Python's own number for one of numpy's; everything else as it is.
    pub(super) fn plain(&self) -> Self {
        match self {
            Value::NumpyBool(value) => Value::Bool(*value),
            Value::NumpyInt(value) => Value::Int(*value),
            Value::NumpyFloat(value) => Value::Float(value.clone()),
            other => other.clone(),
        }
    }

    /// Whether this is a number taken out of an array.
    pub(super) fn is_numpy_scalar(&self) -> bool {
        matches!(self, Value::NumpyBool(_) | Value::NumpyInt(_) | Value::NumpyFloat(_))
    }

    /// Whether this is an integer or a boolean.
    pub(super) fn is_integer(&self) -> bool {
        matches!(
            self,
            Value::Int(_)
                | Value::BigInt(_)
                | Value::Bool(_)
                | Value::NumpyInt(_)
                | Value::NumpyBool(_)
                | Value::Counted(_)
        )
    }

    #[inline]
    pub(super) fn random(affine: Affine<S>) -> Self {
        Value::Random { node: affine.node, scale: affine.scale, offset: affine.offset }
    }

    /// The random variable that this is.
    #[inline]
    pub(super) fn as_random(&self) -> Option<Affine<S>> {
        match self {
            Value::Random { node, scale, offset } => {
                Some(Affine { node: *node, scale: scale.clone(), offset: offset.clone() })
            }
            _ => None,
        }
    }

    /// The same value without what is known about its origin, which no operation but publishing looks at.
    pub(super) fn uncounted(&self) -> Option<Self> {
        match self {
            Value::Counted(counted) => Some(Value::Int(counted.count)),
            _ => None,
        }
    }

    /// What a person calls this kind of value.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Unbound => "a variable without a value",
            Value::Poison => "a refused value",
            Value::None => "None",
            Value::Missing => "a missing value",
            Value::Bool(_) | Value::NumpyBool(_) => "a boolean",
            Value::Int(_) | Value::Counted(_) | Value::BigInt(_) | Value::NumpyInt(_) => "an integer",
            Value::Float(_) | Value::NumpyFloat(_) => "a number",
            Value::Text(_) => "a string",
            Value::Random { .. } => "a random variable",
            Value::Choice(chosen) => chosen.kind(),
            Value::List(_) => "a list",
            Value::Tuple(_) => "a tuple",
            Value::Array(_) => "an array",
            Value::Dict(_) => "a dictionary",
            Value::Range(_) => "a range",
            Value::Iterator(_) => "an iterator",
            Value::View(_, _) => "a view of a dictionary",
            Value::Slice(_) => "a slice",
            Value::Frame(_) => "a table",
            Value::Series(_) => "a column",
            Value::Groups(_) => "a grouping",
            Value::Loc(accessed) => accessed.accessor.kind(),
            Value::Function(_) => "a function",
            Value::Set(_) => "a set",
            Value::Object(..) => "an object",
        }
    }
}

/// A number on its way through an operation.
#[derive(Debug, Clone)]
pub(super) enum Number<S> {
    Int(i64),
    BigInt(IBig),
    Float(S),
}

impl<S: Scalar> Number<S> {
    /// The integer, if it is one.
    pub(super) fn integer(&self) -> Option<IBig> {
        match self {
            Number::Int(value) => Some(IBig::from(*value)),
            Number::BigInt(value) => Some(value.clone()),
            Number::Float(_) => None,
        }
    }

    /// The number as a coefficient, if it is a scalar exactly.
    pub(super) fn exact_scalar(&self) -> Option<S> {
        const LARGEST_EXACT: u64 = 1 << 53;
        match self {
            Number::Int(value) if value.unsigned_abs() <= LARGEST_EXACT => Some(S::from_i64(*value)),
            Number::Float(value) => Some(value.settled()),
            Number::Int(_) | Number::BigInt(_) => None,
        }
    }

    /// The number as a scalar; `None` if it is too large for one.
    pub(super) fn scalar(&self) -> Option<S> {
        match self {
            Number::Int(value) => Some(S::from_i64(*value)),
            Number::BigInt(value) => S::from_integer(value),
            Number::Float(value) => Some(value.clone()),
        }
    }
}

/// What a dictionary can be indexed with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    None,
    Int(IBig),
    /// A float by its exact value, so that `1.0` and `1` are one key as in Python.
    Ratio(String),
    Text(String),
    Tuple(Vec<Key>),
    /// A frozen set, in any order that is always the same.
    Set(Vec<Key>),
}
