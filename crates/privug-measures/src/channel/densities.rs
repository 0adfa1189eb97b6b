//! What outputs with a density tell about a discrete secret: the measures of a channel, between proven bounds.
//! `docs/proofs/mixtures.md` has the proofs.

use super::cells::{Part, ends_of, refine};
use super::mixture::{Cell, Mixture};
use super::{Bounds, ChannelMeasures, Gain, Piece, capacity, kl_bits, kl_bounds_bits, total_variation_bounds};

/// With more normal distributions, secrets or guesses than this, only what is told by the distribution itself bounds what its
/// value tells.
const MAX_NORMALS: usize = 64;
/// Pairs of secrets, or of guesses, are compared if there are at most so many.
const MAX_COMPARED: usize = 16;

/// What is published: something with a density, or one value.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseOutput {
    /// The normal distributions that it can have, all different; none if it is one value. Weights are not looked at.
    pub normals: Vec<Piece>,
    /// For each secret, how likely it is together with each of the normal distributions; with the value, if there are none.
    pub weights: Vec<Vec<f64>>,
}

impl DenseOutput {
    fn mass(&self, secret: usize) -> f64 {
        self.weights[secret].iter().sum()
    }

    fn is_value(&self) -> bool {
        self.normals.is_empty()
    }

    /// The parts of a mixture with these weights.
    fn pieces(&self, weights: &[f64]) -> Vec<Piece> {
        let parts = self.normals.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        parts.map(|(normal, weight)| Piece { weight: *weight, ..*normal }).collect()
    }

    /// The same, such that the weights add up to 1.
    fn shares(&self, weights: &[f64]) -> Vec<Piece> {
        let total: f64 = weights.iter().sum();
        self.pieces(&weights.iter().map(|weight| weight / total).collect::<Vec<f64>>())
    }

    /// Σ over secrets of so much of each.
    fn mixed(&self, shares: &[f64]) -> Vec<f64> {
        let columns = self.weights.first().map_or(0, Vec::len);
        let column = |place: usize| self.weights.iter().zip(shares).map(|(row, share)| share * row[place]).sum();
        (0..columns).map(column).collect()
    }

    fn total(&self) -> Vec<f64> {
        self.mixed(&vec![1.0; self.weights.len()])
    }
}

/// Bounds that are added up.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    low: f64,
    high: f64,
}

impl Sum {
    fn add(&mut self, factor: f64, bounds: Bounds) {
        if factor > 0.0 {
            self.low += factor * bounds.low;
            self.high += factor * bounds.high;
        }
    }
}

