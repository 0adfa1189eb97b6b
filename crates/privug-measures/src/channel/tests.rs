//! Measures against their definitions, closed forms and the theorems that relate them, on random channels.

use proptest::prelude::*;

use super::*;

fn normalized(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// A prior over up to five secrets and a channel to up to five outputs, with zeros here and there.
fn channels() -> impl Strategy<Value = (Vec<f64>, Vec<Vec<f64>>)> {
    let weight = prop_oneof![1 => Just(0.0), 4 => 0.01..1.0];
    (1usize..6, 1usize..6).prop_flat_map(move |(secrets, outputs)| {
        let prior = proptest::collection::vec(0.01..1.0, secrets);
        let row = proptest::collection::vec(weight.clone(), outputs);
        let rows = proptest::collection::vec(row, secrets);
        (prior, rows).prop_map(|(prior, rows)| {
            let rows = rows.into_iter().map(|mut row| {
                if row.iter().sum::<f64>() == 0.0 {
                    row[0] = 1.0;
                }
                normalized(&row)
            });
            (normalized(&prior), rows.collect())
        })
    })
}

/// For each output, of each secret.
fn joint(prior: &[f64], channel: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..channel[0].len()).map(|output| prior.iter().zip(channel).map(|(p, row)| p * row[output]).collect()).collect()
}

