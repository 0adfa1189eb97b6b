//! Tables that are made from others: their rows have numbers of their own, and are known by the rows they come from.

use std::rc::Rc;

use super::super::builtins::{Argument, Arguments};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Column, Frame, FrameColumn, Index, Keys, Label, Level, Series, Words, label_text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// The rows of a given table that the rows of a made one come from.
pub(super) type Origin = Option<(u32, Rc<Vec<u32>>)>;

/// Tables from this number on are made by the program.
pub(super) const FIRST_MADE: u32 = 1 << 30;

/// Rows that are numbered from 0 and come from no table, such as those of `pd.Series([...])`.
pub(super) const RANGE: u32 = u32::MAX;

impl<S: Scalar> State<S> {
    /// Rows with numbers of their own.
    pub(super) fn made_rows(&mut self, count: usize, origin: Origin) -> Index {
        let Some(origin) = origin else { return Index::Rows { table: RANGE, rows: None, count, sizes: None } };
        self.tables.made_tables.push(origin);
        Index::Rows { table: FIRST_MADE + self.tables.made_tables.len() as u32 - 1, rows: None, count, sizes: None }
    }

    /// The given table, and for each row the row of it, that rows come from.
    pub(super) fn origin_of(&mut self, index: &Index) -> Outcome<Origin> {
        let Index::Rows { table, rows, count, .. } = index else { return Ok(None) };
        self.spend_rows(index.len())?;
        let labels = || rows.clone().unwrap_or_else(|| Rc::new((0..*count as u32).collect()));
        if *table < FIRST_MADE {
            return Ok(Some((*table, labels())));
        }
        let Some((given, origin)) = self.tables.made_tables.get((*table - FIRST_MADE) as usize) else {
            return Ok(None);
        };
        Ok(Some((*given, Rc::new(labels().iter().map(|row| origin[*row as usize]).collect()))))
    }

    /// Whether an option is set.
    pub(super) fn flag(&self, argument: Option<Argument<'_, S>>, otherwise: bool) -> Outcome<bool> {
        argument.map_or(Ok(otherwise), |argument| self.truth(argument.value))
    }

    /// Refuses an option that is set to anything but what is done here.
    pub(super) fn required_option(&self, name: &str, given: Option<Argument<'_, S>>, wanted: bool) -> Outcome<()> {
        let Some(argument) = given else { return Ok(()) };
        if self.truth(argument.value)? == wanted {
            return Ok(());
        }
        let (set, usual) = if wanted { ("False", "True") } else { ("True", "False") };
        let hint = format!("leave it out: it is `{name}={usual}` here");
        Err(Fault::hinted(Code::BadArgument, format!("`{name}={set}` is not known here"), hint)
            .at_argument(argument.index))
    }

    /// A name, or a list of them.
    pub(super) fn names(&mut self, value: &Value<S>) -> Outcome<Vec<Vec<Label>>> {
        let values = match value {
            Value::List(_) | Value::Tuple(_) | Value::Array(_) => self.elements(value)?,
            single => vec![single.clone()],
        };
        values
            .iter()
            .map(|value| self.label_of(value).map(|label| vec![label]).ok_or_else(|| super::frames::not_a_name(value)))
            .collect()
    }

    /// One part of keys as a column.
    pub(super) fn key_column(&mut self, keys: &Keys, at: usize) -> Outcome<Column<S>> {
        self.spend_rows(keys.labels.len())?;
        if let Some(categories) = keys.level(at).categories {
            let place = |labels: &Vec<Label>| categories.iter().position(|category| *category == labels[at]);
            let codes = keys.labels.iter().map(|labels| place(labels).map_or(u32::MAX, |place| place as u32));
            let codes = std::sync::Arc::new(codes.collect());
            let labels = std::sync::Arc::new(categories.iter().map(|label| label.show().into()).collect());
            return Ok(Column::Texts { codes, labels, words: Words::Categories });
        }
        let values = keys.labels.iter().map(|labels| self.label_value(&labels[at])).collect::<Outcome<_>>()?;
        self.column_of(values)
    }

    /// `frame.reset_index(drop=False)`
    pub(super) fn without_index(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [level, drop, names] = arguments.bind("reset_index", ["level", "drop", "names"], 0, 0)?;
        refuse_level(level, &frame.index)?;
        let drop = self.flag(drop, false)?;
        let names = match names {
            Some(names) => Some(self.names(names.value)?),
            None => None,
        };
        let reset = self.reset_frame(frame, drop, names)?;
        self.new_frame(reset)
    }

