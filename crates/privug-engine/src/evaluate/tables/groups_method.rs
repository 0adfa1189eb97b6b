//! `groupby` and what can be done with groups.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::{RowSet, Statistic};
use super::columns_method::{statistic_of, unknown_method};
use super::grouping::{Chosen, GroupBy};
use super::{Column, Frame, FrameColumn, Index, Label, Series, label_text, not_linear, secret_decides};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

impl<S: Scalar> State<S> {
    /// `frame.groupby(by)`
    pub(super) fn group_frame(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let by = self.groupby_argument(arguments)?;
        let (columns, names, scalar) = self.grouping_columns(Some(frame), &by)?;
        let by_secret = self.secret_keys(&columns, scalar)?.map(Rc::new);
        let public = by_secret.as_ref().map_or(columns.as_slice(), |keys| keys.public());
        let grouped = Rc::new(self.group(public, scalar)?);
        let (frame, chosen) = (frame.clone(), Chosen::Rest);
        Ok(Value::Groups(Rc::new(GroupBy { frame, by: names, chosen, grouped, by_secret })))
    }

    /// `column.groupby(other_column)`
    pub(super) fn group_series(&mut self, series: &Rc<Series<S>>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let by = self.groupby_argument(arguments)?;
        let (columns, _, scalar) = self.grouping_columns(None, &by)?;
        let by_secret = self.secret_keys(&columns, scalar)?.map(Rc::new);
        if columns.iter().any(|column| !column.index.same(&series.index)) {
            let hint = "take both from the same table or filter";
            return Err(Fault::hinted(Code::DifferentRows, "a column is grouped by other rows", hint));
        }
        let public = by_secret.as_ref().map_or(columns.as_slice(), |keys| keys.public());
        let grouped = Rc::new(self.group(public, scalar)?);
        let label = vec![Label::text(series.name.as_deref().unwrap_or_default())];
        let column = FrameColumn { label, column: series.column.clone(), rows: None };
        let frame = Frame { index: series.index.clone(), columns: vec![column] };
        Ok(Value::Groups(Rc::new(GroupBy { frame, by: Vec::new(), chosen: Chosen::One(0), grouped, by_secret })))
    }

    fn groupby_argument(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let parameters = ["by", "sort", "observed", "dropna", "as_index", "group_keys"];
        let [by, sort, _, dropna, as_index, _] = arguments.bind("groupby", parameters, 1, 1)?;
        for (argument, name) in [(sort, "sort"), (dropna, "dropna"), (as_index, "as_index")] {
            if let Some(argument) = argument
                && !matches!(argument.value, Value::Bool(true))
            {
                let message = format!("`{name}` must be left at True here");
                return Err(Fault::hinted(Code::BadArgument, message, "remove it").at_argument(argument.index));
            }
        }
        given(by).map(|by| by.value.clone())
    }

    /// The columns that are grouped by, the names of those that belong to the frame, and whether keys are single.
    pub(super) fn grouping_columns(
        &mut self,
        frame: Option<&Frame<S>>,
        by: &Value<S>,
    ) -> Outcome<(Vec<Rc<Series<S>>>, Vec<Vec<Label>>, bool)> {
        let (parts, scalar) = match by {
            Value::List(_) => (self.elements(by)?, false),
            single => (vec![single.clone()], true),
        };
        if parts.is_empty() {
            return Err(Fault::new(Code::BadArgument, "rows are grouped by nothing"));
        }
        let (mut columns, mut names) = (Vec::new(), Vec::new());
        for part in &parts {
            let series = match (part, frame) {
                (Value::Series(series), _) => {
                    if let Some(frame) = frame
                        && !series.index.same(&frame.index)
                    {
                        let hint = "take it from the same table or filter";
                        return Err(Fault::hinted(Code::DifferentRows, "a table is grouped by other rows", hint));
                    }
                    series.clone()
                }
                (name, Some(frame)) => {
                    let Some(label) = self.key_labels(name) else { return Err(super::frames::not_a_name(name)) };
                    let position = self.column_position(frame, &label)?;
                    names.push(label);
                    self.frame_column(frame, position)?
                }
                (other, None) => {
                    let message = format!("a column is grouped by another column, not by {}", other.kind());
                    return Err(Fault::new(Code::TypeMismatch, message));
                }
            };
            if series.column.is_secret() && !matches!(series.column, Column::Choices(_)) {
                return Err(secret_decides("rows are grouped", &series.shown_name()));
            }
            columns.push(series);
        }
        Ok((columns, names, scalar))
    }

