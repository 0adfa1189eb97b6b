//! Errors of this library itself: a panic is caught, told in a few words, and never shown as a backtrace.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind, set_hook};
use std::sync::{Mutex, Once, PoisonError};

use privug_tables::table::{TableError, damaged_file};

/// Something went wrong that should not be possible, whatever the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternalError {
    /// What the code had to say.
    pub message: String,
    /// Where in the library: file and line.
    pub place: Option<String>,
}

/// Where the last panic was. The place is not part of what a panic is caught with.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is a bug in privug {}, not in your program: ", env!("CARGO_PKG_VERSION"))?;
        write!(f, "{}", self.message.lines().next().unwrap_or_default())?;
        match &self.place {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for InternalError {}

impl InternalError {
    /// What the user can do about it.
    pub const HINT: &'static str = "there is no result, and no conclusion can be drawn. Please report it with this message, the command and the program, but without personal data";

    /// From what a thread that panicked is joined with.
    pub fn from_panic(panic: &(dyn Any + Send)) -> Self {
        let message = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (None, Some(text)) => text.clone(),
            (None, None) => "no more is known".to_owned(),
        };
        InternalError { message, place: PLACE.lock().unwrap_or_else(PoisonError::into_inner).take() }
    }
}

/// Panics are noted and no longer printed, in all threads; for front ends that catch and tell them.
pub fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| set_hook(Box::new(note)));
}

/// A panic over a damaged file is caught where the file is read.
fn note(panic: &PanicHookInfo<'_>) {
    if damaged_file().is_none() {
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = panic.location().map(shown);
    }
}

/// The same where panics end the program, so that they cannot be caught: they are told by `end`, which does not come back.
pub fn end_on_panics(end: impl Fn(Ended) -> Infallible + Send + Sync + 'static) {
    set_hook(Box::new(move |panic| {
        note(panic);
        let internal = || Ended::Internal(InternalError::from_panic(panic.payload()));
        end(damaged_file().map_or_else(internal, Ended::Damaged));
    }));
}

/// Why a panic ends the program.
#[derive(Debug)]
pub enum Ended {
    /// A file makes no sense.
    Damaged(TableError),
    /// Something that should not be possible.
    Internal(InternalError),
}

/// File and line, without the folders of whoever built it.
fn shown(location: &Location<'_>) -> String {
    let file = location.file().replace('\\', "/");
    let inside = file.rsplit_once("/src/").map_or(file.as_str(), |(_, inside)| inside);
    format!("{inside}:{}", location.line())
}

/// Does something, and gives what went wrong inside the library as an error.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, InternalError> {
    // What a panic leaves half-done is not looked at again.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| InternalError::from_panic(&*panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_that_says_what_it_is() {
        let error = guarded(|| std::panic::panic_any("an invariant\nand more".to_owned())).expect_err("it panics");
        assert_eq!(error.message, "an invariant\nand more");
        let said = error.to_string();
        assert!(said.contains("a bug in privug") && said.contains("an invariant"), "{said}");
        assert!(!said.contains("and more") && !said.contains("RUST_BACKTRACE"), "{said}");
        assert_eq!(guarded(|| 3), Ok(3));
    }

    #[test]
    fn a_panic_of_another_thread_is_one_too() {
        let inside = || std::thread::scope(|scope| scope.spawn(|| panic!("over {}", "there")).join());
        let panicked = inside().expect_err("it panics");
        assert_eq!(InternalError::from_panic(&*panicked).message, "over there");
    }
}
