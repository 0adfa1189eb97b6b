//! A script and its tables to a [`Release`]: what is published, as the attacker models it and as it really is.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::release::{Belief, Count, Output, People, Release, Unexamined};
use super::sensitive::{self, Mistaken};
use crate::driver::{Language, Texts, on_large_stack};
use privug_engine::evaluate::{GroupMeans, GroupTable, Limits, Published, PublishedCount, SecretColumn};
use privug_engine::number::Scalar;
use privug_engine::stages::Stages;
use privug_language::diagnostic::{Code, Diagnostic, Refusal, listed, nearest};
use privug_language::program::{ExpressionSource, Program, Role};
use privug_language::source::Span;
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
    /// The secret columns of one table, as `people.income`.
    pub secrets: Vec<String>,
    /// What the attacker believes about the secret of each row: an expression with the table's columns in scope. With
    /// several secrets, one for each, as `income=Normal(...)`; it may mention the secrets that are named before it, and
    /// is then correlated with them.
    pub priors: Vec<String>,
    /// The column of the secrets' table that names people: rows of one name are one person. Without it, every row is one.
    pub person: Option<String>,
    /// What the attacker knows about people, and what they must not learn.
    pub attacker: Attacker,
    /// What running the script may use up.
    pub limits: Limits,
    /// Set from outside to stop.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// What the attacker of a discrete secret knows, and what they must not learn.
#[derive(Debug, Clone, Default)]
pub struct Attacker {
    /// The columns of the secrets' table that the attacker knows of everybody; all but the secrets if none is named.
    pub known: Vec<String>,
    /// Whether the rows of the table are released as they are, instead of what a script computes: the columns that the
    /// attacker knows, and the secrets.
    pub releases_rows: bool,
    /// Which values of a discrete secret are sensitive, such as `disease in ["HIV", "TB"]`; all if nothing is said.
    pub sensitive: Vec<String>,
}

/// Runs a script on its tables twice: on the attacker's random variables, and on the real values.
pub fn lift<S: Stages>(input: &Input) -> Result<Release<S>, Refusal> {
    Lifting::new(input)?.lift(false)
}

/// A script that is compiled, and knows which columns are secret.
pub(super) struct Lifting<'i> {
    input: Cow<'i, Input>,
    texts: Texts,
    secrets: Vec<SecretColumn>,
    program: Program,
    people: People,
}

impl<'i> Lifting<'i> {
    /// Reads everything that is given beside the script, and compiles it.
    pub(super) fn new(input: &'i Input) -> Result<Self, Refusal> {
        let input = with_numbers(input);
        let mut options = Options { input: &input, texts: Texts::new(&input.path, &input.program) };
        let (secrets, program, people) =
            on_large_stack(|| options.compile()).map_err(|diagnostics| options.texts.refuse(diagnostics))?;
        let texts = options.texts;
        Ok(Lifting { input, texts, secrets, program, people })
    }

    /// Runs the script; in exact arithmetic it may follow what it does in doubles.
    pub(super) fn lift<S: Stages>(&self, follows_doubles: bool) -> Result<Release<S>, Refusal> {
        self.lift_groups(None, follows_doubles).map(|(release, _)| release)
    }

    /// The same with a table of groups of people; gives the means of the groups as well.
    pub(super) fn lift_groups<S: Stages>(
        &self,
        groups: Option<&GroupTable>,
        follows_doubles: bool,
    ) -> Result<(Release<S>, GroupMeans<S>), Refusal> {
        let Input { tables, limits, cancelled, .. } = &*self.input;
        let published = on_large_stack(|| {
            let cancelled = cancelled.clone();
            S::evaluate_release(&self.program, tables, &self.secrets, limits, cancelled, follows_doubles, groups)
        });
        let mut published: Published<S> = published.map_err(|diagnostics| self.texts.refuse(diagnostics))?;
        let none = || GroupMeans { means: Vec::new(), between: Vec::new() };
        let means = published.group_means.take().unwrap_or_else(none);
        self.release(published, groups).map(|release| (release, means))
    }

