//! How numbers, shares and long texts are written for people.

mod numbers;
mod shares;
mod shortened;

pub use numbers::{number, number_near, three_digits};
pub use shares::percent;
pub use shortened::shortened;
