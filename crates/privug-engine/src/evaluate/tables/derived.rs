//! Tables that are made from others: their rows have numbers of their own, and are known by the rows they come from.

use std::rc::Rc;

use super::super::builtins::{Argument, Arguments};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Column, Frame, FrameColumn, Index, Keys, Label, Level, Series, Words, label_text};
use super::{column, columns_method, frames, windows};
use crate::evaluate::{compare, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// The rows of a given table that the rows of a made one come from.
pub(super) type Origin = Option<(u32, Rc<Vec<u32>>)>;

/// Tables from this number on are made by the program.
pub(super) const FIRST_MADE: u32 = 1 << 30;

/// Rows that are numbered from 0 and come from no table, such as those of `pd.Series([...])`.
pub(super) const RANGE: u32 = u32::MAX;

/// The first number of rows that are called alike; the next table has the one before.
const FIRST_ALIKE: u32 = 3 << 30;

/// Rows with numbers of their own.
pub(super) fn made_rows<S: Scalar>(state: &mut State<S>, count: usize, origin: Origin) -> Index {
    let Some(origin) = origin else { return Index::Rows { table: RANGE, rows: None, count, sizes: None } };
    state.tables.made_tables.push(origin);
    Index::Rows { table: FIRST_MADE + state.tables.made_tables.len() as u32 - 1, rows: None, count, sizes: None }
}

/// Rows of several tables one below the other, of which some are called alike: they are counted, and nobody may call them.
pub(super) fn alike_rows<S: Scalar>(state: &mut State<S>, count: usize) -> Index {
    state.tables.alike += 1;
    Index::Rows { table: RANGE - state.tables.alike, rows: None, count, sizes: None }
}

/// Refuses to call rows by their numbers where several have the same.
pub(super) fn refuse_alike(index: &Index) -> Outcome<()> {
    match index {
        Index::Rows { table, .. } if (FIRST_ALIKE..RANGE).contains(table) => {
            let message = "rows of concatenated tables are called alike";
            let hint = "number them anew: `pd.concat(parts, ignore_index=True)`";
            Err(Fault::hinted(Code::DifferentRows, message, hint))
        }
        Index::Rows { .. } | Index::Keys(_) | Index::Positions(_) => Ok(()),
    }
}

/// The given table, and for each row the row of it, that rows come from.
pub(super) fn origin_of<S: Scalar>(state: &mut State<S>, index: &Index) -> Outcome<Origin> {
    let Index::Rows { table, rows, count, .. } = index else { return Ok(None) };
    tables::spend_rows(state, index.len())?;
    let labels = || rows.clone().unwrap_or_else(|| Rc::new((0..*count as u32).collect()));
    if *table < FIRST_MADE {
        return Ok(Some((*table, labels())));
    }
    let Some((given, origin)) = state.tables.made_tables.get((*table - FIRST_MADE) as usize) else {
        return Ok(None);
    };
    Ok(Some((*given, Rc::new(labels().iter().map(|row| origin[*row as usize]).collect()))))
}

/// Whether an option is set.
pub(in super::super) fn flag<S: Scalar>(
    state: &State<S>,
    argument: Option<Argument<'_, S>>,
    otherwise: bool,
) -> Outcome<bool> {
    argument.map_or(Ok(otherwise), |argument| compare::truth(state, argument.value))
}

/// Refuses an option that is set to anything but what is done here.
pub(super) fn required_option<S: Scalar>(
    state: &State<S>,
    name: &str,
    given: Option<Argument<'_, S>>,
    wanted: bool,
) -> Outcome<()> {
    let Some(argument) = given else { return Ok(()) };
    if compare::truth(state, argument.value)? == wanted {
        return Ok(());
    }
    let (set, usual) = if wanted { ("False", "True") } else { ("True", "False") };
    let hint = format!("omit it: only `{name}={usual}` is supported");
    Err(Fault::hinted(Code::BadArgument, format!("`{name}={set}` is not supported"), hint).at_argument(argument.index))
}

/// A name, or a list of them.
pub(super) fn names<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Vec<Vec<Label>>> {
    let values = match value {
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => containers::elements(state, value)?,
        single => vec![single.clone()],
    };
    values
        .iter()
        .map(|value| frames::label_of(state, value).map(|label| vec![label]).ok_or_else(|| frames::not_a_name(value)))
        .collect()
}

/// One part of keys as a column.
pub(super) fn key_column<S: Scalar>(state: &mut State<S>, keys: &Keys, at: usize) -> Outcome<Column<S>> {
    tables::spend_rows(state, keys.labels.len())?;
    if let Some(categories) = keys.level(at).categories {
        let place = |labels: &Vec<Label>| categories.iter().position(|category| *category == labels[at]);
        let codes = keys.labels.iter().map(|labels| place(labels).map_or(u32::MAX, |place| place as u32));
        let codes = std::sync::Arc::new(codes.collect());
        let labels = std::sync::Arc::new(categories.iter().map(|label| label.show().into()).collect());
        return Ok(Column::Texts { codes, labels, words: Words::Categories });
    }
    let values = keys.labels.iter().map(|labels| frames::label_value(state, &labels[at])).collect::<Outcome<_>>()?;
    column::column_of(state, values)
}

/// `frame.reset_index(drop=False)`
pub(super) fn without_index<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [level, drop, names] = arguments.bind("reset_index", ["level", "drop", "names"], 0, 0)?;
    refuse_level(level, &frame.index)?;
    let drop = flag(state, drop, false)?;
    let names = match names {
        Some(names) => Some(self::names(state, names.value)?),
        None => None,
    };
    let reset = reset_frame(state, frame, drop, names)?;
    tables::new_frame(state, reset)
}

