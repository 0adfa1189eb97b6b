//! The pages that are made from code: `docs/diagnostics.md` from the table of codes, the graph of imports in
//! `ARCHITECTURE.md`, and what `reproduce` computes.

use std::fmt::Write;

use privug::diagnostic::{ALL_CODES, Code};

use crate::context::Context;
use crate::parts::architecture;
use crate::reproduce;

const PATH: &str = "docs/diagnostics.md";

/// The codes' families, by the digit behind the `P`.
const FAMILIES: &[(char, &str)] = &[
    ('0', "Files, functions and options"),
    ('1', "Syntax outside of the language"),
    ('2', "Names and arguments"),
    ('3', "What does not stay Gaussian"),
    ('4', "Values"),
    ('5', "Observations"),
    ('6', "Limits"),
    ('7', "Questions, requirements, comparisons and audits"),
    ('8', "Tables"),
    ('9', "Functions that Python runs"),
];

/// Writes the pages.
pub fn write(context: &Context) -> Result<String, String> {
    let path = context.root.join(PATH);
    std::fs::write(path, diagnostics()).map_err(|error| format!("{PATH} cannot be written: {error}"))?;
    let page = architecture::page(&context.root)?;
    std::fs::write(context.root.join("ARCHITECTURE.md"), page)
        .map_err(|error| format!("ARCHITECTURE.md cannot be written: {error}"))?;
    Ok(format!("{PATH} and the graph in ARCHITECTURE.md are written"))
}

/// Tells whether the pages are what would be written.
pub fn check(context: &Context) -> Result<String, String> {
    let found = std::fs::read_to_string(context.root.join(PATH)).unwrap_or_default();
    if found != diagnostics() {
        return Err(format!("{PATH} is not what the code says; run `cargo xtask docs`"));
    }
    let found = std::fs::read_to_string(context.root.join(reproduce::PAGE)).unwrap_or_default();
    if found != reproduce::reproduce(context)?.page {
        return Err(format!("{} is not what the programs give; run `cargo xtask reproduce`", reproduce::PAGE));
    }
    Ok("all pages are up to date".to_owned())
}

fn diagnostics() -> String {
    let mut page = String::from(
        "<!-- Made from the table of codes by `cargo xtask docs`; do not edit. -->\n\n\
         # Diagnostics\n\n\
         What a program or its data can be refused for. `privug explain CODE` prints the same words. The codes never\n\
         change their meaning.\n",
    );
    let mut family = None;
    for code in ALL_CODES {
        let digit = code.id().chars().nth(1);
        if family != digit {
            family = digit;
            let title = FAMILIES.iter().find(|(known, _)| Some(*known) == digit).map_or("Others", |(_, title)| title);
            let _ = write!(page, "\n## {title}\n");
        }
        section(&mut page, *code);
    }
    page
}

fn section(page: &mut String, code: Code) {
    let explanation = code.explanation().split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = write!(page, "\n### {}: {}\n\n{explanation}\n", code.id(), code.title());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_on_the_page_in_a_family() {
        let page = diagnostics();
        assert!(ALL_CODES.iter().all(|code| page.contains(&format!("### {}: ", code.id()))));
        assert!(!page.contains("## Others"));
    }
}
