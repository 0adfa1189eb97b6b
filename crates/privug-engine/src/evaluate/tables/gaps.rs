//! Missing values: which they are, filling them in, and leaving their rows out. Which values of the secret column are
//! missing is known to the attacker.

use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Handle, Value};
use super::{Column, Frame, FrameColumn, Label, Series};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

impl<S: Scalar> State<S> {
    /// `column.isna()`, or with `wanted` false `column.notna()`.
    pub(in super::super) fn missing_mask(&mut self, series: &Rc<Series<S>>, wanted: bool) -> Outcome<Series<S>> {
        self.spend_rows(series.len())?;
        self.spend_bytes(series.len())?;
        let mask = (0..series.len()).map(|row| series.column.is_missing(row) == wanted).collect();
        let column = Column::Booleans(Arc::new(mask));
        Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
    }

    /// `column.fillna(value)`
    pub(super) fn gaps_filled(&mut self, series: &Rc<Series<S>>, value: &Value<S>) -> Outcome<Series<S>> {
        if !series.column.has_gaps() {
            return Ok((**series).clone());
        }
        if let Value::Series(other) = value {
            return self.filled_from(series, other);
        }
        let fits = match (&series.column, value) {
            (Column::Texts { .. }, value) => matches!(value, Value::Text(_)),
            (_, Value::Missing | Value::Random { .. }) => true,
            (_, value) => self.number(value).is_some() && !matches!(value, Value::Bool(_)),
        };
        if !fits {
            let message = format!("{} is filled with {}", series.shown_name(), value.kind());
            let hint = "fill a column of numbers with a number, and one of strings with a string";
            return Err(Fault::hinted(Code::TypeMismatch, message, hint));
        }
        let fill = |cell: Value<S>| if let Value::Missing = cell { value.clone() } else { cell };
        let values = self.cells(&series.column)?.into_iter().map(fill).collect();
        let column = self.column_of(values)?;
        Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
    }

    /// `frame.fillna({"a": 0})`: each column with its own value.
    pub(super) fn gaps_filled_by_name(&mut self, frame: &Frame<S>, fills: Handle) -> Outcome<Value<S>> {
        let entries = self.heap.dict(fills).entries.clone();
        let own = |label: &[Label]| entries.iter().find(|(key, _)| self.key_labels(key).as_deref() == Some(label));
        let fills: Vec<Option<Value<S>>> =
            frame.columns.iter().map(|column| own(&column.label).map(|(_, value)| value.clone())).collect();
        let mut fills = fills.into_iter();
        self.each_column(frame, |state, series| match fills.next().flatten() {
            Some(value) => state.gaps_filled(series, &value),
            None => Ok((**series).clone()),
        })
    }

    /// `column.ffill()` and `column.bfill()`: the last value that is there before a gap, or the next behind it.
    pub(super) fn gaps_filled_from(&mut self, series: &Rc<Series<S>>, forward: bool) -> Outcome<Series<S>> {
        self.refuse_unstable_rows(&series.index)?;
        self.refuse_groups(&Value::Series(series.clone()), "filling gaps with the value of another row")?;
        self.spend_rows(series.len())?;
        let mut source: Option<u32> = None;
        let mut rows: Vec<u32> = vec![0; series.len()];
        for step in 0..series.len() {
            let row = if forward { step } else { series.len() - 1 - step };
            if !series.column.is_missing(row) {
                source = Some(row as u32);
            }
            // Where there is none, the gap stays.
            rows[row] = source.unwrap_or(row as u32);
        }
        let column = self.gathered(&series.column, Some(&Rc::new(rows)))?;
        Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
    }

    /// `frame.dropna()`, `frame.dropna(subset=["a", "b"])`
    pub(super) fn without_missing(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [subset, how] = arguments.bind("dropna", ["subset", "how"], 0, 0)?;
        let how = how.map_or("any".to_owned(), |how| self.show(how.value));
        if how != "any" && how != "all" {
            return Err(Fault::new(Code::BadArgument, format!("`how` cannot be \"{how}\"")));
        }
        let positions = match subset.map(|subset| subset.value) {
            None | Some(Value::None) => (0..frame.columns.len()).collect(),
            Some(names @ Value::List(_)) => self.some_columns(frame, names)?,
            Some(name) => match self.key_labels(name) {
                Some(label) => vec![self.column_position(frame, &label)?],
                None => return Err(super::frames::not_a_name(name)),
            },
        };
        let mut columns = Vec::with_capacity(positions.len());
        for position in positions {
            columns.push(self.frame_column(frame, position)?.column.clone());
        }
        let columns: Vec<&Column<S>> = columns.iter().collect();
        self.spend_rows(frame.len())?;
        if how == "all" {
            let is_kept = |row: &u32| columns.iter().any(|column| !column.is_missing(*row as usize));
            let kept = (0..frame.len() as u32).filter(is_kept).collect();
            return self.rows_at(frame, kept);
        }
        let complete = self.some_rows(frame, Rc::new(complete_rows(&columns, frame.len())))?;
        self.new_frame(complete)
    }

    /// A frame of what each column becomes.
    pub(super) fn each_column(
        &mut self,
        frame: &Frame<S>,
        mut change: impl FnMut(&mut Self, &Rc<Series<S>>) -> Outcome<Series<S>>,
    ) -> Outcome<Value<S>> {
        let mut columns = Vec::with_capacity(frame.columns.len());
        for position in 0..frame.columns.len() {
            let series = self.frame_column(frame, position)?;
            let column = change(self, &series)?.column;
            columns.push(FrameColumn { label: frame.columns[position].label.clone(), column, rows: None });
        }
        self.new_frame(Frame { index: frame.index.clone(), columns })
    }
}

/// The rows in which no column has a gap.
pub(super) fn complete_rows<S: Scalar>(columns: &[&Column<S>], count: usize) -> Vec<u32> {
    let is_complete = |row: &u32| !columns.iter().any(|column| column.is_missing(*row as usize));
    (0..count as u32).filter(is_complete).collect()
}
