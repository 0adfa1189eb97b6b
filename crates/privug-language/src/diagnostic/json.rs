//! Diagnostics as the JSON document `privug.diagnostics/1`.

use serde_json::{Value, json};

use super::Diagnostic;
use crate::source::{Location, Sources};

/// The whole document; an empty list of diagnostics means that nothing was found.
pub fn to_json(sources: &Sources, diagnostics: &[Diagnostic]) -> Value {
    let place = |location: Location| json!({"line": location.line, "column": location.column});
    let all: Vec<Value> = diagnostics
        .iter()
        .map(|diagnostic| {
            let source = sources.get(diagnostic.span.source);
            json!({
                "code": diagnostic.code.id(),
                "severity": diagnostic.severity.name(),
                "message": diagnostic.message,
                "hint": diagnostic.hint,
                "path": source.name,
                "start": place(source.location(diagnostic.span.start)),
                "end": place(source.location(diagnostic.span.end)),
            })
        })
        .collect();
    json!({"schema": "privug.diagnostics/1", "diagnostics": all})
}
