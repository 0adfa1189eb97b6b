//! The reasons to stop early (numbers out of range, too much work, or a wish to cancel), and work on all processors that
//! heeds them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::range::OutOfRange;
use super::{Options, Resource};
use crate::threads;

/// Why a computation stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Interrupt {
    /// A number left the range of doubles.
    OutOfRange,
    /// Rounding of the inputs decides whether something is zero, or moves a result visibly.
    Doubtful,
    /// More of something than the options allow.
    TooLarge {
        /// What there is too much of.
        resource: Resource,
        /// How much was needed so far.
        needed: f64,
        /// The option's limit.
        limit: f64,
    },
    /// The caller asked to stop.
    Cancelled,
}

impl From<OutOfRange> for Interrupt {
    fn from(_: OutOfRange) -> Self {
        Interrupt::OutOfRange
    }
}

/// Counts work and memory against the limits, and looks now and then whether to stop. Threads have one each, and count
/// together.
#[derive(Debug)]
pub(super) struct Poll<'a> {
    options: &'a Options,
    all: Arc<Counts>,
    /// Operations that were not counted with the others yet, and at how many they will be.
    pending: u64,
    next_look: u64,
}

#[derive(Debug, Default)]
struct Counts {
    operations: AtomicU64,
    cells: AtomicU64,
}

impl<'a> Poll<'a> {
    /// Operations between two looks at the flag.
    const INTERVAL: u64 = 1 << 16;

    pub(super) fn new(options: &'a Options) -> Self {
        Poll { options, all: Arc::default(), pending: 0, next_look: 0 }
    }

    /// For another thread.
    fn fork(&self) -> Self {
        Poll { options: self.options, all: self.all.clone(), pending: 0, next_look: 0 }
    }

    pub(super) fn options(&self) -> &Options {
        self.options
    }

    /// Counts multiplications about to be done.
    pub(super) fn spend(&mut self, operations: u64) -> Result<(), Interrupt> {
        self.pending = self.pending.saturating_add(operations);
        if self.pending < self.next_look {
            return Ok(());
        }
        self.next_look = Self::INTERVAL;
        let needed = count(&self.all.operations, std::mem::take(&mut self.pending));
        if self.options.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Interrupt::Cancelled);
        }
        check(Resource::Operations, needed, self.options.max_operations)
    }

    /// Counts numbers about to be stored.
    pub(super) fn store(&mut self, cells: usize) -> Result<(), Interrupt> {
        check(Resource::Cells, count(&self.all.cells, cells as u64), self.options.max_cells)
    }
}

/// Adds to a count, and gives the sum.
fn count(counter: &AtomicU64, more: u64) -> u64 {
    // Far from overflowing: what was counted before this was within its limit, or everything ends here.
    counter.fetch_add(more.min(u64::MAX / 4), Ordering::Relaxed).saturating_add(more)
}

fn check(resource: Resource, needed: u64, limit: u64) -> Result<(), Interrupt> {
    if needed <= limit {
        return Ok(());
    }
    Err(Interrupt::TooLarge { resource, needed: needed as f64, limit: limit as f64 })
}

/// Fewer nodes or entries of rows than this are not worth a thread.
pub(super) const WORTH_A_THREAD: usize = 1 << 18;
/// Does many pieces of work on all processors, with a workspace for each of them; gives the results in their order, or the
/// first error in that order.
pub(super) fn in_parallel<W, T: Send, E: Send>(
    pieces: usize,
    poll: &Poll<'_>,
    workspace: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize, &mut Poll<'_>) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = &|| {
        let (mut workspace, mut poll, mut done) = (workspace(), poll.fork(), Vec::new());
        // Pieces are begun in their order, and those that were begun are done: no error before the first is missed.
        while !is_over.load(Ordering::Relaxed) {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                break;
            }
            let result = work(&mut workspace, piece, &mut poll);
            is_over.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((piece, result));
        }
        done
    };
    let mut all = match threads::pool().filter(|_| pieces > 1) {
        Some(pool) => pool.broadcast(|_| worker()).into_iter().flatten().collect(),
        None => worker(),
    };
    all.sort_unstable_by_key(|(piece, _)| *piece);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_in_their_order() {
        let options = Options::default();
        let squares = in_parallel(1000, &Poll::new(&options), || 0, |_, piece, _| Ok::<_, ()>(piece * piece));
        assert_eq!(squares, Ok((0..1000).map(|piece| piece * piece).collect()));
        assert_eq!(in_parallel(0, &Poll::new(&options), || (), |(), _, _| Err::<(), _>(())), Ok(Vec::new()));
    }

    #[test]
    fn the_first_error_is_the_one() {
        let options = Options::default();
        let work = |_: &mut (), piece: usize, _: &mut Poll<'_>| if piece % 10 == 7 { Err(piece) } else { Ok(()) };
        assert_eq!(in_parallel(1000, &Poll::new(&options), || (), work), Err(7));
    }

    #[test]
    fn threads_count_together() {
        let options = Options { max_operations: 1_000_000_000, ..Options::default() };
        let spend = |each: u64| in_parallel(1000, &Poll::new(&options), || (), |(), _, poll| poll.spend(each));
        assert!(spend(999_000).is_ok());
        let refused = spend(1_001_000);
        assert!(matches!(refused, Err(Interrupt::TooLarge { resource: Resource::Operations, .. })), "{refused:?}");
        let options = Options { max_cells: 1_000, ..Options::default() };
        let store = |each| in_parallel(100, &Poll::new(&options), || (), |(), _, poll| poll.store(each));
        assert!(store(10).is_ok() && store(11).is_err());
    }

    #[test]
    fn a_wish_to_cancel_is_heeded_at_once() {
        let flag = Arc::new(AtomicBool::new(true));
        let options = Options { cancelled: Some(flag), ..Options::default() };
        let done = in_parallel(5, &Poll::new(&options), || (), |(), _, poll| poll.spend(1));
        assert_eq!(done, Err(Interrupt::Cancelled));
    }
}
