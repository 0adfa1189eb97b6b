//! `groupby` and what can be done with groups.

use std::rc::Rc;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::aggregate::{RowSet, Statistic};
use super::columns_method::{accessed, spread_of, statistic_of, unknown_method};
use super::figures::Figured;
use super::grouping::{Chosen, GroupBy, Grouped, NO_GROUP, level_of};
use super::{Accessor, Column, Frame, FrameColumn, Index, Keys, Label, Series, label_text, not_linear, secret_decides};
use super::{
    alignment, categories, column, columns_method, counted, derived, figures, frames, grouping, lookup, order, public,
    running,
};
use crate::evaluate::{compare, containers, ndarray, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Method, TableMethod};

/// What `groupby` is asked for.
struct Options {
    sorted: bool,
    /// Whether only categories with rows are groups; `None` if nothing is said.
    observed: Option<bool>,
    drops_gaps: bool,
    as_index: bool,
    group_keys: bool,
    /// Whether parts of the index are named, and not columns.
    by_level: bool,
}

/// `frame.groupby(by)`
pub(super) fn group_frame<S: Scalar>(
    state: &mut State<S>,
    frame: &Frame<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let (by, options) = groupby_argument(state, arguments)?;
    let by = if options.by_level { levels_for_names(state, &frame.index, by, true)? } else { by };
    let (columns, names, scalar) = grouping_columns(state, Some(frame), &by)?;
    let by_secret = categories::grouped::secret_keys(&columns, scalar)?.map(Rc::new);
    let public = by_secret.as_ref().map_or(columns.as_slice(), |keys| keys.public());
    let grouped = Rc::new(grouped_as(state, public, scalar, &options)?);
    let (frame, chosen) = (frame.clone(), Chosen::Rest);
    let (keyless, puts_keys) = (!options.as_index, options.group_keys);
    Ok(Value::Groups(Rc::new(GroupBy { frame, by: names, chosen, grouped, by_secret, keyless, puts_keys })))
}

/// `column.groupby(other_column)`
pub(super) fn group_series<S: Scalar>(
    state: &mut State<S>,
    series: &Rc<Series<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let (by, options) = groupby_argument(state, arguments)?;
    let mut by = levels_for_names(state, &series.index, by, options.by_level)?;
    if let Value::Array(_) = by {
        by = Value::Series(public::array_as_column(state, &by, &series.index)?);
    }
    let (columns, _, scalar) = grouping_columns(state, None, &by)?;
    let by_secret = categories::grouped::secret_keys(&columns, scalar)?.map(Rc::new);
    if columns.iter().any(|column| !column.index.same(&series.index)) {
        let hint = "take both from the same table or filter";
        return Err(Fault::hinted(Code::DifferentRows, "a column is grouped by other rows", hint));
    }
    let public = by_secret.as_ref().map_or(columns.as_slice(), |keys| keys.public());
    let grouped = Rc::new(grouped_as(state, public, scalar, &options)?);
    let label = vec![Label::text(series.name.as_deref().unwrap_or_default())];
    let column = FrameColumn { label, column: series.column.clone(), rows: None };
    let frame = Frame { index: series.index.clone(), columns: vec![column] };
    let (chosen, keyless, puts_keys) = (Chosen::One(0), false, options.group_keys);
    Ok(Value::Groups(Rc::new(GroupBy { frame, by: Vec::new(), chosen, grouped, by_secret, keyless, puts_keys })))
}

fn groupby_argument<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<(Value<S>, Options)> {
    let parameters = ["by", "sort", "observed", "dropna", "as_index", "group_keys", "level"];
    let [by, sort, observed, drops, as_index, group_keys, level] = arguments.bind("groupby", parameters, 0, 1)?;
    let observed = match observed {
        Some(observed) => Some(compare::truth(state, observed.value)?),
        None => None,
    };
    let (sorted, drops_gaps) = (derived::flag(state, sort, true)?, derived::flag(state, drops, true)?);
    let (as_index, group_keys) = (derived::flag(state, as_index, true)?, derived::flag(state, group_keys, true)?);
    let options = Options { sorted, observed, drops_gaps, as_index, group_keys, by_level: false };
    match (by, level) {
        (None, Some(level)) => Ok((level.value.clone(), Options { by_level: true, ..options })),
        (by, _) => given(by).map(|by| (by.value.clone(), options)),
    }
}

