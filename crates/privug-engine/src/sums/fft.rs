//! The discrete Fourier transform of a power of two of complex numbers.

use std::f64::consts::PI;
use std::ops::{Add, Mul, Sub};

/// A complex number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Complex {
    pub(super) re: f64,
    pub(super) im: f64,
}

impl Complex {
    pub(super) const ZERO: Complex = Complex { re: 0.0, im: 0.0 };
    pub(super) const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    /// e^(i·angle)
    #[inline]
    pub(super) fn turn(angle: f64) -> Self {
        let (im, re) = angle.sin_cos();
        Complex { re, im }
    }

    #[inline]
    pub(super) fn scale(self, factor: f64) -> Self {
        Complex { re: self.re * factor, im: self.im * factor }
    }

    #[inline]
    pub(super) fn size(self) -> f64 {
        self.re.hypot(self.im)
    }

    /// e^self
    #[inline]
    pub(super) fn exp(self) -> Self {
        Complex::turn(self.im).scale(self.re.exp())
    }

    /// The logarithm with an imaginary part from −π to π.
    #[inline]
    pub(super) fn ln(self) -> Self {
        Complex { re: self.size().ln(), im: self.im.atan2(self.re) }
    }

    /// 1/self
    #[inline]
    pub(super) fn inverse(self) -> Self {
        let square = self.re * self.re + self.im * self.im;
        Complex { re: self.re / square, im: -self.im / square }
    }
}

impl Add for Complex {
    type Output = Complex;
    #[inline]
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Complex {
    type Output = Complex;
    #[inline]
    fn sub(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Complex;
    #[inline]
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

/// Replaces x by Σ_k x_k·e^(±2πi·jk/N): the sign is + if `positive`. N is a power of two.
///
/// Each of the log₂ N passes multiplies by factors that are right to 2 units in the last place, so that the error is at most
/// about 6·log₂ N units of the result, in the sense of the root of the sum of squares; see [`rounding`].
pub(super) fn transform(x: &mut [Complex], positive: bool) {
    let count = x.len();
    debug_assert!(count.is_power_of_two());
    let bits = count.trailing_zeros();
    if bits == 0 {
        return;
    }
    for place in 0..count {
        let mirrored = place.reverse_bits() >> (usize::BITS - bits);
        if place < mirrored {
            x.swap(place, mirrored);
        }
    }
    let sign = if positive { 1.0 } else { -1.0 };
    let factors: Vec<Complex> =
        (0..count / 2).map(|k| Complex::turn(sign * 2.0 * PI * k as f64 / count as f64)).collect();
    let mut half = 1;
    while half < count {
        let step = count / (2 * half);
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for k in 0..half {
                let turned = high[k] * factors[k * step];
                let kept = low[k];
                low[k] = kept + turned;
                high[k] = kept - turned;
            }
        }
        half *= 2;
    }
}

/// How far a transform of N numbers may be off, relative to the root of the sum of the squares of its result.
pub(super) fn rounding(count: usize) -> f64 {
    6.0 * f64::EPSILON * f64::from(count.max(2).ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_is_the_sum_that_it_is_defined_by() {
        let x: Vec<Complex> = (0..16).map(|k| Complex { re: f64::from(k * k % 7), im: f64::from(3 * k % 5) }).collect();
        for positive in [true, false] {
            let mut fast = x.clone();
            transform(&mut fast, positive);
            for (j, found) in fast.iter().enumerate() {
                let sign = if positive { 1.0 } else { -1.0 };
                let term = |(k, x): (usize, &Complex)| *x * Complex::turn(sign * PI * (j * k) as f64 / 8.0);
                let wanted = x.iter().enumerate().map(term).fold(Complex::ZERO, Add::add);
                assert!((*found - wanted).size() < 1e-12);
            }
        }
    }
}
