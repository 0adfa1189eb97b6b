//! What is known about very many targets, in columns.

use crate::number::Scalar;

use super::TargetOutcome;

/// Columns with one entry for each target; see [`TargetOutcome`] for what they mean.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields of `TargetOutcome`, as columns")]
pub struct Marginals<S> {
    pub prior_mean: Vec<S>,
    pub prior_variance: Vec<S>,
    pub posterior_mean: Vec<S>,
    pub mean_shift: Vec<S>,
    pub posterior_variance: Vec<S>,
    pub variance_reduction: Vec<S>,
    pub fully_disclosed: Vec<bool>,
    /// What all observations leave of the variance and take away from it; `None` if all of them were seen.
    pub if_all_published: Option<IfAllPublished<S>>,
}

/// Columns about observations that were not seen.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields of `TargetOutcome`, as columns")]
pub struct IfAllPublished<S> {
    pub variance: Vec<S>,
    pub reduction: Vec<S>,
}

/// One entry of all columns, of a target that is not disclosed.
pub(super) struct Marginal<S> {
    pub prior_mean: S,
    pub prior_variance: S,
    pub posterior_mean: S,
    pub mean_shift: S,
    pub posterior_variance: S,
    pub variance_reduction: S,
    /// Variance and reduction, where they are others.
    pub if_all_published: Option<(S, S)>,
}

/// Some targets' part of the columns.
pub(super) struct Share<'a, S> {
    prior_mean: &'a mut [S],
    prior_variance: &'a mut [S],
    posterior_mean: &'a mut [S],
    mean_shift: &'a mut [S],
    posterior_variance: &'a mut [S],
    variance_reduction: &'a mut [S],
    if_all_published: Option<(&'a mut [S], &'a mut [S])>,
}

impl<S: Scalar> Marginals<S> {
    pub(super) fn zeros(targets: usize, all_seen: bool) -> Self {
        let column = || vec![S::zero(); targets];
        Marginals {
            prior_mean: column(),
            prior_variance: column(),
            posterior_mean: column(),
            mean_shift: column(),
            posterior_variance: column(),
            variance_reduction: column(),
            fully_disclosed: vec![false; targets],
            if_all_published: (!all_seen).then(|| IfAllPublished { variance: column(), reduction: column() }),
        }
    }

    /// The same in doubles.
    pub fn into_doubles(self) -> Marginals<f64> {
        // Of doubles this keeps the memory.
        let doubles = |column: Vec<S>| -> Vec<f64> { column.into_iter().map(|number| number.to_f64()).collect() };
        Marginals {
            prior_mean: doubles(self.prior_mean),
            prior_variance: doubles(self.prior_variance),
            posterior_mean: doubles(self.posterior_mean),
            mean_shift: doubles(self.mean_shift),
            posterior_variance: doubles(self.posterior_variance),
            variance_reduction: doubles(self.variance_reduction),
            fully_disclosed: self.fully_disclosed,
            if_all_published: self.if_all_published.map(|columns| IfAllPublished {
                variance: doubles(columns.variance),
                reduction: doubles(columns.reduction),
            }),
        }
    }

    /// The columns in parts of so many targets.
    pub(super) fn shares(&mut self, targets: usize) -> Vec<Share<'_, S>> {
        let mut prior_mean = self.prior_mean.chunks_mut(targets);
        let mut prior_variance = self.prior_variance.chunks_mut(targets);
        let mut posterior_mean = self.posterior_mean.chunks_mut(targets);
        let mut mean_shift = self.mean_shift.chunks_mut(targets);
        let mut posterior_variance = self.posterior_variance.chunks_mut(targets);
        let mut variance_reduction = self.variance_reduction.chunks_mut(targets);
        let if_all = self.if_all_published.as_mut();
        let mut if_all =
            if_all.map(|columns| columns.variance.chunks_mut(targets).zip(columns.reduction.chunks_mut(targets)));
        let next = || {
            Some(Share {
                prior_mean: prior_mean.next()?,
                prior_variance: prior_variance.next()?,
                posterior_mean: posterior_mean.next()?,
                mean_shift: mean_shift.next()?,
                posterior_variance: posterior_variance.next()?,
                variance_reduction: variance_reduction.next()?,
                if_all_published: if_all.as_mut().and_then(Iterator::next),
            })
        };
        std::iter::from_fn(next).collect()
    }

    pub(super) fn set_outcome(&mut self, index: usize, target: TargetOutcome<S>) {
        self.prior_mean[index] = target.prior_mean;
        self.prior_variance[index] = target.prior_variance;
        self.posterior_mean[index] = target.posterior_mean;
        self.mean_shift[index] = target.mean_shift;
        self.posterior_variance[index] = target.posterior_variance;
        self.variance_reduction[index] = target.variance_reduction;
        self.fully_disclosed[index] = target.fully_disclosed;
        if let Some(columns) = &mut self.if_all_published {
            columns.variance[index] = target.variance_if_all_published;
            columns.reduction[index] = target.reduction_if_all_published;
        }
    }
}

impl<S: Scalar> Share<'_, S> {
    pub(super) fn set(&mut self, place: usize, target: Marginal<S>) {
        if let Some((variances, reductions)) = &mut self.if_all_published {
            let same = || (target.posterior_variance.clone(), target.variance_reduction.clone());
            (variances[place], reductions[place]) = target.if_all_published.unwrap_or_else(same);
        }
        self.prior_mean[place] = target.prior_mean;
        self.prior_variance[place] = target.prior_variance;
        self.posterior_mean[place] = target.posterior_mean;
        self.mean_shift[place] = target.mean_shift;
        self.posterior_variance[place] = target.posterior_variance;
        self.variance_reduction[place] = target.variance_reduction;
    }
}
