//! Linear equations with matrices that are known: `inv`, `pinv`, `solve`, `lstsq` and `polyfit`. They are solved in rationals, so
//! that the weights of random variables are right to the last digit.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::tables::{Accessed, Accessor};
use super::super::value::{Number, Value};
use super::array::shape_text;
use super::kind::Kind;
use super::{create, functions, kind, product};
use crate::evaluate::containers;
use crate::number::{Rational, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::NumpyFunction;

/// A matrix of rationals, row by row.
#[derive(Clone)]
struct Matrix {
    rows: usize,
    columns: usize,
    elements: Vec<Rational>,
}

impl Matrix {
    fn get(&self, row: usize, column: usize) -> &Rational {
        &self.elements[row * self.columns + column]
    }

    fn transposed(&self) -> Matrix {
        let elements =
            (0..self.columns).flat_map(|column| (0..self.rows).map(move |row| self.get(row, column).clone())).collect();
        Matrix { rows: self.columns, columns: self.rows, elements }
    }

    fn times(&self, other: &Matrix) -> Matrix {
        let mut elements = Vec::with_capacity(self.rows * other.columns);
        for row in 0..self.rows {
            for column in 0..other.columns {
                let products = (0..self.columns).map(|at| self.get(row, at) * other.get(at, column));
                elements.push(products.fold(Rational::ZERO, |sum, product| sum + product));
            }
        }
        Matrix { rows: self.rows, columns: other.columns, elements }
    }

    /// The inverse, by Gauss and Jordan; `None` if there is none.
    fn inverse(&self) -> Option<Matrix> {
        let n = self.rows;
        let mut left: Vec<Vec<Rational>> =
            (0..n).map(|row| (0..n).map(|at| self.get(row, at).clone()).collect()).collect();
        let one = |row: usize, at: usize| if row == at { Rational::ONE } else { Rational::ZERO };
        let mut right: Vec<Vec<Rational>> = (0..n).map(|row| (0..n).map(|at| one(row, at)).collect()).collect();
        for pivot in 0..n {
            let found = (pivot..n).find(|row| left[*row][pivot] != Rational::ZERO)?;
            left.swap(pivot, found);
            right.swap(pivot, found);
            let divisor = left[pivot][pivot].clone();
            for value in left[pivot].iter_mut().chain(right[pivot].iter_mut()) {
                *value = &*value / &divisor;
            }
            for row in (0..n).filter(|row| *row != pivot) {
                let factor = left[row][pivot].clone();
                if factor == Rational::ZERO {
                    continue;
                }
                for at in 0..n {
                    left[row][at] = &left[row][at] - &factor * &left[pivot][at];
                    right[row][at] = &right[row][at] - &factor * &right[pivot][at];
                }
            }
        }
        Some(Matrix { rows: n, columns: n, elements: right.into_iter().flatten().collect() })
    }
}

/// Larger matrices take too long in rationals.
const MAX_UNKNOWNS: usize = 60;

pub(super) fn linear_algebra<S: Scalar>(
    state: &mut State<S>,
    function: NumpyFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let name = function.name();
    match function {
        NumpyFunction::Inverse => {
            let matrix = known_matrix(state, name, arguments.one(name)?)?;
            let inverse = inverse_of(state, &matrix)?;
            matrix_value(state, &inverse)
        }
        NumpyFunction::PseudoInverse => {
            let [matrix] = arguments.bind(name, ["a"], 1, 1)?;
            let matrix = known_matrix(state, name, given(matrix)?.value)?;
            let inverse = pseudo_inverse(state, &matrix)?;
            matrix_value(state, &inverse)
        }
        NumpyFunction::Solve => {
            let [matrix, values] = arguments.bind(name, ["a", "b"], 2, 2)?;
            let matrix = known_matrix(state, name, given(matrix)?.value)?;
            let inverse = inverse_of(state, &matrix)?;
            let inverse = matrix_value(state, &inverse)?;
            let values = functions::array_value(state, given(values)?.value)?;
            product::dot(state, &inverse, &values)
        }
        NumpyFunction::LeastSquares => {
            let [matrix, values, _] = arguments.bind(name, ["a", "b", "rcond"], 2, 3)?;
            let matrix = known_matrix(state, name, given(matrix)?.value)?;
            let rank = Value::Int(matrix.columns as i64);
            let inverse = pseudo_inverse(state, &matrix)?;
            let inverse = matrix_value(state, &inverse)?;
            let values = functions::array_value(state, given(values)?.value)?;
            let solution = product::dot(state, &inverse, &values)?;
            // The residuals are squares, and the singular values irrational: both have no value here.
            let unknown = Value::Loc(Rc::new(Accessed { accessor: Accessor::Unknown, value: Value::None }));
            state.tuple(vec![solution, unknown.clone(), rank, unknown])
        }
        _ => {
            let [places, values, degree] = arguments.bind(name, ["x", "y", "deg"], 3, 3)?;
            let places = functions::public_values(state, name, given(places)?.value)?;
            let degree = containers::whole(given(degree)?.value, "the degree")?;
            if !(0..MAX_UNKNOWNS as i64).contains(&degree) {
                return Err(Fault::new(Code::BadArgument, format!("the degree cannot be {degree}")));
            }
            let count = degree as usize + 1;
            let mut elements = Vec::with_capacity(places.len() * count);
            for place in &places {
                let place = ratio(state, place)?;
                for power in (0..count).rev() {
                    elements.push((0..power).fold(Rational::ONE, |product, _| product * &place));
                }
            }
            let design = Matrix { rows: places.len(), columns: count, elements };
            let inverse = pseudo_inverse(state, &design)?;
            let inverse = matrix_value(state, &inverse)?;
            let values = functions::array_value(state, given(values)?.value)?;
            product::dot(state, &inverse, &values)
        }
    }
}

/// A matrix that is known beforehand, as rationals.
fn known_matrix<S: Scalar>(state: &mut State<S>, name: &str, value: &Value<S>) -> Outcome<Matrix> {
    let array = create::as_array(state, value)?;
    let [rows, columns] = array.shape.as_slice() else {
        let message = format!("`{name}` takes a matrix, not an array of shape {}", shape_text(&array.shape));
        return Err(Fault::new(Code::LengthMismatch, message));
    };
    let (rows, columns) = (*rows, *columns);
    functions::public_array(state, name, &array)?;
    let values = state.heap.array_values(&array);
    let elements = values.iter().map(|value| ratio(state, value)).collect::<Outcome<Vec<_>>>()?;
    Ok(Matrix { rows, columns, elements })
}

fn ratio<S: Scalar>(state: &State<S>, value: &Value<S>) -> Outcome<Rational> {
    let unusual = || Fault::new(Code::TypeMismatch, "a matrix holds numbers");
    match state.number(value).ok_or_else(unusual)? {
        Number::Int(value) => Ok(Rational::from(value)),
        Number::BigInt(value) => Ok(Rational::from(value)),
        Number::Float(value) => match value.exact_value() {
            Some(exact) => Ok(exact.clone()),
            None => <Rational as Scalar>::from_f64(value.to_f64()).ok_or_else(unusual),
        },
    }
}

fn inverse_of<S: Scalar>(state: &mut State<S>, matrix: &Matrix) -> Outcome<Matrix> {
    if matrix.rows != matrix.columns {
        return Err(Fault::new(Code::LengthMismatch, "only square matrices have an inverse"));
    }
    check_size(state, matrix.rows)?;
    let singular = || {
        let hint = "is a column a sum of others? leave one of them out";
        Fault::hinted(Code::DomainError, "the matrix has no inverse", hint)
    };
    matrix.inverse().ok_or_else(singular)
}

/// (XᵀX)⁻¹Xᵀ of a matrix with independent columns, Xᵀ(XXᵀ)⁻¹ of one with independent rows.
fn pseudo_inverse<S: Scalar>(state: &mut State<S>, matrix: &Matrix) -> Outcome<Matrix> {
    let turned = matrix.transposed();
    check_size(state, matrix.rows.min(matrix.columns))?;
    state
        .budget
        .spend_steps((matrix.elements.len() as u64).saturating_mul(matrix.rows.min(matrix.columns) as u64) * 16)?;
    if matrix.rows >= matrix.columns {
        let squared = inverse_of(state, &turned.times(matrix))?;
        return Ok(squared.times(&turned));
    }
    let squared = inverse_of(state, &matrix.times(&turned))?;
    Ok(turned.times(&squared))
}

fn check_size<S: Scalar>(state: &mut State<S>, unknowns: usize) -> Outcome<()> {
    if unknowns > MAX_UNKNOWNS {
        let message = format!("equations with {unknowns} unknowns; at most {MAX_UNKNOWNS} are solved exactly");
        return Err(Fault::new(Code::SizeLimit, message));
    }
    let n = unknowns as u64;
    state.budget.spend_steps(n * n * n * 32)
}

fn matrix_value<S: Scalar>(state: &mut State<S>, matrix: &Matrix) -> Outcome<Value<S>> {
    let mut elements = Vec::with_capacity(matrix.elements.len());
    for element in &matrix.elements {
        let number = state.finite(S::from_ratio(element))?;
        elements.push(Value::NumpyFloat(state.followed(number)));
    }
    create::new_array(state, elements, vec![matrix.rows, matrix.columns], Kind::Float)
}

/// xⁿ⁻¹, …, x, 1 in each row, or the other way round.
pub(super) fn powers<S: Scalar>(
    state: &mut State<S>,
    values: &[Value<S>],
    count: usize,
    increasing: bool,
) -> Outcome<Value<S>> {
    state.budget.check_elements((values.len() as u64).saturating_mul(count as u64))?;
    let whole = values.iter().all(|value| matches!(value, Value::NumpyInt(_) | Value::Int(_)));
    let kind = if whole { Kind::Int } else { Kind::Float };
    let mut elements = Vec::with_capacity(values.len() * count);
    for value in values {
        let mut row = vec![kind::cast(state, &Value::Int(1), kind)?];
        for _ in 1..count {
            let last = row[row.len() - 1].clone();
            row.push(kind::numpy_binary(state, privug_language::program::Binary::Multiply, &last, value)?);
        }
        row.truncate(count);
        if !increasing {
            row.reverse();
        }
        elements.extend(row);
    }
    create::new_array(state, elements, vec![values.len(), count], kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = Matrix { rows: 3, columns: 3, elements: [0, 2, 1, 3, 0, 5, 1, 7, 4].map(Rational::from).to_vec() };
        let product = matrix.inverse().map(|inverse| matrix.times(&inverse).elements);
        assert_eq!(product, Some([1, 0, 0, 0, 1, 0, 0, 0, 1].map(Rational::from).to_vec()));
        let singular = Matrix { rows: 2, columns: 2, elements: [1, 2, 2, 4].map(Rational::from).to_vec() };
        assert!(singular.inverse().is_none());
    }
}