    pub(super) fn reset_frame(
        &mut self,
        frame: &Frame<S>,
        drop: bool,
        names: Option<Vec<Vec<Label>>>,
    ) -> Outcome<Frame<S>> {
        self.tables.renumbered |= self.refuse_unstable_rows(&frame.index).is_err();
        let origin = self.origin_of(&frame.index)?;
        let index = self.made_rows(frame.len(), origin);
        let width = frame.columns.iter().map(|column| column.label.len()).max().unwrap_or(1);
        let mut columns = Vec::new();
        if !drop {
            for (at, (name, column)) in self.index_columns(&frame.index)?.into_iter().enumerate() {
                let name = match &names {
                    Some(names) => names.get(at).cloned().ok_or_else(|| {
                        Fault::new(Code::LengthMismatch, "there are fewer names than parts of the index")
                    })?[0]
                        .clone(),
                    None => name,
                };
                let mut label = vec![name];
                label.resize(width, Label::text(""));
                if frame.position(&label).is_some() {
                    let message = format!("there is a column `{}` already", label_text(&label));
                    let hint = "rename it, or leave the index out with `drop=True`";
                    return Err(Fault::hinted(Code::BadArgument, message, hint));
                }
                columns.push(FrameColumn { label, column, rows: None });
            }
        }
        for position in 0..frame.columns.len() {
            let column = self.frame_column(frame, position)?.column.clone();
            columns.push(FrameColumn { label: frame.columns[position].label.clone(), column, rows: None });
        }
        Ok(Frame { index, columns })
    }

    /// The index as columns, with the names that `reset_index` gives them.
    pub(super) fn index_columns(&mut self, index: &Index) -> Outcome<Vec<(Label, Column<S>)>> {
        match index {
            Index::Keys(keys) => {
                let depth = keys.depth();
                let mut columns = Vec::with_capacity(depth);
                for at in 0..depth {
                    let name = match keys.level(at).name {
                        Some(name) => Label::text(&name),
                        None if depth == 1 => Label::text("index"),
                        None => Label::text(&format!("level_{at}")),
                    };
                    columns.push((name, self.key_column(keys, at)?));
                }
                Ok(columns)
            }
            Index::Rows { .. } | Index::Positions(_) => {
                let labels = self.index_values(index)?;
                Ok(vec![(Label::text("index"), self.column_of(labels)?)])
            }
        }
    }

    /// `column.reset_index(drop=False, name=…)`
    pub(super) fn series_without_index(
        &mut self,
        series: &Rc<Series<S>>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let [level, drop, name] = arguments.bind("reset_index", ["level", "drop", "name"], 0, 0)?;
        refuse_level(level, &series.index)?;
        if self.flag(drop, false)? {
            self.tables.renumbered |= self.refuse_unstable_rows(&series.index).is_err();
            let origin = self.origin_of(&series.index)?;
            let index = self.made_rows(series.len(), origin);
            return Ok(Value::Series(Rc::new(Series {
                name: series.name.clone(),
                column: series.column.clone(),
                index,
            })));
        }
        let name = name.map(|name| name.value.clone());
        let frame = self.frame_of_series(series, name.as_ref())?;
        let reset = self.reset_frame(&frame, false, None)?;
        self.new_frame(reset)
    }

    /// A column as a frame of one; one without a name is called 0.
    pub(super) fn frame_of_series(&mut self, series: &Series<S>, name: Option<&Value<S>>) -> Outcome<Frame<S>> {
        let label = match (name, &series.name) {
            (Some(name), _) => self.label_of(name).ok_or_else(|| super::frames::not_a_name(name))?,
            (None, Some(name)) => Label::text(name),
            (None, None) => Label::Int(0),
        };
        let column = FrameColumn { label: vec![label], column: series.column.clone(), rows: None };
        Ok(Frame { index: series.index.clone(), columns: vec![column] })
    }

