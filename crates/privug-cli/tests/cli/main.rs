//! The `privug` program from outside: arguments and files in, exit code and printed text out.

mod explain;
mod files;
mod header;
mod json;
mod language;
mod programs;
mod refused;
mod report;
mod run;
