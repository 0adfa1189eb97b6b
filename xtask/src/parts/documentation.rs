//! The documentation builds without warnings: no broken links.

use super::Part;

pub const PART: Part = Part {
    name: "documentation",
    about: "cargo doc, with warnings denied",
    run: |context| {
        let mut command = context.cargo(&["doc", "--locked", "--workspace", "--no-deps"]);
        context.run(command.env("RUSTDOCFLAGS", "-D warnings")).into()
    },
};
