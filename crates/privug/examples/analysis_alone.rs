//! Analyses a program, and prints how long that took without the start of the process, and what is known about the first
//! secret. What is over in no time is done a few times, and the middle is told. Usage: `analysis_alone PROGRAM`

use std::process::ExitCode;
use std::time::Instant;

use privug::analysis::{Request, analyze};

/// No further repetition is begun after so many seconds in all; the scripts of the peers do the same.
const LONG_ENOUGH: f64 = 0.05;
const MOST_REPETITIONS: usize = 9;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: analysis_alone PROGRAM");
        return ExitCode::from(2);
    };
    let (begin, mut times) = (Instant::now(), Vec::new());
    loop {
        let start = Instant::now();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let analysis = match analyze(&Request::new(&path, &text)) {
            Ok(analysis) => analysis,
            Err(refusal) => {
                eprintln!("refused: {:?}", refusal.diagnostics);
                return ExitCode::FAILURE;
            }
        };
        times.push(start.elapsed().as_secs_f64());
        if times.len() == MOST_REPETITIONS || begin.elapsed().as_secs_f64() > LONG_ENOUGH {
            times.sort_by(f64::total_cmp);
            let seconds = times[times.len() / 2];
            let secret = analysis.secrets.get(0);
            let (mean, variance) = (secret.posterior_mean, secret.knowledge.posterior_variance);
            println!("{{\"seconds\": {seconds}, \"mean\": {mean}, \"variance\": {variance}}}");
            return ExitCode::SUCCESS;
        }
    }
}
