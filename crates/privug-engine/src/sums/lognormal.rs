//! What is particular about lognormal variables: their transform has no closed form, so it is bounded and sampled.
//!
//! With z = (ln x − μ)/σ the derivatives of the density are p⁽ʲ⁾(x) = p(x)·x⁻ʲ·q_j(z), where q₀ = 1 and
//! q_{j+1} = −(1 + j + z/σ)·q_j + q_j′/σ. So ∫ e^(θx)·|p⁽ʲ⁾| dx is an integral over z, and by Leibniz' rule those of
//! f(x) = e^(θx)·p(x) follow. Integrating by parts a times up to a cut c,
//!
//! ```text
//! |∫ f·e^(iωx) dx| ≤ ω⁻ᵃ·∫|f⁽ᵃ⁾| dx + Σ_{k<a} |f⁽ᵏ⁾(c)|·ω⁻ᵏ⁻¹
//! ```
//!
//! because all derivatives are 0 at 0. The law is cut so far out that next to nothing is behind; what is, is counted by itself.

use crate::gaussian::{standard_interval, standard_survival};

/// So many derivatives are looked at.
const ORDERS: usize = 24;

/// P(a ≤ x ≤ b) for the lognormal variable whose z is shifted down by `shift`: with shift jσ the part of E xʲ between a and b.
pub(super) fn between(mu: f64, sigma: f64, a: f64, b: f64, shift: f64) -> f64 {
    let z = |x: f64| if x > 0.0 { (x.ln() - mu) / sigma - shift } else { f64::NEG_INFINITY };
    let (low, high) = (z(a), z(b));
    if high == f64::NEG_INFINITY {
        0.0
    } else if low == f64::NEG_INFINITY {
        standard_survival(-high)
    } else if b == f64::INFINITY {
        standard_survival(low)
    } else {
        let width = if a > 0.0 { ((b - a) / a).ln_1p() / sigma } else { high - low };
        standard_interval(low, high, width)
    }
}

/// A tilt may not lift the density at the cut above this part of the law.
const LN_AT_CUT: f64 = -20.7;

/// Where a lognormal law is cut.
pub(super) fn cut_at(mu: f64, sigma: f64, cut: f64) -> f64 {
    (mu + cut * sigma).exp()
}

/// The largest θ for which e^(θx)·p(x) is still nothing at the cut.
pub(super) fn largest_tilt(mu: f64, sigma: f64, cut: f64) -> f64 {
    let ln_part = -0.5 * cut * cut - (sigma * std::f64::consts::TAU.sqrt()).ln();
    (LN_AT_CUT - ln_part).max(0.0) / cut_at(mu, sigma, cut)
}

/// ln ∫ e^(θx)·p(x) dx up to the cut, by the trapezoidal rule over z: a scale that numbers are taken relative to, no more.
pub(super) fn ln_transform(mu: f64, sigma: f64, cut: f64, theta: f64) -> f64 {
    if theta == 0.0 {
        return 0.0;
    }
    const STEP: f64 = 0.02;
    const COUNT: i32 = 2400;
    let exponent = |place: i32| {
        let z = cut - f64::from(place) * STEP;
        theta * (mu + sigma * z).exp() - 0.5 * z * z
    };
    let most = (0..COUNT).map(exponent).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = (0..COUNT).map(|place| (exponent(place) - most).exp()).sum();
    most + (sum * STEP).ln() - 0.5 * std::f64::consts::TAU.ln()
}

/// A lognormal density, tilted and cut: f(x) = e^(θx)·p(x) for 0 < x ≤ c.
pub(super) struct Tilted {
    /// ln ∫|f⁽ᵃ⁾|, at most, for a = 0, 1, …
    ln_norms: [f64; ORDERS],
    /// |f⁽ᵃ⁾(c)|, at most.
    at_cut: [f64; ORDERS],
}

impl Tilted {
    pub(super) fn new(mu: f64, sigma: f64, theta: f64, cut: f64) -> Self {
        let z_cut = (cut.ln() - mu) / sigma;
        // ∫ e^(θx)·|p⁽ʲ⁾| dx and e^(θc)·|p⁽ʲ⁾(c)|
        let (mut norms, mut ends) = ([0.0; ORDERS], [0.0; ORDERS]);
        let mut polynomial = vec![1.0];
        for j in 0..ORDERS {
            let order = j as f64;
            let q = |z: f64| polynomial.iter().rev().fold(0.0, |value, c| value * z + c);
            const POINTS: usize = 1500;
            let low = -(order * sigma + 12.0);
            let step = (z_cut - low) / POINTS as f64;
            let ln_value =
                |z: f64| theta * (mu + sigma * z).exp() - 0.5 * z * z - order * (mu + sigma * z) + f64::abs(q(z)).ln();
            let points = || (0..=POINTS).map(|place| ln_value(low + step * place as f64));
            let most = points().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = points().map(|value| (value - most).exp()).sum();
            // A hundredth for what the sum over points misses.
            norms[j] = most + (1.01 * sum * step).ln() - 0.5 * std::f64::consts::TAU.ln();
            ends[j] = (ln_value(z_cut) - (cut * sigma * std::f64::consts::TAU.sqrt()).ln()).exp();
            let mut next = vec![0.0; polynomial.len() + 1];
            for (power, c) in polynomial.iter().enumerate() {
                next[power] -= (1.0 + order) * c;
                next[power + 1] -= c / sigma;
                if power > 0 {
                    next[power - 1] += power as f64 * c / sigma;
                }
            }
            polynomial = next;
        }
        let (mut ln_norms, mut at_cut) = ([0.0; ORDERS], [0.0; ORDERS]);
        for order in 0..ORDERS {
            // Σ_j (a over j)·|θ|^(a−j)·…, in logarithms.
            let mut ln_binomial = 0.0;
            let mut terms = Vec::with_capacity(order + 1);
            for j in 0..=order {
                let rest = (order - j) as f64;
                let tilted = if rest == 0.0 { 0.0 } else { rest * theta.abs().ln() };
                terms.push(ln_binomial + tilted + norms[j]);
                at_cut[order] += (ln_binomial + tilted).exp() * ends[j];
                ln_binomial += ((order - j) as f64 / (j + 1) as f64).ln();
            }
            let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            ln_norms[order] = most + terms.iter().map(|term| (term - most).exp()).sum::<f64>().ln();
        }
        Tilted { ln_norms, at_cut }
    }

