//! Gaussian identities, and the same channel in doubles and in rationals.

use proptest::prelude::*;

use super::*;
use crate::leakage::Knowledge;
use privug_engine::gaussian::testing::assert_relative;
use privug_engine::number::{DoubleDouble, Rational, Scalar};

/// A channel of small numbers in any arithmetic: variances, noise, signal by rows, surprises.
fn channel<W: Wide>(prior: &[f64], noise: &[f64], signal: &[Vec<f64>], surprise: &[f64]) -> Channel<W> {
    let number = |x: &f64| W::widen(&W::Narrow::from_f64(*x).expect("finite"));
    let row =
        |row: &Vec<f64>| row.iter().enumerate().filter(|(_, s)| **s != 0.0).map(|(i, s)| (i, number(s))).collect();
    Channel {
        disclosed: false,
        prior: prior.iter().map(number).collect(),
        noise: noise.iter().map(number).collect(),
        signal: signal.iter().map(row).collect(),
        surprise: surprise.iter().map(number).collect(),
        surprise_errors: vec![0.0; surprise.len()],
        error: 0.0,
    }
}

fn float(prior: &[f64], noise: &[f64], signal: &[Vec<f64>], surprise: &[f64]) -> JointLeak {
    joint_leak(&channel::<DoubleDouble>(prior, noise, signal, surprise)).expect("enough digits")
}

fn exact(prior: &[f64], noise: &[f64], signal: &[Vec<f64>], surprise: &[f64]) -> JointLeak {
    joint_leak(&channel::<Rational>(prior, noise, signal, surprise)).expect("rationals have all digits")
}

#[track_caller]
fn assert_same(one: &JointLeak, other: &JointLeak, tolerance: f64) {
    assert_relative(one.mutual_information_bits, other.mutual_information_bits, tolerance);
    assert_relative(one.kl_posterior_prior_bits, other.kl_posterior_prior_bits, tolerance);
    assert_relative(one.kl_prior_posterior_bits, other.kl_prior_posterior_bits, tolerance);
}

#[test]
fn one_output_tells_the_same_about_all_secrets_as_about_the_sum_it_measures() {
    let (prior, signal) = ([4.0, 1e6, 1e-4], vec![vec![1.0, 1e-3, 200.0]]);
    // h = 4 + 1 + 4 = 9 is the variance of the sum.
    let h = 9.0;
    for noise in [1e90, 1e12, 1e3, 9.0, 1.0, 1e-3, 1e-20] {
        let surprise = 3.0 * f64::sqrt(noise);
        let total = h + noise;
        let sum = Knowledge::after_all_outputs(0.0, h, h * surprise / total, h * noise / total, h * h / total);
        let leak = float(&prior, &[noise], &signal, &[surprise]);
        assert_relative(leak.mutual_information_bits, sum.mutual_information_bits(), 1e-14);
        assert_relative(leak.kl_posterior_prior_bits, sum.kl_posterior_prior_bits(), 1e-13);
        assert_relative(leak.kl_prior_posterior_bits, sum.kl_prior_posterior_bits(), 1e-13);
    }
}

#[test]
fn independent_secrets_add_up_whatever_the_size_of_their_leaks() {
    // p·s²/n is 1e-30, 1 and 1e30.
    let (prior, noise) = ([1.0, 4.0, 9.0], [1e30, 4.0, 9e-30]);
    let signal = vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
    let leak = float(&prior, &noise, &signal, &[0.0; 3]);
    let bits: f64 = [1e-30f64, 1.0, 1e30].iter().map(|gain| 0.5 * gain.ln_1p() / std::f64::consts::LN_2).sum();
    assert_relative(leak.mutual_information_bits, bits, 1e-15);
}

#[test]
fn a_disclosed_combination_is_infinite_and_nothing_is_nothing() {
    let disclosed = Channel { disclosed: true, ..channel::<DoubleDouble>(&[1.0], &[], &[], &[]) };
    let leak = joint_leak(&disclosed).expect("known");
    assert_eq!([leak.mutual_information_bits, leak.kl_prior_posterior_bits], [f64::INFINITY; 2]);
    let nothing =
        JointLeak { mutual_information_bits: 0.0, kl_posterior_prior_bits: 0.0, kl_prior_posterior_bits: 0.0 };
    assert_eq!(float(&[1.0, 2.0], &[], &[], &[]), nothing);
    assert_eq!(float(&[1.0, 2.0], &[3.0], &[vec![0.0, 0.0]], &[5.0]), nothing);
    assert_eq!(float(&[], &[], &[], &[]), nothing);
}

#[test]
fn too_few_digits_are_an_answer_to_nobody() {
    let mut doubtful = channel::<DoubleDouble>(&[1.0], &[1.0], &[vec![1e-9]], &[0.0]);
    assert!(joint_leak(&doubtful).is_some());
    doubtful.error = 1e-15;
    assert!(joint_leak(&doubtful).is_none());
    // Two outputs through a noise of 1e-40 that differ by as much: the second gain has lost all digits.
    let twice = channel::<DoubleDouble>(&[1.0, 1.0], &[1e-40, 1e-40], &[vec![1.0, 1.0], vec![1.0, 1.0]], &[0.0; 2]);
    assert!(joint_leak(&twice).is_none());
}

