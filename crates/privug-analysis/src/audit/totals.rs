//! The totals over the rows of people who have several: what is told about these is told about the person, however
//! uncertain each row stays.

use super::contributions::Involvement;
use super::people::PeopleColumns;
use super::persons::Persons;
use super::policy::Policy;
use super::release::Release;
use super::verdicts::Totals;
use privug_engine::network::{Affine, NodeId, Variables};
use privug_engine::number::Scalar;
use privug_engine::posterior::Marginals;
use privug_language::source::Span;

/// The totals before anything is known about them.
pub(super) struct Unmeasured<S> {
    /// The person of each.
    pub(super) persons: Vec<usize>,
    pub(super) variables: Variables<S>,
}

/// One total for each secret column and person with several rows, as new variables of the network.
pub(super) fn totals<S: Scalar>(release: &mut Release<S>, persons: &Persons) -> Unmeasured<S> {
    let mut found = Unmeasured { persons: Vec::new(), variables: Variables::default() };
    let repeated = persons.repeated();
    for column in 0..persons.columns() {
        for (person, rows) in &repeated {
            let entries = rows.iter().filter_map(|row| persons.entry(column, *row));
            let terms: Vec<(NodeId, S)> = entries.map(|entry| (release.secrets.get(entry).node, S::one())).collect();
            let node = release.network.push(S::zero(), terms, S::zero(), Span::START);
            found.persons.push(*person);
            found.variables.push(Affine { node, scale: S::one(), offset: S::zero() });
        }
    }
    found
}

impl<S: Scalar> Unmeasured<S> {
    /// What is known about them. How near the attacker comes to the truth is not: of many rows everybody knows the total to
    /// within a few percent, and the rule is about the rows.
    pub(super) fn measured(self, known: Marginals<S>, policy: &Policy) -> Totals {
        let count = self.persons.len();
        let involvement = Involvement { figures: vec![0; count], smallest_frequency: vec![u32::MAX; count] };
        let known = PeopleColumns::measure(known, &vec![f64::NAN; count], |_| 0.0, involvement, policy);
        Totals { persons: self.persons, known }
    }
}