/// Parts of an index in place of their names, or of their numbers if these are asked for.
fn levels_for_names<S: Scalar>(state: &mut State<S>, index: &Index, by: Value<S>, by_level: bool) -> Outcome<Value<S>> {
    let Index::Keys(keys) = index else { return Ok(by) };
    if let Value::List(_) = &by {
        let mut parts = Vec::new();
        for part in containers::elements(state, &by)? {
            parts.push(levels_for_names(state, index, part, by_level)?);
        }
        return state.list(parts);
    }
    let place = match &by {
        Value::Text(_) => {
            let wanted = text::show(state, &by);
            (0..keys.depth()).find(|at| keys.level(*at).name.as_deref() == Some(wanted.as_str()))
        }
        Value::Int(_) if by_level => Some(ndarray::reduce::one_axis(&by, keys.depth())?),
        _ => None,
    };
    let Some(place) = place else { return Ok(by) };
    let column = derived::key_column(state, keys, place)?;
    let name = keys.level(place).name;
    Ok(Value::Series(Rc::new(Series { name, column, index: index.clone() })))
}

/// The groups of rows, as `groupby` is asked for them.
fn grouped_as<S: Scalar>(
    state: &mut State<S>,
    columns: &[Rc<Series<S>>],
    scalar: bool,
    options: &Options,
) -> Outcome<Grouped> {
    let gaps_too = !options.drops_gaps && columns.iter().any(|series| series.column.has_gaps());
    if gaps_too && columns.iter().any(|series| level_of(series).categories.is_some()) {
        let hint = "fill them in first: `p[\"x\"] = p.x.fillna(\"unknown\")`";
        return Err(Fault::hinted(Code::BadArgument, "missing categories are no groups here", hint));
    }
    let grouped = grouping::group_gaps(state, columns, scalar, gaps_too)?;
    let grouped = with_empty_groups(state, grouped, columns, options)?;
    if options.sorted {
        return Ok(grouped);
    }
    // In the order in which they appear.
    let mut order: Vec<u32> = Vec::new();
    let mut places = vec![NO_GROUP; grouped.keys.labels.len()];
    for code in grouped.codes.iter().filter(|code| **code != NO_GROUP) {
        if places[*code as usize] == NO_GROUP {
            places[*code as usize] = order.len() as u32;
            order.push(*code);
        }
    }
    let labels = order.iter().map(|code| grouped.keys.labels[*code as usize].clone()).collect();
    let place = |code: &u32| if *code == NO_GROUP { NO_GROUP } else { places[*code as usize] };
    let codes = grouped.codes.iter().map(place).collect();
    let shape = super::shape::Shape { is_by_appearance: true, ..Default::default() };
    Ok(Grouped::of_codes(codes, Keys::shaped(labels, scalar, grouped.keys.levels.clone(), shape)))
}

/// Categories that no row has are groups too, if pandas is asked for them; whether it is by default depends on its
/// version.
fn with_empty_groups<S: Scalar>(
    state: &mut State<S>,
    grouped: Grouped,
    columns: &[Rc<Series<S>>],
    options: &Options,
) -> Outcome<Grouped> {
    let levels = &grouped.keys.levels;
    if options.observed == Some(true) || levels.iter().all(|level| level.categories.is_none()) {
        return Ok(grouped);
    }
    let mut all: Vec<Vec<Label>> = vec![Vec::new()];
    for (at, level) in levels.iter().enumerate() {
        let labels: Vec<Label> = match &level.categories {
            Some(categories) => categories.to_vec(),
            None => {
                let mut labels: Vec<Label> = grouped.keys.labels.iter().map(|key| key[at].clone()).collect();
                labels.sort();
                labels.dedup();
                labels
            }
        };
        state.budget.spend_elements((all.len() * labels.len()) as u64)?;
        all = all
            .iter()
            .flat_map(|key| labels.iter().map(|label| key.iter().cloned().chain([label.clone()]).collect()))
            .collect();
    }
    if all.len() == grouped.keys.labels.len() {
        return Ok(grouped);
    }
    if options.observed.is_none() {
        let message = "some categories have no rows, and whether they form groups depends on the pandas version";
        return Err(Fault::hinted(Code::BadArgument, message, "write `observed=True` or `observed=False`"));
    }
    let _ = columns;
    let keys = Keys::of_levels(all, grouped.keys.scalar, levels.clone());
    let place = |code: &u32| match *code {
        NO_GROUP => NO_GROUP,
        code => keys.position(&grouped.keys.labels[code as usize]).map_or(NO_GROUP, |place| place as u32),
    };
    let codes = grouped.codes.iter().map(place).collect();
    Ok(Grouped::of_codes(codes, keys))
}

