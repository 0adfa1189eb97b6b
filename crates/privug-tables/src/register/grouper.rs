//! Pieces of a table to groups of people, in one pass; and which group everybody is in, in another.

use std::collections::HashSet;

use super::decimal::{Decimal, MAX_SCALE, quick_units};
use super::groups::Groups;
use super::keys::{Column, Combinations};
use super::summary::Summary;
use super::weights::{Weights, sign_code};
use crate::table::{Data, Table, TableError};

/// More different secrets than this are not counted: they are many.
const FEW_VALUES: usize = 20;

/// Why a table is not grouped.
#[derive(Debug, Clone, PartialEq)]
pub enum GroupError {
    /// The table cannot be read, or does not fit.
    Table(TableError),
    /// There are more groups than are allowed, after so many rows; the column with the most different values, and how many.
    TooMany {
        /// How many groups there are by then.
        groups: usize,
        /// After how many rows.
        rows: u64,
        /// The column with the most different values.
        column: String,
        /// How many of them there are.
        values: usize,
    },
}

impl From<TableError> for GroupError {
    fn from(error: TableError) -> Self {
        GroupError::Table(error)
    }
}

/// Some people: the group of each, and what is their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// The group of each.
    pub groups: Vec<u32>,
    /// The secret of each; NaN if it is missing.
    pub secrets: Vec<f64>,
    /// The prior mean of each, if everybody has their own; NaN if it is missing.
    pub prior_means: Option<Vec<f64>>,
    /// The weight of each, if everybody has their own; NaN if it is missing.
    pub weights: Option<Vec<f64>>,
}

/// Columns that nobody is grouped by, because they are nearly everybody's own: sums do in their place. They are told by their
/// names, or by their places.
#[derive(Debug, Clone, Copy)]
pub struct OwnColumns<T> {
    /// Everybody's own prior mean.
    pub prior_means: Option<T>,
    /// Everybody's own weight.
    pub weights: Option<T>,
}

impl<T> Default for OwnColumns<T> {
    fn default() -> Self {
        OwnColumns { prior_means: None, weights: None }
    }
}

/// Groups under construction.
#[derive(Debug)]
pub struct Grouper {
    names: Vec<String>,
    /// The place of the secret among the columns of a piece.
    secret: usize,
    own: OwnColumns<usize>,
    columns: Vec<Column>,
    combinations: Combinations,
    summaries: Vec<Summary>,
    /// The weights of each group, if everybody has their own.
    weights: Vec<Weights>,
    /// The first row of each group.
    first_rows: Vec<u64>,
    /// Digits behind the point of all sums.
    scale: u32,
    rows: u64,
    distinct: HashSet<u64>,
    max_groups: usize,
}

impl Grouper {
    /// Groups pieces with these columns by all of them but the secret and what is everybody's own; and by whether these are
    /// missing, and by the signs of weights.
    pub fn new(names: &[String], secret: usize, own: OwnColumns<usize>, max_groups: usize) -> Self {
        let columns = names.len();
        Grouper {
            names: names.to_vec(),
            secret,
            own,
            columns: (0..columns).map(|_| Column::default()).collect(),
            combinations: Combinations::new(columns),
            summaries: Vec::new(),
            weights: Vec::new(),
            first_rows: Vec::new(),
            scale: 0,
            rows: 0,
            distinct: HashSet::new(),
            max_groups,
        }
    }

    /// How many groups there are so far.
    pub fn len(&self) -> usize {
        self.summaries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.summaries.is_empty()
    }

    /// Whether people are grouped by the values of a column.
    fn is_key(&self, place: usize) -> bool {
        place != self.secret && Some(place) != self.own.prior_means && Some(place) != self.own.weights
    }

