//! Operators and functions of columns of a discrete secret: one table of outcomes from others.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::super::fault::{Fault, Outcome};
use super::super::super::ndarray::Kind;
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::elementwise::Side;
use super::super::{Column, Index, Label, Series};
use super::{ChoiceColumn, NO_ROW};
use crate::evaluate::{arithmetic, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Logic};

/// One side of an operator, as few different operands.
enum Operands<'a, S> {
    Single(Value<S>),
    Choices(&'a ChoiceColumn<S>),
    /// The different values of a public column, and that of each row.
    Public {
        values: Vec<Value<S>>,
        codes: Vec<u32>,
    },
}

impl<S: Scalar> Operands<'_, S> {
    fn operand(&self, row: usize) -> u32 {
        match self {
            Operands::Single(_) => 0,
            Operands::Choices(column) => column.table_of(row) as u32,
            Operands::Public { codes, .. } => codes[row],
        }
    }

    /// What the operand is where the secret has the value of a code.
    fn value(&self, operand: u32, code: usize) -> Value<S> {
        match self {
            Operands::Single(value) => value.clone(),
            Operands::Choices(column) => column.tables[operand as usize][code].clone(),
            Operands::Public { values, .. } => values[operand as usize].clone(),
        }
    }

    fn is_boolean(&self) -> bool {
        match self {
            Operands::Single(value) => matches!(value, Value::Bool(_)),
            Operands::Choices(column) => column.is_boolean(),
            Operands::Public { values, .. } => values.iter().all(|value| matches!(value, Value::Bool(_))),
        }
    }
}

