//! Clippy and the compiler have nothing to say.

use super::{Outcome, Part};
use crate::context::Context;

pub const PART: Part = Part { name: "lints", about: "cargo clippy, with warnings denied", run };

fn run(context: &Context) -> Outcome {
    if !context.has_cargo_command("clippy") {
        return Outcome::Skipped("clippy is not installed".to_owned());
    }
    let arguments = ["clippy", "--locked", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"];
    context.run(&mut context.cargo(&arguments)).into()
}
