//! The `privug` program from outside: arguments and files in, exit code and printed text out.

mod audit;
mod bounded;
mod choices;
mod corpus;
mod explain;
mod files;
mod frequencies;
mod guides;
mod header;
mod internal;
mod json;
mod language;
mod many;
mod mistakes;
mod plots;
mod programs;
mod published;
mod questions;
mod refused;
mod registers;
mod report;
mod run;
mod skewed;
mod sweeps;
