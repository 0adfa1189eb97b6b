//! An audit for people and for programs: text, JSON, a table with everybody, a plot.

mod advice;
mod distribution;
mod groups;
mod json;
mod people;
mod reasons;
mod text;
mod words;

pub(in crate::report) use advice::{behind_figures, next_steps, whose_verdict, why};
pub(in crate::report) use distribution::Distribution;
pub use distribution::audit_plot;
pub use groups::{write_groups_csv, write_groups_parquet};
pub use json::audit_to_json;
pub use people::{PeopleWriter, write_people_csv, write_people_parquet};
pub use reasons::{derivation_sentence, reason_sentence};
pub use text::audit_to_text;
pub(in crate::report) use words::{
    estimate, implied, list, near_truth, near_words, people_behind, percent, posterior, prior, published, rules,
    support_words,
};
