//! Files to typed columns: CSV, Parquet and Arrow.

pub mod table;
