//! The measures of one secret: of a channel, of values that were seen, of a mixture.

use std::collections::HashMap;

use super::belief::{Belief, Chance, Part};
use super::bounds::Statistic;
use super::channel::Channel;
use super::scattered;
use super::value::{PlainValue, ValueKey};
use privug_engine::elimination::{Accuracy, Clouds};
use privug_engine::evaluate::ChoiceModel;
use privug_engine::number::Scalar;
use privug_measures::channel::{
    Bounds, ChannelMeasures, Gain, Piece, Uncertainty, kl_bounds_bits, total_variation_bounds,
};

/// Mixtures of more parts than this are not integrated over.
const MAX_PARTS: usize = 64;

/// Whether something was seen.
pub(super) fn has_evidence<S: Scalar>(model: &ChoiceModel<S>) -> bool {
    !model.events.is_empty() || model.seen.iter().any(|seen| seen.observed.is_some())
}

/// What was learned, or will be.
pub(super) fn measures<S: Scalar>(
    prior: &Belief,
    posterior: &Belief,
    channel: Option<&Channel>,
    clouds: Option<&Clouds<S>>,
    model: &ChoiceModel<S>,
    gain: Option<&Gain>,
) -> ChannelMeasures {
    let has_evidence = has_evidence(model);
    match (channel, prior, posterior) {
        (Some(channel), Belief::Discrete(_), _) => {
            let sizes: Vec<f64> = channel.secrets.iter().map(PlainValue::size).collect();
            ChannelMeasures::of_channel_in_classes(&channel.prior, &channel.joint, &sizes, has_evidence, gain)
        }
        // Beyond on which side of the thresholds it lies, nothing is told about a Gaussian variable.
        (Some(channel), Belief::Mixture(_), _) if channel.of_sides => {
            ChannelMeasures::of_channel(&channel.prior, &channel.joint, has_evidence, None).of_sides()
        }
        (Some(channel), Belief::Mixture(before), _) => mixture_channel(before, channel),
        (None, _, _) if model.is_open() => clouds.map_or_else(ChannelMeasures::unknown, |clouds| {
            scattered::measures(prior, posterior, clouds, has_evidence, gain)
        }),
        (None, Belief::Discrete(prior), Belief::Discrete(posterior)) => seen_discrete(prior, posterior, gain),
        (None, Belief::Mixture(before), Belief::Mixture(after)) => seen_mixture(before, after),
        (None, Belief::Mixture(_) | Belief::Discrete(_), _) => ChannelMeasures::unknown(),
    }
}

/// Whether all that was learned can be read off the distributions before and after.
pub(super) fn follow_from_distributions(prior: &Belief, posterior: &Belief) -> bool {
    matches!((prior, posterior), (Belief::Discrete(_), Belief::Discrete(_)))
}

/// What was learned about a discrete secret when something was seen.
pub(super) fn of_what_was_seen(prior: &Belief, posterior: &Belief, accuracy: Accuracy) -> ChannelMeasures {
    let mut measures = match (prior, posterior) {
        (Belief::Discrete(before), Belief::Discrete(after)) => seen_discrete(before, after, None),
        (Belief::Mixture(_) | Belief::Discrete(_), _) => ChannelMeasures::unknown(),
    };
    account_for_errors(&mut measures, accuracy, prior, None);
    moments(&mut measures, prior, Some(posterior), accuracy);
    measures
}

fn seen_discrete(prior: &[Chance], posterior: &[Chance], gain: Option<&Gain>) -> ChannelMeasures {
    let (before, after, sizes) = aligned(prior, posterior);
    ChannelMeasures::of_output_in_classes(&before, &after, &sizes, gain)
}

/// Makes bounds of measures where probabilities are certified only: requirements are judged by the worse end.
pub(super) fn account_for_errors(
    measures: &mut ChannelMeasures,
    accuracy: Accuracy,
    prior: &Belief,
    channel: Option<&Channel>,
) {
    let Accuracy::Certified { relative_error, absolute_error } = accuracy else { return };
    let (values, least) = match prior {
        Belief::Discrete(chances) => {
            let probabilities = chances.iter().map(|chance| chance.probability).filter(|p| *p > 0.0);
            (chances.len(), probabilities.fold(1.0, f64::min))
        }
        Belief::Mixture(parts) => {
            (parts.len(), parts.iter().map(|part| part.weight).filter(|weight| *weight > 0.0).fold(1.0, f64::min))
        }
    };
    let cells = values * channel.map_or(1, |channel| channel.outputs.len());
    let outputs = channel.iter().flat_map(|channel| &channel.joint).map(|row| row.iter().sum::<f64>());
    measures.loosen(&Uncertainty {
        error: relative_error + absolute_error * cells as f64,
        values: cells,
        least_prior: least,
        least_output: outputs.filter(|p| *p > 0.0).fold(1.0, f64::min),
    });
}

/// Whether both are about the same few values, each once, in the same order: mostly they are.
fn are_alike(prior: &[Chance], posterior: &[Chance]) -> bool {
    const FEW: usize = 8;
    if prior.len() != posterior.len() || prior.len() > FEW {
        return false;
    }
    let same = |one: &Chance, other: &Chance| one.value.key() == other.value.key();
    let mut values = prior.iter().zip(posterior).enumerate();
    values.all(|(place, (before, after))| same(before, after) && !prior[..place].iter().any(|one| same(one, before)))
}

