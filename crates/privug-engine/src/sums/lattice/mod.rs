//! People whose secrets are values on a lattice: probabilities of sums by the discrete Fourier transform.
//!
//! With x = a + u·k for whole k ≥ 0, tilted by rᵏ, the probabilities of the others' sum are Σ_m G(k + mN) = (1/N)·Σ_j φ_j·e^(−2πijk/N):
//! nothing is sampled. All frequencies are added up where these are not too many (`dense`), and otherwise those that matter
//! (`sparse`). What is folded back from beyond N is bounded by tilting again, and is nothing if N is larger than the largest sum.

mod dense;
mod sparse;

use super::cells::{Cell, Posterior, Rest};
use super::law::Law;
use super::solve::{Budget, MOST_NUMBERS, Unsolved};
use dense::Dense;
use sparse::{Most, Sparse, TooMany};

/// The largest transform.
const MOST_POINTS: usize = 1 << 22;
/// Up to so many frequencies, a transform of all of them is quick.
const FEW_POINTS: u64 = 1 << 15;
/// More frequencies than this are too many to be told apart.
const FARTHEST: f64 = (1u64 << 40) as f64;
/// What looking for the frequencies that matter may take.
const MOST: Most = Most { additions: 400_000_000, numbers: MOST_NUMBERS };
/// Additions that take as long as a point of a transform.
const ADDITIONS_PER_POINT: usize = 16;
/// A bracket of this relative width is narrow enough, and one that is wider than the other is no answer.
const WANTED: f64 = 1e-6;
const ACCEPTED: f64 = 0.02;
const TOO_MANY_SUMS: &str = "the sum has too many possible values";
/// Decimals that values may have.
const DECIMALS: i32 = 6;
/// Steps of the search for a tilt.
const STEPS: usize = 200;

/// A law on the lattice: (k, probability), ascending from 0.
struct Kind {
    count: usize,
    low: f64,
    values: Vec<(i64, f64)>,
}

/// What is known about a member of each kind.
pub(super) fn posteriors(
    members: &[(&Law, usize)],
    noise: Option<&Law>,
    sum: f64,
    budget: &mut Budget,
) -> Result<Vec<Posterior>, Unsolved> {
    let (kinds, unit) = on_lattice(members)?;
    let low: f64 = kinds.iter().map(|kind| kind.count as f64 * kind.low).sum();
    // What the sum can be: one multiple of the unit, or all that round to what is published.
    let steps = (sum - low) / unit;
    let window = match noise {
        None => {
            let nearest = steps.round();
            if (steps - nearest).abs() > 1e-6 * nearest.abs().clamp(1.0, 1e3) {
                return Err(Unsolved::Impossible);
            }
            Window { from: nearest as i64, to: nearest as i64 }
        }
        Some(Law::Uniform { low: from, high: to }) => {
            Window { from: (steps - to / unit - 1e-9).ceil() as i64, to: (steps - from / unit + 1e-9).floor() as i64 }
        }
        Some(_) => return Err(Unsolved::Unknown("noise on a sum of discrete values is not supported")),
    };
    let most: i64 = kinds.iter().map(|kind| kind.count as i64 * kind.values.last().map_or(0, |(k, _)| *k)).sum();
    if window.to < 0 || window.from > most || window.to < window.from {
        return Err(Unsolved::Impossible);
    }
    let number: usize = kinds.iter().map(|kind| kind.count).sum();
    if window.from == window.to && (window.from == 0 || window.from == most || number == 1) {
        return certain(&kinds, unit, window.from, number, most);
    }
    let window = Window { from: window.from.max(0), to: window.to.min(most) };
    solve(&kinds, unit, window, most, budget)
}

fn certain(kinds: &[Kind], unit: f64, sum: i64, number: usize, most: i64) -> Result<Vec<Posterior>, Unsolved> {
    let of = |kind: &Kind| {
        let wanted = match number {
            1 => sum,
            _ if sum == most && most > 0 => kind.values.last().map_or(0, |(k, _)| *k),
            _ => 0,
        };
        let p = kind.values.iter().find(|(k, _)| *k == wanted).map(|(_, p)| *p)?;
        Some(Posterior::certain(kind.low + unit * wanted as f64, p))
    };
    kinds.iter().map(|kind| of(kind).ok_or(Unsolved::Impossible)).collect()
}

