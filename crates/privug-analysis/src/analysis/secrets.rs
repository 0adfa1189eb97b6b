//! The secrets of a result, each on its own or, if there are very many, in columns.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::result::SecretResult;
use privug_engine::evaluate::Names;
use privug_engine::posterior::Marginals;
use privug_measures::leakage::{Knowledge, Measures, Setting};

/// What was found about the secrets. Of very many, each is put together when it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Secrets {
    kept: Kept,
}

#[derive(Debug, Clone, PartialEq)]
enum Kept {
    Each(Vec<SecretResult>),
    Columns(Box<Columns>),
}

/// Very many secrets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    pub(super) names: Names,
    pub(super) marginals: Marginals<f64>,
    /// What measures depend on besides: of those whose truth was given, and of all others.
    pub(super) settings: BTreeMap<usize, Setting>,
    pub(super) setting: Setting,
}

/// What is known about a secret without its name: cheap to ask for, of millions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known {
    /// What was and is known.
    pub knowledge: Knowledge,
    /// The posterior mean, rounded once.
    pub posterior_mean: f64,
}

impl From<Vec<SecretResult>> for Secrets {
    fn from(each: Vec<SecretResult>) -> Self {
        Secrets { kept: Kept::Each(each) }
    }
}

impl From<Columns> for Secrets {
    fn from(columns: Columns) -> Self {
        Secrets { kept: Kept::Columns(Box::new(columns)) }
    }
}

impl Secrets {
    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.kept {
            Kept::Each(each) => each.len(),
            Kept::Columns(columns) => columns.names.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The secret with that number.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn get(&self, index: usize) -> Cow<'_, SecretResult> {
        match &self.kept {
            Kept::Each(each) => Cow::Borrowed(&each[index]),
            Kept::Columns(columns) => Cow::Owned(columns.get(index)),
        }
    }

    /// The only secret, if there is only one.
    pub fn only(&self) -> Option<Cow<'_, SecretResult>> {
        (self.len() == 1).then(|| self.get(0))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, SecretResult>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        (0..self.len()).map(|index| self.name(index))
    }

    /// The name of one.
    pub fn name(&self, index: usize) -> Cow<'_, str> {
        match &self.kept {
            Kept::Each(each) => Cow::Borrowed(each[index].name.as_str()),
            Kept::Columns(columns) => Cow::Owned(columns.names.get(index)),
        }
    }

    /// Those of which nothing is left to know once all outputs are published.
    pub(super) fn settled(&self) -> Vec<(usize, Knowledge)> {
        match &self.kept {
            Kept::Each(each) => {
                let settled =
                    each.iter().enumerate().filter(|(_, secret)| secret.knowledge.variance_if_all_published == 0.0);
                settled.map(|(index, secret)| (index, secret.knowledge)).collect()
            }
            Kept::Columns(columns) => {
                let settled = columns.marginals.whose(|spread| spread.variance_if_all_published == 0.0);
                settled.map(|index| (index, columns.known(index).knowledge)).collect()
            }
        }
    }

    /// What is known about each.
    pub fn known(&self) -> impl Iterator<Item = Known> {
        (0..self.len()).map(|index| match &self.kept {
            Kept::Each(each) => Known { knowledge: each[index].knowledge, posterior_mean: each[index].posterior_mean },
            Kept::Columns(columns) => columns.known(index),
        })
    }

    /// The measures of each.
    pub fn measures(&self) -> impl Iterator<Item = Measures> {
        (0..self.len()).map(|index| match &self.kept {
            Kept::Each(each) => each[index].measures,
            Kept::Columns(columns) => Measures::of(&columns.known(index).knowledge, &columns.setting(index)),
        })
    }

    /// For tests that put something else into a result.
    #[doc(hidden)]
    pub fn each_mut(&mut self) -> &mut [SecretResult] {
        match &mut self.kept {
            Kept::Each(each) => each,
            Kept::Columns(_) => &mut [],
        }
    }
}

impl Columns {
    fn known(&self, index: usize) -> Known {
        let spread = self.marginals.spread(index);
        let knowledge = Knowledge {
            prior_mean: self.marginals.prior_mean[index],
            prior_variance: spread.prior_variance,
            mean_shift: spread.mean_shift,
            posterior_variance: spread.posterior_variance,
            variance_reduction: spread.variance_reduction,
            variance_if_all_published: spread.variance_if_all_published,
            reduction_if_all_published: spread.reduction_if_all_published,
        };
        Known { knowledge, posterior_mean: self.marginals.posterior_mean[index] }
    }

    fn setting(&self, index: usize) -> Setting {
        self.settings.get(&index).copied().unwrap_or(self.setting)
    }

    fn get(&self, index: usize) -> SecretResult {
        let (Known { knowledge, posterior_mean }, setting) = (self.known(index), self.setting(index));
        SecretResult {
            name: self.names.get(index),
            knowledge,
            posterior_mean,
            measures: Measures::of(&knowledge, &setting),
            truth: setting.truth,
            by_output: Vec::new(),
        }
    }
}
