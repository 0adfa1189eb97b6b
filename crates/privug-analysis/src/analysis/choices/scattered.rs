//! Measures of outputs that are Gaussian in some worlds and have no value yet.

use std::ops::Range;

use super::belief::Belief;
use super::channel::ChannelOutput;
use super::measure::pieces;
use super::value::PlainValue;
use privug_engine::elimination::{Cloud, Clouds};
use privug_engine::evaluate::Answer;
use privug_engine::number::Scalar;
use privug_measures::channel::{
    Bounds, ChannelMeasures, DenseOutput, Gain, Method, Piece, SpreadOutput, SpreadWorld, is_same, kl_bounds_bits,
    spread_information_bits,
};

/// What will be learned on average over the values of the outputs.
pub(super) fn measures<S: Scalar>(
    prior: &Belief,
    posterior: &Belief,
    clouds: &Clouds<S>,
    has_evidence: bool,
    gain: Option<&Gain>,
) -> ChannelMeasures {
    match (prior, posterior) {
        (Belief::Mixture(before), Belief::Mixture(after)) if !clouds.of_sides => {
            let known = has_evidence.then(|| kl_bounds_bits(&pieces(after), &pieces(before)));
            about_mixture(clouds, known.map_or((0.0, 0.0), |known| (known.low, known.high)), &pieces(before))
        }
        (_, _) => {
            let found = about_values(clouds, has_evidence, gain);
            if clouds.of_sides { found.of_sides() } else { found }
        }
    }
}

/// With more outputs than this, what each of them tells is not looked for: it takes an integral for each.
const MAX_OUTPUTS: usize = 6;

/// What each output tells by itself, and beyond the earlier ones; empty if there are too many of them. All of them together
/// may be known already.
pub(super) fn told_by_output<S: Scalar>(
    prior: &Belief,
    clouds: &Clouds<S>,
    all: Option<(f64, Method)>,
) -> Vec<ChannelOutput> {
    let count = clouds.names.len();
    if count > MAX_OUTPUTS {
        return Vec::new();
    }
    let all = match all {
        Some((_, Method::Certified { low, high })) => Bounds { low, high },
        Some((value, Method::Exact)) => Bounds { low: value, high: value },
        None => told(prior, clouds, 0..count),
    };
    let has_several = |columns: usize| {
        let densities =
            |output: &Vec<Option<Answer<S>>>| output[..columns].iter().filter(|value| value.is_none()).count();
        clouds.outputs.iter().any(|output| densities(output) > 1)
    };
    let mut so_far = Bounds { low: 0.0, high: 0.0 };
    let mut leaks = Vec::new();
    for (place, name) in clouds.names.iter().enumerate() {
        let alone = if count == 1 { all } else { told(prior, clouds, place..place + 1) };
        let together = match place {
            _ if place + 1 == count => all,
            0 => alone,
            // Some tell at most what all do.
            _ if has_several(place + 1) => all,
            _ => told(prior, clouds, 0..place + 1),
        };
        let is_some = place + 1 < count && place > 0 && has_several(place + 1);
        // They tell at least what one of them does, and what the earlier ones do.
        let low = if is_some { 0.0 } else { together.low }.max(alone.low).max(so_far.low);
        let together = Bounds { low, high: together.high.max(low) };
        leaks.push(ChannelOutput::of(name, alone, together, so_far));
        so_far = together;
    }
    leaks
}

/// What some outputs tell beyond what was seen.
fn told<S: Scalar>(prior: &Belief, clouds: &Clouds<S>, columns: Range<usize>) -> Bounds {
    let (some, may_be_all) = restricted(clouds, columns);
    if matches!(prior, Belief::Mixture(_)) && !clouds.of_sides {
        let unknown = Bounds { low: 0.0, high: f64::INFINITY };
        let told = spread(&some).map_or(unknown, |outputs| spread_information_bits(&outputs));
        return if may_be_all { Bounds { high: f64::INFINITY, ..told } } else { told };
    }
    // What was known before they are published is what was seen already.
    let mut known = vec![S::zero(); some.secrets.len()];
    for world in &some.worlds {
        known[world.secret] = known[world.secret].add(&world.weight);
    }
    let measures = about_values(&Clouds { prior: known, ..some }, false, None);
    match measures.get("mutual_information_bits") {
        Some((_, Method::Certified { low, high })) => Bounds { low, high },
        Some((value, Method::Exact)) => Bounds { low: value, high: value },
        None => Bounds { low: 0.0, high: f64::INFINITY },
    }
}

