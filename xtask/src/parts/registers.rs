//! Audits by groups on the engines that hold tables: DuckDB, PostgreSQL, and a Spark cluster on loopback.

use super::python::read_pytest;
use super::{Outcome, Part};
use crate::context::Context;

pub const PART: Part =
    Part { name: "registers", about: "audits by groups on DuckDB, PostgreSQL and a Spark cluster, with pytest", run };

pub const SCRIPT: &str = "crates/privug-cli/tests/registers/test.sh";

fn run(context: &Context) -> Outcome {
    // Without Java or PostgreSQL's server the tests of that engine are skipped, which fails under CI=true.
    if !context.has_python() {
        return Outcome::Skipped("python3 with its venv module is not installed".to_owned());
    }
    let mut command = context.command("sh");
    command.arg(SCRIPT);
    match context.run_and_read(&mut command) {
        Ok(finished) => read_pytest(&finished.text).outcome(finished.succeeded, "the tests of engines"),
        Err(reason) => Outcome::Failed(reason),
    }
}
