//! Auditing a whole table: every person, everything that is published.
//!
//! `lift` runs a pandas script twice, on the real values and on the attacker's random variables; the result is a
//! [`Release`]. Everything after that looks at a release only: posteriors of all people, disclosure rules, verdicts.

mod release;

pub use release::{Output, People, Release};