/// With `as_index=False` the keys of groups are columns.
pub(super) fn without_keys<S: Scalar>(state: &mut State<S>, groups: &GroupBy<S>, made: Value<S>) -> Outcome<Value<S>> {
    if !groups.keyless {
        return Ok(made);
    }
    let frame = match &made {
        Value::Series(series) => derived::frame_of_series(state, series, None)?,
        Value::Frame(handle) => tables::frame(state, *handle).clone(),
        _ => return Ok(made),
    };
    let reset = derived::reset_frame(state, &frame, false, None)?;
    tables::new_frame(state, reset)
}

/// The columns that are grouped by, the names of those that belong to the frame, and whether keys are single.
pub(super) fn grouping_columns<S: Scalar>(
    state: &mut State<S>,
    frame: Option<&Frame<S>>,
    by: &Value<S>,
) -> Outcome<(Vec<Rc<Series<S>>>, Vec<Vec<Label>>, bool)> {
    let (parts, scalar) = match by {
        Value::List(_) => (containers::elements(state, by)?, false),
        single => (vec![single.clone()], true),
    };
    if parts.is_empty() {
        return Err(Fault::new(Code::BadArgument, "rows are grouped by nothing"));
    }
    let (mut columns, mut names) = (Vec::new(), Vec::new());
    for part in &parts {
        let series = match (part, frame) {
            (Value::Series(series), _) => match frame {
                Some(frame) if !series.index.same(&frame.index) => {
                    let Some(column) = alignment::put_beside(state, series, &frame.index)? else {
                        let hint = "take it from the same table or filter";
                        return Err(Fault::hinted(Code::DifferentRows, "a table is grouped by other rows", hint));
                    };
                    Rc::new(Series { name: series.name.clone(), column, index: frame.index.clone() })
                }
                _ => series.clone(),
            },
            (array @ Value::Array(_), Some(frame)) => public::array_as_column(state, array, &frame.index)?,
            (Value::Dict(_), _) => {
                let hint = "look the groups up first: `p[\"group\"] = p.region.map(groups)`";
                return Err(Fault::hinted(
                    Code::WrongArguments,
                    "rows are grouped by a dictionary of their labels",
                    hint,
                ));
            }
            (name, Some(frame)) => {
                let Some(label) = frames::key_labels(state, name) else { return Err(frames::not_a_name(name)) };
                let position = frames::column_position(frame, &label)?;
                names.push(label);
                frames::frame_column(state, frame, position)?
            }
            (other, None) => {
                let message = format!("a column is grouped by another column, not by {}", other.kind());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
        };
        if series.column.is_secret() && !matches!(series.column, Column::Choices(_)) {
            return Err(secret_decides("rows are grouped", &series.shown_name()));
        }
        columns.push(series);
    }
    Ok((columns, names, scalar))
}

pub(super) fn groups_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    groups: &Rc<GroupBy<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    if let Some(keys) = &groups.by_secret {
        return categories::grouped::secret_groups_method(state, method, keys, arguments);
    }
    if let Some(statistic) = statistic_of(method) {
        let frame = columns_method::number_columns(method, &groups.frame, arguments)?;
        let figure = Figured::Statistic(statistic);
        if matches!(groups.chosen, Chosen::Rest) {
            let (by, grouped, keyless) = (groups.by.clone(), groups.grouped.clone(), groups.keyless);
            let (chosen, puts_keys) = (Chosen::Rest, groups.puts_keys);
            let groups = GroupBy { frame, by, chosen, grouped, by_secret: None, keyless, puts_keys };
            return aggregated(state, &groups, figure);
        }
        return aggregated(state, groups, figure);
    }
    match method {
        Method::Table(TableMethod::GroupSizes) => {
            arguments.none("size")?;
            let members = groups.grouped.members();
            let mut sizes = Vec::with_capacity(members.count());
            for group in 0..members.count() {
                sizes.push(counted::count_rows(state, &groups.frame.index, RowSet::Some(members.rows(group)))?);
            }
            let (column, index) = (column::column_of(state, sizes)?, Index::Keys(groups.grouped.keys.clone()));
            let name = groups.keyless.then(|| Rc::from("size"));
            let sizes = Value::Series(Rc::new(Series { name, column, index }));
            without_keys(state, groups, sizes)
        }
        Method::Table(TableMethod::ValueCounts) => {
            let normalized = categories::grouped::is_normalized(state, arguments)?;
            categories::grouped::groups_value_counts(state, groups, normalized)
        }
        Method::Table(TableMethod::Aggregate) if arguments.shape.positional == 0 => {
            let made = named_aggregate(state, groups, arguments)?;
            without_keys(state, groups, made)
        }
        Method::Table(TableMethod::Aggregate) => {
            let [figures] = arguments.bind("agg", ["func"], 1, 1)?;
            let figures = given(figures)?.value;
            let made = aggregate(state, groups, figures)?;
            // A single figure has lost its keys already.
            if matches!(figures, Value::Text(_)) { Ok(made) } else { without_keys(state, groups, made) }
        }
        Method::Table(TableMethod::Transform) => {
            let figure = figures::figure_named(state, arguments.one("transform")?)?;
            running::transformed(state, groups, figure)
        }
        Method::CumulativeSum => {
            arguments.none("cumsum")?;
            running::running_sums_of_groups(state, groups)
        }
        Method::Table(TableMethod::GetGroup) => {
            let key = arguments.one("get_group")?;
            let labels = frames::key_labels(state, key).unwrap_or_default();
            match groups.grouped.keys.position(&labels) {
                Some(group) => group_rows(state, groups, group),
                None => {
                    let message = format!("there is no group `{}`", label_text(&labels));
                    Err(Fault::new(Code::MissingKey, message))
                }
            }
        }
        Method::Table(TableMethod::GroupCount) => {
            counted::count_distinct(state, groups.grouped.keys.labels.len(), &groups.frame.index)
        }
        Method::Table(TableMethod::FirstRow(first)) => {
            arguments.none(method.name())?;
            aggregated(state, groups, Figured::End(first))
        }
        Method::Table(TableMethod::UniqueCount) => {
            arguments.none("nunique")?;
            aggregated(state, groups, Figured::Distinct)
        }
        Method::Table(TableMethod::NotLinear("describe")) if matches!(groups.chosen, Chosen::One(_)) => {
            arguments.none("describe")?;
            Ok(accessed(Accessor::Described, Value::Groups(groups.clone())))
        }
        Method::Table(
            TableMethod::Minimum
            | TableMethod::Maximum
            | TableMethod::StandardDeviation
            | TableMethod::Variance
            | TableMethod::Median,
        ) if groups.value_positions().iter().all(|at| has_figure(method, &groups.frame.columns[*at].column)) => {
            let frame = columns_method::number_columns(method, &groups.frame, arguments)?;
            let Some(spread) = spread_of(method) else { return Err(unknown_method(method, &Value::<S>::None)) };
            let (by, grouped, chosen) = (groups.by.clone(), groups.grouped.clone(), groups.chosen.clone());
            let frame = if matches!(chosen, Chosen::Rest) { frame } else { groups.frame.clone() };
            let (keyless, puts_keys) = (groups.keyless, groups.puts_keys);
            let groups = GroupBy { frame, by, chosen, grouped, by_secret: None, keyless, puts_keys };
            aggregated(state, &groups, Figured::Spread(spread))
        }
        Method::Table(TableMethod::Shift | TableMethod::Differences) => {
            running::moved_in_groups(state, method, groups, arguments)
        }
        Method::Table(TableMethod::Ends(start)) => {
            let members = groups.grouped.members();
            let mut rows = Vec::new();
            for group in 0..members.count() {
                let own = members.rows(group);
                let chosen = order::end_positions(state, start, own.len(), arguments)?;
                rows.extend(chosen.into_iter().map(|at| own[at as usize]));
            }
            rows.sort_unstable();
            if let Chosen::One(position) = groups.chosen {
                let series = frames::frame_column(state, &groups.frame, position)?;
                return derived::values_at(state, &series, rows);
            }
            let frame = groups.frame.clone();
            derived::rows_at(state, &frame, rows)
        }
        Method::Table(TableMethod::DatePart(_)) => {
            let name = state.text(method.name().to_owned())?;
            lookup::attribute_column(state, &Value::Groups(groups.clone()), &name)
        }
        Method::Table(
            TableMethod::Minimum
            | TableMethod::Maximum
            | TableMethod::StandardDeviation
            | TableMethod::Variance
            | TableMethod::Median
            | TableMethod::NotLinear(_),
        ) if groups.value_positions().iter().any(|at| groups.frame.columns[*at].column.is_secret()) => {
            Err(not_linear(method.name()))
        }
        other => Err(unknown_method(other, &Value::Groups(groups.clone()))),
    }
}

