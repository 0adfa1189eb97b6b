//! `docs/diagnostics.md`, from the table of codes.

use std::fmt::Write;

use privug::diagnostic::{ALL_CODES, Code};

/// The codes' families, by the digit behind the `P`.
const FAMILIES: &[(char, &str)] = &[
    ('0', "Files, functions and options"),
    ('1', "Syntax outside the language"),
    ('2', "Names and arguments"),
    ('3', "What does not stay Gaussian"),
    ('4', "Values"),
    ('5', "Observations"),
    ('6', "Limits"),
    ('7', "Questions, requirements, comparisons and audits"),
    ('8', "Tables"),
    ('9', "Functions that Python runs"),
];

/// The page.
pub fn page() -> String {
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