impl ChannelMeasures {
    /// Of outputs with densities, given what was seen; and the prior of before anything was seen. Each probability of a secret is
    /// that of a class of so many equally likely values.
    pub fn of_densities(
        prior: &[f64],
        outputs: &[DenseOutput],
        sizes: &[f64],
        has_evidence: bool,
        gain: Option<&Gain>,
    ) -> Self {
        // First as if only were known which outputs have a density.
        let joint: Vec<Vec<f64>> =
            outputs.iter().map(|output| (0..prior.len()).map(|secret| output.mass(secret)).collect()).collect();
        let mut measures = ChannelMeasures::of_channel_in_classes(prior, &joint, sizes, has_evidence, None);
        let of = |measures: &ChannelMeasures, name: &str| measures.get(name).map_or(0.0, |(value, _)| value);
        let told = information(outputs);
        let (label, entropy) = (of(&measures, "mutual_information_bits"), of(&measures, "posterior_entropy_bits"));
        measures.replace("mutual_information_bits", Some((label + told.low, label + told.high)));
        let left = Bounds { low: (entropy - told.high).max(0.0), high: (entropy - told.low).max(0.0) };
        measures.replace("posterior_entropy_bits", Some((left.low, left.high)));
        let worst = worst_case(prior, outputs, sizes);
        measures.replace("max_posterior", Some((worst.posterior.low, worst.posterior.high)));
        measures.replace("max_kl_bits", Some((worst.kl_bits.low, worst.kl_bits.high)));
        (measures.surest_output, measures.most_moving_output) = (None, None);

        let scaled = |factors: &[f64]| -> Vec<Vec<f64>> {
            let row =
                |guess: usize| factors.iter().enumerate().map(|(s, f)| if s == guess { *f } else { 0.0 }).collect();
            (0..factors.len()).map(row).collect()
        };
        let per_value: Vec<f64> = sizes.iter().map(|size| 1.0 / size).collect();
        let guessed = best_guess(outputs, &scaled(&per_value));
        let before = of(&measures, "bayes_vulnerability_prior");
        measures.replace("bayes_vulnerability_posterior", guessed.map(|found| (found.low, found.high)));
        let bits = |after: f64| (after / before).log2();
        let leak = |after: f64| if has_evidence { bits(after) } else { bits(after).max(0.0) };
        measures.replace("min_entropy_leakage_bits", guessed.map(|found| (leak(found.low), leak(found.high))));
        let guesses = if sizes.iter().all(|size| *size == 1.0) { guesses(outputs) } else { None };
        measures.replace("guessing_entropy_posterior", guesses.map(|found| (found.low, found.high)));
        let moved = variation(prior, outputs);
        measures.replace("total_variation", moved.map(|found| (found.low, found.high)));
        if !has_evidence {
            let largest = largest_information(prior, outputs);
            measures.replace("channel_capacity_bits", largest.map(|found| (found.low, found.high)));
            let odds: Vec<f64> = prior.iter().map(|p| if *p > 0.0 { 1.0 / p } else { 0.0 }).collect();
            let maximal = best_guess(outputs, &scaled(&odds));
            let bits = |sum: f64| sum.log2().max(0.0);
            measures.replace("maximal_leakage_bits", maximal.map(|found| (bits(found.low), bits(found.high))));
        }
        if let Some(gain) = gain {
            let gains = gain.rows();
            let before = gain.vulnerability(prior);
            measures.push("g_vulnerability_prior", before);
            if let Some(after) = best_guess(outputs, gains) {
                measures.push_certified("g_vulnerability_posterior", after.low, after.high);
                let bits = |after: f64| if after == before { 0.0 } else { (after / before).log2() };
                measures.push_certified("g_leakage", bits(after.low), bits(after.high));
            }
        }
        let possible = |output: &DenseOutput| -> f64 {
            (0..prior.len()).filter(|secret| output.mass(*secret) > 0.0).map(|secret| sizes[secret]).sum()
        };
        let open: f64 = prior.iter().zip(sizes).filter(|(p, _)| **p > 0.0).map(|(_, size)| size).sum();
        let settled = open > 1.0 && outputs.iter().any(|output| possible(output) == 1.0);
        measures.replace("fully_disclosed", None);
        measures.push("fully_disclosed", f64::from(u8::from(settled)));
        measures
    }
}

/// Σ m KL(density given the secret ‖ density): what densities tell beyond which outputs have one.
fn information(outputs: &[DenseOutput]) -> Bounds {
    let mut sum = Sum::default();
    for output in outputs.iter().filter(|output| !output.is_value()) {
        let all = output.total();
        if output.normals.len().max(output.weights.len()) > MAX_NORMALS {
            // Whoever knows the normal distribution knows more than whoever sees the value.
            let known: f64 = output.weights.iter().map(|row| row.iter().sum::<f64>() * by_normal(row, &all)).sum();
            sum.add(1.0, Bounds { low: 0.0, high: known * (1.0 + 1e-12) });
            continue;
        }
        let whole = output.shares(&all);
        for row in output.weights.iter().filter(|row| row.iter().any(|weight| *weight > 0.0)) {
            let told = kl_bounds_bits(&output.shares(row), &whole);
            let most = by_normal(row, &all) * (1.0 + 1e-12);
            sum.add(row.iter().sum(), Bounds { low: told.low, high: told.high.min(most).max(told.low) });
        }
    }
    Bounds { low: sum.low, high: sum.high }
}

/// The divergence of which normal distribution it is, given a secret, from which it is at all.
fn by_normal(row: &[f64], all: &[f64]) -> f64 {
    let shares = |row: &[f64]| -> Vec<f64> {
        let total: f64 = row.iter().sum();
        row.iter().map(|weight| weight / total).collect()
    };
    kl_bits(&shares(row), &shares(all))
}