/// One figure for each group, of each column that is looked at.
fn aggregated<S: Scalar>(state: &mut State<S>, groups: &GroupBy<S>, figure: Figured) -> Outcome<Value<S>> {
    let index = Index::Keys(groups.grouped.keys.clone());
    if let Chosen::One(position) = groups.chosen {
        let (label, column) = group_figures(state, groups, position, figure)?;
        let name = Some(Rc::from(label_text(&label)));
        let made = Value::Series(Rc::new(Series { name, column: column.column, index }));
        return without_keys(state, groups, made);
    }
    let mut columns = Vec::new();
    for position in groups.value_positions() {
        columns.push(group_figures(state, groups, position, figure)?.1);
    }
    let made = tables::new_frame(state, Frame { index, columns })?;
    without_keys(state, groups, made)
}

fn group_figures<S: Scalar>(
    state: &mut State<S>,
    groups: &GroupBy<S>,
    position: usize,
    figure: Figured,
) -> Outcome<(Vec<Label>, FrameColumn<S>)> {
    let series = frames::frame_column(state, &groups.frame, position)?;
    let values = figures::figures_of_groups(state, figure, &series, groups.grouped.members())?;
    let label = groups.frame.columns[position].label.clone();
    let column = column::column_of(state, values)?;
    Ok((label.clone(), FrameColumn { label, column, rows: None }))
}

