//! Exact linear algebra on fingerprints: arithmetic modulo two primes that no coefficients can be made for.
//!
//! Doubles are dyadic rationals, so every sum of products and quotients of them has an exact residue, however many digits
//! it would take to write it down. A row that depends on others depends on them modulo every prime; one that does not
//! is taken for a dependent one only if both primes divide its determinant. This is what tells "zero" from "too small to
//! see", which rounded arithmetic cannot.
//!
//! A fixed prime could be given coefficients that it divides. So the primes, between 2⁶⁰ and 2⁶¹, are drawn by a hash of
//! the network's coefficients: to change a coefficient is to draw again. A determinant of b bits has at most b/60 such
//! primes among 2.7·10¹⁶, so a wrong answer has a chance of (b/1.6·10¹⁸)²: below 10⁻²⁴ for a million bits. Nothing is
//! random: the same network has the same primes. Exact arithmetic does without. `docs/proofs/residues.md` says more.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::sync::Arc;

use super::factor::Field;
use crate::network::Network;
use crate::number::Scalar;

/// A number modulo both primes, times 2⁶⁴ (Montgomery's form).
pub(super) type Residues = [u64; 2];

/// Exponents of the last bits of doubles' mantissas.
const EXPONENTS: std::ops::RangeInclusive<i32> = -1074..=971;
const FRACTION_BITS: u64 = 52;

/// The two fields.
#[derive(Debug, Clone)]
pub(super) struct Primes(Arc<[PrimeField; 2]>);

#[derive(Debug)]
struct PrimeField {
    prime: u64,
    /// −1/prime modulo 2⁶⁴
    inverse: u64,
    one: u64,
    /// 2ᵉ·2¹²⁸ for each of the exponents.
    powers: Vec<u64>,
    /// Spreads what stands for variances over the field.
    seed: u64,
}

impl Primes {
    /// Drawn by all coefficients of a network.
    pub(super) fn of<S: Scalar>(network: &Network<S>) -> Self {
        let mut hasher = DefaultHasher::new();
        if !S::EXACT {
            network.hash_coefficients(&mut hasher);
        }
        Self::drawn(hasher.finish())
    }

    fn drawn(seed: u64) -> Self {
        let first = next_prime(scattered(seed));
        let second = (1..).map(|n| next_prime(scattered(seed.wrapping_add(n)))).find(|prime| *prime != first);
        let fields = [first, second.unwrap_or(first)].map(|prime| PrimeField::new(prime, seed));
        Primes(Arc::new(fields))
    }

    #[cfg(test)]
    pub(super) fn primes(&self) -> [u64; 2] {
        self.0.each_ref().map(|field| field.prime)
    }

    /// The number 1.
    pub(super) fn one(&self) -> Residues {
        self.0.each_ref().map(|field| field.one)
    }

    /// A finite double.
    pub(super) fn of_double(&self, value: f64) -> Residues {
        if value == 1.0 {
            return self.one();
        }
        let bits = value.to_bits();
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        let biased = ((bits >> FRACTION_BITS) & 0x7ff) as i32;
        let (mantissa, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << FRACTION_BITS, biased - 1075) };
        let place = (exponent - EXPONENTS.start()) as usize;
        self.0.each_ref().map(|field| {
            let magnitude = field.product(mantissa, field.powers[place]);
            if value < 0.0 { field.difference(0, magnitude) } else { magnitude }
        })
    }

    /// a + b·c
    pub(super) fn sum_of_product(&self, a: &Residues, b: &Residues, c: &Residues) -> Residues {
        self.plus(a, &self.times(b, c))
    }

    /// a / b; `None` if one of the primes divides b.
    pub(super) fn quotient(&self, a: &Residues, b: &Residues) -> Option<Residues> {
        self.is_unit(b).then(|| self.over(a, b))
    }

    /// Stands for the variance of a source: any numbers do, since dependence does not depend on them. They are spread
    /// evenly over the field so that no row is orthogonal to itself by accident.
    pub(super) fn variance_of(&self, source: u32) -> Residues {
        self.0.each_ref().map(|field| (scattered(field.seed ^ (u64::from(source) + 1)) % field.prime).max(1))
    }

    fn both(&self, a: &Residues, b: &Residues, operation: impl Fn(&PrimeField, u64, u64) -> u64) -> Residues {
        let [first, second] = &*self.0;
        [operation(first, a[0], b[0]), operation(second, a[1], b[1])]
    }
}

impl Field for Primes {
    type Element = Residues;

    fn nought(&self) -> Residues {
        [0, 0]
    }

    fn plus(&self, a: &Residues, b: &Residues) -> Residues {
        self.both(a, b, PrimeField::sum)
    }

    fn minus(&self, a: &Residues, b: &Residues) -> Residues {
        self.both(a, b, PrimeField::difference)
    }

    fn times(&self, a: &Residues, b: &Residues) -> Residues {
        self.both(a, b, PrimeField::product)
    }

    fn over(&self, a: &Residues, b: &Residues) -> Residues {
        self.both(a, b, |field, a, b| field.product(a, field.power(b, field.prime - 2)))
    }

    fn vanishes(&self, a: &Residues) -> bool {
        *a == [0, 0]
    }

    fn is_unit(&self, a: &Residues) -> bool {
        a[0] != 0 && a[1] != 0
    }

    fn cost(&self, _: &Residues) -> u64 {
        1
    }
}

