//! Privug tells how much a data-analysis program reveals about the people in its data.

pub mod analysis;
pub mod compare;
pub mod diagnostic;
pub mod evaluate;
pub mod leakage;
pub mod mechanism;
pub mod network;
pub mod number;
pub mod posterior;
pub mod program;
pub mod query;
pub mod report;
pub mod source;
pub mod sweep;
pub mod syntax;
