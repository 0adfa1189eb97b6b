//! The methods and attributes of columns.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::RowSet;
use super::columns_method::{accessed, spread_of, statistic_of, unknown_method};
use super::gaps::complete_rows;
use super::{Accessor, Axis, Column, Index, Keys, Label, Series, not_linear};
use super::{
    aggregate, axes, column, columns_method, counted, derived, describe, elementwise, figures, frames, gaps,
    groups_method, lookup, masks, more, order, public, publish, replace, reshape, rounding, running, texts, windows,
};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

/// Calls a method of a column.
pub(super) fn series_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let object = || Value::Series(series.clone());
    if let Some(statistic) = statistic_of(method) {
        return counted::series_statistic_with(state, statistic, method, series, arguments);
    }
    if let Some(spread) = spread_of(method) {
        arguments.none(method.name())?;
        return masks::spread(state, spread, series);
    }
    match method {
        Method::Size => counted::count_rows(state, &series.index, RowSet::All(series.len())),
        Method::Shape => {
            let count = counted::count_rows(state, &series.index, RowSet::All(series.len()))?;
            state.tuple(vec![count])
        }
        // What is changed afterwards is another column.
        Method::Copy => {
            columns_method::deep_copy_only(state, arguments)?;
            Ok(Value::Series(Rc::new((**series).clone())))
        }
        Method::AsType => more::as_type(state, series, arguments),
        Method::Any | Method::All => {
            arguments.none(method.name())?;
            let Column::Booleans(values) = &series.column else {
                let message = format!("`.{}()` is of masks here", method.name());
                return Err(Fault::new(Code::TypeMismatch, message));
            };
            let is_true = |value: &bool| *value;
            Ok(Value::Bool(if method == Method::Any { values.iter().any(is_true) } else { values.iter().all(is_true) }))
        }
        Method::Table(TableMethod::Sort) => order::sorted_series(state, series, arguments),
        Method::Table(TableMethod::ResetIndex) => derived::series_without_index(state, series, arguments),
        Method::Table(TableMethod::ToFrame) => {
            let [name] = arguments.bind("to_frame", ["name"], 0, 1)?;
            let frame = derived::frame_of_series(state, series, name.map(|name| name.value))?;
            tables::new_frame(state, frame)
        }
        Method::Table(TableMethod::Map) => texts::mapped(state, series, arguments.one("map")?, false),
        Method::Table(TableMethod::Replace) => replace::replaced(state, series, arguments),
        Method::Table(TableMethod::Ends(start)) => {
            let positions = order::end_positions(state, start, series.len(), arguments)?;
            derived::values_at(state, series, positions)
        }
        Method::Table(TableMethod::Unstack) => reshape::unstacked(state, &object(), arguments),
        Method::Table(TableMethod::Rolling) => windows::rolling(state, series, arguments),
        Method::Table(TableMethod::Where(keeps)) => more::kept_where(state, series, keeps, arguments),
        Method::Table(TableMethod::Operator(operator)) => {
            let [other, fill] = arguments.bind(method.name(), ["other", "fill_value"], 1, 1)?;
            let other = given(other)?.value;
            match fill.map(|fill| fill.value) {
                None | Some(Value::None) => elementwise::binary_columns(state, operator, &object(), other),
                Some(fill) if state.number(fill).is_none() => {
                    Err(Fault::new(Code::TypeMismatch, "`fill_value` is a number here"))
                }
                Some(fill) => {
                    let (left, right, index) = elementwise::matched_sides(state, &object(), other, Some(fill))?;
                    elementwise::combined_rows(state, operator, &left, &right, index)
                }
            }
        }
        Method::Table(TableMethod::Compare(operator)) => {
            let [other] = arguments.bind(method.name(), ["other"], 1, 1)?;
            elementwise::compare_columns(state, operator, &object(), given(other)?.value)
        }
        Method::Table(TableMethod::Rename) => {
            let [name] = arguments.bind("rename", ["index"], 1, 1)?;
            let name = given(name)?.value;
            if let Value::Dict(handle) = name {
                let index = axes::relabelled(state, &series.index, *handle)?;
                return Ok(Value::Series(Rc::new(Series { index, ..(**series).clone() })));
            }
            if frames::label_of(state, name).is_none() {
                return Err(Fault::new(Code::TypeMismatch, "a column is renamed by a string"));
            }
            let name = Some(Rc::from(text::show(state, name)));
            Ok(Value::Series(Rc::new(Series { name, ..(**series).clone() })))
        }
        Method::Table(TableMethod::Iloc) => Ok(accessed(Accessor::Iloc, object())),
        Method::Table(TableMethod::TextAccessor) => Ok(accessed(Accessor::Text, object())),
        Method::Table(TableMethod::DateAccessor) => Ok(accessed(Accessor::Date, object())),
        Method::Table(TableMethod::DatePart(_)) => {
            let name = state.text(method.name().to_owned())?;
            lookup::attribute_column(state, &object(), &name)
        }
        Method::Table(TableMethod::Write) => publish::write_table(state, &object(), arguments),
        Method::Table(TableMethod::Reindex) => order::reindexed(state, series, arguments),
        Method::Table(TableMethod::CrossSection) => {
            let [key, level] = arguments.bind("xs", ["key", "level"], 1, 1)?;
            match level {
                None => lookup::index_table(state, &object(), given(key)?.value),
                Some(level) => lookup::cross_section(state, &object(), given(key)?.value, level.value),
            }
        }
        Method::Table(TableMethod::Extremes { largest }) => {
            let name = if largest { "nlargest" } else { "nsmallest" };
            let [count] = arguments.bind(name, ["n"], 0, 1)?;
            let count = count.map_or(Ok(5), |count| containers::whole(count.value, "the number of rows"))?;
            let positions = order::extreme_rows(state, series, largest, count)?;
            derived::values_at(state, series, positions)
        }
        Method::Table(TableMethod::Squeeze) => {
            arguments.none("squeeze")?;
            if series.len() == 1 { column::cell(state, &series.column, 0) } else { Ok(object()) }
        }
        Method::Table(TableMethod::FirstRow(_)) => Err(unknown_method(method, &object())),
        Method::CumulativeSum => {
            arguments.none("cumsum")?;
            running::running_sum(state, series).map(|sums| Value::Series(Rc::new(sums)))
        }
        Method::Table(TableMethod::Shift) => {
            let periods = running::periods("shift", arguments)?;
            running::shifted(state, series, periods).map(|shifted| Value::Series(Rc::new(shifted)))
        }
        Method::Table(TableMethod::Differences) => {
            let periods = running::periods("diff", arguments)?;
            running::differences_of_rows(state, series, periods).map(|differences| Value::Series(Rc::new(differences)))
        }
        Method::Table(TableMethod::Round) => rounding::rounded_series(state, series, arguments).map(Value::Series),
        Method::Table(TableMethod::WithoutMissing) => {
            arguments.none("dropna")?;
            let rows = Rc::new(complete_rows(&[&series.column], series.len()));
            let (column, index) = (column::gathered(state, &series.column, Some(&rows))?, series.index.picked(&rows));
            Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
        }
        Method::ToList => {
            arguments.none("tolist")?;
            // Equal rows may have been put in another order.
            windows::refuse_unstable_rows(state, &series.index)?;
            let values = column::cells(state, &series.column)?;
            state.list(values)
        }
        Method::Items => {
            arguments.none("items")?;
            let pairs = columns_method::items(state, series)?;
            state.list(pairs)
        }
        Method::Keys | Method::Table(TableMethod::Index) => {
            arguments.none("keys")?;
            windows::refuse_unstable_rows(state, &series.index)?;
            let keys = columns_method::index_values(state, &series.index)?;
            axes::axis(state, keys, Axis { index: series.index.clone(), of: None })
        }
        Method::Table(TableMethod::NameRows) => {
            let index = axes::axis_renamed(state, &series.index, arguments)?;
            Ok(Value::Series(Rc::new(Series { index, ..(**series).clone() })))
        }
        Method::Table(TableMethod::SwapLevels | TableMethod::WithoutLevel) => {
            let index = axes::releveled(state, method, &series.index, arguments)?;
            Ok(Value::Series(Rc::new(Series { index, ..(**series).clone() })))
        }
        Method::Get => {
            let [key, default] = arguments.bind("get", ["key", "default"], 1, 2)?;
            let found = lookup::index_table(state, &object(), given(key)?.value);
            match (found, default) {
                (Err(fault), default) if fault.code == Code::MissingKey => {
                    Ok(default.map_or(Value::None, |default| default.value.clone()))
                }
                (found, _) => found,
            }
        }
        Method::Dot => {
            let other = arguments.one("dot")?;
            aggregate::dot_columns(state, &object(), other)
        }
        Method::Table(TableMethod::ToDict) => {
            arguments.none("to_dict")?;
            let entries = columns_method::items(state, series)?;
            columns_method::dict_of_pairs(state, entries)
        }
        Method::Table(TableMethod::WithoutIndex) => {
            windows::refuse_unstable_rows(state, &series.index)?;
            let [kind, _] = arguments.bind("to_numpy", ["dtype", "copy"], 0, 1)?;
            let series = match kind.filter(|kind| !matches!(kind.value, Value::None)) {
                None => series.clone(),
                Some(kind) => match more::series_as(state, series, kind.value)? {
                    Value::Series(made) => made,
                    other => return Ok(other),
                },
            };
            let index = Index::Positions(series.len());
            Ok(Value::Series(Rc::new(Series { name: None, column: series.column.clone(), index })))
        }
        Method::Table(TableMethod::IsIn) => masks::is_in(state, series, arguments.one("isin")?),
        Method::Table(TableMethod::Between) => {
            let [left, right, inclusive] = arguments.bind("between", ["left", "right", "inclusive"], 2, 3)?;
            let inclusive = inclusive.map_or("both".to_owned(), |inclusive| text::show(state, inclusive.value));
            masks::between(state, series, (given(left)?.value, given(right)?.value), &inclusive)
        }
        Method::Table(TableMethod::Unique) => {
            arguments.none("unique")?;
            let values = masks::unique(state, series)?;
            let index = Index::Positions(values.len());
            axes::axis(state, values, Axis { index, of: None })
        }
        Method::Table(TableMethod::UniqueCount) => {
            let [drops] = arguments.bind("nunique", ["dropna"], 0, 1)?;
            let drops_gaps = derived::flag(state, drops, true)?;
            let values = masks::unique(state, series)?;
            let count = values.iter().filter(|value| !drops_gaps || !matches!(value, Value::Missing)).count();
            counted::count_distinct(state, count, &series.index)
        }
        Method::Table(TableMethod::IsMissing(wanted)) => {
            arguments.none(method.name())?;
            Ok(Value::Series(Rc::new(gaps::missing_mask(state, series, wanted)?)))
        }
        Method::Table(TableMethod::FillMissing) => {
            let value = arguments.one("fillna")?;
            Ok(Value::Series(Rc::new(gaps::gaps_filled(state, series, value)?)))
        }
        Method::Table(TableMethod::FillFrom { forward }) => {
            arguments.none(method.name())?;
            Ok(Value::Series(Rc::new(gaps::gaps_filled_from(state, series, forward)?)))
        }
        Method::Table(TableMethod::ValueCounts) => more::counts_of_values(state, series, arguments),
        Method::Table(TableMethod::GroupBy) => groups_method::group_series(state, series, arguments),
        Method::Table(TableMethod::Aggregate) => {
            let figures = arguments.one("agg")?;
            if let Value::List(_) = figures {
                let names = containers::elements(state, figures)?;
                let mut values = Vec::new();
                for name in &names {
                    let figure = figures::figure_named(state, name)?;
                    values.push(figures::figure_of(state, figure, series)?);
                }
                let labels = names.iter().map(|name| vec![Label::text(&text::show(state, name))]).collect();
                let (column, index) = (column::column_of(state, values)?, Index::Keys(Keys::new(labels, true)));
                return Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })));
            }
            let figure = figures::figure_named(state, figures)?;
            figures::figure_of(state, figure, series)
        }
        Method::Table(TableMethod::ByIndex) => {
            let order = order::index_order(state, &series.index, arguments)?;
            derived::values_at(state, series, order)
        }
        Method::Table(TableMethod::Loc) => Ok(accessed(Accessor::Loc, object())),
        Method::Table(TableMethod::Empty) => Ok(Value::Bool(series.len() == 0)),
        Method::Table(TableMethod::NotLinear("describe")) => describe::described(state, series, arguments),
        Method::Table(TableMethod::NotLinear(name)) if series.column.is_secret() => Err(not_linear(name)),
        Method::Table(TableMethod::NotLinear(name)) => match public::public_method(state, name, series, arguments)? {
            Some(found) => Ok(found),
            None => Err(unknown_method(method, &object())),
        },
        other => Err(unknown_method(other, &object())),
    }
}
