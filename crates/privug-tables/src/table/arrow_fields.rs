//! The columns that an Arrow file says it has: their types, and how their values lie in its buffers.

use super::flatbuffer::Fields;
use super::moments::Unit;
use super::typed::Meaning;

/// A column of an Arrow file.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) values: Layout,
    pub(super) meaning: Meaning,
    /// The column holds places in the dictionary of this number, which holds the values.
    pub(super) dictionary: Option<(i64, Layout)>,
}

/// How values lie in buffers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Layout {
    /// No buffers at all.
    Nothing,
    Bits,
    /// Integers of so many bytes.
    Integers {
        bytes: usize,
        signed: bool,
    },
    /// Dates as milliseconds, of which only the day counts.
    Milliseconds,
    /// Numbers of so many bytes.
    Numbers {
        bytes: usize,
    },
    /// Integers of 16 or 32 bytes.
    Wide {
        bytes: usize,
    },
    /// Texts one behind the other, and where each begins, in integers of so many bytes.
    Texts {
        offset_bytes: usize,
    },
    /// Short texts in place, long ones in buffers of their own.
    TextViews,
}

/// The columns of a schema, or what is wrong with it: a column that cannot be analysed, and its type in words.
pub(super) fn fields(schema: Fields<'_>) -> Result<Vec<Field>, SchemaFault> {
    if schema.i16(0).unwrap_or(0) != 0 {
        return Err(SchemaFault::Malformed("its numbers are stored with the largest byte first"));
    }
    let malformed = || SchemaFault::Malformed("its schema is malformed");
    let tables = match schema.tables(1) {
        Some(tables) => tables,
        None => return Err(malformed()),
    };
    tables.into_iter().map(|field| read(field).ok_or_else(malformed)?).collect()
}

/// What is wrong with a schema.
pub(super) enum SchemaFault {
    Malformed(&'static str),
    Type { column: String, kind: &'static str },
}

/// A column; nothing if its description is malformed.
fn read(field: Fields<'_>) -> Option<Result<Field, SchemaFault>> {
    let name = field.text(0).unwrap_or_default().to_owned();
    let (values, meaning) = match layout(field.u8(2)?, field.table(3)?)? {
        Ok(found) => found,
        Err(kind) => return Some(Err(SchemaFault::Type { column: name, kind })),
    };
    let dictionary = match field.table(4) {
        None => None,
        Some(encoding) => {
            let places = match encoding.table(1) {
                Some(integer) => integers(integer)?,
                None => Layout::Integers { bytes: 4, signed: true },
            };
            Some((encoding.i64(0).unwrap_or(0), places))
        }
    };
    Some(Ok(Field { name, values, meaning, dictionary }))
}

/// The names that the format gives its types, by their numbers.
const TYPES: [&str; 27] = [
    "None",
    "Null",
    "Int",
    "FloatingPoint",
    "Binary",
    "Utf8",
    "Bool",
    "Decimal",
    "Date",
    "Time",
    "Timestamp",
    "Interval",
    "List",
    "Struct",
    "Union",
    "FixedSizeBinary",
    "FixedSizeList",
    "Map",
    "Duration",
    "LargeBinary",
    "LargeUtf8",
    "LargeList",
    "RunEndEncoded",
    "BinaryView",
    "Utf8View",
    "ListView",
    "LargeListView",
];

/// How values of a type lie in buffers and what they mean; the type's name if they cannot be analysed.
fn layout(number: u8, details: Fields<'_>) -> Option<Result<(Layout, Meaning), &'static str>> {
    let long = Layout::Integers { bytes: 8, signed: true };
    let short = Layout::Integers { bytes: 4, signed: true };
    let name = *TYPES.get(usize::from(number))?;
    Some(Ok(match name {
        "Null" => (Layout::Nothing, Meaning::Nothing),
        "Int" => {
            let layout = integers(details)?;
            (layout, Meaning::Integers { signed: matches!(layout, Layout::Integers { signed: true, .. }) })
        }
        "FloatingPoint" => match details.i16(0).unwrap_or(0) {
            0 => (Layout::Numbers { bytes: 2 }, Meaning::Numbers),
            1 => (Layout::Numbers { bytes: 4 }, Meaning::Numbers),
            2 => (Layout::Numbers { bytes: 8 }, Meaning::Numbers),
            _ => return None,
        },
        "Utf8" => (Layout::Texts { offset_bytes: 4 }, Meaning::Texts),
        "LargeUtf8" => (Layout::Texts { offset_bytes: 8 }, Meaning::Texts),
        "Utf8View" => (Layout::TextViews, Meaning::Texts),
        "Bool" => (Layout::Bits, Meaning::Booleans),
        "Decimal" => {
            let meaning = Meaning::Decimals { scale: details.i32(1).unwrap_or(0) };
            match details.i32(2).unwrap_or(128) {
                32 => (short, meaning),
                64 => (long, meaning),
                128 => (Layout::Wide { bytes: 16 }, meaning),
                256 => (Layout::Wide { bytes: 32 }, meaning),
                _ => return None,
            }
        }
        "Date" => match details.i16(0).unwrap_or(1) {
            0 => (short, Meaning::Dates),
            1 => (Layout::Milliseconds, Meaning::Dates),
            _ => return None,
        },
        "Time" => {
            let layout = if details.i32(1).unwrap_or(32) == 32 { short } else { long };
            (layout, Meaning::Times(unit(details.i16(0).unwrap_or(1))?))
        }
        "Timestamp" => (long, Meaning::Moments(unit(details.i16(0).unwrap_or(0))?)),
        other => return Some(Err(other)),
    }))
}

fn integers(details: Fields<'_>) -> Option<Layout> {
    let bytes = match details.i32(0).unwrap_or(0) {
        8 => 1,
        16 => 2,
        32 => 4,
        64 => 8,
        _ => return None,
    };
    Some(Layout::Integers { bytes, signed: details.u8(1).unwrap_or(0) != 0 })
}

fn unit(number: i16) -> Option<Unit> {
    Some(match number {
        0 => Unit::Seconds,
        1 => Unit::Milliseconds,
        2 => Unit::Microseconds,
        3 => Unit::Nanoseconds,
        _ => return None,
    })
}
