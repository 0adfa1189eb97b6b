//! Products of very many polynomials modulo a prime, by a tree of transforms: where nearly every factor is another one.
//!
//! The primes are 1 modulo 2²⁰, so that they have roots of unity of these orders: a product of two polynomials is one of
//! their values at such roots, which are found in n·log(n) steps, and so is the way back. All polynomials are cut off behind
//! the coefficient that is asked for.

use super::residues::{Field, Power};

/// Transforms have at most 2 to this many values.
pub(super) const ORDER: u32 = 20;
/// Shorter polynomials are multiplied term by term.
const SHORT: usize = 48;

/// How long the tree takes for one prime, in nanoseconds, roughly; `None` if it is too long for it.
pub(super) fn cost(degree: u64, k: u64, asked: u64) -> Option<u64> {
    let bits = u64::from(degree.max(2).ilog2()) + 1;
    let fits = 2 * (k + 1) <= 1 << ORDER;
    fits.then(|| degree.saturating_mul(7 * bits * bits).saturating_add(k.saturating_mul(asked).saturating_mul(4)))
}

/// The roots of unity modulo a prime, of all orders up to one.
struct Roots<'f> {
    field: &'f Field,
    /// For each order 2, 4, 8, …: the first half of its powers, and those of its inverse.
    orders: Vec<(Vec<u64>, Vec<u64>)>,
}

impl<'f> Roots<'f> {
    fn new(field: &'f Field, size: usize) -> Self {
        let levels = size.trailing_zeros();
        let one = field.of(1);
        // A root of order 2²⁰ is a power of a number that is no square.
        let root = (2..)
            .map(|base| field.power(field.of(base), (field.modulus() - 1) >> ORDER))
            .find(|root| field.power(*root, 1 << (ORDER - 1)) != one)
            .unwrap_or(one);
        let mut orders = Vec::with_capacity(levels as usize);
        for level in 1..=levels {
            let root = field.power(root, 1 << (ORDER - level));
            let half = 1usize << (level - 1);
            let mut powers = Vec::with_capacity(half);
            let mut power = one;
            for _ in 0..half {
                powers.push(power);
                power = field.times(power, root);
            }
            // 1/wʲ = −w^(half − j)
            let mut inverses = vec![one];
            inverses.extend((1..half).map(|j| field.minus(0, powers[half - j])));
            orders.push((powers, inverses));
        }
        Roots { field, orders }
    }

    /// The values at the roots of unity, in an order of their own.
    fn forwards(&self, values: &mut [u64]) {
        let field = self.field;
        let levels = values.len().trailing_zeros() as usize;
        for (powers, _) in self.orders[..levels].iter().rev() {
            for block in values.chunks_exact_mut(2 * powers.len()) {
                let (low, high) = block.split_at_mut(powers.len());
                for ((a, b), power) in low.iter_mut().zip(high).zip(powers) {
                    let (sum, difference) = (field.plus(*a, *b), field.minus(*a, *b));
                    *a = sum;
                    *b = field.times(difference, *power);
                }
            }
        }
    }

    /// The coefficients, from values in that order, each multiplied by how many there are.
    fn backwards(&self, values: &mut [u64]) {
        let field = self.field;
        let levels = values.len().trailing_zeros() as usize;
        for (_, inverses) in &self.orders[..levels] {
            for block in values.chunks_exact_mut(2 * inverses.len()) {
                let (low, high) = block.split_at_mut(inverses.len());
                for ((a, b), power) in low.iter_mut().zip(high).zip(inverses) {
                    let (first, second) = (*a, field.times(*b, *power));
                    *a = field.plus(first, second);
                    *b = field.minus(first, second);
                }
            }
        }
    }

    /// The first `length` coefficients of a product.
    fn product(&self, mut a: Vec<u64>, mut b: Vec<u64>, length: usize) -> Vec<u64> {
        let field = self.field;
        let all = a.len() + b.len() - 1;
        if a.len().min(b.len()) < SHORT {
            let mut product = vec![0u64; all.min(length)];
            for (shift, factor) in b.iter().enumerate().take(length) {
                for (sum, term) in product[shift..].iter_mut().zip(&a) {
                    *sum = field.plus(*sum, field.times(*term, *factor));
                }
            }
            return product;
        }
        let size = all.next_power_of_two();
        a.resize(size, 0);
        b.resize(size, 0);
        self.forwards(&mut a);
        self.forwards(&mut b);
        let scale = field.inverted(field.of(size as u64));
        for (value, other) in a.iter_mut().zip(&b) {
            *value = field.times(field.times(*value, *other), scale);
        }
        self.backwards(&mut a);
        a.truncate(all.min(length));
        a
    }

