//! Sums, products and remainders of whole columns of integers, without a detour over single values.

use std::sync::Arc;

use dashu_int::IBig;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::Column;
use super::column;
use super::elementwise::Side;
use crate::evaluate::tables;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// The integers of one side.
enum Whole<'a, S> {
    /// The same for all rows.
    One(i128),
    /// A column of 64-bit integers.
    Column(&'a [i64]),
    /// Cells, which may hold larger ones.
    Cells(&'a [Value<S>]),
}

/// `left operator right` where all values are integers, and all results fit into 128 bits; `None` leaves it to the long
/// way, which also says what is wrong. What pandas would let wrap around is refused.
pub(super) fn integer_arithmetic<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Side<S>,
    right: &Side<S>,
    count: usize,
) -> Outcome<Option<Column<S>>> {
    // Of what is nothing it cannot be said that it is integers.
    let (Some(a), Some(b), true) = (integers(state, left), integers(state, right), count > 0) else { return Ok(None) };
    let results = match operator {
        Binary::Add => row_by_row(state, &a, &b, count, i64::overflowing_add, i128::checked_add),
        Binary::Subtract => row_by_row(state, &a, &b, count, i64::overflowing_sub, i128::checked_sub),
        Binary::Multiply => row_by_row(state, &a, &b, count, i64::overflowing_mul, i128::checked_mul),
        Binary::FloorDivide => {
            let of_large = |a, b| floor_division(a, b).map(|(quotient, _)| quotient);
            match b.power_of_two() {
                Some(power) => row_by_row(state, &a, &b, count, |a, _| (a >> power, false), of_large),
                None => row_by_row(state, &a, &b, count, |a, b| or_fails(floor_quotient(a, b)), of_large),
            }
        }
        Binary::Remainder => {
            let of_large = |a, b| floor_division(a, b).map(|(_, remainder)| remainder);
            match b.power_of_two() {
                Some(power) => row_by_row(state, &a, &b, count, |a, _| (a & ((1 << power) - 1), false), of_large),
                None => row_by_row(state, &a, &b, count, |a, b| or_fails(floor_remainder(a, b)), of_large),
            }
        }
        Binary::Divide | Binary::Power | Binary::MatrixMultiply => return Ok(None),
    };
    match results {
        Some(Results::Words(words)) => {
            tables::spend_bytes(state, count * size_of::<i64>())?;
            Ok(Some(Column::Integers(Arc::new(words))))
        }
        // Python's own integers, in a column of objects, know no bounds.
        Some(Results::Large(large)) if !left.is_of_words() || !right.is_of_words() => {
            let large: Outcome<Vec<Value<S>>> =
                large.into_iter().map(|result| state.integer(IBig::from(result))).collect();
            column::column_of(state, large?).map(Some)
        }
        Some(Results::Large(_)) => Err(too_large()),
        None => Ok(None),
    }
}

/// The integers of a side, if it has nothing else.
fn integers<'s, S: Scalar>(state: &State<S>, side: &'s Side<S>) -> Option<Whole<'s, S>> {
    match side {
        Side::Single(value) => plain_integer(state, value).map(Whole::One),
        Side::Column(series) => match &series.column {
            Column::Integers(values) => Some(Whole::Column(values)),
            Column::Cells(values) => Some(Whole::Cells(values)),
            Column::Booleans(_)
            | Column::Numbers(_)
            | Column::Texts { .. }
            | Column::Random(_)
            | Column::Own(_)
            | Column::Choices(_) => None,
        },
    }
}

fn plain_integer<S: Scalar>(state: &State<S>, value: &Value<S>) -> Option<i128> {
    match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::BigInt(handle) => i128::try_from(state.heap.integer(*handle)).ok(),
        _ => None,
    }
}

