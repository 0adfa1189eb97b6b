//! What a front end asks for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use privug_engine::evaluate::Limits;
use privug_engine::posterior;

/// A parameter of the analysed function and what it is bound to, as `name=expression`.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// The attacker's prior knowledge.
    Prior(String),
    /// A number, text or list.
    Set(String),
}

/// How much conditioning may use up.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkLimits {
    /// Coefficients kept at once.
    pub cells: u64,
    /// Multiplications.
    pub operations: u64,
}

impl Default for WorkLimits {
    fn default() -> Self {
        let options = posterior::Options::default();
        WorkLimits { cells: options.max_cells, operations: options.max_operations }
    }
}

/// What a guess of a discrete secret is worth to the attacker.
#[derive(Debug, Clone, PartialEq)]
pub enum GainRequest {
    /// An expression of `guess` and `secret`, such as `guess == secret`.
    Expression(String),
    /// A number for each guess and each value of the secret.
    Table(GainTable),
}

/// A table of gains.
#[derive(Debug, Clone, PartialEq)]
pub struct GainTable {
    /// Where it comes from.
    pub path: String,
    /// The values of the secret, as reports write them: one for each column.
    pub secrets: Vec<String>,
    /// For each guess, a gain for each of them.
    pub gains: Vec<Vec<f64>>,
}

/// One analysis: a program, what is known about its inputs, what was published, what is asked.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// What the program is called in messages, usually its path.
    pub path: String,
    /// The program's text.
    pub program: String,
    /// The function to analyse; without it, the only one or `main`.
    pub function: Option<String>,
    /// The parameters' values, in order; later ones may mention earlier ones.
    pub bindings: Vec<Binding>,
    /// What the attacker wants to know. Without any, what the function returns is the secret; with one, what it
    /// returns is the published output.
    pub secrets: Vec<String>,
    /// What was published, as `44`, `44±0.1` or `return[1]=3.5`.
    pub observations: Vec<String>,
    /// The true value of a secret, as `500_000` or `ages[0]=44`.
    pub truths: Vec<String>,
    /// What a guess of a discrete secret is worth.
    pub gain: Option<GainRequest>,
    /// How close a guess must be to count as right: a number, or a percentage of the truth such as `5%`.
    pub tolerance: Option<String>,
    /// The level of credible intervals; 0.95 if not given.
    pub level: Option<f64>,
    /// Questions, as `P(490_000 < x < 510_000)`.
    pub queries: Vec<String>,
    /// Requirements, as `mutual_information_bits <= 0.1`.
    pub requirements: Vec<String>,
    /// Compute in exact rationals.
    pub exact: bool,
    /// What running the program may use up.
    pub limits: Limits,
    /// What conditioning may use up.
    pub work: WorkLimits,
    /// Set from outside to stop the analysis.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Request {
    /// A request to analyse a program's text as it is.
    pub fn new(path: impl Into<String>, program: impl Into<String>) -> Self {
        Request { path: path.into(), program: program.into(), ..Request::default() }
    }
}
