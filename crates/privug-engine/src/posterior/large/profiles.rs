//! What is known of every group of sources.

use crate::number::{Constants, DoubleDouble, Field, Scalar, Wide};

use super::super::poll::{Interrupt, Poll};
use super::super::profile::{Explained, Profile, Profiles};
use super::{Blocks, CERTAIN, LONGER, ROUNDOFF, widened};

impl<S: Scalar> Blocks<'_, S> {
    /// The profile of each group, as [`Learner::profile`](super::super::learn::Learner::profile) gives it.
    pub(in super::super) fn profiles(&self, poll: &mut Poll) -> Result<Profiles<S::Wide>, Interrupt> {
        let bounds = &self.bounds;
        let heights = self.cholesky.heights(&self.columns, poll)?;
        let profile = |index: usize| {
            let h = heights[index];
            // ‖x‖ of x = G⁻¹·a
            let weight = h.weight.map_or(f64::INFINITY, |weight| weight * (1.0 + LONGER));
            let weight = weight.min(bounds.longest(h.value));
            let (mut shift, mut size) = (DoubleDouble::zero(), 0.0);
            for (row, value) in self.columns.column(index) {
                shift = shift.add(&DoubleDouble::from(value).mul_narrow(&self.y[row]));
                size += (value * self.y[row]).abs();
            }
            Profile {
                explained: Explained {
                    value: widened::<S>(h.value),
                    noise: weight * bounds.noise,
                    size: 0.0,
                    rounding: 8.0 * ROUNDOFF,
                    error: bounds.of_height(weight, h.size, h.value, self.kept.len()),
                    certain: CERTAIN,
                },
                explained_by_all: None,
                shift: widened::<S>(shift.to_f64()),
                shift_error: weight * (bounds.residual + bounds.values + bounds.noise * bounds.surprise)
                    + 4.0 * ROUNDOFF * size,
                bend: (bounds.y_noise, 0.0),
            }
        };
        Ok(Profiles::all((0..self.columns.len()).map(profile)))
    }
}
