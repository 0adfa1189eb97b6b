//! Coefficients of products of powers of (q + p·x) with very many digits: computed modulo many primes, and put together.
//!
//! F = Π_d (q_d + p_d x)^(m_d) fulfils P·F′ = Q·F with P = Π_d (q_d + p_d x) and Q = P·Σ_d m_d p_d/(q_d + p_d x), which gives
//! each coefficient from as many earlier ones as there are different factors. Dividing by one factor leaves one summand
//! out: H_j = (F_j − p·H_{j−1})/q. Where there are very many different factors, they are multiplied as a tree ([`linear`], or
//! [`transform`] on processors without fused multiplications).
//! Modulo a prime all of it is exact, and the integers are found from their remainders.

use dashu_base::BitTest;
use dashu_int::UBig;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use super::lanes::{self, LANES};
use super::{linear, transform};
use crate::threads;

/// A factor: q, p, and how often it is there.
pub(super) struct Power {
    pub(super) no: UBig,
    pub(super) yes: UBig,
    pub(super) count: u64,
}

/// How long [`coefficients`] takes, in nanoseconds of one processor, roughly.
pub(super) fn work(powers: &[Power], k: u64, asked: u64) -> u64 {
    way(powers, k, asked).1
}

/// The fastest of the ways, and how long it takes.
fn way(powers: &[Power], k: u64, asked: u64) -> (Way, u64) {
    let kinds = powers.len() as u64;
    // The polynomials of the recurrence are multiplied out first.
    let recurrence = (5 * kinds)
        .saturating_mul(k + 1)
        .saturating_add((10 * kinds).saturating_mul(kinds))
        .saturating_add(k.saturating_mul(asked).saturating_mul(4));
    let degree = powers.iter().map(|power| power.count).fold(0, u64::saturating_add);
    let linear = if lanes::are_fast() { linear::cost(degree, k, asked) } else { None };
    let costs =
        [(Way::Recurrence, Some(recurrence)), (Way::Tree, transform::cost(degree, k, asked)), (Way::Linear, linear)];
    let times = |(way, cost): (Way, Option<u64>)| {
        cost.map(|cost| (way, cost.saturating_mul(primes_needed(powers, way.prime_bits()))))
    };
    let fastest = costs.into_iter().filter_map(times).min_by_key(|(_, work)| *work);
    fastest.unwrap_or((Way::Recurrence, u64::MAX))
}

/// How the remainders are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Recurrence,
    Tree,
    Linear,
}

impl Way {
    fn prime_bits(self) -> u32 {
        if self == Way::Linear { lanes::BITS } else { PRIME_BITS }
    }
}

/// All numbers that are looked for are at most F(1).
pub(super) fn bits(powers: &[Power]) -> u64 {
    powers.iter().map(|power| ((&power.no + &power.yes).bit_len() as u64).saturating_mul(power.count)).sum()
}

fn primes_needed(powers: &[Power], prime_bits: u32) -> u64 {
    bits(powers) / u64::from(prime_bits - 1) + 1
}

const PRIME_BITS: u32 = 61;

/// The coefficient of xᵏ in the product, and that of xᵏ⁻¹ in the product without one factor of each kind that is asked for;
/// k ≥ 1, and no factor is 0 anywhere.
pub(super) fn coefficients(powers: &[Power], k: usize, asked: &[bool]) -> (UBig, Vec<Option<UBig>>) {
    let people = asked.iter().filter(|asked| **asked).count() as u64;
    let (way, _) = way(powers, k as u64, people);
    found_by(way, powers, k, asked)
}

