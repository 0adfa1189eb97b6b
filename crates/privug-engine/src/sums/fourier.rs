//! The density of a sum of independent variables, by its Fourier transform, with a proven bound.
//!
//! All variables are tilted: p(x) is replaced by p(x)·e^(θx), which multiplies the density of the sum at t by e^(θt) and leaves
//! every posterior as it is. The density G of a sum with transform φ has, for L > 0 and ω_j = 2πj/L,
//!
//! ```text
//! Σ_k G(t + kL) = (1/L)·Σ_j φ(ω_j)·e^(−iω_j·t)          (Poisson's summation formula)
//! ```
//!
//! Five errors, each with a bound (docs/proofs/skewed.md):
//! - frequencies beyond N/2 are left out: φ falls at least like a power of ω there;
//! - transforms of lognormal variables are sums over samples of the density: what these miss is the transform at much higher
//!   frequencies;
//! - lognormal laws are cut where next to nothing is left of them;
//! - the terms k ≠ 0 on the left are not negative, so they spoil only lower bounds, and are bounded by tilting again;
//! - rounding.

use std::f64::consts::PI;

use super::base::Base;
use super::fft::{Complex, rounding, transform};
use super::law::Parts;
use super::lognormal::{self, Tilted};
use super::wrap::{Shape, Wraps};

/// Variables with the same law, and how many there are.
#[derive(Debug, Clone)]
pub(super) struct Kind<'l> {
    pub(super) parts: &'l Parts,
    pub(super) count: usize,
}

/// Kinds of variables on a grid of frequencies.
pub(super) struct Spectrum {
    pub(super) theta: f64,
    /// Distance of the points of the sum's density.
    pub(super) step: f64,
    points: usize,
    kinds: Vec<Sampled>,
    /// Σ count·ln f over the kinds, for each frequency.
    logs: Vec<Complex>,
    /// Σ count·ln(|f| + ε).
    bounds: Vec<f64>,
    wraps: Wraps,
}

/// One kind, tilted and divided by `e^ln_size`.
struct Sampled {
    count: usize,
    pub(super) ln_size: f64,
    /// The weight of its atom.
    atom: f64,
    logs: Vec<Complex>,
    /// How far a value of the transform may be off.
    error: f64,
    /// (b, a): beyond the last frequency ω the density's transform is at most b·(ω/ν)ᵃ.
    decay: (f64, f64),
}

/// The density of the sum of all but one variable, tilted and scaled; without what has no density.
pub(super) struct Density {
    /// At 0, step, 2·step, …, round and round.
    values: Vec<f64>,
    /// How far each value may be off.
    pub(super) error: f64,
    /// How much too large they may be besides, because the terms k ≠ 0 are in them.
    pub(super) wrapped: f64,
    /// Bounds on the size of the density and its first two derivatives.
    pub(super) bends: [f64; 3],
    /// The probability that all variables are at their atoms, tilted and scaled.
    pub(super) at_atoms: f64,
}

impl Density {
    /// The value at `place` steps.
    pub(super) fn at(&self, place: i64) -> f64 {
        self.values[place.rem_euclid(self.values.len() as i64) as usize]
    }
}

