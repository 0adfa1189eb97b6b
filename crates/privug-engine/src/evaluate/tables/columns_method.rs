//! Methods and attributes of columns and frames.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::{RowSet, Statistic};
use super::gaps::complete_rows;
use super::masks::Spread;
use super::{Column, Frame, Index, Keys, Label, Series, not_linear};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

impl<S: Scalar> State<S> {
    /// Calls a method of a table, a column or a grouping.
    pub(in super::super) fn table_method(
        &mut self,
        method: Method,
        object: &Value<S>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        match object {
            Value::Series(series) => self.series_method(method, series, arguments),
            Value::Frame(handle) => {
                let frame = self.frame(*handle).clone();
                self.frame_method(method, object, &frame, arguments)
            }
            Value::Groups(groups) => self.groups_method(method, groups, arguments),
            other => Err(unknown_method(method, other)),
        }
    }

    fn series_method(
        &mut self,
        method: Method,
        series: &Rc<Series<S>>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let object = || Value::Series(series.clone());
        if let Some(statistic) = statistic_of(method) {
            arguments.none(method.name())?;
            return self.series_statistic(statistic, series);
        }
        if let Some(spread) = spread_of(method) {
            arguments.none(method.name())?;
            return self.spread(spread, series);
        }
        match method {
            Method::Size => self.count_rows(&series.index, RowSet::All(series.len())),
            Method::Shape => {
                let count = self.count_rows(&series.index, RowSet::All(series.len()))?;
                self.tuple(vec![count])
            }
            Method::Copy => Ok(object()),
            Method::AsType => self.as_floats(series, arguments),
            Method::CumulativeSum => {
                arguments.none("cumsum")?;
                self.running_sum(series).map(|sums| Value::Series(Rc::new(sums)))
            }
            Method::Table(TableMethod::Shift) => {
                let periods = self.periods("shift", arguments)?;
                self.shifted(series, periods).map(|shifted| Value::Series(Rc::new(shifted)))
            }
            Method::Table(TableMethod::Differences) => {
                let periods = self.periods("diff", arguments)?;
                self.differences_of_rows(series, periods).map(|differences| Value::Series(Rc::new(differences)))
            }
            Method::Table(TableMethod::Round) => self.rounded_series(series, arguments).map(Value::Series),
            Method::Table(TableMethod::WithoutMissing) => {
                arguments.none("dropna")?;
                let rows = Rc::new(complete_rows(&[&series.column], series.len()));
                let (column, index) = (self.gathered(&series.column, Some(&rows))?, series.index.picked(&rows));
                Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
            }
            Method::ToList => {
                let values = self.cells(&series.column)?;
                self.list(values)
            }
            Method::Items => {
                let pairs = self.items(series)?;
                self.list(pairs)
            }
            Method::Keys | Method::Table(TableMethod::Index) => {
                let keys = self.index_values(&series.index)?;
                self.list(keys)
            }
            Method::Get => {
                let [key, default] = arguments.bind("get", ["key", "default"], 1, 2)?;
                let found = self.index_table(&object(), given(key)?.value);
                match (found, default) {
                    (Err(fault), default) if fault.code == Code::MissingKey => {
                        Ok(default.map_or(Value::None, |default| default.value.clone()))
                    }
                    (found, _) => found,
                }
            }
            Method::Dot => {
                let other = arguments.one("dot")?;
                self.dot_columns(&object(), other)
            }
            Method::Table(TableMethod::ToDict) => {
                let entries = self.items(series)?;
                self.dict_of_pairs(entries)
            }
            Method::Table(TableMethod::WithoutIndex) => {
                let index = Index::Positions(series.len());
                Ok(Value::Series(Rc::new(Series { name: None, column: series.column.clone(), index })))
            }
            Method::Table(TableMethod::IsIn) => self.is_in(series, arguments.one("isin")?),
            Method::Table(TableMethod::Between) => {
                let [left, right, inclusive] = arguments.bind("between", ["left", "right", "inclusive"], 2, 3)?;
                let inclusive = inclusive.map_or("both".to_owned(), |inclusive| self.show(inclusive.value));
                self.between(series, (given(left)?.value, given(right)?.value), &inclusive)
            }
            Method::Table(TableMethod::Unique) => {
                let values = self.unique(series)?;
                self.list(values)
            }
            Method::Table(TableMethod::UniqueCount) => {
                let values = self.unique(series)?;
                let count = values.iter().filter(|value| !matches!(value, Value::Missing)).count();
                self.count_distinct(count, &series.index)
            }
            Method::Table(TableMethod::IsMissing(wanted)) => {
                arguments.none(method.name())?;
                Ok(Value::Series(Rc::new(self.missing_mask(series, wanted)?)))
            }
            Method::Table(TableMethod::FillMissing) => {
                let value = arguments.one("fillna")?;
                Ok(Value::Series(Rc::new(self.gaps_filled(series, value)?)))
            }
            Method::Table(TableMethod::ValueCounts) => {
                let normalized = self.is_normalized(arguments)?;
                self.value_counts(series, normalized)
            }
            Method::Table(TableMethod::GroupBy) => self.group_series(series, arguments),
            Method::Table(TableMethod::Aggregate) => {
                let statistic = self.statistic_named(arguments.one("agg")?)?;
                self.series_statistic(statistic, series)
            }
            Method::Table(TableMethod::ByIndex) => self.sorted_by_index(series),
            Method::Table(TableMethod::Loc) => Ok(Value::Loc(Rc::new(object()))),
            Method::Table(TableMethod::Empty) => Ok(Value::Bool(series.len() == 0)),
            Method::Table(TableMethod::NotLinear(name)) if series.column.is_secret() => Err(not_linear(name)),
            other => Err(unknown_method(other, &object())),
        }
    }

