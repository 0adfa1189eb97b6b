//! The queries that group a table, and join results back to it, in the SQL of the engine that holds it.
//!
//! Sums are of exact decimals and leave the engine as texts, so that all engines agree to the last digit. Rows whose secret
//! has more decimals are counted, and such groups are refused when they are read. Missing values (NULL and NaN) are groups
//! of their own, as they are in pandas.

use std::fmt::Write;

use super::columns::own_prior_means;
use super::dialect::Dialect;
use super::plan_weights::WeightQueries;
use privug_tables::register::{LARGEST, PRIOR_DECIMALS};

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
    /// How many digits after the decimal point are added up.
    pub decimals: u32,
    /// Whether the prior means of `Normal(column, …)` are summed up where that is enough, instead of grouping by them.
    pub sum_prior_means: bool,
    /// A column with everybody's own weight, of which sums are made instead of grouping by it.
    pub sum_weights: Option<&'a str>,
}

/// The queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The columns that people are grouped by.
    pub columns: Vec<String>,
    /// The column with everybody's own prior mean, which nobody is grouped by.
    pub prior_means: Option<String>,
    /// The column with everybody's own weight, which nobody is grouped by either.
    pub weights: Option<String>,
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

/// More of them where groups have the sums of weights of their own: what is known of somebody with the smallest weight stands in
/// [`RESULTS`], and these are of somebody with the largest and of one in the middle.
pub const WEIGHT_RESULTS: [&str; 7] = [
    "privug_weight_least",
    "privug_weight_most",
    "privug_mean_shift_most",
    "privug_posterior_variance",
    "privug_posterior_variance_most",
    "privug_posterior_variance_middle",
    "privug_bits_most",
];

/// Whether somebody with the largest weight is disclosed.
pub const DISCLOSED_MOST: &str = "privug_fully_disclosed_most";

/// What tells a group apart in the engine, which results are joined back by.
pub const KEY: &str = "privug_key";

/// Whether a group of results has secrets.
pub const HAS_SECRET: &str = "privug_has_secret";

/// A table's name in SQL: `schema.people` is one in a schema.
pub fn quoted_source(name: &str, dialect: Dialect) -> String {
    name.split('.').map(|part| dialect.quoted(part)).collect::<Vec<_>>().join(".")
}

/// Plans the queries.
pub fn plan(input: &PlanInput<'_>, dialect: Dialect) -> Plan {
    let read = super::columns_read(input.program, input.priors, input.names);
    let own = own_prior_means(input.program, input.priors, input.names, input.also);
    let own = own.filter(|own| input.sum_prior_means && own != input.secret);
    // Of a column that the script does not look at nothing is needed.
    let weights = input.sum_weights.filter(|name| read.iter().any(|read| read == name));
    let is_key = |name: &&String| {
        *name != input.secret
            && Some(*name) != own.as_ref()
            && Some(name.as_str()) != weights
            && (read.contains(name) || input.also.contains(name))
    };
    let columns: Vec<String> = input.names.iter().filter(is_key).cloned().collect();
    let of_weights = weights.map(|column| WeightQueries { dialect, column, with_priors: own.is_some() });
    let queries = Queries { input, columns: &columns, own: own.as_deref(), weights: of_weights, dialect };
    Plan {
        group: queries.group(),
        join: queries.join(),
        prior_means: own,
        weights: weights.map(str::to_owned),
        columns,
    }
}

/// What the queries are written of.
struct Queries<'a> {
    input: &'a PlanInput<'a>,
    columns: &'a [String],
    own: Option<&'a str>,
    weights: Option<WeightQueries<'a>>,
    dialect: Dialect,
}

