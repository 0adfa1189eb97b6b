//! Noise for a promise: the variance with which a statistic of known sensitivity is (ε, δ)-differentially private.

use std::fmt;

use super::privacy_curve::{gaussian_delta, mu_of_noise, ratio, rho_of_noise, smallest_double};

/// Which theorem chooses the noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// σ² = 2Δ²·ln(1.25/δ)/ε²: Dwork & Roth, "The algorithmic foundations of differential privacy" (2014), theorem A.1.
    Classic,
    /// The smallest σ there is: Balle & Wang, "Improving the Gaussian mechanism for differential privacy" (ICML 2018).
    Analytic,
}

impl Method {
    /// The name programs call it by.
    pub fn name(self) -> &'static str {
        match self {
            Method::Classic => "classic",
            Method::Analytic => "analytic",
        }
    }

    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Method::Classic, Method::Analytic].into_iter().find(|method| method.name() == name)
    }
}

/// Gaussian noise and what it guarantees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// Δ: the most by which one person changes the statistic.
    pub sensitivity: f64,
    /// ε of (ε, δ)-differential privacy.
    pub epsilon: f64,
    /// δ of (ε, δ)-differential privacy.
    pub delta: f64,
    /// The theorem that was used.
    pub method: Method,
    /// σ² of the noise.
    pub variance: f64,
    /// σ of the noise.
    pub std_dev: f64,
    /// ρ of zero-concentrated differential privacy.
    pub rho_zcdp: f64,
    /// μ of Gaussian differential privacy.
    pub mu_gdp: f64,
}

/// Why there is no such noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CalibrationError {
    /// The sensitivity is not a positive number. 0 is refused: a statistic that no person changes needs no mechanism,
    /// and a noise of variance 0 would look like protection.
    Sensitivity {
        /// The value given.
        sensitivity: f64,
    },
    /// ε is not a positive number.
    Epsilon {
        /// The value given.
        epsilon: f64,
    },
    /// δ is not between 0 and 1; below 2.3e-308, doubles lose their digits.
    Delta {
        /// The value given.
        delta: f64,
    },
    /// The classic formula is a theorem for ε < 1 only.
    ClassicNeedsSmallEpsilon {
        /// The value given.
        epsilon: f64,
    },
    /// The noise is too large or too small for its variance to be a double.
    OutOfRange {
        /// The standard deviation that it would have.
        std_dev: f64,
    },
}

impl fmt::Display for CalibrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CalibrationError::Sensitivity { sensitivity } => {
                write!(f, "the sensitivity must be a positive number, not {sensitivity}")
            }
            CalibrationError::Epsilon { epsilon } => write!(f, "epsilon must be a positive number, not {epsilon}"),
            CalibrationError::Delta { delta } => write!(f, "delta must be greater than 0 and less than 1, not {delta}"),
            CalibrationError::ClassicNeedsSmallEpsilon { epsilon } => {
                write!(f, "the classic calibration is proved for epsilon < 1 only, not for {epsilon}")
            }
            CalibrationError::OutOfRange { std_dev } => {
                write!(f, "noise with standard deviation {std_dev:e} is out of the range of numbers")
            }
        }
    }
}

impl std::error::Error for CalibrationError {}

/// The noise that a method chooses.
pub fn calibrate(method: Method, sensitivity: f64, epsilon: f64, delta: f64) -> Result<Calibration, CalibrationError> {
    match method {
        Method::Classic => classic(sensitivity, epsilon, delta),
        Method::Analytic => analytic(sensitivity, epsilon, delta),
    }
}

/// σ² = 2Δ²·ln(1.25/δ)/ε², for 0 < ε < 1.
pub fn classic(sensitivity: f64, epsilon: f64, delta: f64) -> Result<Calibration, CalibrationError> {
    validate(sensitivity, epsilon, delta)?;
    if epsilon >= 1.0 {
        return Err(CalibrationError::ClassicNeedsSmallEpsilon { epsilon });
    }
    let scale = sensitivity / epsilon;
    let doubled_log = 2.0 * (1.25 / delta).ln();
    let variance = doubled_log * (scale * scale);
    in_range(Method::Classic, sensitivity, epsilon, delta, scale * doubled_log.sqrt(), variance)
}

