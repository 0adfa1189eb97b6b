//! Functions near 0, as series that keep all digits and that the processor computes for several numbers at once.

/// 1 − cos t and sin t − t, without losing digits where t is small: there series are both better and much faster than the
/// library's functions. What is left out of each series is below half a unit in its last place.
#[inline]
pub(super) fn turned(t: f64) -> (f64, f64) {
    if t.abs() > 0.5 {
        let half = (t / 2.0).sin();
        return (2.0 * half * half, t.sin() - t);
    }
    turned_little(t)
}

/// The same up to ½.
#[inline(always)]
pub(super) fn turned_little(t: f64) -> (f64, f64) {
    let square = t * t;
    (square * alternating(&VERSINE, square), -t * square * alternating(&SINE_LESS, square))
}

/// 1/(2n)! from n = 1, and 1/(2n + 1)! from n = 1.
const VERSINE: [f64; 8] = [
    1.0 / 2.0,
    1.0 / 24.0,
    1.0 / 720.0,
    1.0 / 40_320.0,
    1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];
const SINE_LESS: [f64; 8] = [
    1.0 / 6.0,
    1.0 / 120.0,
    1.0 / 5_040.0,
    1.0 / 362_880.0,
    1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];
/// 1/n from n = 1, and 1/(2n + 1) from n = 0.
const LOGARITHM: [f64; 8] = [1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0];
const ARCTANGENT: [f64; 4] = [1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0];
/// Up to here the last two have digits enough.
const NEAR: f64 = 1.0 / 256.0;

/// c₀ − c₁x + c₂x² − …
#[inline(always)]
fn alternating<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut rest = coefficients[N - 1];
    for coefficient in coefficients[..N - 1].iter().rev() {
        rest = coefficient - x * rest;
    }
    rest
}

/// ln(1 + x)
#[inline]
pub(super) fn logarithm_of_one_and(x: f64) -> f64 {
    if x.abs() <= NEAR { logarithm_near_one(x) } else { x.ln_1p() }
}

/// The same up to [`NEAR`].
#[inline(always)]
pub(super) fn logarithm_near_one(x: f64) -> f64 {
    x * alternating(&LOGARITHM, x)
}

/// The angle of a factor that is not far from 1.
#[inline]
pub(super) fn angle(imaginary: f64, real: f64) -> f64 {
    if real > 0.5 && imaginary.abs() <= NEAR * real { small_angle(imaginary, real) } else { imaginary.atan2(real) }
}

/// The same for slopes up to [`NEAR`].
#[inline(always)]
pub(super) fn small_angle(imaginary: f64, real: f64) -> f64 {
    let slope = imaginary / real;
    slope * alternating(&ARCTANGENT, slope * slope)
}

#[cfg(test)]
mod tests {
    use super::super::fourier::U;
    use super::*;

    #[test]
    fn series_have_the_digits_of_the_functions_that_they_stand_for() {
        let is_near = |one: f64, other: f64| (one - other).abs() <= 6.0 * U * other.abs();
        for step in 1..=2_000 {
            let t = 0.5 * f64::from(step) / 2_000.0;
            for t in [t, -t] {
                let (versine, bent) = turned(t);
                let half = (t / 2.0).sin();
                assert!(is_near(versine, 2.0 * half * half), "{t}");
                // Twice as many terms as are needed, the smallest first.
                let terms: Vec<f64> = (1..16)
                    .scan(t, |term, n| {
                        *term *= -t * t / f64::from(2 * n * (2 * n + 1));
                        Some(*term)
                    })
                    .collect();
                assert!(is_near(bent, terms.iter().rev().sum()), "{t}");
                let x = t / 128.0;
                assert!(is_near(logarithm_of_one_and(x), x.ln_1p()), "{x}");
                assert!(is_near(angle(0.9 * x, 0.9), (0.9 * x).atan2(0.9)), "{x}");
            }
        }
        // Where they are left for the functions nothing jumps.
        for end in [0.5, NEAR] {
            let (below, above) = (end, end * (1.0 + 4.0 * U));
            assert!(
                (turned(above).1 - turned(below).1).abs() <= 1e-15
                    && is_near(logarithm_of_one_and(above), above.ln_1p())
            );
        }
    }
}
