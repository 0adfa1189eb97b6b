//! A script and its tables to a [`Release`]: what is published, as the attacker models it and as it really is.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use super::release::{Output, People, Release};
use privug_engine::evaluate::{Limits, Published, SecretColumn, evaluate_release};
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic, Refusal, nearest};
use privug_language::program::{self, ExpressionSource, Program, Role};
use privug_language::source::{SourceId, Sources, Span};
use privug_language::syntax;
use privug_tables::table::{Data, Table, TableColumn};

/// What is audited.
#[derive(Debug, Clone)]
pub struct Input {
    /// What the script is called in messages, usually its path.
    pub path: String,
    /// The script's text.
    pub program: String,
    /// The function that computes what is published; without it, the only one or `main`.
    pub function: Option<String>,
    /// The tables, by the names of the function's parameters.
    pub tables: Vec<(String, Table)>,
    /// The secret column, as `people.income`.
    pub secret: String,
    /// What the attacker believes about the secret of each row: an expression with the table's columns in scope.
    pub prior: String,
    /// The column of the secret's table that names people; without it, they are numbered.
    pub person: Option<String>,
    /// What running the script may use up.
    pub limits: Limits,
    /// Set from outside to stop.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// Runs a script on its tables twice: on the attacker's random variables, and on the real values.
pub fn lift<S: Scalar>(input: &Input) -> Result<Release<S>, Refusal> {
    // Deep syntax trees need more stack than a thread usually has.
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("privug".to_owned()).stack_size(syntax::STACK_BYTES);
        match builder.spawn_scoped(scope, || Lifting::new(input).lift()) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("no thread can be started: {error}"),
        }
    })
}

/// A script on its way through the stages.
struct Lifting<'i> {
    input: &'i Input,
    sources: Sources,
    program_source: SourceId,
}

impl<'i> Lifting<'i> {
    fn new(input: &'i Input) -> Self {
        let mut sources = Sources::default();
        let program_source = sources.add(input.path.as_str(), input.program.as_str());
        Lifting { input, sources, program_source }
    }

    fn lift<S: Scalar>(mut self) -> Result<Release<S>, Refusal> {
        match self.run() {
            Ok((published, secret)) => self.release(published, secret),
            Err(diagnostics) => Err(self.refuse(diagnostics)),
        }
    }

    fn refuse(self, diagnostics: Vec<Diagnostic>) -> Refusal {
        Refusal { sources: self.sources, diagnostics }
    }

    fn run<S: Scalar>(&mut self) -> Result<(Published<S>, SecretColumn), Vec<Diagnostic>> {
        let secret = self.secret().map_err(|diagnostic| vec![*diagnostic])?;
        let program = self.compile(&self.input.tables[secret.table].1)?;
        self.check_tables(&program)?;
        let (tables, limits) = (&self.input.tables, &self.input.limits);
        let published = evaluate_release(&program, tables, secret, limits, self.input.cancelled.clone())?;
        Ok((published, secret))
    }

    /// Which column is secret: `people.income`.
    fn secret(&mut self) -> Result<SecretColumn, Box<Diagnostic>> {
        let text = self.input.secret.as_str();
        let span = self.whole("--secret", text);
        let refuse = |code: Code, message: String, hint: String| {
            Err(Box::new(Diagnostic::error(code, span, message).hint(hint)))
        };
        let tables = &self.input.tables;
        let (table_name, column_name) = match text.trim().split_once('.') {
            Some((table, column)) => (table.trim(), column.trim()),
            // With one table there is only one place where it can be.
            None if tables.len() == 1 => (tables[0].0.as_str(), text.trim()),
            None => {
                let hint = "name the table too, such as `people.income`".to_owned();
                return refuse(Code::BadSecret, format!("`{text}` names no table"), hint);
            }
        };
        let Some(table) = tables.iter().position(|(name, _)| name == table_name) else {
            let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
            let hint = match nearest(table_name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "give one with `--table people=FILE`".to_owned(),
                None => format!("the tables are {}", names.join(", ")),
            };
            return refuse(Code::BadSecret, format!("there is no table `{table_name}`"), hint);
        };
        let columns = tables[table].1.columns();
        let Some(column) = columns.iter().position(|column| column.name() == column_name) else {
            let message = format!("the table `{table_name}` has no column `{column_name}`");
            return refuse(Code::UnknownColumn, message, column_hint(column_name, columns));
        };
        match (columns[column].data(), columns[column].not_a_number()) {
            (Data::Numbers(values), _) if values.iter().all(|value| value.is_nan()) => {
                let message = format!("the column `{column_name}` has no values: all are missing");
                refuse(Code::BadSecret, message, "name a column that holds what nobody should learn".to_owned())
            }
            (Data::Numbers(_) | Data::Integers(_), _) => Ok(SecretColumn { table, column }),
            (Data::Texts { .. }, Some((row, cell))) => {
                let message = format!("row {row}, column `{column_name}`: `{cell}` is not a number");
                refuse(Code::BadSecret, message, "correct the cell: a secret is a column of numbers".to_owned())
            }
            (other, _) => {
                let message = format!("the column `{column_name}` holds {}", other.kind());
                refuse(Code::BadSecret, message, "a secret is a column of numbers".to_owned())
            }
        }
    }

