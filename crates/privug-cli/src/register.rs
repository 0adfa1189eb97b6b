//! Tables that are grouped before they are audited: larger than the memory, or grouped by the engine that holds them.

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use privug::audit::{
    Audit, GroupedInput, GroupedPeople, Input, Ledger, Members, Progress, columns_read, fits_groups, may_be_summed,
    own_prior_means,
};
use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::register::{GroupError, Grouper, Groups, MAX_GROUPS, OwnColumns, Piece, Register, Rows, read_groups};
use privug::report::{self, PeopleWriter};
use privug::source::{Sources, Span};
use privug::table::{Data, Table, TableError};

use crate::audit::{PeopleFormat, bad_table};
use crate::progress::Shown;
use crate::request;

/// A single file of at least so many bytes is grouped first.
pub const LARGE_BYTES: u64 = 1 << 30;

/// A table that is audited by groups.
pub struct Grouped {
    /// What is audited.
    pub input: GroupedInput,
    groups: Arc<Groups>,
    people: Option<Arc<InFiles>>,
}

/// The people of a register, in its files.
#[derive(Debug)]
struct InFiles {
    register: Mutex<(Register, Grouper)>,
    read: Vec<String>,
}

impl InFiles {
    fn pass(
        &self,
        progress: &dyn Fn(Piece),
        each: &mut dyn FnMut(&Rows) -> Result<(), GroupError>,
    ) -> Result<(), GroupError> {
        let mut register = self.register.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (register, grouper) = &mut *register;
        register.everybody(grouper, &self.read, progress, each)
    }
}

impl Members for InFiles {
    fn visit(&self, each: &mut dyn FnMut(&Rows)) -> Result<(), String> {
        let done = self.pass(&|_| {}, &mut |rows| {
            each(rows);
            Ok(())
        });
        done.map_err(|error| match error {
            GroupError::Table(error) => error.to_string(),
            GroupError::TooMany { .. } => "the table changed while it was being read".to_owned(),
        })
    }
}

/// The place of the people's table among the inputs, and the secret column.
fn secret_of(input: &Input) -> Result<(usize, String), Refusal> {
    fits_groups(input)?;
    let secret = &input.secrets[0];
    let (table, column) = match secret.trim().split_once('.') {
        Some((table, column)) => (Some(table.trim()), column.trim()),
        None => (None, secret.trim()),
    };
    let place = match table {
        Some(table) => input.tables.iter().position(|(name, _)| name == table),
        None => (input.tables.len() == 1).then_some(0),
    };
    match place {
        Some(place) => Ok((place, column.to_owned())),
        None => Err(refused(Code::BadSecret, &format!("there is no table of `{secret}`"), None)),
    }
}

/// The table that a secret names, before there are any.
pub fn table_of(secret: &str) -> &str {
    secret.split_once('.').map_or("people", |(table, _)| table.trim())
}

/// Reads what was published before.
pub fn ledger(path: &Path) -> Result<Ledger, Refusal> {
    let path = path.to_string_lossy().into_owned();
    let text = request::read_text(&path, "a ledger is a file that `privug.Ledger` or `--record` wrote")?;
    Ledger::read(&path, &text)
}

/// Where a release is recorded: `may=ledger.json`. What is in the file already must be taken into account.
pub fn recording(text: &str, before: Option<&Path>) -> Result<(String, PathBuf), String> {
    let Some((name, path)) = text.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty()) else {
        return Err(format!("--record {text} is not NAME=FILE, such as may=ledger.json"));
    };
    if Path::new(path).exists() && before != Some(Path::new(path)) {
        return Err(format!(
            "{path} contains earlier releases: take them into account with `--published-before {path}`"
        ));
    }
    Ok((name.to_owned(), PathBuf::from(path)))
}

/// Refuses a column of weights that are not there, or that more is looked at than their sums.
pub fn check_weights(
    weights: &str,
    secret: &str,
    names: &[String],
    program: &str,
    priors: &[String],
    also: &[String],
) -> Result<(), Refusal> {
    if !names.iter().any(|name| name == weights) {
        let hint = format!("the columns are {}", names.join(", "));
        return Err(refused(Code::UnknownColumn, &format!("the table has no column `{weights}`"), Some(hint)));
    }
    if weights == secret {
        let hint = "`--sum-weights` must name a column that the secret is multiplied by".to_owned();
        return Err(refused(Code::NotOfGroups, &format!("`{weights}` is the secret itself"), Some(hint)));
    }
    if !may_be_summed(weights, program, priors, also) {
        let message = format!(
            "sums of `{weights}` are not sufficient: the script does not use it, or the prior or an earlier release does"
        );
        let hint = "omit `--sum-weights`, or bin the column".to_owned();
        return Err(refused(Code::NotOfGroups, &message, Some(hint)));
    }
    Ok(())
}

/// A table in which nothing is yet.
pub fn nothing() -> Result<Table, TableError> {
    Table::from_columns(Vec::new(), 0)
}

fn refused(code: Code, message: &str, hint: Option<String>) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add("--table", "");
    let mut diagnostic = Diagnostic::error(code, Span { source, start: 0, end: 0 }, message);
    diagnostic.hint = hint;
    Refusal { sources, diagnostics: vec![diagnostic] }
}

/// `--missing refuse` with groups.
pub fn missing_in_groups() -> Refusal {
    let message = "missing values form their own groups and are not detected";
    let hint = "omit `--missing refuse`: a note counts the people without a secret";
    refused(Code::NotOfGroups, message, Some(hint.to_owned()))
}

