//! From files to releases: tables, the pandas part of the language, priors.

mod arithmetic;
mod categories;
mod documentation;
mod files;
mod frequencies;
mod lifting;
mod missing;
mod naive;
mod pages;
mod priors;
mod refused;
mod rounding;
mod rules;
mod support;