/// What an operation gives row by row where one side at least depends on a discrete secret; `None` if neither does.
pub(in super::super) fn combine_choices<S: Scalar>(
    state: &mut State<S>,
    left: &Side<S>,
    right: &Side<S>,
    count: usize,
    mut operation: impl FnMut(&mut State<S>, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Option<Column<S>>> {
    let (Some(a), Some(b)) = (choices(left), choices(right)) else {
        return match choices(left).or(choices(right)) {
            Some(only) => {
                let (a, b) = (operands(state, left)?, operands(state, right)?);
                combined(state, only, None, (&a, &b), count, &mut operation).map(Some)
            }
            None => Ok(None),
        };
    };
    if !Rc::ptr_eq(&a.source, &b.source) {
        let message = "two different secrets are combined row by row";
        let hint = "combine both into one column first, and name it as the secret, or publish them separately";
        return Err(Fault::hinted(Code::SecretDecides, message, hint));
    }
    let (one, other) = (Operands::Choices(a), Operands::Choices(b));
    combined(state, a, Some(b), (&one, &other), count, &mut operation).map(Some)
}

fn combined<S: Scalar>(
    state: &mut State<S>,
    base: &ChoiceColumn<S>,
    other: Option<&ChoiceColumn<S>>,
    (left, right): (&Operands<'_, S>, &Operands<'_, S>),
    count: usize,
    operation: &mut dyn FnMut(&mut State<S>, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Column<S>> {
    let codes = base.source.labels.len();
    tables::spend_rows(state, count)?;
    tables::spend_bytes(state, count * 2 * size_of::<u32>())?;
    let mut found: HashMap<(u32, u32), u32> = HashMap::new();
    let mut tables: Vec<Rc<Vec<Value<S>>>> = Vec::new();
    let mut which = Vec::with_capacity(count);
    let mut rows = Vec::with_capacity(count);
    for row in 0..count {
        let of_secret = match other {
            Some(other) if other.rows[row] != base.rows[row] => {
                let hint = "take both from the same rows";
                return Err(Fault::hinted(Code::DifferentRows, "secrets of different people are combined", hint));
            }
            _ => base.rows[row],
        };
        rows.push(of_secret);
        if of_secret == NO_ROW {
            which.push(0);
            continue;
        }
        let key = (left.operand(row), right.operand(row));
        if let Some(table) = found.get(&key) {
            which.push(*table);
            continue;
        }
        state.budget.spend_elements(codes as u64 + 2)?;
        let mut table = Vec::with_capacity(codes);
        for code in 0..codes {
            let (a, b) = (left.value(key.0, code), right.value(key.1, code));
            table.push(operation(state, &a, &b)?.plain());
        }
        found.insert(key, tables.len() as u32);
        which.push(tables.len() as u32);
        tables.push(Rc::new(table));
    }
    if tables.is_empty() {
        // Nobody has a value: there is nothing to be told apart.
        tables.push(Rc::new(vec![Value::Missing; codes]));
    }
    let which = (tables.len() > 1).then_some(which);
    let (source, is_untouched, categories) = (base.source.clone(), false, None);
    Ok(Column::Choices(Rc::new(ChoiceColumn { source, rows, tables, which, is_untouched, categories })))
}

fn operands<'a, S: Scalar>(state: &mut State<S>, side: &'a Side<S>) -> Outcome<Operands<'a, S>> {
    let series = match side {
        Side::Single(value) if value.as_random().is_some() => return Err(mixed()),
        Side::Single(value) => return Ok(Operands::Single(value.clone())),
        Side::Column(series) => series,
    };
    if let Column::Choices(column) = &series.column {
        return Ok(Operands::Choices(column));
    }
    if series.column.is_secret() {
        return Err(mixed());
    }
    let mut known: HashMap<Option<Label>, u32> = HashMap::new();
    let (mut values, mut codes) = (Vec::new(), Vec::with_capacity(series.len()));
    for row in 0..series.len() {
        let label = tables::column::row_label(state, series, row)?;
        let code = match known.get(&label) {
            Some(code) => *code,
            None => {
                values.push(tables::column::cell(state, &series.column, row)?);
                known.insert(label, values.len() as u32 - 1);
                values.len() as u32 - 1
            }
        };
        codes.push(code);
    }
    Ok(Operands::Public { values, codes })
}

/// `left operator right`, where one of the two depends on a discrete secret.
pub(in super::super) fn choice_arithmetic<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Side<S>,
    right: &Side<S>,
    count: usize,
) -> Outcome<Option<Column<S>>> {
    if choices(left).or(choices(right)).is_none() {
        return Ok(None);
    }
    let (a, b) = (operands(state, left)?, operands(state, right)?);
    if a.is_boolean() && b.is_boolean() {
        let message = format!("`{}` combines two boolean columns", operator.symbol());
        let hint = "pandas does not treat this as arithmetic; write `&` or `|`, or convert each with `.astype(int)`";
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    }
    combine_choices(state, left, right, count, |state, a, b| {
        if matches!(a, Value::Missing) || matches!(b, Value::Missing) {
            return Ok(Value::Missing);
        }
        arithmetic::binary(state, operator, a, b)
    })
}

/// `left & right` of masks, one of them secret.
pub(in super::super) fn choice_logic<S: Scalar>(
    state: &mut State<S>,
    operator: Logic,
    left: &Side<S>,
    right: &Side<S>,
    count: usize,
) -> Outcome<Option<Column<S>>> {
    let symbol = operator.symbol();
    combine_choices(state, left, right, count, |_, a, b| match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(match operator {
            Logic::And => *a & *b,
            Logic::Or => *a | *b,
            Logic::Xor => *a ^ *b,
        })),
        (a, b) => {
            let message = format!("`{symbol}` joins masks, not {} and {}", a.kind(), b.kind());
            let hint = "comparisons next to it need parentheses: `(p.ill == 1) & (p.age < 30)`";
            Err(Fault::hinted(Code::BitOperator, message, hint))
        }
    })
}

/// `~mask` of a secret mask.
pub(in super::super) fn invert_choices<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    column: &ChoiceColumn<S>,
) -> Outcome<Value<S>> {
    map_choices(state, series, column, |_, value| match value {
        Value::Bool(value) => Ok(Value::Bool(!value)),
        other => {
            let message = format!("`~` inverts a mask, not {}", other.kind());
            Err(Fault::hinted(Code::BitOperator, message, "compare the column first: `~(p.ill == 1)`"))
        }
    })
}

