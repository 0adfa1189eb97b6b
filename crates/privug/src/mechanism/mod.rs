//! The Gaussian mechanism of differential privacy.
