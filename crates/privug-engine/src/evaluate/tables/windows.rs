//! `rolling(n)`: figures of neighbouring rows.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::Statistic;
use super::{Accessed, Accessor, Index, Series};
use super::{aggregate, column, derived, order};
use crate::evaluate::{containers, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Method;

/// How far a window reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Window {
    length: usize,
    /// How many values there must be.
    least: usize,
    /// How many rows behind the row belong to it.
    ahead: usize,
}

/// `column.rolling(window, min_periods=…, center=False)`
pub(super) fn rolling<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [window, least, center] = arguments.bind("rolling", ["window", "min_periods", "center"], 1, 2)?;
    let window = containers::whole(given(window)?.value, "the window")?;
    if window < 1 {
        return Err(Fault::new(Code::BadArgument, "a window has at least one row"));
    }
    let least = match least.map(|least| least.value) {
        None | Some(Value::None) => window,
        Some(least) => containers::whole(least, "`min_periods`")?,
    };
    if !(1..=window).contains(&least) {
        return Err(Fault::new(Code::BadArgument, "`min_periods` is between 1 and the window"));
    }
    let length = window as usize;
    let ahead = if derived::flag(state, center, false)? { (length - 1) / 2 } else { 0 };
    let accessor = Accessor::Window(Window { length, least: least as usize, ahead });
    Ok(Value::Loc(Rc::new(Accessed { accessor, value: Value::Series(series.clone()) })))
}

/// `rolling(...).mean()` and the like.
pub(super) fn window_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    window: Window,
    value: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    arguments.none(method.name())?;
    let Value::Series(series) = value else {
        return Err(Fault::new(Code::TypeMismatch, "windows go over the rows of one column here"));
    };
    refuse_unstable_rows(state, &series.index)?;
    let statistic = match method {
        Method::Sum => Statistic::Sum,
        Method::Mean => Statistic::Mean,
        other => {
            let message = format!("`.{}` of windows is not supported", other.name());
            return Err(Fault::hinted(Code::Attribute, message, "sums and means of windows are"));
        }
    };
    let count = series.len();
    tables::spend_rows(state, count.saturating_mul(window.length))?;
    let mut values = Vec::with_capacity(count);
    for row in 0..count {
        let end = (row + window.ahead + 1).min(count);
        let start = (row + window.ahead + 1).saturating_sub(window.length);
        let rows: Vec<u32> = (start..end).map(|row| row as u32).collect();
        let present = rows.iter().filter(|row| !series.column.is_missing(**row as usize)).count();
        values.push(if present < window.least {
            Value::Missing
        } else {
            let rows = aggregate::RowSet::Some(&rows);
            aggregate::statistic_of(state, statistic, series, rows)?
        });
    }
    let column = column::column_of(state, values)?;
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index: series.index.clone() })))
}

/// What depends on the order of rows is refused where that is not certain.
pub(in super::super) fn refuse_unstable_rows<S: Scalar>(state: &State<S>, index: &Index) -> Outcome<()> {
    let is_ordered = match index {
        Index::Rows { rows: Some(rows), .. } => rows.windows(2).all(|pair| pair[0] < pair[1]),
        Index::Keys(keys) => keys.labels.windows(2).all(|pair| pair[0] <= pair[1]),
        Index::Rows { rows: None, .. } => !state.tables.renumbered,
        Index::Positions(_) => true,
    };
    if is_ordered { Ok(()) } else { order::refuse_unstable(state) }
}
