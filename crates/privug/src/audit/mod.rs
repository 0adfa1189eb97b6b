//! Auditing a whole table: every person, everything that is published.
//!
//! [`lift`] runs a pandas script twice, on the real values and on the attacker's random variables; the result is a
//! [`Release`]. Everything after that looks at a release only: posteriors of all people, disclosure rules, verdicts.

mod lift;
mod release;

pub use lift::{Input, lift};
pub use release::{Output, People, Release};
