//! A table with one row for each person, as CSV or Parquet: the same columns in both.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use privug_analysis::audit::{Audit, PeopleColumns, Policy};

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

/// People, what they are called, and the secret column of each where there are several.
struct Rows<'a> {
    people: &'a PeopleColumns,
    policy: &'a Policy,
    name: &'a dyn Fn(usize) -> String,
    secret: Option<&'a dyn Fn(usize) -> String>,
    /// What is known of what is possible at all.
    possible: Vec<(&'static str, &'a [f64])>,
}

/// The numbers of a person, in the order of [`NUMBERS`].
fn numbers(people: &PeopleColumns, person: usize) -> [f64; NUMBERS.len()] {
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
fn smallest_frequency(people: &PeopleColumns, person: usize) -> Option<u32> {
    Some(people.smallest_frequency[person]).filter(|_| people.figures[person] > 0)
}

/// The rules that a person breaks.
fn rules(rows: &Rows<'_>, person: usize) -> String {
    let broken = rows.people.broken_rules(person, rows.policy);
    broken.iter().map(|(rule, _)| rule.name()).collect::<Vec<_>>().join(" ")
}

/// Calls a function with the people of an audit.
fn with_rows<T>(audit: &Audit, work: impl FnOnce(&Rows<'_>) -> T) -> T {
    let name = |person: usize| audit.name(person).into_owned();
    let secret = |person: usize| audit.column_of(person).unwrap_or_default().to_owned();
    let several = audit.persons.columns() > 1;
    work(&Rows {
        people: &audit.people,
        policy: &audit.policy,
        name: &name,
        secret: several.then_some(&secret as &dyn Fn(usize) -> String),
        possible: possible(audit),
    })
}

/// Writes everybody as comma-separated values, in the order of the table.
pub fn write_people_csv(audit: &Audit, out: &mut impl Write) -> io::Result<()> {
    with_rows(audit, |rows| {
        write_head(rows.secret.is_some(), &rows.possible, out)?;
        write_rows(rows, out)
    })
}

fn write_head(several: bool, possible: &[(&str, &[f64])], out: &mut impl Write) -> io::Result<()> {
    let secret = if several { "secret," } else { "" };
    let named = NUMBERS.into_iter().chain(possible.iter().map(|(name, _)| *name)).collect::<Vec<_>>().join(",");
    writeln!(out, "person,{secret}verdict,fully_disclosed,{named},figures,smallest_frequency,rules")
}

fn write_rows(rows: &Rows<'_>, out: &mut impl Write) -> io::Result<()> {
    let people = rows.people;
    for person in 0..people.len() {
        write_text(out, &(rows.name)(person))?;
        if let Some(secret) = rows.secret {
            write!(out, ",")?;
            write_text(out, &secret(person))?;
        }
        write!(out, ",{},{}", people.verdict[person].name(), people.fully_disclosed[person])?;
        for number in numbers(people, person) {
            write!(out, ",{number}")?;
        }
        for (_, column) in &rows.possible {
            write!(out, ",{}", column[person])?;
        }
        write!(out, ",{},", people.figures[person])?;
        if let Some(smallest) = smallest_frequency(people, person) {
            write!(out, "{smallest}")?;
        }
        writeln!(out, ",{}", rules(rows, person))?;
    }
    Ok(())
}

/// Writes everybody as a Parquet file, in the order of the table.
pub fn write_people_parquet(audit: &Audit, out: &mut (impl Write + Send)) -> io::Result<()> {
    with_rows(audit, |rows| {
        let first = batch(rows, 0..audit.people.len().min(BATCH))?;
        let mut writer = ArrowWriter::try_new(out, first.schema(), Some(properties())).map_err(io::Error::other)?;
        writer.write(&first).map_err(io::Error::other)?;
        for start in (BATCH..audit.people.len()).step_by(BATCH) {
            let part = start..(start + BATCH).min(audit.people.len());
            writer.write(&batch(rows, part)?).map_err(io::Error::other)?;
        }
        writer.close().map(|_| ()).map_err(io::Error::other)
    })
}

pub(super) fn properties() -> WriterProperties {
    WriterProperties::builder().set_compression(Compression::SNAPPY).build()
}

/// Writes people who come some at a time, as the two functions above write those of an audit.
pub struct PeopleWriter<'a, W: Write + Send> {
    audit: &'a Audit,
    sink: Sink<W>,
}

enum Sink<W: Write + Send> {
    Csv(W),
    Parquet(Box<ArrowWriter<W>>),
}

impl<'a, W: Write + Send> PeopleWriter<'a, W> {
    /// Comma-separated values.
    pub fn csv(audit: &'a Audit, mut out: W) -> io::Result<Self> {
        write_head(false, &[], &mut out)?;
        Ok(PeopleWriter { audit, sink: Sink::Csv(out) })
    }

    /// A Parquet file.
    pub fn parquet(audit: &'a Audit, out: W) -> io::Result<Self> {
        let none = PeopleColumns::default();
        let rows =
            Rows { people: &none, policy: &audit.policy, name: &|_| String::new(), secret: None, possible: Vec::new() };
        let schema = batch(&rows, 0..0)?.schema();
        let writer = ArrowWriter::try_new(out, schema, Some(properties())).map_err(io::Error::other)?;
        Ok(PeopleWriter { audit, sink: Sink::Parquet(Box::new(writer)) })
    }

    /// Writes people of these names.
    pub fn write(&mut self, people: &PeopleColumns, name: &dyn Fn(usize) -> String) -> io::Result<()> {
        let rows = Rows { people, policy: &self.audit.policy, name, secret: None, possible: Vec::new() };
        match &mut self.sink {
            Sink::Csv(out) => write_rows(&rows, out),
            Sink::Parquet(writer) => writer.write(&batch(&rows, 0..people.len())?).map_err(io::Error::other),
        }
    }

    /// Writes the end of the file.
    pub fn finish(self) -> io::Result<()> {
        match self.sink {
            Sink::Csv(mut out) => out.flush(),
            Sink::Parquet(writer) => writer.into_inner().map_err(io::Error::other)?.flush(),
        }
    }
}

fn batch(rows: &Rows<'_>, part: Range<usize>) -> io::Result<RecordBatch> {
    let people = rows.people;
    let names = StringArray::from_iter_values(part.clone().map(|person| (rows.name)(person)));
    let verdicts = StringArray::from_iter_values(people.verdict[part.clone()].iter().map(|verdict| verdict.name()));
    let disclosed = BooleanArray::from(people.fully_disclosed[part.clone()].to_vec());
    let mut columns: Vec<(&str, ArrayRef, bool)> = vec![("person", Arc::new(names), false)];
    if let Some(secret) = rows.secret {
        let secrets = StringArray::from_iter_values(part.clone().map(secret));
        columns.push(("secret", Arc::new(secrets), false));
    }
    columns.extend([
        ("verdict", Arc::new(verdicts) as ArrayRef, false),
        ("fully_disclosed", Arc::new(disclosed) as ArrayRef, false),
    ]);
    for (index, name) in NUMBERS.into_iter().enumerate() {
        let column = Float64Array::from_iter_values(part.clone().map(|person| numbers(people, person)[index]));
        columns.push((name, Arc::new(column), false));
    }
    for (name, column) in &rows.possible {
        columns.push((name, Arc::new(Float64Array::from(column[part.clone()].to_vec())), false));
    }
    let figures = UInt32Array::from(people.figures[part.clone()].to_vec());
    let smallest = UInt32Array::from_iter(part.clone().map(|person| smallest_frequency(people, person)));
    let broken = StringArray::from_iter_values(part.map(|person| rules(rows, person)));
    columns.push(("figures", Arc::new(figures), false));
    columns.push(("smallest_frequency", Arc::new(smallest), true));
    columns.push(("rules", Arc::new(broken), false));
    RecordBatch::try_from_iter_with_nullable(columns).map_err(io::Error::other)
}

/// A text, in quotes where it could be read as something else.
pub(super) fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
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