    fn release<S: Scalar>(&self, published: Published<S>, groups: Option<&GroupTable>) -> Result<Release<S>, Refusal> {
        let (secrets, sources) = (&self.secrets, &self.texts.sources);
        let people_table = secrets.first().map_or(0, |secret| secret.table);
        let (table_name, table) = &self.input.tables[people_table];
        let known_groups = match known_groups(&self.input, table, secrets, &published.beliefs) {
            Ok(groups) => groups,
            Err((place, message, hint)) => {
                let mut texts = self.texts.clone();
                let span = texts.add("--known", &place);
                return Err(texts.refuse(vec![Diagnostic::error(Code::MalformedOption, span, message).hint(hint)]));
            }
        };
        self.check_sensitive(&published)?;
        let mut truths = Vec::with_capacity(published.secrets.len());
        for ((secret, rows), belief) in secrets.iter().zip(&published.rows).zip(&published.beliefs) {
            let data = table.columns()[secret.column].data();
            match belief {
                Belief::Gaussian | Belief::Skewed(_) => {
                    truths.extend(rows.iter().filter_map(|row| data.number(*row as usize)))
                }
                Belief::Discrete(discrete) => {
                    let number = |code: &u32| discrete.values[*code as usize].number().unwrap_or(f64::from(*code));
                    truths.extend(discrete.truths.iter().map(number));
                }
            }
        }
        let columns: Vec<String> =
            secrets.iter().map(|secret| format!("{table_name}.{}", column_name(&self.input, *secret))).collect();
        let mut notes = self.table_notes();
        for (name, secret) in columns.iter().zip(secrets) {
            let missing = match groups {
                None => table.columns()[secret.column].data().missing() as u64,
                Some(groups) => groups.without_secret(),
            };
            notes.extend(without_secret(name, missing));
        }
        notes.extend(repeated_names(&self.people));
        notes.extend(published.notes.iter().map(|note| {
            let place = sources.location(note.span);
            format!("{} ({}, line {})", note.message, sources.get(note.span.source).name, place.line)
        }));
        let mut unexamined: Vec<Unexamined> = Vec::new();
        let mut counts = Vec::new();
        for count in published.counts {
            let PublishedCount { name, count, of, table, rows, span } = count;
            if table == people_table {
                counts.push(Count { name, count, of, rows, span });
            } else {
                let kind = format!("a count of `{}`", self.input.tables[table].0);
                unexamined.push(Unexamined { name, kind, value: Some(count as f64), span });
            }
        }
        unexamined.extend(published.unexamined.into_iter().map(|other| Unexamined {
            name: other.name,
            kind: other.kind.to_owned(),
            value: other.value,
            span: other.span,
        }));
        notes.extend(empty_note(&published.empty));
        let nothing = published.figures.is_empty() && counts.is_empty() && unexamined.is_empty();
        if nothing && published.empty.is_empty() {
            let error = Diagnostic::error(Code::NothingRandom, self.texts.start(), "the function publishes nothing");
            return Err(self.texts.refuse(vec![error.hint("return the published figures: is a `return` missing?")]));
        }
        let outputs = published.figures.into_iter().map(|figure| Output {
            name: figure.name,
            variable: figure.variable,
            value: figure.value,
            span: figure.span,
        });
        Ok(Release {
            network: published.network,
            columns,
            rows: published.rows,
            secrets: published.secrets.into_iter().collect(),
            beliefs: published.beliefs,
            sensitive: published.sensitive,
            medians: published.medians,
            known_groups,
            earlier: (0, 0),
            releases_rows: self.input.attacker.releases_rows,
            truths,
            people: self.people.clone(),
            outputs: outputs.collect(),
            counts,
            unexamined,
            groups: None,
            notes,
            doubt: published.doubt,
            rounded: published.rounded,
            known_rounded: published.known_rounded,
            sources: sources.clone(),
        })
    }

