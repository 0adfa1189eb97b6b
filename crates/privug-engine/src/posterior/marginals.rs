//! What is known about very many targets, in columns.

use crate::number::Scalar;

use super::TargetOutcome;

/// What is known about each of many targets; see [`TargetOutcome`] for what the fields mean.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the fields of `TargetOutcome`, as columns")]
pub struct Marginals<S> {
    pub prior_mean: Vec<S>,
    pub posterior_mean: Vec<S>,
    /// Which of the spreads each target has.
    pub(super) spread_of: Vec<u32>,
    pub(super) spreads: Vec<Spread<S>>,
}

/// All about a target but its means. Very many have the same: whom the observations see in the same way, and who had the
/// same variance.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the fields of `TargetOutcome`")]
pub struct Spread<S> {
    pub mean_shift: S,
    pub prior_variance: S,
    pub posterior_variance: S,
    pub variance_reduction: S,
    pub variance_if_all_published: S,
    pub reduction_if_all_published: S,
    pub fully_disclosed: bool,
}

impl<S> Default for Marginals<S> {
    fn default() -> Self {
        Marginals { prior_mean: Vec::new(), posterior_mean: Vec::new(), spread_of: Vec::new(), spreads: Vec::new() }
    }
}

impl<S: Scalar> Marginals<S> {
    /// How many targets there are.
    pub fn len(&self) -> usize {
        self.spread_of.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spread_of.is_empty()
    }

    /// All about a target but its means.
    pub fn spread(&self, target: usize) -> &Spread<S> {
        &self.spreads[self.spread_of[target] as usize]
    }

    /// The same of all targets.
    pub fn spreads(&self) -> impl Iterator<Item = &Spread<S>> {
        self.spread_of.iter().map(|spread| &self.spreads[*spread as usize])
    }

    /// The targets whose spread is of a certain kind.
    pub fn whose(&self, is_meant: impl Fn(&Spread<S>) -> bool) -> impl Iterator<Item = usize> {
        let meant: Vec<bool> = self.spreads.iter().map(is_meant).collect();
        let candidates = if meant.contains(&true) { self.len() } else { 0 };
        (0..candidates).filter(move |target| meant[self.spread_of[*target] as usize])
    }

    /// Appends a target.
    pub fn push(&mut self, prior_mean: S, posterior_mean: S, spread: Spread<S>) {
        self.prior_mean.push(prior_mean);
        self.posterior_mean.push(posterior_mean);
        self.spread_of.push(self.spreads.len() as u32);
        self.spreads.push(spread);
    }

    pub(super) fn set_outcome(&mut self, target: usize, outcome: TargetOutcome<S>) {
        self.prior_mean[target] = outcome.prior_mean;
        self.posterior_mean[target] = outcome.posterior_mean;
        self.spread_of[target] = self.spreads.len() as u32;
        self.spreads.push(Spread {
            mean_shift: outcome.mean_shift,
            prior_variance: outcome.prior_variance,
            posterior_variance: outcome.posterior_variance,
            variance_reduction: outcome.variance_reduction,
            variance_if_all_published: outcome.variance_if_all_published,
            reduction_if_all_published: outcome.reduction_if_all_published,
            fully_disclosed: outcome.fully_disclosed,
        });
    }

    /// The same in doubles.
    pub fn into_doubles(self) -> Marginals<f64> {
        // Of doubles this keeps the memory.
        let doubles = |column: Vec<S>| -> Vec<f64> { column.into_iter().map(|number| number.to_f64()).collect() };
        let spreads = self.spreads.iter().map(|spread| Spread {
            mean_shift: spread.mean_shift.to_f64(),
            prior_variance: spread.prior_variance.to_f64(),
            posterior_variance: spread.posterior_variance.to_f64(),
            variance_reduction: spread.variance_reduction.to_f64(),
            variance_if_all_published: spread.variance_if_all_published.to_f64(),
            reduction_if_all_published: spread.reduction_if_all_published.to_f64(),
            fully_disclosed: spread.fully_disclosed,
        });
        Marginals {
            spreads: spreads.collect(),
            prior_mean: doubles(self.prior_mean),
            posterior_mean: doubles(self.posterior_mean),
            spread_of: self.spread_of,
        }
    }
}
