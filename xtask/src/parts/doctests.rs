//! The examples in the library's documentation run; nextest does not run them.

use super::tests::read_libtest;
use super::{Outcome, Part};
use crate::context::Context;

pub const PART: Part = Part { name: "doctests", about: "the examples in the library's documentation", run };

fn run(context: &Context) -> Outcome {
    let arguments = ["test", "--locked", "--release", "--workspace", "--doc", "--no-fail-fast"];
    match context.run_and_read(&mut context.cargo(&arguments)) {
        Ok(finished) => read_libtest(&finished.text).outcome(finished.succeeded, "the examples"),
        Err(reason) => Outcome::Failed(reason),
    }
}
