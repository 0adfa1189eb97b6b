//! The values of an Arrow file's columns, from its buffers.
//!
//! Nothing is believed: a buffer that is too short, a place outside it, a length that cannot be are errors of the file.

use std::borrow::Cow;
use std::io::Read;

use parquet::data_type::ByteArray;

use super::arrow_fields::Layout;
use super::damaged::damaged;
use super::flatbuffer::{Fields, array};
use super::typed::{Stored, half};
use super::{MAX_ROWS, TableError};

/// LZ4 stores at least one byte for 255; a claim above that is a lie.
const MAX_EXPANSION: u64 = 256;
/// Small buffers have headers.
const SLACK_BYTES: u64 = 1 << 16;
const MILLISECONDS_IN_A_DAY: i64 = 86_400_000;

pub(super) fn broken(reason: &str) -> TableError {
    damaged("Arrow", reason)
}

/// The values that are there, and in which rows they are; `None` if all are.
#[derive(Debug, Clone)]
pub(super) struct Filled {
    pub(super) stored: Stored,
    pub(super) is_there: Option<Vec<bool>>,
}

/// The parts of a batch of rows, in their order.
pub(super) struct Batch<'b> {
    pub(super) rows: usize,
    body: &'b [u8],
    /// Of each column, how many rows it has, and how many of them are missing.
    nodes: std::vec::IntoIter<[u8; 16]>,
    buffers: std::vec::IntoIter<[u8; 16]>,
    /// For each column of views, how many buffers of long texts it has.
    counts: std::vec::IntoIter<[u8; 8]>,
    is_compressed: bool,
}

impl<'b> Batch<'b> {
    /// The batch that a message describes, and the bytes behind it.
    pub(super) fn new(header: Fields<'_>, body: &'b [u8]) -> Result<Self, TableError> {
        let rows = usize::try_from(header.i64(0).unwrap_or(0)).map_err(|_| broken("a batch has no length"))?;
        if rows > MAX_ROWS {
            return Err(broken("a batch claims to have more rows than can be read"));
        }
        let is_compressed = match header.table(3) {
            None => false,
            Some(compression) if compression.u8(0).unwrap_or(0) == 0 => true,
            Some(compression) if compression.u8(0) == Some(1) => {
                return Err(broken("its buffers are compressed with ZSTD"));
            }
            Some(_) => return Err(broken("its buffers are compressed in an unknown way")),
        };
        let buffers = header.structures(2).unwrap_or_default().into_iter();
        let counts = header.structures(4).unwrap_or_default().into_iter();
        let nodes = header.structures(1).unwrap_or_default().into_iter();
        Ok(Batch { rows, body, nodes, buffers, counts, is_compressed })
    }

