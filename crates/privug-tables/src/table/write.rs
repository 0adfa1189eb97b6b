//! Typed columns to a Parquet file, some rows at a time.

use std::io::{self, Write};

/// The values of some rows of a column; `None` is a missing one.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Integers.
    Integers(Vec<Option<i64>>),
    /// How many there are of something.
    Counts(Vec<Option<u64>>),
    /// Booleans.
    Booleans(Vec<Option<bool>>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

/// Some rows of a column that is being written.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnPiece<'a> {
    /// What the column is called.
    pub name: &'a str,
    /// Its values in these rows.
    pub cells: Cells,
    /// Whether values may be missing, in these rows or in others.
    pub may_be_missing: bool,
}

impl<'a> ColumnPiece<'a> {
    /// Values of which some may be missing.
    pub fn optional(name: &'a str, cells: Cells) -> Self {
        ColumnPiece { name, cells, may_be_missing: true }
    }

    /// Values of which none is missing.
    pub fn required(name: &'a str, cells: Cells) -> Self {
        ColumnPiece { name, cells, may_be_missing: false }
    }
}

#[cfg(feature = "arrow")]
pub use parquet_file::ParquetWriter;

#[cfg(not(feature = "arrow"))]
pub use nowhere::ParquetWriter;

#[cfg(feature = "arrow")]
mod parquet_file {
    use std::sync::Arc;

    use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
    use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
    use parquet::errors::ParquetError;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
    use parquet::schema::types::Type;

    use super::*;

    /// Writes a Parquet file. The first piece tells which columns there are; every piece is a group of rows.
    pub struct ParquetWriter<W: Write + Send> {
        file: SerializedFileWriter<W>,
    }

