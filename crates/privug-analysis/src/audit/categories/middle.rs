//! Of independent people, the probability of a median, and what it tells about one of them.
//!
//! People of one kind have the same distribution over numbers. With n = 2k + 1 people the median is m if at most k have less
//! and at most k have more. With n = 2k it is the mean of the two in the middle: both are m (at most k − 1 have less, at
//! most k − 1 more), or they are a < b with nobody between them, exactly k up to a, some of them at a, and some of the
//! others at b. These *cases* exclude each other. For each the probability that it comes about given one person's value is
//! found: by a sum of positive terms where all people are of one kind, else by going through the kinds ([`super::walk`]).
//! Nothing is subtracted, so that what is possible keeps a positive probability.

use super::peel::Evidence;
use super::walk::{Failure, Kind, walk};
use privug_engine::counts::Scaled;

/// People who are alike: how many they are, and the probability of each number, ascending; none is 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Alike {
    pub(super) count: u64,
    pub(super) law: Vec<(f64, f64)>,
}

/// What is known about one person of each kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    /// P(value | median) for each value of the kind's law.
    pub(super) posteriors: Vec<Vec<f64>>,
    pub(super) relative_error: f64,
}

/// One way for a median to come about: the two in the middle.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Case {
    low: f64,
    high: f64,
    weight: f64,
}

/// What is known given that the median is seen as it is; `likelihood` says how likely that is for each median. `Err` if it is
/// too much to work out, or impossible.
pub(super) fn given_median(kinds: &[Alike], likelihood: &dyn Fn(f64) -> f64) -> Result<Known, Failure> {
    let count: u64 = kinds.iter().map(|kind| kind.count).sum();
    let cases = cases(kinds, count.is_multiple_of(2), likelihood);
    if cases.is_empty() {
        return Err(Failure::Impossible);
    }
    match kinds {
        [only] => alone(only, &cases),
        several => together(several, count, &cases),
    }
}

fn cases(kinds: &[Alike], is_even: bool, likelihood: &dyn Fn(f64) -> f64) -> Vec<Case> {
    let mut values: Vec<f64> = kinds.iter().flat_map(|kind| kind.law.iter().map(|(value, _)| *value)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let mut cases = Vec::new();
    for (place, low) in values.iter().enumerate() {
        let last = if is_even { values.len() } else { place + 1 };
        for high in &values[place..last] {
            let median = if low == high { *low } else { (low + high) / 2.0 };
            let weight = likelihood(median);
            if weight > 0.0 {
                cases.push(Case { low: *low, high: *high, weight });
            }
        }
    }
    cases
}

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Low,
    Between,
    High,
    Above,
}

impl Case {
    /// A value that is both in the middle counts as the lower one.
    fn side(&self, value: f64) -> Side {
        match value {
            value if value < self.low => Side::Below,
            value if value == self.low => Side::Low,
            value if value < self.high => Side::Between,
            value if value == self.high => Side::High,
            _ => Side::Above,
        }
    }

    fn is_one(&self) -> bool {
        self.low == self.high
    }

    /// The probability of each side.
    fn masses(&self, law: &[(f64, f64)]) -> [f64; 5] {
        let mut masses = [0.0; 5];
        law.iter().for_each(|(value, p)| masses[self.side(*value) as usize] += p);
        masses
    }
}

/// All people are of one kind.
fn alone(kind: &Alike, cases: &[Case]) -> Result<Known, Failure> {
    let mut weights = vec![Scaled::ZERO; kind.law.len()];
    for case in cases {
        let [below, low, _, high, above] = case.masses(&kind.law);
        let of_side = match case.is_one() {
            true => at_one(kind.count, below, low, above),
            false => between(kind.count, [below, low], [above, high]),
        };
        for (weight, (value, p)) in weights.iter_mut().zip(&kind.law) {
            let part = of_side[case.side(*value) as usize].times(Scaled::new(*p)).times(Scaled::new(case.weight));
            *weight = weight.plus(part);
        }
    }
    let all = weights.iter().fold(Scaled::ZERO, |sum, weight| sum.plus(*weight));
    if all.is_zero() {
        return Err(Failure::Impossible);
    }
    // Each probability is off by a unit in the last place for each value, and taken to the power of at most n; each sum has at
    // most n terms, each a product of as many factors.
    let relative_error = 16.0 * (kind.count as f64 + 1.0) * (kind.law.len() as f64 + 8.0) * f64::EPSILON;
    Ok(Known { posteriors: vec![weights.iter().map(|weight| positive(*weight, all)).collect()], relative_error })
}

