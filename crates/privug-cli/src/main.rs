//! The `privug` program: arguments in, a printed analysis and an exit code out.

mod arguments;
mod explain;
mod output;
mod request;

use std::process::ExitCode;

use clap::Parser;
use privug::analysis;
use privug::diagnostic::{self, Refusal};
use privug::report;

use arguments::{Analyze, Arguments, Check, Command};

/// The program or its data was refused.
const REFUSED: u8 = 1;

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Analyze(arguments) => analyze(&arguments),
        Command::Check(arguments) => check(&arguments),
        Command::Explain(arguments) => explain::explain(arguments.code.as_deref()),
    }
}

fn analyze(arguments: &Analyze) -> ExitCode {
    let result =
        request::from_arguments(&arguments.program, arguments.exact).and_then(|request| analysis::analyze(&request));
    let analysis = match result {
        Ok(analysis) => analysis,
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    if arguments.json {
        output::print_json(&report::to_json(&analysis));
    } else if !arguments.quiet {
        output::print(&report::to_text(&analysis, output::palette()));
    }
    ExitCode::SUCCESS
}

fn check(arguments: &Check) -> ExitCode {
    let result = request::from_arguments(&arguments.program, false).and_then(|request| analysis::check(&request));
    match result {
        Ok(()) => {
            if arguments.json {
                output::print_json(&diagnostic::to_json(&Default::default(), &[]));
            } else if !arguments.quiet {
                output::print(&format!("{}: no errors found\n", arguments.program.program));
            }
            ExitCode::SUCCESS
        }
        Err(refusal) => refuse(&refusal, arguments.json),
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
