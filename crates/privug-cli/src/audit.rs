//! `privug audit`

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use privug::audit::{
    self, About, After, Attacker, Audit, DefenceTexts, Input, Ledger, Lift, PolicyTexts, Progress, Settings, Verdict,
    read_policy,
};
use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::report;
use privug::report::html::audit_to_html;
use privug::source::{Sources, Span};
use privug::table::{self, TableError};

use crate::arguments::{self, Missing};
use crate::progress::Shown;
use crate::{Live, NEEDS_REVIEW, REFUSED, REQUIREMENT_FAILED, WRONG_USAGE, files, html, output, plot, refuse, request};

/// Audits a script and prints what was found.
pub fn audit(arguments: &arguments::Audit, live: Option<Live<'_>>) -> ExitCode {
    if arguments.live && live.is_none() {
        let message = "--live runs a script under Python, and this program has none: `pip install` the Python package, whose \
                       `privug` command has one";
        return wrong_usage(message);
    }
    let live = live.filter(|_| arguments.live);
    let tables =
        match arguments.table.iter().map(|text| split_table(text, arguments.live)).collect::<Result<Vec<_>, _>>() {
            Ok(tables) => tables,
            Err(message) => return wrong_usage(&message),
        };
    if let Some(path) = &arguments.people
        && let Err(message) = PeopleFormat::of(path)
    {
        return wrong_usage(&message);
    }
    let shown = Shown::new();
    let found = match run(arguments, &tables, live, &shown) {
        Ok(found) => found,
        Err(refusal) => {
            drop(shown);
            return refuse(&refusal, arguments.json);
        }
    };
    shown.note(Progress::Begin("writing"));
    let written = write_people_if_asked(&arguments.people, &found)
        .and_then(|()| plot::write_if_asked(&arguments.plot, || report::audit_plot(&found)))
        .and_then(|()| html::write_if_asked(&arguments.html, |provenance| audit_to_html(&found, provenance)));
    drop(shown);
    if let Err(code) = written {
        return code;
    }
    if arguments.json {
        output::print_json(&report::audit_to_json(&found, arguments.all_people));
    } else if !arguments.quiet {
        output::print(&report::audit_to_text(&found, arguments.top as usize, output::palette()));
    }
    match found.verdict {
        Verdict::Pass => ExitCode::SUCCESS,
        Verdict::Review => ExitCode::from(NEEDS_REVIEW),
        Verdict::Fail => ExitCode::from(REQUIREMENT_FAILED),
    }
}

fn wrong_usage(message: &str) -> ExitCode {
    output::print_error(&format!("error: {message}\n"));
    ExitCode::from(WRONG_USAGE)
}

/// `people=incomes.csv`
fn split_table(text: &str, live: bool) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        None if live && Path::new(text).file_stem().is_some() => {
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
) -> Result<Audit, Refusal> {
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
    let mut read = Vec::new();
    for (name, path) in tables {
        read.push((name.clone(), table::read(path, missing).map_err(bad_table)?));
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
        top: arguments.top as usize,
        work,
        cancelled: None,
    };
    let ledger = match &arguments.published_before {
        Some(path) => {
            let path = path.to_string_lossy().into_owned();
            let text = request::read_text(&path, "a ledger is a file that `privug.Ledger` wrote")?;
            Some(Ledger::read(&path, &text)?)
        }
        None => None,
    };
    let release: Box<dyn Lift> = match live {
        Some(live) => Box::new(live(input, tables)?),
        None => Box::new(input),
    };
    let note = |progress| shown.note(progress);
    match &ledger {
        Some(ledger) => audit::audit(&After { ledger, release: &*release }, &settings, arguments.exact, &note),
        None => audit::audit(&*release, &settings, arguments.exact, &note),
    }
}

/// `ward,sex`
fn known(texts: &[String]) -> Vec<String> {
    texts.iter().flat_map(|text| text.split(',')).map(|name| name.trim().to_owned()).collect()
}

/// Says what is wrong with a table.
fn bad_table(mut error: TableError) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add(error.path.as_str(), "");
    let hint = error.hint.take();
    let mut diagnostic = Diagnostic::error(Code::BadTable, Span { source, start: 0, end: 0 }, error.to_string());
    diagnostic.hint = hint.map(String::from);
    Refusal { sources, diagnostics: vec![diagnostic] }
}

enum PeopleFormat {
    Csv,
    Parquet,
}

impl PeopleFormat {
    /// As the ending of the file says.
    fn of(path: &Path) -> Result<Self, String> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(PeopleFormat::Csv),
            Some("parquet") => Ok(PeopleFormat::Parquet),
            _ => Err(format!("{} ends neither in .csv nor in .parquet", path.display())),
        }
    }
}

/// One row for each person.
fn write_people_if_asked(path: &Option<PathBuf>, found: &Audit) -> Result<(), ExitCode> {
    let Some(path) = path else { return Ok(()) };
    let format = PeopleFormat::of(path).map_err(|message| wrong_usage(&message))?;
    let written = files::write_with(path, |file| {
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