    /// The next buffer, unpacked.
    fn buffer(&mut self) -> Result<Cow<'b, [u8]>, TableError> {
        let outside = || broken("a buffer lies outside the file");
        let place = self.buffers.next().ok_or_else(|| broken("a buffer is missing"))?;
        let half = |at: usize| array(&place, at).map(i64::from_le_bytes).and_then(|half| usize::try_from(half).ok());
        let (start, length) = (half(0).ok_or_else(outside)?, half(8).ok_or_else(outside)?);
        let bytes = start.checked_add(length).and_then(|end| self.body.get(start..end)).ok_or_else(outside)?;
        if bytes.is_empty() || !self.is_compressed {
            return Ok(Cow::Borrowed(bytes));
        }
        let claimed = array(bytes, 0).map(i64::from_le_bytes).ok_or_else(outside)?;
        let packed = &bytes[8..];
        let Ok(claimed) = u64::try_from(claimed) else {
            // -1: packing would have made it longer.
            return Ok(Cow::Borrowed(packed));
        };
        if claimed > (packed.len() as u64).saturating_mul(MAX_EXPANSION).saturating_add(SLACK_BYTES) {
            return Err(broken("a compressed buffer claims to hold more than it can"));
        }
        let mut unpacked = Vec::new();
        let read = lz4_flex::frame::FrameDecoder::new(packed).take(claimed + 1).read_to_end(&mut unpacked);
        match read {
            Ok(_) if unpacked.len() as u64 == claimed => Ok(Cow::Owned(unpacked)),
            Ok(_) | Err(_) => Err(broken("a compressed buffer cannot be unpacked")),
        }
    }

    /// The next column.
    pub(super) fn column(&mut self, layout: Layout) -> Result<Filled, TableError> {
        let rows = self.rows;
        let node = self.nodes.next().ok_or_else(|| broken("a column is missing"))?;
        let half = |at: usize| array(&node, at).map(i64::from_le_bytes).and_then(|half| usize::try_from(half).ok());
        if half(0) != Some(rows) {
            return Err(broken("a column has another length than its batch"));
        }
        if layout == Layout::Nothing {
            return Ok(Filled { stored: Stored::Integers(Vec::new()), is_there: Some(vec![false; rows]) });
        }
        let validity = self.buffer()?;
        let is_there = match validity.is_empty() {
            true => None,
            false => Some(bits(&validity, rows)?),
        };
        let missing = is_there.as_ref().map_or(0, |there| there.iter().filter(|there| !**there).count());
        if half(8) != Some(missing) {
            return Err(broken("a column does not say which of its values are missing"));
        }
        let there = || (0..rows).filter(|row| is_there.as_ref().is_none_or(|there| there[*row]));
        let stored = match layout {
            Layout::Nothing => Stored::Integers(Vec::new()),
            Layout::Bits => {
                let values = bits(&self.buffer()?, rows)?;
                Stored::Booleans(there().map(|row| values[row]).collect())
            }
            Layout::Integers { bytes, signed } => {
                let buffer = self.buffer()?;
                Stored::Integers(there().map(|row| integer(&buffer, row, bytes, signed)).collect::<Result<_, _>>()?)
            }
            Layout::Milliseconds => {
                let buffer = self.buffer()?;
                let day = |row| integer(&buffer, row, 8, true).map(|value| value.div_euclid(MILLISECONDS_IN_A_DAY));
                Stored::Integers(there().map(day).collect::<Result<_, _>>()?)
            }
            Layout::Numbers { bytes } => {
                let buffer = self.buffer()?;
                Stored::Numbers(there().map(|row| number(&buffer, row, bytes)).collect::<Result<_, _>>()?)
            }
            Layout::Wide { bytes } => {
                let buffer = self.buffer()?;
                let value = |row| {
                    let mut value = element(&buffer, row, bytes)?.to_vec();
                    value.reverse();
                    Ok(ByteArray::from(value))
                };
                Stored::Bytes(there().map(value).collect::<Result<_, TableError>>()?)
            }
            Layout::Texts { offset_bytes } => {
                let (offsets, data) = (self.buffer()?, ByteArray::from(self.buffer()?.into_owned()));
                let text = |row| {
                    let start = integer(&offsets, row, offset_bytes, true)?;
                    let end = integer(&offsets, row + 1, offset_bytes, true)?;
                    slice(&data, start, end.checked_sub(start))
                };
                Stored::Bytes(there().map(text).collect::<Result<_, _>>()?)
            }
            Layout::TextViews => {
                let views = self.buffer()?;
                let count = self.counts.next().map(i64::from_le_bytes).and_then(|count| usize::try_from(count).ok());
                let count = count.filter(|count| *count <= self.buffers.len());
                let count = count.ok_or_else(|| broken("the buffers of a column of strings are not counted"))?;
                let long = (0..count).map(|_| self.buffer().map(|buffer| ByteArray::from(buffer.into_owned())));
                let long: Vec<ByteArray> = long.collect::<Result<_, _>>()?;
                Stored::Bytes(there().map(|row| view(element(&views, row, 16)?, &long)).collect::<Result<_, _>>()?)
            }
        };
        Ok(Filled { stored, is_there })
    }
}

impl Filled {
    /// How many rows there are.
    fn rows(&self) -> usize {
        self.is_there.as_ref().map_or(self.stored.len(), Vec::len)
    }

    /// The same with more rows behind, of the same kind.
    pub(super) fn followed_by(self, more: Filled) -> Result<Filled, TableError> {
        let there = |filled: &Filled| filled.is_there.clone().unwrap_or_else(|| vec![true; filled.rows()]);
        let is_there = [there(&self), there(&more)].concat();
        let stored = match (self.stored, more.stored) {
            (Stored::Booleans(first), Stored::Booleans(second)) => Stored::Booleans([first, second].concat()),
            (Stored::Integers(first), Stored::Integers(second)) => Stored::Integers([first, second].concat()),
            (Stored::Numbers(first), Stored::Numbers(second)) => Stored::Numbers([first, second].concat()),
            (Stored::Bytes(first), Stored::Bytes(second)) => Stored::Bytes([first, second].concat()),
            _ => return Err(broken("a dictionary changes its type partway through")),
        };
        Ok(Filled { stored, is_there: Some(is_there) })
    }

