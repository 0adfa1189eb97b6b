//! Results for people and for programs: one file for each format.

mod json;
mod numbers;
pub mod plot;
mod text;

pub use json::to_json;
pub use numbers::{number, number_near};
pub use text::{Palette, to_text};