/// ∫ max over guesses of Σ gain·density, added up over the outputs; `None` if there are too many guesses.
fn best_guess(outputs: &[DenseOutput], gains: &[Vec<f64>]) -> Option<Bounds> {
    let mut sum = Sum::default();
    for output in outputs {
        let rows: Vec<Vec<f64>> = gains.iter().map(|gains| output.mixed(gains)).collect();
        if output.is_value() {
            let best = rows.iter().map(|row| row.iter().sum::<f64>()).fold(0.0, f64::max);
            sum.add(1.0, Bounds { low: best, high: best });
            continue;
        }
        if rows.len() > MAX_COMPARED || output.normals.len() > MAX_NORMALS {
            return None;
        }
        sum.add(1.0, best_of(output, &rows));
    }
    Some(Bounds { low: sum.low, high: sum.high })
}

/// ∫ max of mixtures of the same normal distributions with these weights.
///
/// Over a cell it is at least the largest of the integrals, w's; and at most that and Σ ∫ (m − w)⁺ over the others. With P and N
/// the parts of m − w that are added and taken off, ∫ (P − N)⁺ ≤ P·(1 − min N/P) and ≤ P − N + N·(1 − min P/N).
fn best_of(output: &DenseOutput, rows: &[Vec<f64>]) -> Bounds {
    let of = |from: &[f64], to: &[f64]| -> Mixture {
        let left: Vec<f64> = from.iter().zip(to).map(|(from, to)| (from - to).max(0.0)).collect();
        Mixture::new(&output.pieces(&left))
    };
    let more: Vec<Vec<Mixture>> = rows.iter().map(|row| rows.iter().map(|other| of(row, other)).collect()).collect();
    let whole: Vec<Mixture> = rows.iter().map(|row| Mixture::new(&output.pieces(row))).collect();
    let all: Vec<&Mixture> = whole.iter().collect();
    let found = refine(ends_of(&all), &|low, high| {
        let masses: Vec<(f64, f64)> = whole.iter().map(|mixture| mixture.probability(low, high)).collect();
        let best = (0..masses.len()).fold(0, |best, next| if masses[next].0 > masses[best].0 { next } else { best });
        let (least, mut off) = masses[best];
        if least == 0.0 {
            return Part::NOTHING;
        }
        let mut most = least;
        for other in (0..masses.len()).filter(|other| *other != best) {
            let cell = Cell::new(&more[other][best], &more[best][other], low, high);
            let (least_ratio, most_ratio) = cell.log_ratio;
            off += 4.0 * (cell.p + cell.q) * cell.off;
            if cell.p > 0.0 && most_ratio > 0.0 {
                let by_p = cell.p * (1.0 - (-most_ratio).exp());
                let by_n = cell.p - cell.q + cell.q * (1.0 - least_ratio.exp()).max(0.0);
                most += by_p.min(by_n).max(0.0);
            }
        }
        Part { low: least, high: most.min(masses.iter().map(|(mass, _)| mass).sum::<f64>().max(least)), off }
    });
    let slack = found.off + 1e-14 * found.high;
    Bounds { low: (found.low - slack).max(0.0), high: found.high + slack }
}

/// The expected number of guesses: Σ m + Σ over pairs ∫ min(m, n), because each guess waits for the likelier ones.
fn guesses(outputs: &[DenseOutput]) -> Option<Bounds> {
    let mut sum = Sum::default();
    for output in outputs {
        let masses: Vec<f64> = output.weights.iter().map(|row| row.iter().sum()).collect();
        if masses.len() > MAX_COMPARED || output.normals.len() > MAX_NORMALS {
            return None;
        }
        let all: f64 = masses.iter().sum();
        sum.add(1.0, Bounds { low: all, high: all });
        for one in 0..masses.len() {
            for other in (one + 1)..masses.len() {
                let moved = if output.is_value() {
                    let moved = (masses[one] - masses[other]).abs() / 2.0;
                    Bounds { low: moved, high: moved }
                } else {
                    let pieces = |secret: usize| output.pieces(&output.weights[secret]);
                    total_variation_bounds(&pieces(one), &pieces(other))
                };
                let half = (masses[one] + masses[other]) / 2.0;
                let least = masses[one].min(masses[other]);
                sum.add(1.0, Bounds { low: (half - moved.high).max(0.0), high: (half - moved.low).min(least) });
            }
        }
    }
    Some(Bounds { low: sum.low, high: sum.high })
}

