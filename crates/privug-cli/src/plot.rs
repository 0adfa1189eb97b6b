//! `--plot FILE.svg|png`: drawing results into files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use privug::report::plot::{Plot, to_png, to_svg};

use crate::{REFUSED, files, output};

/// Pixels for each unit of the drawing: sharp on screens and in print.
const PNG_SCALE: f64 = 2.0;

/// Draws into a file whose ending says how; tells on stderr and with the exit code if it cannot be done.
pub fn write(path: &Path, plot: &Plot) -> Result<(), ExitCode> {
    let contents = match files::has_ending(path, "png") {
        true => to_png(plot, PNG_SCALE),
        false => Ok(to_svg(plot).into_bytes()),
    };
    contents.and_then(|bytes| files::write(path, &bytes).map_err(|error| error.to_string())).map_err(|error| {
        output::print_error(&format!("error: {} cannot be written: {error}\n", path.display()));
        ExitCode::from(REFUSED)
    })
}

/// Draws if a file was asked for.
pub fn write_if_asked(path: &Option<PathBuf>, plot: impl FnOnce() -> Plot) -> Result<(), ExitCode> {
    match path {
        Some(path) => write(path, &plot()),
        None => Ok(()),
    }
}
