//! Files to tables: what is read, and what is said about files that cannot be.

use privug::table::{Data, Missing, Table, TableError, read};

use crate::support::{file, table, try_table};

fn error(content: impl AsRef<[u8]>) -> String {
    let error = try_table(content, Missing::Refuse).expect_err("a bad table");
    let shown = error.to_string();
    let (path, rest) = shown.split_once(": ").expect("a path");
    assert!(path.ends_with(".csv"), "{shown}");
    rest.to_owned()
}

fn kinds(table: &Table) -> Vec<&str> {
    table.columns().iter().map(|column| column.data().kind()).collect()
}

#[test]
fn columns_have_the_types_that_their_cells_have() {
    let table = table("a,b,c,d,e\n1,1.5,True,x,2020-01-31\n2,3,False,y,2021-02-28\n-3,1e3,True,x,2020-01-31\n");
    assert_eq!(kinds(&table), ["integers", "numbers", "booleans", "strings", "strings"]);
    assert_eq!(table.row_count(), 3);
    assert_eq!(table.column("b").and_then(|column| column.data().show(2)).as_deref(), Some("1000"));
    let Data::Texts { codes, labels } = table.columns()[3].data() else { panic!("texts") };
    assert_eq!((codes.as_slice(), labels.len()), ([0, 1, 0].as_slice(), 2));
}

#[test]
fn byte_order_marks_line_endings_and_quotes_are_understood() {
    let table = table("\u{feff}name,note\r\n\"Smith, \"\"J\"\"\",\"two\r\nlines\"\r\nÅse,ok\r\n");
    assert_eq!(table.columns()[0].name(), "name");
    assert_eq!(table.columns()[0].data().show(0).as_deref(), Some("Smith, \"J\""));
    assert_eq!(table.columns()[1].data().show(0).as_deref(), Some("two\r\nlines"));
    assert_eq!(table.columns()[0].data().show(1).as_deref(), Some("Åse"));
}

#[test]
fn numbers_and_texts_in_one_column_are_texts_as_written() {
    let table = table("code,x\n007,1\n1.50,2\nA3,3\nB4,4\n");
    assert_eq!(table.columns()[0].data().show(0).as_deref(), Some("007"));
    assert_eq!(table.columns()[0].data().show(1).as_deref(), Some("1.50"));
    assert_eq!(table.columns()[0].not_a_number(), Some((3, "A3")));
    let note = "the column `code` is read as strings: 2 of its 4 cells are numbers, but row 3 is `A3`";
    assert_eq!(table.notes(), [note]);
}

#[test]
fn a_misspelt_number_is_told_with_row_and_column() {
    let content = "id,income\n1,480000\n2,480_000\n3,470000\n";
    let expected = "row 2 (line 3), column `income`: `480_000` is not a number; write numbers as `480000` or `1.5`, without separators and units";
    assert_eq!(error(content), expected);
    assert!(error("x\n1\n\"1,5\"\n2\n").starts_with("row 2 (line 3), column `x`: `1,5` is not a number"));
    assert!(error("x\n1\ninf\n2\n").contains("infinite values cannot be analysed"));
}

#[test]
fn missing_values_are_refused_or_left_out() {
    for spelling in ["", "NA", "nan", "NaN", "NULL", "n/a"] {
        let content = format!("a,b\n1,x\n{spelling},y\n3,z\n");
        let said = error(&content);
        let expected = "row 2 (line 3), column `a`: the value is missing; fill it in, or let every figure skip missing values with `--missing pandas`";
        assert_eq!(said, expected, "{spelling}");
        let table = try_table(&content, Missing::DropRows).expect("a table");
        assert_eq!((table.row_count(), table.dropped_rows()), (2, 1));
        assert_eq!(table.columns()[0].data().kind(), "integers");
    }
    let none = try_table("a\nNA\n", Missing::DropRows).expect_err("no rows").to_string();
    assert!(none.contains("no row is left"), "{none}");
}

#[test]
fn bad_tables_are_refused_clearly() {
    assert_eq!(error(""), "the file is empty; the first line names the columns");
    assert_eq!(error("a,b\n"), "the table has no rows; the first line only names the columns");
    assert_eq!(error("a,b,a\n1,2,3\n"), "line 1, column `a`: two columns have this name; rename one of them");
    let ragged = "row 2 (line 3): there are 3 cells instead of 2; put a cell that contains a comma into quotation marks, and close every quotation mark";
    assert_eq!(error("a,b\n1,2\n1,2,3\n"), ragged);
    assert!(error("a,b\n1,2\n1\n").starts_with("row 2 (line 3): there is 1 cell instead of 2"));
    assert_eq!(
        error("a;b\n1;2\n"),
        "line 1: the columns are not separated by commas; save the table with `,` between the cells"
    );
    assert_eq!(
        error(b"a,b\n1,\xff\xfe\n"),
        "row 1 (line 2), column `b`: the text is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(error(b"\xff\xfea\x00"), "the text is UTF-16; save the file as UTF-8");
    assert_eq!(error(b"PK\x03\x04...."), "this is a spreadsheet or a ZIP archive; save the sheet as CSV");
    assert_eq!(error(b"\x1f\x8b......"), "the file is compressed; unpack it first");
}

#[test]
fn an_endless_line_is_not_read_to_its_end() {
    let endless = "x".repeat(20 << 20);
    assert!(error(format!("a\n{endless}")).contains("a row is longer than 16 MB"));
    assert!(error(&endless).contains("a row is longer than 16 MB"));
    let open = format!("a,b\n1,\"{}\n", "2\n".repeat(2 << 20));
    assert!(error(open).contains("a cell is longer than 1048576 bytes"));
}

#[test]
fn files_that_are_not_there_are_told() {
    let missing = read(std::path::Path::new("no/such/file.csv"), Missing::Refuse).expect_err("no file");
    assert!(missing.to_string().starts_with("no/such/file.csv: the file cannot be read:"), "{missing}");
    let directory = read(&std::env::temp_dir(), Missing::Refuse).expect_err("a directory").to_string();
    assert!(directory.contains("this is a directory"), "{directory}");
}

#[test]
fn errors_say_where_they_are() {
    let error = try_table("a\n1\nNA\n", Missing::Refuse).expect_err("a bad table");
    let TableError { row, line, column, .. } = error;
    assert_eq!((row, line, column.as_deref()), (Some(2), Some(3), Some("a")));
    let path = file("csv", b"a\n1\n");
    assert!(read(&path, Missing::Refuse).is_ok());
}
