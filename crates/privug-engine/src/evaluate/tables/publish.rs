//! Scripts as they are: the tables that they read are those that are given, and what they print or write is published.

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Column, Frame, FrameColumn, label_text};
use super::{dates, derived, frames, more, results};
use crate::evaluate::callbacks::Callable;
use crate::evaluate::{containers, objects, statements, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::{Code, nearest};
use privug_language::program::Builtin;
use privug_language::source::Span;
use privug_tables::table::{Data, Table};

/// Something that a script publishes while it runs.
#[derive(Debug)]
pub(in super::super) struct Shown<S> {
    pub(super) name: String,
    pub(super) value: Value<S>,
    pub(super) span: Span,
}

/// The tables that are given, also as their files have them, and what was published so far; nothing where no table is audited.
#[derive(Debug)]
pub(in super::super) enum Desk<S> {
    None,
    Open { tables: Vec<(String, Frame<S>, Table)>, shown: Vec<Shown<S>> },
}

/// Options of readers that say how the file is written, not what is taken from it.
const OF_THE_FILE: &str = "*|sep|delimiter|encoding|engine|low_memory|memory_map|compression|decimal|thousands|quotechar|quoting|sheet_name|storage_options|on_bad_lines";

/// `pd.read_csv("data/people.csv")`: the table that is given under the name of the file.
pub(in super::super) fn read_table<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let parameters = [
        "filepath_or_buffer|path|io",
        OF_THE_FILE,
        "usecols|columns",
        "index_col",
        "parse_dates",
        "dtype",
        "na_values",
        "keep_default_na",
        "skipinitialspace",
    ];
    let [path, _, chosen, index, dates, types, gaps, usual, skips] = arguments.bind("read", parameters, 1, 2)?;
    derived::required_option(state, "keep_default_na", usual, true)?;
    if let Some(gaps) = gaps {
        refuse_other_gaps(state, gaps.value).map_err(|fault| fault.at_argument(gaps.index))?;
    }
    let path = given(path)?;
    let Some(file) = objects::path_text(state, path.value) else {
        let message = format!("a table is read from {}", path.value.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "name the file: `pd.read_csv(\"people.csv\")`"));
    };
    let name = file.rsplit(['/', '\\']).next().unwrap_or(&file).to_owned();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
    let Desk::Open { tables, .. } = &state.tables.desk else {
        let hint = "nothing is executed and no file is read; `privug audit --table people=FILE` gives tables";
        return Err(Fault::hinted(Code::NoTable, "a program that is analysed reads no tables", hint));
    };
    let Some((_, frame, table)) = tables.iter().find(|(known, ..)| *known == stem || *known == name) else {
        let names: Vec<&str> = tables.iter().map(|(name, ..)| name.as_str()).collect();
        let hint = match nearest(&stem, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? a table is named after its file"),
            None => format!("pass it under the name of its file: `--table {stem}=FILE`"),
        };
        let message = format!("the script reads `{file}`, and there is no table `{stem}`");
        return Err(Fault::hinted(Code::NoTable, message, hint).at_argument(path.index));
    };
    let (mut frame, table) = (frame.clone(), table.clone());
    if derived::flag(state, skips, false)? {
        refuse_spaces(state, &frame)?;
    }
    if let Some(chosen) = chosen {
        let names = derived::names(state, chosen.value)?;
        // In the order of the file.
        for name in &names {
            frames::column_position(&frame, name)?;
        }
        frame.columns.retain(|column| names.contains(&column.label));
    }
    if let Some(types) = types {
        take_types(state, &mut frame, &table, types.value).map_err(|fault| fault.at_argument(types.index))?;
    }
    if let Some(dates) = dates {
        for name in derived::names(state, dates.value)? {
            let position = frames::column_position(&frame, &name)?;
            let series = frames::frame_column(state, &frame, position)?;
            let shape = privug_language::program::CallShape {
                positional: 1,
                keywords: Vec::new(),
                spans: Vec::new(),
                subject: String::new(),
                names: Vec::new(),
            };
            let made = dates::to_datetime(state, &Arguments { shape: &shape, values: &[Value::Series(series)] })?;
            let name = frames::label_value(state, &name[0])?;
            frame = frames::with_column(state, frame, &name, &made)?;
        }
    }
    if let Some(index) = index.filter(|index| !matches!(index.value, Value::None | Value::Bool(false))) {
        let keys = index_columns(state, &frame, index.value).map_err(|fault| fault.at_argument(index.index))?;
        return derived::called_by(state, &frame, &keys).map_err(|fault| fault.at_argument(index.index));
    }
    tables::new_frame(state, frame)
}

