//! CSV files, read row by row within bounds.

use std::cell::Cell as Counter;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::rc::Rc;

use super::builder::{Builder, Cell, is_plain_integer, looks_like_a_number};
use super::{MAX_CELL_BYTES, MAX_CELLS, MAX_COLUMNS, MAX_ROWS, Missing, Spelling, Table, TableError};

/// A row longer than this is refused before it fills the memory.
const MAX_ROW_BYTES: u64 = 16 << 20;

/// What has been found out about a column.
struct Column {
    name: String,
    builder: Builder,
    /// It has to be read again, as texts.
    mixed: bool,
    /// How many cells are numbers, and how many are neither numbers nor missing.
    numbers: usize,
    others: usize,
    /// The first cell that is no number: its row and line, and its text.
    offender: Option<(usize, u64, String)>,
    /// The first of these that was probably meant to be one.
    misspelt: Option<(usize, u64, String)>,
    /// Whether an integer is written in another way than numbers are shown, such as `0301`.
    is_code: bool,
    /// Integers as they are written, if one is a code.
    codes: Builder,
}

pub(super) fn read(mut file: File, missing: Missing) -> Result<Table, TableError> {
    let mut columns = Vec::new();
    let mut dropped = 0;
    let row_count = pass(&mut file, missing, &mut |event| match event {
        Event::Names(names) => {
            columns = names.into_iter().map(|name| Column::new(name, Builder::default())).collect();
        }
        Event::Dropped => dropped += 1,
        Event::Row { row, line, cells } => {
            for (column, (cell, text)) in columns.iter_mut().zip(cells) {
                column.push(row, line, *cell, text);
            }
        }
    })?;
    for column in &columns {
        column.refuse_misspelt_numbers()?;
    }
    for column in columns.iter_mut() {
        column.is_code &= !column.mixed && column.builder.holds_integers();
    }
    if columns.iter().any(|column| column.mixed || column.is_code) {
        file.rewind().map_err(|error| TableError::new(format!("the file cannot be read again: {error}")))?;
        reread_texts(&mut file, missing, &mut columns)?;
    }
    let notes = columns.iter().filter_map(|column| column.note(row_count)).collect();
    let columns = columns.into_iter().map(|column| {
        let not_a_number = column.misspelt.or(column.offender.filter(|_| column.numbers > 0));
        let not_a_number = not_a_number.map(|(row, _, text)| (row, text));
        let spelling = match (column.is_code, column.builder.holds_integers()) {
            (true, _) => Spelling::Texts(column.codes.finish(String::new(), None).data),
            (false, true) => Spelling::Plain,
            (false, false) => Spelling::Unknown,
        };
        super::TableColumn { spelling, ..column.builder.finish(column.name, not_a_number) }
    });
    Ok(Table { columns: columns.collect(), row_count, dropped, notes })
}

/// The names of a file's columns.
pub(super) fn names(file: File) -> Result<Vec<String>, TableError> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(file);
    let mut record = ::csv::ByteRecord::new();
    if !reader.read_byte_record(&mut record).map_err(|error| explain(error, 0))? {
        return Err(TableError::new("the file is empty").hint("the first line names the columns"));
    }
    if let Some(first) = record.get(0).and_then(|first| first.strip_prefix(b"\xef\xbb\xbf".as_slice())) {
        let rest: Vec<&[u8]> = record.iter().skip(1).collect();
        record = std::iter::once(first).chain(rest).collect();
    }
    column_names(&record)
}

