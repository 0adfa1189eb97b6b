//! Values of a file that has types, some rows at a time, and the cells that they are.

use std::str::from_utf8;

use parquet::data_type::ByteArray;

use super::MAX_CELL_BYTES;
use super::assemble::{CellFault, Piece};
use super::builder::{Builder, Cell};
use super::moments::{Unit, date, moment, time};

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    Booleans,
    Integers {
        signed: bool,
    },
    Numbers,
    /// Integers over a power of ten.
    Decimals {
        scale: i32,
    },
    Texts,
    Dates,
    Times(Unit),
    Moments(Unit),
    /// Nothing but missing values.
    Nothing,
}

/// Some rows of a column: the values that are there, and in which rows they are.
pub(super) struct Values {
    pub(super) meaning: Meaning,
    pub(super) stored: Stored,
    /// For each row whether its value is there; none if all are.
    pub(super) is_there: Option<Vec<bool>>,
}

/// Values as a file stores them; decimals may be bytes in two's complement, the largest first.
#[derive(Debug, Clone)]
pub(super) enum Stored {
    Booleans(Vec<bool>),
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Bytes(Vec<ByteArray>),
}

impl Values {
    /// For each row the place of its value; `None` where it is missing.
    fn places(&self) -> impl Iterator<Item = Option<usize>> {
        let rows = self.is_there.as_ref().map_or(self.stored.len(), Vec::len);
        let mut next = 0;
        (0..rows).map(move |row| {
            let is_there = self.is_there.as_ref().is_none_or(|there| there[row]);
            next += usize::from(is_there);
            is_there.then(|| next - 1)
        })
    }

    /// What stands at a place.
    fn cell(&self, place: usize) -> Result<Stand<'_>, Fault> {
        let moment_of = |text: Option<String>| {
            text.map(Stand::Moment).ok_or_else(|| ("the date is out of range".to_owned(), "save the column as strings"))
        };
        Ok(match (&self.stored, self.meaning) {
            (_, Meaning::Nothing) => Stand::Cell(Cell::Missing),
            (Stored::Booleans(values), _) => Stand::Cell(Cell::Boolean(values[place])),
            (Stored::Integers(values), Meaning::Integers { signed: false }) if values[place] < 0 => {
                return Err((
                    "the integer is larger than 64 bits".to_owned(),
                    "save the column as strings or as floats",
                ));
            }
            (Stored::Integers(values), Meaning::Decimals { scale }) => decimal(i128::from(values[place]), scale)?,
            (Stored::Integers(values), Meaning::Dates) => moment_of(date(values[place]))?,
            (Stored::Integers(values), Meaning::Times(unit)) => moment_of(time(values[place], unit))?,
            (Stored::Integers(values), Meaning::Moments(unit)) => moment_of(moment(values[place], unit))?,
            (Stored::Integers(values), _) => Stand::Cell(Cell::Integer(values[place])),
            (Stored::Numbers(values), _) => number(values[place])?,
            (Stored::Bytes(values), Meaning::Decimals { scale }) => decimal(integer(values[place].data())?, scale)?,
            (Stored::Bytes(values), _) => Stand::Cell(Cell::Text(text(values[place].data())?)),
        })
    }

    fn is_nan(&self, place: usize) -> bool {
        matches!(&self.stored, Stored::Numbers(values) if values[place].is_nan())
    }
}

/// What stands in a row.
enum Stand<'v> {
    Cell(Cell<'v>),
    Moment(String),
}

