//! Distances between what the attacker knew and knows: total variation, Hellinger, Wasserstein, effect size.
//!
//! Symbols: s = σ₁/σ₀, q = 1 − s² = r/v₀, e = |d|/σ₀, L = ln(v₀/v₁).

use std::f64::consts::FRAC_1_SQRT_2;

use super::Knowledge;
use super::knowledge::Outcome;
use super::normal::standard_interval;

impl Knowledge {
    /// Total variation distance sup_A |P₁(A) − P₀(A)|, between 0 and 1: the most by which any event has changed its
    /// probability.
    ///
    /// The best event is where the posterior density is higher: between the roots of a quadratic, which standardised
    /// by the posterior are u± = (se ± D)/q and by the prior w± = (e ± sD)/q, D = √(e² + qL). Then
    ///
    ///   TV = P(w₊ < Z < u₊) + P(u₋ < Z < w₋)
    ///
    /// with widths (D − e)/(1 + s) = qL/((D + e)(1 + s)) and (D + e)/(1 + s), and without cancellation
    /// u₋ = −(e² + L)/(D + se) and w₋ = (e² − s²L)/(e + sD), so that a distance of 1e-300 has all its digits.
    pub fn total_variation(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => return f64::NAN,
            Outcome::Constant => return if self.mean_shift == 0.0 { 0.0 } else { 1.0 },
            Outcome::Disclosed => return 1.0,
            Outcome::Uncertain => {}
        }
        let (s, q) = (self.std_ratio(), self.relative_reduction());
        let e = self.mean_shift.abs() / self.prior_std();
        let log_ratio = self.log_variance_ratio_nats();
        if e == 0.0 && log_ratio == 0.0 {
            return 0.0;
        }
        // Densities this far apart do not overlap: the crossing points differ from e/2 by far less than e.
        if e > 1e100 {
            return 1.0;
        }
        // Square roots first: the product of two tiny numbers would underflow.
        let root = q.sqrt() * log_ratio.sqrt();
        let d = e.hypot(root);
        let upper_width = root * (root / (d + e)) / (1.0 + s);
        let lower_width = (d + e) / (1.0 + s);
        let upper = if upper_width == 0.0 {
            0.0
        } else {
            let w = (e + s * d) / q;
            standard_interval(w, w + upper_width, upper_width)
        };
        let u = -(e * (e / (d + s * e)) + log_ratio / (d + s * e));
        let w = e * (e / (e + s * d)) - s * (s * log_ratio / (e + s * d));
        (upper + standard_interval(u, w, lower_width)).min(1.0)
    }

    /// Hellinger distance H between 0 and 1, H² = 1 − √(2σ₀σ₁/(v₀ + v₁))·e^(−d²/(4(v₀ + v₁))) (Le Cam & Yang 2000).
    ///
    /// 2σ₀σ₁/(v₀ + v₁) = 1 − a² with a = (1 − s)/√(1 + s²) and 1 − s = q/(1 + s); d²/(v₀ + v₁) = b², b = e/√(1 + s²).
    pub fn hellinger(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => return f64::NAN,
            Outcome::Constant => return if self.mean_shift == 0.0 { 0.0 } else { 1.0 },
            Outcome::Disclosed => return 1.0,
            Outcome::Uncertain => {}
        }
        let s = self.std_ratio();
        let norm = 1.0f64.hypot(s);
        let a = self.relative_reduction() / ((1.0 + s) * norm);
        let b = self.mean_shift.abs() / self.prior_std() / norm;
        // H² = a²/2 + b²/4 up to its own square; below 1e-154 it would underflow.
        if a < 1e-9 && b < 1e-9 {
            return (a * FRAC_1_SQRT_2).hypot(0.5 * b);
        }
        // Next to disclosure 1 − a² = 2s/(1 + s²) has lost its digits.
        let log_widths = if a < 0.5 { (-a * a).ln_1p() } else { (2.0 * s / (norm * norm)).ln() };
        let log_overlap = 0.5 * log_widths - 0.25 * b * b;
        (-log_overlap.exp_m1()).sqrt()
    }

    /// Wasserstein-2 distance in the secret's unit: √(d² + (σ₀ − σ₁)²) (Olkin & Pukelsheim 1982).
    pub fn wasserstein2(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            Outcome::Constant => self.mean_shift.abs(),
            Outcome::Disclosed | Outcome::Uncertain => self.mean_shift.hypot(self.std_reduction()),
        }
    }

    /// Shift of the mean in posterior standard deviations, d/σ₁, with its sign; ±∞ when a disclosed secret moved.
    pub fn effect_size(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            _ if self.mean_shift == 0.0 => 0.0,
            _ => self.mean_shift / self.posterior_std(),
        }
    }
}
