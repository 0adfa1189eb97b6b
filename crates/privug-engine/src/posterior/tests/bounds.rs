//! The error bounds of `docs/proofs/`, searched for inputs that break them: nearly dependent rows, cancellation, numbers over
//! many scales. The truth is computed in rationals.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::learn::Learner;
use super::super::poll::Poll;
use super::super::sweep::Sweeper;
use super::*;
use crate::number::{Constants, DoubleDouble, Field, NUMBER_ERROR, Wide};

/// A pair of doubles, exactly.
fn of_pair(value: &DoubleDouble) -> Rational {
    let (high, low) = value.to_parts();
    exact(high) + exact(low)
}

fn power(e: i32) -> Rational {
    let part = |e: i32| exact(2f64.powi(e));
    part(e / 2) * part(e - e / 2)
}

fn size(value: Rational) -> Rational {
    if value < Rational::ZERO { -value } else { value }
}

/// A number that the program has rounded may be off by so much, up or down.
fn meant(number: f64, direction: i8) -> Rational {
    // The bounds are doubles themselves, and rounded by some units in their last place.
    let rounded = if number.is_rounded() { NUMBER_ERROR * (1.0 - 1e-12) } else { 0.0 };
    exact(number) * (Rational::ONE + exact(rounded) * Rational::from(direction))
}

/// What a node is: its mean and its coefficient on the noise of each node before it, straight from the definition.
#[derive(Clone, Default)]
struct Expanded {
    mean: Rational,
    coefficients: BTreeMap<u32, Rational>,
}

/// A node: constant, terms with how far back their nodes are, what it is divided by, variance, and the direction that its
/// numbers are off in.
type Draft = (f64, Vec<(usize, f64)>, f64, bool, i8);

fn numbers() -> impl Strategy<Value = f64> {
    let short = (-64..64i32, -30..30i32).prop_map(|(digits, scale)| f64::from(digits) * 2f64.powi(scale));
    prop_oneof![Just(1.0), Just(-1.0), Just(0.1), Just(-0.3), Just(1.0 / 3.0), short, -1e3..1e3f64]
}

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let divisors = prop_oneof![4 => Just(1.0), 1 => Just(3.0), 1 => Just(0.7), 1 => Just(-11.0)];
    vec((numbers(), vec((0..6usize, numbers()), 0..5), divisors, any::<bool>(), -1..=1i8), 2..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// `docs/proofs/rows.md`
    #[test]
    fn rows_and_means_are_within_their_bounds(drafts in drafts()) {
        let mut build = Build::<f64>::default();
        let mut truths: Vec<Expanded> = Vec::new();
        for (constant, terms, divisor, noisy, direction) in &drafts {
            let at = truths.len();
            let mut truth = Expanded { mean: meant(*constant, *direction), ..Expanded::default() };
            let mut known: Vec<(NodeId, f64)> = Vec::new();
            for (back, weight) in terms.iter().filter(|(back, weight)| *back < at && *weight != 0.0) {
                let parent = at - 1 - back;
                known.push((NodeId(parent as u32), *weight));
                let weight = meant(*weight, *direction);
                truth.mean += &weight * &truths[parent].mean;
                for (source, c) in &truths[parent].coefficients {
                    *truth.coefficients.entry(*source).or_insert(Rational::ZERO) += &weight * c;
                }
            }
            if *noisy || at == 0 {
                truth.coefficients.insert(at as u32, Rational::ONE);
            }
            build.network.push(*constant, known, if *noisy || at == 0 { 2.0 } else { 0.0 }, Span::START);
            truths.push(truth);
            if *divisor != 1.0 {
                build.network.push_quotient(NodeId(at as u32), *divisor, Span::START);
                let mut truth = truths[at].clone();
                let divisor = meant(*divisor, *direction);
                truth.mean /= &divisor;
                truth.coefficients.values_mut().for_each(|c| *c /= &divisor);
                truths.push(truth);
            }
        }
        let options = Options::default();
        let (mut sweeper, mut poll) = (Sweeper::new(&build.network), Poll::new(&options));
        for (node, truth) in truths.iter().enumerate() {
            let Ok(row) = sweeper.sweep(NodeId(node as u32), &mut poll) else { continue };
            let mut left = truth.coefficients.clone();
            for (source, part) in row.sources() {
                let wanted = left.remove(&source).unwrap_or(Rational::ZERO);
                let off = size(of_pair(&part.coefficient) - wanted);
                prop_assert!(off <= exact(part.error), "coefficient of {source} in {node}");
            }
            // What the row left out has cancelled: all of its numbers were exact.
            for (source, c) in left {
                prop_assert!(c == Rational::ZERO, "{source} of {node} is {}", Constants::to_f64(&c));
            }
            let off = size(of_pair(&row.mean.value) - &truth.mean);
            prop_assert!(off <= exact(row.mean.error), "mean of {node}");
        }
    }
}