pub(super) fn reset_frame<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    drop: bool,
    names: Option<Vec<Vec<Label>>>,
) -> Outcome<Frame<S>> {
    state.tables.renumbered |= windows::refuse_unstable_rows(state, &frame.index).is_err();
    let origin = origin_of(state, &frame.index)?;
    let index = made_rows(state, frame.len(), origin);
    let width = frame.columns.iter().map(|column| column.label.len()).max().unwrap_or(1);
    let mut columns = Vec::new();
    if !drop {
        for (at, (name, column)) in index_columns(state, &frame.index)?.into_iter().enumerate() {
            let name =
                match &names {
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
        let column = frames::frame_column(state, frame, position)?.column.clone();
        columns.push(FrameColumn { label: frame.columns[position].label.clone(), column, rows: None });
    }
    Ok(Frame { index, columns })
}

/// The index as columns, with the names that `reset_index` gives them.
pub(super) fn index_columns<S: Scalar>(state: &mut State<S>, index: &Index) -> Outcome<Vec<(Label, Column<S>)>> {
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
                columns.push((name, key_column(state, keys, at)?));
            }
            Ok(columns)
        }
        Index::Rows { .. } | Index::Positions(_) => {
            let labels = columns_method::index_values(state, index)?;
            Ok(vec![(Label::text("index"), column::column_of(state, labels)?)])
        }
    }
}

/// `column.reset_index(drop=False, name=…)`
pub(super) fn series_without_index<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [level, drop, name] = arguments.bind("reset_index", ["level", "drop", "name"], 0, 0)?;
    refuse_level(level, &series.index)?;
    if flag(state, drop, false)? {
        state.tables.renumbered |= windows::refuse_unstable_rows(state, &series.index).is_err();
        let origin = origin_of(state, &series.index)?;
        let index = made_rows(state, series.len(), origin);
        return Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column: series.column.clone(), index })));
    }
    let name = name.map(|name| name.value.clone());
    let frame = frame_of_series(state, series, name.as_ref())?;
    let reset = reset_frame(state, &frame, false, None)?;
    tables::new_frame(state, reset)
}

/// A column as a frame of one; one without a name is called 0.
pub(super) fn frame_of_series<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    name: Option<&Value<S>>,
) -> Outcome<Frame<S>> {
    let label = match (name, &series.name) {
        (Some(name), _) => frames::label_of(state, name).ok_or_else(|| frames::not_a_name(name))?,
        (None, Some(name)) => Label::text(name),
        (None, None) => Label::Int(0),
    };
    let column = FrameColumn { label: vec![label], column: series.column.clone(), rows: None };
    Ok(Frame { index: series.index.clone(), columns: vec![column] })
}

