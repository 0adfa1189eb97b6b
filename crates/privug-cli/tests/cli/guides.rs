//! What the guides show as printed is what the program prints.

use crate::run::{DEPARTMENT, privug, root};

const SURVEY: &str = "programs/choices/randomized_response.py";

#[test]
fn the_guides_show_what_the_program_prints() {
    for (page, first_line, arguments) in [
        ("choices.md", "What the attacker knows about smokes", &["analyze", SURVEY, "--secret", "smokes"][..]),
        ("choices.md", "P(answer | smokes)", &["channel", SURVEY, "--secret", "smokes"]),
        ("audit.md", "What discloses whom", DEPARTMENT),
    ] {
        let text = std::fs::read_to_string(root().join("docs").join(page)).expect("a page");
        let start = format!("```text\n{first_line}\n");
        let block = text.split(&start).nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
        let printed = privug(arguments).stdout;
        let shown = format!("{first_line}\n{}", block.trim_end());
        assert!(printed.contains(&shown), "docs/{page} shows\n{shown}\nand the program prints\n{printed}");
    }
}
