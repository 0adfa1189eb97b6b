//! Writing to stdout and stderr: a reader that has gone away is not an error.

use std::io::{self, IsTerminal, Write};

use anstream::ColorChoice;
use privug::diagnostic::Style;
use privug::report::{Palette, SketchStyle};

fn is_coloured(stream: &impl anstream::stream::RawStream) -> bool {
    !matches!(anstream::AutoStream::choice(stream), ColorChoice::Never)
}

/// The colours for a report on stdout.
pub fn palette() -> Palette {
    if is_coloured(&io::stdout()) { Palette::COLOURED } else { Palette::PLAIN }
}

/// How wide a sketch in a report may be, and whether it may use more than ASCII.
pub fn sketch_style() -> SketchStyle {
    let unicode = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .is_none_or(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
    SketchStyle { width: 72, unicode }
}

/// The style of diagnostics on stderr.
pub fn error_style() -> Style {
    if is_coloured(&io::stderr()) && io::stderr().is_terminal() { Style::Coloured } else { Style::Plain }
}

/// Prints to stdout.
pub fn print(text: &str) {
    finish(io::stdout().lock().write_all(text.as_bytes()));
}

/// Prints a JSON document to stdout.
pub fn print_json(document: &impl serde::Serialize) {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let written = serde_json::to_writer_pretty(&mut stdout, document).map_err(io::Error::from);
    finish(written.and_then(|()| writeln!(stdout)).and_then(|()| stdout.flush()));
}

/// Prints to stderr.
pub fn print_error(text: &str) {
    // If stderr is gone there is nobody to tell.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn finish(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => print_error(&format!("error: stdout cannot be written: {error}\n")),
    }
}
