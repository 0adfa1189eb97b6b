//! Everybody's own numbers, from what is known of their group and their own truth.

use crate::audit::contributions::Involvement;
use crate::audit::people::PeopleColumns;
use crate::audit::result::Audit;
use privug_engine::posterior::{Marginals, Spread};

/// The numbers of the people of an audit by groups, some at a time.
#[derive(Debug)]
pub struct GroupedPeople<'a> {
    audit: &'a Audit,
    /// The entry of each group; `u32::MAX` for those without a secret.
    entry_of: Vec<u32>,
    scale: f64,
}

impl<'a> GroupedPeople<'a> {
    /// `None` if the audit went person by person.
    pub fn new(audit: &'a Audit) -> Option<Self> {
        let scale = audit.groups.as_ref()?.scale;
        let mut entry_of = vec![u32::MAX; audit.persons.count()];
        for entry in 0..audit.people.len() {
            entry_of[audit.persons.row(entry)] = entry as u32;
        }
        Some(GroupedPeople { audit, entry_of, scale })
    }

    /// What is known about people of these groups with these secrets, as an audit of everybody alone has it. Those without a
    /// secret (NaN) have no entry in it; the places of the others come with it.
    pub fn of(&self, groups: &[u32], truths: &[f64]) -> (Vec<usize>, PeopleColumns) {
        let known = &self.audit.people;
        let mut marginals: Marginals<f64> = Marginals::default();
        let mut involvement = Involvement::default();
        let (mut places, mut own) = (Vec::new(), Vec::new());
        for (place, (group, truth)) in groups.iter().zip(truths).enumerate() {
            let entry = self.entry_of[*group as usize];
            if entry == u32::MAX || truth.is_nan() {
                continue;
            }
            let entry = entry as usize;
            let spread = Spread {
                mean_shift: known.mean_shift[entry],
                prior_variance: known.prior_variance[entry],
                posterior_variance: known.posterior_variance[entry],
                variance_reduction: known.variance_reduction[entry],
                variance_if_all_published: known.posterior_variance[entry],
                reduction_if_all_published: known.variance_reduction[entry],
                fully_disclosed: known.fully_disclosed[entry],
            };
            marginals.push(known.prior_mean[entry], known.posterior_mean[entry], spread);
            involvement.figures.push(known.figures[entry]);
            involvement.smallest_frequency.push(known.smallest_frequency[entry]);
            places.push(place);
            own.push(*truth);
        }
        let people = PeopleColumns::measure(marginals, &own, |_| self.scale, involvement, &self.audit.policy);
        (places, people)
    }
}
