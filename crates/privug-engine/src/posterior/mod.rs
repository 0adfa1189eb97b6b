//! Exact Bayesian conditioning: from a network and published figures to what is known afterwards.
//!
//! Every random variable of a linear Gaussian network is a mean plus a weighted sum of independent noises, a *row*.
//! Conditioning is geometry on rows in the inner product ⟨a, b⟩ = covariance:
//!
//! 1. `sweep` finds the row of each observation and target, `groups` merges sources that all observations see alike,
//!    `units` brings rows into the range of doubles;
//! 2. `factor` factors the covariances of the observations in order, so that each adds what the earlier ones did not
//!    tell: one algorithm, over exact rationals, pairs of doubles and, to know zero when it sees it, residues;
//! 3. `projector` decides with it what is redundant or disclosed, `learn` takes in the observed values;
//! 4. `outcome` and `covariance` say what is then known about the targets, `joint` what is told about all of them
//!    together; `survey` looks at millions, and `large` factors very many observations in blocks.
//!
//! `poll` keeps all of it within its limits, also where several processors share the work.
//!
//! In rounded arithmetic every decision (is this observation redundant? is this target disclosed?) is either certain
//! or refused ([`Refusal::Doubtful`], [`Refusal::OutOfRange`]); the same program in exact rationals has no doubts.

mod condition;
mod covariance;
mod descending;
mod factor;
mod groups;
mod joint;
mod ladder;
mod large;
mod learn;
mod marginals;
mod outcome;
mod parts;
mod poll;
mod profile;
mod projector;
mod range;
mod residue;
mod row;
mod spreads;
mod surprise;
mod survey;
mod sweep;
#[cfg(test)]
mod tests;
mod units;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::network::Affine;

pub use condition::condition;
pub use joint::{Channel, channel};
pub use learn::Prepared;
pub use marginals::{Marginals, Spread};
pub use range::natural_logarithm;
pub use surprise::Surprise;
pub use survey::{Prediction, Survey, explain, survey, survey_prepared};

/// One published figure: an affine expression of the network and, if it was seen, the value it was seen to have.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation<S> {
    /// What was published.
    pub variable: Affine<S>,
    /// Its value, exactly; `None` for a figure that will be published.
    pub value: Option<S>,
}

/// Limits and tolerances of [`condition`].
#[derive(Debug, Clone)]
pub struct Options {
    /// How many coefficients may be kept at once; each takes at most about 40 bytes in doubles.
    pub max_cells: u64,
    /// How many multiplications may be done; a minute or two of them. One of long rationals counts as several.
    pub max_operations: u64,
    /// Stops the computation soon after it becomes true.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// How far a redundant value may be from the one that the others imply, in units in the last place of a double of
    /// the numbers involved. `None`: 64 in doubles, and 0 in exact arithmetic. A program whose literals are doubles
    /// needs `Some(64.0)` when it runs again in exact arithmetic, because its values were rounded.
    pub value_tolerance_ulps: Option<f64>,
    /// How far a posterior mean may be off, in posterior standard deviations: 2⁻³⁰ unless told otherwise. Where it could be
    /// more, and by more than the last digits of a double, doubles are in doubt.
    pub mean_tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_cells: 80_000_000,
            max_operations: 20_000_000_000,
            cancelled: None,
            value_tolerance_ulps: None,
            mean_tolerance: outcome::MEAN_TOLERANCE,
        }
    }
}

/// What is known about the targets, before and after the observations.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior<S> {
    /// One for each observation, in the order given.
    pub observations: Vec<ObservationOutcome<S>>,
    /// The logarithm of the density of the observed values: Σ −½·(ln 2πd + innovation²/d) over those used.
    pub log_evidence_nats: f64,
    /// A bound on the error of that logarithm.
    pub log_evidence_error: f64,
    /// One for each target, in the order given.
    pub targets: Vec<TargetOutcome<S>>,
    /// Covariances of the targets, if there are at most [`MAX_COVARIANCE_TARGETS`].
    pub covariances: Option<Covariances<S>>,
}

/// With more targets than this, only their variances are computed.
pub const MAX_COVARIANCE_TARGETS: usize = 1000;

