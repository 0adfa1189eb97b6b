//! The `privug` program: arguments in, a printed analysis and an exit code out.

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
mod plot;
mod progress;
mod request;
mod sweep;

use std::process::ExitCode;

use clap::Parser;
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

fn main() -> ExitCode {
    files::clean_up_on_interrupt();
    let arguments = Arguments::parse();
    internal::guarded(|| run(arguments))
}

fn run(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Command::Analyze(arguments) => analyze::analyze(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::Channel(arguments) => channel::channel(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Calibrate(arguments) => calibrate::calibrate(&arguments),
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
