//! `privug compare`

use std::process::ExitCode;

use clap::Parser;
use privug::analysis::{Binding, Request};
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
        match request::from_arguments(&release.program, Some(&arguments.measuring), arguments.exact) {
            Ok(request) => {
                let label = release.label.clone().unwrap_or_else(|| default_label(text));
                requests.push((label, with_common_options(request, arguments)));
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
fn with_common_options(mut request: Request, arguments: &Compare) -> Request {
    let bound: Vec<String> = request
        .bindings
        .iter()
        .map(|binding| match binding {
            Binding::Prior(text) | Binding::Set(text) => name_of(text).to_owned(),
        })
        .collect();
    let is_new = |text: &&String| !bound.iter().any(|name| name == name_of(text));
    let sets = arguments.set.iter().filter(is_new).cloned().map(Binding::Set);
    let priors = arguments.prior.iter().filter(is_new).cloned().map(Binding::Prior);
    request.bindings.splice(0..0, sets.chain(priors));
    request.secrets.extend(arguments.secret.iter().cloned());
    request.requirements = arguments.require.clone();
    request
}

fn name_of(binding: &str) -> &str {
    binding.split('=').next().unwrap_or(binding).trim()
}
