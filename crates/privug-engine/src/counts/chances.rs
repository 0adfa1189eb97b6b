//! A few probabilities: two of them, which most people have, take no memory of their own.

use std::ops::{Deref, DerefMut};

/// Probabilities of 0, 1, …
#[derive(Debug, Clone, PartialEq)]
pub enum Chances {
    /// Of 0 and 1.
    Two([f64; 2]),
    /// Of as many as there are.
    Any(Vec<f64>),
}

impl Default for Chances {
    fn default() -> Self {
        Chances::Any(Vec::new())
    }
}

impl Deref for Chances {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        match self {
            Chances::Two(two) => two,
            Chances::Any(all) => all,
        }
    }
}

impl DerefMut for Chances {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f64] {
        match self {
            Chances::Two(two) => two,
            Chances::Any(all) => all,
        }
    }
}

impl AsRef<[f64]> for Chances {
    fn as_ref(&self) -> &[f64] {
        self
    }
}

impl From<Vec<f64>> for Chances {
    fn from(all: Vec<f64>) -> Self {
        Chances::Any(all)
    }
}

impl From<[f64; 2]> for Chances {
    #[inline]
    fn from(two: [f64; 2]) -> Self {
        Chances::Two(two)
    }
}

impl<'a> IntoIterator for &'a Chances {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<f64> for Chances {
    fn from_iter<I: IntoIterator<Item = f64>>(all: I) -> Self {
        Chances::Any(all.into_iter().collect())
    }
}
