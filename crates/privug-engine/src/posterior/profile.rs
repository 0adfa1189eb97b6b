//! What the observations say about a single source: very many people share few such profiles.
//!
//! Let a be a source's column, its coefficients in all observations, and m its variance, in the units of its group. Then
//!
//! ```text
//! posterior variance = m − m²·h        h = aᵀ·G⁻¹·a
//! mean shift         = m·s             s = aᵀ·G⁻¹·(values − means)
//! ```
//!
//! and h and s depend on the column alone, which all sources of a [group](super::groups) share. Somebody of a group of people
//! is a source, the group's mean, and noise of their own that no observation sees: its variance is added to both. The proof
//! of the bounds is in `docs/proofs/projection.md`.

use crate::number::{Scalar, Wide};

use std::convert::Infallible;

use super::large::MOST_RELATIVE;
use super::learn::Learner;
use super::poll::{Interrupt, Poll, in_parallel};

/// h of a column, and what bounds its error. All but `rounding` are for a source of variance 1.
#[derive(Debug, Clone)]
pub(super) struct Explained<W> {
    /// h
    pub value: W,
    /// ‖Σ |x_l|·ν_l‖, from the rounding of the program's numbers.
    pub noise: f64,
    /// Σ |x_l|·‖a_l‖
    pub size: f64,
    /// γ, relative to the square of that.
    pub rounding: f64,
    /// Bound on the error of h besides that.
    pub error: f64,
    /// How much larger than the bounds of its error a variance has to be.
    pub certain: f64,
}

/// What the observations say about a source.
#[derive(Debug, Clone)]
pub(super) struct Profile<W> {
    /// By the observations that were seen.
    pub explained: Explained<W>,
    /// By all of them, if others tell something too.
    pub explained_by_all: Option<Box<Explained<W>>>,
    /// s
    pub shift: W,
    /// Bound on the error of s from the values and from rounding.
    pub shift_error: f64,
    /// What the lesson's noise and size add to it, for each unit of what is left of the source and of its size.
    pub bend: (f64, f64),
}

/// What is left of a source, in its units.
#[derive(Debug)]
pub(super) struct Left<W> {
    pub variance: W,
    pub reduction: W,
    /// The same after all observations, if others than those that were seen tell something too.
    pub after_all: Option<(W, W)>,
    pub shift: W,
    pub shift_error: f64,
}

impl<W: Wide> Explained<W> {
    /// The variance that is left of one of m and of noise of its own beside it, and what is gone; `None` if nothing may be
    /// left.
    fn left(&self, m: &W, own: &W) -> Option<(W, W)> {
        let reduction = m.mul(m).mul(&self.value);
        let variance = m.sub(&reduction).add(own);
        let (m, rest) = (m.to_f64(), variance.to_f64());
        let size = self.size(m);
        let error = self.rounding * size * size + m * m * self.error;
        let certain = rest > 0.0
            && rest >= self.certain * error
            && rest.sqrt() >= self.certain * m * self.noise
            && self.error <= MOST_RELATIVE * self.value.to_f64().abs();
        certain.then_some((variance, reduction))
    }

    fn size(&self, m: f64) -> f64 {
        m.sqrt() + m * self.size
    }
}

impl<W: Wide> Profile<W> {
    /// Of a source that no observation depends on.
    fn unseen() -> Self {
        let explained = Explained { value: W::zero(), noise: 0.0, size: 0.0, rounding: 0.0, error: 0.0, certain: 1.0 };
        Profile { explained, explained_by_all: None, shift: W::zero(), shift_error: 0.0, bend: (0.0, 0.0) }
    }

    /// What the observations leave of a source of variance m and of noise beside it that they know nothing about; `None` if
    /// that may be nothing.
    pub(super) fn left(&self, m: &W, own: &W) -> Option<Left<W>> {
        let (variance, reduction) = self.explained.left(m, own)?;
        let after_all = match &self.explained_by_all {
            Some(explained) => Some(explained.left(m, own)?),
            None => None,
        };
        let shift = m.mul(&self.shift);
        let m = m.to_f64();
        let shift_error =
            m * self.shift_error + variance.to_f64().sqrt() * self.bend.0 + self.explained.size(m) * self.bend.1;
        Some(Left { variance, reduction, after_all, shift, shift_error })
    }
}

/// The profile of each group of sources, as far as they are known.
#[derive(Debug)]
pub(super) struct Profiles<W> {
    /// Of sources that no observation depends on.
    unseen: Profile<W>,
    /// In pieces of the same length, but for the last.
    of_group: Vec<Vec<Option<Profile<W>>>>,
    in_piece: usize,
}

impl<W: Wide> Profiles<W> {
    /// Of so many groups, none known yet.
    pub(super) fn new(groups: usize) -> Self {
        Profiles { unseen: Profile::unseen(), of_group: vec![vec![None; groups]], in_piece: groups.max(1) }
    }

    /// Of groups that are all known.
    pub(super) fn all(groups: usize, poll: &Poll<'_>, profile: impl Fn(usize) -> Profile<W> + Sync) -> Self {
        const TOGETHER: usize = 1 << 12;
        let some = |_: &mut (), piece: usize, _: &mut Poll<'_>| -> Result<_, Infallible> {
            let start = piece * TOGETHER;
            Ok((start..groups.min(start + TOGETHER)).map(|group| Some(profile(group))).collect())
        };
        let of_group = in_parallel(groups.div_ceil(TOGETHER), poll, || (), some);
        let of_group = of_group.unwrap_or_else(|never| match never {});
        Profiles { unseen: Profile::unseen(), of_group, in_piece: TOGETHER }
    }

    /// Makes sure that the profile of a group is known.
    pub(super) fn find<S: Scalar<Wide = W>>(
        &mut self,
        learner: &mut Learner<'_, S>,
        group: u32,
        poll: &mut Poll,
    ) -> Result<(), Interrupt> {
        let profile = &mut self.of_group[group as usize / self.in_piece][group as usize % self.in_piece];
        if profile.is_none() {
            *profile = Some(learner.profile(group, poll)?);
        }
        Ok(())
    }

    /// The profile of a source's group.
    pub(super) fn get(&self, group: Option<u32>) -> Option<&Profile<W>> {
        match group {
            Some(group) => self.of_group[group as usize / self.in_piece][group as usize % self.in_piece].as_ref(),
            None => Some(&self.unseen),
        }
    }
}
