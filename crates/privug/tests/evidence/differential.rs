//! Random programs: the engine, in doubles and in rationals, against the textbook and against one big elimination.

use std::collections::BTreeMap;
use std::sync::Mutex;

use dashu_ratio::RBig;
use privug::analysis::{Analysis, Request, Status, analyze};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::support::generator::{Dish, recipes};
use crate::support::textbook::Learned;
use crate::support::{cases, double, joint, relative_error, words};

/// Digits that variances and, on the scale of the posterior standard deviation, means are right to.
const TOLERANCE: f64 = 1e-9;
/// Constants are rounded as Python's are: a mean is off by a few units in the last place of what it was made of.
const ROUNDING: f64 = 1e-14;

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn the_two_references_agree(recipe in recipes(9)) {
        let dish = recipe.cook();
        let targets: Vec<_> = dish.returned.iter().map(|&at| dish.variables[at].row.clone()).collect();
        let posterior = joint::posterior(&dish.sources, &dish.observations, &targets);
        if let Some(Learned::Contradiction { .. }) = dish.learned.last() {
            prop_assert!(posterior.is_none());
        } else {
            let (means, covariances) = posterior.expect("the observations are consistent");
            prop_assert_eq!(means, expected_means(&dish));
            prop_assert_eq!(covariances, expected_covariances(&dish));
        }
    }

    #[test]
    fn exact_results_are_the_textbooks(recipe in recipes(12)) {
        let dish = recipe.cook();
        let result = analyze(&Request { exact: true, ..Request::new("program.py", dish.source.clone()) });
        match (result, dish.learned.last()) {
            (Err(refusal), Some(Learned::Contradiction { implied })) => {
                let finding = &refusal.diagnostics[0];
                prop_assert_eq!(finding.code.id(), "P501", "{}", words(&refusal));
                prop_assert!(finding.message.ends_with(&implied.to_string()), "{} is not {}", finding.message, implied);
            }
            (Ok(_), Some(Learned::Contradiction { .. })) => prop_assert!(false, "a contradiction went unnoticed"),
            (Err(refusal), _) => prop_assert!(false, "refused: {}", words(&refusal)),
            (Ok(analysis), _) => check_exact(&dish, &analysis)?,
        }
    }

    #[test]
    fn rounded_results_are_the_textbooks_to_nine_digits(recipe in recipes(12)) {
        check_in_doubles(&recipe.cook())?;
    }
}

/// Prints the table of worst errors in `docs/soundness.md`.
#[test]
#[ignore = "measures, and takes minutes"]
fn the_worst_errors_of_many_programs() {
    let config = ProptestConfig { cases: 30_000, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&recipes(12), |recipe| check_in_doubles(&recipe.cook()));
    checked.expect("nine digits");
    for (quantity, error) in WORST.lock().expect("no test has panicked").iter() {
        println!("{quantity:<20} {error:.1e}");
    }
}

/// The largest error of each quantity so far, in units of what its tolerance is relative to.
static WORST: Mutex<BTreeMap<&str, f64>> = Mutex::new(BTreeMap::new());

fn note(quantity: &'static str, error: f64) {
    let mut worst = WORST.lock().expect("no test has panicked");
    let known = worst.entry(quantity).or_insert(0.0);
    *known = known.max(error);
}

fn check_in_doubles(dish: &Dish) -> Result<(), TestCaseError> {
    let result = analyze(&Request::new("program.py", dish.source.clone()));
    match (result, dish.learned.last()) {
        (Err(refusal), Some(Learned::Contradiction { .. })) => {
            prop_assert_eq!(refusal.diagnostics[0].code.id(), "P501", "{}", words(&refusal));
        }
        (Ok(_), Some(Learned::Contradiction { implied })) => {
            // Values are rounded, so a difference in the last digits is none.
            let given = &dish.observations[dish.observations.len() - 1].1;
            let difference = double(&(given - implied)).abs();
            prop_assert!(difference <= 1e-9 * dish.magnitude, "a contradiction went unnoticed");
        }
        (Err(refusal), _) => prop_assert!(false, "refused: {}", words(&refusal)),
        (Ok(analysis), _) => check_rounded(dish, &analysis)?,
    }
    Ok(())
}

fn expected_means(dish: &Dish) -> Vec<RBig> {
    dish.returned.iter().map(|&at| dish.textbook.mean[dish.variables[at].textbook].clone()).collect()
}

fn expected_covariances(dish: &Dish) -> Vec<Vec<RBig>> {
    let places: Vec<usize> = dish.returned.iter().map(|&at| dish.variables[at].textbook).collect();
    let row = |&i: &usize| places.iter().map(|&j| dish.textbook.covariance[i][j].clone()).collect();
    places.iter().map(row).collect()
}

fn texts(numbers: &[RBig]) -> Vec<String> {
    numbers.iter().map(RBig::to_string).collect()
}

/// Largest over smallest standard deviation of the sources.
fn spread_of_scales(dish: &Dish) -> f64 {
    let variances = dish.sources.iter().map(double);
    let (smallest, largest) = variances.fold((f64::MAX, 0f64), |(low, high), v| (low.min(v), high.max(v)));
    (largest / smallest).sqrt()
}