impl Spectrum {
    /// The transforms at `points`/2 frequencies.
    pub(super) fn new(kinds: &[Kind<'_>], theta: f64, step: f64, points: usize) -> Self {
        let (length, half) = (step * points as f64, points / 2);
        let last = 2.0 * PI * (half - 1) as f64 / length;
        let mut sampled = Vec::with_capacity(kinds.len());
        let (mut logs, mut bounds) = (vec![Complex::ZERO; half], vec![0.0; half]);
        for Kind { parts, count } in kinds {
            let ln_size = ln_transform(parts, theta);
            let mut values = vec![Complex::ZERO; half];
            let mut error = 1e-14;
            let mut decay = (0.0, f64::INFINITY);
            for (weight, base) in &parts.bases {
                let ln_weighted = ln_size - weight.ln();
                let cut = cut_of(base, step);
                let (b, a) = base.decay(theta, last.max(f64::MIN_POSITIVE), ln_weighted, cut);
                decay = (decay.0 + b, decay.1.min(a));
                match base {
                    Base::LogNormal { .. } => {
                        error += samples(base, theta, step, points, ln_weighted, &mut values);
                    }
                    _ => {
                        for (place, value) in values.iter_mut().enumerate() {
                            let omega = 2.0 * PI * place as f64 / length;
                            *value = *value + base.transform(theta, omega, ln_weighted).unwrap_or(Complex::ZERO);
                        }
                    }
                }
            }
            let atom = parts.atom().map_or(0.0, |(at, weight)| weight * (theta * at - ln_size).exp());
            if let Some((at, _)) = parts.atom() {
                for (place, value) in values.iter_mut().enumerate() {
                    *value = *value + Complex::turn(2.0 * PI * place as f64 / length * at).scale(atom);
                }
            }
            // A factor that is 0 is as good as one that is very small, and can be taken out again.
            let ln = |value: Complex| if value.size() > 1e-280 { value.ln() } else { Complex { re: -644.0, im: 0.0 } };
            let own: Vec<Complex> = values.iter().map(|value| ln(*value)).collect();
            for (place, ln) in own.iter().enumerate() {
                logs[place] = logs[place] + ln.scale(*count as f64);
                bounds[place] += *count as f64 * (ln.re.exp() + error).ln();
            }
            sampled.push(Sampled { count: *count, ln_size, atom, logs: own, error, decay });
        }
        let shapes = kinds.iter().zip(&sampled).map(|(kind, sampled)| Shape {
            parts: kind.parts,
            count: kind.count,
            ln_size: sampled.ln_size,
        });
        let wraps = Wraps::new(shapes.collect(), theta, step);
        Spectrum { theta, step, points, kinds: sampled, logs, bounds, wraps }
    }

    /// A bound on the density of all but one variable of a kind times e^(θx) at `sum` − x, as it is scaled here.
    pub(super) fn most(&self, kind: usize, sum: f64) -> f64 {
        self.wraps.most(kind, sum)
    }

    /// The density of the sum of all but one variable of a kind, for values from `low` to `high`.
    pub(super) fn without(&self, kind: usize, low: f64, high: f64) -> Density {
        let (points, half) = (self.points, self.points / 2);
        let length = self.step * points as f64;
        let left = &self.kinds[kind];
        let counts = || self.kinds.iter().enumerate().map(|(place, one)| (one, one.count - usize::from(place == kind)));
        let others: usize = counts().map(|(_, count)| count).sum();
        let at_atoms: f64 = counts().map(|(one, count)| one.atom.powi(count as i32)).product();
        // Where all are at their atoms there is no density, and a transform that does not fall.
        let mut spectrum = vec![Complex::ZERO; points];
        let mut error = 0.0;
        let mut bends = [0.0; 3];
        let sum_of_atoms: f64 = if at_atoms > 0.0 { self.wraps.sum_of_atoms(kind) } else { 0.0 };
        for place in 0..half {
            let ln = self.logs[place] - left.logs[place];
            let omega = 2.0 * PI * place as f64 / length;
            let mut value = ln.exp();
            let size = ln.re.exp();
            let most = (self.bounds[place] - (left.logs[place].re.exp() + left.error).ln()).exp();
            if at_atoms > 0.0 {
                value = value - Complex::turn(omega * sum_of_atoms).scale(at_atoms);
            }
            let sides = if place == 0 { 1.0 } else { 2.0 } / length;
            error += sides * ((most - size).max(0.0) + 4.0 * f64::EPSILON * others as f64 * size);
            let size = value.size();
            (0..3).for_each(|power| bends[power] += sides * omega.powi(power as i32) * size);
            spectrum[place] = value;
            if place > 0 {
                spectrum[points - place] = Complex { re: value.re, im: -value.im };
            }
        }
        let last = 2.0 * PI * (half - 1) as f64 / length;
        error += tail(counts(), at_atoms, last) / PI;
        transform(&mut spectrum, false);
        let values: Vec<f64> = spectrum.iter().map(|value| value.re / length).collect();
        let norm = values.iter().map(|value| value * value).sum::<f64>().sqrt();
        error += rounding(points) * norm;
        error += self.wraps.above_cuts(kind, high);
        let wrapped = self.wraps.density_beyond(kind, low, high, length);
        Density { values, error, wrapped, bends, at_atoms }
    }
}

/// ∫ |φ| over frequencies above the last one, without the term in which all are at their atoms.
fn tail<'k>(kinds: impl Iterator<Item = (&'k Sampled, usize)> + Clone, at_atoms: f64, last: f64) -> f64 {
    if at_atoms > 0.0 {
        // Every other term has a factor that falls.
        let all: f64 = kinds.clone().map(|(one, count)| (one.atom + one.decay.0).powi(count as i32)).product();
        let power = kinds.map(|(one, _)| one.decay.1).fold(f64::INFINITY, f64::min);
        return if power > 1.0 { (all - at_atoms) * last / (power - 1.0) } else { f64::INFINITY };
    }
    // Kinds without atoms fall as often as there are variables of them; those with atoms may not fall at all.
    let mut ln_all = 0.0;
    let mut power = 0.0;
    for (one, count) in kinds {
        let times = count as f64;
        if one.atom > 0.0 {
            ln_all += times * (one.atom + one.decay.0).ln();
        } else if count > 0 {
            ln_all += times * one.decay.0.ln();
            power += times * one.decay.1;
        }
    }
    if power > 1.0 { ln_all.exp() * last / (power - 1.0) } else { f64::INFINITY }
}

/// ln E e^(θx), about.
pub(super) fn ln_transform(parts: &Parts, theta: f64) -> f64 {
    let bases = parts.bases.iter().map(|(weight, base)| weight.ln() + base.ln_transform(theta));
    let atoms = parts.atoms.iter().map(|(at, weight)| weight.ln() + theta * at);
    let terms: Vec<f64> = bases.chain(atoms).collect();
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + terms.iter().map(|term| (term - most).exp()).sum::<f64>().ln()
}

/// Where a lognormal law is cut: half-way between two multiples of the step.
pub(super) fn cut_of(base: &Base, step: f64) -> f64 {
    match *base {
        Base::LogNormal { mu, sigma, cut } => ((lognormal::cut_at(mu, sigma, cut) / step).floor() + 0.5) * step,
        Base::Gamma { .. } | Base::Uniform { .. } | Base::Laplace { .. } | Base::Normal { .. } => f64::INFINITY,
    }
}

/// Adds the transform of a lognormal density as a sum over samples at multiples of the step, and says how far it may be off.
fn samples(base: &Base, theta: f64, step: f64, points: usize, ln_size: f64, values: &mut [Complex]) -> f64 {
    let Base::LogNormal { mu, sigma, .. } = *base else { return f64::INFINITY };
    let cut = cut_of(base, step);
    let mut x = vec![Complex::ZERO; points];
    for place in 1..=(cut / step).floor() as usize {
        let at = step * place as f64;
        x[place % points].re += (base.ln_density(at) + theta * at - ln_size).exp() * step;
    }
    let squares: f64 = x.iter().map(|value| value.re * value.re).sum();
    transform(&mut x, true);
    values.iter_mut().zip(&x).for_each(|(value, more)| *value = *value + *more);
    Tilted::new(mu, sigma, theta, cut).aliases(step, ln_size) + rounding(points) * (points as f64 * squares).sqrt()
}
