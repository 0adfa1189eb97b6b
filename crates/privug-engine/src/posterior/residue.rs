//! Exact linear algebra on fingerprints: arithmetic modulo the prime 2⁶¹ − 1.
//!
//! Doubles are dyadic rationals, so every sum of products of them has an exact residue, however many digits it would
//! take to write it down. A row that depends on others depends on them modulo the prime as well; one that does not is
//! taken for a dependent one only if the prime divides its determinant, about once in 2⁶⁰. This is what tells "zero"
//! from "too small to see", which rounded arithmetic cannot.

use super::factor::Field;

/// The field's modulus.
const PRIME: u64 = (1 << 61) - 1;

/// Folds a number below 2¹²² into the field.
fn reduce(value: u128) -> u64 {
    let folded = (value as u64 & PRIME) + (value >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

/// a + b.
pub(super) fn add(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) + u128::from(b))
}

/// a − b.
pub(super) fn sub(a: u64, b: u64) -> u64 {
    add(a, PRIME - b)
}

/// a · b.
pub(super) fn mul(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) * u128::from(b))
}

/// 1 / a, for a ≠ 0: a^(p−2) by Fermat.
pub(super) fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut exponent) = (a, 1, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, power);
        }
        power = mul(power, power);
        exponent >>= 1;
    }
    result
}

/// The residue of a finite double m·2ᵉ; 2⁶¹ is 1 in this field, so the power is a rotation.
pub(super) fn of(value: f64) -> u64 {
    const FRACTION_BITS: u64 = 52;
    let bits = value.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = ((bits >> FRACTION_BITS) & 0x7ff) as i64;
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << FRACTION_BITS, biased - 1075) };
    let magnitude = reduce(u128::from(mantissa) << exponent.rem_euclid(61));
    if value < 0.0 { sub(0, magnitude) } else { magnitude }
}

/// A residue as an element of the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Residue(pub u64);

impl Residue {
    /// Stands for the variance of a source: any numbers do, since dependence does not depend on them. They are spread
    /// evenly over the field so that no row is orthogonal to itself by accident (SplitMix64).
    pub(super) fn variance_of(source: u32) -> Self {
        let mut x = (u64::from(source) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Residue(reduce(u128::from(x ^ (x >> 31))).max(1))
    }
}

impl Field for Residue {
    fn nought() -> Self {
        Residue(0)
    }

    fn plus(&self, other: &Self) -> Self {
        Residue(add(self.0, other.0))
    }

    fn minus(&self, other: &Self) -> Self {
        Residue(sub(self.0, other.0))
    }

    fn times(&self, other: &Self) -> Self {
        Residue(mul(self.0, other.0))
    }

    fn over(&self, other: &Self) -> Self {
        Residue(mul(self.0, inverse(other.0)))
    }

    fn vanishes(&self) -> bool {
        self.0 == 0
    }

    fn cost(&self) -> u64 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_of_doubles_add_and_multiply_exactly() {
        for (a, b) in [(0.1, 0.2), (-3.5, 1e300), (1.0 / 3.0, -1e-310), (0.0, 7.0)] {
            // Sterbenz-free check: the product through integers m·2ᵉ is what the definition says.
            assert_eq!(mul(of(a), of(b)), mul(of(b), of(a)));
            assert_eq!(add(of(a), of(-a)), 0);
        }
        assert_eq!(add(of(0.5), of(0.25)), of(0.75));
        assert_eq!(mul(of(1.5), of(-2.5)), of(-3.75));
        assert_eq!(mul(of(1e-200), of(2f64.powi(300))), of(1e-200 * 2f64.powi(300)));
        assert_ne!(add(of(0.1), of(0.2)), of(0.3));
    }

    #[test]
    fn an_inverse_undoes_a_product() {
        assert_eq!(mul(of(3.0), inverse(of(3.0))), 1);
        assert_eq!(mul(of(-0.1), inverse(of(-0.1))), 1);
    }
}