/// How far outputs move the belief, in total variation from the prior π: ½ Σ ∫ |m − π·Σ m|. Both are mixtures of the same normal
/// distributions, so that what is added and what is taken off is left of them, however alike they are.
fn variation(prior: &[f64], outputs: &[DenseOutput]) -> Option<Bounds> {
    let mut sum = Sum::default();
    for output in outputs {
        if output.weights.len().max(output.normals.len()) > MAX_NORMALS {
            return None;
        }
        let all = output.total();
        for (row, share) in output.weights.iter().zip(prior) {
            let expected: Vec<f64> = all.iter().map(|weight| share * weight).collect();
            let moved = if output.is_value() {
                let moved = (row.iter().sum::<f64>() - expected.iter().sum::<f64>()).abs() / 2.0;
                Bounds { low: moved, high: moved }
            } else {
                let left = |from: &[f64], of: &[f64]| -> Vec<Piece> {
                    output.pieces(&from.iter().zip(of).map(|(from, of)| (from - of).max(0.0)).collect::<Vec<f64>>())
                };
                let moved = total_variation_bounds(&left(row, &expected), &left(&expected, row));
                // Each weight that is expected is a sum and a product, and is subtracted once.
                let sizes: f64 = row.iter().chain(&expected).sum();
                let off = (output.weights.len() as f64 + 2.0) * f64::EPSILON * sizes;
                Bounds { low: (moved.low - off).max(0.0), high: moved.high + off }
            };
            sum.add(1.0, moved);
        }
    }
    Some(Bounds { low: sum.low, high: sum.high.min(1.0) })
}

/// The largest over all outputs.
struct Worst {
    posterior: Bounds,
    kl_bits: Bounds,
}

/// The belief after a value is a mean of the beliefs after each normal distribution, so that what is convex in it is largest
/// there; far out, the widest distribution is all that is left, and elsewhere values are tried.
fn worst_case(prior: &[f64], outputs: &[DenseOutput], sizes: &[f64]) -> Worst {
    let none = Bounds { low: 0.0, high: 0.0 };
    let mut worst = Worst { posterior: none, kl_bits: none };
    let judged = |belief: &[f64]| {
        let largest = belief.iter().zip(sizes).map(|(p, size)| p / size).fold(0.0, f64::max);
        (largest, kl_bits(belief, prior))
    };
    let belief = |weights: &[f64]| -> Vec<f64> {
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    };
    let raise = |bound: &mut f64, value: f64| *bound = bound.max(value);
    for output in outputs.iter().filter(|output| output.total().iter().sum::<f64>() > 0.0) {
        let columns = output.weights.first().map_or(0, Vec::len);
        let all = output.total();
        let after = |place: usize| judged(&belief(&output.weights.iter().map(|row| row[place]).collect::<Vec<f64>>()));
        for (largest, moved) in (0..columns).filter(|place| all[*place] > 0.0).map(after) {
            raise(&mut worst.posterior.high, largest);
            raise(&mut worst.kl_bits.high, moved);
        }
        let reached: Vec<(f64, f64)> = if output.is_value() {
            vec![judged(&belief(&output.weights.iter().map(|row| row.iter().sum()).collect::<Vec<f64>>()))]
        } else {
            let limits = far_out(output, &all).into_iter().map(after);
            let values = places_to_try(output);
            let at = values.iter().filter_map(|value| {
                let log = |place: usize| log_density(&output.normals[place], *value);
                let logs: Vec<f64> = (0..columns).map(log).collect();
                let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let density = |row: &Vec<f64>| row.iter().zip(&logs).map(|(w, log)| w * (log - top).exp()).sum::<f64>();
                let found: Vec<f64> = output.weights.iter().map(density).collect();
                (found.iter().sum::<f64>() > 0.0).then(|| judged(&belief(&found)))
            });
            limits.chain(at).collect()
        };
        for (largest, moved) in reached {
            raise(&mut worst.posterior.low, largest);
            raise(&mut worst.kl_bits.low, moved);
        }
    }
    let within = |bounds: Bounds, most: f64| Bounds {
        low: (bounds.low * (1.0 - 1e-13)).min(bounds.high),
        high: (bounds.high * (1.0 + 1e-13)).min(most),
    };
    Worst { posterior: within(worst.posterior, 1.0), kl_bits: within(worst.kl_bits, f64::INFINITY) }
}

fn log_density(normal: &Piece, value: f64) -> f64 {
    let away = value - normal.mean;
    -0.5 * (away * away / normal.variance + normal.variance.ln())
}

