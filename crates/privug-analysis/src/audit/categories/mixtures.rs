//! The worst outcome of random rounding for people of whom the attacker knows some columns only.
//!
//! Their posterior is the mean over all who agree in these columns, who may be in several parts (figures that hang together
//! through people). The outcomes of parts are independent, so for each value the worst is that of each part:
//!
//! ```text
//! max over outcomes o of Σ_c n_c·P_c(v | o) = Σ over parts P of max over outcomes o of P of Σ_{c in P} n_c·P_c(v | o)
//! ```
//!
//! That is an outcome that is possible; of those of all values, and of all sensitive ones together, the one counts that the
//! rules say most about.

use std::collections::BTreeMap;

use super::super::policy::Policy;
use super::classes::Classes;
use super::distributions::{Certainty, Distribution, Distributions};
use super::outcomes::{Outcomes, says_more};
use super::solve::Posterior;

/// The people of one part among those who agree in the known columns.
struct Portion {
    /// Whose these are, among [`Distributions::known`].
    place: u32,
    /// How many people of each class.
    classes: Vec<(u32, f64)>,
    is_affected: bool,
    /// The worst outcome so far for each aim.
    worst: Vec<Option<Sums>>,
}

/// Sums over people in one outcome.
#[derive(Clone)]
struct Sums {
    aim: f64,
    posterior: Vec<f64>,
    possible: Vec<bool>,
    certainty: Certainty,
}

/// Everybody's portions.
pub(super) struct Mixtures {
    portions: Vec<Portion>,
    /// Of each secret column, what should not be likely: the values of each aim.
    aims: Vec<Vec<Vec<usize>>>,
    columns: Vec<usize>,
}

impl Mixtures {
    /// `known` tells who agrees in the known columns.
    pub(super) fn new(known: &Distributions, classes: &Classes, outcomes: &Outcomes) -> Self {
        let mut counts: BTreeMap<(u32, usize, u32), f64> = BTreeMap::new();
        for (place, class) in known.of_entry.iter().zip(&classes.of_entry) {
            *counts.entry((*place, outcomes.part_of[*class as usize], *class)).or_default() += 1.0;
        }
        let mut portions: Vec<Portion> = Vec::new();
        let mut last = None;
        for ((place, part, class), count) in counts {
            if last.replace((place, part)) != Some((place, part)) {
                portions.push(Portion { place, classes: Vec::new(), is_affected: false, worst: Vec::new() });
            }
            if let Some(portion) = portions.last_mut() {
                portion.classes.push((class, count));
                portion.is_affected |= outcomes.is_affected[class as usize];
            }
        }
        let aims = known.sensitive.iter().map(|sensitive| {
            let all: Vec<usize> = (0..sensitive.len()).filter(|code| sensitive[*code]).collect();
            all.iter().map(|code| vec![*code]).chain((all.len() < sensitive.len()).then(|| all.clone())).collect()
        });
        let columns = known.known.iter().map(|known| known.column).collect();
        Mixtures { portions, aims: aims.collect(), columns }
    }

    /// Takes one outcome into account.
    pub(super) fn look(&mut self, posteriors: &[Posterior]) {
        for portion in &mut self.portions {
            if !portion.is_affected && !portion.worst.is_empty() {
                continue;
            }
            let aims = &self.aims[self.columns[portion.place as usize]];
            portion.worst.resize(aims.len().max(1), None);
            let found = portion.sums(posteriors);
            for (at, worst) in portion.worst.iter_mut().enumerate() {
                let aim = aims.get(at).map_or(0.0, |codes| codes.iter().map(|code| found.posterior[*code]).sum());
                if worst.as_ref().is_none_or(|worst| aim > worst.aim) {
                    *worst = Some(Sums { aim, ..found.clone() });
                }
            }
        }
    }

    /// Replaces what is known by the worst.
    pub(super) fn apply(self, known: &mut Distributions, policy: &Policy) {
        let mut of_place: Vec<Vec<&Portion>> = vec![Vec::new(); known.known.len()];
        self.portions.iter().for_each(|portion| of_place[portion.place as usize].push(portion));
        for (place, portions) in of_place.into_iter().enumerate() {
            if !portions.iter().any(|portion| portion.is_affected) {
                continue;
            }
            let before = &known.known[place];
            let aims = self.aims[before.column].len().max(1);
            let mixed = |aim: usize| mixture(before, portions.iter().filter_map(|portion| portion.worst[aim].as_ref()));
            let (mut worst, rest) = (mixed(0), (1..aims).map(mixed));
            for other in rest {
                if says_more(&other, &worst, &known.sensitive, policy) {
                    worst = other;
                }
            }
            // The outcome that tells most bits may be yet another one.
            if !policy.mutual_information_bits.is_off() {
                worst.certainty = Certainty::Unknown;
            }
            known.known[place] = worst;
        }
    }
}

impl Portion {
    fn sums(&self, posteriors: &[Posterior]) -> Sums {
        let values = self.classes.first().map_or(0, |(class, _)| posteriors[*class as usize].probabilities.len());
        let mut sums =
            Sums { aim: 0.0, posterior: vec![0.0; values], possible: vec![false; values], certainty: Certainty::Exact };
        for (class, count) in &self.classes {
            let of = &posteriors[*class as usize];
            sums.posterior.iter_mut().zip(&of.probabilities).for_each(|(sum, p)| *sum += count * p);
            sums.possible.iter_mut().zip(&of.possible).for_each(|(sum, is_possible)| *sum |= is_possible);
            sums.certainty = sums.certainty.worse(Certainty::from(of.method));
        }
        sums
    }
}

/// What is known about each of some people, given the outcomes of all their parts.
fn mixture<'s>(known: &Distribution, portions: impl Iterator<Item = &'s Sums>) -> Distribution {
    let mut mixed = Distribution {
        posterior: vec![0.0; known.prior.len()],
        possible: vec![false; known.prior.len()],
        certainty: Certainty::Exact,
        exact: None,
        ..known.clone()
    };
    for sums in portions {
        mixed.posterior.iter_mut().zip(&sums.posterior).for_each(|(p, sum)| *p += sum / known.people as f64);
        mixed.possible.iter_mut().zip(&sums.possible).for_each(|(is_possible, also)| *is_possible |= also);
        mixed.certainty = mixed.certainty.worse(sums.certainty);
    }
    mixed
}
