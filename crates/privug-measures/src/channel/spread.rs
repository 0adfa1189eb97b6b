//! What outputs tell about a secret that is a mixture, before they have values: mutual information between proven bounds.
//! `docs/proofs/information.md` has the proof.

use super::plane::{Spot, spread_nats};
use super::{Bounds, Piece, kl_bounds_bits};

/// With more normal distributions than this, the plane is not cut into cells.
const MAX_SPOTS: usize = 40;

/// What is published: something with a density, several such things, or one value.
#[derive(Debug, Clone, PartialEq)]
pub struct SpreadOutput {
    /// The worlds in which it is published.
    pub worlds: Vec<SpreadWorld>,
}

/// One normal distribution of the secret and the outputs, or of what is left of them where they are numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct SpreadWorld {
    /// How likely it is this one.
    pub weight: f64,
    /// Mean and variance of the secret; the variance of a number is 0.
    pub secret: (f64, f64),
    /// Mean and variance of each output that has a density, and its covariance with the secret.
    pub outputs: Vec<(f64, f64, f64)>,
    /// The variance of the secret once all outputs are seen.
    pub left: f64,
}

impl SpreadWorld {
    fn is_number(&self) -> bool {
        self.secret.1 == 0.0
    }

    /// What all outputs tell in this world: ½ log₂ of the variance over what is left of it.
    fn told_bits(&self) -> f64 {
        if self.is_number() { 0.0 } else { 0.5 * (self.secret.1 / self.left).log2() }
    }

    fn spot(&self, output: usize) -> Spot {
        let (y_mean, y_variance, covariance) = self.outputs[output];
        let (x_mean, x_variance) = self.secret;
        let alone = x_variance - covariance * covariance / y_variance;
        let x_left = if self.outputs.len() == 1 { self.left } else { alone.max(self.left) };
        Spot { weight: self.weight, x_mean, x_variance, y_mean, y_variance, covariance, x_left }
    }
}

fn piece(weight: f64, (mean, variance): (f64, f64)) -> Piece {
    Piece { weight, mean, variance, low: f64::NEG_INFINITY, high: f64::INFINITY }
}

/// Pieces that are the same, together: they may differ by the rounding of what they come from.
fn gathered(pieces: impl Iterator<Item = Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces.filter(|piece| piece.weight > 0.0) {
        match all.iter_mut().find(|known| is_same((known.mean, known.variance), (piece.mean, piece.variance))) {
            Some(known) => known.weight += piece.weight,
            None => all.push(piece),
        }
    }
    all
}

/// Whether two normal distributions differ by rounding only.
pub fn is_same((mean, variance): (f64, f64), (other_mean, other_variance): (f64, f64)) -> bool {
    const DIGITS: f64 = 1e-13;
    if variance == 0.0 || other_variance == 0.0 {
        return variance == other_variance && mean == other_mean;
    }
    (variance - other_variance).abs() <= DIGITS * variance && (mean - other_mean).abs() <= DIGITS * variance.sqrt()
}

/// Bounds of the information that outputs give about the secret.
///
/// A class of outputs that are values tells the divergence of what is left possible; one with a density the integral over the
/// plane. Whoever is told in which world they are knows more, and that has a closed form up to integrals over the line.
pub fn spread_information_bits(outputs: &[SpreadOutput]) -> Bounds {
    let worlds = outputs.iter().flat_map(|output| &output.worlds);
    let secret = gathered(worlds.map(|world| piece(world.weight, world.secret)));
    let (mut low, mut high) = (0.0, 0.0);
    for output in outputs {
        let told = of_output(output, &secret);
        low += told.low;
        high += told.high;
    }
    Bounds { low: low.max(0.0), high: high.max(0.0) }
}

/// What one class of outputs adds, in bits.
fn of_output(output: &SpreadOutput, secret: &[Piece]) -> Bounds {
    let mass: f64 = output.worlds.iter().map(|world| world.weight).sum();
    if mass == 0.0 {
        return Bounds { low: 0.0, high: 0.0 };
    }
    let inside = gathered(output.worlds.iter().map(|world| piece(world.weight / mass, world.secret)));
    // What being in this class tells.
    let label = kl_bounds_bits(&inside, secret);
    let dimensions = output.worlds.first().map_or(0, |world| world.outputs.len());
    if dimensions == 0 {
        return Bounds { low: mass * label.low, high: mass * label.high };
    }
    if output.worlds.iter().any(|world| !world.is_number() && world.left == 0.0) {
        return Bounds { low: f64::INFINITY, high: f64::INFINITY };
    }
    let most = whoever_knows_the_world(output, secret, mass);
    let alone = (0..dimensions).map(|place| with_density(output, secret, mass, place));
    let found = alone.fold(Bounds { low: f64::NEG_INFINITY, high: most }, |best, next| Bounds {
        low: best.low.max(next.low),
        // Of several outputs, one alone says nothing about how much all of them tell at most.
        high: if dimensions == 1 { best.high.min(next.high) } else { best.high },
    });
    let low = found.low.max(mass * label.low);
    Bounds { low: low.min(found.high), high: found.high }
}