    /// The group of every row of a piece, and what is their own.
    pub fn groups_of(&mut self, piece: &Table) -> Result<Rows, GroupError> {
        let mut codes: Vec<Vec<u32>> = Vec::with_capacity(self.names.len());
        for (place, column) in piece.columns().iter().enumerate() {
            if !self.is_key(place) {
                continue;
            }
            codes.push(self.columns[place].codes(column.data()).map_err(|_| {
                let error = TableError::new("the column holds numbers in one part of the table and strings in another");
                error.in_column(column.name()).hint("store it as strings in all files")
            })?);
        }
        let column = &piece.columns()[self.secret];
        let secrets = numbers_of(column.data()).ok_or_else(|| {
            let message = format!("the column holds {}", column.data().kind());
            TableError::new(message).in_column(column.name()).hint("a secret must be a column of numbers")
        })?;
        if let Data::Integers(values) = column.data()
            && let Some(value) = values.iter().find(|value| (**value as f64) as i64 != **value)
        {
            return Err(self.too_large(&format!("{value} has too many digits")));
        }
        let is_missing = |values: &[f64]| values.iter().map(|value| u32::from(value.is_nan())).collect::<Vec<u32>>();
        codes.push(is_missing(&secrets));
        let prior_means = own_numbers(piece, self.own.prior_means, "a prior mean")?;
        codes.extend(prior_means.as_deref().map(is_missing));
        let weights = own_numbers(piece, self.own.weights, "a weight")?;
        codes.extend(weights.as_deref().map(|weights| weights.iter().map(|weight| sign_code(*weight)).collect()));
        Ok(Rows { groups: self.combinations.codes(codes), secrets, prior_means, weights })
    }

    /// Takes up a piece.
    pub fn add(&mut self, piece: &Table) -> Result<(), GroupError> {
        let Rows { groups, secrets, prior_means, weights } = self.groups_of(piece)?;
        for (row, (group, secret)) in groups.into_iter().zip(secrets).enumerate() {
            self.rows += 1;
            let group = group as usize;
            if group >= self.summaries.len() {
                self.summaries.push(Summary::empty());
                self.weights.extend(weights.as_ref().map(|_| Weights::empty()));
                self.first_rows.push(self.rows - 1);
            }
            if let Some(means) = &prior_means {
                self.summaries[group].prior_means.add(means[row]);
            }
            if let Some(weight) = weights.as_ref().map(|weights| weights[row]).filter(|weight| !weight.is_nan()) {
                let prior_mean = prior_means.as_ref().map_or(f64::NAN, |means| means[row]);
                self.weights[group].add(weight, secret, prior_mean);
            }
            if secret.is_nan() {
                self.summaries[group].rows += 1;
                continue;
            }
            let units = self.units(secret)?;
            if self.summaries[group].add(secret, units).is_none() {
                return Err(self.too_large("the sums of the secret have too many digits"));
            }
            if self.distinct.len() <= FEW_VALUES {
                // Both zeros are one value.
                self.distinct.insert(if secret == 0.0 { 0 } else { secret.to_bits() });
            }
        }
        if self.summaries.len() > self.max_groups {
            return Err(self.too_many());
        }
        Ok(())
    }

    /// The secret as a whole number of units; all sums get more digits if it has more than they do.
    fn units(&mut self, secret: f64) -> Result<i128, GroupError> {
        if let Some(units) = quick_units(secret, self.scale) {
            return Ok(i128::from(units));
        }
        let decimal = Decimal::of(secret).ok_or_else(|| {
            self.too_large(&format!("{secret} has more than {MAX_SCALE} digits after the decimal point"))
        })?;
        if decimal.scale > self.scale {
            let digits = decimal.scale - self.scale;
            let fits = self.summaries.iter_mut().all(|summary| summary.rescale(digits).is_some());
            if !fits {
                return Err(self.too_large("the sums of the secret have too many digits"));
            }
            self.scale = decimal.scale;
        }
        decimal.at(self.scale).ok_or_else(|| self.too_large(&format!("{secret} has too many digits")))
    }

    fn too_large(&self, message: &str) -> GroupError {
        let error = TableError::new(message.to_owned()).in_column(&self.names[self.secret]);
        GroupError::Table(
            error.hint("round the column to a few decimals: sums of groups are exact, with at most 38 digits"),
        )
    }

