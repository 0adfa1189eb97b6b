//! Calls under way, and calls that wait for them.

use privug_language::program::{Function, Register};

/// Where the call under way stands.
#[derive(Clone, Copy)]
pub(super) struct Frame<'p> {
    pub(super) function: &'p Function,
    /// The next instruction.
    pub(super) next: usize,
    /// The first instruction that is not counted as a step yet: those on a straight way are counted at its end.
    pub(super) uncounted: usize,
    /// Its first register.
    pub(super) base: usize,
    /// Its first loop.
    pub(super) loop_base: usize,
}

/// A call that waits for another to end.
pub(super) struct Caller<'p> {
    pub(super) function: &'p Function,
    pub(super) next: u32,
    /// The arguments of the other, where its frame begins: all that is alive in the caller's frame lies before them.
    first: Register,
    /// Where the result goes, in the caller's registers.
    to: Register,
}

/// The first registers and the numbers of variables of the calls under way.
pub(super) fn under_way(frame: &Frame<'_>, callers: &[Caller<'_>]) -> Vec<(usize, usize)> {
    let mut base = frame.base;
    let mut found = vec![(base, frame.function.variables.len())];
    for caller in callers.iter().rev() {
        base -= caller.first as usize;
        found.push((base, caller.function.variables.len()));
    }
    found
}

impl<'p> Frame<'p> {
    /// The frame of a function that is called from here with the arguments from `first` on: they stay where they are.
    #[inline(always)]
    pub(super) fn callee(&self, function: &'p Function, first: Register) -> Self {
        let base = self.base + first as usize;
        let loop_base = self.loop_base + self.function.loop_count as usize;
        Frame { function, next: 0, uncounted: 0, base, loop_base }
    }

    /// What to keep of this frame while another is under way.
    #[inline(always)]
    pub(super) fn waiting(&self, first: Register, to: Register) -> Caller<'p> {
        Caller { function: self.function, next: self.next as u32, first, to }
    }

    /// Goes back to the caller; gives the register that the result goes to.
    #[inline(always)]
    pub(super) fn resume(&mut self, caller: &Caller<'p>) -> usize {
        let function = caller.function;
        let base = self.base - caller.first as usize;
        let loop_base = self.loop_base - function.loop_count as usize;
        let next = caller.next as usize;
        *self = Frame { function, next, uncounted: next, base, loop_base };
        base + caller.to as usize
    }
}
