//! A look at an Arrow file before the library reads it: what its parts claim to hold must be there.
//!
//! The library allocates as much as a compressed buffer claims to hold, so a few bytes could ask for all memory.

use arrow_ipc::{Block, Message, RecordBatch, root_as_footer, root_as_message};

use super::TableError;
use super::arrow::damaged;

/// LZ4 stores at least one byte for 255; a claim above that is a lie.
const MAX_EXPANSION: i64 = 256;
/// Small buffers have headers.
const SLACK_BYTES: i64 = 1 << 16;
const CONTINUATION: [u8; 4] = [0xff; 4];
const MAGIC: &[u8] = b"ARROW1";

fn broken(reason: &str) -> TableError {
    damaged("Arrow", reason)
}

/// Checks a file with an index: the messages that its footer names.
pub(super) fn check_file(bytes: &[u8]) -> Result<(), TableError> {
    let end = bytes.strip_suffix(MAGIC).ok_or_else(|| broken("its end is missing"))?;
    let (rest, length) = end.split_last_chunk::<4>().ok_or_else(|| broken("its end is missing"))?;
    let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| broken("its footer is malformed"))?;
    let start = rest.len().checked_sub(length).ok_or_else(|| broken("its footer is longer than the file"))?;
    let footer = root_as_footer(&rest[start..]).map_err(|_| broken("its footer is malformed"))?;
    for block in footer.dictionaries().iter().flatten().chain(footer.recordBatches().iter().flatten()) {
        check_block(bytes, block)?;
    }
    Ok(())
}

fn check_block(bytes: &[u8], block: &Block) -> Result<(), TableError> {
    let outside = || broken("a part of it lies outside of the file");
    let start = usize::try_from(block.offset()).map_err(|_| outside())?;
    let metadata = usize::try_from(block.metaDataLength()).map_err(|_| outside())?;
    let body = usize::try_from(block.bodyLength()).map_err(|_| outside())?;
    let end = start.checked_add(metadata).and_then(|end| end.checked_add(body)).ok_or_else(outside)?;
    let whole = bytes.get(start..end).ok_or_else(outside)?;
    check_message(whole).map(|_| ())
}

/// Checks a stream: one message behind the other.
pub(super) fn check_stream(mut bytes: &[u8]) -> Result<(), TableError> {
    while !bytes.is_empty() {
        match check_message(bytes)? {
            Some(length) => bytes = &bytes[length..],
            None => break,
        }
    }
    Ok(())
}

/// Checks the message at the start; gives its length, or nothing for the one that ends a stream.
fn check_message(bytes: &[u8]) -> Result<Option<usize>, TableError> {
    let short = || broken("it ends in the middle");
    let head = if bytes.starts_with(&CONTINUATION) { 4 } else { 0 };
    let length = bytes.get(head..head + 4).and_then(|bytes| bytes.first_chunk::<4>()).ok_or_else(short)?;
    let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| broken("a message is malformed"))?;
    if length == 0 {
        return Ok(None);
    }
    let metadata = bytes.get(head + 4..head + 4 + length).ok_or_else(short)?;
    let message = root_as_message(metadata).map_err(|_| broken("a message is malformed"))?;
    let body = usize::try_from(message.bodyLength()).map_err(|_| broken("a message is malformed"))?;
    let start = head + 4 + length;
    let end = start.checked_add(body).filter(|end| *end <= bytes.len()).ok_or_else(short)?;
    check_buffers(&message, &bytes[start..end])?;
    Ok(Some(end))
}

fn check_buffers(message: &Message<'_>, body: &[u8]) -> Result<(), TableError> {
    let batch: Option<RecordBatch<'_>> = message
        .header_as_record_batch()
        .or_else(|| message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data()));
    let Some(batch) = batch else { return Ok(()) };
    let outside = || broken("a buffer lies outside of the file");
    for buffer in batch.buffers().iter().flatten() {
        let start = usize::try_from(buffer.offset()).map_err(|_| outside())?;
        let length = usize::try_from(buffer.length()).map_err(|_| outside())?;
        let bytes = start.checked_add(length).and_then(|end| body.get(start..end)).ok_or_else(outside)?;
        if bytes.is_empty() || batch.compression().is_none() {
            continue;
        }
        let claimed = bytes.first_chunk::<8>().map(|bytes| i64::from_le_bytes(*bytes)).ok_or_else(outside)?;
        if claimed > buffer.length().saturating_mul(MAX_EXPANSION).saturating_add(SLACK_BYTES) {
            return Err(broken("a compressed buffer claims to hold more than it can"));
        }
    }
    Ok(())
}
