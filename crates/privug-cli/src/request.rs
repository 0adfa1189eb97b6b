//! Arguments to [`Request`]: reads the program's file and nothing else.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use privug::analysis::{Binding, Request, WorkLimits};
use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::evaluate;
use privug::source::{Sources, Span};
use privug::syntax::MAX_SOURCE_BYTES;

use crate::arguments::{Limits, Measuring, Program};
use crate::gain;

/// What the arguments ask for.
pub fn from_arguments(arguments: &Program, measuring: Option<&Measuring>, exact: bool) -> Result<Request, Refusal> {
    let (path, function) = split_function(&arguments.program);
    let mut request = Request::new(path, read_program(path)?);
    request.function = function.map(str::to_owned);
    let priors = arguments.prior.iter().cloned().map(Binding::Prior);
    request.bindings = arguments.set.iter().cloned().map(Binding::Set).chain(priors).collect();
    request.secrets = arguments.secret.clone();
    request.observations = arguments.observe.clone();
    request.exact = exact;
    if let Some(measuring) = measuring {
        request.truths = measuring.truth.clone();
        request.tolerance = measuring.tolerance.clone();
        request.level = Some(measuring.level);
        request.gain = measuring.gain.as_deref().map(gain::read).transpose()?;
    }
    (request.limits, request.work) = budgets(&arguments.limits);
    Ok(request)
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
            "build the data in the program instead of spelling it out",
        ));
    }
    // A text that begins with a byte order mark is still a text.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).to_vec();
    if bytes.contains(&0) {
        let message = format!("{path} is not a text file: it holds NUL bytes");
        return Err(refusal(path, Code::BinaryFile, message, "check the path"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
        let message = format!("{path} is not UTF-8 text: line {line} has a byte that no character begins with");
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