/// Goes through some columns of a file, piece by piece. Those in `texts` are taken as they are spelled; a column that turns
/// out to mix numbers and texts ends the pass, with its place among all.
pub(super) fn pieces<E: From<TableError>>(
    file: &mut File,
    places: &[usize],
    texts: &[usize],
    piece_rows: usize,
    each: &mut dyn FnMut(&Table) -> Result<(), E>,
) -> Result<Option<usize>, E> {
    let mut columns: Vec<Column> = Vec::new();
    let mut rows = 0;
    let mut mixed = None;
    let builder = |place: &usize| if texts.contains(place) { Builder::of_texts() } else { Builder::default() };
    let mut hand_over = |columns: &mut [Column], rows: &mut usize| {
        let taken = columns.iter_mut().zip(places).map(|(column, place)| {
            let full = std::mem::replace(&mut column.builder, builder(place));
            full.finish(column.name.clone(), None)
        });
        let table = Table { columns: taken.collect(), row_count: *rows, dropped: 0, notes: Vec::new() };
        *rows = 0;
        each(&table)
    };
    bounded_pass::<E>(file, Missing::AsPandas, &|_| usize::MAX, &mut |event| {
        match event {
            Event::Names(names) => {
                columns = places.iter().map(|place| Column::new(names[*place].clone(), builder(place))).collect();
            }
            Event::Dropped => {}
            Event::Row { row, line, cells } if mixed.is_none() => {
                for (column, place) in columns.iter_mut().zip(places) {
                    let (cell, text) = cells[*place];
                    let is_text = texts.contains(place) && !matches!(cell, Cell::Missing);
                    column.push(row, line, if is_text { Cell::Text(text) } else { cell }, text);
                    if column.mixed {
                        mixed.get_or_insert(*place);
                    }
                }
                rows += 1;
                if rows == piece_rows && mixed.is_none() {
                    hand_over(&mut columns, &mut rows)?;
                }
            }
            Event::Row { row, line, cells } => {
                // Nothing more is grouped, but a misspelt number further down is a better reason to stop.
                for (column, place) in columns.iter_mut().zip(places).filter(|(column, _)| column.mixed) {
                    let (cell, text) = cells[*place];
                    column.look(row, line, cell, text);
                }
            }
        }
        Ok(())
    })?;
    if texts.is_empty() {
        for column in &columns {
            column.refuse_misspelt_numbers()?;
        }
    }
    if mixed.is_none() && rows > 0 {
        hand_over(&mut columns, &mut rows)?;
    }
    Ok(mixed)
}

/// Columns in which numbers and texts are mixed are texts, spelled as in the file. The codes of columns of integers are kept
/// beside these.
fn reread_texts(file: &mut File, missing: Missing, columns: &mut [Column]) -> Result<(), TableError> {
    for column in columns.iter_mut().filter(|column| column.mixed) {
        column.builder = Builder::of_texts();
    }
    pass(file, missing, &mut |event| {
        if let Event::Row { cells, .. } = event {
            let read_again = columns.iter_mut().zip(cells).filter(|(column, _)| column.mixed || column.is_code);
            for (column, (cell, text)) in read_again {
                let cell = if let Cell::Missing = cell { Cell::Missing } else { Cell::Text(text) };
                let texts = if column.mixed { &mut column.builder } else { &mut column.codes };
                texts.push(cell);
            }
        }
    })
    .map(|_| ())
}

impl Column {
    fn new(name: String, builder: Builder) -> Self {
        Column {
            name,
            builder,
            mixed: false,
            numbers: 0,
            others: 0,
            offender: None,
            misspelt: None,
            is_code: false,
            codes: Builder::of_texts(),
        }
    }

    fn push(&mut self, row: usize, line: u64, cell: Cell<'_>, text: &str) {
        self.look(row, line, cell, text);
        self.mixed = self.mixed || !self.builder.push(cell);
    }

    /// Counts what a cell is.
    fn look(&mut self, row: usize, line: u64, cell: Cell<'_>, text: &str) {
        match cell {
            Cell::Integer(_) => {
                self.numbers += 1;
                self.is_code = self.is_code || !is_plain_integer(text);
            }
            Cell::Number(_) => self.numbers += 1,
            Cell::Missing => {}
            Cell::Boolean(_) | Cell::Text(_) => {
                self.others += 1;
                if self.offender.is_none() {
                    self.offender = Some((row, line, shortened(text)));
                }
                if self.misspelt.is_none() && looks_like_a_number(text) {
                    self.misspelt = Some((row, line, shortened(text)));
                }
            }
        }
    }

