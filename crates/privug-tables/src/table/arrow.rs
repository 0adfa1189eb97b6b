//! Parquet and Arrow files: batches of columns that have types already.
//!
//! The libraries are given nothing that they could fill the memory with, and a panic in them is an error of the file.

use std::cell::Cell;
use std::fs::File;
use std::io::{Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::arrow_bounds::{check_file, check_stream};
use super::arrow_cells::{append, missing_cells};
use super::builder::Builder;
use super::{MAX_CELLS, MAX_COLUMNS, MAX_ROWS, Missing, Table, TableError};

/// Rows that are decoded at once.
const BATCH_ROWS: usize = 1 << 16;
/// An Arrow file is read as a whole; a larger one should be a Parquet file.
const MAX_ARROW_BYTES: u64 = 8 << 30;

/// Reads a Parquet file.
pub(super) fn read_parquet(file: File, missing: Missing) -> Result<Table, TableError> {
    guarded("Parquet", || {
        let damaged = |error: parquet::errors::ParquetError| damaged("Parquet", &error.to_string());
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?;
        let rows = builder.metadata().file_metadata().num_rows();
        let mut columns = Columns::new(builder.schema(), missing)?;
        columns.check_size(usize::try_from(rows).unwrap_or(usize::MAX))?;
        let reader = builder.with_batch_size(BATCH_ROWS).build().map_err(damaged)?;
        columns.append_all(reader, "Parquet")?;
        columns.finish()
    })
}

/// The names of a Parquet file's columns, and how many rows it says it has.
pub(super) fn parquet_names(file: File) -> Result<(Vec<String>, u64), TableError> {
    guarded("Parquet", || {
        let damaged = |error: parquet::errors::ParquetError| damaged("Parquet", &error.to_string());
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?;
        let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        Ok((Columns::new(builder.schema(), Missing::AsPandas)?.names, rows))
    })
}

/// Goes through some columns of a Parquet file, piece by piece; they come in the file's order.
pub(super) fn parquet_pieces<E: From<TableError>>(
    file: File,
    places: &[usize],
    each: &mut dyn FnMut(&Table) -> Result<(), E>,
) -> Result<(), E> {
    guarded("Parquet", || {
        let damaged = |error: String| damaged("Parquet", &error);
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| damaged(error.to_string()))?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), places.iter().copied());
        let builder = builder.with_projection(mask).with_batch_size(BATCH_ROWS);
        let mut before = 0;
        for batch in builder.build().map_err(|error| damaged(error.to_string()))? {
            let batch = batch.map_err(|error| damaged(error.to_string()))?;
            if batch.num_rows() == 0 {
                continue;
            }
            let mut columns = Columns::new(&batch.schema(), Missing::AsPandas)?;
            columns.append(&batch).map_err(|mut error| {
                error.row = error.row.map(|row| row + before);
                error
            })?;
            before += batch.num_rows();
            each(&columns.finish()?)?;
        }
        Ok(())
    })
}