/// `frame.set_index("column")`, `frame.set_index(["a", "b"])`
pub(super) fn with_index<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [keys] = arguments.bind("set_index", ["keys"], 1, 1)?;
    called_by(state, frame, super::super::builtins::given(keys)?.value)
}

/// The frame with the values of columns as the labels of its rows.
pub(super) fn called_by<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, keys: &Value<S>) -> Outcome<Value<S>> {
    let scalar = !matches!(keys, Value::List(_));
    let names = names(state, keys)?;
    let mut labels: Vec<Vec<Label>> = vec![Vec::new(); frame.len()];
    let mut levels: Vec<Level> = Vec::new();
    for name in &names {
        let position = frames::column_position(frame, name)?;
        let series = frames::frame_column(state, frame, position)?;
        for (row, labels) in labels.iter_mut().enumerate() {
            match column::row_label(state, &series, row)? {
                Some(label) => labels.push(label),
                None => {
                    let message = format!("{} has a missing value in row {}", series.shown_name(), row + 1);
                    return Err(Fault::hinted(Code::BadArgument, message, "drop those rows first"));
                }
            }
        }
        levels.push(super::grouping::level_of(&series));
    }
    state.budget.spend_elements(2 * frame.len() as u64)?;
    let mut seen = std::collections::HashSet::with_capacity(labels.len());
    if let Some(twice) = labels.iter().find(|label| !seen.insert((*label).clone())) {
        let message = format!("two rows would have the label `{}`", label_text(twice));
        let hint = "group by the column instead: `p.groupby(\"x\")`";
        // What can be done with such rows is written in the language.
        return Err(Fault::hinted(Code::WrongArguments, message, hint));
    }
    let kept = (0..frame.columns.len()).filter(|at| !names.contains(&frame.columns[*at].label));
    let columns = kept.map(|at| frame.columns[at].clone()).collect();
    let index = Index::Keys(Keys::of_levels(labels, scalar && names.len() == 1, levels));
    tables::new_frame(state, Frame { index, columns })
}

/// Rows at some positions of a frame, in that order.
pub(super) fn rows_at<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, positions: Vec<u32>) -> Outcome<Value<S>> {
    tables::spend_bytes(state, positions.len() * size_of::<u32>())?;
    let chosen = frames::some_rows(state, frame, Rc::new(positions))?;
    tables::new_frame(state, chosen)
}

/// The same of a column.
pub(super) fn values_at<S: Scalar>(state: &mut State<S>, series: &Series<S>, positions: Vec<u32>) -> Outcome<Value<S>> {
    tables::spend_bytes(state, positions.len() * size_of::<u32>())?;
    let rows = Rc::new(positions);
    let (column, index) = (column::gathered(state, &series.column, Some(&rows))?, series.index.picked(&rows));
    Ok(Value::Series(Rc::new(Series { name: series.name.clone(), column, index })))
}

/// `frame.drop_duplicates(subset=…, keep=…)` and `duplicated`: which rows repeat earlier ones, by public columns.
pub(super) fn repeated_rows<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Vec<bool>> {
    let [subset, keep] = arguments.bind(name, ["subset", "keep"], 0, 1)?;
    let positions: Vec<usize> = match subset.map(|subset| subset.value) {
        None | Some(Value::None) => (0..frame.columns.len()).collect(),
        Some(subset) => {
            let names = names(state, subset)?;
            names.iter().map(|label| frames::column_position(frame, label)).collect::<Outcome<_>>()?
        }
    };
    let keep = keep.map_or("first".to_owned(), |keep| text::show(state, keep.value));
    let mut columns = Vec::new();
    for position in positions {
        let series = frames::frame_column(state, frame, position)?;
        if series.column.is_secret() {
            return Err(super::secret_decides("rows are distinguished", &series.shown_name()));
        }
        columns.push(series);
    }
    let mut keys: Vec<Vec<Option<Label>>> = Vec::with_capacity(frame.len());
    for row in 0..frame.len() {
        keys.push(columns.iter().map(|series| column::row_label(state, series, row)).collect::<Outcome<_>>()?);
    }
    tables::spend_rows(state, keys.len() * columns.len().max(1))?;
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
