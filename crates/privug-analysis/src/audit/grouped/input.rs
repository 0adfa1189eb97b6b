//! A script and the groups of its table to a release.

use std::sync::Arc;

use super::fits::{fits_groups, sums_fit, weights_fit};
use super::members::Members;
use super::stand_ins::StandIns;
use super::statistics::ReleaseGroups;
use crate::audit::lift::{Input, Lifting};
use crate::audit::release::{People, Release};
use crate::audit::run::{Lift, Lifted};
use privug_engine::evaluate::{GroupMeans, GroupTable};
use privug_engine::number::Exact;
use privug_engine::stages::Stages;
use privug_language::diagnostic::Refusal;
use privug_tables::register::Groups;
use privug_tables::table::TableError;

/// What is audited, with the groups of the people's table in its place.
#[derive(Debug, Clone)]
pub struct GroupedInput {
    input: Input,
    groups: Arc<Groups>,
    rows: Arc<StandIns>,
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
        let rows = Arc::new(StandIns::new(groups.clone()));
        input.tables[place].1 = groups.table(names, &rows.group)?;
        let table = &input.tables[place].1;
        let at = |name: &String| table.columns().iter().position(|column| column.name() == name);
        let prior_means = groups.prior_means.as_ref().and_then(|(name, _)| at(name)).zip(rows.prior_means.clone());
        let weights = groups.weights.as_ref().and_then(|(name, _)| at(name)).zip(rows.weights.clone());
        let table = GroupTable {
            table: place,
            sizes: rows.sizes.clone(),
            means: rows.means.clone(),
            variances: rows.variances.clone(),
            ranges: rows
                .group
                .iter()
                .map(|group| (groups.least[*group as usize], groups.most[*group as usize]))
                .collect(),
            unread: groups.unread.clone(),
            prior_means,
            weights,
            pairs: rows.pairs.clone(),
        };
        Ok(GroupedInput { input, groups, rows, table, names: names.to_vec(), members })
    }

    fn lifted<S: Stages>(&self, script: &Lifting<'_>, follows_doubles: bool) -> Result<Release<S>, Refusal> {
        let (mut release, GroupMeans { means, between }): (Release<S>, GroupMeans<S>) =
            script.lift_groups(Some(&self.table), follows_doubles)?;
        let rows = release.rows.first().cloned().unwrap_or_default();
        let group = |row: &u32| self.rows.group[*row as usize] as usize;
        release.truths = rows.iter().map(|row| self.groups.least[group(row)]).collect();
        let names = (0..self.rows.group.len() as u32).map(|row| self.name(row)).collect();
        release.people = People::Named { column: "group".to_owned(), names };
        let groups = match self.groups.len() {
            1 => "1 group".to_owned(),
            count => format!("{} groups", privug_language::words::number(count as f64)),
        };
        release.notes.push(format!(
            "{} people were audited as {groups} of people who agree in all columns that the script reads; the results are the same as for individual people",
            privug_language::words::number(self.groups.people() as f64),
        ));
        release.groups = Some(ReleaseGroups {
            groups: self.groups.clone(),
            stand_ins: self.rows.clone(),
            rows,
            means,
            between: between.into_iter().collect(),
            members: self.members.clone(),
        });
        Ok(release)
    }

    /// What somebody of a row is called.
    fn name(&self, row: u32) -> String {
        let group = self.rows.group[row as usize] as usize;
        let name = self.groups.name(group);
        let weight = self.rows.place_in_pair(row).zip(self.rows.weights_of(group)).zip(self.groups.weights.as_ref());
        match weight {
            None => name,
            Some(((place, weights), (column, _))) => {
                let weight = if place == 0 { weights.least } else { weights.most };
                format!("{name}, {column}={weight}")
            }
        }
    }
}

impl Lift for GroupedInput {
    fn compile(&self) -> Result<Box<dyn Lifted + '_>, Refusal> {
        fits_groups(&self.input)?;
        if let Some((own, _)) = &self.groups.prior_means {
            sums_fit(&self.input, &self.names, own)?;
        }
        if let Some((own, _)) = &self.groups.weights {
            weights_fit(&self.input, own)?;
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
