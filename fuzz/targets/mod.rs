//! What must hold for any bytes: the fuzzer runs these with bytes of its own, the tests with the seeds and what becomes
//! of them by small changes.

// Each target of the fuzzer is a program of its own, and uses some of this.
#![allow(dead_code)]

pub mod audit;
pub mod options;
pub mod program;
pub mod table;

use std::path::PathBuf;

use privug::analysis::{Request, WorkLimits, analyze};
use privug::diagnostic::{self, Refusal, Style};
use privug::evaluate::Limits;
use privug::report;
use privug::table::{Missing, Table, TableError};

/// Limits that keep one run short.
fn limits() -> Limits {
    Limits { steps: 20_000, variables: 2_000, elements: 20_000, depth: 50, number_bits: 4_000, ..Limits::default() }
}

/// The same for conditioning.
fn work() -> WorkLimits {
    WorkLimits { cells: 100_000, operations: 500_000 }
}

/// A request within these limits.
fn limited(request: Request) -> Request {
    Request { limits: limits(), work: work(), ..request }
}

/// Runs a request and writes down what comes out.
fn analyse(request: &Request) {
    match analyze(request) {
        Ok(analysis) => {
            let sketch = report::SketchStyle { width: 60, unicode: true };
            let _ = report::to_text(&analysis, report::Palette::PLAIN, Some(sketch));
            read_back(&report::to_json(&analysis));
            for secret in analysis.secrets.iter() {
                let knowledge = &secret.knowledge;
                assert!(secret.posterior_mean.is_finite() && knowledge.prior_mean.is_finite());
                assert!(knowledge.posterior_variance >= 0.0 && knowledge.posterior_variance.is_finite());
                assert!(knowledge.posterior_variance <= knowledge.prior_variance * (1.0 + 1e-12));
            }
        }
        Err(refusal) => look_at(&refusal),
    }
}

/// A refusal says something, about a place that there is.
fn look_at(refusal: &Refusal) {
    assert!(!refusal.diagnostics.is_empty());
    for finding in &refusal.diagnostics {
        let text = &refusal.sources.get(finding.span.source).text;
        let range = finding.span.start as usize..finding.span.end as usize;
        assert!(text.get(range).is_some(), "a place outside the text");
    }
    let _ = diagnostic::render(&refusal.sources, &refusal.diagnostics, Style::Plain);
    read_back(&diagnostic::to_json(&refusal.sources, &refusal.diagnostics));
}

/// What is written as JSON reads back as the same.
fn read_back(document: &serde_json::Value) {
    let read: serde_json::Value = serde_json::from_str(&document.to_string()).expect("the JSON reads back");
    assert_eq!(&read, document);
}

/// Reads bytes as the file of a table.
fn read_table(bytes: &[u8], missing: Missing) -> Result<Table, TableError> {
    let path = scratch_file();
    std::fs::write(&path, bytes).expect("a scratch file can be written");
    let read = privug::table::read(&path, missing);
    std::fs::remove_file(&path).expect("it was written");
    read
}

/// One file for each thread of a process: runs side by side must not meet.
fn scratch_file() -> PathBuf {
    std::env::temp_dir().join(format!("privug-fuzz-{}-{:?}", std::process::id(), std::thread::current().id()))
}
