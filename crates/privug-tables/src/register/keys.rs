//! Combinations of cells to small numbers, the same in every piece of a table.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use crate::table::{Data, NO_LABEL, coded};

/// A cell of a column that is grouped by.
#[derive(Debug, Clone, PartialEq)]
enum Cell {
    Missing,
    Boolean(bool),
    Integer(i64),
    /// Not a whole number, or too large for one.
    Number(f64),
    Text(Arc<str>),
}

/// A quick mix of integers: keys come from the user's own table.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }
}

pub(super) type Mixed<K> = HashMap<K, u32, BuildHasherDefault<Mixer>>;

/// The different values of a column.
#[derive(Debug, Default)]
pub(super) struct Column {
    cells: Vec<Cell>,
    integers: Mixed<i64>,
    numbers: Mixed<u64>,
    texts: HashMap<Arc<str>, u32>,
    booleans: [Option<u32>; 2],
    missing: Option<u32>,
    /// Whether a piece held numbers with a point although nothing was missing in it.
    has_numbers: bool,
    /// What the pieces hold; a column that is one thing here and another there is refused.
    kind: Option<Kind>,
}

/// What can be told apart without looking at all pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Numbers,
    Booleans,
    Texts,
}

/// Two pieces of a column hold different kinds of values.
#[derive(Debug)]
pub(super) struct OtherKind;

impl Column {
    /// How many different values there are.
    pub(super) fn distinct(&self) -> usize {
        self.cells.len()
    }

    fn new_code(cells: &mut Vec<Cell>, cell: Cell) -> u32 {
        cells.push(cell);
        cells.len() as u32 - 1
    }

    fn missing_code(&mut self) -> u32 {
        let cells = &mut self.cells;
        *self.missing.get_or_insert_with(|| Self::new_code(cells, Cell::Missing))
    }

    fn boolean(&mut self, value: bool) -> u32 {
        let cells = &mut self.cells;
        *self.booleans[usize::from(value)].get_or_insert_with(|| Self::new_code(cells, Cell::Boolean(value)))
    }

    fn integer(&mut self, value: i64) -> u32 {
        let cells = &mut self.cells;
        *self.integers.entry(value).or_insert_with(|| Self::new_code(cells, Cell::Integer(value)))
    }

    fn number(&mut self, value: f64) -> u32 {
        // Doubles below 2⁵³ in size that are whole are the same value as the integer of another piece.
        if value.trunc() == value && value.abs() < 9_007_199_254_740_992.0 {
            return self.integer(value as i64);
        }
        let cells = &mut self.cells;
        *self.numbers.entry(value.to_bits()).or_insert_with(|| Self::new_code(cells, Cell::Number(value)))
    }

    fn text(&mut self, label: &Arc<str>) -> u32 {
        if let Some(code) = self.texts.get(label) {
            return *code;
        }
        let code = Self::new_code(&mut self.cells, Cell::Text(label.clone()));
        self.texts.insert(label.clone(), code);
        code
    }

    fn expect(&mut self, kind: Kind) -> Result<(), OtherKind> {
        if *self.kind.get_or_insert(kind) == kind { Ok(()) } else { Err(OtherKind) }
    }

    /// The number of each cell of a piece.
    pub(super) fn codes(&mut self, data: &Data) -> Result<Vec<u32>, OtherKind> {
        Ok(match data {
            Data::Integers(values) => {
                self.expect(Kind::Numbers)?;
                values.iter().map(|value| self.integer(*value)).collect()
            }
            Data::Numbers(values) if values.iter().all(|value| value.is_nan()) => {
                // Nothing but gaps says nothing about the column.
                let code = self.missing_code();
                vec![code; values.len()]
            }
            Data::Numbers(values) => {
                self.expect(Kind::Numbers)?;
                self.has_numbers |= !values.iter().any(|value| value.is_nan());
                let code = |value: &f64| if value.is_nan() { self.missing_code() } else { self.number(*value) };
                values.iter().map(code).collect()
            }
            Data::Booleans(values) => {
                self.expect(Kind::Booleans)?;
                values.iter().map(|value| self.boolean(*value)).collect()
            }
            Data::OptionalBooleans(values) => {
                self.expect(Kind::Booleans)?;
                let code = |value: &Option<bool>| match value {
                    Some(value) => self.boolean(*value),
                    None => self.missing_code(),
                };
                values.iter().map(code).collect()
            }
            Data::Texts { codes, labels } => {
                self.expect(Kind::Texts)?;
                let known: Vec<u32> = labels.iter().map(|label| self.text(label)).collect();
                let code = |code: &u32| match known.get(*code as usize) {
                    Some(code) => *code,
                    None => {
                        debug_assert_eq!(*code, NO_LABEL);
                        self.missing_code()
                    }
                };
                codes.iter().map(code).collect()
            }
        })
    }

