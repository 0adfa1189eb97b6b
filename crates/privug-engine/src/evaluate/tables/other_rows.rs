//! Whether what is published beside figures shows how many rows there are: labels such as `north (n=3)`, names of files, texts.
//!
//! A count that stands in a text is no count any more, and no rule would see it. So the function is run on other rows. The
//! labels of groups are the same there, or their groups are gone; a text that shows a number of rows is another one.

use std::collections::BTreeSet;

use privug_tables::table::Table;

/// How often the function is run on half of the rows.
const RUNS: u64 = 6;

/// How often every row is repeated at most, and up to how many rows: what shows 1 or 2 rows may be among the others on fewer.
const MOST_REPEATED: usize = 8;
const ROWS_REPEATED: usize = 20_000;

/// Something that is said otherwise on other rows of a table; `None` if nothing is. `said_on` tells what is said with other
/// tables, and `None` where the function fails: then nothing is known, which is said as well.
pub(super) fn depending_on_rows(
    tables: &[(String, Table)],
    people: usize,
    said: &BTreeSet<String>,
    said_on: impl Fn(&[(String, Table)]) -> Option<BTreeSet<String>>,
) -> Option<String> {
    let count = tables[people].1.row_count();
    let example = |other: &BTreeSet<String>| said.difference(other).next().or_else(|| said.first()).cloned();
    for run in 0..RUNS {
        let rows: Vec<u32> = (0..count as u32).filter(|row| is_in_half(run, *row)).collect();
        let Some(other) = said_on(&with_rows(tables, people, &rows)) else {
            return said.first().cloned();
        };
        if !other.is_subset(said) {
            return example(&other);
        }
    }
    let times = times_of(count);
    if times < 2 {
        return None;
    }
    let rows: Vec<u32> = (0..times).flat_map(|_| 0..count as u32).collect();
    // People who are there more than once may be too much for it. Groups that were left out because they are small may be
    // there now.
    let other = said_on(&with_rows(tables, people, &rows))?;
    if said.is_subset(&other) { None } else { example(&other) }
}

/// Something that is said and shows one of these counts, as a number among other letters.
pub(super) fn showing(said: &BTreeSet<String>, counts: &BTreeSet<String>) -> Option<String> {
    let shows = |text: &&String| text.split(|letter: char| !letter.is_ascii_digit()).any(|part| counts.contains(part));
    said.iter().find(shows).cloned()
}

/// How often every row of so many is repeated.
pub(super) fn times_of(count: usize) -> usize {
    MOST_REPEATED.min(ROWS_REPEATED / count.max(1))
}

/// Whether a row is in the half of a run.
pub(super) fn is_in_half(run: u64, row: u32) -> bool {
    mixed(run, row) & 1 == 1
}

/// A well-mixed number (the finaliser of SplitMix64).
pub(super) fn mixed(run: u64, row: u32) -> u64 {
    let mut mixed = (run << 32 | u64::from(row)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The tables with other rows of one of them.
pub(super) fn with_rows(tables: &[(String, Table)], people: usize, rows: &[u32]) -> Vec<(String, Table)> {
    let mut made = tables.to_vec();
    made[people].1 = tables[people].1.picked(rows);
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_tables::table::Data;
    use std::sync::Arc;

    /// What is said by a function of the groups of 30, 20, 8 and 1 people and their sizes.
    fn found(says: impl Fn(i64, usize) -> Option<String>) -> Option<String> {
        let groups: Vec<i64> =
            [(1, 30), (2, 20), (3, 8), (4, 1)].iter().flat_map(|(name, size)| vec![*name; *size]).collect();
        let table = |groups: Vec<i64>| {
            let count = groups.len();
            Table::from_columns(vec![("group".to_owned(), Data::Integers(Arc::new(groups)))], count).unwrap()
        };
        let said_on = |tables: &[(String, Table)]| {
            let Data::Integers(groups) = tables[0].1.columns()[0].data() else { return None };
            let size = |name: i64| groups.iter().filter(|group| **group == name).count();
            Some((1..5).filter(|name| size(*name) > 0).filter_map(|name| says(name, size(name))).collect())
        };
        let tables = [("people".to_owned(), table(groups))];
        let said: BTreeSet<String> = said_on(&tables).unwrap();
        depending_on_rows(&tables, 0, &said, said_on)
    }

    #[test]
    fn labels_of_groups_are_the_same_on_other_rows() {
        assert_eq!(found(|name, _| Some(name.to_string())), None);
        // Small groups are left out.
        assert_eq!(found(|name, size| (size >= 10).then(|| name.to_string())), None);
    }

    #[test]
    fn counts_are_found_as_whole_numbers() {
        let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<String>>();
        assert_eq!(showing(&set(&["all", "north (n=3)"]), &set(&["3"])).as_deref(), Some("north (n=3)"));
        assert_eq!(showing(&set(&["2013", "age 30-39"]), &set(&["3"])), None);
    }

    #[test]
    fn what_shows_a_number_of_rows_is_found() {
        assert_eq!(found(|name, size| Some(format!("{name} (n={size})"))).as_deref(), Some("1 (n=30)"));
        assert!(found(|_, size| Some(size.to_string())).is_some());
        // One person is one person on fewer rows too, or gone.
        assert_eq!(found(|name, size| (name == 4).then(|| size.to_string())).as_deref(), Some("1"));
        assert_eq!(
            found(|name, size| (name == 3).then(|| if size < 9 { "few" } else { "many" }.to_owned())).as_deref(),
            Some("few")
        );
    }
}