    impl<W: Write + Send> ParquetWriter<W> {
        /// A file with these columns, and no rows yet.
        pub fn new(out: W, columns: &[ColumnPiece<'_>]) -> io::Result<Self> {
            let fields = columns.iter().map(|column| schema(column).map(Arc::new));
            let fields = fields.collect::<Result<_, _>>().map_err(io::Error::other)?;
            let table = Type::group_type_builder("table").with_fields(fields).build().map_err(io::Error::other)?;
            let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
            let file = SerializedFileWriter::new(out, Arc::new(table), Arc::new(properties));
            Ok(ParquetWriter { file: file.map_err(io::Error::other)? })
        }

        /// Writes some rows: the same columns in the same order.
        pub fn write(&mut self, columns: &[ColumnPiece<'_>]) -> io::Result<()> {
            self.write_group(columns).map_err(io::Error::other)
        }

        fn write_group(&mut self, columns: &[ColumnPiece<'_>]) -> Result<(), ParquetError> {
            let mut rows = self.file.next_row_group()?;
            for column in columns {
                let Some(mut writer) = rows.next_column()? else {
                    return Err(ParquetError::General("a piece has more columns than the file".to_owned()));
                };
                let optional = column.may_be_missing;
                match &column.cells {
                    Cells::Numbers(values) => put::<DoubleType, _>(&mut writer, values, optional, |value| *value),
                    Cells::Integers(values) => put::<Int64Type, _>(&mut writer, values, optional, |value| *value),
                    Cells::Counts(values) => put::<Int64Type, _>(&mut writer, values, optional, |value| *value as i64),
                    Cells::Booleans(values) => put::<BoolType, _>(&mut writer, values, optional, |value| *value),
                    Cells::Texts(values) => {
                        put::<ByteArrayType, _>(&mut writer, values, optional, |value| ByteArray::from(value.as_str()))
                    }
                }?;
                writer.close()?;
            }
            rows.close().map(|_| ())
        }

        /// Writes the end of the file.
        pub fn finish(mut self) -> io::Result<()> {
            self.file.finish().map_err(io::Error::other)?;
            self.file.inner_mut().flush()
        }
    }

    fn schema(column: &ColumnPiece<'_>) -> Result<Type, ParquetError> {
        let (physical, logical) = match column.cells {
            Cells::Numbers(_) => (Physical::DOUBLE, None),
            Cells::Integers(_) => (Physical::INT64, None),
            Cells::Counts(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Cells::Booleans(_) => (Physical::BOOLEAN, None),
            Cells::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if column.may_be_missing { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let builder = Type::primitive_type_builder(column.name, physical);
        builder.with_repetition(repetition).with_logical_type(logical).build()
    }

    /// Writes the values that are there; of an optional column also which those are.
    fn put<D: DataType, V>(
        writer: &mut SerializedColumnWriter<'_>,
        values: &[Option<V>],
        optional: bool,
        stored: impl Fn(&V) -> D::T,
    ) -> Result<(), ParquetError> {
        let there: Vec<D::T> = values.iter().flatten().map(stored).collect();
        if !optional && there.len() != values.len() {
            return Err(ParquetError::General("a value is missing in a column that has all of them".to_owned()));
        }
        let levels: Option<Vec<i16>> =
            optional.then(|| values.iter().map(|value| i16::from(value.is_some())).collect());
        writer.typed::<D>().write_batch(&there, levels.as_deref(), None).map(|_| ())
    }
}

#[cfg(not(feature = "arrow"))]
mod nowhere {
    use std::convert::Infallible;
    use std::marker::PhantomData;

    use super::*;

    /// Writes no file: this build has no Parquet. There is never such a writer.
    pub struct ParquetWriter<W: Write + Send> {
        never: Infallible,
        out: PhantomData<W>,
    }

    impl<W: Write + Send> ParquetWriter<W> {
        /// Refuses.
        pub fn new(_: W, _: &[ColumnPiece<'_>]) -> io::Result<Self> {
            let message =
                "this build of privug has no Parquet; write a .csv file, or build it with the feature `arrow`";
            Err(io::Error::new(io::ErrorKind::Unsupported, message))
        }

        /// Some rows.
        pub fn write(&mut self, _: &[ColumnPiece<'_>]) -> io::Result<()> {
            match self.never {}
        }

        /// The end of the file.
        pub fn finish(self) -> io::Result<()> {
            match self.never {}
        }
    }
}

#[cfg(all(test, feature = "arrow"))]
mod tests {
    use super::*;
    use crate::table::{Data, Missing, read};

    #[test]
    fn what_is_written_in_pieces_is_read_back() {
        let pieces = |from: u64| {
            let number = |place: u64| (!place.is_multiple_of(3)).then(|| place as f64 / 8.0);
            vec![
                ColumnPiece::required(
                    "name",
                    Cells::Texts((from..from + 4).map(|place| Some(format!("p{place}"))).collect()),
                ),
                ColumnPiece::optional("number", Cells::Numbers((from..from + 4).map(number).collect())),
                ColumnPiece::required("count", Cells::Counts((from..from + 4).map(Some).collect())),
                ColumnPiece::optional(
                    "known",
                    Cells::Booleans((from..from + 4).map(|place| Some(place % 2 == 0)).collect()),
                ),
                ColumnPiece::optional(
                    "whole",
                    Cells::Integers((from..from + 4).map(|place| Some(-(place as i64))).collect()),
                ),
            ]
        };
        let path = std::env::temp_dir().join(format!("privug-written-{}.parquet", std::process::id()));
        let mut writer =
            ParquetWriter::new(std::fs::File::create(&path).expect("a file"), &pieces(0)).expect("a writer");
        writer.write(&pieces(0)).expect("rows");
        writer.write(&pieces(4)).expect("more rows");
        writer.finish().expect("an end");
        let table = read(&path, Missing::AsPandas).expect("a table");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(table.row_count(), 8);
        for row in 0..8 {
            let shown = |column: &str| table.column(column).and_then(|column| column.data().show(row));
            assert_eq!(shown("name"), Some(format!("p{row}")));
            assert_eq!(shown("number"), (row % 3 != 0).then(|| (row as f64 / 8.0).to_string()));
            assert_eq!(shown("count"), Some(row.to_string()));
            assert_eq!(shown("known"), Some(if row % 2 == 0 { "True" } else { "False" }.to_owned()));
            assert_eq!(shown("whole"), Some((-(row as i64)).to_string()));
        }
        assert!(matches!(table.column("whole").map(|column| column.data()), Some(Data::Integers(_))));
    }

    #[test]
    fn a_value_that_must_be_there_and_is_missing_is_an_error() {
        let pieces = [ColumnPiece::required("a", Cells::Numbers(vec![None]))];
        let mut writer = ParquetWriter::new(Vec::new(), &pieces).expect("a writer");
        assert!(writer.write(&pieces).is_err());
    }
}