/// Means and variances before anything was observed.
fn priors(dish: &Dish) -> (Vec<RBig>, Vec<RBig>) {
    let targets: Vec<_> = dish.returned.iter().map(|&at| dish.variables[at].row.clone()).collect();
    let (means, covariances) = joint::posterior(&dish.sources, &[], &targets).expect("nothing contradicts nothing");
    (means, covariances.iter().enumerate().map(|(i, row)| row[i].clone()).collect())
}

fn check_exact(dish: &Dish, analysis: &Analysis) -> Result<(), TestCaseError> {
    let numbers = analysis.exact.as_ref().expect("exact numbers");
    prop_assert_eq!(&numbers.mean, &texts(&expected_means(dish)));
    let covariances: Vec<Vec<String>> = expected_covariances(dish).iter().map(|row| texts(row)).collect();
    let variances: Vec<String> = covariances.iter().enumerate().map(|(i, row)| row[i].clone()).collect();
    prop_assert_eq!(&numbers.variance, &variances);
    prop_assert_eq!(numbers.covariance.as_ref(), Some(&covariances));
    let (prior_means, prior_variances) = priors(dish);
    prop_assert_eq!(&numbers.prior_mean, &texts(&prior_means));
    prop_assert_eq!(&numbers.prior_variance, &texts(&prior_variances));
    check_observations(dish, analysis)
}

fn check_observations(dish: &Dish, analysis: &Analysis) -> Result<(), TestCaseError> {
    let statuses: Vec<Status> = analysis.observations.iter().map(|observation| observation.status).collect();
    let expected = |learned: &Learned| match learned {
        Learned::Used { .. } => Status::Used,
        Learned::Redundant | Learned::Contradiction { .. } => Status::Redundant,
    };
    prop_assert_eq!(statuses, dish.learned.iter().map(expected).collect::<Vec<_>>());
    let (mut evidence, mut rounding) = (0.0, 0.0);
    // Values that no double holds are off by this much.
    let off = f64::EPSILON * dish.magnitude;
    for learned in &dish.learned {
        if let Learned::Used { innovation, variance } = learned {
            let surprise = double(&(innovation * innovation / variance));
            rounding += (double(innovation).abs() + off) * off / double(variance);
            evidence -= 0.5 * (std::f64::consts::TAU.ln() + double(variance).ln() + surprise);
        }
    }
    let off = (analysis.log_evidence_nats - evidence).abs();
    prop_assert!(off <= 1e-5 * (1.0 + evidence.abs()) + rounding, "{} is not {evidence}", analysis.log_evidence_nats);
    Ok(())
}

fn check_rounded(dish: &Dish, analysis: &Analysis) -> Result<(), TestCaseError> {
    let (means, covariances) = (expected_means(dish), expected_covariances(dish));
    let (prior_means, prior_variances) = priors(dish);
    let posterior = &analysis.covariances.as_ref().expect("covariances").posterior;
    prop_assert_eq!(analysis.secrets.len(), means.len());
    let std_dev = |i: usize| double(&covariances[i][i]).sqrt();
    for (i, secret) in analysis.secrets.iter().enumerate() {
        let knowledge = &secret.knowledge;
        let prior_variance = double(&prior_variances[i]);
        let near = |name: &'static str, actual: f64, expected: &RBig, scale: f64| {
            let off = double(&(RBig::try_from(actual).expect("finite") - expected)).abs();
            if off > 0.0 {
                note(name, TOLERANCE * off / scale);
            }
            prop_assert!(
                off <= scale,
                "{name} of {}: {actual} is not {}: off by {off:e}",
                secret.name,
                double(expected)
            );
            Ok(())
        };
        let same = |name: &'static str, actual: f64, expected: &RBig| {
            let error = relative_error(actual, double(expected));
            note(name, error);
            prop_assert!(error <= TOLERANCE, "{name} of {}: {actual} is not {}", secret.name, double(expected));
            prop_assert_eq!(actual == 0.0, expected.is_zero(), "{} of {}: {}", name, &secret.name, actual);
            Ok(())
        };
        let rounding = ROUNDING * dish.magnitude.max(prior_variance.sqrt()).max(double(&means[i]).abs());
        let scale = if covariances[i][i].is_zero() {
            TOLERANCE * double(&means[i]).abs().max(prior_variance.sqrt())
        } else {
            TOLERANCE * std_dev(i)
        };
        near("prior mean", knowledge.prior_mean, &prior_means[i], TOLERANCE * prior_variance.sqrt() + rounding)?;
        near("posterior mean", secret.posterior_mean, &means[i], scale + rounding)?;
        near("mean shift", knowledge.mean_shift, &(&means[i] - &prior_means[i]), scale + rounding)?;
        same("prior variance", knowledge.prior_variance, &prior_variances[i])?;
        same("posterior variance", knowledge.posterior_variance, &covariances[i][i])?;
        let reduction = &prior_variances[i] - &covariances[i][i];
        // A covariance may be what is left of others that cancel, and is worth the more the less noise there is
        // beside it; the reduction is its square.
        let reduced = double(&reduction);
        let blur = 4e-15 * spread_of_scales(dish);
        let cancelled = blur * (reduced * prior_variance).sqrt() + blur * blur * prior_variance;
        near("variance reduction", knowledge.variance_reduction, &reduction, TOLERANCE * reduced + cancelled)?;
        for (j, expected) in covariances[i].iter().enumerate() {
            near("covariance", posterior[i][j], expected, TOLERANCE * std_dev(i) * std_dev(j))?;
        }
    }
    check_observations(dish, analysis)
}
