//! `privug audit`

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use privug::audit::{
    self, About, After, Attacker, Audit, DefenceTexts, Input, Ledger, Lift, PolicyTexts, Progress, Settings, Verdict,
    read_policy,
};
use privug::diagnostic::{Code, Diagnostic, Front, Refusal};
use privug::report;
use privug::report::html::audit_to_html;
use privug::source::{Sources, Span};
use privug::table::{self, Table, TableError};

use crate::arguments::{self, Missing};
use crate::progress::Shown;
use crate::register::{self, Grouped};
use crate::{Live, NEEDS_REVIEW, REFUSED, REQUIREMENT_FAILED, WRONG_USAGE, files, html, output, plot, refuse, request};

/// Audits a script and prints what was found.
pub fn audit(arguments: &arguments::Audit, live: Option<Live<'_>>) -> ExitCode {
    if arguments.live && live.is_none() {
        let message = "--live runs a script in Python, which this binary does not include: `pip install` the Python package and use its `privug` command";
        return wrong_usage(message);
    }
    let live = live.filter(|_| arguments.live);
    let tables =
        match arguments.table.iter().map(|text| split_table(text, arguments.live)).collect::<Result<Vec<_>, _>>() {
            Ok(tables) => tables,
            Err(message) => return wrong_usage(&message),
        };
    let before = arguments.published_before.as_deref();
    let record = match arguments.record.as_deref().map(|text| register::recording(text, before)).transpose() {
        Ok(record) => record,
        Err(message) => return wrong_usage(&message),
    };
    let shown = Shown::new();
    let (found, grouped) = match run(arguments, &tables, live, &shown) {
        Ok(found) => found,
        Err(refusal) => {
            drop(shown);
            return refuse(&refusal, arguments.json);
        }
    };
    shown.note(Progress::Begin("writing"));
    if let Some((name, path)) = &record
        && let Err(message) = write_record(&found, name, path)
    {
        drop(shown);
        output::print_error(&format!("error: {}: {message}\n", path.display()));
        return ExitCode::from(REFUSED);
    }
    let written = write_people_if_asked(&arguments.people, &found, grouped.as_ref(), &shown)
        .and_then(|()| plot::write_if_asked(&arguments.plot, || report::audit_plot(&found)))
        .and_then(|()| {
            html::write_if_asked(&arguments.html, |provenance| audit_to_html(&found, Front::CommandLine, provenance))
        });
    drop(shown);
    if let Err(code) = written {
        return code;
    }
    if arguments.json {
        output::print_json(&report::audit_to_json(&found, arguments.all_people));
    } else if !arguments.quiet {
        output::print(&report::audit_to_text(&found, arguments.top as usize, Front::CommandLine, output::palette()));
    }
    match found.verdict {
        Verdict::Pass => ExitCode::SUCCESS,
        Verdict::Review => ExitCode::from(NEEDS_REVIEW),
        Verdict::Fail => ExitCode::from(REQUIREMENT_FAILED),
    }
}

pub fn wrong_usage(message: &str) -> ExitCode {
    output::print_error(&format!("error: {message}\n"));
    ExitCode::from(WRONG_USAGE)
}

/// `people=incomes.csv`, or a file that is called like its table: `data/people.csv`
fn split_table(text: &str, live: bool) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        None if (live || Path::new(text).extension().is_some()) && Path::new(text).file_stem().is_some() => {
            let name = Path::new(text).file_stem().unwrap_or_default();
            Ok((name.to_string_lossy().into_owned(), PathBuf::from(text)))
        }
        Some((name, path)) if !name.trim().is_empty() && !path.is_empty() => {
            Ok((name.trim().to_owned(), PathBuf::from(path)))
        }
        _ => Err(format!("--table {text} is not NAME=FILE, such as people=incomes.csv")),
    }
}

