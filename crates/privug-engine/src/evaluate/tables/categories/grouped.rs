//! Counting by the values of a discrete secret: `value_counts`, crossed tables, groups of which the secret is a key.

use crate::sorting::CompactSort;
use std::rc::Rc;

use super::super::super::builtins::{Argument, Arguments};
use super::super::super::fault::{Fault, Outcome};
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::aggregate::RowSet;
use super::super::grouping::{Chosen, GroupBy};
use super::super::pivot::Crossing;
use super::super::shape::{Shape, has_ties};
use super::super::{Column, Index, Keys, Label, Series};
use super::ChoiceColumn;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Method, TableMethod};

/// What a share is a part of.
#[derive(Clone, Copy)]
enum Share {
    All,
    Rows,
    Columns,
}

/// The keys that rows are counted by, one of them secret.
#[derive(Debug)]
pub(in super::super) struct SecretKeys<S> {
    /// The public ones.
    public: Vec<Rc<Series<S>>>,
    secret: Rc<Series<S>>,
    /// Where the secret stands among all of them.
    place: usize,
    /// Whether a key is a label by itself.
    scalar: bool,
}

impl<S> SecretKeys<S> {
    pub(in super::super) fn public(&self) -> &[Rc<Series<S>>] {
        &self.public
    }

    pub(in super::super) fn secret(&self) -> &Series<S> {
        &self.secret
    }
}

impl<S: Scalar> State<S> {
    /// Keys to count by, if one of them depends on a discrete secret.
    pub(in super::super) fn secret_keys(&self, by: &[Rc<Series<S>>], scalar: bool) -> Outcome<Option<SecretKeys<S>>> {
        let is_secret = |series: &&Rc<Series<S>>| matches!(series.column, Column::Choices(_));
        let Some(place) = by.iter().position(|series| is_secret(&series)) else { return Ok(None) };
        if by.iter().filter(is_secret).count() > 1 {
            let message = "rows are counted by two secret columns";
            let hint = "count by one of them, or make one column of both and name it as the secret";
            return Err(Fault::hinted(Code::SecretDecides, message, hint));
        }
        let public = by.iter().filter(|series| !is_secret(series)).cloned().collect();
        Ok(Some(SecretKeys { public, secret: by[place].clone(), place, scalar }))
    }

    /// How many rows there are for each key: of the groups that occur, every value that the secret may have. A value that
    /// nobody has is a count of 0: that pandas leaves it out tells the same.
    pub(in super::super) fn count_by_secret(&mut self, keys: &SecretKeys<S>) -> Outcome<Vec<(Vec<Label>, Value<S>)>> {
        let Column::Choices(column) = &keys.secret.column else { return Ok(Vec::new()) };
        let values = self.values_of(column);
        if keys.public.is_empty() {
            let mut counts = Vec::with_capacity(values.len());
            for value in values {
                let count = self.choice_count(column, RowSet::All(column.len()), &value)?;
                counts.push((vec![value], count));
            }
            return Ok(counts);
        }
        let grouped = self.group(&keys.public, false)?;
        let members = grouped.members();
        let mut counts = Vec::with_capacity(members.count() * values.len());
        for group in 0..members.count() {
            for value in &values {
                let mut key = grouped.keys.labels[group].clone();
                key.insert(keys.place, value.clone());
                let rows = RowSet::Some(members.rows(group));
                counts.push((key, self.choice_count(column, rows, value)?));
            }
        }
        counts.sort_compact_by(|a, b| a.0.cmp(&b.0));
        Ok(counts)
    }

    /// What groups of which the secret is a key can be asked for: how many rows they have.
    pub(in super::super) fn secret_groups_method(
        &mut self,
        method: Method,
        keys: &Rc<SecretKeys<S>>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        match method {
            Method::Table(TableMethod::GroupSizes) => {
                arguments.none("size")?;
                let counts = self.count_by_secret(keys)?;
                let sizes = self.figures_by_key(counts, keys.scalar, "size")?;
                Ok(self.shaped(sizes, Shape::of_rows()))
            }
            _ => Err(Self::refuse_choice("rows are grouped by", &keys.secret)),
        }
    }

