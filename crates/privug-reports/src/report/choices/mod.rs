//! An analysis of a program with discrete choices, as text and as JSON, and its channels.

mod channel;
mod json;
mod text;

pub use channel::{channel_to_csv, channel_to_json, channel_to_text};
pub(super) use json::choices_document;
pub(super) use text::{no_outputs, output_text, to_text};
