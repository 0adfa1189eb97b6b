//! Very unequal variances, very many variables, and numbers at the ends of the range.

use super::*;

fn assert_close(got: f64, want: f64, relative: f64) {
    assert!((got - want).abs() <= relative * want.abs(), "{got:e} is not {want:e}");
}

/// Doubles refuse with too few digits, and rationals know.
fn exactly(build: &Build<f64>, observations: &[Observation<f64>], targets: &[Affine<f64>]) -> Posterior<Rational> {
    let refusal = build.condition(observations, targets);
    assert!(matches!(refusal, Err(Refusal::OutOfRange { .. })), "{refusal:?}");
    build.in_rationals(observations, targets).expect("a posterior")
}

#[test]
fn a_tiny_and_a_huge_variance_in_one_sum_are_both_right_or_refused() {
    let mut build = Build::<f64>::default();
    let (small, large) = (build.normal(0.0, 1e-12), build.normal(0.0, 1e18));
    let sum = build.total(&[small, large]);
    let targets = [plain(small), plain(large)];
    let posterior = build.condition(&[seen(plain(sum), 3e9)], &targets[..1]).expect("a posterior");
    // Each is left with 1/(1/1e-12 + 1/1e18), just below 1e-12.
    assert_close(posterior.targets[0].posterior_variance, 1e-12, 1e-14);
    assert_close(posterior.targets[0].variance_reduction, 1e-42, 1e-12);
    assert_close(posterior.targets[0].mean_shift, 3e-21, 1e-12);
    let posterior = exactly(&build, &[seen(plain(sum), 3e9)], &targets);
    assert_close(posterior.targets[1].posterior_variance.to_f64().value(), 1e-12, 1e-14);
    assert_close(posterior.covariances.expect("few targets").posterior[0][1].to_f64().value(), -1e-12, 1e-9);

    let observations = [seen(plain(large), 3e9), seen(plain(sum), 3e9)];
    let posterior = exactly(&build, &observations, &targets);
    assert!(posterior.targets.iter().all(|target| target.fully_disclosed));
}

#[test]
fn one_member_that_dominates_a_group_does_not_swallow_the_others() {
    let mut build = Build::<f64>::default();
    let mut people: Vec<NodeId> = (0..10).map(|_| build.normal(0.0, 1e-3)).collect();
    people.push(build.normal(0.0, 1e12));
    let total = build.total(&people);
    let without = build.total(&people[..2]);
    let targets = [plain(people[10]), plain(people[0]), plain(without)];
    let posterior = build.condition(&[seen(plain(total), 0.0)], &targets).expect("a posterior");
    assert_close(posterior.targets[0].posterior_variance, 1e-2, 1e-12);
    assert_close(posterior.targets[1].posterior_variance, 1e-3, 1e-12);
    assert_close(posterior.targets[2].posterior_variance, 2e-3, 1e-12);
}

#[test]
fn two_nearly_disclosed_targets_have_the_covariance_of_what_is_left() {
    let mut build = Build::<f64>::default();
    let large = [build.normal(0.0, 1e12), build.normal(0.0, 1e12)];
    let small = build.normal(0.0, 1e-3);
    let sums = large.map(|large| build.total(&[large, small]));
    let observations = sums.map(|sum| seen(plain(sum), 0.0));
    let posterior = build.condition(&observations, &large.map(plain)).expect("a posterior");
    let covariance = posterior.covariances.expect("few targets").posterior;
    assert_close(covariance[0][1], 1e-3, 1e-9);
    assert_close(covariance[0][0], 1e-3, 1e-9);
}

