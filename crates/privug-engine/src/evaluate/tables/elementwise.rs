//! Operators on whole columns: row by row, with numbers standing for columns of themselves.

use std::rc::Rc;
use std::sync::Arc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::own::is_own;
use super::{Column, Index, Series, Words};
use super::{aggregate, alignment, bins, categories, column, dates, own, whole};
use crate::evaluate::{arithmetic, compare, containers, random, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison, Logic};

/// One side of an operator.
pub(super) enum Side<S> {
    Column(Rc<Series<S>>),
    /// The same in every row.
    Single(Value<S>),
}

/// The numbers of one side.
enum Numbers<'a, S> {
    Single(S),
    Integers(&'a [i64]),
    Scalars(&'a [S]),
}

impl<S: Scalar> Numbers<'_, S> {
    fn get(&self, row: usize) -> S {
        match self {
            Numbers::Single(value) => value.clone(),
            Numbers::Integers(values) => S::from_i64(values[row]),
            Numbers::Scalars(values) => values[row].clone(),
        }
    }
}

/// A value as one side of an operator on columns; lists and arrays stand for columns.
pub(super) fn side<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Side<S>> {
    Ok(match value {
        Value::Series(series) => Side::Column(series.clone()),
        Value::List(_) | Value::Array(_) => {
            let values = containers::elements(state, value)?;
            let (index, column) = (Index::Positions(values.len()), column::column_of(state, values)?);
            Side::Column(Rc::new(Series { name: None, column, index }))
        }
        single => Side::Single(single.clone()),
    })
}

/// Two sides with their rows made sure of, and what the rows of the result are called.
fn aligned<S: Scalar>(state: &mut State<S>, left: &Value<S>, right: &Value<S>) -> Outcome<(Side<S>, Side<S>, Index)> {
    let (left, right) = (side(state, left)?, side(state, right)?);
    aligned_sides(state, left, right)
}

fn aligned_sides<S: Scalar>(state: &mut State<S>, left: Side<S>, right: Side<S>) -> Outcome<(Side<S>, Side<S>, Index)> {
    let index = match (&left, &right) {
        (Side::Column(a), Side::Column(b)) => {
            if !a.index.same(&b.index) {
                return Err(different_rows(a, b));
            }
            if super::shape::differ(a, b) {
                return Err(super::shape::secret_shape("two columns are combined, one of"));
            }
            if matches!(a.index, Index::Positions(_)) { b.index.clone() } else { a.index.clone() }
        }
        (Side::Column(a), Side::Single(_)) | (Side::Single(_), Side::Column(a)) => a.index.clone(),
        (Side::Single(_), Side::Single(_)) => {
            return Err(Fault::new(Code::TypeMismatch, "there is no column here"));
        }
    };
    tables::spend_rows(state, index.len())?;
    Ok((left, right, index))
}

/// `left operator right` where one of the two is a column.
pub(in super::super) fn binary_columns<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if operator == Binary::MatrixMultiply {
        return aggregate::dot_columns(state, left, right);
    }
    if operator == Binary::Subtract
        && let Some(elapsed) = dates::elapsed(state, left, right)?
    {
        return Ok(elapsed);
    }
    if matches!(left, Value::None) || matches!(right, Value::None) {
        return Err(arithmetic::mismatch(operator, left, right));
    }
    let (left, right, index) = matched_sides(state, left, right, None)?;
    combined_rows(state, operator, &left, &right, index)
}

/// Two sides whose rows were matched by what they are called; `fill` stands where only one of them has a value.
pub(super) fn matched_sides<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
    fill: Option<&Value<S>>,
) -> Outcome<(Side<S>, Side<S>, Index)> {
    let (mut left, mut right) = (side(state, left)?, side(state, right)?);
    if let (Side::Column(a), Side::Column(b)) = (&left, &right)
        && !a.index.same(&b.index)
        && let Some((first, second)) = alignment::matched(state, a, b)?
    {
        (left, right) = (Side::Column(first), Side::Column(second));
    }
    if let (Some(fill), Side::Column(a), Side::Column(b)) = (fill, &left, &right) {
        let filled = (filled_beside(state, a, b, fill)?, filled_beside(state, b, a, fill)?);
        (left, right) = (Side::Column(filled.0), Side::Column(filled.1));
    }
    aligned_sides(state, left, right)
}

