//! Very many observations: the fast path against the reference.

use super::super::large;
use super::super::learn::Learner;
use super::super::poll::Poll;
use super::super::survey;
use super::super::sweep::Sweeper;
use super::*;
use crate::network::Variables;
use crate::number::Constants;

/// People and queries about them, with published values near what the people are.
struct Release {
    build: Build<f64>,
    people: Vec<NodeId>,
    observations: Vec<Observation<f64>>,
}

/// Random numbers that are the same in every run.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn people(count: usize) -> (Build<f64>, Vec<NodeId>) {
    let mut build = Build::<f64>::default();
    let people = (0..count).map(|i| build.normal(30.0 + (i % 40) as f64, 1.0 + (i % 9) as f64)).collect();
    (build, people)
}

/// The mean of some people, seen to be a little more than expected.
fn mean_of(build: &mut Build<f64>, members: &[usize], people: &[NodeId], noise: f64) -> Observation<f64> {
    let terms: Vec<(NodeId, f64)> = members.iter().map(|&member| (people[member], 1.0)).collect();
    let total = build.node(0.0, &terms, noise);
    let expected: f64 = members.iter().map(|member| 30.0 + (member % 40) as f64).sum();
    seen(scaled(total, 1.0 / members.len() as f64), expected / members.len() as f64 + 0.25)
}

/// Means over random halves of the people.
fn random_queries(count: usize, queries: usize) -> Release {
    let (mut build, people) = people(count);
    let mut state = 7;
    let observations = (0..queries).map(|_| {
        let members: Vec<usize> = (0..count).filter(|_| random(&mut state) & 1 == 0).collect();
        mean_of(&mut build, &members, &people, 0.0)
    });
    let observations = observations.collect();
    Release { build, people, observations }
}

/// Means by region, by district within it, and by age across both, each with noise of its own.
fn nested_and_crossed(count: usize) -> Release {
    nested_and_noisy(count, 0.5)
}

/// The same with noise of this variance beside the totals.
fn nested_and_noisy(count: usize, noise: f64) -> Release {
    let (mut build, people) = people(count);
    let mut observations = Vec::new();
    let key: [fn(usize) -> usize; 3] = [|i| i % 10, |i| i % 400, |i| i / 7 % 11];
    for key in key {
        let groups = (0..count).map(key).max().expect("somebody") + 1;
        for group in 0..groups {
            let members: Vec<usize> = (0..count).filter(|&i| key(i) == group).collect();
            observations.push(mean_of(&mut build, &members, &people, noise));
        }
    }
    Release { build, people, observations }
}

fn compare(release: &Release) {
    let Release { build, people, observations } = release;
    let options = Options::default();
    let mut poll = Poll::new(&options);
    let learner = Learner::new(&build.network, observations, &mut Sweeper::new(&build.network), &mut poll);
    let learner = learner.expect("in range");
    assert!(large::is_worth_it(&learner));
    let fast = large::learn(&learner, large::Order::Sparse, &mut poll).expect("within the limits");
    assert!(fast.is_some(), "the fast path has no answer");
    let targets: Variables<f64> = people.iter().map(|&person| plain(person)).collect();
    let surveyed = survey(&build.network, observations, &targets, &Options::default()).expect("a survey");
    assert!(surveyed.observations.iter().all(|observation| !observation.redundant));
    let some: Vec<usize> = (0..people.len()).step_by(people.len() / 20).collect();
    let chosen: Vec<Affine<f64>> = some.iter().map(|&index| targets.get(index)).collect();
    let reference = build.condition(observations, &chosen).expect("a posterior");
    assert!((surveyed.log_evidence_nats / reference.log_evidence_nats - 1.0).abs() < 1e-10);
    for (&index, want) in some.iter().zip(&reference.targets) {
        let columns = &surveyed.targets;
        let close =
            |got: f64, want: f64, scale: f64| assert!((got - want).abs() <= 1e-11 * scale, "{got} is not {want}");
        let spread = columns.spread(index);
        close(spread.posterior_variance, want.posterior_variance, want.posterior_variance);
        close(spread.variance_reduction, want.variance_reduction, want.variance_reduction);
        close(spread.mean_shift, want.mean_shift, want.posterior_variance.sqrt());
        assert_eq!(spread.prior_variance, want.prior_variance);
        assert!(!spread.fully_disclosed);
    }
    let first = &reference.observations[0];
    assert_eq!(surveyed.observations[0].mean, first.predicted_mean);
    assert_eq!(surveyed.observations[0].variance, first.predicted_variance);
}

#[test]
fn random_queries_are_answered_as_by_the_reference() {
    compare(&random_queries(2000, 250));
}

#[test]
fn nested_and_crossed_groups_are_answered_as_by_the_reference() {
    compare(&nested_and_crossed(4000));
}

/// `Cholesky::heights`: the inverse of a sparse factor is dense, and takes longer than solving where L is sparse.
#[test]
fn nested_groups_take_no_dense_inverse() {
    let Release { build, people, observations } = nested_and_crossed(20_000);
    let targets: Variables<f64> = people.iter().map(|&person| plain(person)).collect();
    let dense = 3 * observations.len() * observations.len();
    let options = Options { max_cells: dense as u64, ..Options::default() };
    assert!(survey(&build.network, &observations, &targets, &options).is_ok());
}

