//! The pages that are made from code: the graph of imports in `ARCHITECTURE.md`, and those that the library's example `pages`
//! makes.

use crate::context::Context;
use crate::parts::architecture;

/// Writes the list of diagnostics, and the graph.
pub fn write(context: &Context) -> Result<(), String> {
    context.run(&mut example(context, "write", "diagnostics"))?;
    let page = architecture::page(&context.root)?;
    std::fs::write(context.root.join("ARCHITECTURE.md"), page)
        .map_err(|error| format!("ARCHITECTURE.md cannot be written: {error}"))
}

/// Computes the paper's examples, figures and tables anew.
pub fn reproduce(context: &Context) -> Result<(), String> {
    context.run(&mut example(context, "write", "reproduction"))
}

/// Tells whether the pages are what would be written.
pub fn check(context: &Context) -> Result<(), String> {
    context.run(&mut example(context, "check", "diagnostics"))?;
    context.run(&mut example(context, "check", "reproduction"))
}

fn example(context: &Context, verb: &str, page: &str) -> std::process::Command {
    context.cargo(&[
        "run",
        "--locked",
        "--release",
        "--quiet",
        "--package",
        "privug",
        "--example",
        "pages",
        "--",
        verb,
        page,
    ])
}
