//! The `privug` program: arguments in, a printed analysis and an exit code out. The Python package is started with it
//! too, and lends it a Python for `audit --live`.

mod analyze;
mod arguments;
mod audit;
mod calibrate;
mod channel;
mod check;
mod compare;
mod explain;
mod files;
mod gain;
mod html;
mod internal;
mod mechanism;
mod output;
mod plan;
mod plot;
mod progress;
mod register;
mod request;
mod sweep;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use privug::audit::{Input, LiveRelease};
use privug::diagnostic::{self, Refusal};

use arguments::{Arguments, Command};

/// The program or its data was refused.
const REFUSED: u8 = 1;
/// The command line makes no sense.
const WRONG_USAGE: u8 = 2;
/// A requirement is not met.
const REQUIREMENT_FAILED: u8 = 3;
/// A person has to look at an audit; nobody may take it for a pass.
const NEEDS_REVIEW: u8 = 4;
/// The program itself is wrong: `EX_SOFTWARE` of sysexits.
const INTERNAL_ERROR: u8 = 70;

/// Runs a script on its tables and gives what it published; what it is given is a text, where its tables are, and what is
/// secret.
pub type Live<'a> = &'a dyn Fn(Input, &[(String, PathBuf)]) -> Result<LiveRelease, Refusal>;

/// Runs the program. The first argument is its name. Without `live` it has no Python to run a script with.
pub fn run(arguments: impl IntoIterator<Item = OsString>, live: Option<Live<'_>>) -> ExitCode {
    files::clean_up_on_interrupt();
    let arguments = Arguments::parse_from(arguments);
    internal::guarded(|| run_command(arguments, live))
}

fn run_command(arguments: Arguments, live: Option<Live<'_>>) -> ExitCode {
    match arguments.command {
        Command::Analyze(arguments) => analyze::analyze(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments, live),
        Command::Channel(arguments) => channel::channel(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Calibrate(arguments) => calibrate::calibrate(&arguments),
        Command::Plan(arguments) => plan::plan_queries(&arguments),
        Command::Mechanism(arguments) => mechanism::mechanism(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Explain(arguments) => explain::explain(arguments.code.as_deref()),
    }
}

/// Says why there is no result: for people on stderr, and for programs that asked for JSON on stdout as well.
fn refuse(refusal: &Refusal, json: bool) -> ExitCode {
    if json {
        output::print_json(&diagnostic::to_json(&refusal.sources, &refusal.diagnostics));
    }
    output::print_error(&diagnostic::render(&refusal.sources, &refusal.diagnostics, output::error_style()));
    ExitCode::from(REFUSED)
}
