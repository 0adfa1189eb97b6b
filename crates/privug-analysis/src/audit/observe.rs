//! What the attacker sees of each figure once the defences are in place.

use super::defence::Protection;
use super::release::Release;
use privug_engine::network::Affine;
use privug_engine::number::{Constants, Rational, Scalar};
use privug_engine::posterior::Observation;

/// What the attacker sees of a figure: itself, or a new variable that is the figure and noise. Each figure has noise of
/// its own, so one that followed from others does so no more.
///
/// A rounded figure is taken as if it were published unrounded. Rounding is a function of the figure, so that what it
/// tells is, on average, at most what the figure itself tells (data processing); as noise it would be taken to hide more
/// than it does.
pub(super) fn observation<S: Scalar>(
    release: &mut Release<S>,
    figure: usize,
    protection: &Protection,
) -> Observation<S> {
    let output = &release.outputs[figure];
    let Affine { node, scale, offset } = output.variable.clone();
    let variance = added_variance::<S>(protection, figure);
    let variable = if variance.is_zero() {
        Affine { node, scale, offset }
    } else {
        let node = release.network.push(offset, [(node, scale)], variance, output.span);
        Affine { node, scale: S::one(), offset: S::zero() }
    };
    Observation { variable, value: Some(output.value.clone()) }
}

/// σ² of the defence's noise.
pub(super) fn added_variance<S: Scalar>(protection: &Protection, figure: usize) -> S {
    S::from_f64(protection.noise_std[figure]).map_or(S::zero(), |std| std.mul(&std))
}

/// What is published of a figure: the nearest multiple of the unit and, from the middle, the even one, as Python and numpy
/// round; the value itself if there is no unit.
///
/// In doubles and in rationals alike this is decided with the decimals that the unit and a double are written as: 0.25 is
/// in the middle between 0.2 and 0.3.
pub(super) fn published<S: Scalar>(value: &S, unit: f64) -> f64 {
    let as_written = |value: f64| Rational::from_literal(&format!("{value:?}"));
    let Some(unit) = as_written(unit).filter(|unit| *unit > Rational::ZERO) else { return value.to_f64() };
    let exact = match value.to_exact_string() {
        Some(text) => text.parse::<Rational>().ok(),
        None => as_written(value.to_f64()),
    };
    let Some(exact) = exact else { return value.to_f64() };
    Constants::to_f64(&nearest_multiple(&exact, &unit))
}

fn nearest_multiple(value: &Rational, unit: &Rational) -> Rational {
    let steps = value / unit;
    let below = Rational::from(Scalar::floor(&steps));
    let half = Rational::ONE / Rational::from(2);
    let above = &below + Rational::ONE;
    let is_even = Scalar::floor(&(&below * &half)) == Scalar::floor(&(&above * &half));
    let rest = steps - &below;
    let multiple = if rest < half || (rest == half && is_even) { below } else { above };
    multiple * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_goes_to_the_nearest_multiple_and_from_the_middle_to_the_even_one() {
        let rounded = |value: f64| published(&value, 1000.0);
        assert_eq!(
            [1499.0, 1500.0, 2500.0, -1501.0, -1500.0, -500.0, 7.0].map(rounded),
            [1000.0, 2000.0, 2000.0, -2000.0, -2000.0, 0.0, 0.0]
        );
        assert_eq!(published(&7.25, 0.0), 7.25);
    }

    #[test]
    fn doubles_and_rationals_round_alike() {
        let tenths = [(0.25, 0.2), (0.35, 0.4), (0.05, 0.0), (0.15, 0.2), (-0.25, -0.2), (2.675, 2.7), (1e22, 1e22)];
        for (value, wanted) in tenths {
            let exact = Rational::from_literal(&format!("{value:?}")).expect("a decimal");
            assert_eq!((published(&value, 0.1), published(&exact, 0.1)), (wanted, wanted), "{value}");
        }
        // Two decimals, and what is no decimal at all.
        assert_eq!([0.125, 0.375, 1.005].map(|value| published(&value, 0.01)), [0.12, 0.38, 1.0]);
        let third = Rational::ONE / Rational::from(3);
        assert_eq!((published(&third, 0.01), published(&(1.0 / 3.0), 0.01)), (0.33, 0.33));
    }

    #[test]
    fn only_noise_hides_a_figure() {
        let protection = Protection { noise_std: vec![2.0], rounded_to: vec![6.0], ..Protection::default() };
        assert_eq!(added_variance::<Rational>(&protection, 0), Rational::from(4));
    }
}
