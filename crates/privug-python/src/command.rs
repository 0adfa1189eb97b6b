//! The `privug` command that the package installs: the program itself, with a Python to run scripts in.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use numpy::PyReadonlyArray1;
use privug::audit::{Input, LiveRelease};
use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::source::{Sources, Span};
use pyo3::prelude::*;

use crate::audit::{Figure, place, rows_behind};
use crate::errors::ProgramError;
use crate::forms::Forms;

/// Runs the program with its arguments, the first of which is its name; gives the exit code.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| privug_cli::run(arguments, Some(&live)));
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}

type Published<'py> = (
    PyRef<'py, Forms>,
    Vec<Figure>,
    Vec<(Figure, i64, Option<PyReadonlyArray1<'py, i64>>)>,
    Vec<(Figure, String, Option<f64>)>,
    Vec<String>,
);

fn live(input: Input, tables: &[(String, PathBuf)]) -> Result<LiveRelease, Refusal> {
    Python::attach(|py| {
        let run = || -> PyResult<LiveRelease> {
            let arguments = (&input.path, &input.program, &input.function, tables.to_vec(), &input.secrets);
            let found = py.import("privug._command")?.call_method1("live_release", arguments)?;
            let (forms, figures, counts, unexamined, notes): Published<'_> = found.extract()?;
            let counts = counts.into_iter().map(|(figure, count, rows)| Ok((place(figure), count, rows_behind(rows)?)));
            Ok(LiveRelease {
                path: input.path.clone(),
                text: input.program.clone(),
                figures: figures.into_iter().map(place).collect(),
                forms: (*forms.whole(py)?).clone(),
                counts: counts.collect::<PyResult<_>>()?,
                unexamined: unexamined.into_iter().map(|(figure, kind, value)| (place(figure), kind, value)).collect(),
                notes,
                input: crate::audit::only_tables(&input),
            })
        };
        run().map_err(|error| refusal(py, &error, &input))
    })
}

/// What Python refused; an error of the script itself is shown as Python shows it.
fn refusal(py: Python<'_>, error: &PyErr, input: &Input) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add(input.path.as_str(), input.program.as_str());
    let read = || -> PyResult<Diagnostic> {
        let first = error.value(py).getattr("diagnostics")?.get_item(0)?;
        let code: String = first.get_item("code")?.extract()?;
        let message: String = first.get_item("message")?.extract()?;
        let hint: Option<String> = first.get_item("hint")?.extract()?;
        let line: usize = first.get_item("start")?.get_item("line")?.extract()?;
        let last = input.program.lines().count().max(1);
        let range = sources.get(source).line_range(line.clamp(1, last));
        let text = &input.program[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        let span = Span { source, start: start as u32, end: (range.start + text.trim_end().len()).max(start) as u32 };
        let mut diagnostic = Diagnostic::error(Code::from_id(&code).unwrap_or(Code::UnknownResult), span, message);
        diagnostic.hint = hint.filter(|hint| !hint.is_empty());
        Ok(diagnostic)
    };
    let diagnostics = match error.is_instance_of::<ProgramError>(py).then(read) {
        Some(Ok(diagnostic)) => vec![diagnostic],
        Some(Err(_)) | None => {
            error.print(py);
            Vec::new()
        }
    };
    Refusal { sources, diagnostics }
}