    /// The column with these cells, as the whole table would have it.
    pub(super) fn data(&self, codes: impl Iterator<Item = u32> + Clone) -> Data {
        let cells = codes.map(|code| &self.cells[code as usize]);
        let number = |cell: &Cell| match cell {
            Cell::Integer(value) => *value as f64,
            Cell::Number(value) => *value,
            Cell::Missing | Cell::Boolean(_) | Cell::Text(_) => f64::NAN,
        };
        match self.kind {
            Some(Kind::Texts) => {
                let (codes, labels) = coded(cells.map(|cell| match cell {
                    Cell::Text(text) => Some(text.to_string()),
                    Cell::Missing | Cell::Boolean(_) | Cell::Integer(_) | Cell::Number(_) => None,
                }));
                Data::Texts { codes: Arc::new(codes), labels: Arc::new(labels) }
            }
            Some(Kind::Booleans) => {
                let values: Vec<Option<bool>> = cells
                    .map(|cell| match cell {
                        Cell::Boolean(value) => Some(*value),
                        Cell::Missing | Cell::Integer(_) | Cell::Number(_) | Cell::Text(_) => None,
                    })
                    .collect();
                match values.iter().copied().collect::<Option<Vec<bool>>>() {
                    Some(values) => Data::Booleans(Arc::new(values)),
                    None => Data::OptionalBooleans(Arc::new(values)),
                }
            }
            Some(Kind::Numbers) if !self.has_numbers && self.missing.is_none() && self.numbers.is_empty() => {
                let value = |cell: &Cell| if let Cell::Integer(value) = cell { *value } else { 0 };
                Data::Integers(Arc::new(cells.map(value).collect()))
            }
            Some(Kind::Numbers) | None => Data::Numbers(Arc::new(cells.map(number).collect())),
        }
    }
}

/// Combinations of the cells of several columns, numbered as they appear.
#[derive(Debug, Default)]
pub(super) struct Combinations {
    /// For each column: (combination of the earlier ones, cell) to combination. There is one combination of none.
    levels: Vec<Mixed<u64>>,
    /// The pair of each combination of a level.
    pairs: Vec<Vec<(u32, u32)>>,
}

impl Combinations {
    pub(super) fn new(columns: usize) -> Self {
        Combinations { levels: (0..columns).map(|_| Mixed::default()).collect(), pairs: vec![Vec::new(); columns] }
    }

    /// The combination of each row.
    pub(super) fn codes(&mut self, columns: Vec<Vec<u32>>) -> Vec<u32> {
        let mut codes = vec![0; columns.first().map_or(0, Vec::len)];
        for (next, (level, pairs)) in columns.into_iter().zip(self.levels.iter_mut().zip(&mut self.pairs)) {
            for (code, cell) in codes.iter_mut().zip(next) {
                let pair = (*code, cell);
                *code = *level.entry((u64::from(pair.0) << 32) | u64::from(cell)).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                });
            }
        }
        codes
    }

    /// The cell of a combination in each column.
    pub(super) fn cells(&self, mut code: u32) -> Vec<u32> {
        let mut cells = Vec::with_capacity(self.pairs.len());
        for pairs in self.pairs.iter().rev() {
            let (earlier, cell) = pairs[code as usize];
            cells.push(cell);
            code = earlier;
        }
        cells.reverse();
        cells
    }
}
