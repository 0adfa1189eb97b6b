//! Small programs whose answers are known by hand.

use super::super::{Status, Subject};
use super::*;

#[test]
fn a_chain_of_three_has_the_moments_of_the_textbook() {
    let mut build = Build::<Rational>::default();
    let [one, two] = [1, 2].map(Rational::from_i64);
    let x1 = build.normal(rational("50"), two.clone());
    let x2 = build.node(rational("-5"), &[(x1, two)], one.clone());
    let x3 = build.node(rational("-10"), &[(x2, one)], rational("4"));
    let targets = [plain(x1), plain(x2), plain(x3)];

    let prior = build.condition(&[], &targets).expect("a posterior");
    let means: Vec<_> = prior.targets.iter().map(|target| target.prior_mean.clone()).collect();
    assert_eq!(means, rationals(&["50", "95", "85"]));
    let covariance = [["2", "4", "4"], ["4", "9", "9"], ["4", "9", "13"]].map(|row| rationals(&row));
    assert_eq!(prior.covariances.expect("few targets").prior, covariance);

    let posterior = build.condition(&[seen(plain(x3), rational("85"))], &targets).expect("a posterior");
    let covariance = [["10/13", "16/13", "0"], ["16/13", "36/13", "0"], ["0", "0", "0"]].map(|row| rationals(&row));
    assert_eq!(posterior.covariances.expect("few targets").posterior, covariance);
    assert!(posterior.targets.iter().all(|target| target.mean_shift.is_zero()));
    assert_eq!(posterior.targets.map_disclosed(), [false, false, true]);
}

/// Reads one flag of all targets.
trait Disclosed {
    fn map_disclosed(&self) -> Vec<bool>;
}

impl<S> Disclosed for Vec<crate::posterior::TargetOutcome<S>> {
    fn map_disclosed(&self) -> Vec<bool> {
        self.iter().map(|target| target.fully_disclosed).collect()
    }
}

#[test]
fn two_variables_given_their_sum_are_opposite() {
    let mut build = Build::<Rational>::default();
    let x = build.normal(rational("15"), rational("2"));
    let y = build.normal(rational("2"), rational("1"));
    let z = build.total(&[x, y]);
    let posterior = build.condition(&[seen(plain(z), rational("1"))], &[plain(x), plain(y)]).expect("a posterior");
    let means: Vec<_> = posterior.targets.iter().map(|target| target.posterior_mean.clone()).collect();
    assert_eq!(means, rationals(&["13/3", "-10/3"]));
    let covariance = [["2/3", "-2/3"], ["-2/3", "2/3"]].map(|row| rationals(&row));
    let covariances = posterior.covariances.expect("few targets");
    assert_eq!(covariances.posterior, covariance);
    assert_eq!(covariances.reduction, [["4/3", "2/3"], ["2/3", "1/3"]].map(|row| rationals(&row)));
    // ln N(1; 17, 3)
    let expected = -0.5 * ((std::f64::consts::TAU * 3.0).ln() + 256.0 / 3.0);
    assert!((posterior.log_evidence_nats - expected).abs() < 1e-12);
    assert_eq!(posterior.targets[0].covariances_alone, [(0, rational("2"))]);
    assert_eq!(posterior.targets[0].reductions, [(0, rational("4/3"))]);
}

#[test]
fn doubles_give_the_same_answer_as_rationals_on_small_programs() {
    let mut build = Build::<f64>::default();
    let x = build.normal(15.0, 2.0);
    let y = build.normal(2.0, 1.0);
    let z = build.total(&[x, y]);
    let posterior = build.condition(&[seen(plain(z), 1.0)], &[plain(x), plain(y)]).expect("a posterior");
    assert_eq!(posterior.targets[0].posterior_mean, 13.0 / 3.0);
    assert_eq!(posterior.covariances.expect("few targets").posterior[0], [2.0 / 3.0, -2.0 / 3.0]);
    let Status::Used { innovation, innovation_variance } = &posterior.observations[0].status else {
        panic!("the sum tells something")
    };
    assert_eq!((innovation, *innovation_variance), (&Some(-16.0), 3.0));
}

/// Twelve people with short means, their average published as `0.1·total`-like scales.
fn averages(groups: &[std::ops::Range<usize>], scales: &[f64]) -> (Build<f64>, Vec<NodeId>, Vec<Affine<f64>>) {
    let mut build = Build::<f64>::default();
    let people: Vec<NodeId> = (0..20).map(|index| build.normal(480_000.0 + f64::from(index), 100.0)).collect();
    let outputs = groups.iter().zip(scales).map(|(group, scale)| {
        let total = build.total(&people[group.clone()]);
        scaled(total, *scale)
    });
    let outputs = outputs.collect();
    (build, people, outputs)
}

