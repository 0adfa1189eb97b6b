//! Random programs: doubles against rationals against the textbook.

use crate::number::Constants;
use proptest::prelude::*;

use super::super::{Status, Survey, survey};
use super::textbook::Joint;
use super::*;

/// A network as doubles, and values of all its nodes that are possible together.
#[derive(Clone)]
struct Sample {
    network: Network<f64>,
    /// Observed and targeted expressions; the flag says whether the value is seen.
    observed: Vec<(Affine<f64>, bool)>,
    targets: Vec<Affine<f64>>,
    /// The noise of each node, in eighths of its standard deviation.
    noises: Vec<i8>,
}

impl std::fmt::Debug for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for index in 0..self.network.len() {
            writeln!(f, "x{index} = {:?}", self.network.node(NodeId(index as u32)))?;
        }
        writeln!(f, "observed {:?}\ntargets {:?}\nnoises {:?}", self.observed, self.targets, self.noises)
    }
}

/// One node before it is placed: its parents are counted back from it.
#[derive(Debug, Clone)]
struct Draft {
    constant: f64,
    terms: Vec<(prop::sample::Index, f64)>,
    variance: f64,
}

/// How wild the numbers of a sample are.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Weights with few digits, variances over thirty decades.
    Short,
    /// Weights such as 0.1 and 1/3, ordinary variances.
    Rounded,
    /// Both at once.
    Wild,
}

fn weights(kind: Kind) -> BoxedStrategy<f64> {
    let short = prop::sample::select(vec![1.0, 1.0, 1.0, -1.0, 2.0, 0.5, 3.0, -4.0, 12.0, 0.375]);
    let rounded = prop::sample::select(vec![0.1, 0.3, -0.7, 1.0 / 3.0, 1.0 / 7.0, 1.0, -1.0, 2.0]);
    match kind {
        Kind::Short => short.boxed(),
        Kind::Rounded => rounded.boxed(),
        Kind::Wild => prop_oneof![short, rounded, -5.0..5.0f64].boxed(),
    }
}

fn variances(kind: Kind) -> BoxedStrategy<f64> {
    match kind {
        Kind::Rounded => prop::sample::select(vec![0.0, 0.01, 0.1, 1.0, 2.0, 100.0]).boxed(),
        Kind::Short | Kind::Wild => {
            let spread = (1..10i32, -12..18i32).prop_map(|(digit, e)| f64::from(digit) * 10f64.powi(e));
            prop_oneof![Just(0.0), Just(1.0), Just(4.0), spread].boxed()
        }
    }
}

fn drafts(kind: Kind) -> impl Strategy<Value = Draft> {
    let rounded = if matches!(kind, Kind::Short) { 0.125 } else { 0.1 };
    let constants = prop::sample::select(vec![0.0, 1.0, -3.0, 50.0, rounded, 480_000.0]);
    let terms = prop::collection::vec((any::<prop::sample::Index>(), weights(kind)), 0..4);
    (constants, terms, variances(kind)).prop_map(|(constant, terms, variance)| Draft { constant, terms, variance })
}

fn samples(kind: Kind) -> impl Strategy<Value = Sample> {
    let people = prop::collection::vec(variances(kind), 1..6);
    let drafts = prop::collection::vec(drafts(kind), 1..9);
    let short = matches!(kind, Kind::Short);
    let rounded = if short { vec![3.0, 0.375] } else { vec![0.1, 1.0 / 12.0] };
    let scales = prop::sample::select([vec![1.0, 1.0, 2.0, -0.25, 0.0], rounded].concat());
    let offsets = prop::sample::select(vec![0.0, 0.0, 1.0, if short { -7.0 } else { -0.3 }]);
    let affines = (any::<prop::sample::Index>(), scales, offsets);
    let observed = prop::collection::vec((affines.clone(), prop::bool::weighted(0.8)), 0..7);
    let targets = prop::collection::vec(affines, 1..5);
    let noises = prop::collection::vec(-20..20i8, 16);
    (people, drafts, observed, targets, noises).prop_map(|(people, drafts, observed, targets, noises)| {
        let mut build = Build::<f64>::default();
        for variance in people {
            build.normal(1.0, variance);
        }
        for Draft { constant, terms, variance } in drafts {
            let nodes = build.network.len();
            let mut parents: Vec<(NodeId, f64)> = Vec::new();
            for (parent, weight) in terms {
                let parent = NodeId(parent.index(nodes) as u32);
                if parents.iter().all(|(other, _)| *other != parent) {
                    parents.push((parent, weight));
                }
            }
            build.node(constant, &parents, variance);
        }
        let nodes = build.network.len();
        let affine = |(node, scale, offset): (prop::sample::Index, f64, f64)| Affine {
            node: NodeId(node.index(nodes) as u32),
            scale,
            offset,
        };
        let observed = observed.into_iter().map(|(variable, seen)| (affine(variable), seen)).collect();
        let targets = targets.into_iter().map(affine).collect();
        Sample { network: build.network, observed, targets, noises }
    })
}