    fn too_many(&self) -> GroupError {
        let of = |place: &usize| self.columns[*place].distinct();
        let worst = (0..self.names.len()).filter(|place| self.is_key(*place)).max_by_key(of).unwrap_or(0);
        GroupError::TooMany {
            groups: self.summaries.len(),
            rows: self.rows,
            column: self.names[worst].clone(),
            values: of(&worst),
        }
    }

    /// The groups, in the order in which they appear. `unread` are the columns that were left out.
    pub fn finish(&self, unread: Vec<String>) -> Result<Groups, GroupError> {
        if self.rows == 0 {
            return Err(TableError::new("the table has no rows").into());
        }
        let count = self.summaries.len();
        let cells: Vec<Vec<u32>> = (0..count as u32).map(|group| self.combinations.cells(group)).collect();
        let mut columns: Vec<(String, Data)> = Vec::new();
        // The cells of a group are those of the keys, in their order; then it is told if the secret and the prior mean are missing.
        let mut place_in_cells = 0;
        for (place, name) in self.names.iter().enumerate() {
            if self.is_key(place) {
                let at = place_in_cells;
                columns.push((name.clone(), self.columns[place].data(cells.iter().map(|cells| cells[at]))));
                place_in_cells += 1;
            }
        }
        let has_secret: Vec<bool> = cells.iter().map(|cells| cells[place_in_cells] == 0).collect();
        let weights = self.own.weights.map(|place| {
            let at = place_in_cells + 1 + usize::from(self.own.prior_means.is_some());
            let of = |(group, sums): (usize, &Weights)| (cells[group][at] != sign_code(f64::NAN)).then_some(*sums);
            (self.names[place].clone(), self.weights.iter().enumerate().map(of).collect())
        });
        let prior_means = self.own.prior_means.map(|place| {
            let sum = |(group, summary): (usize, &Summary)| {
                (cells[group][place_in_cells + 1] == 0).then_some(summary.prior_means)
            };
            (self.names[place].clone(), self.summaries.iter().enumerate().map(sum).collect())
        });
        let known = |group: usize, value: i128| has_secret[group].then_some(value);
        let take = |of: fn(&Summary) -> i128| -> Vec<Option<i128>> {
            self.summaries.iter().enumerate().map(|(group, summary)| known(group, of(summary))).collect()
        };
        Ok(Groups {
            keys: columns,
            secret: self.names[self.secret].clone(),
            sizes: self.summaries.iter().map(|summary| summary.rows).collect(),
            scale: self.scale,
            sums: take(|summary| summary.sum),
            absolute_sums: take(|summary| summary.absolute),
            variances: self.summaries.iter().map(|summary| summary.deviations / summary.rows.max(1) as f64).collect(),
            least: self.summaries.iter().map(|summary| summary.least).collect(),
            most: self.summaries.iter().map(|summary| summary.most).collect(),
            largest: self.summaries.iter().map(|summary| summary.largest).collect(),
            distinct: (self.distinct.len() <= FEW_VALUES).then_some(self.distinct.len()),
            first_rows: Some(self.first_rows.clone()),
            unread,
            prior_means,
            weights,
            engine_keys: None,
        })
    }
}

/// What is everybody's own in a piece, if there is such a column.
fn own_numbers(piece: &Table, place: Option<usize>, what: &str) -> Result<Option<Vec<f64>>, TableError> {
    let Some(place) = place else { return Ok(None) };
    let column = &piece.columns()[place];
    let Some(numbers) = numbers_of(column.data()) else {
        let error = TableError::new(format!("the column holds {}", column.data().kind())).in_column(column.name());
        return Err(error.hint(&format!("{what} is a column of numbers")));
    };
    match numbers.iter().any(|number| number.is_infinite()) {
        true => Err(TableError::new(format!("{what} is not finite")).in_column(column.name())),
        false => Ok(Some(numbers)),
    }
}

/// The numbers of a column; NaN where they are missing.
fn numbers_of(data: &Data) -> Option<Vec<f64>> {
    match data {
        Data::Numbers(values) => Some(values.to_vec()),
        Data::Integers(values) => Some(values.iter().map(|value| *value as f64).collect()),
        Data::Booleans(_) | Data::OptionalBooleans(_) | Data::Texts { .. } => None,
    }
}
