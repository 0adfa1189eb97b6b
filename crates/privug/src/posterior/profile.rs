//! What the observations say about a single source: very many people share few such profiles.
//!
//! Let a be a source's column, its coefficients in all observations, and m its variance, in the units of its group. Then
//!
//! ```text
//! posterior variance = m − m²·h        h = aᵀ·G⁻¹·a
//! mean shift         = m·s             s = aᵀ·G⁻¹·(values − means)
//! ```
//!
//! and h and s depend on the column alone, which all sources of a [group](super::groups) share.

use crate::network::NodeId;
use crate::number::{Scalar, Wide};

use super::large::Large;
use super::learn::Learner;
use super::range::{Interrupt, Poll};

/// h and s of a column, and what bounds their errors. All but `rounding` are for a source of variance 1.
#[derive(Debug, Clone)]
pub(super) struct Profile<W> {
    /// h
    pub explained: W,
    /// s
    pub shift: W,
    /// ‖Σ |x_l|·ν_l‖, from the rounding of the program's numbers.
    pub noise: f64,
    /// Σ |x_l|·‖a_l‖
    pub size: f64,
    /// γ, relative to the square of that.
    pub rounding: f64,
    /// Bound on the error of h besides that.
    pub explained_error: f64,
    /// Bound on the error of s from the values and from rounding.
    pub shift_error: f64,
    /// What the lesson's noise and size add to it, for each unit of what is left of the source and of its size.
    pub bend: (f64, f64),
    /// How much larger than the bounds of its error a variance has to be.
    pub certain: f64,
}

/// What is left of a source, in its units.
#[derive(Debug)]
pub(super) struct Left<W> {
    pub variance: W,
    pub reduction: W,
    pub shift: W,
    pub shift_error: f64,
}

impl<W: Wide> Profile<W> {
    /// Of a source that no observation depends on.
    fn unseen() -> Self {
        Profile {
            explained: W::zero(),
            shift: W::zero(),
            noise: 0.0,
            size: 0.0,
            rounding: 0.0,
            explained_error: 0.0,
            shift_error: 0.0,
            bend: (0.0, 0.0),
            certain: 1.0,
        }
    }

    /// What the observations leave of a source of variance m; `None` if that may be nothing.
    pub(super) fn left(&self, m: &W) -> Option<Left<W>> {
        let shift = m.mul(&self.shift);
        let reduction = m.mul(m).mul(&self.explained);
        let variance = m.sub(&reduction);
        let (m, rest) = (m.to_f64(), variance.to_f64());
        let size = m.sqrt() + m * self.size;
        let error = self.rounding * size * size + m * m * self.explained_error;
        let certain = rest > 0.0 && rest >= self.certain * error && rest.sqrt() >= self.certain * m * self.noise;
        if !certain {
            return None;
        }
        let shift_error = m * self.shift_error + rest.sqrt() * self.bend.0 + size * self.bend.1;
        Some(Left { variance, reduction, shift, shift_error })
    }
}

/// The profile of each group of sources, as far as they are known.
#[derive(Debug)]
pub(super) struct Profiles<W> {
    /// Of sources that no observation depends on.
    unseen: Profile<W>,
    of_group: Vec<Option<Profile<W>>>,
}

impl<W: Wide> From<Large<W>> for Profiles<W> {
    fn from(large: Large<W>) -> Self {
        Profiles { unseen: Profile::unseen(), of_group: large.profiles.into_iter().map(Some).collect() }
    }
}

impl<W: Wide> Profiles<W> {
    /// Of so many groups, none known yet.
    pub(super) fn new(groups: usize) -> Self {
        Profiles { unseen: Profile::unseen(), of_group: vec![None; groups] }
    }

    /// Makes sure that the profile of a source is known.
    pub(super) fn find<S: Scalar<Wide = W>>(
        &mut self,
        learner: &mut Learner<'_, S>,
        source: NodeId,
        poll: &mut Poll,
    ) -> Result<(), Interrupt> {
        let Some(group) = learner.projector.group(source) else { return Ok(()) };
        let profile = &mut self.of_group[group as usize];
        if profile.is_none() {
            *profile = Some(learner.profile(group, poll)?);
        }
        Ok(())
    }

    /// The profile of a source's group.
    pub(super) fn get(&self, group: Option<u32>) -> Option<&Profile<W>> {
        match group {
            Some(group) => self.of_group[group as usize].as_ref(),
            None => Some(&self.unseen),
        }
    }
}