fn run(
    arguments: &arguments::Audit,
    tables: &[(String, PathBuf)],
    live: Option<Live<'_>>,
    shown: &Shown,
) -> Result<(Audit, Option<Grouped>), Refusal> {
    let policy_file = match &arguments.policy {
        Some(path) => {
            let path = path.to_string_lossy().into_owned();
            let text = request::read_text(&path, "a policy is a TOML file; see docs/audit.md")?;
            Some((path, text))
        }
        None => None,
    };
    let policy = read_policy(&PolicyTexts { file: policy_file, rules: arguments.rule.clone() })?;
    let (path, function) = request::split_function(arguments.program.as_deref().unwrap_or("released rows"));
    let program = if arguments.release_rows { String::new() } else { request::read_program(path)? };
    let missing = match arguments.missing {
        Missing::Pandas => table::Missing::AsPandas,
        Missing::Refuse => table::Missing::Refuse,
    };
    shown.note(Progress::Begin("reading tables"));
    let people = arguments.secret.first().map_or("people", |secret| register::table_of(secret));
    let grouping = Grouping::of(arguments, tables, people);
    if arguments.missing == Missing::Refuse && !matches!(grouping, Grouping::None) {
        return Err(register::missing_in_groups());
    }
    let mut read: Vec<(String, Table)> = Vec::new();
    for (name, path) in tables {
        if grouping.is_wanted() && grouping.is_people(name) {
            if !read.iter().any(|(known, _)| known == name) {
                read.push((name.clone(), register::nothing().map_err(bad_table)?));
            }
        } else {
            read.push((name.clone(), table::read(path, missing).map_err(bad_table)?));
        }
    }
    if arguments.groups.is_some() && !read.iter().any(|(name, _)| name == people) {
        read.push((people.to_owned(), register::nothing().map_err(bad_table)?));
    }
    let (limits, work) = request::budgets(&arguments.limits);
    let input = Input {
        path: path.to_owned(),
        program,
        function: function.map(str::to_owned),
        tables: read,
        secrets: arguments.secret.clone(),
        priors: arguments.prior.clone(),
        person: arguments.person.clone(),
        attacker: Attacker {
            known: known(&arguments.known),
            releases_rows: arguments.release_rows,
            sensitive: arguments.sensitive.clone(),
        },
        limits,
        cancelled: None,
    };
    let defences = DefenceTexts {
        noise: arguments.noise.clone(),
        suppress: arguments.suppress.clone(),
        round: arguments.round.clone(),
    };
    let about = About {
        path: input.path.clone(),
        function: input.function.clone(),
        secrets: input.secrets.clone(),
        priors: input.priors.clone(),
        defences: defences.describe(),
    };
    let settings = Settings {
        about,
        policy,
        defences,
        supports: arguments.support.clone(),
        strict: arguments.strict,
        record: arguments.record.is_some(),
        top: arguments.top as usize,
        work,
        cancelled: None,
    };
    let ledger = arguments.published_before.as_deref().map(register::ledger).transpose()?;
    let also = ledger.as_ref().map(Ledger::columns).unwrap_or_default();
    let note = |progress| shown.note(progress);
    let audited = |release: &dyn Lift| match &ledger {
        Some(ledger) => audit::audit(&After { ledger, release }, &settings, arguments.exact, &note),
        None => audit::audit(release, &settings, arguments.exact, &note),
    };
    if let Some(live) = live {
        return audited(&live(input, tables)?).map(|found| (found, None));
    }
    match &grouping {
        Grouping::None => audited(&input).map(|found| (found, None)),
        Grouping::Made(path) => {
            let grouped = register::from_groups(input, path)?;
            audited(&grouped.input).map(|found| (found, Some(grouped)))
        }
        Grouping::Files { paths, fallback, .. } => {
            let mut alone = input.clone();
            let found = register::from_files(input, paths, &also, arguments.sum_weights.as_deref(), shown)
                .and_then(|grouped| audited(&grouped.input).map(|found| (found, Some(grouped))));
            match found {
                // Nobody asked for groups, and the script needs more than they can tell.
                Err(refusal) if *fallback && refusal.diagnostics.iter().any(is_about_groups) => {
                    for (name, table) in &mut alone.tables {
                        if grouping.is_people(name) {
                            *table = table::read(&paths[0], missing).map_err(bad_table)?;
                        }
                    }
                    audited(&alone).map(|found| (found, None))
                }
                found => found,
            }
        }
    }
}

fn is_about_groups(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.code, Code::NotOfGroups | Code::TooManyGroups)
}

