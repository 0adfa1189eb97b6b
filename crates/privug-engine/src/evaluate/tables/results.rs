//! The figures in what a function returns, with the names that they are published under.

use super::super::callbacks::Callable;
use super::super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::super::fault::Outcome;
use super::super::state::State;
use super::super::value::Value;
use super::publish::Shown;
use super::{Column, Frame, Index, Label, label_text};
use super::{column, columns_method, frames, grouped, order, shape};
use crate::evaluate::{containers, statements, tables, text};
use crate::number::Scalar;
use privug_language::program::ResultName;

/// One figure.
pub(super) struct Figure<S> {
    pub(super) name: String,
    pub(super) value: Value<S>,
}

/// A step into a result.
enum Step {
    /// The entry of a dictionary with a name.
    Entry(String),
    /// Everything else: `[0]`, `[21-30, male]`.
    Element(String),
}

impl Step {
    fn behind(&self, path: &str) -> String {
        match self {
            Step::Entry(name) if path.is_empty() => name.clone(),
            Step::Entry(name) => format!("{path}.{name}"),
            Step::Element(name) => format!("{path}[{name}]"),
        }
    }

    /// Keys need no brackets where nothing stands before them.
    fn key(name: String, path: &str) -> Step {
        if path.is_empty() { Step::Entry(name) } else { Step::Element(name) }
    }
}

/// How many random values there are in a list, tuple, array or dictionary, as deep as they go.
pub(in super::super) fn count_random<S: Scalar>(state: &State<S>, value: &Value<S>, depth: usize) -> usize {
    if depth > MAX_VALUE_DEPTH {
        return 0;
    }
    let count = |value: &Value<S>| count_random(state, value, depth + 1);
    match value {
        Value::Random { .. } | Value::Choice(_) => 1,
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).iter().map(count).sum(),
        Value::Array(handle) => state.heap.array_values(state.heap.array(*handle)).iter().map(count).sum(),
        Value::Dict(handle) | Value::Set(handle) | Value::Object(handle, _) => {
            state.heap.dict(*handle).entries.iter().map(|(_, value)| count(value)).sum()
        }
        Value::Series(series) => count_in_column(&series.column),
        Value::Frame(handle) => {
            tables::frame(state, *handle).columns.iter().map(|column| count_in_column(&column.column)).sum()
        }
        Value::Groups(groups) => groups.frame.columns.iter().map(|column| count_in_column(&column.column)).sum(),
        Value::Loc(accessed) => count(&accessed.value),
        Value::Function(callable) => match &**callable {
            Callable::OfFile { seen, .. } => seen.iter().map(count).sum(),
            Callable::Record { object, .. } => count(object),
            Callable::OfLanguage(_) => 0,
        },
        _ => 0,
    }
}

/// The cells of a column or table, each with the keys that lead to it.
pub(in super::super) fn table_parts<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
) -> Outcome<Vec<(Vec<Value<S>>, Value<S>)>> {
    let mut parts = Vec::new();
    grouped::refuse_groups(state, value, "iterating over a table row by row")?;
    match value {
        Value::Series(series) => {
            let keys = columns_method::index_values(state, &series.index)?;
            let cells = column::cells(state, &series.column)?;
            parts.extend(keys.into_iter().map(|key| vec![key]).zip(cells));
        }
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            let rows = columns_method::index_values(state, &frame.index)?;
            for position in 0..frame.columns.len() {
                let label = &frame.columns[position].label;
                let name = frames::key_value(state, label, label.len() == 1)?;
                let series = frames::frame_column(state, &frame, position)?;
                let cells = column::cells(state, &series.column)?;
                parts.extend(rows.iter().map(|row| vec![name.clone(), row.clone()]).zip(cells));
            }
        }
        _ => {}
    }
    Ok(parts)
}

/// Whether anything in a value is random.
pub(in super::super) fn holds_random<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<bool> {
    if count_random(state, value, 0) > 0 {
        return Ok(true);
    }
    let figures = figures(state, value, &ResultName::Text(String::new()))?;
    let is_random = |value: &Value<S>| value.as_random().is_some() || matches!(value, Value::Choice(_));
    Ok(figures.iter().any(|figure| is_random(&figure.value)))
}

/// All figures of a result, in its order, each under a name of its own.
pub(super) fn figures<S: Scalar>(state: &mut State<S>, value: &Value<S>, name: &ResultName) -> Outcome<Vec<Figure<S>>> {
    all_figures(state, &[], Some((value, name)))
}

/// All figures that were published on the way, and those of a result.
pub(super) fn all_figures<S: Scalar>(
    state: &mut State<S>,
    shown: &[Shown<S>],
    returned: Option<(&Value<S>, &ResultName)>,
) -> Outcome<Vec<Figure<S>>> {
    let mut figures = Vec::new();
    for Shown { name, value, .. } in shown {
        collect_figures(state, value, None, name, 0, &mut figures)?;
    }
    if let Some((value, name)) = returned {
        collect_figures(state, value, Some(name), "", 0, &mut figures)?;
    }
    let mut seen: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for figure in &mut figures {
        let times = seen.entry(figure.name.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            figure.name = format!("{} ({times})", figure.name);
        }
    }
    Ok(figures)
}