    /// A text given beside the script, and the place of all of it.
    fn whole(&mut self, name: &str, text: &str) -> Span {
        let source = self.sources.add(name, text);
        let start = text.len() - text.trim_start().len();
        Span { source, start: start as u32, end: (start + text.trim().len()) as u32 }
    }

    fn compile(&mut self, table: &Table) -> Result<Program, Vec<Diagnostic>> {
        let input = self.input;
        let start = Span { source: self.program_source, start: 0, end: 0 };
        if let Some(at) = input.program.find('\0') {
            let span = Span { start: at as u32, end: at as u32 + 1, ..start };
            let message = "the file is not a text file: it holds NUL bytes";
            return Err(vec![Diagnostic::error(Code::BinaryFile, span, message).hint("check the path")]);
        }
        let prior = self.whole("--prior", &input.prior);
        if prior.start >= prior.end {
            let hint = "write what the attacker believes, such as `Normal(mean=450_000, std=60_000)`";
            return Err(vec![Diagnostic::error(Code::MalformedOption, prior, "the prior is empty").hint(hint)]);
        }
        let columns = table.columns().iter().map(|column| column.name().to_owned()).collect();
        let expressions = [ExpressionSource { role: Role::ColumnPrior(columns), span: prior }];
        let entry = input.function.as_deref().map(|name| {
            let text = format!("{}:{name}", input.path);
            let end = text.len() as u32;
            let source = self.sources.add("PROGRAM", text);
            (name, Span { source, start: end - name.len() as u32, end })
        });
        let module = syntax::parse_module(&self.sources, self.program_source)?;
        program::check_with_tables(&self.sources, self.program_source, &module, entry, &expressions)
    }

    /// Every table is a parameter of the function, unless there is only one of each.
    fn check_tables(&mut self, program: &Program) -> Result<(), Vec<Diagnostic>> {
        let entry = program.function(program.entry);
        let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut errors = Vec::new();
        for (position, (name, _)) in self.input.tables.iter().enumerate() {
            let twice = self.input.tables[..position].iter().any(|(earlier, _)| earlier == name);
            let by_position = self.input.tables.len() == 1 && !names.is_empty();
            if (names.contains(&name.as_str()) || by_position) && !twice {
                continue;
            }
            let source = self.sources.add("--table", name.as_str());
            let span = Span { source, start: 0, end: name.len() as u32 };
            errors.push(if twice {
                let message = format!("the table `{name}` is given twice");
                Diagnostic::error(Code::BoundTwice, span, message).hint("keep one of them")
            } else {
                let hint = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => "it has none".to_owned(),
                    None => format!("its parameters are {}", names.join(", ")),
                };
                let message = format!("`{}` has no parameter `{name}`", entry.name);
                Diagnostic::error(Code::UnknownParameter, span, message).hint(hint)
            });
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn release<S: Scalar>(mut self, published: Published<S>, secret: SecretColumn) -> Result<Release<S>, Refusal> {
        let (_, table) = &self.input.tables[secret.table];
        let people = match self.people(table, &published.rows) {
            Ok(people) => people,
            Err(diagnostic) => return Err(self.refuse(vec![*diagnostic])),
        };
        let data = table.columns()[secret.column].data();
        let truths = published.rows.iter().filter_map(|row| data.number(*row as usize)).collect();
        let mut notes = self.table_notes();
        notes.extend(without_secret(&self.input.secret, data.missing()));
        notes.extend(repeated_names(&people));
        notes.extend(published.notes.iter().map(|note| {
            let place = self.sources.location(note.span);
            format!("{} ({}, line {})", note.message, self.sources.get(note.span.source).name, place.line)
        }));
        notes.extend(public_note(&published.public));
        notes.extend(empty_note(&published.empty));
        let outputs = published.figures.into_iter().map(|figure| Output {
            name: figure.name,
            variable: figure.variable,
            value: figure.value,
            span: figure.span,
        });
        Ok(Release {
            network: published.network,
            secrets: published.secrets.into_iter().collect(),
            truths,
            people,
            outputs: outputs.collect(),
            notes,
            doubt: published.doubt,
            rounded: published.rounded,
            sources: self.sources,
        })
    }

    fn table_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (name, table) in &self.input.tables {
            notes.extend(table.notes().iter().map(|note| format!("table `{name}`: {note}")));
            let dropped = table.dropped_rows();
            if dropped > 0 {
                let rows = if dropped == 1 { "1 row is" } else { &format!("{dropped} rows are") };
                notes.push(format!("table `{name}`: {rows} left out because of missing values, and not numbered"));
            }
        }
        notes
    }

