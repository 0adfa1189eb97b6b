//! The pages that are made from code and programs: `cargo xtask docs` and `cargo xtask reproduce` run this.
//!
//! Usage: `pages write|check diagnostics|reproduction`, in the repository's root.

mod diagnostics;
mod reproduction;

use std::path::Path;
use std::process::ExitCode;

/// A page or a figure, and where it stands.
struct File {
    path: &'static str,
    contents: String,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        [verb @ ("write" | "check"), "diagnostics"] => {
            each(verb, vec![File { path: "docs/diagnostics.md", contents: diagnostics::page() }])
        }
        [verb @ ("write" | "check"), "reproduction"] => reproduction::files().and_then(|files| each(verb, files)),
        _ => Err("usage: pages write|check diagnostics|reproduction".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn each(verb: &str, files: Vec<File>) -> Result<(), String> {
    for File { path, contents } in files {
        if verb == "check" {
            if std::fs::read_to_string(path).unwrap_or_default() != contents {
                return Err(format!(
                    "{path} is not what the code says; run `cargo xtask docs` and `cargo xtask reproduce`"
                ));
            }
            continue;
        }
        if let Some(folder) = Path::new(path).parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{path}: {error}"))?;
        }
        std::fs::write(path, contents).map_err(|error| format!("{path} cannot be written: {error}"))?;
        println!("{path} is written");
    }
    Ok(())
}
