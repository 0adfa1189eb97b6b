//! Analyses a program, and prints how long that took without the start of the process, and what is known about the first
//! secret. Usage: `analyze_once PROGRAM`

use std::process::ExitCode;
use std::time::Instant;

use privug::analysis::{Request, analyze};

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: analyze_once PROGRAM");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    match analyze(&Request::new(&path, &text)) {
        Ok(analysis) => {
            let seconds = start.elapsed().as_secs_f64();
            let secret = analysis.secrets.get(0);
            let (mean, variance) = (secret.posterior_mean, secret.knowledge.posterior_variance);
            println!("{{\"seconds\": {seconds}, \"mean\": {mean}, \"variance\": {variance}}}");
            ExitCode::SUCCESS
        }
        Err(refusal) => {
            eprintln!("refused: {:?}", refusal.diagnostics);
            ExitCode::FAILURE
        }
    }
}