fn collect_figures<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    name: Option<&ResultName>,
    path: &str,
    depth: usize,
    figures: &mut Vec<Figure<S>>,
) -> Outcome<()> {
    if depth > MAX_VALUE_DEPTH {
        return Err(too_deep());
    }
    match value {
        Value::Dict(handle) => {
            let entries = state.heap.dict(*handle).entries.clone();
            state.budget.spend_steps(entries.len() as u64)?;
            for (key, element) in &entries {
                let labels = frames::key_labels(state, key);
                let shown = labels.as_ref().map_or_else(|| text::show(state, key), |labels| label_text(labels));
                say(state, [shown]);
                let step = match (key, labels) {
                    (Value::Text(_), _) => Step::Entry(text::show(state, key)),
                    (_, Some(labels)) => Step::key(label_text(&labels), path),
                    (other, None) => Step::key(text::show(state, other), path),
                };
                collect_figures(state, element, None, &step.behind(path), depth + 1, figures)?;
            }
        }
        Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Iterator(_) | Value::View(_, _) => {
            let elements = containers::elements(state, value)?;
            if let (Value::List(_), Some(records)) = (value, Records::of(state, &elements)) {
                return records.collect(state, path, depth, figures);
            }
            for (index, element) in elements.iter().enumerate() {
                let (inner, inner_path) = match name {
                    // Written out: each element by its own text.
                    Some(ResultName::Elements(names)) if index < names.len() => match &names[index] {
                        ResultName::Text(text) => (None, text.clone()),
                        nested => (Some(nested), format!("[{index}]")),
                    },
                    _ => (None, format!("{path}[{index}]")),
                };
                collect_figures(state, element, inner, &inner_path, depth + 1, figures)?;
            }
        }
        Value::Loc(accessed) if accessed.is_description() => return Err(super::not_linear("describe")),
        Value::Loc(accessed) if accessed.said().is_some() => {
            collect_figures(state, &accessed.value, name, path, depth + 1, figures)?;
        }
        Value::Series(series) => {
            if state.tables.renumbered && matches!(series.index, Index::Rows { rows: None, .. }) {
                // Which row has which number is up to the algorithm that sorted them.
                order::refuse_unstable(state)?;
            }
            shape::check_whole(state, value)?;
            if series.index.sizes().is_some() {
                return Err(super::not_of_groups("a whole column of the table"));
            }
            say_labels(state, &series.index);
            say(state, series.name.iter().map(|name| name.to_string()));
            let values = column::cells(state, &series.column)?;
            for (position, element) in values.into_iter().enumerate() {
                let name = row_name(&series.index, position);
                let step = match series.index {
                    Index::Positions(_) => Step::Element(name),
                    Index::Keys(_) | Index::Rows { .. } => Step::key(name, path),
                };
                figures.push(Figure { name: step.behind(path), value: element });
            }
        }
        Value::Frame(handle) => {
            shape::check_whole(state, value)?;
            let frame = tables::frame(state, *handle).clone();
            if frame.index.sizes().is_some() {
                return Err(super::not_of_groups("the whole table"));
            }
            let mut columns = Vec::new();
            for position in 0..frame.columns.len() {
                let series = frames::frame_column(state, &frame, position)?;
                columns.push((label_text(&frame.columns[position].label), column::cells(state, &series.column)?));
            }
            let keys = key_columns(state, &frame, &columns);
            say_labels(state, &frame.index);
            say(state, frame.columns.iter().flat_map(|column| column.label.iter().map(Label::show)));
            for position in 0..frame.len() {
                let names: Vec<String> =
                    columns[..keys].iter().map(|(_, values)| text::show(state, &values[position])).collect();
                let row = if keys == 0 { row_name(&frame.index, position) } else { names.join(", ") };
                say_together(state, names);
                for (column, values) in &columns[keys..] {
                    let step = Step::key(format!("{row}, {column}"), path);
                    figures.push(Figure { name: step.behind(path), value: values[position].clone() });
                }
            }
        }
        single => {
            let name = match (path, name) {
                ("", Some(ResultName::Text(text))) => text.clone(),
                ("", _) => "result".to_owned(),
                (path, _) => path.to_owned(),
            };
            // The numbers in a text are judged by themselves.
            let numbers = statements::numbers_in(state, single);
            figures.push(Figure { name: name.clone(), value: single.plain() });
            figures.extend(numbers.into_iter().map(|value| Figure { name: name.clone(), value }));
        }
    }
    Ok(())
}

/// A list of dictionaries with the same keys, as `to_dict("records")` makes it: a table whose first columns are labels.
struct Records<S> {
    names: Vec<String>,
    rows: Vec<Vec<Value<S>>>,
    /// How many of the first columns are labels.
    keys: usize,
}

