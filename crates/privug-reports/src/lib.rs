//! Results for people and for programs: text, JSON, plots, pages.

pub mod report;
