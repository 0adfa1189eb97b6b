//! What an audit found, in doubles and names that every front end can show.

use std::borrow::Cow;

use super::combination::Combination;
use super::contributions::Contributions;
use super::feasibility::Feasibility;
use super::figures::Concentration;
use super::grouped::EntryMap;
use super::people::PeopleColumns;
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};
use super::reasons::Reason;
use super::release::People;
use super::verdicts::{PersonVerdicts, Totals};
use crate::analysis::{Arithmetic, Note};
use privug_language::source::Sources;

/// What was audited, as the user said it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The script's path.
    pub path: String,
    /// The function, if it was named.
    pub function: Option<String>,
    /// The secret columns, as `table.column`.
    pub secrets: Vec<String>,
    /// The attacker's priors for them, as they were written.
    pub priors: Vec<String>,
    /// The defences that were tried, as they were written.
    pub defences: Vec<String>,
}

/// Whether a figure told anything.
#[derive(Debug, Clone, PartialEq)]
pub enum FigureStatus {
    /// It is published, and tells something that the earlier ones do not.
    Used,
    /// It is published, and follows from others.
    Redundant {
        /// The figures it is a combination of; none if it is known beforehand.
        implied_by: Vec<usize>,
    },
    /// It is not published.
    Suppressed {
        /// The published figures that it can be computed from all the same; empty if it cannot.
        recovered_from: Vec<usize>,
        /// What is left of the attacker's uncertainty about it, as a standard deviation.
        posterior_std: f64,
    },
    /// A count is published.
    Count,
    /// Something is published that no rule looks at.
    Unexamined {
        /// What it is, such as `a text`.
        kind: String,
    },
}

impl About {
    /// All secret columns.
    pub fn secret(&self) -> String {
        self.secrets.join(", ")
    }
}

impl FigureStatus {
    /// As in the JSON.
    pub fn name(&self) -> &'static str {
        match self {
            FigureStatus::Used => "used",
            FigureStatus::Redundant { .. } => "redundant",
            FigureStatus::Suppressed { .. } => "suppressed",
            FigureStatus::Count => "count",
            FigureStatus::Unexamined { .. } => "unexamined",
        }
    }
}

/// One figure of the release.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What it is called.
    pub name: String,
    /// Line of the script, from 1.
    pub line: usize,
    /// The real value; NaN for what is no number.
    pub value: f64,
    /// What is published: the real value, rounded if a defence says so.
    pub published: f64,
    /// Standard deviation of all noise it is published with, that of the script included; rounding is none.
    pub noise_std: f64,
    /// Whether it told anything.
    pub status: FigureStatus,
    /// Who is behind it.
    pub contributions: Contributions,
    /// How much of it the largest contributors make up.
    pub concentration: Concentration,
    /// How many prior-predictive standard deviations it lies from what the prior predicts; 0 if it is suppressed.
    pub z: f64,
    /// How many disclosed people it helps to disclose, of those that were explained.
    pub discloses: usize,
    /// The rules it breaks.
    pub broken: Vec<(Rule, Verdict)>,
    /// The worst of these.
    pub verdict: Verdict,
}

impl Figure {
    /// Whether the attacker sees it.
    pub fn is_published(&self) -> bool {
        match self.status {
            FigureStatus::Used
            | FigureStatus::Redundant { .. }
            | FigureStatus::Count
            | FigureStatus::Unexamined { .. } => true,
            FigureStatus::Suppressed { .. } => false,
        }
    }
}

/// What one figure tells about one person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureLeak {
    /// The figure.
    pub figure: usize,
    /// Mutual information of the secret and this figure alone.
    pub alone_bits: f64,
    /// What it adds to the earlier ones; these add up to the mutual information with all of them.
    pub added_bits: f64,
}

/// More about one of the people with the highest risk.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonDetail {
    /// Which person.
    pub person: usize,
    /// What each figure tells, that which adds most first.
    pub leaks: Vec<FigureLeak>,
    /// Of a disclosed person: (figure, what it is multiplied by) in the secret.
    pub combination: Vec<(usize, f64)>,
    /// In exact arithmetic: posterior mean and variance as texts such as `13/3`.
    pub exact: Option<[String; 2]>,
}

