//! Parquet and Arrow files: typed columns, and files that are not what they claim to be.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int32Array,
    LargeStringArray, RecordBatch, StringArray, TimestampMicrosecondArray, UInt64Array,
};
use privug::table::{Missing, Table, read};

use crate::support::file;

#[derive(Clone, Copy, Debug)]
enum Format {
    Parquet,
    File,
    CompressedFile,
    Stream,
}

const FORMATS: [Format; 4] = [Format::Parquet, Format::File, Format::CompressedFile, Format::Stream];

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::File => "arrow",
            Format::CompressedFile => "feather",
            Format::Stream => "arrows",
        }
    }

    fn bytes(self, batch: &RecordBatch) -> Vec<u8> {
        let mut bytes = Vec::new();
        let schema = batch.schema();
        match self {
            Format::Parquet => {
                let properties = parquet::file::properties::WriterProperties::builder()
                    .set_compression(parquet::basic::Compression::SNAPPY)
                    .build();
                let writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, schema, Some(properties));
                let mut writer = writer.expect("a writer");
                writer.write(batch).expect("a batch");
                writer.close().expect("an end");
            }
            Format::File | Format::CompressedFile => {
                let compression =
                    matches!(self, Format::CompressedFile).then_some(arrow_ipc::CompressionType::LZ4_FRAME);
                let options = arrow_ipc::writer::IpcWriteOptions::default().try_with_compression(compression);
                let writer =
                    arrow_ipc::writer::FileWriter::try_new_with_options(&mut bytes, &schema, options.expect("options"));
                let mut writer = writer.expect("a writer");
                writer.write(batch).expect("a batch");
                writer.finish().expect("an end");
            }
            Format::Stream => {
                let mut writer = arrow_ipc::writer::StreamWriter::try_new(&mut bytes, &schema).expect("a writer");
                writer.write(batch).expect("a batch");
                writer.finish().expect("an end");
            }
        }
        bytes
    }
}

fn read_bytes(format: Format, bytes: &[u8], missing: Missing) -> Result<Table, String> {
    let path = file(format.extension(), bytes);
    let table = read(&path, missing);
    std::fs::remove_file(&path).expect("the file of this test");
    table.map_err(|error| {
        let shown = error.to_string();
        shown.split_once(": ").expect("a path").1.to_owned()
    })
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).expect("columns of equal length")
}

fn people() -> RecordBatch {
    let sex: DictionaryArray<Int8Type> = ["male", "female", "male"].into_iter().collect();
    let decimal = Decimal128Array::from(vec![150, 25, -5]).with_precision_and_scale(10, 2).expect("a decimal");
    batch(vec![
        ("id", Arc::new(UInt64Array::from(vec![1, 2, 3]))),
        ("age", Arc::new(Int32Array::from(vec![25, -1, 40]))),
        ("income", Arc::new(Float64Array::from(vec![1.5, 2.5, 0.1]))),
        ("weight", Arc::new(Float32Array::from(vec![0.5, 1.0, 2.0]))),
        ("fee", Arc::new(decimal)),
        ("sex", Arc::new(sex)),
        ("town", Arc::new(StringArray::from(vec!["Aarhus", "Odense", "Aarhus"]))),
        ("note", Arc::new(LargeStringArray::from(vec!["", "NA", "x"]))),
        ("member", Arc::new(BooleanArray::from(vec![true, false, true]))),
        ("born", Arc::new(Date32Array::from(vec![0, 18_262, -1]))),
        ("seen", Arc::new(TimestampMicrosecondArray::from(vec![0, 1_500_000, 2_000_000]))),
    ])
}

#[test]
fn columns_keep_their_types() {
    for format in FORMATS {
        let table = read_bytes(format, &format.bytes(&people()), Missing::Refuse).expect("a table");
        let kinds: Vec<&str> = table.columns().iter().map(|column| column.data().kind()).collect();
        let texts = "strings";
        let expected =
            ["integers", "integers", "numbers", "numbers", "numbers", texts, texts, texts, "booleans", texts, texts];
        assert_eq!(kinds, expected, "{format:?}");
        let show = |name: &str, row: usize| table.column(name).expect(name).data().show(row).expect("a value");
        assert_eq!(
            (show("income", 2), show("fee", 2), show("sex", 1)),
            ("0.1".into(), "-0.05".into(), "female".into())
        );
        assert_eq!((show("born", 1), show("born", 2)), ("2020-01-01".into(), "1969-12-31".into()));
        assert_eq!(
            (show("seen", 0), show("seen", 1)),
            ("1970-01-01 00:00:00".into(), "1970-01-01 00:00:01.500".into())
        );
        assert_eq!((table.row_count(), show("note", 1)), (3, "NA".into()));
    }
}

