//! One column: an array of one kind of values.

use std::rc::Rc;
use std::sync::Arc;

use super::super::fault::Outcome;
use super::super::state::State;
use super::super::value::Value;
use super::categories::ChoiceColumn;
use super::{Label, Series, everybodys_own, secret_decides};
use super::{categories, frames};
use crate::evaluate::{tables, text};
use crate::network::{Affine, NodeId};
use crate::number::Scalar;
use privug_tables::table::NO_LABEL;

/// The values of a column. Copies share the array.
#[derive(Debug, Clone)]
pub(in super::super) enum Column<S> {
    Booleans(Arc<Vec<bool>>),
    Integers(Arc<Vec<i64>>),
    Numbers(Rc<Vec<S>>),
    /// Each row's label, by its number; `NO_LABEL` is a missing one.
    Texts {
        codes: Arc<Vec<u32>>,
        labels: Arc<Vec<Arc<str>>>,
        words: Words,
    },
    Random(Rc<RandomColumn<S>>),
    /// Numbers that are everybody's own in a table of groups, each row of which has only something that stands for those of its
    /// people; `None` where they are missing. Nothing but what is linear in them is computed with them.
    Own(Rc<Vec<Option<S>>>),
    /// Functions of a discrete secret.
    Choices(Rc<ChoiceColumn<S>>),
    /// Whatever there is, also missing cells.
    Cells(Rc<Vec<Value<S>>>),
}

/// What the texts of a column stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Words {
    /// Themselves.
    Plain,
    /// Categories, in the order of the labels.
    Categories,
    /// Intervals of numbers, in the order of the labels.
    Intervals,
    /// Points in time, written so that they are in order.
    Dates,
}

impl Words {
    /// Whether the order of the labels counts, and not that of the texts.
    pub(super) fn has_order(self) -> bool {
        matches!(self, Words::Categories | Words::Intervals)
    }
}

/// A column of random variables: offset + scale·node in each row.
#[derive(Debug)]
pub(in super::super) struct RandomColumn<S> {
    pub(super) nodes: Vec<NodeId>,
    /// `None` if all are 1.
    pub(super) scales: Option<Vec<S>>,
    /// `None` if all are 0.
    pub(super) offsets: Option<Vec<S>>,
}

impl<S: Scalar> RandomColumn<S> {
    pub(super) fn get(&self, row: usize) -> Affine<S> {
        Affine {
            node: self.nodes[row],
            scale: self.scales.as_ref().map_or_else(S::one, |scales| scales[row].clone()),
            offset: self.offsets.as_ref().map_or_else(S::zero, |offsets| offsets[row].clone()),
        }
    }

    pub(super) fn from_variables(variables: Vec<Affine<S>>) -> Self {
        let one = S::one();
        let scaled = variables.iter().any(|x| x.scale != one);
        let shifted = variables.iter().any(|x| !x.offset.is_zero());
        RandomColumn {
            nodes: variables.iter().map(|x| x.node).collect(),
            scales: scaled.then(|| variables.iter().map(|x| x.scale.clone()).collect()),
            offsets: shifted.then(|| variables.iter().map(|x| x.offset.clone()).collect()),
        }
    }

    fn gather(&self, rows: &[u32]) -> Self {
        RandomColumn {
            nodes: pick(&self.nodes, rows),
            scales: self.scales.as_ref().map(|scales| pick(scales, rows)),
            offsets: self.offsets.as_ref().map(|offsets| pick(offsets, rows)),
        }
    }
}

fn pick<T: Clone>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|row| values[*row as usize].clone()).collect()
}

impl<S: Scalar> Column<S> {
    pub(super) fn len(&self) -> usize {
        match self {
            Column::Booleans(values) => values.len(),
            Column::Integers(values) => values.len(),
            Column::Numbers(values) => values.len(),
            Column::Texts { codes, .. } => codes.len(),
            Column::Random(values) => values.nodes.len(),
            Column::Own(values) => values.len(),
            Column::Choices(values) => values.len(),
            Column::Cells(values) => values.len(),
        }
    }