/// That people were audited by groups.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditGroups {
    /// How large a secret is where it is nearly 0: the spread of its column.
    pub scale: f64,
    /// How many people were judged by a bound on how near the attacker may be to their truth.
    pub bounded: u64,
    /// Which entry tells about the people of which group.
    pub(super) entries: EntryMap,
}

impl AuditGroups {
    /// How many groups of people have a secret.
    pub fn count(&self) -> usize {
        self.entries.count()
    }

    /// How many groups there are, also those without a secret.
    pub fn all(&self) -> usize {
        self.entries.len()
    }

    /// The entry of a group that has a secret; with weights of their own, that of somebody with the smallest weight, after which
    /// comes that of somebody with the largest.
    pub fn entry(&self, group: usize) -> Option<usize> {
        self.entries.entry(group)
    }

    /// What is known of somebody whose weight is in the middle between the smallest and the largest: how far the mean moves, and the
    /// variance that is left. `None` for a group without weights of their own.
    pub fn in_the_middle(&self, group: usize) -> Option<[f64; 2]> {
        self.entries.in_the_middle(group)
    }
}

/// What an audit found.
#[derive(Debug, Clone)]
pub struct Audit {
    /// The texts it was made of.
    pub sources: Sources,
    /// What was audited.
    pub about: About,
    /// What the numbers were computed in.
    pub arithmetic: Arithmetic,
    /// The rules.
    pub policy: Policy,
    /// The worst that a rule says about anybody or anything.
    pub verdict: Verdict,
    /// Why, the gravest first.
    pub reasons: Vec<Reason>,
    /// What the people are called.
    pub names: People,
    /// The secret columns, as `table.column`.
    pub columns: Vec<String>,
    /// Which rows are about the same person.
    pub persons: Persons,
    /// Every secret of everybody; of groups of people, somebody's for each.
    pub people: PeopleColumns,
    /// Whether people were audited by groups.
    pub groups: Option<AuditGroups>,
    /// What a ledger needs to know of the release, if that was asked for.
    pub recorded: Option<serde_json::Value>,
    /// The totals over the rows of those who have several.
    pub totals: Totals,
    /// What remains possible, where a support is known.
    pub possible: Option<Feasibility>,
    /// What the rules say about every person.
    pub verdicts: PersonVerdicts,
    /// Those with the highest risk, the worst first.
    pub worst: Vec<usize>,
    /// More about the first of these.
    pub details: Vec<PersonDetail>,
    /// Everything published: the figures that depend on a secret, the counts, and the rest, each in the order of the
    /// result.
    pub figures: Vec<Figure>,
    /// The combinations of figures that disclose people, those that disclose most people first.
    pub combinations: Vec<Combination>,
    /// The entries that are disclosed, ascending, and (figure, what it is multiplied by) in the secret; as many as were
    /// looked up.
    pub disclosed_by: Vec<(usize, Vec<(usize, f64)>)>,
    /// How many disclosed people these were looked up for.
    pub explained: usize,
    /// Logarithm of the density of what is published.
    pub log_evidence_nats: f64,
    /// What to be careful about.
    pub notes: Vec<Note>,
}