/// Averages over subsets of people, some of them over the same people, and targets of the same kind.
fn tables() -> impl Strategy<Value = Sample> {
    let people = prop::collection::vec(variances(Kind::Short), 2..14);
    let subsets = prop::collection::vec((any::<u16>(), prop::bool::weighted(0.7)), 1..7);
    let weights = prop::collection::vec(prop::sample::select(vec![1.0, 1.0, 1.0, 2.0, 3.0]), 14);
    (people, subsets, weights).prop_map(|(people, subsets, weights)| {
        let mut build = Build::<f64>::default();
        let people: Vec<NodeId> = people.into_iter().map(|variance| build.normal(40.0, variance)).collect();
        let mut observed = Vec::new();
        let mut targets: Vec<Affine<f64>> = people.iter().map(|&person| plain(person)).collect();
        for (subset, is_observed) in subsets {
            let chosen = people.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
            let terms: Vec<_> = chosen.map(|(index, &person)| (person, weights[index])).collect();
            let total = build.node(0.0, &terms, 0.0);
            if is_observed { observed.push((plain(total), true)) } else { targets.push(plain(total)) }
        }
        Sample { network: build.network, observed, targets, noises: vec![0] }
    })
}

impl Sample {
    /// A possible value of every node.
    fn assigned(&self, network: &Network<Rational>) -> Vec<Rational> {
        let mut values: Vec<Rational> = Vec::new();
        for index in 0..network.len() {
            let node = network.node(NodeId(index as u32));
            let std_dev = self.network.node(NodeId(index as u32)).noise_variance.sqrt();
            let noise = exact(std_dev * f64::from(self.noises[index % self.noises.len()]) / 8.0);
            let value =
                node.parents().fold(node.constant + noise, |sum, (parent, w)| sum + w * &values[parent.0 as usize]);
            values.push(value);
        }
        values
    }

    /// Runs all three, and returns what kept the doubles from an answer, if anything did.
    fn check(&self) -> Result<Option<Reason>, TestCaseError> {
        let network = exact_network(&self.network);
        let assigned = self.assigned(&network);
        let exact_observations: Vec<Observation<Rational>> = self
            .observed
            .iter()
            .map(|(variable, seen)| {
                let variable = exact_affine(variable);
                let value = &variable.offset + &variable.scale * &assigned[variable.node.0 as usize];
                Observation { variable, value: seen.then_some(value) }
            })
            .collect();
        let exact_targets: Vec<Affine<Rational>> = self.targets.iter().map(exact_affine).collect();
        let options = Options::default();
        let precise = condition(&network, &exact_observations, &exact_targets, &options);
        let precise = precise.map_err(|refusal| TestCaseError::fail(format!("exact: {refusal:?}")))?;
        check_against_textbook(&network, &exact_observations, &exact_targets, &precise)?;
        let surveyed = survey(&network, &exact_observations, &exact_targets.iter().cloned().collect(), &options);
        check_survey(&surveyed.map_err(|refusal| TestCaseError::fail(format!("exact: {refusal:?}")))?, &precise, 0.0)?;

        let observations: Vec<Observation<f64>> = self
            .observed
            .iter()
            .zip(&exact_observations)
            .map(|((variable, _), observation)| Observation {
                variable: variable.clone(),
                value: observation.value.as_ref().map(Constants::to_f64),
            })
            .collect();
        match condition(&self.network, &observations, &self.targets, &options) {
            Ok(rounded) => {
                // The doubles were given rounded values, so the rationals get the same ones.
                let rounded_values: Vec<Observation<Rational>> = exact_observations
                    .iter()
                    .zip(&observations)
                    .map(|(precise, rounded)| Observation {
                        variable: precise.variable.clone(),
                        value: rounded.value.map(exact),
                    })
                    .collect();
                let options = Options { value_tolerance_ulps: Some(1e6), ..Options::default() };
                let precise = condition(&network, &rounded_values, &exact_targets, &options);
                let precise = precise.map_err(|refusal| TestCaseError::fail(format!("exact: {refusal:?}")))?;
                check_close(&rounded, &precise)?;
                let surveyed =
                    survey(&self.network, &observations, &self.targets.iter().cloned().collect(), &Options::default());
                let surveyed = surveyed.map_err(|refusal| TestCaseError::fail(format!("survey: {refusal:?}")))?;
                check_survey(&surveyed, &rounded, 1e-9)?;
                Ok(None)
            }
            Err(Refusal::Doubtful { .. }) => Ok(Some(Reason::RoundedInputs)),
            Err(Refusal::OutOfRange { .. }) => Ok(Some(Reason::TooFewDigits)),
            Err(refusal) => Err(TestCaseError::fail(format!("{refusal:?}"))),
        }
    }
}

