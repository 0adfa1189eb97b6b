//! Tables and columns that a program makes itself: `pd.DataFrame(...)` and `pd.Series(...)`.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::alignment::{Order, united};
use super::{Frame, FrameColumn, Index, Keys, Label, Series};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

impl<S: Scalar> State<S> {
    /// `pd.Series(values, index=…, name=…)`
    pub(in super::super) fn new_series(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [data, index, kind, name] = arguments.bind("Series", ["data", "index", "dtype", "name"], 1, 2)?;
        let data = given(data)?.value;
        if let Some(kind) = kind.filter(|kind| !matches!(kind.value, Value::None)) {
            let (values, keywords) = (arguments.values, &arguments.shape.keywords);
            let place = keywords.iter().position(|keyword| keyword == "dtype");
            let Some(place) = place else {
                return Err(Fault::new(Code::WrongArguments, "`dtype` is given by its name"));
            };
            let mut shape = arguments.shape.clone();
            shape.keywords.remove(place);
            let mut others = values.to_vec();
            others.remove(shape.positional as usize + place);
            let made = self.new_series(&Arguments { shape: &shape, values: &others })?;
            let Value::Series(series) = &made else { return Ok(made) };
            return self.series_as(series, kind.value).map_err(|fault| fault.at_argument(kind.index));
        }
        let name = match name.map(|name| name.value) {
            None | Some(Value::None) => None,
            Some(name) => {
                self.refuse_secret_name(name)?;
                Some(Rc::from(self.show(name)))
            }
        };
        if let (Value::Series(series), None) = (data, &index) {
            let name = name.or_else(|| series.name.clone());
            return Ok(Value::Series(Rc::new(Series { name, ..(**series).clone() })));
        }
        let (values, labels) = match data {
            Value::Dict(handle) if index.is_none() => {
                let entries = self.heap.dict(*handle).entries.clone();
                let labels = entries.iter().map(|(key, _)| key.clone()).collect();
                (entries.into_iter().map(|(_, value)| value).collect(), Some(labels))
            }
            Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_) => {
                let labels = index.map(|index| self.elements(index.value)).transpose()?;
                (self.elements(data)?, labels)
            }
            other => {
                let message = format!("a column is made of a list, an array or a dictionary, not of {}", other.kind());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
        };
        self.refuse_odd_cells(&values)?;
        let index = match labels {
            None => self.made_rows(values.len(), None),
            Some(labels) => self.labelled(&labels, values.len())?,
        };
        let column = self.column_of(values)?;
        Ok(Value::Series(Rc::new(Series { name, column, index })))
    }

    /// What a table or an axis is called is published with it.
    pub(super) fn refuse_secret_name(&mut self, name: &Value<S>) -> Outcome<()> {
        if !self.holds_random(name)? {
            return Ok(());
        }
        let hint = "publish it as a figure of its own";
        Err(Fault::hinted(Code::RandomIndex, "a random variable cannot be a name", hint))
    }

