//! The normal distribution: density, tails and quantiles, accurate also where they nearly vanish.

pub mod normal;
pub mod special;
#[doc(hidden)]
pub mod testing;

pub use normal::{Normal, standard_log_cdf};
pub use special::{PEAK_DENSITY, gaussian_exp, integrate, mills_difference, mills_ratio};