impl<S: Scalar> Records<S> {
    /// The table; `None` if the elements are something else, or if no strings tell the rows apart.
    fn of(state: &State<S>, elements: &[Value<S>]) -> Option<Self> {
        let entries = |element: &Value<S>| match element {
            Value::Dict(handle) => Some(&state.heap.dict(*handle).entries),
            _ => None,
        };
        let is_name = |(key, _): &(Value<S>, Value<S>)| matches!(key, Value::Text(_));
        let first = entries(elements.first()?)?;
        if !first.iter().all(is_name) {
            return None;
        }
        let names: Vec<String> = first.iter().map(|(key, _)| text::show(state, key)).collect();
        let mut rows = Vec::with_capacity(elements.len());
        for element in elements {
            let entries = entries(element)?;
            let same = |((key, _), name): (&(Value<S>, Value<S>), &String)| text::show(state, key) == *name;
            if entries.len() != names.len() || !entries.iter().all(is_name) || !entries.iter().zip(&names).all(same) {
                return None;
            }
            rows.push(entries.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        }
        // A boolean may be computed from a count, and is looked at by itself.
        let is_label =
            |value: &Value<S>| matches!(value, Value::Text(_)) && statements::numbers_in(state, value).is_empty();
        let keys = (0..names.len()).take_while(|column| rows.iter().all(|row| is_label(&row[*column]))).count();
        let mut seen = std::collections::HashSet::new();
        let mut are_told_apart = || {
            rows.iter().all(|row| seen.insert(row[..keys].iter().map(|key| text::show(state, key)).collect::<Vec<_>>()))
        };
        (0 < keys && keys < names.len() && are_told_apart()).then_some(Records { names, rows, keys })
    }

    fn collect(self, state: &mut State<S>, path: &str, depth: usize, figures: &mut Vec<Figure<S>>) -> Outcome<()> {
        state.budget.spend_steps((self.rows.len() * self.names.len()) as u64)?;
        say(state, self.names.iter().cloned());
        for row in &self.rows {
            let labels: Vec<String> = row[..self.keys].iter().map(|key| text::show(state, key)).collect();
            for (name, value) in self.names.iter().zip(row).skip(self.keys) {
                let step = Step::key(format!("{}, {name}", labels.join(", ")), path);
                collect_figures(state, value, None, &step.behind(path), depth + 1, figures)?;
            }
            say_together(state, labels);
        }
        Ok(())
    }
}

/// Takes up what stands beside the values of a table.
fn say<S: Scalar>(state: &mut State<S>, labels: impl IntoIterator<Item = String>) {
    if state.tables.publishes_rows && !state.tables.real {
        state.tables.said.extend(labels);
    }
}

/// The labels of rows and what their levels are called; the numbers of rows are no labels.
fn say_labels<S: Scalar>(state: &mut State<S>, index: &Index) {
    if let Index::Keys(keys) = index {
        say(state, keys.levels.iter().filter_map(|level| level.name.as_deref().map(str::to_owned)));
        if state.tables.publishes_rows && !state.tables.real {
            keys.labels.iter().for_each(|labels| say_together(state, labels.iter().map(Label::show).collect()));
        }
    }
}

/// Takes up the labels of one row, and which of them stand together: `judge, under three` tells more than either.
fn say_together<S: Scalar>(state: &mut State<S>, labels: Vec<String>) {
    if labels.len() > 1 {
        say(state, [labels.join(", ")]);
    }
    say(state, labels);
}

/// How many of the first columns are labels of the rows, as after `reset_index` or with `as_index=False`: strings and
/// booleans that nobody computed, and by which rows differ. Numbers are figures: they may be counts.
fn key_columns<S: Scalar>(state: &State<S>, frame: &Frame<S>, cells: &[(String, Vec<Value<S>>)]) -> usize {
    let is_label = |value: &Value<S>| matches!(value, Value::Text(_) | Value::Bool(_));
    let labels = cells.iter().take_while(|(_, values)| values.iter().all(is_label)).count();
    if labels == 0 || labels == cells.len() || matches!(frame.index, Index::Keys(_)) {
        return 0;
    }
    let mut seen = std::collections::HashSet::new();
    let row = |position: usize| -> Vec<String> {
        cells[..labels].iter().map(|(_, values)| text::show(state, &values[position])).collect()
    };
    if (0..frame.len()).all(|position| seen.insert(row(position))) { labels } else { 0 }
}

fn count_in_column<S: Scalar>(column: &Column<S>) -> usize {
    match column {
        Column::Random(column) => column.nodes.len(),
        Column::Choices(column) => column.len(),
        Column::Cells(cells) => cells.iter().filter(|cell| cell.as_random().is_some()).count(),
        Column::Booleans(_) | Column::Integers(_) | Column::Numbers(_) | Column::Texts { .. } | Column::Own(_) => 0,
    }
}

fn row_name(index: &Index, position: usize) -> String {
    match index {
        Index::Keys(keys) => label_text(&keys.labels[position]),
        Index::Rows { rows: Some(rows), .. } => rows[position].to_string(),
        Index::Rows { .. } | Index::Positions(_) => position.to_string(),
    }
}