    /// Rows that are called by values.
    pub(super) fn labelled(&mut self, labels: &[Value<S>], count: usize) -> Outcome<Index> {
        if labels.len() != count {
            let message = format!("{count} values have {} labels", labels.len());
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        let scalar = labels.iter().all(|label| !matches!(label, Value::Tuple(_)));
        let keys: Option<Vec<Vec<Label>>> = labels.iter().map(|label| self.key_labels(label)).collect();
        let Some(keys) = keys else {
            return Err(Fault::new(Code::TypeMismatch, "rows are called by numbers and strings"));
        };
        let mut seen = std::collections::HashSet::new();
        if !keys.iter().all(|key| seen.insert(key.clone())) {
            return Err(Fault::new(Code::BadArgument, "two rows have the same label"));
        }
        Ok(Index::Keys(Keys::new(keys, scalar)))
    }

    /// Cells are numbers, strings, booleans and missing values.
    fn refuse_odd_cells(&self, values: &[Value<S>]) -> Outcome<()> {
        let is_cell = |value: &Value<S>| {
            self.number(value).is_some()
                || matches!(value, Value::Text(_) | Value::Missing | Value::Random { .. } | Value::Poison)
        };
        match values.iter().find(|value| !is_cell(value)) {
            Some(Value::None) => {
                let hint = "write `np.nan` for a missing number";
                Err(Fault::hinted(Code::TypeMismatch, "None is put into a table", hint))
            }
            Some(other) => Err(Fault::new(Code::TypeMismatch, format!("a table cannot hold {}", other.kind()))),
            None => Ok(()),
        }
    }

    /// `{"a": {"x": 1, "y": 2}}`: the keys of the inner dictionaries call the rows.
    fn columns_of_dicts(&mut self, entries: &mut [(Value<S>, Value<S>)]) -> Outcome<()> {
        let mut rows: Option<Vec<Value<S>>> = None;
        for (_, value) in entries {
            let Value::Dict(handle) = value else { continue };
            let (keys, values): (Vec<_>, Vec<_>) = self.heap.dict(*handle).entries.clone().into_iter().unzip();
            let labels =
                |state: &Self, keys: &[Value<S>]| -> Vec<_> { keys.iter().map(|key| state.key_labels(key)).collect() };
            if rows.as_ref().is_some_and(|rows| labels(self, rows) != labels(self, &keys)) {
                let hint = "give all of them the same keys in the same order";
                return Err(Fault::hinted(
                    Code::BadArgument,
                    "the columns of a table have rows of different names",
                    hint,
                ));
            }
            self.refuse_odd_cells(&values)?;
            let index = self.labelled(&keys, values.len())?;
            rows = Some(keys);
            let column = self.column_of(values)?;
            *value = Value::Series(Rc::new(Series { name: None, column, index }));
        }
        Ok(())
    }

    /// `pd.DataFrame({"income": x, "sex": g})`, `pd.DataFrame([{"a": 1}, …])`, `pd.DataFrame(array, columns=[...])`
    pub(in super::super) fn new_table(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [data, index, columns] = arguments.bind("DataFrame", ["data", "index", "columns"], 1, 1)?;
        let entries: Vec<(Value<S>, Value<S>)> = match given(data)?.value {
            Value::Frame(handle) if index.is_none() && columns.is_none() => {
                let copy = self.frame(*handle).clone();
                return self.new_frame(copy);
            }
            Value::Dict(handle) if columns.is_none() => {
                let mut entries = self.heap.dict(*handle).entries.clone();
                self.columns_of_dicts(&mut entries)?;
                entries
            }
            array @ (Value::Array(_) | Value::List(_)) => {
                self.columns_of_rows(array, columns.map(|each| each.value))?
            }
            other => {
                let message = format!("a table is made of a dictionary of columns, not of {}", other.kind());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
        };
        let mut rows: Option<Index> = None;
        let mut parts: Vec<(Label, Value<S>)> = Vec::new();
        for (name, values) in entries {
            let label = self.label_of(&name).ok_or_else(|| super::frames::not_a_name(&name))?;
            let own = match &values {
                Value::Series(series) => Some(series.index.clone()),
                Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_) => {
                    let count = self.length(&values)?;
                    Some(self.made_rows(count, None))
                }
                _ => None,
            };
            if let (Some(own), Some(before)) = (&own, &rows)
                && !own.same(before)
            {
                let (own_rows, others) = (own.len(), before.len());
                let both = matches!(values, Value::Series(_)).then(|| united(&[before, own], Order::Sorted)).flatten();
                let Some((all, _)) = both else {
                    let message = format!("columns of {others} and {own_rows} rows are put into one table");
                    let hint = "take them from the same table or filter, or group them by the same columns";
                    return Err(Fault::hinted(Code::DifferentRows, message, hint));
                };
                rows = Some(all);
            }
            rows = rows.or(own);
            parts.push((label, values));
        }
        let Some(mut rows) = rows else { return Err(Fault::new(Code::BadArgument, "the table has no rows")) };
        if let Some(labels) = index {
            let labels = self.elements(labels.value)?;
            rows = self.labelled(&labels, rows.len())?;
        }
        let mut columns = Vec::with_capacity(parts.len());
        for (label, values) in parts {
            let column = match &values {
                Value::Series(series) if index.is_some() || series.index.same(&rows) => series.column.clone(),
                Value::Series(series) => match self.put_beside(series, &rows)? {
                    Some(column) => column,
                    None => {
                        return Err(Fault::new(
                            Code::DifferentRows,
                            "columns of different rows are put into one table",
                        ));
                    }
                },
                Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Range(_) => {
                    let cells = self.elements(&values)?;
                    if cells.len() != rows.len() {
                        let message = format!("{} values are put into a table of {} rows", cells.len(), rows.len());
                        return Err(Fault::new(Code::LengthMismatch, message));
                    }
                    self.refuse_odd_cells(&cells)?;
                    self.column_of(cells)?
                }
                single => self.constant_column(single.clone(), rows.len())?,
            };
            columns.push(FrameColumn { label: vec![label], column, rows: None });
        }
        self.new_frame(Frame { index: rows, columns })
    }

    /// The columns of rows that are written out: dictionaries, lists, or an array of two dimensions.
    fn columns_of_rows(&mut self, rows: &Value<S>, columns: Option<&Value<S>>) -> Outcome<Vec<(Value<S>, Value<S>)>> {
        let rows = self.elements(rows)?;
        let mut names: Vec<Value<S>> = match columns {
            Some(columns) => self.elements(columns)?,
            None => Vec::new(),
        };
        if let (Some(Value::Dict(handle)), true) = (rows.first(), names.is_empty()) {
            names = self.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect();
        }
        let mut cells: Vec<Vec<Value<S>>> = vec![Vec::new(); names.len()];
        for row in &rows {
            let values = match row {
                Value::Dict(handle) => {
                    let handle = *handle;
                    if self.heap.dict(handle).entries.len() != names.len() {
                        return Err(Fault::new(Code::LengthMismatch, "the rows of a table have different columns"));
                    }
                    let keys = names.iter().map(|name| self.key(name)).collect::<Outcome<Vec<_>>>()?;
                    let dict = self.heap.dict(handle);
                    let found = keys.iter().map(|key| dict.positions.get(key).map(|at| dict.entries[*at].1.clone()));
                    found
                        .collect::<Option<Vec<_>>>()
                        .ok_or_else(|| Fault::new(Code::LengthMismatch, "the rows of a table have different columns"))?
                }
                Value::List(_) | Value::Tuple(_) | Value::Array(_) => self.elements(row)?,
                _ => return Err(Fault::new(Code::TypeMismatch, "a table is made of rows or of columns")),
            };
            if names.is_empty() {
                names = (0..values.len() as i64).map(Value::Int).collect();
                cells = vec![Vec::new(); names.len()];
            }
            if values.len() != names.len() {
                let message = format!("a row of {} values for {} columns", values.len(), names.len());
                return Err(Fault::new(Code::LengthMismatch, message));
            }
            for (column, value) in cells.iter_mut().zip(values) {
                column.push(value);
            }
        }
        let columns = cells.into_iter().map(|cells| self.list(cells)).collect::<Outcome<Vec<_>>>()?;
        Ok(names.into_iter().zip(columns).collect())
    }
}
