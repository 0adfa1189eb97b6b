//! Sums against plain convolution in rationals, which shares no code with them.

use dashu_int::IBig;
use proptest::prelude::*;

use super::*;
use crate::number::{Constants, Rational};

type Kinds = Vec<(Vec<f64>, u64)>;

fn rational(value: f64) -> Rational {
    Rational::try_from(value).expect("finite")
}

fn double(value: &Rational) -> f64 {
    crate::number::Exact::from(value.clone()).to_f64()
}

/// The distribution of a sum as integers over a power of two, one summand after the other, all but one of a kind.
fn others(kinds: &Kinds, without: usize) -> Vec<IBig> {
    let mut sum = vec![IBig::ONE];
    for (place, (law, count)) in kinds.iter().enumerate() {
        let law = integers(law);
        for _ in 0..count - u64::from(without == place) {
            let mut next = vec![IBig::ZERO; sum.len() + law.len() - 1];
            for (a, p) in sum.iter().enumerate() {
                for (b, q) in law.iter().enumerate() {
                    next[a + b] += p * q;
                }
            }
            sum = next;
        }
    }
    sum
}

/// Doubles as integers over one power of two.
fn integers(law: &[f64]) -> Vec<IBig> {
    let ratios: Vec<Rational> = law.iter().map(|p| rational(*p)).collect();
    let denominator = ratios.iter().map(|p| p.denominator().clone()).max().expect("not empty");
    ratios.iter().map(|p| p.numerator() * IBig::from(&denominator / p.denominator())).collect()
}

/// The posterior of each kind in rationals, and the logarithm of the probability of the sum; `None` if it is impossible.
fn oracle(kinds: &Kinds, k: usize) -> Option<(Vec<Vec<Rational>>, f64)> {
    let mut posteriors = Vec::new();
    let mut ln_evidence = 0.0;
    for (place, (law, _)) in kinds.iter().enumerate() {
        let others = others(kinds, place);
        let at = |a: usize| k.checked_sub(a).and_then(|left| others.get(left)).cloned().unwrap_or(IBig::ZERO);
        let joint: Vec<IBig> = integers(law).iter().enumerate().map(|(a, p)| p * at(a)).collect();
        let evidence: IBig = joint.iter().sum();
        if evidence.is_zero() {
            return None;
        }
        let whole: IBig = kinds.iter().fold(IBig::ONE, |product, (law, count)| {
            let denominator = law.iter().map(|p| rational(*p).denominator().clone()).max().expect("not empty");
            product * IBig::from(denominator).pow(*count as usize)
        });
        let of =
            |part: &IBig, whole: &IBig| Rational::from_parts(part.clone(), whole.clone().try_into().expect("positive"));
        ln_evidence = crate::choices::Mass::of(crate::number::Exact::from(of(&evidence, &whole))).ln();
        posteriors.push(joint.iter().map(|part| of(part, &evidence)).collect());
    }
    Some((posteriors, ln_evidence))
}

fn check(kinds: &Kinds, k: usize, known: Option<Known>) {
    let expected = oracle(kinds, k);
    let (Some(known), Some((posteriors, ln))) = (&known, &expected) else {
        assert!(known.is_none() && expected.is_none(), "{kinds:?} at {k}: {known:?} against {expected:?}");
        return;
    };
    assert!((known.ln_probability - ln).abs() <= 1e-10 * ln.abs().max(1.0), "{} against {ln}", known.ln_probability);
    for (found, expected) in known.posteriors.iter().zip(posteriors) {
        for (p, exact) in found.iter().zip(expected) {
            assert_eq!(*p == 0.0, *exact == Rational::ZERO, "{kinds:?} at {k}: {found:?}");
            let off = double(&(rational(*p) - exact)).abs();
            match known.bound {
                // What was multiplied out is right to its last digits, however small.
                None => {
                    let allowed = known.relative_error.min(1e-12) * double(exact) + f64::MIN_POSITIVE;
                    assert!(off <= allowed, "{p} against {}, allowed {allowed:e}", double(exact))
                }
                Some(bound) => {
                    assert!(off <= bound && bound < 1e-9, "off by {off:e}, bound {bound:e}: {kinds:?} at {k}")
                }
            }
        }
    }
}

