//! A build without the feature `arrow`: Parquet and Arrow files are refused, and CSV is all that is read.

use std::fs::File;

use super::{Missing, Table, TableError};

fn refusal(kind: &str) -> TableError {
    let error = TableError::new(format!("this build of privug does not read {kind} files"));
    error.hint("save the table as CSV, or build privug with the feature `arrow`")
}

pub(super) fn read_parquet(_: File, _: Missing) -> Result<Table, TableError> {
    Err(refusal("Parquet"))
}

pub(super) fn parquet_names(_: File) -> Result<(Vec<String>, u64), TableError> {
    Err(refusal("Parquet"))
}

pub(super) fn parquet_pieces<E: From<TableError>>(
    _: File,
    _: &[usize],
    _: &mut dyn FnMut(&Table) -> Result<(), E>,
) -> Result<(), E> {
    Err(refusal("Parquet").into())
}

pub(super) fn read_arrow(_: File, _: bool, _: Missing) -> Result<Table, TableError> {
    Err(refusal("Arrow"))
}
