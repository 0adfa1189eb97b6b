//! The README's commands do what it says: each ends well or with the exit code it names, and prints what the block behind
//! it shows.

use super::{Outcome, Part, Tally};
use crate::context::Context;

pub const PART: Part = Part { name: "readme", about: "the README's commands, and what it says they print", run };

/// A command of the README, and what it is said to print.
#[derive(Debug, PartialEq)]
struct Promise {
    command: String,
    output: Option<String>,
}

fn run(context: &Context) -> Outcome {
    let text = match std::fs::read_to_string(context.root.join("README.md")) {
        Ok(text) => text,
        Err(error) => return Outcome::Failed(format!("README.md cannot be read: {error}")),
    };
    let mut tally = Tally::default();
    // This very command cannot run inside itself.
    for promise in promises(&text).iter().filter(|promise| !promise.command.starts_with("cargo xtask test")) {
        println!("$ {}", promise.command);
        match keep(context, promise) {
            Ok(()) => tally.passed += 1,
            Err(reason) => {
                println!("{reason}");
                tally.failed += 1;
            }
        }
    }
    tally.outcome(tally.failed == 0, "README.md")
}

fn keep(context: &Context, promise: &Promise) -> Result<(), String> {
    let output = context.command("sh").args(["-c", &promise.command]).output().map_err(|error| error.to_string())?;
    if output.status.code() != Some(exit_code(&promise.command)) {
        return Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    match &promise.output {
        Some(expected) if printed.trim_end() != expected.trim_end() => {
            Err(format!("it prints something else than the README says:\n{printed}"))
        }
        _ => Ok(()),
    }
}

/// What a command is said to end with: `privug audit … # exit code 4`, else 0.
fn exit_code(command: &str) -> i32 {
    let behind = command.rsplit_once("# exit code ").map(|(_, behind)| behind);
    behind.and_then(|words| words.split([' ', ':']).next()?.parse().ok()).unwrap_or(0)
}

/// The commands of all `sh` blocks; a `text` block right behind one is what its last command prints.
fn promises(text: &str) -> Vec<Promise> {
    let mut promises: Vec<Promise> = Vec::new();
    let mut lines = text.lines();
    let mut last_was_command = false;
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            last_was_command &= line.is_empty();
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match kind {
            "sh" => {
                let commands = block.join("\n").replace("\\\n", " ");
                let commands = commands.lines().map(str::trim).filter(|line| !line.is_empty());
                promises.extend(commands.map(|command| Promise { command: command.to_owned(), output: None }));
                last_was_command = true;
            }
            _ => {
                if let Some(promise) = promises.last_mut().filter(|_| kind == "text" && last_was_command) {
                    promise.output = Some(block.join("\n"));
                }
                last_was_command = false;
            }
        }
    }
    promises
}

#[cfg(test)]
mod reading {
    use super::*;

    #[test]
    fn commands_and_what_they_print_are_found() {
        let text =
            "# A\n\n```sh\nprivug a \\\n  b\nprivug c\n```\n\n```text\nout\nput\n```\n\nwords\n\n```text\nno\n```\n";
        let found = promises(text);
        assert_eq!(found.len(), 2);
        assert_eq!((exit_code("privug audit a.py  # exit code 4: review"), exit_code("privug check a.py")), (4, 0));
        assert_eq!(found[0].command.split_whitespace().collect::<Vec<_>>(), ["privug", "a", "b"]);
        assert_eq!(found[1], Promise { command: "privug c".to_owned(), output: Some("out\nput".to_owned()) });
    }
}
