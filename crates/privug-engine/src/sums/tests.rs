//! Against direct computations: enumeration for values, sums over a fine grid for densities.

use super::*;

const PLENTY: Budget = Budget(1 << 40);

fn solve(members: &[(Law, usize)], noise: Option<Law>, sum: f64) -> Vec<Posterior> {
    let evidence = Evidence { members: members.to_vec(), noise, sum };
    posteriors(&evidence, &mut PLENTY.clone()).expect("an answer")
}

/// A law on a grid of cells: the probability of 0 itself, and the mass of each cell.
#[derive(Clone)]
struct Gridded {
    zero: f64,
    cells: Vec<f64>,
}

const CELLS: usize = 3000;

fn gridded(law: &Law, step: f64) -> Gridded {
    let parts = law.parts();
    let mass = |a: f64, b: f64| parts.bases.iter().map(|(w, base)| w * base.mass(a, b)).sum::<f64>();
    let cells = (0..CELLS).map(|k| mass(step * k as f64, step * (k + 1) as f64)).collect();
    Gridded { zero: parts.atom().map_or(0.0, |(_, p)| p), cells }
}

/// The sum of two; a sum of cells i and j is spread over the cells i + j and i + j + 1.
fn convolved(one: &Gridded, other: &Gridded) -> Gridded {
    let mut cells = vec![0.0; CELLS];
    for (i, a) in one.cells.iter().enumerate() {
        for (j, b) in other.cells[..CELLS - i].iter().enumerate() {
            cells[i + j] += 0.5 * a * b;
            if i + j + 1 < CELLS {
                cells[i + j + 1] += 0.5 * a * b;
            }
        }
    }
    for (k, cell) in cells.iter_mut().enumerate() {
        *cell += one.zero * other.cells[k] + one.cells[k] * other.zero;
    }
    Gridded { zero: one.zero * other.zero, cells }
}

/// Mean, variance and P(x ≤ sum/3) of the first variable given the sum.
fn directly(laws: &[Law], sum: f64) -> [f64; 3] {
    // The sum is in the middle of the last cell but one.
    let step = sum / (CELLS as f64 - 1.5);
    let first = gridded(&laws[0], step);
    let rest =
        laws[1..].iter().map(|law| gridded(law, step)).reduce(|all, next| convolved(&all, &next)).expect("others");
    let mut weights: Vec<(f64, f64)> = vec![(0.0, first.zero * rest.cells[CELLS - 2])];
    for k in 0..CELLS - 1 {
        // x in the cell k, the rest around what is left: between two cells.
        let left = CELLS - 2 - k;
        let density = if left > 0 { 0.5 * (rest.cells[left] + rest.cells[left - 1]) } else { 0.25 * rest.cells[0] };
        weights.push((step * (k as f64 + 0.5), first.cells[k] * density));
    }
    let density = laws[0].parts().bases.iter().map(|(w, base)| w * base.ln_density(sum).exp()).sum::<f64>();
    weights.push((sum, density * step * rest.zero));
    let all: f64 = weights.iter().map(|(_, w)| w).sum();
    let mean = weights.iter().map(|(x, w)| x * w).sum::<f64>() / all;
    let variance = weights.iter().map(|(x, w)| (x - mean).powi(2) * w).sum::<f64>() / all;
    let third = weights.iter().filter(|(x, _)| *x <= sum / 3.0).map(|(_, w)| w).sum::<f64>() / all;
    [mean, variance, third]
}

fn compare(laws: &[Law], sum: f64) {
    let members: Vec<(Law, usize)> = laws.iter().map(|law| (law.clone(), 1)).collect();
    let found = &solve(&members, None, sum)[0];
    let [mean, variance, third] = directly(laws, sum);
    let spread = variance.sqrt();
    let near = |bounds: [f64; 2], wanted: f64, slack: f64| bounds[0] <= wanted + slack && wanted - slack <= bounds[1];
    let words = format!("{laws:?} {sum}: {found:.6?}", found = (found.mean, found.variance, found.relative_error));
    assert!(found.relative_error < 0.01, "{words}");
    assert!(near(found.mean, mean, 1e-3 * spread), "{words}: {mean}");
    assert!(near(found.variance, variance, 3e-3 * variance), "{words}: {variance}");
    assert!(near(found.probability_between(f64::MIN, sum / 3.0), third, 2e-3), "{words}: {third}");
    // Brackets are narrow enough to be of use.
    assert!(found.mean[1] - found.mean[0] < 0.02 * spread, "{words}");
    assert!(found.variance[1] - found.variance[0] < 0.04 * variance, "{words}");
}

fn lognormal(mu: f64, sigma: f64) -> Law {
    Law::LogNormal { mu, sigma }
}

fn zero_or(weight: f64, law: Law) -> Law {
    Law::Mixture(vec![(weight, Law::Empirical(vec![(0.0, 1.0)])), (1.0 - weight, law)])
}

