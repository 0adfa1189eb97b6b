//! Evidence that the numbers are right: worked examples, the paper's rules, random programs, hostile texts.

mod cancellation;
mod case_study;
mod changed_seeds;
mod differential;
mod examples;
mod following;
mod hostile;
mod joint;
mod limits;
mod many;
mod metamorphic;
mod mutations;
mod rounded;
mod rules;
mod support;
