//! A table with one row for each person.

use std::io::{self, Write};

use crate::audit::Audit;

/// The columns after the person's name, in order. Parquet and CSV have the same.
const COLUMNS: [&str; 14] = [
    "verdict",
    "fully_disclosed",
    "truth",
    "prior_mean",
    "prior_std",
    "posterior_mean",
    "posterior_std",
    "mean_shift",
    "relative_std",
    "mutual_information_bits",
    "near_truth_prior",
    "near_truth_posterior",
    "figures",
    "smallest_frequency",
];

/// Writes everybody as comma-separated values, in the order of the table.
pub fn write_people_csv(audit: &Audit, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "person,{},rules", COLUMNS.join(","))?;
    let people = &audit.people;
    for person in 0..people.len() {
        write_text(out, &audit.name(person))?;
        let disclosed = people.fully_disclosed[person];
        write!(out, ",{},{disclosed}", people.verdict[person].name())?;
        for number in [
            people.truth[person],
            people.prior_mean[person],
            people.prior_variance[person].sqrt(),
            people.posterior_mean[person],
            people.posterior_variance[person].sqrt(),
            people.mean_shift[person],
            people.relative_std[person],
            people.mutual_information_bits[person],
            people.near_truth_prior[person],
            people.near_truth_posterior[person],
        ] {
            write!(out, ",{number}")?;
        }
        write!(out, ",{},", people.figures[person])?;
        if people.figures[person] > 0 {
            write!(out, "{}", people.smallest_frequency[person])?;
        }
        let broken = people.broken_rules(person, &audit.policy);
        let broken: Vec<&str> = broken.iter().map(|(rule, _)| rule.name()).collect();
        writeln!(out, ",{}", broken.join(" "))?;
    }
    Ok(())
}

/// A text, in quotes where it could be read as something else.
fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        write!(out, "{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_plain_words_are_quoted() {
        let quoted = |text: &str| {
            let mut out = Vec::new();
            write_text(&mut out, text).expect("memory");
            String::from_utf8(out).expect("UTF-8")
        };
        assert_eq!(quoted("Ann"), "Ann");
        assert_eq!(quoted("Doe, \"J\""), "\"Doe, \"\"J\"\"\"");
        assert_eq!(quoted(" a"), "\" a\"");
    }
}
