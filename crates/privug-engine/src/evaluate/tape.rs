//! What a front end writes down while it runs a program itself: steps on numbers and random variables, in their order.
//!
//! Nothing is computed while a tape is recorded, so that one recording can be played back in doubles and, where they
//! cannot decide, again in exact rationals.

use dashu_int::IBig;

use super::Note;
use privug_language::program::{Binary, Builtin, CallShape, Comparison};
use privug_language::source::Span;

/// The result of a step, or one element of a vector that a step gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// The result of the step with this number.
    Value(u32),
    /// An element of it.
    Element(u32, u32),
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// An integer.
    Integer(IBig),
    /// A double; exact arithmetic reads its shortest decimal, so that 0.1 is 1/10.
    Float(f64),
    /// A numerator and a denominator other than 0.
    Ratio(IBig, IBig),
    /// A text.
    Text(String),
    /// A truth value.
    Boolean(bool),
    /// Nothing, or something that no step needs to know.
    Nothing,
    /// A vector of numbers.
    Numbers(Vec<f64>),
    /// A matrix of numbers, row by row.
    Matrix {
        /// How long a row is.
        columns: usize,
        /// All rows, one behind the other.
        numbers: Vec<f64>,
    },
    /// `left operator right`
    Binary(Binary, Recorded, Recorded),
    /// `-x`
    Negative(Recorded),
    /// `left < right` and the like, of a random variable and a number.
    Compare(Comparison, Recorded, Recorded),
    /// From here on the run is in the worlds in which the first has the value of the second, which the program was told.
    Assume(Recorded, Recorded),
    /// A call of a function of the language.
    Call(Builtin, CallShape, Vec<Recorded>),
    /// As many independent variables as `count` says; means and spreads are vectors of that length, or numbers.
    Normals {
        /// The means.
        mean: Recorded,
        /// The variances or standard deviations.
        spread: Recorded,
        /// Whether the spreads are standard deviations.
        is_std_dev: bool,
        /// How many.
        count: u32,
    },
    /// The elements of a vector at these positions.
    Pick(u32, Vec<u32>),
    /// A vector, list or tuple of values.
    Sequence(Vec<Recorded>),
    /// A dictionary.
    Dictionary(Vec<(Recorded, Recorded)>),
}

/// Steps and where in the program they were taken.
#[derive(Debug, Clone)]
pub struct Tape {
    pub(super) steps: Vec<Step>,
    pub(super) spans: Vec<Span>,
    /// Where the next steps are taken.
    pub span: Span,
}

impl Default for Tape {
    fn default() -> Self {
        Tape { steps: Vec::new(), spans: Vec::new(), span: Span::START }
    }
}

impl Tape {
    /// Adds a step and gives its number.
    pub fn push(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        self.spans.push(self.span);
        self.steps.len() as u32 - 1
    }

    /// All steps, in their order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Where a step was taken.
    pub fn span_of(&self, step: usize) -> Option<Span> {
        self.spans.get(step).copied()
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// A value that the front end has taken apart: its parts, each with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedValue {
    /// Its parts, in order.
    pub parts: Vec<NamedPart>,
    /// Where it comes from.
    pub span: Span,
}

/// A number, text, random variable or vector inside a value.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPart {
    /// The part.
    pub value: Recorded,
    /// What it is called.
    pub name: String,
    /// Where it is in the value, as in `[1]['men']`.
    pub path: String,
}

/// What a part of the published output was seen to be.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenValue {
    /// Which part, as in `[1]['men']` (empty for all of it).
    pub path: String,
    /// The value.
    pub value: Recorded,
    /// Where it was given.
    pub span: Span,
    /// The standard deviation of the noise it was seen through, and where that was given.
    pub std_dev: Option<(Recorded, Span)>,
}

/// A program's run, and what it is to be analysed for.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// What the program did.
    pub tape: Tape,
    /// What the attacker wants to know.
    pub secrets: Vec<NamedValue>,
    /// What the program published, if its result is not the secret itself.
    pub published: Option<NamedValue>,
    /// The values that the published output was seen to have.
    pub seen: Vec<SeenValue>,
    /// The expressions of questions, in their order.
    pub quantities: Vec<(Recorded, Span)>,
    /// What the front end has to say about the run.
    pub notes: Vec<Note>,
    /// How many of its first steps are those of the run before it.
    pub shared_steps: usize,
    /// Further runs of the same program, which was told other values of its choices; they have no others themselves.
    pub others: Vec<Recording>,
}