    /// `frame.set_index("column")`, `frame.set_index(["a", "b"])`
    pub(super) fn with_index(&mut self, frame: &Frame<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [keys] = arguments.bind("set_index", ["keys"], 1, 1)?;
        let keys = super::super::builtins::given(keys)?.value;
        let scalar = !matches!(keys, Value::List(_));
        let names = self.names(keys)?;
        let mut labels: Vec<Vec<Label>> = vec![Vec::new(); frame.len()];
        let mut levels: Vec<Level> = Vec::new();
        for name in &names {
            let position = self.column_position(frame, name)?;
            let series = self.frame_column(frame, position)?;
            for (row, labels) in labels.iter_mut().enumerate() {
                match self.row_label(&series, row)? {
                    Some(label) => labels.push(label),
                    None => {
                        let message = format!("{} has a missing value in row {}", series.shown_name(), row + 1);
                        return Err(Fault::hinted(Code::BadArgument, message, "leave those rows out first"));
                    }
                }
            }
            levels.push(super::grouping::level_of(&series));
        }
        self.budget.spend_elements(2 * frame.len() as u64)?;
        let mut seen = std::collections::HashSet::with_capacity(labels.len());
        if let Some(twice) = labels.iter().find(|label| !seen.insert((*label).clone())) {
            let message = format!("two rows would be called `{}`", label_text(twice));
            let hint = "group by the column instead: `p.groupby(\"x\")`";
            // What can be done with such rows is written in the language.
            return Err(Fault::hinted(Code::WrongArguments, message, hint));
        }
        let kept = (0..frame.columns.len()).filter(|at| !names.contains(&frame.columns[*at].label));
        let columns = kept.map(|at| frame.columns[at].clone()).collect();
        let index = Index::Keys(Keys::of_levels(labels, scalar && names.len() == 1, levels));
        self.new_frame(Frame { index, columns })
    }

    /// Rows at some positions of a frame, in that order.
    pub(super) fn rows_at(&mut self, frame: &Frame<S>, positions: Vec<u32>) -> Outcome<Value<S>> {
        self.spend_bytes(positions.len() * size_of::<u32>())?;
        let chosen = self.some_rows(frame, Rc::new(positions))?;
        self.new_frame(chosen)
    }

    /// The same of a column.
    pub(super) fn values_at(&mut self, series: &Series<S>, positions: Vec<u32>) -> Outcome<Value<S>> {
        self.spend_bytes(positions.len() * size_of::<u32>())?;
        let rows = Rc::new(positions);
        let (column, index) = (self.gathered(&series.column, Some(&rows))?, series.index.picked(&rows));
        Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
    }

    /// `frame.drop_duplicates(subset=…, keep=…)` and `duplicated`: which rows repeat earlier ones, by public columns.
    pub(super) fn repeated_rows(
        &mut self,
        name: &str,
        frame: &Frame<S>,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Vec<bool>> {
        let [subset, keep] = arguments.bind(name, ["subset", "keep"], 0, 1)?;
        let positions: Vec<usize> = match subset.map(|subset| subset.value) {
            None | Some(Value::None) => (0..frame.columns.len()).collect(),
            Some(subset) => {
                let names = self.names(subset)?;
                names.iter().map(|label| self.column_position(frame, label)).collect::<Outcome<_>>()?
            }
        };
        let keep = keep.map_or("first".to_owned(), |keep| self.show(keep.value));
        let mut columns = Vec::new();
        for position in positions {
            let series = self.frame_column(frame, position)?;
            if series.column.is_secret() {
                return Err(super::secret_decides("rows are told apart", &series.shown_name()));
            }
            columns.push(series);
        }
        let mut keys: Vec<Vec<Option<Label>>> = Vec::with_capacity(frame.len());
        for row in 0..frame.len() {
            keys.push(columns.iter().map(|series| self.row_label(series, row)).collect::<Outcome<_>>()?);
        }
        self.spend_rows(keys.len() * columns.len().max(1))?;
        let mut counts: std::collections::HashMap<&Vec<Option<Label>>, usize> = std::collections::HashMap::new();
        for key in &keys {
            *counts.entry(key).or_insert(0) += 1;
        }
        let mut seen: std::collections::HashMap<&Vec<Option<Label>>, usize> = std::collections::HashMap::new();
        let mut repeated = Vec::with_capacity(keys.len());
        for key in &keys {
            let times = seen.entry(key).or_insert(0);
            *times += 1;
            repeated.push(match keep.as_str() {
                "first" => *times > 1,
                "last" => *times < counts[key],
                "False" => counts[key] > 1,
                other => return Err(Fault::new(Code::BadArgument, format!("`keep` cannot be {other}"))),
            });
        }
        Ok(repeated)
    }
}

/// Only one part of the keys of several would become a column.
fn refuse_level<S>(level: Option<Argument<'_, S>>, index: &Index) -> Outcome<()> {
    match (level, index) {
        (Some(level), Index::Keys(keys)) if keys.depth() > 1 && !matches!(level.value, Value::None) => {
            let hint = "reset all of them: `.reset_index()`";
            let message = "a part of the keys is made a column by itself";
            Err(Fault::hinted(Code::BadArgument, message, hint).at_argument(level.index))
        }
        _ => Ok(()),
    }
}
