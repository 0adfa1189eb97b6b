//! Sorting where what is sorted is short: one compiled sort for all of them.
//!
//! The standard sort is compiled anew for every comparison, some six kilobytes each. There are a hundred places that put a few names,
//! reasons or worlds in order; they share one sort of places here. Loops over people use the standard one.

use std::cmp::Ordering;

/// Stable sorts that are small in the program.
pub trait CompactSort<T> {
    /// As `sort_by` of the standard library.
    fn sort_compact_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As `sort_by_key` of the standard library.
    fn sort_compact_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> CompactSort<T> for [T] {
    fn sort_compact_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let places = sorted_places(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        arrange(self, places);
    }

    fn sort_compact_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.sort_compact_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// Which element comes first, second, ….
fn sorted_places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// Puts the element at `places[i]` to `i`, one cycle after the other.
fn arrange<T>(elements: &mut [T], mut places: Vec<usize>) {
    for start in 0..places.len() {
        let mut at = start;
        while places[at] != start {
            let from = places[at];
            elements.swap(at, from);
            places[at] = at;
            at = from;
        }
        places[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn elements_are_sorted_as_by_the_standard_library(keys in prop::collection::vec(0_u8..20, 0..60)) {
            // What was where tells equal keys apart: the sort is stable.
            let mut ours: Vec<(u8, usize)> = keys.into_iter().enumerate().map(|(place, key)| (key, place)).collect();
            let (mut wanted, mut reversed) = (ours.clone(), ours.clone());
            wanted.sort_by_key(|(key, _)| *key);
            ours.sort_compact_by_key(|(key, _)| *key);
            prop_assert_eq!(&ours, &wanted);
            wanted.sort_by_key(|(key, place)| (std::cmp::Reverse(*key), *place));
            reversed.sort_compact_by(|one, other| other.0.cmp(&one.0));
            prop_assert_eq!(&reversed, &wanted);
        }
    }
}