/// The smallest σ with Φ(Δ/(2σ) − εσ/Δ) − e^ε·Φ(−Δ/(2σ) − εσ/Δ) ≤ δ, for every ε > 0.
///
/// On the safe side: the σ returned satisfies the inequality in exact arithmetic, and exceeds the smallest one by a few
/// units in the last place; the variance is rounded up.
pub fn analytic(sensitivity: f64, epsilon: f64, delta: f64) -> Result<Calibration, CalibrationError> {
    validate(sensitivity, epsilon, delta)?;
    // σ/Δ depends on ε and δ only. Outside this range the variance would not be a number for most sensitivities,
    // and the pairs of doubles underflow.
    const SMALLEST: f64 = 1e-150;
    const LARGEST: f64 = 1e150;
    let enough = |multiplier: f64| gaussian_delta(epsilon, ratio(1.0, multiplier)).is_surely_at_most(delta);
    let multiplier = smallest_double(SMALLEST, LARGEST, enough)
        .filter(|multiplier| *multiplier > SMALLEST)
        .ok_or(CalibrationError::OutOfRange { std_dev: if epsilon > 1.0 { 0.0 } else { f64::INFINITY } })?;
    // Rounding upwards, or half a unit could be missing.
    let std_dev = (sensitivity * multiplier).next_up();
    in_range(Method::Analytic, sensitivity, epsilon, delta, std_dev, (std_dev * std_dev).next_up())
}

fn validate(sensitivity: f64, epsilon: f64, delta: f64) -> Result<(), CalibrationError> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    if !positive(sensitivity) {
        Err(CalibrationError::Sensitivity { sensitivity })
    } else if !positive(epsilon) {
        Err(CalibrationError::Epsilon { epsilon })
    } else if !(f64::MIN_POSITIVE..1.0).contains(&delta) {
        Err(CalibrationError::Delta { delta })
    } else {
        Ok(())
    }
}

fn in_range(
    method: Method,
    sensitivity: f64,
    epsilon: f64,
    delta: f64,
    std_dev: f64,
    variance: f64,
) -> Result<Calibration, CalibrationError> {
    if !(std_dev.is_normal() && variance.is_normal()) {
        return Err(CalibrationError::OutOfRange { std_dev });
    }
    Ok(Calibration {
        sensitivity,
        epsilon,
        delta,
        method,
        variance,
        std_dev,
        rho_zcdp: rho_of_noise(sensitivity, std_dev),
        mu_gdp: mu_of_noise(sensitivity, std_dev),
    })
}

#[cfg(test)]
mod tests {
    use super::super::privacy_curve::delta_of_noise;
    use super::*;
    use crate::gaussian::testing::assert_relative;
    use proptest::prelude::*;