#[test]
fn missing_values_are_nulls_and_not_a_number() {
    let gaps = batch(vec![
        ("x", Arc::new(Float64Array::from(vec![Some(1.0), Some(f64::NAN), Some(3.0), Some(4.0)]))),
        ("g", Arc::new(StringArray::from(vec![Some("a"), Some("b"), None, Some("a")]))),
    ]);
    for format in FORMATS {
        let bytes = format.bytes(&gaps);
        let said = read_bytes(format, &bytes, Missing::Refuse).expect_err("a gap");
        assert!(said.starts_with("row 2, column `x`: the value is missing"), "{said}");
        let table = read_bytes(format, &bytes, Missing::DropRows).expect("a table");
        assert_eq!((table.row_count(), table.dropped_rows()), (2, 2));
    }
}

#[test]
fn values_that_cannot_be_analysed_are_told_with_row_and_column() {
    let infinite = batch(vec![("x", Arc::new(Float64Array::from(vec![1.0, f64::INFINITY])) as ArrayRef)]);
    let large = batch(vec![("x", Arc::new(UInt64Array::from(vec![1, u64::MAX])) as ArrayRef)]);
    let lists = arrow_array::ListArray::from_iter_primitive::<Int8Type, _, _>([Some(vec![Some(1)])]);
    let nested = batch(vec![("x", Arc::new(lists) as ArrayRef)]);
    let empty = batch(vec![("x", Arc::new(Int32Array::from(Vec::<i32>::new())) as ArrayRef)]);
    for format in FORMATS {
        let said =
            |batch: &RecordBatch| read_bytes(format, &format.bytes(batch), Missing::Refuse).expect_err("refused");
        assert!(said(&infinite).starts_with("row 2, column `x`: `inf` is not a finite number"));
        assert!(said(&large).starts_with("row 2, column `x`: the integer is larger than 64 bits"));
        assert!(said(&nested).starts_with("column `x`: the column has the type List"), "{}", said(&nested));
        assert_eq!(said(&empty), "the table has no rows");
    }
}

#[test]
fn incomplete_files_are_told() {
    for format in FORMATS {
        let bytes = format.bytes(&people());
        for length in [bytes.len() - 1, bytes.len() / 2, 40, 12] {
            // A stream needs no end, but its messages do.
            if matches!(format, Format::Stream) && length == bytes.len() - 1 {
                continue;
            }
            let said = read_bytes(format, &bytes[..length], Missing::Refuse).expect_err("an incomplete file");
            assert!(said.contains("file cannot be read:"), "{format:?} {length}: {said}");
        }
    }
    let said = read_bytes(Format::Parquet, b"a,b\n1,2\n", Missing::Refuse).expect_err("a CSV file");
    assert!(said.starts_with("this is not a Parquet file"), "{said}");
}

#[test]
fn damaged_and_hostile_files_are_read_or_refused_but_nothing_else() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for format in FORMATS {
        let good = format.bytes(&people());
        for _ in 0..400 {
            let mut bytes = good.clone();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                bytes[at] = match random(4) {
                    0 => 0xff,
                    1 => 0x7f,
                    2 => 0,
                    _ => random(256) as u8,
                };
            }
            if let Ok(table) = read_bytes(format, &bytes, Missing::DropRows) {
                assert!(table.row_count() <= 3);
            }
        }
    }
}

#[test]
fn a_compressed_buffer_cannot_ask_for_all_memory() {
    let zeros = batch(vec![("x", Arc::new(Float64Array::from(vec![0.0; 1000])) as ArrayRef)]);
    let mut bytes = Format::CompressedFile.bytes(&zeros);
    let claim = 8000u64.to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 8).filter(|at| bytes[*at..*at + 8] == claim).collect();
    assert!(!places.is_empty(), "the length of the buffer is somewhere");
    for at in places {
        bytes[at..at + 8].copy_from_slice(&(1u64 << 46).to_le_bytes());
    }
    let said = read_bytes(Format::CompressedFile, &bytes, Missing::Refuse).expect_err("a lie");
    assert!(said.contains("file cannot be read:"), "{said}");
}

/// Found by fuzzing: the library would have panicked.
#[test]
fn a_buffer_outside_of_the_file_is_refused_before_the_library_sees_it() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/buffer_outside.arrow");
    let error = read(&path, Missing::DropRows).expect_err("a broken file");
    assert!(error.to_string().contains("a buffer lies outside of the file"), "{error}");
}
