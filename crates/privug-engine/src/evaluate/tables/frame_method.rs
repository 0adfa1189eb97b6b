//! The methods and attributes of tables.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::RowSet;
use super::columns_method::{accessed, is_no_number, spread_of, statistic_of, unknown_method};
use super::figures::Figured;
use super::{Accessor, Axis, Column, Frame, Index, Label, Series, not_linear};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

impl<S: Scalar> State<S> {
    /// Calls a method of a table.
    pub(super) fn frame_method(
        &mut self,
        method: Method,
        object: &Value<S>,
        frame: &Frame<S>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        if method == Method::Table(TableMethod::WithoutIndex) {
            arguments.none("to_numpy")?;
            self.refuse_unstable_rows(&frame.index)?;
            let array = self.copied_array(object, None)?;
            return self.view(array);
        }
        if let Some(statistic) = statistic_of(method) {
            if let Some(sums) = self.along_rows(statistic, method, frame, arguments)? {
                return Ok(sums);
            }
            let frame = &self.number_columns(method, frame, arguments)?;
            return self.column_by_column(frame, |state, series| state.series_statistic(statistic, series));
        }
        if let Some(spread) = spread_of(method) {
            let [_, axis, skips] = arguments.bind(method.name(), ["numeric_only", "axis", "skipna"], 0, 0)?;
            self.required_option("skipna", skips, true)?;
            if axis.is_some_and(|axis| !matches!(axis.value, Value::Int(0))) {
                let hint = "go through the rows: `p.apply(lambda row: min(row.a, row.b), axis=1)`";
                let message = format!("`.{}()` along the rows", method.name());
                return Err(Fault::hinted(Code::BadArgument, message, hint));
            }
            let frame = &self.number_columns(method, frame, arguments)?;
            return self.column_by_column(frame, |state, series| state.spread(spread, series));
        }
        match method {
            Method::Size => Ok(Value::Int((frame.len() * frame.columns.len()) as i64)),
            Method::Shape => {
                let count = self.count_rows(&frame.index, RowSet::All(frame.len()))?;
                self.tuple(vec![count, Value::Int(frame.columns.len() as i64)])
            }
            Method::Copy => {
                self.deep_copy_only(arguments)?;
                self.new_frame(frame.clone())
            }
            Method::Insert => {
                let [place, name, value] = arguments.bind("insert", ["loc", "column", "value"], 3, 3)?;
                let (place, name) = (self.whole(given(place)?.value, "a position")?, given(name)?.value);
                let count = frame.columns.len();
                let place = usize::try_from(place).ok().filter(|place| *place <= count);
                let (Some(place), Value::Frame(handle)) = (place, object) else {
                    return Err(Fault::new(Code::IndexOutOfRange, format!("a column is put among {count} others")));
                };
                self.set_column(*handle, name, given(value)?.value)?;
                let columns = &mut self.heap.frames[*handle as usize].columns;
                if columns.len() == count {
                    return Err(Fault::new(Code::BadArgument, "the table has a column of this name already"));
                }
                columns[place..].rotate_right(1);
                Ok(Value::None)
            }
            Method::Transposed => self.turned(frame),
            Method::AsType => self.frame_as_type(frame, arguments),
            Method::Table(TableMethod::Sort) => self.sorted_frame(frame, arguments),
            Method::Table(TableMethod::ByIndex) => {
                let order = self.index_order(&frame.index, arguments)?;
                self.rows_at(frame, order)
            }
            Method::Table(TableMethod::ResetIndex) => self.without_index(frame, arguments),
            Method::Table(TableMethod::SetIndex) => self.with_index(frame, arguments),
            Method::Table(TableMethod::Merge) => {
                let other = arguments.values.first().cloned().unwrap_or(Value::None);
                self.merge(object, &other, arguments, 1)
            }
            Method::Table(TableMethod::Join) => self.joined_tables(object, arguments),
            Method::Table(TableMethod::Melt) => self.melted(frame, arguments),
            Method::Table(TableMethod::Pivot) => self.pivoted(frame, arguments),
            Method::Table(TableMethod::Stack) => self.stacked(frame, arguments),
            Method::Table(TableMethod::Unstack) => self.unstacked(object, arguments),
            Method::Table(TableMethod::Ends(start)) => {
                let positions = self.end_positions(start, frame.len(), arguments)?;
                self.rows_at(frame, positions)
            }
            Method::Table(TableMethod::WithoutDuplicates) => {
                let repeated = self.repeated_rows("drop_duplicates", frame, arguments)?;
                let kept = (0..frame.len() as u32).filter(|row| !repeated[*row as usize]).collect();
                self.rows_at(frame, kept)
            }
            Method::Table(TableMethod::Duplicated) => {
                let repeated = self.repeated_rows("duplicated", frame, arguments)?;
                let column = Column::Booleans(std::sync::Arc::new(repeated));
                Ok(Value::Series(Rc::new(Series { name: None, column, index: frame.index.clone() })))
            }
            Method::Table(TableMethod::FilterGroups) => {
                let [items] = arguments.bind("filter", ["items"], 1, 1)?;
                let names = self.names(given(items)?.value)?;
                let mut chosen = frame.clone();
                chosen.columns = names
                    .iter()
                    .filter_map(|name| frame.position(name))
                    .map(|position| frame.columns[position].clone())
                    .collect();
                self.new_frame(chosen)
            }
            Method::Table(TableMethod::Rows | TableMethod::RowTuples) => self.row_items(method, frame, arguments),
            Method::Table(TableMethod::AddPrefix { before }) => {
                let affix = self.show(arguments.one("affix")?);
                let mut renamed = frame.clone();
                for column in &mut renamed.columns {
                    let name = super::label_text(&column.label);
                    column.label =
                        vec![Label::text(&if before { format!("{affix}{name}") } else { format!("{name}{affix}") })];
                }
                self.new_frame(renamed)
            }
            Method::Table(TableMethod::Replace) => {
                self.each_column(frame, |state, series| match state.replaced(series, arguments)? {
                    Value::Series(series) => Ok((*series).clone()),
                    _ => Ok((**series).clone()),
                })
            }
            Method::Table(TableMethod::Iloc) => Ok(accessed(Accessor::Iloc, object.clone())),
            Method::Table(TableMethod::Where(keeps)) => self.frame_where(frame, keeps, arguments),
            Method::Table(TableMethod::DatePart(_)) => {
                let name = self.text(method.name().to_owned())?;
                self.attribute_column(object, &name)
            }
            Method::Table(TableMethod::Write) => self.write_table(object, arguments),
            Method::Table(TableMethod::Squeeze) => {
                arguments.none("squeeze")?;
                self.squeezed(frame)
            }
            Method::Table(TableMethod::OfType) => {
                let [kind] = arguments.bind("select_dtypes", ["include"], 1, 1)?;
                let wanted = self.show(given(kind)?.value);
                let is_wanted: fn(&Column<S>) -> bool = match wanted.as_str() {
                    "number" => |column| !is_no_number(column) && !matches!(column, Column::Booleans(_)),
                    "bool" => |column| matches!(column, Column::Booleans(_)),
                    "object" | "str" | "string" => {
                        |column| matches!(column, Column::Texts { words: super::Words::Plain, .. })
                    }
                    "category" => |column| {
                        matches!(
                            column,
                            Column::Texts { words: super::Words::Categories | super::Words::Intervals, .. }
                        )
                    },
                    other => {
                        let hint = "\"number\", \"bool\", \"object\" and \"category\" are known";
                        let message = format!("columns of the type \"{other}\" are selected");
                        return Err(Fault::hinted(Code::BadArgument, message, hint));
                    }
                };
                let mut chosen = frame.clone();
                chosen.columns.retain(|column| is_wanted(&column.column));
                self.new_frame(chosen)
            }
            Method::Table(TableMethod::Extremes { largest }) => {
                let name = if largest { "nlargest" } else { "nsmallest" };
                let [count, by] = arguments.bind(name, ["n", "columns"], 2, 2)?;
                let count = self.whole(given(count)?.value, "the number of rows")?;
                let Some(label) = self.label_of(given(by)?.value) else {
                    return Err(Fault::hinted(Code::BadArgument, "rows are chosen by one column here", "name one"));
                };
                let position = self.column_position(frame, &[label])?;
                let series = self.frame_column(frame, position)?;
                let positions = self.extreme_rows(&series, largest, count)?;
                self.rows_at(frame, positions)
            }
            Method::Table(TableMethod::Operator(operator)) => {
                let [other, axis] = arguments.bind(method.name(), ["other", "axis"], 1, 2)?;
                let other = given(other)?.value;
                let by_rows = match axis.map(|axis| axis.value) {
                    None | Some(Value::Int(1)) => false,
                    Some(Value::Int(0)) => true,
                    Some(axis) => match self.show(axis).as_str() {
                        "columns" => false,
                        "index" | "rows" => true,
                        shown => return Err(Fault::new(Code::BadArgument, format!("there is no axis {shown}"))),
                    },
                };
                match other {
                    Value::Series(_) if by_rows => self.beside_rows(operator, frame, other),
                    _ => self.frame_arithmetic(operator, object, other),
                }
            }
            Method::Table(TableMethod::UniqueCount) => {
                arguments.none("nunique")?;
                self.column_by_column(frame, |state, series| state.figure_of(Figured::Distinct, series))
            }
            Method::CumulativeSum => {
                arguments.none("cumsum")?;
                self.each_column(frame, |state, series| state.running_sum(series))
            }
            Method::Table(TableMethod::ToDict) => self.frame_to_dict(frame, arguments),
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
                if let Value::Dict(handle) = value {
                    return self.gaps_filled_by_name(frame, *handle);
                }
                self.each_column(frame, |state, series| state.gaps_filled(series, value))
            }
            Method::Table(TableMethod::FillFrom { forward }) => {
                arguments.none(method.name())?;
                self.each_column(frame, |state, series| state.gaps_filled_from(series, forward))
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
                arguments.none("keys")?;
                let names = self.column_names(frame)?;
                let of = if let Value::Frame(handle) = object { Some((*handle, false)) } else { None };
                let index = Index::Positions(names.len());
                self.axis(names, Axis { index, of })
            }
            Method::Table(TableMethod::Index) => {
                self.refuse_unstable_rows(&frame.index)?;
                let keys = self.index_values(&frame.index)?;
                let of = if let Value::Frame(handle) = object { Some((*handle, true)) } else { None };
                self.axis(keys, Axis { index: frame.index.clone(), of })
            }
            Method::Table(TableMethod::WithoutLevel)
                if arguments.shape.keywords.iter().any(|keyword| keyword == "axis") =>
            {
                let [level, axis] = arguments.bind("droplevel", ["level", "axis"], 1, 2)?;
                match axis.map(|axis| axis.value) {
                    Some(Value::Int(1)) => self.columns_releveled(frame, given(level)?.value),
                    Some(axis) if self.show(axis) == "columns" => self.columns_releveled(frame, given(level)?.value),
                    _ => Err(Fault::new(Code::BadArgument, "`axis` is 1 here, or left out")),
                }
            }
            Method::Table(TableMethod::SwapLevels | TableMethod::WithoutLevel) => {
                let index = self.releveled(method, &frame.index, arguments)?;
                self.new_frame(Frame { index, columns: frame.columns.clone() })
            }
            Method::Table(TableMethod::NameRows) => {
                let index = self.axis_renamed(&frame.index, arguments)?;
                self.new_frame(Frame { index, columns: frame.columns.clone() })
            }
            Method::Table(TableMethod::Loc) => Ok(accessed(Accessor::Loc, object.clone())),
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
                let figures = arguments.one("agg")?;
                if let Value::Dict(handle) = figures {
                    return self.figures_by_column(frame, *handle);
                }
                if let Value::List(_) = figures {
                    return self.figures_by_row(frame, figures);
                }
                let figure = self.figure_named(figures)?;
                self.column_by_column(frame, |state, series| state.figure_of(figure, series))
            }
            Method::Table(TableMethod::NotLinear("describe")) => self.described_frame(frame, arguments),
            Method::Table(TableMethod::NotLinear(name))
                if frame.columns.iter().any(|column| column.column.is_secret()) =>
            {
                Err(not_linear(name))
            }
            other => Err(unknown_method(other, object)),
        }
    }
}
