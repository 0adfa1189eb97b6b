//! Independent variables of which the sum is known: what is known about each of them then.
//!
//! The posterior of x_i given Σ x_j = s is p_i(x)·G(s − x)/D, where G is the density (or the probability) of the sum of the
//! others. It has a closed form where the sums of the others do (`known`), is found by a Fourier transform of densities
//! (`fourier`) or of probabilities on a lattice (`lattice`), and every number has a lower and an upper bound (`cells`).

mod base;
mod cells;
mod fft;
mod fourier;
mod gamma;
mod known;
mod lattice;
mod law;
mod lognormal;
mod solve;
#[cfg(test)]
mod tests;
mod tilt;
mod wrap;

pub use cells::Posterior;
pub use law::{Law, Possible};
pub use solve::{Budget, Evidence, Unsolved, posteriors};
