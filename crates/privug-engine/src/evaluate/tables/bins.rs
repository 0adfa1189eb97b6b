//! `pd.cut`: public numbers sorted into intervals.

use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::elementwise::Side;
use super::{Column, Series, Words, secret_decides};
use super::{categories, column, derived, elementwise, frames, public};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_tables::table::NO_LABEL;

/// `pd.cut(column, bins, right=True, labels=None, include_lowest=False)`
pub(in super::super) fn cut<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let parameters = ["x", "bins", "right", "labels", "include_lowest", "ordered"];
    let [values, bins, right, labels, lowest, _] = arguments.bind("cut", parameters, 2, 2)?;
    let bins = given(bins)?;
    let series = match elementwise::side(state, given(values)?.value)? {
        Side::Column(series) => series,
        Side::Single(other) => {
            return Err(Fault::new(Code::TypeMismatch, format!("`cut` takes a column, not {}", other.kind())));
        }
    };
    if series.column.is_secret() && !matches!(series.column, Column::Choices(_)) {
        return Err(secret_decides("rows are sorted into intervals", &series.shown_name()));
    }
    let right_is_in = derived::flag(state, right, true)?;
    let (is_named, is_public) = (
        !matches!(labels.map(|labels| labels.value), None | Some(Value::None)),
        !matches!(series.column, Column::Choices(_)),
    );
    let mut even: Option<Edges> = None;
    if let (Value::Int(count), true, true) = (bins.value, is_named, is_public) {
        even = Some(Edges { values: public::even_edges(state, &series, *count, right_is_in)?, whole: false });
    }
    let is_list = matches!(bins.value, Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_));
    if !is_list && even.is_none() {
        let hint = "write the edges out: `pd.cut(p.age, [0, 18, 65, 120])`";
        let message = "a number of bins does not define their edges";
        return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(bins.index));
    }
    let edges = match even {
        Some(edges) => edges,
        None => edges(state, bins.value)?,
    };
    let (right, lowest) = (derived::flag(state, right, true)?, derived::flag(state, lowest, false)?);
    let bin = |value: f64| bin_of(&edges.values, value, right, lowest);
    if let Column::Choices(column) = &series.column {
        let names = match labels.map(|labels| labels.value) {
            Some(Value::Bool(false)) => (0..edges.values.len() as i64 - 1).map(Value::Int).collect(),
            None | Some(Value::None) => {
                let texts = edges.intervals(right, lowest);
                texts.into_iter().map(|text| state.text(text)).collect::<Outcome<Vec<_>>>()?
            }
            Some(names) => containers::elements(state, names)?,
        };
        if names.len() + 1 != edges.values.len() {
            let message = format!("{} labels for {} intervals", names.len(), edges.values.len() - 1);
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        let mut known = names.iter().map(|name| frames::label_of(state, name)).collect::<Option<Vec<_>>>();
        if known.as_ref().is_some_and(|known| known.iter().enumerate().any(|(at, name)| known[..at].contains(name))) {
            return Err(Fault::new(Code::BadArgument, "two intervals have the same label"));
        }
        // With `labels=False` they are numbers like others.
        known = known.filter(|_| !labels.is_some_and(|labels| matches!(labels.value, Value::Bool(false))));
        return categories::combine::categorized_choices(state, &series, column, known.map(Rc::new), |state, value| {
            let Some(number) = state.number(value) else { return Ok(Value::Missing) };
            let place = bin(state.scalar(&number)?.to_f64());
            Ok(place.map_or(Value::Missing, |place| names[place].clone()))
        });
    }
    tables::spend_rows(state, series.len() * (edges.values.len().max(2).ilog2() as usize))?;
    let mut codes = Vec::with_capacity(series.len());
    for cell in column::cells(state, &series.column)? {
        codes.push(match state.number(&cell) {
            Some(number) => bin(state.scalar(&number)?.to_f64()).map_or(NO_LABEL, |place| place as u32),
            None if matches!(cell, Value::Missing) => NO_LABEL,
            None => {
                return Err(Fault::new(Code::TypeMismatch, format!("`cut` takes numbers, not {}", cell.kind())));
            }
        });
    }
    let column = match labels.map(|labels| labels.value) {
        Some(Value::Bool(false)) => {
            let code = |code: &u32| if *code == NO_LABEL { Value::Missing } else { Value::Int(i64::from(*code)) };
            let values = codes.iter().map(code).collect();
            column::column_of(state, values)?
        }
        None | Some(Value::None) => {
            let labels = Arc::new(edges.intervals(right, lowest).into_iter().map(Arc::from).collect());
            Column::Texts { codes: Arc::new(codes), labels, words: Words::Intervals }
        }
        Some(names) => {
            let names = containers::elements(state, names)?;
            if names.len() + 1 != edges.values.len() {
                let message = format!("{} labels for {} intervals", names.len(), edges.values.len() - 1);
                return Err(Fault::new(Code::LengthMismatch, message));
            }
            if names.iter().any(|name| !matches!(name, Value::Text(_))) {
                let hint = "write them as strings";
                return Err(Fault::hinted(Code::TypeMismatch, "the labels of intervals are strings here", hint));
            }
            let names: Vec<Arc<str>> = names.iter().map(|name| Arc::from(text::show(state, name))).collect();
            if names.iter().enumerate().any(|(at, name)| names[..at].contains(name)) {
                return Err(Fault::new(Code::BadArgument, "two intervals have the same label"));
            }
            Column::Texts { codes: Arc::new(codes), labels: Arc::new(names), words: Words::Categories }
        }
    };
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

fn edges<S: Scalar>(state: &mut State<S>, bins: &Value<S>) -> Outcome<Edges> {
    let mut values = Vec::new();
    let mut whole = true;
    for edge in containers::elements(state, bins)? {
        whole &= matches!(edge, Value::Int(_) | Value::NumpyInt(_));
        match state.number(&edge) {
            Some(number) => values.push(state.scalar(&number)?.to_f64()),
            None if matches!(edge, Value::Text(_)) && text::show(state, &edge) == "inf" => values.push(f64::INFINITY),
            None if matches!(edge, Value::Text(_)) && text::show(state, &edge) == "-inf" => {
                values.push(f64::NEG_INFINITY);
            }
            None => return Err(Fault::new(Code::TypeMismatch, format!("an edge is {}", edge.kind()))),
        }
    }
    if values.len() < 2 || !values.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(Fault::new(Code::BadArgument, "the edges of intervals must increase"));
    }
    Ok(Edges { values, whole })
}