fn value(measures: &ChannelMeasures, name: &str) -> f64 {
    measures.get(name).unwrap_or_else(|| panic!("no {name}")).0
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-11 * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #[test]
    fn measures_are_what_their_definitions_say((prior, channel) in channels()) {
        let joint = joint(&prior, &channel);
        let identity = (0..prior.len()).map(|guess| (0..prior.len()).map(|s| f64::from(u8::from(s == guess))).collect());
        let gain = Gain::new(identity.collect(), prior.len()).expect("a gain");
        let measures = ChannelMeasures::of_channel(&prior, &joint, false, Some(&gain));
        let of = |name: &str| value(&measures, name);
        let published: Vec<f64> = joint.iter().map(|row| row.iter().sum()).collect();
        // Mutual information in its three forms.
        let cells = joint.iter().zip(&published).flat_map(|(row, y)| row.iter().zip(&prior).map(move |(p, x)| (*p, *x, *y)));
        let information: f64 = cells.filter(|(p, _, _)| *p > 0.0).map(|(p, x, y)| p * (p / (x * y)).log2()).sum();
        prop_assert!(close(of("mutual_information_bits"), information));
        prop_assert!(close(of("prior_entropy_bits") - of("posterior_entropy_bits"), information));
        let flat: Vec<f64> = joint.iter().flatten().copied().collect();
        prop_assert!(close(entropy_bits(&prior) + entropy_bits(&published) - entropy_bits(&flat), information));
        // Guessing with a table of the best guess for each output.
        let right: f64 = joint.iter().map(|row| row.iter().copied().fold(0.0, f64::max)).sum();
        prop_assert!(close(of("bayes_vulnerability_posterior"), right));
        prop_assert!(of("bayes_vulnerability_posterior") >= of("bayes_vulnerability_prior") - 1e-12);
        prop_assert!(close(of("g_leakage"), of("min_entropy_leakage_bits")) || of("g_leakage").abs() < 1e-12);
        // Guesses, by trying all orders.
        let orders = permutations(prior.len());
        let guesses = |p: &[f64]| {
            let cost = |order: &Vec<usize>| order.iter().enumerate().map(|(place, s)| (place + 1) as f64 * p[*s]).sum::<f64>();
            orders.iter().map(cost).fold(f64::INFINITY, f64::min)
        };
        prop_assert!(close(of("guessing_entropy_prior"), guesses(&prior)));
        prop_assert!(close(of("guessing_entropy_posterior"), joint.iter().map(|row| guesses(row)).sum()));
        // The worst output is one of them, and no other is worse.
        let worst = measures.surest_output.expect("an output");
        for (place, (row, y)) in joint.iter().zip(&published).enumerate().filter(|(_, (_, y))| **y > 0.0) {
            let largest = row.iter().copied().fold(0.0, f64::max) / y;
            prop_assert!(largest <= of("max_posterior") + 1e-12);
            prop_assert!(place != worst || close(largest, of("max_posterior")));
            let posterior: Vec<f64> = row.iter().map(|p| p / y).collect();
            let alone = ChannelMeasures::of_output(&prior, &posterior, Some(&gain));
            prop_assert!(value(&alone, "kl_posterior_prior_bits") <= of("max_kl_bits") + 1e-12);
            // All events, one by one.
            let events = (0..1usize << prior.len()).map(|event| {
                let of = |p: &[f64]| p.iter().enumerate().filter(|(s, _)| event >> s & 1 == 1).map(|(_, p)| p).sum::<f64>();
                (of(&posterior) - of(&prior)).abs()
            });
            prop_assert!(close(value(&alone, "total_variation"), events.fold(0.0, f64::max)));
        }
        // The expectation of what single outputs tell is the mutual information.
        let expected: f64 = joint.iter().zip(&published).filter(|(_, y)| **y > 0.0).map(|(row, y)| {
            let posterior: Vec<f64> = row.iter().map(|p| p / y).collect();
            y * value(&ChannelMeasures::of_output(&prior, &posterior, None), "mutual_information_bits")
        }).sum();
        prop_assert!(close(expected, information));
    }

    #[test]
    fn capacity_bounds_the_information_of_every_prior((prior, channel) in channels(), others in proptest::collection::vec(0.01f64..1.0, 5)) {
        let capacity = capacity(&channel);
        prop_assert!(capacity.low_bits <= capacity.high_bits);
        let uniform = vec![1.0 / prior.len() as f64; prior.len()];
        let other = normalized(&others[..prior.len()]);
        for prior in [&prior, &uniform, &other] {
            let measures = ChannelMeasures::of_channel(prior, &joint(prior, &channel), false, None);
            prop_assert!(value(&measures, "mutual_information_bits") <= capacity.high_bits + 1e-11);
            prop_assert!(value(&measures, "min_entropy_leakage_bits") <= maximal_leakage_bits(&channel) + 1e-11);
        }
        // The uniform prior attains the maximal leakage (Braun, Chatzikokolakis and Palamidessi 2009).
        let measures = ChannelMeasures::of_channel(&uniform, &joint(&uniform, &channel), false, None);
        prop_assert!(close(value(&measures, "min_entropy_leakage_bits"), maximal_leakage_bits(&channel)));
        // Shannon capacity is at most maximal leakage.
        prop_assert!(capacity.low_bits <= maximal_leakage_bits(&channel) + 1e-11);
    }

    #[test]
    fn processing_outputs_tells_no_more((prior, channel) in channels(), second in proptest::collection::vec(proptest::collection::vec(0.01f64..1.0, 4), 5)) {
        let processed: Vec<Vec<f64>> = channel.iter().map(|row| {
            (0..4).map(|z| row.iter().zip(&second).map(|(p, next)| p * normalized(next)[z]).sum()).collect()
        }).collect();
        let gains: Vec<Vec<f64>> = second.iter().map(|row| row.iter().cycle().take(prior.len()).copied().collect()).collect();
        let gain = Gain::new(gains, prior.len()).expect("a gain");
        let before = ChannelMeasures::of_channel(&prior, &joint(&prior, &channel), false, Some(&gain));
        let after = ChannelMeasures::of_channel(&prior, &joint(&prior, &processed), false, Some(&gain));
        for name in [
            "mutual_information_bits", "bayes_vulnerability_posterior", "min_entropy_leakage_bits", "max_posterior", "max_kl_bits",
            "total_variation", "maximal_leakage_bits", "g_vulnerability_posterior", "g_leakage",
        ] {
            prop_assert!(value(&after, name) <= value(&before, name) + 1e-11, "{name}");
        }
        prop_assert!(value(&after, "guessing_entropy_posterior") >= value(&before, "guessing_entropy_posterior") - 1e-11);
        let (_, method) = after.get("channel_capacity_bits").expect("a capacity");
        let low = match method { Method::Certified { low, .. } => low, Method::Exact => value(&after, "channel_capacity_bits") };
        prop_assert!(low <= value(&before, "channel_capacity_bits") + 1e-11);
        // The gain is at most what the miracle theorem allows: maximal leakage bounds every g-leakage.
        prop_assert!(value(&before, "g_leakage") <= value(&before, "maximal_leakage_bits") + 1e-11);
    }
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(count - 1);
    shorter
        .iter()
        .flat_map(|order| {
            (0..count).map(|place| {
                let mut order = order.clone();
                order.insert(place, count - 1);
                order
            })
        })
        .collect()
}