/// The normal distributions that are all that is left far below and far above.
fn far_out(output: &DenseOutput, all: &[f64]) -> Vec<usize> {
    let last = |sign: f64| {
        let key = |place: &usize| (output.normals[*place].variance, sign * output.normals[*place].mean);
        let possible = (0..output.normals.len()).filter(|place| all[*place] > 0.0);
        possible.max_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal))
    };
    [last(-1.0), last(1.0)].into_iter().flatten().collect()
}

fn places_to_try(output: &DenseOutput) -> Vec<f64> {
    let steps = (-32..=32).map(|step| f64::from(step) / 4.0);
    let around = |normal: &Piece| -> Vec<f64> {
        steps.clone().map(|step| normal.mean + step * normal.variance.sqrt()).collect()
    };
    output.normals.iter().take(MAX_NORMALS).flat_map(around).collect()
}

/// The largest information over all priors q: at least that of one of them, and at most the largest divergence of what a secret
/// publishes from what is published under it.
fn largest_information(prior: &[f64], outputs: &[DenseOutput]) -> Option<Bounds> {
    let secrets: Vec<usize> = (0..prior.len()).filter(|secret| prior[*secret] > 0.0).collect();
    let normals = outputs.iter().map(|output| output.normals.len()).max().unwrap_or(0);
    if secrets.len() > MAX_COMPARED || normals > MAX_NORMALS {
        return None;
    }
    // What each secret publishes, each as likely as the others.
    let rescaled: Vec<DenseOutput> = outputs
        .iter()
        .map(|output| DenseOutput {
            normals: output.normals.clone(),
            weights: secrets
                .iter()
                .map(|secret| output.weights[*secret].iter().map(|weight| weight / prior[*secret]).collect())
                .collect(),
        })
        .collect();
    let shares = capacity::best_prior(&sampled(&rescaled));
    let mut divergences = vec![Sum::default(); secrets.len()];
    for output in &rescaled {
        let mixed = output.mixed(&shares);
        let mass: f64 = mixed.iter().sum();
        if mass == 0.0 {
            continue;
        }
        for (row, sum) in output.weights.iter().zip(&mut divergences) {
            let own: f64 = row.iter().sum();
            if own > 0.0 {
                // A probability that is close to 1 has a logarithm close to 0: both ends of both numbers count.
                let label = (own / mass).log2();
                let slack = 1e-14 * (1.0 + label.abs());
                let told = if output.is_value() {
                    Bounds { low: 0.0, high: 0.0 }
                } else {
                    kl_bounds_bits(&output.shares(row), &output.shares(&mixed))
                };
                sum.add(own, Bounds { low: label - slack + told.low, high: label + slack + told.high });
            }
        }
    }
    let low: f64 = divergences.iter().zip(&shares).map(|(sum, share)| share * sum.low).sum();
    let high = divergences.iter().map(|sum| sum.high).fold(0.0, f64::max);
    let most = (secrets.len() as f64).log2();
    Some(Bounds { low: low.max(0.0).min(most), high: high.max(low).min(most) })
}

/// The channel as a matrix over narrow intervals: good enough to find a prior by.
fn sampled(outputs: &[DenseOutput]) -> Vec<Vec<f64>> {
    const STEPS: i32 = 400;
    let secrets = outputs.first().map_or(0, |output| output.weights.len());
    let mut rows = vec![Vec::new(); secrets];
    for output in outputs {
        if output.is_value() {
            for (row, weights) in rows.iter_mut().zip(&output.weights) {
                row.push(weights.iter().sum());
            }
            continue;
        }
        let low = output.normals.iter().map(|n| n.mean - 8.0 * n.variance.sqrt()).fold(f64::INFINITY, f64::min);
        let high = output.normals.iter().map(|n| n.mean + 8.0 * n.variance.sqrt()).fold(f64::NEG_INFINITY, f64::max);
        let ends: Vec<f64> = (0..=STEPS).map(|step| low + (high - low) * f64::from(step) / f64::from(STEPS)).collect();
        let mixtures: Vec<Mixture> =
            output.weights.iter().map(|weights| Mixture::new(&output.pieces(weights))).collect();
        for pair in ends.windows(2) {
            for (row, mixture) in rows.iter_mut().zip(&mixtures) {
                row.push(mixture.probability(pair[0], pair[1]).0);
            }
        }
    }
    rows
}