/// `groups.agg(n=("income", "size"), mean=("income", "mean"))`, of one column `groups.agg(n="size")`
fn named_aggregate<S: Scalar>(
    state: &mut State<S>,
    groups: &Rc<GroupBy<S>>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let mut columns = Vec::new();
    for (index, (name, figure)) in arguments.shape.keywords.iter().zip(arguments.values).enumerate() {
        let (position, figure) = match (figure, &groups.chosen) {
            (Value::Text(_) | Value::Series(_), Chosen::One(position)) => (*position, figure.clone()),
            (Value::Tuple(_), Chosen::Rest | Chosen::Some(_)) => {
                match containers::elements(state, figure)?.as_slice() {
                    [column, figure] => {
                        let Some(label) = frames::key_labels(state, column) else {
                            return Err(frames::not_a_name(column));
                        };
                        (frames::column_position(&groups.frame, &label)?, figure.clone())
                    }
                    _ => return Err(not_a_figure(name).at_argument(index)),
                }
            }
            _ => return Err(not_a_figure(name).at_argument(index)),
        };
        let (_, mut column) = figures::group_figure(state, groups, position, &figure)?;
        column.label = vec![Label::text(name)];
        columns.push(column);
    }
    tables::new_frame(state, Frame { index: Index::Keys(groups.grouped.keys.clone()), columns })
}

/// `groups.agg({"income": "mean", "hours": ["mean", "sum"]})`
fn aggregate_by_column<S: Scalar>(state: &mut State<S>, groups: &GroupBy<S>, figures: u32) -> Outcome<Value<S>> {
    let entries = state.heap.dict(figures).entries.clone();
    let several = entries.iter().any(|(_, figures)| matches!(figures, Value::List(_)));
    let mut columns = Vec::new();
    for (column, figures) in &entries {
        let Some(label) = frames::key_labels(state, column) else { return Err(frames::not_a_name(column)) };
        let position = frames::column_position(&groups.frame, &label)?;
        let figures = match figures {
            Value::List(_) => containers::elements(state, figures)?,
            single => vec![single.clone()],
        };
        for figure in &figures {
            let (label, mut column) = figures::group_figure(state, groups, position, figure)?;
            if several {
                column.label = label.into_iter().chain([figures::figure_label(state, figure)]).collect();
            }
            columns.push(column);
        }
    }
    tables::new_frame(state, Frame { index: Index::Keys(groups.grouped.keys.clone()), columns })
}