proptest! {
    #[test]
    fn bounds_hold_for_probabilities_that_are_a_little_off(
        (prior, channel) in channels(), errors in proptest::collection::vec(-1.0f64..1.0, 25), size in 1e-12f64..1e-3,
    ) {
        let exact = joint(&prior, &channel);
        let mut error = 0.0;
        let mut off = exact.clone();
        for (p, share) in off.iter_mut().flatten().zip(&errors) {
            error += (*p * share * size).abs();
            *p *= 1.0 + share * size;
        }
        let total: f64 = off.iter().flatten().sum();
        // What it takes to add up to 1 again is an error as well.
        error = 2.0 * (error + (total - 1.0).abs());
        off.iter_mut().flatten().for_each(|p| *p /= total);
        let before: Vec<f64> = (0..prior.len()).map(|secret| off.iter().map(|row| row[secret]).sum()).collect();
        let mut loose = ChannelMeasures::of_channel(&before, &off, true, None);
        let least = before.iter().copied().filter(|p| *p > 0.0).fold(1.0, f64::min);
        let outputs = off.iter().map(|row| row.iter().sum::<f64>()).filter(|p| *p > 0.0);
        let least_output = outputs.fold(1.0, f64::min);
        loose.loosen(&Uncertainty { error, values: before.len() * off.len(), least_prior: least, least_output });
        let truth = ChannelMeasures::of_channel(&prior, &exact, true, None);
        for name in ["mutual_information_bits", "prior_entropy_bits", "posterior_entropy_bits", "bayes_vulnerability_posterior", "max_posterior", "max_kl_bits", "min_entropy_leakage_bits", "guessing_entropy_posterior", "total_variation"] {
            let Some((_, Method::Certified { low, high })) = loose.get(name) else { continue };
            let value = value(&truth, name);
            prop_assert!(low <= value + 1e-12 && value <= high + 1e-12, "{name}: {low} {value} {high}");
        }
    }
}

#[test]
fn textbook_values() {
    assert_eq!(entropy_bits(&[0.5, 0.25, 0.25]), 1.5);
    assert_eq!(entropy_bits(&[1.0, 0.0]), 0.0);
    assert_eq!(guessing_entropy(&[0.25, 0.5, 0.25]), 1.75);
    assert_eq!(vulnerability(&[0.25, 0.5, 0.25]), 0.5);
    assert!(close(kl_bits(&[1.0, 0.0], &[0.25, 0.75]), 2.0));
    assert_eq!(kl_bits(&[0.5, 0.5], &[1.0, 0.0]), f64::INFINITY);
    // What is nearly excluded is worth what is excluded: its share of the prior is not lost.
    for tiny in [1e-3, 1e-15, 1e-16, 1e-17, 1e-101, 1e-300, f64::MIN_POSITIVE / 4.0] {
        let direct = (1.0 - tiny) * (2.0 * (1.0 - tiny)).log2() + tiny * (2.0 * tiny).log2();
        assert!(close(kl_bits(&[1.0 - tiny, tiny], &[0.5, 0.5]), direct), "{tiny}");
        assert!(
            close(kl_bits(&[0.5, 0.5], &[1.0 - tiny, tiny]), -1.0 - ((1.0 - tiny).log2() + tiny.log2()) / 2.0),
            "{tiny}"
        );
    }
    assert!(close(total_variation(&[0.7, 0.3], &[0.5, 0.5]), 0.2));
}

#[test]
fn capacities_of_textbook_channels() {
    // Binary symmetric: 1 − H(p). Binary erasure: 1 − p. Z-channel: log₂(1 + (1 − p) p^(p/(1 − p))).
    for p in [0.01, 0.1, 0.25, 0.5, 0.9] {
        let symmetric = capacity(&[vec![1.0 - p, p], vec![p, 1.0 - p]]);
        let erasure = capacity(&[vec![1.0 - p, p, 0.0], vec![0.0, p, 1.0 - p]]);
        let z = capacity(&[vec![1.0, 0.0], vec![p, 1.0 - p]]);
        let of_z = (1.0 + (1.0 - p) * f64::powf(p, p / (1.0 - p))).log2();
        for (found, expected) in [(symmetric, 1.0 - entropy_bits(&[p, 1.0 - p])), (erasure, 1.0 - p), (z, of_z)] {
            assert!(found.low_bits <= expected + 1e-11 && found.high_bits >= expected - 1e-11, "{p}: {found:?}");
            assert!(found.high_bits - found.low_bits <= 1e-6, "{p}: {found:?}");
        }
    }
    assert_eq!(maximal_leakage_bits(&[vec![0.75, 0.25], vec![0.25, 0.75]]), 1.5_f64.log2());
}