    /// The first `length` coefficients of the product of all factors.
    fn product_of_all(&self, factors: &[(u64, u64, u64)], length: usize) -> Vec<u64> {
        let field = self.field;
        let degree: u64 = factors.iter().map(|(_, _, count)| count).sum();
        if degree <= SHORT as u64 {
            let mut product = Vec::with_capacity(degree as usize + 1);
            product.push(field.of(1));
            for (no, yes, count) in factors {
                for _ in 0..*count {
                    product.push(0);
                    for place in (1..product.len()).rev() {
                        let lower = field.times(product[place - 1], *yes);
                        product[place] = field.plus(field.times(product[place], *no), lower);
                    }
                    product[0] = field.times(product[0], *no);
                }
            }
            product.truncate(length);
            return product;
        }
        if let [(no, yes, count)] = factors {
            // The halves of a power are equal, but for one factor.
            let half = self.product_of_all(&[(*no, *yes, count / 2)], length);
            let other = self.product_of_all(&[(*no, *yes, count - count / 2)], length);
            return self.product(half, other, length);
        }
        let mut so_far = 0;
        let middle = factors.iter().take_while(|(_, _, count)| {
            so_far += count;
            2 * so_far <= degree
        });
        let middle = middle.count().clamp(1, factors.len() - 1);
        let (left, right) = factors.split_at(middle);
        self.product(self.product_of_all(left, length), self.product_of_all(right, length), length)
    }
}

/// The coefficient of xᵏ in the product, and that of xᵏ⁻¹ in the product without one factor of each kind that is asked for,
/// modulo a prime.
pub(super) fn coefficients(field: &Field, powers: &[Power], k: usize, asked: &[bool]) -> Vec<u64> {
    let roots = Roots::new(field, (2 * (k + 1)).next_power_of_two());
    let factor = |power: &Power| (field.of_integer(&power.no), field.of_integer(&power.yes), power.count);
    let factors: Vec<(u64, u64, u64)> = powers.iter().map(factor).collect();
    let all = roots.product_of_all(&factors, k + 1);
    let mut found = vec![field.plain(all.get(k).copied().unwrap_or(0))];
    for ((no, yes, _), _) in factors.iter().zip(asked).filter(|(_, asked)| **asked) {
        // H = F/(q + p·x): q·H_j = F_j − (p/q)·(q·H_{j−1})
        let inverse = field.inverted(*no);
        let ratio = field.times(*yes, inverse);
        let sum = all[..k].iter().fold(0, |sum, value| field.minus(*value, field.times(sum, ratio)));
        found.push(field.plain(field.times(sum, inverse)));
    }
    found
}

#[cfg(test)]
mod tests {
    use dashu_int::UBig;

    use super::*;
    use crate::counts::residues::{Way, coefficients as of_residues, found_by};

    /// The ways give the same remainders and the same integers, where all are used.
    #[test]
    fn the_tree_and_the_recurrence_agree() {
        for (n, k) in [(50u64, 7usize), (300, 120), (1000, 250), (1000, 3)] {
            let power = |i: u64| Power {
                no: UBig::from(1 + (i * 7919) % 1009),
                yes: UBig::from(1 + (i * 104_729) % 997),
                count: 1 + i % 3,
            };
            let powers: Vec<Power> = (0..n).map(power).collect();
            let asked: Vec<bool> = (0..n).map(|i| i % 97 == 0).collect();
            let field = Field::largest(ORDER);
            assert_eq!(coefficients(&field, &powers, k, &asked), field.by_recurrence(&powers, k, &asked), "{n} {k}");
        }
    }

    /// For few people, for many, for everybody; degrees around powers of 2; numbers that are larger than the primes.
    #[test]
    fn linear_factors_are_multiplied_as_by_the_recurrence() {
        for (n, k, every) in [(1u64, 1usize, 1u64), (15, 6, 4), (16, 5, 1), (17, 9, 17), (33, 16, 5), (63, 20, 1)] {
            compare(n, k, every);
        }
        for (n, k, every) in [(64, 64, 64), (65, 1, 7), (257, 100, 40), (300, 299, 1), (512, 200, 600), (700, 7, 9)] {
            compare(n, k, every);
        }
    }

    fn compare(n: u64, k: usize, every: u64) {
        let large = |i: u64| if i % 50 == 3 { UBig::from(u64::MAX) * UBig::from(i) } else { UBig::ZERO };
        let power = |i: u64| Power {
            no: UBig::from(1 + (i * 7919) % 1009) + large(i),
            yes: UBig::from(1 + (i * 104_729) % 997) + large(i + 20),
            count: 1 + i % 3,
        };
        let powers: Vec<Power> = (0..n).map(power).collect();
        let asked: Vec<bool> = (0..n).map(|i| i % every == 0).collect();
        let ways = [Way::Recurrence, Way::Tree, Way::Linear].map(|way| found_by(way, &powers, k, &asked));
        assert_eq!(ways[0], ways[1], "{n} {k} {every}");
        assert_eq!(ways[0], ways[2], "{n} {k} {every}");
    }

    /// Every coefficient of a product of three factors, multiplied out by hand: (1+2x)(3+4x)(5+6x).
    #[test]
    fn a_small_product_is_multiplied_out() {
        let power = |no: u64, yes: u64| Power { no: UBig::from(no), yes: UBig::from(yes), count: 1 };
        let powers = [power(1, 2), power(3, 4), power(5, 6)];
        let (all, without) = of_residues(&powers, 2, &[true, true, true]);
        assert_eq!(all, UBig::from(100u64));
        // Coefficients of x in (3+4x)(5+6x), (1+2x)(5+6x) and (1+2x)(3+4x).
        assert_eq!(without, [38u64, 16, 10].map(|value| Some(UBig::from(value))));
    }
}
