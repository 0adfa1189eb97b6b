//! What the reader of an audit should be careful about.

use super::policy::Verdict;
use super::result::{Audit, FigureStatus};
use crate::analysis::PriorCheck;
use privug_language::words::number;

/// All notes: first what may mislead, then what defences and the script bring along.
pub(super) fn write(
    audit: &Audit,
    prior_check: &PriorCheck,
    of_release: &[String],
    of_defences: &[String],
) -> Vec<String> {
    let mut notes = Vec::new();
    let figures =
        |count: usize| if count == 1 { "1 figure".to_owned() } else { format!("{} figures", number(count as f64)) };
    let published = audit.figures.iter().filter(|figure| figure.is_published());
    let furthest = published.max_by(|one, other| one.z.abs().total_cmp(&other.z.abs()));
    notes.extend(prior_check.note(furthest.map(|figure| (figure.name.as_str(), figure.published, figure.z))));
    let is_known = |entry: &usize| audit.people.prior_variance[*entry] == 0.0;
    let size = |entry: usize| audit.persons.size(audit.persons.of_entry(entry));
    let known: u64 = (0..audit.people.len()).filter(is_known).map(size).sum();
    if known > 0 {
        let people = if known == 1 { "1 person".to_owned() } else { format!("{} people", number(known as f64)) };
        notes.push(format!("{people} cannot be disclosed, because the prior knows them exactly (its variance is 0)"));
    }
    let disclosed = audit.disclosed();
    if audit.explained < disclosed {
        notes.push(format!(
            "which figures disclose whom was looked up for {} of {} disclosed people",
            number(audit.explained as f64),
            number(disclosed as f64)
        ));
    }
    let redundant =
        audit.figures.iter().filter(|figure| matches!(figure.status, FigureStatus::Redundant { .. })).count();
    if redundant > 0 {
        let (is, follows) = if redundant == 1 { ("is", "it follows") } else { ("are", "they follow") };
        notes.push(format!(
            "{} {is} redundant: {follows} from the figures before and tell{} nothing more. To suppress such a figure, \
             something that it follows from must be suppressed as well",
            figures(redundant),
            if redundant == 1 { "s" } else { "" }
        ));
    }
    if audit.verdict == Verdict::Pass && audit.figures.is_empty() {
        notes.push("nothing about the secret is published".to_owned());
    }
    if let Some(groups) = audit.groups.filter(|groups| groups.bounded > 0) {
        notes.push(format!(
            "how near the attacker comes to the truth of {} people was not computed one by one but bounded, and they are \
             counted by the worse end of it: nobody's own value is in the groups",
            number(groups.bounded as f64)
        ));
    }
    notes.extend(of_defences.iter().cloned());
    notes.extend(of_release.iter().cloned());
    notes.push("this report itself tells real values of people, and must not be published".to_owned());
    notes
}
