//! The one way through the stages: compile once, run in doubles, escalate to rationals, say why there is no result.
//!
//! Analyses, recordings, sweeps, comparisons and audits all go through here. Each of them is a piece of [`Work`] that can
//! be run in either arithmetic; [`decide`] chooses which.

mod compile;
mod escalate;
mod explain;
mod stack;

pub(crate) use compile::{Language, Texts};
pub(crate) use escalate::{Failure, Pass, UNDECIDED, VALUE_TOLERANCE_ULPS, Work, decide};
pub(crate) use explain::{Conditioned, explain};
pub(crate) use stack::on_large_stack;
