//! Files to typed columns: CSV, Parquet and Arrow; and tables larger than the memory to groups of people.

pub mod register;
pub mod table;
