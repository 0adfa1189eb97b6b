//! What the reader of an audit should know, as data.

use super::in_effect::{Because, InEffect};
use super::policy::{Rule, Verdict};
use super::result::{Audit, FigureStatus};
use crate::analysis::{Furthest, Note, PriorCheck};

/// All notes: first what may mislead, then what defences and the script bring along.
pub(super) fn write(
    audit: &Audit,
    prior_check: Option<&PriorCheck>,
    of_release: &[String],
    of_defences: &[String],
) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(prior_check) = prior_check.filter(|check| check.surprise.is_refuted()) {
        let published = audit.figures.iter().filter(|figure| figure.is_published());
        let furthest =
            published.map(|figure| Furthest { name: figure.name.clone(), value: figure.published, z: figure.z });
        notes.push(Note::PriorRefuted { check: *prior_check, furthest: Furthest::of(furthest) });
    }
    let is_known = |entry: &usize| audit.people.prior_variance[*entry] == 0.0;
    let size = |entry: usize| audit.persons.size(audit.persons.of_entry(entry));
    let known = (0..audit.people.len()).filter(is_known).map(size).sum::<u64>() as usize;
    if known > 0 {
        notes.push(Note::PriorKnowsPeople(known));
    }
    let (explained, disclosed) = (audit.explained, audit.disclosed());
    if explained < disclosed {
        notes.push(Note::ExplainedSome { explained, disclosed });
    }
    for figure in audit.figures.iter().filter(|figure| figure.is_published()) {
        let is_meant = |(rule, _): &(Rule, Verdict)| matches!(rule, Rule::MinimumFrequency | Rule::Unexamined);
        if figure.broken.iter().any(is_meant) {
            let few = figure.contributions.in_effect.iter();
            notes.extend(few.map(|few| Note::from(in_words(&figure.name, few, figure.contributions.contributors))));
        }
    }
    let is_redundant = |status: &FigureStatus| matches!(status, FigureStatus::Redundant { .. });
    let redundant = audit.figures.iter().filter(|figure| is_redundant(&figure.status)).count();
    if redundant > 0 {
        notes.push(Note::RedundantFigures(redundant));
    }
    if audit.verdict == Verdict::Pass && audit.figures.is_empty() {
        notes.push(Note::NothingAboutSecret);
    }
    if let Some(groups) = audit.groups.as_ref().filter(|groups| groups.bounded > 0) {
        notes.push(Note::from(format!(
            "how close the attacker comes to the true values of {} people was bounded, not computed individually, and the worse end is used: groups do not contain individual values",
            privug_language::words::number(groups.bounded as f64)
        )));
    }
    notes.extend(of_defences.iter().chain(of_release).cloned().map(Note::from));
    notes.push(Note::Confidential);
    notes
}

fn in_words(name: &str, few: &InEffect, contributors: usize) -> String {
    let number = |count: usize| privug_language::words::number(count as f64);
    let people = if few.people == 1 { "1 person".to_owned() } else { format!("{} people", number(few.people)) };
    match few.because {
        Because::Outweighed => format!(
            "`{name}` is in effect about {people}: the other {} have next to no weight in it",
            number(contributors - few.people)
        ),
        Because::Digits => format!(
            "`{name}` shows several sums in one number, since the secrets are written with few decimals: its digits reveal one about {people}"
        ),
    }
}
