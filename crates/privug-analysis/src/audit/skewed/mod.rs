//! Secrets whose prior is skewed, bounded or as the data are: everybody's posterior, with bounds.
//!
//! People are independent, so that figures about disjoint groups tell nothing about each other's people: `groups` reduces what is
//! published to sums of disjoint groups, `measure` asks the engine what each sum tells about its people, and `brackets` keeps that.

mod brackets;
mod groups;
mod measure;

pub use brackets::{Bracket, Brackets};
pub(super) use measure::{Around, disjoint_groups, laws_of, measure};
