//! Columns that grow cell by cell, and what the cells of text files mean.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Data, NO_LABEL, TableColumn};

/// What one cell of a text file is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell<'t> {
    Missing,
    Integer(i64),
    Number(f64),
    Boolean(bool),
    Text(&'t str),
}

/// The spellings of a missing value that pandas knows.
const MISSING: &[&str] = &[
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
];

/// Whether a text in a file is a missing value.
pub fn is_missing(text: &str) -> bool {
    // Few texts begin like one of them, and the longest has eight letters.
    let Some(first) = text.as_bytes().first() else { return true };
    matches!(first, b'#' | b'-' | b'1' | b'<' | b'N' | b'n') && text.len() <= 8 && MISSING.contains(&text)
}

impl<'t> Cell<'t> {
    /// What a text means, as pandas reads it; infinities are texts, which no number column takes.
    pub(super) fn read(text: &'t str) -> Cell<'t> {
        if is_missing(text) {
            return Cell::Missing;
        }
        let trimmed = text.trim();
        let Some(first) = trimmed.bytes().next() else { return Cell::Text(text) };
        if first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.') {
            if let Ok(value) = trimmed.parse::<i64>() {
                return Cell::Integer(value);
            }
            // Digits alone that are too many for an integer are a name, and rounding would make it another one.
            let only_digits = trimmed.bytes().all(|byte| byte.is_ascii_digit());
            let plain =
                trimmed.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
            if plain
                && !only_digits
                && let Ok(value) = trimmed.parse::<f64>()
                && value.is_finite()
            {
                return Cell::Number(value);
            }
            return Cell::Text(text);
        }
        match text {
            "True" | "TRUE" | "true" => Cell::Boolean(true),
            "False" | "FALSE" | "false" => Cell::Boolean(false),
            other => Cell::Text(other),
        }
    }
}

/// Whether an integer is written as anybody would write it: without a plus, zeros in front and spaces.
pub(super) fn is_plain_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').filter(|digits| *digits != "0").unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'))
}

/// Whether a text was probably meant to be a number: `480_000`, `1,5`, `12 %`, `$5`, `inf`.
pub(super) fn looks_like_a_number(text: &str) -> bool {
    let text = text.trim();
    let unsigned = text.trim_start_matches(['+', '-']);
    let infinite = unsigned.eq_ignore_ascii_case("inf") || unsigned.eq_ignore_ascii_case("infinity");
    let signs = |letter: char| {
        letter.is_ascii_digit()
            || letter.is_whitespace()
            || matches!(letter, '_' | ',' | '.' | '\'' | '%' | '$' | '€' | '£' | '+' | 'e' | 'E')
    };
    let inner = text.strip_prefix('-').unwrap_or(text);
    infinite || (inner.chars().all(signs) && text.contains(|letter: char| letter.is_ascii_digit()))
}

/// A column under construction.
#[derive(Debug, Default)]
pub(super) struct Builder {
    values: Values,
    /// The rows that are missing; something stands in their places.
    missing: Vec<usize>,
}

#[derive(Debug, Default)]
enum Values {
    /// Nothing but missing values so far.
    #[default]
    Unknown,
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Booleans(Vec<bool>),
    Texts(Dictionary),
}

/// Texts by their numbers.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    seen: HashMap<Arc<str>, u32>,
    labels: Vec<Arc<str>>,
    codes: Vec<u32>,
    /// Short texts that were looked up lately, with their numbers: a place for each remainder.
    recent: Vec<(u64, u32)>,
}

/// So many short texts are kept at hand, a power of two.
const RECENT: u32 = 1 << 8;

/// A text of at most seven bytes as a number that is not 0; no other text has the same.
fn packed(text: &str) -> Option<u64> {
    let mut bytes = [0; 8];
    bytes.get_mut(..text.len()).filter(|short| short.len() < 8)?.copy_from_slice(text.as_bytes());
    bytes[7] = text.len() as u8 + 1;
    Some(u64::from_le_bytes(bytes))
}

impl Dictionary {
    pub(super) fn push(&mut self, text: &str) {
        let code = self.code(text);
        self.codes.push(code);
    }

    /// The number of a text; a new one if it was not there yet.
    fn code(&mut self, text: &str) -> u32 {
        let Some(packed) = packed(text) else { return self.looked_up(text) };
        self.recent.resize(RECENT as usize, (0, 0));
        let place = (packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT.trailing_zeros())) as usize;
        let (known, code) = self.recent[place];
        if known == packed {
            return code;
        }
        let code = self.looked_up(text);
        self.recent[place] = (packed, code);
        code
    }

    fn looked_up(&mut self, text: &str) -> u32 {
        if let Some(code) = self.seen.get(text) {
            return *code;
        }
        let (label, code) = (Arc::<str>::from(text), self.labels.len() as u32);
        self.labels.push(label.clone());
        self.seen.insert(label, code);
        code
    }
}

