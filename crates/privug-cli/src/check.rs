//! `privug check`

use std::process::ExitCode;

use privug::{analysis, diagnostic};

use crate::arguments::Check;
use crate::{output, refuse, request};

/// Looks for errors and prints them.
pub fn check(arguments: &Check) -> ExitCode {
    let request = request::from_arguments(&arguments.program, None, false);
    match request.and_then(|request| analysis::check(&request)) {
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