impl PrimeField {
    fn new(prime: u64, seed: u64) -> Self {
        // Newton's iteration doubles the bits of 1/prime that are right; prime·prime ≡ 1 modulo 8 begins with three.
        let inverse = (0..5).fold(prime, |x, _| x.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(x))));
        let one = ((1u128 << 64) % u128::from(prime)) as u64;
        let mut field = PrimeField { prime, inverse: inverse.wrapping_neg(), one, powers: Vec::new(), seed };
        let half = prime / 2 + 1;
        let smallest = power_modulo(half, EXPONENTS.start().unsigned_abs().into(), prime);
        let mut power = multiply_modulo(multiply_modulo(one, one, prime), smallest, prime);
        for _ in EXPONENTS {
            field.powers.push(power);
            power = field.sum(power, power);
        }
        field
    }

    fn sum(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    fn difference(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.prime - b }
    }

    /// a·b/2⁶⁴, without a division.
    fn product(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let multiple = (product as u64).wrapping_mul(self.inverse);
        let reduced = ((product + u128::from(multiple) * u128::from(self.prime)) >> 64) as u64;
        if reduced >= self.prime { reduced - self.prime } else { reduced }
    }

    /// aᵉ; a^(p−2) is 1/a by Fermat.
    fn power(&self, a: u64, mut exponent: u64) -> u64 {
        let (mut power, mut result) = (a, self.one);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.product(result, power);
            }
            power = self.product(power, power);
            exponent >>= 1;
        }
        result
    }
}

/// Spreads numbers evenly (SplitMix64).
fn scattered(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The first prime from the lowest 60 bits above 2⁶⁰.
fn next_prime(bits: u64) -> u64 {
    const SIXTY: u64 = 1 << 60;
    let mut candidate = SIXTY | (bits & (SIXTY - 1)) | 1;
    while !is_prime(candidate) {
        // There is always one within a few hundred steps.
        candidate = if candidate + 2 < 2 * SIXTY { candidate + 2 } else { SIXTY + 1 };
    }
    candidate
}

/// Miller and Rabin's test; with these bases it is certain for all numbers of 64 bits.
fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if number < 2 || BASES.iter().any(|base| number.is_multiple_of(*base)) {
        return BASES.contains(&number);
    }
    let twos = (number - 1).trailing_zeros();
    let odd = (number - 1) >> twos;
    BASES.iter().all(|base| {
        let mut power = power_modulo(*base, odd, number);
        if power == 1 || power == number - 1 {
            return true;
        }
        (1..twos).any(|_| {
            power = multiply_modulo(power, power, number);
            power == number - 1
        })
    })
}

fn multiply_modulo(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power_modulo(a: u64, mut exponent: u64, modulus: u64) -> u64 {
    let (mut power, mut result) = (a % modulus, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply_modulo(result, power, modulus);
        }
        power = multiply_modulo(power, power, modulus);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_language::source::Span;

    fn primes() -> Primes {
        Primes::drawn(7)
    }

    #[test]
    fn residues_of_doubles_add_and_multiply_exactly() {
        let primes = primes();
        let of = |value: f64| primes.of_double(value);
        for (a, b) in [(0.1, 0.2), (-3.5, 1e300), (1.0 / 3.0, -1e-310), (0.0, 7.0)] {
            assert_eq!(primes.times(&of(a), &of(b)), primes.times(&of(b), &of(a)));
            assert!(primes.vanishes(&primes.plus(&of(a), &of(-a))));
        }
        assert_eq!(primes.plus(&of(0.5), &of(0.25)), of(0.75));
        assert_eq!(primes.times(&of(1.5), &of(-2.5)), of(-3.75));
        assert_eq!(primes.times(&of(1e-200), &of(2f64.powi(300))), of(1e-200 * 2f64.powi(300)));
        assert_ne!(primes.plus(&of(0.1), &of(0.2)), of(0.3));
        assert_eq!(primes.times(&of(1.0), &of(0.3)), of(0.3));
        assert_eq!(of(f64::from_bits(1)), primes.times(&of(2f64.powi(-600)), &of(2f64.powi(-474))));
    }

    #[test]
    fn a_quotient_undoes_a_product() {
        let primes = primes();
        for value in [3.0, -0.1, 1e300] {
            let residue = primes.of_double(value);
            assert_eq!(primes.over(&residue, &residue), primes.one());
        }
        assert_eq!(primes.quotient(&primes.one(), &primes.nought()), None);
        let third = primes.over(&primes.one(), &primes.of_double(3.0));
        assert_eq!(primes.times(&third, &primes.of_double(3.0)), primes.one());
    }

    #[test]
    fn primes_are_known_when_they_are_seen() {
        let primes = [2, 3, 37, 41, 1_000_000_007, (1 << 61) - 1, 18_446_744_073_709_551_557];
        assert!(primes.into_iter().all(is_prime));
        // Carmichael numbers, strong pseudoprimes to the first bases, and a square.
        let others = [1, 561, 3_215_031_751, 3_825_123_056_546_413_051, ((1 << 30) - 35) * ((1 << 30) - 35)];
        assert!(!others.into_iter().any(is_prime));
    }

    #[test]
    fn other_coefficients_draw_other_primes() {
        let network = |weight: f64| {
            let mut network: Network<f64> = Network::default();
            let x = network.push(0.0, [], 1.0, Span::START);
            network.push(0.0, [(x, weight)], 0.0, Span::START);
            network
        };
        let drawn = |weight: f64| Primes::of(&network(weight)).primes();
        assert_eq!(drawn(0.1), drawn(0.1));
        assert_ne!(drawn(0.1)[0], drawn(0.2)[0]);
        assert_ne!(drawn(0.1)[0], drawn(0.1)[1]);
    }
}
