//! What the tests of the numeric modules share.

/// Fails unless `got` is `expected` up to a relative error.
#[track_caller]
pub fn assert_relative(got: f64, expected: f64, tolerance: f64) {
    let equal = got == expected || (got / expected - 1.0).abs() <= tolerance;
    assert!(equal, "{got:e} is not {expected:e}: relative error {:e}", got / expected - 1.0);
}

/// Composite Simpson rule with 2000 panels, independent of the library's own quadrature.
pub fn simpson(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    const PANELS: u32 = 2000;
    let step = (to - from) / f64::from(2 * PANELS);
    let at = |k: u32| f(from + step * f64::from(k));
    let sum: f64 = (0..PANELS).map(|k| at(2 * k) + 4.0 * at(2 * k + 1) + at(2 * k + 2)).sum();
    sum * step / 3.0
}