/// A column with a value where it has none and the other does.
fn filled_beside<S: Scalar>(
    state: &mut State<S>,
    own: &Rc<Series<S>>,
    other: &Series<S>,
    fill: &Value<S>,
) -> Outcome<Rc<Series<S>>> {
    let gaps = |row: usize| own.column.is_missing(row) && !other.column.is_missing(row);
    if own.len() != other.len() || !(0..own.len()).any(gaps) {
        return Ok(own.clone());
    }
    let cells = column::cells(state, &own.column)?;
    let cell = |(row, cell): (usize, Value<S>)| if gaps(row) { fill.clone() } else { cell };
    let column = column::column_of(state, cells.into_iter().enumerate().map(cell).collect())?;
    Ok(Rc::new(Series { name: own.name.clone(), column, index: own.index.clone() }))
}

/// `left operator right` of two sides with the same rows.
pub(super) fn combined_rows<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Side<S>,
    right: &Side<S>,
    index: Index,
) -> Outcome<Value<S>> {
    let count = index.len();
    if is_own(left) || is_own(right) {
        let column = own::own_arithmetic(state, operator, left, right, count)?;
        return Ok(Value::Series(Rc::new(Series { name: common_name(left, right), column, index })));
    }
    if let Some(column) = boolean_arithmetic(operator, left, right, count)? {
        let name = common_name(left, right);
        return Ok(Value::Series(Rc::new(Series { name, column, index })));
    }
    let fast = match whole::integer_arithmetic(state, operator, left, right, count)? {
        Some(column) => Some(column),
        None => fast_arithmetic(state, operator, left, right, count)?,
    };
    let column = match fast {
        Some(column) => column,
        None => match categories::combine::choice_arithmetic(state, operator, left, right, count)? {
            Some(column) => column,
            None => {
                let joins = operator == Binary::Add && is_text(left) && is_text(right);
                if !joins {
                    refuse_texts(operator.symbol(), left)?;
                    refuse_texts(operator.symbol(), right)?;
                }
                let mut values = Vec::with_capacity(count);
                for row in 0..count {
                    let (a, b) = (side_value(state, left, row)?, side_value(state, right, row)?);
                    let is_gap = matches!(a, Value::Missing) || matches!(b, Value::Missing);
                    values.push(match joins && is_gap {
                        true => Value::Missing,
                        false => binary_rows(state, operator, &a, &b)?,
                    });
                }
                whole::refuse_wrapping(left, right, &values)?;
                column::column_of(state, values)?
            }
        },
    };
    let name = common_name(left, right);
    Ok(Value::Series(Rc::new(Series { name, column, index })))
}

/// Whether a side is a text, or a column of texts that stand for themselves.
fn is_text<S: Scalar>(side: &Side<S>) -> bool {
    match side {
        Side::Single(value) => matches!(value, Value::Text(_)),
        Side::Column(series) => matches!(series.column, Column::Texts { words: Words::Plain, .. }),
    }
}

/// The same for one row. Quotients are rounded, so that not every row of a secret column needs a node of its own.
fn binary_rows<S: Scalar>(state: &mut State<S>, operator: Binary, a: &Value<S>, b: &Value<S>) -> Outcome<Value<S>> {
    if operator == Binary::Divide
        && let Some(x) = a.as_random()
        && let Some(by) = state.number(b).and_then(|number| number.exact_scalar())
        && let Some(quotient) = random::divide_rounding(&x, &by)
    {
        return Ok(Value::random(quotient));
    }
    arithmetic::binary(state, operator, a, b)
}