#[test]
fn lognormal_sums_are_those_of_a_direct_convolution() {
    compare(&[lognormal(0.0, 0.5), lognormal(0.0, 0.5)], 2.5);
    compare(&[lognormal(0.0, 0.5), lognormal(0.2, 0.4), lognormal(0.0, 0.5)], 3.1);
    compare(&[lognormal(0.0, 0.8), lognormal(0.0, 0.8), lognormal(0.5, 0.6), lognormal(0.0, 0.8)], 9.0);
    // Far below and above what is expected.
    compare(&[lognormal(0.0, 0.5), lognormal(0.0, 0.5), lognormal(0.0, 0.5)], 1.2);
    compare(&[lognormal(0.0, 0.5), lognormal(0.0, 0.5), lognormal(0.0, 0.5)], 8.0);
}

#[test]
fn gamma_uniform_and_mixed_sums_are_those_of_a_direct_convolution() {
    let gamma = |shape: f64, rate: f64| Law::Gamma { shape, rate };
    let uniform = |low: f64, high: f64| Law::Uniform { low, high };
    compare(&[gamma(2.0, 1.0), gamma(2.0, 1.0), gamma(2.0, 1.0)], 5.0);
    compare(&[gamma(2.5, 1.0), gamma(3.0, 2.0), lognormal(0.0, 0.5)], 5.0);
    compare(&[uniform(0.0, 1.0), uniform(0.0, 1.0), uniform(0.0, 1.0), uniform(0.0, 1.0)], 1.7);
    compare(&[uniform(0.0, 2.0), gamma(2.0, 1.0), uniform(0.5, 1.0)], 2.6);
}

#[test]
fn zero_inflated_sums_are_those_of_a_direct_convolution() {
    let law = || zero_or(0.4, lognormal(0.0, 0.5));
    compare(&[law(), law(), law()], 1.9);
    compare(&[law(), lognormal(0.0, 0.5), law(), law()], 2.5);
    compare(&[law(), law()], 1.1);
}

#[test]
fn equal_gamma_variables_have_beta_distributed_shares() {
    // x/s ~ Beta(k, (n − 1)k): mean 1/n, variance (n − 1)/(n²(nk + 1)).
    for (count, shape) in [(2_usize, 3.0), (5, 1.5), (40, 0.7), (3000, 2.0)] {
        let found = &solve(&[(Law::Gamma { shape, rate: 0.5 }, count)], None, 7.0)[0];
        let n = count as f64;
        let (mean, variance) = (7.0 / n, 49.0 * (n - 1.0) / (n * n * (n * shape + 1.0)));
        assert!(found.mean[0] <= mean && mean <= found.mean[1], "{count}: {:?} {mean}", found.mean);
        assert!(found.variance[0] <= variance && variance <= found.variance[1], "{count}: {:?}", found.variance);
        assert!(found.variance[1] < 1.02 * found.variance[0], "{count}: {:?}", found.variance);
    }
}

#[test]
fn normal_and_noisy_sums_have_the_moments_of_gaussian_conditioning() {
    // x ~ N(0, 1), n in all, noise of variance 3: Var(x | S + e) = 1 − 1/(n + 3).
    let normal = Law::Mixture(vec![(1.0, Law::Normal { mean: 0.0, std_dev: 1.0 })]);
    let noise = Law::Normal { mean: 0.0, std_dev: 3f64.sqrt() };
    let found = &solve(&[(normal, 5)], Some(noise), 4.0)[0];
    assert!(found.mean[0] <= 0.5 && 0.5 <= found.mean[1] && found.variance[0] <= 0.875 && 0.875 <= found.variance[1]);
    assert!(found.mean[1] - found.mean[0] < 1e-3 && found.variance[1] - found.variance[0] < 1e-3);
}

#[test]
fn large_groups_of_lognormal_people_are_solved_and_tell_little() {
    let law = lognormal(12.0, 0.6);
    for count in [50_usize, 1000] {
        let mean = law.mean() * count as f64;
        for part in [0.8, 1.0, 1.05] {
            let found = &solve(&[(law.clone(), count)], None, part * mean)[0];
            let average = part * law.mean();
            assert!(found.mean[0] <= average && average <= found.mean[1], "{count} {part}: {:?}", found.mean);
            assert!(found.relative_error < 1e-3, "{count} {part}: {}", found.relative_error);
        }
    }
}

/// Every combination of values, and the posterior of the first.
fn enumerated(laws: &[Vec<(f64, f64)>], sum: f64) -> Vec<(f64, f64)> {
    fn others(laws: &[Vec<(f64, f64)>], left: f64) -> f64 {
        match laws.split_first() {
            None => f64::from(u8::from(left.abs() < 1e-9)),
            Some((first, rest)) => first.iter().map(|(value, p)| p * others(rest, left - value)).sum(),
        }
    }
    let weights: Vec<(f64, f64)> =
        laws[0].iter().map(|(value, p)| (*value, p * others(&laws[1..], sum - value))).collect();
    let all: f64 = weights.iter().map(|(_, w)| w).sum();
    weights.into_iter().map(|(value, w)| (value, w / all)).collect()
}

