//! A table with one row for each person, as CSV or Parquet: the same columns in both.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use privug_analysis::audit::{Audit, Certainty, Distributions, PeopleColumns, Policy};
use privug_tables::table::{Cells, ColumnPiece, ParquetWriter};

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

/// The columns that there are where priors are skewed: bounds on what is known after.
const BRACKETS: [&str; 6] = [
    "posterior_mean_lower",
    "posterior_mean_upper",
    "posterior_std_lower",
    "posterior_std_upper",
    "interval_lower",
    "interval_upper",
];

/// The columns that only some audits have; not numbers where something is not known.
fn more(audit: &Audit) -> Vec<(&'static str, Cow<'_, [f64]>)> {
    let mut columns: Vec<(&'static str, Cow<'_, [f64]>)> =
        possible(audit).into_iter().map(|(name, column)| (name, Cow::Borrowed(column))).collect();
    if let Some(brackets) = &audit.people.brackets {
        for (place, name) in BRACKETS.into_iter().enumerate() {
            let number = |entry: usize| {
                let of = brackets.of(entry);
                [of.mean, of.std_dev, of.interval][place / 2].map_or(f64::NAN, |bounds| bounds[place % 2])
            };
            columns.push((name, Cow::Owned((0..audit.people.len()).map(number).collect())));
        }
    }
    columns
}

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

/// Rows of a Parquet file that are written at once.
const BATCH: usize = 1 << 16;

/// People, what they are called, and the secret column of each where there are several.
struct Rows<'a> {
    people: &'a PeopleColumns,
    policy: &'a Policy,
    name: &'a dyn Fn(usize) -> String,
    secret: Option<&'a dyn Fn(usize) -> String>,
    /// The columns that only some audits have.
    more: Vec<(&'static str, Cow<'a, [f64]>)>,
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
        more: more(audit),
    })
}

/// Writes everybody as comma-separated values, in the order of the table.
pub fn write_people_csv(audit: &Audit, out: &mut impl Write) -> io::Result<()> {
    with_rows(audit, |rows| {
        write_head(rows, out)?;
        write_rows(rows, out)
    })
}

fn write_head(rows: &Rows<'_>, out: &mut impl Write) -> io::Result<()> {
    let secret = if rows.secret.is_some() { "secret," } else { "" };
    let of_discrete = if rows.people.discrete.is_some() { format!("{},", DISCRETE.join(",")) } else { String::new() };
    let named = NUMBERS.into_iter().chain(rows.more.iter().map(|(name, _)| *name)).collect::<Vec<_>>().join(",");
    writeln!(out, "person,{secret}verdict,fully_disclosed,{of_discrete}{named},figures,smallest_frequency,rules")
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
        if let Some(known) = &people.discrete {
            for text in discrete(known, person) {
                write!(out, ",")?;
                write_text(out, &text)?;
            }
        }
        for number in numbers(people, person) {
            // What is not known is left empty.
            write!(out, ",")?;
            if !number.is_nan() {
                write!(out, "{number}")?;
            }
        }
        for (_, column) in &rows.more {
            write!(out, ",")?;
            if !column[person].is_nan() {
                write!(out, "{}", column[person])?;
            }
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
        let mut writer = ParquetWriter::new(out, &columns(rows, 0..0))?;
        for start in (0..audit.people.len()).step_by(BATCH) {
            writer.write(&columns(rows, start..(start + BATCH).min(audit.people.len())))?;
        }
        writer.finish()
    })
}

/// Writes people who come some at a time, as the two functions above write those of an audit.
pub struct PeopleWriter<'a, W: Write + Send> {
    audit: &'a Audit,
    sink: Sink<W>,
}

enum Sink<W: Write + Send> {
    Csv(W),
    Parquet(Box<ParquetWriter<W>>),
}

impl<'a, W: Write + Send> PeopleWriter<'a, W> {
    /// Comma-separated values.
    pub fn csv(audit: &'a Audit, mut out: W) -> io::Result<Self> {
        with_nobody(audit, |rows| write_head(rows, &mut out))?;
        Ok(PeopleWriter { audit, sink: Sink::Csv(out) })
    }

    /// A Parquet file.
    pub fn parquet(audit: &'a Audit, out: W) -> io::Result<Self> {
        let writer = with_nobody(audit, |rows| ParquetWriter::new(out, &columns(rows, 0..0)))?;
        Ok(PeopleWriter { audit, sink: Sink::Parquet(Box::new(writer)) })
    }

    /// Writes people of these names.
    pub fn write(&mut self, people: &PeopleColumns, name: &dyn Fn(usize) -> String) -> io::Result<()> {
        let rows = Rows { people, policy: &self.audit.policy, name, secret: None, more: Vec::new() };
        match &mut self.sink {
            Sink::Csv(out) => write_rows(&rows, out),
            Sink::Parquet(writer) => writer.write(&columns(&rows, 0..people.len())),
        }
    }

    /// Writes the end of the file.
    pub fn finish(self) -> io::Result<()> {
        match self.sink {
            Sink::Csv(mut out) => out.flush(),
            Sink::Parquet(writer) => writer.finish(),
        }
    }
}

/// Calls a function with nobody, for the names of the columns.
fn with_nobody<T>(audit: &Audit, work: impl FnOnce(&Rows<'_>) -> T) -> T {
    let people = PeopleColumns::default();
    work(&Rows { people: &people, policy: &audit.policy, name: &|_| String::new(), secret: None, more: Vec::new() })
}

/// The columns of some people, as the file has them.
fn columns<'a>(rows: &'a Rows<'_>, part: Range<usize>) -> Vec<ColumnPiece<'a>> {
    let people = rows.people;
    let texts = |of: &dyn Fn(usize) -> String| Cells::Texts(part.clone().map(|person| Some(of(person))).collect());
    let known = |number: f64| Some(number).filter(|number| !number.is_nan());
    let mut columns = vec![ColumnPiece::required("person", texts(&rows.name))];
    if let Some(secret) = rows.secret {
        columns.push(ColumnPiece::required("secret", texts(&secret)));
    }
    columns.push(ColumnPiece::required("verdict", texts(&|person| people.verdict[person].name().to_owned())));
    let disclosed = people.fully_disclosed[part.clone()].iter().copied().map(Some).collect();
    columns.push(ColumnPiece::required("fully_disclosed", Cells::Booleans(disclosed)));
    if let Some(distributions) = &people.discrete {
        for (index, name) in DISCRETE.into_iter().enumerate() {
            let cells = texts(&|person| discrete(distributions, person)[index].clone());
            columns.push(ColumnPiece::required(name, cells));
        }
    }
    for (index, name) in NUMBERS.into_iter().enumerate() {
        let cells = part.clone().map(|person| known(numbers(people, person)[index])).collect();
        columns.push(ColumnPiece::optional(name, Cells::Numbers(cells)));
    }
    for (name, column) in &rows.more {
        let cells = column[part.clone()].iter().copied().map(known).collect();
        columns.push(ColumnPiece::optional(name, Cells::Numbers(cells)));
    }
    let figures = people.figures[part.clone()].iter().map(|figures| Some(u64::from(*figures))).collect();
    columns.push(ColumnPiece::required("figures", Cells::Counts(figures)));
    let smallest = part.clone().map(|person| smallest_frequency(people, person).map(u64::from)).collect();
    columns.push(ColumnPiece::optional("smallest_frequency", Cells::Counts(smallest)));
    columns.push(ColumnPiece::required("rules", texts(&|person| rules(rows, person))));
    columns
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
