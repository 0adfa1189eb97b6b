//! Several figures about the same people: class by class, with what the figures have come to so far.
//!
//! F(s) is the probability that the classes up to one add up to s in every figure that has begun and not ended; B(s) that
//! of what the figures say, given s and the classes that are left. Both together give the expected number of people of a
//! class in each group of values. Nothing is negative, so that rounding errors only add up.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::order::order;
use super::peel::Evidence;
use privug_engine::counts::Scaled;
use privug_engine::number::Rational;

/// States of all steps together, the numbers in them, and pairs of a state and a way for a class to be.
const MAX_STATES: usize = 2_000_000;
const MAX_NUMBERS: usize = 60_000_000;
pub(super) const MAX_WORK: u64 = 60_000_000;
/// The same in rationals, and people of a class.
const MAX_EXACT_WORK: u64 = 400_000;
const MAX_EXACT_COUNT: u64 = 2_000;

/// The people of a class whose value is open.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kind {
    /// How many they are.
    pub(super) count: u64,
    /// The weights of each group of values in each figure.
    pub(super) weights: Vec<Vec<i64>>,
    /// The probability of each group, before.
    pub(super) laws: Vec<f64>,
    /// The group of each value.
    pub(super) group_of: Vec<Option<usize>>,
}

impl Kind {
    /// The least weight in the only figure.
    pub(super) fn least(&self) -> i64 {
        self.weights.iter().map(|weights| weights[0]).min().unwrap_or(0)
    }

    /// How many values lie between the least and the largest weight in the only figure, both included.
    pub(super) fn length(&self) -> i64 {
        self.weights.iter().map(|weights| weights[0]).max().unwrap_or(0) - self.least() + 1
    }
}

/// Why nothing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    TooWide,
    Impossible,
}

/// For each kind the expected part of its people in each group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Walked {
    pub(super) shares: Vec<Vec<f64>>,
    /// The probability of what the figures say, given that everybody is in one of the groups.
    pub(super) evidence: Scaled,
    pub(super) relative_error: f64,
    /// How many pairs of a state and a way were gone through.
    pub(super) work: u64,
}

/// What probabilities are computed in. Nothing is ever subtracted.
pub(super) trait Mass: Clone {
    fn zero() -> Self;
    fn one() -> Self;
    fn of_count(count: u32) -> Self;
    /// A likelihood that something is seen; `None` if it cannot be told exactly.
    fn of_likelihood(weight: f64) -> Option<Self>;
    fn times(&self, other: &Self) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn is_nothing(&self) -> bool;
}

impl Mass for Scaled {
    fn zero() -> Self {
        Scaled::ZERO
    }

    fn one() -> Self {
        Scaled::ONE
    }

    fn of_count(count: u32) -> Self {
        Scaled::new(f64::from(count))
    }

    fn of_likelihood(weight: f64) -> Option<Self> {
        Some(Scaled::new(weight))
    }

    fn times(&self, other: &Self) -> Self {
        Scaled::times(*self, *other)
    }

    fn plus(&self, other: &Self) -> Self {
        Scaled::plus(*self, *other)
    }

    fn is_nothing(&self) -> bool {
        Scaled::is_zero(*self)
    }
}

impl Mass for Rational {
    fn zero() -> Self {
        Rational::ZERO
    }

    fn one() -> Self {
        Rational::ONE
    }

    fn of_count(count: u32) -> Self {
        Rational::from(count)
    }

