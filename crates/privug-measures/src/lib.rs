//! Measures of what was learned about a secret, each with its formula.

pub mod channel;
pub mod leakage;
