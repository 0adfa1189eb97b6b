//! `@`, `np.dot` and `np.matmul`: products of vectors and matrices.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::{Array, shape_text};
use super::elementwise::Operand;
use super::kind::{Kind, too_large};
use super::{create, elementwise, kind};
use crate::evaluate::{arithmetic, arrays, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// `left @ right`; one of the two is an array.
pub(in super::super) fn matrix_multiply<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    let is_array = |value: &Value<S>| matches!(value, Value::Array(_) | Value::Series(_) | Value::Poison);
    if !is_array(left) && !is_array(right) {
        return Err(arithmetic::mismatch(Binary::MatrixMultiply, left, right));
    }
    matmul(state, left, right)
}

/// `np.matmul(left, right)`: numbers are not multiplied by it.
pub(in super::super) fn matmul<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    let is_single = |value: &Value<S>| kind::is_number(value) || value.as_random().is_some();
    if is_single(left) || is_single(right) {
        return Err(arithmetic::mismatch(Binary::MatrixMultiply, left, right));
    }
    dot(state, left, right)
}

/// `np.dot(left, right)`
pub(in super::super) fn dot<S: Scalar>(state: &mut State<S>, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
    if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
        return Ok(Value::Poison);
    }
    if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
        return tables::aggregate::dot_columns(state, left, right);
    }
    let (a, b) = match (elementwise::operand(state, left)?, elementwise::operand(state, right)?) {
        (Operand::Array(a), Operand::Array(b)) => (a, b),
        (Operand::Single(a), Operand::Single(b)) => return kind::numpy_binary(state, Binary::Multiply, &a, &b),
        _ => return elementwise::binary_arrays(state, Binary::Multiply, left, right),
    };
    let misfit = || {
        let message = format!("arrays of shapes {} and {} are multiplied", shape_text(&a.shape), shape_text(&b.shape));
        Fault::new(Code::LengthMismatch, message)
    };
    if a.kind == Kind::Text || b.kind == Kind::Text {
        return Err(Fault::new(Code::TypeMismatch, "`@` of an array of strings"));
    }
    let kind = a.kind.max(b.kind);
    // Rows of the one, columns of the other; a vector is a single row or column.
    let (rows, inner, columns, shape) = match (a.shape.as_slice(), b.shape.as_slice()) {
        ([n], [m]) if n == m => (1, *n, 1, vec![]),
        ([rows, n], [m]) if n == m => (*rows, *n, 1, vec![*rows]),
        ([n], [m, columns]) if n == m => (1, *n, *columns, vec![*columns]),
        ([rows, n], [m, columns]) if n == m => (*rows, *n, *columns, vec![*rows, *columns]),
        ([_] | [_, _], [_] | [_, _]) => return Err(misfit()),
        _ => {
            let message = "products of arrays with more than two dimensions are not supported";
            return Err(Fault::new(Code::TypeMismatch, message));
        }
    };
    let work = (rows as u64).saturating_mul(columns as u64).saturating_mul(inner.max(1) as u64);
    state.budget.spend_steps(work)?;
    state.budget.check_elements((rows * columns) as u64)?;
    let left = state.heap.array_values(&a);
    let right = match b.shape.as_slice() {
        [_, _] => state.heap.array_values(&b.permuted(&[1, 0])),
        _ => state.heap.array_values(&b),
    };
    let mut results = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let a = &left[row * inner..(row + 1) * inner];
            let b = &right[column * inner..(column + 1) * inner];
            results.push(self::inner(state, a, b, kind)?);
        }
    }
    create::new_array(state, results, shape, kind)
}

fn inner<S: Scalar>(state: &mut State<S>, a: &[Value<S>], b: &[Value<S>], kind: Kind) -> Outcome<Value<S>> {
    match kind {
        Kind::Bool => {
            let truth = |value: &Value<S>| matches!(value, Value::NumpyBool(true));
            Ok(Value::NumpyBool(a.iter().zip(b).any(|(a, b)| truth(a) && truth(b))))
        }
        Kind::Int => {
            let mut total = Value::NumpyInt(0);
            for (a, b) in a.iter().zip(b) {
                let product = kind::numpy_binary(state, Binary::Multiply, a, b)?;
                total = kind::numpy_binary(state, Binary::Add, &total, &product)?;
            }
            Ok(total)
        }
        Kind::Float if a.is_empty() => Ok(Value::NumpyFloat(S::zero())),
        Kind::Float => arrays::inner_product(state, a, b),
        Kind::Text => Err(too_large()),
    }
}

/// The dimensions of an array the other way round.
pub(in super::super) fn transposed<S: Scalar>(state: &mut State<S>, array: &Array) -> Outcome<Value<S>> {
    let order: Vec<usize> = (0..array.shape.len()).rev().collect();
    create::view(state, array.permuted(&order))
}
