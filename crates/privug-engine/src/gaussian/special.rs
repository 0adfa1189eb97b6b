//! Special functions that the measures are made of, each accurate to a few units in the last place.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// 1/√(2π), the standard normal density at its mean.
pub const PEAK_DENSITY: f64 = 0.398_942_280_401_432_7;

/// √(π/2).
const SQRT_HALF_PI: f64 = 1.253_314_137_315_500_3;

/// g(x) = x − ln(1 + x) for x ≥ −1; nonnegative, and about x²/2 near 0 where the plain difference would cancel.
///
/// With s = x/(2 + x), ln(1 + x) = 2·artanh(s) and x − 2s = x·s, so g(x) = x·s − 2·(s³/3 + s⁵/5 + …).
pub fn x_minus_ln_1p(x: f64) -> f64 {
    if x == f64::INFINITY {
        return f64::INFINITY;
    }
    // Outside, the difference is at least a quarter of its terms, and between, s² ≤ 1/9.
    if !(-0.5..=1.0).contains(&x) {
        return x - x.ln_1p();
    }
    let s = x / (2.0 + x);
    let s_squared = s * s;
    // s²/3 + s⁴/5 + …: the next term after 17 is below 2·9⁻¹⁸/37.
    let series = (1..=17).rev().fold(0.0, |sum, k| (sum + 1.0 / f64::from(2 * k + 1)) * s_squared);
    s * (x - 2.0 * series)
}

/// e^(−z²/2), with the rounding error of z² put back: it would otherwise cost z²/2 units in the last place.
pub fn gaussian_exp(z: f64) -> f64 {
    // e^(−800) is below the smallest double, and beyond 1e154 the square would overflow.
    if z.abs() > 40.0 {
        return 0.0;
    }
    let square = z * z;
    let error = z.mul_add(z, -square);
    (-0.5 * square).exp() * (1.0 - 0.5 * error)
}

/// Scaled complementary error function e^(x²)·erfc(x), for x > −1.
fn erfcx(x: f64) -> f64 {
    // Beyond 10 the asymptotic series 1/(x√π)·(1 − t + 3t² − 15t³ …), t = 1/(2x²) ≤ 1/200 (Abramowitz & Stegun 7.1.23),
    // has terms below 1e-16 before it diverges.
    if x >= 10.0 {
        let t = 0.5 / (x * x);
        let series = (1..=14).rev().fold(1.0, |rest, k| 1.0 - f64::from(2 * k - 1) * t * rest);
        return series / (x * PI.sqrt());
    }
    let square = x * x;
    let error = x.mul_add(x, -square);
    square.exp() * (1.0 + error) * libm::erfc(x)
}

/// Mills ratio M(z) = (1 − Φ(z))/φ(z) = √(π/2)·erfcx(z/√2) = ∫₀^∞ e^(−zs − s²/2) ds.
///
/// Relatively accurate for every z; overflows below z ≈ −37.
pub fn mills_ratio(z: f64) -> f64 {
    if z < -1.0 {
        // Φ(−z)/φ(z) = 1/φ(z) − M(−z), where the first term is at least six times the second.
        let square = z * z;
        let error = z.mul_add(z, -square);
        return (0.5 * square).exp() * (1.0 + 0.5 * error) / PEAK_DENSITY - mills_ratio(-z);
    }
    SQRT_HALF_PI * erfcx(z * FRAC_1_SQRT_2)
}

/// M(z) − M(z + width) = ∫₀^∞ e^(−zs − s²/2)·(1 − e^(−width·s)) ds for z > −2 and width ≥ 0.
///
/// Where the two are nearly equal, the integral is taken as it stands: its integrand is positive, so that nothing
/// cancels however small the width is.
pub fn mills_difference(z: f64, width: f64) -> f64 {
    let (near, far) = (mills_ratio(z), mills_ratio(z + width));
    if far <= 0.4 * near {
        return near - far;
    }
    let integrand = |s: f64| (-s * (z + 0.5 * s)).exp() * -(-width * s).exp_m1();
    // zs + s²/2 = 45 here, and e^(−45) of the whole lies beyond.
    let end = if z < 0.0 { (z * z + 90.0).sqrt() - z } else { 90.0 / ((z * z + 90.0).sqrt() + z) };
    // Most of it is near 0; on each panel the exponent changes by less than 23.
    [(0.0, 0.125), (0.125, 0.25), (0.25, 0.5), (0.5, 1.0)]
        .into_iter()
        .map(|(from, to)| integrate(from * end, (to - from) * end, integrand))
        .sum()
}