    /// Refuses to call values sensitive that a secret cannot have.
    fn check_sensitive<S: Scalar>(&self, published: &Published<S>) -> Result<(), Refusal> {
        for ((secret, belief), sensitive) in self.secrets.iter().zip(&published.beliefs).zip(&published.sensitive) {
            let column = column_name(&self.input, *secret);
            let texts = self.input.attacker.sensitive.iter().map(String::as_str);
            let about: Vec<&str> = texts.filter(|text| mentions(text, column)).collect();
            if let Err(Mistaken { text, message, hint }) = sensitive::check(&about, column, belief, sensitive) {
                let mut texts = self.texts.clone();
                let span = texts.add("--sensitive", &text);
                return Err(texts.refuse(vec![Diagnostic::error(Code::MalformedOption, span, message).hint(hint)]));
            }
        }
        Ok(())
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
}

/// Whether a prior is about categories, and may have a secret that is no number.
fn has_discrete_prior(input: &Input) -> bool {
    const DISCRETE: [&str; 4] = ["Bernoulli", "Categorical", "DiscreteUniform", "Binomial"];
    input.priors.iter().any(|prior| DISCRETE.iter().any(|name| prior.contains(name)))
}

/// To a continuous prior, yes and no are the numbers 1 and 0, as they are to pandas' sums and means.
fn with_numbers(input: &Input) -> Cow<'_, Input> {
    let mut input = Cow::Borrowed(input);
    if has_discrete_prior(&input) {
        return input;
    }
    for place in 0..input.secrets.len() {
        let text = input.secrets[place].trim();
        let (table, column) = text.split_once('.').map_or((None, text), |(table, column)| (Some(table.trim()), column));
        let is_meant = |(name, _): &(String, Table)| table.is_none_or(|table| table == name);
        let Some(table) = input.tables.iter().position(is_meant) else { continue };
        if let Some(numbers) = input.tables[table].1.with_numbers_for_booleans(column.trim()) {
            input.to_mut().tables[table].1 = numbers;
        }
    }
    input
}

/// What is given beside a script, while it is read.
struct Options<'i> {
    input: &'i Input,
    texts: Texts,
}

