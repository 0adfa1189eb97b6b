//! A table's file on any bytes: CSV, Parquet or Arrow, as its first bytes say. What is read is whole and finite.

use privug::table::{Data, Missing, NO_LABEL};

/// Answers or refuses what the bytes say.
pub fn run(bytes: &[u8]) {
    for missing in [Missing::AsPandas, Missing::Refuse, Missing::DropRows] {
        let has_gaps = missing == Missing::AsPandas;
        match super::read_table(bytes, missing) {
            Ok(table) => {
                for column in table.columns() {
                    let rows = match column.data() {
                        Data::Numbers(values) => {
                            assert!(values.iter().all(|value| value.is_finite() || (has_gaps && value.is_nan())));
                            values.len()
                        }
                        Data::Integers(values) => values.len(),
                        Data::Booleans(values) => values.len(),
                        Data::OptionalBooleans(values) => {
                            assert!(has_gaps || values.iter().all(Option::is_some));
                            values.len()
                        }
                        Data::Texts { codes, labels } => {
                            assert!(
                                codes
                                    .iter()
                                    .all(|code| (*code as usize) < labels.len() || (has_gaps && *code == NO_LABEL))
                            );
                            codes.len()
                        }
                    };
                    assert_eq!(rows, table.row_count());
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
