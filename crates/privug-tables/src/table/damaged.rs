//! What is said of a file that makes no sense. Libraries that read files may panic at one.

use std::cell::Cell;
#[cfg(feature = "arrow")]
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::TableError;

thread_local! {
    /// The kind of file that is being read.
    static READING: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// What a panic of this thread means, if it is reading a file: for the panic hooks of programs. Such a panic is caught, and nothing
/// to be told, unless panics end the program.
pub fn damaged_file() -> Option<TableError> {
    READING.get().map(torn)
}

fn torn(kind: &str) -> TableError {
    damaged(kind, "its parts do not fit together")
}

/// A library that panics has been given a file that makes no sense.
#[cfg(feature = "arrow")]
pub(super) fn guarded<T, E: From<TableError>>(kind: &'static str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    READING.set(Some(kind));
    let result = catch_unwind(AssertUnwindSafe(work));
    READING.set(None);
    result.unwrap_or_else(|_| Err(torn(kind).into()))
}

pub(super) fn damaged(kind: &str, reason: &str) -> TableError {
    const SHOWN: usize = 200;
    let reason: String = reason.lines().next().unwrap_or_default().chars().take(SHOWN).collect();
    let hint = if reason.contains("ZSTD") || reason.contains("zstd") {
        "write it with another compression, such as `compression=\"snappy\"` or `\"lz4\"`"
    } else {
        "is it complete? write it again"
    };
    TableError::new(format!("the {kind} file cannot be read: {reason}")).hint(hint)
}