    pub(super) fn groups_method(
        &mut self,
        method: Method,
        groups: &Rc<GroupBy<S>>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        if let Some(keys) = &groups.by_secret {
            return self.secret_groups_method(method, keys, arguments);
        }
        if let Some(statistic) = statistic_of(method) {
            let frame = self.number_columns(method, &groups.frame, arguments)?;
            if matches!(groups.chosen, Chosen::Rest) {
                let (by, grouped) = (groups.by.clone(), groups.grouped.clone());
                return self
                    .aggregated(&GroupBy { frame, by, chosen: Chosen::Rest, grouped, by_secret: None }, statistic);
            }
            return self.aggregated(groups, statistic);
        }
        match method {
            Method::Table(TableMethod::GroupSizes) => {
                arguments.none("size")?;
                let members = groups.grouped.members();
                let mut sizes = Vec::with_capacity(members.count());
                for group in 0..members.count() {
                    sizes.push(self.count_rows(&groups.frame.index, RowSet::Some(members.rows(group)))?);
                }
                let (column, index) = (self.column_of(sizes)?, Index::Keys(groups.grouped.keys.clone()));
                Ok(Value::Series(Rc::new(Series { name: None, column, index })))
            }
            Method::Table(TableMethod::ValueCounts) => {
                let normalized = self.is_normalized(arguments)?;
                self.groups_value_counts(groups, normalized)
            }
            Method::Table(TableMethod::Aggregate) if arguments.shape.positional == 0 => {
                self.named_aggregate(groups, arguments)
            }
            Method::Table(TableMethod::Aggregate) => {
                let figures = arguments.one("agg")?;
                self.aggregate(groups, figures)
            }
            Method::Table(TableMethod::Transform) => {
                let statistic = self.statistic_named(arguments.one("transform")?)?;
                self.transformed(groups, statistic)
            }
            Method::CumulativeSum => {
                arguments.none("cumsum")?;
                self.running_sums_of_groups(groups)
            }
            Method::Table(TableMethod::GetGroup) => {
                let key = arguments.one("get_group")?;
                let labels = self.key_labels(key).unwrap_or_default();
                match groups.grouped.keys.position(&labels) {
                    Some(group) => self.group_rows(groups, group),
                    None => {
                        let message = format!("there is no group `{}`", label_text(&labels));
                        Err(Fault::new(Code::MissingKey, message))
                    }
                }
            }
            Method::Table(TableMethod::GroupCount) => {
                self.count_distinct(groups.grouped.keys.labels.len(), &groups.frame.index)
            }
            Method::Table(
                TableMethod::Minimum
                | TableMethod::Maximum
                | TableMethod::StandardDeviation
                | TableMethod::Variance
                | TableMethod::Median
                | TableMethod::NotLinear(_),
            ) if groups.value_positions().iter().any(|at| groups.frame.columns[*at].column.is_secret()) => {
                Err(not_linear(method.name()))
            }
            other => Err(unknown_method(other, &Value::Groups(groups.clone()))),
        }
    }

    /// One figure for each group, of each column that is looked at.
    fn aggregated(&mut self, groups: &GroupBy<S>, statistic: Statistic) -> Outcome<Value<S>> {
        let index = Index::Keys(groups.grouped.keys.clone());
        if let Chosen::One(position) = groups.chosen {
            let (label, column) = self.group_figures(groups, position, statistic)?;
            let name = Some(Rc::from(label_text(&label)));
            return Ok(Value::Series(Rc::new(Series { name, column: column.column, index })));
        }
        let mut columns = Vec::new();
        for position in groups.value_positions() {
            columns.push(self.group_figures(groups, position, statistic)?.1);
        }
        self.new_frame(Frame { index, columns })
    }

    fn group_figures(
        &mut self,
        groups: &GroupBy<S>,
        position: usize,
        statistic: Statistic,
    ) -> Outcome<(Vec<Label>, FrameColumn<S>)> {
        let series = self.frame_column(&groups.frame, position)?;
        let values = self.series_group_statistics(statistic, &series, groups.grouped.members())?;
        let label = groups.frame.columns[position].label.clone();
        let column = self.column_of(values)?;
        Ok((label.clone(), FrameColumn { label, column, rows: None }))
    }

    /// `groups.agg(n=("income", "size"), mean=("income", "mean"))`, of one column `groups.agg(n="size")`
    fn named_aggregate(&mut self, groups: &Rc<GroupBy<S>>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let mut columns = Vec::new();
        for (index, (name, figure)) in arguments.shape.keywords.iter().zip(arguments.values).enumerate() {
            let (position, statistic) = match (figure, &groups.chosen) {
                (Value::Text(_), Chosen::One(position)) => (*position, self.statistic_named(figure)?),
                (Value::Tuple(_), Chosen::Rest | Chosen::Some(_)) => match self.elements(figure)?.as_slice() {
                    [column, statistic] => {
                        let Some(label) = self.key_labels(column) else {
                            return Err(super::frames::not_a_name(column));
                        };
                        (self.column_position(&groups.frame, &label)?, self.statistic_named(statistic)?)
                    }
                    _ => return Err(not_a_figure(name).at_argument(index)),
                },
                _ => return Err(not_a_figure(name).at_argument(index)),
            };
            let (_, mut column) = self.group_figures(groups, position, statistic)?;
            column.label = vec![Label::text(name)];
            columns.push(column);
        }
        self.new_frame(Frame { index: Index::Keys(groups.grouped.keys.clone()), columns })
    }

