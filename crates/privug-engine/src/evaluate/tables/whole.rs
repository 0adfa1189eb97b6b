//! Sums, products and remainders of whole columns of integers, without a detour over single values.

use std::sync::Arc;

use dashu_int::IBig;

use super::super::fault::Outcome;
use super::super::state::State;
use super::super::value::Value;
use super::Column;
use super::elementwise::Side;
use crate::number::Scalar;
use privug_language::program::Binary;

impl<S: Scalar> State<S> {
    /// `left operator right` where all values are integers, and all results fit into 128 bits; `None` leaves it to the long
    /// way, which also says what is wrong.
    pub(super) fn integer_arithmetic(
        &mut self,
        operator: Binary,
        left: &Side<S>,
        right: &Side<S>,
        count: usize,
    ) -> Outcome<Option<Column<S>>> {
        let operation: fn(i128, i128) -> Option<i128> = match operator {
            Binary::Add => i128::checked_add,
            Binary::Subtract => i128::checked_sub,
            Binary::Multiply => i128::checked_mul,
            Binary::FloorDivide => |a, b| floor_division(a, b).map(|(quotient, _)| quotient),
            Binary::Remainder => |a, b| floor_division(a, b).map(|(_, remainder)| remainder),
            Binary::Divide | Binary::Power | Binary::MatrixMultiply => return Ok(None),
        };
        // Of what is nothing it cannot be said that it is integers.
        if count == 0 {
            return Ok(None);
        }
        let mut results = Vec::with_capacity(count);
        for row in 0..count {
            let (Some(a), Some(b)) = (self.integer_in(left, row), self.integer_in(right, row)) else { return Ok(None) };
            let Some(result) = operation(a, b) else { return Ok(None) };
            results.push(result);
        }
        let small: Option<Vec<i64>> = results.iter().map(|result| i64::try_from(*result).ok()).collect();
        match small {
            Some(small) => {
                self.spend_bytes(count * size_of::<i64>())?;
                Ok(Some(Column::Integers(Arc::new(small))))
            }
            None => {
                let large: Outcome<Vec<Value<S>>> =
                    results.into_iter().map(|result| self.integer(IBig::from(result))).collect();
                self.column_of(large?).map(Some)
            }
        }
    }

    /// The integer in a row, if it is one that fits.
    fn integer_in(&self, side: &Side<S>, row: usize) -> Option<i128> {
        let of_value = |value: &Value<S>| match value {
            Value::Int(value) => Some(i128::from(*value)),
            Value::BigInt(handle) => i128::try_from(self.heap.integer(*handle)).ok(),
            _ => None,
        };
        match side {
            Side::Single(value) => of_value(value),
            Side::Column(series) => match &series.column {
                Column::Integers(values) => Some(i128::from(values[row])),
                Column::Cells(values) => of_value(&values[row]),
                Column::Booleans(_)
                | Column::Numbers(_)
                | Column::Texts { .. }
                | Column::Random(_)
                | Column::Choices(_) => None,
            },
        }
    }
}

/// Quotient and remainder with the remainder's sign that of the divisor, as in Python.
fn floor_division(a: i128, b: i128) -> Option<(i128, i128)> {
    let (quotient, remainder) = (a.checked_div(b)?, a.checked_rem(b)?);
    match remainder != 0 && (remainder < 0) != (b < 0) {
        true => Some((quotient - 1, remainder + b)),
        false => Some((quotient, remainder)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_have_the_sign_of_the_divisor() {
        let expected = [(7, 3, 2, 1), (-7, 3, -3, 2), (7, -3, -3, -2), (-7, -3, 2, -1), (6, -3, -2, 0), (0, -5, 0, 0)];
        for (a, b, quotient, remainder) in expected {
            assert_eq!(floor_division(a, b), Some((quotient, remainder)), "{a} by {b}");
        }
        assert_eq!((floor_division(1, 0), floor_division(i128::MIN, -1)), (None, None));
    }
}
