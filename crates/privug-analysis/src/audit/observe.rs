//! What the attacker sees of each figure once the defences are in place.

use super::defence::Protection;
use super::release::Release;
use privug_engine::network::Affine;
use privug_engine::number::Scalar;
use privug_engine::posterior::Observation;

/// What the attacker sees of a figure: itself, or a new variable that is the figure and noise. Each figure has noise of
/// its own, so one that followed from others does so no more.
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
    Observation { variable, value: Some(rounded(&output.value, protection.rounded_to[figure])) }
}

/// σ² of the defence's noise, and b²/12 of its rounding.
pub(super) fn added_variance<S: Scalar>(protection: &Protection, figure: usize) -> S {
    let square = |value: f64| S::from_f64(value).map_or(S::zero(), |value| value.mul(&value));
    square(protection.noise_std[figure]).add(&square(protection.rounded_to[figure]).div(&S::from_i64(12)))
}

/// The nearest multiple of the unit, upwards from the middle; the value itself if there is no unit.
fn rounded<S: Scalar>(value: &S, unit: f64) -> S {
    let Some(unit) = S::from_f64(unit).filter(|unit| !unit.is_zero()) else { return value.clone() };
    let half = S::one().div(&S::from_i64(2));
    let multiple = S::from_integer(&value.div(&unit).add(&half).floor());
    multiple.map_or_else(|| value.clone(), |multiple| multiple.mul(&unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_engine::number::Rational;

    #[test]
    fn rounding_goes_to_the_nearest_multiple_and_has_the_variance_of_its_error() {
        assert_eq!([1499.0, 1500.0, -1501.0, 7.0].map(|value| rounded(&value, 1000.0)), [1000.0, 2000.0, -2000.0, 0.0]);
        assert_eq!(rounded(&7.25, 0.0), 7.25);
        let protection = Protection { noise_std: vec![2.0], rounded_to: vec![6.0], ..Protection::default() };
        // 2² + 6²/12.
        assert_eq!(added_variance::<Rational>(&protection, 0), Rational::from(7));
    }
}
