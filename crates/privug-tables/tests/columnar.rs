//! Parquet and Arrow files as another library wrote them (`files/make.py`): typed columns, and files that are not what
//! they claim to be.
#![cfg(feature = "arrow")]

use std::path::{Path, PathBuf};

use privug_tables::table::{Missing, Table, read};

/// Parquet, an Arrow file, one with compressed buffers, and a stream.
const FORMATS: [&str; 4] = ["parquet", "arrow", "feather", "arrows"];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).expect(name)
}

/// What is said of a file, without its path.
fn read_file(path: &Path, missing: Missing) -> Result<Table, String> {
    read(path, missing).map_err(|error| {
        let shown = error.to_string();
        shown.strip_prefix(&format!("{}: ", path.display())).expect("a path").to_owned()
    })
}

/// Reads bytes as a file of that kind.
fn read_bytes(extension: &str, bytes: &[u8], missing: Missing) -> Result<Table, String> {
    static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let next = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("privug-columnar-{}-{next}.{extension}", std::process::id()));
    std::fs::write(&path, bytes).expect("a file");
    let table = read_file(&path, missing);
    std::fs::remove_file(&path).expect("the file of this test");
    table
}

/// The cells of a column; `-` where one is missing.
fn cells(table: &Table, name: &str) -> Vec<String> {
    let data = table.column(name).expect(name).data();
    (0..table.row_count()).map(|row| data.show(row).unwrap_or_else(|| "-".to_owned())).collect()
}

#[test]
fn columns_keep_their_types_and_values() {
    let expected: [(&str, &str, [&str; 3]); 23] = [
        ("id", "integers", ["1", "2", "3"]),
        ("age", "integers", ["25", "-1", "40"]),
        ("small", "integers", ["200", "0", "7"]),
        ("tiny", "integers", ["-128", "0", "127"]),
        ("wide", "integers", ["4000000000", "0", "1"]),
        ("income", "numbers", ["1.5", "2.5", "0.1"]),
        ("weight", "numbers", ["0.5", "1", "2"]),
        ("half", "numbers", ["0.5", "-1", "65504"]),
        ("fee", "numbers", ["1.5", "0.25", "-0.05"]),
        ("budget", "numbers", ["1.5", "0.25", "-0.05"]),
        ("sex", "strings", ["male", "female", "male"]),
        ("code", "integers", ["10", "20", "10"]),
        ("town", "strings", ["Aarhus", "Odense", "Aarhus"]),
        ("note", "strings", ["", "NA", "x"]),
        ("long", "strings", ["short", "longer than twelve bytes", "æøå"]),
        ("member", "booleans", ["True", "False", "True"]),
        ("born", "strings", ["1970-01-01", "2020-01-01", "1969-12-31"]),
        ("moved", "strings", ["1970-01-01", "2020-02-29", "1969-12-31"]),
        ("seen", "strings", ["1970-01-01 00:00:00", "1970-01-01 00:00:01.500", "1970-01-01 00:00:02"]),
        ("heard", "strings", ["1970-01-01 00:00:00", "1970-01-01 00:00:01.500", "1969-12-31 23:59:59.999"]),
        ("read", "strings", ["1970-01-01 00:00:00", "1970-01-01 00:00:00.000000001", "1970-01-01 00:00:01.000000001"]),
        ("noon", "strings", ["12:00:00.250", "12:00:00.250", "12:00:00.250"]),
        ("nothing", "numbers", ["-", "-", "-"]),
    ];
    for format in FORMATS {
        let table = read(&path(&format!("people.{format}")), Missing::AsPandas).expect("a table");
        assert_eq!(table.columns().len(), expected.len());
        for (name, kind, values) in &expected {
            let column = table.column(name).expect(name);
            assert_eq!(
                (column.data().kind(), cells(&table, name)),
                (*kind, values.map(str::to_owned).to_vec()),
                "{format} {name}"
            );
        }
    }
}

