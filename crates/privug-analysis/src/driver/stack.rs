//! Deep syntax trees need more stack than a thread usually has.

use std::thread;

use privug_language::syntax::STACK_BYTES;

/// Does something on a thread whose stack is large enough for everything that the parser lets through.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("privug".to_owned()).stack_size(STACK_BYTES);
        match builder.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("no thread can be started: {error}"),
        }
    })
}
