//! The library builds its documentation without warnings. What the programs say of their arguments is help text, not documentation.

use super::Part;

pub const PART: Part = Part {
    name: "documentation",
    about: "cargo doc of the library, with warnings denied",
    run: |context| {
        // Not the program, whose help texts are not meant for rustdoc.
        let arguments =
            ["doc", "--locked", "--release", "--workspace", "--exclude", "privug-cli", "--lib", "--no-deps"];
        let mut command = context.cargo(&arguments);
        context.run(command.env("RUSTDOCFLAGS", "-D warnings")).into()
    },
};
