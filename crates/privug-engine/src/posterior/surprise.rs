//! How far the observed values are from what the prior predicts, all of them together.

use crate::number::Scalar;

use super::{ObservationOutcome, Status};

/// Σ innovation²/variance over the observations that told something new. Where the prior is right, its distribution is
/// χ² with as many degrees of freedom as there are such observations.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Surprise {
    /// The sum.
    pub squares: f64,
    /// How many observations were used.
    pub observations: usize,
}

/// The data refute a prior under which anything as far away is rarer than this.
const RARE: f64 = 1e-3;

impl Surprise {
    /// Of what observations turned out to be.
    pub fn of<S: Scalar>(outcomes: &[ObservationOutcome<S>]) -> Self {
        let mut surprise = Surprise::default();
        for outcome in outcomes {
            if let Status::Used { innovation: Some(innovation), innovation_variance } = &outcome.status {
                let innovation = innovation.to_f64();
                surprise.squares += innovation / innovation_variance.to_f64() * innovation;
                surprise.observations += 1;
            }
        }
        surprise
    }

    /// How many times as far from the predictions the values are as expected: √ of the mean square.
    pub fn ratio(&self) -> f64 {
        (self.squares / self.observations.max(1) as f64).sqrt()
    }

    /// ln P(χ² ≥ squares), the logarithm because it may be smaller than any double.
    pub fn log_p_value(&self) -> f64 {
        log_upper_gamma(self.observations, self.squares)
    }

    /// Whether the data refute the prior.
    pub fn is_refuted(&self) -> bool {
        self.observations > 0 && !(self.log_p_value() >= RARE.ln())
    }
}

/// ln Γ(n/2), by Γ(x + 1) = x·Γ(x) from Γ(1) = 1 or Γ(½) = √π.
fn log_gamma_of_half(n: usize) -> f64 {
    let (start, first) = if n.is_multiple_of(2) { (0.0, 1.0) } else { (0.5 * std::f64::consts::PI.ln(), 0.5) };
    let factors = if n.is_multiple_of(2) { n / 2 - 1 } else { n / 2 };
    start + (0..factors).map(|i| (first + i as f64).ln()).sum::<f64>()
}

/// ln Q(n/2, x/2), the probability that χ² with n degrees of freedom is at least x: a series below the mean, and a
/// continued fraction above it (Abramowitz and Stegun, 6.5.29 and 6.5.31).
fn log_upper_gamma(n: usize, x: f64) -> f64 {
    const MOST_TERMS: usize = 1_000_000;
    if n == 0 || x <= 0.0 {
        return 0.0;
    }
    if !x.is_finite() {
        return f64::NEG_INFINITY;
    }
    let (a, x) = (n as f64 / 2.0, x / 2.0);
    let log_front = a * x.ln() - x - log_gamma_of_half(n);
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for i in 1..MOST_TERMS {
            term *= x / (a + i as f64);
            sum += term;
            if term < sum * 1e-17 {
                break;
            }
        }
        return (-(log_front + sum.ln()).exp()).ln_1p();
    }
    // Lentz's algorithm, backwards divisions kept away from 0.
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / tiny, 1.0 / b);
    let mut fraction = d;
    for i in 1..MOST_TERMS {
        let numerator = -(i as f64) * (i as f64 - a);
        b += 2.0;
        d = 1.0 / non_zero(numerator * d + b, tiny);
        c = non_zero(b + numerator / c, tiny);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    log_front + fraction.ln()
}

fn non_zero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p_value(observations: usize, squares: f64) -> f64 {
        Surprise { squares, observations }.log_p_value().exp()
    }

    #[test]
    fn the_tail_of_chi_squared_is_that_of_tables() {
        // Two degrees of freedom are exponential; the others are quantiles of tables of the distribution.
        for x in [0.1, 1.0, 5.0, 50.0] {
            assert!((p_value(2, x) / (-x / 2.0).exp() - 1.0).abs() < 1e-12, "{x}");
        }
        for (n, x, p) in [(1, 3.841_458_820_694, 0.05), (1, 10.827_566_170_663, 0.001), (10, 18.307_038_053_275, 0.05)]
        {
            assert!((p_value(n, x) / p - 1.0).abs() < 1e-9, "{n} {x}");
        }
        for (n, x, p) in [(100, 124.342_113_404, 0.05), (1000, 1_106.968_994_352, 0.01), (5, 1.145_476_226, 0.95)] {
            assert!((p_value(n, x) / p - 1.0).abs() < 1e-6, "{n} {x}");
        }
        // Four degrees: (1 + x/2)·e^(−x/2), also where it underflows.
        let far = Surprise { squares: 1e6, observations: 4 }.log_p_value();
        assert!((far - ((1.0f64 + 5e5).ln() - 5e5)).abs() < 1e-6, "{far}");
    }

    #[test]
    fn one_far_value_refutes_and_many_ordinary_ones_do_not() {
        assert!(Surprise { squares: 949.0 * 949.0, observations: 1 }.is_refuted());
        assert!(!Surprise { squares: 300.0, observations: 300 }.is_refuted());
        assert!(!Surprise { squares: 9.0, observations: 1 }.is_refuted());
        assert!(!Surprise::default().is_refuted());
        assert!(Surprise { squares: f64::INFINITY, observations: 1 }.is_refuted());
        assert!((Surprise { squares: 400.0, observations: 4 }.ratio() - 10.0).abs() < 1e-12);
    }
}