/// Reads an Arrow file, with or without an index at its end.
pub(super) fn read_arrow(mut file: File, is_stream: bool, missing: Missing) -> Result<Table, TableError> {
    guarded("Arrow", || {
        let damaged = |error: ArrowError| damaged("Arrow", &error.to_string());
        let mut bytes = Vec::new();
        let read = (&mut file).take(MAX_ARROW_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| TableError::new(format!("the file cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_ARROW_BYTES {
            return Err(TableError::new("the Arrow file is too large").hint("save the table as a Parquet file"));
        }
        if is_stream {
            check_stream(&bytes)?;
            let reader = arrow_ipc::reader::StreamReader::try_new(Cursor::new(bytes), None).map_err(damaged)?;
            let mut columns = Columns::new(&reader.schema(), missing)?;
            columns.append_all(reader, "Arrow")?;
            columns.finish()
        } else {
            check_file(&bytes)?;
            let reader = arrow_ipc::reader::FileReader::try_new(Cursor::new(bytes), None).map_err(damaged)?;
            let mut columns = Columns::new(&reader.schema(), missing)?;
            columns.append_all(reader, "Arrow")?;
            columns.finish()
        }
    })
}

thread_local! {
    /// Whether a panic of this thread is expected, and nothing to be told.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// A library that panics has been given a file that makes no sense.
pub(super) fn guarded<T, E: From<TableError>>(kind: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                usual(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    result.unwrap_or_else(|_| Err(damaged(kind, "its parts do not fit together").into()))
}

pub(super) fn damaged(kind: &str, reason: &str) -> TableError {
    const SHOWN: usize = 200;
    let reason: String = reason.lines().next().unwrap_or_default().chars().take(SHOWN).collect();
    let hint = if reason.contains("ZSTD") || reason.contains("zstd") {
        "write it with another compression, such as `compression=\"snappy\"` or `\"lz4\"`"
    } else {
        "is it complete? write it again"
    };
    TableError::new(format!("the {kind} file cannot be read: {reason}")).hint(hint)
}

/// The columns of a file that is being read.
struct Columns {
    names: Vec<String>,
    builders: Vec<Builder>,
    missing: Missing,
    /// Rows of the file so far.
    seen: usize,
    kept: usize,
}

impl Columns {
    fn new(schema: &Schema, missing: Missing) -> Result<Self, TableError> {
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        if names.len() > MAX_COLUMNS {
            let error = TableError::new(format!("the table has {} columns", names.len()));
            return Err(error.hint("choose those that are needed"));
        }
        if names.is_empty() {
            return Err(TableError::new("the table has no columns"));
        }
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return Err(TableError::new("two columns have this name").in_column(name).hint("rename one of them"));
            }
        }
        let builders = names.iter().map(|_| Builder::default()).collect();
        Ok(Columns { names, builders, missing, seen: 0, kept: 0 })
    }

    /// Refuses more rows than can be held, whatever the file claims.
    fn check_size(&self, rows: usize) -> Result<(), TableError> {
        if rows > MAX_ROWS || rows.saturating_mul(self.names.len()) > MAX_CELLS {
            let message = format!("the table has {rows} rows of {} columns", self.names.len());
            return Err(TableError::new(message).hint("split it, or leave out columns"));
        }
        Ok(())
    }

    fn append_all(
        &mut self,
        batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
        kind: &str,
    ) -> Result<(), TableError> {
        for batch in batches {
            self.append(&batch.map_err(|error| damaged(kind, &error.to_string()))?)?;
        }
        Ok(())
    }

    fn append(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        self.check_size(self.seen.saturating_add(batch.num_rows()))?;
        let mut keep = vec![true; batch.num_rows()];
        for (array, name) in batch.columns().iter().zip(&self.names) {
            if self.missing == Missing::AsPandas {
                break;
            }
            for row in missing_cells(&**array) {
                if self.missing == Missing::Refuse {
                    let error = TableError::new("the value is missing").at_row(self.seen + row + 1).in_column(name);
                    return Err(error.hint(super::MISSING_HINT));
                }
                keep[row] = false;
            }
        }
        for ((array, name), builder) in batch.columns().iter().zip(&self.names).zip(&mut self.builders) {
            append(builder, &**array, &keep).map_err(|fault| {
                let error = TableError::new(fault.message).in_column(name).hint(fault.hint);
                match fault.row {
                    Some(row) => error.at_row(self.seen + row + 1),
                    None => error,
                }
            })?;
        }
        self.seen += batch.num_rows();
        self.kept += keep.iter().filter(|keep| **keep).count();
        Ok(())
    }

    fn finish(self) -> Result<Table, TableError> {
        if self.kept == 0 {
            return Err(match self.seen {
                0 => TableError::new("the table has no rows"),
                _ => TableError::new("no row is left: each has a missing value").hint("fill them in"),
            });
        }
        let columns = self.builders.into_iter().zip(self.names).map(|(builder, name)| builder.finish(name, None));
        let dropped = self.seen - self.kept;
        Ok(Table { columns: columns.collect(), row_count: self.kept, dropped, notes: Vec::new() })
    }
}
