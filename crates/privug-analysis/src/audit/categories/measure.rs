//! What is known about everybody with a discrete secret, in the columns that all kinds of secrets share.

use std::collections::HashMap;

use super::super::contributions::Involvement;
use super::super::people::PeopleColumns;
use super::super::policy::{Policy, Verdict};
use super::super::release::{Discrete, Release};
use super::classes::Classes;
use super::distributions::{Certainty, Distribution, Distributions};
use super::solve::Solution;
use privug_engine::number::{Rational, Scalar};

/// What is known about everybody: by class or, where the attacker knows only some columns, on average over those who agree
/// in these.
///
/// Within a group of people with the same known columns the attacker knows how the other columns are distributed, but not
/// who has which: all ways to hand them out are equally likely, and no figure depends on which it is. So the posterior of
/// each of them is the mean of what somebody who knew all columns would have.
pub(super) fn distributions<S: Scalar>(
    release: &Release<S>,
    classes: &Classes,
    solution: &Solution<'_>,
    discrete: &[&Discrete],
) -> Distributions {
    let of_class: Vec<Distribution> = classes
        .all
        .iter()
        .zip(&solution.posteriors)
        .map(|(class, posterior)| Distribution {
            column: class.column,
            prior: discrete[class.column].laws[class.law as usize].clone(),
            posterior: posterior.probabilities.clone(),
            possible: posterior.possible.clone(),
            certainty: Certainty::from(posterior.method),
            people: class.size() as usize,
            exact: posterior.exact.as_ref().and_then(|posterior| {
                let prior = discrete[class.column].exact_laws.get(class.law as usize)?;
                Some([prior.clone(), posterior.clone()])
            }),
        })
        .collect();
    let mut all = Distributions {
        values: discrete.iter().map(|discrete| discrete.values.clone()).collect(),
        sensitive: release.sensitive.clone(),
        known: of_class,
        of_entry: classes.of_entry.clone(),
        truths: discrete.iter().flat_map(|discrete| discrete.truths.iter().copied()).collect(),
    };
    if let Some(groups) = &release.known_groups {
        all = averaged(all, release, groups);
    }
    all
}

fn averaged<S: Scalar>(full: Distributions, release: &Release<S>, groups: &[u32]) -> Distributions {
    let mut places: HashMap<(usize, u32), u32> = HashMap::new();
    let mut known: Vec<Distribution> = Vec::new();
    let mut of_entry = Vec::with_capacity(full.of_entry.len());
    let rows = release.rows.iter().enumerate().flat_map(|(column, rows)| rows.iter().map(move |row| (column, *row)));
    for (entry, (column, row)) in rows.enumerate() {
        let of = full.of(entry);
        let place = *places.entry((column, groups[row as usize])).or_insert_with(|| {
            known.push(Distribution {
                column,
                prior: vec![0.0; of.prior.len()],
                posterior: vec![0.0; of.prior.len()],
                possible: vec![false; of.prior.len()],
                certainty: Certainty::Exact,
                people: 0,
                exact: Some([0, 1].map(|_| vec![Rational::ZERO; of.prior.len()])),
            });
            known.len() as u32 - 1
        });
        let sum = &mut known[place as usize];
        sum.people += 1;
        sum.certainty = sum.certainty.worse(of.certainty);
        for code in 0..of.prior.len() {
            sum.prior[code] += of.prior[code];
            sum.posterior[code] += of.posterior[code];
            sum.possible[code] |= of.possible[code];
        }
        sum.exact = sum.exact.take().zip(of.exact.as_ref()).map(|(mut sums, exact)| {
            let parts = exact.iter().flatten();
            sums.iter_mut().flatten().zip(parts).for_each(|(sum, part)| *sum += part);
            sums
        });
        of_entry.push(place);
    }
    for sum in &mut known {
        if let Some(exact) = &mut sum.exact {
            let count = Rational::from(sum.people);
            exact.iter_mut().flatten().for_each(|p| *p /= &count);
        }
        let count = sum.people as f64;
        sum.prior.iter_mut().chain(&mut sum.posterior).for_each(|p| *p /= count);
    }
    Distributions { known, of_entry, ..full }
}

