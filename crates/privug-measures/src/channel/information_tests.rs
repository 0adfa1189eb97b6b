//! Information of outputs with densities against closed forms and against sums over fine grids.

use proptest::prelude::*;

use super::*;

fn whole(weight: f64, mean: f64, variance: f64) -> Piece {
    Piece { weight, mean, variance, low: f64::NEG_INFINITY, high: f64::INFINITY }
}

fn density(mean: f64, variance: f64, x: f64) -> f64 {
    (-0.5 * (x - mean) * (x - mean) / variance).exp() / (std::f64::consts::TAU * variance).sqrt()
}

fn certified(measures: &ChannelMeasures, name: &str) -> Bounds {
    match measures.get(name).unwrap_or_else(|| panic!("no {name}")) {
        (value, Method::Exact) => Bounds { low: value, high: value },
        (_, Method::Certified { low, high }) => Bounds { low, high },
    }
}

/// Whether a number that is good to `slack` lies between bounds that are no farther apart than `width`.
fn holds(bounds: Bounds, exact: f64, slack: f64, width: f64) -> bool {
    bounds.low <= exact + slack && exact <= bounds.high + slack && bounds.high - bounds.low <= width
}

fn world(weight: f64, secret: (f64, f64), output: (f64, f64, f64)) -> SpreadWorld {
    let left = if secret.1 == 0.0 { 0.0 } else { secret.1 - output.2 * output.2 / output.1 };
    SpreadWorld { weight, secret, outputs: vec![output], left }
}

/// Two secrets, each with its own weights of the same normal distributions.
fn two_secrets(prior: f64, first: &[f64], second: &[f64], normals: &[(f64, f64)]) -> (Vec<f64>, Vec<DenseOutput>) {
    let scaled = |share: f64, weights: &[f64]| weights.iter().map(|weight| share * weight).collect::<Vec<f64>>();
    let output = DenseOutput {
        normals: normals.iter().map(|(mean, variance)| whole(1.0, *mean, *variance)).collect(),
        weights: vec![scaled(prior, first), scaled(1.0 - prior, second)],
    };
    (vec![prior, 1.0 - prior], vec![output])
}

#[test]
fn information_about_a_choice_has_its_closed_forms() {
    let measured = |prior: &[f64], outputs: &[DenseOutput]| {
        ChannelMeasures::of_densities(prior, outputs, &vec![1.0; prior.len()], false, None)
    };
    // The same distribution whatever the secret is.
    let (prior, outputs) = two_secrets(0.3, &[0.4, 0.6], &[0.4, 0.6], &[(0.0, 1.0), (3.0, 2.0)]);
    let same = measured(&prior, &outputs);
    assert!(holds(certified(&same, "mutual_information_bits"), 0.0, 0.0, 1e-12));
    assert!(holds(certified(&same, "max_posterior"), 0.7, 1e-12, 1e-12));
    assert!(holds(certified(&same, "min_entropy_leakage_bits"), 0.0, 0.0, 1e-7));
    // Far apart: all of the entropy.
    let (prior, outputs) = two_secrets(0.5, &[1.0, 0.0], &[0.0, 1.0], &[(0.0, 1.0), (1000.0, 1.0)]);
    let apart = measured(&prior, &outputs);
    for (name, exact) in [
        ("mutual_information_bits", 1.0),
        ("posterior_entropy_bits", 0.0),
        ("bayes_vulnerability_posterior", 1.0),
        ("guessing_entropy_posterior", 1.0),
        ("channel_capacity_bits", 1.0),
        ("maximal_leakage_bits", 1.0),
        ("max_kl_bits", 1.0),
        ("total_variation", 0.5),
    ] {
        assert!(holds(certified(&apart, name), exact, 1e-12, 1e-6), "{name}: {:?}", certified(&apart, name));
    }
    // N(−1, 1) and N(1, 1), equally likely: guessing right has the probability Φ(1).
    let (prior, outputs) = two_secrets(0.5, &[1.0, 0.0], &[0.0, 1.0], &[(-1.0, 1.0), (1.0, 1.0)]);
    let near = measured(&prior, &outputs);
    assert!(holds(certified(&near, "bayes_vulnerability_posterior"), 0.841_344_746_068_542_9, 1e-13, 1e-6));
    assert!(holds(certified(&near, "guessing_entropy_posterior"), 2.0 - 0.841_344_746_068_542_9, 1e-13, 1e-6));
    // The symmetric prior is the best one.
    let told = certified(&near, "mutual_information_bits");
    assert!(holds(certified(&near, "channel_capacity_bits"), told.low, told.high - told.low, 1e-6));
    // A randomized response of 3/4 behind it: no value says more than which of the two it was.
    let (prior, outputs) = two_secrets(0.5, &[0.75, 0.25], &[0.25, 0.75], &[(-1.0, 1.0), (1.0, 1.0)]);
    assert!(holds(certified(&measured(&prior, &outputs), "max_posterior"), 0.75, 1e-12, 1e-12));
}

