//! `privug channel`: the probabilities of outputs given secrets.

use std::process::ExitCode;

use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::source::{SourceId, Span};
use privug::{analysis, report};

use crate::arguments::Channel;
use crate::{output, refuse, request};

/// Prints the channel from each secret to what is published.
pub fn channel(arguments: &Channel) -> ExitCode {
    let request = request::from_arguments(&arguments.program, None, arguments.exact);
    let found = request.and_then(|request| analysis::analyze(&request)).and_then(|found| {
        let mut secrets = found.choices.iter().flat_map(|choices| &choices.secrets);
        if secrets.any(|secret| secret.channel.is_some()) { Ok(found) } else { Err(nothing(&found)) }
    });
    match found {
        Ok(found) if arguments.json => output::print_json(&report::channel_to_json(&found)),
        Ok(found) if arguments.csv => output::print(&report::channel_to_csv(&found)),
        Ok(found) => output::print(&report::channel_to_text(&found, output::palette())),
        Err(refusal) => return refuse(&refusal, arguments.json),
    }
    ExitCode::SUCCESS
}

/// Why there is no channel to show.
fn nothing(found: &analysis::Analysis) -> Refusal {
    let span = Span { source: SourceId(0), start: 0, end: 0 };
    let message = "there is no channel between discrete values to show";
    let hint = "name discrete secrets with `--secret`, return the published outputs, and observe nothing";
    Refusal {
        sources: found.sources.clone(),
        diagnostics: vec![Diagnostic::error(Code::NothingRandom, span, message).hint(hint)],
    }
}