#[test]
fn randomized_response() {
    let joint = vec![vec![0.7 * 0.75, 0.3 * 0.25], vec![0.7 * 0.25, 0.3 * 0.75]];
    let measures = ChannelMeasures::of_channel(&[0.7, 0.3], &joint, false, None);
    let of = |name: &str| value(&measures, name);
    assert!((of("mutual_information_bits") - 0.159_672_5).abs() < 5e-8);
    assert!(close(of("bayes_vulnerability_posterior"), 0.75));
    assert!(close(of("guessing_entropy_prior"), 1.3) && close(of("guessing_entropy_posterior"), 1.25));
    // A no is the surest answer, a yes the one that moves most.
    assert_eq!((measures.surest_output, measures.most_moving_output), (Some(0), Some(1)));
}

#[test]
fn a_rare_value_that_became_likely_is_not_nothing() {
    let measures = ChannelMeasures::of_output(&[0.999, 0.001], &[0.5, 0.5], None);
    assert!(value(&measures, "mutual_information_bits") > 3.9);
    assert!(value(&measures, "posterior_entropy_bits") > value(&measures, "prior_entropy_bits"));
}

fn whole(weight: f64, mean: f64, variance: f64) -> Piece {
    Piece { weight, mean, variance, low: f64::NEG_INFINITY, high: f64::INFINITY }
}

fn holds(bounds: Bounds, value: f64, width: f64) -> bool {
    bounds.low <= value + 1e-12 && value <= bounds.high + 1e-12 && bounds.high - bounds.low <= width
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// `docs/proofs/capacity.md`: an erasure channel with 2ᵇ inputs tells b·(1 − p) bits, which is a double here; so do two of
    /// them whose rows are the same, or split into outputs that say no more.
    #[test]
    fn capacities_of_erasure_channels_lie_between_their_bounds(bits in 1..6u32, lost in 0..1i64 << 40, share in 1..255u32) {
        let p = lost as f64 / 2f64.powi(40);
        let inputs = 1usize << bits;
        let part = f64::from(share) / 256.0;
        // What is lost arrives as one of two outputs, and is told apart by nothing.
        let row = |input: usize| -> Vec<f64> {
            let kept = (0..inputs).map(|output| if output == input { 1.0 - p } else { 0.0 });
            kept.chain([p * part, p * (1.0 - part)]).collect()
        };
        let channel: Vec<Vec<f64>> = (0..inputs).map(row).collect();
        let found = capacity(&channel);
        let exact = f64::from(bits) * (1.0 - p);
        if found.low_bits < found.high_bits {
            prop_assert!(found.low_bits <= exact && exact <= found.high_bits, "{found:?} {exact}");
        } else {
            prop_assert!((found.low_bits - exact).abs() <= 64.0 * f64::EPSILON * exact.max(1.0), "{found:?} {exact}");
        }
    }

    /// `docs/proofs/mixtures.md`: means that are far apart, narrow pieces, and pieces that were cut off where doubles end.
    #[test]
    fn divergences_far_out_lie_between_their_bounds(distance in 0.0..60.0f64, std in 0.01..20.0f64, cut in 1.0..90.0f64) {
        let last_digits = 8.0 * f64::EPSILON;
        // Two normal distributions with the same variance: (m − n)²/2v.
        let mean = distance * std;
        let bounds = kl_bounds_bits(&[whole(1.0, mean, std * std)], &[whole(1.0, 0.0, std * std)]);
        let exact = mean * mean / (2.0 * std * std) / std::f64::consts::LN_2;
        let slack = last_digits * (1.0 + exact);
        prop_assert!(bounds.low <= exact + slack && exact <= bounds.high + slack, "{bounds:?} {exact}");
        prop_assert!(bounds.high - bounds.low <= 1e-3 * (1.0 + exact), "{bounds:?} {exact}");
        // One of which only what lies beyond a cut is left: −log₂ of its probability, whatever its unit is.
        let (low, left) = (cut * std, Normal::new(0.0, 1.0).expect("a normal").log_cdf(-cut));
        let exact = -left / std::f64::consts::LN_2;
        let piece = Piece { low, ..whole(1.0, 0.0, std * std) };
        let bounds = kl_bounds_bits(&[piece], &[whole(1.0, 0.0, std * std)]);
        // The cut itself is rounded, and moves a tail by z² of its last digit.
        let slack = last_digits * (1.0 + exact) + f64::EPSILON * cut * cut;
        prop_assert!(bounds.low <= exact + slack && exact <= bounds.high + slack, "{bounds:?} {exact}");
        prop_assert!(bounds.high - bounds.low <= 1e-6 * (1.0 + exact), "{bounds:?} {exact}");
        let moved = total_variation_bounds(&[piece], &[whole(1.0, 0.0, std * std)]);
        let exact = -left.exp_m1();
        prop_assert!(moved.low <= exact + slack && exact <= moved.high + slack, "{moved:?} {exact}");
    }
}