/// The laws in whole multiples of a unit.
fn on_lattice(members: &[(&Law, usize)]) -> Result<(Vec<Kind>, f64), Unsolved> {
    let atoms: Vec<Vec<(f64, f64)>> = members.iter().map(|(law, _)| law.parts().atoms).collect();
    let whole = |factor: f64| {
        let is_whole = |value: &f64| {
            let scaled = (value * factor).round();
            scaled.abs() < 9e15 && (scaled / factor - value).abs() <= 4.0 * f64::EPSILON * value.abs()
        };
        atoms.iter().flatten().all(|(value, _)| is_whole(value))
    };
    let Some(factor) = (0..=DECIMALS).map(|decimals| 10f64.powi(decimals)).find(|factor| whole(*factor)) else {
        return Err(Unsolved::Unknown("the values of a prior are not decimals with few digits"));
    };
    let scaled = |value: f64| (value * factor).round() as i64;
    let mut unit = 0_i64;
    for values in &atoms {
        let first = values.first().map_or(0, |(value, _)| scaled(*value));
        for (value, _) in values {
            unit = greatest_common_divisor(unit, scaled(*value) - first);
        }
    }
    let unit = unit.max(1);
    let kinds = atoms.iter().zip(members).map(|(values, (_, count))| {
        let first = values.first().map_or(0, |(value, _)| scaled(*value));
        let total: f64 = values.iter().map(|(_, p)| p).sum();
        Kind {
            count: *count,
            low: first as f64 / factor,
            values: values.iter().map(|(value, p)| ((scaled(*value) - first) / unit, p / total)).collect(),
        }
    });
    Ok((kinds.collect(), unit as f64 / factor))
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { greatest_common_divisor(b, a % b) }
}

impl Kind {
    /// ln Σ p·e^(tk)
    fn ln_moment(&self, t: f64) -> f64 {
        let most = self.values.iter().map(|(k, p)| t * *k as f64 + p.ln()).fold(f64::NEG_INFINITY, f64::max);
        most + self.values.iter().map(|(k, p)| (t * *k as f64 + p.ln() - most).exp()).sum::<f64>().ln()
    }

    /// Mean and variance after tilting.
    fn tilted(&self, t: f64) -> (f64, f64) {
        let size = self.ln_moment(t);
        let p = |(k, p): &(i64, f64)| (t * *k as f64 + p.ln() - size).exp();
        let mean: f64 = self.values.iter().map(|one| p(one) * one.0 as f64).sum();
        (mean, self.values.iter().map(|one| p(one) * (one.0 as f64 - mean).powi(2)).sum())
    }
}

/// The sums that are possible: one, or all that round to what is published.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Window {
    from: i64,
    to: i64,
}

/// What the sum of all others tells about each value of a person: Σ r⁻ˢ·G over the sums in the window, and Σ r⁻ˢ.
struct Others {
    sums: Vec<(f64, f64)>,
    /// How far each probability may be off.
    error: f64,
}

/// Laws that are tilted by e^(tk), so that their sum is likely.
struct Tilted<'a> {
    kinds: &'a [Kind],
    tilt: f64,
    /// ln Σ p·e^(tk) of each kind.
    sizes: Vec<f64>,
    /// The tilted probability of each value, and the variance of each kind.
    probabilities: Vec<Vec<f64>>,
    variances: Vec<f64>,
    /// The standard deviation of the sum.
    std_dev: f64,
}

impl<'a> Tilted<'a> {
    fn new(kinds: &'a [Kind], tilt: f64) -> Self {
        let sizes: Vec<f64> = kinds.iter().map(|kind| kind.ln_moment(tilt)).collect();
        let tilted = |(kind, size): (&Kind, &f64)| -> Vec<f64> {
            kind.values.iter().map(|(k, p)| (tilt * *k as f64 + p.ln() - size).exp()).collect()
        };
        let probabilities = kinds.iter().zip(&sizes).map(tilted).collect();
        let variances: Vec<f64> = kinds.iter().map(|kind| kind.tilted(tilt).1).collect();
        let variance: f64 = kinds.iter().zip(&variances).map(|(kind, variance)| kind.count as f64 * variance).sum();
        Tilted { kinds, tilt, sizes, probabilities, variances, std_dev: variance.sqrt() }
    }

    /// Takes the tilt of a sum back that is so much larger than the first of a window.
    fn back(&self, steps: i64) -> f64 {
        (-self.tilt * steps as f64).exp()
    }

    /// Σ r⁻ˢ over a window.
    fn weight(&self, window: Window) -> f64 {
        (0..=window.to - window.from).map(|steps| self.back(steps)).sum()
    }

    /// About how likely the likeliest sum is.
    fn largest_probability(&self) -> f64 {
        1.0 / (2.5 * self.std_dev).max(1.0)
    }
}

