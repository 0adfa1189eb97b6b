//! A table's file on any bytes: CSV, Parquet or Arrow, as its first bytes say. What is read is whole and finite.

#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use privug::table::{Data, Missing};

fuzz_target!(|bytes: &[u8]| {
    for missing in [Missing::Refuse, Missing::DropRows] {
        match common::read_table(bytes, missing) {
            Ok(table) => {
                for column in table.columns() {
                    let rows = match column.data() {
                        Data::Numbers(values) => {
                            assert!(values.iter().all(|value| value.is_finite()));
                            values.len()
                        }
                        Data::Integers(values) => values.len(),
                        Data::Booleans(values) => values.len(),
                        Data::Texts { codes, labels } => {
                            assert!(codes.iter().all(|code| (*code as usize) < labels.len()));
                            codes.len()
                        }
                    };
                    assert_eq!(rows, table.row_count());
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
