//! The methods and attributes of tables.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::callbacks::positional;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::RowSet;
use super::columns_method::{accessed, is_no_number, spread_of, statistic_of, unknown_method};
use super::figures::Figured;
use super::{Accessor, Axis, Column, Frame, Index, Label, Series, not_linear};
use super::{
    axes, columns_method, counted, crosswise, derived, describe, dicts, figures, frames, gaps, groups_method, joined,
    lookup, masks, merge, more, order, pivot, publish, replace, reshape, rounding, running, windows,
};
use crate::evaluate::{containers, ndarray, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

/// Calls a method of a table.
pub(super) fn frame_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    if method == Method::Table(TableMethod::WithoutIndex) {
        let [kind, _] = arguments.bind("to_numpy", ["dtype", "copy"], 0, 1)?;
        windows::refuse_unstable_rows(state, &frame.index)?;
        let made = match kind.filter(|kind| !matches!(kind.value, Value::None)) {
            None => object.clone(),
            Some(kind) => {
                let kind = Arguments { shape: &positional(1), values: std::slice::from_ref(kind.value) };
                more::frame_as_type(state, frame, &kind)?
            }
        };
        let array = ndarray::create::copied_array(state, &made, None)?;
        return ndarray::create::view(state, array);
    }
    if let Some(statistic) = statistic_of(method) {
        if let Some(sums) = more::along_rows(state, statistic, method, frame, arguments)? {
            return Ok(sums);
        }
        let frame = &columns_method::number_columns(method, frame, arguments)?;
        return columns_method::column_by_column(state, frame, |state, series| {
            counted::series_statistic(state, statistic, series)
        });
    }
    if let Some(spread) = spread_of(method) {
        let [_, axis, skips] = arguments.bind(method.name(), ["numeric_only", "axis", "skipna"], 0, 0)?;
        derived::required_option(state, "skipna", skips, true)?;
        if axis.is_some_and(|axis| !matches!(axis.value, Value::Int(0))) {
            let hint = "apply a function to the rows: `p.apply(lambda row: min(row.a, row.b), axis=1)`";
            let message = format!("`.{}()` along the rows", method.name());
            return Err(Fault::hinted(Code::BadArgument, message, hint));
        }
        let frame = &columns_method::number_columns(method, frame, arguments)?;
        return columns_method::column_by_column(state, frame, |state, series| masks::spread(state, spread, series));
    }
    match method {
        Method::Size => Ok(Value::Int((frame.len() * frame.columns.len()) as i64)),
        Method::Shape => {
            let count = counted::count_rows(state, &frame.index, RowSet::All(frame.len()))?;
            state.tuple(vec![count, Value::Int(frame.columns.len() as i64)])
        }
        Method::Copy => {
            columns_method::deep_copy_only(state, arguments)?;
            tables::new_frame(state, frame.clone())
        }
        Method::Insert => {
            let [place, name, value] = arguments.bind("insert", ["loc", "column", "value"], 3, 3)?;
            let (place, name) = (containers::whole(given(place)?.value, "a position")?, given(name)?.value);
            let count = frame.columns.len();
            let place = usize::try_from(place).ok().filter(|place| *place <= count);
            let (Some(place), Value::Frame(handle)) = (place, object) else {
                return Err(Fault::new(Code::IndexOutOfRange, format!("a column is put among {count} others")));
            };
            frames::set_column(state, *handle, name, given(value)?.value)?;
            let columns = &mut state.heap.frames[*handle as usize].columns;
            if columns.len() == count {
                return Err(Fault::new(Code::BadArgument, "the table has a column of this name already"));
            }
            columns[place..].rotate_right(1);
            Ok(Value::None)
        }
        Method::Pop => {
            let Some(label) = frames::key_labels(state, arguments.one("pop")?) else {
                return Err(Fault::new(Code::TypeMismatch, "a column is taken out by its name"));
            };
            let position = frames::column_position(frame, &label)?;
            let column = frames::frame_column(state, frame, position)?;
            if let Value::Frame(handle) = object {
                state.heap.frames[*handle as usize].columns.remove(position);
            }
            Ok(Value::Series(column))
        }
        Method::Transposed => reshape::turned(state, frame),
        Method::AsType => more::frame_as_type(state, frame, arguments),
        Method::Table(TableMethod::Sort) => order::sorted_frame(state, frame, arguments),
        Method::Table(TableMethod::ByIndex) => {
            if order::by_columns(state, arguments)? {
                return order::columns_in_order(state, frame, arguments);
            }
            let order = order::index_order(state, &frame.index, arguments)?;
            derived::rows_at(state, frame, order)
        }
        Method::Table(TableMethod::ResetIndex) => derived::without_index(state, frame, arguments),
        Method::Table(TableMethod::SetIndex) => derived::with_index(state, frame, arguments),
        Method::Table(TableMethod::Merge) => {
            let other = arguments.values.first().cloned().unwrap_or(Value::None);
            merge::merge(state, object, &other, arguments, 1)
        }
        Method::Table(TableMethod::Join) => merge::joined_tables(state, object, arguments),
        Method::Table(TableMethod::Melt) => reshape::melted(state, frame, arguments),
        Method::Table(TableMethod::Pivot) => reshape::pivoted(state, frame, arguments),
        Method::Table(TableMethod::Stack) => reshape::stacked(state, frame, arguments),
        Method::Table(TableMethod::Unstack) => reshape::unstacked(state, object, arguments),
        Method::Table(TableMethod::Ends(start)) => {
            let positions = order::end_positions(state, start, frame.len(), arguments)?;
            derived::rows_at(state, frame, positions)
        }
        Method::Table(TableMethod::WithoutDuplicates) => {
            let repeated = derived::repeated_rows(state, "drop_duplicates", frame, arguments)?;
            let kept = (0..frame.len() as u32).filter(|row| !repeated[*row as usize]).collect();
            derived::rows_at(state, frame, kept)
        }
        Method::Table(TableMethod::Duplicated) => {
            let repeated = derived::repeated_rows(state, "duplicated", frame, arguments)?;
            let column = Column::Booleans(std::sync::Arc::new(repeated));
            Ok(Value::Series(Rc::new(Series { name: None, column, index: frame.index.clone() })))
        }
        Method::Table(TableMethod::FilterGroups) => {
            let [items] = arguments.bind("filter", ["items"], 1, 1)?;
            let names = derived::names(state, given(items)?.value)?;
            let mut chosen = frame.clone();
            chosen.columns = names
                .iter()
                .filter_map(|name| frame.position(name))
                .map(|position| frame.columns[position].clone())
                .collect();
            tables::new_frame(state, chosen)
        }
        Method::Table(TableMethod::Rows | TableMethod::RowTuples) => more::row_items(state, method, frame, arguments),
        Method::Table(TableMethod::AddPrefix { before }) => {
            let affix = text::show(state, arguments.one("affix")?);
            let mut renamed = frame.clone();
            for column in &mut renamed.columns {
                let name = super::label_text(&column.label);
                column.label =
                    vec![Label::text(&if before { format!("{affix}{name}") } else { format!("{name}{affix}") })];
            }
            tables::new_frame(state, renamed)
        }
        Method::Table(TableMethod::Replace) => replace::replaced_in_frame(state, frame, arguments),
        Method::Table(TableMethod::CrossSection) => lookup::frame_cross_section(state, object, frame, arguments),
        Method::Table(TableMethod::Iloc) => Ok(accessed(Accessor::Iloc, object.clone())),
        Method::Table(TableMethod::Where(keeps)) => more::frame_where(state, frame, keeps, arguments),
        Method::Table(TableMethod::DatePart(_)) => {
            let name = state.text(method.name().to_owned())?;
            lookup::attribute_column(state, object, &name)
        }
        Method::Table(TableMethod::Write) => publish::write_table(state, object, arguments),
        Method::Table(TableMethod::Squeeze) => {
            arguments.none("squeeze")?;
            order::squeezed(state, frame)
        }
        Method::Table(TableMethod::OfType) => {
            let [kind] = arguments.bind("select_dtypes", ["include"], 1, 1)?;
            let wanted = text::show(state, given(kind)?.value);
            let is_wanted: fn(&Column<S>) -> bool = match wanted.as_str() {
                "number" => |column| !is_no_number(column) && !matches!(column, Column::Booleans(_)),
                "bool" => |column| matches!(column, Column::Booleans(_)),
                "object" | "str" | "string" => {
                    |column| matches!(column, Column::Texts { words: super::Words::Plain, .. })
                }
                "category" => |column| {
                    matches!(column, Column::Texts { words: super::Words::Categories | super::Words::Intervals, .. })
                },
                other => {
                    let hint = "\"number\", \"bool\", \"object\" and \"category\" are known";
                    let message = format!("columns of the type \"{other}\" are selected");
                    return Err(Fault::hinted(Code::BadArgument, message, hint));
                }
            };
            let mut chosen = frame.clone();
            chosen.columns.retain(|column| is_wanted(&column.column));
            tables::new_frame(state, chosen)
        }
        Method::Table(TableMethod::Extremes { largest }) => {
            let name = if largest { "nlargest" } else { "nsmallest" };
            let [count, by] = arguments.bind(name, ["n", "columns"], 2, 2)?;
            let count = containers::whole(given(count)?.value, "the number of rows")?;
            let Some(label) = frames::label_of(state, given(by)?.value) else {
                return Err(Fault::hinted(Code::BadArgument, "rows are chosen by one column here", "name one"));
            };
            let position = frames::column_position(frame, &[label])?;
            let series = frames::frame_column(state, frame, position)?;
            let positions = order::extreme_rows(state, &series, largest, count)?;
            derived::rows_at(state, frame, positions)
        }
        Method::Table(TableMethod::Operator(operator)) => {
            let [other, axis] = arguments.bind(method.name(), ["other", "axis"], 1, 2)?;
            let other = given(other)?.value;
            let by_rows = match axis.map(|axis| axis.value) {
                None | Some(Value::Int(1)) => false,
                Some(Value::Int(0)) => true,
                Some(axis) => match text::show(state, axis).as_str() {
                    "columns" => false,
                    "index" | "rows" => true,
                    shown => return Err(Fault::new(Code::BadArgument, format!("there is no axis {shown}"))),
                },
            };
            match other {
                Value::Series(_) if by_rows => crosswise::beside_rows(state, operator, frame, other),
                _ => crosswise::frame_arithmetic(state, operator, object, other),
            }
        }
        Method::Table(TableMethod::UniqueCount) => {
            arguments.none("nunique")?;
            columns_method::column_by_column(state, frame, |state, series| {
                figures::figure_of(state, Figured::Distinct, series)
            })
        }
        Method::CumulativeSum => {
            arguments.none("cumsum")?;
            gaps::each_column(state, frame, |state, series| running::running_sum(state, series))
        }
        Method::Table(TableMethod::ToDict) => dicts::frame_to_dict(state, frame, arguments),
        Method::Table(TableMethod::Round) => rounding::rounded_frame(state, frame, arguments),
        Method::Table(TableMethod::Rename) => joined::renamed(state, frame, arguments),
        Method::Table(TableMethod::WithoutColumns) => joined::without_columns(state, frame, arguments),
        Method::Table(TableMethod::WithoutMissing) => gaps::without_missing(state, frame, arguments),
        Method::Table(TableMethod::IsMissing(wanted)) => {
            arguments.none(method.name())?;
            gaps::each_column(state, frame, |state, series| gaps::missing_mask(state, series, wanted))
        }
        Method::Table(TableMethod::FillMissing) => {
            let value = arguments.one("fillna")?;
            if let Value::Dict(handle) = value {
                return gaps::gaps_filled_by_name(state, frame, *handle);
            }
            gaps::each_column(state, frame, |state, series| gaps::gaps_filled(state, series, value))
        }
        Method::Table(TableMethod::FillFrom { forward }) => {
            arguments.none(method.name())?;
            gaps::each_column(state, frame, |state, series| gaps::gaps_filled_from(state, series, forward))
        }
        Method::Items => {
            let mut pairs = Vec::new();
            for position in 0..frame.columns.len() {
                let name = frames::key_value(state, &frame.columns[position].label, true)?;
                let series = frames::frame_column(state, frame, position)?;
                pairs.push(state.tuple(vec![name, Value::Series(series)])?);
            }
            state.list(pairs)
        }
        Method::Keys | Method::Table(TableMethod::Columns) => {
            arguments.none("keys")?;
            let names = columns_method::column_names(state, frame)?;
            let of = if let Value::Frame(handle) = object { Some((*handle, false)) } else { None };
            let index = Index::Positions(names.len());
            axes::axis(state, names, Axis { index, of })
        }
        Method::Table(TableMethod::Index) => {
            windows::refuse_unstable_rows(state, &frame.index)?;
            let keys = columns_method::index_values(state, &frame.index)?;
            let of = if let Value::Frame(handle) = object { Some((*handle, true)) } else { None };
            axes::axis(state, keys, Axis { index: frame.index.clone(), of })
        }
        Method::Table(TableMethod::WithoutLevel)
            if arguments.shape.keywords.iter().any(|keyword| keyword == "axis") =>
        {
            let [level, axis] = arguments.bind("droplevel", ["level", "axis"], 1, 2)?;
            match axis.map(|axis| axis.value) {
                Some(Value::Int(1)) => axes::columns_releveled(state, frame, given(level)?.value),
                Some(axis) if text::show(state, axis) == "columns" => {
                    axes::columns_releveled(state, frame, given(level)?.value)
                }
                _ => Err(Fault::new(Code::BadArgument, "`axis` is 1 here, or left out")),
            }
        }
        // Of columns it is written in the language.
        Method::Table(TableMethod::SwapLevels) if arguments.shape.keywords.iter().any(|keyword| keyword == "axis") => {
            let hint = "swap the levels of the rows, and turn the table: `.T.swaplevel().T`";
            Err(Fault::hinted(Code::WrongArguments, "levels of columns change places", hint))
        }
        Method::Table(TableMethod::SwapLevels | TableMethod::WithoutLevel) => {
            let index = axes::releveled(state, method, &frame.index, arguments)?;
            tables::new_frame(state, Frame { index, columns: frame.columns.clone() })
        }
        Method::Table(TableMethod::NameRows) => {
            let index = axes::axis_renamed(state, &frame.index, arguments)?;
            tables::new_frame(state, Frame { index, columns: frame.columns.clone() })
        }
        Method::Table(TableMethod::Loc) => Ok(accessed(Accessor::Loc, object.clone())),
        Method::Table(TableMethod::Empty) => Ok(Value::Bool(frame.len() == 0 || frame.columns.is_empty())),
        Method::Table(TableMethod::GroupBy) => groups_method::group_frame(state, frame, arguments),
        Method::Table(TableMethod::PivotTable) => pivot::pivot_table(state, Some(object), arguments),
        Method::Table(TableMethod::Assign) => {
            if arguments.shape.positional > 0 {
                let hint = "name the new columns: `p.assign(x=...)`";
                return Err(Fault::hinted(Code::WrongArguments, "`assign` takes no positional argument", hint));
            }
            let mut changed = frame.clone();
            for (name, value) in arguments.shape.keywords.iter().zip(arguments.values) {
                let name = state.text(name.clone())?;
                changed = frames::with_column(state, changed, &name, value)?;
            }
            tables::new_frame(state, changed)
        }
        Method::Table(TableMethod::Aggregate) => {
            let figures = arguments.one("agg")?;
            if let Value::Dict(handle) = figures {
                return more::figures_by_column(state, frame, *handle);
            }
            if let Value::List(_) = figures {
                return more::figures_by_row(state, frame, figures);
            }
            let figure = figures::figure_named(state, figures)?;
            columns_method::column_by_column(state, frame, |state, series| figures::figure_of(state, figure, series))
        }
        Method::Table(TableMethod::NotLinear("describe")) => describe::described_frame(state, frame, arguments),
        Method::Table(TableMethod::NotLinear(name)) if frame.columns.iter().any(|column| column.column.is_secret()) => {
            Err(not_linear(name))
        }
        other => Err(unknown_method(other, object)),
    }
}
