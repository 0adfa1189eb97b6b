//! Arithmetic modulo eight primes at once, in doubles: every operation is exact, and the processor does all eight together.
//!
//! Primes are below 2⁴⁹. A number modulo p is an integer of size at most 1.5·p, which a double holds exactly. Of a product a·b
//! the double h nearest to it and what is missing, l = a·b − h, are found by a fused multiplication; with q the integer
//! nearest to h/p, or nearly, h − q·p and l are integers below 2⁵², and so is their sum: a·b − q·p without any rounding.
//! `docs/proofs/counts.md` has the bounds.

/// How many primes are computed with at once.
pub(super) const LANES: usize = 8;

/// A number modulo each of the primes.
pub(super) type Lanes = [f64; LANES];

/// Primes are below 2 to this many.
pub(super) const BITS: u32 = 49;

/// Adding and subtracting this rounds a double below 2⁵¹ to an integer.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// Whether the processor has a fused multiplication; without one, everything here is right but very slow.
pub(super) fn are_fast() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64");
}

/// Makes a function that is compiled for the processor that it runs on, with all that is always inlined into it.
macro_rules! fast {
    ($(#[$meta:meta])* fn $name:ident<$life:lifetime>($($argument:ident: $kind:ty),*) -> $output:ty $body:block) => {
        $(#[$meta])*
        fn $name<$life>($($argument: $kind),*) -> $output {
            struct Kernel<$life> {
                $($argument: $kind),*
            }
            impl<$life> faer::traits::pulp::WithSimd for Kernel<$life> {
                type Output = $output;

                #[inline(always)]
                fn with_simd<S: faer::traits::pulp::Simd>(self, _: S) -> $output {
                    let Kernel { $($argument),* } = self;
                    $body
                }
            }
            faer::traits::pulp::Arch::new().dispatch(Kernel { $($argument),* })
        }
    };
}
pub(super) use fast;

/// The primes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Primes {
    moduli: Lanes,
    inverses: Lanes,
}

impl Primes {
    pub(super) fn new(moduli: &[u64; LANES]) -> Self {
        let moduli = moduli.map(|modulus| modulus as f64);
        Primes { moduli, inverses: moduli.map(|modulus| 1.0 / modulus) }
    }

    /// a·b, of size at most p·(½ + 0.19·|a|·|b|/p²): at most 0.7·p where |a|·|b| ≤ p².
    #[inline(always)]
    pub(super) fn times(&self, a: &Lanes, b: &Lanes) -> Lanes {
        let mut product = [0.0; LANES];
        for lane in 0..LANES {
            let high = a[lane] * b[lane];
            let low = a[lane].mul_add(b[lane], -high);
            let quotient = (high * self.inverses[lane] + ROUNDING) - ROUNDING;
            product[lane] = (-quotient).mul_add(self.moduli[lane], high) + low;
        }
        product
    }

    /// The same number, of size at most 0.51·p.
    #[inline(always)]
    pub(super) fn reduced(&self, a: &Lanes) -> Lanes {
        let mut rest = [0.0; LANES];
        for lane in 0..LANES {
            let quotient = (a[lane] * self.inverses[lane] + ROUNDING) - ROUNDING;
            rest[lane] = (-quotient).mul_add(self.moduli[lane], a[lane]);
        }
        rest
    }

    /// The remainder of each, from 0 to p − 1.
    pub(super) fn plain(&self, a: &Lanes) -> [u64; LANES] {
        let mut rest = self.reduced(a);
        for (rest, modulus) in rest.iter_mut().zip(&self.moduli) {
            *rest += if *rest < 0.0 { *modulus } else { 0.0 };
        }
        rest.map(|rest| rest as u64)
    }

    /// Numbers below their primes, as they are kept.
    pub(super) fn of(&self, plain: &[u64; LANES]) -> Lanes {
        self.reduced(&plain.map(|value| value as f64))
    }

    pub(super) fn power(&self, base: &Lanes, exponents: &[u64; LANES]) -> Lanes {
        power(self, base, exponents)
    }

    /// 1/a, where a is not 0.
    pub(super) fn inverted(&self, a: &Lanes) -> Lanes {
        self.power(a, &self.moduli.map(|modulus| modulus as u64 - 2))
    }

    /// A root of unity of the order 2 to this many; the primes are 1 modulo that.
    fn root(&self, order: u32) -> Lanes {
        let mut root = [0.0; LANES];
        let mut base = 2.0;
        while root.contains(&0.0) {
            let exponents = self.moduli.map(|modulus| (modulus as u64 - 1) >> order);
            let candidate = self.power(&[base; LANES], &exponents);
            let half = self.plain(&self.power(&candidate, &[1 << (order - 1); LANES]));
            for lane in 0..LANES {
                if root[lane] == 0.0 && half[lane] != 1 {
                    root[lane] = candidate[lane];
                }
            }
            base += 1.0;
        }
        root
    }
}

fast! {
fn power<'k>(primes: &'k Primes, base: &'k Lanes, exponents: &'k [u64; LANES]) -> Lanes {
    let (mut result, mut square) = ([1.0; LANES], *base);
    for bit in 0..u64::BITS - exponents.iter().fold(0, |all, one| all | one).leading_zeros() {
        let more = primes.times(&result, &square);
        for lane in 0..LANES {
            if exponents[lane] >> bit & 1 == 1 {
                result[lane] = more[lane];
            }
        }
        square = primes.times(&square, &square);
    }
    result
}
}