/// Comparing intervals and dates with a text, which stands for one of them.
pub(super) fn compared_with_words<S: Scalar>(
    state: &mut State<S>,
    operator: privug_language::program::Comparison,
    series: &Series<S>,
    words: Words,
    value: &Value<S>,
) -> Outcome<Vec<bool>> {
    let text = text::show(state, value);
    let wanted = match words {
        Words::Dates => super::dates::instant(&text),
        Words::Plain | Words::Categories | Words::Intervals => None,
    };
    let of_instants = matches!(&series.column, Column::Texts { labels, .. } if labels.iter().all(|label| super::dates::is_instant(label)));
    let (Some(wanted), Column::Texts { codes, labels, .. }) = (wanted.filter(|_| of_instants), &series.column) else {
        let message = format!("{} holds {} and is compared with a string", series.shown_name(), series.column.kind());
        let hint = "intervals get names with `labels=[...]`; dates are written as `2024-01-31`";
        return Err(Fault::hinted(Code::TypeMismatch, message, hint));
    };
    let holds = |label: &Arc<str>| elementwise::holds(operator, (**label).cmp(wanted.as_str()));
    let matching: Vec<bool> = labels.iter().map(holds).collect();
    let missing = operator == privug_language::program::Comparison::NotEqual;
    Ok(codes.iter().map(|code| matching.get(*code as usize).copied().unwrap_or(missing)).collect())
}

/// The edges of intervals.
struct Edges {
    values: Vec<f64>,
    /// Whether they are integers.
    whole: bool,
}

impl Edges {
    /// `(0, 18]`, as pandas writes them.
    fn intervals(&self, right: bool, lowest: bool) -> Vec<String> {
        let mut shown: Vec<f64> = self.values.clone();
        // pandas writes the first edge a little lower where it belongs to the interval.
        let whole = self.whole && !(lowest && right);
        if lowest && right {
            shown[0] -= 1e-3;
        }
        let number = |value: f64| {
            if whole {
                return format!("{value}");
            }
            let rounded = rounded_fraction(value);
            if rounded.is_finite() { format!("{rounded:?}") } else { format!("{rounded}") }
        };
        let interval = |pair: &[f64]| {
            let (low, high) = (number(pair[0]), number(pair[1]));
            if right { format!("({low}, {high}]") } else { format!("[{low}, {high})") }
        };
        shown.windows(2).map(interval).collect()
    }
}

/// Three digits after the decimal point, or behind the zeros there.
fn rounded_fraction(value: f64) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let digits = if value.trunc() == 0.0 { -(value.abs().log10().floor() as i32) - 1 + 3 } else { 3 };
    let scale = 10f64.powi(digits);
    (value * scale).round_ties_even() / scale
}

/// The interval that a number is in.
fn bin_of(edges: &[f64], value: f64, right: bool, lowest: bool) -> Option<usize> {
    let behind =
        if right { edges.partition_point(|edge| *edge < value) } else { edges.partition_point(|edge| *edge <= value) };
    if right && lowest && value == edges[0] {
        return Some(0);
    }
    behind.checked_sub(1).filter(|place| *place + 1 < edges.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_written_as_pandas_writes_them() {
        let whole = Edges { values: vec![0.0, 18.0, 65.0], whole: true };
        assert_eq!(whole.intervals(true, false), ["(0, 18]", "(18, 65]"]);
        assert_eq!(whole.intervals(false, false), ["[0, 18)", "[18, 65)"]);
        assert_eq!(whole.intervals(true, true), ["(-0.001, 18.0]", "(18.0, 65.0]"]);
        let open = Edges { values: vec![0.5, 18.0, f64::INFINITY], whole: false };
        assert_eq!(open.intervals(true, false), ["(0.5, 18.0]", "(18.0, inf]"]);
    }

    #[test]
    fn edges_belong_to_one_of_their_intervals() {
        let edges = [0.0, 10.0, 20.0];
        assert_eq!(
            [0.0, 10.0, 10.5, 20.0, 21.0].map(|x| bin_of(&edges, x, true, false)),
            [None, Some(0), Some(1), Some(1), None]
        );
        assert_eq!([0.0, 10.0, 20.0].map(|x| bin_of(&edges, x, false, false)), [Some(0), Some(1), None]);
        assert_eq!(bin_of(&edges, 0.0, true, true), Some(0));
    }
}
