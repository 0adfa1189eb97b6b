//! `privug explain`: the long words behind a diagnostic's code.

use std::process::ExitCode;

use privug::diagnostic::{ALL_CODES, Code};

use crate::{WRONG_USAGE, output};

/// Prints the explanation of one code, or a list of all.
pub fn explain(code: Option<&str>) -> ExitCode {
    match code {
        None => {
            let lines: Vec<String> =
                ALL_CODES.iter().map(|code| format!("{}  {}\n", code.id(), code.title())).collect();
            output::print(&lines.concat());
            ExitCode::SUCCESS
        }
        Some(id) => match Code::from_id(id) {
            Some(code) => {
                output::print(&format!("{}: {}\n\n{}\n", code.id(), code.title(), wrap(code.explanation())));
                ExitCode::SUCCESS
            }
            None => {
                output::print_error(&format!("error: there is no code `{id}`; `privug explain` lists them all\n"));
                ExitCode::from(WRONG_USAGE)
            }
        },
    }
}

/// Breaks a paragraph into lines.
fn wrap(text: &str) -> String {
    const WIDTH: usize = 90;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(word.to_owned());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines.join("\n")
}
