//! The library builds its documentation without warnings. What the programs say of their arguments is help text, not documentation.

use super::Part;

pub const PART: Part = Part {
    name: "documentation",
    about: "cargo doc of the library, with warnings denied",
    run: |context| {
        let mut command = context.cargo(&["doc", "--locked", "--package", "privug", "--no-deps"]);
        context.run(command.env("RUSTDOCFLAGS", "-D warnings")).into()
    },
};
