//! Nothing: what matters are the features in `Cargo.toml`.
