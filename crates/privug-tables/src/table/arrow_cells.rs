//! The cells of Arrow's arrays, by the type of the array.

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{as_date, as_datetime, as_time};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, PrimitiveArray};
use arrow_schema::{DataType, TimeUnit};

use super::builder::{Builder, Cell};
use super::{MAX_CELL_BYTES, NO_LABEL};

/// What is wrong with a column, and in which row of the batch.
pub(super) struct CellFault {
    pub(super) row: Option<usize>,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

/// The rows whose value is missing: null, or not a number.
pub(super) fn missing_cells(array: &dyn Array) -> Vec<usize> {
    let nulls = array.logical_nulls();
    let is_null = |row: usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
    let is_nan: Box<dyn Fn(usize) -> bool> = match array.data_type() {
        DataType::Float16 => Box::new(|row| array.as_primitive::<Float16Type>().value(row).is_nan()),
        DataType::Float32 => Box::new(|row| array.as_primitive::<Float32Type>().value(row).is_nan()),
        DataType::Float64 => {
            let values = array.as_primitive::<Float64Type>().values();
            Box::new(|row| values[row].is_nan())
        }
        _ if nulls.is_none() => return Vec::new(),
        _ => Box::new(|_| false),
    };
    (0..array.len()).filter(|row| is_null(*row) || is_nan(*row)).collect()
}

/// Appends the cells of the rows to keep.
pub(super) fn append(builder: &mut Builder, array: &dyn Array, keep: &[bool]) -> Result<(), CellFault> {
    let mut is_missing = vec![false; array.len()];
    missing_cells(array).into_iter().for_each(|row| is_missing[row] = true);
    let kept = || (0..array.len()).filter(|row| keep[*row]);
    // `None` for a missing cell.
    let rows = || kept().map(|row| (!is_missing[row]).then_some(row));
    match array.data_type() {
        DataType::Int8 => integers::<Int8Type>(builder, array, rows()),
        DataType::Int16 => integers::<Int16Type>(builder, array, rows()),
        DataType::Int32 => integers::<Int32Type>(builder, array, rows()),
        DataType::Int64 => integers::<Int64Type>(builder, array, rows()),
        DataType::UInt8 => integers::<UInt8Type>(builder, array, rows()),
        DataType::UInt16 => integers::<UInt16Type>(builder, array, rows()),
        DataType::UInt32 => integers::<UInt32Type>(builder, array, rows()),
        DataType::UInt64 => integers::<UInt64Type>(builder, array, rows()),
        DataType::Float16 => numbers::<Float16Type>(builder, array, rows(), |value| value.to_f64()),
        DataType::Float32 => numbers::<Float32Type>(builder, array, rows(), f64::from),
        DataType::Float64 => numbers::<Float64Type>(builder, array, rows(), |value| value),
        DataType::Decimal128(_, _) => decimals::<Decimal128Type>(builder, array, rows()),
        DataType::Decimal256(_, _) => decimals::<Decimal256Type>(builder, array, rows()),
        DataType::Boolean => {
            let values = array.as_boolean();
            cells(builder, rows().map(|row| row.map_or(Cell::Missing, |row| Cell::Boolean(values.value(row)))))
        }
        DataType::Utf8 => texts(builder, rows(), |row| array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => texts(builder, rows(), |row| array.as_string::<i64>().value(row)),
        DataType::Utf8View => texts(builder, rows(), |row| array.as_string_view().value(row)),
        DataType::Dictionary(_, values) if is_text(values) => coded_texts(builder, array, rows()),
        DataType::Date32 => {
            let values = array.as_primitive::<Date32Type>();
            moments(builder, rows(), |row| values.value_as_date(row).map(|date| date.to_string()))
        }
        DataType::Date64 => {
            let values = array.as_primitive::<Date64Type>();
            moments(builder, rows(), |row| as_date::<Date64Type>(values.value(row)).map(|date| date.to_string()))
        }
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => timestamps::<TimestampSecondType>(builder, array, rows()),
            TimeUnit::Millisecond => timestamps::<TimestampMillisecondType>(builder, array, rows()),
            TimeUnit::Microsecond => timestamps::<TimestampMicrosecondType>(builder, array, rows()),
            TimeUnit::Nanosecond => timestamps::<TimestampNanosecondType>(builder, array, rows()),
        },
        DataType::Time32(TimeUnit::Second) => times::<Time32SecondType>(builder, array, rows()),
        DataType::Time32(_) => times::<Time32MillisecondType>(builder, array, rows()),
        DataType::Time64(TimeUnit::Microsecond) => times::<Time64MicrosecondType>(builder, array, rows()),
        DataType::Time64(_) => times::<Time64NanosecondType>(builder, array, rows()),
        DataType::Null => cells(builder, kept().map(|_| Cell::Missing)),
        other => Err(CellFault {
            row: None,
            message: format!("the column has the type {other}"),
            hint: "leave it out: numbers, booleans, strings and dates are understood",
        }),
    }
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn cells<'c>(builder: &mut Builder, cells: impl Iterator<Item = Cell<'c>>) -> Result<(), CellFault> {
    for cell in cells {
        if !builder.push(cell) {
            let message = "the column changes its type on the way".to_owned();
            return Err(CellFault { row: None, message, hint: "write the file again" });
        }
    }
    Ok(())
}

fn integers<T: ArrowPrimitiveType>(
    builder: &mut Builder,
    array: &dyn Array,
    rows: impl Iterator<Item = Option<usize>>,
) -> Result<(), CellFault>
where
    i128: From<T::Native>,
{
    let values = array.as_primitive::<T>().values();
    for row in rows {
        let Some(row) = row else {
            cells(builder, [Cell::Missing].into_iter())?;
            continue;
        };
        let Ok(value) = i64::try_from(i128::from(values[row])) else {
            let message = "the integer is larger than 64 bits".to_owned();
            return Err(CellFault { row: Some(row), message, hint: "save the column as strings or as floats" });
        };
        cells(builder, [Cell::Integer(value)].into_iter())?;
    }
    Ok(())
}

fn numbers<T: ArrowPrimitiveType>(
    builder: &mut Builder,
    array: &dyn Array,
    rows: impl Iterator<Item = Option<usize>>,
    widen: impl Fn(T::Native) -> f64,
) -> Result<(), CellFault> {
    let values = array.as_primitive::<T>().values();
    for row in rows {
        let Some(row) = row else {
            cells(builder, [Cell::Missing].into_iter())?;
            continue;
        };
        let value = widen(values[row]);
        if !value.is_finite() {
            let message = format!("`{value}` is not a finite number");
            return Err(CellFault { row: Some(row), message, hint: "infinite values cannot be analysed" });
        }
        cells(builder, [Cell::Number(value)].into_iter())?;
    }
    Ok(())
}

fn decimals<T: DecimalType>(
    builder: &mut Builder,
    array: &dyn Array,
    rows: impl Iterator<Item = Option<usize>>,
) -> Result<(), CellFault>
where
    PrimitiveArray<T>: std::fmt::Debug,
{
    let values = array.as_primitive::<T>();
    for row in rows {
        let Some(row) = row else {
            cells(builder, [Cell::Missing].into_iter())?;
            continue;
        };
        let text = values.value_as_string(row);
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        let Some(value) = value else {
            let message = format!("`{text}` is not a finite number");
            return Err(CellFault { row: Some(row), message, hint: "save the column as floats" });
        };
        cells(builder, [Cell::Number(value)].into_iter())?;
    }
    Ok(())
}

fn texts<'t>(
    builder: &mut Builder,
    rows: impl Iterator<Item = Option<usize>>,
    text: impl Fn(usize) -> &'t str,
) -> Result<(), CellFault> {
    for row in rows {
        let Some(row) = row else {
            cells(builder, [Cell::Missing].into_iter())?;
            continue;
        };
        let text = text(row);
        check_length(text, row)?;
        cells(builder, [Cell::Text(text)].into_iter())?;
    }
    Ok(())
}

