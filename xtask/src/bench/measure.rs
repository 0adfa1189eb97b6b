//! Running a command to its end, or to the cut-off, and telling what it took.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::launch::{launched, read};

/// A peer that takes longer is stopped.
pub const CUT_OFF: Duration = Duration::from_secs(120);
/// What takes longer than this is not repeated.
const TOO_LONG_TO_REPEAT: f64 = 20.0;

/// One run of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Wall time of the whole process.
    pub seconds: f64,
    /// Processor time, of user and system.
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
    /// The JSON document that it printed, if it did.
    pub answer: Value,
}

/// Why there is no run.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// It was stopped after [`CUT_OFF`].
    CutOff,
    /// It failed, with these last words.
    Failed(String),
    /// A larger size would only take longer.
    NotTried,
}

impl Run {
    /// A number of the printed answer.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.answer.get(name).and_then(Value::as_f64)
    }
}

/// Runs a command once; what it prints on stderr goes to `log`.
pub fn run(command: &mut Command, log: &std::path::Path) -> Result<Run, Failure> {
    let failed = |error: std::io::Error| Failure::Failed(error.to_string());
    let errors = File::create(log).map_err(failed)?;
    let usage = log.with_extension("usage.json");
    let mut launcher = launched(command, &usage).map_err(failed)?;
    // A group of its own, so that the launcher and what it runs can be ended together.
    launcher.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).process_group(0);
    let mut child = launcher.spawn().map_err(failed)?;
    let (sender, receiver) = mpsc::channel();
    if let Some(mut stdout) = child.stdout.take() {
        // The pipe ends with the process, so reading to its end tells when that is, without asking again and again.
        thread::spawn(move || {
            let mut text = String::new();
            let read = stdout.read_to_string(&mut text);
            let _ = sender.send(read.map(|_| text));
        });
    }
    let Ok(text) = receiver.recv_timeout(CUT_OFF) else {
        let group = format!("-{}", child.id());
        Command::new("kill").args(["-KILL", "--", &group]).status().map_err(failed)?;
        child.wait().map_err(failed)?;
        return Err(Failure::CutOff);
    };
    let is_launched = child.wait().map_err(failed)?.success();
    let used = if is_launched { read(&usage) } else { Err("it cannot be started".to_owned()) };
    let used = used.map_err(Failure::Failed)?;
    // That a release must not be published (3) or has to be looked at (4) is an answer of an audit.
    if !matches!(used.exit_code, Some(0 | 3 | 4)) {
        let words = std::fs::read_to_string(log).unwrap_or_default();
        let last: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).collect();
        let shown = last[last.len().saturating_sub(3)..].join(" / ");
        return Err(Failure::Failed(if shown.is_empty() { format!("exit code {:?}", used.exit_code) } else { shown }));
    }
    let answer = serde_json::from_str(&text.map_err(failed)?).unwrap_or(Value::Null);
    Ok(Run { seconds: used.seconds, cpu_seconds: used.cpu_seconds, peak_bytes: used.peak_bytes, answer })
}

/// The runs of one side.
pub type Runs = Result<Vec<Run>, Failure>;

/// Runs several commands in turns, so that whatever else the machine does is shared by all; `None` is not run at all.
pub fn in_turns(commands: &mut [Option<Command>], repetitions: usize, log: &std::path::Path) -> Vec<Runs> {
    let mut all: Vec<Runs> = commands
        .iter()
        .map(|command| if command.is_some() { Ok(Vec::new()) } else { Err(Failure::NotTried) })
        .collect();
    for _ in 0..repetitions {
        for (command, runs) in commands.iter_mut().zip(&mut all) {
            let (Some(command), Ok(known)) = (command, &mut *runs) else { continue };
            if known.last().is_some_and(|last| last.seconds > TOO_LONG_TO_REPEAT) {
                continue;
            }
            match run(command, log) {
                Ok(run) => known.push(run),
                Err(failure) => *runs = Err(failure),
            }
        }
    }
    all
}