    /// `groups.column.value_counts(normalize=…)`: how often each value occurs in each group.
    pub(in super::super) fn groups_value_counts(&mut self, groups: &GroupBy<S>, normalized: bool) -> Outcome<Value<S>> {
        let Chosen::One(position) = groups.chosen else {
            let message = "the values of several columns are counted";
            return Err(Fault::hinted(Code::BadArgument, message, "choose one: `groups[\"disease\"].value_counts()`"));
        };
        let series = self.frame_column(&groups.frame, position)?;
        let members = groups.grouped.members();
        let mut counts: Vec<(Vec<Label>, Value<S>)> = Vec::new();
        let mut is_tied = false;
        for group in 0..members.count() {
            let rows = Rc::new(members.rows(group).to_vec());
            self.spend_bytes(rows.len() * size_of::<u32>())?;
            let (column, index) = (self.gathered(&series.column, Some(&rows))?, series.index.picked(&rows));
            let part = Rc::new(Series { name: series.name.clone(), column, index });
            let Value::Series(of_group) = self.shares_of_values(&part, normalized)? else { continue };
            let Index::Keys(keys) = &of_group.index else { continue };
            is_tied |= keys.shape.is_tied;
            for (label, value) in keys.labels.iter().zip(self.cells(&of_group.column)?) {
                let key = groups.grouped.keys.labels[group].iter().chain(label).cloned().collect();
                counts.push((key, value));
            }
        }
        let is_secret = matches!(series.column, Column::Choices(_));
        let counts = self.figures_by_key(counts, false, if normalized { "proportion" } else { "count" })?;
        Ok(if is_secret { self.shaped(counts, Shape { is_tied, ..Shape::of_rows() }) } else { counts })
    }

    /// `normalize=True` or nothing, behind `value_counts`.
    pub(in super::super) fn is_normalized(&mut self, arguments: &Arguments<'_, S>) -> Outcome<bool> {
        let [normalize] = arguments.bind("value_counts", ["normalize"], 0, 1)?;
        normalize.map_or(Ok(false), |normalize| self.truth(normalize.value))
    }

