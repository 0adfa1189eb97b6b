//! A closer look at the worst people, at everybody who is disclosed, and at figures that follow from others.

use super::combination::{Combination, combination_of, group};
use super::people::PeopleColumns;
use super::release::Release;
use super::result::{FigureLeak, PersonDetail};
use super::skewed::Brackets;
use crate::analysis::{knowledge, leaks_by_output};
use privug_engine::network::Affine;
use privug_engine::number::Scalar;
use privug_engine::posterior::{Observation, Options, Prediction, Prepared, Refusal, TargetOutcome};
use privug_engine::stages::Stages;

/// More disclosed people, redundant or suppressed figures than this are not explained, to stay within time and memory.
const EXPLAINED: usize = 10_000;
/// Each takes a look at all figures: so many looks, at most, for what is only told and judges nothing.
const MOST_LOOKS: usize = 1 << 24;
/// The same where arithmetic is exact, and slow.
const EXPLAINED_EXACTLY: usize = 200;

/// A share below this share of the largest is the square of a rounding error of pairs of doubles.
const ROUNDING: f64 = 1e-50;

/// What a closer look found.
pub(super) struct Explanation {
    pub(super) details: Vec<PersonDetail>,
    pub(super) combinations: Vec<Combination>,
    pub(super) weights: Vec<(usize, Vec<(usize, f64)>)>,
    pub(super) followed: Vec<Followed>,
    /// Why there is no explanation, or not all of it.
    pub(super) note: Option<String>,
    /// How many suppressed figures nobody looked at.
    pub(super) unchecked: usize,
}

impl Explanation {
    /// None but of people who are alone behind a figure, because it would take too much work. `alone` has such entries, their
    /// figures, and what makes a figure the secret.
    pub(super) fn too_large(suppressed: usize, alone: Vec<(usize, usize, f64)>, shown: &[usize]) -> Self {
        let note = match alone.is_empty() {
            true => {
                "which figures reveal what, and which disclose whom, was not determined: there are too many figures about the same people (publish fewer of them at once)"
            }
            false => {
                "which figures reveal what was not determined, and which one discloses a person only for people who are the only contributor to a figure: there are too many figures about the same people (publish fewer of them at once)"
            }
        };
        let mut weights: Vec<(usize, Vec<(usize, f64)>)> =
            alone.into_iter().map(|(entry, figure, times)| (entry, vec![(figure, times)])).collect();
        weights.sort_by_key(|(entry, _)| *entry);
        weights.dedup_by_key(|(entry, _)| *entry);
        let of_shown = |entry: &usize| {
            let at = weights.binary_search_by_key(entry, |(entry, _)| *entry).ok()?;
            Some(PersonDetail { person: *entry, leaks: Vec::new(), combination: weights[at].1.clone(), exact: None })
        };
        Explanation {
            details: shown.iter().filter_map(of_shown).collect(),
            combinations: group(weights.iter().map(|(person, weights)| (*person, figures_of(weights)))),
            weights,
            followed: Vec::new(),
            note: Some(note.to_owned()),
            unchecked: suppressed,
        }
    }
}

impl Explanation {
    /// Under priors that are not Gaussian: what each figure tells by itself is not known, and whoever is disclosed although no
    /// combination of figures is their secret is so by the figures of their group.
    pub(super) fn by_groups(&mut self, brackets: &Brackets) {
        let of_group = |entry: usize| brackets.figures(entry).iter().map(|figure| (*figure, 1.0)).collect::<Vec<_>>();
        for (entry, weights) in self.weights.iter_mut().filter(|(_, weights)| weights.is_empty()) {
            *weights = of_group(*entry);
        }
        for detail in &mut self.details {
            detail.leaks.clear();
            detail.exact = None;
            if let Some((_, weights)) = self.weights.iter().find(|(entry, _)| *entry == detail.person) {
                detail.combination.clone_from(weights);
            }
        }
        self.combinations = group(self.weights.iter().map(|(person, weights)| (*person, figures_of(weights))));
    }
}

/// A figure that is redundant or suppressed.
pub(super) struct Followed {
    pub(super) figure: usize,
    /// The figures it can be computed from; none if it cannot, or is known beforehand.
    pub(super) from: Vec<usize>,
    /// What is left of the attacker's uncertainty about it.
    pub(super) posterior_std: f64,
}

/// What was published, and what became of it.
pub(super) struct Seen<'a, S> {
    pub(super) observations: &'a [Observation<S>],
    pub(super) predictions: &'a [Prediction<S>],
    /// The figure of each observation.
    pub(super) published: &'a [usize],
}