#[test]
fn a_chain_of_many_variables_gives_each_its_share() {
    const PEOPLE: usize = 200_000;
    let mut build = Build::<f64>::default();
    let people: Vec<NodeId> = (0..PEOPLE).map(|_| build.normal(10.0, 4.0)).collect();
    let total = build.total(&people);
    let targets: Vec<_> = people.iter().map(|&person| plain(person)).collect();
    let average = seen(scaled(total, 1.0 / PEOPLE as f64), 10.5);
    let posterior = build.condition(&[average], &targets).expect("a posterior");
    assert!(posterior.covariances.is_none());
    for target in &posterior.targets {
        assert_close(target.posterior_variance, 4.0 - 4.0 / PEOPLE as f64, 1e-14);
        assert_close(target.variance_reduction, 4.0 / PEOPLE as f64, 1e-14);
        assert_close(target.posterior_mean, 10.5, 1e-14);
    }
}

#[test]
fn many_independent_observations_cost_nothing_to_each_other() {
    const PEOPLE: usize = 200_000;
    let mut build = Build::<f64>::default();
    let people: Vec<NodeId> = (0..PEOPLE).map(|_| build.normal(10.0, 4.0)).collect();
    let seen_people: Vec<_> =
        people.iter().map(|&person| seen(plain(build.node(0.0, &[(person, 1.0)], 1.0)), 11.0)).collect();
    let targets: Vec<_> = people.iter().map(|&person| plain(person)).collect();
    let posterior = build.condition(&seen_people, &targets).expect("a posterior");
    for target in &posterior.targets {
        assert_close(target.posterior_variance, 0.8, 1e-15);
        assert_close(target.posterior_mean, 10.8, 1e-15);
    }
    let total = build.total(&people);
    let mut observations = seen_people;
    observations.push(seen(plain(total), 11.0 * PEOPLE as f64));
    assert!(build.condition(&observations, &targets[..1]).is_ok());
}

#[test]
fn variances_at_the_ends_of_the_range_are_right_or_refused() {
    for exponent in [-300, -290, -200, 200, 290, 300] {
        let variance = 10f64.powi(exponent);
        let mut build = Build::<f64>::default();
        let (x, y) = (build.normal(0.0, variance), build.normal(0.0, variance));
        let sum = build.total(&[x, y]);
        let value = variance.sqrt();
        let posterior = build.condition(&[seen(plain(sum), value)], &[plain(x)]).expect("a posterior");
        assert_close(posterior.targets[0].posterior_variance, variance / 2.0, 1e-15);
        assert_close(posterior.targets[0].posterior_mean, value / 2.0, 1e-15);
        assert!(posterior.log_evidence_nats.is_finite());
    }
    let mut build = Build::<f64>::default();
    let (x, y) = (build.normal(0.0, 1e300), build.normal(0.0, 1e-300));
    let sum = build.total(&[x, y]);
    let refusal = build.condition(&[seen(plain(sum), 0.0)], &[plain(x)]);
    assert!(matches!(refusal, Err(Refusal::OutOfRange { .. })), "{refusal:?}");
    let huge = build.node(0.0, &[(x, 1e100)], 0.0);
    let refusal = build.condition(&[], &[plain(huge)]);
    assert!(matches!(refusal, Err(Refusal::OutOfRange { .. })), "{refusal:?}");
}

#[test]
fn everyday_incomes_and_noisy_averages_raise_no_doubts() {
    let mut build = Build::<f64>::default();
    let people: Vec<NodeId> = (0..1000).map(|index| build.normal(480_000.1 + f64::from(index), 100.0)).collect();
    let total = build.total(&people);
    let posterior = build.condition(&[seen(scaled(total, 0.001), 472_000.1)], &[plain(people[0])]);
    // All are as much below their means as the average, 480 000.1 + 499.5, is: by 8 499.5.
    assert_close(posterior.expect("no doubt").targets[0].mean_shift, -8_499.5, 1e-13);

    let ages: Vec<NodeId> = (0..100).map(|_| build.normal(35.0, 4.0)).collect();
    let total = build.total(&ages);
    let noisy = build.node(0.0, &[(total, 0.01)], 0.01);
    let observations = [seen(plain(noisy), 44.123456789012345)];
    assert!(build.condition(&observations, &[plain(ages[0])]).is_ok());
}
