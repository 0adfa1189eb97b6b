//! Everybody's own numbers, from what is known of their group and their own truth.

use crate::audit::contributions::Involvement;
use crate::audit::people::PeopleColumns;
use crate::audit::result::Audit;
use privug_engine::posterior::{Marginals, Spread};
use privug_tables::register::Rows;

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

    /// What is known about some people, as an audit of everybody alone has it. Those without a secret have no entry in it; the
    /// places of the others come with it.
    pub fn of(&self, rows: &Rows) -> (Vec<usize>, PeopleColumns) {
        let known = &self.audit.people;
        let mut marginals: Marginals<f64> = Marginals::default();
        let mut involvement = Involvement::default();
        let (mut places, mut own) = (Vec::new(), Vec::new());
        for (place, (group, truth)) in rows.groups.iter().zip(&rows.secrets).enumerate() {
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
            // Means of one group differ by what they are before, and all move alike.
            let before = rows.prior_means.as_ref().map_or(known.prior_mean[entry], |means| means[place]);
            let after = match before == known.prior_mean[entry] {
                true => known.posterior_mean[entry],
                false => before + known.mean_shift[entry],
            };
            marginals.push(before, after, spread);
            involvement.figures.push(known.figures[entry]);
            involvement.smallest_frequency.push(known.smallest_frequency[entry]);
            places.push(place);
            own.push(*truth);
        }
        let people = PeopleColumns::measure(marginals, &own, |_| self.scale, involvement, &self.audit.policy);
        (places, people)
    }
}
