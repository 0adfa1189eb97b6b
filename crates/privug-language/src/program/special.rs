//! The names of functions that Python calls by itself, for operators and functions of the language on objects.

use super::instruction::{Binary, Comparison, Logic};

/// The functions of an operator: on its left, on its right, and in place.
pub struct OperatorNames {
    /// `left + right` asks the left.
    pub left: &'static str,
    /// And then the right.
    pub right: &'static str,
    /// `left += right` asks the left first.
    pub in_place: &'static str,
}

impl Binary {
    /// The functions that objects may have for it.
    pub fn names(self) -> OperatorNames {
        let (left, right, in_place) = match self {
            Binary::Add => ("__add__", "__radd__", "__iadd__"),
            Binary::Subtract => ("__sub__", "__rsub__", "__isub__"),
            Binary::Multiply => ("__mul__", "__rmul__", "__imul__"),
            Binary::Divide => ("__truediv__", "__rtruediv__", "__itruediv__"),
            Binary::FloorDivide => ("__floordiv__", "__rfloordiv__", "__ifloordiv__"),
            Binary::Remainder => ("__mod__", "__rmod__", "__imod__"),
            Binary::Power => ("__pow__", "__rpow__", "__ipow__"),
            Binary::MatrixMultiply => ("__matmul__", "__rmatmul__", "__imatmul__"),
        };
        OperatorNames { left, right, in_place }
    }

    const ALL: [Binary; 8] = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::FloorDivide,
        Binary::Remainder,
        Binary::Power,
        Binary::MatrixMultiply,
    ];
}

impl Logic {
    /// The functions that objects may have for it.
    pub fn names(self) -> OperatorNames {
        let (left, right, in_place) = match self {
            Logic::And => ("__and__", "__rand__", "__iand__"),
            Logic::Or => ("__or__", "__ror__", "__ior__"),
            Logic::Xor => ("__xor__", "__rxor__", "__ixor__"),
        };
        OperatorNames { left, right, in_place }
    }

    const ALL: [Logic; 3] = [Logic::And, Logic::Or, Logic::Xor];
}

impl Comparison {
    /// The function that the left may have for it, and the one that the right is asked for.
    pub fn names(self) -> Option<(&'static str, &'static str)> {
        match self {
            Comparison::Equal => Some(("__eq__", "__eq__")),
            Comparison::NotEqual => Some(("__ne__", "__ne__")),
            Comparison::Less => Some(("__lt__", "__gt__")),
            Comparison::LessEqual => Some(("__le__", "__ge__")),
            Comparison::Greater => Some(("__gt__", "__lt__")),
            Comparison::GreaterEqual => Some(("__ge__", "__le__")),
            Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => None,
        }
    }
}

/// Functions for anything else than an operator with two operands. Objects are no keys, so nobody asks for their hash.
const OTHERS: [&str; 17] = [
    "__neg__",
    "__pos__",
    "__invert__",
    "__abs__",
    "__len__",
    "__bool__",
    "__int__",
    "__float__",
    "__str__",
    "__repr__",
    "__hash__",
    "__getitem__",
    "__setitem__",
    "__contains__",
    "__iter__",
    "__next__",
    "__call__",
];

/// Whether the machine calls the function of this name by itself, as Python does.
pub(super) fn is_special(name: &str) -> bool {
    let is_one = |names: OperatorNames| [names.left, names.right, names.in_place].contains(&name);
    OTHERS.contains(&name)
        || ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"].contains(&name)
        || Binary::ALL.into_iter().any(|operator| is_one(operator.names()))
        || Logic::ALL.into_iter().any(|operator| is_one(operator.names()))
}
