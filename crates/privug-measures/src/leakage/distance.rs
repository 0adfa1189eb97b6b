//! Distances between what the attacker knew and knows: total variation, Hellinger, Wasserstein, effect size.
//!
//! Symbols: s = σ₁/σ₀, q = 1 − s² = r/v₀, e = |d|/σ₀, L = ln(v₀/v₁).

use std::f64::consts::FRAC_1_SQRT_2;

use super::Knowledge;
use super::knowledge::Outcome;
use privug_engine::gaussian::normal::standard_interval;

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

    /// Shift of the mean in posterior standard deviations, d/σ₁, with its sign; ±∞ when a secret is disclosed, also where
    /// the best guess happened to be right.
    pub fn effect_size(&self) -> f64 {
        match self.outcome() {
            Outcome::Invalid => f64::NAN,
            Outcome::Disclosed => f64::INFINITY.copysign(self.mean_shift),
            Outcome::Constant | Outcome::Uncertain if self.mean_shift == 0.0 => 0.0,
            Outcome::Constant | Outcome::Uncertain => self.mean_shift / self.posterior_std(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_engine::gaussian::testing::{assert_relative, simpson};
    use proptest::prelude::*;

    /// (r, d, total variation, Hellinger) for N(0, 1) → N(d, 1 − r): mpmath, 400 digits, from the roots of the quadratic
    /// and the distribution function, and from the definition of the affinity.
    const REFERENCES: [(f64, f64, f64, f64); 16] = [
        (1e-12, 0.0, 2.419707245192643e-13, 2.50000000000125e-13),
        (1e-12, 1e-12, 4.464585590518519e-13, 4.3301270189236365e-13),
        (1e-12, 1e-06, 3.989422804015656e-07, 3.535533905934395e-07),
        (0.0, 1e-09, 3.989422804014327e-10, 3.535533905932738e-10),
        (1e-100, 1e-100, 4.464585590517148e-101, 4.3301270189221936e-101),
        (1e-100, 0.0, 2.4197072451914334e-101, 2.5e-101),
        (1e-06, 0.5, 0.1974126996994825, 0.17540461985932193),
        (0.25, 0.0, 0.06949088612393753, 0.07170466167931203),
        (0.5, 0.1, 0.17073551457696134, 0.17502404021074683),
        (0.5, -2.0, 0.7635871976907525, 0.7081528270874827),
        (0.75, 1.0, 0.5466118651865151, 0.517402118607196),
        (0.9375, 3.0, 0.9867495812549809, 0.957843938472149),
        (0.999, 0.01, 0.9251828627088404, 0.8652428796859147),
        (0.9999999999990905, 0.5, 0.9999963253898279, 0.9993510928317646),
        (0.3, 20.0, 1.0, 1.0),
        (0.0, 1.0, 0.3829249225480262, 0.34278724803499416),
    ];

    fn standard(r: f64, d: f64) -> Knowledge {
        Knowledge::after_all_outputs(0.0, 1.0, d, 1.0 - r, r)
    }

    #[test]
    fn total_variation_and_hellinger_agree_with_four_hundred_digits() {
        for (r, d, total_variation, hellinger) in REFERENCES {
            assert_relative(standard(r, d).total_variation(), total_variation, 4e-15);
            assert_relative(standard(r, d).hellinger(), hellinger, 4e-15);
        }
    }

    #[test]
    fn total_variation_is_half_the_area_between_the_densities() {
        let knowledge = Knowledge::after_all_outputs(10.0, 9.0, 2.0, 4.0, 5.0);
        let (prior, posterior) = (knowledge.prior().expect("valid"), knowledge.posterior().expect("valid"));
        let area = simpson(-30.0, 50.0, |x| 0.5 * (prior.density(x) - posterior.density(x)).abs());
        // The kinks of the absolute value cost Simpson's rule its order.
        assert_relative(knowledge.total_variation(), area, 1e-5);
        let overlap = simpson(-30.0, 50.0, |x| (prior.density(x) * posterior.density(x)).sqrt());
        assert_relative(knowledge.hellinger(), (1.0 - overlap).sqrt(), 1e-10);
    }

    #[test]
    fn without_a_shift_wasserstein_is_the_difference_of_the_standard_deviations() {
        // 5 − 3 = (25 − 9)/(5 + 3); with a shift of 1.5 it is √(2² + 1.5²) = 2.5.
        assert_eq!(Knowledge::after_all_outputs(0.0, 25.0, 0.0, 9.0, 16.0).wasserstein2(), 2.0);
        assert_eq!(Knowledge::after_all_outputs(0.0, 25.0, 1.5, 9.0, 16.0).wasserstein2(), 2.5);
        // 1 − √(1 − 1e-100) = 5e-101.
        assert_relative(standard(1e-100, 0.0).wasserstein2(), 5e-101, 1e-15);
        assert_eq!(Knowledge::after_all_outputs(0.0, 25.0, 1.5, 9.0, 16.0).effect_size(), 0.5);
    }

    #[test]
    fn a_disclosed_secret_is_as_far_away_as_can_be_and_a_constant_nowhere() {
        let disclosed = Knowledge::after_all_outputs(0.0, 4.0, -1.5, 0.0, 4.0);
        assert_eq!([disclosed.total_variation(), disclosed.hellinger()], [1.0, 1.0]);
        // √(1.5² + 2²).
        assert_eq!([disclosed.wasserstein2(), disclosed.effect_size()], [2.5, f64::NEG_INFINITY]);
        assert_eq!(Knowledge::after_all_outputs(0.0, 4.0, 0.0, 0.0, 4.0).effect_size(), f64::INFINITY);
        let constant = Knowledge::after_all_outputs(3.0, 0.0, 0.0, 0.0, 0.0);
        let measures =
            [constant.total_variation(), constant.hellinger(), constant.wasserstein2(), constant.effect_size()];
        assert_eq!(measures, [0.0; 4]);
    }

    #[test]
    fn next_to_disclosure_the_distances_approach_one_from_below() {
        // s = 1e-50: the overlap √(2s) = 1.4e-25 is below the last digit of 1.
        let knowledge = Knowledge::after_all_outputs(0.0, 1.0, 0.0, 1e-100, 1.0);
        assert_eq!([knowledge.total_variation(), knowledge.hellinger()], [1.0, 1.0]);
        // s = 1e-3, e = 0: H² = 1 − √(2s/(1 + s²)) = 1 − √0.001999998000002.
        let knowledge = Knowledge::after_all_outputs(0.0, 1.0, 0.0, 1e-6, 1.0 - 1e-6);
        assert_relative(knowledge.hellinger(), (1.0 - 0.001999998000002f64.sqrt()).sqrt(), 1e-14);
    }

    proptest! {
        /// Le Cam: H² ≤ TV ≤ H·√(2 − H²); Pinsker: TV ≤ √(KL/2) in nats.
        #[test]
        fn the_distances_keep_the_classical_inequalities(scale in -14.0..-0.001f64, shift in -14.0..1.0f64) {
            let knowledge = standard(10f64.powf(scale), 10f64.powf(shift));
            let (tv, h) = (knowledge.total_variation(), knowledge.hellinger());
            let kl_nats = knowledge.kl_posterior_prior_bits() * std::f64::consts::LN_2;
            prop_assert!(h * h <= tv * (1.0 + 1e-12));
            prop_assert!(tv <= h * (2.0 - h * h).sqrt() * (1.0 + 1e-12));
            prop_assert!(tv <= (0.5 * kl_nats).sqrt() * (1.0 + 1e-12));
            prop_assert_eq!(tv, standard(10f64.powf(scale), -10f64.powf(shift)).total_variation());
        }

        #[test]
        fn every_knowledge_has_distances_in_range(v0 in 0.0..f64::MAX, share in 0.0..1.0f64, d in any::<f64>()) {
            let knowledge = Knowledge::after_all_outputs(0.0, v0, d, v0 * (1.0 - share), v0 * share);
            for distance in [knowledge.total_variation(), knowledge.hellinger()] {
                prop_assert!((0.0..=1.0).contains(&distance) || !d.is_finite(), "{}", distance);
            }
        }
    }
}
