//! Arguments to [`Request`]: reads the program's file and nothing else.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use privug::analysis::{Binding, BindingKind, Observed, Request, Required, Tolerance, Truth, WorkLimits};
use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::evaluate;
use privug::source::{Sources, Span};
use privug::syntax::MAX_SOURCE_BYTES;

use crate::arguments::{Limits, Measuring, Program};
use crate::files::has_ending;
use crate::gain;

/// What the arguments ask for.
pub fn from_arguments(arguments: &Program, measuring: Option<&Measuring>, exact: bool) -> Result<Request, Refusal> {
    let (path, function) = split_function(&arguments.program);
    let mut request = Request::new(path, read_program(path)?);
    request.function = function.map(str::to_owned);
    let bindings = read_bindings(&arguments.set, &arguments.prior);
    let observations = Refusal::all(arguments.observe.iter().map(|text| Observed::read(text)));
    let tolerance = measuring.and_then(|measuring| measuring.tolerance.as_deref());
    let tolerance = Refusal::all(tolerance.map(Tolerance::read));
    // All that is malformed is told at once.
    let wrong = [bindings.as_ref().err(), observations.as_ref().err(), tolerance.as_ref().err()];
    if let Some(refusal) = wrong.into_iter().flatten().cloned().reduce(Refusal::and) {
        return Err(refusal);
    }
    (request.bindings, request.observations) = (bindings?, observations?);
    request.tolerance = tolerance?.pop();
    request.secrets = arguments.secret.clone();
    request.exact = exact;
    if let Some(measuring) = measuring {
        request.truths = measuring.truth.iter().map(|text| Truth::read(text)).collect();
        request.level = Some(measuring.level);
        request.gain = measuring.gain.as_deref().map(gain::read).transpose()?;
    }
    (request.limits, request.work) = budgets(&arguments.limits);
    Ok(request)
}

/// `--set` before `--prior`: priors may mention numbers.
pub fn read_bindings(set: &[String], prior: &[String]) -> Result<Vec<Binding>, Refusal> {
    let set = set.iter().map(|text| Binding::read(BindingKind::Set, text));
    Refusal::all(set.chain(prior.iter().map(|text| Binding::read(BindingKind::Prior, text))))
}

/// Requirements are expressions of the language.
pub fn requirements(texts: &[String]) -> Vec<Required> {
    texts.iter().cloned().map(Required::Source).collect()
}

/// The defaults, with what the arguments change.
pub fn budgets(arguments: &Limits) -> (evaluate::Limits, WorkLimits) {
    let (mut limits, mut work) = (evaluate::Limits::default(), WorkLimits::default());
    limits.steps = arguments.max_steps.unwrap_or(limits.steps);
    limits.variables = arguments.max_variables.unwrap_or(limits.variables);
    limits.elements = arguments.max_elements.unwrap_or(limits.elements);
    limits.depth = arguments.max_depth.unwrap_or(limits.depth);
    limits.number_bits = arguments.max_bits.unwrap_or(limits.number_bits);
    if let Some(factor) = arguments.max_work {
        work.cells = work.cells.saturating_mul(factor);
        work.operations = work.operations.saturating_mul(factor);
    }
    (limits, work)
}

/// `FILE.py:function`; a colon that belongs to the path of an existing file is left alone.
pub fn split_function(program: &str) -> (&str, Option<&str>) {
    let is_name = |name: &str| {
        let mut characters = name.chars();
        characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
            && characters.all(|c| c.is_alphanumeric() || c == '_')
    };
    match program.rsplit_once(':') {
        Some((path, name)) if is_name(name) && !Path::new(program).exists() => (path, Some(name)),
        _ => (program, None),
    }
}

/// The text of a program.
pub fn read_program(path: &str) -> Result<String, Refusal> {
    const TABLES: [&str; 6] = ["csv", "parquet", "arrow", "feather", "xlsx", "tsv"];
    if TABLES.iter().any(|ending| has_ending(Path::new(path), ending)) {
        let message = format!("{path} is a table, not a program");
        let hint =
            "give a Python file that computes something from it; `privug audit` takes tables with `--table NAME=FILE`";
        return Err(refusal(path, Code::UnreadableFile, message, hint));
    }
    read_text(path, "the program is given as `FILE.py` or `FILE.py:function`")
}

/// The text of a file; the hint is for one that cannot be read.
pub fn read_text(path: &str, hint: &str) -> Result<String, Refusal> {
    let bytes = if path == "-" { read_bounded(io::stdin().lock()) } else { read_file(path) };
    let bytes = bytes.map_err(|error| {
        let message = format!("{path} cannot be read: {error}");
        refusal(path, Code::UnreadableFile, message, hint)
    })?;
    if bytes.len() > MAX_SOURCE_BYTES {
        let message = format!("{path} has more than {MAX_SOURCE_BYTES} bytes");
        return Err(refusal(
            path,
            Code::SourceTooLarge,
            message,
            "generate the data in the program instead of writing it out",
        ));
    }
    // A text that begins with a byte order mark is still a text.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).to_vec();
    if bytes.contains(&0) {
        let message = format!("{path} is not a text file: it contains NUL bytes");
        return Err(refusal(path, Code::BinaryFile, message, "check the path"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
        let message = format!("{path} is not UTF-8 text: line {line} contains an invalid byte");
        refusal(path, Code::NotUtf8, message, "save the file as UTF-8")
    })
}

fn read_file(path: &str) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    read_bounded(file)
}

/// Devices and pipes may never end.
fn read_bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refusal(path: &str, code: Code, message: String, hint: &str) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add(path, "");
    let span = Span { source, start: 0, end: 0 };
    Refusal { sources, diagnostics: vec![Diagnostic::error(code, span, message).hint(hint)] }
}