fn check_length(text: &str, row: usize) -> Result<(), CellFault> {
    if text.len() > MAX_CELL_BYTES {
        let message = format!("a cell is longer than {MAX_CELL_BYTES} bytes");
        return Err(CellFault { row: Some(row), message, hint: "leave the column out" });
    }
    Ok(())
}

/// Texts that are coded already: each label is looked up once for all rows.
fn coded_texts(
    builder: &mut Builder,
    array: &dyn Array,
    rows: impl Iterator<Item = Option<usize>>,
) -> Result<(), CellFault> {
    let dictionary = array.as_any_dictionary();
    let labels = dictionary.values();
    let label = |place: usize| match labels.data_type() {
        DataType::LargeUtf8 => labels.as_string::<i64>().value(place).to_owned(),
        DataType::Utf8View => labels.as_string_view().value(place).to_owned(),
        _ => labels.as_string::<i32>().value(place).to_owned(),
    };
    let Some(texts) = builder.texts() else {
        let message = "the column changes its type on the way".to_owned();
        return Err(CellFault { row: None, message, hint: "write the file again" });
    };
    let keys = dictionary.normalized_keys();
    let mut codes: Vec<Option<u32>> = vec![None; labels.len()];
    for row in rows {
        let Some(row) = row else {
            texts.push_code(NO_LABEL);
            continue;
        };
        let place = keys[row];
        let code = match codes[place] {
            Some(code) => code,
            None => {
                let text = label(place);
                check_length(&text, row)?;
                *codes[place].insert(texts.code(&text))
            }
        };
        texts.push_code(code);
    }
    Ok(())
}

/// Dates and times, as texts.
fn moments(
    builder: &mut Builder,
    rows: impl Iterator<Item = Option<usize>>,
    text: impl Fn(usize) -> Option<String>,
) -> Result<(), CellFault> {
    for row in rows {
        let Some(row) = row else {
            cells(builder, [Cell::Missing].into_iter())?;
            continue;
        };
        match text(row) {
            Some(text) => cells(builder, [Cell::Text(&text)].into_iter())?,
            None => {
                let message = "the date is out of range".to_owned();
                return Err(CellFault { row: Some(row), message, hint: "save the column as strings" });
            }
        }
    }
    Ok(())
}

fn timestamps<T: ArrowPrimitiveType>(
    builder: &mut Builder,
    array: &dyn Array,
    rows: impl Iterator<Item = Option<usize>>,
) -> Result<(), CellFault>
where
    i64: From<T::Native>,
{
    let values = array.as_primitive::<T>();
    moments(builder, rows, |row| as_datetime::<T>(i64::from(values.value(row))).map(|moment| moment.to_string()))
}

fn times<T: ArrowPrimitiveType>(
    builder: &mut Builder,
    array: &dyn Array,
    rows: impl Iterator<Item = Option<usize>>,
) -> Result<(), CellFault>
where
    i64: From<T::Native>,
{
    let values = array.as_primitive::<T>();
    moments(builder, rows, |row| as_time::<T>(i64::from(values.value(row))).map(|time| time.to_string()))
}