    fn frame_method(
        &mut self,
        method: Method,
        object: &Value<S>,
        frame: &Frame<S>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        if let Some(statistic) = statistic_of(method) {
            let frame = &self.number_columns(method, frame, arguments)?;
            return self.column_by_column(frame, |state, series| state.series_statistic(statistic, series));
        }
        if let Some(spread) = spread_of(method) {
            let frame = &self.number_columns(method, frame, arguments)?;
            return self.column_by_column(frame, |state, series| state.spread(spread, series));
        }
        match method {
            Method::Size => Ok(Value::Int((frame.len() * frame.columns.len()) as i64)),
            Method::Shape => {
                let count = self.count_rows(&frame.index, RowSet::All(frame.len()))?;
                self.tuple(vec![count, Value::Int(frame.columns.len() as i64)])
            }
            Method::Copy => self.new_frame(frame.clone()),
            Method::CumulativeSum => {
                arguments.none("cumsum")?;
                self.each_column(frame, |state, series| state.running_sum(series))
            }
            Method::Table(TableMethod::Round) => self.rounded_frame(frame, arguments),
            Method::Table(TableMethod::Rename) => self.renamed(frame, arguments),
            Method::Table(TableMethod::WithoutColumns) => self.without_columns(frame, arguments),
            Method::Table(TableMethod::WithoutMissing) => self.without_missing(frame, arguments),
            Method::Table(TableMethod::IsMissing(wanted)) => {
                arguments.none(method.name())?;
                self.each_column(frame, |state, series| state.missing_mask(series, wanted))
            }
            Method::Table(TableMethod::FillMissing) => {
                let value = arguments.one("fillna")?;
                self.each_column(frame, |state, series| state.gaps_filled(series, value))
            }
            Method::Items => {
                let mut pairs = Vec::new();
                for position in 0..frame.columns.len() {
                    let name = self.key_value(&frame.columns[position].label, true)?;
                    let series = self.frame_column(frame, position)?;
                    pairs.push(self.tuple(vec![name, Value::Series(series)])?);
                }
                self.list(pairs)
            }
            Method::Keys | Method::Table(TableMethod::Columns) => {
                let names = self.column_names(frame)?;
                self.list(names)
            }
            Method::Table(TableMethod::Index) => {
                let keys = self.index_values(&frame.index)?;
                self.list(keys)
            }
            Method::Table(TableMethod::Loc) => Ok(Value::Loc(Rc::new(object.clone()))),
            Method::Table(TableMethod::Empty) => Ok(Value::Bool(frame.len() == 0 || frame.columns.is_empty())),
            Method::Table(TableMethod::GroupBy) => self.group_frame(frame, arguments),
            Method::Table(TableMethod::PivotTable) => self.pivot_table(Some(object), arguments),
            Method::Table(TableMethod::Assign) => {
                if arguments.shape.positional > 0 {
                    let hint = "name the new columns: `p.assign(x=...)`";
                    return Err(Fault::hinted(Code::WrongArguments, "`assign` takes no positional argument", hint));
                }
                let mut changed = frame.clone();
                for (name, value) in arguments.shape.keywords.iter().zip(arguments.values) {
                    let name = self.text(name.clone())?;
                    changed = self.with_column(changed, &name, value)?;
                }
                self.new_frame(changed)
            }
            Method::Table(TableMethod::Aggregate) => {
                let statistic = self.statistic_named(arguments.one("agg")?)?;
                self.column_by_column(frame, |state, series| state.series_statistic(statistic, series))
            }
            Method::Table(TableMethod::NotLinear(name))
                if frame.columns.iter().any(|column| column.column.is_secret()) =>
            {
                Err(not_linear(name))
            }
            other => Err(unknown_method(other, object)),
        }
    }