    /// A column of numbers with a cell that was meant to be one is a mistake in the file, not a column of texts.
    fn refuse_misspelt_numbers(&self) -> Result<(), TableError> {
        let Some((row, line, text)) = &self.misspelt else { return Ok(()) };
        let infinite = text.to_lowercase().contains("inf");
        if self.numbers < self.others && !infinite {
            return Ok(());
        }
        let too_large = !infinite && text.trim().parse::<f64>().is_ok_and(f64::is_infinite);
        let too_long = text.trim().bytes().all(|byte| byte.is_ascii_digit());
        let what = match (too_large, too_long) {
            (true, _) => "is too large for a number",
            (false, true) => "has too many digits for an integer",
            (false, false) => "is not a number",
        };
        let error = TableError::new(format!("`{text}` {what}")).at_row(*row).at_line(*line).in_column(&self.name);
        Err(error.hint(if infinite {
            "infinite values cannot be analysed"
        } else if too_large {
            "numbers go up to 1.8e308; give the column in larger units"
        } else if too_long {
            "integers go up to 9223372036854775807; give the column in larger units, or write the number with a decimal point"
        } else {
            "write numbers as `480000` or `1.5`, without separators and units"
        }))
    }

    fn note(&self, row_count: usize) -> Option<String> {
        let (row, _, text) = self.offender.as_ref().filter(|_| self.mixed && self.numbers > 0)?;
        let (name, numbers) = (&self.name, self.numbers);
        Some(format!(
            "the column `{name}` is read as strings: {numbers} of its {row_count} cells are numbers, but row {row} is `{text}`"
        ))
    }
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN { text.to_owned() } else { text.chars().take(SHOWN).chain(['…']).collect() }
}

/// What is found on the way through a file.
enum Event<'e> {
    Names(Vec<String>),
    /// A row with a missing value that is left out.
    Dropped,
    /// A row, its number among those that are kept, its line, and its cells.
    Row {
        row: usize,
        line: u64,
        cells: &'e [(Cell<'e>, &'e str)],
    },
}

