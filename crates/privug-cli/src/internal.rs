//! What is left to say when the program itself is wrong.

use std::process::ExitCode;

use privug::internal::{self, Ended, InternalError};

use crate::{INTERNAL_ERROR, REFUSED, files, output};

/// Runs the program; a panic becomes a message and an exit code of its own, and leaves no partial file behind.
pub fn guarded(work: impl FnOnce() -> ExitCode) -> ExitCode {
    if cfg!(panic = "abort") {
        internal::end_on_panics(|why| std::process::exit(i32::from(tell(&why))));
    } else {
        internal::keep_panics_quiet();
    }
    let result = internal::guarded(|| {
        provoke("begin");
        work()
    });
    result.unwrap_or_else(|error| ExitCode::from(tell(&Ended::Internal(error))))
}

/// Says it, and gives the exit code.
fn tell(why: &Ended) -> u8 {
    files::remove_unfinished();
    let (message, code) = match why {
        Ended::Damaged(error) => {
            let hint = error.hint.as_ref().map(|hint| format!("  = help: {hint}\n")).unwrap_or_default();
            (format!("error: {}\n{hint}", error.message), REFUSED)
        }
        Ended::Internal(error) => {
            (format!("internal error: {error}\n  = help: {}\n", InternalError::HINT), INTERNAL_ERROR)
        }
    };
    output::print_error(&message);
    code
}

/// Lets the tests see what happens at some point; nobody sets this by accident.
pub fn provoke(point: &str) {
    if std::env::var_os("PRIVUG_TEST_INTERNAL_ERROR").is_some_and(|wanted| wanted == point) {
        let thread = std::thread::spawn(|| std::panic::panic_any("provoked\nby a test"));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}