    /// The frame, without its texts if `numeric_only=True` is given.
    pub(super) fn number_columns(
        &self,
        method: Method,
        frame: &Frame<S>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Frame<S>> {
        let [only] = arguments.bind(method.name(), ["numeric_only"], 0, 0)?;
        let mut frame = frame.clone();
        if only.is_some_and(|only| matches!(only.value, Value::Bool(true))) {
            frame.columns.retain(|column| !is_no_number(&column.column));
        }
        Ok(frame)
    }

    /// One figure for each column, called by the columns' names.
    fn column_by_column(
        &mut self,
        frame: &Frame<S>,
        mut figure: impl FnMut(&mut Self, &Rc<Series<S>>) -> Outcome<Value<S>>,
    ) -> Outcome<Value<S>> {
        let mut values = Vec::with_capacity(frame.columns.len());
        for position in 0..frame.columns.len() {
            let series = self.frame_column(frame, position)?;
            values.push(figure(self, &series)?);
        }
        let labels: Vec<Vec<Label>> = frame.columns.iter().map(|column| column.label.clone()).collect();
        let scalar = labels.iter().all(|label| label.len() == 1);
        let (column, index) = (self.column_of(values)?, Index::Keys(Keys::new(labels, scalar)));
        Ok(Value::Series(Rc::new(Series { name: None, column, index })))
    }

    pub(in super::super) fn column_names(&mut self, frame: &Frame<S>) -> Outcome<Vec<Value<S>>> {
        frame.columns.iter().map(|column| self.key_value(&column.label, column.label.len() == 1)).collect()
    }

    /// What the rows of a column are called, as values.
    pub(super) fn index_values(&mut self, index: &Index) -> Outcome<Vec<Value<S>>> {
        self.spend_elements(index.len() as u64)?;
        match index {
            Index::Keys(keys) => keys.labels.iter().map(|labels| self.key_value(labels, keys.scalar)).collect(),
            Index::Rows { rows: Some(rows), .. } => Ok(rows.iter().map(|row| Value::Int(i64::from(*row))).collect()),
            Index::Rows { count, .. } | Index::Positions(count) => Ok((0..*count as i64).map(Value::Int).collect()),
        }
    }

    /// Keys and values of a column, as pairs.
    fn items(&mut self, series: &Series<S>) -> Outcome<Vec<Value<S>>> {
        let keys = self.index_values(&series.index)?;
        let values = self.cells(&series.column)?;
        keys.into_iter().zip(values).map(|(key, value)| self.tuple(vec![key, value])).collect()
    }

    fn dict_of_pairs(&mut self, pairs: Vec<Value<S>>) -> Outcome<Value<S>> {
        let dict = self.new_dict()?;
        if let Value::Dict(handle) = dict {
            for pair in pairs {
                if let [key, value] = self.elements(&pair)?.as_slice() {
                    self.insert(handle, key.clone(), value.clone())?;
                }
            }
        }
        Ok(dict)
    }

    fn sorted_by_index(&mut self, series: &Rc<Series<S>>) -> Outcome<Value<S>> {
        let Index::Keys(keys) = &series.index else { return Ok(Value::Series(series.clone())) };
        let mut order: Vec<u32> = (0..keys.labels.len() as u32).collect();
        order.sort_by(|a, b| keys.labels[*a as usize].cmp(&keys.labels[*b as usize]));
        let order = Rc::new(order);
        let (column, index) = (self.gathered(&series.column, Some(&order))?, series.index.picked(&order));
        Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
    }

    /// `"mean"`, `"sum"`, `"count"` or `"size"`
    pub(super) fn statistic_named(&self, value: &Value<S>) -> Outcome<Statistic> {
        let name = self.show(value);
        Statistic::named(&name).filter(|_| matches!(value, Value::Text(_))).ok_or_else(|| {
            let message = format!("a figure cannot be {name} here");
            Fault::hinted(Code::BadArgument, message, "the figures are \"mean\", \"sum\", \"count\" and \"size\"")
        })
    }
}

pub(super) fn statistic_of(method: Method) -> Option<Statistic> {
    match method {
        Method::Sum => Some(Statistic::Sum),
        Method::Mean => Some(Statistic::Mean),
        Method::Count => Some(Statistic::Count),
        _ => None,
    }
}

fn spread_of(method: Method) -> Option<Spread> {
    match method {
        Method::Table(TableMethod::Minimum) => Some(Spread::Minimum),
        Method::Table(TableMethod::Maximum) => Some(Spread::Maximum),
        Method::Table(TableMethod::StandardDeviation) => Some(Spread::StandardDeviation),
        Method::Table(TableMethod::Variance) => Some(Spread::Variance),
        Method::Table(TableMethod::Median) => Some(Spread::Median),
        _ => None,
    }
}

/// Whether pandas keeps a column as objects: texts, and booleans with gaps.
fn is_no_number<S: Scalar>(column: &Column<S>) -> bool {
    match column {
        Column::Texts { .. } => true,
        Column::Cells(values) => values.iter().any(|value| matches!(value, Value::Bool(_) | Value::Text(_))),
        Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Random(_) => false,
        Column::Choices(values) => values.all_values().any(|value| matches!(value, Value::Text(_))),
    }
}

pub(super) fn unknown_method<S: Scalar>(method: Method, object: &Value<S>) -> Box<Fault> {
    let name = method.name();
    let hint = match (method, object) {
        (Method::Table(TableMethod::GroupSizes), Value::Series(_) | Value::Frame(_)) => {
            "without parentheses: `.size` is a number".to_owned()
        }
        (Method::Table(TableMethod::NotLinear(_)), _) => "it is not known here, also not of public columns".to_owned(),
        _ => "see the language page for what tables, columns and groups have".to_owned(),
    };
    Fault::hinted(Code::Attribute, format!("{} has no `.{name}` here", object.kind()), hint)
}