#[test]
fn missing_values_are_nulls_and_not_a_number() {
    for format in FORMATS {
        let path = path(&format!("gaps.{format}"));
        let table = read(&path, Missing::AsPandas).expect("a table");
        assert_eq!(cells(&table, "x"), ["1", "-", "3", "4"]);
        assert_eq!(cells(&table, "g"), ["a", "b", "-", "a"]);
        assert_eq!(cells(&table, "k"), ["1", "-", "3", "4"]);
        assert_eq!(cells(&table, "b"), ["True", "-", "False", "True"]);
        assert_eq!(cells(&table, "d"), ["u", "-", "v", "u"]);
        let said = read_file(&path, Missing::Refuse).expect_err("a gap");
        assert!(said.starts_with("row 2, column `x`: the value is missing"), "{said}");
        let table = read(&path, Missing::DropRows).expect("a table");
        assert_eq!((table.row_count(), table.dropped_rows()), (2, 2));
        assert_eq!(cells(&table, "k"), ["1", "4"]);
    }
}

#[test]
fn pages_of_all_kinds_hold_the_same_rows() {
    for name in ["old", "plain", "delta"] {
        let table = read(&path(&format!("{name}.parquet")), Missing::AsPandas).expect(name);
        assert_eq!(table.row_count(), 150);
        for row in 0..150 {
            let show = |column: &str| table.column(column).expect(column).data().show(row);
            assert_eq!(show("k"), Some(row.to_string()), "{name}");
            assert_eq!(show("town").as_deref(), [Some("a"), Some("b"), None][row % 3], "{name}");
            let nanoseconds = row % 3;
            let moment = format!("1970-01-01 00:00:00.{nanoseconds:09}");
            assert_eq!(show("t").as_deref(), Some(moment.trim_end_matches(".000000000")), "{name}");
        }
    }
    let said = read_file(&path("packed.parquet"), Missing::AsPandas).expect_err("a codec that is not there");
    assert!(said.contains("compression=\"snappy\""), "{said}");
}

#[test]
fn dictionaries_that_grow_or_hold_missing_values_are_read() {
    for name in ["grown.arrow", "grown.arrows", "grown.feather"] {
        let table = read(&path(name), Missing::AsPandas).expect(name);
        assert_eq!(cells(&table, "region"), ["south", "north", "-", "east", "-", "north"], "{name}");
        assert_eq!(cells(&table, "x"), ["1", "2", "3", "4", "5", "6"], "{name}");
        let table = read(&path(name), Missing::DropRows).expect(name);
        assert_eq!(cells(&table, "x"), ["1", "2", "4", "6"], "{name}");
    }
}

#[test]
fn a_dictionary_may_be_replaced_in_a_stream_and_not_in_a_file() {
    let table = read(&path("replaced.arrows"), Missing::AsPandas).expect("a stream");
    assert_eq!(cells(&table, "region"), ["south", "north", "-", "east", "west", "east"]);
    let said = read_file(&path("replaced.arrow"), Missing::AsPandas).expect_err("which rows mean which?");
    assert!(said.contains("it replaces a dictionary, which only a stream may"), "{said}");
}

#[test]
fn columns_of_the_same_type_may_share_a_dictionary() {
    let table = read(&path("shared.arrows"), Missing::AsPandas).expect("strings in both");
    assert_eq!(cells(&table, "lives"), ["south", "north", "-"]);
    assert_eq!(cells(&table, "works"), ["north", "north", "south"]);
    let said = read_file(&path("mixed.arrows"), Missing::AsPandas).expect_err("strings and integers");
    assert!(
        said.contains("column `works`") && said.contains("columns of different types share a dictionary"),
        "{said}"
    );
}