    /// What the people are called; those of some rows, who have a secret.
    fn people(&mut self, table: &Table, rows: &[u32]) -> Result<People, Box<Diagnostic>> {
        let Some(name) = &self.input.person else {
            if rows.len() == table.row_count() {
                return Ok(People::Rows(rows.len()));
            }
            let names = rows.iter().map(|row| (row + 1).to_string()).collect();
            return Ok(People::Named { column: "row".to_owned(), names });
        };
        let Some(column) = table.column(name) else {
            let span = self.whole("--person", name);
            let message = format!("the secret's table has no column `{name}`");
            let hint = column_hint(name, table.columns());
            return Err(Box::new(Diagnostic::error(Code::BadPerson, span, message).hint(hint)));
        };
        // Somebody without a name is nobody else.
        let shown = |row: &u32| column.data().show(*row as usize).unwrap_or_else(|| format!("(row {})", row + 1));
        let names = rows.iter().map(shown).collect();
        Ok(People::Named { column: name.clone(), names })
    }
}

fn column_hint(wanted: &str, columns: &[TableColumn]) -> String {
    const SHOWN: usize = 12;
    match nearest(wanted, columns.iter().map(TableColumn::name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut names: Vec<&str> = columns.iter().take(SHOWN).map(TableColumn::name).collect();
            if columns.len() > SHOWN {
                names.push("…");
            }
            format!("the columns are {}", names.join(", "))
        }
    }
}

/// What is said if two people have one name.
fn repeated_names(people: &People) -> Option<String> {
    let People::Named { column, names } = people else { return None };
    let mut seen = std::collections::HashSet::new();
    let repeated = names.iter().find(|name| !seen.insert(name.as_str()))?;
    Some(format!("several rows of the column `{column}` have one name, such as `{repeated}`; each row is a person"))
}

/// What is said of rows whose secret is missing.
fn without_secret(secret: &str, count: usize) -> Option<String> {
    let rows = match count {
        0 => return None,
        1 => "1 row has no value of".to_owned(),
        count => format!("{} rows have no value of", privug_language::words::number(count as f64)),
    };
    Some(format!(
        "{rows} `{secret}`: there is no secret to lose, and nobody in them is counted among the people. Whose value is \
         missing is taken to be known to the attacker"
    ))
}

/// What is said of figures that are NaN.
fn empty_note(names: &[String]) -> Option<String> {
    let first = names.first()?;
    let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
    let is = if names.len() > 1 { "are" } else { "is" };
    Some(format!("`{first}`{more} {is} published as NaN: no value is in it, which anybody can see"))
}

/// What is said of figures that do not depend on the secret.
fn public_note(names: &[String]) -> Option<String> {
    const SHOWN: usize = 3;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let (subject, verb) = match names.len() {
        0 => return None,
        1 => (shown[0].clone(), "does"),
        count if count <= SHOWN => {
            let (last, first) = shown.split_last()?;
            (format!("{} and {last}", first.join(", ")), "do")
        }
        count => (format!("{} and {} more", shown.join(", "), count - SHOWN), "do"),
    };
    Some(format!("{subject} {verb} not depend on the secret and {verb} not count as evidence"))
}