impl Options<'_> {
    fn compile(&mut self) -> Result<(Vec<SecretColumn>, Program, People), Vec<Diagnostic>> {
        let secrets = self.secrets().map_err(|diagnostic| vec![*diagnostic])?;
        let priors = self.priors(&secrets).map_err(|diagnostic| vec![*diagnostic])?;
        if self.input.attacker.releases_rows {
            self.release_rows(&secrets).map_err(|diagnostic| vec![*diagnostic])?;
        }
        let program = self.program(&secrets, &priors)?;
        self.check_tables(&program)?;
        let people = self.people(&secrets).map_err(|diagnostic| vec![*diagnostic])?;
        Ok((secrets, program, people))
    }

    /// Rows as they are tell how many people there are of each kind that the attacker knows, with each value of the secret:
    /// no more, as whoever sees them cannot tell people of a kind apart.
    fn release_rows(&mut self, secrets: &[SecretColumn]) -> Result<(), Box<Diagnostic>> {
        let (name, table) = &self.input.tables[secrets[0].table];
        let known = &self.input.attacker.known;
        let is_public = |place: usize| !secrets.iter().any(|secret| secret.column == place);
        let is_released = |column: &str| match known.is_empty() {
            true => Some(column) != self.input.person.as_deref(),
            false => known.iter().any(|known| known.trim() == column),
        };
        let columns = table.columns().iter().enumerate();
        let released = columns.filter(|(place, column)| is_public(*place) && is_released(column.name()));
        let released: Vec<&TableColumn> = released.map(|(_, column)| column).collect();
        if let Some(column) = released.iter().find(|column| column.data().missing() > 0) {
            let message = format!("the column `{}` has missing values, which distinguish rows too", column.name());
            let span = self.texts.add("--release-rows", "");
            let hint = "fill them first, with a value that does not occur otherwise";
            return Err(Box::new(Diagnostic::error(Code::BadTable, span, message).hint(hint)));
        }
        let quoted = |text: &str| format!("{text:?}");
        let keys: Vec<String> = released.iter().map(|column| quoted(column.name())).collect();
        let tables = secrets.iter().map(|secret| {
            let secret = quoted(table.columns()[secret.column].name());
            let grouped = if keys.is_empty() { name.clone() } else { format!("{name}.groupby([{}])", keys.join(", ")) };
            format!("{secret}: {grouped}[{secret}].value_counts().sort_index()")
        });
        let text = format!("def release({name}):\n    return {{{}}}\n", tables.collect::<Vec<_>>().join(", "));
        self.texts.program = self.texts.sources.add("released rows", text);
        Ok(())
    }

    /// Which columns are secret: different ones of one table.
    fn secrets(&mut self) -> Result<Vec<SecretColumn>, Box<Diagnostic>> {
        let mut secrets: Vec<SecretColumn> = Vec::new();
        for text in &self.input.secrets {
            let span = self.texts.add("--secret", text);
            let secret = self.secret(text, span)?;
            if secrets.contains(&secret) {
                let message = format!("`{}` is given twice", text.trim());
                return Err(Box::new(Diagnostic::error(Code::BoundTwice, span, message).hint("remove one of them")));
            }
            if let Some(first) = secrets.first()
                && first.table != secret.table
            {
                let (name, _) = &self.input.tables[first.table];
                let message = format!("`{}` is not a column of `{name}`, where the first secret is", text.trim());
                let hint = "all secrets are columns of the table of people; join the tables first";
                return Err(Box::new(Diagnostic::error(Code::BadSecret, span, message).hint(hint)));
            }
            secrets.push(secret);
        }
        if secrets.is_empty() {
            let span = self.texts.add("--secret", "");
            let error = Diagnostic::error(Code::BadSecret, span, "no column is secret");
            return Err(Box::new(error.hint("name one with `--secret people.income`")));
        }
        Ok(secrets)
    }

    /// Where the prior of each secret is: `Normal(...)` for the only one, `income=Normal(...)` for one of several.
    fn priors(&mut self, secrets: &[SecretColumn]) -> Result<Vec<Span>, Box<Diagnostic>> {
        let mut found: Vec<Option<Span>> = vec![None; secrets.len()];
        let names: Vec<String> = secrets.iter().map(|secret| column_name(self.input, *secret).to_owned()).collect();
        for text in &self.input.priors {
            let span = self.texts.add("--prior", text);
            let (place, span) = match prior_name(text) {
                Some(name) => {
                    let behind = span.start as usize + text.trim_start().find('=').map_or(0, |at| at + 1);
                    let blank = text[behind..].len() - text[behind..].trim_start().len();
                    let wanted = name.rsplit('.').next().unwrap_or(name).trim();
                    let Some(place) = names.iter().position(|name| name == wanted) else {
                        let hint = match nearest(wanted, names.iter().map(String::as_str)) {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => format!("name a secret, as in `{}={}`", names[0], text[behind..].trim()),
                        };
                        let message = format!("`{wanted}` is not a secret, so it needs no prior");
                        return Err(Box::new(Diagnostic::error(Code::MalformedOption, span, message).hint(hint)));
                    };
                    (place, Span { start: ((behind + blank) as u32).min(span.end), ..span })
                }
                None if secrets.len() == 1 => (0, span),
                None => {
                    let hint = format!("name it: `{}={}`", names[0], text.trim());
                    let message = "there are several secrets, and this prior does not name one";
                    return Err(Box::new(Diagnostic::error(Code::MalformedOption, span, message).hint(hint)));
                }
            };
            if span.start >= span.end {
                let hint = "write the attacker's belief, such as `Normal(mean=450_000, std=60_000)`";
                let error = Diagnostic::error(Code::MalformedOption, span, "the prior is empty").hint(hint);
                return Err(Box::new(error));
            }
            if found[place].replace(span).is_some() {
                let message = format!("`{}` has two priors", names[place]);
                return Err(Box::new(Diagnostic::error(Code::BoundTwice, span, message).hint("remove one of them")));
            }
        }
        if let Some(place) = found.iter().position(Option::is_none) {
            let span = self.texts.add("--secret", &self.input.secrets[place]);
            let name = match secrets.len() {
                1 => String::new(),
                _ => format!("{}=", names[place]),
            };
            let hint = format!("specify the attacker's belief: `--prior '{name}Normal(mean=450_000, std=60_000)'`");
            let message = format!("`{}` has no prior", names[place]);
            return Err(Box::new(Diagnostic::error(Code::MalformedOption, span, message).hint(hint)));
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Which column is secret: `people.income`.
    fn secret(&self, text: &str, span: Span) -> Result<SecretColumn, Box<Diagnostic>> {
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
                refuse(Code::BadSecret, message, "name the column to protect".to_owned())
            }
            (Data::Numbers(_) | Data::Integers(_), _) => Ok(SecretColumn { table, column }),
            // Categories; what they hold is compared with the prior later.
            _ if has_discrete_prior(self.input) => Ok(SecretColumn { table, column }),
            (Data::Texts { .. }, Some((row, cell))) => {
                let message = format!("row {row}, column `{column_name}`: `{cell}` is not a number");
                refuse(
                    Code::BadSecret,
                    message,
                    "correct the cell: numbers are written as `480000` or `1.5`".to_owned(),
                )
            }
            (other, _) => {
                let such = match other.show(0) {
                    Some(first) if matches!(other, Data::Texts { .. }) => format!(", such as `{first}` in row 1"),
                    _ => String::new(),
                };
                let message = format!("the column `{column_name}` holds {}{such}", other.kind());
                let hint = "a Gaussian prior needs a column of numbers; for categories give a discrete one, such as \
                            `Categorical({\"a\": 0.2, \"b\": 0.8})` or `Bernoulli(0.02)`";
                refuse(Code::BadSecret, message, hint.to_owned())
            }
        }
    }

    fn program(&mut self, secrets: &[SecretColumn], priors: &[Span]) -> Result<Program, Vec<Diagnostic>> {
        let input = self.input;
        let mut sensitive: Vec<ExpressionSource> = Vec::new();
        for text in &input.attacker.sensitive {
            let span = self.texts.add("--sensitive", text);
            let names = secrets.iter().map(|secret| column_name(input, *secret).to_owned());
            let Some(name) = names.clone().find(|name| mentions(text, name)) else {
                let message = "this does not name a secret";
                let hint = format!("name the secret: `{} in [...]`", names.collect::<Vec<_>>().join(", "));
                return Err(vec![Diagnostic::error(Code::MalformedOption, span, message).hint(hint)]);
            };
            sensitive.push(ExpressionSource::text(Role::ColumnPrior(vec![name]), span));
        }
        // The columns that a prior may mention: not the secrets that come later, which nobody knows anything of yet.
        let expressions = priors.iter().enumerate().map(|(place, span)| {
            let columns = input.tables[secrets[place].table].1.columns().iter().enumerate();
            let is_later = |column: usize| secrets[place + 1..].iter().any(|secret| secret.column == column);
            let known = columns.filter(|(column, _)| !is_later(*column)).map(|(_, column)| column.name().to_owned());
            let mut known: Vec<String> = known.collect();
            // The table itself, unless a column has its name.
            let table = &input.tables[secrets[place].table].0;
            if !known.contains(table) {
                known.push(table.clone());
            }
            ExpressionSource::text(Role::ColumnPrior(known), *span)
        });
        let expressions: Vec<ExpressionSource> = expressions.chain(sensitive).collect();
        let function = input.function.as_deref().filter(|_| !input.attacker.releases_rows);
        self.texts.compile(function, &expressions, Language::Tables)
    }

    /// Every table is a parameter of the function, unless there is only one of each.
    fn check_tables(&mut self, program: &Program) -> Result<(), Vec<Diagnostic>> {
        let entry = program.function(program.entry);
        let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut errors = Vec::new();
        // A table that the script reads needs no parameter.
        let reads = program.reads_tables();
        for (position, (name, _)) in self.input.tables.iter().enumerate() {
            let twice = self.input.tables[..position].iter().any(|(earlier, _)| earlier == name);
            let by_position = self.input.tables.len() == 1 && !names.is_empty();
            if (names.contains(&name.as_str()) || by_position || reads) && !twice {
                continue;
            }
            let span = self.texts.add("--table", name);
            errors.push(if twice {
                let message = format!("the table `{name}` is given twice");
                Diagnostic::error(Code::BoundTwice, span, message).hint("remove one of them")
            } else {
                let hint = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => "it has none".to_owned(),
                    None => listed("its only parameter is", "its parameters are", &names),
                };
                let message = format!("`{}` has no parameter `{name}`", entry.name);
                Diagnostic::error(Code::UnknownParameter, span, message).hint(hint)
            });
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// What the people are called; those of some rows, who have a secret.
    fn people(&mut self, secrets: &[SecretColumn]) -> Result<People, Box<Diagnostic>> {
        let (_, table) = &self.input.tables[secrets.first().map_or(0, |secret| secret.table)];
        let Some(name) = &self.input.person else { return Ok(People::Rows(table.row_count())) };
        let Some(column) = table.column(name) else {
            let span = self.texts.add("--person", name);
            let message = format!("the secret's table has no column `{name}`");
            let hint = column_hint(name, table.columns());
            return Err(Box::new(Diagnostic::error(Code::BadPerson, span, message).hint(hint)));
        };
        // Whether rows without a name are about several people is not known: they protect each other as little as one does.
        let shown = |row: usize| column.data().show(row).unwrap_or_else(|| NAMELESS.to_owned());
        let names = (0..table.row_count()).map(shown).collect();
        Ok(People::Named { column: name.clone(), names })
    }
}

