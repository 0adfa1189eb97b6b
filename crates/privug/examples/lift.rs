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
use privug::network::{Affine, NodeId};
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
            let modelled = modelled(&release);
            println!("{}", serde_json::json!({ "figures": figures, "modelled": modelled, "notes": release.notes }));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
    }
}

/// The figures of the attacker's model where everybody has what they really have and noise is 0: with the right weights,
/// what is published.
fn modelled(release: &Release<f64>) -> serde_json::Map<String, serde_json::Value> {
    let network = &release.network;
    let mut truths = vec![None; network.len()];
    for (secret, truth) in release.secrets.iter().zip(&release.truths) {
        truths[secret.node.0 as usize] = Some((truth - secret.offset) / secret.scale);
    }
    let mut values: Vec<f64> = Vec::with_capacity(network.len());
    for (place, truth) in truths.into_iter().enumerate() {
        let node = network.node(NodeId(place as u32));
        let sum: f64 = node.parents().map(|(parent, weight)| weight * values[parent.0 as usize]).sum();
        values.push(truth.unwrap_or((node.constant + sum) / node.divisor.unwrap_or(&1.0)));
    }
    let value = |of: &Affine<f64>| of.offset + of.scale * values[of.node.0 as usize];
    release.outputs.iter().map(|output| (output.name.clone(), value(&output.variable).into())).collect()
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