#[test]
fn divergences_of_normal_distributions_lie_between_their_bounds() {
    let closed = |m: f64, v: f64, n: f64, w: f64| {
        0.5 * (v / w + (m - n) * (m - n) / w - 1.0 + (w / v).ln()) / std::f64::consts::LN_2
    };
    for (m, v, n, w) in [
        (0.0, 1.0, 0.0, 1.0),
        (0.0, 1.0, 3.0, 1.0),
        (0.0, 1.0, 0.0, 9.0),
        (5.0, 0.01, 0.0, 4.0),
        (1e6, 4.0, 1e6 + 1.0, 1.0),
    ] {
        let bounds = kl_bounds_bits(&[whole(1.0, m, v)], &[whole(1.0, n, w)]);
        let exact = closed(m, v, n, w);
        assert!(holds(bounds, exact, 1e-4 * (1.0 + exact)), "{m} {v} {n} {w}: {bounds:?} {exact}");
    }
    // One that is cut off: −log₂ of the probability that is left.
    let cut = Piece { low: 1.0, ..whole(1.0, 0.0, 1.0) };
    let left = Normal::new(0.0, 1.0).expect("a normal").survival(1.0);
    assert!(holds(kl_bounds_bits(&[cut], &[whole(1.0, 0.0, 1.0)]), -left.log2(), 1e-6));
    // Total variation of N(0, 1) and N(2, 1): 2Φ(1) − 1.
    let bounds = total_variation_bounds(&[whole(1.0, 0.0, 1.0)], &[whole(1.0, 2.0, 1.0)]);
    assert!(holds(bounds, 0.682_689_492_137_085_9, 1e-5), "{bounds:?}");
    // A number that was one of a continuum is infinitely surprising; one of two parts is not.
    assert_eq!(kl_bounds_bits(&[whole(1.0, 0.0, 0.0)], &[whole(1.0, 0.0, 1.0)]).low, f64::INFINITY);
    let half = [whole(0.5, 0.0, 0.0), whole(0.5, 0.0, 1.0)];
    assert!(holds(kl_bounds_bits(&[whole(1.0, 0.0, 0.0)], &half), 1.0, 1e-9));
    // The other way round, what was possible may be gone, but a continuum that was impossible may not come.
    assert_eq!(kl_bounds_bits(&half, &[whole(1.0, 0.0, 0.0)]).high, f64::INFINITY);
}

use crate::leakage::Normal;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn divergences_of_mixtures_hold_against_a_fine_sum(
        weight in 0.05f64..0.95, other in 0.05f64..0.95, mean in -4.0f64..4.0, deviation in 0.3f64..3.0,
    ) {
        let p = [whole(weight, 0.0, 1.0), whole(1.0 - weight, mean, deviation * deviation)];
        let q = [whole(other, 0.0, 1.0), whole(1.0 - other, mean, deviation * deviation)];
        let density = |pieces: &[Piece], x: f64| pieces.iter().map(|piece| {
            piece.weight * Normal::new(piece.mean, piece.variance).expect("a normal").density(x)
        }).sum::<f64>();
        let (mut divergence, mut variation) = (0.0, 0.0);
        let step = 0.005;
        for number in -10_000..10_000 {
            let x = f64::from(number) * step;
            let (a, b) = (density(&p, x), density(&q, x));
            variation += (a - b).abs() * step / 2.0;
            if a > 0.0 && b > 0.0 {
                divergence += a * (a / b).log2() * step;
            }
        }
        let bounds = kl_bounds_bits(&p, &q);
        prop_assert!(bounds.low <= divergence + 1e-9 && divergence <= bounds.high + 1e-9, "{bounds:?} {divergence}");
        prop_assert!(bounds.high - bounds.low <= 1e-4, "{bounds:?}");
        let bounds = total_variation_bounds(&p, &q);
        prop_assert!(bounds.low <= variation + 1e-4 && variation <= bounds.high + 1e-4, "{bounds:?} {variation}");
    }
}