/// `skipinitialspace=True` of a table without spaces before its texts changes nothing.
fn refuse_spaces<S: Scalar>(state: &State<S>, frame: &Frame<S>) -> Outcome<()> {
    let has_space = |column: &FrameColumn<S>| {
        let in_name = column.label.iter().any(|label| label.show().starts_with(' '));
        let in_cells = match &column.column {
            Column::Texts { labels, .. } => labels.iter().any(|label| label.starts_with(' ')),
            Column::Cells(cells) => cells.iter().any(|cell| text::show(state, cell).starts_with(' ')),
            Column::Choices(choices) => choices.all_values().any(|value| text::show(state, value).starts_with(' ')),
            _ => false,
        };
        in_name || in_cells
    };
    match frame.columns.iter().find(|column| has_space(column)) {
        Some(column) => {
            let message = format!(
                "texts of the column `{}` begin with spaces in the table that is given",
                label_text(&column.label)
            );
            let hint = "take them away after the table is read: `p[\"sex\"] = p.sex.str.strip()`";
            Err(Fault::hinted(Code::BadArgument, message, hint))
        }
        None => Ok(()),
    }
}

/// `na_values=["NA", ""]`: what is read as missing anyway.
fn refuse_other_gaps<S: Scalar>(state: &mut State<S>, given: &Value<S>) -> Outcome<()> {
    let texts = match given {
        Value::Text(_) => vec![given.clone()],
        list => containers::elements(state, list)?,
    };
    let is_known = |value: &Value<S>| {
        matches!(value, Value::Text(_)) && privug_tables::table::is_missing(&text::show(state, value))
    };
    match texts.iter().find(|value| !is_known(value)) {
        Some(other) => {
            let message = format!("`{}` is no missing value in the table that is given", text::show(state, other));
            let hint = "replace it after the table is read: `p = p.replace(\"-\", np.nan)`";
            Err(Fault::hinted(Code::BadArgument, message, hint))
        }
        None => Ok(()),
    }
}

/// `index_col="id"`, `index_col=0`, and lists of them: the columns by their names.
fn index_columns<S: Scalar>(state: &mut State<S>, frame: &Frame<S>, given: &Value<S>) -> Outcome<Value<S>> {
    match given {
        Value::Int(place) => match usize::try_from(*place).ok().and_then(|place| frame.columns.get(place)) {
            Some(column) => {
                let label = column.label.clone();
                frames::key_value(state, &label, label.len() == 1)
            }
            None => Err(Fault::new(Code::IndexOutOfRange, format!("the table has no column number {place}"))),
        },
        Value::List(handle) => {
            let mut keys = Vec::new();
            for key in state.heap.sequence(*handle).to_vec() {
                keys.push(index_columns(state, frame, &key)?);
            }
            state.list(keys)
        }
        name => Ok(name.clone()),
    }
}

/// `dtype={"code": "str"}`: a table that is given has types already, which must be these. Integers are also texts, if it is
/// known how the file writes them: `0301` is another code than `301`.
fn take_types<S: Scalar>(state: &mut State<S>, frame: &mut Frame<S>, table: &Table, types: &Value<S>) -> Outcome<()> {
    let entries = match types {
        Value::Dict(handle) => state.heap.dict(*handle).entries.clone(),
        other => {
            let message = format!("the types of columns are {} here", other.kind());
            return Err(Fault::hinted(
                Code::WrongArguments,
                message,
                "give a type for each column: `dtype={\"code\": \"str\"}`",
            ));
        }
    };
    for (name, kind) in &entries {
        let Some(label) = frames::key_labels(state, name) else { return Err(frames::not_a_name(name)) };
        // As in pandas, a name that no column has is passed over.
        let Some(position) = frame.position(&label) else { continue };
        let kind = match kind {
            Value::Function(callable) => match &**callable {
                Callable::OfLanguage(Builtin::Str) => "str".to_owned(),
                Callable::OfLanguage(Builtin::Float) => "float".to_owned(),
                Callable::OfLanguage(Builtin::Int) => "int".to_owned(),
                Callable::OfLanguage(_) | Callable::OfFile { .. } | Callable::Record { .. } => "a function".to_owned(),
            },
            other => text::show(state, other),
        };
        let column = &mut frame.columns[position].column;
        let is_text = matches!(kind.to_lowercase().as_str(), "str" | "string" | "object");
        let texts = || table.column(&label_text(&label)).and_then(|column| column.as_texts());
        if is_text
            && matches!(column, Column::Integers(_) | Column::Cells(_))
            && let Some(Data::Texts { codes, labels }) = texts()
        {
            *column = Column::Texts { codes, labels, words: super::Words::Plain };
        }
        if kind == "category" && matches!(column, Column::Texts { .. }) {
            let series = frames::frame_column(state, frame, position)?;
            let kind = state.text(kind)?;
            if let Value::Series(made) = more::series_as(state, &series, &kind)? {
                let made = FrameColumn { label, column: made.column.clone(), rows: None };
                frame.columns[position] = made;
            }
            continue;
        }
        let fits = match kind.to_lowercase().as_str() {
            _ if is_text => matches!(column, Column::Texts { .. }),
            // Beside gaps they are cells.
            "float" | "float32" | "float64" | "int" | "int8" | "int16" | "int32" | "int64" => {
                matches!(column, Column::Integers(_) | Column::Numbers(_) | Column::Random(_) | Column::Cells(_))
            }
            _ => false,
        };
        if !fits {
            let message = format!("`{}` holds {} in the given table, not `{kind}`", label_text(&label), column.kind());
            return Err(Fault::hinted(Code::TypeMismatch, message, "give a table whose column has this type"));
        }
    }
    Ok(())
}