fn sizes() -> impl Strategy<Value = f64> {
    (-1.0..1.0f64, -3..4i32).prop_map(|(mantissa, exponent)| mantissa * 10f64.powi(exponent))
}

fn variances() -> impl Strategy<Value = f64> {
    (1.0..10.0f64, -3..4i32).prop_map(|(mantissa, exponent)| mantissa * 10f64.powi(exponent))
}

type Numbers = (Vec<f64>, Vec<f64>, Vec<Vec<f64>>, Vec<f64>);

fn channels() -> impl Strategy<Value = Numbers> {
    (1usize..5, 1usize..5).prop_flat_map(|(secrets, outputs)| {
        (
            proptest::collection::vec(variances(), secrets),
            proptest::collection::vec(variances(), outputs),
            proptest::collection::vec(proptest::collection::vec(sizes(), secrets), outputs),
            proptest::collection::vec(sizes(), outputs),
        )
    })
}

/// ln det(1 + G) of a channel, and the bound on its error.
fn log_det<W: Wide>(channel: &Channel<W>) -> (f64, f64) {
    let system = System::of(channel);
    let factor = Eliminated::of(&system);
    let error = factor.error(&system, channel.error);
    (factor.gains.iter().map(ln_1p).sum(), error)
}

/// Outputs that nearly repeat each other through next to no noise, of many secrets: what is left of the last ones is
/// rounding.
fn nearly_dependent() -> impl Strategy<Value = Numbers> {
    (1usize..40, 1usize..5, 0..52i32, -170..40i32).prop_flat_map(|(secrets, outputs, close, quiet)| {
        let nearly = (0..1i64 << 30).prop_map(move |part| 1.0 / 3.0 + part as f64 * f64::from(-30 - close).exp2());
        (
            proptest::collection::vec(variances(), secrets),
            proptest::collection::vec(Just(f64::from(quiet).exp2()), outputs),
            proptest::collection::vec(proptest::collection::vec(nearly, secrets), outputs),
            proptest::collection::vec(Just(0.0), outputs),
        )
    })
}

proptest! {
    /// `docs/proofs/joint.md`: however little is left of an output once the others are known, and however small its noise.
    #[test]
    fn the_logarithm_of_the_determinant_is_within_its_bound((prior, noise, signal, surprise) in nearly_dependent()) {
        let (found, error) = log_det(&channel::<DoubleDouble>(&prior, &noise, &signal, &surprise));
        let (truth, none) = log_det(&channel::<Rational>(&prior, &noise, &signal, &surprise));
        prop_assert_eq!(none, 0.0);
        // The logarithms themselves are doubles, each right to a unit or two, and are added up.
        let logarithms = 4.0 * f64::EPSILON * (noise.len() + 2) as f64 * truth.abs();
        prop_assert!(
            !error.is_finite() || error > 1e-3 || (found - truth).abs() <= error + logarithms,
            "{} is {} away and not {}", found, (found - truth).abs(), error
        );
    }

    #[test]
    fn doubles_agree_with_rationals((prior, noise, signal, surprise) in channels()) {
        let found = joint_leak(&channel::<DoubleDouble>(&prior, &noise, &signal, &surprise));
        let found = found.expect("these are tame");
        assert_same(&found, &exact(&prior, &noise, &signal, &surprise), 1e-12);
    }

    /// Either elimination, by outputs or by secrets, has the same answer: an output of noise alone changes the choice.
    #[test]
    fn it_does_not_matter_which_there_are_fewer_of((prior, noise, signal, surprise) in channels()) {
        let (mut more_noise, mut more_signal, mut more) = (noise.clone(), signal.clone(), surprise.clone());
        for _ in 0..5 {
            more_noise.push(1.0);
            more_signal.push(vec![0.0; prior.len()]);
            more.push(1.0);
        }
        let by_secrets = float(&prior, &more_noise, &more_signal, &more);
        let mut more_prior = prior.clone();
        more_prior.extend([1.0; 5]);
        let by_outputs = float(&more_prior, &noise, &signal, &surprise);
        assert_same(&by_secrets, &by_outputs, 1e-12);
    }

    /// More outputs never tell less, and I(z; y₁, y₂) ≤ I(z; y₁) + I(z; y₂) + what they tell about each other.
    #[test]
    fn more_outputs_tell_more((prior, noise, signal, surprise) in channels()) {
        let all = float(&prior, &noise, &signal, &surprise).mutual_information_bits;
        let fewer = noise.len() - 1;
        let some = float(&prior, &noise[..fewer], &signal[..fewer], &surprise[..fewer]).mutual_information_bits;
        prop_assert!(some <= all * (1.0 + 1e-12));
    }

    /// The mean of D(posterior ‖ prior) over the outputs is the mutual information: E yyᵀ is N + S·P·Sᵀ, and the shift's
    /// part of the divergence is a square form in y, whose mean over ± roots of the covariance is taken here for one output.
    #[test]
    fn the_mean_divergence_is_the_information(prior in variances(), noise in variances(), s in sizes()) {
        let root = (noise + prior * s * s).sqrt();
        let leak = float(&[prior], &[noise], &[vec![s]], &[root]);
        prop_assert!((leak.kl_posterior_prior_bits / leak.mutual_information_bits - 1.0).abs() < 1e-9);
    }
}
