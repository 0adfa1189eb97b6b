//! `privug plan`

use std::path::PathBuf;
use std::process::ExitCode;

use privug::audit::{Dialect, PlanInput, plan, quoted_source};
use privug::diagnostic::Refusal;
use privug::register::Register;
use serde::Serialize;

use crate::audit::{bad_table, wrong_usage};
use crate::{arguments, output, refuse, register, request};

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    dialect: &'static str,
    columns: &'a [String],
    prior_means: Option<&'a str>,
    weights: Option<&'a str>,
    group: &'a str,
    join: &'a str,
}

/// Writes the queries that group a table where it is.
pub fn plan_queries(arguments: &arguments::Plan) -> ExitCode {
    let Some(dialect) = Dialect::named(&arguments.dialect) else {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        return wrong_usage(&format!(
            "--dialect {} is not supported; it must be one of {}",
            arguments.dialect,
            names.join(", ")
        ));
    };
    let names = match columns(arguments) {
        Ok(Ok(names)) => names,
        Ok(Err(message)) => return wrong_usage(&message),
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    let (path, _) = request::split_function(&arguments.program);
    let program = match request::read_program(path) {
        Ok(program) => program,
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    let table = register::table_of(&arguments.secret);
    let secret = arguments.secret.split_once('.').map_or(arguments.secret.as_str(), |(_, column)| column).trim();
    if !names.iter().any(|name| name == secret) {
        return wrong_usage(&format!("the table has no column `{secret}`; its columns are {}", names.join(", ")));
    }
    let also = match arguments.published_before.as_deref().map(register::ledger).transpose() {
        Ok(ledger) => ledger.map(|ledger| ledger.columns()).unwrap_or_default(),
        Err(refusal) => return refuse(&refusal, arguments.json),
    };
    if let Some(weights) = &arguments.sum_weights
        && let Err(refusal) = register::check_weights(weights, secret, &names, &program, &arguments.prior, &also)
    {
        return refuse(&refusal, arguments.json);
    }
    let source = quoted_source(arguments.source.as_deref().unwrap_or(table), dialect);
    let results = quoted_source(&arguments.results, dialect);
    let input = PlanInput {
        program: &program,
        priors: &arguments.prior,
        also: &also,
        names: &names,
        secret,
        source: &source,
        results: &results,
        decimals: arguments.decimals,
        sum_prior_means: arguments.sum_prior_means,
        sum_weights: arguments.sum_weights.as_deref(),
    };
    let planned = plan(&input, dialect);
    if arguments.json {
        output::print_json(&Document {
            schema: "privug.plan/1",
            dialect: dialect.name(),
            columns: &planned.columns,
            prior_means: planned.prior_means.as_deref(),
            weights: planned.weights.as_deref(),
            group: &planned.group,
            join: &planned.join,
        });
    } else {
        output::print(&format!(
            "-- Groups people by {}. Save the result as groups.parquet, for `privug audit --groups`.\n{};\n\n\
             -- Joins the output of `privug audit --groups … --people results.parquet` back to the table of people.\n{};\n",
            if planned.columns.is_empty() { "nothing".to_owned() } else { planned.columns.join(", ") },
            planned.group.trim_end(),
            planned.join.trim_end()
        ));
    }
    ExitCode::SUCCESS
}

/// The columns of the table: those of a file, or as they are given.
fn columns(arguments: &arguments::Plan) -> Result<Result<Vec<String>, String>, Refusal> {
    if let Some(columns) = &arguments.columns {
        let names = columns.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        return Ok(Ok(names.collect()));
    }
    let Some(table) = &arguments.table else {
        return Ok(Err("specify the table's columns: --table people=FILE, or --columns region,sex,income".to_owned()));
    };
    let Some((_, path)) = table.split_once('=') else {
        return Ok(Err(format!("--table {table} is not NAME=FILE, such as people=incomes.parquet")));
    };
    Register::open(&[PathBuf::from(path)]).map(|register| Ok(register.names().to_vec())).map_err(bad_table)
}
