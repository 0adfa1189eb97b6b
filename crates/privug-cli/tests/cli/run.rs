//! Running the real program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The audit of a department: two harmless means disclose the head's salary.
pub const DEPARTMENT: &[&str] = &[
    "audit",
    "programs/audit/department.py",
    "--table",
    "staff=programs/audit/department.csv",
    "--secret",
    "staff.salary",
    "--person",
    "name",
    "--prior",
    "Normal(mean=60_000, std=15_000)",
];

/// What a run left behind.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }
}

impl Run {
    /// The JSON document on stdout.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON ({error}):\n{}\n{}", self.stdout, self.stderr))
    }

    /// The codes of the diagnostics in the JSON document on stdout.
    pub fn codes(&self) -> Vec<String> {
        let document = self.json();
        let diagnostics = document["diagnostics"].as_array().unwrap_or_else(|| panic!("accepted: {document}")).clone();
        diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().expect("a code").to_owned()).collect()
    }
}

/// The root of the repository, where programs are named as the README names them.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The program with its arguments, started in the repository's root.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_privug"));
    command.args(arguments).current_dir(root()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the program to its end.
pub fn privug(arguments: &[&str]) -> Run {
    command(arguments).stdin(Stdio::null()).output().expect("privug starts").into()
}

/// Runs the program with a text on its standard input.
pub fn privug_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut command = command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("privug starts");
    // A program that is refused early need not read its input to the end.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("privug ends").into()
}

/// All Python files in a folder and below, in order.
pub fn python_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(python_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
    files.sort();
    files
}
