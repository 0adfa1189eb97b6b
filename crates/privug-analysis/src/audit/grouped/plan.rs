//! The queries that group a table, and join results back to it, in the SQL of the engine that holds it.
//!
//! Sums are of exact decimals and leave the engine as texts, so that all engines agree to the last digit. Rows whose secret
//! has more decimals are counted, and such groups are refused when they are read. Missing values (NULL and NaN) are groups
//! of their own, as they are in pandas.

use std::fmt::Write;

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
    fn quoted(self, name: &str) -> String {
        match self {
            Dialect::Spark => format!("`{}`", name.replace('`', "``")),
            Dialect::BigQuery => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
            Dialect::DuckDb | Dialect::Postgres | Dialect::Snowflake | Dialect::Trino => {
                format!("\"{}\"", name.replace('"', "\"\""))
            }
        }
    }

    /// A text.
    fn literal(self, text: &str) -> String {
        match self {
            // Backslashes are escapes there.
            Dialect::Spark | Dialect::BigQuery | Dialect::Snowflake => {
                format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            Dialect::DuckDb | Dialect::Postgres | Dialect::Trino => format!("'{}'", text.replace('\'', "''")),
        }
    }

    fn double(self) -> &'static str {
        match self {
            Dialect::Postgres => "DOUBLE PRECISION",
            Dialect::BigQuery => "FLOAT64",
            Dialect::Spark | Dialect::DuckDb | Dialect::Snowflake | Dialect::Trino => "DOUBLE",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Dialect::Spark | Dialect::BigQuery => "STRING",
            Dialect::DuckDb | Dialect::Postgres | Dialect::Snowflake | Dialect::Trino => "VARCHAR",
        }
    }

    /// Whether a number is NaN, for any type of numbers.
    fn is_nan(self, column: &str) -> String {
        let double = format!("CAST({column} AS {})", self.double());
        match self {
            Dialect::DuckDb | Dialect::Spark => format!("isnan({double})"),
            Dialect::Postgres | Dialect::Snowflake => format!("{double} = CAST('NaN' AS {})", self.double()),
            Dialect::BigQuery => format!("IS_NAN({double})"),
            Dialect::Trino => format!("is_nan({double})"),
        }
    }

    /// A number as a decimal with so many digits behind the point; NULL or an error where it does not fit.
    fn decimal(self, column: &str, decimals: u32) -> String {
        match self {
            Dialect::DuckDb | Dialect::Trino | Dialect::Spark => {
                format!("TRY_CAST({column} AS DECIMAL(38, {decimals}))")
            }
            Dialect::Postgres => format!("CAST({column} AS NUMERIC(38, {decimals}))"),
            Dialect::Snowflake => format!("CAST({column} AS NUMBER(38, {decimals}))"),
            Dialect::BigQuery => format!("ROUND(SAFE_CAST({column} AS BIGNUMERIC), {decimals})"),
        }
    }

    /// A digest of the letters of a cell, whatever the engine takes to be the same.
    fn digest(self, column: &str) -> String {
        let text = format!("CAST({column} AS {})", self.text());
        match self {
            Dialect::DuckDb | Dialect::Postgres | Dialect::Snowflake => format!("md5({text})"),
            Dialect::Spark => format!("md5(CAST({text} AS BINARY))"),
            Dialect::BigQuery => format!("TO_HEX(MD5({text}))"),
            Dialect::Trino => format!("to_hex(md5(to_utf8({text})))"),
        }
    }

    /// Two cells that are the same, or both missing.
    fn same(self, one: &str, other: &str) -> String {
        match self {
            Dialect::Spark => format!("{one} <=> {other}"),
            Dialect::DuckDb | Dialect::Postgres | Dialect::BigQuery | Dialect::Snowflake | Dialect::Trino => {
                format!("{one} IS NOT DISTINCT FROM {other}")
            }
        }
    }

    /// Whether the largest of a group come from an aggregate of its own, and need no sorting of everybody.
    fn has_largest(self) -> bool {
        match self {
            Dialect::DuckDb | Dialect::Trino => true,
            Dialect::Spark | Dialect::Postgres | Dialect::BigQuery | Dialect::Snowflake => false,
        }
    }

    /// The largest but `place` of a group.
    fn largest(self, place: usize) -> String {
        let absolute = format!("ABS(CAST(privug_secret AS {}))", self.double());
        match self {
            Dialect::DuckDb => format!("list_extract(max({absolute}, {LARGEST}), {place})"),
            Dialect::Trino => format!("element_at(max({absolute}, {LARGEST}), {place})"),
            Dialect::Spark | Dialect::Postgres | Dialect::BigQuery | Dialect::Snowflake => {
                format!("MAX(CASE WHEN privug_rank = {place} THEN {absolute} END)")
            }
        }
    }
}

