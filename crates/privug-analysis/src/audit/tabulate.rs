//! Everything that is known about each figure, put together.

use std::collections::BTreeMap;

use super::contributions::Contributions;
use super::defence::Protection;
use super::explain::{Explanation, Followed, Seen};
use super::figures::{concentration, judge};
use super::observe::{added_variance, published};
use super::policy::{Policy, Rule, Verdict};
use super::release::Release;
use super::result::{Figure, FigureStatus};
use privug_engine::number::Scalar;
use privug_engine::posterior::Prediction;

/// One entry for each figure of a release.
pub(super) fn tabulate<S: Scalar>(
    release: &Release<S>,
    seen: &Seen<'_, S>,
    contributions: Vec<Contributions>,
    protection: &Protection,
    explanation: &Explanation,
    policy: &Policy,
) -> Vec<Figure> {
    let mut place_of = vec![None; release.outputs.len()];
    for (place, figure) in seen.published.iter().enumerate() {
        place_of[*figure] = Some(place);
    }
    let mut discloses = vec![0; release.outputs.len()];
    for combination in &explanation.combinations {
        combination.figures.iter().for_each(|figure| discloses[*figure] += combination.people.len());
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
                let broken = judge(&contributions, noise_std, policy);
                (status, published, z_score(seen_value, prediction), broken)
            }
            None => {
                let broken = if from.is_empty() { Vec::new() } else { recovered(&contributions, policy) };
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
    figures.collect()
}

/// A suppressed figure that can be computed is as good as published, without the defence's noise.
fn recovered(contributions: &Contributions, policy: &Policy) -> Vec<(Rule, Verdict)> {
    if policy.recoverable == Verdict::Pass {
        return Vec::new();
    }
    let mut broken = judge(contributions, contributions.noise_variance.sqrt(), policy);
    broken.push((Rule::Recoverable, policy.recoverable));
    broken
}

/// (value − predicted mean) / predicted standard deviation; 0 for what is known beforehand.
fn z_score<S: Scalar>(value: &S, prediction: &Prediction<S>) -> f64 {
    let std_dev = prediction.variance.to_f64().sqrt();
    if std_dev == 0.0 { 0.0 } else { value.sub(&prediction.mean).to_f64() / std_dev }
}