/// All results; `None` if one of them is not an integer of 128 bits. `of_words` says whether there is no result of 64 bits.
fn row_by_row<S: Scalar>(
    state: &State<S>,
    a: &Whole<'_, S>,
    b: &Whole<'_, S>,
    count: usize,
    of_words: impl Fn(i64, i64) -> (i64, bool),
    of_large: impl Fn(i128, i128) -> Option<i128>,
) -> Option<Results> {
    let word = |whole: &Whole<'_, S>| match whole {
        Whole::One(value) => i64::try_from(*value).ok(),
        Whole::Column(_) | Whole::Cells(_) => None,
    };
    // One look at all rows in the end, so that the loops have no branch and the list has its size from the start.
    let mut fails = false;
    let mut checked = |a: i64, b: i64| {
        let (result, failed) = of_words(a, b);
        fails |= failed;
        result
    };
    let words: Option<Vec<i64>> = match (a, b, word(a), word(b)) {
        (Whole::Column(a), Whole::Column(b), ..) => Some(a.iter().zip(*b).map(|(a, b)| checked(*a, *b)).collect()),
        (Whole::Column(a), _, _, Some(b)) => Some(a.iter().map(|a| checked(*a, b)).collect()),
        (_, Whole::Column(b), Some(a), _) => Some(b.iter().map(|b| checked(a, *b)).collect()),
        _ => None,
    };
    let words = words.filter(|_| !fails);
    if let Some(words) = words {
        return Some(Results::Words(words));
    }
    let at = |whole: &Whole<'_, S>, row: usize| match whole {
        Whole::One(value) => Some(*value),
        Whole::Column(values) => Some(i128::from(values[row])),
        Whole::Cells(values) => plain_integer(state, &values[row]),
    };
    let large: Vec<i128> = (0..count).map(|row| of_large(at(a, row)?, at(b, row)?)).collect::<Option<_>>()?;
    let words: Option<Vec<i64>> = large.iter().map(|result| i64::try_from(*result).ok()).collect();
    Some(words.map_or(Results::Large(large), Results::Words))
}

impl<S> Side<S> {
    /// Whether pandas has it as integers of 64 bits, or makes it one.
    fn is_of_words(&self) -> bool {
        match self {
            Side::Single(value) => matches!(value, Value::Int(_) | Value::BigInt(_)),
            Side::Column(series) => matches!(series.column, Column::Integers(_)),
        }
    }
}

/// Refuses results that pandas would let wrap around.
pub(super) fn refuse_wrapping<S>(left: &Side<S>, right: &Side<S>, results: &[Value<S>]) -> Outcome<()> {
    let is_large = |value: &Value<S>| matches!(value, Value::BigInt(_));
    match left.is_of_words() && right.is_of_words() && results.iter().any(is_large) {
        true => Err(too_large()),
        false => Ok(()),
    }
}

fn too_large() -> Box<Fault> {
    let hint = "pandas' integers have 64 bits and would wrap around; make the column one of floats: `.astype(float)`";
    Fault::hinted(Code::Overflow, "an integer of a column is too large", hint)
}

/// Integers, of which some may be too large for 64 bits.
enum Results {
    Words(Vec<i64>),
    Large(Vec<i128>),
}

impl<S> Whole<'_, S> {
    /// The exponent, if all rows have the same power of two: by that nothing need be divided.
    fn power_of_two(&self) -> Option<u32> {
        match self {
            Whole::One(value) if (1..=1 << 62).contains(value) && value & (value - 1) == 0 => {
                Some(value.trailing_zeros())
            }
            _ => None,
        }
    }
}

/// The same of 64-bit integers, which are divided much faster.
fn floor_quotient(a: i64, b: i64) -> Option<i64> {
    let (quotient, remainder) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(quotient - i64::from(remainder != 0 && (remainder < 0) != (b < 0)))
}

fn floor_remainder(a: i64, b: i64) -> Option<i64> {
    let remainder = a.checked_rem(b)?;
    Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

fn or_fails(result: Option<i64>) -> (i64, bool) {
    (result.unwrap_or(0), result.is_none())
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
        let expected: [(i64, i64, i64, i64); 10] = [
            (7, 3, 2, 1),
            (-7, 3, -3, 2),
            (7, -3, -3, -2),
            (-7, -3, 2, -1),
            (6, -3, -2, 0),
            (0, -5, 0, 0),
            (-7, 4, -2, 1),
            (-8, 4, -2, 0),
            (i64::MIN, 1, i64::MIN, 0),
            (-1, 1 << 62, -1, (1 << 62) - 1),
        ];
        for (a, b, quotient, remainder) in expected {
            assert_eq!(floor_division(a.into(), b.into()), Some((quotient.into(), remainder.into())), "{a} by {b}");
            assert_eq!((floor_quotient(a, b), floor_remainder(a, b)), (Some(quotient), Some(remainder)), "{a} by {b}");
            if let Some(power) = Whole::<f64>::One(b.into()).power_of_two() {
                assert_eq!((a >> power, a & ((1 << power) - 1)), (quotient, remainder), "{a} by 2^{power}");
            }
        }
        assert_eq!((floor_division(1, 0), floor_division(i128::MIN, -1)), (None, None));
        assert_eq!((floor_quotient(1, 0), floor_quotient(i64::MIN, -1)), (None, None));
        assert_eq!((floor_remainder(1, 0), floor_remainder(i64::MIN, -1)), (None, None));
    }
}