/// What is grouped.
#[derive(Debug, Clone)]
pub struct PlanInput<'a> {
    /// The script.
    pub program: &'a str,
    /// The attacker's priors.
    pub priors: &'a [String],
    /// Columns that people are grouped by besides those that are read: earlier releases tell people apart by them.
    pub also: &'a [String],
    /// All columns of the table.
    pub names: &'a [String],
    /// The secret column.
    pub secret: &'a str,
    /// The table in SQL: a quoted name, or a query in parentheses.
    pub source: &'a str,
    /// The table of results that is joined back, in SQL.
    pub results: &'a str,
    /// How many digits behind the point are added up.
    pub decimals: u32,
}

/// The queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The columns that people are grouped by.
    pub columns: Vec<String>,
    /// Gives the groups.
    pub group: String,
    /// Gives everybody with the results of their group.
    pub join: String,
}

/// The columns of the results of groups that are joined back.
pub const RESULTS: [&str; 9] = [
    "privug_verdict",
    "privug_fully_disclosed",
    "privug_prior_mean",
    "privug_prior_std",
    "privug_posterior_mean",
    "privug_posterior_std",
    "privug_mean_shift",
    "privug_relative_std",
    "privug_mutual_information_bits",
];

/// Whether a group of results has secrets.
pub const HAS_SECRET: &str = "privug_has_secret";

/// A table's name in SQL: `schema.people` is one in a schema.
pub fn quoted_source(name: &str, dialect: Dialect) -> String {
    name.split('.').map(|part| dialect.quoted(part)).collect::<Vec<_>>().join(".")
}

/// Plans the queries.
pub fn plan(input: &PlanInput<'_>, dialect: Dialect) -> Plan {
    let read = super::columns_read(input.program, input.priors, input.names);
    let is_key = |name: &&String| *name != input.secret && (read.contains(name) || input.also.contains(name));
    let columns: Vec<String> = input.names.iter().filter(is_key).cloned().collect();
    Plan { group: group_query(input, &columns, dialect), join: join_query(input, &columns, dialect), columns }
}

fn group_query(input: &PlanInput<'_>, columns: &[String], dialect: Dialect) -> String {
    let keys: Vec<String> = columns.iter().map(|name| dialect.quoted(name)).collect();
    let listed = |before: &str| keys.iter().fold(String::new(), |text, key| text + before + key + ",\n");
    let (double, text) = (dialect.double(), dialect.text());
    let secret = dialect.quoted(input.secret);
    let secret = format!("CASE WHEN {} THEN NULL ELSE {secret} END", dialect.is_nan(&secret));
    let number = format!("CAST(privug_secret AS {double})");
    let by: Vec<String> = keys.iter().cloned().chain(["privug_missing".to_owned()]).collect();
    let by = by.join(", ");
    let mut query = String::new();
    let _ = write!(
        query,
        "WITH privug_people AS (\n  SELECT\n{}    {secret} AS privug_secret\n  FROM {} AS privug_source\n),\n\
         privug_decimals AS (\n  SELECT\n{}    privug_secret,\n    privug_secret IS NULL AS privug_missing,\n    \
         {} AS privug_decimal{}\n  FROM privug_people\n),\n",
        listed("    "),
        input.source,
        listed("    "),
        dialect.decimal("privug_secret", input.decimals),
        match dialect.has_largest() {
            true => String::new(),
            false => format!(
                ",\n    ROW_NUMBER() OVER (PARTITION BY {}privug_secret IS NULL\n      ORDER BY ABS({number}) DESC) AS privug_rank",
                keys.iter().map(|key| format!("{key}, ")).collect::<String>()
            ),
        }
    );
    let largest: String =
        (1..=LARGEST).map(|place| format!("    {} AS privug_largest_{place},\n", dialect.largest(place))).collect();
    // A collation that ignores case merges people whom the script tells apart.
    let merges = |key: &String| {
        let digest = dialect.digest(key);
        format!("CASE WHEN MIN({digest}) <> MAX({digest}) THEN 1 ELSE 0 END")
    };
    let merged = match keys.is_empty() {
        true => "0".to_owned(),
        false => keys.iter().map(merges).collect::<Vec<_>>().join(" + "),
    };
    let _ = write!(
        query,
        "privug_groups AS (\n  SELECT\n{}    COUNT(*) AS privug_rows,\n    COUNT(privug_secret) AS privug_known,\n    \
         CAST(SUM(privug_decimal) AS {text}) AS privug_sum,\n    \
         CAST(SUM(ABS(privug_decimal)) AS {text}) AS privug_sum_absolute,\n    \
         VAR_POP({number}) AS privug_variance,\n    MIN({number}) AS privug_least,\n    \
         MAX({number}) AS privug_most,\n{largest}    \
         SUM(CASE WHEN privug_secret IS NOT NULL AND (privug_decimal IS NULL OR privug_decimal <> privug_secret)\n      \
         THEN 1 ELSE 0 END) AS privug_inexact,\n    {merged} AS privug_merged\n  FROM privug_decimals\n  \
         GROUP BY {by}\n)\n",
        listed("    "),
    );
    let all = serde_json::to_string(input.names).unwrap_or_default();
    let _ = write!(
        query,
        "SELECT privug_groups.*, privug_values.privug_distinct, {} AS privug_columns\nFROM privug_groups\nCROSS JOIN (\n  \
         SELECT COUNT(*) AS privug_distinct\n  FROM (\n    SELECT DISTINCT privug_secret FROM privug_people\n    \
         WHERE privug_secret IS NOT NULL LIMIT 21\n  ) AS privug_few\n) AS privug_values\n",
        dialect.literal(&all)
    );
    query
}

