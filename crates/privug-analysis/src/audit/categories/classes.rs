//! People whom no published figure tells apart, and of whom the attacker believes the same.

use std::collections::HashMap;

use super::super::persons::Persons;
use super::super::release::Discrete;
use super::tallies::{Part, Tallied};

/// A class of people.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Class {
    /// The secret column.
    pub(super) column: usize,
    /// The place of their distribution among those of the column.
    pub(super) law: u32,
    /// One of them.
    pub(super) first: u32,
    /// How many of them really have each value.
    pub(super) histogram: Vec<u32>,
}

impl Class {
    pub(super) fn size(&self) -> i64 {
        self.histogram.iter().map(|count| i64::from(*count)).sum()
    }
}

/// All classes, and that of each entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Classes {
    pub(super) all: Vec<Class>,
    pub(super) of_entry: Vec<u32>,
    /// Which classes all figures see alike, though the attacker believes other things of them: the number of each one's set.
    pub(super) alike: Vec<u32>,
}

/// A figure over classes: what a person of each class adds with each value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tally {
    /// The class, and the weight of each code; that of the first code is 0.
    pub(super) terms: Vec<(u32, Vec<i64>)>,
    /// Σ over people of the weight of what they really have.
    pub(super) total: i64,
}

/// What entries have in common is collected in two numbers that are mixed from everything that tells them apart: two
/// entries that differ agree in both by accident with a probability of 2⁻¹²⁸.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Fingerprint(u64, u64);

impl Fingerprint {
    /// Adds a part, in any order.
    fn add(&mut self, figure: usize, part: &Part) {
        let text = (figure as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (u64::from(part.code) << 48)
            ^ (part.weight as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 = self.0.wrapping_add(mixed(text ^ 0x1234_5678_9ABC_DEF1));
        self.1 = self.1.wrapping_add(mixed(mixed(text) ^ 0xA5A5_0F0F_3C3C_9696));
    }
}

/// SplitMix64's finaliser.
fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// Collects what tells entries apart, figure by figure.
pub(super) struct Collector(Vec<Fingerprint>);

impl Collector {
    pub(super) fn new(entries: usize) -> Self {
        Collector(vec![Fingerprint::default(); entries])
    }

    pub(super) fn look(&mut self, figure: usize, tallied: &Tallied) {
        for part in &tallied.parts {
            self.0[part.entry as usize].add(figure, part);
        }
    }

    pub(super) fn classes(self, discrete: &[&Discrete], persons: &Persons) -> Classes {
        let mut known: HashMap<(usize, u32, Fingerprint), u32> = HashMap::new();
        let mut seen_alike: HashMap<(usize, Fingerprint), u32> = HashMap::new();
        let mut classes = Classes { of_entry: Vec::with_capacity(self.0.len()), ..Classes::default() };
        let mut entry = 0usize;
        for (column, belief) in discrete.iter().enumerate() {
            debug_assert_eq!(persons.entries(column).len(), belief.law_of.len());
            for (law, truth) in belief.law_of.iter().zip(&belief.truths) {
                let class = *known.entry((column, *law, self.0[entry])).or_insert_with(|| {
                    let histogram = vec![0; belief.values.len()];
                    classes.all.push(Class { column, law: *law, first: entry as u32, histogram });
                    let next = seen_alike.len() as u32;
                    classes.alike.push(*seen_alike.entry((column, self.0[entry])).or_insert(next));
                    classes.all.len() as u32 - 1
                });
                classes.all[class as usize].histogram[*truth as usize] += 1;
                classes.of_entry.push(class);
                entry += 1;
            }
        }
        classes
    }
}

impl Classes {
    /// The least and the largest that a figure can be.
    pub(super) fn bounds(&self, tally: &Tally) -> (i64, i64) {
        tally.terms.iter().fold((0, 0), |(low, high), (class, weights)| {
            let size = self.all[*class as usize].size();
            let of = |weight: Option<&i64>| size * weight.copied().unwrap_or(0);
            (low + of(weights.iter().min()), high + of(weights.iter().max()))
        })
    }

    /// A figure that tells classes apart, over classes: what it weighs one person of each with.
    pub(super) fn tally(&self, tallied: &Tallied) -> Tally {
        let mut terms: HashMap<u32, Vec<i64>> = HashMap::new();
        for part in &tallied.parts {
            let class = self.of_entry[part.entry as usize];
            let about = &self.all[class as usize];
            if about.first == part.entry {
                terms.entry(class).or_insert_with(|| vec![0; about.histogram.len()])[part.code as usize] = part.weight;
            }
        }
        let mut terms: Vec<(u32, Vec<i64>)> = terms.into_iter().collect();
        terms.sort_unstable_by_key(|(class, _)| *class);
        let of_class = |(class, weights): &(u32, Vec<i64>)| -> i64 {
            let histogram = &self.all[*class as usize].histogram;
            weights.iter().zip(histogram).map(|(weight, count)| weight * i64::from(*count)).sum()
        };
        let total = terms.iter().map(of_class).sum();
        Tally { terms, total }
    }
}