fn column_name(input: &Input, secret: SecretColumn) -> &str {
    input.tables[secret.table].1.columns()[secret.column].name()
}

/// Which rows agree in all columns that the attacker knows; `None` if that is all of them. What is wrong is told as the
/// column, a message and a hint.
fn known_groups(
    input: &Input,
    table: &Table,
    secrets: &[SecretColumn],
    beliefs: &[Belief],
) -> Result<Option<Vec<u32>>, (String, String, String)> {
    if input.attacker.known.is_empty() {
        return Ok(None);
    }
    let mut columns = Vec::new();
    for name in input.attacker.known.iter().map(|name| name.trim()) {
        let refuse = |message: String, hint: String| Err((name.to_owned(), message, hint));
        let Some(place) = table.columns().iter().position(|column| column.name() == name) else {
            let hint = column_hint(name, table.columns());
            return refuse(format!("the secret's table has no column `{name}`"), hint);
        };
        if secrets.iter().any(|secret| secret.column == place) {
            return refuse(format!("`{name}` is secret, so the attacker cannot know it"), "leave it out".to_owned());
        }
        if beliefs.iter().any(|belief| matches!(belief, Belief::Gaussian | Belief::Skewed(_))) {
            let hint = "with a continuous prior the attacker knows all other columns; omit `--known`";
            let message = "what the attacker knows can only be limited for discrete secrets";
            return refuse(message.to_owned(), hint.to_owned());
        }
        columns.push(place);
    }
    let mut places: std::collections::HashMap<Vec<Option<String>>, u32> = std::collections::HashMap::new();
    let groups = (0..table.row_count()).map(|row| {
        let key = columns.iter().map(|column| table.columns()[*column].data().show(row)).collect();
        let next = places.len() as u32;
        *places.entry(key).or_insert(next)
    });
    Ok(Some(groups.collect()))
}

