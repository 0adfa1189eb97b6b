//! Diagnostics as the JSON document `privug.diagnostics/1`.

use serde::Serialize;
use serde_json::Value;

use super::Diagnostic;
use crate::source::{Location, Sources};

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    diagnostics: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    hint: Option<&'a str>,
    path: &'a str,
    start: Place,
    end: Place,
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
}

impl From<Location> for Place {
    fn from(location: Location) -> Self {
        Place { line: location.line, column: location.column }
    }
}

/// The whole document; an empty list of diagnostics means that nothing was found.
pub fn to_json(sources: &Sources, diagnostics: &[Diagnostic]) -> Value {
    let all = diagnostics.iter().map(|diagnostic| {
        let source = sources.get(diagnostic.span.source);
        Finding {
            code: diagnostic.code.id(),
            severity: diagnostic.severity.name(),
            message: &diagnostic.message,
            hint: diagnostic.hint.as_deref(),
            path: &source.name,
            start: source.location(diagnostic.span.start).into(),
            end: source.location(diagnostic.span.end).into(),
        }
    });
    let document = Document { schema: "privug.diagnostics/1", diagnostics: all.collect() };
    serde_json::to_value(document).unwrap_or(Value::Null)
}