/// The same by one of the ways.
pub(super) fn found_by(way: Way, powers: &[Power], k: usize, asked: &[bool]) -> (UBig, Vec<Option<UBig>>) {
    let needed = primes_needed(powers, way.prime_bits()) as usize;
    let needed = if way == Way::Linear { needed.next_multiple_of(LANES) } else { needed };
    let primes = primes(powers, needed, way.prime_bits());
    let remainders: Vec<Vec<u64>> = threads::within(|| match way {
        Way::Recurrence => primes.par_iter().map(|field| field.by_recurrence(powers, k, asked)).collect(),
        Way::Tree => primes.par_iter().map(|field| transform::coefficients(field, powers, k, asked)).collect(),
        Way::Linear => {
            primes.par_chunks(LANES).flat_map(|fields| by_linear_factors(fields, powers, k, asked)).collect()
        }
    });
    let together = Remainders::new(&primes);
    let integer = |place: usize| {
        let column: Vec<u64> = remainders.iter().map(|row| row[place]).collect();
        together.integer(&column)
    };
    // Behind the first, one for each kind that is asked for.
    let mut place = 0;
    let places: Vec<Option<usize>> = asked
        .iter()
        .map(|asked| {
            place += usize::from(*asked);
            asked.then_some(place)
        })
        .collect();
    threads::within(|| {
        let without = places.par_iter().map(|place| place.map(integer)).collect();
        (integer(0), without)
    })
}

/// For each of eight primes what [`coefficients`] gives.
fn by_linear_factors(fields: &[Field], powers: &[Power], k: usize, asked: &[bool]) -> Vec<Vec<u64>> {
    let mut moduli = [0; LANES];
    for (modulus, field) in moduli.iter_mut().zip(fields) {
        *modulus = field.modulus;
    }
    let primes = lanes::Primes::new(&moduli);
    // Numbers that fit are below all primes.
    let of_integer = |value: &UBig| match u64::try_from(value) {
        Ok(value) if value < SMALL => primes.of(&[value; LANES]),
        _ => primes.of(&moduli.map(|modulus| value % modulus)),
    };
    let (mut of_asked, mut others) = (Vec::new(), Vec::new());
    for (power, asked) in powers.iter().zip(asked) {
        let factor = (of_integer(&power.no), of_integer(&power.yes));
        let rest = power.count - u64::from(*asked);
        if *asked {
            of_asked.push(factor);
        }
        others.extend(std::iter::repeat_n(factor, rest as usize));
    }
    let found = linear::coefficients(primes, &linear::Factors { asked: &of_asked, others: &others }, k);
    (0..fields.len()).map(|lane| found.iter().map(|values| values[lane]).collect()).collect()
}

/// All primes are larger.
const SMALL: u64 = 1 << (lanes::BITS - 1);

/// The first primes with so many bits that divide no factor at 0, and are 1 modulo the largest order of a transform.
fn primes(powers: &[Power], count: usize, bits: u32) -> Vec<Field> {
    let large: Vec<&UBig> = powers.iter().map(|power| &power.no).filter(|no| **no >= UBig::from(SMALL)).collect();
    let mut found = Vec::with_capacity(count);
    let mut candidate = (1u64 << bits) + 1;
    while found.len() < count {
        candidate -= 1 << transform::ORDER;
        let field = Field::new(candidate);
        if field.is_prime() && large.iter().all(|no| *no % candidate != 0) {
            found.push(field);
        }
    }
    found
}

/// Remainders modulo an odd number, in Montgomery's form: a stands for a·2⁶⁴.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    modulus: u64,
    /// −1/modulus mod 2⁶⁴
    inverse: u64,
    /// 2¹²⁸ mod modulus
    square: u64,
}

