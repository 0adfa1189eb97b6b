//! Writing result files whole or not at all: to a temporary name first, then renamed. Ctrl-C removes what is unfinished.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::internal;

/// The temporary file that is being written.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// What a shell expects of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Lets Ctrl-C end the program at once and leave no partial file behind.
pub fn clean_up_on_interrupt() {
    let handler = || {
        remove_unfinished();
        std::process::exit(INTERRUPTED);
    };
    // Without a handler Ctrl-C still ends the program.
    let _ = ctrlc::set_handler(handler);
}

/// Leaves no partial file behind; for programs about to end.
pub fn remove_unfinished() {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = &*unfinished {
        // The program ends either way.
        let _ = fs::remove_file(path);
    }
}

/// Reads the path of a result whose ending says what it is: a wrong one is told before anything runs.
pub fn ending(
    endings: &'static [&'static str],
) -> impl Fn(&str) -> Result<PathBuf, String> + Clone + Send + Sync + 'static {
    move |path| match endings.iter().any(|ending| has_ending(Path::new(path), ending)) {
        true => Ok(PathBuf::from(path)),
        false => Err(format!("the file must end in .{}", endings.join(" or ."))),
    }
}

/// Whether a file is of that kind, as its name says.
pub fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// Writes a file.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(contents))
}

/// Writes a file piece by piece.
pub fn write_with(path: &Path, contents: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("this is not a file name"))?;
    let temporary = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    set_unfinished(Some(temporary.clone()));
    let written = File::create(&temporary)
        .and_then(|mut file| {
            let written = contents(&mut file);
            internal::provoke("writing");
            written.and_then(|()| file.sync_all())
        })
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(&temporary);
    }
    set_unfinished(None);
    written
}

fn set_unfinished(path: Option<PathBuf>) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        *unfinished = path;
    }
}