    fn of_likelihood(weight: f64) -> Option<Self> {
        // Others are rounded.
        (weight == 1.0).then_some(Rational::ONE)
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    fn is_nothing(&self) -> bool {
        *self == Rational::ZERO
    }
}

/// One way for a class to be: how many are in each group, what that adds to the figures, and its probability.
struct Way<M> {
    counts: Vec<u32>,
    adds: Vec<i64>,
    weight: M,
}

/// Weights by what the figures have reached. The hasher has no seed: sums are in the same order in every run.
type States<M> = HashMap<Vec<i64>, M, BuildHasherDefault<DefaultHasher>>;

/// What going through the classes gives.
struct Gone<M> {
    /// The expected number of people of each kind in each group, times the evidence.
    expected: Vec<Vec<M>>,
    evidence: M,
    work: u64,
}

/// Goes through the classes.
pub(super) fn walk(kinds: &[Kind], evidence: &[Evidence]) -> Result<Walked, Failure> {
    let ways = kinds.iter().map(ways_of).collect::<Result<Vec<_>, Failure>>()?;
    let gone: Gone<Scaled> = go(kinds, &ways, evidence, MAX_WORK)?;
    let share = |expected: &Scaled, kind: &Kind| match expected.is_zero() {
        true => 0.0,
        // What is possible stays possible.
        false => (expected.over(gone.evidence) / kind.count as f64).max(f64::MIN_POSITIVE),
    };
    let shares = gone.expected.iter().zip(kinds);
    let shares = shares.map(|(of, kind)| of.iter().map(|expected| share(expected, kind)).collect()).collect();
    // Each sum has at most as many terms as there are pairs, each product a few factors; the logarithm of n! is a sum of n
    // terms, each off by a unit in the last place of the whole.
    let of_ways = |kind: &Kind| {
        let n = kind.count as f64 + 1.0;
        4.0 * n * (n * n.ln() + 1.0) * f64::EPSILON
    };
    let relative_error = 4.0 * gone.work as f64 * f64::EPSILON + 2.0 * kinds.iter().map(of_ways).sum::<f64>();
    Ok(Walked { shares, evidence: gone.evidence, relative_error, work: gone.work })
}

/// The same in rationals, with the exact probability of each group of each kind: the part of its people that each group has.
pub(super) fn walk_exactly(
    kinds: &[Kind],
    laws: &[Vec<Rational>],
    evidence: &[Evidence],
) -> Result<Vec<Vec<Rational>>, Failure> {
    let mut ways = Vec::with_capacity(kinds.len());
    for (kind, law) in kinds.iter().zip(laws) {
        ways.push(exact_ways_of(kind, law)?);
    }
    let gone: Gone<Rational> = go(kinds, &ways, evidence, MAX_EXACT_WORK)?;
    let share = |expected: &Rational, kind: &Kind| expected / &gone.evidence / Rational::from(kind.count);
    let shares = gone.expected.iter().zip(kinds);
    Ok(shares.map(|(of, kind)| of.iter().map(|expected| share(expected, kind)).collect()).collect())
}

fn go<M: Mass>(kinds: &[Kind], ways: &[Vec<Way<M>>], evidence: &[Evidence], max_work: u64) -> Result<Gone<M>, Failure> {
    let order = order(kinds, evidence.len());
    let touched: Vec<Vec<bool>> = kinds
        .iter()
        .map(|kind| (0..evidence.len()).map(|figure| kind.weights.iter().any(|w| w[figure] != 0)).collect())
        .collect();
    // The last step that each figure is in, and what can still be added after each step.
    let last: Vec<usize> = (0..evidence.len())
        .map(|figure| (0..order.len()).rev().find(|step| touched[order[*step]][figure]).unwrap_or(0))
        .collect();
    let mut rest = vec![vec![(0i64, 0i64); evidence.len()]; order.len() + 1];
    for step in (0..order.len()).rev() {
        let kind = &kinds[order[step]];
        for figure in 0..evidence.len() {
            let of_kind = || kind.weights.iter().map(|weights| weights[figure] * kind.count as i64);
            let (low, high) = rest[step + 1][figure];
            rest[step][figure] = (low + of_kind().min().unwrap_or(0), high + of_kind().max().unwrap_or(0));
        }
    }
    let steps = Steps { evidence, last: &last, rest: &rest };
    let mut forward: Vec<States<M>> = vec![States::from_iter([(vec![0; evidence.len()], M::one())])];
    let (mut states, mut work) = (1usize, 0u64);
    let most_states = MAX_STATES.min(MAX_NUMBERS / evidence.len().max(1));
    for (step, place) in order.iter().enumerate() {
        let ways = &ways[*place];
        let mut next: States<M> = States::default();
        work += forward[step].len() as u64 * ways.len() as u64;
        if work > max_work {
            return Err(Failure::TooWide);
        }
        for (state, weight) in &forward[step] {
            for way in ways {
                if let Some((reached, factor)) = steps.after(step, state, &way.adds)? {
                    let part = weight.times(&way.weight).times(&factor);
                    let sum = next.entry(reached).or_insert_with(M::zero);
                    *sum = sum.plus(&part);
                }
            }
            if states + next.len() > most_states {
                return Err(Failure::TooWide);
            }
        }
        if next.is_empty() {
            return Err(Failure::Impossible);
        }
        states += next.len();
        forward.push(next);
    }
    let mut backward: States<M> = forward[order.len()].keys().map(|state| (state.clone(), M::one())).collect();
    let mut all_expected = vec![Vec::new(); kinds.len()];
    let mut all_evidence = M::one();
    for step in (0..order.len()).rev() {
        let kind = &kinds[order[step]];
        let mut expected = vec![M::zero(); kind.weights.len()];
        let mut evidence_here = M::zero();
        let mut before = States::with_capacity_and_hasher(forward[step].len(), BuildHasherDefault::default());
        for (state, weight) in &forward[step] {
            let mut sum = M::zero();
            for way in &ways[order[step]] {
                let Some((reached, factor)) = steps.after(step, state, &way.adds)? else { continue };
                let Some(after) = backward.get(&reached) else { continue };
                let part = way.weight.times(&factor).times(after);
                sum = sum.plus(&part);
                let joint = weight.times(&part);
                for (expected, count) in expected.iter_mut().zip(&way.counts).filter(|(_, count)| **count > 0) {
                    *expected = expected.plus(&joint.times(&M::of_count(*count)));
                }
            }
            evidence_here = evidence_here.plus(&weight.times(&sum));
            if !sum.is_nothing() {
                before.insert(state.clone(), sum);
            }
        }
        if evidence_here.is_nothing() {
            return Err(Failure::Impossible);
        }
        all_evidence = evidence_here;
        all_expected[order[step]] = expected;
        backward = before;
    }
    Ok(Gone { expected: all_expected, evidence: all_evidence, work })
}

/// What figures say at each step.
struct Steps<'a> {
    evidence: &'a [Evidence],
    last: &'a [usize],
    rest: &'a [Vec<(i64, i64)>],
}

