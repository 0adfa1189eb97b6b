//! People whose secrets are values on a lattice: probabilities of sums by the discrete Fourier transform.
//!
//! With x = a + u·k for whole k ≥ 0, tilted by rᵏ, the probabilities of the others' sum are Σ_m G(k + mN) = (1/N)·Σ_j φ_j·e^(−2πijk/N):
//! nothing is left out and nothing is sampled. What is folded back from beyond N is bounded by tilting again, and is nothing if N
//! is larger than the largest sum.

use super::cells::{Cell, Posterior, Rest};
use super::fft::{Complex, rounding, transform};
use super::law::Law;
use super::solve::{Budget, MOST_NUMBERS, Unsolved};

/// The largest transform.
const MOST_POINTS: usize = 1 << 22;
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
            (nearest as i64, nearest as i64)
        }
        Some(Law::Uniform { low: from, high: to }) => {
            ((steps - to / unit - 1e-9).ceil() as i64, (steps - from / unit + 1e-9).floor() as i64)
        }
        Some(_) => return Err(Unsolved::Unknown("noise on a sum of values is not worked out")),
    };
    let most: i64 = kinds.iter().map(|kind| kind.count as i64 * kind.values.last().map_or(0, |(k, _)| *k)).sum();
    if window.1 < 0 || window.0 > most || window.1 < window.0 {
        return Err(Unsolved::Impossible);
    }
    let number: usize = kinds.iter().map(|kind| kind.count).sum();
    if window.0 == window.1 && (window.0 == 0 || window.0 == most || number == 1) {
        return certain(&kinds, unit, window.0, number, most);
    }
    let window = (window.0.max(0), window.1.min(most));
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
        return Err(Unsolved::Unknown("the values of a prior are no decimals with few digits"));
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