/// Goes through a file once; gives the number of rows that are kept.
fn pass(file: &mut File, missing: Missing, found: &mut dyn FnMut(Event<'_>)) -> Result<usize, TableError> {
    let most = |columns: usize| MAX_ROWS.min(MAX_CELLS / columns.max(1));
    let (kept, rows) = bounded_pass(file, missing, &most, &mut |event| {
        found(event);
        Ok::<(), TableError>(())
    })?;
    match (kept, rows) {
        (0, 0) => Err(TableError::new("the table has no rows").hint("the first line only names the columns")),
        (0, _) => Err(TableError::new("no row is left: each has a missing value").hint("fill them in")),
        _ => Ok(kept),
    }
}

/// The same, as long as nothing is wrong with what is found, and with at most so many rows of so many columns; gives the
/// numbers of rows that are kept and that there are. A file may have none: it can be a part of a larger table.
fn bounded_pass<E: From<TableError>>(
    file: &mut File,
    missing: Missing,
    most: &dyn Fn(usize) -> usize,
    found: &mut dyn FnMut(Event<'_>) -> Result<(), E>,
) -> Result<(usize, usize), E> {
    let since_row = Rc::new(Counter::new(0));
    let bounded = Bounded { file, since_row: since_row.clone(), at_start: true };
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(bounded);
    let mut record = ::csv::ByteRecord::new();
    if !reader.read_byte_record(&mut record).map_err(|error| explain(error, 0))? {
        return Err(TableError::new("the file is empty").hint("the first line names the columns").into());
    }
    let names = column_names(&record)?;
    let mut row_in_file = 0;
    let mut kept = 0;
    found(Event::Names(names.clone()))?;
    loop {
        since_row.set(0);
        if !reader.read_byte_record(&mut record).map_err(|error| explain(error, row_in_file))? {
            break;
        }
        row_in_file += 1;
        let line = record.position().map_or(0, ::csv::Position::line);
        let at = |error: TableError| error.at_row(row_in_file).at_line(line);
        let mut cells: Vec<(Cell<'_>, &str)> = Vec::with_capacity(names.len());
        for (bytes, name) in record.iter().zip(&names) {
            if bytes.len() > MAX_CELL_BYTES {
                let error = TableError::new(format!("a cell is longer than {MAX_CELL_BYTES} bytes"));
                return Err(at(error).in_column(name).hint("is a quotation mark left open?").into());
            }
            let Ok(text) = std::str::from_utf8(bytes) else {
                return Err(at(TableError::new("the text is not UTF-8"))
                    .in_column(name)
                    .hint("save the file as UTF-8")
                    .into());
            };
            cells.push((Cell::read(text), text));
        }
        if missing != Missing::AsPandas
            && let Some(place) = cells.iter().position(|(cell, _)| matches!(cell, Cell::Missing))
        {
            if missing == Missing::Refuse {
                let error = at(TableError::new("the value is missing")).in_column(&names[place]);
                return Err(error.hint(super::MISSING_HINT).into());
            }
            found(Event::Dropped)?;
            continue;
        }
        kept += 1;
        if kept > most(names.len()) {
            return Err(TableError::new(format!("the table has more than {kept} rows")).hint("split it").into());
        }
        found(Event::Row { row: row_in_file, line, cells: &cells })?;
    }
    Ok((kept, row_in_file))
}

fn column_names(record: &::csv::ByteRecord) -> Result<Vec<String>, TableError> {
    if record.len() > MAX_COLUMNS {
        return Err(
            TableError::new(format!("the table has {} columns", record.len())).hint("select those that are needed")
        );
    }
    let mut names: Vec<String> = Vec::with_capacity(record.len());
    for (place, bytes) in record.iter().enumerate() {
        let Ok(name) = std::str::from_utf8(bytes) else {
            return Err(TableError::new("the text is not UTF-8").at_line(1).hint("save the file as UTF-8"));
        };
        if name.len() > MAX_CELL_BYTES {
            return Err(TableError::new("the name of a column is longer than a megabyte").at_line(1));
        }
        // As pandas calls a column without a name.
        let name = if name.is_empty() { format!("Unnamed: {place}") } else { name.to_owned() };
        if names.contains(&name) {
            let error = TableError::new("two columns have this name").at_line(1).in_column(&name);
            return Err(error.hint("rename one of them"));
        }
        names.push(name);
    }
    if let [only] = names.as_slice()
        && only.contains([';', '\t', '|'])
    {
        let error = TableError::new("the columns are not separated by commas").at_line(1);
        return Err(error.hint("save the table with `,` between the cells"));
    }
    Ok(names)
}

fn explain(error: ::csv::Error, row_in_file: usize) -> TableError {
    match error.kind() {
        ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, ::csv::Position::line);
            let cells = if *len == 1 { "there is 1 cell".to_owned() } else { format!("there are {len} cells") };
            let message = format!("{cells} instead of {expected_len}");
            let hint = "put a cell that contains a comma into quotation marks, and close every quotation mark";
            TableError::new(message).at_row(row_in_file + 1).at_line(line).hint(hint)
        }
        ::csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::InvalidData => TableError::new(error.to_string())
            .at_row(row_in_file + 1)
            .hint("is it a table, and are all quotation marks closed?"),
        other => TableError::new(format!("the file cannot be read: {other:?}")).at_row(row_in_file + 1),
    }
}

/// A file without its byte order mark, in which no row is endless.
struct Bounded<'f> {
    file: &'f mut File,
    /// Bytes that were read since the last row was complete.
    since_row: Rc<Counter<u64>>,
    at_start: bool,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let mut count = self.file.read(buffer)?;
        if self.at_start {
            self.at_start = false;
            if buffer[..count].starts_with(BYTE_ORDER_MARK) {
                buffer.copy_within(BYTE_ORDER_MARK.len()..count, 0);
                count -= BYTE_ORDER_MARK.len();
            }
        }
        let read = self.since_row.get() + count as u64;
        self.since_row.set(read);
        if read > MAX_ROW_BYTES {
            let message = format!("a row is longer than {} MB", MAX_ROW_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(count)
    }
}