impl Steps<'_> {
    /// The state after a step, and how likely the figures that end with it are; `None` if that is impossible.
    fn after<M: Mass>(&self, step: usize, state: &[i64], adds: &[i64]) -> Result<Option<(Vec<i64>, M)>, Failure> {
        let mut reached = Vec::with_capacity(state.len());
        let mut factor = M::one();
        for (figure, (sum, add)) in state.iter().zip(adds).enumerate() {
            let sum = sum + add;
            if self.last[figure] < step {
                reached.push(0);
                continue;
            }
            let (from, to) = self.evidence[figure].range();
            let (low, high) = self.rest[step + 1][figure];
            if sum + high < from || sum + low > to {
                return Ok(None);
            }
            if self.last[figure] > step {
                reached.push(sum);
                continue;
            }
            if let Evidence::Likely { from, weights } = &self.evidence[figure] {
                let place = usize::try_from(sum - from).ok();
                let weight = place.and_then(|place| weights.get(place)).copied().unwrap_or(0.0);
                if weight == 0.0 {
                    return Ok(None);
                }
                factor = factor.times(&M::of_likelihood(weight).ok_or(Failure::TooWide)?);
            }
            reached.push(0);
        }
        Ok(Some((reached, factor)))
    }
}

/// All ways to put the people of a class into its groups, with n!/Π kᵢ!·Π pᵢ^kᵢ up to a factor that all share.
fn ways_of(kind: &Kind) -> Result<Vec<Way<Scaled>>, Failure> {
    let groups = kind.weights.len();
    let mut factorials = vec![0.0f64];
    if kind.count > 1 << 22 {
        return Err(Failure::TooWide);
    }
    for number in 1..=kind.count {
        factorials.push(factorials[number as usize - 1] + (number as f64).ln());
    }
    let all: f64 = kind.laws.iter().sum();
    let logs: Vec<f64> = kind.laws.iter().map(|p| (p / all).ln()).collect();
    let mut ways = Vec::new();
    let mut counts = vec![0u32; groups];
    compose(kind.count as u32, 0, &mut counts, &mut |counts| {
        if ways.len() as u64 > MAX_WORK / 8 {
            return Err(Failure::TooWide);
        }
        let mut adds = vec![0i64; kind.weights[0].len()];
        let mut log = factorials[kind.count as usize];
        for ((count, weights), p) in counts.iter().zip(&kind.weights).zip(&logs) {
            if *count > 0 {
                log += f64::from(*count) * p - factorials[*count as usize];
                adds.iter_mut().zip(weights).for_each(|(add, weight)| *add += weight * i64::from(*count));
            }
        }
        ways.push(Way { counts: counts.to_vec(), adds, weight: Scaled::exp(log) });
        Ok(())
    })?;
    Ok(ways)
}

/// The same in rationals, without the factor.
fn exact_ways_of(kind: &Kind, law: &[Rational]) -> Result<Vec<Way<Rational>>, Failure> {
    if kind.count > MAX_EXACT_COUNT {
        return Err(Failure::TooWide);
    }
    let mut factorials = vec![Rational::ONE];
    for number in 1..=kind.count {
        factorials.push(&factorials[number as usize - 1] * Rational::from(number));
    }
    let mut ways = Vec::new();
    let mut counts = vec![0u32; kind.weights.len()];
    compose(kind.count as u32, 0, &mut counts, &mut |counts| {
        if ways.len() as u64 > MAX_EXACT_WORK {
            return Err(Failure::TooWide);
        }
        let mut adds = vec![0i64; kind.weights[0].len()];
        let mut weight = factorials[kind.count as usize].clone();
        for ((count, weights), p) in counts.iter().zip(&kind.weights).zip(law) {
            if *count > 0 {
                weight = weight * p.pow(*count as isize) / &factorials[*count as usize];
                adds.iter_mut().zip(weights).for_each(|(add, weight)| *add += weight * i64::from(*count));
            }
        }
        ways.push(Way { counts: counts.to_vec(), adds, weight });
        Ok(())
    })?;
    Ok(ways)
}

/// All ways to write `left` as a sum over the groups from `from` on.
fn compose(
    left: u32,
    from: usize,
    counts: &mut Vec<u32>,
    each: &mut dyn FnMut(&[u32]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if from + 1 == counts.len() {
        counts[from] = left;
        return each(counts);
    }
    for here in 0..=left {
        counts[from] = here;
        compose(left - here, from + 1, counts, each)?;
    }
    Ok(())
}
