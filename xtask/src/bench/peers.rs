//! The peers: Python packages in a virtual environment under `target/`, and what else is found on the machine.

use std::path::PathBuf;
use std::process::Command;

use crate::context::Context;

/// What the programs are held against.
pub struct Peers {
    /// The environment's Python; `None` if there is none.
    pub python: Option<PathBuf>,
    /// Packages and programs with their versions.
    pub found: Vec<(String, String)>,
    /// What is missing, and why.
    pub missing: Vec<(String, String)>,
}

/// Packages, and whether a quick run needs them. CHOLMOD comes with scikit-sparse, which must be compiled, or with cvxopt.
const PACKAGES: [(&str, bool); 7] = [
    ("numpy", true),
    ("scipy", true),
    ("pandas", true),
    ("scikit-sparse", false),
    ("cvxopt", true),
    ("pymc", false),
    ("nutpie", false),
];

impl Peers {
    /// Finds the peers, and installs those that can be.
    pub fn install(context: &Context, quick: bool) -> Peers {
        let mut peers = Peers { python: None, found: Vec::new(), missing: Vec::new() };
        let folder = context.root.join("target/bench-venv");
        let python = folder.join("bin/python");
        if !python.exists() {
            let made = context.command("python3").args(["-m", "venv"]).arg(&folder).output();
            if !made.is_ok_and(|output| output.status.success()) {
                peers.missing.push(("Python".to_owned(), "python3 with its venv module is not installed".to_owned()));
                return peers;
            }
        }
        if let Some(version) = first_line(Command::new(&python).arg("--version")) {
            peers.found.push(("Python".to_owned(), version.trim_start_matches("Python ").to_owned()));
        }
        for (package, is_basic) in PACKAGES {
            if quick && !is_basic {
                continue;
            }
            match version(&python, package).or_else(|| install(context, &python, package)) {
                Some(version) => peers.found.push((package.to_owned(), version)),
                None => peers.missing.push((package.to_owned(), "did not install".to_owned())),
            }
        }
        match first_line(Command::new("psi").arg("--help")) {
            Some(_) => peers.found.push(("PSI".to_owned(), "on the PATH".to_owned())),
            None => peers.missing.push(("PSI".to_owned(), "not on the PATH".to_owned())),
        }
        peers.python = Some(python);
        peers
    }

    pub fn has(&self, name: &str) -> bool {
        self.found.iter().any(|(found, _)| found == name)
    }

    /// A script of `xtask/bench/`, if Python and the package that it needs are there.
    pub fn script(&self, context: &Context, package: &str, script: &str, arguments: &[&str]) -> Option<Command> {
        let python = self.python.as_ref().filter(|_| self.has(package))?;
        let mut command = context.command(&python.to_string_lossy());
        command.arg(format!("xtask/bench/{script}")).args(arguments);
        Some(command)
    }
}

fn install(context: &Context, python: &PathBuf, package: &str) -> Option<String> {
    println!("installing {package}");
    let mut command = context.command(&python.to_string_lossy());
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]);
    let output = command.output().ok()?;
    output.status.success().then(|| version(python, package)).flatten()
}

fn version(python: &PathBuf, package: &str) -> Option<String> {
    let script = format!("import importlib.metadata as m; print(m.version('{package}'))");
    first_line(Command::new(python).args(["-c", &script]))
}

/// What a command prints first; `None` if it fails.
pub fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(|line| line.trim().to_owned())
}