fn side_value<S: Scalar>(state: &mut State<S>, side: &Side<S>, row: usize) -> Outcome<Value<S>> {
    match side {
        Side::Column(series) => column::cell(state, &series.column, row),
        Side::Single(value) => Ok(value.clone()),
    }
}

/// Sums, differences, products and quotients of plain numbers, without a detour over single values.
fn fast_arithmetic<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Side<S>,
    right: &Side<S>,
    count: usize,
) -> Outcome<Option<Column<S>>> {
    let operation: fn(&S, &S) -> S = match operator {
        Binary::Add => S::add,
        Binary::Subtract => S::sub,
        Binary::Multiply => S::mul,
        Binary::Divide => S::div,
        Binary::FloorDivide | Binary::Remainder | Binary::Power | Binary::MatrixMultiply => return Ok(None),
    };
    let (Some(a), Some(b)) = (side_numbers(state, left), side_numbers(state, right)) else { return Ok(None) };
    // Integers stay integers, exactly, except in a quotient.
    let integers = |side: &Side<S>| match side {
        Side::Column(series) => matches!(series.column, Column::Integers(_)),
        Side::Single(value) => {
            matches!(value, Value::Int(_) | Value::Counted(_) | Value::BigInt(_) | Value::Bool(_))
        }
    };
    if operator != Binary::Divide && integers(left) && integers(right) {
        return Ok(None);
    }
    tables::spend_bytes(state, count * size_of::<S>())?;
    let mut results = Vec::with_capacity(count);
    for row in 0..count {
        let (x, y) = (a.get(row), b.get(row));
        if operator == Binary::Divide && y.is_zero() {
            let hint = "divide by a column without zeros, or leave those rows out";
            return Err(Fault::hinted(Code::DivisionByZero, format!("division by zero in row {}", row + 1), hint));
        }
        results.push(state.followed(state.finite(operation(&x, &y))?));
    }
    Ok(Some(Column::Numbers(Rc::new(results))))
}

fn side_numbers<'a, S: Scalar>(state: &State<S>, side: &'a Side<S>) -> Option<Numbers<'a, S>> {
    match side {
        Side::Single(value) => state.number(value)?.scalar().map(Numbers::Single),
        Side::Column(series) => match &series.column {
            Column::Integers(values) => Some(Numbers::Integers(values)),
            Column::Numbers(values) => Some(Numbers::Scalars(values)),
            Column::Booleans(_)
            | Column::Texts { .. }
            | Column::Random(_)
            | Column::Own(_)
            | Column::Choices(_)
            | Column::Cells(_) => None,
        },
    }
}

/// `-column`
pub(in super::super) fn negative_column<S: Scalar>(state: &mut State<S>, series: &Rc<Series<S>>) -> Outcome<Value<S>> {
    if let Column::Booleans(_) = series.column {
        let message = format!("{} holds booleans, which pandas negates logically", series.shown_name());
        return Err(Fault::hinted(
            Code::TypeMismatch,
            message,
            "write `~` for logical negation, or `-1 *` for numbers",
        ));
    }
    binary_columns(state, Binary::Multiply, &Value::Series(series.clone()), &Value::Int(-1))
}

