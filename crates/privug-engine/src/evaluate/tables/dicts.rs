//! `table.to_dict(…)`: a table as dictionaries and lists.

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::Frame;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

impl<S: Scalar> State<S> {
    /// `table.to_dict(orient="dict")`
    pub(super) fn frame_to_dict(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [orient] = arguments.bind("to_dict", ["orient"], 0, 1)?;
        let orient = orient.map_or("dict".to_owned(), |orient| self.show(orient.value));
        if frame.index.sizes().is_some() {
            return Err(super::not_of_groups("the rows one by one"));
        }
        let names = self.column_names(frame)?;
        let mut columns = Vec::with_capacity(names.len());
        for position in 0..frame.columns.len() {
            let series = self.frame_column(frame, position)?;
            columns.push(self.cells(&series.column)?);
        }
        self.budget.spend_elements((frame.len() * names.len()) as u64)?;
        if matches!(orient.as_str(), "records" | "list") {
            self.refuse_unstable_rows(&frame.index)?;
        }
        match orient.as_str() {
            "list" => {
                let lists = columns.into_iter().map(|cells| self.list(cells)).collect::<Outcome<Vec<_>>>()?;
                self.dict_from(names.into_iter().zip(lists).collect())
            }
            "dict" => {
                let rows = self.index_values(&frame.index)?;
                let mut entries = Vec::with_capacity(names.len());
                for (name, cells) in names.into_iter().zip(columns) {
                    entries.push((name, self.dict_from(rows.iter().cloned().zip(cells).collect())?));
                }
                self.dict_from(entries)
            }
            "records" | "index" => {
                let mut rows = Vec::with_capacity(frame.len());
                for row in 0..frame.len() {
                    let cells = columns.iter().map(|cells| cells[row].clone());
                    rows.push(self.dict_from(names.iter().cloned().zip(cells).collect())?);
                }
                if orient == "records" {
                    return self.list(rows);
                }
                let labels = self.index_values(&frame.index)?;
                self.dict_from(labels.into_iter().zip(rows).collect())
            }
            other => {
                let hint = "\"dict\", \"list\", \"records\" and \"index\" are known";
                Err(Fault::hinted(Code::BadArgument, format!("`orient` cannot be \"{other}\" here"), hint))
            }
        }
    }

    fn dict_from(&mut self, entries: Vec<(Value<S>, Value<S>)>) -> Outcome<Value<S>> {
        let dict = self.new_dict()?;
        if let Value::Dict(handle) = dict {
            for (key, value) in entries {
                self.insert(handle, key, value)?;
            }
        }
        Ok(dict)
    }
}
