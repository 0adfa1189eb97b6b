//! Columns of a file that has types, put together from pieces of rows.

use super::builder::Builder;
use super::{MAX_CELLS, MAX_COLUMNS, MAX_ROWS, Missing, Table, TableError};

/// Some rows of a column, as its file holds them.
pub(super) trait Piece {
    /// The rows whose value is missing: null, or not a number.
    fn missing(&self) -> Vec<usize>;

    /// Appends the cells of the rows to keep.
    fn append(&self, builder: &mut Builder, keep: &[bool]) -> Result<(), CellFault>;
}

/// What is wrong with a column, and in which row of the piece.
pub(super) struct CellFault {
    pub(super) row: Option<usize>,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

impl CellFault {
    pub(super) fn of_type(name: &str) -> Self {
        CellFault {
            row: None,
            message: format!("the column has the type {name}"),
            hint: "drop it: numbers, booleans, strings and dates are supported",
        }
    }

    pub(super) fn changed_type() -> Self {
        let message = "the column changes its type partway through".to_owned();
        CellFault { row: None, message, hint: "write the file again" }
    }
}

/// The columns of a file that is being read.
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    builders: Vec<Builder>,
    missing: Missing,
    /// Rows of the file so far.
    seen: usize,
    kept: usize,
}

impl Columns {
    pub(super) fn new(names: Vec<String>, missing: Missing) -> Result<Self, TableError> {
        if names.len() > MAX_COLUMNS {
            let error = TableError::new(format!("the table has {} columns", names.len()));
            return Err(error.hint("select those that are needed"));
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
    pub(super) fn check_size(&self, rows: usize) -> Result<(), TableError> {
        if rows > MAX_ROWS || rows.saturating_mul(self.names.len()) > MAX_CELLS {
            let message = format!("the table has {rows} rows of {} columns", self.names.len());
            return Err(TableError::new(message).hint("split it, or leave out columns"));
        }
        Ok(())
    }

    /// Appends some rows: a piece for each column.
    pub(super) fn append(&mut self, rows: usize, pieces: &[impl Piece]) -> Result<(), TableError> {
        self.check_size(self.seen.saturating_add(rows))?;
        let mut keep = vec![true; rows];
        for (piece, name) in pieces.iter().zip(&self.names) {
            if self.missing == Missing::AsPandas {
                break;
            }
            for row in piece.missing() {
                if self.missing == Missing::Refuse {
                    let error = TableError::new("the value is missing").at_row(self.seen + row + 1).in_column(name);
                    return Err(error.hint(super::MISSING_HINT));
                }
                keep[row] = false;
            }
        }
        for ((piece, name), builder) in pieces.iter().zip(&self.names).zip(&mut self.builders) {
            piece.append(builder, &keep).map_err(|fault| {
                let error = TableError::new(fault.message).in_column(name).hint(fault.hint);
                match fault.row {
                    Some(row) => error.at_row(self.seen + row + 1),
                    None => error,
                }
            })?;
        }
        self.seen += rows;
        self.kept += keep.iter().filter(|keep| **keep).count();
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Table, TableError> {
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