    /// (ε, δ, σ/Δ): mpmath, 400 digits, by bisection on the inequality.
    const SMALLEST_NOISE: [(f64, f64, f64); 90] = [
        (1e-06, 1e-300, 36475988.4809531),
        (1e-06, 1e-100, 20321506.70841061),
        (1e-06, 1e-20, 7123425.298860484),
        (1e-06, 1e-10, 3062226.806319281),
        (1e-06, 1e-05, 38021.98146874745),
        (1e-06, 0.01, 39.89120889511046),
        (1e-06, 0.3, 1.2976195933325736),
        (1e-06, 0.5, 0.7413006769311044),
        (1e-06, 0.75, 0.4346504432163569),
        (1e-06, 0.999, 0.15195134986734596),
        (0.001, 1e-300, 36664.4700954285),
        (0.001, 1e-100, 20656.29593228238),
        (0.001, 1e-20, 7993.139763279377),
        (0.001, 1e-10, 4584.218227174257),
        (0.001, 1e-05, 1724.2590335838074),
        (0.001, 0.01, 38.039005484469236),
        (0.001, 0.3, 1.2960329894186775),
        (0.001, 0.5, 0.7408691851956264),
        (0.001, 0.75, 0.4345358910483454),
        (0.001, 0.999, 0.15194486090366124),
        (0.1, 1e-300, 367.909238577685),
        (0.1, 1e-100, 208.78885993163667),
        (0.1, 1e-20, 85.33328230163481),
        (0.1, 1e-10, 54.20629583690127),
        (0.1, 1e-05, 30.74956613197745),
        (0.1, 0.01, 9.541823088828854),
        (0.1, 0.3, 1.162579132970101),
        (0.1, 0.5, 0.7016745806207029),
        (0.1, 0.75, 0.42366639408984474),
        (0.1, 0.999, 0.1513069906030718),
        (0.9, 1e-300, 40.95699238136408),
        (0.9, 1e-100, 23.335627992975887),
        (0.9, 1e-20, 9.801445376903455),
        (0.9, 1e-10, 6.492648615110191),
        (0.9, 1e-05, 4.106624331723852),
        (0.9, 0.01, 2.032333048278949),
        (0.9, 0.3, 0.7171900806742617),
        (0.9, 0.5, 0.5209269028819519),
        (0.9, 0.75, 0.3599270009517109),
        (0.9, 0.999, 0.1464982744424745),
        (1.0, 1e-300, 36.8654978941111),
        (1.0, 1e-100, 21.00940904230062),
        (1.0, 1e-20, 8.838226921980592),
        (1.0, 1e-10, 5.867777749630527),
        (1.0, 1e-05, 3.730631634815942),
        (1.0, 0.01, 1.877875560907386),
        (1.0, 0.3, 0.6902305800145992),
        (1.0, 0.5, 0.5070650314763313),
        (1.0, 0.75, 0.3539868769566322),
        (1.0, 0.999, 0.14593662849172467),
        (5.0, 1e-300, 7.392600628656653),
        (5.0, 1e-100, 4.235812990259901),
        (5.0, 1e-20, 1.8440834551613439),
        (5.0, 1e-10, 1.2807779778932222),
        (5.0, 1e-05, 0.891868264951518),
        (5.0, 0.01, 0.5693793788250033),
        (5.0, 0.3, 0.33892872555217207),
        (5.0, 0.5, 0.2892331706126245),
        (5.0, 0.75, 0.2368548762496498),
        (5.0, 0.999, 0.12841562347815558),
        (50.0, 1e-300, 0.7524165537273007),
        (50.0, 1e-100, 0.4456968618077366),
        (50.0, 1e-20, 0.22688162515027893),
        (50.0, 1e-10, 0.18029422294241373),
        (50.0, 1e-05, 0.149760607560836),
        (50.0, 0.01, 0.12460112363122812),
        (50.0, 0.3, 0.10432102213698534),
        (50.0, 0.5, 0.09901784387823793),
        (50.0, 0.75, 0.09259785414634823),
        (50.0, 0.999, 0.07318361056095903),
        (1000.0, 1e-300, 0.047537660132243156),
        (1000.0, 1e-100, 0.03537954128993731),
        (1000.0, 1e-20, 0.027451695616727216),
        (1000.0, 1e-10, 0.025752834505378033),
        (1000.0, 1e-05, 0.024581783351654278),
        (1000.0, 0.01, 0.02354203627076109),
        (1000.0, 0.3, 0.02261305016040157),
        (1000.0, 0.5, 0.022349509669530743),
        (1000.0, 0.75, 0.022015059663523674),
        (1000.0, 0.999, 0.020858850265154032),
        (10000.0, 1e-300, 0.009161526577279082),
        (10000.0, 1e-100, 0.008213860200279416),
        (10000.0, 1e-20, 0.007548945762958995),
        (10000.0, 1e-10, 0.007395907221698326),
        (10000.0, 1e-05, 0.007287157452781052),
        (10000.0, 0.01, 0.007187979563148492),
        (10000.0, 0.3, 0.007096980961268642),
        (10000.0, 0.5, 0.007070714290879436),
        (10000.0, 0.75, 0.0070370727514825334),
        (10000.0, 0.999, 0.006917902137261696),
    ];

    #[test]
    fn the_papers_noise_is_reproduced() {
        // Δ = (520 000 − 410 000)/10: 2·11000²·ln(125)/0.81.
        let noise = classic(11_000.0, 0.9, 0.01).expect("valid");
        assert_eq!(noise.variance.round(), 1_442_533_240.0);
        assert_relative(noise.variance, 2.0 * 121e6 * 125f64.ln() / 0.81, 1e-15);
        assert_relative(noise.std_dev, noise.variance.sqrt(), 1e-15);
    }

    #[test]
    fn the_analytic_noise_is_the_smallest_to_the_last_digits_and_never_below_it() {
        for (epsilon, delta, expected) in SMALLEST_NOISE {
            let std_dev = analytic(1.0, epsilon, delta).expect("valid").std_dev;
            assert!(std_dev >= expected, "{epsilon} {delta:e}: {std_dev} is below {expected}");
            // The bound of the curve is 5e-15, and δ changes by nearly as much of itself as σ does.
            assert_relative(std_dev, expected, 9e-15);
        }
    }

