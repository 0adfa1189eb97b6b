//! Crossed tables: `pd.crosstab` and `pivot_table`.

use crate::sorting::CompactSort;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::super::builtins::{Argument, Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::{RowSet, Statistic};
use super::gaps::complete_rows;
use super::grouping::level_of;
use super::shape::Shape;
use super::{Column, Frame, FrameColumn, Index, Keys, Label, Level, Series};
use super::{categories, column, columns_method, counted, derived, frames, grouping, groups_method, made};
use crate::evaluate::{compare, containers, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// What is crossed with what, and what is shown in the cells.
pub(super) struct Crossing<S> {
    pub(super) rows: Vec<Rc<Series<S>>>,
    pub(super) columns: Vec<Rc<Series<S>>>,
    /// What is added up; nothing if rows are counted.
    pub(super) values: Option<Rc<Series<S>>>,
    pub(super) statistic: Statistic,
    /// What stands in the cells that have no rows.
    empty: Value<S>,
    /// What the margins are called, if there are any.
    pub(super) margins: Option<String>,
    /// Other columns of the same table: margins are made from the rows in which none of them is missing either.
    beside: Vec<Rc<Series<S>>>,
    /// `dropna=False`: groups without a figure stay, and margins are made from all rows.
    keeps_empty: bool,
}

/// `pd.crosstab(index, columns, values=, aggfunc=, margins=)`
pub(in super::super) fn crosstab<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let parameters = [
        "index",
        "columns",
        "values",
        "aggfunc",
        "margins",
        "margins_name",
        "normalize",
        "rownames",
        "colnames",
        "dropna",
    ];
    let [index, columns, values, figure, margins, margins_name, shares, row_names, column_names, drops] =
        arguments.bind("crosstab", parameters, 2, 3)?;
    let keeps_empty = !derived::flag(state, drops, true)?;
    for names in [row_names, column_names].into_iter().flatten() {
        made::refuse_secret_name(state, names.value).map_err(|fault| fault.at_argument(names.index))?;
    }
    let (rows, _, _) = groups_method::grouping_columns(state, None, given(index)?.value)?;
    let (columns, _, _) = groups_method::grouping_columns(state, None, given(columns)?.value)?;
    let (values, statistic, empty) = match (values, figure) {
        // A cell without rows is a count too, of nobody.
        (None, None) => (None, Statistic::Size, counted::count_rows(state, &rows[0].index, RowSet::Some(&[]))?),
        (Some(values), Some(figure)) => {
            let statistic = columns_method::statistic_named(state, figure.value)
                .map_err(|fault| fault.at_argument(figure.index))?;
            let Value::Series(series) = values.value else {
                let message = format!("the values are {}, not a column", values.value.kind());
                return Err(Fault::new(Code::TypeMismatch, message).at_argument(values.index));
            };
            (Some(series.clone()), statistic, Value::Missing)
        }
        _ => {
            let hint = "such as `values=p.income, aggfunc=\"mean\"`";
            return Err(Fault::hinted(Code::WrongArguments, "`values` and `aggfunc` go together", hint));
        }
    };
    let margins = self::margins(state, margins.map(|margins| margins.value), margins_name.map(|name| name.value))?;
    let crossing = Crossing { rows, columns, values, statistic, empty, margins, beside: Vec::new(), keeps_empty };
    refuse_gaps_kept(&crossing)?;
    match shares.filter(|shares| !matches!(shares.value, Value::Bool(false))) {
        None => cross(state, &crossing),
        Some(shares) => categories::grouped::cross_shares(state, &crossing, shares),
    }
}

/// `frame.pivot_table(values=, index=, columns=, aggfunc=, margins=)`, or `pd.pivot_table(frame, …)`
pub(in super::super) fn pivot_table<S: Scalar>(
    state: &mut State<S>,
    object: Option<&Value<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [data, values, index, columns, figure, fill, margins, margins_name, _, drops, sorts] = match object {
        Some(_) => {
            let parameters = PIVOT_PARAMETERS;
            let [values, index, columns, figure, fill, margins, name, observed, drops, sorts] =
                arguments.bind("pivot_table", parameters, 0, 4)?;
            [None, values, index, columns, figure, fill, margins, name, observed, drops, sorts]
        }
        None => {
            let mut parameters = ["data"; 11];
            parameters[1..].copy_from_slice(&PIVOT_PARAMETERS);
            arguments.bind("pivot_table", parameters, 1, 5)?
        }
    };
    let keeps_empty = !derived::flag(state, drops, true)?;
    derived::required_option(state, "sort", sorts, true)?;
    let frame = match object.or(data.map(|data| data.value)) {
        Some(Value::Frame(handle)) => tables::frame(state, *handle).clone(),
        _ => return Err(Fault::new(Code::TypeMismatch, "`pivot_table` is made from a table")),
    };
    let Some(index) = index else {
        let hint = "name what is crossed: `index=\"region\"`";
        return Err(Fault::hinted(Code::WrongArguments, "a pivot table needs an `index`", hint));
    };
    let (rows, _, _) = groups_method::grouping_columns(state, Some(&frame), index.value)?;
    let columns = match columns.map(|columns| columns.value) {
        None | Some(Value::None) => Vec::new(),
        Some(columns) => groups_method::grouping_columns(state, Some(&frame), columns)?.0,
    };
    let empty = match fill.map(|fill| fill.value) {
        None | Some(Value::None) => Value::Missing,
        Some(value) => value.clone(),
    };
    let margins = self::margins(state, margins.map(|margins| margins.value), margins_name.map(|name| name.value))?;
    let is_several =
        |values: Option<Argument<'_, S>>| values.is_none_or(|values| frames::label_of(state, values.value).is_none());
    if keeps_empty
        && (is_several(values) || figure.is_some_and(|figure| matches!(figure.value, Value::Dict(_) | Value::List(_))))
    {
        let hint = "make one table for each: `values=\"income\", aggfunc=\"mean\"`";
        return Err(Fault::hinted(Code::BadArgument, "`dropna=False` is for one figure of one column here", hint));
    }
    if let Some((figure, Value::Dict(handle))) = figure.map(|figure| (figure, figure.value)) {
        let shown = values.map(|values| derived::names(state, values.value)).transpose()?;
        if margins.is_some() && shown.is_none() && frame.columns.iter().any(|column| column.column.has_gaps()) {
            let message = "pandas makes these margins from the rows in which no column of the table is missing";
            return Err(Fault::hinted(Code::BadArgument, message, "name the columns: `values=[...]`"));
        }
        let mut figures = Vec::new();
        for (name, statistic) in state.heap.dict(*handle).entries.clone() {
            if matches!(statistic, Value::List(_)) && margins.is_none() && columns.is_empty() {
                let hint = "name them one by one: `p.groupby(\"region\").agg(mean=(\"income\", \"mean\"))`";
                return Err(Fault::hinted(Code::WrongArguments, "a column has several figures", hint));
            }
            let statistic =
                columns_method::statistic_named(state, &statistic).map_err(|fault| fault.at_argument(figure.index))?;
            let Some(label) = frames::key_labels(state, &name) else { return Err(frames::not_a_name(&name)) };
            if shown.as_ref().is_some_and(|shown| !shown.contains(&label)) {
                let message = format!("`aggfunc` names {}, which is not among the values", text::show(state, &name));
                return Err(Fault::new(Code::BadArgument, message).at_argument(figure.index));
            }
            figures.push((label, statistic));
        }
        return cross_columns(state, &frame, figures, (rows, columns), (&empty, margins.as_ref()));
    }
    let values = values.filter(|values| !matches!(values.value, Value::None));
    let Some(values) = values else {
        let is_size = |figure: &Argument<'_, S>| columns_method::statistic_named(state, figure.value);
        if !figure.is_some_and(|figure| is_size(&figure).is_ok_and(|statistic| statistic == Statistic::Size)) {
            let hint = "name the column: `values=\"income\"`, or count rows: `aggfunc=\"size\"`";
            return Err(Fault::hinted(Code::WrongArguments, "a pivot table needs `values` here", hint));
        }
        return pivot_sizes(state, rows, columns, (empty, margins));
    };
    if let list @ Value::List(_) = values.value {
        let names = derived::names(state, list)?;
        if let Some(figures) = figure.filter(|figure| matches!(figure.value, Value::List(_))) {
            return cross_all(state, &frame, &names, figures.value, (rows, columns), (&empty, margins.as_ref()));
        }
        let statistic = match figure {
            Some(figure) => {
                columns_method::statistic_named(state, figure.value).map_err(|fault| fault.at_argument(figure.index))?
            }
            None => Statistic::Mean,
        };
        let figures = names.into_iter().map(|name| (name, statistic)).collect();
        return cross_columns(state, &frame, figures, (rows, columns), (&empty, margins.as_ref()));
    }
    let label = match frames::label_of(state, values.value) {
        Some(label) => vec![label],
        None => {
            let hint = "name one column: `values=\"income\"`";
            return Err(Fault::hinted(Code::BadArgument, "a pivot table shows one column here", hint));
        }
    };
    let position = frames::column_position(&frame, &label)?;
    let values = Some(frames::frame_column(state, &frame, position)?);
    if let Some(figures) = figure.filter(|figure| matches!(figure.value, Value::List(_))) {
        let (statistic, beside) = (Statistic::Mean, Vec::new());
        let crossing = Crossing { rows, columns, values, statistic, empty, margins, beside, keeps_empty };
        return cross_several(state, crossing, figures.value);
    }
    let statistic = match figure {
        Some(figure) => {
            columns_method::statistic_named(state, figure.value).map_err(|fault| fault.at_argument(figure.index))?
        }
        None => Statistic::Mean,
    };
    let crossing = Crossing { rows, columns, values, statistic, empty, margins, beside: Vec::new(), keeps_empty };
    refuse_gaps_kept(&crossing)?;
    cross(state, &crossing)
}

/// With `dropna=False` keys of several parts get all combinations of them, and which missing keys are groups depends on the
/// version of pandas.
fn refuse_gaps_kept<S: Scalar>(crossing: &Crossing<S>) -> Outcome<()> {
    let mut keys = crossing.rows.iter().chain(&crossing.columns);
    if !crossing.keeps_empty
        || (crossing.rows.len() <= 1 && crossing.columns.len() <= 1 && !keys.any(|key| key.column.has_gaps()))
    {
        return Ok(());
    }
    let hint = "cross one column with one, and fill in missing ones first: `.fillna(\"unknown\")`";
    Err(Fault::hinted(Code::BadArgument, "`dropna=False` of these columns depends on the pandas version", hint))
}

/// `frame.pivot_table(index=, columns=, aggfunc="size")`: the numbers of rows; without columns, a column of them.
fn pivot_sizes<S: Scalar>(
    state: &mut State<S>,
    rows: Vec<Rc<Series<S>>>,
    columns: Vec<Rc<Series<S>>>,
    (empty, margins): (Value<S>, Option<String>),
) -> Outcome<Value<S>> {
    if margins.is_some() {
        let message = "pandas makes no margins of `aggfunc=\"size\"` without `values`";
        return Err(Fault::hinted(Code::BadArgument, message, "write `pd.crosstab(index, columns, margins=True)`"));
    }
    let (statistic, scalar, is_crossed) = (Statistic::Size, rows.len() == 1, !columns.is_empty());
    let beside = Vec::new();
    let crossing = Crossing { rows, columns, values: None, statistic, empty, margins, beside, keeps_empty: false };
    let Value::Frame(handle) = cross(state, &crossing)? else { return Ok(Value::Poison) };
    if is_crossed {
        return Ok(Value::Frame(handle));
    }
    let frame = tables::frame(state, handle).clone();
    let index = match &frame.index {
        Index::Keys(keys) => Index::Keys(Keys::shaped(keys.labels.clone(), scalar, keys.levels.clone(), keys.shape)),
        other => other.clone(),
    };
    let column = match frame.columns.into_iter().next() {
        Some(column) => column.column,
        None => column::column_of(state, Vec::new())?,
    };
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// Several figures of several columns: one crossed table beside the other, each under the name of its figure.
fn cross_all<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    names: &[Vec<Label>],
    figures: &Value<S>,
    (rows, columns): (Vec<Rc<Series<S>>>, Vec<Rc<Series<S>>>),
    (empty, margins): (&Value<S>, Option<&String>),
) -> Outcome<Value<S>> {
    let mut all: Option<Frame<S>> = None;
    for figure in containers::elements(state, figures)? {
        let statistic = columns_method::statistic_named(state, &figure)?;
        let each = names.iter().map(|name| (name.clone(), statistic)).collect();
        let crossed = cross_columns(state, frame, each, (rows.clone(), columns.clone()), (empty, margins))?;
        let Value::Frame(handle) = crossed else { return Ok(crossed) };
        let mut next = tables::frame(state, handle).clone();
        let label = Label::text(&text::show(state, &figure));
        next.columns.iter_mut().for_each(|column| column.label.insert(0, label.clone()));
        put_beside(&mut all, next, "figure")?;
    }
    let all = all.ok_or_else(|| Fault::new(Code::BadArgument, "a pivot table shows no figure"))?;
    tables::new_frame(state, all)
}

/// One crossed table beside the other, each under the name of its column, in the order of these.
fn cross_columns<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    mut figures: Vec<(Vec<Label>, Statistic)>,
    (rows, columns): (Vec<Rc<Series<S>>>, Vec<Rc<Series<S>>>),
    (empty, margins): (&Value<S>, Option<&String>),
) -> Outcome<Value<S>> {
    figures.sort_compact_by(|(one, _), (other, _)| one.cmp(other));
    let mut beside = Vec::with_capacity(figures.len());
    for (name, _) in &figures {
        let position = frames::column_position(frame, name)?;
        beside.push(frames::frame_column(state, frame, position)?);
    }
    let mut all: Option<Frame<S>> = None;
    for (place, (name, statistic)) in figures.into_iter().enumerate() {
        let values = Some(beside[place].clone());
        let (rows, columns) = (rows.clone(), columns.clone());
        let is_crossed = !columns.is_empty();
        let (empty, margins, beside) = (empty.clone(), margins.cloned(), beside.clone());
        let crossing = Crossing { rows, columns, values, statistic, empty, margins, beside, keeps_empty: false };
        let Value::Frame(handle) = cross(state, &crossing)? else { continue };
        let mut next = tables::frame(state, handle).clone();
        if is_crossed {
            next.columns.iter_mut().for_each(|column| column.label.insert(0, name[0].clone()));
        }
        put_beside(&mut all, next, "column")?;
    }
    let all = all.ok_or_else(|| Fault::new(Code::BadArgument, "a pivot table shows no column"))?;
    tables::new_frame(state, all)
}