/// Probabilities before and after over all values that are possible before or after, and how many values each stands for.
fn aligned(prior: &[Chance], posterior: &[Chance]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    // Of a value that is there twice, the first counts.
    fn by_value(chances: &[Chance]) -> HashMap<ValueKey, f64> {
        chances.iter().rev().map(|chance| (chance.value.key(), chance.probability)).collect()
    }
    let probabilities = |chances: &[Chance]| chances.iter().map(|chance| chance.probability).collect();
    if are_alike(prior, posterior) {
        return (
            probabilities(prior),
            probabilities(posterior),
            prior.iter().map(|chance| chance.value.size()).collect(),
        );
    }
    let (before, after) = (by_value(prior), by_value(posterior));
    let only_after = posterior.iter().filter(|chance| !before.contains_key(&chance.value.key()));
    let values: Vec<&PlainValue> = prior.iter().chain(only_after).map(|chance| &chance.value).collect();
    let over = |chances: &HashMap<ValueKey, f64>| {
        values.iter().map(|value| chances.get(&value.key()).copied().unwrap_or(0.0)).collect()
    };
    (over(&before), over(&after), values.iter().map(|value| value.size()).collect())
}

/// Means and deviations, where the secret is a number.
pub(super) fn moments(measures: &mut ChannelMeasures, prior: &Belief, posterior: Option<&Belief>, accuracy: Accuracy) {
    let mut push = |names: [&'static str; 3], belief: &Belief| {
        for (name, statistic) in names.into_iter().zip([Statistic::Mean, Statistic::StdDev, Statistic::Variance]) {
            if let Some((value, method)) = belief.statistic(statistic, accuracy) {
                measures.push_known(name, value, method);
            }
        }
    };
    push(["prior_mean", "prior_std", "prior_variance"], prior);
    if let Some(posterior) = posterior {
        push(["posterior_mean", "posterior_std", "posterior_variance"], posterior);
    }
}

pub(super) fn pieces(parts: &[Part]) -> Vec<Piece> {
    parts.iter().filter(|part| part.weight > 0.0).map(Part::piece).collect()
}

/// Whether a belief that was open is a single number.
fn is_settled(after: &[Piece], before: &[Piece]) -> bool {
    let is_number = |pieces: &[Piece]| {
        pieces.iter().all(|piece| piece.variance == 0.0) && pieces.windows(2).all(|pair| pair[0].mean == pair[1].mean)
    };
    is_number(after) && !is_number(before)
}

/// A mixture, after something was seen.
fn seen_mixture(before: &[Part], after: &[Part]) -> ChannelMeasures {
    let (before, after) = (pieces(before), pieces(after));
    let mut measures = ChannelMeasures::unknown();
    if before.len().max(after.len()) <= MAX_PARTS {
        let divergence = divergence(&after, &before);
        let variation = total_variation_bounds(&after, &before);
        for name in ["mutual_information_bits", "max_kl_bits", "kl_posterior_prior_bits"] {
            measures.push_certified(name, divergence.low, divergence.high);
        }
        measures.push_certified("total_variation", variation.low, variation.high);
    }
    measures.push("fully_disclosed", f64::from(u8::from(is_settled(&after, &before))));
    measures
}

/// The divergence; in closed form where a normal distribution was cut into pieces of itself.
fn divergence(after: &[Piece], before: &[Piece]) -> Bounds {
    if let [whole] = before
        && whole.variance > 0.0
        && after.iter().all(|piece| piece.mean == whole.mean && piece.variance == whole.variance)
        && let Some(normal) = privug_engine::gaussian::Normal::new(whole.mean, whole.variance)
    {
        let nats = |piece: &Piece| piece.weight.ln() - normal.log_probability_between(piece.low, piece.high);
        let term = |piece: &Piece| piece.weight * nats(piece) / std::f64::consts::LN_2;
        let disjoint = after
            .iter()
            .all(|one| after.iter().all(|other| one == other || one.high <= other.low || other.high <= one.low));
        if disjoint {
            let sum = after.iter().map(term).sum::<f64>().max(0.0);
            return Bounds { low: sum, high: sum };
        }
    }
    kl_bounds_bits(after, before)
}

/// A mixture, before discrete outputs are published: the mean divergence over them.
fn mixture_channel(before: &[Part], channel: &Channel) -> ChannelMeasures {
    let mut measures = ChannelMeasures::unknown();
    let before = pieces(before);
    let Some(known) = channel.pieces.as_ref().filter(|pieces| pieces.len() <= MAX_PARTS) else { return measures };
    if before.len() > MAX_PARTS || channel.joint.len() > MAX_PARTS {
        return measures;
    }
    let (mut mean, mut most) = (Bounds { low: 0.0, high: 0.0 }, Bounds { low: 0.0, high: 0.0 });
    let mut variation = Bounds { low: 0.0, high: 0.0 };
    let mut settled = false;
    for (place, row) in channel.joint.iter().enumerate() {
        let weight: f64 = row.iter().sum();
        if weight == 0.0 {
            continue;
        }
        let parts = known.iter().zip(row).filter(|(_, p)| **p > 0.0);
        let after: Vec<Piece> = parts.map(|(piece, p)| Piece { weight: p / weight, ..*piece }).collect();
        let told = kl_bounds_bits(&after, &before);
        let moved = total_variation_bounds(&after, &before);
        mean = Bounds { low: mean.low + weight * told.low, high: mean.high + weight * told.high };
        variation = Bounds { low: variation.low + weight * moved.low, high: variation.high + weight * moved.high };
        if told.high > most.high {
            measures.most_moving_output = Some(place);
        }
        most = Bounds { low: most.low.max(told.low), high: most.high.max(told.high) };
        settled |= is_settled(&after, &before);
    }
    measures.push_certified("mutual_information_bits", mean.low, mean.high);
    measures.push_certified("max_kl_bits", most.low, most.high);
    measures.push_certified("total_variation", variation.low, variation.high);
    measures.push("fully_disclosed", f64::from(u8::from(settled)));
    measures
}