/// Why doubles gave no answer.
#[derive(Debug, PartialEq, Eq)]
enum Reason {
    RoundedInputs,
    TooFewDigits,
}

fn check_against_textbook(
    network: &Network<Rational>,
    observations: &[Observation<Rational>],
    targets: &[Affine<Rational>],
    posterior: &Posterior<Rational>,
) -> Result<(), TestCaseError> {
    let prior = Joint::new(network);
    let mut joint = Joint::new(network);
    for (observation, outcome) in observations.iter().zip(&posterior.observations) {
        prop_assert_eq!(&outcome.predicted_mean, &prior.mean(&observation.variable));
        let variance = prior.covariance(&observation.variable, &observation.variable);
        prop_assert_eq!(&outcome.predicted_variance, &variance);
        if let Some(value) = &observation.value {
            let innovation = value - joint.mean(&observation.variable);
            let innovation_variance = joint.covariance(&observation.variable, &observation.variable);
            let status = if joint.observe(&observation.variable, value) {
                Status::Used { innovation: Some(innovation), innovation_variance }
            } else {
                Status::Redundant
            };
            prop_assert_eq!(&outcome.status, &status);
        }
    }
    let covariances = posterior.covariances.as_ref().expect("few targets");
    for (i, (target, outcome)) in targets.iter().zip(&posterior.targets).enumerate() {
        prop_assert_eq!(&outcome.prior_mean, &prior.mean(target));
        prop_assert_eq!(&outcome.posterior_mean, &joint.mean(target));
        prop_assert_eq!(&outcome.mean_shift, &(joint.mean(target) - prior.mean(target)));
        prop_assert_eq!(&outcome.posterior_variance, &joint.covariance(target, target));
        let reduction = prior.covariance(target, target) - joint.covariance(target, target);
        prop_assert_eq!(&outcome.variance_reduction, &reduction);
        for (j, other) in targets.iter().enumerate() {
            prop_assert_eq!(&covariances.prior[i][j], &prior.covariance(target, other));
            prop_assert_eq!(&covariances.posterior[i][j], &joint.covariance(target, other));
        }
        for (observation, covariance) in &outcome.covariances_alone {
            prop_assert_eq!(covariance, &prior.covariance(target, &observations[*observation].variable));
        }
    }
    for (observation, outcome) in observations.iter().zip(&posterior.observations) {
        if observation.value.is_none() {
            let mean = joint.mean(&observation.variable);
            let used = joint.observe(&observation.variable, &mean);
            prop_assert_eq!(outcome.status != Status::Redundant, used);
        }
    }
    for (target, outcome) in targets.iter().zip(&posterior.targets) {
        prop_assert_eq!(&outcome.variance_if_all_published, &joint.covariance(target, target));
    }
    Ok(())
}

/// A survey says of each target what conditioning says.
fn check_survey<S: Scalar>(survey: &Survey<S>, posterior: &Posterior<S>, tolerance: f64) -> Result<(), TestCaseError> {
    for (got, want) in survey.observations.iter().zip(&posterior.observations) {
        prop_assert_eq!((&got.mean, &got.variance), (&want.predicted_mean, &want.predicted_variance));
        prop_assert_eq!(got.redundant, want.status == Status::Redundant);
    }
    let columns = &survey.targets;
    for (index, target) in posterior.targets.iter().enumerate() {
        let close = |got: &S, want: &S, scale: f64| (got.to_f64() - want.to_f64()).abs() <= tolerance * scale;
        let std_dev =
            target.posterior_variance.to_f64().sqrt().max(f64::EPSILON * target.posterior_mean.to_f64().abs());
        let scale = if target.fully_disclosed { target.prior_variance.to_f64().sqrt() } else { std_dev };
        prop_assert_eq!(&columns.prior_mean[index], &target.prior_mean);
        let spread = columns.spread(index);
        prop_assert_eq!(&spread.prior_variance, &target.prior_variance);
        prop_assert_eq!(spread.fully_disclosed, target.fully_disclosed);
        let is_left = |got: &S, want: &S| close(got, want, want.to_f64());
        prop_assert!(is_left(&spread.posterior_variance, &target.posterior_variance));
        prop_assert!(is_left(&spread.variance_if_all_published, &target.variance_if_all_published));
        let is_gone = |got: &S, want: &S| close(got, want, want.to_f64() + tolerance * target.prior_variance.to_f64());
        prop_assert!(is_gone(&spread.variance_reduction, &target.variance_reduction));
        prop_assert!(is_gone(&spread.reduction_if_all_published, &target.reduction_if_all_published));
        prop_assert!(close(&columns.posterior_mean[index], &target.posterior_mean, scale * 1e3));
        prop_assert!(close(&spread.mean_shift, &target.mean_shift, scale));
    }
    Ok(())
}

