//! Which rows are about the same person.
//!
//! A table may have several rows for a person (years, jobs, children). The rules protect people, so whatever they count
//! and compare is put together by person first; posteriors stay one for each row and secret column, the *entries*.

use std::collections::HashMap;

use super::release::People;
use super::result::PersonName;

/// The persons behind the entries of a release: those of the first secret column first, row by row. A row whose secret is
/// missing has no entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Persons {
    rows: usize,
    columns: usize,
    /// Where the entries of each column begin, and the row of each entry; `None` if every row has all secrets.
    gaps: Option<(Vec<usize>, Vec<u32>)>,
    /// The person of each row; `None` if every row is a person of its own.
    of_row: Option<Vec<u32>>,
    /// The first row of each person; empty if every row is a person of its own.
    first_row: Vec<u32>,
    /// How many people each row stands for, where rows are groups; each is *a* person of it.
    sizes: Option<Vec<u64>>,
}

impl Persons {
    /// Rows with the same name are one person; without names, every row is one. `entry_rows` are the rows that have a
    /// secret, for each secret column.
    pub(super) fn new(people: &People, entry_rows: &[Vec<u32>]) -> Self {
        let mut persons = Self::of_rows(people, entry_rows.len());
        if entry_rows.iter().any(|rows| rows.len() != persons.rows) {
            let starts = entry_rows.iter().scan(0, |start, rows| Some(std::mem::replace(start, *start + rows.len())));
            persons.gaps = Some((starts.collect(), entry_rows.concat()));
        }
        persons
    }

    /// Rows that stand for many people each.
    pub(super) fn of_groups(sizes: &[u64], entry_rows: &[Vec<u32>]) -> Self {
        let persons = Persons::new(&People::Rows(sizes.len()), entry_rows);
        Persons { sizes: Some(sizes.to_vec()), ..persons }
    }

    pub(super) fn of_rows(people: &People, columns: usize) -> Self {
        let People::Named { names, .. } = people else {
            let People::Rows(rows) = people else { return Persons::default() };
            return Persons { rows: *rows, columns, ..Persons::default() };
        };
        let mut persons: HashMap<&str, u32> = HashMap::with_capacity(names.len());
        let mut first_row = Vec::new();
        let mut of_row = Vec::with_capacity(names.len());
        for (row, name) in names.iter().enumerate() {
            of_row.push(*persons.entry(name).or_insert_with(|| {
                first_row.push(row as u32);
                first_row.len() as u32 - 1
            }));
        }
        if first_row.len() == names.len() {
            return Persons { rows: names.len(), columns, ..Persons::default() };
        }
        Persons { rows: names.len(), columns, gaps: None, of_row: Some(of_row), first_row, sizes: None }
    }

    /// How many people somebody stands for.
    pub fn size(&self, person: usize) -> u64 {
        self.sizes.as_ref().map_or(1, |sizes| sizes[person])
    }

    /// Whether rows stand for many people each.
    pub fn is_grouped(&self) -> bool {
        self.sizes.is_some()
    }

    /// How many rows the table has, which rows of groups stand for.
    pub fn table_rows(&self) -> u64 {
        self.sizes.as_ref().map_or(self.rows as u64, |sizes| sizes.iter().sum())
    }

    /// How many persons, or groups of them, there are in the table, also those without any secret.
    pub fn count(&self) -> usize {
        if self.of_row.is_some() { self.first_row.len() } else { self.rows }
    }

    /// How many persons have a secret.
    pub fn with_secret(&self) -> usize {
        let Some((_, rows)) = &self.gaps else { return self.behind(None) };
        let mut rows = rows.clone();
        rows.sort_unstable();
        rows.dedup();
        self.behind(Some(&rows))
    }