type Fault = (String, &'static str);

impl Stored {
    pub(super) fn len(&self) -> usize {
        match self {
            Stored::Booleans(values) => values.len(),
            Stored::Integers(values) => values.len(),
            Stored::Numbers(values) => values.len(),
            Stored::Bytes(values) => values.len(),
        }
    }
}

impl Piece for Values {
    fn missing(&self) -> Vec<usize> {
        let is_missing = |place: Option<usize>| match (self.meaning, place) {
            (Meaning::Nothing, _) | (_, None) => true,
            (_, Some(place)) => self.is_nan(place),
        };
        self.places().enumerate().filter(|(_, place)| is_missing(*place)).map(|(row, _)| row).collect()
    }

    fn append(&self, builder: &mut Builder, keep: &[bool]) -> Result<(), CellFault> {
        let is_whole = self.is_there.is_none() && keep.iter().all(|keep| *keep);
        let fits = match (&self.stored, self.meaning) {
            (Stored::Bytes(values), Meaning::Texts) => return self.append_texts(values, builder, keep),
            (Stored::Integers(values), Meaning::Integers { signed: true }) if is_whole => {
                builder.extend_integers(values)
            }
            (Stored::Numbers(values), Meaning::Numbers) if is_whole && values.iter().all(|value| value.is_finite()) => {
                builder.extend_numbers(values)
            }
            _ => return self.append_each(builder, keep),
        };
        if fits { Ok(()) } else { Err(CellFault::changed_type()) }
    }
}

impl Values {
    /// Cell by cell.
    fn append_each(&self, builder: &mut Builder, keep: &[bool]) -> Result<(), CellFault> {
        for (row, place) in self.places().enumerate().filter(|(row, _)| keep[*row]) {
            let at = |(message, hint): Fault| CellFault { row: Some(row), message, hint };
            let stand = place.map_or(Ok(Stand::Cell(Cell::Missing)), |place| self.cell(place)).map_err(at)?;
            let fits = match &stand {
                Stand::Cell(cell) => builder.push(*cell),
                Stand::Moment(text) => builder.push(Cell::Text(text)),
            };
            if !fits {
                return Err(CellFault::changed_type());
            }
        }
        Ok(())
    }
}

/// Texts that were met, by where their bytes are: a page with a dictionary has each of them once, and rows that hold it share
/// its bytes. A place is used by the last of those that fall on it.
struct Met {
    places: Vec<(usize, usize, u32)>,
}

impl Met {
    const PLACES: usize = 1 << 12;

    fn new() -> Self {
        // No text begins at the address 0.
        Met { places: vec![(0, 0, 0); Met::PLACES] }
    }

    fn place(&mut self, text: &ByteArray) -> (&mut (usize, usize, u32), usize) {
        let address = text.data().as_ptr().addr();
        // Fibonacci hashing: the upper bits of a product with 2⁶⁴ over the golden ratio.
        let hash = (address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52;
        (&mut self.places[hash as usize % Met::PLACES], address)
    }
}

impl Values {
    /// Texts, each looked up where it is met for the first time. All of them are there until this is done, so that what has the same
    /// address and length is the same text.
    fn append_texts(&self, values: &[ByteArray], builder: &mut Builder, keep: &[bool]) -> Result<(), CellFault> {
        let mut met = Met::new();
        for (row, place) in self.places().enumerate().filter(|(row, _)| keep[*row]) {
            let Some(place) = place else {
                if builder.push(Cell::Missing) {
                    continue;
                }
                return Err(CellFault::changed_type());
            };
            let bytes = &values[place];
            let (known, address) = met.place(bytes);
            if (known.0, known.1) == (address, bytes.len()) {
                builder.push_text_again(known.2);
                continue;
            }
            let at = |(message, hint): Fault| CellFault { row: Some(row), message, hint };
            if !builder.push(Cell::Text(text(bytes.data()).map_err(at)?)) {
                return Err(CellFault::changed_type());
            }
            if let Some(code) = builder.last_text() {
                *known = (address, bytes.len(), code);
            }
        }
        Ok(())
    }
}

/// A number, or a missing one.
fn number(value: f64) -> Result<Stand<'static>, Fault> {
    match value {
        _ if value.is_nan() => Ok(Stand::Cell(Cell::Missing)),
        _ if value.is_finite() => Ok(Stand::Cell(Cell::Number(value))),
        _ => Err((format!("`{value}` is not a finite number"), "infinite values cannot be analysed")),
    }
}

/// The double nearest to `digits` · 10^−`scale`, as reading its digits gives it.
fn decimal(digits: i128, scale: i32) -> Result<Stand<'static>, Fault> {
    let text = format!("{digits}e{}", -i64::from(scale));
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Stand::Cell(Cell::Number(value))),
        Ok(_) | Err(_) => Err((format!("`{text}` is not a finite number"), "save the column as floats")),
    }
}

/// The integer that bytes are in two's complement, the largest first.
fn integer(bytes: &[u8]) -> Result<i128, Fault> {
    const LENGTH: usize = size_of::<i128>();
    let fill = if bytes.first().is_some_and(|first| *first >= 0x80) { 0xff } else { 0 };
    let (spare, used) = bytes.split_at(bytes.len().saturating_sub(LENGTH));
    let sign_is_kept = used.first().is_none_or(|first| (*first >= 0x80) == (fill == 0xff));
    if spare.iter().any(|byte| *byte != fill) || !sign_is_kept {
        return Err(("the decimal number has more than 38 digits".to_owned(), "save the column as floats"));
    }
    let mut whole = [fill; LENGTH];
    whole[LENGTH - used.len()..].copy_from_slice(used);
    Ok(i128::from_be_bytes(whole))
}

/// A number of 16 bits, the smallest byte first: one bit for the sign, 5 for the exponent, 10 for the fraction.
pub(super) fn half(bytes: &[u8]) -> f64 {
    let Ok(bytes) = <[u8; 2]>::try_from(bytes) else { return f64::NAN };
    let bits = u16::from_le_bytes(bytes);
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

fn text(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.len() > MAX_CELL_BYTES {
        return Err((format!("a cell is longer than {MAX_CELL_BYTES} bytes"), "leave the column out"));
    }
    from_utf8(bytes).map_err(|_| ("the string is not UTF-8".to_owned(), "write the file again as UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_length_keep_their_sign() {
        assert_eq!(integer(&[0xff]).ok(), Some(-1));
        assert_eq!(integer(&[0x00, 0x80]).ok(), Some(128));
        assert_eq!(integer(&[]).ok(), Some(0));
        let mut wide = [0xff; 20];
        assert_eq!(integer(&wide).ok(), Some(-1));
        wide[19] = 0;
        assert_eq!(integer(&wide).ok(), Some(-256));
        wide[4] = 0;
        assert!(integer(&wide).is_err(), "the sign is that of the bytes that were left out");
    }

    #[test]
    fn numbers_of_16_bits_are_those_of_the_standard() {
        let of = |bits: u16| half(&bits.to_le_bytes());
        assert_eq!((of(0x3c00), of(0xc000), of(0x7bff)), (1.0, -2.0, 65504.0));
        assert_eq!((of(0x0001), of(0x0400)), (2f64.powi(-24), 2f64.powi(-14)));
        assert!(of(0x7c00).is_infinite() && of(0x7e00).is_nan());
    }
}
