//! Parquet files: columns that have types already, row group by row group.
//!
//! Values are read as the file stores them, not through Arrow's arrays: that would be three times as much library for
//! the same cells. The library is given nothing that it could fill the memory with, and a panic in it is an error of the
//! file.

use std::fs::File;

use parquet::basic::Repetition;
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::assemble::Columns;
use super::damaged::{damaged, guarded};
use super::parquet_cells::{meaning, read};
use super::typed::{Meaning, Values};
use super::{Missing, Table, TableError};

/// Rows that are decoded at once.
const BATCH_ROWS: usize = 1 << 16;

/// Reads a Parquet file.
pub(super) fn read_parquet(file: File, missing: Missing) -> Result<Table, TableError> {
    guarded("Parquet", || {
        let file = Opened::new(file)?;
        let places: Vec<usize> = (0..file.fields.len()).collect();
        let mut columns = Columns::new(file.names(&places), missing)?;
        columns.check_size(usize::try_from(file.rows()).unwrap_or(usize::MAX))?;
        file.go_through(&places, &mut |rows, values| columns.append(rows, values))?;
        columns.finish()
    })
}

/// The names of a Parquet file's columns, and how many rows it says it has.
pub(super) fn parquet_names(file: File) -> Result<(Vec<String>, u64), TableError> {
    guarded("Parquet", || {
        let file = Opened::new(file)?;
        let places: Vec<usize> = (0..file.fields.len()).collect();
        Ok((Columns::new(file.names(&places), Missing::AsPandas)?.names, file.rows()))
    })
}

/// Goes through some columns of a Parquet file, piece by piece; they come in the file's order.
pub(super) fn parquet_pieces<E: From<TableError>>(
    file: File,
    places: &[usize],
    each: &mut dyn FnMut(&Table) -> Result<(), E>,
) -> Result<(), E> {
    guarded("Parquet", || {
        let file = Opened::new(file)?;
        let mut places = places.to_vec();
        places.sort_unstable();
        places.dedup();
        let names = file.names(&places);
        let mut before = 0;
        file.go_through(&places, &mut |rows, values| {
            let mut columns = Columns::new(names.clone(), Missing::AsPandas)?;
            columns.append(rows, values).map_err(|mut error| {
                error.row = error.row.map(|row| row + before);
                error
            })?;
            before += rows;
            each(&columns.finish()?)
        })
    })
}

/// A file whose end has been read.
struct Opened {
    reader: SerializedFileReader<File>,
    fields: Vec<Field>,
}

/// A column of the table.
struct Field {
    name: String,
    /// Where its values are, what they mean, and whether some may be missing; for a nested column its type in words.
    column: Result<(usize, Meaning, bool), String>,
}

impl Opened {
    fn new(file: File) -> Result<Self, TableError> {
        let reader = SerializedFileReader::new(file).map_err(unreadable)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let fields = schema.root_schema().get_fields().iter().enumerate().map(|(place, field)| {
            let is_plain = field.is_primitive() && field.get_basic_info().repetition() != Repetition::REPEATED;
            let leaf = (0..schema.num_columns()).find(|leaf| schema.get_column_root_idx(*leaf) == place);
            let column = match leaf.filter(|_| is_plain) {
                Some(leaf) => {
                    let column = schema.column(leaf);
                    meaning(&column).map(|meaning| (leaf, meaning, column.max_def_level() > 0))
                }
                None => Err(match field.get_basic_info().logical_type_ref() {
                    Some(logical) => format!("{logical:?}"),
                    None => "Struct".to_owned(),
                }),
            };
            Field { name: field.name().to_owned(), column }
        });
        let fields = fields.collect();
        Ok(Opened { reader, fields })
    }

    fn names(&self, places: &[usize]) -> Vec<String> {
        places.iter().map(|place| self.fields[*place].name.clone()).collect()
    }

    /// How many rows the file says it has.
    fn rows(&self) -> u64 {
        u64::try_from(self.reader.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Hands over the values of some columns, some rows at a time.
    fn go_through<E: From<TableError>>(
        &self,
        places: &[usize],
        each: &mut dyn FnMut(usize, &[Values]) -> Result<(), E>,
    ) -> Result<(), E> {
        let fields = places.iter().map(|place| {
            let field = &self.fields[*place];
            field.column.as_ref().map_err(|kind| {
                let error = TableError::new(format!("the column has the type {kind}")).in_column(&field.name);
                error.hint("drop it: numbers, booleans, strings and dates are supported")
            })
        });
        let fields = fields.collect::<Result<Vec<_>, TableError>>()?;
        for group in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(group).map_err(unreadable)?;
            let readers = fields.iter().map(|(leaf, _, _)| group.get_column_reader(*leaf));
            let mut readers: Vec<ColumnReader> = readers.collect::<Result<_, _>>().map_err(unreadable)?;
            let mut left = usize::try_from(group.metadata().num_rows())
                .map_err(|_| damaged("Parquet", "a group of rows has no length"))?;
            while left > 0 {
                let rows = left.min(BATCH_ROWS);
                let values = readers.iter_mut().zip(&fields);
                let values = values.map(|(reader, (_, meaning, optional))| read(reader, *meaning, *optional, rows));
                let values = values.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
                each(rows, &values)?;
                left -= rows;
            }
        }
        Ok(())
    }
}

fn unreadable(error: ParquetError) -> TableError {
    damaged("Parquet", &error.to_string())
}