    /// `groups.agg({"income": "mean", "hours": ["mean", "sum"]})`
    fn aggregate_by_column(&mut self, groups: &GroupBy<S>, figures: u32) -> Outcome<Value<S>> {
        let entries = self.heap.dict(figures).entries.clone();
        let several = entries.iter().any(|(_, figures)| matches!(figures, Value::List(_)));
        let mut columns = Vec::new();
        for (column, figures) in &entries {
            let Some(label) = self.key_labels(column) else { return Err(super::frames::not_a_name(column)) };
            let position = self.column_position(&groups.frame, &label)?;
            let figures = match figures {
                Value::List(_) => self.elements(figures)?,
                single => vec![single.clone()],
            };
            for figure in &figures {
                let statistic = self.statistic_named(figure)?;
                let (label, mut column) = self.group_figures(groups, position, statistic)?;
                if several {
                    column.label = label.into_iter().chain([Label::text(&self.show(figure))]).collect();
                }
                columns.push(column);
            }
        }
        self.new_frame(Frame { index: Index::Keys(groups.grouped.keys.clone()), columns })
    }

    /// `groups.agg("mean")`, `groups.agg(["mean", "count"])`
    fn aggregate(&mut self, groups: &Rc<GroupBy<S>>, figures: &Value<S>) -> Outcome<Value<S>> {
        if let Value::Text(_) = figures {
            let statistic = self.statistic_named(figures)?;
            if statistic == Statistic::Size {
                return Err(Fault::hinted(
                    Code::BadArgument,
                    "the sizes of groups are no figure of a column",
                    "`.size()`",
                ));
            }
            return self.aggregated(groups, statistic);
        }
        let names = match figures {
            Value::List(_) => self.elements(figures)?,
            Value::Dict(handle) if !matches!(groups.chosen, Chosen::One(_)) => {
                return self.aggregate_by_column(groups, *handle);
            }
            other => {
                return Err(self.statistic_named(other).err().unwrap_or_else(|| unknown_method(Method::Sum, other)));
            }
        };
        let positions = groups.value_positions();
        let one = matches!(groups.chosen, Chosen::One(_));
        let mut columns = Vec::new();
        for position in positions {
            for name in &names {
                let statistic = self.statistic_named(name)?;
                let (label, mut column) = self.group_figures(groups, position, statistic)?;
                let figure = Label::text(&self.show(name));
                column.label = if one { vec![figure] } else { label.into_iter().chain([figure]).collect() };
                columns.push(column);
            }
        }
        self.new_frame(Frame { index: Index::Keys(groups.grouped.keys.clone()), columns })
    }

    /// The rows of one group, as a column or a frame.
    fn group_rows(&mut self, groups: &GroupBy<S>, group: usize) -> Outcome<Value<S>> {
        let rows = Rc::new(groups.grouped.members().rows(group).to_vec());
        self.spend_bytes(rows.len() * size_of::<u32>())?;
        let frame = match &groups.chosen {
            Chosen::One(position) => {
                let only =
                    Frame { index: groups.frame.index.clone(), columns: vec![groups.frame.columns[*position].clone()] };
                let part = self.some_rows(&only, rows)?;
                return self.frame_column(&part, 0).map(Value::Series);
            }
            Chosen::Rest => groups.frame.clone(),
            Chosen::Some(positions) => {
                let columns = positions.iter().map(|position| groups.frame.columns[*position].clone()).collect();
                Frame { index: groups.frame.index.clone(), columns }
            }
        };
        let part = self.some_rows(&frame, rows)?;
        self.new_frame(part)
    }

    /// `for key, group in groups`
    pub(in super::super) fn group_items(&mut self, groups: &Rc<GroupBy<S>>) -> Outcome<Vec<Value<S>>> {
        let keys = groups.grouped.keys.clone();
        let mut items = Vec::with_capacity(keys.labels.len());
        for (group, labels) in keys.labels.iter().enumerate() {
            let key = self.key_value(labels, keys.scalar)?;
            let rows = self.group_rows(groups, group)?;
            items.push(self.tuple(vec![key, rows])?);
        }
        Ok(items)
    }
}

fn not_a_figure(name: &str) -> Box<Fault> {
    let message = format!("`{name}` is not a figure of a column");
    let hint =
        "name the column and the figure: `mean=(\"income\", \"mean\")`; of one column, the figure: `mean=\"mean\"`";
    Fault::hinted(Code::BadArgument, message, hint)
}

impl<S: Scalar> GroupBy<S> {
    /// How many groups there are.
    pub(in super::super) fn len(&self) -> usize {
        self.grouped.keys.labels.len()
    }

    /// The columns that are looked at.
    pub(super) fn value_positions(&self) -> Vec<usize> {
        match &self.chosen {
            Chosen::One(position) => vec![*position],
            Chosen::Some(positions) => positions.clone(),
            Chosen::Rest => {
                let is_value = |position: &usize| !self.by.contains(&self.frame.columns[*position].label);
                (0..self.frame.columns.len()).filter(is_value).collect()
            }
        }
    }
}
