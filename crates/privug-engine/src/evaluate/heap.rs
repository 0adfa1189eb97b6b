//! Where values of variable size live. But for lists that only a single call can see, nothing is freed before the end:
//! budgets bound what a program can make, and values that contain each other, however deeply, need no care when they are
//! dropped.

use std::collections::HashMap;

use dashu_int::IBig;

use super::iterators::Walk;
use super::ndarray::Array;
use super::tables::{Axis, Frame};
use super::value::{Handle, Key, Value};
use privug_language::program::Builtin;

/// A dictionary in order of insertion.
#[derive(Debug)]
pub(super) struct Dict<S> {
    pub(super) entries: Vec<(Value<S>, Value<S>)>,
    pub(super) positions: HashMap<Key, usize>,
    /// What `defaultdict` puts in place of a missing entry.
    pub(super) default: Option<Builtin>,
}

/// `range(start, stop, step)`, with its length worked out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) start: i64,
    /// As it was written, for the range's text.
    pub(super) stop: i64,
    pub(super) step: i64,
    pub(super) length: u64,
}

impl Range {
    pub(super) fn get(&self, index: u64) -> i64 {
        // Between start and stop, so the sum fits even where the product does not.
        (i128::from(self.start) + i128::from(self.step) * i128::from(index)) as i64
    }
}

/// All values of variable size.
#[derive(Debug)]
pub(super) struct Heap<S> {
    /// Lists, tuples, and the elements that arrays share.
    pub(super) sequences: Vec<Vec<Value<S>>>,
    /// The room of a sequence that was freed.
    pub(super) spare: Vec<Value<S>>,
    pub(super) dicts: Vec<Dict<S>>,
    pub(super) arrays: Vec<Array>,
    /// Iterators, and how many others each goes through.
    pub(super) iterators: Vec<(Walk<S>, usize)>,
    pub(super) ranges: Vec<Range>,
    pub(super) texts: Vec<String>,
    pub(super) integers: Vec<IBig>,
    pub(super) frames: Vec<Frame<S>>,
    /// The lists that are an index of a table.
    pub(super) axes: HashMap<Handle, Axis>,
}

impl<S> Heap<S> {
    pub(super) fn new() -> Self {
        Heap {
            sequences: Vec::new(),
            spare: Vec::new(),
            dicts: Vec::new(),
            arrays: Vec::new(),
            iterators: Vec::new(),
            ranges: Vec::new(),
            texts: Vec::new(),
            integers: Vec::new(),
            frames: Vec::new(),
            axes: HashMap::new(),
        }
    }

    // Loops look into lists in every round, and generic functions are compiled in one part of the crate only.
    #[inline]
    pub(super) fn sequence(&self, handle: Handle) -> &[Value<S>] {
        &self.sequences[handle as usize]
    }

    #[inline]
    pub(super) fn array(&self, handle: Handle) -> &Array {
        &self.arrays[handle as usize]
    }

    /// The element of a one-dimensional array.
    #[inline(always)]
    pub(super) fn array_element(&self, handle: Handle, index: i64) -> Option<&Value<S>> {
        let array = &self.arrays[handle as usize];
        let position = array.element(index)?;
        self.sequences[array.buffer as usize].get(position)
    }

    /// The elements of an array that lie one behind the other.
    pub(super) fn contiguous(&self, array: &Array) -> Option<&[Value<S>]> {
        // An array without elements may begin anywhere.
        if array.size() == 0 {
            return Some(&[]);
        }
        let elements = self.sequence(array.buffer);
        array.is_contiguous().then(|| &elements[array.offset..array.offset + array.size()])
    }

    /// All elements of an array, row by row.
    pub(super) fn array_values(&self, array: &Array) -> Vec<Value<S>>
    where
        S: Clone,
    {
        match self.contiguous(array) {
            Some(elements) => elements.to_vec(),
            None => {
                let elements = self.sequence(array.buffer);
                array.positions().map(|position| elements[position].clone()).collect()
            }
        }
    }

    /// Room for so many elements.
    pub(super) fn room(&mut self, count: usize) -> Vec<Value<S>> {
        let fits = (count..=2 * count).contains(&self.spare.capacity());
        if fits { std::mem::take(&mut self.spare) } else { Vec::with_capacity(count) }
    }

    #[inline]
    pub(super) fn text(&self, handle: Handle) -> &str {
        &self.texts[handle as usize]
    }

    #[inline]
    pub(super) fn integer(&self, handle: Handle) -> &IBig {
        &self.integers[handle as usize]
    }

    #[inline]
    pub(super) fn dict(&self, handle: Handle) -> &Dict<S> {
        &self.dicts[handle as usize]
    }

    #[inline]
    pub(super) fn range(&self, handle: Handle) -> Range {
        self.ranges[handle as usize]
    }
}