/// One observation, as the prior saw it and as the earlier observations saw it.
///
/// Observations with a value come first, in the order given, then those without.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationOutcome<S> {
    /// Mean before anything was observed.
    pub predicted_mean: S,
    /// Variance before anything was observed.
    pub predicted_variance: S,
    /// Whether it told anything new.
    pub status: Status<S>,
}

/// Whether an observation told anything that the earlier ones did not.
#[derive(Debug, Clone, PartialEq)]
pub enum Status<S> {
    /// It did.
    Used {
        /// Value minus the mean given the earlier observations; `None` without a value.
        innovation: Option<S>,
        /// d, its variance given the earlier observations.
        innovation_variance: S,
    },
    /// The earlier ones (or the prior alone) already determine it; its value agrees with them.
    Redundant,
}

/// One target before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetOutcome<S> {
    /// Mean before anything was observed.
    pub prior_mean: S,
    /// Variance before anything was observed.
    pub prior_variance: S,
    /// Mean given the observed values.
    pub posterior_mean: S,
    /// What rounding took from the two means: theirs are these digits more.
    pub mean_rests: [f64; 2],
    /// Posterior minus prior mean, accurate also where the two are close.
    pub mean_shift: S,
    /// Variance given the observed values; exactly 0 if they determine the target.
    pub posterior_variance: S,
    /// Prior minus posterior variance, accurate also where the two are close.
    pub variance_reduction: S,
    /// Variance given all observations, also those without a value.
    pub variance_if_all_published: S,
    /// Prior variance minus that, accurate also where the two are close.
    pub reduction_if_all_published: S,
    /// Whether the observed values determine a target that the prior did not.
    pub fully_disclosed: bool,
    /// Whether all observations together do.
    pub fully_disclosed_if_all_published: bool,
    /// What each used observation adds to the reduction, in the order in which they were used (those with a value
    /// first): (index of the observation, ⟨t, q⟩²/⟨q, q⟩). Those that add nothing are left out.
    pub reductions: Vec<(usize, S)>,
    /// What each used observation that was seen is multiplied by in the posterior mean,
    ///
    /// ```text
    /// posterior mean = prior mean + Σ weight·(value − predicted mean)
    /// ```
    ///
    /// (index of the observation, weight), ascending; those of weight 0 are left out. Of a disclosed target, this is the
    /// combination of published figures that discloses it.
    pub weights: Vec<(usize, f64)>,
    /// The covariance with each observation alone, under the prior: (index of the observation, covariance), ascending;
    /// those that share no randomness with the target are left out.
    pub covariances_alone: Vec<(usize, S)>,
    /// The variance that each of these would leave if it alone were seen.
    pub variances_left_alone: Vec<(usize, S)>,
}

/// Covariances between targets, each a list of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariances<S> {
    /// Before anything was observed.
    pub prior: Vec<Vec<S>>,
    /// Given the observed values.
    pub posterior: Vec<Vec<S>>,
    /// Prior minus posterior.
    pub reduction: Vec<Vec<S>>,
    /// Given all observations, also those without a value; `None` if all have one.
    pub if_all_published: Option<Vec<Vec<S>>>,
}

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The observation with this index.
    Observation(usize),
    /// The target with this index.
    Target(usize),
}

/// What there may be too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Numbers in memory; see [`Options::max_cells`].
    Cells,
    /// Multiplications; see [`Options::max_operations`].
    Operations,
}

/// Why there is no posterior.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal<S> {
    /// The earlier observations (or the prior alone) imply another value.
    Contradiction {
        /// Index of the observation.
        observation: usize,
        /// The only value it could have.
        implied: S,
        /// The value it was given.
        given: S,
    },
    /// The rounding of the program's numbers decides; exact arithmetic would know.
    Doubtful {
        /// The observation or target that could not be decided.
        subject: Subject,
    },
    /// A number is too large or too small for doubles; exact arithmetic has no such limits.
    OutOfRange {
        /// The observation or target at fault.
        subject: Subject,
    },
    /// The options' limits were reached.
    TooLarge {
        /// What there was too much of.
        resource: Resource,
        /// How much was needed up to there (more would have been).
        needed: f64,
        /// The limit.
        limit: f64,
    },
    /// [`Options::cancelled`] became true.
    Cancelled,
}