/// The columns about people that all kinds of secrets share.
pub(super) fn measured<S: Scalar>(
    release: &Release<S>,
    distributions: Distributions,
    involvement: Involvement,
    policy: &Policy,
) -> PeopleColumns {
    struct Moments {
        mean: [f64; 2],
        variance: [f64; 2],
        bits: f64,
    }
    let of_known = |known: &Distribution| {
        let numbers: Vec<f64> =
            distributions.values[known.column].iter().map(|value| value.number().unwrap_or(f64::NAN)).collect();
        let moments = |probabilities: &[f64]| {
            let mean: f64 = probabilities.iter().zip(&numbers).map(|(p, x)| p * x).sum();
            let square = |(p, x): (&f64, &f64)| p * (x - mean) * (x - mean);
            (mean, probabilities.iter().zip(&numbers).map(square).sum::<f64>())
        };
        let unknown = known.certainty == Certainty::Unknown;
        let before = moments(&known.prior);
        let after = if unknown { (f64::NAN, f64::NAN) } else { moments(&known.posterior) };
        Moments { mean: [before.0, after.0], variance: [before.1, after.1], bits: known.information_bits() }
    };
    let moments: Vec<Moments> = distributions.known.iter().map(of_known).collect();
    let count = distributions.of_entry.len();
    let column = |pick: &dyn Fn(&Moments) -> f64| -> Vec<f64> {
        distributions.of_entry.iter().map(|place| pick(&moments[*place as usize])).collect()
    };
    let truth_probability = |after: bool| -> Vec<f64> {
        (0..count)
            .map(|entry| {
                let (known, code) = (distributions.of(entry), distributions.truths[entry] as usize);
                match (after, known.certainty) {
                    (false, _) => known.prior[code],
                    (true, Certainty::Unknown) => f64::NAN,
                    (true, Certainty::Exact | Certainty::Certified(_)) => known.posterior[code],
                }
            })
            .collect()
    };
    let mut people = PeopleColumns {
        truth: release.truths.clone(),
        prior_mean: column(&|moments| moments.mean[0]),
        prior_variance: column(&|moments| moments.variance[0]),
        posterior_mean: column(&|moments| moments.mean[1]),
        mean_shift: column(&|moments| moments.mean[1] - moments.mean[0]),
        posterior_variance: column(&|moments| moments.variance[1]),
        variance_reduction: column(&|moments| moments.variance[0] - moments.variance[1]),
        mutual_information_bits: column(&|moments| moments.bits),
        relative_std: column(&|moments| match moments.variance[0] > 0.0 {
            true => (moments.variance[1] / moments.variance[0]).sqrt(),
            false => f64::NAN,
        }),
        near_truth_prior: truth_probability(false),
        near_truth_posterior: truth_probability(true),
        fully_disclosed: (0..count).map(|entry| distributions.is_disclosed(entry)).collect(),
        figures: involvement.figures,
        smallest_frequency: involvement.smallest_frequency,
        baseline_mean: Vec::new(),
        baseline_variance: Vec::new(),
        possible: Vec::new(),
        verdict: Vec::with_capacity(count),
        discrete: None,
        brackets: None,
    };
    // What the rules say is the same for all of whom the same is known.
    let mut judged: Vec<Option<Verdict>> = vec![None; distributions.known.len()];
    for entry in 0..count {
        let place = distributions.of_entry[entry] as usize;
        let verdict = *judged[place]
            .get_or_insert_with(|| distributions.verdicts(entry, policy).into_iter().max().unwrap_or_default());
        people.verdict.push(verdict);
    }
    people.discrete = Some(Box::new(distributions));
    people
}
