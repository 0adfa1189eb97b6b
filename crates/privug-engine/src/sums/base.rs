//! The densities that laws are made of: probabilities, moments, and what tilting by e^(θx) does to them.

use super::fft::Complex;
use super::gamma::{ln_gamma, regularized};
use super::lognormal::{self, Tilted};
use crate::gaussian::{standard_cdf, standard_interval, standard_survival};

/// √(2π)
const ROOT_TAU: f64 = 2.506_628_274_631_000_5;

/// A density with one mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Base {
    /// Where it has to end, it ends `cut` standard deviations of the logarithm above the mean.
    LogNormal {
        mu: f64,
        sigma: f64,
        cut: f64,
    },
    Gamma {
        shape: f64,
        rate: f64,
    },
    Uniform {
        low: f64,
        high: f64,
    },
    Laplace {
        mean: f64,
        scale: f64,
    },
    Normal {
        mean: f64,
        std_dev: f64,
    },
}

impl Base {
    pub(super) fn mean(&self) -> f64 {
        match *self {
            Base::LogNormal { mu, sigma, .. } => (mu + 0.5 * sigma * sigma).exp(),
            Base::Gamma { shape, rate } => shape / rate,
            Base::Uniform { low, high } => 0.5 * (low + high),
            Base::Laplace { mean, .. } | Base::Normal { mean, .. } => mean,
        }
    }

    pub(super) fn variance(&self) -> f64 {
        match *self {
            Base::LogNormal { sigma, .. } => self.mean().powi(2) * (sigma * sigma).exp_m1(),
            Base::Gamma { shape, rate } => shape / (rate * rate),
            Base::Uniform { low, high } => (high - low).powi(2) / 12.0,
            Base::Laplace { scale, .. } => 2.0 * scale * scale,
            Base::Normal { std_dev, .. } => std_dev * std_dev,
        }
    }

