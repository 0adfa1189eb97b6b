//! Programs run on distributions: numbers, the linear Gaussian network, evaluation, conditioning.

pub mod choices;
pub mod counts;
pub mod elimination;
pub mod evaluate;
pub mod gaussian;
pub mod mechanism;
pub mod network;
pub mod number;
pub mod posterior;
pub mod sorting;
pub mod stages;
pub mod sums;
mod threads;