/// Whether a text has a name in it as a word.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = text[..at].chars().next_back().is_some_and(is_part);
        !before && !text[at + name.len()..].chars().next().is_some_and(is_part)
    })
}

fn column_hint(wanted: &str, columns: &[TableColumn]) -> String {
    // The column of a table, written as a secret is: `people.id`.
    let behind = wanted.split_once('.').map(|(_, column)| column);
    let meant = columns.iter().map(TableColumn::name).find(|name| behind == Some(*name));
    match meant.or_else(|| nearest(wanted, columns.iter().map(TableColumn::name))) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<&str> = columns.iter().map(TableColumn::name).collect();
            listed("the only column is", "the columns are", &names)
        }
    }
}

/// Whoever has no name.
const NAMELESS: &str = "(no name)";

/// What is said if several rows are about one person.
fn repeated_names(people: &People) -> Option<String> {
    let People::Named { column, names } = people else { return None };
    let nameless = names.iter().filter(|name| *name == NAMELESS).count();
    if nameless > 1 {
        return Some(format!(
            "{nameless} rows have no `{column}`: they are treated as one person, because it is unknown whether they are several; give them distinct values if they are"
        ));
    }
    let mut seen = std::collections::HashSet::new();
    let repeated = names.iter().find(|name| !seen.insert(name.as_str()))?;
    Some(format!("rows with the same `{column}`, such as `{repeated}`, are treated as one person"))
}

/// The name in `income=Normal(...)`; an expression without a name has brackets before its first `=`, or none.
fn prior_name(text: &str) -> Option<&str> {
    let (name, behind) = text.split_once('=')?;
    let is_name = !name.trim().is_empty() && !name.contains(['(', '[', '<', '>', '!', '"', '\'']);
    (is_name && !behind.starts_with('=')).then_some(name.trim())
}

/// What is said of rows whose secret is missing.
fn without_secret(secret: &str, count: u64) -> Option<String> {
    let rows = match count {
        0 => return None,
        1 => "1 row has no value of".to_owned(),
        count => format!("{} rows have no value of", privug_language::words::number(count as f64)),
    };
    Some(format!(
        "{rows} `{secret}`: they have no secret to protect. The attacker is assumed to know whose value is missing"
    ))
}

/// What is said of figures that are NaN.
fn empty_note(names: &[String]) -> Option<String> {
    let first = names.first()?;
    let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
    let is = if names.len() > 1 { "are" } else { "is" };
    Some(format!("`{first}`{more} {is} published as NaN: there are no values in it, which anybody can see"))
}
