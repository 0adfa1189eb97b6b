//! Figures by their names: what `agg` makes of columns and groups.

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::Statistic;
use super::grouping::{GroupBy, Members};
use super::masks::Spread;
use super::{FrameColumn, Index, Label, Series, not_linear};
use super::{column, counted, frames, masks, order};
use crate::evaluate::text;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A figure of a column.
#[derive(Debug, Clone, Copy)]
pub(super) enum Figured {
    Statistic(Statistic),
    /// Of public columns only.
    Spread(Spread),
    /// `nunique`, of public columns only.
    Distinct,
    /// `first` (true) or `last`
    End(bool),
}

impl Figured {
    fn named(name: &str) -> Option<Figured> {
        Some(match name {
            "min" => Figured::Spread(Spread::Minimum),
            "max" => Figured::Spread(Spread::Maximum),
            "std" => Figured::Spread(Spread::StandardDeviation),
            "var" => Figured::Spread(Spread::Variance),
            "median" => Figured::Spread(Spread::Median),
            "nunique" => Figured::Distinct,
            "first" => Figured::End(true),
            "last" => Figured::End(false),
            other => return Statistic::named(other).map(Figured::Statistic),
        })
    }
}

/// The figure that a name stands for.
pub(super) fn figure_named<S: Scalar>(state: &State<S>, value: &Value<S>) -> Outcome<Figured> {
    const OTHERS: &[&str] = &["quantile", "sem", "skew", "prod", "mode", "describe", "mad", "idxmax", "idxmin"];
    let name = text::show(state, value);
    if let (Value::Text(_), Some(figure)) = (value, Figured::named(&name)) {
        return Ok(figure);
    }
    if matches!(value, Value::Tuple(_)) {
        let message = "a figure and its name are aggregated";
        return Err(Fault::hinted(Code::WrongArguments, message, "name it: `agg(total=(\"income\", \"sum\"))`"));
    }
    if OTHERS.contains(&name.as_str()) {
        return Err(not_linear(&name));
    }
    let hint = "the figures are \"mean\", \"sum\", \"count\" and \"size\"; of public columns also \"min\", \"max\", \
                    \"std\", \"var\", \"median\" and \"nunique\"";
    Err(Fault::hinted(Code::BadArgument, format!("a figure cannot be {name} here"), hint))
}

/// A figure of each group of a column's rows.
pub(super) fn figures_of_groups<S: Scalar>(
    state: &mut State<S>,
    figure: Figured,
    series: &Series<S>,
    members: &Members,
) -> Outcome<Vec<Value<S>>> {
    match figure {
        Figured::Statistic(statistic) => counted::series_group_statistics(state, statistic, series, members),
        Figured::Spread(_) | Figured::Distinct | Figured::End(_) => {
            let mut values = Vec::with_capacity(members.count());
            for group in 0..members.count() {
                let rows = Rc::new(members.rows(group).to_vec());
                if let Figured::End(first) = figure {
                    values.push(order::end_of_rows(state, series, &rows, first)?);
                    continue;
                }
                let (column, index) =
                    (column::gathered(state, &series.column, Some(&rows))?, series.index.picked(&rows));
                let part = Rc::new(Series { name: series.name.clone(), column, index });
                values.push(figure_of(state, figure, &part)?);
            }
            Ok(values)
        }
    }
}

/// A figure of all rows of a column.
pub(super) fn figure_of<S: Scalar>(state: &mut State<S>, figure: Figured, series: &Rc<Series<S>>) -> Outcome<Value<S>> {
    match figure {
        Figured::Statistic(statistic) => counted::series_statistic(state, statistic, series),
        Figured::Spread(spread) => masks::spread(state, spread, series),
        Figured::Distinct => {
            let values = masks::unique(state, series)?;
            let count = values.iter().filter(|value| !matches!(value, Value::Missing)).count();
            counted::count_distinct(state, count, &series.index)
        }
        Figured::End(first) => {
            let rows: Vec<u32> = (0..series.len() as u32).collect();
            order::end_of_rows(state, series, &rows, first)
        }
    }
}

/// A column of a grouping's figures: by a name, or as a function has computed them.
pub(super) fn group_figure<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    position: usize,
    figure: &Value<S>,
) -> Outcome<(Vec<Label>, FrameColumn<S>)> {
    let label = groups.frame.columns[position].label.clone();
    let column = match figure {
        Value::Series(computed) if is_computed(computed, groups) => computed.column.clone(),
        named => {
            let figure = figure_named(state, named)?;
            let series = frames::frame_column(state, &groups.frame, position)?;
            let values = figures_of_groups(state, figure, &series, groups.grouped.members())?;
            column::column_of(state, values)?
        }
    };
    Ok((label.clone(), FrameColumn { label, column, rows: None }))
}

/// What a figure is called.
pub(super) fn figure_label<S: Scalar>(state: &State<S>, figure: &Value<S>) -> Label {
    match figure {
        Value::Series(computed) => Label::text(computed.name.as_deref().unwrap_or_default().trim_start_matches('\0')),
        named => Label::text(&text::show(state, named)),
    }
}

/// Whether a column is what a function made of each group; a script cannot give a column such a name.
fn is_computed<S: Scalar>(series: &Series<S>, groups: &GroupBy<S>) -> bool {
    let is_marked = series.name.as_deref().is_some_and(|name| name.starts_with('\0'));
    is_marked && matches!(&series.index, Index::Keys(keys) if Rc::ptr_eq(keys, &groups.grouped.keys))
}
