//! Which nodes a sweep is still to visit.

use std::ops::Range;

/// A set of small integers that gives back the largest first: a bit for each, and a bit for each word of them.
#[derive(Debug)]
pub(super) struct DescendingSet {
    size: usize,
    words: Vec<u64>,
    summary: Vec<u64>,
    /// No word of the summary above this one holds a bit.
    top: usize,
}

impl DescendingSet {
    /// How many neighbours are kept together.
    pub(super) const WORD: usize = 64;

    /// Of integers below `size`.
    pub(super) fn new(size: usize) -> Self {
        let words = size.div_ceil(Self::WORD);
        DescendingSet { size, words: vec![0; words], summary: vec![0; words.div_ceil(Self::WORD)], top: 0 }
    }

    /// Adds neighbours.
    #[inline]
    pub(super) fn insert(&mut self, elements: Range<usize>) {
        let mut start = elements.start;
        while start < elements.end {
            let word = start / Self::WORD;
            let end = elements.end.min((word + 1) * Self::WORD);
            let ones = u64::MAX >> (Self::WORD - (end - start));
            self.words[word] |= ones << (start % Self::WORD);
            self.summary[word / Self::WORD] |= 1 << (word % Self::WORD);
            self.top = self.top.max(word / Self::WORD);
            start = end;
        }
    }

    /// The integers that share a word with the largest element, whether they are elements or not.
    #[inline]
    pub(super) fn largest_word(&mut self) -> Option<Range<usize>> {
        while *self.summary.get(self.top)? == 0 {
            self.top = self.top.checked_sub(1)?;
        }
        let start = self.word() * Self::WORD;
        Some(start..self.size.min(start + Self::WORD))
    }

    /// Removes the largest element, once [`largest_word`](Self::largest_word) has found one.
    #[inline]
    pub(super) fn take_largest(&mut self) -> usize {
        let word = self.word();
        let bit = self.words[word].ilog2() as usize;
        self.words[word] &= !(1 << bit);
        if self.words[word] == 0 {
            self.summary[self.top] &= !(1 << (word % Self::WORD));
        }
        word * Self::WORD + bit
    }

    /// Removes all elements of that word, and gives them as runs from the last to the first.
    #[inline]
    pub(super) fn take_word(&mut self) -> impl Iterator<Item = Range<usize>> + use<> {
        let word = self.word();
        let mut bits = std::mem::take(&mut self.words[word]);
        self.summary[self.top] &= !(1 << (word % Self::WORD));
        std::iter::from_fn(move || {
            let end = bits.checked_ilog2()? as usize + 1;
            let count = (bits << (Self::WORD - end)).leading_ones() as usize;
            let run = end - count..end;
            bits &= !(u64::MAX >> (Self::WORD - count) << run.start);
            Some(word * Self::WORD + run.start..word * Self::WORD + run.end)
        })
    }

    #[inline]
    fn word(&self) -> usize {
        self.top * Self::WORD + self.summary[self.top].ilog2() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const SIZE: usize = 10_000;

    fn all(set: &mut DescendingSet, whole_words: bool) -> Vec<usize> {
        let mut elements = Vec::new();
        while let Some(word) = set.largest_word() {
            assert!(word.end <= SIZE);
            if whole_words {
                set.take_word().for_each(|run| elements.extend(run.rev()));
            } else {
                elements.push(set.take_largest());
            }
        }
        elements
    }

    proptest! {
        #[test]
        fn elements_come_back_from_the_largest(
            runs in vec((0..SIZE, 1..200usize), 0..12),
            whole_words: bool,
        ) {
            let mut set = DescendingSet::new(SIZE);
            let mut expected = BTreeSet::new();
            for (start, count) in runs {
                let run = start..SIZE.min(start + count);
                set.insert(run.clone());
                expected.extend(run);
            }
            let expected: Vec<usize> = expected.into_iter().rev().collect();
            prop_assert_eq!(all(&mut set, whole_words), expected);
            set.insert(5_000..5_001);
            prop_assert_eq!(all(&mut set, !whole_words), [5_000]);
        }
    }
}
