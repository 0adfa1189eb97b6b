//! Files to typed columns: CSV, Parquet and Arrow.
//!
//! A [`Table`] holds columns of numbers, integers, booleans and texts, all of the same length; cells may be missing. What
//! a file says that does not fit is refused, with the row and the column.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "arrow")]
mod arrow_fields;
#[cfg(feature = "arrow")]
mod arrow_values;
#[cfg(feature = "arrow")]
mod assemble;
mod builder;
mod csv;
mod damaged;
mod error;
#[cfg(feature = "arrow")]
mod flatbuffer;
#[cfg(feature = "arrow")]
mod moments;
#[cfg(feature = "arrow")]
mod parquet;
#[cfg(feature = "arrow")]
mod parquet_cells;
#[cfg(feature = "arrow")]
mod typed;
#[cfg(not(feature = "arrow"))]
mod without_arrow;
mod write;

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

#[cfg(not(feature = "arrow"))]
use without_arrow::{self as arrow, self as parquet};

pub use builder::is_missing;
pub use damaged::damaged_file;
pub use error::TableError;
pub use write::{Cells, ColumnPiece, ParquetWriter};

/// The number of a missing text.
pub const NO_LABEL: u32 = u32::MAX;

/// What can be done about a missing value that is refused.
const MISSING_HINT: &str = "fill it in, or let every figure skip missing values with `--missing pandas`";

/// More rows than this are refused.
pub const MAX_ROWS: usize = 100_000_000;
/// More cells than this are refused, whatever a file claims to hold.
pub const MAX_CELLS: usize = 400_000_000;
/// More columns than this are refused.
pub const MAX_COLUMNS: usize = 10_000;
/// A cell longer than this is refused.
pub const MAX_CELL_BYTES: usize = 1 << 20;

/// How to treat missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// Keep them as missing: every figure leaves them out as pandas does.
    #[default]
    AsPandas,
    /// Refuse the table, and say where the first one is.
    Refuse,
    /// Leave out every row that has one.
    DropRows,
}

/// Columns of equal length, with names.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    columns: Vec<TableColumn>,
    row_count: usize,
    dropped: usize,
    notes: Vec<String>,
}

/// One column.
#[derive(Debug, Clone, PartialEq)]
pub struct TableColumn {
    name: String,
    data: Data,
    /// The first cell that keeps a column from being one of numbers, if most of it is: its row, from 1, and its text.
    not_a_number: Option<(usize, String)>,
    spelling: Spelling,
}

/// How the integers of a column are written in the file: of `0301`, the number alone does not tell.
#[derive(Debug, Clone, PartialEq, Default)]
enum Spelling {
    /// The column was given without its text, or holds something else.
    #[default]
    Unknown,
    /// As anybody would write the numbers.
    Plain,
    /// In another way, for some of them: a column of texts.
    Texts(Data),
}

/// The values of a column. Copies share the array.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Numbers, each finite or, where it is missing, NaN. Integers with gaps are numbers, as in pandas.
    Numbers(Arc<Vec<f64>>),
    /// Integers, none of them missing.
    Integers(Arc<Vec<i64>>),
    /// Booleans, none of them missing.
    Booleans(Arc<Vec<bool>>),
    /// Booleans, some of them missing.
    OptionalBooleans(Arc<Vec<Option<bool>>>),
    /// Texts, and dates as texts: each row's label, by its number.
    Texts {
        /// The label of each row; [`NO_LABEL`] where it is missing.
        codes: Arc<Vec<u32>>,
        /// The labels, each once.
        labels: Arc<Vec<Arc<str>>>,
    },
}

