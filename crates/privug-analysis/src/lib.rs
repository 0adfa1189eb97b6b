//! Requests to results: analyses, comparisons, sweeps and audits of whole tables.

pub mod analysis;
pub mod audit;
pub mod compare;
mod driver;
pub mod forms;
pub mod query;
pub mod sweep;
