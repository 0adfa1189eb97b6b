//! Coefficients made to look dependent: modulo a prime that is known, they are.

use super::super::residue::Primes;
use super::*;

/// What an attacker publishes: u + z and a·u + b·z with b ≡ a modulo P, where u is so large that doubles do not see the
/// difference. Together they disclose z. P + 1 may need several doubles.
fn crafted(prime: u64) -> (Build<f64>, Vec<Observation<f64>>, Affine<f64>) {
    let mut build = Build::<f64>::default();
    let u = build.network.push(0.0, [], 1e90, Span::START);
    let z = build.network.push(0.0, [], 1.0, Span::START);
    let first = build.network.push(0.0, [(u, 1.0), (z, 1.0)], 0.0, Span::START);
    let high = ((prime + 1) as f64).min(u64::MAX as f64 / 2.0);
    let low = (i128::from(prime) + 1 - high as i128) as f64;
    let unit = 2f64.powi(-61);
    let second = build.network.push(0.0, [(u, unit), (z, high * unit), (z, low * unit)], 0.0, Span::START);
    let observations = vec![seen(plain(first), 0.0), seen(plain(second), 0.0)];
    (build, observations, plain(z))
}

fn assert_not_fooled(prime: u64) {
    let (build, observations, secret) = crafted(prime);
    let truth = build.in_rationals(&observations, std::slice::from_ref(&secret)).expect("a posterior");
    assert!(truth.targets[0].fully_disclosed);
    // Doubles say so, or that they cannot know.
    match condition(&build.network, &observations, &[secret], &Options::default()) {
        Ok(posterior) => assert!(posterior.targets[0].fully_disclosed, "fooled by {prime}"),
        Err(Refusal::Doubtful { .. } | Refusal::OutOfRange { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn coefficients_made_for_a_prime_do_not_fool() {
    // The prime of earlier versions, and primes that this very network or others draw.
    assert_not_fooled((1 << 61) - 1);
    let mut prime = (1 << 61) - 1;
    for _ in 0..50 {
        for drawn in Primes::of(&crafted(prime).0.network).primes() {
            assert_not_fooled(drawn);
            prime = drawn;
        }
    }
}

#[test]
fn thirds_that_add_up_are_known_to() {
    // x/3 three times is x: no double holds a third, but residues do.
    let mut build = Build::<f64>::default();
    let x = build.network.push(0.0, [], 1.0, Span::START);
    let third = build.network.push_quotient(x, 3.0, Span::START);
    let nothing = build.network.push(0.0, [(third, 3.0), (x, -1.0)], 0.0, Span::START);
    let observations = [seen(plain(third), 2.0), seen(plain(x), 6.0)];
    let posterior = condition(&build.network, &observations, &[plain(nothing)], &Options::default());
    let posterior = posterior.expect("a posterior");
    assert_eq!(posterior.observations[1].status, Status::Redundant);
    assert_eq!((posterior.targets[0].prior_variance, posterior.targets[0].posterior_mean), (0.0, 0.0));
}