#[test]
fn files_without_continuation_marks_are_read() {
    let marked = read(&path("people.arrow"), Missing::AsPandas).expect("a file");
    for name in ["unmarked.arrow", "unmarked.arrows"] {
        assert_ne!(bytes(name)[if name == "unmarked.arrow" { 8 } else { 0 }..][..4], [0xff; 4], "{name}");
        let table = read(&path(name), Missing::AsPandas).expect(name);
        let columns: Vec<&str> = table.columns().iter().map(|column| column.name()).collect();
        assert_eq!(columns.len(), marked.columns().len() - 1, "{name}");
        for column in columns {
            assert_eq!(cells(&table, column), cells(&marked, column), "{name} {column}");
        }
    }
    let said = read_file(&path("ancient.arrows"), Missing::AsPandas).expect_err("the third version");
    assert!(said.contains("another version of the format than the fourth and the fifth"), "{said}");
}

#[test]
fn buffers_packed_with_zstd_are_refused_with_another_way_to_write_them() {
    for name in ["packed.arrow", "packed.arrows"] {
        let said = read_file(&path(name), Missing::AsPandas).expect_err("a codec that is not there");
        assert!(said.contains("its buffers are compressed with ZSTD") && said.contains("lz4"), "{said}");
    }
}

#[test]
fn columns_that_contradict_themselves_are_refused() {
    let said = read_file(&path("miscounted.arrows"), Missing::AsPandas).expect_err("one is missing, it says none is");
    assert!(said.contains("a column does not say which of its values are missing"), "{said}");
    let said = read_file(&path("shorter.arrows"), Missing::AsPandas).expect_err("three rows, it says two");
    assert!(said.contains("a column has another length than its batch"), "{said}");
}

#[test]
fn values_that_cannot_be_analysed_are_told_with_row_and_column() {
    for format in FORMATS {
        let said = |name: &str| read_file(&path(&format!("{name}.{format}")), Missing::Refuse).expect_err("refused");
        assert!(said("infinite").starts_with("row 2, column `x`: `inf` is not a finite number"));
        assert!(said("large").starts_with("row 2, column `x`: the integer is larger than 64 bits"));
        assert!(said("nested").starts_with("column `x`: the column has the type List"), "{}", said("nested"));
        assert!(said("binary").starts_with("column `x`: the column has the type Binary"), "{}", said("binary"));
        assert_eq!(said("empty"), "the table has no rows");
    }
}

#[test]
fn incomplete_files_are_told() {
    for format in FORMATS {
        let bytes = bytes(&format!("people.{format}"));
        for length in [bytes.len() - 1, bytes.len() / 2, 40, 12] {
            // A stream needs no end, but its messages do.
            if format == "arrows" && length == bytes.len() - 1 {
                continue;
            }
            let said = read_bytes(format, &bytes[..length], Missing::Refuse).expect_err("an incomplete file");
            assert!(said.contains("file cannot be read:"), "{format} {length}: {said}");
        }
    }
    let said = read_bytes("parquet", b"a,b\n1,2\n", Missing::Refuse).expect_err("a CSV file");
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
    for name in ["people", "gaps"] {
        for format in FORMATS {
            let good = bytes(&format!("{name}.{format}"));
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
                    assert!(table.row_count() <= 4);
                }
            }
        }
    }
}

#[test]
fn a_compressed_buffer_cannot_ask_for_all_memory() {
    let mut bytes = bytes("zeros.feather");
    let claim = 8000u64.to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 8).filter(|at| bytes[*at..*at + 8] == claim).collect();
    assert!(!places.is_empty(), "the length of the buffer is somewhere");
    for at in places {
        bytes[at..at + 8].copy_from_slice(&(1u64 << 46).to_le_bytes());
    }
    let said = read_bytes("feather", &bytes, Missing::Refuse).expect_err("a lie");
    assert!(said.contains("claims to hold more than it can"), "{said}");
}

/// Found by fuzzing.
#[test]
fn a_buffer_outside_of_the_file_is_refused() {
    let said = read_file(&path("buffer_outside.arrow"), Missing::DropRows).expect_err("a broken file");
    assert!(said.contains("a buffer lies outside the file"), "{said}");
}
