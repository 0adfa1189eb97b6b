//! Audits of tables of groups, in which each row stands for many people who are alike.
//!
//! The script is evaluated on the means of the groups (`evaluate/tables/grouped.rs`); the release that comes of it has one
//! entry for each group, which is somebody of it. Whatever depends on how many they are, or on their values, is looked up
//! here. What the rule about nearness to the truth says depends on everybody's own value: it is decided for a group as a
//! whole where that is possible, in a second pass over the people where there is one, and else by its worse end.

mod columns;
mod curves;
mod dialect;
mod fits;
mod input;
mod judged;
mod ledger;
mod members;
mod near;
mod near_bound;
mod people;
mod plan;
mod plan_weights;
#[cfg(test)]
mod random_tests;
mod shares;
mod stand_ins;
mod statistics;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod weighted_tests;

pub use columns::{columns_read, may_be_summed, own_prior_means};
pub(super) use curves::EntryMap;
pub use dialect::Dialect;
pub use fits::fits_groups;
pub use input::GroupedInput;
pub(super) use judged::{Judged, judged};
pub(super) use ledger::{OldRelease, record};
pub use members::{Members, NearTruth};
pub(super) use near::{Nearness, near_truth};
pub(super) use near_bound::Near;
pub use people::GroupedPeople;
pub use plan::{DISCLOSED_MOST, HAS_SECRET, KEY, Plan, PlanInput, RESULTS, WEIGHT_RESULTS, plan, quoted_source};
pub(super) use shares::{has_own_weights, shares};
pub(super) use statistics::ReleaseGroups;