/// The same with some outputs only, and whether these may tell all of the secret, which rounding hides.
fn restricted<S: Scalar>(clouds: &Clouds<S>, columns: Range<usize>) -> (Clouds<S>, bool) {
    let mut may_be_all = false;
    let mut worlds = Vec::with_capacity(clouds.worlds.len());
    for cloud in &clouds.worlds {
        let outputs = &clouds.outputs[cloud.output];
        let before = outputs[..columns.start].iter().filter(|value| value.is_none()).count();
        let count = outputs[columns.clone()].iter().filter(|value| value.is_none()).count();
        let seen = cloud.seen[before..before + count].to_vec();
        let left = match (&cloud.centre, &seen[..]) {
            (None, _) => cloud.left.clone(),
            (Some((_, variance)), []) => variance.clone(),
            _ if count == cloud.seen.len() => cloud.left.clone(),
            (Some((_, variance)), seen) => {
                // One leaves σ² − cov² / τ²; several at least what all of them leave.
                let of_one = |(_, published, shared): &(S, S, S)| variance.sub(&shared.mul(shared).div(published));
                let left = if let [one] = seen { of_one(one) } else { cloud.left.clone() };
                let left = if left.to_f64() < cloud.left.to_f64() { cloud.left.clone() } else { left };
                let rounding = variance.mul(&S::from_f64(1e-12).unwrap_or_else(S::zero));
                let is_doubtful = left.to_f64() < rounding.to_f64();
                may_be_all |= is_doubtful;
                if is_doubtful { rounding } else { left }
            }
        };
        worlds.push(Cloud { seen, left, ..cloud.clone() });
    }
    let some = Clouds {
        outputs: clouds.outputs.iter().map(|output| output[columns.clone()].to_vec()).collect(),
        names: clouds.names[columns].to_vec(),
        worlds,
        ..clouds.clone()
    };
    (some, may_be_all)
}

/// The outputs of one kind: the same of them have a density, and the others the same values.
fn by_output<S: Scalar>(clouds: &Clouds<S>) -> Vec<Vec<&Cloud<S>>> {
    // Values that are written apart may be equal.
    let key = |output: &Vec<Option<Answer<S>>>| -> Vec<_> {
        output.iter().map(|value| value.as_ref().map(|value| PlainValue::of(value).key())).collect()
    };
    let keys: Vec<_> = clouds.outputs.iter().map(key).collect();
    let firsts: Vec<usize> =
        keys.iter().map(|key| keys.iter().position(|other| other == key).unwrap_or_default()).collect();
    let mut outputs: Vec<Vec<&Cloud<S>>> = vec![Vec::new(); keys.len()];
    for world in &clouds.worlds {
        outputs[firsts[world.output]].push(world);
    }
    outputs.retain(|worlds| !worlds.is_empty());
    outputs
}

/// A secret with values. Several outputs with a density tell at least what the best of them tells, and at most everything.
fn about_values<S: Scalar>(clouds: &Clouds<S>, has_evidence: bool, gain: Option<&Gain>) -> ChannelMeasures {
    let mut secrets: Vec<PlainValue> = Vec::new();
    let places: Vec<usize> = clouds
        .secrets
        .iter()
        .map(|secret| {
            let value = PlainValue::of(secret);
            secrets.iter().position(|known| known.key() == value.key()).unwrap_or_else(|| {
                secrets.push(value);
                secrets.len() - 1
            })
        })
        .collect();
    let mut prior = vec![0.0; secrets.len()];
    for (place, p) in places.iter().zip(&clouds.prior) {
        prior[*place] += p.to_f64();
    }
    let sizes: Vec<f64> = secrets.iter().map(PlainValue::size).collect();
    let outputs = by_output(clouds);
    let dimensions = outputs.iter().map(|worlds| worlds[0].seen.len()).max().unwrap_or(0);
    let seen_alone = |coordinate: usize| -> ChannelMeasures {
        let dense: Vec<DenseOutput> =
            outputs.iter().map(|worlds| dense(worlds, &places, secrets.len(), coordinate)).collect();
        ChannelMeasures::of_densities(&prior, &dense, &sizes, has_evidence, gain)
    };
    if dimensions <= 1 {
        return seen_alone(0);
    }
    let alone: Vec<ChannelMeasures> = (0..dimensions).map(seen_alone).collect();
    let least = |name: &str| {
        let lows = alone.iter().filter_map(|measures| measures.get(name)).map(|(value, method)| match method {
            Method::Certified { low, .. } => low,
            Method::Exact => value,
        });
        lows.fold(0.0, f64::max)
    };
    let mut all = ChannelMeasures::unknown();
    let whole = least("prior_entropy_bits");
    let told = least("mutual_information_bits");
    if !has_evidence {
        all.push_certified("mutual_information_bits", told, whole.max(told));
        all.push("prior_entropy_bits", whole);
        all.push_certified("posterior_entropy_bits", 0.0, (whole - told).max(0.0));
    }
    all.push("bayes_vulnerability_prior", least("bayes_vulnerability_prior"));
    all.push_certified("bayes_vulnerability_posterior", least("bayes_vulnerability_posterior"), 1.0);
    all.push_certified("max_posterior", least("max_posterior"), 1.0);
    all.push("fully_disclosed", least("fully_disclosed"));
    all
}