impl Field {
    fn new(modulus: u64) -> Self {
        let mut inverse = 1u64;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(modulus.wrapping_mul(inverse)));
        }
        let one = ((1u128 << 64) % u128::from(modulus)) as u64;
        let square = (u128::from(one) * u128::from(one) % u128::from(modulus)) as u64;
        Field { modulus, inverse: inverse.wrapping_neg(), square }
    }

    /// The largest prime below 2⁶¹ that is 1 modulo 2 to this many.
    #[cfg(test)]
    pub(super) fn largest(order: u32) -> Self {
        let mut candidates = (1..).map(|place: u64| Field::new((1 << PRIME_BITS) + 1 - (place << order)));
        candidates.find(Field::is_prime).expect("there is one")
    }

    pub(super) fn modulus(&self) -> u64 {
        self.modulus
    }

    /// value/2⁶⁴, for values below 2⁶⁴·modulus
    #[inline]
    fn reduced(&self, value: u128) -> u64 {
        let factor = (value as u64).wrapping_mul(self.inverse);
        let sum = (value + u128::from(factor) * u128::from(self.modulus)) >> 64;
        let sum = sum as u64;
        if sum >= self.modulus { sum - self.modulus } else { sum }
    }

    #[inline]
    pub(super) fn times(&self, a: u64, b: u64) -> u64 {
        self.reduced(u128::from(a) * u128::from(b))
    }

    #[inline]
    pub(super) fn minus(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.modulus - b }
    }

    #[inline]
    pub(super) fn plus(&self, a: u64, b: u64) -> u64 {
        self.minus(a, self.modulus - b)
    }

    pub(super) fn of(&self, value: u64) -> u64 {
        self.times(value % self.modulus, self.square)
    }

    pub(super) fn of_integer(&self, value: &UBig) -> u64 {
        self.of(value % self.modulus)
    }

    pub(super) fn plain(&self, value: u64) -> u64 {
        self.reduced(u128::from(value))
    }

    pub(super) fn power(&self, base: u64, mut exponent: u64) -> u64 {
        let (mut result, mut square) = (self.of(1), base);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.times(result, square);
            }
            square = self.times(square, square);
            exponent >>= 1;
        }
        result
    }

    pub(super) fn inverted(&self, value: u64) -> u64 {
        self.power(value, self.modulus - 2)
    }

    /// By Miller and Rabin; these bases are enough below 2⁶⁴.
    fn is_prime(&self) -> bool {
        let one = self.of(1);
        let minus_one = self.modulus - one;
        let twos = (self.modulus - 1).trailing_zeros();
        [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|base| {
            let mut value = self.power(self.of(*base), (self.modulus - 1) >> twos);
            if value == one || value == minus_one {
                return true;
            }
            (1..twos).any(|_| {
                value = self.times(value, value);
                value == minus_one
            })
        })
    }

    /// What [`coefficients`] gives, modulo the prime.
    pub(super) fn by_recurrence(&self, powers: &[Power], k: usize, asked: &[bool]) -> Vec<u64> {
        let kinds = powers.len();
        let mut ratios = Vec::with_capacity(kinds);
        let mut scale = self.of(1);
        // P = Π (1 + r_d x), and Q = Σ_d m_d r_d Π_{e≠d} (1 + r_e x) as P is built up.
        let (mut p, mut q) = (vec![self.of(1)], vec![0u64]);
        for power in powers {
            let no = self.of_integer(&power.no);
            let ratio = self.times(self.of_integer(&power.yes), self.inverted(no));
            scale = self.times(scale, self.power(no, power.count));
            let weight = self.times(self.of(power.count), ratio);
            q.push(0);
            for place in (0..q.len()).rev() {
                let lower = if place > 0 { self.times(q[place - 1], ratio) } else { 0 };
                let added = p.get(place).map_or(0, |entry| self.times(*entry, weight));
                q[place] = self.plus(self.plus(q[place], lower), added);
            }
            p.push(0);
            for place in (1..p.len()).rev() {
                p[place] = self.plus(p[place], self.times(p[place - 1], ratio));
            }
            ratios.push((ratio, no));
        }
        // (j + 1)·F_{j+1} = Σ_i Q_{i−1} F_{j+1−i} − P_i (j+1−i) F_{j+1−i}, i = 1, …; in reverse, so that both run forwards.
        let factors: Vec<(u64, u64)> =
            (1..=kinds).rev().map(|i| (q[i - 1], (self.modulus - p[i]) % self.modulus)).collect();
        let inverses = self.inverses(k);
        let mut f = vec![0u64; k + 1 + kinds];
        let mut times_place = vec![0u64; k + 1 + kinds];
        f[kinds] = self.of(1);
        for j in 0..k {
            let mut sum = 0u64;
            for ((parts, values), placed) in
                factors.chunks(16).zip(f[j + 1..].chunks(16)).zip(times_place[j + 1..].chunks(16))
            {
                // 32 products of 122 bits fit into 128.
                let mut wide = 0u128;
                for (((a, b), value), placed) in parts.iter().zip(values).zip(placed) {
                    wide += u128::from(*a) * u128::from(*value) + u128::from(*b) * u128::from(*placed);
                }
                let high = (wide >> 64) as u64 % self.modulus;
                sum = self.plus(sum, self.reduced(u128::from(high) << 64 | u128::from(wide as u64)));
            }
            times_place[kinds + j + 1] = sum;
            f[kinds + j + 1] = self.times(sum, inverses[j + 1]);
        }
        let chosen = ratios.iter().zip(asked).filter(|(_, asked)| **asked).map(|(ratio, _)| *ratio);
        let ratios: Vec<(u64, u64)> = chosen.collect();
        let mut without = vec![0u64; ratios.len()];
        for value in &f[kinds..kinds + k] {
            for (sum, (ratio, _)) in without.iter_mut().zip(&ratios) {
                *sum = self.minus(*value, self.times(*sum, *ratio));
            }
        }
        let mut found = vec![self.plain(self.times(f[kinds + k], scale))];
        for (sum, (_, no)) in without.iter().zip(&ratios) {
            found.push(self.plain(self.times(self.times(*sum, scale), self.inverted(*no))));
        }
        found
    }

    /// 1/0 (which is nothing), 1/1, …, 1/k
    fn inverses(&self, k: usize) -> Vec<u64> {
        // From the inverse of the product of all, one after the other.
        let mut products = vec![self.of(1)];
        for value in 1..=k as u64 {
            products.push(self.times(products[products.len() - 1], self.of(value)));
        }
        let mut inverse = self.inverted(products[k]);
        let mut inverses = vec![0; k + 1];
        for value in (1..=k).rev() {
            inverses[value] = self.times(inverse, products[value - 1]);
            inverse = self.times(inverse, self.of(value as u64));
        }
        inverses
    }
}

