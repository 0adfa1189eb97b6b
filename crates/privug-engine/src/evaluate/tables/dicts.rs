//! `table.to_dict(…)`: a table as dictionaries and lists.

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::Frame;
use super::{column, columns_method, frames, windows};
use crate::evaluate::text;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// `table.to_dict(orient="dict")`
pub(super) fn frame_to_dict<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [orient] = arguments.bind("to_dict", ["orient"], 0, 1)?;
    let orient = orient.map_or("dict".to_owned(), |orient| text::show(state, orient.value));
    if frame.index.sizes().is_some() {
        return Err(super::not_of_groups("the rows one by one"));
    }
    let names = columns_method::column_names(state, frame)?;
    let mut columns = Vec::with_capacity(names.len());
    for position in 0..frame.columns.len() {
        let series = frames::frame_column(state, frame, position)?;
        columns.push(column::cells(state, &series.column)?);
    }
    state.budget.spend_elements((frame.len() * names.len()) as u64)?;
    if matches!(orient.as_str(), "records" | "list") {
        windows::refuse_unstable_rows(state, &frame.index)?;
    }
    match orient.as_str() {
        "list" => {
            let lists = columns.into_iter().map(|cells| state.list(cells)).collect::<Outcome<Vec<_>>>()?;
            dict_from(state, names.into_iter().zip(lists).collect())
        }
        "dict" => {
            let rows = columns_method::index_values(state, &frame.index)?;
            let mut entries = Vec::with_capacity(names.len());
            for (name, cells) in names.into_iter().zip(columns) {
                entries.push((name, dict_from(state, rows.iter().cloned().zip(cells).collect())?));
            }
            dict_from(state, entries)
        }
        "records" | "index" => {
            let mut rows = Vec::with_capacity(frame.len());
            for row in 0..frame.len() {
                let cells = columns.iter().map(|cells| cells[row].clone());
                rows.push(dict_from(state, names.iter().cloned().zip(cells).collect())?);
            }
            if orient == "records" {
                return state.list(rows);
            }
            let labels = columns_method::index_values(state, &frame.index)?;
            dict_from(state, labels.into_iter().zip(rows).collect())
        }
        other => {
            let hint = "\"dict\", \"list\", \"records\" and \"index\" are known";
            Err(Fault::hinted(Code::BadArgument, format!("`orient` cannot be \"{other}\" here"), hint))
        }
    }
}

fn dict_from<S: Scalar>(state: &mut State<S>, entries: Vec<(Value<S>, Value<S>)>) -> Outcome<Value<S>> {
    let dict = state.new_dict()?;
    if let Value::Dict(handle) = dict {
        for (key, value) in entries {
            state.insert(handle, key, value)?;
        }
    }
    Ok(dict)
}