#[test]
fn averages_over_twelve_and_over_eleven_of_them_disclose_the_twelfth() {
    let (build, people, outputs) = averages(&[0..12, 0..11], &[1.0 / 12.0, 1.0 / 11.0]);
    let observations = [seen(outputs[0].clone(), 480_010.25), seen(outputs[1].clone(), 480_009.5)];
    let posterior = build.condition(&observations, &[plain(people[11]), plain(people[0])]).expect("a posterior");
    let twelfth = &posterior.targets[0];
    assert!(twelfth.fully_disclosed);
    assert_eq!(twelfth.posterior_variance, 0.0);
    let expected = 480_010.25 * 12.0 - 480_009.5 * 11.0;
    assert!((twelfth.posterior_mean - expected).abs() < 1e-8);
    // One of eleven people whose sum is known: 100·(1 − 1/11).
    assert!((posterior.targets[1].posterior_variance - 1000.0 / 11.0).abs() < 1e-12);
    assert!(!posterior.targets[1].fully_disclosed);
}

#[test]
fn the_average_of_all_is_redundant_after_those_of_men_and_women() {
    for scales in [[0.1, 0.1, 0.05], [1.0 / 10.0, 1.0 / 10.0, 1.0 / 20.0], [1.0, 1.0, 1.0]] {
        let (build, _, outputs) = averages(&[0..10, 10..20, 0..20], &scales);
        let (men, women) = (481_000.1, 479_000.7);
        let all = (men / scales[0] + women / scales[1]) * scales[2];
        let values = [men, women, all];
        let observations: Vec<_> = outputs.into_iter().zip(values).map(|(output, v)| seen(output, v)).collect();
        let posterior = build.condition(&observations, &[]).expect("a posterior");
        assert_eq!(posterior.observations[2].status, Status::Redundant);
        assert!(matches!(posterior.observations[1].status, Status::Used { .. }));
    }
    let (build, _, outputs) = averages(&[0..7, 7..12, 0..12], &[1.0 / 7.0, 1.0 / 5.0, 1.0 / 12.0]);
    let (men, women) = (481_000.1, 479_000.7);
    let values = [men, women, (men * 7.0 + women * 5.0) / 12.0];
    let observations: Vec<_> = outputs.iter().cloned().zip(values).map(|(output, v)| seen(output, v)).collect();
    assert_eq!(build.condition(&observations, &[]).expect("a posterior").observations[2].status, Status::Redundant);

    // Rounded to seven digits it is another number.
    let mut rounded = observations;
    rounded[2].value = Some(480_166.7);
    let refusal = build.condition(&rounded, &[]).expect_err("a contradiction");
    let Refusal::Contradiction { observation: 2, implied, given } = refusal else { panic!("{refusal:?}") };
    assert_eq!(given, 480_166.7);
    assert!((implied - values[2]).abs() < 1e-9);
}

#[test]
fn rounded_weights_inside_the_network_are_doubtful_where_they_decide() {
    let mut build = Build::<f64>::default();
    let people: Vec<NodeId> = (0..4).map(|_| build.normal(0.0, 1.0)).collect();
    let terms = |range: std::ops::Range<usize>, weight| -> Vec<_> {
        people[range].iter().map(|&person| (person, weight)).collect()
    };
    let all = terms(0..4, 0.1);
    let all = build.node(0.0, &all, 0.0);
    let three = terms(0..3, 0.3);
    let three = build.node(0.0, &three, 0.0);
    let observations = [seen(plain(all), 0.5), seen(plain(three), 0.25)];
    let refusal = build.condition(&observations, &[plain(people[3])]);
    assert_eq!(refusal, Err(Refusal::Doubtful { subject: Subject::Target(0) }));
    assert!(build.condition(&observations, &[plain(people[0])]).is_ok());
}

#[test]
fn a_constant_may_be_observed_to_be_itself_and_nothing_else() {
    let mut build = Build::<f64>::default();
    let constant = build.normal(3.0, 0.0);
    let x = build.normal(0.0, 1.0);
    let posterior = build.condition(&[seen(plain(constant), 3.0)], &[plain(constant), plain(x)]).expect("agrees");
    assert_eq!(posterior.observations[0].status, Status::Redundant);
    assert_eq!(posterior.log_evidence_nats, 0.0);
    assert_eq!((posterior.targets[0].posterior_variance, posterior.targets[0].fully_disclosed), (0.0, false));
    let refusal = build.condition(&[seen(plain(constant), 3.5)], &[]);
    assert_eq!(refusal, Err(Refusal::Contradiction { observation: 0, implied: 3.0, given: 3.5 }));
    // 7 + 0·x is a constant as well.
    let nothing = Affine { node: x, scale: 0.0, offset: 7.0 };
    assert!(build.condition(&[seen(nothing.clone(), 7.0)], std::slice::from_ref(&nothing)).is_ok());
    let refusal = build.condition(&[seen(nothing, 8.0)], &[]);
    assert_eq!(refusal, Err(Refusal::Contradiction { observation: 0, implied: 7.0, given: 8.0 }));
}