/// `left operator right` where one of the two is a column: a mask.
pub(in super::super) fn compare_columns<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    match operator {
        Comparison::In | Comparison::NotIn => {
            let hint = "for each row: `column.isin([...])`; for the column as a whole: `x in column.unique()`";
            return Err(Fault::hinted(Code::TypeMismatch, "`in` tests the labels of a column, not its values", hint));
        }
        Comparison::Is | Comparison::IsNot => return Ok(Value::Bool(operator == Comparison::IsNot)),
        Comparison::Equal
        | Comparison::NotEqual
        | Comparison::Less
        | Comparison::LessEqual
        | Comparison::Greater
        | Comparison::GreaterEqual => {}
    }
    let (left, right, index) = aligned(state, left, right)?;
    let compared = categories::combine::combine_choices(state, &left, &right, index.len(), |state, a, b| {
        Ok(Value::Bool(matches!(compare::compare(state, operator, a, b)?.plain(), Value::Bool(true))))
    })?;
    if let Some(column) = compared {
        return Ok(Value::Series(Rc::new(Series { name: common_name(&left, &right), column, index })));
    }
    refuse_secret_comparison(&left)?;
    refuse_secret_comparison(&right)?;
    let count = index.len();
    tables::spend_bytes(state, count)?;
    let mask = match (&left, &right) {
        (Side::Column(series), Side::Single(value)) => compared_with(state, operator, series, value)?,
        (Side::Single(value), Side::Column(series)) => compared_with(state, mirrored(operator), series, value)?,
        _ => {
            let mut mask = Vec::with_capacity(count);
            for row in 0..count {
                let (a, b) = (side_value(state, &left, row)?, side_value(state, &right, row)?);
                mask.push(matches!(compare::compare(state, operator, &a, &b)?, Value::Bool(true)));
            }
            mask
        }
    };
    let column = Column::Booleans(Arc::new(mask));
    Ok(Value::Series(Rc::new(Series { name: common_name(&left, &right), column, index })))
}

/// Every row of a column compared with one value.
fn compared_with<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    series: &Rc<Series<S>>,
    value: &Value<S>,
) -> Outcome<Vec<bool>> {
    let is_text = matches!(value, Value::Text(_));
    if is_text != matches!(series.column, Column::Texts { .. }) && !matches!(series.column, Column::Cells(_)) {
        let (name, kind) = (series.shown_name(), series.column.kind());
        let message = format!("{name} holds {kind} and is compared with {}", value.kind());
        return Err(Fault::hinted(
            Code::TypeMismatch,
            message,
            "no row would be equal; compare values of the same type",
        ));
    }
    match (&series.column, value) {
        (Column::Texts { words: words @ (Words::Intervals | Words::Dates), .. }, Value::Text(_)) => {
            let value = value.clone();
            bins::compared_with_words(state, operator, series, *words, &value)
        }
        (Column::Texts { words: Words::Categories, .. }, Value::Text(_))
            if !matches!(operator, Comparison::Equal | Comparison::NotEqual) =>
        {
            compared_with_category(state, operator, series, value)
        }
        (Column::Texts { codes, labels, .. }, Value::Text(handle)) => {
            let wanted = state.heap.text(*handle);
            let matching: Vec<bool> = labels.iter().map(|label| holds(operator, (**label).cmp(wanted))).collect();
            let missing = operator == Comparison::NotEqual;
            Ok(codes.iter().map(|code| matching.get(*code as usize).copied().unwrap_or(missing)).collect())
        }
        (Column::Integers(values), Value::Int(wanted)) => {
            Ok(values.iter().map(|value| holds(operator, value.cmp(wanted))).collect())
        }
        (Column::Numbers(values), Value::Float(wanted)) => {
            let order = |value: &S| value.partial_cmp(wanted).is_some_and(|order| holds(operator, order));
            Ok(values.iter().map(order).collect())
        }
        (column, value) => {
            let mut mask = Vec::with_capacity(column.len());
            for row in 0..column.len() {
                let cell = column::cell(state, column, row)?;
                mask.push(matches!(compare::compare(state, operator, &cell, value)?, Value::Bool(true)));
            }
            Ok(mask)
        }
    }
}

