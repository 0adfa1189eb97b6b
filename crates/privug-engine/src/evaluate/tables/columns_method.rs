//! Methods and attributes of columns and frames.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::{RowSet, Statistic};
use super::figures::Figured;
use super::gaps::complete_rows;
use super::masks::Spread;
use super::{Accessed, Accessor, Axis, Column, Frame, Index, Keys, Label, Series, not_linear};
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
                if let Some(made) = self.method_in_place(method, *handle, arguments)? {
                    return Ok(made);
                }
                let frame = self.frame(*handle).clone();
                self.frame_method(method, object, &frame, arguments)
            }
            Value::Groups(groups) => self.groups_method(method, groups, arguments),
            Value::Loc(accessed) => match (accessed.accessor, method) {
                (Accessor::Text, Method::Text(method)) => self.text_method(method, &accessed.value, arguments),
                (Accessor::Date, Method::Table(TableMethod::DatePart(part))) => match &accessed.value {
                    Value::Series(series) => self.date_part(part, series),
                    other => Err(unknown_method(method, other)),
                },
                (Accessor::Date, Method::Table(TableMethod::DateText { is_period })) => match &accessed.value {
                    Value::Series(series) => self.date_text(series, is_period, arguments),
                    other => Err(unknown_method(method, other)),
                },
                (Accessor::Window(window), _) => self.window_method(method, window, &accessed.value, arguments),
                _ => Err(unknown_method(method, object)),
            },
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
            // What is changed afterwards is another column.
            Method::Copy => Ok(Value::Series(Rc::new((**series).clone()))),
            Method::AsType => self.as_type(series, arguments),
            Method::Any | Method::All => {
                arguments.none(method.name())?;
                let Column::Booleans(values) = &series.column else {
                    let message = format!("`.{}()` is of masks here", method.name());
                    return Err(Fault::new(Code::TypeMismatch, message));
                };
                let is_true = |value: &bool| *value;
                Ok(Value::Bool(if method == Method::Any {
                    values.iter().any(is_true)
                } else {
                    values.iter().all(is_true)
                }))
            }
            Method::Table(TableMethod::Sort) => self.sorted_series(series, arguments),
            Method::Table(TableMethod::ResetIndex) => self.series_without_index(series, arguments),
            Method::Table(TableMethod::ToFrame) => {
                let [name] = arguments.bind("to_frame", ["name"], 0, 1)?;
                let frame = self.frame_of_series(series, name.map(|name| name.value))?;
                self.new_frame(frame)
            }
            Method::Table(TableMethod::Map) => self.mapped(series, arguments.one("map")?, false),
            Method::Table(TableMethod::Replace) => self.replaced(series, arguments),
            Method::Table(TableMethod::Ends(start)) => {
                let positions = self.end_positions(start, series.len(), arguments)?;
                self.values_at(series, positions)
            }
            Method::Table(TableMethod::Unstack) => self.unstacked(&object(), arguments),
            Method::Table(TableMethod::Rolling) => self.rolling(series, arguments),
            Method::Table(TableMethod::Where(keeps)) => self.kept_where(series, keeps, arguments),
            Method::Table(TableMethod::Operator(operator)) => {
                let [other, fill] = arguments.bind(method.name(), ["other", "fill_value"], 1, 1)?;
                let other = given(other)?.value;
                match fill.map(|fill| fill.value) {
                    None | Some(Value::None) => self.binary_columns(operator, &object(), other),
                    Some(fill) if self.number(fill).is_none() => {
                        Err(Fault::new(Code::TypeMismatch, "`fill_value` is a number here"))
                    }
                    Some(fill) => {
                        let (left, right, index) = self.matched_sides(&object(), other, Some(fill))?;
                        self.combined_rows(operator, &left, &right, index)
                    }
                }
            }
            Method::Table(TableMethod::Compare(operator)) => {
                let [other] = arguments.bind(method.name(), ["other"], 1, 1)?;
                self.compare_columns(operator, &object(), given(other)?.value)
            }
            Method::Table(TableMethod::Rename) => {
                let [name] = arguments.bind("rename", ["index"], 1, 1)?;
                let name = given(name)?.value;
                if self.label_of(name).is_none() {
                    return Err(Fault::new(Code::TypeMismatch, "a column is renamed by a string"));
                }
                let name = Some(Rc::from(self.show(name)));
                Ok(Value::Series(Rc::new(Series { name, ..(**series).clone() })))
            }
            Method::Table(TableMethod::Iloc) => Ok(accessed(Accessor::Iloc, object())),
            Method::Table(TableMethod::TextAccessor) => Ok(accessed(Accessor::Text, object())),
            Method::Table(TableMethod::DateAccessor) => Ok(accessed(Accessor::Date, object())),
            Method::Table(TableMethod::DatePart(_)) => {
                let name = self.text(method.name().to_owned())?;
                self.attribute_column(&object(), &name)
            }
            Method::Table(TableMethod::Write) => self.write_table(&object(), arguments),
            Method::Table(TableMethod::Reindex) => self.reindexed(series, arguments),
            Method::Table(TableMethod::CrossSection) => {
                let [key, level] = arguments.bind("xs", ["key", "level"], 1, 1)?;
                match level {
                    None => self.index_table(&object(), given(key)?.value),
                    Some(level) => self.cross_section(series, given(key)?.value, level.value),
                }
            }
            Method::Table(TableMethod::Extremes { largest }) => {
                let name = if largest { "nlargest" } else { "nsmallest" };
                let [count] = arguments.bind(name, ["n"], 0, 1)?;
                let count = count.map_or(Ok(5), |count| self.whole(count.value, "the number of rows"))?;
                let positions = self.extreme_rows(series, largest, count)?;
                self.values_at(series, positions)
            }
            Method::Table(TableMethod::Squeeze) if series.len() == 1 => self.cell(&series.column, 0),
            Method::Table(TableMethod::Squeeze) => Ok(object()),
            Method::Table(TableMethod::FirstRow(_)) => Err(unknown_method(method, &object())),
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
                self.axis(keys, Axis { index: series.index.clone(), of: None })
            }
            Method::Table(TableMethod::NameRows) => {
                let index = self.axis_renamed(&series.index, arguments)?;
                Ok(Value::Series(Rc::new(Series { index, ..(**series).clone() })))
            }
            Method::Table(TableMethod::SwapLevels | TableMethod::WithoutLevel) => {
                let index = self.releveled(method, &series.index, arguments)?;
                Ok(Value::Series(Rc::new(Series { index, ..(**series).clone() })))
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
                let index = Index::Positions(values.len());
                self.axis(values, Axis { index, of: None })
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
            Method::Table(TableMethod::ValueCounts) => self.counts_of_values(series, arguments),
            Method::Table(TableMethod::GroupBy) => self.group_series(series, arguments),
            Method::Table(TableMethod::Aggregate) => {
                let figures = arguments.one("agg")?;
                if let Value::List(_) = figures {
                    let names = self.elements(figures)?;
                    let mut values = Vec::new();
                    for name in &names {
                        let figure = self.figure_named(name)?;
                        values.push(self.figure_of(figure, series)?);
                    }
                    let labels = names.iter().map(|name| vec![Label::text(&self.show(name))]).collect();
                    let (column, index) = (self.column_of(values)?, Index::Keys(Keys::new(labels, true)));
                    return Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })));
                }
                let figure = self.figure_named(figures)?;
                self.figure_of(figure, series)
            }
            Method::Table(TableMethod::ByIndex) => {
                let order = self.index_order(&series.index, arguments)?;
                self.values_at(series, order)
            }
            Method::Table(TableMethod::Loc) => Ok(accessed(Accessor::Loc, object())),
            Method::Table(TableMethod::Empty) => Ok(Value::Bool(series.len() == 0)),
            Method::Table(TableMethod::NotLinear(name)) if series.column.is_secret() => Err(not_linear(name)),
            Method::Table(TableMethod::NotLinear(name)) => match self.public_method(name, series, arguments)? {
                Some(found) => Ok(found),
                None => Err(unknown_method(method, &object())),
            },
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
        if method == Method::Table(TableMethod::WithoutIndex) {
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
            Method::Copy => self.new_frame(frame.clone()),
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
            Method::Table(TableMethod::Squeeze) => self.squeezed(frame),
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
                let [other] = arguments.bind(method.name(), ["other"], 1, 1)?;
                self.frame_arithmetic(operator, object, given(other)?.value)
            }
            Method::Table(TableMethod::UniqueCount) => {
                arguments.none("nunique")?;
                self.column_by_column(frame, |state, series| state.figure_of(Figured::Distinct, series))
            }
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
                let of = if let Value::Frame(handle) = object { Some((*handle, false)) } else { None };
                let index = Index::Positions(names.len());
                self.axis(names, Axis { index, of })
            }
            Method::Table(TableMethod::Index) => {
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
        let [only, _, _] = arguments.bind(method.name(), ["numeric_only", "axis", "skipna"], 0, 0)?;
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
        // Columns that nobody has grouped by stand behind the others.
        if frame.index.sizes().is_some() {
            return Err(super::not_of_groups("the order of the columns"));
        }
        frame.columns.iter().map(|column| self.key_value(&column.label, column.label.len() == 1)).collect()
    }

    /// What the rows of a column are called, as values.
    pub(super) fn index_values(&mut self, index: &Index) -> Outcome<Vec<Value<S>>> {
        self.budget.spend_elements(index.len() as u64)?;
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

    /// `"mean"`, `"sum"`, `"count"` or `"size"`
    pub(super) fn statistic_named(&self, value: &Value<S>) -> Outcome<Statistic> {
        let name = self.show(value);
        Statistic::named(&name).filter(|_| matches!(value, Value::Text(_))).ok_or_else(|| {
            let message = format!("a figure cannot be {name} here");
            Fault::hinted(Code::BadArgument, message, "the figures are \"mean\", \"sum\", \"count\" and \"size\"")
        })
    }
}

