//! The language: source text to a checked program, or to diagnostics that point at what is wrong.

pub mod diagnostic;
pub mod program;
pub mod question;
pub mod source;
pub mod syntax;
pub mod words;
