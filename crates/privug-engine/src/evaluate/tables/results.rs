//! The figures in what a function returns, with the names that they are published under.

use super::super::callbacks::Callable;
use super::super::compare::{MAX_VALUE_DEPTH, too_deep};
use super::super::fault::Outcome;
use super::super::state::State;
use super::super::value::Value;
use super::publish::Shown;
use super::{Column, Frame, Index, label_text};
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

impl<S: Scalar> State<S> {
    /// How many random values there are in a list, tuple, array or dictionary, as deep as they go.
    pub(in super::super) fn count_random(&self, value: &Value<S>, depth: usize) -> usize {
        if depth > MAX_VALUE_DEPTH {
            return 0;
        }
        let count = |value: &Value<S>| self.count_random(value, depth + 1);
        match value {
            Value::Random { .. } | Value::Choice(_) => 1,
            Value::List(handle) | Value::Tuple(handle) => self.heap.sequence(*handle).iter().map(count).sum(),
            Value::Array(handle) => self.heap.array_values(self.heap.array(*handle)).iter().map(count).sum(),
            Value::Dict(handle) | Value::Set(handle) | Value::Object(handle, _) => {
                self.heap.dict(*handle).entries.iter().map(|(_, value)| count(value)).sum()
            }
            Value::Series(series) => count_in_column(&series.column),
            Value::Frame(handle) => {
                self.frame(*handle).columns.iter().map(|column| count_in_column(&column.column)).sum()
            }
            Value::Groups(groups) => groups.frame.columns.iter().map(|column| count_in_column(&column.column)).sum(),
            Value::Loc(accessed) => count(&accessed.value),
            Value::Function(callable) => match &**callable {
                Callable::OfFile { seen, .. } => seen.iter().map(count).sum(),
                Callable::OfLanguage(_) => 0,
            },
            _ => 0,
        }
    }

    /// The cells of a column or table, each with the keys that lead to it.
    pub(in super::super) fn table_parts(&mut self, value: &Value<S>) -> Outcome<Vec<(Vec<Value<S>>, Value<S>)>> {
        let mut parts = Vec::new();
        self.refuse_groups(value, "going through a table row by row")?;
        match value {
            Value::Series(series) => {
                let keys = self.index_values(&series.index)?;
                let cells = self.cells(&series.column)?;
                parts.extend(keys.into_iter().map(|key| vec![key]).zip(cells));
            }
            Value::Frame(handle) => {
                let frame = self.frame(*handle).clone();
                let rows = self.index_values(&frame.index)?;
                for position in 0..frame.columns.len() {
                    let label = &frame.columns[position].label;
                    let name = self.key_value(label, label.len() == 1)?;
                    let series = self.frame_column(&frame, position)?;
                    let cells = self.cells(&series.column)?;
                    parts.extend(rows.iter().map(|row| vec![name.clone(), row.clone()]).zip(cells));
                }
            }
            _ => {}
        }
        Ok(parts)
    }

    /// Whether anything in a value is random.
    pub(in super::super) fn holds_random(&mut self, value: &Value<S>) -> Outcome<bool> {
        if self.count_random(value, 0) > 0 {
            return Ok(true);
        }
        let figures = self.figures(value, &ResultName::Text(String::new()))?;
        let is_random = |value: &Value<S>| value.as_random().is_some() || matches!(value, Value::Choice(_));
        Ok(figures.iter().any(|figure| is_random(&figure.value)))
    }

    /// All figures of a result, in its order, each under a name of its own.
    pub(super) fn figures(&mut self, value: &Value<S>, name: &ResultName) -> Outcome<Vec<Figure<S>>> {
        self.all_figures(&[], Some((value, name)))
    }

    /// All figures that were published on the way, and those of a result.
    pub(super) fn all_figures(
        &mut self,
        shown: &[Shown<S>],
        returned: Option<(&Value<S>, &ResultName)>,
    ) -> Outcome<Vec<Figure<S>>> {
        let mut figures = Vec::new();
        for Shown { name, value, .. } in shown {
            self.collect_figures(value, None, name, 0, &mut figures)?;
        }
        if let Some((value, name)) = returned {
            self.collect_figures(value, Some(name), "", 0, &mut figures)?;
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

    fn collect_figures(
        &mut self,
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
                let entries = self.heap.dict(*handle).entries.clone();
                self.budget.spend_steps(entries.len() as u64)?;
                for (key, element) in &entries {
                    let step = match (key, self.key_labels(key)) {
                        (Value::Text(_), _) => Step::Entry(self.show(key)),
                        (_, Some(labels)) => Step::key(label_text(&labels), path),
                        (other, None) => Step::key(self.show(other), path),
                    };
                    self.collect_figures(element, None, &step.behind(path), depth + 1, figures)?;
                }
            }
            Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::Iterator(_) | Value::View(_, _) => {
                for (index, element) in self.elements(value)?.iter().enumerate() {
                    let (inner, inner_path) = match name {
                        // Written out: each element by its own text.
                        Some(ResultName::Elements(names)) if index < names.len() => match &names[index] {
                            ResultName::Text(text) => (None, text.clone()),
                            nested => (Some(nested), format!("[{index}]")),
                        },
                        _ => (None, format!("{path}[{index}]")),
                    };
                    self.collect_figures(element, inner, &inner_path, depth + 1, figures)?;
                }
            }
            Value::Loc(accessed) if accessed.is_description() => return Err(super::not_linear("describe")),
            Value::Series(series) => {
                if self.tables.renumbered && matches!(series.index, Index::Rows { rows: None, .. }) {
                    // Which row has which number is up to the algorithm that sorted them.
                    self.refuse_unstable()?;
                }
                self.check_whole(value)?;
                if series.index.sizes().is_some() {
                    return Err(super::not_of_groups("a whole column of the table"));
                }
                let values = self.cells(&series.column)?;
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
                self.check_whole(value)?;
                let frame = self.frame(*handle).clone();
                if frame.index.sizes().is_some() {
                    return Err(super::not_of_groups("the whole table"));
                }
                let mut columns = Vec::new();
                for position in 0..frame.columns.len() {
                    let series = self.frame_column(&frame, position)?;
                    columns.push((label_text(&frame.columns[position].label), self.cells(&series.column)?));
                }
                let keys = self.key_columns(&frame, &columns);
                for position in 0..frame.len() {
                    let names: Vec<String> =
                        columns[..keys].iter().map(|(_, values)| self.show(&values[position])).collect();
                    let row = if keys == 0 { row_name(&frame.index, position) } else { names.join(", ") };
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
                figures.push(Figure { name, value: single.plain() });
            }
        }
        Ok(())
    }
}

impl<S: Scalar> State<S> {
    /// How many of the first columns are labels of the rows, as after `reset_index` or with `as_index=False`: strings and
    /// booleans that nobody computed, and by which rows differ. Numbers are figures: they may be counts.
    fn key_columns(&self, frame: &Frame<S>, cells: &[(String, Vec<Value<S>>)]) -> usize {
        let is_label = |value: &Value<S>| matches!(value, Value::Text(_) | Value::Bool(_));
        let labels = cells.iter().take_while(|(_, values)| values.iter().all(is_label)).count();
        if labels == 0 || labels == cells.len() || matches!(frame.index, Index::Keys(_)) {
            return 0;
        }
        let mut seen = std::collections::HashSet::new();
        let row = |position: usize| -> Vec<String> {
            cells[..labels].iter().map(|(_, values)| self.show(&values[position])).collect()
        };
        if (0..frame.len()).all(|position| seen.insert(row(position))) { labels } else { 0 }
    }
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