impl Queries<'_> {
    fn group(&self) -> String {
        let Queries { input, columns, own, weights, dialect } = self;
        let keys: Vec<String> = columns.iter().map(|name| dialect.quoted(name)).collect();
        let listed = keys.iter().fold(String::new(), |text, key| text + "    " + key + ",\n");
        let (double, text) = (dialect.double(), dialect.text());
        let number = format!("CAST(privug_secret AS {double})");
        let without_nan = |column: &str| format!("CASE WHEN {} THEN NULL ELSE {column} END", dialect.is_nan(column));
        // People with and without a secret, or a prior mean, are groups of their own.
        let mut by = keys.clone();
        by.push("privug_missing".to_owned());
        by.extend(own.map(|_| "privug_without_prior".to_owned()));
        by.extend(weights.as_ref().map(|_| "privug_weight_sign".to_owned()));
        let mut query = String::new();
        let _ = write!(
            query,
            "WITH privug_people AS (\n  SELECT\n{listed}    {} AS privug_secret{}{}\n  FROM {} AS privug_source\n),\n",
            without_nan(&dialect.quoted(input.secret)),
            own.map_or_else(String::new, |own| {
                format!(",\n    {} AS privug_prior", without_nan(&dialect.quoted(own)))
            }),
            weights.as_ref().map_or_else(String::new, WeightQueries::of_people),
            input.source,
        );
        let partition = format!(
            "PARTITION BY {}privug_secret IS NULL{}{}",
            keys.iter().map(|key| dialect.partition(key) + ", ").collect::<String>(),
            if own.is_some() { ", privug_prior IS NULL" } else { "" },
            if weights.is_some() { ", privug_weight_sign" } else { "" },
        );
        let rank = format!(",\n    ROW_NUMBER() OVER ({partition}\n      ORDER BY ABS({number}) DESC) AS privug_rank");
        let prior = format!(
            ",\n    privug_prior,\n    privug_prior IS NULL AS privug_without_prior,\n    {} AS privug_prior_decimal",
            dialect.decimal("privug_prior", PRIOR_DECIMALS),
        );
        let _ = write!(
            query,
            "privug_decimals AS (\n  SELECT\n{listed}    privug_secret,\n    privug_secret IS NULL AS privug_missing,\n    \
             {} AS privug_decimal{}{}{}\n  FROM privug_people\n),\n",
            dialect.decimal("privug_secret", input.decimals),
            if own.is_some() { prior.as_str() } else { "" },
            if dialect.has_largest() { "" } else { rank.as_str() },
            weights.as_ref().map_or_else(String::new, |weights| weights.of_decimals(&partition)),
        );
        let mut from = "privug_decimals";
        if let Some(weights) = weights {
            query += &weights.products();
            from = "privug_weighted";
        }
        let size = format!("ABS(CAST(privug_secret AS {double}))");
        let largest = |place: usize| dialect.largest(&size, "privug_rank", place);
        let largest: String =
            (1..=LARGEST).map(|place| format!("    {} AS privug_largest_{place},\n", largest(place))).collect();
        // A collation that ignores case merges people whom the script tells apart.
        let merges = |key: &String| {
            let digest = dialect.digest(key);
            format!("CASE WHEN MIN({digest}) <> MAX({digest}) THEN 1 ELSE 0 END")
        };
        let merged = match keys.is_empty() {
            true => "0".to_owned(),
            false => keys.iter().map(merges).collect::<Vec<_>>().join(" + "),
        };
        // Of those who are alike all keys are the same.
        let mut marks = Vec::new();
        marks.extend(own.map(|_| "CASE WHEN privug_without_prior THEN '-' ELSE '+' END".to_owned()));
        marks.extend(weights.as_ref().map(|_| "privug_weight_sign".to_owned()));
        let key = dialect.key("", columns, marks);
        let _ = write!(
            query,
            "privug_groups AS (\n  SELECT\n{listed}    COUNT(*) AS privug_rows,\n    COUNT(privug_secret) AS privug_known,\n    \
             CAST(SUM(privug_decimal) AS {text}) AS privug_sum,\n    \
             CAST(SUM(ABS(privug_decimal)) AS {text}) AS privug_sum_absolute,\n    \
             VAR_POP({number}) AS privug_variance,\n    MIN({number}) AS privug_least,\n    \
             MAX({number}) AS privug_most,\n{largest}    \
             SUM(CASE WHEN privug_secret IS NOT NULL AND (privug_decimal IS NULL OR privug_decimal <> privug_secret)\n      \
             THEN 1 ELSE 0 END) AS privug_inexact,\n    {merged} AS privug_merged,\n{}{}    MIN({key}) AS privug_key\n  \
             FROM {from}\n  GROUP BY {}\n)\n",
            own.map_or_else(String::new, |_| self.prior_sums()),
            weights.as_ref().map_or_else(String::new, WeightQueries::sums),
            by.join(", "),
        );
        let all = serde_json::to_string(input.names).unwrap_or_default();
        let named = |column: Option<&str>, name: &str| {
            column.map_or_else(String::new, |column| format!("{} AS {name}, ", dialect.literal(column)))
        };
        let _ = write!(
            query,
            "SELECT privug_groups.*, privug_values.privug_distinct, {}{}{} AS privug_columns\nFROM privug_groups\nCROSS JOIN (\n  \
             SELECT COUNT(*) AS privug_distinct\n  FROM (\n    SELECT DISTINCT privug_secret FROM privug_people\n    \
             WHERE privug_secret IS NOT NULL LIMIT 21\n  ) AS privug_few\n) AS privug_values\n",
            named(*own, "privug_prior_column"),
            named(weights.as_ref().map(|weights| weights.column), "privug_weight_column"),
            dialect.literal(&all)
        );
        query
    }

    /// The sums of everybody's own prior means. These may have any digits: what the decimals leave of one is at most 10⁻¹² of it,
    /// or it is counted.
    fn prior_sums(&self) -> String {
        let double = self.dialect.double();
        let (own, decimal) =
            (format!("CAST(privug_prior AS {double})"), format!("CAST(privug_prior_decimal AS {double})"));
        format!(
            "    CAST(SUM(privug_prior_decimal) AS {}) AS privug_prior_sum,\n    COUNT(privug_prior) AS privug_prior_known,\n    \
             SUM(CASE WHEN privug_prior IS NOT NULL AND (privug_prior_decimal IS NULL\n      \
             OR ABS({decimal} - {own}) > 0.000000000001 * ABS({own})) THEN 1 ELSE 0 END) AS privug_prior_inexact,\n",
            self.dialect.text(),
        )
    }

    fn join(&self) -> String {
        let Queries { input, columns, own, weights, dialect } = self;
        let secret = format!("privug_source.{}", dialect.quoted(input.secret));
        let has_secret = format!("(NOT {})", dialect.is_missing(&secret));
        let mut marks = Vec::new();
        marks.extend(own.map(|own| {
            let is_missing = dialect.is_missing(&format!("privug_source.{}", dialect.quoted(own)));
            format!("CASE WHEN {is_missing} THEN '-' ELSE '+' END")
        }));
        marks.extend(weights.as_ref().map(|weights| weights.sign("privug_source.")));
        let key = dialect.key("privug_source.", columns, marks);
        // Everybody of a group moves from where they were, by the same or by what depends on their weight.
        let before = match own {
            Some(own) => format!("privug_source.{}", dialect.quoted(own)),
            None => "privug_results.privug_prior_mean".to_owned(),
        };
        let of_weight = weights.as_ref().map(WeightQueries::of_somebody).unwrap_or_default();
        let result = |name: &&str| {
            let found = of_weight.iter().find(|(column, _)| column == name).map(|(_, found)| found.as_str());
            match *name {
                "privug_prior_mean" if own.is_some() => format!("{before} AS {name}"),
                "privug_posterior_mean" if own.is_some() || weights.is_some() => {
                    format!("{before} + {} AS {name}", found.unwrap_or("privug_results.privug_mean_shift"))
                }
                name => match found {
                    Some(found) => format!("{found} AS {name}"),
                    None => format!("privug_results.{name}"),
                },
            }
        };
        let results: Vec<String> = RESULTS.iter().map(result).collect();
        format!(
            "SELECT privug_source.*,\n  {}\nFROM {} AS privug_source\nLEFT JOIN {} AS privug_results\n  \
             ON {key} = privug_results.{KEY}\n  AND {has_secret} = privug_results.{HAS_SECRET}\n",
            results.join(",\n  "),
            input.source,
            input.results,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(dialect: Dialect, names: &[&str], program: &str) -> Plan {
        planned_with(dialect, names, program, false)
    }

    fn planned_with(dialect: Dialect, names: &[&str], program: &str, sum_prior_means: bool) -> Plan {
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
            sum_prior_means,
            sum_weights: None,
        };
        plan(&input, dialect)
    }

    #[test]
    fn only_columns_that_are_named_are_read() {
        let script = "def f(p):\n    return p.groupby('region').income.mean()\n";
        let plan = planned(Dialect::DuckDb, &["id", "region", "base", "income", "note"], script);
        let columns = ["region", "base"].map(str::to_owned);
        assert_eq!((plan.columns.as_slice(), plan.prior_means.as_deref()), (columns.as_slice(), None));
        let selected = plan.group.split("SELECT privug_groups").next().expect("the groups");
        assert!(!selected.contains("\"id\"") && !selected.contains("\"note\""), "{}", plan.group);
        assert!(plan.group.contains(r#"'["id","region","base","income","note"]' AS privug_columns"#), "{}", plan.group);
    }

    #[test]
    fn prior_means_are_summed_up_where_that_is_enough() {
        let names = ["id", "region", "base", "income"];
        let script = "def f(p):\n    return p.groupby('region').income.mean()\n";
        let plan = planned_with(Dialect::DuckDb, &names, script, true);
        assert_eq!((plan.columns, plan.prior_means), (vec!["region".to_owned()], Some("base".to_owned())));
        assert!(plan.join.contains("privug_source.\"base\" + privug_results.privug_mean_shift"), "{}", plan.join);
        // A script that looks at the column needs everybody's own.
        let looks = planned_with(Dialect::DuckDb, &names, "def f(p):\n    return p[p.base > 0].income.mean()\n", true);
        assert_eq!((looks.columns, looks.prior_means), (vec!["base".to_owned()], None));
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
}
