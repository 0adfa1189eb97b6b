//! Sums of independent integers as a product of polynomials, and what each summand means for the result.
//!
//! The distribution of a sum is the product of the summands' generating polynomials, put together as a tree. With a
//! weight for each value of the sum, the expected weight is linear in each summand's probabilities; the factors are the
//! weighted distributions of all *other* summands, found for everybody at once by going down the tree again.

use dashu_int::IBig;

use super::scaled::Scaled;
use crate::choices::Mass;
use crate::number::Scalar;

/// Numbers that are not negative and are only added and multiplied.
pub trait Weight: Clone {
    /// 0.
    fn nothing() -> Self;
    /// 1.
    fn unit() -> Self;
    /// Whether this is exactly 0.
    fn is_nothing(&self) -> bool;
    /// Sum with a product.
    fn add_product(&mut self, a: &Self, b: &Self);
}

impl Weight for Scaled {
    fn nothing() -> Self {
        Scaled::ZERO
    }

    fn unit() -> Self {
        Scaled::ONE
    }

    fn is_nothing(&self) -> bool {
        self.is_zero()
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self = self.plus(a.times(*b));
    }
}

impl<S: Scalar> Weight for Mass<S> {
    fn nothing() -> Self {
        Mass::zero()
    }

    fn unit() -> Self {
        Mass::one()
    }

    fn is_nothing(&self) -> bool {
        self.is_zero()
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        *self = self.add(&a.mul(b));
    }
}

impl Weight for IBig {
    fn nothing() -> Self {
        IBig::ZERO
    }

    fn unit() -> Self {
        IBig::ONE
    }

    fn is_nothing(&self) -> bool {
        self.is_zero()
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}

/// Probabilities of 0, 1, …: those of a sum if both are those of independent summands.
pub fn convolved<W: Weight>(a: &[W], b: &[W]) -> Vec<W> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut all = vec![W::nothing(); long.len() + short.len() - 1];
    for (shift, factor) in short.iter().enumerate() {
        if !factor.is_nothing() {
            for (sum, term) in all[shift..].iter_mut().zip(long) {
                sum.add_product(term, factor);
            }
        }
    }
    all
}

/// The weight that each value of one summand has, if `other` is the distribution of what is added to it.
pub fn correlated<W: Weight>(weights: &[W], other: &[W], length: usize) -> Vec<W> {
    let mut all = vec![W::nothing(); length];
    if other.len() < length {
        for (shift, factor) in other.iter().enumerate() {
            if !factor.is_nothing() {
                for (sum, weight) in all.iter_mut().zip(&weights[shift..]) {
                    sum.add_product(weight, factor);
                }
            }
        }
    } else {
        for (value, sum) in all.iter_mut().enumerate() {
            for (weight, factor) in weights[value..].iter().zip(other) {
                if !weight.is_nothing() {
                    sum.add_product(weight, factor);
                }
            }
        }
    }
    all
}

/// The distribution of the sum of `count` summands of the same distribution.
pub fn power<W: Weight>(law: &[W], count: u64) -> Vec<W> {
    let mut result = vec![W::unit()];
    for bit in (0..u64::BITS - count.leading_zeros()).rev() {
        result = convolved(&result, &result);
        if count >> bit & 1 == 1 {
            result = convolved(&result, law);
        }
    }
    result
}

/// Summands with the same distribution: its probabilities of 0, 1, …, and how many there are.
pub type Repeated<W> = (Vec<W>, u64);

enum Tree<W> {
    /// One kind of summands: its number, and the distribution of all of them but one.
    Leaf(usize, Vec<W>),
    Both(Box<Tree<W>>, Box<Tree<W>>, Vec<W>, Vec<W>),
}

/// The distribution of the sum of all, and the tree that it was put together by.
fn tree<W: Weight>(summands: &[Repeated<W>], first: usize) -> (Tree<W>, Vec<W>) {
    if let [(law, count)] = summands {
        let others = power(law, count - 1);
        let all = convolved(&others, law);
        return (Tree::Leaf(first, others), all);
    }
    // About equally long halves.
    let lengths = summands.iter().map(|(law, count)| (law.len() as u64 - 1) * count);
    let total: u64 = lengths.clone().sum();
    let mut so_far = 0;
    let middle = lengths
        .take_while(|length| {
            so_far += length;
            so_far * 2 <= total
        })
        .count();
    let middle = middle.clamp(1, summands.len() - 1);
    let (left, left_sum) = tree(&summands[..middle], first);
    let (right, right_sum) = tree(&summands[middle..], first + middle);
    let all = convolved(&left_sum, &right_sum);
    (Tree::Both(Box::new(left), Box::new(right), left_sum, right_sum), all)
}

fn descend<W: Weight>(tree: &Tree<W>, weights: &[W], summands: &[Repeated<W>], found: &mut [Vec<W>]) {
    match tree {
        Tree::Leaf(number, others) => {
            found[*number] = correlated(weights, others, summands[*number].0.len());
        }
        Tree::Both(left, right, left_sum, right_sum) => {
            descend(left, &correlated(weights, right_sum, left_sum.len()), summands, found);
            descend(right, &correlated(weights, left_sum, right_sum.len()), summands, found);
        }
    }
}

/// The distribution of the sum of all.
pub fn distribution<W: Weight>(summands: &[Repeated<W>]) -> Vec<W> {
    if summands.is_empty() { vec![W::unit()] } else { tree(summands, 0).1 }
}

/// For each kind of summands and each value of one of them: the expected weight of the sum, given that value. There is
/// one weight for each value of the sum.
pub fn expected_weights<W: Weight>(summands: &[Repeated<W>], weights: &[W]) -> Vec<Vec<W>> {
    let mut found = vec![Vec::new(); summands.len()];
    if !summands.is_empty() {
        let (tree, _) = tree(summands, 0);
        descend(&tree, weights, summands, &mut found);
    }
    found
}

/// How many products of numbers [`expected_weights`] takes, roughly.
pub fn work(summands: impl Iterator<Item = (u64, u64)>) -> u64 {
    let length = summands.map(|(length, count)| (length - 1).saturating_mul(count)).fold(1u64, u64::saturating_add);
    length.saturating_mul(length).saturating_mul(2)
}