    /// What a person calls its values.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Column::Booleans(_) => "booleans",
            Column::Integers(_) => "integers",
            Column::Numbers(_) => "numbers",
            Column::Texts { words, .. } => match words {
                Words::Plain => "strings",
                Words::Categories => "categories",
                Words::Intervals => "intervals",
                Words::Dates => "dates",
            },
            Column::Random(_) => "secrets",
            Column::Own(_) => "numbers that are everybody's own",
            Column::Choices(values) => values.kind(),
            Column::Cells(_) => "values",
        }
    }

    /// Whether any of its values is random.
    pub(super) fn is_secret(&self) -> bool {
        match self {
            Column::Random(_) | Column::Choices(_) => true,
            Column::Cells(values) => values.iter().any(|value| value.as_random().is_some()),
            Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Texts { .. } | Column::Own(_) => {
                false
            }
        }
    }

    /// Whether a row's value is missing.
    pub(super) fn is_missing(&self, row: usize) -> bool {
        match self {
            Column::Cells(values) => matches!(values[row], Value::Missing),
            Column::Texts { codes, .. } => codes[row] == NO_LABEL,
            Column::Choices(values) => values.is_missing(row),
            Column::Own(values) => values[row].is_none(),
            Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Random(_) => false,
        }
    }

    /// Whether any value is missing.
    pub(super) fn has_gaps(&self) -> bool {
        (0..self.len()).any(|row| self.is_missing(row))
    }

    pub(super) fn bytes_per_row(&self) -> usize {
        match self {
            Column::Booleans(_) => 1,
            Column::Integers(_) => 8,
            Column::Numbers(_) => size_of::<S>(),
            Column::Texts { .. } => 4,
            Column::Random(values) => {
                let parts = usize::from(values.scales.is_some()) + usize::from(values.offsets.is_some());
                4 + parts * size_of::<S>()
            }
            Column::Own(_) => size_of::<Option<S>>(),
            Column::Choices(values) => values.bytes_per_row(),
            Column::Cells(_) => size_of::<Value<S>>(),
        }
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        match self {
            Column::Booleans(values) => Column::Booleans(Arc::new(pick(values, rows))),
            Column::Integers(values) => Column::Integers(Arc::new(pick(values, rows))),
            Column::Numbers(values) => Column::Numbers(Rc::new(pick(values, rows))),
            Column::Texts { codes, labels, words } => {
                Column::Texts { codes: Arc::new(pick(codes, rows)), labels: labels.clone(), words: *words }
            }
            Column::Random(values) => Column::Random(Rc::new(values.gather(rows))),
            Column::Own(values) => Column::Own(Rc::new(pick(values, rows))),
            Column::Choices(values) => Column::Choices(Rc::new(values.gather(rows))),
            Column::Cells(values) => Column::Cells(Rc::new(pick(values, rows))),
        }
    }

    /// The value of a row as something that groups can be called by; `None` for random and missing ones.
    pub(super) fn label(&self, row: usize) -> Option<Label> {
        match self {
            Column::Booleans(values) => Some(Label::Bool(values[row])),
            Column::Integers(values) => Some(Label::Int(values[row])),
            Column::Numbers(values) => Some(Label::Number(values[row].to_f64())),
            Column::Texts { codes, labels, .. } => labels.get(codes[row] as usize).cloned().map(Label::Text),
            Column::Random(_) | Column::Own(_) | Column::Choices(_) => None,
            Column::Cells(values) => match &values[row] {
                Value::Int(value) => Some(Label::Int(*value)),
                Value::Counted(counted) => Some(Label::Int(counted.count)),
                Value::Bool(value) => Some(Label::Bool(*value)),
                Value::Float(value) => Some(Label::Number(value.to_f64())),
                _ => None,
            },
        }
    }
}

/// Some rows of a column.
pub(super) fn gathered<S: Scalar>(
    state: &mut State<S>,
    column: &Column<S>,
    rows: Option<&Rc<Vec<u32>>>,
) -> Outcome<Column<S>> {
    let Some(rows) = rows else { return Ok(column.clone()) };
    tables::spend_rows(state, rows.len())?;
    tables::spend_bytes(state, rows.len() * column.bytes_per_row())?;
    Ok(column.gather(rows))
}

/// One value of a column.
pub(super) fn cell<S: Scalar>(state: &mut State<S>, column: &Column<S>, row: usize) -> Outcome<Value<S>> {
    Ok(match column {
        Column::Booleans(values) => Value::Bool(values[row]),
        Column::Integers(values) => Value::Int(values[row]),
        Column::Numbers(values) => Value::Float(values[row].clone()),
        Column::Texts { codes, labels, .. } => match labels.get(codes[row] as usize) {
            Some(label) => return state.text(label.to_string()),
            None => Value::Missing,
        },
        Column::Random(values) => Value::random(values.get(row)),
        Column::Own(_) => return Err(everybodys_own("a value of it")),
        Column::Choices(values) => return categories::choice_cell(state, values, row),
        Column::Cells(values) => values[row].clone(),
    })
}