    /// The least bound ω⁻ᵃ·∫|f⁽ᵃ⁾| by e^ln_size, its order a, and Σ_{1≤k<a} |f⁽ᵏ⁾(c)|·ω⁻ᵏ⁻¹ by e^ln_size.
    fn smooth(&self, omega: f64, ln_size: f64) -> (f64, usize, f64) {
        let bound = |order: usize| (self.ln_norms[order] - order as f64 * omega.ln() - ln_size).exp();
        let order = (2..ORDERS).min_by(|a, b| bound(*a).total_cmp(&bound(*b))).unwrap_or(2);
        let ends: f64 = (1..order).map(|k| self.at_cut[k] * omega.powi(-(k as i32) - 1)).sum();
        (bound(order), order, ends * (-ln_size).exp())
    }

    /// (b, a) as [`Base::decay`](super::base::Base::decay) says.
    pub(super) fn decay(&self, omega: f64, ln_size: f64) -> (f64, f64) {
        let (smooth, order, ends) = self.smooth(omega, ln_size);
        let jump = self.at_cut[0] * (-ln_size).exp() / omega;
        // What is nothing at all beside the rest does not slow it down.
        if jump + ends <= 1e-4 * smooth { (1.001 * smooth, order.min(16) as f64) } else { (smooth + jump + ends, 1.0) }
    }

    /// How far the sum over samples at multiples of the step, up to a cut half-way between two of them, is from the transform at
    /// frequencies up to π by the step: the transform at all others that the samples cannot tell from them. Those of the jump at the
    /// cut alternate in sign.
    pub(super) fn aliases(&self, step: f64, ln_size: f64) -> f64 {
        let (smooth, _, ends) = self.smooth(std::f64::consts::PI / step, ln_size);
        3.3 * (smooth + ends) + self.at_cut[0] * (-ln_size).exp() * step / std::f64::consts::PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_is_below_its_bound() {
        // |E e^((θ + iω)x)| by a sum over 400 000 points, against the bound for all frequencies above.
        for (mu, sigma, theta) in [(0.0, 0.5, 0.0), (0.3, 0.8, -0.4), (-1.0, 0.25, -2.0), (0.0, 0.5, 0.1)] {
            let tilted = Tilted::new(mu, sigma, theta, cut_at(mu, sigma, 8.0));
            for omega in [3.0, 10.0, 40.0] {
                let (bound, _) = tilted.decay(omega, 0.0);
                let (mut re, mut im) = (0.0, 0.0);
                let count = 400_000;
                for point in 0..count {
                    let z = -9.0 + 17.0 * (f64::from(point) + 0.5) / f64::from(count);
                    let x: f64 = (mu + sigma * z).exp();
                    let weight = (theta * x - 0.5 * z * z).exp() * 17.0 / f64::from(count);
                    re += weight * (omega * x).cos();
                    im += weight * (omega * x).sin();
                }
                let size = f64::hypot(re, im) / std::f64::consts::TAU.sqrt();
                assert!(size <= bound * (1.0 + 1e-9) + 1e-9, "{mu} {sigma} {theta} {omega}: {size} {bound}");
            }
        }
    }

    #[test]
    fn the_first_derivative_has_twice_the_height_of_the_density_in_it() {
        // ∫|p′| = 2·max p for a density with one mode.
        for sigma in [0.25_f64, 0.5, 1.0] {
            let mode_density = (0.5 * sigma * sigma).exp() / (sigma * std::f64::consts::TAU.sqrt());
            let bound = Tilted::new(0.0, sigma, 0.0, cut_at(0.0, sigma, 8.0)).ln_norms[1].exp();
            assert!(bound >= 2.0 * mode_density && bound < 2.1 * mode_density, "{bound} {mode_density}");
        }
    }

    #[test]
    fn the_scale_of_a_tilted_law_is_its_transform() {
        // σ → 0 is a constant.
        assert!((ln_transform(0.0, 1e-3, 8.0, -2.0) + 2.0).abs() < 1e-5);
    }
}