/// What is possible stays possible.
fn positive(part: Scaled, all: Scaled) -> f64 {
    if part.is_zero() { 0.0 } else { part.over(all).max(f64::MIN_POSITIVE) }
}

/// P(the ones in the middle are m | one person is on each side), where `below`, `at` and `above` are the probabilities of a
/// person's value against m.
fn at_one(count: u64, below: f64, at: f64, above: f64) -> [Scaled; 5] {
    let others = count as i64 - 1;
    // So many may be below, and as many above.
    let most = if count.is_multiple_of(2) { count as i64 / 2 - 1 } else { count as i64 / 2 };
    let rest = |below_most: i64, above_most: i64| at_most(others, below_most, above_most, below, at, above);
    let zero = Scaled::ZERO;
    [rest(most - 1, most), rest(most, most), zero, zero, rest(most, most - 1)]
}

/// P(L ≤ `below_most`, G ≤ `above_most`) of `count` people, of whom L are below and G above:
/// Σ_L P(L)·F(L) with F(L) = P(G ≤ g | L), G | L binomial of the n − L others with q = above/(at + above).
/// From P(Bin(N) ≤ g) = P(Bin(N − 1) ≤ g) − q·P(Bin(N − 1) = g) follows F(L + 1) = F(L) + q·P(Bin(n − L − 1) = g).
fn at_most(count: i64, below_most: i64, above_most: i64, below: f64, at: f64, above: f64) -> Scaled {
    if below_most < 0 || above_most < 0 || (count > 0 && below + at + above == 0.0) {
        return Scaled::ZERO;
    }
    let not_below = at + above;
    let below_most = below_most.min(count);
    let q = if not_below > 0.0 { above / not_below } else { 0.0 };
    let stays = if not_below > 0.0 { at / not_below } else { 0.0 };
    // P(Bin(N) = g) and F for N = count.
    let mut last = Scaled::ZERO;
    let mut within = Scaled::ONE;
    if above_most < count && q > 0.0 {
        if stays == 0.0 {
            within = Scaled::ZERO;
        } else {
            let mut term = power(stays, count);
            within = term;
            let odds = q / stays;
            for place in 1..=above_most {
                term = term.times(Scaled::new((count - place + 1) as f64 / place as f64 * odds));
                within = within.plus(term);
            }
            last = term;
        }
    }
    let mut sum = Scaled::ZERO;
    let mut term = power(not_below, count);
    // Where everybody is below there is only one term, the last.
    if not_below == 0.0 {
        return if below_most == count { power(below, count) } else { Scaled::ZERO };
    }
    let odds = below / not_below;
    for less in 0..=below_most {
        sum = sum.plus(term.times(within));
        let left = count - less;
        if left == 0 || odds == 0.0 {
            break;
        }
        term = term.times(Scaled::new(left as f64 / (less + 1) as f64 * odds));
        if left - 1 <= above_most || q == 0.0 {
            within = Scaled::ONE;
        } else if stays > 0.0 {
            last = last.times(Scaled::new((left - above_most) as f64 / left as f64 / stays));
            within = within.plus(last.times(Scaled::new(q)));
        }
    }
    sum
}

/// P(the two in the middle are a and b | one person is on each side): with n = 2k people exactly k up to a, of whom one at
/// least is at a, and none between, and one at least of the others at b.
fn between(count: u64, [below, low]: [f64; 2], [above, high]: [f64; 2]) -> [Scaled; 5] {
    let half = count as i64 / 2;
    // C(2k − 1, k − 1)
    let mut ways = Scaled::ONE;
    for place in 1..half {
        ways = ways.times(Scaled::new((half + place) as f64 / place as f64));
    }
    let some = |people: i64, rest: f64, at: f64| -> Scaled {
        // (rest + at)^n − rest^n, without cancellation.
        if people == 0 || at == 0.0 {
            return Scaled::ZERO;
        }
        let lost = -(people as f64 * (-at / (rest + at)).ln_1p()).exp_m1();
        power(rest + at, people).times(Scaled::new(if rest == 0.0 { 1.0 } else { lost }))
    };
    let (lower, upper) = (some(half, below, low), some(half, above, high));
    [
        ways.times(some(half - 1, below, low)).times(upper),
        ways.times(power(below + low, half - 1)).times(upper),
        Scaled::ZERO,
        ways.times(lower).times(power(above + high, half - 1)),
        ways.times(lower).times(some(half - 1, above, high)),
    ]
}

/// base^exponent by squaring.
fn power(base: f64, exponent: i64) -> Scaled {
    let (mut result, mut square, mut left) = (Scaled::ONE, Scaled::new(base), exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = result.times(square);
        }
        square = square.times(square);
        left /= 2;
    }
    result
}

