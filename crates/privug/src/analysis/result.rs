//! What an analysis found, in doubles (and exact texts) that every front end can show.

use crate::evaluate::MechanismUse;
use crate::leakage::Knowledge;
use crate::source::{Sources, Span};

/// What the numbers were computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// Doubles, or exact rationals where doubles could not decide.
    Float,
    /// Exact rationals throughout.
    Exact,
}

impl Arithmetic {
    /// As in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Float => "float",
            Arithmetic::Exact => "exact",
        }
    }
}

/// Whether an observation told anything new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It did.
    Used,
    /// It follows from the earlier ones.
    Redundant,
}

impl Status {
    /// As in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Status::Used => "used",
            Status::Redundant => "redundant",
        }
    }
}

/// A secret, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct SecretResult {
    /// By its source text.
    pub name: String,
    /// What was and is known.
    pub knowledge: Knowledge,
    /// The posterior mean, rounded once.
    pub posterior_mean: f64,
    /// What each output adds to the reduction of the variance, after the earlier ones: (index among all outputs,
    /// reduction).
    pub reductions: Vec<(usize, f64)>,
    /// Covariance with each output alone: (index among all outputs, covariance).
    pub covariances: Vec<(usize, f64)>,
}

/// Something that was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationResult {
    /// By its source text.
    pub name: String,
    /// Where in the program.
    pub span: Span,
    /// Line of the program, from 1.
    pub line: usize,
    /// The value it was seen to have.
    pub value: f64,
    /// Variance of the noise it was seen through.
    pub noise_variance: f64,
    /// What the prior predicts.
    pub predicted_mean: f64,
    /// How uncertain the prior is about it, noise included.
    pub predicted_variance: f64,
    /// How many prior-predictive standard deviations the value is away from what the prior predicts.
    pub z: f64,
    /// Whether it told anything new.
    pub status: Status,
}

/// Something that will be published and has not been seen.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputResult {
    /// By its source text.
    pub name: String,
    /// Line of the program, from 1.
    pub line: usize,
    /// What the prior predicts.
    pub mean: f64,
    /// How uncertain the prior is about it.
    pub variance: f64,
    /// Whether it will tell anything new.
    pub status: Status,
}

/// The same numbers as texts such as `13/3`.
#[derive(Debug, Clone, PartialEq)]
pub struct ExactNumbers {
    /// Prior means.
    pub prior_mean: Vec<String>,
    /// Posterior means.
    pub mean: Vec<String>,
    /// Prior variances.
    pub prior_variance: Vec<String>,
    /// Posterior variances.
    pub variance: Vec<String>,
    /// Posterior covariances, if there are not too many secrets.
    pub covariance: Option<Vec<Vec<String>>>,
}

/// Covariances of the secrets, before and after, and their difference.
#[derive(Debug, Clone, PartialEq)]
pub struct CovarianceMatrices {
    /// Before.
    pub prior: Vec<Vec<f64>>,
    /// After.
    pub posterior: Vec<Vec<f64>>,
    /// Before minus after, without cancellation.
    pub reduction: Vec<Vec<f64>>,
}

/// What an analysis found.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The texts it was made of.
    pub sources: Sources,
    /// The program's path.
    pub path: String,
    /// The analysed function.
    pub function: String,
    /// What the numbers were computed in.
    pub arithmetic: Arithmetic,
    /// How many random variables the program made.
    pub variable_count: usize,
    /// The secrets.
    pub secrets: Vec<SecretResult>,
    /// Their covariances, if there are not too many.
    pub covariances: Option<CovarianceMatrices>,
    /// The same exactly, in exact arithmetic.
    pub exact: Option<ExactNumbers>,
    /// What was seen, in the order of the program.
    pub observations: Vec<ObservationResult>,
    /// What will be published and was not seen.
    pub outputs: Vec<OutputResult>,
    /// Logarithm of the density of what was seen.
    pub log_evidence_nats: f64,
    /// The privacy mechanisms that the program applied.
    pub mechanisms: Vec<MechanismUse>,
    /// What to be careful about, each a sentence.
    pub notes: Vec<String>,
}