#[test]
fn a_difference_of_queries_still_discloses() {
    let mut release = random_queries(600, 250);
    let everyone: Vec<usize> = (0..600).collect();
    release.observations.push(mean_of(&mut release.build, &everyone, &release.people, 0.0));
    let mut all_but_one = mean_of(&mut release.build, &everyone[1..], &release.people, 0.0);
    // Whatever the published values are, they determine the one who was left out.
    all_but_one.value = all_but_one.value.map(|value| value + 0.001);
    release.observations.push(all_but_one);
    let targets: Variables<f64> = release.people.iter().map(|&person| plain(person)).collect();
    let surveyed = survey(&release.build.network, &release.observations, &targets, &Options::default());
    let disclosed = surveyed.expect("a survey").targets.whose(|spread| spread.fully_disclosed).collect::<Vec<_>>();
    assert_eq!(disclosed, [0]);
}

#[test]
fn the_bounds_of_the_fast_path_hold_however_close_queries_are() {
    let mut answered = 0;
    for closeness in [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let Release { mut build, people, mut observations } = random_queries(500, 200);
        // Nearly what was asked before, and one person a little more.
        for query in 0..30 {
            let Affine { node, scale, .. } = observations[query].variable.clone();
            let again = build.node(0.0, &[(node, scale), (people[query], closeness)], 0.0);
            let value = observations[query].value.expect("seen") + closeness * (30.5 + (query % 40) as f64);
            observations.push(seen(plain(again), value));
        }
        answered += usize::from(are_within_their_bounds(&build, &observations, closeness));
    }
    assert!(answered >= 3, "the fast path answered {answered} times");
}

/// What each figure has to itself bounds the smallest eigenvalue here, and with it all errors.
#[test]
fn the_bounds_of_the_fast_path_hold_however_little_noise_figures_have() {
    let mut answered = 0;
    for noise in [0.5, 1e-2, 1e-4, 1e-6, 1e-8] {
        let Release { build, observations, .. } = nested_and_noisy(3_000, noise);
        answered += usize::from(are_within_their_bounds(&build, &observations, noise));
    }
    assert!(answered >= 3, "the fast path answered {answered} times");
}

/// Holds what the fast path says of every group against the reference; false if it says nothing.
fn are_within_their_bounds(build: &Build<f64>, observations: &[Observation<f64>], what: f64) -> bool {
    let options = Options::default();
    let mut poll = Poll::new(&options);
    let mut sweeper = Sweeper::new(&build.network);
    let mut learner = Learner::new(&build.network, observations, &mut sweeper, &mut poll).expect("in range");
    let blocks = large::learn(&learner, large::Order::Sparse, &mut poll).expect("within the limits");
    let Some(profiles) =
        blocks.map(|blocks| blocks.profiles(&blocks.heights(&mut poll).expect("within the limits"), &poll))
    else {
        return false;
    };
    learner.learn(&mut poll).expect("the reference has enough digits");
    for group in 0..learner.projector.group_count() as u32 {
        let profile = profiles.get(Some(group)).expect("all are known");
        let reference = learner.profile(group, &mut poll).expect("within the limits");
        let (h, bound) = (&profile.explained, profile.explained.error + profile.explained.rounding);
        let difference = h.value.to_f64() - reference.explained.value.to_f64();
        assert!(difference.abs() <= bound, "{what}: off by {difference:e}, said to be within {bound:e}");
        let shift = profile.shift.to_f64() - reference.shift.to_f64();
        assert!(shift.abs() <= profile.shift_error + 1e-13, "{what}: the shift is off by {shift:e}");
    }
    true
}

/// Prints the table of the fast paths' worst errors in `docs/soundness.md`.
#[test]
#[ignore = "measures, and takes minutes"]
fn the_worst_errors_of_the_fast_paths() {
    let releases = [
        ("in columns, 50 random queries", random_queries(2_000, 50)),
        ("in blocks, 250 random queries", random_queries(2_000, 250)),
        ("in blocks, 1 000 random queries", random_queries(5_000, 1_000)),
        ("in blocks, nested and crossed groups", nested_and_crossed(20_000)),
    ];
    for (name, Release { build, people, observations }) in releases {
        let targets: Variables<f64> = people.iter().map(|&person| plain(person)).collect();
        let surveyed = survey(&build.network, &observations, &targets, &Options::default()).expect("a survey").targets;
        let some: Vec<usize> = (0..people.len()).step_by(10).collect();
        let chosen: Vec<Affine<f64>> = some.iter().map(|&index| targets.get(index)).collect();
        let reference = build.condition(&observations, &chosen).expect("a posterior");
        let (mut variance, mut mean) = (0.0f64, 0.0f64);
        for (&index, want) in some.iter().zip(&reference.targets) {
            let difference = surveyed.spread(index).posterior_variance - want.posterior_variance;
            variance = variance.max(difference.abs() / want.posterior_variance);
            let difference = surveyed.spread(index).mean_shift - want.mean_shift;
            mean = mean.max(difference.abs() / want.posterior_variance.sqrt());
        }
        println!("{name:<40} variance {variance:.1e}, mean {mean:.1e}");
    }
}