/// People of several kinds.
fn together(kinds: &[Alike], count: u64, cases: &[Case]) -> Result<Known, Failure> {
    let mut weights: Vec<Vec<Scaled>> = kinds.iter().map(|kind| vec![Scaled::ZERO; kind.law.len()]).collect();
    let (mut evidence, mut relative_error) = (Scaled::ZERO, 0f64);
    for case in cases {
        let half = count as i64 / 2;
        let up_to =
            |least: i64, most: i64| Evidence::Likely { from: least, weights: vec![1.0; (most - least + 1) as usize] };
        // What each side adds to the figures that the case is about.
        let (figures, sides): (Vec<Evidence>, [Vec<i64>; 5]) = match case.is_one() {
            true => {
                let most = if count.is_multiple_of(2) { half - 1 } else { half };
                let none = vec![0, 0];
                (vec![up_to(0, most), up_to(0, most)], [vec![1, 0], none.clone(), none.clone(), none, vec![0, 1]])
            }
            false => (
                vec![Evidence::Exact(half), up_to(1, half), up_to(1, half)],
                [vec![1, 0, 0], vec![1, 1, 0], vec![], vec![0, 0, 1], vec![0, 0, 0]],
            ),
        };
        let of_case: Option<Vec<(Kind, Vec<usize>, [f64; 5])>> =
            kinds.iter().map(|kind| sided(kind, case, &sides)).collect();
        // Somebody can only be between the two: this is none of the ways.
        let Some(of_case) = of_case else { continue };
        let walked = match walk(&of_case.iter().map(|(kind, _, _)| kind.clone()).collect::<Vec<_>>(), &figures) {
            Ok(walked) => walked,
            Err(Failure::Impossible) => continue,
            Err(Failure::TooWide) => return Err(Failure::TooWide),
        };
        relative_error = relative_error.max(walked.relative_error);
        let mut here = walked.evidence.times(Scaled::new(case.weight));
        for (kind, _, _) in &of_case {
            here = here.times(power(kind.laws.iter().sum(), kind.count as i64));
        }
        evidence = evidence.plus(here);
        for (place, (kind, group_of_side, masses)) in of_case.iter().enumerate() {
            for (weight, (value, p)) in weights[place].iter_mut().zip(&kinds[place].law) {
                let side = case.side(*value) as usize;
                let Some(share) = walked.shares[place].get(group_of_side[side]).filter(|_| masses[side] > 0.0) else {
                    continue;
                };
                debug_assert!(group_of_side[side] < kind.laws.len());
                *weight = weight.plus(here.times(Scaled::new(share * p / masses[side])));
            }
        }
    }
    if evidence.is_zero() {
        return Err(Failure::Impossible);
    }
    let posteriors = weights.iter().map(|of| of.iter().map(|weight| positive(*weight, evidence)).collect()).collect();
    let widest = kinds.iter().map(|kind| kind.law.len()).max().unwrap_or(0) as f64;
    let relative_error = 2.0 * relative_error + 16.0 * (count as f64 + 1.0) * (widest + 8.0) * f64::EPSILON;
    Ok(Known { posteriors, relative_error })
}