/// All values of a column.
pub(super) fn cells<S: Scalar>(state: &mut State<S>, column: &Column<S>) -> Outcome<Vec<Value<S>>> {
    state.budget.spend_elements(column.len() as u64)?;
    if let Column::Texts { codes, labels, .. } = column {
        // Each label becomes a text once.
        let texts: Vec<Value<S>> = labels.iter().map(|label| state.text(label.to_string())).collect::<Outcome<_>>()?;
        let text = |code: &u32| texts.get(*code as usize).cloned().unwrap_or(Value::Missing);
        return Ok(codes.iter().map(text).collect());
    }
    (0..column.len()).map(|row| cell(state, column, row)).collect()
}

/// What a group can be called by that holds this row; `None` if it is missing.
pub(super) fn row_label<S: Scalar>(state: &State<S>, series: &Series<S>, row: usize) -> Outcome<Option<Label>> {
    if series.column.is_missing(row) {
        return Ok(None);
    }
    if let Column::Choices(_) = &series.column {
        return Err(secret_decides("rows are distinguished", &series.shown_name()));
    }
    if let Column::Own(_) = &series.column {
        return Err(everybodys_own("rows are distinguished by it"));
    }
    if let Column::Cells(values) = &series.column
        && matches!(values[row], Value::Counted(_))
    {
        state.tables.tells_rows.set(true);
    }
    if let (None, Column::Cells(values)) = (series.column.label(row), &series.column) {
        return match frames::label_of(state, &values[row]) {
            Some(label) => Ok(Some(label)),
            None => Err(secret_decides("rows are distinguished", &series.shown_name())),
        };
    }
    Ok(series.column.label(row))
}

/// The values of a column, for loops and lists.
pub(in super::super) fn series_values<S: Scalar>(state: &mut State<S>, series: &Series<S>) -> Outcome<Vec<Value<S>>> {
    cells(state, &series.column)
}

/// A column with these values, kept as compactly as they allow.
pub(super) fn column_of<S: Scalar>(state: &mut State<S>, mut values: Vec<Value<S>>) -> Outcome<Column<S>> {
    // Numbers out of arrays are numbers like others here.
    for value in values.iter_mut().filter(|value| value.is_numpy_scalar()) {
        *value = value.plain();
    }
    // A cell that is a string with one figure in it is published as that figure.
    for value in values.iter_mut() {
        if let Some(only) = value.only_figure().cloned() {
            *value = only;
        }
    }
    float_beside_gaps(&mut values);
    let column = if values.is_empty() {
        Column::Cells(Rc::new(values))
    } else if values.iter().all(|value| value.as_random().is_some()) {
        let variables = values.iter().filter_map(Value::as_random).collect();
        Column::Random(Rc::new(RandomColumn::from_variables(variables)))
    } else if let Some(values) = values.iter().map(as_bool).collect::<Option<Vec<bool>>>() {
        Column::Booleans(Arc::new(values))
    } else if let Some(values) = values.iter().map(as_int).collect::<Option<Vec<i64>>>() {
        Column::Integers(Arc::new(values))
    } else if let Some(values) = values.iter().map(as_number).collect::<Option<Vec<S>>>() {
        Column::Numbers(Rc::new(values))
    } else if values.iter().all(|value| matches!(value, Value::Text(_) | Value::Missing))
        && values.iter().any(|value| matches!(value, Value::Text(_)))
    {
        let texts = values.iter().map(|value| (!matches!(value, Value::Missing)).then(|| text::show(state, value)));
        let (codes, labels) = privug_tables::table::coded(texts);
        Column::Texts { codes: Arc::new(codes), labels: Arc::new(labels), words: Words::Plain }
    } else {
        Column::Cells(Rc::new(values))
    };
    tables::spend_bytes(state, column.len() * column.bytes_per_row())?;
    Ok(column)
}

/// Integers beside gaps are floats in pandas.
fn float_beside_gaps<S: Scalar>(values: &mut [Value<S>]) {
    let is_number = |value: &Value<S>| {
        matches!(value, Value::Int(_) | Value::Float(_) | Value::Missing) || value.as_random().is_some()
    };
    if !values.iter().any(|value| matches!(value, Value::Missing)) || !values.iter().all(is_number) {
        return;
    }
    for value in values {
        if let Value::Int(whole) = value {
            *value = Value::Float(S::from_i64(*whole));
        }
    }
}

fn as_bool<S>(value: &Value<S>) -> Option<bool> {
    if let Value::Bool(value) = value { Some(*value) } else { None }
}

fn as_int<S>(value: &Value<S>) -> Option<i64> {
    if let Value::Int(value) = value { Some(*value) } else { None }
}

fn as_number<S: Scalar>(value: &Value<S>) -> Option<S> {
    match value {
        Value::Int(value) => Some(S::from_i64(*value)),
        Value::Float(value) => Some(value.clone()),
        _ => None,
    }
}
