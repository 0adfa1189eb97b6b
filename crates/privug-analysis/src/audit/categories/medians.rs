//! Published medians: what those tell about whom nothing else is published.
//!
//! A median over people who are in no other figure is conditioned on exactly ([`super::middle`]). Of people who are in
//! other figures as well, what both tell together is not worked out: it is unknown.

use privug_engine::sorting::CompactSort;
use std::collections::{BTreeMap, HashMap};

use super::super::defence::Protection;
use super::super::observe::published;
use super::super::release::{Median, Release};
use super::classes::{Classes, Tally};
use super::middle::{Alike, given_median};
use super::solve::{Method, Posterior, Solution};
use super::tallies::Tallied;
use privug_engine::number::Scalar;

/// A published median over classes.
#[derive(Debug)]
pub(super) struct OfClasses {
    /// The figure.
    pub(super) figure: usize,
    /// The classes, and what comes out for each of their codes.
    classes: Vec<(u32, Vec<f64>)>,
}

impl OfClasses {
    /// `None` if it is no median.
    pub(super) fn new(figure: usize, tallied: &Tallied, medians: &[Median], classes: &Classes) -> Option<Self> {
        medians.get(tallied.median?)?;
        let mut found: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for part in &tallied.parts {
            let class = classes.of_entry[part.entry as usize];
            let about = &classes.all[class as usize];
            if about.first == part.entry {
                let values = found.entry(class).or_insert_with(|| vec![f64::NAN; about.histogram.len()]);
                values[part.code as usize] = f64::from_bits(part.weight as u64);
            }
        }
        Some(OfClasses { figure, classes: found.into_iter().collect() })
    }

    /// The classes that it is about.
    pub(super) fn touched(&self) -> Vec<u32> {
        self.classes.iter().map(|(class, _)| *class).collect()
    }
}

/// Conditions on the medians that stand alone; the classes of the others.
pub(super) fn condition<'l, S: Scalar>(
    solution: &mut Solution<'_>,
    medians: Vec<OfClasses>,
    tallies: &[Tally],
    opaque: &[Vec<u32>],
    classes: &Classes,
    law: impl Fn(usize) -> &'l [f64],
    (release, protection): (&Release<S>, &Protection),
) -> (Vec<Vec<u32>>, HashMap<u32, usize>) {
    let mut met = vec![0u32; classes.all.len()];
    let counted = tallies.iter().flat_map(|tally| tally.terms.iter().map(|(class, _)| *class));
    let all = counted.chain(opaque.iter().flatten().copied()).chain(medians.iter().flat_map(OfClasses::touched));
    all.for_each(|class| met[class as usize] += 1);
    let (mut others, mut told_by) = (Vec::new(), HashMap::new());
    for median in medians {
        let is_alone = median.classes.iter().all(|(class, _)| met[*class as usize] == 1);
        // Which of two multiples a median rounded at random becomes is not known beforehand.
        let is_seen = is_alone && !protection.rounded_at_random[median.figure];
        let found = is_seen.then(|| known(&median, classes, &law, release, protection)).flatten();
        match found {
            Some(posteriors) => {
                for (class, posterior) in posteriors {
                    solution.posteriors[class as usize] = posterior;
                    told_by.insert(class, median.figure);
                }
            }
            None => others.push(median.touched()),
        }
    }
    (others, told_by)
}

/// What is known about the classes of a median; `None` if that is too much to work out.
fn known<'l, S: Scalar>(
    median: &OfClasses,
    classes: &Classes,
    law: &impl Fn(usize) -> &'l [f64],
    release: &Release<S>,
    protection: &Protection,
) -> Option<Vec<(u32, Posterior)>> {
    // Classes with the same distribution of what the median is taken of are one kind.
    let mut place_of: HashMap<Vec<(u64, u64)>, usize> = HashMap::new();
    let mut kinds: Vec<Alike> = Vec::new();
    let mut kind_of = Vec::with_capacity(median.classes.len());
    for (class, values) in &median.classes {
        let mut masses: Vec<(f64, f64)> = Vec::new();
        for (value, p) in values.iter().zip(law(*class as usize)).filter(|(_, p)| **p > 0.0) {
            match masses.iter_mut().find(|(other, _)| other == value) {
                Some((_, sum)) => *sum += p,
                None => masses.push((*value, *p)),
            }
        }
        masses.sort_compact_by(|a, b| a.0.total_cmp(&b.0));
        let key = masses.iter().map(|(value, p)| (value.to_bits(), p.to_bits())).collect();
        let place = *place_of.entry(key).or_insert_with(|| {
            kinds.push(Alike { count: 0, law: masses });
            kinds.len() - 1
        });
        kinds[place].count += classes.all[*class as usize].size() as u64;
        kind_of.push(place);
    }
    let found = given_median(&kinds, &likelihood(median, release, protection)).ok()?;
    let posteriors = median.classes.iter().zip(kind_of).map(|((class, values), kind)| {
        let (before, law) = (law(*class as usize), &kinds[kind].law);
        let probability = |(value, p): (&f64, &f64)| {
            let Some(place) = law.iter().position(|(other, _)| other == value).filter(|_| *p > 0.0) else { return 0.0 };
            found.posteriors[kind][place] * (p / law[place].1)
        };
        let probabilities: Vec<f64> = values.iter().zip(before).map(probability).collect();
        let possible = probabilities.iter().map(|p| *p > 0.0).collect();
        (*class, Posterior { probabilities, method: Method::Certified(found.relative_error), possible, exact: None })
    });
    Some(posteriors.collect())
}

/// How likely what is seen of a figure is, for each median behind it.
fn likelihood<S: Scalar>(
    median: &OfClasses,
    release: &Release<S>,
    protection: &Protection,
) -> impl Fn(f64) -> f64 + use<S> {
    let output = &release.outputs[median.figure];
    let (scale, offset) = (output.variable.scale.clone(), output.variable.offset.clone());
    let base = protection.rounded_to[median.figure];
    let real = output.value.clone();
    let value_of = move |median: f64| {
        let number = S::from_written(median).unwrap_or_else(S::zero);
        scale.mul(&number).add(&offset)
    };
    move |median: f64| {
        let value = value_of(median);
        let is_seen = match base > 0.0 {
            false => value.to_f64() == real.to_f64(),
            true => published(&value, base) == published(&real, base),
        };
        f64::from(u8::from(is_seen))
    }
}
