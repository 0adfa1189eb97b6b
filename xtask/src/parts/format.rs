//! The code is formatted.

use super::{Outcome, Part};
use crate::context::Context;

pub const PART: Part = Part { name: "format", about: "cargo fmt --check", run };

fn run(context: &Context) -> Outcome {
    if !context.has_cargo_command("fmt") {
        return Outcome::Skipped("rustfmt is not installed".to_owned());
    }
    context.run(&mut context.cargo(&["fmt", "--all", "--check"])).into()
}