/// One crossed table beside the other, each under the name of its figure.
fn cross_several<S: Scalar>(state: &mut State<S>, mut crossing: Crossing<S>, figures: &Value<S>) -> Outcome<Value<S>> {
    let mut all: Option<Frame<S>> = None;
    for figure in containers::elements(state, figures)? {
        crossing.statistic = columns_method::statistic_named(state, &figure)?;
        let Value::Frame(handle) = cross(state, &crossing)? else { continue };
        let mut next = tables::frame(state, handle).clone();
        let name = Label::text(&text::show(state, &figure));
        next.columns.iter_mut().for_each(|column| column.label.insert(0, name.clone()));
        put_beside(&mut all, next, "figure")?;
    }
    let all = all.ok_or_else(|| Fault::new(Code::BadArgument, "a pivot table shows no figure"))?;
    tables::new_frame(state, all)
}

/// What the margins are called, if they are wanted.
fn margins<S: Scalar>(
    state: &mut State<S>,
    wanted: Option<&Value<S>>,
    name: Option<&Value<S>>,
) -> Outcome<Option<String>> {
    let wanted = match wanted {
        Some(value) => compare::truth(state, value)?,
        None => false,
    };
    Ok(wanted.then(|| name.map_or("All".to_owned(), |name| text::show(state, name))))
}