impl Builder {
    /// A column of texts.
    pub(super) fn of_texts() -> Self {
        Builder { values: Values::Texts(Dictionary::default()), missing: Vec::new() }
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Unknown => self.missing.len(),
            Values::Integers(values) => values.len(),
            Values::Numbers(values) => values.len(),
            Values::Booleans(values) => values.len(),
            Values::Texts(texts) => texts.codes.len(),
        }
    }

    /// Whether all that is there so far are integers.
    pub(super) fn holds_integers(&self) -> bool {
        matches!(self.values, Values::Integers(_))
    }

    /// The first value says what the column holds.
    fn begin(&mut self, cell: &Cell<'_>) {
        if !matches!(self.values, Values::Unknown) {
            return;
        }
        let before = self.missing.len();
        self.values = match cell {
            Cell::Missing => Values::Unknown,
            Cell::Integer(_) => Values::Integers(vec![0; before]),
            Cell::Number(_) => Values::Numbers(vec![0.0; before]),
            Cell::Boolean(_) => Values::Booleans(vec![false; before]),
            Cell::Text(_) => Values::Texts(Dictionary { codes: vec![NO_LABEL; before], ..Dictionary::default() }),
        };
    }

    /// Appends a cell. Says no if the column would have to become one of texts, which is too late for what it holds.
    pub(super) fn push(&mut self, cell: Cell<'_>) -> bool {
        self.begin(&cell);
        if let (Values::Integers(values), Cell::Number(_)) = (&self.values, cell) {
            self.values = Values::Numbers(values.iter().map(|value| *value as f64).collect());
        }
        if let Cell::Missing = cell {
            self.missing.push(self.len());
        }
        match (&mut self.values, cell) {
            (Values::Unknown, Cell::Missing) => {}
            (Values::Integers(values), Cell::Missing) => values.push(0),
            (Values::Numbers(values), Cell::Missing) => values.push(0.0),
            (Values::Booleans(values), Cell::Missing) => values.push(false),
            (Values::Texts(texts), Cell::Missing) => texts.codes.push(NO_LABEL),
            (Values::Integers(values), Cell::Integer(value)) => values.push(value),
            (Values::Numbers(values), Cell::Integer(value)) => values.push(value as f64),
            (Values::Numbers(values), Cell::Number(value)) => values.push(value),
            (Values::Booleans(values), Cell::Boolean(value)) => values.push(value),
            (Values::Texts(texts), Cell::Text(text)) => texts.push(text),
            _ => return false,
        }
        true
    }

    pub(super) fn finish(self, name: String, not_a_number: Option<(usize, String)>) -> TableColumn {
        let Builder { values, missing } = self;
        let with_gaps = |mut values: Vec<f64>| {
            missing.iter().for_each(|row| values[*row] = f64::NAN);
            Data::Numbers(Arc::new(values))
        };
        let data = match values {
            // As pandas calls a column without any value.
            Values::Unknown => with_gaps(vec![f64::NAN; missing.len()]),
            Values::Integers(values) if missing.is_empty() => Data::Integers(Arc::new(values)),
            Values::Integers(values) => with_gaps(values.into_iter().map(|value| value as f64).collect()),
            Values::Numbers(values) => with_gaps(values),
            Values::Booleans(values) if missing.is_empty() => Data::Booleans(Arc::new(values)),
            Values::Booleans(values) => {
                let mut values: Vec<Option<bool>> = values.into_iter().map(Some).collect();
                missing.iter().for_each(|row| values[*row] = None);
                Data::OptionalBooleans(Arc::new(values))
            }
            Values::Texts(texts) => Data::Texts { codes: Arc::new(texts.codes), labels: Arc::new(texts.labels) },
        };
        TableColumn { not_a_number, ..TableColumn::new(name, data) }
    }
}

/// Files with types have many values at once.
#[cfg(feature = "arrow")]
impl Builder {
    /// Appends integers, as [`Builder::push`] does one by one.
    pub(super) fn extend_integers(&mut self, more: &[i64]) -> bool {
        let Some(first) = more.first() else { return true };
        self.begin(&Cell::Integer(*first));
        match &mut self.values {
            Values::Integers(values) => values.extend_from_slice(more),
            Values::Numbers(values) => values.extend(more.iter().map(|value| *value as f64)),
            Values::Unknown | Values::Booleans(_) | Values::Texts(_) => return false,
        }
        true
    }

