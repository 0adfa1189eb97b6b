//! Running what may be hostile: whatever comes in, an answer or a clear refusal comes out.

use privug::analysis::{Analysis, Request, WorkLimits, analyze, check};
use privug::diagnostic::{Refusal, to_json};
use privug::evaluate::Limits;
use privug::report;

use super::words;

/// Limits that keep a single run short.
pub fn small_limits() -> Limits {
    Limits {
        steps: 200_000,
        variables: 10_000,
        elements: 100_000,
        depth: 100,
        number_bits: 10_000,
        ..Limits::default()
    }
}

/// A request with limits that keep it short.
pub fn limited(program: impl Into<String>) -> Request {
    let work = WorkLimits { cells: 1_000_000, operations: 10_000_000 };
    Request { limits: small_limits(), work, ..Request::new("program.py", program) }
}

/// Analyses and checks a request, writes everything down, and makes sure that refusals are fit to be read.
pub fn survive(request: &Request) -> Result<Analysis, Refusal> {
    if let Err(refusal) = check(request) {
        assert_readable(&refusal);
    }
    let result = analyze(request);
    match &result {
        Ok(analysis) => {
            assert!(!report::to_text(analysis, report::Palette::PLAIN, None).is_empty());
            let document = report::to_json(analysis).to_string();
            let read: serde_json::Value = serde_json::from_str(&document).expect("the JSON reads back");
            assert_eq!(read["schema"], "privug.analysis/1");
            for secret in analysis.secrets.iter() {
                let knowledge = &secret.knowledge;
                assert!(secret.posterior_mean.is_finite() && knowledge.prior_mean.is_finite());
                assert!(knowledge.posterior_variance >= 0.0 && knowledge.posterior_variance.is_finite());
                assert!(knowledge.posterior_variance <= knowledge.prior_variance * (1.0 + 1e-12));
            }
        }
        Err(refusal) => assert_readable(refusal),
    }
    result
}

/// At least one finding, each with words and a place inside its text; and both ways to write it down work.
pub fn assert_readable(refusal: &Refusal) {
    assert!(!refusal.diagnostics.is_empty());
    for diagnostic in &refusal.diagnostics {
        assert!(!diagnostic.message.is_empty());
        assert!(diagnostic.message.len() < 2_000, "{} bytes: {:.300}", diagnostic.message.len(), diagnostic.message);
        let places = diagnostic.related.iter().map(|(span, _)| *span).chain([diagnostic.span]);
        for span in places {
            let text = &refusal.sources.get(span.source).text;
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} is outside the text");
            let inside = text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize);
            assert!(inside, "{span:?} cuts a character");
        }
    }
    assert!(words(refusal).contains(refusal.diagnostics[0].code.id()));
    let document = to_json(&refusal.sources, &refusal.diagnostics).to_string();
    assert!(serde_json::from_str::<serde_json::Value>(&document).is_ok());
}

/// Asserts that a program is refused with this code first.
#[track_caller]
pub fn assert_refused(program: &str, code: &str) -> Refusal {
    assert_request_refused(&limited(program), code)
}

/// Asserts that a request is refused with this code first.
#[track_caller]
pub fn assert_request_refused(request: &Request, code: &str) -> Refusal {
    let shown: String = request.program.chars().take(300).collect();
    match survive(request) {
        Ok(_) => panic!("not refused, but {code} was expected:\n{shown}"),
        Err(refusal) => {
            let mut found = words(&refusal);
            found.truncate(found.char_indices().nth(1000).map_or(found.len(), |(at, _)| at));
            assert_eq!(refusal.diagnostics[0].code.id(), code, "{found}\n{shown}");
            refusal
        }
    }
}
