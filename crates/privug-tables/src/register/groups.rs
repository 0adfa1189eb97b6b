//! The groups of a table, and how they are written as a table of their own.

use std::sync::Arc;

use super::summary::{LARGEST, PairSum};
use crate::table::{Data, Table, TableError};

/// People who are alike, group by group.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The columns that people are grouped by, one row for each group.
    pub keys: Vec<(String, Data)>,
    /// The secret column.
    pub secret: String,
    /// How many people are in each group.
    pub sizes: Vec<u64>,
    /// How many digits of the sums stand behind the point.
    pub scale: u32,
    /// The sums of the secrets, in units of 10^−scale; `None` for people without a secret.
    pub sums: Vec<Option<i128>>,
    /// The sums of their absolute values.
    pub absolute_sums: Vec<Option<i128>>,
    /// The variance of the secrets in each group, divided by how many they are.
    pub variances: Vec<f64>,
    /// The smallest secret of each group.
    pub least: Vec<f64>,
    /// The largest.
    pub most: Vec<f64>,
    /// The largest absolute values, descending; −1 where there are fewer.
    pub largest: Vec<[f64; LARGEST]>,
    /// How many different secrets there are, if these are few.
    pub distinct: Option<usize>,
    /// The first row of each group, from 0, where it is known.
    pub first_rows: Option<Vec<u64>>,
    /// The columns of the table that were not read.
    pub unread: Vec<String>,
    /// The column with everybody's own prior mean, which nobody is grouped by, and its sum in each group; `None` for people
    /// who have none.
    pub prior_means: Option<(String, Vec<Option<PairSum>>)>,
    /// What tells each group apart in the engine that made them, which results are joined back by.
    pub engine_keys: Option<Data>,
}

/// What the columns of a table of groups are called, besides those that people are grouped by.
pub const COLUMNS: [&str; 19] = [
    "privug_rows",
    "privug_known",
    "privug_sum",
    "privug_sum_absolute",
    "privug_variance",
    "privug_least",
    "privug_most",
    "privug_largest_1",
    "privug_largest_2",
    "privug_largest_3",
    "privug_distinct",
    "privug_inexact",
    "privug_merged",
    "privug_columns",
    "privug_key",
    "privug_prior_sum",
    "privug_prior_inexact",
    "privug_prior_known",
    "privug_prior_column",
];

/// Digits behind the point of sums of prior means that an engine gives.
pub const PRIOR_DECIMALS: u32 = 12;

impl Groups {
    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// How many people there are.
    pub fn people(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// The groups as a table: what they are grouped by, and the means of the secrets and of the prior means under the names of
    /// these. The columns stand in the order `names`, where these are known.
    pub fn table(&self, names: &[String]) -> Result<Table, TableError> {
        let mean = |group: usize| match self.sums[group] {
            Some(sum) => sum as f64 / 10f64.powi(self.scale as i32) / self.sizes[group] as f64,
            None => f64::NAN,
        };
        let means = Data::Numbers(Arc::new((0..self.len()).map(mean).collect()));
        let mut columns = self.keys.clone();
        columns.push((self.secret.clone(), means));
        if let Some((name, sums)) = &self.prior_means {
            let mean = |(sum, size): (&Option<PairSum>, &u64)| {
                sum.map_or(f64::NAN, |sum| sum.high / *size as f64 + sum.low / *size as f64)
            };
            let means = sums.iter().zip(&self.sizes).map(mean).collect();
            columns.push((name.clone(), Data::Numbers(Arc::new(means))));
        }
        let place = |name: &str| names.iter().position(|one| one == name).unwrap_or(usize::MAX);
        columns.sort_by_key(|(name, _)| place(name));
        Table::from_columns(columns, self.len())
    }

    /// What a group is called: `region=North, sex=f`.
    pub fn name(&self, group: usize) -> String {
        let part = |(name, data): &(String, Data)| {
            format!("{name}={}", data.show(group).unwrap_or_else(|| "missing".to_owned()))
        };
        let mut parts: Vec<String> = self.keys.iter().map(part).collect();
        if let Some((name, sums)) = &self.prior_means
            && sums[group].is_none()
        {
            parts.push(format!("{name}=missing"));
        }
        match (parts.is_empty(), self.sums[group].is_some()) {
            (true, true) => "everybody".to_owned(),
            (true, false) => "everybody without a value".to_owned(),
            (false, true) => parts.join(", "),
            (false, false) => format!("{}, without a value", parts.join(", ")),
        }
    }
}
