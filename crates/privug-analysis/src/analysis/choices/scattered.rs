//! Measures of outputs that are Gaussian in some worlds and have no value yet.

use super::belief::Belief;
use super::measure::pieces;
use super::value::PlainValue;
use privug_engine::elimination::{Cloud, Clouds};
use privug_engine::evaluate::Answer;
use privug_engine::number::Scalar;
use privug_measures::channel::{
    ChannelMeasures, DenseOutput, Gain, Method, Piece, SpreadOutput, SpreadWorld, is_same, kl_bounds_bits,
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

/// A secret that is a mixture, of which so many bits are known already.
fn about_mixture<S: Scalar>(clouds: &Clouds<S>, known: (f64, f64), before: &[Piece]) -> ChannelMeasures {
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
    let mut measures = ChannelMeasures::unknown();
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
    let output = |worlds: &Vec<&Cloud<S>>| worlds.iter().map(world).collect::<Option<Vec<SpreadWorld>>>();
    let outputs: Option<Vec<Vec<SpreadWorld>>> = by_output(clouds).iter().map(output).collect();
    let Some(outputs) = outputs else { return measures };
    let is_open = before.iter().any(|piece| piece.variance > 0.0 || piece.mean != before[0].mean);
    // One world is left, and nothing of the secret's variance in it.
    let is_settled = |worlds: &Vec<SpreadWorld>| {
        worlds.iter().all(|world| world.left == 0.0)
            && worlds
                .iter()
                .all(|world| world.secret == worlds[0].secret && (world.secret.1 == 0.0 || worlds.len() == 1))
    };
    let settled = is_open && outputs.iter().any(is_settled);
    let outputs: Vec<SpreadOutput> = outputs.into_iter().map(|worlds| SpreadOutput { worlds }).collect();
    let told = spread_information_bits(&outputs);
    measures.push_certified("mutual_information_bits", known.0 + told.low, known.1 + told.high);
    measures.push("fully_disclosed", f64::from(u8::from(settled)));
    measures
}
