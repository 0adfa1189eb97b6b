//! Program to [`Model`]: runs the program on distributions instead of values.
//!
//! Everything deterministic is computed as Python would; every random variable becomes a node of the network, and
//! `condition` notes down what was observed. Nothing is conditioned here: no control flow depends on a random value,
//! so conditioning commutes with all that comes after it.

mod arithmetic;
mod arrays;
mod budget;
mod builder;
mod builtins;
mod callbacks;
mod called_figures;
mod calls;
mod certainty;
mod choices;
mod compare;
mod containers;
mod display;
mod exceptions;
mod fault;
mod frame;
mod heap;
mod iterators;
mod kept;
mod literals;
mod machine;
mod marked;
mod method_callbacks;
mod ndarray;
mod objects;
mod outcome;
mod quick;
mod random;
mod registers;
mod replay;
mod run;
mod running;
mod secrets;
mod special;
mod state;
mod statements;
mod steps;
mod tables;
mod tape;
mod text;
mod value;

pub use choices::{Answer, ChoiceModel, GaussianSeen, NamedChoice, OrderStatistic, Ordered, SumOfChoices};
#[doc(hidden)]
pub use display::represent;
pub use replay::replay;
pub use run::{Inputs, evaluate};
pub use secrets::{Names, Secrets};
pub use tables::{
    Belief, CountOf, Discrete, GroupMeans, GroupTable, Median, Published, PublishedCount, PublishedFigure, RowPair,
    SecretColumn, SecretValue, Skewed, Somebody, Unexamined, evaluate_release,
};
pub use tape::{NamedPart, NamedValue, Recorded, Recording, SeenValue, Step, Tape};

use crate::mechanism::Calibration;
use crate::network::{Affine, Network};
use privug_language::source::Span;

/// How much a program may use up.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Instructions, and elements that built-in functions go through.
    pub steps: u64,
    /// Random variables.
    pub variables: u64,
    /// Elements of lists, tuples, arrays and dictionaries, all together.
    pub elements: u64,
    /// Maximum depth of nested calls.
    pub depth: u32,
    /// Bits of an integer or an exact rational.
    pub number_bits: usize,
    /// Choices that a value may ask one after the other before it gets a choice of its own. It changes how long a run
    /// takes, and no answer.
    pub levels: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 200_000_000,
            variables: 50_000_000,
            elements: 50_000_000,
            depth: 1_000,
            number_bits: 1 << 20,
            levels: 24,
        }
    }
}

/// Something worth telling, with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The sentence.
    pub message: String,
    /// Where in the text.
    pub span: Span,
}

/// A random expression and what it is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<S> {
    /// By its source text.
    pub name: String,
    /// Where it comes from.
    pub span: Span,
    /// The expression.
    pub variable: Affine<S>,
}

/// Something the attacker gets to see.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence<S> {
    /// What is seen.
    pub seen: Named<S>,
    /// The value it is seen to have; `None` for an output that is published but was not given a value.
    pub value: Option<S>,
    /// Variance of the noise it is seen through, which is part of `seen` already.
    pub noise_variance: S,
}

/// A privacy mechanism that the program applied.
#[derive(Debug, Clone, PartialEq)]
pub struct MechanismUse {
    /// What it was applied to.
    pub name: String,
    /// Where.
    pub span: Span,
    /// How it was calibrated.
    pub calibration: Calibration,
}

/// What an expression of a question is.
#[derive(Debug, Clone, PartialEq)]
pub enum Quantity<S> {
    /// A random variable.
    Random(Affine<S>),
    /// A number.
    Number(S),
}

/// What a program says about the world.
#[derive(Debug)]
pub struct Model<S> {
    /// All random variables.
    pub network: Network<S>,
    /// The program's choices; with them, what is seen and what is to be known is found there.
    pub choices: Option<ChoiceModel<S>>,
    /// What is seen, in the order of the program.
    pub evidence: Vec<Evidence<S>>,
    /// What is to be known.
    pub secrets: Secrets<S>,
    /// The expressions of questions, in their order.
    pub quantities: Vec<Quantity<S>>,
    /// The differences of quantities that were asked for, where both are random.
    pub differences: Vec<Option<Affine<S>>>,
    /// The privacy mechanisms that were applied.
    pub mechanisms: Vec<MechanismUse>,
    /// What the program's author should hear.
    pub notes: Vec<Note>,
    /// Where floating point lost the certainty that exact arithmetic has.
    pub doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub rounded: Option<Span>,
    /// The same, or a number with too many digits, where conditioning takes it into account.
    pub known_rounded: Option<Span>,
}