impl Table {
    /// A table of columns that somebody else has read. Infinities, columns of different lengths and names that are
    /// there twice are refused, as they are in files.
    pub fn from_columns(columns: Vec<(String, Data)>, row_count: usize) -> Result<Table, TableError> {
        if columns.len() > MAX_COLUMNS || row_count > MAX_ROWS || columns.len().saturating_mul(row_count) > MAX_CELLS {
            let message = format!("{} columns of {row_count} rows are too many", columns.len());
            return Err(TableError::new(message).hint("drop the columns that are not needed"));
        }
        let mut seen = std::collections::HashSet::new();
        for (name, data) in &columns {
            if !seen.insert(name.as_str()) {
                let message = format!("two columns have the name `{name}`");
                return Err(TableError::new(message).hint("rename one of them"));
            }
            if data.len() != row_count {
                let message = format!("the column `{name}` has {} rows, and the table has {row_count}", data.len());
                return Err(TableError::new(message));
            }
            if let Data::Numbers(values) = data
                && let Some(row) = values.iter().position(|value| value.is_infinite())
            {
                let message = format!("row {}, column `{name}`: {} is not a number", row + 1, values[row]);
                return Err(TableError::new(message).hint("correct the cell, or leave it empty"));
            }
        }
        let columns = columns.into_iter().map(|(name, data)| TableColumn::new(name, data));
        Ok(Table { columns: columns.collect(), row_count, dropped: 0, notes: Vec::new() })
    }

    /// The columns, in the file's order.
    pub fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&TableColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// The same table with a column of booleans as the numbers 0 and 1; `None` if the column is no such.
    pub fn with_numbers_for_booleans(&self, name: &str) -> Option<Table> {
        let place = self.columns.iter().position(|column| column.name == name)?;
        let data = match &self.columns[place].data {
            Data::Booleans(values) => Data::Integers(Arc::new(values.iter().map(|value| i64::from(*value)).collect())),
            Data::OptionalBooleans(values) => {
                let number = |value: &Option<bool>| value.map_or(f64::NAN, |value| f64::from(u8::from(value)));
                Data::Numbers(Arc::new(values.iter().map(number).collect()))
            }
            Data::Numbers(_) | Data::Integers(_) | Data::Texts { .. } => return None,
        };
        let mut table = self.clone();
        table.columns[place].data = data;
        Some(table)
    }

    /// A table of these rows, in this order; a row may be there more than once.
    pub fn picked(&self, rows: &[u32]) -> Table {
        let columns = self.columns.iter().map(|column| TableColumn {
            name: column.name.clone(),
            data: column.data.picked(rows),
            not_a_number: column.not_a_number.clone(),
            spelling: match &column.spelling {
                Spelling::Texts(texts) => Spelling::Texts(texts.picked(rows)),
                Spelling::Unknown | Spelling::Plain => column.spelling.clone(),
            },
        });
        Table { columns: columns.collect(), row_count: rows.len(), dropped: self.dropped, notes: self.notes.clone() }
    }

    /// How many rows were left out because of missing values.
    pub fn dropped_rows(&self) -> usize {
        self.dropped
    }

    /// What was assumed while the file was read.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl TableColumn {
    fn new(name: String, data: Data) -> Self {
        TableColumn { name, data, not_a_number: None, spelling: Spelling::Unknown }
    }

