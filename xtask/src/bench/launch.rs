//! A small process between the benchmarks and what they measure.
//!
//! Linux counts the peak of a process from that of the process which starts it. The benchmarks read answers of hundreds of
//! megabytes, so that they do not start anything themselves: they start this program again, which is small at that time.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use serde_json::{Value, json};
use wait4::Wait4;

/// The argument that makes this program a launcher.
pub const LAUNCH: &str = "launch";

/// What a command took.
pub struct Used {
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
    /// `None` if a signal ended it.
    pub exit_code: Option<i32>,
}

/// The same command, started by a launcher that leaves what it took in a file.
pub fn launched(command: &Command, usage: &Path) -> std::io::Result<Command> {
    let mut launcher = Command::new(std::env::current_exe()?);
    launcher.arg(LAUNCH).arg(usage).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => launcher.env(name, value),
            None => launcher.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        launcher.current_dir(folder);
    }
    Ok(launcher)
}

/// What the launcher left.
pub fn read(usage: &Path) -> Result<Used, String> {
    let text = std::fs::read_to_string(usage).map_err(|error| error.to_string())?;
    let found: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let number = |name: &str| found[name].as_f64().ok_or_else(|| format!("the launcher says nothing of {name}"));
    Ok(Used {
        seconds: number("seconds")?,
        cpu_seconds: number("cpu_seconds")?,
        peak_bytes: number("peak_bytes")? as u64,
        exit_code: found["exit_code"].as_i64().map(|code| code as i32),
    })
}

/// The launcher: runs a command with the input and outputs of this process, and writes what it took to a file.
pub fn launch(usage: &str, program: &str, arguments: &[&str]) -> ExitCode {
    let run = || -> std::io::Result<()> {
        let start = Instant::now();
        let used = Command::new(program).args(arguments).spawn()?.wait4()?;
        let found = json!({
            "seconds": start.elapsed().as_secs_f64(),
            "cpu_seconds": (used.rusage.utime + used.rusage.stime).as_secs_f64(),
            "peak_bytes": used.rusage.maxrss,
            "exit_code": used.status.code(),
        });
        std::fs::write(usage, found.to_string())
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}