    /// Appends finite numbers, as [`Builder::push`] does one by one.
    pub(super) fn extend_numbers(&mut self, more: &[f64]) -> bool {
        let Some((first, others)) = more.split_first() else { return true };
        // Integers become numbers with the first one.
        let fits = self.push(Cell::Number(*first));
        if let Values::Numbers(values) = &mut self.values {
            values.extend_from_slice(others);
        }
        fits
    }

    /// The number of the text that was pushed last; none if the column holds something else.
    pub(super) fn last_text(&self) -> Option<u32> {
        match &self.values {
            Values::Texts(texts) => texts.codes.last().copied(),
            Values::Unknown | Values::Integers(_) | Values::Numbers(_) | Values::Booleans(_) => None,
        }
    }

    /// Appends a text that was pushed before, by its number.
    pub(super) fn push_text_again(&mut self, code: u32) {
        if let Values::Texts(texts) = &mut self.values {
            texts.codes.push(code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_mean_what_pandas_reads() {
        assert_eq!(Cell::read("12"), Cell::Integer(12));
        assert_eq!(Cell::read(" -3 "), Cell::Integer(-3));
        assert_eq!(Cell::read("1.5e3"), Cell::Number(1500.0));
        assert_eq!(Cell::read("NA"), Cell::Missing);
        assert_eq!(Cell::read(""), Cell::Missing);
        assert_eq!(Cell::read("true"), Cell::Boolean(true));
        assert_eq!(Cell::read("480_000"), Cell::Text("480_000"));
        assert_eq!(Cell::read("21-30"), Cell::Text("21-30"));
        assert_eq!(Cell::read("99999999999999999999"), Cell::Text("99999999999999999999"));
        assert_eq!(Cell::read("1e999"), Cell::Text("1e999"));
        assert_eq!(Cell::read("-inf"), Cell::Text("-inf"));
    }

    #[test]
    fn columns_with_gaps_are_those_of_pandas() {
        let column = |cells: &[&str]| {
            let mut builder = Builder::default();
            assert!(cells.iter().all(|cell| builder.push(Cell::read(cell))));
            builder.finish("x".to_owned(), None).data
        };
        let shown = |data: &Data, count: usize| (0..count).map(|row| data.show(row)).collect::<Vec<_>>();
        let text = |text: &str| Some(text.to_owned());
        let integers = column(&["", "3", "NA", "4"]);
        assert!(matches!(integers, Data::Numbers(_)));
        assert_eq!(shown(&integers, 4), [None, text("3"), None, text("4")]);
        assert!(matches!(column(&["1", "2"]), Data::Integers(_)));
        let booleans = column(&["True", "", "False"]);
        assert_eq!(shown(&booleans, 3), [text("True"), None, text("False")]);
        let texts = column(&["", "b", "a", "", "b"]);
        assert_eq!(shown(&texts, 5), [None, text("b"), text("a"), None, text("b")]);
        assert_eq!((texts.missing(), column(&["", ""]).missing()), (2, 2));
    }

    #[cfg(feature = "arrow")]
    #[test]
    fn many_at_once_are_the_same_as_one_by_one() {
        let shown = |builder: Builder, count: usize| {
            let data = builder.finish("x".to_owned(), None).data;
            (0..count).map(|row| data.show(row)).collect::<Vec<_>>()
        };
        for first in [None, Some(Cell::Missing), Some(Cell::Integer(7)), Some(Cell::Number(0.5))] {
            let (mut one_by_one, mut at_once) = (Builder::default(), Builder::default());
            first.into_iter().for_each(|cell| assert!(one_by_one.push(cell) && at_once.push(cell)));
            assert!([3, -4].into_iter().all(|value| one_by_one.push(Cell::Integer(value))));
            assert!([1.5, 2.5].into_iter().all(|value| one_by_one.push(Cell::Number(value))));
            assert!(at_once.extend_integers(&[3, -4]) && at_once.extend_integers(&[]));
            assert!(at_once.extend_numbers(&[1.5, 2.5]) && at_once.extend_numbers(&[]));
            let count = 4 + usize::from(first.is_some());
            assert_eq!(shown(one_by_one, count), shown(at_once, count));
        }
        let mut texts = Builder::of_texts();
        assert!(!texts.extend_integers(&[1]) && !texts.extend_numbers(&[1.0]));
    }

    #[test]
    fn misspelt_numbers_are_told_from_texts() {
        assert!(
            ["480_000", "480,000", "1 000", "12%", "$5", "-1,5", "inf", "-Infinity"].map(looks_like_a_number)
                == [true; 8]
        );
        assert!(["21-30", "n.a.", "male", "2020-01-31", "B12", ""].map(looks_like_a_number) == [false; 6]);
    }
}
