//! The threads that all heavy work shares.
//!
//! rayon's own pool does not survive a `fork`, with which Python's `multiprocessing` starts processes: its threads are gone
//! in the child, and whoever waits for them waits forever. So there is one pool for each process.

use std::process;
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Each thread takes memory for its workspace.
const MOST_THREADS: usize = 16;

/// The pool of a process. It lives as long as the process does; that of a parent is left alone.
static POOL: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// The pool of this process; none where the machine gives no threads.
pub(crate) fn pool() -> Option<&'static ThreadPool> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match *known {
        Some((owner, pool)) if owner == process::id() => Some(pool),
        _ => {
            let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
            let pool: &'static ThreadPool =
                Box::leak(Box::new(ThreadPoolBuilder::new().num_threads(threads).build().ok()?));
            *known = Some((process::id(), pool));
            Some(pool)
        }
    }
}

/// How many pieces of work can be done at the same time.
pub(crate) fn count() -> usize {
    pool().map_or(1, ThreadPool::current_num_threads)
}

/// Does something that asks rayon for threads, on those of this process.
pub(crate) fn within<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_one_pool_and_another_process_another() {
        let first = pool().expect("threads");
        assert!(std::ptr::eq(first, pool().expect("threads")));
        assert_eq!(within(rayon::current_num_threads), count());
        // As it is seen after a fork: the pool belongs to somebody else.
        if let Some((owner, _)) = &mut *POOL.lock().expect("a lock") {
            *owner += 1;
        }
        assert!(!std::ptr::eq(first, pool().expect("threads")));
    }
}
