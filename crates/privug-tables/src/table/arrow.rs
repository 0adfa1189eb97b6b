//! Arrow files, with an index at their end or as a stream: messages, each with a description and the bytes behind it.
//!
//! Only flat columns are read, so this is a few pages; the library for all of Arrow would be several megabytes.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;

use super::arrow_fields::{Field, SchemaFault, fields};
use super::arrow_values::{Batch, Filled, broken};
use super::assemble::{CellFault, Columns};
use super::damaged::guarded;
use super::flatbuffer::{Fields, array};
use super::typed::Values;
use super::{Missing, Table, TableError};

/// An Arrow file is read as a whole; a larger one should be a Parquet file.
const MAX_ARROW_BYTES: u64 = 8 << 30;
const CONTINUATION: [u8; 4] = [0xff; 4];
const MAGIC: &[u8] = b"ARROW1";
/// The versions of the format that are read, by their numbers: the fourth, which Arrow writes since 2017, and the fifth.
const VERSIONS: [i16; 2] = [3, 4];

/// Reads an Arrow file, with or without an index at its end.
pub(super) fn read_arrow(mut file: File, is_stream: bool, missing: Missing) -> Result<Table, TableError> {
    let mut bytes = Vec::new();
    let read = (&mut file).take(MAX_ARROW_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| TableError::new(format!("the file cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_ARROW_BYTES {
        return Err(TableError::new("the Arrow file is too large").hint("save the table as a Parquet file"));
    }
    guarded("Arrow", || if is_stream { read_stream(&bytes, missing) } else { read_indexed(&bytes, missing) })
}

/// One message behind the other.
fn read_stream(mut bytes: &[u8], missing: Missing) -> Result<Table, TableError> {
    let no_schema = || broken("it does not begin with a schema");
    let (first, length) = Message::read(bytes)?.ok_or_else(no_schema)?;
    let Header::Schema(schema) = first.header()? else { return Err(no_schema()) };
    let mut reader = Reader::new(schema, missing, true)?;
    bytes = &bytes[length..];
    while let Some((message, length)) = Message::read(bytes)? {
        reader.take(&message)?;
        bytes = &bytes[length..];
    }
    reader.columns.finish()
}

/// The messages that the index names: dictionaries first, wherever they are.
fn read_indexed(bytes: &[u8], missing: Missing) -> Result<Table, TableError> {
    let malformed = || broken("its footer is malformed");
    let end = bytes.strip_suffix(MAGIC).ok_or_else(|| broken("its end is missing"))?;
    let (rest, length) = end.split_last_chunk::<4>().ok_or_else(|| broken("its end is missing"))?;
    let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| malformed())?;
    let start = rest.len().checked_sub(length).ok_or_else(|| broken("its footer is longer than the file"))?;
    let footer = Fields::root(&rest[start..]).ok_or_else(malformed)?;
    let mut reader = Reader::new(footer.table(1).ok_or_else(malformed)?, missing, false)?;
    for part in [2, 3] {
        for block in footer.structures::<24>(part).unwrap_or_default() {
            let outside = || broken("a part of it lies outside the file");
            let start = array(&block, 0).map(i64::from_le_bytes).and_then(|start| usize::try_from(start).ok());
            let message = start.and_then(|start| bytes.get(start..)).ok_or_else(outside)?;
            let (message, _) = Message::read(message)?.ok_or_else(outside)?;
            reader.take(&message)?;
        }
    }
    reader.columns.finish()
}

/// A description and the bytes behind it.
struct Message<'b> {
    description: Fields<'b>,
    body: &'b [u8],
}

