//! Mixtures of Gaussian variables, and Gaussian variables that are compared.

use super::support::{analysis, refused};
use privug::analysis::{Belief, Part, Request, analyze};
use privug::diagnostic::Code;

fn main(body: &str) -> String {
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    format!("def main():\n{body}")
}

fn parts(body: &str) -> Vec<Part> {
    let choices = analysis(&main(body), false).choices.expect("choices");
    match &choices.secrets[0].posterior {
        Belief::Mixture(parts) => parts.clone(),
        Belief::Discrete(values) => panic!("{values:?}"),
    }
}

fn probability(body: &str) -> f64 {
    let choices = analysis(&main(body), false).choices.expect("choices");
    match &choices.secrets[0].posterior {
        Belief::Discrete(values) => values.last().map_or(0.0, |chance| chance.probability),
        Belief::Mixture(parts) => panic!("{parts:?}"),
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1e-300)
}

/// Φ(1), Φ(2) and Φ(0.5) from tables with 15 digits.
const PHI_1: f64 = 0.841_344_746_068_543;
const PHI_2: f64 = 0.977_249_868_051_821;
const PHI_HALF: f64 = 0.691_462_461_274_013;

#[test]
fn a_mixture_is_weighted_by_its_densities() {
    // The densities of 2 under N(0, 1) and N(4, 1) are equal, under N(10, 1) e^-30 of that.
    let body = "k = Categorical([0.25, 0.5, 0.25])\nx = [Normal(0, 1), Normal(4, 1), Normal(10, 1)][k]\ncondition(x, 2)\nreturn k";
    let choices = analysis(&main(body), false).choices.expect("choices");
    let Belief::Discrete(values) = &choices.secrets[0].posterior else { panic!() };
    let total = 0.75 + 0.25 * (-30f64).exp();
    assert!(near(values[0].probability, 0.25 / total));
    assert!(near(values[2].probability, 0.25 * (-30f64).exp() / total));
    // Managers and staff behind a published mean.
    let body = "manager = Bernoulli(0.1)\nx = Normal(100, 25) if manager else Normal(50, 16)\n\
                condition((x + Normal(50, 16)) / 2, 50)\nreturn x";
    let found = parts(body);
    // x given x + y = 100, y ~ N(50, 16): N(75.?, …) for managers.
    let (gain_staff, gain_manager) = (16.0 / 32.0, 25.0 / 41.0);
    assert!(found.iter().any(|part| near(part.mean, 100.0 + gain_manager * (100.0 - 150.0))));
    assert!(found.iter().any(|part| near(part.mean, 50.0 + gain_staff * (100.0 - 100.0))));
}

#[test]
fn comparing_with_numbers_cuts_a_normal_distribution_in_pieces() {
    assert!(near(probability("x = Normal(0, 1)\nreturn x > -1"), PHI_1));
    assert!(near(probability("x = Normal(0, 4)\nreturn x <= 2"), PHI_1));
    assert!(near(probability("x = Normal(0, 1)\nreturn -1 < x < 2"), PHI_1 + PHI_2 - 1.0));
    let found = parts("x = Normal(0, 1)\ncondition(x > 1)\nreturn x");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].low, found[0].high), (1.0, f64::INFINITY));
    // E(x | x > 1) = φ(1)/(1 − Φ(1))
    let density = (-0.5f64).exp() / (2.0 * std::f64::consts::PI).sqrt();
    assert!((found[0].moments().expect("moments").0 - density / (1.0 - PHI_1)).abs() < 1e-12);
    let bands = "x = Normal(0, 1)\nband = 'low' if x < -1 else ('middle' if x < 2 else 'high')\ncondition(band, 'middle')\nreturn x";
    let found = parts(bands);
    assert_eq!(found.iter().map(|part| (part.low, part.high)).collect::<Vec<_>>(), [(-1.0, 2.0)]);
}

#[test]
fn counts_above_a_threshold() {
    let body = "incomes = [Normal(0, 1) for i in range(3)]\nreturn sum(x > 1 for x in incomes)";
    assert!(near(probability(body), (1.0 - PHI_1).powi(3)));
    let body = "incomes = Normal(0, 1, size=3)\nreturn np.sum(incomes > 1)";
    assert!(near(probability(body), (1.0 - PHI_1).powi(3)));
    // One of two is rich: each is with probability 1/2.
    let body = "xs = [Normal(0, 1), Normal(0, 1)]\ncondition(sum(x > 1 for x in xs), 1)\nreturn xs[0]";
    let found = parts(body);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|part| near(part.weight, 0.5)), "{found:?}");
}