/// Rows that nearly follow from earlier ones. All numbers are exact doubles, so that the only errors are those of the
/// arithmetic.
#[derive(Debug, Clone)]
struct Near {
    variances: Vec<i32>,
    /// For each row: how it is made of the two before it, how small the rest is, and the rest.
    rows: Vec<(i32, i32, i32, Vec<i64>)>,
    values: Vec<i64>,
}

fn near() -> impl Strategy<Value = Near> {
    (3..7usize).prop_flat_map(|sources| {
        let rest = vec(-(1i64 << 39)..1i64 << 39, sources);
        let row = (-2..3i32, -2..3i32, prop_oneof![0..12i32, 12..30i32], rest);
        (vec(-40..40i32, sources), vec(row, 2..7), vec(-1000..1000i64, 8)).prop_map(|(variances, rows, values)| Near {
            variances,
            rows,
            values,
        })
    })
}

impl Near {
    fn build(&self) -> (Build<f64>, Vec<Observation<f64>>, Vec<Affine<f64>>) {
        let mut build = Build::<f64>::default();
        let sources: Vec<NodeId> =
            self.variances.iter().map(|scale| build.normal(3.0, 3.0 * 2f64.powi(*scale))).collect();
        let mut rows: Vec<NodeId> = Vec::new();
        let mut observations = Vec::new();
        for ((first, second, smaller, rest), value) in self.rows.iter().zip(&self.values) {
            let mut terms: Vec<(NodeId, f64)> = Vec::new();
            if let [.., before, last] = rows[..] {
                terms.extend([(before, f64::from(*first)), (last, f64::from(*second))]);
            }
            terms.retain(|(_, weight)| *weight != 0.0);
            let unit = 2f64.powi(-39 - smaller);
            terms.extend(sources.iter().zip(rest).map(|(source, digits)| (*source, *digits as f64 * unit)));
            let node = build.node(0.0, &terms, 0.0);
            rows.push(node);
            observations.push(seen(plain(node), *value as f64 / 64.0));
        }
        let targets = sources.iter().map(|source| plain(*source)).collect();
        (build, observations, targets)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(384))]

    /// `docs/proofs/projection.md`: pivots, the logarithm of the evidence, and how far means move.
    #[test]
    fn pivots_evidence_and_shifts_are_within_their_bounds(near in near()) {
        let (build, observations, targets) = near.build();
        let network = exact_network(&build.network);
        let all: Vec<Observation<Rational>> = observations
            .iter()
            .map(|seen| Observation { variable: exact_affine(&seen.variable), value: seen.value.map(exact) })
            .collect();
        let options = Options::default();
        let mut poll = Poll::new(&options);
        let (mut sweeper, mut exact_sweeper) = (Sweeper::new(&build.network), Sweeper::new(&network));
        let mut doubles = Learner::new(&build.network, &observations, &mut sweeper, &mut poll).expect("in range");
        let mut truth = Learner::new(&network, &all, &mut exact_sweeper, &mut poll).expect("no limits");
        truth.projector.begin();
        doubles.projector.begin();
        for row in 0..observations.len() {
            let wanted = truth.projector.observe(&mut poll).expect("no limits");
            let Ok(found) = doubles.projector.observe(&mut poll) else { return Ok(()) };
            prop_assert_eq!(found.pivot.is_some(), wanted.pivot.is_some());
            let (Some(pivot), Some(wanted)) = (&found.pivot, &wanted.pivot) else { continue };
            let pivot = of_pair(pivot) * power(found.exponent) * power(found.exponent);
            prop_assert!(size(&pivot - wanted) <= exact(found.error) * wanted, "row {}", row);
        }
        let learned = Learner::new(&build.network, &observations, &mut sweeper, &mut poll)
            .and_then(|mut learner| learner.learn(&mut poll).map(|_| learner));
        let mut truth = Learner::new(&network, &all, &mut exact_sweeper, &mut poll).expect("no limits");
        let (Ok(mut doubles), Ok(_)) = (learned, truth.learn(&mut poll)) else { return Ok(()) };
        let off = (doubles.log_evidence_nats - truth.log_evidence_nats).abs();
        let bound = doubles.log_evidence_error + truth.log_evidence_error;
        prop_assert!(off <= bound, "{} against {}: bound {bound:e}", doubles.log_evidence_nats, truth.log_evidence_nats);
        for (target, wanted) in targets.iter().zip(targets.iter().map(exact_affine)) {
            let row = sweeper.sweep(target.node, &mut poll).expect("in range");
            let Ok(view) = doubles.projector.view(&row, &mut poll) else { continue };
            let wanted_row = exact_sweeper.sweep(wanted.node, &mut poll).expect("no limits");
            let wanted = truth.projector.view(&wanted_row, &mut poll).expect("no limits");
            let shift = view.onto.iter().fold(DoubleDouble::zero(), |sum, (basis, c)| {
                sum.add(&c.mul(doubles.used[*basis as usize].evidence.innovation.as_ref().expect("seen")))
            });
            let wanted_shift = wanted.onto.iter().fold(Rational::ZERO, |sum, (basis, c)| {
                sum + c * truth.used[*basis as usize].evidence.innovation.as_ref().expect("seen")
            });
            let bound = view.shift_error + doubles.rounding(&view.onto, &view.prior_variance);
            let off = size(of_pair(&shift) * power(view.exponent) - &wanted_shift);
            prop_assert!(off <= exact(bound) * power(view.exponent), "shift");
            // A variance that is left is right to nine digits, and one that is not is nothing.
            let left = of_pair(&view.variance_after_seen) * power(view.exponent) * power(view.exponent);
            let tolerance = exact(3.0 * 2f64.powi(-33)) * &wanted.variance_after_seen;
            prop_assert!(size(left - &wanted.variance_after_seen) <= tolerance);

            // The same by the profile of the source's group.
            let Some(group) = doubles.projector.group(target.node) else { continue };
            let profile = doubles.profile(group, &mut poll).expect("in range");
            let (m, e) = doubles.projector.unit_variance(target.node);
            let Some(left) = profile.left(&m, &DoubleDouble::zero()) else { continue };
            let off = size(of_pair(&left.shift) * power(e) - &wanted_shift);
            prop_assert!(off <= exact(left.shift_error) * power(e), "shift of a profile");
            let variance = of_pair(&left.variance) * power(e) * power(e);
            let tolerance = exact(3.0 * 2f64.powi(-33)) * &wanted.variance_after_seen;
            prop_assert!(size(variance - &wanted.variance_after_seen) <= tolerance);
        }
    }
}