/// Explains the people `shown`, those who are disclosed, and the figures that follow or are suppressed.
pub(super) fn explain<S: Stages>(
    release: &Release<S>,
    seen: &Seen<'_, S>,
    people: &PeopleColumns,
    shown: &[usize],
    suppressed: &[bool],
    options: &Options,
    prepared: &mut Prepared<S>,
) -> Result<Explanation, Refusal<S>> {
    let most = if S::EXACT { EXPLAINED_EXACTLY } else { EXPLAINED };
    let most = most.min(MOST_LOOKS / seen.observations.len().max(1)).max(shown.len());
    let disclosed = (0..people.len()).filter(|person| people.fully_disclosed[*person]).take(most);
    let others = disclosed.filter(|person| !shown.contains(person));
    let asked: Vec<usize> = shown.iter().copied().chain(others).collect();
    let predictions = seen.published.iter().zip(seen.predictions);
    let redundant = predictions.filter(|(_, prediction)| prediction.redundant).map(|(figure, _)| *figure);
    let suppressed: Vec<usize> = (0..suppressed.len()).filter(|figure| suppressed[*figure]).collect();
    // A rule depends on these, so they have a limit of their own.
    let unchecked = suppressed.len().saturating_sub(EXPLAINED);
    let followed: Vec<usize> = redundant.take(most).chain(suppressed.into_iter().take(EXPLAINED)).collect();

    let secrets = asked.iter().map(|person| release.secrets.get(*person));
    let figures = followed.iter().map(|figure| release.outputs[*figure].variable.clone());
    let targets: Vec<Affine<S>> = secrets.chain(figures).collect();
    let targets = match targets.as_slice() {
        [] => Vec::new(),
        targets => S::explain(&release.network, seen.observations, targets, options, prepared)?,
    };
    let variances: Vec<f64> = seen.predictions.iter().map(|prediction| prediction.variance.to_f64()).collect();
    let std_devs: Vec<f64> = variances.iter().map(|variance| variance.sqrt()).collect();
    let combination = |target: &TargetOutcome<S>| -> Vec<(usize, f64)> {
        if !target.posterior_variance.is_zero() {
            return Vec::new();
        }
        let found = combination_of(target, &std_devs);
        found.into_iter().map(|(place, weight)| (seen.published[place], weight)).collect()
    };
    let names = |target: &TargetOutcome<S>| figures_of(&combination(target));

    let (of_people, of_figures) = targets.split_at(asked.len());
    let is_in_order = |target: &TargetOutcome<S>| target.variance_reduction.is_zero() || !target.reductions.is_empty();
    let note = (!of_people.iter().all(is_in_order)).then(|| {
        "what each figure adds to those before it was not determined: there are too many figures about the same people"
            .to_owned()
    });
    let details = shown.iter().zip(of_people).map(|(person, target)| PersonDetail {
        person: *person,
        leaks: leaks(target, &variances, seen.published),
        combination: if people.fully_disclosed[*person] { combination(target) } else { Vec::new() },
        exact: exact(target),
    });
    // What only a rounded figure would disclose is not disclosed.
    let disclosed = asked.iter().zip(of_people).filter(|(person, _)| people.fully_disclosed[**person]);
    let mut weights: Vec<_> = disclosed.map(|(person, target)| (*person, combination(target))).collect();
    weights.sort_by_key(|(person, _)| *person);
    Ok(Explanation {
        details: details.collect(),
        combinations: group(weights.iter().map(|(person, weights)| (*person, figures_of(weights)))),
        weights,
        followed: followed
            .into_iter()
            .zip(of_figures)
            .map(|(figure, target)| Followed {
                figure,
                from: names(target),
                posterior_std: target.posterior_variance.to_f64().sqrt(),
            })
            .collect(),
        note,
        unchecked,
    })
}

fn figures_of(combination: &[(usize, f64)]) -> Vec<usize> {
    combination.iter().map(|(figure, _)| *figure).collect()
}

/// What each figure tells about a person, that which adds most first.
fn leaks<S: Scalar>(target: &TargetOutcome<S>, variances: &[f64], published: &[usize]) -> Vec<FigureLeak> {
    if target.reductions.is_empty() {
        return Vec::new();
    }
    let found = leaks_by_output(target, &knowledge(target), variances).into_iter().map(|leak| FigureLeak {
        figure: published[leak.output],
        alone_bits: leak.alone_bits,
        added_bits: leak.added_bits,
    });
    let mut leaks: Vec<FigureLeak> = found.collect();
    let most = leaks.iter().map(|leak| leak.added_bits).filter(|bits| bits.is_finite()).fold(0.0, f64::max);
    for leak in &mut leaks {
        if leak.added_bits <= ROUNDING * most {
            leak.added_bits = 0.0;
        }
    }
    leaks.retain(|leak| leak.alone_bits > 0.0 || leak.added_bits > 0.0);
    leaks.sort_by(|one, other| {
        other.added_bits.total_cmp(&one.added_bits).then(other.alone_bits.total_cmp(&one.alone_bits))
    });
    leaks
}

fn exact<S: Scalar>(target: &TargetOutcome<S>) -> Option<[String; 2]> {
    Some([target.posterior_mean.to_exact_string()?, target.posterior_variance.to_exact_string()?])
}
