//! Lifts a script on tables to a release and prints its figures as JSON: what `privug audit` starts from.
//!
//! ```text
//! cargo run -p privug --example lift -- release.py people=incomes.csv people.income 'Normal(prior_mean, prior_variance)'
//! ```

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use privug::audit::{Input, Release, lift};
use privug::diagnostic::{Style, render};
use privug::evaluate::Limits;
use privug::table::{Missing, read};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [script, tables @ .., secret, prior] = arguments.as_slice() else {
        eprintln!("usage: lift SCRIPT.py NAME=FILE... TABLE.COLUMN PRIOR");
        return ExitCode::from(2);
    };
    match release(script, tables, secret, prior) {
        Ok(release) => {
            let figures: serde_json::Map<String, serde_json::Value> =
                release.outputs.iter().map(|output| (output.name.clone(), output.value.into())).collect();
            println!("{}", serde_json::json!({ "figures": figures, "notes": release.notes }));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
    }
}

fn release(script: &str, tables: &[String], secret: &str, prior: &str) -> Result<Release<f64>, String> {
    let program = std::fs::read_to_string(script).map_err(|error| format!("{script}: {error}"))?;
    let started = Instant::now();
    let mut read_tables = Vec::new();
    for table in tables {
        let (name, path) = table.split_once('=').ok_or(format!("{table} is not NAME=FILE"))?;
        let table = read(Path::new(path), Missing::AsPandas).map_err(|error| error.to_string())?;
        read_tables.push((name.to_owned(), table));
    }
    let read = started.elapsed();
    let input = Input {
        path: script.to_owned(),
        program,
        function: None,
        tables: read_tables,
        secrets: vec![secret.to_owned()],
        priors: vec![prior.to_owned()],
        person: None,
        attacker: Default::default(),
        limits: Limits::default(),
        cancelled: None,
    };
    let started = Instant::now();
    let release =
        lift::<f64>(&input).map_err(|refusal| render(&refusal.sources, &refusal.diagnostics, Style::Plain))?;
    eprintln!("read in {read:.1?}, lifted in {:.1?}", started.elapsed());
    Ok(release)
}
