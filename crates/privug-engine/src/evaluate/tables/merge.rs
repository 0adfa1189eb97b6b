//! `merge` and `join`: the rows of one table beside those of another that have the same keys.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::alignment::Places;
use super::order::alike;
use super::{Column, Frame, FrameColumn, Index, Label, Series, label_text, secret_decides};
use super::{column, derived, frames};
use crate::evaluate::{containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// Which rows are kept that have no counterpart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    None,
    Left,
    Right,
    /// Those of both, in the order of their keys.
    Both,
}

/// One side of a merge: its table, and the columns that are compared.
struct Side<S> {
    frame: Frame<S>,
    keys: Vec<Rc<Series<S>>>,
    /// The names of the keys that are columns; others are the index.
    names: Vec<Vec<Label>>,
}

/// `left.merge(right, how=, on=, left_on=, right_on=, left_index=, right_index=, suffixes=)`
pub(in super::super) fn merge<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
    arguments: &Arguments<'_, S>,
    skipped: usize,
) -> Outcome<Value<S>> {
    const PARAMETERS: [&str; 10] = [
        "left",
        "right",
        "how",
        "on",
        "left_on",
        "right_on",
        "left_index",
        "right_index",
        "suffixes",
        "validate|sort|copy",
    ];
    let mut bound: [Option<super::super::builtins::Argument<'_, S>>; 10] = [None; 10];
    match skipped {
        0 => bound = arguments.bind("merge", PARAMETERS, 2, 4)?,
        _ => {
            let mut own = [""; 9];
            own.copy_from_slice(&PARAMETERS[1..]);
            let found: [Option<super::super::builtins::Argument<'_, S>>; 9] = arguments.bind("merge", own, 1, 3)?;
            bound[1..].copy_from_slice(&found);
        }
    }
    let [_, _, how, on, left_on, right_on, left_index, right_index, suffixes, rest] = bound;
    if rest.is_some_and(|rest| matches!(rest.value, Value::Bool(true))) {
        return Err(Fault::hinted(Code::BadArgument, "the merged rows are not sorted here", "sort them afterwards"));
    }
    let how = how.map_or("inner".to_owned(), |how| text::show(state, how.value));
    let (left, right) = (frame_argument(state, left)?, frame_argument(state, right)?);
    let of_index = (derived::flag(state, left_index, false)?, derived::flag(state, right_index, false)?);
    let common: Option<Value<S>> = match (on, left_on, right_on, of_index) {
        (Some(on), None, None, (false, false)) => Some(on.value.clone()),
        (None, None, None, (false, false)) => {
            let shared = left.columns.iter().filter(|column| right.position(&column.label).is_some());
            let labels: Vec<Vec<Label>> = shared.map(|column| column.label.clone()).collect();
            let names = labels.iter().map(|label| frames::key_value(state, label, true)).collect::<Outcome<_>>()?;
            Some(state.list(names)?)
        }
        _ => None,
    };
    let is_cross = how == "cross";
    if is_cross && (on.or(left_on).or(right_on).is_some() || of_index != (false, false)) {
        return Err(Fault::new(Code::BadArgument, "`how=\"cross\"` puts every row beside every other, without keys"));
    }
    let left_names = common.clone().or(left_on.map(|names| names.value.clone()));
    let right_names = common.clone().or(right_on.map(|names| names.value.clone()));
    let all_rows = |frame| Side { frame, keys: Vec::new(), names: Vec::new() };
    let (left, right) = if is_cross {
        (all_rows(left), all_rows(right))
    } else {
        let left = merge_side(state, left, left_names.filter(|_| !of_index.0))?;
        (left, merge_side(state, right, right_names.filter(|_| !of_index.1))?)
    };
    if let Some(rule @ Value::Text(_)) = rest.map(|rest| rest.value) {
        let rule = text::show(state, rule);
        validated(state, &rule, &left, &right)?;
    }
    let suffixes = match suffixes {
        None => ("_x".to_owned(), "_y".to_owned()),
        Some(suffixes) => match containers::elements(state, suffixes.value)?.as_slice() {
            [left, right] => {
                let text =
                    |value: &Value<S>| if let Value::None = value { String::new() } else { text::show(state, value) };
                (text(left), text(right))
            }
            _ => return Err(Fault::new(Code::BadArgument, "there are two suffixes").at_argument(suffixes.index)),
        },
    };
    let kept = match how.as_str() {
        // Without keys, every row belongs to every other.
        "inner" | "cross" => Kept::None,
        "left" => Kept::Left,
        "right" => Kept::Right,
        "outer" if common.is_some() => Kept::Both,
        other => {
            let hint = "it must be \"inner\", \"left\", \"right\" or \"cross\"; \"outer\" is supported if the key columns have the same names";
            return Err(Fault::hinted(Code::BadArgument, format!("`how` cannot be \"{other}\" here"), hint));
        }
    };
    merged(state, &left, &right, kept, (&suffixes.0, &suffixes.1))
}

/// `validate="one_to_many"` and the like: each key stands once where it says so.
fn validated<S: Scalar>(state: &mut State<S>, rule: &str, left: &Side<S>, right: &Side<S>) -> Outcome<()> {
    let (left_once, right_once) = match rule {
        "1:1" | "one_to_one" => (true, true),
        "1:m" | "one_to_many" => (true, false),
        "m:1" | "many_to_one" => (false, true),
        "m:m" | "many_to_many" => (false, false),
        other => return Err(Fault::new(Code::BadArgument, format!("`validate` cannot be \"{other}\""))),
    };
    for (side, once, name) in [(left, left_once, "left"), (right, right_once, "right")] {
        let keys = if once { side_keys(state, side)? } else { Vec::new() };
        let different: std::collections::HashSet<&Vec<Option<Label>>> = keys.iter().collect();
        if different.len() < keys.len() {
            let message = format!("a key occurs several times in the {name} table, which `validate` forbids");
            return Err(Fault::hinted(Code::BadArgument, message, "pandas raises an error here too"));
        }
    }
    Ok(())
}

pub(super) fn frame_argument<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Frame<S>> {
    match value {
        Value::Frame(handle) => Ok(tables::frame(state, *handle).clone()),
        Value::Series(series) if series.name.is_some() => derived::frame_of_series(state, series, None),
        other => Err(Fault::new(Code::TypeMismatch, format!("tables are merged, not {}", other.kind()))),
    }
}

/// Without names, the keys are the index.
fn merge_side<S: Scalar>(state: &mut State<S>, frame: Frame<S>, names: Option<Value<S>>) -> Outcome<Side<S>> {
    let mut keys = Vec::new();
    let mut found = Vec::new();
    match names {
        None => {
            for (label, column) in derived::index_columns(state, &frame.index)? {
                let name = Some(Rc::from(label.show()));
                keys.push(Rc::new(Series { name, column, index: frame.index.clone() }));
            }
        }
        Some(names) => {
            for label in derived::names(state, &names)? {
                let position = frames::column_position(&frame, &label)?;
                keys.push(frames::frame_column(state, &frame, position)?);
                found.push(label);
            }
        }
    }
    match keys.iter().find(|key| key.column.is_secret()) {
        Some(secret) => Err(secret_decides("rows are matched", &secret.shown_name())),
        None if keys.is_empty() => Err(Fault::new(Code::BadArgument, "the tables have no column in common")),
        None => Ok(Side { frame, keys, names: found }),
    }
}

fn side_keys<S: Scalar>(state: &mut State<S>, side: &Side<S>) -> Outcome<Vec<Vec<Option<Label>>>> {
    tables::spend_rows(state, side.frame.len() * side.keys.len())?;
    state.budget.spend_elements(2 * side.frame.len() as u64)?;
    (0..side.frame.len())
        .map(|row| side.keys.iter().map(|key| column::row_label(state, key, row)).collect::<Outcome<Vec<_>>>())
        .collect()
}

fn merged<S: Scalar>(
    state: &mut State<S>,
    left: &Side<S>,
    right: &Side<S>,
    kept: Kept,
    suffixes: (&str, &str),
) -> Outcome<Value<S>> {
    if left.keys.len() != right.keys.len() {
        return Err(Fault::new(Code::LengthMismatch, "the tables are merged on different numbers of columns"));
    }
    if left.keys.iter().zip(&right.keys).any(|(a, b)| !alike(&a.column, &b.column)) {
        return Err(Fault::new(
            Code::TypeMismatch,
            "the key columns hold strings in one table and numbers in the other",
        ));
    }
    let (left_keys, right_keys) = (side_keys(state, left)?, side_keys(state, right)?);
    let (outer_keys, inner_keys) =
        if kept == Kept::Right { (&right_keys, &left_keys) } else { (&left_keys, &right_keys) };
    let mut found: HashMap<&Vec<Option<Label>>, Vec<u32>> = HashMap::new();
    for (key, row) in inner_keys.iter().zip(0..) {
        found.entry(key).or_default().push(row);
    }
    if kept == Kept::Both {
        let rows = rows_of_both(state, left, (&left_keys, &right_keys))?;
        return beside(state, left, right, kept, suffixes, (&rows.0, &rows.1));
    }
    let mut pairs: Vec<(u32, Option<u32>)> = Vec::new();
    for (key, row) in outer_keys.iter().zip(0u32..) {
        let rows = found.get(key).map_or([].as_slice(), Vec::as_slice);
        tables::spend_rows(state, rows.len())?;
        state.budget.spend_elements(rows.len() as u64)?;
        pairs.extend(rows.iter().map(|other| (row, Some(*other))));
        if rows.is_empty() && kept != Kept::None {
            pairs.push((row, None));
        }
    }
    let outer: Vec<Option<u32>> = pairs.iter().map(|(row, _)| Some(*row)).collect();
    let inner: Vec<Option<u32>> = pairs.iter().map(|(_, row)| *row).collect();
    let rows = if kept == Kept::Right { (&inner, &outer) } else { (&outer, &inner) };
    beside(state, left, right, kept, suffixes, (rows.0, rows.1))
}

/// The rows of two tables that an outer merge puts beside each other, in the order of their keys.
fn rows_of_both<S: Scalar>(
    state: &mut State<S>,
    left: &Side<S>,
    (left_keys, right_keys): (&[Vec<Option<Label>>], &[Vec<Option<Label>>]),
) -> Outcome<(Places, Places)> {
    if left.keys.iter().any(|key| matches!(&key.column, Column::Texts { words, .. } if words.has_order())) {
        let hint = "make them strings first: `p.x.astype(str)`";
        return Err(Fault::hinted(Code::TypeMismatch, "categories are merged on with `how=\"outer\"`", hint));
    }
    let mut rows: HashMap<&Vec<Option<Label>>, (Vec<u32>, Vec<u32>)> = HashMap::new();
    for (key, row) in left_keys.iter().zip(0..) {
        rows.entry(key).or_default().0.push(row);
    }
    for (key, row) in right_keys.iter().zip(0..) {
        rows.entry(key).or_default().1.push(row);
    }
    let mut keys: Vec<&Vec<Option<Label>>> = rows.keys().copied().collect();
    // A missing key comes last.
    let place = |part: &Option<Label>| (part.is_none(), part.clone());
    keys.sort_by_cached_key(|key| key.iter().map(place).collect::<Vec<_>>());
    let mut found = (Vec::new(), Vec::new());
    for key in keys {
        let (own, others) = &rows[key];
        let count = own.len().max(1) * others.len().max(1);
        tables::spend_rows(state, count)?;
        state.budget.spend_elements(2 * count as u64)?;
        let or_none = |rows: &[u32]| match rows {
            [] => vec![None],
            rows => rows.iter().copied().map(Some).collect(),
        };
        for row in or_none(own) {
            for other in or_none(others) {
                found.0.push(row);
                found.1.push(other);
            }
        }
    }
    Ok(found)
}

/// The columns of two tables at rows that belong together.
fn beside<S: Scalar>(
    state: &mut State<S>,
    left: &Side<S>,
    right: &Side<S>,
    kept: Kept,
    suffixes: (&str, &str),
    (left_rows, right_rows): (&Places, &Places),
) -> Outcome<Value<S>> {
    let index = merged_index(state, left, right, (left_rows, right_rows))?;
    let mut columns: Vec<FrameColumn<S>> = Vec::new();
    for (side, other, rows, suffix) in [(left, right, left_rows, suffixes.0), (right, left, right_rows, suffixes.1)] {
        let is_left = std::ptr::eq(side, left);
        for position in 0..side.frame.columns.len() {
            let label = side.frame.columns[position].label.clone();
            let is_shared_key = side.names.iter().zip(&other.names).any(|(own, theirs)| *own == label && own == theirs);
            if is_shared_key && !is_left {
                continue;
            }
            // A key that both have comes from the side that has all of them.
            let (from, at, rows) = match is_shared_key && kept == Kept::Right {
                true => (&right.frame, frames::column_position(&right.frame, &label)?, right_rows),
                false => (&side.frame, position, rows),
            };
            let column = frames::frame_column(state, from, at)?.column.clone();
            let mut column = picked_or_missing(state, &column, rows)?;
            if is_shared_key && kept == Kept::Both && rows.iter().any(Option::is_none) {
                let at = frames::column_position(&right.frame, &label)?;
                let theirs = frames::frame_column(state, &right.frame, at)?.column.clone();
                column = either_key(state, &side.frame, position, &theirs, (left_rows, right_rows))?;
            }
            let clashes = !is_shared_key && other.frame.position(&label).is_some();
            let label = if clashes { vec![Label::text(&format!("{}{suffix}", label_text(&label)))] } else { label };
            columns.push(FrameColumn { label, column, rows: None });
        }
    }
    let mut seen = std::collections::HashSet::new();
    if let Some(twice) = columns.iter().find(|column| !seen.insert(column.label.clone())) {
        let message = format!("two columns would have the name `{}`", label_text(&twice.label));
        return Err(Fault::hinted(Code::BadArgument, message, "rename one of them first"));
    }
    tables::new_frame(state, Frame { index, columns })
}

/// A key that comes from whichever side has it.
fn either_key<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    position: usize,
    theirs: &Column<S>,
    (left_rows, right_rows): (&Places, &Places),
) -> Outcome<Column<S>> {
    let own = frames::frame_column(state, frame, position)?;
    let mut cells = Vec::with_capacity(left_rows.len());
    for (left, right) in left_rows.iter().zip(right_rows) {
        cells.push(match (left, right) {
            (Some(row), _) => column::cell(state, &own.column, *row as usize)?,
            (None, Some(row)) => column::cell(state, theirs, *row as usize)?,
            (None, None) => Value::Missing,
        });
    }
    column::column_of(state, cells)
}

/// Rows of people stay known: those of the table with the secret, or else of the left one.
fn merged_index<S: Scalar>(
    state: &mut State<S>,
    left: &Side<S>,
    right: &Side<S>,
    (left_rows, right_rows): (&[Option<u32>], &[Option<u32>]),
) -> Outcome<Index> {
    let is_secret = |side: &Side<S>| side.frame.columns.iter().any(|column| column.column.is_secret());
    let by_right = !is_secret(left) && is_secret(right);
    let (side, rows) = if by_right { (right, right_rows) } else { (left, left_rows) };
    let origin = match derived::origin_of(state, &side.frame.index)? {
        Some((table, origin)) if rows.iter().all(Option::is_some) => {
            Some((table, Rc::new(rows.iter().flatten().map(|row| origin[*row as usize]).collect())))
        }
        _ => None,
    };
    Ok(derived::made_rows(state, rows.len(), origin))
}

/// The values at some rows; missing ones where there is no row.
pub(super) fn picked_or_missing<S: Scalar>(
    state: &mut State<S>,
    column: &Column<S>,
    rows: &[Option<u32>],
) -> Outcome<Column<S>> {
    tables::spend_rows(state, rows.len())?;
    tables::spend_bytes(state, rows.len() * column.bytes_per_row())?;
    if let Some(all) = rows.iter().copied().collect::<Option<Vec<u32>>>() {
        return Ok(column.gather(&all));
    }
    if let Column::Texts { codes, labels, words } = column {
        let code = |row: &Option<u32>| row.map_or(privug_tables::table::NO_LABEL, |row| codes[row as usize]);
        let codes = Arc::new(rows.iter().map(code).collect());
        return Ok(Column::Texts { codes, labels: labels.clone(), words: *words });
    }
    let mut values = Vec::with_capacity(rows.len());
    for row in rows {
        values.push(match row {
            None => Value::Missing,
            Some(row) => match column::cell(state, column, *row as usize)? {
                // pandas makes integers beside gaps floats.
                Value::Int(value) => Value::Float(S::from_i64(value)),
                other => other,
            },
        });
    }
    column::column_of(state, values)
}

/// `left.join(right, on=…, how="left")`
pub(super) fn joined_tables<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [other, on, how, left_suffix, right_suffix] =
        arguments.bind("join", ["other", "on", "how", "lsuffix", "rsuffix"], 1, 3)?;
    let (left, right) = (frame_argument(state, object)?, frame_argument(state, given(other)?.value)?);
    let kept = match how.map_or("left".to_owned(), |how| text::show(state, how.value)).as_str() {
        "left" => Kept::Left,
        "inner" => Kept::None,
        _ => return Err(Fault::new(Code::BadArgument, "`how` must be \"left\" or \"inner\"")),
    };
    if on.is_none() && !left.index.same(&right.index) {
        let hint = "name the column: `left.join(right, on=\"x\")`";
        return Err(Fault::hinted(Code::DifferentRows, "tables with different rows are joined", hint));
    }
    if on.is_none() && left.index.same(&right.index) {
        let mut both = left.clone();
        for column in &right.columns {
            if left.position(&column.label).is_some() {
                return Err(Fault::new(Code::BadArgument, "the joined tables have a column in common"));
            }
            both.columns.push(column.clone());
        }
        return tables::new_frame(state, both);
    }
    let text = |state: &State<S>, suffix: Option<super::super::builtins::Argument<'_, S>>| {
        suffix.map_or(String::new(), |suffix| text::show(state, suffix.value))
    };
    let suffixes = (text(state, left_suffix), text(state, right_suffix));
    let left = merge_side(state, left, on.map(|on| on.value.clone()))?;
    let rows = left.frame.index.clone();
    let mut right = right;
    if kept == Kept::None {
        // The rows of the left table that have a partner are those in which this is not missing.
        let (label, there) = (vec![Label::text("\0there")], vec![true; right.len()]);
        right.columns.push(FrameColumn { label, column: Column::Booleans(Arc::new(there)), rows: None });
    }
    let right = merge_side(state, right, None)?;
    let joined = merged(state, &left, &right, Kept::Left, (&suffixes.0, &suffixes.1))?;
    match joined {
        Value::Frame(handle) if tables::frame(state, handle).len() == rows.len() => {
            // A join keeps the rows of the left table as they are called.
            state.heap.frames[handle as usize].index = rows;
            if kept == Kept::Left {
                return Ok(Value::Frame(handle));
            }
            let mut frame = tables::frame(state, handle).clone();
            let place = frames::column_position(&frame, &[Label::text("\0there")])?;
            let there = frames::frame_column(state, &frame, place)?;
            frame.columns.remove(place);
            let chosen = (0..frame.len() as u32).filter(|row| !there.column.is_missing(*row as usize)).collect();
            derived::rows_at(state, &frame, chosen)
        }
        _ => Err(Fault::hinted(
            Code::BadArgument,
            "the right table has a key twice, or a key is missing",
            "use `merge`, which renumbers the rows",
        )),
    }
}
