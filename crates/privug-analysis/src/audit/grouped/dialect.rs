//! The engines that hold tables, and what is different in their SQL.

use privug_tables::register::LARGEST;

/// The SQL of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Apache Spark 3.5 and 4.
    Spark,
    /// DuckDB.
    DuckDb,
    /// PostgreSQL 12 and later.
    Postgres,
    /// Google BigQuery.
    BigQuery,
    /// Snowflake.
    Snowflake,
    /// Trino.
    Trino,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 6] =
        [Dialect::Spark, Dialect::DuckDb, Dialect::Postgres, Dialect::BigQuery, Dialect::Snowflake, Dialect::Trino];

    /// As it is written in options.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Spark => "spark",
            Dialect::DuckDb => "duckdb",
            Dialect::Postgres => "postgres",
            Dialect::BigQuery => "bigquery",
            Dialect::Snowflake => "snowflake",
            Dialect::Trino => "trino",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// A name of a column or a table, in quotation marks: it may be any text.
    pub(super) fn quoted(self, name: &str) -> String {
        match self {
            Dialect::Spark => format!("`{}`", name.replace('`', "``")),
            Dialect::BigQuery => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
            Dialect::DuckDb | Dialect::Postgres | Dialect::Snowflake | Dialect::Trino => {
                format!("\"{}\"", name.replace('"', "\"\""))
            }
        }
    }

    /// A text.
    pub(super) fn literal(self, text: &str) -> String {
        match self {
            // Backslashes are escapes there.
            Dialect::Spark | Dialect::BigQuery | Dialect::Snowflake => {
                format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            Dialect::DuckDb | Dialect::Postgres | Dialect::Trino => format!("'{}'", text.replace('\'', "''")),
        }
    }

    pub(super) fn double(self) -> &'static str {
        match self {
            Dialect::Postgres => "DOUBLE PRECISION",
            Dialect::BigQuery => "FLOAT64",
            Dialect::Spark | Dialect::DuckDb | Dialect::Snowflake | Dialect::Trino => "DOUBLE",
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Dialect::Spark | Dialect::BigQuery => "STRING",
            Dialect::DuckDb | Dialect::Postgres | Dialect::Snowflake | Dialect::Trino => "VARCHAR",
        }
    }

    /// Whether a number is NaN, for any type of numbers.
    pub(super) fn is_nan(self, column: &str) -> String {
        let double = format!("CAST({column} AS {})", self.double());
        match self {
            Dialect::DuckDb | Dialect::Spark => format!("isnan({double})"),
            Dialect::Postgres | Dialect::Snowflake => format!("{double} = CAST('NaN' AS {})", self.double()),
            Dialect::BigQuery => format!("IS_NAN({double})"),
            Dialect::Trino => format!("is_nan({double})"),
        }
    }

    /// A number as a decimal with so many digits after the decimal point; NULL or an error where it does not fit.
    pub(super) fn decimal(self, column: &str, decimals: u32) -> String {
        match self {
            Dialect::DuckDb | Dialect::Trino | Dialect::Spark => {
                format!("TRY_CAST({column} AS DECIMAL(38, {decimals}))")
            }
            Dialect::Postgres => format!("CAST({column} AS NUMERIC(38, {decimals}))"),
            Dialect::Snowflake => format!("CAST({column} AS NUMBER(38, {decimals}))"),
            Dialect::BigQuery => format!("ROUND(SAFE_CAST({column} AS BIGNUMERIC), {decimals})"),
        }
    }

    /// Whether a cell is missing: NULL or NaN.
    pub(super) fn is_missing(self, column: &str) -> String {
        format!("({column} IS NULL OR {})", self.is_nan(column))
    }

    /// A digest of the letters of a cell, whatever the engine takes to be the same.
    pub(super) fn digest(self, column: &str) -> String {
        let text = format!("CAST({column} AS {})", self.text());
        match self {
            Dialect::DuckDb | Dialect::Postgres | Dialect::Snowflake => format!("md5({text})"),
            Dialect::Spark => format!("md5(CAST({text} AS BINARY))"),
            Dialect::BigQuery => format!("TO_HEX(MD5({text}))"),
            Dialect::Trino => format!("to_hex(md5(to_utf8({text})))"),
        }
    }

    /// What tells a group apart: the digests of its cells. Equality of it is what every engine joins by quickly, also where cells
    /// are missing; `IS NOT DISTINCT FROM` is not, and some engines get it wrong.
    /// `marks` tell apart who is alike in all cells.
    pub(super) fn key(self, of: &str, columns: &[String], marks: Vec<String>) -> String {
        let cell = |name: &String| format!("COALESCE({}, '-')", self.digest(&format!("{of}{}", self.quoted(name))));
        let mut parts: Vec<String> = columns.iter().map(cell).collect();
        parts.extend(marks);
        if parts.is_empty() { "'-'".to_owned() } else { parts.join(" || ',' || ") }
    }

    /// Whether the largest of a group come from an aggregate of its own, and need no sorting of everybody.
    pub(super) fn has_largest(self) -> bool {
        match self {
            Dialect::DuckDb | Dialect::Trino => true,
            Dialect::Spark | Dialect::Postgres | Dialect::BigQuery | Dialect::Snowflake => false,
        }
    }

    /// A column that windows are partitioned by. Different texts of the same number are noticed as merged.
    pub(super) fn partition(self, key: &str) -> String {
        match self {
            // Not by numbers with a point.
            Dialect::BigQuery => format!("CAST({key} AS {})", self.text()),
            Dialect::Spark | Dialect::DuckDb | Dialect::Postgres | Dialect::Snowflake | Dialect::Trino => {
                key.to_owned()
            }
        }
    }

    /// The largest but `place` of what an expression is in a group; `rank` is the column with its ranks, where those are needed.
    pub(super) fn largest(self, size: &str, rank: &str, place: usize) -> String {
        match self {
            Dialect::DuckDb => format!("list_extract(max({size}, {LARGEST}), {place})"),
            Dialect::Trino => format!("element_at(max({size}, {LARGEST}), {place})"),
            Dialect::Spark | Dialect::Postgres | Dialect::BigQuery | Dialect::Snowflake => {
                format!("MAX(CASE WHEN {rank} = {place} THEN {size} END)")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_a_name_that_reads_back() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::named(dialect.name()), Some(dialect));
        }
        assert_eq!(Dialect::named("mysql"), None);
    }
}
