//! A table with one row for each group of people, to be joined back to the table that was grouped.

use std::io::{self, Write};

use privug_analysis::audit::{Audit, HAS_SECRET, KEY, RESULTS};
use privug_tables::register::Groups;
use privug_tables::table::{Cells, ColumnPiece, Data, ParquetWriter};

use super::people::write_text;

/// The entry of each group that has a secret.
fn entries(audit: &Audit) -> Vec<Option<usize>> {
    let groups = audit.groups.iter();
    groups.flat_map(|groups| (0..groups.all()).map(|group| groups.entry(group))).collect()
}

/// The numbers of a group, in the order of the results that are numbers.
fn numbers(audit: &Audit, entry: usize) -> [f64; 7] {
    let people = &audit.people;
    [
        people.prior_mean[entry],
        people.prior_variance[entry].sqrt(),
        people.posterior_mean[entry],
        people.posterior_variance[entry].sqrt(),
        people.mean_shift[entry],
        people.relative_std[entry],
        people.mutual_information_bits[entry],
    ]
}

/// What the rules say about the members of a group, at worst.
fn verdict(audit: &Audit, entry: usize) -> &'static str {
    audit.verdicts.verdict(audit.persons.of_entry(entry)).name()
}

/// Writes every group as comma-separated values.
pub fn write_groups_csv(audit: &Audit, groups: &Groups, out: &mut impl Write) -> io::Result<()> {
    for (name, _) in &groups.keys {
        write_text(out, name)?;
        write!(out, ",")?;
    }
    let key = if groups.engine_keys.is_some() { format!("{KEY},") } else { String::new() };
    writeln!(out, "{key}privug_people,{HAS_SECRET},{}", RESULTS.join(","))?;
    for (group, entry) in entries(audit).into_iter().enumerate() {
        for (_, data) in &groups.keys {
            write_text(out, &data.show(group).unwrap_or_default())?;
            write!(out, ",")?;
        }
        if let Some(keys) = &groups.engine_keys {
            write_text(out, &keys.show(group).unwrap_or_default())?;
            write!(out, ",")?;
        }
        write!(out, "{},{}", groups.sizes[group], entry.is_some())?;
        match entry {
            None => write!(out, "{}", ",".repeat(RESULTS.len()))?,
            Some(entry) => {
                write!(out, ",{},{}", verdict(audit, entry), audit.people.fully_disclosed[entry])?;
                for number in numbers(audit, entry) {
                    write!(out, ",{number}")?;
                }
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes every group as a Parquet file.
pub fn write_groups_parquet(audit: &Audit, groups: &Groups, out: &mut (impl Write + Send)) -> io::Result<()> {
    let entries = entries(audit);
    let mut columns = Vec::new();
    for (name, data) in &groups.keys {
        columns.push(ColumnPiece::optional(name, cells(data, groups.len())));
    }
    if let Some(keys) = &groups.engine_keys {
        columns.push(ColumnPiece::optional(KEY, cells(keys, groups.len())));
    }
    let sizes = groups.sizes.iter().copied().map(Some).collect();
    columns.push(ColumnPiece::required("privug_people", Cells::Counts(sizes)));
    let known = entries.iter().map(|entry| Some(entry.is_some())).collect();
    columns.push(ColumnPiece::required(HAS_SECRET, Cells::Booleans(known)));
    let verdicts = entries.iter().map(|entry| entry.map(|entry| verdict(audit, entry).to_owned()));
    columns.push(ColumnPiece::optional(RESULTS[0], Cells::Texts(verdicts.collect())));
    let disclosed = entries.iter().map(|entry| entry.map(|entry| audit.people.fully_disclosed[entry]));
    columns.push(ColumnPiece::optional(RESULTS[1], Cells::Booleans(disclosed.collect())));
    for (place, name) in RESULTS[2..].iter().enumerate() {
        let values = entries.iter().map(|entry| entry.map(|entry| numbers(audit, entry)[place]));
        columns.push(ColumnPiece::optional(name, Cells::Numbers(values.collect())));
    }
    let mut writer = ParquetWriter::new(out, &columns)?;
    writer.write(&columns)?;
    writer.finish()
}

fn cells(data: &Data, count: usize) -> Cells {
    match data {
        Data::Integers(values) => Cells::Integers(values.iter().copied().map(Some).collect()),
        Data::Numbers(_) => Cells::Numbers((0..count).map(|group| data.number(group)).collect()),
        Data::Booleans(values) => Cells::Booleans(values.iter().copied().map(Some).collect()),
        Data::OptionalBooleans(values) => Cells::Booleans(values.to_vec()),
        Data::Texts { .. } => Cells::Texts((0..count).map(|group| data.show(group)).collect()),
    }
}