#[test]
fn repeating_an_observation_changes_nothing_and_changing_it_contradicts() {
    let mut build = Build::<f64>::default();
    let x = build.normal(15.0, 2.0);
    let y = build.normal(2.0, 1.0);
    let z = build.total(&[x, y]);
    let once = build.condition(&[seen(plain(z), 1.0)], &[plain(x)]).expect("a posterior");
    let thrice = [seen(plain(z), 1.0), seen(scaled(z, -0.1), -0.1), seen(plain(z), 1.0), seen(scaled(z, 3.0), 3.0)];
    let thrice = build.condition(&thrice, &[plain(x)]).expect("a posterior");
    assert_eq!(
        once.targets,
        thrice
            .targets
            .iter()
            .cloned()
            .map(|mut target| {
                target.covariances_alone.truncate(1);
                target.variances_left_alone.truncate(1);
                target
            })
            .collect::<Vec<_>>()
    );
    let statuses: Vec<_> = thrice.observations.iter().map(|outcome| outcome.status == Status::Redundant).collect();
    assert_eq!(statuses, [false, true, true, true]);
    let refusal = build.condition(&[seen(plain(z), 1.0), seen(plain(z), 2.0)], &[]);
    assert_eq!(refusal, Err(Refusal::Contradiction { observation: 1, implied: 1.0, given: 2.0 }));
}

#[test]
fn exact_arithmetic_tolerates_nothing_unless_told_that_values_were_doubles() {
    let mut build = Build::<Rational>::default();
    let x = build.normal(rational("15"), rational("2"));
    let tenth = scaled(x, rational("0.1"));
    let third = Rational::from_f64(0.1 * 3.3).expect("finite");
    let observations = [seen(plain(x), rational("3.3")), seen(tenth, third)];
    let refusal = build.condition(&observations, &[]);
    assert!(matches!(refusal, Err(Refusal::Contradiction { observation: 1, .. })));
    let options = Options { value_tolerance_ulps: Some(64.0), ..Options::default() };
    assert!(condition(&build.network, &observations, &[], &options).is_ok());
}

#[test]
fn nothing_in_is_nothing_out() {
    let build = Build::<f64>::default();
    let posterior = build.condition(&[], &[]).expect("a posterior");
    assert!(posterior.observations.is_empty() && posterior.targets.is_empty());
    assert_eq!(posterior.log_evidence_nats, 0.0);
}

#[test]
fn figures_that_are_yet_to_be_published_move_no_mean() {
    let mut build = Build::<f64>::default();
    let x = build.normal(15.0, 2.0);
    let y = build.normal(2.0, 1.0);
    let z = build.total(&[x, y]);
    let observations = [unseen(plain(x)), unseen(plain(z)), seen(plain(z), 20.0)];
    let posterior = build.condition(&observations, &[plain(x), plain(y)]).expect("a posterior");
    let target = &posterior.targets[0];
    assert_eq!(posterior.observations[1].status, Status::Redundant);
    assert_eq!((target.posterior_mean, target.posterior_variance), (17.0, 2.0 / 3.0));
    assert_eq!((target.variance_if_all_published, target.reduction_if_all_published), (0.0, 2.0));
    assert!(!target.fully_disclosed && target.fully_disclosed_if_all_published);
    let observations: Vec<_> = target.reductions.iter().map(|(observation, _)| *observation).collect();
    assert_eq!(observations, [2, 0]);
    assert_eq!(target.covariances_alone, [(0, 2.0), (1, 2.0), (2, 2.0)]);
    assert_eq!(posterior.observations[0].predicted_mean, 15.0);
    let Status::Used { innovation: None, innovation_variance } = posterior.observations[0].status else {
        panic!("x tells more than the sum")
    };
    assert!((innovation_variance - 2.0 / 3.0).abs() < 1e-15);
}

#[test]
fn running_totals_over_many_months_do_not_raise_doubts() {
    let mut build = Build::<f64>::default();
    let months: Vec<NodeId> = (0..120).map(|_| build.normal(10.0, 4.0)).collect();
    let mut total = months[0];
    let mut observations = vec![seen(plain(total), 11.5)];
    for (index, &month) in months.iter().enumerate().skip(1) {
        total = build.node(0.0, &[(total, 1.0), (month, 1.0)], 0.0);
        observations.push(seen(plain(total), 11.5 * (index + 1) as f64));
    }
    let targets: Vec<_> = months.iter().map(|&month| plain(month)).collect();
    let posterior = build.condition(&observations, &targets).expect("a posterior");
    assert!(posterior.targets.iter().all(|target| target.fully_disclosed && target.posterior_mean == 11.5));
}

#[test]
fn a_cancelled_or_oversized_analysis_stops() {
    let mut build = Build::<f64>::default();
    let people: Vec<NodeId> = (0..100_000).map(|_| build.normal(10.0, 4.0)).collect();
    let total = build.total(&people);
    let cancelled = Some(std::sync::Arc::new(true.into()));
    let observations = [seen(plain(total), 1e6)];
    let run = |options| condition(&build.network, &observations, &[], &options);
    assert_eq!(run(Options { cancelled, ..Options::default() }), Err(Refusal::Cancelled));
    assert!(matches!(run(Options { max_cells: 1000, ..Options::default() }), Err(Refusal::TooLarge { .. })));
    assert!(matches!(run(Options { max_operations: 1000, ..Options::default() }), Err(Refusal::TooLarge { .. })));
}
