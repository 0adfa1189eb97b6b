//! What an analysis found, in doubles (and exact texts) that every front end can show.

use std::sync::Arc;

use super::choices::Choices;
use super::notes::Note;
use super::prior::PriorCheck;
use super::secrets::Secrets;
use crate::query::Answer;
use privug_engine::evaluate::MechanismUse;
use privug_engine::mechanism;
use privug_language::source::{Sources, Span};
use privug_measures::channel::{CHANNEL_MEASURES, Method};
use privug_measures::leakage::{Knowledge, MEASURES, Measure, Measures, Reading};

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
    /// How much was learned.
    pub measures: Measures,
    /// The true value, if it was given.
    pub truth: Option<f64>,
    /// What each output tells about it, in the order of the program. Of very many secrets this is empty, and of many
    /// outputs those that tell nothing are left out.
    pub by_output: Vec<OutputLeak>,
}

/// What one output tells about one secret.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputLeak {
    /// The output's name.
    pub output: Arc<str>,
    /// Line of the program, from 1.
    pub line: usize,
    /// Mutual information of the secret and this output alone.
    pub alone_bits: f64,
    /// What it adds to the earlier ones; these add up to the mutual information with all outputs.
    pub added_bits: f64,
}

impl OutputLeak {
    /// Whether it tells anything.
    pub fn tells(&self) -> bool {
        self.alone_bits != 0.0 || self.added_bits != 0.0
    }
}

/// How much was learned about all secrets together.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMeasures {
    /// Mutual information between all secrets and all outputs, seen or not; `None` if it could not be found.
    pub mutual_information_bits: Option<f64>,
    /// Divergence of the joint posterior from the joint prior; `None` if it depends on values that were not seen.
    pub kl_posterior_prior_bits: Option<f64>,
    /// And the other way round.
    pub kl_prior_posterior_bits: Option<f64>,
}

/// Whether a requirement is met.
#[derive(Debug, Clone, PartialEq)]
pub struct RequirementResult {
    /// As it was written.
    pub text: String,
    /// The value that was compared: of several secrets the worst, of a value between bounds the worse end.
    pub value: f64,
    /// How it was obtained; `None` if it is not known.
    pub method: Option<Method>,
    /// What it was compared with.
    pub limit: f64,
    /// The secret that the value belongs to, for measures.
    pub secret: Option<String>,
    /// Whether it is met.
    pub holds: bool,
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
    /// Variances once all outputs are published.
    pub variance_if_published: Vec<String>,
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
    /// Once all outputs are published; `None` if all were seen.
    pub if_published: Option<Vec<Vec<f64>>>,
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
    /// How many random variables the program made, not counting sums and other expressions of them.
    pub variable_count: usize,
    /// What was found about a program with discrete choices, instead of the Gaussian secrets below.
    pub choices: Option<Choices>,
    /// The secrets.
    pub secrets: Secrets,
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
    /// Whether what was seen fits the prior.
    pub prior_check: PriorCheck,
    /// How much was learned about all secrets together, if there are several and not too many.
    pub joint: Option<JointMeasures>,
    /// The level of credible intervals.
    pub level: f64,
    /// The answers to the questions.
    pub answers: Vec<Answer>,
    /// The requirements, met or not.
    pub requirements: Vec<RequirementResult>,
    /// The privacy mechanisms that the program applied.
    pub mechanisms: Vec<MechanismUse>,
    /// What to be careful about, each a sentence.
    pub notes: Vec<Note>,
}

/// The guarantee of all mechanisms of a program together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Composition {
    /// μ of Gaussian differential privacy, √Σμᵢ².
    pub mu_gdp: f64,
    /// ρ of zero-concentrated differential privacy, Σρᵢ.
    pub rho_zcdp: f64,
    /// The largest δ of the mechanisms.
    pub delta: f64,
    /// The ε that goes with it.
    pub epsilon: f64,
}

