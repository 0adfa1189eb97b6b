//! `privug analyze`

use std::process::ExitCode;

use privug::report::html::analysis_to_html;
use privug::report::plot as plots;
use privug::{analysis, report};

use crate::arguments::Analyze;
use crate::{REQUIREMENT_FAILED, html, output, plot, refuse, request};

/// Analyses a program and prints the result.
pub fn analyze(arguments: &Analyze) -> ExitCode {
    let request = request::from_arguments(&arguments.program, Some(&arguments.measuring), arguments.exact);
    let result = request.and_then(|mut request| {
        request.queries = arguments.query.clone();
        request.requirements = request::requirements(&arguments.require);
        if arguments.verify {
            let verification = analysis::verify(&request)?;
            Ok((verification.analysis.clone(), Some(verification)))
        } else {
            analysis::analyze(&request).map(|analysis| (analysis, None))
        }
    });
    let (analysis, verification) = match result {
        Ok(found) => found,
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    if let Err(code) = plot::write_if_asked(&arguments.plot, || plots::analysis_plot(&analysis)) {
        return code;
    }
    if let Err(code) = html::write_if_asked(&arguments.html, |provenance| analysis_to_html(&analysis, provenance)) {
        return code;
    }
    if arguments.json {
        output::print_json(&report::AnalysisJson { analysis: &analysis, verification: verification.as_ref() });
    } else if !arguments.quiet {
        let sketch = !arguments.no_sketch;
        output::print(&report::to_text(&analysis, output::palette(), sketch.then(output::sketch_style)));
        if let Some(verification) = &verification {
            output::print(&report::verification_to_text(verification, output::palette()));
        }
    }
    let is_met = analysis.meets_requirements();
    // The program ends here: giving the memory of a million secrets back piece by piece would take longer than all else.
    std::mem::forget(analysis);
    if is_met { ExitCode::SUCCESS } else { ExitCode::from(REQUIREMENT_FAILED) }
}