fn solve(
    kinds: &[Kind],
    unit: f64,
    window: (i64, i64),
    most: i64,
    budget: &mut Budget,
) -> Result<Vec<Posterior>, Unsolved> {
    let wanted = 0.5 * (window.0 + window.1) as f64;
    let total = |t: f64, of: &dyn Fn((f64, f64)) -> f64| {
        kinds.iter().map(|kind| kind.count as f64 * of(kind.tilted(t))).sum::<f64>()
    };
    let tilt = find_tilt(wanted, most, &|t| total(t, &|moments| moments.0));
    let std_dev = total(tilt, &|moments| moments.1).sqrt();
    let widest = kinds.iter().filter_map(|kind| kind.values.last()).map(|(k, _)| *k).max().unwrap_or(0);
    let span = (window.1 - window.0 + widest) as f64;
    let mut reach = 14.0;
    loop {
        let points = (span + 2.0 * reach * std_dev + 2.0).min((most + 1) as f64 + span);
        if !(points <= MOST_POINTS as f64) {
            return Err(Unsolved::Unknown("the sum has too many possible values"));
        }
        let points = (points as usize).next_power_of_two();
        if points * kinds.len() > MOST_NUMBERS {
            return Err(Unsolved::Unknown("a figure has too many different priors behind it"));
        }
        budget.take(points * (2 * kinds.len() + 1))?;
        let found = transformed(kinds, unit, window, most, tilt, std_dev, points);
        match found {
            Some(found) if found.iter().all(|one| one.relative_error < 1e-6) => return Ok(found),
            other if reach > 100.0 || points == MOST_POINTS || points as i64 > most => {
                let found = other.filter(|found| found.iter().all(|one| one.relative_error < 0.02));
                return found.ok_or(Unsolved::Unknown("the sum is too unlikely to be worked out"));
            }
            _ => reach *= 2.0,
        }
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

fn transformed(
    kinds: &[Kind],
    unit: f64,
    window: (i64, i64),
    most: i64,
    tilt: f64,
    std_dev: f64,
    points: usize,
) -> Option<Vec<Posterior>> {
    let sizes: Vec<f64> = kinds.iter().map(|kind| kind.ln_moment(tilt)).collect();
    let mut logs: Vec<Vec<Complex>> = Vec::with_capacity(kinds.len());
    let mut all = vec![Complex::ZERO; points];
    let (mut errors, mut bounds) = (Vec::with_capacity(kinds.len()), vec![0.0; points]);
    for (kind, size) in kinds.iter().zip(&sizes) {
        let mut x = vec![Complex::ZERO; points];
        let mut squares = 0.0;
        for (k, p) in &kind.values {
            let tilted = (tilt * *k as f64 + p.ln() - size).exp();
            squares += tilted * tilted;
            x[k.rem_euclid(points as i64) as usize].re += tilted;
        }
        transform(&mut x, true);
        let error = rounding(points) * (points as f64 * squares).sqrt() + 1e-15;
        errors.push(error);
        for ((value, sum), bound) in x.iter_mut().zip(&mut all).zip(&mut bounds) {
            *value = if value.size() > 1e-280 { value.ln() } else { Complex { re: -644.0, im: 0.0 } };
            *sum = *sum + value.scale(kind.count as f64);
            *bound += kind.count as f64 * (value.re.exp() + error).ln();
        }
        logs.push(x);
    }
    let others: f64 = kinds.iter().map(|kind| kind.count as f64).sum();
    // What the rounding of transforms does to their product: |Π(f + e)| − |Π f| ≤ Π(|f| + e) − Π|f|.
    let mut found = Vec::with_capacity(kinds.len());
    for (place, kind) in kinds.iter().enumerate() {
        let mut x = vec![Complex::ZERO; points];
        let mut error = 0.0;
        for j in 0..points {
            let ln = all[j] - logs[place][j];
            let ln_most = bounds[j] - (logs[place][j].re.exp() + errors[place]).ln();
            let size = ln.re.exp();
            error += (ln_most.exp() - size).max(0.0) + 4.0 * f64::EPSILON * others * size;
            x[j] = ln.exp();
        }
        transform(&mut x, false);
        let scale = 1.0 / points as f64;
        let norm = x.iter().map(|value| value.re * value.re).sum::<f64>().sqrt() * scale;
        let error = error * scale + rounding(points) * norm;
        let largest = most - kind.values.last().map_or(0, |(k, _)| *k);
        let lowest = window.0 - kind.values.last().map_or(0, |(k, _)| *k);
        let wrapped =
            beyond(kinds, place, tilt, &sizes, std_dev, points as f64, lowest as f64, window.1 as f64, largest as f64);
        let g =
            |k: i64| if k < 0 || k > largest { None } else { Some(x[k.rem_euclid(points as i64) as usize].re * scale) };
        let cells = kind.values.iter().map(|(k, p)| {
            let mut h = [0.0; 2];
            for sum in window.0..=window.1 {
                // The tilt of the sums in the window is taken back.
                let back = (-tilt * (sum - window.0) as f64).exp();
                if let Some(value) = g(sum - k) {
                    h[0] += back * (value - error - wrapped).max(0.0);
                    h[1] += back * (value + error).max(0.0);
                }
            }
            let h = h.map(|h| h * (tilt * *k as f64 - sizes[place]).exp());
            Cell { left: kind.low + unit * *k as f64, width: 0.0, prior: *p, mean: h, range: h, place: [0.0; 2] }
        });
        let cells: Vec<Cell> = cells.collect();
        found.push(Posterior::of(&cells, &Rest::default()).ok()?);
    }
    Some(found)
}

/// A bound on what is folded back into the probabilities of the others' sums from `low` to `high`.
#[expect(clippy::too_many_arguments, reason = "they are the figures of one bound")]
fn beyond(
    kinds: &[Kind],
    left_out: usize,
    tilt: f64,
    sizes: &[f64],
    std_dev: f64,
    points: f64,
    low: f64,
    high: f64,
    largest: f64,
) -> f64 {
    let bound = |end: f64, sign: f64| {
        let mut best = f64::INFINITY;
        for strength in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0] {
            let lambda = sign * strength / std_dev.max(1e-9);
            let counts = kinds
                .iter()
                .enumerate()
                .map(|(place, kind)| (place, kind, kind.count - usize::from(place == left_out)));
            let ln: f64 =
                counts.map(|(place, kind, count)| count as f64 * (kind.ln_moment(tilt + lambda) - sizes[place])).sum();
            best = best.min((ln - lambda * end).exp() / -(-lambda.abs() * points).exp_m1());
        }
        best
    };
    let above = if low + points > largest { 0.0 } else { bound(low + points, 1.0) };
    let below = if high - points < 0.0 { 0.0 } else { bound(high - points, -1.0) };
    above + below
}