/// Something looked at in a way of its own.
fn accessed<S: Scalar>(accessor: Accessor, value: Value<S>) -> Value<S> {
    Value::Loc(Rc::new(Accessed { accessor, value }))
}

pub(super) fn statistic_of(method: Method) -> Option<Statistic> {
    match method {
        Method::Sum => Some(Statistic::Sum),
        Method::Mean => Some(Statistic::Mean),
        Method::Count => Some(Statistic::Count),
        _ => None,
    }
}

pub(super) fn spread_of(method: Method) -> Option<Spread> {
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
        Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Random(_) | Column::Own(_) => false,
        Column::Choices(values) => values.all_values().any(|value| matches!(value, Value::Text(_))),
    }
}

pub(super) fn unknown_method<S: Scalar>(method: Method, object: &Value<S>) -> Box<Fault> {
    let name = method.name();
    let hint = match (method, object) {
        (Method::Table(TableMethod::GroupSizes), Value::Series(_) | Value::Frame(_)) => {
            "without parentheses: `.size` is a number".to_owned()
        }
        (Method::Table(TableMethod::NotLinear(_)), _) => "it is not supported, on public columns either".to_owned(),
        _ => "see the language page for what tables, columns and groups have".to_owned(),
    };
    Fault::hinted(Code::Attribute, format!("{} has no `.{name}` here", object.kind()), hint)
}