#[test]
fn units_that_cancel_in_the_density_do_not_make_its_bound_too_small() {
    // 2⁻⁸⁵⁰·x of an x with a deviation of 2⁴⁵⁰ and a mean of 0: the logarithms of both units are hundreds of times that of the
    // variance.
    let mut build = Build::<f64>::default();
    let x = build.normal(0.0, 3.0 * 2f64.powi(900));
    let seen = [seen(scaled(x, 2f64.powi(-450)), 1.0)];
    let found = build.condition(&seen, &[]).expect("a posterior");
    // −½·(ln 2π + ln 3 + 1/3), written out.
    let expected = -0.5 * (std::f64::consts::TAU.ln() + 3f64.ln() + 1.0 / 3.0);
    assert!((found.log_evidence_nats - expected).abs() <= found.log_evidence_error);
    assert!(found.log_evidence_error >= 2.0 * f64::EPSILON * 450.0 * std::f64::consts::LN_2);
}

#[test]
fn rows_with_many_steps_and_few_weights_count_every_step() {
    // A chain of sums, a row that sees its first source and so all of it, and one more that follows that row but for a noise of
    // its own: one weight, and as many steps as the chain is long.
    let mut build = Build::<f64>::default();
    let length = 60;
    let sources: Vec<NodeId> = (0..length + 1).map(|_| build.normal(0.0, 1.0)).collect();
    let mut observations: Vec<Observation<f64>> = Vec::new();
    for pair in sources.windows(2) {
        let node = build.node(0.0, &[(pair[0], 1.0), (pair[1], 1.0)], 0.0);
        observations.push(seen(plain(node), 0.0));
    }
    let first = build.node(0.0, &[(sources[0], 1.0)], 1.0);
    let second = build.node(0.0, &[(first, 1.0)], 1.0);
    observations.extend([seen(plain(first), 0.0), seen(plain(second), 0.0)]);
    let options = Options::default();
    let mut poll = Poll::new(&options);
    let mut sweeper = Sweeper::new(&build.network);
    let mut learner = Learner::new(&build.network, &observations, &mut sweeper, &mut poll).expect("in range");
    learner.projector.begin();
    let placements: Vec<_> =
        (0..observations.len()).map(|_| learner.projector.observe(&mut poll).expect("certain")).collect();
    let last = placements.last().expect("a row");
    assert!(last.onto.len() > length);
    assert!(last.rounding >= DoubleDouble::UNIT_ROUNDOFF * last.onto.len() as f64);
}
