//! What is taken for granted about numbers that were rounded before they came here.

/// Mantissas up to this length are exact: one of a rounded number ends so early once in 2¹³ times, and those are known
/// where they come from (see `evaluate/literals.rs`). Longer ones have probably been rounded.
pub(super) const EXACT_MANTISSA_BITS: u32 = 40;

/// Bound on the relative error of a number that [was rounded](super::Scalar::is_rounded) before it met a random variable:
/// by a decimal that is no double, or by a few operations of the program.
pub const NUMBER_ERROR: f64 = 4.440_892_098_500_626e-16; // 2⁻⁵¹

/// Values that were written as doubles and agree up to this many units in the last place are the same published figure.
pub const VALUE_TOLERANCE_ULPS: f64 = 64.0;
