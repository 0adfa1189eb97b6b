//! A script and its tables to a [`Release`]: what is published, as the attacker models it and as it really is.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::given::{Given, NAMELESS, column_hint, column_name, has_discrete_prior, mentions};
use super::release::{Belief, Count, Output, People, Release, Unexamined};
use super::sensitive::{self, Mistaken};
use crate::driver::{Texts, on_large_stack};
use privug_engine::evaluate::{GroupMeans, GroupTable, Limits, Published, PublishedCount, SecretColumn};
use privug_engine::number::Scalar;
use privug_engine::stages::Stages;
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::program::Program;
use privug_tables::table::Table;

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
        let mut given = Given { input: &input, texts: Texts::new(&input.path, &input.program) };
        let (secrets, program, people) =
            on_large_stack(|| given.compile()).map_err(|diagnostics| given.texts.refuse(diagnostics))?;
        let texts = given.texts;
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