fn solve(
    kinds: &[Kind],
    unit: f64,
    window: Window,
    most: i64,
    budget: &mut Budget,
) -> Result<Vec<Posterior>, Unsolved> {
    let wanted = 0.5 * (window.from + window.to) as f64;
    let mean = |t: f64| kinds.iter().map(|kind| kind.count as f64 * kind.tilted(t).0).sum::<f64>();
    let tilted = Tilted::new(kinds, find_tilt(wanted, most, &mean));
    let widest = kinds.iter().filter_map(|kind| kind.values.last()).map(|(k, _)| *k).max().unwrap_or(0);
    let span = (window.to - window.from + widest) as f64;
    let mut reach = 14.0;
    let mut found: Option<Vec<Posterior>> = None;
    loop {
        let points = (span + 2.0 * reach * tilted.std_dev + 2.0).min((most + 1) as f64 + span);
        let once = match points <= FARTHEST {
            true => transformed(&tilted, unit, window, most, (points as u64).next_power_of_two(), budget),
            false => Err(Unsolved::Unknown(TOO_MANY_SUMS)),
        };
        let is_within = |found: &Vec<Posterior>, error: f64| found.iter().all(|one| one.relative_error < error);
        let is_last = match once {
            Ok(once) => {
                found = once.or(found);
                reach > 100.0 || points >= (most + 1) as f64
            }
            // What was found with fewer points may do.
            Err(_) if found.is_some() => true,
            Err(unsolved) => return Err(unsolved),
        };
        if is_last || found.as_ref().is_some_and(|found| is_within(found, WANTED)) {
            let found = found.filter(|found| is_within(found, ACCEPTED));
            return found.ok_or(Unsolved::Unknown("the sum is too unlikely to be computed"));
        }
        reach *= 2.0;
    }
}

