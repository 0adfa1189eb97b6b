//! `privug sweep`

use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use privug::analysis::Request;
use privug::diagnostic::Refusal;
use privug::report;
use privug::report::html::{Provenance, sweep_to_html};
use privug::sweep::{self, Axis, Scale};

use crate::arguments::Sweep;
use crate::{html, output, plot, refuse, request};

/// Runs the analysis over a grid and prints the measures.
pub fn sweep(arguments: &Sweep) -> ExitCode {
    match run(arguments) {
        Ok((request, result)) => {
            if let Err(code) = plot::write_if_asked(&arguments.plot, || report::sweep_plot(&result, arguments.log)) {
                return code;
            }
            let page = |provenance: &Provenance| sweep_to_html(&result, &request, arguments.log, provenance);
            if let Err(code) = html::write_if_asked(&arguments.html, page) {
                return code;
            }
            if arguments.json {
                output::print_json(&report::sweep_to_json(&result));
            } else if arguments.csv {
                output::print(&report::sweep_to_csv(&result));
            } else {
                output::print(&report::sweep_to_text(&result));
            }
            ExitCode::SUCCESS
        }
        Err(refusal) => refuse(&refusal, arguments.json),
    }
}

fn run(arguments: &Sweep) -> Result<(Request, sweep::Sweep), Refusal> {
    let scale = if arguments.log { Scale::Logarithmic } else { Scale::Linear };
    let axes =
        arguments.parameters.iter().map(|text| Axis::parse(text, scale)).collect::<Result<Vec<Axis>, Refusal>>()?;
    let request = request::from_arguments(&arguments.program, Some(&arguments.measuring), arguments.exact)?;
    let steps = arguments.steps as usize;
    let bar = progress_bar(steps.pow(axes.len() as u32) as u64);
    let result = sweep::sweep(&request, &axes, steps, &arguments.measure, &|| bar.inc(1));
    bar.finish_and_clear();
    result.map(|result| (request, result))
}

/// A bar on stderr, which draws itself only on a terminal.
fn progress_bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {eta} left") {
        bar.set_style(style);
    }
    bar
}