impl Analysis {
    /// The analysis of a program with choices.
    #[expect(clippy::too_many_arguments, reason = "what a report is made of, each once")]
    pub(super) fn of_choices(
        sources: &Sources,
        path: &str,
        function: &str,
        choices: Choices,
        (answers, requirements, notes): (Vec<Answer>, Vec<RequirementResult>, Vec<Note>),
        (arithmetic, level, log_evidence_nats): (Arithmetic, f64, f64),
        variable_count: usize,
        mechanisms: Vec<MechanismUse>,
    ) -> Self {
        Analysis {
            sources: sources.clone(),
            path: path.to_owned(),
            function: function.to_owned(),
            arithmetic,
            variable_count,
            choices: Some(choices),
            secrets: Secrets::from(Vec::new()),
            covariances: None,
            exact: None,
            observations: Vec::new(),
            outputs: Vec::new(),
            log_evidence_nats,
            prior_check: PriorCheck::default(),
            joint: None,
            level,
            answers,
            requirements,
            mechanisms,
            notes,
        }
    }

    /// What the mechanisms guarantee together, if there are several.
    pub fn composition(&self) -> Option<Composition> {
        if self.mechanisms.len() < 2 {
            return None;
        }
        let calibrations: Vec<_> = self.mechanisms.iter().map(|applied| applied.calibration).collect();
        let mus: Vec<f64> = calibrations.iter().map(|calibration| calibration.mu_gdp).collect();
        let rhos: Vec<f64> = calibrations.iter().map(|calibration| calibration.rho_zcdp).collect();
        let delta = calibrations.iter().map(|calibration| calibration.delta).fold(0.0, f64::max);
        let mu_gdp = mechanism::compose_gdp(&mus);
        let epsilon = mechanism::epsilon_of_gdp(delta, mu_gdp);
        Some(Composition { mu_gdp, rho_zcdp: mechanism::compose_zcdp(&rhos), delta, epsilon })
    }

    /// Whether outputs that were not seen will tell more about some secret: then measures are as if they were published.
    pub fn is_open(&self) -> bool {
        let of_choices = self.choices.as_ref().is_some_and(|choices| choices.is_open);
        of_choices || self.secrets.known().any(|known| known.knowledge.is_open())
    }

    /// How many secrets there are, of whatever kind.
    pub fn secret_count(&self) -> usize {
        self.choices.as_ref().map_or_else(|| self.secrets.len(), |choices| choices.secrets.len())
    }

    /// Their names.
    pub fn secret_names(&self) -> Vec<String> {
        match &self.choices {
            Some(choices) => choices.secrets.iter().map(|secret| secret.name.clone()).collect(),
            None => self.secrets.names().map(|name| name.into_owned()).collect(),
        }
    }

    /// The measures that its secrets have.
    pub fn measures(&self) -> &'static [Measure] {
        if self.choices.is_some() { CHANNEL_MEASURES } else { MEASURES }
    }

    /// A measure of one secret, by its name.
    pub fn reading(&self, secret: usize, name: &str) -> Reading {
        match &self.choices {
            Some(choices) => match choices.secrets[secret].measures().get(name) {
                Some((value, _)) => Reading::Value(value),
                None if name.starts_with("truth_") && choices.secrets[secret].truth.is_none() => Reading::NeedsTruth,
                None => Reading::Unknown,
            },
            None => match Measure::named(name) {
                Some(measure) => measure.read(&self.secrets.get(secret).measures),
                None => Reading::Unknown,
            },
        }
    }

    /// Between which numbers a measure of a secret lies, where that is all that is proven of it. The reading is the larger one.
    pub fn bounds(&self, secret: usize, name: &str) -> Option<(f64, f64)> {
        match self.choices.as_ref()?.secrets[secret].measures().get(name)? {
            (_, Method::Certified { low, high }) => Some((low, high)),
            (_, Method::Exact) => None,
        }
    }

    /// Whether every requirement is met.
    pub fn meets_requirements(&self) -> bool {
        self.requirements.iter().all(|requirement| requirement.holds)
    }
}
