//! `privug calibrate`

use std::process::ExitCode;

use privug::diagnostic::Refusal;
use privug::report;
use privug::sweep::{self, Axis, Calibrated, Outcome, Scale};

use crate::arguments::Calibrate;
use crate::{REQUIREMENT_FAILED, output, refuse, request};

/// Searches for the value of a parameter that just meets the requirements, and prints it.
pub fn calibrate(arguments: &Calibrate) -> ExitCode {
    let (axis, result) = match run(arguments) {
        Ok(found) => found,
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    if arguments.json {
        output::print_json(&report::calibration_to_json(&axis, &result, arguments.smallest));
    } else if !arguments.quiet {
        output::print(&report::calibration_to_text(&axis, &result, arguments.smallest));
    }
    match result.outcome {
        Outcome::Found | Outcome::HoldsAtEnd => ExitCode::SUCCESS,
        Outcome::HoldsNowhere => ExitCode::from(REQUIREMENT_FAILED),
    }
}

fn run(arguments: &Calibrate) -> Result<(Axis, Calibrated), Refusal> {
    let mut axis = Axis::parse(&arguments.parameter, Scale::Linear)?;
    if !arguments.linear && axis.from > 0.0 && axis.to > 0.0 {
        axis.scale = Scale::Logarithmic;
    }
    let mut request = request::from_arguments(&arguments.program, Some(&arguments.measuring), false)?;
    request.requirements = request::requirements(&arguments.require);
    let result = sweep::calibrate(&request, &axis, arguments.smallest)?;
    Ok((axis, result))
}