/// Nodes on (0, 1] and weights of the 16-point Gauss-Legendre rule; the other half is symmetric.
const GAUSS_LEGENDRE: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_88),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];

/// ∫ f(x) dx from `start` to `start + width`, exact for polynomials of degree 31.
///
/// The width is an argument of its own because it is often known far better than the difference of the ends.
pub fn integrate(start: f64, width: f64, f: impl Fn(f64) -> f64) -> f64 {
    let half = 0.5 * width;
    let sum: f64 = GAUSS_LEGENDRE
        .iter()
        .map(|(node, weight)| weight * (f(start + half * (1.0 - node)) + f(start + half * (1.0 + node))))
        .sum();
    half * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian::testing::assert_relative;
    use crate::number::{Constants, Rational, Scalar};
    use proptest::prelude::*;

    /// Σ_{k=2}^{40} (−1)^k x^k/k in exact arithmetic; the rest is below |x|^41/41.
    fn exact_x_minus_ln_1p(x: f64) -> f64 {
        let x = <Rational as Scalar>::from_f64(x).expect("finite");
        let mut power = x.clone();
        let mut sum = <Rational as Constants>::zero();
        for k in 2..=40 {
            power = -(power * &x);
            sum -= &power / <Rational as Scalar>::from_i64(k);
        }
        Constants::to_f64(&sum)
    }

    #[test]
    fn x_minus_ln_1p_agrees_with_its_series_in_exact_arithmetic() {
        for x in [1e-150, -1e-150, 1e-12, -1e-12, 1e-5, -3e-4, 0.001, -0.01, 0.0625, -0.125, 0.3, -0.3] {
            assert_relative(x_minus_ln_1p(x), exact_x_minus_ln_1p(x), 4e-16);
        }
    }

    #[test]
    fn x_minus_ln_1p_agrees_with_fifty_digits() {
        // mpmath, 50 digits: x − log(1 + x).
        for (x, expected) in [
            (-0.75, 0.636_294_361_119_890_6),
            (-0.5, 0.193_147_180_559_945_3),
            (0.5, 0.094_534_891_891_835_62),
            (1.0, 0.306_852_819_440_054_7),
            (1.5, 0.583_709_268_125_845),
            (100.0, 95.384_879_483_158_74),
        ] {
            assert_relative(x_minus_ln_1p(x), expected, 1e-15);
        }
        assert_eq!(x_minus_ln_1p(f64::INFINITY), f64::INFINITY);
        assert_eq!(x_minus_ln_1p(-1.0), f64::INFINITY);
        assert_eq!(x_minus_ln_1p(0.0), 0.0);
        assert!(x_minus_ln_1p(f64::NAN).is_nan());
    }

    #[test]
    fn the_quadrature_rule_is_exact_for_polynomials_of_degree_31() {
        for degree in 0..=31 {
            let integral = integrate(1.0, 2.0, |x| x.powi(degree));
            let expected = (3f64.powi(degree + 1) - 1.0) / f64::from(degree + 1);
            assert_relative(integral, expected, 1e-14);
        }
    }

    #[test]
    fn the_mills_ratio_agrees_with_fifty_digits() {
        // mpmath, 50 digits: erfc(z/√2)/2 · √(2π) · e^(z²/2).
        for (z, expected) in MILLS {
            assert_relative(mills_ratio(z), expected, 1e-15);
        }
        assert_eq!(mills_ratio(f64::INFINITY), 0.0);
    }

    #[test]
    fn mills_differences_agree_with_fifty_digits_however_small_the_width_is() {
        // mpmath, 150 digits: M(z) − M(z + width).
        for (z, width, expected) in MILLS_DIFFERENCES {
            assert_relative(mills_difference(z, width), expected, 1e-15);
        }
    }

    proptest! {
        #[test]
        fn mills_differences_add_up(z in -1.0..50.0f64, first in 0.0..3.0f64, second in 0.0..3.0f64) {
            let parts = mills_difference(z, first) + mills_difference(z + first, second);
            // The middle point is rounded by up to half a unit in the last place of 53.
            prop_assert!((mills_difference(z, first + second) / parts - 1.0).abs() < 1e-13);
        }
    }

    const MILLS: [(f64, f64); 17] = [
        (-5.0, 672621.6367228793),
        (-1.0, 3.4770518117036944),
        (-0.125, 1.3887970826457579),
        (0.0, 1.2533141373155003),
        (0.25, 1.0378245758537268),
        (1.0, 0.6556795424187984),
        (1.5, 0.5158156382179634),
        (2.0, 0.4213692292880545),
        (3.0, 0.3045902987101033),
        (5.0, 0.19280810471531576),
        (8.0, 0.1231319632579323),
        (13.5, 0.07367414554294563),
        (14.5, 0.06864207314371742),
        (30.0, 0.03329641907249721),
        (38.0, 0.026297602974252963),
        (1000.0, 0.0009999990000029999),
        (10000000000.0, 1e-10),
    ];

    const MILLS_DIFFERENCES: [(f64, f64, f64); 54] = [
        (-1.5, 1e-200, 1.1807714510912168e-199),
        (-1.5, 1e-09, 1.1807714498453811e-08),
        (-1.5, 0.125, 1.2995827282724286),
        (-1.5, 0.75, 4.636971252308204),
        (-1.5, 2.0, 6.328778550821086),
        (-1.5, 30.0, 7.170098327577293),
        (-0.5, 1e-200, 1.982008747678997e-200),
        (-0.5, 1e-09, 1.982008746201486e-09),
        (-0.5, 0.125, 0.22632510570089423),
        (-0.5, 0.75, 0.926192919504267),
        (-0.5, 2.0, 1.4482018571400304),
        (-0.5, 30.0, 1.930158009134508),
        (0.0, 1e-200, 1e-200),
        (0.0, 1e-09, 9.99999999373343e-10),
        (0.0, 0.125, 0.11582321611189574),
        (0.0, 0.75, 0.5007429582520923),
        (0.0, 2.0, 0.8319449080274458),
        (0.0, 30.0, 1.220017718243003),
        (0.5, 1e-200, 5.618177717731538e-201),
        (0.5, 1e-09, 5.618177714754261e-10),
        (0.5, 0.125, 0.06583074117466194),
        (0.5, 0.75, 0.29793411040606127),
        (0.5, 2.0, 0.5220993451238987),
        (0.5, 30.0, 0.8436127033911895),
        (1.0, 1e-200, 3.443204575812015e-201),
        (1.0, 1e-09, 3.4432045742552203e-10),
        (1.0, 0.125, 0.04072494626786874),
        (1.0, 0.75, 0.19137261437935632),
        (1.0, 2.0, 0.35108924370869515),
        (1.0, 30.0, 0.6234549408403618),
        (2.0, 1e-200, 1.5726154142389105e-201),
        (2.0, 1e-09, 1.57261541370468e-10),
        (2.0, 0.125, 0.0188546111583824),
        (2.0, 0.75, 0.09369091459750242),
        (2.0, 2.0, 0.18471684637449381),
        (2.0, 30.0, 0.3901496578928114),
        (5.0, 1e-200, 3.5959476423421173e-202),
        (5.0, 1e-09, 3.595947641691582e-11),
        (5.0, 0.125, 0.004395476207715483),
        (5.0, 0.75, 0.02373795430762169),
        (5.0, 2.0, 0.05270392126226552),
        (5.0, 30.0, 0.1642599428718065),
        (15.0, 1e-200, 4.386462651247396e-203),
        (15.0, 1e-09, 4.386462650958748e-12),
        (15.0, 0.125, 0.0005438343486524072),
        (15.0, 0.75, 0.0031350894925641034),
        (15.0, 2.0, 0.00775217084323423),
        (15.0, 30.0, 0.044162971320247796),
        (37.0, 1e-200, 7.288652902515657e-204),
        (37.0, 1e-09, 7.288652902319096e-13),
        (37.0, 0.125, 9.08020656248639e-05),
        (37.0, 0.75, 0.0005358114490579802),
        (37.0, 2.0, 0.001383127187428028),
        (37.0, 30.0, 0.01208527748831745),
    ];
}