    /// `pd.crosstab(…, normalize=…)`: shares of the rows, of the columns or of everybody. What is divided by must be public.
    pub(in super::super) fn cross_shares(
        &mut self,
        crossing: &Crossing<S>,
        normalize: Argument<'_, S>,
    ) -> Outcome<Value<S>> {
        let shown = self.show(normalize.value);
        let by = match (normalize.value, shown.as_str()) {
            (Value::Bool(false), _) => return self.cross(crossing),
            (Value::Bool(true), _) | (Value::Text(_), "all") => Share::All,
            (Value::Text(_), "index") | (Value::Int(0), _) => Share::Rows,
            (Value::Text(_), "columns") | (Value::Int(1), _) => Share::Columns,
            _ => {
                let message = format!("`normalize` cannot be {shown}");
                let hint = "it is \"index\", \"columns\" or \"all\"";
                return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(normalize.index));
            }
        };
        if crossing.values.is_some() || crossing.margins.is_some() {
            let message = "shares are taken of counts, without `margins`, here";
            let hint = "publish the counts with their margins: the shares follow from them";
            return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(normalize.index));
        }
        let totals = match by {
            Share::All => self.cross_figures(crossing, &[])?,
            Share::Rows => self.cross_figures(crossing, &crossing.rows)?,
            Share::Columns => self.cross_figures(crossing, &crossing.columns)?,
        };
        if totals.values().any(|total| total.as_random().is_some()) {
            let message = "the shares are divided by a count that is secret";
            let hint = "divide by public counts: normalize over the public side, or publish the counts";
            return Err(Fault::hinted(Code::NonlinearFunction, message, hint).at_argument(normalize.index));
        }
        let Value::Frame(handle) = self.cross(crossing)? else { return self.cross(crossing) };
        let mut frame = self.frame(handle).clone();
        let Index::Keys(keys) = frame.index.clone() else { return self.new_frame(frame) };
        let mut cells = Vec::with_capacity(frame.columns.len());
        for column in &frame.columns {
            cells.push(self.cells(&column.column)?);
        }
        let is_secret = cells.iter().flatten().any(|cell| cell.as_random().is_some());
        if is_secret && self.has_missing_keys(crossing)? {
            let message = "shares of a secret are taken where keys are missing";
            let hint = "leave these rows out first: `people.dropna()`";
            return Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(normalize.index));
        }
        for (place, column) in frame.columns.iter_mut().enumerate() {
            let mut shares = Vec::with_capacity(keys.labels.len());
            for (row, key) in keys.labels.iter().enumerate() {
                // A row that lacks one of its keys is in no cell, so it is in no total either.
                let total = match (is_secret, by) {
                    (false, Share::All) => Some(self.total(cells.iter().flatten())?),
                    (false, Share::Rows) => Some(self.total(cells.iter().map(|column| &column[row]))?),
                    (false, Share::Columns) => Some(self.total(&cells[place])?),
                    (true, Share::All) => totals.get([].as_slice()).cloned(),
                    (true, Share::Rows) => totals.get(key.as_slice()).cloned(),
                    (true, Share::Columns) => totals.get(column.label.as_slice()).cloned(),
                };
                shares.push(match total {
                    // A row or column without anybody has no shares; pandas shows 0.
                    Some(Value::Int(0)) => self.float(S::zero())?,
                    Some(total) => self.binary(Binary::Divide, &cells[place][row], &total)?,
                    None => Value::Missing,
                });
            }
            column.column = self.column_of(shares)?;
        }
        self.new_frame(frame)
    }

    /// The sum of public counts.
    fn total<'c>(&mut self, cells: impl IntoIterator<Item = &'c Value<S>>) -> Outcome<Value<S>>
    where
        S: 'c,
    {
        let mut total = Value::Int(0);
        for cell in cells {
            total = self.binary(Binary::Add, &total, cell)?;
        }
        Ok(total)
    }

    /// Whether a row of a cross table lacks one of its keys.
    fn has_missing_keys(&mut self, crossing: &Crossing<S>) -> Outcome<bool> {
        for series in crossing.rows.iter().chain(&crossing.columns) {
            let missing = match &series.column {
                Column::Choices(column) => {
                    column.may_be_missing() || (0..column.len()).any(|row| column.is_missing(row))
                }
                column => self.cells(column)?.iter().any(|cell| matches!(cell, Value::Missing)),
            };
            if missing {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What can come out of a column, ascending.
    fn values_of(&self, column: &ChoiceColumn<S>) -> Vec<Label> {
        let mut values: Vec<Label> = column.all_values().filter_map(|value| self.label_of(value)).collect();
        values.sort();
        values.dedup();
        values
    }

    /// `column.value_counts(normalize=…)` of a secret.
    pub(in super::super) fn choice_value_counts(
        &mut self,
        series: &Rc<Series<S>>,
        normalized: bool,
    ) -> Outcome<Value<S>> {
        let Column::Choices(column) = &series.column else { return Err(Self::refuse_choice("counted", series)) };
        let keys = SecretKeys { public: Vec::new(), secret: series.clone(), place: 0, scalar: true };
        let mut counts = self.count_by_secret(&keys)?;
        let shape = Shape { is_tied: has_ties(&counts), ..Shape::of_rows() };
        if normalized {
            if column.may_be_missing() {
                let message = format!("how many values {} has depends on the secret", series.shown_name());
                let hint = "a share of that would be a quotient of two secrets; publish the counts";
                return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
            }
            let present = (0..column.len()).filter(|row| !column.is_missing(*row)).count() as i64;
            for (_, count) in &mut counts {
                *count = match present {
                    0 => Value::Missing,
                    present => self.binary(Binary::Divide, count, &Value::Int(present))?,
                };
            }
        }
        let name = if normalized { "proportion" } else { "count" };
        let counts = self.figures_by_key(counts, true, name)?;
        Ok(self.shaped(counts, shape))
    }

    /// Figures called by their keys.
    pub(in super::super) fn figures_by_key(
        &mut self,
        figures: Vec<(Vec<Label>, Value<S>)>,
        scalar: bool,
        name: &str,
    ) -> Outcome<Value<S>> {
        let (labels, values): (Vec<Vec<Label>>, Vec<Value<S>>) = figures.into_iter().unzip();
        let (column, index) = (self.column_of(values)?, Index::Keys(Keys::new(labels, scalar)));
        Ok(Value::Series(Rc::new(Series { name: Some(Rc::from(name)), column, index })))
    }
}
