//! `privug analyze`

use std::process::ExitCode;

use privug::{analysis, report};

use crate::arguments::Analyze;
use crate::{REQUIREMENT_FAILED, output, refuse, request};

/// Analyses a program and prints the result.
pub fn analyze(arguments: &Analyze) -> ExitCode {
    let request = request::from_arguments(&arguments.program, Some(&arguments.measuring), arguments.exact);
    let result = request.and_then(|mut request| {
        request.queries = arguments.query.clone();
        request.requirements = arguments.require.clone();
        analysis::analyze(&request)
    });
    let analysis = match result {
        Ok(analysis) => analysis,
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    if arguments.json {
        output::print_json(&report::to_json(&analysis));
    } else if !arguments.quiet {
        output::print(&report::to_text(&analysis, output::palette()));
    }
    if analysis.meets_requirements() { ExitCode::SUCCESS } else { ExitCode::from(REQUIREMENT_FAILED) }
}
