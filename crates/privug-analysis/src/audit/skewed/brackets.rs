//! What is known about people with skewed priors: a lower and an upper bound on each number.

use privug_engine::sums::{Law, Posterior};

/// What is known about an entry, and about all others with the same law in the same group.
#[derive(Debug, Clone, PartialEq)]
pub struct Bracket {
    /// What the attacker knew.
    pub prior: Law,
    /// Bounds on the mean after; with the next three `None` where it is not known.
    pub mean: Option<[f64; 2]>,
    /// Bounds on the standard deviation after.
    pub std_dev: Option<[f64; 2]>,
    /// The secret lies in here with a probability of at least 0.95.
    pub interval: Option<[f64; 2]>,
    /// Bounds on D(posterior ‖ prior).
    pub bits: Option<[f64; 2]>,
    /// Whether nothing that is published is about these people: then all is as before, exactly.
    pub is_untouched: bool,
}

impl Bracket {
    /// Nothing was told.
    pub(super) fn untouched(prior: Law) -> Self {
        let std_dev = prior.variance().max(0.0).sqrt();
        Bracket {
            mean: Some([prior.mean(); 2]),
            std_dev: Some([std_dev; 2]),
            interval: None,
            bits: Some([0.0; 2]),
            prior,
            is_untouched: true,
        }
    }

    /// It is not known what was told.
    pub(super) fn unknown(prior: Law) -> Self {
        Bracket { prior, mean: None, std_dev: None, interval: None, bits: None, is_untouched: false }
    }

    pub(super) fn of(prior: Law, posterior: &Posterior) -> Self {
        Bracket {
            prior,
            mean: Some(posterior.mean),
            std_dev: Some(posterior.variance.map(|variance| variance.max(0.0).sqrt())),
            interval: Some(posterior.interval),
            bits: Some(posterior.bits),
            is_untouched: false,
        }
    }

    /// Whether the posterior is known.
    pub fn is_known(&self) -> bool {
        self.mean.is_some()
    }

    /// As in the JSON.
    pub fn method(&self) -> &'static str {
        match (self.is_known(), self.is_untouched) {
            (false, _) => "unknown",
            (true, true) => "exact",
            (true, false) => "certified",
        }
    }
}

/// Everybody's.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Brackets {
    /// Each once for all entries that share it.
    pub known: Vec<Bracket>,
    /// The place of each entry's among these.
    pub of_entry: Vec<u32>,
    /// Bounds on the probability of being near the truth, of each entry; not numbers where it is not known.
    pub near_truth: Vec<[f64; 2]>,
    /// The figures that tell of the group of each entry.
    pub(in super::super) told_by: Vec<Vec<usize>>,
    /// The place of each entry's group among these; `u32::MAX` if it is in none.
    pub(in super::super) group_of: Vec<u32>,
}

impl Brackets {
    /// What is known about an entry.
    pub fn of(&self, entry: usize) -> &Bracket {
        &self.known[self.of_entry[entry] as usize]
    }

    /// The figures that tell of an entry.
    pub(in super::super) fn figures(&self, entry: usize) -> &[usize] {
        self.told_by.get(self.group_of[entry] as usize).map_or(&[], Vec::as_slice)
    }
}