/// `is_weight` tells whether sums of a column might do in its place.
fn not_grouped(error: GroupError, is_weight: &dyn Fn(&str) -> bool) -> Refusal {
    match error {
        GroupError::Table(error) => bad_table(error),
        GroupError::TooMany { groups, rows, column, values } => {
            let message = format!(
                "after {rows} rows there are {groups} distinct groups of people; `{column}` alone has {values} distinct values"
            );
            let mut hint = format!("do not use `{column}` in the script and the prior, or bin it in the table");
            if is_weight(&column) {
                hint += &format!("; if it is a weight that the secret is multiplied by, use `--sum-weights {column}`");
            }
            refused(Code::TooManyGroups, &message, Some(hint))
        }
    }
}

/// Groups the people's table, which is in these files, and puts the groups in its place.
///
/// Of the column `weights` sums are made, instead of grouping by it.
pub fn from_files(
    input: Input,
    paths: &[PathBuf],
    also: &[String],
    weights: Option<&str>,
    shown: &Shown,
) -> Result<Grouped, Refusal> {
    let (place, secret) = secret_of(&input)?;
    shown.note(Progress::Begin("grouping people"));
    let mut register = Register::open(paths).map_err(bad_table)?;
    let names = register.names().to_vec();
    if !names.contains(&secret) {
        let message = format!("the table has no column `{secret}`");
        return Err(refused(Code::UnknownColumn, &message, Some(format!("the columns are {}", names.join(", ")))));
    }
    if let Some(weights) = weights {
        check_weights(weights, &secret, &names, &input.program, &input.priors, also)?;
    }
    let mut read = columns_read(&input.program, &input.priors, &names);
    read.extend(also.iter().filter(|name| names.contains(name)).cloned());
    read.push(secret.clone());
    read.sort_unstable();
    read.dedup();
    let own = own_prior_means(&input.program, &input.priors, &names, also).filter(|own| *own != secret);
    let columns = OwnColumns { prior_means: own.as_deref(), weights };
    let grouped = register.group(&read, &secret, columns, MAX_GROUPS, &|piece| note(shown, piece));
    let (groups, grouper) = grouped.map_err(|error| {
        let is_weight = |column: &str| weights.is_none() && may_be_summed(column, &input.program, &input.priors, also);
        not_grouped(error, &is_weight)
    })?;
    let groups = Arc::new(groups);
    let people = Arc::new(InFiles { register: Mutex::new((register, grouper)), read });
    let members: Arc<dyn Members> = people.clone();
    let input = GroupedInput::new(input, place, groups.clone(), &names, Some(members)).map_err(bad_table)?;
    Ok(Grouped { input, groups, people: Some(people) })
}

/// More groups than are allowed, and the column that has most different values.
fn too_many(groups: &Groups) -> GroupError {
    let different = |data: &Data| (0..groups.len()).map(|group| data.show(group)).collect::<HashSet<_>>().len();
    let counted = groups.keys.iter().map(|(name, data)| (different(data), name.clone()));
    let (values, column) = counted.max().unwrap_or_default();
    GroupError::TooMany { groups: groups.len(), rows: groups.people(), column, values }
}

/// Reads groups that somebody else has made, and puts them in the place of the people's table.
pub fn from_groups(input: Input, path: &Path) -> Result<Grouped, Refusal> {
    let (place, secret) = secret_of(&input)?;
    let bad = |error: TableError| {
        let mut refusal = bad_table(error);
        refusal.diagnostics[0].code = Code::BadGroups;
        refusal
    };
    let (groups, names) = read_groups(path, &secret).map_err(bad)?;
    if groups.len() > MAX_GROUPS {
        return Err(not_grouped(too_many(&groups), &|_| false));
    }
    let groups = Arc::new(groups);
    let input = GroupedInput::new(input, place, groups.clone(), &names, None).map_err(bad)?;
    Ok(Grouped { input, groups, people: None })
}

fn note(shown: &Shown, piece: Piece) {
    shown.note(Progress::Step(piece.rows as usize, piece.of.unwrap_or(piece.rows) as usize));
}

impl Grouped {
    /// Writes everybody in a second pass; of groups that somebody else has made, one row for each.
    pub fn write_people(
        &self,
        found: &Audit,
        format: PeopleFormat,
        out: &mut (impl Write + Send),
        shown: &Shown,
    ) -> std::io::Result<()> {
        let mut out = BufWriter::new(out);
        let Some(people) = &self.people else {
            match format {
                PeopleFormat::Csv => report::write_groups_csv(found, &self.groups, &mut out)?,
                PeopleFormat::Parquet => report::write_groups_parquet(found, &self.groups, &mut out)?,
            }
            return out.flush();
        };
        let Some(known) = GroupedPeople::new(found) else { return Ok(()) };
        let mut writer = match format {
            PeopleFormat::Csv => PeopleWriter::csv(found, out)?,
            PeopleFormat::Parquet => PeopleWriter::parquet(found, out)?,
        };
        let mut before = 0;
        let mut failed = None;
        let passed = people.pass(&|piece| note(shown, piece), &mut |rows| {
            let (places, measured) = known.of(rows);
            if failed.is_none() {
                failed = writer.write(&measured, &|at| (before + places[at] + 1).to_string()).err();
            }
            before += rows.groups.len();
            Ok(())
        });
        if let Err(error) = passed {
            let text =
                not_grouped(error, &|_| false).diagnostics.first().map(|one| one.message.clone()).unwrap_or_default();
            return Err(std::io::Error::other(text));
        }
        match failed {
            Some(error) => Err(error),
            None => writer.finish(),
        }
    }
}
