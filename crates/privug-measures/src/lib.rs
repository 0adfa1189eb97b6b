//! Measures of what was learned about a secret, each with its formula.

pub mod leakage;