fn join_query(input: &PlanInput<'_>, columns: &[String], dialect: Dialect) -> String {
    let secret = format!("privug_source.{}", dialect.quoted(input.secret));
    let has_secret = format!("({secret} IS NOT NULL AND NOT ({}))", dialect.is_nan(&secret));
    let mut on: Vec<String> = columns
        .iter()
        .map(|name| {
            let name = dialect.quoted(name);
            dialect.same(&format!("privug_source.{name}"), &format!("privug_results.{name}"))
        })
        .collect();
    on.push(format!("{has_secret} = privug_results.{HAS_SECRET}"));
    let results: Vec<String> = RESULTS.iter().map(|name| format!("privug_results.{name}")).collect();
    format!(
        "SELECT privug_source.*,\n  {}\nFROM {} AS privug_source\nLEFT JOIN {} AS privug_results\n  ON {}\n",
        results.join(",\n  "),
        input.source,
        input.results,
        on.join("\n  AND ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(dialect: Dialect, names: &[&str], program: &str) -> Plan {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let input = PlanInput {
            program,
            priors: &["Normal(base, 100)".to_owned()],
            also: &[],
            names: &names,
            secret: "income",
            source: &quoted_source("register.people", dialect),
            results: &quoted_source("results", dialect),
            decimals: 2,
        };
        plan(&input, dialect)
    }

    #[test]
    fn only_columns_that_are_named_are_read() {
        let script = "def f(p):\n    return p.groupby('region').income.mean()\n";
        let plan = planned(Dialect::DuckDb, &["id", "region", "base", "income", "note"], script);
        assert_eq!(plan.columns, ["region", "base"]);
        let selected = plan.group.split("SELECT privug_groups").next().expect("the groups");
        assert!(!selected.contains("\"id\"") && !selected.contains("\"note\""), "{}", plan.group);
        assert!(plan.group.contains(r#"'["id","region","base","income","note"]' AS privug_columns"#), "{}", plan.group);
    }

    #[test]
    fn names_are_quoted_as_each_engine_quotes_them() {
        let names = ["a\"b", "c`d", "e\\f", "income"];
        let script = "def f(p):\n    return p['a\"b'], p['c`d'], p[r'e\\f'], p.income\n";
        for (dialect, quoted) in [
            (Dialect::DuckDb, ["\"a\"\"b\"", "\"c`d\"", "\"e\\f\""]),
            (Dialect::Postgres, ["\"a\"\"b\"", "\"c`d\"", "\"e\\f\""]),
            (Dialect::Spark, ["`a\"b`", "`c``d`", "`e\\f`"]),
            (Dialect::BigQuery, ["`a\"b`", "`c\\`d`", "`e\\\\f`"]),
        ] {
            let plan = planned(dialect, &names, script);
            for name in quoted {
                assert!(plan.group.contains(name) && plan.join.contains(name), "{}: {name}", dialect.name());
            }
        }
    }

    #[test]
    fn every_dialect_has_a_name_that_reads_back() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::named(dialect.name()), Some(dialect));
        }
        assert_eq!(Dialect::named("mysql"), None);
    }
}