pub(super) fn cross<S: Scalar>(state: &mut State<S>, crossing: &Crossing<S>) -> Outcome<Value<S>> {
    let (depth, width) = (crossing.rows.len(), crossing.columns.len());
    let both: Vec<Rc<Series<S>>> = crossing.rows.iter().chain(&crossing.columns).cloned().collect();
    let same_rows = |series: &Rc<Series<S>>| series.index.same(&both[0].index);
    if !both.iter().chain(&crossing.values).all(same_rows) {
        let hint = "take them all from the same table or filter";
        return Err(Fault::hinted(Code::DifferentRows, "columns of different rows are crossed", hint));
    }
    let mut cells = cross_figures(state, crossing, &both)?;
    // Groups without a figure are no groups to pandas; but counts of nothing are figures.
    cells.retain(|_, figure| crossing.keeps_empty || !matches!(figure, Value::Missing));
    let levels = |columns: &[Rc<Series<S>>]| columns.iter().map(|series| level_of(series)).collect::<Vec<Level>>();
    let row_levels = levels(&crossing.rows);
    let mut row_keys = in_order(cells.keys().map(|key| key[..depth].to_vec()), &row_levels);
    let column_levels = levels(&crossing.columns);
    let mut column_keys = in_order(cells.keys().map(|key| key[depth..].to_vec()), &column_levels);
    let is_open = |level: &Level, keys: &[Vec<Label>], at: usize| {
        let used = |label: &Label| keys.iter().any(|key| key[at] == *label);
        level.categories.as_ref().is_some_and(|categories| !categories.iter().all(used))
    };
    let of_rows = row_levels.iter().enumerate().any(|(at, level)| is_open(level, &row_keys, at));
    if of_rows || column_levels.iter().enumerate().any(|(at, level)| is_open(level, &column_keys, at)) {
        let message = "some categories have no rows, and whether they are shown depends on the pandas version";
        return Err(Fault::hinted(Code::BadArgument, message, "make the categories strings: `.astype(str)`"));
    }
    let mut all = cells;
    if let Some(name) = &crossing.margins {
        let crossing = &complete(state, crossing)?;
        let margin = |levels: usize| {
            let label = |level: usize| if level == 0 { Label::text(name) } else { Label::text("") };
            (0..levels).map(label).collect::<Vec<Label>>()
        };
        if width > 0 {
            for (key, value) in cross_figures(state, crossing, &crossing.rows)? {
                all.insert(key.into_iter().chain(margin(width)).collect(), value);
            }
            column_keys.push(margin(width));
        }
        let foot = if width > 0 { cross_figures(state, crossing, &crossing.columns)? } else { HashMap::new() };
        for (key, value) in foot {
            all.insert(margin(depth).into_iter().chain(key).collect(), value);
        }
        let total = cross_figures(state, crossing, &[])?.remove([].as_slice());
        all.insert(margin(depth).into_iter().chain(margin(width)).collect(), total.unwrap_or(Value::Missing));
        row_keys.push(margin(depth));
    }
    let mut columns = Vec::with_capacity(column_keys.len());
    for column_key in &column_keys {
        let mut values = Vec::with_capacity(row_keys.len());
        for row_key in &row_keys {
            let key: Vec<Label> = row_key.iter().chain(column_key).cloned().collect();
            values.push(all.get(&key).unwrap_or(&crossing.empty).clone());
        }
        let column = column::column_of(state, values)?;
        let label = match (column_key.as_slice(), &crossing.values) {
            ([], Some(values)) => vec![Label::text(values.name.as_deref().unwrap_or("value"))],
            (label, _) => label.to_vec(),
        };
        columns.push(FrameColumn { label, column, rows: None });
    }
    // The label of a margin is no category.
    let plain = |level: Level| Level { categories: level.categories.filter(|_| crossing.margins.is_none()), ..level };
    let row_levels = row_levels.into_iter().map(plain).collect();
    let is_secret = |series: &[Rc<Series<S>>]| series.iter().any(|one| matches!(one.column, Column::Choices(_)));
    let shape = Shape { rows: is_secret(&crossing.rows), columns: is_secret(&crossing.columns), ..Shape::default() };
    tables::new_frame(
        state,
        Frame { index: Index::Keys(Keys::shaped(row_keys, depth == 1, row_levels, shape)), columns },
    )
}

