//! What is known of every group of sources.

use crate::number::{Constants, DoubleDouble, Field, Scalar, Wide};

use super::super::poll::{Interrupt, Poll};
use super::super::profile::{Explained, Profile, Profiles};
use super::explained::Height;
use super::{Blocks, CERTAIN, LONGER, ROUNDOFF, widened};

/// h of every group, and what bounds its error.
pub(in super::super) struct Heights {
    pub(super) of_group: Vec<Height>,
    /// ‖x‖ of x = G⁻¹·a, at most.
    weights: Vec<f64>,
    errors: Vec<f64>,
}

impl Heights {
    /// A bound on the length of a group's x.
    pub(super) fn weight(&self, group: u32) -> f64 {
        self.weights[group as usize]
    }

    /// A bound on the error of a group's h.
    pub(super) fn error(&self, group: u32) -> f64 {
        self.errors[group as usize]
    }
}

impl<S: Scalar> Blocks<'_, S> {
    /// How much of each group the observations explain.
    pub(in super::super) fn heights(&self, poll: &mut Poll) -> Result<Heights, Interrupt> {
        let bounds = &self.bounds;
        let of_group = self.cholesky.heights(&self.independent.columns, poll)?;
        let weight = |h: &Height| {
            let weight = h.weight.map_or(f64::INFINITY, |weight| weight * (1.0 + LONGER));
            weight.min(bounds.longest(h.value))
        };
        let weights: Vec<f64> = of_group.iter().map(weight).collect();
        let terms = self.independent.kept.len();
        let error = |(h, weight): (&Height, &f64)| bounds.of_height(*weight, h.size, h.value, terms);
        let errors = of_group.iter().zip(&weights).map(error).collect();
        Ok(Heights { of_group, weights, errors })
    }

    /// The profile of each group, as [`Learner::profile`](super::super::learn::Learner::profile) gives it.
    pub(in super::super) fn profiles(&self, heights: &Heights, poll: &Poll<'_>) -> Profiles<S::Wide> {
        let bounds = &self.bounds;
        let profile = |index: usize| {
            let (h, weight) = (&heights.of_group[index], heights.weights[index]);
            let (mut shift, mut size) = (DoubleDouble::zero(), 0.0);
            for (row, value) in self.independent.columns.column(index) {
                shift = shift.add(&DoubleDouble::from(value).mul_narrow(&self.y[row]));
                size += (value * self.y[row]).abs();
            }
            Profile {
                explained: Explained {
                    value: widened::<S>(h.value),
                    noise: weight * bounds.noise,
                    size: 0.0,
                    rounding: 8.0 * ROUNDOFF,
                    error: heights.errors[index],
                    certain: CERTAIN,
                },
                explained_by_all: None,
                shift: widened::<S>(shift.to_f64()),
                shift_error: weight * (bounds.residual + bounds.values + bounds.noise * bounds.surprise)
                    + 4.0 * ROUNDOFF * size,
                bend: (bounds.y_noise, 0.0),
            }
        };
        Profiles::all(self.independent.columns.len(), poll, profile)
    }
}
