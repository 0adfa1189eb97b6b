//! What is wrong with a table.

use std::fmt;

/// Why a table cannot be read: where, what, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// The file.
    pub path: String,
    /// The row, from 1, not counting the names of the columns.
    pub row: Option<usize>,
    /// The line of the file that the row starts on, from 1, for text files.
    pub line: Option<u64>,
    /// The column.
    pub column: Option<Box<str>>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<Box<str>>,
}

impl TableError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        TableError { path: String::new(), row: None, line: None, column: None, message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn at_row(mut self, row: usize) -> Self {
        self.row = Some(row);
        self
    }

    pub(crate) fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    pub(crate) fn in_column(mut self, column: &str) -> Self {
        self.column = Some(column.into());
        self
    }

    pub(crate) fn in_file(mut self, path: &str) -> Self {
        self.path = path.to_owned();
        self
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.path)?;
        match (self.row, self.line) {
            (Some(row), Some(line)) => write!(formatter, "row {row} (line {line})")?,
            (Some(row), None) => write!(formatter, "row {row}")?,
            (None, Some(line)) => write!(formatter, "line {line}")?,
            (None, None) => {}
        }
        let placed = self.row.is_some() || self.line.is_some();
        if let Some(column) = &self.column {
            write!(formatter, "{}column `{column}`", if placed { ", " } else { "" })?;
        }
        if placed || self.column.is_some() {
            write!(formatter, ": ")?;
        }
        write!(formatter, "{}", self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TableError {}
