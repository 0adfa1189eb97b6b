//! How numbers and names are written for people.

mod numbers;

pub use numbers::{number, number_near};
