//! `privug compare`

use std::process::ExitCode;

use clap::Parser;
use privug::analysis::Request;
use privug::diagnostic::Refusal;
use privug::report::html::comparison_to_html;
use privug::{compare, report};

use crate::arguments::{Compare, Release};
use crate::{REQUIREMENT_FAILED, html, output, plot, refuse, request};

/// Analyses several releases and prints them side by side.
pub fn compare(arguments: &Compare) -> ExitCode {
    let releases: Vec<Release> = match arguments.releases.iter().map(|text| parse_release(text)).collect() {
        Ok(releases) => releases,
        // Wrong usage: clap's own words and exit code.
        Err(error) => error.exit(),
    };
    let mut requests: Vec<(String, Request)> = Vec::new();
    for (text, release) in arguments.releases.iter().zip(&releases) {
        let request = request::from_arguments(&release.program, Some(&arguments.measuring), arguments.exact);
        match request.and_then(|request| with_common_options(request, arguments)) {
            Ok(request) => {
                let label = release.label.clone().unwrap_or_else(|| default_label(text));
                requests.push((label, request));
            }
            Err(refusal) => return refuse(&refusal, arguments.json),
        }
    }
    let comparison = match compare::compare(&requests) {
        Ok(comparison) => comparison,
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    if let Err(code) = plot::write_if_asked(&arguments.plot, || report::comparison_plot(&comparison)) {
        return code;
    }
    if let Err(code) = html::write_if_asked(&arguments.html, |provenance| comparison_to_html(&comparison, provenance)) {
        return code;
    }
    if arguments.json {
        output::print_json(&report::comparison_to_json(&comparison));
    } else if !arguments.quiet {
        output::print(&report::comparison_to_text(&comparison, output::palette()));
    }
    if comparison.some_release_meets_all() { ExitCode::SUCCESS } else { ExitCode::from(REQUIREMENT_FAILED) }
}

/// A release and its options, as one argument: its words are split as a shell would.
fn parse_release(text: &str) -> Result<Release, clap::Error> {
    let words = shlex::split(text).unwrap_or_else(|| vec![text.to_owned()]);
    Release::try_parse_from(words)
}

/// The release as it was typed, without the folders.
fn default_label(text: &str) -> String {
    let (program, options) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let file = program.rsplit('/').next().unwrap_or(program);
    format!("{file} {options}").trim().to_owned()
}

/// What every release is given; its own options come first and win.
fn with_common_options(mut request: Request, arguments: &Compare) -> Result<Request, Refusal> {
    let mut common = request::read_bindings(&arguments.set, &arguments.prior)?;
    common.retain(|binding| !request.bindings.iter().any(|own| own.name == binding.name));
    request.bindings.splice(0..0, common);
    request.secrets.extend(arguments.secret.iter().cloned());
    request.requirements = request::requirements(&arguments.require);
    Ok(request)
}
