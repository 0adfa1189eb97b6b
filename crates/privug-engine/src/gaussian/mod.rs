//! The normal distribution: density, tails and quantiles, accurate also where they nearly vanish; `docs/proofs/normal.md` says how
//! accurate, and what that rests on.

pub mod normal;
#[cfg(test)]
pub(crate) mod precise;
pub mod special;
#[doc(hidden)]
pub mod testing;
mod truncated;

pub use normal::{Normal, standard_cdf, standard_interval, standard_log_cdf, standard_survival};
pub use special::{PEAK_DENSITY, gaussian_exp, integrate, mills_difference, mills_ratio};
pub use truncated::truncated_moments;
