//! A table with one row for each group of people, to be joined back to the table that was grouped.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use parquet::arrow::ArrowWriter;

use privug_analysis::audit::{Audit, HAS_SECRET, KEY, RESULTS};
use privug_tables::register::Groups;
use privug_tables::table::Data;

use super::people::{properties, write_text};

/// The entry of each group that has a secret.
fn entries(audit: &Audit) -> Vec<Option<usize>> {
    let mut entry_of = vec![None; audit.persons.count()];
    for entry in 0..audit.people.len() {
        entry_of[audit.persons.row(entry)] = Some(entry);
    }
    entry_of
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
    let mut columns: Vec<(&str, ArrayRef, bool)> = Vec::new();
    for (name, data) in &groups.keys {
        columns.push((name, cells(data, groups.len()), true));
    }
    if let Some(keys) = &groups.engine_keys {
        columns.push((KEY, cells(keys, groups.len()), true));
    }
    columns.push(("privug_people", Arc::new(UInt64Array::from(groups.sizes.clone())), false));
    let known: Vec<bool> = entries.iter().map(Option::is_some).collect();
    columns.push((HAS_SECRET, Arc::new(BooleanArray::from(known)), false));
    let verdicts = entries.iter().map(|entry| entry.map(|entry| verdict(audit, entry)));
    columns.push((RESULTS[0], Arc::new(StringArray::from_iter(verdicts)), true));
    let disclosed = entries.iter().map(|entry| entry.map(|entry| audit.people.fully_disclosed[entry]));
    columns.push((RESULTS[1], Arc::new(BooleanArray::from_iter(disclosed)), true));
    for (place, name) in RESULTS[2..].iter().enumerate() {
        let values = entries.iter().map(|entry| entry.map(|entry| numbers(audit, entry)[place]));
        columns.push((name, Arc::new(Float64Array::from_iter(values)), true));
    }
    let batch = RecordBatch::try_from_iter_with_nullable(columns).map_err(io::Error::other)?;
    let mut writer = ArrowWriter::try_new(out, batch.schema(), Some(properties())).map_err(io::Error::other)?;
    writer.write(&batch).map_err(io::Error::other)?;
    writer.close().map(|_| ()).map_err(io::Error::other)
}

fn cells(data: &Data, count: usize) -> ArrayRef {
    match data {
        Data::Integers(values) => Arc::new(Int64Array::from(values.to_vec())),
        Data::Numbers(_) => Arc::new(Float64Array::from_iter((0..count).map(|group| data.number(group)))),
        Data::Booleans(values) => Arc::new(BooleanArray::from(values.to_vec())),
        Data::OptionalBooleans(values) => Arc::new(BooleanArray::from(values.to_vec())),
        Data::Texts { .. } => Arc::new(StringArray::from_iter((0..count).map(|group| data.show(group)))),
    }
}