    /// How many secrets people have, all rows of a person in one column being one.
    pub fn secrets(&self) -> usize {
        let Some((_, rows)) = &self.gaps else { return self.behind(None) * self.columns.max(1) };
        (0..self.columns).map(|column| self.behind(Some(&rows[self.entries(column)]))).sum()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many secret columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Whether somebody has several rows.
    pub fn is_repeated(&self) -> bool {
        self.of_row.is_some()
    }

    /// Whether every entry is a person of its own.
    pub(super) fn is_plain(&self) -> bool {
        self.of_row.is_none() && self.columns <= 1 && self.gaps.is_none() && self.sizes.is_none()
    }

    /// Whether nobody has more than one entry: rows are people, or groups of them, with one secret column.
    pub(super) fn have_one_entry(&self) -> bool {
        self.of_row.is_none() && self.columns <= 1
    }

    /// The row of an entry.
    pub fn row(&self, entry: usize) -> usize {
        match &self.gaps {
            Some((_, rows)) => rows[entry] as usize,
            None if self.rows == 0 => 0,
            None => entry % self.rows,
        }
    }

    /// The secret column of an entry.
    pub fn column(&self, entry: usize) -> usize {
        match &self.gaps {
            Some((starts, _)) => starts.partition_point(|start| *start <= entry) - 1,
            None if self.rows == 0 => 0,
            None => entry / self.rows,
        }
    }

    /// The entries of a secret column.
    pub(super) fn entries(&self, column: usize) -> std::ops::Range<usize> {
        match &self.gaps {
            Some((starts, rows)) => starts[column]..starts.get(column + 1).copied().unwrap_or(rows.len()),
            None => column * self.rows..(column + 1) * self.rows,
        }
    }

    /// The entry of a row's secret, if it has one.
    pub(super) fn entry(&self, column: usize, row: usize) -> Option<usize> {
        match &self.gaps {
            Some((_, rows)) => {
                let entries = self.entries(column);
                let place = rows[entries.clone()].binary_search(&(row as u32)).ok()?;
                Some(entries.start + place)
            }
            None => Some(column * self.rows + row),
        }
    }

    /// The person of a row.
    pub fn of_row(&self, row: usize) -> usize {
        self.of_row.as_ref().map_or(row, |of_row| of_row[row] as usize)
    }

    /// The person of an entry.
    pub fn of_entry(&self, entry: usize) -> usize {
        self.of_row(self.row(entry))
    }

    /// The first row of a person.
    pub fn first_row(&self, person: usize) -> usize {
        self.first_row.get(person).map_or(person, |row| *row as usize)
    }

    /// The rows of everybody who has several, person by person.
    pub(super) fn repeated(&self) -> Vec<(usize, Vec<usize>)> {
        let Some(of_row) = &self.of_row else { return Vec::new() };
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); self.count()];
        of_row.iter().enumerate().for_each(|(row, person)| rows[*person as usize].push(row));
        rows.into_iter().enumerate().filter(|(_, rows)| rows.len() > 1).collect()
    }

    /// How many persons are behind some rows; `None` are all rows.
    pub(super) fn behind(&self, rows: Option<&[u32]>) -> usize {
        if let Some(sizes) = &self.sizes {
            let people: u64 = match rows {
                None => sizes.iter().sum(),
                Some(rows) => rows.iter().map(|row| sizes[*row as usize]).sum(),
            };
            return people as usize;
        }
        match (rows, &self.of_row) {
            (None, _) => self.count(),
            (Some(rows), None) => rows.len(),
            (Some(rows), Some(of_row)) => {
                let mut found: Vec<u32> = rows.iter().map(|row| of_row[*row as usize]).collect();
                found.sort_unstable();
                found.dedup();
                found.len()
            }
        }
    }

    /// How an entry is told from the others of the same person.
    pub(super) fn name(&self, entry: usize) -> PersonName {
        PersonName {
            row: (self.is_repeated()).then(|| self.row(entry) + 1),
            column: (self.columns > 1).then(|| self.column(entry)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str], columns: usize) -> Persons {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Persons::of_rows(&People::Named { column: "nr".to_owned(), names }, columns)
    }

    #[test]
    fn rows_of_one_name_are_one_person_in_every_secret_column() {
        let persons = named(&["b", "a", "b", "c", "a"], 2);
        assert_eq!((persons.count(), persons.rows(), persons.is_repeated()), (3, 5, true));
        let of: Vec<usize> = (0..10).map(|entry| persons.of_entry(entry)).collect();
        assert_eq!(of, [0, 1, 0, 2, 1, 0, 1, 0, 2, 1]);
        assert_eq!((persons.column(4), persons.column(5), persons.row(7)), (0, 1, 2));
        assert_eq!((persons.behind(None), persons.behind(Some(&[0, 2])), persons.behind(Some(&[2, 3, 4]))), (3, 1, 3));
        assert_eq!(persons.repeated(), [(0, vec![0, 2]), (1, vec![1, 4])]);
        assert_eq!([0, 1, 2].map(|person| persons.first_row(person)), [0, 1, 3]);
    }

    #[test]
    fn without_repetition_every_row_is_a_person() {
        for persons in [named(&["b", "a"], 1), Persons::of_rows(&People::Rows(2), 1)] {
            assert!(persons.is_plain() && !persons.is_repeated() && persons.repeated().is_empty());
            assert_eq!((persons.count(), persons.of_entry(1), persons.first_row(1)), (2, 1, 1));
            assert_eq!(persons.behind(Some(&[1])), 1);
        }
        assert!(!named(&["b", "a"], 2).is_plain());
    }

    #[test]
    fn a_row_without_a_secret_has_no_entry() {
        let people = People::Named { column: "nr".to_owned(), names: ["b", "a", "b"].map(str::to_owned).to_vec() };
        let persons = Persons::new(&people, &[vec![0, 2], vec![0, 1, 2]]);
        assert_eq!((persons.rows(), persons.count(), persons.is_plain()), (3, 2, false));
        let all: Vec<(usize, usize)> = (0..5).map(|entry| (persons.column(entry), persons.row(entry))).collect();
        assert_eq!(all, [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]);
        assert_eq!([persons.entries(0), persons.entries(1)], [0..2, 2..5]);
        assert_eq!([persons.entry(0, 1), persons.entry(0, 2), persons.entry(1, 1)], [None, Some(1), Some(3)]);
        assert_eq!([0, 1, 3].map(|entry| persons.of_entry(entry)), [0, 0, 1]);
        assert_eq!((persons.with_secret(), persons.secrets()), (2, 3));
        let one = Persons::new(&people, &[vec![2], vec![0, 2]]);
        assert_eq!((one.count(), one.with_secret(), one.secrets()), (2, 1, 2));
        let rows = Persons::new(&People::Rows(4), &[vec![1], vec![1, 3]]);
        assert_eq!((rows.count(), rows.with_secret(), rows.secrets()), (4, 2, 3));
    }
}
