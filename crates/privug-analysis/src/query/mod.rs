//! Answers to questions about random variables, from the distributions of those that turned out to be random.

mod answer;

pub use answer::{Answer, Belief, Joint, Unanswerable, answer};
pub use privug_language::question::*;