impl Audit {
    /// How many people have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.count(verdict)
    }

    /// How many people are fully disclosed.
    pub fn disclosed(&self) -> usize {
        self.verdicts.disclosed()
    }

    /// The figures by how bad they are: by verdict, by how many people they help to disclose, by contributors.
    pub fn worst_figures(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.figures.len()).collect();
        order.sort_by_key(|index| {
            let figure = &self.figures[*index];
            let broken = figure.broken.len();
            (std::cmp::Reverse((figure.verdict, figure.discloses, broken)), figure.contributions.contributors)
        });
        order
    }

    /// The rules that are broken by an entry, or by the total over the person's rows of the same secret.
    pub fn broken_rules(&self, entry: usize) -> Vec<(Rule, Verdict)> {
        let mut broken = self.people.broken_rules(entry, &self.policy);
        let (person, column) = (self.persons.of_entry(entry), self.persons.column(entry));
        if let Some(total) = self.totals.place(person, column, self.persons.columns()) {
            for (rule, verdict) in self.totals.known.broken_rules(total, &self.policy) {
                match broken.iter_mut().find(|(known, _)| *known == rule) {
                    Some((_, worst)) => *worst = (*worst).max(verdict),
                    None => broken.push((rule, verdict)),
                }
            }
        }
        broken.sort_unstable();
        broken
    }

    /// The worst of these.
    pub fn verdict_of(&self, entry: usize) -> Verdict {
        self.broken_rules(entry).into_iter().map(|(_, verdict)| verdict).max().unwrap_or_default()
    }

    /// What the person of an entry is called.
    pub fn name(&self, entry: usize) -> Cow<'_, str> {
        self.names.name(self.persons.row(entry))
    }

    /// What a person is called.
    pub fn person_name(&self, person: usize) -> Cow<'_, str> {
        self.names.name(self.persons.first_row(person))
    }

    /// What the person of an entry is called, with the row and the column where there are several.
    pub fn entry_name(&self, entry: usize) -> String {
        let name = self.name(entry);
        let PersonName { row, column } = self.persons.name(entry);
        let column = column.map(|column| self.column_name(column).to_owned());
        match (row.map(|row| format!("row {row}")), column) {
            (None, None) => name.into_owned(),
            (Some(one), None) | (None, Some(one)) => format!("{name} ({one})"),
            (Some(row), Some(column)) => format!("{name} ({column}, {row})"),
        }
    }

    /// What a secret column is called.
    pub fn column_name(&self, column: usize) -> &str {
        self.columns.get(column).map_or("", String::as_str)
    }

    /// The secret column of an entry, where there are several.
    pub fn column_of(&self, entry: usize) -> Option<&str> {
        (self.persons.columns() > 1).then(|| self.column_name(self.persons.column(entry)))
    }

    /// `545 people (4,360 rows)`
    pub fn everybody(&self) -> String {
        let count = self.persons.with_secret();
        let number = |count: usize| privug_language::words::number(count as f64);
        let people = if count == 1 { "1 person".to_owned() } else { format!("{} people", number(count)) };
        match self.persons.is_repeated() {
            true => format!("{people} ({} rows)", number(self.persons.rows())),
            false if self.persons.is_grouped() => {
                format!("{people} in {} groups", number(self.groups.as_ref().map_or(0, AuditGroups::count)))
            }
            false => people,
        }
    }

    /// What several people are called in a sentence: `row 3, 5`, `id 17`, `Ann, Bo`; those after the first few are
    /// counted.
    pub fn whom(&self, people: &[usize]) -> String {
        const LISTED: usize = 5;
        let names: Vec<String> = people.iter().take(LISTED).map(|entry| self.entry_name(*entry)).collect();
        let more = people.len().saturating_sub(LISTED);
        let more =
            if more > 0 { format!(" and {} more", privug_language::words::number(more as f64)) } else { String::new() };
        match self.names.label() {
            label if label.eq_ignore_ascii_case("name") => format!("{}{more}", names.join(", ")),
            label => format!("{label} {}{more}", names.join(", ")),
        }
    }
}

/// What tells an entry from the others of the same person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonName {
    /// The row, from 1, if the person may have several.
    pub row: Option<usize>,
    /// The secret column, if there are several.
    pub column: Option<usize>,
}

impl People {
    /// What the person of a row is called; rows count from 1.
    pub fn name(&self, person: usize) -> Cow<'_, str> {
        match self {
            People::Rows(_) => Cow::Owned((person + 1).to_string()),
            People::Named { names, .. } => names.get(person).map_or(Cow::Borrowed(""), |name| Cow::Borrowed(name)),
        }
    }

    /// What the names are: a column's name, or `row`.
    pub fn label(&self) -> &str {
        match self {
            People::Rows(_) => "row",
            People::Named { column, .. } => column,
        }
    }
}
