//! Everything that is known about each figure, put together.

use std::collections::BTreeMap;

use super::contributions::Contributions;
use super::counts;
use super::defence::Protection;
use super::explain::{Explanation, Followed, Seen};
use super::figures::{Concentration, concentration, judge};
use super::observe::{added_variance, published};
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};
use super::release::Release;
use super::result::{Figure, FigureStatus};
use privug_engine::number::Scalar;
use privug_engine::posterior::Prediction;
use privug_language::source::Span;

/// What is known about the people of a release.
pub(super) struct Behind<'a> {
    pub(super) persons: &'a Persons,
    /// The spread of the secret columns, where there is one.
    pub(super) scale: f64,
}

/// One entry for each figure of a release, then for each count, then for everything else.
pub(super) fn tabulate<S: Scalar>(
    release: &Release<S>,
    seen: &Seen<'_, S>,
    contributions: Vec<Contributions>,
    protection: &Protection,
    explanation: &Explanation,
    people: &Behind<'_>,
    policy: &Policy,
) -> Vec<Figure> {
    let mut place_of = vec![None; release.outputs.len()];
    for (place, figure) in seen.published.iter().enumerate() {
        place_of[*figure] = Some(place);
    }
    let mut discloses = vec![0; release.outputs.len()];
    for combination in &explanation.combinations {
        let mut whom: Vec<usize> = combination.people.iter().map(|entry| people.persons.of_entry(*entry)).collect();
        whom.sort_unstable();
        whom.dedup();
        combination.figures.iter().for_each(|figure| discloses[*figure] += whom.len());
    }
    let followed: BTreeMap<usize, &Followed> = explanation.followed.iter().map(|one| (one.figure, one)).collect();
    let figures = contributions.into_iter().enumerate().map(|(index, contributions)| {
        let output = &release.outputs[index];
        let added = if protection.suppressed[index] { 0.0 } else { added_variance::<S>(protection, index).to_f64() };
        let noise_std = (added + contributions.noise_variance).sqrt();
        let followed = followed.get(&index);
        let from = followed.map_or_else(Vec::new, |followed| followed.from.clone());
        let value = output.value.to_f64();
        let (status, published, z, broken) = match place_of[index] {
            Some(place) => {
                let seen_value = seen.observations[place].value.as_ref().unwrap_or(&output.value);
                let published = published(&output.value, protection.rounded_to[index]);
                let prediction = &seen.predictions[place];
                let status = match prediction.redundant {
                    false => FigureStatus::Used,
                    true => FigureStatus::Redundant { implied_by: from },
                };
                let broken = judge(&contributions, noise_std, people.scale, policy);
                (status, published, z_score(seen_value, prediction), broken)
            }
            None => {
                let broken = if from.is_empty() { Vec::new() } else { recovered(&contributions, people.scale, policy) };
                let posterior_std = followed.map_or(f64::NAN, |followed| followed.posterior_std);
                (FigureStatus::Suppressed { recovered_from: from, posterior_std }, value, 0.0, broken)
            }
        };
        Figure {
            name: output.name.clone(),
            line: release.sources.location(output.span).line,
            value,
            published,
            noise_std,
            status,
            concentration: concentration(&contributions, noise_std, policy),
            contributions,
            z,
            discloses: discloses[index],
            verdict: broken.iter().map(|(_, verdict)| *verdict).max().unwrap_or_default(),
            broken,
        }
    });
    let mut figures: Vec<Figure> = figures.collect();
    figures.extend(public_figures(release, protection, people.persons, policy));
    figures
}

/// One entry for each count, then for everything else that does not depend on a secret.
pub(super) fn public_figures<S: Scalar>(
    release: &Release<S>,
    protection: &Protection,
    persons: &Persons,
    policy: &Policy,
) -> Vec<Figure> {
    let is_suppressed = |index: usize| protection.suppressed.get(index).copied().unwrap_or(false);
    let counts = release.counts.iter().map(|count| {
        let behind = persons.behind(count.rows.as_deref());
        let verdict = counts::judge(behind, policy);
        Figure {
            contributions: Contributions { contributors: behind, ..Contributions::default() },
            broken: if verdict == Verdict::Pass { Vec::new() } else { vec![(Rule::MinimumFrequency, verdict)] },
            verdict,
            ..other(release, &count.name, count.span, count.count as f64, FigureStatus::Count)
        }
    });
    let unexamined = release.unexamined.iter().map(|one| {
        let status = FigureStatus::Unexamined { kind: one.kind.clone() };
        let verdict = policy.unexamined;
        Figure {
            broken: if verdict == Verdict::Pass { Vec::new() } else { vec![(Rule::Unexamined, verdict)] },
            verdict,
            ..other(release, &one.name, one.span, one.value.unwrap_or(f64::NAN), status)
        }
    });
    let suppressed = |(index, figure): (usize, Figure)| match is_suppressed(index) {
        false => figure,
        true => Figure {
            status: FigureStatus::Suppressed { recovered_from: Vec::new(), posterior_std: f64::NAN },
            broken: Vec::new(),
            verdict: Verdict::Pass,
            ..figure
        },
    };
    let first = release.outputs.len();
    counts.chain(unexamined).enumerate().map(|(index, figure)| suppressed((first + index, figure))).collect()
}

/// A figure that does not depend on a secret.
fn other<S>(release: &Release<S>, name: &str, span: Span, value: f64, status: FigureStatus) -> Figure {
    Figure {
        name: name.to_owned(),
        line: release.sources.location(span).line,
        value,
        published: value,
        noise_std: 0.0,
        status,
        contributions: Contributions::default(),
        concentration: Concentration { dominance_percent: None, estimate_percent: None },
        z: 0.0,
        discloses: 0,
        broken: Vec::new(),
        verdict: Verdict::Pass,
    }
}

/// A suppressed figure that can be computed is as good as published, without the defence's noise.
fn recovered(contributions: &Contributions, scale: f64, policy: &Policy) -> Vec<(Rule, Verdict)> {
    if policy.recoverable == Verdict::Pass {
        return Vec::new();
    }
    let mut broken = judge(contributions, contributions.noise_variance.sqrt(), scale, policy);
    broken.push((Rule::Recoverable, policy.recoverable));
    broken
}

/// (value − predicted mean) / predicted standard deviation; 0 for what is known beforehand.
fn z_score<S: Scalar>(value: &S, prediction: &Prediction<S>) -> f64 {
    let std_dev = prediction.variance.to_f64().sqrt();
    if std_dev == 0.0 { 0.0 } else { value.sub(&prediction.mean).to_f64() / std_dev }
}
