//! The columns of a Parquet file: what their physical and logical types mean, and their values piece by piece.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescriptor;

use super::moments::Unit;
use super::typed::{Meaning, Stored, Values, half};

/// What a column holds; its type in words where that is nothing to analyse.
pub(super) fn meaning(column: &ColumnDescriptor) -> Result<Meaning, String> {
    let physical = column.physical_type();
    let other = || match column.logical_type_ref() {
        Some(logical) => format!("{logical:?}"),
        None => format!("{physical}"),
    };
    if let Some(logical) = column.logical_type_ref() {
        return match logical {
            LogicalType::String | LogicalType::Enum | LogicalType::Json => Ok(Meaning::Texts),
            LogicalType::Decimal(decimal) => Ok(Meaning::Decimals { scale: decimal.scale }),
            LogicalType::Date => Ok(Meaning::Dates),
            LogicalType::Time(time) => Ok(Meaning::Times(unit(&time.unit))),
            LogicalType::Timestamp(moment) => Ok(Meaning::Moments(unit(&moment.unit))),
            LogicalType::Integer(integer) => Ok(Meaning::Integers { signed: integer.is_signed }),
            LogicalType::Unknown => Ok(Meaning::Nothing),
            LogicalType::Float16 => Ok(Meaning::Numbers),
            LogicalType::Map
            | LogicalType::List
            | LogicalType::Bson
            | LogicalType::Uuid
            | LogicalType::Variant(_)
            | LogicalType::Geometry(_)
            | LogicalType::Geography(_)
            | LogicalType::File
            | LogicalType::_Unknown { .. } => Err(other()),
        };
    }
    match (column.converted_type(), physical) {
        (ConvertedType::NONE, Physical::BOOLEAN) => Ok(Meaning::Booleans),
        (ConvertedType::NONE, Physical::INT32 | Physical::INT64) => Ok(Meaning::Integers { signed: true }),
        (ConvertedType::NONE, Physical::FLOAT | Physical::DOUBLE) => Ok(Meaning::Numbers),
        // Only ever used for moments.
        (ConvertedType::NONE, Physical::INT96) => Ok(Meaning::Moments(Unit::Nanoseconds)),
        (ConvertedType::NONE, Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY) => Err("Binary".to_owned()),
        (ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON, _) => Ok(Meaning::Texts),
        (ConvertedType::DECIMAL, _) => Ok(Meaning::Decimals { scale: column.type_scale() }),
        (ConvertedType::DATE, _) => Ok(Meaning::Dates),
        (ConvertedType::TIME_MILLIS, _) => Ok(Meaning::Times(Unit::Milliseconds)),
        (ConvertedType::TIME_MICROS, _) => Ok(Meaning::Times(Unit::Microseconds)),
        (ConvertedType::TIMESTAMP_MILLIS, _) => Ok(Meaning::Moments(Unit::Milliseconds)),
        (ConvertedType::TIMESTAMP_MICROS, _) => Ok(Meaning::Moments(Unit::Microseconds)),
        (ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64, _) => {
            Ok(Meaning::Integers { signed: false })
        }
        (ConvertedType::INT_8 | ConvertedType::INT_16 | ConvertedType::INT_32 | ConvertedType::INT_64, _) => {
            Ok(Meaning::Integers { signed: true })
        }
        (
            ConvertedType::MAP
            | ConvertedType::MAP_KEY_VALUE
            | ConvertedType::LIST
            | ConvertedType::BSON
            | ConvertedType::INTERVAL,
            _,
        ) => Err(column.converted_type().to_string()),
    }
}

fn unit(unit: &TimeUnit) -> Unit {
    match unit {
        TimeUnit::MILLIS => Unit::Milliseconds,
        TimeUnit::MICROS => Unit::Microseconds,
        TimeUnit::NANOS => Unit::Nanoseconds,
    }
}

/// Reads so many rows of a column that is not nested.
pub(super) fn read(
    reader: &mut ColumnReader,
    meaning: Meaning,
    optional: bool,
    rows: usize,
) -> Result<Values, ParquetError> {
    let mut levels = Vec::new();
    let there = optional.then_some(&mut levels);
    let stored = match reader {
        ColumnReader::BoolColumnReader(reader) => Stored::Booleans(all(reader, there, rows)?),
        ColumnReader::Int32ColumnReader(reader) => {
            let is_unsigned = meaning == Meaning::Integers { signed: false };
            let widen = |value: i32| if is_unsigned { i64::from(value.cast_unsigned()) } else { i64::from(value) };
            Stored::Integers(all(reader, there, rows)?.into_iter().map(widen).collect())
        }
        ColumnReader::Int64ColumnReader(reader) => Stored::Integers(all(reader, there, rows)?),
        ColumnReader::Int96ColumnReader(reader) => {
            Stored::Integers(all(reader, there, rows)?.iter().map(|value| value.to_nanos()).collect())
        }
        ColumnReader::FloatColumnReader(reader) => {
            Stored::Numbers(all(reader, there, rows)?.into_iter().map(f64::from).collect())
        }
        ColumnReader::DoubleColumnReader(reader) => Stored::Numbers(all(reader, there, rows)?),
        ColumnReader::ByteArrayColumnReader(reader) => Stored::Bytes(all(reader, there, rows)?),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            let values = all(reader, there, rows)?.into_iter();
            match meaning {
                Meaning::Numbers => Stored::Numbers(values.map(|value| half(value.data())).collect()),
                _ => Stored::Bytes(values.map(ByteArray::from).collect()),
            }
        }
    };
    let is_there: Option<Vec<bool>> = optional.then(|| levels.iter().map(|level| *level > 0).collect());
    let count = is_there.as_ref().map_or(rows, |there| there.iter().filter(|there| **there).count());
    if stored.len() != count || is_there.as_ref().is_some_and(|there| there.len() != rows) {
        return Err(ParquetError::EOF("a column has fewer rows than the file says".to_owned()));
    }
    // Most columns may have missing values, and have none.
    let is_there = is_there.filter(|_| count < rows);
    Ok(Values { meaning, stored, is_there })
}

/// Reads so many rows; gives the values that are there.
fn all<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    mut levels: Option<&mut Vec<i16>>,
    rows: usize,
) -> Result<Vec<T::T>, ParquetError> {
    let mut values = Vec::new();
    let mut read = 0;
    while read < rows {
        let (records, _, _) = reader.read_records(rows - read, levels.as_deref_mut(), None, &mut values)?;
        if records == 0 {
            break;
        }
        read += records;
    }
    Ok(values)
}
