//! A table with one row for each group of people, to be joined back to the table that was grouped.

use std::io::{self, Write};

use privug_analysis::audit::{Audit, DISCLOSED_MOST, HAS_SECRET, KEY, RESULTS, WEIGHT_RESULTS};
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

/// The same of what groups with weights of their own have besides: nothing of those with one weight.
fn numbers_of_weights(audit: &Audit, groups: &Groups, group: usize, entry: usize) -> [Option<f64>; 7] {
    let people = &audit.people;
    let middle = audit.groups.as_ref().and_then(|groups| groups.in_the_middle(group));
    let weights = groups.weights.as_ref().and_then(|(_, weights)| weights[group].as_ref());
    let variance = people.posterior_variance[entry];
    match middle.zip(weights) {
        None => [None, None, None, Some(variance), None, None, None],
        Some(([_, of_middle], weights)) => [
            Some(weights.least),
            Some(weights.most),
            Some(people.mean_shift[entry + 1]),
            Some(variance),
            Some(people.posterior_variance[entry + 1]),
            Some(of_middle),
            Some(people.mutual_information_bits[entry + 1]),
        ],
    }
}

/// Whether somebody with the largest weight of a group is disclosed, where there are several.
fn is_most_disclosed(audit: &Audit, group: usize, entry: usize) -> Option<bool> {
    audit.groups.as_ref()?.in_the_middle(group)?;
    Some(audit.people.fully_disclosed[entry + 1])
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
    let mut results = RESULTS.join(",");
    if groups.weights.is_some() {
        results += &format!(",{},{DISCLOSED_MOST}", WEIGHT_RESULTS.join(","));
    }
    writeln!(out, "{key}privug_people,{HAS_SECRET},{results}")?;
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
            None => write!(out, "{}", ",".repeat(results.split(',').count()))?,
            Some(entry) => {
                write!(out, ",{},{}", verdict(audit, entry), audit.people.fully_disclosed[entry])?;
                for number in numbers(audit, entry) {
                    write!(out, ",{number}")?;
                }
                if groups.weights.is_some() {
                    for number in numbers_of_weights(audit, groups, group, entry) {
                        write!(out, ",{}", number.map_or_else(String::new, |number| number.to_string()))?;
                    }
                    let disclosed = is_most_disclosed(audit, group, entry);
                    write!(out, ",{}", disclosed.map_or_else(String::new, |disclosed| disclosed.to_string()))?;
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
    if groups.weights.is_some() {
        let of = |(group, entry): (usize, &Option<usize>)| {
            entry.map_or([None; 7], |entry| numbers_of_weights(audit, groups, group, entry))
        };
        let found: Vec<[Option<f64>; 7]> = entries.iter().enumerate().map(of).collect();
        for (place, name) in WEIGHT_RESULTS.iter().enumerate() {
            let values = found.iter().map(|numbers| numbers[place]).collect();
            columns.push(ColumnPiece::optional(name, Cells::Numbers(values)));
        }
        let disclosed = entries.iter().enumerate();
        let disclosed = disclosed.map(|(group, entry)| entry.and_then(|entry| is_most_disclosed(audit, group, entry)));
        columns.push(ColumnPiece::optional(DISCLOSED_MOST, Cells::Booleans(disclosed.collect())));
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