/// `left operator right` on masks and booleans.
pub(in super::super) fn logic<S: Scalar>(
    state: &mut State<S>,
    operator: Logic,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
        return Ok(Value::Poison);
    }
    let combined = |a: bool, b: bool| match operator {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    };
    if let (Value::Bool(a), Value::Bool(b)) = (left, right) {
        return Ok(Value::Bool(combined(*a, *b)));
    }
    // Python's integers have as many bits as they need; two's complement of 64 is the same for those that fit.
    let integer = |value: &Value<S>| match value {
        Value::Int(value) => Some(*value),
        Value::Bool(value) => Some(i64::from(*value)),
        _ => None,
    };
    if let (Some(a), Some(b)) = (integer(left), integer(right)) {
        return Ok(Value::Int(match operator {
            Logic::And => a & b,
            Logic::Or => a | b,
            Logic::Xor => a ^ b,
        }));
    }
    if !matches!(left, Value::Series(_)) && !matches!(right, Value::Series(_)) {
        let message = format!(
            "`{}` joins masks, integers and booleans, not {} and {}",
            operator.symbol(),
            left.kind(),
            right.kind()
        );
        let hint = "comparisons next to it need parentheses: `(p.age > 20) & (p.age < 30)`";
        return Err(Fault::hinted(Code::BitOperator, message, hint));
    }
    let (left, right, index) = aligned(state, left, right)?;
    tables::spend_bytes(state, index.len())?;
    if let Some(column) = categories::combine::choice_logic(state, operator, &left, &right, index.len())? {
        return Ok(Value::Series(Rc::new(Series { name: common_name(&left, &right), column, index })));
    }
    let (a, b) = (mask_side(operator.symbol(), &left)?, mask_side(operator.symbol(), &right)?);
    let mask = (0..index.len()).map(|row| combined(a.get(row), b.get(row))).collect();
    let column = Column::Booleans(Arc::new(mask));
    Ok(Value::Series(Rc::new(Series { name: common_name(&left, &right), column, index })))
}

fn mask_side<S: Scalar>(symbol: &str, side: &Side<S>) -> Outcome<Mask> {
    match side {
        Side::Single(Value::Bool(value)) => Ok(Mask::Single(*value)),
        Side::Column(series) => match &series.column {
            Column::Booleans(values) => Ok(Mask::Rows(values.clone())),
            Column::Random(_) | Column::Choices(_) => {
                Err(super::secret_decides("rows are chosen", &series.shown_name()))
            }
            other => {
                let message = format!("`{symbol}` joins masks, not a column of {}", other.kind());
                let hint = "comparisons next to it need parentheses: `(p.age > 20) & (p.age < 30)`";
                Err(Fault::hinted(Code::BitOperator, message, hint))
            }
        },
        Side::Single(other) => {
            let message = format!("`{symbol}` joins masks, not {}", other.kind());
            let hint = "comparisons next to it need parentheses: `(p.age > 20) & (p.age < 30)`";
            Err(Fault::hinted(Code::BitOperator, message, hint))
        }
    }
}

/// `~mask`
pub(in super::super) fn invert<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    match value {
        Value::Poison => Ok(Value::Poison),
        Value::Series(series) => {
            if let Column::Choices(column) = &series.column {
                return categories::combine::invert_choices(state, series, column);
            }
            let side = Side::Column(series.clone());
            tables::spend_rows(state, series.len())?;
            tables::spend_bytes(state, series.len())?;
            let mask = mask_side("~", &side)?;
            let mask = (0..series.len()).map(|row| !mask.get(row)).collect();
            let column = Column::Booleans(Arc::new(mask));
            Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
        }
        Value::Int(number) => Ok(Value::Int(!number)),
        other => {
            let message = format!("`~` inverts a mask, not {}", other.kind());
            Err(Fault::hinted(Code::BitOperator, message, "write `not` for booleans"))
        }
    }
}

/// One side of a logical operator.
enum Mask {
    Single(bool),
    Rows(Arc<Vec<bool>>),
}

impl Mask {
    fn get(&self, row: usize) -> bool {
        match self {
            Mask::Single(value) => *value,
            Mask::Rows(values) => values[row],
        }
    }
}

