//! What is not linear, of public columns: quantiles, ranks, bounds and absolute values.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::builtins::Arguments;
use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::Series;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, Comparison, Median};

impl<S: Scalar> State<S> {
    /// `column.quantile(q)`, `column.clip(lower, upper)`, `column.rank()`, `column.abs()` of a public column; `None` if it is
    /// something else.
    pub(super) fn public_method(
        &mut self,
        name: &str,
        series: &Rc<Series<S>>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Option<Value<S>>> {
        if series.column.is_secret() {
            return Ok(None);
        }
        self.refuse_groups(&Value::Series(series.clone()), name)?;
        let found = match name {
            "quantile" => self.quantile_of_column(series, arguments)?,
            "clip" => self.clipped_column(series, arguments)?,
            "rank" => self.ranks(series, arguments)?,
            "abs" => {
                arguments.none("abs")?;
                let mut values = Vec::with_capacity(series.len());
                for cell in self.numbers_of(series, "abs")? {
                    values.push(match cell {
                        Value::Missing => Value::Missing,
                        number => self.call_builtin(Builtin::Abs, &positional(1), &[number])?,
                    });
                }
                self.series_like(series, values)?
            }
            _ => return Ok(None),
        };
        Ok(Some(found))
    }

    /// The cells of a public column of numbers.
    fn numbers_of(&mut self, series: &Rc<Series<S>>, name: &str) -> Outcome<Vec<Value<S>>> {
        let cells = self.cells(&series.column)?;
        self.spend_rows(cells.len())?;
        match cells.iter().find(|cell| self.number(cell).is_none() && !matches!(cell, Value::Missing)) {
            Some(other) => Err(Fault::new(Code::TypeMismatch, format!("`{name}` takes numbers, not {}", other.kind()))),
            None => Ok(cells),
        }
    }

    fn quantile_of_column(&mut self, series: &Rc<Series<S>>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [share] = arguments.bind("quantile", ["q"], 0, 1)?;
        let share =
            share.map_or_else(|| S::from_literal("0.5").map_or(Value::Missing, Value::Float), |q| q.value.clone());
        if self.number(&share).is_none() {
            let hint = "ask for them one by one: `[column.quantile(q) for q in (0.25, 0.75)]`";
            return Err(Fault::hinted(Code::BadArgument, "several quantiles at once", hint));
        }
        let mut cells = self.numbers_of(series, "quantile")?;
        cells.retain(|cell| !matches!(cell, Value::Missing));
        if cells.is_empty() {
            return Ok(Value::Missing);
        }
        let cells = self.list(cells)?;
        self.call_builtin(Builtin::Median(Median::Quantile), &positional(2), &[cells, share])
    }

    fn clipped_column(&mut self, series: &Rc<Series<S>>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let bounds = arguments.bind("clip", ["lower", "upper"], 0, 2)?;
        let bounds =
            bounds.map(|bound| bound.map(|bound| bound.value.clone()).filter(|bound| !matches!(bound, Value::None)));
        if let Some(other) = bounds.iter().flatten().find(|bound| self.number(bound).is_none()) {
            let message = format!("a bound is a number here, not {}", other.kind());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        let [lower, upper] = bounds;
        let mut values = self.numbers_of(series, "clip")?;
        for cell in values.iter_mut().filter(|cell| !matches!(cell, Value::Missing)) {
            if let Some(lower) = &lower
                && self.order(Comparison::Less, cell, lower)? == Ordering::Less
            {
                *cell = lower.clone();
            }
            if let Some(upper) = &upper
                && self.order(Comparison::Greater, cell, upper)? == Ordering::Greater
            {
                *cell = upper.clone();
            }
        }
        self.series_like(series, values)
    }

    /// `column.rank(method, ascending)`: missing values have no rank.
    fn ranks(&mut self, series: &Rc<Series<S>>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [method, ascending] = arguments.bind("rank", ["method", "ascending"], 0, 0)?;
        let method = method.map_or("average".to_owned(), |method| self.show(method.value));
        let ascending = ascending.map_or(Ok(true), |ascending| self.truth(ascending.value))?;
        let cells = self.numbers_of(series, "rank")?;
        let mut keyed: Vec<(f64, usize)> = Vec::with_capacity(cells.len());
        for (row, cell) in cells.iter().enumerate() {
            if let Some(number) = self.number(cell) {
                keyed.push((self.scalar(&number)?.to_f64(), row));
            }
        }
        // Rows that are equal stay in their order, also from the largest on.
        keyed.sort_by(|a, b| if ascending { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
        let mut ranks = vec![Value::Missing; cells.len()];
        let (mut start, mut distinct) = (0, 0);
        while start < keyed.len() {
            let ties = keyed[start..].iter().take_while(|(value, _)| *value == keyed[start].0).count();
            distinct += 1;
            for (place, (_, row)) in keyed[start..start + ties].iter().enumerate() {
                // Twice the rank, which is a whole number.
                let twice = match method.as_str() {
                    "average" => 2 * start + ties + 1,
                    "min" => 2 * (start + 1),
                    "max" => 2 * (start + ties),
                    "first" => 2 * (start + place + 1),
                    "dense" => 2 * distinct,
                    other => {
                        let hint = "it is \"average\", \"min\", \"max\", \"first\" or \"dense\"";
                        let message = format!("`method` cannot be \"{other}\"");
                        return Err(Fault::hinted(Code::BadArgument, message, hint));
                    }
                };
                ranks[*row] = self.float(S::from_f64(twice as f64 / 2.0).unwrap_or_else(S::zero))?;
            }
            start += ties;
        }
        self.series_like(series, ranks)
    }

    /// `column.fillna(other)`: what is missing is taken from the same row of another column.
    pub(super) fn filled_from(&mut self, series: &Rc<Series<S>>, other: &Rc<Series<S>>) -> Outcome<Series<S>> {
        let mask = Rc::new(self.missing_mask(series, false)?);
        match self.kept_or(series, &mask, true, &Value::Series(other.clone()))? {
            Value::Series(filled) => Ok((*filled).clone()),
            _ => Ok((**series).clone()),
        }
    }

    /// The edges of so many bins of the same width, as `pd.cut` has them.
    pub(super) fn even_edges(&mut self, series: &Rc<Series<S>>, count: i64, right: bool) -> Outcome<Vec<f64>> {
        let mut values = Vec::new();
        for cell in self.numbers_of(series, "cut")? {
            if let Some(number) = self.number(&cell) {
                values.push(self.scalar(&number)?.to_f64());
            }
        }
        let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
        if !(1..=10_000).contains(&count) || low >= high {
            let message = "the number of bins is at least 1, of a column with at least two different values";
            return Err(Fault::new(Code::BadArgument, message));
        }
        let step = (high - low) / count as f64;
        let mut edges: Vec<f64> = (0..=count).map(|place| low + place as f64 * step).collect();
        let further = (high - low) * 0.001;
        edges[count as usize] = high;
        // pandas opens the outermost one a little, so that the smallest or largest value is in it.
        if right {
            edges[0] -= further
        } else {
            edges[count as usize] += further
        }
        Ok(edges)
    }

    /// What a list of texts is called by `.str`: a column of them.
    pub(in super::super) fn texts_as_column(&mut self, list: &Value<S>) -> Outcome<Value<S>> {
        let elements = self.elements(list)?;
        let index = super::Index::Positions(elements.len());
        let column = self.column_of(elements)?;
        Ok(Value::Series(Rc::new(Series { name: None, column, index })))
    }

    /// The rows that all columns among some values have; pandas would match others by their labels.
    pub(in super::super) fn rows_of_all(&self, values: &[Value<S>]) -> Outcome<Option<super::Index>> {
        let mut rows: Option<&super::Index> = None;
        for value in values {
            let Value::Series(series) = value else { continue };
            if rows.is_some_and(|rows| !rows.same(&series.index)) {
                let hint = "take both from the same table or filter";
                return Err(Fault::hinted(Code::DifferentRows, "columns of different rows are combined", hint));
            }
            rows = Some(&series.index);
        }
        Ok(rows.cloned())
    }

    /// An array as a column of rows, if it has as many elements.
    pub(in super::super) fn in_rows(&mut self, array: &Value<S>, index: &super::Index) -> Outcome<Value<S>> {
        if self.length(array)? != index.len()
            || !matches!(self.elements(array)?.first(), Some(first) if !matches!(first, Value::Array(_)))
        {
            return Ok(array.clone());
        }
        self.array_as_column(array, index).map(Value::Series)
    }

    /// Public values as a column of the rows of a table.
    pub(super) fn array_as_column(&mut self, array: &Value<S>, index: &super::Index) -> Outcome<Rc<Series<S>>> {
        let elements = self.elements(array)?;
        if elements.len() != index.len() {
            let message = format!("{} values are given for {} rows", elements.len(), index.len());
            return Err(Fault::new(Code::LengthMismatch, message));
        }
        let elements: Vec<Value<S>> = elements.iter().map(Value::plain).collect();
        let column = self.column_of(elements)?;
        Ok(Rc::new(Series { name: None, column, index: index.clone() }))
    }
}