/// Distributions that begin and end with something possible.
fn law(longest: usize) -> impl Strategy<Value = Vec<f64>> {
    let inner = prop::collection::vec(prop_oneof![2 => 0.01..1.0f64, 1 => Just(0.0), 1 => Just(1e-300)], 0..longest);
    (0.01..1.0f64, inner, prop_oneof![3 => 0.01..1.0f64, 1 => Just(1e-12), 1 => Just(1e-300)]).prop_map(
        |(first, inner, last)| {
            let law: Vec<f64> = std::iter::once(first).chain(inner).chain([last]).collect();
            let sum: f64 = law.iter().sum();
            law.into_iter().map(|p| p / sum).collect()
        },
    )
}

fn kinds(longest: usize, most: u64) -> impl Strategy<Value = Kinds> {
    prop::collection::vec((law(longest), 1..=most), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn small_sums_are_those_of_plain_convolution(kinds in kinds(4, 4), place in 0.0..1.0f64) {
        let largest: u64 = kinds.iter().map(|(law, count)| (law.len() as u64 - 1) * count).sum();
        let k = (place * (largest + 1) as f64) as usize;
        check(&kinds, k, given_sum(&kinds, k as i64).expect("small"));
    }

    #[test]
    fn fourier_sums_are_off_by_no_more_than_their_bound(
        ps in prop::collection::vec((1u32..1024, 1u64..30), 1..5), place in 0.0..1.0f64,
    ) {
        let yes = |p: u32| vec![1.0 - f64::from(p) / 1024.0, f64::from(p) / 1024.0];
        let kinds: Kinds = ps.into_iter().map(|(p, count)| (yes(p), count)).collect();
        check_fourier(&kinds, place)?;
    }

    #[test]
    fn fourier_sums_of_any_integers_too(kinds in kinds(3, 8), place in 0.0..1.0f64) {
        check_fourier(&kinds, place)?;
    }
}

/// The Fourier sum where nobody would need one, against rationals.
fn check_fourier(kinds: &Kinds, place: f64) -> Result<(), TestCaseError> {
    let largest: u64 = kinds.iter().map(|(law, count)| (law.len() as u64 - 1) * count).sum();
    let k = 1 + (place * (largest - 1) as f64) as u64;
    if k >= largest {
        return Ok(());
    }
    if let Some(found) = fourier::observed(kinds, k, 1 << 30) {
        let (expected, _) = oracle(kinds, k as usize).expect("possible");
        for ((posterior, bound), expected) in found.posteriors.iter().zip(&expected) {
            for (p, exact) in posterior.iter().zip(expected) {
                let off = double(&(rational(*p) - exact)).abs();
                prop_assert!(off <= *bound, "off by {off:e}, bound {bound:e}: {kinds:?} at {k}");
                prop_assert_eq!(*p == 0.0, *exact == Rational::ZERO);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// `docs/proofs/counts.md`: a crowd too large for any convolution, and one person beside it. The crowd is binomial, so that
    /// P(crowd = j)/P(crowd = j − 1) = (n − j + 1)·p/(j·q) is a closed form, in rationals.
    #[test]
    fn fourier_sums_beside_a_crowd_of_any_size_are_within_their_bound(
        size in 3.0..12.0f64, chance in prop_oneof![0.01..0.99f64, 1e-7..1e-3f64, 0.999..0.999_999_9f64],
        own in law(6), from_mean in -3.0..3.0f64,
    ) {
        let n = 10f64.powf(size).floor() as u64;
        let (q, p) = (1.0 - chance, chance);
        let spread = (n as f64 * p * q).sqrt();
        let k = (n as f64 * p + from_mean * spread).floor();
        prop_assume!(spread > 3.0 && k > 10.0 && k < n as f64 - 10.0);
        let k = k as u64;
        let kinds: Kinds = vec![(vec![q, p], n), (own.clone(), 1)];
        let Some(found) = fourier::observed(&kinds, k, 1 << 22) else { return Ok(()) };
        // In proportion to P(own = a)·P(crowd = k − a), from a = 0 on.
        let (p, q) = (rational(p), rational(q));
        let mut crowd = Rational::ONE;
        let mut joint = Vec::new();
        for (a, of_own) in own.iter().enumerate() {
            joint.push(rational(*of_own) * &crowd);
            let j = k - a as u64;
            crowd = crowd * Rational::from(j) * &q / (Rational::from(n - j + 1) * &p);
        }
        let total: Rational = joint.iter().fold(Rational::ZERO, |sum, part| sum + part);
        let (posterior, bound) = &found.posteriors[1];
        for (found, exact) in posterior.iter().zip(&joint) {
            let off = double(&(rational(*found) - exact / &total)).abs();
            prop_assert!(off <= *bound, "off by {off:e}, bound {bound:e}: {n} with {chance} at {k}, {own:?}");
        }
    }
}

/// The mean of a chance as near to 1 as this is rounded by as much as its variance allows for; a crowd of 10¹² makes that
/// visible in the posterior of the one beside it.
#[test]
fn what_rounding_takes_from_a_mean_is_taken_into_account_once() {
    let mut worst: f64 = 0.0;
    for digits in 1..40u32 {
        let q = 2e-7 + f64::from(digits) * 1.234_567e-9;
        let (n, p) = (1_000_000_000_000u64, 1.0 - q);
        let k = (n as f64 * p).floor() as u64;
        let kinds: Kinds = vec![(vec![q, p], n), (vec![0.5, 0.5], 1)];
        let found = fourier::observed(&kinds, k, 1 << 26).expect("a certified answer");
        let ratio = Rational::from(k) * rational(q) / (Rational::from(n - k + 1) * rational(p));
        let exact = Rational::ONE / (Rational::ONE + ratio);
        let (posterior, bound) = &found.posteriors[1];
        let off = double(&(rational(posterior[0]) - exact)).abs();
        worst = worst.max(off / bound);
    }
    assert!(worst <= 1.0, "{worst} times the bound");
}

#[test]
fn fourier_sums_answer_what_they_are_for() {
    let yes = |p: u32| vec![1.0 - f64::from(p) / 64.0, f64::from(p) / 64.0];
    let kinds: Kinds = (1..8).map(|i| (yes(i * 8), 30)).collect();
    for k in [1, 5, 60, 105, 150, 209] {
        let found = fourier::observed(&kinds, k, 1 << 30).expect("a certified answer");
        let worst = found.posteriors.iter().map(|(_, bound)| *bound).fold(0.0, f64::max);
        assert!(worst < 1e-12, "{worst:e} at {k}");
        let posteriors = found.posteriors.into_iter().map(|(p, _)| p).collect();
        let ln_probability = found.ln_probability;
        let known = Known { posteriors, bound: Some(worst), relative_error: 0.0, ln_probability };
        check(&kinds, k as usize, Some(known));
    }
}

#[test]
fn extremes_are_certain_or_impossible() {
    let kinds: Kinds = vec![(vec![0.9, 0.1], 3), (vec![1e-300, 1.0], 2), (vec![0.5, 0.0, 0.5], 2)];
    for k in 0..=10 {
        check(&kinds, k, given_sum(&kinds, k as i64).expect("small"));
    }
    assert!(given_sum(&kinds, -1).expect("small").is_none());
    assert!(given_sum(&kinds, 10).expect("small").is_none());
    let even: Kinds = vec![(vec![0.5, 0.0, 0.5], 5)];
    check(&even, 3, given_sum(&even, 3).expect("small"));
    check(&even, 4, given_sum(&even, 4).expect("small"));
    let one: Kinds = vec![(vec![0.25, 0.75], 1)];
    check(&one, 1, given_sum(&one, 1).expect("small"));
}

#[test]
fn exchangeable_people_share_the_sum() {
    for (n, k) in [(10u64, 3u64), (5_000, 17), (1_000_000, 312), (1_000_000, 500_000), (1_000_000, 999_999)] {
        let known = given_sum(&[(vec![0.9, 0.1], n)], k as i64).expect("not too large").expect("possible");
        let off = (known.posteriors[0][1] - k as f64 / n as f64).abs();
        assert!(off <= known.bound.unwrap_or(1e-14), "{off:e} of {n} at {k}, bound {:?}", known.bound);
        assert!(known.bound.unwrap_or(0.0) < 1e-11, "{:?}", known.bound);
    }
}

#[test]
fn both_ways_agree_where_one_takes_over() {
    // Just below and above the switch, and the same question by the other way.
    for n in [1000, 2000, 2100, 4000] {
        let kinds: Kinds =
            (0..n).map(|i| 0.02 + 0.9 * f64::from(i) / f64::from(n)).map(|p| (vec![1.0 - p, p], 1)).collect();
        let k = i64::from(n / 3);
        let known = given_sum(&kinds, k).expect("not too large").expect("possible");
        let mut weights = vec![Scaled::ZERO; n as usize + 1];
        weights[k as usize] = Scaled::ONE;
        let other = given_weights(&kinds, &weights).expect("not too large").expect("possible");
        assert!((known.ln_probability - other.ln_probability).abs() < 1e-9);
        for (a, b) in known.posteriors.iter().zip(&other.posteriors) {
            assert!((a[1] - b[1]).abs() <= known.bound.unwrap_or(0.0) + 1e-12);
        }
    }
}

/// The same question in rationals, by whichever way it takes.
fn check_exact(kinds: &Kinds, k: usize) {
    let exact: Vec<(Vec<Rational>, u64)> =
        kinds.iter().map(|(law, count)| (law.iter().map(|p| rational(*p)).collect(), *count)).collect();
    let known = exact::given_sum(&exact, k).expect("not too large");
    match (known, oracle(kinds, k)) {
        (Some(known), Some((posteriors, ln))) => {
            assert_eq!(known.posteriors, posteriors, "{kinds:?} at {k}");
            assert!((known.ln_probability - ln).abs() <= 1e-10 * ln.abs().max(1.0));
        }
        (known, expected) => assert!(known.is_none() && expected.is_none(), "{kinds:?} at {k}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rationals_are_those_of_plain_convolution(kinds in kinds(3, 4), place in 0.0..1.0f64) {
        let largest: u64 = kinds.iter().map(|(law, count)| (law.len() as u64 - 1) * count).sum();
        let k = (place * (largest + 1) as f64) as usize;
        // Doubles that were divided by their sum do not add up to 1 exactly, which makes no difference.
        check_exact(&kinds, k);
    }

    #[test]
    fn remainders_make_the_same_rationals(
        ps in prop::collection::vec((1u32..1024, 1u64..60), 2..6), place in 0.0..1.0f64,
    ) {
        let yes = |p: u32| vec![1.0 - f64::from(p) / 1024.0, f64::from(p) / 1024.0];
        let kinds: Kinds = ps.into_iter().map(|(p, count)| (yes(p), count)).collect();
        let largest: u64 = kinds.iter().map(|(_, count)| count).sum();
        check_exact(&kinds, (place * (largest + 1) as f64) as usize);
    }
}

#[test]
fn rationals_at_both_ends_and_beyond() {
    let yes = |p: u32| vec![1.0 - f64::from(p) / 1024.0, f64::from(p) / 1024.0];
    let kinds: Kinds = vec![(yes(3), 50), (yes(512), 60), (yes(1023), 7)];
    for k in [0, 1, 2, 58, 59, 60, 115, 116, 117] {
        check_exact(&kinds, k);
    }
    let exact: Vec<(Vec<Rational>, u64)> = vec![(vec![Rational::ONE - rational(0.5), rational(0.5)], 2)];
    assert!(exact::given_sum(&exact, 3).expect("small").is_none());
}
