//! Holding the floating-point result against exact rational arithmetic, on the same path through the program.

use super::choices::Belief;
use super::request::Request;
use super::result::Analysis;
use super::run::{analyze, analyze_again};
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::Span;

/// Larger differences than this are refused.
const ALLOWED: f64 = 1e-9;

/// The floating-point result, and how far it is from the exact one.
#[derive(Debug, Clone)]
pub struct Verification {
    /// The result in doubles.
    pub analysis: Analysis,
    /// The same in exact rationals.
    pub exact: Analysis,
    /// Largest difference of posterior means, in posterior standard deviations (relative to the mean where there is no
    /// deviation), beyond the last digit of a double.
    pub mean_difference: f64,
    /// Largest relative difference of posterior variances.
    pub variance_difference: f64,
    /// Largest difference of posterior covariances, relative to the product of the standard deviations.
    pub covariance_difference: f64,
}

/// Analyses a program in both arithmetics; refused if they disagree.
pub fn verify(request: &Request) -> Result<Verification, Refusal> {
    let analysis = analyze(&Request { exact: false, ..request.clone() })?;
    let exact = analyze_again(request)?;
    let mut verification =
        Verification { mean_difference: 0.0, variance_difference: 0.0, covariance_difference: 0.0, analysis, exact };
    verification.compare();
    let Verification { mean_difference, variance_difference, covariance_difference, .. } = verification;
    let worst = mean_difference.max(variance_difference).max(covariance_difference);
    if worst <= ALLOWED {
        return Ok(verification);
    }
    let span = Span { source: privug_language::source::SourceId(0), start: 0, end: 0 };
    let message = format!("the floating-point result is {worst:.1e} away from the exact one");
    let hint = "use `--exact`, and please report the program: this should not happen";
    let diagnostics = vec![Diagnostic::error(Code::VerificationFailed, span, message).hint(hint)];
    Err(Refusal { sources: verification.analysis.sources, diagnostics })
}

impl Verification {
    fn compare(&mut self) {
        if let (Some(float), Some(exact)) = (&self.analysis.choices, &self.exact.choices) {
            for (float, exact) in float.secrets.iter().zip(&exact.secrets) {
                let difference = belief_difference(&float.posterior, &exact.posterior)
                    .max(belief_difference(&float.prior, &exact.prior));
                self.mean_difference = self.mean_difference.max(difference);
            }
        }
        for (float, exact) in self.analysis.secrets.known().zip(self.exact.secrets.known()) {
            let (v, w) = (float.knowledge.posterior_variance, exact.knowledge.posterior_variance);
            self.variance_difference = self.variance_difference.max(relative(v, w, w));
            let (p, q) = (float.knowledge.variance_if_all_published, exact.knowledge.variance_if_all_published);
            self.variance_difference = self.variance_difference.max(relative(p, q, q));
            let scale = if w > 0.0 { w.sqrt() } else { exact.posterior_mean };
            let mean = beyond_last_digit(float.posterior_mean, exact.posterior_mean, scale);
            self.mean_difference = self.mean_difference.max(mean);
        }
        let (Some(float), Some(exact)) = (&self.analysis.covariances, &self.exact.covariances) else { return };
        for (i, (row, exact_row)) in float.posterior.iter().zip(&exact.posterior).enumerate() {
            for (j, (value, exact_value)) in row.iter().zip(exact_row).enumerate() {
                let scale = (exact.posterior[i][i] * exact.posterior[j][j]).sqrt();
                self.covariance_difference = self.covariance_difference.max(relative(*value, *exact_value, scale));
            }
        }
    }
}

/// The largest difference of probabilities, relative to them; infinite if different things are possible.
fn belief_difference(float: &Belief, exact: &Belief) -> f64 {
    match (float, exact) {
        (Belief::Discrete(float), Belief::Discrete(exact)) if float.len() == exact.len() => {
            let pairs = float.iter().zip(exact);
            let differences = pairs.map(|(f, e)| match f.value.number() == e.value.number() {
                true => relative(f.probability, e.probability, e.probability),
                false => f64::INFINITY,
            });
            differences.fold(0.0, f64::max)
        }
        (Belief::Mixture(float), Belief::Mixture(exact)) if float.len() == exact.len() => {
            let pairs = float.iter().zip(exact);
            let differences = pairs.map(|(f, e)| {
                let scale = if e.variance > 0.0 { e.variance.sqrt() } else { e.mean };
                relative(f.weight, e.weight, e.weight)
                    .max(relative(f.variance, e.variance, e.variance))
                    .max(beyond_last_digit(f.mean, e.mean, scale))
            });
            differences.fold(0.0, f64::max)
        }
        (Belief::Discrete(_) | Belief::Mixture(_), _) => f64::INFINITY,
    }
}

fn relative(value: f64, exact: f64, scale: f64) -> f64 {
    let difference = (value - exact).abs();
    if difference == 0.0 { 0.0 } else { difference / scale.abs() }
}

/// A mean of 1e9 with a deviation of 1e-6 has no double for its tenth digit: neighbouring doubles count as equal.
fn beyond_last_digit(value: f64, exact: f64, scale: f64) -> f64 {
    let last_digit = exact.abs() * f64::EPSILON;
    let difference = ((value - exact).abs() - last_digit).max(0.0);
    if difference == 0.0 { 0.0 } else { difference / scale.abs() }
}
