//! The groups of a table, and how they are written as a table of their own.

use std::sync::Arc;

use super::summary::{LARGEST, PairSum};
use super::weights::Weights;
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
    /// The column with everybody's own weight, which nobody is grouped by, and what is known of it in each group; `None` for
    /// people who have none.
    pub weights: Option<(String, Vec<Option<Weights>>)>,
    /// What tells each group apart in the engine that made them, which results are joined back by.
    pub engine_keys: Option<Data>,
}

/// What the columns of a table of groups are called, besides those that people are grouped by.
pub const COLUMNS: [&str; 34] = [
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
    "privug_weight_column",
    "privug_weight_known",
    "privug_weight_least",
    "privug_weight_most",
    "privug_weight_at_least",
    "privug_weight_at_most",
    "privug_weight_sum",
    "privug_weight_squares",
    "privug_weight_products",
    "privug_weight_absolute",
    "privug_weight_priors",
    "privug_weight_inexact",
    "privug_weight_largest_1",
    "privug_weight_largest_2",
    "privug_weight_largest_3",
];

/// Digits behind the point of sums over weights that an engine gives.
pub const WEIGHT_DECIMALS: u32 = 18;

/// The same of their squares, which are small where weights are close together.
pub const WEIGHT_SQUARE_DECIMALS: u32 = 24;

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

    /// The groups as a table: what they are grouped by, and the means of the secrets, of the prior means and of the weights
    /// under the names of these. A group may have several rows: `rows` has the group of each. The columns stand in the order
    /// `names`, where these are known.
    pub fn table(&self, names: &[String], rows: &[u32]) -> Result<Table, TableError> {
        let column = |mean: &dyn Fn(usize) -> f64| {
            Data::Numbers(Arc::new(rows.iter().map(|group| mean(*group as usize)).collect()))
        };
        let mean_of = |sum: PairSum, group: usize| {
            let size = self.sizes[group] as f64;
            sum.high / size + sum.low / size
        };
        let mut columns: Vec<(String, Data)> =
            self.keys.iter().map(|(name, data)| (name.clone(), data.picked(rows))).collect();
        let of_secrets = |group: usize| match self.sums[group] {
            Some(sum) => sum as f64 / 10f64.powi(self.scale as i32) / self.sizes[group] as f64,
            None => f64::NAN,
        };
        columns.push((self.secret.clone(), column(&of_secrets)));
        if let Some((name, sums)) = &self.prior_means {
            let mean = |group: usize| sums[group].map_or(f64::NAN, |sum| mean_of(sum, group));
            columns.push((name.clone(), column(&mean)));
        }
        if let Some((name, weights)) = &self.weights {
            let mean = |group: usize| weights[group].map_or(f64::NAN, |weights| mean_of(weights.sum, group));
            columns.push((name.clone(), column(&mean)));
        }
        let place = |name: &str| names.iter().position(|one| one == name).unwrap_or(usize::MAX);
        columns.sort_by_key(|(name, _)| place(name));
        Table::from_columns(columns, rows.len())
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
        if let Some((name, weights)) = &self.weights {
            match &weights[group] {
                None => parts.push(format!("{name}=missing")),
                Some(weights) if weights.is_one() => parts.push(format!("{name}={}", weights.least)),
                Some(weights) if weights.most < 0.0 => parts.push(format!("{name}<0")),
                Some(_) => {}
            }
        }
        match (parts.is_empty(), self.sums[group].is_some()) {
            (true, true) => "everybody".to_owned(),
            (true, false) => "everybody without a value".to_owned(),
            (false, true) => parts.join(", "),
            (false, false) => format!("{}, without a value", parts.join(", ")),
        }
    }
}