fn dense<S: Scalar>(worlds: &[&Cloud<S>], places: &[usize], secrets: usize, coordinate: usize) -> DenseOutput {
    if worlds[0].seen.len() <= coordinate {
        let mut weights = vec![vec![0.0]; secrets];
        for world in worlds {
            weights[places[world.secret]][0] += world.weight.to_f64();
        }
        return DenseOutput { normals: Vec::new(), weights };
    }
    let mut normals: Vec<Piece> = Vec::new();
    let mut weights = vec![Vec::new(); secrets];
    for world in worlds {
        let (mean, variance, _) = &world.seen[coordinate];
        let (mean, variance) = (mean.to_f64(), variance.to_f64());
        let place = normals.iter().position(|known| is_same((known.mean, known.variance), (mean, variance)));
        let place = place.unwrap_or_else(|| {
            normals.push(Piece { weight: 1.0, mean, variance, low: f64::NEG_INFINITY, high: f64::INFINITY });
            weights.iter_mut().for_each(|row: &mut Vec<f64>| row.push(0.0));
            normals.len() - 1
        });
        weights[places[world.secret]][place] += world.weight.to_f64();
    }
    DenseOutput { normals, weights }
}

/// The worlds of a secret that is a mixture, by output; `None` if it is something else in some of them.
fn spread<S: Scalar>(clouds: &Clouds<S>) -> Option<Vec<SpreadOutput>> {
    let number = |secret: &Answer<S>| match secret {
        Answer::Integer(value) => Some(*value as f64),
        Answer::Bool(value) => Some(f64::from(u8::from(*value))),
        Answer::Number(value) => Some(value.to_f64()),
        Answer::Gaussian(_)
        | Answer::Range(..)
        | Answer::Other(_)
        | Answer::Text(_)
        | Answer::List(_)
        | Answer::Opaque(_) => None,
    };
    let world = |cloud: &&Cloud<S>| -> Option<SpreadWorld> {
        let secret = match &cloud.centre {
            Some((mean, variance)) => (mean.to_f64(), variance.to_f64()),
            None => (number(&clouds.secrets[cloud.secret])?, 0.0),
        };
        let outputs =
            cloud.seen.iter().map(|(mean, variance, shared)| (mean.to_f64(), variance.to_f64(), shared.to_f64()));
        Some(SpreadWorld {
            weight: cloud.weight.to_f64(),
            secret,
            outputs: outputs.collect(),
            left: cloud.left.to_f64(),
        })
    };
    let output = |worlds: &Vec<&Cloud<S>>| {
        let worlds = worlds.iter().map(world).collect::<Option<Vec<SpreadWorld>>>();
        worlds.map(|worlds| SpreadOutput { worlds })
    };
    by_output(clouds).iter().map(output).collect()
}

/// A secret that is a mixture, of which so many bits are known already.
fn about_mixture<S: Scalar>(clouds: &Clouds<S>, known: (f64, f64), before: &[Piece]) -> ChannelMeasures {
    let mut measures = ChannelMeasures::unknown();
    let Some(outputs) = spread(clouds) else { return measures };
    let is_open = before.iter().any(|piece| piece.variance > 0.0 || piece.mean != before[0].mean);
    // One world is left, and nothing of the secret's variance in it.
    let is_settled = |worlds: &Vec<SpreadWorld>| {
        worlds.iter().all(|world| world.left == 0.0)
            && worlds
                .iter()
                .all(|world| world.secret == worlds[0].secret && (world.secret.1 == 0.0 || worlds.len() == 1))
    };
    let settled = is_open && outputs.iter().any(|output| is_settled(&output.worlds));
    let told = spread_information_bits(&outputs);
    measures.push_certified("mutual_information_bits", known.0 + told.low, known.1 + told.high);
    measures.push("fully_disclosed", f64::from(u8::from(settled)));
    measures
}
