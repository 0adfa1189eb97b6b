//! Columns made from neighbouring rows and from groups: `cumsum`, `diff`, `shift`, `transform`.

use std::rc::Rc;

use super::super::builtins::Arguments;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::figures::Figured;
use super::grouping::{Chosen, GroupBy, NO_GROUP};
use super::{Column, Frame, FrameColumn, Series};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Method, TableMethod};

impl<S: Scalar> State<S> {
    /// `column.cumsum()`: missing values stay missing and are not added.
    pub(super) fn running_sum(&mut self, series: &Series<S>) -> Outcome<Series<S>> {
        self.refuse_unstable_rows(&series.index)?;
        let values = self.cells(&series.column)?;
        self.spend_rows(values.len())?;
        let mut total: Option<Value<S>> = None;
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            if matches!(value, Value::Missing) {
                sums.push(Value::Missing);
                continue;
            }
            let next = match &total {
                Some(total) => self.binary(Binary::Add, total, &value)?,
                // A number of rows becomes an ordinary number, as later ones do.
                None => match value.uncounted().unwrap_or(value) {
                    Value::Bool(first) => Value::Int(i64::from(first)),
                    first => first,
                },
            };
            total = Some(next.clone());
            sums.push(next);
        }
        self.like(series, sums)
    }

    /// `column.shift(periods)`
    pub(super) fn shifted(&mut self, series: &Series<S>, periods: i64) -> Outcome<Series<S>> {
        self.refuse_unstable_rows(&series.index)?;
        let values = self.cells(&series.column)?;
        self.spend_rows(values.len())?;
        let count = values.len() as i64;
        let from = |row: i64| row.checked_sub(periods).filter(|from| (0..count).contains(from));
        let moved = (0..count).map(|row| from(row).map_or(Value::Missing, |from| values[from as usize].clone()));
        let moved = moved.collect();
        self.like(series, moved)
    }

    /// `column.diff(periods)`
    pub(super) fn differences_of_rows(&mut self, series: &Series<S>, periods: i64) -> Outcome<Series<S>> {
        if let Column::Booleans(_) = series.column {
            let message =
                format!("{} holds booleans, whose differences say only whether they differ", series.shown_name());
            return Err(Fault::hinted(Code::TypeMismatch, message, "make them numbers first: `.astype(int)`"));
        }
        let values = self.cells(&series.column)?;
        let earlier = self.shifted(series, periods)?;
        let earlier = self.cells(&earlier.column)?;
        let mut differences = Vec::with_capacity(values.len());
        for (value, earlier) in values.iter().zip(&earlier) {
            differences.push(match (value, earlier) {
                (Value::Missing, _) | (_, Value::Missing) => Value::Missing,
                _ => self.binary(Binary::Subtract, value, earlier)?,
            });
        }
        self.like(series, differences)
    }

    /// How many rows `shift` and `diff` look back.
    pub(super) fn periods(&mut self, name: &str, arguments: &Arguments<'_, S>) -> Outcome<i64> {
        let [periods] = arguments.bind(name, ["periods"], 0, 1)?;
        periods.map_or(Ok(1), |periods| self.whole(periods.value, "the number of rows"))
    }

    /// Other values for the same rows.
    fn like(&mut self, series: &Series<S>, values: Vec<Value<S>>) -> Outcome<Series<S>> {
        let column = self.column_of(values)?;
        Ok(Series { name: series.name.clone(), column, index: series.index.clone() })
    }

    /// `groups.transform("mean")`: the figure of its group in each row.
    pub(super) fn transformed(&mut self, groups: &GroupBy<S>, figure: Figured) -> Outcome<Value<S>> {
        let mut columns = Vec::new();
        for position in groups.value_positions() {
            let series = self.frame_column(&groups.frame, position)?;
            let figures = self.figures_of_groups(figure, &series, groups.grouped.members())?;
            self.spend_rows(series.len())?;
            let of_row = |code: &u32| match *code {
                NO_GROUP => Value::Missing,
                code => {
                    let figure = &figures[code as usize];
                    figure.uncounted().unwrap_or_else(|| figure.clone())
                }
            };
            let values = groups.grouped.codes.iter().map(of_row).collect();
            let column = self.like(&series, values)?.column;
            columns.push(FrameColumn { label: groups.frame.columns[position].label.clone(), column, rows: None });
        }
        let index = groups.frame.index.clone();
        let frame = Frame { index, columns };
        match groups.chosen {
            Chosen::One(_) => self.frame_column(&frame, 0).map(Value::Series),
            Chosen::Rest | Chosen::Some(_) => self.new_frame(frame),
        }
    }

    /// `groups.shift(n)` and `groups.diff(n)`: within each group.
    pub(super) fn moved_in_groups(
        &mut self,
        method: Method,
        groups: &GroupBy<S>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let periods = self.periods(method.name(), arguments)?;
        self.within_groups(groups, |state, part| match method {
            Method::Table(TableMethod::Shift) => state.shifted(part, periods),
            _ => state.differences_of_rows(part, periods),
        })
    }

    /// `groups.cumsum()`: within each group, in the order of the rows.
    pub(super) fn running_sums_of_groups(&mut self, groups: &GroupBy<S>) -> Outcome<Value<S>> {
        self.within_groups(groups, |state, part| state.running_sum(part))
    }

    fn within_groups(
        &mut self,
        groups: &GroupBy<S>,
        mut change: impl FnMut(&mut Self, &Series<S>) -> Outcome<Series<S>>,
    ) -> Outcome<Value<S>> {
        let mut columns = Vec::new();
        for position in groups.value_positions() {
            let series = self.frame_column(&groups.frame, position)?;
            let mut values = vec![Value::Missing; series.len()];
            let members = groups.grouped.members();
            for group in 0..members.count() {
                let rows = Rc::new(members.rows(group).to_vec());
                let column = self.gathered(&series.column, Some(&rows))?;
                let part = Series { name: series.name.clone(), column, index: series.index.picked(&rows) };
                let changed = change(self, &part)?;
                for (row, value) in rows.iter().zip(self.cells(&changed.column)?) {
                    values[*row as usize] = value;
                }
            }
            let column = self.like(&series, values)?.column;
            columns.push(FrameColumn { label: groups.frame.columns[position].label.clone(), column, rows: None });
        }
        let frame = Frame { index: groups.frame.index.clone(), columns };
        match groups.chosen {
            Chosen::One(_) => self.frame_column(&frame, 0).map(Value::Series),
            Chosen::Rest | Chosen::Some(_) => self.new_frame(frame),
        }
    }
}
