//! A discrete prior beside the real column: which value everybody has, and what the attacker believes of it.

use std::rc::Rc;

use super::super::super::fault::{Fault, Outcome};
use super::super::belief::{Discrete, SecretValue};
use super::super::{Column, Label};
use super::{ChoiceColumn, ChoiceSource};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A secret column with a discrete prior.
pub(in super::super) struct SecretSource {
    /// As the attacker sees it.
    pub(in super::super) hidden: Rc<ChoiceSource>,
    /// The same with the real values.
    pub(in super::super) revealed: Rc<ChoiceSource>,
    pub(in super::super) belief: Discrete,
}

/// Holds a prior against the real column. Everybody's value must be one that the prior considers possible; values are kept
/// as the column has them, so that a script sees booleans, integers or texts as it would in pandas.
pub(in super::super) fn secret_source<S: Scalar>(
    believed: &ChoiceColumn<S>,
    real: &Column<S>,
) -> Outcome<SecretSource> {
    let source = &believed.source;
    let untouched = believed.which.is_none()
        && believed.rows.iter().enumerate().all(|(row, of)| row as u32 == *of)
        && believed.is_untouched;
    if !untouched {
        let message = "the prior is an expression of a distribution";
        let hint = "write the distribution of the secret itself, such as `Categorical({0: 0.9, 1: 0.1})`";
        return Err(Fault::hinted(Code::NothingRandom, message, hint));
    }
    let labels: Vec<Label> = source.labels.iter().map(|label| as_in_column(label, real)).collect();
    let mut truths = vec![0; source.row_count()];
    let mut belief = Discrete {
        values: labels.iter().map(value).collect(),
        laws: source.laws.clone(),
        exact_laws: source.exact_laws.clone(),
        law_of: Vec::new(),
        truths: Vec::new(),
        first_indicator: source.first_indicator,
        row_count: source.row_count(),
    };
    for (row, truth) in truths.iter_mut().enumerate().filter(|(row, _)| !real.is_missing(*row)) {
        let Some(label) = real.label(row) else {
            let message = format!("the secret holds {}, which have no discrete prior", real.kind());
            return Err(Fault::new(Code::BadSecret, message));
        };
        let law = source.law_of[row];
        let code = labels.binary_search(&label).ok();
        let Some(code) = code.filter(|code| source.laws[law as usize][*code] > 0.0) else {
            let message = format!("row {} is {}, which the prior considers impossible", row + 1, shown(&label));
            let hint = "give every value that occurs a probability above 0";
            return Err(Fault::hinted(Code::Contradiction, message, hint));
        };
        *truth = code as u32;
        belief.law_of.push(law);
        belief.truths.push(code as u32);
    }
    let with = |truths: Option<Vec<u32>>| {
        Rc::new(ChoiceSource {
            labels: labels.clone(),
            laws: source.laws.clone(),
            exact_laws: source.exact_laws.clone(),
            law_of: source.law_of.clone(),
            first_indicator: source.first_indicator,
            truths,
        })
    };
    Ok(SecretSource { hidden: with(None), revealed: with(Some(truths)), belief })
}

/// `True` in a column of integers is 1.
fn as_in_column<S: Scalar>(label: &Label, column: &Column<S>) -> Label {
    let whole = match label {
        Label::Int(value) => Some(*value),
        Label::Bool(value) => Some(i64::from(*value)),
        Label::Number(value) if value.fract() == 0.0 && value.abs() < 9e15 => Some(*value as i64),
        Label::Number(_) | Label::Text(_) | Label::Missing => None,
    };
    match (column, whole) {
        (Column::Booleans(_), Some(0 | 1)) => Label::Bool(whole == Some(1)),
        (Column::Integers(_), Some(value)) => Label::Int(value),
        (Column::Numbers(_), Some(value)) => Label::Number(value as f64),
        (Column::Cells(values), Some(value)) => {
            match values.iter().find(|value| !matches!(value, super::Value::Missing)) {
                Some(super::Value::Bool(_)) if value == 0 || value == 1 => Label::Bool(value == 1),
                _ => Label::Number(value as f64),
            }
        }
        _ => label.clone(),
    }
}

fn value(label: &Label) -> SecretValue {
    match label {
        Label::Text(text) => SecretValue::Text(text.clone()),
        Label::Int(value) => SecretValue::Int(*value),
        Label::Bool(value) => SecretValue::Bool(*value),
        Label::Number(value) => SecretValue::Number(*value),
        // A secret that is missing has no value; NaN is equal to none.
        Label::Missing => SecretValue::Number(f64::NAN),
    }
}

/// A value of a secret as a label.
pub(in super::super) fn label(value: &SecretValue) -> Label {
    match value {
        SecretValue::Text(text) => Label::Text(text.clone()),
        SecretValue::Int(value) => Label::Int(*value),
        SecretValue::Bool(value) => Label::Bool(*value),
        SecretValue::Number(value) => Label::Number(*value),
    }
}

fn shown(label: &Label) -> String {
    match label {
        Label::Text(text) => format!("\"{text}\""),
        other => other.show(),
    }
}
