//! The Gaussian mechanism of differential privacy: how much noise a statistic needs, and what a given noise guarantees.

mod calibration;
mod privacy_curve;

pub use calibration::{Calibration, CalibrationError, Method, analytic, calibrate, classic};
pub use privacy_curve::{
    compose_gdp, compose_zcdp, delta_of_gdp, delta_of_noise, epsilon_of_gdp, mu_of_noise, rho_of_noise,
};

/// The neighbour relation that a sensitivity refers to: what differential privacy protects.
pub const NEIGHBOURS: &str =
    "two data sets that differ in one person's record; the sensitivity is the most by which the output can then differ";
