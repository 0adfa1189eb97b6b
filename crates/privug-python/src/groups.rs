//! Audits by groups that another engine has made: the queries, and what they gave.

use std::sync::Arc;

use privug::audit::{Dialect, GroupedInput, Input, PlanInput, plan, quoted_source};
use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::register::groups_of_table;
use privug::source::{Sources, Span};
use privug::table::TableError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::audit::{AuditRequest, RawAudit};
use crate::errors::program_error;

/// The columns that people are grouped by, the queries that group and join back, and the column whose prior means are summed
/// up. `source` is the table in SQL.
#[pyfunction]
#[pyo3(signature = (program, priors, names, secret, source, results, decimals, dialect, sum_prior_means, sum_weights))]
#[expect(clippy::too_many_arguments, reason = "the parts of a plan, each by its name")]
pub fn plan_queries(
    program: &str,
    priors: Vec<String>,
    names: Vec<String>,
    secret: &str,
    source: &str,
    results: &str,
    decimals: u32,
    dialect: &str,
    sum_prior_means: bool,
    sum_weights: Option<&str>,
) -> PyResult<(Vec<String>, String, String, Option<String>)> {
    let Some(dialect) = Dialect::named(dialect) else {
        return Err(PyValueError::new_err(format!("there is no dialect {dialect:?}")));
    };
    let results = quoted_source(results, dialect);
    let input = PlanInput {
        program,
        priors: &priors,
        also: &[],
        names: &names,
        secret,
        source,
        results: &results,
        decimals,
        sum_prior_means,
        sum_weights,
    };
    let planned = plan(&input, dialect);
    Ok((planned.columns, planned.group, planned.join, planned.prior_means))
}

/// Audits a script's text, of which the table `people` is one of groups.
#[pyfunction]
pub fn audit_groups(
    py: Python<'_>,
    request: &AuditRequest,
    path: String,
    program: String,
    function: Option<String>,
    people: &str,
    secret: &str,
) -> PyResult<RawAudit> {
    let input = request.input(path.clone(), program, function.clone());
    let grouped = grouped(input, people, secret).map_err(|refusal| program_error(py, &refusal))?;
    request.run(py, path, function, |_| grouped)
}

fn grouped(input: Input, people: &str, secret: &str) -> Result<GroupedInput, Refusal> {
    let bad = |mut error: TableError| {
        let mut sources = Sources::default();
        let source = sources.add(format!("groups of `{people}`"), "");
        let hint = error.hint.take();
        let mut diagnostic = Diagnostic::error(Code::BadGroups, Span { source, start: 0, end: 0 }, error.to_string());
        diagnostic.hint = hint.map(String::from);
        Refusal { sources, diagnostics: vec![diagnostic] }
    };
    let place = input.tables.iter().position(|(name, _)| name == people);
    let place = place.ok_or_else(|| bad(groups_missing()))?;
    let (groups, names) = groups_of_table(&input.tables[place].1, secret).map_err(bad)?;
    GroupedInput::new(input, place, Arc::new(groups), &names, None).map_err(bad)
}

fn groups_missing() -> TableError {
    TableError {
        path: String::new(),
        row: None,
        line: None,
        column: None,
        message: "there is no such table".to_owned(),
        hint: None,
    }
}
