//! Tables of FlatBuffers, in which an Arrow file describes what it holds: fields by number, each of them checked to lie
//! inside the bytes.

/// A table: a place in the bytes. A field that is not there, or lies outside, is `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'b> {
    bytes: &'b [u8],
    place: usize,
}

impl<'b> Fields<'b> {
    /// The table that bytes begin with.
    pub(super) fn root(bytes: &'b [u8]) -> Option<Self> {
        let place = usize::try_from(u32::from_le_bytes(array(bytes, 0)?)).ok()?;
        Fields { bytes, place }.checked()
    }

    /// A table has a list of where its fields are.
    fn checked(self) -> Option<Self> {
        self.offsets()?;
        Some(self)
    }

    /// Where the list of fields is, and how long.
    fn offsets(&self) -> Option<(usize, usize)> {
        let back = i64::from(i32::from_le_bytes(array(self.bytes, self.place)?));
        let start = usize::try_from(i64::try_from(self.place).ok()?.checked_sub(back)?).ok()?;
        let length = usize::from(u16::from_le_bytes(array(self.bytes, start)?));
        Some((start, length))
    }

    /// Where a field is.
    fn field(&self, number: usize) -> Option<usize> {
        let (start, length) = self.offsets()?;
        let at = 4 + 2 * number;
        if at + 2 > length {
            return None;
        }
        match u16::from_le_bytes(array(self.bytes, start + at)?) {
            0 => None,
            offset => self.place.checked_add(usize::from(offset)),
        }
    }

    fn number<const N: usize>(&self, number: usize) -> Option<[u8; N]> {
        array(self.bytes, self.field(number)?)
    }

    pub(super) fn u8(&self, number: usize) -> Option<u8> {
        self.number(number).map(u8::from_le_bytes)
    }

    pub(super) fn i16(&self, number: usize) -> Option<i16> {
        self.number(number).map(i16::from_le_bytes)
    }

    pub(super) fn i32(&self, number: usize) -> Option<i32> {
        self.number(number).map(i32::from_le_bytes)
    }

    pub(super) fn i64(&self, number: usize) -> Option<i64> {
        self.number(number).map(i64::from_le_bytes)
    }

    /// What a field points at.
    fn target(&self, number: usize) -> Option<usize> {
        follow(self.bytes, self.field(number)?)
    }

    /// A table in a field.
    pub(super) fn table(&self, number: usize) -> Option<Fields<'b>> {
        Fields { bytes: self.bytes, place: self.target(number)? }.checked()
    }

    pub(super) fn text(&self, number: usize) -> Option<&'b str> {
        let (start, length) = self.vector(number, 1)?;
        std::str::from_utf8(&self.bytes[start..start + length]).ok()
    }

    /// The tables in a field; none of them where one is malformed.
    pub(super) fn tables(&self, number: usize) -> Option<Vec<Fields<'b>>> {
        let (start, length) = self.vector(number, 4)?;
        let table =
            |place: usize| Fields { bytes: self.bytes, place: follow(self.bytes, start + 4 * place)? }.checked();
        (0..length).map(table).collect()
    }

    /// Structures of so many bytes each, in a field.
    pub(super) fn structures<const N: usize>(&self, number: usize) -> Option<Vec<[u8; N]>> {
        let (start, length) = self.vector(number, N)?;
        (0..length).map(|place| array(self.bytes, start + N * place)).collect()
    }

    /// Where a vector begins, and how many elements of a size it has; all of them are inside the bytes.
    fn vector(&self, number: usize, size: usize) -> Option<(usize, usize)> {
        let place = self.target(number)?;
        let length = usize::try_from(u32::from_le_bytes(array(self.bytes, place)?)).ok()?;
        let start = place.checked_add(4)?;
        let end = start.checked_add(length.checked_mul(size)?)?;
        (end <= self.bytes.len()).then_some((start, length))
    }
}

/// The place that an offset points at.
fn follow(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(usize::try_from(u32::from_le_bytes(array(bytes, at)?)).ok()?)
}

/// So many bytes from a place on.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}