/// Whether what is printed and written is published.
pub(in super::super) fn has_desk<S: Scalar>(state: &State<S>) -> bool {
    matches!(state.tables.desk, Desk::Open { .. })
}

/// Takes up what a value says beside the numbers in it: texts, also in lists.
pub(in super::super) fn say<S: Scalar>(state: &mut State<S>, value: &Value<S>) {
    match value {
        Value::Text(handle) if state.tables.publishes_rows => {
            let said = state.heap.text(*handle).to_owned();
            state.tables.said.insert(said);
        }
        Value::List(handle) | Value::Tuple(handle) => {
            for part in state.heap.sequence(*handle).to_vec() {
                if matches!(part, Value::Text(_)) {
                    say(state, &part);
                }
            }
        }
        _ => {}
    }
}

/// Takes up how something is shown, which can show a number.
pub(in super::super) fn look<S: Scalar>(state: &mut State<S>, how: impl FnOnce() -> String) {
    if state.tables.publishes_rows {
        let how = how();
        state.tables.looks.insert(how);
    }
}

/// So many different ways to call something are noted down; of more, those that come first.
const MOST_LOOKS: usize = 10_000;

/// The whole numbers and flags that a function is given which changes, arranges or writes tables.
pub(in super::super) fn look_at_call<S: Scalar>(state: &mut State<S>, name: &str, values: &[Value<S>]) {
    if !state.tables.publishes_rows || state.tables.looks.len() >= MOST_LOOKS {
        return;
    }
    let is_plain = |value: &Value<S>| matches!(value, Value::Int(_) | Value::Bool(_) | Value::Counted(_));
    for value in values {
        let is_shown = match value {
            Value::Tuple(handle) => state.heap.sequence(*handle).iter().all(is_plain),
            value => is_plain(value),
        };
        if is_shown {
            let shown = shown_plainly(state, value);
            look(state, || format!("`{shown}` in `{name}`"));
        }
    }
}

/// Numbers and texts, also in lists.
fn shown_plainly<S: Scalar>(state: &State<S>, value: &Value<S>) -> String {
    match value {
        Value::Tuple(handle) | Value::List(handle) => {
            let parts = state.heap.sequence(*handle).iter().map(|part| shown_plainly(state, part));
            parts.collect::<Vec<String>>().join(", ")
        }
        value => text::show(state, &value.uncounted().unwrap_or_else(|| value.clone())),
    }
}

/// The numbers, flags and lists of texts that say how a table is written.
fn look_at_options<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) {
    for value in arguments.values {
        if matches!(
            value,
            Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Counted(_) | Value::List(_) | Value::Text(_)
        ) {
            let shown = shown_plainly(state, value);
            look(state, || format!("`{shown}`"));
        }
    }
}

/// Empty lines are counted: a text that follows ends them.
pub(in super::super) fn print_empty_line<S: Scalar>(state: &mut State<S>) {
    state.tables.empty_lines += 1;
}

/// What follows the empty lines.
pub(super) fn end_empty_lines<S: Scalar>(state: &mut State<S>) {
    let lines = std::mem::take(&mut state.tables.empty_lines);
    if lines > 0 {
        look(state, || format!("{lines} empty lines"));
    }
}

/// Publishes a value under a name.
pub(in super::super) fn show_to_all<S: Scalar>(state: &mut State<S>, name: String, value: Value<S>) -> Outcome<()> {
    end_empty_lines(state);
    // Frames may be changed afterwards, and what was published stays as it was.
    let value = match value {
        Value::Frame(handle) => {
            let copy = tables::frame(state, handle).clone();
            tables::new_frame(state, copy)?
        }
        Value::Text(_) => {
            // Of a text, the numbers in it are published; what else it says is public.
            let numbers = statements::numbers_in(state, &value);
            if numbers.is_empty() {
                say(state, &value);
                return Ok(());
            }
            state.tuple(numbers)?
        }
        other => other,
    };
    let span = state.span;
    if let Desk::Open { shown, .. } = &mut state.tables.desk {
        shown.push(Shown { name, value, span });
    }
    Ok(())
}

/// `table.to_csv("out/table.csv")` and the like: a file is called by its name.
pub(super) fn write_table<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let target = arguments.values.first().and_then(|value| objects::path_text(state, value));
    let name = match &target {
        Some(path) => {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
            name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned()
        }
        None => "written".to_owned(),
    };
    if !has_desk(state) {
        let holds_random = results::holds_random(state, object)?;
        if state.publishes && holds_random {
            let message = "something that depends on a secret is written, and thereby published";
            let hint = "return it if it should be published, or remove the line";
            return Err(Fault::hinted(Code::RandomConversion, message, hint));
        }
        return Ok(Value::None);
    }
    look_at_options(state, arguments);
    // Headings, names of sheets, and the name of the file.
    for value in arguments.values {
        say(state, value);
    }
    state.tables.said.insert(name.clone());
    show_to_all(state, name, object.clone())?;
    match target {
        Some(_) => Ok(Value::None),
        // Without a file it is a text, which was published here.
        None => state.text(String::new()),
    }
}