/// `column.astype(int)`, `float` or `bool` of a secret.
pub(in super::super) fn choices_as<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    column: &ChoiceColumn<S>,
    wanted: Option<Kind>,
) -> Outcome<Value<S>> {
    map_choices(state, series, column, |state, value| {
        let number = match value {
            Value::Bool(value) => Value::Int(i64::from(*value)),
            other => other.clone(),
        };
        match (wanted, &number) {
            (Some(Kind::Int), Value::Int(_)) => Ok(number),
            (Some(Kind::Float), Value::Missing | Value::Float(_)) => Ok(number),
            (Some(Kind::Float), Value::Int(value)) => state.float(S::from_i64(*value)),
            (Some(Kind::Bool), Value::Int(value)) => Ok(Value::Bool(*value != 0)),
            (Some(Kind::Int), Value::Float(value)) if S::from_integer(&value.floor()).as_ref() == Some(value) => {
                state.integer(value.floor())
            }
            _ => {
                let message = format!("a column of {} is converted", column.kind());
                let hint = "numbers and booleans are converted here, to `int`, `float` or `bool`";
                Err(Fault::hinted(Code::TypeMismatch, message, hint))
            }
        }
    })
}

/// `np.where(mask, yes, no)` with a secret mask: for each value of the secret one of the two.
pub(in super::super) fn where_choices<S: Scalar>(
    state: &mut State<S>,
    mask: &Rc<Series<S>>,
    column: &ChoiceColumn<S>,
    yes: &Value<S>,
    no: &Value<S>,
) -> Outcome<Value<S>> {
    let is_single =
        |value: &Value<S>| matches!(value.plain(), Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_));
    if !is_single(yes) || !is_single(no) {
        let message = "a secret chooses between columns";
        let hint = "let it choose between numbers: `np.where(p.ill, 1, 0)`";
        return Err(Fault::hinted(Code::SecretDecides, message, hint));
    }
    let chosen = map_choices(state, mask, column, |_, value| match value {
        Value::Bool(true) => Ok(yes.plain()),
        Value::Bool(false) => Ok(no.plain()),
        other => {
            let message = format!("`where` chooses by a mask, not by {}", other.kind());
            Err(Fault::hinted(Code::TypeMismatch, message, "such as `np.where(p.ill == 1, 1, 0)`"))
        }
    })?;
    let Value::Series(chosen) = chosen else { return Ok(chosen) };
    // numpy's result: rows are counted, not called.
    let (column, index) = (chosen.column.clone(), Index::Positions(mask.len()));
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// A function of every value of a column of a discrete secret.
pub(in super::super) fn map_choices<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    column: &ChoiceColumn<S>,
    function: impl FnMut(&mut State<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    categorized_choices(state, series, column, None, function)
}

/// The same, with what comes out being categories, if there are any.
pub(in super::super) fn categorized_choices<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    column: &ChoiceColumn<S>,
    categories: Option<Rc<Vec<Label>>>,
    mut function: impl FnMut(&mut State<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    let mut tables = Vec::with_capacity(column.tables.len());
    for table in &column.tables {
        let changed = table.iter().map(|value| function(state, value)).collect::<Outcome<Vec<_>>>()?;
        state.budget.spend_elements(changed.len() as u64 + 2)?;
        tables.push(Rc::new(changed));
    }
    let (source, rows, which) = (column.source.clone(), column.rows.clone(), column.which.clone());
    tables::spend_bytes(state, rows.len() * column.bytes_per_row())?;
    let is_untouched = false;
    let column = Column::Choices(Rc::new(ChoiceColumn { source, rows, tables, which, is_untouched, categories }));
    let (name, index): (_, Index) = (series.name.clone(), series.index.clone());
    Ok(Value::Series(Rc::new(Series { name, column, index })))
}

fn choices<S>(side: &Side<S>) -> Option<&ChoiceColumn<S>> {
    match side {
        Side::Column(series) => match &series.column {
            Column::Choices(column) => Some(column),
            Column::Booleans(_)
            | Column::Integers(_)
            | Column::Numbers(_)
            | Column::Texts { .. }
            | Column::Random(_)
            | Column::Own(_)
            | Column::Cells(_) => None,
        },
        Side::Single(_) => None,
    }
}

fn mixed() -> Box<Fault> {
    let message = "a discrete and a Gaussian secret are combined row by row";
    let hint = "the result is a mixture, which cannot be audited; publish them separately";
    Fault::hinted(Code::SecretDecides, message, hint)
}