/// Whether people are grouped before they are audited, and where they are.
enum Grouping {
    None,
    /// Somebody else has grouped them.
    Made(PathBuf),
    Files {
        name: String,
        paths: Vec<PathBuf>,
        /// Whether the table is audited as it is where it cannot be grouped.
        fallback: bool,
    },
}

impl Grouping {
    fn of(arguments: &arguments::Audit, tables: &[(String, PathBuf)], people: &str) -> Grouping {
        if let Some(path) = &arguments.groups {
            return Grouping::Made(path.clone());
        }
        let only = tables.iter().all(|(name, _)| *name == tables[0].0);
        let is_people = |name: &str| name == people || only;
        let files = tables.iter().filter(|(name, _)| is_people(name));
        let (names, paths): (Vec<String>, Vec<PathBuf>) = files.cloned().unzip();
        let [first, ..] = paths.as_slice() else { return Grouping::None };
        let several = paths.len() > 1 || first.is_dir();
        let is_large = std::fs::metadata(first).is_ok_and(|file| file.is_file() && file.len() >= register::LARGE_BYTES);
        let plain = !arguments.live
            && arguments.person.is_none()
            && arguments.secret.len() == 1
            && arguments.missing == Missing::Pandas;
        let grouped = arguments.grouped || arguments.sum_weights.is_some();
        if grouped || (several && !arguments.live) || (is_large && plain) {
            let fallback = !grouped && !several;
            return Grouping::Files { name: names[0].clone(), paths, fallback };
        }
        Grouping::None
    }

    fn is_wanted(&self) -> bool {
        matches!(self, Grouping::Files { .. })
    }

    fn is_people(&self, table: &str) -> bool {
        match self {
            Grouping::Files { name, .. } => name == table,
            Grouping::None | Grouping::Made(_) => false,
        }
    }
}

/// `ward,sex`
fn known(texts: &[String]) -> Vec<String> {
    texts.iter().flat_map(|text| text.split(',')).map(|name| name.trim().to_owned()).collect()
}

/// Says what is wrong with a table.
pub fn bad_table(mut error: TableError) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add(error.path.as_str(), "");
    let hint = error.hint.take();
    let mut diagnostic = Diagnostic::error(Code::BadTable, Span { source, start: 0, end: 0 }, error.to_string());
    diagnostic.hint = hint.map(String::from);
    Refusal { sources, diagnostics: vec![diagnostic] }
}

#[derive(Debug, Clone, Copy)]
pub enum PeopleFormat {
    Csv,
    Parquet,
}

impl PeopleFormat {
    /// As the ending of the file says.
    fn of(path: &Path) -> Self {
        if files::has_ending(path, "parquet") { PeopleFormat::Parquet } else { PeopleFormat::Csv }
    }
}

/// Puts the release into its ledger.
fn write_record(found: &Audit, name: &str, path: &Path) -> Result<(), String> {
    let recorded = found.recorded.as_ref().ok_or("only audits by groups with a Gaussian prior can be recorded")?;
    let before = match path.exists() {
        true => Some(std::fs::read_to_string(path).map_err(|error| error.to_string())?),
        false => None,
    };
    let text = Ledger::with_release(before.as_deref(), name, recorded)?;
    files::write_with(path, |file| file.write_all(text.as_bytes())).map_err(|error| error.to_string())
}

/// One row for each person.
fn write_people_if_asked(
    path: &Option<PathBuf>,
    found: &Audit,
    grouped: Option<&Grouped>,
    shown: &Shown,
) -> Result<(), ExitCode> {
    let Some(path) = path else { return Ok(()) };
    let format = PeopleFormat::of(path);
    let written = files::write_with(path, |file| {
        if let Some(grouped) = grouped {
            return grouped.write_people(found, format, file, shown);
        }
        let mut out = BufWriter::new(file);
        match format {
            PeopleFormat::Csv => report::write_people_csv(found, &mut out)?,
            PeopleFormat::Parquet => report::write_people_parquet(found, &mut out)?,
        }
        out.flush()
    });
    written.map_err(|error| {
        output::print_error(&format!("error: {} cannot be written: {error}\n", path.display()));
        ExitCode::from(REFUSED)
    })
}
