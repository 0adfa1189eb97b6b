//! Privug tells how much a data-analysis program reveals about the people in its data.

pub mod network;
pub mod number;
pub mod posterior;
pub mod source;