fn is_close(got: f64, want: &Rational, scale: f64) -> bool {
    (exact(got) - want).to_f64().value().abs() <= 1e-9 * scale
}

fn check_close(rounded: &Posterior<f64>, precise: &Posterior<Rational>) -> Result<(), TestCaseError> {
    for (got, want) in rounded.observations.iter().zip(&precise.observations) {
        prop_assert!(is_close(got.predicted_variance, &want.predicted_variance, got.predicted_variance));
        match (&got.status, &want.status) {
            (Status::Redundant, Status::Redundant) => {}
            (
                Status::Used { innovation: got, innovation_variance: got_variance },
                Status::Used { innovation: want, innovation_variance: want_variance },
            ) => {
                prop_assert!(is_close(*got_variance, want_variance, *got_variance));
                prop_assert_eq!(got.is_some(), want.is_some());
                if let (Some(got), Some(want)) = (got, want) {
                    prop_assert!(is_close(*got, want, got_variance.sqrt() + got.abs()));
                }
            }
            (got, want) => prop_assert!(false, "{got:?} is not {want:?}"),
        }
    }
    let evidence = precise.log_evidence_nats;
    prop_assert!((rounded.log_evidence_nats - evidence).abs() <= 1e-6 * (1.0 + evidence.abs()));
    let std_devs: Vec<f64> = rounded.targets.iter().map(|target| target.posterior_variance.sqrt()).collect();
    for (i, (got, want)) in rounded.targets.iter().zip(&precise.targets).enumerate() {
        prop_assert_eq!(got.fully_disclosed, want.fully_disclosed);
        prop_assert_eq!(got.fully_disclosed_if_all_published, want.fully_disclosed_if_all_published);
        prop_assert_eq!(got.posterior_variance == 0.0, want.posterior_variance.is_zero());
        prop_assert!(is_close(got.prior_variance, &want.prior_variance, got.prior_variance));
        prop_assert!(is_close(got.posterior_variance, &want.posterior_variance, got.posterior_variance));
        let all = (got.variance_if_all_published, &want.variance_if_all_published);
        prop_assert!(is_close(all.0, all.1, all.0));
        // Where weights are rounded, a reduction that should be nothing is only almost nothing.
        let prior = got.prior_variance;
        prop_assert!(is_close(got.variance_reduction, &want.variance_reduction, got.variance_reduction + 1e-9 * prior));
        let scale = if got.fully_disclosed { prior.sqrt() } else { std_devs[i] };
        prop_assert!(is_close(got.mean_shift, &want.mean_shift, scale + 1e-6 * got.mean_shift.abs()));
        // A double near the mean is all that can be had.
        let scale = scale + 1e-6 * got.posterior_mean.abs();
        prop_assert!(is_close(got.posterior_mean, &want.posterior_mean, scale));
        let (got, want) = (rounded.covariances.as_ref(), precise.covariances.as_ref());
        let (got, want) = (got.expect("few targets"), want.expect("few targets"));
        for j in 0..i {
            prop_assert!(is_close(got.posterior[i][j], &want.posterior[i][j], std_devs[i] * std_devs[j]));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_with_short_weights_and_values_are_right_or_want_digits(sample in samples(Kind::Short)) {
        // Values that equal the means are as short as those.
        let sample = Sample { noises: vec![0], ..sample };
        prop_assert_ne!(sample.check()?, Some(Reason::RoundedInputs));
    }

    #[test]
    fn programs_with_short_weights_are_right_or_doubtful(sample in samples(Kind::Short)) {
        sample.check()?;
    }

    #[test]
    fn tables_over_people_are_right_or_want_digits(sample in tables()) {
        prop_assert_ne!(sample.check()?, Some(Reason::RoundedInputs));
    }

    #[test]
    fn programs_with_rounded_weights_are_right_or_doubtful(sample in samples(Kind::Rounded)) {
        sample.check()?;
    }

    #[test]
    fn wild_programs_are_right_or_doubtful(sample in samples(Kind::Wild)) {
        sample.check()?;
    }
}