/// What margins are made from: the rows in which nothing is missing.
fn complete<S: Scalar>(state: &mut State<S>, crossing: &Crossing<S>) -> Outcome<Crossing<S>> {
    let used = || crossing.rows.iter().chain(&crossing.columns).chain(&crossing.values).chain(&crossing.beside);
    let columns: Vec<&Column<S>> = used().map(|series| &series.column).collect();
    let count = crossing.rows[0].len();
    let rows = if crossing.keeps_empty { (0..count as u32).collect() } else { complete_rows(&columns, count) };
    let rows = Rc::new(rows);
    let mut picked = |series: &Rc<Series<S>>| -> Outcome<Rc<Series<S>>> {
        if rows.len() == count {
            return Ok(series.clone());
        }
        let (column, index) = (column::gathered(state, &series.column, Some(&rows))?, series.index.picked(&rows));
        Ok(Rc::new(Series { name: series.name.clone(), column, index }))
    };
    Ok(Crossing {
        rows: crossing.rows.iter().map(&mut picked).collect::<Outcome<_>>()?,
        columns: crossing.columns.iter().map(&mut picked).collect::<Outcome<_>>()?,
        values: crossing.values.iter().map(&mut picked).next().transpose()?,
        statistic: crossing.statistic,
        empty: crossing.empty.clone(),
        margins: crossing.margins.clone(),
        beside: Vec::new(),
        keeps_empty: crossing.keeps_empty,
    })
}