/// `groups.agg("mean")`, `groups.agg(["mean", "count"])`
fn aggregate<S: Scalar>(state: &mut State<S>, groups: &Rc<GroupBy<S>>, figures: &Value<S>) -> Outcome<Value<S>> {
    if let Value::Text(_) = figures {
        let figure = figures::figure_named(state, figures)?;
        if matches!(figure, Figured::Statistic(Statistic::Size)) {
            return Err(Fault::hinted(
                Code::BadArgument,
                "group sizes are not an aggregation of a column",
                "`.size()`",
            ));
        }
        return aggregated(state, groups, figure);
    }
    if let (Value::Series(computed), Chosen::One(position)) = (figures, &groups.chosen) {
        let (label, column) = figures::group_figure(state, groups, *position, figures)?;
        let (name, index) = (Some(Rc::from(label_text(&label))), computed.index.clone());
        return Ok(Value::Series(Rc::new(Series { name, column: column.column, index })));
    }
    let names = match figures {
        Value::List(_) => containers::elements(state, figures)?,
        Value::Dict(handle) if !matches!(groups.chosen, Chosen::One(_)) => {
            return aggregate_by_column(state, groups, *handle);
        }
        other => {
            return Err(figures::figure_named(state, other)
                .err()
                .unwrap_or_else(|| unknown_method(Method::Sum, other)));
        }
    };
    let positions = groups.value_positions();
    let one = matches!(groups.chosen, Chosen::One(_));
    let mut columns = Vec::new();
    for position in positions {
        for name in &names {
            let (label, mut column) = figures::group_figure(state, groups, position, name)?;
            let figure = figures::figure_label(state, name);
            column.label = if one { vec![figure] } else { label.into_iter().chain([figure]).collect() };
            columns.push(column);
        }
    }
    tables::new_frame(state, Frame { index: Index::Keys(groups.grouped.keys.clone()), columns })
}

/// The rows of one group, as a column or a frame.
fn group_rows<S: Scalar>(state: &mut State<S>, groups: &GroupBy<S>, group: usize) -> Outcome<Value<S>> {
    let rows = Rc::new(groups.grouped.members().rows(group).to_vec());
    tables::spend_bytes(state, rows.len() * size_of::<u32>())?;
    let frame = match &groups.chosen {
        Chosen::One(position) => {
            let only =
                Frame { index: groups.frame.index.clone(), columns: vec![groups.frame.columns[*position].clone()] };
            let part = frames::some_rows(state, &only, rows)?;
            return frames::frame_column(state, &part, 0).map(Value::Series);
        }
        Chosen::Rest => groups.frame.clone(),
        Chosen::Some(positions) => {
            let columns = positions.iter().map(|position| groups.frame.columns[*position].clone()).collect();
            Frame { index: groups.frame.index.clone(), columns }
        }
    };
    let part = frames::some_rows(state, &frame, rows)?;
    tables::new_frame(state, part)
}

/// `for key, group in groups`
pub(in super::super) fn group_items<S: Scalar>(
    state: &mut State<S>,
    groups: &Rc<GroupBy<S>>,
) -> Outcome<Vec<Value<S>>> {
    let keys = groups.grouped.keys.clone();
    let mut items = Vec::with_capacity(keys.labels.len());
    for (group, labels) in keys.labels.iter().enumerate() {
        let key = frames::key_value(state, labels, keys.scalar)?;
        let rows = group_rows(state, groups, group)?;
        items.push(state.tuple(vec![key, rows])?);
    }
    Ok(items)
}

fn not_a_figure(name: &str) -> Box<Fault> {
    let message = format!("`{name}` is not a figure of a column");
    let hint =
        "name the column and the figure: `mean=(\"income\", \"mean\")`; of one column, the figure: `mean=\"mean\"`";
    Fault::hinted(Code::BadArgument, message, hint)
}

impl<S: Scalar> GroupBy<S> {
    /// How many groups there are.
    pub(in super::super) fn len(&self) -> usize {
        self.grouped.keys.labels.len()
    }

    /// The columns that are looked at.
    pub(in super::super) fn value_positions(&self) -> Vec<usize> {
        match &self.chosen {
            Chosen::One(position) => vec![*position],
            Chosen::Some(positions) => positions.clone(),
            Chosen::Rest => {
                let is_value = |position: &usize| !self.by.contains(&self.frame.columns[*position].label);
                (0..self.frame.columns.len()).filter(is_value).collect()
            }
        }
    }
}

/// Whether something that is not linear can be taken of a column: of public ones, and medians of discrete secrets.
fn has_figure<S: Scalar>(method: Method, column: &Column<S>) -> bool {
    match column {
        Column::Choices(_) => matches!(method, Method::Table(TableMethod::Median)),
        public => !public.is_secret(),
    }
}
