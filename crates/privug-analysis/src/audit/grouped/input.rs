//! A script and the groups of its table to a release.

use std::sync::Arc;

use super::fits::{fits_groups, sums_fit};
use super::members::Members;
use super::statistics::{ReleaseGroups, rational};
use crate::audit::lift::{Input, Lifting};
use crate::audit::release::{People, Release};
use crate::audit::run::{Lift, Lifted};
use privug_engine::evaluate::GroupTable;
use privug_engine::network::Affine;
use privug_engine::number::{Exact, Rational, Scalar};
use privug_engine::stages::Stages;
use privug_language::diagnostic::Refusal;
use privug_tables::register::{Groups, PairSum};
use privug_tables::table::{Table, TableError};

/// What is audited, with the groups of the people's table in its place.
#[derive(Debug, Clone)]
pub struct GroupedInput {
    input: Input,
    groups: Arc<Groups>,
    table: GroupTable,
    /// The columns of the table that was grouped.
    names: Vec<String>,
    members: Option<Arc<dyn Members>>,
}

impl GroupedInput {
    /// Puts groups in the place of a table of `input`, whose columns are called `names`.
    pub fn new(
        mut input: Input,
        place: usize,
        groups: Arc<Groups>,
        names: &[String],
        members: Option<Arc<dyn Members>>,
    ) -> Result<Self, TableError> {
        input.tables[place].1 = groups.table(names)?;
        let mean = |group: usize| {
            let sum = rational(groups.sums[group]?, groups.scale);
            Some(sum / Rational::from(groups.sizes[group]))
        };
        let table = GroupTable {
            table: place,
            sizes: groups.sizes.clone(),
            means: (0..groups.len()).map(mean).collect(),
            variances: groups.variances.clone(),
            unread: groups.unread.clone(),
            prior_means: prior_means(&groups, &input.tables[place].1),
        };
        Ok(GroupedInput { input, groups, table, names: names.to_vec(), members })
    }

    fn lifted<S: Stages>(&self, script: &Lifting<'_>, follows_doubles: bool) -> Result<Release<S>, Refusal> {
        let (mut release, means): (Release<S>, Vec<Affine<S>>) =
            script.lift_groups(Some(&self.table), follows_doubles)?;
        let rows = release.rows.first().cloned().unwrap_or_default();
        release.truths = rows.iter().map(|row| self.groups.least[*row as usize]).collect();
        let names = (0..self.groups.len()).map(|group| self.groups.name(group)).collect();
        release.people = People::Named { column: "group".to_owned(), names };
        let groups = match self.groups.len() {
            1 => "1 group".to_owned(),
            count => format!("{} groups", privug_language::words::number(count as f64)),
        };
        release.notes.push(format!(
            "{} people were audited as {groups} of those who are alike in all columns that the script reads; the answers are \
             those of auditing everybody alone",
            privug_language::words::number(self.groups.people() as f64),
        ));
        release.groups =
            Some(ReleaseGroups { groups: self.groups.clone(), rows, means, members: self.members.clone() });
        Ok(release)
    }
}

/// The place of the column with everybody's own prior mean in the table of groups, and the means of it.
fn prior_means(groups: &Groups, table: &Table) -> Option<(usize, Vec<Option<Rational>>)> {
    let (name, sums) = groups.prior_means.as_ref()?;
    let place = table.columns().iter().position(|column| column.name() == name)?;
    // What a column holds is finite, and so are sums that are not absurd.
    let exact = |number: f64| <Rational as Scalar>::from_f64(number);
    let mean = |sum: &PairSum, size: u64| Some((exact(sum.high)? + exact(sum.low)?) / Rational::from(size));
    let of_group = |(sum, size): (&Option<PairSum>, &u64)| sum.as_ref().and_then(|sum| mean(sum, *size));
    Some((place, sums.iter().zip(&groups.sizes).map(of_group).collect()))
}

impl Lift for GroupedInput {
    fn compile(&self) -> Result<Box<dyn Lifted + '_>, Refusal> {
        fits_groups(&self.input)?;
        if let Some((own, _)) = &self.groups.prior_means {
            sums_fit(&self.input, &self.names, own)?;
        }
        Ok(Box::new(GroupedLifting { input: self, script: Lifting::new(&self.input)? }))
    }
}

/// A script that is compiled, and the groups that it runs on.
struct GroupedLifting<'i> {
    input: &'i GroupedInput,
    script: Lifting<'i>,
}

impl Lifted for GroupedLifting<'_> {
    fn in_doubles(&self) -> Result<Release<f64>, Refusal> {
        self.input.lifted(&self.script, false)
    }

    fn in_rationals(&self, follows_doubles: bool) -> Result<Release<Exact>, Refusal> {
        self.input.lifted(&self.script, follows_doubles)
    }
}