/// The figure of each group of the given columns; of everything, for none.
pub(super) fn cross_figures<S: Scalar>(
    state: &mut State<S>,
    crossing: &Crossing<S>,
    by: &[Rc<Series<S>>],
) -> Outcome<HashMap<Vec<Label>, Value<S>>> {
    let values = crossing.values.as_ref().unwrap_or(&crossing.rows[0]);
    if by.is_empty() {
        let total = counted::series_statistic(state, crossing.statistic, values)?;
        return Ok(HashMap::from([(Vec::new(), total)]));
    }
    if let Some(keys) = categories::grouped::secret_keys(by, false)? {
        if crossing.values.is_some() {
            return Err(categories::refuse_choice("values are added up by", keys.secret()));
        }
        return Ok(categories::grouped::count_by_secret(state, &keys)?.into_iter().collect());
    }
    let grouped = grouping::group(state, by, false)?;
    let figures = counted::series_group_statistics(state, crossing.statistic, values, grouped.members())?;
    Ok(grouped.keys.labels.iter().cloned().zip(figures).collect())
}

/// Different keys, in the order of their parts.
fn in_order(keys: impl Iterator<Item = Vec<Label>>, levels: &[Level]) -> Vec<Vec<Label>> {
    let mut keys: Vec<Vec<Label>> = keys.collect::<HashSet<_>>().into_iter().collect();
    let order = Keys::of_levels(Vec::new(), false, levels.to_vec());
    keys.sort_compact_by(|a, b| order.order(a, b));
    keys
}

const PIVOT_PARAMETERS: [&str; 10] =
    ["values", "index", "columns", "aggfunc", "fill_value", "margins", "margins_name", "observed", "dropna", "sort"];

/// Puts a crossed table beside those before it; `what` each of them is for.
fn put_beside<S: Scalar>(all: &mut Option<Frame<S>>, next: Frame<S>, what: &str) -> Outcome<()> {
    match all {
        None => *all = Some(next),
        Some(all) if all.index.same(&next.index) => all.columns.extend(next.columns),
        Some(_) => {
            let (message, hint) =
                (format!("the {what}s have different rows"), format!("make one pivot table for each {what}"));
            return Err(Fault::hinted(Code::DifferentRows, message, hint));
        }
    }
    Ok(())
}
