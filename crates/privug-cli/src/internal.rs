//! What is left to say when the program itself is wrong.

use std::process::ExitCode;

use privug::internal::{self, InternalError};

use crate::{INTERNAL_ERROR, files, output};

/// Runs the program; a panic becomes a message and an exit code of its own, and leaves no partial file behind.
pub fn guarded(work: impl FnOnce() -> ExitCode) -> ExitCode {
    internal::keep_panics_quiet();
    let result = internal::guarded(|| {
        provoke("begin");
        work()
    });
    result.unwrap_or_else(|error| {
        files::remove_unfinished();
        output::print_error(&format!("internal error: {error}\n  = help: {}\n", InternalError::HINT));
        ExitCode::from(INTERNAL_ERROR)
    })
}

/// Lets the tests see what happens at some point; nobody sets this by accident.
pub fn provoke(point: &str) {
    if std::env::var_os("PRIVUG_TEST_INTERNAL_ERROR").is_some_and(|wanted| wanted == point) {
        let thread = std::thread::spawn(|| std::panic::panic_any("provoked\nby a test"));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}
