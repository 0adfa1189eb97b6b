//! Audits of discrete secrets: categories, yes or no, small integers.
//!
//! A release of such a secret is a set of sums over people of small integers ([`tallies`]). People whom nothing tells apart
//! are a class ([`classes`]); what the figures say about how many of a class have a value is followed figure by figure
//! ([`peel`]) and, where that ends, worked out by probabilities ([`solve`], [`nested`], [`walk`]). The rules of frequency tables look
//! at the published groups ([`groups`]), those about people at everybody's distribution ([`distributions`]).

mod assess;
mod classes;
mod distributions;
mod evidence;
mod figures;
mod groups;
mod measure;
mod medians;
mod middle;
mod mixtures;
mod nested;
mod order;
mod outcomes;
mod peel;
mod solve;
mod suppressed;
mod tallies;
mod unpublished;
mod walk;

pub(super) use assess::assess;
pub use distributions::{Certainty, Distribution, Distributions};
