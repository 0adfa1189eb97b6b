//! Products of very many different linear factors, modulo eight primes at once: their values at roots of unity, doubled level
//! by level.
//!
//! Of a product A of m = 2ʲ factors its values at the m-th roots of unity are kept, and its leading coefficient. From these
//! come its coefficients, from them its values at the other 2m-th roots, where xᵐ = −1, and the values of a product of two
//! such polynomials at all 2m-th roots are products of theirs. For few people the product of all others is enough, and of it
//! as few coefficients as there are people.

use super::lanes::{LANES, Lanes, Primes, Turns, fast, minus, plus};

/// Products of so many factors are multiplied out.
const SHORT: usize = 16;
/// For more people than this, each is divided out of the product of all.
const FEW: usize = 8;
/// So many people are divided out side by side.
const ABREAST: usize = 4;

/// How long the product takes for one prime, in nanoseconds, roughly; `None` if it is too long for it.
pub(super) fn cost(degree: u64, k: u64, asked: u64) -> Option<u64> {
    let length = degree.max(2).next_power_of_two();
    let fits = 4 * length <= 1 << super::transform::ORDER;
    let bits = u64::from(length.ilog2());
    let divided = if asked <= FEW as u64 { 0 } else { k.saturating_mul(asked) / 4 * 3 };
    fits.then(|| (degree.saturating_mul(bits * bits) / 3 * 2).saturating_add(divided))
}

/// Factors q + p·x: those of whom is asked, and all others.
pub(super) struct Factors<'f> {
    pub(super) asked: &'f [(Lanes, Lanes)],
    pub(super) others: &'f [(Lanes, Lanes)],
}

/// The coefficient of xᵏ in the product, and that of xᵏ⁻¹ in the product without each factor that is asked for; k ≥ 1.
pub(super) fn coefficients(primes: Primes, factors: &Factors<'_>, k: usize) -> Vec<[u64; LANES]> {
    let count = factors.asked.len() + factors.others.len();
    let turns = Turns::new(primes, count.max(SHORT).next_power_of_two());
    let found = if factors.asked.len() <= FEW {
        beside_others(&turns, factors, k)
    } else {
        let all: Vec<(Lanes, Lanes)> = factors.asked.iter().chain(factors.others).copied().collect();
        divided(&turns, &all, factors.asked, k)
    };
    found.iter().map(|value| primes.plain(value)).collect()
}

/// With G the product of all others and E that of the few: coefficients of G·E and of G·E/(q + p·x), each from as many
/// coefficients of G as E has.
fn beside_others(turns: &Turns, factors: &Factors<'_>, k: usize) -> Vec<Lanes> {
    let primes = &turns.primes;
    let (a, b) = two_products(turns, factors.others);
    let people = factors.asked.len();
    // G at k, k − 1, …, k − people
    let places =
        (0..=people).map(|back| k.checked_sub(back).map_or([0.0; LANES], |at| coefficient(primes, &a, &b, at)));
    let of_others: Vec<Lanes> = places.collect();
    let with = |few: &[(Lanes, Lanes)], back: usize| {
        let product = multiplied_out(primes, few);
        let pairs = product.iter().zip(&of_others[back..]);
        pairs.fold([0.0; LANES], |sum, (e, g)| primes.reduced(&plus(&sum, &primes.times(e, g))))
    };
    let mut found = vec![with(factors.asked, 0)];
    for person in 0..people {
        let few: Vec<(Lanes, Lanes)> =
            factors.asked.iter().enumerate().filter(|(other, _)| *other != person).map(|(_, factor)| *factor).collect();
        found.push(with(&few, 1));
    }
    found
}

/// Everybody divided out of the product of all: H = F/(q + p·x) has q·H_j = F_j − (p/q)·(q·H_{j−1}).
fn divided(turns: &Turns, all: &[(Lanes, Lanes)], asked: &[(Lanes, Lanes)], k: usize) -> Vec<Lanes> {
    let primes = &turns.primes;
    let (a, b) = two_products(turns, all);
    let product = product(turns, a, b);
    let at = |place: usize| product.get(place).copied().unwrap_or([0.0; LANES]);
    let mut found = vec![at(k)];
    for people in asked.chunks(ABREAST) {
        let mut inverses = [[1.0; LANES]; ABREAST];
        let mut ratios = [[0.0; LANES]; ABREAST];
        for (place, (no, yes)) in people.iter().enumerate() {
            inverses[place] = primes.inverted(no);
            ratios[place] = primes.times(yes, &inverses[place]);
        }
        let sums = divide(primes, &product[..k.min(product.len())], &ratios);
        for (sum, inverse) in sums.iter().zip(&inverses).take(people.len()) {
            found.push(primes.times(sum, inverse));
        }
    }
    found
}

fast! {
fn divide<'k>(primes: &'k Primes, product: &'k [Lanes], ratios: &'k [Lanes; ABREAST]) -> [Lanes; ABREAST] {
    let mut sums = [[0.0; LANES]; ABREAST];
    for value in product {
        for (sum, ratio) in sums.iter_mut().zip(ratios) {
            *sum = minus(value, &primes.times(sum, ratio));
        }
    }
    sums
}
}

/// The coefficients of a product of few factors.
fn multiplied_out(primes: &Primes, factors: &[(Lanes, Lanes)]) -> Vec<Lanes> {
    let mut product = vec![[1.0; LANES]];
    for (no, yes) in factors {
        product.push([0.0; LANES]);
        times_factor(primes, &mut product, no, yes);
    }
    product
}