/// Integers from their remainders: Σ c_i·M/P_i mod M, with c_i = remainder / (M/P_i) mod P_i.
struct Remainders<'f> {
    fields: &'f [Field],
    /// 1/(M/P_i) mod P_i
    factors: Vec<u64>,
    products: Products,
}

/// The product of moduli, and how it was put together.
struct Products {
    product: UBig,
    halves: Option<Box<(Products, Products)>>,
}

impl Products {
    fn new(fields: &[Field]) -> Self {
        if let [only] = fields {
            return Products { product: UBig::from(only.modulus), halves: None };
        }
        let (left, right) = fields.split_at(fields.len() / 2);
        let (left, right) = (Products::new(left), Products::new(right));
        Products { product: &left.product * &right.product, halves: Some(Box::new((left, right))) }
    }

    fn combined(&self, parts: &[u64]) -> UBig {
        match &self.halves {
            None => UBig::from(parts[0]),
            Some(halves) => {
                let (left, right) = parts.split_at(parts.len() / 2);
                halves.0.combined(left) * &halves.1.product + halves.1.combined(right) * &halves.0.product
            }
        }
    }
}

impl<'f> Remainders<'f> {
    fn new(fields: &'f [Field]) -> Self {
        let factor = |(place, field): (usize, &Field)| {
            let others = fields.iter().enumerate().filter(|(other, _)| *other != place);
            let product = others.fold(field.of(1), |product, (_, other)| field.times(product, field.of(other.modulus)));
            field.inverted(product)
        };
        let factors = fields.iter().enumerate().map(factor).collect();
        Remainders { fields, factors, products: Products::new(fields) }
    }

    fn integer(&self, remainders: &[u64]) -> UBig {
        let parts: Vec<u64> = remainders
            .iter()
            .zip(self.fields)
            .zip(&self.factors)
            .map(|((value, field), factor)| field.times(*value, *factor))
            .collect();
        self.products.combined(&parts) % &self.products.product
    }
}
