//! Tables: pandas' data frames, columns and groupings, kept column by column.
//!
//! A public column is a plain array; texts are numbers into a list of labels. The secret column is an array of random
//! variables in the attacker's run and of numbers in the real one. Filtering a frame picks rows and copies nothing:
//! a column is gathered when it is looked at.

pub(super) mod aggregate;
pub(super) mod alignment;
pub(super) mod applied;
pub(super) mod axes;
mod belief;
pub(super) mod bins;
pub(super) mod categories;
pub(super) mod changed;
pub(super) mod column;
pub(super) mod columns_method;
pub(super) mod counted;
pub(super) mod crosswise;
pub(super) mod dates;
pub(super) mod derived;
pub(super) mod describe;
pub(super) mod dicts;
pub(super) mod elementwise;
pub(super) mod figures;
pub(super) mod frame_method;
pub(super) mod frames;
pub(super) mod functions;
pub(super) mod gaps;
pub(super) mod grouped;
pub(super) mod grouping;
pub(super) mod groups_method;
mod index;
pub(super) mod joined;
mod layer;
pub(super) mod lookup;
pub(super) mod made;
pub(super) mod masks;
pub(super) mod merge;
pub(super) mod more;
pub(super) mod order;
mod other_rows;
pub(super) mod own;
mod pairing;
mod patterns;
pub(super) mod pivot;
mod possible;
pub(super) mod prior;
pub(super) mod public;
pub(super) mod publish;
mod published;
mod release;
pub(super) mod replace;
pub(super) mod reshape;
pub(super) mod results;
pub(super) mod rounding;
pub(super) mod running;
mod secret_columns;
pub(super) mod series_method;
pub(super) mod shape;
pub(super) mod skewed;
pub(super) mod slices;
mod structure;
pub(super) mod texts;
pub(super) mod whole;
pub(super) mod windows;

use std::rc::Rc;

pub(super) use axes::Axis;
pub use belief::{Belief, Discrete, Median, SecretValue, Skewed};
pub(super) use changed::assigned_column;
pub(super) use column::{Column, RandomColumn, Words};
pub use counted::CountOf;
pub(super) use counted::Counted;
pub use grouped::{GroupTable, RowPair, Somebody};
pub(super) use grouping::GroupBy;
pub(super) use index::{Index, Keys, Label, Level, label_text};
pub(super) use layer::TableLayer;
pub(super) use publish::Desk;
pub use published::{GroupMeans, Published, PublishedCount, PublishedFigure, SecretColumn, Unexamined};
pub use release::evaluate_release;
pub(super) use rounding::Roundings;

use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A way of looking at a table or a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accessor {
    /// `.loc`, `.at`
    Loc,
    /// `.iloc`, `.iat`
    Iloc,
    /// `.str`
    Text,
    /// `.dt`
    Date,
    /// `.rolling(n)`
    Window(windows::Window),
    /// `.describe()` of a secret column
    Described,
    /// A string in which several figures stand: a tuple of them
    Said,
    /// The time between two dates: the whole days
    Elapsed,
    /// What is not linear in the secret, or not a quotient, beside something that is
    Unknown,
}

impl Accessor {
    /// What a person calls it.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Accessor::Loc => "`.loc`",
            Accessor::Iloc => "`.iloc`",
            Accessor::Text => "`.str`",
            Accessor::Date => "`.dt`",
            Accessor::Window(_) => "a rolling window",
            Accessor::Described => "a description",
            Accessor::Said => "a string with figures in it",
            Accessor::Elapsed => "the time between two dates",
            Accessor::Unknown => "a value that is not computed here",
        }
    }
}

/// Something that is looked at in a way of its own.
#[derive(Debug)]
pub(super) struct Accessed<S> {
    pub(super) accessor: Accessor,
    pub(super) value: Value<S>,
}

impl<S> Accessed<S> {
    /// Whether it is what `.describe()` gives of a secret column.
    pub(super) fn is_description(&self) -> bool {
        self.accessor == Accessor::Described
    }

    /// The figures, if it is a string with several of them.
    pub(super) fn said(&self) -> Option<&Value<S>> {
        (self.accessor == Accessor::Said).then_some(&self.value)
    }
}