/// What a message is about.
enum Header<'b> {
    Schema(Fields<'b>),
    Dictionary(Fields<'b>),
    Rows(Fields<'b>),
}

impl<'b> Message<'b> {
    /// The message at the start, and its length; nothing for the one that ends a stream, or where there is none.
    fn read(bytes: &'b [u8]) -> Result<Option<(Self, usize)>, TableError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let short = || broken("it ends in the middle");
        let malformed = || broken("a message is malformed");
        let head = if bytes.starts_with(&CONTINUATION) { 4 } else { 0 };
        let length = array(bytes, head).map(i32::from_le_bytes).ok_or_else(short)?;
        let length = usize::try_from(length).map_err(|_| malformed())?;
        if length == 0 {
            return Ok(None);
        }
        let start = head + 4 + length;
        let description = Fields::root(bytes.get(head + 4..start).ok_or_else(short)?).ok_or_else(malformed)?;
        if !VERSIONS.contains(&description.i16(0).unwrap_or(0)) {
            return Err(broken("it is written in another version of the format than the fourth and the fifth"));
        }
        let body = usize::try_from(description.i64(3).unwrap_or(0)).map_err(|_| malformed())?;
        let end = start.checked_add(body).filter(|end| *end <= bytes.len()).ok_or_else(short)?;
        Ok(Some((Message { description, body: &bytes[start..end] }, end)))
    }

    fn header(&self) -> Result<Header<'b>, TableError> {
        match (self.description.u8(1), self.description.table(2)) {
            (Some(1), Some(header)) => Ok(Header::Schema(header)),
            (Some(2), Some(header)) => Ok(Header::Dictionary(header)),
            (Some(3), Some(header)) => Ok(Header::Rows(header)),
            (Some(4 | 5), _) => Err(broken("it holds a tensor and not a table")),
            _ => Err(broken("a message is malformed")),
        }
    }
}

/// A file that is being read.
struct Reader {
    fields: Vec<Field>,
    dictionaries: HashMap<i64, Filled>,
    /// Whether a dictionary may be replaced: of a file all dictionaries are read before its rows, and it would not be known
    /// which of them rows mean.
    may_replace: bool,
    columns: Columns,
}

impl Reader {
    fn new(schema: Fields<'_>, missing: Missing, may_replace: bool) -> Result<Self, TableError> {
        let fields = fields(schema).map_err(|fault| match fault {
            SchemaFault::Malformed(reason) => broken(reason),
            SchemaFault::Type { column, kind } => {
                let fault = CellFault::of_type(kind);
                TableError::new(fault.message).in_column(&column).hint(fault.hint)
            }
        })?;
        let names = fields.iter().map(|field| field.name.clone()).collect();
        let mut with_dictionary: HashMap<i64, &Field> = HashMap::new();
        for field in &fields {
            let Some((number, _)) = field.dictionary else { continue };
            let first = with_dictionary.entry(number).or_insert(field);
            if (first.values, first.meaning) != (field.values, field.meaning) {
                return Err(broken("columns of different types share a dictionary").in_column(&field.name));
            }
        }
        Ok(Reader { fields, dictionaries: HashMap::new(), may_replace, columns: Columns::new(names, missing)? })
    }

    fn take(&mut self, message: &Message<'_>) -> Result<(), TableError> {
        match message.header()? {
            Header::Schema(_) => Err(broken("it has two schemas")),
            Header::Dictionary(header) => self.take_dictionary(header, message.body),
            Header::Rows(header) => self.take_rows(Batch::new(header, message.body)?),
        }
    }

    fn take_dictionary(&mut self, header: Fields<'_>, body: &[u8]) -> Result<(), TableError> {
        let number = header.i64(0).unwrap_or(0);
        let field = self.fields.iter().find(|field| field.dictionary.is_some_and(|(id, _)| id == number));
        let field = field.ok_or_else(|| broken("a dictionary belongs to no column"))?;
        let batch = header.table(1).ok_or_else(|| broken("a dictionary has no values"))?;
        let values = Batch::new(batch, body)?.column(field.values)?;
        let adds = header.u8(2).unwrap_or(0) != 0;
        let values = match self.dictionaries.remove(&number) {
            Some(before) if adds => before.followed_by(values)?,
            Some(_) if !self.may_replace => return Err(broken("it replaces a dictionary, which only a stream may")),
            Some(_) | None => values,
        };
        self.dictionaries.insert(number, values);
        Ok(())
    }

    fn take_rows(&mut self, mut batch: Batch<'_>) -> Result<(), TableError> {
        self.columns.check_size(batch.rows)?;
        let mut values = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            let filled = match field.dictionary {
                None => batch.column(field.values)?,
                Some((number, places)) => {
                    let dictionary = self.dictionaries.get(&number);
                    let dictionary = dictionary.ok_or_else(|| broken("a dictionary is missing"))?;
                    dictionary.looked_up(batch.column(places)?)?
                }
            };
            values.push(Values { meaning: field.meaning, stored: filled.stored, is_there: filled.is_there });
        }
        self.columns.append(batch.rows, &values)
    }
}
