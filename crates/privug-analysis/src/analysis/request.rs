//! What a front end asks for: values, and source text where it is the language's own.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use privug_engine::evaluate::Limits;
use privug_engine::posterior;
use privug_language::program::Given;
use privug_language::question::Bound;

/// An expression of the language as somebody wrote it: a part of a text, so that messages can point into all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// All of the text, such as `return[1]=3.5±0.1`.
    pub text: String,
    /// The bytes that are the expression.
    pub part: Range<usize>,
}

/// A value: an expression of the language, or a number as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// Source text.
    Source(Written),
    /// A value that needs no reading.
    Value(Given),
}

/// A parameter of the analysed function and what it is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The parameter.
    pub name: String,
    /// What the binding is.
    pub kind: BindingKind,
    /// What it is bound to.
    pub value: Operand,
}

/// What a binding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    /// The attacker's prior knowledge.
    Prior,
    /// A number, text or list.
    Set,
    /// A number that runs through a range, at one of its values.
    Swept,
}

/// A published value.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// Which part of the result, as `[1]['men']`; empty for all of it.
    pub path: String,
    /// Its value.
    pub value: Operand,
    /// The standard deviation of the noise that it was published with.
    pub std: Option<Operand>,
}

/// The true value of a secret.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    /// Which secret; the only one if not given.
    pub secret: Option<String>,
    /// Its value.
    pub value: Operand,
}

/// How close a guess must be to count as right: a positive number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// In the secret's own unit.
    Absolute(f64),
    /// In percent of the truth.
    Percent(f64),
}

/// A requirement on a release.
#[derive(Debug, Clone, PartialEq)]
pub enum Required {
    /// Source text, such as `P(x > 3) <= 0.2`.
    Source(String),
    /// A bound on a measure.
    Measure {
        /// The measure's name.
        measure: String,
        /// How it is bounded.
        bound: Bound,
        /// By what.
        limit: f64,
    },
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
///
/// Numbers are values. Texts are expressions of the language: the program, priors, secrets, questions. Front ends that are
/// given text for anything else read it with [`Binding::read`], [`Observed::read`], [`Truth::read`], [`Tolerance::read`].
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
    /// What was published.
    pub observations: Vec<Observed>,
    /// The true values of secrets.
    pub truths: Vec<Truth>,
    /// What a guess of a discrete secret is worth.
    pub gain: Option<GainRequest>,
    /// How close a guess must be to count as right.
    pub tolerance: Option<Tolerance>,
    /// The level of credible intervals; 0.95 if not given.
    pub level: Option<f64>,
    /// Questions, as `P(490_000 < x < 510_000)`.
    pub queries: Vec<String>,
    /// Requirements on what is revealed.
    pub requirements: Vec<Required>,
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