/// pandas names a result only if both sides have that name.
fn common_name<S>(left: &Side<S>, right: &Side<S>) -> Option<Rc<str>> {
    match (left, right) {
        (Side::Column(a), Side::Column(b)) => a.name.clone().filter(|name| b.name.as_ref() == Some(name)),
        (Side::Column(only), Side::Single(_)) | (Side::Single(_), Side::Column(only)) => only.name.clone(),
        (Side::Single(_), Side::Single(_)) => None,
    }
}

/// Categories compared with one of them, in their own order; with anything else pandas does not compare them.
fn compared_with_category<S: Scalar>(
    state: &State<S>,
    operator: Comparison,
    series: &Series<S>,
    value: &Value<S>,
) -> Outcome<Vec<bool>> {
    let wanted = text::show(state, value);
    let Column::Texts { codes, labels, .. } = &series.column else { return Ok(Vec::new()) };
    let Some(place) = labels.iter().position(|label| **label == *wanted) else {
        let message = format!("{} holds categories, and \"{wanted}\" is none of them", series.shown_name());
        return Err(Fault::hinted(Code::TypeMismatch, message, "compare them with one of them"));
    };
    let is_there = |code: u32| (code as usize) < labels.len();
    Ok(codes.iter().map(|code| is_there(*code) && holds(operator, (*code as usize).cmp(&place))).collect())
}

/// Sums of booleans are `or` and their products `and` in numpy; it has no differences of them.
fn boolean_arithmetic<S: Scalar>(
    operator: Binary,
    left: &Side<S>,
    right: &Side<S>,
    count: usize,
) -> Outcome<Option<Column<S>>> {
    let truth = |side: &Side<S>| match side {
        Side::Column(series) => match &series.column {
            Column::Booleans(values) => Some(values.to_vec()),
            _ => None,
        },
        Side::Single(Value::Bool(value) | Value::NumpyBool(value)) => Some(vec![*value; count]),
        Side::Single(_) => None,
    };
    let (Some(a), Some(b)) = (truth(left), truth(right)) else { return Ok(None) };
    let rows = a.into_iter().zip(b);
    match operator {
        Binary::Add => Ok(Some(Column::Booleans(Arc::new(rows.map(|(a, b)| a | b).collect())))),
        Binary::Multiply => Ok(Some(Column::Booleans(Arc::new(rows.map(|(a, b)| a & b).collect())))),
        _ => {
            let message = format!("`{}` does not take two columns of booleans", operator.symbol());
            Err(Fault::hinted(Code::TypeMismatch, message, "make them numbers first: `.astype(int)`"))
        }
    }
}

fn different_rows<S: Scalar>(a: &Series<S>, b: &Series<S>) -> Box<Fault> {
    let message = format!("columns of different rows are combined ({} and {} of them)", a.len(), b.len());
    let hint = "take both from the same table or filter, or group both by the same columns";
    Fault::hinted(Code::DifferentRows, message, hint)
}

fn refuse_texts<S: Scalar>(symbol: &str, side: &Side<S>) -> Outcome<()> {
    if let Side::Column(series) = side
        && let Column::Texts { .. } = series.column
    {
        let message = format!("`{symbol}` does not take {}, which holds strings", series.shown_name());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    Ok(())
}

fn refuse_secret_comparison<S: Scalar>(side: &Side<S>) -> Outcome<()> {
    let secret = match side {
        Side::Column(series) => series.column.is_secret(),
        Side::Single(value) => value.as_random().is_some(),
    };
    if !secret {
        return Ok(());
    }
    let what = match side {
        Side::Column(series) => series.shown_name(),
        Side::Single(_) => "a figure".to_owned(),
    };
    let message = format!("{what} is secret and is compared, so the outcome would be random");
    let hint = "choose rows by columns that the attacker knows, such as an age group";
    Err(Fault::hinted(Code::ComparisonOfRandom, message, hint))
}

/// Whether a comparison holds for an order.
pub(super) fn holds(operator: Comparison, order: std::cmp::Ordering) -> bool {
    match operator {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
        Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => false,
    }
}

/// `a < b` as `b > a`.
fn mirrored(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        other => other,
    }
}