#[test]
fn sums_of_values_have_the_posterior_of_all_combinations() {
    let one = vec![(0.0, 0.2), (1.5, 0.3), (4.0, 0.4), (9.5, 0.1)];
    let other = vec![(-2.0, 0.5), (0.5, 0.25), (3.0, 0.25)];
    let laws = [one.clone(), one.clone(), other.clone(), other.clone()];
    let members = [(Law::Empirical(one.clone()), 2), (Law::Empirical(other), 2)];
    for sum in [2.5, 5.5, 1.5, 10.5] {
        let wanted = enumerated(&laws, sum);
        let found = &solve(&members, None, sum)[0];
        for (value, p) in wanted {
            let [low, high] = found.probability_between(value - 0.1, value + 0.1);
            assert!(low <= p + 1e-12 && p <= high + 1e-12 && high - low < 1e-9, "{sum} {value}: {low} {p} {high}");
        }
    }
    // A sum on the lattice that no combination has gets no answer.
    let evidence = Evidence { members: members.to_vec(), noise: None, sum: 12.5 };
    assert!(posteriors(&evidence, &mut PLENTY.clone()).is_err());
    let evidence = Evidence { members: members.to_vec(), noise: None, sum: 0.25 };
    assert_eq!(posteriors(&evidence, &mut PLENTY.clone()), Err(Unsolved::Impossible));
}

#[test]
fn rounded_sums_of_values_are_all_sums_that_round_to_them() {
    let law = vec![(0.0, 0.5), (1.0, 0.3), (3.0, 0.2)];
    let laws = [law.clone(), law.clone(), law.clone()];
    let rounding = Law::Uniform { low: -1.0, high: 1.0 };
    let found = &solve(&[(Law::Empirical(law.clone()), 3)], Some(rounding), 4.0)[0];
    let mut wanted = [0.0; 3];
    let mut all = 0.0;
    for sum in [3.0, 4.0, 5.0] {
        for (a, p) in &law {
            for (b, q) in &law {
                for (c, r) in &law {
                    if (a + b + c - sum).abs() < 1e-9 {
                        all += p * q * r;
                        wanted[law.iter().position(|(value, _)| value == a).expect("a value")] += p * q * r;
                    }
                }
            }
        }
    }
    assert_eq!(laws.len(), 3);
    for ((value, _), weight) in law.iter().zip(wanted) {
        let [low, high] = found.probability_between(value - 0.1, value + 0.1);
        assert!(low <= weight / all + 1e-12 && weight / all <= high + 1e-12 && high - low < 1e-9, "{value}");
    }
}

#[test]
fn whoever_is_alone_and_everybody_at_an_extreme_is_certain() {
    let certain = |members: &[(Law, usize)], sum: f64| {
        let found = solve(members, None, sum);
        assert!(found.iter().all(Posterior::is_certain), "{found:?}");
        found.iter().map(|one| one.mean[0]).collect::<Vec<f64>>()
    };
    assert_eq!(certain(&[(lognormal(0.0, 1.0), 1)], 3.5), [3.5]);
    assert_eq!(certain(&[(zero_or(0.1, lognormal(0.0, 1.0)), 7)], 0.0), [0.0]);
    assert_eq!(certain(&[(Law::Uniform { low: 1.0, high: 2.0 }, 3)], 6.0), [2.0]);
    assert_eq!(certain(&[(Law::Empirical(vec![(1.0, 0.5), (2.0, 0.5)]), 4)], 8.0), [2.0]);
    let evidence = Evidence { members: vec![(Law::Uniform { low: 1.0, high: 2.0 }, 3)], noise: None, sum: 6.5 };
    assert_eq!(posteriors(&evidence, &mut PLENTY.clone()), Err(Unsolved::Impossible));
}

#[test]
fn what_is_not_worked_out_is_said() {
    let unknown = |members: Vec<(Law, usize)>, sum: f64, budget: u64| {
        matches!(posteriors(&Evidence { members, noise: None, sum }, &mut Budget(budget)), Err(Unsolved::Unknown(_)))
    };
    let values = Law::Empirical(vec![(0.0, 0.5), (1.0, 0.5)]);
    assert!(unknown(vec![(values.clone(), 2), (lognormal(0.0, 1.0), 2)], 2.5, 1 << 40));
    let two_atoms = Law::Mixture(vec![(0.5, values), (0.5, lognormal(0.0, 1.0))]);
    assert!(unknown(vec![(two_atoms, 3)], 2.5, 1 << 40));
    assert!(unknown(vec![(lognormal(0.0, 0.5), 3)], 2.5, 1000));
}
