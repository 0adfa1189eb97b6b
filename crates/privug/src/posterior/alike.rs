//! Finding columns that are alike, a million of them in a moment.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Things by the hash of a column. Different columns may share a hash, so each entry is a list.
pub(super) type ByHash<T> = HashMap<u64, Vec<T>, BuildHasherDefault<Hashed>>;

/// The hash of a column's cells: each word is mixed in by a multiplication, the upper half folded into the lower.
pub(super) fn hash_of(cells: impl Iterator<Item = (u32, f64)>) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word).wrapping_mul(u128::from(ODD));
        (product >> 64) as u64 ^ product as u64
    };
    cells
        .fold(ODD, |hash, (observation, coefficient)| mix(mix(hash, u64::from(observation) + 1), coefficient.to_bits()))
}

/// Takes the keys of a map as the hashes they are.
#[derive(Debug, Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Keys are words; this is for completeness.
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}