    /// The values of a dictionary that a column of places in it stands for.
    pub(super) fn looked_up(&self, places: Filled) -> Result<Filled, TableError> {
        let Stored::Integers(found) = &places.stored else {
            return Err(broken("the indices of a dictionary are not integers"));
        };
        // Where the value of each place of the dictionary is stored.
        let mut next = 0;
        let stored_at: Vec<Option<usize>> = (0..self.rows())
            .map(|row| {
                let is_there = self.is_there.as_ref().is_none_or(|there| there[row]);
                next += usize::from(is_there);
                is_there.then(|| next - 1)
            })
            .collect();
        let outside = || broken("an index is out of range for its dictionary");
        let targets = found.iter().map(|place| {
            usize::try_from(*place).ok().and_then(|place| stored_at.get(place).copied()).ok_or_else(outside)
        });
        let targets = targets.collect::<Result<Vec<Option<usize>>, _>>()?;
        let mut each = targets.iter();
        let there = places.is_there.unwrap_or_else(|| vec![true; found.len()]);
        let is_there = there.iter().map(|there| *there && each.next().is_some_and(Option::is_some)).collect();
        let targets = targets.iter().flatten();
        let stored = match &self.stored {
            Stored::Booleans(values) => Stored::Booleans(targets.map(|at| values[*at]).collect()),
            Stored::Integers(values) => Stored::Integers(targets.map(|at| values[*at]).collect()),
            Stored::Numbers(values) => Stored::Numbers(targets.map(|at| values[*at]).collect()),
            Stored::Bytes(values) => Stored::Bytes(targets.map(|at| values[*at].clone()).collect()),
        };
        Ok(Filled { stored, is_there: Some(is_there) })
    }
}

fn bits(bytes: &[u8], count: usize) -> Result<Vec<bool>, TableError> {
    if bytes.len() < count.div_ceil(8) {
        return Err(broken("a buffer is too short"));
    }
    Ok((0..count).map(|place| bytes[place / 8] >> (place % 8) & 1 == 1).collect())
}

/// An element of a buffer of elements of the same size.
fn element(buffer: &[u8], place: usize, size: usize) -> Result<&[u8], TableError> {
    let start = place.checked_mul(size);
    let found = start.and_then(|start| buffer.get(start..start.checked_add(size)?));
    found.ok_or_else(|| broken("a buffer is too short"))
}

/// An integer of a buffer; a large one without a sign comes out negative.
fn integer(buffer: &[u8], place: usize, size: usize, signed: bool) -> Result<i64, TableError> {
    let bytes = element(buffer, place, size)?;
    let fill = if signed && bytes[size - 1] >= 0x80 { 0xff } else { 0 };
    let mut whole = [fill; 8];
    whole[..size].copy_from_slice(bytes);
    Ok(i64::from_le_bytes(whole))
}

fn number(buffer: &[u8], place: usize, size: usize) -> Result<f64, TableError> {
    let bytes = element(buffer, place, size)?;
    Ok(match (array::<8>(bytes, 0), array::<4>(bytes, 0)) {
        (Some(bytes), _) => f64::from_le_bytes(bytes),
        (None, Some(bytes)) => f64::from(f32::from_le_bytes(bytes)),
        (None, None) => half(bytes),
    })
}

fn slice(data: &ByteArray, start: i64, length: Option<i64>) -> Result<ByteArray, TableError> {
    let start = usize::try_from(start).ok();
    let length = length.and_then(|length| usize::try_from(length).ok());
    match (start, length) {
        (Some(start), Some(length)) if start.checked_add(length).is_some_and(|end| end <= data.len()) => {
            Ok(data.slice(start, length))
        }
        _ => Err(broken("a string lies outside its buffer")),
    }
}

/// A text by its view: its length, and either itself or where it is.
fn view(bytes: &[u8], long: &[ByteArray]) -> Result<ByteArray, TableError> {
    let part = |at: usize| array(bytes, at).map_or(-1, |part| i64::from(i32::from_le_bytes(part)));
    let length = part(0);
    if let Some(short) = usize::try_from(length).ok().and_then(|length| bytes[4..].get(..length)) {
        return Ok(ByteArray::from(short));
    }
    let data = usize::try_from(part(8)).ok().and_then(|place| long.get(place));
    slice(data.ok_or_else(|| broken("a string lies outside its buffer"))?, part(12), Some(length))
}