    /// The column as the texts that stand in the file; `None` where they are not known.
    pub fn as_texts(&self) -> Option<Data> {
        let plain = |text: &dyn Fn(usize) -> Option<String>| {
            let (codes, labels) = coded((0..self.data.len()).map(text));
            Data::Texts { codes: Arc::new(codes), labels: Arc::new(labels) }
        };
        match (&self.spelling, &self.data) {
            (_, texts @ Data::Texts { .. }) | (Spelling::Texts(texts), _) => Some(texts.clone()),
            // Integers with gaps are numbers, which are shown without a point.
            (Spelling::Plain, Data::Integers(_) | Data::Numbers(_)) => Some(plain(&|row| self.data.show(row))),
            (Spelling::Plain | Spelling::Unknown, _) => None,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The first cell that keeps the column from being one of numbers, if most of it is: its row, from 1, and its text.
    pub fn not_a_number(&self) -> Option<(usize, &str)> {
        self.not_a_number.as_ref().map(|(row, text)| (*row, text.as_str()))
    }
}

impl Data {
    /// How many rows there are.
    fn len(&self) -> usize {
        match self {
            Data::Numbers(values) => values.len(),
            Data::Integers(values) => values.len(),
            Data::Booleans(values) => values.len(),
            Data::OptionalBooleans(values) => values.len(),
            Data::Texts { codes, .. } => codes.len(),
        }
    }

    /// The values of some rows.
    pub fn picked(&self, rows: &[u32]) -> Data {
        fn pick<T: Clone>(values: &[T], rows: &[u32]) -> Arc<Vec<T>> {
            Arc::new(rows.iter().map(|row| values[*row as usize].clone()).collect())
        }
        match self {
            Data::Numbers(values) => Data::Numbers(pick(values, rows)),
            Data::Integers(values) => Data::Integers(pick(values, rows)),
            Data::Booleans(values) => Data::Booleans(pick(values, rows)),
            Data::OptionalBooleans(values) => Data::OptionalBooleans(pick(values, rows)),
            Data::Texts { codes, labels } => Data::Texts { codes: pick(codes, rows), labels: labels.clone() },
        }
    }

    /// What a person calls the values.
    pub fn kind(&self) -> &'static str {
        match self {
            Data::Numbers(_) => "numbers",
            Data::Integers(_) => "integers",
            Data::Booleans(_) | Data::OptionalBooleans(_) => "booleans",
            Data::Texts { .. } => "strings",
        }
    }

    /// The value of a row as text; `None` if it is missing.
    pub fn show(&self, row: usize) -> Option<String> {
        let boolean = |value: bool| if value { "True" } else { "False" }.to_owned();
        match self {
            Data::Numbers(values) => Some(values[row]).filter(|value| !value.is_nan()).map(|value| value.to_string()),
            Data::Integers(values) => Some(values[row].to_string()),
            Data::Booleans(values) => Some(boolean(values[row])),
            Data::OptionalBooleans(values) => values[row].map(boolean),
            Data::Texts { codes, labels } => labels.get(codes[row] as usize).map(|label| label.to_string()),
        }
    }

    /// The value of a row as a number; `None` if it is none or missing.
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Data::Numbers(values) => Some(values[row]).filter(|value| !value.is_nan()),
            Data::Integers(values) => Some(values[row] as f64),
            Data::Booleans(_) | Data::OptionalBooleans(_) | Data::Texts { .. } => None,
        }
    }

    /// Whether the value of a row is missing.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Data::Booleans(_) | Data::Integers(_) => false,
            Data::Numbers(values) => values[row].is_nan(),
            Data::OptionalBooleans(values) => values[row].is_none(),
            Data::Texts { codes, .. } => codes[row] == NO_LABEL,
        }
    }

    /// How many values are missing.
    pub fn missing(&self) -> usize {
        match self {
            Data::Numbers(values) => values.iter().filter(|value| value.is_nan()).count(),
            Data::Integers(_) | Data::Booleans(_) => 0,
            Data::OptionalBooleans(values) => values.iter().filter(|value| value.is_none()).count(),
            Data::Texts { codes, .. } => codes.iter().filter(|code| **code == NO_LABEL).count(),
        }
    }
}

/// Numbers texts in the order in which they appear: the number of each, and the texts. `None` is a missing one.
pub fn coded(texts: impl Iterator<Item = Option<String>>) -> (Vec<u32>, Vec<Arc<str>>) {
    let mut seen: HashMap<Arc<str>, u32> = HashMap::new();
    let mut labels: Vec<Arc<str>> = Vec::new();
    let codes = texts.map(|text| {
        let Some(text) = text else { return NO_LABEL };
        match seen.get(text.as_str()) {
            Some(code) => *code,
            None => {
                let (label, code) = (Arc::<str>::from(text), labels.len() as u32);
                labels.push(label.clone());
                seen.insert(label, code);
                code
            }
        }
    });
    (codes.collect(), labels)
}