/// Multiplies by q + p·x; the last coefficient is 0.
#[inline(always)]
fn times_factor(primes: &Primes, product: &mut [Lanes], no: &Lanes, yes: &Lanes) {
    for place in (1..product.len()).rev() {
        let (own, lower) = (primes.times(&product[place], no), primes.times(&product[place - 1], yes));
        product[place] = primes.reduced(&plus(&own, &lower));
    }
    product[0] = primes.times(&product[0], no);
}

/// Coefficients of two polynomials whose product is that of all factors.
fn two_products(turns: &Turns, factors: &[(Lanes, Lanes)]) -> (Vec<Lanes>, Vec<Lanes>) {
    let half = (factors.len() + 1).next_power_of_two() / 2;
    let (first, second) = factors.split_at(half.min(factors.len()));
    (product_of(turns, first), product_of(turns, second))
}

/// The coefficients of the product of all factors.
fn product_of(turns: &Turns, factors: &[(Lanes, Lanes)]) -> Vec<Lanes> {
    if factors.len() <= SHORT {
        return multiplied_out(&turns.primes, factors);
    }
    let length = factors.len().next_power_of_two();
    let mut values = vec![[0.0; LANES]; length];
    let mut buffer = vec![[0.0; LANES]; length];
    let lead = values_of(turns, factors, &mut values, &mut buffer);
    to_coefficients(turns, &mut values);
    // xᵐ was 1.
    values[0] = turns.primes.reduced(&minus(&values[0], &lead));
    values.push(lead);
    values.truncate(factors.len() + 1);
    values
}

/// The values at the roots of unity of the product of the factors, filled up with factors 1 to as many as there are roots, and
/// its leading coefficient.
fn values_of(turns: &Turns, factors: &[(Lanes, Lanes)], values: &mut [Lanes], buffer: &mut [Lanes]) -> Lanes {
    let primes = &turns.primes;
    let length = values.len();
    if factors.is_empty() {
        values.fill([1.0; LANES]);
        return [0.0; LANES];
    }
    if length <= SHORT {
        let lead = short_product(primes, factors, values);
        turns.forwards(values, 0);
        return lead;
    }
    let half = length / 2;
    let (left, right) = factors.split_at(half.min(factors.len()));
    let (low, high) = values.split_at_mut(half);
    let (spare, other) = buffer.split_at_mut(half);
    let leads = (values_of(turns, left, low, spare), values_of(turns, right, high, spare));
    for (part, into, lead) in [(&*low, &mut *spare, &leads.0), (&*high, &mut *other, &leads.1)] {
        into.copy_from_slice(part);
        to_coefficients(turns, into);
        // xᵐ was 1 and is −1.
        into[0] = primes.reduced(&minus(&minus(&into[0], lead), lead));
        turns.forwards(into, 1);
    }
    times_values(primes, low, high);
    high.copy_from_slice(spare);
    times_values(primes, high, other);
    primes.times(&leads.0, &leads.1)
}

fast! {
/// The coefficients of a product of at most as many factors as there are values, modulo xᵐ − 1, and the leading one.
fn short_product<'k>(primes: &'k Primes, factors: &'k [(Lanes, Lanes)], values: &'k mut [Lanes]) -> Lanes {
    let length = values.len();
    values.fill([0.0; LANES]);
    values[0] = [1.0; LANES];
    for (place, (no, yes)) in factors.iter().enumerate().take(length - 1) {
        times_factor(primes, &mut values[..place + 2], no, yes);
    }
    if factors.len() < length {
        return [0.0; LANES];
    }
    let (no, yes) = &factors[length - 1];
    let lead = primes.times(&values[length - 1], yes);
    times_factor(primes, values, no, yes);
    values[0] = primes.reduced(&plus(&values[0], &lead));
    lead
}
}

fast! {
/// a·b, value by value.
fn times_values<'k>(primes: &'k Primes, a: &'k mut [Lanes], b: &'k [Lanes]) -> () {
    for (value, other) in a.iter_mut().zip(b) {
        *value = primes.times(value, other);
    }
}
}

fast! {
fn times_number<'k>(primes: &'k Primes, values: &'k mut [Lanes], number: &'k Lanes) -> () {
    for value in values {
        *value = primes.times(value, number);
    }
}
}

fn to_coefficients(turns: &Turns, values: &mut [Lanes]) {
    turns.backwards(values, 0);
    let primes = &turns.primes;
    let scale = primes.inverted(&[values.len() as f64; LANES]);
    times_number(primes, values, &scale);
}

/// The coefficients of a product of two polynomials.
fn product(turns: &Turns, mut a: Vec<Lanes>, mut b: Vec<Lanes>) -> Vec<Lanes> {
    let all = a.len() + b.len() - 1;
    let length = all.next_power_of_two();
    for polynomial in [&mut a, &mut b] {
        polynomial.resize(length, [0.0; LANES]);
        turns.forwards(polynomial, 0);
    }
    times_values(&turns.primes, &mut a, &b);
    to_coefficients(turns, &mut a);
    a.truncate(all);
    a
}

/// One coefficient of a product.
fn coefficient(primes: &Primes, a: &[Lanes], b: &[Lanes], place: usize) -> Lanes {
    let first = (place + 1).saturating_sub(b.len());
    let last = place.min(a.len() - 1);
    if first > last {
        return [0.0; LANES];
    }
    dot(primes, &a[first..=last], &b[place - last..=place - first])
}

fast! {
/// Σ a_i·b_{m−i}
fn dot<'k>(primes: &'k Primes, a: &'k [Lanes], b: &'k [Lanes]) -> Lanes {
    let mut sum = [0.0; LANES];
    for (a, b) in a.iter().zip(b.iter().rev()) {
        sum = primes.reduced(&plus(&sum, &primes.times(a, b)));
    }
    sum
}
}
