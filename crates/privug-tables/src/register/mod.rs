//! Tables larger than the memory: people who are alike in every column that is read are one group.
//!
//! A [`Register`] goes through its files piece by piece and reads only the columns that are asked for. A [`Grouper`] makes
//! [`Groups`] of the pieces: how many people are in each, and the exact sums of their secrets. The same grouper tells in a
//! second pass which group every row is in.

mod decimal;
mod files;
mod grouper;
mod groups;
mod keys;
mod read;
mod read_weights;
mod summary;
#[cfg(test)]
mod tests;
mod weights;

pub use decimal::Decimal;
pub use files::{Piece, Register};
pub use grouper::{GroupError, Grouper, OwnColumns, Rows};
pub use groups::{COLUMNS, Groups, PRIOR_DECIMALS, WEIGHT_DECIMALS, WEIGHT_SQUARE_DECIMALS};
pub use read::{groups_of_table, read_groups};
pub use summary::{LARGEST, PairSum};
pub use weights::Weights;

/// More groups than this are refused: every one of them is a random variable.
pub const MAX_GROUPS: usize = 1_000_000;
