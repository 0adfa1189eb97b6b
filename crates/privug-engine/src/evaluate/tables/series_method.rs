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
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

impl<S: Scalar> State<S> {
    /// Calls a method of a column.
    pub(super) fn series_method(
        &mut self,
        method: Method,
        series: &Rc<Series<S>>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let object = || Value::Series(series.clone());
        if let Some(statistic) = statistic_of(method) {
            return self.series_statistic_with(statistic, method, series, arguments);
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
            Method::Copy => {
                self.deep_copy_only(arguments)?;
                Ok(Value::Series(Rc::new((**series).clone())))
            }
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
            Method::Table(TableMethod::Squeeze) => {
                arguments.none("squeeze")?;
                if series.len() == 1 { self.cell(&series.column, 0) } else { Ok(object()) }
            }
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
                arguments.none("tolist")?;
                // Equal rows may have been put in another order.
                self.refuse_unstable_rows(&series.index)?;
                let values = self.cells(&series.column)?;
                self.list(values)
            }
            Method::Items => {
                arguments.none("items")?;
                let pairs = self.items(series)?;
                self.list(pairs)
            }
            Method::Keys | Method::Table(TableMethod::Index) => {
                arguments.none("keys")?;
                self.refuse_unstable_rows(&series.index)?;
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
                arguments.none("to_dict")?;
                let entries = self.items(series)?;
                self.dict_of_pairs(entries)
            }
            Method::Table(TableMethod::WithoutIndex) => {
                self.refuse_unstable_rows(&series.index)?;
                let [kind, _] = arguments.bind("to_numpy", ["dtype", "copy"], 0, 1)?;
                let series = match kind.filter(|kind| !matches!(kind.value, Value::None)) {
                    None => series.clone(),
                    Some(kind) => match self.series_as(series, kind.value)? {
                        Value::Series(made) => made,
                        other => return Ok(other),
                    },
                };
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
                arguments.none("unique")?;
                let values = self.unique(series)?;
                let index = Index::Positions(values.len());
                self.axis(values, Axis { index, of: None })
            }
            Method::Table(TableMethod::UniqueCount) => {
                let [drops] = arguments.bind("nunique", ["dropna"], 0, 1)?;
                let drops_gaps = self.flag(drops, true)?;
                let values = self.unique(series)?;
                let count = values.iter().filter(|value| !drops_gaps || !matches!(value, Value::Missing)).count();
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
            Method::Table(TableMethod::FillFrom { forward }) => {
                arguments.none(method.name())?;
                Ok(Value::Series(Rc::new(self.gaps_filled_from(series, forward)?)))
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
            Method::Table(TableMethod::NotLinear("describe")) => self.described(series, arguments),
            Method::Table(TableMethod::NotLinear(name)) if series.column.is_secret() => Err(not_linear(name)),
            Method::Table(TableMethod::NotLinear(name)) => match self.public_method(name, series, arguments)? {
                Some(found) => Ok(found),
                None => Err(unknown_method(method, &object())),
            },
            other => Err(unknown_method(other, &object())),
        }
    }
}