#[test]
fn outputs_that_hardly_move_the_belief_have_narrow_bounds() {
    // π₀π₁·|a − b|·∫|N(0, 1) − N(0, 0.16)|, and the densities cross at x² = 2·ln(2.5) / (1/0.16 − 1).
    let (a, b) = (0.462_286_415_661_315_6, 0.463_178_942_265_076_5);
    let (prior, outputs) = two_secrets(0.1, &[a, 1.0 - a], &[b, 1.0 - b], &[(0.0, 1.0), (0.0, 0.16)]);
    let measures = ChannelMeasures::of_densities(&prior, &outputs, &[1.0, 1.0], false, None);
    let moved = certified(&measures, "total_variation");
    assert!(holds(moved, 6.666833109474486e-05, 1e-15, 1e-8), "{moved:?}");
}

#[test]
fn information_about_a_gaussian_secret_is_that_of_its_correlation() {
    for correlation in [0.0, 0.1, -0.7, 0.999] {
        let output = SpreadOutput { worlds: vec![world(1.0, (50.0, 4.0), (7.0, 9.0, correlation * 6.0))] };
        let exact = -0.5 * (1.0 - correlation * correlation).log2();
        let bounds = spread_information_bits(&[output]);
        assert!(holds(bounds, exact, 1e-12, 2e-6), "{correlation}: {bounds:?} {exact}");
    }
    // A secret that is published in half of the worlds tells infinitely much; a number is told apart from a continuum.
    let half =
        |output| SpreadOutput { worlds: vec![world(0.5, (0.0, 1.0), output), world(0.5, (0.0, 1.0), (0.0, 1.0, 0.0))] };
    assert_eq!(spread_information_bits(&[half((0.0, 1.0, 1.0))]).high, f64::INFINITY);
    let number = vec![world(0.5, (3.0, 0.0), (-50.0, 1.0, 0.0)), world(0.5, (0.0, 1.0), (50.0, 1.0, 0.0))];
    assert!(holds(spread_information_bits(&[SpreadOutput { worlds: number }]), 1.0, 1e-9, 1e-6));
    // Well apart in both: one bit, and what each world tells by itself.
    let apart = vec![world(0.5, (0.0, 1.0), (0.0, 1.0, 0.6)), world(0.5, (200.0, 1.0), (300.0, 1.0, 0.6))];
    let bounds = spread_information_bits(&[SpreadOutput { worlds: apart }]);
    assert!(holds(bounds, 1.0 - 0.5 * 0.64_f64.log2(), 1e-9, 1e-6), "{bounds:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn information_about_a_choice_holds_against_a_fine_sum(
        prior in 0.1..0.9f64, a in 0.0..1.0f64, b in 0.0..1.0f64, mean in -4.0..4.0f64, deviation in 0.4..2.5f64,
    ) {
        let normals = [(0.0, 1.0), (mean, deviation * deviation)];
        let (prior, outputs) = two_secrets(prior, &[a, 1.0 - a], &[b, 1.0 - b], &normals);
        let gain = Gain::new(vec![vec![2.0, 0.5], vec![0.0, 1.0], vec![1.2, 0.8]], 2).expect("a gain");
        let measures = ChannelMeasures::of_densities(&prior, &outputs, &[1.0, 1.0], false, Some(&gain));
        let (mut told, mut guessed, mut largest, mut moved, mut gained) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let step = 0.004;
        for number in -10_000..10_000 {
            let y = f64::from(number) * step;
            let [p, q] = [normals[0], normals[1]].map(|(mean, variance)| density(mean, variance, y));
            let [one, other] = [a * p + (1.0 - a) * q, b * p + (1.0 - b) * q];
            let all = prior[0] * one + prior[1] * other;
            for (share, own) in prior.iter().zip([one, other]) {
                told += if own > 1e-250 { share * own * (own / all).log2() * step } else { 0.0 };
                moved += 0.5 * share * (own - all).abs() * step;
            }
            guessed += (prior[0] * one).max(prior[1] * other) * step;
            largest += one.max(other) * step;
            gained += gain.vulnerability(&[prior[0] * one, prior[1] * other]) * step;
        }
        for (name, exact) in [
            ("mutual_information_bits", told),
            ("bayes_vulnerability_posterior", guessed),
            ("guessing_entropy_posterior", 2.0 - guessed),
            ("maximal_leakage_bits", largest.log2()),
            ("total_variation", moved),
            ("g_vulnerability_posterior", gained),
        ] {
            let bounds = certified(&measures, name);
            prop_assert!(holds(bounds, exact, 2e-6, 1e-5), "{name}: {bounds:?} {exact}");
        }
        let capacity = certified(&measures, "channel_capacity_bits");
        prop_assert!(capacity.high >= told - 1e-9 && capacity.high - capacity.low <= 1e-3, "{capacity:?} {told}");
    }

    #[test]
    fn information_about_a_mixture_holds_against_a_fine_sum(
        weight in 0.1..0.9f64, x in -3.0..3.0f64, y in -3.0..3.0f64, wide in 0.5..2.0f64, high in 0.5..2.0f64,
        first in -0.9..0.9f64, second in -0.9..0.9f64,
    ) {
        let worlds = vec![
            world(weight, (0.0, 1.0), (0.0, 1.0, first)),
            world(1.0 - weight, (x, wide * wide), (y, high * high, second * wide * high)),
        ];
        let bounds = spread_information_bits(&[SpreadOutput { worlds: worlds.clone() }]);
        let step = 0.08;
        let joint = |world: &SpreadWorld, x: f64, y: f64| {
            let ((x_mean, x_variance), (y_mean, y_variance, shared)) = (world.secret, world.outputs[0]);
            let mean = y_mean + shared / x_variance * (x - x_mean);
            world.weight * density(x_mean, x_variance, x) * density(mean, y_variance - shared * shared / x_variance, y)
        };
        let places: Vec<f64> = (-190..190).map(|place| f64::from(place) * step).collect();
        let secret =
            |x: f64| -> f64 { worlds.iter().map(|world| world.weight * density(world.secret.0, world.secret.1, x)).sum() };
        let output = |y: f64| -> f64 {
            let outputs = worlds.iter().map(|world| (world.weight, world.outputs[0]));
            outputs.map(|(weight, (mean, variance, _))| weight * density(mean, variance, y)).sum()
        };
        let (secrets, outputs): (Vec<f64>, Vec<f64>) = places.iter().map(|place| (secret(*place), output(*place))).unzip();
        let mut told = 0.0;
        for (x, g) in places.iter().zip(&secrets) {
            for (y, h) in places.iter().zip(&outputs) {
                let f: f64 = worlds.iter().map(|world| joint(world, *x, *y)).sum();
                if f > 1e-300 {
                    told += f * (f / (g * h)).log2() * step * step;
                }
            }
        }
        prop_assert!(holds(bounds, told, 1e-6, 1e-3), "{bounds:?} {told}");
    }
}
