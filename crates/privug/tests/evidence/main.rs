//! Evidence that the numbers are right: worked examples, the paper's rules, random programs, hostile texts.

mod case_study;
mod differential;
mod examples;
mod rules;
mod support;