/// The t for which the tilted mean is `wanted`.
fn find_tilt(wanted: f64, most: i64, mean: &dyn Fn(f64) -> f64) -> f64 {
    let scale = 1.0 / (most as f64).max(1.0);
    let (mut low, mut high) = (-scale, scale);
    for _ in 0..STEPS {
        if mean(low) <= wanted || low < -700.0 {
            break;
        }
        low *= 2.0;
    }
    for _ in 0..STEPS {
        if mean(high) >= wanted || high > 700.0 {
            break;
        }
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if mean(middle) < wanted { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The posteriors by a transform with so many frequencies; `None` if that leaves them open.
fn transformed(
    tilted: &Tilted<'_>,
    unit: f64,
    window: Window,
    most: i64,
    points: u64,
    budget: &mut Budget,
) -> Result<Option<Vec<Posterior>>, Unsolved> {
    let kinds = tilted.kinds;
    let values: usize = kinds.iter().map(|kind| kind.values.len()).sum();
    let (is_few, is_too_many) = (points <= FEW_POINTS, points > MOST_POINTS as u64);
    let at_all = (points as usize).saturating_mul(2 * kinds.len() + 1);
    if !is_few {
        // Where all frequencies can be added up, the search takes no longer than that.
        let additions = if is_too_many { MOST.additions } else { at_all.saturating_mul(ADDITIONS_PER_POINT) };
        let limits = Most { additions: MOST.additions.min(additions), ..MOST };
        match Sparse::new(tilted, points, limits) {
            Ok(sparse) if sparse.frequencies().saturating_mul(values) <= limits.additions => {
                budget.take((sparse.additions + sparse.frequencies() * values) / ADDITIONS_PER_POINT)?;
                let others = |place: usize, largest: i64| sparse.others(place, &kinds[place], window, largest);
                return Ok(posteriors_of(tilted, unit, window, most, points, &others));
            }
            Ok(sparse) => budget.take(sparse.additions / ADDITIONS_PER_POINT)?,
            Err(TooMany(additions)) => budget.take(additions / ADDITIONS_PER_POINT)?,
        }
    }
    if is_too_many {
        return Err(Unsolved::Unknown(TOO_MANY_SUMS));
    }
    let points = points as usize;
    if points * kinds.len() > MOST_NUMBERS {
        return Err(Unsolved::Unknown("the contributors to a figure have too many different priors"));
    }
    budget.take(at_all)?;
    let dense = Dense::new(tilted, points);
    let others = |place: usize, largest: i64| dense.others(place, &kinds[place], window, largest);
    Ok(posteriors_of(tilted, unit, window, most, points as u64, &others))
}

/// What is known about a member of each kind, by what the others' sum tells.
fn posteriors_of(
    tilted: &Tilted<'_>,
    unit: f64,
    window: Window,
    most: i64,
    points: u64,
    others: &dyn Fn(usize, i64) -> Others,
) -> Option<Vec<Posterior>> {
    let mut found = Vec::with_capacity(tilted.kinds.len());
    for (place, kind) in tilted.kinds.iter().enumerate() {
        let own = kind.values.last().map_or(0, |(k, _)| *k);
        let largest = most - own;
        let Others { sums, error } = others(place, largest);
        let wrapped =
            beyond(tilted, place, points as f64, (window.from - own) as f64, window.to as f64, largest as f64);
        let cells = kind.values.iter().zip(sums).map(|((k, p), (sum, weight))| {
            let back = (tilted.tilt * *k as f64 - tilted.sizes[place]).exp();
            let h = [(sum - weight * (error + wrapped)).max(0.0), (sum + weight * error).max(0.0)].map(|h| h * back);
            Cell { left: kind.low + unit * *k as f64, width: 0.0, prior: *p, mean: h, range: h, place: [0.0; 2] }
        });
        let cells: Vec<Cell> = cells.collect();
        found.push(Posterior::of(&cells, &Rest::default()).ok()?);
    }
    Some(found)
}

/// A bound on what is folded back into the probabilities of the others' sums from `low` to `high`.
fn beyond(tilted: &Tilted<'_>, left_out: usize, points: f64, low: f64, high: f64, largest: f64) -> f64 {
    let bound = |end: f64, sign: f64| {
        let mut best = f64::INFINITY;
        for strength in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0] {
            let lambda = sign * strength / tilted.std_dev.max(1e-9);
            let ln_of = |(place, kind): (usize, &Kind)| {
                let count = (kind.count - usize::from(place == left_out)) as f64;
                count * (kind.ln_moment(tilted.tilt + lambda) - tilted.sizes[place])
            };
            let ln: f64 = tilted.kinds.iter().enumerate().map(ln_of).sum();
            best = best.min((ln - lambda * end).exp() / -(-lambda.abs() * points).exp_m1());
        }
        best
    };
    let above = if low + points > largest { 0.0 } else { bound(low + points, 1.0) };
    let below = if high - points < 0.0 { 0.0 } else { bound(high - points, -1.0) };
    above + below
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values like earnings: many zeros and round numbers, some that are not round.
    fn kind(count: usize, state: &mut u64) -> Kind {
        let mut below = |limit: u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((*state >> 33) % limit) as i64
        };
        let mut values = std::collections::BTreeMap::from([(0, 20.0)]);
        for _ in 0..60 {
            let value = if below(3) == 0 { below(3000) } else { 100 * below(30) };
            *values.entry(value).or_insert(0.0) += 1.0;
        }
        let all: f64 = values.values().sum();
        Kind { count, low: 0.0, values: values.into_iter().map(|(k, p)| (k, p / all)).collect() }
    }

    #[test]
    fn the_frequencies_that_matter_tell_what_all_of_them_tell() {
        let mut state = 9;
        for (first, second) in [(40, 1), (70, 25), (200, 3)] {
            let kinds = [kind(first, &mut state), kind(second, &mut state)];
            let most: i64 =
                kinds.iter().map(|kind| kind.count as i64 * kind.values.last().map_or(0, |(k, _)| *k)).sum();
            for tilt in [0.0, -3e-4, 2e-4] {
                let tilted = Tilted::new(&kinds, tilt);
                let points = 1 << 20;
                let sparse = Sparse::new(&tilted, points, MOST).ok().expect("few frequencies matter");
                assert!(sparse.frequencies() < points as usize / 4, "{}", sparse.frequencies());
                let dense = Dense::new(&tilted, points as usize);
                let wanted = kinds.iter().map(|kind| kind.count as f64 * kind.tilted(tilt).0).sum::<f64>() as i64;
                for window in [Window { from: wanted, to: wanted }, Window { from: wanted - 7, to: wanted + 30 }] {
                    for (place, kind) in kinds.iter().enumerate() {
                        let largest = most - kind.values.last().map_or(0, |(k, _)| *k);
                        let one = sparse.others(place, kind, window, largest);
                        let other = dense.others(place, kind, window, largest);
                        let size = other.sums.iter().map(|(sum, _)| sum.abs()).fold(0.0, f64::max);
                        for ((a, weight), (b, _)) in one.sums.iter().zip(&other.sums) {
                            let apart = weight * (one.error + other.error);
                            assert!((a - b).abs() <= apart, "{a} and {b} of {place}, at most {apart} apart");
                            assert!(apart < 1e-6 * size, "{apart} of {size}");
                        }
                    }
                }
            }
        }
    }
}