fast! {
/// Appends all numbers once more, multiplied by another.
fn doubled<'k>(primes: &'k Primes, numbers: &'k mut Vec<Lanes>, factor: &'k Lanes) -> () {
    for j in 0..numbers.len() {
        numbers.push(primes.times(&numbers[j], factor));
    }
}
}

#[inline(always)]
pub(super) fn plus(a: &Lanes, b: &Lanes) -> Lanes {
    let mut sum = [0.0; LANES];
    for lane in 0..LANES {
        sum[lane] = a[lane] + b[lane];
    }
    sum
}

#[inline(always)]
pub(super) fn minus(a: &Lanes, b: &Lanes) -> Lanes {
    let mut difference = [0.0; LANES];
    for lane in 0..LANES {
        difference[lane] = a[lane] - b[lane];
    }
    difference
}

/// The values of polynomials at roots of unity.
///
/// A polynomial modulo x^2m − c² is one modulo x^m − c and one modulo x^m + c; going on like this gives its values. The
/// polynomials form a binary tree, whose knots on each level are numbered from the left: knot j is split by `turns[j]`,
/// whatever its length.
pub(super) struct Turns {
    pub(super) primes: Primes,
    turns: Vec<Lanes>,
    inverses: Vec<Lanes>,
}

/// Polynomials up to this length stay in the nearest memory while they are split completely.
const NEAR: usize = 128;

impl Turns {
    /// For polynomials of up to this length, a power of 2, at knots 0 and 1.
    pub(super) fn new(primes: Primes, length: usize) -> Self {
        let one = [1.0; LANES];
        let (mut turns, mut inverses) = (vec![one], vec![one]);
        let order = super::transform::ORDER;
        let root = primes.root(order);
        let mut level = 2;
        while turns.len() < length {
            // Bit b of j turns by 1/2^(b+2) of a circle.
            let turn = primes.power(&root, &[1 << (order - level); LANES]);
            let back = primes.inverted(&turn);
            doubled(&primes, &mut turns, &turn);
            doubled(&primes, &mut inverses, &back);
            level += 1;
        }
        Turns { primes, turns, inverses }
    }

    /// From the coefficients of a polynomial at this knot to its values. All are at most 1.3·p before and 1.2·p after.
    pub(super) fn forwards(&self, values: &mut [Lanes], knot: usize) {
        if values.len() <= NEAR {
            split_all(self, values, knot);
            return;
        }
        split_once(&self.primes, values, &self.turns[knot]);
        let (low, high) = values.split_at_mut(values.len() / 2);
        self.forwards(low, 2 * knot);
        self.forwards(high, 2 * knot + 1);
    }

    /// From values to coefficients, multiplied by how many there are.
    pub(super) fn backwards(&self, values: &mut [Lanes], knot: usize) {
        if values.len() <= NEAR {
            join_all(self, values, knot);
            return;
        }
        let (low, high) = values.split_at_mut(values.len() / 2);
        self.backwards(low, 2 * knot);
        self.backwards(high, 2 * knot + 1);
        join_once(&self.primes, values, &self.inverses[knot]);
    }
}

fast! {
fn split_all<'k>(turns: &'k Turns, values: &'k mut [Lanes], knot: usize) -> () {
    let (mut length, mut first) = (values.len(), knot);
    while length > 1 {
        for (block, turn) in values.chunks_exact_mut(length).zip(&turns.turns[first..]) {
            split(&turns.primes, block, turn);
        }
        (length, first) = (length / 2, 2 * first);
    }
}
}

fast! {
fn split_once<'k>(primes: &'k Primes, block: &'k mut [Lanes], turn: &'k Lanes) -> () {
    split(primes, block, turn);
}
}

fast! {
fn join_once<'k>(primes: &'k Primes, block: &'k mut [Lanes], inverse: &'k Lanes) -> () {
    join(primes, block, inverse);
}
}

fast! {
fn join_all<'k>(turns: &'k Turns, values: &'k mut [Lanes], knot: usize) -> () {
    let mut length = 2;
    while length <= values.len() {
        let first = knot * (values.len() / length);
        for (block, inverse) in values.chunks_exact_mut(length).zip(&turns.inverses[first..]) {
            join(&turns.primes, block, inverse);
        }
        length *= 2;
    }
}
}

/// Modulo x^2m − c² to modulo x^m − c and x^m + c.
#[inline(always)]
fn split(primes: &Primes, block: &mut [Lanes], turn: &Lanes) {
    let (low, high) = block.split_at_mut(block.len() / 2);
    for (a, b) in low.iter_mut().zip(high) {
        let (first, second) = (primes.reduced(a), primes.times(b, turn));
        *a = plus(&first, &second);
        *b = minus(&first, &second);
    }
}

/// And back, twice as much.
#[inline(always)]
fn join(primes: &Primes, block: &mut [Lanes], inverse: &Lanes) {
    let (low, high) = block.split_at_mut(block.len() / 2);
    for (a, b) in low.iter_mut().zip(high) {
        let (sum, difference) = (plus(a, b), minus(a, b));
        *a = primes.reduced(&sum);
        *b = primes.times(&difference, inverse);
    }
}