/// Σ w (D(secret in the world ‖ secret) + what outputs tell in the world).
fn whoever_knows_the_world(output: &SpreadOutput, secret: &[Piece], mass: f64) -> f64 {
    if secret.len() > MAX_SPOTS {
        // As many bits as it takes to say which world it is.
        let bits = |world: &SpreadWorld| world.weight * (world.told_bits() - (world.weight / mass).log2());
        return output.worlds.iter().map(bits).sum::<f64>() - mass * mass.log2();
    }
    let mut known: Vec<((f64, f64), f64)> = Vec::new();
    let mut sum = 0.0;
    for world in output.worlds.iter().filter(|world| world.weight > 0.0) {
        let divergence = match known.iter().find(|(secret, _)| *secret == world.secret) {
            Some((_, divergence)) => *divergence,
            None => {
                let divergence = kl_bounds_bits(&[piece(1.0, world.secret)], secret).high;
                known.push((world.secret, divergence));
                divergence
            }
        };
        sum += world.weight * (divergence + world.told_bits());
    }
    sum * (1.0 + 1e-12)
}

/// What one output with a density tells, with which class it is, in bits.
fn with_density(output: &SpreadOutput, secret: &[Piece], mass: f64, place: usize) -> Bounds {
    let nothing = Bounds { low: 0.0, high: f64::INFINITY };
    let worlds = || output.worlds.iter().filter(|world| world.weight > 0.0);
    let published = gathered(worlds().map(|world| {
        let (mean, variance, _) = world.outputs[place];
        piece(world.weight, (mean, variance))
    }));
    let mut spots: Vec<Spot> = Vec::new();
    for spot in worlds().filter(|world| !world.is_number()).map(|world| world.spot(place)) {
        let same = |known: &&mut Spot| {
            is_same((known.x_mean, known.x_variance), (spot.x_mean, spot.x_variance))
                && is_same((known.y_mean, known.y_variance), (spot.y_mean, spot.y_variance))
                && (known.covariance - spot.covariance).abs() <= 1e-13 * (spot.x_variance * spot.y_variance).sqrt()
                && (known.x_left - spot.x_left).abs() <= 1e-13 * spot.x_left
        };
        match spots.iter_mut().find(same) {
            Some(known) => known.weight += spot.weight,
            None => spots.push(spot),
        }
    }
    if spots.len().max(published.len()).max(secret.len()) > MAX_SPOTS || spots.iter().any(|spot| spot.x_left <= 0.0) {
        return nothing;
    }
    let spread: Vec<Piece> = secret.iter().filter(|piece| piece.variance > 0.0).copied().collect();
    let mut sum =
        if spots.is_empty() { Bounds { low: 0.0, high: 0.0 } } else { spread_nats(&spots, &spread, &published) };
    sum = Bounds { low: sum.low / std::f64::consts::LN_2, high: sum.high / std::f64::consts::LN_2 };
    // Where the secret is a number: how likely it is here, and how the output is distributed then.
    let whole: Vec<Piece> = published.iter().map(|piece| Piece { weight: piece.weight / mass, ..*piece }).collect();
    for number in secret.iter().filter(|piece| piece.variance == 0.0) {
        let here = || worlds().filter(|world| world.is_number() && world.secret.0 == number.mean);
        let weight: f64 = here().map(|world| world.weight).sum();
        if weight == 0.0 {
            continue;
        }
        let parts = gathered(here().map(|world| {
            let (mean, variance, _) = world.outputs[place];
            piece(world.weight / weight, (mean, variance))
        }));
        let told = kl_bounds_bits(&parts, &whole);
        let label = (weight / (number.weight * mass)).log2();
        let slack = 1e-14 * (1.0 + label.abs());
        sum.low += weight * (label - slack + told.low);
        sum.high += weight * (label + slack + told.high);
    }
    sum
}
