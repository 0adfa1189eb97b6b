//! A table with one row for each person, as CSV or Parquet: the same columns in both.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use privug_analysis::audit::{Audit, Certainty, Distributions};

/// The names of the columns with numbers.
const NUMBERS: [&str; 10] = [
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
];

/// The columns that there are where something is known of what is possible at all.
const POSSIBLE: [&str; 4] = ["possible_lower", "possible_upper", "interval_percent", "interval_percent_contributor"];

/// These columns.
fn possible(audit: &Audit) -> Vec<(&'static str, &[f64])> {
    let columns = audit.possible.iter().flat_map(|possible| {
        POSSIBLE.into_iter().zip([
            &possible.lower[..],
            &possible.upper[..],
            &possible.outsider_percent[..],
            &possible.contributor_percent[..],
        ])
    });
    columns.collect()
}

/// Rows of a batch in a Parquet file: it is made piece by piece.
const BATCH: usize = 1 << 16;

/// The numbers of a person, in the order of [`NUMBERS`].
fn numbers(audit: &Audit, person: usize) -> [f64; NUMBERS.len()] {
    let people = &audit.people;
    [
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
    ]
}

/// The fewest contributors of a figure that the person is in, if there is one.
fn smallest_frequency(audit: &Audit, person: usize) -> Option<u32> {
    Some(audit.people.smallest_frequency[person]).filter(|_| audit.people.figures[person] > 0)
}

/// The columns of a discrete secret: the real value, the likeliest one and its probability, and how that is known.
const DISCRETE: [&str; 4] = ["value", "likeliest_value", "likeliest_probability", "method"];

/// What these hold for a person; the probability is empty where it is not known.
fn discrete(known: &Distributions, person: usize) -> [String; DISCRETE.len()] {
    let of = known.of(person);
    let values = &known.values[of.column];
    let most = (0..values.len()).max_by(|a, b| of.posterior[*a].total_cmp(&of.posterior[*b]));
    let likeliest = most.filter(|_| of.certainty != Certainty::Unknown);
    [
        values[known.truths[person] as usize].show(),
        likeliest.map_or_else(String::new, |code| values[code].show()),
        likeliest.map_or_else(String::new, |code| of.posterior[code].to_string()),
        of.certainty.name().to_owned(),
    ]
}

/// The rules that a person breaks.
fn rules(audit: &Audit, person: usize) -> String {
    let broken = audit.people.broken_rules(person, &audit.policy);
    broken.iter().map(|(rule, _)| rule.name()).collect::<Vec<_>>().join(" ")
}

/// Writes everybody as comma-separated values, in the order of the table.
pub fn write_people_csv(audit: &Audit, out: &mut impl Write) -> io::Result<()> {
    let secret = if audit.persons.columns() > 1 { "secret," } else { "" };
    let of_discrete = if audit.people.discrete.is_some() { format!("{},", DISCRETE.join(",")) } else { String::new() };
    let possible = possible(audit);
    let numbers_named = NUMBERS.into_iter().chain(possible.iter().map(|(name, _)| *name)).collect::<Vec<_>>().join(",");
    writeln!(
        out,
        "person,{secret}verdict,fully_disclosed,{of_discrete}{numbers_named},figures,smallest_frequency,rules"
    )?;
    let people = &audit.people;
    for person in 0..people.len() {
        write_text(out, &audit.name(person))?;
        if let Some(column) = audit.column_of(person) {
            write!(out, ",")?;
            write_text(out, column)?;
        }
        write!(out, ",{},{}", people.verdict[person].name(), people.fully_disclosed[person])?;
        if let Some(known) = &people.discrete {
            for text in discrete(known, person) {
                write!(out, ",")?;
                write_text(out, &text)?;
            }
        }
        for number in numbers(audit, person) {
            // What is not known is left empty.
            write!(out, ",")?;
            if !number.is_nan() {
                write!(out, "{number}")?;
            }
        }
        for (_, column) in &possible {
            write!(out, ",{}", column[person])?;
        }
        write!(out, ",{},", people.figures[person])?;
        if let Some(smallest) = smallest_frequency(audit, person) {
            write!(out, "{smallest}")?;
        }
        writeln!(out, ",{}", rules(audit, person))?;
    }
    Ok(())
}

/// Writes everybody as a Parquet file, in the order of the table.
pub fn write_people_parquet(audit: &Audit, out: &mut (impl Write + Send)) -> io::Result<()> {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let first = batch(audit, 0..audit.people.len().min(BATCH))?;
    let mut writer = ArrowWriter::try_new(out, first.schema(), Some(properties)).map_err(io::Error::other)?;
    writer.write(&first).map_err(io::Error::other)?;
    for start in (BATCH..audit.people.len()).step_by(BATCH) {
        let rows = start..(start + BATCH).min(audit.people.len());
        writer.write(&batch(audit, rows)?).map_err(io::Error::other)?;
    }
    writer.close().map(|_| ()).map_err(io::Error::other)
}

fn batch(audit: &Audit, rows: Range<usize>) -> io::Result<RecordBatch> {
    let people = &audit.people;
    let names = StringArray::from_iter_values(rows.clone().map(|person| audit.name(person)));
    let verdicts = StringArray::from_iter_values(people.verdict[rows.clone()].iter().map(|verdict| verdict.name()));
    let disclosed = BooleanArray::from(people.fully_disclosed[rows.clone()].to_vec());
    let secrets = rows.clone().filter_map(|entry| audit.column_of(entry));
    let secrets = StringArray::from_iter_values(secrets);
    let mut columns: Vec<(&str, ArrayRef, bool)> = vec![("person", Arc::new(names), false)];
    if audit.persons.columns() > 1 {
        columns.push(("secret", Arc::new(secrets), false));
    }
    columns.extend([
        ("verdict", Arc::new(verdicts) as ArrayRef, false),
        ("fully_disclosed", Arc::new(disclosed) as ArrayRef, false),
    ]);
    if let Some(known) = &people.discrete {
        for (index, name) in DISCRETE.into_iter().enumerate() {
            let texts =
                StringArray::from_iter_values(rows.clone().map(|person| discrete(known, person)[index].clone()));
            columns.push((name, Arc::new(texts), false));
        }
    }
    for (index, name) in NUMBERS.into_iter().enumerate() {
        let number = |person: usize| Some(numbers(audit, person)[index]).filter(|number| !number.is_nan());
        let column = Float64Array::from_iter(rows.clone().map(number));
        columns.push((name, Arc::new(column), true));
    }
    for (name, column) in possible(audit) {
        columns.push((name, Arc::new(Float64Array::from(column[rows.clone()].to_vec())), false));
    }
    let figures = UInt32Array::from(people.figures[rows.clone()].to_vec());
    let smallest = UInt32Array::from_iter(rows.clone().map(|person| smallest_frequency(audit, person)));
    let broken = StringArray::from_iter_values(rows.map(|person| rules(audit, person)));
    columns.push(("figures", Arc::new(figures), false));
    columns.push(("smallest_frequency", Arc::new(smallest), true));
    columns.push(("rules", Arc::new(broken), false));
    RecordBatch::try_from_iter_with_nullable(columns).map_err(io::Error::other)
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