impl<S> Value<S> {
    /// The figure in a string that has only this one, and to which others may be added.
    fn only_figure(&self) -> Option<&Value<S>> {
        match self {
            Value::Loc(accessed) => accessed.said().filter(|said| !matches!(said, Value::Tuple(_))),
            _ => None,
        }
    }
}

/// A column on its own, with what its rows are called.
#[derive(Debug, Clone)]
pub(super) struct Series<S> {
    pub(super) name: Option<Rc<str>>,
    pub(super) column: Column<S>,
    pub(super) index: Index,
}

/// Several columns of the same rows.
#[derive(Debug, Clone)]
pub(super) struct Frame<S> {
    pub(super) index: Index,
    pub(super) columns: Vec<FrameColumn<S>>,
}

/// A column of a frame: an array and the rows of it that the frame has.
#[derive(Debug, Clone)]
pub(super) struct FrameColumn<S> {
    pub(super) label: Vec<Label>,
    pub(super) column: Column<S>,
    /// `None` for all of them.
    pub(super) rows: Option<Rc<Vec<u32>>>,
}

impl<S: Scalar> Series<S> {
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// What messages call it.
    pub(super) fn shown_name(&self) -> String {
        match &self.name {
            Some(name) => format!("the column `{name}`"),
            None => "a column".to_owned(),
        }
    }
}

impl<S: Scalar> Frame<S> {
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// The place of the column with a label.
    pub(super) fn position(&self, label: &[Label]) -> Option<usize> {
        self.columns.iter().position(|column| column.label == label)
    }
}

/// A vector operation costs less for each row than an instruction does.
const ROWS_PER_STEP: u64 = 8;
/// What an element of the budget stands for, as the limits page says.
const BYTES_PER_ELEMENT: u64 = 24;

/// Counts an operation that goes through so many rows.
pub(super) fn spend_rows<S: Scalar>(state: &mut State<S>, rows: usize) -> Outcome<()> {
    state.budget.spend_steps(rows as u64 / ROWS_PER_STEP + 1)?;
    state.budget.check_cancelled()
}

/// Counts the memory of a column before it is made.
pub(super) fn spend_bytes<S: Scalar>(state: &mut State<S>, bytes: usize) -> Outcome<()> {
    state.budget.spend_elements(bytes as u64 / BYTES_PER_ELEMENT + 1)
}

pub(super) fn new_frame<S: Scalar>(state: &mut State<S>, frame: Frame<S>) -> Outcome<Value<S>> {
    state.budget.spend_elements(2 * frame.columns.len() as u64 + 2)?;
    state.heap.frames.push(frame);
    Ok(Value::Frame(state.heap.frames.len() as u32 - 1))
}

pub(super) fn frame<S: Scalar>(state: &State<S>, handle: u32) -> &Frame<S> {
    &state.heap.frames[handle as usize]
}

/// Rows are chosen, grouped or ordered by something that the attacker does not know.
fn secret_decides(what: &str, name: &str) -> Box<Fault> {
    let message = format!("{what} by {name}, which is secret");
    let hint = "which rows belong together would be random; use columns that the attacker knows";
    Fault::hinted(Code::SecretDecides, message, hint)
}

/// Something that a table of groups cannot tell.
fn not_of_groups(what: &str) -> Box<Fault> {
    let message = format!("{what} cannot be computed from a table of groups, in which each row represents many people");
    let hint = "sums, means, counts and groupings can; or audit the table itself, person by person";
    Fault::hinted(Code::NotOfGroups, message, hint)
}

/// Something is done with weights of which only sums are known.
fn everybodys_own(what: &str) -> Box<Fault> {
    let message = format!("{what} needs individual weights, of which a table of groups contains only the sums");
    let hint = "individual weights can be multiplied by the secret and by numbers, and summed; for anything else bin the column, or audit person by person";
    Fault::hinted(Code::NotOfGroups, message, hint)
}

/// A statistic that is not linear in the secret.
pub(super) fn not_linear(what: &str) -> Box<Fault> {
    let message = format!("`.{what}()` of a secret column is not Gaussian");
    let hint = match what {
        "describe" => "ask for the linear part: `.agg([\"count\", \"mean\"])`",
        _ => "sums, means and weighted means of secrets can be audited exactly; remove this one",
    };
    Fault::hinted(Code::NonlinearFunction, message, hint)
}