/// Reads a table. What kind of file it is is told from its first bytes and its name.
pub fn read(path: &Path, missing: Missing) -> Result<Table, TableError> {
    let shown = path.display().to_string();
    let result = (|| {
        let (file, kind) = open(path)?;
        match kind {
            Kind::Csv => csv::read(file, missing),
            Kind::Parquet => parquet::read_parquet(file, missing),
            Kind::ArrowFile => arrow::read_arrow(file, false, missing),
            Kind::ArrowStream => arrow::read_arrow(file, true, missing),
        }
    })();
    result.map_err(|error: TableError| error.in_file(&shown))
}

/// A file, and what it holds.
fn open(path: &Path) -> Result<(File, Kind), TableError> {
    let unreadable =
        |error: std::io::Error| TableError::new(format!("the file cannot be read: {error}")).hint("check the path");
    let mut file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(TableError::new("this is a directory").hint("name a CSV, Parquet or Arrow file"));
    }
    let mut start = Vec::new();
    (&mut file).take(8).read_to_end(&mut start).map_err(unreadable)?;
    file.rewind()
        .map_err(|_| TableError::new("this is not an ordinary file").hint("save the table as a file and name that"))?;
    let kind = kind_of(path, &start)?;
    Ok((file, kind))
}

/// The names of a file's columns, and how many rows it says it has.
pub(crate) fn outline(path: &Path) -> Result<(Vec<String>, Option<u64>), TableError> {
    let outlined = open(path).and_then(|(file, kind)| match kind {
        Kind::Csv => Ok((csv::names(file)?, None)),
        Kind::Parquet => parquet::parquet_names(file).map(|(names, rows)| (names, Some(rows))),
        Kind::ArrowFile | Kind::ArrowStream => Err(not_in_pieces()),
    });
    outlined.map_err(|error| error.in_file(&path.display().to_string()))
}

/// Goes through some columns of a file, piece by piece. If it is false, what was handed over has to be forgotten: a column
/// of a CSV file turned out to mix numbers and texts, and is now in `texts`, to be taken as it is spelled.
pub(crate) fn pieces<E: From<TableError>>(
    path: &Path,
    places: &[usize],
    texts: &mut Vec<usize>,
    piece_rows: usize,
    each: &mut dyn FnMut(&Table) -> Result<(), E>,
) -> Result<bool, E> {
    let shown = path.display().to_string();
    let (mut file, kind) = open(path).map_err(|error| error.in_file(&shown))?;
    match kind {
        Kind::Parquet => parquet::parquet_pieces(file, places, each).map(|()| true),
        Kind::Csv => match csv::pieces(&mut file, places, texts, piece_rows, each)? {
            None => Ok(true),
            Some(place) => {
                texts.push(place);
                Ok(false)
            }
        },
        Kind::ArrowFile | Kind::ArrowStream => Err(not_in_pieces().in_file(&shown).into()),
    }
}

fn not_in_pieces() -> TableError {
    TableError::new("an Arrow file is read as a whole").hint("save the table as a Parquet file")
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Csv,
    Parquet,
    ArrowFile,
    ArrowStream,
}

fn kind_of(path: &Path, start: &[u8]) -> Result<Kind, TableError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let refuse = |message: &str, hint: &str| Err(TableError::new(message).hint(hint));
    if start.starts_with(b"PK\x03\x04") {
        return refuse("this is a spreadsheet or a ZIP archive", "save the sheet as CSV");
    }
    if start.starts_with(&[0x1f, 0x8b]) || start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return refuse("the file is compressed", "unpack it first");
    }
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return refuse("the text is UTF-16", "save the file as UTF-8");
    }
    if start.starts_with(b"FEA1") {
        return refuse("this is a Feather file of the first version", "write it again with a current library");
    }
    if start.starts_with(b"PAR1") {
        return Ok(Kind::Parquet);
    }
    if start.starts_with(b"ARROW1") {
        return Ok(Kind::ArrowFile);
    }
    match extension.as_str() {
        "parquet" | "pq" => refuse("this is not a Parquet file", "check the path; a Parquet file begins with `PAR1`"),
        "arrow" | "arrows" | "ipc" | "feather" => Ok(Kind::ArrowStream),
        _ if start.starts_with(&[0xff; 4]) => Ok(Kind::ArrowStream),
        _ => Ok(Kind::Csv),
    }
}
