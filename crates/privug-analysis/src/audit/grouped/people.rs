//! Everybody's own numbers, from what is known of their group and their own truth.

use crate::audit::people::PeopleColumns;
use crate::audit::result::Audit;
use privug_tables::register::Rows;

/// The numbers of the people of an audit by groups, some at a time.
#[derive(Debug)]
pub struct GroupedPeople<'a> {
    audit: &'a Audit,
}

impl<'a> GroupedPeople<'a> {
    /// `None` if the audit went person by person.
    pub fn new(audit: &'a Audit) -> Option<Self> {
        audit.groups.is_some().then_some(GroupedPeople { audit })
    }

    /// What is known about some people, as an audit of everybody alone has it. Those without a secret have no entry in it; the
    /// places of the others come with it.
    pub fn of(&self, rows: &Rows) -> (Vec<usize>, PeopleColumns) {
        match &self.audit.groups {
            Some(groups) => {
                groups.entries.measured(rows, &self.audit.people, groups.scale, &self.audit.policy, &|_| true)
            }
            None => (Vec::new(), PeopleColumns::default()),
        }
    }
}
