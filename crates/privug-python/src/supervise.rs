//! Long computations: without the interpreter's lock, and with an ear for Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use privug::internal::InternalError;
use pyo3::prelude::*;

use crate::errors::internal_error;

/// How often signals are looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// Does `work` on a thread of its own. A signal that raises (Ctrl-C) sets `cancelled`, and `work` is expected to end
/// soon after. A panic is raised as an `InternalError`.
pub fn supervise<T: Send>(py: Python<'_>, cancelled: &AtomicBool, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let finished = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _guard = Finish(&finished);
            work()
        });
        let mut interruption = None;
        loop {
            let done = py.detach(|| {
                let flag = finished.0.lock().unwrap_or_else(PoisonError::into_inner);
                let waited = finished.1.wait_timeout_while(flag, PAUSE, |done| !*done);
                *waited.unwrap_or_else(PoisonError::into_inner).0
            });
            if done {
                break;
            }
            if let Err(error) = py.check_signals() {
                cancelled.store(true, Ordering::Relaxed);
                interruption.get_or_insert(error);
            }
        }
        let result = py.detach(|| worker.join().map_err(|panic| InternalError::from_panic(&*panic)));
        match (interruption, result) {
            (Some(error), _) => Err(error),
            (None, Ok(result)) => Ok(result),
            (None, Err(error)) => Err(internal_error(&error)),
        }
    })
}

/// Says that the work is over, however it ended.
struct Finish<'a>(&'a (Mutex<bool>, Condvar));

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }
}