/// A kind of people by the sides of a case; `None` if all of them can only be between the two in the middle.
fn sided(kind: &Alike, case: &Case, sides: &[Vec<i64>; 5]) -> Option<(Kind, Vec<usize>, [f64; 5])> {
    let masses = case.masses(&kind.law);
    let mut made = Kind { count: kind.count, weights: Vec::new(), laws: Vec::new(), group_of: Vec::new() };
    let mut group_of_side = vec![usize::MAX; 5];
    for side in (0..5).filter(|side| masses[*side] > 0.0 && *side != Side::Between as usize) {
        group_of_side[side] = made.weights.len();
        made.weights.push(sides[side].clone());
        made.laws.push(masses[side]);
    }
    (!made.weights.is_empty()).then_some((made, group_of_side, masses))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn median(values: &[f64]) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
    }

    /// P(value of the first person of each kind | median), by going through everything that could be.
    fn enumerated(kinds: &[Alike], likelihood: &dyn Fn(f64) -> f64) -> Option<Vec<Vec<f64>>> {
        let people: Vec<usize> =
            kinds.iter().enumerate().flat_map(|(kind, alike)| vec![kind; alike.count as usize]).collect();
        let mut worlds: Vec<(Vec<usize>, f64)> = vec![(Vec::new(), 1.0)];
        for kind in &people {
            let law = &kinds[*kind].law;
            let grown = worlds.into_iter().flat_map(|(world, p)| {
                let each =
                    law.iter().enumerate().map(move |(place, (_, of))| ([world.clone(), vec![place]].concat(), p * of));
                each.collect::<Vec<_>>()
            });
            worlds = grown.collect();
        }
        let mut sums: Vec<Vec<f64>> = kinds.iter().map(|kind| vec![0.0; kind.law.len()]).collect();
        let mut all = 0.0;
        for (world, p) in worlds {
            let values: Vec<f64> = world.iter().zip(&people).map(|(place, kind)| kinds[*kind].law[*place].0).collect();
            let p = p * likelihood(median(&values));
            all += p;
            for (kind, sums) in sums.iter_mut().enumerate() {
                let first = people.iter().position(|of| *of == kind).expect("somebody");
                sums[world[first]] += p;
            }
        }
        (all > 0.0).then(|| sums.into_iter().map(|sums| sums.into_iter().map(|sum| sum / all).collect()).collect())
    }

    #[test]
    fn what_a_median_tells_is_what_an_enumeration_says() {
        let mut state = 11u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        let mut compared = 0;
        for case in 0..400 {
            let kind_count = 1 + below(3);
            let kinds: Vec<Alike> = (0..kind_count)
                .map(|_| {
                    let mut values: Vec<f64> = (0..1 + below(4)).map(|_| below(5) as f64).collect();
                    values.sort_by(f64::total_cmp);
                    values.dedup();
                    let weights: Vec<f64> = values.iter().map(|_| (1 + below(5)) as f64).collect();
                    let all: f64 = weights.iter().sum();
                    let law = values.into_iter().zip(weights).map(|(value, weight)| (value, weight / all)).collect();
                    Alike { count: 1 + below(if kind_count == 1 { 6 } else { 3 }), law }
                })
                .collect();
            // A median as it is, and one that is rounded to a multiple of 2, of which some are likelier than others.
            let seen = below(9) as f64 / 2.0;
            let exactly = |median: f64| f64::from(u8::from(median == seen));
            let roughly = |median: f64| (1.0 - (median - seen).abs() / 2.0).max(0.0);
            let likelihood: &dyn Fn(f64) -> f64 = if case % 2 == 0 { &exactly } else { &roughly };
            let wanted = enumerated(&kinds, likelihood);
            let found = given_median(&kinds, likelihood);
            let Some(wanted) = wanted else {
                assert_eq!(found, Err(Failure::Impossible), "{kinds:?} {seen}");
                continue;
            };
            let found = found.expect("not too wide");
            compared += 1;
            for (found, wanted) in found.posteriors.iter().flatten().zip(wanted.iter().flatten()) {
                assert!((found - wanted).abs() < 1e-12, "case {case}: {found} for {wanted}: {kinds:?} {seen}");
                assert_eq!(*found > 0.0, *wanted > 0.0, "case {case}: {kinds:?} {seen}");
            }
        }
        assert!(compared > 200, "{compared}");
    }

    #[test]
    fn one_kind_is_the_same_as_two_that_are_alike() {
        // Sums of positive terms against going through classes, for more people than can be enumerated.
        let law = vec![(0.0, 0.3), (1.0, 0.25), (2.0, 0.2), (5.0, 0.25)];
        for (count, seen) in [(30u64, 1.0), (31, 2.0), (30, 1.5), (30, 3.0)] {
            let exactly = |median: f64| f64::from(u8::from(median == seen));
            let whole = given_median(&[Alike { count, law: law.clone() }], &exactly).expect("possible");
            let parts = [Alike { count: 10, law: law.clone() }, Alike { count: count - 10, law: law.clone() }];
            let parts = given_median(&parts, &exactly).expect("not too wide");
            for (one, other) in whole.posteriors[0].iter().zip(&parts.posteriors[1]) {
                assert!((one - other).abs() < 1e-11, "{count} {seen}: {one} {other}");
            }
        }
    }

    #[test]
    fn a_median_of_very_many_people_is_no_underflow() {
        let law = vec![(0.0, 0.6), (1.0, 0.3), (2.0, 0.1)];
        let exactly = |median: f64| f64::from(u8::from(median == 2.0));
        // Half of 20 001 people have what one in ten has.
        let known = given_median(&[Alike { count: 20_001, law }], &exactly).expect("possible");
        // By symmetry of what is left: just half of them, and of the others six in nine have 0.
        let [zero, one, two] = known.posteriors[0][..] else { panic!("three values") };
        assert!((two - 0.5).abs() < 1e-4 && (zero / one - 2.0).abs() < 1e-9 && (zero + one + two - 1.0).abs() < 1e-9);
        assert!(known.relative_error < 1e-6);
    }
}
