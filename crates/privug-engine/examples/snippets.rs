//! Runs programs and prints what their functions return, for tests that compare it with CPython.
//!
//! Standard input is a JSON list of programs; the output a list of `{"value": …}` and `{"error": …}`.

use std::io::Read;
use std::panic::catch_unwind;
use std::process::ExitCode;

use privug_engine::evaluate::{Inputs, represent};
use privug_language::diagnostic::Diagnostic;
use privug_language::program::check;
use privug_language::source::Sources;
use privug_language::syntax::parse_module;
use serde_json::{Value, json};

fn main() -> ExitCode {
    let mut text = String::new();
    if std::io::stdin().read_to_string(&mut text).is_err() {
        return ExitCode::from(2);
    }
    let Ok(programs) = serde_json::from_str::<Vec<String>>(&text) else { return ExitCode::from(2) };
    let results: Vec<Value> = programs
        .iter()
        .map(|program| match catch_unwind(|| run(program)) {
            Ok(Ok(value)) => json!({ "value": value }),
            Ok(Err(diagnostics)) => {
                let first = diagnostics.first().map(|found| format!("{:?}: {}", found.code, found.message));
                json!({ "error": first.unwrap_or_default() })
            }
            Err(_) => json!({ "panic": program }),
        })
        .collect();
    println!("{}", Value::Array(results));
    ExitCode::SUCCESS
}

fn run(program: &str) -> Result<String, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let id = sources.add("snippet.py", program);
    let module = parse_module(&sources, id)?;
    let program = check(&sources, id, &module, None, &[])?;
    represent(&program, &Inputs::default())
}