    #[test]
    fn a_little_less_noise_breaks_the_promise() {
        for (epsilon, delta, _) in SMALLEST_NOISE {
            for sensitivity in [1.0, 11_000.0, 3e-7] {
                let noise = analytic(sensitivity, epsilon, delta).expect("valid");
                let promise = |std_dev: f64| delta_of_noise(epsilon, sensitivity, std_dev);
                assert!(promise(noise.std_dev) <= delta);
                assert!(promise(noise.variance.sqrt()) <= delta);
                assert!(promise(noise.std_dev * (1.0 - 1e-9)) > delta, "{epsilon} {delta}");
            }
        }
    }

    #[test]
    fn the_classic_noise_keeps_the_promise_with_room_to_spare() {
        for epsilon in [1e-6, 0.01, 0.5, 0.999] {
            for delta in [1e-300, 1e-10, 0.01, 0.5, 0.99] {
                let noise = classic(1.0, epsilon, delta).expect("valid");
                assert!(delta_of_noise(epsilon, 1.0, noise.std_dev) <= delta);
                assert!(analytic(1.0, epsilon, delta).expect("valid").variance < noise.variance);
            }
        }
    }

    #[test]
    fn the_other_currencies_of_the_same_noise_are_given() {
        let noise = classic(11_000.0, 0.9, 0.01).expect("valid");
        assert_relative(noise.mu_gdp, 11_000.0 / noise.std_dev, 1e-15);
        // ρ = Δ²/(2σ²) = ε²/(4 ln(1.25/δ)).
        assert_relative(noise.rho_zcdp, 0.81 / (4.0 * 125f64.ln()), 1e-15);
    }

    #[test]
    fn what_cannot_be_promised_is_refused_with_the_value() {
        let error =
            |sensitivity, epsilon, delta| analytic(sensitivity, epsilon, delta).expect_err("invalid").to_string();
        assert_eq!(error(0.0, 1.0, 0.1), "the sensitivity must be a positive number, not 0");
        assert_eq!(error(f64::NAN, 1.0, 0.1), "the sensitivity must be a positive number, not NaN");
        assert_eq!(error(f64::INFINITY, 1.0, 0.1), "the sensitivity must be a positive number, not inf");
        assert_eq!(error(1.0, -0.5, 0.1), "epsilon must be a positive number, not -0.5");
        assert_eq!(error(1.0, 1.0, 1.0), "delta must be greater than 0 and less than 1, not 1");
        assert_eq!(error(1.0, 1.0, 0.0), "delta must be greater than 0 and less than 1, not 0");
        assert_eq!(classic(1.0, 1.0, 0.1), Err(CalibrationError::ClassicNeedsSmallEpsilon { epsilon: 1.0 }),);
        assert!(matches!(analytic(1e300, 0.1, 0.1), Err(CalibrationError::OutOfRange { .. })));
        assert!(matches!(analytic(1e-300, 0.1, 0.1), Err(CalibrationError::OutOfRange { .. })));
        assert!(matches!(analytic(1.0, 1e-305, 1e-305), Err(CalibrationError::OutOfRange { .. })));
    }

    #[test]
    fn methods_are_known_by_name() {
        for method in [Method::Classic, Method::Analytic] {
            assert_eq!(Method::from_name(method.name()), Some(method));
        }
        assert_eq!(Method::from_name("none"), None);
    }

    proptest! {
        #[test]
        fn noise_scales_with_the_sensitivity_and_falls_with_epsilon_and_delta(
            epsilon_scale in -6.0..4.0f64, delta_scale in -300.0..-0.001f64, sensitivity in 1e-3..1e6f64,
        ) {
            let (epsilon, delta) = (10f64.powf(epsilon_scale), 10f64.powf(delta_scale));
            let std_dev = |sensitivity, epsilon, delta| analytic(sensitivity, epsilon, delta).expect("valid").std_dev;
            let unit = std_dev(1.0, epsilon, delta);
            prop_assert!((std_dev(sensitivity, epsilon, delta) / (sensitivity * unit) - 1.0).abs() < 1e-15);
            prop_assert!(std_dev(1.0, 1.1 * epsilon, delta) < unit);
            prop_assert!(std_dev(1.0, epsilon, delta.powf(0.9)) < unit);
        }

        #[test]
        fn no_input_panics(sensitivity in any::<f64>(), epsilon in any::<f64>(), delta in any::<f64>()) {
            for method in [Method::Classic, Method::Analytic] {
                if let Ok(noise) = calibrate(method, sensitivity.abs(), epsilon.abs(), delta.abs().fract()) {
                    prop_assert!(noise.variance.is_normal() && noise.std_dev.is_normal());
                }
                let _ = calibrate(method, sensitivity, epsilon, delta);
            }
        }
    }
}