    pub(super) fn support(&self) -> (f64, f64) {
        match *self {
            Base::LogNormal { .. } | Base::Gamma { .. } => (0.0, f64::INFINITY),
            Base::Uniform { low, high } => (low, high),
            Base::Laplace { .. } | Base::Normal { .. } => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// Where the density is largest.
    pub(super) fn mode(&self) -> f64 {
        match *self {
            Base::LogNormal { mu, sigma, .. } => (mu - sigma * sigma).exp(),
            Base::Gamma { shape, rate } => ((shape - 1.0) / rate).max(0.0),
            Base::Uniform { low, high } => 0.5 * (low + high),
            Base::Laplace { mean, .. } | Base::Normal { mean, .. } => mean,
        }
    }

    /// The logarithm of the density.
    pub(super) fn ln_density(&self, x: f64) -> f64 {
        match *self {
            Base::LogNormal { mu, sigma, .. } if x > 0.0 => {
                let z = (x.ln() - mu) / sigma;
                -0.5 * z * z - (x * sigma * ROOT_TAU).ln()
            }
            Base::Gamma { shape, rate } if x > 0.0 => {
                shape * rate.ln() + (shape - 1.0) * x.ln() - rate * x - ln_gamma(shape)
            }
            Base::Gamma { shape, rate } if x == 0.0 && shape <= 1.0 => {
                if shape == 1.0 {
                    rate.ln()
                } else {
                    f64::INFINITY
                }
            }
            Base::LogNormal { .. } | Base::Gamma { .. } => f64::NEG_INFINITY,
            Base::Uniform { low, high } => {
                if (low..=high).contains(&x) {
                    -(high - low).ln()
                } else {
                    f64::NEG_INFINITY
                }
            }
            Base::Laplace { mean, scale } => -(x - mean).abs() / scale - (2.0 * scale).ln(),
            Base::Normal { mean, std_dev } => {
                let z = (x - mean) / std_dev;
                -0.5 * z * z - (std_dev * ROOT_TAU).ln()
            }
        }
    }

    /// P(a ≤ x ≤ b), accurate in both tails.
    pub(super) fn mass(&self, a: f64, b: f64) -> f64 {
        if !(b > a) {
            return 0.0;
        }
        match *self {
            Base::LogNormal { mu, sigma, .. } => lognormal::between(mu, sigma, a, b, 0.0),
            Base::Gamma { shape, rate } => gamma_between(shape, rate * a, rate * b),
            Base::Uniform { low, high } => ((b.min(high) - a.max(low)) / (high - low)).clamp(0.0, 1.0),
            Base::Laplace { mean, scale } => {
                let tail = |x: f64| 0.5 * (-(x - mean).abs() / scale).exp();
                if b <= mean {
                    tail(b) - tail(a)
                } else if a >= mean {
                    tail(a) - tail(b)
                } else {
                    1.0 - tail(a) - tail(b)
                }
            }
            Base::Normal { mean, std_dev } => {
                standard_interval((a - mean) / std_dev, (b - mean) / std_dev, (b - a) / std_dev)
            }
        }
    }

    /// ∫ₐᵇ x·p(x) dx for finite a and b.
    pub(super) fn first_moment(&self, a: f64, b: f64) -> f64 {
        if !(b > a) {
            return 0.0;
        }
        match *self {
            Base::LogNormal { mu, sigma, .. } => self.mean() * lognormal::between(mu, sigma, a, b, sigma),
            Base::Gamma { shape, rate } => shape / rate * gamma_between(shape + 1.0, rate * a, rate * b),
            Base::Uniform { low, high } => {
                let (from, to) = (a.max(low), b.min(high));
                if to > from { 0.5 * (from + to) * (to - from) / (high - low) } else { 0.0 }
            }
            Base::Laplace { mean, scale } => {
                let below = |x: f64| 0.5 * (x - scale) * ((x - mean) / scale).exp();
                let above = |x: f64| -0.5 * (x + scale) * (-(x - mean) / scale).exp();
                let left = if a < mean { below(b.min(mean)) - below(a) } else { 0.0 };
                let right = if b > mean { above(b) - above(a.max(mean)) } else { 0.0 };
                left + right
            }
            Base::Normal { mean, std_dev } => {
                let density = |x: f64| self.ln_density(x).exp();
                mean * self.mass(a, b) + std_dev * std_dev * (density(a) - density(b))
            }
        }
    }

    /// The θ for which ∫ e^(θx)·p(x) dx is finite lie strictly between these, apart from 0; of a lognormal x up to its cut.
    pub(super) fn tilts(&self) -> (f64, f64) {
        match *self {
            Base::LogNormal { mu, sigma, cut } => (f64::NEG_INFINITY, lognormal::largest_tilt(mu, sigma, cut)),
            Base::Gamma { rate, .. } => (f64::NEG_INFINITY, rate),
            // Beyond these, numbers overflow.
            Base::Uniform { low, high } => (-600.0 / (high - low), 600.0 / (high - low)),
            Base::Laplace { scale, .. } => (-1.0 / scale, 1.0 / scale),
            Base::Normal { std_dev, .. } => (-30.0 / std_dev, 30.0 / std_dev),
        }
    }

    /// ln E e^(θx); of a lognormal x about that.
    pub(super) fn ln_transform(&self, theta: f64) -> f64 {
        match *self {
            Base::LogNormal { mu, sigma, cut } => lognormal::ln_transform(mu, sigma, cut, theta),
            Base::Gamma { shape, rate } => -shape * (-theta / rate).ln_1p(),
            Base::Uniform { low, high } => {
                let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
                let a = (theta * half).abs();
                let ln_ratio = if a < 1e-4 { a * a / 6.0 } else { a + (-(-2.0 * a).exp_m1() / (2.0 * a)).ln() };
                theta * middle + ln_ratio
            }
            Base::Laplace { mean, scale } => theta * mean - (-(theta * scale).powi(2)).ln_1p(),
            Base::Normal { mean, std_dev } => theta * mean + 0.5 * (theta * std_dev).powi(2),
        }
    }

    /// E e^((θ + iω)x)/e^ln_size, in closed form; `None` for a lognormal x.
    pub(super) fn transform(&self, theta: f64, omega: f64, ln_size: f64) -> Option<Complex> {
        let z = Complex { re: theta, im: omega };
        let shifted = |middle: f64| Complex { re: theta * middle - ln_size, im: omega * middle }.exp();
        Some(match *self {
            Base::LogNormal { .. } => return None,
            Base::Gamma { shape, rate } => {
                let inner = Complex { re: 1.0 - theta / rate, im: -omega / rate }.ln();
                Complex { re: -shape * inner.re - ln_size, im: -shape * inner.im }.exp()
            }
            Base::Uniform { low, high } => {
                let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
                let w = z.scale(half);
                let ratio = if w.size() < 1e-3 {
                    // sinh(w)/w = 1 + w²/6 + w⁴/120 + …
                    let square = w * w;
                    Complex::ONE + square.scale(1.0 / 6.0) + (square * square).scale(1.0 / 120.0)
                } else {
                    let sinh = Complex { re: w.re.sinh() * w.im.cos(), im: w.re.cosh() * w.im.sin() };
                    sinh * w.inverse()
                };
                shifted(middle) * ratio
            }
            Base::Laplace { mean, scale } => {
                let square = z * z;
                let below = Complex { re: 1.0 - scale * scale * square.re, im: -scale * scale * square.im };
                shifted(mean) * below.inverse()
            }
            Base::Normal { mean, std_dev } => {
                let variance = std_dev * std_dev;
                let real = theta * mean + 0.5 * variance * (theta * theta - omega * omega) - ln_size;
                Complex { re: real, im: omega * (mean + theta * variance) }.exp()
            }
        })
    }

    /// (b, a) such that |E e^((θ + iν)x)|/e^ln_size ≤ b·(ω/ν)ᵃ for all ν ≥ ω; of a lognormal x up to `cut`.
    pub(super) fn decay(&self, theta: f64, omega: f64, ln_size: f64, cut: f64) -> (f64, f64) {
        match *self {
            Base::LogNormal { mu, sigma, .. } => Tilted::new(mu, sigma, theta, cut).decay(omega, ln_size),
            // |1 − z/rate| ≥ ω/rate
            Base::Gamma { shape, rate } => ((-shape * (omega / rate).ln() - ln_size).exp(), shape),
            // |sinh w| ≤ cosh Re w
            Base::Uniform { low, high } => {
                let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
                ((theta * middle - ln_size).exp() * (theta * half).cosh() / (omega * half), 1.0)
            }
            // |1 − b²z²| ≥ b²ω², because b²θ² < 1
            Base::Laplace { mean, scale } => ((theta * mean - ln_size).exp() / (scale * omega).powi(2), 2.0),
            // e^(−σ²ν²/2) ≤ e^(−σ²ω²/2)·(ω/ν)ᵃ for ν ≥ ω and a ≤ σ²ω²
            Base::Normal { std_dev, .. } => {
                let square = (std_dev * omega).powi(2);
                ((self.ln_transform(theta) - 0.5 * square - ln_size).exp(), square.min(16.0))
            }
        }
    }

    /// A bound on ln sup p(x)·e^(ζx); `None` where there is none.
    pub(super) fn ln_peak(&self, zeta: f64) -> Option<f64> {
        match *self {
            Base::LogNormal { .. } => (zeta <= 0.0).then(|| self.ln_density(self.mode())),
            Base::Gamma { shape, rate } => {
                let left = rate - zeta;
                if shape < 1.0 || left <= 0.0 {
                    return None;
                }
                let at = (shape - 1.0) / left;
                let power = if shape == 1.0 { 0.0 } else { (shape - 1.0) * at.ln() };
                Some(shape * rate.ln() - ln_gamma(shape) + power - left * at)
            }
            Base::Uniform { low, high } => Some((zeta * low).max(zeta * high) - (high - low).ln()),
            Base::Laplace { mean, scale } => (zeta.abs() * scale < 1.0).then(|| zeta * mean - (2.0 * scale).ln()),
            Base::Normal { mean, std_dev } => {
                Some(zeta * mean + 0.5 * (zeta * std_dev).powi(2) - (std_dev * ROOT_TAU).ln())
            }
        }
    }

    /// Bounds on ∫ |x|ʲ·e^(θx)·p(x) dx over x > end (or x < end if not `upper`), j = 0, 1, 2.
    pub(super) fn tail_moments(&self, theta: f64, end: f64, upper: bool) -> [f64; 3] {
        let nothing = [0.0; 3];
        let (low, high) = self.support();
        if (upper && end >= high) || (!upper && end <= low) {
            return nothing;
        }
        match *self {
            Base::LogNormal { mu, sigma, .. } => {
                if !upper {
                    return [f64::INFINITY; 3];
                }
                let z = (end.ln() - mu) / sigma;
                [0.0, 1.0, 2.0].map(|j: f64| {
                    (j * mu + 0.5 * j * j * sigma * sigma + theta * end).exp() * standard_survival(z - j * sigma)
                })
            }
            Base::Uniform { .. } => [f64::INFINITY; 3],
            Base::Gamma { .. } | Base::Laplace { .. } | Base::Normal { .. } => {
                // |x|ʲ·e^(−δ|x|) falls for |x| ≥ j/δ.
                let sign = if upper { 1.0 } else { -1.0 };
                let size = sign * end;
                let room = match *self {
                    Base::Gamma { rate, .. } => 0.5 * (rate - theta),
                    Base::Laplace { scale, .. } => 0.5 * (1.0 / scale - sign * theta),
                    Base::Normal { mean, std_dev } => {
                        (size - sign * (mean + theta * std_dev * std_dev)) / (std_dev * std_dev)
                    }
                    Base::LogNormal { .. } | Base::Uniform { .. } => 0.0,
                };
                if !(room > 0.0 && size * room >= 2.0) {
                    return [f64::INFINITY; 3];
                }
                let ln = self.ln_transform(theta + sign * room) - room * size;
                [0, 1, 2].map(|j| ln.exp() * size.powi(j))
            }
        }
    }

    /// P(x ≤ end)
    pub(super) fn below(&self, end: f64) -> f64 {
        match *self {
            Base::Normal { mean, std_dev } => standard_cdf((end - mean) / std_dev),
            _ => self.mass(self.support().0.max(f64::MIN), end),
        }
    }

    /// P(x ≥ end)
    pub(super) fn above(&self, end: f64) -> f64 {
        match *self {
            Base::Normal { mean, std_dev } => standard_survival((end - mean) / std_dev),
            _ => self.mass(end, self.support().1.min(f64::MAX)),
        }
    }
}

/// P(a ≤ y ≤ b) of a Gamma variable with rate 1.
fn gamma_between(shape: f64, a: f64, b: f64) -> f64 {
    let (a, b) = (a.max(0.0), b.max(0.0));
    if a > shape {
        regularized(shape, a).1 - regularized(shape, b).1
    } else {
        regularized(shape, b).0 - regularized(shape, a).0
    }
    .max(0.0)
}
