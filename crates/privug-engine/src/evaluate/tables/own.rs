//! Weights that are nearly everybody's own, in a table of groups: what is linear in them, and nothing else.
//!
//! Two rows stand for a group, each with a weight that somebody might have, so that Σw, Σw² and Σw·x over the two are those of
//! the group (docs/scale.md). A figure in which everybody's weight is affine in w is the same of the two as of everybody; any other
//! would be another number. So a column of such weights is a kind of its own, which only the operations here take: sums with numbers and
//! with its like, multiples, and products with the secret itself.

use std::rc::Rc;

use super::super::fault::Outcome;
use super::super::state::State;
use super::super::value::Value;
use super::column;
use super::elementwise::Side;
use super::{Column, RandomColumn, everybodys_own};
use crate::network::Affine;
use crate::number::Scalar;
use privug_language::program::Binary;

/// One side of an operator, as far as it is known here.
enum Factor<'a, S> {
    Own(&'a [Option<S>]),
    /// The same for everybody of a row.
    Known(Vec<Option<S>>),
    Random(Vec<Option<Affine<S>>>),
}

/// Whether a side is made of weights that are everybody's own.
pub(super) fn is_own<S>(side: &Side<S>) -> bool {
    matches!(side, Side::Column(series) if matches!(series.column, Column::Own(_)))
}

/// `left operator right` where one of the two is everybody's own.
pub(super) fn own_arithmetic<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Side<S>,
    right: &Side<S>,
    count: usize,
) -> Outcome<Column<S>> {
    let what = format!("`{}`", operator.symbol());
    let refused = || Err(everybodys_own(&what));
    let (a, b) = (own_side(state, left, count)?, own_side(state, right, count)?);
    match (operator, &a, &b) {
        (Binary::Add | Binary::Subtract, Factor::Own(own), Factor::Own(others)) => {
            let others: Vec<Option<S>> = others.to_vec();
            own_numbers(state, operator, own, &others, false)
        }
        (Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide, Factor::Own(own), Factor::Known(by)) => {
            own_numbers(state, operator, own, by, false)
        }
        (Binary::Add | Binary::Subtract | Binary::Multiply, Factor::Known(by), Factor::Own(own)) => {
            own_numbers(state, operator, own, by, true)
        }
        (Binary::Multiply, Factor::Own(own), Factor::Random(secrets))
        | (Binary::Multiply, Factor::Random(secrets), Factor::Own(own)) => own_products(state, own, secrets),
        _ => refused(),
    }
}

/// Row by row, with numbers that are the same for everybody of a row.
fn own_numbers<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    own: &[Option<S>],
    by: &[Option<S>],
    swapped: bool,
) -> Outcome<Column<S>> {
    let operation: fn(&S, &S) -> S = match operator {
        Binary::Add => S::add,
        Binary::Subtract => S::sub,
        Binary::Multiply => S::mul,
        Binary::Divide => S::div,
        Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => {
            return Err(everybodys_own(operator.symbol()));
        }
    };
    let mut results = Vec::with_capacity(own.len());
    for (weight, number) in own.iter().zip(by) {
        results.push(match (weight, number) {
            (Some(_), Some(number)) if operator == Binary::Divide && number.is_zero() => {
                return Err(everybodys_own("a division by 0"));
            }
            (Some(weight), Some(number)) => {
                let (x, y) = if swapped { (number, weight) } else { (weight, number) };
                Some(state.followed(state.finite(operation(x, y))?))
            }
            _ => None,
        });
    }
    Ok(Column::Own(Rc::new(results)))
}

/// w·(c·x + b), where x is the secret of the row: its weight is then linear in w. Anything else may have been multiplied by w
/// before.
fn own_products<S: Scalar>(
    state: &mut State<S>,
    own: &[Option<S>],
    secrets: &[Option<Affine<S>>],
) -> Outcome<Column<S>> {
    let mut cells = Vec::with_capacity(own.len());
    for (weight, secret) in own.iter().zip(secrets) {
        let (Some(weight), Some(Affine { node, scale, offset })) = (weight, secret) else {
            cells.push(Value::Missing);
            continue;
        };
        if state.tables.group_rows.binary_search(node).is_err() {
            return Err(everybodys_own("a product with something else than the secret itself"));
        }
        let offset = state.finite(offset.mul(weight))?;
        if weight.is_zero() {
            cells.push(Value::Float(offset));
            continue;
        }
        // The product is a node of its own: it is no secret, so that it is multiplied with weights no more.
        let product = state.push_node(S::zero(), [(*node, weight.clone())], S::zero())?;
        cells.push(Value::random(Affine { node: product.node, scale: scale.clone(), offset }));
    }
    match cells.iter().map(Value::as_random).collect::<Option<Vec<Affine<S>>>>() {
        Some(variables) => Ok(Column::Random(Rc::new(RandomColumn::from_variables(variables)))),
        None => column::column_of(state, cells),
    }
}

fn own_side<'a, S: Scalar>(state: &mut State<S>, side: &'a Side<S>, count: usize) -> Outcome<Factor<'a, S>> {
    let series = match side {
        Side::Column(series) => series,
        Side::Single(value) => {
            return match (state.number(value).and_then(|number| number.scalar()), value.as_random()) {
                (Some(number), None) => Ok(Factor::Known(vec![Some(number); count])),
                _ => Err(everybodys_own("this")),
            };
        }
    };
    if let Column::Own(values) = &series.column {
        return Ok(Factor::Own(values));
    }
    let mut known = Vec::with_capacity(count);
    let mut random = Vec::with_capacity(count);
    for cell in column::cells(state, &series.column)? {
        match (&cell, cell.as_random()) {
            (Value::Missing, _) => {
                known.push(None);
                random.push(None);
            }
            (_, Some(affine)) => random.push(Some(affine)),
            (cell, None) => match state.number(cell).and_then(|number| number.scalar()) {
                Some(number) => known.push(Some(number)),
                None => return Err(everybodys_own("this")),
            },
        }
    }
    match (known.len() == count, random.len() == count) {
        (true, _) => Ok(Factor::Known(known)),
        (false, true) => Ok(Factor::Random(random)),
        // Some rows are secret, and others are numbers.
        (false, false) => Err(everybodys_own("this")),
    }
}