#[test]
fn two_gaussians_are_compared_by_their_difference() {
    assert!(near(probability("x = Normal(1, 2)\ny = Normal(0, 2)\nreturn x > y"), PHI_HALF));
    assert!(near(probability("x = Normal(1, 2)\ny = Normal(0, 2)\nreturn y <= x"), PHI_HALF));
    // The same variable is not random against itself.
    assert_eq!(
        refused(&main("x = Normal(0, 1)\nreturn x > x")).first().map(|found| found.0),
        Some(Code::NothingRandom)
    );
}

#[test]
fn equality_with_a_gaussian_has_probability_zero() {
    let code = |body: &str| refused(&main(body)).first().map(|found| found.0);
    assert_eq!(code("x = Normal(0, 1)\ncondition(x == 3)\nreturn x"), Some(Code::ComparisonOfRandom));
    assert_eq!(code("x = Normal(0, 1)\nreturn Bernoulli(0.5) if x == 0 else 1"), Some(Code::ComparisonOfRandom));
}

#[test]
fn a_compared_variable_may_not_enter_linear_evidence() {
    let code = |body: &str| refused(&main(body)).first().map(|found| found.0);
    let body = "x, y = Normal(0, 1), Normal(0, 1)\ncondition(x > 1)\ncondition(x + y, 3)\nreturn y";
    assert_eq!(code(body), Some(Code::ComparisonOfRandom));
    let body = "x, y = Normal(0, 1), Normal(0, 1)\ncondition(x > 1)\ncondition(x + y > 1)\nreturn y";
    assert_eq!(code(body), Some(Code::ComparisonOfRandom));
}

#[test]
fn rounded_covariances() {
    let kernel = |size: usize, jitter: &str| {
        format!(
            "points = [i / 10 for i in range({size})]\n\
             cov = [[math.exp(-(a - b) ** 2 / 2) + ({jitter} if a == b else 0) for b in points] for a in points]\n\
             ys = MultivariateNormal([0.0] * {size}, cov)\n\
             condition(ys[0] + Normal(0, 0.01), 1.0)\n\
             return ys[5]"
        )
    };
    // Given y0 + noise = 1: mean k/(1 + v), with k = exp(-0.125).
    let k = (-0.125f64).exp();
    for (size, jitter) in [(50, "0"), (100, "0"), (50, "1e-9"), (100, "1e-9")] {
        let analysed = analysis(&main(&kernel(size, jitter)), false);
        let mean = analysed.secrets.get(0).posterior_mean;
        assert!((mean - k / 1.01).abs() < 1e-8, "{size} {jitter}: {mean}");
    }
    let body = "c = math.exp(-0.5)\nys = MultivariateNormal([0.0, 0.0], [[1.0, c], [c, 1.0]])\ncondition(ys[1], 1.0)\nreturn ys[1]";
    let analysed = analysis(&main(body), false);
    assert_eq!(analysed.secrets.get(0).posterior_mean, 1.0);
    assert_eq!(analysed.secrets.get(0).knowledge.posterior_variance, 0.0);
}

#[test]
fn events_of_a_mixture_are_answered_from_what_is_known_of_it() {
    // Given that x and noise of variance 2 add up to 2, x is N(1, 1) or N(3, 1), each as likely as before.
    let body = "b = Bernoulli(0.5)\nx = Normal(0, 2) if b else Normal(4, 2)\ncondition(x + Normal(0, 2), 2)\nreturn x";
    let request = Request {
        queries: ["P(x > 2)", "P(1 < x <= 2)", "P(x < 1)", "P(b)"].map(str::to_owned).to_vec(),
        ..Request::new("program.py", main(body))
    };
    let analysis = analyze(&request).unwrap_or_else(|refusal| panic!("{:?}", refusal.diagnostics));
    let after: Vec<f64> = analysis.answers.iter().map(|answer| answer.after.expect("seen")).collect();
    for (found, expected) in after.iter().zip([0.5, (PHI_2 - 0.5) / 2.0, 0.25 + (1.0 - PHI_2) / 2.0, 0.5]) {
        assert!((found - expected).abs() < 1e-14, "{after:?}");
    }
}
